//! Launches: a kernel of the `gpu` dialect becomes a function that says how it is launched.
//!
//! Before: `gpu.module @m { gpu.func @k(%a: memref<8xf32>) kernel { … gpu.return } }`, and a function that launches it:
//!         `gpu.launch_func @m::@k blocks in (%c8, %c1, %c1) threads in (%c64, %c1, %c1) args(%a : memref<8xf32>)`
//! After:  `func.func @k(%a: memref<8xf32>)`, with `gpu.known_grid_size` and `translation_info`
//!
//! A function that does nothing but one `gpu.launch` is the kernel itself; its grid may depend on its arguments. One with
//! several of them is the host's side, and each launch a function of its own. A kernel, too, is one
//! that does nothing but one `scf.parallel` about memory: each iteration is a thread. Whoever
//! calls `gpu.launch_func` is the host's side and goes, with a remark. Memory that a workgroup or a thread has for itself
//! is allocated where the kernel begins.

use raddle_ir::affine::BinOp;
use raddle_ir::{
    Attr, AttrId, BlockId, Builder, Class, Code, Def, Diag, Expr, Ir, OpId, Opcode, Scalar, Type, TypeId, ValueId,
    ValueMap,
};

use crate::config::Launch;
use crate::facts::Facts;
use crate::structured::symbols::OfArguments;

/// Subgroups of a workgroup whose threads have nothing to do with one another.
const SUBGROUPS: i64 = 4;

/// Sizes of a grid, and of a workgroup.
type Sizes = [Option<[i64; 3]>; 2];

/// Whether an operation is a module of kernels.
pub(super) fn is_module(ir: &Ir, op: OpId) -> bool {
    let is_kernel = |inner: OpId| ir.opcode(inner) == Opcode::GpuFunc && ir.body(inner, 0).is_some();
    ir.opcode(op) == Opcode::GpuModule && ir.walk(op).into_iter().any(is_kernel)
}

/// Writes the kernels of a module as functions in front of it.
pub(super) fn take_kernels(ir: &mut Ir, module: OpId, facts: &Facts) -> Result<(), Diag> {
    for kernel in ir.walk(module) {
        if ir.opcode(kernel) == Opcode::GpuFunc && ir.body(kernel, 0).is_some() {
            let sizes = sizes_of(ir, module, kernel)?;
            make_function(ir, module, kernel, sizes, facts)?;
        }
    }
    Ok(())
}

/// Erases the functions that launch kernels of a module.
pub(super) fn drop_hosts(ir: &mut Ir, top: BlockId, facts: &Facts) {
    for func in ir.ops_of(top) {
        let launches = |op: OpId| ir.opcode(op) == Opcode::GpuLaunchFunc;
        if ir.opcode(func) == Opcode::FuncFunc && ir.walk(func).into_iter().any(launches) {
            let name = ir.symbol_name(func).unwrap_or_default();
            let message =
                format!("`@{name}` launches kernels, and is left out: kernels are compiled and run by themselves");
            facts.remark(Diag::error(Code::KernelChoice, ir.span(func), message));
            ir.erase(func);
        }
    }
}

/// Whether a function has several launches: each is a kernel, and the function the host's side.
pub(super) fn has_several(ir: &Ir, func: OpId) -> bool {
    let launches = || ir.walk(func).into_iter().filter(|&op| ir.opcode(op) == Opcode::GpuLaunch);
    let is_plain = |op: OpId| {
        let [_, taken] = outer(ir, op);
        let is_passed =
            |&value: &ValueId| matches!(ir.ty(value), Type::MemRef { .. }) || Scalar::of(ir.ty(value)).is_some();
        ir.results(op).len() == 0 && taken.iter().all(is_passed)
    };
    ir.opcode(func) == Opcode::FuncFunc && launches().count() > 1 && launches().all(is_plain)
}

/// What a launch uses that stands in front of it: constants, and other values.
fn outer(ir: &Ir, launched: OpId) -> [Vec<ValueId>; 2] {
    let is_inside = |value: ValueId| {
        let around = match ir.def(value) {
            Def::Result { op, .. } => ir.parent_op(op),
            Def::Arg { block, .. } => Some(ir.region_parent(ir.block_region(block))),
        };
        std::iter::successors(around, |&op| ir.parent_op(op)).any(|op| op == launched)
    };
    let [mut constants, mut others] = [Vec::new(), Vec::new()];
    for op in [launched].into_iter().chain(ir.walk(launched)) {
        for &value in ir.operands(op) {
            let is_constant = ir.def_op(value).is_some_and(|made| ir.opcode(made) == Opcode::ArithConstant);
            let list = if is_constant { &mut constants } else { &mut others };
            if !is_inside(value) && !list.contains(&value) {
                list.push(value);
            }
        }
    }
    [constants, others]
}

/// Writes each launch of a function as one of its own, which takes what the launch uses, in place of the function.
pub(super) fn outline(ir: &mut Ir, func: OpId, facts: &Facts) {
    let name = ir.symbol_name(func).unwrap_or_default().to_owned();
    let launches: Vec<OpId> = ir.walk(func).into_iter().filter(|&op| ir.opcode(op) == Opcode::GpuLaunch).collect();
    for (at, launched) in launches.into_iter().enumerate() {
        let [constants, taken] = outer(ir, launched);
        let inputs: Vec<TypeId> = taken.iter().map(|&value| ir.type_of(value)).collect();
        let ty = ir.intern_type(Type::Function { inputs: inputs.clone(), results: Vec::new() });
        let attrs =
            [("sym_name", ir.str_attr(&format!("{name}_launch_{at}"))), ("function_type", ir.intern(Attr::Type(ty)))];
        let span = ir.span(launched);
        let mut b = Builder::before(ir, func);
        b.span = span;
        let new = b.op(Opcode::FuncFunc, &[], &[], &attrs);
        let region = b.ir.add_region(new);
        let block = b.ir.add_block(region, &inputs);
        let mut map = ValueMap::default();
        for (&value, arg) in taken.iter().zip(b.ir.args(block).to_vec()) {
            map.set(value, arg);
        }
        let mut inner = Builder::at_end(b.ir, block, span);
        for value in constants {
            let made = inner.ir.def_op(value).expect("a constant is made by an operation");
            inner.copy(made, &mut map);
        }
        inner.copy(launched, &mut map);
        inner.op(Opcode::FuncReturn, &[], &[], &[]);
    }
    let message = format!("`@{name}` launches kernels, and is left out: kernels are compiled and run by themselves");
    facts.remark(Diag::error(Code::KernelChoice, ir.span(func), message));
    ir.erase(func);
}

/// The sizes that a kernel states, or that all its launches agree on.
fn sizes_of(ir: &Ir, module: OpId, kernel: OpId) -> Result<Sizes, Diag> {
    let stated = |names: [&str; 2]| {
        let sizes = names.into_iter().find_map(|name| ir.attr_id(kernel, name)).and_then(|attr| ir.ints(attr))?;
        <[i64; 3]>::try_from(sizes).ok()
    };
    let mut sizes =
        [stated(["known_grid_size", "gpu.known_grid_size"]), stated(["known_block_size", "gpu.known_block_size"])];
    let path = [ir.symbol_name(module).unwrap_or_default(), ir.symbol_name(kernel).unwrap_or_default()];
    let launches_it = |op: &OpId| {
        ir.opcode(*op) == Opcode::GpuLaunchFunc
            && matches!(ir.attr(*op, "kernel"), Some(Attr::Symbol(own)) if own.iter().map(|&name| &ir[name]).eq(path))
    };
    for op in ir.walk(ir.module()).into_iter().filter(launches_it) {
        let numbers = |names: [&str; 3]| -> Option<[i64; 3]> {
            let numbers: Option<Vec<i64>> =
                names.iter().map(|name| ir.const_int(*ir.group(op, name).first()?)).collect();
            numbers?.try_into().ok()
        };
        let own =
            [numbers(["gridSizeX", "gridSizeY", "gridSizeZ"]), numbers(["blockSizeX", "blockSizeY", "blockSizeZ"])];
        for (size, own) in sizes.iter_mut().zip(own) {
            if size.is_some() && own.is_some() && *size != own {
                let message = format!("`@{}` is launched with several sizes", path[1]);
                return Err(Diag::error(Code::CannotAdmit, ir.span(op), message)
                    .note("a kernel is compiled for one size of workgroups, and run with one grid"));
            }
            *size = size.or(own);
        }
    }
    Ok(sizes)
}

fn make_function(ir: &mut Ir, module: OpId, kernel: OpId, sizes: Sizes, facts: &Facts) -> Result<(), Diag> {
    let kept = ["sym_name", "function_type", "arg_attrs"];
    let attrs: Vec<(&str, AttrId)> = kept.iter().filter_map(|&name| Some((name, ir.attr_id(kernel, name)?))).collect();
    let span = ir.span(kernel);
    let mut builder = Builder::before(ir, module);
    // What is said of the function is said where the user wrote it.
    builder.span = span;
    let func = builder.op(Opcode::FuncFunc, &[], &[], &attrs);
    builder.copy_regions(kernel, func, &mut ValueMap::default());
    let entry = ir.entry(func);
    let own = ir.args(entry)[ir.signature(func).0.len()..].to_vec();
    let first = ir.first_op(entry).expect("a verified block has a terminator");
    let memory = allocate(&mut Builder::before(ir, first), kernel, &own);
    for (&arg, memref) in own.iter().zip(memory) {
        ir.replace_uses(arg, memref);
    }
    own.iter().for_each(|_| ir.pop_block_arg(entry));
    for op in ir.walk(func) {
        if ir.opcode(op) == Opcode::GpuReturn {
            let operands = ir.operands(op).to_vec();
            Builder::before(ir, op).op(Opcode::FuncReturn, &operands, &[], &[]);
            ir.erase(op);
        }
    }
    let [grid, block] = sizes;
    if let Some(grid) = grid {
        OfArguments::new(entry).write_grid(ir, func, &grid.map(Expr::Const));
    }
    // Whoever compiles one that says nothing hears of it then, and the other kernels of the file are compiled.
    if block.is_some() {
        launch(ir, func, block, facts)?;
    }
    for op in ir.walk(func) {
        let size = match ir.opcode(op) {
            Opcode::GpuBlockDim => block,
            Opcode::GpuGridDim => grid,
            _ => continue,
        };
        let Some(size) = size.and_then(|size| Some(size[dimension(ir, op)?])) else { continue };
        let number = Builder::before(ir, op).index(size);
        ir.replace_uses(ir.result(op, 0), number);
        ir.erase(op);
    }
    Ok(())
}

/// Which of the three dimensions an operation asks for.
fn dimension(ir: &Ir, op: OpId) -> Option<usize> {
    let dim = ir.keyword(ir.attr_id(op, "dimension")?)?;
    ["x", "y", "z"].iter().position(|&name| name == dim)
}

/// States how many threads a workgroup has.
fn launch(ir: &mut Ir, func: OpId, block: Option<[i64; 3]>, facts: &Facts) -> Result<(), Diag> {
    let Some(sizes) = block else {
        let name = ir.symbol_name(func).unwrap_or_default();
        let message = format!("`@{name}` does not say how many threads a workgroup has");
        return Err(Diag::error(Code::CannotAdmit, ir.span(func), message)
            .help("launch it with constants, or write `known_block_size = array<i32: 64, 1, 1>` in its attributes"));
    };
    let Some(launch) = Launch::of_sizes(&sizes, facts.chip.subgroup_size.into()) else {
        let message = format!("{} x {} x {} threads are not a workgroup", sizes[0], sizes[1], sizes[2]);
        return Err(Diag::error(Code::CannotAdmit, ir.span(func), message));
    };
    launch.write(ir, func);
    Ok(())
}

/// States that a function is one workgroup of so many threads.
pub(super) fn one_workgroup(ir: &mut Ir, func: OpId, threads: i64, facts: &Facts) -> Result<(), Diag> {
    OfArguments::new(ir.entry(func)).write_grid(ir, func, &[Expr::Const(1), Expr::Const(1), Expr::Const(1)]);
    launch(ir, func, Some([threads, 1, 1]), facts)
}

/// Memory for the arguments of a kernel that nobody passes: first those of the workgroup, then those of each thread.
fn allocate(b: &mut Builder<'_>, kernel: OpId, args: &[ValueId]) -> Vec<ValueId> {
    let shared = b.ir.attr(kernel, "workgroup_attributions").and_then(Attr::as_i64).unwrap_or(0);
    let mut memory = Vec::new();
    for (at, &arg) in args.iter().enumerate() {
        let Type::MemRef { shape, elem, .. } = b.ir.ty(arg).clone() else { continue };
        let (opcode, space) = match (at as i64) < shared {
            true => (Opcode::MemrefAlloc, Some(b.keyword_attr("gpu.address_space", "workgroup"))),
            false => (Opcode::MemrefAlloca, None),
        };
        let ty = b.ir.memref_type(&shape, elem, space);
        let segments = b.ir.segment_sizes(&[0, 0]);
        memory.push(b.value(opcode, &[], ty, &[("operandSegmentSizes", segments)]));
    }
    memory
}

/// Whether a function launches a body that it holds.
pub(super) fn is_launcher(ir: &Ir, func: OpId) -> bool {
    ir.walk(func).into_iter().any(|op| ir.opcode(op) == Opcode::GpuLaunch) || is_parallel(ir, func)
}

/// Whether a function has a parallel loop about memory that nobody tiles or launches.
fn is_parallel(ir: &Ir, func: OpId) -> bool {
    let (inputs, results) = ir.signature(func);
    let in_memory = inputs.iter().all(|&ty| matches!(ir[ty], Type::MemRef { .. }) || Scalar::of(&ir[ty]).is_some());
    let Some(entry) = ir.body(func, 0) else { return false };
    in_memory
        && results.is_empty()
        && ir.attr_id(func, "translation_info").is_none()
        && ir.ops_of(entry).into_iter().any(|op| ir.opcode(op) == Opcode::ScfParallel)
        && ir.walk(func).into_iter().all(|op| !matches!(ir.class(op), Class::Structured | Class::Id))
}

fn refuse(ir: &Ir, op: OpId, why: &str) -> Diag {
    let message = format!("`{}` stands in a function that launches a kernel", ir.name(op));
    Diag::error(Code::CannotAdmit, ir.span(op), message).note(why.to_owned())
}

/// Makes a function that does nothing but launch one body the kernel itself.
pub(super) fn rewrite(ir: &mut Ir, func: OpId, facts: &Facts) -> Result<(), Diag> {
    let old = ir.entry(func);
    let ops = ir.ops_of(old);
    let is_launch = |&op: &OpId| matches!(ir.opcode(op), Opcode::GpuLaunch | Opcode::ScfParallel);
    let launches: Vec<OpId> = ops.iter().copied().filter(is_launch).collect();
    let &[launched] = &launches[..] else {
        let op = launches.get(1).copied().unwrap_or(func);
        return Err(refuse(ir, op, "a function that launches is compiled if it launches one kernel, outside of loops"));
    };
    let end = ir.terminator(old).expect("a verified block has a terminator");
    for &op in &ops {
        if op != launched && op != end && !ir.opcode(op).info().is_pure() {
            return Err(refuse(ir, op, "the function becomes the kernel: beside the launch, it may compute numbers"));
        }
    }
    let values = ir.operands(end).len() + ir.results(launched).len();
    let is_one_block = ir.blocks(ir.block_region(old)).len() == 1;
    if !is_one_block || values > 0 || !ir.group(launched, "clusterSizeX").is_empty() {
        return Err(refuse(
            ir,
            launched,
            "it gives no values, has no clusters, and the function around it is one block",
        ));
    }
    match ir.opcode(launched) {
        Opcode::ScfParallel => parallel(ir, func, launched, facts),
        _ => launch_body(ir, func, launched, facts),
    }
}

/// An iteration for each thread, those along the last dimension side by side.
fn parallel(ir: &mut Ir, func: OpId, launched: OpId, facts: &Facts) -> Result<(), Diag> {
    let old = ir.entry(func);
    let mut of = OfArguments::new(old);
    let bounds: Vec<[ValueId; 3]> = {
        let parts = ir.segments(launched);
        (0..parts[0].len()).map(|d| [parts[0][d], parts[1][d], parts[2][d]]).collect()
    };
    let mut points = Expr::Const(1);
    for bound in &bounds {
        let exprs: Option<Vec<Expr>> = bound.iter().map(|&value| of.number(ir, value)).collect();
        let Some([lower, upper, step]) = exprs.and_then(|exprs| <[Expr; 3]>::try_from(exprs).ok()) else {
            return Err(refuse(ir, launched, "its bounds do not follow from the arguments of the function"));
        };
        let length = Expr::binary(BinOp::Add, upper, Expr::binary(BinOp::Mul, lower, Expr::Const(-1)));
        points = Expr::binary(BinOp::Mul, points, Expr::binary(BinOp::CeilDiv, length, step));
    }
    let threads = if facts.chip.native.is_some() { 1 } else { i64::from(facts.chip.subgroup_size) * SUBGROUPS };
    let types: Vec<TypeId> = ir.args(old).iter().map(|&arg| ir.type_of(arg)).collect();
    let (region, span) = (ir.block_region(old), ir.span(func));
    let new = ir.add_block(region, &types);
    let mut b = Builder::at_end(ir, new, span);
    let mut map = copy_around(&mut b, old, launched);
    let (block, thread, size) = (b.gpu_id(Opcode::GpuBlockId, 0), b.gpu_id(Opcode::GpuThreadId, 0), b.index(threads));
    let first = b.binary(Opcode::ArithMuli, block, size);
    let mut rest = b.binary(Opcode::ArithAddi, first, thread);
    let body = b.ir.entry(launched);
    let args = b.ir.args(body).to_vec();
    for (&index, bound) in args.iter().zip(&bounds).rev() {
        let [lower, upper, step] = bound.map(|value| map.get(value));
        let length = b.binary(Opcode::ArithSubi, upper, lower);
        let n = b.binary(Opcode::ArithCeildivsi, length, step);
        let at = b.binary(Opcode::ArithRemui, rest, n);
        rest = b.binary(Opcode::ArithDivui, rest, n);
        let offset = b.binary(Opcode::ArithMuli, at, step);
        let value = b.binary(Opcode::ArithAddi, lower, offset);
        map.set(index, value);
    }
    // Threads beyond the last point have run over the first dimension.
    let zero = b.index(0);
    let predicate = b.ir.i64_attr(0);
    let truth = b.ir.int_type(1);
    let is_there = b.value(Opcode::ArithCmpi, &[rest, zero], truth, &[("predicate", predicate)]);
    let branch = b.op(Opcode::ScfIf, &[is_there], &[], &[]);
    let then = b.ir.add_region(branch);
    let block = b.ir.add_block(then, &[]);
    let mut inner = Builder::at_end(b.ir, block, span);
    for op in inner.ir.ops_of(body) {
        if inner.ir.opcode(op) != Opcode::ScfReduce {
            inner.copy(op, &mut map);
        }
    }
    inner.op(Opcode::ScfYield, &[], &[], &[]);
    b.ir.add_region(branch);
    b.op(Opcode::FuncReturn, &[], &[], &[]);
    ir.remove_block(old);
    let workgroups = Expr::binary(BinOp::CeilDiv, points, Expr::Const(threads));
    of.write_grid(ir, func, &[workgroups, Expr::Const(1), Expr::Const(1)]);
    launch(ir, func, Some([threads, 1, 1]), facts)
}

/// A copy of what a function computes beside the launch, for its new block.
fn copy_around(b: &mut Builder<'_>, old: BlockId, launched: OpId) -> ValueMap {
    let new = match b.ir.blocks(b.ir.block_region(old)) {
        &[_, new] => new,
        _ => unreachable!("the new block stands behind the old one"),
    };
    let mut map = ValueMap::default();
    for (old, new) in b.ir.args(old).to_vec().into_iter().zip(b.ir.args(new).to_vec()) {
        map.set(old, new);
    }
    let end = b.ir.terminator(old);
    for op in b.ir.ops_of(old) {
        if op != launched && Some(op) != end {
            b.copy(op, &mut map);
        }
    }
    map
}

/// The body of `gpu.launch`, with the sizes of the launch.
fn launch_body(ir: &mut Ir, func: OpId, launched: OpId, facts: &Facts) -> Result<(), Diag> {
    let old = ir.entry(func);
    let (region, body) = (ir.block_region(old), ir.entry(launched));
    let args = ir.args(body).to_vec();
    let mut of = OfArguments::new(old);
    let mut sizes = Vec::new();
    for name in ["gridSizeX", "gridSizeY", "gridSizeZ", "blockSizeX", "blockSizeY", "blockSizeZ"] {
        let value = ir.group(launched, name)[0];
        let Some(size) = of.number(ir, value) else {
            return Err(refuse(ir, launched, "its sizes do not follow from the arguments of the function"));
        };
        sizes.push((value, size));
    }
    let block: Option<Vec<i64>> =
        sizes[3..].iter().map(|(_, size)| if let Expr::Const(size) = size { Some(*size) } else { None }).collect();
    let types: Vec<TypeId> = ir.args(old).iter().map(|&arg| ir.type_of(arg)).collect();
    let new = ir.add_block(region, &types);
    let span = ir.span(func);
    let mut b = Builder::at_end(ir, new, span);
    let mut map = copy_around(&mut b, old, launched);
    for dim in 0..3 {
        let (block, thread) = (b.gpu_id(Opcode::GpuBlockId, dim), b.gpu_id(Opcode::GpuThreadId, dim));
        map.set(args[dim], block);
        map.set(args[3 + dim], thread);
        map.set(args[6 + dim], map.get(sizes[dim].0));
        map.set(args[9 + dim], map.get(sizes[3 + dim].0));
    }
    let memory = allocate(&mut b, launched, &args[12..]);
    for (&arg, memref) in args[12..].iter().zip(memory) {
        map.set(arg, memref);
    }
    let from = b.ir.block_region(body);
    if b.ir.blocks(from).len() == 1 {
        for op in b.ir.ops_of(body) {
            b.copy(op, &mut map);
        }
    } else {
        let given: Vec<ValueId> = args.iter().map(|&arg| map.get(arg)).collect();
        b.copy_blocks(from, region, Some(&given), &mut map);
        let first = b.ir.blocks(region)[2];
        let jump = b.op(Opcode::CfBr, &[], &[], &[]);
        b.ir.set_successors(jump, &[first]);
    }
    ir.remove_block(old);
    for op in ir.walk(func) {
        if ir.opcode(op) == Opcode::GpuTerminator {
            Builder::before(ir, op).op(Opcode::FuncReturn, &[], &[], &[]);
            ir.erase(op);
        }
    }
    let grid: Vec<Expr> = sizes[..3].iter().map(|(_, size)| size.clone()).collect();
    of.write_grid(ir, func, &grid);
    launch(ir, func, block.and_then(|block| block.try_into().ok()), facts)
}
