//! Events of one time: queries that are asked together.

use crate::event::EventSlice;
use std::ops::Range;

/// The queries of one time, and what their sources do at that time.
#[derive(Default)]
pub struct Moment {
    start: usize,
    order: Vec<usize>,
    destinations: Vec<u32>,
    own: Vec<(usize, usize)>,
    last: Vec<usize>,
}

impl Moment {
    /// The ranges of equal times in a part of the stream that begins at event `start`.
    pub fn ranges(part: EventSlice<'_>, start: usize) -> impl Iterator<Item = Range<usize>> {
        let times = part.times();
        times.chunk_by(|a, b| a == b).scan(start, |begin, tied| {
            let range = *begin..*begin + tied.len();
            *begin = range.end;
            Some(range)
        })
    }

    /// Takes up the events of one time.
    pub fn arrange(&mut self, events: EventSlice<'_>, range: Range<usize>) {
        let key = |at: usize| (events.get(at).source, events.get(at).destination);
        self.start = range.start;
        self.order.clear();
        self.order.extend(range.clone());
        self.order.sort_unstable_by_key(|&at| (key(at), at));
        self.destinations.clear();
        self.own.clear();
        self.own.resize(range.len(), (0, 0));
        self.last.clear();
        self.last.resize(range.len(), 0);
        for of_source in self.order.chunk_by(|&a, &b| key(a).0 == key(b).0) {
            let first = self.destinations.len();
            for same in of_source.chunk_by(|&a, &b| key(a) == key(b)) {
                self.destinations.push(key(same[0]).1.0);
                for &at in same {
                    self.last[at - range.start] = same[same.len() - 1];
                }
            }
            for &at in of_source {
                self.own[at - range.start] = (first, self.destinations.len());
            }
        }
    }

    /// The distinct destinations of the query's source at its time, sorted: the positive and its companions.
    pub fn own(&self, at: usize) -> &[u32] {
        let (first, end) = self.own[at - self.start];
        &self.destinations[first..end]
    }

    /// The last event equal to this one.
    pub fn last(&self, at: usize) -> usize {
        self.last[at - self.start]
    }
}
