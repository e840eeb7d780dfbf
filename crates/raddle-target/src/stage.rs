//! The stages of the pipeline, and the contract of each.
//!
//! A contract is a list of what may not be there any more. [`check`] finds the first operation that breaks it; [`of`]
//! guesses the stage of a program that someone wrote by hand. [`Lowered`] is the strictest contract as a value: emitters
//! ask for it, and then rely on every point of it.

use raddle_ir::views::{Matrices, TileRegister};
use raddle_ir::{Attr, Class, Code, Def, Diag, Float, Ir, OpId, Opcode, Scalar, Type, TypeId, ValueId};

use crate::catalogue::{Instruction, SharedProduct};
use crate::{Chip, MatrixAccess, Mma};

/// Where on the pipeline a function is. Each stage's contract is in ARCHITECTURE.md.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stage {
    /// `linalg` and friends on tensors.
    Tensor,
    /// Every compute operation has a lowering configuration; workgroup and subgroup size are chosen.
    Configured,
    /// Workgroup and reduction loops exist.
    Tiled,
    /// Whole-workgroup vectors, memrefs, loops, layout anchors.
    Vector,
    /// Every vector value has a layout.
    LaidOut,
    /// Tiles that are copied ahead have their places in shared memory, and loops their schedules.
    Pipelined,
    /// Vectors are one thread's.
    Distributed,
    /// Registers, linear addresses, intrinsics of one chip.
    Lowered,
}

impl Stage {
    /// Every stage with its name, in order.
    pub const ALL: &[(Stage, &str)] = &[
        (Stage::Tensor, "tensor"),
        (Stage::Configured, "configured"),
        (Stage::Tiled, "tiled"),
        (Stage::Vector, "vector"),
        (Stage::LaidOut, "laid_out"),
        (Stage::Pipelined, "pipelined"),
        (Stage::Distributed, "distributed"),
        (Stage::Lowered, "lowered"),
    ];

    /// The name that users type.
    pub fn name(self) -> &'static str {
        Stage::ALL[self as usize].1
    }

    /// The stage with this name.
    pub fn from_name(name: &str) -> Option<Stage> {
        Stage::ALL.iter().find(|row| row.1 == name).map(|row| row.0)
    }
}

/// The width of the widest access to memory, and of the widest vector at the lowered stage.
const ACCESS_BITS_MAX: u64 = 128;

/// What a walk through a function finds.
#[derive(Default)]
struct Signs {
    tensors: bool,
    configs: bool,
    tiled: bool,
    layouts: bool,
    /// Thread numbers, shuffles, matrix instructions.
    threads: bool,
    /// Vectors that only the stages before lowering have, or memrefs of more than one dimension, or affine operations.
    above_lowered: bool,
    /// There is attention whose products have no configuration yet.
    whole_attention: bool,
}

/// The stage that a function is at, as far as its operations tell.
pub fn of(ir: &Ir, func: OpId) -> Stage {
    let mut signs = Signs::default();
    let (inputs, results) = ir.signature(func);
    for &ty in inputs.iter().chain(results) {
        look_at_type(ir, ty, &mut signs);
    }
    for op in ir.walk(func) {
        look_at(ir, op, &mut signs);
    }
    if signs.tensors {
        // A configuration that a user wrote is still to be checked, and the sizes of the launch to be derived from it, or
        // that of subgroups from the chip.
        let launch = ir.attr_id(func, "translation_info").and_then(|info| ir.field(info, "subgroup_size"));
        let configured = signs.configs && !signs.whole_attention && launch.is_some();
        match (signs.tiled, configured) {
            (true, _) => Stage::Tiled,
            (false, true) => Stage::Configured,
            (false, false) => Stage::Tensor,
        }
    } else if signs.layouts {
        Stage::LaidOut
    } else if signs.threads {
        if signs.above_lowered { Stage::Distributed } else { Stage::Lowered }
    } else if signs.above_lowered {
        Stage::Vector
    } else {
        // Scalars alone: as low as it gets.
        Stage::Lowered
    }
}

fn look_at_type(ir: &Ir, ty: TypeId, signs: &mut Signs) {
    match &ir[ty] {
        Type::Tensor { .. } | Type::UnrankedTensor(_) => signs.tensors = true,
        Type::MemRef { shape, .. } => signs.above_lowered |= shape.len() != 1,
        _ => {}
    }
}

fn look_at(ir: &Ir, op: OpId, signs: &mut Signs) {
    for result in ir.results(op) {
        look_at_type(ir, ir.type_of(result), signs);
    }
    match ir.class(op) {
        Class::Id => signs.threads |= !matches!(ir.opcode(op), Opcode::GpuBlockId | Opcode::LinalgIndex),
        Class::Shuffle => {
            signs.threads = true;
            signs.above_lowered |= ir.opcode(op) == Opcode::GpuSubgroupReduce;
        }
        Class::Matrix => signs.threads = true,
        Class::Loop => signs.tiled |= ir.opcode(op) == Opcode::ScfForall,
        Class::Structured => signs.configs |= ir.attr_id(op, "lowering_config").is_some(),
        Class::Layout => signs.above_lowered = true,
        Class::Index => signs.above_lowered = true,
        Class::Read | Class::Write => {
            let keeps = matches!(
                ir.opcode(op),
                Opcode::MemrefLoad | Opcode::MemrefStore | Opcode::VectorLoad | Opcode::VectorStore
            );
            signs.above_lowered |= !keeps;
        }
        Class::Slice => {
            let keeps = matches!(ir.opcode(op), Opcode::VectorFromElements | Opcode::VectorToElements);
            signs.above_lowered |= !keeps;
        }
        Class::Broadcast
        | Class::Transpose
        | Class::Reshape
        | Class::Reduce
        | Class::Contract
        | Class::Mask
        | Class::View => signs.above_lowered = true,
        Class::Constant | Class::Elementwise => {
            signs.above_lowered |= ir.results(op).any(|result| ir.ty(result).is_vector());
        }
        // Attention is one of these.
        Class::Opaque => {
            signs.configs |= ir.attr_id(op, "lowering_config").is_some();
            // It has a configuration when it goes through the keys in blocks, and both of its products have one.
            signs.whole_attention |= match ir.opcode(op) {
                Opcode::IreeLinalgExtAttention => true,
                Opcode::IreeLinalgExtOnlineAttention => ir.attr_id(op, "decomposition_config").is_none(),
                _ => false,
            };
        }
        Class::Module
        | Class::Function
        | Class::Yield
        | Class::Empty
        | Class::Branch
        | Class::Alloc
        | Class::Barrier
        | Class::Call => {}
    }
    // Extents are arguments of what is lowered.
    signs.above_lowered |= ir.opcode(op) == Opcode::MemrefDim;
    // Loops state the layouts of what they carry, too.
    signs.layouts |= ir.attr_id(op, "layouts").is_some();
}

/// Finds the first operation that may not be at a stage.
pub fn check(ir: &Ir, func: OpId, stage: Stage) -> Result<(), Diag> {
    match stage {
        Stage::Tensor => Ok(()),
        Stage::Configured => check_configured(ir, func),
        Stage::Tiled => forbid(ir, func, stage, |_| None),
        Stage::Vector => check_vector(ir, func),
        Stage::LaidOut | Stage::Pipelined => check_laid_out(ir, func),
        Stage::Distributed => check_distributed(ir, func, stage),
        // What every chip takes; a ticket knows the chip.
        Stage::Lowered => check_lowered(ir, func, false).map(|_| ()),
    }
}

fn not_at(ir: &Ir, op: OpId, stage: Stage, why: &str) -> Diag {
    let message = format!("`{}` cannot be at the `{}` stage: {why}", ir.name(op), stage.name());
    Diag::error(Code::NotAtStage, ir.span(op), message)
}

/// The first operation for which there is a reason.
fn forbid(ir: &Ir, func: OpId, stage: Stage, reason: impl Fn(OpId) -> Option<&'static str>) -> Result<(), Diag> {
    match ir.walk(func).into_iter().find_map(|op| Some((op, reason(op)?))) {
        Some((op, why)) => Err(not_at(ir, op, stage, why)),
        None => Ok(()),
    }
}

fn check_configured(ir: &Ir, func: OpId) -> Result<(), Diag> {
    let has_compute = ir.walk(func).into_iter().any(|op| ir.class(op) == Class::Structured);
    if has_compute && ir.attr_id(func, "translation_info").is_none() {
        return Err(not_at(ir, func, Stage::Configured, "the function has no `translation_info`")
            .help("run `configure`, or state workgroup and subgroup size"));
    }
    Ok(())
}

fn is_tensor(ir: &Ir, value: ValueId) -> bool {
    matches!(ir.ty(value), Type::Tensor { .. } | Type::UnrankedTensor(_))
}

/// Why an operation of the tensor stages may not be here.
fn tensor_reason(ir: &Ir, op: OpId) -> Option<&'static str> {
    match ir.class(op) {
        Class::Structured | Class::Empty => return Some("tensor programs end with vectorization"),
        Class::Loop if ir.opcode(op) == Opcode::ScfForall && ir.results(op).len() > 0 => {
            return Some("parallel loops that fill tensors end with vectorization");
        }
        _ => {}
    }
    let tensor = ir.results(op).chain(ir.operands(op).iter().copied()).any(|value| is_tensor(ir, value));
    tensor.then_some("it has a tensor")
}

fn check_vector(ir: &Ir, func: OpId) -> Result<(), Diag> {
    forbid(ir, func, Stage::Vector, |op| {
        let one_thread = match ir.class(op) {
            Class::Shuffle | Class::Matrix => true,
            Class::Id => !matches!(ir.opcode(op), Opcode::GpuBlockId),
            _ => false,
        };
        tensor_reason(ir, op).or(one_thread.then_some("values belong to the whole workgroup here, not to one thread"))
    })
}

fn check_laid_out(ir: &Ir, func: OpId) -> Result<(), Diag> {
    check_vector(ir, func)?;
    forbid(ir, func, Stage::LaidOut, |op| {
        let vectors = ir.results(op).any(|result| ir.ty(result).is_vector());
        (vectors && ir.attr_id(op, "layouts").is_none()).then_some("its result has no layout")
    })
}

fn check_distributed(ir: &Ir, func: OpId, stage: Stage) -> Result<(), Diag> {
    forbid(ir, func, stage, |op| {
        let layout = ir.class(op) == Class::Layout || ir.attr_id(op, "layouts").is_some();
        tensor_reason(ir, op).or(layout.then_some("layouts end with distribution"))
    })
}

// ---- lowered

/// What the contract of the lowered stage counts on the way.
#[derive(Default)]
struct Usage {
    shared_bytes: u64,
}

/// `native` allows vectors of the thread's own: registers then hold them as they hold scalars.
fn check_lowered(ir: &Ir, func: OpId, native: bool) -> Result<Usage, Diag> {
    let fail = |op, why: &str| Err(not_at(ir, op, Stage::Lowered, why));
    let Some(entry) = ir.body(func, 0) else { return fail(func, "the function has no body") };
    for &arg in ir.args(entry) {
        match ir.ty(arg) {
            Type::MemRef { .. } if flat_elem(ir, arg).is_some() => {}
            _ if is_scalar(ir, arg) => {}
            _ => return fail(func, "arguments are scalars and one-dimensional memrefs"),
        }
    }
    if !ir.signature(func).1.is_empty() {
        return fail(func, "kernels return nothing");
    }
    let mut usage = Usage::default();
    for op in ir.walk(func) {
        let native = native && is_native_op(ir, op);
        let checked = if native { check_native_op(ir, op) } else { check_lowered_op(ir, op, entry, &mut usage) };
        if let Err(why) = checked {
            return fail(op, why);
        }
    }
    Ok(usage)
}

type Reason = Result<(), &'static str>;

fn require(holds: bool, why: &'static str) -> Reason {
    if holds { Ok(()) } else { Err(why) }
}

/// What an operation of a lowered program is: the forms that every emitter has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leaf {
    /// A scalar constant.
    Constant,
    /// Arithmetic on scalars, and choices of words.
    Elementwise,
    /// The number of the thread or the workgroup.
    Id,
    /// Reads memory.
    Read,
    /// Writes memory.
    Write,
    /// Registers as one vector, or a vector as registers.
    Pack,
    /// A loop.
    Loop,
    /// A branch with regions.
    Branch,
    /// The end of a region or of the kernel.
    Yield,
    /// The test of a loop.
    Condition,
    /// The end of a block.
    Jump,
    /// Shared memory.
    Alloc,
    /// Makes threads wait for one another.
    Barrier,
    /// What lanes of a subgroup exchange.
    Exchange,
    /// Changes an element of memory at once.
    Atomic,
    /// Rows of matrices from or to shared memory.
    Rows,
    /// A matrix instruction.
    Matrix,
    /// Begins a copy from global to shared memory.
    Copy,
    /// Makes the copies that a thread has begun one group.
    Group,
    /// Waits for groups of copies.
    Wait,
    /// A product of tiles in shared memory.
    SharedProduct,
    /// Begins, groups, or waits for, products of tiles in shared memory, or lets them see what threads have written.
    Order,
    /// Moves or multiplies tile registers of a CPU.
    Tile,
    /// Says what will be accessed soon; a machine may leave it out.
    Hint,
    /// Stops the kernel where an index is outside.
    Check,
}

/// The form of a lowered operation; `None` for one that `lower` leaves nothing of.
pub fn leaf(ir: &Ir, op: OpId) -> Option<Leaf> {
    let leaf = match ir.class(op) {
        Class::Constant => Leaf::Constant,
        Class::Elementwise => Leaf::Elementwise,
        Class::Id => Leaf::Id,
        Class::Read => Leaf::Read,
        Class::Write => Leaf::Write,
        Class::Slice => Leaf::Pack,
        Class::Loop => Leaf::Loop,
        Class::Branch => Leaf::Branch,
        Class::Yield => Leaf::Yield,
        Class::Alloc => Leaf::Alloc,
        Class::Barrier => Leaf::Barrier,
        Class::Shuffle => Leaf::Exchange,
        Class::Matrix if matches!(ir.opcode(op), Opcode::NvgpuLdmatrix | Opcode::NvgpuStmatrix) => Leaf::Rows,
        Class::Matrix if ir.opcode(op) == Opcode::NvgpuWgmma => Leaf::SharedProduct,
        Class::Matrix => Leaf::Matrix,
        Class::Opaque => match ir.opcode(op) {
            Opcode::ArithAdduiExtended | Opcode::ArithMuluiExtended | Opcode::ArithMulsiExtended => Leaf::Elementwise,
            Opcode::ScfCondition => Leaf::Condition,
            Opcode::CfBr | Opcode::CfCondBr | Opcode::CfSwitch => Leaf::Jump,
            Opcode::MemrefAtomicRmw => Leaf::Atomic,
            Opcode::NvgpuDeviceAsyncCopy => Leaf::Copy,
            Opcode::NvvmCpAsyncCommitGroup => Leaf::Group,
            Opcode::NvvmCpAsyncWaitGroup => Leaf::Wait,
            Opcode::NvvmWgmmaFenceAligned
            | Opcode::NvvmWgmmaCommitGroupSyncAligned
            | Opcode::NvvmWgmmaWaitGroupSyncAligned
            | Opcode::NvvmFenceProxy => Leaf::Order,
            Opcode::NvvmBarrier => Leaf::Barrier,
            Opcode::MemrefPrefetch => Leaf::Hint,
            Opcode::RaddleCheckIndex => Leaf::Check,
            Opcode::RaddleTileZero | Opcode::RaddleTileLoad | Opcode::RaddleTileStore | Opcode::RaddleTileDot => {
                Leaf::Tile
            }
            Opcode::VectorReduction | Opcode::VectorShuffle => Leaf::Pack,
            _ => return None,
        },
        Class::Broadcast if ir.opcode(op) == Opcode::VectorBroadcast => Leaf::Pack,
        Class::Module
        | Class::Function
        | Class::Broadcast
        | Class::Transpose
        | Class::Reshape
        | Class::Reduce
        | Class::Contract
        | Class::Mask
        | Class::Structured
        | Class::Empty
        | Class::View
        | Class::Layout
        | Class::Index
        | Class::Call => return None,
    };
    Some(leaf)
}

/// Elements of one vector of a CPU, at most.
const NATIVE_ELEMENTS_MAX: i64 = 64;

/// Whether a value is a vector that a CPU's registers hold: one dimension of scalars.
fn is_native(ir: &Ir, value: ValueId) -> bool {
    ir.ty(value).is_vector()
        && matches!(ir.shape_of(value), [n] if (1..=NATIVE_ELEMENTS_MAX).contains(n))
        && Scalar::of(&ir[ir.elem_of(value)]).is_some()
}

/// Whether an operation has to do with vectors or tile registers of a thread's own.
fn is_native_op(ir: &Ir, op: OpId) -> bool {
    let own = |value: ValueId| ir.ty(value).is_vector() || is_tile(ir, value);
    ir.class(op) != Class::Matrix && ir.operands(op).iter().copied().chain(ir.results(op)).any(own)
}

fn is_tile(ir: &Ir, value: ValueId) -> bool {
    TileRegister::of(ir, ir.type_of(value)).is_some()
}

/// The contract of operations on vectors of a CPU.
fn check_native_op(ir: &Ir, op: OpId) -> Reason {
    let opcode = ir.opcode(op);
    let registers = || {
        let mut values = ir.operands(op).iter().copied().chain(ir.results(op));
        values.all(|value| is_scalar(ir, value) || is_native(ir, value))
    };
    let carried = || {
        let mut values = ir.operands(op).iter().copied().chain(ir.results(op));
        values.all(|value| is_scalar(ir, value) || is_native(ir, value) || is_tile(ir, value))
    };
    match leaf(ir, op).ok_or("it has no form in registers and instructions")? {
        Leaf::Read | Leaf::Write => check_native_access(ir, op),
        // What its types are is the verifier's business.
        Leaf::Tile => Ok(()),
        Leaf::Elementwise => {
            require(registers(), "operands and results are scalars and vectors of one dimension")?;
            require(has_vector_form(ir, op), "there is no instruction that computes it on a vector")
        }
        Leaf::Pack => {
            let known = matches!(
                opcode,
                Opcode::VectorFromElements
                    | Opcode::VectorToElements
                    | Opcode::VectorBroadcast
                    | Opcode::VectorReduction
                    | Opcode::VectorShuffle
                    | Opcode::VectorBitcast
            );
            require(known && registers(), "it is not a move between a vector of one dimension and its elements")
        }
        Leaf::Constant => require(registers(), "operands and results are scalars and vectors of one dimension"),
        Leaf::Loop | Leaf::Branch | Leaf::Yield | Leaf::Condition | Leaf::Jump => {
            require(carried(), "operands and results are scalars, vectors of one dimension, and tile registers")
        }
        Leaf::Id
        | Leaf::Alloc
        | Leaf::Barrier
        | Leaf::Exchange
        | Leaf::Atomic
        | Leaf::Rows
        | Leaf::Matrix
        | Leaf::Copy
        | Leaf::Group
        | Leaf::Wait
        | Leaf::SharedProduct
        | Leaf::Order
        | Leaf::Hint
        | Leaf::Check => Err("it has no form on vectors of one thread"),
    }
}

/// One index, whole bytes, elements of the memref; what is masked says so by a vector.
fn check_native_access(ir: &Ir, op: OpId) -> Reason {
    let operands = ir.operands(op);
    let (value, base, rest) = match ir.opcode(op) {
        Opcode::VectorLoad | Opcode::VectorMaskedload => (ir.result(op, 0), operands[0], &operands[1..]),
        Opcode::VectorStore => (operands[0], operands[1], &operands[2..]),
        Opcode::VectorMaskedstore => (operands[operands.len() - 1], operands[0], &operands[1..]),
        _ => return Err("vectors are accessed by `vector.load`, `vector.store` and their masked forms"),
    };
    let (elem, _) = flat_elem(ir, base).ok_or("memrefs are one-dimensional")?;
    let n_rest = match ir.opcode(op) {
        Opcode::VectorMaskedload => 3,
        Opcode::VectorMaskedstore => 3,
        _ => 1,
    };
    require(rest.len() == n_rest, "an address is one index")?;
    require(is_native(ir, value), "it moves a vector of one dimension")?;
    require(Scalar::of(&ir[ir.elem_of(value)]) == Some(elem), "the memref holds another type")
}

/// Whether CPUs compute an elementwise operation on vectors: division, counts of bits and functions go element by
/// element, and so do the types that have no arithmetic.
pub fn has_vector_form(ir: &Ir, op: OpId) -> bool {
    // Integers of fewer bits than a byte are stored and converted, and rarely computed with.
    let converts = matches!(
        ir.opcode(op),
        Opcode::ArithExtsi | Opcode::ArithExtui | Opcode::ArithTrunci | Opcode::ArithSitofp | Opcode::ArithUitofp
    );
    let computed = |value: ValueId| match Scalar::of(&ir[ir.elem_of(value)]) {
        Some(Scalar::Float(float)) => matches!(float, Float::F16 | Float::BF16 | Float::F32 | Float::F64),
        Some(Scalar::Int(width)) => {
            width == 1 || converts && width < 8 || (8..=64).contains(&width) && width.is_power_of_two()
        }
        Some(Scalar::Index) => true,
        None => false,
    };
    let known = matches!(
        ir.opcode(op),
        Opcode::ArithAddf
            | Opcode::ArithSubf
            | Opcode::ArithMulf
            | Opcode::ArithDivf
            | Opcode::ArithNegf
            | Opcode::ArithMaximumf
            | Opcode::ArithMinimumf
            | Opcode::ArithMaxnumf
            | Opcode::ArithMinnumf
            | Opcode::MathAbsf
            | Opcode::MathSqrt
            | Opcode::MathFloor
            | Opcode::MathCeil
            | Opcode::MathTrunc
            | Opcode::MathRoundeven
            | Opcode::MathCopysign
            | Opcode::MathFma
            | Opcode::ArithCmpf
            | Opcode::ArithAddi
            | Opcode::ArithSubi
            | Opcode::ArithMuli
            | Opcode::ArithAndi
            | Opcode::ArithOri
            | Opcode::ArithXori
            | Opcode::ArithShli
            | Opcode::ArithShrsi
            | Opcode::ArithShrui
            | Opcode::ArithMaxsi
            | Opcode::ArithMaxui
            | Opcode::ArithMinsi
            | Opcode::ArithMinui
            | Opcode::ArithCmpi
            | Opcode::ArithSelect
            | Opcode::ArithExtf
            | Opcode::ArithTruncf
            | Opcode::ArithExtsi
            | Opcode::ArithExtui
            | Opcode::ArithTrunci
            | Opcode::ArithSitofp
            | Opcode::ArithUitofp
            | Opcode::ArithFptosi
            | Opcode::ArithFptoui
            | Opcode::ArithIndexCast
            | Opcode::ArithIndexCastui
            | Opcode::ArithBitcast
            | Opcode::RaddleByteDot
            | Opcode::RaddlePairDot
            | Opcode::RaddleShortDot
    );
    known && ir.operands(op).iter().copied().chain(ir.results(op)).all(computed)
}

fn check_lowered_op(ir: &Ir, op: OpId, entry: raddle_ir::BlockId, usage: &mut Usage) -> Reason {
    let opcode = ir.opcode(op);
    match leaf(ir, op).ok_or("it has no form in registers and instructions")? {
        Leaf::Constant => {
            require(opcode == Opcode::ArithConstant, "it is not `arith.constant`")?;
            require(is_scalar(ir, ir.result(op, 0)), "constants are scalars")
        }
        Leaf::Elementwise => {
            require(opcode != Opcode::VectorFma, "`math.fma` is its scalar form")?;
            let word =
                opcode == Opcode::ArithSelect && is_scalar(ir, ir.operand(op, 0)) && is_word(ir, ir.result(op, 0));
            require(word || scalars_only(ir, op), "operands and results are scalars")
        }
        Leaf::Id => require(
            matches!(opcode, Opcode::GpuBlockId | Opcode::GpuThreadId),
            "only `gpu.thread_id` and `gpu.block_id` are left",
        ),
        Leaf::Read | Leaf::Write => check_access(ir, op),
        Leaf::Pack => {
            require(
                matches!(opcode, Opcode::VectorFromElements | Opcode::VectorToElements),
                "elements have names of their own",
            )?;
            check_pack(ir, op)
        }
        Leaf::Loop => {
            require(matches!(opcode, Opcode::ScfFor | Opcode::ScfWhile), "it is neither `scf.for` nor `scf.while`")?;
            let words = opcode == Opcode::ScfFor;
            let fits = |value| is_scalar(ir, value) || words && is_word(ir, value);
            let all = ir.operands(op).iter().copied().chain(ir.results(op)).all(fits);
            require(all, "loops carry scalars, and words of 32 bits where they count")
        }
        Leaf::Branch => {
            require(
                matches!(opcode, Opcode::ScfIf | Opcode::ScfExecuteRegion),
                "it is neither `scf.if` nor `scf.execute_region`",
            )?;
            require(scalars_only(ir, op), "branches give scalars")
        }
        Leaf::Yield => {
            require(matches!(opcode, Opcode::ScfYield | Opcode::FuncReturn), "it ends no region of this stage")?;
            let words = ir.parent_op(op).is_some_and(|around| ir.opcode(around) == Opcode::ScfFor);
            let fits = |&value: &ValueId| is_scalar(ir, value) || words && is_word(ir, value);
            require(ir.operands(op).iter().all(fits), "regions give scalars, and loops words of 32 bits")
        }
        Leaf::Alloc => {
            let result = ir.result(op, 0);
            require(ir.parent_block(op) == Some(entry), "shared memory is allocated in the entry block")?;
            let space = match ir.ty(result) {
                Type::MemRef { space, .. } => space.and_then(|space| ir.keyword(space)),
                _ => None,
            };
            require(
                opcode == Opcode::MemrefAlloc && space == Some("workgroup"),
                "memory is allocated for the workgroup",
            )?;
            let (elem, size) = flat_elem(ir, result).ok_or("memrefs are one-dimensional")?;
            let size = size.ok_or("shared memory has a constant size")?;
            let bytes = u64::try_from(size).unwrap_or(0).saturating_mul(elem.bytes() as u64);
            // Allocations begin at multiples of the widest access.
            let bytes = bytes.checked_next_multiple_of(ACCESS_BITS_MAX / 8).unwrap_or(u64::MAX);
            let start = usage.shared_bytes.checked_next_multiple_of(shared_alignment(ir, op)).unwrap_or(u64::MAX);
            usage.shared_bytes = start.saturating_add(bytes);
            Ok(())
        }
        Leaf::Barrier if opcode == Opcode::NvvmBarrier => {
            let numbers = ir.operands(op).iter().map(|&number| ir.const_int(number));
            let known = numbers.collect::<Option<Vec<i64>>>().is_some_and(
                |numbers| matches!(numbers[..], [number, threads] if (1..16).contains(&number) && threads > 0),
            );
            require(known, "a barrier of some threads has a constant number from 1 to 15, and says how many there are")
        }
        Leaf::Barrier => Ok(()),
        Leaf::Exchange => {
            require(
                matches!(opcode, Opcode::GpuShuffle | Opcode::GpuBallot),
                "it is neither `gpu.shuffle` nor `gpu.ballot`",
            )?;
            let word = is_word(ir, ir.result(op, 0));
            require(word || scalars_only(ir, op), "lanes exchange scalars and words of 32 bits")
        }
        Leaf::Rows => {
            let load = Matrices::of(ir, op).ok_or("its types do not fit together")?;
            require(flat_elem(ir, load.base).is_some(), "memrefs are one-dimensional")
        }
        Leaf::Matrix => {
            let known = Mma::of_op(ir, op).is_some() || Instruction::of_sparse(ir, op).is_some();
            require(known, "no chip has this matrix instruction")
        }
        Leaf::Copy => {
            let [to, to_at, from, from_at, _] = copy_parts(ir, op).ok_or("it has other operands than a copy")?;
            let flat = flat_elem(ir, to[0]).zip(flat_elem(ir, from[0]));
            require(flat.is_some(), "memrefs are one-dimensional")?;
            require(to_at.len() == 1 && from_at.len() == 1, "an address is one index")?;
            require(ir.is_unused(ir.result(op, 0)), "copies are waited for by their groups")
        }
        Leaf::Atomic => {
            let operands = ir.operands(op);
            require(flat_elem(ir, operands[1]).is_some(), "memrefs are one-dimensional")?;
            require(operands.len() == 3, "an address is one index")
        }
        Leaf::SharedProduct => {
            let product = SharedProduct::of(ir, op).ok_or("no chip multiplies these tiles in shared memory")?;
            let rhs = ir.operands(op).len() - 3;
            let tiles = product.lhs.iter().map(|tile| (0, tile)).chain([(rhs, &product.rhs)]);
            for (at, tile) in tiles {
                let alloc = ir.def_op(ir.operand(op, at)).filter(|&op| ir.opcode(op) == Opcode::MemrefAlloc);
                let alloc = alloc.ok_or("its tiles do not lie in memory that the kernel allocates")?;
                let begins = shared_alignment(ir, alloc).is_multiple_of(tile.period().unsigned_abs());
                require(begins, "the memory of a swizzled tile has no `alignment` of eight of its rows")?;
            }
            Ok(())
        }
        Leaf::Group | Leaf::Wait | Leaf::Order => Ok(()),
        Leaf::Check => Ok(()),
        Leaf::Tile => Err("only CPUs have tile registers"),
        Leaf::Hint => {
            let operands = ir.operands(op);
            require(operands.len() == 2, "an address is one index")?;
            require(flat_elem(ir, operands[0]).is_some(), "memrefs are one-dimensional")
        }
        Leaf::Condition => require(scalars_only(ir, op), "regions give scalars"),
        Leaf::Jump => require(scalars_only(ir, op), "jumps pass on scalars"),
    }
}

/// The operands of an asynchronous copy: destination, its indices, source, its indices, and the elements to read.
fn copy_parts(ir: &Ir, op: OpId) -> Option<[&[ValueId]; 5]> {
    let parts: Vec<&[ValueId]> = ir.segments(op).into_iter().collect();
    let parts: [&[ValueId]; 5] = parts.try_into().ok()?;
    (parts[0].len() == 1 && parts[2].len() == 1).then_some(parts)
}

/// The number of bytes that an allocation in shared memory begins at a multiple of: what it states, and at least those of
/// the widest access.
pub fn shared_alignment(ir: &Ir, alloc: OpId) -> u64 {
    let stated = ir.attr(alloc, "alignment").and_then(Attr::as_i64).and_then(|bytes| u64::try_from(bytes).ok());
    stated.filter(|bytes| bytes.is_power_of_two()).unwrap_or(1).max(ACCESS_BITS_MAX / 8)
}

/// Element type and size of a row-major memref of one dimension; no size where only the run knows it.
fn flat_elem(ir: &Ir, value: ValueId) -> Option<(Scalar, Option<i64>)> {
    let Type::MemRef { shape, elem, layout, .. } = ir.ty(value) else { return None };
    let plain = match layout.map(|layout| &ir[layout]) {
        None => true,
        Some(Attr::Strided { offset: 0, strides }) => strides[..] == [1],
        Some(Attr::Map(map)) => map.is_identity(),
        Some(_) => false,
    };
    match shape[..] {
        [size] if plain => Some((Scalar::of(&ir[*elem])?, Some(size).filter(|&size| size >= 0))),
        _ => None,
    }
}

fn is_scalar(ir: &Ir, value: ValueId) -> bool {
    Scalar::of(ir.ty(value)).is_some()
}

fn scalars_only(ir: &Ir, op: OpId) -> bool {
    ir.operands(op).iter().all(|&value| is_scalar(ir, value)) && ir.results(op).all(|value| is_scalar(ir, value))
}

/// One index, elements of the memref, at most one access wide.
fn check_access(ir: &Ir, op: OpId) -> Reason {
    let opcode = ir.opcode(op);
    let operands = ir.operands(op);
    let (value, base, indices) = match opcode {
        Opcode::MemrefLoad | Opcode::VectorLoad => (ir.result(op, 0), operands[0], &operands[1..]),
        Opcode::MemrefStore | Opcode::VectorStore => (operands[0], operands[1], &operands[2..]),
        _ => return Err("memory is accessed by `memref.load`, `memref.store`, `vector.load` and `vector.store`"),
    };
    let (elem, _) = flat_elem(ir, base).ok_or("memrefs are one-dimensional")?;
    require(indices.len() == 1, "an address is one index")?;
    require(Scalar::of(&ir[ir.elem_of(value)]) == Some(elem), "the memref holds another type")?;
    if matches!(opcode, Opcode::MemrefLoad | Opcode::MemrefStore) {
        return require(is_scalar(ir, value), "it moves a scalar");
    }
    require(ir.shape_of(value).len() == 1, "it moves a vector of one dimension")?;
    let bits = elem.bytes() as u64 * 8 * ir.shape_of(value)[0].unsigned_abs();
    require(bits <= ACCESS_BITS_MAX, "an access moves at most 128 bits")?;
    check_vector_use(ir, value)
}

/// A vector goes between memory or a matrix instruction on one side, and its elements on the other.
fn check_pack(ir: &Ir, op: OpId) -> Reason {
    let vector = if ir.opcode(op) == Opcode::VectorFromElements { ir.result(op, 0) } else { ir.operand(op, 0) };
    let elem = Scalar::of(&ir[ir.elem_of(vector)]).ok_or("vectors hold scalars")?;
    let n = ir.shape_of(vector).iter().try_fold(1u64, |acc, &size| acc.checked_mul(size.unsigned_abs()));
    let bits = n.and_then(|n| n.checked_mul(elem.bits().into()));
    let small = bits.is_some_and(|bits| bits <= ACCESS_BITS_MAX);
    require(small || is_matrix_operand(ir, vector), "a vector has at most 128 bits")?;
    check_vector_use(ir, vector)
}

/// Whether a value is several elements that fill a word of 32 bits.
fn is_word(ir: &Ir, value: ValueId) -> bool {
    let bits = Scalar::of(&ir[ir.elem_of(value)]).map(Scalar::bits);
    matches!((bits, ir.shape_of(value)), (Some(8), [4]) | (Some(16), [2]))
}

/// Whether an operation moves words between lanes or chooses one of two.
fn moves_words(ir: &Ir, op: OpId) -> bool {
    matches!(ir.opcode(op), Opcode::GpuShuffle | Opcode::ArithSelect)
}

/// Whether an operation is a loop, which carries words as they are.
fn carries_words(ir: &Ir, op: OpId) -> bool {
    ir.opcode(op) == Opcode::ScfFor
}

/// Whether a vector is an operand or a result of a matrix instruction: those have the widths that they have.
fn is_matrix_operand(ir: &Ir, vector: ValueId) -> bool {
    let made = ir.def_op(vector).is_some_and(|op| ir.class(op) == Class::Matrix);
    made || ir.uses(vector).all(|(user, _)| ir.class(user) == Class::Matrix)
}

fn check_vector_use(ir: &Ir, vector: ValueId) -> Reason {
    let made = match ir.def(vector) {
        Def::Result { op, .. } => {
            let loaded = matches!(ir.opcode(op), Opcode::VectorLoad | Opcode::VectorFromElements);
            loaded || ir.class(op) == Class::Matrix || moves_words(ir, op) || carries_words(ir, op)
        }
        Def::Arg { block, .. } => carries_words(ir, ir.region_parent(ir.block_region(block))),
    };
    let used = ir.uses(vector).all(|(user, _)| {
        let stored = matches!(ir.opcode(user), Opcode::VectorStore | Opcode::VectorToElements);
        let carried = ir.opcode(user) == Opcode::ScfYield || carries_words(ir, user);
        stored || carried || ir.class(user) == Class::Matrix || moves_words(ir, user)
    });
    require(made && used, "a vector goes straight between memory or a matrix instruction and its elements")
}

/// Proof that a function keeps the contract of [`Stage::Lowered`] on a chip. Only [`Lowered::check`] makes one, and
/// emitters ask for it.
pub struct Lowered {
    func: OpId,
    chip: &'static Chip,
    shared_bytes: u32,
    workgroup_size: Option<[u32; 3]>,
}

impl Lowered {
    /// Checks the contract.
    pub fn check(ir: &Ir, func: OpId, chip: &'static Chip) -> Result<Lowered, Diag> {
        let usage = check_lowered(ir, func, chip.native.is_some())?;
        if usage.shared_bytes > chip.shared_bytes_max.into() {
            return Err(limit(ir, func, "bytes of shared memory", usage.shared_bytes, chip.shared_bytes_max, chip)
                .help("choose smaller tiles, or promote fewer operands"));
        }
        let info = ir.attr_id(func, "translation_info");
        let lanes = info.and_then(|info| ir.field(info, "subgroup_size")).and_then(|size| ir[size].as_i64());
        if let Some(why) = lanes.and_then(|lanes| chip.check_subgroup_size(lanes).err()) {
            return Err(not_at(ir, func, Stage::Lowered, &why)
                .help("choose another --target, or change `subgroup_size` in the function's translation_info"));
        }
        let sizes = info.and_then(|info| ir.field(info, "workgroup_size"));
        let mut workgroup_size = None;
        if let Some(sizes) = sizes.and_then(|sizes| ir.ints(sizes)) {
            let at = |dim: usize| sizes.get(dim).copied().unwrap_or(1);
            let extents = [at(0), at(1), at(2)];
            chip.check_workgroup(extents)
                .map_err(|why| Diag::error(Code::OverLimit, ir.span(func), why).help("choose a smaller workgroup"))?;
            let extent = |size: i64| u32::try_from(size).ok().filter(|&size| size > 0);
            let [Some(x), Some(y), Some(z)] = extents.map(extent) else {
                return Err(not_at(ir, func, Stage::Lowered, "`workgroup_size` has sizes above 0"));
            };
            workgroup_size = Some([x, y, z]);
        }
        for op in ir.walk(func) {
            let lanes = if ir.class(op) == Class::Matrix {
                Mma::of_op(ir, op).map(|mma| (mma.name, mma.subgroup_size))
            } else {
                None
            };
            let has = match ir.opcode(op) {
                Opcode::NvgpuLdmatrix => chip.matrix_access != MatrixAccess::None,
                Opcode::NvgpuStmatrix => chip.matrix_access == MatrixAccess::LoadAndStore,
                Opcode::NvgpuDeviceAsyncCopy => chip.async_copies,
                Opcode::NvgpuMmaSpSync => Instruction::of_sparse(ir, op).is_some_and(|row| row.runs_on(chip.name)),
                _ => true,
            };
            if !has {
                let why = match ir.opcode(op) {
                    Opcode::NvgpuDeviceAsyncCopy => "the chip does not copy to shared memory asynchronously",
                    Opcode::NvgpuMmaSpSync => "the chip does not have this matrix instruction",
                    _ => "the chip does not move matrices to or from shared memory",
                };
                return Err(not_at(ir, op, Stage::Lowered, why).label(chip.name));
            }
            if let Some((name, lanes)) = lanes
                && (lanes != chip.subgroup_size || !chip.mmas.contains(&name))
            {
                return Err(not_at(ir, op, Stage::Lowered, "the chip does not have this matrix instruction")
                    .label(format!("{name} on {}", chip.name)));
            }
        }
        let shared_bytes = usage.shared_bytes as u32;
        Ok(Lowered { func, chip, shared_bytes, workgroup_size })
    }

    /// The function.
    pub fn func(&self) -> OpId {
        self.func
    }

    /// The chip.
    pub fn chip(&self) -> &'static Chip {
        self.chip
    }

    /// Bytes of shared memory, with each allocation at a multiple of 16.
    pub fn shared_bytes(&self) -> u32 {
        self.shared_bytes
    }

    /// Threads of a workgroup along x, y and z, where the function says so.
    pub fn workgroup_size(&self) -> Option<[u32; 3]> {
        self.workgroup_size
    }
}

fn limit(ir: &Ir, func: OpId, what: &str, has: u64, most: u32, chip: &Chip) -> Diag {
    let message = format!("the kernel needs {has} {what}, and {} has {most} for a workgroup", chip.name);
    Diag::error(Code::OverLimit, ir.span(func), message)
}
