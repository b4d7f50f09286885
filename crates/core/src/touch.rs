//! Which memory an operation must read: the addresses of its cache lines, for comparing an operation with the bare
//! touch of the same lines. For benchmarks only.

use crate::cell::Cell;
use crate::event::{Event, Query};
use crate::id::Destination;
use crate::model::Model;
use crate::state::State;

/// Bytes in a cache line.
const LINE: usize = 64;

/// Distinct lines, in the order in which they are first needed.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    /// Address of a byte in each line, operation after operation.
    pub addresses: Vec<usize>,
    /// Where each operation begins in `addresses`.
    pub begins: Vec<usize>,
}

impl Lines {
    /// Begins another operation.
    pub fn begin(&mut self) {
        self.begins.push(self.addresses.len());
    }

    /// Adds all lines of some elements.
    pub(crate) fn add<T>(&mut self, elements: &[T]) {
        let start = std::ptr::from_ref(elements).cast::<u8>().expose_provenance();
        let end = start + size_of_val(elements);
        for line in start / LINE..end.div_ceil(LINE) {
            let begin = self.begins.last().copied().unwrap_or_default();
            if !self.addresses[begin..].contains(&(line * LINE)) {
                self.addresses.push(line * LINE);
            }
        }
    }
}

impl<C: Cell> State<C> {
    /// Lines that observing `event` touches, in the state as it is, where `history` is that of its source.
    pub fn touch_update(&self, event: Event, history: &[Destination], lines: &mut Lines) {
        lines.begin();
        self.histories.touch(event.source, lines);
        self.sources.touch_cell(event.source.0, event.destination.0, true, lines);
        self.destinations.touch(event.destination, true, lines);
        let Some((last, earlier)) = history.split_first() else { return };
        self.successors.touch_cell(last.0, event.destination.0, true, lines);
        if self.successors.with_second() {
            for context in earlier {
                self.successors.touch_cell(context.0, event.destination.0, false, lines);
            }
        }
    }
}

impl<C: Cell> Model<C> {
    /// Lines that looking up `candidates` for `query` touches.
    pub fn touch_query(&self, query: Query, candidates: &[Destination], lines: &mut Lines) {
        lines.begin();
        let state = &self.state;
        for &z in candidates {
            state.destinations.touch(z, self.layout.global_recency.is_some(), lines);
        }
        state.histories.touch(query.source, lines);
        state.sources.touch_row(query.source.0, candidates, lines);
        for context in state.histories.of(query.source) {
            state.successors.touch_row(context.0, candidates, lines);
        }
    }
}
