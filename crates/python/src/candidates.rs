//! Candidates drawn into arrays that Python owns; the interpreter is released meanwhile.

use crate::errors::{Doing, raised};
use crate::watch::PythonWatch;
use linkgram_core::generate::{GoOn, Historical, LegacyStream, Rule, Seeded};
use linkgram_core::replay::Watch;
use linkgram_core::{Error, ErrorKind, EventSlice};
use numpy::{PyArray1, PyReadonlyArray1, PyReadwriteArray1};
use pyo3::prelude::*;
use std::num::NonZero;
use std::ops::Range;

/// The offsets of a split and the array its candidates were drawn into.
type Drawn<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyAny>);

/// Runs `work` without the interpreter, but with an eye on signals; `progress` hears the number of queries done.
fn watched<T: Send>(
    py: Python<'_>,
    progress: Option<&Py<PyAny>>,
    doing: Doing,
    work: impl FnOnce(GoOn<'_>) -> Result<T, Error> + Send,
) -> PyResult<T> {
    let mut watch = PythonWatch::new(progress.map(|callback| callback.clone_ref(py)));
    let result = py.detach(|| work(&mut |done| watch.go_on(done)));
    match result {
        Err(error) if *error.kind() != ErrorKind::Interrupted => Err(raised(py, &error, doing)),
        result => watch.result(py, result),
    }
}

/// The two splits after training, drawn one after the other from one legacy stream. `allocate(split, total)` gives the
/// int32 array to draw a split into: split 0 is validation, 1 is test.
#[pyfunction]
#[pyo3(signature = (sources, destinations, times, *, source_count, vocabulary_size, training_end, validation_end, k, seed, allocate, progress))]
#[allow(clippy::too_many_arguments)]
pub fn historical_random<'py>(
    py: Python<'py>,
    sources: PyReadonlyArray1<'py, u32>,
    destinations: PyReadonlyArray1<'py, u32>,
    times: PyReadonlyArray1<'py, f64>,
    source_count: usize,
    vocabulary_size: usize,
    training_end: usize,
    validation_end: usize,
    k: usize,
    seed: u32,
    allocate: &Bound<'py, PyAny>,
    progress: Option<Py<PyAny>>,
) -> PyResult<(Drawn<'py>, Drawn<'py>)> {
    let (sources, destinations, times) = (sources.as_slice()?, destinations.as_slice()?, times.as_slice()?);
    let progress = progress.as_ref();
    let rule = watched(py, None, Doing::Observing, |go_on| {
        let events = EventSlice::new(sources, destinations, times)?;
        Historical::new(events, source_count, vocabulary_size, training_end, k, go_on)
    })?;
    let end = sources.len();
    if !(training_end..=end).contains(&validation_end) {
        let problem = Error::shape(format!("validation ends at {validation_end}, outside {training_end} to {end}"));
        return Err(raised(py, &problem, Doing::Setting));
    }
    let mut random = LegacyStream::new(seed);
    let mut draw = |number: usize, split: Range<usize>| -> PyResult<Drawn<'py>> {
        let offsets = watched(py, None, Doing::Asking, |go_on| rule.offsets(split.clone(), go_on))?;
        let out = allocate.call1((number, offsets[split.len()]))?;
        let mut array: PyReadwriteArray1<'py, i32> = out.extract()?;
        let room = array.as_slice_mut()?;
        let done = split.start - training_end;
        watched(py, progress, Doing::Asking, |go_on| rule.draw(split, &mut random, room, done, go_on))?;
        Ok((PyArray1::from_vec(py, offsets), out))
    };
    let drawn = (draw(0, training_end..validation_end)?, draw(1, validation_end..end)?);
    finished(py, progress, end - training_end)?;
    Ok(drawn)
}

/// `k` candidates a query into `out`, by the rule "uniform", "distinct", "last-excluded" or, with `counts`, "popularity".
/// Without `threads`, as many as the machine offers.
#[pyfunction]
#[pyo3(signature = (rule, positives, *, first, vocabulary_size, k, seed, out, counts=None, threads=None, progress=None))]
#[allow(clippy::too_many_arguments)]
pub fn seeded_candidates(
    py: Python<'_>,
    rule: &str,
    positives: PyReadonlyArray1<'_, u32>,
    first: u64,
    vocabulary_size: usize,
    k: usize,
    seed: u64,
    mut out: PyReadwriteArray1<'_, i32>,
    counts: Option<PyReadonlyArray1<'_, u64>>,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<()> {
    let (positives, out) = (positives.as_slice()?, out.as_slice_mut()?);
    let threads = threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, NonZero::get));
    let rule = match (rule, &counts) {
        ("uniform", None) => Rule::Uniform,
        ("distinct", None) => Rule::Distinct,
        ("last-excluded", None) => Rule::LastExcluded,
        ("popularity", Some(counts)) => Rule::Popularity(counts.as_slice()?),
        _ => return Err(raised(py, &Error::shape(format!("there is no rule {rule:?}")), Doing::Setting)),
    };
    let request = Seeded { seed, k, vocabulary_size, positives, first, threads };
    watched(py, progress.as_ref(), Doing::Asking, |go_on| request.draw(rule, out, go_on))?;
    finished(py, progress.as_ref(), positives.len())
}

fn finished(py: Python<'_>, progress: Option<&Py<PyAny>>, queries: usize) -> PyResult<()> {
    progress.map_or(Ok(()), |progress| progress.call1(py, (queries,)).map(|_| ()))
}
