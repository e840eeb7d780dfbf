//! The op table: one row for each operation that the compiler knows.
//!
//! Rooms match on [`Class`] first, so that a new elementwise operation costs a row here, an arm in the emulator and
//! one in each printer, and a new class breaks the build in every room that must think about it.

/// What an operation is to the passes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Class {
    /// A module: holds functions.
    Module,
    /// A function.
    Function,
    /// Leaves a region with values.
    Yield,
    /// A constant.
    Constant,
    /// Acts on each element alone; scalars too.
    Elementwise,
    /// Repeats a value along new or unit dimensions.
    Broadcast,
    /// Reorders dimensions.
    Transpose,
    /// Same elements, other shape.
    Reshape,
    /// Combines elements along dimensions.
    Reduce,
    /// Multiplies and combines along dimensions.
    Contract,
    /// Reads memory (or a tensor) into a value.
    Read,
    /// Writes a value into memory (or a tensor).
    Write,
    /// Takes a part out of a value, or puts one in.
    Slice,
    /// Makes a mask.
    Mask,
    /// A structured operation on tensors or memrefs: `linalg`.
    Structured,
    /// A new tensor without contents.
    Empty,
    /// A loop.
    Loop,
    /// A branch with regions.
    Branch,
    /// Allocates memory.
    Alloc,
    /// A view of memory, or a fact about one.
    View,
    /// Makes threads wait for one another.
    Barrier,
    /// Anchors or converts a layout.
    Layout,
    /// Index arithmetic in affine form.
    Index,
    /// Which thread, subgroup or workgroup this is.
    Id,
    /// Moves or combines values between the lanes of a subgroup.
    Shuffle,
    /// A matrix instruction.
    Matrix,
    /// A call of a function.
    Call,
    /// Anything else: kept, printed, not compiled.
    Opaque,
}

/// One row of the table.
pub struct OpInfo {
    /// With the dialect, as in `arith.addf`.
    pub name: &'static str,
    /// What it is to the passes.
    pub class: Class,
    /// Whether it neither touches memory nor traps, so that an unused one may go and equal ones may merge.
    pub pure: bool,
}

macro_rules! ops {
    ($($opcode:ident $name:literal $class:ident $($pure:ident)?;)*) => {
        /// An operation's row in the table.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u16)]
        #[allow(missing_docs, reason = "the table has the names")]
        pub enum Opcode {
            $($opcode,)*
            /// Not in the table.
            Unregistered,
        }

        /// The table, in the order of [`Opcode`].
        pub const OPS: &[OpInfo] = &[
            $(OpInfo { name: $name, class: Class::$class, pure: ops!(@pure $($pure)?) },)*
            OpInfo { name: "", class: Class::Opaque, pure: false },
        ];

        const OPCODES: &[Opcode] = &[$(Opcode::$opcode,)*];
    };
    (@pure pure) => { true };
    (@pure) => { false };
}

ops! {
    // builtin, func
    Module "builtin.module" Module;
    Func "func.func" Function;
    Return "func.return" Yield;
    Call "func.call" Call;

    // arith
    Constant "arith.constant" Constant pure;
    AddF "arith.addf" Elementwise pure;
    SubF "arith.subf" Elementwise pure;
    MulF "arith.mulf" Elementwise pure;
    DivF "arith.divf" Elementwise pure;
    RemF "arith.remf" Elementwise pure;
    NegF "arith.negf" Elementwise pure;
    MaximumF "arith.maximumf" Elementwise pure;
    MinimumF "arith.minimumf" Elementwise pure;
    MaxNumF "arith.maxnumf" Elementwise pure;
    MinNumF "arith.minnumf" Elementwise pure;
    AddI "arith.addi" Elementwise pure;
    SubI "arith.subi" Elementwise pure;
    MulI "arith.muli" Elementwise pure;
    // Division traps on zero, so it may not move ahead of the test that guards it; it may still merge.
    DivSI "arith.divsi" Elementwise pure;
    DivUI "arith.divui" Elementwise pure;
    CeilDivSI "arith.ceildivsi" Elementwise pure;
    CeilDivUI "arith.ceildivui" Elementwise pure;
    FloorDivSI "arith.floordivsi" Elementwise pure;
    RemSI "arith.remsi" Elementwise pure;
    RemUI "arith.remui" Elementwise pure;
    AndI "arith.andi" Elementwise pure;
    OrI "arith.ori" Elementwise pure;
    XOrI "arith.xori" Elementwise pure;
    ShLI "arith.shli" Elementwise pure;
    ShRSI "arith.shrsi" Elementwise pure;
    ShRUI "arith.shrui" Elementwise pure;
    MaxSI "arith.maxsi" Elementwise pure;
    MaxUI "arith.maxui" Elementwise pure;
    MinSI "arith.minsi" Elementwise pure;
    MinUI "arith.minui" Elementwise pure;
    CmpI "arith.cmpi" Elementwise pure;
    CmpF "arith.cmpf" Elementwise pure;
    Select "arith.select" Elementwise pure;
    ExtF "arith.extf" Elementwise pure;
    TruncF "arith.truncf" Elementwise pure;
    ExtSI "arith.extsi" Elementwise pure;
    ExtUI "arith.extui" Elementwise pure;
    TruncI "arith.trunci" Elementwise pure;
    SIToFP "arith.sitofp" Elementwise pure;
    UIToFP "arith.uitofp" Elementwise pure;
    FPToSI "arith.fptosi" Elementwise pure;
    FPToUI "arith.fptoui" Elementwise pure;
    IndexCast "arith.index_cast" Elementwise pure;
    IndexCastUI "arith.index_castui" Elementwise pure;
    Bitcast "arith.bitcast" Elementwise pure;

    // math
    AbsF "math.absf" Elementwise pure;
    Exp "math.exp" Elementwise pure;
    Exp2 "math.exp2" Elementwise pure;
    Log "math.log" Elementwise pure;
    Log2 "math.log2" Elementwise pure;
    Sqrt "math.sqrt" Elementwise pure;
    Rsqrt "math.rsqrt" Elementwise pure;
    Tanh "math.tanh" Elementwise pure;
    Erf "math.erf" Elementwise pure;
    Sin "math.sin" Elementwise pure;
    Cos "math.cos" Elementwise pure;
    Floor "math.floor" Elementwise pure;
    Ceil "math.ceil" Elementwise pure;
    PowF "math.powf" Elementwise pure;
    MathFma "math.fma" Elementwise pure;

    // ub
    Poison "ub.poison" Constant pure;

    // linalg, tensor
    Matmul "linalg.matmul" Structured;
    Generic "linalg.generic" Structured;
    Fill "linalg.fill" Structured;
    LinalgYield "linalg.yield" Yield;
    LinalgIndex "linalg.index" Id pure;
    Empty "tensor.empty" Empty pure;
    ExtractSlice "tensor.extract_slice" Slice pure;
    InsertSlice "tensor.insert_slice" Slice pure;
    ParallelInsertSlice "tensor.parallel_insert_slice" Write;

    // scf
    For "scf.for" Loop;
    Forall "scf.forall" Loop;
    InParallel "scf.forall.in_parallel" Yield;
    If "scf.if" Branch;
    ScfYield "scf.yield" Yield;

    // memref
    Alloc "memref.alloc" Alloc;
    Alloca "memref.alloca" Alloc;
    Load "memref.load" Read;
    Store "memref.store" Write;
    SubView "memref.subview" View pure;

    // vector
    TransferRead "vector.transfer_read" Read;
    TransferWrite "vector.transfer_write" Write;
    VectorLoad "vector.load" Read;
    VectorStore "vector.store" Write;
    Broadcast "vector.broadcast" Broadcast pure;
    Transpose "vector.transpose" Transpose pure;
    ShapeCast "vector.shape_cast" Reshape pure;
    MultiReduction "vector.multi_reduction" Reduce pure;
    Contract "vector.contract" Contract pure;
    Extract "vector.extract" Slice pure;
    Insert "vector.insert" Slice pure;
    ExtractStridedSlice "vector.extract_strided_slice" Slice pure;
    InsertStridedSlice "vector.insert_strided_slice" Slice pure;
    FromElements "vector.from_elements" Slice pure;
    ToElements "vector.to_elements" Slice pure;
    Fma "vector.fma" Elementwise pure;
    Step "vector.step" Constant pure;
    CreateMask "vector.create_mask" Mask pure;
    ConstantMask "vector.constant_mask" Mask pure;

    // affine
    AffineApply "affine.apply" Index pure;
    LinearizeIndex "affine.linearize_index" Index pure;
    DelinearizeIndex "affine.delinearize_index" Index pure;

    // gpu
    ThreadId "gpu.thread_id" Id pure;
    BlockId "gpu.block_id" Id pure;
    LaneId "gpu.lane_id" Id pure;
    SubgroupId "gpu.subgroup_id" Id pure;
    Barrier "gpu.barrier" Barrier;
    Shuffle "gpu.shuffle" Shuffle;
    SubgroupReduce "gpu.subgroup_reduce" Shuffle;

    // matrix instructions
    MmaSync "nvgpu.mma.sync" Matrix pure;
    Mfma "amdgpu.mfma" Matrix pure;
    Wmma "amdgpu.wmma" Matrix pure;

    // iree_vector_ext
    ToLayout "iree_vector_ext.to_layout" Layout pure;
    ToSimd "iree_vector_ext.to_simd" Layout pure;
    ToSimt "iree_vector_ext.to_simt" Layout pure;
}

impl Opcode {
    /// The row of the table.
    pub fn info(self) -> &'static OpInfo {
        &OPS[self as usize]
    }

    /// The operation's name with its dialect; empty for [`Opcode::Unregistered`].
    pub fn name(self) -> &'static str {
        self.info().name
    }

    /// What the operation is to the passes.
    pub fn class(self) -> Class {
        self.info().class
    }

    /// The row with this name.
    pub fn from_name(name: &str) -> Option<Opcode> {
        use std::collections::BTreeMap;
        use std::sync::LazyLock;
        static BY_NAME: LazyLock<BTreeMap<&'static str, Opcode>> =
            LazyLock::new(|| OPCODES.iter().map(|&opcode| (opcode.name(), opcode)).collect());
        BY_NAME.get(name).copied()
    }
}
