//! A count table: for every context a row of cells, for every row its totals.
//!
//! A row of up to 16 keys is a short list in order of arrival; a longer one is an open-addressing table of buckets of
//! 16 keys (one cache line of keys), filled from the front, so that a bucket whose last place is empty ends a search.
//! The values of a list or bucket follow its keys: `keys | first values | second values`. A row that outgrows its
//! place in the [arena](crate::arena) moves to the next size and leaves its old place to others. Nothing is ever
//! removed from a row.
//!
//! The slow form of the whole file is `HashMap<(context, key), (first, second)>`; `tests/table.rs` holds the two equal.

use crate::arena::{Arena, BUCKET, EMPTY, REACH, next_size};
use crate::machine::{fetch, match_mask};

/// A value of one or two words.
pub trait Packed: Copy + Default {
    /// How many words.
    const WORDS: usize;

    /// The value that begins at `words[at]`.
    fn unpack(words: &[u32], at: usize) -> Self;

    /// Writes the value from `words[at]` on.
    fn pack(self, words: &mut [u32], at: usize);

    /// The value as a double.
    fn real(self) -> f64;
}

macro_rules! packed_in_one {
    ($number:ty, $from:expr, $to:expr) => {
        impl Packed for $number {
            const WORDS: usize = 1;

            #[inline(always)]
            fn unpack(words: &[u32], at: usize) -> Self {
                $from(words[at])
            }

            #[inline(always)]
            fn pack(self, words: &mut [u32], at: usize) {
                words[at] = $to(self);
            }

            #[inline(always)]
            fn real(self) -> f64 {
                f64::from(self)
            }
        }
    };
}

packed_in_one!(u32, std::convert::identity, std::convert::identity);
packed_in_one!(f32, f32::from_bits, f32::to_bits);

impl Packed for f64 {
    const WORDS: usize = 2;

    #[inline(always)]
    fn unpack(words: &[u32], at: usize) -> Self {
        let pair = &words[at..at + 2];
        f64::from_bits(u64::from(pair[0]) | u64::from(pair[1]) << 32)
    }

    #[inline(always)]
    fn pack(self, words: &mut [u32], at: usize) {
        let pair = &mut words[at..at + 2];
        (pair[0], pair[1]) = (self.to_bits() as u32, (self.to_bits() >> 32) as u32);
    }

    #[inline(always)]
    fn real(self) -> f64 {
        self
    }
}

/// Where a row lives and what its cells add up to.
#[derive(Clone, Copy, Debug, Default)]
pub struct Row {
    offset: u32,
    length: u32,
    places: u32,
    /// The decay epoch its sums belong to.
    pub epoch: u32,
    /// n(x): total of the first column.
    pub total: f64,
    /// Total of the second column, where that is a count.
    pub second_total: f64,
}

impl Row {
    /// Number of cells.
    pub fn len(&self) -> usize {
        self.length as usize
    }

    /// Whether nothing was observed in this context.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Places the row occupies: what a walk over it costs.
    #[inline(always)]
    pub fn capacity(&self) -> usize {
        self.places as usize
    }

    /// Number of buckets; a list counts as one.
    #[inline(always)]
    fn buckets(&self) -> usize {
        (self.capacity() / BUCKET).max(1)
    }

    /// Keys in a bucket.
    #[inline(always)]
    fn width(&self) -> usize {
        self.capacity().min(BUCKET)
    }

    /// One bit for each of 16 words from a bucket's start on that is a key of the row. What follows the keys of a list
    /// is something else; a row of several buckets has more than 16.
    #[inline(always)]
    fn own_words(&self) -> u32 {
        (1 << self.length.min(BUCKET as u32)) - 1
    }
}

/// Where the values of a cell are; of no use after the next insertion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    first: usize,
    second: usize,
}

/// A list or bucket: 16 words, those of them that are keys, and the values that follow the keys.
#[derive(Clone, Copy, Debug)]
pub struct Cells<'a, A, B> {
    words: &'a [u32; REACH],
    own: u32,
    base: usize,
    width: usize,
    with_second: bool,
    values: std::marker::PhantomData<(A, B)>,
}

impl<'a, A: Packed, B: Packed> Cells<'a, A, B> {
    #[inline(always)]
    fn new(words: &'a [u32], base: usize, (width, own, with_second): (usize, u32, bool)) -> Self {
        let words = words[base..].first_chunk().expect("so many words follow every place");
        Self { words, own, base, width, with_second, values: std::marker::PhantomData }
    }

    /// 16 words, the first of them keys.
    #[inline(always)]
    pub fn line(&self) -> &'a [u32; BUCKET] {
        self.words.first_chunk().expect("there are more than 16 words")
    }

    /// One bit for each of the 16 words that is a key or empty.
    #[inline(always)]
    pub fn own(&self) -> u32 {
        self.own
    }

    /// The keys: they end at the first that is empty.
    #[inline(always)]
    pub fn keys(&self) -> &'a [u32] {
        let line = self.line();
        &line[..(!self.own | match_mask(line, EMPTY) | 1 << BUCKET).trailing_zeros() as usize]
    }

    /// The key in a place.
    #[inline(always)]
    pub fn key(&self, slot: usize) -> u32 {
        self.words[slot % BUCKET]
    }

    /// Its first value.
    #[inline(always)]
    pub fn first(&self, slot: usize) -> A {
        A::unpack(self.words, (self.width + slot * A::WORDS) % REACH)
    }

    /// Its second value; the default if the table has none.
    #[inline(always)]
    pub fn second(&self, slot: usize) -> B {
        if !self.with_second {
            return B::default();
        }
        B::unpack(self.words, (self.width * (1 + A::WORDS) + slot * B::WORDS) % REACH)
    }

    /// Where its values are.
    #[inline(always)]
    pub fn place(&self, slot: usize) -> Place {
        Table::<A, B>::place(self.base, self.width, slot)
    }
}

/// Rows of cells keyed by dense id, with values of types `A` and `B`.
#[derive(Clone, Debug)]
pub struct Table<A, B> {
    rows: Vec<Row>,
    arena: Arena,
    /// False: the second column does not exist (it must not be asked for).
    with_second: bool,
    cells: usize,
    values: std::marker::PhantomData<(A, B)>,
}

impl<A: Packed, B: Packed> Table<A, B> {
    /// No contexts yet.
    pub fn new(with_second: bool) -> Self {
        let cell_words = 1 + A::WORDS + if with_second { B::WORDS } else { 0 };
        let values = std::marker::PhantomData;
        Self { rows: Vec::new(), arena: Arena::new(cell_words), with_second, cells: 0, values }
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
        self.cells
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

    /// The 16 words from `base` on.
    #[inline(always)]
    fn line(&self, base: usize) -> &[u32; BUCKET] {
        self.arena.words()[base..base + BUCKET].try_into().expect("16 words are 16 words")
    }

    /// The values of a bucket's cell.
    #[inline(always)]
    fn place(base: usize, width: usize, slot: usize) -> Place {
        Place { first: base + width + slot * A::WORDS, second: base + width * (1 + A::WORDS) + slot * B::WORDS }
    }

    /// Where a search for `key` ends: whether it is there, the list or bucket, and the place in it. Without a branch on
    /// the outcome, unless the search goes on in another bucket.
    #[inline(always)]
    pub fn look(&self, row: &Row, key: u32) -> (bool, Cells<'_, A, B>, usize) {
        let (buckets, width, own) = (row.buckets(), row.width(), row.own_words());
        let mut bucket = bucket_of(key, buckets);
        loop {
            let cells = Cells::new(self.arena.words(), self.bucket_start(row, bucket), (width, own, self.with_second));
            let line = cells.line();
            let hits = match_mask(line, key) & own;
            if line[BUCKET - 1] == EMPTY || hits != 0 || buckets == 1 {
                return (hits != 0, cells, hits.trailing_zeros() as usize % BUCKET);
            }
            bucket = if bucket + 1 == buckets { 0 } else { bucket + 1 };
        }
    }

    /// Place of `key` in `row`, or nothing.
    #[inline(always)]
    pub fn find(&self, row: &Row, key: u32) -> Option<Place> {
        let (found, cells, slot) = self.look(row, key);
        (found && key != EMPTY).then(|| cells.place(slot))
    }

    /// Place of `key` in the row of `context`, made if it is new (with default values).
    #[inline]
    pub fn find_or_insert(&mut self, context: u32, key: u32) -> Place {
        let (found, cells, slot) = self.look(&self.rows[context as usize], key);
        if found {
            return cells.place(slot);
        }
        let (base, slot) = self.insert(context, key);
        Self::place(base, self.rows[context as usize].width(), slot)
    }

    /// Changes the values of `key` in the row of `context`, and the row's totals; the cell is made if it is new (with
    /// default values).
    #[inline(always)]
    pub fn change(&mut self, context: u32, key: u32, change: impl FnOnce(&mut Row, A, B) -> (A, B)) {
        let (found, cells, slot) = self.look(&self.rows[context as usize], key);
        let (base, slot) = if found { (cells.base, slot) } else { self.insert(context, key) };
        let row = &mut self.rows[context as usize];
        let words: &mut [u32; REACH] =
            self.arena.words_mut()[base..].first_chunk_mut().expect("so many words follow every place");
        let first_at = (row.width() + slot * A::WORDS) % REACH;
        let second_at = (row.width() * (1 + A::WORDS) + slot * B::WORDS) % REACH;
        let second = if self.with_second { B::unpack(words, second_at) } else { B::default() };
        let (first, second) = change(row, A::unpack(words, first_at), second);
        first.pack(words, first_at);
        if self.with_second {
            second.pack(words, second_at);
        }
    }

    #[inline(never)]
    fn insert(&mut self, context: u32, key: u32) -> (usize, usize) {
        let mut row = self.rows[context as usize];
        let (length, places) = (row.len(), row.capacity());
        let full = if places <= BUCKET { length == places } else { (length + 1) * 6 > places * 5 };
        if full {
            row = self.moved(row);
        }
        let (base, slot) = self.put(&mut row, key);
        let place = Self::place(base, row.width(), slot);
        A::default().pack(self.arena.words_mut(), place.first);
        if self.with_second {
            B::default().pack(self.arena.words_mut(), place.second);
        }
        self.rows[context as usize] = row;
        self.cells += 1;
        (base, slot)
    }

    /// Writes a key into `row`, which has a free place for it and does not hold it.
    #[inline(always)]
    fn put(&mut self, row: &mut Row, key: u32) -> (usize, usize) {
        let (base, slot) = if row.capacity() <= BUCKET {
            (self.bucket_start(row, 0), row.len())
        } else {
            let buckets = row.buckets();
            let mut bucket = bucket_of(key, buckets);
            loop {
                let base = self.bucket_start(row, bucket);
                let free = match_mask(self.line(base), EMPTY);
                if free != 0 {
                    break (base, free.trailing_zeros() as usize);
                }
                bucket = if bucket + 1 == buckets { 0 } else { bucket + 1 };
            }
        };
        self.arena.words_mut()[base + slot] = key;
        row.length += 1;
        (base, slot)
    }

    /// Copies a row to a place of the next size and frees the old one.
    fn moved(&mut self, old: Row) -> Row {
        let places = next_size(old.capacity()).max(self.arena.smallest());
        let mut row = Row { offset: self.arena.allocate(places), length: 0, places: places as u32, ..old };
        if places <= BUCKET {
            self.copy_list(&old, &row);
            row.length = old.length;
        } else {
            self.copy_cells(&old, &mut row);
        }
        if old.places > 0 {
            self.arena.release(old.offset, old.capacity());
        }
        row
    }

    /// Copies a list into a longer one, column by column.
    fn copy_list(&mut self, old: &Row, new: &Row) {
        let (from, to) = (self.bucket_start(old, 0), self.bucket_start(new, 0));
        let (length, words) = (old.len(), self.arena.words_mut());
        let second = if self.with_second { B::WORDS } else { 0 };
        for (column, width) in [(0, 1), (1, A::WORDS), (1 + A::WORDS, second)] {
            let begin = from + column * old.width();
            words.copy_within(begin..begin + length * width, to + column * new.width());
        }
    }

    /// Copies the cells of a row into the buckets of another.
    fn copy_cells(&mut self, old: &Row, row: &mut Row) {
        for bucket in 0..old.buckets() {
            let base = self.bucket_start(old, bucket);
            for slot in 0..old.width() {
                let key = self.arena.words()[base + slot];
                if key == EMPTY {
                    break;
                }
                let (to_base, to_slot) = self.put(row, key);
                let (from, to) = (Self::place(base, old.width(), slot), Self::place(to_base, row.width(), to_slot));
                let words = self.arena.words_mut();
                A::unpack(words, from.first).pack(words, to.first);
                if self.with_second {
                    B::unpack(words, from.second).pack(words, to.second);
                }
            }
        }
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

    /// Fetches the place where the search for `key` begins; the row's header should be at hand.
    #[inline(always)]
    pub fn prefetch_cell(&self, context: u32, key: u32) {
        let Some(row) = self.rows.get(context as usize) else { return };
        let base = self.bucket_start(row, bucket_of(key, row.buckets()));
        // A short list lies in its first lines, and the others are then fetched in vain.
        for line in 0..self.arena.cell_words() {
            fetch(self.arena.words(), base + line * BUCKET);
        }
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

    /// Replaces the first value of a cell.
    #[inline(always)]
    pub fn set_first(&mut self, at: Place, value: A) {
        value.pack(self.arena.words_mut(), at.first);
    }

    /// Replaces the second value of a cell.
    #[inline(always)]
    pub fn set_second(&mut self, at: Place, value: B) {
        value.pack(self.arena.words_mut(), at.second);
    }

    /// Changes every first value of a row, and every second one where the table has them.
    pub fn change_row(&mut self, context: u32, first: impl Fn(A) -> A, second: impl Fn(B) -> B) {
        let row = self.rows[context as usize];
        let most = if row.capacity() <= BUCKET { row.len() } else { BUCKET };
        for bucket in 0..row.buckets() {
            let base = self.bucket_start(&row, bucket);
            for slot in 0..most {
                let place = Self::place(base, row.width(), slot);
                let words = self.arena.words_mut();
                if words[base + slot] == EMPTY {
                    break;
                }
                first(A::unpack(words, place.first)).pack(words, place.first);
                if self.with_second {
                    second(B::unpack(words, place.second)).pack(words, place.second);
                }
            }
        }
    }
}

#[cfg(feature = "bench")]
impl<A: Packed, B: Packed> Table<A, B> {
    /// Lines of the search for `key` in a row and of its cell.
    pub(crate) fn touch_cell(&self, context: u32, key: u32, lines: &mut crate::touch::Lines) {
        let row = self.row(context);
        lines.add(&self.rows[context as usize..=context as usize]);
        let base = self.bucket_start(&row, bucket_of(key, row.buckets()));
        lines.add(&self.arena.words()[base..base + row.width()]);
        let Some(at) = self.find(&row, key) else { return };
        lines.add(&self.arena.words()[at.first..at.first + A::WORDS]);
        if self.with_second {
            lines.add(&self.arena.words()[at.second..at.second + B::WORDS]);
        }
    }

    /// Lines of a row's header, of looking up `keys` in it, and of the cells met.
    pub(crate) fn touch_row(&self, context: u32, keys: &[crate::id::Destination], lines: &mut crate::touch::Lines) {
        let row = self.row(context);
        lines.add(&self.rows[context as usize..=context as usize]);
        let walked = crate::candidates::walks(row.capacity(), keys.len());
        if walked {
            for bucket in 0..row.buckets() {
                let base = self.bucket_start(&row, bucket);
                lines.add(&self.arena.words()[base..base + row.width()]);
            }
        }
        for key in keys {
            if !walked || self.find(&row, key.0).is_some() {
                self.touch_cell(context, key.0, lines);
            }
        }
    }

    /// Forgets every cell and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.rows.fill(Row::default());
        self.arena.clear();
        self.cells = 0;
    }
}

/// Bucket where the search for a key starts.
#[inline(always)]
fn bucket_of(key: u32, buckets: usize) -> usize {
    let hash = key.wrapping_mul(0x9e37_79b1);
    ((u64::from(hash) * buckets as u64) >> 32) as usize
}
