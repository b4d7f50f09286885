//! What to rank, and which of it a row holds.

use crate::id::Destination;
use crate::table::{Packed, Place, Row, Table};

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

/// Destination -> position among the candidates; empty between queries.
#[derive(Clone, Debug, Default)]
pub(crate) struct CandidateMap {
    /// First position of each destination.
    first: Vec<u32>,
    /// Positions of destinations that stand earlier already, each with the first one.
    repeats: Vec<(u32, u32)>,
    filled: bool,
}

impl CandidateMap {
    /// Maps the candidates of one query, if there are enough of them for a walk to pay.
    #[inline(always)]
    pub(crate) fn fill(&mut self, candidates: Candidates<'_>, vocabulary_size: usize) {
        self.repeats.clear();
        let Candidates::These(list) = candidates else { return };
        self.filled = list.len() >= FEWEST_TO_MAP;
        if !self.filled {
            return;
        }
        if self.first.len() < vocabulary_size {
            self.first.resize(vocabulary_size, NONE);
        }
        for (at, z) in list.iter().enumerate() {
            if let Some(first) = self.first.get_mut(z.index()) {
                if *first == NONE {
                    *first = at as u32;
                } else {
                    self.repeats.push((at as u32, *first));
                }
            }
        }
    }

    /// Positions whose destination stands earlier already, each with its first position: what is met at the first
    /// holds for the others, which [`meet`](Self::meet) may leave out. Empty if nothing is left out.
    pub(crate) fn repeats(&self) -> &[(u32, u32)] {
        &self.repeats
    }

    /// Forgets them again, at a cost of the candidates and not of the vocabulary.
    #[inline(always)]
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

    /// Calls `met(true, position, place)` for every candidate that `row` holds: by walking the row or by searching it
    /// for each candidate, whichever is cheaper. Both meet the same pairs, in another order of candidates. The search
    /// also reports what it did not find, as `met(false, ..)` with a place that can be read and says nothing, so that
    /// the caller can do without a branch that no processor could foresee.
    #[inline(always)]
    pub(crate) fn meet<A: Packed, B: Packed>(
        &self,
        candidates: Candidates<'_>,
        table: &Table<A, B>,
        row: &Row,
        mut met: impl FnMut(bool, u32, Place),
    ) {
        if row.is_empty() {
            return;
        }
        match candidates {
            Candidates::All => table.walk(row, |key, at| met(true, key, at)),
            Candidates::These(list) if self.filled && walks(row.capacity(), list.len()) => {
                table.walk(row, |key, at| {
                    let position = self.first[key as usize];
                    if position != NONE {
                        met(true, position, at);
                    }
                })
            }
            Candidates::These(list) => {
                for (position, z) in list.iter().enumerate() {
                    let (found, at) = table.look(row, z.0);
                    met(found && *z != Destination::UNSEEN, position as u32, at);
                }
            }
        }
    }
}
