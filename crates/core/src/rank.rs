//! Ranks: where the positive stands among the negatives, ties in the middle.

/// `1 + (negatives with a higher score) + (negatives with an equal score)/2`.
///
/// ```
/// assert_eq!(linkgram_core::midrank(0.5, &[0.9, 0.5, 0.1]), 2.5);
/// ```
#[inline]
pub fn midrank(positive: f64, negatives: &[f64]) -> f64 {
    let (mut higher, mut equal) = (0u32, 0u32);
    for &score in negatives {
        higher += u32::from(score > positive);
        equal += u32::from(score == positive);
    }
    1.0 + f64::from(higher) + 0.5 * f64::from(equal)
}

/// Midrank of the candidate at `place` among all of them.
#[inline]
pub fn midrank_at(scores: &[f64], place: usize) -> f64 {
    let positive = scores[place];
    let (mut higher, mut equal) = (0u32, 0u32);
    for &score in scores {
        higher += u32::from(score > positive);
        equal += u32::from(score == positive);
    }
    0.5 + f64::from(higher) + 0.5 * f64::from(equal)
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
