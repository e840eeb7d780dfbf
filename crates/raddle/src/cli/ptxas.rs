//! From PTX to machine code: by NVIDIA's ptxas, which `RADDLE_PTXAS` names or the search path has.

use std::process::{Command, Stdio};

use raddle::Resources;
use raddle_ir::{Code, Diag};

use super::assemble::Taken;

/// The variable that names another ptxas than that of the search path.
const PTXAS: &str = "RADDLE_PTXAS";

/// Machine code of a PTX text, and what each kernel of it takes of the machine.
pub fn assemble(text: &str, chip: &str) -> Result<(Vec<u8>, Taken), Diag> {
    let program = std::env::var(PTXAS).unwrap_or_else(|_| "ptxas".to_owned());
    let failed = |error: std::io::Error| Diag::nowhere(Code::BadFile, format!("cannot assemble: {error}"));
    let folder = tempfile::tempdir().map_err(failed)?;
    let [source, target] = ["k.ptx", "k.cubin"].map(|name| folder.path().join(name));
    std::fs::write(&source, text).map_err(failed)?;
    let mut command = Command::new(&program);
    command.args(["--verbose", &format!("--gpu-name={chip}"), "--output-file"]).arg(&target).arg(&source);
    let output = command.stdin(Stdio::null()).output().map_err(|error| {
        Diag::nowhere(Code::NoPtxas, format!("cannot run `{program}`: {error}")).help(format!(
            "it is part of the CUDA toolkit, and of PyPI's `nvidia-cuda-nvcc`; `{PTXAS}` says where it is. `--emit=ptx` needs none"
        ))
    })?;
    let said = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        // An old ptxas knows neither newer chips nor newer versions of PTX.
        return Err(Diag::nowhere(Code::NoPtxas, format!("`{program}` refuses the program"))
            .note(said.trim().to_owned())
            .help("a newer one may take it; where the text itself is wrong, please report it with the input"));
    }
    Ok((std::fs::read(&target).map_err(failed)?, resources(&said)))
}

/// What `--verbose` says of each kernel: `Compiling entry function 'k' for 'sm_80'`, `8 bytes stack frame, 4 bytes spill
/// stores, 4 bytes spill loads`, `Used 40 registers, used 1 barriers`.
fn resources(said: &str) -> Taken {
    let mut kernels = Taken::new();
    for line in said.lines() {
        if let Some((_, rest)) = line.split_once("Compiling entry function '") {
            kernels.push((rest.split('\'').next().unwrap_or_default().to_owned(), Resources::default()));
        }
        let Some((_, found)) = kernels.last_mut() else { continue };
        // The number in front of a word.
        let words: Vec<&str> = line.split_whitespace().collect();
        let before = |phrase: &[&str]| {
            let at = words.windows(phrase.len()).position(|words| words == phrase)?;
            words.get(at.checked_sub(1)?)?.parse().ok()
        };
        found.registers = before(&["registers,"]).or(before(&["registers"])).unwrap_or(found.registers);
        found.scratch_bytes = before(&["bytes", "stack", "frame,"]).unwrap_or(found.scratch_bytes);
        let spilled: Option<u32> = before(&["bytes", "spill", "stores,"]);
        found.spilled_registers = spilled.map_or(found.spilled_registers, |bytes| bytes.div_ceil(4));
    }
    kernels
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines of another function's properties do not belong to a kernel.
    #[test]
    fn ptxas_says_what_kernels_take() {
        let said = "ptxas info    : 0 bytes gmem\n\
            ptxas info    : Compiling entry function 'k$0' for 'sm_80'\n\
            ptxas info    : Function properties for k$0\n    \
            16 bytes stack frame, 12 bytes spill stores, 20 bytes spill loads\n\
            ptxas info    : Used 255 registers, used 1 barriers, 16 bytes cumulative stack size, 384 bytes cmem[0]\n\
            ptxas info    : Compiling entry function 'm' for 'sm_80'\n\
            ptxas info    : Function properties for m\n    \
            0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n\
            ptxas info    : Used 8 registers\n";
        let found: Vec<_> = resources(said)
            .into_iter()
            .map(|(name, taken)| (name, taken.registers, taken.spilled_registers, taken.scratch_bytes))
            .collect();
        assert_eq!(found, [("k$0".to_owned(), 255, 3, 16), ("m".to_owned(), 8, 0, 0)]);
    }
}
