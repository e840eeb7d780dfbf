//! Lower: from one thread's vectors to scalars, linear addresses, and the instructions of one chip.
//!
//! Before:
//!
//! ```mlir
//! %v = vector.transfer_read %m[%row, %col], %pad {in_bounds = [true, true]} : memref<64x32xf16>, vector<1x4xf16>
//! %t = vector.transpose %v, [1, 0] : vector<1x4xf16> to vector<4x1xf16>
//! vector.transfer_write %t, %o[%c0, %c0] {in_bounds = [true, true]} : vector<4x1xf16>, memref<4x1xf16>
//! ```
//!
//! After:
//!
//! ```mlir
//! %0 = arith.muli %row, %c32 : index
//! %1 = arith.addi %0, %col : index
//! %v = vector.load %m[%1] : memref<2048xf16>, vector<4xf16>
//! %e:4 = vector.to_elements %v : vector<4xf16>
//! %t = vector.from_elements %e#0, %e#1, %e#2, %e#3 : vector<4xf16>
//! vector.store %t, %o[%c0] : memref<4xf16>, vector<4xf16>
//! ```
//!
//! The function is written anew in one walk. A vector becomes the list of its elements in row-major order, so that
//! operations that only move elements rename and leave nothing behind. An index becomes a linear form, and is computed
//! only where something uses it: parts that do not change in a loop in front of the loop, the constant last, so that all
//! accesses of a tile share one address and differ in an immediate. A memref becomes a base, an offset and strides.
//!
//! It does not choose instructions for a target, allocate registers, or merge accesses of different operations.

mod bits;
mod bounds;
mod control;
pub(crate) mod expand_math;
mod extents;
mod fit;
mod gather;
mod index;
mod inner_tiled;
mod jumps;
mod lanes;
mod linear;
mod memory;
mod native;
mod order;
mod reduce;
mod scan;
mod sink;
mod speculate;
mod tile;
mod vector;

use std::ops::Range;

use raddle_ir::{
    Attr, AttrId, BlockId, Builder, Class, Code, Def, Diag, Ir, OpId, Opcode, Point, Span, Type, TypeId, ValueId,
};
use raddle_target::Language;
use rustc_hash::{FxHashMap, FxHashSet};

use self::linear::{Forms, Linear};
use self::memory::View;
use crate::clean;
use crate::config::Launch;
use crate::configure::limits::ELEMENTS_MAX;
use crate::facts::Facts;
use crate::structured::alignment::Unaligned;

/// Operations that one function may become.
const OPS_MAX: usize = 1 << 20;

/// What stands for a value of the distributed program.
#[derive(Clone, Copy)]
enum Part {
    /// Nothing yet.
    Unset,
    /// The elements, a run in the pool.
    Elements { start: u32, len: u32 },
    /// An index, computed when it is asked for.
    Index(Linear),
    /// A memref, one of the views.
    Memory(u32),
}

/// How many threads and workgroups there are, where that is known.
struct Shape {
    /// Threads along x, y and z: a workgroup of unknown size is one row of threads.
    workgroup: [Option<i64>; 3],
    grid: Option<Vec<i64>>,
    subgroup_size: i64,
}

struct Cx<'ir> {
    ir: &'ir mut Ir,
    shape: Shape,
    /// Vectors of one dimension are registers, and stand for themselves.
    native: bool,
    /// What stands for each value of the old program.
    parts: Vec<Part>,
    /// Elements of vectors, one run for each.
    pool: Vec<ValueId>,
    views: Vec<View>,
    /// The argument that is an open extent of another one: the memref, the dimension.
    extents: FxHashMap<(ValueId, usize), ValueId>,
    unaligned: Unaligned,
    forms: Forms,
    /// The value of each form that was computed.
    computed: Vec<Option<ValueId>>,
    /// The form that each of these values has.
    forms_of: FxHashMap<ValueId, Linear>,
    constants: FxHashMap<AttrId, ValueId>,
    /// The new blocks that are open, outermost first, and for each but the innermost the operation that the next one lies
    /// inside of, or whose jump it follows.
    blocks: Vec<BlockId>,
    owners: Vec<OpId>,
    /// The new block of each old one.
    targets: FxHashMap<BlockId, BlockId>,
    /// The first operation of the old program: in front of it, the new one grows.
    first: OpId,
    /// The place of the thread along each dimension of the workgroup, once it was asked for.
    threads: [Option<Linear>; 3],
    /// What is known to be inside, with the new block from which on: an index and an extent; `None` where nothing is checked.
    checked: Option<FxHashSet<(BlockId, Linear, Linear)>>,
    /// The counter of each loop, where accesses are checked, and the number that it stays below.
    ends: Vec<(Linear, Linear)>,
    no_attrs: AttrId,
    index: TypeId,
    span: Span,
    /// The number of operations at which lowering gives up.
    ops_max: usize,
}

/// Lowers a function from the distributed to the lowered stage. A function without a body stays as it is.
pub fn lower(ir: &mut Ir, func: OpId, facts: &Facts) -> Result<(), Diag> {
    let Some(entry) = ir.body(func, 0) else { return Ok(()) };
    let region = ir.block_region(entry);
    let old_blocks = ir.blocks(region)[1..].to_vec();
    let Some(first) = ir.first_op(entry) else { return Ok(()) };
    let extents = extents::take(ir, func)?;
    let shape = shape_of(ir, func, facts);
    let (no_attrs, index) = (ir.dict(&[]), ir.index_type());
    let mut cx = Cx {
        shape,
        native: facts.chip.native.is_some(),
        parts: vec![Part::Unset; ir.n_values()],
        pool: Vec::new(),
        views: Vec::new(),
        extents,
        unaligned: Unaligned::of(ir, func)?,
        forms: Forms::new(),
        computed: Vec::new(),
        forms_of: FxHashMap::default(),
        constants: FxHashMap::default(),
        blocks: vec![entry],
        owners: Vec::new(),
        targets: FxHashMap::default(),
        first,
        threads: [None; 3],
        ends: Vec::new(),
        checked: facts.bounds_checks.then(FxHashSet::default),
        no_attrs,
        index,
        span: ir.span(func),
        ops_max: ir.n_ops() + OPS_MAX,
        ir,
    };
    let types = cx.arguments(entry).and_then(|types| {
        cx.blocks(func, region, region)?;
        Ok(types)
    });
    // In the first block the new program stands in front of the old one, and the other new blocks behind the old ones:
    // remove whichever is not wanted.
    let all = ir.ops_of(entry);
    let split = all.iter().position(|&op| op == first).expect("the old program is still there");
    let new_blocks = ir.blocks(region)[1 + old_blocks.len()..].to_vec();
    let (unwanted, blocks) = if types.is_ok() { (&all[split..], old_blocks) } else { (&all[..split], new_blocks) };
    ir.remove_blocks(&blocks);
    for &op in unwanted.iter().rev() {
        ir.erase(op);
    }
    let types = types?;
    for (arg, &ty) in ir.args(entry).to_vec().into_iter().zip(&types) {
        ir.set_type(arg, ty);
    }
    let results = ir.signature(func).1.to_vec();
    ir.set_signature(func, &types, &results);
    expand_math::expand(ir, func, facts);
    if facts.chip.native.is_some() {
        native::single_loads(ir, func);
        native::sink_loads(ir, func);
    }
    clean::clean(ir, func);
    sink::sink(ir, func);
    // LLVM orders what it is given by itself, where that fits.
    match facts.chip.language {
        Language::Ptx => order::order(ir, func),
        Language::Llvm if facts.chip.native.is_none() => {
            speculate::speculate(ir, func);
            fit::fit(ir, func, facts.chip);
        }
        Language::Llvm | Language::None => {}
    }
    Ok(())
}

fn shape_of(ir: &Ir, func: OpId, facts: &Facts) -> Shape {
    let info = ir.attr_id(func, "translation_info");
    let field = |name: &str| info.and_then(|info| ir.field(info, name));
    let sizes = field("workgroup_size").and_then(|attr| ir.ints(attr));
    Shape {
        workgroup: match sizes.and_then(|sizes| Launch::of_sizes(&sizes, 1)) {
            Some(launch) => launch.extents.map(Some),
            None => [None, Some(1), Some(1)],
        },
        grid: ir.attr_id(func, "gpu.known_grid_size").and_then(|attr| ir.ints(attr)),
        subgroup_size: field("subgroup_size")
            .and_then(|attr| ir[attr].as_i64())
            .filter(|&size| size > 0)
            .unwrap_or(facts.chip.subgroup_size.into()),
    }
}

impl Cx<'_> {
    /// Prepares the function's arguments, and returns the types that they get.
    fn arguments(&mut self, entry: BlockId) -> Result<Vec<TypeId>, Diag> {
        let args = self.ir.args(entry).to_vec();
        for &arg in &args {
            if matches!(self.ir.ty(arg), Type::Integer { .. } | Type::Index | Type::Float(_)) {
                self.set_elements(arg, &[arg]);
            }
        }
        args.into_iter()
            .map(|arg| match self.ir.ty(arg) {
                Type::MemRef { .. } => self.memory_argument(arg),
                Type::Integer { .. } | Type::Index | Type::Float(_) => Ok(self.ir.type_of(arg)),
                _ => Err(Diag::error(
                    Code::CannotLower,
                    self.span,
                    "cannot lower an argument that is not a buffer or a scalar",
                )
                .help("kernels take memrefs and scalars; values of the whole workgroup live inside of them")),
            })
            .collect()
    }

    fn ops(&mut self, ops: &[OpId]) -> Result<(), Diag> {
        ops.iter().try_for_each(|&op| self.op(op))
    }

    /// Writes what stands for one operation of the old program.
    fn op(&mut self, op: OpId) -> Result<(), Diag> {
        self.span = self.ir.span(op);
        self.limit(op)?;
        if self.native && self.native_op(op)? {
            return Ok(());
        }
        match self.ir.class(op) {
            Class::Constant => self.constant_op(op),
            Class::Elementwise => self.elementwise(op),
            Class::Index => self.affine(op),
            Class::Id => self.id(op),
            Class::Broadcast => self.broadcast(op),
            Class::Transpose => self.transpose(op),
            Class::Reshape => self.reshape(op),
            Class::Slice => self.slice(op),
            Class::Mask => self.mask(op),
            Class::Reduce => self.reduce(op),
            Class::Contract => self.contract(op),
            Class::Read => self.read(op),
            Class::Write => self.write(op),
            Class::Alloc => self.alloc(op),
            Class::View => match self.ir.opcode(op) {
                Opcode::MemrefReinterpretCast => self.reinterpret(op),
                _ => self.subview(op),
            },
            Class::Loop => match self.ir.opcode(op) {
                Opcode::ScfWhile => self.while_loop(op),
                _ => self.for_loop(op),
            },
            Class::Branch => self.branch(op),
            Class::Yield => self.leave(op).map(|_| ()),
            Class::Barrier => {
                self.copy(op, &[], &[]);
                Ok(())
            }
            Class::Shuffle => self.shuffle(op),
            Class::Matrix if matches!(self.ir.opcode(op), Opcode::NvgpuLdmatrix | Opcode::NvgpuStmatrix) => {
                self.matrices(op)
            }
            Class::Matrix if self.ir.opcode(op) == Opcode::NvgpuWgmma => self.shared_product(op),
            Class::Matrix => self.matrix(op),
            Class::Layout => {
                Err(self.refuse(op).help("layouts end with distribution: run the pipeline up to `distributed` first"))
            }
            Class::Structured | Class::Empty => {
                Err(self.refuse(op).help("tensors end with vectorization: run the pipeline up to `distributed` first"))
            }
            Class::Call => Err(self.refuse(op).help("inline the function into the kernel")),
            Class::Opaque if self.ir.opcode(op) == Opcode::ScfCondition => self.leave(op).map(|_| ()),
            Class::Opaque if self.ir.opcode(op) == Opcode::IreeCodegenInnerTiled => self.inner_tiled(op),
            Class::Opaque => match self.ir.opcode(op) {
                Opcode::MemrefAtomicRmw => self.atomic(op),
                Opcode::MemrefDim => self.dim(op),
                Opcode::MemrefPrefetch => self.prefetch(op),
                Opcode::MemrefCast => self.cast(op),
                Opcode::UtilAssumeInt => self.assume(op),
                Opcode::VectorShuffle => self.shuffled_rows(op),
                Opcode::RaddleTileZero | Opcode::RaddleTileLoad | Opcode::RaddleTileStore | Opcode::RaddleTileDot => {
                    self.tile_register(op)
                }
                Opcode::ArithAdduiExtended | Opcode::ArithMuluiExtended | Opcode::ArithMulsiExtended => {
                    self.extended(op)
                }
                Opcode::NvgpuDeviceAsyncCopy => self.async_copy(op),
                Opcode::NvgpuDeviceAsyncCreateGroup | Opcode::NvvmCpAsyncCommitGroup => self.async_group(op),
                Opcode::NvgpuDeviceAsyncWait | Opcode::NvvmCpAsyncWaitGroup => self.async_wait(op),
                Opcode::NvvmBarrier => {
                    let numbers = self.ir.operands(op).to_vec();
                    let numbers: Vec<ValueId> = numbers.into_iter().map(|number| self.scalar(number)).collect();
                    self.copy(op, &numbers, &[]);
                    Ok(())
                }
                Opcode::NvvmWgmmaFenceAligned
                | Opcode::NvvmWgmmaCommitGroupSyncAligned
                | Opcode::NvvmWgmmaWaitGroupSyncAligned
                | Opcode::NvvmFenceProxy => {
                    self.copy(op, &[], &[]);
                    Ok(())
                }
                _ => Err(self.refuse(op)),
            },
            Class::Module | Class::Function => Err(self.refuse(op)),
        }
    }

    /// Unrolling ends somewhere.
    fn limit(&self, op: OpId) -> Result<(), Diag> {
        for result in self.ir.results(op) {
            let n = self.ir.shape_of(result).iter().try_fold(1i64, |acc, &size| acc.checked_mul(size));
            if matches!(self.ir.ty(result), Type::Vector { scalable, .. } if scalable.contains(&true)) {
                return Err(self.refuse(op).label("a vector whose length is known when the program runs"));
            }
            if self.ir.ty(result).is_vector() && n.is_none_or(|n| n > ELEMENTS_MAX) {
                return Err(self
                    .too_large(op)
                    .label(format!("a vector of more than {ELEMENTS_MAX} elements in one thread")));
            }
        }
        if self.ir.n_ops() > self.ops_max {
            return Err(self.too_large(op).label(format!("here it has {OPS_MAX} operations")));
        }
        Ok(())
    }

    fn too_large(&self, op: OpId) -> Diag {
        let message = format!("the program is too large when `{}` is unrolled", self.ir.name(op));
        Diag::error(Code::UnrollsTooFar, self.ir.span(op), message)
            .help("give each thread less: larger workgroups or smaller tiles")
    }

    /// The diagnostic for an operation that has no rule.
    fn refuse(&self, op: OpId) -> Diag {
        Diag::error(Code::CannotLower, self.ir.span(op), format!("cannot lower `{}`", self.ir.name(op)))
    }

    // ---- what stands for what

    /// The elements of a value, a run in the pool.
    fn elements(&mut self, value: ValueId) -> Range<usize> {
        match self.parts[value.index()] {
            Part::Elements { start, len } => start as usize..(start + len) as usize,
            Part::Index(form) => {
                let value = self.compute(form);
                self.pool.push(value);
                self.pool.len() - 1..self.pool.len()
            }
            Part::Unset | Part::Memory(_) => panic!("a value is defined before it is used, and is not a memref"),
        }
    }

    /// The elements of a value, copied out.
    fn list(&mut self, value: ValueId) -> Vec<ValueId> {
        let run = self.elements(value);
        self.pool[run].to_vec()
    }

    /// What stands for a scalar.
    fn scalar(&mut self, value: ValueId) -> ValueId {
        let run = self.elements(value);
        assert_eq!(run.len(), 1, "a scalar is one element");
        self.pool[run.start]
    }

    fn set_elements(&mut self, value: ValueId, elements: &[ValueId]) {
        let start = self.pool.len() as u32;
        self.pool.extend_from_slice(elements);
        self.parts[value.index()] = Part::Elements { start, len: elements.len() as u32 };
    }

    // ---- writing

    /// Where an operation goes that is nested in `depth` loops and branches.
    fn point(&self, depth: usize) -> Point {
        match self.owners.get(depth) {
            Some(&owner) => Point::Before(owner),
            None if depth == 0 => Point::Before(self.first),
            None => Point::End(self.blocks[depth]),
        }
    }

    /// How many loops and branches are open.
    fn depth(&self) -> usize {
        self.owners.len()
    }

    /// How many loops and branches the place of definition of a new value is nested in.
    fn depth_of(&self, value: ValueId) -> u32 {
        let block = match self.ir.def(value) {
            Def::Result { op, .. } => self.ir.parent_block(op),
            Def::Arg { block, .. } => Some(block),
        };
        let depth = self.blocks.iter().rposition(|&open| Some(open) == block);
        depth.expect("a value that is used is defined in an open block") as u32
    }

    fn emit_at(
        &mut self,
        depth: usize,
        opcode: Opcode,
        operands: &[ValueId],
        results: &[TypeId],
        attrs: AttrId,
    ) -> OpId {
        let op = self.ir.create_with(opcode, operands, results, attrs, self.span);
        self.insert_op(op, depth);
        op
    }

    fn insert_op(&mut self, op: OpId, depth: usize) {
        let at = self.point(depth);
        Builder { at, span: self.span, ir: self.ir }.place(op);
    }

    fn emit(&mut self, opcode: Opcode, operands: &[ValueId], results: &[TypeId], attrs: AttrId) -> OpId {
        self.emit_at(self.depth(), opcode, operands, results, attrs)
    }

    fn value(&mut self, opcode: Opcode, operands: &[ValueId], result: TypeId, attrs: AttrId) -> ValueId {
        let op = self.emit(opcode, operands, &[result], attrs);
        self.ir.result(op, 0)
    }

    /// An operation on two scalars of one type.
    fn binary(&mut self, opcode: Opcode, lhs: ValueId, rhs: ValueId) -> ValueId {
        self.value(opcode, &[lhs, rhs], self.ir.type_of(lhs), self.no_attrs)
    }

    /// The same operation on other operands.
    fn copy(&mut self, op: OpId, operands: &[ValueId], results: &[TypeId]) -> OpId {
        self.emit(self.ir.opcode(op), operands, results, self.ir.attr_dict(op))
    }

    /// The constant with this attribute, at the top of the function.
    fn constant(&mut self, attr: Attr, ty: TypeId) -> ValueId {
        let attr = self.ir.intern(attr);
        if let Some(&value) = self.constants.get(&attr) {
            return value;
        }
        let attrs = self.ir.dict(&[("value", attr)]);
        let op = self.emit_at(0, Opcode::ArithConstant, &[], &[ty], attrs);
        let value = self.ir.result(op, 0);
        self.constants.insert(attr, value);
        value
    }

    /// An integer or index constant.
    fn int(&mut self, value: i64, ty: TypeId) -> ValueId {
        let attr = clean::number::attr(self.ir, clean::number::Number::Int(value), ty);
        self.constant(attr, ty)
    }

    /// `arith.cmpi` with MLIR's number of the predicate.
    fn compare(&mut self, predicate: i64, lhs: ValueId, rhs: ValueId) -> ValueId {
        let predicate = self.ir.i64_attr(predicate);
        let attrs = self.ir.dict(&[("predicate", predicate)]);
        let ty = self.ir.int_type(1);
        self.value(Opcode::ArithCmpi, &[lhs, rhs], ty, attrs)
    }

    /// The truth of a value of type i1, if it is a constant.
    fn truth(&self, value: ValueId) -> Option<bool> {
        clean::number::of(self.ir, value)?.int().map(|value| value != 0)
    }
}
