//! PopTrack: decayed destination frequency.
//!
//! Each event of a batch adds one to its destination; at the batch's end the whole vector is multiplied by the decay.
//! The batch is part of the model, not of the schedule. Nothing is multiplied here: a value remembers after how many
//! batches it was written, and what it has missed is made up for when it is read. The slow form multiplies every
//! destination at every batch's end.
//!
//! Of destinations that were long silent nothing would be left that a float can hold, and they would tie with those that
//! never occurred. From there on their logarithms, all negative, stand for them.

use crate::candidates::Candidates;
use crate::event::{Event, Query};
use crate::numeric::ln;
use crate::ranker::{Lanes, Ranker};
use crate::replay::History;

/// Popularity under several decays at once, each a lane.
#[derive(Clone, Debug)]
pub struct PopTrack {
    decays: Vec<f64>,
    batch: u64,
    events: u64,
    last_time: Option<f64>,
    /// Batches that were complete when a destination was last written.
    written: Vec<u64>,
    /// Popularity as of then: one number a decay, destination after destination.
    values: Vec<f64>,
}

impl PopTrack {
    /// Nothing observed; `batch` is at least one.
    pub fn new(decays: Vec<f64>, batch: u64, destinations: usize) -> Self {
        let values = vec![0.0; destinations * decays.len()];
        Self { decays, batch: batch.max(1), events: 0, last_time: None, written: vec![0; destinations], values }
    }

    /// Number of sources and destinations there is room for; sources play no part.
    pub fn sizes(&self) -> (usize, usize) {
        (usize::MAX, self.written.len())
    }

    /// Time of the latest event.
    pub fn last_time(&self) -> Option<f64> {
        self.last_time
    }

    /// Number of decays.
    pub fn decays(&self) -> usize {
        self.decays.len()
    }

    fn batches(&self) -> u64 {
        self.events / self.batch
    }

    /// Popularity by decay `lane`, of a value as of `written`; below what a float can hold its logarithm, and below all
    /// logarithms what never occurred. Only order and equality mean something.
    fn score(&self, lane: usize, value: f64, written: u64) -> f64 {
        let now = value * self.missed(lane, written);
        if now >= f64::MIN_POSITIVE {
            now
        } else if value == 0.0 {
            f64::NEG_INFINITY
        } else {
            ln(value) + (self.batches() - written) as f64 * ln(self.decays[lane])
        }
    }

    /// What a value of decay `lane` has lost since `written`.
    fn missed(&self, lane: usize, written: u64) -> f64 {
        power(self.decays[lane], self.batches() - written)
    }
}

/// `base^exponent` by squaring: the same bits on every machine.
pub fn power(base: f64, mut exponent: u64) -> f64 {
    let (mut result, mut square) = (1.0, base);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result *= square;
        }
        square *= square;
        exponent >>= 1;
    }
    result
}

impl History for PopTrack {
    fn observe(&mut self, event: Event) {
        let at = event.destination.index();
        let lanes = self.decays.len();
        for lane in 0..lanes {
            let missed = self.missed(lane, self.written[at]);
            let value = &mut self.values[at * lanes + lane];
            *value = *value * missed + 1.0;
        }
        self.written[at] = self.batches();
        self.events += 1;
        self.last_time = Some(event.time);
    }
}

/// The candidates asked for last.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    candidates: Vec<u32>,
}

impl Ranker for PopTrack {
    type Workspace = Asked;

    fn ask(&self, _: Query, candidates: Candidates<'_>, workspace: &mut Asked) {
        workspace.candidates.clear();
        match candidates {
            Candidates::All => workspace.candidates.extend(0..self.written.len() as u32),
            Candidates::These(list) => workspace.candidates.extend(list.iter().map(|z| z.0)),
        }
    }
}

/// Each lane names a decay by its position.
impl Lanes<PopTrack> for [usize] {
    fn count(&self) -> usize {
        self.len()
    }

    fn scores(&self, track: &PopTrack, lane: usize, workspace: &mut Asked, scores: &mut Vec<f64>) {
        let lanes = track.decays.len();
        scores.clear();
        scores.extend(workspace.candidates.iter().map(|&z| match track.written.get(z as usize) {
            Some(&written) => track.score(self[lane], track.values[z as usize * lanes + self[lane]], written),
            None => f64::NEG_INFINITY,
        }));
    }
}
