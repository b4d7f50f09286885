//! Vocabulary: external ids (integers or texts) to dense ones, in order of first appearance.

use crate::error::{Error, ErrorKind, Result};
use crate::id::MAX_IDS;
use foldhash::fast::RandomState;
use std::collections::HashMap;

/// One external id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Id<'a> {
    /// 0 or larger.
    Integer(i64),
    /// Any text.
    Text(&'a str),
}

impl std::fmt::Display for Id<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Integer(id) => write!(out, "{id}"),
            Self::Text(id) => write!(out, "{id:?}"),
        }
    }
}

/// What the ids of a vocabulary are. Undecided until the first one.
#[derive(Clone, Debug)]
enum Ids {
    Undecided,
    Integers { dense: Numbers, ids: Vec<i64> },
    Texts { dense: HashMap<Box<str>, u32, RandomState>, ids: Vec<Box<str>> },
}

/// No number.
const NONE: u32 = u32::MAX;
/// A direct table may have so many places, and so many more for every id.
const PLACES: (usize, usize) = (1024, 8);

/// Integer -> dense number: a direct table as far as the ids lie close together, which most do, and a hash table for the
/// others. The slow form is the hash table alone.
#[derive(Clone, Debug, Default)]
struct Numbers {
    /// By id; [`NONE`] where there is no such id. Ids below its length are here and nowhere else.
    direct: Vec<u32>,
    others: HashMap<i64, u32, RandomState>,
    count: usize,
}

impl Numbers {
    #[inline]
    fn get(&self, id: i64) -> Option<u32> {
        match usize::try_from(id).ok().and_then(|at| self.direct.get(at)) {
            Some(&dense) => (dense != NONE).then_some(dense),
            None => self.others.get(&id).copied(),
        }
    }

    /// The numbers of all `ids`, [`NONE`] for those unknown, if the direct table alone can tell.
    #[inline]
    fn close<'a>(&'a self, ids: &'a [i64]) -> Option<impl Iterator<Item = u32> + 'a> {
        // The table's length is a power of two: ids are below it unless one of them has a higher bit, as negative ones do.
        let bits = ids.iter().fold(0, |bits, &id| bits | id as u64);
        (bits < self.direct.len() as u64).then(|| ids.iter().map(|&id| self.direct[id as usize]))
    }

    /// Adds a new id.
    fn insert(&mut self, id: i64, dense: u32) {
        self.count += 1;
        let at = id as usize;
        if at >= self.direct.len() && at < PLACES.0 + PLACES.1 * self.count {
            let size = (at + 1).next_power_of_two();
            self.direct.resize(size, NONE);
            let direct = &mut self.direct;
            self.others.retain(|&id, dense| {
                let moves = (id as usize) < size;
                if moves {
                    direct[id as usize] = *dense;
                }
                !moves
            });
        }
        match self.direct.get_mut(at) {
            Some(place) => *place = dense,
            None => drop(self.others.insert(id, dense)),
        }
    }

    fn bytes(&self) -> usize {
        self.direct.capacity() * 4 + self.others.capacity() * 17
    }
}

/// External ids and their dense numbers. It grows with what is observed, or is fixed by a protocol.
#[derive(Clone, Debug)]
pub struct Vocabulary {
    ids: Ids,
    fixed: bool,
}

impl Default for Vocabulary {
    fn default() -> Self {
        Self::growing()
    }
}

impl Vocabulary {
    /// Empty, and growing.
    pub fn growing() -> Self {
        Self { ids: Ids::Undecided, fixed: false }
    }

    /// These ids and no others, numbered in the order given. An id given twice is refused.
    ///
    /// ```
    /// use linkgram_core::{Id, Vocabulary};
    /// let films = Vocabulary::fixed([Id::Text("Alien"), Id::Text("Brazil")])?;
    /// assert_eq!(films.find(Id::Text("Brazil"))?, Some(1));
    /// # Ok::<(), linkgram_core::Error>(())
    /// ```
    pub fn fixed<'a>(ids: impl IntoIterator<Item = Id<'a>>) -> Result<Self> {
        let mut vocabulary = Self::growing();
        for (row, id) in ids.into_iter().enumerate() {
            let before = vocabulary.len();
            vocabulary.check(id).and_then(|()| vocabulary.add(id)).map_err(|kind| Error::at(row, kind))?;
            if vocabulary.len() == before {
                return Err(Error::at(row, ErrorKind::RepeatedId { id: id.to_string() }));
            }
        }
        vocabulary.fixed = true;
        Ok(vocabulary)
    }

    /// Whether no id can be added.
    pub fn is_fixed(&self) -> bool {
        self.fixed
    }

    /// Makes it refuse new ids from now on.
    pub(crate) fn fix(&mut self) {
        self.fixed = true;
    }

    /// Number of ids.
    pub fn len(&self) -> usize {
        match &self.ids {
            Ids::Undecided => 0,
            Ids::Integers { ids, .. } => ids.len(),
            Ids::Texts { ids, .. } => ids.len(),
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The external id with a dense number.
    pub fn id(&self, dense: u32) -> Option<Id<'_>> {
        match &self.ids {
            Ids::Undecided => None,
            Ids::Integers { ids, .. } => ids.get(dense as usize).map(|&id| Id::Integer(id)),
            Ids::Texts { ids, .. } => ids.get(dense as usize).map(|id| Id::Text(id)),
        }
    }

    /// The dense number of an id, if known. Refuses ids of the wrong type and negative ones.
    pub fn find(&self, id: Id<'_>) -> Result<Option<u32>> {
        self.look(id).map_err(Error::new)
    }

    pub(crate) fn look(&self, id: Id<'_>) -> std::result::Result<Option<u32>, ErrorKind> {
        match (&self.ids, id) {
            (_, Id::Integer(id)) if id < 0 => Err(ErrorKind::NegativeId { id }),
            (Ids::Undecided, _) => Ok(None),
            (Ids::Integers { dense, .. }, Id::Integer(id)) => Ok(dense.get(id)),
            (Ids::Texts { dense, .. }, Id::Text(id)) => Ok(dense.get(id).copied()),
            (Ids::Integers { .. }, Id::Text(_)) => Err(ErrorKind::IdType { found: "a text", expected: "integer" }),
            (Ids::Texts { .. }, Id::Integer(_)) => Err(ErrorKind::IdType { found: "an integer", expected: "text" }),
        }
    }

    /// The dense numbers of many integers, `u32::MAX` for those unknown, if a table can tell without asking for each
    /// alone. The slow form is [`look`](Self::look) for every id.
    pub(crate) fn close<'a>(&'a self, ids: &'a [i64]) -> Option<impl Iterator<Item = u32> + 'a> {
        match &self.ids {
            Ids::Integers { dense, .. } => dense.close(ids),
            _ => None,
        }
    }

    /// Whether `id` could be observed: known, or of the right type in a vocabulary that grows.
    pub(crate) fn check(&self, id: Id<'_>) -> std::result::Result<(), ErrorKind> {
        match self.look(id)? {
            None if self.fixed => Err(ErrorKind::OutsideVocabulary { id: id.to_string(), size: self.len() }),
            None if self.len() >= MAX_IDS => Err(ErrorKind::TooLarge { what: "ids" }),
            _ => Ok(()),
        }
    }

    /// The dense number of an id that [`check`](Self::check) accepted, added if it is new.
    pub(crate) fn add(&mut self, id: Id<'_>) -> std::result::Result<u32, ErrorKind> {
        if let Some(dense) = self.look(id)? {
            return Ok(dense);
        }
        let next = self.len() as u32;
        if let Ids::Undecided = self.ids {
            self.ids = match id {
                Id::Integer(_) => Ids::Integers { dense: Numbers::default(), ids: Vec::new() },
                Id::Text(_) => Ids::Texts { dense: HashMap::default(), ids: Vec::new() },
            };
        }
        match (&mut self.ids, id) {
            (Ids::Integers { dense, ids }, Id::Integer(id)) => {
                dense.insert(id, next);
                ids.push(id);
            }
            (Ids::Texts { dense, ids }, Id::Text(id)) => {
                dense.insert(id.into(), next);
                ids.push(id.into());
            }
            _ => unreachable!("look() refused the wrong type"),
        }
        Ok(next)
    }

    /// Bytes held, roughly: hash tables are counted by their entries.
    pub fn bytes(&self) -> usize {
        match &self.ids {
            Ids::Undecided => 0,
            Ids::Integers { dense, ids } => dense.bytes() + ids.capacity() * 8,
            Ids::Texts { dense, ids } => {
                let texts: usize = ids.iter().map(|id| 2 * id.len()).sum();
                texts + dense.capacity() * 25 + ids.capacity() * 16
            }
        }
    }
}

/// A table of external ids, as a stream brings it: position = the stream's own number.
#[derive(Clone, Copy, Debug)]
pub enum IdTable<'a> {
    /// Integers.
    Integers(&'a [i64]),
    /// Texts.
    Texts(&'a [&'a str]),
}

impl<'a> IdTable<'a> {
    /// Number of ids.
    pub fn len(&self) -> usize {
        match self {
            Self::Integers(ids) => ids.len(),
            Self::Texts(ids) => ids.len(),
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Id number `at`.
    pub fn get(&self, at: usize) -> Id<'a> {
        match self {
            Self::Integers(ids) => Id::Integer(ids[at]),
            Self::Texts(ids) => Id::Text(ids[at]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Id, Vocabulary};
    use std::collections::HashMap;

    #[test]
    fn close_ids_and_far_ones_are_found_as_in_a_map() {
        let (mut vocabulary, mut slow) = (Vocabulary::growing(), HashMap::new());
        for step in 0..20_000i64 {
            // Dense runs, sparse ones that a direct table reaches later, and the largest there are.
            let id = match step % 4 {
                0 => step,
                1 => 90_000 - step,
                2 => step * step * 1_000_003,
                _ => i64::MAX - step / 8,
            };
            let next = slow.len() as u32;
            let dense = *slow.entry(id).or_insert(next);
            assert_eq!(vocabulary.add(Id::Integer(id)).unwrap(), dense);
        }
        for (&id, &dense) in &slow {
            assert_eq!(vocabulary.find(Id::Integer(id)).unwrap(), Some(dense));
            let other = id ^ 0x2a5a_0f0f;
            assert_eq!(vocabulary.find(Id::Integer(other)).unwrap(), slow.get(&other).copied());
        }
        assert_eq!(vocabulary.len(), slow.len());
        for start in -3..100_000 {
            let ids = [start, start + 1, start / 2];
            let look = |&id| vocabulary.look(Id::Integer(id));
            match vocabulary.close(&ids) {
                Some(dense) => {
                    assert!(dense.eq(ids.iter().map(|id| look(id).unwrap().unwrap_or(u32::MAX))), "{start}");
                }
                None => assert!(ids.iter().any(|id| look(id).is_err() || *id >= 65_536), "{start}"),
            }
        }
        assert!(vocabulary.close(&[0, i64::MAX]).is_none() && vocabulary.close(&[i64::MIN]).is_none());
    }
}
