//! Reductions of one dimension instead of several, and then as `vector.reduction`.

use raddle_ir::{Builder, Ir, OpId, Opcode, ValueId};

use crate::lay_out::reduced;

/// `vector.multi_reduction` over the last dimensions of its source becomes one over the last of one or two: the source,
/// the accumulator and a mask around it are recast. Others stay.
pub fn flatten(ir: &mut Ir, func: OpId) {
    for op in ir.walk(func) {
        if ir.opcode(op) == Opcode::VectorMultiReduction {
            flatten_one(ir, op);
        }
    }
}

fn flatten_one(ir: &mut Ir, op: OpId) -> Option<()> {
    let (source, acc, result) = (ir.operand(op, 0), ir.operand(op, 1), ir.result(op, 0));
    let (shape, marks) = (ir.shape_of(source).to_vec(), reduced(ir, op));
    let n_kept = marks.iter().take_while(|mark| !**mark).count();
    let last = marks[n_kept..].iter().all(|&mark| mark) && n_kept < marks.len();
    let n_gone = marks.len() - n_kept;
    if !last || n_kept <= 1 && n_gone == 1 {
        return None;
    }
    let sizes = [&shape[..n_kept], &shape[n_kept..]].map(|part| part.iter().product::<i64>());
    let (flat, kept) = if n_kept == 0 { (&sizes[1..], &sizes[..0]) } else { (&sizes[..], &sizes[..1]) };
    // A mask stands around the reduction, and so must what is recast.
    let outer = ir.parent_op(op).filter(|&parent| ir.opcode(parent) == Opcode::VectorMask);
    let place = outer.unwrap_or(op);
    let recast = |ir: &mut Ir, value: ValueId, shape: &[i64]| {
        if ir.ty(value).is_vector() { Builder::before(ir, place).shape_cast(value, shape) } else { value }
    };
    let (source, acc) = (recast(ir, source, flat), recast(ir, acc, kept));
    ir.set_operands(op, &[source, acc]);
    let dims = ir.dense_i64(&[flat.len() as i64 - 1]);
    ir.set_attr(op, "reduction_dims", dims);
    let (old, new) = (ir.type_of(result), ir.type_of(acc));
    ir.set_type(result, new);
    let mut whole = result;
    if let Some(mask) = outer {
        let mut operands = ir.operands(mask).to_vec();
        operands[0] = recast(ir, operands[0], flat);
        if let Some(other) = operands.get(1).copied() {
            operands[1] = recast(ir, other, kept);
        }
        ir.set_operands(mask, &operands);
        whole = ir.result(mask, 0);
        ir.set_type(whole, new);
    }
    if old != new {
        let shape = ir[old].shape().unwrap_or_default().to_vec();
        let next = ir.next_op(place).expect("a reduction does not end a block");
        let back = Builder::before(ir, next).shape_cast(whole, &shape);
        ir.replace_uses(whole, back);
        let cast = ir.def_op(back).expect("it is a cast");
        ir.set_operand(cast, 0, whole);
    }
    Some(())
}

/// `vector.multi_reduction` of a vector of one dimension as `vector.reduction`.
pub fn lower(ir: &mut Ir, func: OpId) {
    for op in ir.walk(func) {
        if ir.opcode(op) != Opcode::VectorMultiReduction || reduced(ir, op) != [true] {
            continue;
        }
        let (operands, result) = (ir.operands(op).to_vec(), ir.result(op, 0));
        let kind = ir.attr_id(op, "kind").expect("a reduction has a kind");
        let ty = ir.type_of(result);
        let new = Builder::before(ir, op).value(Opcode::VectorReduction, &operands, ty, &[("kind", kind)]);
        ir.replace_uses(result, new);
        ir.erase(op);
    }
}
