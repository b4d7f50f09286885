//! Destinations drawn in proportion to their counts.

use crate::random::Draws;

/// Running sums of the counts: a number below the total stands for the destination in whose interval it lies.
///
/// Destination z owns `below[z]..below[z + 1]`, as many numbers as it was counted.
pub struct Popularity {
    below: Vec<u64>,
    /// For each block of 2^`shift` numbers the destination of its first one, so that a search is short.
    guide: Vec<u32>,
    shift: u32,
}

impl Popularity {
    /// Sums up the counts; None where the sum leaves 64 bits.
    pub fn new(counts: &[u64]) -> Option<Self> {
        let mut below = Vec::with_capacity(counts.len() + 1);
        below.push(0u64);
        let mut total = 0u64;
        for &count in counts {
            total = total.checked_add(count)?;
            below.push(total);
        }
        let per_block = (total / (counts.len() as u64).max(1)).max(1);
        let shift = per_block.ilog2();
        let mut guide = Vec::new();
        let mut destination = 0usize;
        for block in 0..=total >> shift {
            while destination + 1 < counts.len() && below[destination + 1] <= block << shift {
                destination += 1;
            }
            guide.push(destination as u32);
        }
        Some(Self { below, guide, shift })
    }

    /// How many numbers stand for destinations other than this one.
    pub fn others(&self, excluded: u32) -> u64 {
        self.total() - self.count(excluded)
    }

    /// Draw `index`: a destination other than `excluded`.
    #[inline]
    pub fn draw(&self, draws: Draws, index: u64, excluded: u32) -> u32 {
        let number = draws.below_u64(index, self.others(excluded));
        // The numbers of the excluded destination are jumped over, so nothing is drawn twice.
        let jump = if number >= self.below[excluded as usize] { self.count(excluded) } else { 0 };
        self.owner(number + jump)
    }

    fn owner(&self, number: u64) -> u32 {
        let block = (number >> self.shift) as usize;
        let first = self.guide[block] as usize;
        let end = self.guide.get(block + 1).map_or(self.below.len() - 2, |&z| z as usize);
        (first + self.below[first + 1..=end].partition_point(|&sum| sum <= number)) as u32
    }

    fn count(&self, destination: u32) -> u64 {
        let z = destination as usize;
        self.below[z + 1] - self.below[z]
    }

    fn total(&self) -> u64 {
        self.below[self.below.len() - 1]
    }
}

#[cfg(test)]
mod tests {
    use super::Popularity;

    #[test]
    fn every_number_belongs_to_the_destination_whose_interval_holds_it() {
        let tables: [&[u64]; 5] = [&[3], &[0, 5, 0, 0, 1, 7, 0], &[1; 40], &[0, 0, 1000], &[900, 1, 0, 1, 1, 0]];
        for counts in tables {
            let table = Popularity::new(counts).unwrap();
            let owners = counts.iter().enumerate().flat_map(|(z, &count)| vec![z as u32; count as usize]);
            for (number, owner) in owners.enumerate() {
                assert_eq!(table.owner(number as u64), owner, "{counts:?}: {number}");
            }
        }
        assert!(Popularity::new(&[u64::MAX, 1]).is_none());
    }
}
