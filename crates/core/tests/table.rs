//! The arena of rows against its slow form, a map of (context, key); where epochs pass, a map whose every count of a
//! context is moved when the context is written.

use linkgram_core::table::{Packed, Table, Time};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// Cases, and how many times a case adds at most; Miri takes its time.
const SIZES: (u32, usize) = if cfg!(miri) { (2, 150) } else { (64, 6000) };

proptest! {
    #![proptest_config(ProptestConfig { cases: SIZES.0, ..ProptestConfig::default() })]

    #[test]
    fn a_table_is_a_map_of_context_and_key(
        adds in prop::collection::vec((0u32..6, prop_oneof![0u32..40, 0u32..3000, Just(u32::MAX - 1)]), 0..SIZES.1),
    ) {
        let mut table = Table::<f64, u32>::new(true);
        table.grow(6);
        let mut slow = BTreeMap::<(u32, u32), (f64, u32)>::new();
        for (at, &(context, key)) in adds.iter().enumerate() {
            table.change::<true>(context, key, |_, mut cell| {
                cell.set_first(cell.first() + 1.0);
                cell.set_second(at as u32);
            });
            let cell = slow.entry((context, key)).or_default();
            *cell = (cell.0 + 1.0, at as u32);
        }
        prop_assert_eq!(table.cells(), slow.len());
        for (&(context, key), &(first, second)) in &slow {
            let row = table.row(context);
            let place = table.find(&row, key).expect("every key is found");
            prop_assert_eq!((table.first(place), table.second(place)), (first, second));
        }
        for context in 0..7 {
            let row = table.row(context);
            let mut walked = Vec::new();
            table.walk(&row, |key, _| walked.push(key));
            walked.sort_unstable();
            let expected: Vec<u32> = slow.keys().filter(|(c, _)| *c == context).map(|&(_, key)| key).collect();
            prop_assert_eq!(row.len(), expected.len());
            prop_assert_eq!(walked, expected);
            prop_assert_eq!(table.find(&row, 3001), None);
            prop_assert_eq!(table.find(&row, u32::MAX), None);
        }
    }
}

/// A value that a test can make, and move over an epoch the slow way.
trait Value: Packed + PartialEq + std::fmt::Debug {
    fn of(weight: f64) -> Self;
    fn plus(self, other: Self) -> Self;
    fn after_an_epoch(self) -> Self;
}

macro_rules! value {
    ($float:ty) => {
        impl Value for $float {
            fn of(weight: f64) -> Self {
                weight as Self
            }
            fn plus(self, other: Self) -> Self {
                self + other
            }
            fn after_an_epoch(self) -> Self {
                if self == 0.0 { self } else { (self * (-58.0 as Self).exp2()).max(Self::MIN_POSITIVE) }
            }
        }
    };
}

value!(f32);
value!(f64);

impl Value for Time {
    fn of(weight: f64) -> Self {
        Self(weight)
    }
    fn plus(self, other: Self) -> Self {
        other
    }
    fn after_an_epoch(self) -> Self {
        self
    }
}

/// What is added: to which context and key, how many epochs after the last, and how much of it to the second value alone.
type Adds = Vec<(u32, u32, u32, f64, bool)>;

fn adds() -> impl Strategy<Value = Adds> {
    let key = prop_oneof![2 => 0u32..30, 3 => 0u32..700];
    let jump = prop_oneof![60 => Just(0u32), 6 => Just(1), 2 => 2u32..5, 1 => 5u32..60, 1 => Just(40_000)];
    let weight = prop_oneof![Just(1.0), Just(1.0 / 3.0), Just(1e17), Just(1e30)];
    prop::collection::vec((0u32..3, key, jump, weight, any::<bool>()), 0..3000)
}

/// Holds a table to the slow form, bit for bit, by every way of reading it.
fn is_as_if_rows_were_moved_whole<A: Value, B: Value>(adds: &Adds) {
    let mut table = Table::<A, B>::new(true);
    table.grow(3);
    let mut slow = BTreeMap::<(u32, u32), (A, B)>::new();
    let mut totals = [(0.0f64, 0u32); 3];
    let mut epoch = 0;
    for (at, &(context, key, jump, weight, second_alone)) in adds.iter().enumerate() {
        epoch += jump;
        table.freshen(context, epoch);
        table.change::<true>(context, key, |row, mut cell| {
            if !second_alone {
                cell.set_first(cell.first().plus(A::of(weight)));
            }
            cell.set_second(cell.second().plus(B::of(weight)));
            row.total += weight;
        });
        let (total, of) = &mut totals[context as usize];
        for _ in 0..(epoch - *of).min(50) {
            *total = total.after_an_epoch();
            for (_, (first, second)) in slow.range_mut((context, 0)..(context + 1, 0)) {
                (*first, *second) = (first.after_an_epoch(), second.after_an_epoch());
            }
        }
        (*total, *of) = (*total + weight, epoch);
        let cell = slow.entry((context, key)).or_default();
        *cell = (if second_alone { cell.0 } else { cell.0.plus(A::of(weight)) }, cell.1.plus(B::of(weight)));
        if at % 500 == 0 || at + 1 == adds.len() {
            (0..3).for_each(|context| holds(&table, context, &slow, totals[context as usize]));
        }
    }
}

fn holds<A: Value, B: Value>(
    table: &Table<A, B>,
    context: u32,
    slow: &BTreeMap<(u32, u32), (A, B)>,
    (total, epoch): (f64, u32),
) {
    let row = table.row(context);
    assert_eq!((row.total.to_bits(), row.epoch), (total.to_bits(), epoch));
    let expected: BTreeMap<u32, (A, B)> =
        slow.range((context, 0)..(context + 1, 0)).map(|(&(_, key), &cell)| (key, cell)).collect();
    assert_eq!(row.len(), expected.len());
    let (mut walked, mut lines) = (BTreeMap::new(), BTreeMap::new());
    table.walk(&row, |key, at| assert!(walked.insert(key, (table.first(at), table.second(at))).is_none()));
    for cells in table.lines(&row) {
        lines.extend(cells.keys().iter().enumerate().map(|(at, &key)| (key, (cells.first(at), cells.second(at)))));
    }
    assert_eq!(walked, expected);
    assert_eq!(lines, expected);
    for (&key, &cell) in &expected {
        let at = table.find(&row, key).expect("every key is found");
        assert_eq!((table.first(at), table.second(at)), cell);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn a_row_moved_bucket_by_bucket_reads_as_if_it_were_moved_whole(adds in adds()) {
        is_as_if_rows_were_moved_whole::<f32, f32>(&adds);
        is_as_if_rows_were_moved_whole::<f64, f64>(&adds);
        is_as_if_rows_were_moved_whole::<f32, Time>(&adds);
    }
}
