//! What each class of operation computes, as text.
#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use raddle_emu::{Launch, Mode, Options, Precision, Tensor, run};
use raddle_ir::{Float, Scalar};

use crate::common::{F16, F32, I32, SIMT, good, iota, numbers, parse, try_run};

/// Runs one operation on two vectors of integers.
fn ints(op: &str, width: u32, a: &[i64], b: &[i64]) -> Vec<i64> {
    let n = a.len();
    let text = format!(
        "func.func @f(%a: vector<{n}xi{width}>, %b: vector<{n}xi{width}>) -> vector<{n}xi{width}> {{
  %r = {op} %a, %b : vector<{n}xi{width}>
  return %r : vector<{n}xi{width}>
}}"
    );
    let elem = Scalar::Int(width);
    let args = [a, b].map(|values| Tensor::from_i64(elem, &[n as i64], values));
    good(&text, &args).results[0].to_i64()
}

/// Integer arithmetic wraps to its width; division rounds as its name says; signedness is the operation's.
#[test]
fn integer_arithmetic() {
    assert_eq!(ints("arith.addi", 8, &[127, -128], &[1, -1]), [-128, 127]);
    assert_eq!(ints("arith.muli", 16, &[300, -300], &[300, 300]), [24464, -24464]);
    assert_eq!(ints("arith.subi", 64, &[i64::MIN], &[1]), [i64::MAX]);
    let (a, b) = ([7, -7, 7, -7], [2, 2, -2, -2]);
    assert_eq!(ints("arith.divsi", 32, &a, &b), [3, -3, -3, 3]);
    assert_eq!(ints("arith.floordivsi", 32, &a, &b), [3, -4, -4, 3]);
    assert_eq!(ints("arith.ceildivsi", 32, &a, &b), [4, -3, -3, 4]);
    assert_eq!(ints("arith.remsi", 32, &a, &b), [1, -1, 1, -1]);
    assert_eq!(ints("arith.divui", 8, &[-1, 7], &[2, 2]), [127, 3]);
    assert_eq!(ints("arith.ceildivui", 8, &[-1, 7], &[2, 2]), [-128, 4]);
    assert_eq!(ints("arith.remui", 8, &[-1], &[16]), [15]);
    assert_eq!(ints("arith.shli", 8, &[1, 3], &[7, 1]), [-128, 6]);
    assert_eq!(ints("arith.shrsi", 8, &[-128], &[3]), [-16]);
    assert_eq!(ints("arith.shrui", 8, &[-128], &[3]), [16]);
    assert_eq!(ints("arith.maxui", 8, &[-1], &[1]), [-1]);
    assert_eq!(ints("arith.maxsi", 8, &[-1], &[1]), [1]);
    assert_eq!(ints("arith.minui", 8, &[-1], &[1]), [1]);
    // The one bit of an `i1` is its sign.
    assert_eq!(ints("arith.maxsi", 1, &[0, 1], &[1, 1]), [0, 1]);
    assert_eq!(ints("arith.addi", 1, &[1, 1], &[0, 1]), [1, 0]);
    assert_eq!(ints("arith.xori", 4, &[5], &[3]), [6]);
}

/// Comparisons and casts.
#[test]
fn integer_comparisons_and_casts() {
    let text = "func.func @f(%a: i8, %b: i8, %t: i1) -> (i1, i1, i32, i32, i32, i32, f32, f32, i8, index) {
  %lt = arith.cmpi slt, %a, %b : i8
  %ult = arith.cmpi ult, %a, %b : i8
  %s = arith.extsi %a : i8 to i32
  %u = arith.extui %a : i8 to i32
  %ts = arith.extsi %t : i1 to i32
  %tu = arith.extui %t : i1 to i32
  %fs = arith.sitofp %a : i8 to f32
  %fu = arith.uitofp %a : i8 to f32
  %back = arith.trunci %u : i32 to i8
  %i = arith.index_castui %a : i8 to index
  return %lt, %ult, %s, %u, %ts, %tu, %fs, %fu, %back, %i : i1, i1, i32, i32, i32, i32, f32, f32, i8, index
}";
    let args = [(8, -2), (8, 1), (1, 1)].map(|(width, value)| Tensor::from_i64(Scalar::Int(width), &[], &[value]));
    let results: Vec<i64> = good(text, &args).results.iter().map(|tensor| tensor.to_i64()[0]).collect();
    assert_eq!(results, [1, 0, -2, 254, -1, 1, -2, 254, -2, 254]);
}

/// Arithmetic on f16 rounds after each operation; double precision does not, when it is asked for.
#[test]
fn f16_rounds_after_each_operation() {
    let text = "func.func @f(%a: f16, %b: f16) -> (f16, f16, f16) {
  %sum = arith.addf %a, %b : f16
  %back = arith.subf %sum, %a : f16
  %product = arith.mulf %a, %a : f16
  return %sum, %back, %product : f16, f16, f16
}";
    let args = [2049.0 - 1.0, 1.0].map(|value| Tensor::from_f64(F16, &[], &[value]));
    let values = |precision| {
        let outcome = try_run(text, &args, &Options { precision, ..Options::default() }).unwrap();
        outcome.results.iter().map(|tensor| tensor.to_f64()[0]).collect::<Vec<_>>()
    };
    // 2049 lies between two f16, and goes to the even one; the square is too large.
    assert_eq!(values(Precision::Exact), [2048.0, 0.0, f64::INFINITY]);
    assert_eq!(values(Precision::Wide), [2049.0, 1.0, 2048.0 * 2048.0]);
}

/// NaN wins in `maximumf` and loses in `maxnumf`; comparisons know about it.
#[test]
fn nan_and_comparisons() {
    let text = "func.func @f(%a: vector<4xf32>, %b: vector<4xf32>) -> (vector<4xf32>, vector<4xf32>, vector<4xi1>, vector<4xi1>, vector<4xf32>) {
  %max = arith.maximumf %a, %b : vector<4xf32>
  %num = arith.maxnumf %a, %b : vector<4xf32>
  %olt = arith.cmpf olt, %a, %b : vector<4xf32>
  %une = arith.cmpf une, %a, %b : vector<4xf32>
  %pick = arith.select %olt, %a, %b : vector<4xi1>, vector<4xf32>
  return %max, %num, %olt, %une, %pick : vector<4xf32>, vector<4xf32>, vector<4xi1>, vector<4xi1>, vector<4xf32>
}";
    let a = Tensor::from_f64(F32, &[4], &[1.0, f64::NAN, 2.0, -0.0]);
    let b = Tensor::from_f64(F32, &[4], &[2.0, 1.0, f64::NAN, 0.0]);
    let results = good(text, &[a, b]).results;
    let max = results[0].to_f64();
    assert!(max[0] == 2.0 && max[1].is_nan() && max[2].is_nan() && max[3].is_sign_positive(), "{max:?}");
    assert_eq!(results[1].to_f64(), [2.0, 1.0, 2.0, 0.0]);
    assert_eq!(results[2].to_i64(), [1, 0, 0, 0]);
    assert_eq!(results[3].to_i64(), [1, 1, 1, 0]);
    assert_eq!(results[4].to_f64()[0], 1.0);
}

/// Elementary functions are those of double precision, rounded to the type.
#[test]
fn elementary_functions() {
    let text = "func.func @f(%x: f32) -> (f32, f32, f32, f32, f32, f32, f32) {
  %exp = math.exp %x : f32
  %log = math.log %x : f32
  %sqrt = math.sqrt %x : f32
  %rsqrt = math.rsqrt %x : f32
  %tanh = math.tanh %x : f32
  %erf = math.erf %x : f32
  %fma = math.fma %x, %x, %x : f32
  return %exp, %log, %sqrt, %rsqrt, %tanh, %erf, %fma : f32, f32, f32, f32, f32, f32, f32
}";
    let x = f64::from(0.7f32);
    let results = good(text, &[Tensor::from_f64(F32, &[], &[x])]).results;
    // erf(0.7) from Abramowitz and Stegun, table 7.1.
    let want = [x.exp(), x.ln(), x.sqrt(), 1.0 / x.sqrt(), x.tanh(), 0.677_801_193_8, x * x + x];
    for (got, want) in results.iter().zip(want) {
        let got = got.to_f64()[0];
        assert!((got - want).abs() < 6e-8 * want.abs(), "{got} {want}");
    }
}

/// Vectors move as their coordinates say.
#[test]
fn vectors_move() {
    let text = "func.func @f(%x: vector<2x3xi32>, %i: index) -> (vector<3x2xi32>, vector<4x3xi32>, vector<2x2xi32>, vector<2x3xi32>, vector<3xi32>, vector<2x3xi32>, vector<6xi32>, vector<2x3xi32>) {
  %t = vector.transpose %x, [1, 0] : vector<2x3xi32> to vector<3x2xi32>
  %row = vector.extract %x[1] : vector<3xi32> from vector<2x3xi32>
  %b = vector.broadcast %row : vector<3xi32> to vector<4x3xi32>
  %s = vector.extract_strided_slice %x {offsets = [0, 1], sizes = [2, 2], strides = [1, 1]} : vector<2x3xi32> to vector<2x2xi32>
  %c = arith.constant dense<[[90, 91, 92], [93, 94, 95]]> : vector<2x3xi32>
  %p = vector.insert_strided_slice %s, %c {offsets = [0, 0], strides = [1, 1]} : vector<2x2xi32> into vector<2x3xi32>
  %d = vector.extract %x[%i] : vector<3xi32> from vector<2x3xi32>
  %n = vector.insert %row, %c [0] : vector<3xi32> into vector<2x3xi32>
  %flat = vector.shape_cast %x : vector<2x3xi32> to vector<6xi32>
  %e:6 = vector.to_elements %flat : vector<6xi32>
  %again = vector.from_elements %e#5, %e#4, %e#3, %e#2, %e#1, %e#0 : vector<2x3xi32>
  return %t, %b, %s, %p, %d, %n, %flat, %again : vector<3x2xi32>, vector<4x3xi32>, vector<2x2xi32>, vector<2x3xi32>, vector<3xi32>, vector<2x3xi32>, vector<6xi32>, vector<2x3xi32>
}";
    let args = [iota(I32, &[2, 3]), Tensor::from_i64(Scalar::Index, &[], &[1])];
    let results: Vec<Vec<i64>> = good(text, &args).results.iter().map(Tensor::to_i64).collect();
    assert_eq!(results[0], [0, 3, 1, 4, 2, 5]);
    assert_eq!(results[1], [3, 4, 5].repeat(4));
    assert_eq!(results[2], [1, 2, 4, 5]);
    assert_eq!(results[3], [1, 2, 92, 4, 5, 95]);
    assert_eq!(results[4], [3, 4, 5]);
    assert_eq!(results[5], [3, 4, 5, 93, 94, 95]);
    assert_eq!(results[6], [0, 1, 2, 3, 4, 5]);
    assert_eq!(results[7], [5, 4, 3, 2, 1, 0]);
    let outside = [iota(I32, &[2, 3]), Tensor::from_i64(Scalar::Index, &[], &[2])];
    let diag = try_run(text, &outside, &Options::default()).unwrap_err();
    assert!(diag.message.starts_with("bounds: position 2"), "{diag:?}");
}

/// Reductions start at the accumulator and take the elements in order; masks are made of bounds.
#[test]
fn reductions_and_masks() {
    let text = "func.func @f(%x: vector<2x3xi32>, %n: index) -> (vector<2xi32>, i32, vector<2x3xi1>, vector<2x3xi1>, vector<3xindex>) {
  %acc = arith.constant dense<[100, 200]> : vector<2xi32>
  %zero = arith.constant 0 : i32
  %two = arith.constant 2 : index
  %rows = vector.multi_reduction <add>, %x, %acc [1] : vector<2x3xi32> to vector<2xi32>
  %max = vector.multi_reduction <maxsi>, %x, %zero [0, 1] : vector<2x3xi32> to i32
  %mask = vector.create_mask %two, %n : vector<2x3xi1>
  %known = vector.constant_mask [1, 2] : vector<2x3xi1>
  %step = vector.step : vector<3xindex>
  return %rows, %max, %mask, %known, %step : vector<2xi32>, i32, vector<2x3xi1>, vector<2x3xi1>, vector<3xindex>
}";
    let args = [iota(I32, &[2, 3]), Tensor::from_i64(Scalar::Index, &[], &[1])];
    let results: Vec<Vec<i64>> = good(text, &args).results.iter().map(Tensor::to_i64).collect();
    assert_eq!(results[0], [103, 212]);
    assert_eq!(results[1], [5]);
    assert_eq!(results[2], [1, 0, 0, 1, 0, 0]);
    assert_eq!(results[3], [1, 1, 0, 0, 0, 0]);
    assert_eq!(results[4], [0, 1, 2]);
}

/// A transfer broadcasts along a constant of its map, and a mask has the dimensions of the memory.
#[test]
fn transfers_with_maps_and_masks() {
    let text = "func.func @f(%in: memref<4x3xi32>, %out: memref<3x4xi32>, %wide: memref<2x3xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %pad = arith.constant -1 : i32
  %mask = vector.constant_mask [3, 3] : vector<4x3xi1>
  %t = vector.transfer_read %in[%c0, %c0], %pad, %mask {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : memref<4x3xi32>, vector<3x4xi32>
  vector.transfer_write %t, %out[%c0, %c0] {in_bounds = [true, true]} : vector<3x4xi32>, memref<3x4xi32>
  %b = vector.transfer_read %in[%c1, %c0], %pad {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (0, d1)>} : memref<4x3xi32>, vector<2x3xi32>
  vector.transfer_write %b, %wide[%c0, %c0] {in_bounds = [true, true]} : vector<2x3xi32>, memref<2x3xi32>
  return
}";
    let args = [iota(I32, &[4, 3]), Tensor::zeros(I32, &[3, 4]), Tensor::zeros(I32, &[2, 3])];
    let buffers = good(text, &args).buffers;
    assert_eq!(buffers[1].to_i64(), [0, 3, 6, -1, 1, 4, 7, -1, 2, 5, 8, -1]);
    assert_eq!(buffers[2].to_i64(), [3, 4, 5, 3, 4, 5]);
}

/// Transfers on tensors give new tensors.
#[test]
fn transfers_on_tensors() {
    let text = "func.func @f(%in: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %pad = arith.constant 0.0 : f32
  %v = vector.transfer_read %in[%c2], %pad : tensor<4xf32>, vector<3xf32>
  %w = arith.addf %v, %v : vector<3xf32>
  %r = vector.transfer_write %w, %in[%c1] {in_bounds = [true]} : vector<3xf32>, tensor<4xf32>
  return %r : tensor<4xf32>
}";
    assert_eq!(good(text, &[iota(F32, &[4])]).results[0].to_f64(), [0.0, 4.0, 6.0, 0.0]);
}

/// A contraction follows its maps, whatever the order of its loops.
#[test]
fn contractions_follow_their_maps() {
    let text = "func.func @f(%a: vector<2x3xf32>, %b: vector<4x3xf32>, %c: vector<4x2xf32>) -> vector<4x2xf32> {
  %r = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (n, m)>], iterator_types = [\"parallel\", \"parallel\", \"reduction\"], kind = #vector.kind<add>} %a, %b, %c : vector<2x3xf32>, vector<4x3xf32> into vector<4x2xf32>
  return %r : vector<4x2xf32>
}";
    let (a, b, c) = (numbers(F32, &[2, 3], 1), numbers(F32, &[4, 3], 2), numbers(F32, &[4, 2], 3));
    let got = good(text, &[a.clone(), b.clone(), c.clone()]).results[0].to_f64();
    let (a, b, c) = (a.to_f64(), b.to_f64(), c.to_f64());
    for n in 0..4 {
        for m in 0..2 {
            let want = c[n * 2 + m] + (0..3).map(|k| a[m * 3 + k] * b[n * 3 + k]).sum::<f64>();
            assert_eq!(got[n * 2 + m], want, "{n} {m}");
        }
    }
}

/// A tiled matmul on tensors: workgroups as a `forall`, a loop over k, slices out and in.
#[test]
fn a_tiled_matmul_is_a_matmul() {
    let text = "func.func @f(%a: tensor<8x6xf16>, %b: tensor<6x4xf16>) -> tensor<8x4xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c6 = arith.constant 6 : index
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x4xf32>
  %r = scf.forall (%i, %j) = (0, 0) to (8, 4) step (4, 2) shared_outs(%o = %empty) -> (tensor<8x4xf32>) {
    %tile = tensor.extract_slice %o[%i, %j] [4, 2] [1, 1] : tensor<8x4xf32> to tensor<4x2xf32>
    %init = linalg.fill ins(%zero : f32) outs(%tile : tensor<4x2xf32>) -> tensor<4x2xf32>
    %sum = scf.for %k = %c0 to %c6 step %c2 iter_args(%acc = %init) -> (tensor<4x2xf32>) {
      %x = tensor.extract_slice %a[%i, %k] [4, 2] [1, 1] : tensor<8x6xf16> to tensor<4x2xf16>
      %y = tensor.extract_slice %b[%k, %j] [2, 2] [1, 1] : tensor<6x4xf16> to tensor<2x2xf16>
      %m = linalg.matmul ins(%x, %y : tensor<4x2xf16>, tensor<2x2xf16>) outs(%acc : tensor<4x2xf32>) -> tensor<4x2xf32>
      scf.yield %m : tensor<4x2xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %sum into %o[%i, %j] [4, 2] [1, 1] : tensor<4x2xf32> into tensor<8x4xf32>
    }
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return %r : tensor<8x4xf32>
}";
    let (a, b) = (numbers(F16, &[8, 6], 5), numbers(F16, &[6, 4], 6));
    let got = good(text, &[a.clone(), b.clone()]).results[0].to_f64();
    let (a, b) = (a.to_f64(), b.to_f64());
    let want: Vec<f64> = (0..32).map(|c| (0..6).map(|k| a[c / 4 * 6 + k] * b[k * 4 + c % 4]).sum()).collect();
    assert_eq!(got, want);
}

/// A generic operation: reductions in order, indices of its loops, values from outside, any body.
#[test]
fn a_generic_operation_runs_its_body_at_each_point() {
    let text = "func.func @f(%x: tensor<300x5xf32>, %scale: f32) -> (tensor<300xf32>, tensor<5x300xi32>) {
  %zero = arith.constant 0.0 : f32
  %ten = arith.constant 10 : i32
  %e = tensor.empty() : tensor<300xf32>
  %i = tensor.empty() : tensor<5x300xi32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<300xf32>) -> tensor<300xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = [\"parallel\", \"reduction\"]} ins(%x : tensor<300x5xf32>) outs(%z : tensor<300xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.mulf %in, %scale : f32
    %neg = arith.cmpf olt, %s, %zero : f32
    %abs = scf.if %neg -> (f32) {
      %n = arith.negf %s : f32
      scf.yield %n : f32
    } else {
      scf.yield %s : f32
    }
    %sum = arith.addf %out, %abs : f32
    linalg.yield %sum : f32
  } -> tensor<300xf32>
  %t = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [\"parallel\", \"parallel\"]} outs(%i : tensor<5x300xi32>) {
  ^bb0(%out: i32):
    %a = linalg.index 0 : index
    %b = linalg.index 1 : index
    %ai = arith.index_cast %a : index to i32
    %bi = arith.index_cast %b : index to i32
    %m = arith.muli %bi, %ten : i32
    %v = arith.addi %m, %ai : i32
    linalg.yield %v : i32
  } -> tensor<5x300xi32>
  return %r, %t : tensor<300xf32>, tensor<5x300xi32>
}";
    let x = numbers(F32, &[300, 5], 7);
    let args = [x.clone(), Tensor::from_f64(F32, &[], &[-2.0])];
    let results = good(text, &args).results;
    let want: Vec<f64> = x.to_f64().chunks(5).map(|row| row.iter().map(|x| (x * -2.0).abs()).sum()).collect();
    assert_eq!(results[0].to_f64(), want);
    assert_eq!(results[1].to_i64(), (0..1500).map(|at| at % 300 * 10 + at / 300).collect::<Vec<_>>());
}

/// Loops that lanes leave at different times, branches inside them, and values that change places.
#[test]
fn lanes_loop_as_often_as_each_must() {
    let text = format!(
        "func.func @f(%out: memref<64xindex>, %fib: memref<64xindex>) {SIMT} {{
  %thread = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %sum = scf.for %i = %c0 to %thread step %c1 iter_args(%acc = %c0) -> (index) {{
    %rem = arith.remui %i, %c2 : index
    %odd = arith.cmpi eq, %rem, %c1 : index
    %next = scf.if %odd -> (index) {{
      %a = arith.addi %acc, %i : index
      scf.yield %a : index
    }} else {{
      scf.yield %acc : index
    }}
    scf.yield %next : index
  }}
  memref.store %sum, %out[%thread] : memref<64xindex>
  %a, %b = scf.for %i = %c0 to %thread step %c1 iter_args(%x = %c0, %y = %c1) -> (index, index) {{
    %z = arith.addi %x, %y : index
    scf.yield %y, %z : index, index
  }}
  memref.store %a, %fib[%thread] : memref<64xindex>
  return
}}"
    );
    let args = [Tensor::zeros(Scalar::Index, &[64]), Tensor::zeros(Scalar::Index, &[64])];
    let buffers = good(&text, &args).buffers;
    let odd: Vec<i64> = (0..64).map(|t| (0..t).filter(|i| i % 2 == 1).sum()).collect();
    assert_eq!(buffers[0].to_i64(), odd);
    let mut fib = vec![0i64, 1];
    (2..64).for_each(|t| fib.push(fib[t - 1] + fib[t - 2]));
    assert_eq!(buffers[1].to_i64(), fib);
}

/// Shuffles of every kind, and a reduction in clusters.
#[test]
fn lanes_exchange_values() {
    let text = format!(
        "func.func @f(%out: memref<5x64xi32>) {SIMT} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %thread = gpu.thread_id x
  %x = arith.index_cast %thread : index to i32
  %three = arith.constant 3 : i32
  %eight = arith.constant 8 : i32
  %width = arith.constant 32 : i32
  %xor, %v0 = gpu.shuffle xor %x, %three, %width : i32
  memref.store %xor, %out[%c0, %thread] : memref<5x64xi32>
  %idx, %v1 = gpu.shuffle idx %x, %three, %eight : i32
  memref.store %idx, %out[%c1, %thread] : memref<5x64xi32>
  %up, %v2 = gpu.shuffle up %x, %three, %eight : i32
  memref.store %up, %out[%c2, %thread] : memref<5x64xi32>
  %down, %v3 = gpu.shuffle down %x, %three, %width : i32
  %ok = arith.extui %v3 : i1 to i32
  %marked = arith.muli %down, %ok : i32
  memref.store %marked, %out[%c3, %thread] : memref<5x64xi32>
  %sum = gpu.subgroup_reduce add %x cluster(size = 4, stride = 8) : (i32) -> i32
  memref.store %sum, %out[%c4, %thread] : memref<5x64xi32>
  return
}}"
    );
    let outcome = good(&text, &[Tensor::zeros(I32, &[5, 64])]);
    let rows = outcome.buffers[0].to_i64();
    for t in 0..64i64 {
        let row = |r: i64| rows[(r * 64 + t) as usize];
        let first = t / 32 * 32;
        assert_eq!(row(0), t ^ 3);
        assert_eq!(row(1), t / 8 * 8 + 3);
        assert_eq!(row(2), if t % 8 < 3 { t } else { t - 3 });
        assert_eq!(row(3), if t % 32 < 29 { t + 3 } else { 0 });
        assert_eq!(row(4), (0..4).map(|i| first + t % 8 + 8 * i).sum::<i64>());
    }
}

/// The same kernel for the whole workgroup and for its threads means the same, in any order of the subgroups.
#[test]
fn simd_and_simt_agree() {
    let simd = "func.func @f(%in: memref<64x4xf32>, %out: memref<64xf32>) attributes {gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %acc = arith.constant dense<1.0> : vector<64xf32>
  %v = vector.transfer_read %in[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x4xf32>, vector<64x4xf32>
  %r = vector.multi_reduction <add>, %v, %acc [1] : vector<64x4xf32> to vector<64xf32>
  vector.transfer_write %r, %out[%c0] {in_bounds = [true]} : vector<64xf32>, memref<64xf32>
  return
}";
    let simt = format!(
        "func.func @f(%in: memref<64x4xf32>, %out: memref<64xf32>) {SIMT} {{
  %c0 = arith.constant 0 : index
  %c63 = arith.constant 63 : index
  %shared = memref.alloc() : memref<64x4xf32, #gpu.address_space<workgroup>>
  %thread = gpu.thread_id x
  %pad = arith.constant 0.0 : f32
  %acc = arith.constant dense<1.0> : vector<1xf32>
  %v = vector.transfer_read %in[%thread, %c0], %pad {{in_bounds = [true, true]}} : memref<64x4xf32>, vector<1x4xf32>
  vector.transfer_write %v, %shared[%thread, %c0] {{in_bounds = [true, true]}} : vector<1x4xf32>, memref<64x4xf32, #gpu.address_space<workgroup>>
  gpu.barrier
  %other = affine.apply affine_map<(d0)[s0] -> (s0 - d0)>(%thread)[%c63]
  %w = vector.transfer_read %shared[%other, %c0], %pad {in_bounds} : memref<64x4xf32, #gpu.address_space<workgroup>>, vector<1x4xf32>
  %r = vector.multi_reduction <add>, %w, %acc [1] : vector<1x4xf32> to vector<1xf32>
  vector.transfer_write %r, %out[%other] {{in_bounds = [true]}} : vector<1xf32>, memref<64xf32>
  return
}}",
        in_bounds = "{in_bounds = [true, true]}"
    );
    let args = [numbers(F32, &[64, 4], 9), Tensor::zeros(F32, &[64])];
    let want = good(simd, &args);
    for seed in 0..8 {
        let options = Options { seed, uninitialised_args: vec![1], ..Options::default() };
        let got = try_run(&simt, &args, &options).unwrap();
        assert_eq!(got.buffers[1], want.buffers[1]);
        let writer = got.writers[1][10].unwrap();
        assert_eq!((writer.subgroup, writer.lane), (1, 21));
    }
}

/// Indices come apart and go together again.
#[test]
fn index_arithmetic() {
    let text = "func.func @f(%i: index) -> (index, index, index, index, index, index, index) {
  %d:3 = affine.delinearize_index %i into (4, 5, 6) : index, index, index
  %l = affine.linearize_index [%d#0, %d#1, %d#2] by (4, 5, 6) : index
  %m = affine.apply affine_map<(d0) -> ((d0 - 100) mod 7)>(%i)
  %q = affine.apply affine_map<(d0) -> ((d0 - 100) floordiv 8)>(%i)
  %c = affine.apply affine_map<(d0) -> ((d0 - 100) ceildiv 7)>(%i)
  return %d#0, %d#1, %d#2, %l, %m, %q, %c : index, index, index, index, index, index, index
}";
    for i in [0i64, 17, 99, 119] {
        let results: Vec<i64> = good(text, &[Tensor::from_i64(Scalar::Index, &[], &[i])])
            .results
            .iter()
            .map(|tensor| tensor.to_i64()[0])
            .collect();
        let j = i - 100;
        let ceil = -((-j).div_euclid(7));
        assert_eq!(results, [i / 30, i / 6 % 5, i % 6, i, j.rem_euclid(7), j.div_euclid(8), ceil]);
    }
}

/// Views reach parts of a buffer; private memory belongs to each lane.
#[test]
fn views_and_private_memory() {
    let text = format!(
        "func.func @f(%in: memref<8x64xi32>, %out: memref<64xi32>) {SIMT} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %thread = gpu.thread_id x
  %column = memref.subview %in[1, %thread] [4, 1] [2, 1] : memref<8x64xi32> to memref<4xi32, strided<[128], offset: ?>>
  %mine = memref.alloca() : memref<2xi32, #gpu.address_space<private>>
  %a = memref.load %column[%c0] : memref<4xi32, strided<[128], offset: ?>>
  %b = memref.load %column[%c2] : memref<4xi32, strided<[128], offset: ?>>
  memref.store %a, %mine[%c0] : memref<2xi32, #gpu.address_space<private>>
  memref.store %b, %mine[%c1] : memref<2xi32, #gpu.address_space<private>>
  %x = memref.load %mine[%c0] : memref<2xi32, #gpu.address_space<private>>
  %y = memref.load %mine[%c1] : memref<2xi32, #gpu.address_space<private>>
  %s = arith.addi %x, %y : i32
  memref.store %s, %out[%thread] : memref<64xi32>
  return
}}"
    );
    let got = good(&text, &[iota(I32, &[8, 64]), Tensor::zeros(I32, &[64])]).buffers[1].to_i64();
    assert_eq!(got, (0..64).map(|t| (64 + t) + (5 * 64 + t)).collect::<Vec<_>>());
}

/// A function calls another one.
#[test]
fn calls_are_expanded() {
    let text = "func.func @f(%x: f32) -> f32 {
  %a = func.call @twice(%x) : (f32) -> f32
  %b = func.call @twice(%a) : (f32) -> f32
  return %b : f32
}
func.func @twice(%x: f32) -> f32 {
  %r = arith.addf %x, %x : f32
  return %r : f32
}";
    assert_eq!(good(text, &[Tensor::from_f64(F32, &[], &[1.5])]).results[0].to_f64(), [6.0]);
    let endless = text.replace("%r = arith.addf %x, %x : f32", "%r = func.call @twice(%x) : (f32) -> f32");
    let diag = try_run(&endless, &[Tensor::from_f64(F32, &[], &[1.5])], &Options::default()).unwrap_err();
    assert!(diag.message.contains("nested more than"), "{diag:?}");
}

/// Workgroups, subgroups that are not full, and every id.
#[test]
fn ids_and_partial_subgroups() {
    let text = "func.func @f(%out: memref<3x2x40xindex>) attributes {gpu.known_grid_size = array<i32: 2, 3, 1>, translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [40, 1, 1] subgroup_size = 16>} {
  %x = gpu.block_id x
  %y = gpu.block_id y
  %t = gpu.thread_id x
  %lane = gpu.lane_id
  %subgroup = gpu.subgroup_id : index
  %c16 = arith.constant 16 : index
  %s = arith.muli %subgroup, %c16 : index
  %at = arith.addi %s, %lane : index
  memref.store %t, %out[%y, %x, %at] : memref<3x2x40xindex>
  return
}";
    let outcome = good(text, &[Tensor::zeros(Scalar::Index, &[3, 2, 40])]);
    assert_eq!(outcome.buffers[0].to_i64(), (0..240).map(|at| at % 40).collect::<Vec<_>>());
    let writer = outcome.writers[0][2 * 80 + 40 + 35].unwrap();
    assert_eq!((writer.workgroup, writer.subgroup, writer.lane), ([1, 2, 0], 2, 3));
}

/// The launch is read off the function.
#[test]
fn launches_are_read_off_functions() {
    let ir = parse(&format!("func.func @f() {SIMT} {{\n  %lane = gpu.lane_id\n  return\n}}"));
    let launch = Launch::of(&ir, ir.funcs()[0]).unwrap();
    assert_eq!(launch, Launch { grid: [1; 3], workgroup_size: [64, 1, 1], subgroup_size: 32, mode: Mode::Simt });
    assert!(run(&ir, ir.funcs()[0], &[], &launch, &Options::default()).is_ok());
    let ir = parse("func.func @f() {\n  %lane = gpu.lane_id\n  return\n}");
    assert!(Launch::of(&ir, ir.funcs()[0]).is_err());
}

/// Narrow floats are exact in memory and rounded by casts.
#[test]
fn narrow_floats() {
    let text = "func.func @f(%x: vector<4xf32>) -> (vector<4xf8E4M3FN>, vector<4xbf16>, vector<4xf32>) {
  %a = arith.truncf %x : vector<4xf32> to vector<4xf8E4M3FN>
  %b = arith.truncf %x : vector<4xf32> to vector<4xbf16>
  %c = arith.extf %a : vector<4xf8E4M3FN> to vector<4xf32>
  return %a, %b, %c : vector<4xf8E4M3FN>, vector<4xbf16>, vector<4xf32>
}";
    let x = [1.0625, 0.3, 300.0, -0.001];
    let results = good(text, &[Tensor::from_f64(F32, &[4], &x)]).results;
    let round = |float| x.map(|x| raddle_ir::float::round(float, f64::from(x as f32))).to_vec();
    assert_eq!(results[0].to_f64(), round(Float::F8E4M3FN));
    assert_eq!(results[1].to_f64(), round(Float::BF16));
    assert_eq!(results[2].to_f64(), round(Float::F8E4M3FN));
}

/// Arithmetic on a narrow format is arithmetic on reals, rounded once: every number of 16 bits with a few partners.
#[test]
fn narrow_arithmetic_rounds_once() {
    for float in [Float::F16, Float::BF16, Float::F8E4M3FN, Float::F8E5M2] {
        let n = 1i64 << float.bits();
        let ty = float.keyword();
        let text = format!(
            "func.func @f(%a: vector<{n}x{ty}>, %s: {ty}) -> (vector<{n}x{ty}>, vector<{n}x{ty}>, vector<{n}x{ty}>, vector<{n}x{ty}>) {{
  %b = vector.broadcast %s : {ty} to vector<{n}x{ty}>
  %sum = arith.addf %a, %b : vector<{n}x{ty}>
  %product = arith.mulf %a, %b : vector<{n}x{ty}>
  %quotient = arith.divf %a, %b : vector<{n}x{ty}>
  %fma = math.fma %a, %b, %a : vector<{n}x{ty}>
  return %sum, %product, %quotient, %fma : vector<{n}x{ty}>, vector<{n}x{ty}>, vector<{n}x{ty}>, vector<{n}x{ty}>
}}"
        );
        let elem = Scalar::Float(float);
        let all: Vec<f64> = (0..n as u64).map(|word| raddle_ir::float::decode(float, word)).collect();
        for at in [1, 3, 0x13, 0x35, 0x3c, 0x71, 0x3555, 0x0401, 0x7bff] {
            let Some(&partner) = all.get(at).filter(|partner| partner.is_finite()) else { continue };
            let args = [Tensor::from_f64(elem, &[n], &all), Tensor::from_f64(elem, &[], &[partner])];
            let results = good(&text, &args).results;
            // a * partner + a is exact in f64 unless the two terms are too far apart.
            let close = partner.abs().log2().abs() < 25.0;
            for (i, &a) in all.iter().enumerate() {
                let want = [a + partner, a * partner, a / partner, a * partner + a];
                for (op, want) in want.into_iter().enumerate() {
                    if op == 3 && !close {
                        continue;
                    }
                    let want = raddle_ir::float::round(float, want);
                    let got = raddle_ir::float::decode(float, results[op].word(i));
                    let same = got == want || got.is_nan() && want.is_nan();
                    assert!(same, "{ty}: operation {op} on {a} and {partner} gives {got}, not {want}");
                }
            }
        }
    }
}

/// A scale is a power of two: what is scaled up and down again is what it was, and a scale of another type counts by
/// its exponent only.
#[test]
fn scaling_casts_multiply_by_powers_of_two() {
    let text = "func.func @f(%x: vector<4xf4E2M1FN>, %s: vector<4xf32>) -> (vector<4xf32>, vector<4xf4E2M1FN>) {
  %p = arith.truncf %s : vector<4xf32> to vector<4xf8E8M0FNU>
  %y = arith.scaling_extf %x, %s : vector<4xf4E2M1FN>, vector<4xf32> to vector<4xf32>
  %z = arith.scaling_truncf %y, %p : vector<4xf32>, vector<4xf8E8M0FNU> to vector<4xf4E2M1FN>
  return %y, %z : vector<4xf32>, vector<4xf4E2M1FN>
}";
    let elem = Scalar::from_keyword("f4E2M1FN").unwrap();
    let values = [0.5, -1.5, 6.0, 3.0];
    let args = [Tensor::from_f64(elem, &[4], &values), Tensor::from_f64(F32, &[4], &[2.0, 0.25, 4.0, 1.0])];
    let outcome = good(text, &args);
    assert_eq!(outcome.results[0].to_f64(), [1.0, -0.375, 24.0, 3.0]);
    assert_eq!(outcome.results[1].to_f64(), values);
}

/// Named structured operations mean what their names say, with the loops, windows and dimensions that they state.
#[test]
fn named_structured_operations_run() {
    let run = |op: &str, ins: &[(&str, &[i64])], out: &[i64]| {
        let ty = |shape: &[i64]| {
            let extents: String = shape.iter().map(|extent| format!("{extent}x")).collect();
            format!("tensor<{extents}f32>")
        };
        let args: Vec<String> = ins.iter().map(|(name, shape)| format!("%{name}: {}", ty(shape))).collect();
        let text = format!(
            "func.func @f({}, %o: {o}) -> {o} {{\n  %r = {op}\n  return %r : {o}\n}}",
            args.join(", "),
            o = ty(out)
        );
        let mut tensors: Vec<Tensor> = ins.iter().map(|(_, shape)| iota(F32, shape)).collect();
        tensors.push(Tensor::from_f64(F32, out, &vec![100.0; out.iter().product::<i64>() as usize]));
        good(&text, &tensors).results[0].to_f64()
    };
    let (a, b): (&[i64], &[i64]) = (&[2, 1, 2], &[2, 2, 1]);
    let batch = "linalg.batch_matmul ins(%a, %b : tensor<2x1x2xf32>, tensor<2x2x1xf32>) outs(%o : tensor<2x1x1xf32>) -> tensor<2x1x1xf32>";
    assert_eq!(run(batch, &[("a", a), ("b", b)], &[2, 1, 1]), [101.0, 113.0]);
    let matvec = "linalg.matvec ins(%a, %b : tensor<2x3xf32>, tensor<3xf32>) outs(%o : tensor<2xf32>) -> tensor<2xf32>";
    assert_eq!(run(matvec, &[("a", &[2, 3]), ("b", &[3])], &[2]), [105.0, 114.0]);
    let transpose = "linalg.transpose ins(%a : tensor<2x3xf32>) outs(%o : tensor<3x2xf32>) permutation = [1, 0]";
    assert_eq!(run(transpose, &[("a", &[2, 3])], &[3, 2]), [0.0, 3.0, 1.0, 4.0, 2.0, 5.0]);
    let three = "linalg.transpose ins(%a : tensor<2x1x3xf32>) outs(%o : tensor<3x2x1xf32>) permutation = [2, 0, 1]";
    assert_eq!(run(three, &[("a", &[2, 1, 3])], &[3, 2, 1]), [0.0, 3.0, 1.0, 4.0, 2.0, 5.0]);
    let broadcast = "linalg.broadcast ins(%a : tensor<2xf32>) outs(%o : tensor<2x3xf32>) dimensions = [1]";
    assert_eq!(run(broadcast, &[("a", &[2])], &[2, 3]), [0.0, 0.0, 0.0, 1.0, 1.0, 1.0]);
    let reduce = "linalg.reduce ins(%a : tensor<2x3xf32>) outs(%o : tensor<3xf32>) dimensions = [0] (%x: f32, %y: f32) { %s = arith.addf %x, %y : f32\n linalg.yield %s : f32 }";
    assert_eq!(run(reduce, &[("a", &[2, 3])], &[3]), [103.0, 105.0, 107.0]);
    let add = "linalg.add ins(%a, %b : tensor<3xf32>, tensor<3xf32>) outs(%o : tensor<3xf32>) -> tensor<3xf32>";
    assert_eq!(run(add, &[("a", &[3]), ("b", &[3])], &[3]), [0.0, 2.0, 4.0]);
    let conv = "linalg.conv_1d_nwc_wcf {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : tensor<1x5x1xf32>, tensor<2x1x1xf32>) outs(%o : tensor<1x2x1xf32>) -> tensor<1x2x1xf32>";
    assert_eq!(run(conv, &[("a", &[1, 5, 1]), ("b", &[2, 1, 1])], &[1, 2, 1]), [101.0, 103.0]);
    let pool = "linalg.pooling_nhwc_sum {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b : tensor<1x2x2x1xf32>, tensor<2x2xf32>) outs(%o : tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>";
    assert_eq!(run(pool, &[("a", &[1, 2, 2, 1]), ("b", &[2, 2])], &[1, 1, 1, 1]), [106.0]);
}
