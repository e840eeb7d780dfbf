//! Operations on whole tensors, each against plain loops.

use raddle_emu::{Options, Tensor};
use raddle_ir::Scalar;

use crate::common;
use crate::common::{F16, F32, I32, good, iota, numbers};

const INDEX: Scalar = Scalar::Index;

fn func(args: &str, results: &str, body: &str) -> String {
    format!("func.func @f({args}) -> ({results}) {{\n{body}\n}}")
}

fn ints(shape: &[i64], values: &[i64]) -> Tensor {
    Tensor::from_i64(I32, shape, values)
}

fn close(got: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(got.len(), expected.len());
    for (at, (got, expected)) in got.iter().zip(expected).enumerate() {
        assert!((got - expected).abs() <= tolerance * (1.0 + expected.abs()), "{at}: {got}, not {expected}");
    }
}

/// Parts lie one behind the other along a dimension; a part may be empty.
#[test]
fn parts_are_put_together() {
    let text = func(
        "%a: tensor<2x3xi32>, %b: tensor<2x0xi32>, %c: tensor<2x1xi32>",
        "tensor<2x4xi32>",
        "  %r = tensor.concat dim(1) %a, %b, %c : (tensor<2x3xi32>, tensor<2x0xi32>, tensor<2x1xi32>) -> tensor<2x4xi32>
  return %r : tensor<2x4xi32>",
    );
    let out = good(&text, &[iota(I32, &[2, 3]), ints(&[2, 0], &[]), ints(&[2, 1], &[7, 8])]);
    assert_eq!(out.results[0].to_i64(), [0, 1, 2, 7, 3, 4, 5, 8]);
}

/// Single elements are put in and taken out.
#[test]
fn elements_are_put_in_and_taken_out() {
    let text = func(
        "%a: tensor<2x3xi32>, %i: index, %j: index",
        "i32, tensor<2x3xi32>, tensor<2x2xi32>, tensor<3xi32>, index, tensor<6xi32>",
        "  %shape = arith.constant dense<6> : tensor<1xi64>
  %x = tensor.extract %a[%i, %j] : tensor<2x3xi32>
  %y = tensor.insert %x into %a[%j, %i] : tensor<2x3xi32>
  %z = tensor.from_elements %x, %x, %x, %x : tensor<2x2xi32>
  %s = tensor.splat %x : tensor<3xi32>
  %n = tensor.rank %a : tensor<2x3xi32>
  %f = tensor.reshape %a(%shape) : (tensor<2x3xi32>, tensor<1xi64>) -> tensor<6xi32>
  return %x, %y, %z, %s, %n, %f : i32, tensor<2x3xi32>, tensor<2x2xi32>, tensor<3xi32>, index, tensor<6xi32>",
    );
    let index = |at: i64| Tensor::from_i64(INDEX, &[], &[at]);
    let out = good(&text, &[iota(I32, &[2, 3]), index(1), index(0)]);
    let ints: Vec<Vec<i64>> = out.results.iter().map(Tensor::to_i64).collect();
    assert_eq!(ints[0], [3]);
    assert_eq!(ints[1], [0, 3, 2, 3, 4, 5]);
    assert_eq!(ints[2], [3; 4]);
    assert_eq!(ints[3], [3; 3]);
    assert_eq!(ints[4], [2]);
    assert_eq!(ints[5], [0, 1, 2, 3, 4, 5]);
    let outside = common::try_run(&text, &[iota(I32, &[2, 3]), index(2), index(0)], &Options::default());
    assert!(outside.expect_err("there is no row 2").message.starts_with("bounds: "));
}

/// What a region computes for each place, alone and around a tensor.
#[test]
fn regions_generate_elements() {
    let text = func(
        "%a: tensor<2x3xi32>, %ten: i32, %low: index",
        "tensor<4x2xi32>, tensor<4x5xi32>",
        "  %g = tensor.generate {
  ^bb0(%i: index, %j: index):
    %k = arith.addi %i, %j : index
    %x = arith.index_cast %k : index to i32
    %y = arith.muli %x, %ten : i32
    tensor.yield %y : i32
  } : tensor<4x2xi32>
  %p = tensor.pad %a low[%low, 0] high[1, 2] {
  ^bb0(%i: index, %j: index):
    %k = arith.muli %i, %j : index
    %x = arith.index_cast %k : index to i32
    %y = arith.addi %x, %ten : i32
    tensor.yield %y : i32
  } : tensor<2x3xi32> to tensor<4x5xi32>
  return %g, %p : tensor<4x2xi32>, tensor<4x5xi32>",
    );
    let args = [iota(I32, &[2, 3]), ints(&[], &[10]), Tensor::from_i64(INDEX, &[], &[1])];
    let out = good(&text, &args);
    let generated: Vec<i64> = (0..8).map(|at| (at / 2 + at % 2) * 10).collect();
    assert_eq!(out.results[0].to_i64(), generated);
    let padded: Vec<i64> = (0..20)
        .map(|at| {
            let (i, j) = (at / 5, at % 5);
            if (1..3).contains(&i) && j < 3 { (i - 1) * 3 + j } else { i * j + 10 }
        })
        .collect();
    assert_eq!(out.results[1].to_i64(), padded);
}

/// Tiles in any order, filled up with a value, and back.
#[test]
fn tensors_are_packed_and_unpacked() {
    let text = func(
        "%a: tensor<5x7xi32>",
        "tensor<2x3x4x2xi32>, tensor<5x7xi32>",
        "  %pad = arith.constant 99 : i32
  %e = tensor.empty() : tensor<2x3x4x2xi32>
  %p = linalg.pack %a padding_value(%pad : i32) outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [4, 2] into %e : tensor<5x7xi32> -> tensor<2x3x4x2xi32>
  %f = tensor.empty() : tensor<5x7xi32>
  %u = linalg.unpack %p outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [4, 2] into %f : tensor<2x3x4x2xi32> -> tensor<5x7xi32>
  return %p, %u : tensor<2x3x4x2xi32>, tensor<5x7xi32>",
    );
    let out = good(&text, &[iota(I32, &[5, 7])]);
    let mut packed = Vec::new();
    for outer_column in 0..2 {
        for outer_row in 0..3 {
            for column in 0..4 {
                for row in 0..2 {
                    let (i, j) = (outer_row * 2 + row, outer_column * 4 + column);
                    packed.push(if i < 5 && j < 7 { i * 7 + j } else { 99 });
                }
            }
        }
    }
    assert_eq!(out.results[0].to_i64(), packed);
    assert_eq!(out.results[1].to_i64(), (0..35).collect::<Vec<_>>());
}

/// Slices whose places stand in a tensor.
#[test]
fn slices_are_gathered_and_scattered() {
    let text = func(
        "%a: tensor<4x3xi32>, %at: tensor<2x1xindex>, %s: tensor<2x3xi32>",
        "tensor<2x3xi32>, tensor<2x1x3xi32>, tensor<4x3xi32>",
        "  %g = tensor.gather %a[%at] gather_dims([0]) : (tensor<4x3xi32>, tensor<2x1xindex>) -> tensor<2x3xi32>
  %h = tensor.gather %a[%at] gather_dims([0]) : (tensor<4x3xi32>, tensor<2x1xindex>) -> tensor<2x1x3xi32>
  %t = tensor.scatter %s into %a[%at] scatter_dims([0]) unique : (tensor<2x3xi32>, tensor<4x3xi32>, tensor<2x1xindex>) -> tensor<4x3xi32>
  return %g, %h, %t : tensor<2x3xi32>, tensor<2x1x3xi32>, tensor<4x3xi32>",
    );
    let at = |rows: [i64; 2]| Tensor::from_i64(INDEX, &[2, 1], &rows);
    let args = [iota(I32, &[4, 3]), at([3, 1]), ints(&[2, 3], &[20, 21, 22, 23, 24, 25])];
    let out = good(&text, &args);
    assert_eq!(out.results[0].to_i64(), [9, 10, 11, 3, 4, 5]);
    assert_eq!(out.results[1].to_i64(), [9, 10, 11, 3, 4, 5]);
    assert_eq!(out.results[2].to_i64(), [0, 1, 2, 23, 24, 25, 6, 7, 8, 20, 21, 22]);
    let outside = common::try_run(&text, &[args[0].clone(), at([4, 1]), args[2].clone()], &Options::default());
    assert!(outside.expect_err("there is no row 4").message.starts_with("bounds: "));
}

/// A region combines what meets at one place, in order, where the mask allows it.
#[test]
fn updates_of_one_element_are_combined() {
    let text = func(
        "%u: tensor<3xi32>, %at: tensor<3x2xi32>, %m: tensor<3xi1>, %a: tensor<2x3xi32>, %o: tensor<3xi32>",
        "tensor<2x3xi32>, tensor<3xi32>",
        "  %r = iree_linalg_ext.scatter dimension_map = [1, 0] unique_indices(false)
    ins(%u, %at, %m : tensor<3xi32>, tensor<3x2xi32>, tensor<3xi1>) outs(%a : tensor<2x3xi32>) {
  ^bb0(%new: i32, %old: i32):
    %x = arith.addi %new, %old : i32
    iree_linalg_ext.yield %x : i32
  } -> tensor<2x3xi32>
  %g = iree_linalg_ext.gather dimension_map = [1, 0] ins(%a, %at, %m : tensor<2x3xi32>, tensor<3x2xi32>, tensor<3xi1>) outs(%o : tensor<3xi32>) -> tensor<3xi32>
  return %r, %g : tensor<2x3xi32>, tensor<3xi32>",
    );
    let out = good(
        &text,
        &[
            ints(&[3], &[10, 20, 30]),
            // Column first.
            ints(&[3, 2], &[2, 0, 2, 0, 1, 1]),
            Tensor::from_i64(Scalar::Int(1), &[3], &[1, 1, 0]),
            iota(I32, &[2, 3]),
            ints(&[3], &[7, 7, 7]),
        ],
    );
    assert_eq!(out.results[0].to_i64(), [0, 1, 32, 3, 4, 5]);
    assert_eq!(out.results[1].to_i64(), [2, 2, 7]);
}

/// A region says where elements come from, or go to.
#[test]
fn elements_move_as_a_region_says() {
    let text = func(
        "%a: tensor<6xi32>, %o: tensor<2x2xi32>, %s: tensor<2x2xi32>, %t: tensor<6xi32>",
        "tensor<2x2xi32>, tensor<6xi32>",
        "  %pad = arith.constant 50 : i32
  %c3 = arith.constant 3 : index
  %c1 = arith.constant 1 : index
  %l = iree_linalg_ext.map_load %a into %o {
  ^bb0(%i: index, %j: index):
    %k = arith.muli %i, %c3 : index
    %m = arith.muli %j, %c3 : index
    %n = arith.addi %k, %m : index
    iree_linalg_ext.yield %n, %pad : index, i32
  } : tensor<6xi32> into tensor<2x2xi32> -> tensor<2x2xi32>
  %r = iree_linalg_ext.map_store %s into %t {
  ^bb0(%i: index, %j: index):
    %k = arith.muli %i, %c3 : index
    %n = arith.addi %k, %j : index
    %on = arith.cmpi ult, %j, %c1 : index
    iree_linalg_ext.yield %n, %on : index, i1
  } : tensor<2x2xi32> into tensor<6xi32> -> tensor<6xi32>
  return %l, %r : tensor<2x2xi32>, tensor<6xi32>",
    );
    let out =
        good(&text, &[iota(I32, &[6]), ints(&[2, 2], &[0; 4]), ints(&[2, 2], &[10, 11, 12, 13]), iota(I32, &[6])]);
    assert_eq!(out.results[0].to_i64(), [0, 3, 3, 50]);
    assert_eq!(out.results[1].to_i64(), [10, 1, 2, 12, 4, 5]);
}

/// Rows sorted by the first of two operands, and the best of each row.
#[test]
fn elements_are_sorted_and_chosen() {
    let text = func(
        "%a: tensor<2x4xi32>, %b: tensor<2x4xf32>, %v: tensor<2x2xi32>, %i: tensor<2x2xi32>",
        "tensor<2x4xi32>, tensor<2x4xf32>, tensor<2x2xi32>, tensor<2x2xi32>",
        "  %s:2 = iree_linalg_ext.sort dimension(1) outs(%a, %b : tensor<2x4xi32>, tensor<2x4xf32>) {
  ^bb0(%x: i32, %y: i32, %p: f32, %q: f32):
    %c = arith.cmpi slt, %x, %y : i32
    iree_linalg_ext.yield %c : i1
  } -> tensor<2x4xi32>, tensor<2x4xf32>
  %k:2 = iree_linalg_ext.topk dimension(1) ins(%a : tensor<2x4xi32>) outs(%v, %i : tensor<2x2xi32>, tensor<2x2xi32>) {
  ^bb0(%x: i32, %y: i32):
    %c = arith.cmpi sgt, %x, %y : i32
    iree_linalg_ext.yield %c : i1
  } -> tensor<2x2xi32>, tensor<2x2xi32>
  return %s#0, %s#1, %k#0, %k#1 : tensor<2x4xi32>, tensor<2x4xf32>, tensor<2x2xi32>, tensor<2x2xi32>",
    );
    let least = ints(&[2, 2], &[i64::from(i32::MIN); 4]);
    let out =
        good(&text, &[ints(&[2, 4], &[3, 1, 3, 2, 9, 8, 9, 7]), iota(F32, &[2, 4]), least, ints(&[2, 2], &[-1; 4])]);
    assert_eq!(out.results[0].to_i64(), [1, 2, 3, 3, 7, 8, 9, 9]);
    assert_eq!(out.results[1].to_f64(), [1.0, 3.0, 0.0, 2.0, 7.0, 5.0, 4.0, 6.0]);
    assert_eq!(out.results[2].to_i64(), [3, 3, 9, 9]);
    assert_eq!(out.results[3].to_i64(), [0, 2, 0, 2]);
}

/// Partial results along the outer dimension, and the last of them.
#[test]
fn partial_results_are_kept() {
    let text = |inclusive: bool| {
        func(
            "%a: tensor<3x2xi32>, %o: tensor<3x2xi32>, %z: tensor<2xi32>",
            "tensor<3x2xi32>, tensor<2xi32>",
            &format!(
                "  %r:2 = iree_linalg_ext.scan dimension(0) inclusive({inclusive}) ins(%a : tensor<3x2xi32>) outs(%o, %z : tensor<3x2xi32>, tensor<2xi32>) {{
  ^bb0(%x: i32, %y: i32):
    %t = arith.constant 2 : i32
    %d = arith.muli %x, %t : i32
    %s = arith.addi %d, %y : i32
    iree_linalg_ext.yield %s : i32
  }} -> tensor<3x2xi32>, tensor<2xi32>
  return %r#0, %r#1 : tensor<3x2xi32>, tensor<2xi32>"
            ),
        )
    };
    let args = [ints(&[3, 2], &[1, 2, 3, 4, 5, 6]), ints(&[3, 2], &[0; 6]), ints(&[2], &[100, 200])];
    let out = good(&text(true), &args);
    assert_eq!(out.results[0].to_i64(), [1, 2, 5, 8, 15, 22]);
    assert_eq!(out.results[1].to_i64(), [15, 22]);
    let out = good(&text(false), &args);
    assert_eq!(out.results[0].to_i64(), [100, 200, 201, 402, 405, 808]);
    assert_eq!(out.results[1].to_i64(), [405, 808]);
}

/// The place of the element that no other one beats.
#[test]
fn the_best_element_has_a_place() {
    let text = func(
        "%a: tensor<2x3xf32>, %v: tensor<2xf32>, %i: tensor<2xi32>, %base: index",
        "tensor<2xf32>, tensor<2xi32>",
        "  %r:2 = iree_linalg_ext.arg_compare dimension(1) ins(%a : tensor<2x3xf32>) outs(%v, %i : tensor<2xf32>, tensor<2xi32>) index_base(%base : index) {
  ^bb0(%x: f32, %y: f32):
    %c = arith.cmpf ogt, %x, %y : f32
    iree_linalg_ext.yield %c : i1
  } -> tensor<2xf32>, tensor<2xi32>
  return %r#0, %r#1 : tensor<2xf32>, tensor<2xi32>",
    );
    let float = |shape: &[i64], values: &[f64]| Tensor::from_f64(F32, shape, values);
    let least = f64::NEG_INFINITY;
    let args = [
        float(&[2, 3], &[1.0, 5.0, 2.0, 7.0, 7.0, 3.0]),
        float(&[2], &[least; 2]),
        ints(&[2], &[0; 2]),
        Tensor::from_i64(INDEX, &[], &[10]),
    ];
    let out = good(&text, &args);
    assert_eq!(out.results[0].to_f64(), [5.0, 7.0]);
    assert_eq!(out.results[1].to_i64(), [11, 10]);
}

/// Softmax along an inner dimension.
#[test]
fn softmax_divides_exponentials_by_their_sum() {
    let text = func(
        "%a: tensor<2x3x4xf32>, %o: tensor<2x3x4xf32>",
        "tensor<2x3x4xf32>",
        "  %r = linalg.softmax dimension(1) ins(%a : tensor<2x3x4xf32>) outs(%o : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %r : tensor<2x3x4xf32>",
    );
    let input = numbers(F32, &[2, 3, 4], 3);
    let out = good(&text, &[input.clone(), Tensor::zeros(F32, &[2, 3, 4])]);
    let x = input.to_f64();
    let mut expected = vec![0.0; 24];
    for b in 0..2 {
        for c in 0..4 {
            let of = |i: usize| (b * 3 + i) * 4 + c;
            let sum: f64 = (0..3).map(|i| x[of(i)].exp()).sum();
            (0..3).for_each(|i| expected[of(i)] = x[of(i)].exp() / sum);
        }
    }
    close(&out.results[0].to_f64(), &expected, 1e-6);
}

const ATTENTION: &str = "affine_map<(b, m, n, k, d) -> (b, m, d)>, affine_map<(b, m, n, k, d) -> (b, k, d)>, affine_map<(b, m, n, k, d) -> (b, k, n)>, affine_map<(b, m, n, k, d) -> ()>, affine_map<(b, m, n, k, d) -> (b, m, k)>, affine_map<(b, m, n, k, d) -> (b, m, n)>";

/// Attention by loops: 2 batches, 3 queries, 4 keys of 5 numbers, values of 2.
fn attention(q: &[f64], k: &[f64], v: &[f64], scale: f64, mask: impl Fn(usize, f64) -> f64) -> Vec<f64> {
    let mut out = Vec::new();
    for b in 0..2 {
        for m in 0..3 {
            let score = |key: usize| {
                let dot: f64 = (0..5).map(|d| q[(b * 3 + m) * 5 + d] * k[(b * 4 + key) * 5 + d]).sum();
                mask((b * 3 + m) * 4 + key, dot * scale)
            };
            let sum: f64 = (0..4).map(|key| score(key).exp()).sum();
            out.extend(
                (0..2).map(|n| (0..4).map(|key| score(key).exp() / sum * v[(b * 4 + key) * 2 + n]).sum::<f64>()),
            );
        }
    }
    out
}

/// Attention with masks of numbers and of bits, in two types.
#[test]
fn attention_is_a_weighted_mean() {
    for (elem, tolerance) in [(F32, 1e-5), (F16, 4e-3)] {
        for bits in [false, true] {
            let of = if bits { "i1".to_owned() } else { elem.to_string() };
            let args = format!(
                "%q: tensor<2x3x5x{elem}>, %k: tensor<2x4x5x{elem}>, %v: tensor<2x4x2x{elem}>, %s: {elem}, %m: tensor<2x3x4x{of}>, %o: tensor<2x3x2x{elem}>"
            );
            let body = format!(
                "  %r = iree_linalg_ext.attention {{indexing_maps = [{ATTENTION}]}} ins(%q, %k, %v, %s, %m : tensor<2x3x5x{elem}>, tensor<2x4x5x{elem}>, tensor<2x4x2x{elem}>, {elem}, tensor<2x3x4x{of}>) outs(%o : tensor<2x3x2x{elem}>) {{
  ^bb0(%x: f32):
    iree_linalg_ext.yield %x : f32
  }} -> tensor<2x3x2x{elem}>
  return %r : tensor<2x3x2x{elem}>"
            );
            let text = func(&args, &format!("tensor<2x3x2x{elem}>"), &body);
            let [q, k, v] =
                [(5, 1), (5, 2), (2, 3)].map(|(n, seed)| numbers(elem, &[2, if seed == 1 { 3 } else { 4 }, n], seed));
            let mask = if bits {
                Tensor::from_i64(
                    Scalar::Int(1),
                    &[2, 3, 4],
                    &(0..24).map(|at| i64::from(at % 3 != 1)).collect::<Vec<_>>(),
                )
            } else {
                numbers(elem, &[2, 3, 4], 4)
            };
            let scale = Tensor::from_f64(elem, &[], &[0.125]);
            let bias = mask.to_f64();
            let masked = |at: usize, score: f64| {
                if bits && bias[at] == 0.0 { f64::NEG_INFINITY } else { score + if bits { 0.0 } else { bias[at] } }
            };
            let expected = attention(&q.to_f64(), &k.to_f64(), &v.to_f64(), 0.125, masked);
            let out = good(&text, &[q, k, v, scale, mask, Tensor::zeros(elem, &[2, 3, 2])]);
            close(&out.results[0].to_f64(), &expected, tolerance);
        }
    }
}

/// Keys in two parts: what the first part gives, the second one goes on from.
#[test]
fn online_attention_goes_on() {
    let maps = "affine_map<(b, m, n, k, d) -> (b, m, d)>, affine_map<(b, m, n, k, d) -> (b, k, d)>, affine_map<(b, m, n, k, d) -> (b, k, n)>, affine_map<(b, m, n, k, d) -> ()>, affine_map<(b, m, n, k, d) -> (b, m, n)>, affine_map<(b, m, n, k, d) -> (b, m)>, affine_map<(b, m, n, k, d) -> (b, m)>";
    let step = |n: usize, from: usize, [acc, max, sum]: [&str; 3]| {
        format!(
            "  %k{n} = tensor.extract_slice %k[0, {from}, 0] [2, 2, 5] [1, 1, 1] : tensor<2x4x5xf32> to tensor<2x2x5xf32>
  %v{n} = tensor.extract_slice %v[0, {from}, 0] [2, 2, 2] [1, 1, 1] : tensor<2x4x2xf32> to tensor<2x2x2xf32>
  %r{n}:3 = iree_linalg_ext.online_attention {{indexing_maps = [{maps}]}} ins(%q, %k{n}, %v{n}, %s : tensor<2x3x5xf32>, tensor<2x2x5xf32>, tensor<2x2x2xf32>, f32) outs({acc}, {max}, {sum} : tensor<2x3x2xf32>, tensor<2x3xf32>, tensor<2x3xf32>) {{
  ^bb0(%x: f32):
    iree_linalg_ext.yield %x : f32
  }} -> tensor<2x3x2xf32>, tensor<2x3xf32>, tensor<2x3xf32>\n"
        )
    };
    let body = step(0, 0, ["%acc", "%max", "%sum"])
        + &step(1, 2, ["%r0#0", "%r0#1", "%r0#2"])
        + "  return %r1#0, %r1#2 : tensor<2x3x2xf32>, tensor<2x3xf32>";
    let text = func(
        "%q: tensor<2x3x5xf32>, %k: tensor<2x4x5xf32>, %v: tensor<2x4x2xf32>, %s: f32, %acc: tensor<2x3x2xf32>, %max: tensor<2x3xf32>, %sum: tensor<2x3xf32>",
        "tensor<2x3x2xf32>, tensor<2x3xf32>",
        &body,
    );
    let (q, k, v) = (numbers(F32, &[2, 3, 5], 1), numbers(F32, &[2, 4, 5], 2), numbers(F32, &[2, 4, 2], 3));
    let expected = attention(&q.to_f64(), &k.to_f64(), &v.to_f64(), 0.125, |_, score| score);
    let args = [
        q,
        k,
        v,
        Tensor::from_f64(F32, &[], &[0.125]),
        Tensor::zeros(F32, &[2, 3, 2]),
        Tensor::from_f64(F32, &[2, 3], &[f64::NEG_INFINITY; 6]),
        Tensor::zeros(F32, &[2, 3]),
    ];
    let out = good(&text, &args);
    let (acc, sum) = (out.results[0].to_f64(), out.results[1].to_f64());
    let mean: Vec<f64> = acc.iter().enumerate().map(|(at, acc)| acc / sum[at / 2]).collect();
    close(&mean, &expected, 1e-5);
}

/// Convolutions in several layouts, with steps between outputs and between taps, against one loop over the image.
#[test]
fn convolutions_slide_over_images() {
    // Images of 9 x 8, kernels of 2 x 3, steps of 2 and 1, taps 1 and 2 apart: 4 x 4 places.
    let (h, w, kh, kw, oh, ow) = (9, 8, 2, 3, 4, 4);
    let pixel = |y: usize, x: usize, dy: usize, dx: usize| (y * 2 + dy, x + dx * 2);
    let convolution = |name: &str, image: &str, kernel: &str, result: &str| {
        func(
            &format!("%i: tensor<{image}xi32>, %k: tensor<{kernel}xi32>, %o: tensor<{result}xi32>"),
            &format!("tensor<{result}xi32>"),
            &format!(
                "  %r = linalg.{name} {{dilations = dense<[1, 2]> : vector<2xi64>, strides = dense<[2, 1]> : vector<2xi64>}} ins(%i, %k : tensor<{image}xi32>, tensor<{kernel}xi32>) outs(%o : tensor<{result}xi32>) -> tensor<{result}xi32>\n  return %r : tensor<{result}xi32>"
            ),
        )
    };
    let run = |text: &str, shapes: [&[i64]; 3]| {
        let [image, kernel] = [shapes[0], shapes[1]].map(|shape| {
            let n: i64 = shape.iter().product();
            ints(shape, &(0..n).map(|at| at * 7 % 11 - 5).collect::<Vec<_>>())
        });
        let out = good(text, &[image.clone(), kernel.clone(), Tensor::zeros(I32, shapes[2])]);
        (image.to_i64(), kernel.to_i64(), out.results[0].to_i64())
    };
    let taps = || (0..kh).flat_map(move |dy| (0..kw).map(move |dx| (dy, dx)));

    // Channels inside, 2 of them, and 3 filters.
    let text = convolution("conv_2d_nhwc_hwcf", "1x9x8x2", "2x3x2x3", "1x4x4x3");
    let (image, kernel, got) = run(&text, [&[1, 9, 8, 2], &[2, 3, 2, 3], &[1, 4, 4, 3]]);
    for (at, got) in got.into_iter().enumerate() {
        let (y, x, f) = (at / 3 / ow, at / 3 % ow, at % 3);
        let sum: i64 = taps()
            .flat_map(|(dy, dx)| (0..2).map(move |c| (dy, dx, c)))
            .map(|(dy, dx, c)| {
                let (py, px) = pixel(y, x, dy, dx);
                image[(py * w + px) * 2 + c] * kernel[((dy * kw + dx) * 2 + c) * 3 + f]
            })
            .sum();
        assert_eq!(got, sum, "{at}");
    }
    // 2 groups of 2 channels, each with 3 filters of its own.
    let text = convolution("conv_2d_ngchw_gfchw", "1x2x2x9x8", "2x3x2x2x3", "1x2x3x4x4");
    let (image, kernel, got) = run(&text, [&[1, 2, 2, 9, 8], &[2, 3, 2, 2, 3], &[1, 2, 3, 4, 4]]);
    for (at, got) in got.into_iter().enumerate() {
        let (g, f, y, x) = (at / (3 * oh * ow), at / (oh * ow) % 3, at / ow % oh, at % ow);
        let sum: i64 = taps()
            .flat_map(|(dy, dx)| (0..2).map(move |c| (dy, dx, c)))
            .map(|(dy, dx, c)| {
                let (py, px) = pixel(y, x, dy, dx);
                image[((g * 2 + c) * h + py) * w + px] * kernel[(((g * 3 + f) * 2 + c) * kh + dy) * kw + dx]
            })
            .sum();
        assert_eq!(got, sum, "{at}");
    }
    // Each channel with its own kernel, and the largest element under a window.
    for (name, kernel_type, kernel_shape) in [
        ("depthwise_conv_2d_nchw_chw", "2x2x3", &[2, 2, 3][..]),
        ("pooling_nchw_max", "2x3", &[2, 3][..]),
        ("pooling_nchw_sum", "2x3", &[2, 3][..]),
    ] {
        let text = convolution(name, "1x2x9x8", kernel_type, "1x2x4x4");
        let (image, kernel, got) = run(&text, [&[1, 2, 9, 8], kernel_shape, &[1, 2, 4, 4]]);
        for (at, got) in got.into_iter().enumerate() {
            let (c, y, x) = (at / (oh * ow), at / ow % oh, at % ow);
            let under = taps().map(|(dy, dx)| {
                let (py, px) = pixel(y, x, dy, dx);
                (image[(c * h + py) * w + px], kernel.get((c * kh + dy) * kw + dx).copied().unwrap_or(0))
            });
            let expected = match name {
                "pooling_nchw_max" => under.map(|(pixel, _)| pixel).max().unwrap_or(0).max(0),
                "pooling_nchw_sum" => under.map(|(pixel, _)| pixel).sum(),
                _ => under.map(|(pixel, weight)| pixel * weight).sum(),
            };
            assert_eq!(got, expected, "{name} {at}");
        }
    }
}

/// Quantized products subtract the zero points of both factors.
#[test]
fn quantized_products_have_zero_points() {
    let text = func(
        "%a: tensor<3x4xi8>, %b: tensor<4x2xi8>, %x: i32, %y: i32, %o: tensor<3x2xi32>",
        "tensor<3x2xi32>",
        "  %r = linalg.quantized_matmul ins(%a, %b, %x, %y : tensor<3x4xi8>, tensor<4x2xi8>, i32, i32) outs(%o : tensor<3x2xi32>) -> tensor<3x2xi32>
  return %r : tensor<3x2xi32>",
    );
    let byte = |shape: &[i64], n: i64| {
        Tensor::from_i64(Scalar::Int(8), shape, &(0..n).map(|at| at * 37 % 251 - 125).collect::<Vec<_>>())
    };
    let (a, b) = (byte(&[3, 4], 12), byte(&[4, 2], 8));
    let out = good(&text, &[a.clone(), b.clone(), ints(&[], &[3]), ints(&[], &[-7]), iota(I32, &[3, 2])]);
    let (a, b) = (a.to_i64(), b.to_i64());
    let expected: Vec<i64> = (0..6)
        .map(|at| at as i64 + (0..4).map(|k| (a[at / 2 * 4 + k] - 3) * (b[k * 2 + at % 2] + 7)).sum::<i64>())
        .collect();
    assert_eq!(out.results[0].to_i64(), expected);
}

/// Extents that only the arguments state: of results, slices, padding and calls, and of what a loop carries.
#[test]
fn arguments_state_open_extents() {
    let text = "func.func private @double(%x: tensor<?xi32>) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xi32>
  %e = tensor.empty(%n) : tensor<?xi32>
  %r = linalg.add ins(%x, %x : tensor<?xi32>, tensor<?xi32>) outs(%e : tensor<?xi32>) -> tensor<?xi32>
  return %r : tensor<?xi32>
}
func.func @f(%a: tensor<?x?xi32>, %b: tensor<?x?xi32>, %n: index, %flag: i1) -> (tensor<?x?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %z = arith.constant 0 : i32
  %h = tensor.dim %a, %c0 : tensor<?x?xi32>
  %w = tensor.dim %b, %c1 : tensor<?x?xi32>
  %e = tensor.empty(%h, %w) : tensor<?x?xi32>
  %o = linalg.fill ins(%z : i32) outs(%e : tensor<?x?xi32>) -> tensor<?x?xi32>
  %p = linalg.matmul ins(%a, %b : tensor<?x?xi32>, tensor<?x?xi32>) outs(%o : tensor<?x?xi32>) -> tensor<?x?xi32>
  %m = arith.minsi %n, %h : index
  %s = tensor.extract_slice %p[0, 0] [%m, 1] [1, 1] : tensor<?x?xi32> to tensor<?xi32>
  %t = tensor.pad %s low[0] high[%c1] {
  ^bb0(%i: index):
    tensor.yield %z : i32
  } : tensor<?xi32> to tensor<?xi32>
  %u = scf.if %flag -> (tensor<?xi32>) {
    %d = func.call @double(%t) : (tensor<?xi32>) -> tensor<?xi32>
    scf.yield %d : tensor<?xi32>
  } else {
    scf.yield %t : tensor<?xi32>
  }
  %v = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %s) -> (tensor<?xi32>) {
    %y = func.call @double_too(%x) : (tensor<?xi32>) -> tensor<?xi32>
    scf.yield %y : tensor<?xi32>
  }
  return %p, %t, %u, %v : tensor<?x?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>
}
func.func private @double_too(%x: tensor<?xi32>) -> tensor<?xi32> {
  %r = arith.addi %x, %x : tensor<?xi32>
  return %r : tensor<?xi32>
}";
    let ir = common::parse(text);
    let func = *ir.funcs().iter().find(|&&func| ir.symbol_name(func) == Some("f")).expect("it is there");
    let launch = raddle_emu::Launch::of(&ir, func).expect("a function on tensors");
    for (h, k, w, n) in [(2, 3, 2, 1), (5, 1, 4, 9), (1, 0, 1, 1), (3, 2, 1, 0)] {
        let (a, b) = (iota(I32, &[h, k]), iota(I32, &[k, w]));
        let args =
            [a.clone(), b.clone(), Tensor::from_i64(INDEX, &[], &[n]), Tensor::from_i64(Scalar::Int(1), &[], &[1])];
        let out =
            raddle_emu::run(&ir, func, &args, &launch, &Options::default()).unwrap_or_else(|diag| panic!("{diag:?}"));
        let (a, b) = (a.to_i64(), b.to_i64());
        let product: Vec<i64> = (0..h * w)
            .map(|at| (0..k).map(|l| a[(at / w * k + l) as usize] * b[(l * w + at % w) as usize]).sum())
            .collect();
        assert_eq!((&out.results[0].shape[..], out.results[0].to_i64()), (&[h, w][..], product.clone()));
        let column: Vec<i64> = (0..n.min(h)).map(|row| product[(row * w) as usize]).collect();
        let padded = [&column[..], &[0]].concat();
        assert_eq!((&out.results[1].shape[..], out.results[1].to_i64()), (&[n.min(h) + 1][..], padded.clone()));
        assert_eq!(out.results[2].to_i64(), padded.iter().map(|x| 2 * x).collect::<Vec<_>>());
        assert_eq!(out.results[3].to_i64(), column.iter().map(|x| 8 * x).collect::<Vec<_>>());
    }
}
