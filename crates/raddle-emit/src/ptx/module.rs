//! The frame around a kernel's body: header, parameters, registers and shared memory.

use std::fmt::Write;

use raddle_ir::extents::{self, Known, Sizes};
use raddle_ir::interface::{Interface, Slot};
use raddle_ir::{Attr, Code, Diag, Expr, Ir, OpId, Opcode, Scalar, Type, ValueId};
use raddle_target::Lowered;

use super::memory::{self, Buffer, Place};
use super::value::{Atom, Cx, Held, Kind};
use super::{Options, STATIC_SHARED_BYTES_MAX};
use super::{int, interface, jumps};

/// Every shared buffer starts at a multiple of this, so that 16-byte accesses are aligned.
const SHARED_ALIGN: u64 = 16;

/// The whole text. The header stands behind what is said of a single kernel, and in front of several.
pub(super) fn emit(ir: &Ir, kernels: &[Lowered], options: &Options) -> Result<String, Diag> {
    let entries = kernels.iter().map(|lowered| entry(ir, lowered, options)).collect::<Result<Vec<Entry>, Diag>>()?;
    let version = entries.iter().map(|entry| entry.version).max().unwrap_or_default();
    let target = kernels.first().map_or("", |lowered| lowered.chip().name);
    let mut header = format!(".version {version}\n.target {target}\n.address_size 64\n\n");
    if let Some(source) = &options.source {
        writeln!(header, ".file 1 {:?}\n", source.name).expect("writing to a string succeeds");
    }
    if entries.iter().any(|entry| entry.asks_for_shared) {
        writeln!(header, ".extern .shared .align {SHARED_ALIGN} .b8 smem[];\n").expect("writing to a string succeeds");
    }
    Ok(match &entries[..] {
        [only] => format!("{}{header}{}", only.facts, only.code),
        several => {
            let parts: Vec<String> = several.iter().map(|entry| format!("{}{}", entry.facts, entry.code)).collect();
            format!("{header}{}", parts.join("\n"))
        }
    })
}

/// One kernel of a module.
struct Entry {
    /// Comments that say what it takes.
    facts: String,
    /// The PTX version that it asks for; all begin with the same digit.
    version: &'static str,
    /// Whether its shared memory is the array that the launch asks for.
    asks_for_shared: bool,
    code: String,
}

fn entry(ir: &Ir, lowered: &Lowered, options: &Options) -> Result<Entry, Diag> {
    let func = lowered.func();
    let mut cx = Cx::new(ir, lowered, options, index_kind(ir, func));
    let symbol = ir.symbol_name(func).unwrap_or_default();
    let name = entry_name(symbol);
    let Some(body) = ir.body(func, 0) else { return Err(cx.cannot(func, "a kernel has a body")) };
    if !ir.signature(func).1.is_empty() {
        return Err(cx.cannot(func, "a kernel returns nothing: results are buffers"));
    }
    let shared = shared_buffers(&cx, func)?;
    let total: u64 = shared.iter().map(|bytes| bytes.next_multiple_of(SHARED_ALIGN)).sum();
    if total > STATIC_SHARED_BYTES_MAX {
        let mut end = 0;
        let starts = shared.iter().map(|bytes| {
            end += bytes.next_multiple_of(SHARED_ALIGN);
            end - bytes.next_multiple_of(SHARED_ALIGN)
        });
        cx.shared_starts = Some(starts.collect());
    }
    let args = ir.args(body).to_vec();
    let params = match Interface::of(ir, func)? {
        None => {
            let of = |(number, &arg): (usize, &ValueId)| parameter(&mut cx, func, &format!("arg{number}"), arg);
            args.iter().enumerate().map(of).collect::<Result<Vec<_>, _>>()?
        }
        Some(interface) => interface::parameters(&mut cx, func, &args, &interface)?,
    };
    memory::fold_indices(&mut cx, func);
    jumps::region(&mut cx, func, ir.block_region(body), |cx, _| {
        cx.inst(format_args!("ret"));
        Ok(())
    })?;
    let (mut facts, mut code) = (String::new(), String::new());
    let workgroup = workgroup_size(ir, func);
    let grid = ir.attr_id(func, "gpu.known_grid_size").and_then(|attr| ir.ints(attr));
    let write_to = |out: &mut String, line: std::fmt::Arguments<'_>| {
        writeln!(out, "{line}").expect("writing to a string succeeds");
    };
    let mut write = |line: std::fmt::Arguments<'_>| write_to(&mut facts, line);
    write(format_args!("// {name}"));
    if name != symbol {
        write(format_args!("// the function {symbol:?}"));
    }
    if let Some(grid) = grid {
        write(format_args!("// grid: {}", by(&grid)));
    }
    if let Some(grid) = grid_of(ir, func)? {
        write(format_args!("// grid: ({})", grid.join(") x (")));
    }
    if let Some(workgroup) = &workgroup {
        write(format_args!("// workgroup: {}", by(workgroup)));
    }
    for param in &params {
        write(format_args!("// {}: {}", param.name, param.comment));
    }
    let asked = if cx.shared_starts.is_some() { ", asked for by the launch" } else { "" };
    write(format_args!("// shared memory: {total} bytes{asked}"));
    let mut write = |line: std::fmt::Arguments<'_>| write_to(&mut code, line);
    let list: Vec<String> = params.iter().map(|param| format!("\n    .param .{} {}", param.ty, param.name)).collect();
    write(format_args!(".visible .entry {name}({}\n)", list.join(",")));
    if let Some([x, y, z]) = lowered.workgroup_size() {
        write(format_args!(".reqntid {x}, {y}, {z}"));
    }
    write(format_args!("{{"));
    for (kind, ty, prefix) in Kind::ALL {
        let count = cx.counts[kind as usize];
        if count > 0 {
            write(format_args!("    .reg .{ty} {prefix}<{count}>;"));
        }
    }
    let own: &[u64] = if cx.shared_starts.is_some() { &[] } else { &shared };
    for (number, bytes) in own.iter().enumerate() {
        write(format_args!("    .shared .align {SHARED_ALIGN} .b8 smem_{number}[{bytes}];"));
    }
    write(format_args!("\n{}}}", cx.text));
    Ok(Entry { facts, version: cx.version, asks_for_shared: cx.shared_starts.is_some(), code })
}

/// The numbers of workgroups along x, y and z as expressions of the entry's parameters, where they depend on these.
///
/// Sums, products, `floordiv`, `ceildiv` and `mod` of parameters and numbers, as MLIR spells them.
pub(super) fn grid_of(ir: &Ir, func: OpId) -> Result<Option<Vec<String>>, Diag> {
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
    let text = |expr: &Expr| expr.replaced(&[], &syms).settled().to_string().replace('s', "arg");
    Ok(Some(map.results.iter().map(text).collect()))
}

/// `8 x 4 x 1`
fn by(extents: &[i64]) -> String {
    extents.iter().map(i64::to_string).collect::<Vec<_>>().join(" x ")
}

/// The entry's name: the function's, if PTX can spell it. Otherwise every byte that it has no letter for becomes `$` and
/// two hexadecimal digits, and what cannot stand first or alone gets `k$` in front.
pub(super) fn entry_name(name: &str) -> String {
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

/// One parameter of the entry.
pub(super) struct Param {
    pub name: String,
    pub ty: &'static str,
    pub comment: String,
}

/// Loads one argument, and says how it is declared.
pub(super) fn parameter(cx: &mut Cx<'_>, func: OpId, name: &str, arg: ValueId) -> Result<Param, Diag> {
    let name = name.to_owned();
    if let Type::MemRef { shape, .. } = cx.ir.ty(arg) {
        let elem = buffer_elem(cx, func, arg)?;
        let extents: String = shape.iter().map(|&n| if n < 0 { "?x".to_owned() } else { format!("{n}x") }).collect();
        let written = memory::is_written(cx.ir, arg);
        let comment = format!("memref<{extents}{elem}>, {}", if written { "written" } else { "only read" });
        let generic = cx.fresh(Kind::B64);
        cx.inst(format_args!("ld.param.u64 {generic}, [{name}]"));
        let base = cx.compute("cvta.to.global.u64", Kind::B64, &[generic.into()]);
        cx.hold(arg, Held::Buffer(cx.buffers.len()));
        cx.buffers.push(Buffer { elem, place: Place::Global { base, constant: !written } });
        return Ok(Param { name, ty: "u64", comment });
    }
    let (scalar, kind) = cx.scalar(func, arg)?;
    if cx.ir.ty(arg).shape().is_some() {
        return Err(cx.cannot(func, "a kernel's arguments are memrefs and scalars"));
    }
    let comment = scalar.to_string();
    let (ty, reg) = match (scalar, kind) {
        (Scalar::Index, Kind::B32) => {
            let wide = cx.fresh(Kind::B64);
            cx.inst(format_args!("ld.param.u64 {wide}, [{name}]"));
            ("u64", cx.compute("cvt.u32.u64", Kind::B32, &[wide.into()]))
        }
        (_, Kind::Pred) => {
            let byte = cx.fresh(Kind::B32);
            cx.inst(format_args!("ld.param.u8 {byte}, [{name}]"));
            ("u8", int::is_nonzero(cx, byte))
        }
        (scalar, kind) => {
            let ty = match (kind, scalar.bytes()) {
                (Kind::B16, _) => "b16",
                (Kind::F32, _) => "f32",
                (Kind::F64, _) => "f64",
                (_, 1) => "u8",
                (_, 2) => "u16",
                (_, 4) => "u32",
                _ => "u64",
            };
            let reg = cx.fresh(kind);
            cx.inst(format_args!("ld.param.{ty} {reg}, [{name}]"));
            (ty, reg)
        }
    };
    cx.bind(arg, Atom::Reg(reg));
    Ok(Param { name, ty, comment })
}

/// The element type of a memref that is linear memory.
pub(super) fn buffer_elem(cx: &Cx<'_>, op: OpId, memref: ValueId) -> Result<Scalar, Diag> {
    let Type::MemRef { shape, elem, layout, .. } = cx.ir.ty(memref) else {
        return Err(cx.cannot(op, "it is not a memref"));
    };
    let identity = layout.is_none_or(|layout| match &cx.ir[layout] {
        Attr::Map(map) => *map == raddle_ir::Map::identity(shape.len()),
        Attr::Strided { offset, strides } => *offset == 0 && strides.iter().all(|&stride| stride == 1),
        _ => false,
    });
    if shape.len() > 1 || !identity {
        return Err(cx.cannot(op, "a memref must be linear memory: lower it first"));
    }
    cx.scalar_type(op, *elem).map(|(scalar, _)| scalar)
}

/// Bytes of each shared buffer, if they all fit.
fn shared_buffers(cx: &Cx<'_>, func: OpId) -> Result<Vec<u64>, Diag> {
    let (ir, chip) = (cx.ir, cx.lowered.chip());
    let mut sizes = Vec::new();
    let mut total = 0u64;
    for op in ir.walk(func) {
        if ir.opcode(op) != Opcode::MemrefAlloc {
            continue;
        }
        let result = ir.result(op, 0);
        let elem = buffer_elem(cx, op, result)?;
        let bytes = ir
            .shape_of(result)
            .iter()
            .try_fold(elem.bytes() as u64, |bytes, &extent| bytes.checked_mul(u64::try_from(extent).ok()?));
        let bytes = bytes.filter(|&bytes| bytes > 0);
        let bytes = bytes.ok_or_else(|| cx.cannot(op, "shared memory has a constant size above 0"))?;
        total = total.saturating_add(bytes).next_multiple_of(SHARED_ALIGN);
        if total > u64::from(chip.shared_bytes_max) {
            let message = format!("the kernel needs {total} bytes of shared memory or more");
            let limit = format!("{} has {} bytes for one workgroup", chip.name, chip.shared_bytes_max);
            return Err(Diag::error(Code::TooMuchShared, ir.span(op), message)
                .label("this allocation does not fit any more")
                .note(limit)
                .help("choose a smaller workgroup tile, or promote fewer operands"));
        }
        sizes.push(bytes);
    }
    Ok(sizes)
}

/// Threads of a workgroup along x, y, z.
fn workgroup_size(ir: &Ir, func: OpId) -> Option<Vec<i64>> {
    let info = ir.attr_id(func, "translation_info")?;
    ir.ints(ir.field(info, "workgroup_size")?)
}

/// 32 bits for indices if every buffer is below 2 GiB, and no constant, such as a loop's bound, says otherwise.
fn index_kind(ir: &Ir, func: OpId) -> Kind {
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
    let all = args.into_iter().all(small) && ops.iter().all(|&op| constant_fits(op) && ir.results(op).all(small));
    if all { Kind::B32 } else { Kind::B64 }
}
