//! What each source did in training.

use super::Pulse;
use crate::error::Result;
use crate::event::EventSlice;

/// The distinct destinations of every source in training, sorted.
pub struct Seen {
    starts: Vec<usize>,
    destinations: Vec<u32>,
}

impl Seen {
    /// Counts, places, then sorts and thins each row where it stands.
    pub fn new(training: EventSlice<'_>, sources: usize, pulse: &mut Pulse<'_>) -> Result<Self> {
        let mut starts = vec![0usize; sources + 2];
        for event in training.iter() {
            starts[event.source.index() + 2] += 1;
            pulse.beat(1, 0)?;
        }
        for source in 2..starts.len() {
            starts[source] += starts[source - 1];
        }
        let mut destinations = vec![0; training.len()];
        for event in training.iter() {
            let place = &mut starts[event.source.index() + 1];
            destinations[*place] = event.destination.0;
            *place += 1;
            pulse.beat(1, 0)?;
        }
        // Every start has moved on to its row's end, which is the next row's start.
        starts.pop();
        let mut kept = 0;
        for source in 0..sources {
            let row = starts[source]..starts[source + 1];
            starts[source] = kept;
            destinations[row.clone()].sort_unstable();
            pulse.beat(row.len() * 8, 0)?;
            for at in row.clone() {
                if at == row.start || destinations[at] != destinations[kept - 1] {
                    destinations[kept] = destinations[at];
                    kept += 1;
                }
            }
        }
        starts[sources] = kept;
        destinations.truncate(kept);
        Ok(Self { starts, destinations })
    }

    /// Those of one source.
    pub fn row(&self, source: usize) -> &[u32] {
        &self.destinations[self.starts[source]..self.starts[source + 1]]
    }
}
