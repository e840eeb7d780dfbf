//! Attention's scores, reductions of powers, regions about tensors, Fourier's and Winograd's transforms, data of the
//! program: each against plain loops.

use std::f64::consts::{LOG2_E, PI};

use raddle_emu::Tensor;

use crate::common::{F32, I32, good, numbers};

fn close(got: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(got.len(), expected.len());
    for (at, (got, expected)) in got.iter().zip(expected).enumerate() {
        assert!((got - expected).abs() <= tolerance * (1.0 + expected.abs()), "{at}: {got}, not {expected}");
    }
}

/// The region sees scores in base two, and the places of the scores; natural powers are asked for.
#[test]
fn regions_of_attention_see_scores() {
    let (q, k, v) = (numbers(F32, &[3, 4], 1), numbers(F32, &[5, 4], 2), numbers(F32, &[5, 2], 3));
    for natural in [false, true] {
        let config = if natural { ", decomposition_config = {use_exp2 = false}" } else { "" };
        let text = format!(
            "func.func @f(%q: tensor<3x4xf32>, %k: tensor<5x4xf32>, %v: tensor<5x2xf32>, %o: tensor<3x2xf32>) -> tensor<3x2xf32> {{
  %s = arith.constant 0.25 : f32
  %r = iree_linalg_ext.attention {{indexing_maps = [affine_map<(m, n, k, d) -> (m, d)>, affine_map<(m, n, k, d) -> (k, d)>, affine_map<(m, n, k, d) -> (k, n)>, affine_map<(m, n, k, d) -> ()>, affine_map<(m, n, k, d) -> (m, n)>]{config}}} ins(%q, %k, %v, %s : tensor<3x4xf32>, tensor<5x4xf32>, tensor<5x2xf32>, f32) outs(%o : tensor<3x2xf32>) {{
  ^bb0(%x: f32):
    %m = iree_linalg_ext.index 0 : index
    %n = iree_linalg_ext.index 1 : index
    %later = arith.cmpi ugt, %n, %m : index
    %t = math.tanh %x : f32
    %never = arith.constant -1.0e9 : f32
    %y = arith.select %later, %never, %t : f32
    iree_linalg_ext.yield %y : f32
  }} -> tensor<3x2xf32>
  return %r : tensor<3x2xf32>
}}"
        );
        let out = good(&text, &[q.clone(), k.clone(), v.clone(), Tensor::zeros(F32, &[3, 2])]);
        let [q, k, v] = [&q, &k, &v].map(Tensor::to_f64);
        let mut expected = Vec::new();
        for m in 0..3 {
            let power = |key: usize| {
                let dot: f64 = (0..4).map(|d| q[m * 4 + d] * k[key * 4 + d]).sum();
                let score = dot * 0.25 * if natural { 1.0 } else { LOG2_E };
                let score = if key > m { f64::NEG_INFINITY } else { score.tanh() };
                if natural { score.exp() } else { score.exp2() }
            };
            let sum: f64 = (0..5).map(power).sum();
            expected.extend((0..2).map(|n| (0..5).map(|key| power(key) / sum * v[key * 2 + n]).sum::<f64>()));
        }
        close(&out.results[0].to_f64(), &expected, 1e-5);
    }
}

/// What earlier scores have given is scaled by how far the maximum moves.
#[test]
fn powers_are_reduced_below_a_running_maximum() {
    let text = "
func.func @f(%s: tensor<3x5xf32>, %v: tensor<5x2xf32>, %m: tensor<3xf32>, %sum: tensor<3xf32>, %acc: tensor<3x2xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3x2xf32>) {
  %r:3 = iree_linalg_ext.exp_reduction {
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m)>, affine_map<(m, n, k) -> (m)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = [#iree_linalg_ext.iterator_type<parallel>, #iree_linalg_ext.iterator_type<parallel>, #iree_linalg_ext.iterator_type<reduction>],
      exp_reduced_operands = [1, 2]}
      ins(%s, %v : tensor<3x5xf32>, tensor<5x2xf32>) outs(%m, %sum, %acc : tensor<3xf32>, tensor<3xf32>, tensor<3x2xf32>) {
  ^bb0(%ex: f32, %value: f32, %max: f32, %total: f32, %part: f32):
    %t = arith.addf %ex, %total : f32
    %p = arith.mulf %ex, %value : f32
    %a = arith.addf %p, %part : f32
    iree_linalg_ext.yield %max, %t, %a : f32, f32, f32
  } -> tensor<3xf32>, tensor<3xf32>, tensor<3x2xf32>
  return %r#0, %r#1, %r#2 : tensor<3xf32>, tensor<3xf32>, tensor<3x2xf32>
}";
    let (s, v) = (numbers(F32, &[3, 5], 1), numbers(F32, &[5, 2], 2));
    let (m, sum, acc) = (numbers(F32, &[3], 3), numbers(F32, &[3], 4), numbers(F32, &[3, 2], 5));
    let out = good(text, &[s.clone(), v.clone(), m.clone(), sum.clone(), acc.clone()]);
    let [s, v, m, sum, acc] = [&s, &v, &m, &sum, &acc].map(Tensor::to_f64);
    let (mut maxima, mut sums, mut parts) = (Vec::new(), Vec::new(), Vec::new());
    for row in 0..3 {
        let max = (0..5).map(|k| s[row * 5 + k]).fold(m[row], f64::max);
        let (power, norm) = (|k: usize| (s[row * 5 + k] - max).exp2(), (m[row] - max).exp2());
        maxima.push(max);
        // The loop along the columns of the value is none of the sum.
        sums.push(sum[row] * norm + (0..5).map(power).sum::<f64>());
        parts.extend((0..2).map(|n| acc[row * 2 + n] * norm + (0..5).map(|k| power(k) * v[k * 2 + n]).sum::<f64>()));
    }
    for (got, expected) in out.results.iter().zip([maxima, sums, parts]) {
        close(&got.to_f64(), &expected, 1e-5);
    }
}

/// A region about whole tensors stands in the place of its operation, whose extents it sees as open.
#[test]
fn regions_about_tensors_are_carried_out() {
    let text = "
func.func @f(%a: tensor<4x3xf32>, %o: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %r = iree_linalg_ext.custom_op {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#iree_linalg_ext.iterator_type<parallel>, #iree_linalg_ext.iterator_type<parallel>]}
      ins(%a : tensor<4x3xf32>) outs(%o : tensor<4x3xf32>) {
  ^bb0(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>):
    %s = linalg.add ins(%x, %x : tensor<?x?xf32>, tensor<?x?xf32>) outs(%y : tensor<?x?xf32>) -> tensor<?x?xf32>
    iree_linalg_ext.yield %s : tensor<?x?xf32>
  } -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}";
    let a = numbers(F32, &[4, 3], 1);
    let out = good(text, &[a.clone(), Tensor::zeros(F32, &[4, 3])]);
    let twice: Vec<f64> = a.to_f64().iter().map(|x| 2.0 * x).collect();
    assert_eq!(out.results[0].to_f64(), twice);
}

/// The best values by a comparison, with or without the indices of either side.
#[test]
fn best_values_are_picked() {
    let text = "
func.func @f(%v: tensor<2x5xf32>, %at: tensor<2x5xi32>, %o: tensor<2x3xf32>, %i: tensor<2x3xi32>) -> (tensor<2x3xf32>, tensor<2x3xi32>, tensor<2x3xf32>) {
  %r:2 = iree_linalg_ext.topk_v2 dimension(1) is_sorted ins(%v, %at : tensor<2x5xf32>, tensor<2x5xi32>) outs(%o, %i : tensor<2x3xf32>, tensor<2x3xi32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %c : i1
  } -> tensor<2x3xf32>, tensor<2x3xi32>
  %w = iree_linalg_ext.topk_v2 dimension(1) is_sorted ins(%v : tensor<2x5xf32>) outs(%o : tensor<2x3xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %c : i1
  } -> tensor<2x3xf32>
  return %r#0, %r#1, %w : tensor<2x3xf32>, tensor<2x3xi32>, tensor<2x3xf32>
}";
    let values = [4.0, 5.0, 8.0, 1.0, 2.0, 7.0, 3.0, 9.0, 6.0, 0.0];
    let least = Tensor::from_f64(F32, &[2, 3], &[f64::NEG_INFINITY; 6]);
    let indices = Tensor::from_i64(I32, &[2, 5], &(100..110).collect::<Vec<_>>());
    let args = [Tensor::from_f64(F32, &[2, 5], &values), indices, least, Tensor::zeros(I32, &[2, 3])];
    let out = good(text, &args);
    assert_eq!(out.results[0].to_f64(), [8.0, 5.0, 4.0, 9.0, 7.0, 6.0]);
    assert_eq!(out.results[1].to_i64(), [102, 101, 100, 107, 105, 108]);
    assert_eq!(out.results[2], out.results[0]);
}

/// All stages on elements whose bits are reversed are the transform; coefficients are given or follow from the stage.
#[test]
fn stages_are_a_fourier_transform() {
    const N: usize = 8;
    let mut body = String::new();
    for stage in 1..=3usize {
        let half = 1 << (stage - 1);
        let list = |f: fn(f64) -> f64| {
            let one = |j: usize| format!("{:?}", f(-PI * j as f64 / half as f64) as f32);
            (0..half).map(one).collect::<Vec<_>>().join(", ")
        };
        let (given, types) = if stage == 2 {
            (String::new(), String::new())
        } else {
            body += &format!(
                "  %c{stage} = arith.constant dense<[{}]> : tensor<{half}xf32>\n  %d{stage} = arith.constant dense<[{}]> : tensor<{half}xf32>\n",
                list(f64::cos),
                list(f64::sin)
            );
            (format!(", %c{stage}, %d{stage}"), format!(", tensor<{half}xf32>, tensor<{half}xf32>"))
        };
        let from = stage - 1;
        let [re, im] =
            if stage == 1 { ["%a", "%b"].map(str::to_owned) } else { [0, 1].map(|i| format!("%x{from}#{i}")) };
        body += &format!(
            "  %s{stage} = arith.constant {stage} : index\n  %x{stage}:2 = iree_linalg_ext.fft ins(%s{stage}{given} : index{types}) outs({re}, {im} : tensor<2x{N}xf32>, tensor<2x{N}xf32>) : tensor<2x{N}xf32>, tensor<2x{N}xf32>\n"
        );
    }
    let text = format!(
        "func.func @f(%a: tensor<2x{N}xf32>, %b: tensor<2x{N}xf32>) -> (tensor<2x{N}xf32>, tensor<2x{N}xf32>) {{\n{body}  return %x3#0, %x3#1 : tensor<2x{N}xf32>, tensor<2x{N}xf32>\n}}"
    );
    let (re, im) = (numbers(F32, &[2, N as i64], 1), numbers(F32, &[2, N as i64], 2));
    let shuffled = |x: &Tensor| {
        let values = x.to_f64();
        let at = |i: usize| i / N * N + [0, 4, 2, 6, 1, 5, 3, 7][i % N];
        Tensor::from_f64(F32, &[2, N as i64], &(0..2 * N).map(|i| values[at(i)]).collect::<Vec<_>>())
    };
    let out = good(&text, &[shuffled(&re), shuffled(&im)]);
    let (re, im) = (re.to_f64(), im.to_f64());
    let mut expected = [Vec::new(), Vec::new()];
    for row in 0..2 {
        for k in 0..N {
            let (mut sum_re, mut sum_im) = (0.0, 0.0);
            for n in 0..N {
                let (sin, cos) = (-2.0 * PI * (k * n) as f64 / N as f64).sin_cos();
                let (x, y) = (re[row * N + n], im[row * N + n]);
                sum_re += x * cos - y * sin;
                sum_im += x * sin + y * cos;
            }
            expected[0].push(sum_re);
            expected[1].push(sum_im);
        }
    }
    for (got, expected) in out.results.iter().zip(expected) {
        close(&got.to_f64(), &expected, 1e-5);
    }
}

/// The products of transformed tiles and filters, transformed back, are a convolution; channels stand behind or in front.
#[test]
fn winograd_transforms_are_a_convolution() {
    const C: usize = 2;
    const F: usize = 3;
    const H: usize = 14;
    const W: usize = 9;
    for first in [false, true] {
        let (image, filter, out, dims, kernel) = if first {
            ("1x2x14x9", "3x2x3x3", "1x3x12x12", "[2, 3]", "[2, 3]")
        } else {
            ("1x14x9x2", "3x3x2x3", "1x12x12x3", "[1, 2]", "[0, 1]")
        };
        let text = format!(
            "func.func @f(%a: tensor<{image}xf32>, %w: tensor<{filter}xf32>) -> tensor<{out}xf32> {{
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8x1x2x2x2xf32>
  %t = iree_linalg_ext.winograd.input_transform output_tile_size(6) kernel_size(3) image_dimensions({dims}) ins(%a : tensor<{image}xf32>) outs(%e : tensor<8x8x1x2x2x2xf32>) -> tensor<8x8x1x2x2x2xf32>
  %g = tensor.empty() : tensor<8x8x2x3xf32>
  %u = iree_linalg_ext.winograd.filter_transform output_tile_size(6) kernel_size(3) kernel_dimensions({kernel}) ins(%w : tensor<{filter}xf32>) outs(%g : tensor<8x8x2x3xf32>) -> tensor<8x8x2x3xf32>
  %m = tensor.empty() : tensor<8x8x1x2x2x3xf32>
  %i = linalg.fill ins(%zero : f32) outs(%m : tensor<8x8x1x2x2x3xf32>) -> tensor<8x8x1x2x2x3xf32>
  %p = linalg.generic {{
      indexing_maps = [affine_map<(a, b, n, h, w, f, c) -> (a, b, n, h, w, c)>, affine_map<(a, b, n, h, w, f, c) -> (a, b, c, f)>, affine_map<(a, b, n, h, w, f, c) -> (a, b, n, h, w, f)>],
      iterator_types = [\"parallel\", \"parallel\", \"parallel\", \"parallel\", \"parallel\", \"parallel\", \"reduction\"]}}
      ins(%t, %u : tensor<8x8x1x2x2x2xf32>, tensor<8x8x2x3xf32>) outs(%i : tensor<8x8x1x2x2x3xf32>) {{
  ^bb0(%x: f32, %y: f32, %s: f32):
    %q = arith.mulf %x, %y : f32
    %r = arith.addf %s, %q : f32
    linalg.yield %r : f32
  }} -> tensor<8x8x1x2x2x3xf32>
  %o = tensor.empty() : tensor<{out}xf32>
  %r = iree_linalg_ext.winograd.output_transform output_tile_size(6) kernel_size(3) image_dimensions({dims}) ins(%p : tensor<8x8x1x2x2x3xf32>) outs(%o : tensor<{out}xf32>) -> tensor<{out}xf32>
  return %r : tensor<{out}xf32>
}}"
        );
        let shape = |text: &str| text.split('x').map(|n| n.parse().unwrap_or_default()).collect::<Vec<i64>>();
        let (a, w) = (numbers(F32, &shape(image), 1), numbers(F32, &shape(filter), 2));
        let found = good(&text, &[a.clone(), w.clone()]).results[0].to_f64();
        let (a, w) = (a.to_f64(), w.to_f64());
        let pixel = |h: usize, x: usize, c: usize| a[if first { (c * H + h) * W + x } else { (h * W + x) * C + c }];
        let weight = |p: usize, q: usize, c: usize, f: usize| {
            w[if first { ((f * C + c) * 3 + p) * 3 + q } else { ((p * 3 + q) * C + c) * F + f }]
        };
        for (h, x, f) in (0..H - 2).flat_map(|h| (0..W - 2).flat_map(move |x| (0..F).map(move |f| (h, x, f)))) {
            let mut sum = 0.0;
            for (p, q, c) in (0..3).flat_map(|p| (0..3).flat_map(move |q| (0..C).map(move |c| (p, q, c)))) {
                sum += pixel(h + p, x + q, c) * weight(p, q, c, f);
            }
            let got = found[if first { (f * 12 + h) * 12 + x } else { (h * 12 + x) * F + f }];
            assert!((got - sum).abs() < 1e-3 * (1.0 + sum.abs()), "{h}, {x}, {f}: {got}, not {sum}");
        }
    }
}

/// Data that no pass may look at, tensors that are placed and reshaped, and globals, which keep what is written.
#[test]
fn data_of_the_program_is_read() {
    let text = "
util.global private mutable @counter = dense<2> : tensor<i32>
func.func @f() -> (tensor<2x2xi32>, tensor<i32>, tensor<i32>, tensor<4xi8>) {
  %c = util.unfoldable_constant dense<[1, 2, 3, 258]> : tensor<4xi32>
  %r = flow.tensor.reshape %c : tensor<4xi32> -> tensor<2x2xi32>
  %before = util.global.load @counter : tensor<i32>
  %twice = arith.addi %before, %before : tensor<i32>
  util.global.store %twice, @counter : tensor<i32>
  %after = util.global.load @counter : tensor<i32>
  %word = util.unfoldable_constant dense<258> : tensor<1xi32>
  %bytes = flow.tensor.bitcast %word : tensor<1xi32> -> tensor<4xi8>
  return %r, %before, %after, %bytes : tensor<2x2xi32>, tensor<i32>, tensor<i32>, tensor<4xi8>
}";
    let out = good(text, &[]);
    let ints: Vec<Vec<i64>> = out.results.iter().map(Tensor::to_i64).collect();
    assert_eq!(ints, [vec![1, 2, 3, 258], vec![2], vec![4], vec![2, 1, 0, 0]]);
    assert_eq!(out.results[0].shape, [2, 2]);
}

/// A function with open extents is called with several: each call has its own.
#[test]
fn calls_state_open_extents() {
    let text = "
func.func @f(%a: index) -> (tensor<?xi64>, tensor<2xi64>) {
  %two = arith.constant 2 : index
  %x = call @count(%a) : (index) -> tensor<?xi64>
  %y = call @count(%two) : (index) -> tensor<?xi64>
  %z = tensor.cast %y : tensor<?xi64> to tensor<2xi64>
  return %x, %z : tensor<?xi64>, tensor<2xi64>
}
func.func private @count(%n: index) -> tensor<?xi64> {
  %e = tensor.empty(%n) : tensor<?xi64>
  %r = linalg.generic {indexing_maps = [affine_map<(d) -> (d)>], iterator_types = [\"parallel\"]} outs(%e : tensor<?xi64>) {
  ^bb0(%o: i64):
    %i = linalg.index 0 : index
    %k = arith.muli %i, %n : index
    %v = arith.index_cast %k : index to i64
    linalg.yield %v : i64
  } -> tensor<?xi64>
  %t = flow.tensor.tie_shape %r : tensor<?xi64>{%n}
  return %t : tensor<?xi64>
}";
    let out = good(text, &[Tensor::from_i64(raddle_ir::Scalar::Index, &[], &[3])]);
    let ints: Vec<Vec<i64>> = out.results.iter().map(Tensor::to_i64).collect();
    assert_eq!(ints, [vec![0, 3, 6], vec![0, 2]]);
}

/// Extents that are chosen by comparisons are known before anything runs, too.
#[test]
fn comparisons_state_open_extents() {
    let text = "
func.func @f(%a: tensor<4xi32>, %n: index, %m: i64) -> tensor<?xi32> {
  %zero = arith.constant 0 : index
  %d = tensor.dim %a, %zero : tensor<4xi32>
  %k = arith.index_cast %m : i64 to index
  %less = arith.cmpi slt, %k, %zero : index
  %up = arith.addi %k, %d : index
  %first = arith.select %less, %up, %k : index
  %over = arith.cmpi ugt, %n, %d : index
  %end = arith.select %over, %d, %n : index
  %size = arith.subi %end, %first : index
  %r = tensor.extract_slice %a[%first] [%size] [1] : tensor<4xi32> to tensor<?xi32>
  return %r : tensor<?xi32>
}";
    let args = |n: i64, m: i64| {
        let index = Tensor::from_i64(raddle_ir::Scalar::Index, &[], &[n]);
        let values = Tensor::from_i64(I32, &[4], &[0, 1, 2, 3]);
        [values, index, Tensor::from_i64(raddle_ir::Scalar::Int(64), &[], &[m])]
    };
    for ((n, m), expected) in [((9, -3), vec![1, 2, 3]), ((3, 1), vec![1, 2])] {
        assert_eq!(good(text, &args(n, m)).results[0].to_i64(), expected);
    }
}
