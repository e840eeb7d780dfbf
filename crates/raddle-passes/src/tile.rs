//! Tile: give each workgroup its part of the iteration space, and step through the reductions.
//!
//! Before: `%r = linalg.matmul {lowering_config = …} ins(%A, %B) outs(%init)`
//! After:
//!
//! ```mlir
//! %r = scf.forall (%i, %j) = (0, 0) to (512, 512) step (64, 64) shared_outs(%o = %empty) {
//!   %acc = linalg.fill … outs(slice of %o)
//!   %t = scf.for %k = 0 to 128 step 32 iter_args(%a = %acc) { linalg.matmul ins(slices) outs(%a) … }
//!   scf.forall.in_parallel { tensor.parallel_insert_slice %t into %o[%i, %j] … }
//! } {mapping = [#gpu.block<y>, #gpu.block<x>]}
//! ```
//!
//! A `reduction` step keeps one accumulator tile. A `partial_reduction` step keeps an accumulator for every point of
//! the step, so that threads do not talk to one another inside the loop, and combines them behind it.
//!
//! Does not fuse: the function has one operation to tile, and fills of its output.

use raddle_ir::views::{Linalg, Mixed};
use raddle_ir::{
    Attr, AttrId, Builder, Code, DYNAMIC, Diag, Ir, Map, OpId, Opcode, Type, ValueId, ValueMap, keyword_attr,
};

use crate::body;
use crate::config::Config;
use crate::configure;
use crate::generalize::generic;
use crate::table::Facts;

/// The first index and the extent of each loop, in one tile.
#[derive(Clone)]
struct Tile {
    offsets: Vec<Mixed>,
    sizes: Vec<i64>,
}

/// Tiles the function's structured operation by its configuration.
pub fn tile(ir: &mut Ir, func: OpId, facts: &Facts) -> Result<(), Diag> {
    let root = configure::root(ir, func)?;
    let config = Config::read(ir, root)?;
    let linalg = Linalg::of(ir, root);
    let extents = configure::extents(ir, root)?;
    // A program may enter at this stage, with a configuration that nobody has looked at.
    configure::check(ir, root, &extents, &config, facts)?;
    require_form(ir, root, &linalg)?;

    // A fill of the output is tiled with it; what it fills is where the result goes.
    let init = linalg.outputs[0];
    let fill = ir.def_op(init).filter(|&op| ir.opcode(op) == Opcode::Fill);
    let dest = fill.map_or(init, |fill| Linalg::of(ir, fill).outputs[0]);

    let tile_size = |d: usize| match config.workgroup.get(d) {
        None | Some(0) => extents[d],
        Some(&tile) => tile,
    };
    let sizes: Vec<i64> = (0..extents.len()).map(tile_size).collect();
    let shared: Vec<usize> = (0..extents.len()).filter(|&d| sizes[d] < extents[d]).collect();
    let mut tile = Tile { offsets: vec![Mixed::Static(0); extents.len()], sizes };

    let mut builder = Builder::before(ir, root);
    let result = if shared.is_empty() {
        compute(&mut builder, root, &config, &linalg, fill, dest, &tile)
    } else {
        let bounds: Vec<[i64; 2]> = shared.iter().map(|&d| [extents[d], tile.sizes[d]]).collect();
        let (forall, ivs, out) = forall(&mut builder, &bounds, dest);
        for (&d, &iv) in shared.iter().zip(&ivs) {
            tile.offsets[d] = Mixed::Value(iv);
        }
        let block = builder.ir.entry(forall);
        let mut inner = Builder::at_end(builder.ir, block, builder.span);
        let value = compute(&mut inner, root, &config, &linalg, fill, out, &tile);
        let end = inner.op(Opcode::InParallel, &[], &[], &[]);
        let region = inner.ir.add_region(end);
        let block = inner.ir.add_block(region, &[]);
        let map = &linalg.maps[linalg.inputs.len()];
        let offsets = project(map, &tile.offsets);
        Builder::at_end(inner.ir, block, inner.span).parallel_insert_slice(value, out, &offsets);
        builder.ir.result(forall, 0)
    };
    let old = builder.ir.result(root, 0);
    builder.ir.replace_uses(old, result);
    builder.ir.erase(root);
    if let Some(fill) = fill
        && ir.is_unused(init)
    {
        ir.erase(fill);
    }
    Ok(())
}

/// Tiling moves slices along loops, so every operand must be indexed by plain loops.
pub fn require_form(ir: &Ir, op: OpId, linalg: &Linalg) -> Result<(), Diag> {
    if linalg.outputs.len() != 1 {
        return Err(Diag::error(
            Code::CannotConfigure,
            ir.span(op),
            "an operation with several outputs cannot be tiled yet",
        )
        .help("split it into one operation for each output"));
    }
    let empty = ir.def_op(linalg.outputs[0]).filter(|&def| ir.opcode(def) == Opcode::Empty);
    let acc = ir.args(ir.entry(op)).last().copied();
    if let (Some(empty), Some(acc)) = (empty, acc)
        && !ir.is_unused(acc)
    {
        let message = format!("`{}` combines into a tensor that has no contents", ir.name(op));
        return Err(Diag::error(Code::CannotConfigure, ir.span(op), message)
            .related(ir.span(empty), "the tensor comes from here")
            .help("fill it first: `%0 = linalg.fill ins(%zero : …) outs(%empty : …) -> …`"));
    }
    let plain =
        |map: &Map| map.as_dims().is_some_and(|dims| dims.iter().enumerate().all(|(i, d)| !dims[..i].contains(d)));
    let operands = linalg.inputs.iter().chain(&linalg.outputs);
    for (&operand, map) in operands.zip(&linalg.maps) {
        let shaped = matches!(ir.ty(operand), Type::Tensor { .. });
        if shaped && !plain(map) {
            let message = format!("the indexing map `affine_map<{map}>` is not a list of distinct loops");
            return Err(Diag::error(Code::CannotConfigure, ir.span(op), message)
                .note("slices of such an operand are not rectangles of it"));
        }
    }
    if linalg.reduction.contains(&true) && body::reduction(ir, op).is_none() {
        return Err(Diag::error(
            Code::CannotConfigure,
            ir.span(op),
            "the body of this reduction does not combine into its output",
        )
        .help("end it with `%s = arith.addf %value, %out` (or another combining operation) and yield `%s`"));
    }
    Ok(())
}

/// The entries of a per-loop list that a map's results name.
fn project<T: Copy>(map: &Map, list: &[T]) -> Vec<T> {
    map.as_dims().expect("checked by `require_form`").iter().map(|&d| list[d]).collect()
}

/// An empty `scf.forall` over `[extent, step]` loops that fills `dest`; returns it, its indices and its output.
fn forall(builder: &mut Builder<'_>, bounds: &[[i64; 2]], dest: ValueId) -> (OpId, Vec<ValueId>, ValueId) {
    let n = bounds.len();
    let numbers = |pick: usize| bounds.iter().map(|bound| bound[pick]).collect::<Vec<i64>>();
    let mapping: Vec<AttrId> = (0..n)
        .map(|d| {
            // The last loop is the fastest one; beyond three, all share one linear number.
            let name = if n <= 3 { ["x", "y", "z"][n - 1 - d].to_owned() } else { format!("linear_dim_{}", n - 1 - d) };
            keyword_attr(builder.ir, "gpu.block", &name)
        })
        .collect();
    let ty = builder.ir.type_of(dest);
    let attrs = [
        ("staticLowerBound", builder.ir.dense_i64(&vec![0; n])),
        ("staticUpperBound", builder.ir.dense_i64(&numbers(0))),
        ("staticStep", builder.ir.dense_i64(&numbers(1))),
        ("mapping", builder.ir.intern(Attr::Array(mapping))),
        ("operandSegmentSizes", builder.ir.segment_sizes(&[0, 0, 0, 1])),
    ];
    let op = builder.op(Opcode::Forall, &[dest], &[ty], &attrs);
    let region = builder.ir.add_region(op);
    let index = builder.ir.index_type();
    let mut types = vec![index; n];
    types.push(ty);
    let block = builder.ir.add_block(region, &types);
    let args = builder.ir.args(block).to_vec();
    (op, args[..n].to_vec(), args[n])
}

/// The part of `value` that `tile` touches; the value itself where that is all of it.
fn slice(builder: &mut Builder<'_>, value: ValueId, map: &Map, tile: &Tile) -> ValueId {
    if !matches!(builder.ir.ty(value), Type::Tensor { .. }) {
        return value;
    }
    let (offsets, sizes) = (project(map, &tile.offsets), project(map, &tile.sizes));
    if builder.ir.shape_of(value) == sizes && !sizes.contains(&DYNAMIC) {
        return value;
    }
    builder.extract_slice(value, &offsets, &sizes)
}

/// Computes one workgroup's tile and returns it.
fn compute(
    builder: &mut Builder<'_>,
    root: OpId,
    config: &Config,
    linalg: &Linalg,
    fill: Option<OpId>,
    dest: ValueId,
    tile: &Tile,
) -> ValueId {
    let out_map = &linalg.maps[linalg.inputs.len()];
    let mut acc = slice(builder, dest, out_map, tile);
    if let Some(fill) = fill {
        let scalar = Linalg::of(builder.ir, fill).inputs[0];
        acc = structured(builder, fill, &[scalar], acc);
    }
    let steps = |list: &[i64]| -> Vec<usize> {
        (0..tile.sizes.len()).filter(|&d| list.get(d).is_some_and(|&step| step != 0 && step < tile.sizes[d])).collect()
    };
    let partial = steps(&config.partial_reduction);
    if !partial.is_empty() {
        return partial_reduction(builder, root, config, linalg, acc, tile, &partial);
    }
    let loops = steps(&config.reduction);
    step(builder, &config.reduction, &loops, tile, acc, &mut |builder, tile, acc| {
        let inputs = slices(builder, linalg, tile);
        structured(builder, root, &inputs, acc)
    })
}

fn slices(builder: &mut Builder<'_>, linalg: &Linalg, tile: &Tile) -> Vec<ValueId> {
    linalg.inputs.iter().zip(&linalg.maps).map(|(&input, map)| slice(builder, input, map, tile)).collect()
}

/// Nested `scf.for` over the loops `dims` by the given steps, carrying `acc`.
fn step(
    builder: &mut Builder<'_>,
    steps: &[i64],
    dims: &[usize],
    tile: &Tile,
    acc: ValueId,
    body: &mut dyn FnMut(&mut Builder<'_>, &Tile, ValueId) -> ValueId,
) -> ValueId {
    let [d, rest @ ..] = dims else { return body(builder, tile, acc) };
    let (lower, upper, by) = (builder.index(0), builder.index(tile.sizes[*d]), builder.index(steps[*d]));
    let op = builder.for_loop(lower, upper, by, &[acc], |builder, iv, acc| {
        let mut tile = tile.clone();
        tile.offsets[*d] = Mixed::Value(iv);
        tile.sizes[*d] = steps[*d];
        vec![step(builder, steps, rest, &tile, acc[0], body)]
    });
    builder.ir.result(op, 0)
}

/// Accumulates every point of a step by itself, then combines the points into `acc`.
fn partial_reduction(
    builder: &mut Builder<'_>,
    root: OpId,
    config: &Config,
    linalg: &Linalg,
    acc: ValueId,
    tile: &Tile,
    dims: &[usize],
) -> ValueId {
    let reduction = body::reduction(builder.ir, root).expect("checked by `require_form`");
    let elem = builder.ir.elem_of(acc);
    let mut shape = tile.sizes.clone();
    for &d in dims {
        shape[d] = config.partial_reduction[d];
    }
    let width = match builder.ir[elem] {
        Type::Integer { width, .. } => width,
        _ => 64,
    };
    let neutral = builder.splat(reduction.combiner.neutral(width), elem);
    let ty = builder.ir.tensor_type(&shape, elem);
    let empty = builder.value(Opcode::Empty, &[], ty, &[]);
    let start = fill(builder, neutral, empty);

    let rank = shape.len();
    let parallel = vec![false; rank];
    let partial = step(builder, &config.partial_reduction, dims, tile, start, &mut |builder, tile, acc| {
        let inputs = slices(builder, linalg, tile);
        let maps = [&linalg.maps[..inputs.len()], &[Map::identity(rank)]].concat();
        let op = generic(builder, &Linalg { inputs, outputs: vec![acc], maps, reduction: parallel.clone() }, &[]);
        builder.copy_regions(root, op, &mut ValueMap::default());
        config.write(builder.ir, op);
        builder.ir.result(op, 0)
    });

    let maps = vec![Map::identity(rank), linalg.maps[linalg.inputs.len()].clone()];
    let combine = Linalg { inputs: vec![partial], outputs: vec![acc], maps, reduction: linalg.reduction.clone() };
    let op = generic(builder, &combine, &[]);
    let region = builder.ir.add_region(op);
    let block = builder.ir.add_block(region, &[elem, elem]);
    let args = builder.ir.args(block).to_vec();
    let mut body = Builder::at_end(builder.ir, block, builder.span);
    let combined = body.binary(reduction.combiner.opcode, args[0], args[1]);
    body.op(Opcode::LinalgYield, &[combined], &[], &[]);
    config.write(builder.ir, op);
    builder.ir.result(op, 0)
}

/// The same structured operation on other operands.
fn structured(builder: &mut Builder<'_>, op: OpId, inputs: &[ValueId], output: ValueId) -> ValueId {
    let copy = builder.copy(op, &mut ValueMap::default());
    builder.ir.set_operands(copy, &[inputs, &[output]].concat());
    let (result, ty) = (builder.ir.result(copy, 0), builder.ir.type_of(output));
    builder.ir.set_type(result, ty);
    result
}

/// `linalg.fill ins(scalar) outs(output)`
fn fill(builder: &mut Builder<'_>, scalar: ValueId, output: ValueId) -> ValueId {
    let segments = builder.ir.segment_sizes(&[1, 1]);
    let ty = builder.ir.type_of(output);
    let op = builder.op(Opcode::Fill, &[scalar, output], &[ty], &[("operandSegmentSizes", segments)]);
    let region = builder.ir.add_region(op);
    let elem = builder.ir.type_of(scalar);
    let block = builder.ir.add_block(region, &[elem, elem]);
    let value = builder.ir.args(block)[0];
    Builder::at_end(builder.ir, block, builder.span).op(Opcode::LinalgYield, &[value], &[], &[]);
    builder.ir.result(op, 0)
}
