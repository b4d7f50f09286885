//! The loops over candidates that take logarithms and exponentials, each compiled for wide vectors too.

use crate::cell::Cell;
use crate::machine::{Kernel, Machine};
use std::marker::PhantomData;

/// `ln(1 + c/alpha)` of every count c, which is stored as a multiple of `fade`.
pub(crate) struct BaseLogs<'a, C> {
    pub(crate) counts: &'a [f64],
    pub(crate) fade: f64,
    pub(crate) per_alpha: f64,
    pub(crate) logs: &'a mut [f64],
    pub(crate) cell: PhantomData<C>,
}

impl<C: Cell> Kernel for BaseLogs<'_, C> {
    type Output = ();

    #[inline(always)]
    fn run(self, _: impl Machine) {
        for (log, count) in self.logs.iter_mut().zip(self.counts) {
            *log = C::ln_1p(count * self.fade * self.per_alpha);
        }
    }
}

/// `ln(1 + c/(alpha B))` of every meeting, with `alpha B = alpha (base + alpha) / whole`.
pub(crate) struct LiftLogs<'a, C> {
    pub(crate) counts: &'a [f64],
    pub(crate) bases: &'a [f64],
    pub(crate) alpha: f64,
    pub(crate) whole_per_alpha: f64,
    pub(crate) logs: &'a mut [f64],
    pub(crate) cell: PhantomData<C>,
}

impl<C: Cell> Kernel for LiftLogs<'_, C> {
    type Output = ();

    #[inline(always)]
    fn run(self, _: impl Machine) {
        for (log, (count, base)) in self.logs.iter_mut().zip(self.counts.iter().zip(self.bases)) {
            *log = C::ln_1p(count * (self.whole_per_alpha / (base + self.alpha)));
        }
    }
}

/// `exp((t_last - now) / scale)`.
pub(crate) struct Recencies<'a, C> {
    pub(crate) last: &'a [f64],
    pub(crate) now: f64,
    pub(crate) rate: f64,
    pub(crate) values: &'a mut [f64],
    pub(crate) cell: PhantomData<C>,
}

impl<C: Cell> Kernel for Recencies<'_, C> {
    type Output = ();

    #[inline(always)]
    fn run(self, _: impl Machine) {
        for (value, last) in self.values.iter_mut().zip(self.last) {
            *value = C::exp((last - self.now) * self.rate);
        }
    }
}
