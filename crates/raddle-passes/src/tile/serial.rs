//! Serial loops: a nest of `scf.for` as one, and loops that count from 0 by 1.

use raddle_ir::affine::BinOp;
use raddle_ir::views::{Forall, Mixed};
use raddle_ir::{Builder, Expr, Ir, Map, OpId, Opcode, ValueId, ValueMap};

use crate::structured::space::add;

/// The first index, the end and the step of a loop, where all three are known.
fn bounds(ir: &Ir, op: OpId) -> Option<[i64; 3]> {
    let [lower, upper, step] = [0, 1, 2].map(|i| ir.const_int(ir.operand(op, i)));
    let bounds = [lower?, upper?, step?];
    (bounds[2] > 0).then_some(bounds)
}

/// How often a loop is run.
fn trips([lower, upper, step]: [i64; 3]) -> Option<i64> {
    let length = upper.checked_sub(lower)?.max(0);
    Some(length / step + i64::from(length % step != 0))
}

/// Makes loops that stand in one another, from the outside in, one loop; leaves them where an extent is not known, or
/// something else than the inner loop makes what the outer one carries.
pub(crate) fn coalesce(ir: &mut Ir, loops: &[OpId]) -> Option<()> {
    if loops.len() < 2 {
        return None;
    }
    let bounds = loops.iter().map(|&op| bounds(ir, op)).collect::<Option<Vec<_>>>()?;
    let counts = bounds.iter().map(|&bounds| trips(bounds)).collect::<Option<Vec<_>>>()?;
    let all = counts.iter().try_fold(1i64, |all, &count| all.checked_mul(count))?;
    for pair in loops.windows(2) {
        let body = ir.entry(pair[0]);
        let end = ir.terminator(body)?;
        let carried = ir.args(body)[1..].iter().eq(&ir.operands(pair[1])[3..]);
        if ir.parent_block(pair[1]) != Some(body)
            || !carried
            || !ir.results(pair[1]).eq(ir.operands(end).iter().copied())
        {
            return None;
        }
    }
    let (first, last) = (loops[0], loops[loops.len() - 1]);
    let inits = ir.operands(first)[3..].to_vec();
    let mut builder = Builder::before(ir, first);
    let (lower, upper, step) = (builder.index(0), builder.index(all), builder.index(1));
    let new = builder.for_loop(lower, upper, step, &inits, |builder, index, values| {
        let ty = builder.ir.index_type();
        let basis = [("static_basis", builder.ir.dense_i64(&counts))];
        let digits = builder.op(Opcode::AffineDelinearizeIndex, &[index], &vec![ty; counts.len()], &basis);
        let mut map = ValueMap::default();
        let mut yielded = Vec::new();
        for (i, &op) in loops.iter().enumerate() {
            let body = builder.ir.entry(op);
            let args = builder.ir.args(body).to_vec();
            let digit = builder.ir.result(digits, i);
            map.set(args[0], along(builder, digit, bounds[i]));
            for (&arg, &value) in args[1..].iter().zip(values) {
                map.set(arg, value);
            }
            for inner in builder.ir.ops_of(body) {
                if loops.contains(&inner) {
                    continue;
                }
                if builder.ir.opcode(inner) == Opcode::ScfYield {
                    if op == last {
                        yielded = builder.ir.operands(inner).iter().map(|&value| map.get(value)).collect();
                    }
                } else {
                    builder.copy(inner, &mut map);
                }
            }
        }
        yielded
    });
    for (old, new) in ir.results(first).zip(ir.results(new)) {
        ir.replace_uses(old, new);
    }
    ir.erase(first);
    Some(())
}

/// The index of a loop's round.
fn along(builder: &mut Builder<'_>, round: ValueId, [lower, _, step]: [i64; 3]) -> ValueId {
    let expr = add(Expr::binary(BinOp::Mul, Expr::Dim(0), Expr::Const(step)), Expr::Const(lower));
    if expr == Expr::Dim(0) {
        return round;
    }
    builder.apply(Map { dims: 1, syms: 0, results: vec![expr] }, &[round])
}

/// Lets each loop whose bounds are known count its rounds.
pub(crate) fn normalize(ir: &mut Ir, func: OpId) {
    for op in ir.walk(func) {
        match ir.opcode(op) {
            Opcode::ScfFor => normalize_for(ir, op),
            Opcode::ScfForall => normalize_forall(ir, op),
            _ => None,
        };
    }
}

fn normalize_for(ir: &mut Ir, op: OpId) -> Option<()> {
    let bounds = bounds(ir, op).filter(|bounds| [bounds[0], bounds[2]] != [0, 1])?;
    let count = trips(bounds)?;
    let index = ir.args(ir.entry(op))[0];
    // Counters of other types count no elements.
    if ir.type_of(index) != ir.index_type() {
        return None;
    }
    let mut builder = Builder::before(ir, op);
    let new = [0, count, 1].map(|bound| builder.index(bound));
    for (i, &bound) in new.iter().enumerate() {
        ir.set_operand(op, i, bound);
    }
    let body = ir.entry(op);
    spread(ir, body, index, bounds)
}

/// Lets the users of an index have it from the number of the round.
fn spread(ir: &mut Ir, body: raddle_ir::BlockId, index: ValueId, bounds: [i64; 3]) -> Option<()> {
    let users: Vec<(OpId, usize)> = ir.uses(index).collect();
    let first = ir.first_op(body)?;
    let value = along(&mut Builder::before(ir, first), index, bounds);
    for (user, operand) in users {
        ir.set_operand(user, operand, value);
    }
    Some(())
}

fn normalize_forall(ir: &mut Ir, op: OpId) -> Option<()> {
    let view = Forall::of(ir, op);
    let known = |list: &[Mixed]| -> Option<Vec<i64>> {
        list.iter().map(|&at| if let Mixed::Static(number) = at { Some(number) } else { None }).collect()
    };
    let (lower, upper, step) = (known(&view.lower)?, known(&view.upper)?, known(&view.step)?);
    if step.iter().any(|&step| step < 1) {
        return None;
    }
    let counts = (0..step.len()).map(|d| trips([lower[d], upper[d], step[d]])).collect::<Option<Vec<_>>>()?;
    let n = step.len();
    for (name, list) in [("staticLowerBound", vec![0; n]), ("staticUpperBound", counts), ("staticStep", vec![1; n])] {
        let list = ir.dense_i64(&list);
        ir.set_attr(op, name, list);
    }
    let body = ir.entry(op);
    for d in 0..n {
        if [lower[d], step[d]] != [0, 1] {
            let index = ir.args(body)[d];
            spread(ir, body, index, [lower[d], upper[d], step[d]]);
        }
    }
    Some(())
}
