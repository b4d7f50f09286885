//! The smoothed estimates, as the paper writes them.
//!
//! This is the readable form: one function an equation, one candidate at a time. Scoring goes through
//! [`evidence`](crate::evidence), which rearranges the same equations; the tests hold the two equal.

use crate::cell::Cell;
use crate::configuration::Backoff;
use crate::id::{Destination, Source};
use crate::model::Model;

impl<C: Cell> Model<C> {
    /// `P(z) = (c(z) + alpha) / (C + alpha |V|)`
    pub fn marginal(&self, z: Destination, time: f64) -> f64 {
        let (state, alpha) = (&self.state, self.configuration.alpha);
        let count = state.destinations.count(z, &state.decay.fades(time));
        let total = state.total.0 * state.decay.fade(state.total.1, time);
        (count + alpha) / (total + alpha * state.vocabulary_size() as f64)
    }

    /// `P_c(z) = (N1+(.z) + alpha) / (N + alpha |V|)`
    pub fn continuation(&self, z: Destination) -> f64 {
        let (state, alpha) = (&self.state, self.configuration.alpha);
        let distinct = state.destinations.continuation(z);
        (f64::from(distinct) + alpha) / (state.continuation_total as f64 + alpha * state.vocabulary_size() as f64)
    }

    /// `B(z)`: one of the two.
    pub fn backoff(&self, z: Destination, time: f64) -> f64 {
        match self.configuration.backoff {
            Backoff::Marginal => self.marginal(z, time),
            Backoff::Continuation => self.continuation(z),
        }
    }

    /// `P(z|u) = (c(u,z) + alpha B(z)) / (n(u) + alpha)`
    pub fn source_conditional(&self, source: Source, z: Destination, time: f64) -> f64 {
        let (table, alpha) = (&self.state.sources, self.configuration.alpha);
        let row = table.row(source.0);
        let fade = self.state.decay.fade(row.epoch, time);
        let count = table.find(&row, z.0).map_or(0.0, |at| table.first(at).get());
        (count * fade + alpha * self.backoff(z, time)) / (row.total * fade + alpha)
    }

    /// `P(z|v) = (c(v,z) + alpha B(z)) / (n(v) + alpha)`, transitions pooled over all sources.
    pub fn transition(&self, previous: Destination, z: Destination, time: f64) -> f64 {
        let (table, alpha) = (&self.state.successors, self.configuration.alpha);
        let row = table.row(previous.0);
        let fade = self.state.decay.fade(row.epoch, time);
        let count = table.find(&row, z.0).map_or(0.0, |at| table.first(at).get());
        (count * fade + alpha * self.backoff(z, time)) / (row.total * fade + alpha)
    }

    /// `P_co(z) = (sum_k c_co(v_k,z) + alpha B(z)) / (sum_k n_co(v_k) + alpha)` over the history of `source`.
    ///
    /// Only for configurations that count co-occurrence.
    pub fn co_occurrence(&self, source: Source, z: Destination, time: f64) -> f64 {
        let (table, alpha) = (&self.state.successors, self.configuration.alpha);
        let (mut count, mut total) = (0.0, 0.0);
        for previous in self.state.histories.of(source) {
            let row = table.row(previous.0);
            let fade = self.state.decay.fade(row.epoch, time);
            count += table.find(&row, z.0).map_or(0.0, |at| table.second(at).get()) * fade;
            total += row.second_total * fade;
        }
        (count + alpha * self.backoff(z, time)) / (total + alpha)
    }

    /// `exp(-(t - t_last(u,z)) / scale)`, 0 if the source never visited z.
    pub fn source_recency(&self, source: Source, z: Destination, time: f64, scale: f64) -> f64 {
        let table = &self.state.sources;
        let visit = table.find(&table.row(source.0), z.0);
        visit.map_or(0.0, |at| crate::numeric::exp((table.second(at).0 - time) / scale))
    }

    /// `exp(-(t - t_last(z)) / scale)`, 0 if nobody ever visited z.
    pub fn global_recency(&self, z: Destination, time: f64, scale: f64) -> f64 {
        crate::numeric::exp((self.state.destinations.last(z) - time) / scale)
    }
}
