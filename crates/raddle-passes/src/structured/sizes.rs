//! How large the dimensions of tensors are: where their extents come from, and what is known about these.

use raddle_ir::affine::BinOp;
use raddle_ir::views::{Linalg, Mixed, SliceView};
use raddle_ir::{Attr, Builder, DYNAMIC, Def, Expr, Ir, Map, OpId, Opcode, ValueId};

use super::moves;
use super::space::{at, destination};

/// The extent of a dimension.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// A number.
    Known(i64),
    /// A value.
    Value(ValueId),
    /// That of a dimension of a tensor or buffer of which nothing is known.
    Of(ValueId, usize),
}

/// How many operations are looked through.
const STEPS_MAX: usize = 64;

/// The extent of a dimension, found where the tensor was made.
pub fn extent(ir: &Ir, value: ValueId, dim: usize) -> Extent {
    let mut value = value;
    for _ in 0..STEPS_MAX {
        let known = ir.shape_of(value)[dim];
        if known != DYNAMIC {
            return Extent::Known(known);
        }
        let Def::Result { op, index } = ir.def(value) else { break };
        value = match ir.opcode(op) {
            // The expanded shape stands behind the source.
            opcode @ (Opcode::TensorEmpty | Opcode::TensorExpandShape) => {
                let before = ir.shape_of(value)[..dim].iter().filter(|&&extent| extent == DYNAMIC).count();
                let at = before + usize::from(opcode == Opcode::TensorExpandShape);
                return ir.operands(op).get(at).map_or(Extent::Of(value, dim), |&size| Extent::Value(size));
            }
            Opcode::TensorExtractSlice => {
                let slice = SliceView::of(ir, op);
                return match slice.sizes[moves::kept(&slice.sizes, ir.shape_of(value))[dim]] {
                    Mixed::Static(size) => Extent::Known(size),
                    Mixed::Value(size) => Extent::Value(size),
                };
            }
            // All that stands side by side is as long in other directions.
            Opcode::TensorConcat if ir.attr(op, "dim").and_then(Attr::as_i64) != Some(dim as i64) => ir.operand(op, 0),
            Opcode::VectorTransferWrite => ir.operand(op, 1),
            Opcode::IreeVectorExtToLayout => ir.operand(op, 0),
            Opcode::IreeLinalgExtGather => ir.operand(op, ir.operands(op).len() - 1),
            _ => match destination(ir, op, index as usize) {
                Some(init) => init,
                None => break,
            },
        };
    }
    Extent::Of(value, dim)
}

/// An extent as it is told of what an operation asks for it.
pub fn origin(ir: &Ir, found: Extent) -> Extent {
    let Extent::Value(size) = found else { return found };
    let Some(op) = ir.def_op(size).filter(|&op| ir.opcode(op) == Opcode::TensorDim) else { return found };
    let at = ir.const_int(ir.operand(op, 1)).and_then(|at| usize::try_from(at).ok());
    at.map_or(found, |at| extent(ir, ir.operand(op, 0), at))
}

/// The extent as a value.
pub fn materialize(builder: &mut Builder<'_>, extent: Extent) -> ValueId {
    match extent {
        Extent::Known(size) => builder.index(size),
        Extent::Value(value) => value,
        Extent::Of(value, dim) => {
            if let Some(op) = builder.ir.def_op(value).filter(|&op| builder.ir.opcode(op) == Opcode::TensorPad) {
                let [low, high] = moves::padding(builder.ir, op).map(|list| list[dim]);
                let source = mixed_extent(builder, builder.ir.operand(op, 0), dim);
                let sum = [1, 2].into_iter().fold(Expr::Dim(0), |sum, d| Expr::binary(BinOp::Add, sum, Expr::Dim(d)));
                return index(builder, &[source, low, high], &sum).materialize(builder);
            }
            let opcode = if builder.ir.ty(value).is_tensor() { Opcode::TensorDim } else { Opcode::MemrefDim };
            let dim = builder.index(dim as i64);
            let ty = builder.ir.index_type();
            builder.value(opcode, &[value, dim], ty, &[])
        }
    }
}

/// The largest that an extent may be, if that is known.
pub fn at_most(ir: &Ir, extent: Extent) -> Option<i64> {
    match extent {
        Extent::Known(size) => Some(size),
        Extent::Value(value) => range(ir, value, 0).1,
        Extent::Of(..) => None,
    }
}

/// The least and the largest that a number may be, where they are known.
type Range = (Option<i64>, Option<i64>);

fn range(ir: &Ir, value: ValueId, depth: usize) -> Range {
    if let Some(number) = ir.const_int(value) {
        return (Some(number), Some(number));
    }
    if depth == STEPS_MAX {
        return (None, None);
    }
    let op = match ir.def(value) {
        Def::Result { op, index } => match ir.opcode(op) {
            Opcode::UtilAssumeInt => return assumed(ir, op, index as usize, depth),
            _ => op,
        },
        Def::Arg { block, index: 0 } => {
            let parent = ir.region_parent(ir.block_region(block));
            if ir.opcode(parent) != Opcode::ScfFor {
                return (None, None);
            }
            let (lower, upper) =
                (range(ir, ir.operand(parent, 0), depth + 1), range(ir, ir.operand(parent, 1), depth + 1));
            return (lower.0, upper.1.and_then(|upper| upper.checked_sub(1)));
        }
        Def::Arg { .. } => return (None, None),
    };
    let operand = |i: usize| range(ir, ir.operand(op, i), depth + 1);
    match ir.opcode(op) {
        Opcode::AffineApply | Opcode::AffineMin | Opcode::AffineMax => {
            let Some(map) = ir.map(op, "map") else { return (None, None) };
            let operands: Vec<Range> = (0..ir.operands(op).len()).map(operand).collect();
            let results = map.results.iter().map(|expr| of_expr(expr, map.dims as usize, &operands));
            let join = if ir.opcode(op) == Opcode::AffineMax { larger } else { smaller };
            results.reduce(join).unwrap_or((None, None))
        }
        Opcode::ArithMinsi => smaller(operand(0), operand(1)),
        Opcode::ArithMaxsi => larger(operand(0), operand(1)),
        Opcode::TensorDim | Opcode::MemrefDim => {
            let dim = ir.const_int(ir.operand(op, 1)).and_then(|dim| usize::try_from(dim).ok());
            let base = ir.operand(op, 0);
            match dim.filter(|&dim| dim < ir.shape_of(base).len()).map(|dim| extent(ir, base, dim)) {
                Some(Extent::Known(size)) => (Some(size), Some(size)),
                Some(Extent::Value(size)) => range(ir, size, depth + 1),
                _ => (Some(0), None),
            }
        }
        _ => (None, None),
    }
}

/// What `util.assume.int` says of one of its values: one of several things holds.
fn assumed(ir: &Ir, op: OpId, index: usize, depth: usize) -> Range {
    let before = range(ir, ir.operand(op, index), depth + 1);
    let Some(Attr::Array(lists)) = ir.attr(op, "assumptions") else { return before };
    let Some(Attr::Array(cases)) = lists.get(index).map(|&list| &ir[list]) else { return before };
    let ends = |name: &str| -> Option<Vec<i64>> {
        cases.iter().map(|&case| ir.field(case, name).and_then(|value| ir[value].as_i64())).collect()
    };
    let (least, most) =
        (ends("umin").and_then(|ends| ends.into_iter().min()), ends("umax").and_then(|ends| ends.into_iter().max()));
    (least.or(before.0), [most, before.1].into_iter().flatten().min())
}

fn smaller(a: Range, b: Range) -> Range {
    let least = a.0.zip(b.0).map(|(a, b)| a.min(b));
    (least, [a.1, b.1].into_iter().flatten().min())
}

fn larger(a: Range, b: Range) -> Range {
    let most = a.1.zip(b.1).map(|(a, b)| a.max(b));
    ([a.0, b.0].into_iter().flatten().max(), most)
}

fn of_expr(expr: &Expr, n_dims: usize, operands: &[Range]) -> Range {
    let of = |expr: &Expr| of_expr(expr, n_dims, operands);
    match expr {
        Expr::Dim(d) => operands.get(*d as usize).copied().unwrap_or_default(),
        Expr::Sym(s) => operands.get(n_dims + *s as usize).copied().unwrap_or_default(),
        Expr::Const(value) => (Some(*value), Some(*value)),
        Expr::Add(a, b) => {
            let (a, b) = (of(a), of(b));
            let add = |a: Option<i64>, b: Option<i64>| a?.checked_add(b?);
            (add(a.0, b.0), add(a.1, b.1))
        }
        Expr::Mul(a, b) => match (of(a), of(b)) {
            (range, (Some(factor), Some(other))) | ((Some(factor), Some(other)), range) if factor == other => {
                let times = |end: Option<i64>| end?.checked_mul(factor);
                if factor < 0 { (times(range.1), times(range.0)) } else { (times(range.0), times(range.1)) }
            }
            _ => (None, None),
        },
        Expr::Mod(_, b) => match of(b) {
            (Some(1..), Some(most)) => (Some(0), Some(most - 1)),
            _ => (None, None),
        },
        Expr::FloorDiv(a, b) | Expr::CeilDiv(a, b) => {
            let (Some(by), Some(other)) = of(b) else { return (None, None) };
            if by != other || by < 1 {
                return (None, None);
            }
            let up = matches!(expr, Expr::CeilDiv(..));
            let divide = |end: i64| end.div_euclid(by) + i64::from(up && end.rem_euclid(by) != 0);
            let a = of(a);
            (a.0.map(divide), a.1.map(divide))
        }
    }
}

/// A sum, product or the like of numbers and values: a number where it is known, else an operation.
pub fn index(builder: &mut Builder<'_>, operands: &[Mixed], expr: &Expr) -> Mixed {
    let (expr, values) = resolve(operands, expr);
    match expr {
        Expr::Const(value) => Mixed::Static(value),
        Expr::Dim(d) => Mixed::Value(values[d as usize]),
        expr => Mixed::Value(builder.apply(Map { dims: values.len() as u32, syms: 0, results: vec![expr] }, &values)),
    }
}

/// The expression with the numbers put in, and the values that are left.
fn resolve(operands: &[Mixed], expr: &Expr) -> (Expr, Vec<ValueId>) {
    let mut values: Vec<ValueId> = Vec::new();
    let mut places = Vec::new();
    for &operand in operands {
        places.push(match operand {
            Mixed::Static(number) => Expr::Const(number),
            Mixed::Value(value) => {
                let known = values.iter().position(|&other| other == value);
                Expr::Dim(known.unwrap_or_else(|| {
                    values.push(value);
                    values.len() - 1
                }) as u32)
            }
        });
    }
    (at(expr, &places), values)
}

/// The least (`AffineMin`) or greatest (`AffineMax`) of several such numbers.
pub fn extreme(builder: &mut Builder<'_>, opcode: Opcode, operands: &[Mixed], exprs: &[Expr]) -> Mixed {
    let resolved: Vec<Expr> = exprs.iter().map(|expr| resolve(operands, expr).0).collect();
    let values = resolve(operands, &Expr::Const(0)).1;
    let number = |expr: &Expr| if let Expr::Const(number) = expr { Some(*number) } else { None };
    let least = opcode == Opcode::AffineMin;
    if let Some(numbers) = resolved.iter().map(number).collect::<Option<Vec<i64>>>() {
        let found = if least { numbers.into_iter().min() } else { numbers.into_iter().max() };
        return Mixed::Static(found.unwrap_or(0));
    }
    let map = Map { dims: values.len() as u32, syms: 0, results: resolved };
    let (map, ty) = (builder.ir.intern(Attr::Map(map)), builder.ir.index_type());
    Mixed::Value(builder.value(opcode, &values, ty, &[("map", map)]))
}

/// The extent of a loop of a structured operation along which some operand lies: a number, if one of these knows it, or
/// best that of a result, whose extents others know.
pub fn mixed_loop(builder: &mut Builder<'_>, linalg: &Linalg, d: usize) -> Option<Mixed> {
    let operands = linalg.inputs.iter().chain(&linalg.outputs).zip(&linalg.maps);
    let along = |map: &Map| map.results.iter().position(|expr| *expr == Expr::Dim(d as u32));
    let found: Vec<(ValueId, usize)> = operands.filter_map(|(&value, map)| Some((value, along(map)?))).collect();
    let known = found.iter().find(|&&(value, at)| builder.ir.shape_of(value)[at] != DYNAMIC);
    let &(value, at) = known.or(found.last())?;
    Some(mixed_extent(builder, value, at))
}

/// The extent of a dimension of a tensor, as near to its origin as it is known.
pub fn mixed_extent(builder: &mut Builder<'_>, value: ValueId, dim: usize) -> Mixed {
    match extent(builder.ir, value, dim) {
        Extent::Known(size) => Mixed::Static(size),
        found => {
            let value = materialize(builder, found);
            builder.ir.const_int(value).map_or(Mixed::Value(value), Mixed::Static)
        }
    }
}
