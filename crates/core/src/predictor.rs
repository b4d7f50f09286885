//! The predictor: vocabularies, state and weights together, asked by external ids.

use crate::candidates::Candidates;
use crate::cell::Cell;
use crate::configuration::Configuration;
use crate::error::{Error, ErrorKind, Result};
use crate::event::{Event, EventSlice, Query, check_time};
use crate::feature::{Feature, Layout};
use crate::gather::Workspace;
use crate::id::{Destination, Source};
use crate::model::Model;
use crate::rank::{midrank_at, top_k};
use crate::scorer::{Weights, relative_scores, shared_score};
use crate::state::State;
use crate::vocabulary::{Id, IdTable, Vocabulary};

/// A model that knows its users' ids.
#[derive(Clone, Debug)]
pub struct Predictor<C> {
    pub(crate) model: Model<C>,
    pub(crate) sources: Vocabulary,
    pub(crate) destinations: Vocabulary,
    pub(crate) weights: Option<Weights>,
}

/// A stream as it comes: its own numbers, and what they stand for.
#[derive(Clone, Copy, Debug)]
pub struct NamedEvents<'a> {
    /// The events, in the stream's own dense numbers.
    pub events: EventSlice<'a>,
    /// What its source numbers stand for.
    pub source_ids: IdTable<'a>,
    /// What its destination numbers stand for.
    pub destination_ids: IdTable<'a>,
}

/// Events of a stream that are renumbered at a time.
const RENUMBERED: usize = 4096;

/// One term of a score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contribution {
    /// Which feature.
    pub feature: Feature,
    /// Its value.
    pub value: f64,
    /// Its weight; the contribution is the product.
    pub weight: f64,
}

impl<C: Cell> Predictor<C> {
    /// An empty predictor; `destinations` is growing or fixed.
    pub fn new(configuration: Configuration, destinations: Vocabulary) -> Result<Self> {
        let model = Model::new(configuration, 0, destinations.len())?;
        Ok(Self { model, sources: Vocabulary::growing(), destinations, weights: None })
    }

    /// The settings.
    pub fn configuration(&self) -> &Configuration {
        &self.model.configuration
    }

    /// Where each feature stands.
    pub fn layout(&self) -> &Layout {
        &self.model.layout
    }

    /// The counts.
    pub fn state(&self) -> &State<C> {
        &self.model.state
    }

    /// The sources seen so far.
    pub fn sources(&self) -> &Vocabulary {
        &self.sources
    }

    /// The destinations: those seen so far, or the fixed set.
    pub fn destinations(&self) -> &Vocabulary {
        &self.destinations
    }

    /// The weights, if there are any.
    pub fn weights(&self) -> Option<&Weights> {
        self.weights.as_ref()
    }

    /// Replaces the weights.
    pub fn set_weights(&mut self, values: Vec<f64>, bias: f64) -> Result<()> {
        self.weights = Some(Weights::new(values, bias, &self.model.layout)?);
        Ok(())
    }

    /// Observes one event.
    ///
    /// ```
    /// use linkgram_core::{Configuration, Id, Predictor, Vocabulary};
    /// let mut predictor = Predictor::<f32>::new(Configuration::default(), Vocabulary::growing())?;
    /// predictor.observe_one(Id::Text("ann"), Id::Text("Alien"), 1.0)?;
    /// assert!(predictor.observe_one(Id::Text("ann"), Id::Text("Brazil"), 0.0).is_err());
    /// assert_eq!(predictor.state().events(), 1);
    /// # Ok::<(), linkgram_core::Error>(())
    /// ```
    pub fn observe_one(&mut self, source: Id<'_>, destination: Id<'_>, time: f64) -> Result<()> {
        self.check_event(source, destination, time, self.model.state.last_time()).map_err(Error::new)?;
        self.model.state.check_room()?;
        let source = Source(self.sources.add(source).map_err(Error::new)?);
        let destination = Destination(self.destinations.add(destination).map_err(Error::new)?);
        self.model.state.grow(self.sources.len(), self.destinations.len());
        self.model.state.apply(Event { source, destination, time });
        Ok(())
    }

    fn check_event(
        &self,
        source: Id<'_>,
        destination: Id<'_>,
        time: f64,
        previous: Option<f64>,
    ) -> std::result::Result<(), ErrorKind> {
        check_time(time, previous)?;
        self.sources.check(source)?;
        self.destinations.check(destination)
    }

    /// Observes a stream. Refused as a whole, before any change, if one event cannot be observed.
    pub fn observe(&mut self, stream: &NamedEvents<'_>) -> Result<()> {
        let NamedEvents { events, source_ids, destination_ids } = stream;
        events.check_ids(source_ids.len(), destination_ids.len())?;
        if let Some(time) = events.first_time() {
            check_time(time, self.model.state.last_time()).map_err(|kind| Error::at(0, kind))?;
        }
        self.model.state.check_room()?;
        let mut known_sources = vec![false; source_ids.len()];
        let mut known_destinations = vec![false; destination_ids.len()];
        // Whether the stream's own numbers are those that an empty predictor gives: in order of first appearance.
        let mut numbered = self.sources.is_empty() && self.destinations.is_empty();
        let mut next = (0, 0);
        for (row, event) in events.iter().enumerate() {
            let (source, destination) = (event.source.index(), event.destination.index());
            if !std::mem::replace(&mut known_sources[source], true) {
                numbered &= source == next.0;
                next.0 += 1;
                self.sources.check(source_ids.get(source)).map_err(|kind| Error::at(row, kind))?;
            }
            if !std::mem::replace(&mut known_destinations[destination], true) {
                numbered &= destination == next.1;
                next.1 += 1;
                self.destinations.check(destination_ids.get(destination)).map_err(|kind| Error::at(row, kind))?;
            }
        }
        // From here on nothing can be refused.
        if numbered {
            (0..next.0).try_for_each(|id| self.sources.add(source_ids.get(id)).map(drop)).map_err(Error::new)?;
            (0..next.1)
                .try_for_each(|id| self.destinations.add(destination_ids.get(id)).map(drop))
                .map_err(Error::new)?;
            self.model.state.grow(next.0, next.1);
            self.model.state.apply_rows(events, 0..events.len());
            return Ok(());
        }
        let mut sources = vec![Source::UNSEEN; source_ids.len()];
        let mut destinations = vec![Destination::UNSEEN; destination_ids.len()];
        let mut renumbered = (Vec::with_capacity(RENUMBERED), Vec::with_capacity(RENUMBERED));
        for start in (0..events.len()).step_by(RENUMBERED) {
            let part = events.part(start..(start + RENUMBERED).min(events.len()));
            renumbered.0.clear();
            renumbered.1.clear();
            for event in part.iter() {
                let source = &mut sources[event.source.index()];
                let destination = &mut destinations[event.destination.index()];
                if *source == Source::UNSEEN {
                    let id = source_ids.get(event.source.index());
                    *source = Source(self.sources.add(id).map_err(Error::new)?);
                }
                if *destination == Destination::UNSEEN {
                    let id = destination_ids.get(event.destination.index());
                    *destination = Destination(self.destinations.add(id).map_err(Error::new)?);
                }
                renumbered.0.push(source.0);
                renumbered.1.push(destination.0);
            }
            self.model.state.grow(self.sources.len(), self.destinations.len());
            let events = EventSlice::new(&renumbered.0, &renumbered.1, part.times())?;
            self.model.state.apply_rows(&events, 0..events.len());
        }
        Ok(())
    }

    /// The query of a source at a time; a source never seen has an empty history.
    pub fn query(&self, source: Id<'_>, time: f64) -> Result<Query> {
        self.model.state.check_query_time(time)?;
        let source = self.sources.find(source)?.map_or(Source::UNSEEN, Source);
        Ok(Query { source, time })
    }

    /// The candidate with this id; in a growing vocabulary an unknown one is scored as never observed.
    pub fn candidate(&self, id: Id<'_>) -> std::result::Result<Destination, ErrorKind> {
        match self.destinations.look(id)? {
            Some(dense) => Ok(Destination(dense)),
            None if self.destinations.is_fixed() => {
                Err(ErrorKind::OutsideVocabulary { id: id.to_string(), size: self.destinations.len() })
            }
            None => Ok(Destination::UNSEEN),
        }
    }

    /// The candidates with these ids, added to `list`. The slow form is [`candidate`](Self::candidate) for each.
    pub fn candidates(&self, ids: &[i64], list: &mut Vec<Destination>) -> Result<()> {
        let known = list.len();
        if let Some(dense) = self.destinations.close(ids) {
            list.extend(dense.map(Destination));
            if !self.destinations.is_fixed() || !list[known..].contains(&Destination::UNSEEN) {
                return Ok(());
            }
            list.truncate(known);
        }
        for (row, &id) in ids.iter().enumerate() {
            list.push(self.candidate(Id::Integer(id)).map_err(|kind| Error::at(row, kind))?);
        }
        Ok(())
    }

    /// The model in dense ids, for gathering evidence and reading estimates.
    pub fn model(&self) -> &Model<C> {
        &self.model
    }

    /// phi of every candidate, row by row.
    pub fn features(&self, query: Query, candidates: &[Destination], workspace: &mut Workspace) -> Vec<f64> {
        self.model.gather(query, Candidates::These(candidates), workspace);
        let mut matrix = vec![0.0; candidates.len() * self.model.layout.width];
        workspace.evidence.write_features(&self.model.layout, &mut matrix);
        matrix
    }

    /// The score of every candidate.
    pub fn score(&self, query: Query, candidates: Candidates<'_>, workspace: &mut Workspace) -> Result<Vec<f64>> {
        let weights = self.weights.as_ref().ok_or(Error::new(ErrorKind::NotFitted))?;
        let mut scores = self.relative(query, candidates, workspace, weights);
        let shared = shared_score(&workspace.evidence, weights);
        scores.iter_mut().for_each(|score| *score += shared);
        Ok(scores)
    }

    /// Midrank of the first candidate, the positive, among all; there must be one.
    ///
    /// It compares scores without the part that all candidates share, so differences survive that adding the part
    /// would round away.
    pub fn rank(&self, query: Query, candidates: &[Destination], workspace: &mut Workspace) -> Result<f64> {
        let weights = self.weights.as_ref().ok_or(Error::new(ErrorKind::NotFitted))?;
        let scores = self.relative(query, Candidates::These(candidates), workspace, weights);
        Ok(midrank_at(&scores, 0))
    }

    /// The `k` best of the whole vocabulary with their scores, best first; ties in order of first appearance.
    pub fn top_k(&self, query: Query, k: usize, workspace: &mut Workspace) -> Result<Vec<(Destination, f64)>> {
        let scores = self.score(query, Candidates::All, workspace)?;
        Ok(top_k(&scores, k).into_iter().map(|z| (Destination(z), scores[z as usize])).collect())
    }

    /// What each feature of one candidate contributes to its score.
    pub fn explain(
        &self,
        query: Query,
        candidate: Destination,
        workspace: &mut Workspace,
    ) -> Result<Vec<Contribution>> {
        let weights = self.weights.as_ref().ok_or(Error::new(ErrorKind::NotFitted))?;
        let values = self.features(query, &[candidate], workspace);
        let parts = self.model.layout.features().into_iter().zip(values).zip(&weights.values);
        Ok(parts.map(|((feature, value), &weight)| Contribution { feature, value, weight }).collect())
    }

    fn relative(
        &self,
        query: Query,
        candidates: Candidates<'_>,
        workspace: &mut Workspace,
        weights: &Weights,
    ) -> Vec<f64> {
        self.model.gather(query, candidates, workspace);
        let mut scores = Vec::new();
        relative_scores(&workspace.evidence, &self.model.layout, &weights.values, &mut scores);
        scores
    }

    /// Bytes of everything the predictor holds.
    pub fn bytes(&self) -> usize {
        self.model.state.bytes() + self.sources.bytes() + self.destinations.bytes()
    }
}
