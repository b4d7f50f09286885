//! The same loop compiled twice: for every machine, and for those with registers of 256 bits.
//!
//! A wheel is built for the oldest machine it shall run on, whose vectors are half as wide as nearly everybody's. A loop
//! over numbers put into a [`Kernel`] is compiled for both, and the machine it runs on decides. Only the width differs:
//! no fused operation is allowed and sums keep their order, so both give the same bits.
#![allow(unsafe_code)]

/// A loop to be compiled twice. Its `run` must be `#[inline(always)]`, and so must be all that it calls: code that is
/// not inlined is compiled once, for every machine.
pub(crate) trait Kernel {
    /// What the loop gives.
    type Output;

    /// Runs the loop.
    fn run(self) -> Self::Output;
}

/// Runs `kernel` in the widest form this machine has.
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
