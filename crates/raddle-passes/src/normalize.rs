//! Normalize: operations that stand for several simpler ones become these. One row for each.
//!
//! Before: `%r = linalg.softmax dimension(1) ins(%x : tensor<16x64xf32>) outs(%o : …)`
//! After:  the maximum of each row, `exp(x - maximum)`, its sum along each row, and the quotient: four structured
//!         operations that share the rows, and so one kernel.
//!
//! Does not touch an operation whose extents are not all known: it stays, and a later pass says that it cannot take it.

use raddle_ir::views::Linalg;
use raddle_ir::{Attr, Builder, DYNAMIC, Diag, Ir, Map, OpId, Opcode, TypeId, ValueId};
use raddle_target::{Stage, stage};

use crate::generalize::generic;
use crate::table::Facts;
use crate::tile::fill;
use crate::{expand_dims, windows};

/// Writes an operation by simpler ones.
type Rewrite = fn(&mut Ir, OpId);

/// What each operation means.
const MEANINGS: &[(Opcode, Rewrite)] = &[(Opcode::LinalgSoftmax, softmax)];

/// Writes the operations of a function by simpler ones.
pub fn normalize(ir: &mut Ir, func: OpId, facts: &Facts) -> Result<(), Diag> {
    if stage::of(ir, func) > Stage::Configured {
        // Slices and copies of tiles are what later passes look at.
        return Ok(());
    }
    expand_dims::expand(ir, func, facts)?;
    for op in ir.walk(func) {
        if let Some((_, write)) = MEANINGS.iter().find(|row| row.0 == ir.opcode(op)) {
            write(ir, op);
        }
    }
    windows::expand(ir, func);
    Ok(())
}

fn softmax(ir: &mut Ir, op: OpId) {
    let (&[input, output], [result]) = (ir.operands(op), &ir.results(op).collect::<Vec<_>>()[..]) else { return };
    let (shape, elem, result) = (ir.shape_of(input).to_vec(), ir.elem_of(input), *result);
    let along = ir.attr(op, "dimension").and_then(Attr::as_i64).and_then(|d| usize::try_from(d).ok());
    let Some(along) = along.filter(|&d| d < shape.len() && !shape.contains(&DYNAMIC)) else { return };
    let all: Vec<usize> = (0..shape.len()).collect();
    let kept: Vec<usize> = all.iter().copied().filter(|&d| d != along).collect();
    let row_shape: Vec<i64> = kept.iter().map(|&d| shape[d]).collect();
    let builder = &mut Builder::before(ir, op);
    let row = builder.ir.tensor_type(&row_shape, elem);
    let whole = builder.ir.tensor_type(&shape, elem);
    let least = filled(builder, f64::NEG_INFINITY, row);
    // Of what is not a number and a number, the number counts, as in MLIR's own decomposition.
    let greatest = structured(builder, &[(input, &all)], (least, &kept), |body, args| {
        body.binary(Opcode::ArithMaxnumf, args[0], args[1])
    });
    let empty = builder.value(Opcode::TensorEmpty, &[], whole, &[]);
    let powers = structured(builder, &[(input, &all), (greatest, &kept)], (empty, &all), |body, args| {
        let difference = body.binary(Opcode::ArithSubf, args[0], args[1]);
        let ty = body.ir.type_of(difference);
        body.value(Opcode::MathExp, &[difference], ty, &[])
    });
    let zero = filled(builder, 0.0, row);
    let sum = structured(builder, &[(powers, &all)], (zero, &kept), |body, args| {
        body.binary(Opcode::ArithAddf, args[0], args[1])
    });
    let quotient = structured(builder, &[(powers, &all), (sum, &kept)], (output, &all), |body, args| {
        body.binary(Opcode::ArithDivf, args[0], args[1])
    });
    ir.replace_uses(result, quotient);
    ir.erase(op);
}

/// A tensor of one number.
fn filled(builder: &mut Builder<'_>, number: f64, ty: TypeId) -> ValueId {
    let elem = builder.ir[ty].elem().expect("tensors have elements");
    let scalar = builder.splat(number, elem);
    let empty = builder.value(Opcode::TensorEmpty, &[], ty, &[]);
    fill(builder, scalar, empty)
}

/// A `linalg.generic` whose operands lie along these loops; loops that the output does not have are reduced.
fn structured(
    builder: &mut Builder<'_>,
    inputs: &[(ValueId, &[usize])],
    output: (ValueId, &[usize]),
    body: impl FnOnce(&mut Builder<'_>, &[ValueId]) -> ValueId,
) -> ValueId {
    let n = inputs.iter().chain([&output]).map(|(_, dims)| dims.len()).max().unwrap_or(0);
    let maps = inputs.iter().chain([&output]).map(|(_, dims)| Map::of_dims(n, dims)).collect();
    let reduction = (0..n).map(|d| !output.1.contains(&d)).collect();
    let operands: Vec<ValueId> = inputs.iter().map(|input| input.0).collect();
    let linalg = Linalg { inputs: operands.clone(), outputs: vec![output.0], maps, reduction };
    let op = generic(builder, &linalg, &[]);
    let elems: Vec<TypeId> = operands.iter().chain([&output.0]).map(|&value| builder.ir.elem_of(value)).collect();
    let region = builder.ir.add_region(op);
    let block = builder.ir.add_block(region, &elems);
    let args = builder.ir.args(block).to_vec();
    let mut inner = Builder::at_end(builder.ir, block, builder.span);
    let value = body(&mut inner, &args);
    inner.op(Opcode::LinalgYield, &[value], &[], &[]);
    builder.ir.result(op, 0)
}
