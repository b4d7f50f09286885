//! `linkgram._core`: the core's types for Python. Conversion only; no arithmetic on counts, no panics on user input.

mod baseline;
mod candidates;
mod errors;
mod files;
mod ids;
mod model;
mod predictor;
mod settings;
mod times;
mod watch;

use pyo3::prelude::pymodule;

#[pymodule]
mod _core {
    #[pymodule_export]
    use crate::baseline::Baseline;
    #[pymodule_export]
    use crate::candidates::{historical_random, seeded_candidates};
    #[pymodule_export]
    use crate::files::convert_negatives;
    #[pymodule_export]
    use crate::model::Model;
    #[pymodule_export]
    use crate::predictor::Predictor;

    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
