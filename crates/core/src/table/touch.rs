//! Which lines of a table an operation must read. For benchmarks only.

use crate::candidates::walks;
use crate::id::Destination;
use crate::table::{Packed, Row, Table, bucket_of};
use crate::touch::Lines;

impl<A: Packed, B: Packed> Table<A, B> {
    /// Lines of the search for `key` in a row and of its cell; `first`: whether the first value is needed.
    pub(crate) fn touch_cell(&self, context: u32, key: u32, first: bool, lines: &mut Lines) {
        let row = self.row(context);
        lines.add(&self.rows[context as usize..=context as usize]);
        let base = self.bucket_start(&row, bucket_of(key, row.buckets()));
        lines.add(&self.arena.words()[base..base + row.width()]);
        let Some(at) = self.find(&row, key) else { return };
        if first {
            lines.add(&self.arena.words()[at.first..at.first + A::WORDS]);
        }
        if self.with_second {
            lines.add(&self.arena.words()[at.second..at.second + B::WORDS]);
        }
    }

    /// Lines of a row's header, of looking up `keys` in it, and of the cells met.
    pub(crate) fn touch_row(&self, context: u32, keys: &[Destination], lines: &mut Lines) {
        let row = self.row(context);
        lines.add(&self.rows[context as usize..=context as usize]);
        let walked = walks(row.capacity(), keys.len());
        if walked {
            for bucket in 0..row.buckets() {
                let base = self.bucket_start(&row, bucket);
                lines.add(&self.arena.words()[base..base + row.width()]);
            }
        }
        for key in keys {
            if !walked || self.find(&row, key.0).is_some() {
                self.touch_cell(context, key.0, true, lines);
            }
        }
    }

    /// Forgets every cell and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.rows.fill(Row::default());
        self.arena.clear();
    }
}
