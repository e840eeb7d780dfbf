//! Values: what stands for an IR value in the text, and the registers behind it.
//!
//! | IR value                  | in the text                                                          |
//! | ------------------------- | -------------------------------------------------------------------- |
//! | i1                        | a predicate                                                          |
//! | i2 to i32, f8             | a 32-bit register, zero above its width                              |
//! | i33 to i64                | a 64-bit register, zero above its width                              |
//! | index                     | a 32-bit register when every buffer is small enough, else a 64-bit one |
//! | f16, bf16                 | a 16-bit register, a half of a 32-bit one, or an f32 still to be rounded |
//! | f32, tf32, f64            | a float register                                                     |
//! | vector of 8 or 16-bit elements | 32-bit registers that hold several elements, if these come out even |
//! | other vector              | one register for each element                                        |
//!
//! Registers are written once, except those that a loop carries, a branch yields, a block is given or a matrix operation accumulates in
//! place; nothing refers to the old contents of those.

use std::fmt;

use raddle_ir::{Diag, Float, Ir, OpId, Scalar, TypeId, ValueId, float};
use raddle_target::Lowered;
use rustc_hash::FxHashMap;

use crate::kernel;

use super::Options;
use super::memory::Buffer;

/// A class of registers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub(super) enum Kind {
    Pred,
    B16,
    B32,
    B64,
    F32,
    F64,
}

impl Kind {
    /// Each class with its type in declarations and the prefix of its names.
    pub const ALL: [(Kind, &str, &str); 6] = [
        (Kind::Pred, "pred", "%p"),
        (Kind::B16, "b16", "%h"),
        (Kind::B32, "b32", "%r"),
        (Kind::B64, "b64", "%rd"),
        (Kind::F32, "f32", "%f"),
        (Kind::F64, "f64", "%fd"),
    ];

    /// The type in declarations, moves and accesses.
    pub fn ty(self) -> &'static str {
        Kind::ALL[self as usize].1
    }

    /// Bits of a register; a predicate has one.
    pub fn bits(self) -> u32 {
        match self {
            Kind::Pred => 1,
            Kind::B16 => 16,
            Kind::B32 | Kind::F32 => 32,
            Kind::B64 | Kind::F64 => 64,
        }
    }
}

/// A register.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub(super) struct Reg {
    pub kind: Kind,
    pub number: u32,
}

impl fmt::Display for Reg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word().as_str())
    }
}

impl Reg {
    /// The name, without a format: a kernel has tens of thousands of these.
    fn word(self) -> Word {
        let mut word = Word::new();
        let mut number = self.number;
        loop {
            word.put_digit(number % 10);
            number /= 10;
            if number == 0 {
                break;
            }
        }
        word.put(Kind::ALL[self.kind as usize].2);
        word
    }
}

/// A short word of ASCII, written from its end.
struct Word {
    bytes: [u8; 20],
    first: usize,
}

impl Word {
    fn new() -> Word {
        Word { bytes: [0; 20], first: 20 }
    }

    /// The lowest digits of a number in hexadecimal, behind a prefix.
    fn of_bits(prefix: &str, bits: u64, n_digits: usize) -> Word {
        let mut word = Word::new();
        for at in 0..n_digits {
            word.put_digit((bits >> (4 * at) & 15) as u32);
        }
        word.put(prefix);
        word
    }

    fn put_digit(&mut self, digit: u32) {
        self.first -= 1;
        self.bytes[self.first] = b"0123456789ABCDEF"[digit as usize];
    }

    fn put(&mut self, text: &str) {
        let end = self.first;
        self.first -= text.len();
        self.bytes[self.first..end].copy_from_slice(text.as_bytes());
    }

    fn as_bytes(&self) -> &[u8] {
        &self.bytes[self.first..]
    }

    fn as_str(&self) -> &str {
        std::str::from_utf8(self.as_bytes()).expect("names and digits are ASCII")
    }
}

/// The text of a kernel, as bytes until it is done.
#[derive(Default)]
pub(super) struct Text(Vec<u8>);

impl Text {
    pub fn push_str(&mut self, text: &str) {
        self.0.extend_from_slice(text.as_bytes());
    }

    fn push_reg(&mut self, reg: Reg) {
        self.0.extend_from_slice(reg.word().as_bytes());
    }

    fn push_operand(&mut self, operand: Operand) {
        use fmt::Write;
        let word = match operand {
            Operand::Reg(reg) => reg.word(),
            Operand::Imm(Kind::F32, bits) => Word::of_bits("0f", bits, 8),
            Operand::Imm(Kind::F64, bits) => Word::of_bits("0d", bits, 16),
            Operand::Imm(Kind::Pred | Kind::B16 | Kind::B32 | Kind::B64, _) => {
                return write!(self, "{operand}").expect("writing to a text succeeds");
            }
        };
        self.0.extend_from_slice(word.as_bytes());
    }

    pub fn into_string(self) -> String {
        String::from_utf8(self.0).expect("what is written is made of strings")
    }
}

impl fmt::Write for Text {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.push_str(text);
        Ok(())
    }
}

/// An array in shared memory: a buffer's own, or the one that holds all of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Symbol(Option<usize>);

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(number) => write!(f, "smem_{number}"),
            None => f.write_str("smem"),
        }
    }
}

fn line_starts(text: &str) -> Vec<usize> {
    std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect()
}

/// What an instruction reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Operand {
    Reg(Reg),
    /// The bits of a constant, as a register of this class would hold them.
    Imm(Kind, u64),
}

impl From<Reg> for Operand {
    fn from(reg: Reg) -> Operand {
        Operand::Reg(reg)
    }
}

impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Operand::Reg(reg) => f.write_str(reg.word().as_str()),
            Operand::Imm(Kind::F32, bits) => f.write_str(Word::of_bits("0f", bits, 8).as_str()),
            Operand::Imm(Kind::F64, bits) => f.write_str(Word::of_bits("0d", bits, 16).as_str()),
            Operand::Imm(Kind::B64, bits) => write!(f, "{}", bits as i64),
            Operand::Imm(Kind::B16, bits) => write!(f, "0x{:04X}", bits as u16),
            Operand::Imm(Kind::Pred | Kind::B32, bits) => write!(f, "{}", bits as u32 as i32),
        }
    }
}

/// One scalar.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Atom {
    /// A constant: the bits of its format, zero above them.
    Imm(u64),
    /// A register.
    Reg(Reg),
    /// The `at`-th group of `bits` (8 or 16) bits of a 32-bit register.
    Part { word: Reg, at: u32, bits: u32 },
    /// An f32 that is to be rounded to f16 or bf16: two of them are rounded and packed by one instruction.
    Round { source: Reg, to: Float },
}

/// What stands for an IR value.
#[derive(Clone, Debug)]
pub(super) enum Held {
    /// A scalar.
    One(Atom),
    /// The elements of a vector in row-major order.
    Many(Vec<Atom>),
    /// A memref: its place in [`Cx::buffers`].
    Buffer(usize),
}

/// Something already in a register, which later code in the same scope may use again.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub(super) enum Known {
    /// A constant.
    Imm(Kind, u64),
    /// The 16-bit half of a word, in a 16-bit register.
    Half(Reg, u32),
    /// An f32 rounded to f16.
    RoundF16(Reg),
    /// An f32 rounded to bf16.
    RoundBF16(Reg),
    /// The bits of an f32 in a register without a type.
    Bits(Reg),
    /// The address of a shared buffer.
    Symbol(usize),
    /// The address of a buffer's element at a dynamic index.
    Address(usize, ValueId),
    /// The sixteenth part of an address in shared memory.
    Sixteenths(Reg),
}

/// The state of one function's emission.
pub(super) struct Cx<'ir> {
    pub ir: &'ir Ir,
    pub lowered: &'ir Lowered,
    pub options: &'ir Options,
    /// The class of registers that hold an `index`.
    pub index: Kind,
    /// The PTX version that the text asks for.
    pub version: &'static str,
    /// Where each buffer in shared memory begins, if they are one array.
    pub shared_starts: Option<Vec<u64>>,
    /// The first byte of each line of the source.
    line_starts: Vec<usize>,
    /// The line and column that the last instructions come from.
    place: Option<(usize, usize)>,
    /// The instructions so far.
    pub text: Text,
    /// Registers of each class so far.
    pub counts: [u32; Kind::ALL.len()],
    pub n_labels: u32,
    /// Memrefs of the function, arguments first.
    pub buffers: Vec<Buffer>,
    /// Operations that every user folds into an address.
    pub folded: Vec<bool>,
    /// The registers that some values are to be computed into.
    pub places: FxHashMap<ValueId, Reg>,
    held: Vec<Option<Held>>,
    scopes: Vec<FxHashMap<Known, Reg>>,
}

/// Characters of an instruction, about, and of a large kernel.
const LINE: usize = 32;
const LARGE: usize = 1 << 20;

/// The least PTX version that is written for a chip. PTX ISA, "Release Notes": 8.0 knows all that sm_80 to sm_90 compute
/// with, and drivers of CUDA 12.0 and later read it; newer chips came with newer versions.
fn first_version(chip: &str) -> &'static str {
    match chip {
        "sm_100" => "8.6",
        "sm_120" => "8.7",
        "sm_103" | "sm_121" => "8.8",
        _ => "8.0",
    }
}

impl<'ir> Cx<'ir> {
    pub fn new(ir: &'ir Ir, lowered: &'ir Lowered, options: &'ir Options, index: Kind) -> Cx<'ir> {
        Cx {
            ir,
            lowered,
            options,
            index,
            version: first_version(lowered.chip().name),
            shared_starts: None,
            line_starts: options.source.as_ref().map_or_else(Vec::new, |source| line_starts(&source.text)),
            place: None,
            // What is not touched costs nothing.
            text: Text(Vec::with_capacity((LINE * ir.n_ops()).min(LARGE))),
            counts: [0; Kind::ALL.len()],
            n_labels: 0,
            buffers: Vec::new(),
            folded: vec![false; ir.n_ops()],
            places: FxHashMap::default(),
            held: vec![None; ir.n_values()],
            scopes: vec![FxHashMap::default()],
        }
    }

    /// Asks for a PTX version, at least.
    pub fn need(&mut self, version: &'static str) {
        self.version = self.version.max(version);
    }

    /// Says which line of the source the next instructions come from, if that is asked for.
    pub fn locate(&mut self, op: OpId) {
        use fmt::Write;
        let (Some(source), span) = (&self.options.source, self.ir.span(op)) else { return };
        let start = span.start as usize;
        if span.start == span.end || start >= source.text.len() {
            return;
        }
        let line = self.line_starts.partition_point(|&first| first <= start);
        let first = self.line_starts[line - 1];
        let place = (line, start - first + 1);
        if self.place != Some(place) {
            self.place = Some(place);
            let text = source.text[first..].lines().next().unwrap_or_default().trim();
            writeln!(self.text, "    .loc 1 {} {} // {text}", place.0, place.1).expect("writing to a string succeeds");
        }
    }

    /// The symbol of a buffer in shared memory and where it begins there.
    pub fn shared_symbol(&self, number: usize) -> (Symbol, i64) {
        match &self.shared_starts {
            Some(starts) => (Symbol(None), starts[number] as i64),
            None => (Symbol(Some(number)), 0),
        }
    }

    // ---- writing

    /// Writes one instruction.
    pub fn inst(&mut self, inst: fmt::Arguments<'_>) {
        use fmt::Write;
        writeln!(self.text, "    {inst};").expect("writing to a string succeeds");
    }

    /// Writes `name result, operands…`, and returns the result: a new register.
    pub fn compute(&mut self, name: &str, kind: Kind, operands: &[Operand]) -> Reg {
        let result = self.fresh(kind);
        self.compute_into(result, name, operands);
        result
    }

    /// The register for a value that is about to be computed.
    pub fn place(&mut self, value: ValueId, kind: Kind) -> Reg {
        self.places.get(&value).copied().filter(|reg| reg.kind == kind).unwrap_or_else(|| self.fresh(kind))
    }

    /// Writes `name result, operands…`.
    pub fn compute_into(&mut self, result: Reg, name: &str, operands: &[Operand]) {
        for word in ["    ", name, " "] {
            self.text.push_str(word);
        }
        self.text.push_reg(result);
        for &operand in operands {
            self.text.push_str(", ");
            self.text.push_operand(operand);
        }
        self.text.push_str(";\n");
    }

    /// Writes `name {registers}, …`: an instruction on several registers for each operand.
    pub fn inst_on_lists(&mut self, name: &str, lists: &[&[Reg]]) {
        self.text.push_str("    ");
        self.text.push_str(name);
        for (n, regs) in lists.iter().enumerate() {
            self.text.push_str(if n == 0 { " {" } else { ", {" });
            for (i, &reg) in regs.iter().enumerate() {
                if i > 0 {
                    self.text.push_str(", ");
                }
                self.text.push_reg(reg);
            }
            self.text.push_str("}");
        }
        self.text.push_str(";\n");
    }

    /// Writes a label.
    pub fn label(&mut self, label: u32) {
        use fmt::Write;
        writeln!(self.text, "$L__BB{label}:").expect("writing to a string succeeds");
    }

    /// Writes the label of a loop.
    pub fn loop_label(&mut self, label: u32) {
        self.label(label);
        if self.options.keep_loops {
            self.text.push_str("    .pragma \"nounroll\";\n");
        }
    }

    pub fn fresh(&mut self, kind: Kind) -> Reg {
        let number = self.counts[kind as usize];
        self.counts[kind as usize] += 1;
        Reg { kind, number }
    }

    pub fn fresh_label(&mut self) -> u32 {
        self.n_labels += 1;
        self.n_labels - 1
    }

    // ---- scopes

    /// Runs `body`; what it finds out is forgotten afterwards, since its code may not have run.
    pub fn scoped<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        self.scopes.push(FxHashMap::default());
        let result = body(self);
        self.scopes.pop();
        result
    }

    /// How many scopes are open.
    pub fn n_scopes(&self) -> usize {
        self.scopes.len()
    }

    /// Opens a scope inside of the first `n`; what lies deeper is forgotten.
    pub fn open_scope(&mut self, n: usize) {
        self.close_scopes(n);
        self.scopes.push(FxHashMap::default());
    }

    /// Forgets all but the first `n` scopes.
    pub fn close_scopes(&mut self, n: usize) {
        self.scopes.truncate(n);
    }

    /// The register that holds `known`, made by `make` if there is none yet.
    pub fn known(&mut self, known: Known, make: impl FnOnce(&mut Self) -> Reg) -> Reg {
        if let Some(&reg) = self.scopes.iter().rev().find_map(|scope| scope.get(&known)) {
            return reg;
        }
        let reg = make(self);
        self.note(known, reg);
        reg
    }

    /// Records that a register holds `known` from here to the end of the scope.
    pub fn note(&mut self, known: Known, reg: Reg) {
        self.scopes.last_mut().expect("there is always a scope").insert(known, reg);
    }

    // ---- values

    pub fn bind(&mut self, value: ValueId, atom: Atom) {
        self.hold(value, Held::One(atom));
    }

    pub fn hold(&mut self, value: ValueId, held: Held) {
        self.held[value.index()] = Some(held);
    }

    pub fn is_bound(&self, value: ValueId) -> bool {
        self.held[value.index()].is_some()
    }

    pub fn held(&self, value: ValueId) -> &Held {
        self.held[value.index()].as_ref().expect("a value is defined before it is used")
    }

    /// The scalar that stands for a value.
    pub fn atom(&self, value: ValueId) -> Atom {
        match self.held(value) {
            Held::One(atom) => *atom,
            Held::Many(_) | Held::Buffer(_) => panic!("the verifier asks for a scalar here"),
        }
    }

    /// The elements of a vector; a scalar is its own only one.
    pub fn atoms(&self, value: ValueId) -> Vec<Atom> {
        match self.held(value) {
            Held::One(atom) => vec![*atom],
            Held::Many(atoms) => atoms.clone(),
            Held::Buffer(_) => panic!("the verifier asks for a value here"),
        }
    }

    /// The memref that stands for a value.
    pub fn buffer(&self, value: ValueId) -> usize {
        match self.held(value) {
            Held::Buffer(buffer) => *buffer,
            Held::One(_) | Held::Many(_) => panic!("the verifier asks for a memref here"),
        }
    }

    /// The value as an instruction's operand: an immediate where that is allowed.
    pub fn operand(&mut self, value: ValueId, kind: Kind) -> Operand {
        let atom = self.atom(value);
        self.operand_of(atom, kind)
    }

    /// The scalar as an instruction's operand: an immediate where that is allowed.
    pub fn operand_of(&mut self, atom: Atom, kind: Kind) -> Operand {
        match atom {
            // 16-bit floats and predicates have no immediates.
            Atom::Imm(bits) if !matches!(kind, Kind::B16 | Kind::Pred) => Operand::Imm(kind, bits),
            atom => Operand::Reg(self.reg_of(atom, kind)),
        }
    }

    /// The value in a register.
    pub fn reg(&mut self, value: ValueId, kind: Kind) -> Reg {
        let atom = self.atom(value);
        self.reg_of(atom, kind)
    }

    /// The scalar in a register.
    pub fn reg_of(&mut self, atom: Atom, kind: Kind) -> Reg {
        match atom {
            Atom::Imm(bits) => self.known(Known::Imm(kind, bits), |cx| {
                // `mov.pred` takes any number but 0 as true.
                cx.compute(&format!("mov.{}", kind.ty()), kind, &[Operand::Imm(kind, bits)])
            }),
            Atom::Reg(reg) => {
                assert!(reg.kind == kind, "{reg} is not of class {kind:?}");
                reg
            }
            Atom::Part { word, at, bits: 16 } if kind == Kind::B16 => self.half(word, at),
            // The other integers of part of a word live in 32-bit registers with zeros above.
            Atom::Part { word, at, bits } => match (at, bits) {
                (0, bits) => {
                    self.compute("and.b32", Kind::B32, &[word.into(), Operand::Imm(Kind::B32, (1 << bits) - 1)])
                }
                (1, 16) | (3, 8) => {
                    self.compute("shr.u32", Kind::B32, &[word.into(), Operand::Imm(Kind::B32, u64::from(at * bits))])
                }
                (at, bits) => {
                    let (at, bits) =
                        (Operand::Imm(Kind::B32, u64::from(at * bits)), Operand::Imm(Kind::B32, bits.into()));
                    self.compute("bfe.u32", Kind::B32, &[word.into(), at, bits])
                }
            },
            Atom::Round { source, to: Float::BF16 } => {
                self.known(Known::RoundBF16(source), |cx| cx.compute("cvt.rn.bf16.f32", Kind::B16, &[source.into()]))
            }
            Atom::Round { source, .. } => {
                self.known(Known::RoundF16(source), |cx| cx.compute("cvt.rn.f16.f32", Kind::B16, &[source.into()]))
            }
        }
    }

    /// The bits of a register in one without a type; the assembler gives both the same place.
    pub fn untyped(&mut self, reg: Reg) -> Reg {
        self.known(Known::Bits(reg), |cx| cx.compute("mov.b32", Kind::B32, &[reg.into()]))
    }

    /// A half of a word in a register of its own. Both halves come from one instruction.
    fn half(&mut self, word: Reg, at: u32) -> Reg {
        self.known(Known::Half(word, at), |cx| {
            let halves = [cx.fresh(Kind::B16), cx.fresh(Kind::B16)];
            cx.inst(format_args!("mov.b32 {{{}, {}}}, {word}", halves[0], halves[1]));
            cx.note(Known::Half(word, 1 - at), halves[1 - at as usize]);
            halves[at as usize]
        })
    }

    // ---- vectors

    /// How many elements of a vector share one register.
    pub fn per_word(elem: Scalar, n_elems: usize) -> usize {
        match Self::bits_in_word(elem) {
            16 if n_elems.is_multiple_of(2) => 2,
            8 if n_elems.is_multiple_of(4) => 4,
            _ => 1,
        }
    }

    /// Bits that an element takes of a word, as it does of memory: integers of a few bits fill bytes.
    fn bits_in_word(elem: Scalar) -> u32 {
        if matches!(elem, Scalar::Int(2..=7)) { 8 } else { elem.bits() }
    }

    /// The class of a vector's registers.
    pub fn word_kind(&self, elem: Scalar, n_elems: usize) -> Option<Kind> {
        if Self::per_word(elem, n_elems) > 1 { Some(Kind::B32) } else { self.kind_of(elem) }
    }

    /// A vector's elements, given its registers.
    pub fn from_words(elem: Scalar, n_elems: usize, words: &[Reg]) -> Vec<Atom> {
        match Self::per_word(elem, n_elems) {
            1 => words.iter().map(|&reg| Atom::Reg(reg)).collect(),
            n => {
                let bits = Self::bits_in_word(elem);
                (0..n_elems).map(|i| Atom::Part { word: words[i / n], at: (i % n) as u32, bits }).collect()
            }
        }
    }

    /// A vector's registers, given its elements.
    pub fn words(&mut self, elem: Scalar, atoms: &[Atom]) -> Vec<Reg> {
        let kind = self.word_kind(elem, atoms.len()).expect("the type has been checked");
        match Self::per_word(elem, atoms.len()) {
            1 => atoms.iter().map(|&atom| self.reg_of(atom, kind)).collect(),
            n => atoms.chunks(n).map(|chunk| self.pack(elem, chunk)).collect(),
        }
    }

    /// Makes a vector word by word out of others of its type.
    pub fn by_words<const N: usize>(
        &mut self,
        op: OpId,
        result: ValueId,
        operands: [ValueId; N],
        mut word: impl FnMut(&mut Self, Kind, [Reg; N]) -> Reg,
    ) -> Result<(), Diag> {
        let (elem, _) = self.scalar(op, result)?;
        let n_elems = kernel::n_elems(self.ir, self.ir.type_of(result));
        let lists = operands.map(|operand| {
            let atoms = self.atoms(operand);
            self.words(elem, &atoms)
        });
        let kind = self.word_kind(elem, n_elems).filter(|&kind| kind != Kind::Pred);
        let kind = kind.ok_or_else(|| self.cannot(op, &format!("no word holds a vector of {elem}")))?;
        let words: Vec<Reg> =
            (0..lists[0].len()).map(|at| word(self, kind, lists.each_ref().map(|list| list[at]))).collect();
        self.hold(result, Held::Many(Self::from_words(elem, n_elems, &words)));
        Ok(())
    }

    /// Two 16-bit elements, or four of 8 bits or fewer, in one 32-bit register.
    fn pack(&mut self, elem: Scalar, atoms: &[Atom]) -> Reg {
        // The parts of one word in their places are that word.
        if let Atom::Part { word, bits, .. } = atoms[0]
            && (0..).zip(atoms).all(|(at, &atom)| atom == Atom::Part { word, at, bits })
        {
            return word;
        }
        let elem_bits = Self::bits_in_word(elem);
        let constant = atoms.iter().rev().try_fold(0, |word, &atom| match atom {
            Atom::Imm(bits) => Some(word << elem_bits | bits),
            Atom::Reg(_) | Atom::Part { .. } | Atom::Round { .. } => None,
        });
        if let Some(bits) = constant {
            return self.reg_of(Atom::Imm(bits), Kind::B32);
        }
        match atoms {
            &[Atom::Round { source: lo, to }, Atom::Round { source: hi, .. }] => {
                let name = if to == Float::BF16 { "cvt.rn.bf16x2.f32" } else { "cvt.rn.f16x2.f32" };
                self.compute(name, Kind::B32, &[hi.into(), lo.into()])
            }
            &[Atom::Part { word: lo, at: l, .. }, Atom::Part { word: hi, at: h, .. }] => {
                // `prmt` numbers the bytes of its first operand 0 to 3, of its second one 4 to 7.
                let selector = 0x5410 + 0x22 * l + 0x2200 * h;
                let word = self.fresh(Kind::B32);
                self.inst(format_args!("prmt.b32 {word}, {lo}, {hi}, 0x{selector:04X}"));
                word
            }
            &[lo, hi] if self.kind_of(elem) == Some(Kind::B16) => {
                let (lo, hi) = (self.reg_of(lo, Kind::B16), self.reg_of(hi, Kind::B16));
                let word = self.fresh(Kind::B32);
                self.inst(format_args!("mov.b32 {word}, {{{lo}, {hi}}}"));
                word
            }
            &[a, b, c, d] if let Some((words, selector)) = bytes_of_two([a, b, c, d]) => {
                let word = self.fresh(Kind::B32);
                self.inst(format_args!("prmt.b32 {word}, {}, {}, 0x{selector:04X}", words[0], words[1]));
                word
            }
            // Integers have zeros above their width.
            atoms => {
                let mut word = self.operand_of(atoms[0], Kind::B32);
                for (i, &atom) in atoms.iter().enumerate().skip(1) {
                    let shift = Operand::Imm(Kind::B32, u64::from(elem_bits) * i as u64);
                    let part = self.operand_of(atom, Kind::B32);
                    let part = self.compute("shl.b32", Kind::B32, &[part, shift]);
                    word = self.compute("or.b32", Kind::B32, &[word, part.into()]).into();
                }
                match word {
                    Operand::Reg(word) => word,
                    Operand::Imm(_, bits) => self.reg_of(Atom::Imm(bits), Kind::B32),
                }
            }
        }
    }

    // ---- types

    /// The class of registers that holds a scalar type.
    pub fn kind_of(&self, scalar: Scalar) -> Option<Kind> {
        match scalar {
            Scalar::Index => Some(self.index),
            Scalar::Int(0) => None,
            Scalar::Int(1) => Some(Kind::Pred),
            Scalar::Int(2..=32) => Some(Kind::B32),
            Scalar::Int(33..=64) => Some(Kind::B64),
            Scalar::Int(_) => None,
            Scalar::Float(Float::F16 | Float::BF16) => Some(Kind::B16),
            Scalar::Float(Float::TF32 | Float::F32) => Some(Kind::F32),
            Scalar::Float(Float::F64) => Some(Kind::F64),
            // Small floats can be moved and reinterpreted; chips of this age do not compute with them.
            Scalar::Float(float) => (float.bits() <= 8).then_some(Kind::B32),
        }
    }

    /// The scalar type and register class of a value, a scalar or a vector's element.
    pub fn scalar(&self, op: OpId, value: ValueId) -> Result<(Scalar, Kind), Diag> {
        self.scalar_type(op, self.ir.elem_of(value))
    }

    /// The register class of a scalar type.
    pub fn scalar_type(&self, op: OpId, ty: TypeId) -> Result<(Scalar, Kind), Diag> {
        let scalar = Scalar::of(&self.ir[ty]).ok_or_else(|| self.cannot(op, "a type that no register holds"))?;
        let kind = self.kind_of(scalar).ok_or_else(|| self.cannot(op, &format!("no register holds {scalar}")))?;
        Ok((scalar, kind))
    }

    /// The bits of a constant in a register that holds `scalar`.
    pub fn bits(&self, scalar: Scalar, value: i64) -> u64 {
        let width = match scalar {
            Scalar::Index => self.index.bits(),
            scalar => scalar.bits(),
        };
        value as u64 & mask(width)
    }

    // ---- findings

    /// The diagnostic that an operation has no form here, and why.
    pub fn cannot(&self, op: OpId, why: &str) -> Diag {
        kernel::cannot(self.ir, self.lowered, op, why)
    }
}

/// Four bytes of at most two words: the words, and which of their bytes `prmt` takes, the last one first.
fn bytes_of_two(atoms: [Atom; 4]) -> Option<([Reg; 2], u32)> {
    let mut words = Vec::new();
    let mut selector = 0;
    for (i, atom) in atoms.into_iter().enumerate() {
        let Atom::Part { word, at, bits: 8 } = atom else { return None };
        if !words.contains(&word) {
            words.push(word);
        }
        let number = words.iter().position(|&other| other == word)? as u32;
        selector |= (4 * number + at) << (4 * i);
    }
    match words[..] {
        [one] => Some(([one, one], selector)),
        [first, second] => Some(([first, second], selector)),
        _ => None,
    }
}

/// `width` ones.
pub(super) fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

/// The bits of a float constant.
pub(super) fn float_bits(float: Float, value: f64) -> u64 {
    match float {
        // A tf32 lies in the upper bits of a float register.
        Float::TF32 => float::encode(Float::F32, float::round(Float::TF32, value)),
        float => float::encode(float, value),
    }
}
