//! How far the expansions of functions are from the exact results, on the emulator, against double precision; and that
//! those of everything else are exact.
//!
//! Results in f32 are compared with f64. Results in f64 are compared with those of the emulator's own functions, which
//! are correct to one ULP: so much more is allowed.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::print_stdout, reason = "the figures are what one wants to see")]

use raddle_emu::Tensor;
use raddle_ir::{Attr, Builder, Float, Ir, OpId, Opcode, Scalar};
use raddle_passes::{FUNCTIONS, Facts, Function, Options, PASSES};
use raddle_target::chip;

use crate::common::{Random, run};

const THREADS: usize = 256;

/// A kernel that applies an operation to each element of `inputs` buffers.
fn kernel(name: &str, types: &[&str], result: &str, n: usize) -> (Ir, OpId) {
    let mut args: Vec<String> = (0..).zip(types).map(|(at, ty)| format!("%x{at}: memref<{n}x{ty}>")).collect();
    args.push(format!("%out: memref<{n}x{result}>"));
    let loads: String =
        (0..).zip(types).map(|(at, ty)| format!("%v{at} = memref.load %x{at}[%at] : memref<{n}x{ty}>\n")).collect();
    let operands: Vec<String> = (0..types.len()).map(|at| format!("%v{at}")).collect();
    let text = format!(
        "func.func @f({}) attributes {{translation_info = #iree_codegen.translation_info<pipeline = None \
         workgroup_size = [{THREADS}, 1, 1] subgroup_size = 32>}} {{
           %c0 = arith.constant 0 : index
           %n = arith.constant {n} : index
           %step = arith.constant {THREADS} : index
           %t = gpu.thread_id x
           scf.for %i = %c0 to %n step %step {{
             %at = arith.addi %i, %t : index
             {loads}
             %y = \"{name}\"({}) : ({}) -> {result}
             memref.store %y, %out[%at] : memref<{n}x{result}>
           }}
           return
         }}",
        args.join(", "),
        operands.join(", "),
        types.join(", "),
    );
    let ir = raddle_ir::parse(&text).unwrap_or_else(|diags| panic!("{diags:?}\n{text}"));
    let func = ir.funcs()[0];
    (ir, func)
}

fn expand(ir: &mut Ir, func: OpId) {
    let pass = PASSES.iter().find(|pass| pass.name == "expand-math").unwrap();
    pass.apply(ir, func, &Facts::new(chip("sm_80").unwrap()), &Options::of(pass.options)).unwrap();
    assert_eq!(raddle_ir::verify(ir), []);
}

/// The results of an operation, expanded or as it is.
fn results(name: &str, inputs: &[Tensor], result: Float, expanded: bool) -> Vec<f64> {
    tensor(name, inputs, Scalar::Float(result), expanded).to_f64()
}

fn tensor(name: &str, inputs: &[Tensor], result: Scalar, expanded: bool) -> Tensor {
    let n = inputs[0].shape[0] as usize;
    let types: Vec<String> = inputs.iter().map(|tensor| tensor.elem.to_string()).collect();
    let types: Vec<&str> = types.iter().map(String::as_str).collect();
    let (mut ir, func) = kernel(name, &types, &result.to_string(), n);
    if expanded {
        expand(&mut ir, func);
        let of = |ir: &Ir, ty| Scalar::of(&ir[ty]).map(|scalar| scalar.to_string());
        let same = |op: OpId| {
            ir.name(op) == name
                && of(&ir, ir.type_of(ir.operand(op, 0))).as_deref() == Some(types[0])
                && of(&ir, ir.type_of(ir.result(op, 0))) == Some(result.to_string())
        };
        assert!(!ir.walk(func).into_iter().any(same), "{name} is still there");
    }
    let out = Tensor::zeros(result, &[n as i64]);
    let buffers: Vec<Tensor> = inputs.iter().cloned().chain([out.clone()]).collect();
    let bytes = run(&ir, func, &buffers).pop().unwrap();
    Tensor { bytes, ..out }
}

fn name_of(opcode: Opcode) -> &'static str {
    opcode.name()
}

fn is_binary(function: &Function) -> bool {
    matches!(function.opcode, Opcode::MathPowf | Opcode::MathAtan2 | Opcode::ArithRemf)
}

/// Values of every size, most of them where functions bend, and all that is special.
fn values(random: &mut Random, float: Float, n: usize, seed: usize) -> Vec<f64> {
    let least = if float == Float::F32 { -149 } else { -1074 };
    let specials = [0.0, -0.0, 1.0, -1.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 0.5, -0.5, 2.0, 3.0, -2.0, -3.0];
    (0..n)
        .map(|at| {
            if at % 61 == 0 {
                return specials[(at / 61 / if seed == 0 { 1 } else { specials.len() }) % specials.len()];
            }
            let unit = random.below(1 << 30) as f64 / f64::from(1 << 30) + random.below(1 << 20) as f64 / 2f64.powi(50);
            let sign = if random.below(2) == 0 { 1.0 } else { -1.0 };
            let value = match at % 4 {
                0 => f64::from(random.below((-2 * least) as usize) as i32 + least).exp2() * (1.0 + unit),
                1 => 2f64.powi(random.below(12) as i32 - 6) * (1.0 + unit),
                2 => unit * 4.0,
                _ => (unit - 0.5) * if float == Float::F32 { 200.0 } else { 1400.0 },
            };
            sign * value
        })
        .collect()
}

/// The greatest distance in ULP, and where.
fn measure(function: &Function, float: Float, n: usize, seed: u64) -> (f64, String) {
    let mut random = Random(seed);
    let name = name_of(function.opcode);
    let n_operands = if is_binary(function) { 2 } else { 1 };
    let shape = [n as i64];
    let inputs: Vec<Tensor> = (0..n_operands)
        .map(|seed| Tensor::from_f64(Scalar::Float(float), &shape, &values(&mut random, float, n, seed)))
        .collect();
    let got = results(name, &inputs, float, true);
    let wide: Vec<Tensor> =
        inputs.iter().map(|tensor| Tensor::from_f64(Scalar::Float(Float::F64), &shape, &tensor.to_f64())).collect();
    let exact = results(name, &wide, Float::F64, false);
    let mut worst = (0.0, String::new());
    for (at, (&got, &exact)) in got.iter().zip(&exact).enumerate() {
        let distance = ulps(float, got, exact);
        if distance > worst.0 || distance.is_nan() {
            let operands: Vec<f64> = inputs.iter().map(|tensor| tensor.to_f64()[at]).collect();
            worst = (distance, format!("{name} {operands:?} is {exact:e}, not {got:e}"));
            if distance.is_nan() {
                break;
            }
        }
    }
    worst
}

/// The distance in units of the last place of the exact result; NaN if only one is a number.
fn ulps(float: Float, got: f64, exact: f64) -> f64 {
    let (mantissa, least, limit) =
        if float == Float::F32 { (23, -149, 2f64.powi(128)) } else { (52, -1074, f64::INFINITY) };
    if got.is_nan() || exact.is_nan() {
        return if got.is_nan() == exact.is_nan() { 0.0 } else { f64::NAN };
    }
    if exact == 0.0 {
        return if got == 0.0 && got.is_sign_negative() == exact.is_sign_negative() { 0.0 } else { f64::NAN };
    }
    let exponent = (exact.abs().log2().floor().min(1e4).max(f64::from(least))) as i32;
    let ulp = f64::from((exponent - mantissa).max(least)).exp2();
    if got.is_infinite() || exact.is_infinite() {
        if got == exact {
            return 0.0;
        }
        // What is as large as the next power of two may be infinite.
        let infinite = |x: f64| if x.is_infinite() && limit.is_finite() { limit.copysign(x) } else { x };
        let (got, exact) = (infinite(got), infinite(exact));
        return if exact.abs() >= limit && got.abs() >= limit && got.signum() == exact.signum() {
            0.0
        } else {
            ((got - exact) / limit * 2f64.powi(24)).abs()
        };
    }
    (got - exact).abs() / ulp
}

/// Every function of f32, within what its row says.
#[test]
fn functions_of_f32() {
    check(Float::F32, 0, 0.0);
}

/// Every function of f64, within what its row says and the reference's own error.
#[test]
fn functions_of_f64() {
    check(Float::F64, 1, 1.0);
}

fn check(float: Float, column: usize, of_reference: f64) {
    let n = std::env::var("RADDLE_POINTS").ok().and_then(|n| n.parse().ok()).unwrap_or(1 << 15);
    let mut bad = Vec::new();
    for function in FUNCTIONS {
        let (worst, place) = measure(function, float, n, 1);
        if std::env::var_os("RADDLE_PLACES").is_some() {
            println!("{place}");
        }
        println!("| `{}` | {} | {worst:.2} | {:.1} |", name_of(function.opcode), float.keyword(), function.ulp[column]);
        let exact = function.ulp[column] == 0.0;
        if worst.is_nan() || worst > function.ulp[column] + if exact { 0.0 } else { of_reference } {
            bad.push(format!("{worst:.2}: {place}"));
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

/// Functions of every number of 16 bits are rounded from fewer digits than f32 has, and still to the nearest one or nearly.
#[test]
fn functions_of_16_bits() {
    for float in [Float::F16, Float::BF16] {
        let bytes: Vec<u8> = (0..=u16::MAX).flat_map(u16::to_le_bytes).collect();
        let input = Tensor { elem: Scalar::Float(float), shape: vec![1 << 16], bytes };
        let wide = Tensor::from_f64(Scalar::Float(Float::F64), &[1 << 16], &input.to_f64());
        for name in ["math.tanh", "math.erf"] {
            let got = tensor(name, std::slice::from_ref(&input), Scalar::Float(float), true).to_f64();
            let exact = results(name, std::slice::from_ref(&wide), Float::F64, false);
            for ((&x, &got), &exact) in input.to_f64().iter().zip(&got).zip(&exact) {
                if exact.is_nan() {
                    assert!(got.is_nan(), "{name} {x:e} is {got:e}");
                    continue;
                }
                let (digits, least) = if float == Float::F16 { (10, -14) } else { (7, -126) };
                let exponent = (exact.abs().log2().floor().max(f64::from(least))) as i32;
                let distance = (got - exact).abs() / f64::from(exponent - digits).exp2();
                let same_sign = got.is_sign_negative() == exact.is_sign_negative();
                assert!(distance <= 0.51 && same_sign, "{name} {x:e} is {exact:e}, not {got:e}: {distance}");
            }
        }
    }
}

/// What is known of an exponent saves operations, and changes no bit.
#[test]
fn exponents_that_are_not_positive() {
    let n = std::env::var("RADDLE_POINTS").ok().and_then(|n| n.parse().ok()).unwrap_or(1usize << 14);
    let mut random = Random(7);
    let special =
        [0.0, -0.0, f64::NEG_INFINITY, f64::NAN, -1e-300, -1e-40, -87.5, -88.0, -103.9, -104.0, -126.0, -149.5, -745.2];
    for (name, float) in
        [("math.exp", Float::F32), ("math.exp2", Float::F32), ("math.exp", Float::F64), ("math.exp2", Float::F64)]
    {
        let width = if float == Float::F32 { 160.0 } else { 1100.0 };
        let value = |at: usize| match special.get(at) {
            Some(&number) => number,
            None => -width * (random.below(1 << 30) as f64 / f64::from(1 << 30)).powi(1 + (at % 8) as i32),
        };
        let numbers: Vec<f64> = (0..n).map(value).collect();
        let input = Tensor::from_f64(Scalar::Float(float), &[n as i64], &numbers);
        let expanded = |is_marked: bool| {
            let elem = float.keyword();
            let (mut ir, func) = kernel(name, &[elem], elem, n);
            if is_marked {
                let unit = ir.intern(Attr::Unit);
                let power = ir.walk(func).into_iter().find(|&op| ir.name(op) == name).unwrap();
                ir.set_attr(power, "raddle.not_positive", unit);
            }
            expand(&mut ir, func);
            let out = Tensor::zeros(Scalar::Float(float), &[n as i64]);
            (ir.walk(func).len(), run(&ir, func, &[input.clone(), out]).pop().unwrap())
        };
        let ((many, plain), (few, marked)) = (expanded(false), expanded(true));
        assert!(few + 3 <= many, "{name}: {few} operations instead of {many}");
        assert!(plain == marked, "{name} {float:?}");
    }
}

/// Powers of which the exponent or the base is a constant are written with fewer operations, and are as accurate.
#[test]
fn powers_with_constants() {
    let n = std::env::var("RADDLE_POINTS").ok().and_then(|n| n.parse().ok()).unwrap_or(1usize << 13);
    let mut random = Random(5);
    let special = [0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1.0, -1.0];
    let constants = [0.5, -0.5, 2.5, -1.7, 3.0, -4.0, 5.0, 1e-3, 0.37, 1e30, -3e-40, 10.0, -10.0];
    for float in [Float::F32, Float::F64] {
        let numbers = values(&mut random, float, n, 0);
        let input = Tensor::from_f64(Scalar::Float(float), &[n as i64], &numbers);
        for (constant, at) in special.iter().chain(&constants).flat_map(|&number| [(number, 0), (number, 1)]) {
            let constant = Tensor::from_f64(Scalar::Float(float), &[1], &[constant]).to_f64()[0];
            let elem = float.keyword();
            let (mut ir, func) = kernel("math.powf", &[elem, elem], elem, n);
            let power = ir.walk(func).into_iter().find(|&op| ir.name(op) == "math.powf").unwrap();
            let mut operands = ir.operands(power).to_vec();
            let ty = ir.type_of(operands[at]);
            operands[at] = Builder::before(&mut ir, power).float(constant, ty);
            ir.set_operands(power, &operands);
            expand(&mut ir, func);
            let out = Tensor::zeros(Scalar::Float(float), &[n as i64]);
            let bytes = run(&ir, func, &[input.clone(), input.clone(), out.clone()]).pop().unwrap();
            let got = Tensor { bytes, ..out }.to_f64();
            let double = Scalar::Float(Float::F64);
            let [x, c] = [input.to_f64(), vec![constant; n]].map(|list| Tensor::from_f64(double, &[n as i64], &list));
            let exact = results("math.powf", &if at == 0 { [c, x] } else { [x, c] }, Float::F64, false);
            let allowed = if float == Float::F32 { 1.5 } else { 2.5 };
            for ((&x, &got), &exact) in input.to_f64().iter().zip(&got).zip(&exact) {
                let distance = ulps(float, got, exact);
                assert!(distance <= allowed, "{constant} as operand {at} and {x} give {exact:e}, not {got:e}");
            }
        }
    }
}

// ---- what is exact

const SMALL: &[Float] = &[
    Float::F8E5M2,
    Float::F8E4M3,
    Float::F8E4M3FN,
    Float::F8E5M2FNUZ,
    Float::F8E4M3FNUZ,
    Float::F8E4M3B11FNUZ,
    Float::F8E3M4,
    Float::F8E8M0FNU,
    Float::F6E2M3FN,
    Float::F6E3M2FN,
    Float::F4E2M1FN,
];

/// Expanded and as it is, an operation gives the same; all NaNs are one.
fn agree(name: &str, inputs: &[Tensor], result: Scalar) {
    let [got, expected] = [true, false].map(|expanded| tensor(name, inputs, result, expanded));
    let n = inputs[0].shape[0] as usize;
    let width = result.bytes();
    let (got_values, values) = (got.to_f64(), expected.to_f64());
    for at in 0..n {
        let same = got.bytes[at * width..][..width] == expected.bytes[at * width..][..width];
        let nan = got_values[at].is_nan() && values[at].is_nan();
        let operands = || inputs.iter().map(|tensor| tensor.to_f64()[at]).collect::<Vec<f64>>();
        assert!(same || nan, "{name} {:?} -> {result} is {}, not {}", operands(), values[at], got_values[at]);
    }
}

/// Every number of a small format.
fn all(float: Float) -> Tensor {
    let n = 1 << float.bits();
    let bytes: Vec<u8> = (0..THREADS.max(n)).map(|bits| (bits % n) as u8).collect();
    Tensor { elem: Scalar::Float(float), shape: vec![bytes.len() as i64], bytes }
}

/// Numbers near those of a small format, the middles between them, and random ones.
fn near(random: &mut Random, small: Float, wide: Float) -> Tensor {
    let mut values: Vec<f64> = all(small).to_f64();
    let neighbours: Vec<f64> = values.windows(2).map(|pair| (pair[0] + pair[1]) / 2.0).collect();
    values.extend(neighbours);
    let step = if wide == Float::F64 { 2f64.powi(-50) } else { 2f64.powi(-22) };
    let off: Vec<f64> = values.iter().flat_map(|value| [value * (1.0 + step), value * (1.0 - step)]).collect();
    values.extend(off);
    values.extend(self::values(random, Float::F32, 4096, 0));
    values.truncate(values.len() / THREADS * THREADS);
    Tensor::from_f64(Scalar::Float(wide), &[values.len() as i64], &values)
}

/// Conversions from every number of every small format, and to each of them from what lies around its numbers.
#[test]
fn conversions_of_small_floats() {
    let mut random = Random(7);
    for &small in SMALL {
        for wide in [Float::F32, Float::F64, Float::F16, Float::BF16] {
            agree("arith.extf", &[all(small)], Scalar::Float(wide));
            agree("arith.truncf", &[near(&mut random, small, wide)], Scalar::Float(small));
        }
    }
}

/// Two tensors of random bits of a format.
fn bits(random: &mut Random, elem: Scalar, n: usize) -> Tensor {
    let bytes = elem.bytes();
    let mask = if elem.bits() < 8 { (1 << elem.bits()) - 1 } else { 0xFF };
    let data = (0..n * bytes).map(|_| random.below(256) as u8 & mask).collect();
    Tensor { elem, shape: vec![n as i64], bytes: data }
}

/// Arithmetic on small floats rounds once.
#[test]
fn arithmetic_on_small_floats() {
    let mut random = Random(11);
    for &small in SMALL {
        let elem = Scalar::Float(small);
        let operands: Vec<Tensor> = (0..3).map(|_| bits(&mut random, elem, 2048)).collect();
        for op in ["arith.addf", "arith.subf", "arith.mulf", "arith.divf", "arith.maximumf", "arith.minnumf"] {
            agree(op, &operands[..2], elem);
        }
        agree("math.fma", &operands, elem);
        agree("math.sqrt", &operands[..1], elem);
        agree("math.isnan", &operands[..1], Scalar::Int(1));
        agree("math.isnormal", &operands[..1], Scalar::Int(1));
        agree("arith.fptosi", &[Tensor::from_f64(elem, &[256], &[1.5; 256])], Scalar::Int(32));
    }
}

/// Scales are brought to powers of two first.
#[test]
fn scaling() {
    let mut random = Random(13);
    let scale = bits(&mut random, Scalar::Float(Float::F8E8M0FNU), 2048);
    for small in [Float::F8E4M3FN, Float::F4E2M1FN] {
        let x = bits(&mut random, Scalar::Float(small), 2048);
        agree("arith.scaling_extf", &[x, scale.clone()], Scalar::Float(Float::F32));
        let x = Tensor::from_f64(Scalar::Float(Float::F32), &[2048], &values(&mut random, Float::F32, 2048, 0));
        agree("arith.scaling_truncf", &[x, scale.clone()], Scalar::Float(small));
    }
}

/// Powers of integers wrap, and negative exponents leave the integer part.
#[test]
fn powers_of_integers() {
    let mut random = Random(17);
    for width in [1, 4, 8, 16, 32, 64] {
        let elem = Scalar::Int(width);
        let numbers = |random: &mut Random| {
            let values: Vec<i64> = (0..2048).map(|_| random.below(21) as i64 - 10).collect();
            Tensor::from_i64(elem, &[2048], &values)
        };
        let operands = [numbers(&mut random), numbers(&mut random)];
        agree("math.ipowi", &operands, elem);
    }
}

/// Integer exponents keep all their digits.
#[test]
fn powers_by_integers() {
    let mut random = Random(19);
    let x: Vec<f64> = values(&mut random, Float::F32, 2048, 0);
    let x = Tensor::from_f64(Scalar::Float(Float::F32), &[2048], &x);
    let n: Vec<i64> =
        (0..2048).map(|at| if at % 5 == 0 { random.below(1 << 30) as i64 } else { at % 23 - 11 }).collect();
    let n = Tensor::from_i64(Scalar::Int(32), &[2048], &n);
    let got = results("math.fpowi", &[x.clone(), n.clone()], Float::F32, true);
    let wide = Tensor::from_f64(Scalar::Float(Float::F64), &[2048], &x.to_f64());
    let exact = results("math.fpowi", &[wide, n.clone()], Float::F64, false);
    for (at, (&got, &exact)) in got.iter().zip(&exact).enumerate() {
        let distance = ulps(Float::F32, got, exact);
        assert!(distance <= 1.5, "{:e}^{} is {exact:e}, not {got:e}: {distance}", x.to_f64()[at], n.to_f64()[at]);
    }
}

/// Tests and limits of floats.
#[test]
fn tests_of_floats() {
    let mut random = Random(23);
    for float in [Float::F16, Float::BF16, Float::F32, Float::F64] {
        let x = bits(&mut random, Scalar::Float(float), 4096);
        for op in ["math.isfinite", "math.isinf", "math.isnan", "math.isnormal"] {
            agree(op, std::slice::from_ref(&x), Scalar::Int(1));
        }
        let operands =
            [x, bits(&mut random, Scalar::Float(float), 4096), bits(&mut random, Scalar::Float(float), 4096)];
        agree("math.clampf", &operands, Scalar::Float(float));
        agree("math.round", &operands[..1], Scalar::Float(float));
    }
}
