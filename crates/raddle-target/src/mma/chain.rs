//! Chained products: where the accumulator of one already lies as A of the next wants it.
//!
//! In `(A·B)·D` the columns n of the first product are the k of the second. If in both maps a lane stands for the same
//! row, and its bits pick columns here as they pick k there, no value leaves its lane: the second product takes the
//! registers as they are, in another order at most.
//! Which bits they are need not agree: the second product may number k as it likes, if D is read with the same
//! numbering.
//!
//! Where the first product is computed transposed (operands swapped, so that it yields the transpose of C) rows and
//! columns trade places, which is how AMD's instructions chain.

use super::Operand;
use super::catalogue::Instruction;
use super::map::{Map, Token};

/// How an accumulator becomes the A of a second product of the same instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Chain {
    /// Lanes and k agree.
    Direct,
    /// Lanes agree under a permutation of k that D must follow: bit i of k is bit `k_bits[i]` of the columns, counted
    /// through accumulators side by side; the bits that are left number the second products.
    ///
    /// With block scales that is sound only where it keeps the blocks together.
    Permuted {
        /// The bit of the columns for each bit of k.
        k_bits: Vec<u32>,
    },
    /// Values must move between lanes.
    Moves,
}

/// The two ways to compute the first product.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chains {
    /// As written.
    pub direct: Chain,
    /// Transposed.
    pub swapped: Chain,
}

impl Instruction {
    /// Whether the accumulator feeds the next A. `None` where the question has no sense: several products in one, a
    /// sparse A, operands without a map.
    pub fn chains(&'static self) -> Option<Chains> {
        if self.blocks != 1 || self.sparse {
            return None;
        }
        let (a, c) = (self.map(Operand::A).ok()?, self.map(Operand::C).ok()?);
        Some(Chains { direct: chain(a, c, ['m', 'n']), swapped: chain(a, c, ['n', 'm']) })
    }
}

/// `row` and `column` are the dimensions of C that become m and k of A.
fn chain(a: &Map, c: &Map, [row, column]: [char; 2]) -> Chain {
    let threads = |map: &Map| [&map.lane[..], &map.subgroup].concat();
    let (a_threads, c_threads) = (threads(a), threads(c));
    if a_threads.len() != c_threads.len() {
        return Chain::Moves;
    }
    // The bit of the columns for each bit of k that lanes decide.
    let mut in_lanes = Vec::new();
    for (to, from) in a_threads.into_iter().zip(c_threads) {
        match (to, from) {
            (Token::Digit { dim: 'm', bit: to, .. }, Token::Digit { dim, bit: from, .. })
                if dim == row && to == from => {}
            (Token::Digit { dim: 'k', bit: to, .. }, Token::Digit { dim, bit: from, .. }) if dim == column => {
                in_lanes.push((to, from));
            }
            _ => return Chain::Moves,
        }
    }
    if in_lanes.iter().all(|(to, from)| to == from) {
        return Chain::Direct;
    }
    // Slots may be renumbered at will: the bits that lanes leave, in order.
    let mut in_slots = (0u32..).filter(|bit| in_lanes.iter().all(|(_, from)| from != bit));
    let n_bits = in_lanes.iter().map(|(to, _)| *to).chain(a.slot.iter().filter_map(|token| token.bit_of('k'))).max();
    let k_bits = (0..=n_bits.unwrap_or(0)).filter_map(|bit| match in_lanes.iter().find(|(to, _)| *to == bit) {
        Some((_, from)) => Some(*from),
        None => in_slots.next(),
    });
    Chain::Permuted { k_bits: k_bits.collect() }
}
