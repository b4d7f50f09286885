//! The machine's stack, with its groups and with bounds on how much it holds.

use super::value::Value;
use crate::error::{Error, ErrorKind, Result, malformed};
use crate::limits::Limits;

pub(super) struct Stack<'a> {
    values: Vec<Value>,
    /// Where the open groups begin, innermost last.
    marks: Vec<usize>,
    /// Bytes held by all values.
    held: usize,
    limits: &'a Limits,
}

impl<'a> Stack<'a> {
    pub fn new(limits: &'a Limits) -> Self {
        Self { values: Vec::new(), marks: Vec::new(), held: 0, limits }
    }

    /// Whether nothing but this one value is left.
    pub fn is_only(&self, accepted: impl Fn(&Value) -> bool) -> bool {
        self.marks.is_empty() && matches!(&self.values[..], [value] if accepted(value))
    }

    pub fn push(&mut self, value: Value) -> Result<()> {
        self.check(self.values.len(), "too many values wait for their dictionary")?;
        self.held = self.held.saturating_add(value.cost());
        if self.held > self.limits.held {
            let (what, limit) = ("too many bytes wait for their dictionary", self.limits.held as u64);
            return Err(Error::new(ErrorKind::Limit { what, limit }));
        }
        self.values.push(value);
        Ok(())
    }

    pub fn push_tuple(&mut self, members: Vec<Value>) -> Result<()> {
        self.push(Value::tuple(members, self.limits)?)
    }

    /// The top value of the innermost group.
    pub fn top(&self) -> Result<&Value> {
        let start = self.above_mark(1)?;
        Ok(&self.values[start])
    }

    pub fn pop(&mut self) -> Result<Value> {
        self.above_mark(1)?;
        let value = self.values.pop().ok_or_else(|| malformed("it takes a value that is not there"))?;
        self.held = self.held.saturating_sub(value.cost());
        Ok(value)
    }

    /// The top `count` values, lowest first.
    pub fn pop_many(&mut self, count: usize) -> Result<Vec<Value>> {
        let start = self.above_mark(count)?;
        Ok(self.pop_from(start))
    }

    pub fn mark(&mut self) -> Result<()> {
        self.check(self.marks.len(), "too many open groups")?;
        self.marks.push(self.values.len());
        Ok(())
    }

    /// Closes the innermost group and takes its values.
    pub fn pop_group(&mut self) -> Result<Vec<Value>> {
        let start = self.marks.pop().ok_or_else(|| malformed("it closes a group that was not opened"))?;
        Ok(self.pop_from(start))
    }

    fn pop_from(&mut self, start: usize) -> Vec<Value> {
        let values = self.values.split_off(start);
        self.held = values.iter().fold(self.held, |held, value| held.saturating_sub(value.cost()));
        values
    }

    /// Where the top `count` values begin, all of them inside the innermost group.
    fn above_mark(&self, count: usize) -> Result<usize> {
        let floor = self.marks.last().copied().unwrap_or(0);
        let start = self.values.len().checked_sub(count).filter(|&start| start >= floor);
        start.ok_or_else(|| malformed("it takes a value that is not there"))
    }

    fn check(&self, count: usize, what: &'static str) -> Result<()> {
        let limit = self.limits.stack;
        if count < limit { Ok(()) } else { Err(Error::new(ErrorKind::Limit { what, limit: limit as u64 })) }
    }
}
