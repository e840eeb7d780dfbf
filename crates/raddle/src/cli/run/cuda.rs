//! The device `cuda`: what the emitter writes is compiled and run by the CUDA driver.

use raddle_ir::{Diag, Ir, OpId, Type};
use raddle_run::cuda::{Context, Cuda, Param, Shape};
use raddle_run::{Counters, Device, Launch, Options, Outcome, Tensor};
use raddle_target::Chip;

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

/// A GPU, and the chip that programs are compiled for.
pub struct CudaGpu {
    context: Context<'static>,
    chip: &'static Chip,
}

impl CudaGpu {
    /// Makes the GPU of this number ready. The driver stays open for as long as the process lives.
    pub fn new(number: i32, chip: &'static Chip) -> Result<CudaGpu, Diag> {
        let cuda: &'static Cuda = Box::leak(Box::new(open()?));
        Ok(CudaGpu { context: cuda.context(number)?, chip })
    }
}

impl Device for CudaGpu {
    fn name(&self) -> &'static str {
        NAME
    }

    fn sentence(&self) -> &'static str {
        SENTENCE
    }

    fn run(&self, ir: &Ir, func: OpId, args: &[Tensor], launch: &Launch, options: &Options) -> Result<Outcome, Diag> {
        let Emitted { text, shared_bytes: dynamic_shared_bytes } = Emitted::of(ir, func, self.chip)?;
        let (types, _) = ir.signature(func);
        let is_buffer = |arg: usize| matches!(ir[types[arg]], Type::MemRef { .. });
        // A driver refuses an empty grid.
        if launch.grid.contains(&0) {
            return Ok(nothing(args, is_buffer));
        }
        let name = entry(&text).expect("the emitter writes one entry");
        let context = &self.context;
        let module = context.module(text.as_bytes())?;
        let kernel = module.kernel(name)?;
        let (mut buffers, mut params) = (Vec::new(), Vec::new());
        for (at, arg) in args.iter().enumerate() {
            if is_buffer(at) {
                let buffer = context.upload(&arg.bytes)?;
                if options.uninitialised_args.contains(&at) {
                    buffer.fill(UNWRITTEN)?;
                }
                params.push(Param::Word(buffer.address()));
                buffers.push((at, buffer));
            } else {
                let mut bytes = [0; 8];
                let n = arg.bytes.len().min(bytes.len());
                bytes[..n].copy_from_slice(&arg.bytes[..n]);
                params.push(Param::Bytes(bytes));
            }
        }
        let shape = Shape { grid: launch.grid, workgroup: launch.workgroup_size, dynamic_shared_bytes };
        let stream = context.stream()?;
        kernel.launch(&stream, &shape, &params)?;
        stream.wait()?;
        let read = |(at, buffer): &(usize, raddle_run::cuda::Buffer<'_>)| {
            buffer.read().map(|bytes| Tensor { bytes, ..args[*at].clone() })
        };
        let tensors = buffers.iter().map(read).collect::<Result<Vec<Tensor>, Diag>>()?;
        let writers = vec![Vec::new(); tensors.len()];
        Ok(Outcome { results: Vec::new(), buffers: tensors, writers, counters: Counters::default(), cost: None })
    }
}

/// The name of the first entry of a PTX text.
fn entry(text: &str) -> Option<&str> {
    let rest = &text[text.find(".entry ")? + ".entry ".len()..];
    Some(rest[..rest.find('(')?].trim())
}
