//! A structured operation on vectors: the same for tiles of a kernel and for tensors that stay tensors.
//!
//! Each operand is read whole, in its own shape, brought into the iteration space, and the body is done on vectors of
//! that space. What loops reduce is combined at the end, in one step for each output.

use raddle_ir::views::Linalg;
use raddle_ir::{Attr, AttrId, Builder, Class, Code, Diag, Expr, Ir, Map, OpId, Opcode, TypeId, ValueId, ValueMap};
use rustc_hash::FxHashSet;

use super::reads::{Memory, Reads};
use crate::code::select;
use crate::structured::body;

/// A structured operation whose loops have known extents.
pub(crate) struct Structured<'a> {
    /// The operation.
    pub op: OpId,
    /// Its parts.
    pub linalg: &'a Linalg,
    /// The extent of each loop.
    pub extents: &'a [i64],
    /// Which points of the iteration space there are, if not all.
    pub mask: Option<ValueId>,
    /// Which points there are, if not all, where a divisor may be zero at the others.
    pub divided: Option<ValueId>,
    /// Whether its loops count as `linalg.index` does.
    pub counts_from_zero: bool,
    /// Where tensors are that the body reads, if it may.
    pub memory: Option<&'a Memory<'a>>,
}

/// Computes the outputs, each a vector of its own shape. `outer` finds values from outside the body; `given` reads an
/// operand in its own shape, and is told whether a reduction begins with it.
pub(crate) fn compute(
    builder: &mut Builder<'_>,
    whole: &Structured<'_>,
    outer: &dyn Fn(ValueId) -> ValueId,
    given: &mut dyn FnMut(&mut Builder<'_>, usize, bool) -> ValueId,
) -> Result<Vec<ValueId>, Diag> {
    let &Structured { op, linalg, extents, .. } = whole;
    let block = builder.ir.entry(op);
    let args = builder.ir.args(block).to_vec();
    let n_inputs = linalg.inputs.len();
    let reduces = linalg.reduction.contains(&true);
    let reductions: Vec<Option<body::Reduction>> =
        (0..linalg.outputs.len()).map(|i| if reduces { body::reduction_of(builder.ir, op, i) } else { None }).collect();
    let yielded = body::yield_of(builder.ir, op);
    let combined = |i: usize| reductions[i].as_ref().map(|reduction| reduction.value);
    let ends: Vec<ValueId> =
        (0..linalg.outputs.len()).map(|i| combined(i).unwrap_or_else(|| builder.ir.operand(yielded, i))).collect();
    let everywhere = whole.memory.map(|_| computed_everywhere(builder.ir, op, &ends));
    let is_everywhere = |value: ValueId| everywhere.as_ref().is_none_or(|all| all.contains(&value));
    let (mut scalars, mut as_given) = (ValueMap::default(), ValueMap::default());
    for (i, &operand) in linalg.inputs.iter().chain(&linalg.outputs).enumerate() {
        if builder.ir.ty(operand).shape().is_none() {
            scalars.set(args[i], outer(operand));
            as_given.set(args[i], outer(operand));
            continue;
        }
        let is_acc = i >= n_inputs && reductions[i - n_inputs].is_some();
        if is_acc || builder.ir.is_unused(args[i]) {
            continue;
        }
        let value = given(builder, i, false);
        as_given.set(args[i], value);
        if is_everywhere(args[i]) {
            let value = to_iteration_space(builder, value, &linalg.maps[i], extents);
            scalars.set(args[i], value);
        }
    }
    let mut reads = whole.memory.map(|memory| Reads::new(whole, memory, outer, as_given));
    for inner in builder.ir.ops_of(block) {
        builder.span = builder.ir.span(inner);
        if inner == yielded || reductions.iter().flatten().any(|reduction| reduction.op == inner) {
            continue;
        }
        let is_pure = builder.ir.opcode(inner).info().is_pure();
        if is_pure && !builder.ir.results(inner).any(is_everywhere) {
            continue;
        }
        match reads.as_mut().filter(|_| by_reads(builder.ir, inner)) {
            Some(reads) => {
                for value in builder.ir.results(inner) {
                    let wide = reads.wide(builder, value)?;
                    scalars.set(value, wide);
                }
            }
            None => lift(builder, whole, outer, inner, &mut scalars)?,
        }
    }
    let mut results = Vec::new();
    for (i, reduction) in reductions.into_iter().enumerate() {
        let value = scalars.find(ends[i]).unwrap_or_else(|| outer(ends[i]));
        let elem = builder.ir.elem_of(value);
        let ty = builder.ir.vector_type(extents, elem);
        let value = if builder.ir.type_of(value) == ty { value } else { splat(builder, value, ty) };
        let map = &linalg.maps[n_inputs + i];
        results.push(match reduction {
            None => from_iteration_space(builder, value, map),
            Some(reduction) => {
                let acc = given(builder, n_inputs + i, true);
                reduce(builder, whole, reduction.combiner.kind, value, acc, map)
            }
        });
    }
    Ok(results)
}

/// The values of a body that the iteration space has: all that results come from, but for the places of reads.
fn computed_everywhere(ir: &Ir, op: OpId, ends: &[ValueId]) -> FxHashSet<ValueId> {
    let body = ir.entry(op);
    let mut found = FxHashSet::default();
    let mut waiting = ends.to_vec();
    while let Some(value) = waiting.pop() {
        if !found.insert(value) {
            continue;
        }
        let made = ir.def_op(value).filter(|&made| ir.parent_block(made) == Some(body));
        if let Some(made) = made.filter(|&made| !by_reads(ir, made)) {
            waiting.extend(ir.operands(made));
        }
    }
    found
}

/// Whether the body of an operation has such as [`Reads`] computes.
pub(super) fn reads(ir: &Ir, op: OpId) -> bool {
    ir.block_ops(ir.entry(op)).any(|inner| by_reads(ir, inner))
}

/// Whether an operation of a body reads memory, or chooses what is read.
fn by_reads(ir: &Ir, op: OpId) -> bool {
    matches!(ir.opcode(op), Opcode::TensorExtract | Opcode::ScfIf)
}

/// What the body of a structured operation must not have.
pub(super) fn refuse(builder: &Builder<'_>, op: OpId) -> Diag {
    let message = format!("`{}` in the body of a structured operation cannot be vectorized", builder.ir.name(op));
    Diag::error(Code::CannotConfigure, builder.span, message).note("bodies are made of arith and math operations")
}

/// The loops that an operand's dimensions go along.
fn dims_of(map: &Map) -> Vec<usize> {
    map.as_dims().expect("who calls this has checked that the maps pick loops")
}

/// From the iteration space to the order of an output's dimensions.
fn from_iteration_space(builder: &mut Builder<'_>, value: ValueId, map: &Map) -> ValueId {
    let dims = dims_of(map);
    // Loops that the output lacks have one iteration.
    let missing: Vec<usize> = (0..map.dims as usize).filter(|d| !dims.contains(d)).collect();
    let order: Vec<usize> = missing.iter().chain(&dims).copied().collect();
    let value = if order.is_sorted() { value } else { builder.transpose(value, &order) };
    if missing.is_empty() { value } else { builder.extract(value, &vec![0; missing.len()]) }
}

/// Combines the values of the iteration space into the accumulator, which has the output's shape.
fn reduce(
    builder: &mut Builder<'_>,
    whole: &Structured<'_>,
    kind: &str,
    value: ValueId,
    acc: ValueId,
    map: &Map,
) -> ValueId {
    // multi_reduction leaves the parallel loops in order; the output may want another one.
    let out = dims_of(map);
    let dims: Vec<usize> = (0..whole.extents.len()).filter(|d| !out.contains(d)).collect();
    let mut sorted = out.clone();
    sorted.sort_unstable();
    let place = |d: &usize| sorted.iter().position(|other| other == d).expect("same loops");
    let perm: Vec<usize> = out.iter().map(place).collect();
    let identity = perm.iter().copied().eq(0..perm.len());
    let inverse: Vec<usize> =
        (0..perm.len()).map(|i| perm.iter().position(|&p| p == i).expect("a permutation")).collect();
    let acc = if identity { acc } else { builder.transpose(acc, &inverse) };
    // A rank-0 accumulator is a scalar to multi_reduction.
    let is_scalar = out.is_empty();
    let acc = if is_scalar { builder.extract(acc, &[]) } else { acc };
    let result = masked(builder, whole.mask, |builder| builder.multi_reduction(kind, value, acc, &dims));
    if is_scalar {
        return as_rank_0(builder, result);
    }
    if identity { result } else { builder.transpose(result, &perm) }
}

/// A number as a vector without dimensions.
pub(crate) fn as_rank_0(builder: &mut Builder<'_>, scalar: ValueId) -> ValueId {
    let elem = builder.ir.type_of(scalar);
    let ty = builder.ir.vector_type(&[], elem);
    builder.broadcast(scalar, ty)
}

/// `vector.contract` of lhs, rhs and accumulator along the operation's maps, with one more attribute.
pub(crate) fn contraction(
    builder: &mut Builder<'_>,
    linalg: &Linalg,
    values: [ValueId; 3],
    attr: Option<(&'static str, AttrId)>,
) -> ValueId {
    let maps = linalg.maps.iter().map(|map| builder.ir.intern(Attr::Map(map.clone()))).collect();
    let word = |&reduction: &bool| if reduction { "reduction" } else { "parallel" };
    let iterators =
        linalg.reduction.iter().map(|loops| builder.keyword_attr("vector.iterator_type", word(loops))).collect();
    let mut attrs = vec![
        ("indexing_maps", builder.ir.intern(Attr::Array(maps))),
        ("iterator_types", builder.ir.intern(Attr::Array(iterators))),
        ("kind", builder.keyword_attr("vector.kind", "add")),
    ];
    attrs.extend(attr);
    let ty = builder.ir.type_of(values[2]);
    builder.value(Opcode::VectorContract, &values, ty, &attrs)
}

/// Makes one operation, under a mask if there is one.
pub(crate) fn masked(
    builder: &mut Builder<'_>,
    mask: Option<ValueId>,
    make: impl FnOnce(&mut Builder<'_>) -> ValueId,
) -> ValueId {
    let value = make(builder);
    let (Some(mask), Some(op)) = (mask, builder.ir.def_op(value)) else { return value };
    let ty = builder.ir.type_of(value);
    let region_op = builder.op(Opcode::VectorMask, &[mask], &[ty], &[]);
    let region = builder.ir.add_region(region_op);
    let block = builder.ir.add_block(region, &[]);
    builder.ir.detach(op);
    builder.ir.append(block, op);
    let span = builder.span;
    Builder::at_end(builder.ir, block, span).op(Opcode::VectorYield, &[value], &[], &[]);
    builder.ir.result(region_op, 0)
}

/// Repeats a vector along the loops that its map does not name, and puts its dimensions in loop order.
pub(super) fn to_iteration_space(builder: &mut Builder<'_>, value: ValueId, map: &Map, extents: &[i64]) -> ValueId {
    let dims = dims_of(map);
    let missing: Vec<usize> = (0..extents.len()).filter(|d| !dims.contains(d)).collect();
    // Broadcasting adds leading dimensions: the missing loops, then the operand's own.
    let order: Vec<usize> = missing.iter().chain(&dims).copied().collect();
    let mut value = value;
    if !missing.is_empty() {
        let shape: Vec<i64> = order.iter().map(|&d| extents[d]).collect();
        let elem = builder.ir.elem_of(value);
        let ty = builder.ir.vector_type(&shape, elem);
        value = builder.broadcast(value, ty);
    }
    if order.iter().copied().eq(0..extents.len()) {
        return value;
    }
    let perm: Vec<usize> =
        (0..extents.len()).map(|d| order.iter().position(|&o| o == d).expect("every loop is there")).collect();
    builder.transpose(value, &perm)
}

/// A scalar as a vector: a dense constant where the scalar is a constant.
pub(crate) fn splat(builder: &mut Builder<'_>, scalar: ValueId, ty: TypeId) -> ValueId {
    let constant = builder.ir.def_op(scalar).filter(|&op| builder.ir.opcode(op) == Opcode::ArithConstant);
    match constant.and_then(|op| builder.ir.attr(op, "value")).cloned() {
        Some(value) => {
            let bytes = builder.ir.elem_bytes(&value);
            builder.constant(Attr::Dense { ty, splat: true, bytes }, ty)
        }
        None => builder.broadcast(scalar, ty),
    }
}

/// An expression on vectors; `None` where a divisor is not a positive number.
pub(super) fn sum(
    builder: &mut Builder<'_>,
    expr: &Expr,
    operands: &[ValueId],
    dims: usize,
    ty: TypeId,
) -> Option<ValueId> {
    let mut both = |opcode: Opcode, a: &Expr, b: &Expr| {
        let (a, b) = (sum(builder, a, operands, dims, ty)?, sum(builder, b, operands, dims, ty)?);
        Some(builder.binary(opcode, a, b))
    };
    match expr {
        Expr::Add(a, b) => both(Opcode::ArithAddi, a, b),
        Expr::Mul(a, b) => both(Opcode::ArithMuli, a, b),
        Expr::Const(number) => Some(builder.splat(*number as f64, ty)),
        Expr::Dim(d) => Some(widened(builder, *operands.get(*d as usize)?, ty)),
        Expr::Sym(s) => Some(widened(builder, *operands.get(dims + *s as usize)?, ty)),
        Expr::FloorDiv(_, by) | Expr::CeilDiv(_, by) | Expr::Mod(_, by) if !matches!(**by, Expr::Const(number) if number > 0) => {
            None
        }
        Expr::FloorDiv(a, b) => both(Opcode::ArithFloordivsi, a, b),
        Expr::CeilDiv(a, b) => both(Opcode::ArithCeildivsi, a, b),
        Expr::Mod(a, b) => {
            let (a, b) = (sum(builder, a, operands, dims, ty)?, sum(builder, b, operands, dims, ty)?);
            let whole = builder.binary(Opcode::ArithFloordivsi, a, b);
            let whole = builder.binary(Opcode::ArithMuli, whole, b);
            Some(builder.binary(Opcode::ArithSubi, a, whole))
        }
    }
}

/// A number as a vector; a vector stays.
fn widened(builder: &mut Builder<'_>, value: ValueId, ty: TypeId) -> ValueId {
    if builder.ir.ty(value).is_vector() { value } else { splat(builder, value, ty) }
}

/// One scalar operation of a body, on vectors of the iteration space.
fn lift(
    builder: &mut Builder<'_>,
    whole: &Structured<'_>,
    outer: &dyn Fn(ValueId) -> ValueId,
    op: OpId,
    scalars: &mut ValueMap,
) -> Result<(), Diag> {
    let extents = whole.extents;
    if builder.ir.opcode(op) == Opcode::LinalgIndex && whole.counts_from_zero {
        let d = builder.ir.attr(op, "dim").and_then(Attr::as_i64).unwrap_or_default() as usize;
        let index = builder.ir.index_type();
        let ty = builder.ir.vector_type(&extents[d..=d], index);
        let numbers = builder.value(Opcode::VectorStep, &[], ty, &[]);
        let numbers = to_iteration_space(builder, numbers, &Map::of_dims(extents.len(), &[d]), extents);
        scalars.set(builder.ir.result(op, 0), numbers);
        return Ok(());
    }
    let class = builder.ir.class(op);
    if class == Class::Constant {
        builder.copy(op, scalars);
        return Ok(());
    }
    if builder.ir.opcode(op) == Opcode::AffineApply
        && let Some(map) = builder.ir.map(op, "map").cloned()
        && let [expr] = &map.results[..]
    {
        let index = builder.ir.index_type();
        let ty = builder.ir.vector_type(extents, index);
        let operands = builder.ir.operands(op).to_vec();
        let operands: Vec<ValueId> =
            operands.iter().map(|&value| scalars.find(value).unwrap_or_else(|| outer(value))).collect();
        if let Some(value) = sum(builder, expr, &operands, map.dims as usize, ty) {
            scalars.set(builder.ir.result(op, 0), value);
            return Ok(());
        }
    }
    if class != Class::Elementwise {
        return Err(refuse(builder, op));
    }
    let operands: Vec<ValueId> = builder.ir.operands(op).to_vec();
    let operands: Vec<ValueId> =
        operands.iter().map(|&value| scalars.find(value).unwrap_or_else(|| outer(value))).collect();
    let any_vector = operands.iter().any(|&value| builder.ir.ty(value).is_vector());
    let operands: Vec<ValueId> = if any_vector {
        operands
            .into_iter()
            .map(|value| {
                if builder.ir.ty(value).is_vector() {
                    return value;
                }
                let elem = builder.ir.type_of(value);
                let ty = builder.ir.vector_type(extents, elem);
                splat(builder, value, ty)
            })
            .collect()
    } else {
        operands
    };
    let mut operands = operands;
    if let (Some(there), Some(_), [_, by]) = (whole.divided, builder.ir.opcode(op).info().division(), &mut operands[..])
    {
        let ty = builder.ir.type_of(*by);
        let is_constant = builder.ir.def_op(*by).is_some_and(|made| builder.ir.class(made) == Class::Constant);
        if builder.ir.ty(*by).is_vector() && !is_constant {
            let one = builder.splat(1.0, ty);
            *by = select(builder, there, *by, one);
        }
    }
    let copy = builder.copy(op, &mut ValueMap::default());
    builder.ir.set_operands(copy, &operands);
    let (old, new) = (builder.ir.result(op, 0), builder.ir.result(copy, 0));
    if any_vector {
        let elem = builder.ir.type_of(old);
        let ty = builder.ir.vector_type(extents, elem);
        builder.ir.set_type(new, ty);
    }
    scalars.set(old, new);
    Ok(())
}
