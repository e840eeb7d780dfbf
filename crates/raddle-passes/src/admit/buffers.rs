//! Buffers: a program that works on memrefs becomes one on tensors.
//!
//! Before: `func.func @f(%a: memref<4xf32>, %c: memref<4xf32>)`, with `linalg.exp ins(%a) outs(%c)`
//! After:  `func.func @f(%a: tensor<4xf32>, %c: tensor<4xf32>) -> tensor<4xf32> attributes {raddle.in_place = array<i64: 1>}`,
//!         with `%0 = linalg.exp ins(%a) outs(%c)` and `return %0`
//!
//! What a buffer holds is a value: each operation that writes gives the next one, loops and branches hand it on, and views
//! are slices and reshapes of it. An argument that is written is a result, which lies where the argument lies.
//! Arguments are taken to be disjoint, as the bindings of a dispatch are, and their elements to lie side by side.
//! Loops over tiles that may run in parallel run one after the other.

use raddle_ir::interface::Interface;
use raddle_ir::views::{Forall, Linalg, Mixed};
use raddle_ir::{Attr, BlockId, Builder, Code, DYNAMIC, Diag, Ir, Map, OpId, Opcode, Type, TypeId, ValueId, ValueMap};
use rustc_hash::FxHashMap;

use crate::structured::in_place;

/// Whether a function is a program on buffers that is not a kernel yet: it has structured operations on memrefs.
pub fn is_on_buffers(ir: &Ir, func: OpId) -> bool {
    ir.opcode(func) == Opcode::FuncFunc && ir.attr_id(func, "translation_info").is_none() && writes_buffers(ir, func)
}

/// Whether a function has structured operations on memrefs.
fn writes_buffers(ir: &Ir, func: OpId) -> bool {
    let is_memref = |value: &ValueId| matches!(ir.ty(*value), Type::MemRef { .. });
    ir.walk(func).into_iter().any(|op| destinations(ir, op).iter().any(is_memref))
}

/// Whether a dispatch has such operations, or moves tensors from and to parts of its bindings.
fn moves_through_buffers(ir: &Ir, func: OpId) -> bool {
    let moves = [Opcode::IreeCodegenLoadFromBuffer, Opcode::IreeCodegenStoreToBuffer];
    writes_buffers(ir, func) || ir.walk(func).into_iter().any(|op| moves.contains(&ir.opcode(op)))
}

/// Rewrites a dispatch whose bindings are arguments already: one that is written is a result in its place, too.
pub(super) fn rewrite_dispatch(ir: &mut Ir, func: OpId) -> Result<(), Diag> {
    let Some(mut interface) = Interface::of(ir, func)?.filter(|_| moves_through_buffers(ir, func)) else {
        return Ok(());
    };
    rewrite(ir, func)?;
    let written = in_place::stated(ir, func).into_iter().flatten();
    interface.results.extend(written.map(|argument| interface.arguments[argument].clone()));
    ir.remove_attr(func, in_place::NAME);
    interface.write(ir, func);
    Ok(())
}

/// The operands that a structured operation writes.
fn destinations(ir: &Ir, op: OpId) -> &[ValueId] {
    if let Some((_, outputs)) = Linalg::operands(ir, op) {
        return outputs;
    }
    let name = ir.opcode(op).name();
    if !name.starts_with("linalg.") && !name.starts_with("iree_linalg_ext.") {
        return &[];
    }
    let groups = ["outputs", "output", "original", "dest"].map(|group| ir.group(op, group));
    groups.into_iter().find(|group| !group.is_empty()).unwrap_or_default()
}

/// The memrefs that an operation writes by itself.
fn written(ir: &Ir, op: OpId) -> Vec<ValueId> {
    let at = match ir.opcode(op) {
        Opcode::MemrefStore | Opcode::MemrefCopy | Opcode::BufferizationMaterializeInDestination => {
            ir.operands(op).get(1..2).unwrap_or_default()
        }
        _ => destinations(ir, op),
    };
    at.iter().copied().filter(|&value| matches!(ir.ty(value), Type::MemRef { .. })).collect()
}

/// Whether the result of an operation is memory of its first operand.
fn is_view(opcode: Opcode) -> bool {
    matches!(
        opcode,
        Opcode::MemrefSubview
            | Opcode::MemrefCast
            | Opcode::MemrefCollapseShape
            | Opcode::MemrefExpandShape
            | Opcode::MemrefTranspose
            | Opcode::MemrefMemorySpaceCast
            | Opcode::MemrefAssumeAlignment
            | Opcode::AmdgpuFatRawBufferCast
    )
}

/// The buffer that a memref is a view of.
fn root(ir: &Ir, mut memref: ValueId) -> ValueId {
    while let Some(op) = ir.def_op(memref)
        && is_view(ir.opcode(op))
    {
        memref = ir.operand(op, 0);
    }
    memref
}

fn refuse(ir: &Ir, op: OpId, why: &str) -> Diag {
    let name = match ir.symbol_name(op) {
        Some(symbol) => format!("`@{symbol}`"),
        None => format!("`{}`", ir.name(op)),
    };
    Diag::error(Code::CannotAdmit, ir.span(op), format!("{name} cannot work on tensors instead of memrefs")).note(why)
}

/// Rewrites the function.
pub(super) fn rewrite(ir: &mut Ir, func: OpId) -> Result<(), Diag> {
    let old = ir.entry(func);
    let region = ir.block_region(old);
    if ir.blocks(region).len() != 1 {
        return Err(refuse(ir, func, "a program on memrefs is one block, with loops and branches of `scf`"));
    }
    let args = ir.args(old).to_vec();
    for &arg in &args {
        if !is_contiguous(ir, arg) {
            return Err(refuse(ir, func, "the elements of an argument do not lie side by side in memory")
                .help("bufferize with `function-boundary-type-conversion=identity-layout-map`"));
        }
    }
    let types: Vec<TypeId> = args.iter().map(|&arg| tensor_of(ir, ir.type_of(arg))).collect();
    let new = ir.add_block(region, &types);
    let mut cx = Buffers { map: ValueMap::default(), current: FxHashMap::default(), written: Vec::new() };
    for (&arg, value) in args.iter().zip(ir.args(new).to_vec()) {
        cx.set(ir, arg, value);
    }
    let span = ir.span(func);
    let mut builder = Builder::at_end(ir, new, span);
    match cx.function(&mut builder, old, &args) {
        Ok((results, in_place)) => {
            ir.remove_block(old);
            ir.set_signature(func, &types, &results);
            in_place::write(ir, func, &in_place);
            Ok(())
        }
        Err(diag) => {
            ir.remove_block(new);
            Err(diag)
        }
    }
}

/// Whether a memref's elements lie in the order of its indices, without gaps.
fn is_contiguous(ir: &Ir, memref: ValueId) -> bool {
    let Type::MemRef { shape, layout: Some(layout), .. } = ir.ty(memref) else { return true };
    match &ir[*layout] {
        Attr::Map(map) => *map == Map::identity(shape.len()),
        Attr::Strided { offset, strides } => {
            let mut pitch = Some(1);
            *offset == 0
                && strides.iter().zip(shape).rev().all(|(&stride, &extent)| {
                    let fits = extent == 1 || pitch == Some(stride);
                    pitch = pitch.filter(|_| extent != DYNAMIC).and_then(|pitch: i64| pitch.checked_mul(extent));
                    fits
                })
        }
        _ => false,
    }
}

/// The tensor that a memref holds; any other type is itself.
fn tensor_of(ir: &mut Ir, ty: TypeId) -> TypeId {
    match ir[ty].clone() {
        Type::MemRef { shape, elem, .. } => ir.tensor_type(&shape, elem),
        _ => ty,
    }
}

struct Buffers {
    /// Values of the new function for those of the old one that are not memrefs.
    map: ValueMap,
    /// What each buffer holds now.
    current: FxHashMap<ValueId, ValueId>,
    /// The buffers that have been written, in order.
    written: Vec<ValueId>,
}

impl Buffers {
    fn set(&mut self, ir: &Ir, old: ValueId, new: ValueId) {
        match ir.ty(old) {
            Type::MemRef { .. } => {
                self.current.insert(old, new);
            }
            _ => self.map.set(old, new),
        }
    }

    /// The body of the function; the types of its results, and for each the argument in whose place it lies.
    fn function(
        &mut self,
        b: &mut Builder<'_>,
        old: BlockId,
        args: &[ValueId],
    ) -> Result<(Vec<TypeId>, Vec<Option<usize>>), Diag> {
        let end = b.ir.terminator(old).expect("a verified block has a terminator");
        self.block(b, old)?;
        let mut results = self.values(b, end)?;
        let mut places = vec![None; results.len()];
        let written: Vec<usize> = (0..args.len()).filter(|&at| self.written.contains(&args[at])).collect();
        for at in written {
            let ty = tensor_of(b.ir, b.ir.type_of(args[at]));
            let value = self.current[&args[at]];
            results.push(cast(b, value, ty));
            places.push(Some(at));
        }
        b.op(Opcode::FuncReturn, &results, &[], &[]);
        Ok((results.iter().map(|&value| b.ir.type_of(value)).collect(), places))
    }

    /// What the operands of an operation are in the new function.
    fn values(&mut self, b: &mut Builder<'_>, op: OpId) -> Result<Vec<ValueId>, Diag> {
        let operands = b.ir.operands(op).to_vec();
        operands.into_iter().map(|value| self.value(b, op, value)).collect()
    }

    fn value(&mut self, b: &mut Builder<'_>, user: OpId, value: ValueId) -> Result<ValueId, Diag> {
        match b.ir.ty(value) {
            Type::MemRef { .. } => self.read(b, user, value),
            Type::UnrankedMemRef { .. } => Err(refuse(b.ir, user, "a memref has a rank")),
            _ => Ok(self.map.get(value)),
        }
    }

    /// What a memref holds.
    fn read(&mut self, b: &mut Builder<'_>, user: OpId, memref: ValueId) -> Result<ValueId, Diag> {
        if let Some(&value) = self.current.get(&memref) {
            return Ok(value);
        }
        let Some(op) = b.ir.def_op(memref).filter(|&op| is_view(b.ir.opcode(op))) else {
            return Err(refuse(b.ir, user, "its memory is neither an argument nor allocated in the function"));
        };
        let base = self.read(b, user, b.ir.operand(op, 0))?;
        let ty = tensor_of(b.ir, b.ir.type_of(memref));
        Ok(match b.ir.opcode(op) {
            Opcode::MemrefSubview => self.slice(b, op, Opcode::TensorExtractSlice, &[base], ty),
            Opcode::MemrefCollapseShape => regroup(b, op, Opcode::TensorCollapseShape, &[base], ty),
            Opcode::MemrefExpandShape => {
                let sizes: Vec<ValueId> = b.ir.operands(op)[1..].iter().map(|&size| self.map.get(size)).collect();
                regroup(b, op, Opcode::TensorExpandShape, &[&[base], &sizes[..]].concat(), ty)
            }
            Opcode::MemrefTranspose => {
                let order = order_of(b.ir, op)?;
                transpose(b, base, &order)
            }
            _ => cast(b, base, ty),
        })
    }

    /// A memref holds another value from here on.
    fn write(&mut self, b: &mut Builder<'_>, user: OpId, memref: ValueId, value: ValueId) -> Result<(), Diag> {
        if let Some(current) = self.current.get_mut(&memref) {
            *current = value;
            if !self.written.contains(&memref) {
                self.written.push(memref);
            }
            return Ok(());
        }
        let Some(op) = b.ir.def_op(memref).filter(|&op| is_view(b.ir.opcode(op))) else {
            return Err(refuse(b.ir, user, "its memory is neither an argument nor allocated in the function"));
        };
        let base = b.ir.operand(op, 0);
        let before = self.read(b, user, base)?;
        let ty = b.ir.type_of(before);
        let whole = match b.ir.opcode(op) {
            Opcode::MemrefSubview => self.slice(b, op, Opcode::TensorInsertSlice, &[value, before], ty),
            Opcode::MemrefCollapseShape => {
                let shape = b.ir.shape_of(before).to_vec();
                let mut operands = vec![value];
                for (dim, _) in shape.iter().enumerate().filter(|&(_, &extent)| extent == DYNAMIC) {
                    operands.push(extent_of(b, before, dim));
                }
                let expanded = regroup(b, op, Opcode::TensorExpandShape, &operands, ty);
                let sizes = b.ir.dense_i64(&shape);
                let made = b.ir.def_op(expanded).expect("an operation was just made");
                b.ir.set_attr(made, "static_output_shape", sizes);
                expanded
            }
            Opcode::MemrefExpandShape => regroup(b, op, Opcode::TensorCollapseShape, &[value], ty),
            Opcode::MemrefTranspose => {
                let order = order_of(b.ir, op)?;
                let mut back = vec![0; order.len()];
                order.iter().enumerate().for_each(|(to, &from)| back[from] = to);
                transpose(b, value, &back)
            }
            _ => cast(b, value, ty),
        };
        self.write(b, user, base, whole)
    }

    /// A part of a tensor, or a tensor with the part put in, where a subview is of a memref.
    fn slice(&self, b: &mut Builder<'_>, op: OpId, opcode: Opcode, first: &[ValueId], ty: TypeId) -> ValueId {
        let rest: Vec<ValueId> = b.ir.operands(op)[1..].iter().map(|&value| self.map.get(value)).collect();
        let counts: Vec<usize> = b.ir.segments(op)[1..].iter().map(|part| part.len()).collect();
        let segments = b.ir.segment_sizes(&[&vec![1; first.len()][..], &counts].concat());
        let mut attrs = vec![("operandSegmentSizes", segments)];
        for name in ["static_offsets", "static_sizes", "static_strides"] {
            attrs.extend(b.ir.attr_id(op, name).map(|attr| (name, attr)));
        }
        b.value(opcode, &[first, &rest].concat(), ty, &attrs)
    }

    fn block(&mut self, b: &mut Builder<'_>, block: BlockId) -> Result<(), Diag> {
        for op in b.ir.ops_of(block) {
            // The end of a region is written by who knows what it hands on.
            if b.ir.terminator(block) != Some(op) {
                self.operation(b, op)?;
            }
        }
        Ok(())
    }

    fn operation(&mut self, b: &mut Builder<'_>, op: OpId) -> Result<(), Diag> {
        let opcode = b.ir.opcode(op);
        match opcode {
            _ if is_view(opcode) => {}
            Opcode::MemrefDealloc => {}
            Opcode::MemrefAlloc | Opcode::MemrefAlloca => {
                let memref = b.ir.result(op, 0);
                let sizes: Vec<ValueId> = b.ir.segments(op).first().map_or(&[][..], |sizes| sizes).to_vec();
                let sizes: Vec<ValueId> = sizes.into_iter().map(|size| self.map.get(size)).collect();
                let ty = tensor_of(b.ir, b.ir.type_of(memref));
                let empty = b.value(Opcode::TensorEmpty, &sizes, ty, &[]);
                self.current.insert(memref, empty);
            }
            Opcode::MemrefGetGlobal => {
                let memref = b.ir.result(op, 0);
                let Some(value) = initial_value(b.ir, op) else {
                    return Err(refuse(b.ir, op, "a global memref is constant, and has a value"));
                };
                let ty = tensor_of(b.ir, b.ir.type_of(memref));
                let constant = b.value(Opcode::ArithConstant, &[], ty, &[("value", value)]);
                self.current.insert(memref, constant);
            }
            Opcode::BufferizationToBuffer => {
                let value = self.map.get(b.ir.operand(op, 0));
                self.current.insert(b.ir.result(op, 0), value);
            }
            Opcode::BufferizationToTensor | Opcode::IreeCodegenLoadFromBuffer => {
                let value = self.value(b, op, b.ir.operand(op, 0))?;
                let ty = b.ir.type_of(b.ir.result(op, 0));
                let value = cast(b, value, ty);
                self.map.set(b.ir.result(op, 0), value);
            }
            Opcode::IreeCodegenStoreToBuffer => {
                let memref = b.ir.operand(op, 1);
                let ty = tensor_of(b.ir, b.ir.type_of(memref));
                let value = cast(b, self.map.get(b.ir.operand(op, 0)), ty);
                self.write(b, op, memref, value)?;
            }
            Opcode::MemrefDim => {
                let operands = self.values(b, op)?;
                let index = b.ir.index_type();
                let extent = b.value(Opcode::TensorDim, &operands, index, &[]);
                self.map.set(b.ir.result(op, 0), extent);
            }
            Opcode::MemrefLoad => {
                let operands = self.values(b, op)?;
                let ty = b.ir.type_of(b.ir.result(op, 0));
                let element = b.value(Opcode::TensorExtract, &operands, ty, &[]);
                self.map.set(b.ir.result(op, 0), element);
            }
            Opcode::MemrefStore => {
                let operands = self.values(b, op)?;
                let ty = b.ir.type_of(operands[1]);
                let value = b.value(Opcode::TensorInsert, &operands, ty, &[]);
                self.write(b, op, b.ir.operand(op, 1), value)?;
            }
            Opcode::MemrefCopy | Opcode::BufferizationMaterializeInDestination => {
                let (from, to) = (b.ir.operand(op, 0), b.ir.operand(op, 1));
                if !matches!(b.ir.ty(to), Type::MemRef { .. }) {
                    return self.plain(b, op);
                }
                let value = self.value(b, op, from)?;
                let ty = tensor_of(b.ir, b.ir.type_of(to));
                let value = cast(b, value, ty);
                self.write(b, op, to, value)?;
            }
            Opcode::ScfFor => self.for_loop(b, op)?,
            Opcode::ScfIf => self.branch(b, op)?,
            Opcode::ScfWhile => self.while_loop(b, op)?,
            Opcode::ScfParallel | Opcode::ScfForall if uses_memrefs(b.ir, op) => self.parallel(b, op)?,
            _ if !written(b.ir, op).is_empty() => self.structured(b, op)?,
            _ => self.plain(b, op)?,
        }
        Ok(())
    }

    /// An operation that has nothing to do with memory, or only reads it.
    fn plain(&mut self, b: &mut Builder<'_>, op: OpId) -> Result<(), Diag> {
        if uses_memrefs(b.ir, op) {
            return Err(refuse(b.ir, op, "it uses a memref, and there is no rule for the tensor that this holds"));
        }
        b.copy(op, &mut self.map);
        Ok(())
    }

    /// A structured operation: what it writes are its results.
    fn structured(&mut self, b: &mut Builder<'_>, op: OpId) -> Result<(), Diag> {
        let outputs = destinations(b.ir, op).to_vec();
        if b.ir.results(op).len() > 0 {
            return Err(refuse(b.ir, op, "it is on memrefs and on tensors at once"));
        }
        let operands = self.values(b, op)?;
        let mut types = Vec::new();
        for &output in &outputs {
            types.push(tensor_of(b.ir, b.ir.type_of(output)));
        }
        let attrs = b.ir.attr_dict(op);
        let new = b.ir.create_with(b.ir.opcode(op), &operands, &types, attrs, b.ir.span(op));
        b.place(new);
        b.copy_regions(op, new, &mut self.map);
        for (output, value) in outputs.into_iter().zip(b.ir.results(new)) {
            self.write(b, op, output, value)?;
        }
        Ok(())
    }

    /// The buffers from outside of an operation that it writes.
    fn carried(&self, ir: &Ir, op: OpId) -> Vec<ValueId> {
        let mut found: Vec<ValueId> = Vec::new();
        for memref in ir.walk(op).into_iter().flat_map(|inner| written(ir, inner)) {
            let root = root(ir, memref);
            if self.current.contains_key(&root) && !found.contains(&root) {
                found.push(root);
            }
        }
        found
    }

    /// What the buffers hold, in the types of the buffers, so that loops may carry it.
    fn held(&self, b: &mut Builder<'_>, roots: &[ValueId]) -> Vec<ValueId> {
        let held = |&root: &ValueId| {
            let ty = tensor_of(b.ir, b.ir.type_of(root));
            cast(b, self.current[&root], ty)
        };
        roots.iter().map(held).collect()
    }

    fn hold(&mut self, roots: &[ValueId], values: impl Iterator<Item = ValueId>) {
        for (&root, value) in roots.iter().zip(values) {
            self.current.insert(root, value);
            if !self.written.contains(&root) {
                self.written.push(root);
            }
        }
    }

    fn for_loop(&mut self, b: &mut Builder<'_>, op: OpId) -> Result<(), Diag> {
        if b.ir.results(op).any(|value| matches!(b.ir.ty(value), Type::MemRef { .. })) {
            return Err(refuse(b.ir, op, "a loop does not hand on memrefs"));
        }
        let body = b.ir.entry(op);
        let roots = self.carried(b.ir, op);
        let operands: Vec<ValueId> = b.ir.operands(op).iter().map(|&value| self.map.get(value)).collect();
        let inits = [&operands[3..], &self.held(b, &roots)].concat();
        let own = operands.len() - 3;
        let mut done = Ok(());
        let new = b.for_loop(operands[0], operands[1], operands[2], &inits, |inner, iv, carried| {
            let args = inner.ir.args(body).to_vec();
            for (&arg, value) in args.iter().zip([iv].into_iter().chain(carried.iter().copied())) {
                self.map.set(arg, value);
            }
            self.hold(&roots, carried[own..].iter().copied());
            match self.iteration(inner, body, &roots) {
                Ok(values) => values,
                Err(diag) => {
                    done = Err(diag);
                    carried.to_vec()
                }
            }
        });
        done?;
        let results: Vec<ValueId> = b.ir.results(new).collect();
        for (old, &value) in b.ir.results(op).zip(&results) {
            self.map.set(old, value);
        }
        self.hold(&roots, results[own..].iter().copied());
        Ok(())
    }

    fn while_loop(&mut self, b: &mut Builder<'_>, op: OpId) -> Result<(), Diag> {
        let values = b.ir.operands(op).iter().copied().chain(b.ir.results(op));
        if values.into_iter().any(|value| matches!(b.ir.ty(value), Type::MemRef { .. })) {
            return Err(refuse(b.ir, op, "a loop does not hand on memrefs"));
        }
        let (Some(before), Some(after)) = (b.ir.body(op, 0), b.ir.body(op, 1)) else {
            return Err(refuse(b.ir, op, "it has not two regions of one block"));
        };
        let roots = self.carried(b.ir, op);
        let held = self.held(b, &roots);
        let inits: Vec<ValueId> = b.ir.operands(op).iter().map(|&value| self.map.get(value)).collect();
        let of_buffers: Vec<TypeId> = held.iter().map(|&value| b.ir.type_of(value)).collect();
        let own: Vec<TypeId> = b.ir.results(op).map(|value| b.ir.type_of(value)).collect();
        let types = [&own[..], &of_buffers].concat();
        let new = b.op(Opcode::ScfWhile, &[inits, held].concat(), &types, &[]);
        for old in [before, after] {
            let args = b.ir.args(old).to_vec();
            let types: Vec<TypeId> = args.iter().map(|&arg| b.ir.type_of(arg)).collect();
            let region = b.ir.add_region(new);
            let block = b.ir.add_block(region, &[&types[..], &of_buffers].concat());
            let given = b.ir.args(block).to_vec();
            for (&arg, &value) in args.iter().zip(&given) {
                self.map.set(arg, value);
            }
            self.hold(&roots, given[args.len()..].iter().copied());
            let mut inner = Builder::at_end(b.ir, block, b.span);
            self.block(&mut inner, old)?;
            let end = inner.ir.terminator(old).expect("a verified block has a terminator");
            let mut values = self.values(&mut inner, end)?;
            values.extend(self.held(&mut inner, &roots));
            let ends = inner.ir.opcode(end);
            inner.op(ends, &values, &[], &[]);
        }
        let results: Vec<ValueId> = b.ir.results(new).collect();
        for (old, &value) in b.ir.results(op).zip(&results) {
            self.map.set(old, value);
        }
        self.hold(&roots, results[own.len()..].iter().copied());
        Ok(())
    }

    /// The operations of a region; what it hands on, and what the buffers hold then.
    fn iteration(&mut self, b: &mut Builder<'_>, body: BlockId, roots: &[ValueId]) -> Result<Vec<ValueId>, Diag> {
        self.block(b, body)?;
        let end = b.ir.terminator(body).expect("a verified block has a terminator");
        let mut values = if b.ir.opcode(end) == Opcode::ScfYield { self.values(b, end)? } else { Vec::new() };
        values.extend(self.held(b, roots));
        Ok(values)
    }

    fn branch(&mut self, b: &mut Builder<'_>, op: OpId) -> Result<(), Diag> {
        if b.ir.results(op).any(|value| matches!(b.ir.ty(value), Type::MemRef { .. })) {
            return Err(refuse(b.ir, op, "a branch does not choose between memrefs"));
        }
        let roots = self.carried(b.ir, op);
        let before = self.held(b, &roots);
        let own: Vec<TypeId> = b.ir.results(op).map(|value| b.ir.type_of(value)).collect();
        let types = [&own[..], &before.iter().map(|&value| b.ir.type_of(value)).collect::<Vec<_>>()].concat();
        let condition = self.map.get(b.ir.operand(op, 0));
        let new = b.op(Opcode::ScfIf, &[condition], &types, &[]);
        for at in 0..2 {
            self.hold(&roots, before.iter().copied());
            let region = b.ir.add_region(new);
            let block = b.ir.add_block(region, &[]);
            let mut inner = Builder::at_end(b.ir, block, b.span);
            let values = match inner.ir.body(op, at) {
                Some(body) => self.iteration(&mut inner, body, &roots)?,
                None => before.clone(),
            };
            inner.op(Opcode::ScfYield, &values, &[], &[]);
        }
        let results: Vec<ValueId> = b.ir.results(new).collect();
        for (old, &value) in b.ir.results(op).zip(&results) {
            self.map.set(old, value);
        }
        self.hold(&roots, results[own.len()..].iter().copied());
        Ok(())
    }

    /// A parallel loop on memory: loops that run one after the other.
    fn parallel(&mut self, b: &mut Builder<'_>, op: OpId) -> Result<(), Diag> {
        if b.ir.results(op).len() > 0 {
            return Err(refuse(b.ir, op, "a parallel loop on memrefs gives no values"));
        }
        let bounds: [Vec<Mixed>; 3] = match b.ir.opcode(op) {
            Opcode::ScfForall => {
                let Forall { lower, upper, step, .. } = Forall::of(b.ir, op);
                [lower, upper, step]
            }
            _ => {
                let parts = b.ir.segments(op);
                [0, 1, 2].map(|at| parts[at].iter().map(|&value| Mixed::Value(value)).collect())
            }
        };
        let mut values = Vec::new();
        for bound in bounds {
            let new = |mixed: &Mixed| match mixed {
                Mixed::Value(value) => self.map.get(*value),
                Mixed::Static(number) => b.index(*number),
            };
            values.push(bound.iter().map(new).collect::<Vec<_>>());
        }
        let roots = self.carried(b.ir, op);
        let held = self.held(b, &roots);
        let results = self.nest(b, op, &values, 0, &roots, &held)?;
        self.hold(&roots, results.into_iter());
        Ok(())
    }

    /// The loop at a depth, with those inside of it; what the buffers hold behind it.
    fn nest(
        &mut self,
        b: &mut Builder<'_>,
        op: OpId,
        bounds: &[Vec<ValueId>],
        depth: usize,
        roots: &[ValueId],
        held: &[ValueId],
    ) -> Result<Vec<ValueId>, Diag> {
        let body = b.ir.entry(op);
        if depth == bounds[0].len() {
            self.hold(roots, held.iter().copied());
            return self.iteration(b, body, roots);
        }
        let mut done = Ok(());
        let (lower, upper, step) = (bounds[0][depth], bounds[1][depth], bounds[2][depth]);
        let new = b.for_loop(lower, upper, step, held, |inner, iv, carried| {
            self.map.set(inner.ir.args(body)[depth], iv);
            match self.nest(inner, op, bounds, depth + 1, roots, carried) {
                Ok(values) => values,
                Err(diag) => {
                    done = Err(diag);
                    carried.to_vec()
                }
            }
        });
        done?;
        Ok(b.ir.results(new).collect())
    }
}

/// Whether an operation, or one inside of it, takes or gives a memref.
fn uses_memrefs(ir: &Ir, op: OpId) -> bool {
    let is_memref = |value: ValueId| matches!(ir.ty(value), Type::MemRef { .. } | Type::UnrankedMemRef { .. });
    [op].into_iter().chain(ir.walk(op)).any(|op| ir.operands(op).iter().copied().chain(ir.results(op)).any(is_memref))
}

fn cast(b: &mut Builder<'_>, value: ValueId, ty: TypeId) -> ValueId {
    if b.ir.type_of(value) == ty { value } else { b.value(Opcode::TensorCast, &[value], ty, &[]) }
}

fn extent_of(b: &mut Builder<'_>, tensor: ValueId, dim: usize) -> ValueId {
    let at = b.index(dim as i64);
    let index = b.ir.index_type();
    b.value(Opcode::TensorDim, &[tensor, at], index, &[])
}

/// A reshape of a tensor by the groups of one of a memref.
fn regroup(b: &mut Builder<'_>, op: OpId, opcode: Opcode, operands: &[ValueId], ty: TypeId) -> ValueId {
    let names = match opcode {
        Opcode::TensorExpandShape => &["reassociation", "static_output_shape"][..],
        _ => &["reassociation"],
    };
    let attrs: Vec<_> = names.iter().filter_map(|&name| Some((name, b.ir.attr_id(op, name)?))).collect();
    b.value(opcode, operands, ty, &attrs)
}

/// For each dimension of the result of `memref.transpose`, that of its operand.
fn order_of(ir: &Ir, op: OpId) -> Result<Vec<usize>, Diag> {
    let order = ir.map(op, "permutation").and_then(Map::as_dims);
    order.ok_or_else(|| refuse(ir, op, "its permutation is none of dimensions"))
}

/// `linalg.transpose` into a tensor of its own.
fn transpose(b: &mut Builder<'_>, value: ValueId, order: &[usize]) -> ValueId {
    let Type::Tensor { shape, elem, .. } = b.ir.ty(value).clone() else { panic!("a buffer holds a tensor") };
    let to: Vec<i64> = order.iter().map(|&from| shape[from]).collect();
    let sizes: Vec<ValueId> =
        (order.iter().filter(|&&from| shape[from] == DYNAMIC)).map(|&from| extent_of(b, value, from)).collect();
    let ty = b.ir.tensor_type(&to, elem);
    let empty = b.value(Opcode::TensorEmpty, &sizes, ty, &[]);
    let order: Vec<i64> = order.iter().map(|&from| from as i64).collect();
    let permutation = b.ir.dense_i64(&order);
    let op = b.op(Opcode::LinalgTranspose, &[value, empty], &[ty], &[("permutation", permutation)]);
    let region = b.ir.add_region(op);
    let block = b.ir.add_block(region, &[elem, elem]);
    let element = b.ir.args(block)[0];
    Builder::at_end(b.ir, block, b.span).op(Opcode::LinalgYield, &[element], &[], &[]);
    b.ir.result(op, 0)
}

/// The value of a constant global memref.
fn initial_value(ir: &mut Ir, op: OpId) -> Option<raddle_ir::AttrId> {
    let Attr::Symbol(path) = ir.attr(op, "name")? else { return None };
    let name = ir[*path.last()?].to_owned();
    let is_it = |global: &OpId| ir.opcode(*global) == Opcode::MemrefGlobal && ir.symbol_name(*global) == Some(&name);
    let global = ir.ops_of(ir.module_block()).into_iter().find(is_it)?;
    ir.attr(global, "constant")?;
    let value = ir.attr_id(global, "initial_value")?;
    matches!(ir[value], Attr::Dense { .. }).then_some(value)
}
