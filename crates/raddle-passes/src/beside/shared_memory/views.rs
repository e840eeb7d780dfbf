//! Views: what the type of a view becomes when the memory behind it is laid out otherwise.
//!
//! A memref has a stride for each dimension and an offset, and a view has those that follow from its source's. Where they
//! cannot follow (rows that are no longer side by side cannot be joined), there is no such view.

use raddle_ir::views::{Mixed, SliceView};
use raddle_ir::{Attr, AttrId, Builder, DYNAMIC, Ir, OpId, Opcode, Type, TypeId, ValueId, ValueMap};

/// Where the elements of a memref lie, in elements; [`DYNAMIC`] for what is not known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Strides {
    /// Distance between neighbours along each dimension.
    pub strides: Vec<i64>,
    /// Place of the first element.
    pub offset: i64,
}

impl Strides {
    /// Those of a memref type with strides or with none of its own.
    pub fn of(ir: &Ir, ty: TypeId) -> Option<Strides> {
        let Type::MemRef { shape, layout, .. } = &ir[ty] else { return None };
        match layout.map(|layout| &ir[layout]) {
            None => Some(Strides { strides: row_major(shape), offset: 0 }),
            Some(Attr::Strided { offset, strides }) => Some(Strides { strides: strides.clone(), offset: *offset }),
            Some(_) => None,
        }
    }
}

/// Those of rows side by side, where some extents may be open: what lies in front of them is not known.
fn row_major(shape: &[i64]) -> Vec<i64> {
    let mut strides = vec![1; shape.len()];
    for d in (1..shape.len()).rev() {
        strides[d - 1] = times(strides[d], shape[d]);
    }
    strides
}

/// A product that is not known where a factor is not, and where it is too large.
fn times(a: i64, b: i64) -> i64 {
    if a == DYNAMIC || b == DYNAMIC { DYNAMIC } else { a.checked_mul(b).unwrap_or(DYNAMIC) }
}

fn plus(a: i64, b: i64) -> i64 {
    if a == DYNAMIC || b == DYNAMIC { DYNAMIC } else { a.checked_add(b).unwrap_or(DYNAMIC) }
}

fn number(part: Mixed) -> i64 {
    match part {
        Mixed::Static(number) => number,
        Mixed::Value(_) => DYNAMIC,
    }
}

/// The type of a subview, of the given shape, of a memref of type `source`.
pub fn subview_type(ir: &mut Ir, source: TypeId, slice: &SliceView, shape: &[i64]) -> Option<TypeId> {
    let from = Strides::of(ir, source)?;
    let mut offset = from.offset;
    for (&at, &stride) in slice.offsets.iter().zip(&from.strides) {
        offset = plus(offset, times(number(at), stride));
    }
    // Dimensions of extent 1 may be dropped, the first ones that can be.
    let mut strides = Vec::new();
    for ((&size, &step), &stride) in slice.sizes.iter().zip(&slice.strides).zip(&from.strides) {
        if shape.get(strides.len()) == Some(&number(size)) {
            strides.push(times(number(step), stride));
        } else if number(size) != 1 {
            return None;
        }
    }
    if strides.len() != shape.len() {
        return None;
    }
    let layout = ir.intern(Attr::Strided { offset, strides });
    with_layout(ir, source, shape, Some(layout))
}

/// The types of an operation's results when its first operand, a memref, gets another type. `None` where there is no such
/// operation; no types where the operation takes any memref of the same shape.
pub fn retyped(ir: &mut Ir, op: OpId, source: TypeId) -> Option<Vec<TypeId>> {
    let opcode = ir.opcode(op);
    let result = ir.results(op).next();
    let shape_of = |ir: &Ir, value: ValueId| ir.shape_of(value).to_vec();
    match (opcode, result) {
        (Opcode::MemrefSubview, Some(result)) => {
            let (slice, shape) = (SliceView::of(ir, op), shape_of(ir, result));
            Some(vec![subview_type(ir, source, &slice, &shape)?])
        }
        (Opcode::MemrefCast, Some(result)) => {
            let shape = shape_of(ir, result);
            let Type::MemRef { layout, .. } = ir[source] else { return None };
            Some(vec![with_layout(ir, source, &shape, layout)?])
        }
        (Opcode::MemrefExpandShape | Opcode::MemrefCollapseShape, Some(result)) => {
            let shape = shape_of(ir, result);
            let from = Strides::of(ir, source)?;
            let groups = groups(ir, op)?;
            let expands = opcode == Opcode::MemrefExpandShape;
            let extents = if expands { shape.clone() } else { ir[source].shape()?.to_vec() };
            let strides =
                if expands { expanded(&from, &groups, &extents) } else { collapsed(&from, &groups, &extents)? };
            let layout = ir.intern(Attr::Strided { offset: from.offset, strides });
            Some(vec![with_layout(ir, source, &shape, Some(layout))?])
        }
        (Opcode::MemrefAssumeAlignment, Some(_)) => Some(vec![source]),
        (Opcode::MemrefAssumeAlignment | Opcode::MemrefDealloc | Opcode::MemrefDim, _) => Some(Vec::new()),
        // What finds each element by its indices finds it anywhere.
        (Opcode::VectorTransferRead | Opcode::VectorTransferWrite | Opcode::MemrefLoad | Opcode::MemrefStore, _)
        | (Opcode::VectorLoad | Opcode::VectorStore | Opcode::VectorMaskedload | Opcode::VectorMaskedstore, _)
        | (Opcode::NvgpuLdmatrix | Opcode::NvgpuStmatrix | Opcode::NvgpuDeviceAsyncCopy | Opcode::MemrefAtomicRmw, _)
        | (Opcode::MemrefCopy, _) => Some(Vec::new()),
        // These go on from row to row.
        (Opcode::AmdgpuGatherToLds | Opcode::AmdgpuTransposeLoad | Opcode::AmdgpuGlobalTransposeLoad, _)
        | (Opcode::GpuSubgroupMmaLoadMatrix | Opcode::GpuSubgroupMmaStoreMatrix, _)
            if is_dense(ir, source) =>
        {
            Some(Vec::new())
        }
        _ => None,
    }
}

/// The type of a subview that is one thick along the first dimension of its source, without that dimension.
pub fn thinner(ir: &mut Ir, source: TypeId, slice: &SliceView) -> Option<TypeId> {
    let from = Strides::of(ir, source)?;
    let shape = ir[source].shape()?[1..].to_vec();
    let mut offset = from.offset;
    for (&at, &stride) in slice.offsets.iter().zip(&from.strides) {
        offset = plus(offset, times(number(at), stride));
    }
    let layout = ir.intern(Attr::Strided { offset, strides: from.strides[1..].to_vec() });
    with_layout(ir, source, &shape, Some(layout))
}

/// The types that a value and the views of it have when the value gets another type; `None` where a use stands against
/// it.
pub fn retyping(ir: &mut Ir, value: ValueId, ty: TypeId) -> Option<Vec<(ValueId, TypeId)>> {
    let mut types = vec![(value, ty)];
    let mut at = 0;
    while let Some(&(value, ty)) = types.get(at) {
        at += 1;
        if ir.type_of(value) == ty {
            continue;
        }
        for (user, _) in ir.uses(value).collect::<Vec<_>>() {
            let results = retyped(ir, user, ty)?;
            types.extend(ir.results(user).zip(results));
        }
    }
    Some(types)
}

/// Changes the type of a value, and of the views of it; `false`, and nothing changed, where a use stands against it.
pub fn retype(ir: &mut Ir, value: ValueId, ty: TypeId) -> bool {
    let Some(types) = retyping(ir, value, ty) else { return false };
    for &(value, ty) in &types {
        ir.set_type(value, ty);
    }
    // A cast to what its source is now is none.
    for (value, _) in types {
        if let Some(cast) = ir.def_op(value).filter(|&op| ir.opcode(op) == Opcode::MemrefCast)
            && ir.type_of(ir.operand(cast, 0)) == ir.type_of(value)
        {
            ir.replace_uses(value, ir.operand(cast, 0));
            ir.erase(cast);
        }
    }
    true
}

/// Whether the elements of a memref type lie side by side, in row-major order.
fn is_dense(ir: &Ir, ty: TypeId) -> bool {
    let shape = ir[ty].shape().unwrap_or_default();
    Strides::of(ir, ty).is_some_and(|strides| strides.strides == row_major(shape))
}

/// Lets each stage make its views itself, so that no loop carries memrefs.
pub fn split(ir: &mut Ir, schedule: &mut Vec<(OpId, usize)>) {
    let mut views: Vec<(OpId, usize)> =
        schedule.iter().copied().filter(|entry| super::is_view(ir.opcode(entry.0))).collect();
    // A view of a view comes behind it: what the copies of the last one use is looked at later.
    while let Some((view, own)) = views.pop() {
        let Some(value) = ir.results(view).next() else { continue };
        let uses = |ir: &Ir, op: OpId| crate::overlap::software_pipeline::used(ir, op).contains(&value);
        let mut stages: Vec<usize> = schedule.iter().filter(|&&(op, _)| uses(ir, op)).map(|entry| entry.1).collect();
        stages.sort_unstable();
        stages.dedup();
        for stage in stages.into_iter().filter(|&stage| stage != own) {
            let users: Vec<OpId> =
                schedule.iter().filter(|entry| entry.1 == stage && uses(ir, entry.0)).map(|entry| entry.0).collect();
            let at = schedule.iter().position(|entry| users.contains(&entry.0)).unwrap_or(schedule.len());
            let copy = Builder::before(ir, view).copy(view, &mut ValueMap::default());
            schedule.insert(at, (copy, stage));
            let new = ir.result(copy, 0);
            let inside: Vec<OpId> = users.iter().flat_map(|&op| [vec![op], ir.walk(op)].concat()).collect();
            for (user, operand) in ir.uses(value).collect::<Vec<_>>() {
                if inside.contains(&user) {
                    ir.set_operand(user, operand, new);
                }
            }
            views.push((copy, stage));
        }
    }
}

/// The type with other extents and layout.
fn with_layout(ir: &mut Ir, ty: TypeId, shape: &[i64], layout: Option<AttrId>) -> Option<TypeId> {
    let Type::MemRef { elem, space, .. } = ir[ty] else { return None };
    Some(ir.intern_type(Type::MemRef { shape: shape.to_vec(), elem, layout, space }))
}

/// The dimensions that belong together in a change of shape.
fn groups(ir: &Ir, op: OpId) -> Option<Vec<Vec<usize>>> {
    let Attr::Array(groups) = ir.attr(op, "reassociation")? else { return None };
    let group = |&group: &AttrId| ir.ints(group)?.into_iter().map(|d| usize::try_from(d).ok()).collect();
    groups.iter().map(group).collect()
}

/// Each dimension apart: the last of a group has the stride of what it was.
fn expanded(from: &Strides, groups: &[Vec<usize>], extents: &[i64]) -> Vec<i64> {
    let mut strides = vec![1; extents.len()];
    for (group, &stride) in groups.iter().zip(&from.strides) {
        let mut stride = stride;
        for &d in group.iter().rev() {
            strides[d] = stride;
            stride = times(stride, extents[d]);
        }
    }
    strides
}

/// Dimensions of a group as one: `None` unless each row ends where the next one begins.
fn collapsed(from: &Strides, groups: &[Vec<usize>], extents: &[i64]) -> Option<Vec<i64>> {
    let joined = |group: &Vec<usize>| {
        // Extents of 1 have any stride.
        let mut long = group.iter().rev().copied().filter(|&d| extents[d] != 1);
        let Some(last) = long.next() else { return group.last().map(|&d| from.strides[d]) };
        let mut next = times(from.strides[last], extents[last]);
        for d in long {
            if next == DYNAMIC || from.strides[d] != next {
                return None;
            }
            next = times(next, extents[d]);
        }
        Some(from.strides[last])
    };
    groups.iter().map(joined).collect()
}
