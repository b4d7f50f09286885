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

/// Makes the column as long as `size`, new elements being `value`. A column that grows again gets an eighth more than it
/// had, so that growing by one element a time costs as much as growing at once.
pub(crate) fn grow<T: Clone>(column: &mut Vec<T>, size: usize, value: T) {
    if size > column.capacity() {
        reserve(column, (size - column.len()).max(column.len() / 8));
    }
    column.resize(size, value);
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
    use super::{LONG, copy, grow};

    #[test]
    fn a_long_column_is_what_it_would_be_elsewhere() {
        for size in [0, 1, LONG / 4 - 1, LONG / 4, LONG / 2 + 3] {
            let mut column = vec![7u32; 2];
            grow(&mut column, size.max(2), 9);
            column[0] = 1;
            assert!(column.iter().enumerate().all(|(at, &x)| x == [1, 7, 9][at.min(2)]));
            assert_eq!(copy(&column), column);
        }
    }

    #[test]
    fn a_column_that_grows_by_one_is_seldom_moved() {
        let (mut column, mut moves) = (Vec::new(), 0);
        for size in 1..200_000 {
            let room = column.capacity();
            grow(&mut column, size, 0u64);
            moves += usize::from(column.capacity() != room);
        }
        assert!(moves < 120, "{moves}");
    }
}
