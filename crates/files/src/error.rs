//! What is refused in a file, and at which byte.

use std::fmt;
use std::io;

/// A refusal; nothing that was read so far is usable.
#[derive(Debug)]
pub struct Error {
    kind: ErrorKind,
    offset: Option<u64>,
}

/// The result of everything that reads or writes files here.
pub type Result<T> = std::result::Result<T, Error>;

/// Why a file was refused.
#[derive(Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The operating system could not read or write.
    System(io::Error),
    /// The file ends inside something.
    Truncated,
    /// The compressed data around the pickle are damaged.
    Compression(String),
    /// Something a pickle may do but this reader will not.
    Refused {
        /// What it does.
        what: String,
    },
    /// Something no pickler writes, or not what a dictionary of negatives looks like.
    Malformed {
        /// What is wrong.
        what: String,
    },
    /// More of something than any file of negatives needs.
    Limit {
        /// What there is too much of.
        what: &'static str,
        /// How much is accepted.
        limit: u64,
    },
    /// A negative outside the vocabulary of destinations.
    OutsideVocabulary {
        /// The id found.
        id: i64,
        /// The first id of the vocabulary.
        first: i64,
        /// The last id of the vocabulary.
        last: i64,
        /// Source, destination and time of the entry.
        key: [i64; 3],
    },
    /// A query without an entry in the file.
    MissingQuery {
        /// Which query, from 0.
        row: usize,
        /// Its source, destination and time.
        key: [i64; 3],
    },
    /// The caller asked to stop.
    Stopped,
}

impl Error {
    /// A refusal of the whole file.
    #[must_use]
    pub fn new(kind: ErrorKind) -> Self {
        Self { kind, offset: None }
    }

    /// A refusal at a byte of the (decompressed) file.
    #[must_use]
    pub fn at(offset: u64, kind: ErrorKind) -> Self {
        Self { kind, offset: Some(offset) }
    }

    /// Why.
    #[must_use]
    pub fn kind(&self) -> &ErrorKind {
        &self.kind
    }

    /// Where, in decompressed bytes from 0.
    #[must_use]
    pub fn offset(&self) -> Option<u64> {
        self.offset
    }

    /// The same refusal with a place, if it had none.
    pub(crate) fn located(self, offset: u64) -> Self {
        Self { offset: self.offset.or(Some(offset)), ..self }
    }
}

/// Shorthand for a file that is not what it should be.
pub(crate) fn malformed(what: impl Into<String>) -> Error {
    Error::new(ErrorKind::Malformed { what: what.into() })
}

/// Shorthand for something this reader will not do.
pub(crate) fn refused(what: impl Into<String>) -> Error {
    Error::new(ErrorKind::Refused { what: what.into() })
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Self::new(match error.kind() {
            io::ErrorKind::UnexpectedEof => ErrorKind::Truncated,
            // What the decompressor says of damaged data.
            io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput => ErrorKind::Compression(error.to_string()),
            _ => ErrorKind::System(error),
        })
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(offset) = self.offset {
            write!(f, "byte {offset}: ")?;
        }
        match &self.kind {
            ErrorKind::System(error) => write!(f, "{error}"),
            ErrorKind::Truncated => f.write_str("the file ends in the middle; it was cut short"),
            ErrorKind::Compression(what) => write!(f, "the compressed data are damaged: {what}"),
            ErrorKind::Refused { what } | ErrorKind::Malformed { what } => f.write_str(what),
            ErrorKind::Limit { what, limit } => write!(f, "{what}; at most {limit} are accepted"),
            ErrorKind::OutsideVocabulary { id, first, last, key: [source, destination, time] } => write!(
                f,
                "the entry of source {source}, destination {destination}, time {time} holds destination {id}; \
                 destinations are {first} to {last}"
            ),
            ErrorKind::MissingQuery { row, key: [source, destination, time] } => write!(
                f,
                "query {row} (source {source}, destination {destination}, time {time}) has no entry in the file"
            ),
            ErrorKind::Stopped => f.write_str("stopped"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.kind {
            ErrorKind::System(error) => Some(error),
            _ => None,
        }
    }
}
