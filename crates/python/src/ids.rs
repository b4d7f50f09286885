//! External ids from Python: an integer or a text, one at a time or many.

use crate::errors::{Doing, broken_text, huge_id};
use linkgram_core::{Id, IdTable};
use numpy::{Element, PyArray1, PyArrayMethods, PyReadonlyArray1, PyUntypedArray};
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::{PyBool, PyInt, PyList, PyString};

/// One id that keeps its text alive.
pub enum OwnedId {
    Integer(i64),
    Text(PyBackedStr),
}

impl OwnedId {
    /// An int, a NumPy integer or a str; anything else is a `TypeError`.
    #[inline]
    pub fn of(value: &Bound<'_, PyAny>, doing: Doing) -> PyResult<Self> {
        if value.is_exact_instance_of::<PyInt>() {
            return value.extract::<i64>().map(Self::Integer).map_err(|_| huge_id(value.py(), value, doing));
        }
        if let Ok(text) = value.cast::<PyString>() {
            let backed = PyBackedStr::try_from(text.clone());
            return backed.map(Self::Text).map_err(|_| broken_text(value.py(), doing));
        }
        Self::of_another(value, doing)
    }

    /// NumPy's integers are no subclass of int, but they can be an index.
    fn of_another(value: &Bound<'_, PyAny>, doing: Doing) -> PyResult<Self> {
        let py = value.py();
        if !value.is_instance_of::<PyBool>() {
            match value.extract::<i64>() {
                Ok(id) => return Ok(Self::Integer(id)),
                Err(error) if error.is_instance_of::<PyOverflowError>(py) => return Err(huge_id(py, value, doing)),
                Err(error) if error.is_instance_of::<PyTypeError>(py) => {}
                // Whatever else the caller's own code raises is the caller's.
                Err(error) => return Err(error),
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

/// Many ids, copied: nothing that the caller does meanwhile can reach them.
pub enum OwnedIds {
    Integers(Vec<i64>),
    /// At least one text.
    Mixed(Vec<OwnedId>),
}

impl OwnedIds {
    /// A NumPy array of integers, or any iterable.
    pub fn of(values: &Bound<'_, PyAny>, doing: Doing) -> PyResult<Self> {
        if let Some(ids) = array_of_integers(values, doing)? {
            return Ok(Self::Integers(ids));
        }
        if let Ok(list) = values.cast_exact::<PyList>() {
            return Self::collect(list.iter().map(Ok), list.len(), doing);
        }
        if values.is_instance_of::<PyString>() {
            return Err(PyTypeError::new_err("one text was given where many ids are expected; put it in a list"));
        }
        // How long an iterable says it is is not to be believed.
        Self::collect(values.try_iter()?, 0, doing)
    }

    fn collect<'py>(
        mut values: impl Iterator<Item = PyResult<Bound<'py, PyAny>>>,
        size: usize,
        doing: Doing,
    ) -> PyResult<Self> {
        let mut integers = Vec::with_capacity(size);
        for value in values.by_ref() {
            match OwnedId::of(&value?, doing)? {
                OwnedId::Integer(id) => integers.push(id),
                text => {
                    let mut ids = Vec::with_capacity(size);
                    ids.extend(integers.into_iter().map(OwnedId::Integer));
                    ids.push(text);
                    for value in values {
                        ids.push(OwnedId::of(&value?, doing)?);
                    }
                    return Ok(Self::Mixed(ids));
                }
            }
        }
        Ok(Self::Integers(integers))
    }

    pub fn len(&self) -> usize {
        match self {
            Self::Integers(ids) => ids.len(),
            Self::Mixed(ids) => ids.len(),
        }
    }
}

/// The numbers of a one-dimensional NumPy array of any integer type; `None` for whatever else.
fn array_of_integers(values: &Bound<'_, PyAny>, doing: Doing) -> PyResult<Option<Vec<i64>>> {
    if let Ok(array) = values.cast::<PyArray1<i64>>() {
        return elements(array).map(Some);
    }
    if !values.is_instance_of::<PyUntypedArray>() {
        return Ok(None);
    }
    macro_rules! widened {
        ($($narrow:ty),*) => {
            $(if let Ok(array) = values.cast::<PyArray1<$narrow>>() {
                return Ok(Some(elements(array)?.into_iter().map(i64::from).collect()));
            })*
        };
    }
    widened!(i32, u32, i16, u16, i8, u8);
    let Ok(array) = values.cast::<PyArray1<u64>>() else { return Ok(None) };
    let narrowed = elements(array)?.into_iter().map(|id| {
        i64::try_from(id).map_err(|_| match id.into_pyobject(values.py()) {
            Ok(id) => huge_id(values.py(), &id, doing),
            Err(never) => match never {},
        })
    });
    narrowed.collect::<PyResult<_>>().map(Some)
}

/// A copy of an array's elements, in order; whatever their strides and alignment, NumPy can lay them out.
fn elements<T: Element>(array: &Bound<'_, PyArray1<T>>) -> PyResult<Vec<T>> {
    match array.to_vec() {
        Ok(elements) => Ok(elements),
        Err(_) => Ok(array.call_method0("copy")?.cast::<PyArray1<T>>()?.to_vec()?),
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
