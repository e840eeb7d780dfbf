//! Extents of tensors as values: constants where they are known, and else what the operations in front say.

use raddle_ir::views::{Linalg, Mixed, SliceView, mixed};
use raddle_ir::{Attr, Builder, DYNAMIC, Def, Diag, Ir, OpId, Opcode, ValueId};

use super::{Cx, code, refuse};
use crate::structured::moves::{self, ints};

/// Every extent of a tensor.
pub(super) fn of(cx: &Cx, b: &mut Builder<'_>, value: ValueId) -> Result<Vec<ValueId>, Diag> {
    (0..b.ir.shape_of(value).len()).map(|d| extent(cx, b, value, d)).collect()
}

/// One extent of a tensor.
pub(super) fn extent(cx: &Cx, b: &mut Builder<'_>, value: ValueId, d: usize) -> Result<ValueId, Diag> {
    let known = b.ir.shape_of(value)[d];
    if known != DYNAMIC {
        return Ok(b.index(known));
    }
    let Def::Result { op, index } = b.ir.def(value) else {
        let (memref, dim, ty) = (cx.map.get(value), b.index(d as i64), b.ir.index_type());
        return Ok(b.value(Opcode::MemrefDim, &[memref, dim], ty, &[]));
    };
    if let Some(linalg) = Linalg::try_of(b.ir, op) {
        return extent(cx, b, linalg.outputs[index as usize], d);
    }
    let operands = b.ir.operands(op).to_vec();
    let number = |b: &mut Builder<'_>, size: Mixed| given(cx, b, size);
    match b.ir.opcode(op) {
        // The operands are the extents that the type leaves open, in order.
        Opcode::TensorEmpty | Opcode::TensorGenerate | Opcode::BufferizationAllocTensor => {
            open_extent(cx, b, &operands, value, d)
        }
        Opcode::TensorSplat => open_extent(cx, b, &operands[1..], value, d),
        Opcode::TensorExtractSlice => {
            let slice = SliceView::of(b.ir, op);
            let kept = moves::kept(&slice.sizes, b.ir.shape_of(value));
            Ok(number(b, slice.sizes[kept[d]]))
        }
        Opcode::TensorInsertSlice
        | Opcode::TensorInsert
        | Opcode::TensorScatter
        | Opcode::LinalgPack
        | Opcode::LinalgUnpack => extent(cx, b, operands[1], d),
        Opcode::TensorCast | Opcode::TensorBitcast => extent(cx, b, operands[0], d),
        Opcode::TensorPad => {
            let source = extent(cx, b, operands[0], d)?;
            let [low, high] = moves::padding(b.ir, op).map(|list| list[d]);
            let (low, high) = (number(b, low), number(b, high));
            let sum = code::add(b, source, low);
            Ok(code::add(b, sum, high))
        }
        Opcode::TensorConcat => {
            let along = b.ir.attr(op, "dim").and_then(Attr::as_i64);
            let parts = if along == Some(d as i64) { &operands[..] } else { &operands[..1] };
            let zero = b.index(0);
            parts.iter().try_fold(zero, |sum, &part| {
                let next = extent(cx, b, part, d)?;
                Ok(code::add(b, sum, next))
            })
        }
        Opcode::TensorExpandShape => {
            let sizes = ints(b.ir, op, "static_output_shape");
            Ok(number(b, mixed(&sizes, &operands[1..])[d]))
        }
        Opcode::TensorCollapseShape => {
            let one = b.index(1);
            let group = moves::groups(b.ir, op).into_iter().nth(d).unwrap_or_default();
            group.into_iter().try_fold(one, |product, dim| {
                let next = extent(cx, b, operands[0], dim)?;
                Ok(code::mul(b, product, next))
            })
        }
        _ if b.ir.name(op).starts_with("iree_linalg_ext.") => {
            let outputs = moves::outputs(b.ir, op).ok_or_else(|| unknown(b.ir, op))?;
            extent(cx, b, outputs[index as usize], d)
        }
        _ => {
            let like = operands.iter().copied().find(|&operand| b.ir.shape_of(operand).len() > d);
            match like {
                Some(operand) if b.ir.class(op) == raddle_ir::Class::Elementwise => extent(cx, b, operand, d),
                _ => Err(unknown(b.ir, op)),
            }
        }
    }
}

/// A number of the function as a value of the kernel.
pub(super) fn given(cx: &Cx, b: &mut Builder<'_>, number: Mixed) -> ValueId {
    match number {
        Mixed::Static(number) => b.index(number),
        Mixed::Value(value) => cx.map.get(value),
    }
}

fn open_extent(cx: &Cx, b: &Builder<'_>, sizes: &[ValueId], value: ValueId, d: usize) -> Result<ValueId, Diag> {
    let before = b.ir.shape_of(value)[..d].iter().filter(|&&extent| extent == DYNAMIC).count();
    let size = sizes.get(before).expect("the verifier counts the sizes");
    Ok(cx.map.get(*size))
}

fn unknown(ir: &Ir, op: OpId) -> Diag {
    refuse(ir, op, "an extent of its result is known only when it has run")
}
