//! Outline: a test that holds its data becomes a function of that data.
//!
//! Before: `func.func @f()`, which makes its inputs with `util.unfoldable_constant`, `flow.tensor.dynamic_constant` or
//!         `arith.constant dense<…>`, and states what comes out with `check.expect_*`
//! After:  `func.func @f(%data: tensor<…>, …) -> …` of what is checked; the data and the checks are returned beside it
//!
//! A constant tensor reaches a kernel in a buffer, as IREE passes it. Functions of one block that check something for
//! others are taken in by these. A check in an arm of `scf.if` looks at a result of that behind it, for which the other
//! arm gives what is expected; inside loops and in other blocks than the one that returns, checks are refused.

use raddle_ir::{
    Attr, AttrId, BlockId, Builder, Class, Code, DYNAMIC, Diag, Ir, OpId, Opcode, Span, Type, TypeId, ValueId, ValueMap,
};

/// Calls that a test may take in: more is recursion.
const CALLS_MAX: usize = 1024;

/// A test without its data.
pub struct Outlined {
    /// The value of each argument: a dense tensor or a number.
    pub data: Vec<AttrId>,
    /// What is expected of the results.
    pub checks: Vec<Check>,
}

/// One `check.expect_*`.
pub struct Check {
    /// Where it was written.
    pub span: Span,
    /// What is checked.
    pub found: Checked,
    /// What it should be.
    pub expected: Expected,
    /// The absolute and the relative difference that are accepted.
    pub tolerance: (f64, f64),
}

/// A side of a check.
pub enum Checked {
    /// Data that the test holds.
    Constant(AttrId),
    /// A result of the function.
    Result(usize),
}

/// What is expected.
pub enum Expected {
    /// This value.
    Value(Checked),
    /// Each element is other than zero, or zero.
    Truth(bool),
}

/// Rewrites a function that takes nothing; `None` for one that takes something or checks nothing, which stays.
pub fn outline(ir: &mut Ir, func: OpId) -> Result<Option<Outlined>, Diag> {
    let (inputs, results) = ir.signature(func);
    if !inputs.is_empty() || !results.is_empty() {
        return Ok(None);
    }
    take_in_checks(ir, func);
    while ir.walk(func).into_iter().any(|op| leave_branch(ir, op).is_some()) {}
    let is_check = |op: &OpId| ir.name(*op).starts_with("check.expect_");
    let checks: Vec<OpId> = ir.walk(func).into_iter().filter(is_check).collect();
    if checks.is_empty() {
        return Ok(None);
    }
    let entry = ir.entry(func);
    // Of a function of several blocks, the one that returns is reached once.
    let blocks = ir.blocks(ir.block_region(entry)).to_vec();
    let returning = |block: &BlockId| {
        ir.terminator(*block).is_some_and(|end| matches!(ir.opcode(end), Opcode::FuncReturn | Opcode::UtilReturn))
    };
    let mut ends = blocks.into_iter().filter(returning);
    let last = match (ends.next(), ends.next()) {
        (Some(last), None) => last,
        _ => entry,
    };
    if let Some(&inner) = checks.iter().find(|&&op| ir.parent_block(op) != Some(last)) {
        let message = format!("`{}` stands inside a loop or a branch", ir.name(inner));
        return Err(Diag::error(Code::CannotExecute, ir.span(inner), message)
            .note("results are checked behind the function, whatever its parts do"));
    }
    let mut returned = Vec::new();
    let checks = checks.iter().map(|&op| check(ir, op, &mut returned)).collect::<Result<Vec<_>, _>>()?;
    for op in ir.walk(func) {
        if ir.name(op).starts_with("check.expect_") {
            ir.erase(op);
        }
    }
    if let Some(end) = ir.terminator(last) {
        ir.set_operands(end, &returned);
    }
    let data = take_data(ir, func);
    let inputs: Vec<TypeId> = ir.args(entry).iter().map(|&arg| ir.type_of(arg)).collect();
    let end = ir.terminator(last);
    let results: Vec<TypeId> =
        end.map_or(Vec::new(), |end| ir.operands(end).iter().map(|&value| ir.type_of(value)).collect());
    ir.set_signature(func, &inputs, &results);
    Ok(Some(Outlined { data, checks }))
}

/// Puts the operations of a function that checks something in the place of each call of it.
fn take_in_checks(ir: &mut Ir, func: OpId) {
    for _ in 0..CALLS_MAX {
        let callee = |call: OpId| {
            let Some(Attr::Symbol(path)) = ir.attr(call, "callee").filter(|_| ir.class(call) == Class::Call) else {
                return None;
            };
            let name = &ir[*path.last()?];
            let target = ir.funcs().into_iter().find(|&other| ir.symbol_name(other) == Some(name))?;
            let body = ir.body(target, 0)?;
            let checks = ir.block_ops(body).any(|op| ir.name(op).starts_with("check.expect_"));
            (checks && ir.blocks(ir.block_region(body)).len() == 1).then_some((call, body))
        };
        let Some((call, body)) = ir.walk(func).into_iter().find_map(callee) else { return };
        let mut map = ValueMap::default();
        for (arg, given) in ir.args(body).to_vec().into_iter().zip(ir.operands(call).to_vec()) {
            map.set(arg, given);
        }
        let end = ir.terminator(body);
        for op in ir.block_ops(body).collect::<Vec<_>>() {
            if Some(op) != end {
                Builder::before(ir, call).copy(op, &mut map);
            }
        }
        let returned = end.map_or(Vec::new(), |end| ir.operands(end).to_vec());
        for (result, value) in ir.results(call).collect::<Vec<_>>().into_iter().zip(returned) {
            ir.replace_uses(result, map.get(value));
        }
        ir.erase(call);
    }
}

/// Puts a check in an arm of a branch behind the branch, if `op` is one.
fn leave_branch(ir: &mut Ir, op: OpId) -> Option<()> {
    if !ir.name(op).starts_with("check.expect_") {
        return None;
    }
    let branch = ir.parent_op(op).filter(|&branch| ir.opcode(branch) == Opcode::ScfIf)?;
    let arm = ir.parent_block(op)?;
    let at = ir.block_ops(arm).position(|other| other == op)?;
    let n_sides = if matches!(ir.opcode(op), Opcode::CheckExpectEq | Opcode::CheckExpectAlmostEq) { 2 } else { 1 };
    let operands = ir.operands(op).to_vec();
    let sides = operands[operands.len().checked_sub(n_sides)?..].to_vec();
    let passing = sides.iter().map(|&side| passing(ir, op, side)).collect::<Option<Vec<AttrId>>>()?;
    let in_first = ir.body(branch, 0) == Some(arm);
    let n_results = ir.results(branch).len();
    let types: Vec<TypeId> = ir.results(branch).chain(sides.iter().copied()).map(|value| ir.type_of(value)).collect();
    let (condition, mut map) = (ir.operand(branch, 0), ValueMap::default());
    let builder = &mut Builder::before(ir, branch);
    let new = builder.op(Opcode::ScfIf, &[condition], &types, &[]);
    builder.copy_regions(branch, new, &mut map);
    for side in 0..2 {
        if builder.ir.body(new, side).is_none() {
            let region = match builder.ir.regions(new).get(side) {
                Some(&region) => region,
                None => builder.ir.add_region(new),
            };
            let block = builder.ir.add_block(region, &[]);
            Builder::at_end(builder.ir, block, builder.span).op(Opcode::ScfYield, &[], &[], &[]);
        }
        let block = builder.ir.body(new, side).expect("both arms have blocks");
        let end = builder.ir.terminator(block).expect("an arm ends with a yield");
        let mut given = builder.ir.operands(end).to_vec();
        if (side == 0) == in_first {
            given.extend(sides.iter().map(|&value| map.get(value)));
            let check = builder.ir.block_ops(block).nth(at).expect("the copy has as many operations");
            builder.ir.erase(check);
        } else {
            let inner = &mut Builder::before(builder.ir, end);
            for (&value, &attr) in sides.iter().zip(&passing) {
                let ty = inner.ir.type_of(value);
                given.push(inner.value(Opcode::ArithConstant, &[], ty, &[("value", attr)]));
            }
        }
        builder.ir.set_operands(end, &given);
    }
    let results: Vec<ValueId> = builder.ir.results(new).collect();
    let mut behind = ValueMap::default();
    for (&side, &result) in sides.iter().zip(&results[n_results..]) {
        behind.set(side, result);
    }
    builder.copy(op, &mut behind);
    for (old, result) in ir.results(branch).collect::<Vec<_>>().into_iter().zip(results) {
        ir.replace_uses(old, result);
    }
    ir.erase(branch);
    Some(())
}

/// A value that a side of a check may have, so that it passes if the other one has it, too.
fn passing(ir: &mut Ir, op: OpId, side: ValueId) -> Option<AttrId> {
    let (ty, elem) = (ir.type_of(side), ir.elem_of(side));
    let is_static = ir.ty(side).shape().is_none_or(|shape| !shape.contains(&DYNAMIC));
    let is_zero =
        matches!(ir.opcode(op), Opcode::CheckExpectFalse | Opcode::CheckExpectEq | Opcode::CheckExpectAlmostEq);
    let scalar = match ir[elem] {
        _ if !is_static => return None,
        _ if matches!(ir.opcode(op), Opcode::CheckExpectEqConst | Opcode::CheckExpectAlmostEqConst) => {
            let value = ir.attr_id(op, "value")?;
            let is_of = |attr: &Attr| matches!(attr, Attr::Dense { ty: of, .. } | Attr::Int { ty: of, .. } | Attr::Float { ty: of, .. } if *of == ty);
            return is_of(&ir[value]).then_some(value);
        }
        Type::Integer { .. } => Attr::Int { value: i128::from(!is_zero), ty: elem },
        Type::Float(_) => Attr::float(if is_zero { 0.0 } else { 1.0 }, elem),
        _ => return None,
    };
    if ty == elem {
        return Some(ir.intern(scalar));
    }
    let bytes = ir.elem_bytes(&scalar);
    Some(ir.intern(Attr::Dense { ty, splat: true, bytes }))
}

/// What a check states; what it looks at is returned.
fn check(ir: &mut Ir, op: OpId, returned: &mut Vec<ValueId>) -> Result<Check, Diag> {
    let mut side = |value: ValueId| {
        constant(ir, value).map_or_else(
            || {
                let known = returned.iter().position(|&other| other == value);
                Checked::Result(known.unwrap_or_else(|| {
                    returned.push(value);
                    returned.len() - 1
                }))
            },
            Checked::Constant,
        )
    };
    let unknown = || {
        Diag::error(
            Code::CannotExecute,
            ir.span(op),
            format!("`{}` is not a check that can be carried out", ir.name(op)),
        )
    };
    let operands = ir.operands(op).to_vec();
    let &last = operands.last().ok_or_else(unknown)?;
    let near = |name: &str, default: f64| ir.attr(op, name).and_then(Attr::as_f64).unwrap_or(default);
    let tolerance = match ir.opcode(op) {
        Opcode::CheckExpectAlmostEq | Opcode::CheckExpectAlmostEqConst => (near("atol", 1e-4), near("rtol", 0.0)),
        _ => (0.0, 0.0),
    };
    let (value, expected) = match ir.opcode(op) {
        Opcode::CheckExpectTrue | Opcode::CheckExpectAllTrue => (last, Expected::Truth(true)),
        Opcode::CheckExpectFalse => (last, Expected::Truth(false)),
        Opcode::CheckExpectEqConst | Opcode::CheckExpectAlmostEqConst => {
            (last, Expected::Value(Checked::Constant(ir.attr_id(op, "value").ok_or_else(unknown)?)))
        }
        Opcode::CheckExpectEq | Opcode::CheckExpectAlmostEq => {
            let Some(at) = operands.len().checked_sub(2) else { return Err(unknown()) };
            (operands[at], Expected::Value(side(last)))
        }
        _ => return Err(unknown()),
    };
    Ok(Check { span: ir.span(op), found: side(value), expected, tolerance })
}

/// The data of a value that holds it, seen through what only hides it from folding.
fn constant(ir: &Ir, value: ValueId) -> Option<AttrId> {
    let op = ir.def_op(value)?;
    match ir.opcode(op) {
        Opcode::UtilOptimizationBarrier => {
            let at = ir.results(op).position(|result| result == value)?;
            constant(ir, ir.operand(op, at))
        }
        Opcode::TensorCast => constant(ir, ir.operand(op, 0)),
        _ => held(ir, op),
    }
}

/// The data that an operation holds.
fn held(ir: &Ir, op: OpId) -> Option<AttrId> {
    let value = match ir.opcode(op) {
        Opcode::UtilUnfoldableConstant | Opcode::FlowTensorDynamicConstant | Opcode::FlowTensorConstant => {
            ir.attr_id(op, "value")?
        }
        Opcode::ArithConstant if matches!(ir.ty(ir.result(op, 0)), Type::Tensor { .. }) => ir.attr_id(op, "value")?,
        Opcode::UtilGlobalLoad => global(ir, op)?,
        _ => return None,
    };
    matches!(ir[value], Attr::Dense { .. } | Attr::Int { .. } | Attr::Float { .. } | Attr::Bool(_)).then_some(value)
}

/// The value of a global that nothing changes.
fn global(ir: &Ir, load: OpId) -> Option<AttrId> {
    let Some(Attr::Symbol(path)) = ir.attr(load, "global") else { return None };
    let name = &ir[*path.last()?];
    let mut ops = ir.block_ops(ir.module_block());
    let global = ops.find(|&op| ir.opcode(op) == Opcode::UtilGlobal && ir.symbol_name(op) == Some(name))?;
    ir.attr_id(global, "initial_value").filter(|_| ir.attr_id(global, "is_mutable").is_none())
}

/// Makes arguments of what holds data.
fn take_data(ir: &mut Ir, func: OpId) -> Vec<AttrId> {
    let entry = ir.entry(func);
    let mut data = Vec::new();
    for op in ir.walk(func) {
        let Some(value) = held(ir, op) else { continue };
        let result = ir.result(op, 0);
        if ir.is_unused(result) {
            ir.erase(op);
            continue;
        }
        // Extents that the test hides stay hidden: only whoever passes the data knows them.
        let arg = ir.add_block_arg(entry, ir.type_of(result));
        ir.replace_uses(result, arg);
        ir.erase(op);
        data.push(value);
    }
    data
}
