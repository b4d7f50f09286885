//! Any change to a file gives an error or other numbers, never a panic; and reading in pieces changes nothing.

use linkgram_files::{Limits, Queries, Vocabulary, negatives, pickle};
use proptest::prelude::*;
use std::io::Read;

const PICKLES: [&[u8]; 3] = [
    include_bytes!("data/protocol_2.pickle"),
    include_bytes!("data/protocol_4.pickle"),
    include_bytes!("data/protocol_5.pickle"),
];

fn small() -> Limits {
    Limits { one: 1 << 16, held: 1 << 18, recent: 64, kept: 64, entries: 1_000, stack: 1_000, ..Limits::default() }
}

/// Instructions and arguments that the machine knows, in any order.
fn program() -> impl Strategy<Value = Vec<u8>> {
    let known = b".(01NKMJGX\x8c\x8d\x88\x89BC\x8e\x96)t\x85\x86\x87]ae}suc\x93Rb\x94qrhj\x8a\x8b\x95";
    let piece = prop_oneof![
        6 => proptest::sample::select(known.to_vec()).prop_map(|byte| vec![byte]),
        2 => any::<u8>().prop_map(|byte| vec![byte]),
        1 => Just(b"cnumpy\ndtype\n".to_vec()),
        1 => Just(b"cnumpy.core.multiarray\nscalar\n".to_vec()),
        1 => Just(b"cnumpy.core.numeric\n_frombuffer\n".to_vec()),
        1 => Just(b"X\x02\0\0\0i8".to_vec()),
        1 => Just(b"K\x01K\x02K\x03\x87".to_vec()),
    ];
    proptest::collection::vec(piece, 0..200).prop_map(|pieces| [b"\x80\x02".to_vec(), pieces.concat()].concat())
}

/// Gives one byte at a time.
struct Trickle<'a>(&'a [u8]);

impl Read for Trickle<'_> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let length = into.len().min(1);
        self.0.read(&mut into[..length])
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_programs_end(bytes in program()) {
        let _ = pickle::read(&bytes[..], &small(), &mut Vec::new());
    }

    #[test]
    fn changed_files_end(
        which in 0..PICKLES.len(),
        changes in proptest::collection::vec((any::<proptest::sample::Index>(), any::<u8>()), 1..4),
        cut in any::<proptest::sample::Index>(),
    ) {
        let mut bytes = PICKLES[which].to_vec();
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        let _ = pickle::read(&bytes[..], &small(), &mut Vec::new());
        bytes.truncate(cut.index(bytes.len()));
        prop_assert!(pickle::read(&bytes[..], &small(), &mut Vec::new()).is_err());
    }
}

#[test]
fn reading_in_pieces_changes_nothing() {
    for bytes in PICKLES {
        let (mut whole, mut pieces) = (Vec::new(), Vec::new());
        pickle::read(bytes, &Limits::default(), &mut whole).unwrap();
        pickle::read(Trickle(bytes), &Limits::default(), &mut pieces).unwrap();
        assert_eq!(whole, pieces);
    }
}

/// Everything a conversion leaves behind, by name.
fn converted(
    name: &str,
    bytes: &[u8],
    keys: [&[i64]; 3],
    vocabulary: Vocabulary,
) -> Result<(Vec<i64>, Vec<i32>), String> {
    let directory = std::env::temp_dir().join(format!("linkgram-files-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let path = directory.join("negatives.pkl");
    std::fs::write(&path, bytes).unwrap();
    let queries = Queries { sources: keys[0], destinations: keys[1], times: keys[2] };
    let summary = negatives::convert(&path, queries, vocabulary, &directory, &mut |_| true);
    let content = |name: &str| std::fs::read(directory.join(name)).unwrap()[128..].to_vec();
    let result = summary.map_err(|error| error.to_string()).map(|_| {
        let offsets =
            content("offsets.npy").chunks_exact(8).map(|b| i64::from_le_bytes(b.try_into().unwrap())).collect();
        let rows =
            content("destinations.npy").chunks_exact(4).map(|b| i32::from_le_bytes(b.try_into().unwrap())).collect();
        (offsets, rows)
    });
    std::fs::remove_dir_all(directory).unwrap();
    result
}

#[test]
fn rows_come_in_the_order_of_the_queries() {
    // Queries in another order than the file's, one of them twice.
    let keys: [&[i64]; 3] = [&[6, 3, 3, 3, 4, 5], &[10, 10, 11, 10, 12, 5], &[103, 100, 100, 100, 101, 102]];
    for (i, bytes) in PICKLES.iter().enumerate() {
        let name = format!("order-{i}");
        let (offsets, rows) = converted(&name, bytes, keys, Vocabulary { first: 10, size: 4 }).unwrap();
        assert_eq!(offsets, [0, 3, 6, 9, 12, 14, 15]);
        assert_eq!(rows, [1, 2, 3, 1, 2, 3, 0, 2, 3, 1, 2, 3, 0, 1, 2]);
    }
}

#[test]
fn a_query_without_an_entry_is_named() {
    let keys: [&[i64]; 3] = [&[3, 3], &[10, 99], &[100, 100]];
    let error = converted("missing", PICKLES[2], keys, Vocabulary { first: 10, size: 4 }).unwrap_err();
    assert_eq!(error, "query 1 (source 3, destination 99, time 100) has no entry in the file");
}

#[test]
fn destinations_outside_the_vocabulary_are_refused() {
    let keys: [&[i64]; 3] = [&[3], &[10], &[100]];
    let error = converted("outside", PICKLES[2], keys, Vocabulary { first: 10, size: 3 }).unwrap_err();
    assert!(error.ends_with("time 100 holds destination 13; destinations are 10 to 12"), "{error}");
    let error = converted("long", PICKLES[2], keys, Vocabulary { first: 10, size: 2 }).unwrap_err();
    assert!(error.ends_with("an entry holds 3 destinations; there are 2 in all"), "{error}");
}
