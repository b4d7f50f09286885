//! Observing: what an event costs, beside the bare touch of the same cache lines, and what the state takes.

use crate::bench::{Bench, REPEATS, timed, touch_all};
use linkgram_core::touch::Lines;
use linkgram_core::{Destination, EventSlice, Model};

/// Observing from empty tables on warm pages, observing pairs that are all known, and the bare touch of the lines.
pub fn updates(bench: &Bench<'_>) {
    let events = bench.events();
    let span = bench.stream.times.last().copied().unwrap_or_default();
    let later: Vec<f64> = bench.stream.times.iter().map(|time| time + span).collect();
    let again = EventSlice::new(&bench.stream.sources, &bench.stream.destinations, &later).expect("still in order");
    let count = events.len() as f64;
    let mut model = bench.empty();
    bench.report("update fresh", timed(|| model.state.observe(&events).expect("valid")) / count, "ns/event");

    let mut lines = Lines::default();
    // A copy that stays as it is, while the model grows and moves.
    let still = model.clone();
    touch_events(bench, &still, &mut lines);
    let (mut build, mut hits, mut touch) = (f64::MAX, f64::MAX, f64::MAX);
    for _ in 0..REPEATS {
        model.state.clear();
        build = build.min(timed(|| model.state.observe(&events).expect("valid")));
        hits = hits.min(timed(|| model.state.observe(&again).expect("valid")));
        touch = touch.min(timed(|| touch_all(&lines.addresses)));
    }
    drop(still);
    bench.report("update", build / count, "ns/event");
    bench.report("update known", hits / count, "ns/event");
    bench.report("update touch", touch / count, "ns/event");
    bench.report("update lines", lines.addresses.len() as f64 / count, "lines/event");
}

/// Lines of the updates, in the state as it is in the end.
fn touch_events(bench: &Bench<'_>, model: &Model<f32>, lines: &mut Lines) {
    let mut histories = vec![Vec::<Destination>::new(); bench.shape.sources as usize];
    for event in bench.events().iter() {
        let history = &mut histories[event.source.index()];
        model.state.touch_update(event, history, lines);
        history.insert(0, event.destination);
        history.truncate(bench.configuration.depth);
    }
}

/// Bytes a pair, and the peak while the state grows, in a process of its own whose memory nothing else has used.
pub fn memory(bench: &Bench<'_>) {
    let mut model = bench.empty();
    model.state.observe(&bench.events()).expect("valid");
    let cells: usize = model.state.describe()[1..3].iter().map(|table| table.cells).sum();
    bench.report("pairs", cells as f64, "pairs");
    bench.report("state", model.state.bytes() as f64 / cells as f64, "B/pair");
    drop(model);
    let features = bench.weights[0].len().to_string();
    let scale = bench.shape.scale.to_string();
    let arguments = ["--stream", &bench.shape.name, "--scale", &scale, "--features", &features, "--kernel", "memory"];
    let this = std::env::current_exe().expect("a running program has a path");
    let output = std::process::Command::new(this).args(arguments).output().expect("it can be run again");
    let printed = String::from_utf8_lossy(&output.stdout);
    let mut numbers = printed.split_whitespace().map(|number| number.parse().unwrap_or(f64::NAN));
    bench.report("peak of growth", numbers.next().unwrap_or(f64::NAN), "times the state");
    bench.report("resident", numbers.next().unwrap_or(f64::NAN) / cells as f64, "B/pair");
}
