//! Rules of our own operations: which tile registers there are, and which of them fit together.

use super::Check;
use super::parts::Parts;
use crate::ids::{OpId, ValueId};
use crate::ir::Ir;
use crate::ops::Opcode;
use crate::types::{Float, Scalar};
use crate::views::TileRegister;

pub(super) fn check(ir: &Ir, op: OpId) -> Check {
    let at = Parts::of(ir, op);
    match ir.opcode(op) {
        Opcode::RaddleTileZero => register(&at, ir.result(op, 0)).map(|_| ()),
        Opcode::RaddleTileLoad => access(&at, ir.result(op, 0)),
        Opcode::RaddleTileStore => access(&at, at.one("value")),
        Opcode::RaddleTileDot => dot(&at),
        _ => Ok(()),
    }
}

fn register(at: &Parts<'_>, value: ValueId) -> Result<TileRegister, Box<crate::diag::Diag>> {
    let found = TileRegister::of(at.ir, at.ir.type_of(value));
    at.ensure(found.is_some(), "expected a tile register of 1 to 16 rows of 1 to 16 words, i32 or f32")?;
    Ok(found.expect("it was found"))
}

fn access(at: &Parts<'_>, value: ValueId) -> Check {
    register(at, value)?;
    at.ensure(at.rank("base") == 1, "expected a memref of rank 1")?;
    let bits = Scalar::of(&at.ir[at.elem("base")]).map_or(0, Scalar::bits);
    at.ensure(
        bits >= 8 && TileRegister::WORD.is_multiple_of(bits),
        "expected elements of 8, 16 or 32 bits in the memref",
    )
}

fn dot(at: &Parts<'_>) -> Check {
    let [a, b, c] = ["a", "b", "c"].map(|name| register(at, at.one(name)));
    let (a, b, c) = (a?, b?, c?);
    let result = register(at, at.ir.result(at.op, 0))?;
    let word = Scalar::Int(TileRegister::WORD);
    at.ensure(
        [a.elem, b.elem] == [word; 2] && [word, Scalar::Float(Float::F32)].contains(&c.elem),
        "expected factors of words of i32",
    )?;
    let fits = a.shape[1] == b.shape[0] && c.shape == [a.shape[0], b.shape[1]] && result == c;
    at.ensure(fits, "expected factors of MxK and KxN words and sums of MxN")
}
