//! Integers of more than 64 bits: against `i128` where that is wide enough, by their laws where it is not.
#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use num_bigint::BigInt;
use raddle_emu::{Options, Tensor};
use raddle_ir::Scalar;

use crate::common;
use crate::common::{good, try_run};

const N: usize = 64;

/// Numbers of `width` bits with long runs of equal bits, where carries and signs are.
fn numbers(width: u32, seed: u64) -> Vec<BigInt> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    };
    let edges = [
        BigInt::from(0),
        BigInt::from(1),
        -BigInt::from(1),
        -(BigInt::from(1) << (width - 1)),
        (BigInt::from(1) << (width - 1)) - 1,
    ];
    let random = (edges.len()..N).map(|_| {
        let mut value = BigInt::from(0);
        for _ in 0..width.div_ceil(31) {
            value = (value << 31) + if next() % 3 == 0 { 0 } else { next() };
        }
        value >> (next() % u64::from(width))
    });
    let tensor =
        Tensor::from_integers(Scalar::Int(width), &[N as i64], edges.into_iter().chain(random.collect::<Vec<_>>()));
    tensor.to_integers()
}

/// One operation on every pair of two lists.
fn apply(op: &str, width: u32, out: &str, a: &[BigInt], b: &[BigInt]) -> Vec<BigInt> {
    let (ty, n) = (format!("tensor<{N}xi{width}>"), [N as i64]);
    let signature = if op.contains("addui_extended") { format!("{ty}, tensor<{N}x{out}>") } else { ty.clone() };
    let (name, first) =
        op.split_once('#').map_or((op, "%r"), |(op, which)| (op, if which == "0" { "%r, %s" } else { "%s, %r" }));
    let text = format!(
        "func.func @f(%a: {ty}, %b: {ty}) -> tensor<{N}x{out}> {{
  {first} = {name} %a, %b : {signature}
  return %r : tensor<{N}x{out}>
}}"
    );
    let input = |values: &[BigInt]| Tensor::from_integers(Scalar::Int(width), &n, values.iter().cloned());
    good(&text, &[input(a), input(b)]).results[0].to_integers()
}

fn small(value: &BigInt) -> i128 {
    i128::try_from(value).unwrap()
}

/// Every operation at widths that 128 bits hold.
#[test]
fn arithmetic_is_that_of_i128() {
    for width in [65u32, 96, 100, 127, 128] {
        let wrap = |x: i128| x << (128 - width) >> (128 - width);
        let mask = u128::MAX >> (128 - width);
        let unsigned = |x: i128| x as u128 & mask;
        let (a, b) = (numbers(width, 1), numbers(width, u64::from(width)));
        let divisors: Vec<BigInt> =
            b.iter().map(|b| if [0, -1].contains(&small(b)) { BigInt::from(7) } else { b.clone() }).collect();
        let shifts: Vec<BigInt> = (0..N).map(|at| BigInt::from(at as u32 * 2 % width)).collect();
        type Law<'a> = (&'a str, &'a [BigInt], &'a dyn Fn(i128, i128) -> i128);
        let laws: [Law<'_>; 21] = [
            ("arith.addi", &b, &|a, b| a.wrapping_add(b)),
            ("arith.subi", &b, &|a, b| a.wrapping_sub(b)),
            ("arith.muli", &b, &|a, b| a.wrapping_mul(b)),
            ("arith.andi", &b, &|a, b| a & b),
            ("arith.ori", &b, &|a, b| a | b),
            ("arith.xori", &b, &|a, b| a ^ b),
            ("arith.maxsi", &b, &|a, b| a.max(b)),
            ("arith.minsi", &b, &|a, b| a.min(b)),
            ("arith.maxui", &b, &|a, b| unsigned(a).max(unsigned(b)) as i128),
            ("arith.minui", &b, &|a, b| unsigned(a).min(unsigned(b)) as i128),
            ("arith.divsi", &divisors, &|a, b| a / b),
            ("arith.remsi", &divisors, &|a, b| a % b),
            ("arith.divui", &divisors, &|a, b| (unsigned(a) / unsigned(b)) as i128),
            ("arith.remui", &divisors, &|a, b| (unsigned(a) % unsigned(b)) as i128),
            ("arith.ceildivsi", &divisors, &|a, b| a / b + i128::from(a % b != 0 && (a < 0) == (b < 0))),
            ("arith.floordivsi", &divisors, &|a, b| a / b - i128::from(a % b != 0 && (a < 0) != (b < 0))),
            ("arith.ceildivui", &divisors, &|a, b| unsigned(a).div_ceil(unsigned(b)) as i128),
            ("arith.shli", &shifts, &|a, b| a << b),
            ("arith.shrsi", &shifts, &|a, b| a >> b),
            ("arith.shrui", &shifts, &|a, b| (unsigned(a) >> b) as i128),
            ("arith.addui_extended#0", &b, &|a, b| a.wrapping_add(b)),
        ];
        for (op, b, law) in laws {
            let out = if op.contains("extended") { "i1".to_owned() } else { format!("i{width}") };
            if op.contains("extended") {
                let carry = apply("arith.addui_extended#1", width, &out, &a, b);
                for ((a, b), carry) in a.iter().zip(b).zip(carry) {
                    let sum = unsigned(small(a)).checked_add(unsigned(small(b)));
                    assert_eq!(small(&carry) != 0, sum.is_none_or(|sum| sum > mask), "{a} + {b} at {width}");
                }
                continue;
            }
            for ((got, a), b) in apply(op, width, &out, &a, b).iter().zip(&a).zip(b) {
                assert_eq!(small(got), wrap(law(small(a), small(b))), "{op} {a}, {b} at {width}");
            }
        }
        type Order<'a> = (&'a str, &'a dyn Fn(i128, i128) -> bool);
        let order: [Order<'_>; 10] = [
            ("eq", &|a, b| a == b),
            ("ne", &|a, b| a != b),
            ("slt", &|a, b| a < b),
            ("sle", &|a, b| a <= b),
            ("sgt", &|a, b| a > b),
            ("sge", &|a, b| a >= b),
            ("ult", &|a, b| unsigned(a) < unsigned(b)),
            ("ule", &|a, b| unsigned(a) <= unsigned(b)),
            ("ugt", &|a, b| unsigned(a) > unsigned(b)),
            ("uge", &|a, b| unsigned(a) >= unsigned(b)),
        ];
        for (word, law) in order {
            let got = apply(&format!("arith.cmpi {word},"), width, "i1", &a, &b);
            for ((got, a), b) in got.iter().zip(&a).zip(&b) {
                assert_eq!(small(got) != 0, law(small(a), small(b)), "{a} {word} {b} at {width}");
            }
        }
    }
}

/// Beyond 128 bits: quotient and remainder give the number back, both halves the product, shifts are powers of two.
#[test]
fn long_numbers_keep_their_laws() {
    for width in [129u32, 256, 1000] {
        let ty = format!("i{width}");
        let (a, b) = (numbers(width, 3), numbers(width, 4));
        let unsigned = |x: &BigInt| if *x < BigInt::from(0) { x + (BigInt::from(1) << width) } else { x.clone() };
        let run = |op: &str, b: &[BigInt]| apply(op, width, &ty, &a, b);
        let divisors: Vec<BigInt> =
            b.iter().map(|b| if b.bits() < 2 { BigInt::from(-11) } else { b.clone() }).collect();
        for [quotient, remainder, read] in [["arith.divsi", "arith.remsi", "s"], ["arith.divui", "arith.remui", "u"]] {
            let read = |x: &BigInt| if read == "u" { unsigned(x) } else { x.clone() };
            for (((q, r), a), b) in
                run(quotient, &divisors).iter().zip(run(remainder, &divisors)).zip(&a).zip(&divisors)
            {
                assert_eq!(read(q) * read(b) + read(&r), read(a), "{a} / {b}");
                assert!(read(&r).magnitude() < read(b).magnitude(), "{a} % {b}");
            }
        }
        for (op, signed) in [("arith.mulsi_extended", true), ("arith.mului_extended", false)] {
            let read = |x: &BigInt| if signed { x.clone() } else { unsigned(x) };
            let halves = [0, 1].map(|half| apply(&format!("{op}#{half}"), width, &ty, &a, &b));
            for (((low, high), a), b) in halves[0].iter().zip(&halves[1]).zip(&a).zip(&b) {
                assert_eq!((read(high) << width) + unsigned(low), read(a) * read(b), "{op} {a}, {b}");
            }
        }
        let shifts: Vec<BigInt> = (0..N).map(|at| BigInt::from(at as u32 * 31 % width)).collect();
        for ((got, a), shift) in run("arith.shrsi", &shifts).iter().zip(&a).zip(&shifts) {
            let power = BigInt::from(1) << u32::try_from(shift).unwrap();
            let rest = a - got * &power;
            assert!(rest >= BigInt::from(0) && rest < power, "{a} >> {shift}");
        }
    }
}

/// Constants of any length are read, kept and printed; memory, selects, loops and reductions carry them.
#[test]
fn long_numbers_go_everywhere() {
    let seven = BigInt::from(7).pow(300);
    let text = format!(
        "func.func @f(%in: memref<4xi1000>, %out: memref<4xi1000>, %sum: memref<i1000>) {{
  %c0 = arith.constant 0 : index
  %pad = arith.constant {seven} : i1000
  %list = arith.constant dense<[1, -2, 3, {seven}]> : vector<4xi1000>
  %zero = arith.constant 0 : i1000
  %v = vector.transfer_read %in[%c0], %zero {{in_bounds = [true]}} : memref<4xi1000>, vector<4xi1000>
  %mask = arith.cmpi slt, %v, %list : vector<4xi1000>
  %w = arith.select %mask, %v, %list : vector<4xi1>, vector<4xi1000>
  vector.transfer_write %w, %out[%c0] {{in_bounds = [true]}} : vector<4xi1000>, memref<4xi1000>
  %max = vector.multi_reduction <maxsi>, %list, %zero [0] : vector<4xi1000> to i1000
  %all = vector.reduction <add>, %list, %max : vector<4xi1000> into i1000
  %total = arith.addi %all, %pad : i1000
  memref.store %total, %sum[] : memref<i1000>
  return
}}"
    );
    let elem = Scalar::Int(1000);
    let inputs: Vec<BigInt> = [5, -5, 2, 9].map(BigInt::from).to_vec();
    let args = [Tensor::from_integers(elem, &[4], inputs), Tensor::zeros(elem, &[4]), Tensor::zeros(elem, &[])];
    let out = good(&text, &args);
    assert_eq!(out.buffers[1].to_integers(), [1, -5, 2, 9].map(BigInt::from));
    assert_eq!(out.buffers[2].to_integers(), [&seven * 3 + 2]);
    let ir = common::parse(&text);
    let printed = raddle_ir::print(&ir, &raddle_ir::PrintOptions::default());
    assert_eq!(printed, raddle_ir::print(&common::parse(&printed), &raddle_ir::PrintOptions::default()));
    assert!(printed.contains(&seven.to_string()), "{printed}");
}

/// Casts round once, saturate, and move bits as they are.
#[test]
fn long_numbers_are_cast() {
    let run = |body: &str, from: &str, to: &str, value: Tensor| {
        let text =
            format!("func.func @f(%x: tensor<{from}>) -> tensor<{to}> {{\n  {body}\n  return %r : tensor<{to}>\n}}");
        good(&text, &[value]).results.remove(0)
    };
    let wide = |width: u32, value: BigInt| Tensor::from_integers(Scalar::Int(width), &[], [value]);
    // One above the middle between two neighbours of f32 goes up, the middle itself to the even one.
    let tie: BigInt = (BigInt::from(1) << 120) + (BigInt::from(1) << 96);
    for (value, want) in [
        (tie.clone(), 2f64.powi(120)),
        (&tie + 1, 2f64.powi(120) + 2f64.powi(97)),
        (BigInt::from(-1) - &tie, -2f64.powi(120) - 2f64.powi(97)),
    ] {
        assert_eq!(
            run("%r = arith.sitofp %x : tensor<i200> to tensor<f32>", "i200", "f32", wide(200, value)).to_f64(),
            [want]
        );
    }
    let all = run("%r = arith.uitofp %x : tensor<i100> to tensor<f64>", "i100", "f64", wide(100, BigInt::from(-1)));
    assert_eq!(all.to_f64(), [2f64.powi(100)]);
    // So it is in 64 bits: the last bit decides.
    let near = Tensor::from_i64(Scalar::Int(64), &[], &[i64::MIN + (1 << 39) + 1]);
    let near = run("%r = arith.uitofp %x : tensor<i64> to tensor<f32>", "i64", "f32", near);
    assert_eq!(near.to_f64(), [2f64.powi(63) + 2f64.powi(40)]);
    let float = |value: f64| Tensor::from_f64(common::F32, &[], &[value]);
    let back =
        |value| run("%r = arith.fptosi %x : tensor<f32> to tensor<i100>", "f32", "i100", float(value)).to_integers();
    assert_eq!(back(-2.5e20), [BigInt::from(-2.5e20f32 as i128)]);
    assert_eq!(back(f64::INFINITY), [(BigInt::from(1) << 99) - 1]);
    assert_eq!(back(f64::NAN), [BigInt::from(0)]);
    let cut = run(
        "%r = arith.trunci %x : tensor<i200> to tensor<i16>",
        "i200",
        "i16",
        wide(200, (BigInt::from(1) << 100) - 3),
    );
    assert_eq!(cut.to_i64(), [-3]);
    let grown = run("%r = arith.extui %x : tensor<i100> to tensor<i200>", "i100", "i200", wide(100, BigInt::from(-1)));
    assert_eq!(grown.to_integers(), [(BigInt::from(1) << 100) - 1]);
    let text = "func.func @f(%x: vector<3xi64>) -> vector<2xi96> {
  %r = vector.bitcast %x : vector<3xi64> to vector<2xi96>
  return %r : vector<2xi96>
}";
    let words = Tensor::from_i64(Scalar::Int(64), &[3], &[-1, 1, 7]);
    let low = (BigInt::from(1) << 64) + u64::MAX;
    assert_eq!(good(text, &[words]).results[0].to_integers(), [low, BigInt::from(7) << 32]);
}

/// Division by zero is found, and the memory that long numbers take is counted.
#[test]
fn long_numbers_are_checked() {
    let text = "func.func @f(%x: tensor<i200>) -> tensor<i200> {
  %zero = arith.constant dense<0> : tensor<i200>
  %r = arith.divui %x, %zero : tensor<i200>
  return %r : tensor<i200>
}";
    let diag = try_run(text, &[Tensor::zeros(Scalar::Int(200), &[])], &Options::default()).unwrap_err();
    assert!(diag.message.contains("divided by zero"), "{diag:?}");
    let text = "func.func @f(%out: memref<i32>) {
  %x = vector.step : vector<4096xindex>
  %w = arith.index_cast %x : vector<4096xindex> to vector<4096xi8000000>
  %p = arith.muli %w, %w : vector<4096xi8000000>
  return
}";
    let options = Options { memory_max: 64 << 20, ..Options::default() };
    let diag = try_run(text, &[Tensor::zeros(Scalar::Int(32), &[])], &options).unwrap_err();
    assert!(diag.message.starts_with("limit"), "{diag:?}");
}
