//! Slots of rings: which one of them an index names.

use raddle_ir::{Def, Expr, Ir, OpId, Opcode, ValueId};

/// The number of a slot among those of an iteration: a constant, or what the iterations of a loop count, plus a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slot {
    /// The loop; `at` is added to the number of the iteration.
    pub of: Option<OpId>,
    /// Modulo the number of slots.
    pub at: i64,
    /// How many slots there are.
    pub n: i64,
}

impl Slot {
    /// The slot that an index names, if that can be told.
    pub fn of(ir: &Ir, index: ValueId, n: i64) -> Option<Slot> {
        if let Some(at) = ir.const_int(index) {
            return Some(Slot { of: None, at: at.rem_euclid(n), n });
        }
        let op = ir.def_op(index).filter(|&op| ir.opcode(op) == Opcode::AffineApply)?;
        let map = ir.map(op, "map")?;
        let &[operand] = ir.operands(op) else { return None };
        let [Expr::Mod(count, slots)] = &map.results[..] else { return None };
        // Whole steps that are added are added to the quotient as well.
        let (count, steps) = match &**count {
            Expr::Add(count, steps) => match **steps {
                Expr::Const(steps) => (count, steps),
                _ => return None,
            },
            _ => (count, 0),
        };
        // Of steps of one, each is a whole one.
        let (from, step) = match &**count {
            Expr::FloorDiv(from, step) => (&**from, if let Expr::Const(step) = **step { step } else { return None }),
            from => (from, 1),
        };
        let (more, Expr::Const(slots)) = (offset(from)?, &**slots) else { return None };
        let more = more.checked_add(steps.checked_mul(step)?)?;
        let (around, plus) = terms(ir, operand)?;
        let from = more.checked_add(plus)?;
        if *slots != n || step < 1 {
            return None;
        }
        match around {
            None => Some(Slot { of: None, at: from.div_euclid(step).rem_euclid(n), n }),
            Some(around) => {
                let [lower, by] = [0, 2].map(|i| ir.const_int(ir.operand(around, i)));
                let from = from.checked_add(lower?)?;
                let counts = by? == step && from % step == 0;
                counts.then_some(Slot { of: Some(around), at: (from / step).rem_euclid(n), n })
            }
        }
    }
}

/// The constant of `d0` or `d0 + constant`.
fn offset(expr: &Expr) -> Option<i64> {
    match expr {
        Expr::Dim(0) => Some(0),
        Expr::Add(a, b) => match (&**a, &**b) {
            (Expr::Dim(0), Expr::Const(n)) => Some(*n),
            _ => None,
        },
        _ => None,
    }
}

/// An index as the variable of a loop plus a number; without the loop, as a number.
fn terms(ir: &Ir, value: ValueId) -> Option<(Option<OpId>, i64)> {
    if let Some(number) = ir.const_int(value) {
        return Some((None, number));
    }
    match ir.def(value) {
        Def::Arg { block, index: 0 } => {
            let around = ir.region_parent(ir.block_region(block));
            (ir.opcode(around) == Opcode::ScfFor).then_some((Some(around), 0))
        }
        Def::Result { op, .. } if ir.opcode(op) == Opcode::ArithAddi => {
            let (around, number) = terms(ir, ir.operand(op, 0))?;
            Some((around, number.checked_add(ir.const_int(ir.operand(op, 1))?)?))
        }
        Def::Arg { .. } | Def::Result { .. } => None,
    }
}
