//! Each operation's own rules: constants, casts, loops, memory, indices, matrix instructions.

use super::wording::{ensure, quoted, wrong};
use super::{
    Check, affine, amdgpu, codegen, gpu, host, iree, linalg_ext, llvm, loops, memory, named, nvgpu, pcf, raddle,
    same_shape, scripts, structured, tensor_ext, tensors, tuning, types_of, vector,
};
use crate::attrs::{Attr, Body};
use crate::form::{Shape, Spelling};
use crate::ids::{OpId, TypeId, ValueId};
use crate::ir::Ir;
use crate::ops::Opcode;
use crate::text::{LLVM_CONVENTIONS, LLVM_LINKAGES, LLVM_TAILS, is_named};
use crate::types::{DYNAMIC, Float, Scalar, Sign, Type};

/// The rules of one operation whose structure and types hold.
pub(super) fn check(ir: &Ir, op: OpId) -> Check {
    attributes(ir, op)?;
    let opcode = ir.opcode(op);
    if opcode.is_loaded()
        && let Some(rule) = opcode.info().rule
    {
        rule(ir, op)?;
    }
    match opcode {
        Opcode::BuiltinModule => {
            let args = ir.body(op, 0).map_or(0, |block| ir.args(block).len());
            ensure(ir, op, args == 0, || "region should have no arguments".to_owned())?;
            dialect_names(ir, op)?;
            llvm::data_layout(ir, op)?;
            tuning::module(ir, op)
        }
        Opcode::LinalgYield => named::yields(ir, op),
        Opcode::UbPoison => Ok(()),
        Opcode::FuncFunc => func(ir, op).and_then(|()| gpu::marks(ir, op)).and_then(|()| llvm::foreign(ir, op)),
        Opcode::FuncReturn => func_return(ir, op),
        Opcode::FuncCall => Ok(()),
        Opcode::FuncCallIndirect => call_indirect(ir, op),
        Opcode::ArithConstant => constant(ir, op),
        Opcode::FlowTensorConstant | Opcode::UtilUnfoldableConstant => typed_constant(ir, op),
        Opcode::FuncConstant => func_constant(ir, op),
        Opcode::BuiltinUnrealizedConversionCast => unrealized_cast(ir, op),
        Opcode::UtilGlobal => global(ir, op),
        Opcode::ArithSelect => select(ir, op),
        Opcode::ArithExtf | Opcode::ArithTruncf | Opcode::ArithExtsi | Opcode::ArithExtui | Opcode::ArithTrunci => {
            cast(ir, op)
        }
        Opcode::ArithSitofp | Opcode::ArithUitofp | Opcode::ArithFptosi | Opcode::ArithFptoui => cast(ir, op),
        Opcode::ArithIndexCast | Opcode::ArithIndexCastui | Opcode::ArithBitcast => cast(ir, op),
        Opcode::MathFpowi => power(ir, op),
        Opcode::ComplexConstant => complex_constant(ir, op),
        Opcode::ComplexBitcast => complex_bitcast(ir, op),
        Opcode::LinalgGeneric | Opcode::LinalgTranspose | Opcode::LinalgBroadcast => structured::linalg(ir, op),
        Opcode::LinalgReduce | Opcode::LinalgMap => structured::linalg(ir, op),
        Opcode::LinalgSoftmax => named::softmax(ir, op),
        Opcode::LinalgPack | Opcode::LinalgUnpack => named::pack(ir, op),
        Opcode::LinalgWinogradFilterTransform
        | Opcode::LinalgWinogradInputTransform
        | Opcode::LinalgWinogradOutputTransform => named::winograd(ir, op),
        Opcode::LinalgIndex => structured::linalg_index(ir, op),
        Opcode::TensorExtractSlice
        | Opcode::TensorInsertSlice
        | Opcode::TensorParallelInsertSlice
        | Opcode::MemrefSubview => structured::slice(ir, op),
        Opcode::MemrefLoad | Opcode::MemrefStore => memref_access(ir, op),
        Opcode::AffineLinearizeIndex | Opcode::AffineDelinearizeIndex => basis(ir, op),
        Opcode::IreeVectorExtToSimd | Opcode::IreeVectorExtToSimt => iree::same_elements(ir, op),
        Opcode::IreeVectorExtTransferGather | Opcode::IreeVectorExtTransferScatter => iree::indexed(ir, op),
        Opcode::IreeVectorExtArgCompare => iree::arg_compare(ir, op),
        Opcode::IreeVectorExtYield => iree::comparison(ir, op),
        Opcode::IreeGpuAsyncDma => iree::async_dma(ir, op),
        Opcode::IreeCodegenLoadFromBuffer | Opcode::IreeCodegenStoreToBuffer => codegen::buffer(ir, op),
        Opcode::IreeCodegenDispatchConfig => codegen::dispatch_config(ir, op),
        Opcode::IreeCodegenUkernelGeneric => iree::destination(ir, op),
        Opcode::IreeTensorExtComputeBarrierStart | Opcode::IreeTensorExtComputeBarrierEnd => {
            tensor_ext::barrier(ir, op)
        }
        Opcode::PcfAlloc => pcf::alloc(ir, op),
        Opcode::PcfGeneric | Opcode::PcfLoop => pcf::workers(ir, op),
        Opcode::PcfGetMemref => pcf::get_memref(ir, op),
        Opcode::IreeEncodingSetEncoding | Opcode::IreeEncodingUnsetEncoding => tensor_ext::encode(ir, op),
        Opcode::IreeTensorExtCastToRaggedShape => tensor_ext::cast(ir, op),
        Opcode::IreeTensorExtLinearizeRaggedDims => tensor_ext::linearize(ir, op),
        Opcode::IreeLinalgExtIndex => linalg_ext::index(ir, op),
        Opcode::IreeGpuSubgroupScan => codegen::subgroup_scan(ir, op),
        Opcode::IreeCodegenSmtConstraints => codegen::constraints(ir, op),
        Opcode::IreeCodegenSmtKnob | Opcode::IreeCodegenSmtLookup | Opcode::IreeCodegenSmtAssert => {
            codegen::constraint_part(ir, op)
        }
        Opcode::IreeCodegenInnerTiled => iree::inner_tiled(ir, op),
        Opcode::IreeCodegenWorkgroupCountHint => {
            dynamic_count(ir, op, "static_sizes", &list(ir, op, "static_sizes")?, ir.operands(op).len())
        }
        Opcode::UtilHoistableConversion => codegen::conversion(ir, op),
        Opcode::UtilFunc => func(ir, op).and_then(|()| host::tied(ir, op)),
        Opcode::TransformNamedSequence => {
            func(ir, op)?;
            tuning::sequence(ir, op)?;
            scripts::check(ir, op)
        }
        Opcode::CfBr | Opcode::CfCondBr | Opcode::CfSwitch => structured::parts(ir, op),
        Opcode::LlvmBr | Opcode::LlvmCondBr => structured::parts(ir, op),
        Opcode::LlvmSwitch => structured::parts(ir, op).and_then(|()| llvm::check(ir, op)),
        opcode if !ir.regions(op).is_empty() && is_named(opcode) => structured::linalg(ir, op),
        opcode => match opcode.dialect() {
            "affine" => affine::check(ir, op),
            "amdgpu" => amdgpu::check(ir, op),
            "bufferization" | "memref" => memory::check(ir, op),
            "flow" | "hal" | "util" | "stream" => host::check(ir, op),
            "gpu" => gpu::check(ir, op),
            "iree_linalg_ext" => linalg_ext::check(ir, op),
            "llvm" => llvm::check(ir, op),
            "nvgpu" => nvgpu::check(ir, op),
            "raddle" => raddle::check(ir, op),
            "scf" => loops::check(ir, op),
            "tensor" => tensors::check(ir, op),
            "transform" => scripts::check(ir, op),
            "vector" => vector::check(ir, op),
            // The signature says it all.
            _ => Ok(()),
        },
    }
}

/// The inherent attributes that the assembly spells have the kind that it spells.
pub(super) fn attributes(ir: &Ir, op: OpId) -> Check {
    let opcode = ir.opcode(op);
    let shape = Shape::of(opcode);
    for attr in &shape.attrs {
        let Some(value) = ir.attr(op, attr.name) else {
            let needed = attr.default.is_none()
                && attr.spelling != Spelling::Unit
                && (shape.needed.contains(&attr.name) || is_required(opcode, attr.name));
            ensure(ir, op, !needed, || format!("requires attribute '{}'", attr.name))?;
            continue;
        };
        let fits = match (attr.spelling, value) {
            (Spelling::Full | Spelling::Typed, _) => true,
            (Spelling::Body(name) | Spelling::Of(name), Attr::Dialect { name: found, .. }) => ir[*found] == *name,
            (Spelling::Name | Spelling::Text, Attr::Str(_)) => true,
            (Spelling::Visibility, Attr::Str(word)) => {
                let word = &ir[*word];
                ensure(ir, op, matches!(word, "public" | "private" | "nested"), || {
                    format!(
                        "visibility expected to be one of [\"public\", \"private\", \"nested\"], but got \"{word}\""
                    )
                })?;
                true
            }
            (Spelling::Symbols, Attr::Array(items)) => {
                !items.is_empty() && items.iter().all(|&item| matches!(ir[item], Attr::Symbol(_)))
            }
            (Spelling::Type, Attr::Type(_)) => true,
            (Spelling::Function, Attr::Type(ty)) => match &ir[*ty] {
                Type::Function { .. } => true,
                Type::Dialect(text) => ir[*text].starts_with("llvm.func<"),
                _ => false,
            },
            (Spelling::Dicts, Attr::Array(items)) => items.iter().all(|&item| matches!(ir[item], Attr::Dict(_))),
            (Spelling::Indices, Attr::Array(items)) => {
                items.iter().all(|&item| matches!(ir[item], Attr::Int { ty, .. } if ir[ty] == Type::Index))
            }
            (Spelling::Flags(cases), Attr::Int { value, .. }) => (0..1i128 << cases.words.len()).contains(value),
            (Spelling::Bits(union), Attr::Int { value, .. }) => {
                value & !union.words.iter().fold(0, |all, case| all | case.1) == 0
            }
            (Spelling::F32, Attr::Float { ty, .. }) => ir[*ty] == Type::Float(Float::F32),
            (Spelling::Digits, Attr::Int { .. }) => true,
            (Spelling::Unit, Attr::Unit) => true,
            (Spelling::Bool | Spelling::Either(_), Attr::Bool(_)) => true,
            (
                Spelling::Keyword(name) | Spelling::Angle(name),
                Attr::Dialect { name: found, body: Body::Keyword(word) },
            ) => ir[*found] == *name && knows(name, &ir[*word]),
            (Spelling::Cases(cases) | Spelling::Quoted(cases), Attr::Int { value, ty }) => {
                usize::try_from(*value).is_ok_and(|value| value < cases.words.len())
                    && matches!(ir[*ty], Type::Integer { width, .. } if width == cases.bits)
            }
            (Spelling::Int(name), Attr::Int { ty, .. }) => {
                Scalar::of(&ir[*ty]).is_some_and(|scalar| Scalar::from_keyword(name) == Some(scalar))
            }
            (Spelling::Dense(bits), Attr::DenseArray { elem, .. }) => {
                matches!(ir[*elem], Type::Integer { width, sign: Sign::Signless } if width == bits)
            }
            (Spelling::Symbol, Attr::Symbol(_)) => true,
            (Spelling::List(name), Attr::Array(items)) => {
                items.iter().all(|&item| matches!(&ir[item], Attr::Dialect { name: found, .. } if ir[*found] == *name))
            }
            _ => false,
        };
        ensure(ir, op, fits, || match attr.spelling.constraint() {
            Some(rule) => format!("attribute '{}' failed to satisfy constraint: {rule}", attr.name),
            None => format!("cannot have this value for `{}`", attr.name),
        })?;
        if let Some(limit) = &attr.limit {
            ensure(ir, op, limit.allows(value), || {
                let rule = attr.spelling.constraint().unwrap_or_default();
                format!("attribute '{}' failed to satisfy constraint: {rule} {}", attr.name, limit.constraint())
            })?;
        }
    }
    Ok(())
}

/// Whether an operation means nothing without the attribute.
fn is_required(opcode: Opcode, name: &str) -> bool {
    // Only the outermost symbol table may go without a name.
    if name == "function_type" || name == "sym_name" && opcode != Opcode::BuiltinModule {
        return true;
    }
    match opcode {
        Opcode::GpuThreadId | Opcode::GpuBlockId => name == "dimension",
        Opcode::GpuShuffle => name == "mode",
        Opcode::GpuSubgroupReduce => name == "op",
        Opcode::FuncCall => name == "callee",
        Opcode::ArithCmpi | Opcode::ArithCmpf => name == "predicate",
        Opcode::ArithConstant | Opcode::FlowTensorConstant | Opcode::UtilUnfoldableConstant => name == "value",
        Opcode::UtilGlobal => name == "type",
        Opcode::UtilCall => name == "callee",
        Opcode::FlowDispatch => name == "entry_points",
        Opcode::StreamCmdDispatch => matches!(name, "entry_points" | "resource_accesses"),
        Opcode::FlowExecutableExport | Opcode::StreamExecutableExport => name == "function_ref",
        Opcode::LlvmShufflevector => name == "mask",
        Opcode::LlvmExtractvalue | Opcode::LlvmInsertvalue => name == "position",
        Opcode::IreeCodegenWorkgroupCountHint => name == "static_sizes",
        Opcode::LinalgIndex => name == "dim",
        Opcode::IreeVectorExtToLayout => name == "layout",
        Opcode::VectorTranspose | Opcode::VectorMultiReduction | Opcode::VectorConstantMask => true,
        Opcode::TensorExtractSlice
        | Opcode::TensorInsertSlice
        | Opcode::TensorParallelInsertSlice
        | Opcode::MemrefSubview => true,
        Opcode::VectorExtract
        | Opcode::VectorInsert
        | Opcode::VectorExtractStridedSlice
        | Opcode::VectorInsertStridedSlice => true,
        Opcode::AffineApply => name == "map",
        Opcode::AffineLinearizeIndex | Opcode::AffineDelinearizeIndex => name == "static_basis",
        Opcode::ScfForall => name != "mapping",
        Opcode::NvgpuMmaSync | Opcode::NvgpuMmaSpSync => name == "mmaShape",
        Opcode::AmdgpuMfma | Opcode::AmdgpuScaledMfma | Opcode::AmdgpuSparseMfma | Opcode::AmdgpuWmma => {
            matches!(name, "m" | "n" | "k")
        }
        Opcode::LinalgGeneric => matches!(name, "indexing_maps" | "iterator_types"),
        Opcode::VectorContract => matches!(name, "indexing_maps" | "iterator_types" | "kind"),
        _ => false,
    }
}

/// Combining kinds of `vector.multi_reduction`, `vector.contract` and `gpu.subgroup_reduce`.
const KINDS: [&str; 13] = [
    "add", "mul", "minui", "minsi", "minnumf", "maxui", "maxsi", "maxnumf", "and", "or", "xor", "minimumf", "maximumf",
];

const FASTMATH: [&str; 9] = ["none", "reassoc", "nnan", "ninf", "nsz", "arcp", "contract", "afn", "fast"];

/// Whether an enumeration has the word, or all words of a list.
pub(super) fn knows(name: &str, word: &str) -> bool {
    match name {
        "gpu.dim" => matches!(word, "x" | "y" | "z"),
        "gpu.shuffle_mode" => matches!(word, "xor" | "up" | "down" | "idx"),
        "gpu.all_reduce_op" | "vector.kind" => KINDS.contains(&word),
        "vector.iterator_type" => matches!(word, "parallel" | "reduction"),
        "linalg.iterator_type" => matches!(word, "parallel" | "reduction" | "window"),
        "arith.fastmath" | "llvm.fastmath" => word.split(',').all(|flag| FASTMATH.contains(&flag.trim())),
        "llvm.cconv" => LLVM_CONVENTIONS.contains(&word),
        "llvm.linkage" => LLVM_LINKAGES.contains(&word),
        "llvm.tailcallkind" => LLVM_TAILS.contains(&word),
        "arith.overflow" => word.split(',').all(|flag| matches!(flag.trim(), "none" | "nsw" | "nuw")),
        _ => true,
    }
}

/// The integers of a list attribute.
pub(super) fn list(ir: &Ir, op: OpId, name: &str) -> Result<Vec<i64>, Box<crate::Diag>> {
    ir.attr_id(op, name)
        .and_then(|attr| ir.ints(attr))
        .ok_or_else(|| wrong(ir, op, format!("needs a list of integers for `{name}`")))
}

/// As many dynamic operands as the list has places for them.
pub(super) fn dynamic_count(ir: &Ir, op: OpId, name: &str, numbers: &[i64], values: usize) -> Check {
    let places = numbers.iter().filter(|&&number| number == DYNAMIC).count();
    ensure(ir, op, places == values, || {
        format!("has {values} operands for the {places} places in `{name}` that are not constant")
    })
}

fn func(ir: &Ir, op: OpId) -> Check {
    let table = ir
        .parent_op(op)
        .is_none_or(|parent| ir.opcode(parent).is_symbol_table() || ir.opcode(parent) == Opcode::Unregistered);
    ensure(ir, op, table, || "symbol's parent must have the SymbolTable trait".to_owned())?;
    ensure(ir, op, matches!(ir.attr(op, "sym_name"), Some(Attr::Str(_))), || "needs a name".to_owned())?;
    let ty = match ir.attr(op, "function_type") {
        Some(Attr::Type(ty)) => *ty,
        _ => return Err(wrong(ir, op, "needs a function type")),
    };
    let Type::Function { inputs, .. } = &ir[ty] else { return Err(wrong(ir, op, "needs a function type")) };
    for (name, count) in [("arg_attrs", inputs.len()), ("res_attrs", ir.signature(op).1.len())] {
        if let Some(attr) = ir.attr(op, name) {
            let fits = matches!(attr, Attr::Array(items) if items.len() == count
                && items.iter().all(|&item| matches!(ir[item], Attr::Dict(_))));
            let what = if name == "arg_attrs" { "arguments" } else { "results" };
            let word = what.trim_end_matches('s');
            ensure(ir, op, fits, || {
                format!(
                    "expects {word} attribute array to have the same number of elements as the number of function {what}: \
                     {count} dictionaries"
                )
            })?;
            let Attr::Array(items) = attr else { continue };
            for &(own, value) in items.iter().flat_map(|&item| ir.entries(item)) {
                ensure(ir, op, ir[own].contains('.'), || {
                    format!("{what} may only have dialect attributes, which `{}` is not", &ir[own])
                })?;
                if name == "arg_attrs" {
                    memory::argument(ir, op, &ir[own], value)?;
                }
            }
        }
    }
    if let Some(attr) = ir.attr(op, "sym_visibility") {
        let fits = matches!(attr, Attr::Str(word) if matches!(&ir[*word], "public" | "private" | "nested"));
        ensure(ir, op, fits, || "is public, private or nested".to_owned())?;
    }
    match ir.body(op, 0) {
        Some(block) => ensure(ir, op, types_of(ir, ir.args(block)) == *inputs, || {
            "has a body whose arguments differ from its type".to_owned()
        }),
        None => {
            // No one could define it; a script without steps may have another place.
            let public = match ir.attr(op, "sym_visibility") {
                Some(Attr::Str(word)) => ir[*word] == *"public",
                _ => ir.opcode(op) != Opcode::TransformNamedSequence,
            };
            ensure(ir, op, !public, || "symbol declaration cannot have public visibility: it has no body".to_owned())
                .map_err(|diag| Box::new(diag.help("write `private` in front of the name")))
        }
    }
}

/// What is said of a module belongs to a dialect, but for its name.
fn dialect_names(ir: &Ir, op: OpId) -> Check {
    let names = ir.attrs(op).iter().map(|entry| &ir[entry.0]);
    let own = names.into_iter().find(|name| !name.contains('.') && !matches!(*name, "sym_name" | "sym_visibility"));
    ensure(ir, op, own.is_none(), || {
        format!("can only contain attributes with dialect-prefixed names, which `{}` is not", own.unwrap_or_default())
    })
}

/// `builtin.unrealized_conversion_cast` makes something.
fn unrealized_cast(ir: &Ir, op: OpId) -> Check {
    ensure(ir, op, ir.results(op).len() > 0, || "expected at least one result for cast operation".to_owned())
}

/// What a value is called with is what its type takes and gives.
fn call_indirect(ir: &Ir, op: OpId) -> Check {
    let types = |values: &mut dyn Iterator<Item = ValueId>| values.map(|value| ir.type_of(value)).collect::<Vec<_>>();
    let callee = ir.type_of(ir.operand(op, 0));
    let given = types(&mut ir.operands(op)[1..].iter().copied());
    let found = types(&mut ir.results(op));
    let fits = matches!(&ir[callee], Type::Function { inputs, results } if (inputs, results) == (&given, &found));
    ensure(ir, op, fits, || format!("does not call what it calls as {}", quoted(ir, callee)))
}

fn func_return(ir: &Ir, op: OpId) -> Check {
    let Some(func) = ir.parent_op(op).filter(|&parent| ir.opcode(parent) == Opcode::FuncFunc) else {
        return Err(wrong(ir, op, "expects parent op 'func.func'"));
    };
    let found = types_of(ir, ir.operands(op));
    let (_, results) = ir.signature(func);
    if found == results {
        return Ok(());
    }
    let name = ir.symbol_name(func).unwrap_or_default();
    let differs = found.iter().zip(results).position(|(found, result)| found != result);
    let message = match differs.filter(|_| found.len() == results.len()) {
        Some(at) => format!(
            "type of return operand {at} ({}) doesn't match function result type ({}) in function @{name}",
            quoted(ir, found[at]),
            quoted(ir, results[at])
        ),
        None => {
            format!("has {} operands, but enclosing function (@{name}) returns {}", found.len(), results.len())
        }
    };
    Err(Box::new(wrong(ir, op, message).related(ir.span(func), "the function")))
}

fn constant(ir: &Ir, op: OpId) -> Check {
    let result = ir.type_of(ir.result(op, 0));
    let number = ir
        .attr(op, "value")
        .is_some_and(|value| is_of(ir, value, result).is_some() || matches!(value, Attr::Dialect { .. }));
    ensure(ir, op, number, || "value must be an integer, float, or elements attribute".to_owned())?;
    let elem = ir[result].elem().unwrap_or(result);
    let signless = !matches!(ir[elem], Type::Integer { sign: Sign::Signed | Sign::Unsigned, .. });
    ensure(ir, op, signless, || "integer return type must be signless".to_owned())?;
    let scalable = matches!(&ir[result], Type::Vector { scalable, .. } if scalable.contains(&true));
    let listed = matches!(ir.attr(op, "value"), Some(Attr::Dense { splat: false, .. }));
    ensure(ir, op, !(scalable && listed), || {
        "initializing scalable vectors with elements attribute is not supported unless it's a vector splat".to_owned()
    })?;
    let fits = ir.attr(op, "value").is_some_and(|value| is_of(ir, value, result).unwrap_or(false));
    ensure(ir, op, fits, || format!("has a value that is not of its type {}", quoted(ir, result)))
}

/// A constant of any type, which its value states.
fn typed_constant(ir: &Ir, op: OpId) -> Check {
    let result = ir.type_of(ir.result(op, 0));
    let stated = match ir.attr(op, "value") {
        Some(Attr::Dialect { body: Body::Fields(fields), .. }) => {
            fields.last().is_some_and(|field| ir[field.1] == Attr::Type(result))
        }
        Some(value) => is_of(ir, value, result).unwrap_or(false),
        None => false,
    };
    ensure(ir, op, stated, || format!("has a value that is not of its type {}", quoted(ir, result)))
}

/// `func.constant`: the name of a function; which one it is, the symbols tell.
fn func_constant(ir: &Ir, op: OpId) -> Check {
    let fits = matches!(ir.attr(op, "value"), Some(Attr::Symbol(path)) if path.len() == 1);
    ensure(ir, op, fits, || "invalid kind of attribute specified: the value is the name of a function".to_owned())
}

/// Whether a value is of a type; `None` if it has none of its own.
fn is_of(ir: &Ir, value: &Attr, wanted: TypeId) -> Option<bool> {
    match value {
        Attr::Int { ty, .. }
        | Attr::Wide { ty, .. }
        | Attr::Float { ty, .. }
        | Attr::LongFloat { ty, .. }
        | Attr::Dense { ty, .. } => Some(*ty == wanted),
        Attr::Bool(_) => Some(matches!(ir[wanted], Type::Integer { width: 1, .. })),
        // What the file's metadata holds is read as elements of the type that the reference states last.
        Attr::Dialect { name, body: Body::Fields(fields) } if ir[*name] == *"builtin.dense_resource" => {
            Some(fields.last().is_some_and(|field| ir[field.1] == Attr::Type(wanted)))
        }
        _ => None,
    }
}

/// `util.global`: what it begins with is of its type.
fn global(ir: &Ir, op: OpId) -> Check {
    let Some(&Attr::Type(ty)) = ir.attr(op, "type") else { return Err(wrong(ir, op, "needs a type for `type`")) };
    let Some(value) = ir.attr(op, "initial_value") else { return Ok(()) };
    ensure(ir, op, is_of(ir, value, ty).unwrap_or(true), || {
        format!("initial value type mismatch: the global is {}", quoted(ir, ty))
    })
}

fn select(ir: &Ir, op: OpId) -> Check {
    let (condition, ty) = (ir.type_of(ir.operand(op, 0)), ir.type_of(ir.result(op, 0)));
    let is_bool = |ty: TypeId| matches!(ir[ty], Type::Integer { width: 1, sign: Sign::Signless });
    if is_bool(condition) {
        return Ok(());
    }
    let matches = ir[condition].elem().is_some_and(is_bool) && ir[condition].shape() == ir[ty].shape();
    ensure(ir, op, matches, || "failed to verify that condition is signless i1 or has matching shape".to_owned())?;
    ensure(ir, op, ir[ty].elem().is_some() && same_shape(ir, condition, ty), || {
        let (condition, ty) = (quoted(ir, condition), quoted(ir, ty));
        format!("expected condition type to have the same shape as the result type: {condition} chooses for {ty}")
    })
}

fn cast(ir: &Ir, op: OpId) -> Check {
    let (from, to) = (ir.type_of(ir.operand(op, 0)), ir.type_of(ir.result(op, 0)));
    same_shapes(ir, op, from, to)?;
    let is_tensor = |ty: TypeId| matches!(ir[ty], Type::Tensor { .. } | Type::UnrankedTensor(_));
    let same = ir[from].shape().is_some() && ir[from].shape() == ir[to].shape();
    ensure(ir, op, !is_tensor(from) || !is_tensor(to) || same, || {
        "failed to verify that input and output have the same tensor dimensions".to_owned()
    })?;
    let scalar = |ty: TypeId| Scalar::of(&ir[ir[ty].elem().unwrap_or(ty)]);
    let (Some(a), Some(b)) = (scalar(from), scalar(to)) else {
        return Err(wrong(ir, op, "casts numbers"));
    };
    let buffers = matches!((&ir[from], &ir[to]), (Type::MemRef { .. }, Type::MemRef { .. }));
    let fits = (buffers || same_shape(ir, from, to))
        && match ir.opcode(op) {
            Opcode::ArithExtf => a.bits() < b.bits(),
            Opcode::ArithTruncf => a.bits() > b.bits(),
            Opcode::ArithExtsi | Opcode::ArithExtui => a.bits() < b.bits(),
            Opcode::ArithTrunci => a.bits() > b.bits(),
            Opcode::ArithIndexCast | Opcode::ArithIndexCastui => (a == Scalar::Index) != (b == Scalar::Index),
            Opcode::ArithBitcast => a.bits() == b.bits(),
            // The signature says it all.
            _ => true,
        };
    ensure(ir, op, fits, || {
        let (from, to) = (quoted(ir, from), quoted(ir, to));
        format!("operand type {from} and result type {to} are cast incompatible")
    })
}

/// `math.fpowi`: the exponent has a type of its own.
fn power(ir: &Ir, op: OpId) -> Check {
    same_shapes(ir, op, ir.type_of(ir.operand(op, 0)), ir.type_of(ir.operand(op, 1)))
}

/// Both scalars, or shapes that may agree.
fn same_shapes(ir: &Ir, op: OpId, a: TypeId, b: TypeId) -> Check {
    let fits = match (ir[a].shape(), ir[b].shape()) {
        (Some(a), Some(b)) => iree::alike(a, b),
        (Some(_), None) | (None, Some(_)) | (None, None) => ir[a].elem().is_some() == ir[b].elem().is_some(),
    };
    ensure(ir, op, fits, || "requires the same shape for all operands and results".to_owned())
}

/// `complex.constant`
fn complex_constant(ir: &Ir, op: OpId) -> Check {
    let parts: Option<Vec<TypeId>> = match ir.attr(op, "value") {
        Some(Attr::Array(items)) if items.len() == 2 => items
            .iter()
            .map(|&item| match ir[item] {
                Attr::Float { ty, .. } | Attr::Int { ty, .. } => Some(ty),
                _ => None,
            })
            .collect(),
        _ => None,
    };
    let Some(parts) = parts else {
        let message = "requires 'value' to be a complex constant, represented as array of two values";
        return Err(wrong(ir, op, message));
    };
    let ty = ir.type_of(ir.result(op, 0));
    let elem = ir[ty].elem().unwrap_or(ty);
    ensure(ir, op, parts == [elem; 2], || {
        format!(
            "requires attribute's element types ({}, {}) to match the element type of the op's return type ({})",
            quoted(ir, parts[0]),
            quoted(ir, parts[1]),
            quoted(ir, elem)
        )
    })
}

/// `complex.bitcast`
fn complex_bitcast(ir: &Ir, op: OpId) -> Check {
    let is_complex = |value: ValueId| matches!(ir.ty(value), Type::Complex(_));
    let one = is_complex(ir.operand(op, 0)) || is_complex(ir.result(op, 0));
    ensure(ir, op, one, || "requires that either input or output has a complex type".to_owned())
}

fn memref_access(ir: &Ir, op: OpId) -> Check {
    let at = usize::from(ir.opcode(op) == Opcode::MemrefStore);
    let rank = ir.shape_of(ir.operand(op, at)).len();
    let found = ir.operands(op).len() - at - 1;
    ensure(ir, op, found == rank, || format!("has {found} indices for {rank} dimensions"))
}

fn basis(ir: &Ir, op: OpId) -> Check {
    let numbers = list(ir, op, "static_basis")?;
    ensure(ir, op, numbers.iter().all(|&n| n == DYNAMIC || n > 0), || {
        "no basis element may be statically non-positive".to_owned()
    })?;
    let (dynamic, digits) = if ir.opcode(op) == Opcode::AffineLinearizeIndex {
        let parts = ir.segments(op);
        (parts[1].len(), parts[0].len())
    } else {
        (ir.operands(op).len() - 1, ir.results(op).len())
    };
    dynamic_count(ir, op, "static_basis", &numbers, dynamic)?;
    // The outermost extent may be left out.
    let n = numbers.len();
    ensure(ir, op, digits == n || digits == n + 1, || {
        let rule = if ir.opcode(op) == Opcode::AffineLinearizeIndex {
            "should be passed a basis element for each index except possibly the first"
        } else {
            "should return an index for each basis element and up to one extra index"
        };
        format!("{rule}: it has {digits} digits for a basis of {n}")
    })
}
