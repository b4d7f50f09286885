//! Exponential decay without touching what decays.
//!
//! A decayed count at time t is the sum of `exp(-(t - t_i)/tau)` over its events. Stored is the same sum seen from a
//! fixed *landmark* in the past, `sum exp((t_i - landmark)/tau)`: adding an event needs one weight for all tables, and
//! reading multiplies by one factor, `exp(-(t - landmark)/tau)`. The stored sums grow with time, so every
//! `58 ln(2) tau` a new landmark opens a new *epoch*. Whoever stores sums keeps the epoch beside them and moves them
//! forward when next writing to them; nothing is ever swept.
//!
//! From one landmark to the next a sum is halved [`STEP`] times, exactly: moving it rounds nothing, and moving it over
//! two epochs at once or one after the other gives the same bits.

use crate::numeric::exp;

/// How often a sum is halved from one landmark to the next: about `e^40` or 3e17 in all, which is far inside single
/// precision and leaves room for 1e20 events.
const STEP: u32 = 58;

/// `58 ln(2)`, the time constants between two landmarks, in two parts; the first has few bits.
const REACH: (f64, f64) = (40.202_535_629_272_46, 8.432_043_670_086_994e-7);

/// After so many epochs a sum of any size has been halved beyond the smallest number.
const FORGOTTEN: Epoch = 36;

/// Number of a landmark; sums of different epochs must not be added without being [halved](halvings).
pub type Epoch = u32;

/// How often a sum of one epoch is halved to belong to a later one.
#[inline(always)]
pub fn halvings(from: Epoch, to: Epoch) -> u32 {
    to.saturating_sub(from).min(FORGOTTEN) * STEP
}

/// The current landmark and the time constant tau (infinite: nothing decays).
#[derive(Clone, Debug)]
pub struct Decay {
    /// 1/tau.
    rate: f64,
    /// Time between two landmarks, as a sum of two numbers, of which the first can be multiplied exactly.
    length: (f64, f64),
    epoch: Epoch,
    /// The current landmark, as a sum of two numbers.
    landmark: Option<(f64, f64)>,
    /// The last time weighed and its weight: events of one time are many.
    weighed: (f64, f64),
}

/// What stored sums are multiplied by to be read at one time.
#[derive(Clone, Copy, Debug)]
pub struct Fades {
    epoch: Epoch,
    /// For sums of the current epoch.
    pub now: f64,
}

impl Fades {
    /// For sums of `epoch`.
    #[inline(always)]
    pub fn of(&self, epoch: Epoch) -> f64 {
        // Two to the power of minus the halvings; zero where that is no normal number.
        let power = f64::from_bits(u64::from(1023u32.saturating_sub(halvings(epoch, self.epoch))) << 52);
        self.now * power
    }

    /// Whether no sum can belong to another epoch than the current.
    #[inline(always)]
    pub fn is_one(&self) -> bool {
        self.epoch == 0
    }
}

impl Decay {
    /// Decay with time constant `tau` > 0, in the unit of the stream's times.
    pub fn new(tau: f64) -> Self {
        // 20 bits of tau, so that a few of them times the first part of the reach is exact.
        let whole = f64::from_bits(tau.to_bits() & !0 << 33);
        let length = (whole * REACH.0, (tau - whole) * REACH.0 + tau * REACH.1);
        Self { rate: 1.0 / tau, length, epoch: 0, landmark: None, weighed: (f64::NAN, 0.0) }
    }

    /// Goes on from the landmark of an event at `time`, and its epoch (reading a saved state). Says whether they can
    /// belong to each other.
    pub(crate) fn resume(&mut self, landmark: (f64, f64), epoch: Epoch, time: f64) -> bool {
        (self.landmark, self.epoch, self.weighed.0) = (Some(landmark), epoch, f64::NAN);
        // The reach and what rounding may add on either side.
        (-1.0..=42.0).contains(&(self.since(time) * self.rate))
    }

    /// The current landmark, if there was an event.
    pub(crate) fn landmark(&self) -> Option<(f64, f64)> {
        self.landmark
    }

    /// Forgets the landmark.
    #[cfg(feature = "bench")]
    pub fn clear(&mut self) {
        (self.landmark, self.epoch, self.weighed.0) = (None, 0, f64::NAN);
    }

    /// Whether there are numbers left for epochs to come.
    pub fn has_room(&self) -> bool {
        self.epoch < u32::MAX / 2
    }

    /// Time since the landmark.
    #[inline(always)]
    fn since(&self, time: f64) -> f64 {
        self.landmark.map_or(0.0, |(landmark, rest)| (time - landmark) - rest)
    }

    /// Moves to `time` and returns the epoch in which events of that time are stored, and what one event adds to a sum
    /// of it.
    #[inline]
    pub fn advance(&mut self, time: f64) -> (Epoch, f64) {
        if time != self.weighed.0 {
            if self.landmark.is_none() || self.since(time) > self.length.0 {
                self.open(time);
            }
            self.weighed = (time, exp(self.since(time) * self.rate));
        }
        (self.epoch, self.weighed.1)
    }

    /// Opens the epoch of `time`: the landmark moves by whole steps, or to `time` itself where nothing can be remembered.
    #[cold]
    fn open(&mut self, time: f64) {
        let steps = (self.since(time) / self.length.0).floor();
        match self.landmark {
            Some((landmark, rest)) if steps < f64::from(FORGOTTEN) => {
                let (sum, rounded) = sum_of(landmark, steps * self.length.0);
                self.landmark = Some(sum_of(sum, rounded + (rest + steps * self.length.1)));
                self.epoch += steps as Epoch;
            }
            Some(_) => (self.landmark, self.epoch) = (Some((time, 0.0)), self.epoch + FORGOTTEN),
            None => self.landmark = Some((time, 0.0)),
        }
    }

    /// The current epoch.
    #[inline]
    pub fn epoch(&self) -> Epoch {
        self.epoch
    }

    /// What a stored sum of `epoch` is multiplied by to be read at `time`, which is not before the current landmark.
    #[inline]
    pub fn fade(&self, epoch: Epoch, time: f64) -> f64 {
        self.fades(time).of(epoch)
    }

    /// The fades at `time`.
    #[inline]
    pub fn fades(&self, time: f64) -> Fades {
        Fades { epoch: self.epoch, now: exp(-self.since(time) * self.rate) }
    }
}

/// The sum of two numbers, rounded, and what it was rounded by, exactly.
fn sum_of(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let added = sum - a;
    (sum, (a - (sum - added)) + (b - added))
}

#[cfg(test)]
mod tests {
    use super::{Decay, FORGOTTEN, REACH, halvings};
    use crate::table::Packed;

    #[test]
    fn lazy_sums_equal_sums_over_the_events() {
        for tau in [0.05, 0.5, 3.0, 1e4, f64::INFINITY] {
            let mut decay = Decay::new(tau);
            let (mut sum, mut of) = (0f64, 0);
            let times: Vec<f64> = (0..200).map(|i| f64::from(i * i) * 0.37).collect();
            for (i, &time) in times.iter().enumerate() {
                let (epoch, weight) = decay.advance(time);
                sum = sum.faded(halvings(of, epoch)) + weight;
                of = epoch;
                let later = time + 1.5;
                let expected: f64 = times[..=i].iter().map(|t| (-(later - t) / tau).exp()).sum();
                let found = sum * decay.fade(of, later);
                assert!((found - expected).abs() <= 1e-12 * expected + 1e-290, "{tau} {i}: {found} {expected}");
            }
        }
    }

    #[test]
    fn landmarks_stay_where_they_belong_over_millions_of_epochs() {
        let tau = 0.3;
        let mut decay = Decay::new(tau);
        for step in 0..4_000_000 {
            // In times that are exact; 11.9 is a bit less than one epoch.
            decay.advance(1e6 + f64::from(step) * 11.875);
        }
        let (landmark, rest) = decay.landmark().unwrap();
        // 1e6 + epoch * 58 ln(2) 3/10 in integers: the first 30 digits of ln(2), and 0.3 as it is stored.
        let ln_2 = 693_147_180_559_945_309_417_232_121_458u128;
        let stored = (tau * 2f64.powi(54)) as u128;
        let digits = 10u128.pow(12);
        let reach = ln_2 / digits * 58 * stored / (1 << 54) * u128::from(decay.epoch());
        let found = (landmark - 1e6) as u128 * 10u128.pow(18) + (((landmark - 1e6).fract() + rest) * 1e18) as u128;
        assert!(found.abs_diff(reach) < 10u128.pow(8), "{found} {reach}");
    }

    #[test]
    fn the_reach_is_58_times_the_logarithm_of_2() {
        assert_eq!(REACH.0 + REACH.1, 58.0 * std::f64::consts::LN_2);
        assert_eq!(REACH.0.to_bits().trailing_zeros(), 28);
    }

    #[test]
    fn a_sum_halved_at_once_equals_one_halved_step_by_step() {
        for value in [0.0, f64::MIN_POSITIVE, 1.0 / 3.0, 1e17, f64::MAX] {
            for (first, second) in [(0, 1), (1, 1), (2, 5), (FORGOTTEN, 1), (20, 20), (5, 1000)] {
                let between = halvings(0, first);
                let (rest, whole) = (halvings(first, first + second), halvings(0, first + second));
                assert_eq!(value.faded(between).faded(rest).to_bits(), value.faded(whole).to_bits());
                let single = value as f32;
                assert_eq!(single.faded(between).faded(rest).to_bits(), single.faded(whole).to_bits());
            }
        }
    }

    #[test]
    fn an_undecayed_history_never_opens_a_second_epoch() {
        let mut decay = Decay::new(f64::INFINITY);
        for time in [-1e300, 0.0, 1e300] {
            assert_eq!(decay.advance(time), (0, 1.0));
        }
        assert_eq!(decay.fade(0, 1e300), 1.0);
    }
}
