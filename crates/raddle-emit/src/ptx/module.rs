//! The frame around a kernel's body: header, parameters, registers and shared memory.

use std::fmt::Write;

use raddle_ir::interface::Interface;
use raddle_ir::{Diag, Ir, OpId, Scalar, Type, ValueId};
use raddle_target::Lowered;

use crate::kernel::{
    SHARED_ALIGN, Shared, by, entry_name, grid_of, index_is_narrow, is_written, linear_elem, shape_text,
    shared_buffers, workgroup_size,
};

use super::memory::{self, Buffer, Place};
use super::value::{Atom, Cx, Held, Kind};
use super::{Options, STATIC_SHARED_BYTES_MAX};
use super::{int, interface, jumps};

/// The whole text. The header stands behind what is said of a single kernel, and in front of several.
pub(super) fn emit(ir: &Ir, kernels: &[Lowered], options: &Options) -> Result<String, Diag> {
    let entries = kernels.iter().map(|lowered| entry(ir, lowered, options)).collect::<Result<Vec<Entry>, Diag>>()?;
    let version = entries.iter().map(|entry| entry.version).max().unwrap_or_default();
    let target = kernels.first().map_or("", |lowered| lowered.chip().name);
    let mut header = format!(".version {version}\n.target {target}\n.address_size 64\n\n");
    if let Some(source) = &options.source {
        writeln!(header, ".file 1 {:?}\n", source.name).expect("writing to a string succeeds");
    }
    if let Some(align) = entries.iter().filter_map(|entry| entry.array).max() {
        writeln!(header, ".extern .shared .align {align} .b8 smem[];\n").expect("writing to a string succeeds");
    }
    let pieces = |entry: &Entry| entry.facts.len() + entry.head.len() + entry.body.len() + 1;
    let mut text = String::with_capacity(header.len() + entries.iter().map(pieces).sum::<usize>());
    let (in_front, behind) = if entries.len() == 1 { ("", &header[..]) } else { (&header[..], "") };
    text.push_str(in_front);
    for (n, entry) in entries.iter().enumerate() {
        for piece in [if n > 0 { "\n" } else { "" }, &entry.facts, behind, &entry.head, &entry.body] {
            text.push_str(piece);
        }
    }
    Ok(text)
}

/// One kernel of a module.
struct Entry {
    /// Comments that say what it takes.
    facts: String,
    /// The PTX version that it asks for; all begin with the same digit.
    version: &'static str,
    /// What the array in shared memory that the launch asks for is aligned to, if there is one.
    array: Option<u64>,
    /// Its declarations, and its instructions.
    head: String,
    body: String,
}

fn entry(ir: &Ir, lowered: &Lowered, options: &Options) -> Result<Entry, Diag> {
    let func = lowered.func();
    let index = if index_is_narrow(ir, func) { Kind::B32 } else { Kind::B64 };
    let mut cx = Cx::new(ir, lowered, options, index);
    let symbol = ir.symbol_name(func).unwrap_or_default();
    let name = entry_name(symbol);
    let Some(body) = ir.body(func, 0) else { return Err(cx.cannot(func, "a kernel has a body")) };
    if !ir.signature(func).1.is_empty() {
        return Err(cx.cannot(func, "a kernel returns nothing: results are buffers"));
    }
    let shared = shared_buffers(ir, lowered)?;
    let total = shared.last().map_or(0, |last| last.end);
    if total > STATIC_SHARED_BYTES_MAX {
        cx.shared_starts = Some(shared.iter().map(|buffer| buffer.start).collect());
    }
    let args = ir.args(body).to_vec();
    let params = match Interface::of(ir, func)? {
        None => {
            let of = |(number, &arg): (usize, &ValueId)| parameter(&mut cx, func, &format!("arg{number}"), arg);
            args.iter().enumerate().map(of).collect::<Result<Vec<_>, _>>()?
        }
        Some(interface) => interface::parameters(&mut cx, func, &args, &interface)?,
    };
    if lowered.chip().waits_for_grids {
        // Where it is launched before the kernel in front of it is done, nothing is read or written before that; then the
        // kernel behind it may come.
        cx.need("7.8");
        cx.inst(format_args!("griddepcontrol.wait"));
        cx.inst(format_args!("griddepcontrol.launch_dependents"));
    }
    memory::fold_indices(&mut cx, func);
    jumps::region(&mut cx, func, ir.block_region(body), |cx, _| {
        cx.inst(format_args!("ret"));
        Ok(())
    })?;
    let (mut facts, mut head) = (String::new(), String::new());
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
    let mut write = |line: std::fmt::Arguments<'_>| write_to(&mut head, line);
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
    let align = shared.iter().map(|buffer| buffer.align).max().unwrap_or(SHARED_ALIGN);
    let own: &[Shared] = if cx.shared_starts.is_some() { &[] } else { &shared };
    for (number, Shared { bytes, align, .. }) in own.iter().enumerate() {
        write(format_args!("    .shared .align {align} .b8 smem_{number}[{bytes}];"));
    }
    head.push('\n');
    cx.text.push_str("}\n");
    let array = cx.shared_starts.is_some().then_some(align);
    Ok(Entry { facts, version: cx.version, array, head, body: cx.text.into_string() })
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
    if let Type::MemRef { .. } = cx.ir.ty(arg) {
        let elem = buffer_elem(cx, func, arg)?;
        let written = is_written(cx.ir, arg);
        let comment = format!("{}, {}", shape_text(cx.ir, arg, elem), if written { "written" } else { "only read" });
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
    let elem = linear_elem(cx.ir, memref).map_err(|why| cx.cannot(op, why))?;
    cx.kind_of(elem).ok_or_else(|| cx.cannot(op, &format!("no register holds {elem}")))?;
    Ok(elem)
}
