//! Whether rows are moved to another epoch whole or bucket by bucket shows nowhere. A saved state holds every row as if
//! it had been moved whole, so the slow form is to save and load after every few events.

use linkgram_core::{Candidates, Cell, Configuration, Destination, Id, Predictor, Vocabulary, Workspace};
use proptest::prelude::*;

const DESTINATIONS: i64 = 260;
const TAU: f64 = 1.0;
/// A bit more than the time between two landmarks.
const EPOCH: f64 = 41.0;

fn configurations() -> impl Strategy<Value = Configuration> {
    any::<[bool; 2]>().prop_map(|[windowed, continuation]| Configuration {
        depth: 3,
        backoff: if continuation { linkgram_core::Backoff::Continuation } else { linkgram_core::Backoff::Marginal },
        co_occurrence: windowed,
        decay: TAU,
        recency: 30.0 * TAU,
        ..Configuration::default()
    })
}

/// Few sources with many destinations each, and gaps of nothing, of some epochs, and of thousands.
fn streams() -> impl Strategy<Value = Vec<(i64, i64, f64)>> {
    let gap = prop_oneof![
        60 => Just(0.0),
        10 => 0.0..1.0,
        4 => Just(EPOCH),
        2 => 2.0 * EPOCH..9.0 * EPOCH,
        1 => Just(5000.0 * EPOCH),
    ];
    let destination = prop_oneof![1 => 0..8i64, 4 => 0..DESTINATIONS];
    prop::collection::vec((0..3i64, destination, gap), 600..900).prop_map(|mut events| {
        let mut time = 1e6;
        events.iter_mut().for_each(|(_, _, gap)| {
            time += *gap;
            *gap = time;
        });
        events
    })
}

fn reloaded<C: Cell>(predictor: &Predictor<C>) -> Predictor<C> {
    let mut file = Vec::new();
    predictor.write("", &mut file).unwrap();
    Predictor::read(&file[..], file.len() as u64).unwrap().0
}

fn assert_same<C: Cell>(steady: &Predictor<C>, moved: &Predictor<C>) {
    assert_eq!(steady.digest(), moved.digest());
    let (mut one, mut other) = (Workspace::new(), Workspace::new());
    let now = steady.state().last_time().unwrap();
    let few: Vec<Destination> = (0..7).map(|at| Destination(at * 5)).collect();
    let many: Vec<Destination> = (0..steady.destinations().len() as u32).rev().map(Destination).collect();
    for source in 0..4 {
        for wait in [0.0, 3.0 * TAU, EPOCH] {
            let query = steady.query(Id::Integer(source), now + wait).unwrap();
            for list in [&few, &many] {
                let (features, others) =
                    (steady.features(query, list, &mut one), moved.features(query, list, &mut other));
                assert_eq!(features, others);
                let ranks = [(steady, &mut one), (moved, &mut other)]
                    .map(|(predictor, room)| predictor.rank(query, list, room).unwrap());
                assert_eq!(ranks[0], ranks[1]);
            }
            let all = Candidates::All;
            let scores = steady.score(query, all, &mut one).unwrap();
            assert_eq!(scores, moved.score(query, all, &mut other).unwrap());
            assert_eq!(steady.top_k(query, 9, &mut one).unwrap(), moved.top_k(query, 9, &mut other).unwrap());
        }
    }
}

fn saving_changes_nothing<C: Cell>(configuration: &Configuration, events: &[(i64, i64, f64)], every: usize) {
    let mut steady = Predictor::<C>::new(configuration.clone(), Vocabulary::growing()).unwrap();
    let width = steady.layout().width;
    steady.set_weights((0..width).map(|feature| 0.7 - 0.13 * feature as f64).collect(), 0.1).unwrap();
    let mut moved = reloaded(&steady);
    for (at, &(source, destination, time)) in events.iter().enumerate() {
        steady.observe_one(Id::Integer(source), Id::Integer(destination), time).unwrap();
        moved.observe_one(Id::Integer(source), Id::Integer(destination), time).unwrap();
        if at % every == 0 {
            moved = reloaded(&moved);
        }
        if at % 150 == 149 {
            assert_same(&steady, &moved);
        }
    }
    assert_same(&steady, &moved);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn save_load_continue_gives_the_same_bits_however_rows_are_moved(
        configuration in configurations(), events in streams(), every in prop_oneof![Just(1usize), Just(7), Just(100)],
    ) {
        saving_changes_nothing::<f32>(&configuration, &events, every);
        saving_changes_nothing::<f64>(&configuration, &events, every);
    }
}
