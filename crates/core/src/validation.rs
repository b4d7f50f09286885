//! Validation: the MRR of many weight vectors over the same queries.
//!
//! Evidence does not depend on weights, so it can be gathered once and kept: one or two numbers a candidate and a short
//! list of lifts, instead of a dense matrix. Where even that does not fit a memory budget, the queries are replayed and
//! many weight vectors judged in the one pass. Both judge the same evidence and form their sums in the same blocks: the
//! results are the same bits.

use crate::cell::Cell;
use crate::configuration::Backoff;
use crate::error::Result;
use crate::event::{Event, EventSlice};
use crate::evidence::{Evidence, Lifts, Span};
use crate::feature::Layout;
use crate::gather::Workspace;
use crate::id::Destination;
use crate::judge::{Judge, Testimony};
use crate::model::Model;
use crate::parallel;
use crate::ranker::{CandidateRows, Ranker, Ranks, ask_about};
use crate::replay::{Examine, Watch};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The kept evidence of one block of queries: all numbers in one piece of memory, all lifts in another.
#[derive(Debug, Default)]
pub struct KeptBlock {
    /// For every query its popularities, continuations, global recencies and lifts.
    numbers: Vec<f64>,
    /// For every query the candidates that are lifted, which spans of them by which feature, and the repeats.
    met: Vec<u32>,
    spans: Vec<Span>,
    repeats: Vec<(u32, u32)>,
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
    spans: u32,
    repeats: u32,
    place: u32,
    continued: bool,
    recent: bool,
}

impl KeptBlock {
    /// Takes a copy; returns its bytes.
    fn keep(&mut self, evidence: &Evidence, place: usize) -> usize {
        let query = KeptQuery {
            on_backoff: evidence.on_backoff,
            candidates: evidence.len() as u32,
            lifts: evidence.lifts.len() as u32,
            spans: evidence.spans.len() as u32,
            repeats: evidence.repeats.len() as u32,
            place: place as u32,
            continued: !evidence.continuation.is_empty(),
            recent: !evidence.global_recency.is_empty(),
        };
        let before = self.numbers.len();
        self.numbers.extend_from_slice(&evidence.popularity);
        self.numbers.extend_from_slice(&evidence.continuation);
        self.numbers.extend_from_slice(&evidence.global_recency);
        self.numbers.extend_from_slice(&evidence.lifts);
        self.met.extend_from_slice(&evidence.met);
        self.spans.extend_from_slice(&evidence.spans);
        self.repeats.extend_from_slice(&evidence.repeats);
        self.queries.push(query);
        let bytes = (self.numbers.len() - before) * size_of::<f64>()
            + size_of_val(&evidence.met[..])
            + size_of_val(&evidence.spans[..])
            + size_of_val(&evidence.repeats[..])
            + size_of::<KeptQuery>();
        if self.queries.len() == self.expected {
            self.numbers.shrink_to_fit();
            self.met.shrink_to_fit();
            self.spans.shrink_to_fit();
            self.repeats.shrink_to_fit();
        }
        bytes
    }

    /// Sums of 1/midrank over the block, one a lane.
    fn judged(&self, layout: &Layout, lanes: &[Vec<f64>], judge: &mut Judge) -> Ranks {
        let mut ranks = Ranks::of_lanes(lanes.len(), self.queries.len());
        let mut numbers = self.numbers.as_slice();
        let (mut met, mut spans, mut repeats) = (self.met.as_slice(), self.spans.as_slice(), self.repeats.as_slice());
        let count = |there: bool, count: u32| if there { count } else { 0 };
        for query in &self.queries {
            let said = Testimony {
                popularity: take(&mut numbers, query.candidates),
                continuation: take(&mut numbers, count(query.continued, query.candidates)),
                global_recency: take(&mut numbers, count(query.recent, query.candidates)),
                lifts: Lifts {
                    met: take(&mut met, query.lifts),
                    values: take(&mut numbers, query.lifts),
                    spans: take(&mut spans, query.spans),
                    repeats: take(&mut repeats, query.repeats),
                },
                on_backoff: query.on_backoff,
            };
            judge.rank(said, query.place as usize, layout, lanes);
            ranks.add(&judge.ranks);
        }
        ranks
    }
}

/// The first `count` elements, which `rest` then no longer has.
fn take<'a, T>(rest: &mut &'a [T], count: u32) -> &'a [T] {
    let (taken, others) = rest.split_at(count as usize);
    *rest = others;
    taken
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

    fn expect(&self, model: &Model<C>, at: usize, events: &EventSlice<'_>, row: usize) {
        model.expect(events, row, self.rows.negatives(at).unwrap_or_default());
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
        model.take_logs(workspace);
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
