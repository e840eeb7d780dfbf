//! Reads and writes of shared memory by rows: where a layout deals 8 x 8 matrices to the lanes as the chip's own load does.
//!
//! Before: `%v = vector.transfer_read %shared[%i, %j], %pad {layouts = [#L]} : memref<64x32xf16, …>, vector<64x32xf16>`
//! After: `nvgpu.ldmatrix %shared[%row, %column] {numTiles = 4 : i32, transpose = false} : … -> vector<4x2xf16>` for
//! each four words of a thread.
//!
//! A write is the same the other way, `nvgpu.stmatrix`, where the chip has it.
//!
//! The access takes rows of 16 bytes that lanes name, and gives each lane a word of each matrix. So neighbouring elements
//! must fill a lane's word, and the words of four neighbouring lanes a row; or, transposed, the elements of every fourth
//! lane a row. The other lanes and slots may lie anywhere. Rows begin at multiples of 16 bytes.

use raddle_ir::affine::BinOp;
use raddle_ir::views::Transfer;
use raddle_ir::{Attr, Builder, Code, Diag, Expr, Ir, Map, Opcode, Scalar, Type, ValueId};
use raddle_layout::Nested;
use raddle_target::MatrixAccess;

use super::{Cx, memory, threads};
use crate::code;

/// Bytes of a row.
pub const ROW: i64 = 16;

/// One thread's part of what is read, where loads of matrices make it. `order` lists the slots as registers hold them.
pub fn read(
    builder: &mut Builder<'_>,
    cx: &mut Cx<'_>,
    view: &Transfer,
    layout: &Nested,
    order: Option<&[usize]>,
) -> Option<ValueId> {
    let form = rows_of(builder.ir, cx, view, layout)?;
    tell(builder, cx, form, "reads");
    let elem = builder.ir.elem_of(view.base);
    let mut parts = vec![None; layout.n_slots() as usize];
    for Tiles { indices, words } in tiles(builder, cx, view, layout, form, order) {
        let matrices = load(builder, view.base, &indices, [words.len(), form.per_word], form.transposed);
        let op = builder.op(Opcode::VectorToElements, &[matrices], &vec![elem; words.len() * form.per_word], &[]);
        let elements: Vec<ValueId> = builder.ir.results(op).collect();
        for (&word, elements) in words.iter().zip(elements.chunks(form.per_word)) {
            for (slot, &element) in parts[word..].iter_mut().zip(elements) {
                *slot = Some(element);
            }
        }
    }
    let parts: Vec<ValueId> = parts.into_iter().map(|slot| slot.expect("every slot is loaded")).collect();
    let ty = builder.ir.vector_type(&[parts.len() as i64], elem);
    let part = builder.value(Opcode::VectorFromElements, &parts, ty, &[]);
    Some(builder.shape_cast(part, &layout.distributed_shape()))
}

/// Writes each thread's part, where stores of matrices do, and says whether they did.
pub fn write(builder: &mut Builder<'_>, cx: &mut Cx<'_>, view: &Transfer, part: ValueId, layout: &Nested) -> bool {
    let n_threads: i64 = layout.thread_tile.iter().chain(&layout.subgroup_tile).product();
    // All lanes store, so that each must have elements of its own.
    let stores = cx.facts.chip.matrix_access == MatrixAccess::LoadAndStore && n_threads == cx.launch.workgroup_size;
    let Some(form) = rows_of(builder.ir, cx, view, layout).filter(|_| stores) else { return false };
    tell(builder, cx, form, "writes");
    let elem = builder.ir.elem_of(view.base);
    let flat = builder.shape_cast(part, &[layout.n_slots()]);
    let op = builder.op(Opcode::VectorToElements, &[flat], &vec![elem; layout.n_slots() as usize], &[]);
    let elements: Vec<ValueId> = builder.ir.results(op).collect();
    for Tiles { indices, words } in tiles(builder, cx, view, layout, form, None) {
        let shape = [words.len(), form.per_word];
        let words = words.iter().flat_map(|&word| &elements[word..word + form.per_word]);
        let words: Vec<ValueId> = words.copied().collect();
        store(builder, view.base, &indices, &words, shape, form.transposed);
    }
    true
}

/// How a layout deals out matrices.
#[derive(Clone, Copy)]
struct Form {
    /// Elements of a lane's word.
    per_word: usize,
    /// Whether rows lie across words.
    transposed: bool,
}

/// A remark that an access goes by rows.
fn tell(builder: &Builder<'_>, cx: &Cx<'_>, form: Form, does: &str) {
    let transposed = if form.transposed { ", transposed" } else { "" };
    let message = format!("this {does} shared memory by rows of {ROW} bytes{transposed}: its layout divides them");
    let remark = Diag::error(Code::LayoutChoice, builder.span, message).as_remark();
    cx.facts.remarks.borrow_mut().push(remark);
}

/// Matrices that one instruction moves: where the lane's row begins, and the first slot of each matrix.
struct Tiles {
    indices: Vec<ValueId>,
    words: Vec<usize>,
}

/// The first slot of each word, in the order of the registers if that keeps words whole.
pub fn words_in_order(n_slots: usize, per_word: usize, order: Option<&[usize]>) -> Vec<usize> {
    let slots: Vec<usize> = (0..n_slots).collect();
    let is_word =
        |word: &[usize]| word[0].is_multiple_of(per_word) && word.iter().copied().eq(word[0]..word[0] + per_word);
    let order = order.filter(|order| order.chunks(per_word).all(is_word)).unwrap_or(&slots);
    order.chunks(per_word).map(|word| word[0]).collect()
}

/// All matrices of a part, as few instructions as can move them.
fn tiles(
    builder: &mut Builder<'_>,
    cx: &mut Cx<'_>,
    view: &Transfer,
    layout: &Nested,
    Form { per_word, transposed }: Form,
    order: Option<&[usize]>,
) -> Vec<Tiles> {
    let slots = memory::positions(&layout.distributed_shape());
    let firsts = words_in_order(slots.len(), per_word, order);
    let words: Vec<Vec<i64>> = firsts.iter().map(|&slot| offsets(layout, &slots[slot])).collect();
    // A lane names a row of the matrix that belongs to a lane of its subgroup: what that one would move, it asks for.
    let of = |op, lhs, rhs: i64| Expr::binary(op, lhs, Expr::Const(rhs));
    let lane = |divisor: i64, size: i64| of(BinOp::Mod, of(BinOp::FloorDiv, Expr::Dim(0), divisor), size);
    let owner = if transposed { lane(2, 4) } else { of(BinOp::Mul, lane(1, 8), 4) };
    let first = of(BinOp::Mul, of(BinOp::FloorDiv, Expr::Dim(0), 32), 32);
    let results = vec![Expr::binary(BinOp::Add, first, owner)];
    let owner = builder.apply(Map { dims: 1, syms: 0, results }, &[cx.thread]);
    // The two elements of a transposed word are in two rows.
    let second = if transposed {
        difference(&offsets(layout, &slots[1]), &offsets(layout, &slots[0]))
    } else {
        vec![0; layout.rank()]
    };
    let mut found = Vec::new();
    let mut next = 0;
    while next < words.len() {
        let n_tiles = [4, 2, 1].into_iter().find(|&n| is_even(words.get(next..next + n))).expect("one word is even");
        let tiles = &words[next..next + n_tiles];
        let steps: Vec<Vec<i64>> = (0..n_tiles.ilog2()).map(|bit| difference(&tiles[1 << bit], &tiles[0])).collect();
        let mut indices = view.indices.clone();
        for (d, expr) in view.map.results.iter().enumerate() {
            let Expr::Dim(p) = expr else { continue };
            let p = *p as usize;
            let mut more = of(BinOp::Add, of(BinOp::Mul, lane(1, 2), second[d]), tiles[0][d]);
            for (bit, step) in steps.iter().enumerate() {
                more = Expr::binary(BinOp::Add, more, of(BinOp::Mul, lane(8 << bit, 2), step[d]));
            }
            let results = vec![Expr::binary(BinOp::Add, Expr::Dim(1), more)];
            let base = builder.apply(Map { dims: 2, syms: 0, results }, &[cx.thread, view.indices[p]]);
            let own = std::mem::replace(&mut cx.thread, owner);
            indices[p] = threads::coordinate(builder, cx, layout, d, [0, 0], base);
            cx.thread = own;
        }
        found.push(Tiles { indices, words: firsts[next..next + n_tiles].to_vec() });
        next += n_tiles;
    }
    found
}

/// `nvgpu.ldmatrix` of so many matrices, of each of which a lane gets so many elements.
pub fn load(
    builder: &mut Builder<'_>,
    base: ValueId,
    indices: &[ValueId],
    shape: [usize; 2],
    transposed: bool,
) -> ValueId {
    let (elem, i32) = (builder.ir.elem_of(base), builder.ir.int_type(32));
    let ty = builder.ir.vector_type(&shape.map(|extent| extent as i64), elem);
    let n = builder.ir.intern(Attr::Int { value: (shape[0] as i64).into(), ty: i32 });
    let transposed = builder.ir.intern(Attr::Bool(transposed));
    let operands = [&[base], indices].concat();
    builder.value(Opcode::NvgpuLdmatrix, &operands, ty, &[("numTiles", n), ("transpose", transposed)])
}

/// `nvgpu.stmatrix` of elements, the words of one matrix after the other.
pub fn store(
    builder: &mut Builder<'_>,
    base: ValueId,
    indices: &[ValueId],
    elements: &[ValueId],
    shape: [usize; 2],
    transposed: bool,
) {
    let elem = builder.ir.elem_of(base);
    let ty = builder.ir.vector_type(&shape.map(|extent| extent as i64), elem);
    let vector = builder.value(Opcode::VectorFromElements, elements, ty, &[]);
    let transposed = builder.ir.intern(Attr::Bool(transposed));
    let operands = [&[vector, base], indices].concat();
    builder.op(Opcode::NvgpuStmatrix, &operands, &[], &[("transpose", transposed)]);
}

/// How a layout deals out matrices of a buffer, where it does.
fn rows_of(ir: &Ir, cx: &Cx<'_>, view: &Transfer, layout: &Nested) -> Option<Form> {
    let Type::MemRef { shape, elem, layout: None, space } = ir.ty(view.base) else { return None };
    let shared = space.and_then(|space| ir.keyword(space)) == Some("workgroup");
    let whole = view.mask.is_none() && view.in_bounds.iter().all(|&inside| inside);
    let dims = view.map.as_dims()?;
    if !shared
        || !whole
        || cx.facts.chip.matrix_access == MatrixAccess::None
        || cx.launch.subgroup_size != 32
        || cx.launch.workgroup_size % 32 != 0
    {
        return None;
    }
    let bytes = Scalar::of(&ir[*elem]).filter(|scalar| matches!(scalar.bits(), 8 | 16 | 32))?.bytes() as i64;
    let (row, per_word) = (ROW / bytes, 4 / bytes);
    let last = shape.len().checked_sub(1)?;
    let along = dims.iter().position(|&dim| dim == last)?;
    let is_aligned = shape[last] % row == 0 && code::is_multiple(ir, view.indices[last], row);
    let lanes = [layout.thread_tile[along], layout.thread_strides[along]];
    let plain = layout.element_tile[along] == per_word && lanes[0] % 4 == 0 && lanes[1] == 1;
    // Slots follow the last axis that has more than one: a word's elements must be neighbours there.
    let words = layout.distributed_shape().into_iter().rposition(|extent| extent > 1);
    let plain = plain && (per_word == 1 || words == Some(2 * layout.rank() + along));
    let pairs = layout.n_slots() > 1 && words.is_some_and(|axis| layout.distributed_shape()[axis] % 2 == 0);
    let transposed = bytes == 2 && layout.element_tile[along] == 1 && lanes == [8, 4] && pairs;
    (is_aligned && (plain || transposed)).then_some(Form { per_word: per_word as usize, transposed })
}

/// How far a slot's element lies from the first slot's, along each dimension.
fn offsets(layout: &Nested, slot: &[i64]) -> Vec<i64> {
    let rank = layout.rank();
    let along = |d: usize| {
        let tile = layout.thread_tile[d] * layout.element_tile[d];
        (slot[d] * layout.outer_tile[d] + slot[rank + d]) * tile + slot[2 * rank + d]
    };
    (0..rank).map(along).collect()
}

fn difference(a: &[i64], b: &[i64]) -> Vec<i64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

/// Whether the words of matrices that are loaded together differ by a step for each bit of the matrix's number.
fn is_even(words: Option<&[Vec<i64>]>) -> bool {
    match words {
        Some([a, b, c, d]) => difference(d, c) == difference(b, a),
        Some(_) => true,
        None => false,
    }
}
