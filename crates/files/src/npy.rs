//! NumPy's array file, as far as it is written here: one dimension, little-endian.

use crate::error::Result;
use std::io::Write;

/// Writes the header of an array of `length` numbers of a NumPy type such as `<i4`; the content follows.
pub(crate) fn write_header(mut file: impl Write, kind: &str, length: u64) -> Result<()> {
    let mut header = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({length},), }}");
    // Magic, version and length take 10 bytes; the content starts at a multiple of 64.
    let padded = (header.len() + 11).next_multiple_of(64) - 10;
    while header.len() + 1 < padded {
        header.push(' ');
    }
    header.push('\n');
    file.write_all(b"\x93NUMPY\x01\x00")?;
    file.write_all(&(header.len() as u16).to_le_bytes())?;
    file.write_all(header.as_bytes())?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::write_header;

    #[test]
    fn the_content_starts_at_a_multiple_of_64() {
        for length in [0, 9, 10, 123_456_789_012, u64::MAX] {
            let mut file = Vec::new();
            write_header(&mut file, "<i4", length).unwrap();
            assert_eq!((file.len() % 64, file.last()), (0, Some(&b'\n')));
            assert_eq!(usize::from(u16::from_le_bytes([file[8], file[9]])), file.len() - 10);
        }
    }
}
