//! `raddle build`: compile the functions of a file to target code.
//!
//! Several kernels go into one text, or with `--output=FOLDER` each into a file of its own; what is refused is listed at
//! the end, and does not keep the others.

use std::borrow::Cow;
use std::fmt::Write;
use std::path::Path;

use raddle::{Artifact, Emit, F32Products, Options, Report, compile_all, compile_named};
use raddle_ir::{Code, Diag};
use raddle_target::{Chip, Language};

use super::{Answer, Diagnostics, Outcome, assemble, files, ptxas};

/// Flags of `raddle build`.
#[derive(clap::Args)]
pub struct Args {
    /// MLIR file; `-` is standard input
    file: String,
    /// The chip to compile for (`raddle targets` lists them)
    #[arg(long, aliases = ["iree-cuda-target", "iree-hip-target", "iree-rocm-target"], default_value = raddle::DEFAULT_TARGET)]
    target: String,
    /// The function to compile; all of the file if missing
    #[arg(long)]
    function: Option<String>,
    /// What to write: as the ending of `--output` says, and otherwise the chip's language, PTX or LLVM IR
    #[arg(long)]
    emit: Option<Form>,
    /// Approximate exp, log, sin, tanh and the like with the chip's instructions
    #[arg(long)]
    fast_math: bool,
    /// What products of f32 become on chips whose matrix instructions take tf32: `exact` sums of f32, three products of
    /// tf32 (`tf32x3`: each is off by 2^-20 of itself at most, and what is infinite gives NaN), or one (`tf32`)
    #[arg(long, value_name = "HOW", default_value = "exact", value_parser = super::f32_products())]
    f32_products: F32Products,
    /// Keep the assembler from unrolling loops
    #[arg(long)]
    no_unroll: bool,
    /// Say in the code which line of the program each instruction comes from
    #[arg(long, short = 'g')]
    line_info: bool,
    /// Check, while the code runs, each access that is not surely inside of its buffer; for CPUs. Functions then take a
    /// `struct raddle_fault` of the header
    #[arg(long)]
    bounds_checks: bool,
    /// Where to write: a file, or a folder for one file for each kernel; standard output if missing or `-`
    #[arg(short, long, value_name = "FILE|FOLDER")]
    output: Option<String>,
    /// How diagnostics are written on standard error: for people, or one JSON object in each line
    #[arg(long, default_value = "text")]
    diagnostics: Diagnostics,
}

/// The forms of `--emit`.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Form {
    /// PTX text, for NVIDIA chips (.ptx)
    Ptx,
    /// LLVM IR, for AMD chips and CPUs (.ll)
    Llvm,
    /// Assembly, by LLVM (.s)
    Asm,
    /// A relocatable object file, by LLVM (.o); for a CPU with a header beside it (.h)
    Object,
    /// A code object that drivers load, by LLVM and its linker (.hsaco)
    Hsaco,
    /// Machine code that NVIDIA's drivers load, by ptxas (.cubin)
    Cubin,
    /// The lowered program (.mlir)
    Ir,
}

/// Who makes machine code of what is compiled.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Assembler {
    Llvm(assemble::Form),
    Ptxas,
}

/// Each form with the ending of its files, what is compiled for it, and who makes it of that.
const FORMS: &[(Form, &str, Emit, Option<Assembler>)] = &[
    (Form::Ptx, "ptx", Emit::Ptx, None),
    (Form::Llvm, "ll", Emit::Llvm, None),
    (Form::Asm, "s", Emit::Llvm, Some(Assembler::Llvm(assemble::Form::Assembly))),
    (Form::Object, "o", Emit::Llvm, Some(Assembler::Llvm(assemble::Form::Object))),
    (Form::Hsaco, "hsaco", Emit::Llvm, Some(Assembler::Llvm(assemble::Form::CodeObject))),
    (Form::Cubin, "cubin", Emit::Ptx, Some(Assembler::Ptxas)),
    (Form::Ir, "mlir", Emit::Ir, None),
];

/// Endings of what compilers write and we do not: text in such a file would be taken for it.
const OTHERS: &[&str] = &["a", "bc", "dll", "dylib", "exe", "fatbin", "so", "spv", "vmfb"];

/// What is asked for.
#[derive(Clone, Copy)]
struct Product {
    ending: &'static str,
    emit: Emit,
    assembler: Option<Assembler>,
    /// The chip; compiling says what is wrong with its name.
    chip: Option<&'static Chip>,
}

impl Product {
    fn of(args: &Args) -> Result<Product, Diag> {
        let chip = raddle::pipeline::chip(&args.target).ok();
        let ending = args.output.as_deref().and_then(|path| Path::new(path).extension());
        let by_ending = ending.and_then(|ending| FORMS.iter().find(|row| ending == row.1)).map(|row| row.0);
        if let (None, Some(ending)) =
            (args.emit, OTHERS.iter().find(|&&other| ending.is_some_and(|ending| ending == other)))
        {
            let endings: Vec<String> = FORMS.iter().map(|row| format!(".{}", row.1)).collect();
            return Err(Diag::nowhere(Code::UnknownName, format!("files of the ending `.{ending}` are not written"))
                .help(format!("those of the endings {} are", endings.join(", "))));
        }
        let form = args.emit.or(by_ending).unwrap_or(match chip.map(|chip| chip.language) {
            Some(Language::Llvm) => Form::Llvm,
            Some(Language::Ptx | Language::None) | None => Form::Ptx,
        });
        let row = FORMS.iter().find(|row| row.0 == form).expect("every form has a row");
        Ok(Product { ending: row.1, emit: row.2, assembler: row.3, chip })
    }

    /// `k.h` beside an object file of functions that C calls.
    fn write_header(&self, code: &Path, kernels: &[Cow<'_, Artifact>]) -> Result<(), Report> {
        let is_native = self.chip.is_some_and(|chip| chip.native.is_some());
        if self.assembler != Some(Assembler::Llvm(assemble::Form::Object)) || !is_native || !code.is_file() {
            return Ok(());
        }
        let text = raddle::header(&kernels.iter().map(Cow::as_ref).collect::<Vec<_>>());
        files::write(&code.with_extension("h").to_string_lossy(), text.as_bytes()).map_err(Report::nowhere)
    }

    /// The bytes of a file with these functions, of whose kernels an assembler says what they take.
    fn bytes<'a>(&self, kernels: &[&'a Artifact]) -> Result<Written<'a>, Report> {
        let text = one_text(kernels, self.emit);
        let mut kernels: Vec<Cow<'a, Artifact>> = kernels.iter().map(|&kernel| Cow::Borrowed(kernel)).collect();
        let (Some(assembler), Some(chip)) = (self.assembler, self.chip) else {
            let code = match text {
                Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
                Cow::Owned(text) => Cow::Owned(text.into_bytes()),
            };
            return Ok((code, kernels));
        };
        if assembler == Assembler::Llvm(assemble::Form::CodeObject) && chip.native.is_some() {
            let message = format!("code objects are for AMD chips, and {} is a CPU", chip.name);
            return Err(Report::nowhere(
                Diag::nowhere(Code::CannotEmit, message).help("`-o k.o` writes an object file, `-o k.s` assembly"),
            ));
        }
        let assembled = match assembler {
            Assembler::Llvm(form) => assemble::assemble(&text, &raddle_emit::llvm::machine(chip), form),
            Assembler::Ptxas => ptxas::assemble(&text, chip.name),
        };
        let (code, resources) = assembled.map_err(Report::nowhere)?;
        for kernel in &mut kernels {
            assemble::note(kernel.to_mut(), &resources);
        }
        Ok((Cow::Owned(code), kernels))
    }
}

/// The bytes of a file, and the functions in it.
type Written<'a> = (Cow<'a, [u8]>, Vec<Cow<'a, Artifact>>);

/// Compiles, and writes the code of each kernel whole or not at all.
pub fn build(args: &Args, color: bool) -> Outcome {
    compile_file(args, color).or_else(|report| Ok(args.diagnostics.failure(&report, color)))
}

fn compile_file(args: &Args, color: bool) -> Outcome {
    let is_file = |output: &&str| *output != "-" && files::is_same(output, &args.file);
    if let Some(output) = args.output.as_deref().filter(is_file) {
        let message = format!("`--output={output}` would replace the program by its code");
        return Err(Report::nowhere(Diag::nowhere(Code::BadInput, message).help("name another file")));
    }
    let (name, text) = files::read_program(&args.file)?;
    let product = Product::of(args).map_err(Report::nowhere)?;
    let emit = product.emit;
    let options = Options {
        target: args.target.clone(),
        function: args.function.clone(),
        emit,
        fast_math: args.fast_math,
        f32_products: args.f32_products,
        keep_loops: args.no_unroll,
        line_info: args.line_info,
        bounds_checks: args.bounds_checks,
    };
    let folder = args.output.as_deref().filter(|path| path.ends_with('/') || Path::new(path).is_dir());
    let remarked = |answer: Answer, artifacts: &[&Artifact]| {
        let source = Report::new(remarks(product, artifacts), &name, &text);
        if source.diags.is_empty() {
            return answer;
        }
        let err = answer.err + &args.diagnostics.render(&source, color);
        Answer { err, ..answer }
    };
    if args.function.is_some() {
        let artifact = compile_named(&name, &text, &options)?;
        let answer = match folder {
            Some(folder) => write_each(folder, product, &[&artifact]).map(|()| Answer::default()),
            None => write(args.output.as_deref(), product, &[&artifact]),
        };
        return Ok(remarked(answer?, &[&artifact]));
    }
    let all = compile_all(&name, &text, &options)?;
    let kernels: Vec<&Artifact> = all.iter().filter_map(|(_, result)| result.as_ref().ok()).collect();
    let refused: Vec<(&str, &Diag)> =
        all.iter().filter_map(|(name, result)| Some((name.as_str(), result.as_ref().err()?))).collect();
    // What one function lacks is told in full.
    if let ([_], [(_, diag)]) = (&all[..], &refused[..]) {
        return Err(Report::new(vec![(*diag).clone()], &name, &text));
    }
    let mut answer = match folder {
        Some(folder) => write_each(folder, product, &kernels).map(|()| Answer::default())?,
        None if kernels.is_empty() => Answer::default(),
        None => write(args.output.as_deref(), product, &kernels)?,
    };
    let named = |(name, diag): &(&str, &Diag)| Diag::clone(diag).note(format!("`@{name}` is refused"));
    let diags: Vec<Diag> = refused.iter().map(named).collect();
    answer.status = super::status(&diags);
    let source = Report::new(diags, &name, &text);
    answer.err = match args.diagnostics {
        Diagnostics::Text if all.len() > 1 => summary(&source, kernels.len(), &refused),
        Diagnostics::Text => String::new(),
        Diagnostics::Json => args.diagnostics.render(&source, false),
    };
    Ok(remarked(answer, &kernels))
}

/// What users of the code have to do themselves: give weights that the program does not hold, and, on a CPU, call the kernels
/// of a function that is not a sequence of calls.
fn remarks(product: Product, artifacts: &[&Artifact]) -> Vec<Diag> {
    let is_native = product.chip.is_some_and(|chip| chip.native.is_some()) && product.emit != Emit::Ir;
    let mut remarks = Vec::new();
    for artifact in artifacts {
        if let Some(why) = artifact.no_sequence.as_ref().filter(|_| is_native) {
            let message = format!("`{}` has no C function, only its kernels have: {}", artifact.function, why.message);
            remarks.push(
                Diag { message, ..why.clone() }.note("`hosts` of the launch data says who calls them").as_remark(),
            );
        }
        let weights = artifact.sequence.iter().flat_map(|sequence| {
            sequence.weights().into_iter().map(|at| sequence.constants[at].name.as_deref().unwrap_or("without a name"))
        });
        let mut weights: Vec<&str> = weights.collect();
        weights.dedup();
        if !weights.is_empty() {
            let shown =
                weights.iter().take(WEIGHTS_SHOWN).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
            let more = if weights.len() > WEIGHTS_SHOWN { ", …" } else { "" };
            let message = format!(
                "the caller of `{}` gives {} that the text does not hold: {shown}{more}",
                artifact.function,
                if weights.len() == 1 { "a weight".to_owned() } else { format!("{} weights", weights.len()) },
            );
            remarks.push(Diag::nowhere(Code::KernelChoice, message).as_remark());
        }
    }
    remarks
}

/// Names of weights in a remark, at most.
const WEIGHTS_SHOWN: usize = 3;

/// Writes kernels as one file, and beside a file of code what launching them takes.
fn write(path: Option<&str>, product: Product, kernels: &[&Artifact]) -> Outcome {
    let (code, kernels) = product.bytes(kernels)?;
    match path {
        None | Some("-") => Ok(Answer::good(code.into_owned())),
        Some(path) => {
            files::write(path, &code).map_err(Report::nowhere)?;
            if product.emit != Emit::Ir {
                write_launch(Path::new(path), &kernels)?;
                product.write_header(Path::new(path), &kernels)?;
            }
            Ok(Answer::default())
        }
    }
}

/// `k.json` beside `k.ptx`; nothing beside a device or a pipe.
fn write_launch(code: &Path, kernels: &[Cow<'_, Artifact>]) -> Result<(), Report> {
    if !code.is_file() {
        return Ok(());
    }
    let path = if code.extension().is_some_and(|ending| ending == "json") {
        code.with_extension("launch.json")
    } else {
        code.with_extension("json")
    };
    let text = format!("{:#}\n", Artifact::json_of(&kernels.iter().map(Cow::as_ref).collect::<Vec<_>>()));
    files::write(&path.to_string_lossy(), text.as_bytes()).map_err(Report::nowhere)
}

/// One file for each kernel, of the kernel's name.
fn write_each(folder: &str, product: Product, kernels: &[&Artifact]) -> Result<(), Report> {
    files::make_folder(folder).map_err(Report::nowhere)?;
    for kernel in kernels {
        // A name of MLIR may hold anything; a name of a file may not.
        let plain = |c: char| if c.is_ascii_alphanumeric() || "_-.$".contains(c) { c } else { '_' };
        let name: String = kernel.function.chars().map(plain).collect();
        let path = Path::new(folder).join(format!("{name}.{}", product.ending));
        let (code, kernels) = product.bytes(&[kernel])?;
        files::write(&path.to_string_lossy(), &code).map_err(Report::nowhere)?;
        if product.emit != Emit::Ir {
            write_launch(&path, &kernels)?;
            product.write_header(&path, &kernels)?;
        }
    }
    Ok(())
}

/// The code, with who starts the kernels, in which order and on what, in front.
fn told(artifact: &Artifact, emit: Emit) -> Cow<'_, str> {
    let comment = match emit {
        Emit::Llvm => ";",
        Emit::Ptx | Emit::Ir => "//",
    };
    match &artifact.host {
        Some(host) => {
            let host: String = host.lines().map(|line| format!("{comment} {line}\n")).collect();
            format!("{comment} several kernels, called in this order:\n{host}\n{}", artifact.text).into()
        }
        None => Cow::Borrowed(&artifact.text),
    }
}

/// The kernels as one module: PTX states version (the highest of theirs), target, and what they share once, LLVM IR its
/// target, declarations and metadata.
fn one_text<'a>(kernels: &[&'a Artifact], emit: Emit) -> Cow<'a, str> {
    let once: &[&str] = match emit {
        Emit::Ptx => &[".version ", ".target ", ".address_size ", ".file ", ".extern "],
        Emit::Llvm => &["target triple ", "declare ", "!"],
        Emit::Ir => &[],
    };
    if let [kernel] = kernels {
        return told(kernel, emit);
    }
    let is_version = |line: &&str| emit == Emit::Ptx && line.starts_with(".version ");
    let version = kernels.iter().filter_map(|kernel| kernel.text.lines().find(is_version)).max();
    let mut text = String::new();
    let mut said: Vec<String> = Vec::new();
    for (at, kernel) in kernels.iter().enumerate() {
        if at > 0 {
            text.push('\n');
        }
        for line in told(kernel, emit).lines() {
            let line = version.filter(|_| is_version(&line)).unwrap_or(line);
            if once.iter().any(|word| line.starts_with(word)) {
                if said.iter().any(|other| other == line) {
                    continue;
                }
                said.push(line.to_owned());
            }
            text.push_str(line);
            text.push('\n');
        }
    }
    text.into()
}

/// How many kernels there are, and why the others are not.
fn summary(source: &Report, n_kernels: usize, refused: &[(&str, &Diag)]) -> String {
    let mut out = String::new();
    for (function, diag) in refused {
        let line = diag.span.map_or(String::new(), |span| format!("{}:{}: ", source.name, source.place(span.start).0));
        let _ = writeln!(out, "{line}refused @{function}: {diag}");
    }
    let _ = writeln!(out, "{n_kernels} of {} functions compiled, {} refused", n_kernels + refused.len(), refused.len());
    out
}
