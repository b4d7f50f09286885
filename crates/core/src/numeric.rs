//! `exp`, `ln` and `ln_1p`: branch-free polynomials in double precision.
//!
//! Why not the standard library's: its results come from the platform and may differ by a bit from machine to machine,
//! and a call per candidate cannot be vectorised. These are plain arithmetic, so a loop over candidates becomes vector
//! code, every candidate goes through the same instructions, and the bits are the same everywhere. Both stay within
//! two units in the last place of the true value (tested).

const LN_2_HIGH: f64 = 6.931_471_803_691_238e-1;
const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;
/// Adding and subtracting 1.5 * 2^52 rounds to the nearest integer and leaves it in the low bits.
const ROUNDER: f64 = 6_755_399_441_055_744.0;

/// `e^x`; arguments below -708 give 0, arguments above 709 infinity.
///
/// ```
/// assert_eq!(linkgram_core::numeric::exp(0.0), 1.0);
/// assert!((linkgram_core::numeric::exp(-1.0) - (-1f64).exp()).abs() < 1e-16);
/// ```
#[inline]
pub fn exp(x: f64) -> f64 {
    let inside = x.clamp(-708.0, 709.0);
    let shifted = inside * std::f64::consts::LOG2_E + ROUNDER;
    let k = shifted - ROUNDER;
    let r = (inside - k * LN_2_HIGH) - k * LN_2_LOW;
    // Taylor terms up to r^13: |r| <= ln(2)/2, so the rest is below 1e-17.
    let mut sum = 1.0 / 6_227_020_800.0;
    for divisor in
        [479_001_600.0, 39_916_800.0, 3_628_800.0, 362_880.0, 40_320.0, 5_040.0, 720.0, 120.0, 24.0, 6.0, 2.0, 1.0, 1.0]
    {
        sum = sum * r + 1.0 / divisor;
    }
    let power = f64::from_bits(shifted.to_bits().wrapping_add(1023) << 52);
    let value = sum * power;
    let value = if x < -708.0 { 0.0 } else { value };
    if x > 709.0 { f64::INFINITY } else { value }
}

/// Natural logarithm of a positive, finite, normal number.
///
/// ```
/// assert_eq!(linkgram_core::numeric::ln(1.0), 0.0);
/// ```
#[inline]
pub fn ln(x: f64) -> f64 {
    const SQRT_HALF_BITS: u64 = 0x3fe6_a09e_667f_3bcd;
    let bits = x.to_bits();
    // x = m * 2^k with m in [sqrt(1/2), sqrt(2)).
    let k_bits = bits.wrapping_sub(SQRT_HALF_BITS) & 0xfff0_0000_0000_0000;
    let m = f64::from_bits(bits.wrapping_sub(k_bits));
    // k + 2048 is positive, so it can be written into the low bits of 2^52 and read back as a float.
    let biased = k_bits.wrapping_add(2048 << 52) >> 52;
    let k = f64::from_bits(biased | 0x4330_0000_0000_0000) - (4_503_599_627_370_496.0 + 2048.0);
    // ln(m) = 2 artanh(s), s = (m - 1)/(m + 1), |s| < 0.172.
    let f = m - 1.0;
    let s = f / (2.0 + f);
    let z = s * s;
    let mut sum = 1.0 / 23.0;
    for odd in [21.0, 19.0, 17.0, 15.0, 13.0, 11.0, 9.0, 7.0, 5.0, 3.0] {
        sum = sum * z + 1.0 / odd;
    }
    // 2s + 2s z sum, with 2s = f - s f to keep the bits of f.
    let small = s * (2.0 * z * sum - f) + k * LN_2_LOW;
    k * LN_2_HIGH + (f + small)
}

/// `ln(1 + x)` for x >= 0, exact for small x.
///
/// ```
/// assert_eq!(linkgram_core::numeric::ln_1p(1e-30), 1e-30);
/// ```
#[inline]
pub fn ln_1p(x: f64) -> f64 {
    let sum = 1.0 + x;
    let lost = x - (sum - 1.0);
    ln(sum) + lost / sum
}

#[cfg(test)]
mod tests {
    use super::{exp, ln, ln_1p};

    fn ulps(found: f64, expected: f64) -> f64 {
        let unit = f64::from_bits(expected.abs().to_bits() + 1) - expected.abs();
        (found - expected).abs() / unit
    }

    #[test]
    fn stay_within_two_units_in_the_last_place_of_the_standard_library() {
        let mut worst = [0f64; 3];
        for i in 0..400_000 {
            let share = i as f64 / 400_000.0;
            let x = -700.0 + 1400.0 * share;
            worst[0] = worst[0].max(ulps(exp(x), x.exp()));
            let y = 10f64.powf(-300.0 + 600.0 * share) * (1.0 + share);
            if (y - 1.0).abs() > 1e-3 {
                worst[1] = worst[1].max(ulps(ln(y), y.ln()));
            }
            let near = 0.5 + share;
            if near != 1.0 {
                worst[1] = worst[1].max(ulps(ln(near), near.ln()));
            }
            let z = 10f64.powf(-30.0 + 50.0 * share);
            worst[2] = worst[2].max(ulps(ln_1p(z), z.ln_1p()));
        }
        assert!(worst.iter().all(|&w| w <= 2.0), "{worst:?}");
    }

    #[test]
    fn the_ends_of_the_range() {
        assert_eq!(exp(0.0), 1.0);
        assert_eq!(exp(-1e9), 0.0);
        assert_eq!(exp(f64::NEG_INFINITY), 0.0);
        assert_eq!(exp(1e9), f64::INFINITY);
        assert_eq!(ln(1.0), 0.0);
        assert_eq!(ln_1p(0.0), 0.0);
        assert!(ulps(ln(f64::MIN_POSITIVE), f64::MIN_POSITIVE.ln()) <= 2.0);
        assert!(ulps(ln(f64::MAX), f64::MAX.ln()) <= 2.0);
    }
}
