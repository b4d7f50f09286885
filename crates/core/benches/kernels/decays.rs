//! What short decay costs: tau down to 1e-5 of the span, beside counts that do not decay.

use crate::bench::{Bench, Negatives, REPEATS, timed};

/// tau as parts of the span; infinity is no decay.
const PARTS: [f64; 6] = [f64::INFINITY, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5];

/// Updates and queries under each tau, in turn.
pub fn decay(bench: &Bench<'_>) {
    let negatives = Negatives::uniform(bench.shape, bench.queries());
    let span = bench.stream.times.last().copied().unwrap_or_default();
    let mut best = [[f64::MAX; 2]; PARTS.len()];
    for _ in 0..REPEATS.min(3) {
        for (part, best) in PARTS.iter().zip(&mut best) {
            let mut short = Bench::new(bench.shape, bench.stream, bench.configuration.co_occurrence);
            short.configuration.decay = part * span;
            let test = bench.shape.splits().1;
            // Once for warm pages, and once for the time.
            let mut model = short.empty();
            model.state.observe(&short.events().part(0..test)).expect("valid");
            model.state.clear();
            best[0] = best[0].min(timed(|| model.state.observe(&short.events().part(0..test)).expect("valid")));
            let lanes = short.weights.as_slice();
            best[1] = best[1].min(short.timed_rank(&model, lanes, negatives.rows()).0);
        }
    }
    let test = bench.shape.splits().1 as f64;
    for (part, best) in PARTS.iter().zip(best) {
        let tau = if part.is_finite() { format!("decay {part:.0e}") } else { "no decay".to_owned() };
        bench.report(&format!("update, {tau}"), best[0] / test, "ns/event");
        bench.report(&format!("score, {tau}"), best[1], "ns/query");
    }
}
