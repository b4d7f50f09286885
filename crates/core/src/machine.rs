//! What depends on the processor: fetching a cache line ahead of its use, and running a loop with wider vectors.
//!
//! The only unsafe code of the crate, and nothing of it changes a result.
#![allow(unsafe_code)]

/// What a member of a set of numbers has at its place in the set's marks, and others do not.
pub(crate) const MARK: u8 = 0x80;
/// Marks beyond the last number: they must be there, and clear.
pub(crate) const CLEAR_MARKS: usize = 4;

/// What a kernel may ask of the machine it runs on: the same answers everywhere, by other instructions.
pub(crate) trait Machine: Copy {
    /// One bit for each of 16 numbers that is marked; numbers beyond the marks are not. The last [`CLEAR_MARKS`] marks
    /// must be clear.
    fn members(self, line: &[u32; 16], marks: &[u8]) -> u32;
}

/// Any machine.
#[derive(Clone, Copy)]
struct Plain;

impl Machine for Plain {
    #[inline(always)]
    fn members(self, line: &[u32; 16], marks: &[u8]) -> u32 {
        line.iter().rev().fold(0, |mask, &number| {
            mask + mask + u32::from(marks.get(number as usize).copied().unwrap_or_default() >> 7)
        })
    }
}

/// A machine with AVX2; made only where that was found.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
struct Avx2(());

#[cfg(target_arch = "x86_64")]
impl Machine for Avx2 {
    #[inline(always)]
    fn members(self, line: &[u32; 16], marks: &[u8]) -> u32 {
        // SAFETY: a value of this type says that there is AVX2.
        unsafe { avx2_members(line, marks) }
    }
}

#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2")]
fn avx2_members(line: &[u32; 16], marks: &[u8]) -> u32 {
    use std::arch::x86_64::{
        __m256i, _mm256_castsi256_ps, _mm256_i32gather_epi32, _mm256_min_epu32, _mm256_movemask_ps, _mm256_set1_epi32,
        _mm256_slli_epi32,
    };
    let Some(last) = marks.len().checked_sub(CLEAR_MARKS) else { return 0 };
    let last = _mm256_set1_epi32(last.min(i32::MAX as usize) as i32);
    // SAFETY: 64 bytes are 64 bytes, and every pattern of bits is a valid vector.
    let [low, high]: [__m256i; 2] = unsafe { std::mem::transmute(*line) };
    // SAFETY: the four bytes read begin at `min(number, last)`, and at `last` there are four: all are within `marks`.
    let (low, high) = unsafe {
        let marks = marks.as_ptr().cast();
        let low = _mm256_i32gather_epi32::<1>(marks, _mm256_min_epu32(low, last));
        (low, _mm256_i32gather_epi32::<1>(marks, _mm256_min_epu32(high, last)))
    };
    // The first of four bytes is the lowest; its mark becomes the sign.
    let low = _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_slli_epi32::<24>(low))) as u32;
    let high = _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_slli_epi32::<24>(high))) as u32;
    low | high << 8
}

/// A loop to be compiled twice: for every machine, and for those with vectors of 32 bytes. Its `run` must be
/// `#[inline(always)]`, and so must be all that it calls: code that is not inlined is compiled once, for every machine.
pub(crate) trait Kernel {
    /// What the loop gives.
    type Output;

    /// Runs the loop.
    fn run(self, machine: impl Machine) -> Self::Output;
}

/// Runs `kernel` in the widest form this machine has. Only the width differs: no fused operation is allowed and sums
/// keep their order, so both forms give the same bits.
#[inline]
pub(crate) fn wide<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2")]
        fn with_avx2<K: Kernel>(kernel: K) -> K::Output {
            kernel.run(Avx2(()))
        }

        if std::is_x86_feature_detected!("avx2") {
            // SAFETY: the one thing this function asks for is a machine with AVX2, and this is one.
            return unsafe { with_avx2(kernel) };
        }
    }
    kernel.run(Plain)
}

/// Fetches the line of `slice[index]`; does nothing of use if there is no such element.
#[inline(always)]
pub fn fetch<T>(slice: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let line: *const i8 = slice.as_ptr().wrapping_add(index).cast();
        // SAFETY: the instruction reads nothing into the program and faults on no address, be there memory or not; SSE,
        // which it needs, is part of every x86-64.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(line) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (slice, index);
}

/// One bit for each of 16 numbers that equals `wanted`.
#[inline(always)]
pub fn match_mask(line: &[u32; 16], wanted: u32) -> u32 {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{
            __m128i, _mm_cmpeq_epi32, _mm_movemask_epi8, _mm_packs_epi16, _mm_packs_epi32, _mm_set1_epi32,
        };
        // SAFETY: 64 bytes are 64 bytes, and every pattern of bits is a valid vector.
        let [a, b, c, d]: [__m128i; 4] = unsafe { std::mem::transmute(*line) };
        // SAFETY: these need SSE2, which is part of every x86-64, and touch no memory.
        #[allow(unused_unsafe)]
        unsafe {
            let wanted = _mm_set1_epi32(wanted as i32);
            let low = _mm_packs_epi32(_mm_cmpeq_epi32(a, wanted), _mm_cmpeq_epi32(b, wanted));
            let high = _mm_packs_epi32(_mm_cmpeq_epi32(c, wanted), _mm_cmpeq_epi32(d, wanted));
            _mm_movemask_epi8(_mm_packs_epi16(low, high)) as u32
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        line.iter().enumerate().fold(0, |mask, (place, &found)| mask | u32::from(found == wanted) << place)
    }
}

#[cfg(test)]
mod tests {
    use super::{CLEAR_MARKS, Kernel, MARK, Machine, Plain, match_mask, wide};

    #[test]
    fn every_place_has_its_bit() {
        let line = std::array::from_fn(|place| (place % 5) as u32);
        for wanted in 0..6 {
            let slow = (0..16).fold(0, |mask, place| mask | u32::from(line[place] == wanted) << place);
            assert_eq!(match_mask(&line, wanted), slow);
        }
    }

    struct Members<'a>(&'a [u32; 16], &'a [u8]);

    impl Kernel for Members<'_> {
        type Output = u32;

        #[inline(always)]
        fn run(self, machine: impl Machine) -> u32 {
            machine.members(self.0, self.1)
        }
    }

    #[test]
    fn every_machine_finds_the_same_members() {
        let marked = |number: u32| number.wrapping_mul(0x9e37_79b1) >> 31 == 1;
        let mut marks: Vec<u8> = (0..1300).map(|number| if marked(number) { MARK } else { 0 }).collect();
        marks.extend([0; CLEAR_MARKS]);
        for start in 0..1400u32 {
            // The last two numbers are beyond all marks.
            let line = std::array::from_fn(|place| match place {
                14 => u32::MAX,
                15 => 1300 + start,
                _ => start.wrapping_mul(place as u32 + 1) % 1310,
            });
            let slow =
                (0..16).fold(0, |mask, place| mask | u32::from(line[place] < 1300 && marked(line[place])) << place);
            assert_eq!(wide(Members(&line, &marks)), slow, "{start}");
            assert_eq!(Plain.members(&line, &marks), slow, "{start}");
        }
        assert_eq!(wide(Members(&[0; 16], &[])), 0);
    }
}
