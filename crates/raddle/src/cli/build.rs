//! `raddle build`: compile one function to target code.

use raddle::{Emit, Options, Report, compile_named};

use super::{Answer, Outcome, files};

/// Flags of `raddle build`.
#[derive(clap::Args)]
pub struct Args {
    /// MLIR file; `-` is standard input
    file: String,
    /// The chip to compile for (`raddle targets` lists them)
    #[arg(long, default_value = raddle::DEFAULT_TARGET)]
    target: String,
    /// The function to compile; needed if there are several
    #[arg(long)]
    function: Option<String>,
    /// What to write; `ptx` for NVIDIA chips, `ir` for the lowered program
    #[arg(long, default_value = "ptx")]
    emit: Form,
    /// Where to write; standard output if missing or `-`
    #[arg(short, long, value_name = "FILE")]
    output: Option<String>,
}

/// The forms of `--emit`.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Form {
    Ptx,
    Ir,
}

/// Compiles, and writes the code whole or not at all.
pub fn build(args: &Args) -> Outcome {
    let (name, text) = files::read_text(&args.file)?;
    let emit = match args.emit {
        Form::Ptx => Emit::Ptx,
        Form::Ir => Emit::Ir,
    };
    let options = Options { target: args.target.clone(), function: args.function.clone(), emit };
    let artifact = compile_named(&name, &text, &options)?;
    match args.output.as_deref() {
        None | Some("-") => Ok(Answer::good(artifact.text)),
        Some(path) => {
            files::write(path, artifact.text.as_bytes()).map_err(Report::nowhere)?;
            Ok(Answer::default())
        }
    }
}
