//! Rules of `nvvm` operations: which formats convert, how much is copied at once, who waits for what. The wording is
//! MLIR's, as its tests expect it.

use raddle_ir::text::llvm::{Llvm, is_part};
use raddle_ir::verify::Check;
use raddle_ir::verify::wording::{ensure, quoted, wrong};
use raddle_ir::{Attr, Ir, OpId, ValueId, print_attr};

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
fn formats(name: &str) -> Option<(&'static str, &'static [&'static str])> {
    const F8: &[&str] = &["f8E4M3FN", "f8E5M2"];
    const F6: &[&str] = &["f6E2M3FN", "f6E3M2FN"];
    const F4: &[&str] = &["f4E2M1FN"];
    const SCALE: &[&str] = &["f8E8M0FNU"];
    Some(match name {
        "nvvm.convert.f32x4.to.f8x4" | "nvvm.convert.f16x2.to.f8x2" => ("dstTy", F8),
        "nvvm.convert.f32x4.to.f6x4" | "nvvm.convert.f32x2.to.f6x2" => ("dstTy", F6),
        "nvvm.convert.f32x4.to.f4x4" | "nvvm.convert.f32x2.to.f4x2" => ("dstTy", F4),
        "nvvm.convert.bf16x2.to.f8x2" => ("dstTy", SCALE),
        "nvvm.convert.f8x2.to.f16x2" => ("srcType", F8),
        "nvvm.convert.f6x2.to.f16x2" => ("srcType", F6),
        "nvvm.convert.f4x2.to.f16x2" => ("srcType", F4),
        "nvvm.convert.f8x2.to.bf16x2" => ("srcType", SCALE),
        _ => return None,
    })
}

pub(super) fn conversion(ir: &Ir, op: OpId) -> Check {
    let Some((name, known)) = formats(ir.name(op)) else { return Ok(()) };
    let found = ir.attr_id(op, name).map(|attr| print_attr(ir, attr)).unwrap_or_default();
    ensure(ir, op, known.contains(&found.as_str()), || {
        // `nvvm.convert.f32x4.to.f8x4` names both sides.
        let mut sides = ir.name(op).trim_start_matches("nvvm.convert.").split(".to.");
        let (from, to) = (sides.next().unwrap_or_default(), sides.next().unwrap_or_default());
        let types = match known {
            [only] => format!("'{only}' type is"),
            _ => format!("'{}' types are", known.join("' and '")),
        };
        format!("Only {types} supported for conversions from {from} to {to}.")
    })
}

/// Two halves at once: stochastic rounding takes bits, the others do not.
pub(super) fn halves(ir: &Ir, op: OpId) -> Check {
    let to = ir.name(op).trim_start_matches("nvvm.convert.f32x2.to.");
    let rounding = ir.keyword_of(op, "rnd").unwrap_or("none");
    ensure(ir, op, matches!(rounding, "rn" | "rz" | "rs"), || {
        format!("Only RN, RZ, and RS rounding modes are supported for conversions from f32x2 to {to}.")
    })?;
    let bits = !ir.group(op, "random_bits").is_empty();
    ensure(ir, op, bits || rounding != "rs", || "random_bits is required for RS rounding mode.".to_owned())?;
    ensure(ir, op, !bits || rounding == "rs", || "random_bits not supported for RN and RZ rounding modes.".to_owned())
}

pub(super) fn to_tf32(ir: &Ir, op: OpId) -> Check {
    let rounding = ir.keyword_of(op, "rnd").unwrap_or("none");
    ensure(ir, op, matches!(rounding, "rn" | "rz" | "rna"), || {
        "Only {rn,rz,rna} rounding modes supported for ConvertFloatToTF32Op.".to_owned()
    })?;
    let relu = ir.attr(op, "relu") == Some(&Attr::Bool(true));
    ensure(ir, op, !relu || rounding != "rna", || "Relu not supported with rna rounding mode.".to_owned())
}

/// What is brought near is a descriptor of a tensor, or lines of a cache.
pub(super) fn prefetch(ir: &Ir, op: OpId) -> Check {
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
            (ir.group(op, "predicate").is_empty(), "predicate supported only on prefetch tensormap"),
        ]
    };
    rules.iter().try_for_each(|&(holds, message)| ensure(ir, op, holds, || message.to_owned()))
}

/// Threads that ask for all learn whether all agree.
pub(super) fn matching(ir: &Ir, op: OpId) -> Check {
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
pub(super) fn shuffle(ir: &Ir, op: OpId) -> Check {
    let flag = ir.attr_id(op, "return_value_and_is_valid").is_some();
    let (given, result) = (ir.type_of(ir.group(op, "val")[0]), ir.type_of(ir.result(op, 0)));
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

pub(super) fn query(ir: &Ir, op: OpId) -> Check {
    let ty = ir.type_of(ir.result(op, 0));
    if ir.keyword_of(op, "query_type") == Some("is_canceled") {
        return ensure(ir, op, is_part(ir, ty, "i1"), || "is_canceled query type returns an i1".to_owned());
    }
    ensure(ir, op, is_part(ir, ty, "i32"), || {
        "get_first_cta_id_x, get_first_cta_id_y, get_first_cta_id_z query types return an i32".to_owned()
    })
}

pub(super) fn copy(ir: &Ir, op: OpId) -> Check {
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
pub(super) fn mapped(ir: &Ir, op: OpId) -> Check {
    let fits = matches!(
        (space(ir, ir.operand(op, 0)), space(ir, ir.result(op, 0))),
        (Some(SHARED), Some(CLUSTER)) | (Some(GENERIC), Some(GENERIC))
    );
    ensure(ir, op, fits, || "failed to verify that Valid address-space check(or mapping) for mapa Op".to_owned())
}

pub(super) fn permutation(ir: &Ir, op: OpId) -> Check {
    let mode = ir.keyword_of(op, "mode").unwrap_or_default();
    let takes = matches!(mode, "default" | "f4e" | "b4e");
    let has = !ir.group(op, "hi").is_empty();
    ensure(ir, op, takes == has, || {
        let what = if takes { "requires" } else { "does not accept" };
        format!("mode '{mode}' {what} 'hi' operand.")
    })
}

pub(super) fn event(ir: &Ir, op: OpId) -> Check {
    let [id, mask] = ["eventId", "maskedEventId"].map(|name| ir.attr(op, name).and_then(Attr::as_i64));
    ensure(ir, op, id.is_some() || mask.is_some(), || "either `id` or `mask` must be set".to_owned())?;
    ensure(ir, op, id.is_none() || mask.is_none(), || "`id` and `mask` cannot be set at the same time".to_owned())?;
    ensure(ir, op, id.is_none_or(|id| (0..16).contains(&id)), || "`id` must be between 0 and 15".to_owned())
}

/// A thread has eight registers at a time, and from 24 to 256.
pub(super) fn registers(ir: &Ir, op: OpId) -> Check {
    let count = ir.attr(op, "regCount").and_then(Attr::as_i64).unwrap_or(0);
    ensure(ir, op, count % 8 == 0, || "new register size must be multiple of 8".to_owned())?;
    ensure(ir, op, (24..=256).contains(&count), || "new register size must be in between 24 to 256".to_owned())
}

/// A part of a tensor has from one to five coordinates; how many offsets stand beside them depends on the mode.
pub(super) fn tile(ir: &Ir, op: OpId) -> Check {
    let (dims, offsets) = (ir.group(op, "coordinates").len(), ir.group(op, "im2colOffsets").len());
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
pub(super) fn load_tile(ir: &Ir, op: OpId) -> Check {
    let alone = ir.attr(op, "isCTAOnly") == Some(&Attr::Bool(true));
    let mode = ir.keyword_of(op, "mode").unwrap_or("tile");
    if ir.group(op, "predicate").is_empty() {
        let (wanted, what) = if alone { (SHARED, "cta") } else { (CLUSTER, "cluster") };
        ensure(ir, op, space(ir, ir.operand(op, 0)) == Some(wanted), || {
            format!("Shared::{what} destination requires address-space {wanted}.")
        })?;
        ensure(ir, op, !alone || ir.group(op, "multicastMask").is_empty(), || {
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
pub(super) fn store_tile(ir: &Ir, op: OpId) -> Check {
    let dims = ir.group(op, "coordinates").len();
    let reduces = ir.name(op) == "nvvm.cp.async.bulk.tensor.reduce";
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
pub(super) fn arrival(ir: &Ir, op: OpId) -> Check {
    let scope = ir.keyword_of(op, "scope").unwrap_or("cta");
    let far = space(ir, ir.operand(op, 0)) == Some(CLUSTER);
    let gives =
        ir.results(op).len() > 0 && !matches!(ir.name(op), "nvvm.mbarrier.test.wait" | "nvvm.mbarrier.try_wait");
    if ir.name(op) == "nvvm.mbarrier.arrive.expect_tx" && !ir.group(op, "predicate").is_empty() {
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

pub(super) fn bulk_store(ir: &Ir, op: OpId) -> Check {
    let value = ir.attr(op, "initVal").and_then(Attr::as_i64).unwrap_or(0);
    ensure(ir, op, value == 0, || format!("only 0 is supported for initVal, got {value}"))
}

pub(super) fn multicast(ir: &Ir, op: OpId) -> Check {
    let masked = !ir.group(op, "multicastMask").is_empty();
    ensure(ir, op, !masked || space(ir, ir.operand(op, 0)) != Some(SHARED), || {
        "Multicast is not supported with shared::cta mode.".to_owned()
    })
}
