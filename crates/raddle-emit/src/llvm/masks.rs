//! Masked loads of vectors that take several registers, of which constants leave out one as a whole.
//!
//! LLVM 19 loads such a register without a mask where the target compares signs alone (AVX2, elements of 64 bits), and
//! reads in front of or behind the buffer. What constants leave out is left out here.

use raddle_ir::{Attr, Ir, Opcode, ValueId};

/// Bits of an element of a native vector: as many of these as a chip has lanes are a register.
const LANE_BITS: usize = 32;

/// `slt` and `ult` as `arith.cmpi` numbers them.
const LESS: i64 = 2;
const BELOW: i64 = 6;

/// How deep the search for constants goes.
const DEPTH_MAX: u32 = 8;

/// Which registers of a vector are loaded, where constants in its mask say so of some that they are not; `None` where all
/// are, or the vector is one register.
pub(super) fn loaded_registers(ir: &Ir, mask: ValueId, n: usize, bits: usize, lanes: usize) -> Option<Vec<bool>> {
    let n_registers = (n * bits).div_ceil(lanes * LANE_BITS);
    if n_registers < 2 || !n.is_multiple_of(n_registers) {
        return None;
    }
    let per_register = n / n_registers;
    let is_loaded = |register: usize| {
        (register * per_register..(register + 1) * per_register).any(|at| element(ir, mask, at, 0) != Some(0))
    };
    let found: Vec<bool> = (0..n_registers).map(is_loaded).collect();
    found.contains(&false).then_some(found)
}

/// An element of a vector, if it is a constant by what bounds of rows are made of.
fn element(ir: &Ir, vector: ValueId, at: usize, depth: u32) -> Option<i64> {
    let op = ir.def_op(vector).filter(|_| depth < DEPTH_MAX)?;
    let of = |operand: usize| element(ir, ir.operand(op, operand), at, depth + 1);
    match ir.opcode(op) {
        Opcode::ArithConstant => match ir.attr(op, "value")? {
            dense @ Attr::Dense { splat, .. } => ir.dense_elems(dense).get(if *splat { 0 } else { at })?.as_i64(),
            scalar => scalar.as_i64(),
        },
        Opcode::VectorFromElements => ir.const_int(*ir.operands(op).get(at)?),
        Opcode::VectorBroadcast => ir.const_int(ir.operand(op, 0)),
        Opcode::ArithAddi => of(0)?.checked_add(of(1)?),
        Opcode::ArithAndi => match (of(0), of(1)) {
            (Some(0), _) | (_, Some(0)) => Some(0),
            (a, b) => Some(a? & b?),
        },
        Opcode::ArithCmpi => {
            let (a, b) = (of(0)?, of(1)?);
            match ir.attr(op, "predicate")?.as_i64()? {
                LESS => Some((a < b).into()),
                BELOW => Some(((a as u64) < b as u64).into()),
                _ => None,
            }
        }
        _ => None,
    }
}
