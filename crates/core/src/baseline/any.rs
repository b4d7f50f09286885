//! Any baseline behind one face: the kinds differ in history and in what their lanes are.

use super::base3::{Base3, Part, Settings, Shared};
use super::pop_track::PopTrack;
use super::recall::Recall;
use super::rule::{Rule, Statistic};
use crate::candidates::Candidates;
use crate::error::{Error, ErrorKind, Result};
use crate::event::{EventSlice, Query};
use crate::id::Destination;
use crate::ranker::{CandidateRows, Lanes, Ranker, Ranking, kept_ranks};
use crate::replay::{History, Plan, Watch, replay};

/// One variant of a baseline.
#[derive(Clone, Debug, PartialEq)]
pub enum Lane {
    /// A rule over recall.
    Recall(Rule),
    /// PopTrack under its n-th decay.
    Decay(usize),
    /// Base3, or one part of it.
    Base3(Part),
}

impl Lane {
    /// EdgeBank with a window.
    pub fn within(width: f64, end: f64) -> Self {
        Self::Recall(Rule::Within { width, end })
    }

    /// A heuristic such as `LR>GP`, each statistic at most once.
    ///
    /// ```
    /// use linkgram_core::baseline::Lane;
    /// assert!(Lane::order("LR>GR>LP>GP").is_some() && Lane::order("LR>LR").is_none());
    /// ```
    pub fn order(text: &str) -> Option<Self> {
        let mut order = Vec::new();
        for name in text.split('>') {
            let statistic = match name {
                "LR" => Statistic::LocalRecency,
                "GR" => Statistic::GlobalRecency,
                "LP" => Statistic::LocalPopularity,
                "GP" => Statistic::GlobalPopularity,
                _ => return None,
            };
            if order.contains(&statistic) {
                return None;
            }
            order.push(statistic);
        }
        Some(Self::Recall(Rule::Order(order)))
    }

    /// `ever`, `decay N`, `base3`, `base3 pair`, `base3 popularity`, `base3 co-memory`.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "ever" => Self::Recall(Rule::Ever),
            "base3" => Self::Base3(Part::All),
            "base3 pair" => Self::Base3(Part::Pair),
            "base3 popularity" => Self::Base3(Part::Popularity),
            "base3 co-memory" => Self::Base3(Part::CoMemory),
            _ => Self::Decay(name.strip_prefix("decay ")?.parse().ok()?),
        })
    }
}

/// A baseline of any kind, with its history.
#[derive(Clone, Debug)]
pub enum AnyBaseline {
    /// EdgeBank and the heuristics.
    Recall(Recall),
    /// PopTrack.
    PopTrack(PopTrack),
    /// Base3.
    Base3(Box<Base3>),
}

/// Does the same with whichever it is.
macro_rules! with {
    ($any:expr, $baseline:ident => $body:expr) => {
        match $any {
            AnyBaseline::Recall($baseline) => $body,
            AnyBaseline::PopTrack($baseline) => $body,
            AnyBaseline::Base3($baseline) => $body,
        }
    };
}

impl AnyBaseline {
    /// Number of sources and destinations there is room for.
    pub fn sizes(&self) -> (usize, usize) {
        with!(self, baseline => baseline.sizes())
    }

    /// EdgeBank and the heuristics, nothing observed.
    pub fn recall(sources: usize, destinations: usize) -> Self {
        Self::Recall(Recall::new(sources, destinations))
    }

    /// PopTrack, one lane a decay, nothing observed.
    pub fn pop_track(decays: Vec<f64>, batch: u64, destinations: usize) -> Self {
        Self::PopTrack(PopTrack::new(decays, batch, destinations))
    }

    /// Base3 with the history of rows `..end`.
    pub fn base3(
        events: &EventSlice<'_>,
        end: usize,
        sizes: (usize, usize),
        shared: Shared,
        settings: Settings,
    ) -> Result<Self> {
        if end > events.len() {
            return Err(Error::shape(format!("a history of {end} of {} events cannot be", events.len())));
        }
        let history = events.part(0..end);
        history.check_ids(sizes.0, sizes.1)?;
        Ok(Self::Base3(Box::new(Base3::from_history(&history, sizes.0, sizes.1, shared, settings))))
    }

    /// Observes rows `first..end`. Refused as a whole if an id is unknown or the past would be rewritten.
    pub fn observe(&mut self, events: &EventSlice<'_>, first: usize, end: usize) -> Result<()> {
        let (sources, destinations) = self.sizes();
        if first > end || end > events.len() {
            return Err(Error::shape(format!("rows {first}..{end} of {} events cannot be observed", events.len())));
        }
        let part = events.part(first..end);
        part.check_ids(sources, destinations)?;
        let last = with!(&*self, baseline => baseline.last_time());
        if let (Some(time), Some(previous)) = (part.first_time(), last)
            && time < previous
        {
            return Err(Error::at(first, ErrorKind::TimeBackwards { time, previous }));
        }
        with!(self, baseline => part.iter().for_each(|event| baseline.observe(event)));
        Ok(())
    }

    /// Scores of candidates by one lane, as a group of its own.
    pub fn score(&self, query: Query, candidates: &[u32], lane: &Lane) -> Result<Vec<f64>> {
        let list: Vec<Destination> = candidates.iter().map(|&z| Destination(z)).collect();
        let mut scores = Vec::new();
        let lanes = std::slice::from_ref(lane);
        match self {
            Self::Recall(recall) => one(recall, query, &list, rules(lanes)?.as_slice(), &mut scores),
            Self::PopTrack(track) => one(track, query, &list, decays(lanes, track)?.as_slice(), &mut scores),
            Self::Base3(base3) => {
                let mut base3 = base3.clone();
                base3.begin_group();
                one(&*base3, query, &list, parts(lanes)?.as_slice(), &mut scores);
            }
        }
        Ok(scores)
    }

    /// Midranks of the plan's rows, lane after lane.
    pub fn ranks(
        &self,
        plan: &Plan<'_>,
        rows: CandidateRows<'_>,
        lanes: &[Lane],
        watch: &mut dyn Watch,
    ) -> Result<Vec<f64>> {
        let (sources, destinations) = self.sizes();
        plan.events.check_ids(sources, destinations)?;
        rows.check(plan.examined.1.saturating_sub(plan.examined.0), destinations)?;
        match self {
            Self::Recall(recall) => ranked(recall, plan, rows, rules(lanes)?.as_slice(), watch),
            Self::PopTrack(track) => ranked(track, plan, rows, decays(lanes, track)?.as_slice(), watch),
            Self::Base3(base3) => ranked(&**base3, plan, rows, parts(lanes)?.as_slice(), watch),
        }
    }
}

fn one<R: Ranker, L: Lanes<R> + ?Sized>(
    ranker: &R,
    query: Query,
    list: &[Destination],
    lanes: &L,
    scores: &mut Vec<f64>,
) {
    let mut workspace = R::Workspace::default();
    ranker.ask(query, Candidates::These(list), &mut workspace);
    lanes.scores(ranker, 0, &mut workspace, scores);
}

fn ranked<R: Ranker, L: Lanes<R> + ?Sized>(
    ranker: &R,
    plan: &Plan<'_>,
    rows: CandidateRows<'_>,
    lanes: &L,
    watch: &mut dyn Watch,
) -> Result<Vec<f64>> {
    let ranking = Ranking { rows, lanes, keep: true };
    let (blocks, _) = replay(ranker.clone(), plan, &ranking, watch)?;
    Ok(kept_ranks(&blocks, lanes.count()))
}

fn rules(lanes: &[Lane]) -> Result<Vec<Rule>> {
    pick(lanes, |lane| if let Lane::Recall(rule) = lane { Some(rule.clone()) } else { None })
}

fn decays(lanes: &[Lane], track: &PopTrack) -> Result<Vec<usize>> {
    pick(lanes, |lane| match lane {
        Lane::Decay(at) if *at < track.decays() => Some(*at),
        _ => None,
    })
}

fn parts(lanes: &[Lane]) -> Result<Vec<Part>> {
    pick(lanes, |lane| if let Lane::Base3(part) = lane { Some(*part) } else { None })
}

fn pick<T>(lanes: &[Lane], of: impl Fn(&Lane) -> Option<T>) -> Result<Vec<T>> {
    let wrong = || Error::shape("this baseline has no such lane");
    lanes.iter().map(|lane| of(lane).ok_or_else(wrong)).collect()
}
