//! Factors: what a loop reads of global memory for its products, and the ring that it goes through.
//!
//! Before: `%a = read A[k] ; %f = to_layout %a`
//! After:  `%a = read A[k] ; write %a, ring[slot]`, and `%f = read ring[slot]` for a step of k.
//!
//! A ring holds a tile as it lies in memory, or transposed where products inside threads read runs along the other
//! dimension: their elements are then copied one by one. Copies are as wide as the rows of memory are aligned; where these
//! are not aligned at all, threads read elements at the begin of an iteration, and write them to the ring at its end.

use raddle_ir::views::{Indexed, Transfer};
use raddle_ir::{Attr, Builder, DYNAMIC, Def, Expr, Ir, Map, OpId, Opcode, Scalar, Type, ValueId};
use raddle_layout::Nested;

use super::{ACCESS_BYTES, Candidate, is_conversion};
use crate::code::{has_open_rows, is_multiple, is_zero, rows_begin_at};
use crate::config::Launch;
use crate::configure::cut::Cut;
use crate::lay_out::{layout_of, masks_alike};
use crate::overlap::software_pipeline::Bounds;

/// Bytes of the narrowest asynchronous copy.
const COPY_BYTES_MIN: i64 = 4;

/// Lanes along rows of memory whose elements are copied one by one: they read 32 bytes, a sector.
const LANES_ALONG: i64 = 8;

/// A factor on its way from global memory to a contraction.
pub(super) struct Factor {
    pub read: OpId,
    /// The changes of layout behind the read, the last one between threads.
    pub conversions: Vec<OpId>,
    /// The layout of fragments.
    pub layout: Nested,
    /// The dimension that is summed over.
    pub k: usize,
    /// Whether a matrix instruction takes it.
    matrix: bool,
    shape: [i64; 2],
    elem_bytes: i64,
    /// Whether copies are asynchronous; they go through registers otherwise.
    pub asynchronous: bool,
    /// The layout in which threads copy.
    copy: Nested,
    /// The dimensions of the vector along rows and columns of a slot.
    order: [usize; 2],
    /// Whether instructions read the ring themselves.
    pub is_shared: bool,
    /// Why only these may, where sides of the tile are not powers of two.
    uneven: Option<String>,
}

impl Factor {
    /// Registers of a thread that its fragments take.
    pub fn words(&self) -> i64 {
        self.layout.n_slots() * self.elem_bytes / 4
    }

    /// Operand `i` of a contraction, which is read from global memory in one layout and used in another one; or why it
    /// is not such a factor.
    pub fn of(ir: &Ir, candidate: &Candidate, i: usize, launch: Launch) -> Result<Factor, String> {
        const NOT_PROMOTED: &str = "does not go from global through shared memory: `promote_operands` does not name it";
        let (value, k) = candidate.factor(ir, i);
        let layout = layout_of(ir, value).expect("candidates have layouts").clone();
        let (at, conversions) = source(ir, value).ok_or(NOT_PROMOTED)?;
        let view = read_of(ir, at).ok_or_else(|| format!("is computed by `{}` on its way", ir.name(at)))?;
        let used_once = |op: OpId| ir.uses(ir.result(op, 0)).count() == 1;
        if !conversions.iter().chain([&at]).all(|&op| used_once(op)) {
            return Err("has other uses".to_owned());
        }
        let copy = layout_of(ir, ir.result(at, 0)).ok_or(NOT_PROMOTED)?;
        let &[rows, columns] = ir.shape_of(value) else { return Err("has not two dimensions".to_owned()) };
        let elem_bytes = Scalar::of(&ir[ir.elem_of(value)]).filter(|elem| matches!(elem.bits(), 8 | 16 | 32));
        let elem_bytes = elem_bytes.ok_or("has elements that copies do not move")?.bytes() as i64;
        let global = match ir.ty(view.base) {
            Type::MemRef { space, .. } => space.is_none_or(|space| ir.keyword(space) != Some("workgroup")),
            _ => false,
        };
        if !global || conversions.iter().filter(|&&op| is_conversion(ir, op)).count() != 1 {
            return Err(NOT_PROMOTED.to_owned());
        }
        if !copies_zeros(ir, &view) {
            return Err("is padded by something else than zeros".to_owned());
        }
        if view.mask.is_some_and(|mask| !masks_alike(ir, at, mask, 1)) {
            return Err("is masked element by element".to_owned());
        }
        // Registers of a thread are loaded from neighbours: these lie along the columns of a slot.
        let across = !candidate.matrix && layout.element_tile[0] > layout.element_tile[1];
        let order = if across { [1, 0] } else { [0, 1] };
        // Each element is copied by one thread, 4, 8 or 16 bytes at a time, in a row of memory.
        let in_memory = view.map.as_dims().is_some_and(|dims| dims.last() == Some(&(ir.shape_of(view.base).len() - 1)))
            && ir.strides(view.base).is_some_and(|strides| strides.last() == Some(&1));
        let pitch = ir.shape_of(view.base).last().copied().unwrap_or(1);
        let widest = if across { 1 } else { copy.element_tile[1] };
        let fits = |wide: &i64| {
            let begins = view.indices.last().is_some_and(|&at| is_multiple(ir, at, *wide));
            // Where only the run knows, the copy asks.
            let is_open = pitch == DYNAMIC && has_open_rows(ir, view.base);
            let divides = *wide == 1 || is_open || pitch % wide == 0 && rows_begin_at(ir, view.base, *wide);
            divides && begins && wide * elem_bytes >= COPY_BYTES_MIN
        };
        let widths = std::iter::successors(Some(widest), |wide| Some(wide / 2)).take_while(|&wide| wide >= 1);
        let wide = widths.into_iter().find(fits);
        if !in_memory {
            return Err("does not lie along its last dimension in memory".to_owned());
        }
        if wide.is_none() && pitch == DYNAMIC {
            return Err(format!(
                "has rows whose length only the run knows, and copies of {COPY_BYTES_MIN} bytes and more need not divide it"
            ));
        }
        let threads = launch.workgroup_size;
        let are_powers = [rows, columns, threads].into_iter().all(|n| n > 0 && n & (n - 1) == 0);
        let copy = match (across, wide) {
            (true, _) => across_rows(threads, [rows, columns]),
            (false, Some(wide)) if wide != widest => Nested::coalesced(threads, &[rows, columns], &[1, wide]).ok(),
            (false, Some(_)) => Some(copy.clone()),
            // Elements are loaded one at a time: a thread has what makes a word of its slot, so that neighbours load from
            // the same lines.
            (false, None) => Nested::coalesced(threads, &[rows, columns], &[1, COPY_BYTES_MIN / elem_bytes]).ok(),
        };
        let all = |copy: &Nested| {
            copy.element_tile[0] == 1 && copy.thread_tile.iter().chain(&copy.subgroup_tile).product::<i64>() == threads
        };
        let run = matches!(wide.unwrap_or(widest) * elem_bytes, COPY_BYTES_MIN | 8 | ACCESS_BYTES);
        let copy = copy.filter(|copy| all(copy) && run && columns * elem_bytes >= ACCESS_BYTES);
        let uneven = format!(
            "has tiles of {rows} x {columns}, which {threads} threads do not share by 4, 8 or {ACCESS_BYTES} bytes"
        );
        let copy = copy.ok_or_else(|| uneven.clone())?;
        let is_as_it_lies = wide.is_some() && Some(&copy) == layout_of(ir, ir.result(at, 0));
        if view.mask.is_some() && !is_as_it_lies {
            return Err("is masked, and not copied as it is laid out".to_owned());
        }
        if ir.opcode(at) != Opcode::VectorTransferRead && !is_as_it_lies {
            return Err("is read at places that vectors name, and not copied as it is laid out".to_owned());
        }
        let (read, matrix, shape, asynchronous) = (at, candidate.matrix, [rows, columns], wide.is_some());
        Ok(Factor {
            read,
            conversions,
            layout,
            k,
            matrix,
            shape,
            elem_bytes,
            asynchronous,
            copy,
            order,
            is_shared: false,
            uneven: if are_powers { None } else { Some(uneven) },
        })
    }

    /// Itself for instructions that read the ring themselves, or for threads that read fragments, unless these do so of a
    /// tile whose sides are not powers of two.
    pub fn read_by(self, is_shared: bool) -> Result<Factor, String> {
        match self.uneven {
            Some(why) if !is_shared => Err(why),
            _ => Ok(Factor { is_shared, ..self }),
        }
    }

    /// How the ring is cut, if instructions read it themselves.
    pub fn cut(&self) -> Option<Cut> {
        Cut::of(self.shape, self.elem_bytes).filter(|_| self.asynchronous && self.order == [0, 1])
    }

    /// Bytes of one tile.
    pub fn bytes(&self) -> i64 {
        self.shape[0] * self.shape[1] * self.elem_bytes
    }

    /// Whether a tile has all rows of the factor that are in memory.
    pub fn has_all_rows(&self, ir: &Ir) -> bool {
        let view = read_of(ir, self.read).expect("a factor is read");
        let dim = view.map.as_dims().map(|dims| dims[1 - self.k]);
        let base = ir.shape_of(view.base);
        dim.is_some_and(|dim| base[dim] != DYNAMIC && base[dim] <= ir.shape_of(ir.result(self.read, 0))[1 - self.k])
    }

    /// The dimensions of a ring along which those of the vector lie.
    fn map(&self) -> Map {
        Map::of_dims(3, &self.order.map(|d| 1 + d))
    }

    /// Whether the tiles of all iterations end inside of the operand along k.
    pub fn is_whole(&self, ir: &Ir, bounds: Bounds) -> bool {
        let view = read_of(ir, self.read).expect("a factor is read");
        let extent = view.map.as_dims().map(|dims| ir.shape_of(view.base)[dims[self.k]]);
        view.in_bounds[self.k]
            || !bounds.is_open && extent.is_some_and(|extent| bounds.lower + bounds.trips * bounds.step <= extent)
    }

    /// Whether the tile of an iteration behind the last one of its loop is zeros.
    pub fn ends_itself(&self, ir: &Ir, loop_op: OpId) -> bool {
        let view = read_of(ir, self.read).expect("a factor is read");
        self.moving(ir, loop_op).iter().any(|&d| !view.in_bounds[d])
    }

    /// Whether iterations behind the last one of its loop may read the last tile of the operand again.
    pub fn may_stay(&self, ir: &Ir, loop_op: OpId) -> bool {
        let (view, moving) = (read_of(ir, self.read).expect("a factor is read"), self.moving(ir, loop_op));
        let fits = |&d: &usize| {
            view.mask.is_none() && view.in_bounds[d] && self.last_tile(ir, d).is_some_and(|last| last >= 0)
        };
        !moving.is_empty() && moving.iter().all(fits)
    }

    /// Lets them do so.
    pub fn stay(&self, ir: &mut Ir, loop_op: OpId) {
        let view = read_of(ir, self.read).expect("a factor is read");
        let dims = view.map.as_dims().expect("copies go along dimensions");
        for d in self.moving(ir, loop_op) {
            let last = self.last_tile(ir, d).expect("the extent is known");
            let map = Map { dims: 1, syms: 0, results: vec![Expr::Dim(0), Expr::Const(last)] };
            let mut builder = Builder::before(ir, self.read);
            let (map, index) = (builder.ir.intern(Attr::Map(map)), builder.ir.index_type());
            let index = builder.value(Opcode::AffineMin, &[view.indices[dims[d]]], index, &[("map", map)]);
            // The indices stand behind the memref.
            ir.set_operand(self.read, 1 + dims[d], index);
        }
    }

    /// The dimensions of the tile that move from iteration to iteration.
    fn moving(&self, ir: &Ir, loop_op: OpId) -> Vec<usize> {
        let (view, body) = (read_of(ir, self.read).expect("a factor is read"), ir.entry(loop_op));
        let moves = |value: ValueId| match ir.def(value) {
            Def::Arg { block, .. } => block == body,
            Def::Result { op, .. } => ir.parent_block(op) == Some(body),
        };
        let dims = view.map.as_dims().expect("copies go along dimensions");
        (0..dims.len()).filter(|&d| moves(view.indices[dims[d]])).collect()
    }

    /// Where the last tile of the operand begins along a dimension of the tile, if that is known.
    fn last_tile(&self, ir: &Ir, d: usize) -> Option<i64> {
        let view = read_of(ir, self.read).expect("a factor is read");
        let extent = ir.shape_of(view.base)[view.map.as_dims()?[d]];
        (extent != DYNAMIC).then(|| extent - self.shape[d])
    }

    /// A ring of so many tiles.
    pub fn alloc(&self, ir: &mut Ir, before: OpId, slots: i64) -> ValueId {
        let span = ir.span(self.read);
        let elem = ir.elem_of(ir.result(self.read, 0));
        let mut builder = Builder::before(ir, before);
        builder.span = span;
        let [rows, columns] = self.order.map(|d| self.shape[d]);
        let ring = builder.alloc_shared(&[slots, rows, columns], elem);
        let alloc = ir.def_op(ring).expect("it was just made");
        match self.cut().filter(|_| self.is_shared) {
            Some(cut) => state_cut(ir, alloc, cut),
            None => {
                let swizzle = ir.i64_array(&self.swizzle().map(i64::from));
                ir.set_attr(alloc, "raddle.swizzle", swizzle);
            }
        }
        ring
    }

    /// The swizzle of the ring: pieces of 16 bytes are xored with the number of their row, so that neither the copies,
    /// along rows, nor the loads of fragments, down the rows, meet in a bank.
    fn swizzle(&self) -> [u32; 3] {
        let piece = (ACCESS_BYTES / self.elem_bytes).ilog2();
        let per_row = self.shape[self.order[1]].ilog2().saturating_sub(piece);
        // Eight pieces pass all banks once.
        let pieces = [per_row.min(3), piece, per_row.max(3)];
        match (self.matrix, self.order) {
            // Words along rows of which each is another k are read by four rows of eight words at a time: these take
            // pairs of pieces.
            (true, _) if self.elem_bytes == 4 && self.k == 0 && per_row > 0 => {
                [(per_row - 1).min(2), piece + 1, (per_row - 1).max(2)]
            }
            // Matrices of bytes have every second row, of sixteen.
            (true, _) if self.elem_bytes == 1 && self.k == 0 && per_row >= 2 => [3, piece, per_row.max(2) + 1],
            // Loads and copies both go along the rows of a slot.
            (false, [0, 1]) => [0; 3],
            (true, _) | (false, _) => pieces,
        }
    }

    /// Copies what the loop reads to a slot of the ring; the write.
    pub fn write(&self, builder: &mut Builder<'_>, ring: ValueId, [slot, zero]: [ValueId; 2]) -> OpId {
        let copy = builder.ir.intern(Attr::Layout(self.copy.clone().into()));
        let layouts = builder.ir.intern(Attr::Array(vec![copy]));
        builder.ir.set_attr(self.read, "layouts", layouts);
        let vector = builder.ir.result(self.read, 0);
        builder.transfer_write(vector, ring, &[slot, zero, zero], self.map(), &[true; 2])
    }

    /// Reads the fragments of one step of k.
    pub fn read_step(
        &self,
        ir: &mut Ir,
        [loop_op, before]: [OpId; 2],
        ring: ValueId,
        [slot, zero]: [ValueId; 2],
        [step, n_steps]: [i64; 2],
    ) -> ValueId {
        let mut shape = self.shape;
        shape[self.k] /= n_steps;
        let mut layout = self.layout.clone();
        layout.batch_tile[self.k] /= n_steps;
        let elem = ir.elem_of(ring);
        let padding = read_of(ir, self.read).expect("a factor is read").padding;
        let mut builder = Builder::before(ir, loop_op);
        let mut indices = [slot, zero, zero];
        indices[1 + self.order[self.k]] = builder.index(step * shape[self.k]);
        let padding = padding.unwrap_or_else(|| builder.splat(0.0, elem));
        let ty = builder.ir.vector_type(&shape, elem);
        let mut builder = Builder::before(ir, before);
        let read = builder.transfer_read(ring, &indices, padding, self.map(), &[true; 2], ty);
        let op = ir.def_op(read).expect("it was just made");
        let layout = ir.intern(Attr::Layout(layout.into()));
        let layouts = ir.intern(Attr::Array(vec![layout]));
        ir.set_attr(op, "layouts", layouts);
        read
    }

    /// Lets all that the loop uses of it be read from a slot.
    pub fn read_again(&self, ir: &mut Ir, at: [OpId; 2], ring: ValueId, slot: [ValueId; 2]) -> OpId {
        let read = self.read_step(ir, at, ring, slot, [0, 1]);
        let old = ir.result(*self.conversions.last().expect("a factor is converted"), 0);
        ir.replace_uses(old, read);
        self.conversions.iter().rev().for_each(|&op| ir.erase(op));
        ir.def_op(read).expect("it was just made")
    }
}

/// Says of an allocation that instructions read it themselves.
fn state_cut(ir: &mut Ir, alloc: OpId, cut: Cut) {
    let swizzle = ir.i64_array(&cut.swizzle());
    ir.set_attr(alloc, "raddle.swizzle", swizzle);
    let ty = ir.int_type(64);
    let alignment = ir.intern(Attr::Int { value: Cut::ALIGN.into(), ty });
    ir.set_attr(alloc, "alignment", alignment);
}

/// Copies a factor that does not change, in front of a loop, to a ring of one slot.
pub(super) fn copy_once(ir: &mut Ir, [first, loop_op]: [OpId; 2], factor: &Factor, zero: ValueId) -> ValueId {
    let ring = factor.alloc(ir, first, 1);
    factor.write(&mut Builder::before(ir, loop_op), ring, [zero; 2]);
    ring
}

/// Lets a loop's product read from shared memory what is computed in front of the loop: it is written there once, as a ring
/// of one slot. The value has two dimensions.
pub(super) fn keep_shared(ir: &mut Ir, first: OpId, [loop_op, contract]: [OpId; 2], cut: Cut) {
    let value = ir.operand(contract, 0);
    let (shape, elem, layout) = (ir.shape_of(value).to_vec(), ir.elem_of(value), layout_of(ir, value).cloned());
    let buffer = Builder::before(ir, first).alloc_shared(&[1, shape[0], shape[1]], elem);
    let alloc = ir.def_op(buffer).expect("it was just made");
    state_cut(ir, alloc, cut);
    let map = Map::of_dims(3, &[1, 2]);
    let mut builder = Builder::before(ir, loop_op);
    let zero = builder.index(0);
    let padding = builder.splat(0.0, elem);
    builder.transfer_write(value, buffer, &[zero; 3], map.clone(), &[true; 2]);
    let ty = ir.type_of(value);
    let read = Builder::before(ir, contract).transfer_read(buffer, &[zero; 3], padding, map, &[true; 2], ty);
    let op = ir.def_op(read).expect("it was just made");
    let layout = ir.intern(Attr::Layout(layout.expect("candidates have layouts").into()));
    let layouts = ir.intern(Attr::Array(vec![layout]));
    ir.set_attr(op, "layouts", layouts);
    ir.set_operand(contract, 0, read);
}

/// The read of global memory behind the changes of layout of a value, and these, the last one last.
pub(super) fn source(ir: &Ir, value: ValueId) -> Option<(OpId, Vec<OpId>)> {
    let mut conversions = Vec::new();
    let mut at = ir.def_op(value)?;
    while ir.opcode(at) == Opcode::IreeVectorExtToLayout {
        conversions.insert(0, at);
        at = ir.def_op(ir.operand(at, 0))?;
    }
    Some((at, conversions))
}

/// Copies of single elements that turn rows into columns: some lanes go along a row, the others down the columns, so that
/// neither the reads of global memory nor the writes of shared memory are spread more than they need be.
fn across_rows(threads: i64, [rows, columns]: [i64; 2]) -> Option<Nested> {
    let along = LANES_ALONG.min(columns);
    let down = threads / along;
    let fits = threads % along == 0 && columns % along == 0 && rows % down.max(1) == 0;
    let ones = || vec![1; 2];
    let batch = [rows / down.max(1), columns / along];
    fits.then(|| Nested::new(ones(), batch.into(), ones(), vec![down, along], ones(), vec![0; 2], vec![along, 1]).ok())?
}

/// A read of memory: of a gather, what it reads if all vectors of indices are zeros, along the first dimension of each
/// that these name.
pub fn read_of(ir: &Ir, op: OpId) -> Option<Transfer> {
    match ir.opcode(op) {
        Opcode::VectorTransferRead => Some(Transfer::of(ir, op)),
        Opcode::IreeVectorExtTransferGather => {
            let view = Indexed::of(ir, op);
            let rank = ir.shape_of(ir.result(op, 0)).len();
            let along = |d: usize| {
                let names = |expr: &Expr| match expr {
                    Expr::Dim(own) => *own as usize == d,
                    Expr::Sym(vector) => view.dims(*vector as usize) == [d],
                    _ => false,
                };
                view.maps[0].results.iter().position(names)
            };
            let dims = (0..rank).map(along).collect::<Option<Vec<_>>>()?;
            let map = Map::of_dims(view.offsets.len(), &dims);
            let Indexed { base, offsets: indices, padding, mask, .. } = view;
            Some(Transfer { base, indices, vector: None, padding, mask, map, in_bounds: vec![true; rank] })
        }
        _ => None,
    }
}

/// Whether what a read gives beyond the end is what copies fill with: zeros.
pub fn copies_zeros(ir: &Ir, view: &Transfer) -> bool {
    let zero = view.padding.and_then(|padding| ir.def_op(padding)).and_then(|op| ir.attr(op, "value"));
    zero.is_some_and(is_zero) || view.mask.is_none() && view.in_bounds.iter().all(|&inside| inside)
}
