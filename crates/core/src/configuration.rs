//! Configuration: which features, plus depth, backoff, alpha and the two time scales.

use crate::error::{Error, ErrorKind, Result};
use crate::feature::{Feature, Layout};

/// Shorter time scales would leave the range of a float when divided.
const SHORTEST_SCALE: f64 = 1e-290;

/// The distribution an estimate falls back on where its context says nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backoff {
    /// Destination frequency.
    Marginal,
    /// Kneser-Ney: how many distinct destinations have preceded this one.
    Continuation,
}

/// Everything fixed before the first event.
#[derive(Clone, Debug, PartialEq)]
pub struct Configuration {
    /// K: how many recent destinations of a source are contexts; 1 to 64.
    pub depth: usize,
    /// What sparse estimates fall back on.
    pub backoff: Backoff,
    /// Adds the windowed co-occurrence estimate.
    pub co_occurrence: bool,
    /// Adds the time since any source visited the candidate.
    pub global_recency: bool,
    /// Adds source recency at a tenth and ten times its scale.
    pub multi_scale: bool,
    /// Pseudocount, from 1e-30 to 1e30.
    pub alpha: f64,
    /// tau: time constant of all counts, in the stream's unit; infinite for undecayed counts.
    pub decay: f64,
    /// tau_r T: time scale of the recency features, in the stream's unit.
    pub recency: f64,
}

impl Default for Configuration {
    /// The paper's reference configuration, undecayed, with a recency scale of one.
    fn default() -> Self {
        Self {
            depth: 5,
            backoff: Backoff::Marginal,
            co_occurrence: false,
            global_recency: false,
            multi_scale: false,
            alpha: 1.0,
            decay: f64::INFINITY,
            recency: 1.0,
        }
    }
}

impl Configuration {
    /// Largest depth.
    pub const MAX_DEPTH: usize = 64;

    /// Refuses settings outside their range.
    ///
    /// ```
    /// use linkgram_core::Configuration;
    /// assert!(Configuration::default().check().is_ok());
    /// let refused = Configuration { depth: 0, ..Configuration::default() }.check().unwrap_err();
    /// assert_eq!(refused.to_string(), "setting `depth` is 0; accepted: a whole number from 1 to 64");
    /// ```
    pub fn check(&self) -> Result<()> {
        let refuse = |name, found: String, accepted| Err(Error::new(ErrorKind::Setting { name, found, accepted }));
        if !(1..=Self::MAX_DEPTH).contains(&self.depth) {
            return refuse("depth", self.depth.to_string(), "a whole number from 1 to 64");
        }
        if !(1e-30..=1e30).contains(&self.alpha) {
            return refuse("alpha", self.alpha.to_string(), "a number from 1e-30 to 1e30");
        }
        if !(SHORTEST_SCALE..=f64::INFINITY).contains(&self.decay) {
            return refuse("decay", self.decay.to_string(), "a time above 0, or infinity for undecayed counts");
        }
        if !(SHORTEST_SCALE..=f64::INFINITY).contains(&self.recency) {
            return refuse("recency", self.recency.to_string(), "a time above 0");
        }
        Ok(())
    }

    /// The features in the order of their weights.
    pub fn features(&self) -> Vec<Feature> {
        Layout::new(self).features()
    }
}
