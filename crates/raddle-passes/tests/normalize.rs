//! Operations written by simpler ones mean what they meant.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use raddle_emu::{Launch, Options, Tensor};
use raddle_ir::{Ir, Scalar, Type, print, text, verify};
use raddle_passes::{Facts, PASSES};
use raddle_target::chip;

/// The program, and what `normalize`, or for attention `decompose-attention`, makes of it, which does not have the
/// operation any more.
fn normalized(source: &str, gone: &str) -> [Ir; 2] {
    let before = text::parse(source).unwrap_or_else(|diags| panic!("{diags:?}\n{source}"));
    let mut after = before.clone();
    let func = after.funcs()[0];
    let name = if gone.ends_with("attention") { "decompose-attention" } else { "normalize" };
    let pass = PASSES.iter().find(|pass| pass.name == name).unwrap();
    pass.run(&mut after, func, &Facts::new(chip("sm_80").unwrap())).unwrap();
    let printed = print(&after, &Default::default());
    let problems = verify(&after);
    assert!(problems.is_empty(), "{problems:?}\n{printed}");
    assert!(source.contains(gone) && !printed.contains(gone), "{printed}");
    [before, after]
}

/// Numbers between -2 and 2, the same everywhere.
fn numbers(ir: &Ir) -> Vec<Tensor> {
    let func = ir.funcs()[0];
    let mut state = 1u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        f64::from((state >> 33) as i32 % 2048) / 1024.0
    };
    let one = |&arg: &_| {
        let (elem, shape) = (Scalar::of(&ir[ir.elem_of(arg)]).unwrap(), ir.shape_of(arg));
        let values: Vec<f64> = (0..shape.iter().product::<i64>()).map(|_| next()).collect();
        match ir.ty(arg) {
            Type::Tensor { .. } if elem == Scalar::Int(1) => {
                Tensor::from_i64(elem, shape, &values.iter().map(|x| i64::from(*x > -1.0)).collect::<Vec<_>>())
            }
            _ => Tensor::from_f64(elem, shape, &values),
        }
    };
    ir.args(ir.entry(func)).iter().map(one).collect()
}

fn results(ir: &Ir, args: &[Tensor]) -> Vec<Tensor> {
    let func = ir.funcs()[0];
    let ran = raddle_emu::run(ir, func, args, &Launch::of(ir, func).unwrap(), &Options::default());
    ran.unwrap_or_else(|diag| panic!("{diag:?}\n{}", print(ir, &Default::default()))).results
}

/// Both give the same bits.
fn equal(source: &str, gone: &str) {
    let [before, after] = normalized(source, gone);
    let args = numbers(&before);
    assert_eq!(results(&before, &args), results(&after, &args));
}

/// Both give the same but for rounding, relative to one.
fn near(source: &str, gone: &str, tolerance: f64) {
    let [before, after] = normalized(source, gone);
    let args = numbers(&before);
    for (got, expected) in results(&after, &args).iter().zip(results(&before, &args)) {
        for (at, (got, expected)) in got.to_f64().iter().zip(expected.to_f64()).enumerate() {
            assert!((got - expected).abs() <= tolerance * (1.0 + expected.abs()), "{at}: {got}, not {expected}");
        }
    }
}

const MAPS: [&str; 6] = ["b, m, d", "b, k, d", "b, n, k", "", "b, m, k", "b, m, n"];

fn maps(which: &[usize]) -> String {
    let map = |&at: &usize| format!("affine_map<(b, m, n, k, d) -> ({})>", MAPS[at]);
    which.iter().map(map).collect::<Vec<_>>().join(", ")
}

/// Scores in f32, with the mask of bits or numbers; powers of two and natural ones. Only where powers are rounded to f16
/// do they differ by more than the order of factors makes.
#[test]
fn attention_keeps_its_meaning() {
    for (elem, mask, config, tolerance) in [
        ("f32", "f32", "", 1e-5),
        ("f32", "i1", ", decomposition_config = {use_exp2 = false}", 1e-5),
        ("f16", "f16", "", 4e-3),
    ] {
        let of = |shape: &str| format!("tensor<2x{shape}x{elem}>");
        let (q, k, v, o, m) = (of("3x5"), of("4x5"), of("6x4"), of("3x6"), format!("tensor<2x3x4x{mask}>"));
        let text = format!(
            "func.func @f(%q: {q}, %k: {k}, %v: {v}, %m: {m}, %o: {o}) -> {o} {{
  %s = arith.constant 0.5 : {elem}
  %r = iree_linalg_ext.attention {{indexing_maps = [{}]{config}}} ins(%q, %k, %v, %s, %m : {q}, {k}, {v}, {elem}, {m}) outs(%o : {o}) {{
  ^bb0(%x: f32):
    %i = iree_linalg_ext.index 1 : index
    %j = iree_linalg_ext.index 2 : index
    %later = arith.cmpi ugt, %j, %i : index
    %t = math.tanh %x : f32
    %y = arith.select %later, %t, %x : f32
    iree_linalg_ext.yield %y : f32
  }} -> {o}
  return %r : {o}
}}",
            maps(&[0, 1, 2, 3, 4, 5])
        );
        near(&text, "iree_linalg_ext.attention", tolerance);
    }
}

/// A step goes on from a maximum, a sum and a result; open extents stay open.
#[test]
fn online_attention_keeps_its_meaning() {
    let own = "affine_map<(b, m, n, k, d) -> (b, m)>";
    let text = format!(
        "func.func @f(%q: tensor<2x?x5xf32>, %k: tensor<2x4x5xf32>, %v: tensor<2x6x4xf32>, %o: tensor<2x?x6xf32>, %max: tensor<2x?xf32>, %sum: tensor<2x?xf32>) -> (tensor<2x?x6xf32>, tensor<2x?xf32>, tensor<2x?xf32>) {{
  %s = arith.constant 0.5 : f32
  %r:3 = iree_linalg_ext.online_attention {{indexing_maps = [{}, {own}, {own}]}} ins(%q, %k, %v, %s : tensor<2x?x5xf32>, tensor<2x4x5xf32>, tensor<2x6x4xf32>, f32) outs(%o, %max, %sum : tensor<2x?x6xf32>, tensor<2x?xf32>, tensor<2x?xf32>) {{
  ^bb0(%x: f32):
    iree_linalg_ext.yield %x : f32
  }} -> tensor<2x?x6xf32>, tensor<2x?xf32>, tensor<2x?xf32>
  return %r#0, %r#1, %r#2 : tensor<2x?x6xf32>, tensor<2x?xf32>, tensor<2x?xf32>
}}",
        maps(&[0, 1, 2, 3, 5])
    );
    let [before, after] = normalized(&text, "iree_linalg_ext.online_attention");
    let args: Vec<Tensor> = numbers(&text::parse(&text.replace('?', "3")).unwrap());
    for (got, expected) in results(&after, &args).iter().zip(results(&before, &args)) {
        assert_eq!(got.shape, expected.shape);
        for (got, expected) in got.to_f64().iter().zip(expected.to_f64()) {
            assert!((got - expected).abs() <= 1e-5 * (1.0 + expected.abs()), "{got}, not {expected}");
        }
    }
}

/// Each result becomes an operation of its own, without loops that it does not run along.
#[test]
fn exp_reduction_keeps_its_meaning() {
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
    equal(text, "iree_linalg_ext.exp_reduction");
}

/// A region that sees open extents, and what is written by simpler operations inside it.
#[test]
fn custom_op_keeps_its_meaning() {
    let text = "
func.func @f(%a: tensor<4x3xf32>, %o: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %r = iree_linalg_ext.custom_op {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#iree_linalg_ext.iterator_type<parallel>, #iree_linalg_ext.iterator_type<parallel>]}
      ins(%a : tensor<4x3xf32>) outs(%o : tensor<4x3xf32>) {
  ^bb0(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>):
    %s = arith.mulf %x, %x : tensor<?x?xf32>
    %t = linalg.softmax dimension(1) ins(%s : tensor<?x?xf32>) outs(%y : tensor<?x?xf32>) -> tensor<?x?xf32>
    iree_linalg_ext.yield %t : tensor<?x?xf32>
  } -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}";
    // A softmax multiplies by the reciprocal of its sum.
    near(text, "iree_linalg_ext.custom_op", 1e-6);
    near(text, "linalg.softmax", 1e-6);
}

/// A stage with and without coefficients, of several rows.
#[test]
fn fft_keeps_its_meaning() {
    for given in ["", ", %c, %d"] {
        let types = if given.is_empty() { "" } else { ", tensor<4xf32>, tensor<4xf32>" };
        let text = format!(
            "func.func @f(%a: tensor<3x16xf32>, %b: tensor<3x16xf32>, %c: tensor<4xf32>, %d: tensor<4xf32>) -> (tensor<3x16xf32>, tensor<3x16xf32>) {{
  %s = arith.constant 3 : index
  %r:2 = iree_linalg_ext.fft ins(%s{given} : index{types}) outs(%a, %b : tensor<3x16xf32>, tensor<3x16xf32>) : tensor<3x16xf32>, tensor<3x16xf32>
  return %r#0, %r#1 : tensor<3x16xf32>, tensor<3x16xf32>
}}"
        );
        equal(&text, "iree_linalg_ext.fft");
    }
}

/// Images with channels behind and in front, which tiles fill or leave; filters; products; single tiles.
#[test]
fn winograd_keeps_its_meaning() {
    let cases = [
        ("input", "image_dimensions([1, 2])", "1x14x9x2", "8x8x1x2x2x2"),
        ("input", "image_dimensions([2, 3])", "2x3x8x14", "8x8x2x1x2x3"),
        ("input", "image_dimensions([0, 1])", "6x8", "8x8"),
        ("filter", "kernel_dimensions([0, 1])", "3x3x2x5", "8x8x2x5"),
        ("filter", "kernel_dimensions([2, 3])", "5x2x3x3", "8x8x2x5"),
        ("output", "image_dimensions([1, 2])", "8x8x1x2x3x4", "1x12x18x4"),
        ("output", "image_dimensions([2, 3])", "8x8x1x2x3x4", "1x4x12x18"),
        ("output", "image_dimensions([0, 1])", "8x8", "6x6"),
    ];
    for (kind, dims, from, to) in cases {
        for elem in ["f32", "f16"] {
            let (from, to) = (format!("tensor<{from}x{elem}>"), format!("tensor<{to}x{elem}>"));
            let text = format!(
                "func.func @f(%a: {from}, %o: {to}) -> {to} {{
  %r = iree_linalg_ext.winograd.{kind}_transform output_tile_size(6) kernel_size(3) {dims} ins(%a : {from}) outs(%o : {to}) -> {to}
  return %r : {to}
}}"
            );
            equal(&text, "iree_linalg_ext.winograd");
        }
    }
}

/// Scalar operations on tensors, one number for all of them, and constants.
#[test]
fn arithmetic_on_tensors_keeps_its_meaning() {
    let text = "
func.func @f(%a: tensor<7x3xf32>, %b: tensor<7x3xf32>, %c: i1) -> (tensor<7x3xf32>, tensor<7x3xi32>) {
  %two = arith.constant dense<2.0> : tensor<7x3xf32>
  %s = arith.addf %a, %two : tensor<7x3xf32>
  %l = arith.cmpf olt, %s, %b : tensor<7x3xf32>
  %t = arith.select %l, %s, %b : tensor<7x3xi1>, tensor<7x3xf32>
  %u = arith.select %c, %t, %a : tensor<7x3xf32>
  %bits = tensor.bitcast %u : tensor<7x3xf32> to tensor<7x3xi32>
  return %u, %bits : tensor<7x3xf32>, tensor<7x3xi32>
}";
    equal(text, "arith.addf %a");
    equal(text, "tensor.bitcast");
}

/// What a tensor is laid out like says nothing of what it is.
#[test]
fn encodings_are_forgotten() {
    let text = "
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#lhs = #iree_encoding.encoding<operand_index = 0, op_type = matmul, element_types = [f32, f32, f32], user_indexing_maps = [#a, #b, #c]>
func.func @f(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %s = iree_encoding.set_encoding %x : tensor<4x6xf32> -> tensor<4x6xf32, #lhs>
  %e = tensor.empty() : tensor<4x6xf32, #lhs>
  %t = linalg.add ins(%s, %s : tensor<4x6xf32, #lhs>, tensor<4x6xf32, #lhs>) outs(%e : tensor<4x6xf32, #lhs>) -> tensor<4x6xf32, #lhs>
  %r = iree_encoding.unset_encoding %t : tensor<4x6xf32, #lhs> -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}";
    equal(text, "set_encoding");
    equal(text, "iree_encoding.encoding");
}
