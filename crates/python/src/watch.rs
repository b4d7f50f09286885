//! Long runs: progress to a Python callable, and Ctrl-C.

use crate::errors::{Doing, raised};
use linkgram_core::Error;
use linkgram_core::replay::Watch;
use pyo3::prelude::*;
use std::time::{Duration, Instant};

/// How often Python is looked at.
const EVERY: Duration = Duration::from_millis(100);

/// Asks Python now and then whether to go on. Used while the interpreter is released.
pub struct PythonWatch {
    callback: Option<Py<PyAny>>,
    looked: Instant,
    raised: Option<PyErr>,
}

impl PythonWatch {
    /// `callback(done)` hears the progress; None only watches for signals.
    pub fn new(callback: Option<Py<PyAny>>) -> Self {
        Self { callback, looked: Instant::now(), raised: None }
    }

    /// The result for Python: what the callback or a signal raised goes before the core's "interrupted".
    pub fn result<T>(self, py: Python<'_>, result: Result<T, Error>) -> PyResult<T> {
        match self.raised {
            Some(error) => Err(error),
            None => result.map_err(|error| raised(py, &error, Doing::Observing)),
        }
    }
}

impl Watch for PythonWatch {
    fn go_on(&mut self, done: usize) -> bool {
        if self.looked.elapsed() < EVERY {
            return self.raised.is_none();
        }
        self.looked = Instant::now();
        let looked = Python::attach(|py| {
            py.check_signals()?;
            self.callback.as_ref().map_or(Ok(()), |callback| callback.call1(py, (done,)).map(|_| ()))
        });
        self.raised = looked.err();
        self.raised.is_none()
    }
}
