//! Replay: whatever is done along the way, threads and memory change no bit of it, and it can be stopped.

#[path = "replay/cases.rs"]
mod cases;
#[path = "replay/selection.rs"]
mod selection;

use cases::{Case, DESTINATIONS, Impatient, SOURCES, cases, configurations, extract, is_interruption, schedules};
use linkgram_core::ranker::{CandidateRows, Ranking, kept_ranks, mean_reciprocal_ranks};
use linkgram_core::replay::{Plan, replay};
use linkgram_core::{Configuration, ErrorKind, EventSlice, Model, Schedule};
use proptest::prelude::*;

fn lanes(width: usize) -> Vec<Vec<f64>> {
    (0..3).map(|lane| (0..width).map(|at| 1.0 - 0.17 * (at * (lane + 1)) as f64).collect()).collect()
}

fn ranks(case: &Case, configuration: &Configuration, plan: &Plan<'_>, rows: CandidateRows<'_>) -> (Vec<f64>, Vec<f64>) {
    let model = case.model(configuration);
    let lanes = lanes(model.layout.width);
    let ranking = Ranking { rows, lanes: lanes.as_slice(), keep: true };
    let (blocks, _) = replay(model, plan, &ranking, &mut ()).unwrap();
    (kept_ranks(&blocks, lanes.len()), mean_reciprocal_ranks(&blocks, lanes.len()))
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|value| value.to_bits()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn any_number_of_threads_gives_the_same_ranks(
        case in cases(), c in configurations(), schedule in schedules(), threads in 2usize..9, every: bool,
    ) {
        let rows = if every { CandidateRows::All } else { case.rows() };
        let (one, mean) = ranks(&case, &c, &case.plan(schedule, 1), rows);
        let (other, mean_too) = ranks(&case, &c, &case.plan(schedule, threads), rows);
        prop_assert_eq!(one.len(), 3 * (case.times.len() - case.first));
        prop_assert_eq!(bits(&one), bits(&other));
        prop_assert_eq!(bits(&mean), bits(&mean_too));
        // The sums in blocks are those of the ranks.
        let queries = one.len() / 3;
        for (lane, mean) in mean.iter().enumerate() {
            let slow = one[lane * queries..][..queries].iter().map(|rank| 1.0 / rank).sum::<f64>() / queries as f64;
            prop_assert!((mean - slow).abs() < 1e-12);
        }
    }

    #[test]
    fn batches_of_one_are_event_wise_and_so_is_strict_without_ties(case in cases(), c in configurations()) {
        let (event_wise, _) = ranks(&case, &c, &case.plan(Schedule::EventWise, 2), case.rows());
        let (batches, _) = ranks(&case, &c, &case.plan(Schedule::Batch(1), 2), case.rows());
        prop_assert_eq!(bits(&event_wise), bits(&batches));
        let untied = Case { times: (0..case.times.len()).map(|row| row as f64).collect(), ..case };
        let (event_wise, _) = ranks(&untied, &c, &untied.plan(Schedule::EventWise, 2), untied.rows());
        let (strict, _) = ranks(&untied, &c, &untied.plan(Schedule::StrictTimestamp, 2), untied.rows());
        prop_assert_eq!(bits(&event_wise), bits(&strict));
    }

    #[test]
    fn the_history_after_a_replay_is_that_of_observing(case in cases(), c in configurations(), schedule in schedules()) {
        let model = case.model(&c);
        let lanes = lanes(model.layout.width);
        let ranking = Ranking { rows: case.rows(), lanes: lanes.as_slice(), keep: false };
        let (_, after) = replay(model, &case.plan(schedule, 3), &ranking, &mut ()).unwrap();
        let mut plain = Model::<f32>::new(c.clone(), SOURCES, DESTINATIONS).unwrap();
        plain.state.observe(&case.events()).unwrap();
        prop_assert_eq!(after.state.events(), case.times.len() as u64);
        prop_assert_eq!(after.state.last_time(), plain.state.last_time());
        // Equal histories answer equally: rank the stream's own pairs once more, at the end.
        let again = |model: Model<f32>| {
            let end = *case.times.last().unwrap();
            let times = vec![end; case.times.len()];
            let events = EventSlice::new(&case.sources, &case.destinations, &times).unwrap();
            let ranking = Ranking { rows: CandidateRows::All, lanes: lanes.as_slice(), keep: true };
            let schedule = Schedule::Batch(events.len());
            let plan = Plan { events, observed: 0, examined: (0, events.len()), schedule, threads: 1 };
            kept_ranks(&replay(model, &plan, &ranking, &mut ()).unwrap().0, 3)
        };
        prop_assert_eq!(bits(&again(after)), bits(&again(plain)));
    }

    #[test]
    fn any_number_of_threads_extracts_the_same_matrices(
        case in cases(), c in configurations(), threads in 2usize..9, negatives in 1usize..4, seed: u64,
    ) {
        let matrices = |threads: usize, seeds: &[u64]| {
            let model = Model::<f32>::new(c.clone(), SOURCES, DESTINATIONS).unwrap();
            let plan = Plan { observed: 0, examined: (0, case.times.len()), ..case.plan(Schedule::EventWise, threads) };
            extract(model, &plan, seeds, negatives)
        };
        let seeds = [seed, seed.wrapping_add(1)];
        let (one, after) = matrices(1, &seeds);
        let width = after.layout.width;
        let (other, _) = matrices(threads, &seeds);
        let pattern = |matrix: &[f32]| matrix.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        for (left, right) in one.iter().zip(&other) {
            prop_assert_eq!(left.len(), case.times.len() * negatives * width);
            prop_assert_eq!(pattern(left), pattern(right));
        }
        // A seed's matrix does not depend on which others are made in the same pass.
        prop_assert_eq!(pattern(&matrices(threads, &seeds[1..]).0[0]), pattern(&one[1]));
        prop_assert_ne!(pattern(&one[0]), pattern(&one[1]));
    }

    #[test]
    fn candidates_outside_the_vocabulary_or_of_other_queries_are_refused(case in cases(), at: prop::sample::Index) {
        let queries = case.offsets.len() - 1;
        prop_assert!(case.rows().check(queries, DESTINATIONS).is_ok());
        prop_assert!(CandidateRows::All.check(queries, DESTINATIONS).is_ok());
        for (count, size) in [(queries + 1, DESTINATIONS), (queries - 1, DESTINATIONS)] {
            prop_assert!(case.rows().check(count, size).is_err());
        }
        for stranger in [DESTINATIONS as i32, -1, i32::MIN, i32::MAX] {
            let mut bad = case.clone();
            let place = at.index(bad.negatives.len());
            bad.negatives[place] = stranger;
            let query = bad.offsets.partition_point(|&offset| offset <= place as i64) - 1;
            let refused = bad.rows().check(queries, DESTINATIONS).unwrap_err().to_string();
            let said = format!("a candidate of query {query} is {stranger}, outside");
            prop_assert!(refused.contains(&said), "{}", refused);
        }
        for (broken, value) in [(0, 1), (queries, case.offsets[queries] + 1), (1, -1), (1, i64::MAX)] {
            let mut bad = case.clone();
            bad.offsets[broken] = value;
            prop_assert!(bad.rows().check(queries, DESTINATIONS).is_err());
        }
    }

    #[test]
    fn a_watch_that_ends_a_replay_ends_it_with_an_interruption(
        case in cases(), c in configurations(), schedule in schedules(), threads in 1usize..5, left in 0usize..3,
    ) {
        let model = case.model(&c);
        let lanes = lanes(model.layout.width);
        let ranking = Ranking { rows: case.rows(), lanes: lanes.as_slice(), keep: true };
        let mut watch = Impatient { looks: 0, left };
        prop_assert!(is_interruption(replay(model, &case.plan(schedule, threads), &ranking, &mut watch)));
        prop_assert_eq!(watch.looks, left + 1);
    }
}

#[test]
fn plans_that_examine_what_was_observed_are_refused() {
    let (sources, destinations, times) = ([0; 6], [0; 6], [0.0, 1.0, 1.0, 1.0, 2.0, 2.0]);
    let events = EventSlice::new(&sources, &destinations, &times).unwrap();
    let refused = |observed, examined, schedule| {
        let model = Model::<f64>::new(Configuration::default(), 1, 1).unwrap();
        let lanes = lanes(model.layout.width);
        let ranking = Ranking { rows: CandidateRows::All, lanes: lanes.as_slice(), keep: true };
        let plan = Plan { events, observed, examined, schedule, threads: 2 };
        replay(model, &plan, &ranking, &mut ()).is_err_and(|error| matches!(error.kind(), ErrorKind::Shape { .. }))
    };
    assert!(refused(3, (2, 6), Schedule::EventWise));
    assert!(refused(0, (4, 7), Schedule::EventWise));
    assert!(refused(0, (5, 4), Schedule::EventWise));
    // The time of row 3 began at row 1.
    assert!(refused(2, (3, 6), Schedule::StrictTimestamp));
    assert!(!refused(1, (3, 6), Schedule::StrictTimestamp));
    assert!(!refused(2, (3, 6), Schedule::EventWise));
    assert!(!refused(6, (6, 6), Schedule::EventWise));
}
