//! Selection: threads and memory change no bit of a fit, and it can be stopped.

use crate::cases::{Case, DESTINATIONS, Impatient, SOURCES, cases, configurations, extract, is_interruption};
use linkgram_core::fit::FitSettings;
use linkgram_core::replay::{Plan, Watch};
use linkgram_core::selection::{Fitted, SeedRows, Selection};
use linkgram_core::{Configuration, Error, Model, Schedule};
use proptest::prelude::*;

fn select(
    case: &Case,
    configuration: &Configuration,
    threads: usize,
    budget: usize,
    watch: &mut dyn Watch,
) -> Result<(Vec<Fitted>, bool), Error> {
    let seeds = [3, u64::MAX, 0];
    let before = Model::<f32>::new(configuration.clone(), SOURCES, DESTINATIONS)?;
    let plan = Plan { observed: 0, examined: (0, case.first), ..case.plan(Schedule::EventWise, threads) };
    let (matrices, model) = extract(before, &plan, &seeds, 2);
    let settings = FitSettings { batch: 8, epochs: 30, patience: 12, ..FitSettings::default() };
    let plan = Plan { observed: case.first, ..case.plan(Schedule::EventWise, threads) };
    let selection = Selection { model: &model, plan, threads, candidates: case.rows(), settings, negatives: 2, budget };
    let rows: Vec<_> =
        seeds.iter().zip(&matrices).map(|(&seed, rows)| SeedRows { seed, rows, features: None }).collect();
    selection.fit(&rows, watch).map(|(fitted, report)| (fitted, report.kept))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn selection_is_the_same_on_any_threads_with_any_memory(
        case in cases(), c in configurations(), threads in 2usize..5, budget in 0usize..100_000,
    ) {
        prop_assume!(case.first > 0);
        let (kept, was_kept) = select(&case, &c, 1, usize::MAX, &mut ()).unwrap();
        prop_assert!(was_kept);
        for (threads, budget) in [(threads, usize::MAX), (1, 0), (threads, 0), (threads, budget)] {
            let (other, was_kept) = select(&case, &c, threads, budget, &mut ()).unwrap();
            prop_assert_eq!(was_kept, budget == usize::MAX);
            prop_assert_eq!(&other, &kept);
        }
        for run in &kept {
            let best = run.history.iter().copied().fold(f64::MIN, f64::max);
            prop_assert_eq!(run.history[run.epoch - 1], best);
            prop_assert!(run.history.len() == 30 || run.history.len() == run.epoch + 12);
        }
    }

    #[test]
    fn all_features_named_are_all_features_and_places_out_of_order_or_range_are_refused(
        case in cases(), c in configurations(),
    ) {
        prop_assume!(case.first > 0);
        let before = Model::<f32>::new(c.clone(), SOURCES, DESTINATIONS).unwrap();
        let plan = Plan { observed: 0, examined: (0, case.first), ..case.plan(Schedule::EventWise, 1) };
        let (matrices, model) = extract(before, &plan, &[3], 2);
        let settings = FitSettings { batch: 8, epochs: 4, patience: 2, ..FitSettings::default() };
        let plan = Plan { observed: case.first, ..case.plan(Schedule::EventWise, 1) };
        let selection =
            Selection { model: &model, plan, threads: 1, candidates: case.rows(), settings, negatives: 2, budget: 0 };
        let width = c.features().len();
        let fit = |features: Option<&[usize]>| {
            selection.fit(&[SeedRows { seed: 3, rows: &matrices[0], features }], &mut ()).map(|(fitted, _)| fitted)
        };
        let every: Vec<usize> = (0..width).collect();
        prop_assert_eq!(fit(Some(&every)).unwrap(), fit(None).unwrap());
        let swapped: Vec<usize> = (0..width).rev().collect();
        let beyond: Vec<usize> = (1..=width).collect();
        for wrong in [&swapped, &beyond] {
            prop_assert!(fit(Some(wrong)).unwrap_err().to_string().contains("no rising places"));
        }
        // Too few places for the rows' numbers.
        if !matrices[0].len().is_multiple_of(2 * (width - 1)) {
            prop_assert!(fit(Some(&every[1..])).is_err());
        }
    }

    #[test]
    fn a_watch_that_ends_a_selection_ends_it_with_an_interruption(
        case in cases(), c in configurations(), threads in 1usize..4, left in 0usize..40, kept: bool,
    ) {
        prop_assume!(case.first > 0);
        // Only the caller's thread looks; with others beside it, it is sure to look in the first pass alone.
        let left = if threads > 1 { left % 4 } else { left };
        let budget = if kept { usize::MAX } else { 0 };
        let mut watch = Impatient { looks: 0, left };
        let result = select(&case, &c, threads, budget, &mut watch);
        prop_assert!(is_interruption(result));
    }
}
