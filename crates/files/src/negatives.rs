//! Pickled negatives to rows of dense ids: `offsets.npy` (int64, one more than queries) and `destinations.npy` (int32).
//!
//! The file's order is its own, and a key that comes again replaces its row. So rows go to a spill file as they arrive,
//! with one (start, length) a query in memory, and are then written once more in the order of the queries.

use crate::error::{Error, ErrorKind, Result};
use crate::limits::Limits;
use crate::npy::write_header;
use crate::pickle::{self, Sink};
use crate::queries::{Index, Queries};
use crate::source;
use std::fs::{self, File};
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::Path;

const MISSING: u32 = u32::MAX;

/// The fixed vocabulary of destinations: dense id = external id - first.
#[derive(Clone, Copy, Debug)]
pub struct Vocabulary {
    /// The first external id.
    pub first: i64,
    /// How many there are.
    pub size: u32,
}

/// What was found while converting.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Summary {
    /// Entries read.
    pub entries: u64,
    /// Entries of keys that are no query.
    pub unused: u64,
    /// Entries that replaced an earlier one.
    pub repeated: u64,
    /// Negatives written.
    pub negatives: u64,
    /// Queries whose negatives hold the positive itself.
    pub with_positive: u64,
}

/// Converts the pickle at `path` (gzip or not) into `directory`, which must exist.
///
/// `tick` is called now and then with the bytes read so far; false stops the work.
///
/// # Errors
/// A file that is not a pickle of negatives, a destination outside the vocabulary, a query without an entry.
pub fn convert(
    path: &Path,
    queries: Queries<'_>,
    vocabulary: Vocabulary,
    directory: &Path,
    tick: &mut dyn FnMut(u64) -> bool,
) -> Result<Summary> {
    let spill = directory.join("spill.tmp");
    let mut rows = Rows::new(queries, vocabulary, &spill, tick)?;
    let limits = Limits::of(queries.len(), vocabulary.size as usize);
    pickle::read(source::open(path)?, &limits, &mut rows)?;
    let summary = rows.write(queries, vocabulary, directory, &spill)?;
    fs::remove_file(spill).map_err(|error| Error::new(ErrorKind::System(error)))?;
    Ok(summary)
}

struct Rows<'a> {
    index: Index<'a>,
    vocabulary: Vocabulary,
    /// Where the row of a key's first query starts in the spill file, in numbers, and how long it is.
    starts: Vec<u64>,
    lengths: Vec<u32>,
    spill: BufWriter<File>,
    spilled: u64,
    summary: Summary,
    tick: &'a mut dyn FnMut(u64) -> bool,
}

impl<'a> Rows<'a> {
    fn new(
        queries: Queries<'a>,
        vocabulary: Vocabulary,
        spill: &Path,
        tick: &'a mut dyn FnMut(u64) -> bool,
    ) -> Result<Self> {
        Ok(Self {
            index: Index::new(queries)?,
            vocabulary,
            starts: vec![0; queries.len()],
            lengths: vec![MISSING; queries.len()],
            spill: BufWriter::with_capacity(1 << 16, created(spill)?),
            spilled: 0,
            summary: Summary::default(),
            tick,
        })
    }

    /// Writes the rows in the order of the queries.
    fn write(
        mut self,
        queries: Queries<'_>,
        vocabulary: Vocabulary,
        directory: &Path,
        spill: &Path,
    ) -> Result<Summary> {
        self.spill.flush()?;
        let mut offsets = BufWriter::new(created(&directory.join("offsets.npy"))?);
        write_header(&mut offsets, "<i8", queries.len() as u64 + 1)?;
        offsets.write_all(&0_i64.to_le_bytes())?;
        for query in 0..queries.len() {
            let length = self.lengths[self.index.leader(query)];
            if length == MISSING {
                return Err(Error::new(ErrorKind::MissingQuery { row: query, key: queries.key(query) }));
            }
            self.summary.negatives += u64::from(length);
            offsets.write_all(&self.summary.negatives.to_le_bytes())?;
        }
        finished(offsets)?;
        let mut rows = BufReader::with_capacity(1 << 16, File::open(spill)?);
        let mut destinations = BufWriter::with_capacity(1 << 16, created(&directory.join("destinations.npy"))?);
        write_header(&mut destinations, "<i4", self.summary.negatives)?;
        let (mut position, mut row) = (0_i64, Vec::new());
        for query in 0..queries.len() {
            let leader = self.index.leader(query);
            let (start, bytes) = (self.starts[leader] as i64 * 4, self.lengths[leader] as usize * 4);
            // Mostly zero: a relative seek keeps what is already buffered.
            rows.seek_relative(start - position)?;
            row.resize(bytes, 0);
            rows.read_exact(&mut row)?;
            position = start + bytes as i64;
            let positive = i32::try_from(queries.destinations[query].wrapping_sub(vocabulary.first));
            let positive = positive.unwrap_or(-1).to_le_bytes();
            self.summary.with_positive += u64::from(row.chunks_exact(4).any(|negative| negative == positive));
            destinations.write_all(&row)?;
        }
        finished(destinations)?;
        Ok(self.summary)
    }
}

impl Sink for Rows<'_> {
    fn entry(&mut self, key: [i64; 3], destinations: &[i64]) -> Result<()> {
        self.summary.entries += 1;
        let Vocabulary { first, size } = self.vocabulary;
        let Some(query) = self.index.find(key) else {
            self.summary.unused += 1;
            return Ok(());
        };
        for &id in destinations {
            let dense = id.checked_sub(first).filter(|dense| (0..i64::from(size)).contains(dense));
            let Some(dense) = dense.and_then(|dense| i32::try_from(dense).ok()) else {
                let last = first.saturating_add(i64::from(size) - 1);
                return Err(Error::new(ErrorKind::OutsideVocabulary { id, first, last, key }));
            };
            self.spill.write_all(&dense.to_le_bytes())?;
        }
        self.summary.repeated += u64::from(self.lengths[query] != MISSING);
        self.starts[query] = self.spilled;
        self.lengths[query] = destinations.len() as u32;
        self.spilled += destinations.len() as u64;
        Ok(())
    }

    fn go_on(&mut self, offset: u64) -> bool {
        (self.tick)(offset)
    }
}

fn created(path: &Path) -> Result<File> {
    File::create(path).map_err(|error| Error::new(ErrorKind::System(error)))
}

fn finished(file: BufWriter<File>) -> Result<()> {
    let file = file.into_inner().map_err(|error| Error::new(ErrorKind::System(error.into_error())))?;
    file.sync_all()?;
    Ok(())
}
