//! Rules of `nvvm` operations: which formats convert, how much is copied at once, who waits for what, and which
//! machines have an instruction. The wording is MLIR's, as its tests expect it.

mod wgmma;

use super::Check;
use super::iree::{ensure, quoted, wrong};
use crate::attrs::Attr;
use crate::form::Shape;
use crate::ids::{AttrId, OpId, ValueId};
use crate::ir::Ir;
use crate::ops::Opcode;
use crate::text::{Llvm, group_range, is_part, print_attr};

pub(super) fn check(ir: &Ir, op: OpId) -> Check {
    match ir.opcode(op) {
        Opcode::NvvmCpAsyncSharedGlobal => copy(ir, op),
        Opcode::NvvmMapa => mapped(ir, op),
        Opcode::NvvmPrmt => permutation(ir, op),
        Opcode::NvvmPmevent => event(ir, op),
        Opcode::NvvmStBulk => {
            let value = ir.attr(op, "initVal").and_then(Attr::as_i64).unwrap_or(0);
            ensure(ir, op, value == 0, || format!("only 0 is supported for initVal, got {value}"))
        }
        Opcode::NvvmSetmaxregister => registers(ir, op),
        Opcode::NvvmConvertF32x2ToF16x2 => halves(ir, op, "f16x2"),
        Opcode::NvvmConvertF32x2ToBf16x2 => halves(ir, op, "bf16x2"),
        Opcode::NvvmConvertFloatToTf32 => to_tf32(ir, op),
        Opcode::NvvmPrefetch => prefetch(ir, op),
        Opcode::NvvmMatchSync => matching(ir, op),
        Opcode::NvvmShflSync => shuffle(ir, op),
        Opcode::NvvmClusterlaunchcontrolQueryCancel => query(ir, op),
        Opcode::NvvmWgmmaMmaAsync => wgmma::check(ir, op),
        Opcode::NvvmCpAsyncBulkTensorPrefetch => tile(ir, op),
        Opcode::NvvmCpAsyncBulkTensorSharedClusterGlobal => load_tile(ir, op),
        Opcode::NvvmCpAsyncBulkTensorGlobalSharedCta | Opcode::NvvmCpAsyncBulkTensorReduce => store_tile(ir, op),
        Opcode::NvvmCpAsyncBulkSharedClusterGlobal => {
            let masked = !group(ir, op, "multicastMask").is_empty();
            ensure(ir, op, !masked || space(ir, ir.operand(op, 0)) != Some(SHARED), || {
                "Multicast is not supported with shared::cta mode.".to_owned()
            })
        }
        Opcode::NvvmMbarrierArrive | Opcode::NvvmMbarrierArriveDrop => arrival(ir, op),
        Opcode::NvvmMbarrierArriveExpectTx | Opcode::NvvmMbarrierArriveDropExpectTx => arrival(ir, op),
        Opcode::NvvmMbarrierExpectTx | Opcode::NvvmMbarrierCompleteTx => arrival(ir, op),
        Opcode::NvvmMbarrierTestWait | Opcode::NvvmMbarrierTryWait => arrival(ir, op),
        _ => conversion(ir, op),
    }
}

/// The operands of a group, by its name.
fn group<'ir>(ir: &'ir Ir, op: OpId, name: &str) -> &'ir [ValueId] {
    let shape = Shape::of(ir.opcode(op));
    let at = shape.operands.iter().position(|group| group.name == name).expect("the row has the group");
    &ir.operands(op)[group_range(ir, op, shape, at)]
}

/// The number of the memory that a pointer points to.
fn space(ir: &Ir, value: ValueId) -> Option<u32> {
    match Llvm::of_type(ir, ir.type_of(value)) {
        Some(Llvm::Pointer("")) => Some(0),
        Some(Llvm::Pointer(space)) => space.parse().ok(),
        _ => None,
    }
}

/// Kinds of memory: any, of the machine, of a workgroup, that nobody writes, of a thread, of a cluster.
const GENERIC: u32 = 0;
const GLOBAL: u32 = 1;
const SHARED: u32 = 3;
const CONSTANT: u32 = 4;
const LOCAL: u32 = 5;
const CLUSTER: u32 = 7;

/// The formats that a conversion writes or reads: the attribute that says which, and those that there are.
fn formats(opcode: Opcode) -> Option<(&'static str, &'static [&'static str])> {
    const F8: &[&str] = &["f8E4M3FN", "f8E5M2"];
    const F6: &[&str] = &["f6E2M3FN", "f6E3M2FN"];
    const F4: &[&str] = &["f4E2M1FN"];
    const SCALE: &[&str] = &["f8E8M0FNU"];
    Some(match opcode {
        Opcode::NvvmConvertF32x4ToF8x4 | Opcode::NvvmConvertF16x2ToF8x2 => ("dstTy", F8),
        Opcode::NvvmConvertF32x4ToF6x4 | Opcode::NvvmConvertF32x2ToF6x2 => ("dstTy", F6),
        Opcode::NvvmConvertF32x4ToF4x4 | Opcode::NvvmConvertF32x2ToF4x2 => ("dstTy", F4),
        Opcode::NvvmConvertBf16x2ToF8x2 => ("dstTy", SCALE),
        Opcode::NvvmConvertF8x2ToF16x2 => ("srcType", F8),
        Opcode::NvvmConvertF6x2ToF16x2 => ("srcType", F6),
        Opcode::NvvmConvertF4x2ToF16x2 => ("srcType", F4),
        Opcode::NvvmConvertF8x2ToBf16x2 => ("srcType", SCALE),
        _ => return None,
    })
}

fn conversion(ir: &Ir, op: OpId) -> Check {
    let opcode = ir.opcode(op);
    let Some((name, known)) = formats(opcode) else { return Ok(()) };
    let found = ir.attr_id(op, name).map(|attr| print_attr(ir, attr)).unwrap_or_default();
    ensure(ir, op, known.contains(&found.as_str()), || {
        // `nvvm.convert.f32x4.to.f8x4` names both sides.
        let mut sides = opcode.name().trim_start_matches("nvvm.convert.").split(".to.");
        let (from, to) = (sides.next().unwrap_or_default(), sides.next().unwrap_or_default());
        let types = match known {
            [only] => format!("'{only}' type is"),
            _ => format!("'{}' types are", known.join("' and '")),
        };
        format!("Only {types} supported for conversions from {from} to {to}.")
    })
}

/// Two halves at once: stochastic rounding takes bits, the others do not.
fn halves(ir: &Ir, op: OpId, to: &str) -> Check {
    let rounding = ir.keyword_of(op, "rnd").unwrap_or("none");
    ensure(ir, op, matches!(rounding, "rn" | "rz" | "rs"), || {
        format!("Only RN, RZ, and RS rounding modes are supported for conversions from f32x2 to {to}.")
    })?;
    let bits = !group(ir, op, "random_bits").is_empty();
    ensure(ir, op, bits || rounding != "rs", || "random_bits is required for RS rounding mode.".to_owned())?;
    ensure(ir, op, !bits || rounding == "rs", || "random_bits not supported for RN and RZ rounding modes.".to_owned())
}

fn to_tf32(ir: &Ir, op: OpId) -> Check {
    let rounding = ir.keyword_of(op, "rnd").unwrap_or("none");
    ensure(ir, op, matches!(rounding, "rn" | "rz" | "rna"), || {
        "Only {rn,rz,rna} rounding modes supported for ConvertFloatToTF32Op.".to_owned()
    })?;
    let relu = ir.attr(op, "relu") == Some(&Attr::Bool(true));
    ensure(ir, op, !relu || rounding != "rna", || "Relu not supported with rna rounding mode.".to_owned())
}

/// What is brought near is a descriptor of a tensor, or lines of a cache.
fn prefetch(ir: &Ir, op: OpId) -> Check {
    let level = ir.keyword_of(op, "cacheLevel");
    let priority = ir.keyword_of(op, "evictPriority");
    let has = |name: &str| ir.attr_id(op, name).is_some();
    let from = space(ir, ir.operand(op, 0));
    let rules: &[(bool, &str)] = if has("tensormap") {
        &[
            (level.is_none(), "cannot specify both tensormap and cache level"),
            (matches!(from, Some(GENERIC | CONSTANT)), "prefetch tensormap requires a generic or constant pointer"),
            (priority.is_none(), "prefetch tensormap does not support eviction priority"),
            (
                !has("in_param_space") || from == Some(GENERIC),
                "in_param_space can only be specified for a generic pointer",
            ),
        ]
    } else {
        let uniform = has("uniform");
        &[
            (level.is_some(), "requires specification of either cache level or tensormap"),
            (
                matches!(from, Some(GENERIC | GLOBAL | LOCAL)),
                "prefetch to cache level requires a generic, global, or local pointer",
            ),
            (!uniform || level == Some("L1"), "unsupported cache level, the only supported uniform cache level is L1"),
            (!uniform || from == Some(GENERIC), "prefetch to uniform cache requires a generic pointer"),
            (priority.is_none() || level == Some("L2"), "cache eviction priority supported only for cache level L2"),
            (priority.is_none() || from == Some(GLOBAL), "cache eviction priority requires a global pointer"),
            (
                matches!(priority, None | Some("evict_normal" | "evict_last")),
                "unsupported cache eviction priority, only evict_last and evict_normal are supported",
            ),
            (group(ir, op, "predicate").is_empty(), "predicate supported only on prefetch tensormap"),
        ]
    };
    rules.iter().try_for_each(|&(holds, message)| ensure(ir, op, holds, || message.to_owned()))
}

/// Threads that ask for all learn whether all agree.
fn matching(ir: &Ir, op: OpId) -> Check {
    let ty = Llvm::of_type(ir, ir.type_of(ir.result(op, 0)));
    let fields = ty.as_ref().and_then(Llvm::fields);
    if ir.keyword_of(op, "kind") == Some("all") {
        return ensure(ir, op, fields == Some(&["i32", "i1"]), || {
            "match.sync 'all' returns a two element struct with first element as i32 and second element as i1"
                .to_owned()
        });
    }
    ensure(ir, op, fields.is_none(), || "match.sync 'any' returns an i32".to_owned())
}

/// A value from another thread, perhaps with whether that thread was there.
fn shuffle(ir: &Ir, op: OpId) -> Check {
    let flag = ir.attr_id(op, "return_value_and_is_valid").is_some();
    let (given, result) = (ir.type_of(group(ir, op, "val")[0]), ir.type_of(ir.result(op, 0)));
    let ty = Llvm::of_type(ir, result);
    let Some(fields) = ty.as_ref().and_then(Llvm::fields) else {
        ensure(ir, op, !flag, || "expected return type to be a two-element struct".to_owned())?;
        return ensure(ir, op, given == result, || {
            let (given, result) = (quoted(ir, given), quoted(ir, result));
            format!("expected return type to be of type {given} but got {result} instead")
        });
    };
    ensure(ir, op, flag, || {
        "\"return_value_and_is_valid\" attribute must be specified when the return type is a struct type".to_owned()
    })?;
    let &[first, second] = fields else {
        return Err(wrong(ir, op, "expected return type to be a two-element struct"));
    };
    let (what, wanted, found) = if !is_part(ir, given, first) {
        ("first", quoted(ir, given), first)
    } else if second != "i1" {
        ("second", "'i1'".to_owned(), second)
    } else {
        return Ok(());
    };
    let place = format!("{what} element in the returned struct");
    Err(wrong(ir, op, format!("expected {place} to be of type {wanted} but got '{found}' instead")))
}

fn query(ir: &Ir, op: OpId) -> Check {
    let ty = ir.type_of(ir.result(op, 0));
    if ir.keyword_of(op, "query_type") == Some("is_canceled") {
        return ensure(ir, op, is_part(ir, ty, "i1"), || "is_canceled query type returns an i1".to_owned());
    }
    ensure(ir, op, is_part(ir, ty, "i32"), || {
        "get_first_cta_id_x, get_first_cta_id_y, get_first_cta_id_z query types return an i32".to_owned()
    })
}

fn copy(ir: &Ir, op: OpId) -> Check {
    let (size, modifier) = (ir.attr(op, "size").and_then(Attr::as_i64), ir.keyword_of(op, "modifier"));
    ensure(ir, op, matches!(modifier, Some("ca" | "cg")), || {
        "Only CG and CA cache modifiers are supported.".to_owned()
    })?;
    ensure(ir, op, matches!(size, Some(4 | 8 | 16)), || "expected byte size to be either 4, 8 or 16.".to_owned())?;
    ensure(ir, op, modifier != Some("cg") || size == Some(16), || {
        "CG cache modifier is only support for 16 bytes copy.".to_owned()
    })
}

/// A pointer to shared memory becomes one to a cluster's, a generic one stays generic.
fn mapped(ir: &Ir, op: OpId) -> Check {
    let fits = matches!(
        (space(ir, ir.operand(op, 0)), space(ir, ir.result(op, 0))),
        (Some(SHARED), Some(CLUSTER)) | (Some(GENERIC), Some(GENERIC))
    );
    ensure(ir, op, fits, || "failed to verify that Valid address-space check(or mapping) for mapa Op".to_owned())
}

fn permutation(ir: &Ir, op: OpId) -> Check {
    let mode = ir.keyword_of(op, "mode").unwrap_or_default();
    let takes = matches!(mode, "default" | "f4e" | "b4e");
    let has = !group(ir, op, "hi").is_empty();
    ensure(ir, op, takes == has, || {
        let what = if takes { "requires" } else { "does not accept" };
        format!("mode '{mode}' {what} 'hi' operand.")
    })
}

fn event(ir: &Ir, op: OpId) -> Check {
    let [id, mask] = ["eventId", "maskedEventId"].map(|name| ir.attr(op, name).and_then(Attr::as_i64));
    ensure(ir, op, id.is_some() || mask.is_some(), || "either `id` or `mask` must be set".to_owned())?;
    ensure(ir, op, id.is_none() || mask.is_none(), || "`id` and `mask` cannot be set at the same time".to_owned())?;
    ensure(ir, op, id.is_none_or(|id| (0..16).contains(&id)), || "`id` must be between 0 and 15".to_owned())
}

/// A thread has eight registers at a time, and from 24 to 256.
fn registers(ir: &Ir, op: OpId) -> Check {
    let count = ir.attr(op, "regCount").and_then(Attr::as_i64).unwrap_or(0);
    ensure(ir, op, count % 8 == 0, || "new register size must be multiple of 8".to_owned())?;
    ensure(ir, op, (24..=256).contains(&count), || "new register size must be in between 24 to 256".to_owned())
}

/// A part of a tensor has from one to five coordinates; how many offsets stand beside them depends on the mode.
fn tile(ir: &Ir, op: OpId) -> Check {
    let (dims, offsets) = (group(ir, op, "coordinates").len(), group(ir, op, "im2colOffsets").len());
    ensure(ir, op, (1..=5).contains(&dims), || "expects coordinates between 1 to 5 dimension".to_owned())?;
    let mode = ir.keyword_of(op, "mode").unwrap_or("tile");
    let wanted = match mode {
        "tile_gather4" if dims != 5 => return Err(wrong(ir, op, "Gather4 mode expects 5 coordinates")),
        "tile" | "tile_gather4" => 0,
        _ if dims < 3 => {
            let message = format!("to use {mode} mode, the tensor has to be at least 3-dimensional");
            return Err(wrong(ir, op, message));
        }
        "im2col" => dims - 2,
        _ => 2,
    };
    ensure(ir, op, offsets == wanted, || format!(" im2col offsets expected {wanted} (provided {offsets})"))
}

/// The same into shared memory: where a predicate decides, fewer modes are there.
fn load_tile(ir: &Ir, op: OpId) -> Check {
    let alone = ir.attr(op, "isCTAOnly") == Some(&Attr::Bool(true));
    let mode = ir.keyword_of(op, "mode").unwrap_or("tile");
    if group(ir, op, "predicate").is_empty() {
        let (wanted, what) = if alone { (SHARED, "cta") } else { (CLUSTER, "cluster") };
        ensure(ir, op, space(ir, ir.operand(op, 0)) == Some(wanted), || {
            format!("Shared::{what} destination requires address-space {wanted}.")
        })?;
        ensure(ir, op, !alone || group(ir, op, "multicastMask").is_empty(), || {
            "Multicast is not supported with shared::cta mode.".to_owned()
        })?;
        ensure(ir, op, !alone || ir.attr_id(op, "group").is_none(), || {
            "CTAGroup is not supported with shared::cta mode.".to_owned()
        })?;
    } else {
        ensure(ir, op, !alone, || "Predicate is supported only for shared::cluster mode.".to_owned())?;
        ensure(ir, op, matches!(mode, "tile" | "im2col"), || {
            "Predicate is supported only for Tile and Im2col modes.".to_owned()
        })?;
    }
    tile(ir, op)
}

/// The same from shared memory.
fn store_tile(ir: &Ir, op: OpId) -> Check {
    let dims = group(ir, op, "coordinates").len();
    let reduces = ir.opcode(op) == Opcode::NvvmCpAsyncBulkTensorReduce;
    match ir.keyword_of(op, "mode").unwrap_or("tile") {
        "tile_scatter4" if reduces => Err(wrong(ir, op, "Scatter mode unsupported for CpAsyncBulkTensorReduceOp")),
        "tile_scatter4" => ensure(ir, op, dims == 5, || "Scatter4 mode expects 5 coordinates".to_owned()),
        mode => {
            ensure(ir, op, (1..=5).contains(&dims), || "expects coordinates between 1 to 5 dimension".to_owned())?;
            ensure(ir, op, mode != "im2col" || dims >= 3, || {
                "to use im2col mode, the tensor has to be at least 3-dimensional".to_owned()
            })
        }
    }
}

/// What arrives at a barrier of a cluster learns nothing of it.
fn arrival(ir: &Ir, op: OpId) -> Check {
    let scope = ir.keyword_of(op, "scope").unwrap_or("cta");
    let far = space(ir, ir.operand(op, 0)) == Some(CLUSTER);
    let gives = ir.results(op).len() > 0
        && !matches!(ir.opcode(op), Opcode::NvvmMbarrierTestWait | Opcode::NvvmMbarrierTryWait);
    if ir.opcode(op) == Opcode::NvvmMbarrierArriveExpectTx && !group(ir, op, "predicate").is_empty() {
        let relaxed = ir.attr(op, "relaxed") == Some(&Attr::Bool(true));
        let when = "when using predicate";
        ensure(ir, op, scope == "cta", || format!("mbarrier scope must be CTA {when}"))?;
        ensure(ir, op, !far, || format!("mbarrier in shared_cluster space is not supported {when}"))?;
        ensure(ir, op, !gives, || format!("return-value is not supported {when}"))?;
        ensure(ir, op, !relaxed, || format!("mbarrier with relaxed semantics is not supported {when}"))?;
    }
    ensure(ir, op, matches!(scope, "cta" | "cluster"), || "mbarrier scope must be either CTA or Cluster".to_owned())?;
    ensure(ir, op, !far || !gives, || "mbarrier in shared_cluster space cannot return any value".to_owned())
}

/// What a machine must be to have an instruction.
enum Needs {
    /// It is of this version or a later one.
    AtLeast(u32),
    /// It is of one of these versions, with all that only these have (`sm_90a`).
    OneOf(&'static [u32]),
}

fn needs(opcode: Opcode) -> Option<Needs> {
    Some(match opcode {
        Opcode::NvvmShflSync => Needs::AtLeast(30),
        Opcode::NvvmReduxSync => Needs::AtLeast(80),
        Opcode::NvvmReadPtxSregClusteridX | Opcode::NvvmReadPtxSregClusterCtarank => Needs::AtLeast(90),
        Opcode::NvvmReadPtxSregClusterCtaidX | Opcode::NvvmReadPtxSregClusterCtaidY => Needs::AtLeast(90),
        Opcode::NvvmReadPtxSregClusterCtaidZ | Opcode::NvvmReadPtxSregClusterNctaidX => Needs::AtLeast(90),
        Opcode::NvvmReadPtxSregClusterNctaidY | Opcode::NvvmReadPtxSregAggrSmemSize => Needs::AtLeast(90),
        Opcode::NvvmClusterArriveRelaxed | Opcode::NvvmClusterWait | Opcode::NvvmMapa => Needs::AtLeast(90),
        Opcode::NvvmCpAsyncBulkWaitGroup | Opcode::NvvmCpAsyncBulkTensorSharedClusterGlobal => Needs::AtLeast(90),
        Opcode::NvvmClusterlaunchcontrolTryCancel | Opcode::NvvmClusterlaunchcontrolQueryCancel => Needs::AtLeast(100),
        Opcode::NvvmWgmmaFenceAligned | Opcode::NvvmWgmmaCommitGroupSyncAligned => Needs::OneOf(&[90]),
        Opcode::NvvmWgmmaWaitGroupSyncAligned => Needs::OneOf(&[90]),
        Opcode::NvvmConvertF32x4ToF8x4 | Opcode::NvvmConvertF32x4ToF6x4 => Needs::OneOf(&[100, 103]),
        Opcode::NvvmConvertF32x4ToF4x4 => Needs::OneOf(&[100, 103]),
        Opcode::NvvmTcgen05Alloc | Opcode::NvvmTcgen05Dealloc => Needs::OneOf(&[100, 101]),
        Opcode::NvvmTcgen05RelinquishAllocPermit | Opcode::NvvmTcgen05Fence => Needs::OneOf(&[100, 101]),
        Opcode::NvvmTcgen05Wait | Opcode::NvvmTcgen05Commit | Opcode::NvvmTcgen05Cp => Needs::OneOf(&[100, 101]),
        Opcode::NvvmTcgen05Ld | Opcode::NvvmTcgen05St => Needs::OneOf(&[100, 101]),
        Opcode::NvvmTcgen05Shift => Needs::OneOf(&[100, 101, 103]),
        Opcode::NvvmTcgen05Mma | Opcode::NvvmTcgen05MmaSp => Needs::OneOf(&[100, 110]),
        Opcode::NvvmTcgen05MmaBlockScale | Opcode::NvvmTcgen05MmaSpBlockScale => Needs::OneOf(&[100, 110]),
        Opcode::NvvmTcgen05MmaWs | Opcode::NvvmTcgen05MmaWsSp => Needs::OneOf(&[100, 110]),
        _ => return None,
    })
}

/// The machines that a kernel's module is for have its instructions.
pub(super) fn targets(ir: &Ir, module: OpId) -> Check {
    let Some(Attr::Array(targets)) = ir.attr(module, "targets") else { return Ok(()) };
    targets.iter().try_for_each(|&target| match &ir[target] {
        Attr::Dialect { name, .. } if ir[*name] == *"nvvm.target" => compatible(ir, module, target),
        _ => Ok(()),
    })
}

fn compatible(ir: &Ir, module: OpId, target: AttrId) -> Check {
    let level = ir.field(target, "O").and_then(|level| ir[level].as_i64());
    ensure(ir, module, level.is_none_or(|level| (0..4).contains(&level)), || {
        "The optimization level must be a number between 0 and 3.".to_owned()
    })?;
    if ir.field(target, "verifyTarget").is_some_and(|flag| ir[flag] == Attr::Bool(false)) {
        return Ok(());
    }
    let Some(Attr::Str(chip)) = ir.field(target, "chip").map(|chip| &ir[chip]) else { return Ok(()) };
    let chip = &ir[*chip];
    let digits = chip.trim_start_matches("sm_").trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let Ok(version) = digits.parse::<u32>() else { return Ok(()) };
    for op in ir.walk(module) {
        let fits = match needs(ir.opcode(op)) {
            Some(Needs::AtLeast(least)) => version >= least,
            Some(Needs::OneOf(versions)) => chip.ends_with('a') && versions.contains(&version),
            None => true,
        };
        ensure(ir, op, fits, || format!("is not supported on {chip}"))?;
    }
    Ok(())
}
