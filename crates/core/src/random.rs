//! Random numbers that are looked up instead of drawn one after the other.
//!
//! Draw `index` of a stream is a fixed function of (seed, stream, index): no state moves on, so any draw can be made
//! by any thread, in any order, any number of times. The function is the finaliser of splitmix64 over a counter.
//!
//! ```text
//! key       = mix(mix(seed + G) + mix(stream + 2G))
//! at(index) = mix(key + (index + 1) G)
//! ```

/// The odd number nearest 2^64 over the golden ratio: the step of the counter.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// One stream of random numbers, addressed by index.
///
/// ```
/// use linkgram_core::random::Draws;
///
/// let draws = Draws::new(42, 0);
/// assert_eq!(draws.at(7), Draws::new(42, 0).at(7));
/// assert!((0..100).all(|index| draws.below(index, 10) < 10));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draws {
    key: u64,
}

impl Draws {
    /// The stream `stream` of a seed; streams of one seed have nothing to do with each other.
    pub fn new(seed: u64, stream: u64) -> Self {
        let seed = mix(seed.wrapping_add(STEP));
        let stream = mix(stream.wrapping_add(STEP.wrapping_mul(2)));
        Self { key: mix(seed.wrapping_add(stream)) }
    }

    /// A stream within this stream, such as that of one query.
    ///
    /// ```
    /// use linkgram_core::random::Draws;
    ///
    /// let draws = Draws::new(42, 0);
    /// assert_ne!(draws.substream(1).at(0), draws.substream(2).at(0));
    /// ```
    #[inline]
    pub fn substream(self, index: u64) -> Self {
        Self::new(self.key, index)
    }

    /// Draw `index`: 64 random bits.
    #[inline]
    pub fn at(self, index: u64) -> u64 {
        mix(self.key.wrapping_add(index.wrapping_add(1).wrapping_mul(STEP)))
    }

    /// Draw `index` as an integer in `0..bound` (0 when the bound is 0), by multiplication: no integer is favoured by
    /// more than one part in 2^32.
    ///
    /// ```
    /// use linkgram_core::random::Draws;
    ///
    /// let die = |roll| 1 + Draws::new(42, 0).below(roll, 6);
    /// assert_eq!([die(0), die(1), die(2), die(3)], [6, 3, 5, 4]);
    /// ```
    #[inline]
    pub fn below(self, index: u64, bound: u32) -> u32 {
        // The product is below bound * 2^64, so its high half is below the bound.
        ((u128::from(self.at(index)) * u128::from(bound)) >> 64) as u32
    }

    /// Like [`below`](Self::below) for bounds beyond 32 bits; favours no integer by more than `bound` parts in 2^64.
    #[inline]
    pub fn below_u64(self, index: u64, bound: u64) -> u64 {
        ((u128::from(self.at(index)) * u128::from(bound)) >> 64) as u64
    }
}

/// The finaliser of splitmix64: a bijection of the 64-bit integers whose output bits all depend on all input bits.
#[inline]
fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::{Draws, STEP, mix};

    #[test]
    fn the_mixer_is_that_of_splitmix64() {
        // The first outputs of the reference generator started at 1234567.
        let first: Vec<u64> = (1..=3u64).map(|i| mix(1_234_567u64.wrapping_add(i.wrapping_mul(STEP)))).collect();
        assert_eq!(first, [6457827717110365317, 3203168211198807973, 9817491932198370423]);
    }

    #[test]
    fn every_integer_below_the_bound_is_drawn_equally_often() {
        for bound in [2u32, 7, 100] {
            let draws = Draws::new(5, 1);
            let mut counts = vec![0f64; bound as usize];
            let total = 2_000 * u64::from(bound);
            for index in 0..total {
                counts[draws.below(index, bound) as usize] += 1.0;
            }
            let expected = 2_000.0;
            let chi_square: f64 = counts.iter().map(|count| (count - expected).powi(2) / expected).sum();
            let freedom = f64::from(bound - 1);
            assert!((chi_square - freedom).abs() < 5.0 * (2.0 * freedom).sqrt(), "{bound}: {chi_square}");
        }
    }

    #[test]
    fn streams_seeds_and_substreams_differ_in_about_half_of_their_bits() {
        let base = Draws::new(42, 3);
        let others = [Draws::new(43, 3), Draws::new(42, 4), Draws::new(3, 42), base.substream(0), base.substream(1)];
        for other in others {
            let bits: u32 = (0..1000).map(|index| (base.at(index) ^ other.at(index)).count_ones()).sum();
            assert!((31_000..33_000).contains(&bits), "{other:?}: {bits}");
        }
    }

    #[test]
    fn bounds_at_the_edges_are_kept() {
        let draws = Draws::new(1, 1);
        assert!((0..100).all(|index| draws.below(index, 0) == 0 && draws.below(index, 1) == 0));
        assert!((0..100).any(|index| draws.below(index, u32::MAX) > u32::MAX / 2));
        assert!((0..100).all(|index| draws.below_u64(index, 10) == u64::from(draws.below(index, 10))));
    }
}
