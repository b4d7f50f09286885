//! The arena: the memory of all rows of a table, in 32-bit words.
//!
//! A place for 16 cells or more begins at the edge of a cache line. Where values fade, the cells of a long place are
//! followed by the epoch of each of its buckets, which nobody reads before the first needs it. Places that rows have left
//! are kept by size and given out again. The arena is one piece of memory that grows by an eighth at a time: an allocator
//! that can move pages extends it without a copy, so growing never holds the state twice.

use crate::pages;

/// Marks a free cell; dense ids stay below it.
pub const EMPTY: u32 = u32::MAX;
/// Keys in one bucket, and the longest row kept as a list.
pub const BUCKET: usize = 16;
/// Cells from which on a place also has room for the epochs of its buckets: less would fade faster as a whole.
pub const LONG: usize = 128;
/// Size classes: 1, 2, 4, 8, 16, then 32, 48, 64, 96, 128, ... (each about 1.4 times the last).
const CLASSES: usize = 64;
/// Words in the unit of offsets, so that 32 bits reach 32 GiB.
const UNIT: usize = 2;
/// Words in a cache line.
pub const LINE: usize = 16;
/// Words that can be read from every place on: more than a bucket has.
pub const REACH: usize = 128;

/// Words, and which of them are free.
#[derive(Debug)]
pub struct Arena {
    /// `skew` words up to the edge of a line, then the places, then [`REACH`] words that belong to nobody, so that as
    /// many can be read from every place on.
    words: Vec<u32>,
    skew: usize,
    cell_words: usize,
    /// Whether long places have room for epochs.
    with_epochs: bool,
    free: Vec<Vec<u32>>,
}

/// Position of a size among the classes.
fn class_of(places: usize) -> usize {
    let buckets = places / BUCKET;
    match buckets {
        0 | 1 => places.trailing_zeros() as usize,
        _ if buckets.is_power_of_two() => 3 + 2 * buckets.trailing_zeros() as usize,
        _ => 6 + 2 * buckets.trailing_zeros() as usize,
    }
}

/// The next larger size.
pub fn next_size(places: usize) -> usize {
    match places {
        0 => 1,
        _ if places <= BUCKET => places * 2,
        _ if places.is_power_of_two() => places / 2 * 3,
        _ => places / 3 * 4,
    }
}

/// Words from the start of a buffer to the edge of a line.
fn skew_of(words: &[u32]) -> usize {
    (words.as_ptr().addr().wrapping_neg() % 64) / 4
}

impl Arena {
    /// An empty arena for cells of so many words, with epochs or without.
    pub fn new(cell_words: usize, with_epochs: bool) -> Self {
        Self::of(&[EMPTY; REACH], (cell_words, with_epochs), vec![Vec::new(); CLASSES])
    }

    fn of(content: &[u32], (cell_words, with_epochs): (usize, bool), free: Vec<Vec<u32>>) -> Self {
        let mut words = Vec::new();
        pages::reserve(&mut words, content.len() + LINE);
        let skew = skew_of(&words);
        words.resize(skew, EMPTY);
        words.extend_from_slice(content);
        Self { words, skew, cell_words, with_epochs, free }
    }

    /// Words of a cell.
    #[inline(always)]
    pub fn cell_words(&self) -> usize {
        self.cell_words
    }

    /// All words; a place at `offset` begins at word [`start`](Self::start).
    #[inline(always)]
    pub fn words(&self) -> &[u32] {
        &self.words
    }

    /// All words, to change them.
    #[inline(always)]
    pub fn words_mut(&mut self) -> &mut [u32] {
        &mut self.words
    }

    /// First word of the place at `offset`.
    #[inline(always)]
    pub fn start(&self, offset: u32) -> usize {
        self.skew + offset as usize * UNIT
    }

    /// The word that holds the epoch of the first bucket of a long place.
    #[inline(always)]
    pub fn epochs(&self, offset: u32, places: usize) -> usize {
        self.start(offset) + places * self.cell_words
    }

    /// Whether a place of this size has room for the epochs of its buckets.
    #[inline(always)]
    pub fn has_epochs(&self, places: usize) -> bool {
        self.with_epochs && places >= LONG
    }

    /// Words of a place: its cells, and whole lines of epochs.
    fn place_words(&self, places: usize) -> usize {
        let epochs = if self.has_epochs(places) { (places / BUCKET).next_multiple_of(LINE) } else { 0 };
        places * self.cell_words + epochs
    }

    /// The smallest place of whole units.
    pub fn smallest(&self) -> usize {
        if self.cell_words.is_multiple_of(UNIT) { 1 } else { 2 }
    }

    /// Bytes held, free places included. Where the first line begins makes no difference.
    pub fn bytes(&self) -> usize {
        (self.words.len() - self.skew + self.free.iter().map(Vec::capacity).sum::<usize>()) * 4
    }

    /// Whether another row can still be placed: offsets have 32 bits.
    pub fn has_room(&self) -> bool {
        self.words.len() / UNIT < (u32::MAX / 2) as usize
    }

    /// Gives a place back.
    pub fn release(&mut self, offset: u32, places: usize) {
        self.free[class_of(places)].push(offset);
    }

    /// A place for so many cells (one of the sizes): a free one, or half of one of the next size, or new words. The keys
    /// of buckets are empty; a list knows its length.
    pub fn allocate(&mut self, places: usize) -> u32 {
        let class = class_of(places);
        if let Some(offset) = self.free[class].pop() {
            if places > BUCKET {
                let (start, cell_words) = (self.start(offset), self.cell_words);
                let place = &mut self.words[start..start + places * cell_words];
                place.chunks_exact_mut(BUCKET * cell_words).for_each(|bucket| bucket[..BUCKET].fill(EMPTY));
            }
            return offset;
        }
        if places < BUCKET {
            let whole = self.allocate(places * 2);
            self.free[class].push(whole + (places * self.cell_words / UNIT) as u32);
            return whole;
        }
        let end = self.words.len() - self.skew - REACH;
        self.extend(self.place_words(places));
        u32::try_from(end / UNIT).expect("has_room was asked before observing")
    }

    fn extend(&mut self, words: usize) {
        let length = self.words.len() + words;
        if length > self.words.capacity() {
            let more = words.max(self.words.len() / 8).max(1024) + LINE;
            pages::reserve(&mut self.words, more);
            let skew = skew_of(&self.words);
            if skew != self.skew {
                let content = self.skew..self.words.len();
                let moved = skew + content.len();
                self.words.resize(moved.max(self.words.len()), EMPTY);
                self.words.copy_within(content, skew);
                self.words.truncate(moved);
                self.skew = skew;
                return self.words.resize(moved + words, EMPTY);
            }
        }
        self.words.resize(length, EMPTY);
    }

    /// Forgets every place and keeps the memory.
    #[cfg(feature = "bench")]
    pub fn clear(&mut self) {
        self.words.truncate(self.skew + REACH);
        self.words[self.skew..].fill(EMPTY);
        self.free.iter_mut().for_each(Vec::clear);
    }
}

impl Clone for Arena {
    /// A copy begins at the edge of a line of its own.
    fn clone(&self) -> Self {
        Self::of(&self.words[self.skew..], (self.cell_words, self.with_epochs), self.free.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::{Arena, CLASSES, class_of, next_size};

    #[test]
    fn sizes_and_classes_count_alike() {
        let mut places = 1;
        for class in 0..CLASSES {
            assert_eq!(class_of(places), class);
            places = next_size(places);
        }
    }

    #[test]
    fn places_never_overlap_and_long_ones_begin_at_a_line() {
        for cell_words in 2..6 {
            let mut arena = Arena::new(cell_words, cell_words < 4);
            let mut taken = Vec::new();
            for round in 0..400usize {
                let mut places = arena.smallest();
                (0..round % 12).for_each(|_| places = next_size(places));
                let offset = arena.allocate(places);
                if round % 3 == 0 {
                    arena.release(offset, places);
                    continue;
                }
                let start = arena.start(offset);
                assert!(places < 16 || arena.words()[start..].as_ptr().addr().is_multiple_of(64));
                taken.push((offset as usize * 2, arena.place_words(places)));
            }
            taken.sort_unstable();
            assert!(taken.windows(2).all(|pair| pair[0].0 + pair[0].1 <= pair[1].0));
            let copy = arena.clone();
            for &(at, words) in &taken {
                let (here, there) = (arena.start(at as u32 / 2), copy.start(at as u32 / 2));
                assert_eq!(arena.words()[here..here + words], copy.words()[there..there + words]);
            }
        }
    }
}
