//! History: the last K destinations of every source, newest first, repeats kept.

use crate::id::{Destination, Source};
use crate::machine::fetch;
use crate::pages;

/// The recent destinations of all sources: for each the number of them, then K places.
#[derive(Debug)]
pub struct Histories {
    depth: usize,
    recent: Vec<Destination>,
}

impl Clone for Histories {
    fn clone(&self) -> Self {
        Self { depth: self.depth, recent: pages::copy(&self.recent) }
    }
}

impl Histories {
    /// No sources yet; `depth` is K, at most 64.
    pub fn new(depth: usize) -> Self {
        Self { depth, recent: Vec::new() }
    }

    /// Makes room for sources `0..sources`.
    pub fn grow(&mut self, sources: usize) {
        if sources > self.sources() {
            // Number 0, and places that are not read before they are written.
            self.recent.resize(sources * (self.depth + 1), Destination(0));
        }
    }

    /// The last destinations of `source`, newest first; empty if it never acted.
    #[inline(always)]
    pub fn of(&self, source: Source) -> &[Destination] {
        let start = source.index() * (self.depth + 1);
        match self.recent.get(start) {
            Some(&Destination(length)) => &self.recent[start + 1..start + 1 + length as usize],
            None => &[],
        }
    }

    /// Fetches the places of `source`.
    #[inline(always)]
    pub fn prefetch(&self, source: Source) {
        fetch(&self.recent, source.index() * (self.depth + 1));
    }

    /// Puts `destination` in front.
    #[inline(always)]
    pub fn push(&mut self, source: Source, destination: Destination) {
        let start = source.index() * (self.depth + 1);
        let [length, places @ ..] = &mut self.recent[start..=start + self.depth] else { return };
        length.0 = (length.0 + 1).min(self.depth as u32);
        let mut moved = destination;
        for place in &mut places[..length.0 as usize] {
            std::mem::swap(place, &mut moved);
        }
    }

    /// Lines of one history.
    #[cfg(feature = "bench")]
    pub(crate) fn touch(&self, source: Source, lines: &mut crate::touch::Lines) {
        let start = source.index() * (self.depth + 1);
        lines.add(&self.recent[start..=start + self.depth]);
    }

    /// Forgets every visit and keeps the memory.
    #[cfg(feature = "bench")]
    pub(crate) fn clear(&mut self) {
        self.recent.fill(Destination(0));
    }

    /// K.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Number of sources with room.
    pub fn sources(&self) -> usize {
        self.recent.len() / (self.depth + 1)
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.recent.capacity() * size_of::<Destination>()
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
