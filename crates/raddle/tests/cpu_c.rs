//! Object files for CPUs as programs in C use them: those for aarch64 run under QEMU, others on this machine.
//!
//! `RADDLE_PROGRAMS=1000 RADDLE_SEED=7 cargo test -p raddle --test all cpu_c::random` runs more random programs, and
//! `RADDLE_PROGRAMS=10000 cargo test -p raddle --test all cpu_c::operations` every operation on scalars with every type.
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test may panic, and says what it skips")]

use std::fmt::Write;
use std::process::{Command, Stdio};

use raddle::run::{Device, Emulator, Launch, Tensor, npy};
use raddle_ir::Scalar;
use raddle_passes::Facts;

use crate::common::{self, raddle_with};
use crate::cpu::{Product, program, runs_here};
use crate::pairs::{self, Pair};

/// The chips whose code this machine runs by way of C, in turn; what is missing is said, and fails when CI is set.
pub fn targets() -> Vec<&'static str> {
    if !runs_here() {
        return Vec::new();
    }
    let mut targets = Vec::new();
    for (target, arch, tools) in [
        ("x86-64-v3", "x86_64", ["x86_64-linux-gnu-gcc", "qemu-x86_64"]),
        ("aarch64", "aarch64", ["aarch64-linux-gnu-gcc", "qemu-aarch64"]),
    ] {
        let is_here = arch == std::env::consts::ARCH;
        let tools = if is_here { &["cc"][..] } else { &tools[..] };
        let runs = |tool: &&str| {
            let status = Command::new(tool).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
            status.is_ok_and(|status| status.success())
        };
        if is_here && !raddle_run::cpu::runs(target) {
            eprintln!("NOT CHECKED: this machine does not run code for {target}");
        } else if let Some(missing) = tools.iter().find(|tool| !runs(tool)) {
            let ci = std::env::var_os("CI").is_some_and(|value| !value.is_empty() && value != "false" && value != "0");
            assert!(!ci, "{missing} is not installed, and CI is set: run `cargo xtask validators`");
            eprintln!("NOT CHECKED: {missing} is not installed; run `cargo xtask validators`");
        } else {
            targets.push(target);
        }
    }
    targets
}

/// Runs all functions of a text by way of C, and says that so many are right.
#[track_caller]
fn all_right(text: &str, target: &str) {
    let n = text.matches("func.func @").count();
    let ran = raddle_with(&["run", "-", "--all", "--device=cpu-c", &format!("--target={target}")], text);
    ran.says(0, &[&format!("{n} right, 0 refused, 0 wrong")]);
}

/// An operation on a tensor argument that gives one of another type, as a function.
fn unary(name: &str, [from, to]: [&str; 2], op: &str) -> String {
    format!(
        "func.func @{name}(%a: tensor<{from}>) -> tensor<{to}> {{
  %e = tensor.empty() : tensor<{to}>
  %r = {op} ins(%a : tensor<{from}>) outs(%e : tensor<{to}>) -> tensor<{to}>
  return %r : tensor<{to}>
}}\n"
    )
}

/// Products of matrices of all types, blocked for the caches and not, and what stands behind them.
#[test]
fn products() {
    let product = |name, extents, maps, types| Product { name, extents, maps, types, accumulates: true };
    let (plain, turned) = (["i, k", "k, j"], ["i, k", "j, k"]);
    let text: String = [
        product("floats", [25, 70, 530], plain, ["f32", "f32", "f32"]),
        product("turned", [61, 33, 37], turned, ["f32", "f32", "f32"]),
        product("doubles", [37, 50, 100], plain, ["f64", "f64", "f64"]),
        product("halves", [33, 67, 100], plain, ["f16", "f32", "f32"]),
        product("halves_alone", [33, 20, 40], plain, ["f16", "f16", "f16"]),
        product("brain_halves", [33, 67, 100], turned, ["bf16", "f32", "bf16"]),
        product("bytes", [40, 80, 90], plain, ["i8", "i32", "i32"]),
        product("bytes_turned", [31, 70, 64], turned, ["i8", "i32", "i32"]),
        product("words", [20, 30, 40], plain, ["i32", "i32", "i32"]),
        product("few_rows", [3, 70, 64], turned, ["f32", "f32", "f32"]),
    ]
    .iter()
    .map(Product::text)
    .collect();
    for target in targets() {
        all_right(&text, target);
    }
}

/// Softmax, norms, convolutions, poolings, transpositions, reductions, scans, gathers, sorts; one kernel and several;
/// vectors and scalar loops.
#[test]
fn programs() {
    let mut text = String::new();
    for (name, ty) in [("softmax", "5x200xf32"), ("softmax_f16", "3x70xf16"), ("softmax_open", "?x?xf32")] {
        let empty = if ty.starts_with('?') {
            "  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %n = tensor.dim %a, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%m, %n)"
        } else {
            "  %e = tensor.empty()"
        };
        let _ = writeln!(
            text,
            "func.func @{name}(%a: tensor<{ty}>) -> tensor<{ty}> {{
{empty} : tensor<{ty}>
  %r = linalg.softmax dimension(1) ins(%a : tensor<{ty}>) outs(%e : tensor<{ty}>) -> tensor<{ty}>
  return %r : tensor<{ty}>
}}"
        );
    }
    text += &unary("transposed", ["40x70xf32", "70x40xf32"], "linalg.transpose").replace(
        "outs(%e : tensor<70x40xf32>) -> tensor<70x40xf32>",
        "outs(%e : tensor<70x40xf32>) permutation = [1, 0]",
    );
    text += &unary("copied", ["7x9xi4", "7x9xi4"], "linalg.copy");
    text += "func.func @convolution(%a: tensor<2x9x11x5xf32>, %b: tensor<3x3x5x19xf32>, %c: tensor<2x7x9x19xf32>) -> tensor<2x7x9x19xf32> {
  %r = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%a, %b : tensor<2x9x11x5xf32>, tensor<3x3x5x19xf32>) outs(%c : tensor<2x7x9x19xf32>) -> tensor<2x7x9x19xf32>
  return %r : tensor<2x7x9x19xf32>
}
func.func @images(%a: tensor<2x5x18x18xf32>, %b: tensor<8x5x3x3xf32>, %c: tensor<2x8x16x16xf32>) -> tensor<2x8x16x16xf32> {
  %r = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%a, %b : tensor<2x5x18x18xf32>, tensor<8x5x3x3xf32>) outs(%c : tensor<2x8x16x16xf32>) -> tensor<2x8x16x16xf32>
  return %r : tensor<2x8x16x16xf32>
}
func.func @norm(%a: tensor<6x200xf32>) -> tensor<6x200xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 200.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %e = tensor.empty() : tensor<6x200xf32>
  %e1 = tensor.empty() : tensor<6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e1 : tensor<6xf32>) -> tensor<6xf32>
  %s = linalg.reduce {arith.addf} ins(%a : tensor<6x200xf32>) outs(%f : tensor<6xf32>) dimensions = [1]
  %d = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = [\"parallel\", \"parallel\"]} ins(%a, %s : tensor<6x200xf32>, tensor<6xf32>) outs(%e : tensor<6x200xf32>) {
    ^bb0(%x: f32, %y: f32, %o: f32):
      %m = arith.divf %y, %n : f32
      %c = arith.subf %x, %m : f32
      linalg.yield %c : f32
  } -> tensor<6x200xf32>
  %q = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = [\"parallel\", \"reduction\"]} ins(%d : tensor<6x200xf32>) outs(%f : tensor<6xf32>) {
    ^bb0(%x: f32, %o: f32):
      %m = arith.mulf %x, %x : f32
      %c = arith.addf %m, %o : f32
      linalg.yield %c : f32
  } -> tensor<6xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = [\"parallel\", \"parallel\"]} ins(%d, %q : tensor<6x200xf32>, tensor<6xf32>) outs(%e : tensor<6x200xf32>) {
    ^bb0(%x: f32, %y: f32, %o: f32):
      %m = arith.divf %y, %n : f32
      %v = arith.addf %m, %eps : f32
      %w = math.rsqrt %v : f32
      %c = arith.mulf %x, %w : f32
      linalg.yield %c : f32
  } -> tensor<6x200xf32>
  return %r : tensor<6x200xf32>
}
func.func @sums(%a: tensor<30x70xi16>) -> (tensor<30xi16>, tensor<70xi16>) {
  %zero = arith.constant 0 : i16
  %e = tensor.empty() : tensor<30xi16>
  %f = linalg.fill ins(%zero : i16) outs(%e : tensor<30xi16>) -> tensor<30xi16>
  %r = linalg.reduce {arith.addi} ins(%a : tensor<30x70xi16>) outs(%f : tensor<30xi16>) dimensions = [1]
  %e1 = tensor.empty() : tensor<70xi16>
  %f1 = linalg.fill ins(%zero : i16) outs(%e1 : tensor<70xi16>) -> tensor<70xi16>
  %r1 = linalg.reduce {arith.maxsi} ins(%a : tensor<30x70xi16>) outs(%f1 : tensor<70xi16>) dimensions = [0]
  return %r, %r1 : tensor<30xi16>, tensor<70xi16>
}
func.func @running_sums(%a: tensor<4x70xf32>, %c: tensor<4xf32>) -> tensor<4x70xf32> {
  %e = tensor.empty() : tensor<4x70xf32>
  %r:2 = iree_linalg_ext.scan dimension(1) inclusive(true) ins(%a : tensor<4x70xf32>)
      outs(%e, %c : tensor<4x70xf32>, tensor<4xf32>) {
    ^bb0(%x: f32, %y: f32):
      %s = arith.addf %x, %y : f32
      iree_linalg_ext.yield %s : f32
  } -> tensor<4x70xf32>, tensor<4xf32>
  return %r#0 : tensor<4x70xf32>
}
func.func @sorted(%a: tensor<5x33xi32>) -> tensor<5x33xi32> {
  %r = iree_linalg_ext.sort dimension(1) outs(%a : tensor<5x33xi32>) {
    ^bb0(%x: i32, %y: i32):
      %l = arith.cmpi slt, %x, %y : i32
      iree_linalg_ext.yield %l : i1
  } -> tensor<5x33xi32>
  return %r : tensor<5x33xi32>
}
func.func @backwards(%a: tensor<40x70xf64>) -> tensor<70x40xf64> {
  %c39 = arith.constant 39 : index
  %e = tensor.empty() : tensor<70x40xf64>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = [\"parallel\", \"parallel\"]}
      outs(%e : tensor<70x40xf64>) {
    ^bb0(%o: f64):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %k = arith.subi %c39, %j : index
      %x = tensor.extract %a[%k, %i] : tensor<40x70xf64>
      linalg.yield %x : f64
  } -> tensor<70x40xf64>
  return %r : tensor<70x40xf64>
}
func.func @open(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %n = tensor.dim %b, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %p = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%f : tensor<?x?xf32>) -> tensor<?x?xf32>
  %e1 = tensor.empty(%m) : tensor<?xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<?xf32>) -> tensor<?xf32>
  %s = linalg.reduce {arith.addf} ins(%p : tensor<?x?xf32>) outs(%f1 : tensor<?xf32>) dimensions = [1]
  return %s : tensor<?xf32>
}\n";
    for target in targets() {
        all_right(&text, target);
    }
}

/// Scalars are passed as their types in C are, also where C has none; names that C keeps are others.
#[test]
fn scalars_and_names() {
    let scaled = |name: &str, ty: &str, add: &str| {
        format!(
            "func.func @{name}(%a: tensor<21x{ty}>, %k: {ty}) -> tensor<21x{ty}> {{
  %e = tensor.empty() : tensor<21x{ty}>
  %r = linalg.generic {{indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = [\"parallel\"]}}
      ins(%a : tensor<21x{ty}>) outs(%e : tensor<21x{ty}>) {{
    ^bb0(%x: {ty}, %o: {ty}):
      %1 = arith.{add} %x, %k : {ty}
      linalg.yield %1 : {ty}
  }} -> tensor<21x{ty}>
  return %r : tensor<21x{ty}>
}}\n"
        )
    };
    let types = ["f32", "f64", "f16", "bf16", "f8E4M3FN", "f4E2M1FN", "i1", "i4", "i8", "i16", "i32", "i64"];
    let names = ["main", "double", "expf", "memcpy", "new", "select", "_start", "a.b", "k", "l", "m", "n"];
    let text: String = (types.iter().zip(names))
        .map(|(ty, name)| {
            let name = if name.contains('.') { format!("\"{name}\"") } else { name.to_owned() };
            scaled(&name, ty, if ty.starts_with('i') { "addi" } else { "addf" })
        })
        .collect();
    for target in targets() {
        all_right(&text, target);
    }
    if runs_here() {
        raddle_with(&["run", "-", "--all", "--device=cpu"], &text).says(0, &["12 right, 0 refused, 0 wrong"]);
    }
}

/// Functions of several kernels are called as one: with weights that are prepared once, extents that the call states,
/// results that are arguments or constants, temporaries that share memory, and buffers of nothing.
#[test]
fn functions_of_several_kernels() {
    let product = |name: &str, m: &str, k: &str, n: &str, a: &str, b: &str| {
        let open = if m == "?" { "(%m)" } else { "()" };
        format!(
            "  %e{name} = tensor.empty{open} : tensor<{m}x{n}xf32>
  %f{name} = linalg.fill ins(%zero : f32) outs(%e{name} : tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>
  %{name} = linalg.matmul ins(%{a}, %{b} : tensor<{m}x{k}xf32>, tensor<{k}x{n}xf32>) outs(%f{name} : tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>\n"
        )
    };
    let chain = |m: &str| {
        let parts = [
            ("p", "x", "w", "24", "32"),
            ("q", "p", "w1", "32", "40"),
            ("r", "q", "w2", "40", "32"),
            ("s", "r", "w1", "32", "40"),
        ];
        parts.map(|(name, a, b, k, n)| product(name, m, k, n, a, b)).concat()
    };
    let text = format!(
        "util.global private @w = dense<0.25> : tensor<24x32xf32>
func.func @chain(%x: tensor<33x24xf32>, %w1: tensor<32x40xf32>, %w2: tensor<40x32xf32>) -> (tensor<33x40xf32>, tensor<33x32xf32>, tensor<33x24xf32>, tensor<24x32xf32>) {{
  %zero = arith.constant 0.0 : f32
  %g = util.global.load @w : tensor<24x32xf32>
  %e = tensor.empty() : tensor<24x32xf32>
  %w = linalg.softmax dimension(1) ins(%g : tensor<24x32xf32>) outs(%e : tensor<24x32xf32>) -> tensor<24x32xf32>
{}  return %s, %p, %x, %w : tensor<33x40xf32>, tensor<33x32xf32>, tensor<33x24xf32>, tensor<24x32xf32>
}}
func.func @open(%x: tensor<?x24xf32>, %w: tensor<24x32xf32>, %w1: tensor<32x40xf32>, %w2: tensor<40x32xf32>, %h: f16) -> (tensor<?x40xf32>, tensor<?x32xf32>) {{
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?x24xf32>
  %e = tensor.empty(%m) : tensor<?x32xf32>
{}  %t = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = [\"parallel\", \"parallel\"]}} ins(%r : tensor<?x32xf32>) outs(%e : tensor<?x32xf32>) {{
    ^bb0(%y: f32, %o: f32):
      %k = arith.extf %h : f16 to f32
      %z = arith.addf %y, %k : f32
      linalg.yield %z : f32
  }} -> tensor<?x32xf32>
  return %s, %t : tensor<?x40xf32>, tensor<?x32xf32>
}}\n",
        chain("33"),
        chain("?")
    );
    for target in targets() {
        let run = |function: &str, flags: &[&str]| {
            let target = format!("--target={target}");
            let flags = [&["run", "-", "--device=cpu-c", function, &target], flags].concat();
            raddle_with(&flags, &text).says(0, &["correct"]);
        };
        run("--function=chain", &[]);
        for rows in ["37", "1", "0"] {
            let inputs = [format!("{rows}x24"), "24x32".to_owned(), "32x40".to_owned(), "40x32".to_owned()];
            let inputs = inputs.map(|shape| format!("--input={shape}xf32=random"));
            run("--function=open", &[&inputs[0], &inputs[1], &inputs[2], &inputs[3], "--input=f16=1.5"]);
        }
    }
}

/// Numbers between kernels have signs: quotients are rounded down, and a division by a number that may be negative is left
/// to the caller.
#[test]
fn numbers_between_kernels_have_signs() {
    let text = |number: &str| {
        format!(
            "func.func @f(%x: tensor<8x8xf32>, %n: index, %i: i32) -> tensor<?x8xf32> {{
  %c3 = arith.constant 3 : index
  %c40 = arith.constant 40 : index
  %cast = arith.index_cast %i : i32 to index
  %sum = arith.addi %n, %cast : index
  {number}
  %size = arith.addi %k, %c40 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p = linalg.matmul ins(%x, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %q = linalg.matmul ins(%p, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %er = tensor.empty() : tensor<8xf32>
  %fr = linalg.fill ins(%zero : f32) outs(%er : tensor<8xf32>) -> tensor<8xf32>
  %row = linalg.reduce {{ arith.addf }} ins(%q : tensor<8x8xf32>) outs(%fr : tensor<8xf32>) dimensions = [0]
  %es = tensor.empty(%size) : tensor<?x8xf32>
  %r = linalg.broadcast ins(%row : tensor<8xf32>) outs(%es : tensor<?x8xf32>) dimensions = [0]
  return %r : tensor<?x8xf32>
}}"
        )
    };
    let signed = ["floordivsi", "ceildivsi"].map(|name| text(&format!("%k = arith.{name} %sum, %c3 : index")));
    let least = text("%k = arith.minsi %sum, %c3 : index");
    for target in targets() {
        for text in signed.iter().chain([&least]) {
            for (n, i) in [(-7, 0), (5, -40), (-9, 3), (100, 1)] {
                let inputs = [format!("--input=index={n}"), format!("--input=i32={i}")];
                let target = format!("--target={target}");
                let flags = ["run", "-", "--device=cpu-c", &target, "--input=8x8xf32=random", &inputs[0], &inputs[1]];
                raddle_with(&flags, text).says(0, &["correct"]);
            }
        }
    }
    let by_number = text("%k = arith.floordivsi %c3, %n : index");
    let built = raddle_with(&["build", "-", "--target=x86-64-v3", "--emit=llvm"], &by_number);
    built.says(0, &["has no C function", "divided by what may be negative"]);
}

/// What is read or written beside a buffer is found.
#[test]
fn accesses_beside_buffers_are_found() {
    let text = "func.func @f(%a: memref<16xf32>, %m: memref<16xf32>) {
  %c8 = arith.constant AT : index
  %x = vector.load %a[%c8] : memref<16xf32>, vector<4xf32>
  %zero = arith.constant 0 : index
  vector.store %x, %m[%zero] : memref<16xf32>, vector<4xf32>
  return
}";
    for target in targets() {
        let run = |text: &str| raddle_with(&["run", "-", "--device=cpu-c", &format!("--target={target}")], text);
        run(&text.replace("AT", "12")).says(0, &["correct"]);
        run(&text.replace("AT", "14")).says(1, &["error[E0811]", "argument 000"]);
        run(&text.replace("AT", "1400000")).says(1, &["error[E0811]", "far from every argument"]);
    }
    raddle_with(&["run", "-", "--device=cpu-c", "--target=sm_80"], text).says(2, &["error[E0821]", "is no CPU"]);
}

/// With `--bounds-checks` an index that data decide is told with its line, on every way to run, and what is inside is not.
#[test]
fn indices_are_checked() {
    let text = "func.func @rows(%a: tensor<?x64xf32>, %i: tensor<5xi32>) -> tensor<5x64xf32> {
  %e = tensor.empty() : tensor<5x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = [\"parallel\", \"parallel\"]} ins(%i : tensor<5xi32>) outs(%e : tensor<5x64xf32>) {
    ^bb0(%k: i32, %o: f32):
      %row = arith.index_cast %k : i32 to index
      %j = linalg.index 1 : index
      %x = tensor.extract %a[%row, %j] : tensor<?x64xf32>
      linalg.yield %x : f32
  } -> tensor<5x64xf32>
  return %r : tensor<5x64xf32>
}";
    let mut ways = vec![("emu", "x86-64-v4")];
    ways.extend(runs_here().then_some(("cpu", "host")));
    ways.extend(targets().into_iter().map(|target| ("cpu-c", target)));
    for (device, target) in ways {
        let run = |row: &str| {
            let flags =
                [&format!("--device={device}"), &format!("--target={target}"), &format!("--input=5xi32=0 1 {row} 2 3")];
            raddle_with(&["run", "-", "--bounds-checks", "--input=30x64xf32", flags[0], flags[1], flags[2]], text)
        };
        run("29").says(0, &["correct"]);
        for row in ["30", "-1", "2000000000"] {
            let said = format!("index {row} along dimension 0, whose extent is 30");
            run(row).says(1, &["error[E0811]", &said, "<stdin>:8:7"]);
        }
    }
    if runs_here() {
        // Vectors that a program reads and writes where data say.
        let text = "func.func @f(%m: memref<40xf32>, %n: index) {
  %x = arith.constant dense<1.0> : vector<16xf32>
  vector.store %x, %m[%n] : memref<40xf32>, vector<16xf32>
  return
}";
        let run = |n: &str| {
            raddle_with(
                &["run", "-", "--device=cpu", "--bounds-checks", "--input=40xf32=0", &format!("--input=index={n}")],
                text,
            )
        };
        run("24").says(0, &["correct"]);
        run("25").says(1, &["index 40 along dimension 0, whose extent is 40", "<stdin>:3:3"]);
        run("-1").says(1, &["index -1 along dimension 0, whose extent is 40"]);
    }
    raddle_with(&["build", "-", "--target=sm_80", "--bounds-checks"], text)
        .says(1, &["error[E0701]", "only code for CPUs"]);
}

/// The programs of the other tests are right with checks, and none of them is stopped.
#[test]
fn checks_keep_the_meaning() {
    if !runs_here() {
        return;
    }
    let (n, first) = common::programs_and_seed(24, 300);
    let text: String = (first..first + n).map(program).collect();
    let ran = raddle_with(&["run", "-", "--all", "--device=cpu", "--bounds-checks"], &text);
    ran.says(0, &[&format!("{n} right, 0 refused, 0 wrong")]);
}

/// Random programs give what the program as written gives, to rounding.
#[test]
fn random_programs_mean_the_same() {
    let (n, first) = common::programs_and_seed(12, 100);
    let text: String = (first..first + n).map(program).collect();
    for target in targets() {
        all_right(&text, target);
    }
}

/// Operations on scalars, with any of the types that they have, give the bits that they give on the emulator.
#[test]
fn operations_give_the_same_bits() {
    if !runs_here() {
        return;
    }
    let pairs: Vec<Pair> = pairs::candidates().into_iter().filter(pairs::is_pair).collect();
    let pairs: Vec<Pair> = pairs.into_iter().filter(|pair| pairs::is_refused(pair).is_none()).collect();
    assert!(pairs.len() > 1000, "the verifier lets too little through: {}", pairs.len());
    let (n, first) = common::programs_and_seed(300, 0);
    let step = (pairs.len() / n as usize).max(1);
    let pairs: Vec<Pair> = pairs.into_iter().skip(first as usize % step).step_by(step).collect();
    let mut devices = vec![("cpu", "host")];
    devices.extend(targets().into_iter().filter(|&target| target == "aarch64").map(|target| ("cpu-c", target)));
    let folder = tempfile::tempdir().unwrap();
    let mut rng = common::Rng(7);
    let mut wrong = Vec::new();
    for (part, pairs) in pairs.chunks(64).enumerate() {
        // Workgroups of one thread take the place of threads.
        let text = pairs::kernel(pairs).replace("gpu.thread_id x", "gpu.block_id x").replace(
            "workgroup_size = [64, 1, 1] subgroup_size = 32>",
            "workgroup_size = [1, 1, 1] subgroup_size = 1>, gpu.known_grid_size = array<i32: 64, 1, 1>",
        );
        let mut ir = raddle_ir::parse(&text).unwrap();
        let func = ir.funcs()[0];
        let args = ir.args(ir.entry(func)).to_vec();
        let elems: Vec<Scalar> = args.iter().map(|&arg| Scalar::of(&ir[ir.elem_of(arg)]).unwrap()).collect();
        let inputs: Vec<Tensor> = elems
            .iter()
            .map(|&elem| {
                let numbers = pairs::inputs(pairs, elem, &mut |n| rng.below(n as usize) as u64);
                Tensor::from_f64(elem, &[numbers.len() as i64], &numbers)
            })
            .collect();
        raddle::pipeline::finish(&mut ir, func, &Facts::new(raddle::pipeline::chip("host").unwrap())).unwrap();
        let launch = Launch::of(&ir, func).unwrap();
        let program = Emulator.run(&ir, func, &inputs, &launch, &raddle::run::Options::default()).unwrap();
        let mut given = Vec::new();
        let path = |name: &str, at: usize| folder.path().join(format!("{name}{part}_{at}.npy")).display().to_string();
        for (at, input) in inputs.iter().enumerate() {
            std::fs::write(path("in", at), npy::write(input)).unwrap();
            given.push(format!("--input={}x{}=@{}", input.shape[0], input.elem, path("in", at)));
        }
        for &(device, target) in &devices {
            let mut flags = vec!["run".to_owned(), "-".to_owned(), format!("--device={device}")];
            flags.push(format!("--target={target}"));
            flags.extend(given.iter().cloned());
            let read = text.lines().next().unwrap().matches("%in_").count();
            flags.extend((read..inputs.len()).map(|at| format!("--output=arg{at}=@{}", path("out", at))));
            let ran = raddle_with(&flags.iter().map(String::as_str).collect::<Vec<_>>(), &text);
            assert!(ran.status < 2, "{}{}", ran.out, ran.err);
            for (at, expected) in program.buffers.iter().enumerate().skip(read) {
                let got = npy::read(&std::fs::read(path("out", at)).unwrap(), Some(expected.elem)).unwrap();
                let width = expected.elem.bytes();
                let (got_values, values) = (got.to_f64(), expected.to_f64());
                for place in 0..values.len() {
                    let pair = &pairs[place / pairs::EACH];
                    let same = got.bytes[place * width..][..width] == expected.bytes[place * width..][..width];
                    let nan = got_values[place].is_nan() && values[place].is_nan();
                    // Of two zeros either one is the greater.
                    let zero = pair.op.ends_with("numf") && got_values[place] == 0.0 && values[place] == 0.0;
                    if !same && !nan && !zero {
                        wrong.push(format!(
                            "{target} {pair:?} [{place}]: {:e}, not {:e}",
                            got_values[place], values[place]
                        ));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} elements differ\n{}", wrong.len(), wrong.join("\n"));
}
