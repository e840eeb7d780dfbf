//! Convert contractions to matrix instructions on tiles, where the innermost loops are one instruction's.
//!
//! Before: `linalg.generic` on `tensor<2x4x16x16xf16>`, `tensor<4x2x16x16xf16>` into `tensor<2x2x16x16xf32>`
//! After:  `iree_codegen.inner_tiled` with `kind` on the same tensors, along the three outer loops
//!
//! Operands whose tiles have their dimensions in another order than the instruction say so in `permutations`. The body
//! must be a sum of products (with scales, of products of scaled factors), since that is all that an instruction does.

use raddle_ir::views::Linalg;
use raddle_ir::{Attr, AttrId, Body, Builder, Ir, Map, OpId, Opcode, Scalar, ValueId};
use raddle_target::tile::{Kind, Tile};

use crate::structured::body;

/// The loops of a contraction, each kind in order.
#[derive(Default)]
struct Roles {
    batch: Vec<usize>,
    m: Vec<usize>,
    n: Vec<usize>,
    k: Vec<usize>,
    /// Inside of a block of k that shares scales.
    inside: Vec<usize>,
}

/// Replaces a contraction by an operation of this kind, and returns that; says why where it is none.
pub fn convert(ir: &mut Ir, op: OpId, kind: AttrId) -> Result<OpId, String> {
    let found = Kind::of(ir, kind).map_err(|error| error.to_string())?;
    let tiles = found.tiles().map_err(|error| error.to_string())?;
    if found.repeat.is_some() {
        return Err("the kind is data-tiled: its tiles are packed in an order of their own".to_owned());
    }
    let (linalg, dims) = contraction(ir, op).ok_or("it is not a sum of products of tensors")?;
    let values: Vec<ValueId> = linalg.inputs.iter().chain(&linalg.outputs).copied().collect();
    let n = values.len();
    if tiles.len() != n {
        return Err(format!("`{}` has {} operands, and it has {n}", found.name, tiles.len()));
    }
    let roles = roles(&dims, linalg.reduction.len()).ok_or("its loops are not those of a product")?;
    let with_blocks = tiles[0].extents()[0] > 1;
    let inner = innermost(&roles, with_blocks, n == 5).ok_or("it lacks a loop that the instruction has")?;
    types_fit(ir, &values, &found)?;

    // The loops that each operand's tile is along, in the instruction's order.
    let [b, m, n_loop, k, inside] = inner;
    let mut orders: Vec<Vec<usize>> = match n {
        3 => vec![vec![m, k], vec![k, n_loop], vec![m, n_loop]],
        _ => vec![vec![m, k, inside], vec![k, inside, n_loop], vec![m, k], vec![k, n_loop], vec![m, n_loop]],
    };
    if with_blocks {
        orders.iter_mut().for_each(|order| order.insert(0, b));
    }
    let extents = linalg.extents(ir);
    let mut permutations = Vec::new();
    for ((order, dims), tile) in orders.iter().zip(&dims).zip(&tiles) {
        let last = dims.len().checked_sub(order.len()).map(|at| &dims[at..]).unwrap_or_default();
        let permutation: Option<Vec<usize>> = last.iter().map(|d| order.iter().position(|other| other == d)).collect();
        let permutation = permutation.filter(|list| list.len() == order.len());
        permutations.push(permutation.ok_or("the last dimensions of an operand are not those of the instruction")?);
        let found: Vec<i64> = order.iter().map(|&d| extents[d]).collect();
        if found != logical(tile, order.len()) {
            return Err(format!(
                "its innermost loops count {found:?} of an operand, and {:?} are wanted",
                tile.shape()
            ));
        }
    }
    let inner: Vec<usize> = orders.concat();
    let outer: Vec<usize> = (0..extents.len()).filter(|d| !inner.contains(d)).collect();
    Ok(replace(ir, op, kind, &linalg, &dims, &outer, &permutations))
}

/// The extents of a tile's dimensions.
fn logical(tile: &Tile, rank: usize) -> Vec<i64> {
    let shape = tile.shape();
    if shape.len() == rank { shape } else { Vec::new() }
}

fn types_fit(ir: &Ir, values: &[ValueId], kind: &Kind) -> Result<(), String> {
    for (at, (&value, wanted)) in values.iter().zip(kind.types()).enumerate() {
        let found = Scalar::of(&ir[ir.elem_of(value)]);
        if found.is_none() || found != wanted {
            return Err(format!("operand {at} does not have the element type of `{}`", kind.name));
        }
    }
    Ok(())
}

/// A sum of products of tensors, and the loops that each operand's dimensions count.
fn contraction(ir: &Ir, op: OpId) -> Option<(Linalg, Vec<Vec<usize>>)> {
    let linalg = Linalg::try_of(ir, op)?;
    let values = || linalg.inputs.iter().chain(&linalg.outputs);
    let dims: Vec<Vec<usize>> = linalg.maps.iter().map(Map::as_dims).collect::<Option<_>>()?;
    let distinct = |dims: &[usize]| dims.iter().enumerate().all(|(i, d)| !dims[..i].contains(d));
    let is_sum = match linalg.inputs.len() {
        2 => body::is_contraction(ir, op),
        4 => is_scaled_contraction(ir, op),
        _ => false,
    };
    let fits = is_sum
        && linalg.outputs.len() == 1
        && values().all(|&value| ir.ty(value).is_tensor())
        && dims.iter().all(|dims| distinct(dims));
    fits.then_some((linalg, dims))
}

/// `acc + scale(a, sa) * scale(b, sb)`, the arguments in this order: a, b, sa, sb, acc.
fn is_scaled_contraction(ir: &Ir, op: OpId) -> bool {
    let args = ir.args(ir.entry(op));
    let product = body::reduction(ir, op)
        .filter(|reduction| reduction.combiner.opcode == Opcode::ArithAddf)
        .and_then(|reduction| ir.def_op(reduction.value))
        .filter(|&product| ir.opcode(product) == Opcode::ArithMulf);
    let scaled = |value: ValueId| match ir.def_op(value) {
        Some(ext) if ir.opcode(ext) == Opcode::ArithScalingExtf => Some([ir.operand(ext, 0), ir.operand(ext, 1)]),
        _ => None,
    };
    let Some(product) = product else { return false };
    let factors = [0, 1].map(|at| scaled(ir.operand(product, at)));
    let [Some(one), Some(other)] = factors else { return false };
    let (a, b) = ([args[0], args[2]], [args[1], args[3]]);
    [one, other] == [a, b] || [one, other] == [b, a]
}

/// What each loop is for.
fn roles(dims: &[Vec<usize>], n_loops: usize) -> Option<Roles> {
    let last = dims.len() - 1;
    let mut roles = Roles::default();
    for d in 0..n_loops {
        let is_in = |at: usize| dims[at].contains(&d);
        // With scales, the loops inside of a block are those that no scale is along.
        let with_scales = last == 2 || is_in(2) == is_in(0) && is_in(3) == is_in(1);
        let list = match (is_in(0), is_in(1), is_in(last)) {
            (true, true, true) if with_scales => &mut roles.batch,
            (true, false, true) if with_scales => &mut roles.m,
            (false, true, true) if with_scales => &mut roles.n,
            (true, true, false) if with_scales => &mut roles.k,
            (true, true, false) if !is_in(2) && !is_in(3) => &mut roles.inside,
            _ => return None,
        };
        list.push(d);
    }
    Some(roles)
}

/// The innermost loop of each role: block, m, n, k, inside of a block that shares scales. One that is not needed is a
/// number that no loop has.
fn innermost(roles: &Roles, with_blocks: bool, with_scales: bool) -> Option<[usize; 5]> {
    let last = |list: &[usize], needed: bool| match list.last() {
        Some(&d) if needed => Some(d),
        _ => (!needed).then_some(usize::MAX),
    };
    Some([
        last(&roles.batch, with_blocks)?,
        last(&roles.m, true)?,
        last(&roles.n, true)?,
        last(&roles.k, true)?,
        last(&roles.inside, with_scales)?,
    ])
}

fn replace(
    ir: &mut Ir,
    op: OpId,
    kind: AttrId,
    linalg: &Linalg,
    dims: &[Vec<usize>],
    outer: &[usize],
    permutations: &[Vec<usize>],
) -> OpId {
    let values: Vec<ValueId> = linalg.inputs.iter().chain(&linalg.outputs).copied().collect();
    let config = ir.attr_id(op, "lowering_config");
    let mut builder = Builder::before(ir, op);
    let position = |d: &usize| outer.iter().position(|other| other == d);
    let map = |dims: &Vec<usize>| Map::of_dims(outer.len(), &dims.iter().filter_map(position).collect::<Vec<_>>());
    let maps = dims.iter().map(|dims| builder.ir.intern(Attr::Map(map(dims)))).collect();
    let iterator = |summed: bool| if summed { "reduction" } else { "parallel" };
    let iterators =
        outer.iter().map(|&d| builder.keyword_attr("linalg.iterator_type", iterator(linalg.reduction[d]))).collect();
    let mut attrs = vec![
        ("indexing_maps", builder.ir.intern(Attr::Array(maps))),
        ("iterator_types", builder.ir.intern(Attr::Array(iterators))),
        ("kind", kind),
        ("semantics", semantics(builder.ir)),
    ];
    let is_plain = |order: &[usize]| order.iter().enumerate().all(|(at, &d)| at == d);
    if values.len() > 3 || !permutations.iter().all(|order| is_plain(order)) {
        let list = |order: &Vec<usize>| order.iter().map(|&d| d as i64).collect::<Vec<_>>();
        let lists = permutations.iter().map(|order| builder.ir.dense_i64(&list(order))).collect();
        attrs.push(("permutations", builder.ir.intern(Attr::Array(lists))));
    }
    if let Some(config) = config {
        attrs.push(("lowering_config", config));
    }
    let n_inputs = values.len() - 1;
    attrs.push(("operandSegmentSizes", builder.ir.segment_sizes(&[n_inputs, 1])));
    let ty = builder.ir.type_of(values[n_inputs]);
    let new = builder.op(Opcode::IreeCodegenInnerTiled, &values, &[ty], &attrs);
    let (old, result) = (ir.result(op, 0), ir.result(new, 0));
    ir.replace_uses(old, result);
    ir.erase(op);
    new
}

/// Whole tiles, whose shapes may be grouped as their user likes.
fn semantics(ir: &mut Ir) -> AttrId {
    let [no, yes] = [false, true].map(|flag| ir.intern(Attr::Bool(flag)));
    let fields = [("distributed", no), ("opaque", yes)].map(|(name, value)| (ir.intern_str(name), value)).to_vec();
    let name = ir.intern_str("iree_gpu.mma_semantics");
    ir.intern(Attr::Dialect { name, body: Body::Fields(fields) })
}
