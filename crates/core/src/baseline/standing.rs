//! Standing: which destinations are among the K most popular, while popularity decays at every event.
//!
//! Decay changes no order, so a destination's key (the logarithm of its popularity, seen from a fixed event) moves only
//! when it has an event itself. The released vector of Base3 is single precision: a popularity sinks to a floor that
//! 0.95 cannot lower, and there destinations tie. So three groups stand one below the other: those above the floor by
//! falling key, the faded by rising id, the never seen by rising id. The slow form sorts all destinations.

use super::fenwick::Fenwick;
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// A place in the order: higher keys first, then lower ids.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Place(f64, u32);

impl Eq for Place {}

impl PartialOrd for Place {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Place {
    fn cmp(&self, other: &Self) -> Ordering {
        other.0.total_cmp(&self.0).then(self.1.cmp(&other.1))
    }
}

/// Where a destination stands.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Standing {
    Unseen,
    Above(f64),
    Faded,
}

/// The order of all destinations, cut after the first K.
#[derive(Clone, Debug)]
pub struct TopK {
    k: usize,
    standings: Vec<Standing>,
    /// The first of those above the floor, at most K, and the others.
    head: BTreeSet<Place>,
    tail: BTreeSet<Place>,
    faded: Fenwick,
    unseen: Fenwick,
    /// Largest ids of the faded and of the never seen that are still among the K.
    last_faded: Option<u32>,
    last_unseen: Option<u32>,
}

impl TopK {
    /// Nothing seen yet.
    pub fn new(k: usize, destinations: usize) -> Self {
        let mut unseen = Fenwick::new(destinations);
        (0..destinations).for_each(|id| unseen.add(id, 1));
        Self {
            k,
            standings: vec![Standing::Unseen; destinations],
            head: BTreeSet::new(),
            tail: BTreeSet::new(),
            faded: Fenwick::new(destinations),
            unseen,
            last_faded: None,
            last_unseen: None,
        }
    }

    /// Gives a destination a new key.
    pub fn raise(&mut self, id: u32, key: f64) {
        match self.standings[id as usize] {
            Standing::Unseen => self.unseen.add(id as usize, -1),
            Standing::Faded => self.faded.add(id as usize, -1),
            Standing::Above(old) => {
                let place = Place(old, id);
                if !self.head.remove(&place) {
                    self.tail.remove(&place);
                }
            }
        }
        self.standings[id as usize] = Standing::Above(key);
        self.head.insert(Place(key, id));
        self.balance();
    }

    /// Lets everything with a key up to `floor` fade.
    pub fn fade(&mut self, floor: f64) {
        loop {
            let from = if self.tail.is_empty() { &mut self.head } else { &mut self.tail };
            match from.last() {
                Some(&Place(key, id)) if key <= floor => {
                    from.pop_last();
                    self.standings[id as usize] = Standing::Faded;
                    self.faded.add(id as usize, 1);
                }
                _ => break,
            }
        }
        self.balance();
    }

    /// Keeps min(K, all) places in the head, every one of them before the tail.
    fn balance(&mut self) {
        while self.head.len() > self.k {
            let last = self.head.pop_last().expect("it has more than K places");
            self.tail.insert(last);
        }
        while let Some(&first) = self.tail.first() {
            let room = self.head.len() < self.k;
            let misplaced = self.head.last().is_some_and(|last| first < *last);
            if !room && !misplaced {
                break;
            }
            self.tail.pop_first();
            self.head.insert(first);
            if !room {
                let last = self.head.pop_last().expect("a place was just added");
                self.tail.insert(last);
            }
        }
    }

    /// Works out how far into the faded and the never seen the first K reach.
    pub fn cut(&mut self) {
        let room = self.k - self.head.len();
        self.last_faded = self.faded.last_of_first(room);
        self.last_unseen = self.unseen.last_of_first(room - room.min(self.faded.total()));
    }

    /// Whether a destination was among the first K at the last [`cut`](Self::cut).
    pub fn holds(&self, id: u32) -> bool {
        match self.standings.get(id as usize) {
            Some(&Standing::Above(key)) => self.head.last().is_some_and(|last| Place(key, id) <= *last),
            Some(Standing::Faded) => self.last_faded.is_some_and(|last| id <= last),
            Some(Standing::Unseen) => self.last_unseen.is_some_and(|last| id <= last),
            None => false,
        }
    }

    /// Whether it was ever seen, and not faded since.
    pub fn is_above(&self, id: u32) -> bool {
        matches!(self.standings[id as usize], Standing::Above(_))
    }

    /// Whether it was ever seen.
    pub fn is_seen(&self, id: u32) -> bool {
        self.standings[id as usize] != Standing::Unseen
    }
}
