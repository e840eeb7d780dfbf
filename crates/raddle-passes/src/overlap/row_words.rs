//! Words of rows: sums of products along rows of both factors are taken as a machine adds products, those of integers by
//! words, and those of floats as they are made.
//!
//! Before:
//!
//! ```mlir
//! %s = scf.for %k iter_args(%sums = 0) -> (vector<4x32xi32>) { addi %sums, (muli (extsi %a), (extsi %b)) }
//! %r = vector.multi_reduction <add>, %s, %acc [1]
//! ```
//!
//! After: half as many sums, `raddle.short_dot %a, %b, %sums` of words that are pairs of elements.
//!
//! Integers wrap around, so that sums are the same in any order. In sums of floats, which are in another order than the
//! program's anyway, `addf %sums, (mulf %a, %b)` is `math.fma %a, %b, %sums`. Loops of any other form stay.

use raddle_ir::{Builder, Ir, OpId, Opcode, Scalar, ValueId, ValueMap};
use raddle_target::{Dot, NativeVectors};

use crate::clean;
use crate::code::is_zeros;
use crate::overlap::without_layout;

/// Takes the sums of a kernel by words where it can.
pub fn row_words(ir: &mut Ir, func: OpId, vectors: NativeVectors) {
    if vectors.machine().fused {
        for op in ir.walk(func) {
            if ir.opcode(op) == Opcode::ScfFor {
                fuse(ir, op);
            }
        }
    }
    if !vectors.dots.contains(&Dot::Shorts) {
        return;
    }
    for op in ir.walk(func) {
        if ir.opcode(op) == Opcode::ScfFor
            && let Some(sums) = Sums::of(ir, op, vectors)
        {
            sums.by_words(ir, func);
        }
    }
}

/// A loop that sums products of integers, element by element.
struct Sums {
    loop_op: OpId,
    /// The factors, before they were widened.
    factors: [ValueId; 2],
    /// What is yielded.
    sum: ValueId,
    /// Who adds up the elements along the last dimension.
    reductions: Vec<OpId>,
}

impl Sums {
    fn of(ir: &Ir, loop_op: OpId, vectors: NativeVectors) -> Option<Sums> {
        let body = ir.entry(loop_op);
        let ([_, sums], [_, _, _, init]) = (ir.args(body), ir.operands(loop_op)) else { return None };
        let end = ir.terminator(body)?;
        let sum = ir.operand(end, 0);
        let only = |value: ValueId, opcode: Opcode| {
            let op = ir.def_op(value).filter(|&op| ir.opcode(op) == opcode && ir.parent_block(op) == Some(body));
            op.filter(|_| ir.uses(value).count() == 1)
        };
        let add = only(sum, Opcode::ArithAddi)?;
        let [a, b] = [0, 1].map(|at| without_layout(ir, ir.operand(add, at)));
        let product = match (a == *sums, b == *sums) {
            (true, false) => b,
            (false, true) => a,
            _ => return None,
        };
        let product = only(product, Opcode::ArithMuli)?;
        let factor = |at: usize| {
            let op = ir.def_op(ir.operand(product, at)).filter(|&op| ir.opcode(op) == Opcode::ArithExtsi)?;
            Some(ir.operand(op, 0))
        };
        let factors = [factor(0)?, factor(1)?];
        let elem = |value: ValueId| Scalar::of(&ir[ir.elem_of(value)]);
        vectors.dot_of([elem(factors[0])?, elem(factors[1])?, elem(sum)?])?;
        let whole = ir.shape_of(sum).last()? % (Dot::Shorts.parts() * vectors.lanes) == 0;
        let reductions = reductions(ir, ir.result(loop_op, 0))?;
        let alone = ir.uses(*sums).count() == 1;
        (whole && alone && is_zeros(ir, *init)).then_some(Sums { loop_op, factors, sum, reductions })
    }

    fn by_words(&self, ir: &mut Ir, func: OpId) {
        let [lower, upper, step, _] = ir.operands(self.loop_op)[..] else { unreachable!("a loop of one sum") };
        let body = ir.entry(self.loop_op);
        let ([index, old_sums], ops) = ([0, 1].map(|at| ir.args(body)[at]), ir.ops_of(body));
        let mut shape = ir.shape_of(self.sum).to_vec();
        let words: Vec<i64> = {
            let last = shape.last_mut().expect("a sum along rows has a dimension");
            *last /= Dot::Shorts.parts();
            shape
        };
        let builder = &mut Builder::before(ir, self.loop_op);
        let ty = builder.ir.vector_type(&words, builder.ir.elem_of(self.sum));
        let zeros = builder.splat(0.0, ty);
        let sums = builder.for_loop(lower, upper, step, &[zeros], |builder, at, carried| {
            let mut map = ValueMap::default();
            map.set(index, at);
            // All but what becomes of sums.
            let mut sums = vec![old_sums];
            for op in ops {
                if builder.ir.operands(op).iter().any(|value| sums.contains(value)) {
                    sums.extend(builder.ir.results(op));
                } else {
                    builder.copy(op, &mut map);
                }
            }
            let [a, b] = self.factors.map(|value| words_of(builder, map.get(value), &words));
            vec![builder.value(Opcode::RaddleShortDot, &[a, b, carried[0]], ty, &[])]
        });
        let sums = builder.ir.result(sums, 0);
        for &reduction in &self.reductions {
            ir.set_operand(reduction, 0, sums);
        }
        clean::clean(ir, func);
    }
}

/// Lets the sums of a loop add products of floats as they are made.
fn fuse(ir: &mut Ir, loop_op: OpId) {
    let body = ir.entry(loop_op);
    let (Some(end), args) = (ir.terminator(body), ir.args(body)[1..].to_vec()) else { return };
    for (at, sums) in args.into_iter().enumerate() {
        let only = |value: ValueId, opcode: Opcode| {
            let op = ir.def_op(value).filter(|&op| ir.opcode(op) == opcode && ir.parent_block(op) == Some(body));
            op.filter(|_| ir.uses(value).count() == 1)
        };
        let Some(add) = only(ir.operand(end, at), Opcode::ArithAddf) else { continue };
        let Some(which) = (0..2).find(|&at| without_layout(ir, ir.operand(add, at)) == sums) else { continue };
        let Some(product) = only(ir.operand(add, 1 - which), Opcode::ArithMulf) else { continue };
        let result = ir.result(add, 0);
        let is_wide = Scalar::of(&ir[ir.elem_of(result)]).is_some_and(|elem| elem.bits() >= 32);
        if is_wide && reductions(ir, ir.result(loop_op, at)).is_some() {
            let operands = [ir.operand(product, 0), ir.operand(product, 1), ir.operand(add, which)];
            let ty = ir.type_of(result);
            let fused = Builder::before(ir, add).value(Opcode::MathFma, &operands, ty, &[]);
            ir.replace_uses(result, fused);
            ir.erase(add);
            ir.erase(product);
        }
    }
}

/// The reductions that add up the elements of a loop's sums along their last dimension; `None` if these are used otherwise.
fn reductions(ir: &Ir, sums: ValueId) -> Option<Vec<OpId>> {
    let last = ir.shape_of(sums).len() as i64 - 1;
    let (mut found, mut open) = (Vec::new(), vec![sums]);
    while let Some(value) = open.pop() {
        for (user, _) in ir.uses(value) {
            if is_layout(ir, user) {
                open.push(ir.result(user, 0));
                continue;
            }
            let dims = ir.attr_id(user, "reduction_dims").and_then(|attr| ir.ints(attr)).unwrap_or_default();
            let adds = ir.keyword_of(user, "kind").is_some_and(|kind| kind == "add");
            (ir.opcode(user) == Opcode::VectorMultiReduction && adds && dims.contains(&last)).then_some(())?;
            found.push(user);
        }
    }
    Some(found)
}

/// Pairs of a factor's elements as words.
fn words_of(builder: &mut Builder<'_>, value: ValueId, shape: &[i64]) -> ValueId {
    let elem = Scalar::of(&builder.ir[builder.ir.elem_of(value)]).expect("integers are multiplied");
    let word = builder.ir.int_type(elem.bits() * Dot::Shorts.parts() as u32);
    let ty = builder.ir.vector_type(shape, word);
    builder.value(Opcode::VectorBitcast, &[value], ty, &[])
}

/// Whether an operation only says how a value is laid out, which is nothing to one thread.
fn is_layout(ir: &Ir, op: OpId) -> bool {
    ir.opcode(op) == Opcode::IreeVectorExtToLayout
}
