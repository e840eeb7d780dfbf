//! Resolve: make the layouts of each operation's operands those that it needs.

use raddle_ir::views::{Contract, Transfer};
use raddle_ir::{Attr, Builder, Class, DYNAMIC, Def, Ir, Map, OpId, Opcode, ValueId, ValueMap};
use raddle_layout::Nested;

use super::anchor::anchor;
use super::cost::{self, Way, cheapest};
use super::layouts::Layouts;
use super::rules::{in_registers, iteration, natural, needs};
use super::{access, bits, flow, folds, seed};
use crate::code;
use crate::config::role;
use crate::configure::power_of_two;
use crate::lay_out::instruction;

/// Makes the layouts around an operation agree: its result with its operands, then its operands with its result.
pub fn resolve(ir: &mut Ir, op: OpId, layouts: &mut Layouts) {
    if ir.opcode(op) == Opcode::VectorContract {
        combine(ir, op, layouts);
    }
    if bits::regroups(ir, op) && natural(ir, op, layouts).is_none() {
        group(ir, op, layouts);
    }
    if let Some(inner) = access::masked(ir, op).filter(|&inner| ir.class(inner) == Class::Read) {
        // A read under a mask lies as what comes out of it.
        if let (Some(result), Some(outer)) = (ir.results(inner).next(), ir.results(op).next())
            && let Some(layout) = layouts.get(outer).cloned()
        {
            layouts.set(result, layout);
        }
    }
    if access::masked(ir, op).is_some() {
        // What the mask needs is known when what is masked is resolved.
        return;
    }
    let decided =
        matches!(ir.class(op), Class::Reshape | Class::Contract) || folds::folds(ir, op) || bits::regroups(ir, op);
    if decided {
        for i in 0..ir.results(op).len() {
            come_out(ir, op, i, layouts);
        }
    }
    adapt(ir, op, layouts);
    if let Some(layout) = wider(ir, op, layouts) {
        give(ir, op, 0, layout, layouts);
    }
    if let Some(mask) = access::mask_of(ir, op).filter(|&mask| access::masked(ir, mask) == Some(op)) {
        adapt(ir, mask, layouts);
    }
    if let (Some(to), Some(from)) = (anchor(ir, op).cloned(), ir.operands(op).first().and_then(|&v| layouts.get(v)))
        && *from != to
    {
        let (message, had) = (format!("this anchor converts, {}", way(from, &to)), format!("it is given {from}"));
        layouts.remark(ir, op, message).notes.push(had);
    }
}

/// Lets a result have the layout that its operands give it, with a conversion behind it if another one is wanted.
fn come_out(ir: &mut Ir, op: OpId, index: usize, layouts: &mut Layouts) {
    // What is masked comes out of the mask.
    let (outer, inner) = match access::mask_of(ir, op) {
        Some(mask) if index < ir.results(mask).len() => (mask, Some(ir.result(op, index))),
        _ => (op, None),
    };
    let result = ir.result(outer, index);
    if !ir.ty(result).is_vector() {
        return;
    }
    let (Some(natural), Some(given)) = (comes(ir, op, index, layouts), layouts.get(result).cloned()) else { return };
    if let Some(inner) = inner {
        layouts.set(inner, natural.clone());
    }
    if natural == given {
        return;
    }
    let message = format!("the result of `{}` is converted to the layout of its uses", ir.name(op));
    let notes = [format!("its operands give it {natural}"), format!("wanted is {given}")];
    layouts.remark(ir, op, message).notes.extend(notes);
    let conversion = convert(ir, outer, result, &given, layouts);
    ir.detach(conversion);
    ir.insert_after(outer, conversion);
    let converted = ir.result(conversion, 0);
    ir.replace_uses(result, converted);
    ir.set_operand(conversion, 0, result);
    layouts.set(result, natural);
    layouts.set(converted, given);
}

/// The layout that a result has because of the operands.
fn comes(ir: &Ir, op: OpId, index: usize, layouts: &Layouts) -> Option<Nested> {
    if !folds::folds(ir, op) {
        return natural(ir, op, layouts);
    }
    let result = ir.result(op, index);
    folds::natural(ir, op, layouts).into_iter().find_map(|(value, layout)| (value == result).then_some(layout))
}

/// Gives the operands of an operation that regroups elements a layout in which threads hold whole groups.
fn group(ir: &mut Ir, op: OpId, layouts: &mut Layouts) {
    let Some(layout) = ir.results(op).find_map(|result| layouts.get(result)) else { return };
    let layout = bits::backward(ir, op, layout);
    for i in 0..ir.operands(op).len() {
        give(ir, op, i, layout.clone(), layouts);
    }
}

/// Makes an operation's operands have the layouts that it needs of them.
fn adapt(ir: &mut Ir, op: OpId, layouts: &mut Layouts) {
    let carried = (0..ir.operands(op).len()).filter_map(|i| {
        let targets = flow::targets(ir, op, i);
        targets.into_iter().find_map(|target| layouts.get(target)).map(|layout| (i, layout.clone()))
    });
    let mut needed: Vec<(usize, Nested)> = carried.collect();
    // A reshape has decided its result by its operand.
    if ir.opcode(op) != Opcode::VectorShapeCast || natural(ir, op, layouts).is_none() {
        needed.extend(needs(ir, op, layouts));
    }
    for (operand, layout) in needed {
        give(ir, op, operand, layout, layouts);
    }
}

/// The layout in which what an operation writes goes to memory in wider accesses, if these save more than it costs to come
/// into it: lanes that have every few elements of a row, as those of matrix instructions, exchange them for neighbours. In
/// rows of an odd length, neighbours are those of other lanes.
fn wider(ir: &Ir, op: OpId, layouts: &mut Layouts) -> Option<Nested> {
    if ir.opcode(op) != Opcode::VectorTransferWrite || access::mask_of(ir, op).is_some() {
        return None;
    }
    let write = Transfer::of(ir, op);
    let value = write.vector?;
    let last = ir.shape_of(value).len().checked_sub(1)?;
    // An anchor right in front of the write says how it is written.
    let is_anchored = ir.def_op(value).is_some_and(|op| anchor(ir, op).is_some());
    let row = *ir.shape_of(write.base).last()?;
    if write.mask.is_some() || is_anchored || write.map.as_dims()?.last()? + 1 != ir.shape_of(write.base).len() {
        return None;
    }
    let from = layouts.id(value)?;
    let given = layouts.layout(from).clone();
    let before = cost::access(ir, value, &given, layouts);
    let element = given.element_tile[last].max(1);
    let mut wide = cost::widest(ir, value);
    while wide >= 2 * element {
        let more = wide / element;
        // Rows that end beyond the memory may: a wide access is inside of it or beyond it, if it is along them. Of rows of
        // open length, `distribute` asks.
        let fits = if row == DYNAMIC { code::has_open_rows(ir, write.base) } else { row % wide == 0 };
        if (write.in_bounds.last().copied()? || fits) && element * more == wide && given.batch_tile[last] % more == 0 {
            let mut layout = given.clone();
            layout.element_tile[last] = wide;
            layout.batch_tile[last] /= more;
            let after = cost::access(ir, value, &layout, layouts);
            let to = layouts.intern(layout.clone());
            if cost::conversion(ir, value, from, to, layouts) < before - after {
                return Some(layout);
            }
        }
        wide /= 2;
    }
    if row == DYNAMIC || row % 2 == 0 {
        return None;
    }
    // No wide access divides such rows.
    let layout = along_rows(&given)?;
    let after = cost::access(ir, value, &layout, layouts);
    let to = layouts.intern(layout.clone());
    (cost::conversion(ir, value, from, to, layouts) < before - after).then_some(layout)
}

/// The layout in which the lanes of a subgroup go along its rows together, as many as these have elements for, so that
/// neighbours share a sector.
fn along_rows(given: &Nested) -> Option<Nested> {
    if given.rank() != 2 {
        return None;
    }
    let lanes: i64 = given.thread_tile.iter().product();
    let [rows, columns] =
        [0, 1].map(|d| given.batch_tile[d] * given.outer_tile[d] * given.thread_tile[d] * given.element_tile[d]);
    let along = power_of_two(columns, lanes);
    let across = lanes / along;
    if along <= given.thread_tile[1] || lanes % along != 0 || rows % across != 0 {
        return None;
    }
    let (subgroups, strides) = (given.subgroup_tile.to_vec(), given.subgroup_strides.to_vec());
    let (batch, ones) = (vec![rows / across, columns / along], || vec![1; 2]);
    Nested::new(subgroups, batch, ones(), vec![across, along], ones(), strides, vec![along, 1]).ok()
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
    if instruction::sums(ir, op, lhs, rhs, layouts.chip).is_some()
        || iteration(&view, lhs, rhs, layouts.launch_at(ir, op)).is_some()
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
        None => seed::spread(&parallel, 1, layouts.launch_at(ir, op)),
    };
    let sums: Vec<usize> = (0..extents.len()).filter(|d| !dims[2].contains(d)).collect();
    let sum_extents: Vec<i64> = sums.iter().map(|&d| extents[d]).collect();
    let Ok(all) = Nested::whole(&sum_extents).and_then(|sums| wanted.append(&sums)) else { return };
    let order: Vec<usize> = dims[2].iter().chain(&sums).copied().collect();
    let place = |d: &usize| order.iter().position(|other| other == d).expect("every loop is parallel or summed");
    let message = "the layouts of `vector.contract`'s operands do not combine: both are given those of its result";
    let why = format!("{lhs} and {rhs} are not views of one iteration space");
    layouts.remark(ir, op, message.to_owned()).notes.push(why);
    for i in 0..2 {
        let layout = all.permute(&dims[i].iter().map(place).collect::<Vec<_>>());
        give(ir, op, i, layout, layouts);
    }
}

/// The value in another layout, for one user: made again, read again, or converted.
fn with_layout(ir: &mut Ir, user: OpId, value: ValueId, layout: &Nested, layouts: &mut Layouts) -> ValueId {
    let known = layouts.converted.get(&value).map_or(&[][..], |list| list);
    if let Some(&known) = known.iter().find(|&&new| layouts.get(new) == Some(layout) && is_seen(ir, new, user, layouts))
    {
        return known;
    }
    let from = layouts.get(value).expect("only a value with a layout can have another one").clone();
    let to = layouts.intern(layout.clone());
    let chosen = cheapest(ir, value, to, layouts);
    let op = match (ir.def_op(value), chosen.way) {
        (Some(def), Way::Again) if layouts.copies.contains(&user) => again(ir, def, Some(user), layouts),
        // The copy stands where the original does, so that no write can come between, and every use sees it.
        (Some(def), Way::Again | Way::Read) => again(ir, def, None, layouts),
        _ => convert(ir, user, value, layout, layouts),
    };
    let new = ir.result(op, 0);
    layouts.set(new, layout.clone());
    layouts.converted.entry(value).or_default().push(new);
    let (name, at) = (ir.name(user).to_owned(), ir.def_op(value).unwrap_or(user));
    let message = match chosen.way {
        Way::Again => format!("`{}` is made again for `{name}`", ir.name(at)),
        Way::Read => format!("`{}` is read again for `{name}`", ir.name(at)),
        Way::Convert => format!("the result of `{}` is converted for `{name}`, {}", ir.name(at), way(&from, layout)),
    };
    let told = |way: Way, cost: i64| match way {
        Way::Again => format!("making it again costs {cost}"),
        Way::Read => format!("reading it again costs {cost}"),
        Way::Convert => format!("converting it costs {cost}"),
    };
    let ways = [(chosen.way, chosen.cost)].into_iter().chain(chosen.others);
    let costs: Vec<String> = ways.map(|(way, cost)| told(way, cost)).collect();
    let notes = [format!("it has {from}"), format!("needed is {layout}"), costs.join(", ")];
    layouts.remark(ir, at, message).notes.extend(notes);
    if chosen.way != Way::Convert {
        adapt(ir, op, layouts);
    }
    new
}

/// How a conversion is done.
fn way(from: &Nested, to: &Nested) -> &'static str {
    if in_registers(from, to) { "inside each thread" } else { "through shared memory" }
}

/// Whether a value that was made for one user can be used by another one.
fn is_seen(ir: &Ir, value: ValueId, user: OpId, layouts: &Layouts) -> bool {
    let Some(op) = ir.def_op(value) else { return false };
    let mut above = std::iter::successors(Some(user), |&op| ir.parent_op(op));
    let beside = above.find(|&above| ir.parent_block(above) == ir.parent_block(op));
    beside.is_some() && op != user && layouts.place(op) <= layouts.place(user)
}

/// A copy of an operation: in front of another copy that uses it, or behind the original and the copies it has.
fn again(ir: &mut Ir, op: OpId, user: Option<OpId>, layouts: &mut Layouts) -> OpId {
    let copy = Builder::before(ir, user.unwrap_or(op)).copy(op, &mut ValueMap::default());
    if user.is_none() {
        let mut last = op;
        while let Some(next) = ir.next_op(last).filter(|&next| layouts.place(next) == layouts.place(op)) {
            last = next;
        }
        ir.detach(copy);
        ir.insert_after(last, copy);
    }
    layouts.put(copy, layouts.place(user.unwrap_or(op)));
    layouts.copies.insert(copy);
    copy
}

/// A conversion in front of the first operation beside the value's definition that uses it; right behind the definition
/// where that is in another block of the same region. What a role is given, it converts itself.
fn convert(ir: &mut Ir, user: OpId, value: ValueId, layout: &Nested, layouts: &mut Layouts) -> OpId {
    let home = match ir.def(value) {
        Def::Result { op, .. } => ir.parent_block(op).expect("an operation that makes a vector is in a block"),
        Def::Arg { block, .. } => block,
    };
    let region = |ir: &Ir, op: OpId| ir.parent_block(op).map(|block| ir.block_region(block));
    let mut place = user;
    let mut in_role = false;
    // A value that does not change in a loop is converted in front of it.
    while !in_role && region(ir, place) != Some(ir.block_region(home)) {
        let around = ir.parent_op(place).expect("a user is nested in the region of what it uses");
        in_role = role::is_role(ir, around);
        place = if in_role { place } else { around };
    }
    if !in_role && ir.parent_block(place) != Some(home) {
        place = match ir.def(value) {
            Def::Result { op, .. } => ir.next_op(op),
            Def::Arg { block, .. } => ir.first_op(block),
        }
        .expect("a block that jumps ends in an operation");
    }
    let attr = ir.intern(Attr::Layout(layout.clone().into()));
    let ty = ir.type_of(value);
    let op = Builder::before(ir, place).op(Opcode::IreeVectorExtToLayout, &[value], &[ty], &[("layout", attr)]);
    layouts.put(op, layouts.place(place));
    layouts.placed.insert(op);
    op
}
