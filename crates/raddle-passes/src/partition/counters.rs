//! Tensors of one whole number that the host asks for are numbers of the host, and so are those that loops carry.
//!
//! Before: `scf.for … iter_args(%n = %zero) -> tensor<i32> { %1 = tensor.extract %n[], …, %2 = linalg.generic (%n + 1),
//!         scf.yield %2 }`
//! After:  `scf.for … iter_args(%n = %c0) -> i32 { …, %2 = arith.addi %n, %c1, scf.yield %2 }`
//!
//! JAX counts in such tensors. A kernel that adds one, and a number that is read where it was written, are two meetings of
//! host and device in each round.
//!
//! Does not compute more than one number that kernels have made: one kernel may make the outcome of both.

use raddle_ir::{Attr, BlockId, Builder, Class, Def, Ir, OpId, Opcode, Type, TypeId, ValueId, ValueMap};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::structured::fill;

/// Whether an operation on numbers is one that every host computes: with signs, and of bits with truth values alone.
fn is_arithmetic(ir: &Ir, op: OpId) -> bool {
    let is_truth = |value: ValueId| matches!(ir.ty(value), Type::Integer { width: 1, .. });
    let of_truths = ir.operands(op).iter().all(|&value| is_truth(value));
    let gives_truth = ir.results(op).any(is_truth);
    match ir.opcode(op) {
        Opcode::ArithAddi
        | Opcode::ArithSubi
        | Opcode::ArithMuli
        | Opcode::ArithMinsi
        | Opcode::ArithMaxsi
        | Opcode::ArithExtsi
        | Opcode::ArithTrunci
        | Opcode::ArithIndexCast => !gives_truth && !ir.operands(op).iter().any(|&value| is_truth(value)),
        Opcode::ArithSelect => true,
        Opcode::ArithAndi | Opcode::ArithOri | Opcode::ArithExtui => of_truths,
        // In the order of `arith.cmpi`: the last ones take numbers without a sign.
        Opcode::ArithCmpi => {
            !of_truths && ir.attr(op, "predicate").and_then(Attr::as_i64).is_some_and(|at| at < UNSIGNED)
        }
        _ => ir.class(op) == Class::Constant,
    }
}

/// The first predicate of `arith.cmpi` that takes numbers without a sign.
const UNSIGNED: i64 = 6;

/// Rewrites such tensors in some blocks of a host.
pub(super) fn as_numbers(ir: &mut Ir, blocks: &[BlockId]) {
    for op in blocks.iter().flat_map(|&block| ir.ops_of(block)).collect::<Vec<_>>() {
        if matches!(ir.opcode(op), Opcode::ScfFor | Opcode::ScfWhile) {
            carry_numbers(ir, op);
        }
    }
    for op in blocks.iter().flat_map(|&block| ir.ops_of(block)).collect::<Vec<_>>() {
        if ir.opcode(op) != Opcode::TensorExtract || ir.operands(op).len() > 1 {
            continue;
        }
        let tensor = ir.operand(op, 0);
        let mut asked = Asked::default();
        if asked.is_number(ir, tensor, DEPTH_MAX) && asked.made.len() <= 1 {
            let number = asked.number(&mut Builder::before(ir, op), tensor);
            ir.replace_uses(ir.result(op, 0), number);
            ir.erase(op);
        }
    }
}

/// Operations one behind another that are looked through.
const DEPTH_MAX: usize = 256;

/// Which tensors are one whole number that the host knows or computes.
#[derive(Default)]
struct Asked {
    /// Those that are taken to be.
    known: FxHashSet<ValueId>,
    /// Those that kernels make, of which it computes others.
    made: FxHashSet<ValueId>,
    /// What was found out: each is looked at once, as chains share their parts.
    found: FxHashMap<ValueId, bool>,
    /// The numbers that were written.
    numbers: FxHashMap<ValueId, ValueId>,
}

impl Asked {
    fn is_number(&mut self, ir: &Ir, tensor: ValueId, depth: usize) -> bool {
        if self.known.contains(&tensor) {
            return true;
        }
        if let Some(&found) = self.found.get(&tensor) {
            return found;
        }
        let made = ir.def_op(tensor).filter(|_| is_one(ir, tensor) && depth > 0);
        let found = made.is_some_and(|made| match ir.opcode(made) {
            Opcode::ArithConstant => splat(ir, made).is_some(),
            Opcode::LinalgFill | Opcode::TensorFromElements => true,
            Opcode::LinalgGeneric if is_of_host(ir, made) => {
                for &input in &ir.operands(made)[..ir.operands(made).len() - 1] {
                    if !self.is_number(ir, input, depth - 1) {
                        self.made.insert(input);
                    }
                }
                true
            }
            _ => false,
        });
        self.found.insert(tensor, found);
        found
    }

    /// What a tensor of one number has, as a number.
    fn number(&mut self, builder: &mut Builder<'_>, tensor: ValueId) -> ValueId {
        if let Some(&number) = self.numbers.get(&tensor) {
            return number;
        }
        let made = builder.ir.def_op(tensor).filter(|_| self.found.get(&tensor) == Some(&true));
        let number = match made.map(|made| (made, builder.ir.opcode(made))) {
            Some((made, Opcode::ArithConstant)) => {
                let value = splat(builder.ir, made).expect("it is a number");
                let elem = builder.ir.elem_of(tensor);
                builder.constant(value, elem)
            }
            Some((made, Opcode::LinalgFill | Opcode::TensorFromElements)) => builder.ir.operand(made, 0),
            Some((made, _)) => {
                let inputs = builder.ir.operands(made).to_vec();
                let body = builder.ir.entry(made);
                let mut map = ValueMap::default();
                for (arg, &input) in builder.ir.args(body).to_vec().into_iter().zip(&inputs[..inputs.len() - 1]) {
                    let value = self.number(builder, input);
                    map.set(arg, value);
                }
                let end = builder.ir.terminator(body).expect("a body has an end");
                for op in builder.ir.ops_of(body).into_iter().filter(|&op| op != end) {
                    builder.copy(op, &mut map);
                }
                map.get(builder.ir.operand(end, 0))
            }
            None => {
                let elem = builder.ir.elem_of(tensor);
                let extract = builder.op(Opcode::TensorExtract, &[tensor], &[elem], &[]);
                builder.ir.result(extract, 0)
            }
        };
        self.numbers.insert(tensor, number);
        number
    }
}

/// Whether a tensor has one whole number, and no dimensions.
pub(super) fn is_one(ir: &Ir, tensor: ValueId) -> bool {
    let is_whole = matches!(ir[ir.elem_of(tensor)], Type::Index | Type::Integer { width: 1..=64, .. });
    is_whole && matches!(ir.ty(tensor), Type::Tensor { .. }) && ir.shape_of(tensor).is_empty()
}

/// Whether an operation on numbers in tensors is arithmetic of the host.
fn is_of_host(ir: &Ir, generic: OpId) -> bool {
    let operands = ir.operands(generic);
    let body = ir.entry(generic);
    let of_host = |op: OpId| ir.class(op) == Class::Yield || is_arithmetic(ir, op);
    let is_scalar = |op: OpId| {
        ir.operands(op).iter().all(|&value| match ir.def(value) {
            // Nothing of what the result was before, and no constant of the body's own but whole numbers.
            Def::Arg { block, index } => block != body || (index as usize) + 1 < operands.len(),
            Def::Result { .. } => matches!(ir.ty(value), Type::Index | Type::Integer { width: 1..=64, .. }),
        })
    };
    ir.results(generic).len() == 1
        && operands.iter().all(|&operand| is_one(ir, operand))
        && ir.block_ops(body).all(|op| of_host(op) && is_scalar(op))
}

/// The number of a constant tensor.
fn splat(ir: &Ir, constant: OpId) -> Option<Attr> {
    let Some(Attr::Dense { ty, bytes, .. }) = ir.attr(constant, "value") else { return None };
    let ty = ir[*ty].elem()?;
    let value = bytes.iter().rev().fold(0u64, |value, &byte| value << 8 | u64::from(byte));
    let spare = 64 - 8 * bytes.len().min(8) as u32;
    (bytes.len() <= 8).then(|| Attr::Int { value: i128::from((value << spare) as i64 >> spare), ty })
}

/// Lets a loop carry numbers instead of tensors of one number, where each round computes them of such.
fn carry_numbers(ir: &mut Ir, op: OpId) {
    let is_while = ir.opcode(op) == Opcode::ScfWhile;
    let first = if is_while { 0 } else { 3 };
    let Some(begins) = ir.body(op, 0) else { return };
    let ends = if is_while { ir.body(op, 1) } else { Some(begins) };
    let Some((ends, last)) = ends.and_then(|block| Some((block, ir.terminator(block)?))) else { return };
    let args: Vec<ValueId> = ir.args(begins)[usize::from(!is_while)..].to_vec();
    let condition = ir.terminator(begins).filter(|_| is_while);
    let passed: Vec<ValueId> = condition.map_or(Vec::new(), |end| ir.operands(end)[1..].to_vec());
    let after: Vec<ValueId> = if is_while { ir.args(ends).to_vec() } else { Vec::new() };

    // All that may be, until each follows from the others.
    let mut known: FxHashSet<ValueId> = args.iter().copied().filter(|&arg| is_one(ir, arg)).collect();
    known.extend(after.iter().copied().filter(|&arg| is_one(ir, arg)));
    let follows = |ir: &Ir, value: ValueId, known: &FxHashSet<ValueId>| {
        let mut asked = Asked { known: known.clone(), ..Asked::default() };
        asked.is_number(ir, value, DEPTH_MAX) && asked.made.is_empty()
    };
    loop {
        let n = known.len();
        for (&arg, &given) in args.iter().zip(ir.operands(last)).chain(after.iter().zip(&passed)) {
            if known.contains(&arg) && !follows(ir, given, &known) {
                known.remove(&arg);
            }
        }
        if known.len() == n {
            break;
        }
    }
    if known.is_empty() {
        return;
    }
    for (at, &arg) in args.iter().enumerate().filter(|(_, arg)| known.contains(arg)) {
        let elem = ir.elem_of(arg);
        let init = ir.operand(op, first + at);
        let mut asked = Asked::default();
        asked.is_number(ir, init, DEPTH_MAX);
        let init = asked.number(&mut Builder::before(ir, op), init);
        ir.set_operand(op, first + at, init);
        give_number(ir, last, at);
        be_number(ir, arg, elem);
        if !is_while {
            be_number(ir, ir.result(op, at), elem);
        }
    }
    for (at, &arg) in after.iter().enumerate().filter(|(_, arg)| known.contains(arg)) {
        let elem = ir.elem_of(arg);
        give_number(ir, condition.expect("a loop with two blocks has a condition"), at + 1);
        be_number(ir, arg, elem);
        be_number(ir, ir.result(op, at), elem);
    }
}

/// What the end of a block gives as a tensor it gives as the number in it, which may be one only when all of its tensors are.
fn give_number(ir: &mut Ir, end: OpId, at: usize) {
    let tensor = ir.operand(end, at);
    let builder = &mut Builder::before(ir, end);
    let elem = builder.ir.elem_of(tensor);
    let extract = builder.op(Opcode::TensorExtract, &[tensor], &[elem], &[]);
    let number = builder.ir.result(extract, 0);
    ir.set_operand(end, at, number);
}

/// Makes a value a number, which who wants the tensor puts into one.
fn be_number(ir: &mut Ir, value: ValueId, elem: TypeId) {
    let ty = ir.type_of(value);
    ir.set_type(value, elem);
    let next = match ir.def(value) {
        Def::Arg { block, .. } => ir.first_op(block),
        Def::Result { op, .. } => ir.next_op(op),
    };
    let Some(next) = next.filter(|_| !ir.is_unused(value)) else { return };
    let users: Vec<(OpId, usize)> = ir.uses(value).collect();
    let builder = &mut Builder::before(ir, next);
    let empty = builder.op(Opcode::TensorEmpty, &[], &[ty], &[]);
    let empty = builder.ir.result(empty, 0);
    let filled = fill(builder, value, empty);
    for (user, at) in users {
        ir.set_operand(user, at, filled);
    }
}
