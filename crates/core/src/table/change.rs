//! Changing a table: one cell at a time, and the growth of its row where the cell is new.
//!
//! `SECOND` says whether the table has second values, so that the compiler knows the size of a cell.

use crate::arena::{Arena, BUCKET, EMPTY, REACH, next_size};
use crate::machine::match_mask;
use crate::table::fade::{catch_up, catch_up_all};
use crate::table::{Packed, Row, Table, bucket_of, line_at};
use std::marker::PhantomData;

/// The values of one cell, to be changed. What is not asked for is not touched.
pub struct Values<'a, A, B, const SECOND: bool> {
    words: &'a mut [u32; REACH],
    width: usize,
    slot: usize,
    values: PhantomData<(A, B)>,
}

impl<A: Packed, B: Packed, const SECOND: bool> Values<'_, A, B, SECOND> {
    #[inline(always)]
    fn first_at(&self) -> usize {
        (self.width + self.slot * A::WORDS) % REACH
    }

    #[inline(always)]
    fn second_at(&self) -> usize {
        (self.width * (1 + A::WORDS) + self.slot * B::WORDS) % REACH
    }

    /// The first value.
    #[inline(always)]
    pub fn first(&self) -> A {
        A::unpack(self.words, self.first_at())
    }

    /// The second value; the default if the table has none.
    #[inline(always)]
    pub fn second(&self) -> B {
        if SECOND { B::unpack(self.words, self.second_at()) } else { B::default() }
    }

    /// Replaces the first value.
    #[inline(always)]
    pub fn set_first(&mut self, value: A) {
        let at = self.first_at();
        value.pack(self.words, at);
    }

    /// Replaces the second value, if the table has one.
    #[inline(always)]
    pub fn set_second(&mut self, value: B) {
        if SECOND {
            let at = self.second_at();
            value.pack(self.words, at);
        }
    }
}

impl<A: Packed, B: Packed> Table<A, B> {
    /// Words of a cell.
    pub(super) const fn cell_words<const SECOND: bool>() -> usize {
        1 + A::WORDS + if SECOND { B::WORDS } else { 0 }
    }

    /// Changes the values of `key` in the row of `context`, and the row's totals; the cell is made if it is new (with
    /// default values).
    #[inline(always)]
    pub fn change<const SECOND: bool>(
        &mut self,
        context: u32,
        key: u32,
        change: impl FnOnce(&mut Row, Values<'_, A, B, SECOND>),
    ) {
        debug_assert_eq!(SECOND, self.with_second);
        let row = &mut self.rows[context as usize];
        let (buckets, own) = (row.buckets(), row.own_words());
        let start = self.arena.start(row.offset);
        let mut bucket = bucket_of(key, buckets);
        loop {
            let base = start + bucket * BUCKET * Self::cell_words::<SECOND>();
            let words = reach_at(self.arena.words_mut(), base);
            let line: &[u32; BUCKET] = words.first_chunk().expect("a bucket is shorter than its reach");
            let hits = match_mask(line, key) & own;
            if hits != 0 {
                let slot = hits.trailing_zeros() as usize;
                let words = if Self::is_behind(row) {
                    catch_up::<A, B, SECOND>(&mut self.arena, row, bucket, base)
                } else {
                    words
                };
                let values = Values { words, width: row.width(), slot, values: PhantomData };
                return change(row, values);
            }
            if buckets == 1 || line[BUCKET - 1] == EMPTY {
                if row.len() == most(row.capacity()) {
                    let (base, slot) = grow::<A, B, SECOND>(&mut self.arena, row, key);
                    let words = reach_at(self.arena.words_mut(), base);
                    let values = insert(words, row, slot, key);
                    return change(row, values);
                }
                let slot = if buckets == 1 { row.len() } else { match_mask(line, EMPTY).trailing_zeros() as usize };
                let words = if Self::is_behind(row) {
                    catch_up::<A, B, SECOND>(&mut self.arena, row, bucket, base)
                } else {
                    words
                };
                let values = insert(words, row, slot, key);
                return change(row, values);
            }
            bucket = if bucket + 1 == buckets { 0 } else { bucket + 1 };
        }
    }
}

/// Keys that a row of so many places holds before it must grow.
#[inline(always)]
fn most(places: usize) -> usize {
    if places <= BUCKET { places } else { places * 5 / 6 }
}

/// The words from `base` on, as far as a bucket may reach.
#[inline(always)]
pub(super) fn reach_at(words: &mut [u32], base: usize) -> &mut [u32; REACH] {
    words[base..].first_chunk_mut().expect("so many words follow every place")
}

/// Writes a new cell into a free place of `row`, its values default.
#[inline(always)]
fn insert<'a, A: Packed, B: Packed, const SECOND: bool>(
    words: &'a mut [u32; REACH],
    row: &mut Row,
    slot: usize,
    key: u32,
) -> Values<'a, A, B, SECOND> {
    words[slot % BUCKET] = key;
    row.length += 1;
    let mut values = Values { words, width: row.width(), slot, values: PhantomData };
    values.set_first(A::default());
    values.set_second(B::default());
    values
}

/// Moves a full row to a place of the next size, and says where `key` has its place there.
#[inline(never)]
fn grow<A: Packed, B: Packed, const SECOND: bool>(arena: &mut Arena, row: &mut Row, key: u32) -> (usize, usize) {
    let old = *row;
    if Table::<A, B>::is_behind(&old) {
        catch_up_all::<A, B, SECOND>(arena, &old);
    }
    let places = next_size(old.capacity()).max(arena.smallest());
    (row.offset, row.places) = (arena.allocate(places), places as u32);
    match old.places {
        0 => {}
        1 => copy_list::<A, B, SECOND, 1>(arena, &old, row),
        2 => copy_list::<A, B, SECOND, 2>(arena, &old, row),
        4 => copy_list::<A, B, SECOND, 4>(arena, &old, row),
        8 => copy_list::<A, B, SECOND, 8>(arena, &old, row),
        _ => copy_cells::<A, B, SECOND>(arena, &old, row),
    }
    if old.places > 0 {
        arena.release(old.offset, old.capacity());
    }
    row.set_mixed(false);
    let start = arena.start(row.offset);
    if places <= BUCKET { (start, row.len()) } else { free_place::<A, B, SECOND>(arena, start, row, key) }
}

/// Copies a list of `N` cells into a longer list, column by column.
fn copy_list<A: Packed, B: Packed, const SECOND: bool, const N: usize>(arena: &mut Arena, old: &Row, new: &Row) {
    let (from, to) = (arena.start(old.offset), arena.start(new.offset));
    let words = arena.words_mut();
    let mut copy = |from: usize, to: usize, columns: usize| {
        for column in 0..columns {
            let numbers: [u32; N] = *words[from + column * N..].first_chunk().expect("the list is so long");
            *words[to + column * N..].first_chunk_mut().expect("the new one is longer") = numbers;
        }
    };
    copy(from, to, 1);
    copy(from + N, to + new.width(), A::WORDS);
    if SECOND {
        copy(from + N * (1 + A::WORDS), to + new.width() * (1 + A::WORDS), B::WORDS);
    }
}

/// Where a key that `row` does not hold has its free place.
#[inline(always)]
fn free_place<A: Packed, B: Packed, const SECOND: bool>(
    arena: &Arena,
    start: usize,
    row: &Row,
    key: u32,
) -> (usize, usize) {
    let buckets = row.buckets();
    let mut bucket = bucket_of(key, buckets);
    loop {
        let base = start + bucket * BUCKET * Table::<A, B>::cell_words::<SECOND>();
        let free = match_mask(line_at(arena.words(), base), EMPTY);
        if free != 0 {
            return (base, free.trailing_zeros() as usize);
        }
        bucket = if bucket + 1 == buckets { 0 } else { bucket + 1 };
    }
}

/// Copies the cells of a row into the buckets of another, whose keys are empty.
fn copy_cells<A: Packed, B: Packed, const SECOND: bool>(arena: &mut Arena, old: &Row, new: &Row) {
    let (from, to) = (arena.start(old.offset), arena.start(new.offset));
    let with_second = 1 + A::WORDS;
    for bucket in 0..old.buckets() {
        let cells: [u32; REACH] =
            *reach_at(arena.words_mut(), from + bucket * BUCKET * Table::<A, B>::cell_words::<SECOND>());
        for (slot, &key) in cells[..BUCKET].iter().enumerate() {
            if key == EMPTY {
                break;
            }
            let (base, place) = free_place::<A, B, SECOND>(arena, to, new, key);
            let words = reach_at(arena.words_mut(), base);
            words[place % BUCKET] = key;
            let first = A::unpack(&cells, BUCKET + slot * A::WORDS);
            first.pack(words, (BUCKET + place * A::WORDS) % REACH);
            if SECOND {
                let second = B::unpack(&cells, BUCKET * with_second + slot * B::WORDS);
                second.pack(words, (BUCKET * with_second + place * B::WORDS) % REACH);
            }
        }
    }
}
