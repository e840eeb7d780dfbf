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

mod rules;
mod seed;
mod settle;

use std::collections::{BTreeMap, VecDeque};

use raddle_ir::{Attr, BlockId, Class, Code, Def, Diag, Ir, OpId, Opcode, RegionId, ValueId};
use raddle_layout::Nested;
use raddle_target::Chip;

use self::rules::{anchor, forward, needs, wishes};
pub use self::rules::{in_registers, is_column, is_local, mask_dims, reduced};
use crate::config::Launch;
use crate::table::Facts;

/// The layout of each value, by [`ValueId`].
struct Layouts {
    chip: &'static Chip,
    launch: Launch,
    of: Vec<Option<Nested>>,
    /// Values whose layout has not been spread yet.
    fresh: VecDeque<ValueId>,
    /// Conversions that were placed: the value, and what it became.
    converted: BTreeMap<ValueId, Vec<ValueId>>,
    /// For each operation the number of the one that it is or stands in front of, as they came.
    places: Vec<u32>,
    remarks: Vec<Diag>,
}

impl Layouts {
    fn get(&self, value: ValueId) -> Option<&Nested> {
        self.of.get(value.index())?.as_ref()
    }

    /// The first layout stays. What a loop carries and what comes out of it have one layout, so both take it at once.
    fn offer(&mut self, ir: &Ir, value: ValueId, layout: Nested) {
        if self.get(value).is_some() {
            return;
        }
        if let Some(twin) = twin(ir, value) {
            self.set(twin, layout.clone());
            self.fresh.push_back(twin);
        }
        self.set(value, layout);
        self.fresh.push_back(value);
    }

    fn set(&mut self, value: ValueId, layout: Nested) {
        if self.of.len() <= value.index() {
            self.of.resize(value.index() + 1, None);
        }
        self.of[value.index()] = Some(layout);
    }

    fn place(&self, op: OpId) -> u32 {
        self.places[op.index()]
    }

    fn put(&mut self, op: OpId, place: u32) {
        if self.places.len() <= op.index() {
            self.places.resize(op.index() + 1, u32::MAX);
        }
        self.places[op.index()] = place;
    }

    fn remark(&mut self, ir: &Ir, op: OpId, message: String) -> &mut Diag {
        self.remarks.push(Diag::error(Code::LayoutChoice, ir.span(op), message).as_remark());
        self.remarks.last_mut().expect("just pushed")
    }
}

/// Finds the layouts and writes them onto the operations.
pub fn lay_out(ir: &mut Ir, func: OpId, facts: &Facts) -> Result<(), Diag> {
    let launch = Launch::read(ir, func)?;
    lay_out_for(ir, func, facts, launch)
}

/// [`lay_out`] for a launch that the function need not state.
pub fn lay_out_for(ir: &mut Ir, func: OpId, facts: &Facts, launch: Launch) -> Result<(), Diag> {
    let mut layouts = Layouts {
        chip: facts.chip,
        launch,
        of: vec![None; ir.n_values()],
        fresh: VecDeque::new(),
        converted: BTreeMap::new(),
        places: Vec::new(),
        remarks: Vec::new(),
    };
    let ops = ir.walk(func);
    for (place, &op) in (0..).zip(&ops) {
        layouts.put(op, place);
        // A vector of rank 0 has one element and nothing to distribute.
        for value in ir.results(op).chain(ir.regions(op).iter().flat_map(|&region| args(ir, region))) {
            if ir.ty(value).is_vector() && ir.shape_of(value).is_empty() {
                layouts.set(value, empty());
            }
        }
        if let Some(layout) = anchor(ir, op) {
            check(ir, op, ir.result(op, 0), layout, launch)?;
            layouts.offer(ir, ir.result(op, 0), layout.clone());
        }
    }
    // Anchors speak forward first: what is computed from them fits them best.
    let anchors = layouts.fresh.clone();
    while let Some(value) = layouts.fresh.pop_front() {
        spread_forward(ir, value, &mut layouts);
    }
    layouts.fresh = ops.iter().flat_map(|&op| ir.results(op)).filter(|&v| layouts.get(v).is_some()).collect();
    layouts.fresh.extend(anchors);
    settle_down(ir, &mut layouts);
    // What no anchor reaches gets a layout of our choice, and that spreads in turn.
    for choice in seed::choices(ir, &ops) {
        for (value, layout) in seed::choose(ir, &choice, &layouts) {
            if let Some(op) = ir.def_op(value) {
                let message = format!("no anchor reaches the result of `{}`: its layout is chosen", ir.name(op));
                layouts.remark(ir, op, message).notes.push(format!("chosen is {layout}"));
            }
            layouts.offer(ir, value, layout);
        }
        settle_down(ir, &mut layouts);
    }
    for &op in &ops {
        settle::settle(ir, op, &mut layouts);
    }
    facts.remarks.borrow_mut().append(&mut layouts.remarks);
    annotate(ir, func, &layouts, launch)
}

/// Spreads layouts both ways until nothing changes.
fn settle_down(ir: &Ir, layouts: &mut Layouts) {
    while let Some(value) = layouts.fresh.pop_front() {
        spread_backward(ir, value, layouts);
        spread_forward(ir, value, layouts);
    }
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

/// Whether the workgroup has the threads that a layout asks for, and each tile has threads of its own.
fn fits_workgroup(layout: &Nested, launch: Launch) -> Result<(), String> {
    layout.check().map_err(|error| error.to_string())?;
    if launch.threads().is_none() {
        // There are as many threads as are asked for.
        return Ok(());
    }
    let reach = |tiles: &[i64], strides: &[i64]| tiles.iter().zip(strides).map(|(t, s)| t * s).max().unwrap_or(0);
    let subgroups = reach(&layout.subgroup_tile, &layout.subgroup_strides);
    let lanes = reach(&layout.thread_tile, &layout.thread_strides);
    let n_subgroups = launch.workgroup_size / launch.subgroup_size;
    if subgroups > n_subgroups {
        return Err(format!("it asks for {subgroups} subgroups, and the workgroup has {n_subgroups}"));
    }
    // A layout without subgroups may number its threads through the whole workgroup.
    let lanes_max = if subgroups == 0 { launch.workgroup_size } else { launch.subgroup_size };
    if lanes > lanes_max {
        return Err(format!("it asks for {lanes} lanes, and there are {lanes_max}"));
    }
    // Such lanes must start anew with each subgroup, or go on beyond it: a dimension alone then means the same as among
    // the others.
    let size = launch.subgroup_size;
    let odd = |d: &usize| {
        let span = layout.thread_tile[*d] * layout.thread_strides[*d];
        span > 0 && span < size && size % span != 0
    };
    match (0..layout.rank()).find(odd) {
        Some(d) if lanes > size => {
            Err(format!("its lanes go through the workgroup, and those of dimension {d} do not divide a subgroup"))
        }
        _ => Ok(()),
    }
}

/// The block argument that carries a loop's result, or the result that a carried argument becomes.
fn twin(ir: &Ir, value: ValueId) -> Option<ValueId> {
    match ir.def(value) {
        Def::Result { op, index } => (ir.opcode(op) == Opcode::For).then(|| ir.args(ir.entry(op))[1 + index as usize]),
        Def::Arg { block, index } => {
            let result = (index as usize).checked_sub(1)?;
            carrier(ir, block).map(|op| ir.result(op, result))
        }
    }
}

/// The values that must share a layout with result `index` of a loop or branch: yielded and initial ones.
fn tied(ir: &Ir, op: OpId, index: usize) -> Vec<ValueId> {
    let mut values = Vec::new();
    for region in ir.regions(op).to_vec() {
        let Some(&block) = ir.blocks(region).first() else { continue };
        if let Some(end) = ir.terminator(block)
            && ir.opcode(end) == Opcode::ScfYield
        {
            values.push(ir.operand(end, index));
        }
        if ir.opcode(op) == Opcode::For {
            values.push(ir.operand(op, 3 + index));
        }
    }
    values
}

/// Tells the users of a value what its layout means for their results.
fn spread_forward(ir: &Ir, value: ValueId, layouts: &mut Layouts) {
    let layout = layouts.get(value).expect("only values with a layout are spread").clone();
    let users: Vec<(OpId, usize)> = ir.uses(value).collect();
    for (op, operand) in users.into_iter().rev() {
        for (other, layout) in forward(ir, op, operand, &layout, layouts) {
            layouts.offer(ir, other, layout);
        }
    }
}

/// Tells the producer of a value what the value's layout means for its operands.
fn spread_backward(ir: &Ir, value: ValueId, layouts: &mut Layouts) {
    let Def::Result { op, index } = ir.def(value) else { return };
    if matches!(ir.class(op), Class::Loop | Class::Branch) {
        let layout = layouts.get(value).expect("only values with a layout are spread").clone();
        for other in tied(ir, op, index as usize) {
            layouts.offer(ir, other, layout.clone());
        }
        return;
    }
    for (operand, layout) in needs(ir, op, layouts).into_iter().chain(wishes(ir, op, layouts)) {
        layouts.offer(ir, ir.operand(op, operand), layout);
    }
    if let Some(layout) = anchor(ir, op) {
        layouts.offer(ir, ir.operand(op, 0), layout.clone());
    }
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
            check(ir, op, value, layout, launch)?;
            list.push(ir.intern(Attr::Layout(layout.clone())));
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
        list.push(ir.intern(layout.map_or(Attr::Unit, |layout| Attr::Layout(layout.clone()))));
    }
    let list = ir.intern(Attr::Array(list));
    ir.set_attr(func, "layouts", list);
    Ok(())
}

/// Whether an operation does nothing that anyone sees.
fn unused(ir: &Ir, op: OpId) -> bool {
    (ir.opcode(op).info().pure || ir.class(op) == Class::Read) && ir.results(op).all(|value| ir.is_unused(value))
}

/// The layout of a result, as `lay_out` has written it.
pub fn layout_of(ir: &Ir, value: ValueId) -> Option<&Nested> {
    let (op, index) = match ir.def(value) {
        Def::Result { op, index } => (op, index as usize),
        Def::Arg { block, index } => {
            let parent = ir.region_parent(ir.block_region(block));
            if ir.class(parent) == Class::Function {
                (parent, index as usize)
            } else {
                (carrier(ir, block)?, (index as usize).checked_sub(1)?)
            }
        }
    };
    let Attr::Array(list) = ir.attr(op, "layouts")? else { return None };
    match &ir[*list.get(index)?] {
        Attr::Layout(layout) => Some(layout),
        _ => None,
    }
}

/// The loop whose results stand for the block's arguments.
fn carrier(ir: &Ir, block: BlockId) -> Option<OpId> {
    let parent = ir.region_parent(ir.block_region(block));
    (ir.opcode(parent) == Opcode::For).then_some(parent)
}
