//! `raddle opt`: flags, pipelines, what is shown of the way, reproducers, and diagnostics for programs.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use common::{raddle, raddle_with};

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

/// One dash or two, `=false`, a pass that runs twice, and options of passes as flags.
#[test]
fn flags_are_those_of_other_tools() {
    let two = raddle_with(&["opt", "--canonicalize", "--cse", "--canonicalize"], TWO);
    two.says(0, &["return %arg0 : index"]);
    let one = raddle_with(&["opt", "-canonicalize", "-cse", "-canonicalize"], TWO);
    assert_eq!(one.out, two.out);
    let generic = raddle_with(&["opt", "-mlir-print-op-generic"], TWO);
    assert_eq!(generic.out, raddle_with(&["opt", "--mlir-print-op-generic=true"], TWO).out);
    assert!(!raddle_with(&["opt", "--mlir-print-op-generic=false"], TWO).out.contains("\"func.func\""));
    raddle_with(&["opt", "--run-script=entry-point=start"], TWO).says(1, &["no sequence `@start`"]);
    raddle_with(&["opt", "--run-script={entry-point=start}"], TWO).says(1, &["no sequence `@start`"]);
    raddle_with(&["opt", "--run-script=entri-point=start"], TWO).says(2, &["E0901", "did you mean `entry-point`?"]);
    raddle_with(&["opt", "--iree-gpu-test-target=gfx942@x", "-"], TWO).says(0, &[]);
    raddle_with(&["opt", "-canonicalise"], TWO).says(2, &["unexpected argument"]);
}

/// Pipelines nest, name what they are for, and say what they do not know.
#[test]
fn pipelines_nest() {
    let only = |pipeline: &str| raddle_with(&["opt", &format!("--pass-pipeline={pipeline}")], TWO);
    only("builtin.module(func.func(canonicalize,cse))").says(0, &["return %arg0", "arith.addi %0, %0"]);
    only("any(any(cse))").says(0, &["arith.addi %0, %0"]);
    only("builtin.module(util.func(cse))").says(0, &["arith.addi %0, %1"]);
    only("builtin.module(func.func(run-script))").says(2, &["runs on modules, not on `func.func`"]);
    only("builtin.module(cse{deep=1})").says(2, &["`cse` has no option `deep`", "no options at all"]);
    only("builtin.module(csee)").says(2, &["did you mean `cse`?"]);
    raddle_with(&["opt", "--pass-pipeline=func.func(cse)", "--dump-pass-pipeline"], TWO)
        .says(0, &["builtin.module(func.func(cse))"]);
}

/// Each of two functions that cannot be compiled is reported, with its line.
#[test]
fn an_error_does_not_hide_the_next() {
    let text = format!("{BAD}{}", BAD.replace("@bad", "@worse"));
    let run = raddle_with(&["opt", "--lay-out"], &text);
    run.says(1, &["<stdin>:2:1", "<stdin>:10:1"]);
}

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

/// What is legal but hardly meant is a warning: it is shown, compared with comments, and no failure.
#[test]
fn warnings_are_shown() {
    let text = "#info = #iree_codegen.translation_info<pipeline = None workgroup_size = [64] subgroup_size = 64>
func.func @f(%a: tensor<32xf32>, %b: tensor<32xf32>) -> tensor<32xf32> attributes {translation_info = #info} {
  %0 = linalg.exp {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[32], [0]]}>}
    ins(%a : tensor<32xf32>) outs(%b : tensor<32xf32>) -> tensor<32xf32>
  return %0 : tensor<32xf32>
}
";
    let words = ["multiplies to 32", "subgroup 0, lanes 0 and 32 would hold the same element"];
    for command in [&["opt", "-"][..], &["check", "-"], &["opt", "--diagnostics=json", "-"], &["check", "--json", "-"]]
    {
        raddle_with(command, text).says(0, &words);
    }
    let json = raddle_with(&["opt", "--diagnostics=json", "-"], text).err;
    assert_eq!(serde_json::from_str::<serde_json::Value>(&json).unwrap()["severity"], "warning");
    let verify = ["opt", "--verify-diagnostics", "-"];
    raddle_with(&verify, text).says(1, &["unexpected warning"]);
    let expected = text.replace("  %0", "  // expected-warning @+1 {{`lane_basis` multiplies to 32}}\n  %0");
    raddle_with(&verify, &expected).says(0, &[]);
}

/// Diagnostics as JSON: one object in each line, with code, place and help.
#[test]
fn diagnostics_are_json_on_request() {
    let run = raddle_with(
        &["opt", "--diagnostics=json", "-"],
        "func.func @f() {\n  %0 = arith.addf %1, %1 : f32\n  return\n}\nfunc.func @g() {\n  arith.adf\n}",
    );
    assert_eq!((run.status, run.out.as_str()), (1, ""));
    let diags: Vec<serde_json::Value> = run.err.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(diags.len(), 2, "{}", run.err);
    let undefined = diags.iter().find(|diag| diag["code"] == "E0103").unwrap();
    assert_eq!((&undefined["severity"], &undefined["span"]["start"]["line"]), (&"error".into(), &2.into()));
    assert!(
        diags.iter().any(|diag| diag["code"] == "E0102" && diag["help"] == "did you mean `arith.addf`?"),
        "{}",
        run.err
    );
    let unknown = raddle_with(&["opt", "--diagnostics=json", "--target=sm_8", "-"], TWO);
    assert_eq!(serde_json::from_str::<serde_json::Value>(&unknown.err).unwrap()["code"], "E0903");
    assert_eq!(unknown.status, 2);
}

/// Expected diagnostics are met; unexpected ones fail unless only expected ones are compared.
#[test]
fn expected_diagnostics_are_compared() {
    let text =
        "func.func @f() {\n  // expected-error @+1 {{undeclared}}\n  %0 = arith.addf %1, %1 : f32\n  return\n}\n";
    raddle_with(&["opt", "--verify-diagnostics", "-"], text).says(0, &[]);
    let more = format!("{text}func.func @g() {{\n  %0 = arith.addf %2, %2 : f32\n  return\n}}\n");
    raddle_with(&["opt", "--verify-diagnostics", "-"], &more).says(1, &["<stdin>:7: error: unexpected error"]);
    raddle_with(&["opt", "--verify-diagnostics=only-expected", "-"], &more).says(0, &[]);
    raddle_with(&["opt", "--verify-diagnostics", "-"], &text.replace("undeclared", "good"))
        .says(1, &["was not produced"]);
}

/// Text goes round, a lone operation needs no module, and long constants can be left out.
#[test]
fn text_is_checked_and_cut() {
    raddle_with(&["opt", "--verify-roundtrip"], TWO).says(0, &["@f", "@g"]);
    raddle_with(&["opt", "--no-implicit-module"], TWO).says(2, &["2 operations at its top level"]);
    let lone = raddle_with(&["opt", "--no-implicit-module"], "func.func private @f()\n");
    assert_eq!((lone.status, lone.out.as_str()), (0, "func.func private @f()\n"));
    let long = "func.func @f() -> vector<4xi8> {\n  %0 = arith.constant dense<[1, 2, 3, 4]> : vector<4xi8>\n  return %0 : vector<4xi8>\n}";
    let cut = raddle_with(&["opt", "--mlir-elide-elementsattrs-if-larger=3"], long);
    cut.says(0, &["dense_resource<__elided__> : vector<4xi8>"]);
    raddle_with(&["opt", "--mlir-elide-elementsattrs-if-larger=4"], long).says(0, &["dense<[1, 2, 3, 4]>"]);
    let parts = raddle_with(
        &["opt", "--split-input-file=//+++", "--output-split-marker=//==="],
        "module {}\n//+++\nmodule {}\n",
    );
    assert_eq!(parts.out, "module {\n}\n//===\nmodule {\n}\n");
}

/// Values are named by what their locations are called, regions can be left out, and comments say who uses what.
#[test]
fn names_and_users_are_shown() {
    let text = r#"
func.func @f(%x: index loc("a tile"), %y: index loc("arg1"), %z: index loc("arg1")) -> index {
  %s = arith.addi %x, %y : index loc(callsite("sum" at "here"))
  %t = arith.cmpi eq, %s, %x : index
  %i = scf.if %t -> index { scf.yield %s : index } else { scf.yield %z : index } loc(fused["f.mlir":1:2, "3rd"])
  return %i : index
}
"#;
    let named = raddle_with(&["opt", "--mlir-use-nameloc-as-prefix"], text);
    named.says(
        0,
        &[
            "@f(%a_tile: index, %arg1: index, %arg1_: index)",
            "%sum = arith.addi %a_tile, %arg1",
            "%0 = arith.cmpi",
            "%_3rd = scf.if %0",
        ],
    );
    raddle_with(&["opt"], &named.out).says(0, &["scf.yield %arg2"]);
    raddle_with(&["opt", "--mlir-print-value-users"], text).says(
        0,
        &[
            "// %arg0 is used by %2, %1\n",
            "// %arg2 is used by %5\n",
            "%1 = arith.addi %arg0, %arg1 : index // users: %5, %2\n",
            "%2 = arith.cmpi eq, %1, %arg0 : index // user: %3\n",
            "scf.yield %1 : index // id: %5\n",
            "return %3 : index // id: %4\n",
        ],
    );
    raddle_with(&["opt", "--mlir-print-skip-regions", "-mlir-print-op-generic"], text)
        .says(0, &["\"builtin.module\"() ({...}) : () -> ()\n"]);
    let two = "func.func @f() {\n  %0 = ub.poison : f32\n  return\n}\n".repeat(2).replacen("@f", "@g", 1);
    raddle_with(&["opt", "--mlir-print-unique-ssa-ids"], &two).says(0, &["%0 = ub.poison", "%1 = ub.poison"]);
    let long = "func.func @f() -> vector<4xi8> {\n  %0 = arith.constant dense<[1, 2, 3, 4]> : vector<4xi8>\n  return %0 : vector<4xi8>\n}";
    raddle_with(&["opt", "--mlir-print-elementsattrs-with-hex-if-larger=3"], long).says(0, &["dense<\"0x01020304\">"]);
    raddle_with(&["opt", "--mlir-print-elementsattrs-with-hex-if-larger=-1"], long).says(0, &["dense<[1, 2, 3, 4]>"]);
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
