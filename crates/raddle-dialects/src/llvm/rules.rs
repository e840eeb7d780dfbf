//! Rules of `llvm` operations: memory, what is atomic, casts, parts of vectors, flags of modules.
//!
//! Types of `llvm` are text, which `Llvm` takes apart. The wording is MLIR's, as its tests expect it.

use raddle_ir::attrs::Body;
use raddle_ir::text::llvm::{Llvm, is_llvm_float, is_llvm_pointer, is_part};
use raddle_ir::verify::Check;
use raddle_ir::verify::wording::{ensure, quoted, wrong};
use raddle_ir::{Attr, AttrId, Float, Ir, OpId, Opcode, Type, TypeId};

/// A function returns what its type says.
pub(super) fn returned(ir: &Ir, op: OpId) -> Check {
    let mut around = std::iter::successors(ir.parent_op(op), |&op| ir.parent_op(op));
    let Some(func) = around.find(|&op| ir.opcode(op) == Opcode::LlvmFunc) else { return Ok(()) };
    let Some(&Attr::Type(ty)) = ir.attr(func, "function_type") else { return Ok(()) };
    let Some(Llvm::Func { result, .. }) = Llvm::of_type(ir, ty) else { return Ok(()) };
    let given = ir.operands(op).first().map(|&value| ir.type_of(value));
    let message = match given {
        Some(_) if result == "void" => "expected no operands",
        None if result != "void" => "expected 1 operand",
        Some(given) if !is_part(ir, given, result) => "mismatching result types",
        _ => return Ok(()),
    };
    Err(Box::new(wrong(ir, op, message).related(ir.span(func), "when returning from function")))
}

pub(super) fn comdat(ir: &Ir, op: OpId) -> Check {
    let Some(block) = ir.body(op, 0) else { return Ok(()) };
    let odd = ir.block_ops(block).find(|&inner| ir.opcode(inner) != Opcode::LlvmComdatSelector);
    match odd {
        Some(odd) => Err(wrong(ir, odd, "only comdat selector symbols can appear in a comdat region")),
        None => Ok(()),
    }
}

pub(super) fn zero(ir: &Ir, op: OpId) -> Check {
    let ty = Llvm::of_type(ir, ir.type_of(ir.result(op, 0)));
    ensure(ir, op, !matches!(ty, Some(Llvm::Target(name, _)) if !name.starts_with("\"spirv.")), || {
        "target extension type does not support zero-initializer".to_owned()
    })
}

/// Whether memory may hold a type that only one machine knows.
fn has_memory(name: &str) -> bool {
    name.starts_with("\"spirv.") || name == "\"aarch64.svcount\""
}

pub(super) fn alloca(ir: &Ir, op: OpId) -> Check {
    let Some(&Attr::Type(ty)) = ir.attr(op, "elem_type") else {
        return Err(wrong(ir, op, "requires attribute 'elem_type'"));
    };
    ensure(ir, op, !matches!(Llvm::of_type(ir, ty), Some(Llvm::Target(name, _)) if !has_memory(name)), || {
        "this target extension type cannot be used in alloca".to_owned()
    })
}

pub(super) fn inline_asm(ir: &Ir, op: OpId) -> Check {
    let kind = ir.attr_id(op, "tail_call_kind").and_then(|kind| ir.keyword(kind));
    ensure(ir, op, kind != Some("musttail"), || "tail call kind 'musttail' is not supported".to_owned())
}

const NOT_ATOMIC: i64 = 0;
const MONOTONIC: i64 = 2;
const ACQUIRE: i64 = 4;
const RELEASE: i64 = 5;
const ACQ_REL: i64 = 6;

fn ordering(ir: &Ir, op: OpId, name: &str) -> i64 {
    ir.attr(op, name).and_then(Attr::as_i64).unwrap_or(NOT_ATOMIC)
}

/// Whether hardware may access values of a type at once: they have a power of two of whole bytes.
fn is_atomic(ir: &Ir, ty: TypeId) -> bool {
    let bits = match &ir[ty] {
        Type::Integer { width, .. } => *width,
        Type::Float(float) if is_llvm_float(ir, &ir[ty]) => float.bits(),
        ty if is_llvm_pointer(ir, ty) || is_llvm_float(ir, ty) => 64,
        _ => 0,
    };
    bits >= 8 && bits.is_power_of_two()
}

pub(super) fn load(ir: &Ir, op: OpId) -> Check {
    let ty = ir.type_of(ir.result(op, 0));
    atomic_access(ir, op, ty, [RELEASE, ACQ_REL])?;
    ensure(ir, op, ir.attr_id(op, "dereferenceable").is_none() || is_llvm_pointer(ir, &ir[ty]), || {
        "expected op to return a single LLVM pointer type".to_owned()
    })
}

pub(super) fn store(ir: &Ir, op: OpId) -> Check {
    atomic_access(ir, op, ir.type_of(ir.operand(op, 0)), [ACQUIRE, ACQ_REL])
}

/// A load or a store of a type, and the orderings that it cannot have.
fn atomic_access(ir: &Ir, op: OpId, ty: TypeId, wrong_orderings: [i64; 2]) -> Check {
    let ordering = ordering(ir, op, "ordering");
    if ordering == NOT_ATOMIC {
        return ensure(ir, op, ir.attr_id(op, "syncscope").is_none(), || {
            "expected syncscope to be null for non-atomic access".to_owned()
        });
    }
    ensure(ir, op, is_atomic(ir, ty), || format!("unsupported type {} for atomic access", quoted(ir, ty)))?;
    ensure(ir, op, !wrong_orderings.contains(&ordering), || {
        let word = match ordering {
            ACQUIRE => "acquire",
            RELEASE => "release",
            _ => "acq_rel",
        };
        format!("unsupported ordering '{word}'")
    })?;
    ensure(ir, op, ir.attr_id(op, "alignment").is_some(), || "expected alignment for atomic access".to_owned())
}

/// The numbers of `bin_op` that exchange, and that compute with floats.
const EXCHANGE: i64 = 0;

const FLOATS: std::ops::RangeInclusive<i64> = 11..=14;

pub(super) fn atomic_rmw(ir: &Ir, op: OpId) -> Check {
    let ty = ir.type_of(ir.operand(op, 1));
    let kind = ir.attr(op, "bin_op").and_then(Attr::as_i64).unwrap_or(EXCHANGE);
    let (fits, message) = if FLOATS.contains(&kind) {
        match &ir[ty] {
            Type::Vector { elem, .. } => {
                (is_llvm_float(ir, &ir[*elem]), "expected LLVM IR floating point type for vector element")
            }
            ty => (is_llvm_float(ir, ty), "expected LLVM IR floating point type"),
        }
    } else if kind == EXCHANGE {
        (is_atomic(ir, ty), "unexpected LLVM IR type for 'xchg' bin_op")
    } else {
        (matches!(ir[ty], Type::Integer { width: 8 | 16 | 32 | 64, .. }), "expected LLVM IR integer type")
    };
    ensure(ir, op, fits, || message.to_owned())?;
    ensure(ir, op, ordering(ir, op, "ordering") >= MONOTONIC, || "expected at least 'monotonic' ordering".to_owned())
}

pub(super) fn cmpxchg(ir: &Ir, op: OpId) -> Check {
    let pair = Llvm::of_type(ir, ir.type_of(ir.result(op, 0)));
    let fits = match pair.as_ref().and_then(Llvm::fields) {
        Some([value, "i1"]) => is_part(ir, ir.type_of(ir.operand(op, 2)), value),
        _ => false,
    };
    ensure(ir, op, fits, || {
        let rule = "has an LLVM struct type consisting of the type of operand #2 and a bool";
        format!("failed to verify that result #0 {rule}")
    })?;
    ensure(ir, op, is_atomic(ir, ir.type_of(ir.operand(op, 2))), || "unexpected LLVM IR type".to_owned())?;
    let [success, failure] = ["success_ordering", "failure_ordering"].map(|name| ordering(ir, op, name));
    ensure(ir, op, success >= MONOTONIC && failure >= MONOTONIC, || {
        "ordering must be at least 'monotonic'".to_owned()
    })?;
    ensure(ir, op, !matches!(failure, RELEASE | ACQ_REL), || {
        "failure ordering cannot be 'release' or 'acq_rel'".to_owned()
    })
}

pub(super) fn fence(ir: &Ir, op: OpId) -> Check {
    ensure(ir, op, ordering(ir, op, "ordering") > MONOTONIC, || {
        "can be given only acquire, release, acq_rel, and seq_cst orderings".to_owned()
    })
}

/// The extent and the marks of a vector.
fn lanes(ty: &Type) -> Option<(&[i64], &[bool])> {
    match ty {
        Type::Vector { shape, scalable, .. } => Some((shape, scalable)),
        _ => None,
    }
}

/// What is extended becomes wider.
pub(super) fn extension(ir: &Ir, op: OpId) -> Check {
    let [from, to] = [ir.type_of(ir.operand(op, 0)), ir.type_of(ir.result(op, 0))];
    let message = match (lanes(&ir[from]), lanes(&ir[to])) {
        (Some(_), None) => "input type is a vector but output type is an integer",
        (None, Some(_)) => "input type is an integer but output type is a vector",
        (a, b) if a != b => "input and output vectors are of incompatible shape",
        _ => {
            let width = |ty: TypeId| match ir[ir[ty].elem().unwrap_or(ty)] {
                Type::Integer { width, .. } => width,
                _ => 0,
            };
            let rule = "integer width of the output type is smaller or equal to the integer width of the input type";
            return ensure(ir, op, width(from) < width(to), || rule.to_owned());
        }
    };
    Err(wrong(ir, op, message))
}

/// A pointer becomes a pointer to the same memory.
pub(super) fn bitcast(ir: &Ir, op: OpId) -> Check {
    let [from, to] = [ir.type_of(ir.operand(op, 0)), ir.type_of(ir.result(op, 0))];
    let space = |ty: TypeId| match Llvm::of_type(ir, ir[ty].elem().unwrap_or(ty)) {
        Some(Llvm::Pointer(space)) => Some(space),
        _ => None,
    };
    let [source, result] = [space(from), space(to)];
    let message = match (lanes(&ir[from]), lanes(&ir[to])) {
        _ if source.is_some() != result.is_some() => "can only cast pointers from and to pointers",
        _ if source.is_none() => return Ok(()),
        (None, Some(_)) => "cannot cast pointer to vector of pointers",
        (Some(_), None) => "cannot cast vector of pointers to pointer",
        _ if source != result => "cannot cast pointers of different address spaces, use 'llvm.addrspacecast' instead",
        _ => return Ok(()),
    };
    Err(wrong(ir, op, message))
}

/// A part of a vector is put in or taken out: both fit LLVM, and the part is not the longer one.
pub(super) fn part_of_vector(ir: &Ir, op: OpId) -> Check {
    let inserts = ir.name(op) == "llvm.intr.vector.insert";
    // What is put in stands last.
    let last = ir.ty(ir.operand(op, ir.operands(op).len() - 1));
    let result = ir.ty(ir.result(op, 0));
    let (part, whole) = if inserts { (last, result) } else { (result, last) };
    let bits = |ty: &Type| match ty {
        Type::Vector { shape, elem, .. } => match ir[*elem] {
            Type::Integer { width, .. } => shape.iter().product::<i64>().saturating_mul(width.into()),
            Type::Float(float) => shape.iter().product::<i64>().saturating_mul(Float::bits(float).into()),
            _ => 0,
        },
        _ => 0,
    };
    let most = 1 << 17;
    ensure(ir, op, bits(part) <= most && bits(whole) <= most, || {
        "failed to verify that vectors are not bigger than 2^17 bits.".to_owned()
    })?;
    let scalable = |ty: &Type| lanes(ty).is_some_and(|(_, marks)| !marks.is_empty());
    ensure(ir, op, !scalable(part) || scalable(whole), || {
        let what = if inserts { "inserting scalable into" } else { "extracting scalable from" };
        format!("failed to verify that it is not {what} fixed-length vectors.")
    })
}

pub(super) fn interleave(ir: &Ir, op: OpId) -> Check {
    ensure(ir, op, ir.type_of(ir.operand(op, 0)) == ir.type_of(ir.operand(op, 1)), || {
        "failed to verify that all of {vec1, vec2} have same type".to_owned()
    })?;
    let fits = match (ir.ty(ir.operand(op, 0)), ir.ty(ir.result(op, 0))) {
        (Type::Vector { shape, scalable, elem }, Type::Vector { shape: twice, scalable: marks, elem: result }) => {
            shape.iter().map(|extent| extent * 2).eq(twice.iter().copied()) && scalable == marks && elem == result
        }
        _ => true,
    };
    ensure(ir, op, fits, || "failed to verify that result has twice as many elements as 'vec1'".to_owned())
}

pub(super) fn sincos(ir: &Ir, op: OpId) -> Check {
    let (ty, result) = (ir.type_of(ir.operand(op, 0)), ir.type_of(ir.result(op, 0)));
    let shape = Llvm::of_type(ir, result);
    let fits = match shape.as_ref().and_then(Llvm::fields) {
        Some([sine, cosine]) => is_part(ir, ty, sine) && is_part(ir, ty, cosine),
        _ => false,
    };
    ensure(ir, op, fits, || {
        let found = quoted(ir, result);
        let rule = "an homogeneous struct with two elements matching the operand type";
        format!("expected result type to be {rule}, but got {found}")
    })
}

pub(super) fn in_module(ir: &Ir, op: OpId) -> Check {
    let parent = ir.parent_op(op).map(|parent| ir.opcode(parent));
    ensure(ir, op, !matches!(parent, Some(Opcode::FuncFunc | Opcode::LlvmFunc)), || {
        "must appear at the module level".to_owned()
    })
}

pub(super) fn module_flags(ir: &Ir, op: OpId) -> Check {
    in_module(ir, op)?;
    let Some(Attr::Array(flags)) = ir.attr(op, "flags") else { return Ok(()) };
    let is_flag = |&flag: &_| matches!(&ir[flag], Attr::Dialect { name, .. } if ir[*name] == *"llvm.mlir.module_flag");
    ensure(ir, op, flags.iter().all(is_flag), || "expected a module flag attribute".to_owned())?;
    flags.iter().try_for_each(|&flag| module_flag(ir, op, flag))
}

/// What some keys of a module's flags stand for.
fn module_flag(ir: &Ir, op: OpId, flag: AttrId) -> Check {
    let Attr::Dialect { body: Body::Fields(fields), .. } = &ir[flag] else { return Ok(()) };
    let [_, (_, key), (_, value)] = fields[..] else { return Ok(()) };
    let Attr::Str(key) = ir[key] else { return Ok(()) };
    let is = |attr: AttrId, wanted: &str| matches!(&ir[attr], Attr::Dialect { name, .. } if ir[*name] == *wanted);
    match &ir[key] {
        "CG Profile" => {
            let fits = match &ir[value] {
                Attr::Array(items) => items.iter().all(|&item| is(item, "llvm.cgprofile_entry")),
                _ => false,
            };
            ensure(ir, op, fits, || "'CG Profile' key expects an array of '#llvm.cgprofile_entry'".to_owned())
        }
        "ProfileSummary" => ensure(ir, op, is(value, "llvm.profile_summary"), || {
            "'ProfileSummary' key expects a '#llvm.profile_summary' attribute".to_owned()
        }),
        _ => Ok(()),
    }
}
