//! Independent pieces of work on several threads; results in the order of the pieces.

use crate::error::{Error, ErrorKind, Result};
use crate::replay::Watch;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// Does `work` for every item. The caller's thread works too and is the only one that asks `watch`; `done` tells it how
/// many items are finished.
pub fn each<T: Send, U: Send>(
    items: Vec<T>,
    threads: usize,
    watch: &mut dyn Watch,
    work: impl Fn(T, &mut dyn FnMut() -> bool) -> Result<U> + Sync,
) -> Result<Vec<U>> {
    let count = items.len();
    let queue = Mutex::new(items.into_iter().enumerate());
    let results: Mutex<Vec<Option<Result<U>>>> = Mutex::new((0..count).map(|_| None).collect());
    let stop = AtomicBool::new(false);
    let take_turns = |go_on: &mut dyn FnMut() -> bool| {
        loop {
            let next = queue.lock().expect("no thread panics while holding the queue").next();
            let Some((at, item)) = next else { return };
            let result = work(item, go_on);
            if result.is_err() {
                stop.store(true, Ordering::Relaxed);
            }
            results.lock().expect("no thread panics while holding the results")[at] = Some(result);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.clamp(1, count.max(1)) {
            scope.spawn(|| take_turns(&mut || !stop.load(Ordering::Relaxed)));
        }
        take_turns(&mut || {
            let go_on = !stop.load(Ordering::Relaxed) && watch.go_on(0);
            if !go_on {
                stop.store(true, Ordering::Relaxed);
            }
            go_on
        });
    });
    let results = results.into_inner().expect("all threads are joined");
    results.into_iter().map(|result| result.unwrap_or(Err(Error::new(ErrorKind::Interrupted)))).collect()
}

#[cfg(test)]
mod tests {
    use super::each;

    #[test]
    fn results_stand_in_the_order_of_the_items() {
        let squares = each((0..50u64).collect(), 3, &mut (), |x, _| Ok(x * x)).unwrap();
        assert!(squares.iter().enumerate().all(|(at, &square)| square == (at * at) as u64));
    }
}
