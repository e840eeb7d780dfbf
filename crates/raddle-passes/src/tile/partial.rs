//! Partial reductions: each point of a step has an accumulator of its own, and these are combined behind the loops.
//!
//! Before: `%r = linalg.generic` that sums rows of `tensor<?x?xf32>` into `%o`
//! After, for steps of 8:
//!
//! ```mlir
//! %zeros = linalg.fill ins(%c0) outs(tensor<?x8xf32>)
//! %p = scf.for %k = … step %c8 iter_args(%a = %zeros) { … linalg.generic adds the columns of a step, each to its own … }
//! %r = linalg.reduce ins(%p) outs(%o) dimensions = [1] { arith.addf }
//! ```

use raddle_ir::views::{Linalg, Mixed, unmixed};
use raddle_ir::{AttrId, Builder, Code, Diag, Ir, Map, OpId, Opcode, ValueId, ValueMap};

use super::fuse::{self, Fusion, Rules};
use super::nest::{Loops, Nest};
use super::part::{Tile, extents, is_whole, reached};
use crate::config::without_entries;
use crate::structured::body::{self, Reduction};
use crate::structured::generalize::generic;
use crate::structured::{combiner, fill};

/// Which loops have an accumulator for each point of their step.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kept {
    /// Those of the tiled ones that reduce.
    Tiled,
    /// All that reduce. Accumulators lie in the order of the loops, along all of them, and what combines them has these
    /// loops and the configuration of the operation, too.
    All,
    /// This one, whose products subgroups have one each of; along others, matrix instructions sum.
    Products(usize),
}

/// Tiles the loops of a structured operation that `sizes` says, with accumulators as `kept` says.
pub(crate) fn tile(ir: &mut Ir, root: OpId, sizes: &[i64], kept: Kept, rules: &Rules<'_>) -> Result<(), Diag> {
    let configured = kept == Kept::All;
    let refuse = |ir: &Ir, why: &str| Diag::error(Code::CannotTile, ir.span(root), why.to_owned());
    let Some(linalg) = Linalg::try_of(ir, root) else {
        return Err(refuse(ir, "only structured operations keep partial results"));
    };
    let space = fuse::space(ir, root, sizes, false)?;
    let n_inputs = linalg.inputs.len();
    let reductions: Option<Vec<Reduction>> =
        (0..linalg.outputs.len()).map(|i| body::reduction_of(ir, root, i)).collect();
    let reductions = reductions.ok_or_else(|| refuse(ir, "an output is not combined by one operation"))?;
    let out_dims: Option<Vec<Vec<usize>>> = linalg.maps[n_inputs..].iter().map(Map::as_dims).collect();
    let out_dims = out_dims.ok_or_else(|| refuse(ir, "an output is not reached along loops alone"))?;
    let tiled: Vec<usize> = (0..sizes.len()).filter(|&d| sizes[d] != 0).collect();
    if tiled.is_empty() {
        return Ok(());
    }
    let n_loops = linalg.reduction.len();
    let split: Vec<usize> = match kept {
        Kept::Tiled => tiled.iter().copied().filter(|&d| linalg.reduction[d]).collect(),
        Kept::All => (0..n_loops).filter(|&d| linalg.reduction[d]).collect(),
        Kept::Products(d) => vec![d],
    };
    // The loops along which the accumulators of each output lie.
    let lie: Vec<Vec<usize>> = if configured {
        vec![(0..n_loops).collect(); out_dims.len()]
    } else {
        out_dims.iter().map(|dims| [&dims[..], &split].concat()).collect()
    };

    let mut builder = Builder::before(ir, root);
    let ends = extents(&mut builder, root, &space);
    let point = |d: usize| if split.contains(&d) && sizes[d] != 0 { Mixed::Static(sizes[d]) } else { ends[d] };
    let mut starts = Vec::new();
    for (&output, (dims, reduction)) in linalg.outputs.iter().zip(lie.iter().zip(&reductions)) {
        let shape: Vec<Mixed> = dims.iter().map(|&d| point(d)).collect();
        let elem = builder.ir.elem_of(output);
        let scalar = reduction.combiner.neutral(&mut builder, elem);
        let (numbers, values) = unmixed(&shape);
        let ty = builder.ir.tensor_type(&numbers, elem);
        let empty = builder.value(Opcode::TensorEmpty, &values, ty, &[]);
        starts.push(fill(&mut builder, scalar, empty));
    }

    let bounds = tiled.iter().map(|&d| (ends[d], sizes[d])).collect();
    let mut nest = Nest::open(ir, root, bounds);
    let tile = fuse::tile_of(ir, &nest, &ends, &tiled);
    let args: Vec<ValueId> = starts.into_iter().map(|start| nest.fill(ir, start)).collect();
    let mut builder = nest.builder(ir);
    let (mut slices, mut inputs) = (Vec::new(), Vec::new());
    for (i, &input) in linalg.inputs.iter().enumerate() {
        let place = reached(&mut builder, &space, i, input, &tile);
        if !builder.ir.ty(input).is_tensor() || is_whole(builder.ir, input, &place) {
            inputs.push(input);
            continue;
        }
        slices.push(builder.extract_slice(input, &place.offsets, &place.sizes));
        inputs.push(slices[slices.len() - 1]);
    }
    let mut places = Vec::new();
    let mut outputs = Vec::new();
    let mut maps = linalg.maps[..n_inputs].to_vec();
    for (dims, &arg) in lie.iter().zip(&args) {
        // The accumulators of a step are the same in each step.
        let first = |&d: &usize| if split.contains(&d) { Mixed::Static(0) } else { tile.offsets[d] };
        let offsets = dims.iter().map(first).collect();
        let place = Tile { offsets, sizes: dims.iter().map(|&d| tile.sizes[d]).collect() };
        let whole = is_whole(builder.ir, arg, &place);
        outputs.push(if whole { arg } else { builder.extract_slice(arg, &place.offsets, &place.sizes) });
        maps.push(Map::of_dims(n_loops, dims));
        places.push(place);
    }
    let reduction = linalg.reduction.iter().enumerate().map(|(d, &reduces)| reduces && !split.contains(&d)).collect();
    let attrs: Vec<(&str, AttrId)> =
        builder.ir.attr_id(root, "lowering_config").map(|config| ("lowering_config", config)).into_iter().collect();
    let op = generic(&mut builder, &Linalg { inputs, outputs, maps, reduction }, &attrs);
    builder.copy_regions(root, op, &mut ValueMap::default());
    super::part::count_on(&mut builder, op, &tile);
    let results: Vec<ValueId> = ir.results(op).collect();
    for ((&arg, result), place) in args.iter().zip(results).zip(places) {
        nest.put(arg, result, place, None);
    }
    let mut fusion = Fusion { nest, root, tile: fuse::steps(&tile, &tiled), rules };
    fusion.producers(ir, slices.into());
    let (_, partial) = fusion.nest.close(ir, &Loops::For);
    let mut builder = Builder::before(ir, root);
    for (i, &partial) in partial.iter().enumerate() {
        let (output, old) = (linalg.outputs[i], builder.ir.result(root, i));
        let config = builder.ir.attr_id(root, "lowering_config").filter(|_| configured);
        let op = match config {
            // Nothing was split: what the loops gave is combined with what was there, point by point.
            None if split.is_empty() => {
                let rank = out_dims[i].len();
                let maps = vec![Map::identity(rank); 2];
                let whole = Linalg { inputs: vec![partial], outputs: vec![output], maps, reduction: vec![false; rank] };
                generic(&mut builder, &whole, &[])
            }
            None if matches!(kept, Kept::Products(_)) => {
                // What threads do with a sum is a `linalg.generic`, as elsewhere in a kernel.
                let (rank, own) = (lie[i].len(), (0..out_dims[i].len()).collect::<Vec<_>>());
                let maps = vec![Map::identity(rank), Map::of_dims(rank, &own)];
                let reduction = (0..rank).map(|d| !own.contains(&d)).collect();
                generic(&mut builder, &Linalg { inputs: vec![partial], outputs: vec![output], maps, reduction }, &[])
            }
            None => {
                let ty = builder.ir.type_of(output);
                let gone: Vec<i64> = (out_dims[i].len()..lie[i].len()).map(|d| d as i64).collect();
                let dimensions = builder.ir.dense_i64(&gone);
                builder.op(Opcode::LinalgReduce, &[partial, output], &[ty], &[("dimensions", dimensions)])
            }
            Some(config) => {
                let maps = vec![Map::identity(n_loops), linalg.maps[n_inputs + i].clone()];
                let reduction = linalg.reduction.clone();
                let whole = Linalg { inputs: vec![partial], outputs: vec![output], maps, reduction };
                let op = generic(&mut builder, &whole, &[]);
                // What was promoted has been read.
                let config = without_entries(builder.ir, config, &["promote_operands", "promotion_types"]);
                builder.ir.set_attr(op, "lowering_config", config);
                op
            }
        };
        combiner(&mut builder, op, reductions[i].combiner);
        let new = builder.ir.result(op, 0);
        builder.ir.replace_uses(old, new);
    }
    ir.erase(root);
    Ok(())
}
