//! `_core.Predictor`: one class over both cell precisions.

use crate::errors::{Doing, raised};
use crate::ids::{OwnedId, OwnedIds, OwnedTable};
use crate::settings::{by_name, configuration};
use crate::times::time_of;
use linkgram_core::{
    Candidates, Destination, Error, EventSlice, NamedEvents, Predictor as Core, Query, Vocabulary, Workspace,
};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::sync::{MutexExt, RwLockExt};
use pyo3::types::{PyDict, PyList, PyString};
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Seek};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// The core's predictor in either precision.
enum Inner {
    Single(Core<f32>),
    Double(Core<f64>),
}

/// Does the same with whichever it is.
macro_rules! with {
    ($inner:expr, $predictor:ident => $body:expr) => {
        match $inner {
            Inner::Single($predictor) => $body,
            Inner::Double($predictor) => $body,
        }
    };
}

/// A predictor that many threads may ask and one may feed.
#[pyclass(frozen, module = "linkgram._core")]
pub struct Predictor {
    inner: RwLock<Inner>,
    workspace: Mutex<Workspace>,
}

impl Predictor {
    fn wrap(inner: Inner) -> Self {
        Self { inner: RwLock::new(inner), workspace: Mutex::new(Workspace::new()) }
    }

    fn reading(&self, py: Python<'_>) -> RwLockReadGuard<'_, Inner> {
        self.inner.read_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }

    fn writing(&self, py: Python<'_>) -> RwLockWriteGuard<'_, Inner> {
        self.inner.write_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }

    fn working(&self, py: Python<'_>) -> MutexGuard<'_, Workspace> {
        self.workspace.lock_py_attached(py).unwrap_or_else(|poisoned| {
            // What was left half done is forgotten.
            self.workspace.clear_poison();
            let mut workspace = poisoned.into_inner();
            *workspace = Workspace::new();
            workspace
        })
    }
}

/// A question as Python asks it. It is read before the predictor is locked: an iterable or an index is code of the
/// caller's, and it may well ask or feed the same predictor.
struct Question<I> {
    source: OwnedId,
    ids: I,
    time: f64,
}

impl<I> Question<I> {
    fn of(source: &Bound<'_, PyAny>, ids: I, time: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Self { source: OwnedId::of(source, Doing::Asking)?, ids, time: time_of(time)? })
    }

    fn query(&self, py: Python<'_>, inner: &Inner) -> PyResult<Query> {
        with!(inner, core => core.query(self.source.get(), self.time))
            .map_err(|error| raised(py, &error, Doing::Asking))
    }
}

impl Question<OwnedIds> {
    /// The query and the dense candidates; in front of them `first`, if there is one.
    fn dense(&self, py: Python<'_>, inner: &Inner, first: Option<&OwnedId>) -> PyResult<(Query, Vec<Destination>)> {
        let query = self.query(py, inner)?;
        let mut list = Vec::with_capacity(self.ids.len() + 1);
        let refuse = |error: Error| raised(py, &error, Doing::Asking);
        with!(inner, core => {
            if let Some(id) = first {
                list.push(core.candidate(id.get()).map_err(|kind| refuse(Error::new(kind)))?);
            }
            match &self.ids {
                OwnedIds::Integers(ids) => core.candidates(ids, &mut list).map_err(refuse)?,
                OwnedIds::Mixed(ids) => for (row, id) in ids.iter().enumerate() {
                    list.push(core.candidate(id.get()).map_err(|kind| refuse(Error::at(row, kind)))?);
                }
            }
        });
        Ok((query, list))
    }
}

#[pymethods]
impl Predictor {
    /// A predictor without history; `settings` holds every setting by name.
    #[new]
    #[pyo3(signature = (settings, destinations=None))]
    fn new(py: Python<'_>, settings: &Bound<'_, PyDict>, destinations: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let refuse = |error: Error| raised(py, &error, Doing::Setting);
        let (configuration, double) = configuration(settings)?;
        let vocabulary = match destinations {
            None => Vocabulary::growing(),
            Some(ids) => match OwnedIds::of(ids, Doing::Setting)? {
                OwnedIds::Integers(ids) => Vocabulary::fixed(ids.into_iter().map(linkgram_core::Id::Integer)),
                OwnedIds::Mixed(ids) => Vocabulary::fixed(ids.iter().map(OwnedId::get)),
            }
            .map_err(refuse)?,
        };
        Ok(Self::wrap(if double {
            Inner::Double(Core::new(configuration, vocabulary).map_err(refuse)?)
        } else {
            Inner::Single(Core::new(configuration, vocabulary).map_err(refuse)?)
        }))
    }

    fn observe_one(
        &self,
        py: Python<'_>,
        source: &Bound<'_, PyAny>,
        destination: &Bound<'_, PyAny>,
        time: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let time = time_of(time)?;
        let source = OwnedId::of(source, Doing::Observing)?;
        let destination = OwnedId::of(destination, Doing::Observing)?;
        let mut inner = self.writing(py);
        with!(&mut *inner, core => core.observe_one(source.get(), destination.get(), time))
            .map_err(|error| raised(py, &error, Doing::Observing))
    }

    fn observe(
        &self,
        py: Python<'_>,
        sources: PyReadonlyArray1<'_, u32>,
        destinations: PyReadonlyArray1<'_, u32>,
        times: PyReadonlyArray1<'_, f64>,
        source_ids: &Bound<'_, PyAny>,
        destination_ids: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let (sources, destinations, times) = (sources.as_slice()?, destinations.as_slice()?, times.as_slice()?);
        let tables = (OwnedTable::of(source_ids)?, OwnedTable::of(destination_ids)?);
        let texts = (tables.0.texts(), tables.1.texts());
        let (source_ids, destination_ids) = (tables.0.table(&texts.0)?, tables.1.table(&texts.1)?);
        let refuse = |error: Error| raised(py, &error, Doing::Observing);
        let done = py.detach(|| {
            let events = EventSlice::new(sources, destinations, times)?;
            let stream = NamedEvents { events, source_ids, destination_ids };
            let mut inner = self.inner.write().unwrap_or_else(PoisonError::into_inner);
            with!(&mut *inner, core => core.observe(&stream))
        });
        done.map_err(refuse)
    }

    fn features<'py>(
        &self,
        py: Python<'py>,
        source: &Bound<'_, PyAny>,
        candidates: &Bound<'_, PyAny>,
        time: &Bound<'_, PyAny>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let asked = Question::of(source, OwnedIds::of(candidates, Doing::Asking)?, time)?;
        let inner = self.reading(py);
        let (query, candidates) = asked.dense(py, &inner, None)?;
        let mut workspace = self.working(py);
        with!(&*inner, core => {
            let matrix = core.features(query, &candidates, &mut workspace);
            PyArray1::from_vec(py, matrix).reshape([candidates.len(), core.layout().width])
        })
    }

    fn score<'py>(
        &self,
        py: Python<'py>,
        source: &Bound<'_, PyAny>,
        candidates: &Bound<'_, PyAny>,
        time: &Bound<'_, PyAny>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let asked = Question::of(source, OwnedIds::of(candidates, Doing::Asking)?, time)?;
        let inner = self.reading(py);
        let (query, candidates) = asked.dense(py, &inner, None)?;
        let mut workspace = self.working(py);
        let scores = with!(&*inner, core => core.score(query, Candidates::These(&candidates), &mut workspace));
        scores.map(|scores| PyArray1::from_vec(py, scores)).map_err(|error| raised(py, &error, Doing::Asking))
    }

    fn rank(
        &self,
        py: Python<'_>,
        source: &Bound<'_, PyAny>,
        destination: &Bound<'_, PyAny>,
        candidates: &Bound<'_, PyAny>,
        time: &Bound<'_, PyAny>,
    ) -> PyResult<f64> {
        let asked = Question::of(source, OwnedIds::of(candidates, Doing::Asking)?, time)?;
        let positive = OwnedId::of(destination, Doing::Asking)?;
        let inner = self.reading(py);
        let (query, candidates) = asked.dense(py, &inner, Some(&positive))?;
        let mut workspace = self.working(py);
        with!(&*inner, core => core.rank(query, &candidates, &mut workspace))
            .map_err(|error| raised(py, &error, Doing::Asking))
    }

    fn top_k<'py>(
        &self,
        py: Python<'py>,
        source: &Bound<'_, PyAny>,
        time: &Bound<'_, PyAny>,
        k: usize,
    ) -> PyResult<Bound<'py, PyList>> {
        let asked = Question::of(source, (), time)?;
        let inner = self.reading(py);
        let query = asked.query(py, &inner)?;
        let mut workspace = self.working(py);
        let best = with!(&*inner, core => core.top_k(query, k, &mut workspace));
        let best = best.map_err(|error| raised(py, &error, Doing::Asking))?;
        let vocabulary = with!(&*inner, core => core.destinations());
        let rows = best.into_iter().map(|(z, score)| Ok((id_object(py, vocabulary, z.0)?, score)));
        PyList::new(py, rows.collect::<PyResult<Vec<_>>>()?)
    }

    /// (feature name, value, weight) of one candidate.
    fn explain(
        &self,
        py: Python<'_>,
        source: &Bound<'_, PyAny>,
        candidate: &Bound<'_, PyAny>,
        time: &Bound<'_, PyAny>,
    ) -> PyResult<Vec<(String, f64, f64)>> {
        let asked = Question::of(source, OwnedId::of(candidate, Doing::Asking)?, time)?;
        let inner = self.reading(py);
        let query = asked.query(py, &inner)?;
        let refuse = |error: Error| raised(py, &error, Doing::Asking);
        let mut workspace = self.working(py);
        let parts = with!(&*inner, core => {
            let candidate = core.candidate(asked.ids.get()).map_err(|kind| refuse(Error::new(kind)))?;
            core.explain(query, candidate, &mut workspace).map_err(refuse)?
        });
        Ok(parts.into_iter().map(|part| (part.feature.to_string(), part.value, part.weight)).collect())
    }

    fn set_weights(&self, py: Python<'_>, values: Vec<f64>, bias: f64) -> PyResult<()> {
        let mut inner = self.writing(py);
        with!(&mut *inner, core => core.set_weights(values, bias)).map_err(|error| raised(py, &error, Doing::Setting))
    }

    /// (weights, bias), or None.
    fn weights(&self, py: Python<'_>) -> Option<(Vec<f64>, f64)> {
        let inner = self.reading(py);
        with!(&*inner, core => core.weights().map(|weights| (weights.values.clone(), weights.bias)))
    }

    fn feature_names(&self, py: Python<'_>) -> Vec<String> {
        let inner = self.reading(py);
        with!(&*inner, core => core.layout().features().iter().map(ToString::to_string).collect())
    }

    /// The settings by name.
    fn configuration<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let inner = self.reading(py);
        let double = matches!(*inner, Inner::Double(_));
        with!(&*inner, core => by_name(py, core.configuration(), double))
    }

    /// Sizes: events, vocabulary and, for each table, (rows, cells, bytes).
    fn describe<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let inner = self.reading(py);
        let sizes = PyDict::new(py);
        with!(&*inner, core => {
            sizes.set_item("events", core.state().events())?;
            sizes.set_item("sources", core.sources().len())?;
            sizes.set_item("destinations", core.destinations().len())?;
            sizes.set_item("last_time", core.state().last_time())?;
            sizes.set_item("bytes", core.bytes())?;
            let tables = PyDict::new(py);
            for table in core.state().describe() {
                tables.set_item(table.name, (table.rows, table.cells, table.bytes))?;
            }
            sizes.set_item("tables", tables)?;
        });
        Ok(sizes)
    }

    /// 32 hexadecimal digits over everything that could change an answer.
    fn digest(&self, py: Python<'_>) -> String {
        py.detach(|| {
            let inner = self.inner.read().unwrap_or_else(PoisonError::into_inner);
            with!(&*inner, core => format!("{:032x}", core.digest()))
        })
    }

    fn save(&self, py: Python<'_>, path: PathBuf, note: &str) -> PyResult<()> {
        py.detach(|| {
            let inner = self.inner.read().unwrap_or_else(PoisonError::into_inner);
            let file = File::create(path)?;
            let written = with!(&*inner, core => core.write(note, BufWriter::new(&file)));
            file.sync_all()?;
            Ok::<_, std::io::Error>(written)
        })?
        .map_err(|error| raised(py, &error, Doing::Setting))
    }

    /// (predictor, note) from a saved state.
    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<(Self, String)> {
        let read = py.detach(|| {
            let mut file = File::open(path)?;
            let length = file.metadata()?.len();
            let mut head = [0; 13];
            let short = file.read_exact(&mut head).is_err();
            file.rewind()?;
            let cell_bytes = if short { Ok(4) } else { Core::<f32>::saved_cell_bytes(&head) };
            let reader = BufReader::new(file);
            Ok::<_, std::io::Error>(cell_bytes.and_then(|bytes| match bytes {
                4 => Core::<f32>::read(reader, length).map(|(core, note)| (Inner::Single(core), note)),
                _ => Core::<f64>::read(reader, length).map(|(core, note)| (Inner::Double(core), note)),
            }))
        })?;
        read.map(|(inner, note)| (Self::wrap(inner), note)).map_err(|error| raised(py, &error, Doing::Setting))
    }
}

fn id_object<'py>(py: Python<'py>, vocabulary: &Vocabulary, dense: u32) -> PyResult<Bound<'py, PyAny>> {
    Ok(match vocabulary.id(dense) {
        Some(linkgram_core::Id::Integer(id)) => id.into_pyobject(py)?.into_any(),
        Some(linkgram_core::Id::Text(text)) => PyString::new(py, text).into_any(),
        None => py.None().into_bound(py),
    })
}
