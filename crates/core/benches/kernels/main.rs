//! Measures the engine's kernels; one JSON object a line: `{"figure", "case", "value", "unit"}`.
//!
//! ```text
//! cargo bench -p linkgram-core --features bench --bench kernels -- --stream small,medium [--features 8,12] [--scale 0.1]
//!     [--measure updates,scores,whole,edge-bank,lanes,threads,extraction,decay,memory]
//! ... -- --stream small --kernel update|extract|score|whole --features 8 --count N
//! ... -- --stream small --write FOLDER | --columns FOLDER
//! ... -- --epoch ROWS --width 12
//! ```
//!
//! The first form measures. The second runs one kernel over N operations and prints what it worked out: instructions an
//! operation are the difference of two counts under callgrind. The third writes a stream, its negatives and the ranks
//! the engine gives, for others to be measured on the same, or its columns alone. The fourth trains on a matrix of single-precision rows.
//! All times are the best of several, on warm pages, of one thread unless said.

mod bench;
mod decays;
mod file;
mod kernel;
mod scores;
mod stream;
mod training;
mod updates;

use bench::Bench;
use stream::{Shape, shapes};

/// A measurement of one stream under one configuration.
type Measure = fn(&Bench<'_>);

/// What `--measure` may name, and what measures it.
const MEASURES: [(&str, Measure); 9] = [
    ("updates", updates::updates),
    ("memory", updates::memory),
    ("scores", scores::scores),
    ("whole", scores::whole_vocabulary),
    ("edge-bank", scores::edge_bank),
    ("lanes", scores::lanes),
    ("threads", scores::threads),
    ("extraction", training::extraction),
    ("decay", decays::decay),
];

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let (mut streams, mut widths, mut measures) = (String::new(), "8,12".to_owned(), String::new());
    let (mut kernel, mut count, mut scale, mut width) = (None, 0, 1.0, 12);
    let (mut folder, mut columns, mut rows) = (None, None, None);
    while let Some(argument) = arguments.next() {
        let value = arguments.next().unwrap_or_else(|| fail(&format!("{argument} needs a value")));
        match argument.as_str() {
            "--stream" => streams = value,
            "--features" => widths = value,
            "--measure" => measures = value,
            "--kernel" => kernel = Some(value),
            "--write" => folder = Some(value),
            "--columns" => columns = Some(value),
            "--epoch" => rows = Some(value),
            "--count" => count = number(&argument, &value),
            "--scale" => scale = number(&argument, &value),
            "--width" => width = number(&argument, &value),
            _ => fail(&format!("unknown argument {argument}")),
        }
    }
    if let Some(rows) = rows {
        return training::epoch(&rows, width);
    }
    let chosen: Vec<Measure> = measures.split(',').filter(|name| !name.is_empty()).map(measure).collect();
    for name in streams.split(',') {
        let shape = named(name).scaled(scale);
        let stream = shape.generate();
        if let Some(folder) = &folder {
            file::write(folder.as_ref(), &shape, &stream);
        }
        if let Some(columns) = &columns {
            file::columns(columns.as_ref(), &stream);
            continue;
        }
        for width in widths.split(',') {
            let bench = Bench::new(&shape, &stream, is_all(width));
            match &kernel {
                Some(kernel) => println!("{}", kernel::run(&bench, kernel, count)),
                None => chosen.iter().for_each(|measure| measure(&bench)),
            }
        }
    }
}

fn is_all(width: &str) -> bool {
    match width {
        "8" => false,
        "12" => true,
        _ => fail("--features takes 8, 12 or 8,12"),
    }
}

fn named(name: &str) -> Shape {
    let known = shapes();
    let names: Vec<&str> = known.iter().map(|shape| shape.name.as_str()).collect();
    let at = names.iter().position(|known| *known == name);
    known[at.unwrap_or_else(|| fail(&format!("unknown stream {name:?}; known: {}", names.join(", "))))].clone()
}

fn measure(name: &str) -> Measure {
    let found = MEASURES.iter().find(|(known, _)| *known == name);
    found.map_or_else(|| fail(&format!("unknown measure {name}")), |(_, measure)| *measure)
}

fn number<N: std::str::FromStr>(argument: &str, value: &str) -> N {
    value.parse().unwrap_or_else(|_| fail(&format!("{argument} takes a number, not {value}")))
}

fn fail(message: &str) -> ! {
    eprintln!("kernels: {message}");
    std::process::exit(2)
}
