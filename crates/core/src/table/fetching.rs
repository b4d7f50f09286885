//! Fetching what will be read, before it is: nothing here changes a result.

use crate::arena::{BUCKET, LINE};
use crate::decay::Epoch;
use crate::machine::fetch;
use crate::table::{Packed, Row, Spot, Table, bucket_of};

impl<A: Packed, B: Packed> Table<A, B> {
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
        if row.is_mixed() {
            fetch(self.arena.words(), self.arena.epochs(row.offset, row.capacity()) + spot.bucket());
        }
    }

    /// Fetches the place where the search for `key` begins; the row's header should be at hand. `SECOND` says whether
    /// the table has second values, `now` the epoch of what is to be written.
    #[inline(always)]
    pub fn prefetch_cell<const SECOND: bool>(&self, context: u32, key: u32, now: Epoch) {
        self.prefetch_columns::<SECOND>(context, key, now, 0..Self::cell_words::<SECOND>());
    }

    /// The same without the first values.
    #[inline(always)]
    pub fn prefetch_second(&self, context: u32, key: u32, now: Epoch) {
        let second = 1 + A::WORDS..1 + A::WORDS + B::WORDS;
        self.prefetch_columns::<true>(context, key, now, std::iter::once(0).chain(second));
    }

    #[inline(always)]
    fn prefetch_columns<const SECOND: bool>(
        &self,
        context: u32,
        key: u32,
        now: Epoch,
        columns: impl Iterator<Item = usize>,
    ) {
        let Some(row) = self.rows.get(context as usize) else { return };
        let bucket = bucket_of(key, row.buckets());
        let base = self.arena.start(row.offset) + bucket * BUCKET * Self::cell_words::<SECOND>();
        // The columns of a short list share lines: one is then fetched twice, which costs nothing.
        columns.for_each(|column| fetch(self.arena.words(), base + column * row.width()));
        // In the first epoch there is nothing to fade.
        if A::FADES && now > 0 && (row.epoch != now || row.is_mixed()) {
            self.prefetch_fading::<SECOND>(row, bucket);
        }
    }

    /// Fetches what must be moved to another epoch before a bucket is written: the bucket, or all of a short row.
    #[inline(never)]
    fn prefetch_fading<const SECOND: bool>(&self, row: &Row, bucket: usize) {
        let words = self.arena.words();
        let (start, cell_words) = (self.arena.start(row.offset), Self::cell_words::<SECOND>());
        if self.arena.has_epochs(row.capacity()) {
            let bucket_words = BUCKET * cell_words;
            let base = start + bucket * bucket_words;
            (base..base + bucket_words).step_by(LINE).for_each(|word| fetch(words, word));
            fetch(words, self.arena.epochs(row.offset, row.capacity()) + bucket);
        } else {
            (start..start + row.capacity() * cell_words).step_by(LINE).for_each(|word| fetch(words, word));
        }
    }
}
