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

    /// Whether the value is a count that fades.
    const FADES: bool = false;

    /// Halved so many times, exactly; a count above zero stops at the smallest normal number, because "above zero" means
    /// "ever observed". What does not fade stays as it is.
    fn faded(self, halvings: u32) -> Self {
        let _ = halvings;
        self
    }
}

/// A time among the values of a table: it does not fade.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Time(pub f64);

/// The bits of a float are its exponent and then its fraction, so taking from the exponent halves. As signed integers,
/// of which every machine finds the larger one in a vector.
macro_rules! fading {
    ($bits:ty) => {
        const FADES: bool = true;

        #[inline(always)]
        fn faded(self, halvings: u32) -> Self {
            let smallest = Self::MIN_POSITIVE.to_bits() as $bits;
            let step = halvings.min(Self::MAX_EXP as u32 * 2 - 2) as $bits * smallest;
            let faded = Self::from_bits(((self.to_bits() as $bits).max(step + smallest) - step) as _);
            if self == 0.0 { self } else { faded }
        }
    };
}

macro_rules! packed_in_one {
    ($number:ty, $from:expr, $to:expr $(, $fading:ident)?) => {
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

            $(fading!($fading);)?
        }
    };
}

packed_in_one!(u32, std::convert::identity, std::convert::identity);
packed_in_one!(f32, f32::from_bits, f32::to_bits, i32);

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

    fading!(i64);
}

impl Packed for Time {
    const WORDS: usize = 2;

    #[inline(always)]
    fn unpack(words: &[u32], at: usize) -> Self {
        Self(f64::unpack(words, at))
    }

    #[inline(always)]
    fn pack(self, words: &mut [u32], at: usize) {
        self.0.pack(words, at);
    }

    #[inline(always)]
    fn real(self) -> f64 {
        self.0
    }
}
