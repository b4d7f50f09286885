//! What depends on the processor: fetching a cache line ahead of its use, and running a loop with wider vectors.
//!
//! The only unsafe code of the crate, and nothing of it changes a result.
#![allow(unsafe_code)]

/// A loop to be compiled twice: for every machine, and for those with vectors of 32 bytes. Its `run` must be
/// `#[inline(always)]`, and so must be all that it calls: code that is not inlined is compiled once, for every machine.
pub(crate) trait Kernel {
    /// What the loop gives.
    type Output;

    /// Runs the loop.
    fn run(self) -> Self::Output;
}

/// Runs `kernel` in the widest form this machine has. Only the width differs: no fused operation is allowed and sums
/// keep their order, so both forms give the same bits.
#[inline]
pub(crate) fn wide<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2")]
        fn with_avx2<K: Kernel>(kernel: K) -> K::Output {
            kernel.run()
        }

        if std::is_x86_feature_detected!("avx2") {
            // SAFETY: the one thing this function asks for is a machine with AVX2, and this is one.
            return unsafe { with_avx2(kernel) };
        }
    }
    kernel.run()
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
    use super::match_mask;

    #[test]
    fn every_place_has_its_bit() {
        let line = std::array::from_fn(|place| (place % 5) as u32);
        for wanted in 0..6 {
            let slow = (0..16).fold(0, |mask, place| mask | u32::from(line[place] == wanted) << place);
            assert_eq!(match_mask(&line, wanted), slow);
        }
    }
}
