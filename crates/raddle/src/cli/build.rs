//! `raddle build`: compile the functions of a file to target code.
//!
//! Several kernels go into one text, or with `--output=FOLDER` each into a file of its own; what is refused is listed at
//! the end, and does not keep the others.

use std::fmt::Write;
use std::path::Path;

use raddle::{Artifact, Emit, Options, Report, compile_all, compile_named};
use raddle_ir::Diag;

use super::{Answer, Outcome, files};

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
    /// What to write; `ptx` for NVIDIA chips, `ir` for the lowered program
    #[arg(long, default_value = "ptx")]
    emit: Form,
    /// Approximate exp, log, sin, tanh and the like with the chip's instructions
    #[arg(long)]
    fast_math: bool,
    /// Keep the assembler from unrolling loops
    #[arg(long)]
    no_unroll: bool,
    /// Say in the code which line of the program each instruction comes from
    #[arg(long, short = 'g')]
    line_info: bool,
    /// Where to write: a file, or a folder for one file for each kernel; standard output if missing or `-`
    #[arg(short, long, value_name = "FILE|FOLDER")]
    output: Option<String>,
}

/// The forms of `--emit`.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Form {
    Ptx,
    Ir,
}

/// Compiles, and writes the code of each kernel whole or not at all.
pub fn build(args: &Args) -> Outcome {
    let (name, text) = files::read_text(&args.file)?;
    let emit = match args.emit {
        Form::Ptx => Emit::Ptx,
        Form::Ir => Emit::Ir,
    };
    let options = Options {
        target: args.target.clone(),
        function: args.function.clone(),
        emit,
        fast_math: args.fast_math,
        keep_loops: args.no_unroll,
        line_info: args.line_info,
    };
    let folder = args.output.as_deref().filter(|path| path.ends_with('/') || Path::new(path).is_dir());
    if args.function.is_some() {
        let artifact = compile_named(&name, &text, &options)?;
        return match folder {
            Some(folder) => write_each(folder, emit, &[&artifact]).map(|()| Answer::default()),
            None => write(args.output.as_deref(), emit, &[&artifact]),
        };
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
        Some(folder) => write_each(folder, emit, &kernels).map(|()| Answer::default())?,
        None if kernels.is_empty() => Answer::default(),
        None => write(args.output.as_deref(), emit, &kernels)?,
    };
    if all.len() > 1 {
        answer.err = summary(&Report::new(Vec::new(), &name, &text), kernels.len(), &refused);
    }
    let diags: Vec<Diag> = refused.into_iter().map(|(_, diag)| diag.clone()).collect();
    answer.status = super::status(&diags);
    Ok(answer)
}

/// Writes kernels as one text, and beside a file of PTX what launching them takes.
fn write(path: Option<&str>, emit: Emit, kernels: &[&Artifact]) -> Outcome {
    let text = one_text(kernels);
    match path {
        None | Some("-") => Ok(Answer::good(text)),
        Some(path) => {
            files::write(path, text.as_bytes()).map_err(Report::nowhere)?;
            if emit == Emit::Ptx {
                write_launch(Path::new(path), kernels)?;
            }
            Ok(Answer::default())
        }
    }
}

/// `k.json` beside `k.ptx`; nothing beside a device or a pipe.
fn write_launch(code: &Path, kernels: &[&Artifact]) -> Result<(), Report> {
    if !code.is_file() {
        return Ok(());
    }
    let path = if code.extension().is_some_and(|ending| ending == "json") {
        code.with_extension("launch.json")
    } else {
        code.with_extension("json")
    };
    let text = format!("{:#}\n", Artifact::json_of(kernels));
    files::write(&path.to_string_lossy(), text.as_bytes()).map_err(Report::nowhere)
}

/// One file for each kernel, of the kernel's name.
fn write_each(folder: &str, emit: Emit, kernels: &[&Artifact]) -> Result<(), Report> {
    files::make_folder(folder).map_err(Report::nowhere)?;
    let ending = match emit {
        Emit::Ptx => "ptx",
        Emit::Ir => "mlir",
    };
    for kernel in kernels {
        // A name of MLIR may hold anything; a name of a file may not.
        let plain = |c: char| if c.is_ascii_alphanumeric() || "_-.$".contains(c) { c } else { '_' };
        let name: String = kernel.function.chars().map(plain).collect();
        let path = Path::new(folder).join(format!("{name}.{ending}"));
        files::write(&path.to_string_lossy(), told(kernel).as_bytes()).map_err(Report::nowhere)?;
        if emit == Emit::Ptx {
            write_launch(&path, &[kernel])?;
        }
    }
    Ok(())
}

/// The code, with who starts the kernels, in which order and on what, in front.
fn told(artifact: &Artifact) -> String {
    match &artifact.host {
        Some(host) => {
            let host: String = host.lines().map(|line| format!("// {line}\n")).collect();
            format!("// several kernels, called in this order:\n{host}\n{}", artifact.text)
        }
        None => artifact.text.clone(),
    }
}

/// The kernels as one module: PTX states version (the highest of theirs), target, and what they share once.
fn one_text(kernels: &[&Artifact]) -> String {
    const ONCE: [&str; 5] = [".version ", ".target ", ".address_size ", ".file ", ".extern "];
    let is_version = |line: &&str| line.starts_with(".version ");
    let version = kernels.iter().filter_map(|kernel| kernel.text.lines().find(is_version)).max();
    let mut text = String::new();
    let mut said: Vec<String> = Vec::new();
    for (at, kernel) in kernels.iter().enumerate() {
        if at > 0 {
            text.push('\n');
        }
        for line in told(kernel).lines() {
            let line = version.filter(|_| is_version(&line)).unwrap_or(line);
            if ONCE.iter().any(|word| line.starts_with(word)) {
                if said.iter().any(|other| other == line) {
                    continue;
                }
                said.push(line.to_owned());
            }
            text.push_str(line);
            text.push('\n');
        }
    }
    text
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
