//! Products of tiles: their factors in the layouts of a matrix instruction or of the configuration, and the layouts in
//! which a workgroup copies what goes through shared memory.

use raddle_ir::views::{Linalg, Mixed, Transfer};
use raddle_ir::{Builder, DYNAMIC, Diag, Expr, Ir, Map, OpId, Opcode, Scalar, ValueId};
use raddle_layout::Nested;

use super::edges::{self, Edge};
use super::{Cx, Tensor, anchor, read_along, structured};
use crate::code;
use crate::config::{Launch, fits_workgroup};
use crate::configure::Checked;

/// An operand in a layout that suits memory, if it is promoted: the conversion to the next one goes through shared memory.
pub(super) fn promoted(
    builder: &mut Builder<'_>,
    cx: &Cx,
    checked: Option<&Checked>,
    operand: usize,
    value: ValueId,
    rows: i64,
) -> ValueId {
    match checked {
        Some(checked) if checked.config.promote.contains(&operand) => in_copy_layout(builder, cx, value, rows),
        _ => value,
    }
}

/// How many rows of a factor a thread had better copy at a time: its elements that are neighbours along k make words of
/// the registers of a matrix instruction, and where they are not neighbours in memory and nothing transposes them
/// between shared memory and registers, a thread that holds them makes these words before it writes them.
fn rows_of_word(ir: &Ir, checked: &Checked, value: ValueId, k_is_last: bool) -> i64 {
    let transposed = checked.config.mma.is_some_and(|mma| mma.opcode == Opcode::NvgpuMmaSync);
    let bits = Scalar::of(&ir[ir.elem_of(value)]).map_or(32, |elem| i64::from(elem.bits()));
    if k_is_last || transposed || checked.config.mma.is_none() { 1 } else { (32 / bits).max(1) }
}

pub(super) fn in_copy_layout(builder: &mut Builder<'_>, cx: &Cx, value: ValueId, rows: i64) -> ValueId {
    match copy_layout(builder.ir, value, cx.launch, rows) {
        Some(layout) => anchor(builder, value, layout),
        None => value,
    }
}

/// Whether a tile of an input is read from memory along another loop than the result is written, and both are long: its
/// reads would be as short as elements, if it did not go through shared memory. What is the same all along the written
/// loop is read where it is needed.
pub(super) fn crosses(cx: &Cx, linalg: &Linalg, sizes: &[i64], operand: usize) -> bool {
    /// Elements that are worth it.
    const LONG: i64 = 16;
    let in_memory = |value: &ValueId| matches!(cx.tensors.get(value), Some(Tensor::View { .. }));
    if cx.launch.workgroup_size == 1 || !linalg.inputs.get(operand).is_some_and(in_memory) {
        return false;
    }
    let last = |i: usize| linalg.maps[i].as_dims().and_then(|dims| dims.last().copied());
    let (Some(read), Some(written)) = (last(operand), last(linalg.inputs.len())) else { return false };
    let has_written = linalg.maps[operand].as_dims().is_some_and(|dims| dims.contains(&written));
    read != written && has_written && !linalg.reduction[read] && sizes[read].min(sizes[written]) >= LONG
}

pub(super) fn contract(builder: &mut Builder<'_>, cx: &Cx, op: OpId, linalg: &Linalg) -> Result<ValueId, Diag> {
    let operands = [linalg.inputs[0], linalg.inputs[1], linalg.outputs[0]];
    let checked = cx.checked.get(&op);
    let matrix = checked.and_then(|checked| checked.matrix);
    // A matrix instruction has the loops m, n and k; along others there is one iteration. Other factors that go through
    // shared memory leave out such loops, too.
    let is_promoted = checked.is_some_and(|checked| !checked.config.promote.is_empty());
    let has_loop = |d: &usize| match (matrix, checked) {
        (Some(loops), _) => loops.contains(*d),
        (None, Some(checked)) if is_promoted => checked.sizes[*d] != 1,
        (None, _) => true,
    };
    let mut loops: Vec<usize> = (0..linalg.reduction.len()).filter(has_loop).collect();
    let dims: Vec<Vec<usize>> = linalg.maps.iter().map(|map| map.as_dims().unwrap_or_default()).collect();
    let kept = |i: usize| -> Vec<usize> { (0..dims[i].len()).filter(|&at| loops.contains(&dims[i][at])).collect() };
    let kept = [0, 1, 2].map(kept);
    let mut values = [0, 1, 2].map(|i| read_along(builder, cx, operands[i], &kept[i], 0.0));
    for i in 0..2 {
        values[i] = edges::zero_beyond(builder, cx, op, linalg, i, &loops, values[i]);
    }
    let kept = |i: usize| &kept[i];
    if let Some(inner) = matrix.and_then(|loops| loops.inner) {
        // Both loops of the sums are one for the instruction.
        for value in &mut values[..2] {
            let mut shape = builder.ir.shape_of(*value).to_vec();
            let last = shape.pop().expect("factors end with both loops");
            *shape.last_mut().expect("factors end with both loops") *= last;
            *value = builder.shape_cast(*value, &shape);
        }
        loops.retain(|&d| d != inner);
    }
    if matrix.is_none() && !is_promoted {
        for i in 0..2 {
            let reduced: Vec<bool> = dims[i].iter().map(|&d| linalg.reduction[d]).collect();
            state_source(builder, cx, operands[i], values[i], &reduced);
        }
    }
    // Promoted operands are converted together: one barrier serves all.
    for i in 0..2 {
        let rows = matrix.map_or(1, |loops| {
            let k_is_last = kept(i).last().is_none_or(|&at| dims[i][at] == loops.mnk[2]);
            checked.map_or(1, |checked| rows_of_word(builder.ir, checked, values[i], k_is_last))
        });
        values[i] = promoted(builder, cx, checked, i, values[i], rows);
    }
    let layouts = checked.map(|checked| match matrix {
        Some(_) => checked.matrix_layouts(),
        None => {
            let iteration = checked.config.layout(&checked.sizes);
            [0, 1, 2].map(|i| iteration.apply(&kept(i).iter().map(|&at| Some(dims[i][at])).collect::<Vec<_>>()))
        }
    });
    if let Some(layouts) = &layouts {
        for (value, layout) in values.iter_mut().zip(layouts) {
            *value = anchor(builder, *value, layout.clone());
        }
    }
    let mma = checked.and_then(|checked| checked.config.mma);
    // A matrix instruction takes bytes of two formats as they are.
    let [lhs, rhs, _] = values.map(|value| Scalar::of(&builder.ir[builder.ir.elem_of(value)]));
    if lhs != rhs && mma.is_none_or(|mma| [lhs, rhs] != [0, 1].map(|i| Some(mma.types[i]))) {
        for i in 0..2 {
            values[i] = extended(builder, op, i, values[i]);
        }
    }
    let maps = dims.iter().map(|dims| {
        let place = |d: &usize| loops.iter().position(|own| own == d);
        Map::of_dims(loops.len(), &dims.iter().filter_map(place).collect::<Vec<_>>())
    });
    let inner = Linalg {
        inputs: linalg.inputs.clone(),
        outputs: linalg.outputs.clone(),
        maps: maps.collect(),
        reduction: loops.iter().map(|&d| linalg.reduction[d]).collect(),
    };
    let shape = cx.shapes.get(&operands[2]).cloned().unwrap_or_else(|| builder.ir.shape_of(operands[2]).to_vec());
    let is_scalar = shape.is_empty();
    if is_scalar {
        values[2] = builder.extract(values[2], &[]);
    }
    let mma = mma.map(|mma| ("iree.gpu.mma", mma.attr(builder.ir)));
    let result = structured::contraction(builder, &inner, values, mma);
    if is_scalar {
        return Ok(structured::as_rank_0(builder, result));
    }
    let result = match layouts {
        Some([_, _, layout]) => anchor(builder, result, layout),
        None => result,
    };
    Ok(if builder.ir.shape_of(result).len() == shape.len() { result } else { builder.shape_cast(result, &shape) })
}

/// Says of a read of windows where its elements are in the memref that it goes through windows of, so that a thread reads
/// once what several of its windows have. What lies beyond the end of a loop that is not reduced is nobody's, and may then
/// be what stands behind it; `reduced` says which dimensions are.
fn state_source(builder: &mut Builder<'_>, cx: &Cx, tensor: ValueId, read: ValueId, reduced: &[bool]) {
    let Tensor::View { base, edges, source: Some(source), .. } = cx.get(tensor) else { return };
    let reads = |&op: &OpId| builder.ir.opcode(op) == Opcode::VectorTransferRead && builder.ir.operand(op, 0) == base;
    let Some(op) = builder.ir.def_op(read).filter(reads) else { return };
    let shape = builder.ir.shape_of(read).to_vec();
    let is_whole =
        |d: usize| !reduced[d] || [Edge::End(shape[d]), Edge::Size(Mixed::Static(shape[d]))].contains(&edges[d]);
    let named = |place: &Expr| (0..shape.len()).filter(|&d| place.names(&|e| e == d)).count();
    if shape.len() != edges.len() || !(0..shape.len()).all(is_whole) || !source.places.iter().any(|p| named(p) > 1) {
        return;
    }
    let places = Map { dims: shape.len() as u32, syms: 0, results: source.places.clone() };
    if let Some(attr) = code::source_attr(builder.ir, source.memref, places) {
        builder.ir.set_attr(op, code::SOURCE, attr);
    }
}

/// A factor in the type of the products, as the body extends it.
fn extended(builder: &mut Builder<'_>, op: OpId, operand: usize, value: ValueId) -> ValueId {
    let arg = builder.ir.args(builder.ir.entry(op))[operand];
    let user = builder.ir.uses(arg).next().map(|(user, _)| user);
    let Some(user) = user.filter(|&user| matches!(builder.ir.opcode(user), Opcode::ArithExtf | Opcode::ArithExtsi))
    else {
        return value;
    };
    let (opcode, elem) = (builder.ir.opcode(user), builder.ir.type_of(builder.ir.result(user, 0)));
    let shape = builder.ir.shape_of(value).to_vec();
    let ty = builder.ir.vector_type(&shape, elem);
    builder.value(opcode, &[value], ty, &[])
}

/// The layout in which a workgroup copies a tile: every thread takes up to 128 bits at a time, neighbours next to one
/// another along the last dimension; of so many rows, where all threads then have some. Where rows in memory begin at
/// multiples of less, it takes less, so that neighbours read from the same lines; but not less than 32 bits, which it
/// writes at a time. `None` when the threads do not fit the tile.
fn copy_layout(ir: &Ir, value: ValueId, launch: Launch, rows: i64) -> Option<Nested> {
    let shape = ir.shape_of(value).to_vec();
    let rank = shape.len();
    let bits = i64::from(Scalar::of(&ir[ir.elem_of(value)])?.bits()).max(8);
    let mut wide = 128 / bits;
    while wide > 1 && shape.last()? % wide != 0 {
        wide /= 2;
    }
    let read = ir.def_op(value).filter(|&op| ir.opcode(op) == Opcode::VectorTransferRead);
    let pitch = read.and_then(|op| ir.shape_of(Transfer::of(ir, op).base).last().copied());
    if let Some(pitch) = pitch.filter(|&pitch| pitch != DYNAMIC) {
        while wide * bits > 32 && pitch % wide != 0 {
            wide /= 2;
        }
    }
    let of_rows = |wide: i64, rows: i64| {
        let mut element = vec![1; rank];
        element[rank - 1] = wide;
        if rows > 1 {
            *element.iter_mut().rev().nth(1)? = rows;
        }
        Nested::coalesced(launch.workgroup_size, &shape, &element)
            .ok()
            .filter(|layout| fits_workgroup(layout, launch).is_ok())
    };
    let of = |wide: i64| of_rows(wide, 1);
    let widths = || std::iter::successors(Some(wide), |wide| Some(wide / 2)).take_while(|&wide| wide >= 1);
    // Where there are fewer of the widest accesses than threads, narrower ones cost no more, and no thread is idle.
    let busy = |layout: &Nested| layout.n_lanes() == launch.workgroup_size;
    if let Some(layout) = of_rows(wide, rows).filter(|layout| rows > 1 && busy(layout)) {
        return Some(layout);
    }
    let words = || widths().filter(|wide| wide * bits >= 32);
    // Rows of 48 elements, say, whose accesses neither divide the threads nor are divided by them.
    let uneven = |wide: i64| {
        let mut element = vec![1; rank];
        element[rank - 1] = wide;
        Nested::dealt(launch.workgroup_size, &shape, &element).ok()
    };
    let uneven = || words().filter_map(uneven).find(|layout| busy(layout) && fits_workgroup(layout, launch).is_ok());
    words().filter_map(of).find(busy).or_else(uneven).or_else(|| widths().find_map(of))
}
