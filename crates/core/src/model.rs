//! A model: settings and the state they shape, in dense ids.

use crate::cell::Cell;
use crate::configuration::Configuration;
use crate::error::Result;
use crate::feature::Layout;
use crate::state::State;

/// What is known (the state) and how it is read (the configuration). Weights are kept apart: evidence does not depend
/// on them.
#[derive(Clone, Debug)]
pub struct Model<C> {
    /// The history.
    pub state: State<C>,
    /// The settings, checked.
    pub configuration: Configuration,
    /// Where each feature stands in phi.
    pub layout: Layout,
}

impl<C: Cell> Model<C> {
    /// A model without history, with room for these numbers of sources and destinations.
    pub fn new(configuration: Configuration, sources: usize, destinations: usize) -> Result<Self> {
        configuration.check()?;
        let mut state = State::new(&configuration);
        state.grow(sources, destinations);
        Ok(Self { state, layout: Layout::new(&configuration), configuration })
    }
}
