//! Range: a loop over a reduction, whose result stays as it is outside of a range of indices, goes over that range alone.
//!
//! Before: `scf.for %k = 0 to 65536 step 128`, in which the element at `%i` joins a sum where `%first <= %i` and `%i < %end`
//! After:  `scf.for %k = %a to %b step 128`, from the multiple of 128 at or in front of `%first` to that at or behind `%end`
//!
//! The bounds are numbers that one tile has: elements of arguments at places that are the same for all of it, and what is
//! computed from these. So the sums of an embedding bag, which PyTorch's importer writes as one over all words for each bag,
//! read the words of their bags.
//!
//! Does not touch loops of which it is not known that steps divide them, nor unsigned comparisons.

use raddle_ir::affine::BinOp;
use raddle_ir::ops::Neutral;
use raddle_ir::views::Linalg;
use raddle_ir::{Attr, Builder, Def, Expr, Ir, Map, OpId, Opcode, Type, TypeId, ValueId, ValueMap};

use crate::structured::body;

/// `arith.cmpi`'s signed predicates, and that of equality.
const EQ: i64 = 0;
const SLT: i64 = 2;
const SLE: i64 = 3;
const SGT: i64 = 4;
const SGE: i64 = 5;

/// Operations that a bound is computed by, at most.
const OPERATIONS_MAX: usize = 16;

/// Narrows such loops of a function.
pub(super) fn narrow(ir: &mut Ir, func: OpId) {
    for op in ir.walk(func) {
        if ir.opcode(op) != Opcode::ScfFor {
            continue;
        }
        let Some(steps) = Steps::of(ir, op) else { continue };
        let bounds = steps.bounds(ir);
        if !bounds.is_empty() {
            steps.write(ir, &bounds);
        }
    }
}

/// A loop that does nothing but run a structured operation on what it carries.
struct Steps {
    op: OpId,
    structured: OpId,
    end: i64,
    step: i64,
}

/// A bound of the indices at which something happens.
struct Bound {
    value: ValueId,
    /// Whether indices are at least the value, and not below it.
    is_first: bool,
    /// What is added to the value so that it is such a bound: comparisons may be strict.
    added: i64,
}

impl Steps {
    fn of(ir: &Ir, op: OpId) -> Option<Steps> {
        let [lower, end, step] = [0, 1, 2].map(|i| ir.const_int(ir.operand(op, i)));
        let (end, step) = (end?, step.filter(|&step| step > 0)?);
        let block = ir.entry(op);
        let carried = &ir.args(block)[1..];
        let last = ir.terminator(block)?;
        let uses_carried = |&inner: &OpId| ir.operands(inner).iter().any(|value| carried.contains(value));
        let mut using = ir.block_ops(block).filter(|&inner| inner != last).filter(uses_carried);
        let structured = using.next().filter(|_| using.next().is_none())?;
        let linalg = Linalg::try_of(ir, structured)?;
        let is_pure = |inner: OpId| inner == last || inner == structured || ir.opcode(inner).info().is_pure();
        let fits = lower == Some(0)
            && end > step
            && end % step == 0
            && linalg.outputs == carried
            && !linalg.inputs.iter().any(|value| carried.contains(value))
            && ir.results(structured).eq(ir.operands(last).iter().copied())
            && ir.block_ops(block).all(is_pure);
        fits.then_some(Steps { op, structured, end, step })
    }

    /// The bounds that hold for all that happens.
    fn bounds(&self, ir: &Ir) -> Vec<Bound> {
        let n = ir.results(self.structured).len();
        let mut conditions = self.conditions(ir, 0);
        for output in 1..n {
            let others = self.conditions(ir, output);
            conditions.retain(|condition| others.contains(condition));
        }
        let bounds = conditions.into_iter().filter_map(|condition| self.bound(ir, condition));
        bounds.filter(|bound| self.is_known(ir, bound.value, &mut Vec::new())).collect()
    }

    /// What must hold so that an output changes.
    fn conditions(&self, ir: &Ir, output: usize) -> Vec<ValueId> {
        let args = ir.args(ir.entry(self.structured));
        let results = ir.operands(body::yield_of(ir, self.structured));
        let (old, new) = (args[args.len() - results.len() + output], results[output]);
        let Some(made) = ir.def_op(new) else { return Vec::new() };
        if ir.opcode(made) == Opcode::ArithSelect && ir.operand(made, 2) == old {
            return conjuncts(ir, ir.operand(made, 0));
        }
        let Some(reduction) = body::reduction_of(ir, self.structured, output) else { return Vec::new() };
        // What changes nothing is extended to the same.
        let mut value = reduction.value;
        while let Some(made) = ir.def_op(value).filter(|&made| ir.opcode(made) == Opcode::ArithExtf) {
            value = ir.operand(made, 0);
        }
        let selects = |made: &OpId| {
            ir.opcode(*made) == Opcode::ArithSelect && changes_nothing(ir, reduction.op, ir.operand(*made, 2))
        };
        ir.def_op(value).filter(selects).map_or(Vec::new(), |made| conjuncts(ir, ir.operand(made, 0)))
    }

    /// The bound that a condition is, if it is one.
    fn bound(&self, ir: &Ir, condition: ValueId) -> Option<Bound> {
        let made = ir.def_op(condition)?;
        let (predicate, [a, b]) = compared(ir, made).or_else(|| inclusive(ir, made))?;
        let predicate = match (self.is_place(ir, a), self.is_place(ir, b)) {
            (true, false) => predicate,
            (false, true) => turned(predicate)?,
            _ => return None,
        };
        let value = if self.is_place(ir, a) { b } else { a };
        let (is_first, added) = match predicate {
            SGE => (true, 0),
            SGT => (true, 1),
            SLT => (false, 0),
            SLE => (false, 1),
            _ => return None,
        };
        Some(Bound { value, is_first, added })
    }

    /// Whether a value is the index of an iteration, from the loop's index up to the next step, perhaps as an integer that
    /// holds it.
    fn is_place(&self, ir: &Ir, value: ValueId) -> bool {
        let index = ir.args(ir.entry(self.op))[0];
        let Some(made) = ir.def_op(value) else { return value == index };
        match ir.opcode(made) {
            Opcode::ArithIndexCast => holds(ir, ir.type_of(value), self.end) && self.is_place(ir, ir.operand(made, 0)),
            Opcode::AffineApply => {
                let is_inner = |value: &ValueId| self.extent_of(ir, *value).is_some_and(|extent| extent <= self.step);
                let sum = match ir.attr(made, "map") {
                    Some(Attr::Map(map)) => matches!(&map.results[..],
                        [Expr::Add(a, b)] if matches!((&**a, &**b),
                            (Expr::Dim(_) | Expr::Sym(_), Expr::Dim(_) | Expr::Sym(_)) if a != b)),
                    _ => false,
                };
                let operands = ir.operands(made);
                sum && operands.len() == 2 && operands.contains(&index) && operands.iter().any(is_inner)
            }
            _ => false,
        }
    }

    /// How many indices the structured operation's loop has of which a value is the index.
    fn extent_of(&self, ir: &Ir, value: ValueId) -> Option<i64> {
        let made = ir.def_op(value).filter(|&made| ir.opcode(made) == Opcode::LinalgIndex)?;
        let d = usize::try_from(ir.attr(made, "dim")?.as_i64()?).ok()?;
        Linalg::of(ir, self.structured).extents(ir).get(d).copied().filter(|&extent| extent > 0)
    }

    /// Whether a value is in the loop.
    fn is_inside(&self, ir: &Ir, value: ValueId) -> bool {
        let mut block = match ir.def(value) {
            Def::Arg { block, .. } => Some(block),
            Def::Result { op, .. } => ir.parent_block(op),
        };
        while let Some(inner) = block {
            let parent = ir.region_parent(ir.block_region(inner));
            if parent == self.op {
                return true;
            }
            block = ir.parent_block(parent);
        }
        false
    }

    /// The tensor from outside of the loop whose one element an argument of the body is.
    fn element(&self, ir: &Ir, value: ValueId) -> Option<ValueId> {
        let linalg = Linalg::of(ir, self.structured);
        let at = ir.args(ir.entry(self.structured)).iter().position(|&arg| arg == value)?;
        let tensor = *linalg.inputs.get(at)?;
        let is_one = ir.ty(tensor).shape().is_some_and(|shape| shape.iter().all(|&extent| extent == 1));
        (is_one && !self.is_inside(ir, tensor) && is_in_memory(ir, tensor)).then_some(tensor)
    }

    /// Whether a value is the same number for the whole tile in every step, and can be computed in front of the loop.
    /// `known` are values of which that has been asked.
    fn is_known(&self, ir: &Ir, value: ValueId, known: &mut Vec<ValueId>) -> bool {
        if known.contains(&value) || !self.is_inside(ir, value) {
            return true;
        }
        let Some(made) = ir.def_op(value) else { return self.element(ir, value).is_some() };
        if known.len() == OPERATIONS_MAX {
            return false;
        }
        let operands = ir.operands(made);
        let is_known = match ir.opcode(made) {
            Opcode::LinalgIndex => self.extent_of(ir, value) == Some(1),
            Opcode::TensorExtract => {
                is_in_memory(ir, operands[0]) && operands[1..].iter().all(|&at| self.is_known(ir, at, known))
            }
            opcode => {
                let is_scalar = ir.ty(value).shape().is_none() && ir.regions(made).is_empty();
                opcode.info().is_pure() && is_scalar && operands.iter().all(|&value| self.is_known(ir, value, known))
            }
        };
        if is_known {
            known.push(value);
        }
        is_known
    }

    /// A value that is known, in front of the loop.
    fn compute(&self, builder: &mut Builder<'_>, value: ValueId, map: &mut ValueMap) -> ValueId {
        if let Some(new) = map.find(value) {
            return new;
        }
        if !self.is_inside(builder.ir, value) {
            return value;
        }
        let new = match builder.ir.def_op(value) {
            None => {
                let tensor = self.element(builder.ir, value).expect("it is known");
                let at = vec![builder.index(0); builder.ir.shape_of(tensor).len()];
                let elem = builder.ir.elem_of(tensor);
                builder.value(Opcode::TensorExtract, &[&[tensor], &at[..]].concat(), elem, &[])
            }
            Some(made) if builder.ir.opcode(made) == Opcode::LinalgIndex => builder.index(0),
            Some(made) => {
                for operand in builder.ir.operands(made).to_vec() {
                    let new = self.compute(builder, operand, map);
                    map.set(operand, new);
                }
                builder.copy(made, map);
                return map.get(value);
            }
        };
        map.set(value, new);
        new
    }

    /// Lets the loop go over the steps that have indices within the bounds.
    fn write(&self, ir: &mut Ir, bounds: &[Bound]) {
        let builder = &mut Builder::before(ir, self.op);
        let mut map = ValueMap::default();
        let (mut first, mut end) = (None, None);
        for bound in bounds {
            let value = self.compute(builder, bound.value, &mut map);
            let ty = builder.ir.type_of(value);
            // Within the loop's range, so that nothing overflows.
            let (least, greatest) = (builder.int(-bound.added, ty), builder.int(self.end - bound.added, ty));
            let value = builder.binary(Opcode::ArithMaxsi, value, least);
            let value = builder.binary(Opcode::ArithMinsi, value, greatest);
            let index = builder.ir.index_type();
            let value = match ty == index {
                true => value,
                false => builder.value(Opcode::ArithIndexCast, &[value], index, &[]),
            };
            let more = bound.added + if bound.is_first { 0 } else { self.step - 1 };
            let place = Expr::binary(BinOp::Add, Expr::Dim(0), Expr::Const(more));
            let steps = Expr::binary(BinOp::FloorDiv, place, Expr::Const(self.step));
            let result = Expr::binary(BinOp::Mul, steps, Expr::Const(self.step));
            let value = builder.apply(Map { dims: 1, syms: 0, results: vec![result] }, &[value]);
            let (known, narrower) = match bound.is_first {
                true => (&mut first, Opcode::ArithMaxsi),
                false => (&mut end, Opcode::ArithMinsi),
            };
            *known = Some(known.map_or(value, |other| builder.binary(narrower, other, value)));
        }
        for (i, value) in [(0, first), (1, end)] {
            if let Some(value) = value {
                ir.set_operand(self.op, i, value);
            }
        }
    }
}

/// Whether a tensor is a part of an argument of the function: an element of what the kernel computes is one thread's alone.
fn is_in_memory(ir: &Ir, mut tensor: ValueId) -> bool {
    while let Some(made) = ir.def_op(tensor).filter(|&made| ir.opcode(made) == Opcode::TensorExtractSlice) {
        tensor = ir.operand(made, 0);
    }
    match ir.def(tensor) {
        Def::Arg { block, .. } => ir.opcode(ir.region_parent(ir.block_region(block))) == Opcode::FuncFunc,
        Def::Result { .. } => false,
    }
}

/// Conditions that hold together where one does.
fn conjuncts(ir: &Ir, condition: ValueId) -> Vec<ValueId> {
    let (mut found, mut waiting) = (Vec::new(), vec![condition]);
    while let Some(value) = waiting.pop() {
        match ir.def_op(value).filter(|&made| ir.opcode(made) == Opcode::ArithAndi) {
            Some(made) => waiting.extend(ir.operands(made)),
            None => found.push(value),
        }
    }
    found
}

/// Whether an element is the constant that changes nothing where an operation combines it with another one.
fn changes_nothing(ir: &Ir, combines: OpId, value: ValueId) -> bool {
    let Some((_, neutral)) = ir.opcode(combines).info().combines() else { return false };
    let constant = ir.def_op(value).filter(|&made| ir.opcode(made) == Opcode::ArithConstant);
    let Some(attr) = constant.and_then(|made| ir.attr(made, "value")) else { return false };
    match neutral {
        Neutral::Float(neutral) => attr.as_f64().is_some_and(|number| number.to_bits() == neutral.to_bits()),
        Neutral::Int(neutral) => attr.as_i64().is_some_and(|number| i128::from(number) == neutral),
        Neutral::LeastFloat => attr.as_f64() == Some(f64::NEG_INFINITY),
        Neutral::GreatestFloat => attr.as_f64() == Some(f64::INFINITY),
        Neutral::Least | Neutral::Greatest => false,
    }
}

/// The predicate and the operands of a comparison of integers.
fn compared(ir: &Ir, op: OpId) -> Option<(i64, [ValueId; 2])> {
    let predicate = (ir.opcode(op) == Opcode::ArithCmpi).then(|| ir.attr(op, "predicate")?.as_i64()).flatten()?;
    Some((predicate, [ir.operand(op, 0), ir.operand(op, 1)]))
}

/// The comparison that a strict one, or else equality of the same operands, is.
fn inclusive(ir: &Ir, op: OpId) -> Option<(i64, [ValueId; 2])> {
    if ir.opcode(op) != Opcode::ArithOri {
        return None;
    }
    let [one, other] = [0, 1].map(|i| ir.def_op(ir.operand(op, i)).and_then(|made| compared(ir, made)));
    let ((strict, operands), (_, others)) = match (one?, other?) {
        (equal @ (EQ, _), strict) | (strict, equal @ (EQ, _)) => (strict, equal),
        _ => return None,
    };
    let same = operands == others || operands == [others[1], others[0]];
    let predicate = match strict {
        SLT => SLE,
        SGT => SGE,
        _ => return None,
    };
    same.then_some((predicate, operands))
}

/// A predicate for the operands in the other order.
fn turned(predicate: i64) -> Option<i64> {
    Some(match predicate {
        SLT => SGT,
        SLE => SGE,
        SGT => SLT,
        SGE => SLE,
        _ => return None,
    })
}

/// Whether a type has all numbers up to one.
fn holds(ir: &Ir, ty: TypeId, number: i64) -> bool {
    match ir[ty] {
        Type::Index => true,
        Type::Integer { width, .. } => width >= 64 || width > 1 && number < 1 << (width - 1),
        _ => false,
    }
}
