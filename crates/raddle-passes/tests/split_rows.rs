//! Programs whose vectors were split into rows mean what they meant.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::fmt::Write;

use raddle_emu::{Launch, Mode, Tensor};
use raddle_ir::{Class, Float, Ir, Opcode, Scalar, parse, print, verify};
use raddle_passes::{Facts, Options, PASSES};
use raddle_target::chip;

use crate::programs::{NUMBERS, Program, Rng};

fn split(text: &str) -> Ir {
    let mut ir = parse(text).unwrap_or_else(|diags| panic!("{diags:?}\n{text}"));
    let pass = PASSES.iter().find(|pass| pass.name == "split-rows").unwrap();
    for func in ir.funcs() {
        pass.apply(&mut ir, func, &Facts::new(chip("sm_80").unwrap()), &Options::of(pass.options)).unwrap();
    }
    assert_eq!(verify(&ir), [], "{text}\n{}", print(&ir, &Default::default()));
    ir
}

fn run(ir: &Ir, args: &[Tensor]) -> Vec<Tensor> {
    let func = ir.funcs()[0];
    let launch = Launch { mode: Mode::Simd, ..Launch::of(ir, func).unwrap() };
    raddle_emu::run(ir, func, args, &launch, &Default::default())
        .unwrap_or_else(|diag| panic!("{diag:?}\n{}", print(ir, &Default::default())))
        .buffers
}

/// Whether every operation that has a rule works on rows.
fn is_in_rows(ir: &Ir) -> bool {
    ir.walk(ir.funcs()[0]).into_iter().all(|op| {
        let known = ir.class(op) == Class::Elementwise
            || matches!(
                ir.opcode(op),
                Opcode::VectorTranspose
                    | Opcode::VectorShapeCast
                    | Opcode::ScfFor
                    | Opcode::ScfIf
                    | Opcode::ArithConstant
            );
        let rank = ir.results(op).map(|value| ir.shape_of(value).len()).max().unwrap_or(0);
        !known || rank < 2
    })
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Random kernels with loops, branches and masks.
#[test]
fn kernels_in_rows_mean_the_same() {
    let (count, first) = (number("RADDLE_PROGRAMS", 60), number("RADDLE_SEED", 0));
    for seed in first..first + count {
        let mut rng = Rng(seed * 6151 + 3);
        let elem = rng.pick(&["f32", "i32", "f16", "i64"]);
        let kernel = Program::kernel(rng, 32, 2, elem);
        let scalar = match kernel.elem {
            "i32" => Scalar::Int(32),
            "i64" => Scalar::Int(64),
            "f16" => Scalar::Float(Float::F16),
            _ => Scalar::Float(Float::F32),
        };
        let mut numbers = Rng(seed | 1);
        let (numeric, last) = kernel.buffers.split_at(kernel.buffers.len() - 1);
        let mut args: Vec<Tensor> = numeric
            .iter()
            .map(|shape| {
                let n = shape.iter().product::<i64>();
                let values: Vec<f64> = (0..n).map(|_| numbers.below(3) as f64 - 1.0).collect();
                Tensor::from_f64(scalar, shape, &values)
            })
            .collect();
        let values: Vec<i64> = (0..NUMBERS).map(|_| numbers.pick(&[-2, 0, 0, 1, 2, 3, 5, 8, 16, 40])).collect();
        args.push(Tensor::from_i64(Scalar::Int(32), &last[0], &values));
        let after = split(&kernel.text);
        let text = print(&after, &Default::default());
        assert!(is_in_rows(&after), "seed {seed}:\n{}\n{text}", kernel.text);
        let want = run(&parse(&kernel.text).unwrap(), &args);
        assert!(run(&after, &args) == want, "seed {seed}:\n{}\n{text}", kernel.text);
    }
}

/// A chain of operations that only move elements.
struct Chain {
    body: String,
    value: String,
    shape: Vec<i64>,
    next: usize,
}

impl Chain {
    fn ty(shape: &[i64]) -> String {
        let extents: Vec<String> = shape.iter().map(i64::to_string).collect();
        format!("vector<{}xi32>", extents.join("x"))
    }

    fn name(&mut self) -> String {
        self.next += 1;
        format!("%v{}", self.next)
    }

    /// A line that makes a new value of another shape of the current one.
    fn step(&mut self, shape: &[i64], make: impl Fn(&str, &str, &str) -> String) {
        let (name, from, to) = (self.name(), Chain::ty(&self.shape), Chain::ty(shape));
        let line = make(&self.value, &from, &to);
        let _ = writeln!(self.body, "    {name} = {line}");
        (self.value, self.shape) = (name, shape.to_vec());
    }

    /// A shape of as many elements.
    fn regrouped(&self, rng: &mut Rng) -> Vec<i64> {
        let mut left: i64 = self.shape.iter().product();
        let mut shape = Vec::new();
        for _ in 0..rng.below(4) {
            let divisors: Vec<i64> = (1..=left).filter(|n| left % n == 0).collect();
            let extent = rng.pick(&divisors);
            left /= extent;
            shape.push(extent);
        }
        shape.push(left);
        shape
    }

    fn random(rng: &mut Rng) -> Chain {
        let shape: Vec<i64> = (0..2 + rng.below(2)).map(|_| rng.pick(&[1, 2, 3, 4])).collect();
        let n: i64 = shape.iter().product();
        let mut chain = Chain { body: String::new(), value: "%in".to_owned(), shape: vec![n], next: 0 };
        let _ = writeln!(
            chain.body,
            "    %in = vector.transfer_read %m[%c0], %c0_i32 {{in_bounds = [true]}} : memref<64xi32>, vector<{n}xi32>"
        );
        chain.step(&shape, |value, from, to| format!("vector.shape_cast {value} : {from} to {to}"));
        for _ in 0..1 + rng.below(8) {
            chain.any(rng);
        }
        let n: i64 = chain.shape.iter().product();
        chain.step(&[n], |value, from, to| format!("vector.shape_cast {value} : {from} to {to}"));
        let _ = writeln!(
            chain.body,
            "    vector.transfer_write {}, %out[%c0] {{in_bounds = [true]}} : vector<{n}xi32>, memref<512xi32>",
            chain.value
        );
        chain
    }

    fn any(&mut self, rng: &mut Rng) {
        let (shape, rank) = (self.shape.clone(), self.shape.len());
        let last = rank - 1;
        match rng.below(14) {
            0 => {
                let mut perm: Vec<usize> = (0..rank).collect();
                (1..rank).rev().for_each(|i| perm.swap(i, rng.below(i + 1)));
                let to: Vec<i64> = perm.iter().map(|&d| shape[d]).collect();
                self.step(&to, |value, from, to| format!("vector.transpose {value}, {perm:?} : {from} to {to}"));
            }
            1 => {
                let to = self.regrouped(rng);
                self.step(&to, |value, from, to| format!("vector.shape_cast {value} : {from} to {to}"));
            }
            2 => {
                let sizes: Vec<i64> = shape.iter().map(|&n| 1 + rng.below(n as usize) as i64).collect();
                let offsets: Vec<i64> =
                    shape.iter().zip(&sizes).map(|(n, size)| rng.below((n - size) as usize + 1) as i64).collect();
                let ones = vec![1; rank];
                self.step(&sizes, |value, from, to| {
                    format!("vector.extract_strided_slice {value} {{offsets = {offsets:?}, sizes = {sizes:?}, strides = {ones:?}}} : {from} to {to}")
                });
            }
            3 => {
                // Into something larger, perhaps of more dimensions.
                let mut to: Vec<i64> = shape.iter().map(|n| n + rng.below(2) as i64).collect();
                let mut offsets: Vec<i64> =
                    shape.iter().zip(&to).map(|(n, size)| rng.below((size - n) as usize + 1) as i64).collect();
                if rng.chance(40) {
                    to.insert(0, 2);
                    offsets.insert(0, 1);
                }
                if to.iter().product::<i64>() > 256 {
                    return;
                }
                let (ones, dest) = (vec![1; rank], self.name());
                let _ = writeln!(self.body, "    {dest} = arith.constant dense<7> : {}", Chain::ty(&to));
                self.step(&to, |value, from, to| {
                    format!("vector.insert_strided_slice {value}, {dest} {{offsets = {offsets:?}, strides = {ones:?}}} : {from} into {to}")
                });
            }
            4 => {
                let mut to: Vec<i64> =
                    shape.iter().map(|&n| if n == 1 { 1 + rng.below(3) as i64 } else { n }).collect();
                if rng.chance(50) {
                    to.insert(0, 2);
                }
                if to.iter().product::<i64>() <= 256 {
                    self.step(&to, |value, from, to| format!("vector.broadcast {value} : {from} to {to}"));
                }
            }
            5 if rank > 1 => {
                let depth = 1 + rng.below(rank - 1);
                let at: Vec<i64> = shape[..depth].iter().map(|&n| rng.below(n as usize) as i64).collect();
                self.step(&shape[depth..], |value, from, to| {
                    format!("vector.extract {value}{at:?} : {to} from {from}")
                });
            }
            6 => {
                // An element taken and put elsewhere, then a row.
                let place = |rng: &mut Rng| shape.iter().map(|&n| rng.below(n as usize) as i64).collect::<Vec<_>>();
                let (from_at, to_at, element) = (place(rng), place(rng), self.name());
                let ty = Chain::ty(&shape);
                let _ = writeln!(self.body, "    {element} = vector.extract {}{from_at:?} : i32 from {ty}", self.value);
                self.step(&shape, |value, _, to| format!("vector.insert {element}, {value} {to_at:?} : i32 into {to}"));
                if rank > 1 {
                    let (row, ty) = (self.name(), Chain::ty(&shape[last..]));
                    let _ = writeln!(
                        self.body,
                        "    {row} = vector.extract {}{:?} : {ty} from {}",
                        self.value,
                        &from_at[..last],
                        Chain::ty(&shape)
                    );
                    self.step(&shape, |value, _, to| {
                        format!("vector.insert {row}, {value} {:?} : {ty} into {to}", &to_at[..last])
                    });
                }
            }
            7 => {
                let mut to = shape.clone();
                to[last] *= 2;
                if to.iter().product::<i64>() <= 256 {
                    let other = self.name();
                    let _ =
                        writeln!(self.body, "    {other} = arith.addi {0}, {0} : {1}", self.value, Chain::ty(&shape));
                    self.step(&to, |value, from, to| format!("vector.interleave {value}, {other} : {from} -> {to}"));
                }
            }
            8 if shape[last] % 2 == 0 => {
                let mut to = shape.clone();
                to[last] /= 2;
                let (name, other) = (self.name(), self.name());
                let (from, ty) = (Chain::ty(&shape), Chain::ty(&to));
                let _ =
                    writeln!(self.body, "    {name}, {other} = vector.deinterleave {} : {from} -> {ty}", self.value);
                (self.value, self.shape) = (name, to.clone());
                self.step(&to, |value, _, to| format!("arith.subi {value}, {other} : {to}"));
            }
            9 => {
                let (half, mut wide) = (self.name(), shape.clone());
                wide[last] *= 2;
                let wide = Chain::ty(&wide).replace("xi32", "xi16");
                let _ =
                    writeln!(self.body, "    {half} = vector.bitcast {} : {} to {wide}", self.value, Chain::ty(&shape));
                self.step(&shape, |_, _, to| format!("vector.bitcast {half} : {wide} to {to}"));
            }
            10 => {
                let n = shape.iter().product::<i64>();
                let (all, to) = (self.name(), self.regrouped(rng));
                let _ =
                    writeln!(self.body, "    {all}:{n} = vector.to_elements {} : {}", self.value, Chain::ty(&shape));
                // Backwards.
                let list: Vec<String> = (0..n).rev().map(|i| format!("{all}#{i}")).collect();
                self.step(&to, |_, _, to| format!("vector.from_elements {} : {to}", list.join(", ")));
            }
            11 if rank == 2 => {
                let (acc, by) = (self.name(), rng.below(2));
                let to = [shape[1 - by]];
                let firsts: Vec<i64> = (0..to[0]).map(|i| 3 + i).collect();
                let _ = writeln!(self.body, "    {acc} = arith.constant dense<{firsts:?}> : {}", Chain::ty(&to));
                self.step(&to, |value, from, to| {
                    format!("vector.multi_reduction <add>, {value}, {acc} [{by}] : {from} to {to}")
                });
            }
            12 => {
                // A loop carries it; a position is computed.
                let (result, arg) = (self.name(), self.name());
                let ty = Chain::ty(&shape);
                let zeros = vec![0; last];
                let at: Vec<String> = zeros.iter().map(i64::to_string).chain(["%i".to_owned()]).collect();
                let _ = write!(
                    self.body,
                    "    {result} = scf.for %i = %c0 to %c1 step %c1 iter_args({arg} = {}) -> ({ty}) {{
      {arg}e = vector.extract {arg}[{at}] : i32 from {ty}
      {arg}s = vector.broadcast {arg}e : i32 to {ty}
      {arg}n = arith.addi {arg}, {arg}s : {ty}
      scf.yield {arg}n : {ty}
    }}\n",
                    self.value,
                    at = at.join(", "),
                );
                self.value = result;
            }
            _ => {
                let dense = self.name();
                let n = shape.iter().product::<i64>();
                let numbers: Vec<String> = (0..n).map(|i| (i * 3 % 7).to_string()).collect();
                let flat = Chain::ty(&[n]);
                let _ = writeln!(self.body, "    {dense}f = arith.constant dense<[{}]> : {flat}", numbers.join(", "));
                let _ =
                    writeln!(self.body, "    {dense} = vector.shape_cast {dense}f : {flat} to {}", Chain::ty(&shape));
                self.step(&shape, |value, _, to| format!("arith.addi {value}, {dense} : {to}"));
            }
        }
    }
}

/// Chains of what moves elements: every element arrives where it did.
#[test]
fn elements_arrive_where_they_did() {
    let (count, first) = (number("RADDLE_PROGRAMS", 300), number("RADDLE_SEED", 0));
    for seed in first..first + count {
        let chain = Chain::random(&mut Rng(seed * 4099 + 1));
        let text = format!(
            "func.func @f(%m: memref<64xi32>, %out: memref<512xi32>) {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c0_i32 = arith.constant 0 : i32
{}    return
  }}",
            chain.body
        );
        let numbers: Vec<i64> = (0..64).map(|i| i * 65_537 + 11).collect();
        let args =
            [Tensor::from_i64(Scalar::Int(32), &[64], &numbers), Tensor::from_i64(Scalar::Int(32), &[512], &[0; 512])];
        let want = run(&parse(&text).unwrap_or_else(|diags| panic!("{diags:?}\n{text}")), &args);
        let after = split(&text);
        let printed = print(&after, &Default::default());
        assert!(is_in_rows(&after), "seed {seed}:\n{text}\n{printed}");
        assert!(run(&after, &args) == want, "seed {seed}:\n{text}\n{printed}");
    }
}

/// Functions take and return rows, calls pass them, and a function that is only declared keeps its types.
#[test]
fn functions_pass_rows() {
    let text = "func.func @f(%m: memref<2x2xi32>, %out: memref<2x2xi32>) {
        %c0 = arith.constant 0 : index
        %zero = arith.constant 0 : i32
        %v = vector.transfer_read %m[%c0, %c0], %zero {in_bounds = [true, true]} : memref<2x2xi32>, vector<2x2xi32>
        %w:2 = func.call @g(%v, %zero) : (vector<2x2xi32>, i32) -> (i32, vector<2x2xi32>)
        vector.transfer_write %w#1, %out[%c0, %c0] {in_bounds = [true, true]} : vector<2x2xi32>, memref<2x2xi32>
        return
      }
      func.func private @g(%v: vector<2x2xi32> {a.b}, %x: i32) -> (i32, vector<2x2xi32>) {
        %t = vector.transpose %v, [1, 0] : vector<2x2xi32> to vector<2x2xi32>
        return %x, %t : i32, vector<2x2xi32>
      }
      func.func private @h(vector<2x2xi32>)";
    let after = split(text);
    let printed = print(&after, &Default::default());
    assert!(
        printed.contains("@g(%arg0: vector<2xi32> {a.b}, %arg1: vector<2xi32> {a.b}, %arg2: i32) -> (i32, vector<2xi32>, vector<2xi32>)"),
        "{printed}"
    );
    assert!(printed.contains("@h(vector<2x2xi32>)"), "{printed}");
    let args = [[1, 2, 3, 4], [0; 4]].map(|numbers| Tensor::from_i64(Scalar::Int(32), &[2, 2], &numbers));
    assert!(run(&after, &args) == run(&parse(text).unwrap(), &args));
}

/// More rows than a program should have values are refused.
#[test]
fn too_many_rows_are_refused() {
    let text = "func.func @f() {
        %v = arith.constant dense<0> : vector<70000x2xi32>
        return
      }";
    let mut ir = parse(text).unwrap();
    let (func, pass) = (ir.funcs()[0], PASSES.iter().find(|pass| pass.name == "split-rows").unwrap());
    let refusal =
        pass.apply(&mut ir, func, &Facts::new(chip("sm_80").unwrap()), &Options::of(pass.options)).unwrap_err();
    assert!(refusal.message.contains("too many rows"), "{refusal:?}");
}
