//! The number a table keeps in each cell: single or double precision, chosen once per model.

use crate::numeric::{EXP_TERMS, EXP_TERMS_SHORT, LN_TERMS, LN_TERMS_SHORT, exp_to, ln_1p_to};
use crate::table::Packed;

/// A stored count. Sums are formed in this type; everything read from it is double precision.
pub trait Cell: Packed + Send + Sync + 'static {
    /// Nothing counted.
    const ZERO: Self;
    /// Name of the setting's value.
    const NAME: &'static str;

    /// The count as a double.
    fn get(self) -> f64;

    /// Rounds to the cell's precision.
    fn of(value: f64) -> Self;

    /// Rounded sum.
    fn plus(self, other: Self) -> Self;

    /// `ln(1 + x)`, finer than the counts are.
    fn ln_1p(x: f64) -> f64;

    /// `e^x`, likewise.
    fn exp(x: f64) -> f64;
}

macro_rules! cell {
    ($float:ty, $name:literal, $ln:expr, $exp:expr) => {
        impl Cell for $float {
            const ZERO: Self = 0.0;
            const NAME: &'static str = $name;

            #[inline]
            fn get(self) -> f64 {
                self as f64
            }

            #[inline]
            fn of(value: f64) -> Self {
                value as Self
            }

            #[inline]
            fn plus(self, other: Self) -> Self {
                self + other
            }

            #[inline(always)]
            fn ln_1p(x: f64) -> f64 {
                ln_1p_to::<{ $ln }>(x)
            }

            #[inline(always)]
            fn exp(x: f64) -> f64 {
                exp_to::<{ $exp }>(x)
            }
        }
    };
}

cell!(f32, "float32", LN_TERMS_SHORT, EXP_TERMS_SHORT);
cell!(f64, "float64", LN_TERMS, EXP_TERMS);
