//! TGB's historical-random negatives: half of them from the source's own past, the rest from everything else.
//!
//! For a query (u, t) of a split, with P the destinations of u at time t in that split and H the distinct destinations of
//! u in training: draw min(k/2, |H - P|) of H - P, then the rest of k from the vocabulary without P and H (all of it,
//! undrawn, where it has fewer). Historical ones come first. One random stream serves all queries of all splits in
//! order, and a draw is a full legacy permutation of its pool; an event that occurs again in its split (same source,
//! destination and time) has the candidates of its last occurrence.

use super::moment::Moment;
use super::seen::Seen;
use super::{GoOn, LegacyStream, Pulse, check_k, check_vocabulary};
use crate::error::{Error, Result};
use crate::event::EventSlice;
use std::ops::Range;

/// The rule, ready for the splits of one stream.
pub struct Historical<'a> {
    events: EventSlice<'a>,
    vocabulary_size: u32,
    k: usize,
    seen: Seen,
}

impl<'a> Historical<'a> {
    /// `k` candidates a query; events before `training_end` are training.
    pub fn new(
        events: EventSlice<'a>,
        sources: usize,
        vocabulary_size: usize,
        training_end: usize,
        k: usize,
        go_on: GoOn<'_>,
    ) -> Result<Self> {
        events.check_ids(sources, vocabulary_size)?;
        check_k(k)?;
        if training_end > events.len() {
            return Err(Error::shape(format!("training ends at {training_end}, after all {} events", events.len())));
        }
        let vocabulary_size = check_vocabulary(vocabulary_size)?;
        let seen = Seen::new(events.part(0..training_end), sources, &mut Pulse::new(go_on))?;
        Ok(Self { events, vocabulary_size, k, seen })
    }

    /// Where each query's candidates begin, and at the end their number: known before anything is drawn.
    pub fn offsets(&self, split: Range<usize>, go_on: GoOn<'_>) -> Result<Vec<i64>> {
        let mut pulse = Pulse::new(go_on);
        let mut offsets = Vec::with_capacity(split.len() + 1);
        offsets.push(0i64);
        let mut total = 0;
        let mut moment = Moment::default();
        for range in Moment::ranges(self.events.part(split.clone()), split.start) {
            moment.arrange(self.events, range.clone());
            for at in range.clone() {
                let sizes = self.sizes(at, moment.own(at));
                total += (sizes.historical + sizes.random) as i64;
                offsets.push(total);
            }
            pulse.beat(range.len() * 8, 0)?;
        }
        Ok(offsets)
    }

    /// Draws the candidates of a split into `out`, whose length is the last of [`offsets`](Self::offsets). `done` queries
    /// were drawn before: splits follow each other on one random stream.
    pub fn draw(
        &self,
        split: Range<usize>,
        random: &mut LegacyStream,
        out: &mut [i32],
        done: usize,
        go_on: GoOn<'_>,
    ) -> Result<()> {
        let mut pulse = Pulse::new(go_on);
        let (mut moment, mut pool, mut starts) = (Moment::default(), Vec::new(), Vec::new());
        let mut end = 0;
        for range in Moment::ranges(self.events.part(split.clone()), split.start) {
            moment.arrange(self.events, range.clone());
            starts.clear();
            for at in range.clone() {
                let sizes = self.sizes(at, moment.own(at));
                starts.push(end);
                end += sizes.historical + sizes.random;
                let row = out.get_mut(starts[at - range.start]..end).ok_or_else(|| no_room(end))?;
                if moment.last(at) == at {
                    self.draw_one(at, moment.own(at), &sizes, random, &mut pool, row);
                } else {
                    skip_one(&sizes, random);
                }
                pulse.beat(sizes.historical_pool + sizes.random_pool, done + at - split.start)?;
            }
            for at in range.clone().filter(|&at| moment.last(at) != at) {
                let [from, to] = [moment.last(at), at].map(|query| starts[query - range.start]);
                let sizes = self.sizes(at, moment.own(at));
                out.copy_within(from..from + sizes.historical + sizes.random, to);
            }
        }
        if end == out.len() { Ok(()) } else { Err(no_room(end)) }
    }

    fn draw_one(
        &self,
        at: usize,
        own: &[u32],
        sizes: &Sizes,
        random: &mut LegacyStream,
        pool: &mut Vec<i32>,
        row: &mut [i32],
    ) {
        let seen = self.seen.row(self.events.get(at).source.index());
        let (historical, others) = row.split_at_mut(sizes.historical);
        pool.clear();
        pool.extend(seen.iter().filter(|z| own.binary_search(z).is_err()).map(|&z| z as i32));
        random.shuffle(pool);
        historical.copy_from_slice(&pool[..historical.len()]);

        pool.clear();
        fill_without(self.vocabulary_size, own, seen, pool);
        if sizes.random_is_drawn {
            random.shuffle(pool);
        }
        others.copy_from_slice(&pool[..others.len()]);
    }

    fn sizes(&self, at: usize, own: &[u32]) -> Sizes {
        let seen = self.seen.row(self.events.get(at).source.index());
        let common = own.iter().filter(|z| seen.binary_search(z).is_ok()).count();
        let historical_pool = seen.len() - common;
        let random_pool = self.vocabulary_size as usize - (own.len() + historical_pool);
        let historical = historical_pool.min(self.k / 2);
        let wanted = self.k - historical;
        Sizes {
            historical_pool,
            random_pool,
            historical,
            random: wanted.min(random_pool),
            random_is_drawn: wanted <= random_pool,
        }
    }
}

/// Uses up the random words of a query whose candidates a later one replaces.
fn skip_one(sizes: &Sizes, random: &mut LegacyStream) {
    random.skip_shuffle(sizes.historical_pool);
    if sizes.random_is_drawn {
        random.skip_shuffle(sizes.random_pool);
    }
}

fn no_room(needed: usize) -> Error {
    Error::shape(format!("the room for candidates does not fit: at least {needed} are drawn"))
}

struct Sizes {
    historical_pool: usize,
    random_pool: usize,
    historical: usize,
    random: usize,
    random_is_drawn: bool,
}

/// Every id below `size` that is in neither of two sorted lists, in order.
fn fill_without(size: u32, one: &[u32], other: &[u32], out: &mut Vec<i32>) {
    let (mut next, mut one, mut other) = (0, one, other);
    loop {
        let stop = one.first().copied().unwrap_or(size).min(other.first().copied().unwrap_or(size));
        out.extend(next as i32..stop as i32);
        if stop == size {
            return;
        }
        next = stop + 1;
        one = one.strip_prefix(&[stop]).unwrap_or(one);
        other = other.strip_prefix(&[stop]).unwrap_or(other);
    }
}
