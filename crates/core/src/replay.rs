//! Replay: walk through a stream once, examine some queries on the way, on as many threads as there are.
//!
//! Event-wise exactness makes the walk sequential: a query sees every event before it. Observing is many times cheaper
//! than examining, so each thread owns a copy of the history, replays *all* events, and examines every n-th block of
//! queries. No thread waits for another, and since every query meets exactly the history it would meet on one thread,
//! the results are the same bits for any number of threads.

use crate::error::{Error, ErrorKind, Result};
use crate::event::{Event, EventSlice};
use crate::schedule::Schedule;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

/// Queries in one block: the unit that threads share out, and in which sums are formed.
pub const BLOCK: usize = 256;

/// A history that can be replayed.
pub trait History: Clone + Send {
    /// Adds one event.
    fn observe(&mut self, event: Event);

    /// Adds the events of these rows, in order; later rows say what will be needed next. The slow form is this loop.
    fn observe_rows(&mut self, events: &EventSlice<'_>, rows: Range<usize>) {
        rows.for_each(|row| self.observe(events.get(row)));
    }

    /// Queries of one group of the schedule follow: whatever is worked out once a group is worked out now. It depends on
    /// nothing but the events observed.
    fn begin_group(&mut self) {}
}

/// What is done with each query.
pub trait Examine<H>: Sync {
    /// Buffers of one thread.
    type Workspace: Default;
    /// What a block of queries yields.
    type Block: Send;

    /// Begins the block of these queries, counted from the first examined event.
    fn open(&self, queries: Range<usize>) -> Self::Block;

    /// Query number `at`, that of row `row`, comes next: what it will need can be fetched. Changes nothing.
    #[inline]
    fn expect(&self, _history: &H, _at: usize, _events: &EventSlice<'_>, _row: usize) {}

    /// Examines query number `at`; `event` is its answer, not yet observed.
    fn examine(&self, history: &H, at: usize, event: Event, workspace: &mut Self::Workspace, block: &mut Self::Block);
}

/// Hears how far a long run is, and may end it. Called on the caller's thread only.
pub trait Watch {
    /// `done` queries of all are examined, or soon will be; false ends the run.
    fn go_on(&mut self, done: usize) -> bool;
}

/// Never ends a run.
impl Watch for () {
    fn go_on(&mut self, _: usize) -> bool {
        true
    }
}

/// Which events are replayed, and which of them are examined.
#[derive(Clone, Copy, Debug)]
pub struct Plan<'a> {
    /// The whole stream, in dense ids.
    pub events: EventSlice<'a>,
    /// Rows the history has already observed.
    pub observed: usize,
    /// Rows to examine. Rows between are only observed.
    pub examined: (usize, usize),
    /// Which history a query may see.
    pub schedule: Schedule,
    /// Threads to use, at least one.
    pub threads: usize,
}

/// Replays `history` through the plan. Returns the blocks in order and the history after the last examined event.
pub fn replay<H: History, E: Examine<H>>(
    history: H,
    plan: &Plan<'_>,
    examination: &E,
    watch: &mut dyn Watch,
) -> Result<(Vec<E::Block>, H)> {
    let (first, end) = plan.examined;
    let begin = plan.schedule.first_group(plan.events.times(), first);
    if plan.observed > begin || first > end || end > plan.events.len() {
        return Err(Error::shape(format!(
            "{} events are observed, but rows {first}..{end} of {} shall be examined from row {begin} on",
            plan.observed,
            plan.events.len()
        )));
    }
    let blocks = (end - first).div_ceil(BLOCK);
    let threads = plan.threads.clamp(1, blocks.max(1));
    let stop = AtomicBool::new(false);
    let (mut parts, history) = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads)
            .map(|thread| {
                let (copy, stop) = (history.clone(), &stop);
                let walk = Walk { plan, examination, thread, threads };
                scope.spawn(move || walk.run(copy, &mut |_| !stop.load(Ordering::Relaxed)).0)
            })
            .collect();
        let walk = Walk { plan, examination, thread: 0, threads };
        let (own, history) = walk.run(history, &mut |done| {
            let go_on = watch.go_on(done);
            if !go_on {
                stop.store(true, Ordering::Relaxed);
            }
            go_on
        });
        let mut parts = vec![own];
        for other in others {
            parts.push(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        (parts, history)
    });
    if stop.load(Ordering::Relaxed) {
        return Err(Error::new(ErrorKind::Interrupted));
    }
    let mut sources: Vec<_> = parts.iter_mut().map(|part| part.drain(..)).collect();
    let merged = (0..blocks).filter_map(|block| sources[block % threads].next()).collect();
    Ok((merged, history))
}

/// One thread's way through the stream.
struct Walk<'a, E> {
    plan: &'a Plan<'a>,
    examination: &'a E,
    thread: usize,
    threads: usize,
}

/// Events between two looks at whether to go on: well below a tenth of a second of work.
const EVENTS_PER_LOOK: usize = 4096;
/// Queries between two looks.
const QUERIES_PER_LOOK: usize = 64;

impl<E> Walk<'_, E> {
    fn run<H: History>(&self, mut history: H, go_on: &mut dyn FnMut(usize) -> bool) -> (Vec<E::Block>, H)
    where
        E: Examine<H>,
    {
        let Plan { events, observed, examined: (first, end), schedule, .. } = *self.plan;
        let mut workspace = E::Workspace::default();
        let mut blocks: Vec<E::Block> = Vec::new();
        let mut open = usize::MAX;
        let times = &events.times()[..end];
        let begin = schedule.first_group(times, first);
        let mut start = observed;
        while start < begin {
            if !go_on(0) {
                return (blocks, history);
            }
            let stop = (start + EVENTS_PER_LOOK).min(begin);
            history.observe_rows(&events, start..stop);
            start = stop;
        }
        let mut looked = begin;
        while start < end {
            let stop = self.group_end(times, start);
            let mut begun = false;
            for row in start.max(first)..stop {
                let query = row - first;
                let block = query / BLOCK;
                if !self.is_own(block) {
                    continue;
                }
                if !begun {
                    history.begin_group();
                    begun = true;
                }
                if block != open {
                    blocks.push(self.examination.open(block * BLOCK..((block + 1) * BLOCK).min(end - first)));
                    open = block;
                }
                let current = blocks.last_mut().expect("a block was just opened");
                if row + 1 < end {
                    self.examination.expect(&history, query + 1, &events, row + 1);
                }
                self.examination.examine(&history, query, events.get(row), &mut workspace, current);
                if query % QUERIES_PER_LOOK == 0 && !go_on(query) {
                    return (blocks, history);
                }
            }
            history.observe_rows(&events, start..stop);
            if stop - looked >= EVENTS_PER_LOOK {
                looked = stop;
                if !go_on(stop.saturating_sub(first)) {
                    return (blocks, history);
                }
            }
            start = stop;
        }
        (blocks, history)
    }

    /// The row after the group that begins at `start`; where this thread asks nothing event by event, all those events
    /// are one group to it.
    fn group_end(&self, times: &[f64], start: usize) -> usize {
        let (first, schedule) = (self.plan.examined.0, self.plan.schedule);
        let block = start.saturating_sub(first) / BLOCK;
        if schedule == Schedule::EventWise && !self.is_own(block) {
            return (first + (block + 1) * BLOCK).min(times.len());
        }
        schedule.group_end(times, start)
    }

    fn is_own(&self, block: usize) -> bool {
        block % self.threads == self.thread
    }
}
