//! Asking the processor to fetch a cache line before it is needed.
//!
//! The only unsafe code of the crate. A stream jumps all over tables larger than any cache; the next events are known,
//! so their lines can be on the way while earlier events are still being counted. A prefetch changes nothing that a
//! program can see.
#![allow(unsafe_code)]

/// Fetches the line of `slice[index]`, if there is such an element.
#[inline(always)]
pub fn fetch<T>(slice: &[T], index: usize) {
    if let Some(element) = slice.get(index) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let line: *const i8 = std::ptr::from_ref(element).cast();
            // SAFETY: the address is that of a live element; the instruction reads nothing into the program, faults on
            // no address, and SSE, which it needs, is part of every x86-64.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(line) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = element;
    }
}
