//! Indices, divisors and radicands: which arguments name places of other tensors, so that random ones stay inside, which
//! ones integers are divided by, so that random ones are not zero, and of which values roots are taken.
//!
//! What an integer becomes is followed through the function, until it is an index: of `tensor.extract`, of a gather or of
//! a scatter. Arithmetic on the way is not carried out, so that an index may still be outside; then the run says so.
//! Divisors are followed as long as nothing is computed of them: what is computed may be zero whatever they are. Of
//! radicands, as the variances of a norm are, only sums with constants are.

use std::collections::BTreeSet;

use raddle_ir::views::Indexed;
use raddle_ir::{Class, DYNAMIC, Expr, Ir, OpId, Opcode, Scalar, ValueId};

/// For each argument that holds indices, a number that they must be below.
pub fn bounds(ir: &Ir, func: OpId) -> Vec<Option<i64>> {
    let Some(entry) = ir.body(func, 0) else { return Vec::new() };
    ir.args(entry).iter().map(|&arg| bound(ir, arg)).collect()
}

fn bound(ir: &Ir, arg: ValueId) -> Option<i64> {
    let mut seen: BTreeSet<ValueId> = BTreeSet::from([arg]);
    let mut waiting: Vec<ValueId> = vec![arg];
    let mut found: Option<i64> = None;
    // An integer may be divided as a float on its way.
    let counts = |value: ValueId| {
        is_integer(ir, value)
            || is_integer(ir, arg) && matches!(Scalar::of(&ir[ir.elem_of(value)]), Some(Scalar::Float(_)))
    };
    while let Some(value) = waiting.pop() {
        // A flag chooses, and counts nothing.
        if !counts(value) {
            continue;
        }
        for (user, operand) in ir.uses(value) {
            if let Some(extent) = indexed(ir, user, operand) {
                let extent = if extent == DYNAMIC { 1 } else { extent };
                found = Some(found.map_or(extent, |found| found.min(extent)));
                continue;
            }
            waiting.extend(becomes(ir, user, operand).into_iter().filter(|&value| seen.insert(value)));
        }
    }
    // What the type holds without a sign.
    let most = match Scalar::of(&ir[ir.elem_of(arg)]) {
        Some(Scalar::Int(bits @ ..63)) => 1i64 << (bits - 1),
        _ => i64::MAX,
    };
    found.map(|found| found.min(most)).filter(|&found| found > 0)
}

/// For each argument, whether integers are divided by its elements.
pub fn divisors(ir: &Ir, func: OpId) -> Vec<bool> {
    let Some(entry) = ir.body(func, 0) else { return Vec::new() };
    ir.args(entry).iter().map(|&arg| is_divisor(ir, arg)).collect()
}

fn is_divisor(ir: &Ir, arg: ValueId) -> bool {
    let mut seen: BTreeSet<ValueId> = BTreeSet::from([arg]);
    let mut waiting: Vec<ValueId> = vec![arg];
    while let Some(value) = waiting.pop() {
        for (user, operand) in ir.uses(value) {
            if operand == 1 && divides(ir, user, value) {
                return true;
            }
            if passes_on(ir, user, operand) {
                waiting.extend(becomes(ir, user, operand).into_iter().filter(|&value| seen.insert(value)));
            }
        }
    }
    false
}

/// Whether square roots are taken of the elements of a value, or of their sums with constants.
pub fn is_radicand(ir: &Ir, value: ValueId) -> bool {
    let mut seen: BTreeSet<ValueId> = BTreeSet::from([value]);
    let mut waiting: Vec<ValueId> = vec![value];
    while let Some(value) = waiting.pop() {
        for (user, operand) in ir.uses(value) {
            let is_constant = |&other: &ValueId| {
                other == value || ir.def_op(other).is_some_and(|def| ir.class(def) == Class::Constant)
            };
            let goes_on = match ir.opcode(user) {
                Opcode::MathSqrt | Opcode::MathRsqrt | Opcode::LinalgSqrt | Opcode::LinalgRsqrt => return true,
                Opcode::ArithAddf => ir.operands(user).iter().all(is_constant),
                Opcode::ArithExtf | Opcode::ArithTruncf => true,
                _ => passes_on(ir, user, operand),
            };
            if goes_on {
                waiting.extend(becomes(ir, user, operand).into_iter().filter(|&value| seen.insert(value)));
            }
        }
    }
    false
}

/// Whether an operation divides integers by its second operand.
fn divides(ir: &Ir, op: OpId, by: ValueId) -> bool {
    match ir.opcode(op) {
        opcode if opcode.info().division().is_some() => true,
        Opcode::LinalgDiv | Opcode::LinalgDivUnsigned => {
            matches!(Scalar::of(&ir[ir.elem_of(by)]), Some(Scalar::Int(_) | Scalar::Index))
        }
        _ => false,
    }
}

/// Whether the elements of an operand are elements of what an operation gives, or of the arguments of its body.
fn passes_on(ir: &Ir, user: OpId, operand: usize) -> bool {
    match ir.class(user) {
        Class::Broadcast | Class::Transpose | Class::Reshape | Class::Layout | Class::Yield => return true,
        Class::Read | Class::Slice | Class::View => return operand == 0,
        Class::Structured if !ir.regions(user).is_empty() => return true,
        _ => {}
    }
    match ir.opcode(user) {
        Opcode::ArithExtsi
        | Opcode::ArithExtui
        | Opcode::ArithIndexCast
        | Opcode::ArithIndexCastui
        | Opcode::IndexCasts
        | Opcode::IndexCastu
        | Opcode::TensorCast => true,
        Opcode::LinalgBroadcast
        | Opcode::LinalgCopy
        | Opcode::LinalgTranspose
        | Opcode::MemrefLoad
        | Opcode::TensorExtract => operand == 0,
        _ => false,
    }
}

fn is_integer(ir: &Ir, value: ValueId) -> bool {
    matches!(Scalar::of(&ir[ir.elem_of(value)]), Some(Scalar::Int(2..) | Scalar::Index))
}

/// The extent that an operand is an index in.
fn indexed(ir: &Ir, user: OpId, operand: usize) -> Option<i64> {
    let operands = ir.operands(user);
    let least = |of: ValueId, name: &str| {
        let dims = ir.ints(ir.attr_id(user, name)?)?;
        let extents = dims.iter().map(|&dim| ir.shape_of(of).get(usize::try_from(dim).ok()?).copied());
        extents.collect::<Option<Vec<i64>>>()?.into_iter().min()
    };
    match (ir.opcode(user), operand) {
        (Opcode::TensorExtract | Opcode::MemrefLoad, 1..) => ir.shape_of(operands[0]).get(operand - 1).copied(),
        (Opcode::IreeLinalgExtGather, 1) => least(operands[0], "dimension_map"),
        (Opcode::IreeLinalgExtScatter, 1) => least(*operands.last()?, "dimension_map"),
        (Opcode::TensorGather, 1) => least(operands[0], "gather_dims"),
        (Opcode::TensorScatter, 2) => least(operands[1], "scatter_dims"),
        // The indices stand in front of the mask and of what is read or written elsewhere.
        (Opcode::VectorGather | Opcode::VectorScatter, at) if at + 3 == operands.len() => {
            ir.shape_of(operands[0]).last().copied()
        }
        (Opcode::IreeVectorExtTransferGather | Opcode::IreeVectorExtTransferScatter, _) => {
            let access = Indexed::of(ir, user);
            let number = access.index_vecs.iter().position(|&vector| vector == operands[operand])? as u32;
            let dims = access.maps.first()?.results.iter().zip(ir.shape_of(access.base));
            dims.filter(|(dim, _)| **dim == Expr::Sym(number)).map(|(_, &extent)| extent).min()
        }
        _ => None,
    }
}

/// The values that an operation makes of an operand.
fn becomes(ir: &Ir, user: OpId, operand: usize) -> Vec<ValueId> {
    if let Some(parent) = ir.parent_op(user).filter(|_| ir.class(user) == Class::Yield) {
        return ir.results(parent).nth(operand).into_iter().collect();
    }
    if ir.class(user) == Class::Structured && !ir.regions(user).is_empty() {
        return ir.args(ir.entry(user)).get(operand).copied().into_iter().collect();
    }
    ir.results(user).collect()
}
