//! Alignment: where the memory that a kernel takes begins.
//!
//! Memory begins at a multiple of the widest access, so that whoever makes accesses need only look at places in it. A
//! dispatch of IREE may say otherwise: it packs small values into one binding, one behind the other, and
//! `raddle.interface` has the byte at which each begins.

use raddle_ir::interface::{Interface, Slot};
use raddle_ir::{Diag, Expr, Ir, OpId, Type, ValueId};
use rustc_hash::FxHashMap;

/// Bytes of the widest access.
pub const WIDEST: i64 = 16;

/// The bytes that a part of a binding begins at a multiple of, at most those of the widest access. An offset that only the
/// run knows is a multiple of that, as IREE's allocations are.
pub fn of_slot(slot: &Slot) -> i64 {
    match slot {
        Slot::Binding { offset, .. } => match offset.results[..] {
            [Expr::Const(bytes)] if bytes % WIDEST != 0 => 1 << bytes.trailing_zeros(),
            _ => WIDEST,
        },
        Slot::Constant(_) => WIDEST,
    }
}

/// The arguments of a kernel that begin at a multiple of fewer bytes than those of the widest access, with these.
#[derive(Default)]
pub struct Unaligned(FxHashMap<ValueId, i64>);

impl Unaligned {
    /// Those of a kernel.
    pub fn of(ir: &Ir, func: OpId) -> Result<Unaligned, Diag> {
        let Some(interface) = Interface::of(ir, func)? else { return Ok(Unaligned::default()) };
        let slots = interface.arguments.iter().chain(&interface.results).map(of_slot);
        let args = ir.args(ir.entry(func)).iter().copied();
        Ok(Unaligned(args.zip(slots).filter(|&(_, bytes)| bytes < WIDEST).collect()))
    }

    /// The bytes that the memory begins at a multiple of whose part a value is.
    pub fn begins_at(&self, ir: &Ir, memref: ValueId) -> i64 {
        if self.0.is_empty() {
            return WIDEST;
        }
        let source = |value: &ValueId| {
            let source = *ir.operands(ir.def_op(*value)?).first()?;
            matches!(ir.ty(source), Type::MemRef { .. }).then_some(source)
        };
        let whole = std::iter::successors(Some(memref), source).last().expect("there is the memory itself");
        self.0.get(&whole).copied().unwrap_or(WIDEST)
    }
}
