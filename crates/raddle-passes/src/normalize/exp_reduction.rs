//! `iree_linalg_ext.exp_reduction`: a running maximum, powers of two of what is below it, and reductions that are
//! scaled by how far it moved. The first input is what the maximum is of, and the first output is the maximum.

use raddle_ir::views::Linalg;
use raddle_ir::{Builder, Ir, Map, OpId, Opcode, ValueId, ValueMap};

use super::loops::{Loops, Part, is_float, reduce_into, to_float, with_type};
use crate::structured::body::yield_of;
use crate::structured::generalize::generic;

pub(super) fn exp_reduction(ir: &mut Ir, op: OpId) -> Option<()> {
    let operands = ir.operands(op).to_vec();
    let results: Vec<ValueId> = ir.results(op).collect();
    let maps = ir.maps(op, "indexing_maps")?;
    let parts = Part::of_maps(ir, &operands, &maps)?;
    let (inputs, outputs) = parts.split_at(operands.len().checked_sub(results.len())?);
    let reduced = ir.attr_id(op, "exp_reduced_operands").and_then(|attr| ir.ints(attr))?;
    let body = ir.body(op, 0)?;
    let end = ir.terminator(body)?;
    let (scores, before) = (inputs.first()?, outputs.first()?);
    if ![scores, before].iter().all(|part| is_float(ir, ir.elem_of(part.value)))
        || ir.operands(end).len() != outputs.len()
        || ir.args(body).len() != parts.len()
        || (1..outputs.len()).any(|at| !stands_alone(ir, op, inputs.len(), at))
    {
        return None;
    }
    let n_loops = maps.first()?.dims as usize;
    let builder = &mut Builder::before(ir, op);
    let loops = Loops::of(builder, n_loops, &parts)?;
    let maximum = reduce_into(builder, Opcode::ArithMaximumf, scores, before.clone());
    let powers = |builder: &mut Builder<'_>, part: &Part| {
        let elem = builder.ir.elem_of(part.value);
        loops.each(builder, &[part, &maximum], elem, |body, args| {
            let maximum = to_float(body, args[1], elem);
            let difference = body.binary(Opcode::ArithSubf, args[0], maximum);
            body.value(Opcode::MathExp2, &[difference], elem, &[])
        })
    };
    let (exps, norm) = (powers(builder, scores), powers(builder, before));
    let mut given: Vec<ValueId> = parts.iter().map(|part| part.value).collect();
    given[0] = exps.value;
    given[inputs.len()] = maximum.value;
    for (at, output) in outputs.iter().enumerate().filter(|(at, _)| reduced.contains(&(*at as i64))) {
        let elem = builder.ir.elem_of(output.value);
        let scaled = loops.each(builder, &[output, &norm], elem, |body, args| {
            let factor = to_float(body, args[1], elem);
            body.binary(Opcode::ArithMulf, args[0], factor)
        });
        given[inputs.len() + at] = scaled.value;
    }
    // One operation for each result: each then has the form of a reduction, or of a product.
    for (at, &result) in results.iter().enumerate() {
        let value = match at {
            0 => maximum.value,
            _ => one_of(builder, op, &maps, &given, inputs.len(), at),
        };
        let value = with_type(builder, value, result);
        builder.ir.replace_uses(result, value);
    }
    ir.erase(op);
    Some(())
}

/// The operation's body for one of its results: the inputs that it needs, and its own output.
fn one_of(builder: &mut Builder<'_>, op: OpId, maps: &[Map], given: &[ValueId], n_inputs: usize, at: usize) -> ValueId {
    let block = builder.ir.entry(op);
    let end = yield_of(builder.ir, op);
    let needed = needed(builder.ir, op, builder.ir.operand(end, at));
    let args = builder.ir.args(block).to_vec();
    let output = n_inputs + at;
    let inputs: Vec<usize> = (0..n_inputs).filter(|&input| uses(builder.ir, op, at, args[input])).collect();
    let kept = [&inputs[..], &[output]].concat();
    let own: Vec<_> = kept.iter().map(|&operand| maps[operand].clone()).collect();
    // Loops that nothing runs along are left out.
    let n_loops = maps[0].dims as usize;
    let runs = |d: usize| own.iter().any(|map| map.as_dims().is_some_and(|dims| dims.contains(&d)));
    let loops: Vec<usize> = (0..n_loops).filter(|&d| runs(d)).collect();
    let place = |d: &usize| loops.iter().position(|other| other == d);
    let own: Vec<_> = own
        .iter()
        .map(|map| {
            let dims: Vec<usize> = map.as_dims().unwrap_or_default().iter().filter_map(place).collect();
            Map::of_dims(loops.len(), &dims)
        })
        .collect();
    let written = own.last().and_then(Map::as_dims).unwrap_or_default();
    let linalg = Linalg {
        inputs: inputs.iter().map(|&input| given[input]).collect(),
        outputs: vec![given[output]],
        reduction: (0..loops.len()).map(|d| !written.contains(&d)).collect(),
        maps: own,
    };
    let made = generic(builder, &linalg, &[]);
    let elems: Vec<_> = kept.iter().map(|&operand| Linalg::elem(builder.ir, given[operand])).collect();
    let region = builder.ir.add_region(made);
    let inside = builder.ir.add_block(region, &elems);
    let mut map = ValueMap::default();
    for (&operand, arg) in kept.iter().zip(builder.ir.args(inside).to_vec()) {
        map.set(args[operand], arg);
    }
    let mut inner = Builder::at_end(builder.ir, inside, builder.span);
    for op in inner.ir.ops_of(block) {
        if needed.contains(&op) {
            inner.copy(op, &mut map);
        }
    }
    let value = map.get(inner.ir.operand(end, at));
    inner.op(Opcode::LinalgYield, &[value], &[], &[]);
    builder.ir.result(made, 0)
}

/// Whether a result needs no output but its own: the values of other results are not inputs of this one.
fn stands_alone(ir: &Ir, op: OpId, n_inputs: usize, at: usize) -> bool {
    let args = ir.args(ir.entry(op));
    (n_inputs..args.len()).all(|other| other == n_inputs + at || !uses(ir, op, at, args[other]))
}

/// Whether a result is made of an argument of the body.
fn uses(ir: &Ir, op: OpId, at: usize, arg: ValueId) -> bool {
    let value = ir.operand(yield_of(ir, op), at);
    value == arg || needed(ir, op, value).iter().any(|&inner| ir.operands(inner).contains(&arg))
}

/// The operations of a body that make a value.
fn needed(ir: &Ir, op: OpId, value: ValueId) -> Vec<OpId> {
    let block = ir.entry(op);
    let (mut found, mut waiting) = (Vec::new(), vec![value]);
    while let Some(value) = waiting.pop() {
        let made = ir.def_op(value).filter(|&made| ir.parent_block(made) == Some(block));
        if let Some(made) = made.filter(|made| !found.contains(made)) {
            waiting.extend(ir.operands(made));
            found.push(made);
        }
    }
    found
}
