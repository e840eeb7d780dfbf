//! A host function as a sequence of calls: from MLIR that somebody has to interpret to data that nobody has to.
//!
//! Before: `%1 = call @f_kernel_0(%x, %w)`, `%2 = tensor.expand_shape %1 …`, `%3 = call @f_kernel_1(%2)`, `return %3`
//! After: kernel 0 with the buffers x and w, and the workspace from byte 0 on; kernel 1 with that and the result.
//!
//! Reshapes are the same buffer, and a tensor that is returned lies in the result from the beginning. Temporaries whose
//! lives do not overlap share memory. What is asserted of arguments is required in front of the first call. Loops and
//! branches are steps that have others inside (`control.rs`), and numbers that are read from tensors are set by steps. Refused
//! are temporaries whose size data decide, and branches between blocks.

use std::collections::{HashMap, HashSet};

use raddle_emit::sequence::{Argument, Base, Constant, Number, Place, Requirement, Rows, Sequence, symbols_of};
use raddle_emit::{Parameter, llvm};
use raddle_ir::affine::BinOp;
use raddle_ir::extents::{Known, Sizes};
use raddle_ir::views::{Mixed, mixed};
use raddle_ir::{
    Attr, BlockId, Class, Code, DYNAMIC, Diag, Expr, Ir, OpId, Opcode, Scalar, Type, TypeId, ValueId, print_attr,
};
use raddle_passes::partition::hoisted;
use raddle_passes::symbols;
use raddle_target::Chip;

use self::places::Buffer;
use crate::Kernel;
use crate::pipeline::Host;

mod control;
mod floats;
mod json;
mod places;

pub(crate) use self::json::json;

/// What a value of the host function is.
#[derive(Clone)]
enum Value {
    /// A buffer by its number, and the extents of the tensor that lies in it.
    Tensor(usize, Vec<Expr>),
    /// An integer; a truth value is 0 or 1.
    Number(Expr),
    /// A tensor of integers that are known here, as reshapes have them, or of floats by their bits.
    Numbers(Vec<Expr>),
    /// A parameter of the function that is a float.
    Scalar(usize),
    /// A float, by its bits.
    Bits(Expr),
}

/// A step with buffers by their numbers.
enum Draft {
    Call {
        kernel: usize,
        arguments: Vec<Passed>,
    },
    Copy {
        from: usize,
        to: usize,
        bytes: Expr,
        rows: Option<Rows>,
    },
    Fill {
        to: usize,
        with: Vec<u8>,
    },
    /// From here on a buffer is used, whatever it holds.
    Begin(usize),
    Set {
        number: usize,
        to: Number,
    },
    Read {
        number: usize,
        from: usize,
        elem: Scalar,
    },
    Write {
        number: Expr,
        to: usize,
        elem: Scalar,
    },
    If {
        flag: Expr,
        then: Vec<Draft>,
        otherwise: Vec<Draft>,
    },
    Loop {
        before: Vec<Draft>,
        flag: Expr,
        after: Vec<Draft>,
    },
}

impl Draft {
    /// The buffers that the step itself uses.
    fn buffers(&self) -> Vec<usize> {
        match self {
            Draft::Copy { from, to, .. } => vec![*from, *to],
            Draft::Call { arguments, .. } => {
                let buffers = arguments.iter().filter_map(|argument| match argument {
                    Passed::Buffer(buffer) => Some(*buffer),
                    Passed::Other(_) => None,
                });
                buffers.collect()
            }
            Draft::Begin(buffer)
            | Draft::Fill { to: buffer, .. }
            | Draft::Read { from: buffer, .. }
            | Draft::Write { to: buffer, .. } => vec![*buffer],
            Draft::Set { .. } | Draft::If { .. } | Draft::Loop { .. } => Vec::new(),
        }
    }

    /// The steps inside of this one.
    fn inner(&self) -> [&[Draft]; 2] {
        match self {
            Draft::If { then, otherwise, .. } => [then, otherwise],
            Draft::Loop { before, after, .. } => [before, after],
            _ => [&[], &[]],
        }
    }

    fn has_inner(&self) -> bool {
        matches!(self, Draft::If { .. } | Draft::Loop { .. })
    }

    /// The number that the step itself sets.
    fn sets(&self) -> Option<usize> {
        match self {
            Draft::Set { number, .. } | Draft::Read { number, .. } => Some(*number),
            _ => None,
        }
    }
}

enum Passed {
    Buffer(usize),
    Other(Argument),
}

struct Builder<'a> {
    host: &'a Host,
    kernels: &'a [Kernel],
    sequence: Sequence,
    buffers: Vec<Buffer>,
    values: HashMap<ValueId, Value>,
    /// The buffers of globals that were read or written.
    globals: HashMap<String, usize>,
    /// The steps so far, of the block that is drafted.
    drafts: Vec<Draft>,
    /// The first buffer that the block may have made.
    first: usize,
    /// What the loop carries whose round is drafted.
    own: Vec<usize>,
    /// Numbers of steps that are never negative.
    naturals: HashSet<usize>,
    /// How many loops and branches are around what is drafted.
    nesting: usize,
    /// Whether it is done once for all calls.
    is_once: bool,
    /// How many functions call each other around what is drafted.
    depth: usize,
}

/// Functions that call each other, at most.
const DEPTH_MAX: usize = 64;
/// The first predicate of `arith.cmpi` that takes numbers without a sign.
const UNSIGNED: i64 = 6;
/// What computes with truth values as with 0 and 1.
const OF_TRUTHS: [Opcode; 7] = [
    Opcode::ArithCmpi,
    Opcode::ArithAndi,
    Opcode::ArithOri,
    Opcode::ArithXori,
    Opcode::ArithSelect,
    Opcode::ArithExtui,
    Opcode::ArithIndexCastui,
];

impl Host {
    /// The calls of the function as data; `kernels` are those of the program as they are compiled.
    ///
    /// # Errors
    ///
    /// `E0701` at what is not a call, a reshape, a constant or arithmetic on integers.
    pub fn sequence(&self, kernels: &[Kernel], chip: &'static Chip) -> Result<Sequence, Diag> {
        let name = self.ir.symbol_name(self.func).unwrap_or_default().to_owned();
        let sequence = Sequence::new(name.clone(), llvm::entry_name(chip, &name));
        let (buffers, values, globals, drafts, naturals, own) = Default::default();
        let (first, nesting, is_once, depth) = Default::default();
        let mut builder = Builder {
            host: self,
            kernels,
            sequence,
            buffers,
            values,
            globals,
            drafts,
            first,
            own,
            naturals,
            nesting,
            is_once,
            depth,
        };
        builder.build()?;
        Ok(builder.sequence)
    }
}

impl Builder<'_> {
    fn build(&mut self) -> Result<(), Diag> {
        let (ir, func) = (&self.host.ir, self.host.func);
        let entry = ir.body(func, 0).ok_or_else(|| refuse(ir, func, "it has no body"))?;
        if ir.blocks(ir.block_region(entry)).len() > 1 {
            return Err(refuse(ir, func, "it has several blocks"));
        }
        let results = ir.signature(func).1.to_vec();
        self.parameters(entry, &results)?;
        self.is_once = true;
        for op in hoisted::of_kernels(ir, &self.host.kernels) {
            if let Some(body) = ir.body(op, 0) {
                self.block(body)?;
            }
        }
        self.is_once = false;
        let once = std::mem::take(&mut self.drafts);
        let returned = self.block(entry)?;
        self.results(entry, &returned)?;
        let steps = std::mem::take(&mut self.drafts);
        let before = self.place(func, &once)?;
        let during = self.place(func, &steps)?;
        self.sequence.workspace_bytes = match (before, during) {
            (Expr::Const(before), Expr::Const(during)) => Expr::Const(before.max(during)),
            // The kernels of weights have extents that are known: their temporaries are the first part.
            (before, during) => Expr::binary(BinOp::Add, before, during).simplified(),
        };
        self.sequence.once = self.steps(once);
        self.sequence.steps = self.steps(steps);
        self.drop_unused_constants();
        Ok(())
    }

    /// The arguments and results, and the extents that the arguments leave open.
    fn parameters(&mut self, entry: BlockId, results: &[TypeId]) -> Result<(), Diag> {
        let (ir, func) = (&self.host.ir, self.host.func);
        let args = ir.args(entry);
        let types: Vec<TypeId> = args.iter().map(|&arg| ir.type_of(arg)).chain(results.iter().copied()).collect();
        for (at, &ty) in types.iter().enumerate() {
            let is_tensor = matches!(ir[ty], Type::Tensor { .. });
            let (shape, elem) = ir.outside(ty);
            let is_number = matches!(ir[ty], Type::Index | Type::Integer { .. } | Type::Float(_));
            let Some(elem) = elem.filter(|_| is_tensor || is_number && at < args.len()) else {
                return Err(refuse(ir, func, "its arguments and results are tensors and numbers"));
            };
            let open = |extent: i64| if extent == DYNAMIC { -1 } else { extent };
            let shape = is_tensor.then(|| shape.into_iter().map(open).collect());
            let mut parameter = Parameter::new(format!("arg{at}"), elem, shape);
            (parameter.is_read, parameter.is_written) = (is_tensor && at < args.len(), at >= args.len());
            self.sequence.parameters.push(parameter);
        }
        for (at, &arg) in args.iter().enumerate() {
            let Some(shape) = self.sequence.parameters[at].shape.clone() else {
                let value = match ir.ty(arg) {
                    Type::Float(_) => Value::Scalar(at),
                    _ => Value::Number(Expr::Sym(at as u32)),
                };
                self.values.insert(arg, value);
                continue;
            };
            let mut extents = Vec::new();
            for (dim, extent) in shape.into_iter().enumerate() {
                if extent >= 0 {
                    extents.push(Expr::Const(extent));
                    continue;
                }
                let number = self.sequence.parameters.len();
                let mut parameter = Parameter::new(format!("arg{number}"), Scalar::Index, None);
                parameter.extent_of = Some((at, dim));
                self.sequence.parameters.push(parameter);
                extents.push(Expr::Sym(number as u32));
            }
            let buffer = self.buffer(&extents, self.sequence.parameters[at].elem, Some(Base::Parameter(at)));
            self.values.insert(arg, Value::Tensor(buffer, extents));
        }
        Ok(())
    }

    fn buffer(&mut self, extents: &[Expr], elem: Scalar, base: Option<Base>) -> usize {
        let bytes = Expr::Const(elem.bytes() as i64);
        let bytes = extents.iter().fold(bytes, |bytes, extent| Expr::binary(BinOp::Mul, extent.clone(), bytes));
        self.buffer_of(bytes.simplified(), base.map(Place::from))
    }

    /// Drafts the operations of a block; what its end gives.
    fn block(&mut self, block: BlockId) -> Result<Vec<ValueId>, Diag> {
        let ir = &self.host.ir;
        for op in ir.ops_of(block) {
            let ends = matches!(ir.opcode(op), Opcode::ScfCondition | Opcode::UtilReturn);
            if ends || ir.class(op) == Class::Yield {
                return Ok(ir.operands(op).to_vec());
            }
            self.op(op)?;
        }
        Ok(Vec::new())
    }

    fn op(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = &self.host.ir;
        let operands = ir.operands(op);
        match ir.opcode(op) {
            Opcode::FuncCall => self.call(op),
            Opcode::ScfWhile | Opcode::ScfFor | Opcode::ScfIf | Opcode::ScfIndexSwitch | Opcode::TensorExtract
                if self.is_once =>
            {
                Err(refuse(ir, op, "an initializer does it"))
            }
            Opcode::ScfWhile => self.repeat(op),
            Opcode::ScfFor => self.count(op),
            Opcode::ScfIf => {
                let flag = self.number(op, operands[0])?;
                self.branch(op, &[(flag, 0)], 1)
            }
            Opcode::ScfIndexSwitch => self.switch(op),
            Opcode::TensorExtract => self.read(op),
            Opcode::TensorInsertSlice => self.insert(op),
            Opcode::TensorExtractSlice => self.slice(op),
            Opcode::ArithConstant
            | Opcode::UtilUnfoldableConstant
            | Opcode::FlowTensorConstant
            | Opcode::FlowTensorDynamicConstant => {
                let value = self.constant(op, ir.attr(op, "value"), None)?;
                self.values.insert(ir.result(op, 0), value);
                Ok(())
            }
            Opcode::UtilGlobalLoad => {
                let value = self.load(op)?;
                self.values.insert(ir.result(op, 0), value);
                Ok(())
            }
            Opcode::UtilGlobalStore => self.store(op),
            Opcode::TensorEmpty => {
                let extents = self.stated(op, ir.result(op, 0), operands)?;
                let elem = self.elem(op, ir.result(op, 0))?;
                let buffer = self.buffer(&extents, elem, None);
                self.values.insert(ir.result(op, 0), Value::Tensor(buffer, extents));
                Ok(())
            }
            Opcode::UtilOptimizationBarrier => {
                for (value, result) in operands.iter().zip(ir.results(op)) {
                    let value = self.value(op, *value)?;
                    self.values.insert(result, value);
                }
                Ok(())
            }
            Opcode::TensorFromElements => {
                let bits = operands.iter().map(|&value| match self.value(op, value)? {
                    Value::Bits(bits) | Value::Number(bits) => Ok(bits),
                    _ => Err(refuse(ir, op, "it takes a float of the function's arguments")),
                });
                let numbers = bits.collect::<Result<_, _>>()?;
                self.values.insert(ir.result(op, 0), Value::Numbers(numbers));
                Ok(())
            }
            Opcode::CfAssert => self.assert(op),
            Opcode::TensorCast
            | Opcode::TensorExpandShape
            | Opcode::TensorCollapseShape
            | Opcode::TensorReshape
            | Opcode::FlowTensorReshape
            | Opcode::FlowTensorClone
            | Opcode::FlowTensorTieShape
            | Opcode::FlowTensorBarrier
            | Opcode::FlowTensorTransfer => {
                let (buffer, extents) = self.tensor(op, operands[0])?;
                let extents = self.reshaped(op, extents)?;
                self.values.insert(ir.result(op, 0), Value::Tensor(buffer, extents));
                Ok(())
            }
            Opcode::TensorDim => {
                let (_, extents) = self.tensor(op, operands[0])?;
                let dim = ir.const_int(operands[1]).and_then(|dim| usize::try_from(dim).ok());
                let extent = dim.and_then(|dim| extents.get(dim)).cloned();
                let extent = extent.ok_or_else(|| refuse(ir, op, "it does not say of which dimension"))?;
                self.values.insert(ir.result(op, 0), Value::Number(extent));
                Ok(())
            }
            _ => {
                let value = match self.float(op)? {
                    Some(value) => value,
                    None => Value::Number(self.number_of(op)?),
                };
                self.values.insert(ir.result(op, 0), value);
                Ok(())
            }
        }
    }

    fn value(&self, op: OpId, value: ValueId) -> Result<Value, Diag> {
        self.values.get(&value).cloned().ok_or_else(|| refuse(&self.host.ir, op, "it uses what is not there yet"))
    }

    /// A value, of which numbers in a tensor are written to memory first.
    fn in_memory(&mut self, op: OpId, value: ValueId) -> Result<Value, Diag> {
        let Value::Numbers(numbers) = self.value(op, value)? else { return self.value(op, value) };
        let elem = self.elem(op, value)?;
        let shape = self.host.ir.shape_of(value).to_vec();
        let n: i64 = shape.iter().product();
        if self.is_once || n != numbers.len() as i64 || !is_held(elem) {
            return Err(refuse(&self.host.ir, op, "it takes numbers in a tensor of another form"));
        }
        let extents: Vec<Expr> = shape.into_iter().map(Expr::Const).collect();
        let buffer = self.buffer(&extents, elem, None);
        self.buffers[buffer].is_written = true;
        for (at, number) in numbers.into_iter().enumerate() {
            let byte = Expr::Const((at * elem.bytes()) as i64);
            let to = if at == 0 { buffer } else { self.part(buffer, byte, Expr::Const(elem.bytes() as i64)) };
            self.drafts.push(Draft::Write { number, to, elem });
        }
        Ok(Value::Tensor(buffer, extents))
    }

    fn tensor(&self, op: OpId, value: ValueId) -> Result<(usize, Vec<Expr>), Diag> {
        match self.value(op, value)? {
            Value::Tensor(buffer, extents) => Ok((buffer, extents)),
            _ => Err(refuse(&self.host.ir, op, "it takes a tensor")),
        }
    }

    fn number(&self, op: OpId, value: ValueId) -> Result<Expr, Diag> {
        match self.value(op, value)? {
            Value::Number(number) => Ok(number),
            _ => Err(refuse(&self.host.ir, op, "it takes an integer")),
        }
    }

    fn elem(&self, op: OpId, value: ValueId) -> Result<Scalar, Diag> {
        let (_, elem) = self.host.ir.outside(self.host.ir.type_of(value));
        elem.ok_or_else(|| refuse(&self.host.ir, op, "its elements are not numbers"))
    }

    /// The extents of a type, of which the open ones are these numbers.
    fn stated(&self, op: OpId, result: ValueId, sizes: &[ValueId]) -> Result<Vec<Expr>, Diag> {
        let mut sizes = sizes.iter();
        let shape = self.host.ir.shape_of(result).to_vec();
        let extent = |extent: i64| match extent {
            DYNAMIC => {
                let size = sizes.next().ok_or_else(|| refuse(&self.host.ir, op, "an extent is not stated"))?;
                self.number(op, *size)
            }
            extent => Ok(Expr::Const(extent)),
        };
        shape.into_iter().map(extent).collect()
    }

    /// The extents of a reshape, from those in front of it.
    fn reshaped(&self, op: OpId, before: Vec<Expr>) -> Result<Vec<Expr>, Diag> {
        let ir = &self.host.ir;
        let result = ir.result(op, 0);
        let extents = match ir.opcode(op) {
            Opcode::TensorExpandShape => {
                let sizes = ir.attr_id(op, "static_output_shape").and_then(|attr| ir.ints(attr)).unwrap_or_default();
                let extent = |size| match size {
                    Mixed::Static(extent) => Ok(Expr::Const(extent)),
                    Mixed::Value(value) => self.number(op, value),
                };
                mixed(&sizes, &ir.operands(op)[1..]).into_iter().map(extent).collect::<Result<_, _>>()?
            }
            Opcode::TensorCollapseShape => {
                let Some(Attr::Array(groups)) = ir.attr(op, "reassociation") else {
                    return Err(refuse(ir, op, "it does not say how"));
                };
                let product = |group: Vec<i64>| {
                    let extents = group.into_iter().filter_map(|dim| before.get(usize::try_from(dim).ok()?).cloned());
                    extents.fold(Expr::Const(1), |a, b| Expr::binary(BinOp::Mul, a, b)).simplified()
                };
                groups.iter().map(|&group| product(ir.ints(group).unwrap_or_default())).collect()
            }
            Opcode::TensorReshape => match self.value(op, ir.operand(op, 1))? {
                Value::Numbers(numbers) => numbers,
                _ => return Err(refuse(ir, op, "its extents are read from a tensor")),
            },
            Opcode::FlowTensorReshape => self.stated(op, result, ir.group(op, "result_dims"))?,
            _ => before,
        };
        // A cast may know more.
        let shape = ir.shape_of(result);
        let known = |(at, extent): (usize, Expr)| match shape.get(at) {
            Some(&known) if known != DYNAMIC => Expr::Const(known),
            _ => extent,
        };
        Ok(extents.into_iter().enumerate().map(known).collect())
    }

    /// The value of a constant, or of a global that begins with one.
    fn constant(&mut self, op: OpId, attr: Option<&Attr>, global: Option<&str>) -> Result<Value, Diag> {
        let ir = &self.host.ir;
        let result = ir.result(op, 0);
        match (ir.ty(result), attr) {
            (Type::Index | Type::Integer { .. }, _) if ir.const_int(result).is_some() => {
                let number = ir.const_int(result).unwrap_or_default();
                let number = if is_truth(ir, result) { number & 1 } else { number };
                return Ok(Value::Number(Expr::Const(number)));
            }
            (Type::Float(_), Some(attr)) => {
                let bytes = ir.elem_bytes(attr);
                let bits = bytes.iter().rev().fold(0, |bits: u64, &byte| bits << 8 | u64::from(byte));
                return Ok(Value::Bits(Expr::Const(bits as i64)));
            }
            _ => {}
        }
        let (mut shape, _) = ir.outside(ir.type_of(result));
        let elem = self.elem(op, result)?;
        let elsewhere = attr.filter(|attr| !matches!(attr, Attr::Dense { .. }));
        let (bytes, name) = match elsewhere {
            None => {
                let data = raddle_run::host::data(ir, op, result, attr)?;
                shape = data.shape;
                (Some(data.bytes), global.map(str::to_owned))
            }
            Some(_) => (None, self.name(op, global)),
        };
        if shape.contains(&DYNAMIC) {
            return Err(refuse(ir, op, "its extents are not known"));
        }
        let extents: Vec<Expr> = shape.iter().map(|&extent| Expr::Const(extent)).collect();
        let number = self.sequence.constants.len();
        let buffer = self.buffer(&extents, elem, Some(Base::Constant(number)));
        let mut parameter = Parameter::new(name.clone().unwrap_or_default(), elem, Some(shape));
        parameter.is_read = true;
        self.sequence.constants.push(Constant { parameter, bytes, name });
        Ok(Value::Tensor(buffer, extents))
    }

    /// The name that somebody else has for the data of a constant: of a parameter or of a resource.
    fn name(&self, op: OpId, global: Option<&str>) -> Option<String> {
        let ir = &self.host.ir;
        let attr = match global.and_then(|name| self.global(name)) {
            Some(global) => ir.attr_id(global, "initial_value"),
            None => ir.attr_id(op, "value"),
        };
        let text = print_attr(ir, attr?);
        let inside = text.split_once('<')?.1.split_once('>')?.0;
        Some(inside.replace('"', ""))
    }

    /// The global of a name.
    fn global(&self, name: &str) -> Option<OpId> {
        let ir = &self.host.ir;
        let is_named = |&op: &OpId| ir.opcode(op) == Opcode::UtilGlobal && ir.symbol_name(op) == Some(name);
        ir.block_ops(ir.module_block()).find(is_named)
    }

    fn symbol(&self, op: OpId) -> Result<String, Diag> {
        match self.host.ir.attr(op, "global") {
            Some(Attr::Symbol(path)) => Ok(path.last().map_or(String::new(), |&name| self.host.ir[name].to_owned())),
            _ => Err(refuse(&self.host.ir, op, "it names no global")),
        }
    }

    fn load(&mut self, op: OpId) -> Result<Value, Diag> {
        let ir = &self.host.ir;
        let name = self.symbol(op)?;
        let result = ir.result(op, 0);
        if let Some(&buffer) = self.globals.get(&name) {
            let extents = self.stated(op, result, &[])?;
            return Ok(Value::Tensor(buffer, extents));
        }
        let initial = self.global(&name).and_then(|global| ir.attr(global, "initial_value"));
        let initial = initial.ok_or_else(|| refuse(ir, op, "nothing was written to the global"))?;
        let value = self.constant(op, Some(initial), Some(&name))?;
        if let Value::Tensor(buffer, _) = value {
            self.globals.insert(name, buffer);
        }
        Ok(value)
    }

    /// What an initializer writes to a global is a part of the state.
    fn store(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = &self.host.ir;
        let in_initializer = ir.parent_op(op).is_some_and(|around| ir.opcode(around) == Opcode::UtilInitializer);
        if !in_initializer {
            return Err(refuse(ir, op, "a call would write what later calls read"));
        }
        let name = self.symbol(op)?;
        let (mut buffer, extents) = self.tensor(op, ir.operand(op, 0))?;
        let Expr::Const(bytes) = self.buffers[buffer].bytes else {
            return Err(refuse(ir, op, "its extents are not known"));
        };
        if self.buffers[buffer].place.as_ref().is_some_and(|place| place.base != Base::State) {
            let elem = self.elem(op, ir.operand(op, 0))?;
            let copy = self.buffer(&extents, elem, None);
            self.copy(buffer, copy);
            buffer = copy;
        }
        if self.buffers[buffer].place.is_none() {
            let byte = Expr::Const(self.sequence.state_bytes as i64);
            self.buffers[buffer].place = Some(Place { base: Base::State, byte });
            self.sequence.state_bytes += room(bytes);
        }
        self.globals.insert(name, buffer);
        Ok(())
    }

    /// An integer that follows from others.
    fn number_of(&mut self, op: OpId) -> Result<Expr, Diag> {
        let ir = &self.host.ir;
        let outcome = || refuse(ir, op, "it is neither a call of a kernel, nor a reshape, nor arithmetic on extents");
        if ir.results(op).len() != 1 || !matches!(ir.ty(ir.result(op, 0)), Type::Index | Type::Integer { .. }) {
            return Err(outcome());
        }
        let leaf = |value: ValueId| match self.values.get(&value) {
            Some(Value::Number(number)) => Some(number.clone()),
            _ => None,
        };
        let given =
            ir.operands(op).iter().map(|&value| leaf(value)).collect::<Option<Vec<Expr>>>().ok_or_else(outcome)?;
        // A truth value is 1 here, and in signed arithmetic of its type -1.
        let has_truths = ir.operands(op).iter().copied().chain(ir.results(op)).any(|value| is_truth(ir, value));
        if has_truths && !OF_TRUTHS.contains(&ir.opcode(op)) {
            return Err(outcome());
        }
        // Expressions have signs: what an operation takes without one must not be negative.
        let predicate = (ir.opcode(op) == Opcode::ArithCmpi).then(|| ir.attr(op, "predicate")?.as_i64()).flatten();
        let is_unsigned = ir.name(op).ends_with("ui") || predicate.is_some_and(|predicate| predicate >= UNSIGNED);
        if is_unsigned && !given.iter().all(|number| self.is_count(number)) {
            return Err(refuse(ir, op, "its operand may be negative, and it takes it without a sign"));
        }
        let is_natural = |symbol: u32| self.is_natural(symbol);
        // What a wider type holds of a number is that number.
        let narrows = !matches!(ir.opcode(op), Opcode::ArithExtsi | Opcode::ArithExtui);
        if let Some(number) = symbols::number_of(ir, ir.result(op, 0), &leaf, &is_natural) {
            let number = self.checked(op, number.simplified())?;
            return Ok(match ir.ty(ir.result(op, 0)) {
                Type::Integer { width: width @ 2..64, .. } if narrows && self.may_wrap(&number) => {
                    self.named(Number::Wrap(number, *width))
                }
                _ => number,
            });
        }
        let is_of_truths = ir.operands(op).iter().all(|&value| is_truth(ir, value));
        Ok(match (ir.opcode(op), predicate, &given[..]) {
            (Opcode::ArithExtsi, _, [number]) => number.clone(),
            (Opcode::ArithTrunci, _, [number]) => match *ir.ty(ir.result(op, 0)) {
                Type::Integer { width, .. } => self.named(Number::Wrap(number.clone(), width)),
                _ => return Err(outcome()),
            },
            (Opcode::ArithMinsi | Opcode::ArithMinui, _, [a, b]) => self.named(Number::Min(a.clone(), b.clone())),
            (Opcode::ArithMaxsi | Opcode::ArithMaxui, _, [a, b]) => self.named(Number::Max(a.clone(), b.clone())),
            (Opcode::ArithAndi, _, [a, b]) if is_of_truths => self.named(Number::Min(a.clone(), b.clone())),
            (Opcode::ArithOri, _, [a, b]) if is_of_truths => self.named(Number::Max(a.clone(), b.clone())),
            (Opcode::ArithXori, _, [a, Expr::Const(1)]) if is_of_truths => opposite(a.clone()),
            (Opcode::ArithSelect, _, [which, a, b]) => self.named(Number::Select(which.clone(), a.clone(), b.clone())),
            // In the order of `arith.cmpi`: eq ne slt sle sgt sge ult ule ugt uge.
            (_, Some(0), [a, b]) => self.named(Number::Equal(a.clone(), b.clone())),
            (_, Some(1), [a, b]) => opposite(self.named(Number::Equal(a.clone(), b.clone()))),
            (_, Some(2 | 6), [a, b]) if !is_of_truths => self.named(Number::Less(a.clone(), b.clone())),
            (_, Some(3 | 7), [a, b]) if !is_of_truths => opposite(self.named(Number::Less(b.clone(), a.clone()))),
            (_, Some(4 | 8), [a, b]) if !is_of_truths => self.named(Number::Less(b.clone(), a.clone())),
            (_, Some(5 | 9), [a, b]) if !is_of_truths => opposite(self.named(Number::Less(a.clone(), b.clone()))),
            _ => return Err(outcome()),
        })
    }

    /// Whether an expression has any number that is not an extent: one may leave the type of what is computed of it.
    fn may_wrap(&self, expr: &Expr) -> bool {
        let parameters = &self.sequence.parameters;
        symbols_of(expr).into_iter().any(|symbol| match parameters.get(symbol) {
            Some(parameter) => parameter.extent_of.is_none(),
            None => self.is_of_steps(symbol),
        })
    }

    /// A number as an expression: it is computed once, or where it is needed.
    fn named(&mut self, number: Number) -> Expr {
        if self.nesting > 0 || self.changes(&number) {
            let is_natural = self.is_natural_number(&number);
            let at = self.variable();
            if is_natural {
                self.naturals.insert(at);
            }
            self.drafts.push(Draft::Set { number: at, to: number });
            return self.symbol_of(at);
        }
        let numbers = &mut self.sequence.numbers;
        let at = numbers.iter().position(|other| *other == number).unwrap_or_else(|| {
            numbers.push(number);
            numbers.len() - 1
        });
        Expr::Sym((self.sequence.parameters.len() + at) as u32)
    }

    /// What holds whatever the arguments are is not required of them.
    fn assert(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = &self.host.ir;
        let number = self.number(op, ir.operand(op, 0))?;
        if number == Expr::Const(1) {
            return Ok(());
        }
        if self.nesting > 0 || self.depends_on_steps(&number) {
            return Err(refuse(ir, op, "data decide whether it holds"));
        }
        let message = if let Some(Attr::Str(text)) = ir.attr(op, "msg") { ir[*text].to_owned() } else { String::new() };
        let requirement = Requirement { number, message };
        if !self.sequence.requirements.contains(&requirement) {
            self.sequence.requirements.push(requirement);
        }
        Ok(())
    }

    /// Whether a symbol is never negative, as extents are.
    fn is_natural(&self, symbol: u32) -> bool {
        let parameters = &self.sequence.parameters;
        match parameters.get(symbol as usize) {
            Some(parameter) => parameter.extent_of.is_some(),
            None => {
                let at = symbol as usize - parameters.len();
                self.naturals.contains(&at) || self.is_natural_number(&self.sequence.numbers[at])
            }
        }
    }

    /// Whether an expression is never negative.
    fn is_count(&self, number: &Expr) -> bool {
        symbols::is_count(number, &|symbol| self.is_natural(symbol))
    }

    fn is_natural_number(&self, number: &Number) -> bool {
        match number {
            Number::Of(a) => self.is_count(a),
            Number::Min(a, b) | Number::Select(_, a, b) => self.is_count(a) && self.is_count(b),
            Number::Max(a, b) => self.is_count(a) || self.is_count(b),
            Number::Equal(..) | Number::Less(..) => true,
            Number::Float(operation, of, bits) => self.is_natural_float(*operation, of, *bits),
            Number::Wrap(..) | Number::OfSteps => false,
        }
    }

    /// Whether steps set what an expression is made of.
    fn depends_on_steps(&self, expr: &Expr) -> bool {
        symbols_of(expr).into_iter().any(|symbol| self.is_of_steps(symbol))
    }

    fn is_of_steps(&self, symbol: usize) -> bool {
        let number = symbol.checked_sub(self.sequence.parameters.len());
        number.is_some_and(|number| self.sequence.numbers[number] == Number::OfSteps)
    }

    fn changes(&self, number: &Number) -> bool {
        match number {
            Number::Of(a) | Number::Wrap(a, _) => self.depends_on_steps(a),
            Number::Min(a, b) | Number::Max(a, b) | Number::Equal(a, b) | Number::Less(a, b) => {
                self.depends_on_steps(a) || self.depends_on_steps(b)
            }
            Number::Select(a, b, c) => [a, b, c].into_iter().any(|expr| self.depends_on_steps(expr)),
            Number::Float(_, of, _) => of.iter().any(|expr| self.depends_on_steps(expr)),
            Number::OfSteps => true,
        }
    }

    /// An expression, if what it divides by is never negative.
    fn checked(&self, op: OpId, expr: Expr) -> Result<Expr, Diag> {
        match divides_by(&expr, &|by| self.is_count(by)) {
            true => Ok(expr),
            false => Err(refuse(&self.host.ir, op, "a number is divided by what may be negative")),
        }
    }

    fn call(&mut self, op: OpId) -> Result<(), Diag> {
        let host = self.host;
        let ir = &host.ir;
        let name = match ir.attr(op, "callee") {
            Some(Attr::Symbol(path)) => path.last().map_or("", |&name| &ir[name]),
            _ => "",
        };
        let is_called = |&kernel: &OpId| ir.symbol_name(kernel) == Some(name);
        let operands = ir.operands(op);
        let mut given = Vec::new();
        for &value in operands {
            given.push(self.in_memory(op, value)?);
        }
        let Some(kernel) = host.kernels.iter().position(is_called) else {
            return self.inner(op, name, given);
        };
        let sizes = symbols::results(ir, host.kernels[kernel]);
        let parameters = &self.kernels[kernel].parameters;
        let n_buffers = parameters.iter().take_while(|parameter| parameter.extent_of.is_none()).count();
        let results: Vec<ValueId> = ir.results(op).collect();
        if n_buffers != given.len() + results.len() {
            return Err(refuse(ir, op, "the kernel takes other arguments than the call gives"));
        }
        let mut all = given;
        for (result, sizes) in results.iter().zip(&sizes) {
            let extents = self.extents(op, *result, sizes.as_ref(), &all)?;
            let elem = self.elem(op, *result)?;
            let buffer = self.buffer(&extents, elem, None);
            self.buffers[buffer].is_written = true;
            all.push(Value::Tensor(buffer, extents));
        }
        let mut arguments = Vec::new();
        for (at, parameter) in parameters.iter().enumerate() {
            let value = match parameter.extent_of {
                None => all[at].clone(),
                Some((of, dim)) => match &all[of] {
                    Value::Tensor(_, extents) => Value::Number(extents[dim].clone()),
                    _ => return Err(refuse(ir, op, "the kernel takes the extent of a number")),
                },
            };
            if parameter.is_written && at < operands.len() {
                return Err(refuse(ir, op, "the kernel writes one of its arguments"));
            }
            arguments.push(match (value, parameter.shape.is_some(), parameter.elem) {
                (Value::Tensor(buffer, _), true, _) => Passed::Buffer(buffer),
                (Value::Number(number), false, Scalar::Index | Scalar::Int(_)) => {
                    Passed::Other(Argument::Number(number))
                }
                (Value::Scalar(at), false, Scalar::Float(_)) => Passed::Other(Argument::Scalar(at)),
                (Value::Bits(bits), false, Scalar::Float(_)) => Passed::Other(Argument::Bits(bits)),
                _ => return Err(refuse(ir, op, "the kernel takes an argument of another type")),
            });
        }
        self.drafts.push(Draft::Call { kernel, arguments });
        for (result, value) in results.into_iter().zip(all.into_iter().skip(operands.len())) {
            self.values.insert(result, value);
        }
        Ok(())
    }

    /// A call of another function is what that one does.
    fn inner(&mut self, op: OpId, name: &str, given: Vec<Value>) -> Result<(), Diag> {
        let ir = &self.host.ir;
        let callee = ir.funcs().into_iter().find(|&func| ir.symbol_name(func) == Some(name));
        let entry = callee.and_then(|func| ir.body(func, 0));
        let entry = entry.ok_or_else(|| refuse(ir, op, "it calls what has no body"))?;
        if ir.blocks(ir.block_region(entry)).len() > 1 || self.depth == DEPTH_MAX {
            return Err(refuse(ir, op, "it calls a function of several blocks, or one within many others"));
        }
        self.values.extend(ir.args(entry).iter().copied().zip(given));
        self.depth += 1;
        let returned = self.block(entry)?;
        self.depth -= 1;
        for (result, value) in ir.results(op).zip(returned) {
            let value = self.value(op, value)?;
            self.values.insert(result, value);
        }
        Ok(())
    }

    /// The extents of a kernel's result.
    fn extents(&self, op: OpId, result: ValueId, sizes: Option<&Sizes>, given: &[Value]) -> Result<Vec<Expr>, Diag> {
        let ir = &self.host.ir;
        let (shape, _) = ir.outside(ir.type_of(result));
        if !shape.contains(&DYNAMIC) {
            return Ok(shape.into_iter().map(Expr::Const).collect());
        }
        let symbol = |&known: &Known| match known {
            Known::Number(at) => match given.get(at)? {
                Value::Number(number) => Some(number.clone()),
                _ => None,
            },
            Known::Extent(at, dim) => match given.get(at)? {
                Value::Tensor(_, extents) => extents.get(dim).cloned(),
                _ => None,
            },
        };
        let of = |sizes: &Sizes| {
            let symbols = sizes.of.iter().map(symbol).collect::<Option<Vec<Expr>>>()?;
            let replaced = |expr: &Expr| expr.replaced(&[], &symbols).simplified();
            Some(sizes.map.results.iter().map(replaced).collect::<Vec<_>>())
        };
        let mut extents = sizes
            .and_then(of)
            .ok_or_else(|| refuse(ir, op, "the extents of its result do not follow from those of its arguments"))?;
        extents.extend(shape.get(extents.len()).copied().map(Expr::Const));
        extents.into_iter().map(|extent| self.checked(op, extent)).collect()
    }

    /// What is returned lies in the results, or is copied there.
    fn results(&mut self, entry: BlockId, returned: &[ValueId]) -> Result<(), Diag> {
        let (ir, func) = (&self.host.ir, self.host.func);
        let first = ir.args(entry).len();
        for (at, &value) in returned.iter().enumerate() {
            let number = first + at;
            let (buffer, extents) = match self.in_memory(func, value)? {
                Value::Tensor(buffer, extents) => (buffer, extents),
                _ => return Err(refuse(ir, func, "it returns a number")),
            };
            let depends = extents.iter().any(|extent| self.depends_on_steps(extent));
            let parameter = &mut self.sequence.parameters[number];
            if parameter.shape.as_ref().is_some_and(|shape| shape.contains(&-1)) {
                if depends {
                    return Err(refuse(ir, func, "data decide how large a result is"));
                }
                parameter.extents = Some(extents.clone());
            }
            let elem = parameter.elem;
            let base = Base::Parameter(number);
            if self.buffers[buffer].place.is_none() && self.buffers[buffer].within.is_none() {
                self.buffers[buffer].place = Some(base.into());
            } else {
                let to = self.buffer(&extents, elem, Some(base));
                self.copy(buffer, to);
            }
        }
        Ok(())
    }
}

/// What a buffer takes of the memory that it lies in: one of no elements has an address, too.
fn room(bytes: i64) -> u64 {
    (bytes as u64).max(1).next_multiple_of(Sequence::ALIGNMENT)
}

/// Whether an expression divides by such numbers only.
fn divides_by(expr: &Expr, is_such: &dyn Fn(&Expr) -> bool) -> bool {
    let both = |a: &Expr, b: &Expr| divides_by(a, is_such) && divides_by(b, is_such);
    match expr {
        Expr::Add(a, b) | Expr::Mul(a, b) => both(a, b),
        Expr::FloorDiv(a, b) | Expr::CeilDiv(a, b) | Expr::Mod(a, b) => is_such(b) && both(a, b),
        Expr::Dim(_) | Expr::Sym(_) | Expr::Const(_) => true,
    }
}

/// The next multiple of what places are multiples of.
fn aligned(bytes: &Expr) -> Expr {
    let unit = || Expr::Const(Sequence::ALIGNMENT as i64);
    Expr::binary(BinOp::Mul, Expr::binary(BinOp::CeilDiv, bytes.clone(), unit()), unit())
}

/// Whether memory has numbers of such a width.
fn is_held(elem: Scalar) -> bool {
    matches!(elem.bits(), 1 | 8 | 16 | 32 | 64)
}

/// 1 where a truth value is 0, and 0 where it is 1.
fn opposite(number: Expr) -> Expr {
    let negative = Expr::binary(BinOp::Mul, number, Expr::Const(-1));
    Expr::binary(BinOp::Add, negative, Expr::Const(1)).simplified()
}

fn is_truth(ir: &Ir, value: ValueId) -> bool {
    matches!(ir.ty(value), Type::Integer { width: 1, .. })
}

fn refuse(ir: &Ir, op: OpId, why: &str) -> Diag {
    Diag::error(Code::CannotEmit, ir.span(op), format!("`{}` is not one of the calls of a sequence", ir.name(op)))
        .label(why)
}
