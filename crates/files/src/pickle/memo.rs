//! The memo: what a later instruction may refer to by number.
//!
//! A pickler numbers everything it writes, so a memo that kept everything would hold the whole file. What is really
//! referred to is little: names and types of numbers from anywhere, the first texts, and small values from close by.
//! Those are kept; arrays never are, and a reference to something dropped is an error.

use super::value::Value;
use crate::error::{Error, ErrorKind, Result, malformed};
use crate::limits::Limits;
use std::collections::HashMap;

const SMALL: usize = 256;

pub(super) struct Memo {
    /// Names, types, the first small values, and those that were referred to before.
    kept: HashMap<u64, Value>,
    /// The latest small values; number `id` lives in slot `id % recent.len()`.
    recent: Vec<Option<(u64, Value)>>,
    limit: usize,
    next: u64,
}

impl Memo {
    pub fn new(limits: &Limits) -> Self {
        let recent = limits.recent.max(1);
        Self { kept: HashMap::new(), recent: vec![None; recent], limit: limits.kept, next: 0 }
    }

    /// The number `MEMOIZE` gives.
    pub fn next(&self) -> u64 {
        self.next
    }

    pub fn put(&mut self, id: u64, value: &Value) -> Result<()> {
        self.next = self.next.max(id.saturating_add(1));
        self.kept.remove(&id);
        let slot = (id % self.recent.len() as u64) as usize;
        self.recent[slot] = None;
        match value {
            Value::Global(_) | Value::Type(_) => {
                if self.kept.len() >= self.limit {
                    let what = "too many names and types are referred to";
                    return Err(Error::new(ErrorKind::Limit { what, limit: self.limit as u64 }));
                }
                self.kept.insert(id, value.clone());
            }
            Value::Array(_) | Value::Pending | Value::List(_) | Value::Dict => {}
            _ if value.cost() > SMALL => {}
            _ => {
                // Half of the room is left for names, types and what turns out to be used.
                let early = self.kept.len() < self.limit / 2;
                if early && (id < self.limit as u64 / 2 || shared_by_python(value)) {
                    self.kept.insert(id, value.clone());
                } else {
                    self.recent[slot] = Some((id, value.clone()));
                }
            }
        }
        Ok(())
    }

    pub fn get(&mut self, id: u64) -> Result<Value> {
        if let Some(value) = self.kept.get(&id) {
            return Ok(value.clone());
        }
        let slot = (id % self.recent.len() as u64) as usize;
        match &self.recent[slot] {
            Some((found, value)) if *found == id => {
                if self.kept.len() < self.limit {
                    self.kept.insert(id, value.clone());
                }
                Ok(value.clone())
            }
            _ => Err(malformed(format!(
                "it refers to value {id}, which was never numbered or is an array or long past; \
                 files of negatives share only names, types and short texts"
            ))),
        }
    }
}

/// Python has one object for each of these, so a pickler may refer to it at any distance.
fn shared_by_python(value: &Value) -> bool {
    match value {
        Value::Text(text) => text.chars().nth(1).is_none(),
        Value::Bytes(bytes) => bytes.len() <= 1,
        Value::Tuple(tuple) => tuple.members.is_empty(),
        _ => false,
    }
}
