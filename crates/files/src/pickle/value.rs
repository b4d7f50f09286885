//! What the machine's stack holds.

use super::number::{Array, NumberType};
use crate::error::{Error, ErrorKind, Result, malformed, refused};
use crate::limits::Limits;
use std::cell::Cell;
use std::rc::Rc;

/// The only names a pickle may import; none of them is ever called, they say how to read what follows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Global {
    /// `numpy.core.multiarray._reconstruct`: an array whose content follows.
    Reconstruct,
    /// `numpy.core.multiarray.scalar`: one number.
    Scalar,
    /// `numpy.core.numeric._frombuffer`: an array in one piece.
    FromBuffer,
    /// `numpy.ndarray`, an argument of `_reconstruct`.
    NdArray,
    /// `numpy.dtype`: a type of numbers.
    DType,
    /// `_codecs.encode`: how protocol 2 writes byte strings.
    Encode,
}

impl Global {
    pub fn named(module: &str, name: &str) -> Result<Self> {
        Ok(match (module, name) {
            ("numpy.core.multiarray" | "numpy._core.multiarray", "_reconstruct") => Self::Reconstruct,
            ("numpy.core.multiarray" | "numpy._core.multiarray", "scalar") => Self::Scalar,
            ("numpy.core.numeric" | "numpy._core.numeric", "_frombuffer") => Self::FromBuffer,
            ("numpy", "ndarray") => Self::NdArray,
            ("numpy", "dtype") => Self::DType,
            ("_codecs", "encode") => Self::Encode,
            _ => {
                let cut = |text: &str| text.chars().take(80).collect::<String>().escape_debug().to_string();
                let what =
                    format!("it imports {}.{}; only NumPy's arrays and numbers are accepted", cut(module), cut(name));
                return Err(refused(what));
            }
        })
    }
}

/// A value; cloning one never copies its content.
#[derive(Clone, Debug)]
pub(super) enum Value {
    None,
    Bool,
    Int(i64),
    Float(f64),
    Text(Rc<str>),
    Bytes(Rc<[u8]>),
    Global(Global),
    /// Shared, because its byte order is set after it was first referred to.
    Type(Rc<Cell<NumberType>>),
    Array(Array),
    /// An array whose content has not come yet.
    Pending,
    Tuple(Rc<Tuple>),
    /// A list of numbers.
    List(Vec<Number>),
    /// The one dictionary; its entries are not kept.
    Dict,
}

/// A number as it was written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Number {
    Int(i64),
    Float(f64),
}

/// A tuple, with what it would cost to have all of it and how deep it goes.
#[derive(Debug)]
pub(super) struct Tuple {
    pub members: Box<[Value]>,
    cost: usize,
    depth: usize,
}

impl Value {
    /// A tuple of these, unless it is too long or too deep: a deep one could not even be dropped safely.
    pub fn tuple(members: Vec<Self>, limits: &Limits) -> Result<Self> {
        let limit = |what, limit: usize| Error::new(ErrorKind::Limit { what, limit: limit as u64 });
        if members.len() > limits.tuple {
            return Err(limit("a tuple has too many members", limits.tuple));
        }
        let (mut cost, mut depth) = (0_usize, 0);
        for member in &members {
            cost = cost.saturating_add(member.cost());
            depth = depth.max(if let Self::Tuple(inner) = member { inner.depth } else { 0 });
            if matches!(member, Self::Dict | Self::Pending) {
                return Err(refused("it holds a dictionary or an unfinished array inside a tuple"));
            }
        }
        if depth >= limits.depth {
            return Err(limit("tuples inside tuples go too deep", limits.depth));
        }
        Ok(Self::Tuple(Rc::new(Tuple { members: members.into(), cost, depth: depth + 1 })))
    }

    /// Bytes it holds, counted as if nothing were shared.
    pub fn cost(&self) -> usize {
        let own = std::mem::size_of::<Self>();
        own.saturating_add(match self {
            Self::Text(text) => text.len(),
            Self::Bytes(bytes) => bytes.len(),
            Self::Array(array) => array.bytes(),
            Self::Tuple(tuple) => tuple.cost,
            Self::List(numbers) => numbers.len().saturating_mul(std::mem::size_of::<Number>()),
            _ => 0,
        })
    }

    /// Numbers in it, if it is an array or a list of them.
    pub fn length(&self) -> usize {
        match self {
            Self::Array(array) => array.length(),
            Self::List(numbers) => numbers.len(),
            _ => 0,
        }
    }

    pub fn number(&self) -> Option<Number> {
        match self {
            Self::Int(value) => Some(Number::Int(*value)),
            Self::Float(value) => Some(Number::Float(*value)),
            _ => None,
        }
    }

    /// Source, destination and time, if it is an entry's key.
    pub fn key(&self) -> Result<[i64; 3]> {
        let wrong = || malformed("a key is not a tuple of three whole numbers (source, destination, time)");
        let Self::Tuple(tuple) = self else { return Err(wrong()) };
        let members: Option<Vec<i64>> = tuple.members.iter().map(|member| member.number()?.whole()).collect();
        members.and_then(|members| members.try_into().ok()).ok_or_else(wrong)
    }

    /// What a message calls it.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::None => "None",
            Self::Bool => "a boolean",
            Self::Int(_) => "an integer",
            Self::Float(_) => "a float",
            Self::Text(_) => "a text",
            Self::Bytes(_) => "a byte string",
            Self::Global(_) => "a name",
            Self::Type(_) => "a type of numbers",
            Self::Array(_) => "an array",
            Self::Pending => "an unfinished array",
            Self::Tuple(_) => "a tuple",
            Self::List(_) => "a list",
            Self::Dict => "a dictionary",
        }
    }
}

impl Number {
    /// The whole number it is, if it is one that 64 bits hold exactly.
    pub fn whole(self) -> Option<i64> {
        const EXACT: f64 = 9_007_199_254_740_992.0;
        match self {
            Self::Int(value) => Some(value),
            Self::Float(value) if value.fract() == 0.0 && value.abs() <= EXACT => Some(value as i64),
            Self::Float(_) => None,
        }
    }
}
