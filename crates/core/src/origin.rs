//! Origin: what the passes over a stream begin with, and how many copies of the history fit into memory.
//!
//! Every thread of a pass owns a copy of the history, and the history that the next pass shall begin with is one more.
//! On a large stream a copy takes gigabytes. Events make a history again at any time, so where memory is short nothing
//! is kept between passes, and where it is shorter still fewer threads work. Neither changes a bit of any result.
//!
//! ```text
//! (threads + 1) histories fit    the history of one pass is kept for the next
//! threads histories fit          every pass observes from the first event on
//! otherwise                      likewise, on as many threads as histories fit, at least one
//! ```

use crate::cell::Cell;
use crate::model::Model;

/// The history that passes begin with.
#[derive(Clone, Debug)]
pub struct Origin<C> {
    /// Empty, or what an earlier pass left behind.
    pub model: Model<C>,
    /// Most bytes that all copies of the history may take together.
    memory: usize,
    /// Of the histories measured so far; 0 before the first.
    bytes_per_event: f64,
}

impl<C: Cell> Origin<C> {
    /// Begins with `model`; copies of the history shall not take more than `memory` bytes.
    pub fn new(model: Model<C>, memory: usize) -> Self {
        Self { model, memory, bytes_per_event: 0.0 }
    }

    /// A pass left `after` behind. It becomes the origin if passes of `threads` threads up to event `end` have room
    /// beside it.
    pub fn leave(&mut self, after: Model<C>, threads: usize, end: usize) {
        let bytes = after.state.bytes();
        self.bytes_per_event = bytes as f64 / after.state.events().max(1) as f64;
        if threads.saturating_mul(self.bytes(end)).saturating_add(bytes) <= self.memory {
            self.model = after;
        }
    }

    /// How many of `threads` threads may replay up to event `end`, each with its own history: all of them while nothing
    /// is known about its size.
    pub fn threads(&self, threads: usize, end: usize) -> usize {
        let room = self.memory.saturating_sub(self.model.state.bytes());
        room.checked_div(self.bytes(end)).unwrap_or(threads).clamp(1, threads.max(1))
    }

    /// Events that the origin has observed.
    pub fn observed(&self) -> usize {
        self.model.state.events() as usize
    }

    /// Bytes that a history of this many events is expected to take.
    fn bytes(&self, events: usize) -> usize {
        (self.bytes_per_event * events as f64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::Origin;
    use crate::configuration::Configuration;
    use crate::event::Event;
    use crate::id::{Destination, Source};
    use crate::model::Model;

    #[test]
    fn a_history_is_kept_and_copied_as_far_as_memory_reaches() {
        let empty = Model::<f32>::new(Configuration::default(), 4, 50).unwrap();
        let mut after = empty.clone();
        for at in 0..2000u32 {
            let (source, destination) = (Source(at % 4), Destination(at * at % 50));
            after.state.apply(Event { source, destination, time: f64::from(at) });
        }
        // Rounded up, and the empty one is there as well. Clones have no spare room.
        let (one, none) = (after.clone().state.bytes() + 4, empty.clone().state.bytes());
        for (memory, observed, threads) in [
            (usize::MAX, 2000, 3),
            (4 * one, 2000, 3),
            (4 * one - 40, 0, 3),
            (3 * one + none, 0, 3),
            (3 * one - 40 + none, 0, 2),
            (2 * one - 40 + none, 0, 1),
            (0, 0, 1),
        ] {
            let mut origin = Origin::new(empty.clone(), memory);
            assert_eq!(origin.threads(3, 2000), 3, "nothing is known before the first pass");
            origin.leave(after.clone(), 3, 2000);
            assert_eq!(origin.observed(), observed, "{memory} of {one}");
            assert_eq!(origin.threads(3, 2000), threads, "{memory} of {one}");
        }
    }
}
