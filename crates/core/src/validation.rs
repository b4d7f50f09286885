//! Validation: the MRR of many weight vectors over the same queries.
//!
//! Evidence does not depend on weights, so it can be gathered once and kept: one or two numbers a candidate and a short
//! list of lifts, instead of a dense matrix. Where even that does not fit a memory budget, the queries are replayed and
//! many weight vectors judged in the one pass. Both judge the same evidence and form their sums in the same blocks: the
//! results are the same bits.

use crate::cell::Cell;
use crate::configuration::Backoff;
use crate::error::Result;
use crate::event::Event;
use crate::evidence::{Evidence, Lift, Workspace};
use crate::feature::Layout;
use crate::id::Destination;
use crate::judge::{Judge, Testimony, on_backoff};
use crate::model::Model;
use crate::parallel;
use crate::ranker::{CandidateRows, Ranks, ask_about};
use crate::replay::{Examine, Watch};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The kept evidence of one block of queries: all numbers in one piece of memory, all lifts in another.
#[derive(Debug, Default)]
pub struct KeptBlock {
    /// For every query its popularities, continuations and global recencies.
    numbers: Vec<f64>,
    lifts: Vec<Lift>,
    queries: Vec<KeptQuery>,
    /// How many queries there will be.
    expected: usize,
}

/// What belongs to one query of a block.
#[derive(Clone, Copy, Debug)]
struct KeptQuery {
    on_backoff: u128,
    candidates: u32,
    lifts: u32,
    place: u32,
    continued: bool,
    recent: bool,
}

impl KeptBlock {
    /// Takes a copy; returns its bytes.
    fn keep(&mut self, evidence: &Evidence, place: usize) -> usize {
        let query = KeptQuery {
            on_backoff: on_backoff(evidence),
            candidates: evidence.len() as u32,
            lifts: evidence.lifts.len() as u32,
            place: place as u32,
            continued: !evidence.continuation.is_empty(),
            recent: !evidence.global_recency.is_empty(),
        };
        let before = self.numbers.len();
        self.numbers.extend_from_slice(&evidence.popularity);
        self.numbers.extend_from_slice(&evidence.continuation);
        self.numbers.extend_from_slice(&evidence.global_recency);
        self.lifts.extend_from_slice(&evidence.lifts);
        self.queries.push(query);
        let bytes = (self.numbers.len() - before) * size_of::<f64>()
            + evidence.lifts.len() * size_of::<Lift>()
            + size_of::<KeptQuery>();
        if self.queries.len() == self.expected {
            self.numbers.shrink_to_fit();
            self.lifts.shrink_to_fit();
        }
        bytes
    }

    /// Sums of 1/midrank over the block, one a lane.
    fn judged(&self, layout: &Layout, lanes: &[Vec<f64>], judge: &mut Judge) -> Ranks {
        let mut ranks = Ranks::of_lanes(lanes.len(), self.queries.len());
        let (mut numbers, mut lifts) = (self.numbers.as_slice(), self.lifts.as_slice());
        let mut take = |there: bool, count: u32| {
            let (taken, rest) = numbers.split_at(if there { count as usize } else { 0 });
            numbers = rest;
            taken
        };
        for query in &self.queries {
            let popularity = take(true, query.candidates);
            let continuation = take(query.continued, query.candidates);
            let global_recency = take(query.recent, query.candidates);
            let (of_query, rest) = lifts.split_at(query.lifts as usize);
            lifts = rest;
            let said = Testimony {
                popularity,
                backoff: if query.continued { continuation } else { popularity },
                global_recency,
                lifts: of_query,
                on_backoff: query.on_backoff,
            };
            judge.rank(said, query.place as usize, layout, lanes);
            ranks.add(&judge.ranks);
        }
        ranks
    }
}

/// The examination that keeps evidence, as long as it fits the budget.
pub struct Keeping<'a> {
    /// The candidates, one row a query.
    pub rows: CandidateRows<'a>,
    /// Most bytes to keep.
    pub budget: usize,
    bytes: AtomicUsize,
}

impl<'a> Keeping<'a> {
    /// Keeps nothing yet.
    pub fn new(rows: CandidateRows<'a>, budget: usize) -> Self {
        Self { rows, budget, bytes: AtomicUsize::new(0) }
    }

    /// Bytes that the evidence takes at the least, lifts not counted: what can be said before any is gathered.
    pub fn fewest_bytes<C: Cell>(rows: &CandidateRows<'_>, queries: usize, model: &Model<C>) -> usize {
        let columns = 1
            + usize::from(model.configuration.backoff == Backoff::Continuation)
            + usize::from(model.layout.global_recency.is_some());
        let candidates = match rows {
            CandidateRows::All => queries.saturating_mul(model.state.vocabulary_size()),
            CandidateRows::Ragged { destinations, .. } => queries.saturating_add(destinations.len()),
        };
        let numbers = candidates.saturating_mul(columns * size_of::<f64>());
        numbers.saturating_add(queries * size_of::<KeptQuery>())
    }

    /// Bytes kept, or that would have been when the budget ran out.
    pub fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Whether everything fitted.
    pub fn fits(&self) -> bool {
        self.bytes() <= self.budget
    }
}

impl<C: Cell> Examine<Model<C>> for Keeping<'_> {
    type Workspace = (Workspace, Vec<Destination>);
    type Block = KeptBlock;

    fn open(&self, queries: Range<usize>) -> KeptBlock {
        KeptBlock { expected: queries.len(), ..KeptBlock::default() }
    }

    fn examine(
        &self,
        model: &Model<C>,
        at: usize,
        event: Event,
        (workspace, list): &mut Self::Workspace,
        block: &mut KeptBlock,
    ) {
        if !self.fits() {
            *block = KeptBlock::default();
            return;
        }
        let place = ask_about(model, &self.rows, at, event, list, workspace);
        let bytes = block.keep(&workspace.evidence, place);
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
    }
}

/// Judges every lane on kept evidence; the sums of each block, in order.
pub fn judge_kept(
    blocks: &[KeptBlock],
    layout: &Layout,
    lanes: &[Vec<f64>],
    threads: usize,
    watch: &mut dyn Watch,
) -> Result<Vec<Ranks>> {
    parallel::each(blocks.iter().collect(), threads, watch, |block, _| {
        Ok(block.judged(layout, lanes, &mut Judge::default()))
    })
}
