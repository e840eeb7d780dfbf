//! The device `cpu`: what the emitter writes is compiled by LLVM and called in this process.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::time::Instant;

use raddle::Kernel;
use raddle_ir::interface::Interface;
use raddle_ir::{Code, Diag, Ir, OpId, Type};
use raddle_run::cpu::{self, Arg, Buffer, Program};
use raddle_run::llvm::{Form, Llvm};
use raddle_run::{Counters, Device, Launch, Options, Outcome, Repeat, Tensor};
use raddle_target::{Chip, Lowered};

use super::ptx_emu::nothing;

/// As users type it.
pub const NAME: &str = "cpu";
/// What it is.
pub const SENTENCE: &str = "this machine, by native code that LLVM compiles in the process";

/// What memory holds that nothing has written yet: NaN in every float type, so that whoever reads it notices.
pub const UNWRITTEN: u8 = 0xFF;

/// This machine, as a chip of the table.
pub struct Cpu {
    chip: &'static Chip,
    /// What has been compiled, by its text: a kernel that is launched again is compiled once.
    programs: RefCell<HashMap<String, Rc<Program>>>,
}

impl Cpu {
    /// This machine as this chip.
    pub fn new(chip: &'static Chip) -> Cpu {
        Cpu { chip, programs: RefCell::default() }
    }
}

impl Device for Cpu {
    fn name(&self) -> &'static str {
        NAME
    }

    fn sentence(&self) -> &'static str {
        SENTENCE
    }

    fn run(&self, ir: &Ir, func: OpId, args: &[Tensor], launch: &Launch, options: &Options) -> Result<Outcome, Diag> {
        if !cpu::runs(self.chip.name) {
            return Err(not_here(self.chip));
        }
        check_grid(ir, func, launch)?;
        let (types, _) = ir.signature(func);
        let is_buffer = |arg: usize| matches!(ir[types[arg]], Type::MemRef { .. });
        if launch.grid.contains(&0) {
            return Ok(nothing(args, is_buffer));
        }
        let program = self.load(ir, func)?;
        let mut passed = passed(args, is_buffer, &Interface::in_place_args(ir, func)?);
        for (at, arg) in passed.iter_mut().enumerate() {
            if let Arg::Buffer(buffer) = arg
                && options.uninitialised_args.contains(&at)
            {
                buffer.fill(UNWRITTEN);
            }
        }
        passed.push(Fault::buffer());
        let mut call = program.prepare(&self.entry(ir, func), &mut passed)?;
        call.run(workgroups(launch), options.threads);
        call.finish()?;
        Fault::judge(passed.last(), ir, func)?;
        let tensors: Vec<Tensor> = passed
            .iter()
            .zip(args)
            .filter_map(|(arg, tensor)| match arg {
                Arg::Buffer(buffer) => Some(Tensor { bytes: buffer.bytes().to_vec(), ..tensor.clone() }),
                Arg::Same(earlier) => match &passed[*earlier] {
                    Arg::Buffer(buffer) => Some(Tensor { bytes: buffer.bytes().to_vec(), ..tensor.clone() }),
                    Arg::Same(_) | Arg::Scalar(_) => None,
                },
                Arg::Scalar(_) => None,
            })
            .collect();
        let writers = vec![Vec::new(); tensors.len()];
        Ok(Outcome { results: Vec::new(), buffers: tensors, writers, counters: Counters::default(), cost: None })
    }

    fn time(&self, ir: &Ir, func: OpId, args: &[Tensor], launch: &Launch, repeat: &Repeat) -> Result<Vec<f64>, Diag> {
        if launch.grid.contains(&0) {
            return Ok(vec![0.0; repeat.samples as usize]);
        }
        let program = self.load(ir, func)?;
        let (types, _) = ir.signature(func);
        let is_buffer = |arg: usize| matches!(ir[types[arg]], Type::MemRef { .. });
        let mut passed = passed(args, is_buffer, &Interface::in_place_args(ir, func)?);
        passed.push(Fault::buffer());
        let mut call = program.prepare(&self.entry(ir, func), &mut passed)?;
        let mut sample = |runs: u32| {
            let start = Instant::now();
            (0..runs).for_each(|_| call.run(workgroups(launch), repeat.threads));
            start.elapsed().as_secs_f64() / f64::from(runs)
        };
        let start = Instant::now();
        let mut one = sample(1);
        while start.elapsed().as_secs_f64() < repeat.warm_up_s {
            one = sample(1);
        }
        let samples = (0..repeat.samples).map(|_| sample(repeat.runs(one))).collect();
        call.finish()?;
        Fault::judge(passed.last(), ir, func)?;
        Ok(samples)
    }
}

impl Cpu {
    /// Native code in this process.
    fn load(&self, ir: &Ir, func: OpId) -> Result<Rc<Program>, Diag> {
        let Emitted { text, .. } = Emitted::of(ir, func, self.chip)?;
        if let Some(program) = self.programs.borrow().get(&text) {
            return Ok(program.clone());
        }
        let machine = raddle_emit::llvm::machine(self.chip);
        let llvm = Llvm::open(super::super::assemble::named().as_deref())?;
        let object = llvm.compile(&text, machine.triple, machine.cpu, Form::Object)?;
        let program = Rc::new(Program::load(llvm, &object)?);
        self.programs.borrow_mut().insert(text, program.clone());
        Ok(program)
    }

    /// The name of the function that takes its arguments as a list.
    fn entry(&self, ir: &Ir, func: OpId) -> String {
        let name = ir.symbol_name(func).unwrap_or_default();
        raddle_emit::llvm::packed_name(&raddle_emit::llvm::entry_name(self.chip, name))
    }
}

/// A kernel as LLVM IR, and how it is called.
pub struct Emitted {
    pub text: String,
    pub kernel: Kernel,
}

impl Emitted {
    /// Emits a function at `lowered`. What IREE's launcher would pass, bindings and constants, is left out: a device has
    /// the arguments themselves.
    pub fn of(ir: &Ir, func: OpId, chip: &'static Chip) -> Result<Emitted, Diag> {
        let mut options = raddle_emit::llvm::Options::default();
        options.overlap = !Interface::in_place_args(ir, func)?.is_empty();
        let emit = |ir: &Ir| {
            let lowered = Lowered::check(ir, func, chip)?;
            let text = raddle_emit::llvm::emit_all(ir, std::slice::from_ref(&lowered), &options)?;
            Ok(Emitted { text, kernel: Kernel::of_lowered(ir, &lowered)? })
        };
        if Interface::of(ir, func)?.is_none() {
            return emit(ir);
        }
        let mut plain = ir.clone();
        Interface::remove(&mut plain, func);
        emit(&plain)
    }
}

/// What an index outside of a buffer leaves: the members of `struct raddle_fault`.
pub struct Fault {
    pub index: i64,
    pub extent: i64,
    pub dimension: i32,
    /// The first byte of the access in the text of the program.
    pub at: u32,
}

impl Fault {
    /// The argument behind all others, which only kernels that check indices read.
    fn buffer() -> Arg {
        Arg::Buffer(Buffer::of(&[0; 32]))
    }

    /// What the kernel left there.
    fn judge(arg: Option<&Arg>, ir: &Ir, func: OpId) -> Result<(), Diag> {
        let Some(Arg::Buffer(buffer)) = arg else { return Ok(()) };
        let (words, _) = buffer.bytes().as_chunks::<8>();
        let &[kernel, index, extent, rest] = words else { return Ok(()) };
        if u64::from_le_bytes(kernel) == 0 {
            return Ok(());
        }
        let rest = u64::from_le_bytes(rest);
        let (dimension, at) = (rest as i32, (rest >> 32) as u32);
        Err(Fault { index: i64::from_le_bytes(index), extent: i64::from_le_bytes(extent), dimension, at }
            .diag(ir, func))
    }

    /// Says so where the access stands.
    pub fn diag(&self, ir: &Ir, func: OpId) -> Diag {
        let Fault { index, extent, dimension, at } = self;
        let name = ir.symbol_name(func).unwrap_or_default();
        let message =
            format!("index {index} along dimension {dimension}, whose extent is {extent}, in kernel `{name}`");
        let ops = ir.walk(func);
        let span = ops.into_iter().map(|op| ir.span(op)).find(|span| span.start == *at).unwrap_or(ir.span(func));
        Diag::error(Code::OutOfBounds, span, message).label("this access is outside of its buffer")
    }
}

/// The refusal of code for another CPU.
pub fn not_here(chip: &Chip) -> Diag {
    let message = format!("this machine does not run code for {}", chip.name);
    let diag = Diag::nowhere(Code::NoDevice, message)
        .help("leave out `--target`, or take `--target=host`; `--device=emu` runs programs for every chip");
    match chip.native {
        Some(_) => diag.help("`--device=cpu-c` runs code for other architectures by QEMU"),
        None => diag,
    }
}

/// Refuses another grid than the one that is in the loops of the code.
pub fn check_grid(ir: &Ir, func: OpId, launch: &Launch) -> Result<(), Diag> {
    let known = ir.attr_id(func, "gpu.known_grid_size").and_then(|attr| ir.ints(attr));
    if known.is_some_and(|known| known.iter().zip(launch.grid).any(|(&known, stated)| known != i64::from(stated))) {
        let message = "`--grid` is another one than the function states, and native code has that in its loops";
        return Err(Diag::error(Code::BadLaunch, ir.span(func), message).help("leave out `--grid`"));
    }
    Ok(())
}

fn workgroups(launch: &Launch) -> i64 {
    launch.grid.iter().map(|&extent| i64::from(extent)).product()
}

/// What the function gets for its arguments; of each pair, the first one is the memory of the second one.
fn passed(args: &[Tensor], is_buffer: impl Fn(usize) -> bool, in_place: &[(usize, usize)]) -> Vec<Arg> {
    let of = |(at, arg): (usize, &Tensor)| {
        if let Some(&(_, earlier)) = in_place.iter().find(|(arg, _)| *arg == at) {
            return Arg::Same(earlier);
        }
        if is_buffer(at) {
            return Arg::Buffer(Buffer::of(&arg.bytes));
        }
        let mut bytes = [0; 8];
        let n = arg.bytes.len().min(bytes.len());
        bytes[..n].copy_from_slice(&arg.bytes[..n]);
        Arg::Scalar(bytes)
    };
    args.iter().enumerate().map(of).collect()
}
