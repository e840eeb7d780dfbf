//! The device `ptx-emu`: what the emitter writes is executed as text, by the executor of PTX.

use raddle_ir::interface::Interface;
use raddle_ir::{Code, Diag, Ir, OpId, Type};
use raddle_run::{Counters, Device, Launch, Options, Outcome, Tensor, ptx};
use raddle_target::{Chip, Language, Lowered};

/// As users type it.
pub const NAME: &str = "ptx-emu";
/// What it is.
pub const SENTENCE: &str = "the PTX that is emitted, executed as text: every subgroup and lane, on the CPU";

/// The executor, for a chip that has PTX.
pub struct PtxEmulator(pub &'static Chip);

impl Device for PtxEmulator {
    fn name(&self) -> &'static str {
        NAME
    }

    fn sentence(&self) -> &'static str {
        SENTENCE
    }

    fn run(&self, ir: &Ir, func: OpId, args: &[Tensor], launch: &Launch, options: &Options) -> Result<Outcome, Diag> {
        let Emitted { text, shared_bytes } = Emitted::of(ir, func, self.0, false)?;
        let (types, _) = ir.signature(func);
        let is_buffer = |arg: usize| matches!(ir[types[arg]], Type::MemRef { .. });
        if launch.grid.contains(&0) {
            return Ok(nothing(args, is_buffer));
        }
        let mut inputs = args.to_vec();
        for (arg, input) in inputs.iter_mut().enumerate() {
            if is_buffer(arg) && input.shape.is_empty() {
                input.shape = vec![1];
            }
        }
        let start = ptx::Launch {
            entry: None,
            grid: launch.grid,
            workgroup: None,
            cluster: None,
            shared_bytes: shared_bytes as usize,
        };
        let options = Options { in_place: Interface::in_place_args(ir, func)?, ..options.clone() };
        let ran = ptx::parse(&text).and_then(|module| ptx::run(&module, &inputs, &start, &options));
        let ran = ran.map_err(|diag| located(diag, &text))?;
        let mut buffers = Vec::new();
        for (arg, mut tensor) in ran.args.into_iter().enumerate().filter(|(arg, _)| is_buffer(*arg)) {
            tensor.shape.clone_from(&args[arg].shape);
            buffers.push(tensor);
        }
        let writers = vec![Vec::new(); buffers.len()];
        Ok(Outcome { results: Vec::new(), buffers, writers, counters: ran.counters, cost: None })
    }
}

/// A kernel as PTX that takes the arguments of the function, one parameter each.
pub struct Emitted {
    pub text: String,
    /// Bytes of shared memory that the launch gives.
    pub shared_bytes: u32,
}

impl Emitted {
    /// Emits a function at `lowered`. What IREE's launcher would pass instead, bindings and constants, is left out: a
    /// device has the arguments themselves.
    pub fn of(ir: &Ir, func: OpId, chip: &'static Chip, fast_math: bool) -> Result<Emitted, Diag> {
        if chip.language != Language::Ptx {
            return Err(Diag::nowhere(Code::CannotEmit, format!("there is no PTX for {}", chip.name))
                .help("`--target=sm_80` has, and `--device=emu` runs programs for every chip"));
        }
        let mut plain = ir.clone();
        Interface::remove(&mut plain, func);
        let lowered = Lowered::check(&plain, func, chip)?;
        let mut options = raddle_emit::ptx::Options::default();
        options.fast_math = fast_math;
        let text = raddle_emit::ptx::emit_with(&plain, &lowered, &options)?;
        Ok(Emitted { text, shared_bytes: raddle_emit::ptx::dynamic_shared_bytes(&lowered) })
    }
}

/// What an empty grid leaves: every buffer as it was.
pub fn nothing(args: &[Tensor], is_buffer: impl Fn(usize) -> bool) -> Outcome {
    let buffers: Vec<Tensor> =
        args.iter().enumerate().filter(|(arg, _)| is_buffer(*arg)).map(|(_, tensor)| tensor.clone()).collect();
    let writers = vec![Vec::new(); buffers.len()];
    Outcome { results: Vec::new(), buffers, writers, counters: Counters::default(), cost: None }
}

/// A finding in the text of the kernel: its line is quoted, since the text is in no file.
fn located(mut diag: Diag, text: &str) -> Diag {
    if let Some(span) = diag.span.take() {
        let before = &text[..text.floor_char_boundary(span.start as usize)];
        let number = before.matches('\n').count();
        let line = text.lines().nth(number).unwrap_or_default().trim();
        diag = diag.note(format!("in line {} of the PTX: `{line}`", number + 1));
    }
    if !diag.label.is_empty() {
        let label = std::mem::take(&mut diag.label);
        diag = diag.note(label);
    }
    diag.related.clear();
    diag
}
