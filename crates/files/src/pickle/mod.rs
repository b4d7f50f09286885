//! A pickle machine that cannot call anything: it knows the instructions of protocols 2 to 5 that build numbers, texts,
//! tuples, NumPy arrays and one dictionary, and refuses all others by name.
//!
//! Reading order: `value` what the stack holds, `memo` what may be referred to, `number` how NumPy writes numbers
//! and arrays, `machine` the loop.

mod machine;
mod memo;
mod number;
mod stack;
mod value;

use crate::error::Result;
use crate::limits::Limits;
use crate::source::Source;
use std::io::Read;

/// Takes the dictionary's entries as they become complete.
pub trait Sink {
    /// One entry: source, destination and time, and the destinations stored under them.
    ///
    /// # Errors
    /// Whatever the sink refuses; reading stops.
    fn entry(&mut self, key: [i64; 3], destinations: &[i64]) -> Result<()>;

    /// Asked once for every mebibyte, with the bytes read so far; false stops the reading.
    fn go_on(&mut self, _offset: u64) -> bool {
        true
    }
}

/// Collects everything, for small files and for tests.
impl Sink for Vec<([i64; 3], Vec<i64>)> {
    fn entry(&mut self, key: [i64; 3], destinations: &[i64]) -> Result<()> {
        self.push((key, destinations.to_vec()));
        Ok(())
    }
}

/// Reads one pickled dictionary of negatives to its end.
///
/// # Errors
/// Anything but such a dictionary, with the byte where it shows.
pub fn read(reader: impl Read, limits: &Limits, sink: &mut impl Sink) -> Result<()> {
    let mut machine = machine::Machine::new(Source::new(reader), limits, sink);
    let mut start = 0;
    loop {
        match machine.step() {
            Ok(true) => start = machine.offset(),
            Ok(false) => return Ok(()),
            Err(error) => return Err(error.located(start)),
        }
    }
}
