//! Spread: let all threads of a workgroup carry out a copy to shared memory together.
//!
//! Before: `linalg.generic` from `memref<64x16xf32>` to shared memory, marked as a copy, in a workgroup of 32 x 4 threads
//! After:  thread t reads and writes rows t / 4 and t / 4 + 32, four elements from column t mod 4 * 4 on
//!
//! The idea: each thread takes vectors of 128 bits of the result, or of whole bytes of narrower sources. Threads lie side
//! by side along the last dimension as far as it goes, then along the one before; that tile of the copy is repeated until
//! all is done. What the operation computes is computed on the vectors.
//!
//! All threads have the same work, or the copy stays as it is: extents divide evenly, and maps pick loops.

use raddle_ir::affine::BinOp;
use raddle_ir::views::{Linalg, Mixed, SliceView};
use raddle_ir::{Attr, Builder, Code, DYNAMIC, Diag, Expr, Ir, Map, OpId, Opcode, Scalar, Type, ValueId};

use super::order::is_barrier;
use super::{is_memref, is_shared, may_alias, views};
use crate::code::thread_number;
use crate::facts::Facts;
use crate::vectorize::structured::{self, Structured};

/// What marks a copy.
const MARK: (&str, &str) = ("__internal_linalg_transform__", "copy_to_workgroup_memory");
/// Bits that one thread moves at once.
const COPY_BITS: i64 = 128;

/// One copy, dealt out.
struct Deal {
    op: OpId,
    extents: Vec<i64>,
    /// Elements of one thread along each dimension.
    part: Vec<i64>,
    /// Threads along each dimension.
    threads: Vec<i64>,
}

/// Spreads the marked copies of a function over its threads.
pub fn spread_marked(ir: &mut Ir, func: OpId, _: &Facts) -> Result<(), Diag> {
    let marked = |ir: &Ir, op: OpId| matches!(ir.attr(op, MARK.0), Some(Attr::Str(text)) if &ir[*text] == MARK.1);
    spread(ir, func, &marked)
}

/// Spreads what only moves elements to shared memory, marked or not.
pub fn spread_copies(ir: &mut Ir, func: OpId) -> Result<(), Diag> {
    let moves = |ir: &Ir, op: OpId| {
        let linalg = Linalg::try_of(ir, op).filter(|linalg| (linalg.inputs.len(), linalg.outputs.len()) == (1, 1));
        let body = ir.entry(op);
        linalg.is_some_and(|linalg| is_shared(ir, linalg.outputs[0])) && ir.first_op(body) == ir.terminator(body)
    };
    spread(ir, func, &moves)
}

fn spread(ir: &mut Ir, func: OpId, is_copy: &dyn Fn(&Ir, OpId) -> bool) -> Result<(), Diag> {
    let copies = ir.walk(func).into_iter().filter(|&op| ir.opcode(op) == Opcode::LinalgGeneric && is_copy(ir, op));
    let copies: Vec<OpId> = copies.collect();
    if copies.is_empty() {
        return Ok(());
    }
    let sizes = ir.attr_id(func, "translation_info").and_then(|info| ir.field(info, "workgroup_size"));
    let Some(mut sizes) = sizes.and_then(|sizes| ir.ints(sizes)).filter(|sizes| sizes.iter().all(|&n| n > 0)) else {
        let message = "copies cannot be spread over threads: the function does not say its workgroup size";
        return Err(Diag::error(Code::CannotDistribute, ir.span(func), message)
            .help("add `translation_info = #iree_codegen.translation_info<… workgroup_size = [64, 1, 1]>`"));
    };
    sizes.resize(3, 1);
    let threads = sizes.iter().try_fold(1i64, |n, &size| n.checked_mul(size));
    let Some(deals) =
        threads.and_then(|threads| copies.iter().map(|&op| deal(ir, op, threads)).collect::<Option<Vec<_>>>())
    else {
        return Ok(());
    };
    for pair in copies.windows(2) {
        drop_barriers_between(ir, pair[0], pair[1]);
    }
    let entry = ir.entry(func);
    let first = ir.first_op(entry).expect("a function's block has an end");
    let thread = thread_number(&mut Builder::before(ir, first), [sizes[0], sizes[1], sizes[2]]);
    for deal in deals {
        write_out(ir, &deal, thread)?;
    }
    Ok(())
}

/// How a copy is dealt to so many threads; `None` where that does not come out even.
fn deal(ir: &Ir, op: OpId, threads: i64) -> Option<Deal> {
    let linalg = Linalg::try_of(ir, op)?;
    let &[target] = &linalg.outputs[..] else { return None };
    let extents = ir.shape_of(target).to_vec();
    let rank = extents.len();
    let bits = |value: ValueId| Some(i64::from(Scalar::of(&ir[ir.elem_of(value)])?.bits()));
    let inputs = linalg.inputs.iter().zip(&linalg.maps);
    let fits = rank > 0
        && ir.results(op).len() == 0
        && !linalg.reduction.contains(&true)
        && linalg.maps.last()? == &Map::identity(rank)
        && !extents.contains(&DYNAMIC)
        && is_memref(ir, target)
        && inputs.clone().all(|(&input, map)| {
            let picks = map.as_dims().is_some_and(|dims| (1..dims.len()).all(|i| !dims[..i].contains(&dims[i])));
            let apart = !is_memref(ir, input) || !may_alias(ir, input, target) || *map == Map::identity(rank);
            picks && apart && !ir.ty(input).is_tensor() && !ir.shape_of(input).contains(&DYNAMIC)
        });
    if !fits {
        return None;
    }
    let own = bits(target)?;
    let least = linalg.inputs.iter().map(|&input| bits(input)).collect::<Option<Vec<_>>>()?.into_iter().min();
    // Narrow sources are read in whole bytes.
    let more = least.filter(|&least| least < own && least < 8).map_or(1, |least| 8 / least);
    let vector = (COPY_BITS / own).checked_mul(more).filter(|&n| n > 0)?;
    let mut left = threads;
    let (mut part, mut counts) = (vec![1; rank], vec![1; rank]);
    part[rank - 1] = vector;
    for d in (0..rank).rev() {
        if extents[d] % part[d] != 0 || extents[d] == 0 {
            return None;
        }
        counts[d] = (extents[d] / part[d]).min(left);
        if left % counts[d] != 0 || extents[d] % (part[d] * counts[d]) != 0 {
            return None;
        }
        left /= counts[d];
    }
    (left == 1).then_some(Deal { op, extents, part, threads: counts })
}

/// Removes the barriers right between two copies, if neither touches what the other one writes.
fn drop_barriers_between(ir: &mut Ir, first: OpId, second: OpId) {
    let mut between = Vec::new();
    let mut at = ir.next_op(first);
    while let Some(op) = at.filter(|&op| is_barrier(ir.opcode(op))) {
        between.push(op);
        at = ir.next_op(op);
    }
    let memrefs = |op: OpId| ir.operands(op).iter().copied().filter(|&value| is_memref(ir, value)).collect::<Vec<_>>();
    let target = |op: OpId| ir.operands(op).last().copied();
    let touches = |op: OpId, other: OpId| {
        target(op).is_some_and(|target| memrefs(other).into_iter().any(|value| may_alias(ir, target, value)))
    };
    if at == Some(second) && !touches(first, second) && !touches(second, first) {
        for barrier in between {
            ir.erase(barrier);
        }
    }
}

/// The copy as vectors of one thread, one after the other.
fn write_out(ir: &mut Ir, deal: &Deal, thread: ValueId) -> Result<(), Diag> {
    let op = deal.op;
    let rank = deal.extents.len();
    let linalg = Linalg::of(ir, op);
    // Along dimensions with more than one thread, the thread's place.
    let spread: Vec<usize> = (0..rank).filter(|&d| deal.threads[d] > 1).collect();
    let mut builder = Builder::before(ir, op);
    let digits = match spread[..] {
        [] => Vec::new(),
        [_] => vec![thread],
        [..] => {
            let index = builder.ir.index_type();
            let extents: Vec<i64> = spread.iter().map(|&d| deal.threads[d]).collect();
            let basis = builder.ir.dense_i64(&extents);
            let types = vec![index; spread.len()];
            let op = builder.op(Opcode::AffineDelinearizeIndex, &[thread], &types, &[("static_basis", basis)]);
            builder.ir.results(op).collect()
        }
    };
    let tile: Vec<i64> = deal.part.iter().zip(&deal.threads).map(|(part, threads)| part * threads).collect();
    let counts: Vec<i64> = deal.extents.iter().zip(&tile).map(|(extent, tile)| extent / tile).collect();
    let mut at = vec![0; rank];
    loop {
        let mut builder = Builder::before(ir, op);
        let mut places = Vec::new();
        for d in 0..rank {
            let first = at[d] * tile[d];
            places.push(match spread.iter().position(|&other| other == d) {
                None => Mixed::Static(first),
                Some(digit) => {
                    let scaled = Expr::binary(BinOp::Mul, Expr::Sym(0), Expr::Const(deal.part[d]));
                    match Expr::binary(BinOp::Add, scaled, Expr::Const(first)) {
                        Expr::Sym(0) => Mixed::Value(digits[digit]),
                        place => {
                            let map = Map { dims: 0, syms: 1, results: vec![place] };
                            Mixed::Value(builder.apply(map, &[digits[digit]]))
                        }
                    }
                }
            });
        }
        write_tile(&mut builder, &linalg, deal, &places)?;
        // The next tile, the last dimension first.
        let Some(d) = (0..rank).rev().find(|&d| at[d] + 1 < counts[d]) else { break };
        at[d] += 1;
        at[d + 1..].fill(0);
    }
    ir.erase(op);
    Ok(())
}

/// One vector of each operand.
fn write_tile(builder: &mut Builder<'_>, linalg: &Linalg, deal: &Deal, places: &[Mixed]) -> Result<(), Diag> {
    let rank = places.len();
    let operands: Vec<ValueId> = linalg.inputs.iter().chain(&linalg.outputs).copied().collect();
    // Views of what is not read along all loops.
    let mut sources: Vec<(ValueId, Vec<Mixed>)> = Vec::new();
    for (&operand, map) in operands.iter().zip(&linalg.maps) {
        let dims = map.as_dims().expect("a deal has maps that pick loops");
        if !is_memref(builder.ir, operand) || *map == Map::identity(rank) {
            sources.push((operand, places.to_vec()));
            continue;
        }
        let slice = SliceView {
            value: None,
            base: operand,
            offsets: dims.iter().map(|&d| places[d]).collect(),
            sizes: dims.iter().map(|&d| Mixed::Static(deal.part[d])).collect(),
            strides: vec![Mixed::Static(1); dims.len()],
        };
        let shape: Vec<i64> = dims.iter().map(|&d| deal.part[d]).collect();
        let ty = builder.ir.type_of(operand);
        let Some(ty) = views::subview_type(builder.ir, ty, &slice, &shape) else {
            let message = "a copy from a memref with such a layout cannot be spread";
            return Err(Diag::error(Code::CannotDistribute, builder.span, message));
        };
        sources.push((builder.subview(operand, &slice, ty), vec![Mixed::Static(0); dims.len()]));
    }
    // Vectors are read in the shape of the loops.
    let whole = Linalg {
        inputs: linalg.inputs.clone(),
        outputs: linalg.outputs.clone(),
        maps: vec![Map::identity(rank); operands.len()],
        reduction: linalg.reduction.clone(),
    };
    let mut given = |builder: &mut Builder<'_>, i: usize, _: bool| {
        let (source, at) = &sources[i];
        let indices: Vec<ValueId> = at.iter().map(|place| place.materialize(builder)).collect();
        let elem = builder.ir.elem_of(*source);
        let padding = builder.splat(0.0, elem);
        let dims = linalg.maps[i].as_dims().expect("a deal has maps that pick loops");
        let along = |d: usize| dims.iter().position(|&other| other == d);
        let results = (0..rank).map(|d| along(d).map_or(Expr::Const(0), |at| Expr::Dim(at as u32))).collect();
        let map = Map { dims: dims.len() as u32, syms: 0, results };
        let ty = builder.ir.vector_type(&deal.part, elem);
        builder.transfer_read(*source, &indices, padding, map, &vec![true; rank], ty)
    };
    let structured = Structured {
        op: deal.op,
        linalg: &whole,
        extents: &deal.part,
        mask: None,
        divided: None,
        counts_from_zero: false,
        memory: None,
    };
    let results = structured::compute(builder, &structured, &|value| value, &mut given)?;
    let (target, at) = &sources[linalg.inputs.len()];
    let indices: Vec<ValueId> = at.iter().map(|place| place.materialize(builder)).collect();
    builder.transfer_write(results[0], *target, &indices, Map::identity(rank), &vec![true; rank]);
    Ok(())
}

/// Folds subviews into reads and writes of them, as far as these stay inside; says whether anything changed.
pub fn fold_views(ir: &mut Ir, func: OpId) -> bool {
    let mut changed = false;
    for op in ir.walk(func) {
        while fold_view(ir, op).is_some() {
            changed = true;
        }
    }
    changed
}

fn fold_view(ir: &mut Ir, op: OpId) -> Option<()> {
    let opcode = ir.opcode(op);
    let base_at = match opcode {
        Opcode::MemrefLoad | Opcode::VectorLoad | Opcode::VectorTransferRead => 0,
        Opcode::MemrefStore | Opcode::VectorStore | Opcode::VectorTransferWrite => 1,
        _ => return None,
    };
    let base = ir.operand(op, base_at);
    let view = ir.def_op(base).filter(|&view| ir.opcode(view) == Opcode::MemrefSubview)?;
    let slice = SliceView::of(ir, view);
    let (shape, rank) = (ir.shape_of(base).to_vec(), ir.shape_of(slice.base).len());
    let mut inner = 0;
    if matches!(opcode, Opcode::VectorTransferRead | Opcode::VectorTransferWrite) {
        let transfer = raddle_ir::views::Transfer::of(ir, op);
        inner = transfer.map.results.len();
        // Padding is for what lies behind the view's end.
        let plain = inner <= shape.len() && transfer.map == raddle_ir::views::minor_identity(shape.len(), inner);
        if !plain || transfer.in_bounds.contains(&false) {
            return None;
        }
    } else if let Opcode::VectorLoad = opcode {
        inner = ir.shape_of(ir.result(op, 0)).len();
    } else if let Opcode::VectorStore = opcode {
        inner = ir.shape_of(ir.operand(op, 0)).len();
    }
    // Which dimensions of the source the view has.
    let mut kept = Vec::new();
    for (d, size) in slice.sizes.iter().enumerate() {
        let extent = match *size {
            Mixed::Static(size) => size,
            Mixed::Value(_) => DYNAMIC,
        };
        if shape.get(kept.len()) == Some(&extent) {
            kept.push(d);
        } else if extent != 1 {
            return None;
        }
    }
    // A vector goes on in the source as it does in the view.
    let dense = (0..inner).all(|i| {
        kept.len() > i && kept[kept.len() - 1 - i] == rank - 1 - i && slice.strides[rank - 1 - i] == Mixed::Static(1)
    });
    let unit = slice.strides.iter().all(|&stride| stride == Mixed::Static(1));
    if kept.len() != shape.len() || !dense || !unit {
        return None;
    }
    let first = base_at + 1;
    let indices = ir.operands(op)[first..first + shape.len()].to_vec();
    let rest = ir.operands(op)[first + shape.len()..].to_vec();
    let head = ir.operands(op)[..base_at].to_vec();
    let mut builder = Builder::before(ir, op);
    let mut new = Vec::new();
    for (d, &offset) in slice.offsets.iter().enumerate() {
        let index = kept.iter().position(|&other| other == d).map(|at| indices[at]);
        new.push(match (offset, index) {
            (Mixed::Static(0), Some(index)) => index,
            (offset, None) => offset.materialize(&mut builder),
            (Mixed::Static(offset), Some(index)) => {
                let sum = Expr::binary(BinOp::Add, Expr::Sym(0), Expr::Const(offset));
                builder.apply(Map { dims: 0, syms: 1, results: vec![sum] }, &[index])
            }
            (Mixed::Value(offset), Some(index)) if builder.ir.const_int(index) == Some(0) => offset,
            (Mixed::Value(offset), Some(index)) => {
                let sum = Expr::binary(BinOp::Add, Expr::Sym(0), Expr::Sym(1));
                builder.apply(Map { dims: 0, syms: 2, results: vec![sum] }, &[offset, index])
            }
        });
    }
    let operands = [&head[..], &[slice.base], &new[..], &rest[..]].concat();
    ir.set_operands(op, &operands);
    if matches!(opcode, Opcode::VectorTransferRead | Opcode::VectorTransferWrite) {
        let sizes = ir.attr_id(op, "operandSegmentSizes").and_then(|sizes| ir.ints(sizes))?;
        let mut sizes: Vec<usize> = sizes.into_iter().map(|n| n as usize).collect();
        let at = if opcode == Opcode::VectorTransferRead { 1 } else { 2 };
        sizes[at] = rank;
        let sizes = ir.segment_sizes(&sizes);
        ir.set_attr(op, "operandSegmentSizes", sizes);
        let map = ir.intern(Attr::Map(raddle_ir::views::minor_identity(rank, inner)));
        ir.set_attr(op, "permutation_map", map);
    }
    if matches!(ir.ty(base), Type::MemRef { .. }) && ir.is_unused(base) {
        ir.erase(view);
    }
    Some(())
}
