//! Unroll: rewrite programs on vectors of any shape for a machine with small vectors of its own.
//!
//! Before: `%a = transfer_read %m[%i, %j] : vector<4x6xf32>`, `%s = arith.addf %a, %b : vector<4x6xf32>`
//! After:  for each of the four rows and each native piece of six elements (three and three, or all six), the same on
//!         that piece.
//!
//! The idea: every value is a grid of native pieces. Elementwise operations act on piece by piece; what only moves
//! elements says which old one each new one is; reductions and contractions combine pieces, in the order in which the
//! whole ones count; loops and branches carry pieces. A contraction that the machine has a matrix operation for becomes
//! tiles of that shape, and an operation that no rule takes apart stays whole: its operands are put together for it.
//!
//! Layouts mean nothing here: there is one thread. An anchor is its operand.

mod compute;
mod grid;
mod memory;
mod shuffle;

use std::collections::BTreeMap;

use raddle_ir::views::Contract;
use raddle_ir::{BlockId, Builder, Class, Code, Diag, Ir, OpId, Opcode, Type, TypeId, ValueId, ValueMap};
use raddle_target::{VectorMachine, vector_machine};

use self::grid::{Grid, Lane, piece_type, widths};
use crate::clean;
use crate::table::Facts;

/// What the rules share.
struct Cx<'a> {
    machine: &'a VectorMachine,
    /// The pieces of each old vector.
    grids: BTreeMap<ValueId, Grid>,
    /// The new value of each other old one.
    map: ValueMap,
}

/// Elements of one vector, and products of one contraction, at most.
const UNROLLED_MAX: i64 = 1 << 16;

/// Rewrites a function on vectors for the machine that the pass's options name.
pub fn unroll(ir: &mut Ir, func: OpId, facts: &Facts) -> Result<(), Diag> {
    let name = facts.options().word("machine").to_owned();
    let machine = vector_machine(&name).expect("the option's words are the table's names");
    for op in ir.walk(func) {
        check(ir, op, machine)?;
    }
    let (inputs, results) = ir.signature(func);
    if inputs.iter().chain(results).any(|&ty| ir[ty].is_vector()) {
        return Err(Diag::error(Code::CannotLower, ir.span(func), "the function takes or returns a vector")
            .help("pass a memref, and move the vector with vector.transfer_read or vector.transfer_write"));
    }
    let old = ir.entry(func);
    let types: Vec<TypeId> = ir.args(old).iter().map(|&arg| ir.type_of(arg)).collect();
    let (region, span) = (ir.block_region(old), ir.span(func));
    if ir.blocks(region).len() > 1 {
        return Err(Diag::error(Code::CannotLower, span, "jumps between blocks are not unrolled")
            .help("use scf.for and scf.if"));
    }
    let new = ir.add_block(region, &types);
    let mut map = ValueMap::default();
    for (old, new) in ir.args(old).to_vec().into_iter().zip(ir.args(new).to_vec()) {
        map.set(old, new);
    }
    let mut cx = Cx { machine, grids: BTreeMap::new(), map };
    block_of(&mut Builder::at_end(ir, new, span), &mut cx, old);
    ir.remove_block(old);
    clean::cse(ir, func);
    clean::canonicalize(ir, func);
    Ok(())
}

/// Whether the rules take an operation.
fn check(ir: &Ir, op: OpId, machine: &VectorMachine) -> Result<(), Diag> {
    let refuse = |why: String| {
        let message = format!("`{}` cannot be unrolled to the vectors of `{}`", ir.name(op), machine.name);
        Err(Diag::error(Code::CannotLower, ir.span(op), message).note(why))
    };
    let vectors = || ir.results(op).chain(ir.operands(op).iter().copied()).filter(|&value| ir.ty(value).is_vector());
    for value in vectors() {
        if matches!(ir.ty(value), Type::Vector { scalable, .. } if scalable.contains(&true)) {
            return refuse("how many elements a scalable vector has is not known".to_owned());
        }
    }
    let large = |extents: &[i64]| {
        let product = extents.iter().try_fold(1i64, |product, &extent| product.checked_mul(extent));
        product.is_none_or(|n| n > UNROLLED_MAX)
    };
    let mut loops = Vec::new();
    if ir.opcode(op) == Opcode::Contract {
        let view = Contract::of(ir, op);
        for (value, map) in [view.lhs, view.rhs].into_iter().zip(&view.maps) {
            let dims = map.as_dims().unwrap_or_default();
            loops.extend(dims.into_iter().zip(ir.shape_of(value).iter().copied()));
        }
        loops.sort_unstable();
        loops.dedup();
    }
    let loops: Vec<i64> = loops.into_iter().map(|(_, extent)| extent).collect();
    if large(&loops) || vectors().any(|value| large(ir.shape_of(value))) {
        let message = format!("`{}` unrolls into too many operations", ir.name(op));
        return Err(Diag::error(Code::UnrollsTooFar, ir.span(op), message)
            .note(format!("vectors of {UNROLLED_MAX} elements and contractions of as many products are the limit"))
            .help("choose smaller tiles"));
    }
    if !ir.regions(op).is_empty() && !matches!(ir.opcode(op), Opcode::For | Opcode::If) {
        return refuse("there is no rule for its regions".to_owned());
    }
    let is_tensor = |value: ValueId| matches!(ir.ty(value), Type::Tensor { .. } | Type::UnrankedTensor(_));
    if vectors().next().is_some() && ir.operands(op).iter().any(|&value| is_tensor(value)) {
        return refuse("it moves between a vector and a tensor: bufferize first".to_owned());
    }
    Ok(())
}

impl Cx<'_> {
    /// The pieces of an old vector.
    fn grid(&self, value: ValueId) -> &Grid {
        self.grids.get(&value).expect("operands are unrolled before their users")
    }

    /// The new values of an old one: its pieces, or itself.
    fn parts(&self, value: ValueId) -> Vec<ValueId> {
        self.grids.get(&value).map_or_else(|| vec![self.map.get(value)], |grid| grid.pieces.clone())
    }

    /// The types of an old value's parts.
    fn part_types(&self, builder: &mut Builder<'_>, value: ValueId) -> Vec<TypeId> {
        if !builder.ir.ty(value).is_vector() {
            return vec![builder.ir.type_of(value)];
        }
        let (shape, elem) = (builder.ir.shape_of(value).to_vec(), builder.ir.elem_of(value));
        let widths = widths(self.machine, &shape);
        grid::starts(&shape, &widths).into_iter().map(|(_, width)| piece_type(builder, elem, width)).collect()
    }

    /// Takes as many of the new values as an old one has parts, and enters them.
    fn enter(&mut self, builder: &Builder<'_>, value: ValueId, parts: &mut impl Iterator<Item = ValueId>) {
        if !builder.ir.ty(value).is_vector() {
            self.map.set(value, parts.next().expect("one part for a scalar"));
            return;
        }
        let (shape, elem) = (builder.ir.shape_of(value).to_vec(), builder.ir.elem_of(value));
        let widths = widths(self.machine, &shape);
        let n = grid::starts(&shape, &widths).len();
        let pieces = parts.by_ref().take(n).collect();
        self.grids.insert(value, Grid { shape, elem, widths, pieces });
    }

    /// Enters the elements of an old vector.
    fn set_lanes(&mut self, builder: &mut Builder<'_>, value: ValueId, lanes: &[Lane]) {
        let (shape, elem) = (builder.ir.shape_of(value).to_vec(), builder.ir.elem_of(value));
        let grid = Grid::of(builder, self.machine, &shape, elem, lanes);
        self.grids.insert(value, grid);
    }
}

/// Unrolls a block, up to the operation that ends a region.
fn block_of(builder: &mut Builder<'_>, cx: &mut Cx<'_>, block: BlockId) {
    for op in builder.ir.ops_of(block) {
        builder.span = builder.ir.span(op);
        operation(builder, cx, op);
    }
}

fn operation(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId) {
    let ir = &*builder.ir;
    let has_vector = ir.results(op).chain(ir.operands(op).iter().copied()).any(|value| ir.ty(value).is_vector());
    if ir.regions(op).is_empty() && !has_vector {
        builder.copy(op, &mut cx.map);
        return;
    }
    match (ir.class(op), ir.opcode(op)) {
        (_, Opcode::For) => looped(builder, cx, op),
        (_, Opcode::If) => branch(builder, cx, op),
        (Class::Yield, _) => {
            let operands: Vec<ValueId> = ir.operands(op).iter().flat_map(|&value| cx.parts(value)).collect();
            let opcode = ir.opcode(op);
            builder.op(opcode, &operands, &[], &[]);
        }
        (Class::Elementwise, Opcode::Step) | (Class::Constant | Class::Mask, _) => compute::made(builder, cx, op),
        (Class::Elementwise, _) => compute::elementwise(builder, cx, op),
        (Class::Layout, _) => {
            let grid = cx.grid(ir.operand(op, 0)).clone();
            cx.grids.insert(ir.result(op, 0), grid);
        }
        (Class::Reduce, _) => compute::reduce(builder, cx, op),
        (Class::Contract, _) => compute::contract(builder, cx, op),
        (Class::Read, Opcode::TransferRead) => {
            let grid = memory::read(builder, cx, op);
            cx.grids.insert(builder.ir.result(op, 0), grid);
        }
        (Class::Write, Opcode::TransferWrite) => memory::write(builder, cx, op),
        (Class::Broadcast | Class::Transpose | Class::Reshape | Class::Slice, _) if shuffle::moves(builder, cx, op) => {
        }
        _ => whole(builder, cx, op),
    }
}

fn looped(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId) {
    let operands = builder.ir.operands(op).to_vec();
    let bounds: Vec<ValueId> = operands[..3].iter().map(|&value| cx.map.get(value)).collect();
    let inits: Vec<ValueId> = operands[3..].iter().flat_map(|&value| cx.parts(value)).collect();
    let types: Vec<TypeId> = inits.iter().map(|&init| builder.ir.type_of(init)).collect();
    let new = builder.op(Opcode::For, &[&bounds[..], &inits].concat(), &types, &[]);
    let region = builder.ir.add_region(new);
    let iv = builder.ir.type_of(bounds[0]);
    let body = builder.ir.add_block(region, &[&[iv], &types[..]].concat());
    let old = builder.ir.entry(op);
    let (args, new_args) = (builder.ir.args(old).to_vec(), builder.ir.args(body).to_vec());
    let mut parts = new_args.into_iter();
    for &arg in &args {
        cx.enter(builder, arg, &mut parts);
    }
    block_of(&mut Builder::at_end(builder.ir, body, builder.span), cx, old);
    results(builder, cx, op, new);
}

fn branch(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId) {
    let condition = cx.map.get(builder.ir.operand(op, 0));
    let old: Vec<ValueId> = builder.ir.results(op).collect();
    let types: Vec<TypeId> = old.into_iter().flat_map(|value| cx.part_types(builder, value)).collect();
    let new = builder.op(Opcode::If, &[condition], &types, &[]);
    for region in builder.ir.regions(op).to_vec() {
        let copy = builder.ir.add_region(new);
        if let Some(&block) = builder.ir.blocks(region).first() {
            let inner = builder.ir.add_block(copy, &[]);
            block_of(&mut Builder::at_end(builder.ir, inner, builder.span), cx, block);
        }
    }
    results(builder, cx, op, new);
}

/// Enters the results of an operation whose results are parts.
fn results(builder: &Builder<'_>, cx: &mut Cx<'_>, old: OpId, new: OpId) {
    let mut parts = builder.ir.results(new);
    for value in builder.ir.results(old) {
        cx.enter(builder, value, &mut parts);
    }
}

/// An operation that stays as it is, between vectors of its own shapes.
fn whole(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId) {
    let operands = builder.ir.operands(op).to_vec();
    for operand in operands {
        if builder.ir.ty(operand).is_vector() {
            let (ty, lanes) = (builder.ir.type_of(operand), cx.grid(operand).lanes());
            let together = compute::together(builder, ty, &lanes);
            cx.map.set(operand, together);
        }
    }
    let copy = builder.copy(op, &mut cx.map);
    for (old, new) in builder.ir.results(op).zip(builder.ir.results(copy)) {
        if builder.ir.ty(old).is_vector() {
            let lanes = compute::apart(builder, new);
            cx.set_lanes(builder, old, &lanes);
        }
    }
}
