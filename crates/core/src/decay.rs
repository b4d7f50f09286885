//! Exponential decay without touching what decays.
//!
//! A decayed count at time t is the sum of `exp(-(t - t_i)/tau)` over its events. Stored is the same sum seen from a
//! fixed *landmark* in the past, `sum exp((t_i - landmark)/tau)`: adding an event needs one weight for all tables, and
//! reading multiplies by one factor, `exp(-(t - landmark)/tau)`. The stored sums grow with time, so after [`REACH`]
//! time constants a new landmark opens a new *epoch*. Whoever stores sums keeps the epoch beside them and moves them
//! forward when next writing to them; nothing is ever swept.

use crate::numeric::exp;

/// Time constants between two landmarks. `e^40` is 2e17: far inside single precision, with room for 1e20 events.
const REACH: f64 = 40.0;

/// Epochs before the current one whose sums can be seen at all: after 18 of them `exp` is 0.
const LAST_EPOCHS: Epoch = 17;

/// Number of a landmark; sums of different epochs must not be added without [`Decay::carry`].
pub type Epoch = u32;

/// The landmarks so far and the time constant tau (infinite: nothing decays).
#[derive(Clone, Debug)]
pub struct Decay {
    /// 1/tau.
    rate: f64,
    landmarks: Vec<f64>,
    /// The last time weighed and its weight: events of one time are many.
    weighed: (f64, f64),
}

/// What stored sums are multiplied by to be read at one time.
#[derive(Clone, Copy, Debug)]
pub struct Fades<'a> {
    decay: &'a Decay,
    time: f64,
    /// For sums of the current epoch.
    pub now: f64,
}

impl Fades<'_> {
    /// For sums of `epoch`.
    #[inline(always)]
    pub fn of(&self, epoch: Epoch) -> f64 {
        if epoch == self.decay.epoch() { self.now } else { self.decay.fade(epoch, self.time) }
    }

    /// Whether no sum can belong to another epoch than the current.
    #[inline(always)]
    pub fn is_one(&self) -> bool {
        self.decay.epoch() == 0
    }
}

impl Decay {
    /// Decay with time constant `tau` > 0, in the unit of the stream's times.
    pub fn new(tau: f64) -> Self {
        Self::with_landmarks(tau, Vec::new())
    }

    /// Rebuilds a decay from its landmarks (reading a saved state).
    pub(crate) fn with_landmarks(tau: f64, landmarks: Vec<f64>) -> Self {
        Self { rate: 1.0 / tau, landmarks, weighed: (f64::NAN, 0.0) }
    }

    /// The landmarks, oldest first.
    pub(crate) fn landmarks(&self) -> &[f64] {
        &self.landmarks
    }

    /// Forgets the landmarks.
    #[cfg(feature = "bench")]
    pub fn clear(&mut self) {
        self.landmarks.clear();
        self.weighed.0 = f64::NAN;
    }

    /// Moves to `time` and returns the epoch in which events of that time are stored, and what one event adds to a sum
    /// of it.
    #[inline]
    pub fn advance(&mut self, time: f64) -> (Epoch, f64) {
        if time != self.weighed.0 {
            let landmark = match self.landmarks.last() {
                Some(&landmark) if (time - landmark) * self.rate <= REACH => landmark,
                _ => {
                    self.landmarks.push(time);
                    time
                }
            };
            self.weighed = (time, exp((time - landmark) * self.rate));
        }
        (self.epoch(), self.weighed.1)
    }

    /// The current epoch.
    #[inline]
    pub fn epoch(&self) -> Epoch {
        (self.landmarks.len().max(1) - 1) as Epoch
    }

    /// What a stored sum of `epoch` is multiplied by to be read at `time`, which is not before the current landmark.
    #[inline]
    pub fn fade(&self, epoch: Epoch, time: f64) -> f64 {
        // Landmarks are more than REACH apart, so from here on the exponent is below that of any double.
        if self.epoch() - epoch > LAST_EPOCHS {
            return 0.0;
        }
        match self.landmarks.get(epoch as usize) {
            Some(landmark) => exp((landmark - time) * self.rate),
            None => 1.0,
        }
    }

    /// The fades at `time`.
    #[inline]
    pub fn fades(&self, time: f64) -> Fades<'_> {
        Fades { decay: self, time, now: self.fade(self.epoch(), time) }
    }

    /// What a stored sum of `epoch` is multiplied by to belong to the current one.
    pub fn carry(&self, epoch: Epoch) -> f64 {
        self.fade(epoch, self.landmarks[self.landmarks.len() - 1])
    }
}

#[cfg(test)]
mod tests {
    use super::Decay;

    #[test]
    fn lazy_sums_equal_sums_over_the_events() {
        for tau in [0.5, 3.0, 1e4, f64::INFINITY] {
            let mut decay = Decay::new(tau);
            let (mut sum, mut of) = (0.0, 0);
            let times: Vec<f64> = (0..200).map(|i| f64::from(i * i) * 0.37).collect();
            for (i, &time) in times.iter().enumerate() {
                let (epoch, weight) = decay.advance(time);
                if of != epoch {
                    sum *= decay.carry(of);
                    of = epoch;
                }
                sum += weight;
                let later = time + 1.5;
                let expected: f64 = times[..=i].iter().map(|t| (-(later - t) / tau).exp()).sum();
                let found = sum * decay.fade(of, later);
                assert!((found - expected).abs() <= 1e-12 * expected, "{tau} {i}: {found} {expected}");
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
