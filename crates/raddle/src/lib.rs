//! A layout-aware vector compiler for GPUs: MLIR text in, checked results and PTX out.
//!
//! ```
//! let text = "
//!     func.func @scale(%a: tensor<64x128xf32>, %out: tensor<64x128xf32>) -> tensor<64x128xf32> {
//!       %0 = linalg.generic {
//!           indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
//!           iterator_types = [\"parallel\", \"parallel\"]
//!         } ins(%a : tensor<64x128xf32>) outs(%out : tensor<64x128xf32>) {
//!         ^bb0(%x: f32, %y: f32):
//!           %1 = arith.mulf %x, %x : f32
//!           linalg.yield %1 : f32
//!       } -> tensor<64x128xf32>
//!       return %0 : tensor<64x128xf32>
//!     }";
//! let artifact = raddle::compile(text, &raddle::Options::default())?;
//! assert!(artifact.text.contains(".entry scale"));
//!
//! // What is wrong comes back as data, and prints like a compiler's message.
//! let report = raddle::compile("func.func @f(", &raddle::Options::default()).unwrap_err();
//! assert_eq!(report.diags[0].code.number(), "E0101");
//! # Ok::<(), raddle::Report>(())
//! ```
//!
//! What no kernel is compiled from, as most of `llvm`, `nvvm`, `rocdl`, `stream`, `transform` and the host's side of `hal`,
//! is read with the feature `dialects`, which the command line has: `compile` loads these operations, and
//! `raddle::dialects::load()` does for those who parse themselves.
//!
//! A function may become several kernels. [`Artifact::sequence`] says which are called on which memory, with a workspace
//! for temporaries; loops and branches are steps that have others inside:
//!
//! ```
//! use raddle::emit::sequence::{Argument, Base, Step};
//!
//! let text = "
//!     func.func @f(%x: tensor<64x128xf16>, %w: tensor<128x256xf16>, %v: tensor<256x64xf16>) -> tensor<64x64xf16> {
//!       %zero = arith.constant 0.0 : f16
//!       %e = tensor.empty() : tensor<64x256xf16>
//!       %f = linalg.fill ins(%zero : f16) outs(%e : tensor<64x256xf16>) -> tensor<64x256xf16>
//!       %h = linalg.matmul ins(%x, %w : tensor<64x128xf16>, tensor<128x256xf16>) outs(%f : tensor<64x256xf16>)
//!           -> tensor<64x256xf16>
//!       %e2 = tensor.empty() : tensor<64x64xf16>
//!       %f2 = linalg.fill ins(%zero : f16) outs(%e2 : tensor<64x64xf16>) -> tensor<64x64xf16>
//!       %y = linalg.matmul ins(%h, %v : tensor<64x256xf16>, tensor<256x64xf16>) outs(%f2 : tensor<64x64xf16>)
//!           -> tensor<64x64xf16>
//!       return %y : tensor<64x64xf16>
//!     }";
//! let artifact = raddle::compile(text, &raddle::Options::default())?;
//! let sequence = artifact.sequence.as_ref().expect("its temporaries have known sizes");
//! // What `f` is called with: three arguments and the result. Buffers have no value as numbers.
//! let symbols = sequence.symbols(&[0; 4]).expect("no number overflows");
//! assert_eq!(sequence.workspace_bytes.eval(&[], &symbols), Some(64 * 256 * 2));
//! for step in &sequence.steps {
//!     let Step::Call { kernel, arguments } = step else { continue };
//!     let kernel = &artifact.kernels[*kernel];
//!     // Here a runtime launches `kernel.entry` on `kernel.launch.grid`, with the addresses of these buffers.
//!     let is_temporary = |argument: &Argument| matches!(argument, Argument::Buffer(at) if at.base == Base::Workspace);
//!     assert!(arguments.len() == 3 && arguments.iter().any(is_temporary), "{} has another use", kernel.entry);
//! }
//! # Ok::<(), raddle::Report>(())
//! ```
//!
//! [`Artifact::plan`] says it in MLIR text, with control flow between kernels; [`run::host::run`] carries that out, and asks
//! its caller for each kernel:
//!
//! ```
//! use raddle::run::{host as caller, spec::Spec};
//!
//! let text = "
//!     func.func @mlp(%x: tensor<8x64xf32>, %w: tensor<64x256xf32>, %v: tensor<256x64xf32>) -> tensor<8x64xf32> {
//!       %zero = arith.constant 0.0 : f32
//!       %e = tensor.empty() : tensor<8x256xf32>
//!       %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x256xf32>) -> tensor<8x256xf32>
//!       %h = linalg.matmul ins(%x, %w : tensor<8x64xf32>, tensor<64x256xf32>) outs(%f : tensor<8x256xf32>)
//!           -> tensor<8x256xf32>
//!       %e2 = tensor.empty() : tensor<8x64xf32>
//!       %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<8x64xf32>) -> tensor<8x64xf32>
//!       %y = linalg.matmul ins(%h, %v : tensor<8x256xf32>, tensor<256x64xf32>) outs(%f2 : tensor<8x64xf32>)
//!           -> tensor<8x64xf32>
//!       return %y : tensor<8x64xf32>
//!     }";
//! let artifact = raddle::compile(text, &raddle::Options::default())?;
//! let plan = artifact.plan().expect("there are two kernels");
//! let plan = raddle::ir::parse(&plan).map_err(|diags| diags[0].clone())?;
//! let host = raddle::pipeline::function(&plan, Some(&artifact.function))?;
//! let shapes = ["8x64xf32=1", "64x256xf32=1", "256x64xf32=1"];
//! let args = shapes.map(|shape| Spec::parse(shape).and_then(|spec| spec.tensor(&[], None)));
//! let args = args.into_iter().collect::<Result<Vec<_>, _>>()?;
//! let mut called = Vec::new();
//! let results = caller::run(&plan, host, &args, &|name| name.contains("_kernel_"), &mut |name, args, _| {
//!     let kernel = artifact.kernels.iter().find(|kernel| kernel.name == name).expect("the host calls these kernels");
//!     called.push(kernel.entry.clone());
//!     // Here a runtime allocates the results, which are the parameters behind the arguments, and launches
//!     // `kernel.entry` with `kernel.grid(…)` and `kernel.launch.workgroup_size`.
//!     let results = kernel.parameters[args.len()..].iter().filter_map(|result| {
//!         Some(raddle::run::Tensor::zeros(result.elem, result.shape.as_ref()?))
//!     });
//!     Ok(results.collect())
//! })?;
//! assert_eq!((called.len(), &results[0].shape[..]), (2, &[8, 64][..]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Code for a CPU is made and called in this process by libLLVM, where that is installed:
//!
//! ```no_run
//! use raddle::run::cpu::{Arg, Buffer, Program};
//! use raddle::run::llvm::{Form, Llvm};
//! use raddle::{Emit, Options, emit, pipeline};
//!
//! let text = "
//!     func.func @square(%x: tensor<1024xf32>) -> tensor<1024xf32> {
//!       %0 = arith.mulf %x, %x : tensor<1024xf32>
//!       return %0 : tensor<1024xf32>
//!     }";
//! let options = Options { target: "host".to_owned(), emit: Emit::Llvm, ..Options::default() };
//! let artifact = raddle::compile(text, &options)?;
//! let kernel = &artifact.kernels[0];
//! let machine = emit::llvm::machine(pipeline::chip(artifact.target)?);
//! let llvm = Llvm::open(None)?;
//! let object = llvm.compile(&artifact.text, machine.triple, machine.cpu, Form::Object)?;
//! let program = Program::load(llvm, &object)?;
//! // The parameters in their order; the result is the last one.
//! let threes: Vec<u8> = [3.0f32; 1024].into_iter().flat_map(f32::to_le_bytes).collect();
//! let mut args = [Arg::Buffer(Buffer::of(&threes)), Arg::Buffer(Buffer::of(&[0; 4096]))];
//! let workgroups = kernel.grid(&[]).expect("the grid is known").iter().map(|&n| i64::from(n)).product();
//! let mut call = program.prepare(&emit::llvm::packed_name(&kernel.entry), &mut args)?;
//! call.run(workgroups, 4);
//! call.finish()?;
//! let Arg::Buffer(result) = &args[1] else { unreachable!() };
//! assert_eq!(result.bytes()[..4], 9.0f32.to_le_bytes());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Nothing here has a state of its own: programs, options and artifacts are `Send` and `Sync`, and many threads may compile
//! at once, each its own program. The stack that Rust gives a thread is enough.
//!
//! Behind `compile` stand the crates that it calls, which are modules of this one: IR is built, parsed and printed by
//! [`ir`], passed by [`passes`] and [`pipeline`], written by [`emit`], and run by [`run`]. [`compile_ir`] compiles what was
//! built.
//!
//! ```
//! use raddle::ir::{self, PrintOptions};
//! use raddle::passes::Facts;
//! use raddle::run::{Device, Emulator, Launch, Options, spec::Spec};
//! use raddle::{pipeline, target::Stage};
//!
//! let text = "
//!     func.func @twice(%a: tensor<16x32xf32>, %b: tensor<16x32xf32>) -> tensor<16x32xf32> {
//!       %0 = linalg.add ins(%a, %a : tensor<16x32xf32>, tensor<16x32xf32>)
//!                       outs(%b : tensor<16x32xf32>) -> tensor<16x32xf32>
//!       return %0 : tensor<16x32xf32>
//!     }";
//! let mut ir = ir::parse(text).map_err(|diags| diags[0].clone())?;
//! let func = pipeline::function(&ir, Some("twice"))?;
//! let facts = Facts::new(pipeline::chip("sm_80")?);
//! pipeline::advance(&mut ir, func, &facts, Stage::Distributed, |pass, _| println!("{}", pass.name))?;
//! assert!(ir::print(&ir, &PrintOptions::default()).contains("gpu.thread_id"));
//!
//! // The kernel takes the inputs, then the result, and runs on the emulator thread by thread.
//! let input = Spec::parse("16x32xf32=1.5")?.tensor(&[], None)?;
//! let output = Spec::parse("16x32xf32=0")?.tensor(&[], None)?;
//! let args = [input.clone(), input, output];
//! let ran = Emulator.run(&ir, func, &args, &Launch::of(&ir, func)?, &Options::default())?;
//! assert_eq!(ran.buffers[2].to_f64(), vec![3.0; 16 * 32]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod artifact;
mod header;
mod nearest;
pub mod pipeline;
mod report;
mod sequence;

pub use artifact::{Artifact, Kernel, Resources, evaluate};
pub use header::{header, header_of};
pub use nearest::did_you_mean;
#[cfg(feature = "dialects")]
pub use raddle_dialects as dialects;
pub use raddle_emit as emit;
pub use raddle_emit::{Parameter, Sequence};
pub use raddle_ir as ir;
pub use raddle_layout as layout;
pub use raddle_passes as passes;
pub use raddle_passes::F32Products;
pub use raddle_run as run;
pub use raddle_run::Launch;
pub use raddle_target as target;
pub use report::Report;

use raddle_emit::{llvm, ptx};
use raddle_ir::interface::Interface;
use raddle_ir::{Attr, Code, Diag, Ir, OpId, PrintOptions, TypeId};
use raddle_passes::partition::hoisted;
use raddle_passes::{Facts, symbols};
use raddle_target::{Chip, Language, Lowered, Stage};

use pipeline::Program;

/// The chip to compile for when nobody says one.
pub const DEFAULT_TARGET: &str = "sm_80";

/// What to compile, for what, into what.
///
/// With the text and the version of this crate it is a key under which an [`Artifact`] can be kept: the same input gives
/// the same bytes, but for the target `host`, which is another chip on another machine.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Options {
    /// The chip's name, as `raddle targets` lists it.
    pub target: String,
    /// The function; `None` for the only one.
    pub function: Option<String>,
    /// The form of the result.
    pub emit: Emit,
    /// Functions may be approximated by the chip's instructions.
    pub fast_math: bool,
    /// What products of f32 may become, on chips whose matrix instructions take tf32.
    pub f32_products: F32Products,
    /// Assemblers leave loops as they are written.
    pub keep_loops: bool,
    /// Instructions say which line of the program they come from.
    pub line_info: bool,
    /// Code for CPUs checks, while it runs, each access that is not surely inside of its buffer.
    pub bounds_checks: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            target: DEFAULT_TARGET.to_owned(),
            function: None,
            emit: Emit::Ptx,
            fast_math: false,
            f32_products: F32Products::Exact,
            keep_loops: false,
            line_info: false,
            bounds_checks: false,
        }
    }
}

/// The form of a compiled kernel.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Emit {
    /// PTX text, for NVIDIA chips.
    Ptx,
    /// LLVM IR, for AMD chips and CPUs.
    Llvm,
    /// IR at the last stage, `lowered`: MLIR text.
    Ir,
}

/// Compiles one function of an MLIR text.
///
/// # Errors
///
/// What is wrong with the text, with all mistakes that were found; with the options (`E0903`: there is no such target or
/// function, or several functions and none is named; `E0701`: the target has another form); or why a pass refuses the
/// function. `Code::number` of the first diagnostic tells them apart, and `raddle explain` says what each means.
pub fn compile(text: &str, options: &Options) -> Result<Artifact, Report> {
    compile_named("<text>", text, options)
}

/// The same, with the name that diagnostics give to the text.
///
/// # Errors
///
/// As of [`compile`].
pub fn compile_named(name: &str, text: &str, options: &Options) -> Result<Artifact, Report> {
    let report = |diag: Diag| Report::new(vec![diag], name, text);
    let chip = pipeline::chip(&options.target).map_err(report)?;
    let ir = pipeline::open(text, chip).map_err(|diags| Report::new(diags, name, text))?;
    let func = pipeline::function(&ir, options.function.as_deref()).map_err(report)?;
    compile_function(ir, func, chip, options, (name, text)).map_err(report)
}

/// A function by its name, and what became of it.
pub type Compiled = (String, Result<Artifact, Diag>);

/// Compiles every function of an MLIR text, as of a dump with many dispatches: the name of each, and what became of it.
///
/// Tests that hold their data are compiled as functions of that data.
///
/// # Errors
///
/// Where the text is wrong, or has no function (`E0908`), or there is no such target. A function that is refused is an
/// entry of the list.
pub fn compile_all(file: &str, text: &str, options: &Options) -> Result<Vec<Compiled>, Report> {
    let report = |diag: Diag| Report::new(vec![diag], file, text);
    let chip = pipeline::chip(&options.target).map_err(report)?;
    let mut ir = pipeline::open(text, chip).map_err(|diags| Report::new(diags, file, text))?;
    let funcs = pipeline::functions(&ir);
    if funcs.is_empty() {
        return Err(report(pipeline::nothing_to_do(&ir)));
    }
    let mut all = Vec::new();
    for func in funcs {
        let name = ir.symbol_name(func).unwrap_or_default().to_owned();
        let outlined = raddle_passes::outline::outline(&mut ir, func);
        ir.share();
        let result = outlined.and_then(|_| {
            let (ir, func) = alone(&ir, func, &name);
            compile_function(ir, func, chip, options, (file, text))
        });
        all.push((name, result));
    }
    // A kernel that another function calls is there already.
    let within = |name: &String| {
        let artifacts = all.iter().filter(|other| other.0 != *name).filter_map(|other| other.1.as_ref().ok());
        artifacts.flat_map(|artifact| &artifact.kernels).any(|kernel| kernel.name == *name)
    };
    let twice: Vec<String> = all.iter().map(|(name, _)| name.clone()).filter(within).collect();
    all.retain(|(name, _)| !twice.contains(name));
    Ok(all)
}

/// A function in a program of its own, which takes no longer among a thousand others; with these, as they are, where it
/// calls some of them, or one is called as a kernel of it will be.
fn alone(ir: &Ir, func: OpId, name: &str) -> (Ir, OpId) {
    let is_at_top = |op: &OpId| ir.parent_op(*op) == Some(ir.module());
    let top = std::iter::successors(Some(func), |&op| ir.parent_op(op)).find(is_at_top);
    let kernels = format!("{name}_kernel_");
    let mut others = ir.block_ops(ir.module_block()).filter_map(|op| ir.symbol_name(op));
    let extracted = top.filter(|_| !others.any(|other| other.starts_with(&kernels))).and_then(|top| ir.extract(top));
    match extracted {
        Some((alone, ops)) => (alone, ops[&func]),
        None => (ir.clone(), func),
    }
}

/// Compiles one function of IR that was built, or changed, in memory.
///
/// ```
/// use raddle::ir::{Builder, Float, Ir, Opcode, Span, Type};
///
/// let mut ir = Ir::new();
/// let (f16, f32) = (ir.float_type(Float::F16), ir.float_type(Float::F32));
/// let mut tensor = |shape: [i64; 2], elem| ir.intern_type(Type::Tensor { shape: shape.to_vec(), elem, encoding: None });
/// let (a, b, c) = (tensor([100, 64], f16), tensor([64, 72], f16), tensor([100, 72], f32));
/// let name = ir.str_attr("product");
/// let func = ir.create(Opcode::FuncFunc, &[], &[], &[("sym_name", name)], Span::default());
/// ir.set_signature(func, &[a, b], &[c]);
/// ir.append(ir.module_block(), func);
/// let region = ir.add_region(func);
/// let block = ir.add_block(region, &[a, b]);
/// let args = ir.args(block).to_vec();
/// let mut builder = Builder::at_end(&mut ir, block, Span::default());
/// let zero = builder.float(0.0, f32);
/// let empty = builder.value(Opcode::TensorEmpty, &[], c, &[]);
/// let sum = builder.named(Opcode::LinalgFill, &[zero], &[empty], &[]);
/// let sum = builder.ir.result(sum, 0);
/// let product = builder.named(Opcode::LinalgMatmul, &args, &[sum], &[]);
/// let product = builder.ir.result(product, 0);
/// builder.op(Opcode::FuncReturn, &[product], &[], &[]);
///
/// let artifact = raddle::compile_ir(ir, &raddle::Options::default())?;
/// assert!(artifact.text.contains("mma.sync"));
/// # Ok::<(), raddle::ir::Diag>(())
/// ```
///
/// # Errors
///
/// The first diagnostic of the verifier, or as of [`compile`].
pub fn compile_ir(mut ir: Ir, options: &Options) -> Result<Artifact, Diag> {
    let chip = pipeline::chip(&options.target)?;
    if let Some(diag) = raddle_ir::verify(&ir).into_iter().next() {
        return Err(diag);
    }
    pipeline::hoist(&mut ir, &Facts::new(chip))?;
    let func = pipeline::function(&ir, options.function.as_deref())?;
    compile_function(ir, func, chip, options, ("<ir>", ""))
}

fn compile_function(
    ir: Ir,
    func: OpId,
    chip: &'static Chip,
    options: &Options,
    source: (&str, &str),
) -> Result<Artifact, Diag> {
    let language = match options.emit {
        Emit::Ptx => Some(Language::Ptx),
        Emit::Llvm => Some(Language::Llvm),
        Emit::Ir => None,
    };
    if let Some(language) = language.filter(|&language| language != chip.language) {
        return Err(no_emitter(chip, language));
    }
    if options.line_info && options.emit != Emit::Ptx {
        return Err(Diag::nowhere(
            Code::CannotEmit,
            "only PTX says which line of the program an instruction comes from",
        )
        .help("leave out `--line-info`"));
    }
    if options.bounds_checks && options.emit != Emit::Ir && chip.native.is_none() {
        let message = format!("only code for CPUs checks its accesses, and {} is none", chip.name);
        return Err(Diag::nowhere(Code::CannotEmit, message).help("`raddle run --device=emu` checks every access"));
    }
    let function = ir.symbol_name(func).unwrap_or_default().to_owned();
    let mut facts = Facts::new(chip).with_f32_products(options.f32_products);
    facts.fast_math = options.fast_math;
    facts.bounds_checks = options.bounds_checks;
    let shapes_of =
        |ir: &Ir, kernels: &[OpId]| kernels.iter().map(|&kernel| artifact::shapes(ir, kernel)).collect::<Vec<_>>();
    let (mut shapes, mut sizes) = (Vec::new(), Vec::new());
    let program = Program::compile(ir, func, &facts, |pass, ir, kernels| {
        if pass.is_none() {
            sizes = kernels.iter().map(|&kernel| symbols::results(ir, kernel)).collect();
        }
        if pass.is_none_or(|pass| pass.stage != Some(Stage::Lowered)) {
            shapes = shapes_of(ir, kernels);
        }
    })?;
    let Program { mut ir, host, kernels } = program;
    for &kernel in &kernels {
        pipeline::finish(&mut ir, kernel, &facts)?;
    }
    let lowered = kernels.iter().map(|&kernel| Lowered::check(&ir, kernel, chip)).collect::<Result<Vec<_>, _>>()?;
    let mut text = match options.emit {
        Emit::Ptx => {
            let mut choices = ptx::Options::default();
            choices.fast_math = options.fast_math;
            choices.keep_loops = options.keep_loops;
            if options.line_info {
                choices.source = Some(ptx::Source { name: source.0.to_owned(), text: source.1.to_owned() });
            }
            ptx::emit_all(&ir, &lowered, &choices)?
        }
        Emit::Llvm => {
            let mut choices = llvm::Options::default();
            choices.fast_math = options.fast_math;
            choices.keep_loops = options.keep_loops;
            choices.bounds_checks = options.bounds_checks;
            choices.source = Some(source.1.to_owned());
            llvm::emit_all(&ir, &lowered, &choices)?
        }
        Emit::Ir if pipeline::functions(&ir).len() == kernels.len() => raddle_ir::print(&ir, &PrintOptions::default()),
        Emit::Ir => {
            let one = |&kernel: &OpId| raddle_ir::text::print_one(&ir, kernel, &PrintOptions::default()) + "\n";
            kernels.iter().map(one).collect()
        }
    };
    let kernels = lowered
        .iter()
        .zip(shapes.iter().zip(&sizes))
        .map(|(lowered, (shapes, sizes))| {
            let mut kernel = Kernel::of(&ir, lowered, options.emit, shapes)?;
            if Interface::of(&ir, lowered.func())?.is_none() {
                kernel.state_extents(sizes);
            }
            Ok(Kernel { bounds_checks: options.bounds_checks || kernel.bounds_checks, ..kernel })
        })
        .collect::<Result<Vec<Kernel>, Diag>>()?;
    let launch = kernels.first().map(|kernel| kernel.launch.clone());
    let launch = launch.ok_or_else(|| pipeline::no_kernel(&function))?;
    let called = host.as_ref().map(|host| host.sequence(&kernels, chip));
    let (sequence, no_sequence) = match called {
        None => (None, None),
        Some(Ok(sequence)) => (Some(sequence), None),
        Some(Err(diag)) => (None, Some(diag)),
    };
    if let Some(sequence) = sequence.as_ref().filter(|_| options.emit == Emit::Llvm && chip.native.is_some()) {
        let callees: Vec<llvm::Callee<'_>> = kernels.iter().map(Kernel::callee).collect();
        text.push_str(&llvm::sequence(sequence, &callees));
    }
    let print = |host: &pipeline::Host, op: OpId| raddle_ir::text::print_one(&host.ir, op, &PrintOptions::default());
    let once = |host: &pipeline::Host| hoisted::of_kernels(&host.ir, &host.kernels);
    let once = host.as_ref().map(once).unwrap_or_default();
    let declarations = host.as_ref().map(|host| declared(host, &once)).unwrap_or_default();
    let of_host = |host: &pipeline::Host| once.iter().map(|&op| print(host, op).trim_end().to_owned()).collect();
    let initializers = host.as_ref().map(of_host).unwrap_or_default();
    let host = host.map(|host| print(&host, host.func));
    Ok(Artifact {
        text,
        function,
        target: chip.name,
        launch,
        kernels,
        host,
        initializers,
        declarations,
        sequence,
        no_sequence,
    })
}

/// What a host, and what is done once for its calls, name: kernels without their bodies, and all else as it is.
fn declared(host: &pipeline::Host, once: &[OpId]) -> Vec<String> {
    let ir = &host.ir;
    let top = ir.ops_of(ir.module_block());
    let mut known: Vec<OpId> = once.iter().copied().chain([host.func]).collect();
    let mut texts = Vec::new();
    let mut next = 0;
    while let Some(&op) = known.get(next) {
        next += 1;
        // What kernels name is in the code.
        let inside = if host.kernels.contains(&op) { Vec::new() } else { ir.walk(op) };
        for op in inside {
            for &(_, attr) in ir.attrs(op) {
                let Attr::Symbol(path) = &ir[attr] else { continue };
                let is_named = |op: &&OpId| path.first().is_some_and(|&name| ir.symbol_name(**op) == Some(&ir[name]));
                let Some(&named) = top.iter().find(is_named).filter(|op| !known.contains(op)) else { continue };
                known.push(named);
                if host.kernels.contains(&named) {
                    let (inputs, results) = ir.signature(named);
                    let types = |list: &[TypeId]| {
                        list.iter().map(|&ty| raddle_ir::print_type(ir, ty)).collect::<Vec<_>>().join(", ")
                    };
                    let name = raddle_ir::print_attr(ir, attr);
                    texts.push(format!("func.func private {name}({}) -> ({})", types(inputs), types(results)));
                } else {
                    texts.push(raddle_ir::text::print_one(ir, named, &PrintOptions::default()).trim_end().to_owned());
                }
            }
        }
    }
    texts
}

/// What a chip's programs are not written in.
fn no_emitter(chip: &Chip, language: Language) -> Diag {
    let (wanted, help) = match (language, chip.language) {
        (_, Language::None) => ("machine code", "`--emit=ir` prints the lowered program, and `raddle run` executes it"),
        (Language::Llvm, _) => {
            ("LLVM IR", "`--emit=ptx` writes PTX; LLVM IR is for AMD chips such as gfx942, and for CPUs")
        }
        (Language::Ptx | Language::None, _) => {
            ("PTX", "`--emit=llvm` writes LLVM IR; PTX is for NVIDIA chips from sm_80 on")
        }
    };
    Diag::nowhere(Code::CannotEmit, format!("there is no {wanted} for {}", chip.name)).help(help)
}
