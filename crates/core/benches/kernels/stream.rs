//! Seeded streams: Zipf sources and destinations, bursts of one source, repeats of own history, a hidden graph of
//! successors, popularity that drifts, integer times with ties.

use linkgram_core::random::Draws;

/// What a stream looks like.
#[derive(Clone, Copy)]
pub struct Shape {
    pub name: &'static str,
    pub events: usize,
    pub sources: u32,
    pub destinations: u32,
    /// Exponent of the Zipf law of the sources, and of the destinations.
    pub zipf: (f64, f64),
    /// Share of events by the source of the event before.
    pub burst: f64,
    /// Share of events that repeat one of the source's last destinations, and the share of them that repeat the last.
    pub repeat: (f64, f64),
    /// Share of the other events that follow the graph of successors.
    pub follow: f64,
    /// How often all ranks of popularity are dealt out anew, step by step.
    pub drift: f64,
}

pub const SHAPES: [Shape; 4] = [
    Shape {
        name: "small",
        events: 150_000,
        sources: 8_000,
        destinations: 1_000,
        zipf: (0.9, 0.8),
        burst: 0.3,
        repeat: (0.62, 0.35),
        follow: 0.6,
        drift: 1.0,
    },
    Shape {
        name: "wiki",
        events: 157_474,
        sources: 8_600,
        destinations: 1_000,
        zipf: (0.6, 0.6),
        burst: 0.5,
        repeat: (0.91, 0.85),
        follow: 0.5,
        drift: 1.0,
    },
    Shape {
        name: "medium",
        events: 2_000_000,
        sources: 100_000,
        destinations: 30_000,
        zipf: (0.85, 0.85),
        burst: 0.2,
        repeat: (0.35, 0.35),
        follow: 0.55,
        drift: 1.0,
    },
    Shape {
        name: "large",
        events: 20_000_000,
        sources: 1_000_000,
        destinations: 300_000,
        zipf: (0.85, 0.85),
        burst: 0.2,
        repeat: (0.2, 0.35),
        follow: 0.65,
        drift: 1.0,
    },
];

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
    /// The shape with this name.
    pub fn named(name: &str) -> Option<Self> {
        SHAPES.into_iter().find(|shape| shape.name == name)
    }

    /// Generates the stream.
    pub fn generate(&self) -> Stream {
        let draws = Draws::new(1, 0);
        let graph = Draws::new(1, 1);
        let (by_source, by_destination) =
            (Zipf::new(self.sources, self.zipf.0), Zipf::new(self.destinations, self.zipf.1));
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
            let destination = if known[0] != u32::MAX && share(2) < self.repeat.0 {
                let many = known.iter().take_while(|&&z| z != u32::MAX).count();
                let at = if share(3) < self.repeat.1 { 0 } else { (share(4) * many as f64) as usize };
                known[at]
            } else if known[0] != u32::MAX && share(5) < self.follow {
                let edge = u64::from(known[0]) * SUCCESSORS + u64::from(by_successor.rank(share(6)));
                popular((graph.at(edge) >> 11) as f64 / (1u64 << 53) as f64)
            } else {
                popular(share(7))
            };
            known.copy_within(..REMEMBERED - 1, 1);
            known[0] = destination;
            // Every third event shares its time with the one before.
            time += u64::from(share(8) < 0.67) * (1 + (share(9) * 8.0) as u64);
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
