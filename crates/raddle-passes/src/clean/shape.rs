//! Fold operations that move elements: broadcasts, transposes, casts, extracts, inserts, slices, and layout changes.

use raddle_ir::views::{Mixed, position, unmixed};
use raddle_ir::{Attr, Builder, Ir, OpId, Opcode, ValueId};

use super::fold::Fold;
use super::{lanes, number};

/// How many operations a search for an element's origin looks through.
const CHAIN_MAX: usize = 1024;

/// Constants up to this size are taken apart.
const DENSE_BYTES_MAX: usize = 1 << 12;

/// Folds one operation that only moves elements.
pub(super) fn fold(ir: &mut Ir, op: OpId) -> Option<Fold> {
    match ir.opcode(op) {
        Opcode::VectorBroadcast => fold_broadcast(ir, op),
        Opcode::VectorTranspose => fold_transpose(ir, op),
        Opcode::VectorShapeCast => fold_shape_cast(ir, op),
        Opcode::VectorExtract => state_position(ir, op).or_else(|| fold_extract(ir, op)),
        Opcode::VectorInsert => state_position(ir, op).or_else(|| fold_insert(ir, op)),
        Opcode::VectorExtractStridedSlice => fold_extract_slice(ir, op),
        Opcode::VectorInsertStridedSlice => fold_insert_slice(ir, op),
        Opcode::VectorFromElements => fold_from_elements(ir, op).or_else(|| lanes::from_elements(ir, op)),
        Opcode::VectorToElements => fold_to_elements(ir, op),
        _ => None,
    }
}

/// Folds one conversion between layouts or between the SIMD and the SIMT view.
pub(super) fn fold_layout(ir: &mut Ir, op: OpId) -> Option<Fold> {
    let source = ir.operand(op, 0);
    let inner = ir.def_op(source)?;
    match (ir.opcode(op), ir.opcode(inner)) {
        (Opcode::IreeVectorExtToSimd, Opcode::IreeVectorExtToSimt)
        | (Opcode::IreeVectorExtToSimt, Opcode::IreeVectorExtToSimd) => {
            let origin = ir.operand(inner, 0);
            if ir.type_of(origin) == ir.type_of(ir.result(op, 0)) { Fold::value(origin) } else { None }
        }
        // To the layout that it has already.
        (Opcode::IreeVectorExtToLayout, Opcode::IreeVectorExtToLayout) if ir.attr_dict(op) == ir.attr_dict(inner) => {
            Fold::value(source)
        }
        _ => None,
    }
}

fn same_type(ir: &Ir, op: OpId, value: ValueId) -> bool {
    ir.type_of(value) == ir.type_of(ir.result(op, 0))
}

/// The operation of this opcode that makes a value, if it states no layout.
fn made_by(ir: &Ir, value: ValueId, opcode: Opcode) -> Option<OpId> {
    ir.def_op(value).filter(|&op| ir.opcode(op) == opcode && ir.attr_id(op, "layouts").is_none())
}

/// The scalar that a value repeats.
fn repeated(ir: &Ir, value: ValueId) -> Option<ValueId> {
    let op = made_by(ir, value, Opcode::VectorBroadcast)?;
    let source = ir.operand(op, 0);
    (!ir.ty(source).is_vector()).then_some(source)
}

/// A value of which all elements are the same, with the shape of the result.
fn fold_uniform(ir: &mut Ir, op: OpId, source: ValueId) -> Option<Fold> {
    let ty = ir.type_of(ir.result(op, 0));
    if made_by(ir, source, Opcode::ArithConstant).is_some()
        && let Some(number) = number::of(ir, source)
    {
        return Fold::value(number::constant(ir, op, number, ty));
    }
    let scalar = repeated(ir, source)?;
    Fold::value(if ir[ty].is_vector() { Builder::before(ir, op).broadcast(scalar, ty) } else { scalar })
}

fn fold_broadcast(ir: &mut Ir, op: OpId) -> Option<Fold> {
    let source = ir.operand(op, 0);
    if same_type(ir, op, source) {
        return Fold::value(source);
    }
    fold_uniform(ir, op, source)
}

fn fold_transpose(ir: &mut Ir, op: OpId) -> Option<Fold> {
    let source = ir.operand(op, 0);
    let perm = ir.ints(ir.attr_id(op, "permutation")?)?;
    if perm.iter().enumerate().all(|(i, &d)| i as i64 == d) && same_type(ir, op, source) {
        return Fold::value(source);
    }
    if let Some(fold) = fold_uniform(ir, op, source) {
        return Some(fold);
    }
    if let Some(origin) = fold_transpose_of_broadcast(ir, op, source, &perm) {
        return Some(origin);
    }
    let inner = made_by(ir, source, Opcode::VectorTranspose)?;
    let inner_perm = ir.ints(ir.attr_id(inner, "permutation")?)?;
    let perm: Vec<usize> =
        perm.iter().map(|&d| inner_perm.get(d as usize).map(|&d| d as usize)).collect::<Option<_>>()?;
    let origin = ir.operand(inner, 0);
    Fold::value(Builder::before(ir, op).transpose(origin, &perm))
}

/// A transpose of a broadcast that leaves the source's own dimensions where a broadcast alone would put them.
fn fold_transpose_of_broadcast(ir: &mut Ir, op: OpId, source: ValueId, perm: &[i64]) -> Option<Fold> {
    let inner = made_by(ir, source, Opcode::VectorBroadcast)?;
    let origin = ir.operand(inner, 0);
    let shape = ir.shape_of(origin);
    let lead = perm.len().checked_sub(shape.len())?;
    let stays = |d: usize| perm[lead + d] == (lead + d) as i64;
    if (0..shape.len()).any(|d| shape[d] != 1 && !stays(d)) {
        return None;
    }
    let ty = ir.type_of(ir.result(op, 0));
    Fold::value(Builder::before(ir, op).broadcast(origin, ty))
}

fn fold_shape_cast(ir: &mut Ir, op: OpId) -> Option<Fold> {
    let source = ir.operand(op, 0);
    let result = ir.type_of(ir.result(op, 0));
    if same_type(ir, op, source) {
        return Fold::value(source);
    }
    if let Some(fold) = fold_uniform(ir, op, source) {
        return Some(fold);
    }
    if let Some(inner) = made_by(ir, source, Opcode::VectorShapeCast) {
        let origin = ir.operand(inner, 0);
        return if ir.type_of(origin) == result {
            Fold::value(origin)
        } else {
            ir.set_operand(op, 0, origin);
            Some(Fold::Changed)
        };
    }
    // New dimensions of one element in front, and gone again.
    if let Some(inner) = made_by(ir, source, Opcode::VectorBroadcast) {
        let origin = ir.operand(inner, 0);
        let n_elements = |ir: &Ir, value: ValueId| ir.shape_of(value).iter().product::<i64>();
        let padded = ir.ty(origin).is_vector() && n_elements(ir, origin) == n_elements(ir, source);
        return if padded && ir.type_of(origin) == result { Fold::value(origin) } else { None };
    }
    let constant = made_by(ir, source, Opcode::ArithConstant)?;
    match ir.attr(constant, "value")?.clone() {
        Attr::Dense { splat: false, bytes, .. } => {
            Fold::value(Builder::before(ir, op).constant(Attr::Dense { ty: result, splat: false, bytes }, result))
        }
        _ => None,
    }
}

/// The position, if all of it is known.
fn static_position(ir: &Ir, op: OpId) -> Option<Vec<i64>> {
    position(ir, op)
        .into_iter()
        .map(|at| match at {
            // A negative position is poison.
            Mixed::Static(at) if at >= 0 => Some(at),
            Mixed::Static(_) | Mixed::Value(_) => None,
        })
        .collect()
}

/// The attribute of an array of integers.
fn ints(ir: &Ir, op: OpId, name: &str) -> Option<Vec<i64>> {
    ir.ints(ir.attr_id(op, name)?)
}

/// The row-major number of a coordinate.
fn linear(shape: &[i64], at: &[i64]) -> i64 {
    shape.iter().zip(at).fold(0, |acc, (&size, &at)| acc * size + at)
}

/// The coordinate of a row-major number.
fn delinear(shape: &[i64], mut number: i64) -> Vec<i64> {
    let mut at = vec![0; shape.len()];
    for (at, &size) in at.iter_mut().zip(shape).rev() {
        (*at, number) = (number % size, number / size);
    }
    at
}

/// Known positions go into the attribute; one outside the vector is a mistake that stays visible.
fn state_position(ir: &mut Ir, op: OpId) -> Option<Fold> {
    let first = if ir.opcode(op) == Opcode::VectorInsert { 2 } else { 1 };
    if ir.operands(op).len() == first {
        return None;
    }
    let vector = ir.operand(op, first - 1);
    let shape = ir.shape_of(vector).to_vec();
    let position: Vec<Mixed> = position(ir, op)
        .into_iter()
        .zip(shape)
        .map(|(at, extent)| match at {
            Mixed::Value(value) => match number::of(ir, value).and_then(number::Number::int) {
                Some(number) if (0..extent).contains(&number) => Mixed::Static(number),
                _ => at,
            },
            Mixed::Static(_) => at,
        })
        .collect();
    let (numbers, values) = unmixed(&position);
    if values.len() + first == ir.operands(op).len() {
        return None;
    }
    let numbers = ir.dense_i64(&numbers);
    let operands = [&ir.operands(op)[..first], &values].concat();
    ir.set_operands(op, &operands);
    ir.set_attr(op, "static_position", numbers);
    Some(Fold::Changed)
}

/// Looks for the value that `vector.extract` takes out, back through what only moves it.
fn fold_extract(ir: &mut Ir, op: OpId) -> Option<Fold> {
    let mut at = static_position(ir, op)?;
    let start = ir.operand(op, 0);
    let result = ir.type_of(ir.result(op, 0));
    let mut source = start;
    for _ in 0..CHAIN_MAX {
        if at.is_empty() && ir.type_of(source) == result {
            return Fold::value(source);
        }
        match step_back(ir, source, &at) {
            Some((origin, there)) => (source, at) = (origin, there),
            None => break,
        }
    }
    if let Some(value) = element_of(ir, op, source, &at) {
        return Fold::value(value);
    }
    if source == start {
        return None;
    }
    // An extract from further back: the operations between lose a user.
    let at = ir.dense_i64(&at);
    ir.set_operands(op, &[source]);
    ir.set_attr(op, "static_position", at);
    Some(Fold::Changed)
}

/// Where `source[at]` comes from: a value and the position in it.
fn step_back(ir: &Ir, source: ValueId, at: &[i64]) -> Option<(ValueId, Vec<i64>)> {
    let op = ir.def_op(source)?;
    if ir.attr_id(op, "layouts").is_some() {
        return None;
    }
    let shape = ir.shape_of(source);
    let whole = at.len() == shape.len();
    match ir.opcode(op) {
        Opcode::VectorInsert => {
            let put = static_position(ir, op)?;
            let shared = put.len().min(at.len());
            if put[..shared] != at[..shared] {
                return Some((ir.operand(op, 1), at.to_vec()));
            }
            // Of a part larger than the inserted one, some elements come from elsewhere.
            (put.len() <= at.len()).then(|| (ir.operand(op, 0), at[put.len()..].to_vec()))
        }
        Opcode::VectorExtract => Some((ir.operand(op, 0), [static_position(ir, op)?, at.to_vec()].concat())),
        Opcode::VectorBroadcast => {
            let origin = ir.operand(op, 0);
            let inner = ir.shape_of(origin);
            let lead = shape.len() - inner.len();
            let there = at.get(lead..)?;
            // A part of a stretched dimension is not a part of the origin.
            if (there.len()..inner.len()).any(|d| inner[d] != shape[lead + d]) {
                return None;
            }
            let there = there.iter().zip(inner).map(|(&at, &size)| if size == 1 { 0 } else { at });
            Some((origin, there.collect()))
        }
        Opcode::VectorTranspose if whole => {
            let perm = ints(ir, op, "permutation")?;
            let mut there = vec![0; at.len()];
            for (&d, &at) in perm.iter().zip(at) {
                *there.get_mut(d as usize)? = at;
            }
            Some((ir.operand(op, 0), there))
        }
        Opcode::VectorShapeCast if whole => {
            let origin = ir.operand(op, 0);
            Some((origin, delinear(ir.shape_of(origin), linear(shape, at))))
        }
        Opcode::VectorExtractStridedSlice => {
            let (offsets, strides) = (ints(ir, op, "offsets")?, ints(ir, op, "strides")?);
            if at.len() < offsets.len() {
                return None;
            }
            let mut there = at.to_vec();
            for ((there, offset), stride) in there.iter_mut().zip(&offsets).zip(&strides) {
                *there = *there * stride + offset;
            }
            Some((ir.operand(op, 0), there))
        }
        Opcode::VectorInsertStridedSlice => {
            let (value, dest) = (ir.operand(op, 0), ir.operand(op, 1));
            let (offsets, strides) = (ints(ir, op, "offsets")?, ints(ir, op, "strides")?);
            let inner = ir.shape_of(value);
            if strides.iter().any(|&stride| stride != 1) {
                return None;
            }
            // Leading dimensions of the destination that the value lacks are fixed by their offset.
            let lead = shape.len() - inner.len();
            let size = |d: usize| if d < lead { 1 } else { inner[d - lead] };
            if (0..at.len()).any(|d| at[d] < offsets[d] || at[d] >= offsets[d] + size(d)) {
                return Some((dest, at.to_vec()));
            }
            // What is left must come from the value alone.
            let covers = at.len() >= lead && (at.len()..shape.len()).all(|d| offsets[d] == 0 && size(d) == shape[d]);
            covers.then(|| (value, (lead..at.len()).map(|d| at[d] - offsets[d]).collect()))
        }
        _ => None,
    }
}

/// The scalar at a full position of a value made of scalars or constants.
fn element_of(ir: &mut Ir, op: OpId, source: ValueId, at: &[i64]) -> Option<ValueId> {
    let maker = ir.def_op(source)?;
    let ty = ir.type_of(ir.result(op, 0));
    if ir.attr_id(maker, "layouts").is_some() {
        return None;
    }
    match ir.opcode(maker) {
        Opcode::VectorFromElements if at.len() == ir.shape_of(source).len() => {
            ir.operands(maker).get(linear(ir.shape_of(source), at) as usize).copied()
        }
        Opcode::ArithConstant => match ir.attr(maker, "value")? {
            Attr::Dense { splat: true, .. } => {
                let number = number::of(ir, source)?;
                Some(number::constant(ir, op, number, ty))
            }
            attr @ Attr::Dense { splat: false, bytes, .. }
                if at.len() == ir.shape_of(source).len() && bytes.len() <= DENSE_BYTES_MAX =>
            {
                let elem = ir.dense_elems(attr).get(linear(ir.shape_of(source), at) as usize)?.clone();
                let number = number::of_attr(ir, &elem)?;
                Some(number::constant(ir, op, number, ty))
            }
            _ => None,
        },
        _ => None,
    }
}

fn fold_insert(ir: &mut Ir, op: OpId) -> Option<Fold> {
    let (value, dest) = (ir.operand(op, 0), ir.operand(op, 1));
    let at = static_position(ir, op)?;
    if at.is_empty() && same_type(ir, op, value) {
        return Fold::value(value);
    }
    // What is put in was taken from there.
    if let Some(taken) = made_by(ir, value, Opcode::VectorExtract)
        && ir.operand(taken, 0) == dest
        && static_position(ir, taken).as_ref() == Some(&at)
    {
        return Fold::value(dest);
    }
    // The earlier value at this place is never seen.
    let inner = made_by(ir, dest, Opcode::VectorInsert)?;
    if static_position(ir, inner)? != at {
        return None;
    }
    let origin = ir.operand(inner, 1);
    ir.set_operand(op, 1, origin);
    Some(Fold::Changed)
}

fn fold_extract_slice(ir: &mut Ir, op: OpId) -> Option<Fold> {
    let source = ir.operand(op, 0);
    // Same shape out as in: all of it.
    if same_type(ir, op, source) {
        return Fold::value(source);
    }
    if let Some(fold) = fold_uniform(ir, op, source) {
        return Some(fold);
    }
    let result_shape = ir.shape_of(ir.result(op, 0)).to_vec();
    let (offsets, strides) = (ints(ir, op, "offsets")?, ints(ir, op, "strides")?);
    if strides.iter().any(|&stride| stride != 1) || offsets.len() != result_shape.len() {
        return None;
    }
    let mut at = source;
    for _ in 0..CHAIN_MAX {
        let Some(inner) = made_by(ir, at, Opcode::VectorInsertStridedSlice) else { break };
        let (value, dest) = (ir.operand(inner, 0), ir.operand(inner, 1));
        let (put, put_strides) = (ints(ir, inner, "offsets")?, ints(ir, inner, "strides")?);
        let inner_shape = ir.shape_of(value);
        if put_strides.iter().any(|&stride| stride != 1) || inner_shape.len() != offsets.len() {
            break;
        }
        if put == offsets && inner_shape == result_shape {
            return Fold::value(value);
        }
        let apart =
            (0..put.len()).any(|d| put[d] + inner_shape[d] <= offsets[d] || offsets[d] + result_shape[d] <= put[d]);
        if !apart {
            break;
        }
        at = dest;
    }
    if at == source {
        return None;
    }
    ir.set_operand(op, 0, at);
    Some(Fold::Changed)
}

fn fold_insert_slice(ir: &mut Ir, op: OpId) -> Option<Fold> {
    let (value, dest) = (ir.operand(op, 0), ir.operand(op, 1));
    if same_type(ir, op, value) {
        return Fold::value(value);
    }
    let inner = made_by(ir, dest, Opcode::VectorInsertStridedSlice)?;
    let covered = ir.attr_dict(inner) == ir.attr_dict(op) && ir.type_of(ir.operand(inner, 0)) == ir.type_of(value);
    if !covered {
        return None;
    }
    let origin = ir.operand(inner, 1);
    ir.set_operand(op, 1, origin);
    Some(Fold::Changed)
}

fn fold_from_elements(ir: &mut Ir, op: OpId) -> Option<Fold> {
    let taken = made_by(ir, *ir.operands(op).first()?, Opcode::VectorToElements)?;
    let source = ir.operand(taken, 0);
    let all = ir.operands(op).iter().copied().eq(ir.results(taken));
    if all && same_type(ir, op, source) { Fold::value(source) } else { None }
}

fn fold_to_elements(ir: &mut Ir, op: OpId) -> Option<Fold> {
    let source = ir.operand(op, 0);
    let n = ir.results(op).len();
    let maker = ir.def_op(source).filter(|&maker| ir.attr_id(maker, "layouts").is_none())?;
    match ir.opcode(maker) {
        Opcode::VectorFromElements => Some(Fold::Values(ir.operands(maker).to_vec())),
        Opcode::VectorBroadcast => Some(Fold::Values(vec![repeated(ir, source)?; n])),
        Opcode::ArithConstant => {
            let attr = ir.attr(maker, "value")?;
            let Attr::Dense { splat, bytes, .. } = attr else { return None };
            if bytes.len() > DENSE_BYTES_MAX {
                return None;
            }
            let (splat, elems) = (*splat, ir.dense_elems(attr));
            let ty = ir.elem_of(source);
            let values: Vec<ValueId> = elems
                .iter()
                .map(|elem| {
                    let number = number::of_attr(ir, elem)?;
                    Some(number::constant(ir, op, number, ty))
                })
                .collect::<Option<_>>()?;
            Some(Fold::Values(if splat { vec![*values.first()?; n] } else { values }))
        }
        _ => None,
    }
}
