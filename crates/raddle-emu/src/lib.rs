//! The meaning of IR at any stage: a SIMT emulator.
//!
//! One machine runs every stage. A function is decoded once into flat instructions over dense registers; in
//! [`Mode::Simt`] a register holds a number for every lane of a subgroup, in [`Mode::Simd`] the value of the whole
//! workgroup. What a program must not do (races, accesses out of bounds, reads of what nobody wrote, barriers that
//! some threads miss) is found exactly, and ends the run with a diagnostic whose message begins with the kind.
//!
//! The emulator is a witness: it shares no code with the passes that it checks.
//!
//! ```
//! use raddle_emu::{Launch, Options, Tensor, run};
//! use raddle_ir::{Float, Scalar};
//!
//! let ir = raddle_ir::parse(
//!     "func.func @halves(%m: memref<64xf32>) attributes {translation_info = #iree_codegen.translation_info<
//!          pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 32>,
//!          gpu.known_grid_size = array<i32: 1, 1, 1>} {
//!        %t = gpu.thread_id x
//!        %x = memref.load %m[%t] : memref<64xf32>
//!        %half = arith.constant 0.5 : f32
//!        %y = arith.mulf %x, %half : f32
//!        memref.store %y, %m[%t] : memref<64xf32>
//!        return
//!      }",
//! )
//! .map_err(|diags| diags[0].clone())?;
//! let func = ir.funcs()[0];
//! let numbers: Vec<f64> = (0..64).map(f64::from).collect();
//! let args = [Tensor::from_f64(Scalar::Float(Float::F32), &[64], &numbers)];
//! let outcome = run(&ir, func, &args, &Launch::of(&ir, func)?, &Options::default())?;
//! assert_eq!(outcome.buffers[0].to_f64()[5], 2.5);
//! assert_eq!(outcome.counters.global_bytes_read, 64 * 4);
//! # Ok::<(), raddle_ir::Diag>(())
//! ```

mod cost;
mod decode;
mod fault;
mod grid;
mod inst;
mod launch;
mod machine;
mod memory;
mod ops;
mod order;
pub mod ptx;
mod regs;
mod round;
mod schedule;
mod shapes;
mod tensor;

use std::fmt;
use std::sync::Arc;

use raddle_ir::{Attr, Code as Number, DYNAMIC, Diag, Float, Ir, OpId, Scalar, Type, TypeId, ValueId};

pub use cost::{Cost, Tally, Traffic};
pub use launch::{Launch, Mode, evaluate, with_extents};
pub use tensor::Tensor;

use inst::Code;
use machine::{Machine, Pending, Subgroup};
use memory::{Buffer, Origin, WORKGROUPS_MAX};
use order::Order;
use regs::{Bank, Data, Space, View};
use schedule::Clocks;
use tensor::{checked_elements, n_elements};

/// How floats are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Precision {
    /// Every operation rounds to its type, bit for bit.
    Exact,
    /// Every float operation is done in f64 and rounded no further: an independent reference. Results are f64 tensors.
    Wide,
}

/// When an asynchronous copy happens. A program that waits where it must gives the same in both.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AsyncMode {
    /// Where it is issued: a buffer that is overwritten too early shows.
    Eager,
    /// Where its thread waits for it: a buffer that is read too early shows.
    Lazy,
}

/// How to run.
#[derive(Clone, Debug)]
pub struct Options {
    /// How floats are kept.
    pub precision: Precision,
    /// The order in which subgroups run between barriers, and workgroups in the grid; 0 is in order.
    pub seed: u64,
    /// Work, at most; the unit is about an addition of one lane, and every instruction costs a little besides its lanes.
    pub fuel: u64,
    /// Bytes of registers, buffers and shadow memory, at most.
    pub memory_max: usize,
    /// When asynchronous copies happen.
    pub copies: AsyncMode,
    /// Whether to look for races and reads of what nobody wrote, and to keep the writers of each element.
    pub sanitize: bool,
    /// Whether PTX may read what nobody wrote: some libraries read more than they use.
    pub allows_unwritten: bool,
    /// Asked now and then whether to give up.
    pub stop: Option<Stop>,
    /// Takes what kernels print.
    pub print: Option<Print>,
    /// Threads of the emulator's own. The outcome is the same for any number of them.
    pub threads: usize,
    /// Banks of shared memory, to count what each operation would cost on a GPU.
    pub banks: Option<u32>,
    /// Bytes of shared memory that a workgroup has on the chip, if that is to be checked.
    pub shared_bytes_max: Option<u64>,
    /// Groups of lanes that are served together in loads of 16 bytes from shared memory, where they are not neighbours.
    pub load_groups: &'static [&'static [usize]],
    /// Arguments (by position) whose contents are not an input: reading them before writing is an error.
    pub uninitialised_args: Vec<usize>,
    /// Arguments (by position) that lie in the memory of an earlier one, with that one: what either of them brings is
    /// what the earlier one brings. Elements of different types share no memory here.
    pub in_place: Vec<(usize, usize)>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            precision: Precision::Exact,
            seed: 0,
            copies: AsyncMode::Lazy,
            fuel: 50_000_000_000,
            stop: None,
            print: None,
            threads: 1,
            banks: None,
            shared_bytes_max: None,
            load_groups: &[],
            memory_max: 4 << 30,
            sanitize: true,
            allows_unwritten: false,
            uninitialised_args: Vec::new(),
            in_place: Vec::new(),
        }
    }
}

/// A question that ends a run when it is answered with yes: the emulator itself has no clock.
#[derive(Clone)]
pub struct Stop(pub Arc<dyn Fn(Progress) -> bool + Send + Sync>);

/// Takes a text that a thread of PTX prints, when it does.
#[derive(Clone)]
pub struct Print(pub Arc<dyn Fn(&str) + Send + Sync>);

impl fmt::Debug for Print {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Print")
    }
}

/// How far a run is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Workgroups that are done.
    pub done: u64,
    /// All workgroups.
    pub all: u64,
}

impl fmt::Debug for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Stop")
    }
}

/// What a run gives.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The function's results.
    pub results: Vec<Tensor>,
    /// The memref arguments, as they stand after the run.
    pub buffers: Vec<Tensor>,
    /// For each memref argument and element, who wrote it last; empty for arguments that the program cannot write to,
    /// and without [`Options::sanitize`].
    pub writers: Vec<Vec<Option<Writer>>>,
    /// What the run did.
    pub counters: Counters,
    /// What each operation cost, with [`Options::banks`].
    pub cost: Option<Cost>,
}

/// Who wrote an element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Writer {
    /// The workgroup's place in the grid.
    pub workgroup: [u32; 3],
    /// The subgroup in its workgroup.
    pub subgroup: u32,
    /// The lane in its subgroup.
    pub lane: u32,
    /// The operation.
    pub op: OpId,
}

/// What a run did.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counters {
    /// Operations on one element of one lane.
    pub lane_ops: u64,
    /// Bytes read from buffers.
    pub global_bytes_read: u64,
    /// Bytes written to buffers.
    pub global_bytes_written: u64,
    /// Bytes read from shared memory.
    pub shared_bytes_read: u64,
    /// Bytes written to shared memory.
    pub shared_bytes_written: u64,
    /// Barriers, each counted once for a workgroup.
    pub barriers: u64,
    /// Shuffles of a subgroup.
    pub shuffles: u64,
    /// Matrix instructions of a subgroup.
    pub matrix_ops: u64,
    /// Fuel that was used up.
    pub fuel: u64,
}

impl Counters {
    /// Adds what another run did.
    pub fn add(&mut self, other: &Counters) {
        self.lane_ops += other.lane_ops;
        self.global_bytes_read += other.global_bytes_read;
        self.global_bytes_written += other.global_bytes_written;
        self.shared_bytes_read += other.shared_bytes_read;
        self.shared_bytes_written += other.shared_bytes_written;
        self.barriers += other.barriers;
        self.shuffles += other.shuffles;
        self.matrix_ops += other.matrix_ops;
        self.fuel += other.fuel;
    }
}

/// Runs a function that the verifier has accepted.
///
/// `args` are the function's arguments in order: tensors for tensors and memrefs, tensors of one element for numbers. A
/// memref of one dimension takes a tensor of any shape with as many elements. At wide precision, floats may be given as
/// `f64`, with digits that their own type has not. Complex numbers have their parts in a last
/// dimension of two, as [`Ir::outside`] says; results do, too.
pub fn run(ir: &Ir, func: OpId, args: &[Tensor], launch: &Launch, options: &Options) -> Result<Outcome, Diag> {
    let launch = check_launch(ir, func, launch)?;
    let params: Vec<ValueId> = ir.body(func, 0).map(|body| ir.args(body).to_vec()).unwrap_or_default();
    let checked = check_args(ir, func, &params, args, options.precision);
    let specialized =
        if launch.mode == Mode::Simd && checked.is_ok() { shapes::specialize(ir, func, args) } else { None };
    let ir = specialized.as_ref().unwrap_or(ir);
    let mut code = decode::decode(ir, func, &launch, options)?;
    check_fuel(ir, func, &launch, &code, options)?;
    checked?;
    share(args, options, &mut code);

    match run_once(ir, func, args, &params, &launch, options, &code) {
        Ok(outcome) => Ok(outcome),
        Err(grid::Failed::Told(diag)) => Err(*diag),
        Err(grid::Failed::Unsure) => {
            let in_order = Options { threads: 1, ..options.clone() };
            run_once(ir, func, args, &params, &launch, &in_order, &code).map_err(|failed| match failed {
                grid::Failed::Told(diag) => *diag,
                grid::Failed::Unsure => unreachable!("one thread runs the workgroups in order"),
            })
        }
    }
}

/// Notes which memref arguments lie in the memory of others.
fn share(args: &[Tensor], options: &Options, code: &mut Code) {
    let memrefs: Vec<usize> = (0..args.len()).filter(|&arg| code.args[arg].bank == Bank::View).collect();
    for &(arg, other) in &options.in_place {
        let at = [arg, other].map(|arg| memrefs.iter().position(|&memref| memref == arg));
        if let [Some(at), Some(first)] = at
            && args[arg].elem == args[other].elem
        {
            code.in_place.push((at, first));
            code.written[first] |= code.written[at];
        }
    }
}

/// What a run takes at least: limits below this are reached in any case.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Needs {
    /// As [`Options::fuel`] counts it.
    pub fuel: u64,
    /// As [`Options::memory_max`] counts it.
    pub memory: usize,
}

/// What [`run`] needs, for arguments of these element types and numbers of elements, whatever the limits are.
pub fn needs(ir: &Ir, func: OpId, args: &[(Scalar, usize)], launch: &Launch, options: &Options) -> Result<Needs, Diag> {
    let launch = check_launch(ir, func, launch)?;
    let options = Options { memory_max: usize::MAX, ..options.clone() };
    let code = decode::decode(ir, func, &launch, &options)?;
    let (mut memory, mut at) = (code.bytes, 0);
    for (index, &(elem, n)) in args.iter().enumerate() {
        if code.args.get(index).is_some_and(|reg| reg.bank == Bank::View) {
            let tracked = is_tracked(&options, &code, index, at);
            memory = memory.saturating_add(argument_bytes(&options, &code, elem, n, tracked));
            at += 1;
        }
    }
    Ok(Needs { fuel: least_fuel(&launch, &code), memory })
}

/// Whether it is noted who reads and writes an argument, which is the memory of number `at`.
fn is_tracked(options: &Options, code: &Code, index: usize, at: usize) -> bool {
    options.sanitize && (code.written[at] || options.uninitialised_args.contains(&index))
}

/// Bytes that an argument takes in the machine and in the outcome.
fn argument_bytes(options: &Options, code: &Code, elem: Scalar, n: usize, tracked: bool) -> usize {
    let bank = bank_of(elem, options.precision);
    let writers = if tracked { size_of::<Option<Writer>>() } else { 0 };
    let told = n.saturating_mul(elem.bytes() + writers);
    Buffer::bytes(bank, elem, n, tracked, code.is_careful()).saturating_add(told)
}

/// Fuel without which the machine cannot come to an end.
fn least_fuel(launch: &Launch, code: &Code) -> u64 {
    let workgroups = launch.grid.iter().map(|&extent| u64::from(extent)).fold(1, u64::saturating_mul);
    let each = code.least.saturating_add(inst::START).saturating_mul(launch.n_subgroups() as u64);
    workgroups.saturating_mul(each)
}

fn run_once(
    ir: &Ir,
    func: OpId,
    args: &[Tensor],
    params: &[ValueId],
    launch: &Launch,
    options: &Options,
    code: &Code,
) -> Result<Outcome, grid::Failed> {
    let failed = |diag: Diag| grid::Failed::Told(Box::new(diag));
    let lanes = launch.lanes();
    let mut memory_left = options.memory_max.saturating_sub(code.bytes);
    let (mut globals, mut views) = (Vec::new(), Vec::new());
    for (index, (&param, tensor)) in params.iter().zip(args).enumerate() {
        let reg = code.args[index];
        if reg.bank != Bank::View {
            continue;
        }
        let at = globals.len();
        let bank = bank_of(tensor.elem, options.precision);
        let initialised = !options.uninitialised_args.contains(&index);
        let tracked = is_tracked(options, code, index, at);
        let bytes = argument_bytes(options, code, tensor.elem, tensor.n_elements(), tracked);
        memory_left = memory_left.checked_sub(bytes).ok_or_else(|| {
            let message = format!("limit: the buffers need more than the run's {} bytes of memory", options.memory_max);
            failed(Diag::error(Number::LimitHit, ir.span(func), message).help("raise the memory limit"))
        })?;
        let data = Data::of_tensor(tensor, bank);
        let origin = Origin::Argument(at);
        globals.push(Buffer::new(data, tensor.elem, &tensor.shape, 1, origin, initialised, tracked));
        views.push((reg, view_of(ir, func, param, tensor, code.memory_of(at), lanes).map_err(failed)?));
    }

    let mut subgroups: Vec<Subgroup> = (0..launch.n_subgroups())
        .map(|id| {
            let here = match launch.mode {
                Mode::Simd => 1,
                Mode::Simt => (launch.threads() as usize - id * lanes).min(lanes),
            };
            Subgroup::new(id as u32, code, lanes, u128::MAX >> (128 - here))
        })
        .collect();
    for subgroup in &mut subgroups {
        for (reg, view) in &views {
            subgroup.regs.views[reg.at as usize] = view.clone();
        }
        for (&reg, tensor) in code.args.iter().zip(args) {
            fill(subgroup, reg, tensor);
        }
    }

    let mut machine = Machine {
        ir,
        code,
        launch,
        options,
        globals,
        shared: code.shared.iter().map(|_| None).collect(),
        counters: Counters::default(),
        tallies: vec![Tally::default(); if options.banks.is_some() { code.insts.len() } else { 0 }],
        fuel: 0,
        reserve: options.fuel,
        memory_left,
        stopped: false,
        done: Arc::default(),
        workgroup: 0,
        block: [0; 3],
        arrived: Default::default(),
        phases: Default::default(),
        bulk: Vec::new(),
        clocks: [0; 2].map(|_| Clocks::new(launch.n_subgroups(), code.partial)),
        order: Order::default(),
        pending: Pending::default(),
        addresses: Vec::new(),
    };
    grid::run(&mut machine, &mut subgroups)?;
    machine.counters.fuel = options.fuel - machine.fuel_left();
    Ok(outcome(ir, func, &machine, &subgroups))
}

/// Threads of a workgroup, at most; chips have 1024.
const THREADS_MAX: u32 = 1 << 20;

/// A launch that the machine can run. A function on tensors runs once, whatever its grid will be.
fn check_launch(ir: &Ir, func: OpId, launch: &Launch) -> Result<Launch, Diag> {
    let bad = |code: Number, message: String| Err(Diag::error(code, ir.span(func), message));
    let mut launch = launch.clone();
    let (_, results) = ir.signature(func);
    if !results.is_empty() {
        if launch.mode == Mode::Simt {
            return bad(Number::BadLaunch, "a kernel of single lanes has no results; it writes to memrefs".into());
        }
        launch.grid = [1; 3];
    }
    // A grid that follows from the arguments may be empty; nobody writes an empty one down.
    let is_empty = launch.grid.contains(&0) && raddle_ir::extents::Sizes::grid(ir, func)?.is_none();
    if is_empty || launch.threads() == 0 || launch.subgroup_size == 0 {
        return bad(Number::BadLaunch, "a launch has at least one workgroup of one lane".into());
    }
    if launch.mode == Mode::Simt && launch.subgroup_size > 128 {
        return bad(Number::BadLaunch, format!("a subgroup has at most 128 lanes, not {}", launch.subgroup_size));
    }
    if launch.threads() > THREADS_MAX {
        return bad(
            Number::LimitHit,
            format!("limit: a workgroup has at most {THREADS_MAX} threads, not {}", launch.threads()),
        );
    }
    let workgroups: u128 = launch.grid.iter().map(|&extent| u128::from(extent)).product();
    if workgroups >= u128::from(WORKGROUPS_MAX) {
        return bad(Number::LimitHit, format!("limit: {workgroups} workgroups are more than the emulator can number"));
    }
    Ok(launch)
}

/// A program that cannot end with its fuel does not begin.
fn check_fuel(ir: &Ir, func: OpId, launch: &Launch, code: &Code, options: &Options) -> Result<(), Diag> {
    if least_fuel(launch, code) <= options.fuel {
        return Ok(());
    }
    let workgroups = launch.grid.iter().map(|&extent| u64::from(extent)).product::<u64>();
    let each = code.least.saturating_add(inst::START).saturating_mul(launch.n_subgroups() as u64);
    let each = if each == u64::MAX { "more than 2^64".to_owned() } else { each.to_string() };
    let who =
        if workgroups == 1 { "the program needs".to_owned() } else { format!("{workgroups} workgroups need, each,") };
    let message = format!("limit: {who} {each} of fuel at least, and the run has {} in all", options.fuel);
    Err(Diag::error(Number::LimitHit, ir.span(func), message)
        .help("raise the fuel, or look for a grid or a bound that is wrong"))
}

/// Every argument has the element type and the shape of its parameter.
fn check_args(ir: &Ir, func: OpId, params: &[ValueId], args: &[Tensor], precision: Precision) -> Result<(), Diag> {
    let bad = |message: String| Err(Diag::error(Number::BadInput, ir.span(func), message));
    if params.len() != args.len() {
        return bad(format!("the function takes {} arguments, and {} are given", params.len(), args.len()));
    }
    for (index, (&param, tensor)) in params.iter().zip(args).enumerate() {
        let (shape, elem) = ir.outside(ir.type_of(param));
        let is_float = matches!(elem, Some(Scalar::Float(_)));
        let is_wide = precision == Precision::Wide && is_float && tensor.elem == Scalar::Float(Float::F64);
        if elem != Some(tensor.elem) && !is_wide {
            let want = elem.map_or("another type".into(), |elem| elem.to_string());
            return bad(format!("argument {index} has elements of type {want}, and the input has {}", tensor.elem));
        }
        let Some(n) = checked_elements(&tensor.shape, usize::MAX / 32) else {
            return bad(format!("input {index} has an impossible shape"));
        };
        if n.checked_mul(tensor.elem.bytes()) != Some(tensor.bytes.len()) {
            return bad(format!("input {index} has {} bytes, which do not fill its shape", tensor.bytes.len()));
        }
        let same = shape.len() == tensor.shape.len()
            && shape.iter().zip(&tensor.shape).all(|(&want, &have)| want == DYNAMIC || want == have);
        let is_memref = matches!(ir.ty(param), Type::MemRef { .. });
        let flat = is_memref && shape.len() == 1 && (shape[0] == DYNAMIC || shape[0] as usize == n);
        let single = shape.is_empty() && n == 1;
        if !(same || flat || single) {
            let list = |shape: &[i64]| {
                let extents: Vec<String> =
                    shape.iter().map(|&d| if d == DYNAMIC { "?".into() } else { d.to_string() }).collect();
                extents.join("x")
            };
            return bad(format!(
                "argument {index} has shape {}, and the input has {}",
                list(&shape),
                list(&tensor.shape)
            ));
        }
    }
    Ok(())
}

/// The view of a whole argument, with the layout that its type gives it.
fn view_of(ir: &Ir, func: OpId, param: ValueId, tensor: &Tensor, at: usize, lanes: usize) -> Result<View, Diag> {
    let space = Space::Global(at as u32);
    let Type::MemRef { shape, layout, .. } = ir.ty(param) else { return Ok(View::default()) };
    let n = tensor.n_elements() as i64;
    let shape: Vec<i64> = match &shape[..] {
        [_] => vec![n],
        shape => {
            shape.iter().zip(&tensor.shape).map(|(&want, &have)| if want == DYNAMIC { have } else { want }).collect()
        }
    };
    let mut view = View::whole(space, &shape, lanes);
    match layout.map(|layout| &ir[layout]) {
        None => {}
        Some(Attr::Map(map)) if map.is_identity() => {}
        // An input brings its elements and no gaps, so that its strides are the dense ones.
        Some(Attr::Strided { offset, strides })
            if (*offset == 0 || *offset == DYNAMIC)
                && strides.iter().zip(&view.strides).all(|(&want, &dense)| want == DYNAMIC || want == dense) => {}
        Some(_) => {
            return Err(Diag::error(
                Number::CannotExecute,
                ir.span(func),
                format!("argument {at} of the kernel has a layout that is not dense and row-major"),
            ));
        }
    }
    view.offset.resize(lanes, 0);
    Ok(view)
}

fn bank_of(elem: Scalar, precision: Precision) -> Bank {
    match (elem, precision) {
        (Scalar::Int(65..), _) => Bank::Wide,
        (Scalar::Int(_) | Scalar::Index, _) => Bank::Int,
        (Scalar::Float(Float::F64), _) | (Scalar::Float(_), Precision::Wide) => Bank::F64,
        (Scalar::Float(_), Precision::Exact) => Bank::F32,
    }
}

/// Puts a tensor or number argument into its register, the same for every lane.
fn fill(subgroup: &mut Subgroup, reg: regs::Reg, tensor: &Tensor) {
    let lanes = subgroup.regs.lanes;
    let at = reg.at as usize;
    match reg.bank {
        Bank::F32 => repeat(&mut subgroup.regs.f32s[at], lanes, tensor.to_f32s().into_iter()),
        Bank::F64 => repeat(&mut subgroup.regs.f64s[at], lanes, tensor.to_f64().into_iter()),
        Bank::Int => repeat(&mut subgroup.regs.ints[at], lanes, tensor.to_i64().into_iter()),
        Bank::Wide => repeat(&mut subgroup.regs.wides[at], lanes, tensor.to_integers().into_iter()),
        Bank::Complex => repeat(&mut subgroup.regs.complexes[at], lanes, regs::pairs(tensor)),
        Bank::View => {}
    }
}

fn repeat<T: Clone>(out: &mut [T], lanes: usize, values: impl Iterator<Item = T>) {
    for (out, value) in out.chunks_exact_mut(lanes).zip(values) {
        out.fill(value);
    }
}

fn outcome(ir: &Ir, func: OpId, machine: &Machine<'_>, subgroups: &[Subgroup]) -> Outcome {
    let code: &Code = machine.code;
    let (_, types) = ir.signature(func);
    let mut results = Vec::new();
    if let Some(subgroup) = subgroups.first() {
        let regs = &subgroup.regs;
        for (&ty, &reg) in types.iter().zip(&code.results) {
            let (shape, elem) = shape_and_elem(ir, ty);
            let at = reg.at as usize;
            let data = match reg.bank {
                Bank::F32 => Data::F32(regs.f32s[at].clone()),
                Bank::F64 => Data::F64(regs.f64s[at].clone()),
                Bank::Int => Data::Int(regs.ints[at].clone()),
                Bank::Wide => Data::Wide(regs.wides[at].clone()),
                Bank::Complex => Data::Complex(regs.complexes[at].clone()),
                Bank::View => continue,
            };
            results.push(tensor_of(&data, elem, &shape, machine.options.precision));
        }
    }
    let precision = machine.options.precision;
    let globals = || (0..machine.globals.len()).map(|at| &machine.globals[code.memory_of(at)]);
    let buffers = globals().map(|buffer| tensor_of(buffer.data(), buffer.elem, &buffer.shape, precision)).collect();
    let writers = globals().map(|buffer| writers(machine, buffer)).collect();
    let cost = machine.options.banks.map(|_| Cost::of(code, &machine.tallies));
    Outcome { results, buffers, writers, counters: machine.counters, cost }
}

fn shape_and_elem(ir: &Ir, ty: TypeId) -> (Vec<i64>, Scalar) {
    let (shape, elem) = ir.outside(ty);
    (shape, elem.unwrap_or(Scalar::Index))
}

fn tensor_of(data: &Data, elem: Scalar, shape: &[i64], precision: Precision) -> Tensor {
    debug_assert!(n_elements(shape) > 0 || shape.contains(&0), "extents are not negative");
    match data {
        Data::F32(values) => Tensor::from_f32s(elem, shape, values),
        Data::F64(values) if precision == Precision::Wide => Tensor::from_f64(Scalar::Float(Float::F64), shape, values),
        Data::F64(values) => Tensor::from_f64(elem, shape, values),
        Data::Int(values) => Tensor::from_i64(elem, shape, values),
        Data::Wide(values) => Tensor::from_integers(elem, shape, values.iter().cloned()),
        Data::Complex(values) => {
            let parts: Vec<f64> = values.iter().flat_map(|z| [z.re, z.im]).collect();
            let elem = if precision == Precision::Wide { Scalar::Float(Float::F64) } else { elem };
            Tensor::from_f64(elem, shape, &parts)
        }
    }
}

fn writers(machine: &Machine<'_>, buffer: &Buffer) -> Vec<Option<Writer>> {
    if !buffer.is_tracked() {
        return Vec::new();
    }
    let lanes = machine.launch.lanes() as u32;
    (0..n_elements(&buffer.shape))
        .map(|at| {
            buffer.writer(at).map(|access| Writer {
                workgroup: grid::place(machine.launch.grid, access.workgroup),
                subgroup: access.thread / lanes,
                lane: access.thread % lanes,
                op: machine.code.ops[access.pc()],
            })
        })
        .collect()
}
