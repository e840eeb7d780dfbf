//! Powers below a maximum: say of `exp(x - m)`, where m is the maximum of x along a row, that its exponent is not positive.
//!
//! Before: `%m = linalg.reduce { arith.maximumf } %x`, and `math.exp (%x - %m)` of each element
//! After:  `math.exp … {raddle.not_positive}`, which [`crate::lower::expand_math`] writes with fewer operations.
//!
//! The maximum is taken of the same tensor, and each element is compared with that of its own row. Both may be extended.
//!
//! Where nothing but numbers of 16 bits is made of these powers, by their sum, quotients and products, they may be
//! approximated as attention's are (`fastmath<afn>`): a chip's instruction is exact to more digits than are left.

use raddle_ir::views::Linalg;
use raddle_ir::{Attr, Builder, Def, Ir, OpId, Opcode, ValueId};

use super::loops::{bits, is_float};
use crate::structured::body;

/// Says of a power that its exponent is not positive, or not a number: passes that take a power below a maximum know, and
/// it costs a third less then. Bits of results are those that they are without it.
pub const NOT_POSITIVE: &str = "raddle.not_positive";

pub(super) fn mark(ir: &mut Ir, func: OpId) {
    let found: Vec<OpId> = ir.walk(func).into_iter().filter(|&op| is_below_maximum(ir, op)).collect();
    let unit = ir.intern(Attr::Unit);
    for op in found {
        ir.set_attr(op, NOT_POSITIVE, unit);
        if !ir.may_approximate(op) && is_rounded(ir, ir.result(op, 0), true) {
            let flags = Builder::before(ir, op).keyword_attr("arith.fastmath", "afn");
            ir.set_attr(op, "fastmath", flags);
        }
    }
}

/// Whether all that is made of a value is rounded to 16 bits, and relative errors grow by no more than a few on the way: it
/// is multiplied and divided, and powers, none of which is negative, are summed.
fn is_rounded(ir: &Ir, value: ValueId, is_power: bool) -> bool {
    let elem = ir.elem_of(value);
    if is_float(ir, elem) && bits(ir, elem) <= 16 {
        return true;
    }
    !ir.is_unused(value)
        && ir.uses(value).all(|(user, operand)| match ir.opcode(user) {
            Opcode::ArithTruncf => bits(ir, ir.elem_of(ir.result(user, 0))) <= 16,
            Opcode::ArithMulf | Opcode::ArithDivf => is_rounded(ir, ir.result(user, 0), false),
            Opcode::ArithAddf => {
                let around = ir.parent_op(user).filter(|&around| Linalg::try_of(ir, around).is_some());
                let sums = around
                    .and_then(|around| body::reduction(ir, around))
                    .is_some_and(|sum| sum.combiner.opcode == Opcode::ArithAddf && sum.value == value);
                is_power && sums && is_rounded(ir, ir.result(user, 0), true)
            }
            Opcode::LinalgYield => ir
                .parent_op(user)
                .and_then(|around| ir.results(around).nth(operand))
                .is_some_and(|result| is_rounded(ir, result, is_power)),
            Opcode::TensorExpandShape | Opcode::TensorCollapseShape | Opcode::TensorCast => {
                is_rounded(ir, ir.result(user, 0), is_power)
            }
            _ => {
                let is_input = Linalg::try_of(ir, user).is_some_and(|linalg| operand < linalg.inputs.len());
                let arg = ir.body(user, 0).and_then(|body| ir.args(body).get(operand).copied());
                is_input && arg.is_some_and(|arg| ir.is_unused(arg) || is_rounded(ir, arg, is_power))
            }
        })
}

fn is_below_maximum(ir: &Ir, op: OpId) -> bool {
    below_maximum(ir, op).is_some()
}

/// What a power below a maximum is computed of.
pub(crate) struct Below {
    /// Takes the maximum.
    pub max: OpId,
    /// The tensor of whose elements it is.
    pub x: ValueId,
}

/// Takes a power below a maximum apart, if an operation in the body of a structured one is one.
pub(crate) fn below_maximum(ir: &Ir, op: OpId) -> Option<Below> {
    if !matches!(ir.opcode(op), Opcode::MathExp | Opcode::MathExp2) {
        return None;
    }
    let around = ir.parent_op(op)?;
    let linalg = Linalg::try_of(ir, around)?;
    let difference = ir.def_op(ir.operand(op, 0)).filter(|&def| ir.opcode(def) == Opcode::ArithSubf)?;
    let &[x, greatest] = ir.operands(difference) else { return None };
    let [x, greatest] = [input(ir, around, x)?, input(ir, around, greatest)?];
    let max = ir.def_op(*linalg.inputs.get(greatest)?)?;
    let row = Linalg::try_of(ir, max)?;
    let combines = body::reduction(ir, max)?;
    let reduced = input(ir, max, combines.value)?;
    let is_max = matches!(combines.combiner.opcode, Opcode::ArithMaximumf | Opcode::ArithMaxnumf);
    let of = *linalg.inputs.get(x)?;
    // Where each dimension of the maximum lies in the tensor, for the one that takes it and the one that makes it.
    let taken = places(&linalg, greatest, x)?;
    let made = places(&row, row.inputs.len(), reduced)?;
    (is_max && *row.inputs.get(reduced)? == of && taken == made).then_some(Below { max, x: of })
}

/// The input of a structured operation that a value of its body is, extended or not.
fn input(ir: &Ir, op: OpId, value: ValueId) -> Option<usize> {
    let value = match ir.def_op(value).filter(|&def| ir.opcode(def) == Opcode::ArithExtf) {
        Some(extended) => ir.operand(extended, 0),
        None => value,
    };
    match ir.def(value) {
        Def::Arg { block, index } if block == ir.entry(op) => Some(index as usize),
        _ => None,
    }
}

/// The dimension of operand `of` that goes along the same loop, for each dimension of another operand.
fn places(linalg: &Linalg, operand: usize, of: usize) -> Option<Vec<usize>> {
    let [own, dims] = [operand, of].map(|i| linalg.maps.get(i).and_then(|map| map.as_dims()));
    let dims = dims?;
    own?.into_iter().map(|d| dims.iter().position(|&other| other == d)).collect()
}
