"""The paper's analyses, one file each: a protocol in, a table out."""
