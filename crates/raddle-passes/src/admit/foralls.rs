//! Foralls: a program whose tiles nobody has given to workgroups goes through them one after the other.
//!
//! Before: `scf.forall (%i) = (0) to (128) step (32) shared_outs(%o = %c) { … tensor.parallel_insert_slice %t into %o[%i] … }`
//! After:  `scf.for %i = %c0 to %c128 step %c32 iter_args(%o = %c) { … tensor.insert_slice %t into %o[%i] … }`
//!
//! A function that says how it is launched keeps its loop, which is the grid.

use raddle_ir::views::{Forall, Mixed};
use raddle_ir::{BlockId, Builder, Code, Diag, Ir, OpId, Opcode, TypeId, ValueId, ValueMap};

use crate::facts::Facts;

/// The loops on tensors that are to run one after the other.
fn loops(ir: &Ir, func: OpId) -> Vec<OpId> {
    let is_free = ir.opcode(func) == Opcode::FuncFunc && ir.attr_id(func, "translation_info").is_none();
    let is_loop = |&op: &OpId| {
        ir.opcode(op) == Opcode::ScfForall && ir.results(op).len() > 0 && ir.attr_id(op, "mapping").is_none()
    };
    ir.walk(func).into_iter().filter(|op| is_free && is_loop(op)).collect()
}

/// Whether a function has such a loop.
pub(super) fn is_needed(ir: &Ir, func: OpId) -> bool {
    !loops(ir, func).is_empty()
}

/// Rewrites all of them.
pub(super) fn rewrite(ir: &mut Ir, func: OpId, facts: &Facts) {
    // A loop inside of another one is copied with it, and found again.
    while let Some(&op) = loops(ir, func).first() {
        let message = "the tiles of `scf.forall` are computed one after the other, each by kernels of its own";
        facts.remark(
            Diag::error(Code::KernelChoice, ir.span(op), message)
                .help("tiles that workgroups are to compute have a `mapping`, and the function a `translation_info`"),
        );
        let Forall { lower, upper, step, outputs } = Forall::of(ir, op);
        let body = ir.entry(op);
        let mut b = Builder::before(ir, op);
        let bounds = [lower, upper, step].map(|list| {
            let known = |&mixed: &Mixed| match mixed {
                Mixed::Value(value) => value,
                Mixed::Static(number) => b.index(number),
            };
            list.iter().map(known).collect::<Vec<ValueId>>()
        });
        let mut map = ValueMap::default();
        let results = nest(&mut b, body, &bounds, &outputs, &mut map);
        let old: Vec<ValueId> = ir.results(op).collect();
        for (old, new) in old.into_iter().zip(results) {
            ir.replace_uses(old, new);
        }
        ir.erase(op);
    }
}

/// The loops from the next one on, around a copy of the body; what the outputs are behind them.
fn nest(
    b: &mut Builder<'_>,
    body: BlockId,
    bounds: &[Vec<ValueId>; 3],
    outputs: &[ValueId],
    map: &mut ValueMap,
) -> Vec<ValueId> {
    let args = b.ir.args(body).to_vec();
    let depth = args.len() - outputs.len() - bounds[0].len();
    let [lower, upper, step] = bounds.each_ref().map(|list| list.first().copied());
    let (Some(lower), Some(upper), Some(step)) = (lower, upper, step) else {
        return iteration(b, body, outputs, map);
    };
    let inner = bounds.each_ref().map(|list| list[1..].to_vec());
    let op = b.for_loop(lower, upper, step, outputs, |b, index, carried| {
        map.set(args[depth], index);
        nest(b, body, &inner, carried, map)
    });
    b.ir.results(op).collect()
}

/// One iteration; each tile is put into what the one in front of it left.
fn iteration(b: &mut Builder<'_>, body: BlockId, outputs: &[ValueId], map: &mut ValueMap) -> Vec<ValueId> {
    let args = b.ir.args(body).to_vec();
    let shared = &args[args.len() - outputs.len()..];
    let mut current = outputs.to_vec();
    for (&arg, &value) in shared.iter().zip(outputs) {
        map.set(arg, value);
    }
    for op in b.ir.ops_of(body) {
        if b.ir.opcode(op) != Opcode::ScfForallInParallel {
            b.copy(op, map);
            continue;
        }
        let Some(tiles) = b.ir.body(op, 0) else { continue };
        for tile in b.ir.ops_of(tiles) {
            let Some(at) = shared.iter().position(|&arg| arg == b.ir.operand(tile, 1)) else { continue };
            let mut operands: Vec<ValueId> = b.ir.operands(tile).iter().map(|&value| map.get(value)).collect();
            operands[1] = current[at];
            let (ty, attrs): (TypeId, _) = (b.ir.type_of(current[at]), b.ir.attr_dict(tile));
            let insert = b.ir.create_with(Opcode::TensorInsertSlice, &operands, &[ty], attrs, b.ir.span(tile));
            b.place(insert);
            current[at] = b.ir.result(insert, 0);
        }
    }
    current
}
