//! Split rows: vectors of several dimensions become one vector for each of their rows.
//!
//! Before: `%s = arith.addf %a, %b : vector<2x4xf32>`
//! After:  `%s0 = arith.addf %a0, %b0 : vector<4xf32>` and `%s1 = arith.addf %a1, %b1 : vector<4xf32>`
//!
//! The last dimension stays as it is, also where it has one element. Arguments, results, loops and branches pass rows.
//! What only moves elements takes whole rows where it can, and takes rows apart where it cannot. An operation that has
//! no rule stays: its operands are put together for it, and its results taken apart.
//!
//! Does not fold or merge anything, and leaves contractions, reads and writes of several dimensions to other passes.

mod moves;

use raddle_ir::{
    Attr, BlockId, Builder, Class, Code, Diag, Ir, OpId, Opcode, RegionId, Span, Type, TypeId, ValueId, ValueMap,
    dominance,
};
use rustc_hash::FxHashMap;

use crate::code::edges;
use crate::code::extents::positions;

/// Rows of one vector, at most: each becomes a value.
const ROWS_MAX: i64 = 1 << 16;

/// What the rules share.
struct Cx {
    /// The rows of each old vector of several dimensions, row-major.
    rows: FxHashMap<ValueId, Vec<ValueId>>,
    /// The new value of each other old one.
    map: ValueMap,
    /// The new block of each old one.
    blocks: FxHashMap<BlockId, BlockId>,
}

/// Rewrites a function.
pub fn split_rows(ir: &mut Ir, func: OpId) -> Result<(), Diag> {
    let Some(entry) = ir.body(func, 0) else { return Ok(()) };
    for op in ir.walk(func) {
        let args = ir.regions(op).iter().flat_map(|&region| ir.blocks(region)).flat_map(|&block| ir.args(block));
        for value in ir.results(op).chain(args.copied()).chain(ir.args(entry).iter().copied()) {
            check(ir, op, value)?;
        }
    }
    let region = ir.block_region(entry);
    let (old, span) = (ir.blocks(region).to_vec(), ir.span(func));
    let mut cx = Cx { rows: FxHashMap::default(), map: ValueMap::default(), blocks: FxHashMap::default() };
    region_of(ir, &mut cx, region, region, span);
    ir.remove_blocks(&old);
    sign(ir, func);
    Ok(())
}

fn check(ir: &Ir, op: OpId, value: ValueId) -> Result<(), Diag> {
    let n = ir.shape_of(value).iter().rev().skip(1).try_fold(1i64, |n, &extent| n.checked_mul(extent));
    if !is_split(ir, value) || n.is_some_and(|n| n <= ROWS_MAX) {
        return Ok(());
    }
    let message = format!("a vector of `{}` has too many rows", ir.name(op));
    Err(Diag::error(Code::UnrollsTooFar, ir.span(op), message)
        .note(format!("each row becomes a value, and {ROWS_MAX} are the limit"))
        .help("choose smaller tiles"))
}

/// Whether a value has rows.
fn is_split(ir: &Ir, value: ValueId) -> bool {
    is_split_type(ir, ir.type_of(value))
}

fn is_split_type(ir: &Ir, ty: TypeId) -> bool {
    ir[ty].is_vector() && ir[ty].shape().is_some_and(|shape| shape.len() > 1)
}

/// The type of one row.
fn row_type(ir: &mut Ir, ty: TypeId) -> TypeId {
    let shape = ir[ty].shape().unwrap_or_default().to_vec();
    let elem = ir[ty].elem().expect("a vector has elements");
    // Only the last dimension of a row can be scalable, and it stays so.
    match ir[ty].clone() {
        Type::Vector { scalable, .. } if scalable.last() == Some(&true) => {
            let shape = shape[shape.len() - 1..].to_vec();
            ir.intern_type(Type::Vector { shape, scalable: vec![true], elem })
        }
        _ => ir.vector_type(&shape[shape.len() - 1..], elem),
    }
}

/// How many rows a shape has.
fn n_rows(shape: &[i64]) -> usize {
    shape[..shape.len() - 1].iter().product::<i64>() as usize
}

/// The types of what a value of this type becomes.
fn part_types(ir: &mut Ir, ty: TypeId) -> Vec<TypeId> {
    if !is_split_type(ir, ty) {
        return vec![ty];
    }
    let n = n_rows(ir[ty].shape().unwrap_or_default());
    vec![row_type(ir, ty); n]
}

/// Gives the function the types that its rows have.
fn sign(ir: &mut Ir, func: OpId) {
    let (inputs, results) = ir.signature(func);
    let (inputs, results) = (inputs.to_vec(), results.to_vec());
    if !inputs.iter().chain(&results).any(|&ty| is_split_type(ir, ty)) {
        return;
    }
    // Every row has the attributes of the whole.
    for (name, types) in [("arg_attrs", &inputs), ("res_attrs", &results)] {
        let Some(Attr::Array(list)) = ir.attr(func, name).cloned() else { continue };
        let list = list.iter().zip(types).flat_map(|(&attr, &ty)| vec![attr; part_types(ir, ty).len()]).collect();
        let list = ir.intern(Attr::Array(list));
        ir.set_attr(func, name, list);
    }
    // A result that is an argument's memory is neither of them a vector, but both may have moved.
    if let Some(Attr::Array(tied)) = ir.attr(func, "tied_operands").cloned() {
        let mut tied_new = Vec::new();
        for (&tie, &ty) in tied.iter().zip(&results) {
            let moved = usize::try_from(ir[tie].as_i64().unwrap_or(-1))
                .ok()
                .map(|at| inputs[..at.min(inputs.len())].iter().map(|&ty| part_types(ir, ty).len() as i64).sum());
            let index = ir.index_type();
            let tie = ir.intern(Attr::Int { value: moved.unwrap_or(-1i64).into(), ty: index });
            tied_new.extend(vec![tie; part_types(ir, ty).len()]);
        }
        let tied = ir.intern(Attr::Array(tied_new));
        ir.set_attr(func, "tied_operands", tied);
    }
    let inputs: Vec<TypeId> = inputs.into_iter().flat_map(|ty| part_types(ir, ty)).collect();
    let results: Vec<TypeId> = results.into_iter().flat_map(|ty| part_types(ir, ty)).collect();
    ir.set_signature(func, &inputs, &results);
}

impl Cx {
    /// The new values of an old one: its rows, or itself.
    fn parts(&self, value: ValueId) -> Vec<ValueId> {
        self.rows.get(&value).cloned().unwrap_or_else(|| vec![self.map.get(value)])
    }

    /// Takes as many of the new values as an old one has parts, and enters them.
    fn enter(&mut self, ir: &Ir, value: ValueId, parts: &mut impl Iterator<Item = ValueId>) {
        if is_split(ir, value) {
            let rows = parts.by_ref().take(n_rows(ir.shape_of(value))).collect();
            self.rows.insert(value, rows);
        } else {
            self.map.set(value, parts.next().expect("one part for one value"));
        }
    }
}

/// Rewrites the blocks of a region into another one, or behind them in the same.
fn region_of(ir: &mut Ir, cx: &mut Cx, from: RegionId, to: RegionId, span: Span) {
    let blocks = dominance::order(ir, from);
    for &block in &blocks {
        let args = ir.args(block).to_vec();
        let types: Vec<TypeId> = args.iter().map(|&arg| ir.type_of(arg)).collect();
        let types: Vec<TypeId> = types.into_iter().flat_map(|ty| part_types(ir, ty)).collect();
        let new = ir.add_block(to, &types);
        cx.blocks.insert(block, new);
        let mut parts = ir.args(new).to_vec().into_iter();
        for arg in args {
            cx.enter(ir, arg, &mut parts);
        }
    }
    for block in blocks {
        let mut builder = Builder::at_end(ir, cx.blocks[&block], span);
        for op in builder.ir.ops_of(block) {
            builder.span = builder.ir.span(op);
            operation(&mut builder, cx, op);
        }
    }
}

fn operation(builder: &mut Builder<'_>, cx: &mut Cx, op: OpId) {
    let ir = &*builder.ir;
    let splits = ir.results(op).chain(ir.operands(op).iter().copied()).any(|value| is_split(ir, value));
    let block = ir.parent_block(op).expect("it is in a block");
    if ir.regions(op).is_empty() && ir.terminator(block) == Some(op) {
        edges::end(builder, op, |value| cx.parts(value), &cx.blocks);
        return;
    }
    if ir.regions(op).is_empty() && !splits {
        builder.copy(op, &mut cx.map);
        return;
    }
    match (ir.class(op), ir.opcode(op)) {
        (_, opcode) if edges::carries(opcode) => carried(builder, cx, op),
        _ if !ir.regions(op).is_empty() => {
            // What passes no rows in or out may have them inside.
            let args = ir.regions(op).iter().flat_map(|&region| ir.blocks(region)).flat_map(|&block| ir.args(block));
            let edge = splits || args.copied().any(|arg| is_split(ir, arg)) || ir.opcode(op) == Opcode::VectorMask;
            if edge { whole(builder, cx, op) } else { carried(builder, cx, op) }
        }
        (Class::Elementwise, _) => each(builder, cx, op),
        (_, Opcode::AffineLinearizeIndex | Opcode::AffineDelinearizeIndex | Opcode::VectorBitcast) => {
            each(builder, cx, op);
        }
        (_, Opcode::VectorInterleave | Opcode::VectorDeinterleave | Opcode::UbPoison) => each(builder, cx, op),
        (_, Opcode::ArithConstant) => constant(builder, cx, op),
        (_, Opcode::VectorMultiReduction) if moves::reduce(builder, cx, op) => {}
        (Class::Call, _) => call(builder, cx, op),
        _ if moves::moves(builder, cx, op) => {}
        _ => whole(builder, cx, op),
    }
}

/// The same operation on each row; operands without rows serve all.
fn each(builder: &mut Builder<'_>, cx: &mut Cx, op: OpId) {
    let results: Vec<ValueId> = builder.ir.results(op).collect();
    let n = n_rows(builder.ir.shape_of(results[0]));
    let types: Vec<TypeId> = results.iter().map(|&value| builder.ir.type_of(value)).collect();
    let types: Vec<TypeId> = types.into_iter().map(|ty| row_type(builder.ir, ty)).collect();
    let (name, attrs) = (builder.ir.name(op).to_owned(), builder.ir.attr_dict(op));
    let mut rows = vec![Vec::new(); results.len()];
    for i in 0..n {
        let part = |&value: &ValueId| cx.rows.get(&value).map_or_else(|| cx.map.get(value), |rows| rows[i]);
        let operands: Vec<ValueId> = builder.ir.operands(op).iter().map(part).collect();
        let new = builder.ir.create_named(&name, &operands, &types, attrs, builder.span);
        builder.place(new);
        for (rows, value) in rows.iter_mut().zip(builder.ir.results(new)) {
            rows.push(value);
        }
    }
    cx.rows.extend(results.into_iter().zip(rows));
}

fn constant(builder: &mut Builder<'_>, cx: &mut Cx, op: OpId) {
    let result = builder.ir.result(op, 0);
    let Some(Attr::Dense { splat, bytes, .. }) = builder.ir.attr(op, "value").cloned() else {
        return whole(builder, cx, op);
    };
    let ty = builder.ir.type_of(result);
    let (row, n) = (row_type(builder.ir, ty), n_rows(builder.ir.shape_of(result)));
    let part = |i: usize| {
        let width = bytes.len() / n;
        if splat { bytes.clone() } else { bytes[i * width..(i + 1) * width].to_vec() }
    };
    let rows = (0..n).map(|i| builder.constant(Attr::Dense { ty: row, splat, bytes: part(i) }, row)).collect();
    cx.rows.insert(result, rows);
}

/// An operation with the parts of its operands for its operands, and parts for its results.
fn in_parts(builder: &mut Builder<'_>, cx: &Cx, op: OpId) -> OpId {
    let operands: Vec<ValueId> = builder.ir.operands(op).iter().flat_map(|&value| cx.parts(value)).collect();
    let types: Vec<TypeId> = builder.ir.results(op).map(|value| builder.ir.type_of(value)).collect();
    let types: Vec<TypeId> = types.into_iter().flat_map(|ty| part_types(builder.ir, ty)).collect();
    let (name, attrs) = (builder.ir.name(op).to_owned(), builder.ir.attr_dict(op));
    let new = builder.ir.create_named(&name, &operands, &types, attrs, builder.span);
    builder.place(new);
    new
}

/// Enters the results of an operation whose results are parts.
fn results(builder: &Builder<'_>, cx: &mut Cx, old: OpId, new: OpId) {
    let mut parts = builder.ir.results(new);
    for value in builder.ir.results(old) {
        cx.enter(builder.ir, value, &mut parts);
    }
}

/// A loop or branch, which carries rows, or an operation around rows.
fn carried(builder: &mut Builder<'_>, cx: &mut Cx, op: OpId) {
    let new = in_parts(builder, cx, op);
    for region in builder.ir.regions(op).to_vec() {
        let copy = builder.ir.add_region(new);
        region_of(builder.ir, cx, region, copy, builder.span);
    }
    results(builder, cx, op, new);
}

/// A call passes rows to a function that is rewritten as well; one that is only declared keeps its types.
fn call(builder: &mut Builder<'_>, cx: &mut Cx, op: OpId) {
    let ir = &*builder.ir;
    let name = match ir.attr(op, "callee") {
        Some(Attr::Symbol(path)) => path.last().map(|&name| ir[name].to_owned()),
        _ => None,
    };
    let is_it = |&func: &OpId| ir.class(func) == Class::Function && ir.symbol_name(func) == name.as_deref();
    let callee = ir.walk(ir.module()).into_iter().find(is_it);
    if callee.is_none_or(|func| ir.body(func, 0).is_none()) {
        return whole(builder, cx, op);
    }
    let new = in_parts(builder, cx, op);
    results(builder, cx, op, new);
}

/// An operation that stays as it is, between vectors of its own shapes.
fn whole(builder: &mut Builder<'_>, cx: &mut Cx, op: OpId) {
    // What its regions use comes from outside like an operand.
    let mut used = builder.ir.operands(op).to_vec();
    for inner in builder.ir.walk(op) {
        used.extend(builder.ir.operands(inner));
    }
    used.sort_unstable();
    used.dedup();
    for value in used {
        // Each time anew: what was put together elsewhere may not be visible here.
        if cx.rows.contains_key(&value) {
            let together = together(builder, cx, value);
            cx.map.set(value, together);
        }
    }
    let copy = builder.copy(op, &mut cx.map);
    for (old, new) in builder.ir.results(op).zip(builder.ir.results(copy)) {
        if is_split(builder.ir, old) {
            let lead = builder.ir.shape_of(old).split_last().map(|(_, lead)| lead.to_vec()).unwrap_or_default();
            let rows = positions(&lead).into_iter().map(|at| builder.extract(new, &at)).collect();
            cx.rows.insert(old, rows);
        }
    }
}

/// The vector that an old one's rows are.
fn together(builder: &mut Builder<'_>, cx: &Cx, value: ValueId) -> ValueId {
    let ty = builder.ir.type_of(value);
    let lead = builder.ir.shape_of(value).split_last().map(|(_, lead)| lead.to_vec()).unwrap_or_default();
    let mut whole = moves::poison(builder, ty);
    for (at, &row) in positions(&lead).into_iter().zip(&cx.rows[&value]) {
        whole = builder.insert(row, whole, &at);
    }
    whole
}
