//! External ids from Python: an integer or a text, one at a time or many.

use crate::errors::{Doing, broken_text, huge_id, raised};
use linkgram_core::{Error, Id, IdTable};
use numpy::PyReadonlyArray1;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::{PyBool, PyInt, PyString};

/// One id that keeps its text alive.
pub enum OwnedId {
    Integer(i64),
    Text(PyBackedStr),
}

impl OwnedId {
    /// An int, a NumPy integer or a str; anything else is a `TypeError`.
    pub fn of(value: &Bound<'_, PyAny>, doing: Doing) -> PyResult<Self> {
        if let Ok(text) = value.cast::<PyString>() {
            let backed = PyBackedStr::try_from(text.clone());
            return backed.map(Self::Text).map_err(|_| broken_text(value.py(), doing));
        }
        if !value.is_instance_of::<PyBool>() {
            // NumPy's integers are no subclass of int, but they can be an index.
            let integer = if value.is_instance_of::<PyInt>() {
                Some(value.clone())
            } else {
                value.call_method0("__index__").ok()
            };
            if let Some(integer) = integer {
                return integer.extract::<i64>().map(Self::Integer).map_err(|_| huge_id(value.py(), value, doing));
            }
        }
        let kind = value.get_type().name()?;
        Err(PyTypeError::new_err(format!("an id is an integer or a text, not {kind}")))
    }

    pub fn get(&self) -> Id<'_> {
        match self {
            Self::Integer(id) => Id::Integer(*id),
            Self::Text(id) => Id::Text(id),
        }
    }
}

/// Many ids: an int64 array without copying, or any iterable.
pub enum OwnedIds<'py> {
    Integers(PyReadonlyArray1<'py, i64>),
    Mixed(Vec<OwnedId>),
}

impl<'py> OwnedIds<'py> {
    pub fn of(values: &Bound<'py, PyAny>, doing: Doing) -> PyResult<Self> {
        if let Ok(array) = values.extract::<PyReadonlyArray1<'py, i64>>() {
            return Ok(Self::Integers(array));
        }
        if values.is_instance_of::<PyString>() {
            return Err(PyTypeError::new_err("one text was given where many ids are expected; put it in a list"));
        }
        let ids = values.try_iter()?.map(|value| OwnedId::of(&value?, doing)).collect::<PyResult<_>>()?;
        Ok(Self::Mixed(ids))
    }

    /// Calls `take` with every id in order.
    pub fn each<T>(
        &self,
        py: Python<'_>,
        doing: Doing,
        mut take: impl FnMut(Id<'_>) -> Result<T, linkgram_core::ErrorKind>,
    ) -> PyResult<Vec<T>> {
        let refuse = |row, kind| raised(py, &Error::at(row, kind), doing);
        match self {
            Self::Integers(array) => {
                let ids = array.as_array();
                ids.iter()
                    .enumerate()
                    .map(|(row, &id)| take(Id::Integer(id)).map_err(|kind| refuse(row, kind)))
                    .collect()
            }
            Self::Mixed(ids) => {
                ids.iter().enumerate().map(|(row, id)| take(id.get()).map_err(|kind| refuse(row, kind))).collect()
            }
        }
    }
}

/// A stream's table of external ids.
pub enum OwnedTable<'py> {
    Integers(PyReadonlyArray1<'py, i64>),
    Texts(Vec<PyBackedStr>),
}

impl<'py> OwnedTable<'py> {
    pub fn of(values: &Bound<'py, PyAny>) -> PyResult<Self> {
        match values.extract::<PyReadonlyArray1<'py, i64>>() {
            Ok(array) => Ok(Self::Integers(array)),
            Err(_) => values.extract::<Vec<PyBackedStr>>().map(Self::Texts),
        }
    }

    /// The texts as slices, to be lent to the core together with the table.
    pub fn texts(&self) -> Vec<&str> {
        match self {
            Self::Integers(_) => Vec::new(),
            Self::Texts(texts) => texts.iter().map(|text| &**text).collect(),
        }
    }

    pub fn table<'a>(&'a self, texts: &'a [&'a str]) -> PyResult<IdTable<'a>> {
        Ok(match self {
            Self::Integers(array) => IdTable::Integers(array.as_slice()?),
            Self::Texts(_) => IdTable::Texts(texts),
        })
    }
}
