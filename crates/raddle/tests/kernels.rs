//! How many kernels a function is: what is computed together, and what goes through memory.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use raddle::{Artifact, Emit, Options};

use crate::common::raddle_with;

fn compiled(text: &str) -> Artifact {
    let artifact = raddle::compile(text, &Options::default());
    artifact.unwrap_or_else(|report| panic!("{:#?}", report.diags))
}

/// `func.func @f` of two tensors of 64 x 64 and a row, which ends with `%r`.
fn function(body: &str) -> String {
    format!(
        "#id = affine_map<(m, n) -> (m, n)>\n#row = affine_map<(m, n) -> (m)>\n#col = affine_map<(m, n) -> (n)>\n\
         func.func @f(%a: tensor<64x64xf16>, %w: tensor<64x64xi8>, %v: tensor<64xf32>) -> tensor<64x64xf32> {{\n  \
         %zero = arith.constant 0.0 : f32\n  %e = tensor.empty() : tensor<64x64xf32>\n  \
         %eh = tensor.empty() : tensor<64x64xf16>\n  %er = tensor.empty() : tensor<64xf32>\n  \
         %i = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>\n{body}  \
         return %r : tensor<64x64xf32>\n}}"
    )
}

const WEIGHTS: &str = "
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = [\"parallel\", \"parallel\"]}
      ins(%w : tensor<64x64xi8>) outs(%eh : tensor<64x64xf16>) {
  ^bb0(%x: i8, %o: f16):
    %f = arith.sitofp %x : i8 to f16
    linalg.yield %f : f16
  } -> tensor<64x64xf16>
  %c = linalg.matmul ins(%a, %b : tensor<64x64xf16>, tensor<64x64xf16>) outs(%i : tensor<64x64xf32>) -> tensor<64x64xf32>
";

/// What is in front of a product and what is behind it share its kernel, and its matrix instructions stay.
#[test]
fn bias_and_activation_join_a_product() {
    let text = function(&format!(
        "{WEIGHTS}  %r = linalg.generic {{indexing_maps = [#id, #col, #id], iterator_types = [\"parallel\", \"parallel\"]}}
      ins(%c, %v : tensor<64x64xf32>, tensor<64xf32>) outs(%e : tensor<64x64xf32>) {{
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    %m = arith.maximumf %s, %zero : f32
    linalg.yield %m : f32
  }} -> tensor<64x64xf32>\n"
    ));
    let artifact = compiled(&text);
    assert_eq!((artifact.kernels.len(), artifact.host), (1, None));
    assert!(artifact.text.contains("mma.sync"), "{}", artifact.text);
}

/// A row is read once, and stays where it is from one reduction to the next.
#[test]
fn softmax_is_one_kernel() {
    let text = "
func.func @f(%x: tensor<16x1024xf32>) -> tensor<16x1024xf32> {
  %e = tensor.empty() : tensor<16x1024xf32>
  %r = linalg.softmax dimension(1) ins(%x : tensor<16x1024xf32>) outs(%e : tensor<16x1024xf32>) -> tensor<16x1024xf32>
  return %r : tensor<16x1024xf32>
}";
    assert_eq!(compiled(text).kernels.len(), 1);
}

/// A row that fits shared memory is read once; of one that does not, what there is no room for is read twice: for the
/// maximum and the sum of powers below it, and for the result. Rows without a number, with infinities, and with nothing but
/// minus infinity give what the operation gives.
#[test]
fn a_long_softmax_reads_rows_twice_at_most() {
    let text = "
#id = affine_map<(m, n) -> (m, n)>
func.func @f(%x: tensor<5x17000xf32>) -> tensor<5x17000xf32> {
  %row1 = arith.constant 1 : index
  %row2 = arith.constant 2 : index
  %row3 = arith.constant 3 : index
  %column = arith.constant 9000 : index
  %low = arith.constant 0xFF800000 : f32
  %high = arith.constant 0x7F800000 : f32
  %nan = arith.constant 0x7FC00000 : f32
  %e = tensor.empty() : tensor<5x17000xf32>
  %w = linalg.generic {indexing_maps = [#id, #id], iterator_types = [\"parallel\", \"parallel\"]}
      ins(%x : tensor<5x17000xf32>) outs(%e : tensor<5x17000xf32>) {
  ^bb0(%v: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %first = arith.cmpi eq, %i, %row1 : index
    %second = arith.cmpi eq, %i, %row2 : index
    %third = arith.cmpi eq, %i, %row3 : index
    %here = arith.cmpi eq, %j, %column : index
    %before = arith.cmpi slt, %j, %column : index
    %some = arith.andi %second, %here : i1
    %one = arith.andi %third, %here : i1
    %last = arith.cmpi sgt, %i, %row3 : index
    %half = arith.andi %last, %before : i1
    %a = arith.select %first, %low, %v : f32
    %b = arith.select %some, %nan, %a : f32
    %c = arith.select %one, %high, %b : f32
    %d = arith.select %half, %low, %c : f32
    linalg.yield %d : f32
  } -> tensor<5x17000xf32>
  %r = linalg.softmax dimension(1) ins(%w : tensor<5x17000xf32>) outs(%e : tensor<5x17000xf32>) -> tensor<5x17000xf32>
  return %r : tensor<5x17000xf32>
}";
    // Elements of a row that are read twice.
    for (n, target, twice) in [(17000, "sm_80", 0), (50000, "sm_80", 13136), (17000, "gfx942", 4712)] {
        // Rows enough for all processors: fewer are divided.
        let text = text.replace("5x17000", &format!("108x{n}"));
        let (read, written) = (432 * (n + twice), 432 * n);
        raddle_with(&["run", "-", "--memory=2G", &format!("--target={target}")], &text)
            .says(0, &["correct: ", &format!("bytes read {read} global"), &format!("written {written} global")]);
    }
}

/// A product whose tiles are too few for the chip is summed in parts, which another kernel adds; one with enough tiles, or
/// whose sums are short, is one kernel.
#[test]
fn long_sums_of_few_tiles_are_divided() {
    let product = |m: i64, n: i64, k: i64| {
        format!(
            "func.func @f(%a: tensor<{m}x{k}xf16>, %b: tensor<{k}x{n}xf16>) -> tensor<{m}x{n}xf32> {{
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<{m}x{n}xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>
  %r = linalg.matmul ins(%a, %b : tensor<{m}x{k}xf16>, tensor<{k}x{n}xf16>) outs(%i : tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>
  return %r : tensor<{m}x{n}xf32>
}}"
        )
    };
    for ([m, n, k], n_kernels) in
        [([48, 64, 4096], 2), ([4096, 4096, 4096], 1), ([64, 64, 512], 1), ([48, 64, 4097], 1)]
    {
        let artifact = compiled(&product(m, n, k));
        assert_eq!(artifact.kernels.len(), n_kernels, "{m} x {n} x {k}");
        assert!(artifact.text.contains("mma.sync"), "{}", artifact.text);
    }
    for how in ["--device=emu", "--device=ptx-emu"] {
        raddle_with(&["run", "-", how], &product(48, 64, 4096)).says(0, &["correct: ", "6144 matrix instructions"]);
    }
}

/// A product of a product waits for all of the first one: the host calls one kernel after the other.
#[test]
fn product_after_product_is_two_kernels() {
    let text = function(&format!(
        "{WEIGHTS}  %h = linalg.generic {{indexing_maps = [#id, #id], iterator_types = [\"parallel\", \"parallel\"]}}
      ins(%c : tensor<64x64xf32>) outs(%eh : tensor<64x64xf16>) {{
  ^bb0(%x: f32, %o: f16):
    %t = arith.truncf %x : f32 to f16
    linalg.yield %t : f16
  }} -> tensor<64x64xf16>
  %r = linalg.matmul ins(%h, %b : tensor<64x64xf16>, tensor<64x64xf16>) outs(%i : tensor<64x64xf32>) -> tensor<64x64xf32>\n"
    ));
    let artifact = compiled(&text);
    let host = artifact.host.unwrap();
    for kernel in &artifact.kernels {
        assert!(host.contains(&format!("call @{}(", kernel.name)), "{host}");
        assert!(artifact.text.contains(&format!(".entry {}(", kernel.name)), "{}", artifact.text);
    }
    assert_eq!(artifact.text.matches(".entry").count(), artifact.kernels.len());
    assert_eq!(artifact.text.matches(".version").count(), 1);
    let ir = raddle::compile(&text, &Options { emit: Emit::Ir, ..Options::default() }).unwrap();
    assert!(raddle_ir::parse(&ir.text).is_ok_and(|ir| raddle_ir::verify(&ir).is_empty()), "{}", ir.text);
}

/// A convolution is a product of windows and filters: it has matrix instructions, and no kernel that unfolds the image.
#[test]
fn convolutions_reach_matrix_instructions() {
    for (name, image, filters, result, stride) in [
        ("conv_2d_nhwc_hwcf", "1x10x18x32", "3x3x32x64", "1x8x16x64", 1),
        ("conv_2d_nhwc_fhwc", "1x17x33x16", "32x3x3x16", "1x8x16x32", 2),
        ("conv_2d_nchw_fchw", "2x16x10x18", "32x16x3x3", "2x32x8x16", 1),
        ("conv_1d_nwc_wcf", "2x34x16", "3x16x32", "2x32x32", 1),
    ] {
        let windows = if name.contains("1d") { 1 } else { 2 };
        let text = format!(
            "func.func @f(%x: tensor<{image}xf16>, %w: tensor<{filters}xf16>, %i: tensor<{result}xf32>) -> tensor<{result}xf32> {{
  %r = linalg.{name} {{dilations = dense<1> : vector<{windows}xi64>, strides = dense<{stride}> : vector<{windows}xi64>}}
      ins(%x, %w : tensor<{image}xf16>, tensor<{filters}xf16>) outs(%i : tensor<{result}xf32>) -> tensor<{result}xf32>
  return %r : tensor<{result}xf32>
}}"
        );
        let artifact = compiled(&text);
        assert_eq!((artifact.kernels.len(), artifact.host), (1, None), "{name}");
        assert!(artifact.text.contains("mma.sync"), "{name}: {}", artifact.text);
    }
}

/// Arithmetic on numbers that each step uses twice is looked at once, however long it is.
#[test]
fn long_chains_of_numbers_are_divided_at_once() {
    let steps: String = (0..64).map(|i| format!("    %s{} = arith.addi %s{i}, %s{i} : i32\n", i + 1)).collect();
    let text = format!(
        "#id = affine_map<(d) -> (d)>
func.func @f(%x: tensor<8xi32>) -> (tensor<8xi32>, tensor<8xi32>) {{
  %e = tensor.empty() : tensor<8xi32>
  %a = linalg.generic {{indexing_maps = [#id, #id], iterator_types = [\"parallel\"]}} ins(%x : tensor<8xi32>) outs(%e : tensor<8xi32>) {{
  ^bb0(%s0: i32, %o: i32):
{steps}    linalg.yield %s64 : i32
  }} -> tensor<8xi32>
  %b = linalg.add ins(%a, %x : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) -> tensor<8xi32>
  return %a, %b : tensor<8xi32>, tensor<8xi32>
}}"
    );
    assert_eq!(compiled(&text).kernels.len(), 1);
}

/// The largest tiles take bias, activation and a cast along, and keep the copies that run ahead.
#[test]
fn large_tiles_keep_their_rings_when_fused() {
    let text = "
#id = affine_map<(m, n) -> (m, n)>
func.func @f(%a: tensor<4096x512xf16>, %b: tensor<512x4096xf16>, %v: tensor<4096xf32>) -> tensor<4096x4096xf16> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4096x4096xf32>
  %eh = tensor.empty() : tensor<4096x4096xf16>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %c = linalg.matmul ins(%a, %b : tensor<4096x512xf16>, tensor<512x4096xf16>) outs(%i : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %r = linalg.generic {indexing_maps = [#id, affine_map<(m, n) -> (n)>, #id], iterator_types = [\"parallel\", \"parallel\"]}
      ins(%c, %v : tensor<4096x4096xf32>, tensor<4096xf32>) outs(%eh : tensor<4096x4096xf16>) {
  ^bb0(%x: f32, %y: f32, %o: f16):
    %s = arith.addf %x, %y : f32
    %m = arith.maximumf %s, %zero : f32
    %h = arith.truncf %m : f32 to f16
    linalg.yield %h : f16
  } -> tensor<4096x4096xf16>
  return %r : tensor<4096x4096xf16>
}";
    let artifact = compiled(text);
    assert_eq!((artifact.kernels.len(), artifact.host), (1, None));
    assert_eq!(artifact.kernels[0].launch.grid, [32, 32, 1], "tiles of 128 x 128");
    assert!(artifact.text.contains("cp.async.wait_group"), "copies run ahead");
}
