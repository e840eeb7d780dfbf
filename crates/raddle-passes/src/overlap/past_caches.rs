//! Past caches: what a large transposition on a CPU writes goes to memory by whole lines, and its tiles come in an order
//! that suits memory.
//!
//! Before: workgroups go along the rows of the result, `%t = transpose (read A[x * 16, y * 16])`, `write %t, B[y * 16, x * 16]`
//! After:  two tiles beside each other, which share pairs of lines of `A`, before the next rows of it, which a prefetch
//!         has brought into the second cache; each row of a tile is a line of `B`, and is marked as one that no cache keeps.
//!
//! The rows of such a tile lie far from each other, often at multiples of a page: a core fetches each line that it is
//! about to write, as it would not know that it writes all of it, finds no pattern in these fetches, and has few ways of a
//! set for them. A store past the caches needs none of that.
//!
//! Results that the caches hold stay as they are, since whoever reads them next would have to get them from memory.

use raddle_ir::affine::BinOp;
use raddle_ir::interface::Interface;
use raddle_ir::views::Transfer;
use raddle_ir::{Attr, BlockId, Builder, DYNAMIC, Expr, Ir, Map, OpId, Opcode, Scalar, Type, ValueId};
use raddle_target::NativeVectors;

use super::ahead::{self, LINE};
use super::without_layout;
use crate::code::{WHOLE_LINES, is_multiple};
use crate::lay_out::permutation;

/// Bytes of a result of which a core's share of the last cache has little left when somebody reads it.
const LARGE: i64 = 16 << 20;
/// Bytes behind which lines have the same place in the first cache again; where rows of the result begin so, half as much
/// is large.
const WAY: i64 = 4096;
/// Lines beside each other that memory gives in little more time than one.
const PAIR: i64 = 2;
/// Tiles that are brought ahead.
const AHEAD: i64 = 2;

/// Rewrites a kernel that does nothing but transpose, and compute element by element, if its results are large.
pub fn past_caches(ir: &mut Ir, func: OpId, vectors: NativeVectors) {
    // Where a dispatch's results begin, its bindings say.
    let is_dispatch = !Interface::of(ir, func).is_ok_and(|interface| interface.is_none());
    let Some(entry) = ir.body(func, 0).filter(|_| !is_dispatch && 4 * vectors.lanes == LINE) else { return };
    let all: Vec<OpId> = ir.block_ops(entry).collect();
    if all.iter().any(|&op| !ir.regions(op).is_empty()) {
        return;
    }
    let of = |opcode: Opcode| all.iter().copied().filter(|&op| ir.opcode(op) == opcode).collect::<Vec<_>>();
    let writes = of(Opcode::VectorTransferWrite);
    let turned: Vec<Turned> = of(Opcode::VectorTranspose).into_iter().filter_map(|op| Turned::of(ir, op)).collect();
    if writes.is_empty() || turned.is_empty() || !writes.iter().all(|&write| writes_lines(ir, entry, write)) {
        return;
    }
    let view = Transfer::of(ir, writes[0]);
    let along = view.indices.last().map(|&index| coordinate(ir, index));
    for &write in &writes {
        let unit = ir.intern(Attr::Unit);
        ir.set_attr(write, WHOLE_LINES, unit);
    }
    if let Some(along) = along {
        pair(ir, func, &all, along, &turned[0]);
    }
    turned.iter().for_each(|one| one.bring(ir));
}

/// Whether a write stores nothing but whole lines of a large result, in several rows of it.
fn writes_lines(ir: &Ir, entry: BlockId, write: OpId) -> bool {
    let view = Transfer::of(ir, write);
    let Some(vector) = view.vector else { return false };
    let Type::MemRef { shape, layout: None, .. } = ir.ty(view.base) else { return false };
    let Some(bytes) = Scalar::of(&ir[ir.elem_of(view.base)]).map(|elem| elem.bytes() as i64) else { return false };
    let (Some(&row), Some(&width), Some(dims)) = (shape.last(), ir.shape_of(vector).last(), view.map.as_dims()) else {
        return false;
    };
    // Where lines begin, and how much there is, is known of known extents.
    if shape.contains(&DYNAMIC) {
        return false;
    }
    let all = shape.iter().fold(bytes, |all, &extent| all.saturating_mul(extent));
    let is_last = dims.last() == Some(&(shape.len() - 1));
    let line = LINE / bytes;
    let starts = view.indices.last().is_some_and(|&index| is_multiple(ir, index, line));
    let is_result = ir.args(entry).contains(&view.base) && view.mask.is_none() && view.in_bounds.last() == Some(&true);
    let large = if row * bytes % WAY == 0 { LARGE / 2 } else { LARGE };
    is_result && is_last && starts && all >= large && row % line == 0 && width % line == 0
}

/// A read whose rows become columns.
struct Turned {
    read: OpId,
    /// The dimension of the vector that becomes its last one, and the one that its rows lie along.
    row: usize,
    column: usize,
    /// Of an element.
    bytes: i64,
}

impl Turned {
    /// That of a transposition.
    fn of(ir: &Ir, op: OpId) -> Option<Turned> {
        let read = ir.def_op(without_layout(ir, ir.operand(op, 0)))?;
        (ir.opcode(read) == Opcode::VectorTransferRead).then_some(())?;
        let (tile, view) = (ir.shape_of(ir.operand(op, 0)), Transfer::of(ir, read));
        let (row, column) = (*permutation(ir, op).last()?, tile.iter().rposition(|&extent| extent > 1)?);
        let along = *view.map.as_dims()?.get(column)?;
        let goes_on = along + 1 == view.indices.len() && ir.strides(view.base)?.last() == Some(&1);
        let bytes = Scalar::of(&ir[ir.elem_of(view.base)])?.bytes() as i64;
        (row != column && tile[row] > 1 && goes_on).then_some(Turned { read, row, column, bytes })
    }

    /// Brings the tile that is read two workgroups later along the rows. Of tiles that share lines, each brings a part.
    fn bring(&self, ir: &mut Ir) {
        let view = Transfer::of(ir, self.read);
        let (Some(dims), Some(&column)) = (view.map.as_dims(), view.indices.last()) else { return };
        let mut tile = ir.shape_of(ir.result(self.read, 0)).to_vec();
        let (rows, width) = (tile[self.row], tile[self.column]);
        let sharing = (LINE / (width * self.bytes)).max(1);
        let part = if rows % sharing == 0 { rows / sharing } else { rows };
        let (mut indices, mut builder) = (view.indices.clone(), Builder::before(ir, self.read));
        let binary = |op: BinOp, lhs: Expr, rhs: i64| Expr::binary(op, lhs, Expr::Const(rhs));
        let number = binary(BinOp::Mod, binary(BinOp::FloorDiv, Expr::Dim(1), width), rows / part);
        let begin = binary(BinOp::Add, binary(BinOp::Mul, number, part), AHEAD * rows);
        let map = Map { dims: 2, syms: 0, results: vec![Expr::binary(BinOp::Add, Expr::Dim(0), begin)] };
        let index = &mut indices[dims[self.row]];
        *index = builder.apply(map, &[*index, column]);
        tile[self.row] = part;
        ahead::prefetch(&mut builder, &view, view.base, &indices, &tile, false, 2);
    }
}

/// What an index counts in tiles.
fn coordinate(ir: &Ir, index: ValueId) -> ValueId {
    let apply = ir.def_op(index).filter(|&op| ir.opcode(op) == Opcode::AffineApply && ir.operands(op).len() == 1);
    apply.map_or(index, |op| ir.operand(op, 0))
}

/// Lets tiles beside each other in what is read follow one another, where workgroups count them apart from those along
/// the rows of the result.
fn pair(ir: &mut Ir, func: OpId, all: &[OpId], along: ValueId, turned: &Turned) {
    let view = Transfer::of(ir, turned.read);
    let Some(beside) = view.indices.last().map(|&index| coordinate(ir, index)) else { return };
    let width = ir.shape_of(ir.result(turned.read, 0))[turned.column] * turned.bytes;
    // Both are known behind the last of the operations that count, where the others begin.
    let defs = [along, beside].map(|value| all.iter().position(|&op| ir.results(op).any(|result| result == value)));
    let [Some(a), Some(b)] = defs else { return };
    let users = |value: ValueId| ir.uses(value).collect::<Vec<_>>();
    let olds = [users(along), users(beside)];
    let Some(&first) = all.get(a.max(b) + 1) else { return };
    if olds.iter().flatten().any(|&(user, _)| all[..=a.max(b)].contains(&user)) {
        return;
    }
    let Some(by) = recount(ir, func, [(all[a], along), (all[b], beside)], (PAIR * LINE + width - 1) / width) else {
        return;
    };
    let [tiles, rest] = [BinOp::FloorDiv, BinOp::Mod].map(|op| Expr::binary(op, Expr::Dim(0), Expr::Const(by)));
    let whole = Expr::binary(BinOp::Mul, Expr::Dim(1), Expr::Const(by));
    let mut builder = Builder::before(ir, first);
    let tiles = builder.apply(Map { dims: 1, syms: 0, results: vec![tiles] }, &[along]);
    let place = Map { dims: 2, syms: 0, results: vec![Expr::binary(BinOp::Add, whole, rest)] };
    let place = builder.apply(place, &[along, beside]);
    for (new, old) in [tiles, place].into_iter().zip(olds) {
        old.into_iter().for_each(|(user, at)| ir.set_operand(user, at, new));
    }
}

/// Moves a factor of the count of the second of two coordinates to that of the first, which counts fastest: the one that
/// is wanted or little more, or else less. Says which.
fn recount(ir: &mut Ir, func: OpId, counted: [(OpId, ValueId); 2], wanted: i64) -> Option<i64> {
    let [a, b] = counted.map(|(op, _)| op);
    let factor = |extent: i64| (wanted..2 * wanted).chain((2..wanted).rev()).find(|by| extent % by == 0);
    if ir.opcode(a) == Opcode::AffineDelinearizeIndex && a == b {
        let mut basis = ir.attr_id(a, "static_basis").and_then(|attr| ir.ints(attr))?;
        let [x, other] = counted.map(|(_, value)| ir.results(a).position(|result| result == value));
        let (x, other) = (x?, other?);
        (x + 1 == basis.len() && ir.results(a).len() == basis.len() && x != other).then_some(())?;
        let by = factor(basis[other])?;
        (basis[x], basis[other]) = (basis[x] * by, basis[other] / by);
        let basis = ir.dense_i64(&basis);
        ir.set_attr(a, "static_basis", basis);
        return Some(by);
    }
    let place = |op: OpId| {
        (ir.opcode(op) == Opcode::GpuBlockId).then_some(())?;
        ir.keyword_of(op, "dimension").and_then(|dim| ["x", "y", "z"].iter().position(|&name| name == dim))
    };
    let (Some(0), Some(other @ 1..)) = (place(a), place(b)) else { return None };
    let mut grid = ir.attr_id(func, "gpu.known_grid_size").and_then(|attr| ir.ints(attr))?;
    let by = factor(*grid.get(other)?)?;
    (grid[0], grid[other]) = (grid[0] * by, grid[other] / by);
    let elem = ir.int_type(32);
    let grid = ir.intern(Attr::DenseArray { elem, values: grid });
    ir.set_attr(func, "gpu.known_grid_size", grid);
    Some(by)
}
