//! Values that are kept once each.

use std::borrow::Borrow;
use std::hash::{BuildHasher, Hash};
use std::ops::Index;
use std::sync::Arc;

use rustc_hash::FxBuildHasher;

/// No entry.
const NONE: u32 = u32::MAX;

/// Buckets of the first table.
const FIRST: usize = 64;

/// Values in insertion order, and a hash table of their places.
#[derive(Clone)]
struct Set<T> {
    entries: Vec<Entry<T>>,
    /// The latest entry of each bucket, or [`NONE`]; the number of buckets is a power of two.
    heads: Vec<u32>,
}

#[derive(Clone)]
struct Entry<T> {
    value: T,
    hash: u64,
    /// The entry of the same bucket in front of this one, or [`NONE`].
    next: u32,
}

impl<T> Default for Set<T> {
    fn default() -> Set<T> {
        Set { entries: Vec::new(), heads: Vec::new() }
    }
}

impl<T> Set<T> {
    fn bucket(&self, hash: u64) -> usize {
        hash as usize & self.heads.len().wrapping_sub(1)
    }

    fn find<Q: ?Sized + Eq>(&self, hash: u64, value: &Q) -> Option<usize>
    where
        T: Borrow<Q>,
    {
        let mut at = *self.heads.get(self.bucket(hash))? as usize;
        while let Some(entry) = self.entries.get(at) {
            if entry.hash == hash && entry.value.borrow() == value {
                return Some(at);
            }
            at = entry.next as usize;
        }
        None
    }

    /// Adds a value that is not there.
    fn push(&mut self, hash: u64, value: T) {
        if self.entries.len() == self.heads.len() {
            self.heads = vec![NONE; (2 * self.heads.len()).max(FIRST)];
            (0..self.entries.len()).for_each(|at| self.link(at));
        }
        self.entries.push(Entry { value, hash, next: NONE });
        self.link(self.entries.len() - 1);
    }

    /// Puts an entry in front of the others of its bucket.
    fn link(&mut self, at: usize) {
        let bucket = self.bucket(self.entries[at].hash);
        self.entries[at].next = std::mem::replace(&mut self.heads[bucket], at as u32);
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
        self.shared.entries.iter().chain(&self.own.entries).map(|entry| &entry.value)
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
        for Entry { value, hash, .. } in std::mem::take(&mut self.own).entries {
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
            Some(entry) => &entry.value,
            None => &self.own.entries[index - shared.len()].value,
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
