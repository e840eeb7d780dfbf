//! Pad: make the rows of shared buffers a little longer, so that a column does not lie in one bank.
//!
//! Before: `%a = memref.alloc() : memref<32x64xf16, workgroup>`
//! After:  `%p = memref.alloc() : memref<32x68xf16, workgroup>`, `%a = memref.subview %p[0, 0] [32, 64] [1, 1]`
//!
//! All that is a view of the buffer gets the strides that follow. A buffer stays as it is where one of its uses needs
//! rows side by side (joining them, or writing on behind a row's end), and all stay where the chip would not have the
//! memory.
//!
//! Rows begin at multiples of the padding, so that accesses of more bytes than that are no longer aligned.

use raddle_ir::views::{Mixed, SliceView};
use raddle_ir::{Builder, Code, DYNAMIC, Diag, Ir, OpId, Opcode, Scalar, Type, ValueId};

use super::{is_shared, views};
use crate::facts::Facts;
use crate::options::{OptionKind, Options, PassOption};

/// Options of the pass.
pub const OPTIONS: &[PassOption] =
    &[PassOption { name: "padding-bits", sentence: "how many bits a row gets longer", kind: OptionKind::Int(128) }];

/// What every GPU of today gives a workgroup when asked for it at launch, in bytes.
const SHARED_BYTES_MIN: i64 = 64 * 1024;

/// Pads, if there is room for all of it.
pub fn reduce_bank_conflicts(ir: &mut Ir, func: OpId, facts: &Facts, options: &Options) -> Result<(), Diag> {
    let bits = options.int("padding-bits");
    if bits < 0 {
        let message = format!("rows cannot get {bits} bits longer");
        return Err(Diag::error(Code::BadInput, ir.span(func), message).help("give `padding-bits` 0 or more"));
    }
    let shared_bytes = i64::from(facts.chip.shared_bytes_planned).max(SHARED_BYTES_MIN);
    // A buffer whose size is not known may become known: until then nothing is decided.
    let bytes = |padding| {
        buffers(ir, func).into_iter().try_fold(0i64, |sum, alloc| sum.checked_add(bytes_of(ir, alloc, padding)?))
    };
    if bytes(bits).is_some_and(|bytes| bytes <= shared_bytes) {
        pad(ir, func, bits);
    }
    Ok(())
}

/// Pads the rows of every shared buffer of static shape by so many bits; says whether anything changed.
pub fn pad(ir: &mut Ir, func: OpId, bits: i64) -> bool {
    let mut changed = false;
    for alloc in buffers(ir, func) {
        changed |= pad_buffer(ir, alloc, bits).is_some();
    }
    changed
}

fn buffers(ir: &Ir, func: OpId) -> Vec<OpId> {
    let is_buffer = |&op: &OpId| ir.opcode(op) == Opcode::MemrefAlloc && is_shared(ir, ir.result(op, 0));
    ir.walk(func).into_iter().filter(is_buffer).collect()
}

/// Elements that a row gets longer.
fn more(ir: &Ir, buffer: ValueId, bits: i64) -> Option<i64> {
    Some(bits / i64::from(Scalar::of(&ir[ir.elem_of(buffer)])?.bits().max(1)))
}

/// The bytes of a buffer with longer rows.
fn bytes_of(ir: &Ir, alloc: OpId, bits: i64) -> Option<i64> {
    let buffer = ir.result(alloc, 0);
    let mut shape = ir.shape_of(buffer).to_vec();
    if let Some(last) = shape.last_mut().filter(|last| **last != DYNAMIC) {
        *last = last.checked_add(more(ir, buffer, bits)?)?;
    }
    let elem = Scalar::of(&ir[ir.elem_of(buffer)])?.bytes() as i64;
    shape.into_iter().try_fold(elem, |n, extent| if extent == DYNAMIC { None } else { n.checked_mul(extent) })
}

fn pad_buffer(ir: &mut Ir, alloc: OpId, bits: i64) -> Option<()> {
    let buffer = ir.result(alloc, 0);
    let Type::MemRef { shape, elem, layout: None, space } = ir.ty(buffer).clone() else { return None };
    let more = more(ir, buffer, bits).filter(|&more| more > 0)?;
    if shape.contains(&DYNAMIC) {
        return None;
    }
    let mut long = shape.clone();
    let last = long.last_mut()?;
    *last = last.checked_add(more)?;
    let long = ir.intern_type(Type::MemRef { shape: long, elem, layout: None, space });
    let all = |n: i64| vec![Mixed::Static(n); shape.len()];
    let sizes = shape.iter().map(|&extent| Mixed::Static(extent)).collect();
    let slice = SliceView { value: None, base: buffer, offsets: all(0), sizes, strides: all(1) };
    let part = views::subview_type(ir, long, &slice, &shape)?;
    if !views::retype(ir, buffer, part) {
        return None;
    }
    // Uses have the types of the part now; the allocation makes way for the larger one and the part of it.
    let attrs = ir.attr_dict(alloc);
    let padded = ir.create_with(Opcode::MemrefAlloc, &[], &[long], attrs, ir.span(alloc));
    ir.insert_before(alloc, padded);
    let padded = ir.result(padded, 0);
    let subview = Builder::before(ir, alloc).subview(padded, &slice, part);
    ir.replace_uses(buffer, subview);
    ir.erase(alloc);
    Some(())
}
