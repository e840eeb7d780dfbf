//! Rounds at once: products in a loop of the host that follow from the row that a round reads are computed for all rows in
//! front of the loop.
//!
//! Before: an LSTM, as `lax.scan` has it
//!
//! ```mlir
//! scf.for %t = … {
//!   %x = tensor.extract_slice %xs[%t, 0, 0] [1, 16, 256] [1, 1, 1] : tensor<128x16x256xf32> to tensor<16x256xf32>
//!   %g = linalg.matmul ins(%x, %w : tensor<16x256xf32>, tensor<256x1024xf32>) …
//! ```
//!
//! After:
//!
//! ```mlir
//! %all = linalg.generic ins(%xs, %w) …  // tensor<128x16x1024xf32>
//! scf.for %t = … {
//!   %g = tensor.extract_slice %all[%t, 0, 0] [1, 16, 1024] … // read in place by who uses it
//! ```
//!
//! A product of few rows takes the time to read its weights, which one of all rows reads once. What stands in front of it and
//! behind it, and follows from the same row, comes along: casts, biases, activations, another product.
//!
//! Does not touch loops whose number of rounds the program does not state, or that go through less than half of the rows;
//! products whose results, written and read again, are more than the weights; and what would take more than 256 MiB.

use raddle_ir::views::{Linalg, Mixed, SliceView};
use raddle_ir::{Attr, BlockId, Builder, Class, Code, DYNAMIC, Def, Diag, Ir, Map, OpId, Opcode, ValueId, ValueMap};
use rustc_hash::FxHashMap;

use super::again::{bytes, elements};
use super::reshape::{collapse, expand, groups, has_encoding};
use crate::facts::Facts;
use crate::structured::generalize::{generic, make_generic};
use crate::structured::{body, fill};

/// Bytes of a result for all rows, at most.
const BYTES_MAX: i64 = 1 << 28;
/// How often a result goes through memory that otherwise stays in a kernel.
const PASSES: i64 = 2;

/// Takes such products out of the loops in some blocks.
pub(super) fn compute_in_front(ir: &mut Ir, blocks: &[BlockId], facts: &Facts) {
    let ops = blocks.iter().flat_map(|&block| ir.ops_of(block));
    let loops: Vec<OpId> = ops.filter(|&op| ir.opcode(op) == Opcode::ScfFor).collect();
    // What comes out of an inner loop may leave the outer one as well.
    for op in loops.into_iter().rev() {
        let Some(rounds) = rounds(ir, op) else { continue };
        let mut found = Rounds::of(ir, op);
        let chosen = found.choose(ir, rounds);
        for &op in &chosen {
            let result = ir.result(op, 0);
            if !ir.uses(result).all(|(user, _)| chosen.contains(&user)) {
                found.read_row(ir, result);
            }
        }
        if let Some(&first) = chosen.first() {
            let (name, others) = (ir.name(first), if chosen.len() > 1 { ", with what follows from it," } else { "" });
            let message =
                format!("`{name}`{others} is computed for all of {rounds} rounds at once, in front of the loop");
            facts.remark(Diag::error(Code::KernelChoice, ir.span(first), message));
        }
    }
}

/// How many rounds a loop has, if the program states it.
fn rounds(ir: &Ir, op: OpId) -> Option<i64> {
    let [first, end, step] = [0, 1, 2].map(|at| ir.const_int(ir.operand(op, at)));
    let (length, step) = (end?.checked_sub(first?)?, step?);
    (step > 0 && length > 0).then(|| (length - 1) / step + 1)
}

/// What a value in a loop follows from.
#[derive(Clone, Copy, PartialEq)]
enum Origin {
    /// From what is the same in each round.
    Outside,
    /// Beside that from one row of a tensor outside: the number of the row, and of how many.
    Row(ValueId, i64),
    /// From more.
    Round,
}

/// The operations of a loop.
struct Rounds {
    op: OpId,
    body: BlockId,
    /// What the results of operations of the body follow from.
    origins: FxHashMap<ValueId, Origin>,
    /// What is the same in each round, in front of the loop.
    outside: ValueMap,
    /// What follows from a row, for all rows, along a dimension in front of its own.
    all: FxHashMap<ValueId, ValueId>,
}

impl Rounds {
    fn of(ir: &Ir, op: OpId) -> Rounds {
        let body = ir.entry(op);
        let mut rounds =
            Rounds { op, body, origins: FxHashMap::default(), outside: ValueMap::default(), all: FxHashMap::default() };
        for op in ir.block_ops(body) {
            let origin = rounds.origin_of(ir, op);
            rounds.origins.extend(ir.results(op).map(|result| (result, origin)));
        }
        rounds
    }

    /// What a value follows from that an operation of the body uses, or what is inside of it.
    fn origin(&self, ir: &Ir, value: ValueId) -> Origin {
        match ir.def(value) {
            Def::Result { op, .. } if ir.parent_block(op) == Some(self.body) => {
                self.origins.get(&value).copied().unwrap_or(Origin::Round)
            }
            Def::Arg { block, .. } if block == self.body => Origin::Round,
            _ => Origin::Outside,
        }
    }

    /// What the results of an operation of the body follow from.
    fn origin_of(&self, ir: &Ir, op: OpId) -> Origin {
        let mut rows = Vec::new();
        for value in used(ir, op) {
            match self.origin(ir, value) {
                Origin::Outside => {}
                Origin::Row(row, n) if !rows.contains(&(row, n)) => rows.push((row, n)),
                Origin::Row(..) => {}
                Origin::Round if ir.opcode(op) == Opcode::TensorExtractSlice => return self.row(ir, op),
                Origin::Round => return Origin::Round,
            }
        }
        let is_plain = ir.results(op).len() == 1 && may_be_elsewhere(ir, op);
        match rows[..] {
            [] if is_plain => Origin::Outside,
            [(row, n)] if is_plain && self.has_all(ir, op) => Origin::Row(row, n),
            _ => Origin::Round,
        }
    }

    /// The row that a slice is.
    fn row(&self, ir: &Ir, op: OpId) -> Origin {
        let (view, result) = (SliceView::of(ir, op), ir.result(op, 0));
        let extents = ir.shape_of(view.base).to_vec();
        let numbers = [&view.offsets[..], &view.sizes, &view.strides].concat();
        let Some(&Mixed::Value(row)) = view.offsets.first() else { return Origin::Round };
        let is_whole = |d: usize| view.offsets[d] == Mixed::Static(0) && view.sizes[d] == Mixed::Static(extents[d]);
        let own = ir.shape_of(result);
        let is_row = self.origin(ir, view.base) == Origin::Outside
            && numbers.iter().filter(|number| matches!(number, Mixed::Value(_))).count() == 1
            && view.strides.iter().all(|&stride| stride == Mixed::Static(1))
            && view.sizes[0] == Mixed::Static(1)
            && (1..extents.len()).all(is_whole)
            && !extents.contains(&DYNAMIC)
            && !has_encoding(ir, view.base)
            && (own == &extents[1..] || own.len() == extents.len());
        if is_row { Origin::Row(row, extents[0]) } else { Origin::Round }
    }

    /// Whether an operation that follows from a row is one that [`Rounds::all`] writes for all rows.
    fn has_all(&self, ir: &Ir, op: OpId) -> bool {
        let operands = ir.operands(op);
        let is_plain = |value: ValueId| !ir.shape_of(value).contains(&DYNAMIC) && !has_encoding(ir, value);
        let is_known = ir.results(op).all(is_plain) && operands.iter().all(|&value| is_plain(value));
        if matches!(ir.opcode(op), Opcode::TensorExpandShape | Opcode::TensorCollapseShape) {
            return is_known && !ir.shape_of(ir.result(op, 0)).is_empty() && !ir.shape_of(operands[0]).is_empty();
        }
        let Some(linalg) = Linalg::try_of(ir, op) else { return false };
        // What a body uses beside its arguments is the same for all rows.
        let captured = ir.walk(op).into_iter().flat_map(|inner| ir.operands(inner).to_vec());
        let captures_row = captured.into_iter().any(|value| matches!(self.origin(ir, value), Origin::Row(..)));
        is_known
            && linalg.outputs.len() == 1
            && !ir.shape_of(ir.result(op, 0)).is_empty()
            && linalg.maps.iter().all(|map| map.as_dims().is_some())
            && linalg.inputs.iter().all(|&input| ir.ty(input).is_tensor())
            && !captures_row
            && (matches!(self.origin(ir, linalg.outputs[0]), Origin::Row(..)) || is_start(ir, linalg.outputs[0]))
    }

    /// The operations to compute for all rows, in their order, where the loop has so many rounds.
    fn choose(&self, ir: &Ir, rounds: i64) -> Vec<OpId> {
        let mut chosen: Vec<OpId> = Vec::new();
        for op in ir.ops_of(self.body) {
            let Some(&result) = ir.results(op).collect::<Vec<_>>().first() else { continue };
            let Origin::Row(_, n) = self.origin(ir, result) else { continue };
            let all = bytes(ir, result).saturating_mul(n);
            let is_chosen = |&value: &ValueId| ir.def_op(value).is_some_and(|made| chosen.contains(&made));
            let goes_on = |value: &ValueId| is_chosen(value) && elements(ir, *value) == elements(ir, result);
            let may = n > 1 && n / 2 <= rounds && (1..=BYTES_MAX).contains(&all);
            let is_product = self.weights(ir, op).is_some_and(|weights| weights >= PASSES * bytes(ir, result));
            let follows = ir.operands(op).iter().any(goes_on)
                && Linalg::try_of(ir, op).is_none_or(|linalg| !linalg.reduction.contains(&true));
            if may && (is_product || follows) {
                chosen.push(op);
            }
        }
        // A reshape that the loop alone reads stays there.
        while chosen.last().is_some_and(|&op| Linalg::try_of(ir, op).is_none()) {
            chosen.pop();
        }
        chosen
    }

    /// The bytes that are the same in each round of what a product multiplies.
    fn weights(&self, ir: &Ir, op: OpId) -> Option<i64> {
        let linalg = Linalg::try_of(ir, op).filter(|linalg| linalg.inputs.len() == 2)?;
        let loops = body::contraction_loops(&linalg.maps)?;
        let same = linalg.inputs.iter().filter(|&&input| self.origin(ir, input) == Origin::Outside);
        (!loops.k.is_empty()).then(|| same.map(|&input| bytes(ir, input)).sum())
    }

    /// Reads what an operation computes for a row from what is computed for all.
    fn read_row(&mut self, ir: &mut Ir, value: ValueId) {
        let op = ir.def_op(value).expect("results of operations are chosen");
        let Origin::Row(row, _) = self.origin(ir, value) else { unreachable!("what is chosen follows from a row") };
        let all = self.all(ir, value);
        let builder = &mut Builder::before(ir, op);
        let mut sizes: Vec<Mixed> = builder.ir.shape_of(all).iter().copied().map(Mixed::Static).collect();
        sizes[0] = Mixed::Static(1);
        let mut offsets = vec![Mixed::Static(0); sizes.len()];
        offsets[0] = Mixed::Value(row);
        let part = builder.extract_slice(all, &offsets, &sizes);
        let mut joined = vec![1; sizes.len() - 1];
        joined[0] = 2;
        let part = collapse(builder, part, &joined);
        ir.replace_uses(value, part);
    }

    /// What follows from a row, for all rows, in front of the loop.
    fn all(&mut self, ir: &mut Ir, value: ValueId) -> ValueId {
        if let Some(&known) = self.all.get(&value) {
            return known;
        }
        let Origin::Row(_, n) = self.origin(ir, value) else { unreachable!("who asks has looked") };
        let op = ir.def_op(value).expect("arguments of the body follow from the round");
        let shape: Vec<i64> = [n].into_iter().chain(ir.shape_of(value).iter().copied()).collect();
        let new = match ir.opcode(op) {
            Opcode::TensorExtractSlice => {
                let base = self.outside(ir, ir.operand(op, 0));
                let mut split = vec![1; ir.shape_of(base).len()];
                split[0] = 1 + shape.len() - split.len();
                self.expanded(ir, base, &split, &shape)
            }
            Opcode::TensorExpandShape => {
                let source = self.all(ir, ir.operand(op, 0));
                let split: Vec<usize> = [1].into_iter().chain(groups(ir, op).expect("a verified reshape")).collect();
                self.expanded(ir, source, &split, &shape)
            }
            Opcode::TensorCollapseShape => {
                let source = self.all(ir, ir.operand(op, 0));
                let joined: Vec<usize> = [1].into_iter().chain(groups(ir, op).expect("a verified reshape")).collect();
                collapse(&mut Builder::before(ir, self.op), source, &joined)
            }
            _ => self.computed(ir, op, &shape),
        };
        self.all.insert(value, new);
        new
    }

    fn expanded(&self, ir: &mut Ir, value: ValueId, groups: &[usize], shape: &[i64]) -> ValueId {
        let sizes: Vec<Mixed> = shape.iter().copied().map(Mixed::Static).collect();
        expand(&mut Builder::before(ir, self.op), value, groups, &sizes)
    }

    /// A structured operation with a loop over all rows in front of its own.
    fn computed(&mut self, ir: &mut Ir, op: OpId, shape: &[i64]) -> ValueId {
        let linalg = Linalg::of(ir, op);
        let rank = linalg.reduction.len() + 1;
        let (mut operands, mut maps) = (Vec::new(), Vec::new());
        for (&value, map) in linalg.inputs.iter().chain(&linalg.outputs).zip(&linalg.maps) {
            let has_row = matches!(self.origin(ir, value), Origin::Row(..));
            let is_output = operands.len() == linalg.inputs.len();
            operands.push(match () {
                () if has_row => self.all(ir, value),
                () if is_output => self.start(ir, value, shape),
                () => self.outside(ir, value),
            });
            let dims = map.as_dims().expect("`has_all` has looked").into_iter().map(|d| d + 1);
            let row = (has_row || is_output).then_some(0);
            maps.push(Map::of_dims(rank, &row.into_iter().chain(dims).collect::<Vec<_>>()));
        }
        for value in ir.walk(op).into_iter().flat_map(|inner| ir.operands(inner).to_vec()).collect::<Vec<_>>() {
            self.outside(ir, value);
        }
        let outputs = operands.split_off(linalg.inputs.len());
        let reduction = [false].into_iter().chain(linalg.reduction).collect();
        let builder = &mut Builder::before(ir, self.op);
        let new = generic(builder, &Linalg { inputs: operands, outputs, maps, reduction }, &[]);
        // A named operation has its body as a generic one.
        let named = builder.copy(op, &mut ValueMap::default());
        let plain = make_generic(builder.ir, named).unwrap_or(named);
        Builder::before(builder.ir, self.op).copy_regions(plain, new, &mut self.outside);
        ir.erase(plain);
        for inner in ir.walk(new) {
            if ir.opcode(inner) == Opcode::LinalgIndex {
                let d = ir.attr(inner, "dim").and_then(Attr::as_i64).expect("a verified `linalg.index`");
                let dim = ir.i64_attr(d + 1);
                ir.set_attr(inner, "dim", dim);
            }
        }
        ir.result(new, 0)
    }

    /// What sums begin with, or memory without contents, of this shape in front of the loop.
    fn start(&mut self, ir: &mut Ir, value: ValueId, shape: &[i64]) -> ValueId {
        let op = ir.def_op(value).expect("`is_start` has looked");
        let filled = (ir.opcode(op) == Opcode::LinalgFill).then(|| self.outside(ir, ir.operand(op, 0)));
        let builder = &mut Builder::before(ir, self.op);
        let elem = builder.ir.elem_of(value);
        let ty = builder.ir.tensor_type(shape, elem);
        let empty = builder.value(Opcode::TensorEmpty, &[], ty, &[]);
        filled.map_or(empty, |number| fill(builder, number, empty))
    }

    /// What is the same in each round, in front of the loop.
    fn outside(&mut self, ir: &mut Ir, value: ValueId) -> ValueId {
        let Some(op) = ir.def_op(value).filter(|&op| ir.parent_block(op) == Some(self.body)) else { return value };
        if let Some(known) = self.outside.find(value) {
            return known;
        }
        for value in used(ir, op) {
            self.outside(ir, value);
        }
        Builder::before(ir, self.op).copy(op, &mut self.outside);
        self.outside.get(value)
    }
}

/// What an operation and its body use.
fn used(ir: &Ir, op: OpId) -> Vec<ValueId> {
    let ops = [op].into_iter().chain(ir.walk(op));
    ops.flat_map(|op| ir.operands(op).to_vec()).collect()
}

/// Whether an operation may be computed in front of a loop, which may have no rounds: it moves or computes elements, and
/// never traps.
fn may_be_elsewhere(ir: &Ir, op: OpId) -> bool {
    let computes = |op: OpId| {
        let is_plain =
            matches!(ir.class(op), Class::Constant | Class::Elementwise) || ir.opcode(op) == Opcode::LinalgIndex;
        is_plain && ir.opcode(op).info().may_be_speculated()
    };
    let is_view = matches!(
        ir.opcode(op),
        Opcode::TensorEmpty | Opcode::TensorExpandShape | Opcode::TensorCollapseShape | Opcode::TensorExtractSlice
    );
    let inner = ir.walk(op);
    // What named operations compute, they do not show.
    let is_named = |linalg: &Linalg| {
        ir.opcode(op) == Opcode::LinalgFill || linalg.reduction.contains(&true) && linalg.inputs.len() == 2
    };
    let is_structured = Linalg::try_of(ir, op).is_some_and(|linalg| {
        inner.iter().all(|&inner| computes(inner) || ir.class(inner) == Class::Yield)
            && (!inner.is_empty() || is_named(&linalg))
    });
    is_view || computes(op) || is_structured
}

/// Whether an operation that reads none of its output begins with this, or a sum does.
fn is_start(ir: &Ir, value: ValueId) -> bool {
    ir.def_op(value).is_some_and(|op| matches!(ir.opcode(op), Opcode::TensorEmpty | Opcode::LinalgFill))
}
