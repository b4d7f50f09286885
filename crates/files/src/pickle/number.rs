//! How NumPy writes types of numbers, numbers and arrays: what its functions would be called with, read as data.

use super::value::{Global, Number, Value};
use crate::error::{Result, malformed, refused};
use std::cell::Cell;
use std::rc::Rc;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Signed,
    Unsigned,
    Float,
}

/// The type of an array's numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct NumberType {
    kind: Kind,
    size: usize,
    big_endian: bool,
}

/// An array of one dimension.
#[derive(Clone, Debug)]
pub(super) struct Array {
    kind: NumberType,
    data: Rc<[u8]>,
}

impl NumberType {
    fn named(code: &str) -> Result<Self> {
        let (kind, size) = match code {
            "i1" | "i2" | "i4" | "i8" => (Kind::Signed, &code[1..]),
            "u1" | "u2" | "u4" | "u8" => (Kind::Unsigned, &code[1..]),
            "f4" | "f8" => (Kind::Float, &code[1..]),
            _ => {
                let code: String = code.chars().take(40).collect();
                return Err(refused(format!("it holds numbers of type {code:?}; integers and floats are accepted")));
            }
        };
        Ok(Self { kind, size: usize::from(size.as_bytes()[0] - b'0'), big_endian: false })
    }

    /// The number in exactly `size` bytes.
    fn read(self, bytes: &[u8]) -> Result<Number> {
        let mut word = [0; 8];
        word[..self.size].copy_from_slice(&bytes[..self.size]);
        if self.big_endian {
            word[..self.size].reverse();
        }
        let unsigned = u64::from_le_bytes(word);
        let unused = 64 - 8 * self.size as u32;
        Ok(match self.kind {
            Kind::Signed => Number::Int((unsigned << unused) as i64 >> unused),
            Kind::Unsigned => Number::Int(
                i64::try_from(unsigned).map_err(|_| malformed(format!("the number {unsigned} is too large")))?,
            ),
            Kind::Float if self.size == 4 => Number::Float(f32::from_bits(unsigned as u32).into()),
            Kind::Float => Number::Float(f64::from_bits(unsigned)),
        })
    }
}

impl Array {
    fn new(kind: NumberType, shape: &Value, data: &Value) -> Result<Self> {
        let (Value::Tuple(shape), Value::Bytes(data)) = (shape, data) else {
            return Err(malformed("an array without shape or content"));
        };
        let [Value::Int(length)] = shape.members[..] else {
            return Err(malformed("an array that has not one dimension"));
        };
        let bytes = usize::try_from(length).ok().and_then(|length| length.checked_mul(kind.size));
        if bytes != Some(data.len()) {
            return Err(malformed(format!(
                "an array of {length} numbers of {} bytes in {} bytes",
                kind.size,
                data.len()
            )));
        }
        Ok(Self { kind, data: Rc::clone(data) })
    }

    pub fn bytes(&self) -> usize {
        self.data.len()
    }

    pub fn length(&self) -> usize {
        self.data.len() / self.kind.size
    }

    /// Its numbers, which must be whole, appended to `into`.
    pub fn whole(&self, into: &mut Vec<i64>) -> Result<()> {
        for bytes in self.data.chunks_exact(self.kind.size) {
            let number = self.kind.read(bytes)?;
            into.push(
                number.whole().ok_or_else(|| malformed(format!("the destination {number:?} is not a whole number")))?,
            );
        }
        Ok(())
    }
}

/// What a call of `callable` with `arguments` would give. Nothing is called.
pub(super) fn reduce(callable: &Value, arguments: &Value) -> Result<Value> {
    let (Value::Global(callable), Value::Tuple(arguments)) = (callable, arguments) else {
        let kinds = format!("it calls {} with {}", callable.kind(), arguments.kind());
        return Err(refused(format!("{kinds}; nothing is called here")));
    };
    match (callable, &arguments.members[..]) {
        (Global::Reconstruct, [Value::Global(Global::NdArray), Value::Tuple(_), Value::Bytes(code)])
            if **code == *b"b" =>
        {
            Ok(Value::Pending)
        }
        (Global::Scalar, [Value::Type(kind), Value::Bytes(bytes)]) if bytes.len() == kind.get().size => {
            Ok(match kind.get().read(bytes)? {
                Number::Int(value) => Value::Int(value),
                Number::Float(value) => Value::Float(value),
            })
        }
        (Global::FromBuffer, [data, Value::Type(kind), shape, Value::Text(order)]) if matches!(&**order, "C" | "F") => {
            Array::new(kind.get(), shape, data).map(Value::Array)
        }
        (Global::DType, [Value::Text(code), Value::Bool | Value::Int(_), Value::Bool | Value::Int(_)]) => {
            Ok(Value::Type(Rc::new(Cell::new(NumberType::named(code)?))))
        }
        (Global::Encode, [Value::Text(text), Value::Text(encoding)]) if **encoding == *"latin1" => {
            let bytes = text.chars().map(|c| u8::try_from(u32::from(c))).collect::<std::result::Result<Vec<_>, _>>();
            bytes
                .map(|bytes| Value::Bytes(bytes.into()))
                .map_err(|_| malformed("a byte string with a character above 255"))
        }
        (callable, members) => {
            let kinds: Vec<_> = members.iter().map(Value::kind).collect();
            Err(malformed(format!("{callable:?} does not go with ({})", kinds.join(", "))))
        }
    }
}

/// Completes a type or an array with its state.
pub(super) fn build(target: Value, state: &Value) -> Result<Value> {
    let Value::Tuple(state) = state else {
        return Err(refused(format!("it sets the state of {} to {}", target.kind(), state.kind())));
    };
    match (target, &state.members[..]) {
        (Value::Pending, [Value::Int(_), shape, Value::Type(kind), Value::Bool, data]) => {
            Array::new(kind.get(), shape, data).map(Value::Array)
        }
        (Value::Type(kind), [Value::Int(_), Value::Text(order), Value::None, Value::None, Value::None, rest @ ..])
            if rest.iter().all(|value| matches!(value, Value::Int(-1 | 0))) =>
        {
            let big_endian = match &**order {
                "<" | "|" | "=" => false,
                ">" => true,
                _ => return Err(malformed("a type of numbers with an unknown byte order")),
            };
            kind.set(NumberType { big_endian, ..kind.get() });
            Ok(Value::Type(kind))
        }
        (Value::Type(_), _) => Err(refused("it holds a type with fields; integers and floats are accepted")),
        (target, _) => Err(refused(format!("it sets the state of {}", target.kind()))),
    }
}
