//! One stream under one configuration, and what all measurements share.

use crate::stream::{Shape, Stream};
use linkgram_core::random::Draws;
use linkgram_core::ranker::{CandidateRows, Lanes, Ranker, Ranking, Ranks};
use linkgram_core::replay::{Plan, replay};
use linkgram_core::{Configuration, EventSlice, Model, Schedule};
use std::hint::black_box;
use std::time::Instant;

/// Queries that are scored, and events whose lines are touched: enough to leave every cache.
const OPERATIONS: usize = 20_000;
/// Each time is the best of so many.
pub const REPEATS: usize = 5;
/// Weights of the reference features, and of the four that the additions bring.
const WEIGHTS: [f64; 12] = [-0.5, 0.36, 0.42, 0.07, 0.03, -0.01, 0.07, 1.68, 0.3, 0.2, 0.4, 0.1];

pub struct Bench<'a> {
    pub shape: &'a Shape,
    pub stream: &'a Stream,
    pub configuration: Configuration,
    pub weights: [Vec<f64>; 1],
}

impl<'a> Bench<'a> {
    /// The reference configuration, or all three additions; time scales as the paper sets them.
    pub fn new(shape: &'a Shape, stream: &'a Stream, all: bool) -> Self {
        let (train, validation) = shape.splits();
        let configuration = Configuration {
            co_occurrence: all,
            global_recency: all,
            multi_scale: all,
            decay: stream.times[validation - 1] - stream.times[train],
            recency: 0.01 * stream.times[train - 1],
            ..Configuration::default()
        };
        let weights = [WEIGHTS[..configuration.features().len()].to_vec()];
        Self { shape, stream, configuration, weights }
    }

    pub fn events(&self) -> EventSlice<'_> {
        EventSlice::new(&self.stream.sources, &self.stream.destinations, &self.stream.times)
            .expect("a generated stream is in order")
    }

    pub fn empty(&self) -> Model<f32> {
        Model::new(self.configuration.clone(), self.shape.sources as usize, self.shape.destinations as usize)
            .expect("the settings are in range")
    }

    /// The model before the first test event.
    pub fn before_test(&self) -> Model<f32> {
        let mut model = self.empty();
        model.state.observe(&self.events().part(0..self.shape.splits().1)).expect("a generated stream is valid");
        model
    }

    /// Prints a figure of this stream and configuration.
    pub fn report(&self, figure: &str, value: f64, unit: &str) {
        self.report_case(figure, &format!("{} {}F", self.shape.name, self.weights[0].len()), value, unit);
    }

    pub fn report_case(&self, figure: &str, case: &str, value: f64, unit: &str) {
        println!("{{\"figure\": \"{figure}\", \"case\": \"{case}\", \"value\": {value:.12}, \"unit\": \"{unit}\"}}");
    }

    /// How many test queries are scored for warmth, and then as many for the time.
    pub fn queries(&self) -> usize {
        (self.shape.test_events() / 2).min(OPERATIONS)
    }

    /// Ranks test events from number `first` on, each before it is observed.
    pub fn rank_from<R: Ranker, L: Lanes<R> + ?Sized>(
        &self,
        history: R,
        lanes: &L,
        rows: CandidateRows<'_>,
        (first, queries): (usize, usize),
        (threads, keep): (usize, bool),
    ) -> (Vec<Ranks>, R) {
        let test = self.shape.splits().1 + first;
        let ranking = Ranking { rows, lanes, keep };
        let plan = Plan {
            events: self.events(),
            observed: test,
            examined: (test, test + queries),
            schedule: Schedule::EventWise,
            threads,
        };
        replay(history, &plan, &ranking, &mut ()).expect("nothing interrupts")
    }

    /// Ranks the first `queries` test events.
    pub fn rank<R: Ranker, L: Lanes<R> + ?Sized>(
        &self,
        history: R,
        lanes: &L,
        rows: CandidateRows<'_>,
        queries: usize,
        threads_and_keep: (usize, bool),
    ) -> Vec<Ranks> {
        self.rank_from(history, lanes, rows, (0, queries), threads_and_keep).0
    }

    /// Nanoseconds a query, on one thread, of the second half of the queries: a copy of the history is met for the first
    /// time by the first half. Both halves have the same negatives.
    pub fn timed_rank<R: Ranker, L: Lanes<R> + ?Sized>(
        &self,
        history: &R,
        lanes: &L,
        rows: CandidateRows<'_>,
    ) -> (f64, Vec<Ranks>) {
        let count = self.queries();
        let (_, warm) = self.rank_from(history.clone(), lanes, rows, (0, count), (1, false));
        let mut blocks = Vec::new();
        let spent = timed(|| blocks = self.rank_from(warm, lanes, rows, (count, count), (1, false)).0);
        (spent / count as f64, blocks)
    }
}

/// Candidates as the core borrows them.
pub struct Negatives {
    offsets: Vec<i64>,
    pub destinations: Vec<i32>,
}

impl Negatives {
    /// Uniform negatives of the first `queries` test events.
    pub fn uniform(shape: &Shape, queries: usize) -> Self {
        let draws = Draws::new(1, 2);
        let count = queries * shape.negatives;
        let offsets = (0..=count as i64).step_by(shape.negatives).collect();
        Self { offsets, destinations: (0..count as u64).map(|at| draws.below(at, shape.destinations) as i32).collect() }
    }

    pub fn rows(&self) -> CandidateRows<'_> {
        CandidateRows::Ragged { offsets: &self.offsets, destinations: &self.destinations }
    }
}

/// Nanoseconds that `work` takes.
pub fn timed<T>(work: impl FnOnce() -> T) -> f64 {
    let start = Instant::now();
    black_box(work());
    start.elapsed().as_nanos() as f64
}

/// Reads one byte of every line.
pub fn touch_all(addresses: &[usize]) {
    for &address in addresses {
        let byte: *const u8 = std::ptr::with_exposed_provenance(address);
        // SAFETY: the addresses are those of elements of a state that is still there and has not grown since; a byte
        // is read and given to nobody.
        unsafe { byte.read_volatile() };
    }
}
