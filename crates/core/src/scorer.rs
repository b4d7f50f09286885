//! The learned combination `s(z) = w . phi + beta`.

use crate::error::{Error, ErrorKind, Result};
use crate::evidence::Evidence;
use crate::feature::Layout;
use crate::judge::{Testimony, weight_on_backoff};
use crate::machine::{Kernel, Machine, wide};

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
    scores.resize(evidence.len(), 0.0);
    let on_backoff = weight_on_backoff(weights, evidence.on_backoff);
    wide(Scores { said: Testimony::of(evidence), weights, on_backoff, recency: layout.global_recency, scores });
}

struct Scores<'a> {
    said: Testimony<'a>,
    weights: &'a [f64],
    on_backoff: f64,
    recency: Option<usize>,
    scores: &'a mut [f64],
}

impl Kernel for Scores<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, _: impl Machine) {
        self.said.score(self.weights, self.on_backoff, self.recency, self.scores);
    }
}

/// The part of the score that all candidates of the query share, bias included.
pub fn shared_score(evidence: &Evidence, weights: &Weights) -> f64 {
    let parts = weights.values.iter().enumerate().map(|(feature, w)| w * evidence.constant(feature));
    weights.bias + parts.sum::<f64>()
}
