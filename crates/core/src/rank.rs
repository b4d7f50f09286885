//! Ranks: where the positive stands among the negatives, ties in the middle.

use crate::machine::{Kernel, Machine, wide};

/// `1 + (negatives with a higher score) + (negatives with an equal score)/2`.
///
/// ```
/// assert_eq!(linkgram_core::midrank(0.5, &[0.9, 0.5, 0.1]), 2.5);
/// ```
pub fn midrank(positive: f64, negatives: &[f64]) -> f64 {
    let (higher, equal) = wide(Standing { positive, scores: negatives });
    1.0 + higher as f64 + 0.5 * equal as f64
}

/// Midrank of the candidate at `place` among all of them.
pub fn midrank_at(scores: &[f64], place: usize) -> f64 {
    let (higher, equal) = wide(Standing { positive: scores[place], scores });
    0.5 + higher as f64 + 0.5 * equal as f64
}

/// How many scores are higher than the positive's, and how many equal.
struct Standing<'a> {
    positive: f64,
    scores: &'a [f64],
}

impl Kernel for Standing<'_> {
    type Output = (u64, u64);

    #[inline(always)]
    fn run(self, _: impl Machine) -> (u64, u64) {
        // Counters as wide as the scores, so that a vector comparison is a vector of counts.
        let (mut higher, mut equal) = (0, 0);
        for &score in self.scores {
            higher += u64::from(score > self.positive);
            equal += u64::from(score == self.positive);
        }
        (higher, equal)
    }
}

/// Positions of the `k` highest scores, best first; equal scores in order of position.
///
/// ```
/// assert_eq!(linkgram_core::top_k(&[0.1, 0.7, 0.7, 0.3], 3), [1, 2, 3]);
/// ```
pub fn top_k(scores: &[f64], k: usize) -> Vec<u32> {
    // Adding zero turns -0 into 0, which the total order would tell apart.
    let better = |&a: &u32, &b: &u32| {
        let (left, right) = (scores[a as usize] + 0.0, scores[b as usize] + 0.0);
        right.total_cmp(&left).then(a.cmp(&b))
    };
    let mut positions: Vec<u32> = (0..scores.len() as u32).collect();
    if k < positions.len() {
        if k > 0 {
            positions.select_nth_unstable_by(k - 1, better);
        }
        positions.truncate(k);
    }
    positions.sort_unstable_by(better);
    positions
}

#[cfg(test)]
mod tests {
    use super::{midrank, top_k};

    #[test]
    fn a_fully_tied_query_of_a_hundred_negatives_ranks_in_the_middle() {
        assert_eq!(midrank(0.0, &[0.0; 100]), 51.0);
    }

    #[test]
    fn top_k_is_the_head_of_the_full_sort() {
        let scores: Vec<f64> = (0..97).map(|i| f64::from((i * 31) % 13)).collect();
        let all = top_k(&scores, 97);
        assert!(all.windows(2).all(|pair| scores[pair[0] as usize] >= scores[pair[1] as usize]));
        for k in 0..100 {
            assert_eq!(top_k(&scores, k), all[..k.min(97)]);
        }
    }
}
