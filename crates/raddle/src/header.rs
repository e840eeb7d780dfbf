//! The header of an object file for a CPU: what C calls.

use std::fmt::Write;

use raddle_emit::sequence::{Memory, Sequence, Step, calls_any};
use raddle_emit::{Parameter, llvm};
use raddle_ir::Expr;

use crate::{Artifact, Kernel};

/// What kernels that check their indices leave.
const FAULT: &str = "\
/* What an index outside of a buffer leaves. All is 0 in front of a call; where the kernel's name is not null behind it,
   the call has ended early, and its results are not complete. Calls may share one. */
#ifndef RADDLE_FAULT
#define RADDLE_FAULT
struct raddle_fault {
  const char *kernel;       /* whose index it is */
  int64_t index, extent;    /* the index, which is below 0 or not below the extent */
  int32_t dimension, line;  /* the dimension of the buffer, from 0; the line of the program, from 1 */
};
#endif
";
const FAULT_PARAMETER: &str = "struct raddle_fault *fault";

/// What functions are given that let the caller's threads compute.
const THREADS: &str = "\
/* The caller's threads. `run` calls part(arguments, first, last) for ranges that together are 0 to n, each number once, on any
   threads and in any order, and returns when all are done; `context` is what it is called with. */
#ifndef RADDLE_THREADS
#define RADDLE_THREADS
struct raddle_threads {
  void (*run)(void *context, void (*part)(void *const *arguments, int64_t first, int64_t last), void *const *arguments, int64_t n);
  void *context;
};
#endif
";
const THREADS_PARAMETER: &str = "const struct raddle_threads *threads";

/// The header of an object file for a CPU: a C function for each kernel, and one for each function of several.
pub fn header(artifacts: &[&Artifact]) -> String {
    let kernels = artifacts.iter().flat_map(|artifact| &artifact.kernels);
    let sequences = artifacts.iter().filter_map(|artifact| Some((artifact.sequence.as_ref()?, &artifact.kernels[..])));
    header_of(kernels, sequences)
}

/// The same, of kernels, and of functions with their kernels.
pub fn header_of<'a>(
    kernels: impl IntoIterator<Item = &'a Kernel>,
    sequences: impl IntoIterator<Item = (&'a Sequence, &'a [Kernel])>,
) -> String {
    let mut text = String::from(
        "/* Functions on buffers that do not overlap where one of them is written, aligned to 16 bytes.\n   \
         i1 and formats below 16 bits take a byte; bf16, and f16 in buffers, are passed by their bits. */\n\
         #pragma once\n#include <stdint.h>\n",
    );
    let kernels: Vec<&Kernel> = kernels.into_iter().collect();
    if kernels.iter().any(|kernel| kernel.bounds_checks) {
        text.push_str(FAULT);
    }
    text.push_str(THREADS);
    text.push_str("#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
    for kernel in kernels {
        let mut list: Vec<String> = kernel.parameters.iter().map(Parameter::c_declaration).collect();
        if kernel.bounds_checks {
            list.push(FAULT_PARAMETER.to_owned());
        }
        declare_both(&mut text, "void", &kernel.entry, list);
    }
    for (sequence, kernels) in sequences {
        describe(&mut text, sequence, kernels);
    }
    text.push_str("#ifdef __cplusplus\n}\n#endif\n");
    text
}

fn declare(text: &mut String, result: &str, name: &str, list: &[String]) {
    let list = if list.is_empty() { "void".to_owned() } else { list.join(", ") };
    let space = if result.ends_with('*') { "" } else { " " };
    text.push_str(&format!("{result}{space}{name}({list});\n"));
}

/// A function on the thread that calls it, and on others.
fn declare_both(text: &mut String, result: &str, name: &str, mut list: Vec<String>) {
    declare(text, result, name, &list);
    list.push(THREADS_PARAMETER.to_owned());
    declare(text, result, &llvm::parallel_name(name), &list);
}

/// A function that calls kernels.
fn describe(text: &mut String, sequence: &Sequence, kernels: &[Kernel]) {
    let Sequence { entry, parameters, requirements, state_bytes, workspace_bytes, once, steps, .. } = sequence;
    let _ = write!(text, "\n/* {entry} calls kernels, one behind another.");
    for parameter in parameters.iter().filter(|parameter| parameter.extents.is_some()) {
        let extents: Vec<String> = parameter.extents.iter().flatten().map(|extent| sequence.text(extent)).collect();
        let _ = write!(text, "\n   {} is {}.", parameter.name, extents.join(" x "));
    }
    for (at, number) in sequence.numbers.iter().enumerate() {
        if let Some(name) = sequence.number_text(number) {
            let _ = write!(text, "\n   n{at} is {name}.");
        }
    }
    for (number, &at) in sequence.weights().iter().enumerate() {
        let constant = &sequence.constants[at];
        let extents = constant.parameter.shape.iter().flatten().map(|extent| format!("{extent}x")).collect::<String>();
        let name = constant.name.as_deref().unwrap_or("a weight").replace("*/", "* /");
        let _ = write!(text, "\n   weights[{number}] is {name}, {extents}{}.", constant.parameter.elem);
    }
    let name = llvm::workspace_name(entry);
    if *workspace_bytes != Expr::Const(0) {
        let _ = write!(text, "\n   workspace has {name} bytes, which no other call uses meanwhile.");
    }
    if *state_bytes > 0 {
        let initialize = llvm::initialize_name(entry);
        let _ = write!(text, "\n   state has {entry}_state_bytes bytes, which {initialize} writes once for all calls.");
    }
    if !requirements.is_empty() {
        let _ = write!(
            text,
            "\n   What it returns is null, or says what does not hold of its arguments: then nothing was done."
        );
    }
    text.push_str(" */\n");
    let memory = |is_read: bool, steps: &[Step]| {
        let parameter = |memory: Memory| match memory {
            Memory::Weights => "const void *const *weights",
            Memory::State if is_read => "const void *state",
            Memory::State => "void *state",
            Memory::Workspace => "void *workspace",
        };
        let fault = calls_any(steps, &|kernel| kernels[kernel].bounds_checks).then_some(FAULT_PARAMETER);
        sequence.memory().into_iter().map(parameter).chain(fault).map(str::to_owned).collect::<Vec<String>>()
    };
    match workspace_bytes {
        Expr::Const(0) => {}
        Expr::Const(bytes) => text.push_str(&format!("#define {name} {bytes}\n")),
        _ => {
            let numbers = parameters.iter().filter(|parameter| parameter.shape.is_none());
            declare(text, "int64_t", &name, &numbers.map(Parameter::c_declaration).collect::<Vec<_>>());
        }
    }
    if !once.is_empty() {
        text.push_str(&format!("#define {entry}_state_bytes {state_bytes}\n"));
        declare_both(text, "void", &llvm::initialize_name(entry), memory(false, once));
    }
    let mut list: Vec<String> = parameters.iter().map(Parameter::c_declaration).collect();
    list.extend(memory(true, steps));
    let result = if requirements.is_empty() { "void" } else { "const char *" };
    declare_both(text, result, entry, list);
}
