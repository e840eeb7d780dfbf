//! Operations that are written with others before layouts are spread: they mean the same in every layout.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use raddle_emu::Tensor;
use raddle_ir::{Float, Scalar};
use raddle_layout::Nested;

use crate::stages;

const F32: Scalar = Scalar::Float(Float::F32);
const I32: Scalar = Scalar::Int(32);

/// `subgroup, batch, outer, thread, element`, then strides of subgroups and threads, one number for each dimension.
fn nested(lists: [&[i64]; 7]) -> Nested {
    let [s, b, o, t, e, ss, ts] = lists.map(<[i64]>::to_vec);
    Nested::new(s, b, o, t, e, ss, ts).unwrap()
}

/// Layouts of 24 elements: of one thread, in order and out of order, with replicas, with lanes that are not a power of two.
fn rows() -> Vec<Nested> {
    vec![
        nested([&[1], &[1], &[1], &[1], &[24], &[0], &[0]]),
        nested([&[1], &[3], &[1], &[8], &[1], &[0], &[1]]),
        nested([&[2], &[1], &[3], &[2], &[2], &[1], &[16]]),
        nested([&[1], &[2], &[1], &[3], &[4], &[0], &[1]]),
        nested([&[4], &[1], &[1], &[6], &[1], &[1], &[1]]),
    ]
}

/// A kernel of four subgroups of 32 lanes; `#l` is the layout.
fn kernel(layout: &Nested, args: &str, body: &str) -> String {
    format!(
        "#l = #iree_vector_ext.{layout}
func.func @kernel({args}) attributes {{translation_info = #iree_codegen.translation_info<pipeline = \
         #iree_gpu.pipeline<VectorDistribute> workgroup_size = [128, 1, 1] subgroup_size = 32>}} {{
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
{body}
  return
}}"
    )
}

#[track_caller]
fn alike(text: &str, args: &[Tensor]) -> Vec<Tensor> {
    stages::alike("this", text, "sm_80", args, 1).unwrap_or_else(|diag| panic!("{diag:#?}\n{text}")).1
}

fn ints(numbers: &[i64]) -> Tensor {
    Tensor::from_i64(I32, &[numbers.len() as i64], numbers)
}

/// Rows times columns, combined with what was there; under a mask, what was there stays.
#[test]
fn outer_products_combine_each_pair_once() {
    let layouts = [
        nested([&[2, 1], &[1, 2], &[1, 1], &[2, 4], &[1, 1], &[1, 0], &[8, 1]]),
        nested([&[1, 1], &[4, 1], &[1, 2], &[1, 2], &[1, 2], &[0, 0], &[0, 4]]),
    ];
    let (a, b): (Vec<i64>, Vec<i64>) = ((-2..2).collect(), (0..8).map(|i| 3 * i - 7).collect());
    let c: Vec<i64> = (0..32).map(|i| i % 9 - 4).collect();
    for layout in &layouts {
        for (kind, combine) in
            [("add", (|x, y| x + y) as fn(i64, i64) -> i64), ("maxsi", i64::max), ("xor", |x, y| x ^ y)]
        {
            for masked in [false, true] {
                let product = format!(
                    "vector.outerproduct %a, %b, %c {{kind = #vector.kind<{kind}>}} : vector<4xi32>, vector<8xi32>"
                );
                let product = if masked {
                    format!("vector.mask %m {{ {product} }} : vector<4x8xi1> -> vector<4x8xi32>")
                } else {
                    product
                };
                let body = format!(
                    "  %zero = arith.constant 0 : i32
  %c3 = arith.constant 3 : index
  %m = vector.create_mask %c2, %c3 : vector<4x8xi1>
  %a = vector.transfer_read %x[%c0], %zero {{in_bounds = [true]}} : memref<4xi32>, vector<4xi32>
  %b = vector.transfer_read %y[%c0], %zero {{in_bounds = [true]}} : memref<8xi32>, vector<8xi32>
  %c = vector.transfer_read %z[%c0, %c0], %zero {{in_bounds = [true, true]}} : memref<4x8xi32>, vector<4x8xi32>
  %r = {product}
  %l = iree_vector_ext.to_layout %r to layout(#l) : vector<4x8xi32>
  vector.transfer_write %l, %z[%c0, %c0] {{in_bounds = [true, true]}} : vector<4x8xi32>, memref<4x8xi32>"
                );
                let text = kernel(layout, "%x: memref<4xi32>, %y: memref<8xi32>, %z: memref<4x8xi32>", &body);
                let got = alike(&text, &[ints(&a), ints(&b), Tensor::from_i64(I32, &[4, 8], &c)]);
                let element = |i: usize, j: usize| {
                    let acc = c[8 * i + j];
                    if masked && (i >= 2 || j >= 3) { acc } else { combine(acc, a[i] * b[j]) }
                };
                let want: Vec<f64> = (0..32).map(|at| element(at / 8, at % 8) as f64).collect();
                assert_eq!(got[2].to_f64(), want, "{kind} in {layout}");
            }
        }
    }
}

/// A vector times a scalar, and products without anything to combine them with.
#[test]
fn outer_products_may_lack_parts() {
    for layout in rows() {
        let body = "  %zero = arith.constant 0.0 : f32
  %s = arith.constant 3.0 : f32
  %a = vector.transfer_read %x[%c0], %zero {in_bounds = [true]} : memref<24xf32>, vector<24xf32>
  %l = iree_vector_ext.to_layout %a to layout(#l) : vector<24xf32>
  %r = vector.outerproduct %l, %s, %l {kind = #vector.kind<minnumf>} : vector<24xf32>, f32
  %q = vector.outerproduct %r, %r : vector<24xf32>, vector<24xf32>
  vector.transfer_write %r, %x[%c0] {in_bounds = [true]} : vector<24xf32>, memref<24xf32>
  vector.transfer_write %q, %y[%c0, %c0] {in_bounds = [true, true]} : vector<24x24xf32>, memref<24x24xf32>";
        let text = kernel(&layout, "%x: memref<24xf32>, %y: memref<24x24xf32>", body);
        let input = Tensor::from_f64(F32, &[24], &(0..24).map(|i| f64::from(i - 11)).collect::<Vec<_>>());
        let got = alike(&text, &[input.clone(), Tensor::zeros(F32, &[24, 24])]);
        let want: Vec<f64> = input.to_f64().into_iter().map(|x| x.min(3.0 * x)).collect();
        assert_eq!(got[0].to_f64(), want, "{layout}");
        assert_eq!(got[1].to_f64()[24 * 5 + 7], want[5] * want[7], "{layout}");
    }
}

/// A sum of all elements, with and without a first one, under masks, and of a vector that has one element only.
#[test]
fn reductions_go_to_one_scalar() {
    let input: Vec<i64> = (0..24).map(|i| (i * 7) % 24 - 9).collect();
    for layout in rows() {
        for (kind, neutral, combine) in [
            ("add", 0, (|x, y| x + y) as fn(i64, i64) -> i64),
            ("mul", 1, |x: i64, y: i64| i64::from(x.wrapping_mul(y) as i32)),
            ("minsi", i64::from(i32::MAX), i64::min),
            ("and", -1, |x, y| x & y),
        ] {
            let body = format!(
                "  %zero = arith.constant 0 : i32
  %five = arith.constant 5 : i32
  %a = vector.transfer_read %x[%c0], %zero {{in_bounds = [true]}} : memref<24xi32>, vector<24xi32>
  %l = iree_vector_ext.to_layout %a to layout(#l) : vector<24xi32>
  %c9 = arith.constant 9 : index
  %m = vector.create_mask %c9 : vector<24xi1>
  %point = vector.broadcast %five : i32 to vector<i32>
  %r = vector.reduction <{kind}>, %l : vector<24xi32> into i32
  %s = vector.reduction <{kind}>, %l, %five : vector<24xi32> into i32
  %t = vector.mask %m {{ vector.reduction <{kind}>, %l : vector<24xi32> into i32 }} : vector<24xi1> -> i32
  %u = vector.reduction <{kind}>, %point, %r : vector<i32> into i32
  %all = vector.from_elements %r, %s, %t, %u : vector<4xi32>
  vector.transfer_write %all, %y[%c0] {{in_bounds = [true]}} : vector<4xi32>, memref<4xi32>"
            );
            let text = kernel(&layout, "%x: memref<24xi32>, %y: memref<4xi32>", &body);
            let got = alike(&text, &[ints(&input), Tensor::zeros(I32, &[4])]);
            let fold = |numbers: &[i64], first: i64| numbers.iter().fold(first, |x, &y| combine(x, y)) as f64;
            let all = fold(&input, neutral);
            let want = [all, fold(&input, 5), fold(&input[..9], neutral), combine(5, all as i64) as f64];
            assert_eq!(got[1].to_f64(), want, "{kind} in {layout}");
        }
    }
}

/// What a mask lets through lies without gaps in memory, in the order of the elements, and nothing behind it is touched.
#[test]
fn packed_elements_lie_side_by_side() {
    let input: Vec<i64> = (0..24).map(|i| 100 + i).collect();
    let masks: [fn(i64) -> bool; 4] = [|_| false, |_| true, |i| i % 3 != 1, |i| i > 20];
    for layout in rows() {
        for mask in masks {
            let flags: Vec<i64> = (0..24).map(|i| i64::from(mask(i))).collect();
            let body = "  %zero = arith.constant 0 : i32
  %none = arith.constant dense<0> : vector<24xi32>
  %f = vector.transfer_read %flags[%c0], %zero {in_bounds = [true]} : memref<24xi32>, vector<24xi32>
  %m = arith.cmpi ne, %f, %none : vector<24xi32>
  %a = vector.transfer_read %x[%c0], %zero {in_bounds = [true]} : memref<24xi32>, vector<24xi32>
  %l = iree_vector_ext.to_layout %a to layout(#l) : vector<24xi32>
  vector.compressstore %y[%c2], %m, %l : memref<30xi32>, vector<24xi1>, vector<24xi32>
  %e = vector.expandload %x[%c0], %m, %none : memref<24xi32>, vector<24xi1>, vector<24xi32> into vector<24xi32>
  %k = iree_vector_ext.to_layout %e to layout(#l) : vector<24xi32>
  vector.transfer_write %k, %z[%c0] {in_bounds = [true]} : vector<24xi32>, memref<24xi32>";
            let args = "%flags: memref<24xi32>, %x: memref<24xi32>, %y: memref<30xi32>, %z: memref<24xi32>";
            let text = kernel(&layout, args, body);
            let (y, z) = (Tensor::from_i64(I32, &[30], &[-1; 30]), Tensor::zeros(I32, &[24]));
            let got = alike(&text, &[ints(&flags), ints(&input), y, z]);
            let mut packed = vec![-1.0; 30];
            let mut spread = vec![0.0; 24];
            for (n, i) in (0..24).filter(|&i| mask(i as i64)).enumerate() {
                packed[2 + n] = input[i] as f64;
                spread[i] = input[n] as f64;
            }
            assert_eq!(got[2].to_f64(), packed, "{layout}");
            assert_eq!(got[3].to_f64(), spread, "{layout}");
        }
    }
}

/// Both words of sums and products, for every width that has a second one.
#[test]
fn second_words_hold_what_does_not_fit() {
    for bits in [8, 16, 32, 64u32] {
        let edge = i64::MIN >> (64 - bits);
        let numbers: Vec<i64> = [0, 1, -1, 3, edge, !edge, edge / 3, -(edge / 5)].to_vec();
        let pairs: Vec<(i64, i64)> =
            numbers.iter().flat_map(|&a| numbers.iter().map(move |&b| (a, b))).take(24).collect();
        let columns =
            [pairs.iter().map(|pair| pair.0).collect(), pairs.iter().map(|pair| pair.1).collect::<Vec<i64>>()];
        for (op, word) in [("mulsi_extended", "i"), ("mului_extended", "i"), ("addui_extended", "i1")] {
            let int = format!("i{bits}");
            let second = if word == "i1" {
                format!("  %h = arith.extui %f : vector<24xi1> to vector<24x{int}>")
            } else {
                format!("  %h = arith.addi %f, %none : vector<24x{int}>")
            };
            let types =
                if word == "i1" { format!("vector<24x{int}>, vector<24xi1>") } else { format!("vector<24x{int}>") };
            let body = format!(
                "  %zero = arith.constant 0 : {int}
  %none = arith.constant dense<0> : vector<24x{int}>
  %a = vector.transfer_read %x[%c0], %zero {{in_bounds = [true]}} : memref<24x{int}>, vector<24x{int}>
  %b = vector.transfer_read %y[%c0], %zero {{in_bounds = [true]}} : memref<24x{int}>, vector<24x{int}>
  %l = iree_vector_ext.to_layout %a to layout(#l) : vector<24x{int}>
  %s, %f = arith.{op} %l, %b : {types}
{second}
  vector.transfer_write %s, %x[%c0] {{in_bounds = [true]}} : vector<24x{int}>, memref<24x{int}>
  vector.transfer_write %h, %y[%c0] {{in_bounds = [true]}} : vector<24x{int}>, memref<24x{int}>"
            );
            let elem = Scalar::Int(bits);
            let args = [0, 1].map(|i| Tensor::from_i64(elem, &[24], &columns[i]));
            for layout in rows() {
                let text = kernel(&layout, &format!("%x: memref<24x{int}>, %y: memref<24x{int}>"), &body);
                let got = alike(&text, &args);
                let signed = |value: i64| i128::from(value);
                let plain = |value: i64| i128::from(value as u64) & ((1 << bits) - 1);
                let both = |(a, b): (i64, i64)| match op {
                    "mulsi_extended" => {
                        signed(a << (64 - bits) >> (64 - bits)) * signed(b << (64 - bits) >> (64 - bits))
                    }
                    "mului_extended" => plain(a).wrapping_mul(plain(b)),
                    _ => plain(a) + plain(b),
                };
                let low: Vec<i64> = pairs.iter().map(|&pair| both(pair) as i64).collect();
                let high: Vec<i64> = pairs.iter().map(|&pair| (both(pair) >> bits) as i64).collect();
                assert_eq!(got[0].bytes, Tensor::from_i64(elem, &[24], &low).bytes, "{op} of {bits} bits");
                assert_eq!(got[1].bytes, Tensor::from_i64(elem, &[24], &high).bytes, "{op} of {bits} bits");
            }
        }
    }
}
