//! Evidence: all that the history says about one query, before any weight is known.
//!
//! Every estimator has the form `(c + alpha B(z)) / (n + alpha)`. Against a candidate that its context never met,
//!
//! ```text
//! log P(z|x) = log B(z) + log(alpha / (n(x) + alpha)) + log(1 + c(x,z) / (alpha B(z)))
//!              base         same for every candidate      0 unless the cell exists
//! ```
//!
//! so a query is one or two base values a candidate, a constant a feature, and a short list of *lifts*: the last term,
//! for the few candidates that a context row holds. Features, scores, ranks, explanations and the training matrix are
//! all computed from this, each candidate by the same instructions, so equal evidence gives equal bits.

use crate::feature::Layout;
use crate::numeric::ln;

/// The lifts of one feature: how much a context lifts the candidates it holds above unseen ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// Position in phi.
    pub feature: u32,
    /// Where its lifts end; they begin where those of the span before end.
    pub end: u32,
}

/// All lifts of one query, wherever they are kept.
#[derive(Clone, Copy, Debug)]
pub struct Lifts<'a> {
    /// See [`Evidence`].
    pub met: &'a [u32],
    /// See [`Evidence`].
    pub values: &'a [f64],
    /// See [`Evidence`].
    pub spans: &'a [Span],
    /// See [`Evidence`].
    pub repeats: &'a [(u32, u32)],
}

impl<'a> Lifts<'a> {
    /// Each feature with the candidates it lifts and by how much.
    #[inline(always)]
    pub fn features(self) -> impl Iterator<Item = (usize, &'a [u32], &'a [f64])> {
        let mut begin = 0;
        self.spans.iter().map(move |span| {
            let range = begin..span.end as usize;
            begin = range.end;
            (span.feature as usize, &self.met[range.clone()], &self.values[range])
        })
    }
}

/// The evidence of one query. Its buffers are reused from query to query.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    /// `log(1 + c(z)/alpha)`: log P(z) without its constant.
    pub popularity: Vec<f64>,
    /// log B(z) without its constant; empty under marginal backoff, where it is `popularity`.
    pub continuation: Vec<f64>,
    /// Global recency; empty if the configuration has none.
    pub global_recency: Vec<f64>,
    /// Positions of the candidates met in context rows, span after span.
    pub met: Vec<u32>,
    /// What is added to the span's feature of each of them.
    pub lifts: Vec<f64>,
    /// Which feature each stretch of `met` and `lifts` belongs to, in an order that no search changes.
    pub spans: Vec<Span>,
    /// Candidates that stand among the candidates before, each with its first position: the lifts of the first are
    /// theirs, whatever `met` has of their own.
    pub repeats: Vec<(u32, u32)>,
    /// Bit f: whether log B(z) is part of feature f. Not so for transitions from missing history positions.
    pub on_backoff: u128,
    /// For each feature on the backoff, and for popularity: what its probability has besides base and lift.
    pub(crate) shares: Vec<f64>,
    /// B(z) without the candidate's own part.
    pub(crate) base_share: f64,
}

impl Evidence {
    /// Number of candidates.
    pub fn len(&self) -> usize {
        self.popularity.len()
    }

    /// Whether there is no candidate.
    pub fn is_empty(&self) -> bool {
        self.popularity.is_empty()
    }

    /// The base values of the backoff in use.
    #[inline]
    pub fn backoff(&self) -> &[f64] {
        if self.continuation.is_empty() { &self.popularity } else { &self.continuation }
    }

    /// What the log-probability of a feature has besides base and lift; 0 for recencies. No ranking and no fit needs it.
    pub fn constant(&self, feature: usize) -> f64 {
        if feature == Layout::POPULARITY {
            ln(self.shares[feature])
        } else if self.on_backoff >> feature & 1 == 1 {
            ln(self.base_share) + ln(self.shares[feature])
        } else {
            0.0
        }
    }

    /// Writes phi of every candidate, one row of `layout.width` numbers each.
    pub fn write_features(&self, layout: &Layout, matrix: &mut [f64]) {
        let backoff = self.backoff();
        let constants: Vec<f64> = (0..layout.width).map(|feature| self.constant(feature)).collect();
        for (candidate, row) in matrix.chunks_exact_mut(layout.width).enumerate() {
            for (feature, (value, constant)) in row.iter_mut().zip(&constants).enumerate() {
                let base = if self.on_backoff >> feature & 1 == 1 { backoff[candidate] } else { 0.0 };
                *value = base + constant;
            }
            row[Layout::POPULARITY] += self.popularity[candidate];
            if let Some(feature) = layout.global_recency {
                row[feature] = self.global_recency[candidate];
            }
        }
        for (feature, met, lifts) in self.lifts().features() {
            for (&candidate, lift) in met.iter().zip(lifts) {
                matrix[candidate as usize * layout.width + feature] += lift;
            }
        }
        for &(repeat, first) in &self.repeats {
            let first = first as usize * layout.width;
            matrix.copy_within(first..first + layout.width, repeat as usize * layout.width);
        }
    }

    /// All lifts.
    #[inline(always)]
    pub fn lifts(&self) -> Lifts<'_> {
        Lifts { met: &self.met, values: &self.lifts, spans: &self.spans, repeats: &self.repeats }
    }

    /// Forgets all but the buffers. `popularity` and `base` are those of a candidate without counts.
    #[inline(always)]
    pub(crate) fn clear(&mut self, width: usize, (popularity, base): (f64, f64)) {
        // Popularity and lifts are written anew in any case, and so are the shares that will be read.
        self.continuation.clear();
        self.global_recency.clear();
        self.met.clear();
        self.spans.clear();
        self.repeats.clear();
        self.on_backoff = 0;
        self.shares.resize(width, 0.0);
        self.shares[Layout::POPULARITY] = popularity;
        self.base_share = base;
    }

    #[inline(always)]
    pub(crate) fn end_span(&mut self, feature: usize, end: usize) {
        self.spans.push(Span { feature: feature as u32, end: end as u32 });
    }

    #[inline(always)]
    pub(crate) fn rest_on_backoff(&mut self, feature: usize, share: f64) {
        self.on_backoff |= 1 << feature;
        self.shares[feature] = share;
    }
}
