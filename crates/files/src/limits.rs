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
}

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
        }
    }
}
