//! One kernel over a given number of operations, for counting instructions and for looking at memory.

use crate::bench::{Bench, Negatives};
use linkgram_core::ranker::{CandidateRows, mean_reciprocal_ranks};
use std::hint::black_box;

/// Runs it; what it worked out is printed, so that nothing is optimised away.
pub fn run(bench: &Bench<'_>, kernel: &str, count: usize) -> String {
    match kernel {
        "update" => {
            let mut model = bench.empty();
            model.state.observe(&bench.events().part(0..count.min(bench.events().len()))).expect("valid");
            format!("{} cells", model.state.describe().iter().map(|table| table.cells).sum::<usize>())
        }
        "extract" => {
            let matrix = crate::training::extracted(bench, &[1], count).swap_remove(0);
            format!("sum {}", matrix.iter().map(|&x| f64::from(x)).sum::<f64>())
        }
        "memory" => {
            let before = resident("VmRSS:");
            let mut model = bench.empty();
            model.state.observe(&bench.events()).expect("valid");
            let (after, peak) = (resident("VmRSS:"), resident("VmHWM:"));
            black_box(&model);
            format!("{} {}", (peak - before) / (after - before), after - before)
        }
        "score" | "whole" => {
            let queries = bench.queries();
            let negatives = Negatives::uniform(bench.shape, queries);
            let rows = if kernel == "whole" { CandidateRows::All } else { negatives.rows() };
            let model = bench.before_test();
            let part = match rows {
                CandidateRows::All => bench.rank(model, bench.weights.as_slice(), rows, count.min(queries), (1, false)),
                CandidateRows::Ragged { offsets, destinations } => {
                    let offsets = &offsets[..=count.min(queries)];
                    let end = offsets.last().copied().unwrap_or_default() as usize;
                    let rows = CandidateRows::Ragged { offsets, destinations: &destinations[..end] };
                    bench.rank(model, bench.weights.as_slice(), rows, count.min(queries), (1, false))
                }
            };
            format!("mrr {}", mean_reciprocal_ranks(&part, 1)[0])
        }
        _ => crate::fail(&format!("unknown kernel {kernel}; known: update, extract, score, whole, memory")),
    }
}

/// A line of /proc/self/status in bytes; not a number where there is none.
fn resident(key: &str) -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(key));
    line.and_then(|rest| rest.trim().trim_end_matches(" kB").parse::<f64>().ok()).map_or(f64::NAN, |kb| kb * 1024.0)
}
