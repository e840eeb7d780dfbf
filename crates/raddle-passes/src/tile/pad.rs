//! Pad level: make the loops of operations multiples of the sizes that are configured for a level.
//!
//! Before: `%r = linalg.generic` that sums the rows of `%a : tensor<1x?xf32>`, with `partial_reduction = [0, 4096]`
//! After:
//!
//! ```mlir
//! %p = tensor.pad %a low[0, 0] high[0, %left] { tensor.yield %poison }
//! %r = linalg.generic ins(%p) … { … %here = arith.cmpi ult, %j, %dim ; %x = arith.select %here, %in, %zero ; … }
//! ```
//!
//! What is padded with means nothing: points that a reduction would combine are left out by its neutral element, and the
//! others are cut off again. Operations are `linalg.generic` and attention with a mask; others stay as they are, and so
//! does a body that cannot be computed on just anything.

use raddle_ir::affine::BinOp;
use raddle_ir::views::{Linalg, Mixed, unmixed};
use raddle_ir::{AttrId, Builder, Code, Diag, Expr, Ir, Map, OpId, Opcode, Type, ValueId, ValueMap};

use super::part::{Tile, extents, reached};
use crate::config;
use crate::facts::Facts;
use crate::options::{OptionKind, Options, PassOption};
use crate::structured::body;
use crate::structured::generalize::generic;
use crate::structured::sizes::{self, Extent, index, mixed_extent};
use crate::structured::space::{Space, sub};

/// The options of [`pad_level`].
pub(crate) const OPTIONS: &[PassOption] = &[PassOption {
    name: "tiling-level",
    sentence: "the list of sizes in lowering configurations",
    kind: OptionKind::Word(&["reduction", "partial_reduction"]),
}];

/// The operand of attention that is its mask, if there is one: behind query, key, value and scale.
const MASK: usize = 4;

/// Pads the operations of a function for one level.
pub(crate) fn pad_level(ir: &mut Ir, func: OpId, facts: &Facts, options: &Options) -> Result<(), Diag> {
    let level = options.word("tiling-level");
    for op in ir.walk(func) {
        let Some(sizes) = config::level(ir, func, op, level) else { continue };
        let why = match ir.opcode(op) {
            Opcode::LinalgGeneric => misfit(ir, op, &sizes),
            Opcode::IreeLinalgExtOnlineAttention => None,
            _ => Some("only `linalg.generic` and online attention are padded"),
        };
        if let Some(why) = why {
            let message = format!("`{}` is not padded: {why}", ir.name(op));
            facts.remarks.borrow_mut().push(Diag::error(Code::CannotTile, ir.span(op), message).as_remark());
            continue;
        }
        pad(ir, op, &sizes)?;
    }
    Ok(())
}

/// Why a structured operation cannot be computed on points that are not there.
fn misfit(ir: &Ir, op: OpId, sizes: &[i64]) -> Option<&'static str> {
    let linalg = Linalg::of(ir, op);
    let reduces = linalg.reduction.iter().zip(sizes).any(|(&reduces, &size)| reduces && size != 0);
    if reduces && (0..linalg.outputs.len()).any(|i| body::reduction_of(ir, op, i).is_none()) {
        return Some("an output is not combined by one operation");
    }
    let divides = |&inner: &OpId| ir.opcode(inner).info().division().is_some();
    ir.walk(op).iter().any(divides).then_some("its body divides by numbers that need not be there")
}

/// Pads one operation, if any of its loops is not a multiple already.
fn pad(ir: &mut Ir, op: OpId, sizes: &[i64]) -> Result<(), Diag> {
    let refuse = |ir: &Ir, message: String| Diag::error(Code::CannotTile, ir.span(op), message);
    let Some(space) = Space::of(ir, op).filter(|space| space.reduction.len() >= sizes.len()) else {
        return Err(refuse(ir, format!("the loops of `{}` have no such sizes", ir.name(op))));
    };
    if let Some(size) = sizes.iter().find(|&&size| size < 0) {
        return Err(refuse(ir, format!("a loop cannot have tiles of {size}")));
    }
    let mut builder = Builder::before(ir, op);
    let ends = extents(&mut builder, op, &space);
    let is_padded = |d: usize| match (sizes.get(d).copied().unwrap_or(0), ends[d]) {
        (0, _) => false,
        (size, Mixed::Static(end)) => end % size != 0,
        (_, Mixed::Value(_)) => true,
    };
    let padded: Vec<bool> = (0..ends.len()).map(is_padded).collect();
    if !padded.contains(&true) {
        return Ok(());
    }
    if builder.ir.opcode(op) == Opcode::IreeLinalgExtOnlineAttention && space.outputs.start <= MASK {
        let message = "Padding OnlineAttention without existing mask is not yet supported".to_owned();
        return Err(refuse(ir, message).help("give it a mask: what is padded is then masked out"));
    }
    let full: Vec<Mixed> =
        (0..ends.len()).map(|d| if padded[d] { multiple(&mut builder, ends[d], sizes[d]) } else { ends[d] }).collect();
    let tile = Tile { offsets: vec![Mixed::Static(0); ends.len()], sizes: full };
    let old = builder.ir.operands(op).to_vec();
    let mut operands = old.clone();
    for i in 0..space.reaches.len() {
        let depends = |expr: &Option<Expr>| expr.as_ref().is_some_and(|expr| expr.names(&|d| padded[d]));
        if builder.ir.ty(old[i]).is_tensor() && space.reaches[i].iter().any(depends) {
            operands[i] = pad_operand(&mut builder, &space, i, old[i], &tile, &depends);
        }
    }
    // The points of a reduction that are there: loops that are not padded have no bound.
    let bounds: Vec<Option<Mixed>> =
        (0..ends.len()).map(|d| (padded[d] && space.reduction[d]).then_some(ends[d])).collect();
    if builder.ir.opcode(op) == Opcode::IreeLinalgExtOnlineAttention {
        mask_operands(&mut builder, &space, &bounds, &mut operands);
    }
    let copy = builder.copy(op, &mut ValueMap::default());
    builder.ir.set_operands(copy, &operands);
    for (i, result) in space.outputs.clone().zip(builder.ir.results(copy)) {
        let ty = builder.ir.type_of(operands[i]);
        builder.ir.set_type(result, ty);
    }
    if builder.ir.opcode(op) == Opcode::LinalgGeneric {
        mask_body(&mut builder, copy, &bounds);
    }
    let results: Vec<(ValueId, ValueId)> = builder.ir.results(op).zip(builder.ir.results(copy)).collect();
    for (i, (whole, result)) in space.outputs.clone().zip(results) {
        let shape = builder.ir.shape_of(whole).len();
        let new = if builder.ir.type_of(whole) == builder.ir.type_of(result) && operands[i] == old[i] {
            result
        } else {
            let sizes: Vec<Mixed> = (0..shape).map(|d| mixed_extent(&mut builder, old[i], d)).collect();
            let slice = builder.extract_slice(result, &vec![Mixed::Static(0); shape], &sizes);
            let ty = builder.ir.type_of(whole);
            if builder.ir.type_of(slice) == ty { slice } else { builder.value(Opcode::TensorCast, &[slice], ty, &[]) }
        };
        builder.ir.replace_uses(whole, new);
    }
    ir.erase(op);
    Ok(())
}

/// The next multiple of a size. An extent that is at most the size has one that is known.
fn multiple(builder: &mut Builder<'_>, end: Mixed, size: i64) -> Mixed {
    let most = match end {
        Mixed::Static(end) => Some(end),
        Mixed::Value(value) => sizes::at_most(builder.ir, Extent::Value(value)),
    };
    if most.is_some_and(|most| most <= size) {
        return Mixed::Static(size);
    }
    let steps = Expr::binary(BinOp::CeilDiv, Expr::Dim(0), Expr::Const(size));
    index(builder, &[end], &Expr::binary(BinOp::Mul, steps, Expr::Const(size)))
}

/// An operand as long as the padded loops, with nothing in particular behind its end.
fn pad_operand(
    builder: &mut Builder<'_>,
    space: &Space,
    operand: usize,
    value: ValueId,
    tile: &Tile,
    depends: &dyn Fn(&Option<Expr>) -> bool,
) -> ValueId {
    let place = reached(builder, space, operand, value, tile);
    let (mut high, mut shape) = (Vec::new(), Vec::new());
    for (d, expr) in space.reaches[operand].iter().enumerate() {
        let old = mixed_extent(builder, value, d);
        if depends(expr) {
            high.push(index(builder, &[place.sizes[d], old], &sub(Expr::Dim(0), Expr::Dim(1))));
            shape.push(place.sizes[d]);
        } else {
            high.push(Mixed::Static(0));
            shape.push(Mixed::Static(builder.ir.shape_of(value)[d]));
        }
    }
    let elem = builder.ir.elem_of(value);
    let poison = builder.value(Opcode::UbPoison, &[], elem, &[]);
    let (numbers, values) = unmixed(&high);
    let rank = high.len();
    let Type::Tensor { encoding, .. } = *builder.ir.ty(value) else { return value };
    let ty = builder.ir.intern_type(Type::Tensor { shape: unmixed(&shape).0, elem, encoding });
    let attrs = [
        ("static_low", builder.ir.dense_i64(&vec![0; rank])),
        ("static_high", builder.ir.dense_i64(&numbers)),
        ("operandSegmentSizes", builder.ir.segment_sizes(&[1, 0, values.len()])),
    ];
    let op = builder.op(Opcode::TensorPad, &[vec![value], values].concat(), &[ty], &attrs);
    let region = builder.ir.add_region(op);
    let index = builder.ir.index_type();
    let block = builder.ir.add_block(region, &vec![index; rank]);
    Builder::at_end(builder.ir, block, builder.span).op(Opcode::TensorYield, &[poison], &[], &[]);
    builder.ir.result(op, 0)
}

/// Whether the point that a body is at is there: the index of each bounded loop is below its end.
fn is_there(builder: &mut Builder<'_>, bounds: &[Option<Mixed>], ends: &[Option<ValueId>]) -> Option<ValueId> {
    let (index, bit) = (builder.ir.index_type(), builder.ir.int_type(1));
    let mut all: Option<ValueId> = None;
    for d in 0..bounds.len() {
        let Some(end) = ends[d] else { continue };
        let dim = builder.ir.i64_attr(d as i64);
        let at = builder.value(Opcode::LinalgIndex, &[], index, &[("dim", dim)]);
        let below = builder.ir.i64_attr(6);
        let here = builder.value(Opcode::ArithCmpi, &[at, end], bit, &[("predicate", below)]);
        all = Some(all.map_or(here, |all| builder.binary(Opcode::ArithAndi, all, here)));
    }
    all
}

/// Lets the reductions of a body combine nothing where a point is not there.
fn mask_body(builder: &mut Builder<'_>, op: OpId, bounds: &[Option<Mixed>]) {
    let ends: Vec<Option<ValueId>> = bounds
        .iter()
        .map(|end| {
            end.map(|end| {
                let mut outside = Builder::before(builder.ir, op);
                end.materialize(&mut outside)
            })
        })
        .collect();
    let n_outputs = builder.ir.results(op).len();
    let reductions: Vec<body::Reduction> =
        (0..n_outputs).filter_map(|i| body::reduction_of(builder.ir, op, i)).collect();
    let Some(first) = builder.ir.first_op(builder.ir.entry(op)) else { return };
    let mut inside = Builder::before(builder.ir, first);
    let Some(here) = is_there(&mut inside, bounds, &ends) else { return };
    for reduction in reductions {
        let elem = builder.ir.type_of(reduction.value);
        let nothing = reduction.combiner.neutral(&mut Builder::before(builder.ir, op), elem);
        let mut inside = Builder::before(builder.ir, reduction.op);
        let value = inside.value(Opcode::ArithSelect, &[here, reduction.value, nothing], elem, &[]);
        for i in 0..builder.ir.operands(reduction.op).len() {
            if builder.ir.operand(reduction.op, i) == reduction.value {
                builder.ir.set_operand(reduction.op, i, value);
            }
        }
    }
}

/// Puts what changes nothing where the operands of attention are padded along loops that are summed over: zeros, and
/// scores that nobody heeds.
fn mask_operands(builder: &mut Builder<'_>, space: &Space, bounds: &[Option<Mixed>], operands: &mut [ValueId]) {
    for i in (0..space.outputs.start).filter(|&i| !space.reaches[i].is_empty()) {
        let along: Vec<Option<Mixed>> = space.reaches[i]
            .iter()
            .map(|expr| if let Some(Expr::Dim(d)) = expr { bounds[*d as usize] } else { None })
            .collect();
        if along.iter().all(Option::is_none) {
            continue;
        }
        let value = operands[i];
        let elem = builder.ir.elem_of(value);
        let unheeded = i == MASK && matches!(builder.ir[elem], Type::Float(_));
        let nothing = builder.splat(if unheeded { f64::NEG_INFINITY } else { 0.0 }, elem);
        let rank = along.len();
        let shape: Vec<Mixed> = (0..rank).map(|d| mixed_extent(builder, value, d)).collect();
        let (numbers, values) = unmixed(&shape);
        let ty = builder.ir.tensor_type(&numbers, elem);
        let empty = builder.value(Opcode::TensorEmpty, &values, ty, &[]);
        let ends: Vec<Option<ValueId>> = along.iter().map(|end| end.map(|end| end.materialize(builder))).collect();
        let parts = Linalg {
            inputs: vec![value],
            outputs: vec![empty],
            maps: vec![Map::identity(rank); 2],
            reduction: vec![false; rank],
        };
        let none: [(&str, AttrId); 0] = [];
        let new = generic(builder, &parts, &none);
        let region = builder.ir.add_region(new);
        let block = builder.ir.add_block(region, &[elem, elem]);
        let element = builder.ir.args(block)[0];
        let mut inside = Builder::at_end(builder.ir, block, builder.span);
        if let Some(here) = is_there(&mut inside, &along, &ends) {
            let kept = inside.value(Opcode::ArithSelect, &[here, element, nothing], elem, &[]);
            inside.op(Opcode::LinalgYield, &[kept], &[], &[]);
        }
        operands[i] = builder.ir.result(new, 0);
    }
}
