//! Count baselines as rankers: the same replay, schedules, candidates and ties as the model.

mod any;
pub mod base3;
pub mod fenwick;
pub mod pop_track;
pub mod recall;
pub mod rule;
pub mod standing;

pub use any::{AnyBaseline, Lane};
