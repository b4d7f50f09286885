//! Saved files that somebody changed: refused, or as good as any other; never a panic, never more memory than the file
//! stands for.

mod streams;

use linkgram_core::{Candidates, Configuration, Destination, Event, Id, Predictor, Workspace};
use proptest::prelude::*;
use streams::{DESTINATIONS, SOURCES, configurations, observed, streams};
use xxhash_rust::xxh3::xxh3_64;

fn saved(configuration: &Configuration, events: &[Event]) -> Vec<u8> {
    let mut predictor = observed::<f32>(configuration, events, 5);
    let width = predictor.layout().width;
    predictor.set_weights((0..width).map(|f| 0.9 - 0.17 * f as f64).collect(), -0.3).unwrap();
    let mut file = Vec::new();
    predictor.write("a note", &mut file).unwrap();
    file
}

fn read(file: &[u8]) -> Result<Predictor<f32>, linkgram_core::Error> {
    Predictor::read(file, file.len() as u64).map(|(predictor, _)| predictor)
}

/// Makes the checksum fit again.
fn seal(file: &mut [u8]) {
    let end = file.len() - 8;
    let sum = xxh3_64(&file[..end]).to_le_bytes();
    file[end..].copy_from_slice(&sum);
}

/// Asks everything, feeds it and saves it again.
fn use_it(mut predictor: Predictor<f32>) {
    let mut workspace = Workspace::new();
    let now = predictor.state().last_time().unwrap_or(0.0);
    for later in [0.0, 50.0, 1e9] {
        let ids: Vec<i64> = (0..=i64::from(SOURCES)).collect();
        for id in ids {
            let Ok(query) = predictor.query(Id::Integer(id), now + later) else { continue };
            let _ = predictor.score(query, Candidates::All, &mut workspace);
            let _ = predictor.top_k(query, 3, &mut workspace);
            let known = (0..predictor.destinations().len() as u32).map(Destination);
            let list: Vec<Destination> = std::iter::once(Destination::UNSEEN).chain(known).collect();
            predictor.features(query, &list[1..], &mut workspace);
            let _ = predictor.rank(query, &list, &mut workspace);
            let _ = predictor.explain(query, Destination(0), &mut workspace);
        }
        for destination in 0..i64::from(DESTINATIONS) {
            let _ = predictor.observe_one(Id::Integer(1), Id::Integer(destination), now + later);
        }
        predictor.state().describe();
        predictor.digest();
    }
    predictor.write("again", Vec::new()).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    #[test]
    fn a_forgery_with_a_fitting_checksum_is_refused_or_answers(
        c in configurations(), events in streams(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), prop_oneof![
            any::<u8>().prop_map(|byte| vec![byte]),
            prop_oneof![Just(u32::MAX), Just(1 << 31), Just(1), Just(0)].prop_map(|word| word.to_le_bytes().to_vec()),
            prop_oneof![Just(f64::MAX), Just(-1.0), Just(f64::NAN), Just(f64::MIN_POSITIVE), Just(1e300)]
                .prop_map(|number| number.to_le_bytes().to_vec()),
        ]), 1..4),
    ) {
        let mut file = saved(&c, &events);
        for (at, bytes) in changes {
            let at = at.index(file.len() - 8 - bytes.len());
            file[at..at + bytes.len()].copy_from_slice(&bytes);
        }
        seal(&mut file);
        if let Ok(predictor) = read(&file) {
            use_it(predictor);
        }
    }
}

#[test]
fn another_version_is_refused_by_its_number() {
    let mut file = saved(&Configuration::default(), &[]);
    file[8] = 1;
    seal(&mut file);
    let Err(problem) = read(&file) else { panic!("it was read") };
    assert!(problem.to_string().contains("its version is 1; this linkgram reads version 2"), "{problem}");
}

#[test]
fn every_byte_changed_and_every_length_cut_is_refused() {
    let events: Vec<Event> = (0..30u32)
        .map(|at| Event {
            source: linkgram_core::Source(at % 3),
            destination: Destination(at * at % 8),
            time: at.into(),
        })
        .collect();
    let configuration = Configuration { co_occurrence: true, decay: 1.0, recency: 1.0, ..Configuration::default() };
    let file = saved(&configuration, &events);
    assert!(read(&file).is_ok());
    for at in 0..file.len() {
        assert!(read(&file[..at]).is_err(), "cut at {at}");
        for bit in [1u8, 0x10, 0x80, 0xff] {
            let mut changed = file.clone();
            changed[at] ^= bit;
            assert!(read(&changed).is_err(), "byte {at} changed by {bit:#x}");
        }
    }
    let longer = [&file[..], &[0]].concat();
    assert!(read(&longer).is_err());
}

#[test]
fn no_visit_lies_after_the_last_event() {
    let time = 123_456.75f64;
    let event = Event { source: linkgram_core::Source(0), destination: Destination(0), time };
    let file = saved(&Configuration::default(), &[event]);
    let (from, to) = (time.to_le_bytes(), (time + 1.0).to_le_bytes());
    let places: Vec<usize> = (0..file.len() - 8).filter(|&at| file[at..at + 8] == from).collect();
    // The last event, its landmark, the visit of the destination and that of the source.
    assert_eq!(places.len(), 4);
    let later = |at: usize| {
        let mut forged = file.clone();
        forged[at..at + 8].copy_from_slice(&to);
        seal(&mut forged);
        read(&forged).err().map(|error| error.to_string())
    };
    let answers: Vec<_> = places.into_iter().map(later).collect();
    assert_eq!(answers[0], None);
    assert!(answers[2..].iter().all(|answer| answer.as_ref().is_some_and(|message| message.contains("a visit lies"))));
}
