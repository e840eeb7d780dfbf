//! Integers of a dispatch as affine expressions of its constants: `%lo | %hi << 32` is `s0 + s1 * 4294967296`.
//!
//! Constants are read without a sign: offsets and extents are not negative, and IREE passes them so.

use raddle_ir::affine::BinOp;
use raddle_ir::{Def, Expr, Ir, Opcode, ValueId};

/// Operations between a constant and its use, at most: programs have a handful.
const DEPTH_MAX: usize = 64;

/// The expression of a value; `None` where it is none.
pub fn expr(ir: &Ir, value: ValueId) -> Option<Expr> {
    expr_below(ir, value, DEPTH_MAX)
}

fn expr_below(ir: &Ir, value: ValueId, depth: usize) -> Option<Expr> {
    let depth = depth.checked_sub(1)?;
    if let Some(constant) = ir.const_int(value) {
        return Some(Expr::Const(constant));
    }
    let Def::Result { op, index } = ir.def(value) else { return None };
    let side = |at: usize| expr_below(ir, ir.operand(op, at), depth);
    let known = |at: usize| side(at).and_then(|expr| if let Expr::Const(value) = expr { Some(value) } else { None });
    let by = |op: BinOp| Some(Expr::binary(op, side(0)?, Expr::Const(known(1).filter(|&by| by > 0)?)));
    match ir.opcode(op) {
        Opcode::HalInterfaceConstantLoad => {
            let ordinal = ir.attr(op, "ordinal")?.as_i64()?;
            u32::try_from(ordinal).ok().map(Expr::Sym)
        }
        Opcode::ArithExtui | Opcode::ArithIndexCast | Opcode::ArithIndexCastui => side(0),
        Opcode::IreeTensorExtDispatchWorkloadOrdinal => side(0),
        Opcode::UtilAssumeInt => side(index as usize),
        Opcode::ArithShli => {
            let factor = known(1).and_then(|by| 1i64.checked_shl(u32::try_from(by).ok()?))?;
            (factor > 0).then_some(Expr::binary(BinOp::Mul, side(0)?, Expr::Const(factor)))
        }
        // The halves of a number of 64 bits do not overlap.
        Opcode::ArithOri => {
            let (a, b) = (side(0)?, side(1)?);
            let halves = |low: &Expr, high: &Expr| matches!(low, Expr::Sym(_)) && high.is_multiple(1 << 32);
            (halves(&a, &b) || halves(&b, &a)).then(|| Expr::binary(BinOp::Add, a, b))
        }
        Opcode::ArithAddi => Some(Expr::binary(BinOp::Add, side(0)?, side(1)?)),
        Opcode::ArithMuli => match (known(0), known(1)) {
            (Some(a), _) => Some(Expr::binary(BinOp::Mul, side(1)?, Expr::Const(a))),
            (_, Some(b)) => Some(Expr::binary(BinOp::Mul, side(0)?, Expr::Const(b))),
            _ => None,
        },
        Opcode::ArithDivui => by(BinOp::FloorDiv),
        Opcode::ArithCeildivui => by(BinOp::CeilDiv),
        Opcode::ArithRemui => by(BinOp::Mod),
        Opcode::AffineApply => {
            let map = ir.map(op, "map")?;
            let given = (0..ir.operands(op).len()).map(side).collect::<Option<Vec<Expr>>>()?;
            let (dims, syms) = given.split_at_checked(map.dims as usize)?;
            Some(map.results.first()?.replaced(dims, syms))
        }
        _ => None,
    }
}
