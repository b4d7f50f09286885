//! How much a file may ask for. Every claimed length is an upper bound for reading, never a reason to allocate.

/// Bounds on what one pickle may hold at one time.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Values on the machine's stack. Picklers set a dictionary's items in groups of 1,000 pairs.
    pub stack: usize,
    /// Bytes held by all values on the stack.
    pub held: usize,
    /// Bytes of one text, byte string or array.
    pub one: usize,
    /// Members of one tuple.
    pub tuple: usize,
    /// Tuples inside tuples.
    pub depth: usize,
    /// Values that may be referred to from anywhere later in the file.
    pub kept: usize,
    /// Small values that may be referred to soon after they were built.
    pub recent: usize,
    /// Entries of the dictionary.
    pub entries: u64,
    /// Destinations of one entry.
    pub row: usize,
    /// Bytes of the file from one entry to the next: a file may not keep the machine busy without saying anything.
    pub idle: u64,
}

impl Limits {
    /// Bounds for `queries` entries, each of at most `destinations` numbers.
    ///
    /// What an honest file needs follows from these two; a dishonest one gets no more.
    #[must_use]
    pub fn of(queries: usize, destinations: usize) -> Self {
        let most = Self::default();
        // Protocol 2 writes eight bytes a number as text, which takes up to two bytes for each of them.
        let one = destinations.saturating_mul(16).clamp(64 << 10, most.one);
        let group = one.saturating_mul(GROUP).clamp(64 << 20, most.held);
        Self {
            held: group,
            one,
            // Every key is there once. Twice as many entries still read; endless ones must not fill the disk.
            entries: (queries as u64).saturating_mul(2).saturating_add(4_096),
            row: destinations,
            idle: 2 * group as u64,
            ..most
        }
    }
}

/// Entries that a pickler sets at one time.
const GROUP: usize = 1_000;

impl Default for Limits {
    fn default() -> Self {
        Self {
            stack: 16_384,
            held: 512 << 20,
            one: 128 << 20,
            tuple: 64,
            depth: 8,
            kept: 4_096,
            recent: 65_536,
            entries: 1 << 32,
            row: 1 << 24,
            idle: 1 << 30,
        }
    }
}
