//! The laws, on random streams: what holds whatever was observed.

mod streams;

use linkgram_core::{
    Backoff, Candidates, Configuration, Destination, Event, EventSlice, Id, IdTable, Layout, NamedEvents, Predictor,
    Query, Source, Workspace, midrank, top_k,
};
use proptest::prelude::*;
use streams::{DESTINATIONS, SOURCES, configurations, observed, streams};

/// A predictor in double precision with weights that tell all features apart.
fn weighted(configuration: &Configuration, events: &[Event]) -> Predictor<f64> {
    let mut predictor = observed::<f64>(configuration, events, usize::MAX);
    let width = predictor.layout().width;
    predictor.set_weights((0..width).map(|f| 0.9 - 0.17 * f as f64).collect(), -0.3).unwrap();
    predictor
}

fn everything() -> Vec<Destination> {
    (0..DESTINATIONS).map(Destination).collect()
}

/// Queries of every source, and of one that was never seen, some time after the last event.
fn queries(predictor: &Predictor<f64>, events: &[Event], later: f64) -> Vec<Query> {
    let time = events.last().unwrap().time + later;
    (0..=SOURCES).map(|source| predictor.query(Id::Integer(i64::from(source)), time).unwrap()).collect()
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|value| value.to_bits()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn every_estimator_sums_to_one_over_the_vocabulary(c in configurations(), events in streams(), later in 0.0..1e3) {
        let c = Configuration { co_occurrence: true, ..c };
        let predictor = observed::<f64>(&c, &events, usize::MAX);
        let (model, time) = (predictor.model(), events.last().unwrap().time + later);
        let sum = |estimate: &dyn Fn(Destination) -> f64| everything().into_iter().map(estimate).sum::<f64>();
        let mut sums = vec![sum(&|z| model.marginal(z, time)), sum(&|z| model.continuation(z)), sum(&|z| model.backoff(z, time))];
        for source in (0..SOURCES).map(Source).chain([Source::UNSEEN]) {
            sums.push(sum(&|z| model.source_conditional(source, z, time)));
            sums.push(sum(&|z| model.co_occurrence(source, z, time)));
        }
        for previous in everything() {
            sums.push(sum(&|z| model.transition(previous, z, time)));
        }
        prop_assert!(sums.iter().all(|sum| (sum - 1.0).abs() < 1e-9), "{sums:?}");
    }

    #[test]
    fn a_context_never_observed_gives_exactly_its_backoff(c in configurations(), events in streams(), later in 0.0..1e3) {
        // A new source goes to a destination that nobody ever left.
        let c = Configuration { co_occurrence: true, ..c };
        let mut events = events;
        let time = events.last().unwrap().time;
        events.push(Event { source: Source(SOURCES), destination: Destination(DESTINATIONS - 1), time });
        let predictor = weighted(&c, &events);
        let mut workspace = Workspace::new();
        let mut ask = |source| {
            let query = predictor.query(Id::Integer(source), time + later).unwrap();
            predictor.features(query, &everything(), &mut workspace)
        };
        let (stranger, newcomer) = (ask(i64::from(SOURCES) + 1), ask(i64::from(SOURCES)));
        let layout = predictor.layout();
        let rows = stranger.chunks(layout.width).zip(newcomer.chunks(layout.width));
        for (z, (stranger, newcomer)) in everything().into_iter().zip(rows) {
            let backoff = stranger[Layout::SOURCE_HISTORY];
            prop_assert!((backoff.exp() - predictor.model().backoff(z, time + later)).abs() < 1e-12);
            if c.backoff == Backoff::Marginal {
                prop_assert_eq!(stranger[Layout::POPULARITY].to_bits(), backoff.to_bits());
            }
            let co_occurrence = layout.co_occurrence.unwrap();
            let same = [stranger[co_occurrence], newcomer[co_occurrence], newcomer[Layout::transition(0)]];
            prop_assert_eq!(bits(&same), vec![backoff.to_bits(); 3]);
        }
    }

    #[test]
    fn asking_leaves_the_digest_unchanged(c in configurations(), events in streams(), later in 0.0..1e9) {
        let predictor = weighted(&c, &events);
        let before = predictor.digest();
        let mut workspace = Workspace::new();
        for query in queries(&predictor, &events, later) {
            predictor.score(query, Candidates::All, &mut workspace).unwrap();
            predictor.rank(query, &everything(), &mut workspace).unwrap();
            predictor.top_k(query, 3, &mut workspace).unwrap();
            predictor.explain(query, Destination(1), &mut workspace).unwrap();
        }
        prop_assert_eq!(predictor.digest(), before);
    }

    #[test]
    fn shifting_all_times_changes_nothing_beyond_rounding(c in configurations(), events in streams(), shift in -1e6..1e6) {
        let moved: Vec<Event> = events.iter().map(|event| Event { time: event.time + shift, ..*event }).collect();
        let (here, there) = (weighted(&c, &events), weighted(&c, &moved));
        let mut workspace = Workspace::new();
        // What a shift rounds in a time, the smallest time scale magnifies.
        let coarsest = 4e-16 * events.iter().chain(&moved).fold(1.0, |most: f64, event| most.max(event.time.abs()));
        let tolerance = 1e-9 + 100.0 * coarsest / c.decay.min(c.recency / 10.0);
        for (query, other) in queries(&here, &events, 2.0).into_iter().zip(queries(&there, &moved, 2.0)) {
            let found = here.features(query, &everything(), &mut workspace);
            let after = there.features(other, &everything(), &mut workspace);
            for (x, y) in found.iter().zip(&after) {
                prop_assert!((x - y).abs() <= tolerance * x.abs().max(1.0), "{x} {y}");
            }
        }
    }

    #[test]
    fn scaling_times_with_their_constants_changes_nothing_beyond_rounding(
        c in configurations(), events in streams(), power in -20i32..20,
    ) {
        // A power of two scales every time exactly.
        let factor = 2f64.powi(power);
        let scaled = Configuration { decay: c.decay * factor, recency: c.recency * factor, ..c.clone() };
        let longer: Vec<Event> = events.iter().map(|event| Event { time: event.time * factor, ..*event }).collect();
        let (here, there) = (weighted(&c, &events), weighted(&scaled, &longer));
        let mut workspace = Workspace::new();
        for (query, other) in queries(&here, &events, 2.0).into_iter().zip(queries(&there, &longer, 2.0 * factor)) {
            let found = here.features(query, &everything(), &mut workspace);
            let after = there.features(other, &everything(), &mut workspace);
            for (x, y) in found.iter().zip(&after) {
                prop_assert!((x - y).abs() <= 1e-6 * x.abs().max(1.0), "{x} {y}");
            }
        }
    }

    #[test]
    fn renaming_ids_renames_answers(
        c in configurations(), events in streams(), order in Just((0..DESTINATIONS).collect::<Vec<_>>()).prop_shuffle(),
    ) {
        // The same events under other numbers, of which the last is nobody's.
        let renamed = |z: Destination| Destination(order[z.index()]);
        let other: Vec<Event> = events
            .iter()
            .map(|event| Event { source: Source(SOURCES - 1 - event.source.0), destination: renamed(event.destination), ..*event })
            .collect();
        let (plain, other) = (weighted(&c, &events), weighted(&c, &other));
        let mut workspace = Workspace::new();
        for source in 0..SOURCES {
            let time = events.last().unwrap().time + 1.0;
            let mut ask = |predictor: &Predictor<f64>, source: u32, list: &[Destination]| {
                let query = predictor.query(Id::Integer(i64::from(source)), time).unwrap();
                bits(&predictor.features(query, list, &mut workspace))
            };
            let there: Vec<Destination> = everything().into_iter().map(renamed).collect();
            prop_assert_eq!(ask(&plain, source, &everything()), ask(&other, SOURCES - 1 - source, &there));
        }
    }

    #[test]
    fn the_order_of_candidates_does_not_matter(c in configurations(), events in streams(), order in Just((0..DESTINATIONS).collect::<Vec<_>>()).prop_shuffle()) {
        let predictor = weighted(&c, &events);
        let shuffled: Vec<Destination> = order.iter().map(|&z| Destination(z)).collect();
        let mut workspace = Workspace::new();
        for query in queries(&predictor, &events, 1.0) {
            let plain = predictor.score(query, Candidates::These(&everything()), &mut workspace).unwrap();
            let mixed = predictor.score(query, Candidates::These(&shuffled), &mut workspace).unwrap();
            let back: Vec<f64> = order.iter().map(|&z| plain[z as usize]).collect();
            prop_assert_eq!(bits(&mixed), bits(&back));
        }
    }

    #[test]
    fn equal_evidence_gives_equal_scores_bit_for_bit(c in configurations(), events in streams(), later in 0.0..1e3) {
        // Two destinations that nobody ever visited: the last one, and one that the vocabulary does not hold.
        let predictor = weighted(&c, &events);
        let unseen: Vec<Destination> =
            everything().into_iter().filter(|z| events.iter().all(|event| event.destination != *z)).collect();
        let mut workspace = Workspace::new();
        for query in queries(&predictor, &events, later) {
            let all = predictor.score(query, Candidates::All, &mut workspace).unwrap();
            let first = all[unseen[0].0 as usize].to_bits();
            for z in &unseen {
                let alone = predictor.score(query, Candidates::These(&[*z]), &mut workspace).unwrap();
                prop_assert_eq!([all[z.0 as usize].to_bits(), alone[0].to_bits()], [first; 2]);
            }
        }
    }

    #[test]
    fn the_best_k_are_the_head_of_the_full_sort(c in configurations(), events in streams(), k in 0usize..12) {
        let predictor = weighted(&c, &events);
        let mut workspace = Workspace::new();
        for query in queries(&predictor, &events, 1.0) {
            let scores = predictor.score(query, Candidates::All, &mut workspace).unwrap();
            let mut sorted: Vec<u32> = (0..scores.len() as u32).collect();
            sorted.sort_by(|&a, &b| scores[b as usize].total_cmp(&scores[a as usize]).then(a.cmp(&b)));
            sorted.truncate(k);
            prop_assert_eq!(&top_k(&scores, k), &sorted);
            let found: Vec<u32> =
                predictor.top_k(query, k, &mut workspace).unwrap().iter().map(|(z, _)| z.0).collect();
            prop_assert_eq!(found, sorted);
        }
    }

    #[test]
    fn midrank_equals_the_mean_over_all_tie_breakings(positive in 0u8..4, negatives in prop::collection::vec(0u8..4, 0..6)) {
        // The positive may stand anywhere among its equals; each place is as likely.
        let scores: Vec<f64> = negatives.iter().map(|&score| f64::from(score)).collect();
        let higher = negatives.iter().filter(|&&score| score > positive).count();
        let equal = negatives.iter().filter(|&&score| score == positive).count();
        let mean = (0..=equal).map(|before| (1 + higher + before) as f64).sum::<f64>() / (equal + 1) as f64;
        prop_assert_eq!(midrank(f64::from(positive), &scores), mean);
    }

    #[test]
    fn features_at_a_depth_are_a_prefix_of_those_at_a_larger(c in configurations(), events in streams(), extra in 1usize..8) {
        let c = Configuration { co_occurrence: false, depth: c.depth.min(56), ..c };
        let deeper = Configuration { depth: c.depth + extra, ..c.clone() };
        let (short, long) = (weighted(&c, &events), weighted(&deeper, &events));
        let (narrow, wide) = (short.layout().width, long.layout().width);
        let mut workspace = Workspace::new();
        for (query, other) in queries(&short, &events, 1.0).into_iter().zip(queries(&long, &events, 1.0)) {
            let few = short.features(query, &everything(), &mut workspace);
            let many = long.features(other, &everything(), &mut workspace);
            for (few, many) in few.chunks(narrow).zip(many.chunks(wide)) {
                prop_assert_eq!(bits(&few[..2 + c.depth]), bits(&many[..2 + c.depth]));
                prop_assert_eq!(bits(&few[2 + c.depth..]), bits(&many[2 + deeper.depth..]));
            }
        }
    }

    #[test]
    fn continuation_counts_never_fall(c in configurations(), events in streams()) {
        // N1+(.z) and N, told from P_c(z) = (N1+(.z) + alpha) / (N + alpha |V|) and its sum of counts.
        let mut predictor = observed::<f64>(&c, &[], 1);
        let mut before = vec![0.0; DESTINATIONS as usize];
        for event in &events {
            let (source, destination) = (i64::from(event.source.0), i64::from(event.destination.0));
            predictor.observe_one(Id::Integer(source), Id::Integer(destination), event.time).unwrap();
            let never = predictor.model().continuation(Destination(DESTINATIONS - 1));
            let counts: Vec<f64> = everything()
                .into_iter()
                .map(|z| c.alpha * (predictor.model().continuation(z) / never - 1.0))
                .collect();
            prop_assert!(counts.iter().zip(&before).all(|(now, then)| *now >= then - 1e-9), "{before:?} {counts:?}");
            before = counts;
        }
    }

    #[test]
    fn a_refused_event_or_stream_changes_nothing(c in configurations(), events in streams(), bad in 0usize..7, at: prop::sample::Index) {
        let mut predictor = observed::<f32>(&c, &events, usize::MAX);
        let before = predictor.digest();
        let now = events.last().unwrap().time;
        let time = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, now - 1e-3 * now.abs().max(1.0), 1e301, now, now][bad];
        let (source, destination) = match bad {
            5 => (Id::Integer(-1), Id::Integer(0)),
            6 => (Id::Integer(0), Id::Integer(i64::from(DESTINATIONS))),
            _ => (Id::Integer(0), Id::Integer(0)),
        };
        prop_assert!(predictor.observe_one(source, destination, time).is_err());
        prop_assert_eq!(predictor.digest(), before);
        // The same fault in the middle of a stream of events that are well: the row is named, none is observed.
        let row = at.index(5);
        let mut times = vec![now + 1.0; 5];
        let (mut ids, mut destinations) = (vec![0i64, 77], vec![0u32; 5]);
        match bad {
            5 => ids[1] = -1,
            6 => ids[1] = i64::from(DESTINATIONS),
            _ => times[row] = time,
        }
        destinations[row] = u32::from(bad >= 5);
        let refused = EventSlice::new(&[0; 5], &destinations, &times).and_then(|events| {
            let (sources, table) = (IdTable::Integers(&[0]), IdTable::Integers(&ids));
            predictor.observe(&NamedEvents { events, source_ids: sources, destination_ids: table })
        });
        let error = refused.unwrap_err();
        prop_assert_eq!(error.row(), Some(row), "{}", error);
        prop_assert_eq!(predictor.digest(), before);
    }
}
