//! Decode: from a function's operations to the machine's instructions, once for each run.
//!
//! Every value gets a register; operations that only rename (`shape_cast`, `to_layout`, exact extensions) share that of
//! their operand. Constants and thread ids become registers that are filled once. Structured control flow becomes
//! jumps. What has no meaning here is an error at its operation, before anything runs.

mod affine;
mod attention;
mod calls;
mod complex;
mod control;
mod data;
mod elementwise;
mod flow;
pub(crate) mod in_step;
pub(crate) mod intrinsic;
mod lanes;
mod memory;
mod nest;
mod opaque;
mod phases;
mod reuse;
mod tables;
mod tile;
mod tiled;
mod transforms;
mod vector;
mod whole;

use raddle_ir::views::Mixed;
use raddle_ir::{BlockId, Class, Code as Number, Diag, Float, Ir, OpId, Opcode, Scalar, Type, TypeId, ValueId, ops};
use rustc_hash::FxHashMap;

use crate::inst::{Code, Fences, Index, Inst, Known};
use crate::launch::{Launch, Mode};
use crate::regs::{Bank, Reg};
use crate::tensor::checked_elements;
use crate::{Options, Precision};

/// Calls and regions nested in one another, at most.
const DEPTH_MAX: usize = 256;
/// Instructions, at most: calls are expanded in place.
const INSTS_MAX: usize = 1 << 24;
/// Bytes of an instruction besides its tables, with its entries in the lists beside it.
const INST_BYTES: usize = 160;

/// What a subgroup takes besides its registers.
const SUBGROUP_BYTES: usize = 1024;

/// Decodes a function for a launch.
pub(crate) fn decode(ir: &Ir, func: OpId, launch: &Launch, options: &Options) -> Result<Code, Diag> {
    let mut decoder = Decoder {
        ir,
        launch,
        precision: options.precision,
        lanes: launch.lanes(),
        copies: launch.n_subgroups(),
        widest: widest(ir),
        bytes_left: options.memory_max,
        code: Code::default(),
        values: FxHashMap::default(),
        globals: FxHashMap::default(),
        decoded: 0,
        ints: FxHashMap::default(),
        homes: Default::default(),
        roots: Vec::new(),
        outer: None,
        captures: Vec::new(),
        ifs: Vec::new(),
        masked: None,
        mask_shape: Vec::new(),
        block: None,
        op: func,
        depth: 0,
    };
    decoder.reserve(launch.n_subgroups().saturating_mul(SUBGROUP_BYTES))?;
    if calls::expanded_ops(ir, func) > INSTS_MAX as u64 {
        return Err(decoder.too_long());
    }
    decoder.function(func)?;
    decoder.share_registers()?;
    decoder.check_shared(func, options.shared_bytes_max)?;
    decoder.code.bytes = options.memory_max - decoder.bytes_left;
    Ok(decoder.code)
}

/// Which buffer a memref register can only mean.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Root {
    /// This memref argument.
    Arg(usize),
    /// No argument.
    Local,
    /// Any.
    Unknown,
}

struct Decoder<'a> {
    ir: &'a Ir,
    launch: &'a Launch,
    precision: Precision,
    lanes: usize,
    /// How many subgroups will have these registers at the same time.
    copies: usize,
    /// Bits of the widest integer type of the program.
    widest: u32,
    bytes_left: usize,
    /// Operations so far.
    decoded: usize,
    code: Code,
    values: FxHashMap<ValueId, Reg>,
    /// What globals hold that were written or read.
    globals: FxHashMap<&'a str, Reg>,
    ints: FxHashMap<i64, Reg>,
    /// For each bank and register, the block whose execution fills it anew.
    homes: [Vec<Option<BlockId>>; 6],
    roots: Vec<Root>,
    /// Registers of the function around a `linalg` body.
    outer: Option<&'a FxHashMap<ValueId, Reg>>,
    captures: Vec<(Reg, Reg)>,
    /// Branches that are not decoded to their end, innermost last.
    ifs: Vec<u32>,
    /// What `vector.mask` asks of the operation inside it, which takes it, and the shape of that.
    masked: Option<Reg>,
    mask_shape: Vec<i64>,
    block: Option<BlockId>,
    op: OpId,
    depth: usize,
}

/// A type made of numbers; of complex ones, `scalar` is the type of a part.
#[derive(Clone, Copy)]
struct Numeric {
    bank: Bank,
    n: u32,
    scalar: Scalar,
}

impl<'a> Decoder<'a> {
    fn function(&mut self, func: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        let name = ir.symbol_name(func).unwrap_or("?");
        let Some(body) = ir.body(func, 0) else {
            return Err(self.error(format!("function `{name}` has no body to run")));
        };
        let mut n_memrefs = 0;
        for &arg in ir.args(body) {
            let reg = self.define(arg)?;
            if reg.bank == Bank::View {
                self.roots[reg.at as usize] = Root::Arg(n_memrefs);
                n_memrefs += 1;
            }
            self.code.args.push(reg);
        }
        self.code.written = vec![false; n_memrefs];
        self.code.results = self.region(ir.block_region(body))?;
        self.op = ir.terminator(body).unwrap_or(func);
        self.emit(Inst::Return)?;
        Ok(())
    }

    /// A kernel has no more shared memory than its chip.
    fn check_shared(&self, func: OpId, max: Option<u64>) -> Result<(), Diag> {
        let bytes = self.code.shared_bytes;
        match max.filter(|&max| bytes > max && self.launch.mode == Mode::Simt) {
            None => Ok(()),
            Some(max) => Err(Diag::error(
                Number::OverLimit,
                self.ir.span(func),
                format!("the kernel needs {bytes} bytes of shared memory, and a workgroup has {max} on this chip"),
            )
            .help("allocate less, or let allocations with separate lifetimes share one buffer")),
        }
    }

    /// Decodes a block, and returns the registers of its terminator's operands.
    fn body(&mut self, block: BlockId) -> Result<Vec<Reg>, Diag> {
        let ir = self.ir;
        if self.depth >= DEPTH_MAX {
            return Err(self.too_deep());
        }
        self.depth += 1;
        let around = (self.block.replace(block), self.op);
        let mut yielded = Vec::new();
        for op in ir.block_ops(block) {
            self.op = op;
            if is_yield(ir, op) {
                yielded = ir.operands(op).iter().map(|&value| self.reg(value)).collect::<Result<_, _>>()?;
            } else {
                self.operation(op)?;
            }
        }
        (self.block, self.op) = around;
        self.depth -= 1;
        Ok(yielded)
    }

    /// Modules of the compiler may class an operation anew; what it means does not change with that.
    fn operation(&mut self, op: OpId) -> Result<(), Diag> {
        // Calls are expanded in place: also those of functions that compute nothing come to an end.
        self.decoded += 1;
        if self.decoded > INSTS_MAX {
            return Err(self.too_long());
        }
        match self.ir.opcode(op) {
            Opcode::ScfWhile => self.while_loop(op),
            Opcode::ScfParallel => self.parallel(op),
            Opcode::ScfIndexSwitch => self.index_switch(op),
            Opcode::ScfExecuteRegion => self.execute_region(op),
            Opcode::UbUnreachable => self.emit(Inst::Unreachable),
            Opcode::CfAssert => self.assert(op),
            Opcode::RaddleCheckIndex => self.check_index(op),
            Opcode::RaddleTileZero | Opcode::RaddleTileLoad | Opcode::RaddleTileStore | Opcode::RaddleTileDot => {
                self.tile(op)
            }
            Opcode::VectorScan => self.scan(op),
            Opcode::IreeVectorExtArgCompare | Opcode::IreeLinalgExtArgCompare => self.arg_compare(op),
            Opcode::TensorConcat | Opcode::TensorFromElements | Opcode::TensorSplat => self.whole(op),
            Opcode::TensorExtract | Opcode::TensorInsert | Opcode::TensorGenerate => self.whole(op),
            Opcode::TensorPad | Opcode::TensorRank | Opcode::TensorReshape => self.whole(op),
            Opcode::TensorGather | Opcode::TensorScatter => self.whole(op),
            Opcode::LinalgPack | Opcode::LinalgUnpack => self.whole(op),
            Opcode::IreeLinalgExtGather | Opcode::IreeLinalgExtScatter => self.whole(op),
            Opcode::IreeLinalgExtMapLoad | Opcode::IreeLinalgExtMapStore => self.whole(op),
            Opcode::IreeLinalgExtSort | Opcode::IreeLinalgExtTopk | Opcode::IreeLinalgExtScan => self.whole(op),
            Opcode::LinalgSoftmax => self.softmax(op),
            Opcode::IreeLinalgExtAttention | Opcode::IreeLinalgExtOnlineAttention => self.attention(op),
            Opcode::IreeLinalgExtExpReduction => self.exp_reduction(op),
            Opcode::IreeLinalgExtCustomOp => self.custom_op(op),
            Opcode::IreeLinalgExtIndex => self.id(op),
            Opcode::IreeLinalgExtTopkV2 => self.whole(op),
            Opcode::IreeLinalgExtFft
            | Opcode::IreeLinalgExtWinogradFilterTransform
            | Opcode::IreeLinalgExtWinogradInputTransform
            | Opcode::IreeLinalgExtWinogradOutputTransform
            | Opcode::LinalgWinogradFilterTransform
            | Opcode::LinalgWinogradInputTransform
            | Opcode::LinalgWinogradOutputTransform => self.transform(op),
            Opcode::VectorReduction => self.reduction(op),
            Opcode::VectorOuterproduct => self.outer_product(op),
            Opcode::VectorInterleave | Opcode::VectorDeinterleave => self.interleave(op),
            Opcode::VectorShuffle => self.vector_shuffle(op),
            Opcode::VectorBitcast | Opcode::TensorBitcast => self.vector_bitcast(op),
            Opcode::FlowTensorBitcast | Opcode::IreeTensorExtBitcast => self.vector_bitcast(op),
            // Where a tensor lies, and how, does not change its value.
            Opcode::IreeEncodingSetEncoding
            | Opcode::IreeEncodingUnsetEncoding
            | Opcode::FlowTensorReshape
            | Opcode::FlowTensorClone
            | Opcode::FlowTensorTieShape
            | Opcode::FlowTensorBarrier
            | Opcode::FlowTensorTransfer => self.alias(op),
            Opcode::UtilUnfoldableConstant | Opcode::FlowTensorConstant | Opcode::FlowTensorDynamicConstant => {
                self.constant(op)
            }
            Opcode::UtilGlobalLoad | Opcode::UtilGlobalStore => self.global(op),
            Opcode::VectorMask => self.masked_op(op),
            Opcode::VectorGather
            | Opcode::VectorMaskedload
            | Opcode::VectorExpandload
            | Opcode::IreeVectorExtTransferGather => self.read(op),
            Opcode::VectorScatter
            | Opcode::VectorMaskedstore
            | Opcode::VectorCompressstore
            | Opcode::IreeVectorExtTransferScatter => self.write(op),
            Opcode::ArithAdduiExtended | Opcode::ArithMulsiExtended | Opcode::ArithMuluiExtended => self.extended(op),
            Opcode::MathSincos => self.sine_and_cosine(op),
            Opcode::MathClampf => self.clamp(op),
            Opcode::ArithScalingExtf | Opcode::ArithScalingTruncf => self.scaling(op),
            Opcode::IndexConstant => self.constant(op),
            own if ops::Index::of(own).is_some() => self.elementwise(op),
            Opcode::GpuBallot | Opcode::RocdlBallot | Opcode::NvvmVoteSync => self.vote(op),
            Opcode::GpuSubgroupBroadcast => self.subgroup_broadcast(op),
            Opcode::GpuRotate => self.rotate(op),
            Opcode::IreeGpuSubgroupScan => self.subgroup_scan(op),
            Opcode::GpuAllReduce => self.all_reduce(op),
            Opcode::GpuBarrier | Opcode::AmdgpuLdsBarrier | Opcode::RocdlBarrier | Opcode::RocdlSBarrier => {
                self.barrier(op)
            }
            Opcode::NvvmBarrier | Opcode::NvvmBarrierArrive => self.barrier(op),
            Opcode::GpuInitializeNamedBarrier => self.named_barrier(op),
            // How instructions are scheduled changes no value.
            Opcode::AmdgpuSchedBarrier | Opcode::RocdlSchedBarrier | Opcode::RocdlSSetprio => Ok(()),
            Opcode::IreeCodegenInnerTiled => self.inner_tiled(op),
            Opcode::UtilHoistableConversion => self.conversion(op),
            Opcode::GpuSubgroupMmaLoadMatrix | Opcode::GpuSubgroupMmaStoreMatrix | Opcode::GpuSubgroupMmaCompute => {
                self.subgroup_matrix(op)
            }
            Opcode::GpuSubgroupMmaConstantMatrix | Opcode::GpuSubgroupMmaElementwise => self.subgroup_matrix(op),
            Opcode::MemrefAtomicRmw | Opcode::MemrefGenericAtomicRmw => self.atomic(op),
            Opcode::NvgpuMbarrierCreate | Opcode::NvgpuMbarrierInit | Opcode::NvgpuMbarrierArrive => self.phases(op),
            Opcode::NvgpuMbarrierArriveNocomplete | Opcode::NvgpuMbarrierArriveExpectTx => self.phases(op),
            Opcode::NvgpuMbarrierTestWait | Opcode::NvgpuMbarrierTryWaitParity => self.phases(op),
            Opcode::NvgpuTmaCreateDescriptor => self.descriptor(op),
            Opcode::NvgpuTmaPrefetchDescriptor | Opcode::MemrefPrefetch => Ok(()),
            // Products in shared memory are done at once.
            Opcode::NvvmWgmmaFenceAligned
            | Opcode::NvvmWgmmaCommitGroupSyncAligned
            | Opcode::NvvmWgmmaWaitGroupSyncAligned
            | Opcode::NvvmFenceProxy => Ok(()),
            Opcode::NvgpuTmaAsyncLoad => self.box_load(op),
            Opcode::NvgpuDeviceAsyncCopy => self.async_copy(op),
            Opcode::AmdgpuGatherToLds => self.gather_to_shared(op),
            Opcode::NvgpuDeviceAsyncCreateGroup | Opcode::NvvmCpAsyncCommitGroup | Opcode::RocdlAsyncmark => {
                self.async_group(op)
            }
            Opcode::NvgpuDeviceAsyncWait | Opcode::NvvmCpAsyncWaitGroup | Opcode::RocdlWaitAsyncmark => {
                self.async_wait(op)
            }
            Opcode::AffineMin | Opcode::AffineMax => self.extreme(op),
            Opcode::AffineFor
            | Opcode::AffineIf
            | Opcode::AffineLoad
            | Opcode::AffineStore
            | Opcode::AffineParallel => self.affine(op),
            Opcode::GpuBlockDim
            | Opcode::GpuGridDim
            | Opcode::GpuGlobalId
            | Opcode::GpuNumSubgroups
            | Opcode::GpuSubgroupSize => self.count(op),
            Opcode::HalInterfaceWorkgroupCount | Opcode::HalInterfaceWorkgroupSize => self.count(op),
            Opcode::HalInterfaceWorkgroupId => self.id(op),
            Opcode::MemrefDim | Opcode::TensorDim => self.dim(op),
            Opcode::MemrefCast
            | Opcode::MemrefMemorySpaceCast
            | Opcode::MemrefAssumeAlignment
            | Opcode::AmdgpuFatRawBufferCast => self.rename(op),
            Opcode::MemrefCollapseShape | Opcode::MemrefExpandShape => self.regroup(op),
            Opcode::MemrefTranspose | Opcode::MemrefReinterpretCast => self.restride(op),
            Opcode::MemrefView => self.bytes(op),
            Opcode::ArithSelect if matches!(self.ir.ty(self.ir.result(op, 0)), Type::MemRef { .. }) => self.either(op),
            Opcode::MemrefCopy => self.copy(op),
            Opcode::MemrefGetGlobal => self.constant_memory(op),
            Opcode::MemrefDealloc => {
                let view = self.operand(op, 0)?;
                self.emit(Inst::Dealloc { view })
            }
            Opcode::TensorCast | Opcode::TensorCollapseShape | Opcode::TensorExpandShape => self.alias(op),
            Opcode::UtilOptimizationBarrier | Opcode::IreeCodegenIndexHint | Opcode::UtilAssumeInt => self.pass_on(op),
            opcode if opcode.name().starts_with("complex.") => self.complex(op),
            _ => self.by_class(op),
        }
    }

    fn by_class(&mut self, op: OpId) -> Result<(), Diag> {
        match self.ir.class(op) {
            Class::Constant => self.constant(op),
            Class::Elementwise => self.elementwise(op),
            Class::Broadcast => self.broadcast(op),
            Class::Transpose => self.transpose(op),
            Class::Reshape => self.alias(op),
            Class::Reduce => self.multi_reduction(op),
            Class::Contract => self.contract(op),
            Class::Read => self.read(op),
            Class::Write => self.write(op),
            Class::Slice => self.slice(op),
            Class::Mask => self.mask(op),
            Class::Structured => self.structured(op),
            Class::Empty => self.poison(op),
            Class::Loop => self.for_loop(op),
            Class::Branch => self.branch(op),
            Class::Yield => self.in_parallel(op),
            Class::Alloc => self.alloc(op),
            Class::View => self.view(op),
            Class::Barrier => self.emit(Inst::Barrier(Fences::ALL)),
            Class::Layout => self.layout(op),
            Class::Index => self.index_op(op),
            Class::Id => self.id(op),
            Class::Shuffle => self.shuffle(op),
            Class::Matrix if matches!(self.ir.opcode(op), Opcode::NvgpuLdmatrix | Opcode::NvgpuStmatrix) => {
                self.matrices(op)
            }
            Class::Matrix => self.matrix(op),
            Class::Call => self.call(op),
            Class::Opaque if raddle_ir::views::Linalg::try_of(self.ir, op).is_some() => self.structured(op),
            Class::Module | Class::Function | Class::Opaque => Err(self.unknown(op)),
        }
    }

    // ---- registers

    /// The register of a value that is computed already.
    fn reg(&mut self, value: ValueId) -> Result<Reg, Diag> {
        if let Some(&reg) = self.values.get(&value) {
            return Ok(reg);
        }
        let Some(&outer) = self.outer.and_then(|outer| outer.get(&value)) else {
            return Err(self.error(format!("`{}` uses a value that is not computed before it", self.name())));
        };
        if outer.bank == Bank::View {
            return Err(self.error("the body of a structured operation cannot use a memref".into()));
        }
        let inner = self.fresh(outer.bank, outer.n, None)?;
        self.captures.push((outer, inner));
        self.values.insert(value, inner);
        Ok(inner)
    }

    fn operand(&mut self, op: OpId, index: usize) -> Result<Reg, Diag> {
        match self.ir.operands(op).get(index) {
            Some(&value) => self.reg(value),
            None => Err(self.error(format!("`{}` lacks operand {index}", self.name()))),
        }
    }

    /// A new register for a value, in the current block.
    fn define(&mut self, value: ValueId) -> Result<Reg, Diag> {
        let ty = self.ir.type_of(value);
        let reg = match &self.ir[ty] {
            Type::MemRef { elem, .. } => {
                // The element type is checked here, so that no access has to.
                if self.numeric(*elem)?.bank == Bank::Complex {
                    return Err(self.error("buffers of complex numbers are not supported".into()).help(
                        "let the function be on tensors, or the buffer one of both parts, such as `memref<4x2xf32>`",
                    ));
                }
                self.fresh(Bank::View, 1, self.block)?
            }
            // A token that loops carry along.
            Type::Dialect(name) if matches!(&self.ir[*name], "nvgpu.device.async.token" | "nvgpu.mbarrier.token") => {
                self.fresh(Bank::Int, 1, self.block)?
            }
            Type::Dialect(name) if self.ir[*name].starts_with("nvgpu.mbarrier.group") => {
                self.fresh(Bank::View, 1, self.block)?
            }
            _ => {
                let Numeric { bank, n, .. } = self.numeric(ty)?;
                self.fresh(bank, n, self.block)?
            }
        };
        self.values.insert(value, reg);
        Ok(reg)
    }

    fn result(&mut self, op: OpId) -> Result<Reg, Diag> {
        match self.ir.results(op).next() {
            Some(value) => self.define(value),
            None => Err(self.error(format!("`{}` has no result", self.name()))),
        }
    }

    /// The operation's results are its operands.
    fn pass_on(&mut self, op: OpId) -> Result<(), Diag> {
        let regs = self.regs(self.ir.operands(op))?;
        self.values.extend(self.ir.results(op).zip(regs));
        Ok(())
    }

    /// A decoder for code of its own, on `width` lanes, inside this one.
    fn inside<'b>(&'b self, op: OpId, block: BlockId, width: usize) -> Decoder<'b> {
        Decoder {
            ir: self.ir,
            launch: self.launch,
            precision: self.precision,
            lanes: width,
            copies: 1,
            widest: self.widest,
            bytes_left: self.bytes_left,
            code: Code::default(),
            values: Default::default(),
            globals: Default::default(),
            decoded: 0,
            ints: Default::default(),
            homes: Default::default(),
            roots: Vec::new(),
            outer: Some(&self.values),
            captures: Vec::new(),
            ifs: Vec::new(),
            masked: None,
            mask_shape: Vec::new(),
            block: Some(block),
            op,
            depth: self.depth,
        }
    }

    /// The operation's result is its first operand.
    fn alias(&mut self, op: OpId) -> Result<(), Diag> {
        let reg = self.operand(op, 0)?;
        let Numeric { bank, n, .. } = self.numeric(self.ir.type_of(self.ir.result(op, 0)))?;
        if (bank, n) != (reg.bank, reg.n) {
            return Err(self.error(format!("`{}` changes the number of elements", self.name())));
        }
        self.values.insert(self.ir.result(op, 0), reg);
        Ok(())
    }

    fn fresh(&mut self, bank: Bank, n: u32, home: Option<BlockId>) -> Result<Reg, Diag> {
        let bytes = self.array_bytes(bank, n);
        self.reserve(bytes)?;
        if self.outer.is_none() {
            // Only [`Decoder::share_registers`] knows what the function needs at once.
            self.bytes_left += bytes;
        }
        let sizes = &mut self.code.sizes[bank as usize];
        let reg = Reg { bank, at: sizes.len() as u32, n };
        sizes.push(n);
        self.homes[bank as usize].push(home);
        if bank == Bank::View {
            self.roots.push(Root::Unknown);
        }
        Ok(reg)
    }

    /// Bytes that a register's array takes in all subgroups.
    fn array_bytes(&self, bank: Bank, n: u32) -> usize {
        (n as usize).saturating_mul(self.lanes).saturating_mul(self.copies).saturating_mul(bank.bytes(self.widest))
    }

    /// Counts bytes against the limit before anything is allocated.
    fn reserve(&mut self, bytes: usize) -> Result<(), Diag> {
        match self.bytes_left.checked_sub(bytes) {
            Some(left) => {
                self.bytes_left = left;
                Ok(())
            }
            None => Err(Diag::error(
                Number::LimitHit,
                self.ir.span(self.op),
                format!(
                    "limit: the registers and tables of this run need more than its memory limit, here {bytes} bytes"
                ),
            )
            .help("raise the memory limit, or run a smaller launch")),
        }
    }

    /// A register with the same contents from the start.
    fn known(&mut self, bank: Bank, n: u32, known: Known) -> Result<Reg, Diag> {
        let reg = self.fresh(bank, n, None)?;
        self.code.known.push((reg, known));
        Ok(reg)
    }

    fn int(&mut self, value: i64) -> Result<Reg, Diag> {
        if let Some(&reg) = self.ints.get(&value) {
            return Ok(reg);
        }
        let reg = self.known(Bank::Int, 1, Known::Int(value))?;
        self.ints.insert(value, reg);
        Ok(reg)
    }

    fn temp(&mut self) -> Result<Reg, Diag> {
        self.fresh(Bank::Int, 1, self.block)
    }

    fn index(&mut self, mixed: Mixed) -> Result<Index, Diag> {
        Ok(match mixed {
            Mixed::Static(value) => Index::Known(value),
            Mixed::Value(value) => match self.ir.const_int(value) {
                Some(value) => Index::Known(value),
                None => Index::Reg(self.reg(value)?),
            },
        })
    }

    fn indices(&mut self, list: &[Mixed]) -> Result<Vec<Index>, Diag> {
        list.iter().map(|&mixed| self.index(mixed)).collect()
    }

    fn regs(&mut self, values: &[ValueId]) -> Result<Vec<Reg>, Diag> {
        values.iter().map(|&value| self.reg(value)).collect()
    }

    // ---- types

    fn numeric(&self, ty: TypeId) -> Result<Numeric, Diag> {
        let ir = self.ir;
        if let Some(matrix) = self.matrix_type(ty) {
            return self.matrix_numeric(matrix);
        }
        if let Some(tile) = self.tile_numeric(ty)? {
            return Ok(tile);
        }
        let (shape, elem): (&[i64], TypeId) = match &ir[ty] {
            Type::Vector { shape, scalable, elem } if !scalable.contains(&true) => (shape, *elem),
            Type::Tensor { shape, elem, .. } => (shape, *elem),
            _ => (&[], ty),
        };
        let part = ir.complex_part(elem);
        let scalar = Scalar::of(&ir[part.unwrap_or(elem)]);
        let Some(scalar) = scalar.filter(|scalar| part.is_none() || matches!(scalar, Scalar::Float(_))) else {
            return Err(self
                .error(format!("`{}` has a type that the emulator has no registers for", self.name()))
                .help("values are numbers, and vectors, tensors and memrefs of numbers"));
        };
        let Some(n) = checked_elements(shape, u32::MAX as usize) else {
            return Err(self.error(format!("`{}` has a type whose extents are dynamic or too large", self.name())));
        };
        let bank = self.bank(scalar)?;
        Ok(Numeric { bank: if part.is_some() { Bank::Complex } else { bank }, n: n as u32, scalar })
    }

    fn bank(&self, scalar: Scalar) -> Result<Bank, Diag> {
        match scalar {
            Scalar::Float(Float::F80 | Float::F128) | Scalar::Int(0) => {
                Err(self.error(format!("the emulator does not have `{scalar}` numbers")))
            }
            Scalar::Float(Float::F64) => Ok(Bank::F64),
            Scalar::Float(_) if self.precision == Precision::Wide => Ok(Bank::F64),
            Scalar::Float(_) => Ok(Bank::F32),
            Scalar::Int(65..) => Ok(Bank::Wide),
            Scalar::Int(_) | Scalar::Index => Ok(Bank::Int),
        }
    }

    fn elem(&self, value: ValueId) -> Result<Scalar, Diag> {
        let elem = self.ir.elem_of(value);
        Scalar::of(&self.ir[elem])
            .ok_or_else(|| self.error(format!("`{}` has an operand whose elements are not numbers", self.name())))
    }

    // ---- instructions

    fn emit(&mut self, inst: Inst) -> Result<(), Diag> {
        self.emit_cost(inst, 1)
    }

    /// Emits an instruction that counts `cost` operations for every lane.
    fn emit_cost(&mut self, mut inst: Inst, cost: u64) -> Result<(), Diag> {
        if self.code.insts.len() >= INSTS_MAX {
            return Err(self.too_long());
        }
        self.reserve(INST_BYTES)?;
        let mut work = cost.saturating_mul(self.lanes as u64).saturating_mul(inst.weight());
        if self.widest > 64 {
            let mut wide = false;
            reuse::each_reg(&mut inst, &mut |reg| wide |= reg.bank == Bank::Wide);
            // A number of its own in memory, and as many words as it has.
            work = work.saturating_mul(if wide { 32 + u64::from(self.widest / 64) } else { 1 });
        }
        let fuel = work.saturating_add(inst.overhead());
        self.code.least = self.code.least.saturating_add(fuel);
        self.code.insts.push(inst);
        self.code.ops.push(self.op);
        self.code.costs.push(cost);
        self.code.fuel.push(fuel);
        Ok(())
    }

    fn pc(&self) -> u32 {
        self.code.insts.len() as u32
    }

    // ---- diagnostics

    fn name(&self) -> &'a str {
        self.ir.name(self.op)
    }

    fn error(&self, message: String) -> Diag {
        Diag::error(Number::CannotExecute, self.ir.span(self.op), message)
    }

    fn too_long(&self) -> Diag {
        let message = format!("limit: the program has more than {INSTS_MAX} instructions");
        Diag::error(Number::LimitHit, self.ir.span(self.op), message)
    }

    fn too_deep(&self) -> Diag {
        Diag::error(
            Number::LimitHit,
            self.ir.span(self.op),
            format!("limit: regions and calls are nested more than {DEPTH_MAX} deep"),
        )
        .help("calls are expanded in place, so that a function cannot call itself")
    }

    fn unknown(&self, op: OpId) -> Diag {
        Diag::error(
            Number::CannotExecute,
            self.ir.span(op),
            format!("the emulator does not know what `{}` means", self.ir.name(op)),
        )
    }

    fn only_in(&self, mode: Mode) -> Result<(), Diag> {
        if self.launch.mode == mode {
            return Ok(());
        }
        let why = match mode {
            Mode::Simd => "belongs to a whole workgroup, but the program names single lanes elsewhere",
            Mode::Simt => "belongs to a lane, but the values of this program belong to the whole workgroup",
        };
        Err(self.error(format!("`{}` {why}", self.name())))
    }
}

/// Bits of the widest integer type of a program.
fn widest(ir: &Ir) -> u32 {
    ir.types()
        .filter_map(|ty| if let Type::Integer { width, .. } = ty { Some(*width) } else { None })
        .max()
        .unwrap_or(0)
}

/// Whether an operation ends a region with values for the operation around it.
fn is_yield(ir: &Ir, op: OpId) -> bool {
    match ir.opcode(op) {
        Opcode::ScfForallInParallel => false,
        Opcode::ScfCondition | Opcode::VectorYield | Opcode::IreeVectorExtYield | Opcode::IreeGpuYield => true,
        Opcode::GpuYield
        | Opcode::UtilReturn
        | Opcode::TensorYield
        | Opcode::IreeLinalgExtYield
        | Opcode::ScfReduce
        | Opcode::ScfReduceReturn
        | Opcode::AffineYield
        | Opcode::MemrefAtomicYield => true,
        _ => ir.class(op) == Class::Yield,
    }
}
