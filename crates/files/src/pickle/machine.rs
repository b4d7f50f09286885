//! The loop: one instruction, one change of the stack.

use super::Sink;
use super::memo::Memo;
use super::number::{build, reduce};
use super::stack::Stack;
use super::value::{Global, Value};
use crate::error::{Error, ErrorKind, Result, malformed, refused};
use crate::limits::Limits;
use crate::source::Source;
use std::io::Read;

const LONGEST_NAME: usize = 256;
const BETWEEN_QUESTIONS: u64 = 1 << 20;

pub(super) struct Machine<'a, R, S> {
    source: Source<R>,
    limits: &'a Limits,
    sink: &'a mut S,
    stack: Stack<'a>,
    memo: Memo,
    entries: u64,
    /// Where the latest entry was complete.
    latest: u64,
    /// Where the sink is next asked whether to go on.
    question: u64,
    seen_dictionary: bool,
    row: Vec<i64>,
}

impl<'a, R: Read, S: Sink> Machine<'a, R, S> {
    pub fn new(source: Source<R>, limits: &'a Limits, sink: &'a mut S) -> Self {
        Self {
            source,
            limits,
            sink,
            stack: Stack::new(limits),
            memo: Memo::new(limits),
            entries: 0,
            latest: 0,
            question: BETWEEN_QUESTIONS,
            seen_dictionary: false,
            row: Vec::new(),
        }
    }

    pub fn offset(&self) -> u64 {
        self.source.offset()
    }

    /// Runs one instruction; false after the last.
    pub fn step(&mut self) -> Result<bool> {
        let start = self.offset();
        self.still_wanted(start)?;
        let instruction = self.source.byte()?;
        if start == 0 && instruction != 0x80 {
            return Err(malformed("the file is not a pickle of protocol 2 to 5"));
        }
        match instruction {
            0x80 => match self.source.byte()? {
                2..=5 if start == 0 => {}
                found => {
                    return Err(refused(format!("a pickle of protocol {found} begins; 2 to 5 are accepted, once")));
                }
            },
            0x95 => drop(self.source.array::<8>()?), // a frame's length helps only those who read ahead
            b'.' => return self.stop(),
            b'(' => self.stack.mark()?,
            b'0' => drop(self.stack.pop()?),
            b'1' => drop(self.stack.pop_group()?),
            b'N' => self.stack.push(Value::None)?,
            0x88 | 0x89 => self.stack.push(Value::Bool)?,
            b'K' | b'M' | b'J' | 0x8a | 0x8b => self.integer(instruction)?,
            b'G' => {
                let value = f64::from_be_bytes(self.source.array()?);
                self.stack.push(Value::Float(value))?;
            }
            b'X' | 0x8c | 0x8d => self.text(instruction)?,
            b'B' | b'C' | 0x8e | 0x96 => {
                let bytes = self.sized(instruction)?;
                self.stack.push(Value::Bytes(bytes.into()))?;
            }
            b')' => self.stack.push_tuple(Vec::new())?,
            b't' => {
                let members = self.stack.pop_group()?;
                self.stack.push_tuple(members)?;
            }
            0x85..=0x87 => {
                let count = usize::from(instruction - 0x84);
                let members = self.stack.pop_many(count)?;
                self.stack.push_tuple(members)?;
            }
            b']' => self.stack.push(Value::List(Vec::new()))?,
            b'a' => {
                let items = self.stack.pop_many(1)?;
                self.append(&items)?;
            }
            b'e' => {
                let items = self.stack.pop_group()?;
                self.append(&items)?;
            }
            b'}' => {
                if std::mem::replace(&mut self.seen_dictionary, true) {
                    return Err(refused("it holds more than one dictionary"));
                }
                self.stack.push(Value::Dict)?;
            }
            b's' => {
                let items = self.stack.pop_many(2)?;
                self.set_items(&items)?;
            }
            b'u' => {
                let items = self.stack.pop_group()?;
                self.set_items(&items)?;
            }
            b'c' => {
                let (module, name) = (self.source.line(LONGEST_NAME)?, self.source.line(LONGEST_NAME)?);
                self.stack.push(Value::Global(Global::named(&module, &name)?))?;
            }
            0x93 => {
                let (Value::Text(name), Value::Text(module)) = (self.stack.pop()?, self.stack.pop()?) else {
                    return Err(malformed("a name that is not text"));
                };
                self.stack.push(Value::Global(Global::named(&module, &name)?))?;
            }
            b'R' => {
                let (arguments, callable) = (self.stack.pop()?, self.stack.pop()?);
                self.stack.push(reduce(&callable, &arguments)?)?;
            }
            b'b' => {
                let (state, target) = (self.stack.pop()?, self.stack.pop()?);
                self.stack.push(build(target, &state)?)?;
            }
            0x94 => self.number_top(self.memo.next())?,
            b'q' => {
                let id = self.source.byte()?;
                self.number_top(id.into())?;
            }
            b'r' => {
                let id = u32::from_le_bytes(self.source.array()?);
                self.number_top(id.into())?;
            }
            b'h' => {
                let id = self.source.byte()?;
                self.refer(id.into())?;
            }
            b'j' => {
                let id = u32::from_le_bytes(self.source.array()?);
                self.refer(id.into())?;
            }
            0x81 | 0x92 | b'o' | b'i' => return Err(refused("it makes objects of a class; only data are read")),
            0x82..=0x84 | b'P' | b'Q' => return Err(refused("it refers to objects outside the file")),
            other => return Err(refused(format!("it holds the instruction {other:#04x}, which is not accepted"))),
        }
        Ok(true)
    }

    fn still_wanted(&mut self, offset: u64) -> Result<()> {
        if offset >= self.question {
            self.question = offset + BETWEEN_QUESTIONS;
            if !self.sink.go_on(offset) {
                return Err(Error::new(ErrorKind::Stopped));
            }
            if offset - self.latest > self.limits.idle {
                let what = "too many bytes come without an entry";
                return Err(Error::new(ErrorKind::Limit { what, limit: self.limits.idle }));
            }
        }
        Ok(())
    }

    fn integer(&mut self, instruction: u8) -> Result<()> {
        let length = match instruction {
            b'K' => return self.push_integer(1, false),
            b'M' => return self.push_integer(2, false),
            b'J' => return self.push_integer(4, true),
            0x8a => u32::from(self.source.byte()?),
            _ => u32::from_le_bytes(self.source.array()?),
        };
        if length > 8 {
            return Err(malformed(format!("an integer of {length} bytes; at most 8 are accepted")));
        }
        self.push_integer(length as usize, true)
    }

    fn push_integer(&mut self, length: usize, signed: bool) -> Result<()> {
        let bytes = self.source.bytes(length as u64, 8)?;
        let mut word = [if signed && bytes.last().is_some_and(|&last| last >= 0x80) { 0xff } else { 0 }; 8];
        word[..length].copy_from_slice(&bytes);
        self.stack.push(Value::Int(i64::from_le_bytes(word)))
    }

    /// The bytes after a length of 1, 4 or 8 bytes.
    fn sized(&mut self, instruction: u8) -> Result<Vec<u8>> {
        let length = match instruction {
            b'C' | 0x8c => self.source.byte()?.into(),
            b'B' | b'X' => u32::from_le_bytes(self.source.array()?).into(),
            _ => u64::from_le_bytes(self.source.array()?),
        };
        self.source.bytes(length, self.limits.one)
    }

    fn text(&mut self, instruction: u8) -> Result<()> {
        let bytes = self.sized(instruction)?;
        let text = String::from_utf8(bytes).map_err(|_| malformed("a text that is not UTF-8"))?;
        self.stack.push(Value::Text(text.into()))
    }

    fn number_top(&mut self, id: u64) -> Result<()> {
        self.memo.put(id, self.stack.top()?)
    }

    fn refer(&mut self, id: u64) -> Result<()> {
        let value = self.memo.get(id)?;
        self.stack.push(value)
    }

    fn append(&mut self, items: &[Value]) -> Result<()> {
        let Value::List(mut list) = self.stack.pop()? else {
            return Err(malformed("it appends to something that is not a list"));
        };
        for item in items {
            let number = item
                .number()
                .ok_or_else(|| malformed(format!("a list holds {}; numbers are accepted", item.kind())))?;
            list.push(number);
        }
        self.stack.push(Value::List(list))
    }

    fn set_items(&mut self, items: &[Value]) -> Result<()> {
        if !matches!(self.stack.top()?, Value::Dict) || items.len() % 2 == 1 {
            return Err(malformed("it sets items of something that is not the dictionary"));
        }
        for pair in items.chunks_exact(2) {
            self.entries += 1;
            if self.entries > self.limits.entries {
                let limit = self.limits.entries;
                return Err(Error::new(ErrorKind::Limit { what: "the dictionary has too many entries", limit }));
            }
            let key = pair[0].key()?;
            self.row.clear();
            // A byte of the file may become eight here, so the length is looked at first.
            let (length, limit) = (pair[1].length(), self.limits.row);
            if length > limit {
                return Err(malformed(format!("an entry holds {length} destinations; there are {limit} in all")));
            }
            match &pair[1] {
                Value::Array(array) => array.whole(&mut self.row)?,
                Value::List(numbers) => {
                    for number in numbers {
                        let whole = number.whole();
                        self.row
                            .push(whole.ok_or_else(|| malformed(format!("the destination {number:?} is not whole")))?);
                    }
                }
                other => return Err(malformed(format!("an entry's value is {}; an array is expected", other.kind()))),
            }
            self.sink.entry(key, &self.row)?;
        }
        self.latest = self.offset();
        Ok(())
    }

    fn stop(&mut self) -> Result<bool> {
        if !self.stack.is_only(|value| matches!(value, Value::Dict)) {
            return Err(malformed("the pickle does not hold a dictionary of negatives, or ends too early"));
        }
        self.source.end()?;
        Ok(false)
    }
}
