//! Memory: buffers, addresses, loads, stores and atomic accesses.
//!
//! An index is a dynamic value plus a constant. The constant is a step of its own behind the dynamic one, so that it
//! becomes the immediate of the access. An index that is known not to be negative is scaled in 32 bits and widened
//! with zeros: then a global access takes its base from scalar registers and one 32-bit offset. Constants that are no
//! immediates are added to the base of the widest accesses, which loops do not change, and not to the offset.

use raddle_ir::{Attr, Def, Diag, Float, OpId, Opcode, Scalar, Type, ValueId};

use crate::kernel::{atomic_kind, split};

use super::convert::suffix;
use super::dialect::Dialect;
use super::masks;
use super::module::NONTEMPORAL;
use super::value::{Cx, Held, Label};

/// A memref of the function.
pub(super) struct Buffer {
    pub elem: Scalar,
    /// The pointer.
    pub base: String,
    pub place: Place,
}

/// Where a buffer lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    Global,
    Shared,
}

/// Bytes of a line of a CPU's caches, and what is said of a store of whole ones (`raddle_passes` has the same name).
pub(super) const LINE: usize = 64;
pub(super) const WHOLE_LINES: &str = "raddle.whole_lines";

/// Bytes from which on a constant is not an immediate of a global access on some chip.
const FAR: i64 = 4096;

/// How deep the search for a sign goes.
const SIGN_DEPTH: u32 = 24;

/// A pointer with its type in front.
fn pointer(cx: &Cx<'_>, place: Place) -> String {
    let space = match place {
        Place::Global => cx.dialect.global,
        Place::Shared => cx.dialect.shared,
    };
    format!("ptr addrspace({space})")
}

/// The type of a scalar in memory: whole bytes.
fn memory_type(cx: &Cx<'_>, scalar: Scalar) -> String {
    match scalar {
        Scalar::Index => "i64".to_owned(),
        Scalar::Int(_) => format!("i{}", scalar.bytes() * 8),
        Scalar::Float(float) if float.bits() <= 8 => "i8".to_owned(),
        Scalar::Float(_) => cx.scalar_type(scalar),
    }
}

/// `memref.prefetch`, where the machine has caches that a thread of its own fills.
pub(super) fn prefetch(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    if cx.lowered.chip().native.is_none() {
        return Ok(());
    }
    let (base, indices) = cx.ir.operands(op).split_first().expect("the verifier counts operands");
    let elem = cx.ir.elem_of(*base);
    let Some(elem) = Scalar::of(&cx.ir[elem]) else { return Ok(()) };
    let buffer = cx.buffer(*base);
    let (address, _) = access(cx, op, buffer, indices, elem)?;
    let number = |name: &str| match cx.ir.attr(op, name) {
        Some(Attr::Bool(value)) => i64::from(*value),
        attr => attr.and_then(Attr::as_i64).unwrap_or_default(),
    };
    let [write, locality, data] = ["isWrite", "localityHint", "isDataCache"].map(number);
    cx.declarations.insert("declare void @llvm.prefetch.p0(ptr, i32, i32, i32)".to_owned());
    cx.inst(&format!("call void @llvm.prefetch.p0({address}, i32 {write}, i32 {locality}, i32 {data})"));
    Ok(())
}

/// `memref.load`, `vector.load`.
pub(super) fn read(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let result = cx.ir.result(op, 0);
    let (base, indices) = match cx.ir.opcode(op) {
        Opcode::MemrefLoad | Opcode::VectorLoad => {
            cx.ir.operands(op).split_first().expect("the verifier counts operands")
        }
        Opcode::VectorMaskedload => return masked_read(cx, op),
        _ => return Err(cx.cannot(op, "reads must have become `memref.load` or `vector.load`")),
    };
    let buffer = cx.buffer(*base);
    let elem = cx.scalar(op, result)?;
    let (address, _) = access(cx, op, buffer, indices, elem)?;
    let align =
        if cx.ir.ty(result).is_vector() { vector_align(cx, op, elem, cx.n_elems(result))? } else { elem.bytes() };
    let (ty, stored) = (cx.type_of(result), memory_form(cx, result, elem));
    let name = cx.compute(&format!("load {stored}, {address}, align {align}"));
    let name = narrowed(cx, name, &stored, &ty);
    cx.bind(result, name);
    Ok(())
}

/// `memref.store`, `vector.store`.
pub(super) fn write(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let operands = cx.ir.operands(op);
    if cx.ir.opcode(op) == Opcode::VectorMaskedstore {
        return masked_write(cx, op);
    }
    if !matches!(cx.ir.opcode(op), Opcode::MemrefStore | Opcode::VectorStore) {
        return Err(cx.cannot(op, "writes must have become `memref.store` or `vector.store`"));
    }
    let (value, base, indices) = (operands[0], operands[1], &operands[2..]);
    let buffer = cx.buffer(base);
    let elem = cx.scalar(op, value)?;
    let (address, _) = access(cx, op, buffer, indices, elem)?;
    let align = if cx.ir.ty(value).is_vector() { vector_align(cx, op, elem, cx.n_elems(value))? } else { elem.bytes() };
    let (name, ty, stored) = (cx.val(value), cx.type_of(value), memory_form(cx, value, elem));
    let name = widened(cx, name, &ty, &stored, elem);
    if cx.past_caches && cx.ir.attr_id(op, WHOLE_LINES).is_some() {
        let align = LINE.min(elem.bytes() * cx.n_elems(value));
        cx.inst(&format!("store {stored} {name}, {address}, align {align}, !nontemporal !{NONTEMPORAL}"));
        return Ok(());
    }
    cx.inst(&format!("store {stored} {name}, {address}, align {align}"));
    Ok(())
}

/// The type of a value of such elements in memory.
fn memory_form(cx: &Cx<'_>, value: ValueId, elem: Scalar) -> String {
    cx.shaped(value, &memory_type(cx, elem))
}

/// What was in memory as a value.
fn narrowed(cx: &mut Cx<'_>, name: String, stored: &str, ty: &str) -> String {
    if ty == stored { name } else { cx.compute(&format!("trunc {stored} {name} to {ty}")) }
}

/// A value as it is in memory.
fn widened(cx: &mut Cx<'_>, name: String, ty: &str, stored: &str, elem: Scalar) -> String {
    let widen = if elem == Scalar::Index { "sext" } else { "zext" };
    if ty == stored { name } else { cx.compute(&format!("{widen} {ty} {name} to {stored}")) }
}

/// The alignment of a vector access: the widest pieces that it divides into, at most 16 bytes each.
fn vector_align(cx: &Cx<'_>, op: OpId, elem: Scalar, n_elems: usize) -> Result<usize, Diag> {
    let is_native = cx.lowered.chip().native.is_some();
    let whole = elem.bits() as usize == elem.bytes() * 8 || elem == Scalar::Float(Float::TF32);
    // Integers of fewer bits are moved as bytes.
    let moved = whole || matches!(elem, Scalar::Int(1..8));
    if !moved || elem == Scalar::Index || n_elems == 0 {
        return Err(cx.cannot(op, &format!("no instruction moves a vector of {n_elems} x {elem}")));
    }
    if is_native {
        // Nothing is known of where rows begin.
        return Ok(elem.bytes());
    }
    let bytes = elem.bytes() * n_elems;
    Ok(16.min(1 << bytes.trailing_zeros()))
}

/// `vector.maskedload`
fn masked_read(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let &[base, index, mask, other] = cx.ir.operands(op) else { return Err(cx.cannot(op, "an address is one index")) };
    let result = cx.ir.result(op, 0);
    let elem = cx.scalar(op, result)?;
    let buffer = cx.buffer(base);
    let (address, _) = access(cx, op, buffer, &[index], elem)?;
    let align = vector_align(cx, op, elem, cx.n_elems(result))?;
    let (ty, flags, mask, other) = (cx.type_of(result), cx.type_of(mask), cx.val(mask), cx.val(other));
    let stored = memory_form(cx, result, elem);
    let other = widened(cx, other, &ty, &stored, elem);
    let address = address.rsplit(' ').next().unwrap_or_default().to_owned();
    let n = cx.n_elems(result);
    let lanes = cx.lowered.chip().native.map_or(1, |native| native.lanes as usize);
    let registers = masks::loaded_registers(cx.ir, cx.ir.operand(op, 2), n, 8 * elem.bytes(), lanes);
    let whole = [&address, &flags, &mask, &stored, &other].map(String::as_str);
    let name = match registers {
        _ if goes_one_by_one(cx, elem) => {
            let [plain, some, next] = unless_all(cx, &mask, n);
            let name = cx.phi(next, stored.clone());
            cx.begin(plain);
            let loaded = cx.compute(&format!("load {stored}, ptr {address}, align {align}"));
            cx.give(next, vec![loaded]);
            cx.jump(next);
            cx.begin(some);
            let loaded = masked_load(cx, whole, align);
            cx.give(next, vec![loaded]);
            cx.jump(next);
            cx.begin(next);
            name
        }
        None => masked_load(cx, whole, align),
        Some(registers) => by_registers(cx, whole, align, n, elem.bytes(), &registers),
    };
    let name = narrowed(cx, name, &stored, &ty);
    cx.bind(result, name);
    Ok(())
}

/// Whether a machine moves the elements of a vector one by one where some of them are masked.
fn goes_one_by_one(cx: &Cx<'_>, elem: Scalar) -> bool {
    let masks = |bytes: usize| bytes <= elem.bytes();
    cx.lowered.chip().native.is_some_and(|native| !native.masked_bytes.is_some_and(masks))
}

/// Asks whether a mask of `n` elements is true for all: a block for that, one for what is not, and one behind both. Most
/// masks are those of the edges of a tensor.
fn unless_all(cx: &mut Cx<'_>, mask: &str, n: usize) -> [Label; 3] {
    let blocks = [(); 3].map(|()| cx.new_block());
    let bits = cx.compute(&format!("bitcast <{n} x i1> {mask} to i{n}"));
    let all = cx.compute(&format!("icmp eq i{n} {bits}, -1"));
    cx.branch(&all, blocks[0], blocks[1]);
    blocks
}

/// Loads a vector, given its address, the type of its mask, the mask, its type, and what stands where the mask is false.
fn masked_load(cx: &mut Cx<'_>, [address, flags, mask, ty, other]: [&str; 5], align: usize) -> String {
    let operands =
        [format!("ptr {address}"), format!("i32 {align}"), format!("{flags} {mask}"), format!("{ty} {other}")];
    cx.call(ty, &format!("llvm.masked.load.{}.p0", suffix(ty)), &operands)
}

/// The same for each register that is loaded, of `n` elements of so many bytes.
fn by_registers(
    cx: &mut Cx<'_>,
    [address, flags, mask, ty, other]: [&str; 5],
    align: usize,
    n: usize,
    bytes: usize,
    registers: &[bool],
) -> String {
    let list = |lanes: Vec<usize>| {
        let lanes: Vec<String> = lanes.into_iter().map(|lane| format!("i32 {lane}")).collect();
        format!("<{} x i32> <{}>", lanes.len(), lanes.join(", "))
    };
    let width = n / registers.len();
    let of_width = |ty: &str| ty.replacen(&format!("<{n} x "), &format!("<{width} x "), 1);
    let (part, part_flags) = (of_width(ty), of_width(flags));
    let mut whole = other.to_owned();
    for register in (0..registers.len()).filter(|&register| registers[register]) {
        let first = register * width;
        let own = list((first..first + width).collect());
        let mask = cx.compute(&format!("shufflevector {flags} {mask}, {flags} poison, {own}"));
        let other = cx.compute(&format!("shufflevector {ty} {other}, {ty} poison, {own}"));
        let address = cx.compute(&format!("getelementptr i8, ptr {address}, i64 {}", first * bytes));
        let loaded = masked_load(cx, [&address, &part_flags, &mask, &part, &other], align);
        // As wide as the whole, in whose place its lanes come.
        let wide = list((0..n).map(|lane| lane.min(width - 1)).collect());
        let wide = cx.compute(&format!("shufflevector {part} {loaded}, {part} poison, {wide}"));
        let is_own = |lane: usize| (first..first + width).contains(&lane);
        let joined = list((0..n).map(|lane| if is_own(lane) { n + lane - first } else { lane }).collect());
        whole = cx.compute(&format!("shufflevector {ty} {whole}, {ty} {wide}, {joined}"));
    }
    whole
}

/// `vector.maskedstore`
fn masked_write(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let &[base, index, mask, value] = cx.ir.operands(op) else { return Err(cx.cannot(op, "an address is one index")) };
    let elem = cx.scalar(op, value)?;
    let buffer = cx.buffer(base);
    let (address, _) = access(cx, op, buffer, &[index], elem)?;
    let align = vector_align(cx, op, elem, cx.n_elems(value))?;
    let stored = memory_form(cx, value, elem);
    let (ty, flags, mask, name) = (cx.type_of(value), cx.type_of(mask), cx.val(mask), cx.val(value));
    let name = widened(cx, name, &ty, &stored, elem);
    let address = address.rsplit(' ').next().unwrap_or_default().to_owned();
    let operands =
        [format!("{stored} {name}"), format!("ptr {address}"), format!("i32 {align}"), format!("{flags} {mask}")];
    let masked = format!("llvm.masked.store.{}.p0", suffix(&stored));
    let is_slow = cx.lowered.chip().native.is_some_and(|native| native.slow_masked_stores);
    let one_by_one = goes_one_by_one(cx, elem);
    if !one_by_one && !is_slow {
        cx.call("void", &masked, &operands);
        return Ok(());
    }
    let n = cx.n_elems(value);
    let [plain, mut some, next] = unless_all(cx, &mask, n);
    if !one_by_one {
        // Of a vector behind an edge nothing is stored.
        let any = cx.new_block();
        cx.begin(some);
        let bits = cx.compute(&format!("bitcast <{n} x i1> {mask} to i{n}"));
        let is_any = cx.compute(&format!("icmp ne i{n} {bits}, 0"));
        cx.branch(&is_any, any, next);
        some = any;
    }
    cx.begin(plain);
    cx.inst(&format!("store {stored} {name}, ptr {address}, align {align}"));
    cx.jump(next);
    cx.begin(some);
    cx.call("void", &masked, &operands);
    cx.jump(next);
    cx.begin(next);
    Ok(())
}

/// The pointer of one access with its type in front, and where it lies.
pub(super) fn access(
    cx: &mut Cx<'_>,
    op: OpId,
    buffer: usize,
    indices: &[ValueId],
    elem: Scalar,
) -> Result<(String, Place), Diag> {
    let Buffer { elem: own, base, place } = &cx.buffers[buffer];
    if elem != *own {
        return Err(cx.cannot(op, "the elements accessed are not those of the buffer"));
    }
    let (mut base, place) = (base.clone(), *place);
    let (dynamic, constant) = match indices {
        [] => (None, 0),
        [index] => split(cx.ir, *index),
        _ => return Err(cx.cannot(op, "an access must have one index: lower it to linear memory first")),
    };
    let size = elem.bytes() as i64;
    let bytes = constant
        .checked_mul(size)
        .ok_or_else(|| cx.cannot(op, &format!("the index {constant} is out of any memory")))?;
    let ptr = pointer(cx, place);
    let mut rest = bytes;
    if let Some(index) = dynamic {
        let name = cx.val(index);
        // The whole index is below 2^31 bytes, and so is a part of it from which nothing is taken away.
        let narrow = cx.index_bits == 32 && constant >= 0 && is_not_negative(cx, index, 0);
        // Each such base takes scalar registers: the widest accesses are few.
        if narrow && place == Place::Global && bytes >= FAR && is_widest(cx, op) {
            base = cx.compute(&format!("getelementptr i8, {ptr} {base}, i64 {bytes}"));
            rest = 0;
        }
        let offset = match (place, cx.index_bits) {
            // Shared memory is small: the low half of a wide index says it all.
            (Place::Shared, 64) => {
                let low = cx.compute(&format!("trunc i64 {name} to i32"));
                format!("i32 {}", scaled(cx, "i32", &low, size, ""))
            }
            (Place::Shared, _) => format!("i32 {}", scaled(cx, "i32", &name, size, "")),
            (Place::Global, 32) if narrow => {
                let offset = scaled(cx, "i32", &name, size, " nuw nsw");
                format!("i64 {}", cx.compute(&format!("zext i32 {offset} to i64")))
            }
            (Place::Global, 32) => {
                let wide = cx.compute(&format!("sext i32 {name} to i64"));
                format!("i64 {}", scaled(cx, "i64", &wide, size, ""))
            }
            (Place::Global, _) => format!("i64 {}", scaled(cx, "i64", &name, size, "")),
        };
        base = cx.compute(&format!("getelementptr i8, {ptr} {base}, {offset}"));
    }
    if rest != 0 {
        let ty = if place == Place::Shared { "i32" } else { "i64" };
        if place == Place::Shared && i32::try_from(bytes).is_err() {
            return Err(cx.cannot(op, &format!("the index {constant} is out of any shared memory")));
        }
        base = cx.compute(&format!("getelementptr i8, {ptr} {base}, {ty} {bytes}"));
    }
    Ok((format!("{ptr} {base}"), place))
}

/// Whether an operation moves 16 bytes at once.
fn is_widest(cx: &Cx<'_>, op: OpId) -> bool {
    let vector = match cx.ir.opcode(op) {
        Opcode::VectorLoad => cx.ir.result(op, 0),
        Opcode::VectorStore => cx.ir.operand(op, 0),
        _ => return false,
    };
    let elem = cx.ir.elem_of(vector);
    Scalar::of(&cx.ir[elem]).is_some_and(|elem| elem.bytes() * cx.n_elems(vector) == 16)
}

/// An index times the size of an element.
fn scaled(cx: &mut Cx<'_>, ty: &str, index: &str, size: i64, flags: &str) -> String {
    if size == 1 { index.to_owned() } else { cx.compute(&format!("mul{flags} {ty} {index}, {size}")) }
}

/// Whether an index is known not to be negative, whatever the kernel is given.
fn is_not_negative(cx: &mut Cx<'_>, value: ValueId, depth: u32) -> bool {
    if let Some(&known) = cx.not_negative.get(&value) {
        return known;
    }
    if depth > SIGN_DEPTH {
        return false;
    }
    let known = judge_sign(cx, value, depth + 1);
    cx.not_negative.insert(value, known);
    known
}

fn judge_sign(cx: &mut Cx<'_>, value: ValueId, depth: u32) -> bool {
    if let Some(constant) = cx.ir.const_int(value) {
        return constant >= 0;
    }
    let op = match cx.ir.def(value) {
        Def::Result { op, .. } => op,
        Def::Arg { block, index } => {
            // The counter of a loop that starts at 0 or above, by steps that are positive.
            let around = cx.ir.region_parent(cx.ir.block_region(block));
            return index == 0
                && cx.ir.opcode(around) == Opcode::ScfFor
                && is_not_negative(cx, cx.ir.operand(around, 0), depth);
        }
    };
    let operands = cx.ir.operands(op).to_vec();
    let opcode = cx.ir.opcode(op);
    let source = operands.first().and_then(|&value| Scalar::of(cx.ir.ty(value)));
    let mut all = |values: &[ValueId]| values.iter().all(|&value| is_not_negative(cx, value, depth));
    match opcode {
        Opcode::GpuThreadId | Opcode::GpuBlockId => true,
        // Sums and products of such numbers that leave 32 bits are undefined in the program.
        Opcode::ArithAddi
        | Opcode::ArithMuli
        | Opcode::ArithDivsi
        | Opcode::ArithDivui
        | Opcode::ArithCeildivsi
        | Opcode::ArithCeildivui
        | Opcode::ArithFloordivsi
        | Opcode::ArithRemsi
        | Opcode::ArithRemui
        | Opcode::ArithOri
        | Opcode::ArithXori
        | Opcode::ArithShli
        | Opcode::ArithMinsi
        | Opcode::ArithMinui
        | Opcode::ArithMaxui => all(&operands),
        Opcode::ArithShrui | Opcode::ArithShrsi => all(&operands[..1]),
        Opcode::ArithAndi | Opcode::ArithMaxsi => operands.iter().any(|&value| all(&[value])),
        Opcode::ArithSelect => all(&operands[1..]),
        Opcode::ArithIndexCastui | Opcode::ArithExtui => {
            matches!(source, Some(Scalar::Int(width)) if width < 32)
        }
        Opcode::ArithIndexCast | Opcode::ArithExtsi => all(&operands),
        _ => false,
    }
}

/// `memref.alloc` in shared memory.
pub(super) fn alloc(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let result = cx.ir.result(op, 0);
    let elem = buffer_elem(cx, op, result)?;
    let number = cx.buffers.iter().filter(|buffer| buffer.place == Place::Shared).count();
    cx.hold(result, Held::Buffer(cx.buffers.len()));
    let base = shared_name(cx.dialect, &cx.entry, number);
    cx.buffers.push(Buffer { elem, base, place: Place::Shared });
    Ok(())
}

/// The name of a kernel's buffer in shared memory.
pub(super) fn shared_name(dialect: &Dialect, entry: &str, number: usize) -> String {
    if dialect.shared_is_global { format!("@{entry}.shared.{number}") } else { format!("%shared.{number}") }
}

/// The element type of a memref that is linear memory.
pub(super) fn buffer_elem(cx: &Cx<'_>, op: OpId, memref: ValueId) -> Result<Scalar, Diag> {
    crate::kernel::linear_elem(cx.ir, memref).map_err(|why| cx.cannot(op, why))?;
    assert!(matches!(cx.ir.ty(memref), Type::MemRef { .. }), "linear memory is a memref");
    cx.scalar(op, memref)
}

/// LLVM's name of an atomic access that gives the old element.
fn atomic_name(kind: &str, elem: Scalar) -> Option<&'static str> {
    let float = matches!(elem, Scalar::Float(Float::F16 | Float::BF16 | Float::F32 | Float::F64));
    let int = matches!(elem, Scalar::Int(32 | 64));
    let name = match kind {
        "addf" if float => "fadd",
        "maxnumf" if float => "fmax",
        "minnumf" if float => "fmin",
        "assign" if int || matches!(elem, Scalar::Float(Float::F32 | Float::F64)) => "xchg",
        "addi" if int => "add",
        "andi" if int => "and",
        "ori" if int => "or",
        "xori" if int => "xor",
        "maxs" if int => "max",
        "mins" if int => "min",
        "maxu" if int => "umax",
        "minu" if int => "umin",
        _ => return None,
    };
    Some(name)
}

/// `memref.atomic_rmw`: relaxed, for the whole device.
pub(super) fn update(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let &[value, base, index] = cx.ir.operands(op) else { return Err(cx.cannot(op, "an address is one index")) };
    let elem = cx.scalar(op, value)?;
    let kind = atomic_kind(cx.ir, op);
    let Some(name) = atomic_name(kind, elem) else {
        return Err(cx.cannot(op, &format!("there is no atomic `{kind}` of {elem}")));
    };
    let buffer = cx.buffer(base);
    let (address, place) = access(cx, op, buffer, &[index], elem)?;
    let scope = match place {
        Place::Global => cx.dialect.device_scope,
        Place::Shared => cx.dialect.workgroup_scope,
    };
    let (ty, value) = (cx.scalar_type(elem), cx.val(value));
    let old = cx.compute(&format!("atomicrmw {name} {address}, {ty} {value} syncscope(\"{scope}\") monotonic"));
    cx.bind(cx.ir.result(op, 0), old);
    Ok(())
}
