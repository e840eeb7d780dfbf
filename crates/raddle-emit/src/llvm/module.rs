//! The frame around kernels: parameters, shared memory, attributes, declarations, metadata.

use std::collections::BTreeSet;
use std::fmt::Write;

use raddle_ir::affine::BinOp;
use raddle_ir::extents;
use raddle_ir::interface::{Interface, Slot};
use raddle_ir::{Diag, Expr, Float, Ir, OpId, Scalar, Type, ValueId};
use raddle_target::Lowered;

use crate::kernel::{Shared, by, grid_of, is_written, shape_text, shared_buffers, workgroup_size};

use super::convert::resize_int;
use super::dialect::Dialect;
use super::memory::{Buffer, Place, buffer_elem, shared_name};
use super::value::{Cx, Held};
use super::{Options, cpu, entry_name, flow, order, tile};

/// Metadata of the module by their numbers: a loop that stays as it is, its property, a fence for shared memory, and that
/// memory is not used again soon.
const LOOP: usize = 1;
const LOOP_KEPT: usize = 2;
pub(super) const SHARED_FENCE: usize = 3;
pub(super) const NONTEMPORAL: usize = 4;
/// The sizes of workgroups have numbers behind this one.
const SIZES: u32 = 4;

/// The number of the metadata that is a size of workgroups: another one for each, no extent being above 1024.
fn size_number([x, y, z]: [u32; 3]) -> u32 {
    SIZES + x + 1025 * ((y - 1) + 1025 * (z - 1))
}

/// The whole text. Modules of one chip can be put together line by line: what stands outside of kernels is the same in
/// all of them, or has names of its own.
pub(super) fn emit(ir: &Ir, kernels: &[Lowered], options: &Options) -> Result<String, Diag> {
    let Some(first) = kernels.first() else { return Ok(String::new()) };
    let dialect = super::dialect(first.chip());
    let mut declarations = BTreeSet::new();
    let (mut sizes, mut past_caches) = (BTreeSet::new(), false);
    let mut out = format!("target triple = \"{}\"\n\n", dialect.triple);
    for lowered in kernels {
        let kernel = kernel(ir, lowered, options, dialect)?;
        declarations.extend(kernel.declarations);
        sizes.extend(lowered.workgroup_size());
        past_caches |= kernel.past_caches;
        out.push_str(&kernel.code);
        out.push('\n');
    }
    let mut write = |line: std::fmt::Arguments<'_>| writeln!(out, "{line}").expect("writing to a string succeeds");
    for declaration in declarations {
        write(format_args!("{declaration}"));
    }
    let flags: Vec<String> = (0..dialect.module_flags.len()).map(|number| format!("!{number}")).collect();
    assert!(flags.len() <= LOOP, "metadata of the module have numbers of their own");
    write(format_args!("!llvm.module.flags = !{{{}}}", flags.join(", ")));
    for (number, flag) in dialect.module_flags.iter().enumerate() {
        write(format_args!("!{number} = {flag}"));
    }
    write(format_args!("!{LOOP} = distinct !{{!{LOOP}, !{LOOP_KEPT}}}"));
    write(format_args!("!{LOOP_KEPT} = !{{!\"llvm.loop.unroll.disable\"}}"));
    write(format_args!("!{SHARED_FENCE} = {}", dialect.shared_fence));
    if past_caches {
        write(format_args!("!{NONTEMPORAL} = !{{i32 1}}"));
    }
    for size in sizes {
        let [x, y, z] = size;
        write(format_args!("!{} = !{{i32 {x}, i32 {y}, i32 {z}}}", size_number(size)));
    }
    Ok(out)
}

/// One kernel of a module.
struct Kernel {
    declarations: BTreeSet<String>,
    code: String,
    /// Whether something is written past the caches.
    past_caches: bool,
}

/// What a kernel computes: the text is in the context.
struct Computed<'ir> {
    cx: Cx<'ir>,
    params: Vec<Param>,
    /// The types of the parameters.
    types: Vec<String>,
    shared: Vec<Shared>,
}

/// Writes the body of a kernel, or of its part of the workgroups; on a CPU past the caches, or not.
fn compute<'ir>(
    ir: &'ir Ir,
    lowered: &'ir Lowered,
    options: &'ir Options,
    dialect: &'static Dialect,
    past_caches: bool,
) -> Result<Computed<'ir>, Diag> {
    let func = lowered.func();
    let name = entry_name(lowered.chip(), ir.symbol_name(func).unwrap_or_default());
    let info = ir.attr_id(func, "translation_info");
    let lanes = info.and_then(|info| ir.field(info, "subgroup_size")).and_then(|size| ir[size].as_i64());
    let lanes = lanes.map_or(lowered.chip().subgroup_size, |lanes| lanes as u32);
    let mut cx = Cx::new(ir, lowered, options, dialect, name.clone(), lanes);
    cx.past_caches = past_caches;
    let Some(body) = ir.body(func, 0) else { return Err(cx.cannot(func, "a kernel has a body")) };
    if !ir.signature(func).1.is_empty() {
        return Err(cx.cannot(func, "a kernel returns nothing: results are buffers"));
    }
    let shared = shared_buffers(ir, lowered)?;
    let args = ir.args(body).to_vec();
    let interface = Interface::of(ir, func)?;
    // Arguments that are parts of one binding may be the same memory.
    cx.shared_barriers = order::shared_barriers(ir, func, interface.as_ref().is_some_and(shares_bindings));
    let mut params = match interface {
        None => {
            let of = |(number, &arg): (usize, &ValueId)| parameter(&mut cx, func, number, arg);
            args.iter().enumerate().map(of).collect::<Result<Vec<_>, _>>()?
        }
        Some(interface) => interface_parameters(&mut cx, func, &args, &interface)?,
    };
    let on_cpu = lowered.chip().native.is_some();
    if on_cpu && (options.bounds_checks || cpu::checks_indices(ir, func)) {
        cx.fault = Some(format!("%arg{}", params.len()));
        params.push(Param { ty: "ptr".to_owned(), comment: "what an index outside of a buffer leaves".to_owned() });
    }
    let types: Vec<String> = params.iter().map(|param| param.ty.clone()).collect();
    let mut end = None;
    if on_cpu {
        for (number, Shared { bytes, .. }) in shared.iter().enumerate() {
            let name = shared_name(dialect, &name, number);
            cx.inst(&format!("{name} = alloca [{bytes} x i8], align 64"));
        }
        if tile::are_used(ir, func) {
            tile::ask(&mut cx);
        }
        end = Some(cpu::open_grid(&mut cx, func, &types)?);
    }
    flow::region(&mut cx, func, ir.block_region(body), |cx, _| {
        match end {
            Some(end) => cx.jump(end),
            None => cx.inst("ret void"),
        }
        Ok(())
    })?;
    if on_cpu {
        cpu::close_grid(&mut cx);
    }
    Ok(Computed { cx, params, types, shared })
}

fn kernel(ir: &Ir, lowered: &Lowered, options: &Options, dialect: &'static Dialect) -> Result<Kernel, Diag> {
    let func = lowered.func();
    let symbol = ir.symbol_name(func).unwrap_or_default();
    let name = entry_name(lowered.chip(), symbol);
    let Computed { mut cx, params, types, shared } = compute(ir, lowered, options, dialect, false)?;
    let total = shared.last().map_or(0, |last| last.end);
    let on_cpu = lowered.chip().native.is_some();
    let written = if on_cpu { cpu::written_by_lines(ir, func) } else { Vec::new() };

    let mut code = String::new();
    let mut write = |line: std::fmt::Arguments<'_>| writeln!(code, "{line}").expect("writing to a string succeeds");
    write(format_args!("; {name}"));
    if name != symbol {
        write(format_args!("; the function {symbol:?}"));
    }
    if let Some(grid) = ir.attr_id(func, "gpu.known_grid_size").and_then(|attr| ir.ints(attr)) {
        write(format_args!("; grid: {}", by(&grid)));
    }
    if let Some(grid) = grid_of(ir, func)? {
        write(format_args!("; grid: ({})", grid.join(") x (")));
    }
    if let Some(workgroup) = workgroup_size(ir, func) {
        write(format_args!("; workgroup: {}", by(&workgroup)));
    }
    for (number, param) in params.iter().enumerate() {
        write(format_args!("; arg{number}: {}", param.comment));
    }
    write(format_args!("; shared memory: {total} bytes"));
    for (number, Shared { bytes, align, .. }) in shared.iter().enumerate().filter(|_| dialect.shared_is_global) {
        let (symbol, space) = (shared_name(dialect, &name, number), dialect.shared);
        write(format_args!("{symbol} = internal addrspace({space}) global [{bytes} x i8] poison, align {align}"));
    }
    let list: Vec<String> = params.iter().enumerate().map(|(at, param)| format!("{} %arg{at}", param.ty)).collect();
    let size = lowered.workgroup_size();
    let threads = size.map(|size| size.iter().product());
    let size = size
        .filter(|_| !on_cpu)
        .map_or_else(String::new, |size| format!(" !reqd_work_group_size !{}", size_number(size)));
    let (convention, list, attributes) = (dialect.convention, list.join(", "), (dialect.attributes)(&cx, threads));
    if on_cpu {
        let list = if list.is_empty() { cpu::RANGE.to_owned() } else { format!("{list}, {}", cpu::RANGE) };
        let mut part = "part";
        if !written.is_empty() {
            part = "any";
            let lines = compute(ir, lowered, options, dialect, true)?.cx;
            write(format_args!("define internal void @{name}$lines({list}) nounwind {attributes} {{"));
            write(format_args!("{}}}\n", lines.body()));
            write(format_args!("{}", cpu::by_lines(&name, &list, &types, &written)));
            cx.declarations.extend(lines.declarations);
        }
        write(format_args!("define internal void @{name}${part}({list}) nounwind {attributes} {{"));
    } else {
        write(format_args!("define {convention} void @{name}({list}) nounwind {attributes}{size} {{"));
    }
    write(format_args!("{}}}", cx.body()));
    if on_cpu {
        write(format_args!("\n{}", cpu::entries(&name, convention, &attributes, &types)));
        write(format_args!("{}", cpu::parallel(&cx, func, &name, &types)?));
        if cpu::checks_indices(ir, func) {
            write(format_args!("{}", cpu::fault(&name)));
        }
        if tile::are_used(ir, func) {
            write(format_args!("{}", tile::permission(&name)));
        }
    }
    Ok(Kernel { declarations: cx.declarations, code, past_caches: !written.is_empty() })
}

/// Whether several arguments are parts of one binding.
fn shares_bindings(interface: &Interface) -> bool {
    let slots = interface.arguments.iter().chain(&interface.results);
    let bindings = slots.filter_map(|slot| match slot {
        Slot::Binding { binding, .. } => Some(*binding),
        Slot::Constant(_) => None,
    });
    let mut seen = BTreeSet::new();
    bindings.into_iter().any(|binding| !seen.insert(binding))
}

/// One parameter of a kernel.
struct Param {
    /// The type and what is known of the value.
    ty: String,
    comment: String,
}

/// The type of a pointer to global memory. A buffer that is written overlaps no other one, unless the options say so.
fn pointer_type(cx: &Cx<'_>, written: bool) -> String {
    let only_read = if written { "" } else { " readonly" };
    let alone = if cx.options.overlap { "" } else { " noalias" };
    format!("ptr addrspace({}){alone}{only_read} align 16", cx.dialect.global)
}

/// Binds one argument to the parameter of its number.
fn parameter(cx: &mut Cx<'_>, func: OpId, number: usize, arg: ValueId) -> Result<Param, Diag> {
    if let Type::MemRef { .. } = cx.ir.ty(arg) {
        let elem = buffer_elem(cx, func, arg)?;
        let written = is_written(cx.ir, arg);
        let comment = format!("{}, {}", shape_text(cx.ir, arg, elem), if written { "written" } else { "only read" });
        cx.hold(arg, Held::Buffer(cx.buffers.len()));
        cx.buffers.push(Buffer { elem, base: format!("%arg{number}"), place: Place::Global });
        return Ok(Param { ty: pointer_type(cx, written), comment });
    }
    if cx.ir.ty(arg).shape().is_some() {
        return Err(cx.cannot(func, "a kernel's arguments are memrefs and scalars"));
    }
    let scalar = cx.scalar(func, arg)?;
    let own = cx.scalar_type(scalar);
    let name = format!("%arg{number}");
    let ty = match scalar {
        Scalar::Float(Float::BF16) if cx.lowered.chip().native.is_none() => own.clone(),
        _ => argument_type(scalar),
    };
    let value = match scalar {
        Scalar::Float(Float::BF16) if ty != own => cx.compute(&format!("bitcast {ty} {name} to {own}")),
        Scalar::Int(1) => cx.compute(&format!("icmp ne i8 {name}, 0")),
        Scalar::Float(_) if ty == own => name,
        _ => resize_int(cx, &name, &ty, &own, false),
    };
    cx.bind(arg, value);
    Ok(Param { ty, comment: scalar.to_string() })
}

/// The type of an argument that is a scalar, as C passes it.
pub(super) fn argument_type(scalar: Scalar) -> String {
    match scalar {
        Scalar::Index => "i64".to_owned(),
        // Integers take whole bytes.
        Scalar::Int(_) => format!("i{}", scalar.bytes() * 8),
        Scalar::Float(Float::F16) => "half".to_owned(),
        Scalar::Float(Float::F32 | Float::TF32) => "float".to_owned(),
        Scalar::Float(Float::F64) => "double".to_owned(),
        // For BF16, C compilers have no type that all of them know.
        Scalar::Float(_) => format!("i{}", scalar.bytes() * 8),
    }
}

/// The parameters of a kernel that stands for an IREE dispatch: bindings in order, and 32-bit constants behind them.
fn interface_parameters(
    cx: &mut Cx<'_>,
    func: OpId,
    args: &[ValueId],
    interface: &Interface,
) -> Result<Vec<Param>, Diag> {
    let slots: Vec<&Slot> = interface.arguments.iter().chain(&interface.results).collect();
    let extents = extents::taken(cx.ir, func)?;
    assert_eq!(slots.len() + extents.len(), args.len(), "an interface that was read describes each argument");
    let written = |binding: usize| {
        let mut pairs = slots.iter().zip(args);
        pairs.any(|(slot, &arg)| {
            matches!(slot, Slot::Binding { binding: other, .. } if *other == binding) && is_written(cx.ir, arg)
        })
    };
    let mut params: Vec<Param> = (0..interface.bindings)
        .map(|binding| Param { ty: pointer_type(cx, written(binding)), comment: "a binding".to_owned() })
        .collect();
    params.extend((0..interface.constants).map(|_| Param { ty: "i32".to_owned(), comment: "a constant".to_owned() }));
    for (slot, &arg) in slots.iter().zip(args) {
        match slot {
            Slot::Constant(at) => {
                let number = interface.bindings + at;
                params[number] = parameter(cx, func, number, arg)?;
                if params[number].ty != "i32" && params[number].ty != "float" {
                    return Err(cx.cannot(func, "a constant of an interface has 32 bits"));
                }
            }
            Slot::Binding { binding, offset, .. } => {
                if !matches!(cx.ir.ty(arg), Type::MemRef { .. }) {
                    return Err(cx.cannot(func, "a binding of an interface is a memref"));
                }
                let elem = buffer_elem(cx, func, arg)?;
                let mut base = format!("%arg{binding}");
                if offset.results[0] != Expr::Const(0) {
                    let by = expression(cx, func, &offset.results[0], interface)?;
                    let space = cx.dialect.global;
                    base = cx.compute(&format!("getelementptr i8, ptr addrspace({space}) {base}, i64 {by}"));
                }
                cx.hold(arg, Held::Buffer(cx.buffers.len()));
                cx.buffers.push(Buffer { elem, base, place: Place::Global });
                let part = format!("{}, from byte {}", shape_text(cx.ir, arg, elem), offset.results[0]);
                let comment = &mut params[*binding].comment;
                comment.push_str(if comment == "a binding" { ": " } else { "; " });
                comment.push_str(&part);
            }
        }
    }
    for (&(argument, dim), &arg) in extents.iter().zip(&args[slots.len()..]) {
        let expr = match slots[argument] {
            Slot::Binding { extents, .. } => extents.results.get(dim),
            Slot::Constant(_) => None,
        };
        let Some(expr) = expr else { return Err(cx.cannot(func, "an extent of an interface is one of a binding's")) };
        let extent = expression(cx, func, expr, interface)?;
        let ty = cx.type_of(arg);
        let extent = resize_int(cx, &extent, "i64", &ty, false);
        cx.bind(arg, extent);
    }
    Ok(params)
}

/// Computes an expression of the constants in 64 bits.
fn expression(cx: &mut Cx<'_>, func: OpId, expr: &Expr, interface: &Interface) -> Result<String, Diag> {
    let symbol = |cx: &mut Cx<'_>, at: u32| {
        let number = interface.bindings + at as usize;
        cx.compute(&format!("zext i32 %arg{number} to i64"))
    };
    expression_in(cx, func, expr, &symbol)
}

/// Computes an expression of numbers of 64 bits in a kernel.
pub(super) fn expression_in(
    cx: &mut Cx<'_>,
    func: OpId,
    expr: &Expr,
    symbol: &dyn Fn(&mut Cx<'_>, u32) -> String,
) -> Result<String, Diag> {
    struct InKernel<'a, 'b> {
        cx: &'a mut Cx<'b>,
        symbol: &'a dyn Fn(&mut Cx<'b>, u32) -> String,
    }
    impl Instructions for InKernel<'_, '_> {
        fn compute(&mut self, inst: &str) -> String {
            self.cx.compute(inst)
        }

        fn symbol(&mut self, symbol: u32) -> String {
            (self.symbol)(self.cx, symbol)
        }
    }
    let computed = expression_of(&mut InKernel { cx, symbol }, expr);
    computed.ok_or_else(|| cx.cannot(func, "a number of an interface is a sum of products and quotients of constants"))
}

/// Where instructions are written.
pub(super) trait Instructions {
    /// Writes an instruction, and returns the name of its result.
    fn compute(&mut self, inst: &str) -> String;

    /// The value of a symbol, in 64 bits.
    fn symbol(&mut self, symbol: u32) -> String;

    /// The quotient, rounded down: numbers may be negative, and what they are divided by is 1 or more.
    fn quotient(&mut self, a: &str, b: &str) -> String {
        let (b, _, below) = self.divided(a, b);
        let quotient = self.compute(&format!("sdiv i64 {a}, {b}"));
        self.compute(&format!("add i64 {quotient}, {below}"))
    }

    /// What is left then, which is not negative.
    fn remainder(&mut self, a: &str, b: &str) -> String {
        let (b, rest, below) = self.divided(a, b);
        let raise = self.compute(&format!("and i64 {b}, {below}"));
        self.compute(&format!("add i64 {rest}, {raise}"))
    }

    /// What to divide by, what is left with the sign of the number, and -1 where that is negative.
    fn divided(&mut self, a: &str, b: &str) -> (String, String, String) {
        let b = match b.parse::<i64>() {
            Ok(_) => b.to_owned(),
            // An extent of 0: nothing is where there are so many.
            Err(_) => {
                let some = self.compute(&format!("icmp sgt i64 {b}, 1"));
                self.compute(&format!("select i1 {some}, i64 {b}, i64 1"))
            }
        };
        let rest = self.compute(&format!("srem i64 {a}, {b}"));
        let below = self.compute(&format!("ashr i64 {rest}, 63"));
        (b, rest, below)
    }
}

/// Computes an expression of numbers of 64 bits; `None` if it has dimensions.
pub(super) fn expression_of(out: &mut dyn Instructions, expr: &Expr) -> Option<String> {
    let mut two = |name: &str, a: &Expr, b: &Expr| {
        let [a, b] = [expression_of(out, a)?, expression_of(out, b)?];
        Some(match name {
            "quotient" => out.quotient(&a, &b),
            "remainder" => out.remainder(&a, &b),
            name => out.compute(&format!("{name} i64 {a}, {b}")),
        })
    };
    match expr {
        Expr::Const(value) => Some(value.to_string()),
        Expr::Sym(at) => Some(out.symbol(*at)),
        Expr::Add(a, b) => two("add", a, b),
        Expr::Mul(a, b) => two("mul", a, b),
        Expr::FloorDiv(a, b) => two("quotient", a, b),
        Expr::Mod(a, b) => two("remainder", a, b),
        Expr::CeilDiv(a, b) => {
            let raised =
                Expr::binary(BinOp::Add, (**a).clone(), Expr::binary(BinOp::Add, (**b).clone(), Expr::Const(-1)));
            two("quotient", &raised, b)
        }
        Expr::Dim(_) => None,
    }
}
