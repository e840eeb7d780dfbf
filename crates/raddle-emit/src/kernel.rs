//! What printers of every language read of a lowered kernel: its names, grid, buffers and indices.

use std::fmt::Write;

use raddle_ir::extents::{self, Known, Sizes};
use raddle_ir::interface::{Interface, Slot};
use raddle_ir::{Attr, Class, Code, Diag, Expr, Ir, OpId, Opcode, Scalar, Type, TypeId, ValueId};
use raddle_target::Lowered;
use raddle_target::stage::shared_alignment;
use rustc_hash::FxHashSet;

/// Every shared buffer starts at a multiple of this, so that 16-byte accesses are aligned.
pub(crate) const SHARED_ALIGN: u64 = 16;

/// What `memref.atomic_rmw` does with its two operands, by MLIR's number of the kind.
const ATOMIC_KINDS: [&str; 16] = [
    "addf", "addi", "andi", "assign", "maximumf", "maxnumf", "maxs", "maxu", "minimumf", "minnumf", "mins", "minu",
    "mulf", "muli", "ori", "xori",
];

/// The diagnostic that an operation has no form here, and why.
pub(crate) fn cannot(ir: &Ir, lowered: &Lowered, op: OpId, why: &str) -> Diag {
    let message = format!("cannot write `{}` for {}", ir.name(op), lowered.chip().name);
    Diag::error(Code::CannotEmit, ir.span(op), message).label(why)
}

/// What an atomic access does, as MLIR spells it; empty where the number is none of its kinds.
pub(crate) fn atomic_kind(ir: &Ir, op: OpId) -> &'static str {
    let number = ir.attr(op, "kind").and_then(|attr| attr.as_i64()).and_then(|number| usize::try_from(number).ok());
    number.and_then(|number| ATOMIC_KINDS.get(number)).copied().unwrap_or_default()
}

/// The extents of a memref and its elements, for comments.
pub(crate) fn shape_text(ir: &Ir, memref: ValueId, elem: Scalar) -> String {
    let extents = ir.shape_of(memref).iter().map(|&n| if n < 0 { "?x".to_owned() } else { format!("{n}x") });
    format!("memref<{}{elem}>", extents.collect::<String>())
}

/// The numbers of workgroups along x, y and z as expressions of the entry's parameters, where they depend on these.
///
/// Sums, products, `floordiv`, `ceildiv` and `mod` of parameters and numbers, as MLIR spells them.
pub(crate) fn grid_of(ir: &Ir, func: OpId) -> Result<Option<Vec<String>>, Diag> {
    let text = |expr: &Expr| expr.to_string().replace('s', "arg");
    Ok(grid_exprs(ir, func)?.map(|exprs| exprs.iter().map(text).collect()))
}

/// The same as expressions; a symbol is numbered as the parameter that it is.
pub(crate) fn grid_exprs(ir: &Ir, func: OpId) -> Result<Option<Vec<Expr>>, Diag> {
    let Some(Sizes { of, map }) = Sizes::grid(ir, func)? else { return Ok(None) };
    let interface = Interface::of(ir, func)?;
    let extents = extents::taken(ir, func)?;
    let n_args = ir.signature(func).0.len();
    // A symbol is numbered as the parameter that it is; constants of an interface stand behind its bindings.
    let parameter = |number: usize| Expr::Sym(number as u32);
    let mut syms = Vec::new();
    for known in of {
        let number = match known {
            Known::Number(number) => number,
            // What is linear memory has no extents any more.
            Known::Extent(..) => return Ok(None),
        };
        let Some(interface) = &interface else {
            syms.push(parameter(number));
            continue;
        };
        let slots: Vec<&Slot> = interface.arguments.iter().chain(&interface.results).collect();
        let extent = number.checked_sub(n_args - extents.len()).map(|at| extents[at]);
        let slot = extent.map_or(slots.get(number), |(argument, _)| slots.get(argument));
        syms.push(match (slot, extent) {
            (Some(Slot::Binding { extents, .. }), Some((_, dim))) if dim < extents.results.len() => {
                let constants: Vec<Expr> =
                    (0..interface.constants).map(|at| parameter(interface.bindings + at)).collect();
                extents.results[dim].replaced(&[], &constants)
            }
            (Some(Slot::Constant(at)), None) => parameter(interface.bindings + at),
            _ => return Ok(None),
        });
    }
    Ok(Some(map.results.iter().map(|expr| expr.replaced(&[], &syms).simplified()).collect()))
}

/// `8 x 4 x 1`
pub(crate) fn by(extents: &[i64]) -> String {
    extents.iter().map(i64::to_string).collect::<Vec<_>>().join(" x ")
}

/// The entry's name: the function's, if PTX and assemblers can spell it. Otherwise every byte that they have no letter for
/// becomes `$` and
/// two hexadecimal digits, and what cannot stand first or alone gets `k$` in front.
pub(crate) fn entry_name(name: &str) -> String {
    let spelled = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$');
    let mut entry = String::new();
    for byte in name.bytes() {
        if spelled(byte) {
            entry.push(byte.into());
        } else {
            write!(entry, "${byte:02X}").expect("writing to a string succeeds");
        }
    }
    let first = entry.bytes().next();
    let begins = first.is_some_and(|byte| byte.is_ascii_alphabetic())
        || entry.len() > 1 && !first.is_some_and(|byte| byte.is_ascii_digit());
    // The one constant of PTX that looks like a name.
    if begins && entry != "WARP_SZ" { entry } else { format!("k${entry}") }
}

/// The element type of a memref that is linear memory, or why it is not.
pub(crate) fn linear_elem(ir: &Ir, memref: ValueId) -> Result<Scalar, &'static str> {
    let Type::MemRef { shape, elem, layout, .. } = ir.ty(memref) else { return Err("it is not a memref") };
    let identity = layout.is_none_or(|layout| match &ir[layout] {
        Attr::Map(map) => *map == raddle_ir::Map::identity(shape.len()),
        Attr::Strided { offset, strides } => *offset == 0 && strides.iter().all(|&stride| stride == 1),
        _ => false,
    });
    if shape.len() > 1 || !identity {
        return Err("a memref must be linear memory: lower it first");
    }
    Scalar::of(&ir[*elem]).ok_or("a type that no register holds")
}

/// A buffer in shared memory, and where it lies if all of them are one array; in bytes.
pub(crate) struct Shared {
    pub bytes: u64,
    pub align: u64,
    pub start: u64,
    /// Where the next one may begin.
    pub end: u64,
}

/// Bytes of each buffer in shared memory, in order, if they all fit.
pub(crate) fn shared_buffers(ir: &Ir, lowered: &Lowered) -> Result<Vec<Shared>, Diag> {
    let chip = lowered.chip();
    let mut buffers = Vec::new();
    let mut total = 0u64;
    for op in ir.walk(lowered.func()) {
        if ir.opcode(op) != Opcode::MemrefAlloc {
            continue;
        }
        let result = ir.result(op, 0);
        let elem = linear_elem(ir, result).map_err(|why| cannot(ir, lowered, op, why))?;
        let bytes = ir
            .shape_of(result)
            .iter()
            .try_fold(elem.bytes() as u64, |bytes, &extent| bytes.checked_mul(u64::try_from(extent).ok()?));
        let bytes = bytes.filter(|&bytes| bytes > 0);
        let bytes = bytes.ok_or_else(|| cannot(ir, lowered, op, "shared memory has a constant size above 0"))?;
        let align = shared_alignment(ir, op);
        let start = total.next_multiple_of(align);
        total = start.saturating_add(bytes).next_multiple_of(SHARED_ALIGN);
        if total > u64::from(chip.shared_bytes_max) {
            let message = format!("the kernel needs {total} bytes of shared memory or more");
            let limit = format!("{} has {} bytes for one workgroup", chip.name, chip.shared_bytes_max);
            return Err(Diag::error(Code::TooMuchShared, ir.span(op), message)
                .label("this allocation does not fit any more")
                .note(limit)
                .help("choose a smaller workgroup tile, or promote fewer operands"));
        }
        buffers.push(Shared { bytes, align, start, end: total });
    }
    Ok(buffers)
}

/// Threads of a workgroup along x, y, z.
pub(crate) fn workgroup_size(ir: &Ir, func: OpId) -> Option<Vec<i64>> {
    let info = ir.attr_id(func, "translation_info")?;
    ir.ints(ir.field(info, "workgroup_size")?)
}

/// Whether indices have 32 bits: every buffer is below 2 GiB, no constant, such as a loop's bound, says otherwise, and
/// what is computed with numbers from memory is the same in 32 bits.
pub(crate) fn index_is_narrow(ir: &Ir, func: OpId) -> bool {
    let fits = |value: i64| i32::try_from(value).is_ok();
    let small = |value: ValueId| match ir.ty(value) {
        Type::MemRef { shape, elem, .. } => {
            let bytes = Scalar::of(&ir[*elem]).map_or(0, |elem| elem.bytes() as i64);
            shape.iter().try_fold(bytes, |bytes, &extent| bytes.checked_mul(extent)).is_some_and(fits)
                && shape.iter().all(|&extent| extent >= 0)
        }
        _ => true,
    };
    let constant_fits = |op: OpId| match ir.opcode(op) {
        Opcode::ArithConstant => {
            let result = ir.result(op, 0);
            *ir.ty(result) != Type::Index || ir.const_int(result).is_none_or(fits)
        }
        // The counter passes the end by at most one step.
        Opcode::ScfFor => {
            let [end, step] = [1, 2].map(|operand| ir.const_int(ir.operand(op, operand)));
            end.zip(step).is_none_or(|(end, step)| end.checked_add(step).is_some_and(fits))
        }
        _ => true,
    };
    let args = ir.body(func, 0).map(|block| ir.args(block).to_vec()).unwrap_or_default();
    let ops = ir.walk(func);
    args.into_iter().all(small)
        && ops.iter().all(|&op| constant_fits(op) && ir.results(op).all(small))
        && data_is_narrow(ir, &ops)
}

/// Whether indices that come from memory are the same in 32 bits as in 64 wherever that is seen.
///
/// A number of at most 32 bits with a sign is, and so is what is chosen of such. Sums and products may need more bits:
/// in 32 they still name the same place of a small buffer, and are good for nothing else.
fn data_is_narrow(ir: &Ir, ops: &[OpId]) -> bool {
    let is_index = |value: ValueId| *ir.ty(value) == Type::Index || ir[ir.elem_of(value)] == Type::Index;
    // Values, and whether they are the same in 32 bits.
    let mut waiting: Vec<(ValueId, bool)> = Vec::new();
    for &op in ops {
        let is_read = ir.class(op) == Class::Read;
        let is_cast = matches!(ir.opcode(op), Opcode::ArithIndexCast | Opcode::ArithIndexCastui);
        for result in ir.results(op).filter(|&result| is_index(result) && (is_read || is_cast)) {
            let from = if is_cast { Scalar::of(&ir[ir.elem_of(ir.operand(op, 0))]) } else { None };
            let is_signed = ir.opcode(op) == Opcode::ArithIndexCast;
            match from.map(Scalar::bits) {
                Some(bits) if bits <= 32 && is_signed || bits < 32 => waiting.push((result, true)),
                _ => return false,
            }
        }
    }
    let mut seen: FxHashSet<(ValueId, bool)> = waiting.iter().copied().collect();
    while let Some((value, is_same)) = waiting.pop() {
        for (user, operand) in ir.uses(value) {
            let next = match ir.opcode(user) {
                Opcode::ArithAddi | Opcode::ArithSubi | Opcode::ArithMuli | Opcode::ArithShli => Some(false),
                Opcode::ArithSelect | Opcode::VectorBroadcast | Opcode::VectorExtract | Opcode::VectorInsert => {
                    Some(is_same)
                }
                Opcode::ArithMaxsi | Opcode::ArithMinsi if is_same => Some(true),
                Opcode::ArithCmpi if is_same => None,
                // A place in memory; a value that is stored is not.
                _ if ir.class(user) == Class::Read => None,
                _ if ir.class(user) == Class::Write && operand > 0 => None,
                _ => return false,
            };
            let results = ir.results(user).filter_map(|result| Some((result, next?)));
            waiting.extend(results.filter(|&result| seen.insert(result)));
        }
    }
    true
}

/// An index as a dynamic value plus a constant.
pub(crate) fn split(ir: &Ir, mut index: ValueId) -> (Option<ValueId>, i64) {
    let mut constant = 0i64;
    loop {
        if let Some(value) = ir.const_int(index)
            && let Some(sum) = constant.checked_add(value)
        {
            return (None, sum);
        }
        match ir.def_op(index).and_then(|op| constant_sum(ir, op)) {
            Some((rest, value)) if constant.checked_add(value).is_some() => {
                (index, constant) = (rest, constant + value);
            }
            _ => return (Some(index), constant),
        }
    }
}

/// The parts of `%x + constant` on indices.
pub(crate) fn constant_sum(ir: &Ir, op: OpId) -> Option<(ValueId, i64)> {
    if ir.opcode(op) != Opcode::ArithAddi || *ir.ty(ir.result(op, 0)) != Type::Index {
        return None;
    }
    let [lhs, rhs] = [0, 1].map(|operand| ir.operand(op, operand));
    // The bound keeps sums of many constants far from overflow.
    let constant = |value| ir.const_int(value).filter(|constant| constant.unsigned_abs() < 1 << 40);
    constant(rhs).map(|value| (lhs, value)).or_else(|| constant(lhs).map(|value| (rhs, value)))
}

/// The number of elements of a vector type.
pub(crate) fn n_elems(ir: &Ir, ty: TypeId) -> usize {
    ir[ty].shape().unwrap_or(&[]).iter().map(|&extent| extent.max(0) as usize).product()
}

/// Whether a value may be written through: anything but being the base of a load counts.
pub fn is_written(ir: &Ir, memref: ValueId) -> bool {
    ir.uses(memref).any(|(user, operand)| match ir.opcode(user) {
        Opcode::NvgpuDeviceAsyncCopy => operand != 2,
        Opcode::RaddleTileLoad | Opcode::MemrefPrefetch => false,
        _ if ir.class(user) == Class::Read => operand != 0,
        _ => true,
    })
}

/// Whether an operation may read memory through a value. One that does not write may read, unless it is a prefetch.
pub fn is_read(ir: &Ir, memref: ValueId) -> bool {
    ir.uses(memref).any(|(user, _)| ir.class(user) != Class::Write && ir.opcode(user) != Opcode::MemrefPrefetch)
}
