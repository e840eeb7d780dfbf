//! The device `cuda`: what the emitter writes is compiled and run by the CUDA driver.

use std::time::Instant;

use raddle_ir::interface::Interface;
use raddle_ir::{Code, Diag, Ir, OpId, Type};
use raddle_run::cuda::{Buffer, Context, Cuda, Param, Shape};
use raddle_run::{Counters, Device, Launch, Options, Outcome, Repeat, Tensor};
use raddle_target::{CHIPS, Chip, Language};

use super::ptx_emu::{Emitted, nothing};

/// As users type it; `cuda:1` is the second GPU.
pub const NAME: &str = "cuda";
/// What it is.
pub const SENTENCE: &str = "an NVIDIA GPU, through its driver; `cuda:1` is the second one (`raddle devices`)";
/// The variable that names another driver library than the installed one.
const LIBRARY: &str = "RADDLE_CUDA_DRIVER";

/// What memory holds that nothing has written yet: NaN in every float type, so that whoever reads it notices.
const UNWRITTEN: u8 = 0xFF;

/// The driver: the one that is installed, or the one that the environment names.
pub fn open() -> Result<Cuda, Diag> {
    Cuda::open(std::env::var(LIBRARY).ok().as_deref())
}

/// The number of the GPU that `--device` asks for, if it asks for one.
pub fn number(device: &str) -> Option<i32> {
    match device.strip_prefix(NAME)? {
        "" => Some(0),
        rest => rest.strip_prefix(':')?.parse().ok().filter(|&number| number >= 0),
    }
}

/// The chip of a GPU, with the instructions that only it has; the newest one before it, if it is newer than those that are
/// known.
pub fn chip(number: i32) -> Result<&'static Chip, Diag> {
    let cuda = open()?;
    let (major, minor) = cuda.context(number)?.info().capability;
    let own = format!("sm_{major}{minor}a");
    if let Some(chip) = CHIPS.iter().find(|chip| chip.name == own) {
        return Ok(chip);
    }
    let version = |chip: &Chip| chip.name.strip_prefix("sm_")?.parse::<i32>().ok();
    let known = CHIPS.iter().filter(|chip| chip.language == Language::Ptx);
    let fits = known.filter(|chip| version(chip).is_some_and(|version| version <= 10 * major + minor));
    fits.max_by_key(|chip| version(chip)).ok_or_else(|| {
        Diag::nowhere(Code::NoDevice, format!("no code is written for the chip of this GPU, sm_{major}{minor}"))
            .help("`raddle targets` lists the chips")
    })
}

/// A GPU, and the chip that programs are compiled for.
pub struct CudaGpu {
    context: Context<'static>,
    chip: &'static Chip,
    fast_math: bool,
}

impl CudaGpu {
    /// Makes the GPU of this number ready. The driver stays open for as long as the process lives.
    pub fn new(number: i32, chip: &'static Chip, fast_math: bool) -> Result<CudaGpu, Diag> {
        let cuda: &'static Cuda = Box::leak(Box::new(open()?));
        Ok(CudaGpu { context: cuda.context(number)?, chip, fast_math })
    }

    /// The arguments, on the GPU.
    fn passed(&self, ir: &Ir, func: OpId, args: &[Tensor]) -> Result<Passed<'_>, Diag> {
        let shared = Interface::in_place_args(ir, func)?;
        let (mut buffers, mut params) = (Vec::<(usize, Buffer<'_>)>::new(), Vec::new());
        for (at, arg) in args.iter().enumerate() {
            let earlier = shared.iter().find(|(arg, _)| *arg == at).map(|(_, earlier)| *earlier);
            if let Some((_, buffer)) = buffers.iter().find(|(other, _)| Some(*other) == earlier) {
                params.push(Param::Word(buffer.address()));
            } else if is_buffer(ir, func, at) {
                let buffer = self.context.upload(&arg.bytes)?;
                params.push(Param::Word(buffer.address()));
                buffers.push((at, buffer));
            } else {
                let mut bytes = [0; 8];
                let n = arg.bytes.len().min(bytes.len());
                bytes[..n].copy_from_slice(&arg.bytes[..n]);
                params.push(Param::Bytes(bytes));
            }
        }
        Ok(Passed { buffers, params })
    }
}

/// The arguments of a kernel.
struct Passed<'c> {
    /// Those that are memrefs, with their positions.
    buffers: Vec<(usize, Buffer<'c>)>,
    /// All of them, as the kernel gets them.
    params: Vec<Param>,
}

fn is_buffer(ir: &Ir, func: OpId, arg: usize) -> bool {
    matches!(ir[ir.signature(func).0[arg]], Type::MemRef { .. })
}

impl Device for CudaGpu {
    fn name(&self) -> &'static str {
        NAME
    }

    fn sentence(&self) -> &'static str {
        SENTENCE
    }

    fn run(&self, ir: &Ir, func: OpId, args: &[Tensor], launch: &Launch, options: &Options) -> Result<Outcome, Diag> {
        let Emitted { text, shared_bytes } = Emitted::of(ir, func, self.chip, self.fast_math)?;
        // A driver refuses an empty grid.
        if launch.grid.contains(&0) {
            return Ok(nothing(args, |arg| is_buffer(ir, func, arg)));
        }
        let module = self.context.module(text.as_bytes())?;
        let kernel = module.kernel(entry(&text).expect("the emitter writes one entry"))?;
        let Passed { buffers, params } = self.passed(ir, func, args)?;
        for (_, buffer) in buffers.iter().filter(|(at, _)| options.uninitialised_args.contains(at)) {
            buffer.fill(UNWRITTEN)?;
        }
        let stream = self.context.stream()?;
        kernel.launch(&stream, &shape(launch, shared_bytes), &params)?;
        stream.wait()?;
        let buffer_of = |at: usize| {
            let Param::Word(address) = params[at] else { return None };
            buffers.iter().find(|(_, buffer)| buffer.address() == address).filter(|_| is_buffer(ir, func, at))
        };
        let read = |(at, arg): (usize, &Tensor)| {
            let (_, buffer) = buffer_of(at)?;
            Some(buffer.read().map(|bytes| Tensor { bytes, ..arg.clone() }))
        };
        let tensors = args.iter().enumerate().filter_map(read).collect::<Result<Vec<Tensor>, Diag>>()?;
        let writers = vec![Vec::new(); tensors.len()];
        Ok(Outcome { results: Vec::new(), buffers: tensors, writers, counters: Counters::default(), cost: None })
    }

    /// Launches go over several sets of buffers in turn, together larger than the L2 cache, so that each finds its data
    /// in memory; a sample lies between two events.
    fn time(&self, ir: &Ir, func: OpId, args: &[Tensor], launch: &Launch, repeat: &Repeat) -> Result<Vec<f64>, Diag> {
        let Emitted { text, shared_bytes } = Emitted::of(ir, func, self.chip, self.fast_math)?;
        if launch.grid.contains(&0) {
            return Ok(vec![0.0; repeat.samples as usize]);
        }
        let module = self.context.module(text.as_bytes())?;
        let kernel = module.kernel(entry(&text).expect("the emitter writes one entry"))?;
        let bytes: usize = args.iter().map(|arg| arg.bytes.len()).sum();
        let cache = self.context.info().l2_bytes.max(0) as usize;
        let n_sets = (3 * cache / bytes.max(1) + 1).clamp(2, SETS_MAX);
        let sets = (0..n_sets).map(|_| self.passed(ir, func, args)).collect::<Result<Vec<_>, Diag>>()?;
        let (stream, shape) = (self.context.stream()?, shape(launch, shared_bytes));
        let [begin, end] = [self.context.event()?, self.context.event()?];
        let sample = |runs: u32| {
            begin.record(&stream)?;
            for set in sets.iter().cycle().take(runs as usize) {
                kernel.launch(&stream, &shape, &set.params)?;
            }
            end.record(&stream)?;
            Ok(end.seconds_since(&begin)? / f64::from(runs))
        };
        let start = Instant::now();
        let mut one = sample(n_sets as u32)?;
        while start.elapsed().as_secs_f64() < repeat.warm_up_s {
            one = sample(repeat.runs(one).min(WARM_UP_RUNS_MAX))?;
        }
        (0..repeat.samples).map(|_| sample(repeat.runs(one))).collect()
    }
}

/// Sets of buffers that launches go over in turn, at most.
const SETS_MAX: usize = 64;
/// Launches of one turn of the warm-up, at most.
const WARM_UP_RUNS_MAX: u32 = 1000;

fn shape(launch: &Launch, dynamic_shared_bytes: u32) -> Shape {
    Shape { grid: launch.grid, workgroup: launch.workgroup_size, dynamic_shared_bytes }
}

/// The name of the first entry of a PTX text.
fn entry(text: &str) -> Option<&str> {
    let rest = &text[text.find(".entry ")? + ".entry ".len()..];
    Some(rest[..rest.find('(')?].trim())
}
