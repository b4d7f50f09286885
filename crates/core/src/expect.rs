//! Expecting: what the next queries of a replay will read is fetched while others are answered. Nothing here changes a
//! result, and what is fetched for nothing costs little.

use crate::candidates::walks;
use crate::cell::Cell;
use crate::event::EventSlice;
use crate::id::Destination;
use crate::state::State;
use crate::table::{Packed, Table};

/// How many queries before the expected one: each stage needs what the stage before has brought.
const HISTORIES_BEFORE: usize = 4;
const HEADERS_BEFORE: usize = 2;
/// The counts of so many destinations surely lie in a near cache.
const NEAR_DESTINATIONS: usize = 1 << 16;
/// Buckets of a row to be walked that are fetched; the walk itself fetches those that follow.
const BUCKETS: usize = 16;

impl<C: Cell> State<C> {
    /// Expects the query of `row` about so many destinations, or all if there is none, and those of the rows after it.
    #[inline(always)]
    pub(crate) fn expect_queries(
        &self,
        events: &EventSlice<'_>,
        row: usize,
        (count, keys): (usize, impl Iterator<Item = u32> + Clone),
    ) {
        if row + HISTORIES_BEFORE >= events.len() || !self.is_large() {
            return;
        }
        let source = events.get(row + HISTORIES_BEFORE).source;
        self.histories.prefetch(source);
        self.sources.prefetch_row(source.0);
        for context in self.histories.of(events.get(row + HEADERS_BEFORE).source) {
            self.successors.prefetch_row(context.0);
        }
        if self.destinations.len() > NEAR_DESTINATIONS {
            keys.clone().for_each(|key| self.destinations.prefetch(Destination(key)));
        }
        let source = events.get(row).source;
        expect_row(&self.sources, source.0, (count, keys.clone()));
        for context in self.histories.of(source) {
            expect_row(&self.successors, context.0, (count, keys.clone()));
        }
    }
}

/// Fetches the lines where a row will be walked or searched.
#[inline(always)]
fn expect_row<A: Packed, B: Packed>(
    table: &Table<A, B>,
    context: u32,
    (count, keys): (usize, impl Iterator<Item = u32>),
) {
    let row = table.row(context);
    if count == 0 || walks(row.capacity(), count) {
        (0..row.buckets().min(BUCKETS)).for_each(|bucket| table.prefetch_bucket(&row, bucket));
    } else {
        keys.for_each(|key| table.prefetch_search(&row, key));
    }
}
