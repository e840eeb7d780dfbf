//! Structured operations on tensors: what the steps from tensors to vectors ask of them, and write for them.

use raddle_ir::views::Linalg;
use raddle_ir::{Builder, Code, Diag, Ir, Map, OpId, Opcode, Type, ValueId};

use self::body::Combiner;

pub mod alignment;
pub mod body;
pub mod generalize;
pub mod in_place;
pub mod moves;
pub mod scans;
pub mod sizes;
pub mod space;
pub mod sums;
pub mod symbols;
pub mod taken;
pub mod windows;

/// Tiling moves slices along loops, so every operand must be indexed by plain loops.
pub fn require_form(ir: &Ir, op: OpId, linalg: &Linalg) -> Result<(), Diag> {
    let args = ir.args(ir.entry(op));
    let accs = &args[args.len().saturating_sub(linalg.outputs.len())..];
    for (&output, &acc) in linalg.outputs.iter().zip(accs) {
        let empty = ir.def_op(output).filter(|&def| ir.opcode(def) == Opcode::TensorEmpty);
        if let Some(empty) = empty.filter(|_| !ir.is_unused(acc)) {
            let message = format!("`{}` combines into a tensor that has no contents", ir.name(op));
            return Err(Diag::error(Code::CannotConfigure, ir.span(op), message)
                .related(ir.span(empty), "the tensor comes from here")
                .help("fill it first: `%0 = linalg.fill ins(%zero : …) outs(%empty : …) -> …`"));
        }
    }
    let plain =
        |map: &Map| map.as_dims().is_some_and(|dims| dims.iter().enumerate().all(|(i, d)| !dims[..i].contains(d)));
    let operands = linalg.inputs.iter().chain(&linalg.outputs);
    for (&operand, map) in operands.zip(&linalg.maps) {
        let shaped = matches!(ir.ty(operand), Type::Tensor { .. });
        if shaped && !plain(map) {
            let message = format!("the indexing map `affine_map<{map}>` is not a list of distinct loops");
            return Err(Diag::error(Code::CannotConfigure, ir.span(op), message)
                .note("slices of such an operand are not rectangles of it"));
        }
    }
    let combines = |i: usize| body::reduction_of(ir, op, i).is_some();
    if linalg.reduction.contains(&true) && !(0..linalg.outputs.len()).all(combines) {
        return Err(Diag::error(
            Code::CannotConfigure,
            ir.span(op),
            "the body of this reduction does not combine into its output",
        )
        .help("end it with `%s = arith.addf %value, %out` (or another combining operation) and yield `%s`"));
    }
    Ok(())
}

/// `linalg.fill ins(scalar) outs(output)`
pub fn fill(builder: &mut Builder<'_>, scalar: ValueId, output: ValueId) -> ValueId {
    let segments = builder.ir.segment_sizes(&[1, 1]);
    let ty = builder.ir.type_of(output);
    let op = builder.op(Opcode::LinalgFill, &[scalar, output], &[ty], &[("operandSegmentSizes", segments)]);
    let region = builder.ir.add_region(op);
    let elem = builder.ir.type_of(scalar);
    let block = builder.ir.add_block(region, &[elem, elem]);
    let value = builder.ir.args(block)[0];
    Builder::at_end(builder.ir, block, builder.span).op(Opcode::LinalgYield, &[value], &[], &[]);
    builder.ir.result(op, 0)
}

/// The body that combines an element with what is there.
pub fn combiner(builder: &mut Builder<'_>, op: OpId, combiner: Combiner) {
    let elem = builder.ir.elem_of(builder.ir.operand(op, 0));
    let region = builder.ir.add_region(op);
    let block = builder.ir.add_block(region, &[elem, elem]);
    let args = builder.ir.args(block).to_vec();
    let mut body = Builder::at_end(builder.ir, block, builder.span);
    let combined = body.binary(combiner.opcode, args[0], args[1]);
    body.op(Opcode::LinalgYield, &[combined], &[], &[]);
}
