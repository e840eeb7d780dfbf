//! Inline: calls that pass vectors become what the callee does.
//!
//! Before: `%r = func.call @f(%v) : (vector<64xf32>) -> vector<64xf32>`
//! After:  the operations of `@f`, with `%v` for its argument.
//!
//! A vector of a whole workgroup has a layout that caller and callee must agree on. Inside of one function the analysis
//! finds the one that costs least; a call would have to resolve it before either is known. Calls that pass scalars and
//! memrefs alone stay. A function of several blocks becomes an `scf.execute_region`.

use raddle_ir::{Attr, Builder, Class, Code, Diag, Ir, OpId, Opcode, RegionId, TypeId, ValueId, ValueMap};

/// Calls that one function may take in: more is recursion.
const CALLS_MAX: usize = 1024;

/// Inlines the calls with vectors of a function, and a function with vectors into those that call it.
pub fn inline(ir: &mut Ir, func: OpId) -> Result<(), Diag> {
    let takes = {
        let (inputs, results) = ir.signature(func);
        inputs.iter().chain(results).any(|&ty| ir[ty].is_vector())
    };
    if takes && let Some(name) = ir.symbol_name(func).map(str::to_owned) {
        // Its signature is about to change; those who call it are still as they were.
        let callers = ir.funcs().into_iter().filter(|&caller| caller != func).collect::<Vec<_>>();
        for caller in callers {
            for call in ir.walk(caller) {
                if callee(ir, call) == Some(name.as_str()) {
                    expand(ir, call, func)?;
                }
            }
        }
    }
    for _ in 0..CALLS_MAX {
        let call = ir.walk(func).into_iter().find(|&op| ir.class(op) == Class::Call && has_vector(ir, op));
        let Some(call) = call else { return Ok(()) };
        let name = callee(ir, call).unwrap_or_default();
        let Some(target) = ir.funcs().into_iter().find(|&other| ir.symbol_name(other) == Some(name)) else {
            return Err(refuse(ir, call, "the function that it calls is not here"));
        };
        expand(ir, call, target)?;
    }
    Err(refuse(ir, func, &format!("it takes in more than {CALLS_MAX} calls: functions that call themselves never end")))
}

fn has_vector(ir: &Ir, op: OpId) -> bool {
    ir.results(op).chain(ir.operands(op).iter().copied()).any(|value| ir.ty(value).is_vector())
}

/// The name of the function that an operation calls.
fn callee(ir: &Ir, op: OpId) -> Option<&str> {
    match ir.attr(op, "callee") {
        Some(Attr::Symbol(path)) if ir.class(op) == Class::Call => path.last().map(|&name| &ir[name]),
        _ => None,
    }
}

fn refuse(ir: &Ir, op: OpId, why: &str) -> Diag {
    Diag::error(Code::CannotDistribute, ir.span(op), format!("`{}` cannot be distributed", ir.name(op)))
        .note(why)
        .note("vectors of a whole workgroup are passed by taking the callee in: threads then agree on their layouts")
        .help("give the callee a body, or pass the vector through a memref")
}

/// Puts what a function does in place of a call of it.
fn expand(ir: &mut Ir, call: OpId, target: OpId) -> Result<(), Diag> {
    let Some(body) = ir.body(target, 0) else { return Err(refuse(ir, call, "the function that it calls has no body")) };
    let region = ir.block_region(body);
    let returns = ir.terminator(body).is_some_and(|end| ir.opcode(end) == Opcode::FuncReturn);
    if ir.blocks(region).len() > 1 || !returns {
        expand_blocks(ir, call, region);
        return Ok(());
    }
    let mut map = ValueMap::default();
    for (arg, value) in ir.args(body).to_vec().into_iter().zip(ir.operands(call).to_vec()) {
        map.set(arg, value);
    }
    let mut returned = Vec::new();
    for op in ir.ops_of(body) {
        if ir.opcode(op) == Opcode::FuncReturn {
            returned = ir.operands(op).iter().map(|&value| map.get(value)).collect();
        } else {
            Builder::before(ir, call).copy(op, &mut map);
        }
    }
    for (result, value) in ir.results(call).zip(returned).collect::<Vec<(ValueId, ValueId)>>() {
        ir.replace_uses(result, value);
    }
    ir.erase(call);
    Ok(())
}

/// The same for a function of several blocks, which stay together, and for one that never returns.
fn expand_blocks(ir: &mut Ir, call: OpId, region: RegionId) {
    let given = ir.operands(call).to_vec();
    let types: Vec<TypeId> = ir.results(call).map(|result| ir.type_of(result)).collect();
    let mut builder = Builder::before(ir, call);
    let op = builder.op(Opcode::ScfExecuteRegion, &[], &types, &[]);
    let copy = builder.ir.add_region(op);
    builder.copy_blocks(region, copy, Some(&given), &mut ValueMap::default());
    for block in ir.blocks(copy).to_vec() {
        if let Some(end) = ir.terminator(block).filter(|&end| ir.opcode(end) == Opcode::FuncReturn) {
            let returned = ir.operands(end).to_vec();
            Builder::before(ir, end).op(Opcode::ScfYield, &returned, &[], &[]);
            ir.erase(end);
        }
    }
    for (result, value) in ir.results(call).zip(ir.results(op)).collect::<Vec<_>>() {
        ir.replace_uses(result, value);
    }
    ir.erase(call);
}
