//! Events and streams of them, checked once at the door.

use crate::error::{Error, ErrorKind, Result};
use crate::id::{Destination, Source};

/// Times beyond this are refused, so that the difference of two times is always a finite number.
const LARGEST_TIME: f64 = 1e300;

/// One (source, destination, time).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event {
    /// Who acted.
    pub source: Source,
    /// What was acted on.
    pub destination: Destination,
    /// When, in the stream's unit.
    pub time: f64,
}

/// A question: what does `source` do next, asked at `time`?
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Query {
    /// Who asks; [`Source::UNSEEN`] for a source without history.
    pub source: Source,
    /// When.
    pub time: f64,
}

/// Refuses a time that is not finite or lies before `previous`.
pub fn check_time(time: f64, previous: Option<f64>) -> std::result::Result<(), ErrorKind> {
    if time.is_nan() || time.abs() > LARGEST_TIME {
        return Err(ErrorKind::TimeNotFinite { time });
    }
    match previous {
        Some(previous) if time < previous => Err(ErrorKind::TimeBackwards { time, previous }),
        _ => Ok(()),
    }
}

/// Columns of events, known to be of one length and in time order.
#[derive(Clone, Copy, Debug)]
pub struct EventSlice<'a> {
    sources: &'a [u32],
    destinations: &'a [u32],
    times: &'a [f64],
}

impl<'a> EventSlice<'a> {
    /// Checks lengths, finite times and their order.
    ///
    /// ```
    /// use linkgram_core::EventSlice;
    /// assert_eq!(EventSlice::new(&[0, 1], &[4, 4], &[1.0, 1.0])?.len(), 2);
    /// let late = EventSlice::new(&[0, 1], &[4, 4], &[2.0, 1.0]).unwrap_err();
    /// assert_eq!(late.row(), Some(1));
    /// # Ok::<(), linkgram_core::Error>(())
    /// ```
    pub fn new(sources: &'a [u32], destinations: &'a [u32], times: &'a [f64]) -> Result<Self> {
        let lengths = [sources.len(), destinations.len(), times.len()];
        if lengths != [lengths[0]; 3] {
            return Err(Error::new(ErrorKind::UnequalColumns { lengths }));
        }
        let mut previous = None;
        for (row, &time) in times.iter().enumerate() {
            check_time(time, previous).map_err(|kind| Error::at(row, kind))?;
            previous = Some(time);
        }
        Ok(Self { sources, destinations, times })
    }

    /// Refuses dense ids at or above the given numbers.
    pub fn check_ids(&self, sources: usize, destinations: usize) -> Result<()> {
        for (role, column, size) in
            [("source", self.sources, sources), ("destination", self.destinations, destinations)]
        {
            if let Some(row) = column.iter().position(|&id| id as usize >= size) {
                return Err(Error::at(row, ErrorKind::DenseId { role, found: column[row], size }));
            }
        }
        Ok(())
    }

    /// Number of events.
    pub fn len(&self) -> usize {
        self.times.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.times.is_empty()
    }

    /// Event number `row`.
    #[inline]
    pub fn get(&self, row: usize) -> Event {
        Event {
            source: Source(self.sources[row]),
            destination: Destination(self.destinations[row]),
            time: self.times[row],
        }
    }

    /// The events from `range`.
    pub fn part(&self, range: std::ops::Range<usize>) -> Self {
        Self {
            sources: &self.sources[range.clone()],
            destinations: &self.destinations[range.clone()],
            times: &self.times[range],
        }
    }

    /// Time of the first event.
    pub fn first_time(&self) -> Option<f64> {
        self.times.first().copied()
    }

    /// The time column.
    pub fn times(&self) -> &'a [f64] {
        self.times
    }

    /// All events in order.
    pub fn iter(&self) -> impl Iterator<Item = Event> + '_ {
        let columns = self.sources.iter().zip(self.destinations).zip(self.times);
        columns.map(|((&source, &destination), &time)| Event {
            source: Source(source),
            destination: Destination(destination),
            time,
        })
    }
}
