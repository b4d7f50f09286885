//! Writing the saved state; see the parent module for the layout.

use super::{LONGEST_NOTE, MAGIC, VERSION};
use crate::cell::Cell;
use crate::configuration::{Backoff, Configuration};
use crate::error::{Error, Result};
use crate::id::Source;
use crate::predictor::Predictor;
use crate::state::State;
use crate::table::{Packed, Place, Table, Time};
use crate::vocabulary::{Id, Vocabulary};
use std::io::{self, Write};
use xxhash_rust::xxh3::Xxh3;

/// Everything written goes through the checksum.
struct Output<W> {
    inner: W,
    hash: Xxh3,
}

impl<W: Write> Output<W> {
    fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.hash.update(bytes);
        self.inner.write_all(bytes)
    }

    fn u8(&mut self, value: u8) -> io::Result<()> {
        self.bytes(&[value])
    }

    fn u32(&mut self, value: u32) -> io::Result<()> {
        self.bytes(&value.to_le_bytes())
    }

    fn u64(&mut self, value: u64) -> io::Result<()> {
        self.bytes(&value.to_le_bytes())
    }

    fn f64(&mut self, value: f64) -> io::Result<()> {
        self.bytes(&value.to_le_bytes())
    }

    fn cell<C: Cell>(&mut self, value: C) -> io::Result<()> {
        if size_of::<C>() == 4 { self.bytes(&(value.get() as f32).to_le_bytes()) } else { self.f64(value.get()) }
    }
}

impl<C: Cell> Predictor<C> {
    /// Writes everything: settings, weights, vocabularies and counts. `note` is the caller's own record.
    pub fn write(&self, note: &str, to: impl Write) -> Result<()> {
        if note.len() > LONGEST_NOTE {
            return Err(Error::format("the note is longer than 1 MiB"));
        }
        let mut out = Output { inner: to, hash: Xxh3::new() };
        self.write_all(note, &mut out).map_err(|problem| Error::format(problem.to_string()))
    }

    /// 128 bits that change with everything that could change an answer.
    pub fn digest(&self) -> u128 {
        let mut out = Output { inner: io::sink(), hash: Xxh3::new() };
        self.write_all("", &mut out).expect("a sink takes everything");
        out.hash.digest128()
    }

    fn write_all<W: Write>(&self, note: &str, out: &mut Output<W>) -> io::Result<()> {
        out.bytes(MAGIC)?;
        out.u32(VERSION)?;
        out.u8(size_of::<C>() as u8)?;
        out.u32(note.len() as u32)?;
        out.bytes(note.as_bytes())?;
        write_configuration(&self.model.configuration, out)?;
        out.u8(u8::from(self.weights.is_some()))?;
        if let Some(weights) = &self.weights {
            weights.values.iter().chain([&weights.bias]).try_for_each(|&weight| out.f64(weight))?;
        }
        write_vocabulary(&self.sources, out)?;
        write_vocabulary(&self.destinations, out)?;
        write_state(&self.model.state, out)?;
        let checksum = out.hash.digest();
        out.u64(checksum)?;
        out.inner.flush()
    }
}

fn write_configuration<W: Write>(configuration: &Configuration, out: &mut Output<W>) -> io::Result<()> {
    let Configuration { depth, backoff, co_occurrence, global_recency, multi_scale, alpha, decay, recency } =
        *configuration;
    out.u32(depth as u32)?;
    out.u8(u8::from(backoff == Backoff::Continuation))?;
    out.u8(u8::from(co_occurrence) | u8::from(global_recency) << 1 | u8::from(multi_scale) << 2)?;
    [alpha, decay, recency].into_iter().try_for_each(|value| out.f64(value))
}

fn write_vocabulary<W: Write>(vocabulary: &Vocabulary, out: &mut Output<W>) -> io::Result<()> {
    out.u8(match vocabulary.id(0) {
        None => 0,
        Some(Id::Integer(_)) => 1,
        Some(Id::Text(_)) => 2,
    })?;
    out.u8(u8::from(vocabulary.is_fixed()))?;
    out.u64(vocabulary.len() as u64)?;
    for dense in 0..vocabulary.len() as u32 {
        match vocabulary.id(dense) {
            Some(Id::Integer(id)) => out.bytes(&id.to_le_bytes())?,
            Some(Id::Text(id)) => {
                out.u32(id.len() as u32)?;
                out.bytes(id.as_bytes())?;
            }
            None => {}
        }
    }
    Ok(())
}

fn write_state<C: Cell, W: Write>(state: &State<C>, out: &mut Output<W>) -> io::Result<()> {
    out.u64(state.events)?;
    out.u8(u8::from(state.last_time.is_some()))?;
    if let (Some(time), Some((landmark, rest))) = (state.last_time, state.decay.landmark()) {
        [time, landmark, rest].into_iter().try_for_each(|value| out.f64(value))?;
        out.u32(state.decay.epoch())?;
    }
    out.f64(state.total.0)?;
    out.u32(state.total.1)?;
    let columns = &state.destinations;
    for z in 0..columns.len() {
        let never = columns.counts[z] == 0.0;
        out.f64(columns.counts[z])?;
        out.f64(if never { 0.0 } else { columns.last[z] })?;
        out.u32(columns.continuation[z])?;
        out.u32(columns.epochs[z])?;
    }
    for source in 0..state.histories.sources() as u32 {
        let history = state.histories.of(Source(source));
        out.u8(history.len() as u8)?;
        history.iter().try_for_each(|destination| out.u32(destination.0))?;
    }
    write_table(&state.sources, out, |out, Time(last)| out.f64(last))?;
    write_table(&state.successors, out, |out, co| out.cell(co))
}

fn write_table<C: Cell, B: Packed, W: Write>(
    table: &Table<C, B>,
    out: &mut Output<W>,
    second: impl Fn(&mut Output<W>, B) -> io::Result<()>,
) -> io::Result<()> {
    let mut cells: Vec<(u32, Place)> = Vec::new();
    for context in 0..table.contexts() as u32 {
        let row = table.row(context);
        out.u32(row.len() as u32)?;
        if row.is_empty() {
            continue;
        }
        out.u32(row.epoch)?;
        out.f64(row.total)?;
        out.f64(row.second_total)?;
        cells.clear();
        table.walk(&row, |key, at| cells.push((key, at)));
        cells.sort_unstable_by_key(|&(key, _)| key);
        for &(key, at) in &cells {
            out.u32(key)?;
            out.cell(table.first(at))?;
            if table.with_second() {
                second(out, table.second(at))?;
            }
        }
    }
    Ok(())
}
