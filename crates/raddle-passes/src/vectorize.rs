//! Vectorize: turn a tiled tensor function into a kernel on memrefs whose values are vectors of the whole workgroup.
//!
//! Before: `scf.forall … { linalg.fill, scf.for … { linalg.matmul ins(slices) outs(%acc) }, parallel_insert_slice }`
//! After:  `gpu.block_id`, `scf.for … iter_args(%acc : vector<64x64xf32>) { transfer_read, to_layout, vector.contract }`,
//!         `vector.transfer_write`, in a function whose results became memref arguments behind its inputs.
//!
//! A tensor in a tile is either a *view*, a rectangle of some argument, or a vector. Slices make views, compute
//! operations make vectors, and a view becomes a vector where it is read. Nothing is ever written in between, so there
//! is no buffer to place and no copy to elide. Anchors come from the lowering configuration: the operand layouts of the
//! matrix instruction, or the iteration layout applied to each operand's map.
//!
//! Vectors have the sizes of the configuration's steps, where tensors end sooner than these. Reads give zeros beyond the
//! end of a tensor, writes leave out what lies there, and a reduction combines what is in front of it.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use raddle_ir::affine::BinOp;
use raddle_ir::views::{Forall, Linalg, Mixed, SliceView, Transfer, minor_identity, unmixed};
use raddle_ir::{
    Attr, AttrId, BlockId, Builder, Code, Def, Diag, Expr, Ir, Map, OpId, Opcode, Point, Scalar, Type, TypeId, ValueId,
    ValueMap,
};
use raddle_layout::Nested;
use raddle_target::Language;
use rustc_hash::FxHashMap;

use crate::clean;
use crate::code::SAME_IF_TRUE;
use crate::config::Launch;
use crate::configure::{self, Checked};
use crate::facts::Facts;
use crate::structured::scans::loops_of;
use crate::structured::sizes::index;
use crate::structured::symbols::OfArguments;
use crate::structured::windows::Inside;
use crate::structured::{body, in_place, require_form, windows};

mod edges;
mod order;
mod product;
mod reads;
mod scan;
pub(crate) mod structured;

use edges::Edge;
use product::{crosses, in_copy_layout, promoted};
use reads::Memory;
use structured::splat;

/// Workgroups along x: 31 bits on every chip here.
const GRID_X_MAX: i64 = (1 << 31) - 1;

/// Workgroups along y and z: 16 bits on every chip here.
const GRID_YZ_MAX: i64 = 65535;

/// What a tensor of the tiled program is in the kernel.
#[derive(Clone)]
enum Tensor {
    /// A rectangle of a memref, how it ends along each dimension, and what stands where it has no elements.
    View {
        base: ValueId,
        offsets: Vec<Mixed>,
        edges: Vec<Edge>,
        padded: Option<Rc<Padded>>,
        source: Option<Rc<Source>>,
    },
    /// A tensor without contents.
    Empty,
    /// A tensor that is the same everywhere.
    Fill(ValueId),
    /// A value.
    Vector(ValueId),
}

/// Where a view of a memref has elements, as places of the whole view, and the constant elsewhere.
struct Padded {
    inside: Vec<Inside>,
    padding: AttrId,
}

/// The memref that a view is one of, and the place in it of each place of the view: outside of it, the view is padded.
struct Source {
    memref: ValueId,
    places: Vec<Expr>,
}

impl Source {
    /// How a vector along some dimensions of the view, which has `n` of them, is read from the memref itself, where the view
    /// is of pieces of that, the last of which ends beyond it: the map, and along which dimensions the vector may cross the
    /// end.
    fn read_to_end(&self, padded: &Padded, n: usize, dims: &[usize], shape: &[i64]) -> Option<(Map, Vec<bool>)> {
        let first = |place: &Expr| place.eval(&vec![0; n], &[]);
        let factor = |place: &Expr, d: usize| {
            let one: Vec<i64> = (0..n).map(|other| i64::from(other == d)).collect();
            place.eval(&one, &[])?.checked_sub(first(place)?)
        };
        let grows = |place: &Expr| {
            let factors = (0..n).map(|d| factor(place, d));
            factors.chain([first(place)]).all(|number| number.is_some_and(|number| number >= 0))
        };
        let ends = |at: usize| padded.inside.iter().any(|inside| inside.place == self.places[at]);
        let is_piece = |inside: &Inside| matches!(inside.place, Expr::Add(..)) && self.places.contains(&inside.place);
        if padded.inside.is_empty() || !padded.inside.iter().all(is_piece) || !self.places.iter().all(grows) {
            return None;
        }
        let mut results = Vec::new();
        for (&d, &size) in dims.iter().zip(shape) {
            let mut named = (0..self.places.len()).filter(|&at| self.places[at].names(&|other| other == d));
            let (Some(at), None) = (named.next(), named.next()) else { return None };
            let along = if size == 1 { Expr::Const(0) } else { Expr::Dim(at as u32) };
            if size > 1 && (factor(&self.places[at], d) != Some(1) || results.contains(&along)) {
                return None;
            }
            results.push(along);
        }
        // What the vector does not go along must be inside.
        let crosses = |result: &Expr| matches!(*result, Expr::Dim(at) if ends(at as usize));
        let all = (0..self.places.len()).all(|at| !ends(at) || results.contains(&Expr::Dim(at as u32)));
        let crossed = results.iter().map(crosses).collect();
        all.then_some((Map { dims: self.places.len() as u32, syms: 0, results }, crossed))
    }
}

/// A rectangle of a memref that is written.
#[derive(Clone)]
struct Place {
    dest: ValueId,
    offsets: Vec<Mixed>,
    edges: Vec<Edge>,
}

struct Cx {
    launch: Launch,
    /// Scalars, indices and vectors of the kernel for values of the tiled program.
    map: ValueMap,
    /// Tensors, by value.
    tensors: FxHashMap<ValueId, Tensor>,
    /// The operations that have a configuration.
    checked: BTreeMap<OpId, Checked>,
    /// The shapes of the vectors that stand for tensors, where these are not the tensors' own.
    shapes: FxHashMap<ValueId, Vec<i64>>,
    /// The shared outputs of the parallel loop, and the memref that each is in the end.
    outputs: Vec<(ValueId, ValueId)>,
    /// What is put into a part of the memory of an argument, and that part.
    delivered: FxHashMap<ValueId, ValueId>,
    /// What loops fill part by part, and where that is stored at once.
    stored: FxHashMap<ValueId, Place>,
    /// What elementwise operations and reductions of a block have read, with what stands beyond the end.
    reads: RefCell<FxHashMap<(ValueId, BlockId, u64), ValueId>>,
    grid: Grid,
    /// Workgroups that run at once and share a cache, where the chip is known.
    at_once: Option<u32>,
    /// Whether the chip is a CPU, whose threads compute one workgroup after the other.
    is_native: bool,
}

/// Workgroups along x, y and z, as expressions of the arguments.
struct Grid {
    symbols: OfArguments,
    counts: [Expr; 3],
}

/// A loop over workgroups.
struct Count {
    lower: i64,
    step: i64,
    /// How many workgroups: in the kernel, and as an expression of its arguments.
    n: Mixed,
    expr: Expr,
}

/// Rewrites the function into a kernel.
pub fn vectorize(ir: &mut Ir, func: OpId, facts: &Facts) -> Result<(), Diag> {
    let launch = Launch::read(ir, func)?;
    let old = ir.entry(func);
    let (inputs, results) = (ir.signature(func).0.to_vec(), in_place::apart(ir, func));
    let mut memrefs = Vec::new();
    for &ty in &inputs {
        // A number is passed as it is.
        memrefs.push(if Scalar::of(&ir[ty]).is_some() { ty } else { to_memref(ir, func, ty)? });
    }
    for &ty in &results {
        memrefs.push(to_memref(ir, func, ty)?);
    }
    let mut checked = BTreeMap::new();
    for op in ir.walk(func) {
        if loops_of(ir, op).is_some() && ir.attr(op, "lowering_config").is_some() {
            checked.insert(op, configure::checked(ir, func, op, facts)?);
        }
    }
    edges::separate(ir, &mut checked)?;
    let shapes = edges::shapes(ir, func, &checked)?;
    let region = ir.block_region(old);
    let new = ir.add_block(region, &memrefs);
    let (map, tensors, outputs) = (ValueMap::default(), FxHashMap::default(), Vec::new());
    let grid = Grid { symbols: OfArguments::new(old), counts: [1; 3].map(Expr::Const) };
    let (stored, reads) = (FxHashMap::default(), RefCell::default());
    // Measured for these alone. Chips of several dies have a cache for each, and deal workgroups out to them in turn.
    let shares_cache = facts.chip.language == Language::Ptx;
    let at_once = facts.chip.processors.filter(|_| shares_cache).map(|processors| processors.count);
    let (delivered, is_native) = (FxHashMap::default(), facts.chip.native.is_some());
    let mut cx =
        Cx { launch, map, tensors, checked, shapes, outputs, delivered, stored, reads, grid, at_once, is_native };
    let args = ir.args(new).to_vec();
    for (&old_arg, &new_arg) in ir.args(old).to_vec().iter().zip(&args) {
        cx.map.set(old_arg, new_arg);
        if let Some(view) = whole(ir, new_arg) {
            cx.set(old_arg, view);
        }
    }
    let dests = in_place::destinations(ir, func, &args);
    let span = ir.span(func);
    let mut builder = Builder::at_end(ir, new, span);
    let done = body_of(&mut builder, &mut cx, old, &dests);
    if let Err(diag) = done {
        ir.remove_block(new);
        return Err(diag);
    }
    ir.remove_block(old);
    in_place::become_kernel(ir, func, &memrefs);
    cx.grid.symbols.write_grid(ir, func, &cx.grid.counts);
    reads::forget_narrowed(ir, func);
    Ok(())
}

impl Cx {
    fn set(&mut self, value: ValueId, tensor: Tensor) {
        self.tensors.insert(value, tensor);
    }

    fn get(&self, value: ValueId) -> Tensor {
        self.tensors
            .get(&value)
            .cloned()
            .expect("tensors are defined before they are used, and every operation that makes one is handled")
    }

    /// Notes where a loop stores a result.
    fn store_in(&mut self, ir: &Ir, loop_op: OpId, i: usize, place: Place) {
        self.stored.insert(ir.args(ir.entry(loop_op))[1 + i], place.clone());
        self.stored.insert(ir.result(loop_op, i), place);
    }

    fn mixed(&self, list: &[Mixed]) -> Vec<Mixed> {
        let new = |m: &Mixed| if let Mixed::Value(value) = m { Mixed::Value(self.map.get(*value)) } else { *m };
        list.iter().map(new).collect()
    }
}

fn to_memref(ir: &mut Ir, func: OpId, ty: TypeId) -> Result<TypeId, Diag> {
    match ir[ty].clone() {
        Type::Tensor { shape, elem, .. } => Ok(ir.memref_type(&shape, elem, None)),
        _ => Err(Diag::error(
            Code::CannotConfigure,
            ir.span(func),
            "a kernel takes tensors and numbers, and returns tensors",
        )
        .help("make results that are numbers tensors of rank 0")),
    }
}

/// All of a memref as a view.
fn whole(ir: &Ir, memref: ValueId) -> Option<Tensor> {
    let shape = ir.shape_of(memref).to_vec();
    matches!(ir.ty(memref), Type::MemRef { .. }).then(|| Tensor::View {
        base: memref,
        offsets: vec![Mixed::Static(0); shape.len()],
        edges: shape.into_iter().map(Edge::End).collect(),
        padded: None,
        source: None,
    })
}

/// Rewrites the operations of a block of tensors; `dests` are the memrefs for what the function returns.
fn body_of(builder: &mut Builder<'_>, cx: &mut Cx, block: BlockId, dests: &[ValueId]) -> Result<(), Diag> {
    for op in builder.ir.ops_of(block) {
        builder.span = builder.ir.span(op);
        match builder.ir.opcode(op) {
            Opcode::ScfForall => forall(builder, cx, op, dests)?,
            Opcode::ScfFor => {
                return_at_once(builder, cx, op, dests)?;
                tile_op(builder, cx, op)?;
            }
            Opcode::TensorInsertSlice if delivery(builder.ir, op).is_some() => {}
            Opcode::FuncReturn => {
                for (&value, &dest) in builder.ir.operands(op).to_vec().iter().zip(dests) {
                    let insert = builder.ir.def_op(value).filter(|&made| delivery(builder.ir, made).is_some());
                    let value = insert.map_or(value, |insert| builder.ir.operand(insert, 0));
                    let dest = match insert {
                        Some(insert) => part(builder, cx, insert, dest)?,
                        None => dest,
                    };
                    give_back(builder, cx, value, dest);
                }
                builder.op(Opcode::FuncReturn, &[], &[], &[]);
            }
            _ => tile_op(builder, cx, op)?,
        }
    }
    Ok(())
}

/// The result that an operation at the top of a function gives by putting a part into an argument.
fn delivery(ir: &Ir, op: OpId) -> Option<usize> {
    in_place::delivers(ir, ir.parent_op(op)?, op)
}

/// The memory of the part that a delivery writes.
fn part(builder: &mut Builder<'_>, cx: &mut Cx, insert: OpId, dest: ValueId) -> Result<ValueId, Diag> {
    let mut slice = SliceView::of(builder.ir, insert);
    let value = slice.value.expect("an insert has a value");
    if let Some(&part) = cx.delivered.get(&value) {
        return Ok(part);
    }
    let is_known = |at: &Mixed| !matches!(at, Mixed::Value(value) if cx.map.find(*value).is_none());
    let known = slice.offsets.iter().chain(&slice.sizes).all(is_known);
    (slice.offsets, slice.sizes) = (cx.mixed(&slice.offsets), cx.mixed(&slice.sizes));
    let Some(part) = Some(&slice).filter(|_| known).and_then(|slice| windows::slice_of(builder, dest, slice)) else {
        return Err(Diag::error(
            Code::CannotConfigure,
            builder.span,
            "where a result goes in a buffer is not known in time",
        ));
    };
    cx.delivered.insert(value, part);
    Ok(part)
}

/// The memory of a result of the function, or of the part of one, that a value is.
fn place_of(
    builder: &mut Builder<'_>,
    cx: &mut Cx,
    value: ValueId,
    dests: &[ValueId],
) -> Result<Option<ValueId>, Diag> {
    for (user, slot) in builder.ir.uses(value).collect::<Vec<_>>() {
        if builder.ir.opcode(user) == Opcode::FuncReturn {
            return Ok(Some(dests[slot]));
        }
        if let Some(slot) = delivery(builder.ir, user) {
            return part(builder, cx, user, dests[slot]).map(Some);
        }
    }
    Ok(None)
}

/// Stores what the function returns, unless the parallel loop has stored it already.
fn give_back(builder: &mut Builder<'_>, cx: &Cx, value: ValueId, dest: ValueId) {
    if cx.outputs.contains(&(value, dest)) || cx.stored.contains_key(&value) {
        return;
    }
    let vector = read(builder, cx, value);
    let shape = builder.ir.shape_of(dest).to_vec();
    let zeros: Vec<Mixed> = vec![Mixed::Static(0); shape.len()];
    let edges: Vec<Edge> = shape.into_iter().map(Edge::End).collect();
    write(builder, vector, dest, &zeros, &edges);
}

/// Workgroup numbers in place of the loop's indices.
fn forall(builder: &mut Builder<'_>, cx: &mut Cx, op: OpId, dests: &[ValueId]) -> Result<(), Diag> {
    let view = Forall::of(builder.ir, op);
    let block = builder.ir.entry(op);
    let args = builder.ir.args(block).to_vec();
    let n = view.upper.len();
    let counts = (0..n).map(|d| count(builder, cx, &view, d)).collect::<Result<Vec<Count>, Diag>>()?;
    let mut ids = ids(builder, cx, &counts)?;
    if let Some(last) = order::in_groups(builder, cx, op, &counts, &ids) {
        ids.splice(n - 2.., last);
    } else if let Some(last) = order::few_rows_first(builder, cx, op, &counts, &ids) {
        ids.splice(n - 2.., last);
    } else if let Some(all) = order::longest_first(builder, cx, op, &args, &counts, &ids) {
        ids = all;
    }
    for (d, &Count { lower, step, .. }) in counts.iter().enumerate() {
        let scaled = Expr::binary(BinOp::Mul, Expr::Dim(0), Expr::Const(step));
        let index = Expr::binary(BinOp::Add, scaled, Expr::Const(lower));
        let index = builder.apply(Map { dims: 1, syms: 0, results: vec![index] }, &[ids[d]]);
        cx.map.set(args[d], index);
    }
    // Each result of the loop is what the function returns at some position: that memref is the output.
    let mut targets = Vec::new();
    for (i, &init) in view.outputs.iter().enumerate() {
        let result = builder.ir.result(op, i);
        cx.set(args[n + i], cx.get(init));
        // What nobody uses is nowhere.
        if builder.ir.is_unused(result) {
            continue;
        }
        let Some(dest) = place_of(builder, cx, result, dests)? else {
            return Err(Diag::error(
                Code::CannotConfigure,
                builder.span,
                "the workgroup loop's result is not returned",
            ));
        };
        cx.outputs.push((result, dest));
        targets.push((args[n + i], dest));
    }
    for inner in builder.ir.ops_of(block) {
        builder.span = builder.ir.span(inner);
        if builder.ir.opcode(inner) != Opcode::ScfForallInParallel {
            store_at_once(builder.ir, cx, inner, block, &targets);
            tile_op(builder, cx, inner)?;
            continue;
        }
        for insert in builder.ir.ops_of(builder.ir.entry(inner)) {
            let slice = SliceView::of(builder.ir, insert);
            let value = slice.value.expect("an insert has a value");
            let Some(&(_, target)) = targets.iter().find(|target| target.0 == slice.base) else { continue };
            if cx.stored.contains_key(&value) {
                continue;
            }
            let vector = read(builder, cx, value);
            let edges = edges::of_slice(builder.ir, cx, &slice);
            write(builder, vector, target, &cx.mixed(&slice.offsets), &edges);
        }
    }
    Ok(())
}

/// The operation by which each iteration of a loop puts its part of a result where no other iteration does.
fn filled(ir: &Ir, loop_op: OpId, i: usize) -> Option<OpId> {
    let block = ir.entry(loop_op);
    let value = ir.operand(ir.terminator(block)?, i);
    let insert = ir.def_op(value).filter(|&op| ir.opcode(op) == Opcode::TensorInsertSlice)?;
    let slice = SliceView::of(ir, insert);
    (slice.base == ir.args(block)[1 + i] && !starts_at_origin(&slice)).then_some(insert)
}

/// The results that a loop fills part by part, and that one operation uses.
fn filled_once(ir: &Ir, op: OpId) -> Vec<(usize, ValueId)> {
    let results = if ir.opcode(op) == Opcode::ScfFor { ir.results(op).enumerate().collect() } else { Vec::new() };
    let once = |&(i, result): &(usize, ValueId)| filled(ir, op, i).is_some() && ir.uses(result).count() == 1;
    results.into_iter().filter(once).collect()
}

/// Notes where a loop stores what it fills: where the block inserts that into what it shares with other workgroups.
fn store_at_once(ir: &Ir, cx: &mut Cx, op: OpId, block: BlockId, targets: &[(ValueId, ValueId)]) {
    let end = ir.terminator(block).expect("the verifier has seen a terminator");
    let inserts: Vec<SliceView> = ir.ops_of(ir.entry(end)).into_iter().map(|op| SliceView::of(ir, op)).collect();
    for (i, result) in filled_once(ir, op) {
        let Some(slice) = inserts.iter().find(|slice| slice.value == Some(result)) else { continue };
        let Some(&(_, dest)) = targets.iter().find(|target| target.0 == slice.base) else { continue };
        let place = Place { dest, offsets: cx.mixed(&slice.offsets), edges: edges::of_slice(ir, cx, slice) };
        cx.store_in(ir, op, i, place);
    }
}

/// The same where the function returns what a loop fills.
fn return_at_once(builder: &mut Builder<'_>, cx: &mut Cx, op: OpId, dests: &[ValueId]) -> Result<(), Diag> {
    for (i, result) in filled_once(builder.ir, op) {
        let dest = place_of(builder, cx, result, dests)?;
        if let Some(Tensor::View { base, offsets, edges, .. }) = dest.and_then(|dest| whole(builder.ir, dest)) {
            cx.store_in(builder.ir, op, i, Place { dest: base, offsets, edges });
        }
    }
    Ok(())
}

/// How many workgroups go along a loop.
fn count(builder: &mut Builder<'_>, cx: &mut Cx, view: &Forall, d: usize) -> Result<Count, Diag> {
    let (Mixed::Static(lower), Mixed::Static(step)) = (view.lower[d], view.step[d]) else {
        let message = "the workgroup loop begins or steps by a number that only the run knows";
        return Err(Diag::error(Code::CannotConfigure, builder.span, message));
    };
    let bad = || Diag::error(Code::CannotConfigure, builder.span, "the workgroup loop does not count upwards");
    if step <= 0 {
        return Err(bad());
    }
    let (n, expr) = match view.upper[d] {
        Mixed::Static(upper) if upper < lower => return Err(bad()),
        Mixed::Static(upper) => {
            let n = upper.abs_diff(lower).div_ceil(step.unsigned_abs());
            let n = i64::try_from(n).map_err(|_| bad())?;
            (Mixed::Static(n), Expr::Const(n))
        }
        Mixed::Value(upper) => {
            let Some(end) = cx.grid.symbols.number(builder.ir, upper) else {
                let message =
                    "the number of workgroups depends on more than the extents and numbers that are arguments";
                return Err(Diag::error(Code::CannotConfigure, builder.span, message)
                    .note("who launches a kernel computes its grid from the arguments")
                    .help(
                        "let extents be `tensor.dim` of arguments, arguments of type `index`, or arithmetic on these",
                    ));
            };
            let count = |end: Expr| {
                let length = Expr::binary(BinOp::Add, end, Expr::Const(-lower));
                Expr::binary(BinOp::CeilDiv, length, Expr::Const(step))
            };
            let map = Map { dims: 1, syms: 0, results: vec![count(Expr::Dim(0))] };
            (Mixed::Value(builder.apply(map, &[cx.map.get(upper)])), count(end))
        }
    };
    Ok(Count { lower, step, n, expr })
}

/// The place of the workgroup along each loop; the last one runs fastest.
fn ids(builder: &mut Builder<'_>, cx: &mut Cx, counts: &[Count]) -> Result<Vec<ValueId>, Diag> {
    let n = counts.len();
    let fits = |count: &Count| matches!(count.n, Mixed::Static(count) if count <= GRID_YZ_MAX);
    // What blocks tiles for the caches of a CPU asks for numbers of workgroups as values (`overlap/cache_blocks.rs`).
    let is_open = |count: &Count| matches!(count.n, Mixed::Value(_));
    let is_asked = n > 1 && cx.launch.workgroup_size == 1 && counts.iter().any(is_open);
    let is_direct = n <= 3 && counts[..n - 1].iter().all(fits) && !is_asked;
    let along_x = if is_direct { &counts[n - 1..] } else { counts };
    let known = |count: &Count| if let Mixed::Static(count) = count.n { count } else { 1 };
    let n_along_x = along_x.iter().try_fold(1i64, |product, count| product.checked_mul(known(count)));
    if n_along_x.is_none_or(|count| count > GRID_X_MAX) {
        let extents: Vec<String> = counts.iter().map(|count| count.expr.to_string()).collect();
        let message = format!("the operation takes {} workgroups, more than a grid has", extents.join(" x "));
        return Err(Diag::error(Code::OverLimit, builder.span, message)
            .help(format!("a grid has at most {GRID_X_MAX} workgroups: tile the workgroup's loops by more")));
    }
    if is_direct {
        for (d, count) in counts.iter().enumerate() {
            cx.grid.counts[n - 1 - d] = count.expr.clone();
        }
        return Ok((0..n).map(|d| builder.gpu_id(Opcode::GpuBlockId, n - 1 - d)).collect());
    }
    // One linear number, taken apart.
    let product = |a: Expr, count: &Count| Expr::binary(BinOp::Mul, a, count.expr.clone());
    cx.grid.counts[0] = counts.iter().fold(Expr::Const(1), product);
    let linear = builder.gpu_id(Opcode::GpuBlockId, 0);
    // A digit has a value at least; without any, no workgroup runs.
    let digit = |count: &Count| if count.n == Mixed::Static(0) { Mixed::Static(1) } else { count.n };
    let (basis, values) = unmixed(&counts.iter().map(digit).collect::<Vec<_>>());
    let types = vec![builder.ir.index_type(); n];
    let attrs = [("static_basis", builder.ir.dense_i64(&basis))];
    let split = builder.op(Opcode::AffineDelinearizeIndex, &[vec![linear], values].concat(), &types, &attrs);
    Ok(builder.ir.results(split).collect())
}

/// One operation inside a tile.
fn tile_op(builder: &mut Builder<'_>, cx: &mut Cx, op: OpId) -> Result<(), Diag> {
    match builder.ir.opcode(op) {
        Opcode::TensorEmpty => cx.set(builder.ir.result(op, 0), Tensor::Empty),
        _ if windows::is_window(builder.ir, op) => window(builder, cx, op)?,
        Opcode::TensorExtractSlice => extract_slice(builder, cx, op)?,
        Opcode::TensorInsertSlice => insert_slice(builder, cx, op)?,
        Opcode::TensorExtract => extract(builder, cx, op)?,
        Opcode::LinalgFill => {
            let scalar = cx.map.get(Linalg::of(builder.ir, op).inputs[0]);
            cx.set(builder.ir.result(op, 0), Tensor::Fill(scalar));
        }
        Opcode::LinalgMatmul | Opcode::LinalgGeneric => {
            let vectors = structured(builder, cx, op)?;
            for (result, vector) in builder.ir.results(op).zip(vectors) {
                cx.set(result, Tensor::Vector(vector));
            }
        }
        Opcode::IreeLinalgExtScan => scan::scan(builder, cx, op)?,
        Opcode::ScfFor => loop_of(builder, cx, op)?,
        Opcode::ScfIf => branch_of(builder, cx, op)?,
        Opcode::TensorDim => {
            let (source, dim) = (builder.ir.operand(op, 0), builder.ir.const_int(builder.ir.operand(op, 1)));
            let dim = dim.and_then(|dim| usize::try_from(dim).ok());
            let Some(dim) = dim.filter(|&dim| dim < builder.ir.shape_of(source).len()) else {
                let message = "`tensor.dim` of a dimension that is not a constant cannot be vectorized";
                return Err(Diag::error(Code::CannotConfigure, builder.span, message));
            };
            let extent = edges::extent(builder, cx, source, dim).materialize(builder);
            cx.map.set(builder.ir.result(op, 0), extent);
        }
        _ if builder.ir.results(op).all(|value| builder.ir.ty(value).shape().is_none())
            && builder.ir.regions(op).is_empty() =>
        {
            builder.copy(op, &mut cx.map);
        }
        _ => {
            let message = format!("`{}` cannot be vectorized", builder.ir.name(op));
            return Err(Diag::error(Code::CannotConfigure, builder.span, message)
                .note("a tile is made of slices, fills, linalg.matmul, linalg.generic, scf.for and scf.if"));
        }
    }
    Ok(())
}

/// Windows and slices of an argument are the argument's memory, with a stride for each loop that goes through it.
fn window(builder: &mut Builder<'_>, cx: &mut Cx, op: OpId) -> Result<(), Diag> {
    let (input, result) = (builder.ir.operand(op, 0), builder.ir.result(op, 0));
    let tensor = match cx.get(input) {
        same @ (Tensor::Empty | Tensor::Fill(_)) => same,
        Tensor::View { base, offsets, padded: old, source, .. } if offsets.iter().all(|&at| at == Mixed::Static(0)) => {
            let inside = old.as_ref().map_or(&[][..], |old| &old.inside);
            let is_padded = !inside.is_empty();
            let Some(part) = windows::part_of(builder, op, base, inside, &cx.map) else {
                return Err(Diag::error(Code::CannotConfigure, builder.span, "windows of this buffer have no strides"));
            };
            let paddings = [old.as_ref().map(|old| old.padding), part.padding];
            if let [Some(old), Some(new)] = paddings
                && old != new
            {
                let message = "a tensor that is padded twice, by other constants, cannot be vectorized";
                return Err(Diag::error(Code::CannotConfigure, builder.span, message));
            }
            let source = match (part.places, source) {
                (Some(places), _) if !is_padded => Some(Source { memref: base, places }),
                (Some(places), Some(source)) if part.padding.is_none() => {
                    let places = source.places.iter().map(|place| place.replaced(&places, &[])).collect();
                    Some(Source { memref: source.memref, places })
                }
                _ => None,
            };
            let padding = paddings[0].or(part.padding);
            let padded = padding.map(|padding| Rc::new(Padded { inside: part.inside, padding }));
            let Some(Tensor::View { base, offsets, edges, .. }) = whole(builder.ir, part.memref) else {
                panic!("it is a memref")
            };
            Tensor::View { base, offsets, edges, padded, source: source.map(Rc::new) }
        }
        Tensor::View { .. } | Tensor::Vector(_) if builder.ir.opcode(op) == Opcode::TensorExtractSlice => {
            return extract_slice(builder, cx, op);
        }
        Tensor::View { .. } | Tensor::Vector(_) => {
            let message = "windows of what the kernel computes cannot be vectorized";
            return Err(Diag::error(Code::CannotConfigure, builder.span, message));
        }
    };
    cx.set(result, tensor);
    Ok(())
}

fn extract_slice(builder: &mut Builder<'_>, cx: &mut Cx, op: OpId) -> Result<(), Diag> {
    let slice = SliceView::of(builder.ir, op);
    let result = builder.ir.result(op, 0);
    if !is_plain(builder.ir, &slice, result) {
        return Err(Diag::error(
            Code::CannotConfigure,
            builder.span,
            "a slice with steps or dropped dimensions cannot be vectorized",
        ));
    }
    let offsets = cx.mixed(&slice.offsets);
    let tensor = match cx.get(slice.base) {
        same @ (Tensor::Empty | Tensor::Fill(_)) => same,
        // The vector has at least the elements of the slice.
        Tensor::Vector(value) if starts_at_origin(&slice) => Tensor::Vector(value),
        Tensor::View { base, offsets: outer, edges: ends, padded, source } => {
            let inner = edges::of_slice(builder.ir, cx, &slice);
            let edges = (0..inner.len()).map(|d| match (inner[d], offsets[d]) {
                // All of a slice ends as that does, and only what begins with a memref ends where that ends.
                (Edge::End(_), Mixed::Static(0)) => ends[d],
                (edge, _) if outer[d] == Mixed::Static(0) && matches!(ends[d], Edge::End(_)) => edge,
                _ => Edge::Size(cx.mixed(&slice.sizes[d..=d])[0]),
            });
            let edges = edges.collect();
            let offsets = outer.into_iter().zip(offsets).map(|(outer, inner)| sum(builder, outer, inner)).collect();
            Tensor::View { base, offsets, edges, padded, source }
        }
        Tensor::Vector(_) => {
            return Err(Diag::error(
                Code::CannotConfigure,
                builder.span,
                "a slice of a computed tile cannot be vectorized",
            ));
        }
    };
    cx.set(result, tensor);
    Ok(())
}

/// An element of what lies in memory, which every thread reads.
fn extract(builder: &mut Builder<'_>, cx: &mut Cx, op: OpId) -> Result<(), Diag> {
    let (result, operands) = (builder.ir.result(op, 0), builder.ir.operands(op).to_vec());
    let tensor = match cx.tensors.get(&operands[0]) {
        Some(tensor) => Some(tensor.clone()),
        None => whole(builder.ir, operands[0]),
    };
    let value = match tensor {
        Some(Tensor::Fill(scalar)) => scalar,
        Some(Tensor::View { base, offsets, padded: None, .. }) => {
            let at: Vec<ValueId> = (offsets.into_iter().zip(&operands[1..]))
                .map(|(offset, &index)| sum(builder, offset, Mixed::Value(cx.map.get(index))).materialize(builder))
                .collect();
            let elem = builder.ir.type_of(result);
            builder.value(Opcode::MemrefLoad, &[&[base], &at[..]].concat(), elem, &[])
        }
        _ => {
            let message = "an element of what the kernel computes cannot be read by all of its threads";
            return Err(Diag::error(Code::CannotConfigure, builder.span, message));
        }
    };
    cx.map.set(result, value);
    Ok(())
}

/// The offset of a slice of a slice.
fn sum(builder: &mut Builder<'_>, outer: Mixed, inner: Mixed) -> Mixed {
    match (outer, inner) {
        (Mixed::Static(0), offset) | (offset, Mixed::Static(0)) => offset,
        (Mixed::Static(outer), Mixed::Static(inner)) => Mixed::Static(outer.saturating_add(inner)),
        (outer, inner) => {
            let [outer, inner] = [outer, inner].map(|offset| offset.materialize(builder));
            Mixed::Value(builder.binary(Opcode::ArithAddi, outer, inner))
        }
    }
}

/// A tile of what a loop computes, of which the last step does a part only: the rest stays.
fn insert_slice(builder: &mut Builder<'_>, cx: &mut Cx, op: OpId) -> Result<(), Diag> {
    let slice = SliceView::of(builder.ir, op);
    let (result, source) = (builder.ir.result(op, 0), builder.ir.operand(op, 0));
    if let Some(place) = cx.stored.get(&slice.base).cloned() {
        return store(builder, cx, &slice, source, &place);
    }
    if !is_plain(builder.ir, &slice, source) || !starts_at_origin(&slice) {
        let message = "an insertion somewhere into a computed tile cannot be vectorized";
        return Err(Diag::error(Code::CannotConfigure, builder.span, message));
    }
    let (new, old) = (read(builder, cx, source), read(builder, cx, slice.base));
    let (ty, shape) = (builder.ir.type_of(old), builder.ir.shape_of(old).to_vec());
    if builder.ir.type_of(new) != ty {
        let message = "an insertion into a larger tile cannot be vectorized";
        return Err(Diag::error(Code::CannotConfigure, builder.span, message));
    }
    let sizes = cx.mixed(&slice.sizes);
    let mut edges = Vec::new();
    for (d, &size) in sizes.iter().enumerate() {
        // Beyond the end of the tile, nobody looks.
        let extent = edges::extent(builder, cx, slice.base, d);
        let whole = matches!(size, Mixed::Value(_)) && edges::is_same(builder.ir, size, extent);
        edges.push(Edge::Size(if whole { Mixed::Static(shape[d]) } else { size }));
    }
    let value = match edges::mask(builder, &edges, &shape) {
        Some(mask) => builder.value(Opcode::ArithSelect, &[mask, new, old], ty, &[]),
        None => new,
    };
    cx.set(result, Tensor::Vector(value));
    Ok(())
}

/// A part of what a loop fills, stored where it belongs.
fn store(
    builder: &mut Builder<'_>,
    cx: &mut Cx,
    slice: &SliceView,
    source: ValueId,
    place: &Place,
) -> Result<(), Diag> {
    let vector = read(builder, cx, source);
    let (inner, sizes) = (cx.mixed(&slice.offsets), cx.mixed(&slice.sizes));
    let (mut offsets, mut edges) = (Vec::new(), Vec::new());
    for d in 0..inner.len() {
        let (offset, edge) = match (place.offsets[d], inner[d]) {
            (outer, Mixed::Static(0)) => (outer, place.edges[d]),
            (Mixed::Static(0), inner) => (inner, Edge::Size(sizes[d])),
            _ => {
                let message = "a part of a part of a result cannot be vectorized";
                return Err(Diag::error(Code::CannotConfigure, builder.span, message));
            }
        };
        offsets.push(offset);
        edges.push(edge);
    }
    if !is_plain(builder.ir, slice, source) {
        let message = "a part with steps or dropped dimensions cannot be vectorized";
        return Err(Diag::error(Code::CannotConfigure, builder.span, message));
    }
    write(builder, vector, place.dest, &offsets, &edges);
    Ok(())
}

/// Whether a slice has all dimensions, and takes neighbours.
fn is_plain(ir: &Ir, slice: &SliceView, part: ValueId) -> bool {
    let unit = slice.strides.iter().all(|&stride| stride == Mixed::Static(1));
    unit && ir.shape_of(part).len() == slice.sizes.len()
}

fn starts_at_origin(slice: &SliceView) -> bool {
    slice.offsets.iter().all(|&offset| offset == Mixed::Static(0))
}

fn loop_of(builder: &mut Builder<'_>, cx: &mut Cx, op: OpId) -> Result<(), Diag> {
    let operands = builder.ir.operands(op).to_vec();
    let bounds: Vec<ValueId> = operands[..3].iter().map(|&value| cx.map.get(value)).collect();
    let block = builder.ir.entry(op);
    let args = builder.ir.args(block).to_vec();
    // What is stored at once is not carried.
    let carried: Vec<usize> = (0..operands.len() - 3).filter(|&i| !cx.stored.contains_key(&args[1 + i])).collect();
    let inits: Vec<ValueId> = carried.iter().map(|&i| read(builder, cx, operands[3 + i])).collect();
    for (i, result) in builder.ir.results(op).enumerate() {
        // No round reads what another has stored: a part is what the loop began with.
        cx.set(args[1 + i], cx.get(operands[3 + i]));
        cx.set(result, Tensor::Empty);
    }
    let mut failed = None;
    let new = builder.for_loop(bounds[0], bounds[1], bounds[2], &inits, |inner, iv, acc| {
        cx.map.set(args[0], iv);
        for (&i, &value) in carried.iter().zip(acc) {
            cx.set(args[1 + i], Tensor::Vector(value));
        }
        let mut yielded = acc.to_vec();
        for op in inner.ir.ops_of(block) {
            inner.span = inner.ir.span(op);
            if inner.ir.opcode(op) == Opcode::ScfYield {
                let values = inner.ir.operands(op).to_vec();
                for (slot, &i) in yielded.iter_mut().zip(&carried) {
                    *slot = read(inner, cx, values[i]);
                }
            } else if let Err(diag) = tile_op(inner, cx, op) {
                failed.get_or_insert(diag);
                break;
            }
        }
        yielded
    });
    for (&i, new) in carried.iter().zip(builder.ir.results(new)) {
        cx.set(builder.ir.result(op, i), Tensor::Vector(new));
    }
    hoist_reads(builder.ir, new);
    failed.map_or(Ok(()), Err)
}

/// One of two blocks, whose tensors are vectors of the same types.
fn branch_of(builder: &mut Builder<'_>, cx: &mut Cx, op: OpId) -> Result<(), Diag> {
    let condition = cx.map.get(builder.ir.operand(op, 0));
    let results: Vec<ValueId> = builder.ir.results(op).collect();
    let types: Vec<TypeId> = results.iter().map(|&result| vector_type(builder.ir, cx, result)).collect();
    let same = builder.ir.attr_id(op, SAME_IF_TRUE).map(|same| (SAME_IF_TRUE, same));
    let new = builder.op(Opcode::ScfIf, &[condition], &types, same.as_slice());
    for region in builder.ir.regions(op).to_vec() {
        let copy = builder.ir.add_region(new);
        for block in builder.ir.blocks(region).to_vec() {
            let to = builder.ir.add_block(copy, &[]);
            let mut inner = Builder::at_end(builder.ir, to, builder.span);
            for op in inner.ir.ops_of(block) {
                inner.span = inner.ir.span(op);
                if inner.ir.opcode(op) != Opcode::ScfYield {
                    tile_op(&mut inner, cx, op)?;
                    continue;
                }
                let mut values = inner.ir.operands(op).to_vec();
                for value in &mut values {
                    let is_tensor = inner.ir.ty(*value).is_tensor();
                    *value = if is_tensor { read(&mut inner, cx, *value) } else { cx.map.get(*value) };
                }
                inner.op(Opcode::ScfYield, &values, &[], &[]);
            }
        }
    }
    for (&result, value) in results.iter().zip(builder.ir.results(new)) {
        match builder.ir.ty(result).is_tensor() {
            true => cx.set(result, Tensor::Vector(value)),
            false => cx.map.set(result, value),
        }
    }
    Ok(())
}

/// The type of the vector that stands for a tensor; that of a number stays.
fn vector_type(ir: &mut Ir, cx: &Cx, value: ValueId) -> TypeId {
    let ty = ir.type_of(value);
    match ir[ty].elem().filter(|_| ir[ty].is_tensor()) {
        Some(elem) => {
            let shape = cx.shapes.get(&value).cloned().unwrap_or_else(|| ir.shape_of(value).to_vec());
            ir.vector_type(&shape, elem)
        }
        None => ty,
    }
}

/// Moves in front of a loop what it reads and brings into a layout in the same way each time, and masks. A kernel writes nothing
/// that it reads, so that reads may run earlier.
fn hoist_reads(ir: &mut Ir, loop_op: OpId) {
    let body = ir.entry(loop_op);
    let mut same: Vec<OpId> = Vec::new();
    let mut reads: Vec<OpId> = Vec::new();
    for op in ir.ops_of(body) {
        let outside = |value: ValueId| match ir.def(value) {
            Def::Result { op, .. } => ir.parent_block(op) != Some(body) || same.contains(&op),
            Def::Arg { block, .. } => block != body,
        };
        let may_move = match ir.opcode(op) {
            Opcode::VectorTransferRead => true,
            // A change of layout follows what it changes.
            Opcode::IreeVectorExtToLayout => ir.def_op(ir.operand(op, 0)).is_some_and(|def| reads.contains(&def)),
            _ => clean::may_run_early(ir, op),
        };
        if may_move && ir.operands(op).iter().all(|&value| outside(value)) {
            same.push(op);
            if matches!(ir.opcode(op), Opcode::VectorTransferRead | Opcode::IreeVectorExtToLayout) {
                reads.push(op);
            }
        }
    }
    // Of the others, what these need, and what masks need: copies that run ahead have masks from outside.
    let mut needed = reads;
    for op in ir.ops_of(body) {
        let is_read = ir.opcode(op) == Opcode::VectorTransferRead;
        let mask = is_read.then(|| Transfer::of(ir, op).mask).flatten().and_then(|mask| ir.def_op(mask));
        needed.extend(mask.filter(|mask| same.contains(mask)));
    }
    let mut at = 0;
    while let Some(&op) = needed.get(at) {
        at += 1;
        let makers: Vec<OpId> = ir.operands(op).iter().filter_map(|&value| ir.def_op(value)).collect();
        for maker in makers {
            if same.contains(&maker) && !needed.contains(&maker) {
                needed.push(maker);
            }
        }
    }
    for op in same.into_iter().filter(|op| needed.contains(op)) {
        ir.detach(op);
        ir.insert_before(loop_op, op);
    }
}

/// The vector that a tensor holds.
fn read(builder: &mut Builder<'_>, cx: &Cx, value: ValueId) -> ValueId {
    let all: Vec<usize> = (0..builder.ir.shape_of(value).len()).collect();
    read_along(builder, cx, value, &all, 0.0)
}

/// The same for an operand that others of the block may have read already.
fn read_once(builder: &mut Builder<'_>, cx: &Cx, value: ValueId, padding: f64) -> ValueId {
    let all: Vec<usize> = (0..builder.ir.shape_of(value).len()).collect();
    let (Tensor::View { .. }, Point::End(block)) = (cx.get(value), builder.at) else {
        return read_along(builder, cx, value, &all, padding);
    };
    let key = (value, block, padding.to_bits());
    let known = cx.reads.borrow().get(&key).copied();
    known.unwrap_or_else(|| {
        let new = read_along(builder, cx, value, &all, padding);
        cx.reads.borrow_mut().insert(key, new);
        new
    })
}

/// The vector that a tensor holds along some of its dimensions, with one place of the others; what stands beyond its end.
fn read_along(builder: &mut Builder<'_>, cx: &Cx, value: ValueId, dims: &[usize], padding: f64) -> ValueId {
    let ty = builder.ir.type_of(value);
    let elem = builder.ir[ty].elem().expect("tensors have elements");
    let shape = cx.shapes.get(&value).cloned().unwrap_or_else(|| builder.ir.shape_of(value).to_vec());
    let kept: Vec<i64> = dims.iter().map(|&d| shape[d]).collect();
    let ty = builder.ir.vector_type(&kept, elem);
    match cx.get(value) {
        Tensor::Vector(value) if kept.len() == shape.len() => value,
        Tensor::Vector(value) => {
            reads::narrowed(builder, value, dims).unwrap_or_else(|| builder.shape_cast(value, &kept))
        }
        // Nothing was ever stored: any value will do, and zero is one.
        Tensor::Empty => builder.splat(0.0, ty),
        Tensor::Fill(scalar) => splat(builder, scalar, ty),
        // A read checks no bounds along what its result leaves out.
        Tensor::View { edges, .. } if (0..edges.len()).any(|d| !dims.contains(&d) && edges[d] == Edge::End(0)) => {
            builder.splat(padding, ty)
        }
        Tensor::View { base, offsets, edges, padded, source } => {
            let indices: Vec<ValueId> = offsets.iter().map(|&offset| offset.materialize(builder)).collect();
            let padding = match &padded {
                Some(padded) => builder.constant(builder.ir[padded.padding].clone(), elem),
                None => builder.splat(padding, elem),
            };
            let edges: Vec<Edge> = dims.iter().map(|&d| edges[d]).collect();
            let in_bounds: Vec<bool> = edges.iter().zip(&kept).map(|(edge, &size)| !edge.is_crossed(size)).collect();
            let mut mask = edges::mask(builder, &edges, &kept);
            if let (Some(padded), Some(source), None) = (&padded, &source, mask)
                && let Some((map, ends)) = source.read_to_end(padded, indices.len(), dims, &kept)
                && ends.iter().zip(&in_bounds).all(|(&ends, &inside)| inside || !ends)
            {
                let places = source.places.iter();
                let at: Vec<Mixed> = indices.iter().copied().map(Mixed::Value).collect();
                let indices: Vec<ValueId> =
                    places.map(|place| index(builder, &at, place).materialize(builder)).collect();
                let in_bounds: Vec<bool> = in_bounds.iter().zip(ends).map(|(&inside, ends)| inside && !ends).collect();
                return builder.transfer_read(source.memref, &indices, padding, map, &in_bounds, ty);
            }
            for inside in padded.iter().flat_map(|padded| &padded.inside) {
                let here = edges::inside(builder, inside, &indices, dims, &kept, cx.is_native);
                mask = Some(mask.map_or(here, |mask| builder.binary(Opcode::ArithAndi, mask, here)));
            }
            let map = Map::of_dims(shape.len(), dims);
            let read = builder.transfer_read(base, &indices, padding, map, &in_bounds, ty);
            if let (Some(mask), Some(op)) = (mask, builder.ir.def_op(read)) {
                builder.ir.set_transfer_mask(op, mask);
            }
            read
        }
    }
}

fn write(builder: &mut Builder<'_>, vector: ValueId, dest: ValueId, offsets: &[Mixed], edges: &[Edge]) {
    let indices: Vec<ValueId> = offsets.iter().map(|&offset| offset.materialize(builder)).collect();
    let (rank, shape) = (indices.len(), builder.ir.shape_of(vector).to_vec());
    let in_bounds: Vec<bool> = edges.iter().zip(&shape).map(|(edge, &size)| !edge.is_crossed(size)).collect();
    let mask = edges::mask(builder, edges, &shape);
    let op = builder.transfer_write(vector, dest, &indices, minor_identity(rank, rank), &in_bounds);
    if let Some(mask) = mask {
        builder.ir.set_transfer_mask(op, mask);
    }
}

/// `iree_vector_ext.to_layout`
fn anchor(builder: &mut Builder<'_>, value: ValueId, layout: Nested) -> ValueId {
    let ty = builder.ir.type_of(value);
    let layout = builder.ir.intern(Attr::Layout(layout.into()));
    builder.value(Opcode::IreeVectorExtToLayout, &[value], ty, &[("layout", layout)])
}

/// A structured operation on tiles, as vector operations.
fn structured(builder: &mut Builder<'_>, cx: &mut Cx, op: OpId) -> Result<Vec<ValueId>, Diag> {
    let linalg = Linalg::of(builder.ir, op);
    require_form(builder.ir, op, &linalg)?;
    let sizes = edges::sizes(builder.ir, cx, op, &linalg)?;
    if linalg.reduction.contains(&true) && body::is_contraction(builder.ir, op) {
        return Ok(vec![product::contract(builder, cx, op, &linalg)?]);
    }
    elementwise(builder, cx, op, &linalg, &sizes)
}

/// The layout of a value whose dimension `i` is the loop that result `i` of `map` names.
fn apply(iteration: &Nested, map: &Map) -> Nested {
    iteration.permute(&map.as_dims().expect("`tile` has checked the maps"))
}

fn elementwise(
    builder: &mut Builder<'_>,
    cx: &mut Cx,
    op: OpId,
    linalg: &Linalg,
    sizes: &[i64],
) -> Result<Vec<ValueId>, Diag> {
    let checked = cx.checked.get(&op);
    let iteration = checked.map(|checked| checked.config.layout(&checked.sizes));
    // Results beyond the end are nobody's.
    let mask = edges::mask_of_loops(builder, cx, linalg, sizes, &|d| linalg.reduction[d]);
    let outer = |value: ValueId| cx.map.get(value);
    // Beyond the end, nobody looks at the quotient, but there must be one.
    let padding = if divides(builder.ir, op) { 1.0 } else { 0.0 };
    let reads = structured::reads(builder.ir, op);
    let ends = if reads { (0..sizes.len()).map(|d| edges::end(builder, cx, linalg, d)).collect() } else { Vec::new() };
    let place = |tensor: ValueId| match cx.tensors.get(&tensor) {
        Some(Tensor::View { base, offsets, padded: None, .. }) => Some((*base, offsets.clone())),
        _ => None,
    };
    let shared = |builder: &mut Builder<'_>, value: ValueId, map: &Map| match &iteration {
        Some(iteration) => anchor(builder, value, apply(iteration, map)),
        None => value,
    };
    let memory = Memory { place: &place, ends, padding, anchor: &shared, branches: cx.is_native };
    let memory = Some(&memory).filter(|_| reads);
    let divided = if divides_by_computed(builder.ir, cx, op, linalg) {
        edges::mask_of_loops(builder, cx, linalg, sizes, &|_| true)
    } else {
        None
    };
    let whole = structured::Structured { op, linalg, extents: sizes, mask, divided, counts_from_zero: true, memory };
    let mut given = |builder: &mut Builder<'_>, i: usize, is_acc: bool| {
        let operand = linalg.inputs.iter().chain(&linalg.outputs).nth(i).copied().expect("one operand for each map");
        let value = read_once(builder, cx, operand, padding);
        let value = match checked {
            None if crosses(cx, linalg, sizes, i) => in_copy_layout(builder, cx, value, 1),
            _ => promoted(builder, cx, checked, i, value, 1),
        };
        match &iteration {
            Some(iteration) if !is_acc => anchor(builder, value, apply(iteration, &linalg.maps[i])),
            _ => value,
        }
    };
    let mut results = structured::compute(builder, &whole, &outer, &mut given)?;
    // What reads no more than single numbers, and counts, has its anchor behind it.
    let (read, written) = linalg.maps.split_at(linalg.inputs.len());
    if let Some(iteration) = iteration.filter(|_| read.iter().all(|map| map.results.is_empty())) {
        for (result, map) in results.iter_mut().zip(written) {
            if builder.ir.ty(*result).is_vector() {
                *result = anchor(builder, *result, apply(&iteration, map));
            }
        }
    }
    Ok(results)
}

/// Whether a body divides integers by what is neither a number from outside nor read, and so padded by one.
fn divides_by_computed(ir: &Ir, cx: &Cx, op: OpId, linalg: &Linalg) -> bool {
    let body = ir.entry(op);
    let tensors: Vec<ValueId> = linalg.inputs.iter().chain(&linalg.outputs).copied().collect();
    let is_computed = |mut value: ValueId| {
        while let Some(made) = ir.def_op(value)
            && matches!(
                ir.opcode(made),
                Opcode::ArithExtsi | Opcode::ArithExtui | Opcode::ArithTrunci | Opcode::ArithIndexCast
            )
        {
            value = ir.operand(made, 0);
        }
        match ir.def(value) {
            Def::Arg { block, index } if block == body => {
                !matches!(cx.get(tensors[index as usize]), Tensor::View { padded: None, .. })
            }
            Def::Arg { .. } => false,
            Def::Result { op: made, .. } => ir.parent_block(made) == Some(body) && ir.const_int(value).is_none(),
        }
    };
    let divides = |inner: &OpId| ir.opcode(*inner).info().division().is_some();
    ir.ops_of(body).into_iter().filter(divides).any(|inner| is_computed(ir.operand(inner, 1)))
}

/// Whether a body divides integers.
fn divides(ir: &Ir, op: OpId) -> bool {
    ir.ops_of(ir.entry(op)).into_iter().any(|op| ir.opcode(op).info().division().is_some())
}
