//! linkgram-core: next-destination prediction from smoothed counts over temporal links.
//!
//! Two kinds of learning, two verbs: *observe* adds events to the history by a fixed rule, *fit* learns about a dozen
//! weights. Reading order: [`decay`], [`table`], [`state`], [`estimator`], [`feature`], [`evidence`], [`scorer`].
//!
//! ```
//! use linkgram_core::{Configuration, Id, Predictor, Vocabulary, Workspace};
//!
//! let configuration = Configuration { depth: 1, ..Configuration::default() };
//! let mut predictor = Predictor::<f32>::new(configuration, Vocabulary::growing())?;
//! for (time, film) in ["Alien", "Brazil", "Alien", "Brazil", "Alien"].iter().enumerate() {
//!     predictor.observe_one(Id::Text("ann"), Id::Text(film), time as f64)?;
//! }
//! // One weight each: popularity, source history, transition from the last film, recency.
//! predictor.set_weights(vec![0.1, 0.3, 1.0, 0.0], 0.0)?;
//! let query = predictor.query(Id::Text("ann"), 5.0)?;
//! let best = predictor.top_k(query, 1, &mut Workspace::new())?[0].0;
//! assert_eq!(predictor.destinations().id(best.0), Some(Id::Text("Brazil")));
//! # Ok::<(), linkgram_core::Error>(())
//! ```
#![deny(unsafe_code)]

mod arena;
pub mod baseline;
mod candidates;
pub mod cell;
mod configuration;
pub mod decay;
mod describe;
mod destinations;
mod error;
pub mod estimator;
mod event;
pub mod evidence;
mod expect;
pub mod extract;
pub mod feature;
mod few;
pub mod fit;
mod format;
mod gather;
pub mod generate;
mod gradient;
mod history;
mod id;
pub mod judge;
mod logs;
mod machine;
mod meetings;
mod model;
pub mod numeric;
pub mod origin;
mod pages;
mod parallel;
mod predictor;
pub mod random;
mod rank;
pub mod ranker;
pub mod replay;
mod schedule;
pub mod scorer;
pub mod selection;
pub mod state;
pub mod table;
#[cfg(feature = "bench")]
pub mod touch;
pub mod validation;
mod vocabulary;

pub use candidates::Candidates;
pub use cell::Cell;
pub use configuration::{Backoff, Configuration};
pub use describe::TableSize;
pub use error::{Error, ErrorKind, Result};
pub use event::{Event, EventSlice, Query};
pub use evidence::Evidence;
pub use feature::{Feature, Layout};
pub use gather::Workspace;
pub use id::{Destination, Source};
pub use model::Model;
pub use predictor::{Contribution, NamedEvents, Predictor};
pub use rank::{midrank, midrank_at, top_k};
pub use schedule::Schedule;
pub use scorer::Weights;
pub use state::State;
pub use vocabulary::{Id, IdTable, Vocabulary};
