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
use crate::decay::Fades;
use crate::event::Query;
use crate::feature::Layout;
use crate::id::Destination;
use crate::machine::{Kernel, wide};
use crate::model::Model;
use crate::numeric::ln;
use std::marker::PhantomData;

/// The lifts of one feature: how much a context lifts the candidates it holds above unseen ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// Position in phi.
    pub feature: u32,
    /// Where its lifts end; they begin where those of the span before end.
    pub end: u32,
}

/// All lifts of one query, wherever they are kept.
#[derive(Clone, Copy, Debug)]
pub struct Lifts<'a> {
    /// See [`Evidence`].
    pub met: &'a [u32],
    /// See [`Evidence`].
    pub values: &'a [f64],
    /// See [`Evidence`].
    pub spans: &'a [Span],
    /// See [`Evidence`].
    pub repeats: &'a [(u32, u32)],
}

impl<'a> Lifts<'a> {
    /// Each feature with the candidates it lifts and by how much.
    #[inline(always)]
    pub fn features(self) -> impl Iterator<Item = (usize, &'a [u32], &'a [f64])> {
        let mut begin = 0;
        self.spans.iter().map(move |span| {
            let range = begin..span.end as usize;
            begin = range.end;
            (span.feature as usize, &self.met[range.clone()], &self.values[range])
        })
    }
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
    /// Positions of the candidates met in context rows, span after span.
    pub met: Vec<u32>,
    /// What is added to the span's feature of each of them.
    pub lifts: Vec<f64>,
    /// Which feature each stretch of `met` and `lifts` belongs to, in an order that no search changes.
    pub spans: Vec<Span>,
    /// Candidates that stand among the candidates before, each with its first position: the lifts of the first are
    /// theirs, whatever `met` has of their own.
    pub repeats: Vec<(u32, u32)>,
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
    meetings: Meetings,
    /// Decayed c(z) of each candidate.
    counts: Vec<f64>,
    /// N1+(.z) of each candidate, under continuation backoff.
    continuation: Vec<f64>,
    /// Co-occurrence of each candidate summed over the history.
    co: Vec<f64>,
    co_met: Vec<u32>,
}

impl Workspace {
    /// Empty buffers.
    pub fn new() -> Self {
        Self::default()
    }
}

/// Candidates as they are met, before their logarithms: equally long columns, of which `length` are filled. Writing
/// always happens, and only counting depends on whether the candidate was there.
#[derive(Clone, Debug, Default)]
struct Meetings {
    length: usize,
    candidates: Vec<u32>,
    /// The context's count of the candidate.
    counts: Vec<f64>,
    /// The count that B(z) is made from.
    bases: Vec<f64>,
    /// Time since the source's visit; only in front, for its own row.
    ages: Vec<f64>,
}

impl Meetings {
    /// Makes room for so many more.
    fn reserve(&mut self, more: usize) {
        let size = self.length + more;
        if size > self.candidates.len() {
            self.candidates.resize(size, 0);
            self.counts.resize(size, 0.0);
            self.bases.resize(size, 0.0);
            self.ages.resize(size, 0.0);
        }
    }

    #[inline(always)]
    fn put(&mut self, keep: bool, candidate: u32, count: f64, base: f64) {
        let at = self.length;
        self.candidates[at] = candidate;
        self.counts[at] = count;
        self.bases[at] = base;
        self.length = at + usize::from(keep);
    }
}

/// `ln(1 + x scale)` of every count.
struct BaseLogs<'a, C> {
    counts: &'a [f64],
    scale: f64,
    logs: &'a mut Vec<f64>,
    cell: PhantomData<C>,
}

impl<C: Cell> Kernel for BaseLogs<'_, C> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.logs.extend(self.counts.iter().map(|count| C::ln_1p(count * self.scale)));
    }
}

/// `ln(1 + c/(alpha B))` of every meeting, with `alpha B = alpha (base + alpha) / whole`.
struct LiftLogs<'a, C> {
    counts: &'a [f64],
    bases: &'a [f64],
    alpha: f64,
    whole_per_alpha: f64,
    logs: &'a mut Vec<f64>,
    cell: PhantomData<C>,
}

impl<C: Cell> Kernel for LiftLogs<'_, C> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let pairs = self.counts.iter().zip(self.bases);
        self.logs.extend(pairs.map(|(c, base)| C::ln_1p(c * (self.whole_per_alpha / (base + self.alpha)))));
    }
}

/// `exp((t_last - now) / scale)`.
struct Recencies<'a, C> {
    last: &'a [f64],
    now: f64,
    rate: f64,
    values: &'a mut Vec<f64>,
    cell: PhantomData<C>,
}

impl<C: Cell> Kernel for Recencies<'_, C> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.values.extend(self.last.iter().map(|last| C::exp((last - self.now) * self.rate)));
    }
}

impl<C: Cell> Model<C> {
    /// Gathers the evidence of `query` into `workspace.evidence`.
    pub fn gather(&self, query: Query, candidates: Candidates<'_>, workspace: &mut Workspace) {
        let Self { state, configuration, layout } = self;
        state.sources.prefetch_row(query.source.0);
        for context in state.histories.of(query.source) {
            state.successors.prefetch_row(context.0);
        }
        let fades = state.decay.fades(query.time);
        let alpha = configuration.alpha;
        let pseudocounts = alpha * state.vocabulary_size() as f64;
        let total = state.total.0 * fades.of(state.total.1) + pseudocounts;
        let continued = configuration.backoff == Backoff::Continuation;
        let whole = if continued { state.continuation_total as f64 + pseudocounts } else { total };
        let evidence = &mut workspace.evidence;
        evidence.clear(layout.width);
        evidence.constants[Layout::POPULARITY] = ln(alpha / total);
        evidence.base_constant = ln(alpha / whole);

        self.gather_bases(query, &fades, candidates, workspace);
        workspace.map.fill(candidates, state.vocabulary_size());
        workspace.meetings.length = 0;
        self.meet_source(query, &fades, candidates, workspace);
        let own = workspace.meetings.length;
        self.meet_successors(query, &fades, candidates, workspace);
        workspace.map.clear(candidates);

        let Workspace { evidence, map, meetings, .. } = workspace;
        let met = ..meetings.length;
        evidence.met.extend_from_slice(&meetings.candidates[met]);
        wide(LiftLogs::<C> {
            counts: &meetings.counts[met],
            bases: &meetings.bases[met],
            alpha,
            whole_per_alpha: whole / alpha,
            logs: &mut evidence.lifts,
            cell: PhantomData,
        });
        for &(feature, scale) in &layout.recencies {
            evidence.met.extend_from_slice(&meetings.candidates[..own]);
            let (last, values) = (&meetings.ages[..own], &mut evidence.lifts);
            wide(Recencies::<C> { last, now: 0.0, rate: 1.0 / scale, values, cell: PhantomData });
            evidence.end_span(feature, evidence.met.len());
        }
        evidence.repeats.extend_from_slice(map.repeats());
    }

    /// What each candidate has by itself.
    fn gather_bases(&self, query: Query, fades: &Fades<'_>, candidates: Candidates<'_>, workspace: &mut Workspace) {
        let Self { state, configuration, layout } = self;
        let columns = &state.destinations;
        let Workspace { evidence, counts, continuation, .. } = workspace;
        counts.clear();
        continuation.clear();
        let continued = configuration.backoff == Backoff::Continuation;
        let per_alpha = 1.0 / configuration.alpha;
        let mut recencies = |last: &[f64]| {
            let values = &mut evidence.global_recency;
            wide(Recencies::<C> {
                last,
                now: query.time,
                rate: 1.0 / configuration.recency,
                values,
                cell: PhantomData,
            });
        };
        match candidates {
            Candidates::All => {
                if fades.is_one() {
                    counts.extend(columns.counts.iter().map(|count| count * fades.now));
                } else {
                    counts.extend((0..columns.len() as u32).map(|z| columns.count(Destination(z), fades)));
                }
                if continued {
                    continuation.extend(columns.continuation.iter().map(|&count| f64::from(count)));
                }
                if layout.global_recency.is_some() {
                    recencies(&columns.last);
                }
            }
            Candidates::These(list) => {
                if layout.global_recency.is_some() {
                    counts.extend(list.iter().map(|&z| columns.last(z)));
                    recencies(counts);
                    counts.clear();
                }
                counts.extend(list.iter().map(|&z| columns.count(z, fades)));
                if continued {
                    continuation.extend(list.iter().map(|&z| f64::from(columns.continuation(z))));
                }
            }
        }
        let logs = &mut evidence.popularity;
        wide(BaseLogs::<C> { counts, scale: per_alpha, logs, cell: PhantomData });
        if continued {
            let logs = &mut evidence.continuation;
            wide(BaseLogs::<C> { counts: continuation, scale: per_alpha, logs, cell: PhantomData });
        }
    }

    /// P(z|u) and when the source visited each candidate.
    fn meet_source(&self, query: Query, fades: &Fades<'_>, candidates: Candidates<'_>, workspace: &mut Workspace) {
        let Workspace { evidence, map, meetings, counts, continuation, .. } = workspace;
        let bases: &[f64] = if continuation.is_empty() { counts } else { continuation };
        let table = &self.state.sources;
        let row = table.row(query.source.0);
        let fade = fades.of(row.epoch);
        evidence.rest_on_backoff(Layout::SOURCE_HISTORY, self.context_constant(row.total * fade));
        meetings.reserve(bases.len() + 1);
        map.meet(candidates, table, &row, |found, candidate, at| {
            meetings.ages[meetings.length] = table.second(at) - query.time;
            meetings.put(found, candidate, table.first(at).get() * fade, bases[candidate as usize]);
        });
        evidence.end_span(Layout::SOURCE_HISTORY, meetings.length);
    }

    /// P(z|v_k) for every history position, and P_co over all of them.
    fn meet_successors(&self, query: Query, fades: &Fades<'_>, candidates: Candidates<'_>, workspace: &mut Workspace) {
        let Workspace { evidence, map, meetings, counts, continuation, co, co_met } = workspace;
        let bases: &[f64] = if continuation.is_empty() { counts } else { continuation };
        let table = &self.state.successors;
        let windowed = self.layout.co_occurrence.is_some();
        if windowed {
            co.resize(bases.len().max(co.len()), 0.0);
            co_met.clear();
        }
        let mut co_total = 0.0;
        for (k, context) in self.state.histories.of(query.source).iter().enumerate() {
            let feature = Layout::transition(k);
            let row = table.row(context.0);
            let fade = fades.of(row.epoch);
            evidence.rest_on_backoff(feature, self.context_constant(row.total * fade));
            meetings.reserve(bases.len() + 1);
            if windowed {
                co_total += row.second_total * fade;
                let mut length = co_met.len();
                co_met.resize(length + bases.len() + 1, 0);
                map.meet(candidates, table, &row, |found, candidate, at| {
                    let count = table.first(at).get();
                    meetings.put(found & (count > 0.0), candidate, count * fade, bases[candidate as usize]);
                    let sum = &mut co[candidate as usize];
                    co_met[length] = candidate;
                    length += usize::from(found & (*sum == 0.0));
                    *sum += if found { table.second(at).get() * fade } else { 0.0 };
                });
                co_met.truncate(length);
            } else {
                map.meet(candidates, table, &row, |found, candidate, at| {
                    meetings.put(found, candidate, table.first(at).get() * fade, bases[candidate as usize]);
                });
            }
            evidence.end_span(feature, meetings.length);
        }
        if let Some(feature) = self.layout.co_occurrence {
            evidence.rest_on_backoff(feature, self.context_constant(co_total));
            meetings.reserve(co_met.len() + 1);
            for &candidate in co_met.iter() {
                // A candidate stands here twice if its first rows had faded to nothing; then its sum is zero by now.
                let sum = std::mem::take(&mut co[candidate as usize]);
                meetings.put(sum > 0.0, candidate, sum, bases[candidate as usize]);
            }
            evidence.end_span(feature, meetings.length);
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
        for (feature, met, lifts) in self.lifts().features() {
            for (&candidate, lift) in met.iter().zip(lifts) {
                matrix[candidate as usize * layout.width + feature] += lift;
            }
        }
        for &(repeat, first) in &self.repeats {
            let first = first as usize * layout.width;
            matrix.copy_within(first..first + layout.width, repeat as usize * layout.width);
        }
    }

    /// All lifts.
    #[inline(always)]
    pub fn lifts(&self) -> Lifts<'_> {
        Lifts { met: &self.met, values: &self.lifts, spans: &self.spans, repeats: &self.repeats }
    }

    fn clear(&mut self, width: usize) {
        self.popularity.clear();
        self.continuation.clear();
        self.global_recency.clear();
        self.met.clear();
        self.lifts.clear();
        self.spans.clear();
        self.repeats.clear();
        self.constants.clear();
        self.constants.resize(width, 0.0);
        self.on_backoff.clear();
        self.on_backoff.resize(width, false);
    }

    fn end_span(&mut self, feature: usize, end: usize) {
        self.spans.push(Span { feature: feature as u32, end: end as u32 });
    }

    fn rest_on_backoff(&mut self, feature: usize, context_constant: f64) {
        self.on_backoff[feature] = true;
        self.constants[feature] = self.base_constant + context_constant;
    }
}
