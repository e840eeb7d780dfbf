//! Products of quantized factors: they multiply integers, as matrix instructions do.
//!
//! Before: `%a = dequantize_affine ins(%p, %s, %z)`, `%b = dequantize_affine ins(%q, %t)`, and `acc + a * b`
//! After:  `sum + (p - z) * q` in `i32`, and behind it `acc + sum * s * t`
//!
//! Sums of integers are exact, where those of floats round. What stands between a factor and its product (padding with
//! zeros, reshapes, transposes, repetitions) moves the integers instead; padding is the zero point then. A scale or a zero
//! point for each channel is read along the loops that count channels.
//!
//! Does not touch a product of which a scale differs along the sums, or whose sums may leave `i32`.

use raddle_ir::affine::BinOp;
use raddle_ir::views::{Linalg, Mixed, SliceView, unmixed};
use raddle_ir::{Attr, Builder, DYNAMIC, Expr, Float, Ir, Map, OpId, Opcode, Scalar, TypeId, ValueId};

use super::{flag, to_float, to_int};
use crate::structured::generalize::{body_of, copy_along, generic};
use crate::structured::moves::{groups, padding, padding_constant};
use crate::structured::sizes::mixed_extent;
use crate::structured::{body, fill};

/// Bits of the integers whose products are summed in `i32`.
const BITS_MAX: u32 = 8;

/// A tensor that was dequantized, and what moved it since.
struct Factor {
    dequantize: OpId,
    /// The first one reads what was dequantized.
    moves: Vec<OpId>,
    integers: Scalar,
    /// Where the scale and the zero point lie along the dimensions of the tensor.
    scale: Part,
    zero: Option<Part>,
}

/// A number, or a tensor and where it is read.
#[derive(Clone)]
struct Part {
    value: ValueId,
    at: Vec<Expr>,
}

/// Lets a product of two dequantized factors multiply the integers.
pub(super) fn rewrite(ir: &mut Ir, op: OpId) -> Option<()> {
    let linalg = Linalg::try_of(ir, op).filter(|_| body::is_contraction(ir, op))?;
    let &[output] = &linalg.outputs[..] else { return None };
    let is_float = matches!(Scalar::of(&ir[ir.elem_of(output)]), Some(Scalar::Float(_)));
    if !ir.ty(output).is_tensor() || !is_float {
        return None;
    }
    let factors = [Factor::of(ir, linalg.inputs[0])?, Factor::of(ir, linalg.inputs[1])?];
    if !sums_fit(ir, &linalg, &factors) {
        return None;
    }
    // Scales are read along the loops of the result, zero points along all.
    let loops = linalg.maps[2].as_dims()?;
    let along_loops = |factor: usize, part: &Part| -> Option<Part> {
        let at = part.at.iter().map(|place| place.replaced(&linalg.maps[factor].results, &[]));
        let at: Vec<Expr> = at.collect();
        let is_summed = |place: &Expr| place.names(&|d| !loops.contains(&d));
        (!at.iter().any(is_summed)).then_some(Part { value: part.value, at })
    };
    let scales = [along_loops(0, &factors[0].scale)?, along_loops(1, &factors[1].scale)?];
    let mut zeros = [None, None];
    for (i, factor) in factors.iter().enumerate() {
        if let Some(zero) = &factor.zero {
            zeros[i] = Some(along_loops(i, zero)?);
        }
    }
    let result = ir.results(op).next()?;
    let builder = &mut Builder::before(ir, op);
    let sum = sums(builder, &linalg, &factors, &zeros);
    // In the numbers of the result's dimensions.
    let places: Vec<Expr> = (0..linalg.reduction.len())
        .map(|d| Expr::Dim(loops.iter().position(|&other| other == d).unwrap_or_default() as u32))
        .collect();
    let scales = scales.map(|part| {
        let at = part.at.iter().map(|place| place.replaced(&places, &[])).collect();
        Part { value: part.value, at }
    });
    let whole = scaled(builder, sum, output, &scales);
    ir.replace_uses(result, whole);
    ir.erase(op);
    Some(())
}

/// The sums of products of integers, as a tensor of `i32` that has the shape of the product's result.
fn sums(builder: &mut Builder<'_>, linalg: &Linalg, factors: &[Factor; 2], zeros: &[Option<Part>; 2]) -> ValueId {
    let (output, n_loops) = (linalg.outputs[0], linalg.reduction.len());
    let word = builder.ir.int_type(32);
    let mut inputs: Vec<ValueId> = factors.iter().map(|factor| factor.moved(builder)).collect();
    let mut maps = linalg.maps[..2].to_vec();
    for (zero, factor) in zeros.iter().zip(factors) {
        if let Some(Part { value, at }) = zero
            && factor.stated_zero(builder.ir).is_none()
        {
            inputs.push(words(builder, *value, factor.zero_is_unsigned(builder.ir)));
            maps.push(Map { dims: n_loops as u32, syms: 0, results: at.clone() });
        }
    }
    maps.push(linalg.maps[2].clone());
    let empty = empty_like(builder, output, word);
    let none = builder.int(0, word);
    let outputs = vec![fill(builder, none, empty)];
    let elems: Vec<TypeId> = inputs.iter().chain(&outputs).map(|&value| Linalg::elem(builder.ir, value)).collect();
    let product = generic(builder, &Linalg { inputs, outputs, maps, reduction: linalg.reduction.clone() }, &[]);
    body_of(builder, product, &elems, |b, args| {
        let (&acc, inputs) = args.split_last().expect("there is an output");
        let mut read = inputs[2..].iter();
        let [x, y] = [0, 1].map(|i| {
            let number = to_int(b, inputs[i], word, factors[i].is_unsigned(b.ir));
            let zero = match factors[i].stated_zero(b.ir) {
                Some(zero) => Some(b.int(zero, word)),
                None => zeros[i].as_ref().and_then(|_| read.next().copied()),
            };
            zero.map_or(number, |zero| b.binary(Opcode::ArithSubi, number, zero))
        });
        let product = b.binary(Opcode::ArithMuli, x, y);
        vec![b.binary(Opcode::ArithAddi, acc, product)]
    });
    builder.ir.result(product, 0)
}

/// `init + sum * scale * scale`, which is computed in `f32` at least.
fn scaled(builder: &mut Builder<'_>, sum: ValueId, init: ValueId, scales: &[Part; 2]) -> ValueId {
    let (rank, elem) = (builder.ir.shape_of(init).len(), builder.ir.elem_of(init));
    let inputs = vec![sum, scales[0].value, scales[1].value, init];
    let elems: Vec<TypeId> = inputs.iter().map(|&value| Linalg::elem(builder.ir, value)).chain([elem]).collect();
    let is_wide = elems[1..].iter().any(|&ty| builder.ir[ty] == raddle_ir::Type::Float(Float::F64));
    let wide = builder.ir.float_type(if is_wide { Float::F64 } else { Float::F32 });
    let read = |part: &Part| Map { dims: rank as u32, syms: 0, results: part.at.clone() };
    let whole = Map::identity(rank);
    let maps = vec![whole.clone(), read(&scales[0]), read(&scales[1]), whole.clone(), whole];
    let outputs = vec![empty_like(builder, init, elem)];
    let op = generic(builder, &Linalg { inputs, outputs, maps, reduction: vec![false; rank] }, &[]);
    body_of(builder, op, &elems, |b, args| {
        let mut number = to_float(b, args[0], wide, false);
        for &scale in &args[1..3] {
            let scale = to_float(b, scale, wide, false);
            number = b.binary(Opcode::ArithMulf, number, scale);
        }
        let number = to_float(b, number, elem, false);
        vec![b.binary(Opcode::ArithAddf, args[3], number)]
    });
    builder.ir.result(op, 0)
}

/// Whether no sum leaves `i32`.
fn sums_fit(ir: &Ir, linalg: &Linalg, factors: &[Factor; 2]) -> bool {
    let extents = linalg.extents(ir);
    let summed = (0..extents.len()).filter(|&d| linalg.reduction[d]).map(|d| extents[d]);
    let greatest = factors[0].greatest(ir) * factors[1].greatest(ir);
    let all = summed.clone().fold(greatest, |all, extent| all.saturating_mul(extent.max(1)));
    !summed.into_iter().any(|extent| extent == DYNAMIC) && all <= i64::from(i32::MAX)
}

impl Factor {
    fn of(ir: &Ir, value: ValueId) -> Option<Factor> {
        let op = ir.def_op(value)?;
        if ir.opcode(op) != Opcode::IreeLinalgExtDequantizeAffine {
            let (from, places) = moved(ir, op)?;
            let mut factor = Factor::of(ir, from)?;
            let through = |part: &mut Part| -> Option<()> {
                for place in &mut part.at {
                    let is_lost = |d: usize| places[d].is_none();
                    if place.names(&is_lost) {
                        return None;
                    }
                    let all: Vec<Expr> = places.iter().map(|at| at.clone().unwrap_or(Expr::Const(0))).collect();
                    *place = place.replaced(&all, &[]).simplified();
                }
                Some(())
            };
            through(&mut factor.scale)?;
            if let Some(zero) = &mut factor.zero {
                through(zero)?;
            }
            // Padding of integers is one number.
            let is_one = factor.zero.is_none() || factor.stated_zero(ir).is_some();
            factor.moves.push(op);
            return (ir.opcode(op) != Opcode::TensorPad || is_one).then_some(factor);
        }
        let maps = ir.maps(op, "indexing_maps")?;
        let operands = ir.operands(op);
        let is_tensor = ir.ty(operands[0]).is_tensor();
        let integers = Scalar::of(&ir[Linalg::elem(ir, operands[0])])?;
        let is_plain = maps[0].is_identity() && maps.last()?.is_identity() && is_tensor;
        if !is_plain || integers.bits() > BITS_MAX {
            return None;
        }
        let part = |i: usize| Part { value: operands[i], at: maps[i].results.clone() };
        let mut factor = Factor { dequantize: op, moves: Vec::new(), integers, scale: part(1), zero: None };
        if operands.len() == 4 && !is_zero(ir, operands[2]) {
            factor.zero = Some(part(2));
        }
        Some(factor)
    }

    fn is_unsigned(&self, ir: &Ir) -> bool {
        flag(ir, self.dequantize, "input_unsigned")
    }

    fn zero_is_unsigned(&self, ir: &Ir) -> bool {
        flag(ir, self.dequantize, "zp_unsigned")
    }

    /// The zero point, if it is one number that the program states.
    fn stated_zero(&self, ir: &Ir) -> Option<i64> {
        let zero = self.zero.as_ref()?.value;
        let bits = Scalar::of(&ir[ir.type_of(zero)])?.bits();
        let stated = ir.const_int(zero)?;
        let is_negative = self.zero_is_unsigned(ir) && stated < 0 && bits < 64;
        Some(if is_negative { stated + (1 << bits) } else { stated })
    }

    /// The greatest absolute value of an integer less its zero point, which is taken to be one of the integers.
    fn greatest(&self, ir: &Ir) -> i64 {
        let bits = self.integers.bits();
        let [low, high]: [i64; 2] =
            if self.is_unsigned(ir) { [0, (1 << bits) - 1] } else { [-(1 << (bits - 1)), (1 << (bits - 1)) - 1] };
        match (self.stated_zero(ir), &self.zero) {
            (Some(zero), _) => low.abs_diff(zero).max(high.abs_diff(zero)).try_into().unwrap_or(i64::MAX),
            (None, Some(_)) => high - low,
            (None, None) => low.abs().max(high),
        }
    }

    /// The integers, moved as their numbers are.
    fn moved(&self, builder: &mut Builder<'_>) -> ValueId {
        let mut value = builder.ir.operand(self.dequantize, 0);
        let elem = builder.ir.elem_of(value);
        for &op in &self.moves {
            let old = builder.ir.result(op, 0);
            value = match builder.ir.opcode(op) {
                Opcode::TensorPad => {
                    let zero = self.stated_zero(builder.ir).unwrap_or(0);
                    let new = again(builder, op, value, elem);
                    let rank = builder.ir.shape_of(old).len();
                    let (region, index) = (builder.ir.add_region(new), builder.ir.index_type());
                    let block = builder.ir.add_block(region, &vec![index; rank]);
                    let mut inner = Builder::at_end(builder.ir, block, builder.span);
                    // A byte without a sign is written as the one with a sign that has its bits.
                    let bits = self.integers.bits();
                    let stored = zero << (64 - bits) >> (64 - bits);
                    let zero = inner.int(stored, elem);
                    inner.op(Opcode::TensorYield, &[zero], &[], &[]);
                    builder.ir.result(new, 0)
                }
                Opcode::TensorCollapseShape
                | Opcode::TensorExpandShape
                | Opcode::TensorExtractSlice
                | Opcode::TensorCast => {
                    let new = again(builder, op, value, elem);
                    builder.ir.result(new, 0)
                }
                _ => {
                    let map = Linalg::of(builder.ir, op).maps.swap_remove(0);
                    let sizes: Vec<Mixed> =
                        (0..builder.ir.shape_of(old).len()).map(|d| mixed_extent(builder, old, d)).collect();
                    copy_along(builder, value, map, &sizes)
                }
            };
        }
        value
    }
}

/// What an operation that moves the elements of one tensor reads, and where it reads each of that tensor's dimensions, by
/// the dimensions of what it gives; `None` where scales along the dimension cannot follow.
fn moved(ir: &Ir, op: OpId) -> Option<(ValueId, Vec<Option<Expr>>)> {
    let (&from, result) = (ir.operands(op).first()?, ir.results(op).next()?);
    let dim = |d: usize| Some(Expr::Dim(d as u32));
    let rank = ir.ty(from).is_tensor().then(|| ir.shape_of(from).len())?;
    let places = match ir.opcode(op) {
        Opcode::TensorCast => (0..rank).map(dim).collect(),
        Opcode::TensorPad => {
            if ir[padding_constant(ir, op)?].as_f64() != Some(0.0) {
                return None;
            }
            let around = padding(ir, op);
            let is_padded = |d: usize| around.iter().any(|sizes| sizes[d] != Mixed::Static(0));
            (0..rank).map(|d| dim(d).filter(|_| !is_padded(d))).collect()
        }
        Opcode::TensorExtractSlice => {
            let slice = SliceView::of(ir, op);
            let shape = ir.shape_of(from);
            let is_whole = |d: usize| slice.sizes[d] == Mixed::Static(shape[d]);
            let keeps_rank = ir.shape_of(result).len() == rank;
            (0..rank).map(|d| dim(d).filter(|_| keeps_rank && is_whole(d))).collect()
        }
        Opcode::TensorCollapseShape => {
            let shape = ir.shape_of(from);
            let mut places = vec![None; rank];
            for (d, group) in groups(ir, op).into_iter().enumerate() {
                // The only one of several that has more than one element is the dimension that they become.
                for &from in &group {
                    let is_alone = group.iter().all(|&other| other == from || shape[other] == 1);
                    places[from] = dim(d).filter(|_| is_alone);
                }
            }
            places
        }
        Opcode::TensorExpandShape => {
            let shape = ir.shape_of(result);
            let joined = |group: Vec<usize>| -> Option<Expr> {
                let (&first, rest) = group.split_first()?;
                rest.iter().try_fold(Expr::Dim(first as u32), |place, &d| {
                    let scaled = Expr::binary(BinOp::Mul, place, Expr::Const(shape[d]));
                    (shape[d] != DYNAMIC).then(|| Expr::binary(BinOp::Add, scaled, Expr::Dim(d as u32)))
                })
            };
            groups(ir, op).into_iter().map(joined).collect()
        }
        _ => {
            let linalg = Linalg::try_of(ir, op).filter(|linalg| !linalg.reduction.contains(&true))?;
            let (&[_], [map, to]) = (&linalg.inputs[..], &linalg.maps[..]) else { return None };
            if !to.is_identity() || !body::copies_input(ir, op) {
                return None;
            }
            map.as_dims()?.into_iter().map(dim).collect()
        }
    };
    Some((from, places))
}

/// An operation on integers instead of their numbers; one that has a region is given its own.
fn again(builder: &mut Builder<'_>, op: OpId, value: ValueId, elem: TypeId) -> OpId {
    let ty = builder.ir.type_of(builder.ir.result(op, 0));
    let ty = builder.ir.with_elem(ty, elem);
    let operands: Vec<ValueId> = [value].into_iter().chain(builder.ir.operands(op)[1..].iter().copied()).collect();
    let (opcode, attrs) = (builder.ir.opcode(op), builder.ir.attr_dict(op));
    let new = builder.ir.create_with(opcode, &operands, &[ty], attrs, builder.span);
    builder.place(new);
    new
}

/// Whether each of some zero points is zero.
fn is_zero(ir: &Ir, value: ValueId) -> bool {
    let constant = ir.def_op(value).filter(|&op| ir.opcode(op) == Opcode::ArithConstant);
    constant.and_then(|op| ir.attr(op, "value")).is_some_and(|attr| match attr {
        Attr::Dense { bytes, .. } => bytes.iter().all(|&byte| byte == 0),
        attr => attr.as_i64() == Some(0),
    })
}

/// Zero points as `i32`, in which they are subtracted.
fn words(builder: &mut Builder<'_>, value: ValueId, unsigned: bool) -> ValueId {
    let word = builder.ir.int_type(32);
    if !builder.ir.ty(value).is_tensor() {
        return to_int(builder, value, word, unsigned);
    }
    let elem = builder.ir.elem_of(value);
    if elem == word {
        return value;
    }
    let rank = builder.ir.shape_of(value).len();
    let outputs = vec![empty_like(builder, value, word)];
    let (maps, reduction) = (vec![Map::identity(rank); 2], vec![false; rank]);
    let op = generic(builder, &Linalg { inputs: vec![value], outputs, maps, reduction }, &[]);
    body_of(builder, op, &[elem, word], |b, args| vec![to_int(b, args[0], word, unsigned)]);
    builder.ir.result(op, 0)
}

/// A tensor without contents of a tensor's shape.
fn empty_like(builder: &mut Builder<'_>, value: ValueId, elem: TypeId) -> ValueId {
    let sizes: Vec<Mixed> = (0..builder.ir.shape_of(value).len()).map(|d| mixed_extent(builder, value, d)).collect();
    let (shape, open) = unmixed(&sizes);
    let ty = builder.ir.tensor_type(&shape, elem);
    builder.value(Opcode::TensorEmpty, &open, ty, &[])
}
