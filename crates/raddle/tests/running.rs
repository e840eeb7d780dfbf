//! `raddle run`: right results on every size and target, and every way in which a run can be wrong.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use crate::common::{matmul, raddle, raddle_with, row_sum};

const TARGETS: [&str; 2] = ["--target=sm_80", "--target=gfx942"];

/// Sizes in steps of the instruction: one tile, more in each direction, several workgroups, odd numbers of steps.
#[test]
fn matmul_is_right_for_all_sizes() {
    let sizes = [
        [16, 16, 16],
        [16, 16, 32],
        [16, 32, 16],
        [32, 16, 16],
        [48, 80, 112],
        [64, 64, 64],
        [16, 128, 48],
        [128, 16, 80],
        [96, 48, 16],
        [112, 112, 16],
        [64, 128, 96],
        [128, 192, 64],
        [144, 16, 16],
        [16, 208, 32],
        [16, 16, 304],
        [256, 64, 32],
    ];
    for [m, n, k] in sizes {
        for target in TARGETS {
            let run = raddle_with(&["run", "-", target, &format!("--seed={m}")], &matmul(m, n, k));
            run.says(0, &["correct: all"]);
        }
    }
}

/// Every stage of the way means the same.
#[test]
fn matmul_means_the_same_at_every_stage() {
    for target in TARGETS {
        let stages = "--compare=tensor,configured,tiled,vector,laid_out,distributed,lowered";
        let run = raddle_with(&["run", "-", target, stages], &matmul(64, 64, 96));
        run.says(0, &["stage `distributed`", "stage `lowered`"]);
        // Each of the seven with the reference, and the last six with the first.
        assert_eq!(run.out.matches("correct:").count(), 13, "{}", run.out);
    }
}

/// Attention in a loop over keys: two contractions, and between them maxima, sums and what came before weighed anew.
#[test]
fn attention_means_the_same_at_every_stage() {
    let stages = "--compare=vector,laid_out,distributed,lowered";
    for seed in ["--seed=0", "--seed=1"] {
        let run = raddle(&["run", "examples/attention.mlir", seed, stages]);
        run.says(0, &["stage `distributed`", "stage `lowered`", "1024 matrix instructions"]);
        // What one product gives is what the other one takes, in the same lanes: nobody waits for anybody.
        assert!(run.out.contains("0 barriers"), "{}", run.out);
        assert_eq!(run.out.matches("correct:").count(), 7, "{}", run.out);
    }
}

#[test]
fn row_sums_are_right_for_all_sizes() {
    for [m, k] in [[16, 64], [1, 256], [64, 128], [8, 1024], [96, 384], [4, 4096]] {
        for target in TARGETS {
            let run = raddle_with(&["run", "-", target], &row_sum(m, k));
            run.says(0, &["correct: all"]);
        }
    }
}

/// The examples, as a newcomer runs them.
#[test]
fn examples_are_correct() {
    for target in TARGETS {
        for example in ["examples/matmul.mlir", "examples/row_sum.mlir"] {
            raddle(&["run", example, target]).says(0, &["correct: all"]);
        }
    }
    raddle(&["run", "examples/matmul.mlir", "--all"]).says(0, &["ok       @matmul"]);
    let run = raddle(&["run", "examples/matmul.mlir"]);
    let parts = [
        "sm_80 (the default)",
        "random normal, seed 0",
        "parse",
        "distribute",
        "A: #iree_vector_ext.nested_layout<",
        "B: #iree_vector_ext.nested_layout<",
        "C: #iree_vector_ext.nested_layout<",
        "launch",
        "subgroups of 32 lanes",
        "max abs",
        "ULP",
        "lane-ops/s",
    ];
    run.says(0, &parts);
    let quiet = raddle(&["run", "examples/matmul.mlir", "--quiet"]);
    assert_eq!(quiet.out.lines().count(), 1, "{}", quiet.out);
}

/// A kernel written with vectors and a layout: distribution keeps its meaning.
#[test]
fn transpose_add_means_the_same_when_distributed() {
    let run = raddle(&["run", "examples/transpose_add.mlir", "--compare=vector,distributed", "--seed=1"]);
    run.says(0, &["stage `vector`", "stage `distributed`", "equal stage `vector` bit for bit"]);
}

/// Sums up to each element are rounded in another order, comparisons not at all.
#[test]
fn scans_and_comparisons_mean_the_same_when_lowered() {
    let run = raddle(&["run", "examples/prefix_sum.mlir", "--compare=vector,lowered", "--seed=1"]);
    run.says(0, &["all 4096 elements agree with stage `vector`"]);
    let run = raddle(&["run", "examples/argmax.mlir", "--compare=vector,lowered", "--seed=1"]);
    run.says(0, &["result 0, all 16 elements equal stage `vector` bit for bit", "result 1, all 16"]);
}

/// The same seed gives the same data, another one other data.
#[test]
fn seeds_repeat() {
    let text = matmul(16, 16, 16);
    let result = |seed: &str| {
        let out = raddle_with(&["run", "-", "--quiet", "--output=-", seed], &text).out;
        out.lines().next().unwrap().to_owned()
    };
    assert_eq!(result("--seed=3"), result("--seed=3"));
    assert_ne!(result("--seed=3"), result("--seed=4"));
}

/// Inputs on the command line, with results that one can work out: ones times ones.
#[test]
fn inputs_are_spelled_on_the_command_line() {
    let text = matmul(16, 16, 32);
    let ones = ["run", "-", "--input=16x32xf16=1", "--input=32x16xf16=1"];
    raddle_with(&[&ones[..], &["--expected_output=16x16xf32=32"]].concat(), &text).says(0, &["bit for bit"]);
    let wrong = raddle_with(&[&ones[..], &["--expected_output=16x16xf32=31"]].concat(), &text);
    wrong.says(1, &["WRONG: 256 of 256 elements", "every element is wrong", "[0, 0]: got 32, expected 31", "lane 0"]);
    raddle_with(&[&ones[..], &["--expected_output=16x16xf32=31", "--expected_atol=1"]].concat(), &text).says(0, &[]);
    let threshold = "--expected_f32_threshold=1.5";
    raddle_with(&[&ones[..], &["--expected_output=16x16xf32=31", threshold]].concat(), &text).says(0, &[]);
}

/// Inputs that do not fit: which one, what it is, what it should be; status 2.
#[test]
fn inputs_that_do_not_fit_are_status_2() {
    let text = matmul(16, 16, 32);
    let run = |args: &[&str]| raddle_with(&[&["run", "-"], args].concat(), &text);
    let good = "--input=16x32xf16=1";
    run(&[good]).says(2, &["E0901", "takes 2 inputs, and 1 are given", "--input=32x16xf16=@1.npy"]);
    run(&[good, "--input=16x32xf16=1"]).says(2, &["E0901", "input 1", "the shape is 16x32, not 32x16"]);
    run(&[good, "--input=32x16xf32=1"]).says(2, &["E0901", "the element type is f32, not f16", "<stdin>:1:"]);
    run(&[good, "--input=32x16xf16=1 2"]).says(2, &["E0901", "2 numbers for 512 elements"]);
    run(&[good, "--input=32x16xf16=one"]).says(2, &["E0901", "`one` is not a number of type f16"]);
    run(&[good, "--input=thing"]).says(2, &["E0901", "`thing` is not a shape and an element type"]);
    run(&[good, "--input=@no.npy"]).says(2, &["E0902", "no.npy"]);
    run(&[good, "--input=@examples"]).says(2, &["E0902", "is a directory"]);
    run(&[good, "--input=@Cargo.toml"]).says(2, &["E0901", "raw data and needs a type"]);
    run(&[good, "--input=32x16xf16=@Cargo.toml"]).says(2, &["E0901", "needs 1024 bytes"]);
    run(&["--expected_output=16x16xf16=0"]).says(2, &["E0901", "expected output 0"]);
    run(&["--expected_output=16x16xf32=0", "--expected_output=16x16xf32=0"]).says(2, &["E0901"]);
    run(&["--output=c.npy"]).says(2, &["E0901", "--output=@c.npy"]);
}

/// A tensor that does not fit memory is a limit, and is known before any memory is taken.
#[test]
fn huge_tensors_are_status_3() {
    raddle_with(&["run", "-"], &matmul(1 << 20, 1 << 20, 1 << 20)).says(3, &["E0904", "larger than the limit"]);
}

/// More workgroups than a grid has, along one dimension and in all, where the program asks for them. Otherwise a grid of
/// any size goes through all elements.
#[test]
fn grids_have_limits() {
    for (shape, ones) in [("100000000000000xf32", ""), ("100000x100000x100000x64xf32", "1, 1, 1, ")] {
        let loops = ones.replace('1', "0");
        let digits = if ones.is_empty() { "0" } else { "0, 1, 2, 3" };
        let program = |config: &str| {
            format!(
                "func.func @f(%a: tensor<{shape}>, %b: tensor<{shape}>) -> tensor<{shape}> {{
  %e = tensor.empty() : tensor<{shape}>
  %r = linalg.add {config} ins(%a, %b : tensor<{shape}>, tensor<{shape}>) outs(%e : tensor<{shape}>) -> tensor<{shape}>
  return %r : tensor<{shape}>
}}"
            )
        };
        let config = format!(
            "{{lowering_config = #iree_gpu.lowering_config<{{workgroup = [{ones}64], thread = [{loops}2], lane_basis = [[{ones}32], [{digits}]], subgroup_basis = [[{ones}1], [{digits}]]}}>}}"
        );
        raddle_with(&["build", "-"], &program(&config)).says(1, &["E0604", "more than a grid has"]);
        raddle_with(&["build", "-"], &program("")).says(0, &[".entry f"]);
    }
}

/// The report for programs has what the one for people has.
#[test]
fn reports_are_json_on_request() {
    let run = raddle_with(&["run", "-", "--json", "--expected_output=16x16xf32=1e6"], &matmul(16, 16, 16));
    assert_eq!(run.status, 1);
    let json: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((&json["ok"], &json["target"]), (&serde_json::json!(false), &serde_json::json!("sm_80")));
    let verdict = &json["verdicts"][0];
    assert_eq!(verdict["wrong"], 256);
    assert_eq!(verdict["mismatches"][0]["at"], serde_json::json!([0, 0]));
    assert_eq!(verdict["mismatches"][0]["writer"]["workgroup"], serde_json::json!([0, 0, 0]));
    assert!(json["executions"][0]["lane_ops"].as_u64().unwrap() > 0);
    let run = raddle_with(&["run", "-", "--json", "--input=1xf32"], &matmul(16, 16, 16));
    let json: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((run.status, &json["diagnostics"][0]["code"]), (2, &serde_json::json!("E0901")));
}

/// Where layouts are written already, vectors that come in are read in those of the arguments.
#[test]
fn vectors_come_in_as_they_are_laid_out() {
    let text = "
#l = #iree_vector_ext.nested_layout<subgroup_tile = [1], batch_tile = [2], outer_tile = [1], thread_tile = [32],
  element_tile = [4], subgroup_strides = [0], thread_strides = [1]>
func.func @f(%v: vector<256xf32>) -> vector<256xf32> attributes {translation_info =
    #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [32, 1, 1]
    subgroup_size = 32>} {
  %a = iree_vector_ext.to_layout %v to layout(#l) : vector<256xf32>
  %c = arith.addf %a, %a : vector<256xf32>
  return %c : vector<256xf32>
}";
    let laid_out = raddle_with(&["opt", "-", "--to=laid_out"], text);
    laid_out.says(0, &["layouts = [", "(%arg0: vector<256xf32>) -> vector<256xf32>"]);
    let ran = raddle_with(&["run", "-", "--compare=laid_out,distributed,lowered"], &laid_out.out);
    ran.says(0, &["stage `lowered`, all 256 elements equal"]);
}

/// Whichever limit a run meets, the flags for all of them are named at once, and they do.
#[test]
fn limits_name_the_flags_that_do() {
    let large = matmul(2048, 2048, 2048);
    raddle_with(&["run", "-"], &large).says(3, &["--memory=", "--fuel=", "--time="]);
    let small = matmul(64, 64, 64);
    for limits in [&["--fuel=1000"][..], &["--memory=10K"], &["--memory=100K", "--fuel=1000"]] {
        let refused = raddle_with(&[&["run", "-"], limits].concat(), &small);
        refused.says(3, &["run it with `--"]);
        let flags = refused.err.split("run it with `").nth(1).and_then(|rest| rest.split('`').next()).unwrap();
        let given = limits.iter().copied().filter(|limit| !flags.contains(limit.split('=').next().unwrap()));
        let args: Vec<&str> = ["run", "-"].into_iter().chain(given).chain(flags.split(' ')).collect();
        raddle_with(&args, &small).says(0, &["correct:"]);
    }
}

/// Integers of 64 bits are shown digit by digit, and neighbours that round to one float are told apart.
#[test]
fn integers_are_shown_exactly() {
    let text = "func.func @f(%a: tensor<2xi64>, %b: tensor<2xi64>) -> tensor<2xi64> {
  %0 = arith.addi %a, %b : tensor<2xi64>
  return %0 : tensor<2xi64>
}";
    let run = |extra: &[&str]| {
        let inputs = ["run", "-", "--at=tensor", "--input=2xi64=9007199254740992 1", "--input=2xi64=1 2"];
        raddle_with(&[&inputs[..], extra].concat(), text)
    };
    run(&["--output=-"]).says(0, &["=9007199254740993 3"]);
    let wrong = "--expected_output=2xi64=9007199254740992 3";
    run(&[wrong]).says(1, &["got 9007199254740993, expected 9007199254740992", "max abs 1.000e0 at [0]"]);
    run(&[wrong, "--json"]).says(1, &["\"got\":9007199254740993"]);
}
