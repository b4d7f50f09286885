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
use crate::ranker::Ranker;
use crate::replay::History;
use crate::table::Table;

/// Numbers and last times of pairs and destinations, undecayed.
#[derive(Clone, Debug)]
pub struct Recall {
    pairs: Table<u32, f64>,
    /// GP of every destination.
    counts: Vec<u32>,
    /// GR of every destination; minus infinity if it never occurred.
    last: Vec<f64>,
    pub(super) last_time: f64,
}

impl Recall {
    /// Nothing observed, with room for these numbers of ids.
    pub fn new(sources: usize, destinations: usize) -> Self {
        let mut pairs = Table::new(true);
        pairs.grow(sources);
        let (counts, last) = (vec![0; destinations], vec![f64::NEG_INFINITY; destinations]);
        Self { pairs, counts, last, last_time: f64::NEG_INFINITY }
    }

    /// Number of events of a pair.
    pub fn count(&self, source: Source, destination: Destination) -> u32 {
        self.pairs.find(&self.pairs.row(source.0), destination.0).map_or(0, |at| self.pairs.first(at))
    }

    /// Number of sources and destinations there is room for.
    pub fn sizes(&self) -> (usize, usize) {
        (self.pairs.contexts(), self.counts.len())
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
        self.counts[event.destination.index()] += 1;
        self.last[event.destination.index()] = event.time;
        self.last_time = event.time;
    }
}

/// The four statistics of each candidate, a column each.
#[derive(Clone, Debug, Default)]
pub struct Recalled {
    map: CandidateMap,
    /// LP and LR.
    pub(super) pair_counts: Vec<u32>,
    pub(super) pair_last: Vec<f64>,
    /// GP and GR, unless the candidates are all destinations: then they are read where they are.
    counts: Vec<u32>,
    last: Vec<f64>,
    all: bool,
    /// Candidates that tie so far.
    pub(super) tied: Vec<u32>,
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
        let Recalled { map, pair_counts, pair_last, counts, last, all, .. } = workspace;
        let size = match candidates {
            Candidates::All => recall.counts.len(),
            Candidates::These(list) => {
                counts.clear();
                counts.extend(list.iter().map(|z| recall.counts.get(z.index()).copied().unwrap_or_default()));
                last.clear();
                last.extend(list.iter().map(|z| recall.last.get(z.index()).copied().unwrap_or(f64::NEG_INFINITY)));
                list.len()
            }
        };
        *all = matches!(candidates, Candidates::All);
        pair_counts.clear();
        pair_counts.resize(size, 0);
        pair_last.clear();
        pair_last.resize(size, f64::NEG_INFINITY);
        map.fill(candidates, recall.counts.len());
        let row = recall.pairs.row(query.source.0);
        for &Met { candidate, first, second } in map.meet(machine, candidates, &recall.pairs, row) {
            pair_counts[candidate as usize] = first as u32;
            pair_last[candidate as usize] = second;
        }
        for &(repeat, first) in map.repeats() {
            pair_counts[repeat as usize] = pair_counts[first as usize];
            pair_last[repeat as usize] = pair_last[first as usize];
        }
        map.clear(candidates);
    }
}

impl Recalled {
    /// Number of events of a candidate's pair.
    pub fn pair_count(&self, candidate: usize) -> u32 {
        self.pair_counts[candidate]
    }

    /// Whether a candidate's pair last occurred at `time` or later.
    pub fn is_since(&self, candidate: usize, time: f64) -> bool {
        self.pair_last[candidate] >= time
    }

    /// GP and GR of the candidates.
    pub(super) fn everywhere<'a>(&'a self, recall: &'a Recall) -> (&'a [u32], &'a [f64]) {
        if self.all { (&recall.counts, &recall.last) } else { (&self.counts, &self.last) }
    }
}
