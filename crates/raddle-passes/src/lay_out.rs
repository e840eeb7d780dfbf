//! Lay out: give every vector value exactly one layout, and make every change of layout explicit.
//!
//! Before: `%a = transfer_read`, `%s = arith.addf %a, %b`, `%r = iree_vector_ext.to_layout %s to layout(#L)`
//! After:  the same with `layouts = [#L]` on each operation that makes a vector; a `to_layout` whose operand has
//!         another layout than its result is a conversion.
//!
//! The idea: anchors speak first, forward to what is computed from them, then both ways until nothing changes; the
//! first layout that reaches a value stays. Then every operation states what layouts it needs of its operands, given
//! those of its results. Where an operand has another one, the cheapest of three answers is taken: a constant is made
//! again, a read is done again in the layout that is wanted, anything else is converted.
//!
//! Does not weigh a conversion against moving another one: one conversion is placed where two layouts meet.

mod seed;

use std::collections::VecDeque;

use raddle_ir::views::Contract;
use raddle_ir::{Attr, BlockId, Builder, Class, Code, Def, Diag, Ir, OpId, Opcode, ValueId, ValueMap};
use raddle_layout::Nested;
use raddle_target::Chip;

use crate::config::Launch;
use crate::instruction;
use crate::table::Facts;

/// The layout of each value, by [`ValueId`].
struct Layouts {
    chip: &'static Chip,
    launch: Launch,
    of: Vec<Option<Nested>>,
    /// Values whose layout has not been spread yet.
    fresh: VecDeque<ValueId>,
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
}

/// Finds the layouts and writes them onto the operations.
pub fn lay_out(ir: &mut Ir, func: OpId, facts: &Facts) -> Result<(), Diag> {
    let launch = Launch::read(ir, func)?;
    let mut layouts = Layouts { chip: facts.chip, launch, of: vec![None; ir.n_values()], fresh: VecDeque::new() };
    let ops = ir.walk(func);
    for &op in &ops {
        // A vector of rank 0 has one element and nothing to distribute.
        for value in ir.results(op) {
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
        forward(ir, value, &mut layouts);
    }
    layouts.fresh = ops.iter().flat_map(|&op| ir.results(op)).filter(|&v| layouts.get(v).is_some()).collect();
    layouts.fresh.extend(anchors);
    loop {
        while let Some(value) = layouts.fresh.pop_front() {
            backward(ir, value, &mut layouts);
            forward(ir, value, &mut layouts);
        }
        // What no anchor reaches gets a layout of our choice, and that spreads in turn.
        for (value, layout) in seed::seeds(ir, &ops, launch, &layouts) {
            layouts.offer(ir, value, layout);
        }
        if layouts.fresh.is_empty() {
            break;
        }
    }
    for &op in &ops {
        settle(ir, op, &mut layouts)?;
    }
    annotate(ir, func, &layouts, launch)
}

/// The layout of a value of rank 0.
fn empty() -> Nested {
    let none = Vec::new;
    Nested::new(none(), none(), none(), none(), none(), none(), none()).expect("all lists are empty")
}

/// The layout that an operation states.
fn anchor(ir: &Ir, op: OpId) -> Option<&Nested> {
    match (ir.opcode(op), ir.attr(op, "layout")) {
        (Opcode::ToLayout, Some(Attr::Layout(layout))) => Some(layout),
        _ => None,
    }
}

/// Whether the layout fits the vector and the workgroup.
fn check(ir: &Ir, op: OpId, value: ValueId, layout: &Nested, launch: Launch) -> Result<(), Diag> {
    let bad = |why: String| {
        Diag::error(Code::LayoutMisfit, ir.span(op), format!("the layout of `{}` does not fit", ir.name(op))).note(why)
    };
    layout.verify(ir.shape_of(value)).map_err(|error| bad(error.to_string()))?;
    let reach = |tiles: &[i64], strides: &[i64]| tiles.iter().zip(strides).map(|(t, s)| t * s).max().unwrap_or(0);
    let subgroups = reach(&layout.subgroup_tile, &layout.subgroup_strides);
    let lanes = reach(&layout.thread_tile, &layout.thread_strides);
    let n_subgroups = launch.workgroup_size / launch.subgroup_size;
    if subgroups > n_subgroups {
        return Err(bad(format!("it asks for {subgroups} subgroups, and the workgroup has {n_subgroups}")));
    }
    // A layout without subgroups may number its threads through the whole workgroup.
    let lanes_max = if subgroups == 0 { launch.workgroup_size } else { launch.subgroup_size };
    if lanes > lanes_max {
        return Err(bad(format!("it asks for {lanes} lanes, and there are {lanes_max}")));
    }
    Ok(())
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
fn forward(ir: &Ir, value: ValueId, layouts: &mut Layouts) {
    let layout = layouts.get(value).expect("only values with a layout are spread").clone();
    let users: Vec<(OpId, usize)> = ir.uses(value).collect();
    for (op, operand) in users.into_iter().rev() {
        match ir.class(op) {
            Class::Elementwise => {
                for result in ir.results(op) {
                    if ir.ty(result).is_vector() {
                        layouts.offer(ir, result, layout.clone());
                    }
                }
            }
            Class::Loop if ir.opcode(op) == Opcode::For && operand >= 3 => {
                layouts.offer(ir, ir.result(op, operand - 3), layout.clone());
            }
            Class::Yield => {
                if let Some(parent) = ir.parent_op(op)
                    && matches!(ir.class(parent), Class::Loop | Class::Branch)
                {
                    layouts.offer(ir, ir.result(parent, operand), layout.clone());
                }
            }
            Class::Transpose => {
                let perm = permutation(ir, op);
                layouts.offer(ir, ir.result(op, 0), layout.permute(&perm));
            }
            Class::Reshape | Class::Reduce | Class::Contract => {
                if let Some(layout) = natural(ir, op, layouts) {
                    layouts.offer(ir, ir.result(op, 0), layout);
                }
            }
            // A broadcast's new dimensions are free, and the rest end here.
            Class::Broadcast
            | Class::Layout
            | Class::Write
            | Class::Read
            | Class::Slice
            | Class::Mask
            | Class::Constant
            | Class::Structured
            | Class::Empty
            | Class::Loop
            | Class::Branch
            | Class::Alloc
            | Class::View
            | Class::Barrier
            | Class::Index
            | Class::Id
            | Class::Shuffle
            | Class::Matrix
            | Class::Call
            | Class::Module
            | Class::Function
            | Class::Opaque => {}
        }
    }
}

/// Tells the producer of a value what the value's layout means for its operands.
fn backward(ir: &Ir, value: ValueId, layouts: &mut Layouts) {
    let Def::Result { op, index } = ir.def(value) else { return };
    if matches!(ir.class(op), Class::Loop | Class::Branch) {
        let layout = layouts.get(value).expect("only values with a layout are spread").clone();
        for other in tied(ir, op, index as usize) {
            layouts.offer(ir, other, layout.clone());
        }
        return;
    }
    for (operand, layout) in needs(ir, op, layouts) {
        layouts.offer(ir, ir.operand(op, operand), layout);
    }
    if let Some(layout) = anchor(ir, op) {
        layouts.offer(ir, ir.operand(op, 0), layout.clone());
    }
}

fn permutation(ir: &Ir, op: OpId) -> Vec<usize> {
    let perm = ir.attr_id(op, "permutation").and_then(|attr| ir.ints(attr)).expect("a transpose has a permutation");
    perm.into_iter().map(|d| d as usize).collect()
}

/// The layout that an operation's result has because of its operands, where those decide it.
fn natural(ir: &Ir, op: OpId, layouts: &Layouts) -> Option<Nested> {
    match ir.opcode(op) {
        Opcode::ShapeCast => layouts.get(ir.operand(op, 0))?.reshape(ir.shape_of(ir.result(op, 0))).ok(),
        Opcode::MultiReduction => Some(layouts.get(ir.operand(op, 0))?.project(&reduced(ir, op))),
        Opcode::Contract => {
            let contract = Contract::of(ir, op);
            let maps: Option<Vec<Vec<usize>>> = contract.maps.iter().map(|map| map.as_dims()).collect();
            let maps = maps?;
            let (lhs, rhs) = (layouts.get(contract.lhs)?, layouts.get(contract.rhs)?);
            if let Some(found) = instruction::of_contract(ir, op, lhs, rhs, layouts.chip) {
                return Some(found.result);
            }
            Nested::recombine(&[(lhs, &maps[0]), (rhs, &maps[1])], &maps[2]).ok()
        }
        _ => None,
    }
}

/// For each dimension of the source, whether `vector.multi_reduction` reduces it.
pub fn reduced(ir: &Ir, op: OpId) -> Vec<bool> {
    let dims = ir.attr_id(op, "reduction_dims").and_then(|attr| ir.ints(attr)).expect("a reduction has dimensions");
    (0..ir.shape_of(ir.operand(op, 0)).len() as i64).map(|d| dims.contains(&d)).collect()
}

/// The layouts that an operation needs of its operands, given its results' (and, for loops, none: those are tied).
fn needs(ir: &Ir, op: OpId, layouts: &Layouts) -> Vec<(usize, Nested)> {
    let mut needs = Vec::new();
    let vectors: Vec<usize> = (0..ir.operands(op).len()).filter(|&i| ir.ty(ir.operand(op, i)).is_vector()).collect();
    let Some(layout) = ir.results(op).find_map(|result| layouts.get(result)) else { return needs };
    match ir.class(op) {
        Class::Elementwise => needs.extend(vectors.into_iter().map(|i| (i, layout.clone()))),
        Class::Transpose => {
            let perm = permutation(ir, op);
            let inverse: Vec<usize> =
                (0..perm.len()).map(|d| perm.iter().position(|&p| p == d).expect("a permutation")).collect();
            needs.push((0, layout.permute(&inverse)));
        }
        Class::Reshape => {
            if let Ok(layout) = layout.reshape(ir.shape_of(ir.operand(op, 0))) {
                needs.push((0, layout));
            }
        }
        Class::Broadcast if !vectors.is_empty() => {
            let (source, result) = (ir.shape_of(ir.operand(op, 0)), ir.shape_of(ir.result(op, 0)));
            let lead = result.len() - source.len();
            // A stretched unit dimension is held by everyone.
            let dims: Vec<Option<usize>> =
                (0..source.len()).map(|d| (source[d] == result[lead + d]).then_some(lead + d)).collect();
            needs.push((0, layout.apply(&dims)));
        }
        Class::Reduce if vectors.contains(&1) => needs.push((1, layout.clone())),
        Class::Contract if vectors.contains(&2) => needs.push((2, layout.clone())),
        _ => {}
    }
    needs
}

/// Makes the layouts around an operation agree: its result with its operands, then its operands with its result.
fn settle(ir: &mut Ir, op: OpId, layouts: &mut Layouts) -> Result<(), Diag> {
    if ir.class(op) == Class::Reshape && natural(ir, op, layouts).is_none() {
        // The operand's layout cannot be split or merged like its shape: take one that can.
        let (source, result) = (ir.operand(op, 0), ir.result(op, 0));
        let shapes = [ir.shape_of(source).to_vec(), ir.shape_of(result).to_vec()];
        let wanted = layouts.get(result).and_then(|layout| layout.reshape(&shapes[0]).ok());
        let candidates = [
            wanted,
            Some(seed::spread(&shapes[0], 1, layouts.launch)),
            seed::spread(&shapes[1], 1, layouts.launch).reshape(&shapes[0]).ok(),
            Nested::whole(&shapes[0]).ok(),
        ];
        if let Some(layout) = candidates.into_iter().flatten().find(|layout| layout.reshape(&shapes[1]).is_ok()) {
            give(ir, op, 0, layout, layouts);
        }
    }
    if matches!(ir.class(op), Class::Reshape | Class::Reduce | Class::Contract) && ir.ty(ir.result(op, 0)).is_vector() {
        let result = ir.result(op, 0);
        match (natural(ir, op, layouts), layouts.get(result)) {
            (Some(natural), Some(given)) if natural != *given => {
                let given = given.clone();
                let mut builder = Builder::before(ir, op);
                let converted = convert(&mut builder, result, &given);
                let conversion = ir.def_op(converted).expect("just made");
                ir.detach(conversion);
                ir.insert_after(op, conversion);
                ir.replace_uses(result, converted);
                ir.set_operand(conversion, 0, result);
                layouts.set(result, natural);
                layouts.set(converted, given);
            }
            (None, Some(_)) if ir.class(op) == Class::Contract => {
                return Err(Diag::error(
                    Code::LayoutMisfit,
                    ir.span(op),
                    "the operands of `vector.contract` have layouts that do not combine",
                )
                .note("along a dimension that both have, lhs and rhs must be spread over the same threads")
                .help("anchor both operands with `iree_vector_ext.to_layout`"));
            }
            _ => {}
        }
    }
    adapt(ir, op, layouts);
    Ok(())
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
            let new = with_layout(ir, op, value, &layout);
            layouts.set(new, layout);
            ir.set_operand(op, operand, new);
        }
    }
}

/// The value in another layout, for one user: made again, read again, or converted.
fn with_layout(ir: &mut Ir, user: OpId, value: ValueId, layout: &Nested) -> ValueId {
    if let Some(def) = ir.def_op(value) {
        let again = match ir.class(def) {
            Class::Constant => true,
            // The copy stands where the original does, so that no write can come between.
            Class::Read => true,
            Class::Broadcast => !ir.ty(ir.operand(def, 0)).is_vector(),
            _ => false,
        };
        if again {
            let copy = Builder::before(ir, def).copy(def, &mut ValueMap::default());
            return ir.result(copy, 0);
        }
    }
    convert(&mut Builder::before(ir, user), value, layout)
}

fn convert(builder: &mut Builder<'_>, value: ValueId, layout: &Nested) -> ValueId {
    let ty = builder.ir.type_of(value);
    let attr = builder.ir.intern(Attr::Layout(layout.clone()));
    builder.value(Opcode::ToLayout, &[value], ty, &[("layout", attr)])
}

/// Writes `layouts = […]` onto each operation that makes a vector; a vector without a layout is an error.
fn annotate(ir: &mut Ir, func: OpId, layouts: &Layouts, launch: Launch) -> Result<(), Diag> {
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

/// Whether an operation does nothing that anyone sees.
fn unused(ir: &Ir, op: OpId) -> bool {
    (ir.opcode(op).info().pure || ir.class(op) == Class::Read) && ir.results(op).all(|value| ir.is_unused(value))
}

/// The layout of a result, as `lay_out` has written it.
pub fn layout_of(ir: &Ir, value: ValueId) -> Option<&Nested> {
    let (op, index) = match ir.def(value) {
        Def::Result { op, index } => (op, index as usize),
        Def::Arg { block, index } => (carrier(ir, block)?, (index as usize).checked_sub(1)?),
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
