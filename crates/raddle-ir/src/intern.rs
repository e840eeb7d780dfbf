//! Values that are kept once each.

use std::borrow::Borrow;
use std::hash::{BuildHasher, Hash};
use std::ops::Index;
use std::sync::Arc;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

/// Values in insertion order, each behind its hash, and a table of their places.
#[derive(Clone)]
struct Set<T> {
    entries: Vec<(u64, T)>,
    places: HashTable<u32>,
}

impl<T> Default for Set<T> {
    fn default() -> Set<T> {
        Set { entries: Vec::new(), places: HashTable::new() }
    }
}

impl<T> Set<T> {
    fn find<Q: ?Sized + Eq>(&self, hash: u64, value: &Q) -> Option<usize>
    where
        T: Borrow<Q>,
    {
        let is_it = |&at: &u32| self.entries[at as usize].1.borrow() == value;
        self.places.find(hash, is_it).map(|&at| at as usize)
    }

    /// Adds a value that is not there.
    fn push(&mut self, hash: u64, value: T) {
        self.places.insert_unique(hash, self.entries.len() as u32, |&at| self.entries[at as usize].0);
        self.entries.push((hash, value));
    }
}

/// Values in insertion order, each with one id. A copy has the same ids.
#[derive(Clone)]
pub(crate) struct Interner<T> {
    /// What copies have in common; its ids come first.
    shared: Arc<Set<T>>,
    own: Set<T>,
}

impl<T> Interner<T> {
    pub(crate) fn new() -> Interner<T> {
        Interner { shared: Arc::default(), own: Set::default() }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        self.shared.entries.iter().chain(&self.own.entries).map(|(_, value)| value)
    }

    fn find_hashed<Q: ?Sized + Eq>(&self, hash: u64, value: &Q) -> Option<u32>
    where
        T: Borrow<Q>,
    {
        let own = || self.own.find(hash, value).map(|at| self.shared.entries.len() + at);
        self.shared.find(hash, value).or_else(own).map(|at| at as u32)
    }
}

impl<T: Hash + Eq> Interner<T> {
    pub(crate) fn intern(&mut self, value: T) -> u32 {
        let hash = FxBuildHasher.hash_one(&value);
        self.find_hashed(hash, &value).unwrap_or_else(|| {
            self.own.push(hash, value);
            (self.shared.entries.len() + self.own.entries.len() - 1) as u32
        })
    }

    pub(crate) fn find<Q: ?Sized + Hash + Eq>(&self, value: &Q) -> Option<u32>
    where
        T: Borrow<Q>,
    {
        self.find_hashed(FxBuildHasher.hash_one(value), value)
    }

    /// Makes copies of what is here now cost nothing.
    pub(crate) fn share(&mut self)
    where
        T: Clone,
    {
        let shared = Arc::make_mut(&mut self.shared);
        for (hash, value) in std::mem::take(&mut self.own).entries {
            shared.push(hash, value);
        }
    }
}

impl<T> Index<usize> for Interner<T> {
    type Output = T;

    #[inline]
    fn index(&self, index: usize) -> &T {
        let shared = &self.shared.entries;
        match shared.get(index) {
            Some((_, value)) => value,
            None => &self.own.entries[index - shared.len()].1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Interner;

    /// Ids stay what they are, and those of copies go on behind what is shared.
    #[test]
    fn copies_know_what_is_shared() {
        let mut all = Interner::new();
        let known: Vec<u32> = ["a", "b"].map(|value| all.intern(value)).to_vec();
        all.share();
        let mut copy = all.clone();
        assert_eq!((copy.intern("c"), all.intern("d"), all.intern("a")), (2, 2, known[0]));
        all.share();
        assert_eq!((all.find("b"), all.find("d"), all.find("c")), (Some(known[1]), Some(2), None));
        assert_eq!((copy.find("b"), copy[2], all[2]), (Some(known[1]), "c", "d"));
        assert_eq!(all.iter().copied().collect::<Vec<_>>(), ["a", "b", "d"]);
    }
}
