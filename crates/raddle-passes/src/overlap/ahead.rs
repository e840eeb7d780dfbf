//! Ahead: bring what a CPU reads next into its caches, where it would not see that by itself.
//!
//! Before: `for %k { %b = read B[x * 4, k] : vector<4x16> ; … }`
//! After: `for %k { prefetch B[x * 4 + 4 …, k] ; %b = read B[x * 4, k] ; … }`
//!
//! A core sees that a line of memory goes on where it reads one alone; of several rows at once, each of which is soon at
//! its end, most is waited for. The next workgroup reads the rows behind these.
//!
//! Rows of what fits the second cache stay as they are, and so do rows so long that the cache would lose what was brought.

use raddle_ir::views::Transfer;
use raddle_ir::{Attr, Builder, DYNAMIC, Ir, OpId, Opcode, Scalar, ValueId};
use raddle_target::NativeVectors;

use crate::code::extents::positions;

/// Bytes that caches hold together.
pub(super) const LINE: i64 = 64;

/// Lets the loops of a kernel that read several rows at once bring the next ones.
pub fn rows_ahead(ir: &mut Ir, func: OpId, vectors: NativeVectors) {
    for op in ir.walk(func) {
        if ir.opcode(op) == Opcode::VectorTransferRead
            && let Some(row) = row_of(ir, op, vectors)
        {
            let view = Transfer::of(ir, op);
            let tile = ir.shape_of(ir.result(op, 0)).to_vec();
            let (mut indices, mut builder) = (view.indices.clone(), Builder::before(ir, op));
            let rows = builder.index(tile[0]);
            indices[row] = builder.binary(Opcode::ArithAddi, indices[row], rows);
            prefetch(&mut builder, &view, view.base, &indices, &tile, false, 2);
        }
    }
}

/// The dimension of memory that rows are counted along, where a loop reads whole lines of several of them, and the next
/// ones are worth bringing.
fn row_of(ir: &Ir, read: OpId, vectors: NativeVectors) -> Option<usize> {
    let [_, cache] = vectors.cache_bytes;
    let view = Transfer::of(ir, read);
    let &[rows, width] = ir.shape_of(ir.result(read, 0)) else { return None };
    let &[row, along] = &view.map.as_dims()?[..] else { return None };
    let bytes = Scalar::of(&ir[ir.elem_of(view.base)])?.bytes() as i64;
    let body = ir.parent_block(read)?;
    ir.parent_op(read).filter(|&op| ir.opcode(op) == Opcode::ScfFor)?;
    let &[index, sums] = ir.args(body) else { return None };
    // Where each element is used once, a core looks far enough ahead by itself.
    let elements = |value: ValueId| Some(ir[ir.type_of(value)].shape()?.iter().product::<i64>());
    let is_shared = elements(sums)? > rows * width;
    let shape = ir.shape_of(view.base);
    let goes_on = view.indices[along] == index && along + 1 == shape.len() && view.mask.is_none();
    let is_counted = |op: OpId| ir.opcode(op) != Opcode::ArithConstant && ir.parent_block(op) != Some(body);
    let next = ir.def_op(view.indices[row]).is_some_and(is_counted);
    // A line that two reads share is asked for twice, which costs less than to wait for it.
    let lines = rows > 1 && 2 * width * bytes >= LINE && ir.strides(view.base)?.last() == Some(&1);
    let extent = |d: usize| if shape[d] == DYNAMIC { i64::MAX } else { shape[d] };
    let all = (0..shape.len()).map(extent).fold(bytes, i64::saturating_mul);
    let brought = extent(along).saturating_mul(rows * bytes);
    (goes_on && next && lines && is_shared && all > cache && brought <= cache / 4).then_some(row)
}

/// Brings the lines of a tile into a cache, to be written or read.
pub(super) fn prefetch(
    builder: &mut Builder<'_>,
    view: &Transfer,
    base: ValueId,
    indices: &[ValueId],
    tile: &[i64],
    is_written: bool,
    near: i128,
) {
    let elem = builder.ir.elem_of(base);
    let (Some(dims), Some(elem)) = (view.map.as_dims(), Scalar::of(&builder.ir[elem])) else { return };
    let line = LINE / (elem.bytes() as i64);
    let mut lines = tile.to_vec();
    let Some(last) = lines.last_mut() else { return };
    *last = (*last + line - 1) / line;
    let number = builder.ir.int_type(32);
    let [yes, write] = [true, is_written].map(|flag| builder.ir.intern(Attr::Bool(flag)));
    let near = builder.ir.intern(Attr::Int { value: near, ty: number });
    for mut at in positions(&lines) {
        if let Some(last) = at.last_mut() {
            *last *= line;
        }
        let mut indices = indices.to_vec();
        for (&d, &by) in dims.iter().zip(&at).filter(|(_, by)| **by > 0) {
            let by = builder.index(by);
            indices[d] = builder.binary(Opcode::ArithAddi, indices[d], by);
        }
        let attrs = [("isWrite", write), ("localityHint", near), ("isDataCache", yes)];
        builder.op(Opcode::MemrefPrefetch, &[&[base], &indices[..]].concat(), &[], &attrs);
    }
}
