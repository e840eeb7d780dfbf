//! Kernels that do little with each element are right at any size, and their accesses are as wide as memory allows.

mod common;

use common::raddle_with;

/// Runs what was compiled, as PTX and at the stages before, and returns the PTX.
fn right(text: &str) -> String {
    raddle_with(&["run", "-", "--device=ptx-emu"], text).says(0, &["correct: "]);
    raddle_with(&["run", "-", "--compare=tensor,laid_out,distributed,lowered"], text).says(0, &["stage `lowered`"]);
    raddle_with(&["build", "-"], text).out
}

/// The global accesses of a kernel, each as its instruction says it.
fn accesses(ptx: &str) -> Vec<&str> {
    let words = ptx.split_whitespace().filter(|word| word.starts_with("ld.global") || word.starts_with("st.global"));
    words.collect()
}

fn product(op: &str, [a, b, c]: [&str; 3], elem: &str) -> String {
    format!(
        "func.func @f(%a: tensor<{a}{elem}>, %b: tensor<{b}{elem}>) -> tensor<{c}f32> {{
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<{c}f32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<{c}f32>) -> tensor<{c}f32>
  %r = linalg.{op} ins(%a, %b : tensor<{a}{elem}>, tensor<{b}{elem}>) outs(%f : tensor<{c}f32>) -> tensor<{c}f32>
  return %r : tensor<{c}f32>
}}"
    )
}

fn transposition(shape: &[i64], perm: &[usize], elem: &str) -> String {
    let ty = |shape: Vec<i64>| shape.iter().map(|n| format!("{n}x")).collect::<String>() + elem;
    let (a, b) = (ty(shape.to_vec()), ty(perm.iter().map(|&d| shape[d]).collect()));
    format!(
        "func.func @f(%a: tensor<{a}>) -> tensor<{b}> {{
  %e = tensor.empty() : tensor<{b}>
  %r = linalg.transpose ins(%a : tensor<{a}>) outs(%e : tensor<{b}>) permutation = {perm:?}
  return %r : tensor<{b}>
}}"
    )
}

fn sums(shape: [i64; 2], elem: &str, kept: usize) -> String {
    let kinds = if kept == 0 { r#""parallel", "reduction""# } else { r#""reduction", "parallel""# };
    let (rows, columns, n) = (shape[0], shape[1], shape[kept]);
    format!(
        "func.func @f(%a: tensor<{rows}x{columns}x{elem}>) -> tensor<{n}xf32> {{
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<{n}xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<{n}xf32>) -> tensor<{n}xf32>
  %r = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ({})>], iterator_types = [{kinds}]}}
      ins(%a : tensor<{rows}x{columns}x{elem}>) outs(%f : tensor<{n}xf32>) {{
  ^bb0(%x: {elem}, %o: f32):
    %y = arith.extf %x : {elem} to f32
    %s = arith.addf %o, %y : f32
    linalg.yield %s : f32
  }} -> tensor<{n}xf32>
  return %r : tensor<{n}xf32>
}}",
        ["i", "j"][kept]
    )
}

/// Lanes lie along k, and a thread has several rows: the matrix is read 128 bits at a time, the vector once for four rows.
#[test]
fn rows_share_the_vector_that_they_are_multiplied_by() {
    let ptx = right(&product("matvec", ["4096x256x", "256x", "4096x"], "f16"));
    let reads: Vec<&str> = accesses(&ptx).into_iter().filter(|access| access.starts_with("ld")).collect();
    assert_eq!(reads, ["ld.global.nc.v4.b32"; 5]);
}

/// Products with a vector, and with a matrix of one row, at sizes that no access divides.
#[test]
fn products_with_vectors_are_right_at_any_size() {
    let cases = [
        ("matvec", ["37x264x", "264x", "37x"], "f16"),
        ("matvec", ["129x77x", "77x", "129x"], "f32"),
        ("vecmat", ["75x", "75x136x", "136x"], "f16"),
        ("batch_matvec", ["3x20x100x", "3x100x", "3x20x"], "f16"),
        ("dot", ["3001x", "3001x", ""], "f32"),
        ("matmul", ["1x100x", "100x72x", "1x72x"], "f32"),
        ("matmul", ["72x100x", "100x1x", "72x1x"], "f32"),
    ];
    for (op, shapes, elem) in cases {
        let text = product(op, shapes, elem);
        raddle_with(&["run", "-", "--device=ptx-emu"], &text).says(0, &["correct: "]);
    }
}

/// A tile goes through shared memory, so that reads and writes both have 128 bits, and threads wait for it once.
#[test]
fn transpositions_have_wide_accesses_on_both_sides() {
    let cases: [(&[i64], &[usize], &str); 4] = [
        (&[128, 128], &[1, 0], "f16"),
        (&[64, 128], &[1, 0], "f32"),
        (&[2, 64, 64], &[0, 2, 1], "f16"),
        (&[64, 3, 64], &[2, 1, 0], "f32"),
    ];
    for (shape, perm, elem) in cases {
        let ptx = right(&transposition(shape, perm, elem));
        assert!(accesses(&ptx).iter().all(|access| access.contains(".v4.")), "{shape:?}: {:?}", accesses(&ptx));
        assert_eq!(ptx.matches("bar.sync").count(), 1, "{shape:?}");
    }
}

/// Edges of tiles, rows of odd lengths, and dimensions that are too short for tiles.
#[test]
fn transpositions_are_right_at_any_size() {
    let cases: [(&[i64], &[usize], &str); 6] = [
        (&[100, 72], &[1, 0], "f16"),
        (&[77, 30], &[1, 0], "f16"),
        (&[33, 17], &[1, 0], "f32"),
        (&[40, 3], &[1, 0], "f32"),
        (&[136, 40], &[1, 0], "i8"),
        (&[2, 16, 24, 5], &[0, 3, 1, 2], "f16"),
    ];
    for (shape, perm, elem) in cases {
        raddle_with(&["run", "-", "--device=ptx-emu"], &transposition(shape, perm, elem)).says(0, &["correct: "]);
    }
}

/// Where few columns are summed, workgroups have narrow strips of whole lines, and lanes share the rows.
#[test]
fn columns_are_summed_by_lines() {
    let ptx = right(&sums([256, 512], "bf16", 1));
    assert!(ptx.contains("// grid: 8 x 1 x 1"), "{ptx}");
    assert!(accesses(&ptx).iter().all(|access| access.contains(".v4.")), "{:?}", accesses(&ptx));
    for shape in [[300, 100], [70, 77], [5, 3]] {
        raddle_with(&["run", "-", "--device=ptx-emu"], &sums(shape, "f16", 1)).says(0, &["correct: "]);
    }
}

/// A subgroup has a whole row, if it is short: nobody waits, and each element is read once, 128 bits at a time.
#[test]
fn short_rows_need_no_barriers() {
    let softmax = "
func.func @f(%a: tensor<864x1024xf32>) -> tensor<864x1024xf32> {
  %e = tensor.empty() : tensor<864x1024xf32>
  %s = linalg.softmax dimension(1) ins(%a : tensor<864x1024xf32>) outs(%e : tensor<864x1024xf32>) -> tensor<864x1024xf32>
  return %s : tensor<864x1024xf32>
}";
    for text in [softmax.to_owned(), sums([864, 512], "bf16", 0)] {
        let ptx = raddle_with(&["build", "-"], &text).out;
        let mut reads = accesses(&ptx).into_iter().filter(|access| access.starts_with("ld"));
        assert!(ptx.contains(".reqntid 128") && !ptx.contains("bar.sync"), "{ptx}");
        assert!(reads.all(|access| access.contains(".v4.")), "{:?}", accesses(&ptx));
    }
    right(&softmax.replace("864x1024", "9x1000"));
    right(&sums([9, 100], "bf16", 0));
}

/// Few sums of many elements are two kernels: one for the parts, of which there are enough for all processors, and one
/// that adds them up; a rest is where the sum begins.
#[test]
fn few_results_are_summed_in_parts() {
    let cases = [
        (sums([16384, 32], "f16", 1), 2),
        (sums([16391, 32], "f16", 1), 3),
        (product("dot", ["262144x", "262144x", ""], "f32"), 2),
        (product("dot", ["262411x", "262411x", ""], "f32"), 3),
    ];
    for (text, n) in cases {
        raddle_with(&["run", "-", "--device=ptx-emu"], &text).says(0, &["correct: "]);
        assert_eq!(raddle_with(&["build", "-"], &text).out.matches(".entry").count(), n, "{text}");
    }
}
