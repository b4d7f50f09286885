//! Selection: train every seed, judge every epoch on the validation queries, keep the best.

use crate::cell::Cell;
use crate::error::{Error, Result};
use crate::fit::{EarlyStopping, FitSettings, Trainer};
use crate::model::Model;
use crate::parallel;
use crate::ranker::{CandidateRows, Ranking, mean_reciprocal_ranks};
use crate::replay::{Plan, Watch, replay};
use crate::validation::{Keeping, KeptBlock, judge_kept};

/// Fewest epochs whose weights are judged in one pass over the stream, where evidence is not kept: training some in vain
/// costs less than one more pass.
const EPOCHS_PER_PASS: usize = 25;

/// The training matrix of one seed.
#[derive(Clone, Copy, Debug)]
pub struct SeedRows<'a> {
    /// Governs negatives and shuffling.
    pub seed: u64,
    /// Feature differences, from [`Extraction`](crate::extract::Extraction): every feature, or the `features` alone.
    pub rows: &'a [f32],
    /// Which of the model's features the rows hold, rising; none named are all. Weights of the others stay zero, and a
    /// weight of zero adds exactly nothing to a score: the fit is that of a model without those features.
    pub features: Option<&'a [usize]>,
}

/// The outcome of one seed.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted {
    /// The seed.
    pub seed: u64,
    /// Weights of the best epoch.
    pub weights: Vec<f64>,
    /// The best epoch, counted from 1.
    pub epoch: usize,
    /// Validation MRR after each epoch.
    pub history: Vec<f64>,
}

/// How validation was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValidationReport {
    /// Whether evidence was kept, or the queries replayed.
    pub kept: bool,
    /// Bytes of kept evidence; or those of which it was known that they would not fit.
    pub bytes: usize,
}

/// Everything a fit of several seeds needs.
pub struct Selection<'a, C> {
    /// The model after the training events, or one that has observed nothing.
    pub model: &'a Model<C>,
    /// The validation queries, event-wise.
    pub plan: Plan<'a>,
    /// Threads for all that needs no history of its own.
    pub threads: usize,
    /// Their candidates.
    pub candidates: CandidateRows<'a>,
    /// How to learn.
    pub settings: FitSettings,
    /// Negatives for each positive in the matrices.
    pub negatives: usize,
    /// Most bytes of evidence to keep; more is replayed instead, with the same result.
    pub budget: usize,
}

/// A seed on its way.
struct Run<'a> {
    trainer: Trainer<'a>,
    stopping: EarlyStopping,
    /// Weights after each epoch, one for each of the model's features.
    weights: Vec<Vec<f64>>,
    features: Option<&'a [usize]>,
    width: usize,
}

/// Weights of some features among zeros for the others.
fn spread(weights: &[f64], features: Option<&[usize]>, width: usize) -> Vec<f64> {
    let Some(features) = features else { return weights.to_vec() };
    let mut all = vec![0.0; width];
    features.iter().zip(weights).for_each(|(&feature, &weight)| all[feature] = weight);
    all
}

impl Run<'_> {
    fn is_over(&self, settings: &FitSettings) -> bool {
        self.stopping.is_over() || self.stopping.history.len() >= settings.epochs
    }

    /// Trains on, as far as it is certain to be needed, and for `least` epochs in any case.
    fn train(&mut self, least: usize, settings: &FitSettings, go_on: &mut dyn FnMut() -> bool) -> Result<()> {
        if self.is_over(settings) {
            return Ok(());
        }
        let ahead = self.stopping.certain().max(least);
        let until = self.weights.len().saturating_add(ahead).min(settings.epochs);
        while self.weights.len() < until {
            let weights = self.trainer.epoch(go_on)?;
            self.weights.push(spread(weights, self.features, self.width));
        }
        Ok(())
    }

    /// Weights whose MRR is not known yet.
    fn unjudged(&self) -> &[Vec<f64>] {
        &self.weights[self.stopping.history.len()..]
    }

    /// Hears the MRR of all weights that were unjudged.
    fn hear(&mut self, judged: &mut impl Iterator<Item = f64>, settings: &FitSettings) {
        for mrr in judged.take(self.unjudged().len()) {
            // Epochs trained beyond the end do not count: epoch by epoch, the run would have stopped there.
            if !self.is_over(settings) {
                self.stopping.hear(mrr);
            }
        }
        self.weights.truncate(self.stopping.history.len());
    }

    fn finished(self, seed: u64) -> Fitted {
        let EarlyStopping { history, best, .. } = self.stopping;
        Fitted { seed, weights: self.weights[best].clone(), epoch: best + 1, history }
    }
}

impl<C: Cell + Sync> Selection<'_, C> {
    /// Fits all seeds: some epochs of each, then one pass over the validation queries that judges them all, and so on.
    /// The slow form trains and judges epoch by epoch, and comes to the same weights.
    pub fn fit(&self, seeds: &[SeedRows<'_>], watch: &mut dyn Watch) -> Result<(Vec<Fitted>, ValidationReport)> {
        let (blocks, report) = self.keep(watch)?;
        let mut runs = seeds.iter().map(|seed| self.run(seed)).collect::<Result<Vec<_>>>()?;
        // Judging from kept evidence costs so little that no epoch need be trained in vain.
        let least = if report.kept { 1 } else { EPOCHS_PER_PASS };
        while runs.iter().any(|run| !run.is_over(&self.settings)) {
            runs = parallel::each(runs, self.threads, watch, |mut run, go_on| {
                run.train(least, &self.settings, go_on)?;
                Ok(run)
            })?;
            let lanes: Vec<Vec<f64>> = runs.iter().flat_map(|run| run.unjudged().to_vec()).collect();
            let mut judged = self.judge(blocks.as_deref(), &lanes, watch)?.into_iter();
            runs.iter_mut().for_each(|run| run.hear(&mut judged, &self.settings));
        }
        Ok((runs.into_iter().zip(seeds).map(|(run, seed)| run.finished(seed.seed)).collect(), report))
    }

    fn run<'b>(&self, seed: &SeedRows<'b>) -> Result<Run<'b>> {
        let width = self.model.layout.width;
        let features = seed.features;
        if features
            .is_some_and(|some| some.last().is_some_and(|&last| last >= width) || !some.is_sorted_by(|a, b| a < b))
        {
            return Err(Error::shape(format!("features {features:?} are no rising places among {width}")));
        }
        let taken = features.map_or(width, <[usize]>::len);
        Ok(Run {
            trainer: Trainer::new(seed.rows, taken, self.negatives, seed.seed, self.settings)?,
            stopping: EarlyStopping::new(self.settings.patience),
            weights: Vec::new(),
            features,
            width,
        })
    }

    /// The evidence of all validation queries, if it fits the budget.
    fn keep(&self, watch: &mut dyn Watch) -> Result<(Option<Vec<KeptBlock>>, ValidationReport)> {
        let (first, end) = self.plan.examined;
        let fewest = Keeping::fewest_bytes(&self.candidates, end - first, self.model);
        if fewest > self.budget {
            return Ok((None, ValidationReport { kept: false, bytes: fewest }));
        }
        let keeping = Keeping::new(self.candidates, self.budget);
        let (blocks, _) = replay(self.model.clone(), &self.plan, &keeping, watch)?;
        let report = ValidationReport { kept: keeping.fits(), bytes: keeping.bytes() };
        Ok((report.kept.then_some(blocks), report))
    }

    /// MRR of every lane, from kept evidence or by another replay.
    fn judge(&self, kept: Option<&[KeptBlock]>, lanes: &[Vec<f64>], watch: &mut dyn Watch) -> Result<Vec<f64>> {
        let blocks = match kept {
            Some(blocks) => judge_kept(blocks, &self.model.layout, lanes, self.threads, watch)?,
            None => {
                let ranking = Ranking { rows: self.candidates, lanes, keep: false };
                replay(self.model.clone(), &self.plan, &ranking, watch)?.0
            }
        };
        Ok(mean_reciprocal_ranks(&blocks, lanes.len()))
    }
}
