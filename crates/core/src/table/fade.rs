//! Moving the counts of a row to another epoch: all of a short row, of a long one each bucket when it is written.
//!
//! The slow form is to move every row whole. Halving is exact and stops at the smallest number, so it does not matter in
//! how many steps a count is moved, and both forms hold and give the same bits.

use crate::arena::{Arena, BUCKET, REACH};
use crate::decay::{Epoch, halvings};
use crate::table::change::reach_at;
use crate::table::{Packed, Row, Table};

impl<A: Packed, B: Packed> Table<A, B> {
    /// Moves a row to `epoch`, which is not before its own, for a count of that epoch to be added.
    #[inline(always)]
    pub fn freshen(&mut self, context: u32, epoch: Epoch) {
        if self.rows[context as usize].epoch != epoch {
            if self.with_second { self.move_to::<true>(context, epoch) } else { self.move_to::<false>(context, epoch) }
        }
    }

    /// Whether a bucket of the row may have to be moved before it is written.
    #[inline(always)]
    pub(super) fn is_behind(row: &Row) -> bool {
        A::FADES && row.is_mixed()
    }

    #[inline(never)]
    fn move_to<const SECOND: bool>(&mut self, context: u32, epoch: Epoch) {
        let row = &mut self.rows[context as usize];
        let halvings = halvings(row.epoch, epoch);
        row.total = row.total.faded(halvings);
        row.second_total = row.second_total.faded(halvings);
        if !self.arena.has_epochs(row.capacity()) {
            fade_row::<A, B, SECOND>(&mut self.arena, row, halvings);
        } else if !row.is_mixed() {
            let epochs = self.arena.epochs(row.offset, row.capacity());
            self.arena.words_mut()[epochs..epochs + row.buckets()].fill(row.epoch);
            row.set_mixed(true);
        }
        row.epoch = epoch;
    }
}

/// Fades all cells of a short row.
fn fade_row<A: Packed, B: Packed, const SECOND: bool>(arena: &mut Arena, row: &Row, halvings: u32) {
    let base = arena.start(row.offset);
    let cell_words = Table::<A, B>::cell_words::<SECOND>();
    match row.width() {
        0 => {}
        BUCKET => {
            for bucket in 0..row.buckets() {
                let words = reach_at(arena.words_mut(), base + bucket * BUCKET * cell_words);
                fade_bucket::<A, B, SECOND>(words, halvings);
            }
        }
        width => {
            let words = &mut arena.words_mut()[base..base + width * cell_words];
            fade_columns::<A, B, SECOND>(words, width, halvings);
        }
    }
}

/// Moves a bucket of a mixed row to the row's epoch, and gives its words.
#[inline(never)]
pub(super) fn catch_up<'a, A: Packed, B: Packed, const SECOND: bool>(
    arena: &'a mut Arena,
    row: &Row,
    bucket: usize,
    base: usize,
) -> &'a mut [u32; REACH] {
    let at = arena.epochs(row.offset, row.capacity()) + bucket;
    let epoch = &mut arena.words_mut()[at];
    let halvings = halvings(*epoch, row.epoch);
    *epoch = row.epoch;
    let words = reach_at(arena.words_mut(), base);
    fade_bucket::<A, B, SECOND>(words, halvings);
    words
}

/// Moves every bucket of a mixed row to the row's epoch.
#[inline(never)]
pub(super) fn catch_up_all<A: Packed, B: Packed, const SECOND: bool>(arena: &mut Arena, row: &Row) {
    let (start, bucket_words) = (arena.start(row.offset), BUCKET * Table::<A, B>::cell_words::<SECOND>());
    for bucket in 0..row.buckets() {
        catch_up::<A, B, SECOND>(arena, row, bucket, start + bucket * bucket_words);
    }
}

/// How often the counts of a bucket are halved to belong to the row's epoch. Nothing in it can fail, so that the compiler
/// leaves it out where no count is read.
#[inline(always)]
pub(super) fn halvings_of(arena: &Arena, row: &Row, bucket: usize) -> u32 {
    if !row.is_mixed() {
        return 0;
    }
    let at = arena.epochs(row.offset, row.capacity()) + bucket;
    halvings(arena.words().get(at).copied().unwrap_or(row.epoch), row.epoch)
}

/// Fades the counts of a bucket.
#[inline(always)]
fn fade_bucket<A: Packed, B: Packed, const SECOND: bool>(words: &mut [u32; REACH], halvings: u32) {
    if (A::FADES || B::FADES) && halvings > 0 {
        fade_columns::<A, B, SECOND>(words, BUCKET, halvings);
    }
}

/// Fades the values that follow so many keys, free places included: what is there is never read.
#[inline(always)]
fn fade_columns<A: Packed, B: Packed, const SECOND: bool>(words: &mut [u32], width: usize, halvings: u32) {
    let second = width * (1 + A::WORDS);
    fade::<A>(&mut words[width..second], halvings);
    if SECOND {
        fade::<B>(&mut words[second..second + width * B::WORDS], halvings);
    }
}

#[inline(always)]
fn fade<V: Packed>(values: &mut [u32], halvings: u32) {
    if V::FADES {
        values.chunks_exact_mut(V::WORDS).for_each(|value| V::unpack(value, 0).faded(halvings).pack(value, 0));
    }
}
