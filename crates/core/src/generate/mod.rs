//! The negatives of a query: the destinations its positive has to outrank.
//!
//! [`Historical`] replays the rule that made TGB's files, draw by draw, on NumPy's legacy random stream
//! ([`LegacyStream`]); [`Seeded`] holds our own rules, whose draws depend on nothing but the seed and the query.

mod fill;
mod historical;
mod mersenne;
mod moment;
mod popularity;
mod seeded;
mod seen;

pub use historical::Historical;
pub use mersenne::LegacyStream;
pub use seeded::{Rule, Seeded};

use crate::error::{Error, ErrorKind, Result};

/// Hears how many queries are done and says whether to go on; called every few milliseconds of work.
pub type GoOn<'a> = &'a mut dyn FnMut(usize) -> bool;

/// Candidates are stored as 32-bit signed integers.
pub const MAX_VOCABULARY: usize = i32::MAX as usize;

/// Random numbers between two questions to [`GoOn`]: under two milliseconds.
const WORK_BETWEEN_QUESTIONS: usize = 1 << 18;

/// Asks [`GoOn`] once enough work has piled up.
struct Pulse<'a> {
    go_on: GoOn<'a>,
    work: usize,
}

impl<'a> Pulse<'a> {
    fn new(go_on: GoOn<'a>) -> Self {
        Self { go_on, work: 0 }
    }

    fn beat(&mut self, work: usize, done: usize) -> Result<()> {
        self.work += work;
        if self.work < WORK_BETWEEN_QUESTIONS {
            return Ok(());
        }
        self.work = 0;
        if (self.go_on)(done) { Ok(()) } else { Err(Error::new(ErrorKind::Interrupted)) }
    }
}

/// Refuses a vocabulary that candidates cannot address, or one too small to hold a negative at all.
fn check_vocabulary(size: usize) -> Result<u32> {
    if size > MAX_VOCABULARY {
        return Err(Error::new(ErrorKind::TooLarge { what: "destinations" }));
    }
    Ok(size as u32)
}

/// Refuses zero candidates a query.
fn check_k(k: usize) -> Result<()> {
    if k == 0 || k > MAX_VOCABULARY {
        let found = k.to_string();
        return Err(Error::new(ErrorKind::Setting { name: "k", found, accepted: "1 to 2147483647" }));
    }
    Ok(())
}
