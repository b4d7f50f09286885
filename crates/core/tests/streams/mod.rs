//! Small nasty streams, any configuration, and a predictor that has observed them.

use linkgram_core::{
    Backoff, Cell, Configuration, Destination, Event, EventSlice, Id, IdTable, NamedEvents, Predictor, Source,
    Vocabulary,
};
use proptest::prelude::*;

pub const SOURCES: u32 = 4;
/// The last of them never occurs.
pub const DESTINATIONS: u32 = 9;

/// Any configuration that a stream of a few destinations can tell from another.
pub fn configurations() -> impl Strategy<Value = Configuration> {
    let decay = prop_oneof![Just(f64::INFINITY), Just(1e-2), Just(1.0), Just(30.0), Just(1e4)];
    (prop_oneof![1usize..6, Just(64)], any::<[bool; 4]>(), decay, prop_oneof![Just(0.1), Just(1.0), Just(10.0)])
        .prop_map(|(depth, [continuation, co_occurrence, global_recency, multi_scale], decay, alpha)| Configuration {
            depth,
            backoff: if continuation { Backoff::Continuation } else { Backoff::Marginal },
            co_occurrence,
            global_recency,
            multi_scale,
            alpha,
            decay,
            recency: 7.0,
        })
}

/// Ties, bursts and huge gaps, anywhere on the time axis.
pub fn streams() -> impl Strategy<Value = Vec<Event>> {
    let gap = prop_oneof![4 => Just(0.0), 4 => 0.0..3.0, 2 => 0.0..100.0, 1 => Just(1e6)];
    streams_of(gap, 1..40)
}

/// Small steps that go on for over a hundred units of time.
#[allow(dead_code, reason = "not all who share this module ask for them")]
pub fn long_streams() -> impl Strategy<Value = Vec<Event>> {
    streams_of(1.0..2.0, 80..100)
}

fn streams_of(gap: impl Strategy<Value = f64>, length: std::ops::Range<usize>) -> impl Strategy<Value = Vec<Event>> {
    let event = (0..SOURCES, 0..DESTINATIONS - 1, gap);
    (prop_oneof![Just(0.0), Just(-50.0), Just(1e9)], prop::collection::vec(event, length)).prop_map(|(start, rows)| {
        let mut time = start;
        rows.into_iter()
            .map(|(source, destination, gap)| {
                time += gap;
                Event { source: Source(source), destination: Destination(destination), time }
            })
            .collect()
    })
}

/// A predictor that has observed the events, so many at a time; its ids are the dense ones.
pub fn observed<C: Cell>(configuration: &Configuration, events: &[Event], chunk: usize) -> Predictor<C> {
    let ids: Vec<i64> = (0..i64::from(DESTINATIONS)).collect();
    let fixed = Vocabulary::fixed(ids.iter().map(|&id| Id::Integer(id))).unwrap();
    let mut predictor = Predictor::new(configuration.clone(), fixed).unwrap();
    for part in events.chunks(chunk) {
        let sources: Vec<u32> = part.iter().map(|event| event.source.0).collect();
        let destinations: Vec<u32> = part.iter().map(|event| event.destination.0).collect();
        let times: Vec<f64> = part.iter().map(|event| event.time).collect();
        let events = EventSlice::new(&sources, &destinations, &times).unwrap();
        let table = IdTable::Integers(&ids);
        predictor.observe(&NamedEvents { events, source_ids: table, destination_ids: table }).unwrap();
    }
    predictor
}
