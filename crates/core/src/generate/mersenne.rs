//! NumPy's legacy random stream: the Mersenne Twister as `numpy.random.seed` starts it, and the legacy shuffle.
//!
//! Files made with NumPy's global generator can be rebuilt only by using up the same random words in the same order.
//! That stream is frozen: NumPy promises never to change it.

const LENGTH: usize = 624;
const DISTANCE: usize = 397;

/// MT19937, seeded with one 32-bit integer.
///
/// ```
/// use linkgram_core::generate::LegacyStream;
///
/// // numpy.random.seed(42); numpy.random.permutation(10)
/// let mut numbers: Vec<i32> = (0..10).collect();
/// LegacyStream::new(42).shuffle(&mut numbers);
/// assert_eq!(numbers, [8, 1, 5, 0, 7, 2, 9, 4, 3, 6]);
/// ```
#[derive(Clone, Debug)]
pub struct LegacyStream {
    state: [u32; LENGTH],
    /// The tempered words of the current state, made all at once so that the loop vectorises.
    words: [u32; LENGTH],
    next: usize,
}

impl LegacyStream {
    /// The stream of `numpy.random.seed(seed)`.
    pub fn new(seed: u32) -> Self {
        let mut state = [seed; LENGTH];
        for at in 1..LENGTH {
            let before = state[at - 1];
            state[at] = 1_812_433_253u32.wrapping_mul(before ^ (before >> 30)).wrapping_add(at as u32);
        }
        Self { state, words: [0; LENGTH], next: LENGTH }
    }

    /// The next 32 random bits.
    ///
    /// ```
    /// assert_eq!(linkgram_core::generate::LegacyStream::new(5489).word(), 3_499_211_612);
    /// ```
    #[inline]
    pub fn word(&mut self) -> u32 {
        if self.next == LENGTH {
            self.renew();
        }
        let word = self.words[self.next];
        self.next += 1;
        word
    }

    #[inline(never)]
    fn renew(&mut self) {
        let twist = |here: u32, next: u32| {
            let joined = (here & 0x8000_0000) | (next & 0x7fff_ffff);
            (joined >> 1) ^ ((joined & 1).wrapping_neg() & 0x9908_b0df)
        };
        let state = &mut self.state;
        for at in 0..LENGTH - DISTANCE {
            state[at] = state[at + DISTANCE] ^ twist(state[at], state[at + 1]);
        }
        for at in LENGTH - DISTANCE..LENGTH - 1 {
            state[at] = state[at + DISTANCE - LENGTH] ^ twist(state[at], state[at + 1]);
        }
        state[LENGTH - 1] = state[DISTANCE - 1] ^ twist(state[LENGTH - 1], state[0]);
        for (word, &raw) in self.words.iter_mut().zip(state.iter()) {
            let mut y = raw;
            y ^= y >> 11;
            y ^= (y << 7) & 0x9d2c_5680;
            y ^= (y << 15) & 0xefc6_0000;
            *word = y ^ (y >> 18);
        }
        self.next = 0;
    }

    /// Shuffles as `numpy.random.shuffle` does: from the last position down to 1, swap with one at or before it.
    pub fn shuffle(&mut self, values: &mut [i32]) {
        self.choices(values.len(), |at, with| values.swap(at, with));
    }

    /// Uses up exactly what shuffling `length` values would.
    pub fn skip_shuffle(&mut self, length: usize) {
        self.choices(length, |_, _| ());
    }

    /// Calls `swap(i, j)` for i = length - 1 down to 1, with j drawn from 0..=i.
    ///
    /// NumPy draws j by rejection: the low bits of a word, as many as i has, until they are at most i. Written so, the
    /// processor mispredicts about every third word:
    ///
    /// ```text
    /// for i in (1..length).rev() {
    ///     loop { j = word() & mask(i); if j <= i { break } }
    ///     swap(i, j);
    /// }
    /// ```
    ///
    /// Below, a rejected word swaps a value with itself and leaves i where it is: the same words, the same result, no
    /// branch on them.
    #[inline]
    fn choices(&mut self, length: usize, mut swap: impl FnMut(usize, usize)) {
        // Vocabularies have less than 2^31 ids, so one word always has enough bits.
        let mut i = length.saturating_sub(1) as u32;
        while i > 0 {
            let mask = u32::MAX >> i.leading_zeros();
            let half = mask >> 1;
            while i > half {
                let j = self.word() & mask;
                let accepted = j <= i;
                swap(i as usize, if accepted { j } else { i } as usize);
                i -= u32::from(accepted);
            }
        }
    }
}
