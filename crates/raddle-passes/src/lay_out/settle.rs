//! Settle: make the layouts of each operation's operands those that it needs.

use raddle_ir::views::Contract;
use raddle_ir::{Attr, Builder, Class, Def, Ir, Map, OpId, Opcode, ValueId, ValueMap};
use raddle_layout::Nested;

use super::rules::{anchor, in_registers, iteration, natural, needs, needs_of};
use super::{Layouts, folds, seed};
use crate::instruction;

/// Operations of a chain that is made again.
const CHAIN_MAX: usize = 8;

/// Makes the layouts around an operation agree: its result with its operands, then its operands with its result.
pub fn settle(ir: &mut Ir, op: OpId, layouts: &mut Layouts) {
    if ir.opcode(op) == Opcode::Contract {
        combine(ir, op, layouts);
    }
    for (result, natural) in naturals(ir, op, layouts) {
        let Some(given) = layouts.get(result).filter(|given| **given != natural).cloned() else { continue };
        let message = format!("the result of `{}` is converted to the layout of its uses", ir.name(op));
        let notes = [format!("its operands give it {natural}"), format!("wanted is {given}")];
        layouts.remark(ir, op, message).notes.extend(notes);
        let conversion = convert(ir, op, result, &given, layouts);
        ir.detach(conversion);
        ir.insert_after(op, conversion);
        let converted = ir.result(conversion, 0);
        ir.replace_uses(result, converted);
        ir.set_operand(conversion, 0, result);
        layouts.set(result, natural);
        layouts.set(converted, given);
    }
    adapt(ir, op, layouts);
    if let (Some(to), Some(from)) = (anchor(ir, op).cloned(), ir.operands(op).first().and_then(|&v| layouts.get(v)))
        && *from != to
    {
        let (message, had) = (format!("this anchor converts, {}", way(from, &to)), format!("it is given {from}"));
        layouts.remark(ir, op, message).notes.push(had);
    }
}

/// The layouts that an operation's results have because of its operands.
fn naturals(ir: &Ir, op: OpId, layouts: &Layouts) -> Vec<(ValueId, Nested)> {
    match ir.class(op) {
        Class::Reduce => folds::natural(ir, op, layouts),
        Class::Reshape | Class::Contract if ir.ty(ir.result(op, 0)).is_vector() => {
            natural(ir, op, layouts).map(|layout| (ir.result(op, 0), layout)).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// Makes an operation's operands have the layouts that it needs of them.
fn adapt(ir: &mut Ir, op: OpId, layouts: &mut Layouts) {
    let carried = |first: usize, results: OpId| -> Vec<(usize, Nested)> {
        let results = ir.results(results).enumerate();
        results.filter_map(|(i, result)| Some((first + i, layouts.get(result)?.clone()))).collect()
    };
    let needed = match (ir.opcode(op), ir.parent_op(op)) {
        (Opcode::For, _) => carried(3, op),
        (Opcode::ScfYield, Some(parent)) => carried(0, parent),
        // A reshape has settled its result by its operand.
        (Opcode::ShapeCast, _) if natural(ir, op, layouts).is_some() => Vec::new(),
        _ => needs(ir, op, layouts),
    };
    for (operand, layout) in needed {
        give(ir, op, operand, layout, layouts);
    }
}

/// Makes one operand have a layout.
fn give(ir: &mut Ir, op: OpId, operand: usize, layout: Nested, layouts: &mut Layouts) {
    let value = ir.operand(op, operand);
    match layouts.get(value) {
        None => layouts.set(value, layout),
        Some(have) if *have == layout => {}
        Some(_) => {
            let new = with_layout(ir, op, value, &layout, layouts);
            ir.set_operand(op, operand, new);
        }
    }
}

/// Gives the operands of a contraction layouts that are one view of its loops, where they are not.
fn combine(ir: &mut Ir, op: OpId, layouts: &mut Layouts) {
    let view = Contract::of(ir, op);
    let (Some(lhs), Some(rhs)) = (layouts.get(view.lhs), layouts.get(view.rhs)) else { return };
    if instruction::of_contract(ir, op, lhs, rhs, layouts.chip).is_some()
        || iteration(&view, lhs, rhs, layouts.launch).is_some()
    {
        return;
    }
    let dims: Option<Vec<Vec<usize>>> = view.maps.iter().map(Map::as_dims).collect();
    let Some(dims) = dims else { return };
    // Each thread runs through the reductions; the other loops go where the result wants them.
    let mut extents = vec![1; view.reduction.len()];
    for (value, dims) in [view.lhs, view.rhs].into_iter().zip(&dims) {
        for (&d, &extent) in dims.iter().zip(ir.shape_of(value)) {
            extents[d] = extent;
        }
    }
    let result = ir.result(op, 0);
    let parallel: Vec<i64> = dims[2].iter().map(|&d| extents[d]).collect();
    let wanted = match layouts.get(result) {
        Some(layout) => layout.clone(),
        None => seed::spread(&parallel, 1, layouts.launch),
    };
    let sums: Vec<usize> = (0..extents.len()).filter(|d| !dims[2].contains(d)).collect();
    let sum_extents: Vec<i64> = sums.iter().map(|&d| extents[d]).collect();
    let Ok(all) = Nested::whole(&sum_extents).and_then(|sums| wanted.append(&sums)) else { return };
    let order: Vec<usize> = dims[2].iter().chain(&sums).copied().collect();
    let place = |d: &usize| order.iter().position(|other| other == d).expect("every loop is parallel or summed");
    let message = "the layouts of `vector.contract`'s operands do not combine: both are given those of its result";
    let why = format!("{lhs} and {rhs} are no view of one iteration space");
    layouts.remark(ir, op, message.to_owned()).notes.push(why);
    for i in 0..2 {
        let layout = all.permute(&dims[i].iter().map(place).collect::<Vec<_>>());
        give(ir, op, i, layout, layouts);
    }
}

/// The value in another layout, for one user: made again, read again, or converted.
fn with_layout(ir: &mut Ir, user: OpId, value: ValueId, layout: &Nested, layouts: &mut Layouts) -> ValueId {
    let known = layouts.converted.get(&value).map_or(&[][..], |list| list);
    // Made next to the original, it is seen by all who see that and come later.
    let is_seen = |new: ValueId| ir.def_op(new).is_some_and(|op| layouts.place(op) <= layouts.place(user));
    if let Some(&known) = known.iter().find(|&&new| layouts.get(new) == Some(layout) && is_seen(new)) {
        return known;
    }
    let from = layouts.get(value).expect("only a value with a layout can have another one").clone();
    let (op, how) = match ir.def_op(value) {
        // The copy stands where the original does, so that no write can come between, and every use sees it.
        Some(def) if ir.class(def) == Class::Read => (again(ir, def, layouts), "read"),
        Some(def) if is_cheap(ir, def, layout, &mut CHAIN_MAX.clone()) => (again(ir, def, layouts), "made"),
        _ => (convert(ir, user, value, layout, layouts), "converted"),
    };
    let new = ir.result(op, 0);
    layouts.set(new, layout.clone());
    layouts.converted.entry(value).or_default().push(new);
    let (name, at) = (ir.name(user).to_owned(), ir.def_op(value).unwrap_or(user));
    let message = match how {
        "converted" => format!("the result of `{}` is converted for `{name}`, {}", ir.name(at), way(&from, layout)),
        _ => format!("`{}` is {how} again for `{name}`", ir.name(at)),
    };
    layouts.remark(ir, at, message).notes.extend([format!("it has {from}"), format!("needed is {layout}")]);
    if how != "converted" {
        adapt(ir, op, layouts);
    }
    new
}

/// How a conversion is done.
fn way(from: &Nested, to: &Nested) -> &'static str {
    if in_registers(from, to) { "inside each thread" } else { "through shared memory" }
}

/// A copy of an operation, in front of it.
fn again(ir: &mut Ir, op: OpId, layouts: &mut Layouts) -> OpId {
    let copy = Builder::before(ir, op).copy(op, &mut ValueMap::default());
    layouts.put(copy, layouts.place(op));
    copy
}

/// Whether an operation costs so little, with all that it is made from, that making it again beats moving its result.
fn is_cheap(ir: &Ir, op: OpId, layout: &Nested, left: &mut usize) -> bool {
    if *left == 0 || ir.results(op).len() != 1 {
        return false;
    }
    *left -= 1;
    match ir.class(op) {
        Class::Constant | Class::Mask => return true,
        Class::Broadcast | Class::Transpose | Class::Elementwise => {}
        Class::Reshape => {
            // The copy's operand must come out in the layout that is wanted.
            let (from, to) = (ir.shape_of(ir.operand(op, 0)), ir.shape_of(ir.result(op, 0)));
            if layout.reshape(from).and_then(|source| source.reshape(to)).ok().as_ref() != Some(layout) {
                return false;
            }
        }
        _ => return false,
    }
    ir.operands(op).iter().all(|&operand| {
        let vector = ir.ty(operand).is_vector() && ir.shape_of(operand).iter().product::<i64>() > 1;
        !vector
            || ir.def_op(operand).is_some_and(|def| {
                // What the chain needs of this operand is a matter of shapes alone.
                let need = needs_of(ir, op, layout).into_iter().find(|&(i, _)| ir.operand(op, i) == operand);
                need.is_some_and(|(_, layout)| is_cheap(ir, def, &layout, left))
            })
    })
}

/// A conversion in front of the first operation beside the value's definition that uses it.
fn convert(ir: &mut Ir, user: OpId, value: ValueId, layout: &Nested, layouts: &mut Layouts) -> OpId {
    let home = match ir.def(value) {
        Def::Result { op, .. } => ir.parent_block(op),
        Def::Arg { block, .. } => Some(block),
    };
    let mut place = user;
    // A value that does not change in a loop is converted in front of it.
    while ir.parent_block(place) != home {
        match ir.parent_op(place) {
            Some(parent) => place = parent,
            None => break,
        }
    }
    let attr = ir.intern(Attr::Layout(layout.clone()));
    let ty = ir.type_of(value);
    let op = Builder::before(ir, place).op(Opcode::ToLayout, &[value], &[ty], &[("layout", attr)]);
    layouts.put(op, layouts.place(place));
    op
}
