//! The core's refusals as the classes of `linkgram.errors`.

use linkgram_core::{Error, ErrorKind};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// What was being done: the same bad id is an event's fault in one call and a candidate's in another.
#[derive(Clone, Copy, PartialEq)]
pub enum Doing {
    /// Adding events.
    Observing,
    /// Scoring candidates.
    Asking,
    /// Making or changing a predictor.
    Setting,
}

/// The Python exception for a refusal.
pub fn raised(py: Python<'_>, error: &Error, doing: Doing) -> PyErr {
    build(py, error, doing).unwrap_or_else(|problem| problem)
}

fn build(py: Python<'_>, error: &Error, doing: Doing) -> PyResult<PyErr> {
    let facts = PyDict::new(py);
    let class = match error.kind() {
        ErrorKind::Setting { name, found, .. } => {
            facts.set_item("setting", name)?;
            facts.set_item("value", found)?;
            "SettingError"
        }
        ErrorKind::WeightCount { found, .. } => {
            facts.set_item("setting", "weights")?;
            facts.set_item("value", found)?;
            "SettingError"
        }
        ErrorKind::WeightNotFinite { value, .. } => {
            facts.set_item("setting", "weights")?;
            facts.set_item("value", value)?;
            "SettingError"
        }
        ErrorKind::TimeNotFinite { time }
        | ErrorKind::TimeBackwards { time, .. }
        | ErrorKind::QueryBeforeHistory { time, .. } => {
            facts.set_item("column", "time")?;
            facts.set_item("value", time)?;
            "EventError"
        }
        ErrorKind::NegativeId { id } => {
            facts.set_item("value", id)?;
            by_call(doing)
        }
        ErrorKind::OutsideVocabulary { id, .. } | ErrorKind::RepeatedId { id } => {
            facts.set_item("value", id)?;
            facts.set_item("column", "destination")?;
            by_call(doing)
        }
        ErrorKind::NotFitted => "NotFittedError",
        ErrorKind::Format { .. } => "StateFileError",
        _ => by_call(doing),
    };
    facts.set_item("row", error.row())?;
    refusal(py, class, error.to_string(), Some(&facts))
}

fn by_call(doing: Doing) -> &'static str {
    match doing {
        Doing::Observing => "EventError",
        Doing::Asking => "CandidateError",
        Doing::Setting => "SettingError",
    }
}

/// An id that is an integer beyond 64 bits.
pub fn huge_id(py: Python<'_>, value: &Bound<'_, PyAny>, doing: Doing) -> PyErr {
    let facts = PyDict::new(py);
    let message = "an integer id is outside 0 .. 2**63 - 1; use smaller integers or texts";
    let made = facts.set_item("value", value).and_then(|()| refusal(py, by_call(doing), message.into(), Some(&facts)));
    made.unwrap_or_else(|problem| problem)
}

/// A time that is a number beyond all floats.
pub fn huge_time(py: Python<'_>, value: &Bound<'_, PyAny>) -> PyErr {
    let facts = PyDict::new(py);
    let message = "a time is too large; times must be finite numbers between -1e300 and 1e300";
    let made = facts
        .set_item("column", "time")
        .and_then(|()| facts.set_item("value", value))
        .and_then(|()| refusal(py, "EventError", message.into(), Some(&facts)));
    made.unwrap_or_else(|problem| problem)
}

/// A text id that has no UTF-8 form (half of a surrogate pair).
pub fn broken_text(py: Python<'_>, doing: Doing) -> PyErr {
    let message = "a text id holds half a character (a lone surrogate); it must be valid Unicode";
    refusal(py, by_call(doing), message.into(), None).unwrap_or_else(|problem| problem)
}

fn refusal(py: Python<'_>, class: &str, message: String, facts: Option<&Bound<'_, PyDict>>) -> PyResult<PyErr> {
    let class = py.import("linkgram.errors")?.getattr(class)?;
    Ok(PyErr::from_value(class.call((message,), facts)?))
}
