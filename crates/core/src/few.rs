//! Gathering for a handful of candidates, as extraction does for every training event: each row is searched for each
//! candidate, and what is met becomes evidence at once. With so few there is nothing to gain from columns and vectors.
//!
//! The slow form is what [`gather`](crate::gather) does for more; the bits are the same (tested there).

use crate::candidates::Candidates;
use crate::cell::Cell;
use crate::decay::Fades;
use crate::event::Query;
use crate::evidence::Evidence;
use crate::feature::Layout;
use crate::id::Destination;
use crate::model::Model;
use crate::table::{Packed, Place, Row, Table};

/// Below this many candidates they are few: what many need to be set up costs more than it saves.
pub(crate) const FEWEST_OF_MANY: usize = 8;

/// The list, if it is that of a few candidates.
#[inline(always)]
pub(crate) fn few(candidates: Candidates<'_>) -> Option<&[Destination]> {
    match candidates {
        Candidates::These(list) if list.len() < FEWEST_OF_MANY => Some(list),
        _ => None,
    }
}

/// What is met, before the logarithms: its count stands where its lift will.
pub(crate) struct Lifting<'a> {
    /// The count that B(z) of each candidate is made from.
    pub(crate) bases: &'a [f64],
    /// The same of what was met.
    pub(crate) bases_met: &'a mut Vec<f64>,
    pub(crate) alpha: f64,
    pub(crate) whole_per_alpha: f64,
}

impl Lifting<'_> {
    #[inline(always)]
    fn put(&mut self, evidence: &mut Evidence, candidate: usize, count: f64) {
        evidence.met.push(candidate as u32);
        evidence.lifts.push(count);
        self.bases_met.push(self.bases[candidate]);
    }

    #[inline(always)]
    fn take_logs<C: Cell>(&self, counts: &mut [f64]) {
        for (count, base) in counts.iter_mut().zip(self.bases_met.iter()) {
            *count = C::ln_1p(*count * (self.whole_per_alpha / (base + self.alpha)));
        }
    }
}

/// Calls `met` with each candidate that the row holds and the place of its values.
#[inline(always)]
fn search<A: Packed, B: Packed>(
    table: &Table<A, B>,
    row: &Row,
    list: &[Destination],
    mut met: impl FnMut(usize, Place),
) {
    if row.is_empty() {
        return;
    }
    for (candidate, z) in list.iter().enumerate() {
        let (is_there, spot) = table.look(row, z.0);
        if is_there && *z != Destination::UNSEEN {
            met(candidate, table.place_of(row, spot));
        }
    }
}

impl<C: Cell> Model<C> {
    /// Meets the rows of the context; everything but what each candidate has by itself.
    #[inline(always)]
    pub(crate) fn meet_few(
        &self,
        query: Query,
        fades: &Fades,
        list: &[Destination],
        lifting: &mut Lifting<'_>,
        evidence: &mut Evidence,
    ) {
        let Self { state, layout, .. } = self;
        let table = &state.sources;
        let row = table.row(query.source.0);
        let fade = fades.of(row.epoch);
        evidence.lifts.clear();
        lifting.bases_met.clear();
        evidence.rest_on_backoff(Layout::SOURCE_HISTORY, self.context_share(row.total * fade));
        let (mut ages, mut own) = ([0.0; FEWEST_OF_MANY], 0);
        search(table, &row, list, |candidate, place| {
            lifting.put(evidence, candidate, table.first(place).get() * fade);
            ages[own] = table.second(place).0 - query.time;
            own += 1;
        });
        evidence.end_span(Layout::SOURCE_HISTORY, evidence.met.len());

        let table = &state.successors;
        let (mut sums, mut co_total) = ([0.0; FEWEST_OF_MANY], 0.0);
        for (k, context) in state.histories.of(query.source).iter().enumerate() {
            let row = table.row(context.0);
            let fade = fades.of(row.epoch);
            evidence.rest_on_backoff(Layout::transition(k), self.context_share(row.total * fade));
            co_total += row.second_total * fade;
            search(table, &row, list, |candidate, place| {
                let count = table.first(place).get();
                if count > 0.0 {
                    lifting.put(evidence, candidate, count * fade);
                }
                if layout.co_occurrence.is_some() {
                    sums[candidate] += table.second(place).get() * fade;
                }
            });
            evidence.end_span(Layout::transition(k), evidence.met.len());
        }
        if let Some(feature) = layout.co_occurrence {
            evidence.rest_on_backoff(feature, self.context_share(co_total));
            for (candidate, &sum) in sums[..list.len()].iter().enumerate() {
                if sum > 0.0 {
                    lifting.put(evidence, candidate, sum);
                }
            }
            evidence.end_span(feature, evidence.met.len());
        }
        lifting.take_logs::<C>(&mut evidence.lifts);
        for &(feature, scale) in &layout.recencies {
            let rate = 1.0 / scale;
            evidence.met.extend_from_within(..own);
            evidence.lifts.extend(ages[..own].iter().map(|age| C::exp(age * rate)));
            evidence.end_span(feature, evidence.met.len());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::FEWEST_OF_MANY;
    use crate::candidates::Candidates;
    use crate::configuration::{Backoff, Configuration};
    use crate::event::{Event, Query};
    use crate::gather::Workspace;
    use crate::id::{Destination, Source};
    use crate::model::Model;
    use crate::random::Draws;

    #[test]
    fn a_few_candidates_have_the_features_they_would_have_among_many_bit_for_bit() {
        let draws = Draws::new(3, 0);
        for case in 0..48u32 {
            let configuration = Configuration {
                depth: 1 + case as usize % 5,
                backoff: if case % 2 == 0 { Backoff::Marginal } else { Backoff::Continuation },
                co_occurrence: case % 3 == 0,
                global_recency: case % 3 == 1,
                multi_scale: case % 4 == 0,
                // The last cases fade to nothing.
                decay: [80.0, 700.0, 0.5][case as usize % 3],
                recency: 9.0,
                ..Configuration::default()
            };
            let mut model = Model::<f32>::new(configuration, 4, 40).unwrap();
            for at in 0..600u32 {
                let destination = Destination(draws.below(u64::from(at), 36));
                model.state.apply(Event { source: Source(at % 3), destination, time: f64::from(at) });
            }
            let width = model.layout.width;
            let features = |list: &[Destination], source: u32| {
                let mut workspace = Workspace::new();
                let query = Query { source: Source(source), time: 601.0 };
                model.gather(query, Candidates::These(list), &mut workspace);
                let mut phi = vec![0.0; list.len() * width];
                workspace.evidence.write_features(&model.layout, &mut phi);
                phi.into_iter().map(f64::to_bits).collect::<Vec<_>>()
            };
            // A repeat, one that never occurred, one that nobody knows.
            let mut list = [case % 36, 5, 39, 5, u32::MAX, 7, case * 7 % 36].map(Destination).to_vec();
            assert!(list.len() < FEWEST_OF_MANY);
            for source in 0..4 {
                let few = features(&list, source);
                let kept = list.len();
                list.extend((0..FEWEST_OF_MANY as u32).map(Destination));
                assert_eq!(few, features(&list, source)[..few.len()], "case {case}, source {source}");
                list.truncate(kept);
            }
        }
    }
}
