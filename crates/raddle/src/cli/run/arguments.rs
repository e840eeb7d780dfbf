//! What a function takes and gives, and how that becomes the arguments of its kernel.
//!
//! A function on tensors takes inputs and returns results; its kernel takes memrefs, the inputs and then the
//! destinations. A kernel that is written by hand has memrefs from the start: those that it writes are its results.

use std::collections::BTreeMap;

use raddle_ir::extents::{self, Sizes};
use raddle_ir::views::Transfer;
use raddle_ir::{Class, Code, DYNAMIC, Def, Diag, Ir, OpId, Opcode, Scalar, Span, Type, TypeId, ValueId};
use raddle_passes::{in_place, symbols};
use raddle_run::spec::{self, Data, Spec, is_held, shape_text};
use raddle_run::{Counters, Outcome, Tensor, Writer, random};

use super::chosen::Choice;
use super::indices;
use crate::cli::files;

/// What the command line says of an argument.
enum Given {
    /// Its data, and where that comes from.
    Data(Tensor, String),
    /// Its extents; the data is random.
    Extents(Vec<i64>),
    Nothing,
}

/// Arguments, results and reference are there at once.
const COPIES: usize = 3;

/// One argument or result.
pub struct Slot {
    /// The extents, as tensors outside have them: empty for a scalar, and with a last one of two for complex numbers.
    pub shape: Vec<i64>,
    /// The element type.
    pub elem: Scalar,
    /// Whether the elements are parts of complex numbers.
    pub is_complex: bool,
    /// As MLIR spells the type.
    pub text: String,
}

/// What a function takes and gives.
pub struct Signature {
    span: Span,
    /// The arguments.
    pub inputs: Vec<Slot>,
    /// For each argument, whether it is only written.
    only_written: Vec<bool>,
    /// For each argument, whether it is a buffer that a program takes and does not import: nobody knows what it holds.
    ignored: Vec<bool>,
    /// For each argument that holds indices, a number that they must be below.
    indices: Vec<Option<i64>>,
    /// For each argument, whether integers are divided by it.
    divisors: Vec<bool>,
    /// The results, or the arguments that are written.
    pub results: Vec<Slot>,
    /// The extents of each result of a function, where they follow from its arguments.
    extents: Vec<Option<Sizes>>,
    /// For a function without results: which arguments are its results.
    written: Vec<usize>,
}

impl Signature {
    /// Reads it off a function.
    pub fn of(ir: &Ir, func: OpId) -> Result<Signature, Diag> {
        let (inputs, results) = ir.signature(func);
        let slots = |types: &[TypeId]| types.iter().map(|&ty| slot(ir, func, ty)).collect::<Result<Vec<_>, _>>();
        let (inputs, results) = (slots(inputs)?, slots(results)?);
        let (read, mut written) = accesses(ir, func, inputs.len());
        // A program on memrefs, which has become one on tensors.
        let places = in_place::stated(ir, func);
        places.iter().flatten().for_each(|&argument| written[argument] = true);
        // Nothing but an input says what an open extent is.
        let is_open = |slot: &Slot| slot.shape.contains(&DYNAMIC);
        let only_written = (0..inputs.len()).map(|arg| written[arg] && !read[arg] && !is_open(&inputs[arg])).collect();
        let (indices, divisors) = (indices::bounds(ir, func), indices::divisors(ir, func));
        // A declared function has no block.
        let args = ir.body(func, 0).map_or(&[][..], |block| ir.args(block));
        let is_ignored = |(at, slot): (usize, &Slot)| {
            slot.shape == [0] && slot.elem == Scalar::Int(8) && args.get(at).is_some_and(|&arg| ir.is_unused(arg))
        };
        let ignored = inputs.iter().enumerate().map(is_ignored).collect();
        if !results.is_empty() && places.contains(&None) {
            let (span, extents) = (ir.span(func), symbols::results(ir, func));
            let written = Vec::new();
            return Ok(Signature { span, inputs, only_written, ignored, indices, divisors, results, extents, written });
        }
        let written: Vec<usize> = (0..inputs.len()).filter(|&arg| written[arg]).collect();
        let results = written.iter().map(|&arg| inputs[arg].copy()).collect();
        let (span, extents) = (ir.span(func), Vec::new());
        Ok(Signature { span, inputs, only_written, ignored, indices, divisors, results, extents, written })
    }

    /// Arguments and results, in the copies that a run and a comparison need, must fit the memory limit.
    pub fn check_memory(&self, limit: usize) -> Result<(), Diag> {
        let total = self.bytes();
        if total <= limit {
            return Ok(());
        }
        let message = format!(
            "arguments and results of {} bytes, {COPIES} times, are larger than the limit of {limit}",
            total / COPIES
        );
        Err(Diag::error(Code::TooLarge, self.span, message).help("raise it with `--memory`, as in `--memory=4G`"))
    }

    /// Bytes of arguments and results in all their copies.
    pub fn bytes(&self) -> usize {
        self.data_bytes().saturating_mul(COPIES)
    }

    /// Bytes of arguments and results.
    pub fn data_bytes(&self) -> usize {
        let bytes = |slot: &Slot| slot.n_elements().saturating_mul(slot.elem.bytes());
        self.inputs.iter().chain(&self.results).map(bytes).fold(0, usize::saturating_add)
    }

    /// For the function at a later stage, element type and number of elements of each argument, and the positions of
    /// those that nobody has written yet.
    pub fn sizes_at(&self, ir: &Ir, func: OpId) -> (Vec<(Scalar, usize)>, Vec<usize>) {
        let appended = if self.takes_destinations(ir, func) { &self.results[..] } else { &[] };
        let sizes = self.inputs.iter().chain(appended).map(|slot| (slot.elem, slot.n_elements()));
        (sizes.collect(), (self.inputs.len()..self.inputs.len() + appended.len()).collect())
    }

    /// Whether the function at a later stage takes a destination for each result.
    fn takes_destinations(&self, ir: &Ir, func: OpId) -> bool {
        let n_extents = extents::taken(ir, func).map_or(0, |extents| extents.len());
        self.written.is_empty() && ir.signature(func).0.len() == self.inputs.len() + self.results.len() + n_extents
    }

    /// The arguments from their spellings, or random ones, of which something may be chosen; with each, where it comes
    /// from.
    pub fn arguments(
        &self,
        spellings: &[String],
        seed: u64,
        chosen: &[Option<Choice>],
    ) -> Result<(Vec<Tensor>, Vec<String>), Diag> {
        let n_needed = self.only_written.iter().filter(|only| !**only).count();
        if !spellings.is_empty() && spellings.len() != self.inputs.len() && spellings.len() != n_needed {
            let expected = if n_needed == self.inputs.len() {
                format!("{n_needed}")
            } else {
                format!("{n_needed}, or {} with those that it only writes", self.inputs.len())
            };
            let message = format!("the function takes {expected} inputs, and {} are given", spellings.len());
            return Err(Diag::error(Code::BadInput, self.span, message).help(self.help()));
        }
        for (at, slot) in self.results.iter().enumerate() {
            if !slot.shape.contains(&DYNAMIC) {
                static_shape(self.span, slot, &format!("result {at}"))?;
            }
        }
        let all_given = spellings.len() == self.inputs.len();
        let mut spellings = spellings.iter();
        let (mut tensors, mut origins, mut taken) = (Vec::new(), Vec::new(), Taken::new());
        for (at, slot) in self.inputs.iter().enumerate() {
            let spelling = if all_given || !self.only_written[at] { spellings.next() } else { None };
            let given = match spelling {
                Some(text) if self.ignored[at] => {
                    Spec::parse(text).map_err(|error| self.bad_spelling(text, slot, &format!("input {at}"), &error))?;
                    Given::Data(Tensor::zeros(slot.elem, &[0]), "not used".to_owned())
                }
                Some(text) => self.given(text, slot, &format!("input {at}"), &mut taken)?,
                None => Given::Nothing,
            };
            let shape = match (given, chosen.get(at)) {
                (Given::Data(tensor, origin), _) => {
                    tensors.push(tensor);
                    origins.push(origin);
                    continue;
                }
                (Given::Nothing, Some(Some(Choice::Number(number)))) => {
                    tensors.push(number.clone());
                    origins.push("chosen".to_owned());
                    continue;
                }
                (Given::Extents(shape), _) => shape,
                (Given::Nothing, Some(Some(Choice::Shape(shape)))) => {
                    let parts: &[i64] = if slot.is_complex { &[2] } else { &[] };
                    [shape, parts].concat()
                }
                (Given::Nothing, _) => slot.shape.clone(),
            };
            let mut stated = Slot { shape, ..slot.copy() };
            if slot.shape.contains(&DYNAMIC) && !stated.shape.contains(&DYNAMIC) {
                stated.text = format!("tensor<{}>", stated.spelling());
            }
            let extents = static_shape(self.span, &stated, &format!("argument {at}"))?;
            // An index that is a divisor, too, has no other choice where there is one place.
            let divides = self.divisors.get(at) == Some(&true) && self.indices[at] != Some(1);
            let no_zeros = if divides { " without zeros" } else { "" };
            let of = match slot.shape.contains(&DYNAMIC) {
                true => format!("{}, ", stated.spelling()),
                false => String::new(),
            };
            let (tensor, origin) = if self.only_written[at] {
                (Tensor::zeros(slot.elem, extents), format!("{of}zeros"))
            } else if let Some(Some(end)) = self.indices.get(at) {
                let tensor = random::below(slot.elem, extents, *end, seed, at as u64);
                (tensor, format!("{of}random indices below {end}{no_zeros}, seed {seed}"))
            } else {
                let tensor = random::normal(slot.elem, extents, seed, at as u64);
                (tensor, format!("{of}random normal{no_zeros}, seed {seed}"))
            };
            let tensor = if divides { random::without_zeros(tensor) } else { tensor };
            tensors.push(tensor);
            origins.push(origin);
        }
        Ok((tensors, origins))
    }

    /// The expected results from their spellings; `None` if there are none.
    pub fn expected(&self, spellings: &[String]) -> Result<Option<Vec<Option<Tensor>>>, Diag> {
        if spellings.is_empty() {
            return Ok(None);
        }
        let targets = self.targets("expected output", spellings)?;
        if targets.len() != self.results.len() && spellings.iter().any(|text| named(text).is_none()) {
            let message =
                format!("the function has {} results, and {} are expected", self.results.len(), spellings.len());
            return Err(Diag::error(Code::BadInput, self.span, message).help("`(ignored)` leaves one out"));
        }
        let mut taken = Taken::new();
        let mut expected: Vec<Option<Tensor>> = self.results.iter().map(|_| None).collect();
        for (at, text) in targets {
            if text != "(ignored)" {
                let tensor = self.tensor(text, &self.results[at], &format!("expected output {at}"), &mut taken)?;
                expected[at] = Some(tensor);
            }
        }
        Ok(Some(expected))
    }

    /// Which result each spelling is for, and the rest of the spelling: `arg2=…` names an argument that the kernel
    /// writes, and the others take the results in order.
    pub fn targets<'t>(&self, what: &str, spellings: &'t [String]) -> Result<Vec<(usize, &'t str)>, Diag> {
        let bad = |message: String| Diag::error(Code::BadInput, self.span, message);
        let mut targets: Vec<(usize, &str)> = Vec::new();
        let mut next = 0;
        for text in spellings {
            let (at, rest) = match named(text) {
                None => {
                    next += 1;
                    (next - 1, text.as_str())
                }
                Some((arg, rest)) => {
                    let at = self.written.iter().position(|&written| written == arg);
                    let help = "results of a function have no names; the arguments that a kernel writes do";
                    (at.ok_or_else(|| bad(format!("the function does not write argument {arg}")).help(help))?, rest)
                }
            };
            if at >= self.results.len() {
                return Err(bad(format!("{} {what}s for {} results", spellings.len(), self.results.len())));
            }
            if targets.iter().any(|target| target.0 == at) {
                return Err(bad(format!("`--{}={text}` is the second one for result {at}", what.replace(' ', "_"))));
            }
            targets.push((at, rest));
        }
        Ok(targets)
    }

    /// What a spelling says of an argument; `taken` counts the arrays that each file has given.
    fn given(&self, text: &str, slot: &Slot, what: &str, taken: &mut Taken) -> Result<Given, Diag> {
        let bad = |error: spec::Error| self.bad_spelling(text, slot, what, &error);
        let spec = Spec::parse(text).map_err(bad)?;
        if spec.ty.is_none() && spec.data == Data::Random {
            return Ok(Given::Nothing);
        }
        if let Some((extents, _)) = spec.random(Some((&slot.shape, slot.elem))).map_err(bad)? {
            return Ok(Given::Extents(extents));
        }
        let is_zero = spec.ty.is_some() && !text.contains('=');
        let origin = if is_zero { "zeros".to_owned() } else { spec_origin(text) };
        Ok(Given::Data(self.tensor(text, slot, what, taken)?, origin))
    }

    fn bad_spelling(&self, text: &str, slot: &Slot, what: &str, error: &spec::Error) -> Diag {
        let code = if let spec::Error::TooLarge(..) = error { Code::TooLarge } else { Code::BadInput };
        let diag = Diag::error(code, self.span, format!("{what}, `{text}`: {error}"))
            .label(format!("{what} is a {}", slot.text));
        match error.help() {
            Some(help) => diag.help(help),
            None => diag,
        }
    }

    /// One tensor from its spelling; `taken` counts the arrays that each file has given.
    fn tensor(&self, text: &str, slot: &Slot, what: &str, taken: &mut Taken) -> Result<Tensor, Diag> {
        let bad = |error: spec::Error| self.bad_spelling(text, slot, what, &error);
        let spec = Spec::parse(text).map_err(bad)?;
        let (file, n) = match spec.path() {
            Some(path) => {
                let taken = taken.entry(path.to_owned()).or_default();
                *taken += 1;
                (files::read_tensor(path)?, *taken - 1)
            }
            None => (Vec::new(), 0),
        };
        spec.nth_tensor(&file, n, Some((&slot.shape, slot.elem))).map_err(bad)
    }

    fn help(&self) -> String {
        let inputs: Vec<String> = self
            .inputs
            .iter()
            .enumerate()
            .filter(|(at, _)| !self.only_written[*at])
            .map(|(at, slot)| format!("--input={}=@{at}.npy", slot.spelling()))
            .collect();
        format!("for example `{}`; `random` instead of a file gives random data", inputs.join(" "))
    }

    /// The arguments for the function at a later stage: destinations are appended, and shapes are those that it
    /// states now. With them, the positions of those that nobody has written yet.
    pub fn arguments_at(&self, ir: &Ir, func: OpId, arguments: &[Tensor]) -> Result<(Vec<Tensor>, Vec<usize>), Diag> {
        let (types, _) = ir.signature(func);
        let mut tensors = arguments.to_vec();
        let mut unwritten = Vec::new();
        if self.takes_destinations(ir, func) {
            for (at, slot) in self.results.iter().enumerate() {
                // All bits set is a NaN: an element that nobody writes does not pass for a result.
                let mut tensor = Tensor::zeros(slot.elem, &self.extents_of(at, arguments)?);
                tensor.bytes.fill(0xff);
                unwritten.push(tensors.len());
                tensors.push(tensor);
            }
        }
        let mut tensors = raddle_run::with_extents(ir, func, tensors)?;
        assert_eq!(tensors.len(), types.len(), "passes append one destination for each result, and extents");
        for (tensor, &ty) in tensors.iter_mut().zip(types) {
            let (shape, _) = ir.outside(ty);
            // A flat buffer keeps the shape of the tensor, so that findings name its coordinates.
            let flat = shape.len() == 1 && matches!(ir[ty], Type::MemRef { .. });
            if !shape.contains(&DYNAMIC) && !flat {
                tensor.shape = shape;
            }
        }
        Ok((tensors, unwritten))
    }

    /// The extents of a result, for these arguments.
    fn extents_of(&self, at: usize, arguments: &[Tensor]) -> Result<Vec<i64>, Diag> {
        let slot = &self.results[at];
        if !slot.shape.contains(&DYNAMIC) {
            return Ok(slot.shape.clone());
        }
        let mut extents =
            self.extents.get(at).and_then(Option::as_ref).and_then(|sizes| raddle_run::evaluate(sizes, arguments));
        if slot.is_complex {
            extents.iter_mut().for_each(|extents| extents.push(2));
        }
        let extents = extents.filter(|extents| spec::n_elements(extents, slot.elem).is_ok());
        extents.ok_or_else(|| {
            let message = format!("the extents of result {at} do not follow from those of the arguments");
            Diag::error(Code::BadInput, self.span, message)
                .label(format!("result {at} is a {}", slot.text))
                .help("let them be `tensor.dim` of arguments, arguments of type `index`, and arithmetic on these")
        })
    }

    /// The results of an execution of `func`, in the shapes of the function as written, with their writers.
    pub fn results_of(&self, ir: &Ir, func: OpId, ran: Outcome) -> (Vec<Tensor>, Written, Counters) {
        let Outcome { results, buffers, writers, counters, .. } = ran;
        let is_result = |arg: usize| match self.written.is_empty() {
            true => arg >= self.inputs.len(),
            false => self.written.contains(&arg),
        };
        let (mut tensors, writers) = if !results.is_empty() {
            (results, Vec::new())
        } else {
            // Buffers are the arguments that are memrefs.
            let (types, _) = ir.signature(func);
            let args = (0..types.len()).filter(|&arg| matches!(ir[types[arg]], Type::MemRef { .. }));
            let picked = args.zip(buffers.into_iter().zip(writers)).filter(|(arg, _)| is_result(*arg));
            picked.map(|(_, pair)| pair).unzip()
        };
        for (tensor, slot) in tensors.iter_mut().zip(&self.results) {
            if !slot.shape.contains(&DYNAMIC) {
                tensor.shape.clone_from(&slot.shape);
            }
        }
        (tensors, writers, counters)
    }
}

/// For each file, how many of its arrays have been read.
type Taken = BTreeMap<String, usize>;

/// For each result and element, who wrote it.
pub type Written = Vec<Vec<Option<Writer>>>;

impl Slot {
    /// As `--input` spells it.
    fn spelling(&self) -> String {
        match self.shape.split_last() {
            Some((_, shape)) if self.is_complex => join(shape, &format!("complex<{}>", self.elem)),
            _ => join(&self.shape, &self.elem.to_string()),
        }
    }

    /// The product of the extents that are known.
    fn n_elements(&self) -> usize {
        let known = self.shape.iter().filter(|&&extent| extent != DYNAMIC);
        known.fold(1, |n, &extent| n.saturating_mul(usize::try_from(extent).unwrap_or(usize::MAX)))
    }

    fn copy(&self) -> Slot {
        Slot { shape: self.shape.clone(), elem: self.elem, is_complex: self.is_complex, text: self.text.clone() }
    }
}

fn slot(ir: &Ir, func: OpId, ty: TypeId) -> Result<Slot, Diag> {
    let kind = match &ir[ty] {
        Type::Tensor { .. } => "tensor",
        Type::MemRef { .. } => "memref",
        Type::Vector { .. } => "vector",
        _ => "",
    };
    let (shape, elem) = ir.outside(ty);
    let is_complex = ir.complex_part(ty).is_some();
    let is_read = !is_complex || matches!(kind, "tensor" | "");
    let elem = elem.filter(|elem| is_held(*elem) && is_read).ok_or_else(|| {
        Diag::error(Code::BadInput, ir.span(func), "an argument or result is neither a tensor nor a number")
            .note("tensors, memrefs and vectors of integers, and of floats of at most 64 bits, can be read, written and compared; complex numbers of such floats in tensors only")
    })?;
    let mut slot = Slot { shape, elem, is_complex, text: String::new() };
    slot.text = if kind.is_empty() { slot.spelling() } else { format!("{kind}<{}>", slot.spelling()) };
    Ok(slot)
}

fn join(shape: &[i64], elem: &str) -> String {
    if shape.is_empty() { elem.to_owned() } else { format!("{}x{elem}", shape_text(shape)) }
}

/// The extents, if all are known and the tensor is not too large.
fn static_shape<'a>(span: Span, slot: &'a Slot, what: &str) -> Result<&'a [i64], Diag> {
    if slot.shape.contains(&DYNAMIC) {
        let message = format!("{what} has a dynamic extent, and no input states it");
        return Err(Diag::error(Code::BadInput, span, message)
            .label(format!("{what} is a {}", slot.text))
            .help(format!("give it, as in `--input={}=random`", slot.spelling().replace('?', "64"))));
    }
    match spec::n_elements(&slot.shape, slot.elem) {
        Ok(_) => Ok(&slot.shape),
        Err(error) => Err(Diag::error(Code::TooLarge, span, format!("{what}: {error}"))),
    }
}

/// For each argument, whether it is read, and whether it is written.
fn accesses(ir: &Ir, func: OpId, n_args: usize) -> (Vec<bool>, Vec<bool>) {
    let (mut read, mut written) = (vec![false; n_args], vec![false; n_args]);
    let Some(entry) = ir.body(func, 0) else { return (read, written) };
    let mark = |value: ValueId, marks: &mut Vec<bool>| {
        if let Def::Arg { block, index } = ir.def(origin(ir, value))
            && block == entry
        {
            marks[index as usize] = true;
        }
    };
    for op in ir.walk(func) {
        match ir.opcode(op) {
            Opcode::VectorTransferRead => mark(Transfer::of(ir, op).base, &mut read),
            Opcode::VectorTransferWrite => mark(Transfer::of(ir, op).base, &mut written),
            Opcode::MemrefLoad | Opcode::VectorLoad => mark(ir.operand(op, 0), &mut read),
            Opcode::MemrefStore | Opcode::VectorStore => mark(ir.operand(op, 1), &mut written),
            Opcode::IreeVectorExtTransferScatter => mark(ir.operand(op, 0), &mut written),
            Opcode::VectorScatter | Opcode::VectorMaskedstore | Opcode::VectorCompressstore => {
                mark(ir.operand(op, 0), &mut written);
            }
            Opcode::MemrefAtomicRmw | Opcode::MemrefGenericAtomicRmw => {
                let base = ir.operand(op, usize::from(ir.opcode(op) == Opcode::MemrefAtomicRmw));
                mark(base, &mut read);
                mark(base, &mut written);
            }
            Opcode::MemrefCopy => {
                mark(ir.operand(op, 0), &mut read);
                mark(ir.operand(op, 1), &mut written);
            }
            Opcode::NvgpuDeviceAsyncCopy | Opcode::AmdgpuGatherToLds => {
                // Destinations come first in the one, sources in the other.
                let (to, from) = if ir.opcode(op) == Opcode::NvgpuDeviceAsyncCopy { (0, 2) } else { (2, 0) };
                let parts = ir.segments(op);
                let base = |part: usize| parts.get(part).and_then(|part| part.first().copied());
                base(from).into_iter().for_each(|value| mark(value, &mut read));
                base(to).into_iter().for_each(|value| mark(value, &mut written));
            }
            // What is passed on may be used in any way.
            Opcode::FuncCall | Opcode::CfBr | Opcode::CfCondBr | Opcode::CfSwitch => {
                let memrefs = ir.operands(op).iter().filter(|&&value| matches!(ir.ty(value), Type::MemRef { .. }));
                for &value in memrefs {
                    mark(value, &mut read);
                    mark(value, &mut written);
                }
            }
            _ if ir.class(op) == Class::Structured => {
                for &input in ir.segments(op)[0] {
                    mark(input, &mut read);
                }
                for (at, &output) in ir.segments(op)[1].iter().enumerate() {
                    let inputs = ir.segments(op)[0].len();
                    // A fill, say, does not ask what was there.
                    if ir.body(op, 0).is_none_or(|body| !ir.is_unused(ir.args(body)[inputs + at])) {
                        mark(output, &mut read);
                    }
                    if matches!(ir.ty(output), Type::MemRef { .. }) {
                        mark(output, &mut written);
                    }
                }
            }
            // A view is seen through; whatever else takes an argument may read it.
            _ if is_view(ir, op) => {}
            _ => ir.operands(op).iter().for_each(|&value| mark(value, &mut read)),
        }
    }
    (read, written)
}

/// Whether an operation's result is its first operand's memory.
fn is_view(ir: &Ir, op: OpId) -> bool {
    ir.class(op) == Class::View
        || matches!(
            ir.opcode(op),
            Opcode::MemrefCast
                | Opcode::MemrefMemorySpaceCast
                | Opcode::MemrefAssumeAlignment
                | Opcode::AmdgpuFatRawBufferCast
                | Opcode::MemrefCollapseShape
                | Opcode::MemrefExpandShape
                | Opcode::MemrefTranspose
                | Opcode::MemrefReinterpretCast
                | Opcode::MemrefDim
        )
}

/// The memory that a view is of.
fn origin(ir: &Ir, mut value: ValueId) -> ValueId {
    while let Some(op) = ir.def_op(value)
        && is_view(ir, op)
        && let Some(&base) = ir.operands(op).first()
    {
        value = base;
    }
    value
}

/// `arg2=…`: the argument, and what follows.
fn named(text: &str) -> Option<(usize, &str)> {
    let (number, rest) = text.strip_prefix("arg")?.split_once('=')?;
    Some((number.parse().ok()?, rest))
}

fn spec_origin(text: &str) -> String {
    match text.split_once('@').map(|(_, path)| path).or(text.strip_prefix('+')) {
        Some(path) => path.to_owned(),
        None => "from the command line".to_owned(),
    }
}
