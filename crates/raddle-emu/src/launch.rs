//! How a function is started: how many workgroups, of how many lanes, and what a value belongs to.

use raddle_ir::extents::{Known, Sizes, taken};
use raddle_ir::{Class, Code, Diag, Ir, OpId, Opcode, Scalar};

use crate::decode::in_step::meet;
use crate::decode::intrinsic::has_whole_tiles;
use crate::tensor::Tensor;
use raddle_target::Mma;

/// Whom a value belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// The whole workgroup: from tensor programs to vectors with layouts.
    Simd,
    /// One lane: distributed and lowered programs.
    Simt,
}

/// How a function is started.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Launch {
    /// Workgroups along x, y and z.
    pub grid: [u32; 3],
    /// Threads of a workgroup along x, y and z; those along x are neighbours in a subgroup.
    pub workgroup_size: [u32; 3],
    /// Lanes of a subgroup.
    pub subgroup_size: u32,
    /// Whom a value belongs to.
    pub mode: Mode,
}

impl Launch {
    /// Reads the launch off a function: `gpu.known_grid_size`, `translation_info`, and the operations present. A grid that
    /// depends on the arguments is an error: [`Launch::for_args`] evaluates it.
    pub fn of(ir: &Ir, func: OpId) -> Result<Launch, Diag> {
        if Sizes::grid(ir, func)?.is_some() {
            return Err(Diag::error(Code::BadLaunch, ir.span(func), "the grid depends on the arguments")
                .help("state it, as with `--grid=8,4`"));
        }
        Launch::without_grid(ir, func)
    }

    /// The launch of a function with these arguments. A grid that has an extent of 0 runs nothing.
    pub fn for_args(ir: &Ir, func: OpId, args: &[Tensor]) -> Result<Launch, Diag> {
        let launch = Launch::without_grid(ir, func)?;
        let Some(sizes) = Sizes::grid(ir, func)? else { return Ok(launch) };
        let grid = evaluate(&sizes, args).and_then(|grid| {
            let grid = grid.into_iter().map(u32::try_from).collect::<Result<Vec<u32>, _>>();
            <[u32; 3]>::try_from(grid.ok()?).ok()
        });
        let bad = || {
            let message = format!("the grid of these arguments is not a list of sizes from 0 to {}", u32::MAX);
            Diag::error(Code::BadLaunch, ir.span(func), message)
        };
        Ok(Launch { grid: grid.ok_or_else(bad)?, ..launch })
    }

    /// The launch, where a grid that is not stated in numbers is one workgroup.
    pub fn without_grid(ir: &Ir, func: OpId) -> Result<Launch, Diag> {
        let ops = ir.walk(func);
        let mode = if ops.iter().any(|&op| is_per_lane(ir, op)) { Mode::Simt } else { Mode::Simd };
        let bad = |what: &str| {
            Diag::error(
                Code::BadLaunch,
                ir.span(func),
                format!("`{what}` is not a list of sizes from 1 to {}", u32::MAX),
            )
        };

        let mut grid = [1; 3];
        if let Some(attr) = ir.attr_id(func, "gpu.known_grid_size") {
            let sizes = ir.ints(attr).filter(|sizes| sizes.len() <= 3).ok_or_else(|| bad("gpu.known_grid_size"))?;
            for (slot, &size) in grid.iter_mut().zip(&sizes) {
                *slot = positive(size).ok_or_else(|| bad("gpu.known_grid_size"))?;
            }
        }

        let info = ir.attr_id(func, "translation_info");
        let sizes = info
            .and_then(|info| ir.field(info, "workgroup_size"))
            .or_else(|| ir.attr_id(func, "gpu.known_block_size"))
            .and_then(|attr| ir.ints(attr));
        let workgroup_size = match sizes {
            Some(sizes) => Some(workgroup(&sizes).ok_or_else(|| bad("workgroup_size"))?),
            None => None,
        };
        let subgroup_size = match info.and_then(|info| ir.field(info, "subgroup_size")) {
            Some(attr) => Some(ir[attr].as_i64().and_then(positive).ok_or_else(|| bad("subgroup_size"))?),
            None => ops.iter().find_map(|&op| Mma::of_op(ir, op)).map(|mma| mma.subgroup_size),
        };
        match mode {
            Mode::Simd => Ok(Launch {
                grid,
                workgroup_size: workgroup_size.unwrap_or([1; 3]),
                subgroup_size: subgroup_size.unwrap_or(1),
                mode,
            }),
            Mode::Simt => Ok(Launch {
                grid,
                workgroup_size: workgroup_size.ok_or_else(|| {
                    Diag::error(Code::BadLaunch, ir.span(func), "the kernel does not say how many threads a workgroup has")
                        .help("say it in the attributes: `known_block_size = array<i32: 64, 1, 1>` of a `gpu.func`, `gpu.known_block_size` of a `func.func`")
                })?,
                subgroup_size: subgroup_size.unwrap_or(32),
                mode,
            }),
        }
    }

    /// Threads of a workgroup.
    pub fn threads(&self) -> u32 {
        self.workgroup_size.iter().fold(1, |threads, &extent| threads.saturating_mul(extent))
    }

    /// Lanes that one register holds.
    pub(crate) fn lanes(&self) -> usize {
        match self.mode {
            Mode::Simd => 1,
            Mode::Simt => self.subgroup_size as usize,
        }
    }

    /// Subgroups of a workgroup.
    pub(crate) fn n_subgroups(&self) -> usize {
        match self.mode {
            Mode::Simd => 1,
            Mode::Simt => self.threads().div_ceil(self.subgroup_size) as usize,
        }
    }
}

/// Numbers that follow from the arguments; `None` where one of them cannot be computed.
pub fn evaluate(sizes: &Sizes, args: &[Tensor]) -> Option<Vec<i64>> {
    sizes.eval(|known| match known {
        Known::Extent(argument, dim) => args.get(argument)?.shape.get(dim).copied(),
        Known::Number(argument) => args.get(argument)?.to_i64().first().copied(),
    })
}

/// The arguments of a kernel, and behind them the extents that a lowered kernel takes.
pub fn with_extents(ir: &Ir, func: OpId, mut args: Vec<Tensor>) -> Result<Vec<Tensor>, Diag> {
    for (argument, dim) in taken(ir, func)? {
        let extent = args.get(argument).and_then(|tensor| tensor.shape.get(dim)).copied();
        let extent = extent.ok_or_else(|| {
            let message = format!("the kernel takes extent {dim} of argument {argument}, which has none");
            Diag::error(Code::BadInput, ir.span(func), message)
        })?;
        args.push(Tensor::from_i64(Scalar::Index, &[], &[extent]));
    }
    Ok(args)
}

/// Whether an operation has a meaning only for a single lane.
fn is_per_lane(ir: &Ir, op: OpId) -> bool {
    match ir.class(op) {
        Class::Shuffle | Class::Matrix => true,
        // Threads that a loop counts meet in the program of the workgroup.
        _ if ir.opcode(op) == Opcode::IreeCodegenInnerTiled => {
            !has_whole_tiles(ir, op) && !ir.parent_op(op).is_some_and(|parent| meet(ir, parent))
        }
        _ => matches!(
            ir.opcode(op),
            Opcode::GpuThreadId
                | Opcode::GpuLaneId
                | Opcode::GpuSubgroupId
                | Opcode::GpuGlobalId
                | Opcode::GpuBallot
                | Opcode::RocdlBallot
                | Opcode::NvvmVoteSync
                | Opcode::GpuSubgroupBroadcast
                | Opcode::GpuRotate
                | Opcode::IreeGpuSubgroupScan
                | Opcode::GpuAllReduce
                | Opcode::NvvmBarrier
                | Opcode::NvvmBarrierArrive
                | Opcode::GpuInitializeNamedBarrier
                | Opcode::NvgpuDeviceAsyncCopy
                | Opcode::NvgpuMbarrierCreate
                | Opcode::NvgpuTmaAsyncLoad
                | Opcode::GpuSubgroupMmaLoadMatrix
                | Opcode::GpuSubgroupMmaStoreMatrix
                | Opcode::GpuSubgroupMmaCompute
                | Opcode::AmdgpuGatherToLds
        ),
    }
}

/// The sizes of a workgroup whose threads can be counted.
fn workgroup(sizes: &[i64]) -> Option<[u32; 3]> {
    let mut extents = [1; 3];
    for (dim, &size) in sizes.iter().enumerate() {
        *extents.get_mut(dim)? = positive(size)?;
    }
    extents.iter().try_fold(1u32, |threads, &extent| threads.checked_mul(extent)).map(|_| extents)
}

fn positive(size: i64) -> Option<u32> {
    u32::try_from(size).ok().filter(|&size| size > 0)
}
