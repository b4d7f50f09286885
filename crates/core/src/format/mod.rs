//! The saved state, to the byte. All numbers little-endian; `f64` and `f32` as IEEE 754 bits.
//!
//! ```text
//! "LINKGRAM"  u32 version (2)  u8 bytes per cell (4 or 8)
//! note:           u32 length, that many bytes of UTF-8 (the face's own record; at most 1 MiB)
//! configuration:  u32 depth  u8 backoff (0 marginal, 1 continuation)  u8 additions (bit 0 co-occurrence,
//!                 bit 1 global recency, bit 2 multi-scale)  f64 alpha  f64 decay  f64 recency
//! weights:        u8 present; if 1: one f64 a feature, f64 bias
//! sources:        vocabulary      destinations: vocabulary
//!   vocabulary =  u8 kind (0 none yet, 1 integers, 2 texts)  u8 fixed  u64 count
//!                 count x (i64 | u32 length and UTF-8 bytes)
//! state:          u64 events  u8 any; if 1: f64 last time  2 x f64 landmark, the sum of both  u32 its epoch
//!                 f64 total  u32 epoch of the total
//! popularity:     for every destination: f64 count  f64 last  u32 continuation  u32 epoch
//! histories:      for every source: u8 length, length x u32 destination, newest first
//! source table:   for every source: row            cell = u32 destination, count, f64 last time
//! successors:     for every destination: row       cell = u32 destination, count [, co-occurrence count]
//!   row =         u32 cells; if not 0: u32 epoch  f64 total  f64 second total  cells x cell, by rising destination
//! u64             XXH3 of all bytes before it
//! ```
//!
//! A sum of an epoch is halved 58 times to belong to the next. All cells of a row are written as sums of its epoch.
//!
//! The form is canonical: the same history gives the same bytes, whatever way its rows grew in memory. Reading trusts
//! nothing: every length is held against the bytes that are left before anything is allocated, every id against its
//! vocabulary, every number against its range.

mod read;
mod write;

const MAGIC: &[u8; 8] = b"LINKGRAM";
const VERSION: u32 = 2;
const LONGEST_NOTE: usize = 1 << 20;
