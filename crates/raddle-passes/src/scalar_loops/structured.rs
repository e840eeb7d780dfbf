//! Structured operations: the loops that a point of the result fixes are gone, and the others run in order.

use raddle_ir::views::Linalg;
use raddle_ir::{Builder, Diag, Expr, Ir, Map, OpId, TypeId, ValueId};
use rustc_hash::FxHashSet;

use super::{Cx, code, extents, refuse, rules};

/// The results that lie along the same loops as one of them.
pub(super) fn alike(linalg: &Linalg, result: usize) -> Vec<usize> {
    let maps = &linalg.maps[linalg.inputs.len()..];
    (0..maps.len()).filter(|&other| maps[other] == maps[result]).collect()
}

/// Elements of results that lie along the same loops.
pub(super) fn elements(
    cx: &mut Cx,
    b: &mut Builder<'_>,
    op: OpId,
    wanted: &[usize],
    at: &[ValueId],
) -> Result<Vec<ValueId>, Diag> {
    let linalg = Linalg::of(b.ir, op);
    let body = Body::of(b.ir, op, &linalg, wanted)?;
    let n_inputs = linalg.inputs.len();
    let map = &linalg.maps[n_inputs + wanted[0]];
    // Loops that the point fixes; other parts of the map say which points of the loops are this one.
    let mut fixed: Vec<Option<ValueId>> = vec![None; linalg.reduction.len()];
    let mut guards: Vec<(Expr, ValueId)> = Vec::new();
    for (expr, &index) in map.results.iter().zip(at) {
        match expr {
            Expr::Dim(d) if fixed[*d as usize].is_none() => fixed[*d as usize] = Some(index),
            _ => guards.push((expr.clone(), index)),
        }
    }
    let free: Vec<usize> = (0..fixed.len()).filter(|&d| fixed[d].is_none()).collect();
    let mut bounds = Vec::new();
    for &d in &free {
        bounds.push(extent(cx, b, op, &linalg, d)?);
    }
    let runs_once = free.is_empty() && guards.is_empty();
    let mut inits = Vec::new();
    for &output in &body.outputs {
        let init = linalg.outputs[output];
        inits.push(if runs_once && !body.reads(b.ir, n_inputs + output) {
            None
        } else {
            Some(rules::element(cx, b, init, at)?)
        });
    }
    let loops_at = |free_at: &[ValueId]| -> Vec<ValueId> {
        let mut loops = fixed.clone();
        for (&d, &index) in free.iter().zip(free_at) {
            loops[d] = Some(index);
        }
        loops.into_iter().map(|at| at.expect("each loop is fixed or free")).collect()
    };
    let given = if runs_once {
        body.run(cx, b, &linalg, &loops_at(&[]), &inits)?
    } else {
        let inits: Vec<ValueId> = inits.into_iter().flatten().collect();
        let types: Vec<TypeId> = inits.iter().map(|&init| b.ir.type_of(init)).collect();
        code::nest(cx, b, &bounds, &inits, &mut |cx, b, free_at, acc| {
            let loops = loops_at(free_at);
            let some: Vec<Option<ValueId>> = acc.iter().copied().map(Some).collect();
            let mut conditions = Vec::new();
            for (expr, index) in &guards {
                let reached = apply(b, expr, &loops);
                conditions.push(code::equal(b, reached, *index));
            }
            let Some(condition) = code::all(b, &conditions) else { return body.run(cx, b, &linalg, &loops, &some) };
            let mut then = |cx: &mut Cx, b: &mut Builder<'_>| body.run(cx, b, &linalg, &loops, &some);
            code::branch(cx, b, condition, &types, &mut then, &mut |_, _| Ok(acc.to_vec()))
        })?
    };
    let place = |result: &usize| body.outputs.iter().position(|output| output == result);
    Ok(wanted.iter().filter_map(place).map(|at| given[at]).collect())
}

/// The extent of a loop, from an operand that lies along it.
fn extent(cx: &Cx, b: &mut Builder<'_>, op: OpId, linalg: &Linalg, d: usize) -> Result<ValueId, Diag> {
    for (&operand, map) in linalg.inputs.iter().chain(&linalg.outputs).zip(&linalg.maps) {
        if let Some(at) = map.results.iter().position(|expr| *expr == Expr::Dim(d as u32)) {
            return extents::extent(cx, b, operand, at);
        }
    }
    Err(refuse(b.ir, op, "no operand lies along one of its loops"))
}

/// `affine.apply` of one expression of loops.
fn apply(b: &mut Builder<'_>, expr: &Expr, loops: &[ValueId]) -> ValueId {
    match expr {
        Expr::Dim(d) => loops[*d as usize],
        _ => b.apply(Map { dims: loops.len() as u32, syms: 0, results: vec![expr.clone()] }, loops),
    }
}

/// The part of a body that some results need.
struct Body {
    op: OpId,
    /// The outputs that are computed, those that others need among them.
    outputs: Vec<usize>,
    /// The operations, in order.
    ops: Vec<OpId>,
    n_inputs: usize,
}

impl Body {
    fn of(ir: &Ir, op: OpId, linalg: &Linalg, wanted: &[usize]) -> Result<Body, Diag> {
        let block = rules::block(ir, op)?;
        let args = ir.args(block);
        let n_inputs = linalg.inputs.len();
        if args.len() != linalg.maps.len() || args.len() != n_inputs + linalg.outputs.len() {
            return Err(refuse(ir, op, "its body has another number of arguments than it has operands"));
        }
        let all = ir.ops_of(block);
        let (&end, all) = all.split_last().expect("a verified region has a terminator");
        let maps = &linalg.maps[n_inputs..];
        let mut outputs: Vec<usize> = wanted.to_vec();
        loop {
            let mut needed: FxHashSet<OpId> = FxHashSet::default();
            let mut read: FxHashSet<ValueId> = outputs.iter().map(|&output| ir.operand(end, output)).collect();
            for &inner in all.iter().rev() {
                if ir.results(inner).any(|value| read.contains(&value)) {
                    needed.insert(inner);
                    let inside = [vec![inner], ir.walk(inner)].concat();
                    read.extend(inside.into_iter().flat_map(|op| ir.operands(op).to_vec()));
                }
            }
            let more =
                (0..maps.len()).find(|&other| !outputs.contains(&other) && read.contains(&args[n_inputs + other]));
            match more {
                None => {
                    let ops = all.iter().copied().filter(|op| needed.contains(op)).collect();
                    return Ok(Body { op, outputs, ops, n_inputs });
                }
                Some(other) if maps[other] == maps[wanted[0]] => outputs.push(other),
                Some(_) => {
                    return Err(refuse(
                        ir,
                        op,
                        "one of its results depends on another one that lies along other loops",
                    ));
                }
            }
        }
    }

    /// Whether what is needed reads an argument of the body.
    fn reads(&self, ir: &Ir, arg: usize) -> bool {
        let block = ir.entry(self.op);
        let arg = ir.args(block)[arg];
        let end = ir.terminator(block);
        let yielded = end.is_some_and(|end| self.outputs.iter().any(|&output| ir.operand(end, output) == arg));
        let inside = self.ops.iter().flat_map(|&op| [vec![op], ir.walk(op)].concat());
        yielded || inside.into_iter().any(|op| ir.operands(op).contains(&arg))
    }

    /// What the body yields for its outputs at one point of the loops.
    fn run(
        &self,
        cx: &mut Cx,
        b: &mut Builder<'_>,
        linalg: &Linalg,
        loops: &[ValueId],
        acc: &[Option<ValueId>],
    ) -> Result<Vec<ValueId>, Diag> {
        let block = b.ir.entry(self.op);
        let args = b.ir.args(block).to_vec();
        let mut inputs = Vec::new();
        for (i, (&operand, map)) in linalg.inputs.iter().zip(&linalg.maps).enumerate() {
            if !self.reads(b.ir, i) {
                continue;
            }
            let value = if b.ir.ty(operand).is_tensor() {
                let at: Vec<ValueId> = map.results.iter().map(|expr| apply(b, expr, loops)).collect();
                rules::element(cx, b, operand, &at)?
            } else {
                cx.map.get(operand)
            };
            inputs.push((args[i], value));
        }
        for (arg, value) in inputs {
            cx.map.set(arg, value);
        }
        for (&output, acc) in self.outputs.iter().zip(acc) {
            if let &Some(acc) = acc {
                cx.map.set(args[self.n_inputs + output], acc);
            }
        }
        let around = std::mem::replace(&mut cx.place, loops.to_vec());
        for &op in &self.ops {
            rules::scalar(cx, b, op)?;
        }
        cx.place = around;
        let end = b.ir.terminator(block).expect("a verified region has a terminator");
        Ok(self.outputs.iter().map(|&output| cx.map.get(b.ir.operand(end, output))).collect())
    }
}
