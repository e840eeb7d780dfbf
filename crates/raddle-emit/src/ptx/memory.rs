//! Memory: buffers, addresses, loads and stores.
//!
//! An index is a dynamic value plus a constant. The address of the dynamic part is computed once for each buffer; the
//! constant becomes the immediate of the access. A loop's unchanging addresses are computed in front of it.

use std::fmt;

use raddle_ir::views::Matrices;
use raddle_ir::{Attr, Def, Diag, Float, Ir, OpId, Opcode, Scalar, Type, ValueId};

use crate::kernel::{constant_sum, n_elems, split};

use super::value::{Atom, Cx, Held, Kind, Known, Operand, Reg, Symbol};

/// A memref of the function.
pub(super) struct Buffer {
    pub elem: Scalar,
    pub place: Place,
}

/// Where a buffer lies.
#[derive(Clone, Copy)]
pub(super) enum Place {
    /// In global memory, at the address in the register.
    Global {
        base: Reg,
        /// Nothing writes it while the kernel runs.
        constant: bool,
    },
    /// In shared memory, at the symbol with this number.
    Shared(usize),
}

/// What stands in the brackets of an access.
pub(super) enum Address {
    Global(Reg, i64),
    Shared(Reg, i64),
    Symbol(Symbol, i64),
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let offset = match self {
            Address::Global(reg, offset) | Address::Shared(reg, offset) => {
                write!(f, "[{reg}")?;
                *offset
            }
            Address::Symbol(symbol, offset) => {
                write!(f, "[{symbol}")?;
                *offset
            }
        };
        if offset == 0 { f.write_str("]") } else { write!(f, "+{offset}]") }
    }
}

/// `memref.load`, `vector.load`.
pub(super) fn read(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let result = cx.ir.result(op, 0);
    let (base, indices) = match cx.ir.opcode(op) {
        Opcode::MemrefLoad | Opcode::VectorLoad => {
            cx.ir.operands(op).split_first().expect("the verifier counts operands")
        }
        _ => return Err(cx.cannot(op, "reads must have become `memref.load` or `vector.load`")),
    };
    let buffer = cx.buffer(*base);
    let (elem, kind) = cx.scalar(op, result)?;
    let address = access(cx, op, buffer, indices, elem)?;
    let name = load_name(cx, buffer);
    if cx.ir.ty(result).is_vector() {
        let n_elems = n_elems(cx.ir, cx.ir.type_of(result));
        if elem == Scalar::Int(1) {
            let bits = read_bits(cx, name, &address, n_elems);
            cx.hold(result, Held::Many(bits));
            return Ok(());
        }
        let kind = vector_kind(cx, op, elem, n_elems)?;
        let words: Vec<Reg> = (0..n_elems / Cx::per_word(elem, n_elems)).map(|_| cx.fresh(kind)).collect();
        load(cx, "", name, &address, elem, n_elems, &words);
        cx.hold(result, Held::Many(Cx::from_words(elem, n_elems, &words)));
        return Ok(());
    }
    let reg = match elem {
        Scalar::Int(1) => {
            let byte = cx.fresh(Kind::B32);
            cx.inst(format_args!("{name}.u8 {byte}, {address}"));
            cx.compute("setp.ne.b32", Kind::Pred, &[byte.into(), Operand::Imm(Kind::B32, 0)])
        }
        Scalar::Index if kind == Kind::B32 => {
            let whole = cx.fresh(Kind::B64);
            cx.inst(format_args!("{name}.b64 {whole}, {address}"));
            cx.compute("cvt.u32.u64", Kind::B32, &[whole.into()])
        }
        _ => {
            let reg = cx.fresh(kind);
            load(cx, "", name, &address, elem, 1, &[reg]);
            reg
        }
    };
    cx.bind(result, Atom::Reg(reg));
    Ok(())
}

/// What stands in memory for a truth value.
const BYTE: Scalar = Scalar::Int(8);

/// Reads truth values, a byte each.
fn read_bits(cx: &mut Cx<'_>, name: &str, address: &Address, n_elems: usize) -> Vec<Atom> {
    let per_word = Cx::per_word(BYTE, n_elems);
    let words: Vec<Reg> = (0..n_elems / per_word).map(|_| cx.fresh(Kind::B32)).collect();
    load(cx, "", name, address, BYTE, n_elems, &words);
    let zero = Operand::Imm(Kind::B32, 0);
    let bit = |at: usize| {
        let byte = Operand::Imm(Kind::B32, 0xFF << (8 * (at % per_word)));
        let word = words[at / per_word];
        let byte = if per_word > 1 { cx.compute("and.b32", Kind::B32, &[word.into(), byte]) } else { word };
        Atom::Reg(cx.compute("setp.ne.b32", Kind::Pred, &[byte.into(), zero]))
    };
    (0..n_elems).map(bit).collect()
}

/// The registers of truth values as they stand in memory.
fn bytes_of_bits(cx: &mut Cx<'_>, bits: &[Atom]) -> Vec<Reg> {
    let mut words = Vec::new();
    for bits in bits.chunks(Cx::per_word(BYTE, bits.len())) {
        let bytes = bits.iter().enumerate().map(|(at, &bit)| {
            let [one, zero] = [1 << (8 * at), 0].map(|byte| Operand::Imm(Kind::B32, byte));
            let bit = cx.reg_of(bit, Kind::Pred);
            cx.compute("selp.b32", Kind::B32, &[one, zero, bit.into()])
        });
        let bytes: Vec<Reg> = bytes.collect();
        let word = bytes.into_iter().reduce(|a, b| cx.compute("or.b32", Kind::B32, &[a.into(), b.into()]));
        words.push(word.expect("a chunk is not empty"));
    }
    words
}

/// Reads elements into registers, behind what says when.
fn load(cx: &mut Cx<'_>, guard: &str, name: &str, address: &Address, elem: Scalar, n_elems: usize, words: &[Reg]) {
    for (piece, offset) in pieces(words, word_bytes(elem, n_elems)) {
        let (width, list) = group(piece);
        let ty = if Cx::per_word(elem, n_elems) > 1 { "b32" } else { access_type(elem) };
        cx.inst(format_args!("{guard}{name}{width}.{ty} {list}, {}", address.plus(offset)));
    }
}

/// Whether registers hold what a load gives as it is in memory.
pub(super) fn is_plain_load(cx: &Cx<'_>, op: OpId) -> bool {
    let elem = Scalar::of(&cx.ir[cx.ir.elem_of(cx.ir.result(op, 0))]);
    elem.is_some_and(|elem| elem != Scalar::Index && elem.bits() >= 8)
}

/// A plain load where a condition holds; elsewhere registers keep what they have.
pub(super) fn read_if(cx: &mut Cx<'_>, op: OpId, condition: Reg, words: &[Reg]) -> Result<(), Diag> {
    let result = cx.ir.result(op, 0);
    let (base, indices) = cx.ir.operands(op).split_first().expect("the verifier counts operands");
    let buffer = cx.buffer(*base);
    let (elem, _) = cx.scalar(op, result)?;
    let address = access(cx, op, buffer, indices, elem)?;
    let n_elems = if cx.ir.ty(result).is_vector() { n_elems(cx.ir, cx.ir.type_of(result)) } else { 1 };
    load(cx, &format!("@{condition} "), load_name(cx, buffer), &address, elem, n_elems, words);
    Ok(())
}

/// The instruction that loads from a buffer.
fn load_name(cx: &Cx<'_>, buffer: usize) -> &'static str {
    match cx.buffers[buffer].place {
        Place::Global { constant: true, .. } => "ld.global.nc",
        Place::Global { constant: false, .. } => "ld.global",
        Place::Shared(_) => "ld.shared",
    }
}

/// `nvgpu.ldmatrix`, `nvgpu.stmatrix`. PTX ISA, "ldmatrix": from sm_75; "stmatrix": from sm_90, with version 7.8. Rows
/// are of 16-bit elements, or of anything that fills as much.
pub(super) fn matrices(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let view = Matrices::of(cx.ir, op).ok_or_else(|| cx.cannot(op, "its types do not fit together"))?;
    let buffer = cx.buffer(view.base);
    let Place::Shared(_) = cx.buffers[buffer].place else {
        return Err(cx.cannot(op, "matrices lie in shared memory"));
    };
    let (elem, _) = cx.scalar(op, view.vector)?;
    let address = access(cx, op, buffer, &view.indices, elem)?;
    let n_elems = view.n_tiles * view.per_lane;
    let kind = vector_kind(cx, op, elem, n_elems)?;
    let stores = cx.ir.opcode(op) == Opcode::NvgpuStmatrix;
    let words: Vec<Reg> = if stores {
        let atoms = cx.atoms(view.vector);
        cx.words(elem, &atoms)
    } else {
        (0..view.n_tiles).map(|_| cx.fresh(kind)).collect()
    };
    let names: Vec<String> = words.iter().map(Reg::to_string).collect();
    let transposed = if view.transposed { ".trans" } else { "" };
    let (n, list) = (view.n_tiles, names.join(", "));
    if stores {
        cx.inst(format_args!("stmatrix.sync.aligned.m8n8.x{n}{transposed}.shared.b16 {address}, {{{list}}}"));
    } else {
        cx.inst(format_args!("ldmatrix.sync.aligned.m8n8.x{n}{transposed}.shared.b16 {{{list}}}, {address}"));
        cx.hold(view.vector, Held::Many(Cx::from_words(elem, n_elems, &words)));
    }
    Ok(())
}

/// `nvgpu.device_async_copy`. PTX ISA, "cp.async": 4, 8 or 16 bytes; of fewer that are read, the rest is zero. Copies of
/// 16 bytes go past the first cache, which other threads of the workgroup would not read again.
pub(super) fn copy(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let operands = cx.ir.operands(op).to_vec();
    let (&[to, to_at, from, from_at], count) = operands.split_at(4) else {
        return Err(cx.cannot(op, "a copy has two places"));
    };
    let elem = cx.buffers[cx.buffer(from)].elem;
    let bytes = cx.ir.attr(op, "dstElements").and_then(Attr::as_i64).unwrap_or(0) * elem.bytes() as i64;
    let [to, from] = [to, from].map(|base| cx.buffer(base));
    let to = access(cx, op, to, &[to_at], elem)?;
    let from = match source(cx, from, from_at) {
        Some(address) => address,
        None => access(cx, op, from, &[from_at], elem)?,
    };
    if !matches!((&to, &from), (Address::Shared(..) | Address::Symbol(..), Address::Global(..))) {
        return Err(cx.cannot(op, "a copy goes from global to shared memory"));
    }
    let level = match bytes {
        16 => "cg",
        4 | 8 => "ca",
        _ => return Err(cx.cannot(op, "a copy moves 4, 8 or 16 bytes")),
    };
    match count {
        [] => cx.inst(format_args!("cp.async.{level}.shared.global {to}, {from}, {bytes}")),
        &[count, ..] => {
            let size = elem.bytes() as u64;
            let read = match cx.operand(count, cx.index) {
                Operand::Imm(_, count) => Operand::Imm(Kind::B32, count * size),
                Operand::Reg(count) => {
                    let count = match count.kind {
                        Kind::B64 => cx.compute("cvt.u32.u64", Kind::B32, &[count.into()]),
                        _ => count,
                    };
                    cx.compute("mul.lo.s32", Kind::B32, &[count.into(), Operand::Imm(Kind::B32, size)]).into()
                }
            };
            cx.inst(format_args!("cp.async.{level}.shared.global {to}, {from}, {bytes}, {read}"));
        }
    }
    Ok(())
}

/// The address that a copy in a loop reads, from its place when the loop begins and the number of the iteration.
fn source(cx: &mut Cx<'_>, buffer: usize, index: ValueId) -> Option<Address> {
    let (Some(sum), constant) = split(cx.ir, index) else { return None };
    let (outer, inner) = split_at_loop(cx, sum)?;
    let size = cx.buffers[buffer].elem.bytes() as i64;
    let pointer = cx.known(Known::Address(buffer, sum), |cx| {
        let base = element(cx, buffer, outer);
        let (value, factor) = scaled(cx, inner);
        let (kind, bytes) = (cx.index, (factor * size) as u64);
        let value = cx.reg(value, kind);
        let name = if kind == Kind::B64 { "mad.lo.s64" } else { "mad.wide.s32" };
        let bytes = Operand::Imm(if kind == Kind::B64 { kind } else { Kind::B32 }, bytes);
        cx.compute(name, Kind::B64, &[value.into(), bytes, base.into()])
    });
    // Copies that share a pointer leave registers to the products; the assembler knows which constants fit.
    let bytes = constant.wrapping_mul(size);
    Some(match i32::try_from(bytes) {
        Ok(_) => Address::Global(pointer, bytes),
        Err(_) => {
            let bytes = Operand::Imm(Kind::B64, bytes as u64);
            Address::Global(cx.compute("add.s64", Kind::B64, &[pointer.into(), bytes]), 0)
        }
    })
}

/// `nvvm.cp.async.wait.group`
pub(super) fn wait(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let n = cx.ir.attr(op, "n").and_then(Attr::as_i64).unwrap_or(0);
    cx.inst(format_args!("cp.async.wait_group {n}"));
    Ok(())
}

/// `memref.store`, `vector.store`.
pub(super) fn write(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let operands = cx.ir.operands(op);
    if !matches!(cx.ir.opcode(op), Opcode::MemrefStore | Opcode::VectorStore) {
        return Err(cx.cannot(op, "writes must have become `memref.store` or `vector.store`"));
    }
    let (value, base, indices) = (operands[0], operands[1], &operands[2..]);
    let buffer = cx.buffer(base);
    let (elem, kind) = cx.scalar(op, value)?;
    let address = access(cx, op, buffer, indices, elem)?;
    let name = match cx.buffers[buffer].place {
        Place::Global { .. } => "st.global",
        Place::Shared(_) => "st.shared",
    };
    if cx.ir.ty(value).is_vector() {
        return write_vector(cx, op, name, &address, elem);
    }
    let reg = cx.reg(value, kind);
    let reg = match elem {
        Scalar::Int(1) => {
            let [one, zero] = [1, 0].map(|bit| Operand::Imm(Kind::B32, bit));
            cx.compute("selp.b32", Kind::B32, &[one, zero, reg.into()])
        }
        Scalar::Index if kind == Kind::B32 => cx.compute("cvt.s64.s32", Kind::B64, &[reg.into()]),
        _ => reg,
    };
    cx.inst(format_args!("{name}.{} {address}, {reg}", access_type(elem)));
    Ok(())
}

fn write_vector(cx: &mut Cx<'_>, op: OpId, name: &str, address: &Address, elem: Scalar) -> Result<(), Diag> {
    let atoms = cx.atoms(cx.ir.operand(op, 0));
    let n_elems = atoms.len();
    let (elem, words) = match elem {
        Scalar::Int(1) => (BYTE, bytes_of_bits(cx, &atoms)),
        _ => {
            vector_kind(cx, op, elem, n_elems)?;
            (elem, cx.words(elem, &atoms))
        }
    };
    for (piece, offset) in pieces(&words, word_bytes(elem, n_elems)) {
        let (width, list) = group(piece);
        let ty = if Cx::per_word(elem, n_elems) > 1 { "b32" } else { access_type(elem) };
        cx.inst(format_args!("{name}{width}.{ty} {}, {list}", address.plus(offset)));
    }
    Ok(())
}

/// The class of registers of a vector that is moved as it lies in memory.
fn vector_kind(cx: &Cx<'_>, op: OpId, elem: Scalar, n_elems: usize) -> Result<Kind, Diag> {
    let whole =
        (matches!(elem.bits(), 8 | 16 | 19 | 32 | 64) && elem != Scalar::Index) || matches!(elem, Scalar::Int(2..=7));
    let kind = cx.word_kind(elem, n_elems).filter(|_| whole && n_elems > 0);
    kind.ok_or_else(|| cx.cannot(op, &format!("no instruction moves a vector of {n_elems} x {elem}")))
}

/// Bytes of memory behind each register of a vector.
fn word_bytes(elem: Scalar, n_elems: usize) -> i64 {
    (elem.bytes() * Cx::per_word(elem, n_elems)) as i64
}

/// Splits registers into the widest accesses that they divide into, at most 16 bytes each: with the byte offset of each.
fn pieces(words: &[Reg], bytes: i64) -> impl Iterator<Item = (&[Reg], i64)> {
    let n = [4, 2, 1]
        .into_iter()
        .find(|&n| words.len().is_multiple_of(n) && n as i64 * bytes <= 16)
        .expect("one register is an access");
    words.chunks(n).zip((0..).step_by(n * bytes as usize))
}

/// The width suffix of an access and its list of registers.
fn group(regs: &[Reg]) -> (&'static str, String) {
    match regs {
        [one] => ("", one.to_string()),
        regs => {
            let names: Vec<String> = regs.iter().map(Reg::to_string).collect();
            (if regs.len() == 2 { ".v2" } else { ".v4" }, format!("{{{}}}", names.join(", ")))
        }
    }
}

/// The type of an access. Narrow integers fill a 32-bit register with zeros above.
fn access_type(elem: Scalar) -> &'static str {
    match elem {
        Scalar::Float(Float::F16 | Float::BF16) => "b16",
        Scalar::Float(Float::F32 | Float::TF32) => "f32",
        Scalar::Float(Float::F64) => "f64",
        elem => match elem.bytes() {
            1 => "u8",
            2 => "u16",
            4 => "b32",
            _ => "b64",
        },
    }
}

impl Address {
    fn plus(&self, bytes: i64) -> Address {
        match *self {
            Address::Global(reg, offset) => Address::Global(reg, offset + bytes),
            Address::Shared(reg, offset) => Address::Shared(reg, offset + bytes),
            Address::Symbol(number, offset) => Address::Symbol(number, offset + bytes),
        }
    }
}

/// The address of one access.
pub(super) fn access(
    cx: &mut Cx<'_>,
    op: OpId,
    buffer: usize,
    indices: &[ValueId],
    elem: Scalar,
) -> Result<Address, Diag> {
    if elem != cx.buffers[buffer].elem {
        return Err(cx.cannot(op, "the elements accessed are not those of the buffer"));
    }
    let (dynamic, constant) = match indices {
        [] => (None, 0),
        [index] => split(cx.ir, *index),
        _ => return Err(cx.cannot(op, "an access must have one index: lower it to linear memory first")),
    };
    let bytes = constant
        .checked_mul(elem.bytes() as i64)
        .ok_or_else(|| cx.cannot(op, &format!("the index {constant} is out of any memory")))?;
    // Immediates have 32 bits; the last piece of a vector lies less than 4096 bytes further.
    let immediate = i32::try_from(bytes).is_ok() && i32::try_from(bytes + 4096).is_ok();
    let address = match (cx.buffers[buffer].place, dynamic) {
        (Place::Global { base, .. }, None) => Address::Global(base, bytes),
        (Place::Shared(number), None) => {
            let (symbol, start) = cx.shared_symbol(number);
            Address::Symbol(symbol, start + bytes)
        }
        (Place::Global { .. }, Some(index)) => Address::Global(element(cx, buffer, index), bytes),
        (Place::Shared(_), Some(index)) => Address::Shared(element(cx, buffer, index), bytes),
    };
    match address {
        Address::Global(reg, bytes) if !immediate => {
            let reg = cx.compute("add.s64", Kind::B64, &[reg.into(), Operand::Imm(Kind::B64, bytes as u64)]);
            Ok(Address::Global(reg, 0))
        }
        Address::Shared(..) | Address::Symbol(..) if !immediate => {
            Err(cx.cannot(op, &format!("the index {constant} is out of any shared memory")))
        }
        address => Ok(address),
    }
}

/// Where an element of a buffer in shared memory lies, as a register and bytes behind it.
pub(super) fn shared_start(
    cx: &mut Cx<'_>,
    op: OpId,
    buffer: usize,
    index: ValueId,
    elem: Scalar,
) -> Result<(Reg, i64), Diag> {
    match access(cx, op, buffer, &[index], elem)? {
        Address::Shared(reg, bytes) => Ok((reg, bytes)),
        Address::Symbol(..) => {
            let Place::Shared(number) = cx.buffers[buffer].place else { unreachable!("it lies in shared memory") };
            let bytes = split(cx.ir, index).1 * elem.bytes() as i64;
            Ok((symbol(cx, number), bytes))
        }
        Address::Global(..) => Err(cx.cannot(op, "the tile does not lie in shared memory")),
    }
}

/// The address of a buffer in shared memory.
fn symbol(cx: &mut Cx<'_>, number: usize) -> Reg {
    cx.known(Known::Symbol(number), |cx| {
        let base = cx.fresh(Kind::B32);
        match cx.shared_symbol(number) {
            (symbol, 0) => cx.inst(format_args!("mov.u32 {base}, {symbol}")),
            (symbol, start) => cx.inst(format_args!("mov.u32 {base}, {symbol}+{start}")),
        }
        base
    })
}

/// The address of a buffer's element at a dynamic index, computed once in each scope.
fn element(cx: &mut Cx<'_>, buffer: usize, index: ValueId) -> Reg {
    if let Some((outer, inner)) = split_at_loop(cx, index) {
        return cx.known(Known::Address(buffer, index), |cx| {
            let base = element(cx, buffer, outer);
            let (value, factor) = scaled(cx, inner);
            let (kind, bytes) = (cx.index, cx.buffers[buffer].elem.bytes() as i64 * factor);
            let mut at = cx.reg(value, kind);
            if kind == Kind::B64 {
                at = cx.compute("cvt.u32.u64", Kind::B32, &[at.into()]);
            }
            let bytes = Operand::Imm(Kind::B32, bytes as u64);
            cx.compute("mad.lo.s32", Kind::B32, &[at.into(), bytes, base.into()])
        });
    }
    cx.known(Known::Address(buffer, index), |cx| {
        let kind = cx.index;
        let at = cx.reg(index, kind);
        let size = cx.buffers[buffer].elem.bytes() as u64;
        match cx.buffers[buffer].place {
            Place::Global { base, .. } => {
                let name = if kind == Kind::B32 { "mad.wide.s32" } else { "mad.lo.s64" };
                cx.compute(name, Kind::B64, &[at.into(), Operand::Imm(kind, size), base.into()])
            }
            Place::Shared(number) => {
                // Shared memory is small: the low half of a wide index says it all.
                let at = if kind == Kind::B64 { cx.compute("cvt.u32.u64", Kind::B32, &[at.into()]) } else { at };
                let base = symbol(cx, number);
                cx.compute("mad.lo.s32", Kind::B32, &[at.into(), Operand::Imm(Kind::B32, size), base.into()])
            }
        }
    })
}

/// The two terms of a folded sum that is not a constant apart: what is known in front of the loop, and what is not.
fn split_at_loop(cx: &Cx<'_>, index: ValueId) -> Option<(ValueId, ValueId)> {
    let op = cx.ir.def_op(index).filter(|&op| cx.folded[op.index()])?;
    loop_sum(cx.ir, op)
}

/// A value as a factor times another value, where the product has been folded.
fn scaled(cx: &Cx<'_>, value: ValueId) -> (ValueId, i64) {
    let product = cx.ir.def_op(value).filter(|&op| cx.folded[op.index()]).and_then(|op| constant_product(cx.ir, op));
    product.unwrap_or((value, 1))
}

/// The terms of a sum in a loop, the one that is computed in front of the loop first, if the other one is not.
fn loop_sum(ir: &Ir, op: OpId) -> Option<(ValueId, ValueId)> {
    let sum = ir.opcode(op) == Opcode::ArithAddi && *ir.ty(ir.result(op, 0)) == Type::Index;
    if !sum || constant_sum(ir, op).is_some() {
        return None;
    }
    let block = ir.parent_block(op)?;
    let around = ir.region_parent(ir.block_region(block));
    let is_inner = |value: ValueId| match ir.def(value) {
        Def::Result { op, .. } => ir.parent_block(op) == Some(block),
        Def::Arg { block: at, .. } => at == block,
    };
    let [lhs, rhs] = [0, 1].map(|operand| ir.operand(op, operand));
    match (is_inner(lhs), is_inner(rhs)) {
        (false, true) if ir.opcode(around) == Opcode::ScfFor => Some((lhs, rhs)),
        (true, false) if ir.opcode(around) == Opcode::ScfFor => Some((rhs, lhs)),
        _ => None,
    }
}

/// The parts of `%x * constant` on indices, where the constant is small.
fn constant_product(ir: &Ir, op: OpId) -> Option<(ValueId, i64)> {
    if ir.opcode(op) != Opcode::ArithMuli || *ir.ty(ir.result(op, 0)) != Type::Index {
        return None;
    }
    let [lhs, rhs] = [0, 1].map(|operand| ir.operand(op, operand));
    ir.const_int(rhs).filter(|factor| (1..1 << 20).contains(factor)).map(|factor| (lhs, factor))
}

/// Whether an operand is the index that an asynchronous copy reads.
fn is_source(ir: &Ir, op: OpId, operand: usize) -> bool {
    ir.opcode(op) == Opcode::NvgpuDeviceAsyncCopy && operand == 3
}

/// Whether an operand is an index of shared memory.
fn is_shared_index(ir: &Ir, op: OpId, operand: usize) -> bool {
    let shared = |base: ValueId| match ir.ty(base) {
        Type::MemRef { space, .. } => space.and_then(|space| ir.keyword(space)) == Some("workgroup"),
        _ => false,
    };
    places(ir, op).any(|(base, at)| at == operand && shared(base))
}

/// Computes the addresses that the operations nested in `op` take of indices known in front of it.
pub(super) fn hoist_addresses(cx: &mut Cx<'_>, op: OpId) {
    for access in cx.ir.walk(op) {
        for (base, at) in places(cx.ir, access) {
            let (Some(index), _) = split(cx.ir, cx.ir.operand(access, at)) else { continue };
            let sum = split_at_loop(cx, index);
            let index = sum.map_or(index, |(outer, _)| outer);
            if cx.is_bound(base) && cx.is_bound(index) {
                let buffer = cx.buffer(base);
                element(cx, buffer, index);
            }
        }
    }
}

/// Marks the index additions that accesses fold into their immediates, so that they need no instruction.
pub(super) fn fold_indices(cx: &mut Cx<'_>, func: OpId) {
    let ops = cx.ir.walk(func);
    // Users come after what they use: from the back, each decision about a user is already taken.
    for &op in ops.iter().rev() {
        let result = cx.ir.results(op).next();
        let all = |cx: &Cx<'_>, fits: &dyn Fn(OpId, usize) -> bool| {
            result.is_some_and(|result| cx.ir.uses(result).all(|(user, operand)| fits(user, operand)))
        };
        if loop_sum(cx.ir, op).is_some() {
            // The address of what the loop does not change is a register more, and what it does change one instruction
            // instead of two. Copies read from one more place each; other accesses have immediates.
            let ir = cx.ir;
            let is_constant_sum = |user: OpId| constant_sum(ir, user).is_some();
            let takes = |user: OpId, at: usize| is_shared_index(ir, user, at) || is_source(ir, user, at);
            let folds = all(cx, &|user, operand| {
                let through = is_constant_sum(user) && cx.folded[user.index()];
                through && ir.uses(ir.result(user, 0)).all(|(next, at)| takes(next, at)) || takes(user, operand)
            });
            cx.folded[op.index()] = folds;
        } else if constant_product(cx.ir, op).is_some() {
            // What a loop adds to an address takes a factor; the address that it is added to is computed of its index.
            let is_inner = |user: OpId| loop_sum(cx.ir, user).is_some_and(|(_, inner)| Some(inner) == result);
            let folds = all(cx, &|user, _| cx.folded[user.index()] && is_inner(user));
            cx.folded[op.index()] = folds;
        } else if constant_sum(cx.ir, op).is_some() {
            // The terms of a loop's sum are asked for as they are.
            let through = |user: OpId| constant_sum(cx.ir, user).is_some() && cx.folded[user.index()];
            let folds = all(cx, &|user, operand| through(user) || places(cx.ir, user).any(|(_, at)| at == operand));
            cx.folded[op.index()] = folds;
        }
    }
}

/// The memrefs of a lowered access, each with the number of the operand that is its index.
fn places(ir: &Ir, op: OpId) -> impl Iterator<Item = (ValueId, usize)> + '_ {
    let operands = ir.operands(op);
    let bases: &[usize] = match ir.opcode(op) {
        Opcode::MemrefLoad | Opcode::VectorLoad | Opcode::NvgpuLdmatrix => &[0],
        Opcode::MemrefStore | Opcode::VectorStore | Opcode::NvgpuStmatrix => &[1],
        Opcode::NvgpuDeviceAsyncCopy => &[0, 2],
        Opcode::NvgpuWgmma if operands.len() == 4 => &[1],
        Opcode::NvgpuWgmma => &[0, 2],
        _ => &[],
    };
    bases.iter().filter(|&&base| base + 1 < operands.len()).map(|&base| (operands[base], base + 1))
}
