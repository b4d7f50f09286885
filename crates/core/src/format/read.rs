//! Reading the saved state; see the parent module for the layout. The file is untrusted.

use super::{LONGEST_NOTE, MAGIC, VERSION};
use crate::cell::Cell;
use crate::configuration::{Backoff, Configuration};
use crate::error::{Error, Result};
use crate::event::check_time;
use crate::feature::Layout;
use crate::id::{Destination, MAX_IDS, Source};
use crate::model::Model;
use crate::predictor::Predictor;
use crate::scorer::Weights;
use crate::state::State;
use crate::table::{Packed, Table, Time};
use crate::vocabulary::{Id, Vocabulary};
use std::io::Read;
use xxhash_rust::xxh3::Xxh3;

/// Bytes of the checksum at the end of the file.
const CHECKSUM: u64 = 8;

/// A file of known length, read front to back.
struct Input<R> {
    inner: R,
    left: u64,
    hash: Xxh3,
}

impl<R: Read> Input<R> {
    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let mut bytes = [0; N];
        self.fill(&mut bytes)?;
        Ok(bytes)
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Result<()> {
        self.need(bytes.len() as u64)?;
        self.inner.read_exact(bytes).map_err(|problem| Error::format(problem.to_string()))?;
        self.left -= bytes.len() as u64;
        self.hash.update(bytes);
        Ok(())
    }

    /// Refuses a claim of more bytes than the file still has.
    fn need(&self, bytes: u64) -> Result<()> {
        if bytes > self.left {
            return Err(Error::format("it ends too early (cut off, or a damaged length)"));
        }
        Ok(())
    }

    fn u8(&mut self) -> Result<u8> {
        Ok(self.array::<1>()?[0])
    }

    fn flag(&mut self) -> Result<bool> {
        match self.u8()? {
            0 => Ok(false),
            1 => Ok(true),
            other => Err(Error::format(format!("a flag is {other}, not 0 or 1"))),
        }
    }

    fn u32(&mut self) -> Result<u32> {
        self.array().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Result<u64> {
        self.array().map(u64::from_le_bytes)
    }

    fn f64(&mut self) -> Result<f64> {
        self.array().map(f64::from_le_bytes)
    }

    /// A number of things of at least `size` bytes each that must still follow.
    fn count(&mut self, size: u64) -> Result<usize> {
        let count = self.u64()?;
        self.need(count.saturating_mul(size))?;
        if count > MAX_IDS as u64 {
            return Err(Error::format("it claims more ids than there can be"));
        }
        Ok(count as usize)
    }

    fn time(&mut self) -> Result<f64> {
        let time = self.f64()?;
        check_time(time, None).map_err(|kind| Error::format(kind.to_string()))?;
        Ok(time)
    }

    /// A finite number that is not negative.
    fn sum(&mut self) -> Result<f64> {
        let value = self.f64()?;
        if value.is_finite() && value >= 0.0 { Ok(value) } else { Err(Error::format("a count is not a number >= 0")) }
    }

    fn cell<C: Cell>(&mut self) -> Result<C> {
        let value = if size_of::<C>() == 4 { f64::from(f32::from_le_bytes(self.array()?)) } else { self.f64()? };
        if value.is_finite() && value >= 0.0 {
            Ok(C::of(value))
        } else {
            Err(Error::format("a count is not a number >= 0"))
        }
    }

    fn text(&mut self, longest: usize) -> Result<String> {
        let length = self.u32()? as usize;
        if length > longest {
            return Err(Error::format("a text is longer than allowed"));
        }
        self.need(length as u64)?;
        let mut bytes = vec![0; length];
        self.fill(&mut bytes)?;
        String::from_utf8(bytes).map_err(|_| Error::format("a text is not UTF-8"))
    }
}

/// How many bytes a cell of the saved state has, from the first 13 bytes of the file.
pub(crate) fn cell_bytes(head: &[u8; 13]) -> Result<u8> {
    if &head[..8] != MAGIC {
        return Err(Error::format("it does not begin with LINKGRAM"));
    }
    let version = u32::from_le_bytes([head[8], head[9], head[10], head[11]]);
    if version != VERSION {
        return Err(Error::format(format!(
            "its version is {version}; this linkgram reads version {VERSION} (observe the events again and save anew)"
        )));
    }
    match head[12] {
        4 | 8 => Ok(head[12]),
        other => Err(Error::format(format!("its cells have {other} bytes, not 4 or 8"))),
    }
}

impl<C: Cell> Predictor<C> {
    /// Bytes of a cell in the saved state that begins with `head`: 4 is `f32`, 8 is `f64`.
    pub fn saved_cell_bytes(head: &[u8; 13]) -> Result<u8> {
        cell_bytes(head)
    }

    /// Reads a saved state of `length` bytes; returns it with its note.
    pub fn read(from: impl Read, length: u64) -> Result<(Self, String)> {
        let mut input = Input { inner: from, left: length, hash: Xxh3::new() };
        let head = input.array::<13>()?;
        if usize::from(cell_bytes(&head)?) != size_of::<C>() {
            return Err(Error::format("its cells have another precision"));
        }
        let note = input.text(LONGEST_NOTE)?;
        let configuration = read_configuration(&mut input)?;
        let layout = Layout::new(&configuration);
        let weights = if input.flag()? {
            let values = (0..layout.width).map(|_| input.f64()).collect::<Result<Vec<_>>>()?;
            let bias = input.f64()?;
            Some(Weights::new(values, bias, &layout).map_err(|problem| Error::format(problem.to_string()))?)
        } else {
            None
        };
        let sources = read_vocabulary(&mut input)?;
        let destinations = read_vocabulary(&mut input)?;
        let state = read_state(&mut input, &configuration, sources.len(), destinations.len())?;
        let expected = input.hash.digest();
        if input.u64()? != expected {
            return Err(Error::format("its checksum does not fit; it was damaged or changed"));
        }
        if input.left != 0 {
            return Err(Error::format(format!("{} bytes follow its end", input.left)));
        }
        let model = Model { state, configuration, layout };
        Ok((Self { model, sources, destinations, weights }, note))
    }
}

fn read_configuration(input: &mut Input<impl Read>) -> Result<Configuration> {
    let depth = input.u32()? as usize;
    let backoff = if input.flag()? { Backoff::Continuation } else { Backoff::Marginal };
    let additions = input.u8()?;
    if additions > 7 {
        return Err(Error::format(format!("unknown additions {additions:#010b}")));
    }
    let configuration = Configuration {
        depth,
        backoff,
        co_occurrence: additions & 1 != 0,
        global_recency: additions & 2 != 0,
        multi_scale: additions & 4 != 0,
        alpha: input.f64()?,
        decay: input.f64()?,
        recency: input.f64()?,
    };
    configuration.check().map_err(|problem| Error::format(problem.to_string()))?;
    Ok(configuration)
}

fn read_vocabulary(input: &mut Input<impl Read>) -> Result<Vocabulary> {
    let kind = input.u8()?;
    let fixed = input.flag()?;
    let mut vocabulary = Vocabulary::growing();
    let count = input.count(if kind == 1 { 8 } else { 4 })?;
    if kind > 2 || (kind == 0 && count > 0) {
        return Err(Error::format(format!("unknown kind of ids {kind}")));
    }
    for row in 0..count {
        let text;
        let id = if kind == 1 {
            Id::Integer(input.array().map(i64::from_le_bytes)?)
        } else {
            text = input.text(usize::MAX)?;
            Id::Text(&text)
        };
        vocabulary.add(id).map_err(|problem| Error::format(problem.to_string()))?;
        if vocabulary.len() != row + 1 {
            return Err(Error::format(format!("id {id} stands twice in a vocabulary")));
        }
    }
    if fixed {
        vocabulary.fix();
    }
    Ok(vocabulary)
}

fn read_state<C: Cell, R: Read>(
    input: &mut Input<R>,
    configuration: &Configuration,
    sources: usize,
    destinations: usize,
) -> Result<State<C>> {
    let mut state = State::<C>::new(configuration);
    // At least this much must follow, so a short file cannot claim large tables.
    input.need(sources as u64 * 5 + destinations as u64 * 28 + CHECKSUM)?;
    state.grow(sources, destinations);
    state.events = input.u64()?;
    if input.flag()? {
        let (time, landmark, epoch) = (input.time()?, (input.time()?, input.time()?), input.u32()?);
        state.last_time = Some(time);
        if !state.decay.resume(landmark, epoch, time) {
            return Err(Error::format("its landmark is not that of its last event"));
        }
    }
    let end = state.last_time;
    let visit = |input: &mut Input<R>| match input.time()? {
        time if Some(time) <= end => Ok(time),
        _ => Err(Error::format("a visit lies after its last event")),
    };
    state.total.0 = input.sum()?;
    let epochs = Epochs(state.decay.epoch());
    state.total.1 = epochs.check(input.u32()?)?;
    let columns = &mut state.destinations;
    for z in 0..destinations {
        columns.counts[z] = input.sum()?;
        columns.last[z] =
            if columns.counts[z] > 0.0 { visit(input)? } else { input.time().map(|_| f64::NEG_INFINITY)? };
        columns.continuation[z] = input.u32()?;
        columns.epochs[z] = epochs.check(input.u32()?)?;
        state.continuation_total += u64::from(columns.continuation[z]);
    }
    for source in 0..sources as u32 {
        let length = usize::from(input.u8()?);
        if length > configuration.depth {
            return Err(Error::format("a history is longer than the depth"));
        }
        let newest_first = (0..length).map(|_| input.u32()).collect::<Result<Vec<_>>>()?;
        for &destination in newest_first.iter().rev() {
            check_key(destination, destinations)?;
            state.histories.push(Source(source), Destination(destination));
        }
    }
    read_table(input, &mut state.sources, destinations, epochs, |input| visit(input).map(Time))?;
    read_table(input, &mut state.successors, destinations, epochs, Input::cell::<C>)?;
    check_continuation(&state)?;
    Ok(state)
}

/// The last decay epoch of the file.
#[derive(Clone, Copy)]
struct Epochs(u32);

impl Epochs {
    fn check(self, epoch: u32) -> Result<u32> {
        if epoch <= self.0 { Ok(epoch) } else { Err(Error::format("an epoch has no landmark")) }
    }
}

fn check_key(key: u32, destinations: usize) -> Result<()> {
    if (key as usize) < destinations { Ok(()) } else { Err(Error::format(format!("destination {key} is unknown"))) }
}

fn read_table<C: Cell, B: Packed, R: Read>(
    input: &mut Input<R>,
    table: &mut Table<C, B>,
    destinations: usize,
    epochs: Epochs,
    second: impl Fn(&mut Input<R>) -> Result<B>,
) -> Result<()> {
    for context in 0..table.contexts() as u32 {
        let cells = input.u32()?;
        if cells == 0 {
            continue;
        }
        input.need(u64::from(cells) * 8)?;
        let epoch = epochs.check(input.u32()?)?;
        let (total, second_total) = (input.sum()?, input.sum()?);
        let mut previous = None;
        for _ in 0..cells {
            let key = input.u32()?;
            check_key(key, destinations)?;
            if previous >= Some(key) {
                return Err(Error::format("the cells of a row are not in order"));
            }
            previous = Some(key);
            let count = input.cell()?;
            let value = if table.with_second() { second(input)? } else { B::default() };
            if table.with_second() {
                table.change::<true>(context, key, |_, mut cell| {
                    cell.set_first(count);
                    cell.set_second(value);
                });
            } else {
                table.change::<false>(context, key, |_, mut cell| cell.set_first(count));
            }
        }
        let row = table.row_mut(context);
        (row.epoch, row.total, row.second_total) = (epoch, total, second_total);
    }
    Ok(())
}

/// Continuation counts can be derived from the transitions; a file where they differ is not one of ours.
fn check_continuation<C: Cell>(state: &State<C>) -> Result<()> {
    let mut distinct = vec![0u32; state.destinations.len()];
    for context in 0..state.successors.contexts() as u32 {
        let row = state.successors.row(context);
        let table = &state.successors;
        table.walk(&row, |key, at| distinct[key as usize] += u32::from(table.first(at).get() > 0.0));
    }
    if state.destinations.continuation != distinct {
        return Err(Error::format("its continuation counts do not fit its transitions"));
    }
    Ok(())
}
