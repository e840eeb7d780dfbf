//! Decoded programs: instructions over rows of registers, in one dense array.

use std::collections::BTreeMap;
use std::ops::Range;

use raddle_ir::Span;

use super::ast::Place;
use super::float::Format;
use super::fragments::FragmentMma;
use super::group::GroupMma;
use super::lane::{Lanes, SOURCES};
use super::matrix::Mma;
use super::matrix_rows::MoveRows;
use super::types::Ty;

/// Where everything ends: the join of paths that do not meet again.
pub(super) const END: u32 = u32::MAX;

/// What becomes of an element of memory, from what is there and two operands.
pub(super) type Update = Box<dyn Fn(u64, u64, u64) -> u64 + Send + Sync>;

/// A kernel, ready to run.
pub(super) struct Program {
    pub insts: Vec<Inst>,
    /// What is called rather than inlined.
    pub routines: Vec<Routine>,
    /// The row with the end of each thread's stack, if there is one.
    pub stack: Option<u32>,
    /// Rows of registers of a warp.
    pub rows: usize,
    /// Bits of the register in each row.
    pub widths: Vec<u32>,
    /// Rows that hold a number in every lane.
    pub constants: Vec<(u32, u64)>,
    /// Rows that hold what the launch says.
    pub specials: Vec<(u32, Special)>,
    pub params: Vec<Param>,
    /// Bytes of all parameters.
    pub param_bytes: usize,
    /// Variables outside functions: name, contents, whether nobody may write it.
    pub variables: Vec<(String, Vec<u8>, bool)>,
    /// Bytes of each thread's local memory.
    pub local_bytes: usize,
    /// Bytes of shared memory before those that the launch adds.
    pub shared_bytes: usize,
    /// Source lines; the first stands for none.
    pub places: Vec<Place>,
    pub files: BTreeMap<u64, String>,
    /// Shared memory of the system.
    pub system: Range<usize>,
    /// Whether it uses shared memory that the launch adds.
    pub is_dynamic: bool,
    /// `.reqntid`, if the kernel states it.
    pub workgroup: Option<[u32; 3]>,
    /// `.maxntid`: no more threads than that.
    pub workgroup_max: Option<[u32; 3]>,
    /// `.reqnctapercluster`.
    pub cluster: Option<[u32; 3]>,
    /// Whether strong accesses carry what was written before them: there are fences.
    pub has_fences: bool,
}

/// A function that may call itself.
pub(super) struct Routine {
    pub name: String,
    pub entry: u32,
    /// The row with the start of an activation's memory.
    pub frame: u32,
    /// The rows that it uses, which each activation has for itself.
    pub rows: [Range<u32>; 2],
    /// Bytes of an activation's memory.
    pub bytes: u64,
}

/// A call of a routine.
pub(super) struct Call {
    pub routine: u32,
    /// The routine that calls.
    pub caller: Option<u32>,
    /// Registers and memory that are passed, to rows and to places in the new activation's memory.
    pub rows: Vec<(u32, u32)>,
    pub copies: Vec<(Address, u64, usize)>,
    /// The same for results, from the rows of the routine and from its memory.
    pub rows_back: Vec<(u32, u32)>,
    pub copies_back: Vec<(Address, u64, usize)>,
}

/// A parameter of the kernel.
pub(super) struct Param {
    pub name: String,
    /// How it is declared: `u64`, `b8[16]`.
    pub ty: String,
    pub offset: usize,
    pub bytes: usize,
}

/// One instruction.
pub(super) struct Inst {
    pub op: Op,
    /// A row of predicates, and whether it is negated.
    pub guard: Option<(u32, bool)>,
    pub span: Span,
    /// The source line by `.loc`: which of the program's, or none.
    pub place: u32,
    /// The float, or the pair of floats, that each lane computes by it or moves.
    pub term: Option<Term>,
}

/// Floats that may be terms of a sum, or a sum.
#[derive(Clone, Copy, Debug)]
pub(super) struct Term {
    /// `None` for what moves bits only.
    pub format: Option<Format>,
    /// The sources that were added or moved.
    pub from: &'static [usize],
}

/// An address: a row, and what is added to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Address {
    pub row: u32,
    pub offset: u64,
    pub space: Window,
}

/// How an address is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Window {
    /// Generic, which global, constant and parameter addresses are too.
    Generic,
    Shared,
    Local,
}

/// What an instruction does.
pub(super) enum Op {
    Lanes {
        lanes: Lanes,
        dst: u32,
        srcs: [u32; SOURCES],
        more: Option<Box<More>>,
    },
    /// Several registers into one; bits of each.
    Pack {
        srcs: Vec<u32>,
        bits: u32,
        dst: u32,
    },
    /// One register into several, some of which nobody wants.
    Unpack {
        src: u32,
        bits: u32,
        dsts: Vec<Option<u32>>,
    },
    Branch {
        target: u32,
        join: u32,
    },
    /// By a number in each lane.
    BranchTable {
        index: u32,
        targets: Vec<u32>,
        join: u32,
    },
    Call(Box<Call>),
    /// The end of a routine.
    Return,
    /// `printf`: rows with the addresses of the format and of the arguments.
    Print {
        format: u32,
        args: u32,
    },
    /// `malloc`: the row of the size, and of the address.
    Allocate {
        dst: u32,
        size: u32,
    },
    /// `free`
    Free {
        src: u32,
    },
    /// Memory of the stack: the row of its size, and what its address is a multiple of.
    Take {
        dst: u32,
        size: u32,
        align: u64,
    },
    /// The end that the stack had before.
    GiveBack {
        src: u32,
    },
    Exit,
    /// What happened, and a row with the address of a text about it.
    Trap(&'static str, Option<u32>),
    Load(Box<Load>),
    Store(Box<Store>),
    Atomic(Box<Atomic>),
    Clock {
        dst: u32,
        shift: u32,
    },
    ActiveMask {
        dst: u32,
    },
    Shuffle(Box<Shuffle>),
    Vote {
        kind: VoteKind,
        dst: u32,
        src: u32,
        members: u32,
    },
    Match {
        all: bool,
        dst: Option<u32>,
        pred: Option<u32>,
        src: u32,
        members: u32,
    },
    Reduce {
        lanes: Lanes,
        dst: u32,
        src: u32,
        members: u32,
    },
    Elect {
        dst: Option<u32>,
        pred: u32,
        members: u32,
    },
    /// Lanes of a warp wait for one another.
    WarpSync {
        members: u32,
    },
    Barrier(Box<Barrier>),
    Fence,
    /// What was written is known to the asynchronous proxy.
    ProxyFence,
    /// Barriers that were made are known to the cluster and the asynchronous proxy.
    ShowPhases,
    Phase(Box<PhaseOp>),
    PhaseWait(Box<PhaseWait>),
    ClusterArrive {
        releases: bool,
    },
    ClusterWait,
    Bulk(Box<Bulk>),
    StoreAsync(Box<StoreAsync>),
    TryCancel(Box<TryCancel>),
    Clear(Box<Clear>),
    CommitStores,
    /// Groups of stores that may still be on their way; whether they need only have read their sources.
    WaitStores {
        n: u32,
        reads: bool,
    },
    CopyAsync(Box<CopyAsync>),
    /// `cp.async.mbarrier.arrive`; with `adds`, the arrival is one more than the barrier was made for.
    CopyArrive {
        address: Address,
        adds: bool,
    },
    CommitGroup,
    /// Groups that may still be on their way; all copies if missing.
    WaitGroup {
        n: Option<u32>,
    },
    LoadMatrix(Box<MoveRows>),
    StoreMatrix(Box<MoveRows>),
    MoveMatrix {
        dst: u32,
        src: u32,
    },
    Mma(Box<Mma>),
    FragmentMma(Box<FragmentMma>),
    GroupMma(Box<GroupMma>),
    CommitProducts,
    /// Groups of products that may still be on their way.
    WaitProducts {
        n: u32,
    },
    /// Hints to the machine: nothing that can be observed.
    Nothing,
}

impl Op {
    /// The row in which each lane names the lanes that it does something with.
    #[inline(always)]
    pub(super) fn members(&self) -> Option<u32> {
        match self {
            Op::Shuffle(shuffle) => Some(shuffle.members),
            Op::Vote { members, .. }
            | Op::Match { members, .. }
            | Op::Reduce { members, .. }
            | Op::Elect { members, .. }
            | Op::WarpSync { members } => Some(*members),
            _ => None,
        }
    }
}

impl Op {
    /// The rows that it reads and writes, where lanes may do it together in different places.
    pub(super) fn apart(&self) -> Option<(Vec<u32>, [Option<u32>; 2])> {
        match *self {
            Op::Shuffle(ref shuffle) => {
                let Shuffle { src, by, clamp, members, dst, pred, .. } = **shuffle;
                Some((vec![src, by, clamp, members], [dst, pred]))
            }
            Op::Vote { src, members, dst, .. } => Some((vec![src, members], [Some(dst), None])),
            Op::Match { src, members, dst, pred, .. } => Some((vec![src, members], [dst, pred])),
            Op::WarpSync { members } => Some((vec![members], [None; 2])),
            _ => None,
        }
    }

    /// Whether it is the same instruction with the same qualifiers, whatever its operands.
    pub(super) fn is_like(&self, other: &Op) -> bool {
        match (self, other) {
            (Op::Shuffle(one), Op::Shuffle(other)) => {
                let has = |shuffle: &Shuffle| (shuffle.mode, shuffle.dst.is_some(), shuffle.pred.is_some());
                has(one) == has(other)
            }
            (Op::Vote { kind: one, .. }, Op::Vote { kind: other, .. }) => one == other,
            (Op::Match { all: one, dst, pred, .. }, Op::Match { all: other, dst: dst_2, pred: pred_2, .. }) => {
                one == other && dst.is_some() == dst_2.is_some() && pred.is_some() == pred_2.is_some()
            }
            (Op::WarpSync { .. }, Op::WarpSync { .. }) => true,
            _ => false,
        }
    }
}

/// Further results.
pub(super) struct More {
    pub second: Option<(Lanes, u32)>,
    pub carry: Option<(Lanes, u32)>,
}

/// `ld`
pub(super) struct Load {
    pub address: Address,
    /// Bytes of an element.
    pub bytes: usize,
    /// Where each element goes, if anybody wants it.
    pub dsts: Vec<Option<u32>>,
    /// Bits to which elements are sign-extended, or 0.
    pub extend: u32,
    /// Bits of the destination.
    pub width: u32,
    pub is_strong: bool,
}

/// `st`
pub(super) struct Store {
    pub address: Address,
    pub bytes: usize,
    pub srcs: Vec<u32>,
    pub is_strong: bool,
}

/// `atom` and `red`: from what is there and two operands to what will be there.
pub(super) struct Atomic {
    pub address: Address,
    pub bytes: usize,
    /// For each element: operand, second operand, result.
    pub parts: Vec<(u32, u32, Option<u32>)>,
    pub update: Update,
    /// The elements change together, if all of them are the first operands: a comparison of 128 bits.
    pub as_one: bool,
}

/// `shfl.sync`
pub(super) struct Shuffle {
    pub mode: ShuffleMode,
    pub dst: Option<u32>,
    pub pred: Option<u32>,
    pub src: u32,
    pub by: u32,
    pub clamp: u32,
    pub members: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ShuffleMode {
    Up,
    Down,
    Butterfly,
    Index,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum VoteKind {
    All,
    Any,
    Uniform,
    Ballot,
}

/// `bar` and `barrier`
pub(super) struct Barrier {
    pub id: u32,
    /// A row that says how many threads come; all if missing.
    pub threads: Option<u32>,
    pub waits: bool,
    pub is_aligned: bool,
    /// A predicate of all threads, and what becomes of it.
    pub reduce: Option<(u32, u32, VoteKind)>,
    /// Whether `Ballot` counts: `bar.red.popc`.
    pub counts: bool,
}

/// `cp.async`
pub(super) struct CopyAsync {
    pub to: Address,
    pub from: Address,
    pub bytes: usize,
    /// A row with the bytes that are read; zeros fill the rest.
    pub size: Option<u32>,
    /// A row of predicates: where it holds, zeros are written and nothing is read.
    pub ignore: Option<u32>,
}

/// `mbarrier`, all but its waits.
pub(super) struct PhaseOp {
    pub address: Address,
    pub kind: PhaseKind,
    /// Where the token of an arrival goes.
    pub dst: Option<u32>,
}

/// Rows hold numbers of arrivals and of bytes.
#[derive(Clone, Copy, Debug)]
pub(super) enum PhaseKind {
    Init {
        count: u32,
    },
    End,
    Expect {
        bytes: u32,
    },
    Complete {
        bytes: u32,
    },
    Arrive {
        count: Option<u32>,
        /// Bytes that the phase expects besides.
        bytes: Option<u32>,
        /// Whether later phases take fewer arrivals.
        drops: bool,
        releases: bool,
    },
}

/// `mbarrier.test_wait` and `mbarrier.try_wait`
pub(super) struct PhaseWait {
    pub address: Address,
    pub dst: u32,
    /// A row with parities, or with tokens of arrivals.
    pub phase: u32,
    pub by_parity: bool,
    pub acquires: bool,
}

/// `cp.async.bulk`
pub(super) struct Bulk {
    pub side: Side,
    pub to: Option<Address>,
    pub from: Option<Address>,
    /// A tensor map, and rows with coordinates.
    pub map: Option<(Address, Vec<u32>)>,
    /// Whether the coordinates are a column and four rows, which need not follow one another.
    pub is_by_rows: bool,
    /// A row with the number of bytes.
    pub size: Option<u32>,
    /// Rows with the numbers of bytes in front and behind that are not copied: they may lie outside.
    pub ignored: Option<[u32; 2]>,
    /// A row with the bytes of each sixteen that are copied, a bit each.
    pub bytes: Option<u32>,
    pub barrier: Option<Address>,
    /// A row with the ranks that receive the bytes, a bit each.
    pub multicast: Option<u32>,
    /// Whether the barrier may be that of the other workgroup of a pair.
    pub is_paired: bool,
    /// What is computed with the destination, and the type if the instruction states it.
    pub reduce: Option<(&'static str, Option<Ty>)>,
}

/// `st.async` and `red.async`: registers go to shared memory of the cluster, and complete on a barrier there.
pub(super) struct StoreAsync {
    pub to: Address,
    pub barrier: Address,
    /// Bytes of an element.
    pub bytes: usize,
    pub srcs: Vec<u32>,
    /// What becomes of what is there; it is replaced if missing.
    pub update: Option<Update>,
}

/// `clusterlaunchcontrol.try_cancel`: what became of it goes to shared memory, and completes on a barrier there.
pub(super) struct TryCancel {
    pub to: Address,
    pub barrier: Address,
    /// Whether every workgroup of the cluster is told.
    pub tells_all: bool,
}

/// `st.bulk`
pub(super) struct Clear {
    pub address: Address,
    /// A row with the number of bytes.
    pub size: u32,
}

/// Between which memories a copy is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    /// From global to shared memory.
    Load,
    /// From shared to global memory.
    Store,
    /// From shared memory to that of a workgroup of the cluster.
    Share,
}

/// What the launch says.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Special {
    Tid(usize),
    Ntid(usize),
    Ctaid(usize),
    Nctaid(usize),
    LaneId,
    WarpId,
    NWarps,
    /// Lanes before, up to, and so on: `eq`, `lt`, `le`, `gt`, `ge`.
    LaneMask(u8),
    ClusterId(usize),
    NClusterId(usize),
    ClusterCtaid(usize),
    ClusterNctaid(usize),
    ClusterRank,
    ClusterSize,
    DynamicShared,
    TotalShared,
    One,
    Zero,
}
