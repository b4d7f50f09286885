//! History: the last K destinations of every source, newest first, repeats kept.

use crate::id::{Destination, Source};
use crate::prefetch::fetch;

/// The recent destinations of all sources, K places each in one flat array.
#[derive(Clone, Debug)]
pub struct Histories {
    depth: usize,
    recent: Vec<Destination>,
    lengths: Vec<u8>,
}

impl Histories {
    /// No sources yet; `depth` is K, at most 64.
    pub fn new(depth: usize) -> Self {
        Self { depth, recent: Vec::new(), lengths: Vec::new() }
    }

    /// Makes room for sources `0..sources`.
    pub fn grow(&mut self, sources: usize) {
        if sources > self.lengths.len() {
            self.lengths.resize(sources, 0);
            self.recent.resize(sources * self.depth, Destination::UNSEEN);
        }
    }

    /// The last destinations of `source`, newest first; empty if it never acted.
    #[inline]
    pub fn of(&self, source: Source) -> &[Destination] {
        let start = source.index() * self.depth;
        match self.lengths.get(source.index()) {
            Some(&length) => &self.recent[start..start + usize::from(length)],
            None => &[],
        }
    }

    /// Fetches the places of `source`.
    #[inline]
    pub fn prefetch(&self, source: Source) {
        fetch(&self.lengths, source.index());
        fetch(&self.recent, source.index() * self.depth);
    }

    /// Puts `destination` in front.
    #[inline]
    pub fn push(&mut self, source: Source, destination: Destination) {
        let start = source.index() * self.depth;
        let places = &mut self.recent[start..start + self.depth];
        places.copy_within(..self.depth - 1, 1);
        places[0] = destination;
        let length = &mut self.lengths[source.index()];
        *length = (*length + 1).min(self.depth as u8);
    }

    /// Lines of one history.
    #[cfg(feature = "bench")]
    pub(crate) fn touch(&self, source: Source, lines: &mut crate::touch::Lines) {
        lines.add(self.of(source));
        lines.add(&self.lengths[source.index()..=source.index()]);
    }

    /// Forgets every visit and keeps the memory.
    #[cfg(feature = "bench")]
    pub(crate) fn clear(&mut self) {
        self.lengths.fill(0);
    }

    /// K.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Number of sources with room.
    pub fn sources(&self) -> usize {
        self.lengths.len()
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.recent.capacity() * size_of::<Destination>() + self.lengths.capacity()
    }
}

#[cfg(test)]
mod tests {
    use super::{Destination, Histories, Source};

    #[test]
    fn keep_the_newest_first_and_repeats() {
        let mut histories = Histories::new(3);
        histories.grow(2);
        for id in [5, 6, 6, 7] {
            histories.push(Source(1), Destination(id));
        }
        assert_eq!(histories.of(Source(1)), [Destination(7), Destination(6), Destination(6)]);
        assert!(histories.of(Source(0)).is_empty());
        assert!(histories.of(Source::UNSEEN).is_empty());
    }
}
