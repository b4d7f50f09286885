//! Base3: pair memory, popularity and co-memory, mixed by fixed weights.
//!
//! As its released code does it. From the history before the first query: the pairs of the last `mem_span` share of
//! events; popularity, all events at once and then one decay; for each source its last 100 events; how often each pair
//! met, in both directions where sources and destinations share ids. Afterwards every event adds its pair for good,
//! adds one to its destination's popularity and then decays all of them, down to a floor (see [`standing`]).
//!
//! A candidate's score mixes three signals: whether its pair is remembered, whether it is among the K most popular when
//! the group begins, and `s/(1+s)` with `s = base + w c/(1+c)`: c is the pair's count, base the recency-weighted
//! popularity of what the source visited lately, the same for all candidates.
//!
//! [`standing`]: super::standing

use super::pop_track::power;
use super::recall::{Recall, Recalled};
use super::standing::TopK;
use crate::candidates::Candidates;
use crate::event::{Event, EventSlice, Query};
use crate::id::{Destination, Source};
use crate::numeric::{exp, ln};
use crate::ranker::{Lanes, Ranker};
use crate::replay::History;
use std::collections::VecDeque;

/// Ten times the smallest single-precision number: the smallest that 0.95 cannot lower.
const FLOOR: f64 = 10.0 * f32::from_bits(1) as f64;
/// Events kept for each source.
const KEPT: usize = 100;
/// Reach and time constant of the co-memory, in the stream's unit.
const WINDOW: f64 = 1e6;
/// Factor of the pair count.
const PAIR_FACTOR: f64 = 1.0;

/// What its authors leave open to choice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// K: how many destinations count as popular.
    pub k: usize,
    /// Time from which on a pair of the history is remembered.
    pub remembered_from: f64,
    /// Factor of all popularities at each event.
    pub decay: f64,
}

/// Which part scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The mixture.
    All,
    /// Pair memory alone.
    Pair,
    /// Popularity alone.
    Popularity,
    /// Co-memory alone (t-CoMem).
    CoMemory,
}

/// The other role of an id, where sources and destinations are the same things; `u32::MAX` where it has none.
#[derive(Clone, Debug, Default)]
pub struct Shared {
    /// Source with the id of each destination.
    pub source_of: Vec<u32>,
    /// Destination with the id of each source.
    pub destination_of: Vec<u32>,
}

/// The three memories.
#[derive(Clone, Debug)]
pub struct Base3 {
    settings: Settings,
    recall: Recall,
    shared: Shared,
    recent: Vec<VecDeque<(f64, u32)>>,
    /// Popularity as of its last event, and that event's number.
    popularity: Vec<(f64, u64)>,
    events: u64,
    top: TopK,
}

impl Base3 {
    /// Takes in the history. `shared` is empty where sources and destinations are different things.
    pub fn from_history(
        history: &EventSlice<'_>,
        sources: usize,
        destinations: usize,
        shared: Shared,
        settings: Settings,
    ) -> Self {
        let mut base3 = Self {
            settings,
            recall: Recall::new(sources, destinations),
            shared,
            recent: vec![VecDeque::new(); sources],
            popularity: vec![(0.0, 0); destinations],
            events: 0,
            top: TopK::new(settings.k, destinations),
        };
        for event in history.iter() {
            base3.remember(event);
            base3.popularity[event.destination.index()].0 += 1.0;
        }
        for id in 0..destinations as u32 {
            let value = &mut base3.popularity[id as usize].0;
            if *value > 0.0 {
                *value *= settings.decay;
                base3.top.raise(id, ln(*value));
            }
        }
        base3
    }

    fn remember(&mut self, event: Event) {
        self.recall.observe(event);
        let recent = &mut self.recent[event.source.index()];
        if recent.len() == KEPT {
            recent.pop_front();
        }
        recent.push_back((event.time, event.destination.0));
    }

    /// Popularity now.
    fn popularity(&self, id: u32) -> f64 {
        let (value, at) = self.popularity[id as usize];
        if !self.top.is_seen(id) {
            0.0
        } else if self.top.is_above(id) {
            value * power(self.settings.decay, self.events - at)
        } else {
            FLOOR
        }
    }

    /// Recency-weighted popularity of what the source visited lately, oldest first.
    fn base(&self, query: Query) -> f64 {
        let recent = self.recent.get(query.source.index());
        let ages = recent.into_iter().flatten().map(|&(time, id)| (query.time - time, id));
        ages.filter(|&(age, _)| (0.0..=WINDOW).contains(&age))
            .map(|(age, id)| exp(-age / WINDOW) * self.popularity(id))
            .sum()
    }

    /// Events from the destination, as a source, to the source, as a destination.
    fn reversed(&self, source: Source, z: u32) -> u32 {
        let from = self.shared.source_of.get(z as usize).copied().unwrap_or(u32::MAX);
        let to = self.shared.destination_of.get(source.index()).copied().unwrap_or(u32::MAX);
        self.recall.count(Source(from), Destination(to))
    }

    /// Number of sources and destinations there is room for.
    pub fn sizes(&self) -> (usize, usize) {
        self.recall.sizes()
    }

    /// Time of the latest event.
    pub fn last_time(&self) -> Option<f64> {
        self.recall.last_time()
    }
}

impl History for Base3 {
    fn observe(&mut self, event: Event) {
        self.remember(event);
        let id = event.destination.0;
        let value = (self.popularity(id) + 1.0) * self.settings.decay;
        self.events += 1;
        self.popularity[id as usize] = (value, self.events);
        let per_event = ln(self.settings.decay);
        self.top.raise(id, ln(value) - self.events as f64 * per_event);
        self.top.fade(ln(FLOOR) - self.events as f64 * per_event);
    }

    fn begin_group(&mut self) {
        self.top.cut();
    }
}

/// What was looked up for one query.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    recalled: Recalled,
    list: Vec<u32>,
    counts: Vec<u32>,
    base: f64,
}

impl Ranker for Base3 {
    type Workspace = Asked;

    fn ask(&self, query: Query, candidates: Candidates<'_>, workspace: &mut Asked) {
        let Asked { recalled, list, counts, base } = workspace;
        self.recall.ask(query, candidates, recalled);
        list.clear();
        match candidates {
            Candidates::All => list.extend(0..self.popularity.len() as u32),
            Candidates::These(these) => list.extend(these.iter().map(|z| z.0)),
        }
        counts.clear();
        counts.extend(list.iter().enumerate().map(|(at, &z)| recalled.pair_count(at) + self.reversed(query.source, z)));
        *base = self.base(query);
    }
}

impl Lanes<Base3> for [Part] {
    fn count(&self) -> usize {
        self.len()
    }

    fn scores(&self, base3: &Base3, lane: usize, workspace: &mut Asked, scores: &mut Vec<f64>) {
        scores.clear();
        scores.extend(workspace.list.iter().enumerate().map(|(at, &z)| {
            let pair = workspace.recalled.is_since(at, base3.settings.remembered_from);
            let popular = base3.top.holds(z);
            let count = f64::from(workspace.counts[at]);
            let s = workspace.base + PAIR_FACTOR * count / (1.0 + count);
            let co = s / (1.0 + s);
            match self[lane] {
                Part::All => mixed(pair, popular, co),
                Part::Pair => f64::from(u8::from(pair)),
                Part::Popularity => f64::from(u8::from(popular)),
                Part::CoMemory => co,
            }
        }));
    }
}

/// The fixed weights: which signal counts how much depends on which of them speak.
fn mixed(pair: bool, popular: bool, co: f64) -> f64 {
    let (pair_weight, popular_weight) = match (pair, popular) {
        (true, true) => (0.35, 0.45),
        (true, false) => (0.45, 0.25),
        (false, true) => (0.15, 0.70),
        (false, false) => (0.20, 0.45),
    };
    let co_weight = 1.0 - (pair_weight + popular_weight);
    pair_weight * f64::from(u8::from(pair)) + popular_weight * f64::from(u8::from(popular)) + co_weight * co
}
