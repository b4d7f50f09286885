//! Extraction: the training matrices, in one pass over the training events.
//!
//! Every training event is a query. Its positive and its negatives, drawn uniformly from the vocabulary, are looked up
//! before the event is observed. What a fit needs is only the difference `phi(positive) - phi(negative)`: whatever all
//! candidates share, the bias included, cancels. All seeds share the pass; each has its own matrix.

use crate::candidates::Candidates;
use crate::cell::Cell;
use crate::event::{Event, Query};
use crate::evidence::Workspace;
use crate::id::Destination;
use crate::model::Model;
use crate::random::Draws;
use crate::replay::Examine;
use std::ops::Range;

/// Which stream of random numbers the negatives come from; shuffles use others.
const NEGATIVES: u64 = 0;

/// Feature differences of one seed's training queries, as a block of rows.
pub type Rows = Vec<f32>;

/// The examination that extracts.
pub struct Extraction<'a> {
    /// One matrix each.
    pub seeds: &'a [u64],
    /// Negatives for each positive.
    pub negatives: usize,
}

/// Buffers for extraction.
#[derive(Default)]
pub struct ExtractionWorkspace {
    inner: Workspace,
    list: Vec<Destination>,
    phi: Vec<f64>,
}

impl Extraction<'_> {
    /// Puts together the blocks of a replay: one matrix a seed, `queries * negatives` rows of `layout.width`.
    pub fn matrices(&self, blocks: Vec<Vec<Rows>>) -> Vec<Vec<f32>> {
        let sizes: Vec<usize> =
            (0..self.seeds.len()).map(|seed| blocks.iter().map(|block| block[seed].len()).sum()).collect();
        let mut matrices: Vec<Vec<f32>> = sizes.into_iter().map(Vec::with_capacity).collect();
        for block in blocks {
            for (matrix, rows) in matrices.iter_mut().zip(block) {
                matrix.extend_from_slice(&rows);
            }
        }
        matrices
    }
}

impl<C: Cell> Examine<Model<C>> for Extraction<'_> {
    type Workspace = ExtractionWorkspace;
    type Block = Vec<Rows>;

    fn open(&self, queries: Range<usize>) -> Vec<Rows> {
        vec![Vec::with_capacity(queries.len() * self.negatives * 8); self.seeds.len()]
    }

    fn examine(
        &self,
        model: &Model<C>,
        at: usize,
        event: Event,
        workspace: &mut ExtractionWorkspace,
        block: &mut Vec<Rows>,
    ) {
        let ExtractionWorkspace { inner, list, phi } = workspace;
        let vocabulary = model.state.vocabulary_size() as u32;
        list.clear();
        list.push(event.destination);
        for &seed in self.seeds {
            let draws = Draws::new(seed, NEGATIVES);
            let first = (at * self.negatives) as u64;
            list.extend((0..self.negatives as u64).map(|n| Destination(draws.below(first + n, vocabulary))));
        }
        let question = Query { source: event.source, time: event.time };
        model.gather(question, Candidates::These(list), inner);
        let width = model.layout.width;
        phi.clear();
        phi.resize(list.len() * width, 0.0);
        inner.evidence.write_features(&model.layout, phi);
        let (positive, negatives) = phi.split_at(width);
        for (rows, of_seed) in block.iter_mut().zip(negatives.chunks_exact(self.negatives * width)) {
            for negative in of_seed.chunks_exact(width) {
                rows.extend(positive.iter().zip(negative).map(|(p, n)| (p - n) as f32));
            }
        }
    }
}
