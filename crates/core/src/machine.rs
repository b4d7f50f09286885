//! What depends on the machine: fetching a cache line ahead of its use, running a loop with wider vectors, large pages.
//!
//! The only unsafe code of the crate, and nothing of it changes a result.
#![allow(unsafe_code)]

/// What a member of a set of numbers has at its place in the set's marks, and others do not.
pub(crate) const MARK: u8 = 0x80;

/// Marks that a set of numbers below `bound` needs: a power of two, so that a number is cut to a place by its low bits,
/// and one more than the numbers, so that the place of [`EMPTY`](crate::arena::EMPTY), the last, is never marked.
pub(crate) fn marks_for(bound: usize) -> usize {
    (bound + 1).next_power_of_two()
}

/// What a kernel may ask of the machine it runs on: the same answers everywhere, by other instructions.
pub(crate) trait Machine: Copy {
    /// One bit for each of 16 numbers that is marked at its place: the number modulo the marks, a power of two of them.
    fn members(self, line: &[u32; 16], marks: &[u8]) -> u32;
}

/// Any machine.
#[derive(Clone, Copy)]
struct Plain;

impl Machine for Plain {
    #[inline(always)]
    fn members(self, line: &[u32; 16], marks: &[u8]) -> u32 {
        let Some(last) = marks.len().checked_sub(1) else { return 0 };
        let bits = line.iter().enumerate();
        bits.fold(0, |mask, (place, &number)| mask | u32::from(marks[number as usize & last] >> 7) << place)
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

/// Byte by byte into one register, which is faster than gathering four bytes for each.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2")]
fn avx2_members(line: &[u32; 16], marks: &[u8]) -> u32 {
    use std::arch::x86_64::{_mm_insert_epi8, _mm_movemask_epi8, _mm_or_si128, _mm_setzero_si128};
    let Some(last) = marks.len().checked_sub(1) else { return 0 };
    // Two chains of eight are half as long as one.
    let (mut low, mut high) = (_mm_setzero_si128(), _mm_setzero_si128());
    macro_rules! insert {
        ($($place:literal)*) => {$(
            low = _mm_insert_epi8::<$place>(low, i32::from(marks[line[$place] as usize & last]));
            high = _mm_insert_epi8::<{ $place + 8 }>(high, i32::from(marks[line[$place + 8] as usize & last]));
        )*};
    }
    insert!(0 1 2 3 4 5 6 7);
    _mm_movemask_epi8(_mm_or_si128(low, high)) as u32
}

/// A loop to be compiled three times: for every machine, and for those with vectors of 32 and of 64 bytes. Its `run` must be
/// `#[inline(always)]`, and so must be all that it calls: code that is not inlined is compiled once, for every machine.
pub(crate) trait Kernel {
    /// What the loop gives.
    type Output;

    /// Runs the loop.
    fn run(self, machine: impl Machine) -> Self::Output;
}

/// Runs `kernel` in the widest form this machine has. Only the width differs: no fused operation is allowed and sums
/// keep their order, so all forms give the same bits.
#[inline]
pub(crate) fn wide<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    {
        use std::sync::LazyLock;

        static HAS_AVX2: LazyLock<bool> = LazyLock::new(|| std::is_x86_feature_detected!("avx2"));
        static HAS_AVX512: LazyLock<bool> = LazyLock::new(|| {
            *HAS_AVX2
                && std::is_x86_feature_detected!("avx512f")
                && std::is_x86_feature_detected!("avx512bw")
                && std::is_x86_feature_detected!("avx512dq")
                && std::is_x86_feature_detected!("avx512vl")
        });

        #[target_feature(enable = "avx2")]
        fn with_avx2<K: Kernel>(kernel: K) -> K::Output {
            kernel.run(Avx2(()))
        }

        #[target_feature(enable = "avx2,avx512f,avx512bw,avx512dq,avx512vl")]
        fn with_avx512<K: Kernel>(kernel: K) -> K::Output {
            kernel.run(Avx2(()))
        }

        if *HAS_AVX512 {
            // SAFETY: what this function asks for, this machine was found to have.
            return unsafe { with_avx512(kernel) };
        }
        if *HAS_AVX2 {
            // SAFETY: the one thing this function asks for is a machine with AVX2, and this is one.
            return unsafe { with_avx2(kernel) };
        }
    }
    kernel.run(Plain)
}

/// Asks the system to put the room of a column into pages of megabytes instead of kilobytes. It may or may not: nothing
/// that is stored there changes.
pub(crate) fn use_large_pages<T>(column: &mut Vec<T>) {
    #[cfg(all(target_os = "linux", not(miri)))]
    {
        use std::ffi::{c_int, c_void};
        const MADV_HUGEPAGE: c_int = 14;

        unsafe extern "C" {
            safe fn getpagesize() -> c_int;
            fn madvise(address: *mut c_void, length: usize, advice: c_int) -> c_int;
        }

        let page = getpagesize().max(1) as usize;
        let end = column.spare_capacity_mut().as_mut_ptr_range().end.addr();
        let start: *mut c_void = column.as_mut_ptr().cast();
        // From page to page, so that an allocation of pages of its own stays one piece, which can grow where it is.
        let before = start.addr() % page;
        let length = (end - (start.addr() - before)).next_multiple_of(page);
        // SAFETY: the pages are those of the column's allocation, the first and the last perhaps shared with others, and
        // this advice changes neither what they hold nor who may use them. The answer is of no importance: without large
        // pages all is the same but slower.
        unsafe { madvise(start.wrapping_byte_sub(before), length, MADV_HUGEPAGE) };
    }
    #[cfg(not(all(target_os = "linux", not(miri))))]
    let _ = column;
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
    use super::{Kernel, MARK, Machine, Plain, marks_for, match_mask, wide};

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
        for bound in [1, 1023, 1300] {
            let mut marks: Vec<u8> = (0..bound).map(|number| if marked(number) { MARK } else { 0 }).collect();
            marks.resize(marks_for(bound as usize), 0);
            for start in (0..bound + 100).step_by(if cfg!(miri) { 97 } else { 1 }) {
                let line = std::array::from_fn(|place| match place {
                    14 => u32::MAX,
                    _ => start.wrapping_mul(place as u32 + 1) % bound,
                });
                let is_member = |number: u32| number < bound && marked(number);
                let slow = (0..16).fold(0, |mask, place| mask | u32::from(is_member(line[place])) << place);
                assert_eq!(wide(Members(&line, &marks)), slow, "{start}");
                assert_eq!(Plain.members(&line, &marks), slow, "{start}");
            }
        }
    }
}
