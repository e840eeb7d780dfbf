//! The instructions of the machine: what a function is decoded into.
//!
//! Operands are registers, control flow is jumps over a stack of masks. Whatever moves elements in a way that is known
//! beforehand (broadcast, transpose, slices) is one instruction with a table.

use num_bigint::BigInt;
use raddle_ir::{OpId, Scalar};
use raddle_layout::cute::Swizzle;
use raddle_target::Mma;

use crate::regs::{Bank, Complex, Reg};
use crate::round::Round;

/// A position in [`Code::insts`].
pub(crate) type Pc = u32;

/// Float functions of one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Float1 {
    Neg,
    Abs,
    Exp,
    Exp2,
    Log,
    Log2,
    Sqrt,
    Rsqrt,
    Tanh,
    Erf,
    Sin,
    Cos,
    Floor,
    Ceil,
    Acos,
    Acosh,
    Asin,
    Asinh,
    Atan,
    Atanh,
    Cbrt,
    Cosh,
    Erfc,
    ExpM1,
    Log10,
    Log1p,
    Round,
    RoundEven,
    Sinh,
    Tan,
    Trunc,
}

/// Float functions of two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Float2 {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Maximum,
    Minimum,
    MaxNum,
    MinNum,
    Pow,
    Atan2,
    CopySign,
}

/// Questions about a float.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Test {
    Finite,
    Infinite,
    NaN,
    Normal,
}

/// Integer functions of one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Int1 {
    Abs,
    LeadingZeros,
    TrailingZeros,
    Ones,
}

/// Integer functions of two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Int2 {
    Add,
    Sub,
    Mul,
    DivS,
    DivU,
    CeilDivS,
    CeilDivU,
    FloorDivS,
    RemS,
    RemU,
    /// Never negative.
    ModE,
    And,
    Or,
    Xor,
    Shl,
    ShrS,
    ShrU,
    MaxS,
    MaxU,
    MinS,
    MinU,
    /// The upper half of a product.
    HighS,
    HighU,
    /// Whether an unsigned sum does not fit.
    Carry,
    Power,
}

/// How values are combined by reductions of any kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Combine {
    Float(Float2, Round),
    Int(Int2, u32),
}

impl Combine {
    fn weight(self) -> u64 {
        match self {
            Combine::Float(Float2::Pow | Float2::Rem, round) => 256 + round.weight(),
            Combine::Float(_, round) => round.weight(),
            Combine::Int(..) => 1,
        }
    }
}

/// An index that is a register or a number.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Index {
    Known(i64),
    Reg(Reg),
}

/// One instruction.
#[derive(Debug)]
pub(crate) enum Inst {
    Float1 {
        op: Float1,
        dst: Reg,
        a: Reg,
        round: Round,
    },
    Float2 {
        op: Float2,
        dst: Reg,
        a: Reg,
        b: Reg,
        round: Round,
    },
    Fma {
        dst: Reg,
        a: Reg,
        b: Reg,
        c: Reg,
        round: Round,
    },
    Int2 {
        op: Int2,
        dst: Reg,
        a: Reg,
        b: Reg,
        width: u32,
    },
    Int1 {
        op: Int1,
        dst: Reg,
        a: Reg,
        width: u32,
    },
    /// `a` to an integer power, by repeated squaring.
    PowI {
        dst: Reg,
        a: Reg,
        b: Reg,
        round: Round,
    },
    Complex(ComplexInst),
    Test {
        test: Test,
        dst: Reg,
        a: Reg,
        /// The smallest normal number of the type.
        least_normal: f64,
    },
    CmpI {
        predicate: u8,
        dst: Reg,
        a: Reg,
        b: Reg,
        width: u32,
    },
    CmpF {
        predicate: u8,
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Select {
        dst: Reg,
        cond: Reg,
        a: Reg,
        b: Reg,
    },
    FloatCast {
        dst: Reg,
        a: Reg,
        round: Round,
    },
    IntCast {
        dst: Reg,
        a: Reg,
        signed: bool,
        from: u32,
        to: u32,
    },
    IntToFloat {
        dst: Reg,
        a: Reg,
        signed: bool,
        width: u32,
        round: Round,
    },
    FloatToInt {
        dst: Reg,
        a: Reg,
        signed: bool,
        width: u32,
    },
    Bitcast {
        dst: Reg,
        a: Reg,
        from: Scalar,
        to: Scalar,
    },

    /// `dst[i] = src[table[i]]`
    Gather {
        dst: Reg,
        src: Reg,
        table: Box<[u32]>,
    },
    /// `dst = into`, then `dst[table[i]] = src[i]`
    Place {
        dst: Reg,
        src: Reg,
        into: Reg,
        table: Box<[u32]>,
    },
    /// The part of `src` at a position that is known only now.
    Extract {
        dst: Reg,
        src: Reg,
        at: Box<[Digit]>,
    },
    /// `into` with `src` at a position that is known only now.
    Insert {
        dst: Reg,
        src: Reg,
        into: Reg,
        at: Box<[Digit]>,
    },
    /// One register out of many, side by side.
    Collect {
        dst: Reg,
        parts: Box<[Reg]>,
    },
    /// Many registers out of one.
    Spread {
        src: Reg,
        parts: Box<[Reg]>,
    },
    /// `dst = acc`, then `dst[table[i]] = combine(dst[table[i]], src[i])`, in order.
    Reduce {
        dst: Reg,
        src: Reg,
        acc: Reg,
        table: Box<[u32]>,
        combine: Combine,
    },
    /// Combines along one dimension, keeping every partial result.
    Scan(Box<Scan>),
    ArgCompare(Box<ArgCompare>),
    Contract(Box<Contract>),
    CreateMask {
        dst: Reg,
        bounds: Box<[Index]>,
        shape: Box<[i64]>,
    },
    Nest(Box<Nest>),
    Whole(Box<Whole>),
    ExtractSlice(Box<Slice>),
    InsertSlice(Box<Slice>),

    Load {
        dst: Reg,
        view: Reg,
        at: Box<[Reg]>,
    },
    Store {
        src: Reg,
        view: Reg,
        at: Box<[Reg]>,
    },
    Read(Box<Transfer>),
    Write(Box<Transfer>),
    SubView(Box<SubView>),
    Regroup(Box<Regroup>),
    Permute {
        dst: Reg,
        base: Reg,
        order: Box<[usize]>,
    },
    /// Offset, sizes and strides in the whole buffer.
    Recast(Box<SubView>),
    Extent {
        dst: Reg,
        view: Reg,
        dim: usize,
    },
    Alloc {
        dst: Reg,
        site: u32,
        shape: Box<[Index]>,
    },
    Alloca {
        dst: Reg,
        site: u32,
        shape: Box<[Index]>,
    },
    /// Behind this nobody uses the allocation.
    Dealloc {
        view: Reg,
    },

    /// All at once, for the lanes that are on.
    Move(Box<[Move]>),
    /// Opens a loop: lanes whose `iv` is below `ub` go in; without any, go to `exit`. An iteration uses up at least
    /// `least` of the fuel.
    LoopBegin {
        iv: Reg,
        ub: Reg,
        step: Reg,
        exit: Pc,
        least: u64,
    },
    /// Next iteration: lanes that have one go back to `body`.
    LoopEnd {
        iv: Reg,
        ub: Reg,
        step: Reg,
        body: Pc,
    },
    If {
        cond: Reg,
        otherwise: Pc,
    },
    Else {
        end: Pc,
    },
    EndIf,
    /// Opens a loop that tests a condition.
    WhileBegin,
    /// Lanes whose condition holds go on; without any, go to `exit`.
    WhileTest {
        cond: Reg,
        exit: Pc,
    },
    Jump {
        to: Pc,
    },
    /// Opens a region of `n` blocks; all lanes go to the first.
    FlowBegin {
        n: usize,
    },
    /// These lanes wait at the beginning of a block.
    Arrive {
        block: usize,
    },
    /// The first block at which lanes wait is next. Blocks stand in an order in which every loop ends before what
    /// follows it begins, so that lanes meet again as early as the program allows. The last entry is the end.
    FlowNext {
        starts: Box<[Pc]>,
    },
    /// `index` is from 0 on and below `extent` in all lanes that are on.
    CheckIndex {
        index: Reg,
        extent: Reg,
        dim: u32,
    },
    /// `cond` holds in all lanes that are on.
    Assert {
        cond: Reg,
        message: Box<str>,
    },
    Unreachable,
    Barrier(Fences),
    Shuffle {
        mode: Shuffle,
        dst: Reg,
        valid: Reg,
        src: Reg,
        offset: Reg,
        width: Reg,
    },
    LaneScan(Box<LaneScan>),
    /// What a bit is in other lanes: a word with theirs, or whether it is set in any or all.
    Vote {
        ballot: Vote,
        dst: Reg,
        src: Reg,
        /// A word with the lanes that take part; all if missing.
        lanes: Option<Reg>,
    },
    /// One lane's value in all lanes; the first one's that is on if missing.
    Broadcast {
        dst: Reg,
        src: Reg,
        from: Option<Reg>,
    },
    /// A barrier of so many threads; all if missing. Who does not wait only comes.
    NamedBarrier {
        id: Reg,
        threads: Option<Reg>,
        waits: bool,
        fences: Fences,
    },
    /// What the subgroup has done to memory is before what it will do.
    SubgroupBarrier(Fences),
    Atomic(Box<Atomic>),
    AsyncCopy(Box<AsyncCopy>),
    PhaseBarrier(Box<PhaseBarrier>),
    AsyncCommit,
    /// Until at most so many groups are on their way.
    AsyncWait {
        left: u32,
    },
    SubgroupReduce {
        dst: Reg,
        src: Reg,
        combine: Combine,
        size: u32,
        stride: u32,
    },
    Mma(Box<MmaInst>),
    SharedProduct(Box<SharedProductInst>),
    /// Rows of 16 bytes that lanes name, dealt out to all lanes or collected from them.
    Matrices {
        vector: Reg,
        view: Reg,
        at: Box<[Reg]>,
        n_tiles: u32,
        transposed: bool,
        stores: bool,
    },
    Intrinsic(Box<Intrinsic>),
    Return,
}

/// Whose accesses before a barrier are before those behind it: those to global memory, and to that of the workgroup.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Fences {
    pub global: bool,
    pub shared: bool,
}

impl Fences {
    pub(crate) const ALL: Fences = Fences { global: true, shared: true };
}

/// One digit of a dynamic position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Digit {
    pub index: Index,
    pub extent: i64,
    /// In elements.
    pub stride: i64,
}

/// One register's way into another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Move {
    pub dst: Reg,
    pub src: Reg,
    /// Nothing reads the source before it is computed again: the two may change places.
    pub swap: bool,
}

/// Where a shuffle takes its value from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shuffle {
    Xor,
    Idx,
    Up,
    Down,
}

/// `dst[b, m, n] = acc[b, m, n] + sum over k of lhs[b, m, k] * rhs[b, k, n]`, with tables from the dense forms to the
/// operands' elements.
#[derive(Debug)]
pub(crate) struct Contract {
    pub dst: Reg,
    pub lhs: Reg,
    pub rhs: Reg,
    pub acc: Reg,
    pub lhs_table: Box<[u32]>,
    pub rhs_table: Box<[u32]>,
    pub acc_table: Box<[u32]>,
    /// batch, m, n, k
    pub extents: [usize; 4],
    pub multiply: Combine,
    pub combine: Combine,
}

/// Partial results over the lanes of each cluster.
#[derive(Debug)]
pub(crate) struct LaneScan {
    pub dst: Reg,
    pub total: Reg,
    pub src: Reg,
    /// What an exclusive scan begins with.
    pub init: Option<Reg>,
    pub size: u32,
    pub stride: u32,
    pub joint: Joint,
}

/// A question about a bit of every lane.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Vote {
    Ballot,
    Any,
    All,
    /// The same everywhere.
    Uniform,
}

/// How two numbers become one.
#[derive(Debug)]
pub(crate) enum Joint {
    Combine(Combine),
    Body(Box<Body>),
}

/// An element that is read and written at once.
#[derive(Debug)]
pub(crate) struct Atomic {
    /// What was there before.
    pub dst: Reg,
    pub view: Reg,
    pub at: Box<[Reg]>,
    pub update: Update,
    /// Whether the thread looks at what was there before.
    pub acquires: bool,
}

/// What becomes of an element.
#[derive(Debug)]
pub(crate) enum Update {
    /// It is combined with a value.
    Combine(Combine, Reg),
    /// A value takes its place.
    Assign(Reg),
    /// What a region makes of it.
    Body(Box<Body>),
}

/// A copy from one memory to another that goes on by itself. What its source masks becomes zero.
#[derive(Debug)]
pub(crate) struct AsyncCopy {
    pub from: Transfer,
    pub to: Transfer,
    pub bank: Bank,
    /// The destination is the first lane's, and the lanes' elements lie there side by side.
    pub side_by_side: bool,
    /// It is done when the next instruction begins.
    pub at_once: bool,
    /// The barrier that counts its bytes, instead of a group of the thread's: where it is, and its number.
    pub barrier: Option<(Reg, Reg)>,
}

/// A step at a barrier that counts arrivals and bytes in phases.
#[derive(Debug)]
pub(crate) struct PhaseBarrier {
    pub view: Reg,
    pub at: Reg,
    pub step: PhaseStep,
}

/// What a thread does at such a barrier.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PhaseStep {
    /// Makes it, for so many arrivals in each phase.
    Make { count: Reg },
    /// Comes so often, once if missing, and lets the phase expect so many bytes; the token names the phase.
    Arrive { times: Option<Reg>, bytes: Option<Reg>, token: Option<Reg> },
    /// Waits until a phase of this parity has ended.
    Wait { parity: Reg },
    /// Asks whether a phase has ended.
    Ask { token: Reg, dst: Reg },
}

/// Partial results along the middle one of three dimensions.
#[derive(Debug)]
pub(crate) struct Scan {
    pub dst: Reg,
    /// The last partial result.
    pub total: Reg,
    pub src: Reg,
    /// What an exclusive scan begins with.
    pub init: Option<Reg>,
    pub shape: [usize; 3],
    pub combine: Combine,
}

/// The element that wins every comparison along the middle one of three dimensions, and its index.
#[derive(Debug)]
pub(crate) struct ArgCompare {
    /// Value and index.
    pub dsts: [Reg; 2],
    pub value: Reg,
    /// Which elements take part; all if missing.
    pub mask: Option<Reg>,
    /// The elements' indices; their positions if missing.
    pub index: Option<Reg>,
    pub inits: [Reg; 2],
    /// What is added to a position.
    pub base: Option<Reg>,
    pub shape: [usize; 3],
    /// Bits of an index.
    pub width: u32,
    /// Whether its first argument beats the second.
    pub body: Body,
}

/// An operation on whole tensors, with places or an order that are known only when it runs. Shapes of three dimensions
/// have the one that counts in the middle.
#[derive(Debug)]
pub(crate) enum Whole {
    /// `dst[i] = src[coords[i]]`; what is outside, or where the mask is off, is `otherwise[i]`, or a fault without one.
    Fetch { dst: Reg, src: Reg, coords: Vec<Reg>, shape: Vec<i64>, mask: Option<Reg>, otherwise: Option<Reg> },
    /// `dst = into`, then `dst[coords[i]] = src[i]`, or what the body makes of the two, in order, where the mask is on.
    /// A place outside is an error if it is not dropped.
    Deal {
        dst: Reg,
        into: Reg,
        src: Reg,
        coords: Vec<Reg>,
        shape: Vec<i64>,
        mask: Option<Reg>,
        drops: bool,
        body: Option<Body>,
    },
    /// Every operand in the order that the body asks for.
    Sort { dsts: Vec<Reg>, srcs: Vec<Reg>, shape: [usize; 3], body: Body },
    /// The best `k` values and their indices, their positions if missing.
    Best { dsts: [Reg; 2], values: Reg, indices: Option<Reg>, inits: [Reg; 2], shape: [usize; 3], k: usize, body: Body },
    /// Partial results, and the last ones.
    Scan { dst: Reg, total: Reg, src: Reg, init: Reg, shape: [usize; 3], inclusive: bool, body: Body },
}

impl Whole {
    /// The registers of the function, and the body.
    pub(crate) fn parts_mut(&mut self) -> (Vec<&mut Reg>, Option<&mut Body>) {
        match self {
            Whole::Fetch { dst, src, coords, mask, otherwise, .. } => {
                ([dst, src].into_iter().chain(coords).chain(mask).chain(otherwise).collect(), None)
            }
            Whole::Deal { dst, into, src, coords, mask, body, .. } => {
                ([dst, into, src].into_iter().chain(coords).chain(mask).collect(), body.as_mut())
            }
            Whole::Sort { dsts, srcs, body, .. } => (dsts.iter_mut().chain(srcs).collect(), Some(body)),
            Whole::Best { dsts, values, indices, inits, body, .. } => {
                (dsts.iter_mut().chain([values]).chain(indices).chain(inits).collect(), Some(body))
            }
            Whole::Scan { dst, total, src, init, body, .. } => (vec![dst, total, src, init], Some(body)),
        }
    }
}

/// A region that is called on one number from each of its operands, on many such at once.
#[derive(Debug)]
pub(crate) struct Body {
    pub args: Vec<Reg>,
    pub yielded: Vec<Reg>,
    /// Registers of the function that the body uses: outer, inner.
    pub captures: Vec<(Reg, Reg)>,
    /// How many lanes the code has.
    pub width: usize,
    pub code: Code,
}

/// A `linalg` operation on tensors: a body for each point of an iteration space.
///
/// The body is code of its own whose lanes are neighbouring points along one parallel loop.
#[derive(Debug)]
pub(crate) struct Nest {
    pub extents: Vec<i64>,
    /// The loop that lies along the body's lanes; its extent is cut into chunks of `width`.
    pub along: Option<usize>,
    pub width: usize,
    pub inputs: Vec<NestOperand>,
    pub outputs: Vec<NestOutput>,
    /// Registers of the function that the body uses: outer, inner.
    pub captures: Vec<(Reg, Reg)>,
    pub body: Code,
}

/// One operand of a nest.
#[derive(Debug)]
pub(crate) struct NestOperand {
    /// The tensor or scalar.
    pub reg: Reg,
    /// Where the body finds its element.
    pub inner: Reg,
    pub address: Address,
}

/// One result of a nest.
#[derive(Debug)]
pub(crate) struct NestOutput {
    pub operand: NestOperand,
    pub dst: Reg,
    /// The body's register with the new element.
    pub yielded: Reg,
}

/// From a point of an iteration space to an element.
#[derive(Debug)]
pub(crate) enum Address {
    /// `first + sum of coefficients[d] * point[d]`
    Linear { first: i64, coefficients: Vec<i64> },
    /// Any affine map, with the operand's extents.
    Map { map: raddle_ir::Map, shape: Vec<i64> },
}

/// A part of a tensor.
#[derive(Debug)]
pub(crate) struct Slice {
    pub dst: Reg,
    pub base: Reg,
    /// What is put in, for an insertion.
    pub value: Option<Reg>,
    pub base_shape: Vec<i64>,
    pub offsets: Vec<Index>,
    pub sizes: Vec<i64>,
    pub strides: Vec<Index>,
}

/// `memref.subview`
#[derive(Debug)]
pub(crate) struct SubView {
    /// The elements' type, where a buffer of bytes is seen as such: then the offset counts bytes.
    pub elem: Option<Scalar>,
    pub dst: Reg,
    pub base: Reg,
    pub offsets: Vec<Index>,
    pub sizes: Vec<Index>,
    pub strides: Vec<Index>,
    /// Which dimensions of the base the result keeps.
    pub kept: Vec<usize>,
}

/// Dimensions joined into one, or one cut into several.
#[derive(Debug)]
pub(crate) struct Regroup {
    pub dst: Reg,
    pub base: Reg,
    /// How many of the many dimensions make each of the few.
    pub counts: Vec<usize>,
    /// The extents, where dimensions are cut.
    pub sizes: Option<Vec<Index>>,
}

/// A read or write of a vector.
#[derive(Debug)]
pub(crate) struct Transfer {
    /// The result of a read; the new tensor of a write to a tensor.
    pub dst: Option<Reg>,
    /// The vector that is written.
    pub src: Option<Reg>,
    /// A memref, or a tensor with `tensor_shape`.
    pub base: Reg,
    pub tensor_shape: Option<Vec<i64>>,
    pub indices: Vec<Reg>,
    pub padding: Option<Reg>,
    pub mask: Option<Reg>,
    /// For each element, its bit of the mask; empty without one.
    pub mask_table: Box<[u32]>,
    /// For each element and dimension of the base, the distance from the origin.
    pub deltas: Box<[i64]>,
    /// The largest of them for each dimension.
    pub reach: Vec<i64>,
    /// What is added along dimensions of the base for each element: dimension, vector of indices, table into it.
    pub gathered: Vec<(usize, Reg, Box<[u32]>)>,
    /// Only elements that the mask selects take a place in memory, side by side.
    pub packed: bool,
    /// For each dimension of the base, whether leaving it is an error.
    pub strict: Vec<bool>,
    /// Bytes that the address must be a multiple of.
    pub align: usize,
    /// Elements of the vector.
    pub n: usize,
}

/// A matrix instruction with its fragments as tables.
#[derive(Debug)]
pub(crate) struct MmaInst {
    pub mma: &'static Mma,
    pub dst: Reg,
    pub operands: [Reg; 3],
    /// For each element of A, B and C, row-major: slot * lanes + lane.
    pub tables: [Box<[u32]>; 3],
    /// Places that hold one element twice.
    pub duplicates: [Box<[(u32, u32)]>; 3],
    pub round: Round,
}

/// A product of tiles in shared memory. Each of the four subgroups computes its own rows.
#[derive(Debug)]
pub(crate) struct SharedProductInst {
    pub dst: Reg,
    pub acc: Reg,
    /// Columns of C, and elements of k.
    pub n: usize,
    pub k: usize,
    pub lhs: GroupFactor,
    pub rhs: SharedFactor,
    /// For each element of a subgroup's part of C, row-major: slot * lanes + lane.
    pub table: Box<[u32]>,
    pub round: Round,
}

/// The left factor of a product in shared memory.
#[derive(Debug)]
pub(crate) enum GroupFactor {
    /// All 64 rows.
    Shared(SharedFactor),
    /// Each element of a subgroup's 16 rows, row-major: slot * lanes + lane.
    Registers(Reg, Box<[u32]>),
}

/// A tile in shared memory.
#[derive(Debug)]
pub(crate) struct SharedFactor {
    pub view: Reg,
    /// Where it begins, in elements.
    pub at: Reg,
    /// For each element, row-major, how far it is from there before the swizzle.
    pub places: Box<[i64]>,
    pub swizzle: Option<Swizzle>,
    /// Elements of 16 bytes: it begins at a multiple of these.
    pub unit: i64,
}

/// Where a factor of a matrix instruction is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Source {
    Register(Reg),
    /// A view of shared memory.
    Shared(Reg),
}

/// Factors that blocks along k share.
#[derive(Debug)]
pub(crate) struct Scales {
    /// Elements of k for each.
    pub block: usize,
    /// Those of A and of B.
    pub regs: [Reg; 2],
    /// For each subgroup that takes part, where they are.
    pub held: Vec<[Held; 2]>,
}

/// Where the elements of an operand are.
#[derive(Clone, Default, Debug)]
pub(crate) struct Held {
    /// For each element, row-major, slot * lanes + lane.
    pub table: Box<[u32]>,
    /// Places that hold one element twice.
    pub duplicates: Box<[(u32, u32)]>,
}

/// What takes the place of multiplication.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Product {
    Multiply,
    Xor,
    And,
}

/// Which of four along k the stored elements of a sparse factor are.
#[derive(Debug)]
pub(crate) struct Places {
    /// A number beside each element of the factor; or words of metadata in halves, of which some lanes have those that count.
    pub reg: Reg,
    /// Of metadata: for each two elements, the lane and the first of their four bits.
    pub bits: Box<[(usize, u32)]>,
}

/// Any matrix instruction of the catalogue.
#[derive(Debug)]
pub(crate) struct Intrinsic {
    pub dst: Reg,
    pub acc: Reg,
    pub factors: [Source; 2],
    /// blocks, m, n, k
    pub extents: [usize; 4],
    /// For each subgroup that takes part, where A, B and C are.
    pub held: Vec<[Held; 3]>,
    /// Where A holds two of each four elements along k: which of the four each is.
    pub places: Option<Places>,
    pub scales: Option<Scales>,
    pub product: Product,
    /// Bits of integers that count; all where numbers are signed.
    pub masks: [i64; 2],
    /// Whether factors count to 19 bits only.
    pub tf32: [bool; 2],
    pub round: Round,
}

/// A part of a complex number, or a number that belongs to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ComplexPart {
    Re,
    Im,
    Abs,
    Angle,
}

/// A function of one complex number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Complex1 {
    Neg,
    Conj,
    Exp,
    Expm1,
    Log,
    Log1p,
    Sqrt,
    Rsqrt,
    Sin,
    Cos,
    Tan,
    Tanh,
    Sign,
}

/// A function of two complex numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Complex2 {
    Add,
    Sub,
    Mul,
    Div,
    Pow,
    Atan2,
}

/// What an instruction on complex numbers does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ComplexOp {
    /// Of two floats.
    Create,
    Part(ComplexPart),
    Unary(Complex1),
    Binary(Complex2),
    /// To an integer power.
    PowI,
    /// Whether two numbers are equal, or not.
    Equal(bool),
    /// Both parts as one number of this type, the real one in the lower bits.
    ToBits(Scalar),
    OfBits(Scalar),
}

/// `dst = op(a, b)`; an operation of one operand has it twice.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ComplexInst {
    pub op: ComplexOp,
    pub dst: Reg,
    pub a: Reg,
    pub b: Reg,
    /// The type of the parts.
    pub part: Scalar,
    /// Whether results are kept as `f64`.
    pub wide: bool,
}

impl ComplexInst {
    fn weight(&self) -> u64 {
        match self.op {
            ComplexOp::Create | ComplexOp::Part(ComplexPart::Re | ComplexPart::Im) | ComplexOp::Equal(_) => 1,
            ComplexOp::Unary(Complex1::Neg | Complex1::Conj) => 2,
            ComplexOp::Binary(Complex2::Add | Complex2::Sub | Complex2::Mul) => 4,
            ComplexOp::ToBits(_) | ComplexOp::OfBits(_) => 32,
            ComplexOp::Part(_) | ComplexOp::Unary(_) | ComplexOp::Binary(_) | ComplexOp::PowI => 256,
        }
    }
}

/// A register that has the same contents from the start.
#[derive(Debug)]
pub(crate) enum Known {
    Float(f64),
    Int(i64),
    Floats(Vec<f64>),
    Ints(Vec<i64>),
    Wide(BigInt),
    Wides(Vec<BigInt>),
    /// One for all elements, or one for each.
    Complexes(Vec<Complex>),
    /// The thread's place along a dimension of the workgroup: threads with neighbouring places are `stride` apart.
    Thread {
        stride: i64,
        extent: i64,
    },
    Lane,
    Subgroup,
    /// Set for each workgroup.
    Block(usize),
    /// Set by the nest for each chunk.
    Loop(usize),
}

/// An allocation in the program.
#[derive(Debug)]
pub(crate) struct Site {
    pub op: OpId,
    pub elem: Scalar,
    pub bank: Bank,
}

/// Fuel that starting a subgroup uses up.
pub(crate) const START: u64 = 256;

/// What products, quotients and powers of long numbers take beside one pass over their words.
fn wide_weight(op: Int2, width: u32) -> u64 {
    let words = u64::from(width.div_ceil(64));
    match op {
        Int2::Power => words * u64::from(width),
        _ => words,
    }
}

impl Inst {
    /// Fuel besides that of the lanes, since finding out what to do takes time too.
    pub(crate) fn overhead(&self) -> u64 {
        match self {
            Inst::Load { .. } | Inst::Store { .. } | Inst::Read(_) | Inst::Write(_) | Inst::Alloca { .. } => 96,
            Inst::Matrices { .. } => 96,
            Inst::AsyncCopy(_) | Inst::Atomic(_) | Inst::PhaseBarrier(_) | Inst::AsyncWait { .. } => 128,
            Inst::Barrier(_) | Inst::NamedBarrier { .. } | Inst::Nest(_) => 128,
            Inst::LoopBegin { .. } | Inst::If { .. } | Inst::Mma(_) | Inst::Intrinsic(_) | Inst::Contract(_) => 64,
            Inst::SharedProduct(_) => 512,
            _ => 32,
        }
    }

    /// Fuel for one operation on one element: about what it takes, in additions of one lane.
    pub(crate) fn weight(&self) -> u64 {
        match self {
            Inst::Float1 { op: Float1::Neg | Float1::Abs | Float1::Sqrt | Float1::Floor | Float1::Ceil, .. } => 1,
            Inst::Float1 { .. } => 64,
            Inst::Float2 { op: Float2::Pow | Float2::Rem | Float2::Atan2, .. } | Inst::PowI { .. } => 256,
            Inst::Int1 { .. } | Inst::Test { .. } => 2,
            Inst::Complex(inst) => inst.weight(),
            Inst::Float2 { round, .. } | Inst::Fma { round, .. } => round.weight(),
            Inst::CmpI { .. } | Inst::CmpF { .. } | Inst::Select { .. } => 1,
            Inst::Int2 { op: Int2::Mul, width, .. } => wide_weight(Int2::Mul, *width),
            Inst::Int2 { op: Int2::Add | Int2::Sub | Int2::And | Int2::Or | Int2::Xor, .. } => 1,
            Inst::Int2 { op: Int2::Shl | Int2::ShrS | Int2::ShrU, .. } => 2,
            Inst::Int2 { op: Int2::MaxS | Int2::MaxU | Int2::MinS | Int2::MinU, .. } => 2,
            // Divisions and remainders.
            Inst::Int2 { op, width, .. } => 12 * wide_weight(*op, *width),
            Inst::FloatCast { round, .. } | Inst::IntToFloat { round, .. } => 2 * round.weight(),
            Inst::IntCast { .. } | Inst::FloatToInt { .. } => 2,
            Inst::Bitcast { .. } | Inst::CreateMask { .. } | Inst::Extract { .. } | Inst::Insert { .. } => 8,
            Inst::Gather { .. } | Inst::Place { .. } | Inst::Collect { .. } | Inst::Spread { .. } => 1,
            Inst::Contract(contract) => contract.multiply.weight() + contract.combine.weight() - 1,
            Inst::Reduce { combine, .. } => 2 * combine.weight(),
            Inst::Scan(scan) => 2 * scan.combine.weight(),
            // The body is paid for by itself.
            Inst::ArgCompare(_) | Inst::Whole(_) => 4,
            Inst::Mma(mma) => mma.round.weight(),
            Inst::SharedProduct(inst) => inst.round.weight(),
            Inst::Intrinsic(inst) => 4 * inst.round.weight(),
            Inst::Move(_) => 1,
            // The body is paid for by itself.
            Inst::Nest(_) => 2,
            Inst::ExtractSlice(_) | Inst::InsertSlice(_) => 1,
            Inst::Load { .. } | Inst::Store { .. } | Inst::Read(_) | Inst::Write(_) => 8,
            Inst::Matrices { .. } => 8,
            Inst::Regroup(_) | Inst::Permute { .. } | Inst::Recast(_) | Inst::Extent { .. } => 8,
            Inst::Assert { .. } | Inst::CheckIndex { .. } => 1,
            Inst::Unreachable => 0,
            Inst::SubView(_) | Inst::Alloc { .. } | Inst::Alloca { .. } => 8,
            Inst::Shuffle { .. } | Inst::SubgroupReduce { .. } | Inst::Broadcast { .. } | Inst::Vote { .. } => 4,
            Inst::LaneScan(_) | Inst::Atomic(_) | Inst::PhaseBarrier(_) => 32,
            Inst::AsyncCopy(_) => 16,
            Inst::AsyncCommit | Inst::AsyncWait { .. } | Inst::Dealloc { .. } => 4,
            Inst::NamedBarrier { .. } => 0,
            Inst::LoopBegin { .. } | Inst::LoopEnd { .. } | Inst::If { .. } | Inst::Else { .. } => 4,
            Inst::WhileTest { .. } | Inst::FlowNext { .. } | Inst::Arrive { .. } => 4,
            Inst::WhileBegin | Inst::Jump { .. } | Inst::FlowBegin { .. } => 0,
            Inst::EndIf | Inst::Barrier(_) | Inst::SubgroupBarrier(_) | Inst::Return => 0,
        }
    }
}

/// A decoded function or body.
#[derive(Debug, Default)]
pub(crate) struct Code {
    pub insts: Vec<Inst>,
    /// The operation that each instruction stands for.
    pub ops: Vec<OpId>,
    /// Lane-operations that each instruction counts for every lane that is on.
    pub costs: Vec<u64>,
    /// Fuel that each instruction uses up.
    pub fuel: Vec<u64>,
    /// Fuel that a subgroup uses up at least, whatever way it takes.
    pub least: u64,
    /// Elements of every register, for each bank.
    pub sizes: [Vec<u32>; 6],
    pub known: Vec<(Reg, Known)>,
    pub args: Vec<Reg>,
    pub results: Vec<Reg>,
    pub shared: Vec<Site>,
    /// Bytes of shared memory; they are known beforehand in programs of single lanes.
    pub shared_bytes: u64,
    pub private: Vec<Site>,
    /// Whether there are barriers that some subgroups may pass without the others.
    pub partial: bool,
    /// Whether there are barriers that order the accesses to some memory only.
    pub fenced: bool,
    /// Whether an element that several workgroups write may be right.
    pub atomic: bool,
    /// For each memref argument, whether the program may write to it.
    pub written: Vec<bool>,
    /// Memref arguments that lie in the memory of another one, with that one.
    pub in_place: Vec<(usize, usize)>,
    /// Bytes that registers and tables take.
    pub bytes: usize,
}

impl Code {
    /// The number of the buffer that a memref argument is in.
    pub(crate) fn memory_of(&self, argument: usize) -> usize {
        self.in_place.iter().find(|(arg, _)| *arg == argument).map_or(argument, |(_, other)| *other)
    }

    /// Whether the order of accesses is more than a line of barriers.
    pub(crate) fn is_careful(&self) -> bool {
        self.partial || self.atomic
    }
}
