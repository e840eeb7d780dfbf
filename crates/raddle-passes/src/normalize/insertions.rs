//! Insertions: a scatter whose places count along the dimensions of what it scatters is an insertion.
//!
//! Before: `iree_linalg_ext.scatter ins(%new, %places : tensor<32xf32>, …) outs(%cache : tensor<1x2x64x16xf32>)`, where
//!         `%places` has, for each element of a `tensor<1x2x1x16xf32>`, its own numbers, and in one dimension the number
//!         that a tensor of one element holds
//! After:  `tensor.insert_slice %new into %cache[0, 0, %at, 0] [1, 2, 1, 16] [1, 1, 1, 1]`
//!
//! This is how PyTorch's `index_copy` puts the key of a token into a cache.
//!
//! Does not touch scatters that combine, whose places have a mask, or are anything else.

use raddle_ir::views::{Linalg, Mixed};
use raddle_ir::{Attr, Builder, DYNAMIC, Ir, OpId, Opcode, ValueId};

use super::arg_reduce::is_index;
use crate::structured::body;
use crate::structured::moves::{groups, ints};

/// Where the places of a scatter are along one dimension.
enum Place {
    /// At the number of what is scattered.
    Counted,
    /// At a number.
    At(i64),
    /// At the number that a tensor of one element holds.
    Held(ValueId),
}

/// Writes the scatters of a function that are insertions as such.
pub(super) fn recognize(ir: &mut Ir, func: OpId) {
    for op in ir.walk(func) {
        if ir.opcode(op) == Opcode::IreeLinalgExtScatter {
            let _ = rewrite(ir, op);
        }
    }
}

fn rewrite(ir: &mut Ir, op: OpId) -> Option<()> {
    let &[updates, indices, whole] = ir.operands(op) else { return None };
    let region = ir.body(op, 0)?;
    let replaces = ir.operands(ir.terminator(region)?) == &ir.args(region)[..1];
    let rank = ir.shape_of(whole).len();
    let names_all = ints(ir, op, "dimension_map").into_iter().eq(0..rank as i64);
    // One row of numbers for each element, which are all in one line.
    let part = reshaped(ir, updates, Opcode::TensorCollapseShape)?;
    let shape = ir.shape_of(part).to_vec();
    if !replaces || !names_all || shape.len() != rank || shape.contains(&DYNAMIC) || ir.results(op).len() != 1 {
        return None;
    }
    let columns = ir.def_op(indices).filter(|&made| ir.opcode(made) == Opcode::TensorConcat)?;
    let along = ir.attr(columns, "dim").and_then(Attr::as_i64);
    if along != Some(1) || ir.operands(columns).len() != rank {
        return None;
    }
    let places: Vec<Place> = ir
        .operands(columns)
        .iter()
        .enumerate()
        .map(|(d, &column)| place(ir, column, d, &shape))
        .collect::<Option<_>>()?;
    let builder = &mut Builder::before(ir, op);
    let index = builder.ir.index_type();
    let mut offset = |place: &Place| match *place {
        Place::Counted => Mixed::Static(0),
        Place::At(number) => Mixed::Static(number),
        Place::Held(tensor) => {
            let elem = builder.ir.elem_of(tensor);
            let zeros = vec![builder.index(0); builder.ir.shape_of(tensor).len()];
            let number = builder.value(Opcode::TensorExtract, &[&[tensor], &zeros[..]].concat(), elem, &[]);
            Mixed::Value(builder.value(Opcode::ArithIndexCast, &[number], index, &[]))
        }
    };
    let offsets: Vec<Mixed> = places.iter().map(&mut offset).collect();
    let sizes: Vec<Mixed> = shape.into_iter().map(Mixed::Static).collect();
    let new = builder.insert_slice(part, whole, &offsets, &sizes);
    let old = ir.result(op, 0);
    ir.replace_uses(old, new);
    ir.erase(op);
    Some(())
}

/// What a tensor of one dimension, or of rows of one element, has as several dimensions.
fn reshaped(ir: &Ir, value: ValueId, opcode: Opcode) -> Option<ValueId> {
    let made = ir.def_op(value).filter(|&made| ir.opcode(made) == opcode && groups(ir, made).len() == 1)?;
    Some(ir.operand(made, 0))
}

/// What the numbers of one column are: those along one of the dimensions in which elements stand.
fn place(ir: &Ir, column: ValueId, along: usize, shape: &[i64]) -> Option<Place> {
    let line = reshaped(ir, column, Opcode::TensorExpandShape)?;
    let grid = reshaped(ir, line, Opcode::TensorCollapseShape)?;
    let copy = ir.def_op(grid).filter(|_| ir.shape_of(grid) == shape)?;
    let linalg = Linalg::try_of(ir, copy).filter(|linalg| !linalg.reduction.contains(&true))?;
    let (&[source], [from, to]) = (&linalg.inputs[..], &linalg.maps[..]) else { return None };
    if !body::copies_input(ir, copy) || !to.is_identity() {
        return None;
    }
    let (dims, extents) = (from.as_dims()?, ir.shape_of(source).to_vec());
    let long: Vec<usize> = dims.into_iter().zip(&extents).filter(|(_, extent)| **extent != 1).map(|at| at.0).collect();
    let origin = without_ones(ir, source);
    if long == [along] && counts(ir, origin) {
        return Some(Place::Counted);
    }
    let is_one = shape[along] == 1 && long.is_empty();
    is_one.then(|| constant(ir, origin).map_or(Place::Held(source), Place::At))
}

/// A tensor in front of reshapes.
fn without_ones(ir: &Ir, mut tensor: ValueId) -> ValueId {
    while let Some(made) = ir.def_op(tensor)
        && matches!(ir.opcode(made), Opcode::TensorExpandShape | Opcode::TensorCollapseShape)
    {
        tensor = ir.operand(made, 0);
    }
    tensor
}

/// The number that all elements of a tensor are.
fn constant(ir: &Ir, tensor: ValueId) -> Option<i64> {
    let made = ir.def_op(tensor).filter(|&made| ir.opcode(made) == Opcode::LinalgGeneric)?;
    let end = ir.terminator(ir.entry(made)).filter(|_| ir.results(made).len() == 1)?;
    ir.const_int(ir.operand(end, 0))
}

/// Whether a tensor of one dimension holds the numbers from 0 on.
fn counts(ir: &Ir, tensor: ValueId) -> bool {
    let Some(made) = ir.def_op(tensor).filter(|&made| ir.opcode(made) == Opcode::LinalgGeneric) else { return false };
    let end = ir.body(made, 0).and_then(|body| ir.terminator(body));
    let linalg = Linalg::of(ir, made);
    linalg.maps.last().is_some_and(|map| map.is_identity() && map.dims == 1)
        && linalg.outputs.len() == 1
        && end.is_some_and(|end| is_index(ir, ir.operand(end, 0), 0))
}
