//! Contractions of one instruction's shape as that instruction.

use raddle_ir::affine::BinOp;
use raddle_ir::views::{Contract, Transfer};
use raddle_ir::{Attr, BlockId, Builder, Def, Expr, Ir, Map, OpId, Opcode, ValueId};
use raddle_target::catalogue::{Elem, Instruction};
use rustc_hash::FxHashMap;

use super::forms::{Form, first, parts, run};
use super::plan::{Plan, lead, opaque_elementwise, plan};
use super::{Way, product, reads, shared};
use crate::clean;

struct Cx {
    /// What is carried out just now.
    plan: Plan,
    forms: Vec<Form>,
    /// The number of the lane, where the lanes are ours to number.
    lane: Option<ValueId>,
    /// What has been made.
    made: FxHashMap<(ValueId, usize), ValueId>,
}

/// Converts the contractions of a function that instructions of one way compute, with all that hangs together with
/// them; the others stay. Says whether there were any.
pub fn convert(ir: &mut Ir, func: OpId, way: Way) -> bool {
    clean::canonicalize(ir, func);
    reads::fold(ir, func);
    let (mut plans, mut forms): (Vec<Plan>, Vec<Form>) = Default::default();
    for op in ir.walk(func) {
        if product(ir, op).is_some() && !plans.iter().any(|plan| plan.contracts.contains_key(&op)) {
            plans.extend(plan(ir, way, op, &mut forms));
        }
    }
    let Some(entry) = ir.body(func, 0).filter(|_| !plans.is_empty()) else { return false };
    let lane = (way == Way::Lanes).then(|| lane(ir, entry));
    let mut cx = Cx { plan: Plan::default(), forms, lane, made: FxHashMap::default() };
    for plan in plans {
        cx.plan = plan;
        apply(ir, &mut cx);
    }
    clean::remove(ir, func);
    true
}

fn lane(ir: &mut Ir, entry: BlockId) -> ValueId {
    let first = ir.first_op(entry).expect("a function has an end");
    let index = ir.index_type();
    Builder::before(ir, first).value(Opcode::GpuLaneId, &[], index, &[])
}

fn apply(ir: &mut Ir, cx: &mut Cx) {
    let (carried, writes) = (cx.plan.carried.clone(), cx.plan.writes.clone());
    // Loops carry the same values in another form.
    for (&(op, index), &form) in &carried {
        let arg = ir.args(ir.entry(op))[1 + index];
        for value in [arg, ir.result(op, index)] {
            cx.made.insert((value, form), value);
        }
    }
    let mut changes = Vec::new();
    for (&(op, index), &form) in &carried {
        let end = ir.terminator(ir.entry(op)).expect("a loop's block has an end");
        changes.push((op, 3 + index, get(ir, cx, ir.operand(op, 3 + index), form)));
        changes.push((end, index, get(ir, cx, ir.operand(end, index), form)));
    }
    let mut stores = Vec::new();
    for (&op, &form) in &writes {
        let vector = Transfer::of(ir, op).vector.expect("a write writes a vector");
        stores.push((op, form, get(ir, cx, vector, form)));
    }
    // Types change last: what is made above asks for the old ones.
    for &(op, index, value) in &changes {
        ir.set_operand(op, index, value);
    }
    for (&(op, index), &form) in &carried {
        let arg = ir.args(ir.entry(op))[1 + index];
        let elem = ir.elem_of(arg);
        let ty = cx.forms[form].ty(ir, elem);
        ir.set_type(arg, ty);
        ir.set_type(ir.result(op, index), ty);
    }
    for (op, form, value) in stores {
        write(ir, cx, op, form, value);
    }
}

/// A value in a form.
fn get(ir: &mut Ir, cx: &mut Cx, value: ValueId, form: usize) -> ValueId {
    if let Some(&made) = cx.made.get(&(value, form)) {
        return made;
    }
    assert!(cx.plan.wanted.contains(&(value, form)), "the plan knows the form of each value");
    let Def::Result { op, .. } = ir.def(value) else { panic!("what loops carry is made before") };
    let made = match ir.opcode(op) {
        Opcode::VectorContract => multiply(ir, cx, op),
        Opcode::VectorTransferRead => read(ir, cx, op, form),
        Opcode::ArithConstant | Opcode::VectorBroadcast => splat(ir, cx, op, form),
        // The same matrix, whose rows were called columns.
        Opcode::VectorTranspose => {
            let turned = cx.forms[form].turned();
            let turned = cx.forms.iter().position(|other| other.same(&turned)).expect("the plan has both forms");
            get(ir, cx, ir.operand(op, 0), turned)
        }
        _ => elementwise(ir, cx, op, form),
    };
    cx.made.insert((value, form), made);
    made
}

fn multiply(ir: &mut Ir, cx: &mut Cx, op: OpId) -> ValueId {
    let (row, forms) = cx.plan.contracts[&op];
    let view = Contract::of(ir, op);
    let [a, b, c] = [(view.lhs, forms[0]), (view.rhs, forms[1]), (view.acc, forms[2])]
        .map(|(value, form)| get(ir, cx, value, form));
    let elem = ir.elem_of(view.acc);
    let ty = cx.forms[forms[2]].ty(ir, elem);
    let mut builder = Builder::before(ir, op);
    if cx.lane.is_none() {
        return builder.value(Opcode::GpuSubgroupMmaCompute, &[a, b, c], ty, &[]);
    }
    let attrs = sync_attrs(&mut builder, row);
    builder.value(Opcode::NvgpuMmaSync, &[a, b, c], ty, &attrs)
}

fn sync_attrs(builder: &mut Builder<'_>, row: &Instruction) -> Vec<(&'static str, raddle_ir::AttrId)> {
    let mut attrs = vec![("mmaShape", builder.ir.i64_array(&[row.m, row.n, row.k]))];
    if row.types[0] == Elem::TF32 {
        attrs.push(("tf32Enabled", builder.ir.intern(Attr::Unit)));
    }
    attrs
}

/// A constant or a broadcast scalar.
fn splat(ir: &mut Ir, cx: &Cx, op: OpId, form: usize) -> ValueId {
    let elem = ir.elem_of(ir.result(op, 0));
    let ty = cx.forms[form].ty(ir, elem);
    let scalar = match ir.attr(op, "value").filter(|_| ir.opcode(op) == Opcode::ArithConstant).cloned() {
        Some(Attr::Dense { bytes, .. }) if cx.lane.is_some() => {
            return Builder::before(ir, op).constant(Attr::Dense { ty, splat: true, bytes }, ty);
        }
        Some(value) => {
            let scalar = ir.dense_elems(&value).swap_remove(0);
            Builder::before(ir, op).constant(scalar, elem)
        }
        None => ir.operand(op, 0),
    };
    let mut builder = Builder::before(ir, op);
    match cx.lane {
        Some(_) => builder.broadcast(scalar, ty),
        None => builder.value(Opcode::GpuSubgroupMmaConstantMatrix, &[scalar], ty, &[]),
    }
}

fn elementwise(ir: &mut Ir, cx: &mut Cx, op: OpId, form: usize) -> ValueId {
    let operands = ir.operands(op).to_vec();
    let part = |value: ValueId| if ir.ty(value).is_vector() { get(ir, cx, value, form) } else { value };
    let operands: Vec<ValueId> = operands.into_iter().map(part).collect();
    let elem = ir.elem_of(ir.result(op, 0));
    let ty = cx.forms[form].ty(ir, elem);
    let (name, attrs) = (ir.name(op).to_owned(), ir.attr_dict(op));
    let mut builder = Builder::before(ir, op);
    if cx.lane.is_none() {
        let word = opaque_elementwise(builder.ir.opcode(op)).expect("the plan has a word for it");
        let word = builder.keyword_attr("gpu.mma_element_wise", word);
        return builder.value(Opcode::GpuSubgroupMmaElementwise, &operands, ty, &[("opType", word)]);
    }
    let new = builder.ir.create_named(&name, &operands, &[ty], attrs, builder.span);
    builder.place(new);
    ir.result(new, 0)
}

/// How an opaque matrix lies in memory, as its loads and stores say it.
fn lies(ir: &mut Ir, view: &Transfer, form: &Form) -> Vec<(&'static str, raddle_ir::AttrId)> {
    let (lead, turned) = lead(ir, view).expect("the plan has seen the memory");
    let index = ir.index_type();
    let mut attrs = vec![("leadDimension", ir.intern(Attr::Int { value: lead.into(), ty: index }))];
    if turned != form.swapped {
        attrs.push(("transpose", ir.intern(Attr::Unit)));
    }
    attrs
}

fn read(ir: &mut Ir, cx: &Cx, op: OpId, form: usize) -> ValueId {
    let (view, form) = (Transfer::of(ir, op), cx.forms[form]);
    let elem = ir.elem_of(ir.result(op, 0));
    let ty = form.ty(ir, elem);
    let (Some(lane), Some(map)) = (cx.lane, form.map()) else {
        let attrs = lies(ir, &view, &form);
        let operands = [&[view.base], &view.indices[..]].concat();
        return Builder::before(ir, op).value(Opcode::GpuSubgroupMmaLoadMatrix, &operands, ty, &attrs);
    };
    let mut builder = Builder::before(ir, op);
    if let Some(rows) = shared::read(&mut builder, &view, &form, lane) {
        return rows;
    }
    let [runs, width] = parts(map);
    let padding = view.padding.expect("a read has a padding");
    let (along, _) = run(map);
    let mut whole = builder.splat(0.0, ty);
    for i in 0..runs {
        let indices = run_at(&mut builder, &view, &form, lane, i * width);
        let mut shape = [1, 1];
        shape[if form.swapped { 1 - along } else { along }] = width;
        let part = builder.ir.vector_type(&shape, elem);
        let part = builder.transfer_read(view.base, &indices, padding, view.map.clone(), &view.in_bounds, part);
        let part = builder.shape_cast(part, &[width]);
        whole = builder.insert(part, whole, &[i]);
    }
    whole
}

/// Writes a value in its form.
fn write(ir: &mut Ir, cx: &Cx, op: OpId, form: usize, value: ValueId) {
    let (view, form) = (Transfer::of(ir, op), cx.forms[form]);
    if let (Some(lane), Some(map)) = (cx.lane, form.map()) {
        let mut builder = Builder::before(ir, op);
        let ([runs, width], (along, _)) = (parts(map), run(map));
        for i in 0..runs {
            let indices = run_at(&mut builder, &view, &form, lane, i * width);
            let mut shape = [1, 1];
            shape[if form.swapped { 1 - along } else { along }] = width;
            let part = builder.extract(value, &[i]);
            let part = builder.shape_cast(part, &shape);
            builder.transfer_write(part, view.base, &indices, view.map.clone(), &view.in_bounds);
        }
    } else {
        let attrs = lies(ir, &view, &form);
        let operands = [&[value, view.base], &view.indices[..]].concat();
        Builder::before(ir, op).op(Opcode::GpuSubgroupMmaStoreMatrix, &operands, &[], &attrs);
    }
    ir.erase(op);
}

/// Where a lane's run of elements begins that has this slot as its first.
fn run_at(builder: &mut Builder<'_>, view: &Transfer, form: &Form, lane: ValueId, slot: i64) -> Vec<ValueId> {
    let map = form.map().expect("the lanes' places are known");
    let start = map.coord(0, 0, slot).expect("every slot has an element");
    let mut place: Vec<Expr> =
        first(map).into_iter().zip(start).map(|(expr, at)| Expr::binary(BinOp::Add, expr, Expr::Const(at))).collect();
    if form.swapped {
        place.reverse();
    }
    moved(builder, view, place, lane)
}

/// The indices of a transfer moved on in each dimension of its vector, by an expression of the lane.
pub(super) fn moved(
    builder: &mut Builder<'_>,
    view: &Transfer,
    by: impl IntoIterator<Item = Expr>,
    lane: ValueId,
) -> Vec<ValueId> {
    let mut indices = view.indices.clone();
    for (expr, more) in view.map.results.iter().zip(by) {
        let Expr::Dim(p) = expr else { continue };
        let results = vec![Expr::binary(BinOp::Add, Expr::Dim(1), more)];
        let index = &mut indices[*p as usize];
        *index = builder.apply(Map { dims: 2, syms: 0, results }, &[lane, *index]);
    }
    indices
}
