//! Rows of equal length, filled on several threads; the bits do not depend on how many.

use super::GoOn;
use crate::error::{Error, ErrorKind, Result};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Draws in one block: half a millisecond of work, so that threads end together and questions come often.
const DRAWS_PER_BLOCK: usize = 1 << 16;

/// Calls `fill(scratch, row number, row)` for every row of `width` in `out`. The calling thread works too, and is the
/// only one that asks `go_on`.
pub fn rows<S>(
    out: &mut [i32],
    width: usize,
    threads: usize,
    go_on: GoOn<'_>,
    scratch: impl Fn() -> S + Sync,
    fill: impl Fn(&mut S, usize, &mut [i32]) + Sync,
) -> Result<()> {
    let per_block = (DRAWS_PER_BLOCK / width).max(1);
    let total = out.len() / width;
    let blocks = Mutex::new(out.chunks_mut(per_block * width).enumerate());
    let (done, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let work = |go_on: &mut dyn FnMut() -> bool| {
        let mut scratch = scratch();
        while go_on() {
            let next = blocks.lock().expect("no thread panics while it holds the blocks").next();
            let Some((block, candidates)) = next else { return };
            for (row, candidates) in candidates.chunks_exact_mut(width).enumerate() {
                fill(&mut scratch, block * per_block + row, candidates);
            }
            done.fetch_add(candidates.len() / width, Ordering::Relaxed);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.clamp(1, total.div_ceil(per_block).max(1)) {
            scope.spawn(|| work(&mut || !stop.load(Ordering::Relaxed)));
        }
        work(&mut || {
            let on = go_on(done.load(Ordering::Relaxed));
            if !on {
                stop.store(true, Ordering::Relaxed);
            }
            on
        });
    });
    if stop.into_inner() { Err(Error::new(ErrorKind::Interrupted)) } else { Ok(()) }
}
