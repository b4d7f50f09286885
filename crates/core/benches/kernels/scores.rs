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
    let (model, count, events) = (bench.before_test(), bench.queries(), bench.events());
    let first = bench.shape.splits().1 + count;
    let negatives = Negatives::uniform(bench.shape, count);
    let mut lines = Lines::default();
    let mut list = Vec::new();
    for (query, others) in negatives.destinations.chunks(bench.shape.negatives).enumerate() {
        let event = events.get(first + query);
        list.clear();
        list.push(event.destination);
        list.extend(others.iter().map(|&z| Destination(z as u32)));
        model.touch_query(Query { source: event.source, time: event.time }, &list, &mut lines);
    }
    let (mut score, mut touch, mut mrr) = (f64::MAX, f64::MAX, 0.0);
    for _ in 0..REPEATS {
        let (spent, blocks) = bench.timed_rank(&model, bench.weights.as_slice(), negatives.rows());
        score = score.min(spent);
        mrr = mean_reciprocal_ranks(&blocks, 1)[0];
        touch = touch.min(timed(|| touch_all(&lines.addresses)));
    }
    let per_query = 1.0 / count as f64;
    bench.report("score", score, "ns/query");
    bench.report("score touch", touch * per_query, "ns/query");
    bench.report("score lines", lines.addresses.len() as f64 * per_query, "lines/query");
    bench.report("mrr", mrr, "mrr");
}

/// Queries of all destinations; for small vocabularies.
pub fn whole_vocabulary(bench: &Bench<'_>) {
    let model = bench.before_test();
    let (mut whole, mut mrr) = (f64::MAX, 0.0);
    for _ in 0..REPEATS {
        let (spent, blocks) = bench.timed_rank(&model, bench.weights.as_slice(), CandidateRows::All);
        whole = whole.min(spent);
        mrr = mean_reciprocal_ranks(&blocks, 1)[0];
    }
    bench.report("score all", whole, "ns/query");
    bench.report("mrr all", mrr, "mrr");
}

/// EdgeBank with unlimited memory before the first test event.
pub fn bank(bench: &Bench<'_>) -> Recall {
    let mut bank = Recall::new(bench.shape.sources as usize, bench.shape.destinations as usize);
    bank.observe_rows(&bench.events(), 0..bench.shape.splits().1);
    bank
}

/// EdgeBank over the same queries.
pub fn edge_bank(bench: &Bench<'_>) {
    let negatives = Negatives::uniform(bench.shape, bench.queries());
    let (bank, lanes) = (bank(bench), [Rule::Ever]);
    let case = &bench.shape.name;
    for (kind, rows) in [("", negatives.rows()), (" all", CandidateRows::All)] {
        let (mut best, mut mrr) = (f64::MAX, 0.0);
        for _ in 0..REPEATS {
            let (spent, blocks) = bench.timed_rank(&bank, &lanes[..], rows);
            best = best.min(spent);
            mrr = mean_reciprocal_ranks(&blocks, 1)[0];
        }
        bench.report_case(&format!("edge bank{kind}"), case, best, "ns/query");
        bench.report_case(&format!("edge bank mrr{kind}"), case, mrr, "mrr");
    }
}

/// Weight vectors that are judged in one pass.
const LANES: usize = 26;

/// What one more weight vector costs in a pass over the queries.
pub fn lanes(bench: &Bench<'_>) {
    let model = bench.before_test();
    let negatives = Negatives::uniform(bench.shape, bench.queries());
    let many: Vec<Vec<f64>> = (0..LANES)
        .map(|lane| bench.weights[0].iter().map(|weight| weight * (1.0 + 0.01 * lane as f64)).collect())
        .collect();
    let (mut one, mut all) = (f64::MAX, f64::MAX);
    for _ in 0..REPEATS {
        for (best, lanes) in [(&mut one, &many[..1]), (&mut all, &many[..])] {
            *best = best.min(bench.timed_rank(&model, lanes, negatives.rows()).0);
        }
    }
    bench.report("score one lane", one, "ns/query");
    bench.report("score one more lane", (all - one) / (LANES - 1) as f64, "ns/query");
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
