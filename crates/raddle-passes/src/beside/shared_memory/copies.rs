//! Asynchronous copies: what a thread carries from global to shared memory goes there while the thread does other things.
//!
//! Before: `%v = vector.transfer_read %global[..]`, `vector.transfer_write %v, %shared[..]`
//! After:  `%t = nvgpu.device_async_copy %global[..], %shared[..], n`, `%g = device_async_create_group %t, ..`,
//!         `device_async_wait %g`
//!
//! The idea: of writes one after the other, with nothing but reads of global memory and arithmetic in between, all copies
//! become one group, which is waited for where the last of them stood. What overlaps with the copies comes later, with
//! [`super::stages`]. A copy takes 4, 8 or 16 bytes of rows without gaps (PTX ISA, "cp.async"); elements that a mask
//! leaves out are filled with zeros, so that the read must have had zeros there, too.
//!
//! Not all copies that are possible are found: the read stands in the block of the write, and nothing in between may
//! write what it reads.

use raddle_ir::views::{Transfer, minor_identity};
use raddle_ir::{Attr, Builder, Ir, OpId, Opcode, Scalar, Type, ValueId};

use super::effects::{Effect, effects, writes};
use super::places::{distance, place};
use super::{is_global, is_shared, may_alias};
use crate::clean::number::{self, Number};

/// Bytes that one copy may take.
const COPY_BYTES: [u32; 3] = [4, 8, 16];
/// Bytes of the copies that may leave out the cache of the multiprocessor.
const BYPASS_BYTES: u32 = 16;

/// A write of what a read gives.
struct Copy {
    write: OpId,
    to: (ValueId, Vec<ValueId>),
    from: (ValueId, Vec<ValueId>),
    elements: i64,
    bytes: u32,
    mask: Option<Mask>,
}

/// How many of the elements are copied.
struct Mask {
    /// The extent of the mask along the vector.
    count: Bound,
    /// Positions in other dimensions of the mask, with its extents there: none is copied where one is outside.
    others: Vec<(i64, Bound)>,
}

#[derive(Clone, Copy)]
enum Bound {
    Number(i64),
    Value(ValueId),
}

/// Makes copies to shared memory asynchronous; `bypass` lets those that can leave out the first cache. Says whether
/// anything changed.
pub fn make_asynchronous(ir: &mut Ir, func: OpId, bypass: bool) -> bool {
    let mut left: Vec<Copy> = ir.walk(func).into_iter().filter_map(|op| copy_of(ir, op)).collect();
    let changed = !left.is_empty();
    while !left.is_empty() {
        let group = take_group(ir, &mut left);
        write_group(ir, &group, bypass);
    }
    changed
}

/// The first copy, with those behind it that may be on their way at the same time.
fn take_group(ir: &Ir, left: &mut Vec<Copy>) -> Vec<Copy> {
    let mut group = vec![left.remove(0)];
    let mut next = ir.next_op(group[0].write);
    while let Some(op) = next {
        next = ir.next_op(op);
        let harmless =
            effects(ir, op).into_iter().all(|effect| matches!(effect, Effect::Reads(base) if is_global(ir, base)));
        if harmless {
            continue;
        }
        match left.iter().position(|copy| copy.write == op) {
            Some(at) if group.iter().all(|other| are_apart(ir, other, &left[at])) => group.push(left.remove(at)),
            _ => break,
        }
    }
    group
}

/// Whether two copies of one thread surely write different elements, so that their order makes no difference.
fn are_apart(ir: &Ir, first: &Copy, second: &Copy) -> bool {
    if !may_alias(ir, first.to.0, second.to.0) {
        return true;
    }
    let rank = first.to.1.len();
    let behind = |d: usize| distance(&place(ir, first.to.1[d]), &place(ir, second.to.1[d]));
    let reach = |copy: &Copy, d: usize| if d + 1 == rank { copy.elements } else { 1 };
    first.to.0 == second.to.0
        && (0..rank).any(|d| behind(d).is_some_and(|by| by >= reach(first, d) || -by >= reach(second, d)))
}

/// The copies, a group of them, and the wait for it, where the last of the writes stood.
fn write_group(ir: &mut Ir, group: &[Copy], bypass: bool) {
    let token = ir.intern_str("nvgpu.device.async.token");
    let token = ir.intern_type(Type::Dialect(token));
    let mut tokens = Vec::new();
    for copy in group {
        let mut builder = Builder::before(ir, copy.write);
        let count = copy.mask.as_ref().map(|mask| count(&mut builder, mask, copy.elements));
        let (to, from) = (&copy.to, &copy.from);
        let operands = [&[to.0], &to.1[..], &[from.0], &from.1[..], count.as_slice()].concat();
        let sizes = [1, to.1.len(), 1, from.1.len(), usize::from(count.is_some())];
        let index = builder.ir.index_type();
        let mut attrs = vec![
            ("operandSegmentSizes", builder.ir.segment_sizes(&sizes)),
            ("dstElements", builder.ir.intern(Attr::Int { value: copy.elements.into(), ty: index })),
        ];
        if bypass && copy.bytes == BYPASS_BYTES {
            attrs.push(("bypassL1", builder.ir.intern(Attr::Unit)));
        }
        tokens.push(builder.value(Opcode::NvgpuDeviceAsyncCopy, &operands, token, &attrs));
    }
    if let Some(last) = group.last() {
        let mut builder = Builder::before(ir, last.write);
        let all = builder.value(Opcode::NvgpuDeviceAsyncCreateGroup, &tokens, token, &[]);
        builder.op(Opcode::NvgpuDeviceAsyncWait, &[all], &[], &[]);
    }
    for copy in group {
        let value = ir.operand(copy.write, 0);
        ir.erase(copy.write);
        // Only the read is left, if nothing else uses it.
        if let Some(read) = ir.def_op(value).filter(|_| ir.is_unused(value)) {
            ir.erase(read);
        }
    }
}

/// The number of elements that a mask lets through, from 0 to all of them.
fn count(builder: &mut Builder<'_>, mask: &Mask, elements: i64) -> ValueId {
    let mut count = match mask.count {
        Bound::Number(n) => builder.index(n.clamp(0, elements)),
        Bound::Value(value) => {
            // Masks begin and end with the vector; the count of a copy must not go beyond it.
            let (zero, all) = (builder.index(0), builder.index(elements));
            let least = builder.binary(Opcode::ArithMaxsi, value, zero);
            builder.binary(Opcode::ArithMinsi, least, all)
        }
    };
    for &(at, bound) in &mask.others {
        let bound = match bound {
            Bound::Number(n) if at < n => continue,
            Bound::Number(n) => builder.index(n),
            Bound::Value(value) => value,
        };
        let (at, zero) = (builder.index(at), builder.index(0));
        let i1 = builder.ir.int_type(1);
        // `slt`
        let predicate = builder.ir.i64_attr(2);
        let inside = builder.value(Opcode::ArithCmpi, &[at, bound], i1, &[("predicate", predicate)]);
        let index = builder.ir.type_of(zero);
        count = builder.value(Opcode::ArithSelect, &[inside, count, zero], index, &[]);
    }
    count
}

/// The copy that a write is, if it may become an asynchronous one.
fn copy_of(ir: &Ir, write: OpId) -> Option<Copy> {
    let (value, to) = match ir.opcode(write) {
        Opcode::VectorTransferWrite => {
            let transfer = Transfer::of(ir, write);
            (whole_row(&transfer) && transfer.mask.is_none()).then_some(())?;
            (transfer.vector?, (transfer.base, transfer.indices))
        }
        Opcode::VectorStore => (ir.operand(write, 0), (ir.operand(write, 1), ir.operands(write)[2..].to_vec())),
        _ => return None,
    };
    let read = ir.def_op(value)?;
    let (from, mask) = match ir.opcode(read) {
        Opcode::VectorTransferRead => {
            let transfer = Transfer::of(ir, read);
            whole_row(&transfer).then_some(())?;
            let mask = match transfer.mask {
                Some(mask) => Some(mask_of(ir, mask).filter(|_| is_zero(ir, transfer.padding))?),
                None => None,
            };
            ((transfer.base, transfer.indices), mask)
        }
        Opcode::VectorLoad => ((ir.operand(read, 0), ir.operands(read)[1..].to_vec()), None),
        _ => return None,
    };
    let &[elements] = ir.shape_of(value) else { return None };
    let bits = elements.checked_mul(i64::from(Scalar::of(&ir[ir.elem_of(value)])?.bits()))?;
    let bytes = COPY_BYTES.into_iter().find(|&bytes| i64::from(bytes) * 8 == bits)?;
    let fits = is_shared(ir, to.0)
        && is_global(ir, from.0)
        && [to.0, from.0].into_iter().all(|base| has_dense_rows(ir, base) && ir.elem_of(base) == ir.elem_of(value))
        && stays_until(ir, read, write, from.0);
    fits.then_some(Copy { write, to, from, elements, bytes, mask })
}

/// Whether a transfer moves consecutive elements that are all there.
fn whole_row(transfer: &Transfer) -> bool {
    transfer.in_bounds == [true] && transfer.map == minor_identity(transfer.map.dims as usize, 1)
}

/// Whether neighbours along the last dimension are neighbours in memory.
fn has_dense_rows(ir: &Ir, base: ValueId) -> bool {
    match ir.ty(base) {
        Type::MemRef { layout: None, shape, .. } => !shape.is_empty(),
        Type::MemRef { layout: Some(layout), .. } => {
            matches!(&ir[*layout], Attr::Strided { strides, .. } if strides.last() == Some(&1))
        }
        _ => false,
    }
}

/// Whether the memory that a read saw is the same where the write stands.
fn stays_until(ir: &Ir, read: OpId, write: OpId, from: ValueId) -> bool {
    let mut at = ir.next_op(read);
    while let Some(op) = at {
        if op == write {
            return true;
        }
        if effects(ir, op).contains(&Effect::Waits) || writes(ir, op, |base| may_alias(ir, base, from)) {
            return false;
        }
        at = ir.next_op(op);
    }
    false
}

/// Whether what a read takes outside is the zero that a copy would put there.
fn is_zero(ir: &Ir, padding: Option<ValueId>) -> bool {
    match padding.and_then(|padding| number::of(ir, padding)) {
        Some(Number::Int(value)) => value == 0,
        Some(Number::Float(value)) => value.to_bits() == 0,
        None => false,
    }
}

/// What a mask of one dimension lets through: `create_mask`, `constant_mask`, or a row of one.
fn mask_of(ir: &Ir, mask: ValueId) -> Option<Mask> {
    let made = ir.def_op(mask)?;
    let (made, at) = match ir.opcode(made) {
        Opcode::VectorExtract if ir.operands(made).len() == 1 => {
            let at = ir.ints(ir.attr_id(made, "static_position")?)?;
            (ir.def_op(ir.operand(made, 0))?, at)
        }
        _ => (made, Vec::new()),
    };
    let bounds: Vec<Bound> = match ir.opcode(made) {
        Opcode::VectorCreateMask => ir.operands(made).iter().map(|&value| Bound::Value(value)).collect(),
        Opcode::VectorConstantMask => {
            ir.ints(ir.attr_id(made, "mask_dim_sizes")?)?.into_iter().map(Bound::Number).collect()
        }
        _ => return None,
    };
    let known = |bound: Bound| match bound {
        Bound::Value(value) => ir.const_int(value).map_or(bound, Bound::Number),
        Bound::Number(_) => bound,
    };
    let (&count, others) = bounds.split_last()?;
    (others.len() == at.len()).then(|| Mask {
        count: known(count),
        others: at.into_iter().zip(others.iter().map(|&bound| known(bound))).collect(),
    })
}
