//! Times from Python: any number that is meant as one.

use crate::errors::huge_time;
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyByteArray, PyBytes, PyFloat, PyString};

/// The time that `value` stands for, finite or not.
#[inline]
pub fn time_of(value: &Bound<'_, PyAny>) -> PyResult<f64> {
    // The usual case, of which there is one an event.
    if value.is_exact_instance_of::<PyFloat>() { value.extract() } else { number(value) }
}

fn number(value: &Bound<'_, PyAny>) -> PyResult<f64> {
    let py = value.py();
    // `float()` would take these, but nobody means them.
    let meant = !value.is_instance_of::<PyString>()
        && !value.is_instance_of::<PyBytes>()
        && !value.is_instance_of::<PyByteArray>()
        && !value.is_instance_of::<PyBool>()
        && !value.is_instance(&py.import("numpy")?.getattr("bool_")?)?;
    if meant {
        match py.get_type::<PyFloat>().call1((value,)) {
            Ok(time) => return time.extract(),
            Err(error) if error.is_instance_of::<PyOverflowError>(py) => return Err(huge_time(py, value)),
            Err(error) if error.is_instance_of::<PyTypeError>(py) || error.is_instance_of::<PyValueError>(py) => {}
            // Whatever else the caller's own code raises is the caller's.
            Err(error) => return Err(error),
        }
    }
    let kind = value.get_type().name()?;
    Err(PyTypeError::new_err(format!("a time is a number, not {kind}")))
}
