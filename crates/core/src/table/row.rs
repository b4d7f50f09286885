//! A row: where it lives, what its cells add up to, and its lists or buckets as they are read.

use crate::arena::{BUCKET, EMPTY, REACH};
use crate::decay::Epoch;
use crate::machine::match_mask;
use crate::table::{Packed, Place, Table};

/// Bit of a row's length: its buckets belong to epochs of their own, which stand behind them.
const MIXED: u32 = 1 << 31;

/// Where a row lives and what its cells add up to.
#[derive(Clone, Copy, Debug, Default)]
pub struct Row {
    pub(super) offset: u32,
    /// Number of cells, and [`MIXED`].
    pub(super) length: u32,
    pub(super) places: u32,
    /// The decay epoch its totals belong to, and its cells unless it is mixed.
    pub epoch: Epoch,
    /// n(x): total of the first column.
    pub total: f64,
    /// Total of the second column, where that is a count.
    pub second_total: f64,
}

impl Row {
    /// Number of cells.
    pub fn len(&self) -> usize {
        (self.length & !MIXED) as usize
    }

    /// Whether each bucket has an epoch of its own, not after the row's.
    #[inline(always)]
    pub(super) fn is_mixed(&self) -> bool {
        self.length & MIXED != 0
    }

    /// Says whether it has.
    #[inline(always)]
    pub(super) fn set_mixed(&mut self, mixed: bool) {
        self.length = self.length & !MIXED | if mixed { MIXED } else { 0 };
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
    /// is something else; a row of several buckets, which alone can be mixed, has more than 16.
    #[inline(always)]
    pub(super) fn own_words(&self) -> u32 {
        (1 << self.length.min(BUCKET as u32)) - 1
    }
}

/// A list or bucket: 16 words, those of them that are keys, and the values that follow the keys.
#[derive(Clone, Copy, Debug)]
pub struct Cells<'a, A, B> {
    words: &'a [u32; REACH],
    base: usize,
    form: Form,
    values: std::marker::PhantomData<(A, B)>,
}

/// How a list or bucket is to be read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Form {
    pub(super) width: usize,
    pub(super) own: u32,
    pub(super) with_second: bool,
    /// How often its counts are halved to belong to the row's epoch.
    pub(super) halvings: u32,
}

impl<'a, A: Packed, B: Packed> Cells<'a, A, B> {
    #[inline(always)]
    pub(super) fn new(words: &'a [u32], base: usize, form: Form) -> Self {
        let words = words[base..].first_chunk().expect("so many words follow every place");
        Self { words, base, form, values: std::marker::PhantomData }
    }

    /// 16 words, the first of them keys.
    #[inline(always)]
    pub fn line(&self) -> &'a [u32; BUCKET] {
        self.words.first_chunk().expect("there are more than 16 words")
    }

    /// One bit for each of the 16 words that is a key or empty.
    #[inline(always)]
    pub fn own(&self) -> u32 {
        self.form.own
    }

    /// The keys: they end at the first that is empty.
    #[inline(always)]
    pub fn keys(&self) -> &'a [u32] {
        let line = self.line();
        &line[..(!self.form.own | match_mask(line, EMPTY) | 1 << BUCKET).trailing_zeros() as usize]
    }

    /// The key in a place.
    #[inline(always)]
    pub fn key(&self, slot: usize) -> u32 {
        self.words[slot % BUCKET]
    }

    /// Its first value.
    #[inline(always)]
    pub fn first(&self, slot: usize) -> A {
        current(A::unpack(self.words, (self.form.width + slot * A::WORDS) % REACH), self.form.halvings)
    }

    /// Its second value; the default if the table has none.
    #[inline(always)]
    pub fn second(&self, slot: usize) -> B {
        if !self.form.with_second {
            return B::default();
        }
        let second = B::unpack(self.words, (self.form.width * (1 + A::WORDS) + slot * B::WORDS) % REACH);
        current(second, self.form.halvings)
    }

    /// Where its values are.
    #[inline(always)]
    pub fn place(&self, slot: usize) -> Place {
        Table::<A, B>::place(self.base, self.form, slot)
    }
}

/// A value as one of its row's epoch: what is stored, unless it must be halved first.
#[inline(always)]
pub(super) fn current<V: Packed>(value: V, halvings: u32) -> V {
    if V::FADES && halvings > 0 { value.faded(halvings) } else { value }
}
