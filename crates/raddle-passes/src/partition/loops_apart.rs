//! Loops apart: operations get several loops in the place of one where a reshape beside them would otherwise keep them out
//! of a kernel.
//!
//! Before: a product along 512 windows, `tensor.expand_shape` of it to 8 images of 64, a mask of each of the 64,
//!         `tensor.collapse_shape` back to 512, a softmax and another product
//! After:  all of these along 8 and 64, with the reshapes in front of the first product and behind the last one
//!
//! So attention of the windows of images is found, and norms of rows are in one kernel with a transposition of these. Weights
//! of two numbers in a byte, which are a list that is scaled by blocks, are taken apart, scaled and multiplied in one kernel:
//! all have loops for rows, blocks, bytes of a block, and numbers of a byte.
//!
//! Does not split what a product sums, nor open extents. Comes when loops are joined already
//! (`flatten.rs`), which would join these again.

use std::collections::BTreeMap;
use std::ops::Range;

use raddle_ir::views::Linalg;
use raddle_ir::{BlockId, DYNAMIC, Expr, Ir, Map, OpId, Opcode, ValueId};

use super::flatten::{
    is_elementwise, is_made_apart, is_reshape, leave_out_unused, may_split, may_split_known, needs_apart, only_user,
    run_as_one, split_known_loop,
};
use super::reshape::{self, groups};
use super::rolls;
use crate::structured::body;

/// Gives two products, and what stands between them, several loops in the place of one where an elementwise operation in
/// the middle has them, so that reshapes around it do not hide that they are attention.
pub(super) fn split_between_products(ir: &mut Ir, blocks: &[BlockId]) {
    split_loops(ir, blocks, between_products);
}

/// Gives norms of rows, and what is computed of each element, several loops in the place of one where their result, or what
/// they read, is a transposition along these, as of the windows of an image: then they are in one kernel with it.
pub(super) fn split_around_moves(ir: &mut Ir, blocks: &[BlockId]) {
    split_loops(ir, blocks, around_move);
}

/// Gives what stands on one side of a reshape the loops of what stands on the other side, which needs them apart: numbers
/// that are scaled by groups, or lie two in a byte, are computed in one kernel then.
pub(super) fn split_around_reshapes(ir: &mut Ir, blocks: &[BlockId]) {
    split_loops(ir, blocks, around_reshape);
}

/// Loops of operations, and the extents of those that are to be in the place of each.
type Split = (Vec<(OpId, usize)>, Vec<i64>);

/// Splits loops as long as there is an operation for which that is worth it.
fn split_loops(ir: &mut Ir, blocks: &[BlockId], find: fn(&Ir, OpId) -> Option<Split>) {
    let ops = |ir: &Ir| blocks.iter().flat_map(|&block| ir.ops_of(block)).collect::<Vec<OpId>>();
    let known = |ir: &Ir, (loops, extents): &Split| {
        let n = extents.iter().product();
        loops.iter().all(|&(op, d)| is_known_loop(ir, &Linalg::of(ir, op), d, n))
    };
    join_reshapes(ir, blocks);
    // One after the other, of which none is found twice.
    for _ in 0..ops(ir).len() {
        let found = ops(ir).into_iter().find_map(|op| find(ir, op).filter(|split| known(ir, split)));
        let Some((loops, extents)) = found else { return };
        for (op, d) in loops {
            split_known_loop(ir, op, d, &extents);
        }
        join_reshapes(ir, blocks);
    }
}

/// Lets nothing be reshaped twice, nor back.
fn join_reshapes(ir: &mut Ir, blocks: &[BlockId]) {
    let ops = blocks.iter().flat_map(|&block| ir.ops_of(block));
    for op in ops.filter(|&op| is_reshape(ir, op)).collect::<Vec<_>>() {
        reshape::join(ir, op);
    }
    leave_out_unused(ir, blocks);
}

/// Whether all tensors that have a loop have so many elements along it.
fn is_known_loop(ir: &Ir, linalg: &Linalg, d: usize, n: i64) -> bool {
    let mut tensors = linalg.inputs.iter().chain(&linalg.outputs).zip(&linalg.maps);
    tensors.all(|(&tensor, map)| {
        let at = map.results.iter().position(|expr| *expr == Expr::Dim(d as u32));
        at.is_none_or(|at| ir.shape_of(tensor)[at] == n)
    })
}

/// What stands between two products along one loop where an elementwise operation in the middle has several: a mask of each
/// window of an image, which is the same for all images, divides the windows of all images. Gives the loop of each
/// operation, products included, and the extents of those that are to be in its place.
fn between_products(ir: &Ir, op: OpId) -> Option<Split> {
    let linalg = Linalg::try_of(ir, op).filter(|_| is_elementwise(ir, op))?;
    let result = ir.result(op, 0);
    let collapse = only_user(ir, result).filter(|&user| ir.opcode(user) == Opcode::TensorCollapseShape)?;
    let of_result = linalg.maps.last()?.as_dims()?;
    let behind = dims_of_groups(ir, collapse)?;
    for (&input, map) in linalg.inputs.iter().zip(&linalg.maps) {
        let Some(expand) = ir.def_op(input).filter(|&made| ir.opcode(made) == Opcode::TensorExpandShape) else {
            continue;
        };
        let (Some(in_front), Some(of_input)) = (dims_of_groups(ir, expand), map.as_dims()) else { continue };
        for (at, dims) in in_front.into_iter().enumerate().filter(|(_, dims)| dims.len() > 1) {
            let extents = ir.shape_of(input)[dims.clone()].to_vec();
            let loops = &of_input[dims];
            let to = behind.iter().position(|dims| of_result[dims.clone()] == *loops);
            let is_apart = loops.windows(2).any(|pair| !run_as_one(ir, op, &linalg, pair[0], pair[1]));
            let Some(to) = to.filter(|_| is_apart && !extents.contains(&DYNAMIC)) else { continue };
            let mut between = Between { ir, ends: [expand, collapse], products: [0; 2], loops: BTreeMap::new() };
            if between.backward(ir.operand(expand, 0), at).is_some()
                && between.forward(ir.result(collapse, 0), to).is_some()
                && !between.products.contains(&0)
            {
                return Some((between.loops.into_iter().collect(), extents));
            }
        }
    }
    None
}

/// What is to have several loops so that it is in a kernel with a transposition of an expanded or collapsed tensor, whose
/// rows stay what they are.
fn around_move(ir: &Ir, op: OpId) -> Option<Split> {
    let (input, from) = rolls::moved(ir, op).filter(|_| is_elementwise(ir, op))?;
    let to: Vec<usize> = (0..from.len()).collect();
    if from.last() != to.last() || from == to {
        return None;
    }
    let sides = [
        ir.def_op(input).filter(|&made| ir.opcode(made) == Opcode::TensorExpandShape).map(|made| (made, &from, true)),
        only_user(ir, ir.result(op, 0))
            .filter(|&user| ir.opcode(user) == Opcode::TensorCollapseShape)
            .map(|user| (user, &to, false)),
    ];
    let other = |own: &[usize]| if own == from { &to } else { &from };
    sides.into_iter().flatten().find_map(|(reshape, own, is_in_front)| {
        let [long, short] = match is_in_front {
            true => [ir.result(reshape, 0), ir.operand(reshape, 0)],
            false => [ir.operand(reshape, 0), ir.result(reshape, 0)],
        };
        dims_of_groups(ir, reshape)?.into_iter().enumerate().find_map(|(at, dims)| {
            let extents = ir.shape_of(long)[dims.clone()].to_vec();
            let stays = other(own).windows(dims.len()).any(|other| *other == own[dims.clone()]);
            let are_rows = dims.end < ir.shape_of(long).len();
            if dims.len() < 2 || stays || !are_rows || extents.contains(&DYNAMIC) {
                return None;
            }
            let loops = if is_in_front { rows_in_front(ir, reshape, short, at) } else { rows_behind(ir, short, at) };
            Some((loops.filter(|loops| !loops.is_empty())?, extents))
        })
    })
}

/// What is to have several loops so that it is in a kernel with what makes, or reads, a tensor that is reshaped in between.
/// Loops that may be one are left to be one.
fn around_reshape(ir: &Ir, op: OpId) -> Option<Split> {
    let linalg = Linalg::try_of(ir, op).filter(|_| ir.results(op).len() == 1 && may_split_known(ir, op))?;
    linalg.inputs.iter().zip(&linalg.maps).find_map(|(&input, map)| {
        let (user, pairs) = reshaped(ir, input)?;
        let (made, own) = (ir.operand(user, 0), map.as_dims()?);
        pairs.into_iter().find_map(|[from, to]| {
            let shapes = [&ir.shape_of(made)[from.clone()], &ir.shape_of(input)[to.clone()]];
            if shapes.iter().any(|shape| shape.contains(&DYNAMIC)) {
                return None;
            }
            if to.len() > 1
                && let Some((at, extents)) = finer(shapes[0], shapes[1])
                && needs_apart(ir, op, &own[to.clone()])
            {
                let loops = rows_in_front(ir, user, made, from.start + at)?;
                return loops.iter().any(|&(op, _)| ir.def_op(made) == Some(op)).then_some((loops, extents));
            }
            let (at, extents) =
                finer(shapes[1], shapes[0]).filter(|_| from.len() > 1 && !linalg.reduction.contains(&true))?;
            is_made_apart(ir, made, from).then(|| (vec![(op, own[to.start + at])], extents))
        })
    })
}

/// Of a tensor that is a reshape of another one, perhaps by way of a third one with fewer dimensions: what reshapes that
/// first, and which dimensions of both are the same elements.
fn reshaped(ir: &Ir, value: ValueId) -> Option<(OpId, Vec<[Range<usize>; 2]>)> {
    let reshape = ir.def_op(value).filter(|&made| is_reshape(ir, made))?;
    let wide = dims_of_groups(ir, reshape)?;
    let narrow = |at: usize| at..at + 1;
    if ir.opcode(reshape) == Opcode::TensorCollapseShape {
        return Some((reshape, wide.into_iter().enumerate().map(|(at, dims)| [dims, narrow(at)]).collect()));
    }
    let source = ir.operand(reshape, 0);
    let collapse = ir.def_op(source).filter(|&made| ir.opcode(made) == Opcode::TensorCollapseShape);
    let (first, from) = match collapse.filter(|_| only_user(ir, source).is_some()) {
        Some(collapse) => (collapse, dims_of_groups(ir, collapse)?),
        None => (reshape, (0..wide.len()).map(narrow).collect()),
    };
    Some((first, from.into_iter().zip(wide).map(|(from, to)| [from, to]).collect()))
}

/// The first of some extents that a loop has which others divide, whose product is the same, and the extents that it then
/// has.
fn finer(own: &[i64], other: &[i64]) -> Option<(usize, Vec<i64>)> {
    let behind = |shape: &[i64], d: usize| shape[d + 1..].iter().product::<i64>();
    let cuts: Vec<i64> = (0..other.len()).map(|d| behind(other, d)).collect();
    (0..own.len()).find_map(|d| {
        let inner = behind(own, d);
        let mut left = own[d] * inner;
        let mut extents = Vec::new();
        for &cut in cuts.iter().filter(|&&cut| inner < cut && cut < own[d] * inner) {
            (left % cut == 0 && cut % inner == 0).then_some(())?;
            extents.push(left / cut);
            left = cut;
        }
        extents.push(left / inner);
        (extents.len() > 1 && !extents.contains(&1)).then_some((d, extents))
    })
}

/// The operations that compute a tensor along its dimension `at` and nothing else, and their loops; `None` if a product is
/// in front of them, whose kernel they had better be in. `user` is who uses the tensor.
fn rows_in_front(ir: &Ir, user: OpId, tensor: ValueId, at: usize) -> Option<Vec<(OpId, usize)>> {
    let mut found: BTreeMap<OpId, usize> = BTreeMap::new();
    // Where the dimension is in tensors that these operations read.
    let mut wanted: BTreeMap<ValueId, usize> = BTreeMap::from([(tensor, at)]);
    let block = ir.parent_block(user)?;
    for op in ir.ops_of(block).into_iter().rev() {
        let Some((linalg, result)) = Linalg::try_of(ir, op).zip(ir.results(op).next()) else { continue };
        let Some(&at) = wanted.get(&result) else { continue };
        if body::is_contraction(ir, op) {
            return None;
        }
        let is_only = ir.uses(result).all(|(other, _)| other == user || found.contains_key(&other));
        if !is_only || ir.results(op).len() != 1 || !may_split_known(ir, op) {
            continue;
        }
        let d = linalg.maps.last()?.as_dims()?[at];
        found.insert(op, d);
        for (&input, map) in linalg.inputs.iter().zip(&linalg.maps) {
            if let Some(at) = map.results.iter().position(|expr| *expr == Expr::Dim(d as u32))
                && wanted.insert(input, at).is_some_and(|other| other != at)
            {
                return None;
            }
        }
    }
    Some(found.into_iter().collect())
}

/// The operations that compute something of a tensor along its dimension `at`, and their loops: all up to products, and to
/// what is computed of other results for them alone.
fn rows_behind(ir: &Ir, tensor: ValueId, at: usize) -> Option<Vec<(OpId, usize)>> {
    let mut found: BTreeMap<OpId, usize> = BTreeMap::new();
    let mut made: BTreeMap<ValueId, usize> = BTreeMap::from([(tensor, at)]);
    let block = ir.parent_block(ir.def_op(tensor)?)?;
    for op in ir.ops_of(block) {
        let Some((linalg, result)) = Linalg::try_of(ir, op).zip(ir.results(op).next()) else { continue };
        let place = |(input, map): (&ValueId, &Map)| Some(map.as_dims()?[*made.get(input)?]);
        let loops: Vec<usize> = linalg.inputs.iter().zip(&linalg.maps).filter_map(place).collect();
        let Some(&d) = loops.first() else { continue };
        let is_alone = |&input: &ValueId| !made.contains_key(&input) && is_made_for_one(ir, input);
        if body::is_contraction(ir, op) || linalg.inputs.iter().any(is_alone) {
            continue;
        }
        // It could not be in their kernel any more.
        let may_split = ir.results(op).len() == 1 && may_split(ir, op) && !linalg.reduction[d];
        if loops.iter().any(|&other| other != d) || !may_split {
            return None;
        }
        found.insert(op, d);
        made.insert(result, linalg.maps.last()?.as_dims()?.iter().position(|&own| own == d)?);
    }
    Some(found.into_iter().collect())
}

/// The dimensions that each one on the shorter side of a reshape has on the longer one.
fn dims_of_groups(ir: &Ir, reshape: OpId) -> Option<Vec<Range<usize>>> {
    let mut start = 0;
    let range = |n: usize| {
        start += n;
        start - n..start
    };
    Some(groups(ir, reshape)?.into_iter().map(range).collect())
}

/// The operations on both sides of an elementwise one, up to products, and a loop of each.
struct Between<'a> {
    ir: &'a Ir,
    /// The reshapes in front of it and behind it.
    ends: [OpId; 2],
    /// How many products there are on each side.
    products: [usize; 2],
    loops: BTreeMap<OpId, usize>,
}

impl Between<'_> {
    /// Goes to who makes a tensor, along its dimension `at`. `None` where somebody cannot have several loops.
    fn backward(&mut self, value: ValueId, at: usize) -> Option<()> {
        let Some((op, linalg)) = self.ir.def_op(value).and_then(|op| Some((op, Linalg::try_of(self.ir, op)?))) else {
            return Some(());
        };
        self.may_split(op)?;
        self.visit(op, &linalg, linalg.maps.last()?.as_dims()?[at], 0)
    }

    /// Goes to who uses a tensor, likewise.
    fn forward(&mut self, value: ValueId, at: usize) -> Option<()> {
        for (user, operand) in self.ir.uses(value).collect::<Vec<_>>() {
            if self.ends.contains(&user) {
                continue;
            }
            self.may_split(user)?;
            let linalg = Linalg::of(self.ir, user);
            self.visit(user, &linalg, linalg.maps.get(operand)?.as_dims()?[at], 1)?;
        }
        Some(())
    }

    /// Goes to what computes each element of a factor of a product from elements of others, if that can have several loops.
    fn factor(&mut self, value: ValueId, at: usize) {
        let (loops, products) = (self.loops.clone(), self.products);
        let is_computed = self.ir.def_op(value).is_some_and(|made| is_elementwise(self.ir, made));
        if is_computed && self.backward(value, at).is_none() {
            (self.loops, self.products) = (loops, products);
        }
    }

    fn may_split(&self, op: OpId) -> Option<()> {
        (self.ir.results(op).len() == 1 && may_split(self.ir, op)).then_some(())
    }

    fn visit(&mut self, op: OpId, linalg: &Linalg, d: usize, side: usize) -> Option<()> {
        match self.loops.insert(op, d) {
            Some(other) => return (other == d).then_some(()),
            None if linalg.reduction[d] => return None,
            None => {}
        }
        let place = |map: &Map| map.results.iter().position(|expr| *expr == Expr::Dim(d as u32));
        let behind = place(linalg.maps.last()?)?;
        if body::is_contraction(self.ir, op) {
            self.products[side] += 1;
            // Both factors have it, and what follows the second product does not.
            linalg.maps.iter().all(|map| place(map).is_some()).then_some(())?;
            for (&factor, map) in linalg.inputs.iter().zip(&linalg.maps) {
                self.factor(factor, place(map)?);
            }
            return if side == 0 { self.forward(self.ir.result(op, 0), behind) } else { Some(()) };
        }
        // Behind, what else an operation reads is reshaped, which costs nothing.
        for (&input, map) in linalg.inputs.iter().zip(&linalg.maps).filter(|_| side == 0) {
            if let Some(at) = place(map) {
                self.backward(input, at)?;
            }
        }
        self.forward(self.ir.result(op, 0), behind)
    }
}

/// Whether a tensor, or what it is reshaped from, is computed for one user.
fn is_made_for_one(ir: &Ir, value: ValueId) -> bool {
    let made = ir.def_op(value);
    only_user(ir, value).is_some()
        && made.is_some_and(|made| match is_reshape(ir, made) {
            true => is_made_for_one(ir, ir.operand(made, 0)),
            false => Linalg::try_of(ir, made).is_some(),
        })
}
