//! Sorts lists of any type with the code for one.
//!
//! The standard library's stable sort is five kilobytes of code for each type and order, and the compiler sorts some
//! fifty: most of them short, and in order already. Here positions are sorted, and the elements follow. Numbers, which
//! all share one sort, and lists that one waits for, are sorted as everywhere.

use std::cmp::Ordering;

/// Sorts a list by an order; equal elements stay in theirs.
pub fn sort_by<T>(list: &mut [T], mut order: impl FnMut(&T, &T) -> Ordering) {
    let mut places = sorted(list.len(), &mut |a, b| order(&list[a], &list[b]));
    // Around each circle of places once: an element goes to its own, and the one that stood there goes on.
    for first in 0..places.len() {
        let mut at = first;
        while places[at] != first {
            let from = std::mem::replace(&mut places[at], at);
            list.swap(at, from);
            at = from;
        }
        places[at] = at;
    }
}

/// Sorts a list by what its elements are sorted by; equal elements stay in their order.
pub fn sort_by_key<T, K: Ord>(list: &mut [T], key: impl Fn(&T) -> K) {
    sort_by(list, |a, b| key(a).cmp(&key(b)));
}

/// Where the elements of so many stand, in their order; nothing if they are in order already.
fn sorted(n: usize, order: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    if (1..n).all(|at| order(at - 1, at).is_le()) {
        return Vec::new();
    }
    let mut places: Vec<usize> = (0..n).collect();
    places.sort_by(|&a, &b| order(a, b));
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every list of up to six elements of three values comes out as the standard library sorts it.
    #[test]
    fn elements_are_sorted_and_equal_ones_stay() {
        for n in 0..7 {
            for code in 0..3_usize.pow(n) {
                let list: Vec<(usize, u32)> = (0..n).map(|at| (code / 3_usize.pow(at) % 3, at)).collect();
                let (mut ours, mut theirs) = (list.clone(), list);
                sort_by_key(&mut ours, |entry| entry.0);
                theirs.sort_by_key(|entry| entry.0);
                assert_eq!(ours, theirs);
            }
        }
    }
}
