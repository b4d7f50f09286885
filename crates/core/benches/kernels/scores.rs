//! Scoring: what a query costs, in the forms a query takes.

use crate::bench::{Bench, Negatives, REPEATS, timed, touch_all};
use linkgram_core::baseline::recall::Recall;
use linkgram_core::baseline::rule::Rule;
use linkgram_core::ranker::{CandidateRows, mean_reciprocal_ranks};
use linkgram_core::replay::History;
use linkgram_core::touch::Lines;
use linkgram_core::{Destination, Query};

/// Queries of the positive and its negatives, each followed by its update; and the bare touch of the lines they read.
pub fn scores(bench: &Bench<'_>) {
    let (model, count) = (bench.before_test(), bench.queries());
    let test = bench.shape.splits().1;
    let negatives = Negatives::uniform(bench.shape, count);
    let mut lines = Lines::default();
    let mut list = Vec::new();
    for (query, others) in negatives.destinations.chunks(bench.shape.negatives).enumerate() {
        let event = bench.events().get(test + query);
        list.clear();
        list.push(event.destination);
        list.extend(others.iter().map(|&z| Destination(z as u32)));
        model.touch_query(Query { source: event.source, time: event.time }, &list, &mut lines);
    }
    let (mut score, mut touch, mut blocks) = (f64::MAX, f64::MAX, Vec::new());
    for _ in 0..REPEATS {
        let clone = model.clone();
        let lanes = bench.weights.as_slice();
        score = score.min(timed(|| blocks = bench.rank(clone, lanes, negatives.rows(), count, (1, false))));
        touch = touch.min(timed(|| touch_all(&lines.addresses)));
    }
    let per_query = 1.0 / count as f64;
    bench.report("score", score * per_query, "ns/query");
    bench.report("score touch", touch * per_query, "ns/query");
    bench.report("score lines", lines.addresses.len() as f64 * per_query, "lines/query");
    bench.report("mrr", mean_reciprocal_ranks(&blocks, 1)[0], "mrr");
}

/// Queries of all destinations; for small vocabularies.
pub fn whole_vocabulary(bench: &Bench<'_>) {
    let (model, count) = (bench.before_test(), bench.queries());
    let (mut whole, mut blocks) = (f64::MAX, Vec::new());
    for _ in 0..REPEATS {
        let clone = model.clone();
        let lanes = bench.weights.as_slice();
        whole = whole.min(timed(|| blocks = bench.rank(clone, lanes, CandidateRows::All, count, (1, false))));
    }
    bench.report("score all", whole / count as f64, "ns/query");
    bench.report("mrr all", mean_reciprocal_ranks(&blocks, 1)[0], "mrr");
}

/// EdgeBank with unlimited memory before the first test event.
pub fn bank(bench: &Bench<'_>) -> Recall {
    let mut bank = Recall::new(bench.shape.sources as usize, bench.shape.destinations as usize);
    bank.observe_rows(&bench.events(), 0..bench.shape.splits().1);
    bank
}

/// EdgeBank over the same queries.
pub fn edge_bank(bench: &Bench<'_>) {
    let count = bench.queries();
    let negatives = Negatives::uniform(bench.shape, count);
    let (bank, lanes) = (bank(bench), [Rule::Ever]);
    let mut best = [f64::MAX; 2];
    let mut mrr = [0.0; 2];
    for _ in 0..REPEATS {
        for (at, rows) in [negatives.rows(), CandidateRows::All].into_iter().enumerate() {
            let (clone, mut blocks) = (bank.clone(), Vec::new());
            best[at] = best[at].min(timed(|| blocks = bench.rank(clone, &lanes[..], rows, count, (1, false))));
            mrr[at] = mean_reciprocal_ranks(&blocks, 1)[0];
        }
    }
    let case = &bench.shape.name;
    bench.report_case("edge bank", case, best[0] / count as f64, "ns/query");
    bench.report_case("edge bank mrr", case, mrr[0], "mrr");
    bench.report_case("edge bank all", case, best[1] / count as f64, "ns/query");
    bench.report_case("edge bank mrr all", case, mrr[1], "mrr");
}

/// Weight vectors that are judged in one pass.
const LANES: usize = 26;

/// What one more weight vector costs in a pass over the queries.
pub fn lanes(bench: &Bench<'_>) {
    let (model, count) = (bench.before_test(), bench.queries());
    let negatives = Negatives::uniform(bench.shape, count);
    let many: Vec<Vec<f64>> = (0..LANES)
        .map(|lane| bench.weights[0].iter().map(|weight| weight * (1.0 + 0.01 * lane as f64)).collect())
        .collect();
    let (mut one, mut all) = (f64::MAX, f64::MAX);
    for _ in 0..REPEATS {
        for (best, lanes) in [(&mut one, &many[..1]), (&mut all, &many[..])] {
            let clone = model.clone();
            *best = best.min(timed(|| bench.rank(clone, lanes, negatives.rows(), count, (1, false))));
        }
    }
    bench.report("score one lane", one / count as f64, "ns/query");
    bench.report("score one more lane", (all - one) / ((LANES - 1) * count) as f64, "ns/query");
}

/// The whole test split on one thread and on two, the second thread's copy of the history included.
pub fn threads(bench: &Bench<'_>) {
    let (model, count) = (bench.before_test(), bench.shape.test_events());
    let negatives = Negatives::uniform(bench.shape, count);
    let mut best = [f64::MAX; 2];
    let mut bits = [Vec::new(), Vec::new()];
    for _ in 0..REPEATS.min(3) {
        for (threads, best) in (1..).zip(&mut best) {
            let (clone, lanes) = (model.clone(), bench.weights.as_slice());
            let mut blocks = Vec::new();
            *best = best.min(timed(|| blocks = bench.rank(clone, lanes, negatives.rows(), count, (threads, false))));
            bits[threads - 1] = blocks.iter().map(|block| block.reciprocal[0].to_bits()).collect();
        }
    }
    assert_eq!(bits[0], bits[1], "two threads gave other bits than one");
    bench.report("test on one thread", best[0] / count as f64, "ns/query");
    bench.report("test on two threads", best[1] / count as f64, "ns/query");
}
