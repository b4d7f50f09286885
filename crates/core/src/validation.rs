//! Validation: the MRR of many weight vectors over the same queries.
//!
//! Evidence does not depend on weights, so it can be gathered once and kept: one number a candidate and a short list of
//! lifts, instead of a dense matrix. Where even that does not fit a memory budget, the queries are replayed and many
//! weight vectors judged in the one pass. Both score with the same function on the same evidence and form their sums in
//! the same blocks: the results are the same bits.

use crate::cell::Cell;
use crate::event::Event;
use crate::evidence::{Evidence, Workspace};
use crate::feature::Layout;
use crate::id::Destination;
use crate::model::Model;
use crate::rank::midrank_at;
use crate::ranker::{CandidateRows, ask_about};
use crate::replay::Examine;
use crate::scorer::relative_scores;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The kept evidence of one block of queries.
#[derive(Default)]
pub struct KeptBlock {
    queries: Vec<(Evidence, u32)>,
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
        KeptBlock { queries: Vec::with_capacity(queries.len()) }
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
            block.queries = Vec::new();
            return;
        }
        let place = ask_about(model, &self.rows, at, event, list, workspace);
        let kept = workspace.evidence.clone();
        self.bytes.fetch_add(kept.bytes(), Ordering::Relaxed);
        block.queries.push((kept, place as u32));
    }
}

/// MRR of one weight vector over kept evidence.
pub fn kept_mrr(blocks: &[KeptBlock], layout: &Layout, weights: &[f64], scores: &mut Vec<f64>) -> f64 {
    let queries: usize = blocks.iter().map(|block| block.queries.len()).sum();
    let sum_of = |block: &KeptBlock, scores: &mut Vec<f64>| -> f64 {
        let mut sum = 0.0;
        for (evidence, place) in &block.queries {
            relative_scores(evidence, layout, weights, scores);
            sum += 1.0 / midrank_at(scores, *place as usize);
        }
        sum
    };
    blocks.iter().map(|block| sum_of(block, scores)).sum::<f64>() / queries as f64
}
