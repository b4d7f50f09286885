//! What can be refused, with the data that says where.

use std::fmt;

/// A refusal. Nothing was changed by the call that returned it.
#[derive(Clone, Debug, PartialEq)]
pub struct Error {
    kind: ErrorKind,
    row: Option<usize>,
}

/// The result of everything that can refuse its input.
pub type Result<T> = std::result::Result<T, Error>;

/// Why something was refused.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A setting outside its range.
    Setting {
        /// Name of the setting, as users spell it.
        name: &'static str,
        /// What was found.
        found: String,
        /// What is accepted.
        accepted: &'static str,
    },
    /// Columns of one stream with different lengths.
    UnequalColumns {
        /// Lengths of the source, destination and time columns.
        lengths: [usize; 3],
    },
    /// A time that is not a finite number within +-1e300.
    TimeNotFinite {
        /// The time found.
        time: f64,
    },
    /// A time before the latest one observed.
    TimeBackwards {
        /// The time found.
        time: f64,
        /// The latest time before it.
        previous: f64,
    },
    /// A question about the past: later events were already observed.
    QueryBeforeHistory {
        /// The time asked for.
        time: f64,
        /// Time of the latest event.
        last: f64,
    },
    /// An integer id below zero.
    NegativeId {
        /// The id found.
        id: i64,
    },
    /// An integer id among texts, or the other way round.
    IdType {
        /// What was found: "an integer" or "a text".
        found: &'static str,
        /// What the vocabulary holds.
        expected: &'static str,
    },
    /// An id that a fixed vocabulary does not hold.
    OutsideVocabulary {
        /// The id, as the user wrote it.
        id: String,
        /// How many ids the vocabulary holds.
        size: usize,
    },
    /// An id given twice where each may stand once.
    RepeatedId {
        /// The id, as the user wrote it.
        id: String,
    },
    /// More distinct ids than dense ids can count, or more cells than a table can address.
    TooLarge {
        /// What there is too much of.
        what: &'static str,
    },
    /// A dense id at or above the number of ids.
    DenseId {
        /// "source" or "destination".
        role: &'static str,
        /// The id found.
        found: u32,
        /// How many there are.
        size: usize,
    },
    /// Scoring before there are weights.
    NotFitted,
    /// Another number of weights than features.
    WeightCount {
        /// Weights given.
        found: usize,
        /// Features of the configuration.
        expected: usize,
    },
    /// A weight that is not a number within +-1e100.
    WeightNotFinite {
        /// Position of the weight.
        position: usize,
        /// The weight found.
        value: f64,
    },
    /// A saved state that cannot be read.
    Format {
        /// What is wrong with it.
        problem: String,
    },
    /// Matrices, candidates or sets that do not fit together.
    Shape {
        /// What does not fit.
        problem: String,
    },
    /// The caller asked to stop.
    Interrupted,
}

impl Error {
    /// A refusal that concerns the whole call.
    pub fn new(kind: ErrorKind) -> Self {
        Self { kind, row: None }
    }

    /// A refusal that concerns one row, counted from zero.
    pub fn at(row: usize, kind: ErrorKind) -> Self {
        Self { kind, row: Some(row) }
    }

    /// Why.
    pub fn kind(&self) -> &ErrorKind {
        &self.kind
    }

    /// Which row (event or candidate), counted from zero, where one is to blame.
    pub fn row(&self) -> Option<usize> {
        self.row
    }

    pub(crate) fn format(problem: impl Into<String>) -> Self {
        Self::new(ErrorKind::Format { problem: problem.into() })
    }

    /// Matrices, candidates or sets that do not fit together.
    pub fn shape(problem: impl Into<String>) -> Self {
        Self::new(ErrorKind::Shape { problem: problem.into() })
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Setting { name, found, accepted } => write!(out, "setting `{name}` is {found}; accepted: {accepted}"),
            Self::UnequalColumns { lengths: [sources, destinations, times] } => write!(
                out,
                "the columns differ in length: {sources} sources, {destinations} destinations, {times} times; \
                 every event needs all three"
            ),
            Self::TimeNotFinite { time } => {
                write!(out, "time {time:?} is not usable; times must be finite numbers between -1e300 and 1e300")
            }
            Self::TimeBackwards { time, previous } => write!(
                out,
                "time {time:?} is before the previous event's {previous:?}; events must be in time order \
                 (pass sort=True to sort while reading)"
            ),
            Self::QueryBeforeHistory { time, last } => write!(
                out,
                "the question's time {time:?} is before the last observed event's {last:?}; ask at that time or later"
            ),
            Self::NegativeId { id } => {
                write!(out, "id {id} is negative; integer ids must be 0 or larger (convert to text to keep others)")
            }
            Self::IdType { found, expected } => {
                write!(out, "the id is {found}, but this vocabulary holds {expected}s; ids of one role have one type")
            }
            Self::OutsideVocabulary { id, size } => write!(
                out,
                "destination {id} is not in the fixed vocabulary of {size} destinations; leave it out, or let the \
                 vocabulary grow"
            ),
            Self::RepeatedId { id } => write!(out, "id {id} stands twice in the vocabulary; list every id once"),
            Self::TooLarge { what } => write!(out, "too many {what}: the limit of 32-bit addresses is reached"),
            Self::DenseId { role, found, size } => {
                write!(out, "{role} {found} is outside the {size} known dense ids; they count from 0")
            }
            Self::NotFitted => write!(out, "there are no weights yet; fit the predictor or set `weights` by hand"),
            Self::WeightCount { found, expected } => {
                write!(out, "{found} weights were given for {expected} features; give one weight per feature name")
            }
            Self::WeightNotFinite { position, value } => {
                write!(out, "weight {position} is {value}; weights must be numbers between -1e100 and 1e100")
            }
            Self::Format { problem } => write!(out, "this is not a readable linkgram state file: {problem}"),
            Self::Shape { problem } => write!(out, "{problem}"),
            Self::Interrupted => write!(out, "interrupted"),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(row) = self.row {
            write!(out, "event {row}: ")?;
        }
        self.kind.fmt(out)
    }
}

impl std::error::Error for Error {}
