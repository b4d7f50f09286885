//! `_core.Model`: a history in dense ids, to extract, fit and rank with.

use crate::errors::{Doing, raised};
use crate::settings::configuration;
use crate::watch::PythonWatch;
use linkgram_core::extract::Extraction;
use linkgram_core::fit::FitSettings;
use linkgram_core::origin::Origin;
use linkgram_core::ranker::{CandidateRows, Ranking, kept_ranks};
use linkgram_core::replay::{Plan, replay};
use linkgram_core::selection::{Fitted, SeedRows, Selection, ValidationReport};
use linkgram_core::{Error, EventSlice, Model as Core, Schedule};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::RwLockExt;
use pyo3::types::PyDict;
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

enum Inner {
    Single(Origin<f32>),
    Double(Origin<f64>),
}

macro_rules! with {
    ($inner:expr, $origin:ident => $body:expr) => {
        match $inner {
            Inner::Single($origin) => $body,
            Inner::Double($origin) => $body,
        }
    };
}

/// The columns of a stream, lent by Python.
#[derive(FromPyObject)]
pub struct Columns<'py> {
    sources: PyReadonlyArray1<'py, u32>,
    destinations: PyReadonlyArray1<'py, u32>,
    times: PyReadonlyArray1<'py, f64>,
}

impl Columns<'_> {
    /// The columns as events, checked.
    pub fn events(&self, py: Python<'_>) -> PyResult<EventSlice<'_>> {
        let (sources, destinations) = (self.sources.as_slice()?, self.destinations.as_slice()?);
        EventSlice::new(sources, destinations, self.times.as_slice()?)
            .map_err(|error| raised(py, &error, Doing::Observing))
    }
}

/// Candidates lent by Python: None is every destination, else offsets and negatives.
pub type LentCandidates<'py> = Option<(PyReadonlyArray1<'py, i64>, PyReadonlyArray1<'py, i32>)>;

/// The candidates as rows.
pub fn rows<'a>(candidates: &'a LentCandidates<'_>) -> PyResult<CandidateRows<'a>> {
    Ok(match candidates {
        None => CandidateRows::All,
        Some((offsets, destinations)) => {
            CandidateRows::Ragged { offsets: offsets.as_slice()?, destinations: destinations.as_slice()? }
        }
    })
}

/// A schedule by its name; the size counts for batches only.
pub fn schedule(name: &str, size: usize) -> PyResult<Schedule> {
    match name {
        "event-wise" => Ok(Schedule::EventWise),
        "batch" if size > 0 => Ok(Schedule::Batch(size)),
        "strict-timestamp" => Ok(Schedule::StrictTimestamp),
        _ => Err(PyValueError::new_err(format!("unknown schedule {name} of size {size}"))),
    }
}

/// A history in dense ids.
#[pyclass(frozen, module = "linkgram._core")]
pub struct Model {
    inner: RwLock<Inner>,
}

impl Model {
    fn reading(&self, py: Python<'_>) -> RwLockReadGuard<'_, Inner> {
        self.inner.read_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Model {
    /// A model without history; `settings` holds every setting by name. All copies of its history together shall not
    /// take more than `memory` bytes, as far as that is possible.
    #[new]
    #[pyo3(signature = (settings, sources, destinations, memory=usize::MAX))]
    fn new(
        py: Python<'_>,
        settings: &Bound<'_, PyDict>,
        sources: usize,
        destinations: usize,
        memory: usize,
    ) -> PyResult<Self> {
        let (settings, double) = configuration(settings)?;
        let refuse = |error: Error| raised(py, &error, Doing::Setting);
        Ok(Self {
            inner: RwLock::new(if double {
                Inner::Double(Origin::new(Core::new(settings, sources, destinations).map_err(refuse)?, memory))
            } else {
                Inner::Single(Origin::new(Core::new(settings, sources, destinations).map_err(refuse)?, memory))
            }),
        })
    }

    /// Observes rows up to `end` and returns, for each seed, the feature differences of rows `first..end`.
    #[pyo3(signature = (columns, first, end, seeds, negatives, threads, watch=None))]
    #[expect(clippy::too_many_arguments, reason = "one argument a setting")]
    fn extract<'py>(
        &self,
        py: Python<'py>,
        columns: Columns<'py>,
        first: usize,
        end: usize,
        seeds: Vec<u64>,
        negatives: usize,
        threads: usize,
        watch: Option<Py<PyAny>>,
    ) -> PyResult<Vec<Bound<'py, PyArray2<f32>>>> {
        let events = columns.events(py)?;
        let mut watch = PythonWatch::new(watch);
        let width = with!(&*self.reading(py), origin => origin.model.layout.width);
        let some = (first <= end && end <= events.len()).then(|| end - first);
        let queries =
            some.ok_or_else(|| PyValueError::new_err(format!("rows {first}..{end} of {} events", events.len())))?;
        let too_large = || PyValueError::new_err(format!("{queries} queries of {negatives} negatives are too many"));
        let rows = queries.checked_mul(negatives).ok_or_else(too_large)?;
        let arrays = seeds.iter().map(|_| zeros(py, [rows, width])).collect::<PyResult<Vec<_>>>()?;
        let mut lent = arrays.iter().map(|array| array.try_readwrite()).collect::<Result<Vec<_>, _>>()?;
        let matrices = lent.iter_mut().map(|array| array.as_slice_mut()).collect::<Result<Vec<_>, _>>()?;
        let done = py.detach(|| {
            let mut inner = self.inner.write().unwrap_or_else(PoisonError::into_inner);
            let extraction = Extraction::new(&seeds, (queries, negatives), width, matrices)?;
            with!(&mut *inner, origin => {
                let plan = plan(origin, events, (first, end), Schedule::EventWise, threads);
                check(origin, &plan, &CandidateRows::All)?;
                let (_, after) = replay(origin.model.clone(), &plan, &extraction, &mut watch)?;
                origin.leave(after, threads, events.len());
                Ok(())
            })
        });
        watch.result(py, done)?;
        drop(lent);
        Ok(arrays)
    }

    /// Fits every (seed, matrix) and returns weights, best epoch and validation MRR by epoch, and how it was judged.
    ///
    /// With `features`, matrix i holds only the columns `features[i]`; the other weights are zero.
    #[pyo3(signature = (
        columns, first, end, candidates, matrices, negatives, settings, budget, threads, watch=None, features=None
    ))]
    #[expect(clippy::too_many_arguments, reason = "one argument a setting")]
    fn fit<'py>(
        &self,
        py: Python<'py>,
        columns: Columns<'py>,
        first: usize,
        end: usize,
        candidates: LentCandidates<'py>,
        matrices: Vec<(u64, PyReadonlyArray2<'py, f32>)>,
        negatives: usize,
        settings: (f64, usize, f64, usize, usize),
        budget: usize,
        threads: usize,
        watch: Option<Py<PyAny>>,
        features: Option<Vec<Vec<usize>>>,
    ) -> PyResult<(Vec<Bound<'py, PyDict>>, bool, usize)> {
        let events = columns.events(py)?;
        let rows = rows(&candidates)?;
        let (learning_rate, batch, clip, epochs, patience) = settings;
        let settings = FitSettings { learning_rate, batch, clip, epochs, patience };
        let mut seeds = Vec::with_capacity(matrices.len());
        if features.as_ref().is_some_and(|features| features.len() != matrices.len()) {
            return Err(PyValueError::new_err("features are named for each matrix or for none"));
        }
        for (at, (seed, matrix)) in matrices.iter().enumerate() {
            let features = features.as_ref().map(|features| features[at].as_slice());
            seeds.push(SeedRows { seed: *seed, rows: matrix.as_slice()?, features });
        }
        let inner = self.reading(py);
        let mut watch = PythonWatch::new(watch);
        let inner = &*inner;
        let done = py.detach(|| {
            with!(inner, origin => {
                let plan = plan(origin, events, (first, end), Schedule::EventWise, threads);
                check(origin, &plan, &rows)?;
                let model = &origin.model;
                let selection = Selection { model, plan, threads, candidates: rows, settings, negatives, budget };
                selection.fit(&seeds, &mut watch)
            })
        });
        let (fitted, ValidationReport { kept, bytes }): (Vec<Fitted>, _) = watch.result(py, done)?;
        let runs = fitted.into_iter().map(|run| {
            let facts = PyDict::new(py);
            facts.set_item("seed", run.seed)?;
            facts.set_item("weights", run.weights)?;
            facts.set_item("epoch", run.epoch)?;
            facts.set_item("validation_mrr", run.history)?;
            Ok(facts)
        });
        Ok((runs.collect::<PyResult<_>>()?, kept, bytes))
    }

    /// Midranks of the rows `first..end`, one row of them a weight vector. The model itself is not changed.
    #[pyo3(signature = (columns, first, end, schedule, size, candidates, weights, threads, watch=None))]
    #[expect(clippy::too_many_arguments, reason = "one argument a setting")]
    fn ranks<'py>(
        &self,
        py: Python<'py>,
        columns: Columns<'py>,
        first: usize,
        end: usize,
        schedule: &str,
        size: usize,
        candidates: LentCandidates<'py>,
        weights: Vec<Vec<f64>>,
        threads: usize,
        watch: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let events = columns.events(py)?;
        let rows = rows(&candidates)?;
        let schedule = self::schedule(schedule, size)?;
        let inner = self.reading(py);
        let mut watch = PythonWatch::new(watch);
        let inner = &*inner;
        let lanes = weights.as_slice();
        let done = py.detach(|| {
            with!(inner, origin => {
                let plan = plan(origin, events, (first, end), schedule, threads);
                check(origin, &plan, &rows)?;
                let model = &origin.model;
                if let Some(wrong) = lanes.iter().find(|lane| lane.len() != model.layout.width) {
                    return Err(Error::shape(format!("{} weights for {} features", wrong.len(), model.layout.width)));
                }
                let ranking = Ranking { rows, lanes, keep: true };
                replay(model.clone(), &plan, &ranking, &mut watch).map(|(blocks, _)| kept_ranks(&blocks, lanes.len()))
            })
        });
        let ranks = watch.result(py, done)?;
        PyArray1::from_vec(py, ranks).reshape([weights.len(), end - first])
    }
}

/// Python's own array: the memory comes as it is filled, and in large pages where the system has them. Asked of NumPy, so
/// that too much is a `MemoryError`.
fn zeros(py: Python<'_>, shape: [usize; 2]) -> PyResult<Bound<'_, PyArray2<f32>>> {
    Ok(py.import("numpy")?.call_method1("zeros", (shape, "float32"))?.extract()?)
}

/// A pass over rows `examined` from the origin on, by as many threads as have room for their histories.
fn plan<'a, C: linkgram_core::Cell>(
    origin: &Origin<C>,
    events: EventSlice<'a>,
    examined: (usize, usize),
    schedule: Schedule,
    threads: usize,
) -> Plan<'a> {
    Plan { events, observed: origin.observed(), examined, schedule, threads: origin.threads(threads, examined.1) }
}

/// Ids, room and candidates must fit before a replay begins.
fn check<C: linkgram_core::Cell>(origin: &Origin<C>, plan: &Plan<'_>, rows: &CandidateRows<'_>) -> Result<(), Error> {
    let state = &origin.model.state;
    plan.events.check_ids(state.source_count(), state.vocabulary_size())?;
    state.check_room()?;
    let (first, end) = plan.examined;
    rows.check(end.saturating_sub(first), state.vocabulary_size())
}
