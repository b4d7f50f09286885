//! `_core.Baseline`: the count baselines, in dense ids.

use crate::errors::{Doing, raised};
use crate::model::{Columns, LentCandidates, rows, schedule};
use crate::watch::PythonWatch;
use linkgram_core::baseline::base3::{Settings, Shared};
use linkgram_core::baseline::{AnyBaseline, Lane};
use linkgram_core::ranker::CandidateRows;
use linkgram_core::replay::Plan;
use linkgram_core::{Error, Query, Source};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::RwLockExt;
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

/// A baseline with a history; its variants are lanes.
#[pyclass(frozen, module = "linkgram._core")]
pub struct Baseline {
    inner: RwLock<AnyBaseline>,
}

/// A lane by name: ("ever",), ("within", width, end), ("order", "LR>GR"), or (name,) of another baseline's variant.
#[derive(FromPyObject)]
pub enum LaneSpec {
    Window(String, f64, f64),
    Order(String, String),
    Named((String,)),
}

fn lane(spec: &LaneSpec) -> PyResult<Lane> {
    let lane = match spec {
        LaneSpec::Window(name, width, end) if name == "within" => Some(Lane::within(*width, *end)),
        LaneSpec::Order(name, order) if name == "order" => Lane::order(order),
        LaneSpec::Named((name,)) => Lane::named(name),
        _ => None,
    };
    lane.ok_or_else(|| PyValueError::new_err("unknown lane"))
}

impl Baseline {
    fn reading(&self, py: Python<'_>) -> RwLockReadGuard<'_, AnyBaseline> {
        self.inner.read_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Baseline {
    /// EdgeBank and the heuristics.
    #[staticmethod]
    fn recall(sources: usize, destinations: usize) -> Self {
        Self { inner: RwLock::new(AnyBaseline::recall(sources, destinations)) }
    }

    /// PopTrack, one lane a decay.
    #[staticmethod]
    fn pop_track(decays: Vec<f64>, batch: u64, destinations: usize) -> Self {
        Self { inner: RwLock::new(AnyBaseline::pop_track(decays, batch, destinations)) }
    }

    /// Base3 with the history of rows `..end`. `shared` maps destinations to sources and sources to destinations where
    /// both are the same things; its arrays are empty where they are not.
    #[staticmethod]
    #[expect(clippy::too_many_arguments, reason = "one argument a setting")]
    fn base3(
        py: Python<'_>,
        columns: Columns<'_>,
        end: usize,
        sources: usize,
        destinations: usize,
        shared: (PyReadonlyArray1<'_, u32>, PyReadonlyArray1<'_, u32>),
        k: usize,
        remembered_from: f64,
        decay: f64,
    ) -> PyResult<Self> {
        let events = columns.events(py)?;
        let shared = Shared { source_of: shared.0.as_slice()?.to_vec(), destination_of: shared.1.as_slice()?.to_vec() };
        let settings = Settings { k, remembered_from, decay };
        let made = py.detach(|| AnyBaseline::base3(&events, end, (sources, destinations), shared, settings));
        let inner = made.map_err(|error| raised(py, &error, Doing::Observing))?;
        Ok(Self { inner: RwLock::new(inner) })
    }

    /// Observes rows `first..end`.
    fn observe(&self, py: Python<'_>, columns: Columns<'_>, first: usize, end: usize) -> PyResult<()> {
        let events = columns.events(py)?;
        let done = py.detach(|| {
            let mut inner = self.inner.write().unwrap_or_else(PoisonError::into_inner);
            inner.observe(&events, first, end)
        });
        done.map_err(|error| raised(py, &error, Doing::Observing))
    }

    /// Scores of dense candidates by one lane; only their order and equality mean something.
    fn score<'py>(
        &self,
        py: Python<'py>,
        source: u32,
        candidates: PyReadonlyArray1<'_, u32>,
        time: f64,
        lane: LaneSpec,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let lane = self::lane(&lane)?;
        let query = Query { source: Source(source), time };
        let candidates = candidates.as_slice()?;
        let scores = self.reading(py).score(query, candidates, &lane);
        scores.map(|scores| PyArray1::from_vec(py, scores)).map_err(|error| raised(py, &error, Doing::Asking))
    }

    /// Midranks of rows `first..end`, one row of them a lane. The history itself is not changed.
    #[pyo3(signature = (columns, observed, first, end, schedule, size, candidates, lanes, threads, watch=None))]
    #[expect(clippy::too_many_arguments, reason = "one argument a setting")]
    fn ranks<'py>(
        &self,
        py: Python<'py>,
        columns: Columns<'py>,
        observed: usize,
        first: usize,
        end: usize,
        schedule: &str,
        size: usize,
        candidates: LentCandidates<'py>,
        lanes: Vec<LaneSpec>,
        threads: usize,
        watch: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let events = columns.events(py)?;
        let rows: CandidateRows<'_> = rows(&candidates)?;
        let schedule = self::schedule(schedule, size)?;
        let lanes = lanes.iter().map(lane).collect::<PyResult<Vec<_>>>()?;
        let mut watch = PythonWatch::new(watch);
        let inner = self.reading(py);
        let inner = &*inner;
        let plan = Plan { events, observed, examined: (first, end), schedule, threads };
        let done: Result<Vec<f64>, Error> = py.detach(|| inner.ranks(&plan, rows, &lanes, &mut watch));
        let ranks = watch.result(py, done)?;
        PyArray1::from_vec(py, ranks).reshape([lanes.len(), end - first])
    }

    /// A copy with the same history.
    fn copy(&self, py: Python<'_>) -> Self {
        Self { inner: RwLock::new(self.reading(py).clone()) }
    }
}
