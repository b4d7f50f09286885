//! A stream on disk, so that others are measured on the same: raw little-endian columns, and a page that says what they
//! are. Beside them the ranks the engine gives, for others to agree with.

use crate::bench::{Bench, Negatives};
use crate::scores;
use crate::stream::{Shape, Stream};
use linkgram_core::baseline::rule::Rule;
use linkgram_core::ranker::{CandidateRows, kept_ranks};
use std::fs;
use std::path::Path;

/// Writes `sources` and `destinations` (u32), and `times` (f64).
pub fn columns(folder: &Path, stream: &Stream) {
    fs::create_dir_all(folder).unwrap_or_else(|error| crate::fail(&format!("{}: {error}", folder.display())));
    save(folder, "sources", stream.sources.iter().flat_map(|number| number.to_le_bytes()).collect());
    save(folder, "destinations", stream.destinations.iter().flat_map(|number| number.to_le_bytes()).collect());
    save(folder, "times", stream.times.iter().flat_map(|number| number.to_le_bytes()).collect());
}

fn save(folder: &Path, name: &str, bytes: Vec<u8>) {
    fs::write(folder.join(name), bytes).unwrap_or_else(|error| crate::fail(&format!("{name}: {error}")));
}

/// Writes beside the columns `negatives` (i32, of the first test queries), `ranks-8F`, `ranks-12F`, `ranks-edge-bank`
/// (f64, and `ranks-all-...`, of the models for small vocabularies only), and `about.json`.
pub fn write(folder: &Path, shape: &Shape, stream: &Stream) {
    columns(folder, stream);
    let save = |name: &str, bytes: Vec<u8>| save(folder, name, bytes);
    let mut scales = (0.0, 0.0);
    for all in [false, true] {
        let bench = Bench::new(shape, stream, all);
        let (count, width) = (bench.queries(), bench.weights[0].len());
        let negatives = Negatives::uniform(shape, count);
        scales = (bench.configuration.decay, bench.configuration.recency);
        let ranks = |name: String, rows: CandidateRows<'_>| {
            let blocks = bench.rank(bench.before_test(), bench.weights.as_slice(), rows, count, (1, true));
            save(&name, kept_ranks(&blocks, 1).iter().flat_map(|rank| rank.to_le_bytes()).collect());
        };
        ranks(format!("ranks-{width}F"), negatives.rows());
        if shape.destinations <= 1_000 {
            ranks(format!("ranks-all-{width}F"), CandidateRows::All);
        }
        if !all {
            save("negatives", negatives.destinations.iter().flat_map(|number| number.to_le_bytes()).collect());
        }
    }
    let bench = Bench::new(shape, stream, false);
    let negatives = Negatives::uniform(shape, bench.queries());
    for (name, rows) in [("edge", negatives.rows()), ("all", CandidateRows::All)] {
        let blocks = bench.rank(scores::bank(&bench), &[Rule::Ever][..], rows, bench.queries(), (1, true));
        save(
            &format!("ranks-{name}-bank"),
            kept_ranks(&blocks, 1).iter().flat_map(|rank| rank.to_le_bytes()).collect(),
        );
    }
    let (train, validation) = shape.splits();
    let about = format!(
        "{{\"name\": {:?}, \"sources\": {}, \"destinations\": {}, \"negatives\": {}, \"training_end\": {train}, \
         \"validation_end\": {validation}, \"decay\": {}, \"recency\": {}}}\n",
        shape.name, shape.sources, shape.destinations, shape.negatives, scales.0, scales.1
    );
    save("about.json", about.into_bytes());
}
