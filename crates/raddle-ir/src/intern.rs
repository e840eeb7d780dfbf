//! Values that are kept once each.

use std::hash::Hash;
use std::ops::Index;
use std::sync::Arc;

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

type Set<T> = IndexSet<T, FxBuildHasher>;

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
        self.shared.iter().chain(&self.own)
    }
}

impl<T: Hash + Eq> Interner<T> {
    pub(crate) fn intern(&mut self, value: T) -> u32 {
        let known = self.shared.get_index_of(&value);
        known.unwrap_or_else(|| self.shared.len() + self.own.insert_full(value).0) as u32
    }

    pub(crate) fn find<Q: ?Sized + Hash + indexmap::Equivalent<T>>(&self, value: &Q) -> Option<u32> {
        let own = || self.own.get_index_of(value).map(|index| self.shared.len() + index);
        self.shared.get_index_of(value).or_else(own).map(|index| index as u32)
    }

    /// Makes copies of what is here now cost nothing.
    pub(crate) fn share(&mut self)
    where
        T: Clone,
    {
        Arc::make_mut(&mut self.shared).extend(self.own.drain(..));
    }
}

impl<T> Index<usize> for Interner<T> {
    type Output = T;

    fn index(&self, index: usize) -> &T {
        match index.checked_sub(self.shared.len()) {
            Some(own) => &self.own[own],
            None => &self.shared[index],
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
