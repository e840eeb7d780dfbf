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

mod access;
mod apart;
mod compute;
mod grid;
mod lanes;
mod memory;
mod rows;
mod shuffle;
mod turned;

use raddle_ir::views::Contract;
use raddle_ir::{
    BlockId, Builder, Class, Code, Diag, Ir, OpId, Opcode, RegionId, Scalar, Span, Type, TypeId, ValueId, ValueMap,
    dominance,
};
use raddle_layout::sort::sort_by;
use raddle_target::{VectorMachine, vector_machine};
use rustc_hash::{FxHashMap, FxHashSet};

use self::grid::{Grid, Lane, piece_type, widths};
use crate::clean;
use crate::code::edges::{self, carries};
use crate::facts::Facts;
use crate::lay_out::expand_rare;
use crate::options::Options;

/// What the rules share.
struct Cx<'a> {
    machine: &'a VectorMachine,
    /// Whether the program is to find accesses outside of their buffers.
    bounds_checks: bool,
    /// The pieces of each old vector.
    grids: FxHashMap<ValueId, Grid>,
    /// The new value of each other old one.
    map: ValueMap,
    /// Old vectors whose elements are computed one by one.
    apart: FxHashSet<ValueId>,
    /// Old vectors whose elements are only moved between memory and memory, and how many of them fill a register: their
    /// pieces do.
    moved: FxHashMap<ValueId, i64>,
    /// The new block of each old one.
    blocks: FxHashMap<BlockId, BlockId>,
}

/// Elements of one vector, and products of one contraction, at most.
const UNROLLED_MAX: i64 = 1 << 16;

/// Rewrites a function on vectors for the machine that the pass's options name.
pub fn unroll(ir: &mut Ir, func: OpId, facts: &Facts, options: &Options) -> Result<(), Diag> {
    let machine = vector_machine(options.word("machine")).expect("the option's words are the table's names");
    unroll_for(ir, func, machine, facts)
}

/// Rewrites a function on vectors for a machine.
pub fn unroll_for(ir: &mut Ir, func: OpId, machine: &'static VectorMachine, facts: &Facts) -> Result<(), Diag> {
    expand_rare(ir, func);
    access::expand(ir, func);
    turned::reductions(ir, func);
    for op in ir.walk(func) {
        check(ir, op, machine)?;
    }
    let (inputs, results) = ir.signature(func);
    if inputs.iter().chain(results).any(|&ty| ir[ty].is_vector()) {
        return Err(Diag::error(Code::CannotLower, ir.span(func), "the function takes or returns a vector")
            .help("pass a memref, and move the vector with vector.transfer_read or vector.transfer_write"));
    }
    let region = ir.regions(func)[0];
    let (old, span) = (ir.blocks(region).to_vec(), ir.span(func));
    let mut cx = Cx {
        machine,
        bounds_checks: facts.bounds_checks,
        grids: FxHashMap::default(),
        map: ValueMap::default(),
        apart: apart::find(ir, func),
        moved: shuffle::moved(ir, func, machine),
        blocks: FxHashMap::default(),
    };
    region_of(ir, &mut cx, region, region, span);
    ir.remove_blocks(&old);
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
    if ir.opcode(op) == Opcode::VectorContract {
        let view = Contract::of(ir, op);
        for (value, map) in [view.lhs, view.rhs].into_iter().zip(&view.maps) {
            let dims = map.as_dims().unwrap_or_default();
            loops.extend(dims.into_iter().zip(ir.shape_of(value).iter().copied()));
        }
        sort_by(&mut loops, Ord::cmp);
        loops.dedup();
    }
    let loops: Vec<i64> = loops.into_iter().map(|(_, extent)| extent).collect();
    if large(&loops) || vectors().any(|value| large(ir.shape_of(value))) {
        let message = format!("`{}` unrolls into too many operations", ir.name(op));
        return Err(Diag::error(Code::UnrollsTooFar, ir.span(op), message)
            .note(format!("vectors of {UNROLLED_MAX} elements and contractions of as many products are the limit"))
            .help("choose smaller tiles"));
    }
    match ir.opcode(op) {
        Opcode::VectorMask => {
            let inner = ir.body(op, 0).map(|block| ir.ops_of(block)).unwrap_or_default();
            let combines = |op: OpId| compute::combiner(ir, op, ir.elem_of(ir.operand(op, 0))).is_some();
            let known = |&op: &OpId| match ir.opcode(op) {
                Opcode::VectorTransferRead
                | Opcode::VectorTransferWrite
                | Opcode::VectorYield
                | Opcode::IreeVectorExtArgCompare => true,
                Opcode::VectorGather
                | Opcode::VectorScatter
                | Opcode::IreeVectorExtTransferGather
                | Opcode::IreeVectorExtTransferScatter => true,
                Opcode::VectorMultiReduction | Opcode::VectorScan => combines(op),
                Opcode::VectorContract => {
                    combines(op) && Contract::of(ir, op).maps.iter().all(|map| map.as_dims().is_some())
                }
                _ => false,
            };
            // What is passed through is chosen element by element.
            let alike = ir.operands(op).iter().all(|&value| ir.shape_of(value) == ir.shape_of(ir.operand(op, 0)));
            if !alike || !inner.iter().all(known) {
                return refuse("there is no rule for what it masks".to_owned());
            }
        }
        opcode if ir.regions(op).is_empty() || carries(opcode) || opcode == Opcode::IreeVectorExtArgCompare => {}
        _ => return refuse("there is no rule for its regions".to_owned()),
    }
    if ir.opcode(op) == Opcode::VectorBitcast {
        let bits =
            [ir.operand(op, 0), ir.result(op, 0)].map(|value| Scalar::of(&ir[ir.elem_of(value)]).map(Scalar::bits));
        let fits = matches!(bits, [Some(a), Some(b)] if a <= 64 && b <= 64 && (a % b == 0 || b % a == 0));
        if !fits {
            return refuse("its elements do not fall into one another".to_owned());
        }
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
    fn enter(&mut self, ir: &Ir, value: ValueId, parts: &mut impl Iterator<Item = ValueId>) {
        if !ir.ty(value).is_vector() {
            self.map.set(value, parts.next().expect("one part for a scalar"));
            return;
        }
        let (shape, elem) = (ir.shape_of(value).to_vec(), ir.elem_of(value));
        let widths = widths(self.machine, &shape);
        let n = grid::starts(&shape, &widths).len();
        let pieces = parts.by_ref().take(n).collect();
        self.grids.insert(value, Grid { shape, elem, widths, pieces });
    }

    /// The elements of an old value, which may be one scalar.
    fn lanes_of(&self, value: ValueId) -> Vec<Lane> {
        self.grids.get(&value).map_or_else(|| vec![Lane::scalar(self.map.get(value))], Grid::lanes)
    }

    /// Enters the elements of an old value, which may be one scalar.
    fn enter_lanes(&mut self, builder: &mut Builder<'_>, value: ValueId, lanes: &[Lane]) {
        if builder.ir.ty(value).is_vector() {
            self.set_lanes(builder, value, lanes);
        } else {
            let scalar = grid::element(builder, lanes[0]);
            self.map.set(value, scalar);
        }
    }

    /// Enters the elements of an old vector.
    fn set_lanes(&mut self, builder: &mut Builder<'_>, value: ValueId, lanes: &[Lane]) {
        let (shape, elem) = (builder.ir.shape_of(value).to_vec(), builder.ir.elem_of(value));
        let widths = self.widths_of(value, &shape);
        let grid = Grid::of(builder, self, widths, (&shape, elem), lanes);
        self.grids.insert(value, grid);
    }

    /// The widths of the pieces of one row of an old vector that an operation in the same block computes.
    fn widths_of(&self, value: ValueId, shape: &[i64]) -> Vec<i64> {
        let widths = widths(self.machine, shape);
        if let Some(&register) = self.moved.get(&value) {
            let n = widths.iter().sum::<i64>();
            return vec![register.min(n); (n / register.min(n)) as usize];
        }
        if self.apart.contains(&value) { vec![1; widths.iter().sum::<i64>() as usize] } else { widths }
    }
}

/// Unrolls the blocks of a region into another one, or behind them in the same.
fn region_of(ir: &mut Ir, cx: &mut Cx<'_>, from: RegionId, to: RegionId, span: Span) {
    let blocks = dominance::order(ir, from);
    for &block in &blocks {
        let args = ir.args(block).to_vec();
        let mut builder = Builder::at_end(ir, block, span);
        let types: Vec<TypeId> = args.iter().flat_map(|&arg| cx.part_types(&mut builder, arg)).collect();
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

fn operation(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId) {
    let ir = &*builder.ir;
    let has_vector = ir.results(op).chain(ir.operands(op).iter().copied()).any(|value| ir.ty(value).is_vector());
    let ends = matches!(ir.opcode(op), Opcode::ScfCondition | Opcode::CfBr | Opcode::CfCondBr | Opcode::CfSwitch)
        || ir.class(op) == Class::Yield;
    if ir.regions(op).is_empty() && !has_vector && !ends {
        builder.copy(op, &mut cx.map);
        return;
    }
    match (ir.class(op), ir.opcode(op)) {
        _ if ends => {
            edges::end(builder, op, |value| cx.parts(value), &cx.blocks);
        }
        (_, opcode) if carries(opcode) => carried(builder, cx, op),
        (Class::Elementwise, Opcode::VectorStep) | (Class::Constant | Class::Mask, _) => compute::made(builder, cx, op),
        (Class::Elementwise, _) => compute::elementwise(builder, cx, op),
        (Class::Layout, Opcode::IreeVectorExtToLayout) => {
            let grid = cx.grid(ir.operand(op, 0)).clone();
            cx.grids.insert(ir.result(op, 0), grid);
        }
        (_, Opcode::VectorMask) => masked(builder, cx, op),
        (
            _,
            Opcode::VectorMultiReduction
            | Opcode::VectorContract
            | Opcode::VectorScan
            | Opcode::IreeVectorExtArgCompare,
        )
        | (
            _,
            Opcode::VectorTransferRead | Opcode::VectorTransferWrite | Opcode::VectorGather | Opcode::VectorScatter,
        )
        | (_, Opcode::IreeVectorExtTransferGather | Opcode::IreeVectorExtTransferScatter) => {
            maskable(builder, cx, op, None);
        }
        (_, Opcode::VectorBitcast) => lanes::bitcast(builder, cx, op),
        (Class::Broadcast | Class::Transpose | Class::Reshape | Class::Slice, _) if shuffle::moves(builder, cx, op) => {
        }
        _ => whole(builder, cx, op),
    }
}

/// An operation that `vector.mask` may stand around.
fn maskable(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId, mask: Option<ValueId>) {
    match builder.ir.opcode(op) {
        Opcode::VectorMultiReduction => compute::reduce(builder, cx, op, mask),
        Opcode::VectorContract => compute::contract(builder, cx, op, mask),
        Opcode::VectorScan => lanes::scan(builder, cx, op, mask),
        Opcode::IreeVectorExtArgCompare => lanes::arg_compare(builder, cx, op, mask),
        Opcode::VectorGather | Opcode::VectorScatter => lanes::indexed(builder, cx, op, mask),
        Opcode::IreeVectorExtTransferGather | Opcode::IreeVectorExtTransferScatter => {
            match rows::gather(builder, cx, op, mask) {
                Some(grid) => {
                    cx.grids.insert(builder.ir.result(op, 0), grid);
                }
                None => lanes::transfer_indexed(builder, cx, op, mask),
            }
        }
        Opcode::VectorTransferRead => {
            let grid = memory::read(builder, cx, op, mask);
            cx.grids.insert(builder.ir.result(op, 0), grid);
        }
        _ => memory::write(builder, cx, op, mask),
    }
}

fn masked(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId) {
    let (mask, other) = (builder.ir.operand(op, 0), builder.ir.operands(op).get(1).copied());
    let body = builder.ir.entry(op);
    for inner in builder.ir.ops_of(body) {
        if builder.ir.opcode(inner) != Opcode::VectorYield {
            maskable(builder, cx, inner, Some(mask));
            continue;
        }
        let mut parts: Vec<ValueId> = builder.ir.operands(inner).iter().flat_map(|&value| cx.parts(value)).collect();
        if let Some(other) = other {
            for (part, (flags, other)) in parts.iter_mut().zip(cx.parts(mask).into_iter().zip(cx.parts(other))) {
                let ty = builder.ir.type_of(other);
                *part = builder.value(Opcode::ArithSelect, &[flags, *part, other], ty, &[]);
            }
        }
        let mut parts = parts.into_iter();
        for result in builder.ir.results(op) {
            cx.enter(builder.ir, result, &mut parts);
        }
    }
}

/// A loop or branch, which carries parts.
fn carried(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId) {
    let operands: Vec<ValueId> = builder.ir.operands(op).iter().flat_map(|&value| cx.parts(value)).collect();
    let old: Vec<ValueId> = builder.ir.results(op).collect();
    let types: Vec<TypeId> = old.into_iter().flat_map(|value| cx.part_types(builder, value)).collect();
    builder.ir.remove_attr(op, "layouts");
    let (name, attrs) = (builder.ir.name(op).to_owned(), builder.ir.attr_dict(op));
    let new = builder.ir.create_named(&name, &operands, &types, attrs, builder.span);
    builder.place(new);
    for region in builder.ir.regions(op).to_vec() {
        let copy = builder.ir.add_region(new);
        region_of(builder.ir, cx, region, copy, builder.span);
    }
    results(builder, cx, op, new);
}

/// Enters the results of an operation whose results are parts.
fn results(builder: &Builder<'_>, cx: &mut Cx<'_>, old: OpId, new: OpId) {
    let mut parts = builder.ir.results(new);
    for value in builder.ir.results(old) {
        cx.enter(builder.ir, value, &mut parts);
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
