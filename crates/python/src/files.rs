//! `_core.convert_negatives`: pickled negatives to arrays, without Python's pickle.

use linkgram_files::{Error, ErrorKind, Queries, Vocabulary, negatives};
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::{Path, PathBuf};

/// Writes `offsets.npy` and `destinations.npy` into `directory`; says how many entries were read and used.
///
/// `progress` is called now and then with the bytes read so far; what it raises stops the work.
#[pyfunction]
#[pyo3(signature = (path, sources, destinations, times, first, size, directory, progress = None))]
#[allow(clippy::too_many_arguments)] // three columns, a vocabulary and three places
pub fn convert_negatives<'py>(
    py: Python<'py>,
    path: PathBuf,
    sources: PyReadonlyArray1<'py, i64>,
    destinations: PyReadonlyArray1<'py, i64>,
    times: PyReadonlyArray1<'py, i64>,
    first: i64,
    size: u32,
    directory: PathBuf,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let queries =
        Queries { sources: sources.as_slice()?, destinations: destinations.as_slice()?, times: times.as_slice()? };
    let vocabulary = Vocabulary { first, size };
    let (converted, interruption) = py.detach(|| {
        let mut interruption = None;
        let converted = negatives::convert(&path, queries, vocabulary, &directory, &mut |bytes| {
            let told = Python::attach(|py| {
                py.check_signals()?;
                progress.as_ref().map_or(Ok(()), |progress| progress.call1(py, (bytes,)).map(drop))
            });
            told.map_err(|error| interruption = Some(error)).is_ok()
        });
        (converted, interruption)
    });
    if let Some(error) = interruption {
        return Err(error);
    }
    let summary = converted.map_err(|error| raised(py, &error, &path).unwrap_or_else(|problem| problem))?;
    let facts = PyDict::new(py);
    facts.set_item("entries", summary.entries)?;
    facts.set_item("unused", summary.unused)?;
    facts.set_item("repeated", summary.repeated)?;
    facts.set_item("negatives", summary.negatives)?;
    facts.set_item("with_positive", summary.with_positive)?;
    Ok(facts)
}

/// The refusal as a class of `linkgram.errors`.
fn raised(py: Python<'_>, error: &Error, path: &Path) -> PyResult<PyErr> {
    let facts = PyDict::new(py);
    facts.set_item("hint", "fetch the data set again, or draw candidates by a rule (--candidates)")?;
    let class = match error.kind() {
        ErrorKind::MissingQuery { row, .. } => {
            facts.set_item("row", row)?;
            "CandidateError"
        }
        ErrorKind::OutsideVocabulary { id, .. } => {
            facts.set_item("value", id)?;
            "CandidateError"
        }
        _ => "DownloadError",
    };
    let name = path.file_name().unwrap_or(path.as_os_str()).display();
    let class = py.import("linkgram.errors")?.getattr(class)?;
    Ok(PyErr::from_value(class.call((format!("{name}: {error}"),), Some(&facts))?))
}
