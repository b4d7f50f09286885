//! The paper's worked stream: every number of the golden file, in both precisions.

use linkgram_core::{Backoff, Cell, Configuration, Id, Predictor, Vocabulary, Workspace};
use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Deserialize)]
struct Golden {
    settings: Settings,
    events: Vec<Event>,
    query: Query,
    expected: BTreeMap<String, BTreeMap<String, Vec<f64>>>,
}

#[derive(Deserialize)]
struct Settings {
    depth: usize,
    alpha: f64,
    recency: f64,
    vocabulary: Vec<String>,
}

#[derive(Deserialize)]
struct Event {
    source: String,
    destination: String,
    time: f64,
}

#[derive(Deserialize)]
struct Query {
    source: String,
    time: f64,
}

fn close(found: f64, expected: f64, tolerance: f64, what: &str) {
    assert!((found - expected).abs() <= tolerance, "{what}: found {found}, expected {expected}");
}

fn check<C: Cell>(tolerance: f64) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/worked_stream.toml");
    let golden: Golden = toml::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    for (name, backoff) in [("marginal", Backoff::Marginal), ("continuation", Backoff::Continuation)] {
        let expected = &golden.expected[name];
        let configuration = Configuration {
            depth: golden.settings.depth,
            backoff,
            alpha: golden.settings.alpha,
            recency: golden.settings.recency,
            co_occurrence: true,
            global_recency: true,
            multi_scale: true,
            decay: f64::INFINITY,
        };
        let ids = golden.settings.vocabulary.iter().map(|id| Id::Text(id));
        let mut predictor = Predictor::<C>::new(configuration, Vocabulary::fixed(ids).unwrap()).unwrap();
        for event in &golden.events {
            predictor.observe_one(Id::Text(&event.source), Id::Text(&event.destination), event.time).unwrap();
        }
        let query = predictor.query(Id::Text(&golden.query.source), golden.query.time).unwrap();
        let candidates: Vec<_> =
            golden.settings.vocabulary.iter().map(|id| predictor.candidate(Id::Text(id)).unwrap()).collect();
        let matrix = predictor.features(query, &candidates, &mut Workspace::new());
        let names: Vec<String> = predictor.configuration().features().iter().map(ToString::to_string).collect();
        let mut seen = 0;
        for (column, feature) in names.iter().enumerate() {
            for (row, &value) in expected[feature].iter().enumerate() {
                let found = matrix[row * names.len() + column];
                let found = if feature.contains("recency") { found } else { found.exp() };
                close(found, value, tolerance, feature);
                seen += 1;
            }
        }
        assert_eq!(seen, 9 * 4);
        // The readable estimators, one equation a function.
        let (view, time) = (predictor.model(), query.time);
        for (row, &z) in candidates.iter().enumerate() {
            let history = [candidates[2], candidates[1]];
            for (feature, found) in [
                ("popularity", view.marginal(z, time)),
                ("backoff_probability", view.backoff(z, time)),
                ("source_history", view.source_conditional(query.source, z, time)),
                ("transition_1", view.transition(history[0], z, time)),
                ("transition_2", view.transition(history[1], z, time)),
                ("co_occurrence", view.co_occurrence(query.source, z, time)),
                ("source_recency", view.source_recency(query.source, z, time, 2.0)),
                ("global_recency", view.global_recency(z, time, 2.0)),
            ] {
                close(found, expected[feature][row], tolerance, feature);
            }
        }
    }
}

#[test]
fn every_number_of_the_worked_stream_in_double_precision() {
    check::<f64>(1e-12);
}

#[test]
fn every_number_of_the_worked_stream_in_single_precision() {
    check::<f32>(1e-6);
}
