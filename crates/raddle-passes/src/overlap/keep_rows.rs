//! Keep rows: what several loops read along one row comes from global memory once, and from shared memory after that.
//!
//! Before: a loop that takes the maximum of a row, one that sums its powers, and one that writes them, each reading the row
//! After:
//!
//! ```mlir
//! %row = memref.alloc() : memref<1x65536xbf16, #gpu.address_space<workgroup>>
//! scf.for %k = … { %x = transfer_read %a[%i, %k] ; transfer_write %x, %row[0, %k] ; … }
//! scf.for %k = … { %x = transfer_read %row[0, %k] ; … }
//! ```
//!
//! All reads have one layout, so that each thread reads what it wrote itself. Of a row that is longer than the room for it,
//! or as long as only the run knows, the beginning is kept: each loop becomes one along what is kept, and one along the
//! rest, which goes on with what the first one carried.
//!
//! Only arguments that the kernel does not write are kept, and only whole steps of loops with the same bounds. Loops of
//! products stay: their tiles have rings of their own.

use raddle_ir::views::Transfer;
use raddle_ir::{
    Attr, BlockId, Builder, Class, Code, Def, Diag, Expr, Ir, Map, OpId, Opcode, Scalar, ValueId, ValueMap,
};
use raddle_layout::Nested;

use crate::config::Launch;
use crate::configure::limits::{bytes_for_rows, bytes_for_rows_beside};
use crate::facts::Facts;
use crate::lay_out::{is_conversion, layout_of};
use crate::overlap::shared_bytes;

/// Bytes that a thread keeps, at most: with more, a processor would have room for few threads.
const FOR_THREAD: i64 = 256;

/// Keeps the rows that several loops of a kernel read.
pub fn keep_rows(ir: &mut Ir, func: OpId, facts: &Facts) {
    let Ok(launch) = Launch::read(ir, func) else { return };
    let Some(entry) = ir.body(func, 0) else { return };
    loop {
        let loops: Vec<OpId> = ir.block_ops(entry).filter(|&op| ir.opcode(op) == Opcode::ScfFor).collect();
        let found = loops.iter().enumerate().find_map(|(at, &first)| {
            let rows = Rows::of(ir, first, &loops[at..], launch)?;
            let length = rows.length(ir, func, launch, facts)?;
            Some((rows, length))
        });
        let Some((rows, length)) = found else { return };
        rows.keep(ir, length, facts);
    }
}

/// Where loops begin and end, and how far they step.
#[derive(Clone, Copy, PartialEq)]
struct Bounds {
    /// `None` where only the run knows; the value says that loops have the same.
    end: Option<i64>,
    upper: ValueId,
    step: i64,
}

impl Bounds {
    fn of(ir: &Ir, op: OpId) -> Option<Bounds> {
        let number = |i: usize| ir.const_int(ir.operand(op, i));
        // Tiles of products have rings of their own.
        let multiplies = ir.block_ops(ir.entry(op)).any(|op| ir.class(op) == Class::Contract);
        if number(0) != Some(0) || ir.attr_id(op, "unsignedCmp").is_some() || multiplies {
            return None;
        }
        let (upper, step) = (ir.operand(op, 1), number(2).filter(|&step| step > 0)?);
        let end = number(1);
        end.is_none_or(|end| end > 0).then_some(Bounds { end, upper, step })
    }

    fn is(&self, other: &Bounds) -> bool {
        self.step == other.step && self.end == other.end && (self.end.is_some() || self.upper == other.upper)
    }
}

/// The rows that loops of the same bounds read more than once.
struct Rows {
    bounds: Bounds,
    loops: Vec<OpId>,
    /// Of each row, the reads in the order of the loops.
    all: Vec<Row>,
}

/// One row: what is read under the same indices, but for the one that steps.
struct Row {
    reads: Vec<OpId>,
    /// The dimension of the memory that the loops go along.
    along: usize,
    /// The extents of a step in memory.
    extents: Vec<i64>,
    /// Bytes of a step.
    bytes: i64,
}

impl Rows {
    /// The rows that begin to be read in the first of these loops.
    fn of(ir: &Ir, first: OpId, loops: &[OpId], launch: Launch) -> Option<Rows> {
        let bounds = Bounds::of(ir, first)?;
        let same = |op: &&OpId| Bounds::of(ir, **op).is_some_and(|other| bounds.is(&other));
        let loops: Vec<OpId> = loops.iter().filter(same).copied().collect();
        let mut all: Vec<Row> = Vec::new();
        for &op in &loops {
            for read in reads(ir, op) {
                let known = all.iter_mut().find(|row| is_same(ir, row.reads[0], read));
                match known {
                    Some(row) => row.reads.push(read),
                    None if op == first => all.extend(Row::of(ir, op, read, bounds, launch)),
                    None => {}
                }
            }
        }
        // Only what another loop reads again.
        all.retain(|row| row.reads.iter().any(|&read| ir.parent_op(read) != Some(first)));
        (!all.is_empty()).then_some(Rows { bounds, loops, all })
    }

    /// How much of the rows is kept: all, or as many whole steps as there is room for; `None` where that is not worth its
    /// loops.
    fn length(&self, ir: &Ir, func: OpId, launch: Launch, facts: &Facts) -> Option<i64> {
        /// Of a long row, at least one part in so many must be kept.
        const PART: i64 = 8;
        let conversions = ir.walk(func).into_iter().filter(|&op| is_conversion(ir, op));
        let converted: i64 = conversions.map(|op| bytes_of(ir, ir.result(op, 0))).fold(0, i64::saturating_add);
        let taken = shared_bytes(ir, func).saturating_add(converted);
        let bytes_for_rows =
            if self.bounds.end.is_some() { bytes_for_rows(facts) } else { bytes_for_rows_beside(facts) };
        let bytes_for_rows = bytes_for_rows.min(launch.workgroup_size.saturating_mul(FOR_THREAD));
        let step = self.bounds.step;
        // Bytes of one index along the loops.
        let bytes: i64 = self.all.iter().map(|row| row.bytes / step).sum();
        let length = bytes_for_rows.saturating_sub(taken) / bytes;
        let steps = length / step * step;
        match self.bounds.end {
            Some(end) if end <= length => Some(end),
            Some(end) => (steps > 0 && steps.saturating_mul(PART) >= end).then_some(steps),
            None => (steps > 0).then_some(steps),
        }
    }

    fn keep(&self, ir: &mut Ir, kept: i64, facts: &Facts) {
        let Bounds { end, upper, step } = self.bounds;
        let is_whole = end == Some(kept);
        let bytes: i64 = self.all.iter().map(|row| row.bytes / step * kept).sum();
        let which = if is_whole { "rows are".to_owned() } else { format!("the first {kept} elements of rows are") };
        let message = format!("{which} read from global memory once, and kept in {bytes} bytes of shared memory");
        facts.remark(Diag::error(Code::LayoutChoice, ir.span(self.loops[0]), message));
        let reads_kept =
            |op: &&OpId| self.all.iter().any(|row| row.reads.iter().any(|&read| ir.parent_op(read) == Some(**op)));
        let loops: Vec<OpId> = self.loops.iter().filter(reads_kept).copied().collect();
        let builder = &mut Builder::before(ir, loops[0]);
        let middle = match end {
            _ if is_whole => upper,
            Some(_) => builder.index(kept),
            None => {
                let map = Map { dims: 1, syms: 0, results: vec![Expr::Dim(0), Expr::Const(kept)] };
                let (map, ty) = (builder.ir.intern(Attr::Map(map)), builder.ir.index_type());
                builder.value(Opcode::AffineMin, &[upper], ty, &[("map", map)])
            }
        };
        let buffers: Vec<ValueId> = (self.all.iter())
            .map(|row| {
                let elem = builder.ir.elem_of(Transfer::of(builder.ir, row.reads[0]).base);
                let mut shape = row.extents.clone();
                shape[row.along] = kept;
                builder.alloc_shared(&shape, elem)
            })
            .collect();
        for &op in &loops {
            // What the loop along what is kept reads; the loop itself goes along the rest.
            let mut map = ValueMap::default();
            let mut part = op;
            if !is_whole {
                let builder = &mut Builder::before(ir, op);
                part = builder.copy(op, &mut map);
                ir.set_operand(part, 1, middle);
                ir.set_operand(op, 0, middle);
                let carried: Vec<ValueId> = ir.results(part).collect();
                for (i, value) in carried.into_iter().enumerate() {
                    ir.set_operand(op, 3 + i, value);
                }
            }
            for (row, &buffer) in self.all.iter().zip(&buffers) {
                let own = row.reads.iter().filter(|&&read| ir.parent_op(read) == Some(op)).copied();
                let own: Vec<OpId> = own.collect();
                for read in own {
                    let read = ir.def_op(map.get(ir.result(read, 0))).expect("a read is an operation");
                    row.redirect(ir, part, read, buffer, Side { is_first: op == loops[0], is_whole });
                }
            }
        }
    }
}

impl Row {
    /// The row that a read of a loop goes along, if it is one that can be kept.
    fn of(ir: &Ir, op: OpId, read: OpId, bounds: Bounds, launch: Launch) -> Option<Row> {
        let view = Transfer::of(ir, read);
        let (iv, body) = (ir.args(ir.entry(op))[0], ir.entry(op));
        let along = view.indices.iter().position(|&index| index == iv)?;
        let fixed = |index: ValueId| ir.const_int(index).is_some() || is_outside(ir, index, body);
        let outside = |(d, &index): (usize, &ValueId)| d == along || fixed(index);
        let elem = Scalar::of(&ir[ir.elem_of(view.base)]).filter(|elem| elem.bits() % 8 == 0)?;
        let dims = view.map.as_dims()?;
        let mut extents = vec![1; view.indices.len()];
        for (&d, &extent) in dims.iter().zip(ir.shape_of(ir.result(read, 0))) {
            extents[d] = extent;
        }
        let threads = |layout: &Nested| layout.thread_tile.iter().chain(&layout.subgroup_tile).product::<i64>();
        let layout = layout_of(ir, ir.result(read, 0))?;
        let fits = view.mask.is_none()
            && is_input(ir, view.base)
            && view.indices.iter().enumerate().all(outside)
            && extents[along] == bounds.step
            // What every thread reads for itself lies in caches.
            && threads(layout) == launch.workgroup_size;
        let bytes = extents.iter().fold(elem.bytes() as i64, |bytes, &extent| bytes.saturating_mul(extent));
        fits.then_some(Row { reads: vec![read], along, extents, bytes })
    }

    /// Lets a read leave what it reads in a buffer, or read it there.
    fn redirect(&self, ir: &mut Ir, loop_op: OpId, read: OpId, buffer: ValueId, side: Side) {
        let iv = ir.args(ir.entry(loop_op))[0];
        let view = Transfer::of(ir, read);
        // The buffer of a whole row ends where the row does; what lies beyond the row's end is kept with the rest else.
        let along = view.map.results.iter().position(|expr| *expr == Expr::Dim(self.along as u32));
        let stays = |v: usize| !side.is_whole || Some(v) != along || view.in_bounds[v];
        let in_bounds: Vec<bool> = (0..view.in_bounds.len()).map(stays).collect();
        let value = ir.result(read, 0);
        let next = ir.next_op(read).expect("a read is not the last operation of a loop");
        let builder = &mut Builder::before(ir, next);
        let indices: Vec<ValueId> =
            (0..self.extents.len()).map(|d| if d == self.along { iv } else { builder.index(0) }).collect();
        if side.is_first {
            builder.transfer_write(value, buffer, &indices, view.map, &in_bounds);
            return;
        }
        let padding = view.padding.expect("a read has something to pad with");
        let ty = builder.ir.type_of(value);
        let kept = builder.transfer_read(buffer, &indices, padding, view.map, &in_bounds, ty);
        let (new, layouts) = (ir.def_op(kept).expect("a read gives it"), ir.attr_id(read, "layouts"));
        ir.set_attr(new, "layouts", layouts.expect("every vector has a layout"));
        ir.replace_uses(value, kept);
        ir.erase(read);
    }
}

/// Where a read is redirected.
#[derive(Clone, Copy)]
struct Side {
    /// In the loop that reads global memory.
    is_first: bool,
    /// Whether the buffer has the whole row.
    is_whole: bool,
}

/// The reads of a loop, each once in a round.
fn reads(ir: &Ir, op: OpId) -> Vec<OpId> {
    ir.block_ops(ir.entry(op)).filter(|&op| ir.opcode(op) == Opcode::VectorTransferRead).collect()
}

/// Whether two reads, each in a loop of its own, read the same in each round.
fn is_same(ir: &Ir, first: OpId, second: OpId) -> bool {
    let views = [first, second].map(|op| Transfer::of(ir, op));
    let [a, b] = &views;
    let iv = |op: OpId| ir.parent_op(op).map(|around| ir.args(ir.entry(around))[0]);
    let number = |value: ValueId| ir.def_op(value).filter(|&op| ir.opcode(op) == Opcode::ArithConstant);
    let equal = |x: ValueId, y: ValueId| {
        let numbers = [x, y].map(|value| number(value).and_then(|op| ir.attr_id(op, "value")));
        x == y || (numbers[0].is_some() && numbers[0] == numbers[1])
    };
    let places = a.indices.iter().zip(&b.indices);
    let same_place = |(&x, &y): (&ValueId, &ValueId)| equal(x, y) || (Some(x) == iv(first) && Some(y) == iv(second));
    let values = [first, second].map(|op| ir.result(op, 0));
    a.base == b.base
        && a.indices.len() == b.indices.len()
        && places.into_iter().all(same_place)
        && a.map == b.map
        && a.in_bounds == b.in_bounds
        && b.mask.is_none()
        && a.padding.zip(b.padding).is_some_and(|(x, y)| equal(x, y))
        && ir.type_of(values[0]) == ir.type_of(values[1])
        && layout_of(ir, values[0]) == layout_of(ir, values[1])
}

/// Whether memory is an argument that the kernel only reads.
fn is_input(ir: &Ir, base: ValueId) -> bool {
    let reads = |op: OpId| matches!(ir.opcode(op), Opcode::VectorTransferRead | Opcode::MemrefDim);
    matches!(ir.def(base), Def::Arg { .. }) && ir.uses(base).all(|(user, _)| reads(user))
}

/// Whether a value is computed in front of a loop with this body.
fn is_outside(ir: &Ir, value: ValueId, body: BlockId) -> bool {
    let block = match ir.def(value) {
        Def::Result { op, .. } => ir.parent_block(op),
        Def::Arg { block, .. } => Some(block),
    };
    block.is_some_and(|block| block != body)
}

/// Bytes of a vector.
fn bytes_of(ir: &Ir, value: ValueId) -> i64 {
    let elem = Scalar::of(&ir[ir.elem_of(value)]).map_or(8, |elem| elem.bytes() as i64);
    ir.shape_of(value).iter().fold(elem, |bytes, &extent| bytes.saturating_mul(extent))
}
