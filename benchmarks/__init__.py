"""Speed and memory, as ratios against something measured in the same run. See README.md."""
