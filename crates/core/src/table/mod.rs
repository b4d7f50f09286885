//! A count table: for every context a row of cells, for every row its totals.
//!
//! A row of up to 16 keys is a short list in order of arrival; a longer one is an open-addressing table of buckets of
//! 16 keys (one cache line of keys), filled from the front, so that a bucket whose last place is empty ends a search.
//! The values of a list or bucket follow its keys: `keys | first values | second values`. A row that outgrows its
//! place in the [arena](crate::arena) moves to the next size and leaves its old place to others. Nothing is ever
//! removed from a row.
//!
//! Counts belong to the [epoch](crate::decay) of their row. A short row that enters another epoch is moved there whole; a
//! long one moves its totals alone, and from then on each bucket has an epoch of its own, is moved when it is written,
//! and is read as if it had been moved.
//!
//! The slow form of the whole file is `HashMap<(context, key), (first, second)>`; `tests/table.rs` holds the two equal.

mod change;
mod fade;
mod fetching;
mod packed;
mod row;
#[cfg(feature = "bench")]
mod touch;

pub use change::Values;
pub use packed::{Packed, Time};
pub use row::{Cells, Row};

use crate::arena::{Arena, BUCKET, EMPTY};
use crate::machine::match_mask;
use crate::pages;
use fade::halvings_of;
use row::{Form, current};

/// Where the values of a cell are and how they are read; of no use after the next change of the row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    first: usize,
    second: usize,
    /// How often counts there are halved to be those of the row's epoch.
    halvings: u32,
}

/// Where a cell is: its list or bucket, and the place in the row; of no use after the next insertion.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spot {
    base: usize,
    place: u32,
}

impl Spot {
    #[inline(always)]
    fn new(base: usize, bucket: usize, slot: usize) -> Self {
        Self { base, place: (bucket * BUCKET + slot) as u32 }
    }

    #[inline(always)]
    fn bucket(self) -> usize {
        self.place as usize / BUCKET
    }

    #[inline(always)]
    fn slot(self) -> usize {
        self.place as usize % BUCKET
    }
}

/// Rows of cells keyed by dense id, with values of types `A` and `B`.
#[derive(Debug)]
pub struct Table<A, B> {
    rows: Vec<Row>,
    arena: Arena,
    /// False: the second column does not exist (it must not be asked for).
    with_second: bool,
    values: std::marker::PhantomData<(A, B)>,
}

impl<A, B> Clone for Table<A, B> {
    fn clone(&self) -> Self {
        Self { rows: pages::copy(&self.rows), arena: self.arena.clone(), ..*self }
    }
}

impl<A: Packed, B: Packed> Table<A, B> {
    /// No contexts yet.
    pub fn new(with_second: bool) -> Self {
        let cell_words = 1 + A::WORDS + if with_second { B::WORDS } else { 0 };
        let values = std::marker::PhantomData;
        Self { rows: Vec::new(), arena: Arena::new(cell_words, A::FADES), with_second, values }
    }

    /// Makes room for contexts `0..contexts`.
    pub fn grow(&mut self, contexts: usize) {
        if contexts > self.rows.len() {
            self.rows.resize(contexts, Row::default());
        }
    }

    /// The row of `context`; an empty one if it was never observed.
    #[inline]
    pub fn row(&self, context: u32) -> Row {
        self.rows.get(context as usize).copied().unwrap_or_default()
    }

    /// The row of a known context, to change its totals and epoch.
    #[inline]
    pub fn row_mut(&mut self, context: u32) -> &mut Row {
        &mut self.rows[context as usize]
    }

    /// Number of contexts with room.
    pub fn contexts(&self) -> usize {
        self.rows.len()
    }

    /// Number of cells in all rows.
    pub fn cells(&self) -> usize {
        self.rows.iter().map(Row::len).sum()
    }

    /// Bytes held, free places included.
    pub fn bytes(&self) -> usize {
        self.rows.capacity() * size_of::<Row>() + self.arena.bytes()
    }

    /// Bytes of the rows and their cells, free places included: a lower bound that costs nothing to ask for.
    #[inline(always)]
    pub fn row_bytes(&self) -> usize {
        size_of_val(self.rows.as_slice()) + size_of_val(self.arena.words())
    }

    /// Whether another row can still be placed.
    pub fn has_room(&self) -> bool {
        self.arena.has_room()
    }

    /// Whether cells have a second value.
    #[inline(always)]
    pub fn with_second(&self) -> bool {
        self.with_second
    }

    /// First word of a bucket.
    #[inline(always)]
    fn bucket_start(&self, row: &Row, bucket: usize) -> usize {
        self.arena.start(row.offset) + bucket * BUCKET * self.arena.cell_words()
    }

    /// The values of a bucket's cell.
    #[inline(always)]
    fn place(base: usize, Form { width, halvings, .. }: Form, slot: usize) -> Place {
        let (first, second) = (base + width, base + width * (1 + A::WORDS));
        Place { first: first + slot * A::WORDS, second: second + slot * B::WORDS, halvings }
    }

    /// How a list or bucket of a row is to be read.
    #[inline(always)]
    fn form(&self, row: &Row, bucket: usize) -> Form {
        let halvings = halvings_of(&self.arena, row, bucket);
        Form { width: row.width(), own: row.own_words(), with_second: self.with_second, halvings }
    }

    /// The key in a place of a bucket, and where that is.
    #[inline(always)]
    pub fn spot(&self, row: &Row, bucket: usize, slot: usize) -> (u32, Spot) {
        let base = self.bucket_start(row, bucket);
        (self.arena.words()[base + slot], Spot::new(base, bucket, slot))
    }

    /// Where the values of a spot are.
    #[inline(always)]
    pub fn place_of(&self, row: &Row, spot: Spot) -> Place {
        Self::place(spot.base, self.form(row, spot.bucket()), spot.slot())
    }

    /// Where a search for `key` ends: whether it is there, and the spot. Without a branch on the outcome,
    /// unless the search goes on in another bucket. No value is touched.
    #[inline(always)]
    pub fn look(&self, row: &Row, key: u32) -> (bool, Spot) {
        let buckets = row.buckets();
        let mut bucket = bucket_of(key, buckets);
        loop {
            let base = self.bucket_start(row, bucket);
            let line = line_at(self.arena.words(), base);
            let hits = match_mask(line, key) & row.own_words();
            if line[BUCKET - 1] == EMPTY || hits != 0 || buckets == 1 {
                return (hits != 0, Spot::new(base, bucket, hits.trailing_zeros() as usize % BUCKET));
            }
            bucket = if bucket + 1 == buckets { 0 } else { bucket + 1 };
        }
    }

    /// Place of `key` in `row`, or nothing.
    #[inline(always)]
    pub fn find(&self, row: &Row, key: u32) -> Option<Place> {
        let (found, spot) = self.look(row, key);
        (found && key != EMPTY).then(|| self.place_of(row, spot))
    }

    /// Every list or bucket of a row, in an order fixed by the row's own past.
    #[inline(always)]
    pub fn lines(&self, row: &Row) -> impl Iterator<Item = Cells<'_, A, B>> {
        let bucket_words = BUCKET * self.arena.cell_words();
        let (row, mut next) = (*row, self.bucket_start(row, 0));
        (0..row.buckets()).map(move |bucket| {
            let base = next;
            next += bucket_words;
            Cells::new(self.arena.words(), base, self.form(&row, bucket))
        })
    }

    /// Calls `met` with every cell of a row, as (key, place), in the same order.
    #[inline(always)]
    pub fn walk(&self, row: &Row, mut met: impl FnMut(u32, Place)) {
        for cells in self.lines(row) {
            cells.keys().iter().enumerate().for_each(|(slot, &key)| met(key, cells.place(slot)));
        }
    }

    /// First value of a cell, as one of the row's epoch.
    #[inline(always)]
    pub fn first(&self, at: Place) -> A {
        current(A::unpack(self.arena.words(), at.first), at.halvings)
    }

    /// Second value of a cell, as one of the row's epoch.
    #[inline(always)]
    pub fn second(&self, at: Place) -> B {
        current(B::unpack(self.arena.words(), at.second), at.halvings)
    }
}

/// Bucket where the search for a key starts.
#[inline(always)]
fn bucket_of(key: u32, buckets: usize) -> usize {
    let hash = key.wrapping_mul(0x9e37_79b1);
    ((u64::from(hash) * buckets as u64) >> 32) as usize
}

/// The 16 words from `base` on.
#[inline(always)]
fn line_at(words: &[u32], base: usize) -> &[u32; BUCKET] {
    words[base..].first_chunk().expect("so many words follow every place")
}
