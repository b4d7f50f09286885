//! The features phi, in the order their weights have everywhere.
//!
//! First `log P(z)`, always the marginal; `log P(z|u)`; `log P(z|v_k)` for k = 1..K, newest first; source recency. Then
//! the additions that are switched on: `log P_co`, global recency, source recency at a tenth and at ten times the scale.

use crate::configuration::Configuration;
use std::fmt;

/// One number of phi.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    /// Log of the destination's share of all (decayed) events.
    Popularity,
    /// Log of its share of the source's own events.
    SourceHistory,
    /// Log of its share of what follows the k-th last destination of the source, k from 1.
    Transition(usize),
    /// How recently the source visited it, 0 if never.
    SourceRecency,
    /// Log of its share of what follows the last K destinations within K events.
    CoOccurrence,
    /// How recently any source visited it, 0 if none.
    GlobalRecency,
    /// Source recency at a tenth of the scale.
    SourceRecencyFast,
    /// Source recency at ten times the scale.
    SourceRecencySlow,
}

impl fmt::Display for Feature {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Popularity => write!(out, "popularity"),
            Self::SourceHistory => write!(out, "source_history"),
            Self::Transition(k) => write!(out, "transition_{k}"),
            Self::SourceRecency => write!(out, "source_recency"),
            Self::CoOccurrence => write!(out, "co_occurrence"),
            Self::GlobalRecency => write!(out, "global_recency"),
            Self::SourceRecencyFast => write!(out, "source_recency_fast"),
            Self::SourceRecencySlow => write!(out, "source_recency_slow"),
        }
    }
}

/// Where each feature of a configuration stands in phi.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// K.
    pub depth: usize,
    /// Position of the co-occurrence estimate.
    pub co_occurrence: Option<usize>,
    /// Position of global recency.
    pub global_recency: Option<usize>,
    /// Positions and time scales of the source recencies.
    pub recencies: Vec<(usize, f64)>,
    /// Number of features.
    pub width: usize,
}

impl Layout {
    /// Position of `log P(z)`.
    pub const POPULARITY: usize = 0;
    /// Position of `log P(z|u)`.
    pub const SOURCE_HISTORY: usize = 1;

    /// The layout of a configuration.
    pub fn new(configuration: &Configuration) -> Self {
        let depth = configuration.depth;
        let mut recencies = vec![(depth + 2, configuration.recency)];
        let mut width = depth + 3;
        let mut take = |wanted: bool| {
            wanted.then(|| {
                width += 1;
                width - 1
            })
        };
        let co_occurrence = take(configuration.co_occurrence);
        let global_recency = take(configuration.global_recency);
        if let Some(fast) = take(configuration.multi_scale) {
            recencies.push((fast, configuration.recency / 10.0));
        }
        if let Some(slow) = take(configuration.multi_scale) {
            recencies.push((slow, configuration.recency * 10.0));
        }
        Self { depth, co_occurrence, global_recency, recencies, width }
    }

    /// Position of `log P(z|v_k)`, k from 0.
    #[inline]
    pub fn transition(k: usize) -> usize {
        2 + k
    }

    /// The features in order.
    pub fn features(&self) -> Vec<Feature> {
        let mut features = vec![Feature::Popularity, Feature::SourceHistory];
        features.extend((1..=self.depth).map(Feature::Transition));
        features.push(Feature::SourceRecency);
        features.extend(self.co_occurrence.map(|_| Feature::CoOccurrence));
        features.extend(self.global_recency.map(|_| Feature::GlobalRecency));
        if self.recencies.len() > 1 {
            features.extend([Feature::SourceRecencyFast, Feature::SourceRecencySlow]);
        }
        features
    }
}

#[cfg(test)]
mod tests {
    use super::Layout;
    use crate::configuration::Configuration;

    #[test]
    fn all_three_additions_stand_in_the_order_of_the_law() {
        let all = Configuration {
            depth: 2,
            co_occurrence: true,
            global_recency: true,
            multi_scale: true,
            ..Configuration::default()
        };
        let names: Vec<String> = all.features().iter().map(ToString::to_string).collect();
        assert_eq!(
            names.join(" "),
            "popularity source_history transition_1 transition_2 source_recency co_occurrence global_recency \
             source_recency_fast source_recency_slow"
        );
        let layout = Layout::new(&all);
        assert_eq!((layout.co_occurrence, layout.global_recency, layout.width), (Some(5), Some(6), 9));
        assert_eq!(layout.recencies, [(4, 1.0), (7, 0.1), (8, 10.0)]);
    }
}
