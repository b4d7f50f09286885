//! Count baselines as rankers: the same replay, schedules, candidates and ties as the model.

pub mod pop_track;
pub mod recall;
