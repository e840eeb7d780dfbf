//! `iree_codegen.inner_tiled` on whole tiles is the product of the matrices that the tiles make up.
#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use raddle_emu::{Options, Tensor};

use crate::common::{F16, F32, good, numbers, try_run};

/// `C + A * B` of rows of numbers.
fn product(a: &[f64], b: &[f64], c: &[f64], [m, n, k]: [usize; 3]) -> Vec<f64> {
    let at = |i: usize, j: usize| c[i * n + j] + (0..k).map(|l| a[i * k + l] * b[l * n + j]).sum::<f64>();
    (0..m * n).map(|c| at(c / n, c % n)).collect()
}

fn shape_text(shape: &[i64]) -> String {
    shape.iter().map(|extent| format!("{extent}x")).collect()
}

/// Runs the operation on operands that `place` puts into memory: for row and column of each, an index.
fn check(
    kind: &str,
    more: &str,
    shapes: [&[i64]; 3],
    elem: raddle_ir::Scalar,
    [m, n, k]: [usize; 3],
    place: [&dyn Fn(usize, usize) -> usize; 3],
) {
    let (a, b) = (numbers(elem, &[m as i64, k as i64], 1).to_f64(), numbers(elem, &[k as i64, n as i64], 2).to_f64());
    let c = numbers(F32, &[m as i64, n as i64], 3).to_f64();
    let pack = |values: &[f64], columns: usize, at: usize, elem| {
        let mut packed = vec![0.0; values.len()];
        values.iter().enumerate().for_each(|(i, &value)| packed[place[at](i / columns, i % columns)] = value);
        Tensor::from_f64(elem, shapes[at], &packed)
    };
    let [lhs, rhs, acc] =
        [0, 1, 2].map(|at: usize| format!("tensor<{}{}>", shape_text(shapes[at]), if at == 2 { F32 } else { elem }));
    let text = format!(
        "func.func @f(%a: {lhs}, %b: {rhs}, %c: {acc}) -> {acc} {{
  %r = iree_codegen.inner_tiled ins(%a, %b) outs(%c) {{
    indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>],
    iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>],
    kind = {kind},
    semantics = #iree_gpu.mma_semantics<distributed = false, opaque = false>{more}
  }} : {lhs}, {rhs} into {acc}
  return %r : {acc}
}}"
    );
    let out = good(&text, &[pack(&a, k, 0, elem), pack(&b, n, 1, elem), pack(&c, n, 2, F32)]).results[0].to_f64();
    let want = product(&a, &b, &c, [m, n, k]);
    for (i, want) in want.iter().enumerate() {
        assert_eq!(out[place[2](i / n, i % n)], *want, "row {}, column {} of {kind}", i / n, i % n);
    }
}

/// A tile of one instruction, its rows first, or its columns where `permutations` says so.
#[test]
fn tiles_of_instructions_multiply() {
    let tile = |rows: usize, columns: usize, tiles: usize| {
        move |r: usize, c: usize| ((r / rows * tiles + c / columns) * rows + r % rows) * columns + c % columns
    };
    for (kind, [m, n, k]) in [
        ("#iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>", [16, 16, 16]),
        ("#iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>", [16, 8, 16]),
        ("#iree_gpu.virtual_mma_layout<VMFMA_F32_16x16x32_F16>", [16, 16, 32]),
    ] {
        let outer = |rows: usize, columns: usize, r: usize, c: usize| [r as i64, c as i64, rows as i64, columns as i64];
        let (lhs, acc) = (outer(m, k, 2, 3), outer(m, n, 2, 1));
        for turned in [false, true] {
            let rhs = if turned { outer(n, k, 1, 3) } else { outer(k, n, 1, 3) };
            let straight = |r: usize, c: usize| (r / k * k + r % k) * n + c;
            let columns = |r: usize, c: usize| (r / k * n + c) * k + r % k;
            let more = ", permutations = [array<i64: 0, 1>, array<i64: 1, 0>, array<i64: 0, 1>]";
            let (more, place): (&str, &dyn Fn(usize, usize) -> usize) =
                if turned { (more, &columns) } else { ("", &straight) };
            let extents = [2 * m, n, 3 * k];
            check(kind, more, [&lhs, &rhs, &acc], F16, extents, [&tile(m, k, 3), place, &tile(m, n, 1)]);
        }
    }
}

/// A data-tiled operand: instructions, lanes and elements of a lane in the order that the kind gives them.
#[test]
fn data_tiled_operands_multiply() {
    // Two instructions along m and n, four along k inside of the lanes; two tiles along k.
    let factor = |r: usize, k: usize| (((k / 16 * 2 + r / 16) * 4 + k % 4) * 16 + r % 16) * 4 + k % 16 / 4;
    let turned = |k: usize, c: usize| factor(c, k);
    let acc = |r: usize, c: usize| (((r / 16 * 2 + c / 16) * 4 + r % 16 / 4) * 16 + c % 16) * 4 + r % 4;
    let kind = "#iree_gpu.data_tiled_mma_layout<intrinsic = MFMA_F32_16x16x4_F32, intrinsics_m = 2, intrinsics_n = 2, intrinsics_k = 4, operands_interleaving_intrinsics_k = [0, 1]>";
    let shapes: [&[i64]; 3] = [&[1, 2, 2, 4, 16, 4], &[1, 2, 2, 4, 16, 4], &[1, 1, 2, 2, 4, 16, 4]];
    check(kind, "", shapes, F32, [32, 32, 32], [&factor, &turned, &acc]);
    // Subgroups instead of instructions along m and n lie in the same places.
    let kind = kind.replace("intrinsics_m = 2, intrinsics_n = 2", "subgroups_m = 2, subgroups_n = 2");
    check(&kind, "", shapes, F32, [32, 32, 32], [&factor, &turned, &acc]);
}

/// Tiles of another shape are refused.
#[test]
fn other_tiles_are_refused() {
    let text = "func.func @f(%a: tensor<1x1x16x8xf16>, %b: tensor<1x1x16x16xf16>, %c: tensor<1x1x16x16xf32>) -> tensor<1x1x16x16xf32> {
  %r = iree_codegen.inner_tiled ins(%a, %b) outs(%c) {
    indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
    iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>],
    kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
    semantics = #iree_gpu.mma_semantics<distributed = false, opaque = false>
  } : tensor<1x1x16x8xf16>, tensor<1x1x16x16xf16> into tensor<1x1x16x16xf32>
  return %r : tensor<1x1x16x16xf32>
}";
    let ir = raddle_ir::text::parse(text).unwrap();
    let func = ir.funcs()[0];
    let launch = raddle_emu::Launch::of(&ir, func).unwrap();
    let args =
        [Tensor::zeros(F16, &[1, 1, 16, 8]), Tensor::zeros(F16, &[1, 1, 16, 16]), Tensor::zeros(F32, &[1, 1, 16, 16])];
    let diag = raddle_emu::run(&ir, func, &args, &launch, &Options::default()).unwrap_err();
    assert!(diag.message.contains("tile of [16, 16]"), "{diag:?}");
    let good = text.replace("16x8xf16", "16x16xf16");
    let args = [Tensor::zeros(F16, &[1, 1, 16, 16]), args[1].clone(), args[2].clone()];
    assert!(try_run(&good, &args, &Options::default()).is_ok());
}
