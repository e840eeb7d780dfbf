//! Rules of `gpu` operations: kernels and their memory, launches, reductions.

use super::{Check, bad, ensure, iree, show, types_of};
use crate::attrs::Attr;
use crate::form::Sort;
use crate::ids::{OpId, TypeId, ValueId};
use crate::ir::Ir;
use crate::ops::Opcode;
use crate::types::Type;

/// The body of a kernel takes the arguments, and behind them memory of the workgroup and of the thread.
fn func(ir: &Ir, op: OpId) -> Check {
    ensure(ir, op, matches!(ir.attr(op, "sym_name"), Some(Attr::Str(_))), || "needs a name".to_owned())?;
    let inputs = match ir.attr(op, "function_type") {
        Some(Attr::Type(ty)) => match &ir[*ty] {
            Type::Function { inputs, .. } => inputs,
            _ => return Err(bad(ir, op, "needs a function type")),
        },
        _ => return Err(bad(ir, op, "needs a function type")),
    };
    let is_kernel = ir.attr_id(op, "kernel").is_some();
    ensure(ir, op, !is_kernel || ir.signature(op).1.is_empty(), || {
        "is a kernel: expected void return type for kernel function".to_owned()
    })?;
    let args = ir.args(ir.entry(op));
    let taken = types_of(ir, args);
    ensure(ir, op, taken.starts_with(inputs), || "has a body whose arguments differ from its type".to_owned())?;
    attributions(ir, op, &args[inputs.len()..])
}

/// The body of a launch takes ids and sizes, and behind them memory.
fn launch(ir: &Ir, op: OpId) -> Check {
    let groups = ir.segments(op);
    let clusters = groups[7..10].iter().filter(|group| !group.is_empty()).count();
    ensure(ir, op, matches!(clusters, 0 | 3), || "has all three sizes of a cluster, or none".to_owned())?;
    let n_sizes = if clusters == 0 { 12 } else { 18 };
    let args = ir.args(ir.entry(op));
    ensure(
        ir,
        op,
        args.len() >= n_sizes && types_of(ir, &args[..n_sizes]).iter().all(|&ty| ir[ty] == Type::Index),
        || format!("unexpected number of region arguments: its body takes {n_sizes} indices first"),
    )?;
    attributions(ir, op, &args[n_sizes..])
}

fn attributions(ir: &Ir, op: OpId, args: &[ValueId]) -> Check {
    let count = ir.attr(op, "workgroup_attributions").and_then(Attr::as_i64).unwrap_or(0);
    let count = usize::try_from(count).ok().filter(|&count| count <= args.len());
    let Some(count) = count else { return Err(bad(ir, op, "has fewer arguments than memory of its workgroup")) };
    for (i, &arg) in args.iter().enumerate() {
        let Type::MemRef { space, .. } = ir.ty(arg) else {
            return Err(iree::wrong(ir, op, "expected memref type in attribution"));
        };
        let wanted = if i < count { "workgroup" } else { "private" };
        // A number is the space of a machine that is chosen already.
        let named = space
            .filter(|&space| matches!(&ir[space], Attr::Dialect { name, .. } if ir[*name] == *"gpu.address_space"));
        if named.is_some_and(|space| ir.keyword(space) != Some(wanted)) {
            return Err(iree::wrong(ir, op, format!("expected memory space {wanted} in attribution")));
        }
    }
    Ok(())
}

/// A reduction names what combines two values, or has a body that does, not both.
fn all_reduce(ir: &Ir, op: OpId) -> Check {
    let ty = ir.type_of(ir.operand(op, 0));
    if !matches!(ir[ty], Type::Integer { .. } | Type::Float(_)) {
        return Err(iree::wrong(
            ir,
            op,
            format!("operand #0 must be Integer or Float, but got {}", iree::quoted(ir, ty)),
        ));
    }
    let body = ir.body(op, 0);
    if body.is_some() == ir.attr_id(op, "op").is_some() {
        return Err(iree::wrong(ir, op, "expected either an op attribute or a non-empty body"));
    }
    let Some(block) = body else { return combines(ir, op, ty) };
    let args = types_of(ir, ir.args(block));
    ensure(ir, op, args.len() == 2, || format!("expected two region arguments, not {}", args.len()))?;
    ensure(ir, op, args == [ty, ty], || format!("incorrect region argument type: both have type {}", show(ir, ty)))?;
    let Some(end) = ir.terminator(block) else { return Ok(()) };
    let given = types_of(ir, ir.operands(end));
    ensure(ir, op, given.len() == 1, || format!("expected one gpu.yield operand, not {}", given.len()))?;
    ensure(ir, op, given == [ty], || format!("incorrect gpu.yield type: the body gives {}", show(ir, given[0])))
}

/// The combining operation fits the type.
pub(super) fn combines(ir: &Ir, op: OpId, ty: TypeId) -> Check {
    let Some(kind) = ir.attr_id(op, "op").and_then(|kind| ir.keyword(kind)) else { return Ok(()) };
    let fits = match kind {
        "add" | "mul" => true,
        "minsi" | "minui" | "maxsi" | "maxui" | "and" | "or" | "xor" => !Sort::FloatLike.holds(ir, ty),
        _ => Sort::FloatLike.holds(ir, ty),
    };
    if fits {
        return Ok(());
    }
    let elem = ir[ty].elem().unwrap_or(ty);
    let message = format!("`{kind}` reduction operation is not compatible with type {}", iree::quoted(ir, elem));
    Err(iree::wrong(ir, op, message))
}

/// Values rotate among a power of two of lanes, by less than all of them.
fn rotate(ir: &Ir, op: OpId) -> Check {
    let int = |name: &str| ir.attr(op, name).and_then(Attr::as_i64).unwrap_or(0);
    let (offset, width) = (int("offset"), int("width"));
    if width <= 0 || width & (width - 1) != 0 {
        let rule = "32-bit signless integer attribute whose value is a power of two > 0";
        return Err(iree::wrong(ir, op, format!("attribute 'width' failed to satisfy constraint: {rule}")));
    }
    if offset < 0 {
        let rule = "32-bit signless integer attribute whose minimum value is 0";
        return Err(iree::wrong(ir, op, format!("attribute 'offset' failed to satisfy constraint: {rule}")));
    }
    if offset >= width {
        return Err(iree::wrong(ir, op, format!("offset must be in the range [0, {width})")));
    }
    Ok(())
}

/// What lanes exchange or combine is a number, or a vector of one dimension.
pub(super) fn exchanged(ir: &Ir, op: OpId) -> Check {
    let ty = ir.type_of(ir.operand(op, 0));
    let number = |ty: TypeId| matches!(ir[ty], Type::Integer { .. } | Type::Float(_));
    let fits = match &ir[ty] {
        Type::Vector { shape, scalable, elem } => shape.len() == 1 && scalable.is_empty() && number(*elem),
        _ => number(ty),
    };
    if fits {
        return Ok(());
    }
    let wanted = "Integer or Float or fixed-length vector of Integer or Float values of ranks 1";
    Err(iree::wrong(ir, op, format!("operand #0 must be {wanted}, but got {}", iree::quoted(ir, ty))))
}

/// A launch names a kernel inside a module.
fn launch_func(ir: &Ir, op: OpId) -> Check {
    match ir.attr(op, "kernel") {
        Some(Attr::Symbol(_)) => Ok(()),
        _ => Err(iree::wrong(ir, op, "requires attribute 'kernel'")),
    }
}

/// The rules of an operation of `gpu` that no other room has.
pub(super) fn check(ir: &Ir, op: OpId) -> Check {
    match ir.opcode(op) {
        Opcode::GpuFunc => func(ir, op),
        Opcode::Launch => launch(ir, op),
        Opcode::LaunchFunc => launch_func(ir, op),
        Opcode::AllReduce => all_reduce(ir, op),
        Opcode::Rotate => exchanged(ir, op).and_then(|()| rotate(ir, op)),
        _ => Ok(()),
    }
}
