//! Values: the LLVM name or constant that stands for an IR value, and the blocks of the function.
//!
//! | IR value         | in the text                                                    |
//! | ---------------- | -------------------------------------------------------------- |
//! | i1 to i64        | an integer of that width; in memory one of whole bytes         |
//! | index            | i32 when every buffer is small enough, else i64; i64 in memory |
//! | f16, bf16, f32, f64 | `half`, `bfloat` (i16 on CPUs), `float`, `double`            |
//! | tf32             | `float`                                                        |
//! | 8-bit floats     | i8                                                             |
//! | vector           | a vector of these, or single elements of one                   |

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use raddle_ir::views::TileRegister;
use raddle_ir::{Diag, Float, Ir, OpId, Scalar, TypeId, ValueId, float};
use raddle_target::Lowered;

use crate::kernel::{self, n_elems};

use super::dialect::Dialect;
use super::memory::Buffer;
use super::{Options, tile};

/// What stands for an IR value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Held {
    /// A scalar or a vector.
    Whole(String),
    /// One element of a vector of `n`.
    Part { vector: String, n: usize, at: usize },
    /// A tile register of zeros: its rows and bytes of a row.
    Zeros(Vec<String>),
    /// A memref: its place in [`Cx::buffers`].
    Buffer(usize),
}

/// A block of the function, by its place in [`Cx::blocks`].
pub(super) type Label = usize;

/// What a block is given: a name, its type, and the value from each block in front.
struct Phi {
    name: String,
    ty: String,
    incoming: Vec<(String, Label)>,
}

/// A block of the function.
#[derive(Default)]
struct Block {
    phis: Vec<Phi>,
    text: String,
}

/// The state of one function's emission.
pub(super) struct Cx<'ir> {
    pub ir: &'ir Ir,
    pub lowered: &'ir Lowered,
    pub options: &'ir Options,
    pub dialect: &'static Dialect,
    /// The name of the kernel, in front of those of its shared buffers.
    pub entry: String,
    /// Bits of an `index`.
    pub index_bits: u32,
    /// Lanes of a subgroup.
    pub lanes: u32,
    /// Memrefs of the function, arguments first.
    pub buffers: Vec<Buffer>,
    /// Functions that are called.
    pub declarations: BTreeSet<String>,
    /// Barriers that order shared memory alone.
    pub shared_barriers: BTreeSet<OpId>,
    /// The number of the workgroup along x, y and z, where that counts loops.
    pub workgroup: [String; 3],
    /// The block behind those loops, while they are open.
    pub grid_end: Option<Label>,
    /// The parameter for what an index outside leaves, where the kernel has one.
    pub fault: Option<String>,
    /// Whether lines that no cache is to keep are written past the caches.
    pub past_caches: bool,
    /// Index arithmetic that is known not to be negative, by the value's number.
    pub not_negative: BTreeMap<ValueId, bool>,
    /// The words whose upper halves a bf16, or a vector of them, was cut from, by its name.
    pub words: BTreeMap<String, String>,
    blocks: Vec<Block>,
    /// Blocks in the order in which they were begun.
    order: Vec<Label>,
    n_names: u32,
    held: Vec<Option<Held>>,
}

impl<'ir> Cx<'ir> {
    pub fn new(
        ir: &'ir Ir,
        lowered: &'ir Lowered,
        options: &'ir Options,
        dialect: &'static Dialect,
        entry: String,
        lanes: u32,
    ) -> Cx<'ir> {
        let index_bits = if kernel::index_is_narrow(ir, lowered.func()) { 32 } else { 64 };
        Cx {
            ir,
            lowered,
            options,
            dialect,
            entry,
            index_bits,
            lanes,
            buffers: Vec::new(),
            declarations: BTreeSet::new(),
            shared_barriers: BTreeSet::new(),
            workgroup: ["0", "0", "0"].map(str::to_owned),
            grid_end: None,
            fault: None,
            past_caches: false,
            not_negative: BTreeMap::new(),
            words: BTreeMap::new(),
            blocks: vec![Block::default()],
            order: vec![0],
            n_names: 0,
            held: vec![None; ir.n_values()],
        }
    }

    // ---- writing

    pub fn fresh(&mut self) -> String {
        self.n_names += 1;
        format!("%v{}", self.n_names - 1)
    }

    /// Writes an instruction without a result.
    pub fn inst(&mut self, inst: &str) {
        let at = self.here();
        let text = &mut self.blocks[at].text;
        text.push_str("  ");
        text.push_str(inst);
        text.push('\n');
    }

    /// Writes an instruction, and returns the name of its result.
    pub fn compute(&mut self, inst: &str) -> String {
        let name = self.fresh();
        self.inst(&format!("{name} = {inst}"));
        name
    }

    /// Calls a function with operands that have their types in front; `void` has no result.
    pub fn call(&mut self, result: &str, function: &str, operands: &[String]) -> String {
        let types: Vec<&str> = operands.iter().map(|operand| type_of(operand)).collect();
        self.declarations.insert(format!("declare {result} @{function}({})", types.join(", ")));
        let call = format!("call {result} @{function}({})", operands.join(", "));
        if result == "void" {
            self.inst(&call);
            return String::new();
        }
        self.compute(&call)
    }

    /// Whether the kernel calls a function.
    pub fn calls(&self, function: &str) -> bool {
        self.declarations.iter().any(|declaration| declaration.contains(&format!("@{function}(")))
    }

    // ---- blocks

    /// A block that is not begun yet.
    pub fn new_block(&mut self) -> Label {
        self.blocks.push(Block::default());
        self.blocks.len() - 1
    }

    /// What is written next stands in this block.
    pub fn begin(&mut self, label: Label) {
        self.order.push(label);
    }

    /// The block that is being written.
    pub fn here(&self) -> Label {
        *self.order.last().expect("a function has a block")
    }

    /// Ends the block with a jump; the target is given nothing.
    pub fn jump(&mut self, to: Label) {
        self.inst(&format!("br label %b{to}"));
    }

    /// Ends the block with a branch.
    pub fn branch(&mut self, condition: &str, then: Label, otherwise: Label) {
        self.inst(&format!("br i1 {condition}, label %b{then}, label %b{otherwise}"));
    }

    /// A value that a block is given; the first value comes with [`Cx::give`].
    pub fn phi(&mut self, block: Label, ty: String) -> String {
        let name = self.fresh();
        self.blocks[block].phis.push(Phi { name: name.clone(), ty, incoming: Vec::new() });
        name
    }

    /// What the phis of a block have when control comes from the block that is being written.
    pub fn give(&mut self, block: Label, values: Vec<String>) {
        let from = self.here();
        let phis = &mut self.blocks[block].phis;
        assert_eq!(phis.len(), values.len(), "a block is given a value for each of its phis");
        for (phi, value) in phis.iter_mut().zip(values) {
            phi.incoming.push((value, from));
        }
    }

    /// The text of all blocks.
    pub fn body(&self) -> String {
        let mut out = String::new();
        for &label in &self.order {
            let block = &self.blocks[label];
            if label > 0 {
                writeln!(out, "\nb{label}:").expect("writing to a string succeeds");
            } else {
                out.push_str("b0:\n");
            }
            for Phi { name, ty, incoming } in &block.phis {
                let from: Vec<String> = incoming.iter().map(|(value, from)| format!("[ {value}, %b{from} ]")).collect();
                writeln!(out, "  {name} = phi {ty} {}", from.join(", ")).expect("writing to a string succeeds");
            }
            out.push_str(&block.text);
        }
        out
    }

    // ---- values

    pub fn bind(&mut self, value: ValueId, name: impl Into<String>) {
        self.hold(value, Held::Whole(name.into()));
    }

    pub fn hold(&mut self, value: ValueId, held: Held) {
        self.held[value.index()] = Some(held);
    }

    pub fn held(&self, value: ValueId) -> &Held {
        self.held[value.index()].as_ref().expect("a value is defined before it is used")
    }

    /// The memref that stands for a value.
    pub fn buffer(&self, value: ValueId) -> usize {
        match self.held(value) {
            Held::Buffer(buffer) => *buffer,
            Held::Whole(_) | Held::Part { .. } | Held::Zeros(_) => panic!("the verifier asks for a memref here"),
        }
    }

    /// The name of a scalar or a vector.
    pub fn val(&mut self, value: ValueId) -> String {
        match self.held(value).clone() {
            Held::Whole(name) => name,
            Held::Part { vector, n, at } => {
                let elem = self.elem_type(value);
                self.compute(&format!("extractelement <{n} x {elem}> {vector}, i32 {at}"))
            }
            Held::Zeros(shape) => tile::zeros(self, shape),
            Held::Buffer(_) => panic!("the verifier asks for a value here"),
        }
    }

    /// The vector that has these elements, without an instruction where one has.
    pub fn vector(&mut self, values: &[ValueId]) -> String {
        let n = values.len();
        let elem = self.elem_type(values[0]);
        let held: Vec<Held> = values.iter().map(|&value| self.held(value).clone()).collect();
        if let Held::Part { vector, n: whole, at: first } = &held[0]
            && held.iter().enumerate().all(
                |(i, part)| matches!(part, Held::Part { vector: other, at, .. } if other == vector && *at == first + i),
            )
        {
            if n == *whole {
                return vector.clone();
            }
            let mask: Vec<String> = (0..n).map(|i| format!("i32 {}", first + i)).collect();
            let ty = format!("<{whole} x {elem}>");
            let mask = mask.join(", ");
            return self.compute(&format!("shufflevector {ty} {vector}, {ty} poison, <{n} x i32> <{mask}>"));
        }
        let constant = |held: &Held| match held {
            Held::Whole(name) if !name.starts_with('%') => Some(format!("{elem} {name}")),
            Held::Whole(_) | Held::Part { .. } | Held::Zeros(_) | Held::Buffer(_) => None,
        };
        if let Some(all) = held.iter().map(constant).collect::<Option<Vec<String>>>() {
            return format!("<{}>", all.join(", "));
        }
        let mut whole = "poison".to_owned();
        for (at, &value) in values.iter().enumerate() {
            let part = self.val(value);
            whole = self.compute(&format!("insertelement <{n} x {elem}> {whole}, {elem} {part}, i32 {at}"));
        }
        whole
    }

    /// The same bits as another type.
    pub fn reinterpret(&mut self, name: &str, from: &str, to: &str) -> String {
        if from == to { name.to_owned() } else { self.compute(&format!("bitcast {from} {name} to {to}")) }
    }

    // ---- types

    /// The scalar type of a value or of a vector's elements.
    pub fn scalar(&self, op: OpId, value: ValueId) -> Result<Scalar, Diag> {
        let ty = self.ir.elem_of(value);
        let scalar = Scalar::of(&self.ir[ty]).ok_or_else(|| self.cannot(op, "it has a type that no register holds"))?;
        let fits = match scalar {
            Scalar::Index => true,
            Scalar::Int(width) => (1..=64).contains(&width),
            Scalar::Float(Float::F16 | Float::BF16 | Float::F32 | Float::TF32 | Float::F64) => true,
            Scalar::Float(float) => float.bits() <= 8,
        };
        if fits { Ok(scalar) } else { Err(self.cannot(op, &format!("no register holds {scalar}"))) }
    }

    pub fn is_cpu(&self) -> bool {
        self.lowered.chip().native.is_some()
    }

    /// Whether LLVM has bf16 on the machine. On CPUs it calls functions of its runtime library even where such numbers
    /// are only moved; there they are their bits.
    pub fn has_bf16(&self) -> bool {
        !self.is_cpu()
    }

    /// LLVM's type for a scalar in a register.
    pub fn scalar_type(&self, scalar: Scalar) -> String {
        match scalar {
            Scalar::Index => format!("i{}", self.index_bits),
            Scalar::Int(width) => format!("i{width}"),
            Scalar::Float(Float::F16) => "half".to_owned(),
            Scalar::Float(Float::BF16) => if self.has_bf16() { "bfloat" } else { "i16" }.to_owned(),
            Scalar::Float(Float::F32 | Float::TF32) => "float".to_owned(),
            Scalar::Float(Float::F64) => "double".to_owned(),
            Scalar::Float(float) => format!("i{}", float.bits()),
        }
    }

    /// LLVM's type for the elements of a value, or for the value itself where it is a scalar.
    pub fn elem_type(&self, value: ValueId) -> String {
        let scalar = Scalar::of(&self.ir[self.ir.elem_of(value)]).expect("a lowered value has a scalar type");
        self.scalar_type(scalar)
    }

    /// LLVM's type for a value.
    pub fn type_of(&self, value: ValueId) -> String {
        if TileRegister::of(self.ir, self.ir.type_of(value)).is_some() {
            return tile::TYPE.to_owned();
        }
        self.shaped(value, &self.elem_type(value))
    }

    /// The type of as many elements as a value has; one element is a scalar.
    pub fn shaped(&self, value: ValueId, elem: &str) -> String {
        if self.ir.ty(value).is_vector() { format!("<{} x {elem}>", self.n_elems(value)) } else { elem.to_owned() }
    }

    /// The number of elements of a vector.
    pub fn n_elems(&self, value: ValueId) -> usize {
        let ty: TypeId = self.ir.type_of(value);
        n_elems(self.ir, ty)
    }

    /// A constant of a scalar type, given its bits.
    pub fn constant(&self, scalar: Scalar, bits: u64) -> String {
        match scalar {
            Scalar::Float(Float::F16) => format!("0xH{bits:04X}"),
            Scalar::Float(Float::BF16) if self.has_bf16() => format!("0xR{bits:04X}"),
            Scalar::Float(Float::BF16) => signed(bits, 16),
            Scalar::Float(Float::F32 | Float::TF32) => f32_text(bits as u32),
            Scalar::Float(Float::F64) => format!("0x{bits:016X}"),
            Scalar::Int(1) => (bits & 1 != 0).to_string(),
            Scalar::Index => signed(bits, self.index_bits),
            Scalar::Int(width) => signed(bits, width),
            Scalar::Float(float) => signed(bits, float.bits()),
        }
    }

    // ---- findings

    /// The diagnostic that an operation has no form here, and why.
    pub fn cannot(&self, op: OpId, why: &str) -> Diag {
        kernel::cannot(self.ir, self.lowered, op, why)
    }
}

/// The lowest `width` bits as a number with a sign.
fn signed(bits: u64, width: u32) -> String {
    let unused = 64 - width.clamp(1, 64);
    (((bits << unused) as i64) >> unused).to_string()
}

/// An f32 as LLVM spells it: the bits of the f64 of the same value. What a NaN says stays in front.
pub(super) fn f32_text(bits: u32) -> String {
    let value = f32::from_bits(bits);
    let wide = if value.is_nan() {
        let sign = u64::from(bits >> 31) << 63;
        sign | 0x7FF0_0000_0000_0000 | u64::from(bits & 0x7F_FFFF) << 29
    } else {
        f64::from(value).to_bits()
    };
    format!("0x{wide:016X}")
}

/// The bits of a float constant.
pub(super) fn float_bits(float: Float, value: f64) -> u64 {
    match float {
        // A tf32 lies in the upper bits of a float.
        Float::TF32 => float::encode(Float::F32, float::round(Float::TF32, value)),
        float => float::encode(float, value),
    }
}

/// The type in front of an operand: all up to the last space, outside of constants of vectors.
fn type_of(operand: &str) -> &str {
    if let Some(rest) = operand.strip_prefix('<') {
        // `<4 x i32> %v`, `<4 x i32> <i32 1, …>`
        let end = rest.find('>').map_or(operand.len(), |end| end + 2);
        return &operand[..end];
    }
    match operand.rfind(' ') {
        Some(end) => &operand[..end],
        None => operand,
    }
}
