//! Tiles in shared memory: rings whose slots the program numbers, with a swizzle that the allocation states.
//!
//! Before:
//!
//! ```mlir
//! %ring = memref.alloc() {raddle.swizzle = array<i64: 2, 3, 3>} : memref<3x128x32xf16, …>
//! %v = vector.transfer_read %global[%i, %k] {layouts = [#copy]}
//! vector.transfer_write %v, %ring[%slot, %c0, %c0]
//! %f = vector.transfer_read %ring[%slot, %c0, %c16] {layouts = [#fragment]}
//! ```
//!
//! After: a row of elements, `nvgpu.device_async_copy` for what goes from global memory to a slot, `nvgpu.ldmatrix` or
//! the widest loads for what is read of it.
//!
//! Where an element lies is a function of the thread's number and of the slot of its register. The function is taken
//! from the layout, thread by thread, and is one over F2 wherever tiles and layouts have extents that are powers of two;
//! so it is computed as conversions compute theirs, once at the top of the kernel. `swizzle = [n, base, shift]`: bits
//! `base` to `base + n` of an element's number are xored with those `shift` further up. A fourth number is that of the
//! columns that lie in one piece, if the rows of a slot are cut: all rows of the first so many columns come first.

use raddle_ir::affine::BinOp;
use raddle_ir::views::Transfer;
use raddle_ir::{Attr, Builder, DYNAMIC, Diag, Expr, Ir, Map, OpId, Opcode, Scalar, Type, TypeId, ValueId};
use raddle_layout::Nested;
use raddle_target::MatrixAccess;
use rustc_hash::FxHashMap;

use super::memory::Mask;
use super::{Cx, gather, hazard, layout, memory, place, refuse, rows, threads};
use crate::code;
use crate::configure::cut::Cut;
use crate::lay_out::{layout_of, mask_dims, masks_alike};
use crate::overlap::{Slot, read_of};
use crate::structured::alignment::Unaligned;

/// Bytes of the widest access.
const ACCESS_BYTES: i64 = 16;

/// The attribute of an allocation that is a ring.
const SWIZZLE: &str = "raddle.swizzle";

/// A ring.
#[derive(Clone, Copy)]
pub struct Ring {
    swizzle: [u32; 3],
    rows: i64,
    columns: i64,
    /// Columns that lie in one piece.
    piece: i64,
    /// How it is cut, if instructions can read it themselves.
    pub cut: Option<Cut>,
}

impl Ring {
    /// The ring that a memref of the old program is.
    pub fn of(ir: &Ir, memref: ValueId) -> Option<Ring> {
        let alloc = ir.def_op(memref).filter(|&op| ir.opcode(op) == Opcode::MemrefAlloc)?;
        let swizzle = ir.attr_id(alloc, SWIZZLE).and_then(|attr| ir.ints(attr))?;
        let (numbers, rest) = swizzle.split_first_chunk::<3>()?;
        let &[slots, rows, columns] = ir.shape_of(memref) else { return None };
        let piece = match *rest {
            [] => columns,
            [piece] => piece,
            _ => return None,
        };
        let power = |n: i64| n > 0 && n & (n - 1) == 0;
        let small = numbers.iter().all(|n| (0..32).contains(n));
        let elem_bytes = Scalar::of(&ir[ir.elem_of(memref)]).map_or(1, Scalar::bytes) as i64;
        let alignment = ir.attr(alloc, "alignment").and_then(Attr::as_i64).unwrap_or(1);
        let cut = Cut::of([rows, columns], elem_bytes)
            .filter(|cut| cut.swizzle()[..] == swizzle[..] && alignment % Cut::ALIGN == 0);
        let ring = Ring { swizzle: numbers.map(|n| n as u32), rows, columns, piece, cut };
        let is_even = power(rows) && power(columns) || cut.is_some();
        (slots > 0 && is_even && power(piece) && piece <= columns && small).then_some(ring)
    }

    /// Elements of a slot.
    pub fn size(&self) -> i64 {
        self.rows * self.columns
    }

    /// Where an element of a slot would lie if nothing were swizzled.
    pub fn plain_offset(&self, [row, column]: [i64; 2]) -> i64 {
        // A power of two; this is asked of every element of every thread.
        let (pieces, within) = (column >> self.piece.trailing_zeros(), column & (self.piece - 1));
        (pieces * self.rows + row) * self.piece + within
    }

    /// Where an element of a slot lies.
    fn offset(&self, at: [i64; 2]) -> u64 {
        let [n, base, shift] = self.swizzle;
        let offset = self.plain_offset(at) as u64;
        let mask = ((1 << n) - 1) << base;
        offset ^ (offset >> shift & mask)
    }
}

/// The numbers of slots that a loop's block computes from the number of the round, each with what it adds.
pub fn slots(ir: &Ir, loop_op: OpId) -> Vec<(OpId, Slot)> {
    let Some(block) = ir.body(loop_op, 0) else { return Vec::new() };
    let slot = |op: OpId| {
        let map = ir.map(op, "map").filter(|_| ir.opcode(op) == Opcode::AffineApply)?;
        let [Expr::Mod(_, n)] = &map.results[..] else { return None };
        let Expr::Const(n) = **n else { return None };
        let used = ir.uses(ir.result(op, 0)).any(|(user, _)| {
            let view = matches!(ir.opcode(user), Opcode::VectorTransferRead | Opcode::VectorTransferWrite);
            view && Ring::of(ir, Transfer::of(ir, user).base).is_some()
        });
        let slot = Slot::of(ir, ir.result(op, 0), n).filter(|slot| used && slot.of == Some(loop_op))?;
        Some((op, slot))
    };
    let mut found: Vec<(OpId, Slot)> = ir.block_ops(block).filter_map(slot).collect();
    found.sort_by_cached_key(|(_, slot)| slot.at);
    found
}

/// Computes the numbers of slots of a round from the first one's, which the loop carries; returns the next round's.
///
/// Numbers go round by comparing: a remainder costs many instructions, in every round.
pub fn count_slots(builder: &mut Builder<'_>, cx: &mut Cx<'_>, slots: &[(OpId, Slot)], first: ValueId) -> ValueId {
    let step = |builder: &mut Builder<'_>, value: ValueId, by: i64, n: i64| {
        let [by, n] = [by, n].map(|number| builder.index(number));
        let sum = builder.binary(Opcode::ArithAddi, value, by);
        let wraps = code::compare(builder, code::EQUAL, sum, n);
        let zero = builder.index(0);
        let index = builder.ir.index_type();
        builder.value(Opcode::ArithSelect, &[wraps, zero, sum], index, &[])
    };
    let (mut at, n) = (slots[0].1.at, slots[0].1.n);
    let (mut value, mut next) = (first, None);
    for &(op, slot) in slots {
        // One at a time, so that what is compared with is met.
        while at < slot.at {
            value = step(builder, value, 1, n);
            next = next.or(Some(value));
            at += 1;
        }
        cx.slots.insert(op, value);
    }
    next.unwrap_or_else(|| step(builder, first, 1, n))
}

/// What a thread does with one slot of a ring at a time.
///
/// Digits of threads and of registers do not mix: where an element lies is the sum over F2 of what the bits of the
/// thread's number say and what the register's slot says.
pub struct Tile {
    ring: Ring,
    /// What each bit of the thread's number adds.
    threads: Vec<u64>,
    /// For each slot of registers where the first thread's element lies.
    slots: Vec<u64>,
    /// The slot of the ring, in the new program.
    slot: ValueId,
    base: ValueId,
}

impl Tile {
    /// The tile that a transfer moves. The indices are those of the old program.
    fn of(builder: &Builder<'_>, cx: &Cx<'_>, op: OpId, layout: &Nested) -> Result<Tile, Diag> {
        let view = Transfer::of(builder.ir, op);
        let ring = Ring::of(builder.ir, view.base).expect("the caller has looked");
        let number = |at: usize| builder.ir.const_int(view.indices[at]);
        // Which dimension of the vector lies along rows and columns.
        let order = match view.map.as_dims().as_deref() {
            Some([1, 2]) => Some([0, 1]),
            Some([2, 1]) => Some([1, 0]),
            _ => None,
        };
        let order = order.filter(|_| view.mask.is_none());
        let (Some(row), Some(column), Some(order)) = (number(1), number(2), order) else {
            return Err(refuse(builder.ir, op, "tiles of a swizzled buffer are whole, at constant places"));
        };
        let lanes = cx.launch.subgroup_size;
        let through = layout.n_lanes() > lanes;
        let step = |thread: i64, slot: i64| {
            let (subgroup, lane) = if through { (0, thread) } else { (thread / lanes, thread % lanes) };
            let at = layout.coord(subgroup, lane, slot);
            order.map(|d| at[d])
        };
        let bits = cx.launch.workgroup_size.ilog2();
        let threads: Vec<[i64; 2]> = (0..bits).map(|bit| step(1 << bit, 0)).collect();
        let slots: Vec<[i64; 2]> =
            (0..layout.n_slots()).map(|slot| step(0, slot)).map(|[r, c]| [r + row, c + column]).collect();
        // No sum carries, in a dimension or in the ring, and none leaves it.
        let extents = [ring.rows, ring.columns];
        let of_threads = |d: usize| threads.iter().fold(0, |all, at| all | at[d]);
        let inside = |d: usize| slots.iter().all(|at| at[d] & of_threads(d) == 0 && at[d] + of_threads(d) < extents[d]);
        let plain = |of: &[[i64; 2]]| of.iter().map(|&at| ring.plain_offset(at)).collect::<Vec<i64>>();
        let all = plain(&threads).into_iter().try_fold(0, |all, at| (all & at == 0).then_some(all | at));
        let adds = all.is_some_and(|all| plain(&slots).into_iter().all(|at| at & all == 0));
        let fits = (0..2).all(inside) && adds;
        // Threads beyond those that the layout tells apart have what others have.
        let told_apart =
            if through || layout.n_subgroups() == 1 { layout.n_lanes() } else { layout.n_subgroups() * lanes };
        if !(fits && told_apart <= 1 << bits && is_linear(layout, lanes)) {
            return Err(refuse(builder.ir, op, "its layout is not linear in the thread's number"));
        }
        let place = |at: &[i64; 2]| ring.offset(*at);
        Ok(Tile {
            ring,
            threads: threads.iter().map(place).collect(),
            slots: slots.iter().map(place).collect(),
            slot: cx.part(view.indices[0]),
            base: cx.part(view.base),
        })
    }

    /// How many slots from `first` on, at most `most`, are neighbours in memory, aligned, in all threads.
    fn run(&self, first: usize, most: usize) -> usize {
        let fits = |width: usize| {
            let Some(run) = self.slots.get(first..first + width) else { return false };
            let aligned = self.threads.iter().chain(run.first()).all(|at| at.is_multiple_of(width as u64));
            aligned && run.iter().zip(0..).all(|(&at, i)| at == run[0] + i)
        };
        let mut width = most;
        while width > 1 && !fits(width) {
            width /= 2;
        }
        width
    }

    /// The index of the element that each thread has in a slot of its registers.
    fn index_of_slot(&self, builder: &mut Builder<'_>, cx: &mut Cx<'_>, slot: usize) -> ValueId {
        self.index(builder, cx, self.slots[slot], &self.threads)
    }

    /// The index of what lies at `first` for the first thread, and for others at the sum over F2 with the images of the
    /// bits of their numbers.
    fn index(&self, builder: &mut Builder<'_>, cx: &mut Cx<'_>, first: u64, images: &[u64]) -> ValueId {
        let reach = images.iter().fold(0, |reach, image| reach | image);
        let unit = if reach == 0 { 0 } else { reach.trailing_zeros() };
        // What no thread's part meets is as well added, and added constants are free.
        let (meets, more) = (first & reach, first & !reach);
        let mut images: Vec<u64> = images.iter().map(|image| image >> unit).collect();
        while images.last() == Some(&0) {
            images.pop();
        }
        let thread = place::value(builder, cx, &images, meets >> unit);
        let of = |op, lhs, rhs| Expr::binary(op, lhs, Expr::Const(rhs));
        let own = of(BinOp::Mul, Expr::Dim(0), 1 << unit);
        let slot = of(BinOp::Mul, Expr::Dim(1), self.ring.size());
        let sum = of(BinOp::Add, Expr::binary(BinOp::Add, own, slot), more as i64);
        builder.apply(Map { dims: 2, syms: 0, results: vec![sum] }, &[thread, self.slot])
    }
}

/// Whether the coordinates of a thread's first element are linear over F2 in the thread's number.
fn is_linear(layout: &Nested, lanes: i64) -> bool {
    let power = |n: i64| n.count_ones() == 1;
    let all = (0..layout.rank()).all(|d| {
        let inner = layout.thread_tile[d] * layout.element_tile[d];
        let outer = layout.batch_tile[d] * layout.outer_tile[d] * inner;
        let digit =
            |tile: i64, stride: i64, unit: i64| tile == 1 || stride == 0 || [tile, stride, unit].into_iter().all(power);
        digit(layout.thread_tile[d], layout.thread_strides[d], layout.element_tile[d])
            && digit(layout.subgroup_tile[d], layout.subgroup_strides[d], outer)
    });
    power(lanes) && all
}

/// A ring becomes one row of elements.
pub fn alloc(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId) {
    let result = builder.ir.result(op, 0);
    let (elem, size) = (builder.ir.elem_of(result), builder.ir.shape_of(result).iter().product());
    let row = builder.alloc_shared(&[size], elem);
    if let (Some(alignment), Some(alloc)) = (builder.ir.attr_id(op, "alignment"), builder.ir.def_op(row)) {
        builder.ir.set_attr(alloc, "alignment", alignment);
    }
    cx.map.set(result, row);
}

/// The reads of global memory that go to rings alone, each with the write that takes it.
pub fn copies(ir: &Ir, cx: &Cx<'_>, func: OpId) -> Result<FxHashMap<OpId, OpId>, Diag> {
    let mut found = FxHashMap::default();
    if !cx.facts.chip.async_copies {
        return Ok(found);
    }
    let unaligned = Unaligned::of(ir, func)?;
    for write in ir.walk(func) {
        if ir.opcode(write) != Opcode::VectorTransferWrite {
            continue;
        }
        let to = Transfer::of(ir, write);
        let (Some(_), Some(vector)) = (Ring::of(ir, to.base), to.vector) else { continue };
        let Some((read, from)) = ir.def_op(vector).and_then(|op| Some((op, read_of(ir, op)?))) else { continue };
        let Some(layout) = layout_of(ir, vector) else { continue };
        let bytes = Scalar::of(&ir[ir.elem_of(vector)]).map_or(1, Scalar::bytes) as i64;
        let global = matches!(ir.ty(from.base), Type::MemRef { space: None, .. });
        let threads: i64 = layout.thread_tile.iter().chain(&layout.subgroup_tile).product();
        let (run, rank) = (layout.element_tile.last().map(|run| run * bytes), ir.shape_of(from.base).len());
        let in_row = from.map.as_dims().is_some_and(|dims| dims.last() == Some(&(rank - 1)))
            && ir.strides(from.base).is_some_and(|strides| strides.last() == Some(&1));
        // Where only the run knows, the copy asks.
        let begins = |n: i64| {
            unaligned.begins_at(ir, from.base) >= n * bytes
                && (code::has_open_rows(ir, from.base) || code::rows_begin_at(ir, from.base, n))
        };
        let aligned = run.is_some_and(|run| {
            from.indices.last().is_some_and(|&at| code::is_multiple(ir, at, run / bytes))
                && (run == bytes || begins(run / bytes))
        });
        let fits = global
            && !cx.written.contains(&from.base)
            && from.mask.is_none_or(|mask| masks_alike(ir, read, mask, ir.shape_of(vector).len() - 1))
            && crate::overlap::copies_zeros(ir, &from)
            && ir.uses(vector).count() == 1
            && ir.parent_block(read) == ir.parent_block(write)
            && (ir.opcode(read) == Opcode::VectorTransferRead || !code::has_open_rows(ir, from.base))
            && threads == cx.workgroup.at(ir, write).workgroup_size
            && layout.element_tile.iter().rev().skip(1).all(|&n| n == 1)
            && matches!(run, Some(4 | 8 | ACCESS_BYTES));
        if fits && in_row && aligned {
            found.insert(read, write);
        }
    }
    Ok(found)
}

/// Begins the copies of a tile from global memory.
///
/// Copies of rows that begin where only the run knows are asynchronous if every row begins at a multiple of what is copied
/// at once; otherwise threads load the elements, and store them at the same place of the program.
pub fn copy(builder: &mut Builder<'_>, cx: &mut Cx<'_>, read: OpId, write: OpId) -> Result<(), Diag> {
    let mut from = read_of(builder.ir, read).expect("the caller has looked");
    let mask_dims = gather::mask_dims(builder.ir, read).unwrap_or_else(|| mask_dims(&from));
    let layout = layout(builder.ir, read, builder.ir.result(read, 0))?;
    let tile = Tile::of(builder, cx, write, &layout)?;
    from.base = cx.part(from.base);
    from.padding = from.padding.map(|padding| cx.part(padding));
    for index in &mut from.indices {
        *index = cx.part(*index);
    }
    let elements: i64 = layout.element_tile.iter().product();
    let asks = elements > 1 && code::has_open_rows(builder.ir, from.base);
    let mask = from.mask.map(|mask| Mask { part: cx.part(mask), dims: mask_dims });
    let mut copies = Vec::new();
    for (n, at) in memory::tiles(&layout).into_iter().enumerate() {
        let to = tile.index_of_slot(builder, cx, n * elements as usize);
        let from_at = gather::indices(builder, cx, read, &layout, &at)
            .unwrap_or_else(|| memory::indices(builder, cx, &from, &layout, &at));
        copies.push((at, to, from_at));
    }
    let whole = asks.then(|| code::rows_divide(builder, from.base, elements));
    let begin = |builder: &mut Builder<'_>| -> Vec<ValueId> {
        let (token, index) = (token_type(builder), builder.ir.index_type());
        let n = builder.ir.intern(Attr::Int { value: elements.into(), ty: index });
        let begin = |(at, to, from_at): &(Vec<i64>, ValueId, Vec<ValueId>)| {
            // Neighbours in a copy have the same mask.
            let bit = mask.as_ref().map(|mask| {
                let tile = mask.tile(builder, layout.rank(), at);
                let first = vec![0; builder.ir.shape_of(tile).len()];
                builder.extract(tile, &first)
            });
            let count = count(builder, &from, from_at, bit, elements);
            let operands = [&[tile.base, *to, from.base], &from_at[..], count.as_slice()].concat();
            let sizes = builder.ir.segment_sizes(&[1, 1, 1, from_at.len(), count.iter().len()]);
            let attrs = [("operandSegmentSizes", sizes), ("dstElements", n)];
            builder.value(Opcode::NvgpuDeviceAsyncCopy, &operands, token, &attrs)
        };
        copies.iter().map(begin).collect()
    };
    let Some(whole) = whole else {
        let tokens = begin(builder);
        cx.tokens.extend(tokens);
        return Ok(());
    };
    // One element of each copy at a time: loads of one round do not wait for one another, and little code is seldom run.
    let load = |builder: &mut Builder<'_>| {
        let elem = builder.ir.elem_of(from.base);
        let one = builder.ir.vector_type(&vec![1; layout.rank()], elem);
        let padding = from.padding.expect("reads have padding");
        let along = from.indices.len() - 1;
        let [first, end, step] = [0, elements, 1].map(|n| builder.index(n));
        builder.for_loop(first, end, step, &[], |builder, at, _| {
            let load = |(tile_at, to, from_at): &(Vec<i64>, ValueId, Vec<ValueId>)| {
                let mut from_at = from_at.clone();
                from_at[along] = builder.binary(Opcode::ArithAddi, from_at[along], at);
                let bit = mask.as_ref().map(|mask| {
                    let bits = mask.tile(builder, layout.rank(), tile_at);
                    // Neighbours in a copy have the same mask.
                    let (shape, i1) = (builder.ir.shape_of(bits).to_vec(), builder.ir.elem_of(bits));
                    let bit = builder.extract(bits, &vec![0; shape.len()]);
                    let ty = builder.ir.vector_type(&vec![1; shape.len()], i1);
                    builder.value(Opcode::VectorBroadcast, &[bit], ty, &[])
                });
                let value = builder.transfer_read(from.base, &from_at, padding, from.map.clone(), &from.in_bounds, one);
                if let (Some(bit), Some(op)) = (bit, builder.ir.def_op(value)) {
                    builder.ir.set_transfer_mask(op, bit);
                }
                let value = builder.extract(value, &vec![0; layout.rank()]);
                (value, builder.binary(Opcode::ArithAddi, *to, at))
            };
            let loaded: Vec<(ValueId, ValueId)> = copies.iter().map(load).collect();
            for (value, to) in loaded {
                store_row(builder, tile.base, to, &[value]);
            }
            Vec::new()
        });
    };
    code::branch(builder, whole, |builder| drop(begin(builder)), load);
    Ok(())
}

/// How many elements a copy reads, where it may lie beyond the end or be masked: all, or none. Rows of memory begin and
/// end between copies.
fn count(
    builder: &mut Builder<'_>,
    from: &Transfer,
    at: &[ValueId],
    mask: Option<ValueId>,
    elements: i64,
) -> Option<ValueId> {
    let dims = from.map.as_dims().expect("copies go along dimensions");
    let crossed = dims.iter().zip(&from.in_bounds).filter(|(_, inside)| !**inside);
    let inside = crossed.map(|(&dim, _)| {
        let end = match builder.ir.shape_of(from.base)[dim] {
            DYNAMIC => {
                let (dim, ty) = (builder.index(dim as i64), builder.ir.index_type());
                builder.value(Opcode::MemrefDim, &[from.base, dim], ty, &[])
            }
            extent => builder.index(extent),
        };
        code::compare(builder, code::LESS, at[dim], end)
    });
    let inside: Vec<ValueId> = mask.into_iter().chain(inside).collect();
    let inside = inside.into_iter().reduce(|a, b| builder.binary(Opcode::ArithAndi, a, b))?;
    let [all, none] = [elements, 0].map(|number| builder.index(number));
    let index = builder.ir.index_type();
    Some(builder.value(Opcode::ArithSelect, &[inside, all, none], index, &[]))
}

/// Makes the copies since the last group one.
pub fn commit(builder: &mut Builder<'_>, cx: &mut Cx<'_>) {
    let tokens = std::mem::take(&mut cx.tokens);
    let token = token_type(builder);
    builder.value(Opcode::NvgpuDeviceAsyncCreateGroup, &tokens, token, &[]);
    hazard::commit(&mut cx.pending, cx.launch);
}

fn token_type(builder: &mut Builder<'_>) -> TypeId {
    let token = builder.ir.intern_str("nvgpu.device.async.token");
    builder.ir.intern_type(Type::Dialect(token))
}

/// Waits until at most `n` groups of this thread's copies are on their way.
pub fn wait(builder: &mut Builder<'_>, n: i64) {
    let i32 = builder.ir.int_type(32);
    let n = builder.ir.intern(Attr::Int { value: n.into(), ty: i32 });
    builder.op(Opcode::NvvmCpAsyncWaitGroup, &[], &[], &[("n", n)]);
}

/// One thread's part of a tile, in registers.
pub fn read(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId, order: Option<&[usize]>) -> Result<(), Diag> {
    let result = builder.ir.result(op, 0);
    let layout = layout(builder.ir, op, result)?;
    let tile = Tile::of(builder, cx, op, &layout)?;
    let elem = builder.ir.elem_of(result);
    let bytes = Scalar::of(&builder.ir[elem]).map_or(1, Scalar::bytes) as i64;
    let mut parts = vec![None; layout.n_slots() as usize];
    if !by_matrices(builder, cx, &tile, bytes, order, &mut parts) {
        by_runs(builder, cx, &tile, bytes, &mut parts);
    }
    let parts: Vec<ValueId> = parts.into_iter().map(|slot| slot.expect("every slot is loaded")).collect();
    let ty = builder.ir.vector_type(&[parts.len() as i64], elem);
    let part = builder.value(Opcode::VectorFromElements, &parts, ty, &[]);
    let part = builder.shape_cast(part, &layout.distributed_shape());
    cx.map.set(result, part);
    Ok(())
}

/// Loads matrices of 8 rows of 16 bytes, where the layout deals them out as the instruction does.
///
/// Lane `8 j + r` names row `r` of matrix `j`. A lane's word is of row `lane / 4`; transposed, its halves are of rows
/// `2 (lane mod 4)` and one more, at the column `lane / 4` of 16 bits.
fn by_matrices(
    builder: &mut Builder<'_>,
    cx: &mut Cx<'_>,
    tile: &Tile,
    bytes: i64,
    order: Option<&[usize]>,
    parts: &mut [Option<ValueId>],
) -> bool {
    let (threads, per_word) = (cx.launch.workgroup_size, 4 / bytes);
    let n_slots = parts.len() as i64;
    if cx.facts.chip.matrix_access == MatrixAccess::None
        || cx.launch.subgroup_size != 32
        || threads % 32 != 0
        || !matches!(bytes, 1 | 2 | 4)
        || n_slots % per_word != 0
    {
        return false;
    }
    // The slots of each word; a transposed word of bytes has pairs of neighbours, of every second row.
    let in_order = rows::words_in_order(parts.len(), per_word as usize, order);
    let plain: Vec<Vec<usize>> = in_order.iter().map(|&word| (word..word + per_word as usize).collect()).collect();
    let across = match bytes {
        1 if n_slots % 8 == 0 => {
            let pairs = |at: usize| [at, at + 2].map(|at| vec![at, at + 1, at + 4, at + 5]);
            Some((0..parts.len()).step_by(8).flat_map(pairs).collect())
        }
        2 => Some(plain.clone()),
        _ => None,
    };
    // Neighbours of a row that a lane has, and the bits of its number that go along the row.
    let shared =
        |transposed: bool| if transposed { (2 / bytes.min(2) as usize, 2..5) } else { (per_word as usize, 0..2) };
    // Whether each row is 16 bytes that the lanes share so.
    let whole = |transposed: bool, words: &[Vec<usize>]| {
        let (run, along) = shared(transposed);
        let begins = |at: u64| at.is_multiple_of((ACCESS_BYTES / bytes) as u64);
        let threads = tile.threads.iter().enumerate().all(|(bit, &image)| match along.contains(&bit) {
            true => image == (run as u64) << (bit - along.start),
            false => begins(image),
        });
        let row = |slots: &[usize]| {
            let first = tile.slots[slots[0]];
            begins(first) && slots.iter().zip(0..).all(|(&slot, i)| tile.slots[slot] == first + i)
        };
        threads && words.iter().all(|word| word.chunks(run).all(row))
    };
    let (transposed, words) = match across {
        _ if whole(false, &plain) => (false, plain),
        Some(words) if whole(true, &words) => (true, words),
        _ => return false,
    };
    let run = shared(transposed).0;
    // Where the rows of matrices begin that the lanes name, if that is linear. Lanes beyond the matrices name any row.
    let rows_of = |words: &[Vec<usize>]| -> Option<(u64, Vec<u64>)> {
        let begin = |word: &[usize]| tile.slots[word[0]];
        let first = begin(&words[0]);
        let matrices = match words {
            [_] => [0, 0],
            [_, b] => [first ^ begin(b), 0],
            [_, b, c, d] if begin(b) ^ begin(c) == first ^ begin(d) => [first ^ begin(b), first ^ begin(c)],
            _ => return None,
        };
        let threads = &tile.threads;
        let rows = if transposed {
            let second = |word: &[usize]| begin(word) ^ tile.slots[word[run]];
            if words.iter().any(|word| second(word) != second(&words[0])) {
                return None;
            }
            [second(&words[0]), threads[0], threads[1]]
        } else {
            [threads[2], threads[3], threads[4]]
        };
        Some((first, [&rows[..], &matrices, &threads[5..]].concat()))
    };
    let mut next = 0;
    while next < words.len() {
        let fit = [4, 2, 1].into_iter().filter(|&n| next + n <= words.len());
        let mut found = fit.filter_map(|n| Some((n, rows_of(&words[next..next + n])?)));
        let Some((n, (first, images))) = found.next() else { return false };
        let index = tile.index(builder, cx, first, &images);
        let shape = [n, per_word as usize];
        let loaded = rows::load(builder, tile.base, &[index], shape, transposed);
        let elem = builder.ir.elem_of(loaded);
        let op = builder.op(Opcode::VectorToElements, &[loaded], &vec![elem; n * per_word as usize], &[]);
        let elements: Vec<ValueId> = builder.ir.results(op).collect();
        for (&slot, &element) in words[next..].iter().flatten().zip(&elements) {
            parts[slot] = Some(element);
        }
        next += n;
    }
    true
}

/// Loads runs of neighbours, as wide as they are in all threads.
fn by_runs(builder: &mut Builder<'_>, cx: &mut Cx<'_>, tile: &Tile, bytes: i64, parts: &mut [Option<ValueId>]) {
    let mut next = 0;
    let widest = (ACCESS_BYTES / bytes) as usize;
    while next < parts.len() {
        let width = tile.run(next, widest);
        let index = tile.index_of_slot(builder, cx, next);
        let elem = builder.ir.elem_of(tile.base);
        if width == 1 {
            parts[next] = Some(builder.value(Opcode::MemrefLoad, &[tile.base, index], elem, &[]));
        } else {
            let ty = builder.ir.vector_type(&[width as i64], elem);
            let loaded = builder.value(Opcode::VectorLoad, &[tile.base, index], ty, &[]);
            let split = builder.op(Opcode::VectorToElements, &[loaded], &vec![elem; width], &[]);
            for (slot, element) in parts[next..].iter_mut().zip(builder.ir.results(split)) {
                *slot = Some(element);
            }
        }
        next += width;
    }
}

/// Writes one thread's part of a tile from registers.
pub fn write(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let vector = builder.ir.operand(op, 0);
    let layout = layout(builder.ir, op, vector)?;
    let tile = Tile::of(builder, cx, op, &layout)?;
    let elem = builder.ir.elem_of(vector);
    let bytes = Scalar::of(&builder.ir[elem]).map_or(1, Scalar::bytes) as i64;
    let part = cx.part(vector);
    let n_slots = layout.n_slots() as usize;
    let flat = builder.shape_cast(part, &[n_slots as i64]);
    let split = builder.op(Opcode::VectorToElements, &[flat], &vec![elem; n_slots], &[]);
    let elements: Vec<ValueId> = builder.ir.results(split).collect();
    let writer = threads::is_writer(builder, cx, &layout).map_err(|why| refuse(builder.ir, op, why))?;
    let mut next = 0;
    let mut rows = Vec::new();
    while next < n_slots {
        let width = tile.run(next, (ACCESS_BYTES / bytes) as usize);
        rows.push((next, width, tile.index_of_slot(builder, cx, next)));
        next += width;
    }
    let store = |builder: &mut Builder<'_>| {
        for &(next, width, index) in &rows {
            store_row(builder, tile.base, index, &elements[next..next + width]);
        }
    };
    match writer {
        None => store(builder),
        Some(condition) => code::when(builder, condition, store),
    }
    Ok(())
}

fn store_row(builder: &mut Builder<'_>, base: ValueId, index: ValueId, elements: &[ValueId]) {
    match elements {
        &[one] => builder.op(Opcode::MemrefStore, &[one, base, index], &[], &[]),
        several => {
            let elem = builder.ir.elem_of(base);
            let ty = builder.ir.vector_type(&[several.len() as i64], elem);
            let row = builder.value(Opcode::VectorFromElements, several, ty, &[]);
            builder.op(Opcode::VectorStore, &[row, base, index], &[], &[])
        }
    };
}
