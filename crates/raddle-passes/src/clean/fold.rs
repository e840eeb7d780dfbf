//! Fold: replace operations whose results are known or stand already somewhere else.
//!
//! One sweep in program order, operands before users. Constants gather at the top of the function, or of the innermost
//! operation inside which nothing from outside is seen, each once: those that stand there keep their places, and every other goes in front of them.

use raddle_ir::{AttrId, BlockId, Class, Def, Ir, OpId, Opcode, TypeId, ValueId, dominance};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    assume, cast, control, dispatch, forall, index, indexed, isolates, lanes, linalg_ext, scalar, shape, tensor,
    transfer,
};

/// What became of an operation.
pub(super) enum Fold {
    /// These values stand for its results.
    Values(Vec<ValueId>),
    /// It stays, simpler.
    Changed,
    /// Its contents stand in its place, from this operation on; it is gone. The next sweep finds what follows it.
    Inlined(Option<OpId>),
}

impl Fold {
    /// One value stands for the only result.
    pub(super) fn value(value: ValueId) -> Option<Fold> {
        Some(Fold::Values(vec![value]))
    }
}

struct Sweep {
    /// Where constants gather.
    entry: BlockId,
    /// Constants by attributes and type.
    constants: FxHashMap<(AttrId, TypeId), ValueId>,
    /// Whether only constants have been met so far.
    at_top: bool,
    changed: bool,
}

/// Folds each operation of the function once; says whether anything changed.
pub(super) fn sweep(ir: &mut Ir, func: OpId) -> bool {
    let mut changed = false;
    for region in 0..ir.regions(func).len() {
        let Some(entry) = ir.body(func, region) else { continue };
        // Folds follow values to their definitions: there must be an end to it.
        if ir.opcode(func).orders_nothing() && uses_ahead(ir, entry) {
            continue;
        }
        let constants = FxHashMap::default();
        let mut cx = Sweep { entry, constants, at_top: true, changed: false };
        // Blocks that nothing leads to may use values in any order.
        for block in dominance::order(ir, ir.regions(func)[region]) {
            sweep_block(ir, &mut cx, block);
        }
        changed |= cx.changed;
    }
    changed
}

/// Whether an operation of the block, or one inside it, uses a value that the block defines further on.
fn uses_ahead(ir: &Ir, block: BlockId) -> bool {
    let mut met = FxHashSet::default();
    ir.block_ops(block).any(|op| {
        let inside = ir.walk(op);
        let mut operands = std::iter::once(&op).chain(&inside).flat_map(|&op| ir.operands(op));
        let ahead = operands.any(|&value| match ir.def(value) {
            Def::Result { op: def, .. } => ir.parent_block(def) == Some(block) && !met.contains(&def),
            Def::Arg { .. } => false,
        });
        met.insert(op);
        ahead
    })
}

fn sweep_block(ir: &mut Ir, cx: &mut Sweep, block: BlockId) {
    let mut next = ir.first_op(block);
    while let Some(op) = next {
        next = ir.next_op(op);
        if ir.opcode(op) == Opcode::ArithConstant {
            gather_constant(ir, cx, block, op);
            continue;
        }
        cx.at_top = false;
        match fold(ir, op) {
            Some(Fold::Values(values)) => {
                assert_eq!(values.len(), ir.results(op).len(), "one value for each result");
                for (result, value) in ir.results(op).zip(values) {
                    ir.replace_uses(result, value);
                }
                ir.erase(op);
                cx.changed = true;
            }
            Some(Fold::Inlined(first)) => {
                next = first.or(next);
                cx.changed = true;
            }
            Some(Fold::Changed) => {
                sweep_regions(ir, cx, op);
                cx.changed = true;
            }
            None if ir.regions(op).is_empty() => {}
            None => sweep_regions(ir, cx, op),
        }
    }
}

fn sweep_regions(ir: &mut Ir, cx: &mut Sweep, op: OpId) {
    if ir.regions(op).is_empty() || ir.class(op) == Class::Structured {
        return;
    }
    if isolates(ir, op) {
        cx.changed |= sweep(ir, op);
        return;
    }
    for region in ir.regions(op).to_vec() {
        for block in dominance::order(ir, region) {
            sweep_block(ir, cx, block);
        }
    }
}

/// Moves a constant to the top of the function, or merges it with the equal one that stands there.
fn gather_constant(ir: &mut Ir, cx: &mut Sweep, block: BlockId, op: OpId) {
    let result = ir.result(op, 0);
    let key = (ir.attr_dict(op), ir.type_of(result));
    if let Some(&known) = cx.constants.get(&key) {
        ir.replace_uses(result, known);
        ir.erase(op);
        cx.changed = true;
        return;
    }
    cx.constants.insert(key, result);
    // That it moves lets nothing else fold.
    if !(cx.at_top && block == cx.entry) {
        ir.detach(op);
        match ir.first_op(cx.entry) {
            Some(first) => ir.insert_before(first, op),
            None => ir.append(cx.entry, op),
        }
    }
}

fn fold(ir: &mut Ir, op: OpId) -> Option<Fold> {
    let class = ir.class(op);
    // Each value of laid-out IR states its layout; a fold would have to invent one.
    if !matches!(class, Class::Loop | Class::Branch) && ir.attr_id(op, "layouts").is_some() {
        return None;
    }
    match ir.opcode(op) {
        Opcode::IreeVectorExtTransferGather | Opcode::IreeVectorExtTransferScatter => return indexed::fold(ir, op),
        Opcode::TensorCast | Opcode::IreeGpuBufferResourceCast => return cast::fold(ir, op),
        Opcode::ScfForall => return forall::fold(ir, op),
        Opcode::AffineMin | Opcode::AffineMax => return index::fold(ir, op),
        _ => {}
    }
    let moved = match class {
        Class::Elementwise => return scalar::fold(ir, op).or_else(|| assume::fold(ir, op)),
        Class::Index => index::fold(ir, op),
        Class::Broadcast | Class::Transpose | Class::Reshape | Class::Slice => shape::fold(ir, op),
        Class::Layout => shape::fold_layout(ir, op),
        Class::Loop => control::fold_loop(ir, op),
        Class::Branch => control::fold_branch(ir, op),
        Class::Read | Class::Write => transfer::fold(ir, op),
        Class::Opaque
        | Class::View
        | Class::Alloc
        | Class::Empty
        | Class::Mask
        | Class::Reduce
        | Class::Module
        | Class::Function
        | Class::Yield
        | Class::Constant
        | Class::Contract
        | Class::Structured
        | Class::Barrier
        | Class::Id
        | Class::Shuffle
        | Class::Matrix
        | Class::Call => None,
    };
    moved
        .or_else(|| lanes::fold(ir, op))
        .or_else(|| tensor::fold(ir, op))
        .or_else(|| dispatch::fold(ir, op))
        .or_else(|| linalg_ext::fold(ir, op))
        .or_else(|| assume::fold(ir, op))
}
