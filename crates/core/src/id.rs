//! Dense ids: who acts and what is acted on are different types, so they cannot be mixed up.
//!
//! External ids (integers or texts) become dense ones in a [`Vocabulary`](crate::Vocabulary); everything below it
//! counts from zero.

macro_rules! dense_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(transparent)]
        pub struct $name(pub u32);

        impl $name {
            /// Stands for every id that the history does not know: its rows are empty, its counts zero.
            pub const UNSEEN: Self = Self(u32::MAX);

            /// The id as a position in a dense array.
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

dense_id!(
    /// Who acts: dense id of a source.
    Source
);
dense_id!(
    /// What is acted on: dense id of a destination.
    Destination
);

/// How many ids of one kind there may be; the largest values are kept for markers.
pub const MAX_IDS: usize = (u32::MAX - 2) as usize;
