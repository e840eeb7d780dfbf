//! Scans and sums over the lanes of a subgroup as shuffles.
//!
//! Before: `%s, %t = iree_gpu.subgroup_scan(%x, identity = %z : f32) cluster(size = 4) { … }`
//! After:  two rounds of `gpu.shuffle idx` at distances 1 and 2, in which a lane combines what lies that far in front with
//! its own, a shuffle from the last lane of the cluster, and one from the lane in front.
//!
//! Does not take values of more than 32 bits, or vectors: a shuffle moves a word.

use raddle_ir::{Attr, Builder, Code, Diag, Ir, OpId, Opcode, Type, TypeId, ValueId, ValueMap};

use crate::clean;
use crate::code::{compare, select};
use crate::structured::body::Combiner;

/// `arith.cmpi`'s numbers for "equal" and "not less, without a sign".
const EQUAL: i64 = 0;
const NOT_LESS: i64 = 9;

/// What the rules share.
struct Cx {
    subgroup_size: i64,
    size: i64,
    stride: i64,
}

/// Rewrites the scans and reductions of a function.
pub fn expand(ir: &mut Ir, func: OpId) -> Result<(), Diag> {
    let info = ir.attr_id(func, "translation_info");
    let size = info.and_then(|info| ir.field(info, "subgroup_size")).and_then(|size| ir[size].as_i64());
    let size = size.filter(|&size| size > 0).ok_or_else(|| {
        Diag::error(Code::CannotConfigure, ir.span(func), "the function does not say its subgroup size")
            .help("add `subgroup_size = 32` to its `translation_info`")
    })?;
    let mut changed = false;
    for op in ir.walk(func) {
        changed |= match ir.opcode(op) {
            Opcode::IreeGpuSubgroupScan => scan(ir, op, size)?,
            Opcode::GpuSubgroupReduce => reduce(ir, op, size)?,
            _ => false,
        };
    }
    if changed {
        clean::canonicalize(ir, func);
    }
    Ok(())
}

/// The cluster of an operation on a word; `None` for other values.
fn cluster(ir: &Ir, op: OpId, subgroup_size: i64) -> Result<Option<Cx>, Diag> {
    let bits = match ir.ty(ir.operand(op, 0)) {
        Type::Integer { width, .. } => *width,
        Type::Float(float) => float.bits(),
        _ => return Ok(None),
    };
    let number = |name: &str| ir.attr(op, name).and_then(Attr::as_i64);
    let (size, stride) = (number("cluster_size").unwrap_or(subgroup_size), number("cluster_stride").unwrap_or(1));
    let span = size.checked_mul(stride).filter(|_| size > 0 && stride > 0);
    if span.is_none_or(|span| span > subgroup_size) {
        let message = format!("`{}` asks for clusters that a subgroup does not have", ir.name(op));
        return Err(Diag::error(Code::CannotLower, ir.span(op), message)
            .note(format!("{size} lanes at distance {stride} in subgroups of {subgroup_size}")));
    }
    Ok((bits <= 32).then_some(Cx { subgroup_size, size, stride }))
}

fn word(builder: &mut Builder<'_>, value: i64) -> ValueId {
    let ty = builder.ir.int_type(32);
    builder.int(value, ty)
}

/// The value of another lane: a narrow one travels in a word.
fn shuffle(builder: &mut Builder<'_>, cx: &Cx, value: ValueId, mode: &str, lane: ValueId) -> ValueId {
    let (ty, i32) = (builder.ir.type_of(value), builder.ir.int_type(32));
    let (bits, is_float) = match &builder.ir[ty] {
        Type::Float(float) => (float.bits(), true),
        Type::Integer { width, .. } => (*width, false),
        _ => panic!("a cluster is one of words"),
    };
    let narrow = builder.ir.int_type(bits);
    let cast = |builder: &mut Builder<'_>, value: ValueId, to: TypeId| {
        if is_float { builder.value(Opcode::ArithBitcast, &[value], to, &[]) } else { value }
    };
    let mut packed = value;
    if bits < 32 {
        let number = cast(builder, value, narrow);
        packed = builder.value(Opcode::ArithExtui, &[number], i32, &[]);
    }
    let (width, mode) = (word(builder, cx.subgroup_size), builder.keyword_attr("gpu.shuffle_mode", mode));
    let (moved, bit) = (builder.ir.type_of(packed), builder.ir.int_type(1));
    let op = builder.op(Opcode::GpuShuffle, &[packed, lane, width], &[moved, bit], &[("mode", mode)]);
    let moved = builder.ir.result(op, 0);
    if bits == 32 {
        return moved;
    }
    let number = builder.value(Opcode::ArithTrunci, &[moved], narrow, &[]);
    cast(builder, number, ty)
}

fn scan(ir: &mut Ir, op: OpId, subgroup_size: i64) -> Result<bool, Diag> {
    let Some(cx) = cluster(ir, op, subgroup_size)? else { return Ok(false) };
    let (body, operands) = (ir.entry(op), ir.operands(op).to_vec());
    let mut builder = Builder::before(ir, op);
    let (index, i32) = (builder.ir.index_type(), builder.ir.int_type(32));
    let lane = builder.value(Opcode::GpuLaneId, &[], index, &[]);
    let lane = builder.value(Opcode::ArithIndexCast, &[lane], i32, &[]);
    let (size, stride) = (word(&mut builder, cx.size), word(&mut builder, cx.stride));
    let place = builder.binary(Opcode::ArithDivui, lane, stride);
    let place = builder.binary(Opcode::ArithRemui, place, size);
    let mut sum = operands[0];
    let mut distance = 1;
    while distance < cx.size {
        // What is too far in front lies in another cluster, and is not taken.
        let back = word(&mut builder, distance * cx.stride);
        let from = builder.binary(Opcode::ArithSubi, lane, back);
        let front = shuffle(&mut builder, &cx, sum, "idx", from);
        let mut map = ValueMap::default();
        for (arg, value) in builder.ir.args(body).to_vec().into_iter().zip([front, sum]) {
            map.set(arg, value);
        }
        let mut both = sum;
        for inner in builder.ir.ops_of(body) {
            match builder.ir.opcode(inner) {
                Opcode::IreeGpuYield => both = map.get(builder.ir.operand(inner, 0)),
                _ => _ = builder.copy(inner, &mut map),
            }
        }
        let bound = word(&mut builder, distance);
        let inside = compare(&mut builder, NOT_LESS, place, bound);
        sum = select(&mut builder, inside, both, sum);
        distance *= 2;
    }
    let inside = builder.binary(Opcode::ArithMuli, place, stride);
    let first = builder.binary(Opcode::ArithSubi, lane, inside);
    let reach = word(&mut builder, (cx.size - 1) * cx.stride);
    let last = builder.binary(Opcode::ArithAddi, first, reach);
    let total = shuffle(&mut builder, &cx, sum, "idx", last);
    let inclusive = builder.ir.attr_id(op, "inclusive").is_some();
    let result = match operands.get(1) {
        Some(&identity) if !inclusive => {
            let from = builder.binary(Opcode::ArithSubi, lane, stride);
            let front = shuffle(&mut builder, &cx, sum, "idx", from);
            let zero = word(&mut builder, 0);
            let is_first = compare(&mut builder, EQUAL, place, zero);
            select(&mut builder, is_first, identity, front)
        }
        _ => sum,
    };
    for (old, new) in ir.results(op).zip([result, total]) {
        ir.replace_uses(old, new);
    }
    ir.erase(op);
    Ok(true)
}

/// A butterfly: after the round at distance d, a lane has combined what 2d lanes hold.
fn reduce(ir: &mut Ir, op: OpId, subgroup_size: i64) -> Result<bool, Diag> {
    let Some(cx) = cluster(ir, op, subgroup_size)? else { return Ok(false) };
    let is_float = matches!(ir.ty(ir.operand(op, 0)), Type::Float(_));
    let combiner = ir.keyword_of(op, "op").and_then(|kind| Combiner::of_kind(kind, is_float));
    let Some(combiner) = combiner.filter(|_| cx.size & (cx.size - 1) == 0 && cx.stride & (cx.stride - 1) == 0) else {
        return Ok(false);
    };
    let mut sum = ir.operand(op, 0);
    let mut builder = Builder::before(ir, op);
    let mut distance = cx.stride;
    while distance < cx.size * cx.stride {
        let apart = word(&mut builder, distance);
        let other = shuffle(&mut builder, &cx, sum, "xor", apart);
        sum = builder.binary(combiner.opcode, sum, other);
        distance *= 2;
    }
    ir.replace_uses(ir.result(op, 0), sum);
    ir.erase(op);
    Ok(true)
}
