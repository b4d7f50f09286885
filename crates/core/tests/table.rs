//! The arena of rows against its slow form, a hash map of (context, key).

use linkgram_core::table::Table;
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
