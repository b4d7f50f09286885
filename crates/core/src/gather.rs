//! Gathering: how evidence comes about. The candidates' own counts are looked up, then every row of the context is met:
//! the whole row, or as much of it as the candidates ask for.

use crate::candidates::{CandidateMap, Candidates, Met, Sought};
use crate::cell::Cell;
use crate::configuration::Backoff;
use crate::decay::Fades;
use crate::event::Query;
use crate::evidence::Evidence;
use crate::feature::Layout;
use crate::few::{Lifting, few};
use crate::id::Destination;
use crate::logs::{BaseLogs, LiftLogs, Recencies};
use crate::machine::{Kernel, Machine, wide};
use crate::meetings::Meetings;
use crate::model::Model;
use std::marker::PhantomData;

/// Buffers for gathering evidence, kept by whoever asks many questions.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    /// The evidence gathered last.
    pub evidence: Evidence,
    map: CandidateMap,
    /// The rows of the history, newest first.
    sought: Vec<Sought>,
    meetings: Meetings,
    bases: Bases,
    /// Decayed c(z) of each candidate, unless they stand in the state as they are.
    counts: Vec<f64>,
    /// N1+(.z) of each candidate, under continuation backoff.
    continuation: Vec<f64>,
    /// Co-occurrence of each candidate summed over the history.
    co: Vec<f64>,
    co_met: Vec<u32>,
    /// Of few candidates, the base of each that is met.
    bases_met: Vec<f64>,
}

impl Workspace {
    /// Empty buffers.
    pub fn new() -> Self {
        Self::default()
    }
}

/// Where the counts of the candidates themselves are.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Bases {
    /// The candidates are all destinations, and their counts are the state's times this.
    pub(crate) whole: Option<f64>,
    /// The time asked about.
    pub(crate) time: f64,
    /// Whether the logarithms are still to be taken.
    due: bool,
}

/// Exactly so many numbers, all to be written: what is there already is not first set to zero.
#[inline(always)]
fn room(numbers: &mut Vec<f64>, size: usize) -> &mut [f64] {
    numbers.resize(size, 0.0);
    numbers.as_mut_slice()
}

impl Bases {
    /// The counts as they are stored, and what they are to be multiplied by.
    #[inline(always)]
    fn counts<'a>(&self, own: &'a [f64], all: &'a [f64]) -> (&'a [f64], f64) {
        self.whole.map_or((own, 1.0), |fade| (all, fade))
    }
}

struct TakingLogs<'a, C> {
    model: &'a Model<C>,
    workspace: &'a mut Workspace,
}

impl<C: Cell> Kernel for TakingLogs<'_, C> {
    type Output = ();

    #[inline(always)]
    fn run(self, machine: impl Machine) {
        self.model.take_logs_on(machine, self.workspace);
    }
}

struct Gathering<'a, C> {
    model: &'a Model<C>,
    query: Query,
    candidates: Candidates<'a>,
    workspace: &'a mut Workspace,
}

impl<C: Cell> Kernel for Gathering<'_, C> {
    type Output = ();

    #[inline(always)]
    fn run(self, machine: impl Machine) {
        self.model.gather_on(machine, self.query, self.candidates, self.workspace);
    }
}

impl<C: Cell> Model<C> {
    /// Gathers the evidence of `query` into `workspace.evidence`.
    pub fn gather(&self, query: Query, candidates: Candidates<'_>, workspace: &mut Workspace) {
        self.look_up(query, candidates, workspace);
        self.take_logs(workspace);
    }

    /// Gathers everything but what each candidate has by itself, for which [`take_logs`](Self::take_logs) must follow.
    /// In between some may know of a way around most of the logarithms.
    pub(crate) fn look_up(&self, query: Query, candidates: Candidates<'_>, workspace: &mut Workspace) {
        wide(Gathering { model: self, query, candidates, workspace });
    }

    /// Completes the evidence that was looked up last.
    pub(crate) fn take_logs(&self, workspace: &mut Workspace) {
        if std::mem::take(&mut workspace.bases.due) {
            wide(TakingLogs { model: self, workspace });
        }
    }

    #[inline(always)]
    fn gather_on(&self, machine: impl Machine, query: Query, candidates: Candidates<'_>, workspace: &mut Workspace) {
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
        evidence.clear(layout.width, (alpha / total, alpha / whole));

        self.look_up_bases(machine, query, &fades, candidates, workspace);
        if let Some(list) = few(candidates) {
            let Workspace { evidence, counts, continuation, bases_met, .. } = workspace;
            let bases = if continuation.is_empty() { counts } else { continuation };
            let mut lifting = Lifting { bases, bases_met, alpha, whole_per_alpha: whole / alpha };
            return self.meet_few(query, &fades, list, &mut lifting, evidence);
        }
        workspace.map.fill(candidates, state.vocabulary_size());
        let far = state.is_large();
        let Workspace { map, sought, .. } = workspace;
        let source = map.seek(machine, candidates, &state.sources, state.sources.row(query.source.0), far);
        sought.clear();
        for context in state.histories.of(query.source) {
            let row = state.successors.row(context.0);
            sought.push(map.seek(machine, candidates, &state.successors, row, far));
        }
        workspace.meetings.length = 0;
        self.meet_source(machine, query, &fades, candidates, &source, workspace);
        let own = workspace.meetings.length;
        self.meet_successors(machine, &fades, candidates, workspace);
        workspace.map.clear(candidates);

        let Workspace { evidence, map, meetings, .. } = workspace;
        let met = ..meetings.length;
        evidence.met.extend_from_slice(&meetings.candidates[met]);
        let lifts = room(&mut evidence.lifts, meetings.length + own * layout.recencies.len());
        let (logs, recencies) = lifts.split_at_mut(meetings.length);
        LiftLogs::<C> {
            counts: &meetings.counts[met],
            bases: &meetings.bases[met],
            alpha,
            whole_per_alpha: whole / alpha,
            logs,
            cell: PhantomData,
        }
        .run(machine);
        for (&(_, scale), values) in layout.recencies.iter().zip(recencies.chunks_exact_mut(own.max(1))) {
            evidence.met.extend_from_slice(&meetings.candidates[..own]);
            let last = &meetings.ages[..own];
            Recencies::<C> { last, now: 0.0, rate: 1.0 / scale, values, cell: PhantomData }.run(machine);
        }
        for (n, &(feature, _)) in layout.recencies.iter().enumerate() {
            evidence.end_span(feature, meetings.length + (n + 1) * own);
        }
        evidence.repeats.extend_from_slice(map.repeats());
    }

    /// What is counted of each candidate by itself.
    #[inline(always)]
    fn look_up_bases(
        &self,
        machine: impl Machine,
        query: Query,
        fades: &Fades,
        candidates: Candidates<'_>,
        workspace: &mut Workspace,
    ) {
        let Self { state, configuration, layout } = self;
        let columns = &state.destinations;
        let Workspace { evidence, counts, continuation, bases, .. } = workspace;
        continuation.clear();
        let continued = configuration.backoff == Backoff::Continuation;
        *bases = Bases { whole: None, time: query.time, due: true };
        match candidates {
            Candidates::All => {
                if fades.is_one() {
                    bases.whole = Some(fades.now);
                } else {
                    let all = (0..columns.len() as u32).map(Destination);
                    room(counts, columns.len()).iter_mut().zip(all).for_each(|(to, z)| *to = columns.count(z, fades));
                }
                if continued {
                    continuation.extend(columns.continuation.iter().map(|&count| f64::from(count)));
                }
            }
            Candidates::These(list) => {
                if layout.global_recency.is_some() {
                    room(counts, list.len()).iter_mut().zip(list).for_each(|(to, &z)| *to = columns.last(z));
                    let (now, rate) = (query.time, 1.0 / configuration.recency);
                    let values = room(&mut evidence.global_recency, list.len());
                    Recencies::<C> { last: counts, now, rate, values, cell: PhantomData }.run(machine);
                }
                let (counts, now) = (room(counts, list.len()), fades.now);
                if fades.is_one() {
                    counts.iter_mut().zip(list).for_each(|(to, &z)| *to = columns.stored(z) * now);
                } else {
                    counts.iter_mut().zip(list).for_each(|(to, &z)| *to = columns.count(z, fades));
                }
                if continued {
                    continuation.extend(list.iter().map(|&z| f64::from(columns.continuation(z))));
                }
            }
        }
    }

    /// The logarithms of what was looked up of each candidate by itself.
    #[inline(always)]
    fn take_logs_on(&self, machine: impl Machine, workspace: &mut Workspace) {
        let Self { state, configuration, layout } = self;
        let Workspace { evidence, counts, continuation, bases, .. } = workspace;
        let per_alpha = 1.0 / configuration.alpha;
        let (counts, fade) = bases.counts(counts, &state.destinations.counts);
        let logs = room(&mut evidence.popularity, counts.len());
        BaseLogs::<C> { counts, fade, per_alpha, logs, cell: PhantomData }.run(machine);
        if configuration.backoff == Backoff::Continuation {
            let logs = room(&mut evidence.continuation, continuation.len());
            BaseLogs::<C> { counts: continuation, fade: 1.0, per_alpha, logs, cell: PhantomData }.run(machine);
        }
        if layout.global_recency.is_some() && evidence.global_recency.len() != counts.len() {
            let (now, rate) = (bases.time, 1.0 / configuration.recency);
            let values = room(&mut evidence.global_recency, counts.len());
            Recencies::<C> { last: &state.destinations.last, now, rate, values, cell: PhantomData }.run(machine);
        }
    }

    /// P(z|u) and when the source visited each candidate.
    #[inline(always)]
    fn meet_source(
        &self,
        machine: impl Machine,
        query: Query,
        fades: &Fades,
        candidates: Candidates<'_>,
        source: &Sought,
        workspace: &mut Workspace,
    ) {
        let Workspace { evidence, map, meetings, counts, continuation, bases, .. } = workspace;
        let (counts, fade_of_bases) = bases.counts(counts, &self.state.destinations.counts);
        let bases = if continuation.is_empty() { (counts, fade_of_bases) } else { (continuation.as_slice(), 1.0) };
        let table = &self.state.sources;
        let row = &source.row;
        let fade = fades.of(row.epoch);
        evidence.rest_on_backoff(Layout::SOURCE_HISTORY, self.context_share(row.total * fade));
        meetings.reserve(bases.0.len() + 1);
        if let Candidates::All = candidates {
            for cells in table.lines(row) {
                let keys = cells.keys();
                let ages = meetings.ages[meetings.length..].iter_mut().zip(0..keys.len());
                ages.for_each(|(age, slot)| *age = cells.second(slot).0 - query.time);
                let counts = (0..keys.len()).map(|slot| cells.first(slot).get() * fade);
                meetings.put_all(keys.iter().copied().zip(counts), bases);
            }
        } else {
            let met = map.read(machine, candidates, table, source);
            let ages = meetings.ages[meetings.length..].iter_mut();
            ages.zip(met).for_each(|(age, met)| *age = met.second - query.time);
            meetings.put_all(met.iter().map(|met| (met.candidate, met.first * fade)), bases);
        }
        evidence.end_span(Layout::SOURCE_HISTORY, meetings.length);
    }

    /// P(z|v_k) for every history position, and P_co over all of them.
    #[inline(always)]
    fn meet_successors(
        &self,
        machine: impl Machine,
        fades: &Fades,
        candidates: Candidates<'_>,
        workspace: &mut Workspace,
    ) {
        let Workspace { evidence, map, meetings, counts, continuation, co, co_met, bases, sought, .. } = workspace;
        let (counts, fade_of_bases) = bases.counts(counts, &self.state.destinations.counts);
        let bases = if continuation.is_empty() { (counts, fade_of_bases) } else { (continuation.as_slice(), 1.0) };
        let table = &self.state.successors;
        let windowed = self.layout.co_occurrence.is_some();
        let size = bases.0.len();
        if windowed {
            co.resize(size.max(co.len()), 0.0);
            co_met.clear();
        }
        let mut co_total = 0.0;
        for (k, sought) in sought.iter().enumerate() {
            let feature = Layout::transition(k);
            let row = &sought.row;
            let fade = fades.of(row.epoch);
            evidence.rest_on_backoff(feature, self.context_share(row.total * fade));
            meetings.reserve(bases.0.len() + 1);
            if windowed {
                co_total += row.second_total * fade;
                let met = map.read(machine, candidates, table, sought);
                let known = co_met.len();
                co_met.resize(known + met.len(), 0);
                let new = &mut co_met[known..];
                let columns = meetings.next(met.len());
                let (co, (bases, fade_of_bases)) = (&mut co[..size], (&bases.0[..size], bases.1));
                // Written in any case, and counted if they are there: no processor could foresee those branches.
                let (mut counted, mut found) = (0, 0);
                for &Met { candidate, first, second } in met {
                    columns.0[counted] = candidate;
                    columns.1[counted] = first * fade;
                    columns.2[counted] = bases[candidate as usize] * fade_of_bases;
                    counted += usize::from(first > 0.0);
                    let sum = &mut co[candidate as usize];
                    new[found] = candidate;
                    found += usize::from(*sum == 0.0);
                    *sum += second * fade;
                }
                meetings.length += counted;
                co_met.truncate(known + found);
            } else if let Candidates::All = candidates {
                for cells in table.lines(row) {
                    let keys = cells.keys();
                    let counts = (0..keys.len()).map(|slot| cells.first(slot).get() * fade);
                    meetings.put_all(keys.iter().copied().zip(counts), bases);
                }
            } else {
                let met = map.read(machine, candidates, table, sought);
                meetings.put_all(met.iter().map(|met| (met.candidate, met.first * fade)), bases);
            }
            evidence.end_span(feature, meetings.length);
        }
        if let Some(feature) = self.layout.co_occurrence {
            evidence.rest_on_backoff(feature, self.context_share(co_total));
            meetings.reserve(co_met.len() + 1);
            // A candidate stands here twice if its first rows had faded to nothing; then its sum is zero by now, and so
            // is its lift.
            let sums = co_met.iter().map(|&candidate| (candidate, std::mem::take(&mut co[candidate as usize])));
            meetings.put_all(sums, bases);
            evidence.end_span(feature, meetings.length);
        }
    }

    /// alpha / (n(x) + alpha): what a context with `total` counts leaves of an unseen candidate.
    #[inline(always)]
    pub(crate) fn context_share(&self, total: f64) -> f64 {
        let alpha = self.configuration.alpha;
        alpha / (total + alpha)
    }
}
