//! The fast path against the paper's equations over a plain list of events, on random streams.

mod streams;

use linkgram_core::{
    Backoff, Candidates, Cell, Configuration, Destination, Event, Id, Predictor, Query, Source, Workspace, midrank,
};
use proptest::prelude::*;
use streams::{DESTINATIONS, SOURCES, configurations, long_streams, observed, streams};

/// The equations, no tricks: every count is a sum over the events.
struct Naive<'a> {
    configuration: &'a Configuration,
    events: &'a [Event],
    vocabulary_size: f64,
}

impl Naive<'_> {
    fn history(&self, source: Source, before: usize) -> Vec<Destination> {
        let own = self.events[..before].iter().rev().filter(|event| event.source == source);
        own.take(self.configuration.depth).map(|event| event.destination).collect()
    }

    /// Decayed sum over the events that `matches` accepts.
    fn sum(&self, time: f64, matches: impl Fn(usize, &Event) -> f64) -> f64 {
        let weigh = |event: &Event| (-(time - event.time) / self.configuration.decay).exp();
        self.events.iter().enumerate().map(|(at, event)| matches(at, event) * weigh(event)).sum()
    }

    fn features(&self, query: Query, z: Destination) -> Vec<f64> {
        let Query { source, time } = query;
        let alpha = self.configuration.alpha;
        let is = |condition: bool| f64::from(u8::from(condition));
        let marginal = (self.sum(time, |_, e| is(e.destination == z)) + alpha)
            / (self.sum(time, |_, _| 1.0) + alpha * self.vocabulary_size);
        let mut pairs: Vec<(Destination, Destination)> = (0..self.events.len())
            .filter_map(|at| {
                let previous = self.history(self.events[at].source, at).first().copied()?;
                Some((previous, self.events[at].destination))
            })
            .collect();
        pairs.sort_unstable();
        pairs.dedup();
        let distinct = pairs.iter().filter(|(_, to)| *to == z).count() as f64;
        let continuation = (distinct + alpha) / (pairs.len() as f64 + alpha * self.vocabulary_size);
        let base = if self.configuration.backoff == Backoff::Marginal { marginal } else { continuation };
        let smooth = |count: f64, total: f64| ((count + alpha * base) / (total + alpha)).ln();

        let mut phi = vec![marginal.ln()];
        phi.push(smooth(
            self.sum(time, |_, e| is(e.source == source && e.destination == z)),
            self.sum(time, |_, e| is(e.source == source)),
        ));
        let history = self.history(source, self.events.len());
        for k in 0..self.configuration.depth {
            phi.push(history.get(k).map_or(0.0, |&v| {
                let follows = |at: usize, e: &Event| self.history(e.source, at).first() == Some(&v);
                smooth(
                    self.sum(time, |at, e| is(follows(at, e) && e.destination == z)),
                    self.sum(time, |at, e| is(follows(at, e))),
                )
            }));
        }
        let recency = |scale: f64, of: &dyn Fn(&Event) -> bool| {
            let last = self.events.iter().rev().find(|event| of(event));
            last.map_or(0.0, |event| (-(time - event.time) / scale).exp())
        };
        let scale = self.configuration.recency;
        let own = |event: &Event| event.source == source && event.destination == z;
        phi.push(recency(scale, &own));
        if self.configuration.co_occurrence {
            let (mut count, mut total) = (0.0, 0.0);
            for &v in &history {
                let times =
                    |at: usize, e: &Event| self.history(e.source, at).iter().filter(|&&x| x == v).count() as f64;
                count += self.sum(time, |at, e| times(at, e) * is(e.destination == z));
                total += self.sum(time, times);
            }
            phi.push(smooth(count, total));
        }
        if self.configuration.global_recency {
            phi.push(recency(scale, &|event| event.destination == z));
        }
        if self.configuration.multi_scale {
            phi.push(recency(scale / 10.0, &own));
            phi.push(recency(scale * 10.0, &own));
        }
        phi
    }
}

fn compare<C: Cell>(
    configuration: &Configuration,
    events: &[Event],
    later: f64,
    tolerance: f64,
) -> Result<(), TestCaseError> {
    let mut predictor = observed::<C>(configuration, events, 7);
    let width = predictor.layout().width;
    predictor.set_weights((0..width).map(|f| 0.7 - 0.13 * f as f64).collect(), 0.5).unwrap();
    let naive = Naive { configuration, events, vocabulary_size: f64::from(DESTINATIONS) };
    let mut candidates: Vec<Destination> = (0..DESTINATIONS).map(Destination).collect();
    candidates.extend([Destination(2), Destination(2)]);
    let mut workspace = Workspace::new();
    for source in 0..SOURCES + 1 {
        let time = events.last().unwrap().time + later;
        let query = predictor.query(Id::Integer(i64::from(source)), time).unwrap();
        let found = predictor.features(query, &candidates, &mut workspace);
        let expected: Vec<Vec<f64>> =
            candidates.iter().map(|&z| naive.features(Query { source: Source(source), time }, z)).collect();
        for (row, slow) in found.chunks(width).zip(&expected) {
            for (fast, slow) in row.iter().zip(slow) {
                prop_assert!((fast - slow).abs() <= tolerance * slow.abs().max(1.0), "{fast} {slow} {query:?}");
            }
        }
        // A score is w . phi + beta, by whatever way its rows were searched: few candidates, many, or all of them.
        let weights = predictor.weights().unwrap().clone();
        let scores = predictor.score(query, Candidates::These(&candidates), &mut workspace).unwrap();
        for (score, row) in scores.iter().zip(found.chunks(width)) {
            let slow: f64 = row.iter().zip(&weights.values).map(|(x, w)| x * w).sum::<f64>() + weights.bias;
            prop_assert!((score - slow).abs() <= 1e-9 * slow.abs().max(1.0), "{score} {slow}");
        }
        // An explanation is that sum written out.
        let parts = predictor.explain(query, candidates[2], &mut workspace).unwrap();
        let sum: f64 = parts.iter().map(|part| part.value * part.weight).sum::<f64>() + weights.bias;
        prop_assert!((scores[2] - sum).abs() <= 1e-9 * sum.abs().max(1.0), "{} {sum}", scores[2]);
        prop_assert_eq!(scores[2].to_bits(), scores[candidates.len() - 1].to_bits());
        let whole = predictor.score(query, Candidates::All, &mut workspace).unwrap();
        for z in 0..DESTINATIONS as usize {
            let alone = predictor.score(query, Candidates::These(&candidates[z..=z]), &mut workspace).unwrap();
            let seen = predictor.destinations().find(Id::Integer(z as i64)).unwrap().unwrap() as usize;
            prop_assert_eq!([alone[0].to_bits(), whole[seen].to_bits()], [scores[z].to_bits(); 2]);
        }
        // Ranks come from scores without the part all candidates share; adding it may round tiny differences to ties.
        let rank = predictor.rank(query, &candidates, &mut workspace).unwrap();
        let beyond = |by: f64| midrank(scores[0] + by, &scores[1..]);
        prop_assert!(beyond(1e-9) <= rank && rank <= beyond(-1e-9), "{rank}");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn double_precision_equals_the_equations(c in configurations(), events in streams(), later in 0.0..50.0) {
        compare::<f64>(&c, &events, later, 1e-9)?;
    }

    #[test]
    fn single_precision_equals_the_equations(c in configurations(), events in streams(), later in 0.0..50.0) {
        compare::<f32>(&c, &events, later, 1e-5)?;
    }

    #[test]
    fn observing_in_any_chunking_gives_the_same_bits(c in configurations(), events in streams(), chunk in 1usize..9) {
        let whole = observed::<f32>(&c, &events, usize::MAX);
        prop_assert_eq!(observed::<f32>(&c, &events, chunk).digest(), whole.digest());
    }

    #[test]
    fn saving_loading_and_continuing_equals_never_having_stopped(
        c in configurations(), events in streams(), cut in 0usize..40,
    ) {
        let cut = cut.min(events.len());
        let mut first = observed::<f32>(&c, &events[..cut], 5);
        let mut file = Vec::new();
        first.write("a note", &mut file).unwrap();
        let (mut second, note) = Predictor::<f32>::read(&file[..], file.len() as u64).unwrap();
        prop_assert_eq!(note, "a note");
        prop_assert_eq!(second.digest(), first.digest());
        for event in &events[cut..] {
            for predictor in [&mut first, &mut second] {
                let (source, destination) = (i64::from(event.source.0), i64::from(event.destination.0));
                predictor.observe_one(Id::Integer(source), Id::Integer(destination), event.time).unwrap();
            }
        }
        prop_assert_eq!(second.digest(), first.digest());
    }

    #[test]
    fn a_damaged_file_is_refused_and_never_a_panic(
        c in configurations(), events in streams(), at in any::<prop::sample::Index>(), byte in any::<u8>(), cut in any::<bool>(),
    ) {
        let mut file = Vec::new();
        observed::<f32>(&c, &events, 5).write("", &mut file).unwrap();
        let at = at.index(file.len());
        if cut {
            file.truncate(at);
        } else if file[at] == byte {
            return Ok(());
        } else {
            file[at] = byte;
        }
        prop_assert!(Predictor::<f32>::read(&file[..], file.len() as u64).is_err());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    // Counts that are carried from epoch to epoch before they have faded: only then is a wrong factor to be seen.
    #[test]
    fn rows_carried_through_several_epochs_equal_the_equations(
        c in configurations(), events in long_streams(), later in 0.0..3.0,
    ) {
        let c = Configuration { depth: c.depth.min(3), decay: 1.0, ..c };
        compare::<f64>(&c, &events, later, 1e-9)?;
        compare::<f32>(&c, &events, later, 1e-5)?;
    }
}
