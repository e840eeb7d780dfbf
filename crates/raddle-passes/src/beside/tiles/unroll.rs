//! Unroll matrix instructions on tiles: one operation for each point of the loops, each on one tile of every operand.
//!
//! Before: `iree_codegen.inner_tiled … : vector<2x2x4xf16>, vector<2x2x4xf16> into vector<2x2x4xf32>`
//! After:  eight of them on `vector<1x1x4xf16>`, and then without the dimensions of extent 1.
//!
//! Summed loops are outside of the others, and those that A is along outside of those that it is not: an accumulator
//! waits for its next product, and A's tiles are used again at once.

use raddle_ir::{Builder, Ir, Map, OpId, Opcode, TypeId, ValueId};

use super::{InnerTiled, conversion, is_on_vectors, strided_slice, with_operands};

/// Operations that one may become.
const POINTS_MAX: i64 = 1 << 12;

/// Unrolls all inside; says whether there was any.
pub fn unroll(ir: &mut Ir, func: OpId) -> bool {
    let mut changed = false;
    for op in ir.walk(func) {
        if is_on_vectors(ir, op)
            && let Some(view) = InnerTiled::of(ir, op)
        {
            let n = view.extents(ir).iter().try_fold(1i64, |n, &extent| n.checked_mul(extent));
            if n.is_some_and(|n| (2..=POINTS_MAX).contains(&n)) {
                unroll_one(ir, op, &view);
                changed = true;
            }
        }
    }
    changed
}

fn unroll_one(ir: &mut Ir, op: OpId, view: &InnerTiled) {
    let points = points(&view.extents(ir), &order(view));
    let at = |dims: &[usize], point: &[i64]| dims.iter().map(|&d| point[d]).collect::<Vec<i64>>();
    let (inputs, acc_dims) = (view.values.len() - 1, &view.dims[view.values.len() - 1]);
    let acc = view.values[inputs];
    let mut offsets: Vec<Vec<i64>> = Vec::new();
    for point in &points {
        let offset = at(acc_dims, point);
        if !offsets.contains(&offset) {
            offsets.push(offset);
        }
    }
    let mut builder = Builder::before(ir, op);
    let builder = &mut builder;
    let (whole, elem) = (builder.ir.type_of(acc), builder.ir.elem_of(acc));
    let unit: Vec<i64> = acc_dims.iter().map(|_| 1).chain(view.inner(builder.ir, inputs).iter().copied()).collect();
    let part: TypeId = builder.ir.vector_type(&unit, elem);
    let tags = ["unroll_acc_distribute", "unroll_acc_reassemble"];
    let mut accs = conversion(builder, tags, &[acc], &vec![part; offsets.len()], |builder, args| {
        let ones = vec![1; acc_dims.len()];
        offsets.iter().map(|offset| strided_slice(builder, args[0], offset, &ones)).collect()
    });
    for point in &points {
        let mut operands = Vec::new();
        for (&value, dims) in view.values[..inputs].iter().zip(&view.dims) {
            operands.push(strided_slice(builder, value, &at(dims, point), &vec![1; dims.len()]));
        }
        let offset = at(acc_dims, point);
        let which = offsets.iter().position(|other| *other == offset).expect("every point's offset was entered");
        operands.push(accs[which]);
        let new = with_operands(builder, op, &operands);
        accs[which] = builder.ir.result(new, 0);
    }
    let result = conversion(builder, [tags[1], tags[0]], &accs, &[whole], |builder, args| {
        let mut all = builder.splat(0.0, whole);
        for (&part, offset) in args.iter().zip(&offsets) {
            let mut at = offset.clone();
            at.resize(unit.len(), 0);
            all = builder.insert_strided_slice(part, all, &at);
        }
        vec![all]
    });
    let old = ir.result(op, 0);
    ir.replace_uses(old, result[0]);
    ir.erase(op);
}

/// The loops from the outermost to the innermost one.
fn order(view: &InnerTiled) -> Vec<usize> {
    let all = || 0..view.reduction.len();
    let in_lhs = |d: &usize| view.dims[0].contains(d);
    let summed = all().filter(|&d| view.reduction[d]);
    let rows = all().filter(|d| !view.reduction[*d] && in_lhs(d));
    let columns = all().filter(|d| !view.reduction[*d] && !in_lhs(d));
    summed.chain(rows).chain(columns).collect()
}

/// All points of the loops, the last one of `order` fastest.
fn points(extents: &[i64], order: &[usize]) -> Vec<Vec<i64>> {
    let mut points = vec![vec![0; extents.len()]];
    for &d in order {
        let along = |point: Vec<i64>| {
            (0..extents[d]).map(move |at| {
                let mut point = point.clone();
                point[d] = at;
                point
            })
        };
        points = points.into_iter().flat_map(along).collect();
    }
    points
}

/// Takes the loops' dimensions off operations whose loops all have extent 1; says whether there was any.
pub fn drop_units(ir: &mut Ir, func: OpId) -> bool {
    let mut changed = false;
    for op in ir.walk(func) {
        if is_on_vectors(ir, op)
            && let Some(view) = InnerTiled::of(ir, op)
        {
            let extents = view.extents(ir);
            if !extents.is_empty() && extents.iter().all(|&extent| extent == 1) {
                drop_one(ir, op, &view);
                changed = true;
            }
        }
    }
    changed
}

fn drop_one(ir: &mut Ir, op: OpId, view: &InnerTiled) {
    let mut builder = Builder::before(ir, op);
    let builder = &mut builder;
    let first = |builder: &mut Builder<'_>, value: ValueId, dims: &[usize]| {
        if dims.is_empty() { value } else { builder.extract(value, &vec![0; dims.len()]) }
    };
    let n = view.values.len();
    let mut operands = Vec::new();
    for (&value, dims) in view.values[..n - 1].iter().zip(&view.dims) {
        operands.push(first(builder, value, dims));
    }
    let (acc, elem) = (view.values[n - 1], builder.ir.elem_of(view.values[n - 1]));
    let whole = builder.ir.type_of(acc);
    let inner = view.inner(builder.ir, n - 1).to_vec();
    let bare = builder.ir.vector_type(&inner, elem);
    let tags = ["drop_unit_dims", "add_unit_dims"];
    operands.extend(conversion(builder, tags, &[acc], &[bare], |builder, args| {
        vec![first(builder, args[0], &view.dims[n - 1])]
    }));
    let new = with_operands(builder, op, &operands);
    let none = builder.ir.intern(raddle_ir::Attr::Map(Map::of_dims(0, &[])));
    let maps = builder.ir.intern(raddle_ir::Attr::Array(vec![none; n]));
    builder.ir.set_attr(new, "indexing_maps", maps);
    let iterators = builder.ir.intern(raddle_ir::Attr::Array(Vec::new()));
    builder.ir.set_attr(new, "iterator_types", iterators);
    let made = builder.ir.result(new, 0);
    let result = conversion(builder, [tags[1], tags[0]], &[made], &[whole], |builder, args| {
        let is_whole = builder.ir.type_of(args[0]) == whole;
        vec![if is_whole { args[0] } else { builder.value(Opcode::VectorBroadcast, &[args[0]], whole, &[]) }]
    });
    let old = ir.result(op, 0);
    ir.replace_uses(old, result[0]);
    ir.erase(op);
}
