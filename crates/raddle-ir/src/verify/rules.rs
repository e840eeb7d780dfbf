//! Each operation's own rules: constants, casts, loops, memory, indices, matrix instructions.

use super::{
    Check, bad, codegen, ensure, host, iree, linalg_ext, pcf, same_shape, show, structured, tensor_ext, tuning,
    types_of, vector,
};
use crate::attrs::{Attr, Body};
use crate::form::{Shape, Spelling};
use crate::ids::{OpId, TypeId, ValueId};
use crate::ir::Ir;
use crate::ops::Opcode;
use crate::text::group_range;
use crate::types::{DYNAMIC, Float, Scalar, Sign, Type};
use crate::views::Matrices;

/// The rules of one operation whose structure and types hold.
pub(super) fn check(ir: &Ir, op: OpId) -> Check {
    attributes(ir, op)?;
    match ir.opcode(op) {
        Opcode::Module => {
            let args = ir.body(op, 0).map_or(0, |block| ir.args(block).len());
            ensure(ir, op, args == 0, || "takes no arguments".to_owned())?;
            tuning::module(ir, op)
        }
        Opcode::InParallel | Opcode::ScfYield | Opcode::LinalgYield | Opcode::Poison => Ok(()),
        Opcode::Func => func(ir, op),
        Opcode::Return => func_return(ir, op),
        Opcode::Call => Ok(()),
        Opcode::CallIndirect => call_indirect(ir, op),
        Opcode::Constant => constant(ir, op),
        Opcode::UtilGlobal => global(ir, op),
        Opcode::Select => select(ir, op),
        Opcode::ExtF | Opcode::TruncF | Opcode::ExtSI | Opcode::ExtUI | Opcode::TruncI => cast(ir, op),
        Opcode::SIToFP | Opcode::UIToFP | Opcode::FPToSI | Opcode::FPToUI => cast(ir, op),
        Opcode::IndexCast | Opcode::IndexCastUI | Opcode::Bitcast => cast(ir, op),
        Opcode::Matmul | Opcode::Generic | Opcode::Fill => structured::linalg(ir, op),
        Opcode::LinalgIndex => structured::linalg_index(ir, op),
        Opcode::ExtractSlice | Opcode::InsertSlice | Opcode::ParallelInsertSlice | Opcode::SubView => {
            structured::slice(ir, op)
        }
        Opcode::Empty | Opcode::Alloc | Opcode::Alloca => allocation(ir, op),
        Opcode::For => for_loop(ir, op),
        Opcode::Forall => forall(ir, op),
        Opcode::If => if_op(ir, op),
        Opcode::Load | Opcode::Store => memref_access(ir, op),
        Opcode::TransferRead | Opcode::TransferWrite => vector::transfer(ir, op),
        Opcode::VectorLoad | Opcode::VectorStore => vector::access(ir, op),
        Opcode::Broadcast => vector::broadcast(ir, op),
        Opcode::Transpose => vector::transpose(ir, op),
        Opcode::ShapeCast => vector::shape_cast(ir, op),
        Opcode::MultiReduction => vector::multi_reduction(ir, op),
        Opcode::Contract => vector::contract(ir, op),
        Opcode::VectorShuffle => vector::shuffle(ir, op),
        Opcode::Extract | Opcode::Insert => vector::position(ir, op),
        Opcode::ExtractStridedSlice | Opcode::InsertStridedSlice => vector::strided(ir, op),
        Opcode::FromElements | Opcode::ToElements => vector::elements(ir, op),
        Opcode::Step | Opcode::CreateMask | Opcode::ConstantMask => vector::mask(ir, op),
        Opcode::AffineApply => apply(ir, op),
        Opcode::LinearizeIndex | Opcode::DelinearizeIndex => basis(ir, op),
        Opcode::Shuffle | Opcode::SubgroupReduce => across_lanes(ir, op),
        Opcode::MmaSync | Opcode::Mfma | Opcode::Wmma => matrix(ir, op),
        Opcode::LdMatrix | Opcode::StMatrix => ensure(ir, op, Matrices::of(ir, op).is_some(), || {
            "needs one, two or four tiles of 32 bits of the memref's elements in each lane, and 16 bits to transpose"
                .to_owned()
        }),
        Opcode::ToSimd | Opcode::ToSimt => iree::same_elements(ir, op),
        Opcode::TransferGather | Opcode::TransferScatter => iree::indexed(ir, op),
        Opcode::VectorArgCompare => iree::arg_compare(ir, op),
        Opcode::VectorExtYield => iree::comparison(ir, op),
        Opcode::AsyncDma => iree::async_dma(ir, op),
        Opcode::LoadFromBuffer | Opcode::StoreToBuffer => codegen::buffer(ir, op),
        Opcode::DispatchConfig => codegen::dispatch_config(ir, op),
        Opcode::UKernelGeneric => {
            iree::destination(ir, op, &group_range(ir, op, Shape::of(Opcode::UKernelGeneric), 1).collect::<Vec<_>>())
        }
        Opcode::ComputeBarrierStart | Opcode::ComputeBarrierEnd => tensor_ext::barrier(ir, op),
        Opcode::PcfAlloc => pcf::alloc(ir, op),
        Opcode::PcfGeneric | Opcode::PcfLoop => pcf::workers(ir, op),
        Opcode::PcfGetMemref => pcf::get_memref(ir, op),
        Opcode::SetEncoding | Opcode::UnsetEncoding => tensor_ext::encode(ir, op),
        Opcode::CastToRagged => tensor_ext::cast(ir, op),
        Opcode::LinearizeRagged => tensor_ext::linearize(ir, op),
        Opcode::ExtIndex => linalg_ext::index(ir, op),
        Opcode::SubgroupScan => codegen::subgroup_scan(ir, op),
        Opcode::SmtConstraints => codegen::constraints(ir, op),
        Opcode::SmtKnob | Opcode::SmtLookup | Opcode::SmtConstraintAssert => codegen::constraint_part(ir, op),
        Opcode::InnerTiled => iree::inner_tiled(ir, op),
        Opcode::HoistableConversion => codegen::conversion(ir, op),
        Opcode::TensorCollapseShape | Opcode::TensorExpandShape => iree::reassociation(ir, op),
        Opcode::MemRefCollapseShape | Opcode::MemRefExpandShape => iree::reassociation(ir, op),
        Opcode::UtilFunc => func(ir, op).and_then(|()| host::tied(ir, op)),
        Opcode::AssumeInt => host::assume(ir, op),
        Opcode::UtilGlobalLoadIndirect | Opcode::UtilGlobalStoreIndirect => host::indirect(ir, op),
        Opcode::UtilStringFormat => host::format_string(ir, op),
        Opcode::UtilListConstruct => host::list(ir, op),
        Opcode::FlowReturn => host::flow_return(ir, op),
        Opcode::HalConstantBlock => host::constant_block(ir, op),
        Opcode::HalReturn => host::hal_return(ir, op),
        Opcode::Subspan => host::subspan(ir, op),
        Opcode::HalDeviceQueueAlloca | Opcode::HalDeviceQueueDealloca | Opcode::HalDeviceQueueFill => {
            host::fences(ir, op)
        }
        Opcode::HalDeviceQueueUpdate | Opcode::HalDeviceQueueCopy | Opcode::HalDeviceQueueRead => host::fences(ir, op),
        Opcode::HalDeviceQueueWrite | Opcode::HalDeviceQueueBarrier | Opcode::HalDeviceQueueExecute => {
            host::fences(ir, op)
        }
        Opcode::NamedSequence => func(ir, op).and_then(|()| tuning::sequence(ir, op)),
        Opcode::LinalgReduce | Opcode::Br | Opcode::CondBr | Opcode::Switch => structured::parts(ir, op),
        Opcode::While | Opcode::ScfParallel | Opcode::AffineFor | Opcode::IndexSwitch => structured::parts(ir, op),
        Opcode::VectorMask => structured::mask(ir, op),
        // Either an operation of `iree_linalg_ext`, or its signature says it all.
        _ => linalg_ext::check(ir, op),
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
            ensure(ir, op, !needed, || format!("has no attribute `{}`", attr.name))?;
            continue;
        };
        let fits = match (attr.spelling, value) {
            (Spelling::Full | Spelling::Typed | Spelling::Body(_), _) => true,
            (Spelling::Name | Spelling::Text | Spelling::Visibility, Attr::Str(_)) => true,
            (Spelling::Flags(cases), Attr::Int { value, .. }) => (0..1i128 << cases.words.len()).contains(value),
            (Spelling::Bits(union), Attr::Int { value, .. }) => {
                value & !union.words.iter().fold(0, |all, case| all | case.1) == 0
            }
            (Spelling::F32, Attr::Float { ty, .. }) => ir[*ty] == Type::Float(Float::F32),
            (Spelling::Digits, Attr::Int { .. }) => true,
            (Spelling::Unit, Attr::Unit) => true,
            (Spelling::Bool, Attr::Bool(_)) => true,
            (
                Spelling::Keyword(name) | Spelling::Angle(name),
                Attr::Dialect { name: found, body: Body::Keyword(word) },
            ) => ir[*found] == *name && knows(name, &ir[*word]),
            (Spelling::Cases(cases), Attr::Int { value, ty }) => {
                usize::try_from(*value).is_ok_and(|value| value < cases.words.len())
                    && matches!(ir[*ty], Type::Integer { width, .. } if width == cases.bits)
            }
            (Spelling::Int(name), Attr::Int { ty, .. }) => {
                Scalar::of(&ir[*ty]).is_some_and(|scalar| Scalar::from_keyword(name) == Some(scalar))
            }
            (Spelling::DenseI64, Attr::DenseArray { elem, .. }) => {
                matches!(ir[*elem], Type::Integer { width: 64, sign: Sign::Signless })
            }
            _ => false,
        };
        ensure(ir, op, fits, || format!("cannot have this value for `{}`", attr.name))?;
    }
    Ok(())
}

/// Whether an operation means nothing without the attribute.
fn is_required(opcode: Opcode, name: &str) -> bool {
    match opcode {
        Opcode::Func => matches!(name, "sym_name" | "function_type"),
        Opcode::ThreadId | Opcode::BlockId => name == "dimension",
        Opcode::Shuffle => name == "mode",
        Opcode::SubgroupReduce => name == "op",
        Opcode::Call => name == "callee",
        Opcode::CmpI | Opcode::CmpF => name == "predicate",
        Opcode::Constant => name == "value",
        Opcode::LinalgIndex => name == "dim",
        Opcode::ToLayout => name == "layout",
        Opcode::Transpose | Opcode::MultiReduction | Opcode::ConstantMask => true,
        Opcode::ExtractSlice | Opcode::InsertSlice | Opcode::ParallelInsertSlice | Opcode::SubView => true,
        Opcode::Extract | Opcode::Insert | Opcode::ExtractStridedSlice | Opcode::InsertStridedSlice => true,
        Opcode::AffineApply => name == "map",
        Opcode::LinearizeIndex | Opcode::DelinearizeIndex => name == "static_basis",
        Opcode::Forall => name != "mapping",
        Opcode::MmaSync => name == "mmaShape",
        Opcode::Mfma | Opcode::Wmma => matches!(name, "m" | "n" | "k"),
        Opcode::Generic => matches!(name, "indexing_maps" | "iterator_types"),
        Opcode::Contract => matches!(name, "indexing_maps" | "iterator_types" | "kind"),
        _ => false,
    }
}

/// Combining kinds of `vector.multi_reduction`, `vector.contract` and `gpu.subgroup_reduce`.
const KINDS: [&str; 13] = [
    "add", "mul", "minui", "minsi", "minnumf", "maxui", "maxsi", "maxnumf", "and", "or", "xor", "minimumf", "maximumf",
];

/// Whether an enumeration has the word.
pub(super) fn knows(name: &str, word: &str) -> bool {
    match name {
        "gpu.dim" => matches!(word, "x" | "y" | "z"),
        "gpu.shuffle_mode" => matches!(word, "xor" | "up" | "down" | "idx"),
        "gpu.all_reduce_op" | "vector.kind" => KINDS.contains(&word),
        "vector.iterator_type" => matches!(word, "parallel" | "reduction"),
        "linalg.iterator_type" => matches!(word, "parallel" | "reduction" | "window"),
        _ => true,
    }
}

/// The integers of a list attribute.
pub(super) fn list(ir: &Ir, op: OpId, name: &str) -> Result<Vec<i64>, Box<crate::Diag>> {
    ir.attr_id(op, name)
        .and_then(|attr| ir.ints(attr))
        .ok_or_else(|| bad(ir, op, format!("needs a list of integers for `{name}`")))
}

/// As many dynamic operands as the list has places for them.
pub(super) fn dynamic_count(ir: &Ir, op: OpId, name: &str, numbers: &[i64], values: usize) -> Check {
    let places = numbers.iter().filter(|&&number| number == DYNAMIC).count();
    ensure(ir, op, places == values, || {
        format!("has {values} operands for the {places} places in `{name}` that are not constant")
    })
}

fn func(ir: &Ir, op: OpId) -> Check {
    ensure(ir, op, matches!(ir.attr(op, "sym_name"), Some(Attr::Str(_))), || "needs a name".to_owned())?;
    let ty = match ir.attr(op, "function_type") {
        Some(Attr::Type(ty)) => *ty,
        _ => return Err(bad(ir, op, "needs a function type")),
    };
    let Type::Function { inputs, .. } = &ir[ty] else { return Err(bad(ir, op, "needs a function type")) };
    for (name, count) in [("arg_attrs", inputs.len()), ("res_attrs", ir.signature(op).1.len())] {
        if let Some(attr) = ir.attr(op, name) {
            let fits = matches!(attr, Attr::Array(items) if items.len() == count
                && items.iter().all(|&item| matches!(ir[item], Attr::Dict(_))));
            ensure(ir, op, fits, || format!("needs one dictionary for each of its {count} places in `{name}`"))?;
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
        None => Ok(()),
    }
}

/// What a value is called with is what its type takes and gives.
fn call_indirect(ir: &Ir, op: OpId) -> Check {
    let types = |values: &mut dyn Iterator<Item = ValueId>| values.map(|value| ir.type_of(value)).collect::<Vec<_>>();
    let callee = ir.type_of(ir.operand(op, 0));
    let given = types(&mut ir.operands(op)[1..].iter().copied());
    let found = types(&mut ir.results(op));
    let fits = matches!(&ir[callee], Type::Function { inputs, results } if (inputs, results) == (&given, &found));
    ensure(ir, op, fits, || format!("does not call what it calls as {}", show(ir, callee)))
}

fn func_return(ir: &Ir, op: OpId) -> Check {
    let Some(func) = ir.parent_op(op).filter(|&parent| ir.opcode(parent) == Opcode::Func) else { return Ok(()) };
    let found = types_of(ir, ir.operands(op));
    let (_, results) = ir.signature(func);
    if found == results {
        return Ok(());
    }
    let name = |types: &[TypeId]| types.iter().map(|&ty| show(ir, ty)).collect::<Vec<_>>().join(", ");
    let message = format!("returns ({}), but the function has results ({})", name(&found), name(results));
    Err(Box::new(bad(ir, op, message).related(ir.span(func), "the function")))
}

fn constant(ir: &Ir, op: OpId) -> Check {
    let result = ir.type_of(ir.result(op, 0));
    let fits = match ir.attr(op, "value") {
        Some(Attr::Dialect { name, .. }) => ir[*name] == *"builtin.dense_resource",
        Some(value) => is_of(ir, value, result).unwrap_or(false),
        None => false,
    };
    ensure(ir, op, fits, || format!("has a value that is not of its type {}", show(ir, result)))
}

/// Whether a value is of a type; `None` if it has none of its own.
fn is_of(ir: &Ir, value: &Attr, wanted: TypeId) -> Option<bool> {
    match value {
        Attr::Int { ty, .. } | Attr::Wide { ty, .. } | Attr::Float { ty, .. } | Attr::Dense { ty, .. } => {
            Some(*ty == wanted)
        }
        Attr::Bool(_) => Some(matches!(ir[wanted], Type::Integer { width: 1, .. })),
        _ => None,
    }
}

/// `util.global`: what it begins with is of its type.
fn global(ir: &Ir, op: OpId) -> Check {
    let (Some(&Attr::Type(ty)), Some(value)) = (ir.attr(op, "type"), ir.attr(op, "initial_value")) else {
        return Ok(());
    };
    ensure(ir, op, is_of(ir, value, ty).unwrap_or(true), || {
        format!("initial value type mismatch: the global is {}", show(ir, ty))
    })
}

fn select(ir: &Ir, op: OpId) -> Check {
    let (condition, ty) = (ir.type_of(ir.operand(op, 0)), ir.type_of(ir.result(op, 0)));
    let is_bool = |ty: TypeId| matches!(ir[ty], Type::Integer { width: 1, sign: Sign::Signless });
    let fits = is_bool(condition)
        || ir[condition].elem().is_some_and(is_bool) && ir[ty].elem().is_some() && same_shape(ir, condition, ty);
    ensure(ir, op, fits, || format!("takes `i1`, or `i1` in the shape of {}, as its condition", show(ir, ty)))
}

fn cast(ir: &Ir, op: OpId) -> Check {
    let (from, to) = (ir.type_of(ir.operand(op, 0)), ir.type_of(ir.result(op, 0)));
    let scalar = |ty: TypeId| Scalar::of(&ir[ir[ty].elem().unwrap_or(ty)]);
    let (Some(a), Some(b)) = (scalar(from), scalar(to)) else {
        return Err(bad(ir, op, "casts numbers"));
    };
    let fits = same_shape(ir, from, to)
        && match ir.opcode(op) {
            Opcode::ExtF => matches!((a, b), (Scalar::Float(_), Scalar::Float(_))) && a.bits() < b.bits(),
            Opcode::TruncF => matches!((a, b), (Scalar::Float(_), Scalar::Float(_))) && a.bits() > b.bits(),
            Opcode::ExtSI | Opcode::ExtUI => matches!((a, b), (Scalar::Int(x), Scalar::Int(y)) if x < y),
            Opcode::TruncI => matches!((a, b), (Scalar::Int(x), Scalar::Int(y)) if x > y),
            Opcode::SIToFP | Opcode::UIToFP => matches!((a, b), (Scalar::Int(_), Scalar::Float(_))),
            Opcode::FPToSI | Opcode::FPToUI => matches!((a, b), (Scalar::Float(_), Scalar::Int(_))),
            Opcode::IndexCast | Opcode::IndexCastUI => {
                matches!((a, b), (Scalar::Int(_), Scalar::Index) | (Scalar::Index, Scalar::Int(_)))
            }
            _ => a != Scalar::Index && b != Scalar::Index && a.bits() == b.bits(),
        };
    ensure(ir, op, fits, || format!("cannot cast {} to {}", show(ir, from), show(ir, to)))
}

fn allocation(ir: &Ir, op: OpId) -> Check {
    let ty = ir.type_of(ir.result(op, 0));
    let shape = ir[ty].shape().unwrap_or(&[]);
    let sizes = if ir.opcode(op) == Opcode::Empty { ir.operands(op).len() } else { ir.segments(op)[0].len() };
    dynamic_count(ir, op, "the shape", shape, sizes)
}

fn memref_access(ir: &Ir, op: OpId) -> Check {
    let at = usize::from(ir.opcode(op) == Opcode::Store);
    let rank = ir.shape_of(ir.operand(op, at)).len();
    let found = ir.operands(op).len() - at - 1;
    ensure(ir, op, found == rank, || format!("has {found} indices for {rank} dimensions"))
}

fn for_loop(ir: &Ir, op: OpId) -> Check {
    let operands = ir.operands(op);
    let bound = ir.type_of(operands[0]);
    let scalar = matches!(ir[bound], Type::Index | Type::Integer { .. });
    ensure(ir, op, scalar, || "counts with an integer or index".to_owned())?;
    let inits = types_of(ir, &operands[3..]);
    let results: Vec<TypeId> = ir.results(op).map(|value| ir.type_of(value)).collect();
    ensure(ir, op, inits == results, || "has results that differ in type from its initial values".to_owned())?;
    let block = ir.entry(op);
    let args = types_of(ir, ir.args(block));
    let fits = args.split_first().is_some_and(|(&iv, rest)| iv == bound && rest == inits);
    ensure(ir, op, fits, || "has a body whose arguments are not the index and the carried values".to_owned())?;
    yields(ir, op, block, &results)
}

/// What a block yields has the given types.
fn yields(ir: &Ir, op: OpId, block: crate::BlockId, types: &[TypeId]) -> Check {
    let Some(last) = ir.terminator(block) else { return Ok(()) };
    let found = types_of(ir, ir.operands(last));
    if found == types {
        return Ok(());
    }
    let name = |types: &[TypeId]| types.iter().map(|&ty| show(ir, ty)).collect::<Vec<_>>().join(", ");
    let message = format!("yields ({}), but `{}` takes ({})", name(&found), ir.name(op), name(types));
    Err(Box::new(bad(ir, last, message).related(ir.span(op), "the operation")))
}

fn if_op(ir: &Ir, op: OpId) -> Check {
    let results: Vec<TypeId> = ir.results(op).map(|value| ir.type_of(value)).collect();
    for at in 0..2 {
        match ir.body(op, at) {
            Some(block) => {
                ensure(ir, op, ir.args(block).is_empty(), || "has branches without arguments".to_owned())?;
                yields(ir, op, block, &results)?;
            }
            None => ensure(ir, op, results.is_empty(), || "has results, so it needs an `else`".to_owned())?,
        }
    }
    Ok(())
}

fn forall(ir: &Ir, op: OpId) -> Check {
    let parts = ir.segments(op);
    let mut rank = None;
    for (i, name) in ["staticLowerBound", "staticUpperBound", "staticStep"].into_iter().enumerate() {
        let numbers = list(ir, op, name)?;
        dynamic_count(ir, op, name, &numbers, parts[i].len())?;
        let rank = *rank.get_or_insert(numbers.len());
        ensure(ir, op, numbers.len() == rank, || "has bounds and steps of different lengths".to_owned())?;
        let positive = name != "staticStep" || numbers.iter().all(|&n| n == DYNAMIC || n > 0);
        ensure(ir, op, positive, || "has a step that is not positive".to_owned())?;
    }
    let rank = rank.unwrap_or(0);
    let outputs = types_of(ir, parts[3]);
    let results: Vec<TypeId> = ir.results(op).map(|value| ir.type_of(value)).collect();
    ensure(ir, op, outputs == results, || "has results that differ in type from its outputs".to_owned())?;
    let args = types_of(ir, ir.args(ir.entry(op)));
    let fits = args.len() == rank + outputs.len()
        && args[..rank].iter().all(|&ty| ir[ty] == Type::Index)
        && args[rank..] == outputs;
    ensure(ir, op, fits, || "has a body whose arguments are not the indices and the shared outputs".to_owned())?;
    match ir.attr(op, "mapping") {
        None => Ok(()),
        Some(Attr::Array(items)) => {
            ensure(ir, op, items.len() == rank, || format!("has {rank} loops, but its mapping names {}", items.len()))
        }
        Some(_) => Err(bad(ir, op, "needs a list for `mapping`")),
    }
}

fn apply(ir: &Ir, op: OpId) -> Check {
    let Some(map) = ir.map(op, "map") else { return Err(bad(ir, op, "needs an affine map")) };
    let n = ir.operands(op).len();
    ensure(ir, op, map.results.len() == 1, || format!("takes a map with one result, not {}", map.results.len()))?;
    ensure(ir, op, u64::from(map.dims) + u64::from(map.syms) == n as u64, || {
        format!("has {n} operands for the {} dimensions and {} symbols of its map", map.dims, map.syms)
    })
}

fn basis(ir: &Ir, op: OpId) -> Check {
    let numbers = list(ir, op, "static_basis")?;
    ensure(ir, op, numbers.iter().all(|&n| n == DYNAMIC || n > 0), || "has a basis that is not positive".to_owned())?;
    let (dynamic, digits) = if ir.opcode(op) == Opcode::LinearizeIndex {
        let parts = ir.segments(op);
        (parts[1].len(), parts[0].len())
    } else {
        (ir.operands(op).len() - 1, ir.results(op).len())
    };
    dynamic_count(ir, op, "static_basis", &numbers, dynamic)?;
    // The outermost extent may be left out.
    let n = numbers.len();
    ensure(ir, op, digits == n || digits == n + 1, || format!("has {digits} digits for a basis of {n}"))
}

fn across_lanes(ir: &Ir, op: OpId) -> Check {
    let ty = ir.type_of(ir.operand(op, 0));
    let fits = Scalar::of(&ir[ty]).is_some() || matches!(&ir[ty], Type::Vector { shape, .. } if shape.len() <= 1);
    ensure(ir, op, fits, || format!("takes a scalar or a vector of one dimension, not {}", show(ir, ty)))?;
    let int = |name: &str| ir.attr(op, name).and_then(Attr::as_i64);
    for name in ["cluster_size", "cluster_stride"] {
        if let Some(value) = int(name) {
            ensure(ir, op, value > 0 && value & (value - 1) == 0, || format!("needs a power of two for `{name}`"))?;
        }
    }
    ensure(ir, op, int("cluster_stride").is_none_or(|stride| stride == 1) || int("cluster_size").is_some(), || {
        "has a cluster stride, but no cluster size".to_owned()
    })
}

fn matrix(ir: &Ir, op: OpId) -> Check {
    if ir.opcode(op) == Opcode::MmaSync {
        let shape = list(ir, op, "mmaShape")?;
        let fits = shape.len() == 3 && shape.iter().all(|&extent| extent > 0);
        ensure(ir, op, fits, || "needs three positive extents for `mmaShape`".to_owned())?;
        let ranks = ir.operands(op).iter().all(|&value| ir.shape_of(value).len() == 2);
        return ensure(ir, op, ranks, || "takes vectors of two dimensions".to_owned());
    }
    for name in ["m", "n", "k"] {
        let value = ir.attr(op, name).and_then(Attr::as_i64);
        ensure(ir, op, value.is_some_and(|value| value > 0), || format!("needs a positive number for `{name}`"))?;
    }
    Ok(())
}
