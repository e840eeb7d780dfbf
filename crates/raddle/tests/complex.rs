//! Random programs on complex numbers: what the emulator makes of them as they are written is what plain arithmetic on
//! pairs in this file gives, and so is what their kernels give, in which no complex number is left.
//!
//! `RADDLE_PROGRAMS=500 RADDLE_SEED=7 cargo test -p raddle --test all complex` runs more of them.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::fmt::Write;

use raddle::pipeline::{self, Program};
use raddle_emu::{Launch, Options, Tensor, run as emulate};
use raddle_ir::{Float, Ir, OpId, Scalar};
use raddle_passes::Facts;
use raddle_target::{Stage, chip};

use crate::common::{Rng, programs_and_seed, raddle_with};

type Complex = (f64, f64);
/// A function of two complex numbers, and one to a real number.
type Binary = fn(Complex, Complex) -> Complex;
type Part = fn(Complex) -> f64;

fn mul(a: Complex, b: Complex) -> Complex {
    (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0)
}

fn div(a: Complex, b: Complex) -> Complex {
    let below = b.0 * b.0 + b.1 * b.1;
    ((a.0 * b.0 + a.1 * b.1) / below, (a.1 * b.0 - a.0 * b.1) / below)
}

fn exp(z: Complex) -> Complex {
    (z.0.exp() * z.1.cos(), z.0.exp() * z.1.sin())
}

fn log(z: Complex) -> Complex {
    (0.5 * (z.0 * z.0 + z.1 * z.1).ln(), z.1.atan2(z.0))
}

fn root(z: Complex) -> Complex {
    let (length, angle) = ((z.0 * z.0 + z.1 * z.1).sqrt(), z.1.atan2(z.0));
    (length.sqrt() * (0.5 * angle).cos(), length.sqrt() * (0.5 * angle).sin())
}

fn sin(z: Complex) -> Complex {
    (z.0.sin() * z.1.cosh(), z.0.cos() * z.1.sinh())
}

fn cos(z: Complex) -> Complex {
    (z.0.cos() * z.1.cosh(), -z.0.sin() * z.1.sinh())
}

/// An operation, what it takes, and what it means; arguments of functions that grow are made small first.
struct Row {
    name: &'static str,
    small: bool,
    meaning: fn(Complex) -> Complex,
}

const fn row(name: &'static str, small: bool, meaning: fn(Complex) -> Complex) -> Row {
    Row { name, small, meaning }
}

const UNARY: &[Row] = &[
    row("neg", false, |z| (-z.0, -z.1)),
    row("conj", false, |z| (z.0, -z.1)),
    row("exp", true, exp),
    row("expm1", true, |z| (exp(z).0 - 1.0, exp(z).1)),
    row("log", false, log),
    row("log1p", false, |z| log((1.0 + z.0, z.1))),
    row("sqrt", false, root),
    row("rsqrt", false, |z| div((1.0, 0.0), root(z))),
    row("sin", true, sin),
    row("cos", true, cos),
    row("tan", true, |z| div(sin(z), cos(z))),
    row("tanh", true, |z| {
        let (plus, minus) = (exp(z), exp((-z.0, -z.1)));
        div((plus.0 - minus.0, plus.1 - minus.1), (plus.0 + minus.0, plus.1 + minus.1))
    }),
    row("sign", false, |z| (z.0 / z.0.hypot(z.1), z.1 / z.0.hypot(z.1))),
];

const BINARY: &[(&str, Binary)] =
    &[("add", |a, b| (a.0 + b.0, a.1 + b.1)), ("sub", |a, b| (a.0 - b.0, a.1 - b.1)), ("mul", mul), ("div", div)];

/// Functions to real numbers.
const PARTS: &[(&str, Part)] =
    &[("re", |z| z.0), ("im", |z| z.1), ("abs", |z| z.0.hypot(z.1)), ("angle", |z| z.1.atan2(z.0))];

/// A value of a program: its name, rows and columns, and its elements.
#[derive(Clone)]
struct Value {
    name: String,
    shape: [usize; 2],
    elements: Vec<Complex>,
}

impl Value {
    fn at(&self, i: usize, j: usize) -> Complex {
        self.elements[i * self.shape[1] + j]
    }
}

/// A program, its arguments, and its results, of which the last one is real.
struct Generated {
    text: String,
    args: Vec<Tensor>,
    results: Vec<Vec<f64>>,
}

struct Generator {
    rng: Rng,
    elem: &'static str,
    text: String,
    values: Vec<Value>,
    n: usize,
}

const PLAIN: &str = "affine_map<(i, j) -> (i, j)>";

impl Generator {
    fn ty(&self, [rows, columns]: [usize; 2]) -> String {
        format!("tensor<{rows}x{columns}xcomplex<{}>>", self.elem)
    }

    fn name(&mut self) -> String {
        self.n += 1;
        format!("%v{}", self.n)
    }

    fn line(&mut self, line: &str) {
        writeln!(self.text, "  {line}").unwrap();
    }

    fn empty(&mut self, shape: [usize; 2]) -> String {
        let (name, ty) = (self.name(), self.ty(shape));
        self.line(&format!("{name} = tensor.empty() : {ty}"));
        name
    }

    /// A value with these elements, which the line behind the equals sign makes.
    fn add(&mut self, line: &str, shape: [usize; 2], of: impl Fn(usize, usize) -> Complex) {
        let name = self.name();
        self.line(&format!("{name} = {line}"));
        let elements = (0..shape[0]).flat_map(|i| (0..shape[1]).map(move |j| (i, j))).map(|(i, j)| of(i, j)).collect();
        self.values.push(Value { name, shape, elements });
    }

    fn pick(&mut self) -> Value {
        let values = self.values.clone();
        self.rng.pick(&values)
    }

    /// One operation on each element of two values of one shape; the second one is passed over by functions of one.
    fn elementwise(&mut self) {
        let (a, mut b) = (self.pick(), self.pick());
        if a.shape != b.shape {
            b = a.clone();
        }
        let (ty, elem) = (self.ty(a.shape), format!("complex<{}>", self.elem));
        let empty = self.empty(a.shape);
        let part = self.elem;
        let (body, meaning): (String, Box<dyn Fn(Complex, Complex) -> Complex>) = if self.rng.below(2) == 0 {
            let Row { name, small, meaning } = &UNARY[self.rng.below(UNARY.len())];
            let by = if *small { 0.25 } else { 1.0 };
            let body = format!(
                "%k = complex.constant [{by:?} : {part}, 0.0 : {part}] : {elem}\n    \
                 %t = complex.mul %x, %k : {elem}\n    %u = complex.{name} %t : {elem}"
            );
            (body, Box::new(move |a, _| meaning(mul(a, (by, 0.0)))))
        } else {
            let (name, meaning) = BINARY[self.rng.below(BINARY.len())];
            (format!("%u = complex.{name} %x, %y : {elem}"), Box::new(meaning))
        };
        // Of size one again: what comes next is not to overflow.
        let line = format!(
            "linalg.generic {{indexing_maps = [{PLAIN}, {PLAIN}, {PLAIN}], iterator_types = [\"parallel\", \"parallel\"]}} \
             ins({}, {} : {ty}, {ty}) outs({empty} : {ty}) {{\n  ^bb0(%x: {elem}, %y: {elem}, %o: {elem}):\n    {body}\n    \
             %one = arith.constant 1.0 : {part}\n    %size = complex.abs %u : {elem}\n    \
             %more = arith.addf %size, %one : {part}\n    %zero = arith.constant 0.0 : {part}\n    \
             %below = complex.create %more, %zero : {elem}\n    %r = complex.div %u, %below : {elem}\n    \
             linalg.yield %r : {elem}\n  }} -> {ty}",
            a.name, b.name
        );
        self.add(&line, a.shape, |i, j| {
            let z = meaning(a.at(i, j), b.at(i, j));
            let below = 1.0 + z.0.hypot(z.1);
            (z.0 / below, z.1 / below)
        });
    }

    /// One operation that moves elements, or sums them.
    fn whole(&mut self) {
        let a = self.pick();
        let [m, n] = a.shape;
        let (ty, part) = (self.ty(a.shape), self.elem);
        let number = format!("complex<{part}>");
        match self.rng.below(6) {
            0 => {
                let (empty, to) = (self.empty([n, m]), self.ty([n, m]));
                let line = format!("linalg.transpose ins({} : {ty}) outs({empty} : {to}) permutation = [1, 0]", a.name);
                self.add(&line, [n, m], |i, j| a.at(j, i));
            }
            1 if m > 1 => {
                let to = self.ty([m - 1, n]);
                let line = format!("tensor.extract_slice {}[1, 0] [{}, {n}] [1, 1] : {ty} to {to}", a.name, m - 1);
                self.add(&line, [m - 1, n], |i, j| a.at(i + 1, j));
            }
            2 => {
                let (pad, to) = (self.name(), self.ty([m, n + 2]));
                self.line(&format!("{pad} = complex.constant [0.5 : {part}, -0.25 : {part}] : {number}"));
                let line = format!(
                    "tensor.pad {} low[0, 1] high[0, 1] {{\n  ^bb0(%i: index, %j: index):\n    \
                     tensor.yield {pad} : {number}\n  }} : {ty} to {to}",
                    a.name
                );
                let inside = |j: usize| j > 0 && j <= n;
                self.add(&line, [m, n + 2], |i, j| if inside(j) { a.at(i, j - 1) } else { (0.5, -0.25) });
            }
            3 => {
                let to = self.ty([2 * m, n]);
                let line = format!("tensor.concat dim(0) {0}, {0} : ({ty}, {ty}) -> {to}", a.name);
                self.add(&line, [2 * m, n], |i, j| a.at(i % m, j));
            }
            4 => {
                // The mean of each column, for all rows.
                let (empty, zero, fill) = (self.name(), self.name(), self.name());
                let (sum, all) = (self.name(), self.empty([m, n]));
                let line = format!("tensor<{n}x{number}>");
                self.line(&format!("{empty} = tensor.empty() : {line}"));
                self.line(&format!("{zero} = complex.constant [0.0 : {part}, 0.0 : {part}] : {number}"));
                self.line(&format!("{fill} = linalg.fill ins({zero} : {number}) outs({empty} : {line}) -> {line}"));
                self.line(&format!(
                    "{sum} = linalg.generic {{indexing_maps = [{PLAIN}, affine_map<(i, j) -> (j)>], \
                     iterator_types = [\"reduction\", \"parallel\"]}} ins({} : {ty}) outs({fill} : {line}) {{\n  \
                     ^bb0(%x: {number}, %o: {number}):\n    \
                     %k = complex.constant [{:?} : {part}, 0.0 : {part}] : {number}\n    \
                     %t = complex.mul %x, %k : {number}\n    %s = complex.add %o, %t : {number}\n    \
                     linalg.yield %s : {number}\n  }} -> {line}",
                    a.name, 0.125
                ));
                let mean = format!("linalg.broadcast ins({sum} : {line}) outs({all} : {ty}) dimensions = [0]");
                self.add(&mean, [m, n], |_, j| {
                    (0..m).fold((0.0, 0.0), |sum, i| (sum.0 + 0.125 * a.at(i, j).0, sum.1 + 0.125 * a.at(i, j).1))
                });
            }
            _ => {
                // A product with the conjugate transpose, from zeros or from what is there.
                let start = if self.rng.below(2) == 0 { (0.0, 0.0) } else { (0.5, 1.0) };
                let (zero, fill, empty) = (self.name(), self.name(), self.empty([m, m]));
                let to = self.ty([m, m]);
                self.line(&format!(
                    "{zero} = complex.constant [{:?} : {part}, {:?} : {part}] : {number}",
                    start.0, start.1
                ));
                self.line(&format!("{fill} = linalg.fill ins({zero} : {number}) outs({empty} : {to}) -> {to}"));
                let line = format!(
                    "linalg.generic {{indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, \
                     affine_map<(i, j, k) -> (i, j)>], iterator_types = [\"parallel\", \"parallel\", \"reduction\"]}} \
                     ins({0}, {0} : {ty}, {ty}) outs({fill} : {to}) {{\n  \
                     ^bb0(%x: {number}, %y: {number}, %o: {number}):\n    %c = complex.conj %y : {number}\n    \
                     %t = complex.mul %x, %c : {number}\n    %s = complex.add %o, %t : {number}\n    \
                     linalg.yield %s : {number}\n  }} -> {to}",
                    a.name
                );
                self.add(&line, [m, m], |i, j| {
                    (0..n).fold(start, |sum, k| {
                        let (y, x) = (a.at(j, k), a.at(i, k));
                        let term = mul(x, (y.0, -y.1));
                        (sum.0 + term.0, sum.1 + term.1)
                    })
                });
            }
        }
    }
}

fn scalar(elem: &str) -> Scalar {
    Scalar::Float(if elem == "f32" { Float::F32 } else { Float::F64 })
}

fn generate(seed: u64) -> Generated {
    let rng = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(11));
    let elem = if seed.is_multiple_of(3) { "f64" } else { "f32" };
    let mut generator = Generator { rng, elem, text: String::new(), values: Vec::new(), n: 0 };
    let shape = [2 + generator.rng.below(5), 2 + generator.rng.below(9)];
    let mut args = Vec::new();
    for at in 0..2 {
        let mut number = || f64::from(((generator.rng.below(1 << 20) as f64 / f64::from(1 << 19) - 1.0) * 2.0) as f32);
        let parts: Vec<f64> = (0..2 * shape[0] * shape[1]).map(|_| number()).collect();
        args.push(Tensor::from_f64(scalar(elem), &[shape[0] as i64, shape[1] as i64, 2], &parts));
        let elements = parts.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect();
        generator.values.push(Value { name: format!("%a{at}"), shape, elements });
    }
    let ty = generator.ty(shape);
    for _ in 0..2 + generator.rng.below(4) {
        if generator.rng.below(2) == 0 { generator.elementwise() } else { generator.whole() }
    }
    let last = generator.values.last().unwrap().clone();
    let (name, meaning) = PARTS[generator.rng.below(PARTS.len())];
    let (of, number) = (generator.ty(last.shape), format!("complex<{elem}>"));
    let real = of.replace(&number, elem);
    generator.line(&format!("%e = tensor.empty() : {real}"));
    generator.line(&format!(
        "%p = linalg.generic {{indexing_maps = [{PLAIN}, {PLAIN}], iterator_types = [\"parallel\", \"parallel\"]}} \
         ins({} : {of}) outs(%e : {real}) {{\n  ^bb0(%x: {number}, %o: {elem}):\n    %r = complex.{name} %x : {number}\n    \
         linalg.yield %r : {elem}\n  }} -> {real}\n  return {}, %p : {of}, {real}",
        last.name, last.name
    ));
    let text = format!("func.func @f(%a0: {ty}, %a1: {ty}) -> ({of}, {real}) {{\n{}}}\n", generator.text);
    let parts = last.elements.iter().flat_map(|z| [z.0, z.1]).collect();
    let results = vec![parts, last.elements.iter().map(|&z| meaning(z)).collect()];
    Generated { text, args, results }
}

/// The shape that each result has outside.
fn shapes(ir: &Ir, func: OpId) -> Vec<(Vec<i64>, Scalar)> {
    let types = ir.signature(func).1.to_vec();
    types.into_iter().map(|ty| ir.outside(ty)).map(|(shape, elem)| (shape, elem.unwrap())).collect()
}

/// Runs the kernels of a function.
fn run(program: &Program, results: &[(Vec<i64>, Scalar)], args: &[Tensor]) -> Vec<Tensor> {
    let call = |ir: &Ir, kernel: OpId, results: &[(Vec<i64>, Scalar)], args: &[Tensor]| {
        let mut all = args.to_vec();
        all.extend(results.iter().map(|(shape, elem)| Tensor::zeros(*elem, shape)));
        let options = Options { uninitialised_args: (args.len()..all.len()).collect(), ..Options::default() };
        let ran = emulate(ir, kernel, &all, &Launch::of(ir, kernel).unwrap(), &options).unwrap();
        let made = ran.buffers.into_iter().skip(args.len()).zip(results);
        made.map(|(buffer, (shape, _))| Tensor { shape: shape.clone(), ..buffer }).collect::<Vec<_>>()
    };
    let Program { ir, kernels, host } = program;
    let Some(host) = host else { return call(ir, kernels[0], results, args) };
    let find = |name: &str| kernels.iter().position(|&kernel| ir.symbol_name(kernel) == Some(name));
    let mut one = |name: &str, args: &[Tensor], _: bool| {
        let at = find(name).unwrap();
        Ok(call(ir, kernels[at], &shapes(&host.ir, host.kernels[at]), args))
    };
    raddle_run::host::run(&host.ir, host.func, args, &|name: &str| find(name).is_some(), &mut one).unwrap()
}

/// The largest difference, of numbers of size one.
fn distance(got: &Tensor, want: &[f64]) -> f64 {
    let got = got.to_f64();
    assert_eq!(got.len(), want.len());
    let worst = |worst: f64, (got, want): (&f64, &f64)| if got == want { worst } else { worst.max((got - want).abs()) };
    let scale = want.iter().fold(1.0, |most: f64, value| most.max(value.abs()));
    let all_finite = got.iter().all(|value| value.is_finite());
    if all_finite { got.iter().zip(want).fold(0.0, worst) / scale } else { f64::INFINITY }
}

#[test]
fn kernels_and_the_emulator_compute_with_pairs() {
    let (n, first) = programs_and_seed(16, 0);
    for seed in first..first + n {
        let Generated { text, args, results } = generate(seed);
        let is_f64 = seed.is_multiple_of(3);
        // A branch cut may lie near an angle; a logarithm near one, and a sum near zero, lose digits.
        let near = if is_f64 { 1e-11 } else { 2e-3 };
        let ir = raddle_ir::parse(&text).unwrap_or_else(|diags| panic!("{diags:#?}\n{text}"));
        let func = pipeline::function(&ir, None).unwrap();
        let written = emulate(&ir, func, &args, &Launch::of(&ir, func).unwrap(), &Options::default());
        let written = written.unwrap_or_else(|diag| panic!("{diag:#?}\n{text}")).results;
        for (at, (got, want)) in written.iter().zip(&results).enumerate() {
            let apart = distance(got, want);
            assert!(apart < near, "seed {seed}: as written, result {at} is off by {apart:.2e}\n{text}");
        }
        for target in ["sm_80", "gfx942"] {
            let facts = Facts::new(chip(target).unwrap());
            let outside = shapes(&ir, func);
            let program = Program::of(ir.clone(), func, &facts);
            let mut program = program.unwrap_or_else(|diag| panic!("seed {seed}: {diag:#?}\n{text}"));
            program
                .advance(&facts, Stage::Lowered, |_, _| {})
                .unwrap_or_else(|diag| panic!("{seed}: {diag:#?}\n{text}"));
            for (at, (got, want)) in run(&program, &outside, &args).iter().zip(&written).enumerate() {
                let apart = distance(got, &want.to_f64());
                assert!(apart < near, "seed {seed}, {target}: result {at} is off by {apart:.2e}\n{text}");
            }
        }
        if seed % 8 == 0 {
            // A part that is zero says nothing of the size of the numbers that it is of.
            raddle_with(&["run", "-", "--quiet", "--device=ptx-emu", "--expected_atol=2e-3"], &text)
                .says(0, &["correct"]);
        }
    }
}

/// Loops, branches, calls and constants carry complex numbers; a number is an argument of its own.
#[test]
fn complex_numbers_go_through_the_host() {
    let text = "
func.func private @turned(%x: tensor<4xcomplex<f32>>, %by: complex<f32>) -> tensor<4xcomplex<f32>> {
  %e = tensor.empty() : tensor<4xcomplex<f32>>
  %y = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = [\"parallel\"]}
      ins(%x : tensor<4xcomplex<f32>>) outs(%e : tensor<4xcomplex<f32>>) {
  ^bb0(%a: complex<f32>, %o: complex<f32>):
    %b = complex.mul %a, %by : complex<f32>
    linalg.yield %b : complex<f32>
  } -> tensor<4xcomplex<f32>>
  return %y : tensor<4xcomplex<f32>>
}
func.func @f(%x: tensor<4xcomplex<f32>>, %by: complex<f32>, %n: index) -> tensor<4xcomplex<f32>> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %c = arith.constant dense<[(1.0, 0.0), (0.0, 1.0), (2.0, -1.0), (0.5, 0.5)]> : tensor<4xcomplex<f32>>
  %more = arith.cmpi sgt, %n, %one : index
  %start = scf.if %more -> (tensor<4xcomplex<f32>>) {
    scf.yield %x : tensor<4xcomplex<f32>>
  } else {
    scf.yield %c : tensor<4xcomplex<f32>>
  }
  %r = scf.for %i = %zero to %n step %one iter_args(%a = %start) -> (tensor<4xcomplex<f32>>) {
    %t = func.call @turned(%a, %by) : (tensor<4xcomplex<f32>>, complex<f32>) -> tensor<4xcomplex<f32>>
    scf.yield %t : tensor<4xcomplex<f32>>
  }
  return %r : tensor<4xcomplex<f32>>
}";
    let input = "--input=4xcomplex<f32>=1+2j -1 0.5j 3-1e0i";
    let run = |n: &str, want: &str| {
        let number = format!("--input={n}");
        let args = ["run", "-", "--function=f", "--quiet", "--output=-", input, "--input=complex<f32>=0+1j", &number];
        raddle_with(&args, text).says(0, &[want, "correct"]);
    };
    run("2", "tensor<4xcomplex<f32>>=-1-2j 1-0j -0-0.5j -3+1j");
    run("1", "tensor<4xcomplex<f32>>=0+1j -1+0j 1+2j -0.5+0.5j");
}

/// Products of complex matrices are products of real ones, by the instructions that these have.
#[test]
fn products_use_matrix_instructions() {
    let text = "
func.func @product(%a: tensor<32x24xcomplex<f64>>, %b: tensor<24x40xcomplex<f64>>) -> tensor<32x40xcomplex<f64>> {
  %zero = complex.constant [0.0 : f64, 0.0 : f64] : complex<f64>
  %e = tensor.empty() : tensor<32x40xcomplex<f64>>
  %f = linalg.fill ins(%zero : complex<f64>) outs(%e : tensor<32x40xcomplex<f64>>) -> tensor<32x40xcomplex<f64>>
  %c = linalg.matmul ins(%a, %b : tensor<32x24xcomplex<f64>>, tensor<24x40xcomplex<f64>>)
      outs(%f : tensor<32x40xcomplex<f64>>) -> tensor<32x40xcomplex<f64>>
  return %c : tensor<32x40xcomplex<f64>>
}";
    for target in ["--target=sm_80", "--target=gfx942"] {
        let ran = raddle_with(&["run", "-", target], text);
        ran.says(0, &["correct"]);
        // sm_80 is not configured to multiply f64 by matrix instructions.
        let has_some = !ran.out.contains(" 0 matrix instructions");
        assert_eq!(has_some, target.ends_with("gfx942"), "{}", ran.out);
    }
}

/// A factor that is every other column of an argument is read as it lies: no copy of several elements moves it.
#[test]
fn products_of_real_parts_read_every_other_number() {
    let text = "
func.func @product(%a: tensor<48x32xcomplex<f32>>, %b: tensor<32x40xf32>) -> tensor<48x40xf32> {
  %zero = arith.constant 0.0 : f32
  %ea = tensor.empty() : tensor<48x32xf32>
  %re = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = [\"parallel\", \"parallel\"]}
      ins(%a : tensor<48x32xcomplex<f32>>) outs(%ea : tensor<48x32xf32>) {
  ^bb0(%x: complex<f32>, %o: f32):
    %r = complex.re %x : complex<f32>
    linalg.yield %r : f32
  } -> tensor<48x32xf32>
  %e = tensor.empty() : tensor<48x40xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<48x40xf32>) -> tensor<48x40xf32>
  %c = linalg.matmul ins(%re, %b : tensor<48x32xf32>, tensor<32x40xf32>) outs(%f : tensor<48x40xf32>) -> tensor<48x40xf32>
  return %c : tensor<48x40xf32>
}
func.func @sliced(%a: tensor<48x32x2xf32>, %b: tensor<32x40xf32>) -> tensor<48x40xf32> {
  %zero = arith.constant 0.0 : f32
  %re = tensor.extract_slice %a[0, 0, 1] [48, 32, 1] [1, 1, 1] : tensor<48x32x2xf32> to tensor<48x32xf32>
  %e = tensor.empty() : tensor<48x40xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<48x40xf32>) -> tensor<48x40xf32>
  %c = linalg.matmul ins(%re, %b : tensor<48x32xf32>, tensor<32x40xf32>) outs(%f : tensor<48x40xf32>) -> tensor<48x40xf32>
  return %c : tensor<48x40xf32>
}";
    raddle_with(&["run", "-", "--all"], text).says(0, &["2 functions: 2 right"]);
}

/// What has no pair is refused, with what to do about it.
#[test]
fn what_is_left_out_is_refused() {
    let text = "func.func @f(%a: tensor<4xcomplex<f32>>, %n: i32) -> tensor<4xcomplex<f32>> {
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = [\"parallel\"]}
      outs(%a : tensor<4xcomplex<f32>>) {
  ^bb0(%x: complex<f32>):
    %y = complex.powi %x, %n : complex<f32>, i32
    linalg.yield %y : complex<f32>
  } -> tensor<4xcomplex<f32>>
  return %r : tensor<4xcomplex<f32>>
}";
    raddle_with(&["build", "-", "-o", "-"], text).says(1, &["E0305", "`complex.powi`", ":5:5"]);
}
