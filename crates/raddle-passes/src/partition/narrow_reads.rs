//! Narrow reads: elements that are read by number, or in another shape, are read as they are in memory, and widened then.
//!
//! Before: `%1 = linalg.generic ins(%image)` that extends f16 to f32, of which another one takes `tensor.extract %1[…]`
//! After:  `tensor.extract %image[…]`, and `arith.extf` of the element
//!
//! So images that are made larger by PyTorch, in f32, are not written once more in front, and what a norm takes groups of
//! channels of is not, either: `tensor.expand_shape` of the tensor that is extended becomes the extension of one of f16.

use raddle_ir::views::Linalg;
use raddle_ir::{BlockId, Builder, Class, Expr, Ir, Map, OpId, Opcode, ValueId, ValueMap};

use super::flatten::is_reshape;
use super::reshape::extents;
use crate::normalize::loops::bits;
use crate::structured::generalize::made;

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

/// Lets what is reshaped in some blocks be widened behind the reshape: a kernel that reads it in another shape than others
/// reads what is narrower.
pub(super) fn widen_behind_reshapes(ir: &mut Ir, blocks: &[BlockId]) {
    for op in blocks.iter().flat_map(|&block| ir.ops_of(block)).collect::<Vec<_>>() {
        if is_reshape(ir, op)
            && let Some(new) = widened_behind(ir, op)
        {
            let old = ir.result(op, 0);
            ir.replace_uses(old, new);
            ir.erase(op);
        }
    }
}

/// The operation of a number in what widens a tensor, and the argument that it is of.
fn widening(ir: &Ir, maker: OpId) -> Option<(Linalg, OpId, ValueId)> {
    let linalg = Linalg::try_of(ir, maker).filter(|linalg| linalg.inputs.len() == 1 && linalg.outputs.len() == 1)?;
    let [cast, end] = ir.ops_of(ir.body(maker, 0)?)[..] else { return None };
    let (arg, input) = (ir.args(ir.entry(maker))[0], linalg.inputs[0]);
    let result = ir.elem_of(ir.result(maker, 0));
    // A function would be computed as often as it is read.
    let is_cast = ir.class(cast) == Class::Elementwise
        && ir.elem_of(input) != result
        && ir.operands(cast) == [arg]
        && ir.operands(end) == [ir.result(cast, 0)]
        && bits(ir, ir.elem_of(input)) <= bits(ir, result);
    (is_cast && !linalg.reduction.contains(&true) && ir.ty(input).is_tensor()).then_some((linalg, cast, arg))
}

/// The reshape of what another operation widens, widened behind it.
fn widened_behind(ir: &mut Ir, reshape: OpId) -> Option<ValueId> {
    let source = ir.operand(reshape, 0);
    let (linalg, cast, arg) = widening(ir, ir.def_op(source)?)?;
    let (input, rank) = (linalg.inputs[0], ir.shape_of(ir.result(reshape, 0)).len());
    let is_whole = linalg.maps.iter().all(|map| *map == Map::identity(map.dims as usize));
    let [narrow, wide] = [input, source].map(|value| ir.elem_of(value));
    if !is_whole || bits(ir, narrow) >= bits(ir, wide) {
        return None;
    }
    let builder = &mut Builder::before(ir, reshape);
    let shape = builder.ir.shape_of(builder.ir.result(reshape, 0)).to_vec();
    let ty = builder.ir.tensor_type(&shape, narrow);
    let view = builder.copy(reshape, &mut ValueMap::default());
    builder.ir.set_operand(view, 0, input);
    let view = builder.ir.result(view, 0);
    builder.ir.set_type(view, ty);
    let sizes = extents(builder, view);
    let new = made(builder, &[(view, Map::identity(rank))], &sizes, wide, |body, args| {
        let mut map = ValueMap::default();
        map.set(arg, args[0]);
        let copy = body.copy(cast, &mut map);
        body.ir.result(copy, 0)
    });
    Some(new)
}

/// An element of what another operation widens, widened here.
fn widened(ir: &mut Ir, read: OpId) -> Option<ValueId> {
    let base = ir.operand(read, 0);
    let maker = ir.def_op(base)?;
    let (linalg, cast, arg) = widening(ir, maker)?;
    let input = linalg.inputs[0];
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
