//! Settings by name, as `Configuration` of the Python face gives them.

use linkgram_core::{Backoff, Configuration};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The core's configuration, and whether cells are double precision. Ranges are checked by the core.
pub fn configuration(settings: &Bound<'_, PyDict>) -> PyResult<(Configuration, bool)> {
    let get = |name: &str| settings.get_item(name)?.ok_or_else(|| PyKeyError::new_err(name.to_owned()));
    let additions: Vec<String> = get("additions")?.extract()?;
    let with = |name: &str| additions.iter().any(|addition| addition == name);
    let continued = get("backoff")?.extract::<String>()? == "continuation";
    let configuration = Configuration {
        depth: get("depth")?.extract()?,
        backoff: if continued { Backoff::Continuation } else { Backoff::Marginal },
        co_occurrence: with("co-occurrence"),
        global_recency: with("global-recency"),
        multi_scale: with("multi-scale"),
        alpha: get("alpha")?.extract()?,
        decay: get("decay")?.extract()?,
        recency: get("recency")?.extract()?,
    };
    Ok((configuration, get("cells")?.extract::<String>()? == "float64"))
}

/// The same settings by name again.
pub fn by_name<'py>(py: Python<'py>, configuration: &Configuration, double: bool) -> PyResult<Bound<'py, PyDict>> {
    let settings = PyDict::new(py);
    settings.set_item("depth", configuration.depth)?;
    let continued = configuration.backoff == Backoff::Continuation;
    settings.set_item("backoff", if continued { "continuation" } else { "marginal" })?;
    let additions = [
        (configuration.co_occurrence, "co-occurrence"),
        (configuration.global_recency, "global-recency"),
        (configuration.multi_scale, "multi-scale"),
    ];
    let on: Vec<&str> = additions.into_iter().filter_map(|(on, name)| on.then_some(name)).collect();
    settings.set_item("additions", on)?;
    settings.set_item("alpha", configuration.alpha)?;
    settings.set_item("decay", configuration.decay)?;
    settings.set_item("recency", configuration.recency)?;
    settings.set_item("cells", if double { "float64" } else { "float32" })?;
    Ok(settings)
}
