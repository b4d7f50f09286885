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

/// Scores that are looked at together: most stretches hold none of the best, and that is seen without a branch a score.
const STRETCH: usize = 64;

/// Positions of the `k` highest scores, best first; equal scores in order of position.
///
/// The slow form sorts all positions. Here at most `2k` are kept at a time, and of the rest only those that beat the
/// k-th of a former selection.
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
    let select = |best: &mut Vec<u32>| {
        if k < best.len() {
            best.select_nth_unstable_by(k - 1, better);
            best.truncate(k);
        }
    };
    if k == 0 {
        return Vec::new();
    }
    let mut best: Vec<u32> = Vec::new();
    // The least of k scores that stand before: an equal one comes too late.
    let mut least = None;
    for (start, stretch) in (0u32..).step_by(STRETCH).zip(scores.chunks(STRETCH)) {
        let late = |score: &f64| least.is_some_and(|least| *score <= least);
        if stretch.iter().fold(true, |all, score| all & late(score)) {
            continue;
        }
        best.extend((start..).zip(stretch).filter(|(_, score)| !late(score)).map(|(at, _)| at));
        if best.len() / 2 >= k {
            select(&mut best);
            least = Some(scores[best[k - 1] as usize]);
        }
    }
    select(&mut best);
    best.sort_unstable_by(better);
    best
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
        let shapes: [fn(u32) -> f64; 5] = [
            |at| f64::from(at * 31 % 13),
            f64::from,
            |at| -f64::from(at),
            |at| if at % 3 == 0 { 0.0 } else { -0.0 },
            |at| f64::from(at.wrapping_mul(0x9e37_79b1) >> 20),
        ];
        for (shape, size) in shapes.iter().flat_map(|shape| [0, 1, 63, 64, 65, 700].map(|size| (shape, size))) {
            let scores: Vec<f64> = (0..size).map(shape).collect();
            let mut all: Vec<u32> = (0..size).collect();
            all.sort_by(|&a, &b| scores[b as usize].partial_cmp(&scores[a as usize]).unwrap());
            for k in [0, 1, 2, 10, 63, 64, 65, 350, 699, 700, 701, usize::MAX] {
                assert_eq!(top_k(&scores, k), all[..k.min(all.len())], "{k} of {size}");
            }
        }
    }
}
