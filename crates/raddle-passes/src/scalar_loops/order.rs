//! Orders: what a comparator says of every list, where that can be seen from its region.
//!
//! Threads that share a line compare its elements in no particular sequence. That gives what comparing them one after the
//! other gives if the comparator orders the elements: it compares one number of each, computed alike on both sides, by a
//! relation that is a total order of numbers. NaNs have no place in it; relations that a NaN fulfils are not orders
//! here.

use raddle_ir::{Attr, BlockId, Class, Def, Ir, OpId, Opcode, ValueId};

/// `ogt`, `oge`, `olt` and `ole`, as `arith.cmpf` numbers them: false for NaNs.
const FLOATS: std::ops::RangeInclusive<i64> = 2..=5;
/// `slt` to `uge`, as `arith.cmpi` numbers them.
const INTEGERS: std::ops::RangeInclusive<i64> = 2..=9;
/// Of these, those that smaller numbers fulfil, and those that compare signs.
const FLOATS_LESS: [i64; 2] = [4, 5];
const INTEGERS_LESS: [i64; 4] = [2, 3, 6, 7];
const INTEGERS_SIGNED: [i64; 4] = [2, 3, 4, 5];

/// Values of a comparator that are looked at, at most.
const VALUES_MAX: usize = 256;

/// Why lines are not shared where there is none.
pub(super) const NONE: &str = "its comparator is not the order of a number that it computes of each element";

/// A comparator that orders elements, but for NaNs.
pub(crate) struct Order {
    /// The number of the second element that the region compares, if it may be a NaN: a value of the region.
    pub second: Option<ValueId>,
    /// The number of the second element that it compares, NaN or not.
    pub number: ValueId,
    /// Whether smaller numbers come first, and whether it compares signs.
    pub ascends: bool,
    pub is_signed: bool,
    /// Which operands of the operation it reads; the first elements of pairs are even arguments, the second ones odd.
    pub operands: Vec<usize>,
    /// The comparison.
    comparison: OpId,
}

impl Order {
    /// Equal elements do not precede one another from here on.
    pub fn make_strict(&self, ir: &mut Ir) {
        let predicate = ir.attr(self.comparison, "predicate").and_then(Attr::as_i64).unwrap_or_default();
        // The relations of both ranges come in pairs, of which the odd one holds for equals, too.
        let strict = ir.i64_attr(predicate & !1);
        ir.set_attr(self.comparison, "predicate", strict);
    }
}

/// The order of a region whose arguments are pairs of elements, the first of which it says to come first or not.
pub(super) fn of(ir: &Ir, op: OpId) -> Option<Order> {
    let block = ir.body(op, 0)?;
    let end = ir.terminator(block)?;
    let comparison = ir.def_op(ir.operand(end, 0)).filter(|&op| ir.parent_block(op) == Some(block))?;
    let predicate = ir.attr(comparison, "predicate")?.as_i64()?;
    let floats = match ir.opcode(comparison) {
        Opcode::ArithCmpf if FLOATS.contains(&predicate) => true,
        Opcode::ArithCmpi if INTEGERS.contains(&predicate) => false,
        _ => return None,
    };
    let &[one, other] = ir.operands(comparison) else { return None };
    let mut sides = Sides { ir, block, read: Vec::new(), left: VALUES_MAX };
    let first = sides.of(one, other)??;
    let Sides { mut read, .. } = sides;
    if read.iter().any(|arg| arg % 2 != first) {
        return None;
    }
    read.sort_unstable();
    read.dedup();
    let second = if first == 0 { other } else { one };
    let operands = read.into_iter().map(|arg| arg / 2).collect();
    let is_less = if floats { FLOATS_LESS.contains(&predicate) } else { INTEGERS_LESS.contains(&predicate) };
    Some(Order {
        second: floats.then_some(second),
        number: second,
        ascends: is_less == (first == 0),
        is_signed: floats || INTEGERS_SIGNED.contains(&predicate),
        operands,
        comparison,
    })
}

/// The two sides of a comparator.
struct Sides<'a> {
    ir: &'a Ir,
    block: BlockId,
    /// The arguments that the one side reads.
    read: Vec<usize>,
    /// How many more values may be looked at.
    left: usize,
}

impl Sides<'_> {
    /// Whether two values are the same function of the first and the second elements of pairs, or the other way round.
    /// Gives which ones the first value reads, if it reads any.
    fn of(&mut self, one: ValueId, other: ValueId) -> Option<Option<usize>> {
        self.left = self.left.checked_sub(1)?;
        let ir = self.ir;
        match (ir.def(one), ir.def(other)) {
            (Def::Arg { block, index }, Def::Arg { block: too, index: at }) if [block, too] == [self.block; 2] => {
                let (index, at) = (index as usize, at as usize);
                self.read.push(index);
                (index ^ 1 == at).then_some(Some(index % 2))
            }
            // What is computed outside of the region is the same for all elements.
            _ if one == other && !self.is_inside(one) => Some(None),
            (Def::Result { op, index }, Def::Result { op: too, index: at }) => {
                let computes =
                    |op: OpId| matches!(ir.class(op), Class::Elementwise | Class::Constant) && self.is_inside(one);
                let alike = index == at
                    && [op, too].into_iter().all(computes)
                    && ir.opcode(op) == ir.opcode(too)
                    && ir.attr_dict(op) == ir.attr_dict(too)
                    && ir.type_of(one) == ir.type_of(other)
                    && ir.operands(op).len() == ir.operands(too).len();
                if !alike {
                    return None;
                }
                let mut reads = None;
                for (&one, &other) in ir.operands(op).iter().zip(ir.operands(too)) {
                    reads = self.of(one, other)?.or(reads);
                }
                Some(reads)
            }
            _ => None,
        }
    }

    fn is_inside(&self, value: ValueId) -> bool {
        match self.ir.def(value) {
            Def::Arg { block, .. } => block == self.block,
            Def::Result { op, .. } => self.ir.parent_block(op) == Some(self.block),
        }
    }
}
