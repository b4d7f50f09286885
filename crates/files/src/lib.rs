//! linkgram-files: files from the network, read without trusting them.
//!
//! A benchmark ships its negatives as a *pickle*: a program for a small stack machine that may import and call anything.
//! [`pickle`] runs only the few instructions that build a dictionary `(source, destination, time) -> array of
//! destinations`, knows no way to call anything, and hands every entry over as soon as it is complete, so that memory
//! does not grow with the file. [`negatives`] turns the entries into rows of dense ids in the order of the queries.
//!
//! ```
//! use linkgram_files::{ErrorKind, Limits, pickle};
//!
//! // What `pickle.loads` would turn into a call of `os.system("id")`:
//! let program = b"\x80\x02cos\nsystem\nX\x02\x00\x00\x00id\x85R.";
//! let error = pickle::read(&program[..], &Limits::default(), &mut Vec::new()).unwrap_err();
//! assert!(matches!(error.kind(), ErrorKind::Refused { .. }));
//! assert_eq!(error.to_string(), "byte 2: it imports os.system; only NumPy's arrays and numbers are accepted");
//! ```
#![forbid(unsafe_code)]

mod error;
mod limits;
pub mod negatives;
mod npy;
pub mod pickle;
mod queries;
mod source;

pub use error::{Error, ErrorKind, Result};
pub use limits::Limits;
pub use negatives::{Summary, Vocabulary};
pub use queries::Queries;
