//! The kernels and how they are timed.

use crate::stream::{Shape, Stream};
use linkgram_core::random::Draws;
use linkgram_core::ranker::{CandidateRows, Ranking};
use linkgram_core::replay::{Plan, replay};
use linkgram_core::touch::Lines;
use linkgram_core::{Configuration, Destination, EventSlice, Model, Query, Schedule};
use std::hint::black_box;
use std::time::Instant;

/// Negatives of a query.
const NEGATIVES: usize = 100;
/// Queries that are scored, and events whose lines are touched: enough to leave every cache.
const OPERATIONS: usize = 20_000;
const REPEATS: usize = 5;

pub struct Bench<'a> {
    shape: Shape,
    stream: &'a Stream,
    configuration: Configuration,
    weights: [Vec<f64>; 1],
}

impl<'a> Bench<'a> {
    pub fn new(shape: Shape, stream: &'a Stream, all: bool) -> Self {
        let (train, validation) = splits(shape.events);
        let configuration = Configuration {
            co_occurrence: all,
            global_recency: all,
            multi_scale: all,
            decay: stream.times[validation - 1] - stream.times[train],
            recency: 0.01 * stream.times[train - 1],
            ..Configuration::default()
        };
        let weights = [-0.5, 0.36, 0.42, 0.07, 0.03, -0.01, 0.07, 1.68, 0.3, 0.2, 0.4, 0.1];
        let weights = [weights[..configuration.features().len()].to_vec()];
        Self { shape, stream, configuration, weights }
    }

    fn events(&self) -> EventSlice<'_> {
        EventSlice::new(&self.stream.sources, &self.stream.destinations, &self.stream.times)
            .expect("a generated stream is in order")
    }

    fn empty(&self) -> Model<f32> {
        Model::new(self.configuration.clone(), self.shape.sources as usize, self.shape.destinations as usize)
            .expect("the settings are in range")
    }

    /// The stream once more, later: every pair is known.
    fn again(&self) -> Vec<f64> {
        let span = self.stream.times.last().copied().unwrap_or_default();
        self.stream.times.iter().map(|time| time + span).collect()
    }

    /// The model before the first test event.
    fn before_test(&self) -> (Model<f32>, usize) {
        let (_, test) = splits(self.shape.events);
        let mut model = self.empty();
        model.state.observe(&self.events().part(0..test)).expect("a generated stream is valid");
        (model, test)
    }

    /// Runs one kernel over `count` operations; what is worked out is printed, so that nothing is optimised away.
    pub fn one(&self, kernel: &str, count: usize) -> Option<String> {
        let events = self.events();
        match kernel {
            "update" => {
                let mut model = self.empty();
                model.state.observe(&events.part(0..count.min(events.len()))).expect("valid");
                Some(format!("{} cells", model.state.describe().iter().map(|table| table.cells).sum::<usize>()))
            }
            "hits" => {
                let (mut model, times) = (self.empty(), self.again());
                model.state.observe(&events).expect("valid");
                let again = EventSlice::new(&self.stream.sources, &self.stream.destinations, &times).expect("valid");
                model.state.observe(&again.part(0..count.min(events.len()))).expect("valid");
                Some(format!("{} cells", model.state.describe().iter().map(|table| table.cells).sum::<usize>()))
            }
            "peak" => {
                let before = resident("VmRSS:");
                let mut model = self.empty();
                model.state.observe(&events).expect("valid");
                let (after, peak) = (resident("VmRSS:"), resident("VmHWM:"));
                black_box(&model);
                Some(format!("{}", (peak - before) / (after - before)))
            }
            "score" | "whole" => {
                let (model, test) = self.before_test();
                let (offsets, negatives) = self.negatives();
                let rows = CandidateRows::Ragged { offsets: &offsets, destinations: &negatives };
                let rows = if kernel == "whole" { CandidateRows::All } else { rows };
                Some(format!("mrr {}", self.replay(model, test, count, rows)))
            }
            _ => None,
        }
    }

    /// Every measurement.
    pub fn all(&mut self) {
        self.updates();
        self.scores();
    }

    fn report(&self, name: &str, value: f64, unit: &str) {
        println!(
            "{{\"name\": \"{name}\", \"stream\": \"{}\", \"features\": {}, \"value\": {value:.4}, \"unit\": \"{unit}\"}}",
            self.shape.name,
            self.weights[0].len()
        );
    }

    /// What a kernel prints in a process of its own, whose memory nothing else has used before.
    fn apart(&self, kernel: &str) -> f64 {
        let features = self.weights[0].len().to_string();
        let arguments = ["--stream", self.shape.name, "--features", &features, "--kernel", kernel];
        let this = std::env::current_exe().expect("a running program has a path");
        let output = std::process::Command::new(this).args(arguments).output().expect("it can be run again");
        String::from_utf8_lossy(&output.stdout).trim().parse().unwrap_or(f64::NAN)
    }

    fn updates(&self) {
        let (events, times) = (self.events(), self.again());
        let again = EventSlice::new(&self.stream.sources, &self.stream.destinations, &times).expect("valid");
        let count = events.len() as f64;
        let mut model = self.empty();
        let fresh = timed(|| model.state.observe(&events).expect("valid"));
        let cells: usize = model.state.describe()[1..3].iter().map(|table| table.cells).sum();
        for table in &model.state.describe()[1..3] {
            self.report(&format!("cells {}", table.name), table.cells as f64, "cells");
        }
        self.report("state", model.state.bytes() as f64 / cells as f64, "B/pair");
        self.report("peak growth", self.apart("peak"), "ratio");
        self.report("update build fresh", fresh / count, "ns/event");

        let mut lines = Lines::default();
        // A copy that stays as it is, while the model grows and moves.
        let still = model.clone();
        self.touch_events(&still, &mut lines);
        let (mut build, mut hits, mut touch) = (f64::MAX, f64::MAX, f64::MAX);
        for _ in 0..REPEATS {
            model.state.clear();
            build = build.min(timed(|| model.state.observe(&events).expect("valid")));
            hits = hits.min(timed(|| model.state.observe(&again).expect("valid")));
            touch = touch.min(timed(|| touch_all(&lines.addresses)));
        }
        drop(still);
        let touch = touch / lines.begins.len() as f64;
        self.report("update build", build / count, "ns/event");
        self.report("update hits", hits / count, "ns/event");
        self.report("update touch", touch, "ns/event");
        self.report("update lines", lines.addresses.len() as f64 / lines.begins.len() as f64, "lines/event");
        self.report("update build / touch", build / count / touch, "ratio");
        self.report("update hits / touch", hits / count / touch, "ratio");
    }

    /// Lines of the updates, in the state as it is in the end.
    fn touch_events(&self, model: &Model<f32>, lines: &mut Lines) {
        let mut histories = vec![Vec::<Destination>::new(); self.shape.sources as usize];
        for event in self.events().iter() {
            let history = &mut histories[event.source.index()];
            model.state.touch_update(event, history, lines);
            history.insert(0, event.destination);
            history.truncate(self.configuration.depth);
        }
    }

    fn scores(&self) {
        let (model, test) = self.before_test();
        let count = self.queries();
        let (offsets, negatives) = self.negatives();
        let rows = CandidateRows::Ragged { offsets: &offsets, destinations: &negatives };
        let mut lines = Lines::default();
        let mut list = Vec::new();
        for query in 0..count {
            let event = self.events().get(test + query);
            list.clear();
            list.push(event.destination);
            list.extend(negatives[query * NEGATIVES..(query + 1) * NEGATIVES].iter().map(|&z| Destination(z as u32)));
            model.touch_query(Query { source: event.source, time: event.time }, &list, &mut lines);
        }
        drop(list);
        let (mut score, mut whole, mut touch) = (f64::MAX, f64::MAX, f64::MAX);
        let small = self.shape.destinations <= 1_000;
        for _ in 0..REPEATS {
            let clone = model.clone();
            score = score.min(timed(|| self.replay(clone, test, count, rows)));
            touch = touch.min(timed(|| touch_all(&lines.addresses)));
            if small {
                let clone = model.clone();
                whole = whole.min(timed(|| self.replay(clone, test, count, CandidateRows::All)));
            }
        }
        let per_query = 1.0 / count as f64;
        self.report("score m=101", score * per_query, "ns/query");
        self.report("score touch", touch * per_query, "ns/query");
        self.report("score lines", lines.addresses.len() as f64 * per_query, "lines/query");
        self.report("score / touch", score / touch, "ratio");
        self.report("mrr m=101", self.replay(model.clone(), test, count, rows), "mrr");
        if small {
            self.report("score whole vocabulary", whole * per_query, "ns/query");
            self.report("mrr whole vocabulary", self.replay(model, test, count, CandidateRows::All), "mrr");
        }
    }

    fn queries(&self) -> usize {
        (self.shape.events - splits(self.shape.events).1).min(OPERATIONS)
    }

    /// Uniform negatives of the first test queries.
    fn negatives(&self) -> (Vec<i64>, Vec<i32>) {
        let draws = Draws::new(1, 2);
        let count = self.queries() * NEGATIVES;
        let offsets = (0..=count as i64).step_by(NEGATIVES).collect();
        (offsets, (0..count as u64).map(|at| draws.below(at, self.shape.destinations) as i32).collect())
    }

    /// Scores the first `count` test queries, each before its event is observed; their MRR.
    fn replay(&self, model: Model<f32>, test: usize, count: usize, rows: CandidateRows<'_>) -> f64 {
        let ranking = Ranking { rows, lanes: self.weights.as_slice(), keep: false };
        let plan = Plan {
            events: self.events(),
            observed: test,
            examined: (test, test + count.min(self.queries())),
            schedule: Schedule::EventWise,
            threads: 1,
        };
        let (blocks, _) = replay(model, &plan, &ranking, &mut ()).expect("nothing interrupts");
        linkgram_core::ranker::mean_reciprocal_ranks(&blocks, 1)[0]
    }
}

/// Ends of training and validation.
fn splits(events: usize) -> (usize, usize) {
    (events * 70 / 100, events * 85 / 100)
}

/// Nanoseconds that `work` takes.
fn timed<T>(work: impl FnOnce() -> T) -> f64 {
    let start = Instant::now();
    black_box(work());
    start.elapsed().as_nanos() as f64
}

/// Reads one byte of every line.
fn touch_all(addresses: &[usize]) {
    for &address in addresses {
        let byte: *const u8 = std::ptr::with_exposed_provenance(address);
        // SAFETY: the addresses are those of elements of a state that is still there and has not grown since; a byte
        // is read and given to nobody.
        unsafe { byte.read_volatile() };
    }
}

/// A line of /proc/self/status in bytes; not a number where there is none.
fn resident(key: &str) -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(key));
    line.and_then(|rest| rest.trim().trim_end_matches(" kB").parse::<f64>().ok()).map_or(f64::NAN, |kb| kb * 1024.0)
}
