//! Named `linalg` operations: what each computes, how its loops reach its operands, and the assembly of those that
//! state a permutation, dimensions or a payload.

use super::super::lexer::Kind;
use super::super::parser::{Parser, Parts, Res};
use super::super::printer::Printer;
use super::linalg::{cast, group};
use crate::affine::{BinOp, Expr, Map};
use crate::attrs::Attr;
use crate::build::Builder;
use crate::diag::Span;
use crate::form::Shape;
use crate::ids::{AttrId, BlockId, OpId, RegionId, TypeId, ValueId};
use crate::ir::Ir;
use crate::ops::Opcode;
use crate::types::{Scalar, Type};

/// What one element of the result is.
#[derive(Clone, Copy)]
enum Payload {
    /// `out + lhs * rhs`, each taken to the type of `out` first.
    MulAdd,
    /// `out + (lhs - zero of lhs) * (rhs - zero of rhs)`, each taken to the type of `out` first.
    QuantizedMulAdd,
    /// `out op in`, for windows.
    Fold(Opcode, Opcode),
    /// `op in`
    Unary(Opcode, Opcode),
    /// `lhs op rhs`, by float and integer operation.
    Binary(Opcode, Opcode),
    /// `in * in`
    Square,
    /// `1 / in`
    Reciprocal,
    /// `in`
    In,
    /// `condition ? a : b`
    Select,
}

use Payload::{Binary, Fold, In, MulAdd, QuantizedMulAdd, Reciprocal, Select, Square, Unary};

/// A named operation: its inputs, what it computes, and its loops with the positions of each operand in letters. A
/// position `h:x` is `h * stride + x * dilation`, `h+x` is the sum. Operations without loops act on each element.
struct Named {
    opcode: Opcode,
    inputs: usize,
    payload: Payload,
    loops: &'static str,
}

const fn row(opcode: Opcode, inputs: usize, payload: Payload, loops: &'static str) -> Named {
    Named { opcode, inputs, payload, loops }
}

const MAX_POOL: Payload = Fold(Opcode::ArithMaximumf, Opcode::ArithMaxsi);
const MIN_POOL: Payload = Fold(Opcode::ArithMinimumf, Opcode::ArithMinsi);
const MAX_UNSIGNED: Payload = Fold(Opcode::ArithMaximumf, Opcode::ArithMaxui);
const MIN_UNSIGNED: Payload = Fold(Opcode::ArithMinimumf, Opcode::ArithMinui);
const SUM_POOL: Payload = Fold(Opcode::ArithAddf, Opcode::ArithAddi);

const fn float(opcode: Opcode) -> Payload {
    Unary(opcode, opcode)
}

const NAMED: &[Named] = &[
    row(Opcode::LinalgMatmul, 2, MulAdd, "m n k;m k;k n;m n"),
    row(Opcode::LinalgFill, 1, In, ""),
    row(Opcode::LinalgBatchMatmul, 2, MulAdd, "b m n k;b m k;b k n;b m n"),
    row(Opcode::LinalgBatchReduceMatmul, 2, MulAdd, "b m n k;b m k;b k n;m n"),
    row(Opcode::LinalgBatchMatvec, 2, MulAdd, "b m k;b m k;b k;b m"),
    row(Opcode::LinalgBatchVecmat, 2, MulAdd, "b n k;b k;b k n;b n"),
    row(Opcode::LinalgMatvec, 2, MulAdd, "m n;m n;n;m"),
    row(Opcode::LinalgVecmat, 2, MulAdd, "n m;m;m n;n"),
    row(Opcode::LinalgDot, 2, MulAdd, "m;m;m;"),
    row(Opcode::LinalgMmt4d, 2, MulAdd, "m n k a b c;m k a c;n k b c;m n a b"),
    row(Opcode::LinalgBatchMmt4d, 2, MulAdd, "z m n k a b c;z m k a c;z n k b c;z m n a b"),
    row(Opcode::LinalgContract, 2, MulAdd, ""),
    row(Opcode::LinalgCopy, 1, In, ""),
    row(Opcode::LinalgAbs, 1, Unary(Opcode::MathAbsf, Opcode::MathAbsi), ""),
    row(Opcode::LinalgCeil, 1, float(Opcode::MathCeil), ""),
    row(Opcode::LinalgErf, 1, float(Opcode::MathErf), ""),
    row(Opcode::LinalgExp, 1, float(Opcode::MathExp), ""),
    row(Opcode::LinalgFloor, 1, float(Opcode::MathFloor), ""),
    row(Opcode::LinalgLog, 1, float(Opcode::MathLog), ""),
    row(Opcode::LinalgNegf, 1, float(Opcode::ArithNegf), ""),
    row(Opcode::LinalgReciprocal, 1, Reciprocal, ""),
    row(Opcode::LinalgRound, 1, float(Opcode::MathRound), ""),
    row(Opcode::LinalgRsqrt, 1, float(Opcode::MathRsqrt), ""),
    row(Opcode::LinalgSqrt, 1, float(Opcode::MathSqrt), ""),
    row(Opcode::LinalgSquare, 1, Square, ""),
    row(Opcode::LinalgTanh, 1, float(Opcode::MathTanh), ""),
    row(Opcode::LinalgAdd, 2, Binary(Opcode::ArithAddf, Opcode::ArithAddi), ""),
    row(Opcode::LinalgDiv, 2, Binary(Opcode::ArithDivf, Opcode::ArithDivsi), ""),
    row(Opcode::LinalgDivUnsigned, 2, Binary(Opcode::ArithDivf, Opcode::ArithDivui), ""),
    row(Opcode::LinalgMax, 2, Binary(Opcode::ArithMaximumf, Opcode::ArithMaxsi), ""),
    row(Opcode::LinalgMin, 2, Binary(Opcode::ArithMinimumf, Opcode::ArithMinsi), ""),
    row(Opcode::LinalgMul, 2, Binary(Opcode::ArithMulf, Opcode::ArithMuli), ""),
    row(Opcode::LinalgPowf, 2, Binary(Opcode::MathPowf, Opcode::MathPowf), ""),
    row(Opcode::LinalgSelect, 3, Select, ""),
    row(Opcode::LinalgSub, 2, Binary(Opcode::ArithSubf, Opcode::ArithSubi), ""),
    row(Opcode::LinalgConv1d, 2, MulAdd, "w y;w+y;y;w"),
    row(Opcode::LinalgConv2d, 2, MulAdd, "h w x y;h+x w+y;x y;h w"),
    row(Opcode::LinalgConv3d, 2, MulAdd, "d h w z x y;d+z h+x w+y;z x y;d h w"),
    row(Opcode::LinalgConv1dNcwFcw, 2, MulAdd, "n f w c y;n c w:y;f c y;n f w"),
    row(Opcode::LinalgConv1dNwcWcf, 2, MulAdd, "n w f y c;n w:y c;y c f;n w f"),
    row(Opcode::LinalgConv2dNchwFchw, 2, MulAdd, "n f h w c x y;n c h:x w:y;f c x y;n f h w"),
    row(Opcode::LinalgConv2dNgchwFgchw, 2, MulAdd, "n g f h w c x y;n g c h:x w:y;f g c x y;n g f h w"),
    row(Opcode::LinalgConv2dNgchwGfchw, 2, MulAdd, "n g f h w c x y;n g c h:x w:y;g f c x y;n g f h w"),
    row(Opcode::LinalgConv2dNhwcFhwc, 2, MulAdd, "n h w f x y c;n h:x w:y c;f x y c;n h w f"),
    row(Opcode::LinalgConv2dNhwcHwcf, 2, MulAdd, "n h w f x y c;n h:x w:y c;x y c f;n h w f"),
    row(Opcode::LinalgConv2dNhwgcGfhwc, 2, MulAdd, "n h w g f x y c;n h:x w:y g c;g f x y c;n h w g f"),
    row(Opcode::LinalgConv3dNcdhwFcdhw, 2, MulAdd, "n f d h w c z x y;n c d:z h:x w:y;f c z x y;n f d h w"),
    row(Opcode::LinalgConv3dNdhwcDhwcf, 2, MulAdd, "n d h w f z x y c;n d:z h:x w:y c;z x y c f;n d h w f"),
    row(Opcode::LinalgDepthwiseConv1dNcwCw, 2, MulAdd, "n w c y;n c w:y;c y;n c w"),
    row(Opcode::LinalgDepthwiseConv1dNwcWc, 2, MulAdd, "n w c y;n w:y c;y c;n w c"),
    row(Opcode::LinalgDepthwiseConv1dNwcWcm, 2, MulAdd, "n w c m y;n w:y c;y c m;n w c m"),
    row(Opcode::LinalgDepthwiseConv2dNchwChw, 2, MulAdd, "n h w c x y;n c h:x w:y;c x y;n c h w"),
    row(Opcode::LinalgDepthwiseConv2dNhwcHwc, 2, MulAdd, "n h w c x y;n h:x w:y c;x y c;n h w c"),
    row(Opcode::LinalgDepthwiseConv2dNhwcHwcm, 2, MulAdd, "n h w c m x y;n h:x w:y c;x y c m;n h w c m"),
    row(Opcode::LinalgDepthwiseConv3dNdhwcDhwc, 2, MulAdd, "n d h w z x y c;n d:z h:x w:y c;z x y c;n d h w c"),
    row(Opcode::LinalgPoolingNchwMax, 2, MAX_POOL, "n c h w x y;n c h:x w:y;x y;n c h w"),
    row(Opcode::LinalgPoolingNchwSum, 2, SUM_POOL, "n c h w x y;n c h:x w:y;x y;n c h w"),
    row(Opcode::LinalgDepthwiseConv3dNcdhwCdhw, 2, MulAdd, "n d h w z x y c;n c d:z h:x w:y;c z x y;n c d h w"),
    row(Opcode::LinalgDepthwiseConv3dNdhwcDhwcm, 2, MulAdd, "n d h w m z x y c;n d:z h:x w:y c;z x y c m;n d h w c m"),
    row(Opcode::LinalgQuantizedMatmul, 4, QuantizedMulAdd, "m n k;m k;k n;;;m n"),
    row(Opcode::LinalgQuantizedBatchMatmul, 4, QuantizedMulAdd, "b m n k;b m k;b k n;;;b m n"),
    row(Opcode::LinalgConv2dNchwFchwQ, 4, QuantizedMulAdd, "n f h w c x y;n c h:x w:y;f c x y;;;n f h w"),
    row(Opcode::LinalgConv2dNgchwGfchwQ, 4, QuantizedMulAdd, "n g f h w c x y;n g c h:x w:y;g f c x y;;;n g f h w"),
    row(Opcode::LinalgConv2dNhwcFhwcQ, 4, QuantizedMulAdd, "n h w f x y c;n h:x w:y c;f x y c;;;n h w f"),
    row(Opcode::LinalgConv2dNhwcHwcfQ, 4, QuantizedMulAdd, "n h w f x y c;n h:x w:y c;x y c f;;;n h w f"),
    row(Opcode::LinalgConv2dNhwgcGfhwcQ, 4, QuantizedMulAdd, "n h w g f x y c;n h:x w:y g c;g f x y c;;;n h w g f"),
    row(Opcode::LinalgConv3dNdhwcDhwcfQ, 4, QuantizedMulAdd, "n d h w f z x y c;n d:z h:x w:y c;z x y c f;;;n d h w f"),
    row(Opcode::LinalgDepthwiseConv2dNhwcHwcQ, 4, QuantizedMulAdd, "n h w c x y;n h:x w:y c;x y c;;;n h w c"),
    row(Opcode::LinalgDepthwiseConv2dNhwcHwcmQ, 4, QuantizedMulAdd, "n h w c m x y;n h:x w:y c;x y c m;;;n h w c m"),
    row(Opcode::LinalgPoolingNdhwcMax, 2, MAX_POOL, "n d h w c z x y;n d:z h:x w:y c;z x y;n d h w c"),
    row(Opcode::LinalgPoolingNdhwcMin, 2, MIN_POOL, "n d h w c z x y;n d:z h:x w:y c;z x y;n d h w c"),
    row(Opcode::LinalgPoolingNdhwcSum, 2, SUM_POOL, "n d h w c z x y;n d:z h:x w:y c;z x y;n d h w c"),
    row(Opcode::LinalgPoolingNhwcMaxUnsigned, 2, MAX_UNSIGNED, "n h w c x y;n h:x w:y c;x y;n h w c"),
    row(Opcode::LinalgPoolingNhwcMinUnsigned, 2, MIN_UNSIGNED, "n h w c x y;n h:x w:y c;x y;n h w c"),
    row(Opcode::LinalgPoolingNwcMaxUnsigned, 2, MAX_UNSIGNED, "n w c y;n w:y c;y;n w c"),
    row(Opcode::LinalgPoolingNwcMinUnsigned, 2, MIN_UNSIGNED, "n w c y;n w:y c;y;n w c"),
    row(Opcode::LinalgPoolingNcwMax, 2, MAX_POOL, "n c w y;n c w:y;y;n c w"),
    row(Opcode::LinalgPoolingNcwSum, 2, SUM_POOL, "n c w y;n c w:y;y;n c w"),
    row(Opcode::LinalgPoolingNhwcMax, 2, MAX_POOL, "n h w c x y;n h:x w:y c;x y;n h w c"),
    row(Opcode::LinalgPoolingNhwcMin, 2, MIN_POOL, "n h w c x y;n h:x w:y c;x y;n h w c"),
    row(Opcode::LinalgPoolingNhwcSum, 2, SUM_POOL, "n h w c x y;n h:x w:y c;x y;n h w c"),
    row(Opcode::LinalgPoolingNwcMax, 2, MAX_POOL, "n w c y;n w:y c;y;n w c"),
    row(Opcode::LinalgPoolingNwcMin, 2, MIN_POOL, "n w c y;n w:y c;y;n w c"),
    row(Opcode::LinalgPoolingNwcSum, 2, SUM_POOL, "n w c y;n w:y c;y;n w c"),
];

fn named(opcode: Opcode) -> Option<&'static Named> {
    // Every operation is asked, and most have a format.
    if opcode.info().form.format.is_empty() { NAMED.iter().find(|row| row.opcode == opcode) } else { None }
}

/// Whether custom assembly leaves out the operation's region.
pub(crate) fn is_named(opcode: Opcode) -> bool {
    opcode == Opcode::LinalgElementwise || named(opcode).is_some()
}

/// The kinds of `linalg.elementwise`.
const ELEMENTWISE: &[(&str, usize, Payload)] = &[
    ("exp", 1, float(Opcode::MathExp)),
    ("log", 1, float(Opcode::MathLog)),
    ("abs", 1, Unary(Opcode::MathAbsf, Opcode::MathAbsi)),
    ("ceil", 1, float(Opcode::MathCeil)),
    ("floor", 1, float(Opcode::MathFloor)),
    ("negf", 1, float(Opcode::ArithNegf)),
    ("reciprocal", 1, Reciprocal),
    ("round", 1, float(Opcode::MathRound)),
    ("sqrt", 1, float(Opcode::MathSqrt)),
    ("rsqrt", 1, float(Opcode::MathRsqrt)),
    ("square", 1, Square),
    ("tanh", 1, float(Opcode::MathTanh)),
    ("erf", 1, float(Opcode::MathErf)),
    ("add", 2, Binary(Opcode::ArithAddf, Opcode::ArithAddi)),
    ("sub", 2, Binary(Opcode::ArithSubf, Opcode::ArithSubi)),
    ("mul", 2, Binary(Opcode::ArithMulf, Opcode::ArithMuli)),
    ("div", 2, Binary(Opcode::ArithDivf, Opcode::ArithDivsi)),
    ("div_unsigned", 2, Binary(Opcode::ArithDivf, Opcode::ArithDivui)),
    ("max_signed", 2, Binary(Opcode::ArithMaximumf, Opcode::ArithMaxsi)),
    ("min_signed", 2, Binary(Opcode::ArithMinimumf, Opcode::ArithMinsi)),
    ("max_unsigned", 2, Binary(Opcode::ArithMaximumf, Opcode::ArithMaxui)),
    ("min_unsigned", 2, Binary(Opcode::ArithMinimumf, Opcode::ArithMinui)),
    ("powf", 2, Binary(Opcode::MathPowf, Opcode::MathPowf)),
    ("select", 3, Select),
];

/// What an operation computes, and its number of inputs.
fn payload(ir: &Ir, opcode: Opcode, kind: Option<AttrId>) -> Option<(usize, Payload)> {
    if opcode == Opcode::LinalgElementwise {
        let word = ir.keyword(kind?)?;
        return ELEMENTWISE.iter().find(|row| row.0 == word).map(|row| (row.1, row.2));
    }
    named(opcode).map(|row| (row.inputs, row.payload))
}

/// The maps that the name of an operation means; `None` where it acts on each element. `strides` and `dilations` are 1
/// where they are not given.
pub(crate) fn maps(opcode: Opcode, strides: &[i64], dilations: &[i64]) -> Option<Vec<Map>> {
    let mut lists = named(opcode)?.loops.split(';');
    let loops: Vec<&str> = lists.next().filter(|loops| !loops.is_empty())?.split(' ').collect();
    let dim = |letter: &str| {
        let at = loops.iter().position(|other| *other == letter);
        Expr::Dim(at.expect("positions are made of loops") as u32)
    };
    let factor = |list: &[i64], i: usize| Expr::Const(list.get(i).copied().unwrap_or(1));
    let map = |list: &str| {
        let mut window = 0;
        let result = |position: &str| {
            if let Some((a, b)) = position.split_once('+') {
                return Expr::binary(BinOp::Add, dim(a), dim(b));
            }
            let Some((a, b)) = position.split_once(':') else { return dim(position) };
            let a = Expr::binary(BinOp::Mul, dim(a), factor(strides, window));
            let b = Expr::binary(BinOp::Mul, dim(b), factor(dilations, window));
            window += 1;
            Expr::binary(BinOp::Add, a, b)
        };
        let results = list.split(' ').filter(|position| !position.is_empty()).map(result).collect();
        Map { dims: loops.len() as u32, syms: 0, results }
    };
    Some(lists.map(map).collect())
}

/// The maps that MLIR stores with an operation whose name means them, for the generic form.
pub(crate) fn remembered_maps(ir: &Ir, op: OpId) -> Option<Vec<Map>> {
    let opcode = ir.opcode(op);
    if named(opcode).is_none() || Shape::of(opcode).inherent("indexing_maps").is_some() {
        return None;
    }
    if matches!(opcode, Opcode::LinalgGeneric | Opcode::LinalgFill | Opcode::LinalgMatmul) {
        return None;
    }
    let numbers = |name: &str| match ir.attr(op, name) {
        Some(Attr::Dense { splat, bytes, ty }) => {
            let count = ir[*ty].shape().map_or(0, |shape| shape.iter().product::<i64>()).clamp(0, 8) as usize;
            let words: Vec<i64> =
                bytes.chunks_exact(8).map(|word| i64::from_le_bytes(word.try_into().unwrap_or_default())).collect();
            if *splat { vec![words.first().copied().unwrap_or(1); count] } else { words }
        }
        _ => Vec::new(),
    };
    maps(opcode, &numbers("strides"), &numbers("dilations"))
}

/// The maps that the name of an operation with loops of its own means.
pub(crate) fn meant_maps(opcode: Opcode) -> Option<Vec<Map>> {
    maps(opcode, &[], &[])
}

/// The number of dimensions of the windows that an operation slides over its input.
pub(crate) fn n_windows(opcode: Opcode) -> usize {
    named(opcode).map_or(0, |row| row.loops.matches(':').count())
}

/// The number of inputs of a named operation.
pub(crate) fn arity(ir: &Ir, op: OpId) -> Option<usize> {
    payload(ir, ir.opcode(op), ir.attr_id(op, "kind")).map(|(inputs, _)| inputs)
}

/// Puts the maps that a named operation means where it may state others, and checks the number of operands.
pub(super) fn complete(
    p: &mut Parser<'_, '_>,
    opcode: Opcode,
    parts: &mut Parts,
    n_inputs: usize,
    types: &[TypeId],
) -> Result<(), String> {
    let kind = p.got(parts, "kind");
    let Some((inputs, _)) = payload(p.ir, opcode, kind) else {
        return Err(format!("`{}` has no such `kind`", opcode.name()));
    };
    if n_inputs != inputs || types.len() != inputs + 1 {
        let (least, found) = (inputs + 1, types.len());
        return Err(format!(
            "`{}` takes {inputs} inputs and 1 output: region expects {least} args, got {found}",
            opcode.name()
        ));
    }
    let may_state = Shape::of(opcode).inherent("indexing_maps").is_some();
    if !may_state || p.got(parts, "indexing_maps").is_some() {
        return Ok(());
    }
    match stated(p.ir, opcode, types) {
        Some(meant) => p.put(parts, "indexing_maps", meant),
        None => return Err(format!("`{}` expected 'indexing_maps' attribute", opcode.name())),
    }
    Ok(())
}

/// The maps that the name of an operation on such operands means, as an attribute.
fn stated(ir: &mut Ir, opcode: Opcode, types: &[TypeId]) -> Option<AttrId> {
    let meant = match maps(opcode, &[], &[]) {
        Some(maps) => maps,
        None if opcode == Opcode::LinalgElementwise => {
            let rank = ir[*types.last()?].shape().map_or(0, <[i64]>::len);
            vec![Map::of_dims(rank, &(0..rank).collect::<Vec<_>>()); types.len()]
        }
        None => return None,
    };
    let meant = meant.into_iter().map(|map| ir.intern(Attr::Map(map))).collect();
    Some(ir.intern(Attr::Array(meant)))
}

/// Gives a named operation that was built what its name means: maps where it may state others, and the region. One whose
/// operands do not fit the name stays without, and the verifier says so.
pub(crate) fn finish(ir: &mut Ir, op: OpId) {
    let opcode = ir.opcode(op);
    let [kind, cast] = ["kind", "cast"].map(|name| ir.attr_id(op, name));
    let types: Vec<TypeId> = ir.operands(op).iter().map(|&value| ir.type_of(value)).collect();
    let elems: Vec<TypeId> = ir.operands(op).iter().map(|&value| ir.elem_of(value)).collect();
    let n_inputs = payload(ir, opcode, kind).map(|(inputs, _)| inputs);
    if n_inputs != elems.len().checked_sub(1) || !acts_on(ir, opcode, kind, &elems) {
        return;
    }
    if Shape::of(opcode).inherent("indexing_maps").is_some()
        && ir.attr_id(op, "indexing_maps").is_none()
        && let Some(meant) = stated(ir, opcode, &types)
    {
        ir.set_attr(op, "indexing_maps", meant);
    }
    build(ir, opcode, [kind, cast], op, &elems, ir.span(op));
}

/// Whether an operation states the maps that its name means anyway.
pub(super) fn states_meant_maps(ir: &Ir, op: OpId) -> bool {
    let Some(found) = ir.maps(op, "indexing_maps") else { return false };
    match maps(ir.opcode(op), &[], &[]) {
        Some(meant) => found == meant,
        None => ir.opcode(op) == Opcode::LinalgElementwise && found.iter().all(Map::is_identity),
    }
}

/// What an operation on floats is on complex numbers.
fn complex(opcode: Opcode) -> Option<Opcode> {
    Some(match opcode {
        Opcode::ArithAddf => Opcode::ComplexAdd,
        Opcode::ArithSubf => Opcode::ComplexSub,
        Opcode::ArithMulf => Opcode::ComplexMul,
        Opcode::ArithDivf => Opcode::ComplexDiv,
        _ => return None,
    })
}

/// Whether a named operation acts on such elements: numbers, or complex numbers of one type where it has a counterpart
/// on these.
pub(super) fn acts_on(ir: &Ir, opcode: Opcode, kind: Option<AttrId>, elems: &[TypeId]) -> bool {
    let Some((_, payload)) = payload(ir, opcode, kind) else { return false };
    if elems.iter().all(|&elem| Scalar::of(&ir[elem]).is_some()) {
        // Neither floats nor truth values are compared as numbers without a sign.
        let unsigned = matches!(payload, Fold(_, Opcode::ArithMaxui | Opcode::ArithMinui));
        let counts = |elem: &TypeId| !matches!(ir[*elem], Type::Float(_) | Type::Integer { width: 1, .. });
        return !unsigned || elems.last().is_some_and(counts);
    }
    let alike = elems.iter().all(|&elem| elem == elems[0]);
    alike
        && match payload {
            // Any element goes where one of its type is.
            In => true,
            _ if !matches!(ir[elems[0]], Type::Complex(_)) => false,
            MulAdd | Square => true,
            Binary(float, _) | Fold(float, _) => complex(float).is_some(),
            Unary(..) | QuantizedMulAdd | Reciprocal | Select => false,
        }
}

/// Builds the region of a named operation from the types of its operands.
pub(super) fn build(
    ir: &mut Ir,
    opcode: Opcode,
    [kind, how]: [Option<AttrId>; 2],
    op: OpId,
    elems: &[TypeId],
    span: Span,
) {
    let Some((_, payload)) = payload(ir, opcode, kind) else { return };
    let unsigned = matches!(payload, Fold(_, Opcode::ArithMaxui | Opcode::ArithMinui))
        || how.is_some_and(|how| ir.keyword(how) == Some("cast_unsigned"));
    let cast = |ir: &mut Ir, block, value, to, span| cast(ir, block, value, to, !unsigned, span);
    let region = ir.add_region(op);
    let block = ir.add_block(region, elems);
    let args = ir.args(block).to_vec();
    let acc = elems[elems.len() - 1];
    let (is_float, is_complex) = (matches!(ir[acc], Type::Float(_)), matches!(ir[acc], Type::Complex(_)));
    let pick = |float: Opcode, int: Opcode| match complex(float).filter(|_| is_complex) {
        Some(complex) => complex,
        None if is_float => float,
        None => int,
    };
    let result = match payload {
        MulAdd => {
            let lhs = cast(ir, block, args[0], acc, span);
            let rhs = cast(ir, block, args[1], acc, span);
            let (mul, add) = match ir[acc] {
                Type::Float(_) => (Opcode::ArithMulf, Opcode::ArithAddf),
                Type::Complex(_) => (Opcode::ComplexMul, Opcode::ComplexAdd),
                Type::Integer { width: 1, .. } => (Opcode::ArithAndi, Opcode::ArithOri),
                _ => (Opcode::ArithMuli, Opcode::ArithAddi),
            };
            let product = Builder::at_end(ir, block, span).binary(mul, lhs, rhs);
            Builder::at_end(ir, block, span).binary(add, args[args.len() - 1], product)
        }
        QuantizedMulAdd => {
            let mut above_zero = |value: usize, zero: usize| {
                let value = cast(ir, block, args[value], acc, span);
                let zero = cast(ir, block, args[zero], acc, span);
                Builder::at_end(ir, block, span).binary(pick(Opcode::ArithSubf, Opcode::ArithSubi), value, zero)
            };
            let (lhs, rhs) = (above_zero(0, 2), above_zero(1, 3));
            let product = Builder::at_end(ir, block, span).binary(pick(Opcode::ArithMulf, Opcode::ArithMuli), lhs, rhs);
            Builder::at_end(ir, block, span).binary(pick(Opcode::ArithAddf, Opcode::ArithAddi), args[4], product)
        }
        Fold(float, int) => {
            let value = cast(ir, block, args[0], acc, span);
            Builder::at_end(ir, block, span).binary(pick(float, int), args[args.len() - 1], value)
        }
        Unary(float, int) => Builder::at_end(ir, block, span).value(pick(float, int), &[args[0]], elems[0], &[]),
        Binary(float, int) => Builder::at_end(ir, block, span).binary(pick(float, int), args[0], args[1]),
        Square => Builder::at_end(ir, block, span).binary(pick(Opcode::ArithMulf, Opcode::ArithMuli), args[0], args[0]),
        Reciprocal => {
            let mut builder = Builder::at_end(ir, block, span);
            let one = builder.float(1.0, elems[0]);
            builder.binary(Opcode::ArithDivf, one, args[0])
        }
        In => cast(ir, block, args[0], acc, span),
        Select => {
            let operands = [args[0], args[1], args[2]];
            Builder::at_end(ir, block, span).value(Opcode::ArithSelect, &operands, elems[1], &[])
        }
    };
    Builder::at_end(ir, block, span).op(Opcode::LinalgYield, &[result], &[], &[]);
}

// ---- transpose, broadcast, reduce, map

fn elems(ir: &Ir, types: &[TypeId]) -> Vec<TypeId> {
    types.iter().map(|&ty| ir[ty].elem().unwrap_or(ty)).collect()
}

fn list_name(opcode: Opcode) -> Option<&'static str> {
    match opcode {
        Opcode::LinalgTranspose => Some("permutation"),
        Opcode::LinalgBroadcast | Opcode::LinalgReduce => Some("dimensions"),
        _ => None,
    }
}

/// `{ arith.addf } ins(…) outs(…) dimensions = [1] {…} (%in: f32, %out: f32) { … }`; either the payload's name stands
/// in front, or the region behind; permutations and broadcasts have neither.
pub(super) fn read_shaped(p: &mut Parser<'_, '_>, opcode: Opcode, op: OpId) -> Res<()> {
    let span = p.tok.span();
    let mut parts = p.parts();
    let mut short = None;
    if p.at(b'{') {
        p.bump();
        let tok = p.tok;
        let name = p.word("an operation such as `arith.addf`")?;
        let mut inner = p.parts();
        p.attr_dict(&mut inner)?;
        p.expect(b'}')?;
        let Some(found) = Opcode::from_name(name) else {
            return Err(p.error(tok.span(), format!("`{name}` is not an operation that raddle knows")));
        };
        let attrs = p.dict_attr(&mut inner.attrs)?;
        short = Some((found, attrs));
    }
    let (inputs, input_types, in_span) = group(p, "ins")?;
    let (outputs, output_types, out_span) = group(p, "outs")?;
    p.resolve_each(&inputs, &input_types, in_span, &mut parts.operands)?;
    p.resolve_each(&outputs, &output_types, out_span, &mut parts.operands)?;
    let alone = opcode != Opcode::LinalgReduce;
    if outputs.is_empty() || alone && outputs.len() > 1 || opcode != Opcode::LinalgMap && inputs.is_empty() {
        let found = inputs.len() + outputs.len();
        let wanted = match opcode {
            Opcode::LinalgMap => "1 or more",
            Opcode::LinalgReduce => "2 or more",
            _ => "2",
        };
        let at = if found == 0 { p.ir.span(op) } else { out_span };
        return Err(p.error(at, format!("'{}' op expected {wanted} operands, but found {found}", opcode.name())));
    }
    if let Some(list) = list_name(opcode) {
        p.expect_word(list)?;
        p.expect(b'=')?;
        let numbers = p.list(b'[', b']', |p| p.int("an integer"))?;
        let numbers = p.ir.dense_i64(&numbers);
        p.put(&mut parts, list, numbers);
    }
    p.attr_dict(&mut parts)?;
    let types = [input_types.clone(), output_types.clone()].concat();
    let elems = elems(p.ir, &types);
    parts.results.extend(output_types.iter().filter(|&&ty| matches!(p.ir[ty], Type::Tensor { .. })));
    match (opcode, short) {
        (Opcode::LinalgTranspose | Opcode::LinalgBroadcast, _) => {
            let block = fresh_body(p.ir, op, &elems);
            let arg = p.ir.args(block)[0];
            Builder::at_end(p.ir, block, span).op(Opcode::LinalgYield, &[arg], &[], &[]);
        }
        (_, Some((found, attrs))) => {
            let block = fresh_body(p.ir, op, &elems);
            let args = p.ir.args(block).to_vec();
            // A reduction combines what it has with what comes; a map takes its inputs only.
            let operands: Vec<ValueId> = if opcode == Opcode::LinalgReduce {
                let (ins, inits) = args.split_at(inputs.len());
                inits.iter().chain(ins).copied().collect()
            } else {
                args[..inputs.len()].to_vec()
            };
            let result = elems[elems.len() - 1];
            let name = found.name();
            let payload = p.ir.create_named(name, &operands, &[result], attrs, span);
            p.ir.append(block, payload);
            let result = p.ir.result(payload, 0);
            Builder::at_end(p.ir, block, span).op(Opcode::LinalgYield, &[result], &[], &[]);
        }
        (_, None) => {
            let args = p.arguments(b'(', b')')?;
            p.region(op, &args)?;
        }
    }
    p.finish(op, parts)
}

fn fresh_body(ir: &mut Ir, op: OpId, elems: &[TypeId]) -> BlockId {
    let region: RegionId = ir.add_region(op);
    ir.add_block(region, elems)
}

/// The one operation that a body consists of, when custom assembly can name it.
fn short_payload(ir: &Ir, op: OpId, n_inputs: usize) -> Option<OpId> {
    let block = ir.body(op, 0)?;
    let ops = ir.ops_of(block);
    let &[payload, end] = &ops[..] else { return None };
    let args = ir.args(block);
    let expected: Vec<ValueId> = if ir.opcode(op) == Opcode::LinalgReduce {
        // One input and one output only.
        if args.len() != 2 {
            return None;
        }
        vec![args[1], args[0]]
    } else {
        args[..n_inputs].to_vec()
    };
    let yields = ir.operands(end).len() == 1 && ir.def_op(ir.operand(end, 0)) == Some(payload);
    let plain = ir.regions(payload).is_empty() && ir.results(payload).len() == 1;
    (yields && plain && ir.operands(payload) == expected).then_some(payload)
}

pub(super) fn write_shaped(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    let opcode = ir.opcode(op);
    let operands = ir.operands(op);
    let n_outputs = if opcode == Opcode::LinalgReduce { operands.len() / 2 } else { 1 };
    let n_inputs = operands.len() - n_outputs;
    let payload = match list_name(opcode) {
        Some("permutation") => None,
        _ if opcode == Opcode::LinalgBroadcast => None,
        _ => short_payload(ir, op, n_inputs),
    };
    if let Some(payload) = payload {
        p.out.push_str(&format!(" {{ {}", ir.name(payload)));
        p.attr_dict(payload, &[]);
        p.out.push_str(" }");
    }
    for (word, values) in [("ins", &operands[..n_inputs]), ("outs", &operands[n_inputs..])] {
        if values.is_empty() && word == "ins" {
            continue;
        }
        p.out.push_str(&format!(" {word}("));
        p.values(values);
        p.out.push_str(" : ");
        p.types_of(values.iter().copied());
        p.out.push(')');
    }
    let mut elided = vec![];
    if let Some(list) = list_name(opcode) {
        let numbers = super::ints(p, op, list);
        p.out.push_str(&format!(" {list} = {numbers:?} "));
        elided.push(list);
    }
    p.attr_dict(op, &elided);
    let has_region = matches!(opcode, Opcode::LinalgReduce | Opcode::LinalgMap) && payload.is_none();
    if has_region && let Some(block) = ir.body(op, 0) {
        p.deeper(|p| {
            p.newline();
            p.out.push('(');
            for (i, &arg) in ir.args(block).iter().enumerate() {
                if i > 0 {
                    p.out.push_str(", ");
                }
                p.value(arg);
                p.out.push_str(": ");
                p.ty(ir.type_of(arg));
            }
            p.out.push_str(") ");
            p.region(ir.regions(op)[0], false, true);
        });
    }
}

/// `kind=#linalg.elementwise_kind<add>` and the like, in front of the operands.
pub(super) fn read_leading(p: &mut Parser<'_, '_>, parts: &mut Parts) -> Res<()> {
    while p.tok.kind == Kind::Word && matches!(p.text(p.tok), "indexing_maps" | "cast" | "kind") {
        let name = p.word("an attribute")?;
        p.expect(b'=')?;
        let value = p.attr()?;
        p.put(parts, name, value);
        if !p.eat(b',') && !matches!(p.text(p.tok), "indexing_maps" | "cast" | "kind") {
            break;
        }
    }
    Ok(())
}
