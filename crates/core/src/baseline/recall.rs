//! Recall: who visited what, how often, and when last. EdgeBank and the heuristic family read nothing else, so one
//! history serves all their variants in one pass.
//!
//! | statistic | meaning | absent |
//! | --- | --- | --- |
//! | LR(u,z) | last time of the pair | worst |
//! | GR(z) | last time of the destination | worst |
//! | LP(u,z) | number of events of the pair | 0, worst |
//! | GP(z) | number of events of the destination | 0, worst |
//!
//! Recency compares times, not positions in the file: events of one time tie.

use crate::candidates::{CandidateMap, Candidates, Met};
use crate::event::{Event, Query};
use crate::id::{Destination, Source};
use crate::machine::{Kernel, Machine, wide};
use crate::ranker::{Lanes, Ranker};
use crate::replay::History;
use crate::table::Table;
use std::cmp::Ordering;

/// One of the four statistics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Statistic {
    /// LR.
    LocalRecency,
    /// GR.
    GlobalRecency,
    /// LP.
    LocalPopularity,
    /// GP.
    GlobalPopularity,
}

/// One way of ranking by recall.
#[derive(Clone, Debug, PartialEq)]
pub enum Rule {
    /// EdgeBank with unlimited memory: 1 if the pair ever occurred, else 0.
    Ever,
    /// EdgeBank with a window: 1 if the pair last occurred at most `width` before the window's end, which is the
    /// later of `end` (the last training time) and the latest time observed.
    Within {
        /// Width of the window.
        width: f64,
        /// Earliest end of the window.
        end: f64,
    },
    /// The first statistic ranks, later ones break ties.
    Order(Vec<Statistic>),
}

/// Numbers and last times of pairs and destinations, undecayed.
#[derive(Clone, Debug)]
pub struct Recall {
    pairs: Table<u32, f64>,
    destinations: Vec<(u32, f64)>,
    last_time: f64,
}

impl Recall {
    /// Nothing observed, with room for these numbers of ids.
    pub fn new(sources: usize, destinations: usize) -> Self {
        let mut pairs = Table::new(true);
        pairs.grow(sources);
        Self { pairs, destinations: vec![(0, f64::NEG_INFINITY); destinations], last_time: f64::NEG_INFINITY }
    }

    /// Number of events of a pair.
    pub fn count(&self, source: Source, destination: Destination) -> u32 {
        self.pairs.find(&self.pairs.row(source.0), destination.0).map_or(0, |at| self.pairs.first(at))
    }

    /// Number of sources and destinations there is room for.
    pub fn sizes(&self) -> (usize, usize) {
        (self.pairs.contexts(), self.destinations.len())
    }

    /// Time of the latest event.
    pub fn last_time(&self) -> Option<f64> {
        self.last_time.is_finite().then_some(self.last_time)
    }
}

impl History for Recall {
    fn observe(&mut self, event: Event) {
        self.pairs.change::<true>(event.source.0, event.destination.0, |_, mut cell| {
            cell.set_first(cell.first() + 1);
            cell.set_second(event.time);
        });
        let destination = &mut self.destinations[event.destination.index()];
        *destination = (destination.0 + 1, event.time);
        self.last_time = event.time;
    }
}

/// The four statistics of each candidate.
#[derive(Clone, Debug, Default)]
pub struct Recalled {
    map: CandidateMap,
    pairs: Vec<(u32, f64)>,
    destinations: Vec<(u32, f64)>,
    order: Vec<u32>,
}

impl Ranker for Recall {
    type Workspace = Recalled;

    fn ask(&self, query: Query, candidates: Candidates<'_>, workspace: &mut Recalled) {
        wide(Recalling { recall: self, query, candidates, workspace });
    }
}

struct Recalling<'a> {
    recall: &'a Recall,
    query: Query,
    candidates: Candidates<'a>,
    workspace: &'a mut Recalled,
}

impl Kernel for Recalling<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, machine: impl Machine) {
        let Self { recall, query, candidates, workspace } = self;
        let Recalled { map, pairs, destinations, .. } = workspace;
        destinations.clear();
        match candidates {
            Candidates::All => destinations.extend_from_slice(&recall.destinations),
            Candidates::These(list) => destinations.extend(
                list.iter().map(|z| recall.destinations.get(z.index()).copied().unwrap_or((0, f64::NEG_INFINITY))),
            ),
        }
        pairs.clear();
        pairs.resize(destinations.len(), (0, f64::NEG_INFINITY));
        map.fill(candidates, recall.destinations.len());
        let row = recall.pairs.row(query.source.0);
        for &Met { candidate, first, second } in map.meet(machine, candidates, &recall.pairs, &row) {
            pairs[candidate as usize] = (first as u32, second);
        }
        map.repeats().iter().for_each(|&(repeat, first)| pairs[repeat as usize] = pairs[first as usize]);
        map.clear(candidates);
    }
}

impl Recalled {
    /// Number of events of a candidate's pair.
    pub fn pair_count(&self, candidate: usize) -> u32 {
        self.pairs[candidate].0
    }

    /// Whether a candidate's pair last occurred at `time` or later.
    pub fn is_since(&self, candidate: usize, time: f64) -> bool {
        self.pairs[candidate].1 >= time
    }

    fn compare(&self, rule: &Rule, last_time: f64, a: usize, b: usize) -> Ordering {
        let (pairs, destinations) = (&self.pairs, &self.destinations);
        match rule {
            Rule::Ever => (pairs[a].0 > 0).cmp(&(pairs[b].0 > 0)),
            Rule::Within { width, end } => {
                let begin = end.max(last_time) - width;
                (pairs[a].1 >= begin).cmp(&(pairs[b].1 >= begin))
            }
            Rule::Order(statistics) => statistics
                .iter()
                .map(|statistic| match statistic {
                    Statistic::LocalRecency => pairs[a].1.total_cmp(&pairs[b].1),
                    Statistic::GlobalRecency => destinations[a].1.total_cmp(&destinations[b].1),
                    Statistic::LocalPopularity => pairs[a].0.cmp(&pairs[b].0),
                    Statistic::GlobalPopularity => destinations[a].0.cmp(&destinations[b].0),
                })
                .find(|order| order.is_ne())
                .unwrap_or(Ordering::Equal),
        }
    }
}

impl Lanes<Recall> for [Rule] {
    fn count(&self) -> usize {
        self.len()
    }

    /// The number of distinct worse standings below each candidate: a score that orders as the rule does.
    fn scores(&self, recall: &Recall, lane: usize, workspace: &mut Recalled, scores: &mut Vec<f64>) {
        let mut order = std::mem::take(&mut workspace.order);
        order.clear();
        order.extend(0..workspace.pairs.len() as u32);
        let compare = |a: u32, b: u32| workspace.compare(&self[lane], recall.last_time, a as usize, b as usize);
        order.sort_unstable_by(|&a, &b| compare(a, b));
        scores.clear();
        scores.resize(order.len(), 0.0);
        let mut standing = 0.0;
        for pair in 1..order.len() {
            if compare(order[pair - 1], order[pair]).is_ne() {
                standing += 1.0;
            }
            scores[order[pair] as usize] = standing;
        }
        workspace.order = order;
    }

    fn rank(&self, recall: &Recall, lane: usize, place: usize, workspace: &mut Recalled, _: &mut Vec<f64>) -> f64 {
        let (mut higher, mut equal) = (0u32, 0u32);
        for candidate in 0..workspace.pairs.len() {
            match workspace.compare(&self[lane], recall.last_time, candidate, place) {
                Ordering::Greater => higher += 1,
                Ordering::Equal => equal += 1,
                Ordering::Less => {}
            }
        }
        0.5 + f64::from(higher) + 0.5 * f64::from(equal)
    }
}
