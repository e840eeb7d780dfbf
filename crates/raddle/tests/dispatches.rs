//! Dispatches and tests as IREE has them, through the command line.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod common;

use common::{raddle, raddle_with};

/// One executable: a copy by an elementwise operation, or an operation that nothing compiles.
fn executable(name: &str, compute: &str) -> String {
    format!(
        "hal.executable private @{name} {{
  hal.executable.variant public @cuda target(<\"cuda\", \"cuda-nvptx-fb\">) {{
    hal.executable.export public @{name}_copy ordinal(0) layout(#layout) count(%d: !hal.device) -> (index, index, index) {{
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      hal.return %x, %y, %z : index, index, index
    }}
    builtin.module {{
      func.func @{name}_copy() {{
        %c64 = arith.constant 64 : index
        %to = hal.interface.binding.subspan layout(#layout) binding(0) offset(%c64) : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<128xf32>>
        %from = hal.interface.binding.subspan layout(#layout) binding(1) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<128xf32>>
        %t = iree_tensor_ext.dispatch.tensor.load %from, offsets = [0], sizes = [128], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<128xf32>> -> tensor<128xf32>
        %e = tensor.empty() : tensor<128xf32>
        {compute}
        iree_tensor_ext.dispatch.tensor.store %r, %to, offsets = [0], sizes = [128], strides = [1] : tensor<128xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<128xf32>>
        return
      }}
    }}
  }}
}}
"
    )
}

const LAYOUT: &str = "#layout = #hal.pipeline.layout<constants = 1, bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>\n";
const ABS: &str = "%r = linalg.abs ins(%t : tensor<128xf32>) outs(%e : tensor<128xf32>) -> tensor<128xf32>";
/// Numbers that no machine here computes with keep every kernel out.
const REFUSED: &str = "%r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = [\"parallel\"]} ins(%t : tensor<128xf32>) outs(%e : tensor<128xf32>) {
        ^bb0(%x: f32, %o: f32):
          %w = arith.extf %x : f32 to f128
          %u = arith.mulf %w, %w : f128
          %v = arith.truncf %u : f128 to f32
          linalg.yield %v : f32
        } -> tensor<128xf32>";

/// Commands find functions inside of executables, and compute what they compute.
#[test]
fn a_dispatch_is_compiled_where_it_stands() {
    let text = format!("{LAYOUT}{}", executable("one", ABS));
    let input = "--input=128xf32=-2.5";
    raddle_with(&["run", "-", input, "--expected_output=128xf32=2.5"], &text).says(0, &["correct"]);
    raddle_with(&["run", "-", input, "--expected_output=128xf32=-2.5"], &text).says(1, &["WRONG"]);
    let lowered = raddle_with(&["opt", "-", "--to=lowered"], &text);
    lowered.says(0, &["raddle.interface"]);
    assert!(!lowered.out.contains("linalg"), "{}", lowered.out);
}

/// A kernel takes what IREE passes: the bindings in order, then the constants, and adds the offsets itself.
#[test]
fn a_kernel_keeps_the_interface() {
    let text = format!("{LAYOUT}{}", executable("one", ABS));
    let ptx = raddle_with(&["build", "-"], &text).out;
    let header = ptx.split_once(".entry").unwrap().1.split_once(')').unwrap().0.to_owned();
    let params: Vec<&str> = header.lines().filter_map(|line| line.trim().strip_prefix(".param ")).collect();
    assert_eq!(params, [".u64 arg0,", ".u64 arg1,", ".u32 arg2"]);
    assert!(ptx.contains("64;") && ptx.contains("add.s64"), "the result starts at byte 64 of its binding: {ptx}");
}

/// Of a dump, each dispatch is a kernel, in one text or in files; what is refused is said and does not keep the others.
#[test]
fn a_dump_becomes_many_kernels() {
    let dump = format!("{LAYOUT}{}{}{}", executable("one", ABS), executable("two", REFUSED), executable("three", ABS));
    let all = raddle_with(&["build", "-"], &dump);
    all.says(
        1,
        &[
            ".entry one_copy",
            ".entry three_copy",
            "refused @two_copy",
            "error[E0",
            "2 of 3 functions compiled, 1 refused",
        ],
    );
    assert_eq!(all.out.matches(".version").count(), 1, "one module states its version once");
    let folder = tempfile::tempdir().unwrap();
    raddle_with(&["build", "-", "-o", folder.path().to_str().unwrap()], &dump).says(1, &["1 refused"]);
    let mut files: Vec<String> = std::fs::read_dir(folder.path())
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();
    assert_eq!(files, ["one_copy.json", "one_copy.ptx", "three_copy.json", "three_copy.ptx"]);
    raddle_with(&["run", "-", "--all"], &dump)
        .says(1, &["ok       @one_copy", "refused  @two_copy", "3 functions: 2 right, 1 refused, 0 wrong"]);
}

/// The host's side of a dump is read over.
#[test]
fn a_dump_may_hold_its_host() {
    let host =
        "util.func public @host(%a: !stream.resource<external>, %b: !stream.resource<external>, %n: index, %i: i32) {
  %c0 = arith.constant 0 : index
  %t = stream.cmd.execute with(%a as %x: !stream.resource<external>{%n}, %b as %y: !stream.resource<external>{%n}) {
    stream.cmd.dispatch @one::@cuda::@one_copy(%i : i32) {
      wo %y[%c0 for %n] : !stream.resource<external>{%n},
      ro %x[%c0 for %n] : !stream.resource<external>{%n}
    }
  } => !stream.timepoint
  util.return
}
";
    let text = format!("{LAYOUT}{}{host}", executable("one", ABS));
    raddle_with(&["build", "-"], &text).says(0, &[".entry one_copy"]);
    raddle_with(&["run", "-", "--all"], &text).says(0, &["1 functions: 1 right"]);
}

/// A command that finds nothing to do says so.
#[test]
fn nothing_to_do_is_an_error() {
    for command in [&["opt", "-", "--to=lowered"][..], &["build", "-"], &["run", "-"], &["run", "-", "--all"]] {
        raddle_with(command, "func.func private @f()").says(2, &["E0908"]);
    }
}

/// A test of IREE's suite runs as it stands: its data comes in, and each expectation is checked.
#[test]
fn tests_that_hold_their_data_run() {
    let test = |name: &str, check: &str| {
        format!(
            "func.func @{name}() {{
  %a = util.unfoldable_constant dense<[1.0, -2.0, 3.0, -4.0]> : tensor<4xf32>
  %w = util.unfoldable_constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.abs ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  {check}
  return
}}
"
        )
    };
    let good = [
        test("constant", "check.expect_eq_const(%r, dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>) : tensor<4xf32>"),
        test("value", "check.expect_eq(%r, %w) : tensor<4xf32>"),
        test(
            "near",
            "check.expect_almost_eq_const(%r, dense<[1.05, 1.95, 3.0, 4.0]> : tensor<4xf32>, atol 0.1) : tensor<4xf32>",
        ),
    ];
    raddle_with(&["run", "-", "--all"], &good.concat())
        .says(0, &["ok       @value", "3 functions: 3 right, 0 refused, 0 wrong, 0 bugs"]);
    let bad = [
        test("constant", "check.expect_eq_const(%r, dense<[1.0, 2.0, 3.0, 5.0]> : tensor<4xf32>) : tensor<4xf32>"),
        test("value", "check.expect_eq(%w, %a) : tensor<4xf32>"),
        test("near", "check.expect_almost_eq_const(%r, dense<[1.05, 1.95, 3.0, 4.0]> : tensor<4xf32>) : tensor<4xf32>"),
    ];
    let found = raddle_with(&["run", "-", "--all"], &bad.concat());
    assert_eq!(found.status, 1);
    assert!(
        found.out.contains("WRONG    @constant: result 0: 1 of 4 elements differ; [3]: got 4, expected 5"),
        "{}",
        found.out
    );
    assert!(found.out.contains("WRONG    @near: result 0: 2 of 4"), "{}", found.out);
    // What a global holds is data; data alone needs no kernel.
    let held = "util.global private @w = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
func.func @held() {
  %w = util.global.load @w : tensor<4xf32>
  %b = util.optimization_barrier %w : tensor<4xf32>
  check.expect_eq_const(%b, dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>) : tensor<4xf32>
  return
}";
    raddle_with(&["run", "-", "--all"], held).says(0, &["1 right"]);
    raddle_with(
        &["run", "-", "--all"],
        &held.replace("dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>\nfunc", "dense<9.0> : tensor<4xf32>\nfunc"),
    )
    .says(1, &["WRONG    @held: the constant: 4 of 4"]);
    raddle(&["run", "examples/matmul.mlir", "--all"]).says(0, &["ok       @matmul"]);
}
