//! What rows hold of the candidates, on the way to becoming evidence.

/// Candidates as they are met, before their logarithms: equally long columns, of which `length` are filled. Writing
/// always happens, and only counting depends on whether the candidate was there.
#[derive(Clone, Debug, Default)]
pub(crate) struct Meetings {
    pub(crate) length: usize,
    pub(crate) candidates: Vec<u32>,
    /// The context's count of the candidate.
    pub(crate) counts: Vec<f64>,
    /// The count that B(z) is made from.
    pub(crate) bases: Vec<f64>,
    /// Time since the source's visit; only in front, for its own row.
    pub(crate) ages: Vec<f64>,
}

impl Meetings {
    /// Makes room for so many more.
    #[inline(always)]
    pub(crate) fn reserve(&mut self, more: usize) {
        let size = self.length + more;
        if size > self.ages.len() {
            self.grow(size);
        }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, size: usize) {
        self.candidates.resize(size, 0);
        self.counts.resize(size, 0.0);
        self.bases.resize(size, 0.0);
        self.ages.resize(size, 0.0);
    }

    /// The next places of the columns; there must be room for them.
    #[inline(always)]
    pub(crate) fn next(&mut self, size: usize) -> (&mut [u32], &mut [f64], &mut [f64]) {
        let cells = self.length..self.length + size;
        (&mut self.candidates[cells.clone()], &mut self.counts[cells.clone()], &mut self.bases[cells])
    }

    /// Takes these candidates with their counts.
    #[inline(always)]
    pub(crate) fn put_all(&mut self, met: impl ExactSizeIterator<Item = (u32, f64)>, (bases, fade): (&[f64], f64)) {
        let end = self.length + met.len();
        let (candidates, counts, to_bases) = self.next(met.len());
        for (((candidate, count), base), (found, number)) in candidates.iter_mut().zip(counts).zip(to_bases).zip(met) {
            *candidate = found;
            *count = number;
            *base = bases[found as usize] * fade;
        }
        self.length = end;
    }
}
