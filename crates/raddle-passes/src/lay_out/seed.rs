//! Layouts for what no anchor reaches: matrix instructions for contractions, coalesced accesses for everything else.

use raddle_ir::views::Contract;
use raddle_ir::{Class, Ir, OpId, Opcode, Scalar, ValueId};
use raddle_layout::Nested;
use raddle_layout::sort::sort_by_key;
use raddle_target::Mma;

use super::blocks::Product;
use super::instruction;
use super::layouts::Layouts;
use crate::code::extents::row_major;
use crate::config::Launch;
use crate::configure::{power_of_two, roles};

/// What may need a layout of our choice.
pub struct Choice {
    /// Those of one turn choose at the same time: what is asked for first, and how far from the start it is.
    pub turn: (Asks, u32),
    what: What,
}

/// Who asks. Contractions choose first, for they are hardest to please; then what is reduced, then what is written, then
/// the rest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Asks {
    Contraction,
    Reduction,
    Write,
    Rest,
}

enum What {
    /// Both operands of a contraction.
    Contract(OpId),
    /// One vector.
    Vector(ValueId),
}

/// What may need a layout, in the order in which it is asked for.
pub fn choices(ir: &Ir, ops: &[OpId], depths: &[u32]) -> Vec<Choice> {
    let depth = |value: ValueId| depths[value.index()];
    let mut choices = Vec::new();
    for &op in ops {
        let asks = match ir.class(op) {
            Class::Contract => {
                choices.push(Choice { turn: (Asks::Contraction, depth(ir.result(op, 0))), what: What::Contract(op) });
                Asks::Rest
            }
            Class::Reduce => Asks::Reduction,
            Class::Write => Asks::Write,
            _ => Asks::Rest,
        };
        if asks != Asks::Rest || ir.opcode(op) == Opcode::FuncReturn {
            let vectors = ir.operands(op).iter().copied().filter(|&value| ir.ty(value).is_vector());
            choices.extend(vectors.map(|value| Choice { turn: (asks, depth(value)), what: What::Vector(value) }));
        }
        let results = ir.results(op).filter(|&value| ir.ty(value).is_vector());
        choices.extend(results.map(|value| Choice { turn: (Asks::Rest, depth(value)), what: What::Vector(value) }));
    }
    sort_by_key(&mut choices, |choice| choice.turn);
    choices
}

/// The layouts that we choose; none where there are some already.
pub fn choose(ir: &Ir, choice: &Choice, layouts: &Layouts) -> Vec<(ValueId, Nested)> {
    let free = |value: ValueId| layouts.get(value).is_none();
    match choice.what {
        What::Contract(op) => {
            let view = Contract::of(ir, op);
            match [view.lhs, view.rhs].map(free) {
                [true, true] => contract(ir, &view, layouts.launch_at(ir, op), layouts),
                [false, true] => partner(ir, &view, 0, layouts.launch_at(ir, op), layouts),
                [true, false] => partner(ir, &view, 1, layouts.launch_at(ir, op), layouts),
                [false, false] => Vec::new(),
            }
        }
        What::Vector(value) if free(value) => {
            vec![(
                value,
                beside(ir, value, layouts).unwrap_or_else(|| coalesced(ir, value, layouts.launch_of(ir, value))),
            )]
        }
        What::Vector(_) => Vec::new(),
    }
}

/// A layout in which a workgroup reads and writes a vector of this shape well, whatever its extents: up to 128 bits of
/// the last dimension in each thread, lanes next to one another, then subgroups; what is left repeats.
pub fn coalesced(ir: &Ir, value: ValueId, launch: Launch) -> Nested {
    let bits = Scalar::of(&ir[ir.elem_of(value)]).map_or(32, Scalar::bits).max(8);
    spread(ir.shape_of(value), 128 / i64::from(bits), launch)
}

/// Spreads a shape over the workgroup, last dimension first, with up to `wide` elements of it in one thread.
pub fn spread(shape: &[i64], wide: i64, launch: Launch) -> Nested {
    let rank = shape.len();
    let ones = vec![1; rank];
    let (mut subgroup, mut batch, mut lane, mut element) = (ones.clone(), ones.clone(), ones.clone(), ones.clone());
    let mut lanes = launch.subgroup_size;
    let mut subgroups = launch.workgroup_size / launch.subgroup_size;
    for d in (0..rank).rev() {
        element[d] = if d + 1 == rank { power_of_two(shape[d], wide.max(1)) } else { 1 };
        lane[d] = power_of_two(shape[d] / element[d], lanes);
        lanes /= lane[d];
        subgroup[d] = power_of_two(shape[d] / (element[d] * lane[d]), subgroups);
        subgroups /= subgroup[d];
        batch[d] = shape[d] / (element[d] * lane[d] * subgroup[d]);
    }
    let (subgroup_strides, lane_strides) = (row_major(&subgroup), row_major(&lane));
    Nested::new(subgroup, batch, ones, lane, element, subgroup_strides, lane_strides)
        .expect("every extent is the product of its tiles")
}

/// Layouts for both operands of a contraction.
fn contract(ir: &Ir, view: &Contract, launch: Launch, layouts: &Layouts) -> Vec<(ValueId, Nested)> {
    if let Some(operands) = fragments(ir, view, launch, layouts) {
        return vec![(view.lhs, operands[0].clone()), (view.rhs, operands[1].clone())];
    }
    // No instruction: the result is spread over the workgroup, and each thread runs through the reductions.
    let n = view.reduction.len();
    let mut extents = vec![1; n];
    let values = [view.lhs, view.rhs];
    let mut dims = Vec::new();
    for (&value, map) in values.iter().zip(&view.maps) {
        let Some(map) = map.as_dims() else { return vec![(value, coalesced(ir, value, launch))] };
        for (&d, &extent) in map.iter().zip(ir.shape_of(value)) {
            extents[d] = extent;
        }
        dims.push(map);
    }
    let parallel: Vec<i64> = (0..n).map(|d| if view.reduction[d] { 1 } else { extents[d] }).collect();
    let mut iteration = spread(&parallel, 1, launch);
    for d in (0..n).filter(|&d| view.reduction[d]) {
        iteration.batch_tile[d] = extents[d];
    }
    values.into_iter().zip(&dims).map(|(value, dims)| (value, iteration.permute(dims))).collect()
}

/// A layout for the other operand of a contraction, when operand `known` has one: the loops that both have lie as they
/// do there, and the others take the threads that are left.
fn partner(ir: &Ir, view: &Contract, known: usize, launch: Launch, layouts: &Layouts) -> Vec<(ValueId, Nested)> {
    let operands = [view.lhs, view.rhs];
    let other = operands[1 - known];
    let Some(layout) = layouts.get(operands[known]) else { return Vec::new() };
    let (Some(have), Some(want)) = (view.maps[known].as_dims(), view.maps[1 - known].as_dims()) else {
        return vec![(other, coalesced(ir, other, launch))];
    };
    let dims: Vec<Option<usize>> = want.iter().map(|d| have.iter().position(|other| other == d)).collect();
    extended(layout, &dims, ir.shape_of(other), launch).map(|layout| (other, layout)).into_iter().collect()
}

/// A layout for the result of a broadcast whose source has one: what is repeated goes to the threads that are left.
fn beside(ir: &Ir, value: ValueId, layouts: &Layouts) -> Option<Nested> {
    let op = ir.def_op(value).filter(|&op| ir.class(op) == Class::Broadcast)?;
    let (source, shape) = (ir.operand(op, 0), ir.shape_of(value));
    let (layout, inner) = (layouts.get(source)?, ir.ty(source).is_vector().then(|| ir.shape_of(source))?);
    let lead = shape.len() - inner.len();
    let dims: Vec<Option<usize>> =
        (0..shape.len()).map(|d| d.checked_sub(lead).filter(|&at| inner[at] == shape[d])).collect();
    extended(layout, &dims, shape, layouts.launch_at(ir, op))
}

/// A layout of a shape whose dimension `d` lies as dimension `dims[d]` of another one does; the others take the threads
/// that are left.
fn extended(layout: &Nested, dims: &[Option<usize>], shape: &[i64], launch: Launch) -> Option<Nested> {
    let reach = |tiles: &[i64], strides: &[i64]| tiles.iter().zip(strides).map(|(t, s)| t * s).fold(1, i64::max);
    let mut lane = reach(&layout.thread_tile, &layout.thread_strides);
    let mut subgroup = reach(&layout.subgroup_tile, &layout.subgroup_strides);
    let column = |(&dim, &extent): (&Option<usize>, &i64)| match dim {
        Some(at) => layout.permute(&[at]),
        None => {
            let lanes = power_of_two(extent, launch.subgroup_size / lane);
            // A layout that counts its lanes through the workgroup leaves no subgroups.
            let free = if lane > launch.subgroup_size { 1 } else { launch.workgroup_size / launch.subgroup_size };
            let subgroups = power_of_two(extent / lanes, free / subgroup);
            let batch = extent / (lanes * subgroups);
            let one = || vec![1];
            let column =
                Nested::new(vec![subgroups], vec![batch], one(), vec![lanes], one(), vec![subgroup], vec![lane]);
            lane *= lanes;
            subgroup *= subgroups;
            column.expect("one dimension, whose tiles multiply to its extent")
        }
    };
    let none = Nested::whole(&[]).expect("no extents");
    dims.iter().zip(shape).map(column).try_fold(none, |layout, column| layout.append(&column)).ok()
}

/// The operand layouts of the first matrix instruction of the chip that divides the contraction.
fn fragments(ir: &Ir, view: &Contract, launch: Launch, layouts: &Layouts) -> Option<[Nested; 2]> {
    layouts.chip.exact_mma_rows().find_map(|mma| fragments_of(ir, view, mma, launch))
}

/// The operand layouts of a matrix instruction, if it divides the contraction.
pub fn fragments_of(ir: &Ir, view: &Contract, mma: &'static Mma, launch: Launch) -> Option<[Nested; 2]> {
    if let Some(product) = Product::of(ir, view, mma) {
        return product.factors(ir, view, launch);
    }
    if mma.blocks.is_some() {
        return None;
    }
    let roles = roles(&view.maps)?;
    let types = instruction::types(ir, view);
    let dims = [view.maps[0].as_dims()?, view.maps[1].as_dims()?];
    let extent = |i: usize, loop_: usize| {
        let at = dims[i].iter().position(|&d| d == loop_).expect("roles come from the maps");
        ir.shape_of([view.lhs, view.rhs][i])[at]
    };
    let (m, n, k) = (extent(0, roles.m), extent(1, roles.n), extent(0, roles.k));
    let divides = m % mma.m == 0 && n % mma.n == 0 && k % mma.k == 0;
    if mma.types.map(Some) != types || i64::from(mma.subgroup_size) != launch.subgroup_size || !divides {
        return None;
    }
    let n_subgroups = launch.workgroup_size / launch.subgroup_size;
    let rows = power_of_two(m / mma.m, n_subgroups);
    let columns = power_of_two(n / mma.n, n_subgroups / rows);
    let lhs = mma.fragments[0].nested([m / (mma.m * rows), k / mma.k], [rows, 1], [columns, 0]);
    let rhs = mma.fragments[1].nested([k / mma.k, n / (mma.n * columns)], [1, columns], [0, 1]);
    let place = |layout: Nested, lies: &[usize], loops: [usize; 2]| {
        if lies == loops { layout } else { layout.permute(&[1, 0]) }
    };
    Some([place(lhs, &dims[0], [roles.m, roles.k]), place(rhs, &dims[1], [roles.k, roles.n])])
}
