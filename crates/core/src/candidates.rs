//! What to rank, and which of it a row holds.

use crate::id::Destination;
use crate::table::{Row, Table};

/// Walking a row costs about a sixth, place by place, of searching it for one candidate.
const WALK_PLACES_PER_CANDIDATE: usize = 6;
/// Below this many candidates, filling the map costs more than a walk saves.
const FEWEST_TO_MAP: usize = 8;
const NONE: u32 = u32::MAX;

/// Whether a row of this many places is walked, or searched for each candidate.
#[inline]
pub(crate) fn walks(places: usize, candidates: usize) -> bool {
    places <= WALK_PLACES_PER_CANDIDATE * candidates
}

/// What to rank.
#[derive(Clone, Copy, Debug)]
pub enum Candidates<'a> {
    /// These destinations; repeats and [`Destination::UNSEEN`] are allowed.
    These(&'a [Destination]),
    /// The whole vocabulary, in the order of dense ids.
    All,
}

/// Destination -> positions among the candidates; empty between queries.
#[derive(Clone, Debug, Default)]
pub(crate) struct CandidateMap {
    /// First position of each destination.
    first: Vec<u32>,
    /// Position -> next position with the same destination.
    next_same: Vec<u32>,
    filled: bool,
}

impl CandidateMap {
    /// Maps the candidates of one query, if there are enough of them for a walk to pay.
    pub(crate) fn fill(&mut self, candidates: Candidates<'_>, vocabulary_size: usize) {
        let Candidates::These(list) = candidates else { return };
        self.filled = list.len() >= FEWEST_TO_MAP;
        if !self.filled {
            return;
        }
        if self.first.len() < vocabulary_size {
            self.first.resize(vocabulary_size, NONE);
        }
        self.next_same.clear();
        self.next_same.resize(list.len(), NONE);
        // From the back, so that positions of one destination are chained in order.
        for (at, z) in list.iter().enumerate().rev() {
            if let Some(first) = self.first.get_mut(z.index()) {
                self.next_same[at] = *first;
                *first = at as u32;
            }
        }
    }

    /// Forgets them again, at a cost of the candidates and not of the vocabulary.
    pub(crate) fn clear(&mut self, candidates: Candidates<'_>) {
        if let (Candidates::These(list), true) = (candidates, self.filled) {
            for z in list {
                if let Some(first) = self.first.get_mut(z.index()) {
                    *first = NONE;
                }
            }
            self.filled = false;
        }
    }

    /// Calls `met(position, place)` for every candidate that `row` holds: by walking the row or by searching it for
    /// each candidate, whichever is cheaper. Both meet the same pairs, in another order of candidates.
    #[inline]
    pub(crate) fn meet<A: Copy + Default, B: Copy + Default>(
        &self,
        candidates: Candidates<'_>,
        table: &Table<A, B>,
        row: &Row,
        mut met: impl FnMut(u32, usize),
    ) {
        match candidates {
            Candidates::All => table.walk(row).for_each(|(key, at)| met(key, at)),
            Candidates::These(list) if self.filled && walks(row.capacity(), list.len()) => {
                for (key, at) in table.walk(row) {
                    let mut position = self.first[key as usize];
                    while position != NONE {
                        met(position, at);
                        position = self.next_same[position as usize];
                    }
                }
            }
            Candidates::These(list) => {
                for (position, z) in list.iter().enumerate() {
                    if let Some(at) = table.find(row, z.0) {
                        met(position as u32, at);
                    }
                }
            }
        }
    }
}
