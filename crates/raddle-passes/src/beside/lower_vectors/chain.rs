//! Sums of products as chains: each step multiplies and adds for all elements of the result at once.

use raddle_ir::views::Contract;
use raddle_ir::{Builder, Diag, Ir, Map, OpId, Opcode, Type, TypeId, ValueId};

use super::{check, positions};
use crate::lay_out::reduced;

/// A sum of products over some loops.
struct Sum {
    /// The two factors, and the loop of each of their dimensions.
    factors: [(ValueId, Vec<usize>); 2],
    /// What the sum begins with, and the loop of each of its dimensions.
    acc: (ValueId, Vec<usize>),
    /// How far each loop goes.
    extents: Vec<i64>,
    /// The loops that are summed over.
    summed: Vec<usize>,
}

/// `vector.contract` that adds.
pub fn contract(ir: &mut Ir, op: OpId) -> Result<(), Diag> {
    match contraction(ir, op) {
        Some(sum) => chain(ir, op, sum),
        None => Ok(()),
    }
}

fn contraction(ir: &Ir, op: OpId) -> Option<Sum> {
    let view = Contract::of(ir, op);
    if ir.keyword_of(op, "kind").unwrap_or("add") != "add" {
        return None;
    }
    let dims = view.maps.iter().map(Map::as_dims).collect::<Option<Vec<Vec<usize>>>>()?;
    let mut extents = vec![1; view.reduction.len()];
    for (value, dims) in [view.lhs, view.rhs].into_iter().zip(&dims) {
        for (&d, &extent) in dims.iter().zip(ir.shape_of(value)) {
            extents[d] = extent;
        }
    }
    let summed = (0..extents.len()).filter(|&d| view.reduction[d]).collect();
    let [lhs, rhs, acc] = [0, 1, 2].map(|i| dims[i].clone());
    Some(Sum { factors: [(view.lhs, lhs), (view.rhs, rhs)], acc: (view.acc, acc), extents, summed })
}

/// A mask around a contraction that adds: what a step multiplies is added where its flags are set.
pub fn masked(ir: &mut Ir, op: OpId) -> Result<(), Diag> {
    let inner = ir.body(op, 0).map(|body| ir.ops_of(body)).unwrap_or_default();
    let [product, end] = inner[..] else { return Ok(()) };
    let passes = ir.opcode(product) == Opcode::VectorContract
        && ir.operands(op).len() == 1
        && ir.operands(end) == [ir.result(product, 0)];
    if !passes {
        return Ok(());
    }
    let Some(sum) = contraction(ir, product).filter(|sum| !sum.acc.1.is_empty()) else { return Ok(()) };
    let steps: Vec<i64> = sum.summed.iter().map(|&d| sum.extents[d]).collect();
    check(ir, op, &steps)?;
    let mut value = sum.acc.0;
    let (elem, ty) = (ir.elem_of(value), ir.type_of(value));
    let is_float = matches!(ir[elem], Type::Float(_));
    let loops: Vec<usize> = (0..sum.extents.len()).collect();
    let mut builder = Builder::before(ir, op);
    let mask = builder.ir.operand(op, 0);
    let [(lhs, lhs_dims), (rhs, rhs_dims)] = &sum.factors;
    let all = [(*rhs, rhs_dims), (*lhs, lhs_dims), (mask, &loops)];
    let all = all.map(|(value, dims)| Steps::of(&mut builder, value, dims, &sum.summed));
    for at in positions(&steps) {
        let [rhs, lhs] = [0, 1].map(|i| all[i].take(&mut builder, &at));
        let [rhs, lhs] = [rhs, lhs].map(|value| widened(&mut builder, value, elem));
        let flags = all[2].take(&mut builder, &at);
        let whole =
            |builder: &mut Builder<'_>, value, i: usize| over(builder, value, &all[i].kept, &sum.acc.1, &sum.extents);
        let (rhs, lhs) = (whole(&mut builder, rhs, 0), whole(&mut builder, lhs, 1));
        let flags = whole(&mut builder, flags, 2);
        let next = if is_float {
            builder.value(Opcode::VectorFma, &[rhs, lhs, value], ty, &[])
        } else {
            let product = builder.binary(Opcode::ArithMuli, rhs, lhs);
            builder.binary(Opcode::ArithAddi, product, value)
        };
        value = builder.value(Opcode::ArithSelect, &[flags, next, value], ty, &[]);
    }
    ir.replace_uses(ir.result(op, 0), value);
    ir.erase(op);
    Ok(())
}

/// An operand whose summed loops come first.
struct Steps {
    value: ValueId,
    /// Which of the summed loops it has.
    summed: Vec<usize>,
    /// The loops of its other dimensions.
    kept: Vec<usize>,
}

impl Steps {
    fn of(builder: &mut Builder<'_>, value: ValueId, dims: &[usize], summed: &[usize]) -> Steps {
        let own: Vec<usize> = (0..summed.len()).filter(|&i| dims.contains(&summed[i])).collect();
        let kept: Vec<usize> = dims.iter().copied().filter(|d| !summed.contains(d)).collect();
        let order = own.iter().map(|&i| summed[i]).chain(kept.iter().copied());
        let perm: Vec<usize> = order.filter_map(|d| dims.iter().position(|&other| other == d)).collect();
        let ordered = perm.iter().copied().eq(0..perm.len());
        let value = if ordered { value } else { builder.transpose(value, &perm) };
        Steps { value, summed: own, kept }
    }

    /// What it has at a step.
    fn take(&self, builder: &mut Builder<'_>, at: &[i64]) -> ValueId {
        let at: Vec<i64> = self.summed.iter().map(|&i| at[i]).collect();
        if at.is_empty() { self.value } else { builder.extract(self.value, &at) }
    }
}

/// `vector.multi_reduction` that adds products of floats.
pub fn reduce(ir: &mut Ir, op: OpId) -> Result<(), Diag> {
    let (source, acc) = (ir.operand(op, 0), ir.operand(op, 1));
    let product = ir.def_op(source).filter(|&made| ir.opcode(made) == Opcode::ArithMulf);
    let Some(product) = product.filter(|_| ir.keyword_of(op, "kind") == Some("add")) else { return Ok(()) };
    let (extents, marks) = (ir.shape_of(source).to_vec(), reduced(ir, op));
    let all: Vec<usize> = (0..extents.len()).collect();
    let (summed, kept): (Vec<usize>, Vec<usize>) = all.iter().partition(|&&d| marks[d]);
    let [lhs, rhs] = [0, 1].map(|i| (ir.operand(product, i), all.clone()));
    chain(ir, op, Sum { factors: [lhs, rhs], acc: (acc, kept), extents, summed })
}

fn chain(ir: &mut Ir, op: OpId, sum: Sum) -> Result<(), Diag> {
    let extent = |dims: &[usize]| dims.iter().map(|&d| sum.extents[d]).collect::<Vec<i64>>();
    let (kept, summed) = (extent(&sum.acc.1), extent(&sum.summed));
    let scalable = |value: ValueId| matches!(ir.ty(value), Type::Vector { scalable, .. } if scalable.contains(&true));
    if sum.summed.is_empty() || sum.factors.iter().any(|(value, _)| scalable(*value)) {
        return Ok(());
    }
    check(ir, op, &summed)?;
    let elem = ir.elem_of(sum.acc.0);
    let mut builder = Builder::before(ir, op);
    let [n, width]: [i64; 2] = [summed.iter().product(), kept.iter().product()];
    let order: Vec<usize> = sum.summed.iter().chain(&sum.acc.1).copied().collect();
    let [lhs, rhs] = sum.factors.map(|(value, dims)| {
        let value = widened(&mut builder, value, elem);
        let value = over(&mut builder, value, &dims, &order, &sum.extents);
        builder.shape_cast(value, &[n, width])
    });
    let flat = builder.ir.vector_type(&[width], elem);
    let acc = sum.acc.0;
    let mut value =
        if builder.ir.ty(acc).is_vector() { builder.shape_cast(acc, &[width]) } else { builder.broadcast(acc, flat) };
    let is_float = matches!(builder.ir[elem], Type::Float(_));
    for step in 0..n {
        let [a, b] = [lhs, rhs].map(|factor| builder.extract(factor, &[step]));
        value = if is_float {
            builder.value(Opcode::MathFma, &[a, b, value], flat, &[])
        } else {
            let product = builder.binary(Opcode::ArithMuli, a, b);
            builder.binary(Opcode::ArithAddi, product, value)
        };
    }
    let value =
        if builder.ir.ty(acc).is_vector() { builder.shape_cast(value, &kept) } else { builder.extract(value, &[0]) };
    ir.replace_uses(ir.result(op, 0), value);
    ir.erase(op);
    Ok(())
}

/// A factor with the elements of the sum: narrow ones are multiplied as what they are summed in.
fn widened(builder: &mut Builder<'_>, value: ValueId, elem: TypeId) -> ValueId {
    let own = builder.ir.type_of(value);
    let ty = builder.ir.with_elem(own, elem);
    let is_float = matches!(builder.ir[elem], Type::Float(_));
    if own == ty {
        return value;
    }
    builder.value(if is_float { Opcode::ArithExtf } else { Opcode::ArithExtsi }, &[value], ty, &[])
}

/// A factor over all loops in an order: repeated along those that it lacks.
fn over(builder: &mut Builder<'_>, value: ValueId, dims: &[usize], order: &[usize], extents: &[i64]) -> ValueId {
    let mut loops: Vec<usize> = order.iter().copied().filter(|d| !dims.contains(d)).collect();
    let repeated = !loops.is_empty();
    loops.extend(dims);
    let elem = builder.ir.elem_of(value);
    let shape: Vec<i64> = loops.iter().map(|&d| extents[d]).collect();
    let ty = builder.ir.vector_type(&shape, elem);
    let value = if repeated { builder.broadcast(value, ty) } else { value };
    let place = |d: &usize| loops.iter().position(|other| other == d).expect("every loop is among them");
    let perm: Vec<usize> = order.iter().map(place).collect();
    if perm.iter().copied().eq(0..perm.len()) { value } else { builder.transpose(value, &perm) }
}
