//! Lay out: give every vector value exactly one layout, and make every change of layout explicit.
//!
//! Before: `%a = transfer_read`, `%s = arith.addf %a, %b`, `%r = iree_vector_ext.to_layout %s to layout(#L)`
//! After:  the same with `layouts = [#L]` on each operation that makes a vector; a `to_layout` whose operand has
//!         another layout than its result is a conversion.
//!
//! The idea: anchors speak first, forward to what is computed from them, then both ways until nothing changes; the
//! first layout that reaches a value stays. Then every operation states what layouts it needs of its operands, given
//! those of its results. Where an operand has another one, the cheapest of three answers is taken: what costs little is
//! made again, a read is done again in the layout that is wanted, anything else is converted, once for all uses.
//! Each decision is a remark.
//!
//! Does not weigh a conversion against moving another one: one conversion is placed where two layouts meet.

mod access;
mod anchor;
mod bits;
pub(crate) mod blocks;
mod cost;
mod flow;
mod folds;
mod inline;
pub(crate) mod instruction;
mod layouts;
pub(crate) mod make_kernel;
mod pack;
mod products;
mod rare;
mod refine;
mod report;
mod resolve;
mod rules;
pub(crate) mod seed;
mod spread;

use std::sync::Arc;

use raddle_ir::{Attr, Class, Code, Def, Diag, Ir, OpId, Opcode, RegionId, ValueId};
use raddle_layout::Nested;

pub use self::access::{mask_of, masks_alike};
use self::anchor::anchors;
pub use self::anchor::permutation_of_tile;
pub use self::bits::scaled;
pub use self::flow::{sources, targets};
use self::inline::inline;
use self::layouts::Layouts;
pub use self::pack::{Pack, packs};
pub use self::rare::expand as expand_rare;
pub use self::report::{conversions, report};
pub use self::rules::{in_registers, is_column, is_local, mask_dims, permutation, recombined, reduced};
use self::spread::{Offer, USER, Ways, spread};
use crate::config::{Launch, fits_workgroup, role};
use crate::facts::Facts;

/// Finds the layouts and writes them onto the operations.
pub fn lay_out(ir: &mut Ir, func: OpId, facts: &Facts) -> Result<(), Diag> {
    let launch = Launch::read(ir, func)?;
    inline(ir, func)?;
    rare::expand(ir, func);
    pack::nest(ir, func, launch)?;
    products::unmask(ir, func);
    lay_out_for(ir, func, facts, launch)
}

/// [`lay_out`] for a launch that the function need not state.
pub fn lay_out_for(ir: &mut Ir, func: OpId, facts: &Facts, launch: Launch) -> Result<(), Diag> {
    let ops = ir.walk(func);
    for &op in ops.iter().filter(|&&op| role::is_role(ir, op)) {
        launch.of_role(ir, op)?;
    }
    let is_nothing = |&value: &ValueId| ir.ty(value).is_vector() && ir.shape_of(value).contains(&0);
    if let Some(&op) = ops.iter().find(|&&op| ir.results(op).any(|value| is_nothing(&value))) {
        let message = format!("`{}` gives a vector of no elements, which no thread has", ir.name(op));
        return Err(Diag::error(Code::CannotConfigure, ir.span(op), message));
    }
    let mut layouts = Layouts::new(ir, &ops, facts.chip, launch);
    for value in ir.body(func, 0).map(|block| ir.args(block).to_vec()).unwrap_or_default() {
        if ir.ty(value).is_vector() && ir.shape_of(value).is_empty() {
            layouts.set(value, empty());
        }
    }
    let fits = |ir: &Ir, op: OpId, value: ValueId, layout: &Nested| check(ir, op, value, layout, launch.at(ir, op));
    let n_anchors = anchored(ir, &ops, &mut layouts, fits)?;
    if n_anchors == 0 {
        an_anchor_at_least(ir, &ops, launch)?;
    }
    // What no anchor reaches gets a layout of our choice, and that spreads in turn.
    let depths = spread::depths(ir, &ops);
    for choices in seed::choices(ir, &ops, &depths).chunk_by(|a, b| a.turn == b.turn) {
        let chosen: Vec<(ValueId, Nested)> =
            choices.iter().flat_map(|choice| seed::choose(ir, choice, &layouts)).collect();
        let mut offers = Vec::new();
        for (value, layout) in chosen {
            if let (None, Some(op)) = (layouts.get(value), ir.def_op(value)) {
                let message = format!("no anchor reaches the result of `{}`: its layout is chosen", ir.name(op));
                layouts.remark(ir, op, message).notes.push(format!("chosen is {layout}"));
            }
            offers.push(Offer { to: value, rank: USER, layout: layouts.intern(layout) });
        }
        spread::take(ir, offers, &mut layouts);
        spread(ir, Ways::Both, &mut layouts);
    }
    refine::refine(ir, &ops, &depths, &mut layouts);
    for &op in &ops {
        resolve::resolve(ir, op, &mut layouts);
    }
    facts.remarks.borrow_mut().append(&mut layouts.remarks);
    annotate(ir, func, &layouts, launch)
}

/// Spreads what anchors say: forward first, for what is computed from them fits them best, then both ways. The answer
/// is how many there are.
fn anchored(
    ir: &Ir,
    ops: &[OpId],
    layouts: &mut Layouts,
    check: impl Fn(&Ir, OpId, ValueId, &Nested) -> Result<(), Diag>,
) -> Result<usize, Diag> {
    let mut n_anchors = 0;
    let mut offers = Vec::new();
    for (place, &op) in (0..).zip(ops) {
        layouts.put(op, place);
        // A vector of rank 0 has one element and nothing to distribute.
        for value in ir.results(op).chain(ir.regions(op).iter().flat_map(|&region| args(ir, region))) {
            if ir.ty(value).is_vector() && ir.shape_of(value).is_empty() {
                layouts.set(value, empty());
            }
        }
        for (value, layout) in anchors(ir, op, layouts)? {
            check(ir, op, value, &layout)?;
            n_anchors += 1;
            offers.push(Offer { to: value, rank: USER, layout: layouts.intern(layout) });
        }
    }
    spread::take(ir, offers, layouts);
    spread(ir, Ways::Forward, layouts);
    layouts.fresh = ops.iter().flat_map(|&op| ir.results(op)).filter(|&value| layouts.id(value).is_some()).collect();
    let carried = ops.iter().flat_map(|&op| ir.regions(op)).flat_map(|&region| args(ir, region));
    let carried: Vec<ValueId> = carried.filter(|&value| layouts.id(value).is_some()).collect();
    layouts.fresh.extend(carried);
    spread(ir, Ways::Both, layouts);
    Ok(n_anchors)
}

/// A function of vectors in which nothing says how any of them lies could be distributed in every way, or in none.
fn an_anchor_at_least(ir: &Ir, ops: &[OpId], launch: Launch) -> Result<(), Diag> {
    let spread = |value: ValueId| ir.ty(value).is_vector() && !ir.shape_of(value).is_empty();
    let has_vector = |op: &OpId| ir.results(*op).any(spread) && !unused(ir, *op);
    let Some(&op) = ops.iter().find(|op| has_vector(op)) else { return Ok(()) };
    let value = ir.results(op).find(|&value| spread(value)).expect("the operation was found by it");
    let message = format!("no layout reaches the result of `{}`: the function has no anchor", ir.name(op));
    let example = seed::coalesced(ir, value, launch);
    Err(Diag::error(Code::NoLayout, ir.span(op), message)
        .note("layouts spread from anchors: `iree_vector_ext.to_layout`, a `lowering_config`, or a matrix instruction")
        .help(format!("anchor it: `%1 = iree_vector_ext.to_layout %0 to layout(#iree_vector_ext.{example})`, with the tiles that its threads should have")))
}

fn args(ir: &Ir, region: RegionId) -> impl Iterator<Item = ValueId> + '_ {
    ir.blocks(region).iter().flat_map(|&block| ir.args(block).iter().copied())
}

/// The layout of a value of rank 0.
fn empty() -> Nested {
    let none = Vec::new;
    Nested::new(none(), none(), none(), none(), none(), none(), none()).expect("all lists are empty")
}

/// Whether the layout fits the vector and the workgroup.
fn check(ir: &Ir, op: OpId, value: ValueId, layout: &Nested, launch: Launch) -> Result<(), Diag> {
    let fits = layout.verify(ir.shape_of(value)).map_err(|error| error.to_string());
    fits.and_then(|()| fits_workgroup(layout, launch)).map_err(|why| {
        let message = format!("the layout of `{}` does not fit", ir.name(op));
        Diag::error(Code::LayoutMisfit, ir.span(op), message).note(why).note(format!("it is {layout}"))
    })
}

/// Writes `layouts = […]` onto each operation that makes a vector; a vector without a layout is an error.
fn annotate(ir: &mut Ir, func: OpId, layouts: &Layouts, launch: Launch) -> Result<(), Diag> {
    annotate_arguments(ir, func, layouts, launch)?;
    for op in ir.walk(func) {
        let results: Vec<ValueId> = ir.results(op).collect();
        if !results.iter().any(|&value| ir.ty(value).is_vector()) {
            continue;
        }
        let mut list = Vec::new();
        for &value in &results {
            if !ir.ty(value).is_vector() {
                list.push(ir.intern(Attr::Unit));
                continue;
            }
            let Some(layout) = layouts.get(value) else {
                if unused(ir, op) {
                    list.push(ir.intern(Attr::Unit));
                    continue;
                }
                let message = format!("no layout reaches the result of `{}`", ir.name(op));
                return Err(Diag::error(Code::NoLayout, ir.span(op), message)
                    .note("layouts spread from anchors, forward to results and backward to operands, and no anchor is connected to this value")
                    .help("anchor it: `%1 = iree_vector_ext.to_layout %0 to layout(#iree_vector_ext.nested_layout<…>)`"));
            };
            check(ir, op, value, layout, launch.at(ir, op))?;
            list.push(ir.intern(Attr::Layout(layout.clone().into())));
        }
        let list = ir.intern(Attr::Array(list));
        ir.set_attr(op, "layouts", list);
    }
    Ok(())
}

/// What comes into a function has its layouts on the function itself.
fn annotate_arguments(ir: &mut Ir, func: OpId, layouts: &Layouts, launch: Launch) -> Result<(), Diag> {
    let args = ir.args(ir.entry(func)).to_vec();
    if !args.iter().any(|&arg| ir.ty(arg).is_vector()) {
        return Ok(());
    }
    let mut list = Vec::new();
    for arg in args {
        let layout = layouts.get(arg).filter(|_| ir.ty(arg).is_vector());
        if let Some(layout) = layout {
            check(ir, func, arg, layout, launch)?;
        }
        list.push(ir.intern(layout.map_or(Attr::Unit, |layout| Attr::Layout(layout.clone().into()))));
    }
    let list = ir.intern(Attr::Array(list));
    ir.set_attr(func, "layouts", list);
    Ok(())
}

/// Whether an operation does nothing that anyone sees.
fn unused(ir: &Ir, op: OpId) -> bool {
    (ir.opcode(op).info().is_pure() || ir.class(op) == Class::Read) && ir.results(op).all(|value| ir.is_unused(value))
}

/// The layout of a value, as `lay_out` has written it: what a block is given lies as it did where it comes from.
pub fn layout_of(ir: &Ir, value: ValueId) -> Option<&Nested> {
    shared_layout_of(ir, value).map(|layout| &**layout)
}

/// The same, to be kept while the program changes.
pub fn shared_layout_of(ir: &Ir, value: ValueId) -> Option<&Arc<Nested>> {
    let mut asked = vec![value];
    let mut next = 0;
    while let Some(&value) = asked.get(next) {
        next += 1;
        let result = match ir.def(value) {
            Def::Result { .. } => value,
            Def::Arg { .. } => flow::counterpart(ir, value).unwrap_or(value),
        };
        if let Def::Result { op, index } = ir.def(result) {
            return noted(ir, op, index as usize);
        }
        if let Def::Arg { block, index } = ir.def(value)
            && let func = ir.region_parent(ir.block_region(block))
            && ir.class(func) == Class::Function
            && ir.entry(func) == block
        {
            return noted(ir, func, index as usize);
        }
        for (op, operand) in sources(ir, value) {
            let source = ir.operand(op, operand);
            if !asked.contains(&source) {
                asked.push(source);
            }
        }
    }
    None
}

/// Entry `index` of what is written on an operation.
fn noted(ir: &Ir, op: OpId, index: usize) -> Option<&Arc<Nested>> {
    let Attr::Array(list) = ir.attr(op, "layouts")? else { return None };
    match &ir[*list.get(index)?] {
        Attr::Layout(layout) => Some(layout),
        _ => None,
    }
}

/// Whether an operation changes a layout in a way that a reordering of each thread's slots cannot.
pub fn is_conversion(ir: &Ir, op: OpId) -> bool {
    if ir.opcode(op) != Opcode::IreeVectorExtToLayout || ir.is_unused(ir.result(op, 0)) {
        return false;
    }
    match (layout_of(ir, ir.operand(op, 0)), layout_of(ir, ir.result(op, 0))) {
        (Some(from), Some(to)) => !in_registers(from, to),
        _ => false,
    }
}
