//! A count table: for every context a row of cells, for every row its totals.
//!
//! All rows of a table live in one arena: parallel columns of keys and two values a cell. A row of up to 16 keys is a
//! short list in order of arrival; a longer one is an open-addressing table of buckets of 16 keys (one cache line of
//! keys), filled from the front, so that a bucket whose last place is empty ends a search. A row that outgrows its
//! place moves to the next size class and leaves its old place to others. Nothing is ever removed from a row.
//!
//! The slow form of the whole file is `HashMap<(context, key), (first, second)>`; `tests/table.rs` holds the two equal.

use crate::prefetch::fetch;

/// Keys in one bucket, and the longest row kept as a list.
const BUCKET: usize = 16;
/// Marks a free place; dense ids stay below it.
const EMPTY: u32 = u32::MAX;
/// Size classes: 1, 2, 4, 8, 16, then 32, 48, 64, 96, 128, ... (each about 1.4 times the last).
const CLASSES: usize = 56;

/// Where a row lives and what its cells add up to.
#[derive(Clone, Copy, Debug, Default)]
pub struct Row {
    offset: u32,
    length: u32,
    class: u16,
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
    #[inline]
    pub fn capacity(&self) -> usize {
        if self.length == 0 { 0 } else { capacity(usize::from(self.class)) }
    }
}

/// Places of a size class.
fn capacity(class: usize) -> usize {
    match class {
        0..=4 => 1 << class,
        _ => {
            let step = class - 5;
            BUCKET * if step.is_multiple_of(2) { 2 << (step / 2) } else { 3 << (step / 2) }
        }
    }
}

/// Rows of cells keyed by dense id, with values of types `A` and `B`.
#[derive(Clone, Debug)]
pub struct Table<A, B> {
    rows: Vec<Row>,
    keys: Vec<u32>,
    first: Vec<A>,
    second: Vec<B>,
    /// False: the second column does not exist (it stays empty and must not be asked for).
    with_second: bool,
    free: Vec<Vec<u32>>,
    cells: usize,
}

impl<A: Copy + Default, B: Copy + Default> Table<A, B> {
    /// No contexts yet.
    pub fn new(with_second: bool) -> Self {
        Self {
            rows: Vec::new(),
            keys: Vec::new(),
            first: Vec::new(),
            second: Vec::new(),
            with_second,
            free: vec![Vec::new(); CLASSES],
            cells: 0,
        }
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
        self.rows.capacity() * size_of::<Row>()
            + self.keys.len() * size_of::<u32>()
            + self.first.len() * size_of::<A>()
            + self.second.len() * size_of::<B>()
            + self.free.iter().map(|list| list.capacity() * size_of::<u32>()).sum::<usize>()
    }

    /// Whether another row can still be placed: offsets have 32 bits.
    pub fn has_room(&self) -> bool {
        self.keys.len() < (u32::MAX / 2) as usize
    }

    /// Place of `key` in `row`, or nothing.
    #[inline]
    pub fn find(&self, row: &Row, key: u32) -> Option<usize> {
        if key == EMPTY {
            return None;
        }
        let start = row.offset as usize;
        if usize::from(row.class) <= 4 {
            let list = &self.keys[start..start + row.length as usize];
            return list.iter().position(|&found| found == key).map(|at| start + at);
        }
        let buckets = capacity(usize::from(row.class)) / BUCKET;
        let mut bucket = bucket_of(key, buckets);
        loop {
            let at = start + bucket * BUCKET;
            let line: &[u32; BUCKET] = self.keys[at..at + BUCKET].try_into().expect("a bucket has 16 places");
            let hits = match_mask(line, key);
            if hits != 0 {
                return Some(at + hits.trailing_zeros() as usize);
            }
            if line[BUCKET - 1] == EMPTY {
                return None;
            }
            bucket = if bucket + 1 == buckets { 0 } else { bucket + 1 };
        }
    }

    /// Place of `key` in the row of `context`, made if it is new (with default values).
    #[inline]
    pub fn find_or_insert(&mut self, context: u32, key: u32) -> usize {
        let row = self.rows[context as usize];
        if let Some(at) = self.find(&row, key) {
            return at;
        }
        self.insert(context, key)
    }

    #[inline(never)]
    fn insert(&mut self, context: u32, key: u32) -> usize {
        let mut row = self.rows[context as usize];
        let length = row.length as usize;
        let places = row.capacity();
        let full = if places <= BUCKET { length == places } else { (length + 1) * 6 > places * 5 };
        if full {
            let class = if length == 0 { 0 } else { usize::from(row.class) + 1 };
            row = self.moved(row, class);
        }
        let at = self.free_place(&row, key);
        self.keys[at] = key;
        row.length += 1;
        self.rows[context as usize] = row;
        self.cells += 1;
        at
    }

    /// First free place for `key` in `row`, which has one and does not hold the key.
    fn free_place(&self, row: &Row, key: u32) -> usize {
        let start = row.offset as usize;
        let places = capacity(usize::from(row.class));
        if places <= BUCKET {
            return start + row.length as usize;
        }
        let buckets = places / BUCKET;
        let mut bucket = bucket_of(key, buckets);
        loop {
            let at = start + bucket * BUCKET;
            if self.keys[at + BUCKET - 1] == EMPTY {
                let used = self.keys[at..at + BUCKET].iter().take_while(|&&found| found != EMPTY).count();
                return at + used;
            }
            bucket = if bucket + 1 == buckets { 0 } else { bucket + 1 };
        }
    }

    /// Copies a row to a place of `class` and frees the old one.
    fn moved(&mut self, row: Row, class: usize) -> Row {
        let offset = self.allocate(class);
        let mut to = Row { offset, length: 0, class: class as u16, ..row };
        let old = row.offset as usize..row.offset as usize + row.capacity();
        for from in old {
            let key = self.keys[from];
            if key != EMPTY {
                let at = self.free_place(&to, key);
                self.keys[at] = key;
                self.first[at] = self.first[from];
                if self.with_second {
                    self.second[at] = self.second[from];
                }
                to.length += 1;
            }
        }
        if row.length > 0 {
            self.free[usize::from(row.class)].push(row.offset);
        }
        to
    }

    /// A cleared place of `class`: a freed one, or a piece of a bucket, or new at the arena's end.
    fn allocate(&mut self, class: usize) -> u32 {
        let places = capacity(class);
        let offset = match self.free[class].pop() {
            Some(offset) => offset,
            None if places < BUCKET => {
                // Everything is carved from whole buckets, so a longer row always starts at a bucket's edge.
                let whole = self.allocate(class + 1);
                self.free[class].push(whole + places as u32);
                whole
            }
            None => {
                let offset = u32::try_from(self.keys.len()).expect("has_room was asked before observing");
                let end = self.keys.len() + places;
                self.keys.resize(end, EMPTY);
                self.first.resize(end, A::default());
                if self.with_second {
                    self.second.resize(end, B::default());
                }
                offset
            }
        };
        let range = offset as usize..offset as usize + places;
        self.keys[range.clone()].fill(EMPTY);
        self.first[range.clone()].fill(A::default());
        if self.with_second {
            self.second[range].fill(B::default());
        }
        offset
    }

    /// All places of a row that hold a cell, as (key, place), in an order fixed by the row's own past.
    #[inline]
    pub fn walk(&self, row: &Row) -> impl Iterator<Item = (u32, usize)> + '_ {
        let start = row.offset as usize;
        let places = row.capacity();
        self.keys[start..start + places]
            .iter()
            .enumerate()
            .filter(|&(_, &key)| key != EMPTY)
            .map(move |(at, &key)| (key, start + at))
    }

    /// Fetches the header of a row.
    #[inline]
    pub fn prefetch_row(&self, context: u32) {
        fetch(&self.rows, context as usize);
    }

    /// Fetches the place where the search for `key` begins; the row's header should be at hand.
    #[inline]
    pub fn prefetch_cell(&self, context: u32, key: u32) {
        let row = self.row(context);
        let mut at = row.offset as usize;
        if usize::from(row.class) > 4 {
            at += BUCKET * bucket_of(key, capacity(usize::from(row.class)) / BUCKET);
        }
        // The arena begins anywhere in a line, so a bucket may lie across two.
        for place in [at, at + BUCKET - 1] {
            fetch(&self.keys, place);
            fetch(&self.first, place);
            fetch(&self.second, place);
        }
    }

    /// First value of a cell.
    #[inline]
    pub fn first(&self, at: usize) -> A {
        self.first[at]
    }

    /// Second value of a cell.
    #[inline]
    pub fn second(&self, at: usize) -> B {
        self.second[at]
    }

    /// First value of a cell, to change it.
    #[inline]
    pub fn first_mut(&mut self, at: usize) -> &mut A {
        &mut self.first[at]
    }

    /// Second value of a cell, to change it.
    #[inline]
    pub fn second_mut(&mut self, at: usize) -> &mut B {
        &mut self.second[at]
    }

    /// Changes every first value of a row, and every second one where the table has them.
    pub fn change_row(&mut self, context: u32, first: impl Fn(A) -> A, second: impl Fn(B) -> B) {
        let row = self.rows[context as usize];
        let range = row.offset as usize..row.offset as usize + row.capacity();
        self.first[range.clone()].iter_mut().for_each(|value| *value = first(*value));
        if self.with_second {
            self.second[range].iter_mut().for_each(|value| *value = second(*value));
        }
    }

    /// Lines of the search for `key` in a row and of its cell.
    #[cfg(feature = "bench")]
    pub(crate) fn touch_cell(&self, context: u32, key: u32, lines: &mut crate::touch::Lines) {
        let row = self.row(context);
        lines.add(&self.rows[context as usize..=context as usize]);
        let Some(at) = self.find(&row, key) else { return };
        if usize::from(row.class) <= 4 {
            lines.add(&self.keys[row.offset as usize..=at]);
        } else {
            let first = row.offset as usize + BUCKET * bucket_of(key, row.capacity() / BUCKET);
            lines.add(&self.keys[first.min(at)..first + BUCKET]);
            lines.add(&self.keys[at..=at]);
        }
        lines.add(&self.first[at..=at]);
        if self.with_second {
            lines.add(&self.second[at..=at]);
        }
    }

    /// Lines of a row's header, of looking up `keys` in it, and of the cells met.
    #[cfg(feature = "bench")]
    pub(crate) fn touch_row(&self, context: u32, keys: &[crate::id::Destination], lines: &mut crate::touch::Lines) {
        let row = self.row(context);
        lines.add(&self.rows[context as usize..=context as usize]);
        let start = row.offset as usize;
        if crate::candidates::walks(row.capacity(), keys.len()) {
            lines.add(&self.keys[start..start + row.capacity()]);
        }
        for key in keys {
            if !crate::candidates::walks(row.capacity(), keys.len()) {
                let first = start + BUCKET * bucket_of(key.0, row.capacity() / BUCKET);
                lines.add(&self.keys[first..first + BUCKET]);
            }
            if self.find(&row, key.0).is_some() {
                self.touch_cell(context, key.0, lines);
            }
        }
    }

    /// Forgets every cell and keeps the memory.
    #[cfg(feature = "bench")]
    pub(crate) fn clear(&mut self) {
        self.rows.fill(Row::default());
        self.keys.clear();
        self.first.clear();
        self.second.clear();
        self.free.iter_mut().for_each(Vec::clear);
        self.cells = 0;
    }

    /// Whether cells have a second value.
    pub fn with_second(&self) -> bool {
        self.with_second
    }
}

/// Bucket where the search for a key starts.
#[inline]
fn bucket_of(key: u32, buckets: usize) -> usize {
    let hash = key.wrapping_mul(0x9e37_79b1);
    ((u64::from(hash) * buckets as u64) >> 32) as usize
}

/// One bit for each place of a bucket that holds `key`; written so that it becomes a few vector comparisons.
#[inline]
fn match_mask(line: &[u32; BUCKET], key: u32) -> u32 {
    let mut mask = 0;
    for (place, &found) in line.iter().enumerate() {
        mask |= u32::from(found == key) << place;
    }
    mask
}
