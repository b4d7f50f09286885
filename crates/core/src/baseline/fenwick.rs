//! A Fenwick tree: how many of the first ids are marked, and which id is the n-th marked one.

/// Marks over ids `0..size`.
#[derive(Clone, Debug)]
pub struct Fenwick {
    tree: Vec<i64>,
    total: i64,
}

impl Fenwick {
    /// Nothing marked.
    pub fn new(size: usize) -> Self {
        Self { tree: vec![0; size + 1], total: 0 }
    }

    /// Adds to the marks of an id.
    pub fn add(&mut self, id: usize, marks: i64) {
        self.total += marks;
        let mut at = id + 1;
        while at < self.tree.len() {
            self.tree[at] += marks;
            at += at & at.wrapping_neg();
        }
    }

    /// Number of marked ids.
    pub fn total(&self) -> usize {
        self.total as usize
    }

    /// The last of the first `count` marked ids; of all of them if there are fewer; nothing if that is none.
    ///
    /// ```
    /// # use linkgram_core::baseline::fenwick::Fenwick;
    /// let mut tree = Fenwick::new(10);
    /// [2, 5, 7].iter().for_each(|&id| tree.add(id, 1));
    /// assert_eq!([tree.last_of_first(0), tree.last_of_first(2), tree.last_of_first(9)], [None, Some(5), Some(7)]);
    /// ```
    pub fn last_of_first(&self, count: usize) -> Option<u32> {
        let mut left = count.min(self.total()) as i64;
        if left == 0 {
            return None;
        }
        let mut at = 0;
        let mut step = self.tree.len().next_power_of_two() / 2;
        while step > 0 {
            if at + step < self.tree.len() && self.tree[at + step] < left {
                at += step;
                left -= self.tree[at];
            }
            step /= 2;
        }
        Some(at as u32)
    }
}
