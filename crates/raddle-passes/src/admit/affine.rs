//! Affine: loops, branches and accesses with affine bounds, conditions and indices become those of `scf` and `memref`.
//!
//! Before: `affine.for %i = 0 to min affine_map<(d0) -> (d0 + 4, 16)>(%n) { affine.store %x, %a[%i * 2] }`
//! After:  `%u = affine.min …(%n)`, `scf.for %i = %c0 to %u step %c1 { %j = affine.apply …(%i)`, `memref.store %x, %a[%j] }`
//!
//! Does not touch accesses of vectors, copies and prefetches.

use raddle_ir::{Attr, BlockId, Builder, Code, Diag, Expr, Ir, Map, OpId, Opcode, ValueId, ValueMap};

use crate::code::compare;

/// Whether a function has one.
pub(super) fn is_needed(ir: &Ir, func: OpId) -> bool {
    ir.walk(func).into_iter().any(|op| {
        matches!(
            ir.opcode(op),
            Opcode::AffineFor | Opcode::AffineIf | Opcode::AffineLoad | Opcode::AffineStore | Opcode::AffineParallel
        )
    })
}

/// Rewrites all of them.
pub(super) fn lower(ir: &mut Ir, func: OpId) -> Result<(), Diag> {
    // What stands inside of a loop is copied with it, and found behind that.
    while let Some(op) = ir.walk(func).into_iter().find(|&op| is_region(ir, op)) {
        let mut map = ValueMap::default();
        let b = &mut Builder::before(ir, op);
        let results = match b.ir.opcode(op) {
            Opcode::AffineFor => for_loop(b, op, &mut map),
            Opcode::AffineIf => branch(b, op, &mut map),
            _ => parallel(b, op, &mut map)?,
        };
        for (old, new) in ir.results(op).zip(results).collect::<Vec<_>>() {
            ir.replace_uses(old, new);
        }
        ir.erase(op);
    }
    for op in ir.walk(func) {
        access(ir, op);
    }
    Ok(())
}

fn is_region(ir: &Ir, op: OpId) -> bool {
    matches!(ir.opcode(op), Opcode::AffineFor | Opcode::AffineIf | Opcode::AffineParallel)
}

/// What one expression of operands is.
fn number(b: &mut Builder<'_>, map: &Map, at: usize, operands: &[ValueId]) -> ValueId {
    match map.results[at] {
        Expr::Dim(d) => operands[d as usize],
        Expr::Sym(s) => operands[(map.dims + s) as usize],
        Expr::Const(number) => b.index(number),
        _ => b.apply(Map { results: vec![map.results[at].clone()], ..map.clone() }, operands),
    }
}

/// The least or the greatest of what some expressions of operands are.
fn bound(
    b: &mut Builder<'_>,
    map: &Map,
    wanted: std::ops::Range<usize>,
    operands: &[ValueId],
    opcode: Opcode,
) -> ValueId {
    if wanted.len() == 1 {
        return number(b, map, wanted.start, operands);
    }
    let index = b.ir.index_type();
    let map = b.ir.intern(Attr::Map(Map { results: map.results[wanted].to_vec(), ..map.clone() }));
    b.value(opcode, operands, index, &[("map", map)])
}

/// A copy of a region's operations; what it hands on.
fn copy(b: &mut Builder<'_>, body: BlockId, map: &mut ValueMap) -> Vec<ValueId> {
    let ops = b.ir.ops_of(body);
    let (&end, ops) = ops.split_last().expect("a verified block has a terminator");
    for &op in ops {
        b.copy(op, map);
    }
    b.ir.operands(end).iter().map(|&value| map.get(value)).collect()
}

fn for_loop(b: &mut Builder<'_>, op: OpId, map: &mut ValueMap) -> Vec<ValueId> {
    let parts: Vec<Vec<ValueId>> = b.ir.segments(op).into_iter().map(<[ValueId]>::to_vec).collect();
    let bounds = ["lowerBoundMap", "upperBoundMap"].map(|name| b.ir.map(op, name).cloned().expect("it is verified"));
    let step = b.ir.attr(op, "step").and_then(Attr::as_i64).unwrap_or(1);
    let lower = bound(b, &bounds[0], 0..bounds[0].results.len(), &parts[0], Opcode::AffineMax);
    let upper = bound(b, &bounds[1], 0..bounds[1].results.len(), &parts[1], Opcode::AffineMin);
    let step = b.index(step);
    let body = b.ir.entry(op);
    let new = b.for_loop(lower, upper, step, &parts[2], |inner, iv, carried| {
        let args = inner.ir.args(body).to_vec();
        for (&arg, value) in args.iter().zip([iv].into_iter().chain(carried.iter().copied())) {
            map.set(arg, value);
        }
        copy(inner, body, map)
    });
    b.ir.results(new).collect()
}

fn branch(b: &mut Builder<'_>, op: OpId, map: &mut ValueMap) -> Vec<ValueId> {
    let Some(Attr::Set(set)) = b.ir.attr(op, "condition").cloned() else { panic!("a verified branch has a set") };
    let operands = b.ir.operands(op).to_vec();
    let truth = b.ir.int_type(1);
    let zero = b.index(0);
    let mut condition = b.int(1, truth);
    for (expr, is_equal) in set.constraints {
        /// `eq` and `sge` as `arith.cmpi` numbers them.
        const PREDICATES: [i64; 2] = [5, 0];
        let map = Map { dims: set.dims, syms: set.syms, results: vec![expr] };
        let value = number(b, &map, 0, &operands);
        let holds = compare(b, PREDICATES[usize::from(is_equal)], value, zero);
        condition = b.binary(Opcode::ArithAndi, condition, holds);
    }
    let types: Vec<_> = b.ir.results(op).map(|value| b.ir.type_of(value)).collect();
    let new = b.op(Opcode::ScfIf, &[condition], &types, &[]);
    for at in 0..2 {
        let region = b.ir.add_region(new);
        let Some(body) = b.ir.body(op, at) else { continue };
        let block = b.ir.add_block(region, &[]);
        let mut inner = Builder::at_end(b.ir, block, b.span);
        let values = copy(&mut inner, body, map);
        inner.op(Opcode::ScfYield, &values, &[], &[]);
    }
    b.ir.results(new).collect()
}

/// `scf.parallel`
fn parallel(b: &mut Builder<'_>, op: OpId, map: &mut ValueMap) -> Result<Vec<ValueId>, Diag> {
    if b.ir.results(op).len() > 0 {
        let message = "`affine.parallel` that reduces has no form in `scf`";
        return Err(Diag::error(Code::CannotAdmit, b.ir.span(op), message));
    }
    let body = b.ir.entry(op);
    let args = b.ir.args(body).to_vec();
    let mut operands = b.ir.operands(op).to_vec();
    let mut all = Vec::new();
    for (name, groups, opcode) in [
        ("lowerBoundsMap", "lowerBoundsGroups", Opcode::AffineMax),
        ("upperBoundsMap", "upperBoundsGroups", Opcode::AffineMin),
    ] {
        let bounds = b.ir.map(op, name).cloned().expect("it is verified");
        let rest = operands.split_off((bounds.dims + bounds.syms) as usize);
        let mut first = 0;
        for size in b.ir.dense_ints(op, groups, args.len()) {
            let end = first + size as usize;
            let value = bound(b, &bounds, first..end, &operands, opcode);
            all.push(value);
            first = end;
        }
        operands = rest;
    }
    let steps = b.ir.attr_id(op, "steps").and_then(|attr| b.ir.ints(attr)).unwrap_or_default();
    all.extend(steps.into_iter().map(|step| b.index(step)));
    let n = args.len();
    let segments = b.ir.segment_sizes(&[n, n, n, 0]);
    let new = b.op(Opcode::ScfParallel, &all, &[], &[("operandSegmentSizes", segments)]);
    let region = b.ir.add_region(new);
    let index = b.ir.index_type();
    let block = b.ir.add_block(region, &vec![index; n]);
    for (&arg, value) in args.iter().zip(b.ir.args(block).to_vec()) {
        map.set(arg, value);
    }
    let mut inner = Builder::at_end(b.ir, block, b.span);
    copy(&mut inner, body, map);
    inner.op(Opcode::ScfReduce, &[], &[], &[]);
    Ok(Vec::new())
}

/// An access at indices that are computed in front of it.
fn access(ir: &mut Ir, op: OpId) {
    let (opcode, first) = match ir.opcode(op) {
        Opcode::AffineLoad => (Opcode::MemrefLoad, 1),
        Opcode::AffineStore => (Opcode::MemrefStore, 2),
        _ => return,
    };
    let operands = ir.operands(op).to_vec();
    let map = ir.map(op, "map").cloned().expect("it is verified");
    let types: Vec<_> = ir.results(op).map(|value| ir.type_of(value)).collect();
    let b = &mut Builder::before(ir, op);
    let indices: Vec<ValueId> = (0..map.results.len()).map(|at| number(b, &map, at, &operands[first..])).collect();
    let new = b.op(opcode, &[&operands[..first], &indices[..]].concat(), &types, &[]);
    for (old, new) in ir.results(op).zip(ir.results(new)).collect::<Vec<_>>() {
        ir.replace_uses(old, new);
    }
    ir.erase(op);
}
