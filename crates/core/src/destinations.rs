//! What is known of each destination over all sources, one column a quantity: a query reads a column or two of all its
//! candidates.

use crate::decay::{Decay, Epoch, Fades, halvings};
use crate::id::Destination;
use crate::machine::fetch;
use crate::table::Packed;

/// c(z), t_last(z) and N1+(.z) of every destination.
#[derive(Clone, Debug, Default)]
pub struct Destinations {
    /// c(z), as a sum of `epochs`; above zero once it was observed, since it fades only when an event is added.
    pub(crate) counts: Vec<f64>,
    /// t_last(z); minus infinity if it was never observed.
    pub(crate) last: Vec<f64>,
    /// N1+(.z): distinct destinations ever seen just before this one.
    pub(crate) continuation: Vec<u32>,
    /// Decay epoch of each count.
    pub(crate) epochs: Vec<Epoch>,
}

impl Destinations {
    /// Makes room for `size` destinations.
    pub fn grow(&mut self, size: usize) {
        if size > self.counts.len() {
            self.counts.resize(size, 0.0);
            self.last.resize(size, f64::NEG_INFINITY);
            self.continuation.resize(size, 0);
            self.epochs.resize(size, 0);
        }
    }

    /// Number of destinations.
    pub fn len(&self) -> usize {
        self.counts.len()
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.counts.capacity() * (size_of::<f64>() * 2 + size_of::<u32>() + size_of::<Epoch>())
    }

    /// c(z) as read by `fades`; 0 for a stranger.
    #[inline(always)]
    pub fn count(&self, z: Destination, fades: &Fades) -> f64 {
        match self.counts.get(z.index()) {
            Some(count) if fades.is_one() => count * fades.now,
            Some(count) => count * fades.of(self.epochs[z.index()]),
            None => 0.0,
        }
    }

    /// c(z) as a sum of its epoch; 0 for a stranger.
    #[inline(always)]
    pub fn stored(&self, z: Destination) -> f64 {
        self.counts.get(z.index()).copied().unwrap_or_default()
    }

    /// t_last(z); minus infinity for a stranger.
    #[inline(always)]
    pub fn last(&self, z: Destination) -> f64 {
        self.last.get(z.index()).copied().unwrap_or(f64::NEG_INFINITY)
    }

    /// N1+(.z); 0 for a stranger.
    #[inline(always)]
    pub fn continuation(&self, z: Destination) -> u32 {
        self.continuation.get(z.index()).copied().unwrap_or(0)
    }

    /// Counts an event of weight `weight` in the current epoch.
    #[inline(always)]
    pub fn add(&mut self, z: Destination, weight: f64, time: f64, decay: &Decay) {
        let epoch = decay.epoch();
        let count = &mut self.counts[z.index()];
        // While there is but one epoch, their column is not even read.
        if epoch > 0 && self.epochs[z.index()] != epoch {
            *count = count.faded(halvings(self.epochs[z.index()], epoch));
            self.epochs[z.index()] = epoch;
        }
        *count += weight;
        self.last[z.index()] = time;
    }

    /// Fetches the count and the last time.
    #[inline(always)]
    pub fn prefetch(&self, z: Destination) {
        fetch(&self.counts, z.index());
        fetch(&self.last, z.index());
    }
}

#[cfg(feature = "bench")]
impl Destinations {
    /// Lines of the columns that are read for one destination.
    pub(crate) fn touch(&self, z: Destination, with_time: bool, lines: &mut crate::touch::Lines) {
        lines.add(&self.counts[z.index()..=z.index()]);
        if with_time {
            lines.add(&self.last[z.index()..=z.index()]);
        }
    }

    /// Forgets every event and keeps the memory.
    pub(crate) fn clear(&mut self) {
        let size = self.len();
        [&mut self.counts, &mut self.last].into_iter().for_each(Vec::clear);
        [&mut self.continuation, &mut self.epochs].into_iter().for_each(Vec::clear);
        self.grow(size);
    }
}
