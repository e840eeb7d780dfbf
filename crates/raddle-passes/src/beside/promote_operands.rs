//! Promote operands: put copies of operands and results, as configurations ask for them, into the program.
//!
//! Before: `linalg.matmul {lowering_config = #iree_gpu.lowering_config<{promote_operands = [0]}>} ins(%a, %b) …`
//! After:  `%c = linalg.copy {lowering_config = #iree_gpu.derived_thread_config} ins(%a) outs(%empty)`,
//!         `linalg.matmul … ins(%c, %b) …`
//!
//! The copies are tiled over threads later, and their tensors become shared memory. What a structured operation makes needs
//! no copy: that operation gets the configuration. The result of an operation, counted behind its inputs, goes through a
//! tensor in shared memory, and a barrier keeps the two copies apart.

use raddle_ir::affine::BinOp;
use raddle_ir::views::{Linalg, Mixed, unmixed};
use raddle_ir::{Attr, AttrId, Body, Builder, Code, Def, Diag, Expr, Ir, OpId, Opcode, Point, Scalar, ValueId};

use crate::facts::Facts;
use crate::options::{OptionKind, Options, PassOption};
use crate::structured::body;
use crate::structured::sizes::{index, mixed_extent};

/// The options of [`promote_operands`].
pub(crate) const OPTIONS: &[PassOption] =
    &[PassOption { name: "skip-operand-promotion", sentence: "promote results alone", kind: OptionKind::Flag(false) }];

/// How an operand is promoted.
#[derive(Clone, Copy)]
struct Way {
    /// The configuration of the copy.
    config: AttrId,
    kind: Kind,
}

#[derive(Clone, Copy)]
enum Kind {
    /// A copy.
    Plain,
    /// A copy of a buffer that the cache serves in another order.
    CacheSwizzle,
    /// A copy to a tensor whose elements lie in the order of a swizzle.
    Swizzle(AttrId),
}

/// Promotes what the configurations of a function's operations ask for.
pub(crate) fn promote_operands(ir: &mut Ir, func: OpId, _: &Facts, options: &Options) -> Result<(), Diag> {
    let results_only = options.flag("skip-operand-promotion");
    for op in ir.walk(func) {
        let Some(config) = ir.attr_id(op, "lowering_config") else { continue };
        let Some(operands) = ir.field(config, "promote_operands").and_then(|list| ir.ints(list)) else { continue };
        let types = match ir.field(config, "promotion_types").map(|types| &ir[types]) {
            Some(Attr::Array(types)) => types.clone(),
            _ => Vec::new(),
        };
        let n_results = ir.results(op).len();
        let Some(n_inputs) = ir.operands(op).len().checked_sub(n_results).filter(|_| n_results > 0) else { continue };
        for (i, &operand) in operands.iter().enumerate() {
            let at = usize::try_from(operand).ok().filter(|&at| at < n_inputs + n_results);
            let Some(at) = at else {
                let message = format!("`promote_operands` names operand {operand} of `{}`", ir.name(op));
                return Err(Diag::error(Code::CannotConfigure, ir.span(op), message)
                    .note(format!("it has {n_inputs} inputs, and behind them {n_results} results")));
            };
            let way = match types.get(i) {
                Some(&attr) => way(ir, attr).ok_or_else(|| {
                    let message = "promotion types does not implement promotion attr interface";
                    Diag::error(Code::BadAttribute, ir.span(op), message)
                })?,
                None => Way { config: derived(ir), kind: Kind::Plain },
            };
            if at >= n_inputs {
                result(ir, ir.result(op, at - n_inputs));
            } else if !results_only {
                input(ir, op, at, way);
            }
        }
    }
    Ok(())
}

/// `#iree_gpu.derived_thread_config`
fn derived(ir: &mut Ir) -> AttrId {
    let name = ir.intern_str("iree_gpu.derived_thread_config");
    ir.intern(Attr::Dialect { name, body: Body::None })
}

/// The way that an attribute stands for.
fn way(ir: &mut Ir, attr: AttrId) -> Option<Way> {
    let Attr::Dialect { name, body } = ir[attr].clone() else { return None };
    let inner = match body {
        Body::Attr(inner) => Some(inner),
        _ => ir.field(attr, "copy_config"),
    };
    let kind = match &ir[name] {
        "iree_gpu.derived_thread_config" | "iree_gpu.use_global_load_dma" => {
            return Some(Way { config: attr, kind: Kind::Plain });
        }
        "iree_gpu.promote_with_cache_swizzle" => Kind::CacheSwizzle,
        "iree_gpu.swizzle_operand" => Kind::Swizzle(ir.field(attr, "swizzle")?),
        _ => return None,
    };
    let config = inner.unwrap_or_else(|| derived(ir));
    Some(Way { config, kind })
}

/// `linalg.copy ins(input) outs(output)`, with a configuration if there is one.
fn copy(builder: &mut Builder<'_>, input: ValueId, output: ValueId, config: Option<AttrId>) -> ValueId {
    let (ty, elem) = (builder.ir.type_of(output), builder.ir.elem_of(output));
    let mut attrs = vec![("operandSegmentSizes", builder.ir.segment_sizes(&[1, 1]))];
    attrs.extend(config.map(|config| ("lowering_config", config)));
    let op = builder.op(Opcode::LinalgCopy, &[input, output], &[ty], &attrs);
    let region = builder.ir.add_region(op);
    let block = builder.ir.add_block(region, &[elem, elem]);
    let value = builder.ir.args(block)[0];
    Builder::at_end(builder.ir, block, builder.span).op(Opcode::LinalgYield, &[value], &[], &[]);
    builder.ir.result(op, 0)
}

/// The extents of a tensor.
fn extents(builder: &mut Builder<'_>, value: ValueId) -> Vec<Mixed> {
    (0..builder.ir.shape_of(value).len()).map(|d| mixed_extent(builder, value, d)).collect()
}

/// A new tensor of the same type.
fn empty_like(builder: &mut Builder<'_>, value: ValueId) -> ValueId {
    let (ty, sizes) = (builder.ir.type_of(value), unmixed(&extents(builder, value)).1);
    builder.value(Opcode::TensorEmpty, &sizes, ty, &[])
}

/// Promotes an input of an operation.
fn input(ir: &mut Ir, op: OpId, at: usize, way: Way) {
    let value = ir.operand(op, at);
    let promoted = match made_in_place(ir, value, way) {
        Some(true) => value,
        Some(false) => return,
        None if !ir.ty(value).is_tensor() => return,
        None => {
            let mut builder = Builder::before(ir, op);
            let output = output(&mut builder, value, way);
            copy(&mut builder, value, output, Some(way.config))
        }
    };
    if let Kind::CacheSwizzle = way.kind {
        cast_source(ir, promoted);
    }
    ir.set_operand(op, at, promoted);
}

/// Whether what makes a value does the work of a copy (`true`: it has the configuration now) or needs none.
fn made_in_place(ir: &mut Ir, value: ValueId, way: Way) -> Option<bool> {
    let made = ir.def_op(value)?;
    if ir.opcode(made) == Opcode::IreeLinalgExtIm2col {
        ir.set_attr(made, "lowering_config", way.config);
        return Some(true);
    }
    let linalg = Linalg::try_of(ir, made)?;
    if is_fill(ir, made, &linalg) {
        return Some(false);
    }
    if is_transpose(ir, made, &linalg) {
        return None;
    }
    ir.set_attr(made, "lowering_config", way.config);
    Some(true)
}

/// Whether an operation passes its only input on.
fn passes_on(ir: &Ir, op: OpId) -> bool {
    ir.operands(body::yield_of(ir, op)) == &ir.args(ir.entry(op))[..1]
}

/// Whether all elements become one number.
fn is_fill(ir: &Ir, op: OpId, linalg: &Linalg) -> bool {
    let scalar = linalg.inputs.len() == 1 && linalg.maps[0].results.is_empty();
    ir.opcode(op) == Opcode::LinalgFill || ir.opcode(op) == Opcode::LinalgGeneric && scalar && passes_on(ir, op)
}

/// Whether a `linalg.generic` only brings dimensions into another order.
fn is_transpose(ir: &Ir, op: OpId, linalg: &Linalg) -> bool {
    let [from, to] = &linalg.maps[..] else { return false };
    let all = from.as_dims().is_some_and(|mut dims| {
        dims.sort_unstable();
        dims.into_iter().eq(0..from.dims as usize)
    });
    ir.opcode(op) == Opcode::LinalgGeneric && all && !from.is_identity() && to.is_identity() && passes_on(ir, op)
}

/// Where a copy of a value goes.
fn output(builder: &mut Builder<'_>, value: ValueId, way: Way) -> ValueId {
    let shape = builder.ir.shape_of(value).to_vec();
    let n_elements = shape.iter().try_fold(1i64, |n, &extent| n.checked_mul(extent).filter(|_| extent >= 0));
    let (Kind::Swizzle(swizzle), Some(n_elements)) = (way.kind, n_elements) else { return empty_like(builder, value) };
    let (elem, ty) = (builder.ir.elem_of(value), builder.ir.type_of(value));
    let flat = builder.ir.tensor_type(&[n_elements], elem);
    let empty = builder.value(Opcode::TensorEmpty, &[], flat, &[]);
    let hint = builder.value(Opcode::IreeCodegenSwizzleHint, &[empty], flat, &[("swizzle", swizzle)]);
    let group: Vec<i64> = (0..shape.len() as i64).collect();
    let groups = if group.is_empty() { Vec::new() } else { vec![builder.ir.i64_array(&group)] };
    let attrs = [
        ("reassociation", builder.ir.intern(Attr::Array(groups))),
        ("static_output_shape", builder.ir.dense_i64(&shape)),
    ];
    builder.value(Opcode::TensorExpandShape, &[hint], ty, &attrs)
}

/// Lets the buffer that a copy or an unfolded image reads be one that the cache serves in another order: rows are as far
/// apart as they are long, where that is a number of bytes.
fn cast_source(ir: &mut Ir, promoted: ValueId) {
    let reads = [Opcode::LinalgCopy, Opcode::IreeLinalgExtIm2col];
    let Some(made) = ir.def_op(promoted).filter(|&made| reads.contains(&ir.opcode(made))) else { return };
    let source = ir.operand(made, 0);
    let bits = Scalar::of(&ir[ir.elem_of(source)]).map(|scalar| i64::from(scalar.bits()));
    let (Some(last), Some(bits)) = (ir.shape_of(source).len().checked_sub(1), bits) else { return };
    // Behind what makes the source: the next operation, or the first one of the block whose argument it is.
    let behind = match ir.def(source) {
        Def::Result { op, .. } => ir.next_op(op),
        Def::Arg { block, .. } => ir.first_op(block),
    };
    let Some(behind) = behind else { return };
    let mut builder = Builder::before(ir, behind);
    let row = mixed_extent(&mut builder, source, last);
    let row_bits = Expr::binary(BinOp::Mul, Expr::Dim(0), Expr::Const(bits));
    let eight = || Expr::Const(8);
    let bytes = index(&mut builder, &[row], &Expr::binary(BinOp::CeilDiv, row_bits.clone(), eight()));
    let stride = match index(&mut builder, &[row], &Expr::binary(BinOp::Mod, row_bits, eight())) {
        Mixed::Static(0) => bytes.materialize(&mut builder),
        Mixed::Static(_) => builder.index(0),
        Mixed::Value(rest) => {
            let (zero, bit, index) = (builder.index(0), builder.ir.int_type(1), builder.ir.index_type());
            let equal = builder.ir.i64_attr(0);
            let whole = builder.value(Opcode::ArithCmpi, &[rest, zero], bit, &[("predicate", equal)]);
            let bytes = bytes.materialize(&mut builder);
            builder.value(Opcode::ArithSelect, &[whole, bytes, zero], index, &[])
        }
    };
    let ty = builder.ir.type_of(source);
    let cast = builder.value(Opcode::IreeGpuBufferResourceCast, &[source, stride], ty, &[]);
    ir.set_operand(made, 0, cast);
}

/// Sends a result through shared memory. Where the only use is a slice, that is what is copied back.
fn result(ir: &mut Ir, value: ValueId) {
    let Some(made) = ir.def_op(value).filter(|_| ir.ty(value).is_tensor()) else { return };
    let users: Vec<(OpId, usize)> = ir.uses(value).collect();
    let slice = users.iter().map(|use_| use_.0).find(|&user| ir.opcode(user) == Opcode::TensorExtractSlice);
    if slice.is_some() && users.len() > 1 {
        return;
    }
    let (Some(next), ty) = (ir.next_op(made), ir.type_of(value)) else { return };
    let mut builder = Builder::before(ir, next);
    builder.span = builder.ir.span(made);
    let sizes = unmixed(&extents(&mut builder, value)).1;
    let space = builder.keyword_attr("gpu.address_space", "workgroup");
    let attrs = [("memory_space", space), ("operandSegmentSizes", builder.ir.segment_sizes(&[sizes.len(), 0, 0]))];
    let shared = builder.value(Opcode::BufferizationAllocTensor, &sizes, ty, &attrs);
    let written = copy(&mut builder, value, shared, None);
    let kept = builder.value(Opcode::IreeCodegenFusionBarrier, &[written], ty, &[]);
    let (part, users, at) = match slice {
        None => (kept, users, builder.at),
        Some(slice) => {
            builder.ir.set_operand(slice, 0, kept);
            let part = builder.ir.result(slice, 0);
            let Some(next) = builder.ir.next_op(slice) else { return };
            (part, builder.ir.uses(part).collect(), Point::Before(next))
        }
    };
    builder.at = at;
    let (empty, config) = (empty_like(&mut builder, part), derived(builder.ir));
    let back = copy(&mut builder, part, empty, Some(config));
    for (user, operand) in users {
        ir.set_operand(user, operand, back);
    }
}
