//! Deal tiles to threads: a loop over the threads that an instruction takes, and in it what each of them holds.
//!
//! Before: `%d = iree_codegen.inner_tiled ins(%a, %b) outs(%c) {…, semantics = …<distributed = false, …>}` on whole tiles
//! After:
//!
//! ```text
//! %d = scf.forall (%lane) in (64) shared_outs(%o = %c) -> (tensor<2x2x16x16xf32>) {
//!   %x = tensor.extract_slice %a[0, 0, %row, %column] [2, 2, 1, 4] [1, 1, 1, 1]    and so for %b and %o
//!   %r = iree_codegen.inner_tiled ins(%x, %y) outs(%z) {…, semantics = …<distributed = true, …>}
//!   scf.forall.in_parallel { tensor.parallel_insert_slice %r into %o[…] }
//! } {mapping = [#iree_gpu.lane_id<0>]}
//! ```
//!
//! Lanes of an instruction say by hints that neighbours take neighbouring elements. The tiles of a data-tiled kind belong
//! to all threads of the workgroup. What a thread holds must be a slice (`expand.rs` makes it one), and must be in the
//! order that the instruction counts its slots in.

use raddle_ir::views::{Mixed, unmixed};
use raddle_ir::{Attr, AttrId, Builder, Code, Diag, Ir, OpId, Opcode, ValueId, parse_attr};
use raddle_target::tile::{Held, Tile};

use super::{InnerTiled, fuse, kind_of};
use crate::code::linearize;
use crate::distribute::{is_distributed, set_distributed};
use crate::facts::Facts;

/// Deals the tiles of every operation on tensors to threads, and takes what makes its operands into their loop.
pub fn deal_all(ir: &mut Ir, func: OpId, _: &Facts) -> Result<(), Diag> {
    for op in ir.walk(func) {
        let is_on_tensors = ir.opcode(op) == Opcode::IreeCodegenInnerTiled && ir.ty(ir.operand(op, 0)).is_tensor();
        if is_on_tensors && is_distributed(ir, op) == Some(false) {
            let forall = deal(ir, op)?;
            fuse::producers(ir, forall);
        }
    }
    Ok(())
}

/// Deals the tiles of one operation to threads, and returns their loop.
pub fn deal(ir: &mut Ir, op: OpId) -> Result<OpId, Diag> {
    let view = InnerTiled::of(ir, op).ok_or_else(|| refuse(ir, op, "its maps are not lists of loops"))?;
    if is_distributed(ir, op) != Some(false) || !view.values.iter().all(|&value| ir.ty(value).is_tensor()) {
        return Err(refuse(ir, op, "only whole tiles of tensors are dealt to threads"));
    }
    let kind = kind_of(ir, op).map_err(|error| refuse(ir, op, error.to_string()))?;
    let tiles = kind.tiles().map_err(|error| refuse(ir, op, error.to_string()))?;
    if tiles.len() != view.values.len() {
        return Err(refuse(ir, op, format!("`{}` has {} operands", kind.name, tiles.len())));
    }
    let mut held = Vec::new();
    for (at, tile) in tiles.iter().enumerate() {
        if kind.is_bare && kind.slot_order(at, tile).is_some() {
            return Err(refuse(ir, op, format!("operand {at} has the slots of a lane in the hardware's order")));
        }
        held.push(arranged(ir, op, &view, at, tile)?);
    }
    let (threads, mapping, hints) = match kind.repeat {
        None => (kind.threads(), "#iree_gpu.lane_id<0>", true),
        Some(_) => (workgroup_size(ir, op, kind.threads())?, "#gpu.thread<linear_dim_0>", false),
    };
    let mapping = parse_attr(mapping, ir)?;

    let last = view.values.len() - 1;
    let mut builder = Builder::before(ir, op);
    let mut sizes = Vec::new();
    for (value, tile) in view.values.iter().zip(&held) {
        // Those of the dimensions in front of the tile, whose own are known.
        let mut outer = builder.extents(*value);
        outer.truncate(outer.len() - tile.memory.len());
        sizes.push(outer);
    }
    let (forall, thread, out) = forall(&mut builder, threads, mapping, view.values[last]);
    let body = builder.ir.entry(forall);
    let mut inside = Builder::at_end(builder.ir, body, builder.span);
    let mut parts = Vec::new();
    let mut last_slice = None;
    for (at, tile) in held.iter().enumerate() {
        let value = if at == last { out } else { view.values[at] };
        let digits = digits(&mut inside, thread, tile, hints)?;
        let slice = slice(&mut inside, tile, &digits, &sizes[at]);
        parts.push(slice.extract(&mut inside, value));
        last_slice = Some(slice);
    }
    let new = super::with_operands(&mut inside, op, &parts);
    inside.ir.remove_attr(new, "permutations");
    set_distributed(inside.ir, new);
    let result = inside.ir.result(new, 0);
    let ends = inside.op(Opcode::ScfForallInParallel, &[], &[], &[]);
    let region = inside.ir.add_region(ends);
    let block = inside.ir.add_block(region, &[]);
    let mut end = Builder::at_end(inside.ir, block, inside.span);
    last_slice.expect("there is an accumulator").insert(&mut end, result, out);
    let (old, dealt) = (ir.result(op, 0), ir.result(forall, 0));
    ir.replace_uses(old, dealt);
    ir.erase(op);
    Ok(forall)
}

fn refuse(ir: &Ir, op: OpId, why: impl Into<String>) -> Diag {
    let message = format!("`{}` cannot be distributed", ir.name(op));
    Diag::error(Code::CannotDistribute, ir.span(op), message).note(why)
}

/// Threads of the workgroup, of which `together` hold the tiles.
fn workgroup_size(ir: &Ir, op: OpId, together: i64) -> Result<i64, Diag> {
    let mut around = ir.parent_op(op);
    let sizes = loop {
        let Some(at) = around else { break None };
        if let Some(info) = ir.attr_id(at, "translation_info") {
            break ir.field(info, "workgroup_size").and_then(|sizes| ir.ints(sizes));
        }
        around = ir.parent_op(at);
    };
    let size = sizes.and_then(|sizes| sizes.into_iter().try_fold(1i64, i64::checked_mul));
    match size {
        Some(size) if size > 0 && size % together == 0 => Ok(size),
        Some(size) => Err(refuse(ir, op, format!("a workgroup has {size} threads, and its tiles belong to {together}"))),
        None => Err(refuse(ir, op, "its tiles belong to all threads of a workgroup, and nobody says how many these are")
            .help("give the function `translation_info = #iree_codegen.translation_info<pipeline = … workgroup_size = [64, 1, 1] subgroup_size = 64>`")),
    }
}

/// The tile of an operand as it lies in memory here.
fn arranged(ir: &Ir, op: OpId, view: &InnerTiled, at: usize, tile: &Tile) -> Result<Tile, Diag> {
    let inner = view.inner(ir, at);
    let order = view.permutations.as_ref().map(|orders| &orders[at]);
    let permuted = |tile: Tile| match order {
        Some(order) => (order.len() == tile.memory.len()).then(|| tile.permuted(order)),
        None => Some(tile),
    };
    // Slots count through the digits that a thread holds, in the order of the instruction's own tile.
    let own = |tile: &Tile| -> Vec<usize> {
        let is_own = |digit: &usize| {
            let part = tile.parts[*digit];
            part.extent > 1 && !matches!(part.held, Held::Threads { .. })
        };
        tile.memory.iter().flatten().copied().filter(is_own).collect()
    };
    let found = [tile.clone(), tile.expanded()].into_iter().filter_map(permuted);
    let Some(found) = found.into_iter().find(|tile| tile.shape() == inner) else {
        let wanted = tile.shape();
        return Err(refuse(ir, op, format!("operand {at} has a tile of {inner:?}, and {wanted:?} is wanted")));
    };
    if own(&found) != own(tile) {
        let why = format!("operand {at} has the slots of a lane in another order than the instruction");
        return Err(refuse(ir, op, why).help("transpose it first"));
    }
    if found.memory.iter().any(|group| strided(&found, group).is_none()) {
        let why = format!("what a lane holds of operand {at} is not a slice");
        return Err(refuse(ir, op, why).help("run `expand-tiles` first: runs become a dimension of their own"));
    }
    Ok(found)
}

/// Of a dimension of memory, how many elements a thread holds, and how far apart; `None` where they are not evenly apart.
fn strided(tile: &Tile, group: &[usize]) -> Option<[i64; 2]> {
    let mut found = [1, 1];
    let mut step = 1;
    for &digit in group.iter().rev() {
        let part = tile.parts[digit];
        if !matches!(part.held, Held::Threads { .. }) && part.extent > 1 {
            if found[0] > 1 {
                return None;
            }
            found = [part.extent, step];
        }
        step *= part.extent;
    }
    Some(found)
}

/// An empty `scf.forall` over threads that fills `dest`; returns it, the thread and its output.
fn forall(builder: &mut Builder<'_>, threads: i64, mapping: AttrId, dest: ValueId) -> (OpId, ValueId, ValueId) {
    let ty = builder.ir.type_of(dest);
    let attrs = [
        ("staticLowerBound", builder.ir.dense_i64(&[0])),
        ("staticUpperBound", builder.ir.dense_i64(&[threads])),
        ("staticStep", builder.ir.dense_i64(&[1])),
        ("mapping", builder.ir.intern(Attr::Array(vec![mapping]))),
        ("operandSegmentSizes", builder.ir.segment_sizes(&[0, 0, 0, 1])),
    ];
    let op = builder.op(Opcode::ScfForall, &[dest], &[ty], &attrs);
    let region = builder.ir.add_region(op);
    let index = builder.ir.index_type();
    let block = builder.ir.add_block(region, &[index, ty]);
    let args = builder.ir.args(block);
    (op, args[0], args[1])
}

/// The digits of a tile that threads count, as values; `None` for the others.
fn digits(builder: &mut Builder<'_>, thread: ValueId, tile: &Tile, hints: bool) -> Result<Vec<Option<ValueId>>, Diag> {
    // (stride, extent, digit), the fastest one first.
    let mut found: Vec<(i64, i64, usize)> = Vec::new();
    for (digit, part) in tile.parts.iter().enumerate() {
        if let Held::Threads { stride } = part.held
            && stride > 0
        {
            found.push((stride, part.extent, digit));
        }
    }
    found.sort_unstable();
    let mut values = vec![None; tile.parts.len()];
    let (mut basis, mut gaps, mut next) = (Vec::new(), Vec::new(), 1);
    for &(stride, extent, _) in &found {
        // Threads between two digits hold the same.
        gaps.push(stride / next);
        basis.push(extent * (stride / next));
        next = stride * extent;
    }
    if found.is_empty() {
        return Ok(values);
    }
    basis.reverse();
    let index = builder.ir.index_type();
    let attrs = [("static_basis", builder.ir.dense_i64(&basis))];
    let split = builder.op(Opcode::AffineDelinearizeIndex, &[thread], &vec![index; basis.len() + 1], &attrs);
    let group = basis[basis.len() - 1];
    for (at, &(_, _, digit)) in found.iter().enumerate().rev() {
        let mut value = builder.ir.result(split, basis.len() - at);
        if hints {
            let hint = match at {
                0 => format!("#iree_gpu.lane_increment<{group}, aligned>"),
                _ => format!("#iree_gpu.lane_constant<{group}>"),
            };
            let hint = [("hint", parse_attr(&hint, builder.ir)?)];
            value = builder.value(Opcode::IreeCodegenIndexHint, &[value], index, &hint);
        }
        if gaps[at] > 1 {
            let gap = builder.index(gaps[at]);
            value = builder.binary(Opcode::ArithDivui, value, gap);
        }
        values[digit] = Some(value);
    }
    Ok(values)
}

/// A part of a tensor.
pub struct Slice {
    /// Its first element.
    pub offsets: Vec<Mixed>,
    /// Its extents.
    pub sizes: Vec<Mixed>,
    /// From one element to the next.
    pub strides: Vec<Mixed>,
}

/// What a thread holds: the dimensions in front of the tile whole, and its elements of the tile.
fn slice(builder: &mut Builder<'_>, tile: &Tile, digits: &[Option<ValueId>], outer: &[Mixed]) -> Slice {
    let n = outer.len();
    let mut slice =
        Slice { offsets: vec![Mixed::Static(0); n], sizes: outer.to_vec(), strides: vec![Mixed::Static(1); n] };
    for group in &tile.memory {
        let [size, stride] = strided(tile, group).expect("the tile was looked at");
        // From the first digit that threads count: what is in front of it begins at 0.
        let from = group.iter().position(|&digit| digits[digit].is_some()).unwrap_or(group.len());
        let counted = &group[from..];
        let offset = match counted {
            [] => Mixed::Static(0),
            [digit] => Mixed::Value(digits[*digit].expect("the first one is counted")),
            _ => {
                let values: Vec<ValueId> =
                    counted.iter().map(|&digit| digits[digit].unwrap_or_else(|| builder.index(0))).collect();
                let extents: Vec<i64> = counted.iter().map(|&digit| tile.parts[digit].extent).collect();
                Mixed::Value(linearize(builder, &values, &extents, true))
            }
        };
        slice.offsets.push(offset);
        slice.sizes.push(Mixed::Static(size));
        slice.strides.push(Mixed::Static(stride));
    }
    slice
}

impl Slice {
    /// `tensor.extract_slice`
    pub fn extract(&self, builder: &mut Builder<'_>, value: ValueId) -> ValueId {
        let (shape, _) = unmixed(&self.sizes);
        let elem = builder.ir.elem_of(value);
        let ty = builder.ir.tensor_type(&shape, elem);
        let (operands, attrs) = self.parts(builder, &[value]);
        builder.value(Opcode::TensorExtractSlice, &operands, ty, &attrs)
    }

    fn insert(&self, builder: &mut Builder<'_>, value: ValueId, into: ValueId) {
        let (operands, attrs) = self.parts(builder, &[value, into]);
        builder.op(Opcode::TensorParallelInsertSlice, &operands, &[], &attrs);
    }

    fn parts(&self, builder: &mut Builder<'_>, first: &[ValueId]) -> (Vec<ValueId>, [(&'static str, AttrId); 4]) {
        let lists = [&self.offsets, &self.sizes, &self.strides].map(|list| unmixed(list));
        let mut segments = vec![1; first.len()];
        segments.extend(lists.iter().map(|list| list.1.len()));
        let operands = [first, &lists[0].1, &lists[1].1, &lists[2].1].concat();
        let attrs = [
            ("static_offsets", builder.ir.dense_i64(&lists[0].0)),
            ("static_sizes", builder.ir.dense_i64(&lists[1].0)),
            ("static_strides", builder.ir.dense_i64(&lists[2].0)),
            ("operandSegmentSizes", builder.ir.segment_sizes(&segments)),
        ];
        (operands, attrs)
    }
}
