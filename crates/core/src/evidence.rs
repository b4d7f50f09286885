//! Evidence: all that the history says about one query, before any weight is known.
//!
//! Every estimator has the form `(c + alpha B(z)) / (n + alpha)`. Against a candidate that its context never met,
//!
//! ```text
//! log P(z|x) = log B(z) + log(alpha / (n(x) + alpha)) + log(1 + c(x,z) / (alpha B(z)))
//!              base         same for every candidate      0 unless the cell exists
//! ```
//!
//! so a query is one or two base values a candidate, a constant a feature, and a short list of *lifts*: the last term,
//! for the few candidates that a context row holds. Features, scores, ranks, explanations and the training matrix are
//! all computed from this, each candidate by the same instructions, so equal evidence gives equal bits.

use crate::candidates::{CandidateMap, Candidates};
use crate::cell::Cell;
use crate::configuration::Backoff;
use crate::event::Query;
use crate::feature::Layout;
use crate::model::Model;
use crate::numeric::{exp, ln, ln_1p};
use crate::state::DestinationCell;

/// How much one context lifts one candidate above an unseen one, in one feature.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lift {
    /// Position among the candidates.
    pub candidate: u32,
    /// Position in phi.
    pub feature: u32,
    /// Added to that feature.
    pub value: f64,
}

/// The evidence of one query. Its buffers are reused from query to query.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    /// `log(1 + c(z)/alpha)`: log P(z) without its constant.
    pub popularity: Vec<f64>,
    /// log B(z) without its constant; empty under marginal backoff, where it is `popularity`.
    pub continuation: Vec<f64>,
    /// Global recency; empty if the configuration has none.
    pub global_recency: Vec<f64>,
    /// Every candidate met in a context row. The lifts of one candidate stand in the order of the features' rows.
    pub lifts: Vec<Lift>,
    /// For each feature: what its log-probability has besides base and lift. 0 for recencies.
    pub constants: Vec<f64>,
    /// For each feature: whether log B(z) is part of it. Not so for transitions from missing history positions.
    pub on_backoff: Vec<bool>,
    /// log B(z) without the candidate's own part.
    base_constant: f64,
}

/// Buffers for gathering evidence, kept by whoever asks many questions.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    /// The evidence gathered last.
    pub evidence: Evidence,
    map: CandidateMap,
    /// Decayed c(z) of each candidate.
    counts: Vec<f64>,
    /// 1 / (alpha B(z)) of each candidate.
    per_pseudocount: Vec<f64>,
    /// Co-occurrence of each candidate summed over the history, and the candidates met there.
    co: Vec<f64>,
    co_met: Vec<u32>,
}

impl Workspace {
    /// Empty buffers.
    pub fn new() -> Self {
        Self::default()
    }
}

impl<C: Cell> Model<C> {
    /// Gathers the evidence of `query` into `workspace.evidence`.
    pub fn gather(&self, query: Query, candidates: Candidates<'_>, workspace: &mut Workspace) {
        let Workspace { evidence, map, counts, per_pseudocount, co, co_met } = workspace;
        self.gather_bases(query, candidates, evidence, counts, per_pseudocount);
        map.fill(candidates, self.state.vocabulary_size());
        self.gather_source(query, candidates, evidence, map, per_pseudocount);
        co.clear();
        co.resize(counts.len(), 0.0);
        co_met.clear();
        self.gather_successors(query, candidates, evidence, map, per_pseudocount, (co, co_met));
        map.clear(candidates);
    }

    /// What each candidate has by itself, and the constants of the base distributions.
    fn gather_bases(
        &self,
        query: Query,
        candidates: Candidates<'_>,
        evidence: &mut Evidence,
        counts: &mut Vec<f64>,
        per_pseudocount: &mut Vec<f64>,
    ) {
        let Self { state, configuration, layout } = self;
        let alpha = configuration.alpha;
        let pseudocounts = alpha * state.vocabulary_size() as f64;
        let total = state.total.0 * state.decay.fade(state.total.1, query.time) + pseudocounts;
        let epoch = state.decay.epoch();
        let fade_now = state.decay.fade(epoch, query.time);
        let continued = configuration.backoff == Backoff::Continuation;

        evidence.clear(layout.width);
        counts.clear();
        let mut take = |cell: &DestinationCell| {
            let fade = if cell.epoch == epoch { fade_now } else { state.decay.fade(cell.epoch, query.time) };
            counts.push(cell.count * fade);
            if continued {
                evidence.continuation.push(f64::from(cell.continuation));
            }
            if layout.global_recency.is_some() {
                let recency = exp((cell.last - query.time) / configuration.recency);
                evidence.global_recency.push(if cell.count > 0.0 { recency } else { 0.0 });
            }
        };
        match candidates {
            Candidates::All => state.destinations.iter().for_each(&mut take),
            Candidates::These(list) => {
                let unseen = DestinationCell::default();
                list.iter().for_each(|z| take(state.destinations.get(z.index()).unwrap_or(&unseen)));
            }
        }

        // B(z) = (count + alpha) / whole, with the counts and the whole of the chosen backoff.
        let (base_counts, whole) = if continued {
            (&evidence.continuation, state.continuation_total as f64 + pseudocounts)
        } else {
            (&*counts, total)
        };
        per_pseudocount.clear();
        per_pseudocount.extend(base_counts.iter().map(|count| whole / (alpha * (count + alpha))));
        let per_alpha = 1.0 / alpha;
        evidence.popularity.extend(counts.iter().map(|count| ln_1p(count * per_alpha)));
        evidence.continuation.iter_mut().for_each(|count| *count = ln_1p(*count * per_alpha));
        evidence.constants[Layout::POPULARITY] = ln(alpha / total);
        evidence.base_constant = ln(alpha / whole);
    }

    /// P(z|u) and the recencies of the source's own visits.
    fn gather_source(
        &self,
        query: Query,
        candidates: Candidates<'_>,
        evidence: &mut Evidence,
        map: &CandidateMap,
        per_pseudocount: &[f64],
    ) {
        let table = &self.state.sources;
        let row = table.row(query.source.0);
        let fade = self.state.decay.fade(row.epoch, query.time);
        evidence.rest_on_backoff(Layout::SOURCE_HISTORY, self.context_constant(row.total * fade));
        let lifts = &mut evidence.lifts;
        map.meet(candidates, table, &row, |candidate, at| {
            let count = table.first(at).get() * fade;
            let value = ln_1p(count * per_pseudocount[candidate as usize]);
            lifts.push(Lift { candidate, feature: Layout::SOURCE_HISTORY as u32, value });
            let age = table.second(at) - query.time;
            for &(feature, scale) in &self.layout.recencies {
                lifts.push(Lift { candidate, feature: feature as u32, value: exp(age / scale) });
            }
        });
    }

    /// P(z|v_k) for every history position, and P_co over all of them.
    fn gather_successors(
        &self,
        query: Query,
        candidates: Candidates<'_>,
        evidence: &mut Evidence,
        map: &CandidateMap,
        per_pseudocount: &[f64],
        (co, co_met): (&mut [f64], &mut Vec<u32>),
    ) {
        let table = &self.state.successors;
        let windowed = self.layout.co_occurrence.is_some();
        let mut co_total = 0.0;
        for (k, context) in self.state.histories.of(query.source).iter().enumerate() {
            let feature = Layout::transition(k);
            let row = table.row(context.0);
            let fade = self.state.decay.fade(row.epoch, query.time);
            evidence.rest_on_backoff(feature, self.context_constant(row.total * fade));
            co_total += row.second_total * fade;
            let lifts = &mut evidence.lifts;
            map.meet(candidates, table, &row, |candidate, at| {
                let count = table.first(at).get();
                if count > 0.0 {
                    let value = ln_1p(count * fade * per_pseudocount[candidate as usize]);
                    lifts.push(Lift { candidate, feature: feature as u32, value });
                }
                if windowed {
                    let sum = &mut co[candidate as usize];
                    if *sum == 0.0 {
                        co_met.push(candidate);
                    }
                    *sum += table.second(at).get() * fade;
                }
            });
        }
        if let Some(feature) = self.layout.co_occurrence {
            evidence.rest_on_backoff(feature, self.context_constant(co_total));
            for &candidate in co_met.iter() {
                let sum = &mut co[candidate as usize];
                if *sum > 0.0 {
                    let value = ln_1p(*sum * per_pseudocount[candidate as usize]);
                    evidence.lifts.push(Lift { candidate, feature: feature as u32, value });
                    // A candidate may be noted twice if its first rows had faded to nothing.
                    *sum = 0.0;
                }
            }
        }
    }

    /// log(alpha / (n(x) + alpha)): what a context with `total` counts takes from every unseen candidate.
    fn context_constant(&self, total: f64) -> f64 {
        let alpha = self.configuration.alpha;
        ln(alpha / (total + alpha))
    }
}

impl Evidence {
    /// Number of candidates.
    pub fn len(&self) -> usize {
        self.popularity.len()
    }

    /// Whether there is no candidate.
    pub fn is_empty(&self) -> bool {
        self.popularity.is_empty()
    }

    /// The base values of the backoff in use.
    #[inline]
    pub fn backoff(&self) -> &[f64] {
        if self.continuation.is_empty() { &self.popularity } else { &self.continuation }
    }

    /// Writes phi of every candidate, one row of `layout.width` numbers each.
    pub fn write_features(&self, layout: &Layout, matrix: &mut [f64]) {
        let backoff = self.backoff();
        for (candidate, row) in matrix.chunks_exact_mut(layout.width).enumerate() {
            for (feature, value) in row.iter_mut().enumerate() {
                let base = if self.on_backoff[feature] { backoff[candidate] } else { 0.0 };
                *value = base + self.constants[feature];
            }
            row[Layout::POPULARITY] += self.popularity[candidate];
            if let Some(feature) = layout.global_recency {
                row[feature] = self.global_recency[candidate];
            }
        }
        for lift in &self.lifts {
            matrix[lift.candidate as usize * layout.width + lift.feature as usize] += lift.value;
        }
    }

    /// Bytes of a copy, which has no spare room.
    pub fn bytes(&self) -> usize {
        let numbers =
            self.popularity.len() + self.continuation.len() + self.global_recency.len() + self.constants.len();
        size_of::<Self>() + numbers * 8 + self.lifts.len() * size_of::<Lift>() + self.on_backoff.len()
    }

    fn clear(&mut self, width: usize) {
        self.popularity.clear();
        self.continuation.clear();
        self.global_recency.clear();
        self.lifts.clear();
        self.constants.clear();
        self.constants.resize(width, 0.0);
        self.on_backoff.clear();
        self.on_backoff.resize(width, false);
    }

    fn rest_on_backoff(&mut self, feature: usize, context_constant: f64) {
        self.on_backoff[feature] = true;
        self.constants[feature] = self.base_constant + context_constant;
    }
}
