//! Masked loads of vectors that take several registers, of which constants leave out one as a whole.
//!
//! LLVM 19 loads such a register without a mask where the target compares signs alone (AVX2, elements of 64 bits), and
//! reads in front of or behind the buffer. What constants leave out is left out here.

use raddle_ir::{Attr, Ir, Opcode, ValueId};

/// Bits of an element of a native vector: as many of these as a chip has lanes are a register.
const LANE_BITS: usize = 32;

/// Which registers of a vector are loaded, where constants in its mask say so of some that they are not; `None` where all
/// are, or the vector is one register.
pub(super) fn loaded_registers(ir: &Ir, mask: ValueId, n: usize, bits: usize, lanes: usize) -> Option<Vec<bool>> {
    let n_registers = (n * bits).div_ceil(lanes * LANE_BITS);
    if n_registers < 2 || !n.is_multiple_of(n_registers) {
        return None;
    }
    let per_register = n / n_registers;
    let is_loaded = |register: usize| {
        (register * per_register..(register + 1) * per_register).any(|at| element(ir, mask, at) != Some(0))
    };
    let found: Vec<bool> = (0..n_registers).map(is_loaded).collect();
    found.contains(&false).then_some(found)
}

/// An element of a vector, if it is a constant.
fn element(ir: &Ir, vector: ValueId, at: usize) -> Option<i64> {
    let op = ir.def_op(vector)?;
    let of = |operand: usize| element(ir, ir.operand(op, operand), at);
    match ir.opcode(op) {
        Opcode::ArithConstant => match ir.attr(op, "value")? {
            dense @ Attr::Dense { splat, .. } => ir.dense_elems(dense).get(if *splat { 0 } else { at })?.as_i64(),
            scalar => scalar.as_i64(),
        },
        Opcode::VectorFromElements => ir.const_int(*ir.operands(op).get(at)?),
        Opcode::VectorBroadcast => ir.const_int(ir.operand(op, 0)),
        Opcode::ArithAddi => of(0)?.checked_add(of(1)?),
        Opcode::ArithSubi => of(0)?.checked_sub(of(1)?),
        Opcode::ArithAndi => match (of(0), of(1)) {
            (Some(0), _) | (_, Some(0)) => Some(0),
            (a, b) => Some(a? & b?),
        },
        Opcode::ArithCmpi => {
            let (a, b) = (of(0)?, of(1)?);
            // As `arith.cmpi` numbers its predicates.
            let holds = match ir.attr(op, "predicate")?.as_i64()? {
                0 => a == b,
                1 => a != b,
                2 => a < b,
                3 => a <= b,
                4 => a > b,
                5 => a >= b,
                6 => (a as u64) < b as u64,
                7 => a as u64 <= b as u64,
                8 => a as u64 > b as u64,
                9 => a as u64 >= b as u64,
                _ => return None,
            };
            Some(holds.into())
        }
        _ => None,
    }
}
