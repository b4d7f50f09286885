//! Judging: the positive's midrank under one weight vector after another, from evidence that lies ready.
//!
//! Evidence does not depend on weights. While that of a query is in the cache, one more weight vector costs a few vector
//! instructions a candidate. The slow form is [`relative_scores`](crate::scorer::relative_scores) followed by
//! [`midrank_at`](crate::rank::midrank_at); the bits are the same (tested).

use crate::evidence::{Evidence, Lifts};
use crate::feature::Layout;
use crate::machine::{Kernel, Machine, wide};

/// The evidence of one query as the judge sees it, wherever it is kept.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Testimony<'a> {
    pub(crate) popularity: &'a [f64],
    /// Empty under marginal backoff, where it is `popularity`.
    pub(crate) continuation: &'a [f64],
    /// Empty if the configuration has none.
    pub(crate) global_recency: &'a [f64],
    pub(crate) lifts: Lifts<'a>,
    /// Bit f: whether log B(z) is part of feature f.
    pub(crate) on_backoff: u128,
}

impl<'a> Testimony<'a> {
    /// What `evidence` says.
    pub(crate) fn of(evidence: &'a Evidence) -> Self {
        Self {
            popularity: &evidence.popularity,
            continuation: &evidence.continuation,
            global_recency: &evidence.global_recency,
            lifts: evidence.lifts(),
            on_backoff: evidence.on_backoff,
        }
    }
}

impl Testimony<'_> {
    /// Scores of all candidates, less what they share; `on_backoff` is the sum of the weights on the backoff, `recency`
    /// the position of global recency.
    #[inline(always)]
    pub(crate) fn score(&self, weights: &[f64], on_backoff: f64, recency: Option<usize>, scores: &mut [f64]) {
        let popularity = weights[Layout::POPULARITY];
        if self.continuation.is_empty() {
            // Both logarithms are one.
            let both = popularity + on_backoff;
            for (score, base) in scores.iter_mut().zip(self.popularity) {
                *score = both * base;
            }
        } else {
            for (score, (p, b)) in scores.iter_mut().zip(self.popularity.iter().zip(self.continuation)) {
                *score = popularity * p + on_backoff * b;
            }
        }
        if let Some(feature) = recency {
            let weight = weights[feature];
            for (score, r) in scores.iter_mut().zip(self.global_recency) {
                *score += weight * r;
            }
        }
        for (feature, met, values) in self.lifts.features() {
            let weight = weights[feature];
            for (&candidate, value) in met.iter().zip(values) {
                scores[candidate as usize] += weight * value;
            }
        }
        for &(repeat, first) in self.lifts.repeats {
            scores[repeat as usize] = scores[first as usize];
        }
    }
}

/// The weights of the features that rest on the backoff, together.
pub(crate) fn weight_on_backoff(weights: &[f64], on_backoff: u128) -> f64 {
    weights.iter().enumerate().filter(|(feature, _)| on_backoff >> feature & 1 == 1).map(|(_, w)| w).sum()
}

/// Buffers for judging.
#[derive(Debug, Default)]
pub struct Judge {
    pub(crate) scores: Vec<f64>,
    /// For the features of the last query that rest on the backoff: every lane's sum of their weights.
    on_backoff: Vec<f64>,
    judged: u128,
    /// Midranks of the query judged last, one a lane.
    pub(crate) ranks: Vec<f64>,
}

impl Judge {
    /// Midranks of the candidate at `place`, into `ranks`. A judge always judges the same lanes.
    pub(crate) fn rank(&mut self, said: Testimony<'_>, place: usize, layout: &Layout, lanes: &[Vec<f64>]) {
        if self.on_backoff.len() != lanes.len() || self.judged != said.on_backoff {
            self.judged = said.on_backoff;
            self.on_backoff.clear();
            self.on_backoff.extend(lanes.iter().map(|weights| weight_on_backoff(weights, said.on_backoff)));
        }
        self.ranks.clear();
        self.ranks.resize(lanes.len(), 0.0);
        self.scores.resize(said.popularity.len(), 0.0);
        let Self { scores, on_backoff, ranks, .. } = self;
        let recency = layout.global_recency;
        wide(EveryLane { said, place, recency, lanes, on_backoff, scores, ranks });
    }
}

struct EveryLane<'a> {
    said: Testimony<'a>,
    place: usize,
    recency: Option<usize>,
    lanes: &'a [Vec<f64>],
    on_backoff: &'a [f64],
    scores: &'a mut [f64],
    ranks: &'a mut [f64],
}

impl Kernel for EveryLane<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, _: impl Machine) {
        let Self { said, place, recency, lanes, on_backoff, scores, ranks } = self;
        for ((weights, on_backoff), rank) in lanes.iter().zip(on_backoff).zip(ranks) {
            said.score(weights, *on_backoff, recency, scores);
            let positive = scores[place];
            // Counted in the width of the scores, so that comparisons need no repacking.
            let (mut higher, mut equal) = (0u64, 0u64);
            for &score in scores.iter() {
                higher += u64::from(score > positive);
                equal += u64::from(score == positive);
            }
            *rank = 0.5 + higher as f64 + 0.5 * equal as f64;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Judge, Testimony};
    use crate::configuration::{Backoff, Configuration};
    use crate::evidence::{Evidence, Span};
    use crate::feature::Layout;
    use crate::random::Draws;
    use crate::rank::midrank_at;
    use crate::scorer::relative_scores;

    #[test]
    fn the_judge_gives_the_ranks_of_the_scores_bit_for_bit() {
        let draws = Draws::new(11, 0);
        let mut number = 0;
        let mut draw = |bound: u32| {
            number += 1;
            draws.below(number, bound)
        };
        for case in 0..200 {
            let configuration = Configuration {
                backoff: if case % 2 == 0 { Backoff::Marginal } else { Backoff::Continuation },
                global_recency: case % 3 == 0,
                co_occurrence: case % 5 == 0,
                ..Configuration::default()
            };
            let layout = Layout::new(&configuration);
            let size = 1 + draw(150) as usize;
            // Few different numbers, so that many candidates tie.
            let mut numbers = |count: usize| (0..count).map(|_| f64::from(draw(7)) * 0.3).collect::<Vec<_>>();
            let mut evidence = Evidence {
                popularity: numbers(size),
                continuation: if case % 2 == 0 { Vec::new() } else { numbers(size) },
                global_recency: if case % 3 == 0 { numbers(size) } else { Vec::new() },
                on_backoff: numbers(layout.width).iter().rev().fold(0, |bits, x| bits << 1 | u128::from(*x > 0.7)),
                ..Evidence::default()
            };
            for at in 0..case as u32 % 9 {
                evidence.met.push(at * 7 % size as u32);
                evidence.lifts.push(0.3);
                evidence.spans.push(Span { feature: at % layout.width as u32, end: at + 1 });
            }
            if case % 4 == 0 && size > 1 {
                evidence.repeats.push((size as u32 - 1, 0));
            }
            let lanes: Vec<Vec<f64>> = (0..3).map(|_| numbers(layout.width)).collect();
            let place = case % size;
            let mut judge = Judge::default();
            judge.rank(Testimony::of(&evidence), place, &layout, &lanes);
            let mut scores = Vec::new();
            for (lane, found) in lanes.iter().zip(&judge.ranks) {
                relative_scores(&evidence, &layout, lane, &mut scores);
                assert_eq!(*found, midrank_at(&scores, place), "case {case}");
            }
        }
    }
}
