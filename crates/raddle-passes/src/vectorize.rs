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
//! Does not mask: tiles divide their loops, which `configure` has checked.

use raddle_ir::views::{Forall, Linalg, Mixed, SliceView, minor_identity};
use raddle_ir::{Attr, BlockId, Builder, Code, Diag, Expr, Ir, Map, OpId, Opcode, Type, TypeId, ValueId, ValueMap};
use raddle_layout::Nested;

use crate::body;
use crate::config::{Config, Launch, row_major};
use crate::configure::{self, roles};
use crate::table::Facts;
use crate::tile;

pub(crate) mod structured;

use structured::{splat, vector_of};

/// Workgroups along x: 31 bits on every chip here.
const GRID_X_MAX: i64 = (1 << 31) - 1;

/// Workgroups along y and z: 16 bits on every chip here.
const GRID_YZ_MAX: i64 = 65535;

/// What a tensor of the tiled program is in the kernel.
#[derive(Clone)]
enum Tensor {
    /// A rectangle of a memref.
    View { base: ValueId, offsets: Vec<Mixed>, shape: Vec<i64> },
    /// A tensor without contents.
    Empty,
    /// A value.
    Vector(ValueId),
}

struct Cx<'a> {
    facts: &'a Facts,
    launch: Launch,
    /// Scalars, indices and vectors of the kernel for values of the tiled program.
    map: ValueMap,
    /// Tensors, by value.
    tensors: Vec<Option<Tensor>>,
    /// The shared outputs of the parallel loop, and the memref that each is in the end.
    outputs: Vec<(ValueId, ValueId)>,
    grid: [i64; 3],
}

/// Rewrites the function into a kernel.
pub fn vectorize(ir: &mut Ir, func: OpId, facts: &Facts) -> Result<(), Diag> {
    let launch = Launch::read(ir, func)?;
    let old = ir.entry(func);
    let (inputs, results) = ir.signature(func);
    let (inputs, results) = (inputs.to_vec(), results.to_vec());
    let mut memrefs = Vec::new();
    for &ty in inputs.iter().chain(&results) {
        memrefs.push(to_memref(ir, func, ty)?);
    }
    let region = ir.block_region(old);
    let new = ir.add_block(region, &memrefs);
    let mut cx = Cx { facts, launch, map: ValueMap::default(), tensors: Vec::new(), outputs: Vec::new(), grid: [1; 3] };
    let args = ir.args(new).to_vec();
    for (&old_arg, &new_arg) in ir.args(old).to_vec().iter().zip(&args) {
        cx.map.set(old_arg, new_arg);
        if let Some(view) = whole(ir, new_arg) {
            cx.set(old_arg, view);
        }
    }
    let dests = &args[inputs.len()..];
    let span = ir.span(func);
    let mut builder = Builder::at_end(ir, new, span);
    let done = body_of(&mut builder, &mut cx, old, dests);
    if let Err(diag) = done {
        ir.remove_block(new);
        return Err(diag);
    }
    ir.remove_block(old);
    ir.set_signature(func, &memrefs, &[]);
    let elem = ir.int_type(32);
    let grid = ir.intern(Attr::DenseArray { elem, values: cx.grid.to_vec() });
    ir.set_attr(func, "gpu.known_grid_size", grid);
    Ok(())
}

impl Cx<'_> {
    fn set(&mut self, value: ValueId, tensor: Tensor) {
        if self.tensors.len() <= value.index() {
            self.tensors.resize(value.index() + 1, None);
        }
        self.tensors[value.index()] = Some(tensor);
    }

    fn get(&self, value: ValueId) -> Tensor {
        let found = self.tensors.get(value.index()).cloned().flatten();
        found.expect("tensors are defined before they are used, and every operation that makes one is handled")
    }

    fn mixed(&self, list: &[Mixed]) -> Vec<Mixed> {
        let new = |m: &Mixed| if let Mixed::Value(value) = m { Mixed::Value(self.map.get(*value)) } else { *m };
        list.iter().map(new).collect()
    }
}

fn to_memref(ir: &mut Ir, func: OpId, ty: TypeId) -> Result<TypeId, Diag> {
    match ir[ty].clone() {
        Type::Tensor { shape, elem, .. } => Ok(ir.memref_type(&shape, elem, None)),
        _ => Err(Diag::error(Code::CannotConfigure, ir.span(func), "a kernel takes and returns tensors only")
            .help("make scalar arguments tensors of rank 0")),
    }
}

/// All of a memref as a view.
fn whole(ir: &Ir, memref: ValueId) -> Option<Tensor> {
    let shape = ir.shape_of(memref).to_vec();
    matches!(ir.ty(memref), Type::MemRef { .. }).then(|| Tensor::View {
        base: memref,
        offsets: vec![Mixed::Static(0); shape.len()],
        shape,
    })
}

/// Rewrites the operations of a block of tensors; `dests` are the memrefs for what the function returns.
fn body_of(builder: &mut Builder<'_>, cx: &mut Cx<'_>, block: BlockId, dests: &[ValueId]) -> Result<(), Diag> {
    for op in builder.ir.ops_of(block) {
        builder.span = builder.ir.span(op);
        match builder.ir.opcode(op) {
            Opcode::ScfForall => forall(builder, cx, op, dests)?,
            Opcode::FuncReturn => {
                for (&value, &dest) in builder.ir.operands(op).to_vec().iter().zip(dests) {
                    give_back(builder, cx, value, dest);
                }
                builder.op(Opcode::FuncReturn, &[], &[], &[]);
            }
            _ => tile_op(builder, cx, op)?,
        }
    }
    Ok(())
}

/// Stores what the function returns, unless the parallel loop has stored it already.
fn give_back(builder: &mut Builder<'_>, cx: &Cx<'_>, value: ValueId, dest: ValueId) {
    if cx.outputs.contains(&(value, dest)) {
        return;
    }
    let ty = builder.ir.type_of(value);
    let vector = read(builder, &cx.get(value), ty);
    let zeros: Vec<Mixed> = vec![Mixed::Static(0); builder.ir.shape_of(dest).len()];
    write(builder, vector, dest, &zeros);
}

/// Workgroup numbers in place of the loop's indices.
fn forall(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId, dests: &[ValueId]) -> Result<(), Diag> {
    let view = Forall::of(builder.ir, op);
    let block = builder.ir.entry(op);
    let args = builder.ir.args(block).to_vec();
    let n = view.upper.len();
    let bound = |m: &Mixed| match m {
        Mixed::Static(value) => Ok(*value),
        Mixed::Value(_) => {
            Err(Diag::error(Code::CannotConfigure, builder.span, "the workgroup loop has a bound that is not constant"))
        }
    };
    let mut counts = Vec::new();
    for d in 0..n {
        let (lower, upper, step) = (bound(&view.lower[d])?, bound(&view.upper[d])?, bound(&view.step[d])?);
        if step <= 0 || upper < lower {
            return Err(Diag::error(Code::CannotConfigure, builder.span, "the workgroup loop does not count upwards"));
        }
        counts.push([lower, step, (upper - lower + step - 1) / step]);
    }
    let is_direct = n <= 3 && counts[..n - 1].iter().all(|count| count[2] <= GRID_YZ_MAX);
    let along_x = if is_direct { &counts[n - 1..] } else { &counts };
    let n_along_x = along_x.iter().try_fold(1i64, |product, count| product.checked_mul(count[2]));
    let Some(n_along_x) = n_along_x.filter(|&count| count <= GRID_X_MAX) else {
        let extents: Vec<String> = counts.iter().map(|count| count[2].to_string()).collect();
        let message = format!("the operation takes {} workgroups, more than a grid has", extents.join(" x "));
        return Err(Diag::error(Code::OverLimit, builder.span, message)
            .help(format!("a grid has at most {GRID_X_MAX} workgroups: tile the workgroup's loops by more")));
    };
    let ids: Vec<ValueId> = if is_direct {
        for (d, count) in counts.iter().enumerate() {
            cx.grid[n - 1 - d] = count[2];
        }
        (0..n).map(|d| builder.gpu_id(Opcode::GpuBlockId, n - 1 - d)).collect()
    } else {
        // One linear number, taken apart.
        let sizes: Vec<i64> = counts.iter().map(|count| count[2]).collect();
        cx.grid[0] = n_along_x;
        let linear = builder.gpu_id(Opcode::GpuBlockId, 0);
        let strides = row_major(&sizes);
        (0..n)
            .map(|d| {
                let digit = Expr::binary(raddle_ir::affine::BinOp::FloorDiv, Expr::Dim(0), Expr::Const(strides[d]));
                let digit = Expr::binary(raddle_ir::affine::BinOp::Mod, digit, Expr::Const(sizes[d]));
                builder.apply(Map { dims: 1, syms: 0, results: vec![digit] }, &[linear])
            })
            .collect()
    };
    for d in 0..n {
        let [lower, step, _] = counts[d];
        let scaled = Expr::binary(raddle_ir::affine::BinOp::Mul, Expr::Dim(0), Expr::Const(step));
        let index = Expr::binary(raddle_ir::affine::BinOp::Add, scaled, Expr::Const(lower));
        let index = builder.apply(Map { dims: 1, syms: 0, results: vec![index] }, &[ids[d]]);
        cx.map.set(args[d], index);
    }
    // Each result of the loop is what the function returns at some position: that memref is the output.
    let mut targets = Vec::new();
    for (i, &init) in view.outputs.iter().enumerate() {
        let result = builder.ir.result(op, i);
        let slot = builder.ir.uses(result).find(|&(user, _)| builder.ir.opcode(user) == Opcode::FuncReturn);
        let Some((_, slot)) = slot else {
            return Err(Diag::error(
                Code::CannotConfigure,
                builder.span,
                "the workgroup loop's result is not returned",
            ));
        };
        cx.set(args[n + i], cx.get(init));
        cx.outputs.push((result, dests[slot]));
        targets.push((args[n + i], dests[slot]));
    }
    for inner in builder.ir.ops_of(block) {
        builder.span = builder.ir.span(inner);
        if builder.ir.opcode(inner) != Opcode::ScfForallInParallel {
            tile_op(builder, cx, inner)?;
            continue;
        }
        for insert in builder.ir.ops_of(builder.ir.entry(inner)) {
            let slice = SliceView::of(builder.ir, insert);
            let value = slice.value.expect("an insert has a value");
            let ty = builder.ir.type_of(value);
            let vector = read(builder, &cx.get(value), ty);
            let target = targets.iter().find(|target| target.0 == slice.base);
            let target = target.expect("the verifier has seen that inserts go into shared outputs").1;
            write(builder, vector, target, &cx.mixed(&slice.offsets));
        }
    }
    Ok(())
}

/// One operation inside a tile.
fn tile_op(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    match builder.ir.opcode(op) {
        Opcode::TensorEmpty => cx.set(builder.ir.result(op, 0), Tensor::Empty),
        Opcode::TensorExtractSlice => extract_slice(builder, cx, op)?,
        Opcode::LinalgFill => {
            let scalar = cx.map.get(Linalg::of(builder.ir, op).inputs[0]);
            let result = builder.ir.result(op, 0);
            let ty = vector_of(builder.ir, builder.ir.type_of(result));
            let vector = splat(builder, scalar, ty);
            cx.set(result, Tensor::Vector(vector));
        }
        Opcode::LinalgMatmul | Opcode::LinalgGeneric => {
            let vector = structured(builder, cx, op)?;
            cx.set(builder.ir.result(op, 0), Tensor::Vector(vector));
        }
        Opcode::ScfFor => loop_of(builder, cx, op)?,
        _ if builder.ir.results(op).all(|value| builder.ir.ty(value).shape().is_none())
            && builder.ir.regions(op).is_empty() =>
        {
            builder.copy(op, &mut cx.map);
        }
        _ => {
            let message = format!("`{}` cannot be vectorized", builder.ir.name(op));
            return Err(Diag::error(Code::CannotConfigure, builder.span, message)
                .note("a tile is made of slices, fills, linalg.matmul, linalg.generic and scf.for"));
        }
    }
    Ok(())
}

fn extract_slice(builder: &Builder<'_>, cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let slice = SliceView::of(builder.ir, op);
    let result = builder.ir.result(op, 0);
    let shape = builder.ir.shape_of(result).to_vec();
    let unit = slice.strides.iter().all(|&stride| stride == Mixed::Static(1));
    if !unit || shape.len() != slice.sizes.len() {
        return Err(Diag::error(
            Code::CannotConfigure,
            builder.span,
            "a slice with steps or dropped dimensions cannot be vectorized",
        ));
    }
    let offsets = cx.mixed(&slice.offsets);
    let tensor = match cx.get(slice.base) {
        Tensor::Empty => Tensor::Empty,
        Tensor::View { base, offsets: outer, .. } => {
            if let Some(Mixed::Value(_)) = outer.iter().find(|&&m| m != Mixed::Static(0)) {
                return Err(Diag::error(
                    Code::CannotConfigure,
                    builder.span,
                    "a slice of a slice cannot be vectorized",
                ));
            }
            Tensor::View { base, offsets, shape }
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

fn loop_of(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let operands = builder.ir.operands(op).to_vec();
    let bounds: Vec<ValueId> = operands[..3].iter().map(|&value| cx.map.get(value)).collect();
    let inits: Vec<ValueId> = operands[3..]
        .iter()
        .map(|&init| {
            let ty = builder.ir.type_of(init);
            read(builder, &cx.get(init), ty)
        })
        .collect();
    let block = builder.ir.entry(op);
    let args = builder.ir.args(block).to_vec();
    let mut failed = None;
    let new = builder.for_loop(bounds[0], bounds[1], bounds[2], &inits, |inner, iv, acc| {
        cx.map.set(args[0], iv);
        for (&arg, &value) in args[1..].iter().zip(acc) {
            cx.set(arg, Tensor::Vector(value));
        }
        let mut yielded = acc.to_vec();
        for op in inner.ir.ops_of(block) {
            inner.span = inner.ir.span(op);
            if inner.ir.opcode(op) == Opcode::ScfYield {
                for (slot, &value) in yielded.iter_mut().zip(&inner.ir.operands(op).to_vec()) {
                    let ty = inner.ir.type_of(value);
                    *slot = read(inner, &cx.get(value), ty);
                }
            } else if let Err(diag) = tile_op(inner, cx, op) {
                failed.get_or_insert(diag);
                break;
            }
        }
        yielded
    });
    for (old, new) in builder.ir.results(op).zip(builder.ir.results(new)) {
        cx.set(old, Tensor::Vector(new));
    }
    failed.map_or(Ok(()), Err)
}

/// The vector that a tensor holds. `ty` is the tensor's type.
fn read(builder: &mut Builder<'_>, tensor: &Tensor, ty: TypeId) -> ValueId {
    let elem = builder.ir[ty].elem().expect("tensors have elements");
    let ty = vector_of(builder.ir, ty);
    match tensor {
        Tensor::Vector(value) => *value,
        // Nothing was ever stored: any value will do, and zero is one.
        Tensor::Empty => builder.splat(0.0, ty),
        Tensor::View { base, offsets, shape } => {
            let indices: Vec<ValueId> = offsets.iter().map(|&offset| offset.materialize(builder)).collect();
            let padding = builder.splat(0.0, elem);
            let rank = shape.len();
            builder.transfer_read(*base, &indices, padding, minor_identity(rank, rank), &vec![true; rank], ty)
        }
    }
}

fn write(builder: &mut Builder<'_>, vector: ValueId, dest: ValueId, offsets: &[Mixed]) {
    let indices: Vec<ValueId> = offsets.iter().map(|&offset| offset.materialize(builder)).collect();
    let rank = indices.len();
    builder.transfer_write(vector, dest, &indices, minor_identity(rank, rank), &vec![true; rank]);
}

/// `iree_vector_ext.to_layout`
fn anchor(builder: &mut Builder<'_>, value: ValueId, layout: Nested) -> ValueId {
    let ty = builder.ir.type_of(value);
    let layout = builder.ir.intern(Attr::Layout(layout));
    builder.value(Opcode::IreeVectorExtToLayout, &[value], ty, &[("layout", layout)])
}

/// A structured operation on tiles, as vector operations.
fn structured(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId) -> Result<ValueId, Diag> {
    let linalg = Linalg::of(builder.ir, op);
    let extents = configure::extents(builder.ir, op)?;
    tile::require_form(builder.ir, op, &linalg)?;
    let config = match builder.ir.attr(op, "lowering_config") {
        Some(_) => {
            let config = Config::read(builder.ir, op)?;
            // A program may enter at this stage, with a configuration that nobody has looked at. The operation is one
            // tile and one step of it.
            let none = Vec::new;
            let (workgroup, reduction, partial_reduction) = (none(), none(), none());
            let tile = Config { workgroup, reduction, partial_reduction, ..config.clone() };
            configure::check(builder.ir, op, &extents, &tile, cx.facts)?;
            Some(config)
        }
        None => None,
    };
    if linalg.reduction.contains(&true) && body::is_contraction(builder.ir, op) {
        return contract(builder, cx, &linalg, &extents, config.as_ref());
    }
    elementwise(builder, cx, op, &linalg, &extents, config.as_ref())
}

/// The layouts of lhs, rhs and result: those of the matrix instruction, or the iteration layout seen by each operand.
fn contract_layouts(linalg: &Linalg, extents: &[i64], config: &Config) -> [Nested; 3] {
    let Some(mma) = config.mma else {
        let iteration = config.layout(extents);
        return [0, 1, 2].map(|i| apply(&iteration, &linalg.maps[i]));
    };
    let roles = roles(&linalg.maps).expect("`configure` has checked the roles of the loops");
    let strides = config.subgroup_strides(&config.subgroup);
    // The loops along the rows and columns of A, B and C.
    let loops = [[roles.m, roles.k], [roles.k, roles.n], [roles.m, roles.n]];
    [0, 1, 2].map(|i| {
        let fragment = &mma.fragments[i];
        let shape = fragment.shape();
        let subgroup = loops[i].map(|d| config.subgroup[d]);
        let batch = [0, 1].map(|j| extents[loops[i][j]] / (shape[j] * subgroup[j]));
        let layout = fragment.nested(batch, subgroup, loops[i].map(|d| strides[d]));
        // The operand may lie transposed.
        let dims = linalg.maps[i].as_dims().expect("`configure` has checked the maps");
        if dims == loops[i] { layout } else { layout.permute(&[1, 0]) }
    })
}

/// The layout of a value whose dimension `i` is the loop that result `i` of `map` names.
fn apply(iteration: &Nested, map: &Map) -> Nested {
    iteration.permute(&map.as_dims().expect("`tile` has checked the maps"))
}

fn contract(
    builder: &mut Builder<'_>,
    cx: &Cx<'_>,
    linalg: &Linalg,
    extents: &[i64],
    config: Option<&Config>,
) -> Result<ValueId, Diag> {
    let operands = [linalg.inputs[0], linalg.inputs[1], linalg.outputs[0]];
    let mut values = operands.map(|operand| {
        let ty = builder.ir.type_of(operand);
        read(builder, &cx.get(operand), ty)
    });
    let layouts = config.map(|config| contract_layouts(linalg, extents, config));
    if let (Some(layouts), Some(config)) = (&layouts, config) {
        // Promoted operands are read in a layout that suits memory, and converted together: one barrier serves all.
        for &input in &config.promote {
            if let Some(layout) = copy_layout(builder.ir, values[input], cx.launch.workgroup_size) {
                values[input] = anchor(builder, values[input], layout);
            }
        }
        for (value, layout) in values.iter_mut().zip(layouts) {
            *value = anchor(builder, *value, layout.clone());
        }
    }
    let mma = config.and_then(|config| config.mma);
    let mma = mma.map(|mma| ("iree.gpu.mma", builder.keyword_attr("iree_gpu.mma_layout", mma.name)));
    let result = structured::contraction(builder, linalg, values, mma);
    Ok(match layouts {
        Some([_, _, layout]) => anchor(builder, result, layout),
        None => result,
    })
}

/// The layout in which a workgroup copies a tile: every thread takes up to 128 bits at a time, neighbours next to one
/// another along the last dimension. `None` when the threads do not fit the tile.
fn copy_layout(ir: &Ir, value: ValueId, threads: i64) -> Option<Nested> {
    let shape = ir.shape_of(value).to_vec();
    let rank = shape.len();
    let bits = i64::from(raddle_ir::Scalar::of(&ir[ir.elem_of(value)])?.bits()).max(8);
    let mut wide = 128 / bits;
    while wide > 1 && shape.last()? % wide != 0 {
        wide /= 2;
    }
    // Narrower accesses may fit where the widest leave threads without work.
    while wide >= 1 {
        let mut element = vec![1; rank];
        element[rank - 1] = wide;
        if let Ok(layout) = Nested::coalesced(threads, &shape, &element) {
            return Some(layout);
        }
        wide /= 2;
    }
    None
}

fn elementwise(
    builder: &mut Builder<'_>,
    cx: &mut Cx<'_>,
    op: OpId,
    linalg: &Linalg,
    extents: &[i64],
    config: Option<&Config>,
) -> Result<ValueId, Diag> {
    let iteration = config.map(|config| config.layout(extents));
    let whole = structured::Structured { op, linalg, extents, mask: None, counts_from_zero: false };
    let outer = |value: ValueId| cx.map.get(value);
    let mut given = |builder: &mut Builder<'_>, i: usize, is_acc: bool| {
        let operand = linalg.inputs.iter().chain(&linalg.outputs).nth(i).copied().expect("one operand for each map");
        let ty = builder.ir.type_of(operand);
        let value = read(builder, &cx.get(operand), ty);
        match &iteration {
            Some(iteration) if !is_acc => anchor(builder, value, apply(iteration, &linalg.maps[i])),
            _ => value,
        }
    };
    let results = structured::compute(builder, &whole, &outer, &mut given)?;
    Ok(results[0])
}
