//! Seeded streams: Zipf sources and destinations, bursts of one source, repeats of own history, a hidden graph of
//! successors, popularity that drifts, integer times with ties.

use linkgram_core::random::Draws;
use serde::Deserialize;

/// What a stream looks like; `benchmarks/streams.toml` says what the fields mean.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shape {
    pub name: String,
    pub events: usize,
    pub sources: u32,
    pub destinations: u32,
    pub negatives: usize,
    zipf: [f64; 2],
    burst: f64,
    repeat: [f64; 2],
    follow: f64,
    drift: f64,
    moves: f64,
    #[serde(default = "full")]
    pub scale: f64,
}

fn full() -> f64 {
    1.0
}

/// The shapes that `benchmarks/streams.toml` defines.
pub fn shapes() -> Vec<Shape> {
    #[derive(Deserialize)]
    struct Page {
        stream: Vec<Shape>,
    }
    let page: Page =
        toml::from_str(include_str!("../../../../benchmarks/streams.toml")).expect("the page is well-formed");
    page.stream
}

/// Columns of events in time order.
#[derive(Default)]
pub struct Stream {
    pub sources: Vec<u32>,
    pub destinations: Vec<u32>,
    pub times: Vec<f64>,
}

/// A Zipf law over `0..values`, drawn from by the inverse of its integral.
struct Zipf {
    power: f64,
    span: f64,
}

impl Zipf {
    fn new(values: u32, exponent: f64) -> Self {
        let power = 1.0 - exponent;
        Self { power, span: (f64::from(values) + 1.0).powf(power) - 1.0 }
    }

    fn rank(&self, share: f64) -> u32 {
        ((1.0 + share * self.span).powf(1.0 / self.power) - 1.0) as u32
    }
}

/// Successors a destination has in the hidden graph.
const SUCCESSORS: u64 = 24;
/// Own destinations that a repeat chooses from.
const REMEMBERED: usize = 8;

impl Shape {
    /// The same shape with other sizes.
    pub fn scaled(self, scale: f64) -> Self {
        let part = |number: u32| ((f64::from(number) * scale) as u32).max(10);
        Self {
            events: ((self.events as f64 * scale) as usize).max(1_000),
            sources: part(self.sources),
            destinations: part(self.destinations),
            scale,
            ..self
        }
    }

    /// Ends of training and validation.
    pub fn splits(&self) -> (usize, usize) {
        (self.events * 70 / 100, self.events * 85 / 100)
    }

    pub fn test_events(&self) -> usize {
        self.events - self.splits().1
    }

    /// Generates the stream.
    pub fn generate(&self) -> Stream {
        let draws = Draws::new(1, 0);
        let graph = Draws::new(1, 1);
        let (by_source, by_destination) =
            (Zipf::new(self.sources, self.zipf[0]), Zipf::new(self.destinations, self.zipf[1]));
        let by_successor = Zipf::new(SUCCESSORS as u32, 0.9);
        let mut recent = vec![[u32::MAX; REMEMBERED]; self.sources as usize];
        let mut stream = Stream::default();
        let (mut source, mut time) = (0, 0u64);
        for event in 0..self.events {
            let of_event = draws.substream(event as u64);
            let share = |index: u64| (of_event.at(index) >> 11) as f64 / (1u64 << 53) as f64;
            if share(0) >= self.burst {
                source = scatter(by_source.rank(share(1)), self.sources);
            }
            let known = &mut recent[source as usize];
            let drifted = (event as f64 / self.events as f64 * self.drift * f64::from(self.destinations)) as u32;
            let popular = |share: f64| {
                // Half of the ranks move on with time; the others stay.
                let rank = by_destination.rank(share);
                let moved = if rank % 2 == 1 { rank + drifted / 16 * 2 } else { rank };
                scatter(moved % self.destinations, self.destinations)
            };
            let destination = if known[0] != u32::MAX && share(2) < self.repeat[0] {
                let many = known.iter().take_while(|&&z| z != u32::MAX).count();
                let at = if share(3) < self.repeat[1] { 0 } else { (share(4) * many as f64) as usize };
                known[at]
            } else if known[0] != u32::MAX && share(5) < self.follow {
                let edge = u64::from(known[0]) * SUCCESSORS + u64::from(by_successor.rank(share(6)));
                popular((graph.at(edge) >> 11) as f64 / (1u64 << 53) as f64)
            } else {
                popular(share(7))
            };
            known.copy_within(..REMEMBERED - 1, 1);
            known[0] = destination;
            time += u64::from(share(8) < self.moves) * (1 + (share(9) * 8.0) as u64);
            stream.sources.push(source);
            stream.destinations.push(destination);
            stream.times.push(time as f64);
        }
        stream
    }
}

/// A rank becomes an id without order: multiplication by a number prime to `values`.
fn scatter(rank: u32, values: u32) -> u32 {
    ((u64::from(rank) * 2_654_435_761) % u64::from(values)) as u32
}
