//! Fold operations of `iree_linalg_ext` on tensors: what nobody asks for, what is a slice or a copy, what the maps tell of
//! extents, and padding in front of `im2col`.

use raddle_ir::views::{Mixed, mixed, unmixed};
use raddle_ir::{Attr, Builder, DYNAMIC, Ir, OpId, Opcode, Type, TypeId, ValueId};

use super::fold::Fold;
use super::number::{self, Number};
use super::tensor::retype;

/// Folds one operation.
pub(super) fn fold(ir: &mut Ir, op: OpId) -> Option<Fold> {
    match ir.opcode(op) {
        Opcode::IreeLinalgExtSort => sort(ir, op),
        Opcode::IreeLinalgExtGather => gather(ir, op),
        Opcode::IreeLinalgExtMapLoad | Opcode::IreeLinalgExtMapStore => identity(ir, op),
        Opcode::IreeLinalgExtAttention | Opcode::IreeLinalgExtOnlineAttention => state_extents(ir, op),
        Opcode::IreeLinalgExtIm2col => padded_input(ir, op),
        Opcode::TensorPad => padded_output(ir, op),
        _ => None,
    }
}

fn is_tensor(ir: &Ir, value: ValueId) -> bool {
    matches!(ir.ty(value), Type::Tensor { .. })
}

fn made_by(ir: &Ir, value: ValueId, opcode: Opcode) -> Option<OpId> {
    ir.def_op(value).filter(|&made| ir.opcode(made) == opcode)
}

/// Outputs that are neither compared nor used are not sorted.
fn sort(ir: &mut Ir, op: OpId) -> Option<Fold> {
    let results: Vec<ValueId> = ir.results(op).collect();
    let outputs = ir.operands(op).to_vec();
    let body = ir.entry(op);
    let args = ir.args(body).to_vec();
    if results.len() != outputs.len() || args.len() != 2 * outputs.len() {
        return None;
    }
    let needed = |i: usize| [results[i], args[2 * i], args[2 * i + 1]].iter().any(|&value| !ir.is_unused(value));
    let kept: Vec<usize> = (0..outputs.len()).filter(|&i| needed(i)).collect();
    if kept.len() == outputs.len() || kept.is_empty() {
        return None;
    }
    let types = |ir: &Ir, values: &[ValueId]| values.iter().map(|&value| ir.type_of(value)).collect::<Vec<TypeId>>();
    let left: Vec<ValueId> = kept.iter().map(|&i| outputs[i]).collect();
    let compared: Vec<ValueId> = kept.iter().flat_map(|&i| [args[2 * i], args[2 * i + 1]]).collect();
    let segments = ir.segment_sizes(&[0, left.len()]);
    let (result_types, arg_types, attrs) = (types(ir, &left), types(ir, &compared), ir.attr_dict(op));
    let new = ir.create_with(Opcode::IreeLinalgExtSort, &left, &result_types, attrs, ir.span(op));
    ir.insert_before(op, new);
    ir.set_attr(new, "operandSegmentSizes", segments);
    let region = ir.add_region(new);
    let block = ir.add_block(region, &arg_types);
    for (old, new) in compared.into_iter().zip(ir.args(block).to_vec()) {
        ir.replace_uses(old, new);
    }
    for inner in ir.ops_of(body) {
        ir.detach(inner);
        ir.append(block, inner);
    }
    // What stands for an unused result is never seen.
    let stand =
        (0..outputs.len()).map(|i| kept.iter().position(|&k| k == i).map_or(outputs[i], |at| ir.result(new, at)));
    Some(Fold::Values(stand.collect()))
}

/// A gather of one slice is that slice.
fn gather(ir: &mut Ir, op: OpId) -> Option<Fold> {
    let groups: Vec<Vec<ValueId>> = groups(ir, op);
    let (source, indices, output) = (groups[0][0], groups[1][0], groups[3][0]);
    if !groups[2].is_empty() || ![source, indices, output].iter().all(|&value| is_tensor(ir, value)) {
        return None;
    }
    let dims = ir.attr_id(op, "dimension_map").and_then(|attr| ir.ints(attr))?;
    let (at, shape) = (ir.shape_of(indices).to_vec(), ir.shape_of(source).to_vec());
    let ty = ir.type_of(ir.result(op, 0));
    let target = ir[ty].shape()?.to_vec();
    let (depth, rank) = (dims.len(), shape.len());
    let batch = (target.len() + depth).checked_sub(rank)?;
    // The reshape behind the slice states all extents.
    let one = at.get(..batch)?.iter().all(|&extent| extent == 1);
    if !one || shape[depth..].contains(&DYNAMIC) || target.contains(&DYNAMIC) {
        return None;
    }
    let Type::Tensor { elem, .. } = *ir.ty(source) else { return None };
    let index_elem = ir.elem_of(indices);
    let index = ir.index_type();
    let mut builder = Builder::before(ir, op);
    let zero = builder.index(0);
    let mut offsets = vec![Mixed::Static(0); rank];
    for (i, &dim) in dims.iter().enumerate() {
        let mut place = vec![indices];
        place.resize(at.len() + 1, zero);
        if at.len() > batch {
            let last = builder.index(i as i64);
            place[at.len()] = last;
        }
        let mut offset = builder.value(Opcode::TensorExtract, &place, index_elem, &[]);
        if index_elem != index {
            offset = builder.value(Opcode::ArithIndexCast, &[offset], index, &[]);
        }
        offsets[usize::try_from(dim).ok()?] = Mixed::Value(offset);
    }
    let sizes: Vec<i64> = (0..rank).map(|d| if d < depth { 1 } else { shape[d] }).collect();
    let (numbers, values) = unmixed(&offsets);
    let lists = [&numbers, &sizes, &vec![1; rank]].map(|list| builder.ir.dense_i64(list));
    let segments = builder.ir.segment_sizes(&[1, values.len(), 0, 0]);
    let slice_ty = builder.ir.tensor_type(&sizes, elem);
    let attrs = [
        ("static_offsets", lists[0]),
        ("static_sizes", lists[1]),
        ("static_strides", lists[2]),
        ("operandSegmentSizes", segments),
    ];
    let slice = builder.value(Opcode::TensorExtractSlice, &[&[source], &values[..]].concat(), slice_ty, &attrs);
    // They differ in leading ones.
    let (opcode, long, short) = match sizes.len().cmp(&target.len()) {
        std::cmp::Ordering::Equal => return Fold::value(slice),
        std::cmp::Ordering::Less => (Opcode::TensorExpandShape, &target, &sizes),
        std::cmp::Ordering::Greater => (Opcode::TensorCollapseShape, &sizes, &target),
    };
    let head = long.len() - short.len() + usize::from(!short.is_empty());
    let mut lists = Vec::new();
    if !short.is_empty() {
        let first: Vec<i64> = (0..head as i64).collect();
        lists.push(builder.ir.i64_array(&first));
        lists.extend((head as i64..long.len() as i64).map(|d| builder.ir.i64_array(&[d])));
    }
    let lists = builder.ir.intern(Attr::Array(lists));
    let mut attrs = vec![("reassociation", lists)];
    if opcode == Opcode::TensorExpandShape {
        attrs.push(("static_output_shape", builder.ir.dense_i64(&target)));
    }
    Fold::value(builder.value(opcode, &[slice], ty, &attrs))
}

/// The operands of each group of the row, also where no attribute counts them.
fn groups(ir: &Ir, op: OpId) -> Vec<Vec<ValueId>> {
    let operands = ir.operands(op);
    match (ir.opcode(op), operands.len()) {
        // The mask is the only one that may be absent.
        (Opcode::IreeLinalgExtGather, 3) => vec![vec![operands[0]], vec![operands[1]], Vec::new(), vec![operands[2]]],
        (Opcode::IreeLinalgExtGather, _) => operands.iter().map(|&value| vec![value]).collect(),
        _ => ir.segments(op).into_iter().map(<[ValueId]>::to_vec).collect(),
    }
}

/// A map of each place to itself is a copy.
fn identity(ir: &mut Ir, op: OpId) -> Option<Fold> {
    let &[input, output] = ir.operands(op) else { return None };
    let ty = ir.type_of(input);
    let Type::Tensor { shape, elem, .. } = ir[ty].clone() else { return None };
    let body = ir.entry(op);
    let yielded = ir.operands(ir.terminator(body)?).to_vec();
    let whole = match ir.opcode(op) {
        // Places outside the source are padded; where the extents are not known, there may be some.
        Opcode::IreeLinalgExtMapLoad => !shape.contains(&DYNAMIC),
        _ => number::of(ir, *yielded.last()?).is_some_and(|mask| mask != Number::Int(0)),
    };
    if !whole || ty != ir.type_of(output) || yielded[..yielded.len() - 1] != *ir.args(body) {
        return None;
    }
    let segments = ir.segment_sizes(&[1, 1]);
    let mut builder = Builder::before(ir, op);
    let copy = builder.op(Opcode::LinalgCopy, &[input, output], &[ty], &[("operandSegmentSizes", segments)]);
    let region = ir.add_region(copy);
    let block = ir.add_block(region, &[elem, elem]);
    let first = ir.args(block)[0];
    let span = ir.span(op);
    Builder::at_end(ir, block, span).op(Opcode::LinalgYield, &[first], &[], &[]);
    Fold::value(ir.result(copy, 0))
}

/// Extents that one operand states and the maps give to others.
fn state_extents(ir: &mut Ir, op: OpId) -> Option<Fold> {
    let maps = ir.maps(op, "indexing_maps")?;
    let operands = ir.operands(op).to_vec();
    let shaped = |value: ValueId| !matches!(ir.ty(value), Type::MemRef { .. } | Type::Vector { .. });
    if maps.len() != operands.len() || !operands.iter().all(|&value| shaped(value)) {
        return None;
    }
    let dims: Vec<Vec<usize>> = maps.iter().map(|map| map.as_dims()).collect::<Option<_>>()?;
    let mut extents = vec![DYNAMIC; maps.first()?.dims as usize];
    for (&operand, dims) in operands.iter().zip(&dims) {
        // What a cast forgets is known still.
        let cast = made_by(ir, operand, Opcode::TensorCast).map(|cast| ir.operand(cast, 0));
        for value in std::iter::once(operand).chain(cast) {
            for (&dim, &extent) in dims.iter().zip(ir.shape_of(value)) {
                if extents[dim] == DYNAMIC {
                    extents[dim] = extent;
                }
            }
        }
    }
    let mut changed = false;
    let mut new = operands.clone();
    for (i, (&operand, dims)) in operands.iter().zip(&dims).enumerate() {
        let Type::Tensor { shape, elem, encoding } = ir.ty(operand).clone() else { continue };
        let known = |(&extent, &dim): (&i64, &usize)| if extent == DYNAMIC { extents[dim] } else { extent };
        let stated: Vec<i64> = shape.iter().zip(dims).map(known).collect();
        if stated != shape {
            let ty = ir.intern_type(Type::Tensor { shape: stated, elem, encoding });
            new[i] = Builder::before(ir, op).value(Opcode::TensorCast, &[operand], ty, &[]);
            changed = true;
        }
    }
    if !changed {
        return None;
    }
    ir.set_operands(op, &new);
    let written = operands.len() - ir.results(op).len();
    for (result, &output) in ir.results(op).collect::<Vec<_>>().into_iter().zip(&new[written..]) {
        let ty = ir.type_of(output);
        if ir.type_of(result) != ty {
            retype(ir, result, ty);
        }
    }
    Some(Fold::Changed)
}

/// The groups of `im2col` that say how much is padded, and the attributes that belong to them.
const PADS: [(usize, &str); 4] = [
    (5, "static_input_pad_low"),
    (6, "static_input_pad_high"),
    (7, "static_output_pad_low"),
    (8, "static_output_pad_high"),
];

/// How `tensor.pad` pads: low and high for each dimension, all with one constant.
fn padding(ir: &Ir, pad: OpId) -> Option<([Vec<Mixed>; 2], Number)> {
    if ir.attr_id(pad, "nofold").is_some() {
        return None;
    }
    let groups = ir.segments(pad);
    let list =
        |name: &str, values: &[ValueId]| Some(mixed(&ir.attr_id(pad, name).and_then(|attr| ir.ints(attr))?, values));
    let pads = [list("static_low", groups[1])?, list("static_high", groups[2])?];
    let &[value] = ir.operands(ir.terminator(ir.entry(pad))?) else { return None };
    Some((pads, number::of(ir, value)?))
}

/// Adds to what `im2col` pads, low and high. There is one number for all padding.
fn add_padding(ir: &mut Ir, op: OpId, first: usize, pads: &[Vec<Mixed>; 2], with: Number) -> Option<()> {
    let mut groups: Vec<Vec<ValueId>> = ir.segments(op).into_iter().map(<[ValueId]>::to_vec).collect();
    if groups[9].first().is_some_and(|&value| number::of(ir, value) != Some(with)) {
        return None;
    }
    let mut lists = Vec::new();
    for (pad, &(group, name)) in pads.iter().zip(&PADS[first..]) {
        let numbers = ir.attr_id(op, name).and_then(|attr| ir.ints(attr)).unwrap_or_default();
        let mut given = mixed(&numbers, &groups[group]);
        if given.is_empty() {
            given.resize(pad.len(), Mixed::Static(0));
        }
        let sum = |(&a, &b): (&Mixed, &Mixed)| match (a, b) {
            (Mixed::Static(a), Mixed::Static(b)) => a.checked_add(b).map(Mixed::Static),
            (Mixed::Static(0), other) | (other, Mixed::Static(0)) => Some(other),
            _ => None,
        };
        lists.push(given.iter().zip(pad).map(sum).collect::<Option<Vec<Mixed>>>()?);
    }
    for (list, &(group, name)) in lists.iter().zip(&PADS[first..]) {
        let (numbers, values) = unmixed(list);
        let numbers = ir.dense_i64(&numbers);
        ir.set_attr(op, name, numbers);
        groups[group] = values;
    }
    if groups[9].is_empty() {
        let elem = ir.elem_of(ir.operand(op, 0));
        groups[9] = vec![number::constant(ir, op, with, elem)];
    }
    let sizes: Vec<usize> = groups.iter().map(Vec::len).collect();
    let segments = ir.segment_sizes(&sizes);
    ir.set_attr(op, "operandSegmentSizes", segments);
    ir.set_operands(op, &groups.concat());
    Some(())
}

/// Padding of the input belongs to `im2col`.
fn padded_input(ir: &mut Ir, op: OpId) -> Option<Fold> {
    let pad = made_by(ir, ir.operand(op, 0), Opcode::TensorPad)?;
    let (pads, with) = padding(ir, pad)?;
    add_padding(ir, op, 0, &pads, with)?;
    let source = ir.operand(pad, 0);
    ir.set_operand(op, 0, source);
    Some(Fold::Changed)
}

/// Padding of the output, too, if nothing else sees it: a larger tensor is written.
fn padded_output(ir: &mut Ir, pad: OpId) -> Option<Fold> {
    let source = ir.operand(pad, 0);
    let op = made_by(ir, source, Opcode::IreeLinalgExtIm2col)?;
    let ty = ir.type_of(ir.result(pad, 0));
    made_by(ir, ir.operand(op, 1), Opcode::TensorEmpty)?;
    if ir.uses(source).count() != 1 || ir[ty].shape()?.contains(&DYNAMIC) {
        return None;
    }
    let (pads, with) = padding(ir, pad)?;
    // Values that only stand in front of the padding are not known earlier.
    if pads.iter().flatten().any(|pad| matches!(pad, Mixed::Value(_))) {
        return None;
    }
    add_padding(ir, op, 2, &pads, with)?;
    let output = Builder::before(ir, op).value(Opcode::TensorEmpty, &[], ty, &[]);
    ir.set_operand(op, 1, output);
    ir.set_type(source, ty);
    Fold::value(source)
}
