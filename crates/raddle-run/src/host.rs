//! Host: carry out a function that calls kernels, as the program around them would.
//!
//! Before: `%0 = call @f_kernel_0(%a, %b)`, `%1 = tensor.expand_shape %0 …`, `%2 = call @f_kernel_1(%1)`, `return %2`
//! After:  the tensors that the function returns
//!
//! Tensors are buffers that are never written twice. Reshapes and casts give the same buffer another shape. Control flow
//! and globals are carried out here; numbers, and the few operations that move single elements, are left to the emulator,
//! one operation at a time, so that each has one definition.

use std::collections::{BTreeMap, BTreeSet};

use raddle_emu::{Launch, Options, Precision, Tensor};
use raddle_ir::views::{Mixed, SliceView, mixed};
use raddle_ir::{
    Attr, BlockId, Builder, Class, Code, DYNAMIC, Def, Diag, Float, Ir, OpId, Opcode, Scalar, Type, ValueId, ValueMap,
};

/// Calls inside of calls, at most.
const DEPTH_MAX: usize = 64;
/// Iterations of one loop, at most.
const ITERATIONS_MAX: u64 = 1 << 24;

/// Executes a kernel: its name, what it is called with, and whether an initializer calls it, once for all calls of the
/// program.
pub type Call<'a> = &'a mut dyn FnMut(&str, &[Tensor], bool) -> Result<Vec<Tensor>, Diag>;

/// Executes a function on the host. `is_kernel` says which of the functions that it calls `call` executes; the others are
/// executed here.
///
/// `args` are the function's arguments, a tensor without extents for each number; what `call` gives are the results of the
/// kernel, in the shapes of the call.
///
/// # Errors
///
/// What `call` says, `E0801` for an operation that the host does not carry out, `E0802` for loops and calls without an end.
pub fn run(
    ir: &Ir,
    func: OpId,
    args: &[Tensor],
    is_kernel: &dyn Fn(&str) -> bool,
    call: Call<'_>,
) -> Result<Vec<Tensor>, Diag> {
    let (values, globals, numbers) = Default::default();
    let (started, initializes) = Default::default();
    let mut host =
        Host { ir, is_kernel, call, values, globals, started, initializes, scratch: None, numbers, depth: 0 };
    host.function(func, args.to_vec())
}

struct Host<'a> {
    ir: &'a Ir,
    is_kernel: &'a dyn Fn(&str) -> bool,
    call: Call<'a>,
    /// Tensors, and numbers as tensors of rank 0.
    values: BTreeMap<ValueId, Tensor>,
    /// What globals hold that have been written.
    globals: BTreeMap<String, Tensor>,
    /// The initializers that have been carried out, and whether one is.
    started: BTreeSet<OpId>,
    initializes: bool,
    /// A copy of the module for functions of one operation each.
    scratch: Option<Ir>,
    /// The function that computes the results of an operation.
    numbers: BTreeMap<OpId, OpId>,
    depth: usize,
}

impl Host<'_> {
    fn function(&mut self, func: OpId, args: Vec<Tensor>) -> Result<Vec<Tensor>, Diag> {
        let ir = self.ir;
        if self.depth >= DEPTH_MAX {
            let message = format!("limit: calls nest more than {DEPTH_MAX} deep");
            return Err(Diag::error(Code::LimitHit, ir.span(func), message));
        }
        let Some(body) = ir.body(func, 0) else {
            let message =
                format!("the host cannot call `@{}`, which has no body", ir.symbol_name(func).unwrap_or_default());
            return Err(Diag::error(Code::CannotExecute, ir.span(func), message));
        };
        self.depth += 1;
        // A function that is called again computes its values anew; those of the caller are other ones.
        let results = self.block(body, args);
        self.depth -= 1;
        results
    }

    /// Carries out a region from a block on; says what its end gives.
    fn block(&mut self, mut block: BlockId, mut args: Vec<Tensor>) -> Result<Vec<Tensor>, Diag> {
        let ir = self.ir;
        let mut n = 0;
        loop {
            for (&arg, tensor) in ir.args(block).iter().zip(args) {
                self.values.insert(arg, tensor);
            }
            let Some(end) = ir.terminator(block) else { return Ok(Vec::new()) };
            for op in ir.ops_of(block) {
                // The values in front of a branch to other blocks are those of its condition and of their arguments.
                if op == end && !ir.successors(op).is_empty() {
                    break;
                }
                let ends = matches!(ir.opcode(op), Opcode::ScfCondition | Opcode::UtilReturn);
                if ends || ir.class(op) == Class::Yield {
                    return ir.operands(op).iter().map(|&value| self.last(op, value)).collect();
                }
                let results = self.op(op)?;
                assert_eq!(results.len(), ir.results(op).len(), "an operation gives all of its results");
                for (value, result) in ir.results(op).zip(results) {
                    self.values.insert(value, result);
                }
            }
            if ir.successors(end).is_empty() {
                return Ok(Vec::new());
            }
            self.count(end, &mut n)?;
            (block, args) = self.jump(end)?;
        }
    }

    /// Where the end of a block leads, and with what.
    fn jump(&self, end: OpId) -> Result<(BlockId, Vec<Tensor>), Diag> {
        let ir = self.ir;
        let jumps = ir.jumps(end);
        let taken = match (ir.opcode(end), &jumps[..]) {
            (Opcode::CfBr, [only]) => only,
            (Opcode::CfCondBr, [then, otherwise]) => {
                if self.number(end, ir.operand(end, 0))? & 1 != 0 {
                    then
                } else {
                    otherwise
                }
            }
            (Opcode::CfSwitch, [default, cases @ ..]) => {
                let flag = self.number(end, ir.operand(end, 0))?;
                cases.iter().find(|jump| jump.case == Some(flag)).unwrap_or(default)
            }
            _ => return Err(refuse(ir, end)),
        };
        let args = taken.args.iter().map(|&value| self.value(end, value)).collect::<Result<Vec<_>, _>>()?;
        Ok((taken.to, args))
    }

    /// The name of the global that an operation reads or writes.
    fn global(&self, op: OpId) -> Result<String, Diag> {
        match self.ir.attr(op, "global") {
            Some(Attr::Symbol(path)) => Ok(path.last().map_or(String::new(), |&name| self.ir[name].to_owned())),
            _ => Err(refuse(self.ir, op)),
        }
    }

    /// What a global holds before the program writes to it: as it says itself, or what an initializer writes.
    fn initial(&mut self, op: OpId, name: &str) -> Result<Tensor, Diag> {
        let ir = self.ir;
        let top: Vec<OpId> = ir.ops_of(ir.module_block());
        let global = top.iter().find(|&&op| ir.opcode(op) == Opcode::UtilGlobal && ir.symbol_name(op) == Some(name));
        if let Some(value) = global.and_then(|&global| ir.attr(global, "initial_value")) {
            return data(ir, op, ir.result(op, 0), Some(value));
        }
        let writes =
            |op: OpId| ir.opcode(op) == Opcode::UtilGlobalStore && self.global(op).is_ok_and(|written| written == name);
        let mut initializers = top.iter().copied().filter(|&op| ir.opcode(op) == Opcode::UtilInitializer);
        let found = initializers.find(|&op| ir.walk(op).into_iter().any(writes));
        if let Some(found) = found.filter(|&found| self.started.insert(found))
            && let Some(body) = ir.body(found, 0)
        {
            let outer = std::mem::replace(&mut self.initializes, true);
            self.block(body, Vec::new())?;
            self.initializes = outer;
        }
        let written = self.globals.get(name).cloned();
        written.ok_or_else(|| refuse(ir, op).note(format!("nothing was written to `@{name}`")))
    }

    fn value(&self, op: OpId, value: ValueId) -> Result<Tensor, Diag> {
        self.values
            .get(&value)
            .cloned()
            .ok_or_else(|| refuse(self.ir, op).note("it uses a value that is not there yet"))
    }

    fn number(&self, op: OpId, value: ValueId) -> Result<i64, Diag> {
        let tensor = self.value(op, value)?;
        Ok(tensor.to_i64().first().copied().unwrap_or_default())
    }

    fn op(&mut self, op: OpId) -> Result<Vec<Tensor>, Diag> {
        let ir = self.ir;
        let operands = ir.operands(op);
        match ir.opcode(op) {
            Opcode::FuncCall => self.call(op),
            Opcode::ArithConstant
            | Opcode::UtilUnfoldableConstant
            | Opcode::FlowTensorConstant
            | Opcode::FlowTensorDynamicConstant => Ok(vec![data(ir, op, ir.result(op, 0), ir.attr(op, "value"))?]),
            Opcode::UtilOptimizationBarrier => operands.iter().map(|&value| self.value(op, value)).collect(),
            // Where a tensor lies does not change its value.
            Opcode::FlowTensorClone
            | Opcode::FlowTensorTieShape
            | Opcode::FlowTensorBarrier
            | Opcode::FlowTensorTransfer => Ok(vec![self.value(op, operands[0])?]),
            Opcode::UtilGlobalLoad => {
                let name = self.global(op)?;
                Ok(vec![match self.globals.get(&name) {
                    Some(tensor) => tensor.clone(),
                    None => self.initial(op, &name)?,
                }])
            }
            Opcode::UtilGlobalStore => {
                let value = self.value(op, operands[0])?;
                self.globals.insert(self.global(op)?, value);
                Ok(Vec::new())
            }
            Opcode::TensorEmpty => {
                let sizes = operands.iter().map(|&size| self.number(op, size)).collect::<Result<Vec<_>, _>>()?;
                let mut sizes = sizes.into_iter();
                let result = ir.result(op, 0);
                let shape = ir.shape_of(result).to_vec();
                let shape: Vec<i64> =
                    shape.into_iter().map(|n| if n == DYNAMIC { sizes.next().unwrap_or(0) } else { n }).collect();
                // All bits set is a NaN: an element that nobody writes does not pass for a result.
                let mut tensor = Tensor::zeros(elem(ir, op, result)?, &shape);
                tensor.bytes.fill(0xff);
                Ok(vec![tensor])
            }
            Opcode::TensorCast => {
                let tensor = self.value(op, operands[0])?;
                let known = ir.shape_of(ir.result(op, 0));
                let shape = if known.contains(&DYNAMIC) { tensor.shape.clone() } else { known.to_vec() };
                self.reshaped(op, tensor, shape)
            }
            Opcode::TensorExpandShape => {
                let tensor = self.value(op, operands[0])?;
                let sizes = ir.attr_id(op, "static_output_shape").and_then(|attr| ir.ints(attr)).unwrap_or_default();
                let extent = |size| match size {
                    Mixed::Static(extent) => Ok(extent),
                    Mixed::Value(value) => self.number(op, value),
                };
                let shape = mixed(&sizes, &operands[1..]).into_iter().map(extent).collect::<Result<Vec<_>, _>>()?;
                self.reshaped(op, tensor, shape)
            }
            Opcode::TensorCollapseShape => {
                let tensor = self.value(op, operands[0])?;
                let Some(Attr::Array(groups)) = ir.attr(op, "reassociation") else { return Err(refuse(ir, op)) };
                let extent = |d: i64| usize::try_from(d).ok().and_then(|d| tensor.shape.get(d)).copied().unwrap_or(1);
                let groups = groups.iter().map(|&group| ir.ints(group).unwrap_or_default());
                let shape = groups.map(|group| group.into_iter().map(extent).product()).collect();
                self.reshaped(op, tensor, shape)
            }
            Opcode::TensorExtract => {
                let tensor = self.value(op, operands[0])?;
                let mut at = 0i64;
                for (&index, &extent) in operands[1..].iter().zip(&tensor.shape) {
                    let index = self.number(op, index)?;
                    if index < 0 || index >= extent {
                        let message = format!("`{}` reads at {index} of {extent}", ir.name(op));
                        return Err(Diag::error(Code::OutOfBounds, ir.span(op), message));
                    }
                    at = at * extent + index;
                }
                let size = tensor.elem.bytes();
                let start = at as usize * size;
                let bytes = tensor.bytes[start..start + size].to_vec();
                Ok(vec![Tensor { elem: tensor.elem, shape: Vec::new(), bytes }])
            }
            Opcode::TensorInsertSlice => self.insert(op),
            Opcode::TensorFromElements => {
                let result = ir.result(op, 0);
                let shape = ir.shape_of(result).to_vec();
                let values = operands.iter().map(|&v| self.value(op, v)).collect::<Result<Vec<_>, _>>()?;
                if self.is_wide(op, &values) {
                    let values: Vec<f64> = values.iter().flat_map(Tensor::to_f64).collect();
                    return Ok(vec![Tensor::from_f64(Scalar::Float(Float::F64), &shape, &values)]);
                }
                let bytes = values.into_iter().flat_map(|value| value.bytes).collect();
                Ok(vec![Tensor { elem: elem(ir, op, result)?, shape, bytes }])
            }
            Opcode::TensorDim => {
                let (tensor, dim) = (self.value(op, operands[0])?, self.number(op, operands[1])?);
                let extent = usize::try_from(dim).ok().and_then(|dim| tensor.shape.get(dim)).copied();
                let extent = extent.ok_or_else(|| {
                    let message = format!("`{}` asks for dimension {dim} of {}", ir.name(op), tensor.shape.len());
                    Diag::error(Code::OutOfBounds, ir.span(op), message)
                })?;
                Ok(vec![Tensor::from_i64(Scalar::Index, &[], &[extent])])
            }
            Opcode::CfAssert if self.number(op, operands[0])? & 1 != 0 => Ok(Vec::new()),
            Opcode::CfAssert => {
                let says = if let Some(Attr::Str(text)) = ir.attr(op, "msg") { &ir[*text] } else { "" };
                let message = format!("the assertion does not hold: {says}");
                Err(Diag::error(Code::Undefined, ir.span(op), message))
            }
            Opcode::ScfIf => {
                let taken = if self.number(op, operands[0])? & 1 != 0 { 0 } else { 1 };
                match ir.body(op, taken) {
                    Some(block) => self.block(block, Vec::new()),
                    None => Ok(Vec::new()),
                }
            }
            Opcode::ScfIndexSwitch => {
                let number = self.number(op, operands[0])?;
                let cases = ir.attr_id(op, "cases").and_then(|attr| ir.ints(attr)).unwrap_or_default();
                // The first region is that of what no case is.
                let taken = cases.iter().position(|&case| case == number).map_or(0, |at| at + 1);
                let block = ir.body(op, taken).ok_or_else(|| refuse(ir, op))?;
                self.block(block, Vec::new())
            }
            Opcode::ScfFor => {
                let mut at = self.number(op, operands[0])?;
                let (end, step) = (self.number(op, operands[1])?, self.number(op, operands[2])?);
                let index = elem(ir, op, operands[0])?;
                let mut carried = operands[3..].iter().map(|&v| self.value(op, v)).collect::<Result<Vec<_>, _>>()?;
                if step <= 0 {
                    return Err(Diag::error(Code::OutOfBounds, ir.span(op), "the loop does not count upwards"));
                }
                let mut n = 0;
                while at < end {
                    self.count(op, &mut n)?;
                    let args = [vec![Tensor::from_i64(index, &[], &[at])], carried].concat();
                    carried = self.block(ir.entry(op), args)?;
                    at = at.saturating_add(step);
                }
                Ok(carried)
            }
            Opcode::ScfWhile => {
                let mut carried = operands.iter().map(|&v| self.value(op, v)).collect::<Result<Vec<_>, _>>()?;
                let mut n = 0;
                let (Some(before), Some(after)) = (ir.body(op, 0), ir.body(op, 1)) else { return Err(refuse(ir, op)) };
                loop {
                    self.count(op, &mut n)?;
                    // The condition is the first that `scf.condition` gives.
                    let mut given = self.block(before, carried)?;
                    let goes_on = given.remove(0).to_i64().first().is_some_and(|&bit| bit & 1 != 0);
                    if !goes_on {
                        return Ok(given);
                    }
                    carried = self.block(after, given)?;
                }
            }
            Opcode::TensorReshape => {
                let (tensor, shape) = (self.value(op, operands[0])?, self.value(op, operands[1])?);
                self.reshaped(op, tensor, shape.to_i64())
            }
            Opcode::FlowTensorReshape => {
                let tensor = self.value(op, operands[0])?;
                let sizes = ir.group(op, "result_dims").iter().map(|&size| self.number(op, size));
                let sizes = sizes.collect::<Result<Vec<_>, _>>()?;
                let mut sizes = sizes.into_iter();
                let shape = ir.shape_of(ir.result(op, 0)).iter();
                let shape = shape.map(|&n| if n == DYNAMIC { sizes.next().unwrap_or(0) } else { n }).collect();
                self.reshaped(op, tensor, shape)
            }
            _ if ir.regions(op).is_empty() && ir.opcode(op).info().is_pure() => self.compute(op),
            _ => Err(refuse(ir, op).note("between kernels stand reshapes, casts, control flow and scalar arithmetic")),
        }
    }

    /// A tensor, which is another one's with a part that is this one.
    fn insert(&mut self, op: OpId) -> Result<Vec<Tensor>, Diag> {
        let ir = self.ir;
        let view = SliceView::of(ir, op);
        let mut source = self.value(op, ir.operand(op, 0))?;
        let mut tensor = self.last(op, view.base)?;
        let number = |&mixed: &Mixed| match mixed {
            Mixed::Static(number) => Ok(number),
            Mixed::Value(value) => self.number(op, value),
        };
        let numbers = |list: &[Mixed]| list.iter().map(number).collect::<Result<Vec<i64>, Diag>>();
        let (offsets, sizes, steps) = (numbers(&view.offsets)?, numbers(&view.sizes)?, numbers(&view.strides)?);
        let is_inside = |d: usize| {
            let last = (sizes[d] - 1).checked_mul(steps[d]).and_then(|last| last.checked_add(offsets[d]));
            sizes[d] == 0 || offsets[d] >= 0 && last.is_some_and(|last| last >= 0 && last < tensor.shape[d])
        };
        if let Some(d) = (0..sizes.len()).find(|&d| !is_inside(d)) {
            let message = format!(
                "`{}` writes {} elements from {} on along dimension {d}, which has {}",
                ir.name(op),
                sizes[d],
                offsets[d],
                tensor.shape[d]
            );
            return Err(Diag::error(Code::OutOfBounds, ir.span(op), message));
        }
        // One of them is of a kernel that was executed without rounding.
        if source.elem != tensor.elem {
            let f64 = Scalar::Float(Float::F64);
            [source, tensor] = [source, tensor].map(|tensor| Tensor::from_f64(f64, &tensor.shape, &tensor.to_f64()));
        }
        let size = source.elem.bytes();
        let mut at = vec![0; sizes.len()];
        for element in source.bytes.chunks_exact(size) {
            let place = (0..at.len()).fold(0, |place, d| place * tensor.shape[d] + offsets[d] + at[d] * steps[d]);
            let start = place as usize * size;
            tensor.bytes[start..start + size].copy_from_slice(element);
            for d in (0..at.len()).rev() {
                at[d] += 1;
                if at[d] < sizes[d] {
                    break;
                }
                at[d] = 0;
            }
        }
        Ok(vec![tensor])
    }

    /// A value, which is not kept where nobody else uses it.
    fn last(&mut self, op: OpId, value: ValueId) -> Result<Tensor, Diag> {
        let ir = self.ir;
        let block = match ir.def(value) {
            Def::Arg { block, .. } => Some(block),
            Def::Result { op, .. } => ir.parent_block(op),
        };
        // What is made outside of a loop is used in each of its rounds.
        if ir.uses(value).count() > 1 || ir.parent_block(op) != block {
            return self.value(op, value);
        }
        let tensor = self.values.remove(&value);
        tensor.ok_or_else(|| refuse(ir, op).note("it uses a value that is not there yet"))
    }

    /// The same elements in another shape.
    fn reshaped(&self, op: OpId, tensor: Tensor, shape: Vec<i64>) -> Result<Vec<Tensor>, Diag> {
        let n = shape.iter().try_fold(1usize, |n, &extent| n.checked_mul(usize::try_from(extent).ok()?));
        if n != Some(tensor.n_elements()) {
            let message = format!("`{}` gives {} elements the shape {shape:?}", self.ir.name(op), tensor.n_elements());
            return Err(Diag::error(Code::OutOfBounds, self.ir.span(op), message));
        }
        Ok(vec![Tensor { shape, ..tensor }])
    }

    fn count(&self, op: OpId, n: &mut u64) -> Result<(), Diag> {
        *n += 1;
        if *n > ITERATIONS_MAX {
            let message = format!("limit: a loop on the host has more than {ITERATIONS_MAX} iterations");
            return Err(Diag::error(Code::LimitHit, self.ir.span(op), message));
        }
        Ok(())
    }

    fn call(&mut self, op: OpId) -> Result<Vec<Tensor>, Diag> {
        let ir = self.ir;
        let args = ir.operands(op).iter().map(|&v| self.value(op, v)).collect::<Result<Vec<_>, _>>()?;
        let name = match ir.attr(op, "callee") {
            Some(Attr::Symbol(path)) => path.last().map_or("", |&name| &ir[name]),
            _ => "",
        };
        if (self.is_kernel)(name) {
            return (self.call)(name, &args, self.initializes);
        }
        let callee = ir.funcs().into_iter().find(|&func| ir.symbol_name(func) == Some(name));
        let callee = callee.ok_or_else(|| refuse(ir, op).note("the function that it calls is not here"))?;
        self.function(callee, args)
    }

    /// Lets the emulator compute an operation.
    fn compute(&mut self, op: OpId) -> Result<Vec<Tensor>, Diag> {
        let args = self.ir.operands(op).iter().map(|&v| self.value(op, v)).collect::<Result<Vec<_>, _>>()?;
        let scratch = self.scratch.get_or_insert_with(|| self.ir.clone());
        let func = *self.numbers.entry(op).or_insert_with(|| lone(scratch, op));
        let launch = Launch::of(scratch, func)?;
        let precision = if self.is_wide(op, &args) { Precision::Wide } else { Precision::Exact };
        let options = Options { precision, ..Options::default() };
        let ran = raddle_emu::run(self.scratch.as_ref().unwrap_or(self.ir), func, &args, &launch, &options)?;
        Ok(ran.results)
    }

    /// Whether some of these operands are what kernels gave that were executed without rounding.
    fn is_wide(&self, op: OpId, values: &[Tensor]) -> bool {
        self.ir.operands(op).iter().zip(values).any(|(&operand, value)| {
            let (_, elem) = self.ir.outside(self.ir.type_of(operand));
            matches!(value.elem, Scalar::Float(_)) && elem != Some(value.elem)
        })
    }
}

/// A function of one operation.
fn lone(ir: &mut Ir, op: OpId) -> OpId {
    let operands = ir.operands(op).to_vec();
    let inputs: Vec<_> = operands.iter().map(|&value| ir.type_of(value)).collect();
    let results: Vec<_> = ir.results(op).map(|value| ir.type_of(value)).collect();
    let name = ir.str_attr("");
    let ty = ir.intern_type(Type::Function { inputs: inputs.clone(), results });
    let ty = ir.intern(Attr::Type(ty));
    let span = ir.span(op);
    let module = ir.module_block();
    let attrs = [("sym_name", name), ("function_type", ty)];
    let func = Builder::at_end(ir, module, span).op(Opcode::FuncFunc, &[], &[], &attrs);
    let region = ir.add_region(func);
    let block = ir.add_block(region, &inputs);
    let mut map = ValueMap::default();
    for (&operand, arg) in operands.iter().zip(ir.args(block).to_vec()) {
        map.set(operand, arg);
    }
    let mut builder = Builder::at_end(ir, block, span);
    let copy = builder.copy(op, &mut map);
    let results: Vec<ValueId> = builder.ir.results(copy).collect();
    builder.op(Opcode::FuncReturn, &results, &[], &[]);
    func
}

/// The tensor or number that the result of an operation is by this attribute: that of a constant, or the initial value of the
/// global that it reads.
///
/// # Errors
///
/// `E0801` where the text does not hold the data.
pub fn data(ir: &Ir, op: OpId, result: ValueId, value: Option<&Attr>) -> Result<Tensor, Diag> {
    // The result may hide extents that the data has.
    let shape = match value {
        Some(Attr::Dense { ty, .. }) => ir[*ty].shape().unwrap_or_default().to_vec(),
        _ => ir.shape_of(result).to_vec(),
    };
    let elem = elem(ir, op, result)?;
    let bytes = match value {
        Some(Attr::Dense { splat: false, bytes, .. })
            if i64::try_from(bytes.len() / elem.bytes()) == Ok(shape.iter().product()) =>
        {
            bytes.clone()
        }
        Some(attr @ Attr::Dense { splat, .. }) => {
            let bytes: Vec<u8> =
                ir.dense_elems(attr).iter().flat_map(|number| sized(ir.elem_bytes(number), elem)).collect();
            let n: i64 = shape.iter().product();
            if *splat { bytes.repeat(usize::try_from(n).unwrap_or(0)) } else { bytes }
        }
        Some(
            number @ (Attr::Int { .. }
            | Attr::Wide { .. }
            | Attr::Bool(_)
            | Attr::Float { .. }
            | Attr::LongFloat { .. }),
        ) => sized(ir.elem_bytes(number), elem),
        _ => return Err(refuse(ir, op).note("the data of this constant is not in the text")),
    };
    Ok(Tensor { elem, shape, bytes })
}

/// As many bytes as a tensor has for an element.
fn sized(mut bytes: Vec<u8>, elem: Scalar) -> Vec<u8> {
    bytes.resize(elem.bytes(), 0);
    bytes
}

fn elem(ir: &Ir, op: OpId, value: ValueId) -> Result<Scalar, Diag> {
    Scalar::of(&ir[ir.elem_of(value)]).ok_or_else(|| refuse(ir, op).note("its elements are not numbers"))
}

fn refuse(ir: &Ir, op: OpId) -> Diag {
    Diag::error(Code::CannotExecute, ir.span(op), format!("the host cannot carry out `{}`", ir.name(op)))
}
