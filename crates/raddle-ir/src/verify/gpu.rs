//! Rules of `gpu` operations: kernels and their memory, launches, reductions, matrices of a subgroup.

use super::memory::{self, Strided, space};
use super::parts::Parts;
use super::wording::{ensure, quoted, wrong};
use super::{Check, iree, nvvm, types_of};
use crate::attrs::Attr;
use crate::diag::Diag;
use crate::form::Sort;
use crate::ids::{OpId, StrId, TypeId, ValueId};
use crate::ir::Ir;
use crate::ops::Opcode;
use crate::text::print_type;
use crate::types::{DYNAMIC, Type};
use crate::views::Fragment;

/// Which memory a memref lies in: one of these numbers, or the word of a dialect's attribute.
pub(super) fn lies_in(ir: &Ir, ty: TypeId, numbers: &[i128], name: &str, word: &str) -> bool {
    space(ir, ty).is_some_and(|space| match &ir[space] {
        Attr::Int { value, .. } => numbers.contains(value),
        Attr::Dialect { name: found, .. } => ir[*found] == *name && ir.keyword(space) == Some(word),
        _ => false,
    })
}

/// Memory that a workgroup shares.
pub(super) fn is_workgroup(ir: &Ir, ty: TypeId) -> bool {
    lies_in(ir, ty, &[3], SPACE, "workgroup")
}

pub(super) fn is_global(ir: &Ir, ty: TypeId) -> bool {
    space(ir, ty).is_none() || lies_in(ir, ty, &[0, 1], SPACE, "global")
}

const SPACE: &str = "gpu.address_space";

/// How large a launch is may be known.
const LAUNCH_SIZES: [&str; 3] = ["known_block_size", "known_grid_size", "known_cluster_size"];

/// The numbers of `array<i32: 64, 1, 1>`.
fn launch_size<'ir>(ir: &'ir Ir, attr: &'ir Attr) -> Option<&'ir [i64]> {
    match attr {
        Attr::DenseArray { elem, values } if Sort::I32.holds(ir, *elem) => Some(values),
        _ => None,
    }
}

/// The same on functions outside of `gpu`, where the attributes have the dialect in their names.
pub(super) fn marks(ir: &Ir, op: OpId) -> Check {
    for &(name, value) in ir.attrs(op) {
        let name = &ir[name];
        ensure(ir, op, name != CONTAINER, || {
            format!("expected '{CONTAINER}' attribute to be attached to 'builtin.module'")
        })?;
        let is_size = name.strip_prefix("gpu.").is_some_and(|name| LAUNCH_SIZES.contains(&name));
        if !is_size {
            continue;
        }
        let Some(size) = launch_size(ir, &ir[value]) else {
            return Err(wrong(ir, op, format!("{name} must be a dense i32 array")));
        };
        ensure(ir, op, size.len() == 3, || format!("{name} must contain exactly 3 elements"))?;
    }
    Ok(())
}

/// The body of a kernel takes the arguments, and behind them memory of the workgroup and of the thread.
fn func(ir: &Ir, op: OpId) -> Check {
    ensure(ir, op, matches!(ir.attr(op, "sym_name"), Some(Attr::Str(_))), || "needs a name".to_owned())?;
    let ty = match ir.attr(op, "function_type") {
        Some(Attr::Type(ty)) => Some(&ir[*ty]),
        _ => None,
    };
    let Some(Type::Function { inputs, results }) = ty else {
        let rule = "type attribute of function type";
        return Err(wrong(ir, op, format!("attribute 'function_type' failed to satisfy constraint: {rule}")));
    };
    for name in LAUNCH_SIZES {
        let size = ir.attr(op, name).map(|attr| launch_size(ir, attr));
        ensure(ir, op, size.is_none_or(|size| size.is_some_and(|size| size.len() == 3)), || {
            let rule = "i32 dense array attribute with 3 elements (if present)";
            format!("attribute '{name}' failed to satisfy constraint: {rule}")
        })?;
    }
    let inside = ir.parent_op(op).is_some_and(|parent| ir.opcode(parent) == Opcode::GpuModule);
    ensure(ir, op, inside, || "expects parent op 'gpu.module'".to_owned())?;
    ensure(ir, op, !is_kernel(ir, op) || results.is_empty(), || {
        "expected void return type for kernel function".to_owned()
    })?;
    let Some(body) = ir.body(op, 0) else {
        return Err(wrong(ir, op, "expected body with at least one block"));
    };
    let args = ir.args(body);
    let least = inputs.len().saturating_add(n_shared(ir, op));
    ensure(ir, op, args.len() >= least, || format!("expected at least {least} arguments to body region"))?;
    for (i, (&arg, &input)) in args.iter().zip(inputs).enumerate() {
        ensure(ir, op, ir.type_of(arg) == input, || {
            let (wanted, found) = (quoted(ir, input), quoted(ir, ir.type_of(arg)));
            format!("expected body region argument #{i} to be of type {wanted}, got {found}")
        })?;
    }
    attributions(ir, op, &args[inputs.len()..])
}

/// Whether a function may be launched.
fn is_kernel(ir: &Ir, func: OpId) -> bool {
    ["kernel", "gpu.kernel"].into_iter().any(|name| ir.attr_id(func, name).is_some())
}

/// A function returns what its type says.
fn returned(ir: &Ir, op: OpId) -> Check {
    let Some(func) = ir.parent_op(op).filter(|&parent| ir.opcode(parent) == Opcode::GpuFunc) else { return Ok(()) };
    let results = ir.signature(func).1;
    let found = types_of(ir, ir.operands(op));
    if found.len() != results.len() {
        let diag = wrong(ir, op, format!("expected {} result operands", results.len()));
        return Err(Box::new(diag.related(ir.span(func), "return type declared here")));
    }
    let odd = (0..found.len()).find(|&i| found[i] != results[i]);
    ensure(ir, op, odd.is_none(), || {
        let i = odd.unwrap_or(0);
        format!("unexpected type {} for operand #{i}", quoted(ir, found[i]))
    })
}

/// The body of a launch takes ids and sizes, and behind them memory.
fn launch(ir: &Ir, op: OpId) -> Check {
    let groups = ir.segments(op);
    let clusters = groups[7..10].iter().filter(|group| !group.is_empty()).count();
    ensure(ir, op, matches!(clusters, 0 | 3), || "cluster size must be all present".to_owned())?;
    let n_sizes = if clusters == 0 { 12usize } else { 18 };
    let args = ir.args(ir.entry(op));
    ensure(
        ir,
        op,
        args.len() >= n_sizes.saturating_add(n_shared(ir, op))
            && types_of(ir, &args[..n_sizes]).iter().all(|&ty| ir[ty] == Type::Index),
        || format!("unexpected number of region arguments: its body takes {n_sizes} indices first"),
    )?;
    attributions(ir, op, &args[n_sizes..])
}

/// How many arguments of the body are memory of the workgroup.
fn n_shared(ir: &Ir, op: OpId) -> usize {
    let count = ir.attr(op, "workgroup_attributions").and_then(Attr::as_i64);
    usize::try_from(count.unwrap_or(0)).unwrap_or(usize::MAX)
}

/// What stands behind the arguments of its own: memory of the workgroup, which is all there, and of the thread.
fn attributions(ir: &Ir, op: OpId, args: &[ValueId]) -> Check {
    let count = n_shared(ir, op);
    for (i, &arg) in args.iter().enumerate() {
        let Type::MemRef { space, .. } = ir.ty(arg) else {
            return Err(wrong(ir, op, "expected memref type in attribution"));
        };
        let wanted = if i < count { "workgroup" } else { "private" };
        // A number is the space of a machine that is chosen already.
        let named = space
            .filter(|&space| matches!(&ir[space], Attr::Dialect { name, .. } if ir[*name] == *"gpu.address_space"));
        if named.is_some_and(|space| ir.keyword(space) != Some(wanted)) {
            return Err(wrong(ir, op, format!("expected memory space {wanted} in attribution")));
        }
    }
    Ok(())
}

/// A reduction names what combines two values, or has a body that does, not both.
fn all_reduce(ir: &Ir, op: OpId) -> Check {
    let ty = ir.type_of(ir.operand(op, 0));
    let body = ir.body(op, 0);
    if body.is_some() == ir.attr_id(op, "op").is_some() {
        return Err(wrong(ir, op, "expected either an op attribute or a non-empty body"));
    }
    let Some(block) = body else { return combines(ir, op, ty) };
    let args = types_of(ir, ir.args(block));
    ensure(ir, op, args.len() == 2, || format!("expected two region arguments, not {}", args.len()))?;
    ensure(ir, op, args == [ty, ty], || format!("incorrect region argument type: both have type {}", quoted(ir, ty)))?;
    let Some(end) = ir.terminator(block) else { return Ok(()) };
    let given = types_of(ir, ir.operands(end));
    ensure(ir, op, given.len() == 1, || format!("expected one gpu.yield operand, not {}", given.len()))?;
    ensure(ir, op, given == [ty], || format!("incorrect gpu.yield type: the body gives {}", quoted(ir, given[0])))
}

/// The combining operation fits the type.
fn combines(ir: &Ir, op: OpId, ty: TypeId) -> Check {
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
    let message = format!("`{kind}` reduction operation is not compatible with type {}", quoted(ir, elem));
    Err(wrong(ir, op, message))
}

/// A reduction among the lanes of a subgroup, or of each cluster of them.
fn subgroup_reduce(ir: &Ir, op: OpId) -> Check {
    combines(ir, op, ir.type_of(ir.operand(op, 0)))?;
    let int = |name: &str| ir.attr(op, name).and_then(Attr::as_i64);
    let (size, stride) = (int("cluster_size"), int("cluster_stride").unwrap_or(1));
    let power = |what: &str, value: i64| {
        let holds = value > 0 && value & (value - 1) == 0;
        ensure(ir, op, holds, || format!("{what} {value} is not a power of two"))
    };
    size.map_or(Ok(()), |size| power("cluster size", size))?;
    ensure(ir, op, stride == 1 || size.is_some(), || {
        "cluster stride can only be specified if cluster size is specified".to_owned()
    })?;
    power("cluster stride", stride)
}

/// Values rotate among the lanes by less than all of them.
fn rotate(ir: &Ir, op: OpId) -> Check {
    let int = |name: &str| ir.attr(op, name).and_then(Attr::as_i64).unwrap_or(0);
    let (offset, width) = (int("offset"), int("width"));
    ensure(ir, op, offset < width, || format!("offset must be in the range [0, {width})"))
}

/// The broadcast of a certain lane names it, and no other does.
fn broadcast(ir: &Ir, op: OpId) -> Check {
    let named = ir.operands(op).len() > 1;
    let wanted = ir.keyword_of(op, "broadcast_type") == Some("specific_lane");
    let word = if named { "can only" } else { "must" };
    ensure(ir, op, named == wanted, || format!("lane {word} be specified for `specific_lane` broadcast"))
}

/// A launch names a kernel inside a module, in a module that says so.
fn launch_func(ir: &Ir, op: OpId) -> Check {
    match ir.attr(op, "kernel") {
        Some(Attr::Symbol(_)) => {}
        Some(_) => return Err(wrong(ir, op, "invalid kind of attribute specified: 'kernel' is a symbol")),
        None => return Err(wrong(ir, op, "requires attribute 'kernel'")),
    }
    let mut around = std::iter::successors(ir.parent_op(op), |&outer| ir.parent_op(outer));
    let module = around.find(|&outer| ir.opcode(outer) == Opcode::BuiltinModule);
    ensure(ir, op, module.is_some_and(|module| holds_kernels(ir, module)), || {
        format!("expected the closest surrounding module to have the '{CONTAINER}' attribute")
    })
}

const CONTAINER: &str = "gpu.container_module";

fn holds_kernels(ir: &Ir, module: OpId) -> bool {
    ir.attr(module, CONTAINER) == Some(&Attr::Unit)
}

/// What a launch in a function of the module names is a kernel that takes its operands.
pub(super) fn launched(ir: &Ir, op: OpId, find: impl Fn(&[StrId]) -> Option<OpId>) -> Check {
    let module = ir.parent_op(op).and_then(|func| ir.parent_op(func));
    let in_function =
        module.is_some_and(|module| ir.opcode(module) == Opcode::BuiltinModule && holds_kernels(ir, module));
    let Some(Attr::Symbol(path)) = ir.attr(op, "kernel").filter(|_| in_function) else { return Ok(()) };
    let name = &ir[path[0]];
    let Some(container) = find(&path[..1]) else {
        return Err(wrong(ir, op, format!("kernel container '{name}' is undefined")));
    };
    match ir.opcode(container) {
        // It may be linked from what is compiled already.
        Opcode::GpuBinary => return Ok(()),
        Opcode::GpuModule => {}
        _ => return Err(wrong(ir, op, format!("kernel module '{name}' is undefined"))),
    }
    let whole = || path.iter().map(|&part| format!("@{}", &ir[part])).collect::<Vec<_>>().join("::");
    let Some(kernel) = find(path) else {
        return Err(wrong(ir, op, format!("kernel function '{}' is undefined", whole())));
    };
    let opcode = ir.opcode(kernel);
    if !matches!(opcode, Opcode::GpuFunc | Opcode::LlvmFunc | Opcode::FuncFunc | Opcode::Unregistered) {
        let diag = wrong(ir, op, format!("referenced kernel '{}' is not a function", whole()));
        return Err(Box::new(diag.related(ir.span(kernel), "see the kernel definition here")));
    }
    ensure(ir, op, is_kernel(ir, kernel), || "kernel function is missing the 'gpu.kernel' attribute".to_owned())?;
    if opcode != Opcode::GpuFunc {
        return Ok(());
    }
    let (given, taken) = (types_of(ir, Parts::of(ir, op).all("kernelOperands")), ir.signature(kernel).0);
    ensure(ir, op, given.len() == taken.len(), || {
        format!("got {} kernel operands but expected {}", given.len(), taken.len())
    })?;
    let odd = (0..given.len()).find(|&i| given[i] != taken[i]);
    ensure(ir, op, odd.is_none(), || format!("type of function argument {} does not match", odd.unwrap_or_default()))
}

/// Objects of a module or binary: each is an attribute that some dialect has for this.
fn listed(ir: &Ir, op: OpId, name: &str, rule: &str, fits: impl Fn(&str) -> bool) -> Check {
    let holds = match ir.attr(op, name) {
        None => true,
        Some(Attr::Array(items)) => {
            !items.is_empty()
                && items.iter().all(|&item| matches!(&ir[item], Attr::Dialect { name, .. } if fits(&ir[*name])))
        }
        Some(_) => false,
    };
    ensure(ir, op, holds, || {
        format!("attribute '{name}' failed to satisfy constraint: {rule} attributes with at least 1 elements")
    })
}

/// What translates a launch is an attribute that some dialect has for this.
fn handler(ir: &Ir, op: OpId) -> Check {
    let handler = ir.attr(op, "offloadingHandler");
    ensure(ir, op, handler.is_none_or(|handler| matches!(handler, Attr::Dialect { .. })), || {
        let rule = "any attribute with the `OffloadingTranslationAttrTrait` trait.";
        format!("attribute 'offloadingHandler' failed to satisfy constraint: {rule}")
    })
}

/// Memory of the workgroup whose size the launch says.
fn dynamic_shared_memory(ir: &Ir, op: OpId) -> Check {
    let ty = ir.type_of(ir.result(op, 0));
    let (shape, elem) = (ir[ty].shape().unwrap_or(&[]), ir[ty].elem());
    let bytes = shape.len() == 1 && elem.is_some_and(|elem| Sort::I8.holds(ir, elem));
    ensure(ir, op, bytes, || {
        let found = quoted(ir, ty);
        format!("result #0 must be 1D memref of 8-bit signless integer values, but got {found}")
    })?;
    ensure(ir, op, lies_in(ir, ty, &[], SPACE, "workgroup"), || {
        "address space must be address_space<workgroup>".to_owned()
    })?;
    ensure(ir, op, shape == [DYNAMIC], || {
        "result memref type must be memref<?xi8, #gpu.address_space<workgroup>>".to_owned()
    })
}

fn memcpy(at: &Parts<'_>) -> Check {
    let ir = at.ir;
    let [target, source] = ["dst", "src"].map(|name| ir.type_of(at.one(name)));
    at.ensure(ir[target].elem() == ir[source].elem(), "arguments have incompatible element type")?;
    let fits = ir[target].shape().zip(ir[source].shape()).is_none_or(|(a, b)| iree::alike(a, b));
    at.ensure(fits, "arguments have incompatible shape")
}

fn memset(at: &Parts<'_>) -> Check {
    let ir = at.ir;
    let [target, value] = ["dst", "value"].map(|name| ir.type_of(at.one(name)));
    let elem = |ty: TypeId| ir[ty].elem().unwrap_or(ty);
    at.ensure(elem(target) == elem(value), "failed to verify that all of {dst, value} have same element type")
}

// ---- matrices of a subgroup

/// An operand that is such a matrix.
fn fragment<'ir>(at: &Parts<'ir>, name: &str) -> Result<Fragment<'ir>, Box<Diag>> {
    let ty = at.ir.type_of(at.one(name));
    Fragment::of(at.ir, ty).ok_or_else(|| {
        let (i, found) = (at.range(name).start, quoted(at.ir, ty));
        wrong(at.ir, at.op, format!("operand #{i} must be MMAMatrix type, but got {found}"))
    })
}

/// Rows of a memref are read and written as they lie.
pub(super) fn unit_stride(at: &Parts<'_>, name: &str, what: &str) -> Check {
    let layout = Strided::of(at.ir, at.ir.type_of(at.one(name)));
    let unit = layout.is_some_and(|layout| layout.strides.last().is_none_or(|&stride| stride == 1));
    at.ensure_with(unit, || format!("expected {what} memref most minor dim must have unit stride"))
}

fn mma_store(at: &Parts<'_>) -> Check {
    unit_stride(at, "dstMemref", "destination")?;
    let matrix = fragment(at, "src")?;
    at.ensure(matrix.operand == "COp", "expected the operand matrix being stored to have 'COp' operand type")
}

fn mma_compute(at: &Parts<'_>) -> Check {
    let (a, b, c) = (fragment(at, "opA")?, fragment(at, "opB")?, fragment(at, "opC")?);
    let in_order = [a.operand, b.operand, c.operand] == ["AOp", "BOp", "COp"];
    at.ensure(in_order, "operands must be in the order AOp, BOp, COp")?;
    let ([m, k], [l, n]) = (a.shape, b.shape);
    at.ensure(k == l && c.shape == [m, n], "operand shapes do not satisfy matmul constraints")
}

/// One element of a thread's part has the type of the matrix' elements.
fn mma_element(at: &Parts<'_>, value: ValueId) -> Check {
    let matrix = fragment(at, "matrix")?;
    at.ensure(
        print_type(at.ir, at.ir.type_of(value)) == matrix.elem,
        "failed to verify that value type matches element type of mma_matrix",
    )
}

// ---- one lane for all

/// What the first lane alone takes and gives has the types around it, or is a vector that the lanes have dealt out.
fn warp_execute(at: &Parts<'_>) -> Check {
    let ir = at.ir;
    let (outside, inside) = (types_of(ir, at.all("args")), at.args());
    at.ensure(outside.len() == inside.len(), "expected same number op arguments and block arguments.")?;
    let (results, (_, yielded)) = (types_of(ir, &ir.results(at.op).collect::<Vec<_>>()), at.yielded());
    at.ensure(results.len() == yielded.len(), "expected same number of yield operands and return values.")?;
    let pairs = inside.iter().zip(&outside).chain(yielded.iter().zip(&results));
    pairs.into_iter().try_for_each(|(&whole, &part)| dealt(at, whole, part))
}

/// The extents of a part divide those of the whole, and there is one for each lane.
fn dealt(at: &Parts<'_>, whole: TypeId, part: TypeId) -> Check {
    let ir = at.ir;
    if whole == part {
        return Ok(());
    }
    let (Type::Vector { shape: a, elem: x, .. }, Type::Vector { shape: b, elem: y, .. }) = (&ir[whole], &ir[part])
    else {
        return Err(wrong(ir, at.op, "expected vector type for distributed operands."));
    };
    at.ensure(a.len() == b.len() && x == y, "expected distributed vectors to have same rank and element type.")?;
    let mut parts = 1i64;
    for (i, (&a, &b)) in a.iter().zip(b).enumerate() {
        at.ensure_with(b != 0 && a % b == 0, || {
            format!(
                "expected expanded vector dimension #{i} ({a}) to be a multipler of the distributed vector dimension ({b})"
            )
        })?;
        parts = parts.saturating_mul(a / b);
    }
    let lanes = at.int("warp_size");
    at.ensure_with(parts == lanes, || {
        let (whole, part) = (quoted(ir, whole), quoted(ir, part));
        format!("incompatible distribution dimensions from {whole} to {part} with warp size = {lanes}")
    })
}

/// The rules of an operation of `gpu` that no other module has.
pub(super) fn check(ir: &Ir, op: OpId) -> Check {
    let at = Parts::of(ir, op);
    match ir.opcode(op) {
        Opcode::GpuModule => {
            handler(ir, op)?;
            listed(ir, op, "targets", "array of GPU target", |name| name != "gpu.object")?;
            nvvm::targets(ir, op)
        }
        Opcode::GpuBinary => {
            handler(ir, op)?;
            listed(ir, op, "objects", "an array of GPU object", |name| name == "gpu.object")
        }
        Opcode::GpuAlloc => memory::check(ir, op),
        Opcode::GpuFunc => func(ir, op),
        Opcode::GpuReturn => returned(ir, op),
        Opcode::GpuLaunch => launch(ir, op),
        Opcode::GpuLaunchFunc => launch_func(ir, op),
        Opcode::GpuAllReduce => all_reduce(ir, op),
        Opcode::GpuSubgroupReduce => subgroup_reduce(ir, op),
        Opcode::GpuRotate => rotate(ir, op),
        Opcode::GpuSubgroupBroadcast => broadcast(ir, op),
        Opcode::GpuDynamicSharedMemory => dynamic_shared_memory(ir, op),
        Opcode::GpuMemcpy => memcpy(&at),
        Opcode::GpuMemset => memset(&at),
        Opcode::GpuSubgroupMmaLoadMatrix => unit_stride(&at, "srcMemref", "source"),
        Opcode::GpuSubgroupMmaStoreMatrix => mma_store(&at),
        Opcode::GpuSubgroupMmaCompute => mma_compute(&at),
        Opcode::GpuSubgroupMmaElementwise => {
            let types = types_of(ir, ir.operands(op));
            at.ensure(
                types.iter().all(|ty| Some(ty) == types.first()),
                "failed to verify that all of {args} have same type",
            )
        }
        Opcode::GpuSubgroupMmaExtractThreadLocal => mma_element(&at, ir.result(op, 0)),
        Opcode::GpuSubgroupMmaInsertThreadLocal => mma_element(&at, at.one("value")),
        Opcode::GpuWarpExecuteOnLane0 => warp_execute(&at),
        _ => Ok(()),
    }
}
