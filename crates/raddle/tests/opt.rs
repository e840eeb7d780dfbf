//! `raddle opt`: flags, pipelines, what is shown of the way, reproducers, and diagnostics for programs.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use crate::common;
use crate::common::{raddle, raddle_with};

const TWO: &str = "
func.func @f(%x: index) -> index {
  %c0 = arith.constant 0 : index
  %y = arith.addi %x, %c0 : index
  return %y : index
}
func.func @g(%x: index) -> index {
  %y = arith.muli %x, %x : index
  %z = arith.muli %x, %x : index
  %s = arith.addi %y, %z : index
  return %s : index
}
";

/// A kernel that cannot be laid out: nothing says how its workgroup looks.
const BAD: &str = "
func.func @bad(%m: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %v = vector.transfer_read %m[%c0], %z : memref<4xf32>, vector<4xf32>
  vector.transfer_write %v, %m[%c0] : vector<4xf32>, memref<4xf32>
  return
}
";

/// The program is shown where it was asked for: in front, behind, changed, failed; alone or with its module.
#[test]
fn passes_are_looked_at() {
    let shown = |flags: &[&str]| {
        let run = raddle_with(&[&["opt", "--pass-pipeline=func.func(cse,canonicalize)"], flags].concat(), TWO);
        assert_eq!(run.status, 0, "{}", run.err);
        let dumps = run.err.lines().filter(|line| line.contains("IR Dump")).map(str::to_owned);
        (dumps.collect::<Vec<_>>(), run.err)
    };
    assert_eq!(shown(&["--mlir-print-ir-after-all"]).0.len(), 4);
    assert_eq!(shown(&["--mlir-print-ir-before-all", "--mlir-print-ir-after-all"]).0.len(), 8);
    assert_eq!(shown(&["--mlir-print-ir-after=cse"]).0, ["// -----// IR Dump After cse //----- //"; 2]);
    assert_eq!(shown(&["--mlir-print-ir-before=cse,canonicalize"]).0.len(), 4);
    // `cse` changes only the second function, `canonicalize` only the first.
    assert_eq!(shown(&["--mlir-print-ir-after-change"]).0.len(), 2);
    let (dumps, text) = shown(&["--mlir-print-ir-after=cse", "--mlir-print-ir-module-scope"]);
    assert_eq!(dumps[1], "// -----// IR Dump After cse ('func.func' operation: @g) //----- //");
    assert_eq!(text.matches("module {").count(), 2);
    raddle_with(&["opt", "--cse", "--mlir-print-ir-after=csee"], TWO).says(2, &["did you mean `cse`?"]);
    raddle_with(&["opt", "--lay-out", "--mlir-print-ir-after-failure"], BAD)
        .says(1, &["IR Dump After lay-out Failed", "@bad"]);

    let folder = tempfile::tempdir().unwrap();
    let tree = format!("--mlir-print-ir-tree-dir={}", folder.path().display());
    assert_eq!(shown(&["--mlir-print-ir-after-all", &tree]).0.len(), 0);
    let file = folder.path().join("builtin_module/func_func_g/1_canonicalize.mlir");
    assert!(std::fs::read_to_string(file).unwrap().contains("@g"));
}

/// A reproducer holds the program and the pipeline, and fails as the run did; a local one starts at the failing pass.
#[test]
fn reproducers_reproduce() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("fails.mlir");
    let path = path.to_str().unwrap();
    let crash = format!("--mlir-pass-pipeline-crash-reproducer={path}");
    let pipeline = "--pass-pipeline=builtin.module(cse,func.func(canonicalize,lay-out))";
    let run = raddle_with(&["opt", pipeline, &crash], BAD);
    run.says(1, &["a reproducer was written to", "fails.mlir"]);
    let text = std::fs::read_to_string(path).unwrap();
    assert!(text.contains("pipeline: \"builtin.module(cse,func.func(canonicalize,lay-out))\""), "{text}");
    let first = run.err.lines().next().unwrap().to_owned();
    assert_eq!(raddle(&["opt", path, "--run-reproducer"]).err.lines().next().unwrap(), first);

    raddle_with(&["opt", pipeline, &crash, "--mlir-pass-pipeline-local-reproducer"], BAD).says(1, &[]);
    let text = std::fs::read_to_string(path).unwrap();
    assert!(text.contains("pipeline: \"builtin.module(func.func(lay-out))\""), "{text}");
    assert_eq!(raddle(&["opt", path, "--run-reproducer"]).err.lines().next().unwrap(), first);

    // Nothing failed: nothing is written, unless it is asked for.
    let other = folder.path().join("works.mlir");
    let other = other.to_str().unwrap();
    raddle_with(&["opt", "--cse", &format!("--mlir-pass-pipeline-crash-reproducer={other}")], TWO).says(0, &[]);
    assert!(!std::path::Path::new(other).exists());
    raddle_with(&["opt", "--cse", &format!("--mlir-generate-reproducer={other}")], TWO).says(0, &[]);
    let again = raddle(&["opt", other, "--run-reproducer"]);
    assert_eq!(again.out, raddle_with(&["opt", "--cse"], TWO).out);
    raddle_with(&["opt", "--run-reproducer"], TWO).says(2, &["carries no pipeline"]);
}

/// The resources of the program stay in its reproducer, in one block with the pipeline, and in what is made of it.
#[test]
fn reproducers_keep_resources() {
    let text = "func.func @f() -> tensor<1xi32> {
  %0 = arith.constant dense_resource<blob> : tensor<1xi32>
  return %0 : tensor<1xi32>
}
{-# dialect_resources: { builtin: { blob: \"0x0400000001000000\" } } #-}
";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("works.mlir");
    let path = path.to_str().unwrap();
    let run = raddle_with(&["opt", "--cse", &format!("--mlir-generate-reproducer={path}")], text);
    run.says(0, &["0x0400000001000000"]);
    let written = std::fs::read_to_string(path).unwrap();
    assert_eq!((written.matches("{-#").count(), written.matches("mlir_reproducer").count()), (1, 1), "{written}");
    assert_eq!(raddle(&["opt", path, "--run-reproducer"]).out, run.out);
    // A reproducer of a reproducer carries its own pipeline.
    raddle(&["opt", path, "--canonicalize", &format!("--mlir-generate-reproducer={path}")]).says(0, &[]);
    let written = std::fs::read_to_string(path).unwrap();
    assert_eq!(written.matches("pipeline:").count(), 1, "{written}");
    assert!(written.contains("builtin.module(canonicalize)"), "{written}");
}

/// The lines between parts may be others, in the file and in what is printed.
#[test]
fn parts_may_have_other_marks() {
    let parts = raddle_with(
        &["opt", "--split-input-file=//+++", "--output-split-marker=//==="],
        "module {}\n//+++\nmodule {}\n",
    );
    assert_eq!(parts.out, "module {\n}\n//===\nmodule {\n}\n");
}

/// What there is can be listed, and help names every pass and flag.
#[test]
fn everything_is_listed() {
    raddle(&["opt", "--list-passes"])
        .says(0, &["canonicalize: ", "also iree-transform-dialect-interpreter", "{entry-point}"]);
    raddle(&["opt", "--show-dialects"]).says(0, &["arith\n", "iree_vector_ext\n", "vector\n"]);
    let help = raddle(&["opt", "--help"]);
    for pass in raddle(&["opt", "--list-passes"]).out.lines().filter_map(|line| line.split_once(": ")) {
        assert!(pass.0.starts_with(' ') || help.out.contains(&format!("--{}", pass.0)), "{}", pass.0);
    }
}

/// A pass on one function of many looks at that function only: the time for each does not grow with their number.
#[test]
fn the_time_for_a_function_does_not_depend_on_the_others() {
    let time_each = |n: usize| {
        let one = common::matmul(16, 16, 16);
        let text: String = (0..n).map(|i| one.replace("@matmul", &format!("@f{i}"))).collect();
        let once = || {
            let start = std::time::Instant::now();
            raddle_with(&["opt", "--to=distributed", "-"], &text).says(0, &["gpu.thread_id"]);
            start.elapsed()
        };
        (0..2).map(|_| once()).min().unwrap_or_default().as_secs_f64() / n as f64
    };
    let (few, many) = (time_each(8), time_each(96));
    // Where each pass verifies all functions it is about ten times as much; the clock is not exact.
    assert!(many < 3.0 * few, "{few} s for each of 8 functions, {many} s for each of 96");
}
