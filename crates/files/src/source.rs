//! Bytes one after the other, with their position, and never more memory than bytes that arrived.

use crate::error::{Error, ErrorKind, Result, malformed};
use flate2::read::MultiGzDecoder;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

/// A file's bytes; gzip is recognised by its first two bytes, whatever the name says.
pub(crate) fn open(path: &Path) -> Result<Box<dyn Read>> {
    let mut file = BufReader::with_capacity(1 << 16, File::open(path).map_err(|e| Error::new(ErrorKind::System(e)))?);
    let compressed = file.fill_buf()?.starts_with(b"\x1f\x8b");
    Ok(if compressed { Box::new(MultiGzDecoder::new(file)) } else { Box::new(file) })
}

/// A reader that knows where it is.
pub(crate) struct Source<R> {
    inner: BufReader<R>,
    offset: u64,
}

impl<R: Read> Source<R> {
    pub fn new(reader: R) -> Self {
        Self { inner: BufReader::with_capacity(1 << 16, reader), offset: 0 }
    }

    /// Bytes read so far.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    pub fn byte(&mut self) -> Result<u8> {
        self.array::<1>().map(|[byte]| byte)
    }

    pub fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let mut bytes = [0; N];
        self.inner.read_exact(&mut bytes).map_err(|error| Error::from(error).located(self.offset))?;
        self.offset += N as u64;
        Ok(bytes)
    }

    /// Exactly `length` bytes. The buffer grows with what arrives: a claimed length costs nothing.
    pub fn bytes(&mut self, length: u64, limit: usize) -> Result<Vec<u8>> {
        if length > limit as u64 {
            let what = "one text or array is too long, in bytes";
            return Err(Error::new(ErrorKind::Limit { what, limit: limit as u64 }));
        }
        let mut bytes = Vec::new();
        let read = self.inner.by_ref().take(length).read_to_end(&mut bytes);
        read.map_err(|error| Error::from(error).located(self.offset))?;
        self.offset += bytes.len() as u64;
        if (bytes.len() as u64) < length {
            Err(Error::new(ErrorKind::Truncated).located(self.offset))
        } else {
            Ok(bytes)
        }
    }

    /// Text up to a newline, which is left out.
    pub fn line(&mut self, limit: usize) -> Result<String> {
        let mut line = Vec::new();
        loop {
            match self.byte()? {
                b'\n' => break,
                _ if line.len() == limit => return Err(malformed("a name is too long")),
                byte => line.push(byte),
            }
        }
        String::from_utf8(line).map_err(|_| malformed("a name is not text"))
    }

    /// Refuses anything that follows; this also makes a decompressor check its checksum.
    pub fn end(&mut self) -> Result<()> {
        let more = self.inner.fill_buf().map_err(|error| Error::from(error).located(self.offset))?;
        if more.is_empty() { Ok(()) } else { Err(malformed("bytes follow the end of the pickle").located(self.offset)) }
    }
}
