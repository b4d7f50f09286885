//! The queries of one split, found by their key.

use crate::error::{Error, ErrorKind, Result, malformed};

/// Columns of the split's events, in stream order, under the numbers the file uses.
#[derive(Clone, Copy, Debug)]
pub struct Queries<'a> {
    /// Who asks.
    pub sources: &'a [i64],
    /// The positive.
    pub destinations: &'a [i64],
    /// When.
    pub times: &'a [i64],
}

impl Queries<'_> {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.sources.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sources.is_empty()
    }

    /// Source, destination and time of one.
    #[must_use]
    pub fn key(&self, query: usize) -> [i64; 3] {
        [self.sources[query], self.destinations[query], self.times[query]]
    }
}

/// Finds the first query of a key. Files hold their keys in stream order, so the next one is tried before searching.
pub(crate) struct Index<'a> {
    queries: Queries<'a>,
    /// Queries by key, equal keys in stream order.
    order: Vec<u32>,
    /// The first query with the same key.
    leaders: Vec<u32>,
    next: usize,
}

impl<'a> Index<'a> {
    pub fn new(queries: Queries<'a>) -> Result<Self> {
        let count = queries.len();
        if queries.destinations.len() != count || queries.times.len() != count {
            return Err(malformed("columns of queries differ in length"));
        }
        let Ok(end) = u32::try_from(count) else {
            let limit = u32::MAX.into();
            return Err(Error::new(ErrorKind::Limit { what: "too many queries", limit }));
        };
        let mut order: Vec<u32> = (0..end).collect();
        order.sort_unstable_by_key(|&query| (queries.key(query as usize), query));
        let mut leaders = vec![0; count];
        for group in order.chunk_by(|&a, &b| queries.key(a as usize) == queries.key(b as usize)) {
            for &query in group {
                leaders[query as usize] = group[0];
            }
        }
        Ok(Self { queries, order, leaders, next: 0 })
    }

    pub fn find(&mut self, key: [i64; 3]) -> Option<usize> {
        while self.leaders.get(self.next).is_some_and(|&leader| (leader as usize) < self.next) {
            self.next += 1;
        }
        if self.next >= self.queries.len() || self.queries.key(self.next) != key {
            let place = self.order.partition_point(|&query| self.queries.key(query as usize) < key);
            let found = *self.order.get(place)? as usize;
            if self.queries.key(found) != key {
                return None;
            }
            self.next = found;
        }
        self.next += 1;
        Some(self.next - 1)
    }

    /// The first query with the key of this one.
    pub fn leader(&self, query: usize) -> usize {
        self.leaders[query] as usize
    }
}
