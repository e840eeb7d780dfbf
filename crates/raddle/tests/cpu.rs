//! Code for CPUs: LLVM IR without LLVM, what LLVM makes of it, and what this machine computes with it.
//!
//! `RADDLE_PROGRAMS=1000 RADDLE_SEED=7 cargo test -p raddle --test all cpu::random` runs more random programs.
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test may panic, and says what it skips")]

use std::fmt::Write;

use crate::common;
use crate::common::{Rng, raddle, raddle_with};

/// Whether this machine runs native code; without libLLVM or such a processor the test says so, and fails when CI is
/// set and only LLVM is missing.
pub fn runs_here() -> bool {
    if raddle_run::cpu::host().is_none() {
        eprintln!("NOT CHECKED: this machine is no CPU of the table");
        return false;
    }
    if raddle_run::llvm::Llvm::open(None).is_ok() {
        return true;
    }
    let ci = std::env::var_os("CI").is_some_and(|value| !value.is_empty() && value != "false" && value != "0");
    assert!(!ci, "LLVM is not installed, and CI is set: run `cargo xtask validators`");
    eprintln!("NOT CHECKED: LLVM 19 is not installed; run `cargo xtask validators`");
    false
}

/// Products are vectors with fused multiply-adds, inside of loops over the workgroups, for every CPU of the table.
#[test]
fn llvm_ir_of_a_product_is_native_vectors() {
    let text = common::matmul(64, 64, 64).replace("f16", "f32");
    for (target, lanes) in [("x86-64-v4", 16), ("x86-64-v3", 8), ("aarch64", 4)] {
        let ran = raddle_with(&["build", "-", &format!("--target={target}")], &text);
        let fma = format!("call <{lanes} x float> @llvm.fma.v{lanes}f32(");
        ran.says(0, &[&fma, "define  void @matmul(ptr addrspace(0) noalias readonly", "@matmul$packed(ptr %args, i64"]);
    }
}

/// What LLVM makes of a program for another processor than this one needs no machine of that kind.
#[test]
fn objects_have_a_header_and_launch_data() {
    if !runs_here() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let text = "func.func @scale(%a: tensor<40x50xf32>, %k: f16, %o: tensor<40x50xi8>) -> tensor<40x50xi8> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = [\"parallel\", \"parallel\"]} ins(%a : tensor<40x50xf32>) outs(%o : tensor<40x50xi8>) {
    ^bb0(%x: f32, %y: i8):
      %w = arith.extf %k : f16 to f32
      %1 = arith.mulf %x, %w : f32
      %2 = arith.fptosi %1 : f32 to i8
      linalg.yield %2 : i8
  } -> tensor<40x50xi8>
  return %0 : tensor<40x50xi8>
}";
    for target in ["host", "x86-64-v3", "x86-64-v4", "aarch64"] {
        let path = folder.path().join("k.o");
        let args = ["build", "-", &format!("--target={target}"), "-o", path.to_str().unwrap()];
        raddle_with(&args, text).says(0, &[]);
        assert!(std::fs::read(&path).unwrap().starts_with(b"\x7fELF"));
        let header = std::fs::read_to_string(path.with_extension("h")).unwrap();
        let line = "void scale(const float *arg0, _Float16 arg1, const int8_t *arg2, int8_t *arg3);";
        assert!(header.contains(line), "{header}");
        assert!(std::fs::read_to_string(path.with_extension("json")).unwrap().contains("\"entry\": \"scale\""));
    }
    let path = folder.path().join("k.hsaco");
    raddle_with(&["build", "-", "--target=host", "-o", path.to_str().unwrap()], text).says(1, &["error[E0701]"]);
}

/// The examples, but for attention on vectors, which is larger than registers.
#[test]
fn examples_run_on_this_machine() {
    if !runs_here() {
        return;
    }
    for name in ["row_sum", "argmax", "prefix_sum", "transpose_add"] {
        let ran = raddle(&["run", &format!("examples/{name}.mlir"), "--all", "--device=cpu"]);
        ran.says(0, &["1 right, 0 refused, 0 wrong"]);
    }
    raddle(&["run", "examples/attention.mlir", "--device=cpu"]).says(3, &["error[E0605]"]);
}

/// Dispatches of IREE, whose results may lie where arguments lie.
#[test]
fn dispatches_run_on_this_machine() {
    if !runs_here() {
        return;
    }
    let ran = raddle(&["run", "crates/raddle/tests/cases/dispatch/in_place.mlir", "--all", "--device=cpu"]);
    ran.says(0, &["10 right, 0 refused, 0 wrong"]);
}

/// A time belongs to a number of threads.
#[test]
fn bench_says_how_many_threads_it_timed() {
    if !runs_here() {
        return;
    }
    let limits = ["--threads=3", "--samples=1", "--sample-time=0.001", "--warm-up=0.001", "--json"];
    let ran = raddle(&[&["bench", "examples/row_sum.mlir", "--device=cpu"], &limits[..]].concat());
    ran.says(0, &["\"threads\":3", "\"median_s\":", "\"min_s\":"]);
}

/// What the files of cases say of lowered programs holds for native code, too.
#[test]
fn cases_run_on_this_machine() {
    if !runs_here() {
        return;
    }
    for name in ["flags_as_vectors_of_bytes", "a_step_of_decoding_on_a_cpu"] {
        let path = format!("crates/raddle/tests/cases/run/{name}.mlir");
        raddle(&["run", &path, "--all", "--device=cpu"]).says(0, &["5 right, 0 refused, 0 wrong"]);
    }
}

/// Convolutions whose tiles divide the result, and whose tiles do not.
#[test]
fn convolutions_run_on_this_machine() {
    if !runs_here() {
        return;
    }
    let text = |name: &str, [h, w, c, f]: [i64; 4]| {
        let (input, kernel) = (format!("tensor<2x{}x{}x{c}xf32>", h + 2, w + 2), format!("tensor<3x3x{c}x{f}xf32>"));
        let result = format!("tensor<2x{h}x{w}x{f}xf32>");
        format!(
            "func.func @{name}(%a: {input}, %b: {kernel}, %c: {result}) -> {result} {{
  %r = linalg.conv_2d_nhwc_hwcf {{dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}}
    ins(%a, %b : {input}, {kernel}) outs(%c : {result}) -> {result}
  return %r : {result}
}}\n"
        )
    };
    let text = text("odd", [7, 9, 5, 19]) + &text("even", [5, 16, 8, 32]) + &text("deep", [3, 10, 17, 64]);
    raddle_with(&["run", "-", "--all", "--device=cpu"], &text).says(0, &["3 right"]);
}

/// Extents that only the run knows, several kernels, and a grid that depends on the arguments.
#[test]
fn open_extents_run_on_this_machine() {
    if !runs_here() {
        return;
    }
    let text = "func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?xf32> {
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
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = [\"parallel\", \"reduction\"]} ins(%p : tensor<?x?xf32>) outs(%f1 : tensor<?xf32>) {
    ^bb0(%x: f32, %y: f32):
      %q = math.tanh %x : f32
      %r = arith.addf %q, %y : f32
      linalg.yield %r : f32
  } -> tensor<?xf32>
  return %s : tensor<?xf32>
}";
    for [m, n, k] in [[1, 1, 1], [7, 65, 33], [30, 17, 64]] {
        let (a, b) = (format!("--input={m}x{k}xf32"), format!("--input={k}x{n}xf32"));
        raddle_with(&["run", "-", "--device=cpu", &format!("{a}=0.25"), &format!("{b}=-0.5")], text)
            .says(0, &["correct"]);
    }
}

/// Integers become bf16 in one rounding, in vectors as well: beside a tie, one of more digits than an f64 has decides.
#[test]
fn integers_become_bf16_on_this_machine() {
    if !runs_here() {
        return;
    }
    // To nearest even, of eight digits.
    let nearest = |n: i128| {
        let (size, cut) = (n.unsigned_abs(), (120 - n.unsigned_abs().leading_zeros() as i32).max(0));
        let (kept, rest) = (size >> cut, size % (1 << cut));
        let up = (2 * rest + kept % 2) > 1 << cut;
        ((kept + u128::from(up)) << cut) as f64 * if n < 0 { -1.0 } else { 1.0 }
    };
    let tie = (1i64 << 60) + (1 << 52);
    let inputs: Vec<i64> = (-8i64..9).flat_map(|near| [tie + near, near - tie, near * 3, near << 53]).collect();
    let list = |numbers: Vec<String>| numbers.join(" ");
    for (opcode, is_signed) in [("sitofp", true), ("uitofp", false)] {
        let text = format!(
            "func.func @f(%a: tensor<68xi64>) -> tensor<68xbf16> {{
  %e = tensor.empty() : tensor<68xbf16>
  %r = linalg.generic {{indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = [\"parallel\"]}} ins(%a : tensor<68xi64>) outs(%e : tensor<68xbf16>) {{
    ^bb0(%x: i64, %y: bf16):
      %q = arith.{opcode} %x : i64 to bf16
      linalg.yield %q : bf16
  }} -> tensor<68xbf16>
  return %r : tensor<68xbf16>
}}"
        );
        let exact = |n: i64| if is_signed { i128::from(n) } else { i128::from(n as u64) };
        let expected = list(inputs.iter().map(|&n| nearest(exact(n)).to_string()).collect());
        let input = list(inputs.iter().map(|n| n.to_string()).collect());
        let (input, expected) = (format!("--input=68xi64={input}"), format!("--expected_output=68xbf16={expected}"));
        let exactly = ["--expected_atol=0", "--expected_rtol=0"];
        let args = [&["run", "-", "--device=cpu", &input, &expected][..], &exactly].concat();
        raddle_with(&args, &text).says(0, &["all 68 elements"]);
    }
}

/// Padding that fills a register of a vector is not loaded, and what is on both sides of it is.
#[test]
fn registers_of_padding_are_not_loaded() {
    if !runs_here() {
        return;
    }
    let text = "func.func @padded(%a: tensor<16x24xi64>) -> tensor<32x29xi64> {
  %zero = arith.constant 0 : i64
  %p = tensor.pad %a low[0, 4] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : i64
  } : tensor<16x24xi64> to tensor<16x29xi64>
  %r = tensor.concat dim(0) %p, %p : (tensor<16x29xi64>, tensor<16x29xi64>) -> tensor<32x29xi64>
  return %r : tensor<32x29xi64>
}";
    for target in ["x86-64-v3", "x86-64-v4", "aarch64"].into_iter().filter(|target| raddle_run::cpu::runs(target)) {
        raddle_with(&["run", "-", "--device=cpu", &format!("--target={target}")], text).says(0, &["correct: all 928"]);
    }
}

/// Elementwise programs with several open extents have vectors, masked at the end of a row.
#[test]
fn open_rows_have_vectors() {
    let text = "func.func @f(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %n = tensor.dim %a, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %r = linalg.exp ins(%a : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}";
    let ran = raddle_with(&["build", "-", "--target=x86-64-v4", "--emit=ir"], text);
    ran.says(0, &["vector.maskedload", "vector.maskedstore"]);
    assert!(!ran.out.contains("memref.load"), "{}", ran.out);
}

/// A product of matrices as it is written: the types of factors and result, what the sums begin with, and what becomes
/// of them.
pub struct Product {
    pub name: &'static str,
    /// M, N and K; -1 where only the run knows.
    pub extents: [i64; 3],
    /// Maps of the factors from (i, j, k).
    pub maps: [&'static str; 2],
    /// Types of the factors' elements, of sums, and of the result.
    pub types: [&'static str; 3],
    /// Whether products are added to an argument.
    pub accumulates: bool,
}

impl Product {
    pub fn text(&self) -> String {
        let [m, n, k] = self.extents;
        let of = |map: &str| {
            let extent = |name: char| match name {
                'i' => Some(m),
                'j' => Some(n),
                'k' => Some(k),
                _ => None,
            };
            map.chars().filter_map(extent).map(|extent| format!("{extent}x")).collect::<String>()
        };
        let ([a, b], [elem, sum, result]) = (self.maps, self.types);
        let (ta, tb) = (format!("tensor<{}{elem}>", of(a)), format!("tensor<{}{elem}>", of(b)));
        let (ts, tr) = (format!("tensor<{m}x{n}x{sum}>"), format!("tensor<{m}x{n}x{result}>"));
        let is_float = sum.starts_with('f');
        let cast = if is_float { "extf" } else { "extsi" };
        let (casts, x, y) = if elem == sum {
            (String::new(), "%x", "%y")
        } else {
            (
                format!("%wx = arith.{cast} %x : {elem} to {sum}\n %wy = arith.{cast} %y : {elem} to {sum}\n"),
                "%wx",
                "%wy",
            )
        };
        let (zero, add, multiply) = if is_float { ("0.0", "addf", "mulf") } else { ("0", "addi", "muli") };
        let (param, init) = if self.accumulates { (format!(", %c: {ts}"), "%c") } else { (String::new(), "%f") };
        let (end, value) = if sum == result {
            (String::new(), "%p")
        } else {
            (
                format!(
                    "  %e1 = tensor.empty() : {tr}
  %r = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = [\"parallel\", \"parallel\"]}} ins(%p : {ts}) outs(%e1 : {tr}) {{
    ^bb0(%x: {sum}, %o: {result}):
      %h = arith.constant 0.5 : {sum}
      %q = arith.mulf %x, %h : {sum}
      %t = arith.truncf %q : {sum} to {result}
      linalg.yield %t : {result}
  }} -> {tr}\n"
                ),
                "%r",
            )
        };
        format!(
            "func.func @{}(%a: {ta}, %b: {tb}{param}) -> {tr} {{
  %zero = arith.constant {zero} : {sum}
  %e = tensor.empty() : {ts}
  %f = linalg.fill ins(%zero : {sum}) outs(%e : {ts}) -> {ts}
  %p = linalg.generic {{indexing_maps = [affine_map<(i, j, k) -> ({a})>, affine_map<(i, j, k) -> ({b})>,
      affine_map<(i, j, k) -> (i, j)>], iterator_types = [\"parallel\", \"parallel\", \"reduction\"]}}
      ins(%a, %b : {ta}, {tb}) outs({init} : {ts}) {{
    ^bb0(%x: {elem}, %y: {elem}, %o: {sum}):
      {casts}%m = arith.{multiply} {x}, {y} : {sum}
      %t = arith.{add} %o, %m : {sum}
      linalg.yield %t : {sum}
  }} -> {ts}
{end}  return {value} : {tr}
}}\n",
            self.name
        )
    }
}

/// Products that are blocked for the caches: tiles that end beyond the matrices, parts of k, factors that are turned over,
/// sums that lie in the result and others that cannot, narrow factors, and none at all.
#[test]
fn blocked_products_are_right() {
    if !runs_here() {
        return;
    }
    let (plain, f32s) = (["i, k", "k, j"], ["f32", "f32", "f32"]);
    let product = |name, extents, maps, types, accumulates| Product { name, extents, maps, types, accumulates };
    let products = [
        product("even", [48, 128, 64], plain, f32s, false),
        product("edges", [61, 131, 37], plain, f32s, false),
        product("parts", [25, 70, 1030], plain, f32s, false),
        product("accumulated_parts", [29, 65, 1027], plain, f32s, true),
        product("turned_left", [31, 70, 523], ["k, i", "k, j"], f32s, false),
        product("turned_right", [31, 70, 523], ["i, k", "j, k"], f32s, true),
        product("lines", [31, 200, 528], ["i, k", "j, k"], f32s, true),
        product("lines_of_halves", [25, 131, 1040], ["i, k", "j, k"], ["f16", "f32", "f32"], false),
        product("lines_of_brain_halves", [25, 128, 48], ["i, k", "j, k"], ["bf16", "f32", "bf16"], false),
        product("narrowed", [33, 67, 1100], plain, ["f32", "f32", "f16"], true),
        product("halves", [33, 67, 600], plain, ["f16", "f32", "f32"], false),
        product("brain_halves", [33, 67, 600], plain, ["bf16", "f32", "bf16"], false),
        product("pairs", [61, 131, 92], plain, ["bf16", "f32", "f32"], true),
        product("pairs_with_zeros", [33, 67, 601], ["k, i", "k, j"], ["bf16", "f32", "f32"], false),
        product("few_pairs_turned_right", [19, 70, 96], ["i, k", "j, k"], ["bf16", "f32", "f32"], false),
        product("pairs_turned_right", [31, 70, 1025], ["i, k", "j, k"], ["bf16", "f32", "bf16"], false),
        product("bytes", [40, 80, 90], plain, ["i8", "i32", "i32"], true),
        product("bytes_in_parts", [25, 70, 4100], plain, ["i8", "i32", "i32"], false),
        product("bytes_turned_left", [31, 64, 50], ["k, i", "k, j"], ["i8", "i32", "i32"], false),
        product("bytes_turned_right", [31, 70, 64], ["i, k", "j, k"], ["i8", "i32", "i32"], true),
        product("few_bytes", [40, 5, 7], plain, ["i8", "i32", "i32"], false),
        product("doubles", [37, 50, 300], plain, ["f64", "f64", "f64"], false),
        product("nothing", [40, 80, 0], plain, f32s, true),
        product("one_column", [50, 1, 70], plain, f32s, false),
    ];
    let text: String = products.iter().map(Product::text).collect();
    let right = format!("{} right", products.len());
    raddle_with(&["run", "-", "--all", "--device=cpu"], &text).says(0, &[&right]);
    if raddle_run::cpu::runs("x86-64-v3") {
        raddle_with(&["run", "-", "--all", "--device=cpu", "--target=x86-64-v3"], &text).says(0, &[&right]);
    }
}

/// The blocked program means what the kernel of one tile means, for every CPU, and none of the inner loop is masked.
#[test]
fn blocks_keep_the_meaning() {
    let maps = ["i, k", "k, j"];
    let types = ["f32", "f32", "f32"];
    let text = Product { name: "f", extents: [29, 40, 532], maps, types, accumulates: true }.text();
    // Rows where they lie, and packed ones, and both again where the last columns are fewer vectors.
    for (target, contracts) in [("x86-64-v4", 2), ("x86-64-v3", 4), ("aarch64", 4)] {
        let target = format!("--target={target}");
        raddle_with(&["run", "-", "--compare=vector,pipelined", &target], &text).says(0, &["correct"]);
        let ran = raddle_with(&["opt", "-", "--to=pipelined", &target], &text);
        ran.says(0, &["#gpu.address_space<workgroup>>", "scf.if"]);
        let reads_around = |line: &str| line.contains("in_bounds = [false") && line.contains("%arg0");
        assert_eq!(ran.out.match_indices("vector.contract").count(), contracts, "{target}");
        assert!(ran.out.lines().any(reads_around), "the last rows are packed with zeros");
    }
}

/// Columns that lie along k are packed by whole lines, each of which is read once, and mean what they meant.
#[test]
fn columns_along_sums_are_packed_by_lines() {
    let maps = ["i, k", "j, k"];
    let lanes = [("x86-64-v4", 16), ("x86-64-v3", 8), ("aarch64", 4)];
    // Of 415 elements, the last line ends beyond the row.
    let f32 = ["f32", "f32", "f32"];
    for (types, extents) in [(f32, [25, 200, 560]), (["bf16", "f32", "f32"], [29, 96, 64]), (f32, [25, 200, 415])] {
        let text = Product { name: "f", extents, maps, types, accumulates: false }.text();
        for (target, lanes) in lanes {
            let target = format!("--target={target}");
            raddle_with(&["run", "-", "--compare=vector,pipelined", &target], &text).says(0, &["correct"]);
            let line = format!(": memref<{}x{}x{}>, vector<{lanes}x16x{}>", extents[1], extents[2], types[0], types[0]);
            raddle_with(&["opt", "-", "--to=pipelined", &target], &text).says(0, &[&line]);
        }
    }
}

/// A softmax along rows that registers do not hold is one kernel, which computes each power once.
#[test]
fn powers_of_a_softmax_are_kept() {
    let text = |ty: &str| {
        format!(
            "func.func @f(%a: tensor<{ty}>) -> tensor<{ty}> {{
  %e = tensor.empty() : tensor<{ty}>
  %r = linalg.softmax dimension(1) ins(%a : tensor<{ty}>) outs(%e : tensor<{ty}>) -> tensor<{ty}>
  return %r : tensor<{ty}>
}}"
        )
    };
    for target in ["x86-64-v4", "aarch64"] {
        let target = format!("--target={target}");
        let ran = raddle_with(&["opt", "-", "--to=pipelined", &target], &text("5x200xf32"));
        ran.says(0, &["math.exp"]);
        assert_eq!(ran.out.matches("math.exp").count(), 1, "{}", ran.out);
        raddle_with(&["run", "-", "--compare=vector,pipelined,lowered", &target], &text("5x200xf32"))
            .says(0, &["correct: stage `pipelined`, all 1000 elements equal stage `vector` bit for bit"]);
    }
    if runs_here() {
        for ty in ["5x200xf32", "3x64xf32", "4x1000xf16", "2x130xf64", "3x65xbf16"] {
            raddle_with(&["run", "-", "--device=cpu"], &text(ty)).says(0, &["correct"]);
        }
    }
}

/// Products of bytes are sums of four products at once, exact also where every product has the largest magnitude.
#[test]
fn products_of_bytes_are_exact() {
    let (maps, types) = (["i, k", "k, j"], ["i8", "i32", "i32"]);
    let text = Product { name: "f", extents: [29, 40, 70], maps, types, accumulates: true }.text();
    let target = "--target=x86-64-v4-vnni";
    let corners = [("-128", "-128"), ("-128", "127"), ("127", "-128"), ("127", "127")];
    for (a, b) in corners {
        let inputs =
            [format!("--input=29x70xi8={a}"), format!("--input=70x40xi8={b}"), "--input=29x40xi32=7".to_owned()];
        let mut args = vec!["run", "-", target, "--compare=vector,pipelined,lowered"];
        args.extend(inputs.iter().map(String::as_str));
        raddle_with(&args, &text)
            .says(0, &["correct: stage `lowered`, all 1160 elements equal stage `vector` bit for bit"]);
        if raddle_run::cpu::runs("x86-64-v4-vnni") && runs_here() {
            args[3] = "--device=cpu";
            raddle_with(&args, &text).says(0, &["equal the reference bit for bit"]);
        }
    }
    raddle_with(&["build", "-", target], &text).says(0, &["@llvm.x86.avx512.vpdpbusd.512", "+avx512vnni"]);
    raddle_with(&["opt", "-", target, "--to=pipelined"], &text).says(0, &["raddle.byte_dot"]);
}

/// Products of integers of 8 and 16 bits are sums of two products at once on machines without more: of matrices in any
/// order, of windows, and of few rows, whose factors lie along the sum.
#[test]
fn products_of_integers_are_sums_of_pairs() {
    let target = "--target=x86-64-v3";
    let matrices = [
        (["i, k", "k, j"], [29, 64, 70], ["i8", "i32", "i32"]),
        (["i, k", "j, k"], [31, 96, 100], ["i16", "i32", "i32"]),
        (["k, i", "k, j"], [26, 42, 64], ["i8", "i32", "i32"]),
        (["i, k", "j, k"], [3, 12, 96], ["i8", "i32", "i32"]),
        (["i, k", "j, k"], [1, 64, 64], ["i16", "i32", "i32"]),
    ];
    let mut texts: Vec<String> = (matrices.into_iter())
        .map(|(maps, extents, types)| Product { name: "f", extents, maps, types, accumulates: true }.text())
        .collect();
    texts.push(
        "func.func @f(%x: tensor<1x7x9x20xi8>, %w: tensor<3x3x20x24xi8>, %i: tensor<1x5x7x24xi32>) -> tensor<1x5x7x24xi32> {
           %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x7x9x20xi8>, tensor<3x3x20x24xi8>)
                outs(%i : tensor<1x5x7x24xi32>) -> tensor<1x5x7x24xi32>
           return %r : tensor<1x5x7x24xi32>
         }"
        .to_owned(),
    );
    for text in &texts {
        raddle_with(&["opt", "-", target, "--to=pipelined"], text).says(0, &["raddle.short_dot"]);
        raddle_with(&["run", "-", target, "--compare=vector,pipelined,lowered"], text).says(0, &["bit for bit"]);
        raddle_with(&["build", "-", target], text).says(0, &["@llvm.x86.avx2.pmadd.wd"]);
        if raddle_run::cpu::runs("x86-64-v3") && runs_here() {
            raddle_with(&["run", "-", target, "--device=cpu"], text).says(0, &["equal the reference bit for bit"]);
        }
    }
    raddle_with(&["build", "-", "--target=x86-64-v4"], &texts[0]).says(0, &["@llvm.x86.avx512.pmaddw.d.512"]);
}

/// Products of bf16 are sums of two products at once where the machine has them, with rows where they lie and others that
/// are packed, lines of columns and steps.
#[test]
fn products_of_bf16_are_sums_of_pairs() {
    let target = "--target=x86-64-v4-bf16";
    let cases = [(["i, k", "j, k"], [31, 100, 96]), (["i, k", "k, j"], [29, 70, 45]), (["k, i", "j, k"], [26, 64, 42])];
    for (maps, extents) in cases {
        let text = Product { name: "f", extents, maps, types: ["bf16", "f32", "f32"], accumulates: true }.text();
        raddle_with(&["opt", "-", target, "--to=pipelined"], &text).says(0, &["raddle.pair_dot"]);
        raddle_with(&["run", "-", target, "--compare=vector,pipelined,lowered"], &text).says(0, &["correct"]);
        raddle_with(&["build", "-", target], &text).says(0, &["@llvm.x86.avx512bf16.dpbf16ps.512", "+avx512bf16"]);
        if raddle_run::cpu::runs("x86-64-v4-bf16") && runs_here() {
            raddle_with(&["run", "-", target, "--device=cpu"], &text).says(0, &["correct"]);
        }
    }
}

/// Products of signed bytes and of bf16 are products of tile registers where the machine has these: with rows where they
/// lie and others that are packed, results in place and at edges, sums that go on, one step of k, windows, and open extents.
#[test]
fn products_go_by_tile_registers() {
    let target = "--target=x86-64-v4-amx";
    let matrices = [
        (["i, k", "k, j"], [64, 64, 128], ["bf16", "f32", "f32"]),
        (["i, k", "j, k"], [40, 33, 100], ["bf16", "f32", "f32"]),
        (["k, i", "k, j"], [33, 40, 70], ["i8", "i32", "i32"]),
        (["i, k", "k, j"], [32, 64, 64], ["i8", "i32", "i32"]),
        (["i, k", "k, j"], [9, 100, 2000], ["i8", "i32", "i32"]),
    ];
    let mut texts: Vec<(String, Vec<&str>)> = Vec::new();
    for accumulates in [false, true] {
        for (maps, extents, types) in matrices {
            texts.push((Product { name: "f", extents, maps, types, accumulates }.text(), vec![]));
        }
    }
    let window = "func.func @f(%x: tensor<1x8x18x32xi8>, %w: tensor<3x3x32x24xi8>, %i: tensor<1x6x16x24xi32>) -> tensor<1x6x16x24xi32> {
           %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x8x18x32xi8>, tensor<3x3x32x24xi8>)
                outs(%i : tensor<1x6x16x24xi32>) -> tensor<1x6x16x24xi32>
           return %r : tensor<1x6x16x24xi32>
         }";
    texts.push((window.to_owned(), vec![]));
    let open = "func.func @f(%a: tensor<?x96xbf16>, %b: tensor<96x40xbf16>, %c: tensor<?x40xf32>) -> tensor<?x40xf32> {
           %r = linalg.matmul ins(%a, %b : tensor<?x96xbf16>, tensor<96x40xbf16>) outs(%c : tensor<?x40xf32>) -> tensor<?x40xf32>
           return %r : tensor<?x40xf32>
         }";
    texts.push((open.to_owned(), vec!["--input=50x96xbf16", "--input=96x40xbf16", "--input=50x40xf32"]));
    for (text, inputs) in &texts {
        raddle_with(&["opt", "-", target, "--to=pipelined"], text).says(0, &["raddle.tile_dot"]);
        let run = |options: &[&str]| {
            let args = [&["run", "-", target], options, &inputs[..]].concat();
            raddle_with(&args, text).says(0, &["correct"]);
        };
        run(&["--compare=vector,pipelined,lowered"]);
        raddle_with(&["build", "-", target], text).says(0, &["@llvm.x86.tdp", "+amx-tile"]);
        if raddle_run::cpu::runs("x86-64-v4-amx") && runs_here() {
            run(&["--device=cpu"]);
            run(&["--device=cpu", "--threads=2"]);
        }
    }
}

/// Few rows of a product whose sums are open have no tile registers, and blocks that fit the stack.
#[test]
fn blocks_of_few_rows_fit_the_stack() {
    let text = "func.func @f(%a: tensor<?x4xi8>, %b: tensor<?x?xi8>, %c: tensor<4x?xi32>) -> tensor<4x?xi32> {
           %r = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
             ins(%a, %b : tensor<?x4xi8>, tensor<?x?xi8>) outs(%c : tensor<4x?xi32>) -> tensor<4x?xi32>
           return %r : tensor<4x?xi32>
         }";
    for target in ["--target=x86-64-v4-amx", "--target=x86-64-v4-vnni", "--target=x86-64-v3"] {
        raddle_with(&["build", "-", target], text).says(0, &["@f$packed("]);
    }
}

/// Both products of an attention of bf16 go by tile registers: with whole blocks of keys, with a last one that ends within a step, with
/// rows that are not whole vectors, a mask, and open lengths.
#[test]
fn attention_goes_by_tile_registers() {
    let target = "--target=x86-64-v4-amx";
    let text = |q: &str, k: &str, mask: Option<&str>| {
        let (argument, operand) = mask.map_or_else(Default::default, |ty| (format!(", %m: {ty}"), format!(", {ty}")));
        let (name, map) = if mask.is_some() { (", %m", ", affine_map<(b,m,n,k,l) -> (m,l)>") } else { ("", "") };
        format!(
            "func.func @f(%q: {q}, %k: {k}, %v: {k}{argument}) -> {q} {{
               %s = arith.constant 0.125 : bf16
               %e = tensor.empty() : {q}
               %r = iree_linalg_ext.attention {{indexing_maps = [affine_map<(b,m,n,k,l) -> (b,m,k)>,
                   affine_map<(b,m,n,k,l) -> (b,l,k)>, affine_map<(b,m,n,k,l) -> (b,l,n)>, affine_map<(b,m,n,k,l) -> ()>{map},
                   affine_map<(b,m,n,k,l) -> (b,m,n)>]}}
                 ins(%q, %k, %v, %s{name} : {q}, {k}, {k}, bf16{operand}) outs(%e : {q}) {{
                 ^bb0(%x: f32): iree_linalg_ext.yield %x : f32 }} -> {q}
               return %r : {q}
             }}"
        )
    };
    let q = "tensor<2x48x64xbf16>";
    let (of_200, of_some) = ("tensor<2x200x64xbf16>", "tensor<2x?x64xbf16>");
    let open = ["--input=2x48x64xbf16", "--input=2x70x64xbf16", "--input=2x70x64xbf16"];
    let cases: [(String, &[&str]); 4] = [
        (text(q, "tensor<2x256x64xbf16>", None), &[]),
        (text("tensor<2x30x64xbf16>", of_200, None), &[]),
        (text(q, of_200, Some("tensor<48x200xbf16>")), &[]),
        (text(q, of_some, None), &open),
    ];
    for (text, inputs) in &cases {
        raddle_with(&["opt", "-", target, "--to=pipelined"], text).says(0, &["raddle.tile_dot"]);
        let run = |options: &[&str]| {
            raddle_with(&[&["run", "-", target], options, inputs].concat(), text).says(0, &["correct"]);
        };
        run(&["--compare=vector,pipelined,lowered"]);
        if raddle_run::cpu::runs("x86-64-v4-amx") && runs_here() {
            run(&["--device=cpu"]);
        }
    }
}

/// Threads share workgroups along all dimensions of the grid, and the result is the same to the bit.
#[test]
fn threads_share_workgroups() {
    if !runs_here() {
        return;
    }
    let text = "func.func @f(%a: tensor<3x40x70xf32>, %b: tensor<3x70x130xf32>, %c: tensor<3x40x130xf32>)
    -> tensor<3x40x130xf32> {
  %0 = linalg.batch_matmul ins(%a, %b : tensor<3x40x70xf32>, tensor<3x70x130xf32>)
    outs(%c : tensor<3x40x130xf32>) -> tensor<3x40x130xf32>
  return %0 : tensor<3x40x130xf32>
}
func.func @g(%a: tensor<5x7x130xf32>) -> tensor<5x7x130xf32> {
  %e = tensor.empty() : tensor<5x7x130xf32>
  %0 = linalg.exp ins(%a : tensor<5x7x130xf32>) outs(%e : tensor<5x7x130xf32>) -> tensor<5x7x130xf32>
  return %0 : tensor<5x7x130xf32>
}";
    for name in ["f", "g"] {
        let run = |threads: &str| {
            let args = ["run", "-", "--device=cpu", "--output=-", "--quiet", &format!("--function={name}"), threads];
            let ran = raddle_with(&args, text);
            ran.says(0, &["correct"]);
            ran.out
        };
        let alone = run("--threads=1");
        for threads in ["--threads=2", "--threads=3", "--threads=64"] {
            assert_eq!(run(threads), alone);
        }
    }
}

/// A kernel that writes beside its buffers is found out, and a chip that this machine is not is refused.
#[test]
fn what_cannot_run_is_refused() {
    if !runs_here() {
        return;
    }
    let text = "func.func @f(%m: memref<16xf32>) {
  %x = arith.constant dense<1.0> : vector<16xf32>
  %c8 = arith.constant 8 : index
  vector.store %x, %m[%c8] : memref<16xf32>, vector<16xf32>
  return
}";
    raddle_with(&["run", "-", "--device=cpu"], text).says(1, &["error[E0811]", "argument 0"]);
    let other = if raddle_run::cpu::host() == Some("aarch64") { "x86-64-v3" } else { "aarch64" };
    raddle_with(&["run", "-", "--device=cpu", &format!("--target={other}")], text).says(2, &["error[E0821]"]);
}

// ---- random programs

/// Operations on two numbers.
const FLOATS: &[&str] = &["addf", "subf", "mulf", "maximumf", "minimumf", "divf"];
const INTS: &[&str] = &["addi", "subi", "muli", "maxsi", "minui", "xori", "shrsi", "andi"];
/// Functions of one number that have a value everywhere.
const FUNCTIONS: &[&str] = &["exp", "tanh", "erf", "sin", "absf", "floor", "roundeven", "atan", "cbrt"];

/// A chain of elementwise operations, and what it reads: whole, a row of it, or transposed; then perhaps a reduction of
/// it, or a product.
pub fn program(seed: u64) -> String {
    let mut rng = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(5));
    let elem = rng.pick(&["f32", "f32", "f64", "f16", "bf16", "i32", "i8", "i64", "i4"]);
    let is_float = elem.contains('f');
    let [m, n] = [(); 2].map(|()| rng.pick(&[1, 3, 7, 8, 16, 17, 31, 40, 64, 70]));
    let (whole, row, turned) =
        (format!("tensor<{m}x{n}x{elem}>"), format!("tensor<{n}x{elem}>"), format!("tensor<{n}x{m}x{elem}>"));
    let mut text = format!("func.func @f{seed}(%a: {whole}, %b: {row}, %c: {turned}) -> RESULT {{\n");
    let mut body = String::new();
    let mut values = vec!["%x".to_owned(), "%y".to_owned(), "%z".to_owned()];
    for i in 0..1 + rng.below(6) {
        let [a, b] = [(); 2].map(|()| values[rng.below(values.len())].clone());
        let line = match rng.below(4) {
            0 if is_float => format!("math.{} {a} : {elem}", rng.pick(FUNCTIONS)),
            1 => {
                let test = if is_float { "cmpf ogt" } else { "cmpi sgt" };
                let _ = writeln!(body, "      %c{i} = arith.{test}, {a}, {b} : {elem}");
                format!("arith.select %c{i}, {b}, {a} : {elem}")
            }
            // A shift is shorter than the number.
            _ => {
                let op = rng.pick(if is_float { FLOATS } else { INTS });
                let b = if op == "shrsi" { "%three" } else { &b };
                format!("arith.{op} {a}, {b} : {elem}")
            }
        };
        let _ = writeln!(body, "      %v{i} = {line}");
        values.push(format!("%v{i}"));
    }
    let last = values.last().unwrap();
    let zero = if is_float { "0.0" } else { "0" };
    let three = if is_float { "3.0" } else { "3" };
    let _ = write!(
        text,
        "  %zero = arith.constant {zero} : {elem}
  %three = arith.constant {three} : {elem}
  %e = tensor.empty() : {whole}
  %r = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (j, i)>,
      affine_map<(i, j) -> (i, j)>], iterator_types = [\"parallel\", \"parallel\"]}}
      ins(%a, %b, %c : {whole}, {row}, {turned}) outs(%e : {whole}) {{
    ^bb0(%x: {elem}, %y: {elem}, %z: {elem}, %o: {elem}):
{body}      linalg.yield {last} : {elem}
  }} -> {whole}
"
    );
    let (add, multiply) = if is_float { ("addf", "mulf") } else { ("addi", "muli") };
    let fold = rng.pick(if is_float { &["addf", "maximumf"][..] } else { &["addi", "maxsi", "minui", "xori"] });
    let (result, value) = match rng.below(4) {
        // Of rows, or of columns.
        kind @ (0 | 1) => {
            let (kept, extent, iterators) = if kind == 0 {
                ("i", m, "\"parallel\", \"reduction\"")
            } else {
                ("j", n, "\"reduction\", \"parallel\"")
            };
            let ty = format!("tensor<{extent}x{elem}>");
            let _ = write!(
                text,
                "  %e1 = tensor.empty() : {ty}
  %f1 = linalg.fill ins(%zero : {elem}) outs(%e1 : {ty}) -> {ty}
  %s = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ({kept})>],
      iterator_types = [{iterators}]}} ins(%r : {whole}) outs(%f1 : {ty}) {{
    ^bb0(%x: {elem}, %o: {elem}):
      %t = arith.{fold} %x, %o : {elem}
      linalg.yield %t : {elem}
  }} -> {ty}
"
            );
            (ty, "%s")
        }
        2 => {
            let ty = format!("tensor<{m}x{m}x{elem}>");
            let _ = write!(
                text,
                "  %e1 = tensor.empty() : {ty}
  %f1 = linalg.fill ins(%zero : {elem}) outs(%e1 : {ty}) -> {ty}
  %s = linalg.generic {{indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>,
      affine_map<(i, j, k) -> (i, j)>], iterator_types = [\"parallel\", \"parallel\", \"reduction\"]}}
      ins(%a, %c : {whole}, {turned}) outs(%f1 : {ty}) {{
    ^bb0(%x: {elem}, %y: {elem}, %o: {elem}):
      %p = arith.{multiply} %x, %y : {elem}
      %t = arith.{add} %o, %p : {elem}
      linalg.yield %t : {elem}
  }} -> {ty}
"
            );
            (ty, "%s")
        }
        _ => (whole, "%r"),
    };
    let _ = write!(text, "  return {value} : {result}\n}}\n");
    text.replace("RESULT", &result)
}

/// Random programs give what the program as written gives, to rounding.
#[test]
fn random_programs_mean_the_same() {
    if !runs_here() {
        return;
    }
    let (n, first) = common::programs_and_seed(32, 0);
    let text: String = (first..first + n).map(program).collect();
    let ran = raddle_with(&["run", "-", "--all", "--device=cpu"], &text);
    if let Some(line) = ran.out.lines().find(|line| line.contains('@') && !line.starts_with("ok ")) {
        let name = line.split("@f").nth(1).and_then(|rest| rest.split(':').next()).unwrap_or_default();
        let seed: u64 = name.trim().parse().unwrap_or_default();
        panic!("{line}\n{}", program(seed));
    }
    ran.says(0, &[&format!("{n} right")]);
}
