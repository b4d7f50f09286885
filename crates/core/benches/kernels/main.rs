//! Measures the engine's kernels; one JSON object a line: `{"name", "stream", "features", "value", "unit"}`.
//!
//! ```text
//! cargo bench -p linkgram-core --features bench --bench kernels -- [--stream small,wiki,medium] [--features 8,12]
//! ... -- --kernel update|hits|score|whole|peak --stream small --features 8 --count N
//! ```
//!
//! The second form runs one kernel over N operations and prints what it worked out: instructions an operation are the
//! difference of two counts under callgrind. All times are the best of several, on warm pages, of one thread.

mod measure;
mod stream;

use measure::Bench;
use stream::{SHAPES, Shape};

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let (mut streams, mut widths) = ("small,wiki,medium".to_owned(), "8,12".to_owned());
    let (mut kernel, mut count) = (None, 0);
    while let Some(argument) = arguments.next() {
        let value = arguments.next().unwrap_or_else(|| fail(&format!("{argument} needs a value")));
        match argument.as_str() {
            "--stream" => streams = value,
            "--features" => widths = value,
            "--kernel" => kernel = Some(value),
            "--count" => count = value.parse().unwrap_or_else(|_| fail("--count needs a whole number")),
            _ => fail(&format!("unknown argument {argument}")),
        }
    }
    for name in streams.split(',') {
        let shape = Shape::named(name).unwrap_or_else(|| {
            let known: Vec<&str> = SHAPES.iter().map(|shape| shape.name).collect();
            fail(&format!("unknown stream {name}; known: {}", known.join(", ")))
        });
        let stream = shape.generate();
        for width in widths.split(',') {
            let all = match width {
                "8" => false,
                "12" => true,
                _ => fail("--features takes 8, 12 or 8,12"),
            };
            let mut bench = Bench::new(shape, &stream, all);
            match &kernel {
                None => bench.all(),
                Some(kernel) => match bench.one(kernel, count) {
                    Some(outcome) => println!("{outcome}"),
                    None => fail(&format!("unknown kernel {kernel}; known: update, hits, score, whole, peak")),
                },
            }
        }
    }
}

fn fail(message: &str) -> ! {
    eprintln!("kernels: {message}");
    std::process::exit(2)
}
