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

/// Terms for all bits of a double, and for a few bits more than a float has: enough where counts are floats.
pub const EXP_TERMS: usize = 13;
/// See [`EXP_TERMS`]; the relative error is below 3e-10.
pub const EXP_TERMS_SHORT: usize = 8;
/// Terms of the logarithm, likewise.
pub const LN_TERMS: usize = 11;
/// See [`LN_TERMS`]; the relative error is below 3e-9.
pub const LN_TERMS_SHORT: usize = 5;

/// `e^x`; arguments below -708 give 0, arguments above 709 infinity.
///
/// ```
/// assert_eq!(linkgram_core::numeric::exp(0.0), 1.0);
/// assert!((linkgram_core::numeric::exp(-1.0) - (-1f64).exp()).abs() < 1e-16);
/// ```
#[inline(always)]
pub fn exp(x: f64) -> f64 {
    exp_to::<EXP_TERMS>(x)
}

/// `e^x` by so many Taylor terms; [`exp`] takes [`EXP_TERMS`].
#[inline(always)]
pub fn exp_to<const TERMS: usize>(x: f64) -> f64 {
    const INVERSE_FACTORIALS: [f64; EXP_TERMS + 1] = {
        let mut table = [1.0; EXP_TERMS + 1];
        let (mut n, mut factorial) = (1, 1.0);
        while n <= EXP_TERMS {
            factorial *= n as f64;
            table[n] = 1.0 / factorial;
            n += 1;
        }
        table
    };
    let inside = x.clamp(-708.0, 709.0);
    let shifted = inside * std::f64::consts::LOG2_E + ROUNDER;
    let k = shifted - ROUNDER;
    let r = (inside - k * LN_2_HIGH) - k * LN_2_LOW;
    // |r| <= ln(2)/2, so the rest after r^13 is below 1e-17.
    // Even and odd terms side by side: half as many steps for whoever waits for one value.
    let (pairs, square) = (TERMS / 2, r * r);
    let mut even = INVERSE_FACTORIALS[2 * pairs];
    for n in (0..pairs).rev() {
        even = even * square + INVERSE_FACTORIALS[2 * n];
    }
    let last = (TERMS - 1) / 2;
    let mut odd = INVERSE_FACTORIALS[2 * last + 1];
    for n in (0..last).rev() {
        odd = odd * square + INVERSE_FACTORIALS[2 * n + 1];
    }
    let sum = even + r * odd;
    let power = f64::from_bits(shifted.to_bits().wrapping_add(1023) << 52);
    let value = sum * power;
    let value = if x < -708.0 { 0.0 } else { value };
    if x > 709.0 { f64::INFINITY } else { value }
}

const SQRT_HALF_BITS: u64 = 0x3fe6_a09e_667f_3bcd;
const EXPONENT: u64 = 0xfff0_0000_0000_0000;

/// Natural logarithm of a positive, finite, normal number.
///
/// ```
/// assert_eq!(linkgram_core::numeric::ln(1.0), 0.0);
/// ```
#[inline(always)]
pub fn ln(x: f64) -> f64 {
    let bits = x.to_bits();
    // x = m * 2^k with m in [sqrt(1/2), sqrt(2)).
    let k_bits = bits.wrapping_sub(SQRT_HALF_BITS) & EXPONENT;
    let m = f64::from_bits(bits.wrapping_sub(k_bits));
    // k + 2048 is positive, so it can be written into the low bits of 2^52 and read back as a float.
    let biased = k_bits.wrapping_add(2048 << 52) >> 52;
    let k = f64::from_bits(biased | 0x4330_0000_0000_0000) - (4_503_599_627_370_496.0 + 2048.0);
    ln_of_parts::<LN_TERMS>(m - 1.0, k)
}

/// `ln((1 + f) 2^k)` for 1 + f in [sqrt(1/2), sqrt(2)].
#[inline(always)]
fn ln_of_parts<const TERMS: usize>(f: f64, k: f64) -> f64 {
    // ln(1 + f) = 2 artanh(s), s = f/(2 + f), |s| < 0.172.
    let s = f / (2.0 + f);
    let z = s * s;
    let mut sum = 1.0 / (2 * TERMS + 1) as f64;
    for n in (1..TERMS).rev() {
        sum = sum * z + 1.0 / (2 * n + 1) as f64;
    }
    // 2s + 2s z sum, with 2s = f - s f to keep the bits of f.
    let small = s * (2.0 * z * sum - f) + k * LN_2_LOW;
    k * LN_2_HIGH + (f + small)
}

/// `ln(1 + x)` for x from 0 to 1e300, exact for small x.
///
/// ```
/// assert_eq!(linkgram_core::numeric::ln_1p(1e-30), 1e-30);
/// ```
#[inline(always)]
pub fn ln_1p(x: f64) -> f64 {
    ln_1p_to::<LN_TERMS>(x)
}

/// `ln(1 + x)` by so many terms; [`ln_1p`] takes [`LN_TERMS`].
#[inline(always)]
pub fn ln_1p_to<const TERMS: usize>(x: f64) -> f64 {
    // 1 + x = (1 + f) 2^k. Where k is 0, f is x with all its bits; elsewhere the sum that gives f rounds once.
    let k_bits = (1.0 + x).to_bits().wrapping_sub(SQRT_HALF_BITS) & EXPONENT;
    let scale = f64::from_bits((1023u64 << 52).wrapping_sub(k_bits));
    let f = x * scale + (scale - 1.0);
    let k = f64::from_bits(k_bits >> 52 | 0x4330_0000_0000_0000) - 4_503_599_627_370_496.0;
    if TERMS == LN_TERMS {
        return ln_of_parts::<TERMS>(f, k);
    }
    // The same without guarding the last bits.
    let s = f / (2.0 + f);
    let z = s * s;
    let mut sum = 2.0 / (2 * TERMS - 1) as f64;
    for n in (0..TERMS - 1).rev() {
        sum = sum * z + 2.0 / (2 * n + 1) as f64;
    }
    s * sum + k * std::f64::consts::LN_2
}

#[cfg(test)]
mod tests {
    use super::{EXP_TERMS_SHORT, LN_TERMS_SHORT, exp, exp_to, ln, ln_1p, ln_1p_to};

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
    fn the_short_forms_are_finer_than_a_float() {
        let (mut worst_exp, mut worst_ln) = (0f64, 0f64);
        for i in 0..400_000 {
            let share = i as f64 / 400_000.0;
            let x = -100.0 + 200.0 * share;
            worst_exp = worst_exp.max((exp_to::<EXP_TERMS_SHORT>(x) / exp(x) - 1.0).abs());
            let z = 10f64.powf(-30.0 + 60.0 * share);
            worst_ln = worst_ln.max((ln_1p_to::<LN_TERMS_SHORT>(z) / ln_1p(z) - 1.0).abs());
        }
        assert!(worst_exp < 3e-10 && worst_ln < 3e-9, "{worst_exp} {worst_ln}");
        assert_eq!(ln_1p_to::<LN_TERMS_SHORT>(0.0), 0.0);
        assert_eq!(exp_to::<EXP_TERMS_SHORT>(f64::NEG_INFINITY), 0.0);
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
