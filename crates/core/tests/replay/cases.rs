//! Streams of several blocks, settings to read them with, and a watch that loses patience.

use linkgram_core::extract::Extraction;
use linkgram_core::ranker::CandidateRows;
use linkgram_core::replay::{BLOCK, Plan, Watch, replay};
use linkgram_core::{Backoff, Configuration, Error, ErrorKind, EventSlice, Model, Schedule};
use proptest::prelude::*;

pub const SOURCES: usize = 7;
pub const DESTINATIONS: usize = 19;

/// A stream of several blocks, its candidates, and where its splits begin.
#[derive(Clone, Debug)]
pub struct Case {
    pub sources: Vec<u32>,
    pub destinations: Vec<u32>,
    pub times: Vec<f64>,
    pub offsets: Vec<i64>,
    pub negatives: Vec<i32>,
    pub observed: usize,
    pub first: usize,
}

impl Case {
    pub fn events(&self) -> EventSlice<'_> {
        EventSlice::new(&self.sources, &self.destinations, &self.times).unwrap()
    }

    pub fn rows(&self) -> CandidateRows<'_> {
        CandidateRows::Ragged { offsets: &self.offsets, destinations: &self.negatives }
    }

    pub fn plan(&self, schedule: Schedule, threads: usize) -> Plan<'_> {
        let events = self.events();
        Plan { events, observed: self.observed, examined: (self.first, events.len()), schedule, threads }
    }

    /// A model that has observed the first events.
    pub fn model(&self, configuration: &Configuration) -> Model<f32> {
        let mut model = Model::new(configuration.clone(), SOURCES, DESTINATIONS).unwrap();
        model.state.observe(&self.events().part(0..self.observed)).unwrap();
        model
    }
}

/// More queries than three blocks hold, so that four threads have work; many times tie.
pub fn cases() -> impl Strategy<Value = Case> {
    let event = (0..SOURCES as u32, 0..DESTINATIONS as u32, prop_oneof![Just(0.0), Just(0.0), Just(1.0), Just(90.0)]);
    let events = prop::collection::vec(event, 3 * BLOCK + 60..3 * BLOCK + 400);
    let rows = prop::collection::vec(prop::collection::vec(0..DESTINATIONS as i32, 0..9), 3 * BLOCK + 400);
    (events, rows, 0usize..40, 0usize..20).prop_map(|(events, rows, observed, between)| {
        let mut now = 0.0;
        let times: Vec<f64> = events
            .iter()
            .map(|event| {
                now += event.2;
                now
            })
            .collect();
        // What a strict query's time began with must not be observed yet.
        let first = observed + between;
        let begin = times.partition_point(|&time| time < times[first]);
        let mut offsets = vec![0];
        let mut negatives = Vec::new();
        for row in &rows[..events.len() - first] {
            negatives.extend_from_slice(row);
            offsets.push(negatives.len() as i64);
        }
        Case {
            sources: events.iter().map(|event| event.0).collect(),
            destinations: events.iter().map(|event| event.1).collect(),
            times,
            offsets,
            negatives,
            observed: observed.min(begin),
            first,
        }
    })
}

pub fn schedules() -> impl Strategy<Value = Schedule> {
    prop_oneof![Just(Schedule::EventWise), (1usize..300).prop_map(Schedule::Batch), Just(Schedule::StrictTimestamp),]
}

pub fn configurations() -> impl Strategy<Value = Configuration> {
    (any::<[bool; 4]>(), prop_oneof![Just(f64::INFINITY), Just(40.0)]).prop_map(|(on, decay)| Configuration {
        depth: 3,
        backoff: if on[0] { Backoff::Continuation } else { Backoff::Marginal },
        co_occurrence: on[1],
        global_recency: on[2],
        multi_scale: on[3],
        decay,
        recency: 7.0,
        ..Configuration::default()
    })
}

/// The matrices of a replay's events, and the model after it.
pub fn extract(model: Model<f32>, plan: &Plan<'_>, seeds: &[u64], negatives: usize) -> (Vec<Vec<f32>>, Model<f32>) {
    let (queries, width) = (plan.examined.1 - plan.examined.0, model.layout.width);
    let mut matrices = vec![vec![f32::NAN; queries * negatives * width]; seeds.len()];
    let parts = matrices.iter_mut().map(Vec::as_mut_slice).collect();
    let extraction = Extraction::new(seeds, (queries, negatives), width, parts).unwrap();
    let (_, after) = replay(model, plan, &extraction, &mut ()).unwrap();
    drop(extraction);
    (matrices, after)
}

/// Ends a run after some looks, and remembers whether it was asked again.
pub struct Impatient {
    pub looks: usize,
    pub left: usize,
}

impl Watch for Impatient {
    fn go_on(&mut self, _: usize) -> bool {
        self.looks += 1;
        self.looks <= self.left
    }
}

pub fn is_interruption<T>(result: Result<T, Error>) -> bool {
    result.is_err_and(|error| matches!(error.kind(), ErrorKind::Interrupted))
}
