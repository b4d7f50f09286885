//! Candidates: what the rules promise, on random streams.

use linkgram_core::generate::{Historical, LegacyStream, Rule, Seeded};
use linkgram_core::{ErrorKind, EventSlice};
use proptest::prelude::*;
use std::collections::{BTreeSet, HashMap};

const SOURCES: usize = 4;

#[derive(Clone, Debug)]
struct Stream {
    sources: Vec<u32>,
    destinations: Vec<u32>,
    times: Vec<f64>,
    vocabulary: usize,
}

fn streams() -> impl Strategy<Value = Stream> {
    (2usize..24, 2usize..50).prop_flat_map(|(vocabulary, length)| {
        let event = (0..SOURCES as u32, 0..vocabulary as u32, prop_oneof![Just(0.0), Just(0.0), Just(1.0)]);
        proptest::collection::vec(event, length).prop_map(move |events| {
            let mut now = 0.0;
            let times = events.iter().map(|event| {
                now += event.2;
                now
            });
            Stream {
                times: times.collect(),
                sources: events.iter().map(|event| event.0).collect(),
                destinations: events.iter().map(|event| event.1).collect(),
                vocabulary,
            }
        })
    })
}

/// The rule as it is told, with sets, an array of positions a draw and a table of the last draws.
fn naive(stream: &Stream, start: usize, k: usize, random: &mut LegacyStream) -> Vec<Vec<i32>> {
    let event = |at: usize| (stream.sources[at], stream.destinations[at], stream.times[at].to_bits());
    let draw = |pool: &[i32], count: usize, random: &mut LegacyStream| {
        let mut positions: Vec<usize> = (0..pool.len()).collect();
        for i in (1..pool.len()).rev() {
            let mask = u32::MAX >> (i as u32).leading_zeros();
            let j = std::iter::repeat_with(|| (random.word() & mask) as usize).find(|&j| j <= i).unwrap();
            positions.swap(i, j);
        }
        positions[..count].iter().map(|&position| pool[position]).collect::<Vec<_>>()
    };
    let mut table = HashMap::new();
    for at in start..stream.times.len() {
        let (source, _, time) = event(at);
        let own: BTreeSet<u32> =
            (start..stream.times.len()).map(event).filter(|e| (e.0, e.2) == (source, time)).map(|e| e.1).collect();
        let seen: BTreeSet<u32> = (0..start).map(event).filter(|e| e.0 == source).map(|e| e.1).collect();
        let past: Vec<i32> = seen.difference(&own).map(|&z| z as i32).collect();
        let mut row = draw(&past, past.len().min(k / 2), random);
        let rest = (0..stream.vocabulary as u32).filter(|z| !own.contains(z) && !seen.contains(z));
        let rest: Vec<i32> = rest.map(|z| z as i32).collect();
        let wanted = k - row.len();
        row.extend(if wanted > rest.len() { rest } else { draw(&rest, wanted, random) });
        table.insert(event(at), row);
    }
    (start..stream.times.len()).map(|at| table[&event(at)].clone()).collect()
}

proptest! {
    #[test]
    fn historical_random_is_the_rule_as_it_is_told(stream in streams(), k in 1usize..20, share in 0.0..1.0, seed: u32) {
        let start = (stream.times.len() as f64 * share) as usize;
        let split = start..stream.times.len();
        let events = EventSlice::new(&stream.sources, &stream.destinations, &stream.times).unwrap();
        let mut go_on = |_| true;
        let rule = Historical::new(events, SOURCES, stream.vocabulary, start, k, &mut go_on).unwrap();
        let offsets = rule.offsets(split.clone(), &mut go_on).unwrap();
        let mut drawn = vec![-1; *offsets.last().unwrap() as usize];
        let mut random = LegacyStream::new(seed);
        rule.draw(split, &mut random, &mut drawn, 0, &mut go_on).unwrap();

        let mut naive_random = LegacyStream::new(seed);
        let expected = naive(&stream, start, k, &mut naive_random);
        let rows: Vec<&[i32]> = offsets.windows(2).map(|ends| &drawn[ends[0] as usize..ends[1] as usize]).collect();
        prop_assert_eq!(rows, expected);
        prop_assert_eq!(random.word(), naive_random.word());
    }

    #[test]
    fn no_rule_draws_the_positive_and_any_thread_count_or_chunk_gives_the_same_bits(
        vocabulary in 3usize..300, queries in 1usize..80, k in 1usize..40, seed: u64, threads in 2usize..5,
    ) {
        let positives: Vec<u32> = (0..queries).map(|i| (i * 7 % vocabulary) as u32).collect();
        let mut counts: Vec<u64> = (0..vocabulary as u64).map(|z| z % 5).collect();
        (counts[0], counts[1]) = (1, 2);
        let k = k.min(vocabulary - 1);
        let all = Seeded { seed, k, vocabulary_size: vocabulary, positives: &positives, first: 11, threads: 1 };
        for rule in [Rule::Uniform, Rule::Distinct, Rule::LastExcluded, Rule::Popularity(&counts)] {
            let mut drawn = vec![-1; queries * k];
            all.draw(rule, &mut drawn, &mut |_| true).unwrap();
            for (row, &positive) in drawn.chunks(k).zip(&positives) {
                prop_assert!(row.iter().all(|&z| z >= 0 && (z as usize) < vocabulary && z as u32 != positive));
                match rule {
                    Rule::Distinct => prop_assert_eq!(row.iter().collect::<BTreeSet<_>>().len(), k),
                    Rule::LastExcluded => prop_assert!(!row.contains(&(vocabulary as i32 - 1))),
                    Rule::Popularity(counts) => prop_assert!(row.iter().all(|&z| counts[z as usize] > 0)),
                    _ => (),
                }
            }
            let mut again = vec![-1; queries * k];
            Seeded { threads, ..all }.draw(rule, &mut again, &mut |_| true).unwrap();
            prop_assert_eq!(&again, &drawn);
            let cut = queries / 3;
            let tail = Seeded { positives: &positives[cut..], first: 11 + cut as u64, ..all };
            let mut drawn_tail = vec![-1; (queries - cut) * k];
            tail.draw(rule, &mut drawn_tail, &mut |_| true).unwrap();
            prop_assert_eq!(&drawn_tail[..], &drawn[cut * k..]);
        }
    }
}

#[test]
fn blocks_are_joined_in_order_whoever_drew_them() {
    // 65,536 draws are a block: 200,000 make four, the last one short.
    let positives: Vec<u32> = (0..40_000).map(|i| i % 9).collect();
    let whole = Seeded { seed: 6, k: 5, vocabulary_size: 9, positives: &positives, first: 0, threads: 3 };
    for rule in [Rule::Uniform, Rule::Distinct, Rule::LastExcluded, Rule::Popularity(&[1, 2, 3, 4, 5, 6, 7, 8, 9])] {
        let mut drawn = vec![-1; 200_000];
        whole.draw(rule, &mut drawn, &mut |_| true).unwrap();
        for at in [0, 13_106, 13_107, 26_214, 39_999] {
            let one = Seeded { positives: &positives[at..=at], first: at as u64, threads: 1, ..whole };
            let mut row = [-1; 5];
            one.draw(rule, &mut row, &mut |_| true).unwrap();
            assert_eq!(drawn[at * 5..at * 5 + 5], row, "{rule:?}, query {at}");
        }
    }
}

#[test]
fn a_stop_is_heard_and_the_queries_done_are_told() {
    let positives = vec![0; 100_000];
    let mut heard = Vec::new();
    let request = Seeded { seed: 1, k: 10, vocabulary_size: 50, positives: &positives, first: 0, threads: 2 };
    let mut out = vec![0; 1_000_000];
    let stopped = request.draw(Rule::Uniform, &mut out, &mut |done| {
        heard.push(done);
        heard.len() < 3
    });
    assert_eq!(stopped.unwrap_err().kind(), &ErrorKind::Interrupted);
    assert_eq!(heard.len(), 3);
    assert!(heard.is_sorted() && heard[2] > 0);

    let (sources, times) = (vec![0; 4000], (0..4000).map(f64::from).collect::<Vec<_>>());
    let destinations: Vec<u32> = (0..4000).collect();
    let events = EventSlice::new(&sources, &destinations, &times).unwrap();
    let rule = Historical::new(events, 1, 4000, 2000, 4, &mut |_| true).unwrap();
    let mut out = vec![0; 2000 * 4];
    let mut last = 0;
    let stopped = rule.draw(2000..4000, &mut LegacyStream::new(0), &mut out, 70, &mut |done| {
        last = done;
        done < 500
    });
    assert_eq!(stopped.unwrap_err().kind(), &ErrorKind::Interrupted);
    assert!((500..700).contains(&last), "{last}");
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let request =
        |k, vocabulary_size, positives| Seeded { seed: 1, k, vocabulary_size, positives, first: 0, threads: 1 };
    let refused = |request: Seeded<'_>, rule: Rule<'_>| {
        let mut out = vec![0; request.k * request.positives.len()];
        request.draw(rule, &mut out, &mut |_| true).unwrap_err().to_string()
    };
    assert!(refused(request(5, 5, &[0]), Rule::Distinct).starts_with("5 candidates cannot be drawn from the 4 other"));
    assert!(refused(request(1, 1, &[0]), Rule::Uniform).contains("from the 0 other"));
    assert!(refused(request(1, 2, &[1, 0]), Rule::LastExcluded).contains("other than destination 0"));
    assert!(refused(request(1, 2, &[1, 0]), Rule::Popularity(&[3, 0])).contains("other than destination 0"));
    assert!(refused(request(1, 2, &[1, 0]), Rule::Popularity(&[3])).contains("1 counts were given for 2"));
    assert!(refused(request(0, 2, &[1]), Rule::Uniform).contains("`k` is 0"));
    assert!(refused(request(1, 2, &[2]), Rule::Uniform).contains("destination 2 is outside"));
    assert!(refused(request(1, 1 << 31, &[2]), Rule::Uniform).contains("too many destinations"));
    let short = request(2, 9, &[1]).draw(Rule::Uniform, &mut [0], &mut |_| true).unwrap_err();
    assert!(short.to_string().contains("room for 1 candidates"));

    let events = EventSlice::new(&[0, 0], &[0, 1], &[0.0, 1.0]).unwrap();
    let new =
        |sources, vocabulary, end, k| Historical::new(events, sources, vocabulary, end, k, &mut |_| true).map(|_| ());
    assert!(new(1, 2, 2, 1).is_ok());
    assert!(
        new(1, 1, 1, 1).is_err() && new(0, 2, 1, 1).is_err() && new(1, 2, 3, 1).is_err() && new(1, 2, 1, 0).is_err()
    );
    let rule = Historical::new(events, 1, 9, 1, 4, &mut |_| true).unwrap();
    for room in [3, 5] {
        let drawn = rule.draw(1..2, &mut LegacyStream::new(0), &mut vec![0; room], 0, &mut |_| true);
        assert!(drawn.unwrap_err().to_string().contains("at least 4 are drawn"), "{room}");
    }
}
