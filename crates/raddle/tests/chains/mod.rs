//! Random chains of structured operations on tensors.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::fmt::Write;

use raddle_emu::Tensor;
use raddle_ir::{Float, Scalar};

use crate::common::Rng;

/// A tensor of a program that is being written.
#[derive(Clone)]
struct Value {
    name: String,
    shape: Vec<i64>,
}

/// `tensor<4x8xi32>`
pub fn ty(shape: &[i64], elem: &str) -> String {
    let extents: String = shape.iter().map(|n| format!("{n}x")).collect();
    format!("tensor<{extents}{elem}>")
}

/// `affine_map<(d0, d1) -> (d1)>`
fn map(rank: usize, dims: &[usize]) -> String {
    let loops: Vec<String> = (0..rank).map(|d| format!("d{d}")).collect();
    let results: Vec<String> = dims.iter().map(|d| format!("d{d}")).collect();
    format!("affine_map<({}) -> ({})>", loops.join(", "), results.join(", "))
}

struct Writer {
    rng: Rng,
    elem: &'static str,
    text: String,
    values: Vec<Value>,
    n: usize,
}

impl Writer {
    fn ty(&self, shape: &[i64]) -> String {
        ty(shape, self.elem)
    }

    /// An operation by its integer name, or that on floats.
    fn op(&self, name: &'static str) -> &'static str {
        let floats = [
            ("addi", "addf"),
            ("subi", "subf"),
            ("muli", "mulf"),
            ("maxsi", "maximumf"),
            ("minsi", "minimumf"),
            ("xori", "divf"),
        ];
        let float = floats.iter().find(|pair| pair.0 == name && self.elem.starts_with('f'));
        float.map_or(name, |pair| pair.1)
    }

    fn fresh(&mut self) -> String {
        self.n += 1;
        format!("%v{}", self.n)
    }

    /// One of the values; the latest are taken most often, so that chains get long.
    fn any(&mut self) -> Value {
        let n = self.values.len();
        let at = if self.rng.below(3) > 0 { n - 1 } else { self.rng.below(n) };
        self.values[at].clone()
    }

    fn push(&mut self, name: String, shape: Vec<i64>) {
        self.values.push(Value { name, shape });
    }

    /// A `linalg.generic` over loops of these extents.
    fn generic(&mut self, inputs: &[(Value, Vec<usize>)], extents: &[i64], out: &[usize], init: &str, body: &str) {
        let shape: Vec<i64> = out.iter().map(|&d| extents[d]).collect();
        let name = self.fresh();
        let mut maps: Vec<String> = inputs.iter().map(|(_, dims)| map(extents.len(), dims)).collect();
        maps.push(map(extents.len(), out));
        let iterators: Vec<&str> =
            (0..extents.len()).map(|d| if out.contains(&d) { "\"parallel\"" } else { "\"reduction\"" }).collect();
        let names: Vec<&str> = inputs.iter().map(|(value, _)| value.name.as_str()).collect();
        let types: Vec<String> = inputs.iter().map(|(value, _)| self.ty(&value.shape)).collect();
        let (elem, result) = (self.elem, self.ty(&shape));
        let args: String = (0..inputs.len()).map(|i| format!("%x{i}: {elem}, ")).collect();
        let _ = writeln!(
            self.text,
            "  {name} = linalg.generic {{indexing_maps = [{}], iterator_types = [{}]}} ins({} : {}) outs({init} : {result}) {{\n  \
             ^bb0({args}%o: {elem}):\n{body}    linalg.yield %r : {elem}\n  }} -> {result}",
            maps.join(", "),
            iterators.join(", "),
            names.join(", "),
            types.join(", "),
        );
        self.push(name, shape);
    }

    fn empty(&mut self, shape: &[i64]) -> String {
        let (name, ty) = (self.fresh(), self.ty(shape));
        let _ = writeln!(self.text, "  {name} = tensor.empty() : {ty}");
        name
    }

    fn filled(&mut self, shape: &[i64]) -> String {
        let (empty, name) = (self.empty(shape), self.fresh());
        let scalar = self.rng.pick(&["%zero", "%one"]);
        let (ty, elem) = (self.ty(shape), self.elem);
        let _ = writeln!(self.text, "  {name} = linalg.fill ins({scalar} : {elem}) outs({empty} : {ty}) -> {ty}");
        name
    }

    fn step(&mut self) {
        let value = self.any();
        let rank = value.shape.len();
        let all: Vec<usize> = (0..rank).collect();
        match self.rng.below(20) {
            16.. => self.piece(&value),
            10.. => self.reshaping(value),
            // Elementwise with another value, which may have fewer dimensions.
            0..=2 => {
                let fits = |other: &&Value| -> bool {
                    other.shape == value.shape || other.shape.len() == 1 && value.shape.contains(&other.shape[0])
                };
                let others: Vec<Value> = self.values.iter().filter(fits).cloned().collect();
                let other = self.rng.pick(&others);
                let dims = if other.shape == value.shape {
                    all.clone()
                } else {
                    vec![all.iter().copied().find(|&d| value.shape[d] == other.shape[0]).unwrap()]
                };
                let op = self.rng.pick(&["addi", "subi", "muli", "maxsi", "minsi"]);
                let init = self.empty(&value.shape);
                let body = format!("    %r = arith.{} %x0, %x1 : {}\n", self.op(op), self.elem);
                let (shape, inputs) = (value.shape.clone(), [(value, all.clone()), (other, dims)]);
                self.generic(&inputs, &shape, &all, &init, &body);
            }
            3 => {
                let init = self.empty(&value.shape);
                let shape = value.shape.clone();
                let body = format!("    %r = arith.{} %x0, %three : {}\n", self.op("xori"), self.elem);
                self.generic(&[(value, all.clone())], &shape, &all, &init, &body);
            }
            // A reduction of one dimension.
            4 | 5 if rank > 1 => {
                let gone = self.rng.below(rank);
                let out: Vec<usize> = all.iter().copied().filter(|&d| d != gone).collect();
                let shape: Vec<i64> = out.iter().map(|&d| value.shape[d]).collect();
                let init = self.filled(&shape);
                let op = self.rng.pick(&["addi", "maxsi", "minsi"]);
                let body = format!("    %r = arith.{} %x0, %o : {}\n", self.op(op), self.elem);
                let extents = value.shape.clone();
                self.generic(&[(value, all)], &extents, &out, &init, &body);
            }
            // A transposed copy.
            6 if rank > 1 => {
                let out: Vec<usize> = all.iter().rev().copied().collect();
                let shape: Vec<i64> = out.iter().map(|&d| value.shape[d]).collect();
                let init = self.empty(&shape);
                let extents = value.shape.clone();
                let body = format!("    %r = arith.{} %x0, %one : {}\n", self.op("addi"), self.elem);
                self.generic(&[(value, all)], &extents, &out, &init, &body);
            }
            // A product.
            7 | 8 if rank == 2 => {
                let fits = |other: &&Value| other.shape.len() == 2 && other.shape[0] == value.shape[1];
                let others: Vec<Value> = self.values.iter().filter(fits).cloned().collect();
                if others.is_empty() {
                    return;
                }
                let other = self.rng.pick(&others);
                let extents = [value.shape[0], other.shape[1], value.shape[1]];
                let init = self.filled(&extents[..2]);
                let (times, plus, elem) = (self.op("muli"), self.op("addi"), self.elem);
                let body = format!("    %p = arith.{times} %x0, %x1 : {elem}\n    %r = arith.{plus} %p, %o : {elem}\n");
                self.generic(&[(value, vec![0, 2]), (other, vec![2, 1])], &extents, &[0, 1], &init, &body);
            }
            // The same elements in another shape.
            _ if rank == 2 => {
                let (name, shape) = (self.fresh(), vec![value.shape.iter().product()]);
                let (from, to) = (self.ty(&value.shape), self.ty(&shape));
                let _ =
                    writeln!(self.text, "  {name} = tensor.collapse_shape {} [[0, 1]] : {from} into {to}", value.name);
                self.push(name, shape);
            }
            _ => {}
        }
    }
}

/// Steps as programs of PyTorch have them: dimensions come and go, and what is reduced keeps one.
impl Writer {
    fn reshaping(&mut self, value: Value) {
        let rank = value.shape.len();
        match self.rng.below(6) {
            // A dimension becomes two, one of which may be of extent 1.
            0 if rank < 5 && rank > 0 => {
                let d = self.rng.below(rank);
                let n = value.shape[d];
                let factors: Vec<i64> = (1..=n).filter(|factor| n % factor == 0).collect();
                let factor = self.rng.pick(&factors);
                let mut shape = value.shape.clone();
                shape.splice(d..=d, [n / factor, factor]);
                self.reshape("expand_shape", &value, shape, d);
            }
            1 if rank > 1 => {
                let d = self.rng.below(rank - 1);
                let mut shape = value.shape.clone();
                let joined = shape.remove(d) * shape[d];
                shape[d] = joined;
                self.reshape("collapse_shape", &value, shape, d);
            }
            // A reduction that keeps a dimension of extent 1; of two results, nobody reads the second.
            2 | 3 if rank > 0 => {
                let gone = self.rng.below(rank);
                let mut shape = value.shape.clone();
                shape[gone] = 1;
                let init = self.filled(&shape);
                let name = self.fresh();
                let loops: Vec<String> = (0..rank).map(|d| format!("d{d}")).collect();
                let kept: Vec<&str> = (0..rank).map(|d| if d == gone { "0" } else { loops[d].as_str() }).collect();
                let (loops, kept) = (loops.join(", "), kept.join(", "));
                let iterators: Vec<&str> =
                    (0..rank).map(|d| if d == gone { "\"reduction\"" } else { "\"parallel\"" }).collect();
                let (from, to, elem) = (self.ty(&value.shape), self.ty(&shape), self.elem);
                let op = self.rng.pick(&["addi", "maxsi", "minsi"]);
                let op = self.op(op);
                let _ = writeln!(
                    self.text,
                    "  {name}:2 = linalg.generic {{indexing_maps = [affine_map<({loops}) -> ({loops})>, \
                     affine_map<({loops}) -> ({kept})>, affine_map<({loops}) -> ({kept})>], iterator_types = [{}]}} \
                     ins({} : {from}) outs({init}, {init} : {to}, {to}) {{\n  ^bb0(%x0: {elem}, %o: {elem}, %q: {elem}):\n    \
                     %r = arith.{op} %x0, %o : {elem}\n    %s = arith.{op} %r, %q : {elem}\n    \
                     linalg.yield %r, %s : {elem}, {elem}\n  }} -> ({to}, {to})",
                    iterators.join(", "),
                    value.name,
                );
                self.push(format!("{name}#0"), shape);
            }
            // Elementwise with a value that has dimensions of extent 1.
            4 if rank > 0 => {
                let fits = |other: &&Value| {
                    other.shape.len() == rank && other.shape.iter().zip(&value.shape).all(|(&n, &m)| n == 1 || n == m)
                };
                let others: Vec<Value> = self.values.iter().filter(fits).cloned().collect();
                let other = self.rng.pick(&others);
                let loops: Vec<String> = (0..rank).map(|d| format!("d{d}")).collect();
                let read: Vec<&str> =
                    (0..rank).map(|d| if other.shape[d] == 1 { "0" } else { loops[d].as_str() }).collect();
                let (loops, read) = (loops.join(", "), read.join(", "));
                let (init, name) = (self.empty(&value.shape), self.fresh());
                let (of, to, elem) = (self.ty(&other.shape), self.ty(&value.shape), self.elem);
                let op = self.rng.pick(&["addi", "subi", "muli"]);
                let op = self.op(op);
                let _ = writeln!(
                    self.text,
                    "  {name} = linalg.generic {{indexing_maps = [affine_map<({loops}) -> ({loops})>, \
                     affine_map<({loops}) -> ({read})>, affine_map<({loops}) -> ({loops})>], iterator_types = [{}]}} \
                     ins({}, {} : {to}, {of}) outs({init} : {to}) {{\n  ^bb0(%x0: {elem}, %x1: {elem}, %o: {elem}):\n    \
                     %r = arith.{op} %x0, %x1 : {elem}\n    linalg.yield %r : {elem}\n  }} -> {to}",
                    vec!["\"parallel\""; rank].join(", "),
                    value.name,
                    other.name,
                );
                self.push(name, value.shape);
            }
            _ if rank > 1 => {
                let mut order: Vec<usize> = (0..rank).collect();
                for d in 1..rank {
                    let other = self.rng.below(d + 1);
                    order.swap(d, other);
                }
                let shape: Vec<i64> = order.iter().map(|&d| value.shape[d]).collect();
                let (init, name) = (self.empty(&shape), self.fresh());
                let (from, to) = (self.ty(&value.shape), self.ty(&shape));
                let _ = writeln!(
                    self.text,
                    "  {name} = linalg.transpose ins({} : {from}) outs({init} : {to}) permutation = {order:?}",
                    value.name
                );
                self.push(name, shape);
            }
            _ => {}
        }
    }

    /// A reshape after which, or before which, dimensions `d` and `d + 1` are one.
    fn reshape(&mut self, op: &str, value: &Value, shape: Vec<i64>, d: usize) {
        let name = self.fresh();
        let short = shape.len().min(value.shape.len());
        let group = |g: usize| match g.cmp(&d) {
            std::cmp::Ordering::Less => format!("[{g}]"),
            std::cmp::Ordering::Equal => format!("[{g}, {}]", g + 1),
            std::cmp::Ordering::Greater => format!("[{}]", g + 1),
        };
        let groups: Vec<String> = (0..short).map(group).collect();
        let sizes = if op == "expand_shape" { format!(" output_shape {shape:?}") } else { String::new() };
        let (from, to) = (self.ty(&value.shape), self.ty(&shape));
        let _ = writeln!(
            self.text,
            "  {name} = tensor.{op} {} [{}]{sizes} : {from} into {to}",
            value.name,
            groups.join(", ")
        );
        self.push(name, shape);
    }
}

/// Steps that put tensors together, take parts of them, and pad them.
impl Writer {
    fn piece(&mut self, value: &Value) {
        /// Extents do not grow beyond this.
        const LONG: i64 = 100;
        let rank = value.shape.len();
        if rank == 0 {
            return;
        }
        let name = self.fresh();
        let (d, of) = (self.rng.below(rank), self.ty(&value.shape));
        let mut shape = value.shape.clone();
        match self.rng.below(4) {
            0 if shape[d] <= LONG => {
                let others = self.values.iter().filter(|other| {
                    other.shape.len() == rank && (0..rank).all(|at| at == d || other.shape[at] == value.shape[at])
                });
                let others: Vec<Value> = others.cloned().collect();
                let other = self.rng.pick(&others);
                shape[d] += other.shape[d];
                let (with, to) = (self.ty(&other.shape), self.ty(&shape));
                let _ = writeln!(
                    self.text,
                    "  {name} = tensor.concat dim({d}) {}, {} : ({of}, {with}) -> {to}",
                    value.name, other.name
                );
            }
            1 if shape[d] <= LONG => {
                let (low, high) = (self.rng.below(5) as i64, self.rng.below(4) as i64);
                shape[d] += low + high;
                let only = |n: i64| (0..rank).map(|at| if at == d { n } else { 0 }).collect::<Vec<i64>>();
                let (low, high, to) = (only(low), only(high), self.ty(&shape));
                let indices: Vec<String> = (0..rank).map(|at| format!("%i{at}: index")).collect();
                let constant = self.rng.pick(&["%zero", "%three"]);
                let _ = writeln!(
                    self.text,
                    "  {name} = tensor.pad {} low{low:?} high{high:?} {{\n  ^bb0({}):\n    tensor.yield {constant} : {}\n  }} : {of} to {to}",
                    value.name,
                    indices.join(", "),
                    self.elem
                );
            }
            // A part, or a part that replaces another one.
            kind => {
                let first: Vec<i64> = shape.iter().map(|&n| self.rng.below(n as usize) as i64).collect();
                let whole = shape.clone();
                for (size, first) in shape.iter_mut().zip(&first) {
                    *size = 1 + self.rng.below((*size - first) as usize) as i64;
                }
                let (part, ones) = (self.ty(&shape), vec![1; rank]);
                let _ = writeln!(
                    self.text,
                    "  {name} = tensor.extract_slice {}{first:?} {shape:?} {ones:?} : {of} to {part}",
                    value.name
                );
                if kind == 2 {
                    let (slice, new) = (name.clone(), self.fresh());
                    let at: Vec<i64> = whole
                        .iter()
                        .zip(&shape)
                        .map(|(n, size)| self.rng.below((n - size) as usize + 1) as i64)
                        .collect();
                    let _ = writeln!(
                        self.text,
                        "  {new} = tensor.insert_slice {slice} into {}{at:?} {shape:?} {ones:?} : {part} into {of}",
                        value.name
                    );
                    self.push(new, whole);
                    return;
                }
            }
        }
        self.push(name, shape);
    }
}

/// The program of a seed on tensors of `elem`, and what it reads.
pub fn program(seed: u64, elem: &'static str) -> (String, Vec<Tensor>) {
    let mut rng = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(99));
    let extents: Vec<i64> = (0..2).map(|_| rng.pick(&[1, 3, 4, 8, 16, 24, 32, 64])).collect();
    let shapes = [extents.clone(), vec![extents[1], extents[0]], vec![extents[0]], vec![extents[1]]];
    let values: Vec<Value> =
        shapes.iter().enumerate().map(|(i, shape)| Value { name: format!("%a{i}"), shape: shape.clone() }).collect();
    let mut writer = Writer { rng, elem, text: String::new(), values, n: 0 };
    let steps = 2 + writer.rng.below(9);
    for _ in 0..steps {
        writer.step();
    }
    // A program that only reshapes has no kernel.
    let last = writer.values[writer.values.len() - 1].clone();
    let (shape, all): (Vec<i64>, Vec<usize>) = (last.shape.clone(), (0..last.shape.len()).collect());
    let init = writer.empty(&shape);
    let body = format!("    %r = arith.{} %x0, %three : {elem}\n", writer.op("addi"));
    writer.generic(&[(last, all.clone())], &shape, &all, &init, &body);
    let Writer { mut rng, text, values, .. } = writer;
    let args: Vec<String> = shapes.iter().enumerate().map(|(i, shape)| format!("%a{i}: {}", ty(shape, elem))).collect();
    let made: Vec<&Value> = values[shapes.len()..].iter().collect();
    let mut results: Vec<&Value> = made.last().copied().into_iter().collect();
    if made.len() > 1 && rng.below(3) == 0 {
        results.push(made[rng.below(made.len() - 1)]);
    }
    let types: Vec<String> = results.iter().map(|value| ty(&value.shape, elem)).collect();
    let names: Vec<&str> = results.iter().map(|value| value.name.as_str()).collect();
    let returned = if names.is_empty() {
        "  return".to_owned()
    } else {
        format!("  return {} : {}", names.join(", "), types.join(", "))
    };
    let point = if elem.starts_with('f') { ".0" } else { "" };
    let text = format!(
        "func.func @f({}) -> ({}) {{\n  %zero = arith.constant 0{point} : {elem}\n  \
         %one = arith.constant 1{point} : {elem}\n  %three = arith.constant 3{point} : {elem}\n{text}{returned}\n}}\n",
        args.join(", "),
        types.join(", ")
    );
    let tensor = |shape: &Vec<i64>| {
        let n = shape.iter().product::<i64>();
        let values: Vec<f64> = (0..n).map(|_| rng.below(15) as f64 - 7.0).collect();
        Tensor::from_f64(scalar(elem), shape, &values)
    };
    let args = shapes.iter().map(tensor).collect();
    (text, args)
}

/// The type of elements of that name.
fn scalar(elem: &str) -> Scalar {
    match elem {
        "f32" => Scalar::Float(Float::F32),
        "f64" => Scalar::Float(Float::F64),
        int => Scalar::Int(int[1..].parse().unwrap()),
    }
}
