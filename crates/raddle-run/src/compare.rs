//! Comparing tensors: how many elements differ, by how much, where, and whether there is a pattern in it.

use std::fmt;

use num_bigint::BigInt;
use raddle_emu::Tensor;
use raddle_ir::views::{Contract, Linalg};
use raddle_ir::{Attr, Class, DYNAMIC, Float, Ir, OpId, Opcode, Scalar, Type, ValueId, float};
use raddle_target::{Mma, mma};

use crate::random;

/// Mismatches that a comparison lists.
const LISTED_MAX: usize = 8;

/// What difference is accepted: `|got - expected| <= abs + rel * |expected|`. Integers must always be equal.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Tolerance {
    /// Whatever the size of the element.
    pub abs: f64,
    /// In proportion to the element.
    pub rel: f64,
}

impl Tolerance {
    /// No difference at all.
    pub const EXACT: Tolerance = Tolerance { abs: 0.0, rel: 0.0 };

    /// Whether `got` is close enough. A NaN is close to a NaN, an infinity to the same infinity.
    pub fn accepts(self, got: f64, expected: f64) -> bool {
        got == expected
            || got.is_nan() && expected.is_nan()
            || expected.is_finite() && (got - expected).abs() <= self.abs + self.rel * expected.abs()
    }

    /// What rounding alone may do to a result of `func`: two units in the last place of the result, and, relative to
    /// the root mean square of the expected values, four times the rounding noise of the program.
    ///
    /// The noise adds up, over all operations, the unit in the last place of the type that they compute in, times √K
    /// for a reduction of K elements: independent errors grow like a random walk.
    pub fn of_program(ir: &Ir, func: OpId, expected: &Tensor, elem: Scalar) -> Tolerance {
        Tolerance::of_products(ir, func, expected, elem, 1.0)
    }

    /// The same, where sums of products of f32 may be off by so many units in the last place for each product.
    pub fn of_products(ir: &Ir, func: OpId, expected: &Tensor, elem: Scalar, off: f64) -> Tolerance {
        let Scalar::Float(float) = elem else { return Tolerance::EXACT };
        let of = |op: OpId| noise(ir, op, f64::sqrt) * if multiplies_f32(ir, op) { off } else { 1.0 };
        let noise: f64 = ir.walk(func).into_iter().map(of).sum();
        Tolerance { abs: 4.0 * noise * scale(ir, func, &expected.to_f64()), rel: 2.0 * epsilon(float) }
    }

    /// What the order of sums may do besides: added one by one, the errors of K equal terms all go one way, and add up
    /// to K / 2 times half a unit in the last place.
    pub fn of_any_order(ir: &Ir, func: OpId, expected: &Tensor, elem: Scalar) -> Tolerance {
        let Scalar::Float(float) = elem else { return Tolerance::EXACT };
        let noise: f64 = ir.walk(func).into_iter().map(|op| noise(ir, op, |length| length / 4.0)).sum();
        let least = Tolerance::of_program(ir, func, expected, elem);
        let scale = scale(ir, func, &expected.to_f64());
        Tolerance { abs: least.abs.max(noise * scale), rel: 2.0 * epsilon(float) }
    }
}

impl fmt::Display for Tolerance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Tolerance::EXACT {
            return f.write_str("exactly equal");
        }
        write!(f, "within {:.2e} + {:.2e}·|expected|", self.abs, self.rel)
    }
}

/// The distance from 1 to the next number.
fn epsilon(format: Float) -> f64 {
    float::decode(format, float::encode(format, 1.0) + 1) - 1.0
}

/// What errors are relative to: the root mean square of the results, or the largest of them where complex numbers are
/// divided and the like, because an error there is one of the absolute value, and absolute values vary.
fn scale(ir: &Ir, func: OpId, expected: &[f64]) -> f64 {
    let varies = |op: OpId| match ir.opcode(op) {
        Opcode::ComplexAdd
        | Opcode::ComplexBitcast
        | Opcode::ComplexConj
        | Opcode::ComplexConstant
        | Opcode::ComplexCreate
        | Opcode::ComplexEq
        | Opcode::ComplexIm
        | Opcode::ComplexMul
        | Opcode::ComplexNeg
        | Opcode::ComplexNeq
        | Opcode::ComplexRe
        | Opcode::ComplexSub => false,
        opcode => opcode.name().starts_with("complex."),
    };
    if ir.walk(func).into_iter().any(varies) {
        return expected.iter().filter(|value| value.is_finite()).fold(0.0, |most, value| value.abs().max(most));
    }
    rms(expected)
}

/// Whether an operation sums products of f32.
fn multiplies_f32(ir: &Ir, op: OpId) -> bool {
    let sums = match ir.class(op) {
        Class::Contract => true,
        _ if matches!(ir.opcode(op), Opcode::IreeLinalgExtAttention | Opcode::IreeLinalgExtOnlineAttention) => true,
        _ => Linalg::try_of(ir, op).is_some_and(|linalg| linalg.inputs.len() > 1 && linalg.reduction.contains(&true)),
    };
    let is_f32 = |value: ValueId| matches!(ir[ir.elem_of(value)], Type::Float(Float::F32));
    sums && ir.operands(op).iter().any(|&value| is_f32(value))
}

/// The relative error that one operation may add.
fn noise(ir: &Ir, op: OpId, growth: impl Fn(f64) -> f64) -> f64 {
    let (value, length) = match ir.class(op) {
        // Named operations are structured ones, too.
        Class::Structured | Class::Opaque if Linalg::try_of(ir, op).is_some() => {
            let linalg = Linalg::of(ir, op);
            let extents = linalg.extents(ir);
            let reduced = extents.iter().zip(&linalg.reduction).filter(|(_, reduction)| **reduction);
            let length: f64 = reduced.map(|(&extent, _)| if extent == DYNAMIC { 1.0 } else { extent as f64 }).product();
            match linalg.outputs.first() {
                Some(&output) => (output, length),
                None => return 0.0,
            }
        }
        Class::Contract => {
            let contract = Contract::of(ir, op);
            let dims = contract.maps[0].as_dims().unwrap_or_default();
            let reduced = dims.iter().zip(ir.shape_of(contract.lhs)).filter(|&(&d, _)| contract.reduction[d]);
            (contract.acc, reduced.map(|(_, &extent)| extent as f64).product())
        }
        // What wins is taken as it is.
        Class::Reduce if ir.opcode(op) == Opcode::IreeVectorExtArgCompare => return 0.0,
        Class::Reduce => {
            let n = |value: ValueId| ir.shape_of(value).iter().map(|&extent| extent as f64).product::<f64>();
            let (source, acc) = (ir.operand(op, 0), ir.operand(op, 1));
            (acc, n(source) / n(acc))
        }
        Class::Matrix if matches!(ir.opcode(op), Opcode::NvgpuLdmatrix | Opcode::NvgpuStmatrix) => return 0.0,
        Class::Elementwise | Class::Matrix | Class::Shuffle => match ir.results(op).next() {
            Some(result) => (result, 1.0),
            None => return 0.0,
        },
        // Several operations on parts.
        _ if ir.name(op).starts_with("complex.") => (ir.result(op, 0), 64.0),
        // A difference, a power and a quotient, with a sum along one dimension.
        _ if matches!(ir.opcode(op), Opcode::IreeLinalgExtAttention | Opcode::IreeLinalgExtOnlineAttention) => {
            return attention_noise(ir, op, growth);
        }
        // Loops that the output lacks are summed, of powers that were differences.
        _ if ir.opcode(op) == Opcode::IreeLinalgExtExpReduction => {
            let Some(&output) = ir.group(op, "outputs").last() else { return 0.0 };
            let n = |value: ValueId| ir.shape_of(value).iter().map(|&extent| extent.max(1) as f64).product::<f64>();
            let longest = ir.operands(op).iter().map(|&value| n(value)).fold(1.0, f64::max);
            (output, 4.0 + longest / n(output).max(1.0))
        }
        // Two products and two sums; rows of Winograd's matrices add up to 64 at most.
        _ if ir.opcode(op) == Opcode::IreeLinalgExtFft => (ir.result(op, 0), 4.0),
        _ if ["iree_linalg_ext.winograd.", "linalg.winograd_"].iter().any(|name| ir.name(op).starts_with(name)) => {
            (ir.result(op, 0), 64.0)
        }
        _ if matches!(ir.opcode(op), Opcode::LinalgSoftmax | Opcode::IreeLinalgExtScan) => {
            let output = ir.operand(op, 1);
            let along = ir.attr(op, "dimension").and_then(|dim| usize::try_from(dim.as_i64()?).ok());
            let extent = along.and_then(|dim| ir.shape_of(output).get(dim).copied()).filter(|&extent| extent > 0);
            // A power, a difference and a quotient.
            let others = if ir.opcode(op) == Opcode::LinalgSoftmax { 3.0 } else { 0.0 };
            (output, others + extent.unwrap_or(1) as f64)
        }
        _ => return 0.0,
    };
    let elem = ir.complex_part(ir.type_of(value)).unwrap_or(ir.elem_of(value));
    let Type::Float(mut float) = ir[elem] else { return 0.0 };
    let mut cut = 1.0;
    match requested(ir, op) {
        Some(mma) if mma.pieces_of.is_some() => cut = PIECES_CUT,
        Some(_) => float = Float::TF32,
        None if ir.attr(op, "tf32Enabled").is_some() => float = Float::TF32,
        None => {}
    }
    cut * epsilon(float) * growth(length * trips(ir, op))
}

/// Both sums of attention, and the powers between them, which are rounded to the type of the value.
fn attention_noise(ir: &Ir, op: OpId, growth: impl Fn(f64) -> f64) -> f64 {
    let (Some(body), Some(maps)) = (ir.body(op, 0), ir.maps(op, "indexing_maps")) else { return 0.0 };
    let extent = |operand: usize, of: &[usize]| -> f64 {
        let dims = maps.get(operand).and_then(raddle_ir::Map::as_dims).unwrap_or_default();
        let shape = ir.shape_of(ir.operand(op, operand));
        let summed = dims.iter().zip(shape).filter(|(d, _)| !of.contains(d));
        summed.map(|(_, &extent)| extent.max(1) as f64).product()
    };
    let dims = |operand: usize| maps.get(operand).and_then(raddle_ir::Map::as_dims).unwrap_or_default();
    // What the query has and the value has not, or neither the result, is summed in the first product.
    let outputs = ir.group(op, "output").first().and_then(|&output| ir.operands(op).iter().position(|&v| v == output));
    let out = outputs.map(dims).unwrap_or_default();
    let kept = [dims(2), out.clone()].concat();
    let float = |ty: raddle_ir::TypeId| if let Type::Float(float) = ir[ty] { epsilon(float) } else { 0.0 };
    let scores = ir.args(body).first().map_or(0.0, |&score| float(ir.type_of(score)));
    let value = float(ir.elem_of(ir.operand(op, 2)));
    scores * (growth(extent(0, &kept)) + growth(extent(2, &out)) + growth(8.0)) + value
}

/// What products of factors in two pieces of tf32 are off by, in units of the last place of f32.
const PIECES_CUT: f64 = 16.0;

/// The matrix instruction that an operation names, if that cuts digits off its factors.
fn requested(ir: &Ir, op: OpId) -> Option<&'static Mma> {
    let config = ir.attr_id(op, "lowering_config").and_then(|config| ir.field(config, "mma_kind"));
    let name = config.or(ir.attr_id(op, "iree.gpu.mma")).and_then(|kind| ir.keyword(kind))?;
    mma(name).filter(|mma| mma.on_request)
}

/// How often the loops around an operation run it, as far as their bounds are constants.
fn trips(ir: &Ir, op: OpId) -> f64 {
    let mut trips = 1.0;
    let mut at = op;
    while let Some(parent) = ir.parent_op(at) {
        if ir.opcode(parent) == Opcode::ScfFor {
            let bound = |index: usize| constant(ir, ir.operand(parent, index));
            if let (Some(lower), Some(upper), Some(step @ 1..)) = (bound(0), bound(1), bound(2)) {
                trips *= (upper.saturating_sub(lower) as f64 / step as f64).ceil().max(1.0);
            }
        }
        at = parent;
    }
    trips
}

fn constant(ir: &Ir, value: ValueId) -> Option<i64> {
    ir.def_op(value).and_then(|op| ir.attr(op, "value")).and_then(Attr::as_i64)
}

fn rms(values: &[f64]) -> f64 {
    let finite = values.iter().copied().filter(|value| value.is_finite());
    let (sum, n) = finite.fold((0.0, 0u64), |(sum, n), value| (sum + value * value, n + 1));
    if n == 0 { 0.0 } else { (sum / n as f64).sqrt() }
}

/// A largest error, and where it is.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Worst {
    /// The error.
    pub error: f64,
    /// The coordinate.
    pub at: Vec<i64>,
}

/// One element that is not accepted.
#[derive(Clone, PartialEq, Debug)]
pub struct Mismatch {
    /// Its coordinate.
    pub at: Vec<i64>,
    /// Its row-major position.
    pub index: usize,
    /// What the program gave.
    pub got: f64,
    /// What it should have given.
    pub expected: f64,
    /// Both as integers, if the elements are: an `f64` has 53 bits.
    pub integers: Option<[BigInt; 2]>,
}

/// The result of comparing two tensors.
#[derive(Clone, PartialEq, Debug)]
pub struct Comparison {
    /// Elements compared.
    pub n_elements: usize,
    /// Elements whose bits are equal.
    pub n_equal: usize,
    /// Elements that are not accepted.
    pub n_wrong: usize,
    /// The first of them.
    pub first: Vec<Mismatch>,
    /// What was accepted.
    pub tolerance: Tolerance,
    /// The largest absolute error.
    pub max_abs: Worst,
    /// The largest relative error among elements at least as large as the root mean square of the expected ones: near
    /// zero, cancellation makes relative errors meaningless.
    pub max_rel: Worst,
    /// The largest distance in units in the last place, among the same elements; `None` for integers.
    pub max_ulp: Option<Worst>,
    /// What the wrong elements have in common.
    pub pattern: Option<String>,
}

impl Comparison {
    /// Whether every element is accepted.
    pub fn is_correct(&self) -> bool {
        self.n_wrong == 0
    }
}

/// Compares element by element. The tensors have the same shape; `expected` may have a wider element type.
pub fn compare(got: &Tensor, expected: &Tensor, tolerance: Tolerance) -> Comparison {
    compare_with(got, expected, None, tolerance)
}

/// How much farther from the exact result than the program as written, executed in its own types, a right result may be.
const OWN_FACTOR: f64 = 4.0;

/// The same, than nearly all elements are: matrix units drop digits of the products that they add, always in one direction,
/// where the program's own sums round.
const COMMON_FACTOR: f64 = 16.0;

/// The same, than all elements are where none has a right digit: eight times the noise, of which optimizers keep the
/// squares.
const NOTHING_FACTOR: f64 = 64.0;

/// One element in so many may be farther from the exact result than all others without a meaning for them.
const OUTLIERS: usize = 1000;

/// The distance from the exact results that all elements keep but for a few that lost their digits, or overflowed; 0
/// where there are too few elements to tell these apart.
fn common_error(own: &[f64], exact: &[f64]) -> f64 {
    let mut errors: Vec<f64> = own.iter().zip(exact).map(|(own, exact)| (own - exact).abs()).collect();
    errors.retain(|error| error.is_finite());
    let Some(last) = errors.len().checked_sub(1 + own.len() / OUTLIERS).filter(|_| own.len() >= OUTLIERS) else {
        return 0.0;
    };
    *errors.select_nth_unstable_by(last, f64::total_cmp).1
}

/// The largest distance from the exact results where no element has a right digit; 0 anywhere else.
///
/// What is zero but for rounding, as the gradient of a bias that a softmax takes out again, is the noise of the sums in
/// front of it: which of its elements are zero after all depends on the order of these.
fn error_of_nothing(own: &[f64], exact: &[f64]) -> f64 {
    let error = |(own, exact): (&f64, &f64)| (own - exact).abs();
    let is_lost = own.iter().zip(exact).all(|pair| error(pair) >= pair.1.abs());
    let largest = own.iter().zip(exact).map(error).fold(0.0, f64::max);
    if is_lost && largest.is_finite() { largest } else { 0.0 }
}

/// Perturbations of the arguments: more find more of what an element may do, and the largest of four is seldom less than
/// half of what most perturbations do.
const PERTURBATIONS: u64 = 4;

/// How far rounding may move each element of each result: what the exact result does when the arguments are perturbed,
/// relative to the perturbation, times the rounding noise of the program (see [`Tolerance::of_program`]).
///
/// A result that is right is the exact one of arguments that are a little different, where rounding does no more than
/// that. An element whose digits cancel and then are divided by, say, moves far, and the same element of any other order
/// of the sum, too; others hardly move. This is a property of the program and its arguments, whatever a kernel gives.
/// `exactly` executes the program as written without rounding, on arguments of which floats are `f64`.
pub fn movements<E>(
    ir: &Ir,
    func: OpId,
    arguments: &[Tensor],
    expected: &[Tensor],
    mut exactly: impl FnMut(&[Tensor]) -> Result<Vec<Tensor>, E>,
) -> Result<Vec<Vec<f64>>, E> {
    let mut moved: Vec<Vec<f64>> = expected.iter().map(|result| vec![0.0; result.n_elements()]).collect();
    let noises: Vec<f64> = ir.walk(func).into_iter().map(|op| noise(ir, op, f64::sqrt)).collect();
    // The finest rounding of the program: a coarser one may be that of the result alone.
    let Some(finest) = noises.iter().copied().filter(|&noise| noise > 0.0).min_by(f64::total_cmp) else {
        return Ok(moved);
    };
    let factor = noises.iter().sum::<f64>() / finest;
    for seed in 0..PERTURBATIONS {
        let perturbed: Vec<Tensor> =
            arguments.iter().zip(0..).map(|(argument, at)| perturbed(argument, finest, seed, at)).collect();
        for ((moved, other), expected) in moved.iter_mut().zip(exactly(&perturbed)?).zip(expected) {
            for ((moved, other), expected) in moved.iter_mut().zip(other.to_f64()).zip(expected.to_f64()) {
                let distance = factor * (other - expected).abs();
                // Where there is no number, or was none, nothing is near.
                if distance.is_finite() {
                    *moved = moved.max(distance);
                }
            }
        }
    }
    Ok(moved)
}

/// A tensor of floats as `f64`, each a little larger or smaller; other tensors as they are.
fn perturbed(tensor: &Tensor, by: f64, seed: u64, stream: u64) -> Tensor {
    if !matches!(tensor.elem, Scalar::Float(_)) {
        return tensor.clone();
    }
    let signs = random::below(Scalar::Int(8), &tensor.shape, 2, seed, stream).to_i64();
    let values = tensor.to_f64().into_iter().zip(signs);
    let values: Vec<f64> = values.map(|(value, sign)| value + value * if sign == 0 { by } else { -by }).collect();
    Tensor::from_f64(Scalar::Float(Float::F64), &tensor.shape, &values)
}

/// What the program as written says of one of its results.
#[derive(Clone, Copy, Debug)]
pub struct AsWritten<'a> {
    /// What it gives in its own types.
    pub own: &'a Tensor,
    /// How far rounding may move each element ([`movements`]); nothing if that is not known.
    pub moved: &'a [f64],
}

/// Compares element by element with an exact result, and with what the program as written gives in its own types.
///
/// Where that overflows, saturates, or loses digits to cancellation, a right result does so too: an element is right if
/// it is equal to the program's own, or not much farther from the exact one than that, or than nearly all others are:
/// `tanh` of long sums, say, has results of size 1 and the noise of the sums, which may fall on other elements.
/// A float is also right where rounding moves the exact result as far.
pub fn compare_with(
    got: &Tensor,
    expected: &Tensor,
    written: Option<AsWritten<'_>>,
    tolerance: Tolerance,
) -> Comparison {
    assert_eq!(got.shape, expected.shape, "only tensors of one shape can be compared");
    let (values, references) = (got.to_f64(), expected.to_f64());
    let own = written.map(|written| written.own.to_f64());
    let moved = written.map_or(&[][..], |written| written.moved);
    let own_noise = own.as_ref().map_or(0.0, |own| {
        (COMMON_FACTOR * common_error(own, &references)).max(NOTHING_FACTOR * error_of_nothing(own, &references))
    });
    let is_own = |index: usize, got: f64, reference: f64| {
        own.as_ref().is_some_and(|own| {
            let own = own[index];
            let error = if own.is_finite() { (OWN_FACTOR * (own - reference).abs()).max(own_noise) } else { 0.0 };
            got == own || got.is_nan() && own.is_nan() || (got - reference).abs() <= error
        })
    };
    let least = rms(&references);
    let exact = !matches!(got.elem, Scalar::Float(_));
    let is_near = |index: usize, got: f64, reference: f64| {
        !exact && moved.get(index).is_some_and(|&moved| (got - reference).abs() <= moved)
    };
    let (size, same_type) = (got.elem.bytes(), got.elem == expected.elem);
    let mut comparison = Comparison {
        n_elements: values.len(),
        n_equal: 0,
        n_wrong: 0,
        first: Vec::new(),
        tolerance,
        max_abs: Worst::default(),
        max_rel: Worst::default(),
        max_ulp: None,
        pattern: None,
    };
    let mut wrong = Vec::new();
    // Positions of the largest errors; coordinates are worked out at the end.
    let (mut abs, mut rel, mut ulp) = ((0.0, 0), (0.0, 0), (0.0, 0));
    for (index, (&got_value, &reference)) in values.iter().zip(&references).enumerate() {
        let bytes = index * size..(index + 1) * size;
        let equal = match got.elem {
            _ if same_type => got.bytes[bytes.clone()] == expected.bytes[bytes],
            // A wider reference counts as equal where it rounds to the same number.
            Scalar::Float(format) => got_value == float::round(format, reference),
            _ => got_value == reference,
        };
        if equal {
            comparison.n_equal += 1;
            continue;
        }
        // Where both round to one `f64`, they are a few units apart.
        let apart = || {
            let difference = integer(got, index)? - integer(expected, index)?;
            Some(i128::try_from(difference).map_or(f64::INFINITY, |difference| difference.unsigned_abs() as f64))
        };
        let distance = (got_value - reference).abs();
        let distance = if distance == 0.0 { apart().unwrap_or(0.0) } else { distance };
        let distance =
            if distance.is_nan() && !(got_value.is_nan() && reference.is_nan()) { f64::INFINITY } else { distance };
        keep_worst(&mut abs, distance, index);
        if reference.abs() >= least && reference != 0.0 {
            keep_worst(&mut rel, distance / reference.abs(), index);
            if let Scalar::Float(format) = got.elem {
                keep_worst(&mut ulp, ulps(format, got_value, reference), index);
            }
        }
        let accepted = !exact && tolerance.accepts(got_value, reference)
            || is_own(index, got_value, reference)
            || is_near(index, got_value, reference);
        if !accepted {
            wrong.push(index);
        }
    }
    let worst = |(error, index): (f64, usize)| Worst { error, at: coordinate(&got.shape, index) };
    comparison.max_abs = worst(abs);
    comparison.max_rel = worst(rel);
    comparison.max_ulp = matches!(got.elem, Scalar::Float(_)).then(|| worst(ulp));
    comparison.n_wrong = wrong.len();
    comparison.first = wrong
        .iter()
        .take(LISTED_MAX)
        .map(|&index| Mismatch {
            at: coordinate(&got.shape, index),
            index,
            got: values[index],
            expected: references[index],
            integers: integer(got, index).zip(integer(expected, index)).map(|(got, expected)| [got, expected]),
        })
        .collect();
    comparison.pattern = pattern(&got.shape, &wrong, &values, &references);
    comparison
}

/// An element of a tensor of integers.
fn integer(tensor: &Tensor, index: usize) -> Option<BigInt> {
    let size = tensor.elem.bytes();
    let bytes = tensor.bytes[index * size..(index + 1) * size].to_vec();
    let is_float = matches!(tensor.elem, Scalar::Float(_));
    let one = Tensor { elem: tensor.elem, shape: Vec::new(), bytes };
    if is_float { None } else { one.to_integers().pop() }
}

fn keep_worst(worst: &mut (f64, usize), error: f64, index: usize) {
    if error > worst.0 {
        *worst = (error, index);
    }
}

/// How many numbers of the format lie between two values.
fn ulps(format: Float, a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() {
        return if a.is_nan() && b.is_nan() { 0.0 } else { f64::INFINITY };
    }
    // Sign and magnitude: the order of the magnitudes is that of the numbers.
    let rank = |value: f64| {
        let bits = float::encode(format, value.abs()) as i64 as f64;
        if value < 0.0 { -bits } else { bits }
    };
    (rank(a) - rank(b)).abs()
}

/// The coordinate of a row-major position.
pub fn coordinate(shape: &[i64], index: usize) -> Vec<i64> {
    let mut at = vec![0; shape.len()];
    let mut rest = index as i64;
    for d in (0..shape.len()).rev() {
        at[d] = rest % shape[d].max(1);
        rest /= shape[d].max(1);
    }
    at
}

/// What the wrong elements have in common, in words; `None` if nothing is striking.
fn pattern(shape: &[i64], wrong: &[usize], got: &[f64], expected: &[f64]) -> Option<String> {
    if wrong.len() < 2 {
        return None;
    }
    let mut found = Vec::new();
    if wrong.len() == got.len() {
        found.push("every element is wrong".to_owned());
    } else if let Some(place) = place(shape, wrong) {
        found.push(place);
    }
    let all = |test: &dyn Fn(usize) -> bool| wrong.iter().all(|&index| test(index));
    let ratio = got[wrong[0]] / expected[wrong[0]];
    if all(&|index| got[index] == 0.0) {
        found.push("all of them are 0".to_owned());
    } else if all(&|index| got[index].is_nan()) {
        found.push("all of them are NaN, or were never written".to_owned());
    } else if let [rows, columns] = *shape
        && rows == columns
        && all(&|index| {
            let at = coordinate(shape, index);
            let mirrored = expected[(at[1] * rows + at[0]) as usize];
            (got[index] - mirrored).abs() <= 1e-3 * mirrored.abs()
        })
    {
        found.push("each has the value expected at its transposed coordinate".to_owned());
    } else if ratio.is_finite() && all(&|index| (got[index] / expected[index] - ratio).abs() <= 1e-3 * ratio.abs()) {
        found.push(format!("each is {ratio:.3} times what is expected"));
    }
    (!found.is_empty()).then(|| found.join("; "))
}

/// Where the wrong elements are: one row, a tile, every k-th column.
fn place(shape: &[i64], wrong: &[usize]) -> Option<String> {
    let name = |d: usize| match (shape.len(), d) {
        (2, 0) => "row".to_owned(),
        (2, _) => "column".to_owned(),
        _ => format!("index of dimension {d}"),
    };
    let mut parts = Vec::new();
    let (mut tile, mut volume) = (Vec::new(), 1);
    for d in 0..shape.len() {
        let stride: i64 = shape[d + 1..].iter().product();
        let mut indices: Vec<i64> = wrong.iter().map(|&index| index as i64 / stride % shape[d]).collect();
        indices.sort_unstable();
        indices.dedup();
        let (first, last) = (indices[0], indices[indices.len() - 1]);
        tile.push(format!("{first}..{}", last + 1));
        volume *= last + 1 - first;
        // The largest step that divides all distances.
        let step = indices.windows(2).fold(0, |step, pair| gcd(step, pair[1] - pair[0]));
        if indices.len() == 1 && shape[d] > 1 {
            parts.push(format!("all in {} {first}", name(d)));
        } else if step > 1 && indices.len() > 2 && (last - first) / step + 1 == indices.len() as i64 {
            parts.push(format!("every {step}th {}, from {first} to {last}", name(d)));
        }
    }
    if !parts.is_empty() {
        return Some(parts.join("; "));
    }
    (volume == wrong.len() as i64 && volume > 2).then(|| format!("exactly the tile [{}]", tile.join(", ")))
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const F16: Scalar = Scalar::Float(Float::F16);
    const F32: Scalar = Scalar::Float(Float::F32);

    fn ramp(shape: &[i64], elem: Scalar) -> Tensor {
        let n = shape.iter().product::<i64>();
        Tensor::from_f64(elem, shape, &(0..n).map(|i| (i + 1) as f64).collect::<Vec<_>>())
    }

    fn changed(shape: &[i64], change: impl Fn(&[i64]) -> bool) -> Comparison {
        let good = ramp(shape, F32);
        let values = good
            .to_f64()
            .into_iter()
            .enumerate()
            .map(|(i, v)| if change(&coordinate(shape, i)) { v * v + 7.0 } else { v });
        let bad = Tensor::from_f64(F32, shape, &values.collect::<Vec<_>>());
        compare(&bad, &good, Tolerance { abs: 1e-6, rel: 1e-6 })
    }

    #[test]
    fn equal_tensors_are_equal() {
        let comparison = compare(&ramp(&[4, 4], F16), &ramp(&[4, 4], F32), Tolerance::EXACT);
        assert!(comparison.is_correct());
        assert_eq!((comparison.n_equal, comparison.max_abs.error), (16, 0.0));
    }

    /// The pattern names rows, columns, tiles and strides.
    #[test]
    fn patterns_are_named() {
        let hint = |change: &dyn Fn(&[i64]) -> bool| changed(&[8, 16], change).pattern.unwrap_or_default();
        assert_eq!(hint(&|at| at[0] == 3), "all in row 3");
        assert_eq!(hint(&|at| at[1] == 5), "all in column 5");
        assert_eq!(hint(&|at| at[1] % 4 == 1), "every 4th column, from 1 to 13");
        assert_eq!(hint(&|at| (2..4).contains(&at[0]) && at[1] >= 8), "exactly the tile [2..4, 8..16]");
        assert_eq!(hint(&|_| true), "every element is wrong");
        assert_eq!(hint(&|at| at == [3, 3]), "");
    }

    /// A result that overflows where the program does, or loses the digits that it loses, is right; others are not.
    #[test]
    fn what_the_program_itself_loses_is_no_mistake() {
        let tensor = |values: &[f64]| Tensor::from_f64(F32, &[4], values);
        let exact = Tensor::from_f64(Scalar::Float(Float::F64), &[4], &[1e30, 2.0, 3.0, 1e39]);
        let own = tensor(&[f64::INFINITY, 2.5, 3.0, f64::INFINITY]);
        let wrong = |got: &[f64]| {
            let found = compare_with(
                &tensor(got),
                &exact,
                Some(AsWritten { own: &own, moved: &[] }),
                Tolerance { abs: 0.0, rel: 1e-6 },
            );
            found.first.iter().map(|mismatch| mismatch.index).collect::<Vec<_>>()
        };
        assert_eq!(wrong(&[f64::INFINITY, 1.0, 3.0, f64::INFINITY]), []);
        assert_eq!(wrong(&[1e30, 2.0, 3.0, f64::INFINITY]), []);
        assert_eq!(wrong(&[f64::NEG_INFINITY, 5.0, 3.1, f64::NAN]), [0, 1, 2, 3]);
    }

    /// Noise may fall on other elements than those of the program's own types, but not exceed it.
    #[test]
    fn noise_of_most_elements_is_allowed_to_all() {
        let values = |error: &dyn Fn(usize) -> f64| {
            let values: Vec<f64> = (0..2000).map(|at| 1.0 + error(at)).collect();
            Tensor::from_f64(Scalar::Float(Float::F64), &[2000], &values)
        };
        let own = values(&|at| if at % 100 == 0 { 1e-5 } else { 0.0 });
        let wrong = |error: f64| {
            let got = values(&|at| if at == 7 { error } else { 0.0 });
            compare_with(
                &got,
                &values(&|_| 0.0),
                Some(AsWritten { own: &own, moved: &[] }),
                Tolerance { abs: 0.0, rel: 1e-7 },
            )
            .n_wrong
        };
        assert_eq!((wrong(1e-4), wrong(3e-4)), (0, 1));
    }

    /// Sums that are zero but for rounding are noise in any order; anything much larger is a mistake.
    #[test]
    fn noise_of_sums_of_nothing_is_no_mistake() {
        let exact = Tensor::from_f64(Scalar::Float(Float::F64), &[4], &[1e-18, -2e-18, 1e-18, 3e-18]);
        let own = Tensor::from_f64(F32, &[4], &[1e-7, 2e-7, -1e-6, 3e-8]);
        let wrong = |error: f64| {
            let got = Tensor::from_f64(F32, &[4], &[0.0, -error, 1e-8, 0.0]);
            compare_with(&got, &exact, Some(AsWritten { own: &own, moved: &[] }), Tolerance { abs: 1e-18, rel: 1e-7 })
                .n_wrong
        };
        assert_eq!((wrong(5e-5), wrong(1e-4)), (0, 1));
    }

    /// One wrong element: counted, placed, measured.
    #[test]
    fn one_wrong_element_is_found() {
        let comparison = changed(&[8, 16], |at| at == [3, 5]);
        assert_eq!((comparison.n_wrong, comparison.n_equal), (1, 127));
        assert_eq!(comparison.first[0].at, [3, 5]);
        assert_eq!(comparison.max_abs.at, [3, 5]);
        assert_eq!(comparison.max_abs.error, 54.0 * 54.0 + 7.0 - 54.0);
    }

    /// Neighbours are one unit in the last place apart, on both sides of zero.
    #[test]
    fn units_in_the_last_place_count_numbers() {
        assert_eq!(ulps(Float::F16, 1.0, 1.0 + 2f64.powi(-10)), 1.0);
        assert_eq!(ulps(Float::F32, -1.0, -1.0 - 2f64.powi(-22)), 2.0);
        assert_eq!(ulps(Float::F16, 2f64.powi(-24), -2f64.powi(-24)), 2.0);
        assert_eq!(ulps(Float::F32, f64::NAN, 1.0), f64::INFINITY);
    }

    /// Not-a-number is only like not-a-number, and an infinity only like itself.
    #[test]
    fn special_values_are_not_close_to_numbers() {
        let loose = Tolerance { abs: 1.0, rel: 1.0 };
        assert!(loose.accepts(f64::NAN, f64::NAN) && loose.accepts(f64::INFINITY, f64::INFINITY));
        assert!(!loose.accepts(f64::NAN, 1.0) && !loose.accepts(1.0, f64::NAN));
        assert!(!loose.accepts(f64::NEG_INFINITY, 1.0) && !loose.accepts(1.0, f64::INFINITY));
    }

    /// A named operation may round as often as the generic one that it stands for.
    #[test]
    fn sums_of_named_operations_round_like_those_of_generic_ones() {
        let tolerance = |op: &str| {
            let text = format!(
                "func.func @f(%a: tensor<4x64xf32>, %b: tensor<64x8xf32>, %c: tensor<4x8xf32>) -> tensor<4x8xf32> {{
                   %r = linalg.{op} ins(%a, %b : tensor<4x64xf32>, tensor<64x8xf32>) outs(%c : tensor<4x8xf32>) -> tensor<4x8xf32>
                   return %r : tensor<4x8xf32>
                 }}"
            );
            let ir = raddle_ir::parse(&text).expect("the text is a program");
            Tolerance::of_program(
                &ir,
                ir.funcs()[0],
                &ramp(&[4, 8], Scalar::Float(Float::F32)),
                Scalar::Float(Float::F32),
            )
        };
        let maps = "contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]";
        assert!(tolerance("matmul").abs > 0.0);
        assert_eq!(tolerance(maps), tolerance("matmul"));
    }
}
