//! The learned combination `s(z) = w . phi + beta`.

use crate::error::{Error, ErrorKind, Result};
use crate::evidence::Evidence;
use crate::feature::Layout;
use crate::machine::{Kernel, run};

/// Beyond this a weight is an accident, and sums of products could overflow.
const LARGEST_WEIGHT: f64 = 1e100;

/// One weight a feature, and a bias that cannot move a ranking.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// In the order of the features.
    pub values: Vec<f64>,
    /// beta.
    pub bias: f64,
}

impl Weights {
    /// Checks the number of weights and that all are numbers within +-1e100.
    pub fn new(values: Vec<f64>, bias: f64, layout: &Layout) -> Result<Self> {
        if values.len() != layout.width {
            return Err(Error::new(ErrorKind::WeightCount { found: values.len(), expected: layout.width }));
        }
        if let Some((position, &value)) = values
            .iter()
            .chain([&bias])
            .enumerate()
            .find(|(_, weight)| weight.is_nan() || weight.abs() > LARGEST_WEIGHT)
        {
            return Err(Error::new(ErrorKind::WeightNotFinite { position, value }));
        }
        Ok(Self { values, bias })
    }
}

/// Scores without the part that is the same for every candidate of the query: all that a ranking needs.
///
/// The slow form is `matrix . weights` after [`Evidence::write_features`], less that part.
pub fn relative_scores(evidence: &Evidence, layout: &Layout, weights: &[f64], scores: &mut Vec<f64>) {
    scores.clear();
    run(BaseScores { evidence, layout, weights, scores });
    for (feature, met, lifts) in evidence.lifted() {
        let weight = weights[feature];
        for (&candidate, lift) in met.iter().zip(lifts) {
            scores[candidate as usize] += weight * lift;
        }
    }
    for &(repeat, first) in &evidence.repeats {
        scores[repeat as usize] = scores[first as usize];
    }
}

/// What each candidate scores by itself.
struct BaseScores<'a> {
    evidence: &'a Evidence,
    layout: &'a Layout,
    weights: &'a [f64],
    scores: &'a mut Vec<f64>,
}

impl Kernel for BaseScores<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { evidence, layout, weights, scores } = self;
        let popularity = weights[Layout::POPULARITY];
        let on_backoff: f64 = weights.iter().zip(&evidence.on_backoff).filter(|(_, on)| **on).map(|(w, _)| w).sum();
        if evidence.continuation.is_empty() {
            // Both logarithms are one under marginal backoff.
            let both = popularity + on_backoff;
            scores.extend(evidence.popularity.iter().map(|base| both * base));
        } else {
            let bases = evidence.popularity.iter().zip(&evidence.continuation);
            scores.extend(bases.map(|(p, b)| popularity * p + on_backoff * b));
        }
        if let Some(feature) = layout.global_recency {
            let weight = weights[feature];
            scores.iter_mut().zip(&evidence.global_recency).for_each(|(score, recency)| *score += weight * recency);
        }
    }
}

/// The part of the score that all candidates of the query share, bias included.
pub fn shared_score(evidence: &Evidence, weights: &Weights) -> f64 {
    weights.bias + weights.values.iter().zip(&evidence.constants).map(|(w, constant)| w * constant).sum::<f64>()
}
