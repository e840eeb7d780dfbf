//! What named `linalg` operations ask of their maps, shapes and bodies, beyond what holds for all operations with loops
//! (`structured.rs`); `linalg.pack` and its family, which have no body, too. Messages have MLIR's words.

use super::iree::{alike, projected};
use super::parts::Parts;
use super::wording::{ensure, quoted};
use super::{Check, types_of};
use crate::affine::Map;
use crate::attrs::Attr;
use crate::ids::{OpId, TypeId, ValueId};
use crate::ir::Ir;
use crate::ops::Opcode;
use crate::text::{meant_maps, n_windows, print_type};
use crate::types::{DYNAMIC, Type};
use crate::views::Linalg;

/// The rules of an operation with a body, whose operands are as many as they should be.
pub(super) fn check(ir: &Ir, op: OpId, inputs: &[ValueId], outputs: &[ValueId]) -> Check {
    match ir.opcode(op) {
        Opcode::LinalgGeneric => Ok(()),
        Opcode::LinalgFill => fill(ir, op, inputs[0], outputs[0]),
        Opcode::LinalgMatmul | Opcode::LinalgBatchMatmul | Opcode::LinalgBatchReduceMatmul => product(ir, op),
        Opcode::LinalgContract => contract(ir, op),
        Opcode::LinalgTranspose => transpose(ir, op),
        Opcode::LinalgBroadcast => broadcast(ir, op),
        Opcode::LinalgReduce => reduce(ir, op, inputs, outputs),
        Opcode::LinalgMap => map(ir, op, inputs, outputs[0]),
        _ => windows(ir, op),
    }
}

fn fill(ir: &Ir, op: OpId, value: ValueId, output: ValueId) -> Check {
    let (value, elem) = (ir.type_of(value), Linalg::elem(ir, output));
    let scalar = !matches!(ir[value], Type::Tensor { .. } | Type::MemRef { .. });
    ensure(ir, op, scalar, || "expected op with scalar input".to_owned())?;
    ensure(ir, op, value == elem, || {
        let (value, elem) = (quoted(ir, value), quoted(ir, elem));
        format!("expected fill value type ({value}) to match output element type ({elem})")
    })
}

/// Operands of a product may lack dimensions, and are then repeated along these.
fn product(ir: &Ir, op: OpId) -> Check {
    let (Some(found), Some(meant)) = (ir.maps(op, "indexing_maps"), meant_maps(ir.opcode(op))) else { return Ok(()) };
    if found == meant {
        return Ok(());
    }
    let ensure = |holds: bool, message: &str| ensure(ir, op, holds, || message.to_owned());
    ensure(found.len() == meant.len(), "Indexing_map attribute must have 3 affine maps.")?;
    let is_part = |map: &Map, of: &Map| map.results.iter().all(|expr| of.results.contains(expr));
    let dims = |map: &Map| map.as_dims().unwrap_or_default();
    if ir.opcode(op) == Opcode::LinalgMatmul {
        for (map, meant) in found.iter().zip(&meant).take(2) {
            ensure(is_part(map, meant), "Unexpected dim expression in map result.")?;
            let whole = map.results.len() >= meant.results.len();
            ensure(whole || dims(map) == [2], "Invalid broadcast requested, should be (d2).")?;
        }
        return Ok(());
    }
    for (i, (map, meant)) in found.iter().zip(&meant).take(2).enumerate() {
        ensure(is_part(map, meant), "Unexpected result dim expression (outside the set of default result dims).")?;
        ensure(map.results.len() <= 3, "no. of result dim expressions exceeds 3.")?;
        // Loops are batch, m, n, k.
        let dims = dims(map);
        if dims.len() == 3 {
            ensure(dims[0] == 0, "Invalid batch dimension expression.")?;
        } else {
            let second: [[usize; 2]; 2] = if i == 0 { [[0, 3], [1, 3]] } else { [[0, 3], [3, 2]] };
            let valid = dims == [3] || second.iter().any(|pair| dims == pair);
            ensure(valid, "Invalid broadcast requested.")?;
        }
    }
    let (expected, result) = (&meant[2], &found[2]);
    let n = expected.results.len();
    self::ensure(ir, op, result.results.len() == n, || {
        format!("expects {n} dims, but got ({}).", result.results.len())
    })?;
    ensure(result.results == expected.results, "Invalid output map result dimension.")
}

/// Each loop of a contraction is summed over both inputs, or runs along the result.
fn contract(ir: &Ir, op: OpId) -> Check {
    let maps = ir.maps(op, "indexing_maps").unwrap_or_default();
    let ensure = |holds: bool, message: &str| ensure(ir, op, holds, || message.to_owned());
    let n = maps.first().map_or(0, |map| map.dims as usize);
    let (mut read, mut written) = (vec![0; n], vec![0; n]);
    for (i, (map, &operand)) in maps.iter().zip(ir.operands(op)).enumerate() {
        let dims = projected(map);
        ensure(dims.is_some(), "provided affine_map is not a projected permutation")?;
        let dims = dims.unwrap_or_default();
        match ir.ty(operand).shape() {
            Some(shape) => ensure(
                shape.len() == dims.len(),
                "ranks of shaped operand and results of corresponding affine_map differ",
            )?,
            None => {
                ensure(dims.is_empty(), "affine_map specifies shaped access while operand has non-shaped type")?;
            }
        }
        ensure(map.dims as usize == n, "iteration spaces of provided affine_maps differ")?;
        let count = if i < 2 { &mut read } else { &mut written };
        dims.into_iter().for_each(|d| count[d] += 1);
    }
    for (d, pair) in read.iter().zip(&written).enumerate() {
        self::ensure(ir, op, pair != (&0, &0), || {
            format!("iteration space dim at index {d} not used to access any operand")
        })?;
        self::ensure(ir, op, *pair.0 != 1 || *pair.1 == 1, || {
            format!("iteration space dim at index {d} is neither a contracting dim nor of parallel iteration type")
        })?;
    }
    let contracts = read.iter().zip(&written).any(|pair| pair == (&2, &0));
    ensure(contracts, "'indexing_maps' do not specify a contracting dimension")
}

/// Strides and dilations have a number for each dimension of the window.
fn windows(ir: &Ir, op: OpId) -> Check {
    let n = n_windows(ir.opcode(op));
    for name in ["strides", "dilations"] {
        let Some(attr) = ir.attr(op, name) else { continue };
        let fits = matches!(attr, Attr::Dense { ty, .. }
            if ir[*ty].shape() == Some(&[n as i64]) && ir[*ty].elem().is_some_and(|elem| is_i64(ir, elem)));
        ensure(ir, op, fits || n == 0, || {
            format!(
                "attribute '{name}' failed to satisfy constraint: 64-bit signless int elements attribute of shape [{n}]"
            )
        })?;
    }
    Ok(())
}

fn is_i64(ir: &Ir, ty: TypeId) -> bool {
    matches!(ir[ty], Type::Integer { width: 64, .. })
}

fn transpose(ir: &Ir, op: OpId) -> Check {
    let at = Parts::of(ir, op);
    let permutation = at.ints("permutation");
    at.ensure(is_permutation(&permutation), "permutation is not valid")?;
    let (input, init) = (at.shape("input"), at.shape("init"));
    let (rank, of_init) = (input.len(), init.len());
    at.ensure_with(rank == of_init, || format!("input rank {rank} does not match init rank {of_init}"))?;
    let n = permutation.len();
    at.ensure_with(rank == n, || format!("size of permutation {n} does not match the argument rank {rank}"))?;
    for (d, (&from, &extent)) in permutation.iter().zip(init).enumerate() {
        let source = input[from as usize];
        at.ensure_with(source == extent, || {
            format!("dim(result, {d}) = {extent} doesn't match dim(input, permutation[{d}]) = {source}")
        })?;
    }
    Ok(())
}

/// Whether numbers are 0, 1, … in some order.
pub(super) fn is_permutation(numbers: &[i64]) -> bool {
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable();
    sorted.into_iter().eq(0..numbers.len() as i64)
}

fn broadcast(ir: &Ir, op: OpId) -> Check {
    let at = Parts::of(ir, op);
    let added = at.ints("dimensions");
    let (input, init) = (at.shape("input"), at.shape("init"));
    at.ensure_with(input.len() + added.len() == init.len(), || {
        format!(
            "input rank plus added dimensions does not match init rank. input rank: {}, dimensions size: {}, init rank: {}",
            input.len(),
            added.len(),
            init.len()
        )
    })?;
    let last = init.len() as i64 - 1;
    for (i, &dim) in added.iter().enumerate() {
        at.ensure_with((0..=last).contains(&dim), || {
            format!("dimension {i} is out of range. expected range: [0, {last}], got: {dim}")
        })?;
    }
    let kept = (0..init.len()).filter(|&d| !added.contains(&(d as i64)));
    for ((i, &extent), d) in input.iter().enumerate().zip(kept) {
        at.ensure_with(extent == init[d], || {
            format!("input dim {i} should match init dim {d}. input: {extent}, init: {}", init[d])
        })?;
    }
    Ok(())
}

fn reduce(ir: &Ir, op: OpId, inputs: &[ValueId], inits: &[ValueId]) -> Check {
    for (what, values) in [("input", inputs), ("output", inits)] {
        let odd = values.iter().position(|&value| ir.shape_of(value) != ir.shape_of(values[0]));
        ensure(ir, op, odd.is_none(), || {
            let i = odd.unwrap_or(0);
            format!(
                "expects all {what}s to have the same shapes. Shape at {what}-index {i} is not equal to the shape at {what}-index 0."
            )
        })?;
    }
    let at = Parts::of(ir, op);
    let gone = at.ints("dimensions");
    at.ensure(
        gone.is_sorted_by(|a, b| a < b),
        "attribute 'dimensions' failed to satisfy constraint: i64 dense array attribute should be in increasing order",
    )?;
    let (shape, init) = (ir.shape_of(inputs[0]), ir.shape_of(inits[0]));
    let last = shape.len() as i64 - 1;
    at.ensure_with(gone.iter().all(|dim| (0..=last).contains(dim)), || {
        format!("dimensions for reduction should be in the range [0, {last}].")
    })?;
    let kept = (0..shape.len()).filter(|&d| !gone.contains(&(d as i64)));
    let kept: Vec<i64> = kept.map(|d| shape[d]).collect();
    at.ensure_with(kept.len() == init.len(), || {
        let (n, rank) = (kept.len(), init.len());
        format!("number of dimensions after reduction {n} doesn't match the init rank {rank}")
    })?;
    at.ensure_with(kept == init, || {
        format!("init dimensions {init:?} doesn't match input dimensions after reduction {kept:?}")
    })?;
    let args = at.args();
    at.ensure(args.len() == ir.operands(op).len(), "mismatching number of operands and block arguments")?;
    for (i, (&operand, &arg)) in ir.operands(op).iter().zip(&args).enumerate() {
        let what = if i < inputs.len() { "input" } else { "output" };
        at.ensure_with(ir.elem_of(operand) == arg, || {
            let (elem, arg) = (quoted(ir, ir.elem_of(operand)), quoted(ir, arg));
            format!("{what} element type {elem} does not match corresponding block argument type {arg}")
        })?;
    }
    Ok(())
}

fn map(ir: &Ir, op: OpId, inputs: &[ValueId], init: ValueId) -> Check {
    let at = Parts::of(ir, op);
    let args = at.args();
    at.ensure_with(args.len() == inputs.len() + 1, || {
        let (n, arity) = (inputs.len() + 1, args.len());
        format!("expects number of operands to match the arity of mapper, but got: {n} and {arity}")
    })?;
    for (&input, &arg) in inputs.iter().zip(&args) {
        at.ensure_with(ir.elem_of(input) == arg, || {
            let (elem, arg) = (quoted(ir, ir.elem_of(input)), quoted(ir, arg));
            format!("expected element type of input {elem} to match bbArg type {arg}")
        })?;
        let (shape, output) = (ir.shape_of(input), ir.shape_of(init));
        at.ensure_with(shape == output, || {
            let text = |shape: &[i64]| shape.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
            format!("expected shape of input ({}) to match shape of output ({})", text(shape), text(output))
        })?;
    }
    Ok(())
}

/// `linalg.softmax`
pub(super) fn softmax(ir: &Ir, op: OpId) -> Check {
    let at = Parts::of(ir, op);
    at.ensure(alike(at.shape("input"), at.shape("output")), "incompatible output shape")?;
    at.ensure(at.dimension("input").is_some(), "incorrect dimension specified")
}

/// `linalg.pack` and `linalg.unpack`: dimensions of one side are cut into tiles, which stand last on the other.
pub(super) fn pack(ir: &Ir, op: OpId) -> Check {
    let at = Parts::of(ir, op);
    let packs = ir.opcode(op) == Opcode::LinalgPack;
    let (plain, packed) = if packs { ("source", "dest") } else { ("dest", "source") };
    let (tiles, cut, order) = (at.ints("static_inner_tiles"), at.ints("inner_dims_pos"), at.ints("outer_dims_perm"));
    let (shape, found) = (at.shape(plain), at.shape(packed));
    let rank = shape.len();
    let picks = |dims: &[i64]| {
        let valid = |(i, dim): (usize, &i64)| (0..rank as i64).contains(dim) && !dims[..i].contains(dim);
        dims.iter().enumerate().all(valid)
    };
    at.ensure(!tiles.contains(&0), "invalid zero tile factor")?;
    at.ensure(picks(&cut), "invalid inner_dims_pos vector")?;
    at.ensure(picks(&order), "invalid outer_dims_perm vector")?;
    at.ensure(order.is_empty() || order.len() == rank, "outer_dims_perm must be a permutation or empty")?;
    at.ensure(
        tiles.len() <= rank,
        "tiling factors must be less than or equal to the input rank for pack or output rank for unpack",
    )?;
    at.ensure(tiles.len() == cut.len(), "tiling factors must equal the number of dimensions to tile")?;
    at.ensure_with(found.len() == rank + tiles.len(), || {
        let (found, expected) = (found.len(), rank + tiles.len());
        format!("packed rank != (unpacked rank + num tiling factors), got {found} != {expected}")
    })?;
    at.ensure(
        found[rank..] == tiles[..],
        "mismatch in inner tile sizes specified and shaped of tiled dimension in the packed type",
    )?;
    let mut outer = shape.to_vec();
    for (&d, &tile) in cut.iter().zip(&tiles) {
        let extent = &mut outer[d as usize];
        let known = *extent != DYNAMIC && tile != DYNAMIC && tile > 0;
        *extent = if known { (*extent - 1).div_euclid(tile) + 1 } else { DYNAMIC };
    }
    let placed = if order.is_empty() { outer } else { order.iter().map(|&d| outer[d as usize]).collect() };
    let expected = [placed, tiles.clone()].concat();
    at.ensure_with(alike(&expected, found), || {
        let extents = expected.iter().map(|&n| if n == DYNAMIC { "?x".to_owned() } else { format!("{n}x") });
        let expected = extents.collect::<String>() + &print_type(ir, at.elem(packed));
        let found = quoted(ir, ir.type_of(at.one(packed)));
        format!("expected 'tensor<{expected}>' for the packed domain value, got {found}")
    })?;
    if !packs {
        return Ok(());
    }
    if let Some(padding) = at.find("padding_value") {
        let (elem, padding) = (at.elem(plain), ir.type_of(padding));
        return at.ensure_with(elem == padding, || {
            format!("expected padding_value has {} but got: {}", quoted(ir, elem), quoted(ir, padding))
        });
    }
    let mut values = at.all("inner_tiles").iter();
    for (&d, &tile) in cut.iter().zip(&tiles) {
        let value = if tile == DYNAMIC { values.next().and_then(|&value| ir.const_int(value)) } else { Some(tile) };
        let place = if order.is_empty() { Some(d as usize) } else { order.iter().position(|&other| other == d) };
        // What is not known fills whole tiles, or nothing is said about it.
        let divisor = value.unwrap_or(place.map_or(DYNAMIC, |place| found[place]));
        let extent = shape[d as usize];
        let partial = extent != DYNAMIC && divisor != DYNAMIC && divisor > 0 && extent % divisor != 0;
        at.ensure(
            !partial,
            "invalid tile factor or output size provided. Only full tiles are supported when padding_value is not set",
        )?;
    }
    Ok(())
}

/// Output and filter sizes of Winograd's convolutions, by the number of `fmr`.
const WINOGRAD: [(i64, i64); 3] = [(2, 3), (4, 3), (2, 5)];

/// `linalg.winograd_…_transform`: tiles of an image or filter, and what they become.
pub(super) fn winograd(ir: &Ir, op: OpId) -> Check {
    let at = Parts::of(ir, op);
    let (m, r) = WINOGRAD[usize::try_from(at.int("fmr")).unwrap_or(0).min(WINOGRAD.len() - 1)];
    let tile = m + r - 1;
    let (input, output) = (at.shape("input"), at.shape("output"));
    let ranks = match ir.opcode(op) {
        Opcode::LinalgWinogradFilterTransform => (4, 4),
        Opcode::LinalgWinogradInputTransform => (4, 6),
        _ => (6, 4),
    };
    at.ensure_with((input.len(), output.len()) == ranks, || {
        format!("takes an input of {} dimensions and an output of {}", ranks.0, ranks.1)
    })?;
    let expected = match ir.opcode(op) {
        Opcode::LinalgWinogradFilterTransform => {
            let &[f, h, w, c] = input else { return Ok(()) };
            at.ensure(h == r || h == 1, "expect filter height either equals to r or 1")?;
            at.ensure(w == r || w == 1, "expect filter width either equals to r or 1")?;
            at.ensure((h, w) != (1, 1), "expect either filter height or width equals to r")?;
            let alpha = |extent: i64| if extent == r { tile } else { 1 };
            vec![alpha(h), alpha(w), c, f]
        }
        Opcode::LinalgWinogradInputTransform => {
            let &[n, h, w, c] = input else { return Ok(()) };
            // A dimension that is not transformed stays as it is.
            let cut = |extent: i64, alpha: i64| match (extent, alpha) {
                (DYNAMIC, _) => [tile, DYNAMIC],
                (_, 1) => [1, extent],
                _ => [tile, (extent - (r - 1)) / m],
            };
            let ([alpha_h, tiles_h], [alpha_w, tiles_w]) = (cut(h, output[0]), cut(w, output[1]));
            vec![alpha_h, alpha_w, tiles_h, tiles_w, n, c]
        }
        _ => {
            let &[h, w, tiles_h, tiles_w, n, f] = input else { return Ok(()) };
            let joined = |alpha: i64, tiles: i64, what: &str| {
                if alpha == DYNAMIC || tiles == DYNAMIC {
                    return Ok(DYNAMIC);
                }
                at.ensure_with(alpha == 1 || alpha == tile, || {
                    format!("expect input {what} equals to input tile size")
                })?;
                Ok::<i64, Box<crate::Diag>>(tiles.saturating_mul(if alpha == 1 { 1 } else { m }))
            };
            vec![n, joined(h, tiles_h, "height")?, joined(w, tiles_w, "width")?, f]
        }
    };
    at.ensure(alike(&expected, output), "the output shape is not expected")
}

/// `linalg.yield`: one element for each output of the operation around it.
pub(super) fn yields(ir: &Ir, op: OpId) -> Check {
    let parent = ir.parent_op(op).and_then(|parent| Linalg::operands(ir, parent));
    let Some((_, outputs)) = parent else { return Ok(()) };
    let found = types_of(ir, ir.operands(op));
    ensure(ir, op, found.len() == outputs.len(), || {
        format!(
            "expected number of yield values ({}) to match the number of inits / outs operands of the enclosing LinalgOp ({})",
            found.len(),
            outputs.len()
        )
    })?;
    for (i, (&ty, &output)) in found.iter().zip(outputs).enumerate() {
        let elem = Linalg::elem(ir, output);
        ensure(ir, op, ty == elem, || {
            let (n, ty, elem) = (i + 1, quoted(ir, ty), quoted(ir, elem));
            format!(
                "type of yield operand {n} ({ty}) doesn't match the element type of the enclosing linalg.generic op ({elem})"
            )
        })?;
    }
    Ok(())
}
