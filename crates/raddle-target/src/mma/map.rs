//! Operand maps: which bit of a thread's and a slot's number stands for which bit of a coordinate.
//!
//! ```text
//! lane[k1 k2 m0 m1 m2] slot[k0 m3 k3]
//! ```
//!
//! reads, least significant bit first: bit 0 of the lane's number is bit 1 of k, and so on; slots count in the order of
//! the hardware's registers. That is how the vendors' tables are regular, and the whole of an operand fits in a line.

use std::fmt;
use std::ops::Range;

use raddle_layout::{Digit, Kind, Layout};

/// What a digit of the hardware's number stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Token {
    /// A digit of a coordinate: steps of `2^bit` along `dim`. A bit has extent 2.
    Digit {
        /// The dimension's letter.
        dim: char,
        /// The power of two of one step.
        bit: u32,
        /// How many values it has.
        extent: i64,
    },
    /// Both values hold the same elements.
    Same,
    /// Only value 0 holds anything.
    Nothing,
}

/// Which element each slot of each thread holds.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Map {
    /// A letter for each dimension.
    pub dims: &'static str,
    /// The extents.
    pub shape: Vec<i64>,
    /// Digits of the lane's number, least significant first.
    pub lane: Vec<Token>,
    /// Digits of the subgroup's number, where several subgroups execute one instruction.
    pub subgroup: Vec<Token>,
    /// Digits of the slot's number, in the order of the hardware's registers.
    pub slot: Vec<Token>,
}

/// Bits of one dimension, lowest first.
pub(super) fn bits(dim: char, range: Range<u32>) -> Vec<Token> {
    range.map(|bit| Token::bit(dim, bit)).collect()
}

/// All bits that an extent needs.
pub(super) fn all_bits(dim: char, extent: i64) -> Vec<Token> {
    bits(dim, 0..log2(extent))
}

/// The logarithm of a power of two.
pub(super) fn log2(extent: i64) -> u32 {
    assert!(extent > 0 && extent & (extent - 1) == 0, "extents of these rows are powers of two");
    extent.trailing_zeros()
}

impl Token {
    /// One bit of a dimension.
    pub fn bit(dim: char, bit: u32) -> Token {
        Token::Digit { dim, bit, extent: 2 }
    }

    /// The power of two of one step, where the digit is one of `dim`.
    pub(super) fn bit_of(self, dim: char) -> Option<u32> {
        match self {
            Token::Digit { dim: own, bit, .. } if own == dim => Some(bit),
            Token::Digit { .. } | Token::Same | Token::Nothing => None,
        }
    }

    /// How many values the digit has.
    pub fn extent(self) -> i64 {
        match self {
            Token::Digit { extent, .. } => extent,
            Token::Same | Token::Nothing => 2,
        }
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Token::Digit { dim, bit, extent: 2 } => write!(f, "{dim}{bit}"),
            Token::Digit { dim, bit, extent } => write!(f, "{dim}{bit}*{extent}"),
            Token::Same => write!(f, "0"),
            Token::Nothing => write!(f, "x"),
        }
    }
}

impl fmt::Display for Map {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |tokens: &[Token]| tokens.iter().map(Token::to_string).collect::<Vec<String>>().join(" ");
        write!(f, "lane[{}] slot[{}]", list(&self.lane), list(&self.slot))?;
        if !self.subgroup.is_empty() {
            write!(f, " subgroup[{}]", list(&self.subgroup))?;
        }
        Ok(())
    }
}

impl Map {
    /// A map of one subgroup.
    pub(super) fn new<const N: usize>(dims: &'static str, shape: [i64; N], lane: Vec<Token>, slot: Vec<Token>) -> Map {
        assert_eq!(dims.len(), N, "a letter for each extent");
        Map { dims, shape: shape.to_vec(), lane, subgroup: Vec::new(), slot }
    }

    /// The same, where several subgroups execute one instruction.
    pub(super) fn with_subgroup(self, subgroup: Vec<Token>) -> Map {
        Map { subgroup, ..self }
    }

    /// The same with the last two dimensions exchanged: what held an element at (m, n) holds that at (n, m).
    pub fn transposed(&self) -> Map {
        let mut letters = self.dims.chars().rev();
        let (Some(column), Some(row)) = (letters.next(), letters.next()) else { return self.clone() };
        let turn = |token: &Token| match *token {
            Token::Digit { dim, bit, extent } if dim == row => Token::Digit { dim: column, bit, extent },
            Token::Digit { dim, bit, extent } if dim == column => Token::Digit { dim: row, bit, extent },
            other => other,
        };
        let [lane, subgroup, slot] =
            [&self.lane, &self.subgroup, &self.slot].map(|tokens| tokens.iter().map(turn).collect());
        let mut shape = self.shape.clone();
        let last = shape.len() - 1;
        shape.swap(last - 1, last);
        Map { dims: self.dims, shape, lane, subgroup, slot }
    }

    /// Lanes of one subgroup.
    pub fn n_lanes(&self) -> i64 {
        count(&self.lane)
    }

    /// Subgroups that execute the instruction together.
    pub fn n_subgroups(&self) -> i64 {
        count(&self.subgroup)
    }

    /// Elements that one lane holds.
    pub fn n_slots(&self) -> i64 {
        count(&self.slot)
    }

    /// How many lanes and slots hold the same element.
    pub fn replication(&self) -> i64 {
        self.tokens().filter(|token| *token == Token::Same).map(Token::extent).product()
    }

    /// Whether some lanes hold nothing.
    pub fn is_masked(&self) -> bool {
        self.tokens().any(|token| token == Token::Nothing)
    }

    /// The coordinate of a slot, or `None` where the lane holds nothing.
    pub fn coord(&self, subgroup: i64, lane: i64, slot: i64) -> Option<Vec<i64>> {
        let mut coord = vec![0; self.shape.len()];
        for (tokens, mut rest) in [(&self.slot, slot), (&self.lane, lane), (&self.subgroup, subgroup)] {
            for token in tokens {
                let value = rest % token.extent();
                rest /= token.extent();
                match *token {
                    Token::Digit { dim, bit, .. } => coord[self.index(dim)] += value << bit,
                    Token::Same => {}
                    Token::Nothing if value != 0 => return None,
                    Token::Nothing => {}
                }
            }
            assert_eq!(rest, 0, "there is no such place");
        }
        Some(coord)
    }

    /// The same as a layout.
    pub fn layout(&self) -> Layout {
        let rank = self.shape.len();
        let digit = |token: &Token| match *token {
            Token::Digit { dim, bit, extent } => Digit::shard(extent, rank, self.index(dim), 1 << bit),
            Token::Same => Digit::still(2, rank, Kind::Replicate),
            Token::Nothing => Digit::still(2, rank, Kind::Unused),
        };
        let digits = |tokens: &[Token]| tokens.iter().map(digit).collect();
        match Layout::new(self.shape.clone(), digits(&self.slot), digits(&self.lane), digits(&self.subgroup)) {
            Ok(layout) => layout,
            Err(error) => panic!("each row's maps fit its shape: {error}"),
        }
    }

    fn index(&self, dim: char) -> usize {
        match self.dims.chars().position(|letter| letter == dim) {
            Some(index) => index,
            None => panic!("a map of {} has no {dim}", self.dims),
        }
    }

    fn tokens(&self) -> impl Iterator<Item = Token> + '_ {
        [&self.slot, &self.lane, &self.subgroup].into_iter().flatten().copied()
    }
}

fn count(tokens: &[Token]) -> i64 {
    tokens.iter().map(|token| token.extent()).product()
}
