//! Our own rules: k candidates a query that depend on the seed, the rule and the query alone.
//!
//! Query number i is the stream's event i. Its draws come from a stream of random numbers of its own, so candidates are
//! the same whichever split, chunk or thread they are made in.

use super::fill::rows;
use super::popularity::Popularity;
use super::{GoOn, check_k, check_vocabulary};
use crate::error::{Error, ErrorKind, Result};
use crate::random::Draws;

/// Which destinations are drawn, and how often each. None draws the positive.
#[derive(Clone, Copy, Debug)]
pub enum Rule<'a> {
    /// Each destination equally likely, again and again.
    Uniform,
    /// Each destination equally likely, none twice in one query.
    Distinct,
    /// The sampler of TGB-Seq: integers from the first id to the last with the last one excluded, a row drawn again as
    /// a whole while it holds the positive. Such a row is a row of independent draws from the ids that are neither the
    /// positive nor the last, which is how it is drawn here: at once.
    LastExcluded,
    /// In proportion to these counts, one a destination.
    Popularity(&'a [u64]),
}

/// A request for candidates of consecutive queries.
#[derive(Clone, Copy, Debug)]
pub struct Seeded<'a> {
    /// Governs every draw.
    pub seed: u64,
    /// Candidates a query.
    pub k: usize,
    /// Destinations of the stream.
    pub vocabulary_size: usize,
    /// The true destination of each query.
    pub positives: &'a [u32],
    /// Number of the first query.
    pub first: u64,
    /// How many threads may work.
    pub threads: usize,
}

impl Seeded<'_> {
    /// Draws `k` candidates a query into `out`, query by query.
    ///
    /// ```
    /// use linkgram_core::generate::{Rule, Seeded};
    ///
    /// let positives = [3, 0];
    /// let request = Seeded { seed: 42, k: 3, vocabulary_size: 4, positives: &positives, first: 0, threads: 1 };
    /// let mut candidates = [0; 6];
    /// request.draw(Rule::Distinct, &mut candidates, &mut |_| true)?;
    /// candidates[..3].sort();
    /// assert_eq!(candidates[..3], [0, 1, 2]);
    /// # Ok::<(), linkgram_core::Error>(())
    /// ```
    pub fn draw(&self, rule: Rule<'_>, out: &mut [i32], go_on: GoOn<'_>) -> Result<()> {
        let size = check_vocabulary(self.vocabulary_size)?;
        check_k(self.k)?;
        self.check(out)?;
        match rule {
            Rule::Uniform => self.replaced(*b"uniform ", size, out, go_on),
            Rule::LastExcluded => self.replaced(*b"lastexcl", size.saturating_sub(1), out, go_on),
            Rule::Distinct => self.distinct(size, out, go_on),
            Rule::Popularity(counts) => self.popularity(counts, out, go_on),
        }
    }

    fn check(&self, out: &[i32]) -> Result<()> {
        if Some(out.len()) != self.positives.len().checked_mul(self.k) {
            let (room, queries) = (out.len(), self.positives.len());
            return Err(Error::shape(format!(
                "there is room for {room} candidates, not {} of {queries} queries",
                self.k
            )));
        }
        match self.positives.iter().position(|&z| z as usize >= self.vocabulary_size) {
            Some(row) => {
                let (found, size) = (self.positives[row], self.vocabulary_size);
                Err(Error::at(row, ErrorKind::DenseId { role: "destination", found, size }))
            }
            None => Ok(()),
        }
    }

    /// The random numbers of a query under a rule.
    fn draws(&self, rule: [u8; 8], row: usize) -> Draws {
        Draws::new(self.seed, u64::from_le_bytes(rule)).substream(self.first + row as u64)
    }

    /// Equally likely ids below `pool`, with replacement.
    fn replaced(&self, rule: [u8; 8], pool: u32, out: &mut [i32], go_on: GoOn<'_>) -> Result<()> {
        self.enough(1, |positive| u64::from(pool - u32::from(positive < pool)))?;
        rows(
            out,
            self.k,
            self.threads,
            go_on,
            || (),
            |_, row, candidates| {
                let (draws, positive) = (self.draws(rule, row), self.positives[row]);
                let others = pool - u32::from(positive < pool);
                for (index, candidate) in candidates.iter_mut().enumerate() {
                    let other = draws.below(index as u64, others);
                    *candidate = (other + u32::from(other >= positive)) as i32;
                }
            },
        )
    }

    /// Equally likely sets, by Floyd's method: for j = n - k .. n - 1 take a number up to j, or j itself where that
    /// number is already taken.
    fn distinct(&self, pool: u32, out: &mut [i32], go_on: GoOn<'_>) -> Result<()> {
        self.enough(self.k, |_| u64::from(pool.saturating_sub(1)))?;
        let taken = || vec![0u64; pool.div_ceil(64) as usize];
        rows(out, self.k, self.threads, go_on, taken, |taken, row, candidates| {
            let (draws, positive) = (self.draws(*b"distinct", row), self.positives[row]);
            let lowest = pool - 1 - self.k as u32;
            for (index, candidate) in candidates.iter_mut().enumerate() {
                let highest = lowest + index as u32;
                let drawn = draws.below(index as u64, highest + 1);
                let is_taken = taken[drawn as usize / 64] >> (drawn % 64) & 1 == 1;
                let other = if is_taken { highest } else { drawn };
                taken[other as usize / 64] |= 1 << (other % 64);
                *candidate = other as i32;
            }
            for candidate in candidates {
                taken[*candidate as usize / 64] = 0;
                *candidate += i32::from(*candidate as u32 >= positive);
            }
        })
    }

    fn popularity(&self, counts: &[u64], out: &mut [i32], go_on: GoOn<'_>) -> Result<()> {
        if counts.len() != self.vocabulary_size {
            let (found, size) = (counts.len(), self.vocabulary_size);
            return Err(Error::shape(format!("{found} counts were given for {size} destinations")));
        }
        let table = Popularity::new(counts).ok_or_else(|| Error::new(ErrorKind::TooLarge { what: "counts" }))?;
        self.enough(1, |positive| table.others(positive))?;
        rows(
            out,
            self.k,
            self.threads,
            go_on,
            || (),
            |_, row, candidates| {
                let (draws, positive) = (self.draws(*b"populari", row), self.positives[row]);
                for (index, candidate) in candidates.iter_mut().enumerate() {
                    *candidate = table.draw(draws, index as u64, positive) as i32;
                }
            },
        )
    }

    /// Refuses queries that have fewer than `needed` destinations to draw from.
    fn enough(&self, needed: usize, others: impl Fn(u32) -> u64) -> Result<()> {
        let short = |&&positive: &&u32| others(positive) < needed as u64;
        match self.positives.iter().find(short) {
            Some(&positive) => Err(Error::shape(format!(
                "{needed} candidates cannot be drawn from the {} other than destination {positive} that the rule can give",
                others(positive)
            ))),
            None => Ok(()),
        }
    }
}
