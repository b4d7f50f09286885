//! Rules: the ways in which EdgeBank and the heuristic family rank by what is recalled.

use super::recall::{Recall, Recalled};
use crate::machine::{Kernel, Machine, wide};
use crate::ranker::Lanes;
use std::cmp::Ordering;

/// One of the four statistics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Statistic {
    /// LR.
    LocalRecency,
    /// GR.
    GlobalRecency,
    /// LP.
    LocalPopularity,
    /// GP.
    GlobalPopularity,
}

/// One way of ranking by recall.
#[derive(Clone, Debug, PartialEq)]
pub enum Rule {
    /// EdgeBank with unlimited memory: 1 if the pair ever occurred, else 0.
    Ever,
    /// EdgeBank with a window: 1 if the pair last occurred at most `width` before the window's end, which is the
    /// later of `end` (the last training time) and the latest time observed.
    Within {
        /// Width of the window.
        width: f64,
        /// Earliest end of the window.
        end: f64,
    },
    /// The first statistic ranks, later ones break ties.
    Order(Vec<Statistic>),
}

impl Rule {
    /// Where the window begins, for pairs to be in it.
    fn begin(&self, recall: &Recall) -> f64 {
        match self {
            Self::Within { width, end } => end.max(recall.last_time) - width,
            _ => f64::NEG_INFINITY,
        }
    }
}

/// The midrank of one candidate under a rule, a column at a time.
struct Placing<'a> {
    rule: &'a Rule,
    recall: &'a Recall,
    place: usize,
    workspace: &'a mut Recalled,
}

impl Kernel for Placing<'_> {
    type Output = f64;

    #[inline(always)]
    fn run(self, _: impl Machine) -> f64 {
        let Self { rule, recall, place, workspace } = self;
        let size = workspace.pair_counts.len();
        // What is in memory is one class, what is not another.
        let in_memory = match rule {
            Rule::Ever => workspace.pair_counts.iter().map(|&count| u32::from(count > 0)).sum::<u32>(),
            Rule::Within { .. } => {
                let begin = rule.begin(recall);
                workspace.pair_last.iter().map(|&last| u32::from(last >= begin)).sum()
            }
            Rule::Order(statistics) => return workspace.lexical(recall, statistics, place),
        } as usize;
        let known = match rule {
            Rule::Ever => workspace.pair_counts[place] > 0,
            _ => workspace.is_since(place, rule.begin(recall)),
        };
        let (higher, equal) = if known { (0, in_memory) } else { (in_memory, size - in_memory) };
        0.5 + higher as f64 + 0.5 * equal as f64
    }
}

impl Recalled {
    /// How two candidates stand under a rule: the slow form of [`Placing`].
    fn compare(&self, recall: &Recall, rule: &Rule, a: usize, b: usize) -> Ordering {
        let (counts, last) = self.everywhere(recall);
        match rule {
            Rule::Ever => (self.pair_counts[a] > 0).cmp(&(self.pair_counts[b] > 0)),
            Rule::Within { .. } => {
                let begin = rule.begin(recall);
                self.is_since(a, begin).cmp(&self.is_since(b, begin))
            }
            Rule::Order(statistics) => statistics
                .iter()
                .map(|statistic| match statistic {
                    Statistic::LocalRecency => self.pair_last[a].partial_cmp(&self.pair_last[b]),
                    Statistic::GlobalRecency => last[a].partial_cmp(&last[b]),
                    Statistic::LocalPopularity => self.pair_counts[a].partial_cmp(&self.pair_counts[b]),
                    Statistic::GlobalPopularity => counts[a].partial_cmp(&counts[b]),
                })
                .map(|order| order.expect("times are numbers"))
                .find(|order| order.is_ne())
                .unwrap_or(Ordering::Equal),
        }
    }

    /// The midrank under an order of statistics: each looks only at the candidates that tied in all before.
    #[inline(always)]
    fn lexical(&mut self, recall: &Recall, statistics: &[Statistic], place: usize) -> f64 {
        let mut tied = std::mem::take(&mut self.tied);
        tied.clear();
        tied.extend(0..self.pair_counts.len() as u32);
        let (counts, last) = self.everywhere(recall);
        let higher: usize = statistics
            .iter()
            .map(|statistic| match statistic {
                Statistic::LocalRecency => keep_equal(&mut tied, &self.pair_last, place),
                Statistic::GlobalRecency => keep_equal(&mut tied, last, place),
                Statistic::LocalPopularity => keep_equal(&mut tied, &self.pair_counts, place),
                Statistic::GlobalPopularity => keep_equal(&mut tied, counts, place),
            })
            .sum();
        let rank = 0.5 + higher as f64 + 0.5 * tied.len() as f64;
        self.tied = tied;
        rank
    }
}

/// Keeps of `tied` those with the value that `place` has; returns how many have a higher one.
#[inline(always)]
fn keep_equal<T: PartialOrd + Copy>(tied: &mut Vec<u32>, column: &[T], place: usize) -> usize {
    let value = column[place];
    let (mut higher, mut kept) = (0, 0);
    for at in 0..tied.len() {
        let candidate = tied[at];
        let other = column[candidate as usize];
        higher += usize::from(other > value);
        // Written in any case, and counted if it is equal: no processor could foresee that branch.
        tied[kept] = candidate;
        kept += usize::from(other == value);
    }
    tied.truncate(kept);
    higher
}

impl Lanes<Recall> for [Rule] {
    fn count(&self) -> usize {
        self.len()
    }

    /// The number of distinct worse standings below each candidate: a score that orders as the rule does.
    fn scores(&self, recall: &Recall, lane: usize, workspace: &mut Recalled, scores: &mut Vec<f64>) {
        let mut order: Vec<usize> = (0..workspace.pair_counts.len()).collect();
        let compare = |a: usize, b: usize| workspace.compare(recall, &self[lane], a, b);
        order.sort_unstable_by(|&a, &b| compare(a, b));
        scores.clear();
        scores.resize(order.len(), 0.0);
        let mut standing = 0.0;
        for pair in order.windows(2) {
            if compare(pair[0], pair[1]).is_ne() {
                standing += 1.0;
            }
            scores[pair[1]] = standing;
        }
    }

    fn rank(&self, recall: &Recall, lane: usize, place: usize, workspace: &mut Recalled, _: &mut Vec<f64>) -> f64 {
        wide(Placing { rule: &self[lane], recall, place, workspace })
    }
}
