//! Rows of every size asked in every way, to be run where each access of memory is watched (`just unsafe`). It is a law
//! elsewhere too: a candidate's score does not depend on what else is asked for, nor on how its rows are searched.

use linkgram_core::ranker::{CandidateRows, Ranking, kept_ranks};
use linkgram_core::replay::{Plan, replay};
use linkgram_core::{
    Backoff, Candidates, Cell, Configuration, Destination, EventSlice, Id, IdTable, Model, NamedEvents, Predictor,
    Schedule, Vocabulary, Workspace,
};

/// (destinations, events): rows beyond a bucket, and natively beyond what is searched without fetching ahead.
const SIZES: &[(usize, usize)] = if cfg!(miri) { &[(36, 72)] } else { &[(30, 500), (300, 4_000), (5_000, 30_000)] };
/// Numbers of candidates: below and above what is mapped, and more than there are.
const COUNTS: &[u32] = if cfg!(miri) { &[7, 45] } else { &[1, 7, 8, 17, 100] };
const SOURCES: usize = 3;

struct Stream {
    sources: Vec<u32>,
    destinations: Vec<u32>,
    times: Vec<f64>,
}

impl Stream {
    /// Destinations are added as they first occur, so that what the workspace holds must grow between questions.
    fn new(size: usize, events: usize) -> Self {
        let draw = |at: usize| (at as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33;
        let destination = |at: usize| (draw(at) as usize % size.min(at / 2 + 1)) as u32;
        Self {
            sources: (0..events).map(|at| (draw(at * 7 + 3) as usize % SOURCES) as u32).collect(),
            destinations: (0..events).map(destination).collect(),
            times: (0..events).map(|at| (at / 3) as f64).collect(),
        }
    }

    fn events(&self) -> EventSlice<'_> {
        EventSlice::new(&self.sources, &self.destinations, &self.times).unwrap()
    }
}

fn configurations() -> [Configuration; 2] {
    let plain = Configuration { depth: 2, decay: 200.0, recency: 7.0, ..Configuration::default() };
    let all = Configuration {
        backoff: Backoff::Continuation,
        co_occurrence: true,
        global_recency: true,
        multi_scale: true,
        ..plain.clone()
    };
    [plain, all]
}

fn weights(width: usize) -> Vec<f64> {
    (0..width).map(|feature| 0.7 - 0.13 * feature as f64).collect()
}

fn ask<C: Cell>(predictor: &Predictor<C>, time: f64, workspace: &mut Workspace) {
    let size = predictor.destinations().len() as u32;
    for source in 0..=SOURCES as i64 {
        let query = predictor.query(Id::Integer(source), time).unwrap();
        let whole = predictor.score(query, Candidates::All, workspace).unwrap();
        let unseen = predictor.score(query, Candidates::These(&[Destination::UNSEEN]), workspace).unwrap()[0];
        for &count in COUNTS {
            // From the last of the vocabulary on, some twice, some unknown.
            let list: Vec<Destination> =
                (0..count).map(|at| Destination((size + 43 - at * 5 % 41) % (size + 3))).collect();
            let list: Vec<_> = list.iter().map(|&z| if z.0 < size { z } else { Destination::UNSEEN }).collect();
            let scores = predictor.score(query, Candidates::These(&list), workspace).unwrap();
            for (z, score) in list.iter().zip(&scores) {
                let alone = whole.get(z.index()).copied().unwrap_or(unseen);
                assert_eq!(score.to_bits(), alone.to_bits(), "{z:?} among {count} of {size}");
            }
            let rank = predictor.rank(query, &list, workspace).unwrap();
            assert!(rank >= 1.0 && rank <= f64::from(count));
        }
        assert_eq!(predictor.top_k(query, 3, workspace).unwrap().len(), size.min(3) as usize);
    }
}

fn growing<C: Cell>() {
    for (configuration, &(size, count)) in configurations().iter().flat_map(|c| SIZES.iter().map(move |s| (c, s))) {
        let stream = Stream::new(size, count);
        let ids: Vec<i64> = (0..size as i64).collect();
        let table = IdTable::Integers(&ids);
        let mut predictor = Predictor::<C>::new(configuration.clone(), Vocabulary::growing()).unwrap();
        predictor.set_weights(weights(predictor.layout().width), 0.5).unwrap();
        let mut workspace = Workspace::new();
        for start in (0..count).step_by(count / 3) {
            let events = stream.events().part(start..(start + count / 3).min(count));
            predictor.observe(&NamedEvents { events, source_ids: table, destination_ids: table }).unwrap();
            ask(&predictor, stream.times[count - 1] + 1.0, &mut workspace);
        }
    }
}

#[test]
fn a_score_does_not_depend_on_what_else_is_asked_for_in_single_precision() {
    growing::<f32>();
}

#[test]
fn a_score_does_not_depend_on_what_else_is_asked_for_in_double_precision() {
    growing::<f64>();
}

#[test]
fn two_threads_rank_as_one() {
    let (size, count) = SIZES[0];
    let stream = Stream::new(size, count);
    let first = count - count / 6;
    let offsets: Vec<i64> = (0..=(count - first) as i64).map(|query| query * 9).collect();
    let negatives: Vec<i32> = (0..9 * (count - first)).map(|at| (at * 13 % size) as i32).collect();
    for configuration in &configurations() {
        for rows in [CandidateRows::All, CandidateRows::Ragged { offsets: &offsets, destinations: &negatives }] {
            let ranks = [1, 2].map(|threads| {
                let mut model = Model::<f32>::new(configuration.clone(), SOURCES, size).unwrap();
                model.state.observe(&stream.events().part(0..first)).unwrap();
                let lanes = [weights(model.layout.width)];
                let ranking = Ranking { rows, lanes: lanes.as_slice(), keep: true };
                let events = stream.events();
                let schedule = Schedule::EventWise;
                let plan = Plan { events, observed: first, examined: (first, count), schedule, threads };
                kept_ranks(&replay(model, &plan, &ranking, &mut ()).unwrap().0, 1)
            });
            assert_eq!(ranks[0].len(), count - first);
            assert_eq!(ranks[0], ranks[1]);
        }
    }
}
