//! Selection: train every seed, judge every epoch on the validation queries, keep the best.

use crate::cell::Cell;
use crate::error::Result;
use crate::fit::{EarlyStopping, FitSettings, Trainer};
use crate::model::Model;
use crate::parallel;
use crate::ranker::{CandidateRows, Ranking, mean_reciprocal_ranks};
use crate::replay::{Plan, Watch, replay};
use crate::validation::{Keeping, KeptBlock, kept_mrr};

/// Epochs whose weights are judged in one pass over the stream, where evidence is not kept.
const EPOCHS_PER_PASS: usize = 25;

/// The training matrix of one seed.
#[derive(Clone, Copy, Debug)]
pub struct SeedRows<'a> {
    /// Governs negatives and shuffling.
    pub seed: u64,
    /// Feature differences, from [`Extraction`](crate::extract::Extraction).
    pub rows: &'a [f32],
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
    /// Bytes of kept evidence, or at which the budget ran out.
    pub bytes: usize,
}

/// Everything a fit of several seeds needs.
pub struct Selection<'a, C> {
    /// The model after the training events.
    pub model: &'a Model<C>,
    /// The validation queries, event-wise.
    pub plan: Plan<'a>,
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
    /// Weights after each epoch.
    weights: Vec<Vec<f64>>,
}

impl Run<'_> {
    fn hear(&mut self, mrr: f64) {
        self.stopping.hear(mrr);
    }

    fn is_over(&self, settings: &FitSettings) -> bool {
        self.stopping.is_over() || self.stopping.history.len() >= settings.epochs
    }

    fn finished(self, seed: u64) -> Fitted {
        let EarlyStopping { history, best, .. } = self.stopping;
        Fitted { seed, weights: self.weights[best].clone(), epoch: best + 1, history }
    }
}

impl<C: Cell + Sync> Selection<'_, C> {
    /// Fits all seeds.
    pub fn fit(&self, seeds: &[SeedRows<'_>], watch: &mut dyn Watch) -> Result<(Vec<Fitted>, ValidationReport)> {
        let keeping = Keeping::new(self.candidates, self.budget);
        let (blocks, _) = replay(self.model.clone(), &self.plan, &keeping, watch)?;
        let report = ValidationReport { kept: keeping.fits(), bytes: keeping.bytes() };
        let runs = seeds.iter().map(|seed| self.run(seed)).collect::<Result<Vec<_>>>()?;
        let runs = if report.kept {
            self.fit_kept(runs, &blocks, watch)?
        } else {
            drop(blocks);
            self.fit_replayed(runs, watch)?
        };
        Ok((runs.into_iter().zip(seeds).map(|(run, seed)| run.finished(seed.seed)).collect(), report))
    }

    fn run<'b>(&self, seed: &SeedRows<'b>) -> Result<Run<'b>> {
        Ok(Run {
            trainer: Trainer::new(seed.rows, self.model.layout.width, self.negatives, seed.seed, self.settings)?,
            stopping: EarlyStopping::new(self.settings.patience),
            weights: Vec::new(),
        })
    }

    /// Each seed by itself: an epoch, its MRR from the kept evidence, and so on.
    fn fit_kept<'b>(&self, runs: Vec<Run<'b>>, blocks: &[KeptBlock], watch: &mut dyn Watch) -> Result<Vec<Run<'b>>> {
        parallel::each(runs, self.plan.threads, watch, |mut run, go_on| {
            let mut scores = Vec::new();
            while !run.is_over(&self.settings) {
                let weights = run.trainer.epoch(go_on)?.to_vec();
                run.hear(kept_mrr(blocks, &self.model.layout, &weights, &mut scores));
                run.weights.push(weights);
            }
            Ok(run)
        })
    }

    /// All seeds together: some epochs of each, then one replay that judges them all.
    fn fit_replayed<'b>(&self, mut runs: Vec<Run<'b>>, watch: &mut dyn Watch) -> Result<Vec<Run<'b>>> {
        while runs.iter().any(|run| !run.is_over(&self.settings)) {
            runs = parallel::each(runs, self.plan.threads, watch, |mut run, go_on| {
                let until = (run.weights.len() + EPOCHS_PER_PASS).min(self.settings.epochs);
                while !run.is_over(&self.settings) && run.weights.len() < until {
                    let weights = run.trainer.epoch(go_on)?.to_vec();
                    run.weights.push(weights);
                }
                Ok(run)
            })?;
            let lanes: Vec<Vec<f64>> = runs
                .iter()
                .flat_map(|run| run.weights[run.stopping.history.len().min(run.weights.len())..].to_vec())
                .collect();
            let ranking = Ranking { rows: self.candidates, lanes: lanes.as_slice(), keep: false };
            let (blocks, _) = replay(self.model.clone(), &self.plan, &ranking, watch)?;
            let mut judged = mean_reciprocal_ranks(&blocks, lanes.len()).into_iter();
            for run in &mut runs {
                for mrr in judged.by_ref().take(run.weights.len() - run.stopping.history.len()) {
                    // Epochs trained beyond the end do not count: alone, the run would have stopped there.
                    if !run.is_over(&self.settings) {
                        run.hear(mrr);
                    }
                }
                run.weights.truncate(run.stopping.history.len());
            }
        }
        Ok(runs)
    }
}
