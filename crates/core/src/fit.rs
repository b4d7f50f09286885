//! Fit: the weights of the scoring rule, from matrices alone.
//!
//! Sampled softmax over the positive and its negatives. With differences `d_j = phi(positive) - phi(negative j)` the loss
//! of a query is `log(1 + sum_j exp(-w . d_j))`; with one negative that is the logistic loss on the difference. Adam with
//! the gradient's mean over a batch, clipped to norm one. Whoever trains never sees an event, only these rows, so no test
//! event can reach the weights.

use crate::error::{Error, ErrorKind, Result};
use crate::gradient::{Gradient, Rows};
use crate::machine::fetch;
use crate::random::Draws;

/// How weights are learned; the defaults are the paper's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FitSettings {
    /// Adam's step size.
    pub learning_rate: f64,
    /// Queries in a batch.
    pub batch: usize,
    /// Largest norm of a batch's gradient.
    pub clip: f64,
    /// Most epochs.
    pub epochs: usize,
    /// Epochs without a better validation MRR before stopping.
    pub patience: usize,
}

impl Default for FitSettings {
    fn default() -> Self {
        Self { learning_rate: 1e-2, batch: 256, clip: 1.0, epochs: 100, patience: 10 }
    }
}

impl FitSettings {
    /// Refuses settings outside their range.
    pub fn check(&self) -> Result<()> {
        let refuse = |name, found: String, accepted| Err(Error::new(ErrorKind::Setting { name, found, accepted }));
        for (name, value) in [("learning_rate", self.learning_rate), ("clip", self.clip)] {
            if !value.is_finite() || value <= 0.0 {
                return refuse(name, value.to_string(), "a finite number above 0");
            }
        }
        for (name, value) in [("batch", self.batch), ("epochs", self.epochs), ("patience", self.patience)] {
            if value == 0 {
                return refuse(name, value.to_string(), "1 or larger");
            }
        }
        Ok(())
    }
}

const BETA: (f64, f64) = (0.9, 0.999);
const EPSILON: f64 = 1e-8;

/// Training of one seed, epoch by epoch.
pub struct Trainer<'a> {
    settings: FitSettings,
    rows: Rows<'a>,
    seed: u64,
    epoch: u64,
    order: Vec<u32>,
    weights: Vec<f64>,
    momentum: Vec<f64>,
    scale: Vec<f64>,
    /// beta_1^t and beta_2^t.
    powers: (f64, f64),
    gradient: Gradient,
}

impl<'a> Trainer<'a> {
    /// Weights start at zero. `rows` holds `negatives` rows of `width` numbers for each query.
    pub fn new(rows: &'a [f32], width: usize, negatives: usize, seed: u64, settings: FitSettings) -> Result<Self> {
        settings.check()?;
        let size = width * negatives;
        if size == 0 || !rows.len().is_multiple_of(size) {
            return Err(Error::shape(format!("{} numbers are no whole number of queries of {size}", rows.len())));
        }
        let queries = u32::try_from(rows.len() / size)
            .map_err(|_| Error::new(ErrorKind::TooLarge { what: "training queries" }))?;
        Ok(Self {
            settings,
            rows: Rows { numbers: rows, width, negatives },
            seed,
            epoch: 0,
            order: (0..queries).collect(),
            weights: vec![0.0; width],
            momentum: vec![0.0; width],
            scale: vec![0.0; width],
            powers: (1.0, 1.0),
            gradient: Gradient::default(),
        })
    }

    /// One pass over all queries in a new order; the weights after it. `go_on` is asked now and then.
    pub fn epoch(&mut self, go_on: &mut dyn FnMut() -> bool) -> Result<&[f64]> {
        self.epoch += 1;
        // Stream 0 of the seed drew the negatives.
        let draws = Draws::new(self.seed, self.epoch);
        if !shuffle(&mut self.order, &draws, go_on) {
            return Err(Error::new(ErrorKind::Interrupted));
        }
        for (number, from) in (0..self.order.len()).step_by(self.settings.batch).enumerate() {
            if number % 256 == 0 && !go_on() {
                return Err(Error::new(ErrorKind::Interrupted));
            }
            let to = from.saturating_add(self.settings.batch).min(self.order.len());
            self.gradient.of_batch(self.rows, &self.order, (from, to), &self.weights);
            self.step(to - from);
        }
        Ok(&self.weights)
    }

    /// Adam's step down the mean loss of a batch.
    fn step(&mut self, queries: usize) {
        let mean = 1.0 / queries as f64;
        let upward = &self.gradient.upward;
        let norm = mean * upward.iter().map(|g| g * g).sum::<f64>().sqrt();
        let factor = if norm > self.settings.clip { mean * self.settings.clip / norm } else { mean };
        self.powers = (self.powers.0 * BETA.0, self.powers.1 * BETA.1);
        for (at, upward) in upward.iter().enumerate() {
            let slope = -upward * factor;
            self.momentum[at] = BETA.0 * self.momentum[at] + (1.0 - BETA.0) * slope;
            self.scale[at] = BETA.1 * self.scale[at] + (1.0 - BETA.1) * slope * slope;
            let momentum = self.momentum[at] / (1.0 - self.powers.0);
            let scale = (self.scale[at] / (1.0 - self.powers.1)).sqrt();
            self.weights[at] -= self.settings.learning_rate * momentum / (scale + EPSILON);
        }
    }
}

/// Places of a shuffle whose partners are looked up, and their memory fetched, together.
const SHUFFLED_TOGETHER: usize = 64;

/// Fisher and Yates, from the back: place `last` swaps with one of `0..=last`. Every partner is known before its turn,
/// so the next places' memory is fetched while these are swapped; the slow form is one swap after the other.
fn shuffle(order: &mut [u32], draws: &Draws, go_on: &mut dyn FnMut() -> bool) -> bool {
    let partner = |last: usize| draws.below(last as u64, last as u32 + 1);
    let (mut now, mut next) = ([0u32; SHUFFLED_TOGETHER], [0u32; SHUFFLED_TOGETHER]);
    // Place 0 is left, and the places before a block's first are none of its own.
    let block = |end: usize| end.saturating_sub(SHUFFLED_TOGETHER).max(1)..end;
    let look_up = |order: &[u32], partners: &mut [u32; SHUFFLED_TOGETHER], end: usize| {
        for (partner_of, last) in partners.iter_mut().zip(block(end).rev()) {
            *partner_of = partner(last);
            fetch(order, *partner_of as usize);
        }
    };
    let mut end = order.len();
    look_up(order, &mut now, end);
    while end > 1 {
        if end % (1 << 20) < SHUFFLED_TOGETHER && !go_on() {
            return false;
        }
        let start = block(end).start;
        look_up(order, &mut next, start);
        for (last, &other) in block(end).rev().zip(&now) {
            order.swap(last, other as usize);
        }
        (now, next) = (next, now);
        end = start;
    }
    true
}

/// The rule of early stopping, fed with one validation MRR an epoch.
#[derive(Clone, Debug)]
pub struct EarlyStopping {
    patience: usize,
    /// Validation MRR of each epoch so far.
    pub history: Vec<f64>,
    /// The best epoch so far, counted from 0; the first of equals.
    pub best: usize,
}

impl EarlyStopping {
    /// Waits for nothing yet.
    pub fn new(patience: usize) -> Self {
        Self { patience, history: Vec::new(), best: 0 }
    }

    /// Takes the next epoch's MRR.
    pub fn hear(&mut self, mrr: f64) {
        self.history.push(mrr);
        if mrr > self.history[self.best] {
            self.best = self.history.len() - 1;
        }
    }

    /// How many more epochs there will be at the least, whatever their MRR.
    pub fn certain(&self) -> usize {
        // `hear` of the last of them is the first that `is_over` may follow.
        (self.best.saturating_add(self.patience) + 1).saturating_sub(self.history.len())
    }

    /// Whether `patience` epochs have passed without a better one.
    pub fn is_over(&self) -> bool {
        self.history.len() > self.best + self.patience
    }
}

#[cfg(test)]
mod tests {
    use super::{EarlyStopping, FitSettings, Trainer, shuffle};
    use crate::random::Draws;

    #[test]
    fn shuffling_ahead_makes_the_swaps_of_fisher_and_yates_one_by_one() {
        let draws = Draws::new(5, 1);
        for size in [0, 1, 2, 63, 64, 65, 66, 128, 129, 1000] {
            let mut expected: Vec<u32> = (0..size).collect();
            for last in (1..expected.len()).rev() {
                expected.swap(last, draws.below(last as u64, last as u32 + 1) as usize);
            }
            let mut found: Vec<u32> = (0..size).collect();
            assert!(shuffle(&mut found, &draws, &mut || true));
            assert_eq!(found, expected, "{size}");
        }
    }

    #[test]
    fn stops_after_ten_epochs_without_improvement_and_keeps_the_best() {
        let mut stopping = EarlyStopping::new(10);
        let mut heard = 0;
        while !stopping.is_over() {
            assert_eq!(stopping.certain(), if heard <= 3 { 11 - heard } else { 14 - heard });
            stopping.hear(if heard == 3 { 0.9 } else { 0.5 });
            heard += 1;
        }
        assert_eq!(stopping.certain(), 0);
        assert_eq!((heard, stopping.best), (14, 3));
    }

    #[test]
    fn finds_the_weights_a_logistic_model_made() {
        // Differences d and their mirror images -d, kept with probability 1/(1 + e^(-w.d)).
        let truth = [1.0, -2.0];
        let draws = crate::random::Draws::new(9, 9);
        let unit = |index: u64| draws.at(index) as f64 / u64::MAX as f64;
        let mut rows = Vec::new();
        for query in 0..40_000u64 {
            let d = [unit(3 * query) * 2.0 - 1.0, unit(3 * query + 1) * 2.0 - 1.0];
            let margin: f64 = d[0] * truth[0] + d[1] * truth[1];
            let sign = if unit(3 * query + 2) < 1.0 / (1.0 + (-margin).exp()) { 1.0 } else { -1.0 };
            rows.extend([(sign * d[0]) as f32, (sign * d[1]) as f32]);
        }
        let mut trainer = Trainer::new(&rows, 2, 1, 1, FitSettings::default()).unwrap();
        let mut weights = Vec::new();
        for _ in 0..20 {
            weights = trainer.epoch(&mut || true).unwrap().to_vec();
        }
        assert!((weights[0] - truth[0]).abs() < 0.1 && (weights[1] - truth[1]).abs() < 0.1, "{weights:?}");
    }
}
