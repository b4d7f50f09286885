//! What a state holds: cells and bytes, table by table.

use crate::cell::Cell;
use crate::state::State;

/// Size of one table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableSize {
    /// Name of the table.
    pub name: &'static str,
    /// Contexts with at least one cell.
    pub rows: usize,
    /// Cells: distinct (context, destination) pairs.
    pub cells: usize,
    /// Bytes held, free places included.
    pub bytes: usize,
}

impl<C: Cell> State<C> {
    /// Rows, cells and bytes of every table.
    pub fn describe(&self) -> [TableSize; 4] {
        let rows = |table_rows: usize, used: &dyn Fn(u32) -> bool| {
            (0..table_rows as u32).filter(|&context| used(context)).count()
        };
        let observed = self.destinations.counts.iter().filter(|&&count| count > 0.0).count();
        [
            TableSize {
                name: "popularity",
                rows: usize::from(observed > 0),
                cells: observed,
                bytes: self.destinations.bytes(),
            },
            TableSize {
                name: "sources",
                rows: rows(self.sources.contexts(), &|context| !self.sources.row(context).is_empty()),
                cells: self.sources.cells(),
                bytes: self.sources.bytes(),
            },
            TableSize {
                name: "successors",
                rows: rows(self.successors.contexts(), &|context| !self.successors.row(context).is_empty()),
                cells: self.successors.cells(),
                bytes: self.successors.bytes(),
            },
            TableSize {
                name: "histories",
                rows: (0..self.histories.sources() as u32)
                    .filter(|&source| !self.histories.of(crate::id::Source(source)).is_empty())
                    .count(),
                cells: self.histories.sources() * self.histories.depth(),
                bytes: self.histories.bytes(),
            },
        ]
    }

    /// Bytes of all tables.
    pub fn bytes(&self) -> usize {
        self.describe().iter().map(|table| table.bytes).sum()
    }
}
