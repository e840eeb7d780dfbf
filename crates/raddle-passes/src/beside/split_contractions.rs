//! Split contractions: a structured operation that multiplies by several factors at once becomes one for each result.
//!
//! Before: `%r:2 = linalg.generic ins(%a, %b, %c) outs(%x, %y) { … %x + %a * %b … ; … %y + %a * %c … }`
//! After:  `%r0 = linalg.generic ins(%a, %b) outs(%x) { … }`, `%r1 = linalg.generic ins(%a, %c) outs(%y) { … }`
//!
//! Each gets the configuration, with the operands that it still has; not where a loop is gone, for which that would say
//! something else. Does not split operations whose results are anything but sums of products of two inputs.

use raddle_ir::views::Linalg;
use raddle_ir::{Attr, AttrId, Builder, Diag, Expr, Ir, Map, OpId, Opcode, ValueId, ValueMap};

use crate::config;
use crate::facts::Facts;
use crate::structured::body;
use crate::structured::generalize::generic;

/// Splits the contractions of a function that have several results.
pub(crate) fn split_contractions(ir: &mut Ir, func: OpId, _: &Facts) -> Result<(), Diag> {
    for op in ir.walk(func) {
        let Some(linalg) = Linalg::try_of(ir, op).filter(|linalg| linalg.outputs.len() > 1) else { continue };
        let factors: Option<Vec<[usize; 2]>> = (0..linalg.outputs.len()).map(|i| factors(ir, op, &linalg, i)).collect();
        if let Some(factors) = factors.filter(|_| ir.opcode(op) == Opcode::LinalgGeneric) {
            split(ir, op, &linalg, &factors);
        }
    }
    Ok(())
}

/// The inputs whose products are summed up in an output, in order, if it is that.
fn factors(ir: &Ir, op: OpId, linalg: &Linalg, output: usize) -> Option<[usize; 2]> {
    let reduction = body::reduction_of(ir, op, output)?;
    let product = ir.def_op(reduction.value)?;
    if !matches!(
        (reduction.combiner.opcode, ir.opcode(product)),
        (Opcode::ArithAddf, Opcode::ArithMulf) | (Opcode::ArithAddi, Opcode::ArithMuli)
    ) {
        return None;
    }
    let args = ir.args(ir.entry(op));
    let input = |value: ValueId| {
        let extends =
            |&def: &OpId| matches!(ir.opcode(def), Opcode::ArithExtf | Opcode::ArithExtsi | Opcode::ArithExtui);
        let value = ir.def_op(value).filter(extends).map_or(value, |def| ir.operand(def, 0));
        args[..linalg.inputs.len()].iter().position(|&arg| arg == value)
    };
    let (a, b) = (input(ir.operand(product, 0))?, input(ir.operand(product, 1))?);
    (a != b).then_some([a.min(b), a.max(b)])
}

fn split(ir: &mut Ir, op: OpId, linalg: &Linalg, factors: &[[usize; 2]]) {
    let n_inputs = linalg.inputs.len();
    for (i, &inputs) in factors.iter().enumerate() {
        let kept = [inputs[0], inputs[1], n_inputs + i];
        let maps = kept.map(|operand| linalg.maps[operand].clone());
        let runs = |d: usize| maps.iter().any(|map| map.results.iter().any(|expr| expr.names(&|other| other == d)));
        let loops: Vec<usize> = (0..linalg.reduction.len()).filter(|&d| runs(d)).collect();
        // Loops that are left are counted anew.
        let place =
            |d: usize| loops.iter().position(|&other| other == d).map_or(Expr::Const(0), |at| Expr::Dim(at as u32));
        let places: Vec<Expr> = (0..linalg.reduction.len()).map(place).collect();
        let renamed = |map: &Map| Map {
            dims: loops.len() as u32,
            syms: 0,
            results: map.results.iter().map(|expr| expr.replaced(&places, &[])).collect(),
        };
        let parts = Linalg {
            inputs: inputs.map(|input| linalg.inputs[input]).to_vec(),
            outputs: vec![linalg.outputs[i]],
            maps: maps.iter().map(renamed).collect(),
            reduction: loops.iter().map(|&d| linalg.reduction[d]).collect(),
        };
        let config = ir.attr_id(op, "lowering_config").filter(|_| loops.len() == linalg.reduction.len());
        let config = config.map(|config| promoted(ir, config, &kept));
        let attrs: Vec<(&str, AttrId)> = config.into_iter().map(|config| ("lowering_config", config)).collect();
        let mut builder = Builder::before(ir, op);
        let new = generic(&mut builder, &parts, &attrs);
        let result = copy_result(&mut builder, op, new, &kept, i);
        let end = builder.ir.entry(new);
        Builder::at_end(builder.ir, end, builder.span).op(Opcode::LinalgYield, &[result], &[], &[]);
        let (old, new) = (ir.result(op, i), ir.result(new, 0));
        ir.replace_uses(old, new);
    }
    ir.erase(op);
}

/// Copies what one result is computed from into a new body; says what it is there.
fn copy_result(builder: &mut Builder<'_>, op: OpId, new: OpId, kept: &[usize; 3], i: usize) -> ValueId {
    let body = builder.ir.entry(op);
    let args = builder.ir.args(body).to_vec();
    let types: Vec<_> = kept.iter().map(|&operand| builder.ir.type_of(args[operand])).collect();
    let region = builder.ir.add_region(new);
    let block = builder.ir.add_block(region, &types);
    let mut map = ValueMap::default();
    for (&operand, arg) in kept.iter().zip(builder.ir.args(block).to_vec()) {
        map.set(args[operand], arg);
    }
    let result = builder.ir.operand(body::yield_of(builder.ir, op), i);
    let mut needed = vec![result];
    for inner in builder.ir.ops_of(body).into_iter().rev() {
        if builder.ir.results(inner).any(|value| needed.contains(&value)) {
            needed.extend(builder.ir.operands(inner));
        }
    }
    let mut inside = Builder::at_end(builder.ir, block, builder.span);
    for inner in inside.ir.ops_of(body) {
        if inside.ir.results(inner).any(|value| needed.contains(&value)) {
            inside.copy(inner, &mut map);
        }
    }
    map.get(result)
}

/// The configuration with the operands to promote counted among those that are kept.
fn promoted(ir: &mut Ir, config: AttrId, kept: &[usize]) -> AttrId {
    let Some(operands) = ir.field(config, "promote_operands").and_then(|list| ir.ints(list)) else { return config };
    let types = match ir.field(config, "promotion_types").map(|types| &ir[types]) {
        Some(Attr::Array(types)) => Some(types.clone()),
        _ => None,
    };
    let place = |operand: i64| kept.iter().position(|&other| other as i64 == operand);
    let left: Vec<(usize, usize)> =
        operands.iter().enumerate().filter_map(|(i, &operand)| Some((i, place(operand)?))).collect();
    let numbers: Vec<i64> = left.iter().map(|&(_, at)| at as i64).collect();
    let mut entries = vec![("promote_operands", ir.i64_array(&numbers))];
    if let Some(types) = types {
        let types = left.iter().filter_map(|&(i, _)| types.get(i).copied()).collect();
        entries.push(("promotion_types", ir.intern(Attr::Array(types))));
    }
    config::with_entries(ir, config, &entries)
}
