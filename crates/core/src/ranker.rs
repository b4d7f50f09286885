//! Rankers: whatever gives scores to candidates from a history, and the ranks that come of it.

use crate::candidates::Candidates;
use crate::cell::Cell;
use crate::error::{Error, Result};
use crate::event::{Event, EventSlice, Query};
use crate::gather::Workspace;
use crate::id::Destination;
use crate::judge::{Judge, Testimony};
use crate::model::Model;
use crate::rank::midrank_at;
use crate::replay::{BLOCK, Examine, History};
use crate::scorer::relative_scores;
use std::ops::Range;

/// One history that several *lanes* read: the model under several weights, or the variants of a baseline. A pass over
/// the stream serves all of them.
pub trait Ranker: History {
    /// Buffers for one question.
    type Workspace: Default;

    /// Looks up what the history says about the candidates.
    fn ask(&self, query: Query, candidates: Candidates<'_>, workspace: &mut Self::Workspace);

    /// The event of `row` will be asked about, with these negatives or, if there are none, with all destinations: what
    /// that needs can be fetched. Changes nothing.
    fn expect(&self, _events: &EventSlice<'_>, _row: usize, _negatives: &[i32]) {}
}

/// Turns what was looked up into an order of the candidates, lane by lane.
pub trait Lanes<R: Ranker>: Sync {
    /// Number of lanes.
    fn count(&self) -> usize;

    /// Scores of the candidates asked for last; only their order and equality matter.
    fn scores(&self, ranker: &R, lane: usize, workspace: &mut R::Workspace, scores: &mut Vec<f64>);

    /// Midrank of the candidate at `place`. The slow form goes through the scores; a lane that can compare
    /// candidates without scoring them says so here.
    fn rank(&self, ranker: &R, lane: usize, place: usize, workspace: &mut R::Workspace, scores: &mut Vec<f64>) -> f64 {
        self.scores(ranker, lane, workspace, scores);
        midrank_at(scores, place)
    }

    /// Midranks of the candidate at `place` in every lane, into the judge's. Lanes that share work say so here.
    fn ranks(&self, ranker: &R, place: usize, workspace: &mut R::Workspace, judge: &mut Judge) {
        judge.ranks.clear();
        for lane in 0..self.count() {
            let rank = self.rank(ranker, lane, place, workspace, &mut judge.scores);
            judge.ranks.push(rank);
        }
    }
}

impl<C: Cell> History for Model<C> {
    #[inline]
    fn observe(&mut self, event: Event) {
        self.state.apply(event);
    }

    fn observe_rows(&mut self, events: &EventSlice<'_>, rows: Range<usize>) {
        self.state.apply_rows(events, rows);
    }
}

impl<C: Cell> Ranker for Model<C> {
    type Workspace = Workspace;

    fn ask(&self, query: Query, candidates: Candidates<'_>, workspace: &mut Workspace) {
        self.look_up(query, candidates, workspace);
    }

    fn expect(&self, events: &EventSlice<'_>, row: usize, negatives: &[i32]) {
        let count = if negatives.is_empty() { 0 } else { 1 + negatives.len() };
        self.state.expect_queries(events, row, (count, negatives.iter().map(|&z| z as u32)));
    }
}

/// Lanes of the model: one a weight vector.
impl<C: Cell> Lanes<Model<C>> for [Vec<f64>] {
    fn count(&self) -> usize {
        self.len()
    }

    fn scores(&self, model: &Model<C>, lane: usize, workspace: &mut Workspace, scores: &mut Vec<f64>) {
        model.take_logs(workspace);
        relative_scores(&workspace.evidence, &model.layout, &self[lane], scores);
    }

    fn ranks(&self, model: &Model<C>, place: usize, workspace: &mut Workspace, judge: &mut Judge) {
        model.take_logs(workspace);
        judge.rank(Testimony::of(&workspace.evidence), place, &model.layout, self);
    }
}

/// Candidates of consecutive queries. Everywhere the positive comes first, then its negatives.
#[derive(Clone, Copy, Debug)]
pub enum CandidateRows<'a> {
    /// Every destination but the positive is a negative.
    All,
    /// The negatives of query i are `destinations[offsets[i]..offsets[i + 1]]`.
    Ragged {
        /// One more than queries, rising from 0.
        offsets: &'a [i64],
        /// Dense ids.
        destinations: &'a [i32],
    },
}

impl<'a> CandidateRows<'a> {
    /// Checks offsets and ids against the number of queries and destinations.
    pub fn check(&self, queries: usize, destination_count: usize) -> Result<()> {
        let Self::Ragged { offsets, destinations } = *self else { return Ok(()) };
        let rising = offsets.windows(2).all(|pair| pair[0] <= pair[1]);
        let ends = offsets.first() == Some(&0) && offsets.last() == Some(&(destinations.len() as i64));
        if offsets.len() != queries + 1 || !rising || !ends {
            return Err(Error::shape(format!(
                "the candidates are for {} queries, but {queries} shall be ranked (offsets must rise from 0 to {})",
                offsets.len().saturating_sub(1),
                destinations.len()
            )));
        }
        // Negative ids become huge as unsigned ones, so one comparison finds both kinds of strangers.
        let bad = destinations.iter().position(|&id| id as u32 as usize >= destination_count);
        match bad {
            Some(at) => {
                let query = offsets.partition_point(|&offset| offset <= at as i64) - 1;
                let id = destinations[at];
                Err(Error::shape(format!(
                    "a candidate of query {query} is {id}, outside the vocabulary of {destination_count} destinations"
                )))
            }
            None => Ok(()),
        }
    }

    pub(crate) fn negatives(&self, query: usize) -> Option<&'a [i32]> {
        match *self {
            Self::All => None,
            Self::Ragged { offsets, destinations } => {
                Some(&destinations[offsets[query] as usize..offsets[query + 1] as usize])
            }
        }
    }
}

/// Asks `ranker` about a query's candidates; returns where the positive stands among them.
pub fn ask_about<R: Ranker>(
    ranker: &R,
    rows: &CandidateRows<'_>,
    query: usize,
    event: Event,
    list: &mut Vec<Destination>,
    workspace: &mut R::Workspace,
) -> usize {
    let question = Query { source: event.source, time: event.time };
    match rows.negatives(query) {
        None => {
            ranker.ask(question, Candidates::All, workspace);
            event.destination.index()
        }
        Some(negatives) => {
            list.clear();
            list.push(event.destination);
            list.extend(negatives.iter().map(|&id| Destination(id as u32)));
            ranker.ask(question, Candidates::These(list), workspace);
            0
        }
    }
}

/// Ranks of a block: `lanes` rows of one number a query.
#[derive(Clone, Debug, Default)]
pub struct Ranks {
    /// Midranks, if they were to be kept: lane after lane.
    pub kept: Vec<f64>,
    /// For each lane the sum of 1/midrank over the block.
    pub reciprocal: Vec<f64>,
    queries: usize,
}

impl Ranks {
    /// No sums yet, for a block of `queries` queries whose single ranks are not kept.
    pub(crate) fn of_lanes(lanes: usize, queries: usize) -> Self {
        Self { kept: Vec::new(), reciprocal: vec![0.0; lanes], queries }
    }

    /// Adds the midranks of one query, one a lane.
    #[inline]
    pub(crate) fn add(&mut self, ranks: &[f64]) {
        self.reciprocal.iter_mut().zip(ranks).for_each(|(sum, rank)| *sum += 1.0 / rank);
    }
}

/// The examination that ranks.
pub struct Ranking<'a, L: ?Sized> {
    /// The candidates, one row a query.
    pub rows: CandidateRows<'a>,
    /// What to score with.
    pub lanes: &'a L,
    /// Whether single ranks are wanted, or only their reciprocal sums.
    pub keep: bool,
}

/// Buffers for ranking.
pub struct RankingWorkspace<W> {
    inner: W,
    list: Vec<Destination>,
    judge: Judge,
}

impl<W: Default> Default for RankingWorkspace<W> {
    fn default() -> Self {
        Self { inner: W::default(), list: Vec::new(), judge: Judge::default() }
    }
}

impl<R: Ranker, L: Lanes<R> + ?Sized> Examine<R> for Ranking<'_, L> {
    type Workspace = RankingWorkspace<R::Workspace>;
    type Block = Ranks;

    fn open(&self, queries: Range<usize>) -> Ranks {
        let lanes = self.lanes.count();
        let kept = if self.keep { vec![0.0; lanes * queries.len()] } else { Vec::new() };
        Ranks { kept, ..Ranks::of_lanes(lanes, queries.len()) }
    }

    fn expect(&self, ranker: &R, at: usize, events: &EventSlice<'_>, row: usize) {
        ranker.expect(events, row, self.rows.negatives(at).unwrap_or_default());
    }

    fn examine(&self, ranker: &R, at: usize, event: Event, workspace: &mut Self::Workspace, block: &mut Ranks) {
        let RankingWorkspace { inner, list, judge } = workspace;
        let place = ask_about(ranker, &self.rows, at, event, list, inner);
        self.lanes.ranks(ranker, place, inner, judge);
        block.add(&judge.ranks);
        if self.keep {
            for (lane, rank) in judge.ranks.iter().enumerate() {
                block.kept[lane * block.queries + at % BLOCK] = *rank;
            }
        }
    }
}

/// Mean reciprocal rank of every lane over all blocks.
pub fn mean_reciprocal_ranks(blocks: &[Ranks], lanes: usize) -> Vec<f64> {
    let queries: usize = blocks.iter().map(|block| block.queries).sum();
    (0..lanes).map(|lane| blocks.iter().map(|block| block.reciprocal[lane]).sum::<f64>() / queries as f64).collect()
}

/// Ranks of every lane, lane after lane, from blocks that kept them.
pub fn kept_ranks(blocks: &[Ranks], lanes: usize) -> Vec<f64> {
    let mut ranks = Vec::with_capacity(lanes * blocks.iter().map(|block| block.queries).sum::<usize>());
    for lane in 0..lanes {
        for block in blocks {
            ranks.extend_from_slice(&block.kept[lane * block.queries..(lane + 1) * block.queries]);
        }
    }
    ranks
}
