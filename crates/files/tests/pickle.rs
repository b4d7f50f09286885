//! Pickles that NumPy wrote, read back exactly; and programs that must not run.

use linkgram_files::{Error, ErrorKind, Limits, pickle};

type Entries = Vec<([i64; 3], Vec<i64>)>;

const PICKLES: [&[u8]; 5] = [
    include_bytes!("data/protocol_2.pickle"),
    include_bytes!("data/protocol_3.pickle"),
    include_bytes!("data/protocol_3_numpy_1.pickle"),
    include_bytes!("data/protocol_4.pickle"),
    include_bytes!("data/protocol_5.pickle"),
];

fn read(bytes: &[u8]) -> Result<Entries, Error> {
    read_within(bytes, &Limits::default())
}

fn read_within(bytes: &[u8], limits: &Limits) -> Result<Entries, Error> {
    let mut entries = Entries::new();
    pickle::read(bytes, limits, &mut entries).map(|()| entries)
}

/// An expectation about a refusal.
fn refusal(bytes: &[u8]) -> String {
    read(bytes).expect_err("this must be refused").to_string()
}

/// `X` and a length: a text as protocol 2 writes it.
fn text(value: &str) -> Vec<u8> {
    [b"X", &(value.len() as u32).to_le_bytes()[..], value.as_bytes()].concat()
}

#[test]
fn every_protocol_gives_what_was_written() {
    for bytes in PICKLES {
        let entries = read(bytes).unwrap();
        let expected: Entries = vec![
            ([3, 10, 100], vec![11, 12, 13]),
            ([3, 11, 100], vec![10, 12, 13]),
            ([4, 12, 101], vec![10, 11]),
            ([5, 5, 102], vec![12]),
            ([6, 10, 103], vec![11, 12, 13]),
        ];
        assert_eq!(entries, expected);
    }
}

#[test]
fn every_truncation_is_refused() {
    for bytes in PICKLES {
        for length in 0..bytes.len() {
            let error = read(&bytes[..length]).unwrap_err();
            assert!(matches!(error.kind(), ErrorKind::Truncated), "{length}: {error}");
            assert!(error.offset().is_some_and(|offset| offset <= length as u64));
        }
    }
}

#[test]
fn nothing_follows_the_end() {
    let longer = [PICKLES[4], b"."].concat();
    assert_eq!(refusal(&longer), format!("byte {}: bytes follow the end of the pickle", longer.len() - 1));
}

#[test]
fn programs_do_not_run() {
    let call = [b"\x80\x02cposix\nsystem\n", &text("id")[..], b"\x85R."].concat();
    assert_eq!(refusal(&call), "byte 2: it imports posix.system; only NumPy's arrays and numbers are accepted");
    let named = [b"\x80\x04", &text("builtins")[..], &text("eval")[..], b"\x93."].concat();
    assert!(refusal(&named).contains("it imports builtins.eval"));
    for harmless in ["collections\nOrderedDict", "builtins\nlist", "copyreg\n_reconstructor", "numpy\nload"] {
        let import = format!("\u{0}\u{0}c{harmless}\n)R.").into_bytes();
        assert!(refusal(&[b"\x80\x02", &import[2..]].concat()).contains("it imports"));
    }
    assert!(refusal(b"\x80\x02}}\x81.").contains("more than one dictionary"));
    assert!(refusal(b"\x80\x02}}\x81.").starts_with("byte 3: "));
    assert!(refusal(b"\x80\x02})\x81.").contains("objects of a class"));
    assert!(refusal(b"\x80\x02K\x01Q.").contains("objects outside the file"));
    assert!(refusal(b"\x80\x05\x97.").contains("instruction 0x97"));
    // An allowed name is still not called with other things, nor are other values called.
    assert!(refusal(b"\x80\x02cnumpy\nndarray\nK\x05\x85R.").contains("does not go with"));
    assert!(refusal(b"\x80\x02K\x01)R.").contains("nothing is called here"));
    assert!(refusal(b"\x80\x02}N}b.").contains("more than one dictionary"));
    assert!(refusal(b"\x80\x02})b.").contains("it sets the state of a dictionary"));
}

#[test]
fn python_objects_in_arrays_are_refused() {
    let program = [b"\x80\x02cnumpy\ndtype\n", &text("O8")[..], b"\x89\x88\x87R."].concat();
    assert!(refusal(&program).contains("numbers of type \"O8\""));
}

#[test]
fn claimed_lengths_cost_nothing() {
    // Four gigabytes of text, a byte array of 2^63 bytes, an integer of 2^31 bytes; and numbers far away.
    assert!(refusal(b"\x80\x02X\xff\xff\xff\xffab").contains("too long"));
    assert!(refusal(b"\x80\x05\x96\xff\xff\xff\xff\xff\xff\xff\x7fab").contains("too long"));
    assert!(refusal(b"\x80\x02X\xff\xff\xff\x07ab").contains("cut short"));
    assert!(refusal(b"\x80\x02\x8b\xff\xff\xff\x7fab").contains("integer of 2147483647 bytes"));
    assert!(refusal(b"\x80\x02}r\xff\xff\xff\xff.more").contains("bytes follow"));
    assert!(refusal(b"\x80\x02j\xff\xff\xff\xff.").contains("refers to value 4294967295"));
    assert_eq!(read(b"\x80\x02}r\xff\xff\xff\xff.").unwrap(), Entries::new());
}

#[test]
fn bombs_stay_small() {
    let nested = [b"\x80\x02N", &b"\x85".repeat(1_000_000)[..], b"."].concat();
    assert!(refusal(&nested).contains("tuples inside tuples go too deep; at most 8"));
    // Doubling: each tuple holds the one before twice. Soon it is too large to be referred to.
    let doubled: Vec<u8> = (0..7).flat_map(|id| [0x94, b'h', id, 0x86]).collect();
    let doubling = [b"\x80\x04N", &doubled[..], b"0}."].concat();
    assert!(refusal(&doubling).contains("refers to value 3"));
    let wide = [b"\x80\x02(", &b"N".repeat(100_000)[..], b"t."].concat();
    assert!(refusal(&wide).contains("too many values wait"));
    let open = [b"\x80\x02", &b"(".repeat(100_000)[..], b"."].concat();
    assert!(refusal(&open).contains("too many open groups"));
    let names = [b"\x80\x04", &b"cnumpy\ndtype\n\x940".repeat(100_000)[..], b"}."].concat();
    assert!(refusal(&names).contains("too many names"));
    // A memo bomb: a million texts that are numbered and forgotten.
    let texts = [b"\x80\x04", &[&text("some text")[..], b"\x940"].concat().repeat(1_000_000)[..], b"}."].concat();
    assert_eq!(read(&texts).unwrap(), Entries::new());
    let small = Limits { held: 1_000, ..Limits::default() };
    let held = [b"\x80\x02(", &text(&"x".repeat(90)).repeat(20)[..], b"1}."].concat();
    assert!(read_within(&held, &small).unwrap_err().to_string().contains("too many bytes wait"));
    let entries = Limits { entries: 4, ..Limits::default() };
    assert!(read_within(PICKLES[0], &entries).unwrap_err().to_string().contains("too many entries; at most 4"));
}

#[test]
fn a_file_that_never_gets_to_the_point_is_left() {
    let idle = [b"\x80\x02}", &b"N0".repeat(3 << 20)[..], b"."].concat();
    let patient = Limits { idle: 8 << 20, ..Limits::default() };
    assert_eq!(read_within(&idle, &patient).unwrap(), Entries::new());
    let limits = Limits { idle: 2 << 20, ..Limits::default() };
    let refusal = read_within(&idle, &limits).unwrap_err();
    assert!(refusal.to_string().contains("too many bytes come without an entry; at most 2097152 are accepted"));
    assert!(refusal.offset().is_some_and(|offset| offset <= 4 << 20));
}

#[test]
fn reading_can_be_stopped_wherever_it_is() {
    struct Impatient(u64);
    impl pickle::Sink for Impatient {
        fn entry(&mut self, _: [i64; 3], _: &[i64]) -> Result<(), Error> {
            Ok(())
        }
        fn go_on(&mut self, offset: u64) -> bool {
            self.0 = offset;
            offset < 3 << 20
        }
    }
    let idle = [b"\x80\x02}", &b"N0".repeat(3 << 20)[..], b"."].concat();
    let mut sink = Impatient(0);
    let error = pickle::read(&idle[..], &Limits::default(), &mut sink).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Stopped));
    assert!((3 << 20..4 << 20).contains(&sink.0), "asked for every mebibyte");
}

#[test]
fn no_entry_grows_beyond_its_limit() {
    // A byte of the file would become eight bytes here: the row is refused before it is unpacked.
    let bytes = [b"B", &1_000_u32.to_le_bytes()[..], &[0; 1_000]].concat();
    let kind = [b"cnumpy\ndtype\n", &text("i1")[..], b"\x89\x88\x87R"].concat();
    let array = [b"cnumpy.core.numeric\n_frombuffer\n(", &bytes[..], &kind, b"M\xe8\x03\x85X\x01\0\0\0CtR"].concat();
    let program = [b"\x80\x04}K\x01K\x02K\x03\x87", &array[..], b"s."].concat();
    assert_eq!(read(&program).unwrap()[0].1.len(), 1_000);
    let limits = Limits { row: 999, ..Limits::default() };
    let refusal = read_within(&program, &limits).unwrap_err().to_string();
    assert!(refusal.contains("an entry holds 1000 destinations; there are 999 in all"), "{refusal}");
}

#[test]
fn limits_follow_from_what_an_honest_file_needs() {
    let small = Limits::of(30, 12);
    assert_eq!((small.row, small.one, small.held), (12, 64 << 10, 64 << 20));
    let large = Limits::of(usize::MAX, usize::MAX);
    assert_eq!((large.one, large.held), (Limits::default().one, Limits::default().held));
}

#[test]
fn only_dictionaries_of_negatives_are_read() {
    assert!(refusal(b"").contains("cut short"));
    assert!(refusal(b"(lp0\n.").contains("not a pickle of protocol 2 to 5"));
    assert!(refusal(b"\x80\x09}.").contains("protocol 9"));
    assert!(refusal(b"\x80\x02].").contains("does not hold a dictionary"));
    assert!(refusal(b"\x80\x02}(.").contains("ends too early"));
    assert!(refusal(b"\x80\x02}K\x01]s.").contains("a key is not a tuple of three"));
    assert!(refusal(b"\x80\x02}K\x01K\x01\x86]s.").contains("a key is not a tuple of three"));
    assert!(refusal(b"\x80\x02}K\x01K\x01K\x01\x87Ns.").contains("an entry's value is None"));
    assert!(refusal(b"\x80\x02}(K\x01u.").contains("sets items of something"));
    assert!(refusal(b"\x80\x02}K\x01K\x01G?\xf8\0\0\0\0\0\0\x87]s.").contains("three whole numbers"));
    assert!(refusal(b"\x80\x02}K\x01K\x01K\x01\x87]G?\xf8\0\0\0\0\0\0as.").contains("not whole"));
    assert!(refusal(b"\x80\x02}K\x01K\x01K\x01\x87]Nas.").contains("a list holds None"));
    assert_eq!(read(b"\x80\x02}K\x01K\x02J\xff\xff\xff\xff\x87]K\x07as.").unwrap(), vec![([1, 2, -1], vec![7])]);
}
