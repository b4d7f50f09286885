//! A count table: for every context a row of cells, for every row its totals.
//!
//! A row of up to 16 keys is a short list in order of arrival; a longer one is an open-addressing table of buckets of
//! 16 keys (one cache line of keys), filled from the front, so that a bucket whose last place is empty ends a search.
//! The values of a list or bucket follow its keys: `keys | first values | second values`. A row that outgrows its
//! place in the [arena](crate::arena) moves to the next size and leaves its old place to others. Nothing is ever
//! removed from a row.
//!
//! The slow form of the whole file is `HashMap<(context, key), (first, second)>`; `tests/table.rs` holds the two equal.

mod change;
mod packed;
mod row;
#[cfg(feature = "bench")]
mod touch;

pub use change::Values;
pub use packed::Packed;
pub use row::{Cells, Row};

use crate::arena::{Arena, BUCKET, EMPTY};
use crate::machine::{fetch, match_mask};
use crate::pages;

/// Where the values of a cell are; of no use after the next insertion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    first: usize,
    second: usize,
}

/// Where a cell is: its list or bucket, and the place in it; of no use after the next insertion.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spot {
    base: usize,
    slot: u32,
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
        Self { rows: Vec::new(), arena: Arena::new(cell_words), with_second, values }
    }

    /// Makes room for contexts `0..contexts`.
    pub fn grow(&mut self, contexts: usize) {
        if contexts > self.rows.len() {
            pages::grow(&mut self.rows, contexts, Row::default());
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
    fn place(base: usize, width: usize, slot: usize) -> Place {
        Place { first: base + width + slot * A::WORDS, second: base + width * (1 + A::WORDS) + slot * B::WORDS }
    }

    /// The key in a place of a bucket, and where that is.
    #[inline(always)]
    pub fn spot(&self, row: &Row, bucket: usize, slot: usize) -> (u32, Spot) {
        let base = self.bucket_start(row, bucket);
        (self.arena.words()[base + slot], Spot { base, slot: slot as u32 })
    }

    /// Where the values of a spot are.
    #[inline(always)]
    pub fn place_of(&self, row: &Row, spot: Spot) -> Place {
        Self::place(spot.base, row.width(), spot.slot as usize)
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
                return (hits != 0, Spot { base, slot: hits.trailing_zeros() % BUCKET as u32 });
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
        let (width, own, with_second) = (row.width(), row.own_words(), self.with_second);
        let (words, bucket_words) = (self.arena.words(), BUCKET * self.arena.cell_words());
        let mut next = self.bucket_start(row, 0);
        (0..row.buckets()).map(move |_| {
            let base = next;
            next += bucket_words;
            Cells::new(words, base, (width, own, with_second))
        })
    }

    /// Calls `met` with every cell of a row, as (key, place), in the same order.
    #[inline(always)]
    pub fn walk(&self, row: &Row, mut met: impl FnMut(u32, Place)) {
        for cells in self.lines(row) {
            cells.keys().iter().enumerate().for_each(|(slot, &key)| met(key, cells.place(slot)));
        }
    }

    /// Fetches the header of a row.
    #[inline(always)]
    pub fn prefetch_row(&self, context: u32) {
        fetch(&self.rows, context as usize);
    }

    /// Fetches the keys of a bucket.
    #[inline(always)]
    pub fn prefetch_bucket(&self, row: &Row, bucket: usize) {
        fetch(self.arena.words(), self.bucket_start(row, bucket));
    }

    /// Fetches the line where the search for `key` in `row` begins.
    #[inline(always)]
    pub fn prefetch_search(&self, row: &Row, key: u32) {
        fetch(self.arena.words(), self.bucket_start(row, bucket_of(key, row.buckets())));
    }

    /// Fetches the values of a spot.
    #[inline(always)]
    pub fn prefetch_values(&self, row: &Row, spot: Spot) {
        let at = self.place_of(row, spot);
        fetch(self.arena.words(), at.first);
        if self.with_second {
            fetch(self.arena.words(), at.second);
        }
    }

    /// Fetches the place where the search for `key` begins; the row's header should be at hand. `SECOND` says whether
    /// the table has second values.
    #[inline(always)]
    pub fn prefetch_cell<const SECOND: bool>(&self, context: u32, key: u32) {
        self.prefetch_columns::<SECOND>(context, key, 0..Self::cell_words::<SECOND>());
    }

    /// The same without the first values.
    #[inline(always)]
    pub fn prefetch_second(&self, context: u32, key: u32) {
        let second = 1 + A::WORDS..1 + A::WORDS + B::WORDS;
        self.prefetch_columns::<true>(context, key, std::iter::once(0).chain(second));
    }

    #[inline(always)]
    fn prefetch_columns<const SECOND: bool>(&self, context: u32, key: u32, columns: impl Iterator<Item = usize>) {
        let Some(row) = self.rows.get(context as usize) else { return };
        let bucket = bucket_of(key, row.buckets());
        let base = self.arena.start(row.offset) + bucket * BUCKET * Self::cell_words::<SECOND>();
        // The columns of a short list share lines: one is then fetched twice, which costs nothing.
        columns.for_each(|column| fetch(self.arena.words(), base + column * row.width()));
    }

    /// First value of a cell.
    #[inline(always)]
    pub fn first(&self, at: Place) -> A {
        A::unpack(self.arena.words(), at.first)
    }

    /// Second value of a cell.
    #[inline(always)]
    pub fn second(&self, at: Place) -> B {
        B::unpack(self.arena.words(), at.second)
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
