//! One dispatch becomes a function: its subspans are arguments and results.

use raddle_ir::affine::BinOp;
use raddle_ir::interface::{Interface, Slot};
use raddle_ir::text::parse_type;
use raddle_ir::views::{Mixed, mixed};
use raddle_ir::{
    Attr, Builder, Code, DYNAMIC, Def, Diag, Expr, Ir, Map, OpId, Opcode, Scalar, Span, Type, TypeId, ValueId,
};

use crate::structured::alignment::WIDEST;
use crate::structured::symbols;

/// Memory that `hal.interface.binding.subspan` names.
struct Subspan {
    op: OpId,
    binding: usize,
    offset: Expr,
    /// The type of the whole as a tensor.
    tensor: TypeId,
    /// The extents of the whole.
    dims: Vec<Mixed>,
    readable: bool,
    writable: bool,
}

/// Memory that becomes one argument or one result: contiguous, row-major.
#[derive(Clone, PartialEq)]
struct Part {
    binding: usize,
    offset: Expr,
    extents: Vec<Expr>,
    /// The type of the argument or result.
    ty: TypeId,
}

/// An argument that is to be made.
struct Argument {
    part: Part,
    /// The values that are its dynamic extents, by dimension.
    dims: Vec<(usize, ValueId)>,
}

/// A load, and the argument that it reads.
struct Load {
    op: OpId,
    argument: usize,
    /// Whether it is a slice of the argument, not all of it.
    sliced: bool,
}

/// A result of the function.
struct Written {
    part: Part,
    span: Span,
    value: Value,
}

enum Value {
    /// What this store writes.
    Stored(OpId),
    /// The previous contents, with what each of these stores writes put in.
    Inserted { argument: usize, stores: Vec<OpId> },
}

/// What a dispatch reads and writes.
#[derive(Default)]
struct Plan {
    arguments: Vec<Argument>,
    loads: Vec<Load>,
    /// Subspans that stay memory, with their arguments.
    memrefs: Vec<(OpId, usize)>,
    written: Vec<Written>,
    /// All stores.
    stores: Vec<OpId>,
}

/// Rewrites the function.
pub fn rewrite(ir: &mut Ir, func: OpId) -> Result<(), Diag> {
    let entry = ir.entry(func);
    let (inputs, results) = ir.signature(func);
    if !inputs.is_empty() || !results.is_empty() || ir.blocks(ir.block_region(entry)).len() != 1 {
        return Err(refuse(ir, func, "a function with an interface takes nothing, returns nothing, and is one block"));
    }
    see_through(ir, func);
    let (bindings, constants) = layout(ir, func);
    let subspans: Vec<OpId> =
        ir.walk(func).into_iter().filter(|&op| ir.opcode(op) == Opcode::HalInterfaceBindingSubspan).collect();
    let mut plan = Plan::default();
    for op in subspans {
        plan.subspan(ir, func, op)?;
    }
    check_overlaps(ir, &plan)?;
    let arguments = plan.apply(ir, func)?;
    let scalars = take_constants(ir, func);
    let slot = |part: &Part| Slot::Binding {
        binding: part.binding,
        offset: Map { dims: 0, syms: constants as u32, results: vec![part.offset.clone()] },
        extents: Map { dims: 0, syms: constants as u32, results: part.extents.clone() },
    };
    let interface = Interface {
        bindings,
        constants,
        arguments: arguments.iter().map(slot).chain(scalars.into_iter().map(Slot::Constant)).collect(),
        results: plan.written.iter().map(|written| slot(&written.part)).collect(),
    };
    interface.write(ir, func);
    Ok(())
}

fn refuse(ir: &Ir, op: OpId, why: &str) -> Diag {
    let name = ir.name(op).to_owned();
    Diag::error(Code::CannotAdmit, ir.span(op), format!("`{name}` cannot become a part of a kernel")).note(why)
}

/// Removes what only repeats a binding with its extents, its alignment, or the address space that AMD's buffer instructions
/// reach, where tensors are loaded from it.
fn see_through(ir: &mut Ir, func: OpId) {
    for op in ir.walk(func) {
        let is_same = match ir.opcode(op) {
            Opcode::FlowDispatchTieShape | Opcode::MemrefAssumeAlignment => {
                let source = ir.type_of(ir.operand(op, 0));
                ir.results(op).all(|result| ir.type_of(result) == source)
            }
            Opcode::AmdgpuFatRawBufferCast => ir.uses(ir.result(op, 0)).all(|user| moves_whole(ir, user)),
            _ => false,
        };
        if !is_same {
            continue;
        }
        let source = ir.operand(op, 0);
        for result in ir.results(op).collect::<Vec<_>>() {
            ir.replace_uses(result, source);
        }
        ir.erase(op);
    }
}

/// Whether a use of memory loads all of it as a tensor, or stores a tensor to all of it.
fn moves_whole(ir: &Ir, (user, operand): (OpId, usize)) -> bool {
    matches!((ir.opcode(user), operand), (Opcode::IreeCodegenLoadFromBuffer, 0) | (Opcode::IreeCodegenStoreToBuffer, 1))
}

/// The number of bindings and of constants that the launcher passes.
fn layout(ir: &Ir, func: OpId) -> (usize, usize) {
    let (mut bindings, mut constants) = (0, 0);
    for op in ir.walk(func) {
        if let Some(layout) = ir.attr_id(op, "layout") {
            if let Some(Attr::Array(list)) = ir.field(layout, "bindings").map(|list| &ir[list]) {
                bindings = bindings.max(list.len());
            }
            let n = ir.field(layout, "constants").and_then(|n| ir[n].as_i64()).unwrap_or(0);
            constants = constants.max(usize::try_from(n).unwrap_or(0));
        }
        // A layout that is not taken apart still has as many as are used.
        let used = |name: &str| ir.attr(op, name).and_then(Attr::as_i64).and_then(|at| usize::try_from(at).ok());
        match ir.opcode(op) {
            Opcode::HalInterfaceBindingSubspan => bindings = bindings.max(used("binding").map_or(0, |at| at + 1)),
            Opcode::HalInterfaceConstantLoad => constants = constants.max(used("ordinal").map_or(0, |at| at + 1)),
            _ => {}
        }
    }
    (bindings, constants)
}

impl Subspan {
    fn of(ir: &mut Ir, op: OpId) -> Result<Subspan, Diag> {
        let groups = ir.segments(op);
        let (offset, dims) = (groups[0].first().copied(), groups[1].to_vec());
        let offset = match offset.map(|offset| symbols::of_constants(ir, offset)) {
            None => Expr::Const(0),
            Some(Some(expr)) => expr,
            Some(None) => return Err(refuse(ir, op, "its offset does not follow from constants of the interface")),
        };
        if matches!(offset, Expr::Const(bytes) if bytes < 0) {
            return Err(refuse(ir, op, "its offset is negative"));
        }
        let binding = ir.attr(op, "binding").and_then(Attr::as_i64).and_then(|at| usize::try_from(at).ok());
        let Some(binding) = binding else { return Err(refuse(ir, op, "its binding has no number")) };
        let ty = ir.type_of(ir.result(op, 0));
        let known = match ir[ty].clone() {
            Type::Dialect(text) => {
                let text = ir[text].to_owned();
                dispatch_tensor(&text)
                    .and_then(|(access, inner)| Some((access.to_owned(), parse_type(inner, ir).ok()?)))
            }
            Type::MemRef { shape, elem, .. } => Some(("readwrite".to_owned(), ir.tensor_type(&shape, elem))),
            _ => None,
        };
        let Some((access, tensor)) = known.filter(|(_, tensor)| ir[*tensor].is_tensor()) else {
            return Err(refuse(ir, op, "a subspan is a dispatch tensor or a memref"));
        };
        let shape = ir[tensor].shape().unwrap_or_default().to_vec();
        let bits = element_bits(ir, tensor).map_or(8, i128::from);
        if matches!(offset, Expr::Const(bytes) if bytes % WIDEST != 0 && i128::from(bytes) * 8 % bits != 0) {
            return Err(refuse(ir, op, "its offset is not a multiple of the bytes of an element"));
        }
        Ok(Subspan {
            op,
            binding,
            offset,
            tensor,
            dims: mixed(&shape, &dims),
            readable: access != "writeonly",
            writable: access != "readonly",
        })
    }
}

/// `iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>`, and its older spelling: access and tensor.
fn dispatch_tensor(text: &str) -> Option<(&str, &str)> {
    let rest = text.strip_prefix("iree_tensor_ext").or(text.strip_prefix("flow"))?;
    rest.strip_prefix(".dispatch.tensor<")?.strip_suffix('>')?.split_once(':')
}

impl Plan {
    /// Plans for one subspan.
    fn subspan(&mut self, ir: &mut Ir, func: OpId, op: OpId) -> Result<(), Diag> {
        let subspan = Subspan::of(ir, op)?;
        let memory = ir.result(op, 0);
        let users: Vec<(OpId, usize)> = ir.uses(memory).collect();
        let whole = |&user: &(OpId, usize)| moves_whole(ir, user);
        if matches!(ir[ir.type_of(memory)], Type::MemRef { .. }) && !users.iter().all(whole) {
            return self.memref(ir, &subspan);
        }
        let mut inserted: Vec<OpId> = Vec::new();
        for (user, _) in users {
            if ir.parent_block(user) != Some(ir.entry(func)) {
                return Err(refuse(ir, user, "it stands inside a loop or a branch: the dispatch is tiled already")
                    .help("dump dispatches before code generation, as `--compile-to=executable-sources` does"));
            }
            match ir.opcode(user) {
                Opcode::IreeTensorExtDispatchTensorLoad | Opcode::FlowDispatchTensorLoad => {
                    if !subspan.readable {
                        return Err(refuse(ir, user, "it reads a binding that is only written"));
                    }
                    self.load(ir, &subspan, user)?;
                }
                Opcode::IreeTensorExtDispatchTensorStore | Opcode::FlowDispatchTensorStore => {
                    if !subspan.writable {
                        return Err(refuse(ir, user, "it writes a binding that is only read"));
                    }
                    match part_of(ir, &subspan, user, ir.type_of(ir.operand(user, 0)), 3) {
                        Some((part, _)) => {
                            self.written.push(Written { part, span: ir.span(user), value: Value::Stored(user) });
                        }
                        None => inserted.push(user),
                    }
                    self.stores.push(user);
                }
                Opcode::IreeCodegenLoadFromBuffer => {
                    let ty = ir.type_of(ir.result(user, 0));
                    let (part, dims) = whole_part(ir, &subspan, ty)?;
                    let argument = self.argument(part, dims);
                    self.loads.push(Load { op: user, argument, sliced: false });
                }
                Opcode::IreeCodegenStoreToBuffer => {
                    let (part, _) = whole_part(ir, &subspan, ir.type_of(ir.operand(user, 0)))?;
                    self.written.push(Written { part, span: ir.span(user), value: Value::Stored(user) });
                    self.stores.push(user);
                }
                _ => return Err(refuse(ir, user, "a binding is loaded from and stored to, and nothing else")),
            }
        }
        if let Some(&first) = inserted.first() {
            let (part, dims) = whole_part(ir, &subspan, subspan.tensor)?;
            let argument = self.argument(part.clone(), dims);
            let value = Value::Inserted { argument, stores: inserted };
            self.written.push(Written { part, span: ir.span(first), value });
        }
        Ok(())
    }

    fn load(&mut self, ir: &mut Ir, subspan: &Subspan, op: OpId) -> Result<(), Diag> {
        let ty = ir.type_of(ir.result(op, 0));
        let (part, dims, sliced) = match part_of(ir, subspan, op, ty, 2) {
            Some((part, dims)) => (part, dims, false),
            None => {
                let (part, dims) = whole_part(ir, subspan, subspan.tensor)?;
                (part, dims, true)
            }
        };
        let argument = self.argument(part, dims);
        self.loads.push(Load { op, argument, sliced });
        Ok(())
    }

    /// A subspan that other operations use as memory.
    fn memref(&mut self, ir: &mut Ir, subspan: &Subspan) -> Result<(), Diag> {
        let ty = ir.type_of(ir.result(subspan.op, 0));
        if let Type::MemRef { layout: Some(layout), .. } = &ir[ty]
            && let Attr::Strided { offset, .. } = &ir[*layout]
            && *offset != 0
            && *offset != DYNAMIC
        {
            return Err(refuse(ir, subspan.op, "its type has an offset besides the one of the subspan"));
        }
        let (mut part, dims) = whole_part(ir, subspan, subspan.tensor)?;
        part.ty = ty;
        let argument = self.argument(part, dims);
        self.memrefs.push((subspan.op, argument));
        Ok(())
    }

    /// The argument for a part of a binding.
    fn argument(&mut self, part: Part, dims: Vec<(usize, ValueId)>) -> usize {
        if let Some(at) = self.arguments.iter().position(|argument| argument.part == part) {
            return at;
        }
        self.arguments.push(Argument { part, dims });
        self.arguments.len() - 1
    }

    /// Rewrites the function; its arguments in order.
    fn apply(&mut self, ir: &mut Ir, func: OpId) -> Result<Vec<Part>, Diag> {
        let entry = ir.entry(func);
        // Bindings in order; within one, as the program has them.
        let mut order: Vec<usize> = (0..self.arguments.len()).collect();
        order.sort_by_cached_key(|&at| self.arguments[at].part.binding);
        self.written.sort_by_cached_key(|written| written.part.binding);
        let mut values = vec![None; order.len()];
        for &at in &order {
            let ty = flat_type(ir, self.arguments[at].part.ty);
            values[at] = Some(ir.add_block_arg(entry, ty));
        }
        let values: Vec<ValueId> = values.into_iter().flatten().collect();
        self.state_extents(ir, func, &values);
        for load in &self.loads {
            let (op, argument) = (load.op, values[load.argument]);
            let result = ir.result(op, 0);
            let value = if load.sliced { slice(ir, op, argument) } else { argument };
            ir.replace_uses(result, value);
            ir.erase(op);
        }
        for &(op, argument) in &self.memrefs {
            let (result, argument) = (ir.result(op, 0), values[argument]);
            let ty = ir.type_of(result);
            let value = match ir.type_of(argument) == ty {
                true => argument,
                false => Builder::before(ir, op).value(Opcode::MemrefCast, &[argument], ty, &[]),
            };
            ir.replace_uses(result, value);
        }
        let Some(end) = ir.terminator(entry) else { return Ok(Vec::new()) };
        let mut returned = Vec::new();
        for written in &self.written {
            returned.push(match &written.value {
                Value::Stored(store) => ir.operand(*store, 0),
                Value::Inserted { argument, stores } => {
                    stores.iter().fold(values[*argument], |into, &store| insert(ir, store, into))
                }
            });
        }
        for &store in &self.stores {
            ir.erase(store);
        }
        ir.set_operands(end, &returned);
        sweep(ir, func);
        let inputs: Vec<TypeId> = ir.args(entry).iter().map(|&arg| ir.type_of(arg)).collect();
        let results: Vec<TypeId> = returned.iter().map(|&value| ir.type_of(value)).collect();
        ir.set_signature(func, &inputs, &results);
        Ok(order.into_iter().map(|at| self.arguments[at].part.clone()).collect())
    }

    /// Extents that bindings state are those of the arguments; what is assumed of an extent stays.
    fn state_extents(&self, ir: &mut Ir, func: OpId, values: &[ValueId]) {
        let mut done: Vec<ValueId> = Vec::new();
        for (argument, &value) in self.arguments.iter().zip(values) {
            for &(dim, extent) in &argument.dims {
                let opcode = if ir.ty(value).is_tensor() { Opcode::TensorDim } else { Opcode::MemrefDim };
                if done.contains(&extent) {
                    continue;
                }
                done.push(extent);
                let first = ir.first_op(ir.entry(func)).expect("a verified block has a terminator");
                let mut builder = Builder::before(ir, first);
                let at = builder.index(dim as i64);
                let index = builder.ir.index_type();
                let stated = builder.value(opcode, &[value, at], index, &[]);
                match ir.def(extent) {
                    Def::Result { op, index } if ir.opcode(op) == Opcode::UtilAssumeInt => {
                        ir.set_operand(op, index as usize, stated);
                    }
                    _ => ir.replace_uses(extent, stated),
                }
            }
        }
    }
}

/// The type of an argument: a memref without an offset of its own, which the interface has.
fn flat_type(ir: &mut Ir, ty: TypeId) -> TypeId {
    match ir[ty].clone() {
        Type::MemRef { shape, elem, space, .. } => ir.memref_type(&shape, elem, space),
        _ => ty,
    }
}

fn exprs(ir: &Ir, list: &[Mixed]) -> Option<Vec<Expr>> {
    list.iter()
        .map(|&entry| match entry {
            Mixed::Static(value) => Some(Expr::Const(value)),
            Mixed::Value(value) => symbols::of_constants(ir, value),
        })
        .collect()
}

type Dims = Vec<(usize, ValueId)>;

fn dynamic(list: impl Iterator<Item = Mixed>) -> Dims {
    let value = |(at, entry): (usize, Mixed)| match entry {
        Mixed::Value(value) => Some((at, value)),
        Mixed::Static(_) => None,
    };
    list.enumerate().filter_map(value).collect()
}

/// All of a subspan.
fn whole_part(ir: &Ir, subspan: &Subspan, ty: TypeId) -> Result<(Part, Dims), Diag> {
    let Some(extents) = exprs(ir, &subspan.dims) else {
        return Err(refuse(ir, subspan.op, "its extents do not follow from constants of the interface"));
    };
    let part = Part { binding: subspan.binding, offset: subspan.offset.clone(), extents, ty };
    Ok((part, dynamic(subspan.dims.iter().copied())))
}

/// The part that a load or store names, if it is contiguous; `first` is the group of its offsets.
fn part_of(ir: &Ir, subspan: &Subspan, op: OpId, ty: TypeId, first: usize) -> Option<(Part, Dims)> {
    let groups = ir.segments(op);
    let list = |name: &str, group: usize| {
        mixed(&ir.attr_id(op, name).and_then(|attr| ir.ints(attr)).unwrap_or_default(), groups[group])
    };
    let offsets = exprs(ir, &list("static_offsets", first))?;
    let sizes = list("static_sizes", first + 1);
    let strides = exprs(ir, &list("static_strides", first + 2))?;
    let (lengths, whole) = (exprs(ir, &sizes)?, exprs(ir, &subspan.dims)?);
    let rank = whole.len();
    if [offsets.len(), strides.len(), lengths.len()] != [rank; 3] {
        return None;
    }
    // Behind the first dimension of more than one element all others are whole.
    let one = Expr::Const(1);
    let lead = lengths.iter().take_while(|&length| *length == one).count();
    let full = |dim: usize| offsets[dim] == Expr::Const(0) && lengths[dim] == whole[dim];
    if !(lead + 1..rank).all(full)
        || strides.iter().zip(&lengths).any(|(stride, length)| *stride != one && *length != one)
    {
        return None;
    }
    let bits = element_bits(ir, subspan.tensor)?;
    let (mut elements, mut pitch) = (Expr::Const(0), Some(1i64));
    for dim in (0..rank).rev() {
        if offsets[dim] != Expr::Const(0) {
            let step = Expr::binary(BinOp::Mul, offsets[dim].clone(), Expr::Const(pitch?));
            elements = Expr::binary(BinOp::Add, elements, step);
        }
        pitch = match whole[dim] {
            Expr::Const(extent) => pitch.and_then(|pitch| pitch.checked_mul(extent)),
            _ => None,
        };
    }
    let bytes = if bits % 8 == 0 {
        Expr::binary(BinOp::Mul, elements, Expr::Const(i64::from(bits / 8)))
    } else if elements == Expr::Const(0) {
        elements
    } else {
        return None;
    };
    // An argument of its own must allow the widest accesses; a slice of one need not.
    if !bytes.is_multiple(WIDEST) {
        return None;
    }
    let kept = kept_dims(&lengths, ir[ty].shape()?)?;
    let part = Part {
        binding: subspan.binding,
        offset: Expr::binary(BinOp::Add, subspan.offset.clone(), bytes),
        extents: kept.iter().map(|&dim| lengths[dim].clone()).collect(),
        ty,
    };
    Some((part, dynamic(kept.iter().map(|&dim| sizes[dim]))))
}

/// The dimensions of a slice that its type has: others have one element.
fn kept_dims(lengths: &[Expr], shape: &[i64]) -> Option<Vec<usize>> {
    let mut spare = lengths.len().checked_sub(shape.len())?;
    let mut kept = Vec::new();
    for (dim, length) in lengths.iter().enumerate() {
        if *length == Expr::Const(1) && spare > 0 && shape.get(kept.len()) != Some(&1) {
            spare -= 1;
        } else {
            kept.push(dim);
        }
    }
    (kept.len() == shape.len()).then_some(kept)
}

/// `tensor.extract_slice` for a load.
fn slice(ir: &mut Ir, op: OpId, from: ValueId) -> ValueId {
    let result = ir.type_of(ir.result(op, 0));
    let groups = ir.segments(op);
    let lists = [2, 3, 4].map(|group| groups[group].to_vec());
    build_slice(ir, op, &[from], &lists, Opcode::TensorExtractSlice, result)
}

/// `tensor.insert_slice` for a store.
fn insert(ir: &mut Ir, op: OpId, into: ValueId) -> ValueId {
    let (value, result) = (ir.operand(op, 0), ir.type_of(into));
    let groups = ir.segments(op);
    let lists = [3, 4, 5].map(|group| groups[group].to_vec());
    build_slice(ir, op, &[value, into], &lists, Opcode::TensorInsertSlice, result)
}

fn build_slice(
    ir: &mut Ir,
    op: OpId,
    first: &[ValueId],
    lists: &[Vec<ValueId>; 3],
    opcode: Opcode,
    result: TypeId,
) -> ValueId {
    let counts = lists.each_ref().map(Vec::len);
    let operands: Vec<ValueId> = first.iter().chain(lists.iter().flatten()).copied().collect();
    let segments = ir.segment_sizes(&[&vec![1; first.len()][..], &counts[..]].concat());
    let mut attrs = vec![("operandSegmentSizes", segments)];
    for name in ["static_offsets", "static_sizes", "static_strides"] {
        attrs.extend(ir.attr_id(op, name).map(|attr| (name, attr)));
    }
    Builder::before(ir, op).value(opcode, &operands, result, &attrs)
}

/// Each constant that is still used becomes an argument; which ones, in order.
fn take_constants(ir: &mut Ir, func: OpId) -> Vec<usize> {
    let entry = ir.entry(func);
    let mut loads: Vec<(usize, OpId)> = Vec::new();
    for op in ir.walk(func) {
        let ordinal = ir.attr(op, "ordinal").and_then(Attr::as_i64).and_then(|at| usize::try_from(at).ok());
        if let (Opcode::HalInterfaceConstantLoad, Some(ordinal)) = (ir.opcode(op), ordinal) {
            loads.push((ordinal, op));
        }
    }
    loads.sort_by_cached_key(|load| load.0);
    let mut taken: Vec<(usize, ValueId)> = Vec::new();
    for (ordinal, op) in loads {
        let result = ir.result(op, 0);
        let ty = ir.type_of(result);
        let known = taken.iter().find(|(at, arg)| *at == ordinal && ir.type_of(*arg) == ty).map(|taken| taken.1);
        let arg = known.unwrap_or_else(|| ir.add_block_arg(entry, ty));
        if known.is_none() {
            taken.push((ordinal, arg));
        }
        ir.replace_uses(result, arg);
        ir.erase(op);
    }
    let inputs: Vec<TypeId> = ir.args(entry).iter().map(|&arg| ir.type_of(arg)).collect();
    let results = ir.signature(func).1.to_vec();
    ir.set_signature(func, &inputs, &results);
    taken.into_iter().map(|(ordinal, _)| ordinal).collect()
}

/// Removes subspans, constants and the arithmetic on them that nobody uses any more.
fn sweep(ir: &mut Ir, func: OpId) {
    let entry = ir.entry(func);
    for op in ir.ops_of(entry).into_iter().rev() {
        let gone = ir.opcode(op).info().is_pure() || ir.opcode(op) == Opcode::UtilAssumeInt;
        if gone && ir.regions(op).is_empty() && ir.results(op).all(|result| ir.is_unused(result)) {
            ir.erase(op);
        }
    }
}

/// A result lies where an argument lies, or apart from it. Who makes kernels decides what that asks of them.
fn check_overlaps(ir: &Ir, plan: &Plan) -> Result<(), Diag> {
    for written in &plan.written {
        for argument in &plan.arguments {
            let (to, from) = (&written.part, &argument.part);
            if to.binding == from.binding
                && matches!(ir[from.ty], Type::Tensor { .. })
                && (&to.offset, &to.extents) != (&from.offset, &from.extents)
                && let (Some(a), Some(b)) = (bytes(ir, to), bytes(ir, from))
                && a.0 < b.1
                && b.0 < a.1
            {
                let message = format!("a store to binding {} overwrites what the dispatch reads there", to.binding);
                return Err(Diag::error(Code::CannotAdmit, written.span, message)
                    .note("the two parts overlap, and are not the same"));
            }
        }
    }
    Ok(())
}

/// The bits of an element; a complex number has those of both parts.
fn element_bits(ir: &Ir, ty: TypeId) -> Option<u32> {
    match ir.complex_part(ty) {
        Some(part) => Some(2 * Scalar::of(&ir[part])?.bits()),
        None => Some(Scalar::of(&ir[ir[ty].elem()?])?.bits()),
    }
}

/// The first byte of a part and the one behind it, if they are known.
fn bytes(ir: &Ir, part: &Part) -> Option<(i64, i64)> {
    let Expr::Const(offset) = part.offset else { return None };
    let bits = i64::from(element_bits(ir, part.ty)?);
    let n = part.extents.iter().try_fold(1i64, |n, extent| match extent {
        Expr::Const(extent) => n.checked_mul(*extent),
        _ => None,
    })?;
    Some((offset, offset.checked_add(n.checked_mul(bits)?.checked_add(7)? / 8)?))
}
