//! Long columns in large pages: where a table is far larger than what the processor keeps addresses of, every line that
//! is met for the first time costs a walk through the page table as well. Nothing here changes a result.

use crate::machine::use_large_pages;

/// Columns of fewer bytes are left as they are.
const LONG: usize = 4 << 20;

/// What one large page holds, and what an allocation needs of its first one for itself.
const LARGE: usize = 2 << 20;
const OVERHEAD: usize = 64;

/// Makes room for `more` elements. A long column gets whole large pages: the system then begins it where one begins, and
/// can move it to where it may grow without taking them apart.
pub(crate) fn reserve<T>(column: &mut Vec<T>, more: usize) {
    let room = column.len() + more;
    if room <= column.capacity() {
        return;
    }
    let bytes = room * size_of::<T>();
    if bytes < LONG {
        return column.reserve_exact(more);
    }
    let whole = (bytes + OVERHEAD).next_multiple_of(LARGE) - OVERHEAD;
    column.reserve_exact(whole / size_of::<T>() - column.len());
    use_large_pages(column);
}

/// A copy.
pub(crate) fn copy<T: Clone>(column: &[T]) -> Vec<T> {
    let mut copy = Vec::new();
    reserve(&mut copy, column.len());
    copy.extend_from_slice(column);
    copy
}

#[cfg(test)]
mod tests {
    use super::{LONG, copy, reserve};

    #[test]
    fn a_long_column_is_what_it_would_be_elsewhere() {
        for size in [0, 1, LONG / 4 - 1, LONG / 4, LONG / 2 + 3] {
            let mut column = vec![7u32; 2];
            reserve(&mut column, size);
            assert!(column.capacity() >= size + 2);
            column.resize(size + 2, 9);
            assert!(column.iter().enumerate().all(|(at, &x)| x == [7, 7, 9][at.min(2)]));
            assert_eq!(copy(&column), column);
        }
    }
}
