//! Factors: products of types that no matrix instruction takes become products of types that one takes, where these hold
//! every number of the others.
//!
//! Before: `acc + extf(a : f16) * sitofp(w : i8)`
//! After:  `w` as `f16`, and `acc + extf(a) * extf(w)`
//!
//! So do products of what was converted in front of them: `f32` that came from `f16` is multiplied as `f16`, whose products
//! `f32` holds. Sums in `i64` that fit `i32`, as those of ONNX's products of integers, are made there.
//!
//! Integers may be less a zero point, in the product or in front of it, and an unsigned byte is a signed one plus 128, so
//! less -128. With `p` and `q` for the zero points,
//!
//! ```text
//! Σ (a - p) (b - q)  =  Σ a b  -  q Σ a  -  p Σ b  +  n p q
//! ```
//!
//! holds in integers that wrap. The sums of single factors are reductions of their own, and an elementwise operation puts
//! all together.
//!
//! Does not touch products that the user configured or that have too little for an instruction. A dispatch, which is one
//! kernel, keeps its zero points.

use raddle_ir::interface::Interface;
use raddle_ir::views::{Linalg, Mixed, unmixed};
use raddle_ir::{Attr, Builder, DYNAMIC, Float, Ir, Map, OpId, Opcode, Scalar, TypeId, ValueId, float};

use super::loops::{Loops, Part, structured};
use crate::facts::Facts;
use crate::structured::body;
use crate::structured::sizes::mixed_extent;
use crate::structured::windows;

/// How many times a product an instruction may compute.
const WASTE_MAX: i128 = 8;

/// How long loops are of which an instruction wastes nothing.
const LONG: i64 = 1 << 32;

/// Gives the products of a function factors that matrix instructions take.
pub(super) fn widen(ir: &mut Ir, func: OpId, facts: &Facts) {
    if ir.attr(func, "translation_info").is_some() {
        return;
    }
    let is_dispatch = !Interface::of(ir, func).is_ok_and(|interface| interface.is_none());
    for op in ir.walk(func) {
        if is_configured(ir, op) {
            continue;
        }
        let Some(mut product) = Product::of(ir, op).filter(|product| !(is_dispatch && product.has_zeros())) else {
            continue;
        };
        if let Some(types) = product.types(ir, facts, is_dispatch) {
            let _ = product.write(ir, op, types);
        }
    }
}

/// Whether the user configured an operation.
pub(super) fn is_configured(ir: &Ir, op: OpId) -> bool {
    ["lowering_config", "compilation_info"].iter().any(|name| ir.attr(op, name).is_some())
}

/// What a factor's elements are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Number {
    Signed(u32),
    Unsigned(u32),
    Float(Float),
}

impl Number {
    /// The least and the greatest integer of a type.
    fn ends(self) -> Option<[i64; 2]> {
        match self {
            Number::Signed(bits @ 1..=32) => Some([-(1 << (bits - 1)), (1 << (bits - 1)) - 1]),
            Number::Unsigned(bits @ 1..=32) => Some([0, (1 << bits) - 1]),
            Number::Signed(_) | Number::Unsigned(_) | Number::Float(_) => None,
        }
    }

    /// Whether a type of a matrix instruction has each of these numbers. Of integers, a byte stands for an unsigned one
    /// less 128.
    fn is_in(self, to: Scalar) -> bool {
        match (self, to) {
            (Number::Signed(bits) | Number::Unsigned(bits), Scalar::Int(width)) => bits <= width,
            (Number::Float(from), Scalar::Float(to)) if from == to => true,
            // Of two formats of as many bits, each has numbers, infinities or signs of zero that the other one has not.
            (Number::Float(from), Scalar::Float(to)) if Scalar::Float(from).bits() >= Scalar::Float(to).bits() => false,
            (Number::Float(from), Scalar::Float(to)) => {
                let [from, to] = [from, to].map(float::format);
                // The exponents of the least number and of the greatest.
                let least = |format: float::Format| 1 - format.bias - format.mantissa as i32;
                let greatest = |format: float::Format| {
                    let top = (1 << format.exponent) - 1 - i32::from(format.specials == float::Specials::Ieee);
                    top - format.bias
                };
                from.mantissa <= to.mantissa && least(to) <= least(from) && greatest(from) <= greatest(to)
            }
            (Number::Signed(bits) | Number::Unsigned(bits), Scalar::Float(to)) => {
                let format = float::format(to);
                let digits = bits - u32::from(matches!(self, Number::Signed(_)));
                digits <= format.mantissa + 1 && digits < 1 << (format.exponent - 1)
            }
            (Number::Float(_), Scalar::Int(_) | Scalar::Index) | (_, Scalar::Index) => false,
        }
    }
}

/// One of two factors: an input, and what is subtracted from it.
#[derive(Clone, Copy)]
struct Factor {
    /// The number of the input.
    input: usize,
    /// What its elements are, or were before operations in front of the product converted them.
    number: Number,
    was_converted: bool,
    zero: Option<Zero>,
}

/// What an integer is less.
#[derive(Clone, Copy)]
enum Zero {
    /// A constant, or an argument of the body.
    Here(ValueId),
    /// A byte, a tensor without dimensions, which was subtracted in front of the product.
    Before { value: ValueId, number: Number },
}

impl Zero {
    fn here(self) -> Option<ValueId> {
        if let Zero::Here(value) = self { Some(value) } else { None }
    }
}

/// `acc + (a - p) * (b - q)`, summed along loops that both factors have.
struct Product {
    factors: [Factor; 2],
    linalg: Linalg,
    /// What the sums are.
    sum: Scalar,
    /// Whether the body subtracts zero points of 0, as those of weights are: written anew, it does not.
    is_less_nothing: bool,
}

impl Product {
    fn of(ir: &Ir, op: OpId) -> Option<Product> {
        let linalg = Linalg::try_of(ir, op)?;
        let &[output] = &linalg.outputs[..] else { return None };
        if linalg.inputs.len() < 2 || !linalg.maps.iter().all(is_list) {
            return None;
        }
        let sum = Scalar::of(&ir[ir.elem_of(output)])?;
        let reduction = body::reduction(ir, op)?;
        let product = ir.def_op(reduction.value)?;
        let subtract = match (reduction.combiner.opcode, ir.opcode(product)) {
            (Opcode::ArithAddf, Opcode::ArithMulf) => None,
            (Opcode::ArithAddi, Opcode::ArithMuli) => Some(Opcode::ArithSubi),
            _ => return None,
        };
        let args = ir.args(ir.entry(op)).to_vec();
        let factor = |value: ValueId| -> Option<Factor> {
            let less = ir.def_op(value).filter(|&op| Some(ir.opcode(op)) == subtract);
            let (value, zero) =
                less.map_or((value, None), |op| (ir.operand(op, 0), Some(Zero::Here(ir.operand(op, 1)))));
            let (arg, number) = source(ir, value)?;
            let input = args[..linalg.inputs.len()].iter().position(|&other| other == arg)?;
            Some(Factor { input, number, was_converted: false, zero })
        };
        let [x, y] = *ir.operands(product) else { return None };
        let (x, y) = (factor(x)?, factor(y)?);
        let factors = if x.input <= y.input { [x, y] } else { [y, x] };
        let mut product = Product { factors, linalg, sum, is_less_nothing: false };
        if !product.is_covered(ir, op) {
            return None;
        }
        for i in 0..2 {
            let is_nothing = |zero| product.stated(ir, &args, zero) == Some(0);
            if product.factors[i].zero_here().is_some_and(is_nothing) {
                (product.factors[i].zero, product.is_less_nothing) = (None, true);
            }
        }
        Some(product)
    }

    /// What the program states a zero point to be, in the body or as an input.
    fn stated(&self, ir: &Ir, args: &[ValueId], zero: ValueId) -> Option<i64> {
        let input = args[..self.linalg.inputs.len()].iter().position(|&arg| arg == zero);
        ir.const_int(input.map_or(zero, |input| self.linalg.inputs[input]))
    }

    /// Whether the loops are those of a product, and other inputs are zero points only.
    fn is_covered(&self, ir: &Ir, op: OpId) -> bool {
        let [a, b] = &self.factors;
        let args = ir.args(ir.entry(op));
        let dims = |i: usize| self.linalg.maps[i].as_dims().unwrap_or_default();
        let (of_a, of_b, of_sum) = (dims(a.input), dims(b.input), dims(self.linalg.inputs.len()));
        let mut found = [false; 3];
        for d in 0..self.linalg.reduction.len() {
            match [&of_a, &of_b, &of_sum].map(|dims| dims.contains(&d)) {
                [true, true, true] => {}
                [true, false, true] => found[0] = true,
                [false, true, true] => found[1] = true,
                [true, true, false] => found[2] = true,
                _ => return false,
            }
        }
        let is_zero = |input: usize| {
            let reads = [a, b].into_iter().filter(|factor| factor.zero_here() == Some(args[input])).count();
            !dims(input).iter().any(|d| self.linalg.reduction[*d]) && ir.uses(args[input]).count() == reads
        };
        let others = || (0..self.linalg.inputs.len()).filter(|&i| i != a.input && i != b.input);
        let known = |zero: ValueId| match ir.def_op(zero) {
            Some(op) => ir.opcode(op) == Opcode::ArithConstant,
            None => others().any(|i| args[i] == zero),
        };
        let zeros = [a, b].into_iter().filter_map(|factor| factor.zero_here());
        a.input != b.input && found == [true; 3] && others().all(is_zero) && zeros.into_iter().all(known)
    }

    /// Whether a factor is one plus a number: it has a zero point, or its bytes are taken less 128.
    fn has_zero(&self, factor: usize) -> bool {
        let Factor { number, zero, .. } = &self.factors[factor];
        zero.is_some() || *number == Number::Unsigned(8) && matches!(self.sum, Scalar::Int(_))
    }

    fn has_zeros(&self) -> bool {
        self.has_zero(0) || self.has_zero(1)
    }

    /// The types that the factors should have, if they should have others, or come from in front of conversions.
    fn types(&mut self, ir: &Ir, facts: &Facts, is_dispatch: bool) -> Option<[Scalar; 2]> {
        let elem = |factor: &Factor| Scalar::of(&ir[ir.elem_of(self.linalg.inputs[factor.input])]);
        let own = [elem(&self.factors[0])?, elem(&self.factors[1])?];
        let bits = |types: [Scalar; 2]| types[0].bits() + types[1].bits();
        let as_they_are = self.instruction(ir, facts);
        // A product that an instruction wastes, as of one row, is a plain one where nobody has to sum the factors.
        let is_plain = [0, 1].iter().all(|&i| Scalar::Int(self.factors[i].signed_bits()) == own[i]);
        if self.has_zeros() {
            return as_they_are.or_else(|| (is_plain && self.sums_are_stated(ir)).then_some(own));
        }
        let plain = self.factors;
        for factor in &mut self.factors {
            if let Some((number, zero)) = converted(ir, self.linalg.inputs[factor.input]) {
                (factor.number, factor.was_converted, factor.zero) = (number, true, zero);
            }
        }
        let before = self.instruction(ir, facts).filter(|_| !(is_dispatch && self.has_zeros()));
        if let Some(types) = before.filter(|&types| as_they_are.is_none_or(|own| bits(types) < bits(own))) {
            return Some(types);
        }
        self.factors = plain;
        match as_they_are {
            None => (is_plain && self.is_less_nothing).then_some(own),
            Some(types) => (types != own || self.is_less_nothing).then_some(types),
        }
    }

    /// Whether the program states each factor whose sums are subtracted, as weights are.
    fn sums_are_stated(&self, ir: &Ir) -> bool {
        let is_stated = |factor: &Factor| stated_bytes(ir, self.linalg.inputs[factor.input]).is_some();
        self.sum == Scalar::Int(32) && (0..2).all(|i| !self.has_zero(i) || is_stated(&self.factors[1 - i]))
    }

    /// The types of the factors of the matrix instruction that takes the fewest bits, if one takes all their numbers.
    fn instruction(&self, ir: &Ir, facts: &Facts) -> Option<[Scalar; 2]> {
        let of_vectors = |(factors, sum): (Scalar, Scalar)| {
            let types = [factors, factors, sum];
            facts.chip.native?.dot_of(types).map(|_| (types, [1, 1, 1]))
        };
        let [bf16, f32] = [Float::BF16, Float::F32].map(Scalar::Float);
        let dots = [(Scalar::Int(8), Scalar::Int(32)), (Scalar::Int(16), Scalar::Int(32)), (bf16, f32)];
        let dots = dots.into_iter().filter_map(of_vectors);
        let rows = facts.chip.exact_mma_rows().map(|mma| (mma.types, [mma.m, mma.n, mma.k]));
        let elem = |factor: &Factor| Scalar::of(&ir[ir.elem_of(self.linalg.inputs[factor.input])]);
        let own = [elem(&self.factors[0])?, elem(&self.factors[1])?];
        let fits = |(types, sizes): &([Scalar; 3], [i64; 3])| {
            (types[2] == self.sum || types[2] == Scalar::Int(32) && self.is_narrow(ir))
                && self.factors.iter().zip(types).all(|(factor, &to)| factor.number.is_in(to))
                && self.is_worth(ir, *sizes)
        };
        let (types, _) = rows.chain(dots).filter(fits).min_by_key(|(types, _)| {
            let changed = own.iter().zip(types).filter(|(own, to)| own != to).count();
            (types[0].bits() + types[1].bits(), changed)
        })?;
        Some([types[0], types[1]])
    }

    /// Whether the sums are in `i64` and fit `i32`.
    fn is_narrow(&self, ir: &Ir) -> bool {
        let extents = self.linalg.extents(ir);
        let mut summed = (0..extents.len()).filter(|&d| self.linalg.reduction[d]).map(|d| extents[d]);
        let [Some(a), Some(b)] = [0, 1].map(|i| self.factors[i].greatest(ir)) else { return false };
        let all =
            summed.try_fold(a.saturating_mul(b), |all, extent| (extent != DYNAMIC).then(|| all.saturating_mul(extent)));
        self.sum == Scalar::Int(64) && all.is_some_and(|all| all <= i64::from(i32::MAX))
    }

    /// Whether an instruction of this size would compute little that nobody asks for.
    fn is_worth(&self, ir: &Ir, sizes: [i64; 3]) -> bool {
        let extents = self.linalg.extents(ir);
        let is_window = |&input: &ValueId| ir.def_op(input).is_some_and(|op| windows::is_window(ir, op));
        let work = extents.iter().fold(1, |n: i64, &extent| n.saturating_mul(extent.max(1)));
        let are_rows = work >= windows::WORTH_A_KERNEL && self.linalg.inputs.iter().any(is_window);
        let dims = |i: usize| self.linalg.maps[i].as_dims().unwrap_or_default();
        let (of_a, of_b) = (dims(self.factors[0].input), dims(self.factors[1].input));
        let along = |in_a: bool, in_b: bool| -> Vec<usize> {
            let is_it = |d: &usize| of_a.contains(d) == in_a && of_b.contains(d) == in_b;
            let is_it = |d: &usize| is_it(d) && (in_a != in_b || self.linalg.reduction[*d]);
            (0..extents.len()).filter(is_it).collect()
        };
        let [rows, columns, sums] = [along(true, false), along(false, true), along(true, true)];
        // The last loop, but for those that reshapes leave out; all of a side where windows become rows of a matrix.
        let last = |side: &[usize]| side.iter().rev().copied().find(|&d| extents[d] != 1);
        let loops = [last(&rows), last(&columns), body::inner_sum(&sums, &extents)];
        let waste = loops.into_iter().zip([&rows, &columns, &sums]).zip(sizes).map(|((d, side), size)| {
            let of = if are_rows { &side[..] } else { d.as_slice() };
            let is_open = of.iter().any(|&d| extents[d] == DYNAMIC);
            let whole = of.iter().fold(1, |n: i64, &d| n.saturating_mul(extents[d].max(1)).min(LONG));
            let last = if is_open { size } else { whole };
            (i128::from((last + size - 1) / size * size), i128::from(last))
        });
        let (padded, product) = waste.fold((1, 1), |all, side| (all.0 * side.0, all.1 * side.1));
        !extents.contains(&0) && loops[..2].iter().all(Option::is_some) && padded <= product * WASTE_MAX
    }

    fn write(&self, ir: &mut Ir, op: OpId, types: [Scalar; 2]) -> Option<()> {
        let Linalg { inputs, outputs, maps, reduction } = &self.linalg;
        let values: Vec<ValueId> = inputs.iter().chain(outputs).copied().collect();
        let parts = Part::of_maps(ir, &values, maps)?;
        let result = ir.results(op).next()?;
        let args = ir.args(ir.entry(op)).to_vec();
        let (init, inputs) = parts.split_last()?;
        let builder = &mut Builder::before(ir, op);
        let loops = Loops::of(builder, reduction.len(), &parts)?;
        let [a, b] = [0, 1].map(|i| {
            let factor = &self.factors[i];
            let to = scalar_type(builder.ir, types[i]);
            let part = &inputs[factor.input];
            if factor.was_converted {
                return Part { value: before(builder, part.value, factor.number, to), dims: part.dims.clone() };
            }
            if builder.ir.elem_of(part.value) == to && factor.number != Number::Unsigned(8) {
                return part.clone();
            }
            loops.each(builder, &[part], to, |body, args| convert(body, args[0], factor.number, to))
        });
        let whole_sum = builder.ir.elem_of(init.value);
        let is_narrow = self.sum == Scalar::Int(64);
        let sum = if is_narrow { builder.ir.int_type(32) } else { whole_sum };
        let start = if is_narrow { loops.filled(builder, 0.0, &init.dims, sum) } else { init.clone() };
        let product = structured(builder, &[&a, &b], start, |body, args| {
            let factors = [args[0], args[1]].map(|value| extend(body, value, sum));
            let multiply = if is_int(body.ir, sum) { Opcode::ArithMuli } else { Opcode::ArithMulf };
            let add = if is_int(body.ir, sum) { Opcode::ArithAddi } else { Opcode::ArithAddf };
            let product = body.binary(multiply, factors[0], factors[1]);
            body.binary(add, args[2], product)
        });
        let mut whole = product;
        if self.has_zeros() {
            let k: Vec<usize> = (0..reduction.len()).filter(|&d| reduction[d]).collect();
            // The sums of the one factor are multiplied by the zero point of the other one.
            let sums: Vec<Option<Part>> = (0..2)
                .map(|i| {
                    let factor = &self.factors[i];
                    let to = scalar_type(builder.ir, types[i]);
                    let (part, number) = match factor.was_converted {
                        true => ([&a, &b][i], Number::Signed(types[i].bits())),
                        false => (&inputs[factor.input], factor.number),
                    };
                    let along = part.dims.iter().copied().filter(|d| !k.contains(d)).collect::<Vec<_>>();
                    self.has_zero(1 - i).then(|| {
                        if let Some(sums) = stated_sums(builder, part, &along, number, sum) {
                            return sums;
                        }
                        let start = loops.filled(builder, 0.0, &along, sum);
                        structured(builder, &[part], start, |body, args| {
                            let value = convert(body, args[0], number, to);
                            let value = extend(body, value, sum);
                            body.binary(Opcode::ArithAddi, args[1], value)
                        })
                    })
                })
                .collect();
            let count = loops.count(builder, &k, sum);
            let points: Vec<Option<Part>> = (self.factors.iter())
                .map(|factor| match factor.zero? {
                    Zero::Here(zero) => inputs.get(args.iter().position(|&arg| arg == zero)?).cloned(),
                    Zero::Before { value, number } => {
                        let byte = Part { value, dims: Vec::new() };
                        let opcode =
                            if matches!(number, Number::Unsigned(_)) { Opcode::ArithExtui } else { Opcode::ArithExtsi };
                        Some(loops.each(builder, &[&byte], sum, |body, args| body.value(opcode, &[args[0]], sum, &[])))
                    }
                })
                .collect();
            let read: Vec<&Part> =
                [Some(&whole), sums[0].as_ref(), sums[1].as_ref(), points[0].as_ref(), points[1].as_ref()]
                    .into_iter()
                    .flatten()
                    .collect();
            whole = loops.each(builder, &read, sum, |body, args| {
                let mut args = args.iter().copied();
                let mut all = args.next().expect("the product is the first part");
                let sums: Vec<Option<ValueId>> =
                    sums.iter().map(|sum| sum.as_ref().and_then(|_| args.next())).collect();
                let zeros: Vec<Option<ValueId>> = (0..2)
                    .map(|i| {
                        let read = points[i].as_ref().and_then(|_| args.next());
                        self.has_zero(i).then(|| self.zero(body, i, read, sum))
                    })
                    .collect();
                for (sum, zero) in sums.iter().zip(zeros.iter().rev()) {
                    if let (Some(sum), Some(zero)) = (sum, zero) {
                        let term = body.binary(Opcode::ArithMuli, *sum, *zero);
                        all = body.binary(Opcode::ArithSubi, all, term);
                    }
                }
                if let (Some(p), Some(q)) = (zeros[0], zeros[1]) {
                    let term = body.binary(Opcode::ArithMuli, p, q);
                    let term = body.binary(Opcode::ArithMuli, term, count);
                    all = body.binary(Opcode::ArithAddi, all, term);
                }
                all
            });
        }
        if is_narrow {
            whole = loops.each(builder, &[&whole, init], whole_sum, |body, args| {
                let wide = extend(body, args[0], whole_sum);
                body.binary(Opcode::ArithAddi, args[1], wide)
            });
        }
        ir.replace_uses(result, whole.value);
        ir.erase(op);
        Some(())
    }

    /// What a factor in its new type is less: its zero point, and -128 where a byte was unsigned.
    fn zero(&self, body: &mut Builder<'_>, factor: usize, read: Option<ValueId>, sum: TypeId) -> ValueId {
        let Factor { number, zero, .. } = &self.factors[factor];
        let stated = read.or_else(|| {
            let number = body.ir.const_int((*zero)?.here()?)?;
            Some(body.int(number, sum))
        });
        if *number != Number::Unsigned(8) {
            return stated.expect("a signed factor has a zero point because one is stated");
        }
        let middle = body.int(128, sum);
        let stated = stated.unwrap_or_else(|| body.int(0, sum));
        body.binary(Opcode::ArithSubi, stated, middle)
    }
}

impl Factor {
    fn zero_here(&self) -> Option<ValueId> {
        self.zero.and_then(Zero::here)
    }

    /// How many bits a signed integer has, and 0 for what is none.
    fn signed_bits(&self) -> u32 {
        if let Number::Signed(bits) = self.number { bits } else { 0 }
    }

    /// The greatest absolute value of an integer less its zero point, if that is known.
    fn greatest(&self, ir: &Ir) -> Option<i64> {
        let [low, high] = self.number.ends()?;
        let [least, most] = match self.zero {
            None => [0, 0],
            Some(Zero::Here(value)) => [ir.const_int(value)?; 2],
            Some(Zero::Before { number, .. }) => number.ends()?,
        };
        Some(high.checked_sub(least)?.max(most.checked_sub(low)?))
    }
}

/// Whether a map leads along distinct loops.
pub(super) fn is_list(map: &Map) -> bool {
    map.as_dims().is_some_and(|dims| dims.iter().enumerate().all(|(i, d)| !dims[..i].contains(d)))
}

/// The element behind conversions that keep its number, and what it is.
pub(super) fn source(ir: &Ir, value: ValueId) -> Option<(ValueId, Number)> {
    let Some(op) = ir.def_op(value) else {
        let number = match Scalar::of(&ir[ir.type_of(value)])? {
            Scalar::Int(bits) => Number::Signed(bits),
            Scalar::Float(float) => Number::Float(float),
            Scalar::Index => return None,
        };
        return Some((value, number));
    };
    let opcode = ir.opcode(op);
    if !matches!(
        opcode,
        Opcode::ArithExtf | Opcode::ArithExtsi | Opcode::ArithExtui | Opcode::ArithSitofp | Opcode::ArithUitofp
    ) {
        return None;
    }
    let (arg, number) = source(ir, ir.operand(op, 0))?;
    let is_arg = ir.def_op(ir.operand(op, 0)).is_none();
    let number = match (opcode, number) {
        (Opcode::ArithExtui | Opcode::ArithUitofp, Number::Signed(bits)) if is_arg => Number::Unsigned(bits),
        // A number that was extended by zeros is not negative.
        (Opcode::ArithExtui | Opcode::ArithUitofp, Number::Signed(_)) => return None,
        (_, number) => number,
    };
    let holds = match Scalar::of(&ir[ir.type_of(value)])? {
        to @ Scalar::Float(_) => number.is_in(to),
        Scalar::Int(_) => true,
        Scalar::Index => false,
    };
    holds.then_some((arg, number))
}

/// What an operation that moves the elements of one tensor, and converts them at most, is to a tensor that it gives: that
/// tensor, and what its elements are if it converts.
fn moved(ir: &Ir, value: ValueId) -> Option<(OpId, ValueId, Option<Number>)> {
    let op = ir.def_op(value)?;
    if matches!(
        ir.opcode(op),
        Opcode::TensorCollapseShape | Opcode::TensorExpandShape | Opcode::TensorExtractSlice | Opcode::TensorCast
    ) {
        return Some((op, ir.operand(op, 0), None));
    }
    let linalg = Linalg::try_of(ir, op).filter(|linalg| !linalg.reduction.contains(&true))?;
    let (&[input], [from, to]) = (&linalg.inputs[..], &linalg.maps[..]) else { return None };
    let &[yielded] = ir.operands(ir.terminator(ir.body(op, 0)?)?) else { return None };
    if !is_list(from) || !to.is_identity() || !ir.ty(input).is_tensor() {
        return None;
    }
    let (arg, number) = source(ir, yielded)?;
    let is_input = ir.args(ir.entry(op)).first() == Some(&arg);
    is_input.then(|| (op, input, (arg != yielded).then_some(number)))
}

/// A tensor of bytes that became a wider one less a zero point.
struct Less {
    from: ValueId,
    /// What its elements are, if the subtraction converts them, too.
    number: Option<Number>,
    /// `None` if it is nothing.
    zero: Option<Zero>,
}

impl Less {
    fn of(ir: &Ir, value: ValueId) -> Option<Less> {
        let op = ir.def_op(value)?;
        let linalg = Linalg::try_of(ir, op).filter(|linalg| !linalg.reduction.contains(&true))?;
        let (&[from, zero], [map, of_zero, to]) = (&linalg.inputs[..], &linalg.maps[..]) else { return None };
        let &[yielded] = ir.operands(ir.terminator(ir.body(op, 0)?)?) else { return None };
        let is_plain = map.is_identity() && to.is_identity() && of_zero.results.is_empty() && ir.ty(zero).is_tensor();
        let difference = ir.def_op(yielded).filter(|&op| is_plain && ir.opcode(op) == Opcode::ArithSubi)?;
        let [minuend, subtrahend] = [0, 1].map(|i| ir.operand(difference, i));
        let ((x, number), (z, byte)) = (source(ir, minuend)?, source(ir, subtrahend)?);
        let is_wide = Scalar::of(&ir[ir.elem_of(value)])?.bits() > 8;
        let is_byte = matches!(byte, Number::Signed(1..=8) | Number::Unsigned(1..=8));
        if ir.args(ir.entry(op))[..2] != [x, z] || !is_wide || !is_byte {
            return None;
        }
        let stated = ir.def_op(zero).and_then(|op| ir.attr(op, "value"));
        let is_nothing = matches!(stated, Some(Attr::Dense { bytes, .. }) if bytes.iter().all(|&byte| byte == 0));
        let zero = (!is_nothing).then_some(Zero::Before { value: zero, number: byte });
        Some(Less { from, number: (x != minuend).then_some(number), zero })
    }
}

/// What the elements of a tensor were before they were converted, on the way of which they may have been moved, and what
/// they are less.
fn converted(ir: &Ir, mut value: ValueId) -> Option<(Number, Option<Zero>)> {
    let (mut zero, mut is_less) = (None, false);
    loop {
        let number = match Less::of(ir, value).filter(|_| !is_less) {
            Some(less) => {
                (value, zero, is_less) = (less.from, less.zero, true);
                less.number
            }
            None => {
                let (_, from, number) = moved(ir, value)?;
                value = from;
                number
            }
        };
        if let Some(number) = number {
            // A difference of others may leave the type that it is computed in.
            let is_byte = matches!(number, Number::Signed(1..=8) | Number::Unsigned(1..=8));
            return (!is_less || is_byte).then_some((number, zero));
        }
    }
}

/// A tensor of the numbers that another one holds since they were converted.
fn before(builder: &mut Builder<'_>, value: ValueId, number: Number, to: TypeId) -> ValueId {
    if let Some(less) = Less::of(builder.ir, value) {
        if less.number.is_none() {
            return before(builder, less.from, number, to);
        }
        let map = Map::identity(builder.ir.shape_of(value).len());
        return converted_along(builder, less.from, &map, value, to, Some(number));
    }
    let Some((op, from, converts)) = moved(builder.ir, value) else { return value };
    let from = if converts.is_some() { from } else { before(builder, from, number, to) };
    let ty = builder.ir.type_of(value);
    let ty = builder.ir.with_elem(ty, to);
    let Some(linalg) = Linalg::try_of(builder.ir, op) else {
        let operands: Vec<ValueId> = [from].into_iter().chain(builder.ir.operands(op)[1..].iter().copied()).collect();
        let (opcode, attrs) = (builder.ir.opcode(op), builder.ir.attr_dict(op));
        let new = builder.ir.create_with(opcode, &operands, &[ty], attrs, builder.span);
        builder.place(new);
        return builder.ir.result(new, 0);
    };
    let map = linalg.maps[0].clone();
    converted_along(builder, from, &map, value, to, converts.map(|_| number))
}

/// A tensor of the shape of `like`, each element of which is one of another tensor, converted if it is said of what.
fn converted_along(
    builder: &mut Builder<'_>,
    from: ValueId,
    map: &Map,
    like: ValueId,
    to: TypeId,
    number: Option<Number>,
) -> ValueId {
    if builder.ir.elem_of(from) == to && map.is_identity() && !matches!(number, Some(Number::Unsigned(8))) {
        return from;
    }
    let rank = builder.ir.shape_of(like).len();
    let extents: Vec<Mixed> = (0..rank).map(|d| mixed_extent(builder, like, d)).collect();
    let (shape, open) = unmixed(&extents);
    let ty = builder.ir.tensor_type(&shape, to);
    let empty = builder.value(Opcode::TensorEmpty, &open, ty, &[]);
    let read = Part { value: from, dims: map.as_dims().unwrap_or_default() };
    let out = Part { value: empty, dims: (0..rank).collect() };
    let copy = |body: &mut Builder<'_>, args: &[ValueId]| match number {
        Some(number) => convert(body, args[0], number, to),
        None => args[0],
    };
    structured(builder, &[&read], out, copy).value
}

fn is_int(ir: &Ir, ty: TypeId) -> bool {
    matches!(Scalar::of(&ir[ty]), Some(Scalar::Int(_)))
}

fn scalar_type(ir: &mut Ir, scalar: Scalar) -> TypeId {
    match scalar {
        Scalar::Int(bits) => ir.int_type(bits),
        Scalar::Float(float) => ir.float_type(float),
        Scalar::Index => ir.index_type(),
    }
}

/// The constant whose elements a tensor has in another order, if they are of 8 bits at most.
fn stated_bytes(ir: &Ir, mut value: ValueId) -> Option<OpId> {
    while let Some((op, from, None)) = moved(ir, value) {
        Linalg::try_of(ir, op)?;
        value = from;
    }
    let constant = ir.def_op(value).filter(|&op| ir.opcode(op) == Opcode::ArithConstant)?;
    let is_dense = matches!(ir.attr(constant, "value"), Some(Attr::Dense { .. }));
    (is_dense && Scalar::of(&ir[ir.elem_of(value)])?.bits() <= 8).then_some(constant)
}

/// The sums along other loops of a factor whose bytes the program states, as those of weights: no kernel computes them.
fn stated_sums(builder: &mut Builder<'_>, part: &Part, along: &[usize], number: Number, sum: TypeId) -> Option<Part> {
    let constant = stated_bytes(builder.ir, part.value)?;
    let mut part = part.clone();
    while let Some((op, from, None)) = moved(builder.ir, part.value) {
        let read = Linalg::try_of(builder.ir, op)?.maps[0].as_dims()?;
        part = Part { value: from, dims: read.into_iter().map(|d| part.dims[d]).collect() };
    }
    let ir = &mut *builder.ir;
    let bits =
        Scalar::of(&ir[ir.elem_of(part.value)]).filter(|_| Scalar::of(&ir[sum]) == Some(Scalar::Int(32)))?.bits();
    let Some(Attr::Dense { bytes, splat, .. }) = ir.attr(constant, "value") else { return None };
    let number_of = |byte: u8| match number {
        Number::Unsigned(8) => i32::from(byte) - 128,
        Number::Unsigned(_) => i32::from(byte),
        _ => i32::from((byte << (8 - bits)) as i8 >> (8 - bits)),
    };
    let shape = ir.shape_of(part.value).to_vec();
    let extent_of = |d: &usize| part.dims.iter().position(|other| other == d).map(|at| shape[at]);
    let sizes: Vec<i64> = along.iter().map(extent_of).collect::<Option<_>>()?;
    // How far apart the sums are that neighbours along each dimension are parts of.
    let step_of = |d: &usize| {
        let at = along.iter().position(|other| other == d);
        at.map_or(0, |at| sizes[at + 1..].iter().product::<i64>() as usize)
    };
    let steps: Vec<usize> = part.dims.iter().map(step_of).collect();
    let mut sums = vec![0i32; sizes.iter().product::<i64>() as usize];
    let mut place = vec![0; shape.len()];
    for i in 0..shape.iter().product::<i64>() as usize {
        let byte = bytes[if *splat { 0 } else { i }];
        let at: usize = place.iter().zip(&steps).map(|(place, step)| *place as usize * step).sum();
        sums[at] = sums[at].wrapping_add(number_of(byte));
        for (d, place) in place.iter_mut().enumerate().rev() {
            *place = (*place + 1) % shape[d];
            if *place != 0 {
                break;
            }
        }
    }
    let bytes = sums.iter().flat_map(|sum| sum.to_le_bytes()).collect();
    let ty = ir.tensor_type(&sizes, sum);
    let value = builder.constant(Attr::Dense { ty, splat: false, bytes }, ty);
    Some(Part { value, dims: along.to_vec() })
}

/// A number in a type that has it; an unsigned byte less 128.
fn convert(body: &mut Builder<'_>, value: ValueId, number: Number, to: TypeId) -> ValueId {
    let to_int = is_int(body.ir, to);
    let is_byte = number == Number::Unsigned(8) && to_int;
    if body.ir.type_of(value) == to && !is_byte {
        return value;
    }
    match number {
        Number::Float(_) => body.value(Opcode::ArithExtf, &[value], to, &[]),
        Number::Signed(_) if to_int => body.value(Opcode::ArithExtsi, &[value], to, &[]),
        Number::Signed(_) => body.value(Opcode::ArithSitofp, &[value], to, &[]),
        Number::Unsigned(_) if is_byte => {
            let sign = body.int(-128, to);
            body.binary(Opcode::ArithXori, value, sign)
        }
        Number::Unsigned(_) if to_int => body.value(Opcode::ArithExtui, &[value], to, &[]),
        Number::Unsigned(_) => body.value(Opcode::ArithUitofp, &[value], to, &[]),
    }
}

/// A factor in the type of the sum.
fn extend(body: &mut Builder<'_>, value: ValueId, sum: TypeId) -> ValueId {
    if body.ir.type_of(value) == sum {
        return value;
    }
    let opcode = if is_int(body.ir, sum) { Opcode::ArithExtsi } else { Opcode::ArithExtf };
    body.value(opcode, &[value], sum, &[])
}
