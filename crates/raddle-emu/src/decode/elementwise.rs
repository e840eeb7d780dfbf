//! Decode constants and operations on each element.

use num_bigint::BigInt;
use raddle_ir::ops::{Arith, ByDialect, Index, Math, Vector};
use raddle_ir::{Attr, Diag, Float, OpId, Opcode, Scalar, TypeId, ValueId};

use super::{Decoder, Numeric};
use crate::inst::{Combine, Float1, Float2, Inst, Int1, Int2, Known, Test};
use crate::regs::{Bank, Complex, Reg};
use crate::round::{Round, wrap};

impl Decoder<'_> {
    pub(super) fn constant(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        match ir.opcode(op) {
            Opcode::UbPoison => return self.poison(op),
            Opcode::VectorStep => {
                let result = ir.result(op, 0);
                let Numeric { bank, n, .. } = self.numeric(ir.type_of(result))?;
                self.reserve(n as usize * 8)?;
                let reg = self.known(bank, n, Known::Ints((0..i64::from(n)).collect()))?;
                self.values.insert(result, reg);
                return Ok(());
            }
            _ => {}
        }
        let result = ir.result(op, 0);
        let reg = self.data(ir.type_of(result), ir.attr(op, "value"))?;
        self.values.insert(result, reg);
        Ok(())
    }

    /// The register of a value that is data of the program.
    pub(super) fn data(&mut self, ty: TypeId, value: Option<&Attr>) -> Result<Reg, Diag> {
        let ir = self.ir;
        let Numeric { bank, n, scalar } = self.numeric(ty)?;
        let width = scalar.bits();
        let known = match value {
            Some(Attr::Float { bits, .. }) => Known::Float(f64::from_bits(*bits)),
            Some(attr @ (Attr::Int { .. } | Attr::Wide { .. })) if bank == Bank::Wide => Known::Wide(integer(attr)),
            Some(Attr::Int { value, .. }) => Known::Int(wrap(*value as i64, width)),
            Some(Attr::Bool(value)) => Known::Int(i64::from(*value)),
            Some(Attr::Array(parts)) if bank == Bank::Complex => {
                let parts: Vec<Attr> = parts.iter().map(|&part| ir[part].clone()).collect();
                Known::Complexes(super::complex::numbers(&parts))
            }
            Some(attr @ Attr::Dense { splat, .. }) if bank == Bank::Complex => {
                let numbers = super::complex::numbers(&ir.dense_elems(attr));
                if numbers.len() != if *splat { 1 } else { n as usize } {
                    return Err(self.error("a dense constant has another number of elements than its type".into()));
                }
                Known::Complexes(numbers)
            }
            Some(attr @ Attr::Dense { splat, .. }) => {
                let elems = ir.dense_elems(attr);
                if !splat && elems.len() != n as usize {
                    return Err(self.error("a dense constant has another number of elements than its type".into()));
                }
                let int = |elem: &Attr| if let Attr::Int { value, .. } = elem { wrap(*value as i64, width) } else { 0 };
                let float = |elem: &Attr| elem.as_f64().unwrap_or(0.0);
                match (bank, *splat) {
                    (Bank::Int, true) => Known::Int(elems.first().map_or(0, int)),
                    (Bank::Int, false) => Known::Ints(elems.iter().map(int).collect()),
                    (Bank::Wide, true) => Known::Wide(elems.first().map_or(BigInt::ZERO, integer)),
                    (Bank::Wide, false) => Known::Wides(elems.iter().map(integer).collect()),
                    (_, true) => Known::Float(elems.first().map_or(0.0, float)),
                    (_, false) => Known::Floats(elems.iter().map(float).collect()),
                }
            }
            _ => return Err(self.error("the constant has a value that the emulator cannot read".into())),
        };
        match known {
            // Single integers are shared with those that decoding itself needs.
            Known::Int(value) if n == 1 => self.int(value),
            known => self.known(bank, n, known),
        }
    }

    /// A value that nothing may depend on: NaN, or a striking integer.
    pub(super) fn poison(&mut self, op: OpId) -> Result<(), Diag> {
        let result = self.ir.result(op, 0);
        let Numeric { bank, n, scalar } = self.numeric(self.ir.type_of(result))?;
        let known = match bank {
            Bank::Int => Known::Int(wrap(0x5a5a_5a5a_5a5a_5a5a, scalar.bits())),
            Bank::Wide => Known::Wide(0x5a5a_5a5a_5a5a_5a5a_i64.into()),
            Bank::Complex => Known::Complexes(vec![Complex { re: f64::NAN, im: f64::NAN }]),
            _ => Known::Float(f64::NAN),
        };
        let reg = self.known(bank, n, known)?;
        self.values.insert(result, reg);
        Ok(())
    }

    pub(super) fn elementwise(&mut self, op: OpId) -> Result<(), Diag> {
        use Arith::*;
        use Index::*;
        use Math::*;
        let ir = self.ir;
        let opcode = ir.opcode(op);
        let operands = self.regs(ir.operands(op))?;
        let (Some(&a), Some(&first), Some(result)) = (operands.first(), ir.operands(op).first(), ir.results(op).next())
        else {
            return Err(self.error(format!("`{}` lacks an operand or a result", self.name())));
        };
        let from = self.elem(first)?;
        let to = self.numeric(ir.type_of(result))?;
        let (width, to_width) = (from.bits(), to.scalar.bits());
        let round = Round::of(to.scalar, self.precision);
        let n = u64::from(to.n);
        // Every operand has the result's elements, but for a select by one condition.
        let single = opcode == Opcode::ArithSelect && a.n == 1;
        if operands.iter().skip(usize::from(single)).any(|reg| reg.n != to.n) {
            return Err(self.error(format!("the operands of `{}` differ in shape", self.name())));
        }

        // What changes nothing costs nothing.
        let same = match opcode {
            // Half precision has fewer exponents than powers of two in 8 bits.
            Opcode::ArithExtf => {
                let narrows = (from, to.scalar) == (Scalar::Float(Float::F8E8M0FNU), Scalar::Float(Float::F16));
                a.bank == to.bank && !narrows
            }
            Opcode::ArithTruncf => a.bank == to.bank && round == Round::Keep,
            Opcode::ArithExtsi | Opcode::ArithIndexCast | Opcode::IndexCasts => {
                a.bank == to.bank && to_width >= width && width > 1
            }
            Opcode::ArithBitcast => from == to.scalar,
            _ => false,
        };
        if same {
            self.values.insert(result, a);
            return Ok(());
        }
        if let (Opcode::RaddleByteDot | Opcode::RaddleShortDot, &[a, b, c]) = (opcode, &operands[..]) {
            return self.integer_dot(op, [a, b, c]);
        }
        if let (Opcode::RaddlePairDot, &[a, b, c]) = (opcode, &operands[..]) {
            return self.pair_dot(op, [a, b, c], width);
        }

        let dst = self.define(result)?;
        let operand = |at: usize| operands.get(at).copied();
        let (b, c) = (operand(1).unwrap_or(a), operand(2).unwrap_or(a));
        let float1 = |op| Inst::Float1 { op, dst, a, round };
        let float2 = |op| Inst::Float2 { op, dst, a, b, round };
        let int2 = |op| Inst::Int2 { op, dst, a, b, width };
        let int1 = |op| Inst::Int1 { op, dst, a, width };
        let test = |test| Inst::Test { test, dst, a, least_normal: least_normal(from) };
        let predicate = || ir.attr(op, "predicate").and_then(Attr::as_i64).and_then(|p| u8::try_from(p).ok());
        // Each operation of these dialects is named: a new row needs an arm.
        let inst = match opcode.by_dialect() {
            ByDialect::Arith(own) => match own {
                ArithAddf => float2(Float2::Add),
                ArithSubf => float2(Float2::Sub),
                ArithMulf => float2(Float2::Mul),
                ArithDivf => float2(Float2::Div),
                ArithRemf => float2(Float2::Rem),
                ArithNegf => float1(Float1::Neg),
                ArithMaximumf => float2(Float2::Maximum),
                ArithMinimumf => float2(Float2::Minimum),
                ArithMaxnumf => float2(Float2::MaxNum),
                ArithMinnumf => float2(Float2::MinNum),
                ArithAddi => int2(Int2::Add),
                ArithSubi => int2(Int2::Sub),
                ArithMuli => int2(Int2::Mul),
                ArithDivsi => int2(Int2::DivS),
                ArithDivui => int2(Int2::DivU),
                ArithCeildivsi => int2(Int2::CeilDivS),
                ArithCeildivui => int2(Int2::CeilDivU),
                ArithFloordivsi => int2(Int2::FloorDivS),
                ArithRemsi => int2(Int2::RemS),
                ArithRemui => int2(Int2::RemU),
                ArithAndi => int2(Int2::And),
                ArithOri => int2(Int2::Or),
                ArithXori => int2(Int2::Xor),
                ArithShli => int2(Int2::Shl),
                ArithShrsi => int2(Int2::ShrS),
                ArithShrui => int2(Int2::ShrU),
                ArithMaxsi => int2(Int2::MaxS),
                ArithMaxui => int2(Int2::MaxU),
                ArithMinsi => int2(Int2::MinS),
                ArithMinui => int2(Int2::MinU),
                ArithCmpi => match predicate() {
                    Some(predicate @ 0..10) => Inst::CmpI { predicate, dst, a, b, width },
                    _ => return Err(self.error("`arith.cmpi` has no known predicate".into())),
                },
                ArithCmpf => match predicate() {
                    Some(predicate @ 0..16) => Inst::CmpF { predicate, dst, a, b },
                    _ => return Err(self.error("`arith.cmpf` has no known predicate".into())),
                },
                ArithSelect => Inst::Select { dst, cond: a, a: b, b: c },
                ArithExtf | ArithTruncf => Inst::FloatCast { dst, a, round },
                ArithExtsi | ArithIndexCast => Inst::IntCast { dst, a, signed: true, from: width, to: to_width },
                ArithExtui | ArithTrunci | ArithIndexCastui => {
                    Inst::IntCast { dst, a, signed: false, from: width, to: to_width }
                }
                ArithSitofp => Inst::IntToFloat { dst, a, signed: true, width, round },
                ArithUitofp => Inst::IntToFloat { dst, a, signed: false, width, round },
                ArithFptosi => Inst::FloatToInt { dst, a, signed: true, width: to_width },
                ArithFptoui => Inst::FloatToInt { dst, a, signed: false, width: to_width },
                ArithBitcast => Inst::Bitcast { dst, a, from, to: to.scalar },
                // Decoded elsewhere.
                ArithConstant | ArithAdduiExtended | ArithMulsiExtended | ArithMuluiExtended | ArithScalingExtf
                | ArithScalingTruncf => return Err(self.unknown(op)),
            },
            ByDialect::Math(own) => match own {
                MathAbsf => float1(Float1::Abs),
                MathExp => float1(Float1::Exp),
                MathExp2 => float1(Float1::Exp2),
                MathLog => float1(Float1::Log),
                MathLog2 => float1(Float1::Log2),
                MathSqrt => float1(Float1::Sqrt),
                MathRsqrt => float1(Float1::Rsqrt),
                MathTanh => float1(Float1::Tanh),
                MathErf => float1(Float1::Erf),
                MathSin => float1(Float1::Sin),
                MathCos => float1(Float1::Cos),
                MathFloor => float1(Float1::Floor),
                MathCeil => float1(Float1::Ceil),
                MathAcos => float1(Float1::Acos),
                MathAcosh => float1(Float1::Acosh),
                MathAsin => float1(Float1::Asin),
                MathAsinh => float1(Float1::Asinh),
                MathAtan => float1(Float1::Atan),
                MathAtanh => float1(Float1::Atanh),
                MathCbrt => float1(Float1::Cbrt),
                MathCosh => float1(Float1::Cosh),
                MathErfc => float1(Float1::Erfc),
                MathExpm1 => float1(Float1::ExpM1),
                MathLog10 => float1(Float1::Log10),
                MathLog1p => float1(Float1::Log1p),
                MathRound => float1(Float1::Round),
                MathRoundeven => float1(Float1::RoundEven),
                MathSinh => float1(Float1::Sinh),
                MathTan => float1(Float1::Tan),
                MathTrunc => float1(Float1::Trunc),
                MathAtan2 => float2(Float2::Atan2),
                MathCopysign => float2(Float2::CopySign),
                MathFpowi => Inst::PowI { dst, a, b, round },
                MathIsfinite => test(Test::Finite),
                MathIsinf => test(Test::Infinite),
                MathIsnan => test(Test::NaN),
                MathIsnormal => test(Test::Normal),
                MathAbsi => int1(Int1::Abs),
                MathCtlz => int1(Int1::LeadingZeros),
                MathCttz => int1(Int1::TrailingZeros),
                MathCtpop => int1(Int1::Ones),
                MathIpowi => int2(Int2::Power),
                MathPowf => float2(Float2::Pow),
                MathFma => Inst::Fma { dst, a, b, c, round },
                // Decoded elsewhere.
                MathClampf | MathSincos => return Err(self.unknown(op)),
            },
            ByDialect::Index(own) => match own {
                IndexCasts => Inst::IntCast { dst, a, signed: true, from: width, to: to_width },
                IndexCastu => Inst::IntCast { dst, a, signed: false, from: width, to: to_width },
                IndexAdd => int2(Int2::Add),
                IndexSub => int2(Int2::Sub),
                IndexMul => int2(Int2::Mul),
                IndexDivs => int2(Int2::DivS),
                IndexDivu => int2(Int2::DivU),
                IndexCeildivs => int2(Int2::CeilDivS),
                IndexCeildivu => int2(Int2::CeilDivU),
                IndexFloordivs => int2(Int2::FloorDivS),
                IndexRems => int2(Int2::RemS),
                IndexRemu => int2(Int2::RemU),
                IndexMaxs => int2(Int2::MaxS),
                IndexMaxu => int2(Int2::MaxU),
                IndexMins => int2(Int2::MinS),
                IndexMinu => int2(Int2::MinU),
                IndexAnd => int2(Int2::And),
                IndexOr => int2(Int2::Or),
                IndexXor => int2(Int2::Xor),
                IndexShl => int2(Int2::Shl),
                IndexShrs => int2(Int2::ShrS),
                IndexShru => int2(Int2::ShrU),
                IndexCmp => {
                    const WORDS: [&str; 10] = ["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"];
                    let word = ir.keyword_of(op, "pred");
                    match WORDS.iter().position(|known| Some(*known) == word) {
                        Some(predicate) => Inst::CmpI { predicate: predicate as u8, dst, a, b, width },
                        None => return Err(self.error("`index.cmp` has no known predicate".into())),
                    }
                }
                // Decoded elsewhere.
                IndexConstant | IndexBoolConstant | IndexSizeof => return Err(self.unknown(op)),
            },
            ByDialect::Vector(Vector::VectorFma) => Inst::Fma { dst, a, b, c, round },
            _ => return Err(self.unknown(op)),
        };
        self.check_banks(&inst)?;
        self.emit_cost(inst, n)
    }

    /// `raddle.byte_dot` and `raddle.short_dot`: parts are cut out of words by shifts, the lowest one first.
    fn integer_dot(&mut self, op: OpId, [a, b, c]: [Reg; 3]) -> Result<(), Diag> {
        const WORD: u32 = 32;
        if self.elem(self.ir.result(op, 0))? != Scalar::Int(WORD) {
            return Err(self.error("products of parts are summed in 32 bits".into()));
        }
        let (count, first) = match self.ir.opcode(op) {
            Opcode::RaddleByteDot => (4, Int2::ShrU),
            _ => (2, Int2::ShrS),
        };
        let (dst, n) = (self.result(op)?, c.n);
        let mut sum = c;
        for part in 0..count {
            let mut parts = [a, b];
            for (at, (value, right)) in parts.iter_mut().zip([first, Int2::ShrS]).enumerate() {
                let bits = self.elem(self.ir.operand(op, at))?.bits() / count;
                for (shift, by) in [(Int2::Shl, WORD - bits * (part + 1)), (right, WORD - bits)] {
                    let by = self.known(Bank::Int, n, Known::Int(i64::from(by)))?;
                    let to = self.fresh(Bank::Int, n, self.block)?;
                    self.pairwise(Combine::Int(shift, WORD), to, *value, by)?;
                    *value = to;
                }
            }
            let product = self.fresh(Bank::Int, n, self.block)?;
            self.pairwise(Combine::Int(Int2::Mul, WORD), product, parts[0], parts[1])?;
            let to = if part + 1 == count { dst } else { self.fresh(Bank::Int, n, self.block)? };
            self.pairwise(Combine::Int(Int2::Add, WORD), to, sum, product)?;
            sum = to;
        }
        Ok(())
    }

    /// `raddle.pair_dot`: a bf16 is the upper half of an f32; the upper one of a word comes first.
    fn pair_dot(&mut self, op: OpId, [a, b, c]: [Reg; 3], width: u32) -> Result<(), Diag> {
        let float = self.elem(self.ir.result(op, 0))?;
        if width != 32 || float != Scalar::Float(Float::F32) {
            return Err(self.error("`raddle.pair_dot` is on words of 32 bits and f32".into()));
        }
        let (dst, n) = (self.result(op)?, c.n);
        let half = self.known(Bank::Int, n, Known::Int(16))?;
        let mut sum = c;
        for lower in [false, true] {
            let mut factors = [a, b];
            for value in &mut factors {
                let shifts: &[Int2] = if lower { &[Int2::Shl] } else { &[Int2::ShrU, Int2::Shl] };
                for &shift in shifts {
                    let to = self.fresh(Bank::Int, n, self.block)?;
                    self.pairwise(Combine::Int(shift, width), to, *value, half)?;
                    *value = to;
                }
                let to = self.fresh(c.bank, n, self.block)?;
                let inst = Inst::Bitcast { dst: to, a: *value, from: Scalar::Int(width), to: float };
                self.emit_cost(inst, u64::from(n))?;
                *value = to;
            }
            let [a, b] = factors;
            let to = if lower { dst } else { self.fresh(c.bank, n, self.block)? };
            let inst = Inst::Fma { dst: to, a, b, c: sum, round: Round::of(float, self.precision) };
            self.check_banks(&inst)?;
            self.emit_cost(inst, u64::from(n))?;
            sum = to;
        }
        Ok(())
    }

    /// `arith.scaling_extf` and `arith.scaling_truncf`: by a power of two, the scale brought to f8E8M0FNU first.
    pub(super) fn scaling(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        let (a, scale) = (self.operand(op, 0)?, self.operand(op, 1)?);
        let to = self.numeric(ir.type_of(ir.result(op, 0)))?;
        let extends = ir.opcode(op) == Opcode::ArithScalingExtf;
        // The arithmetic is that of the wider type.
        let (bank, scalar) = if extends { (to.bank, to.scalar) } else { (a.bank, self.elem(ir.operand(op, 0))?) };
        let power = self.fresh(bank, scale.n, self.block)?;
        let inst = Inst::FloatCast { dst: power, a: scale, round: Round::Other(Float::F8E8M0FNU) };
        self.check_banks(&inst)?;
        self.emit_cost(inst, u64::from(scale.n))?;
        let wide = if a.bank == bank { a } else { self.fresh(bank, a.n, self.block)? };
        if wide != a {
            self.emit_cost(Inst::FloatCast { dst: wide, a, round: Round::Keep }, u64::from(a.n))?;
        }
        let dst = self.result(op)?;
        let scaled = if extends { dst } else { self.fresh(bank, a.n, self.block)? };
        let op2 = if extends { Float2::Mul } else { Float2::Div };
        self.pairwise(Combine::Float(op2, Round::of(scalar, self.precision)), scaled, wide, power)?;
        if extends {
            return Ok(());
        }
        let inst = Inst::FloatCast { dst, a: scaled, round: Round::of(to.scalar, self.precision) };
        self.check_banks(&inst)?;
        self.emit_cost(inst, u64::from(dst.n))
    }

    /// Operations with two results: a sum with its carry, a product with its upper half; and an index's constant.
    pub(super) fn extended(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        let [a, b] = self.regs(ir.operands(op))?[..] else { return Err(self.unknown(op)) };
        let width = self.elem(ir.operand(op, 0))?.bits();
        let (low, high) = match ir.opcode(op) {
            Opcode::ArithAdduiExtended => (Int2::Add, Int2::Carry),
            Opcode::ArithMulsiExtended => (Int2::Mul, Int2::HighS),
            _ => (Int2::Mul, Int2::HighU),
        };
        for (result, inst) in ir.results(op).zip([low, high]) {
            let dst = self.define(result)?;
            if dst.n != a.n || dst.n != b.n {
                return Err(self.error(format!("the types of `{}` do not fit together", self.name())));
            }
            let inst = Inst::Int2 { op: inst, dst, a, b, width };
            self.check_banks(&inst)?;
            self.emit_cost(inst, u64::from(dst.n))?;
        }
        Ok(())
    }

    pub(super) fn sine_and_cosine(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        let &[a] = &self.regs(ir.operands(op))?[..] else { return Err(self.unknown(op)) };
        for (result, function) in ir.results(op).zip([Float1::Sin, Float1::Cos]) {
            let dst = self.define(result)?;
            let round = Round::of(self.elem(result)?, self.precision);
            let inst = Inst::Float1 { op: function, dst, a, round };
            self.check_banks(&inst)?;
            self.emit_cost(inst, u64::from(dst.n))?;
        }
        Ok(())
    }

    /// The arrays that an instruction works on are those of its operands' banks.
    pub(super) fn check_banks(&self, inst: &Inst) -> Result<(), Diag> {
        let float = |reg: Reg| matches!(reg.bank, Bank::F32 | Bank::F64);
        let int = |reg: Reg| reg.bank == Bank::Int;
        let any_int = |reg: Reg| matches!(reg.bank, Bank::Int | Bank::Wide);
        let good = match *inst {
            Inst::Float1 { dst, a, .. } => float(a) && dst.bank == a.bank,
            Inst::Float2 { dst, a, b, .. } => float(a) && dst.bank == a.bank && b.bank == a.bank,
            Inst::Fma { dst, a, b, c, .. } => float(a) && [dst, b, c].iter().all(|reg| reg.bank == a.bank),
            Inst::Int1 { dst, a, .. } => any_int(a) && dst.bank == a.bank,
            Inst::PowI { dst, a, b, .. } => float(a) && dst.bank == a.bank && int(b),
            Inst::Test { dst, a, .. } => int(dst) && float(a),
            Inst::Int2 { op: Int2::Carry, dst, a, b, .. } | Inst::CmpI { dst, a, b, .. } => {
                int(dst) && any_int(a) && b.bank == a.bank
            }
            Inst::Int2 { dst, a, b, .. } => any_int(a) && [dst, b].iter().all(|reg| reg.bank == a.bank),
            Inst::CmpF { dst, a, b, .. } => int(dst) && float(a) && b.bank == a.bank,
            Inst::Select { dst, cond, a, b } => int(cond) && dst.bank == a.bank && b.bank == a.bank,
            Inst::FloatCast { dst, a, .. } => float(dst) && float(a),
            Inst::IntCast { dst, a, .. } => any_int(dst) && any_int(a),
            Inst::IntToFloat { dst, a, .. } => float(dst) && any_int(a),
            Inst::FloatToInt { dst, a, .. } => any_int(dst) && float(a),
            _ => true,
        };
        if good { Ok(()) } else { Err(self.error(format!("the types of `{}` do not fit together", self.name()))) }
    }

    /// The combining function that an attribute names, for elements of the type of `value`.
    pub(super) fn combine(&self, op: OpId, attr: &str, value: ValueId) -> Result<Combine, Diag> {
        let scalar = self.elem(value)?;
        let word = self.ir.keyword_of(op, attr).unwrap_or("add");
        self.combine_named(word, scalar)
    }

    pub(super) fn combine_named(&self, word: &str, scalar: Scalar) -> Result<Combine, Diag> {
        let round = Round::of(scalar, self.precision);
        let float = matches!(scalar, Scalar::Float(_));
        let combine = match (word, float) {
            ("add", true) => Combine::Float(Float2::Add, round),
            ("mul", true) => Combine::Float(Float2::Mul, round),
            ("minnumf", true) => Combine::Float(Float2::MinNum, round),
            ("maxnumf", true) => Combine::Float(Float2::MaxNum, round),
            ("minimumf", true) => Combine::Float(Float2::Minimum, round),
            ("maximumf", true) => Combine::Float(Float2::Maximum, round),
            ("add", false) => Combine::Int(Int2::Add, scalar.bits()),
            ("mul", false) => Combine::Int(Int2::Mul, scalar.bits()),
            ("minui", false) => Combine::Int(Int2::MinU, scalar.bits()),
            ("minsi", false) => Combine::Int(Int2::MinS, scalar.bits()),
            ("maxui", false) => Combine::Int(Int2::MaxU, scalar.bits()),
            ("maxsi", false) => Combine::Int(Int2::MaxS, scalar.bits()),
            ("and", false) => Combine::Int(Int2::And, scalar.bits()),
            ("or", false) => Combine::Int(Int2::Or, scalar.bits()),
            ("xor", false) => Combine::Int(Int2::Xor, scalar.bits()),
            _ => return Err(self.error(format!("`{word}` does not combine values of type `{scalar}`"))),
        };
        Ok(combine)
    }
}

/// The smallest normal number of a float type.
fn least_normal(scalar: Scalar) -> f64 {
    let Scalar::Float(float) = scalar else { return 0.0 };
    let exponent = match float {
        Float::F64 | Float::F80 | Float::F128 => -1022,
        Float::F32 | Float::BF16 | Float::TF32 => -126,
        Float::F16 | Float::F8E5M2 => -14,
        Float::F8E5M2FNUZ => -15,
        Float::F8E4M3 | Float::F8E4M3FN => -6,
        Float::F8E4M3FNUZ => -7,
        Float::F8E4M3B11FNUZ => -10,
        Float::F8E3M4 | Float::F6E3M2FN => -2,
        Float::F8E8M0FNU => -127,
        Float::F6E2M3FN | Float::F4E2M1FN => 0,
    };
    2f64.powi(exponent)
}

/// The value of an integer attribute.
fn integer(attr: &Attr) -> BigInt {
    attr.as_integer().unwrap_or_default()
}
