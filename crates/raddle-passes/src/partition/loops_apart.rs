//! Loops apart: operations get several loops in the place of one where a reshape beside them would otherwise keep them out
//! of a kernel.
//!
//! Before: a product along 512 windows, `tensor.expand_shape` of it to 8 images of 64, a mask of each of the 64,
//!         `tensor.collapse_shape` back to 512, a softmax and another product
//! After:  all of these along 8 and 64, with the reshapes in front of the first product and behind the last one
//!
//! So attention of the windows of images is found, and norms of rows are in one kernel with a transposition of these.
//!
//! Does not split what a product sums, open extents, and loops that are counted. Comes when loops are joined already
//! (`flatten.rs`), which would join these again.

use std::collections::BTreeMap;
use std::ops::Range;

use raddle_ir::views::Linalg;
use raddle_ir::{BlockId, DYNAMIC, Expr, Ir, Map, OpId, Opcode, ValueId};

use super::flatten::{
    is_elementwise, is_reshape, leave_out_unused, may_split, only_user, run_as_one, split_known_loop,
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

/// Loops of operations, and the extents of those that are to be in the place of each.
type Split = (Vec<(OpId, usize)>, Vec<i64>);

/// Splits loops as long as there is an operation for which that is worth it.
fn split_loops(ir: &mut Ir, blocks: &[BlockId], find: fn(&Ir, OpId) -> Option<Split>) {
    let ops = |ir: &Ir| blocks.iter().flat_map(|&block| ir.ops_of(block)).collect::<Vec<OpId>>();
    let known = |ir: &Ir, (loops, extents): &Split| {
        let n = extents.iter().product();
        loops.iter().all(|&(op, d)| is_known_loop(ir, &Linalg::of(ir, op), d, n))
    };
    // One after the other, of which none is found twice.
    for _ in 0..ops(ir).len() {
        let found = ops(ir).into_iter().find_map(|op| find(ir, op).filter(|split| known(ir, split)));
        let Some((loops, extents)) = found else { return };
        for (op, d) in loops {
            split_known_loop(ir, op, d, &extents);
        }
        // Now nothing is reshaped in front of the operation, or behind it.
        for op in ops(ir).into_iter().filter(|&op| is_reshape(ir, op)).collect::<Vec<_>>() {
            reshape::join(ir, op);
        }
        leave_out_unused(ir, blocks);
    }
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
        if !is_only || ir.results(op).len() != 1 || !may_split(ir, op) {
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
