//! Extraction: the training matrices, in one pass over the training events.
//!
//! Every training event is a query. Its positive and its negatives, drawn uniformly from the vocabulary, are looked up
//! before the event is observed. What a fit needs is only the difference `phi(positive) - phi(negative)`: whatever all
//! candidates share, the bias included, cancels. All seeds share the pass; each has its own matrix.

use crate::candidates::Candidates;
use crate::cell::Cell;
use crate::error::{Error, Result};
use crate::event::{Event, EventSlice, Query};
use crate::evidence::Evidence;
use crate::feature::Layout;
use crate::gather::Workspace;
use crate::id::Destination;
use crate::model::Model;
use crate::random::Draws;
use crate::replay::{BLOCK, Examine};
use std::ops::Range;
use std::sync::Mutex;

/// Which stream of random numbers the negatives come from; shuffles use others.
const NEGATIVES: u64 = 0;

/// The examination that extracts, straight into the matrices of all seeds.
pub struct Extraction<'a> {
    seeds: &'a [u64],
    negatives: usize,
    /// For every block of queries its part of each seed's matrix, until the block is opened.
    blocks: Mutex<Vec<Vec<&'a mut [f32]>>>,
}

/// Buffers for extraction.
#[derive(Default)]
pub struct ExtractionWorkspace {
    inner: Workspace,
    list: Vec<Destination>,
    rows: Vec<f64>,
}

impl<'a> Extraction<'a> {
    /// Extracts one matrix a seed: `queries * negatives` rows of `width` numbers, the features of the model.
    pub fn new(
        seeds: &'a [u64],
        (queries, negatives): (usize, usize),
        width: usize,
        matrices: Vec<&'a mut [f32]>,
    ) -> Result<Self> {
        let size = negatives * width;
        if size == 0 || matrices.len() != seeds.len() || matrices.iter().any(|matrix| matrix.len() != queries * size) {
            return Err(Error::shape(format!(
                "{queries} queries of {size} numbers do not fit the matrices of the seeds"
            )));
        }
        let mut blocks: Vec<Vec<&mut [f32]>> = (0..queries.div_ceil(BLOCK)).map(|_| Vec::new()).collect();
        for matrix in matrices {
            blocks.iter_mut().zip(matrix.chunks_mut(BLOCK * size)).for_each(|(block, part)| block.push(part));
        }
        Ok(Self { seeds, negatives, blocks: Mutex::new(blocks) })
    }
}

impl Extraction<'_> {
    /// The negatives of query number `at`, seed after seed.
    fn drawn(&self, at: usize, vocabulary: usize) -> impl Iterator<Item = Destination> + Clone {
        let (first, negatives) = ((at * self.negatives) as u64, self.negatives as u64);
        self.seeds.iter().flat_map(move |&seed| {
            let draws = Draws::new(seed, NEGATIVES);
            (first..first + negatives).map(move |n| Destination(draws.below(n, vocabulary as u32)))
        })
    }
}

impl<'a, C: Cell> Examine<Model<C>> for Extraction<'a> {
    type Workspace = ExtractionWorkspace;
    type Block = Vec<&'a mut [f32]>;

    fn open(&self, queries: Range<usize>) -> Self::Block {
        let mut blocks = self.blocks.lock().expect("no thread panics while holding the blocks");
        std::mem::take(&mut blocks[queries.start / BLOCK])
    }

    fn expect(&self, model: &Model<C>, at: usize, events: &EventSlice<'_>, row: usize) {
        if model.state.is_large() {
            let drawn = self.drawn(at, model.state.vocabulary_size());
            let count = 1 + self.seeds.len() * self.negatives;
            let keys = std::iter::once(events.get(row).destination).chain(drawn);
            model.state.expect_queries(events, row, (count, keys.map(|z| z.0)));
        }
    }

    fn examine(
        &self,
        model: &Model<C>,
        at: usize,
        event: Event,
        workspace: &mut ExtractionWorkspace,
        block: &mut Self::Block,
    ) {
        let ExtractionWorkspace { inner, list, rows } = workspace;
        list.clear();
        list.push(event.destination);
        list.extend(self.drawn(at, model.state.vocabulary_size()));
        let question = Query { source: event.source, time: event.time };
        model.gather(question, Candidates::These(list), inner);
        let size = self.negatives * model.layout.width;
        rows.clear();
        rows.resize(self.seeds.len() * size, 0.0);
        write_differences(&inner.evidence, &model.layout, rows);
        let start = at % BLOCK * size;
        for (matrix, rows) in block.iter_mut().zip(rows.chunks_exact(size)) {
            for (place, x) in matrix[start..start + size].iter_mut().zip(rows) {
                *place = *x as f32;
            }
        }
    }
}

/// phi of the first candidate less that of each other, a row each. What all candidates share never enters. The slow form
/// subtracts the rows of [`Evidence::write_features`].
fn write_differences(evidence: &Evidence, layout: &Layout, rows: &mut [f64]) {
    let (popularity, backoff) = (&evidence.popularity, evidence.backoff());
    for (row, other) in rows.chunks_exact_mut(layout.width).zip(1..) {
        let base = backoff[0] - backoff[other];
        let mut on_backoff = evidence.on_backoff;
        for value in row.iter_mut() {
            *value = if on_backoff & 1 == 1 { base } else { 0.0 };
            on_backoff >>= 1;
        }
        row[Layout::POPULARITY] += popularity[0] - popularity[other];
        if let Some(feature) = layout.global_recency {
            row[feature] = evidence.global_recency[0] - evidence.global_recency[other];
        }
    }
    for (feature, met, lifts) in evidence.lifts().features() {
        // The first candidate's first: in which order a row is met must not show in the last bit.
        let met = || met.iter().zip(lifts);
        for (_, lift) in met().filter(|(candidate, _)| **candidate == 0) {
            rows.chunks_exact_mut(layout.width).for_each(|row| row[feature] += lift);
        }
        for (&candidate, lift) in met().filter(|(candidate, _)| **candidate > 0) {
            rows[(candidate as usize - 1) * layout.width + feature] -= lift;
        }
    }
    for &(repeat, first) in &evidence.repeats {
        let to = (repeat as usize - 1) * layout.width;
        match first as usize {
            0 => rows[to..to + layout.width].fill(0.0),
            first => rows.copy_within((first - 1) * layout.width..first * layout.width, to),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::write_differences;
    use crate::candidates::Candidates;
    use crate::configuration::{Backoff, Configuration};
    use crate::event::{Event, Query};
    use crate::gather::Workspace;
    use crate::id::{Destination, Source};
    use crate::model::Model;

    #[test]
    fn differences_are_those_of_the_features_and_nothing_where_the_negative_is_the_positive() {
        for backoff in [Backoff::Marginal, Backoff::Continuation] {
            let configuration = Configuration {
                depth: 3,
                backoff,
                co_occurrence: true,
                global_recency: true,
                multi_scale: true,
                decay: 50.0,
                recency: 9.0,
                ..Configuration::default()
            };
            let mut model = Model::<f64>::new(configuration, 3, 12).unwrap();
            for at in 0..400u32 {
                let destination = Destination(at * at % 11);
                model.state.apply(Event { source: Source(at % 3), destination, time: f64::from(at) });
            }
            let list = [4, 11, 4, 0, 1, 5].map(Destination);
            let mut workspace = Workspace::new();
            let query = Query { source: Source(1), time: 400.0 };
            model.gather(query, Candidates::These(&list), &mut workspace);
            let width = model.layout.width;
            let mut phi = vec![0.0; list.len() * width];
            workspace.evidence.write_features(&model.layout, &mut phi);
            let mut rows = vec![0.0; (list.len() - 1) * width];
            write_differences(&workspace.evidence, &model.layout, &mut rows);
            for (other, row) in rows.chunks(width).enumerate() {
                for (feature, found) in row.iter().enumerate() {
                    let expected = phi[feature] - phi[(other + 1) * width + feature];
                    assert!((found - expected).abs() < 1e-12, "{other} {feature}: {found} {expected}");
                }
            }
            assert!(rows[width..2 * width].iter().all(|x| *x == 0.0));
            assert!(rows[..width].iter().any(|x| *x != 0.0));
        }
    }

    #[test]
    fn differences_are_the_same_bits_in_any_company() {
        let configuration =
            Configuration { depth: 5, co_occurrence: true, multi_scale: true, decay: 90.0, ..Configuration::default() };
        let mut model = Model::<f32>::new(configuration, 3, 40).unwrap();
        for at in 0..3000u32 {
            let destination = Destination(at.wrapping_mul(0x9e37_79b1) >> 8 & 31);
            model.state.apply(Event { source: Source(at % 3), destination, time: f64::from(at) });
        }
        let width = model.layout.width;
        let mut workspace = Workspace::new();
        let mut differences = |list: &[Destination]| {
            model.gather(Query { source: Source(2), time: 3000.5 }, Candidates::These(list), &mut workspace);
            let mut rows = vec![0.0; (list.len() - 1) * width];
            write_differences(&workspace.evidence, &model.layout, &mut rows);
            rows.into_iter().map(f64::to_bits).collect::<Vec<_>>()
        };
        for positive in 0..40 {
            // Few are searched, more are walked past in the order of the row.
            let list: Vec<Destination> = [positive, 7, 19, 30].into_iter().chain(0..40).map(Destination).collect();
            let few = differences(&list[..4]);
            assert_eq!(few, differences(&list)[..few.len()], "positive {positive}");
            assert_eq!(few, differences(&list[..9])[..few.len()], "positive {positive}");
        }
    }
}
