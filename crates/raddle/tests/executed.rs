//! `raddle exec`, and `raddle run --device=ptx-emu`: what is emitted runs as text, and says what is wrong with it.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::path::{Path, PathBuf};

use crate::common::{raddle, raddle_with};

/// `b = 2 * a` for `n` elements.
const DOUBLE: &str = ".version 8.0
.target sm_80
.address_size 64
.visible .entry double(.param .u64 a, .param .u64 b, .param .u32 n)
{
  .reg .pred %p;
  .reg .b32 %r<8>;
  .reg .f32 %f<2>;
  .reg .b64 %rd<6>;
  ld.param.u64 %rd0, [a];
  ld.param.u64 %rd1, [b];
  ld.param.u32 %r0, [n];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.s32 %r4, %r1, %r2, %r3;
  setp.ge.s32 %p, %r4, %r0;
  @%p bra DONE;
  mul.wide.s32 %rd2, %r4, 4;
  add.s64 %rd3, %rd0, %rd2;
  ld.global.f32 %f0, [%rd3];
  add.rn.f32 %f1, %f0, %f0;
  add.s64 %rd4, %rd1, %rd2;
  st.global.f32 [%rd4], %f1;
DONE:
  ret;
}
";

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// Buffers, scalars, grids, files, and what a wrong result looks like.
#[test]
fn a_kernel_runs_on_given_buffers() {
    let run = |flags: &[&str]| raddle_with(&[&["exec", "-", "--grid=4", "--workgroup=32"], flags].concat(), DOUBLE);
    let inputs = ["--input=100xf32=1.5", "--input=100xf32", "--input=i32=100"];
    run(&[&inputs[..], &["--expected_output=arg1=100xf32=3"]].concat()).says(0, &["argument 1 is correct: 100 of 100"]);
    run(&[&inputs[..], &["--expected_output=arg1=100xf32=4"]].concat()).says(1, &["wrong", "at [0]: 3 instead of 4"]);
    let path = file("doubled.npy");
    let target = format!("arg1=@{}", path.display());
    run(&[&inputs[..], &[&format!("--output={target}")]].concat()).says(0, &["executed"]);
    run(&[&inputs[..], &[&format!("--expected_output={target}"), "--json"]].concat()).says(0, &["\"correct\":true"]);
    run(&inputs[..2]).says(2, &["takes 3 parameters, and 2 are given", "they are a (.u64), b (.u64), n (.u32)"]);
    run(&["--input=i32=1", "--input=100xf32", "--input=i32=100"])
        .says(2, &["parameter 0, `a` (.u64), has 8 bytes, and the input is an i32", "64xf32=@a.npy"]);
    run(&[&inputs[..], &["--entry=triple"]].concat()).says(2, &["no kernel `triple`", "`double`"]);
    raddle_with(&["exec", "-", inputs[0], inputs[1], inputs[2]], DOUBLE).says(1, &["--workgroup=128,1,1"]);
}

/// One buffer for two parameters, at two places.
#[test]
fn a_parameter_is_an_address_in_another_ones_buffer() {
    let run = |inputs: [&str; 3], flags: &[&str]| {
        let inputs = inputs.map(|input| format!("--input={input}"));
        let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
        raddle_with(&[&["exec", "-", "--grid=1", "--workgroup=32"], &inputs[..], flags].concat(), DOUBLE)
    };
    run(["8xf32=1", "arg0", "i32=8"], &["--expected_output=arg0=8xf32=2"]).says(0, &["argument 0 is correct"]);
    run(["8xf32=1", "arg0+16", "i32=4"], &["--expected_output=arg0=8xf32=[1,1,1,1,2,2,2,2]"])
        .says(0, &["argument 0 is correct"]);
    run(["arg1+16", "8xf32=1", "i32=4"], &["--expected_output=arg1=8xf32=[2,2,2,2,1,1,1,1]"])
        .says(0, &["argument 1 is correct"]);
    run(["8xf32=1", "arg0+16", "i32=5"], &[]).says(1, &["race: writes 4 bytes at byte 16 of argument 0"]);
    run(["arg1+28", "8xf32=1", "i32=2"], &[]).says(1, &["bounds: reads 4 bytes", "argument 1, which has 32 bytes"]);
    run(["8xf32=1", "arg0+33", "i32=1"], &[]).says(2, &["33 bytes behind the start of argument 0", "has 32 bytes"]);
    run(["8xf32=1", "arg2", "i32=1"], &[]).says(2, &["argument 1 is an address in argument 2, which is not a buffer"]);
    run(["8xf32=1", "arg1", "i32=1"], &[]).says(2, &["argument 1 is an address in argument 1, which is not a buffer"]);
    run(["8xf32=1", "arg0", "arg0"], &[]).says(2, &["parameter 2, `n` (.u32), has 4 bytes: it is not a pointer"]);
    run(["8xf32=1", "arg0-4", "i32=1"], &[]).says(2, &["input 1, `arg0-4`", "write it as `arg0`"]);
    run(["8xf32=1", "arg0", "i32=1"], &["--output=arg1=@x.npy"]).says(2, &["argument 1 is not a buffer"]);
}

/// A launch says how large clusters are where the kernel leaves it open.
#[test]
fn a_launch_says_how_large_clusters_are() {
    let text = ".version 8.0
.target sm_90
.address_size 64
.visible .entry ranks(.param .u64 out)
.reqntid 32, 1, 1
{
  .reg .b32 %r<4>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd0, [out];
  mov.u32 %r0, %ctaid.x;
  mul.wide.u32 %rd1, %r0, 4;
  add.s64 %rd2, %rd0, %rd1;
  mov.u32 %r1, %cluster_ctarank;
  mov.u32 %r2, %cluster_nctarank;
  mad.lo.u32 %r3, %r2, 10, %r1;
  st.global.u32 [%rd2], %r3;
  ret;
}
";
    let run = |flags: &[&str], text: &str| {
        raddle_with(&[&["exec", "-", "--grid=4", "--input=4xi32=-1"], flags].concat(), text)
    };
    run(&["--cluster=2", "--expected_output=arg0=4xi32=[20 21 20 21]"], text).says(0, &["correct"]);
    run(&["--expected_output=arg0=4xi32=[10 10 10 10]"], text).says(0, &["correct"]);
    run(&["--cluster=3"], text).says(1, &["not made of clusters of [3, 1, 1]"]);
    let fixed = text.replace(".reqntid", ".reqnctapercluster 4, 1, 1\n.reqntid");
    run(&["--cluster=2"], &fixed).says(1, &["requires clusters of [4, 1, 1] workgroups, not [2, 1, 1]"]);
}

/// A finding marks the line of the PTX and names the thread.
#[test]
fn findings_name_line_and_thread() {
    let flags = ["exec", "-", "--grid=4", "--workgroup=32", "--input=100xf32=1", "--input=90xf32", "--input=i32=100"];
    let run = raddle_with(&flags, DOUBLE);
    run.says(
        1,
        &[
            "E0811",
            "<stdin>:24:3",
            "byte 360 of argument 1, which has 360 bytes",
            "thread (26, 0, 0) of workgroup (2, 0, 0)",
        ],
    );
    let unknown = DOUBLE.replace("add.rn.f32", "add.rn.strange.f32");
    raddle_with(&flags, &unknown).says(1, &["E0801", "`add.rn.strange.f32` is not known", "<stdin>:22:3"]);
}

/// The text that `raddle build` writes is executed by `raddle exec`.
#[test]
fn what_is_built_is_executed() {
    let path = file("row_sum.ptx");
    let path = path.to_str().unwrap();
    raddle(&["build", "examples/row_sum.mlir", "-o", path]).says(0, &[]);
    let input = "--input=1024x1024xf32=1";
    let expected = "--expected_output=arg1=1024xf32=1024";
    let correct = "argument 1 is correct: 1024 of 1024 elements equal";
    raddle(&["exec", path, "--grid=1024", input, "--input=1024xf32", expected]).says(0, &[correct]);
    // The launch, and the buffer that the kernel only writes, are in the launch data beside the code.
    raddle(&["exec", path, input, expected]).says(0, &[correct]);
    let elsewhere = file("row_sum_elsewhere.ptx");
    std::fs::copy(path, &elsewhere).unwrap();
    let elsewhere = elsewhere.to_str().unwrap();
    let launch = format!("--launch={}", file("row_sum.json").display());
    raddle(&["exec", elsewhere, &launch, input, expected]).says(0, &[correct]);
    raddle(&["exec", elsewhere, input]).says(2, &["takes 2 parameters, and 1 are given"]);
}

/// Grids and extents follow from the buffers; what does not fit the launch data is said.
#[test]
fn launch_data_say_what_a_kernel_takes() {
    let path = file("launched.ptx");
    std::fs::write(&path, DOUBLE).unwrap();
    let json = |grid: &str, kind: &str| {
        format!(
            r#"{{"version": 1, "kernels": [{{"name": "double", "entry": "double", "parameters": [
                {{"name": "arg0", "kind": "buffer", "type": "f32", "shape": [-1], "access": "read"}},
                {{"name": "arg1", "kind": "buffer", "type": "f32", "shape": [-1], "access": "{kind}"}},
                {{"name": "arg2", "kind": "extent", "type": "i32", "of": "arg0", "dimension": 0}}],
                "grid": {grid}, "workgroup": [32, 1, 1], "dynamic_shared_bytes": 0}}]}}"#
        )
    };
    let data = path.with_extension("json");
    let run = |text: &str, flags: &[&str]| {
        std::fs::write(&data, text).unwrap();
        raddle(&[&["exec", path.to_str().unwrap()], flags].concat())
    };
    let grid = r#"["arg2 ceildiv 32", "1", "1"]"#;
    let given = ["--input=100xf32=1.5", "--input=100xf32"];
    let correct = "--expected_output=arg1=100xf32=3";
    run(&json(grid, "read_write"), &[&given[..], &[correct]].concat()).says(0, &["argument 1 is correct: 100 of 100"]);
    run(&json("[0, 1, 1]", "write"), &[&given[..], &["--expected_output=arg1=100xf32=0"]].concat())
        .says(0, &["executed 0 thread instructions", "argument 1 is correct"]);
    run(&json("null", "write"), &given).says(1, &["leaves the grid to the caller", "--grid=8,4"]);
    run(&json("null", "write"), &[&given[..], &["--grid=4", correct]].concat()).says(0, &["correct"]);
    run(&json(r#"["arg7", 1, 1]"#, "write"), &given).says(2, &["`\"arg7\"` gives no number of workgroups"]);
    run(&json(grid, "write"), &["--input=100xf32"]).says(2, &["the extents of `arg1 ", "give an input for it"]);
    let follows = json(grid, "write").replace(r#""access": "write""#, r#""access": "write", "extents": ["arg2"]"#);
    run(&follows, &[given[0], correct]).says(0, &["argument 1 is correct: 100 of 100"]);
    run(&json(grid, "write"), &["--input=10x10xf32", given[1]]).says(2, &["takes arg0", "10x10 of f32"]);
    run(&json(grid, "write"), &["--input=100xi32", given[1]]).says(2, &["takes arg0", "100 of i32"]);
    run(&json(grid, "write"), &[given[0]; 5]).says(2, &["`double` takes 2 inputs, and 5 are given"]);
    // A buffer without extents holds one number.
    let one = json("[1, 1, 1]", "write")
        .replacen("[-1]", "[]", 1)
        .replace(r#""extent", "type": "i32", "of": "arg0", "dimension": 0"#, r#""scalar", "type": "i32""#);
    let inputs = ["--input=f32=2", "--input=1xf32", "--input=i32=1", "--expected_output=arg1=1xf32=4"];
    run(&one, &inputs).says(0, &["argument 1 is correct: 1 of 1"]);
    let both = one.replace("[-1]", "[]");
    let inputs = ["--input=f32=2", "--input=i32=1", "--expected_output=arg1=f32=4"];
    run(&both, &inputs).says(0, &["argument 1 is correct: 1 of 1"]);
    run("{", &given).says(2, &["is not launch data: it is not JSON", "--launch=k.json"]);
    // Another file of that name is nobody's business unless it is named, and neither are launch data of other code.
    let other = json(grid, "write").replacen('{', r#"{"target": "gfx942", "#, 1);
    for text in ["{}", &other] {
        run(text, &[&given[..], &["--input=i32=100", "--grid=4", "--workgroup=32", correct]].concat())
            .says(0, &["correct"]);
    }
    let named = format!("--launch={}", data.display());
    run("{}", &[&given[..], &[&named]].concat()).says(2, &["no list of `kernels`"]);
    run(&other, &[&given[..], &[&named]].concat()).says(2, &["it is for `gfx942`, which has no PTX"]);
}

/// Each example as PTX gives what the emulator gives, bit for bit, whenever its copies happen.
#[test]
fn examples_mean_the_same_as_text() {
    let examples =
        [("argmax", 2), ("attention", 1), ("matmul", 1), ("prefix_sum", 2), ("row_sum", 1), ("transpose_add", 1)];
    for (name, n_results) in examples {
        let program = format!("examples/{name}.mlir");
        let files: Vec<String> =
            (0..n_results).map(|at| format!("@{}", file(&format!("{name}_{at}.npy")).display())).collect();
        let outputs: Vec<String> = files.iter().map(|file| format!("--output={file}")).collect();
        let expected: Vec<String> = files.iter().map(|file| format!("--expected_output={file}")).collect();
        let mut flags = vec!["run", &program];
        flags.extend(outputs.iter().map(String::as_str));
        raddle(&flags).says(0, &[]);
        for when in ["--async=eager", "--async=lazy"] {
            let mut flags = vec!["run", &program, "--device=ptx-emu", when, "--expected_atol=0", "--expected_rtol=0"];
            flags.extend(expected.iter().map(String::as_str));
            raddle(&flags).says(0, &["bit for bit"]);
        }
    }
}

/// Chips without PTX say so, and an unknown device names those that there are.
#[test]
fn the_device_has_its_limits() {
    raddle(&["run", "examples/row_sum.mlir", "--device=ptx-emu", "--target=gfx942"]).says(1, &["no PTX for gfx942"]);
    raddle(&["run", "examples/row_sum.mlir", "--device=ptx"]).says(2, &["ptx-emu"]);
    raddle(&["devices"]).says(0, &["ptx-emu"]);
}

/// A tensor map is a parameter: a box at an edge comes with zeros, or with what the map fills in.
#[test]
fn tensor_maps_are_parameters() {
    let text = ".version 8.6
.target sm_90a
.address_size 64
.visible .entry fetch(.param .align 64 .b8 a[128], .param .u64 b)
.reqntid 32, 1, 1
{
  .reg .pred %p, %q;
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  .shared .align 128 .b8 tile[128];
  .shared .align 8 .b64 bar;
  mov.b64 %rd0, a;
  cvta.param.u64 %rd0, %rd0;
  ld.param.u64 %rd1, [b];
  mov.u32 %r0, %tid.x;
  setp.eq.u32 %p, %r0, 0;
  @%p mbarrier.init.shared::cta.b64 [bar], 1;
  fence.mbarrier_init.release.cluster;
  bar.sync 0;
  @%p mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 128;
  @%p cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%rd0, {4, 1}], [bar];
WAIT:
  mbarrier.try_wait.parity.shared::cta.b64 %q, [bar], 0;
  @!%q bra WAIT;
  mov.u32 %r1, tile;
  mad.lo.u32 %r1, %r0, 4, %r1;
  ld.shared.u32 %r2, [%r1];
  mul.wide.u32 %rd2, %r0, 4;
  add.s64 %rd2, %rd1, %rd2;
  st.global.u32 [%rd2], %r2;
  ret;
}
";
    let run = |map: &str, flags: &[&str]| {
        let input = format!("--input={map}");
        raddle_with(&[&["exec", "-", &input, "--input=4x8xf32"], flags].concat(), text)
    };
    // Rows 1 to 4 of columns 4 to 11, of three rows and eight columns.
    let want = "--expected_output=arg1=4x8xf32=[[5 5 5 5 0 0 0 0][5 5 5 5 0 0 0 0][0 0 0 0 0 0 0 0][0 0 0 0 0 0 0 0]]";
    run("map[box=4x8]:3x8xf32=5", &[want]).says(0, &["32 of 32"]);
    run("map[box=4x8,fill=nan]:3x8xf32=5", &[want]).says(1, &["8 of 32"]);
    run("map[box=4x8,swizzle=48]:3x8xf32=5", &[]).says(2, &["`48` is not a value of `swizzle`", "write it as"]);
    run("map[box=4x3]:3x8xf32=5", &[]).says(2, &["multiples of 16 bytes"]);
    run("map[swizzle=32]:3x8xf32=5", &[]).says(2, &["states no box"]);
    run("3x8xf32=5", &[]).says(2, &["has 128 bytes"]);
}

/// A structure by value, whose members count as arguments; what a kernel prints stands in front of the report.
#[test]
fn structures_and_prints_are_understood() {
    let text = "
.version 8.4
.target sm_80
.address_size 64
.extern .func (.param .b32 n) vprintf(.param .b64 format, .param .b64 args);
.global .align 1 .b8 text[7] = {110, 32, 61, 32, 37, 100, 10};
.global .align 1 .b8 last = 0;
.visible .entry scale(.param .align 8 .b8 all[24])
.reqntid 4, 1, 1
{
  .reg .b32 %r<5>;
  .reg .b64 %rd<5>;
  .local .align 8 .b8 args[8];
  ld.param.u64 %rd1, [all];
  ld.param.u32 %r1, [all+8];
  ld.param.u32 %r2, [all+12];
  mov.u32 %r3, %tid.x;
  mul.wide.u32 %rd2, %r3, 4;
  add.s64 %rd1, %rd1, %rd2;
  mad.lo.u32 %r4, %r3, %r1, %r2;
  st.global.u32 [%rd1], %r4;
  st.local.u32 [args], %r4;
  mov.u64 %rd3, text;
  mov.u64 %rd4, args;
  cvta.local.u64 %rd4, %rd4;
  {
    .param .b64 p0;
    st.param.b64 [p0], %rd3;
    .param .b64 p1;
    st.param.b64 [p1], %rd4;
    .param .b32 back;
    call.uni (back), vprintf, (p0, p1);
  }
  ret;
}
";
    let run = |members: &str| {
        let input = format!("--input={{{members}}}");
        raddle_with(&["exec", "-", &input, "--expected_output=arg0=4xi32=1 4 7 10"], text)
    };
    run("4xi32=0; i32=3; i32=1; i64=0").says(0, &["n = 1\nn = 4\nn = 7\nn = 10\n", "argument 0 is correct"]);
    run("4xi32=0; i32=3; i32=1").says(2, &["has 24 bytes, and the members that are given take 16"]);
    run(" ").says(2, &["has no members"]);
}

/// A structure in memory, of which the kernel is given the address: pointers, of which one is inside of what another one
/// points to, and a number behind them.
#[test]
fn structures_lie_in_memory() {
    let text = "
.version 8.4
.target sm_80
.address_size 64
.visible .entry sums(.param .u64 all, .param .u32 more)
.reqntid 4, 1, 1
{
  .reg .b32 %r<6>;
  .reg .b64 %rd<6>;
  ld.param.u64 %rd1, [all];
  ld.param.u32 %r1, [more];
  ld.global.v2.u64 {%rd2, %rd3}, [%rd1];
  ld.global.u64 %rd4, [%rd1+16];
  ld.global.u32 %r2, [%rd1+24];
  add.s32 %r1, %r1, %r2;
  ld.global.u32 %r2, [%rd4];
  add.s32 %r1, %r1, %r2;
  mov.u32 %r3, %tid.x;
  mul.wide.u32 %rd5, %r3, 4;
  add.s64 %rd2, %rd2, %rd5;
  add.s64 %rd3, %rd3, %rd5;
  ld.global.u32 %r4, [%rd2];
  ld.global.u32 %r5, [%rd3];
  add.s32 %r4, %r4, %r5;
  add.s32 %r4, %r4, %r1;
  st.global.u32 [%rd3], %r4;
  ret;
}
";
    let run = |all: &str, more: &str| {
        let inputs = [all, more].map(|input| format!("--input={input}"));
        raddle_with(&["exec", "-", &inputs[0], &inputs[1], "--expected_output=arg1=4xi32=26 37 48 59"], text)
    };
    let all = "&{4xi32=1 2 3 4; 4xi32=10 20 30 40; arg0+8; i32=7}";
    run(all, "i32=5").says(0, &["argument 1 is correct"]);
    run(all, "&{4xi32=0}").says(2, &["parameter 1, `more` (.u32), has 4 bytes: it is no pointer"]);
    run("&{4xi32=1 2 3 4; 4xi32=10 20 30 40; arg0+8}", "i32=5")
        .says(1, &["byte 24 of the structure of argument 0, which has 24 bytes"]);
    run("{4xi32=0; 4xi32=0}", "i32=5").says(2, &["or an array of pointers, as in `&{64xf32=@a.npy; arg0+16}`"]);
    run("&{}", "i32=5").says(2, &["the structure `&{}` has no members"]);
}

/// A function of several kernels is carried out by what its launch data say: temporaries, constants, open extents, numbers,
/// and results that are copied.
#[test]
fn functions_of_several_kernels_are_carried_out() {
    let text = "
      func.func @f(%x: tensor<?x24xf32>, %n: index, %w: tensor<24x32xf32>, %u: tensor<32x16xf32>) -> (tensor<?x16xf32>, tensor<24x32xf32>) {
        %zero = arith.constant 0.0 : f32
        %c0 = arith.constant 0 : index
        %v = arith.constant dense<[[0.5, -1.0, 2.0, 0.25, 1.0, 3.0, -0.5, 0.75, 1.5, 2.5, -2.0, 4.0, 0.125, -3.0, 1.25, 6.0]]> : tensor<1x16xf32>
        %m = tensor.dim %x, %c0 : tensor<?x24xf32>
        %e1 = tensor.empty(%m) : tensor<?x32xf32>
        %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<?x32xf32>) -> tensor<?x32xf32>
        %h = linalg.matmul ins(%x, %w : tensor<?x24xf32>, tensor<24x32xf32>) outs(%f1 : tensor<?x32xf32>) -> tensor<?x32xf32>
        %e3 = tensor.empty(%m) : tensor<?x16xf32>
        %f3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<?x16xf32>) -> tensor<?x16xf32>
        %g = linalg.matmul ins(%h, %u : tensor<?x32xf32>, tensor<32x16xf32>) outs(%f3 : tensor<?x16xf32>) -> tensor<?x16xf32>
        %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (0, j)>, affine_map<(i, j) -> (i, j)>],
            iterator_types = [\"parallel\", \"parallel\"]} ins(%g, %v : tensor<?x16xf32>, tensor<1x16xf32>) outs(%e3 : tensor<?x16xf32>) {
          ^bb0(%a: f32, %b: f32, %o: f32):
            %k = arith.index_cast %n : index to i32
            %l = arith.sitofp %k : i32 to f32
            %p = arith.mulf %a, %b : f32
            %q = arith.addf %p, %l : f32
            linalg.yield %q : f32
        } -> tensor<?x16xf32>
        return %r, %w : tensor<?x16xf32>, tensor<24x32xf32>
      }";
    let path = file("several.ptx");
    let path = path.to_str().unwrap();
    let source = file("several.mlir");
    let source = source.to_str().unwrap();
    std::fs::write(source, text).unwrap();
    raddle(&["build", source, "-o", path]).says(0, &[]);
    for rows in ["70", "1"] {
        let npy = |name: &str| file(&format!("several_{name}.npy")).to_str().unwrap().to_owned();
        let x = format!("--input={rows}x24xf32=random");
        let [w, u] = ["--input=24x32xf32=random", "--input=32x16xf32=random"];
        let [first, second] = ["first", "second"].map(npy);
        // The emulator has no part in either of what is compared but the random numbers.
        let outputs = [format!("--output=@{first}"), format!("--output=@{second}")];
        raddle(&["run", source, &x, "--input=index=3", w, u, &outputs[0], &outputs[1]]).says(0, &["correct"]);
        let expected = [format!("--expected_output=arg4=@{first}"), format!("--expected_output=arg5=@{second}")];
        let flags = ["exec", path, &x, "--input=index=3", w, u, &expected[0], &expected[1], "--expected_atol=1e-4"];
        raddle(&flags).says(0, &["argument 4 is correct", "argument 5 is correct"]);
    }
    raddle(&["exec", path, "--grid=4"]).says(2, &["this is a function of several", "name a kernel with `--entry=`"]);
    raddle(&["exec", path, "--entry=f_kernel_0", "--input=24x32xf32"]).says(2, &["`f_kernel_0` takes"]);

    // Launch data that say something else.
    let data = std::fs::read_to_string(file("several.json")).unwrap();
    let mut json: serde_json::Value = serde_json::from_str(&data).unwrap();
    let damaged = file("damaged.json");
    let launch = format!("--launch={}", damaged.to_str().unwrap());
    let inputs = ["--input=9x24xf32", "--input=index=3", "--input=24x32xf32", "--input=32x16xf32"];
    for (place, value, says) in [
        ("/sequences/0/workspace_bytes", serde_json::json!(1u64 << 60), "the limit is"),
        ("/sequences/0/workspace_bytes", serde_json::json!("arg9"), "is not a number of bytes"),
        ("/sequences/0/workspace_bytes", serde_json::json!(8), "is not a step"),
        ("/sequences/0/steps/0/arguments/0", serde_json::json!({ "constant": 7 }), "is not a step"),
        ("/sequences/0/steps/0/arguments/0", serde_json::json!({ "workspace": -64 }), "is not a step"),
        ("/sequences/0/steps/0/kernel", serde_json::json!("g"), "is not a step"),
        ("/sequences/0/steps/0/arguments", serde_json::json!([]), "is not a step"),
        ("/sequences/0/steps", serde_json::json!(null), "no list of `steps`"),
        ("/sequences/0/constants/0/data", serde_json::json!("abc"), "weights that the launch data do not hold"),
        ("/sequences/0/constants/0/data", serde_json::json!(null), "weights that the launch data do not hold"),
    ] {
        let mut other = std::mem::take(&mut json);
        let old = other.pointer_mut(place).map(|field| std::mem::replace(field, value)).unwrap();
        std::fs::write(&damaged, other.to_string()).unwrap();
        let ran = raddle(&[&["exec", path, "--entry=f", &launch][..], &inputs].concat());
        assert!(ran.err.contains(says) && ran.err.starts_with("error"), "{place} for {says:?}: {}{}", ran.out, ran.err);
        *other.pointer_mut(place).unwrap() = old;
        json = other;
    }
}
