//! Integer and index arithmetic.
//!
//! A register holds an integer with zeros above its width. Operations that read the sign extend it first, and results
//! that may have carried out of the width are cut back.

use raddle_ir::{Diag, Ir, OpId, Opcode, Scalar, ValueId};

use super::value::{Atom, Cx, Kind, Operand, Reg, mask};

/// The shape of an integer in its register.
#[derive(Clone, Copy)]
pub(super) struct Int {
    /// The class of the register: 32 or 64 bits, also for one bit, which is widened to compute with.
    pub kind: Kind,
    /// Bits of the type.
    pub width: u32,
}

impl Int {
    /// The shape of a scalar type.
    pub fn of(cx: &Cx<'_>, scalar: Scalar) -> Int {
        match scalar {
            Scalar::Index => Int { kind: cx.index, width: cx.index.bits() },
            scalar if scalar.bits() > 32 => Int { kind: Kind::B64, width: scalar.bits() },
            scalar => Int { kind: Kind::B32, width: scalar.bits() },
        }
    }

    /// Whether the type is narrower than its register.
    fn is_narrow(self) -> bool {
        self.width < self.kind.bits()
    }

    /// An immediate operand.
    pub fn imm(self, value: u64) -> Operand {
        Operand::Imm(self.kind, value)
    }

    /// The operand with zeros above its width; one bit becomes 0 or 1.
    pub fn unsigned(self, cx: &mut Cx<'_>, atom: Atom) -> Operand {
        match atom {
            Atom::Imm(bits) => self.imm(bits),
            atom if self.width == 1 => {
                let bit = cx.reg_of(atom, Kind::Pred);
                cx.compute("selp.b32", Kind::B32, &[self.imm(1), self.imm(0), bit.into()]).into()
            }
            atom => cx.operand_of(atom, self.kind),
        }
    }

    /// The operand with its sign above its width; one bit becomes 0 or -1.
    pub fn signed(self, cx: &mut Cx<'_>, atom: Atom) -> Operand {
        if !self.is_narrow() {
            return cx.operand_of(atom, self.kind);
        }
        let shift = self.kind.bits() - self.width;
        match atom {
            Atom::Imm(bits) => {
                let shift = 64 - self.width;
                self.imm(((bits << shift) as i64 >> shift) as u64 & mask(self.kind.bits()))
            }
            atom if self.width == 1 => {
                let bit = cx.reg_of(atom, Kind::Pred);
                cx.compute("selp.b32", Kind::B32, &[self.imm(mask(32)), self.imm(0), bit.into()]).into()
            }
            // A few bits of a byte of a word: one instruction takes them out and extends them.
            Atom::Part { word, at, bits } if self.width < bits => {
                let [first, width] = [at * bits, self.width].map(|n| Operand::Imm(Kind::B32, n.into()));
                cx.compute("bfe.s32", Kind::B32, &[word.into(), first, width]).into()
            }
            atom => {
                let reg = cx.reg_of(atom, self.kind);
                match self.width {
                    8 => cx.compute("cvt.s32.s8", self.kind, &[reg.into()]).into(),
                    16 => cx.compute("cvt.s32.s16", self.kind, &[reg.into()]).into(),
                    _ => {
                        let shift = Operand::Imm(Kind::B32, shift.into());
                        let name = if self.kind == Kind::B64 { ["shl.b64", "shr.s64"] } else { ["shl.b32", "shr.s32"] };
                        let reg = cx.compute(name[0], self.kind, &[reg.into(), shift]);
                        cx.compute(name[1], self.kind, &[reg.into(), shift]).into()
                    }
                }
            }
        }
    }

    /// The scalar that a register stands for once what lies above the width is cut off.
    pub fn cut(self, cx: &mut Cx<'_>, reg: Operand) -> Atom {
        let reg = match reg {
            Operand::Imm(_, bits) => return Atom::Imm(bits & mask(self.width)),
            Operand::Reg(reg) => reg,
        };
        if !self.is_narrow() {
            return Atom::Reg(reg);
        }
        let name = if self.kind == Kind::B64 { "and.b64" } else { "and.b32" };
        let reg = cx.compute(name, self.kind, &[reg.into(), self.imm(mask(self.width))]);
        Atom::Reg(if self.width == 1 { is_nonzero(cx, reg) } else { reg })
    }

    /// The name of an instruction on the whole register: `add` and `s` give `add.s32`.
    pub fn name(self, base: &str, sign: char) -> String {
        format!("{base}.{sign}{}", self.kind.bits())
    }
}

/// Whether a 32-bit register is not 0.
pub(super) fn is_nonzero(cx: &mut Cx<'_>, reg: Reg) -> Reg {
    cx.compute("setp.ne.b32", Kind::Pred, &[reg.into(), Operand::Imm(Kind::B32, 0)])
}

/// `math.cttz`, `math.ctlz`, `math.ctpop`. The zeros in front of the lowest one lead in the reversed register, where a
/// bit above the width ends the count for 0; zeros above the width lead, too, and are not counted.
pub(super) fn count(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let (atom, result) = (cx.atom(cx.ir.operand(op, 0)), cx.ir.result(op, 0));
    let (scalar, _) = cx.scalar(op, result)?;
    let int = Int::of(cx, scalar);
    let mut bits = int.unsigned(cx, atom);
    let opcode = cx.ir.opcode(op);
    if opcode == Opcode::MathCttz {
        if int.is_narrow() {
            bits = cx.compute(&int.name("or", 'b'), int.kind, &[bits, int.imm(1 << int.width)]).into();
        }
        bits = cx.compute(&int.name("brev", 'b'), int.kind, &[bits]).into();
    }
    let base = if opcode == Opcode::MathCtpop { "popc" } else { "clz" };
    let mut count = cx.compute(&int.name(base, 'b'), Kind::B32, &[bits]);
    if opcode == Opcode::MathCtlz && int.is_narrow() {
        let above = Operand::Imm(Kind::B32, (int.kind.bits() - int.width).into());
        count = cx.compute("sub.s32", Kind::B32, &[count.into(), above]);
    }
    let count = if int.kind == Kind::B64 { cx.compute("cvt.u64.u32", Kind::B64, &[count.into()]) } else { count };
    let atom = int.cut(cx, count.into());
    cx.bind(result, atom);
    Ok(())
}

/// `math.absi`; the least number stays what it is.
pub(super) fn magnitude(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let (atom, result) = (cx.atom(cx.ir.operand(op, 0)), cx.ir.result(op, 0));
    let (scalar, _) = cx.scalar(op, result)?;
    let int = Int::of(cx, scalar);
    let number = int.signed(cx, atom);
    let reg = cx.compute(&int.name("abs", 's'), int.kind, &[number]);
    let atom = int.cut(cx, reg.into());
    cx.bind(result, atom);
    Ok(())
}

/// `arith.mulsi_extended`, `arith.mului_extended`: both halves of the product.
pub(super) fn wide_product(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let atoms = [0, 1].map(|operand| cx.atom(cx.ir.operand(op, operand)));
    let (scalar, _) = cx.scalar(op, cx.ir.result(op, 0))?;
    let int = Int::of(cx, scalar);
    let is_signed = cx.ir.opcode(op) == Opcode::ArithMulsiExtended;
    let sign = if is_signed { 's' } else { 'u' };
    let [lhs, rhs] = atoms.map(|atom| if is_signed { int.signed(cx, atom) } else { int.unsigned(cx, atom) });
    let width = Operand::Imm(Kind::B32, int.width.into());
    let (low, high) = if int.kind == Kind::B32 {
        let product = cx.compute(&format!("mul.wide.{sign}32"), Kind::B64, &[lhs, rhs]);
        let high = cx.compute("shr.u64", Kind::B64, &[product.into(), width]);
        let [low, high] = [product, high].map(|reg| cx.compute("cvt.u32.u64", Kind::B32, &[reg.into()]));
        (low, high)
    } else {
        let [low, high] = ["mul.lo", "mul.hi"].map(|base| cx.compute(&int.name(base, sign), int.kind, &[lhs, rhs]));
        if int.is_narrow() {
            let rest = Operand::Imm(Kind::B32, (int.kind.bits() - int.width).into());
            let upper = cx.compute("shl.b64", Kind::B64, &[high.into(), rest]);
            let lower = cx.compute("shr.u64", Kind::B64, &[low.into(), width]);
            (low, cx.compute("or.b64", Kind::B64, &[upper.into(), lower.into()]))
        } else {
            (low, high)
        }
    };
    for (half, result) in [low, high].into_iter().zip([0, 1]) {
        let atom = int.cut(cx, half.into());
        cx.bind(cx.ir.result(op, result), atom);
    }
    Ok(())
}

/// `arith.addui_extended`: a sum that is smaller than what it began with has carried.
pub(super) fn sum_and_carry(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let atoms = [0, 1].map(|operand| cx.atom(cx.ir.operand(op, operand)));
    let (scalar, _) = cx.scalar(op, cx.ir.result(op, 0))?;
    let int = Int::of(cx, scalar);
    let [lhs, rhs] = atoms.map(|atom| int.unsigned(cx, atom));
    let reg = cx.compute(&int.name("add", 's'), int.kind, &[lhs, rhs]);
    let sum = int.cut(cx, reg.into());
    let kept = int.unsigned(cx, sum);
    let carry = cx.compute(&int.name("setp.lt", 'u'), Kind::Pred, &[kept, lhs]);
    cx.bind(cx.ir.result(op, 0), sum);
    cx.bind(cx.ir.result(op, 1), Atom::Reg(carry));
    Ok(())
}

/// How an operation treats its operands, and whether its result can leave the width.
enum Form {
    /// The bits alone: the result needs no cut.
    Bits(&'static str),
    /// Signed or unsigned alike; carries out.
    Wrap(&'static str),
    /// Signed operands; the sign above the width is cut off.
    Signed(&'static str),
    /// Unsigned operands; the result stays in the width.
    Unsigned(&'static str),
    /// A shift; its amount is an unsigned 32-bit number.
    Shift(&'static str, char),
    /// Several instructions.
    Division(Opcode),
}

/// Arithmetic with an integer result.
pub(super) fn compute(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    // A sum that is folded into accesses has no register, and neither may have the sum that it starts from.
    if cx.folded[op.index()] {
        return Ok(());
    }
    let [lhs, rhs] = [0, 1].map(|operand| cx.atom(cx.ir.operand(op, operand)));
    let result = cx.ir.result(op, 0);
    let (scalar, kind) = cx.scalar(op, result)?;
    let opcode = cx.ir.opcode(op);
    let form = match opcode {
        Opcode::ArithAndi => Form::Bits("and"),
        Opcode::ArithOri => Form::Bits("or"),
        Opcode::ArithXori => Form::Bits("xor"),
        Opcode::ArithAddi => Form::Wrap("add"),
        Opcode::ArithSubi => Form::Wrap("sub"),
        Opcode::ArithMuli => Form::Wrap("mul.lo"),
        Opcode::ArithDivsi => Form::Signed("div"),
        Opcode::ArithRemsi => Form::Signed("rem"),
        Opcode::ArithMaxsi => Form::Signed("max"),
        Opcode::ArithMinsi => Form::Signed("min"),
        Opcode::ArithDivui => Form::Unsigned("div"),
        Opcode::ArithRemui => Form::Unsigned("rem"),
        Opcode::ArithMaxui => Form::Unsigned("max"),
        Opcode::ArithMinui => Form::Unsigned("min"),
        Opcode::ArithShli => Form::Shift("shl", 'b'),
        Opcode::ArithShrsi => Form::Shift("shr", 's'),
        Opcode::ArithShrui => Form::Shift("shr", 'u'),
        Opcode::ArithCeildivsi | Opcode::ArithCeildivui | Opcode::ArithFloordivsi => Form::Division(opcode),
        _ => return Err(cx.cannot(op, "there is no rule for this integer operation")),
    };
    let int = Int::of(cx, scalar);
    let atom = match form {
        Form::Bits(base) if kind == Kind::Pred => {
            let [lhs, rhs] = [lhs, rhs].map(|atom| Operand::Reg(cx.reg_of(atom, Kind::Pred)));
            Atom::Reg(cx.compute(&format!("{base}.pred"), Kind::Pred, &[lhs, rhs]))
        }
        Form::Bits("and") if int.kind == Kind::B64 && fits_word(cx.ir, result) => {
            let [lhs, rhs] = [lhs, rhs].map(|atom| int.unsigned(cx, atom));
            Atom::Reg(in_word(cx, "and.b32", lhs, rhs))
        }
        Form::Bits(base) => {
            let [lhs, rhs] = [lhs, rhs].map(|atom| int.unsigned(cx, atom));
            Atom::Reg(cx.compute(&int.name(base, 'b'), kind, &[lhs, rhs]))
        }
        Form::Wrap(base) => {
            let [lhs, rhs] = [lhs, rhs].map(|atom| int.unsigned(cx, atom));
            let reg = cx.compute(&int.name(base, 's'), int.kind, &[lhs, rhs]);
            int.cut(cx, reg.into())
        }
        Form::Signed(base) => {
            let [lhs, rhs] = [lhs, rhs].map(|atom| int.signed(cx, atom));
            let reg = cx.compute(&int.name(base, 's'), int.kind, &[lhs, rhs]);
            int.cut(cx, reg.into())
        }
        Form::Unsigned(base @ ("div" | "rem")) if int.kind == Kind::B64 && fits_word(cx.ir, cx.ir.operand(op, 0)) => {
            let [lhs, rhs] = [lhs, rhs].map(|atom| int.unsigned(cx, atom));
            let is_word = fits_word(cx.ir, cx.ir.operand(op, 1));
            Atom::Reg(divide_word(cx, base, lhs, rhs, is_word))
        }
        Form::Shift("shr", 'u') if int.kind == Kind::B64 && fits_word(cx.ir, cx.ir.operand(op, 0)) => {
            let [lhs, amount] = [lhs, rhs].map(|atom| int.unsigned(cx, atom));
            Atom::Reg(in_word(cx, "shr.u32", lhs, amount))
        }
        Form::Unsigned(base) => {
            let [lhs, rhs] = [lhs, rhs].map(|atom| int.unsigned(cx, atom));
            let reg = cx.compute(&int.name(base, 'u'), int.kind, &[lhs, rhs]);
            if int.width == 1 { int.cut(cx, reg.into()) } else { Atom::Reg(reg) }
        }
        Form::Shift(base, sign) => {
            let lhs = if sign == 's' { int.signed(cx, lhs) } else { int.unsigned(cx, lhs) };
            let amount = match int.unsigned(cx, rhs) {
                Operand::Imm(_, bits) => Operand::Imm(Kind::B32, bits.min(64)),
                // An amount beyond the width is undefined, and so are its upper bits.
                Operand::Reg(reg) if reg.kind == Kind::B64 => {
                    cx.compute("cvt.u32.u64", Kind::B32, &[reg.into()]).into()
                }
                amount => amount,
            };
            let reg = cx.compute(&int.name(base, sign), int.kind, &[lhs, amount]);
            if sign == 'u' && int.width != 1 { Atom::Reg(reg) } else { int.cut(cx, reg.into()) }
        }
        Form::Division(Opcode::ArithCeildivui) => {
            let [lhs, rhs] = [lhs, rhs].map(|atom| int.unsigned(cx, atom));
            let quotient = ceil_div_unsigned(cx, int, lhs, rhs);
            int.cut(cx, quotient)
        }
        Form::Division(opcode) => {
            let [lhs, rhs] = [lhs, rhs].map(|atom| int.signed(cx, atom));
            let quotient = rounded_div_signed(cx, int, lhs, rhs, opcode == Opcode::ArithCeildivsi);
            int.cut(cx, quotient)
        }
    };
    cx.bind(result, atom);
    Ok(())
}

/// Whether an integer is surely less than the largest of 32 bits: numbers of threads and workgroups, and what is left of
/// such by divisions, shifts and masks.
fn fits_word(ir: &Ir, value: ValueId) -> bool {
    if let Some(constant) = ir.const_int(value) {
        return (0..i64::from(u32::MAX)).contains(&constant);
    }
    ir.def_op(value).is_some_and(|op| match ir.opcode(op) {
        Opcode::GpuThreadId | Opcode::GpuBlockId => true,
        Opcode::ArithDivui | Opcode::ArithRemui | Opcode::ArithShrui => fits_word(ir, ir.operand(op, 0)),
        Opcode::ArithAndi => ir.operands(op).iter().any(|&operand| fits_word(ir, operand)),
        _ => false,
    })
}

/// Quotient or remainder of a number that fits 32 bits, in these: 64 are a call of a function of a hundred instructions.
/// A divisor beyond them is above the number, as the largest of 32 bits is.
fn divide_word(cx: &mut Cx<'_>, base: &str, lhs: Operand, rhs: Operand, is_word: bool) -> Reg {
    let rhs = if is_word {
        rhs
    } else {
        let most = Operand::Imm(Kind::B64, u32::MAX.into());
        cx.compute("min.u64", Kind::B64, &[rhs, most]).into()
    };
    in_word(cx, &format!("{base}.u32"), lhs, rhs)
}

/// What an instruction on 32 bits gives of the lower halves of its operands. Of 64-bit shifts the assembler does not see
/// that all lanes of a subgroup have the same.
fn in_word(cx: &mut Cx<'_>, instruction: &str, lhs: Operand, rhs: Operand) -> Reg {
    let words = [lhs, rhs].map(|operand| match operand {
        Operand::Imm(_, bits) => Operand::Imm(Kind::B32, bits & u64::from(u32::MAX)),
        Operand::Reg(_) => cx.compute("cvt.u32.u64", Kind::B32, &[operand]).into(),
    });
    let word = cx.compute(instruction, Kind::B32, &words);
    cx.compute("cvt.u64.u32", Kind::B64, &[word.into()])
}

/// ceil(lhs / rhs) = lhs / rhs + (1 if something remains).
fn ceil_div_unsigned(cx: &mut Cx<'_>, int: Int, lhs: Operand, rhs: Operand) -> Operand {
    let quotient = cx.compute(&int.name("div", 'u'), int.kind, &[lhs, rhs]);
    let product = cx.compute(&int.name("mul.lo", 's'), int.kind, &[quotient.into(), rhs]);
    let remains = cx.compute(&int.name("setp.ne", 'b'), Kind::Pred, &[product.into(), lhs]);
    cx.inst(format_args!("@{remains} {} {quotient}, {quotient}, 1", int.name("add", 's')));
    quotient.into()
}

/// Division cuts towards zero, which is one off when something remains and the exact quotient is positive (ceil) or
/// negative (floor), that is when remainder and divisor have the same sign, or not.
fn rounded_div_signed(cx: &mut Cx<'_>, int: Int, lhs: Operand, rhs: Operand, up: bool) -> Operand {
    let quotient = cx.compute(&int.name("div", 's'), int.kind, &[lhs, rhs]);
    let product = cx.compute(&int.name("mul.lo", 's'), int.kind, &[quotient.into(), rhs]);
    let rest = cx.compute(&int.name("sub", 's'), int.kind, &[lhs, product.into()]);
    let signs = cx.compute(&int.name("xor", 'b'), int.kind, &[rest.into(), rhs]);
    let remains = cx.compute(&int.name("setp.ne", 's'), Kind::Pred, &[rest.into(), int.imm(0)]);
    let (compare, step) = if up { ("setp.ge", 1) } else { ("setp.lt", -1) };
    let off = cx.fresh(Kind::Pred);
    cx.inst(format_args!("{}.and{} {off}, {signs}, 0, {remains}", compare, int.name("", 's')));
    cx.inst(format_args!("@{off} {} {quotient}, {quotient}, {step}", int.name("add", 's')));
    quotient.into()
}

/// MLIR's numbering of integer predicates: PTX's comparison and the sign it looks at.
const PREDICATES: [(&str, char); 10] = [
    ("eq", 'b'),
    ("ne", 'b'),
    ("lt", 's'),
    ("le", 's'),
    ("gt", 's'),
    ("ge", 's'),
    ("lt", 'u'),
    ("le", 'u'),
    ("gt", 'u'),
    ("ge", 'u'),
];

/// `arith.cmpi`
pub(super) fn compare(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let [lhs, rhs] = [0, 1].map(|operand| cx.ir.operand(op, operand));
    let (scalar, _) = cx.scalar(op, lhs)?;
    let int = Int::of(cx, scalar);
    let predicate = cx.ir.attr(op, "predicate").and_then(|attr| attr.as_i64()).and_then(|n| usize::try_from(n).ok());
    let Some(&(relation, sign)) = predicate.and_then(|number| PREDICATES.get(number)) else {
        return Err(cx.cannot(op, "the predicate is none of the ten"));
    };
    let [lhs, rhs] = [lhs, rhs].map(|value| {
        let atom = cx.atom(value);
        if sign == 's' { int.signed(cx, atom) } else { int.unsigned(cx, atom) }
    });
    let reg = cx.compute(&int.name(&format!("setp.{relation}"), sign), Kind::Pred, &[lhs, rhs]);
    cx.bind(cx.ir.result(op, 0), Atom::Reg(reg));
    Ok(())
}
