//! Fitting: extraction of the training matrices, and an epoch over one.

use crate::bench::{Bench, REPEATS, timed};
use linkgram_core::Schedule;
use linkgram_core::extract::Extraction;
use linkgram_core::fit::{FitSettings, Trainer};
use linkgram_core::replay::{Plan, replay};

/// A pass over the training events that extracts one seed, and one that extracts five.
pub fn extraction(bench: &Bench<'_>) {
    let queries = bench.shape.splits().0;
    for (figure, seeds) in [("extract", &[1][..]), ("extract five seeds", &[1, 2, 3, 4, 5])] {
        let mut best = f64::MAX;
        for _ in 0..REPEATS.min(3) {
            best = best.min(timed(|| extracted(bench, seeds, queries)));
        }
        bench.report(figure, best / (queries * seeds.len()) as f64, "ns/row");
    }
}

/// The matrices of the first `queries` training events, one a seed.
pub fn extracted(bench: &Bench<'_>, seeds: &[u64], queries: usize) -> Vec<Vec<f32>> {
    let width = bench.weights[0].len();
    let mut matrices = vec![vec![0.0f32; queries * width]; seeds.len()];
    let borrowed = matrices.iter_mut().map(Vec::as_mut_slice).collect();
    let extraction = Extraction::new(seeds, (queries, 1), width, borrowed).expect("they fit");
    let plan =
        Plan { events: bench.events(), observed: 0, examined: (0, queries), schedule: Schedule::EventWise, threads: 1 };
    replay(bench.empty(), &plan, &extraction, &mut ()).expect("nothing interrupts");
    matrices
}

/// Trains on a file of little-endian single-precision rows; prints the time of an epoch and the weights it came to.
pub fn epoch(path: &str, width: usize) {
    let bytes = std::fs::read(path).unwrap_or_else(|error| crate::fail(&format!("{path}: {error}")));
    let rows: Vec<f32> = bytes.as_chunks().0.iter().map(|four| f32::from_le_bytes(*four)).collect();
    let mut trainer = Trainer::new(&rows, width, 1, 1, FitSettings::default())
        .unwrap_or_else(|error| crate::fail(&error.to_string()));
    let (mut best, mut weights) = (f64::MAX, Vec::new());
    for _ in 0..REPEATS {
        best = best.min(timed(|| weights = trainer.epoch(&mut || true).expect("nothing interrupts").to_vec()));
    }
    let per_row = best / (rows.len() / width) as f64;
    println!("{{\"figure\": \"epoch\", \"case\": \"\", \"value\": {per_row:.6}, \"unit\": \"ns/row\"}}");
    println!("{{\"figure\": \"epoch weights\", \"case\": \"\", \"value\": {weights:?}, \"unit\": \"\"}}");
}
