//! Values as the words of an arena.

/// A value of one or two words.
pub trait Packed: Copy + Default {
    /// How many words.
    const WORDS: usize;

    /// The value that begins at `words[at]`.
    fn unpack(words: &[u32], at: usize) -> Self;

    /// Writes the value from `words[at]` on.
    fn pack(self, words: &mut [u32], at: usize);

    /// The value as a double.
    fn real(self) -> f64;
}

macro_rules! packed_in_one {
    ($number:ty, $from:expr, $to:expr) => {
        impl Packed for $number {
            const WORDS: usize = 1;

            #[inline(always)]
            fn unpack(words: &[u32], at: usize) -> Self {
                $from(words[at])
            }

            #[inline(always)]
            fn pack(self, words: &mut [u32], at: usize) {
                words[at] = $to(self);
            }

            #[inline(always)]
            fn real(self) -> f64 {
                f64::from(self)
            }
        }
    };
}

packed_in_one!(u32, std::convert::identity, std::convert::identity);
packed_in_one!(f32, f32::from_bits, f32::to_bits);

impl Packed for f64 {
    const WORDS: usize = 2;

    #[inline(always)]
    fn unpack(words: &[u32], at: usize) -> Self {
        let pair = &words[at..at + 2];
        f64::from_bits(u64::from(pair[0]) | u64::from(pair[1]) << 32)
    }

    #[inline(always)]
    fn pack(self, words: &mut [u32], at: usize) {
        let pair = &mut words[at..at + 2];
        (pair[0], pair[1]) = (self.to_bits() as u32, (self.to_bits() >> 32) as u32);
    }

    #[inline(always)]
    fn real(self) -> f64 {
        self
    }
}
