//! A row: where it lives, what its cells add up to, and its lists or buckets as they are read.

use crate::arena::{BUCKET, EMPTY, REACH};
use crate::machine::match_mask;
use crate::table::{Packed, Place, Table};

/// Where a row lives and what its cells add up to.
#[derive(Clone, Copy, Debug, Default)]
pub struct Row {
    pub(super) offset: u32,
    pub(super) length: u32,
    pub(super) places: u32,
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
    pub fn buckets(&self) -> usize {
        (self.capacity() / BUCKET).max(1)
    }

    /// Keys in a bucket.
    #[inline(always)]
    pub(super) fn width(&self) -> usize {
        self.capacity().min(BUCKET)
    }

    /// One bit for each of 16 words from a bucket's start on that is a key of the row. What follows the keys of a list
    /// is something else; a row of several buckets has more than 16.
    #[inline(always)]
    pub(super) fn own_words(&self) -> u32 {
        (1 << self.length.min(BUCKET as u32)) - 1
    }
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
    pub(super) fn new(words: &'a [u32], base: usize, (width, own, with_second): (usize, u32, bool)) -> Self {
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
