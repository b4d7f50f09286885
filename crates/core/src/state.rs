//! The streaming count state: five tables and the histories, changed only by observing an event.
//!
//! | paper | here |
//! | --- | --- |
//! | c(z), C, t_last(z), N1+(.z) | `destinations`: a column each, and the totals |
//! | c(u,z), n(u), t_last(u,z) | `sources`: a row for each source |
//! | c(p,z), n(p) and c_co(x,z), n_co(x) | `successors`: a row for each destination, both counts in one cell |
//! | history(u) | `histories` |

use crate::cell::Cell;
use crate::configuration::Configuration;
use crate::decay::{Decay, Epoch, halvings};
use crate::destinations::Destinations;
use crate::error::{Error, ErrorKind, Result};
use crate::event::{Event, EventSlice, check_time};
use crate::history::Histories;
use crate::machine::{Kernel, Machine, wide};
use crate::table::{Packed, Table, Time};
use std::ops::Range;

/// How many events before its turn an event's memory is fetched: each stage needs what the stage before has brought.
const HEADERS_AHEAD: usize = 24;
const ROWS_AHEAD: usize = 16;
const CELLS_AHEAD: usize = 8;
/// Bytes that surely lie in a near cache; up to there fetching ahead costs more than it saves.
const NEAR: usize = 4 << 20;
/// Events between two looks at whether the tables are large.
const EVENTS_PER_LOOK: usize = 4096;

/// All tables and histories.
#[derive(Clone, Debug)]
pub struct State<C> {
    pub(crate) decay: Decay,
    pub(crate) sources: Table<C, Time>,
    pub(crate) successors: Table<C, C>,
    pub(crate) destinations: Destinations,
    pub(crate) histories: Histories,
    /// C, as a sum of the epoch beside it.
    pub(crate) total: (f64, Epoch),
    /// N: all continuation counts together.
    pub(crate) continuation_total: u64,
    pub(crate) events: u64,
    pub(crate) last_time: Option<f64>,
}

impl<C: Cell> State<C> {
    /// An empty state. Co-occurrence is counted only if the configuration uses it.
    pub fn new(configuration: &Configuration) -> Self {
        Self {
            decay: Decay::new(configuration.decay),
            sources: Table::new(true),
            successors: Table::new(configuration.co_occurrence),
            destinations: Destinations::default(),
            histories: Histories::new(configuration.depth),
            total: (0.0, 0),
            continuation_total: 0,
            events: 0,
            last_time: None,
        }
    }

    /// Makes room for dense ids below the given numbers; |V| becomes `destinations`. Never shrinks.
    pub fn grow(&mut self, sources: usize, destinations: usize) {
        self.sources.grow(sources);
        self.histories.grow(sources);
        self.successors.grow(destinations);
        self.destinations.grow(destinations);
    }

    /// |V|: the size of the destination vocabulary. Before the first destination it is one, so that an estimate is
    /// a probability from the start.
    pub fn vocabulary_size(&self) -> usize {
        self.destinations.len().max(1)
    }

    /// Number of sources there is room for.
    pub fn source_count(&self) -> usize {
        self.histories.sources()
    }

    /// Events observed.
    pub fn events(&self) -> u64 {
        self.events
    }

    /// Time of the latest event.
    pub fn last_time(&self) -> Option<f64> {
        self.last_time
    }

    /// Refuses a question about the past: the history already holds later events.
    pub fn check_query_time(&self, time: f64) -> Result<()> {
        check_time(time, None).map_err(Error::new)?;
        match self.last_time {
            Some(last) if time < last => Err(Error::new(ErrorKind::QueryBeforeHistory { time, last })),
            _ => Ok(()),
        }
    }

    /// Observes events in order. Refused as a whole, before any change, if one of them cannot be.
    pub fn observe(&mut self, events: &EventSlice<'_>) -> Result<()> {
        events.check_ids(self.source_count(), self.destinations.len())?;
        if let Some(first) = events.first_time() {
            check_time(first, self.last_time).map_err(|kind| Error::at(0, kind))?;
        }
        self.check_room()?;
        self.apply_rows(events, 0..events.len());
        Ok(())
    }

    /// Refuses to observe more when the tables' addresses or the numbers of epochs run out.
    pub fn check_room(&self) -> Result<()> {
        let room =
            [("cells", self.sources.has_room() && self.successors.has_room()), ("epochs", self.decay.has_room())];
        match room.into_iter().find(|(_, has_room)| !has_room) {
            Some((what, _)) => Err(Error::new(ErrorKind::TooLarge { what })),
            None => Ok(()),
        }
    }

    /// Observes these rows of checked events, fetching what the next ones will touch: headers first, then the cells that
    /// the headers lead to. The slow form is a loop over [`apply`](Self::apply); the counts are the same.
    pub(crate) fn apply_rows(&mut self, events: &EventSlice<'_>, rows: Range<usize>) {
        if self.successors.with_second() {
            wide(Observing::<_, true> { state: self, events, rows });
        } else {
            wide(Observing::<_, false> { state: self, events, rows });
        }
    }

    /// Observes one event that was checked: known ids, a time not before the last.
    #[inline]
    pub(crate) fn apply(&mut self, event: Event) {
        if self.successors.with_second() { self.count::<true>(event) } else { self.count::<false>(event) }
    }

    /// Whether the tables have outgrown the caches near the processor, so that fetching ahead pays.
    pub(crate) fn is_large(&self) -> bool {
        self.sources.row_bytes() + self.successors.row_bytes() > NEAR
    }

    #[inline(always)]
    fn prefetch_headers(&self, event: Event) {
        self.histories.prefetch(event.source);
        self.sources.prefetch_row(event.source.0);
        self.destinations.prefetch(event.destination);
    }

    #[inline(always)]
    fn prefetch_rows<const WINDOWED: bool>(&self, event: Event) {
        self.sources.prefetch_cell::<true>(event.source.0, event.destination.0, self.decay.epoch());
        let Some((last, earlier)) = self.histories.of(event.source).split_first() else { return };
        self.successors.prefetch_row(last.0);
        if WINDOWED {
            for context in earlier {
                self.successors.prefetch_row(context.0);
            }
        }
    }

    #[inline(always)]
    fn prefetch_cells<const WINDOWED: bool>(&self, event: Event) {
        let now = self.decay.epoch();
        let Some((last, earlier)) = self.histories.of(event.source).split_first() else { return };
        self.successors.prefetch_cell::<WINDOWED>(last.0, event.destination.0, now);
        if WINDOWED {
            for context in earlier {
                self.successors.prefetch_second(context.0, event.destination.0, now);
            }
        }
    }

    /// Forgets every event and keeps the memory.
    #[cfg(feature = "bench")]
    pub fn clear(&mut self) {
        self.decay.clear();
        self.sources.clear();
        self.successors.clear();
        self.destinations.clear();
        self.histories.clear();
        (self.total, self.continuation_total, self.events, self.last_time) = ((0.0, 0), 0, 0, None);
    }

    /// Counts one event; `WINDOWED` says whether co-occurrence is counted.
    #[inline(always)]
    fn count<const WINDOWED: bool>(&mut self, Event { source, destination, time }: Event) {
        let (epoch, weight) = self.decay.advance(time);
        let gain = C::of(weight);
        if let Some((last, earlier)) = self.histories.of(source).split_first() {
            let successors = &mut self.successors;
            successors.freshen(last.0, epoch);
            let mut new = false;
            successors.change::<WINDOWED>(last.0, destination.0, |row, mut cell| {
                row.total += weight;
                let count = cell.first();
                // A count that was ever above zero stays above zero: zero means "never directly after".
                new = count.get() == 0.0;
                cell.set_first(count.plus(gain));
                if WINDOWED {
                    row.second_total += weight;
                    cell.set_second(cell.second().plus(gain));
                }
            });
            if new {
                self.destinations.continuation[destination.index()] += 1;
                self.continuation_total += 1;
            }
            if WINDOWED {
                for context in earlier {
                    successors.freshen(context.0, epoch);
                    successors.change::<WINDOWED>(context.0, destination.0, |row, mut cell| {
                        row.second_total += weight;
                        cell.set_second(cell.second().plus(gain));
                    });
                }
            }
        }
        self.sources.freshen(source.0, epoch);
        self.sources.change::<true>(source.0, destination.0, |row, mut cell| {
            row.total += weight;
            cell.set_first(cell.first().plus(gain));
            cell.set_second(Time(time));
        });
        self.destinations.add(destination, weight, time, &self.decay);
        if self.total.1 != epoch {
            self.total = (self.total.0.faded(halvings(self.total.1, epoch)), epoch);
        }
        self.total.0 += weight;
        self.histories.push(source, destination);
        self.events += 1;
        self.last_time = Some(time);
    }
}

/// A run of events to observe.
struct Observing<'a, C, const WINDOWED: bool> {
    state: &'a mut State<C>,
    events: &'a EventSlice<'a>,
    rows: Range<usize>,
}

impl<C: Cell, const WINDOWED: bool> Kernel for Observing<'_, C, WINDOWED> {
    type Output = ();

    #[inline(always)]
    fn run(self, _: impl Machine) {
        let Self { state, events, rows } = self;
        let mut row = rows.start;
        while row < rows.end && !state.is_large() {
            let end = (row + EVENTS_PER_LOOK).min(rows.end);
            for event in events.part(row..end).iter() {
                state.count::<WINDOWED>(event);
            }
            row = end;
        }
        for row in row..rows.end {
            if row + HEADERS_AHEAD < events.len() {
                state.prefetch_headers(events.get(row + HEADERS_AHEAD));
                state.prefetch_rows::<WINDOWED>(events.get(row + ROWS_AHEAD));
                state.prefetch_cells::<WINDOWED>(events.get(row + CELLS_AHEAD));
                // A source that acts twice in a row has by then a destination that its history does not yet know.
                let (before, next) = (events.get(row + ROWS_AHEAD - 1), events.get(row + ROWS_AHEAD));
                if before.source == next.source {
                    state.successors.prefetch_row(before.destination.0);
                }
                let (before, next) = (events.get(row + CELLS_AHEAD - 1), events.get(row + CELLS_AHEAD));
                if before.source == next.source {
                    state.successors.prefetch_cell::<WINDOWED>(
                        before.destination.0,
                        next.destination.0,
                        state.decay.epoch(),
                    );
                }
            }
            state.count::<WINDOWED>(events.get(row));
        }
    }
}
