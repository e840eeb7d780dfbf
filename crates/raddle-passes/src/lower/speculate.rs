//! Speculation: on chips without predicated accesses, a load under a condition happens anyway, at the beginning of its
//! buffer where the condition does not hold, or a constant behind it.
//!
//! ```mlir
//! // Before
//! %e:2 = scf.if %inside -> (f16, f16) {
//!   %v = vector.load %m[%at] : memref<64xf16>, vector<2xf16>
//!   %own:2 = vector.to_elements %v : vector<2xf16>
//!   scf.yield %own#0, %own#1 : f16, f16
//! } else {
//!   scf.yield %pad, %pad : f16, f16
//! }
//! // After
//! %safe = arith.select %inside, %at, %c0 : index
//! %v = vector.load %m[%safe] : memref<64xf16>, vector<2xf16>
//! %own:2 = vector.to_elements %v : vector<2xf16>
//! %word = vector.from_elements %own#0, %own#1 : vector<2xf16>
//! %pads = vector.from_elements %pad, %pad : vector<2xf16>
//! %w = arith.select %inside, %word, %pads : vector<2xf16>
//! %e:2 = vector.to_elements %w : vector<2xf16>
//! ```
//!
//! In a branch, LLVM waits for each load before the next one begins: a step of a product whose sizes do not divide would
//! take the time of as many round trips to memory as a thread has loads. Only loops of products are rewritten, and blocks
//! that [do not fit](super::fit), since LLVM moves nothing in front of a branch: kernels that wait for the memory alone had
//! better not ask it for more. Buffers are arguments that the kernel only reads, of so
//! many elements that the access at their beginning is inside.

use raddle_ir::views::GuardedLoad;
use raddle_ir::{BlockId, Builder, Class, Def, Ir, OpId, Opcode, Scalar, Type, ValueId};
use rustc_hash::FxHashMap;

/// Rewrites the branches of a lowered function that only load.
pub(super) fn speculate(ir: &mut Ir, func: OpId) {
    for loop_op in ir.walk(func) {
        if ir.opcode(loop_op) != Opcode::ScfFor || !is_of_product(ir, loop_op) {
            continue;
        }
        speculate_in(ir, func, ir.entry(loop_op));
    }
}

/// Rewrites the branches of a block that only load; whether there were any.
pub(super) fn speculate_in(ir: &mut Ir, func: OpId, block: BlockId) -> bool {
    let mut chosen = Places::default();
    for op in ir.ops_of(block) {
        if let Some(load) = guarded_load(ir, func, op) {
            rewrite(ir, op, load, &mut chosen);
        }
    }
    !chosen.is_empty()
}

/// Whether a loop multiplies tiles: by matrix instructions, or by threads that share tiles in shared memory.
fn is_of_product(ir: &Ir, loop_op: OpId) -> bool {
    let has = |is_it: &dyn Fn(OpId) -> bool| ir.block_ops(ir.entry(loop_op)).any(is_it);
    has(&|op| ir.class(op) == Class::Matrix)
        || has(&|op| ir.opcode(op) == Opcode::GpuBarrier) && has(&|op| ir.opcode(op) == Opcode::MathFma)
}

/// The load that is all that a branch does, if its elements are scalars and it may happen at the beginning of its buffer.
fn guarded_load(ir: &Ir, func: OpId, op: OpId) -> Option<OpId> {
    let GuardedLoad { load, others } = GuardedLoad::of(ir, op)?;
    let are_scalars = ir.results(op).all(|value| !ir.ty(value).is_vector());
    (are_scalars && begins_inside(ir, func, ir.operand(load, 0), others.len())).then_some(load)
}

/// Whether a buffer is an argument of the kernel, of so many elements at least, that is only read.
fn begins_inside(ir: &Ir, func: OpId, buffer: ValueId, n: usize) -> bool {
    let is_argument = matches!(ir.def(buffer), Def::Arg { block, .. } if block == ir.entry(func));
    let Type::MemRef { shape, .. } = ir.ty(buffer) else { return false };
    let is_read = |(user, _): (OpId, usize)| matches!(ir.opcode(user), Opcode::MemrefLoad | Opcode::VectorLoad);
    // An open extent is -1.
    is_argument && matches!(shape[..], [extent] if extent >= n as i64) && ir.uses(buffer).all(is_read)
}

/// The place that stands for one under a condition, by both.
type Places = FxHashMap<(ValueId, ValueId), ValueId>;

fn rewrite(ir: &mut Ir, op: OpId, load: OpId, chosen: &mut Places) {
    let (condition, buffer, at) = (ir.operand(op, 0), ir.operand(load, 0), ir.operand(load, 1));
    let otherwise = ir.body(op, 1).and_then(|block| ir.terminator(block)).expect("the branch yields values");
    let pads = ir.operands(otherwise).to_vec();
    let results: Vec<ValueId> = ir.results(op).collect();
    let (opcode, ty) = (ir.opcode(load), ir.type_of(ir.result(load, 0)));
    let (from, by) = from_inside(ir, load).map_or((at, None), |(from, by)| (from, Some(by)));
    let builder = &mut Builder::before(ir, op);
    builder.span = builder.ir.span(load);
    let index = builder.ir.index_type();
    let mut safe = *chosen.entry((condition, from)).or_insert_with(|| {
        let zero = builder.index(0);
        builder.value(Opcode::ArithSelect, &[condition, from, zero], index, &[])
    });
    if let Some(by) = by {
        safe = builder.value(Opcode::ArithAddi, &[safe, by], index, &[]);
    }
    let loaded = builder.value(opcode, &[buffer, safe], ty, &[]);
    let loaded = if opcode == Opcode::VectorLoad { elements(builder, loaded) } else { vec![loaded] };
    // As many elements as a register holds are chosen together.
    let elem = builder.ir.type_of(loaded[0]);
    let in_word = match Scalar::of(&builder.ir[elem]) {
        Some(Scalar::Index) | None => 1,
        Some(scalar) => (32 / scalar.bits().max(1) as usize).max(1),
    };
    let mut new = Vec::with_capacity(loaded.len());
    for (own, pads) in loaded.chunks(in_word).zip(pads.chunks(in_word)) {
        if own.len() < in_word || in_word == 1 {
            let choose = |(&own, &pad)| builder.value(Opcode::ArithSelect, &[condition, own, pad], elem, &[]);
            new.extend(own.iter().zip(pads).map(choose));
            continue;
        }
        let ty = builder.ir.vector_type(&[in_word as i64], elem);
        let [own, pads] = [own, pads].map(|of| builder.value(Opcode::VectorFromElements, of, ty, &[]));
        let word = builder.value(Opcode::ArithSelect, &[condition, own, pads], ty, &[]);
        new.extend(elements(builder, word));
    }
    for (old, new) in results.into_iter().zip(new) {
        ir.replace_uses(old, new);
    }
    ir.erase(op);
}

/// A place, and the constant by which that of a load lies behind it, where the load may happen that far from the beginning of
/// its buffer, by whole vectors: loads under one condition then choose one place, and instructions add the constant.
fn from_inside(ir: &Ir, load: OpId) -> Option<(ValueId, ValueId)> {
    let (buffer, at) = (ir.operand(load, 0), ir.operand(load, 1));
    let add = ir.def_op(at).filter(|&op| ir.opcode(op) == Opcode::ArithAddi)?;
    let (from, by) = (ir.operand(add, 0), ir.operand(add, 1));
    let n = ir.ty(ir.result(load, 0)).shape().map_or(1, |shape| shape[0]);
    let (distance, extent) = (ir.const_int(by)?, ir.shape_of(buffer)[0]);
    (distance % n == 0 && (0..=extent - n).contains(&distance)).then_some((from, by))
}

/// The elements of a vector of one dimension.
fn elements(builder: &mut Builder<'_>, vector: ValueId) -> Vec<ValueId> {
    let (elem, n) = (builder.ir.elem_of(vector), builder.ir.shape_of(vector)[0]);
    let split = builder.op(Opcode::VectorToElements, &[vector], &vec![elem; n as usize], &[]);
    builder.ir.results(split).collect()
}
