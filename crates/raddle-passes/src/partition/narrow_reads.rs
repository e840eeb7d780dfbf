//! Narrow reads: elements that are read by number are read as they are in memory, and widened then.
//!
//! Before: `%1 = linalg.generic ins(%image)` that extends f16 to f32, of which another one takes `tensor.extract %1[…]`
//! After:  `tensor.extract %image[…]`, and `arith.extf` of the element
//!
//! So images that are made larger by PyTorch, in f32, are not written once more in front.

use raddle_ir::views::Linalg;
use raddle_ir::{BlockId, Builder, Class, Expr, Ir, OpId, Opcode, ValueId, ValueMap};

use crate::normalize::loops::bits;

/// Lets the operations of some blocks widen what they read.
pub(super) fn widen_late(ir: &mut Ir, blocks: &[BlockId]) {
    for op in blocks.iter().flat_map(|&block| ir.ops_of(block)).collect::<Vec<_>>() {
        if Linalg::try_of(ir, op).is_none() {
            continue;
        }
        for read in ir.walk(op).into_iter().filter(|&read| ir.opcode(read) == Opcode::TensorExtract).collect::<Vec<_>>()
        {
            if let Some(new) = widened(ir, read) {
                let old = ir.result(read, 0);
                ir.replace_uses(old, new);
                ir.erase(read);
            }
        }
    }
}

/// An element of what another operation widens, widened here.
fn widened(ir: &mut Ir, read: OpId) -> Option<ValueId> {
    let base = ir.operand(read, 0);
    let maker = ir.def_op(base)?;
    let linalg = Linalg::try_of(ir, maker).filter(|linalg| linalg.inputs.len() == 1 && linalg.outputs.len() == 1)?;
    let [cast, end] = ir.ops_of(ir.body(maker, 0)?)[..] else { return None };
    let (arg, input) = (ir.args(ir.entry(maker))[0], linalg.inputs[0]);
    // A function would be computed as often as it is read.
    let is_cast = ir.class(cast) == Class::Elementwise
        && ir.elem_of(input) != ir.elem_of(base)
        && ir.operands(cast) == [arg]
        && ir.operands(end) == [ir.result(cast, 0)]
        && bits(ir, ir.elem_of(input)) <= bits(ir, ir.elem_of(base));
    if !is_cast || linalg.reduction.contains(&true) || !ir.ty(input).is_tensor() {
        return None;
    }
    let written = linalg.maps[1].as_dims()?;
    let indices = ir.operands(read)[1..].to_vec();
    let builder = &mut Builder::before(ir, read);
    let mut operands = vec![input];
    for place in &linalg.maps[0].results {
        operands.push(match *place {
            Expr::Dim(d) => indices[written.iter().position(|&own| own == d as usize)?],
            Expr::Const(at) => builder.index(at),
            _ => return None,
        });
    }
    let elem = builder.ir.elem_of(input);
    let element = builder.value(Opcode::TensorExtract, &operands, elem, &[]);
    let mut map = ValueMap::default();
    map.set(arg, element);
    let copy = builder.copy(cast, &mut map);
    Some(builder.ir.result(copy, 0))
}
