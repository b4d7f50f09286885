//! What to rank, and which of it a row holds.

use crate::arena::BUCKET;
use crate::id::Destination;
use crate::machine::{MARK, Machine, marks_for};
use crate::table::{Cells, Packed, Row, Table};

/// Walking a row costs about a sixteenth, place by place, of searching it for one candidate.
const WALK_PLACES_PER_CANDIDATE: usize = 16;
/// So many marks are cleared in one sweep for the cost of one that is looked for.
const MARKS_PER_SWEEP: usize = 64;
/// Below this many candidates, filling the map costs more than a walk saves.
const FEWEST_TO_MAP: usize = 8;

/// Buckets whose places fit into the bits of one word.
const BUCKETS_A_WORD: usize = u64::BITS as usize / BUCKET;
/// Buckets that a walk fetches ahead.
const WALKED_AHEAD: usize = 8;
/// In rows of more places than these, the line of every search is fetched before the first one begins.
const FEWEST_TO_FETCH: usize = 1024;

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
    /// A mark for each destination that is a candidate: small enough to stay near the processor.
    marks: Vec<u8>,
    /// First position of each of them; elsewhere of no meaning.
    first: Vec<u32>,
    /// Positions of destinations that stand earlier already, each with the first one.
    repeats: Vec<(u32, u32)>,
    filled: bool,
    /// The places of a row that hold candidates, a bit each, [`BUCKETS_A_WORD`] buckets a word; zero between walks.
    hits: Buffer<u64>,
    /// Candidates that a search found, and the place of each in the row.
    found: Buffer<(u32, u32)>,
    met: Buffer<Met>,
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
            self.first.resize(vocabulary_size, 0);
            self.marks.resize(marks_for(vocabulary_size), 0);
        }
        let (first, marks) = (&mut self.first[..vocabulary_size], &mut self.marks[..vocabulary_size]);
        for (at, z) in list.iter().enumerate() {
            if z.index() >= vocabulary_size {
                continue;
            }
            if marks[z.index()] == 0 {
                marks[z.index()] = MARK;
                first[z.index()] = at as u32;
            } else {
                self.repeats.push((at as u32, first[z.index()]));
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
            if self.marks.len() / MARKS_PER_SWEEP <= list.len() {
                self.marks.fill(0);
            } else {
                for z in list {
                    if let Some(mark) = self.marks.get_mut(z.index()) {
                        *mark = 0;
                    }
                }
            }
            self.filled = false;
        }
    }

    /// Every candidate that `row` holds, and the values of its cell: by walking the row or by searching it for each
    /// candidate, whichever is cheaper. Both find the same, in another order.
    #[inline(always)]
    pub(crate) fn meet<A: Packed, B: Packed>(
        &mut self,
        machine: impl Machine,
        candidates: Candidates<'_>,
        table: &Table<A, B>,
        row: &Row,
    ) -> &[Met] {
        if row.is_empty() {
            return &[];
        }
        let mut length = 0;
        match candidates {
            Candidates::All => {
                let met = self.met.room(row.len());
                for cells in table.lines(row) {
                    for (slot, &key) in cells.keys().iter().enumerate() {
                        met[length] = Met::of(key, &cells, slot);
                        length += 1;
                    }
                }
            }
            Candidates::These(list) if self.filled && walks(row.capacity(), list.len()) => {
                let (marks, first) = (self.marks.as_slice(), self.first.as_slice());
                // Which keys of the row are candidates is known before any is followed up, and then four buckets are
                // one word of bits: few branches that no processor could foresee.
                let words = self.hits.room(row.buckets().div_ceil(BUCKETS_A_WORD));
                for (bucket, cells) in table.lines(row).enumerate() {
                    table.prefetch_bucket(row, bucket + WALKED_AHEAD);
                    let hits = machine.members(cells.line(), marks) & cells.own();
                    words[bucket / BUCKETS_A_WORD] |= u64::from(hits) << (bucket % BUCKETS_A_WORD * BUCKET);
                }
                let met = self.met.room(row.len());
                for (word, hits) in words.iter_mut().enumerate() {
                    let mut hits = std::mem::take(hits);
                    while hits != 0 {
                        let bit = hits.trailing_zeros() as usize;
                        hits &= hits - 1;
                        let cells = table.line(row, word * BUCKETS_A_WORD + bit / BUCKET);
                        let slot = bit % BUCKET;
                        met[length] = Met::of(first[cells.key(slot) as usize], &cells, slot);
                        length += 1;
                    }
                }
            }
            Candidates::These(list) => {
                if row.capacity() > FEWEST_TO_FETCH {
                    list.iter().for_each(|z| table.prefetch_search(row, z.0));
                }
                // Where they are is written in any case, and counted if they were found: no processor could foresee that
                // branch. Only then are values read.
                let found = self.found.room(list.len() + 1);
                let mut count = 0;
                for (position, z) in list.iter().enumerate() {
                    let (is_there, place) = table.look(row, z.0);
                    found[count] = (position as u32, place as u32);
                    count += usize::from(is_there & (*z != Destination::UNSEEN));
                }
                let met = self.met.room(count);
                for (met, &(position, place)) in met.iter_mut().zip(&found[..count]) {
                    let place = place as usize;
                    *met = Met::of(position, &table.line(row, place / BUCKET), place % BUCKET);
                }
                length = count;
            }
        }
        &self.met.0[..length]
    }
}

/// A candidate that a row holds, and its values there.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Met {
    /// Its position.
    pub(crate) candidate: u32,
    pub(crate) first: f64,
    /// Zero if the table has no second values.
    pub(crate) second: f64,
}

impl Met {
    #[inline(always)]
    fn of<A: Packed, B: Packed>(candidate: u32, cells: &Cells<'_, A, B>, slot: usize) -> Self {
        Self { candidate, first: cells.first(slot).real(), second: cells.second(slot).real() }
    }
}

/// Room for what is met, reused from row to row.
#[derive(Clone, Debug, Default)]
struct Buffer<T>(Vec<T>);

impl<T: Copy + Default> Buffer<T> {
    #[inline(always)]
    fn room(&mut self, size: usize) -> &mut [T] {
        if size > self.0.len() {
            self.0.resize(size, T::default());
        }
        &mut self.0[..size]
    }
}
