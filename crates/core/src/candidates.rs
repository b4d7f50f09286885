//! What to rank, and which of it a row holds.

use crate::arena::BUCKET;
use crate::few::FEWEST_OF_MANY;
use crate::id::Destination;
use crate::machine::{MARK, Machine, marks_for};
use crate::table::{Packed, Row, Spot, Table};

/// Walking a row costs about a sixteenth, place by place, of searching it for one candidate.
const WALK_PLACES_PER_CANDIDATE: usize = 16;
/// So many marks are cleared in one sweep for the cost of one that is looked for.
const MARKS_PER_SWEEP: usize = 64;

/// Buckets whose places fit into the bits of one word.
const BUCKETS_A_WORD: usize = u64::BITS as usize / BUCKET;
/// Buckets that a walk fetches ahead.
const WALKED_AHEAD: usize = 8;
/// In rows of more places than these, the line of every search is fetched before the first one begins.
const FEWEST_TO_FETCH: usize = 1024;

/// Whether a row of this many places is walked, or searched for each candidate.
#[inline]
pub(crate) fn walks(places: usize, candidates: usize) -> bool {
    candidates >= FEWEST_OF_MANY && places <= WALK_PLACES_PER_CANDIDATE * candidates
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
    hits: Vec<u64>,
    /// Candidates that rows hold, and the place of each in its row; and how many there are.
    found: (Vec<(u32, Spot)>, usize),
    met: Vec<Met>,
}

impl CandidateMap {
    /// Maps the candidates of one query, if there are enough of them for a walk to pay.
    #[inline(always)]
    pub(crate) fn fill(&mut self, candidates: Candidates<'_>, vocabulary_size: usize) {
        self.repeats.clear();
        self.found.1 = 0;
        let Candidates::These(list) = candidates else { return };
        self.filled = list.len() >= FEWEST_OF_MANY;
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

    /// Every candidate that `row` holds, and the values of its cell.
    #[inline(always)]
    pub(crate) fn meet<A: Packed, B: Packed>(
        &mut self,
        machine: impl Machine,
        candidates: Candidates<'_>,
        table: &Table<A, B>,
        row: Row,
    ) -> &[Met] {
        self.found.1 = 0;
        let sought = self.seek(machine, candidates, table, row, false);
        self.read(machine, candidates, table, &sought)
    }

    /// Finds every candidate that `row` holds, by walking the row or by searching it for each candidate, whichever is
    /// cheaper: both find the same, in another order. The values can be [read](Self::read) until the map is filled
    /// again. If they are `far` they are fetched; if not, a walk is put off until they are read.
    #[inline(always)]
    pub(crate) fn seek<A: Packed, B: Packed>(
        &mut self,
        machine: impl Machine,
        candidates: Candidates<'_>,
        table: &Table<A, B>,
        row: Row,
        far: bool,
    ) -> Sought {
        let begin = self.found.1;
        if let (Candidates::These(list), false) = (candidates, row.is_empty()) {
            if !self.filled || !walks(row.capacity(), list.len()) {
                self.search(list, table, &row);
            } else if far {
                let found = room(&mut self.found.0, begin + row.len());
                let (marks, first, hits) = (&self.marks, &self.first, &mut self.hits);
                self.found.1 = walk(machine, table, &row, (marks, hits), begin, |at, key, spot| {
                    found[at] = (first[key as usize], spot);
                });
            } else {
                return Sought { row, found: None };
            }
            if far {
                self.found.0[begin..self.found.1].iter().for_each(|found| table.prefetch_values(&row, found.1));
            }
        }
        Sought { row, found: Some((begin, self.found.1)) }
    }

    /// Every place is written, and counted only if it was found: no processor could foresee that branch.
    #[inline(always)]
    fn search<A: Packed, B: Packed>(&mut self, list: &[Destination], table: &Table<A, B>, row: &Row) {
        if row.capacity() > FEWEST_TO_FETCH {
            list.iter().for_each(|z| table.prefetch_search(row, z.0));
        }
        let found = room(&mut self.found.0, self.found.1 + list.len() + 1);
        let mut next = self.found.1;
        for (position, z) in list.iter().enumerate() {
            let (is_there, spot) = table.look(row, z.0);
            found[next] = (position as u32, spot);
            next += usize::from(is_there & (*z != Destination::UNSEEN));
        }
        self.found.1 = next;
    }

    /// The candidates that `sought` holds, and the values of their cells.
    #[inline(always)]
    pub(crate) fn read<A: Packed, B: Packed>(
        &mut self,
        machine: impl Machine,
        candidates: Candidates<'_>,
        table: &Table<A, B>,
        sought: &Sought,
    ) -> &[Met] {
        let row = &sought.row;
        if let Candidates::All = candidates {
            let met = room(&mut self.met, row.len());
            let mut length = 0;
            for cells in table.lines(row) {
                for (slot, &key) in cells.keys().iter().enumerate() {
                    let (first, second) = (cells.first(slot).real(), cells.second(slot).real());
                    met[length] = Met { candidate: key, first, second };
                    length += 1;
                }
            }
            return met;
        }
        let Some((begin, end)) = sought.found else {
            let (marks, first, hits) = (&self.marks, &self.first, &mut self.hits);
            let met = room(&mut self.met, row.len());
            let count = walk(machine, table, row, (marks, hits), 0, |at, key, spot| {
                met[at] = Met::of(first[key as usize], table, row, spot);
            });
            return &met[..count];
        };
        let met = room(&mut self.met, end - begin);
        for (met, &(candidate, spot)) in met.iter_mut().zip(&self.found.0[begin..end]) {
            *met = Met::of(candidate, table, row, spot);
        }
        met
    }
}

/// Numbers the marked keys of a row from `next` on and calls `hit` with each; returns the number after the last. Which
/// keys are marked is known before any is followed up, and then four buckets are one word of bits: few branches that no
/// processor could foresee.
#[inline(always)]
fn walk<A: Packed, B: Packed>(
    machine: impl Machine,
    table: &Table<A, B>,
    row: &Row,
    (marks, hits): (&[u8], &mut Vec<u64>),
    mut next: usize,
    mut hit: impl FnMut(usize, u32, Spot),
) -> usize {
    let words = room(hits, row.buckets().div_ceil(BUCKETS_A_WORD));
    for (bucket, cells) in table.lines(row).enumerate() {
        table.prefetch_bucket(row, bucket + WALKED_AHEAD);
        let hits = machine.members(cells.line(), marks) & cells.own();
        words[bucket / BUCKETS_A_WORD] |= u64::from(hits) << (bucket % BUCKETS_A_WORD * BUCKET);
    }
    for (word, hits) in words.iter_mut().enumerate() {
        let mut hits = std::mem::take(hits);
        while hits != 0 {
            let bit = hits.trailing_zeros() as usize;
            hits &= hits - 1;
            let (key, spot) = table.spot(row, word * BUCKETS_A_WORD + bit / BUCKET, bit % BUCKET);
            hit(next, key, spot);
            next += 1;
        }
    }
    next
}

/// A row, and which of what was found is there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sought {
    pub(crate) row: Row,
    /// From where to where; nothing if the row is still to be walked.
    found: Option<(usize, usize)>,
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
    fn of<A: Packed, B: Packed>(candidate: u32, table: &Table<A, B>, row: &Row, spot: Spot) -> Self {
        let place = table.place_of(row, spot);
        let second = if table.with_second() { table.second(place).real() } else { 0.0 };
        Self { candidate, first: table.first(place).real(), second }
    }
}

/// Room that is reused.
#[inline(always)]
fn room<T: Copy + Default>(buffer: &mut Vec<T>, size: usize) -> &mut [T] {
    if size > buffer.len() {
        buffer.resize(size, T::default());
    }
    &mut buffer[..size]
}
