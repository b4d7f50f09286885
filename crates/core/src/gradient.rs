//! The gradient of the loss over one batch of training queries.
//!
//! ```text
//! margin_j = w . d_j      odds_j = exp(-margin_j)      p_j = odds_j / (1 + sum odds)      upward = sum_j p_j d_j
//! ```
//!
//! Three passes over the batch, each of which a compiler turns into vector code: all margins, all exponentials, then the
//! sum. The first pass meets the rows in the epoch's random order, so their memory is fetched some queries ahead; the
//! last one finds them in the cache. The slow form is in the tests: query by query, number by number.

use crate::machine::{Kernel, Machine, fetch, wide};
use crate::numeric::exp;

/// How many queries before its turn the rows of a query are fetched.
const QUERIES_AHEAD: usize = 24;
/// Numbers in a cache line.
const LINE: usize = 16;
/// Sums are formed in this many lanes.
const LANES: usize = 4;

/// The rows of a training matrix: `negatives` rows of `width` numbers for each query.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows<'a> {
    pub(crate) numbers: &'a [f32],
    pub(crate) width: usize,
    pub(crate) negatives: usize,
}

/// Buffers for the gradient of a batch, and the gradient itself.
#[derive(Debug, Default)]
pub(crate) struct Gradient {
    /// -dLoss/dw, summed over the batch.
    pub(crate) upward: Vec<f64>,
    /// Margins, then odds, then probabilities: one number a row of the batch.
    shares: Vec<f64>,
}

impl Gradient {
    /// The gradient over `order[from..to]` with these weights. What follows `to` says which memory will be needed next.
    pub(crate) fn of_batch(&mut self, rows: Rows<'_>, order: &[u32], (from, to): (usize, usize), weights: &[f64]) {
        self.shares.resize((to - from) * rows.negatives, 0.0);
        self.upward.resize(rows.width, 0.0);
        let Self { upward, shares } = self;
        let batch = Batch { rows, order, from, to, weights, shares, upward };
        // The paper's configurations have 8 to 12 features, and K moves that number.
        match rows.width {
            6 => wide(Fixed::<6>(batch)),
            7 => wide(Fixed::<7>(batch)),
            8 => wide(Fixed::<8>(batch)),
            9 => wide(Fixed::<9>(batch)),
            10 => wide(Fixed::<10>(batch)),
            11 => wide(Fixed::<11>(batch)),
            12 => wide(Fixed::<12>(batch)),
            _ => batch.of_any_width(),
        }
    }
}

/// One batch at work.
struct Batch<'a> {
    rows: Rows<'a>,
    order: &'a [u32],
    from: usize,
    to: usize,
    weights: &'a [f64],
    shares: &'a mut [f64],
    upward: &'a mut [f64],
}

/// A batch whose number of features is known to the compiler.
struct Fixed<'a, const W: usize>(Batch<'a>);

impl<const W: usize> Kernel for Fixed<'_, W> {
    type Output = ();

    #[inline(always)]
    fn run(self, _: impl Machine) {
        let Batch { rows, order, from, to, weights, shares, upward } = self.0;
        let weights: &[f64; W] = weights.try_into().expect("one weight a feature");
        let upward: &mut [f64; W] = upward.try_into().expect("one sum a feature");
        let of_query = |query: u32| rows.of(query).as_chunks::<W>().0;
        let mut places = shares.chunks_exact_mut(rows.negatives);
        for (at, places) in (from..to).zip(&mut places) {
            rows.fetch_ahead(order, at);
            for (place, row) in places.iter_mut().zip(of_query(order[at])) {
                *place = margin(row, weights);
            }
        }
        probabilities(shares, rows.negatives);
        let mut sums = [0.0; W];
        for (&query, shares) in order[from..to].iter().zip(shares.chunks_exact(rows.negatives)) {
            for (row, share) in of_query(query).iter().zip(shares) {
                for (sum, &x) in sums.iter_mut().zip(row) {
                    *sum += share * f64::from(x);
                }
            }
        }
        *upward = sums;
    }
}

impl Batch<'_> {
    fn of_any_width(self) {
        let Batch { rows, order, from, to, weights, shares, upward } = self;
        for (at, places) in (from..to).zip(shares.chunks_exact_mut(rows.negatives)) {
            rows.fetch_ahead(order, at);
            for (place, row) in places.iter_mut().zip(rows.of(order[at]).chunks_exact(rows.width)) {
                *place = row.iter().zip(weights).map(|(&x, w)| f64::from(x) * w).sum();
            }
        }
        probabilities(shares, rows.negatives);
        upward.fill(0.0);
        for (&query, shares) in order[from..to].iter().zip(shares.chunks_exact(rows.negatives)) {
            for (row, share) in rows.of(query).chunks_exact(rows.width).zip(shares) {
                upward.iter_mut().zip(row).for_each(|(sum, &x)| *sum += share * f64::from(x));
            }
        }
    }
}

/// Margins become the probabilities that the model gives to the negatives.
#[inline(always)]
fn probabilities(shares: &mut [f64], negatives: usize) {
    // Beyond 600 the probability is one to the last bit anyway, and sums stay finite.
    shares.iter_mut().for_each(|share| *share = exp((-*share).min(600.0)));
    if negatives == 1 {
        shares.iter_mut().for_each(|share| *share /= 1.0 + *share);
        return;
    }
    for of_query in shares.chunks_exact_mut(negatives) {
        let all = 1.0 + of_query.iter().sum::<f64>();
        of_query.iter_mut().for_each(|share| *share /= all);
    }
}

impl<'a> Rows<'a> {
    /// The rows of one query.
    #[inline(always)]
    fn of(&self, query: u32) -> &'a [f32] {
        let size = self.width * self.negatives;
        &self.numbers[query as usize * size..(query as usize + 1) * size]
    }

    #[inline(always)]
    fn fetch_ahead(&self, order: &[u32], at: usize) {
        if let Some(&query) = order.get(at + QUERIES_AHEAD) {
            let size = self.width * self.negatives;
            let start = query as usize * size;
            // The last number may lie in a line of its own.
            (start..start + size - 1).step_by(LINE).for_each(|number| fetch(self.numbers, number));
            fetch(self.numbers, start + size - 1);
        }
    }
}

/// `w . d`, in lanes.
#[inline(always)]
fn margin<const W: usize>(row: &[f32; W], weights: &[f64; W]) -> f64 {
    let mut lanes = [0.0; LANES];
    for (at, (&x, w)) in row.iter().zip(weights).enumerate() {
        lanes[at % LANES] += f64::from(x) * w;
    }
    (lanes[0] + lanes[1]) + (lanes[2] + lanes[3])
}

#[cfg(test)]
mod tests {
    use super::{Gradient, Rows};
    use crate::random::Draws;

    /// -dLoss/dw, number by number, from the formula at the head of the file.
    fn naive(rows: Rows<'_>, queries: &[u32], weights: &[f64]) -> Vec<f64> {
        let mut upward = vec![0.0; rows.width];
        for &query in queries {
            let differences: Vec<&[f32]> = rows.of(query).chunks(rows.width).collect();
            let odds: Vec<f64> = differences
                .iter()
                .map(|d| (-d.iter().zip(weights).map(|(&x, w)| f64::from(x) * w).sum::<f64>()).exp())
                .collect();
            let all = 1.0 + odds.iter().sum::<f64>();
            for (d, odds) in differences.iter().zip(&odds) {
                upward.iter_mut().zip(*d).for_each(|(sum, &x)| *sum += odds / all * f64::from(x));
            }
        }
        upward
    }

    #[test]
    fn every_width_and_number_of_negatives_gives_the_formulas_gradient() {
        let unit = |index| Draws::new(3, 0).at(index) as f64 / u64::MAX as f64 - 0.5;
        for width in 1..=20usize {
            for negatives in 1..=3usize {
                let numbers: Vec<f32> = (0..90 * width * negatives).map(|at| (8.0 * unit(at as u64)) as f32).collect();
                let weights: Vec<f64> = (0..width).map(|at| unit(7_000_000 + at as u64)).collect();
                let rows = Rows { numbers: &numbers, width, negatives };
                let order: Vec<u32> = (0..90).map(|at| at * 37 % 90).collect();
                let mut gradient = Gradient::default();
                gradient.of_batch(rows, &order, (10, 74), &weights);
                for (found, expected) in gradient.upward.iter().zip(naive(rows, &order[10..74], &weights)) {
                    assert!((found - expected).abs() < 1e-11, "{width} {negatives}: {found} {expected}");
                }
            }
        }
    }
}
