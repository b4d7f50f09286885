//! Fit: the weights of the scoring rule, from matrices alone.
//!
//! Sampled softmax over the positive and its negatives. With differences `d_j = phi(positive) - phi(negative j)` the loss
//! of a query is `log(1 + sum_j exp(-w . d_j))`; with one negative that is the logistic loss on the difference. Adam with
//! the gradient's mean over a batch, clipped to norm one. Whoever trains never sees an event, only these rows, so no test
//! event can reach the weights.

use crate::error::{Error, ErrorKind, Result};
use crate::numeric::exp;
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
    rows: &'a [f32],
    width: usize,
    negatives: usize,
    seed: u64,
    epoch: u64,
    order: Vec<u32>,
    weights: Vec<f64>,
    momentum: Vec<f64>,
    scale: Vec<f64>,
    /// beta_1^t and beta_2^t.
    powers: (f64, f64),
    gradient: Vec<f64>,
    odds: Vec<f64>,
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
            rows,
            width,
            negatives,
            seed,
            epoch: 0,
            order: (0..queries).collect(),
            weights: vec![0.0; width],
            momentum: vec![0.0; width],
            scale: vec![0.0; width],
            powers: (1.0, 1.0),
            gradient: vec![0.0; width],
            odds: vec![0.0; negatives],
        })
    }

    /// One pass over all queries in a new order; the weights after it. `go_on` is asked now and then.
    pub fn epoch(&mut self, go_on: &mut dyn FnMut() -> bool) -> Result<&[f64]> {
        self.epoch += 1;
        // Stream 0 of the seed drew the negatives.
        shuffle(&mut self.order, &Draws::new(self.seed, self.epoch));
        let order = std::mem::take(&mut self.order);
        let mut stopped = false;
        for (number, batch) in order.chunks(self.settings.batch).enumerate() {
            if number % 256 == 0 && !go_on() {
                stopped = true;
                break;
            }
            self.gradient.fill(0.0);
            for &query in batch {
                self.add_gradient(query as usize);
            }
            self.step(batch.len());
        }
        self.order = order;
        if stopped { Err(Error::new(ErrorKind::Interrupted)) } else { Ok(&self.weights) }
    }

    /// Adds -dLoss/dw of one query: `sum_j p_j d_j`, with p_j the probability given to negative j.
    #[inline]
    fn add_gradient(&mut self, query: usize) {
        let size = self.width * self.negatives;
        let rows = &self.rows[query * size..(query + 1) * size];
        let mut all = 1.0;
        for (odds, row) in self.odds.iter_mut().zip(rows.chunks_exact(self.width)) {
            let margin: f64 = row.iter().zip(&self.weights).map(|(&x, w)| f64::from(x) * w).sum();
            // Beyond this the probability is one to the last bit anyway, and sums stay finite.
            *odds = exp((-margin).min(600.0));
            all += *odds;
        }
        for (odds, row) in self.odds.iter().zip(rows.chunks_exact(self.width)) {
            let probability = odds / all;
            self.gradient.iter_mut().zip(row).for_each(|(g, &x)| *g += probability * f64::from(x));
        }
    }

    /// Adam's step down the mean loss of a batch.
    fn step(&mut self, queries: usize) {
        let mean = 1.0 / queries as f64;
        let norm = mean * self.gradient.iter().map(|g| g * g).sum::<f64>().sqrt();
        let factor = if norm > self.settings.clip { mean * self.settings.clip / norm } else { mean };
        self.powers = (self.powers.0 * BETA.0, self.powers.1 * BETA.1);
        for (at, upward) in self.gradient.iter().enumerate() {
            let slope = -upward * factor;
            self.momentum[at] = BETA.0 * self.momentum[at] + (1.0 - BETA.0) * slope;
            self.scale[at] = BETA.1 * self.scale[at] + (1.0 - BETA.1) * slope * slope;
            let momentum = self.momentum[at] / (1.0 - self.powers.0);
            let scale = (self.scale[at] / (1.0 - self.powers.1)).sqrt();
            self.weights[at] -= self.settings.learning_rate * momentum / (scale + EPSILON);
        }
    }
}

/// Fisher and Yates, from the back.
fn shuffle(order: &mut [u32], draws: &Draws) {
    for last in (1..order.len()).rev() {
        let other = draws.below(last as u64, last as u32 + 1) as usize;
        order.swap(last, other);
    }
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

    /// Whether `patience` epochs have passed without a better one.
    pub fn is_over(&self) -> bool {
        self.history.len() > self.best + self.patience
    }
}

#[cfg(test)]
mod tests {
    use super::{EarlyStopping, FitSettings, Trainer};

    #[test]
    fn stops_after_ten_epochs_without_improvement_and_keeps_the_best() {
        let mut stopping = EarlyStopping::new(10);
        let mut heard = 0;
        while !stopping.is_over() {
            stopping.hear(if heard == 3 { 0.9 } else { 0.5 });
            heard += 1;
        }
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
