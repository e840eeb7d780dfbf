//! Random chains of operations on tensors of open extents.
//!
//! The extents are numbers of several runs at once, so that whoever writes a step knows what fits in each of them: two
//! extents are the same where they are in every run. What follows from others (`n / 4`, `n - 3`, `m + n`) is arithmetic of
//! the program.
//!
//! With each value goes how large its elements may be, and how far rounding may move them. Sums and products of small whole
//! numbers are exact in any order, and must be given to the last bit.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::collections::BTreeSet;
use std::fmt::Write;

use raddle_emu::Tensor;
use raddle_ir::Scalar;

use crate::common::Rng;

/// Shapes with which each program is run.
pub const RUNS: usize = 3;
/// Elements of a tensor, at most.
const ELEMENTS_MAX: i64 = 12_000;
/// Products of two elements in a product of matrices, at most.
const PRODUCTS_MAX: i64 = 150_000;
/// Steps that are tried, at most.
const TRIES: usize = 40;
/// What floats that are not exact stay below, so that errors stay relative.
const FLOAT_MAX: f64 = 1e6;

/// A number that only the run knows: what it is in each of the runs.
type Numbers = [i64; RUNS];

/// An extent.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Extent {
    is_open: bool,
    in_run: Numbers,
}

impl Extent {
    fn fixed(extent: i64) -> Extent {
        Extent { is_open: false, in_run: [extent; RUNS] }
    }

    /// Open, unless it follows from fixed ones alone.
    fn of<const N: usize>(parts: [Extent; N], number: impl Fn([i64; N]) -> i64) -> Extent {
        let in_run = std::array::from_fn(|run| number(parts.map(|part| part.in_run[run])));
        Extent { is_open: parts.iter().any(|part| part.is_open), in_run }
    }

    fn is(self, other: Extent) -> bool {
        self.in_run == other.in_run
    }

    fn least(self) -> i64 {
        self.in_run.into_iter().min().unwrap()
    }

    fn most(self) -> i64 {
        self.in_run.into_iter().max().unwrap()
    }

    fn text(self) -> String {
        if self.is_open { "?".to_owned() } else { self.in_run[0].to_string() }
    }
}

/// A tensor of the program.
#[derive(Clone, Debug)]
struct Value {
    name: String,
    elem: &'static str,
    shape: Vec<Extent>,
    /// The largest size of an element.
    bound: f64,
    /// How far rounding may have moved an element, at most; 0 where all are exact.
    error: f64,
}

impl Value {
    fn is_exact(&self) -> bool {
        self.error == 0.0
    }

    fn ty(&self) -> String {
        ty(&self.shape, self.elem)
    }

    fn is_float(&self) -> bool {
        is_float(self.elem)
    }
}

fn ty(shape: &[Extent], elem: &str) -> String {
    let extents: String = shape.iter().map(|extent| extent.text() + "x").collect();
    format!("tensor<{extents}{elem}>")
}

/// The most elements that a shape has in a run; rows of none are rows.
fn n_elements(shape: &[Extent]) -> i64 {
    (0..RUNS).map(|run| shape.iter().map(|extent| extent.in_run[run].max(1)).product()).max().unwrap()
}

fn is_float(elem: &str) -> bool {
    elem.contains('f')
}

fn bits(elem: &str) -> u32 {
    match elem {
        "i8" => 8,
        "f16" | "bf16" => 16,
        _ => 32,
    }
}

/// Whole numbers up to here are exact.
fn exact_max(elem: &str) -> f64 {
    match elem {
        "f16" => 2048.0,
        "bf16" => 256.0,
        "f32" => f64::from(1 << 24),
        "i8" => 127.0,
        _ => f64::from(i32::MAX),
    }
}

/// How far one rounding moves a number of this size.
fn rounding(elem: &str, bound: f64) -> f64 {
    match elem {
        "f16" => bound / 1024.0,
        "bf16" => bound / 128.0,
        "f32" => bound / f64::from(1 << 23),
        _ => 0.0,
    }
}

/// The error of a sum of `n` terms that is not larger than `bound`.
fn sum_error(elem: &str, n: f64, term_error: f64, bound: f64) -> f64 {
    match term_error == 0.0 && bound <= exact_max(elem) {
        true => 0.0,
        false => n * term_error + rounding(elem, bound) * n.sqrt(),
    }
}

/// `affine_map<(d0, d1) -> (d1, 0)>`; `None` is the only element of a dimension of extent 1.
fn map(rank: usize, dims: &[Option<usize>]) -> String {
    let loops: Vec<String> = (0..rank).map(|d| format!("d{d}")).collect();
    let results: Vec<String> = dims.iter().map(|d| d.map_or("0".to_owned(), |d| format!("d{d}"))).collect();
    format!("affine_map<({}) -> ({})>", loops.join(", "), results.join(", "))
}

/// The loops of these numbers, in order.
fn loops(dims: impl IntoIterator<Item = usize>) -> Vec<Option<usize>> {
    dims.into_iter().map(Some).collect()
}

/// What an argument of the program is.
#[derive(Clone)]
pub struct Argument {
    pub name: String,
    pub ty: String,
    /// What it is in each run.
    pub data: Vec<Tensor>,
}

/// What a program returns.
#[derive(Clone)]
pub struct Returned {
    pub name: String,
    pub ty: String,
    /// How far rounding may have moved an element, at most; 0 where all are exact.
    pub error: f64,
}

/// A program, and what it is run with.
#[derive(Clone)]
pub struct Chain {
    pub args: Vec<Argument>,
    constants: BTreeSet<String>,
    body: String,
    pub results: Vec<Returned>,
    /// Every value that could be returned, and the length of the body up to where it is there.
    pub values: Vec<(Returned, usize)>,
}

impl Chain {
    pub fn text(&self) -> String {
        let list = |texts: Vec<String>| texts.join(", ");
        let args = self.args.iter().map(|arg| format!("{}: {}", arg.name, arg.ty)).collect();
        let types = || list(self.results.iter().map(|result| result.ty.clone()).collect());
        let names = list(self.results.iter().map(|result| result.name.clone()).collect());
        let constants: String = self.constants.iter().cloned().collect();
        format!(
            "func.func @f({}) -> ({}) {{\n{constants}{}  return {names} : {}\n}}\n",
            list(args),
            types(),
            self.body,
            types()
        )
    }

    /// The program up to one of its values, which it returns.
    pub fn up_to(&self, value: usize) -> Chain {
        let (result, len) = &self.values[value];
        Chain { body: self.body[..*len].to_owned(), results: vec![result.clone()], ..self.clone() }
    }
}

struct Writer {
    rng: Rng,
    args: Vec<Argument>,
    constants: BTreeSet<String>,
    body: String,
    values: Vec<Value>,
    /// Length of the body behind each value.
    ends: Vec<usize>,
    /// Numbers of the program, of type `index`.
    numbers: Vec<(String, Numbers)>,
    /// What the extents of arguments are taken from.
    symbols: Vec<Extent>,
    n: usize,
}

/// The chain of a seed.
pub fn chain(seed: u64) -> Chain {
    let mut rng = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(71));
    let n_symbols = 2 + rng.below(3);
    let mut symbols: Vec<Extent> = (0..n_symbols).map(|_| symbol(&mut rng)).collect();
    symbols[0].is_open = true;
    let mut writer = Writer {
        rng,
        args: Vec::new(),
        constants: BTreeSet::new(),
        body: String::new(),
        values: Vec::new(),
        ends: Vec::new(),
        numbers: Vec::new(),
        symbols,
        n: 0,
    };
    let rank = writer.rng.pick(&[1, 2, 2, 2, 3, 3, 4]);
    let shape: Vec<Extent> = (0..rank).map(|_| writer.any_extent()).collect();
    let elem = writer.rng.pick(&["f32", "f32", "f16", "f16", "bf16", "i8", "i32"]);
    let shape = if n_elements(&shape) > ELEMENTS_MAX { shape[..2].to_vec() } else { shape };
    writer.argument(&shape, elem);
    if writer.rng.below(2) == 0 {
        let shape: Vec<Extent> = (0..2).map(|_| writer.any_extent()).collect();
        writer.argument(&shape, elem);
    }
    let n_steps = 1 + writer.rng.below(8);
    // A step that does not fit the value it is tried on does nothing.
    for _ in 0..TRIES {
        if writer.made() < n_steps {
            writer.step();
        }
    }
    while writer.made() == 0 {
        let value = writer.values[0].clone();
        writer.unary(&value);
    }
    writer.done()
}

/// An extent that is drawn for each run, or the same in all.
fn symbol(rng: &mut Rng) -> Extent {
    let is_open = rng.below(4) != 0;
    let factor = rng.pick(&[1, 1, 2, 4, 8, 16]);
    let mut draw = || match rng.below(if is_open { 14 } else { 12 }) {
        0..5 => 1 + rng.below(9) as i64,
        5..8 => rng.pick(&[11, 13, 17, 23, 31, 37, 61, 67]),
        8..10 => rng.pick(&[8, 16, 24, 32, 64, 96, 128]),
        10 => rng.pick(&[15, 33, 63, 65, 100, 127, 130]),
        11 | 12 => 1,
        _ => 0,
    };
    let mut number = || (draw() * factor).min(if factor > 4 { 160 } else { 130 } / factor * factor);
    if !is_open {
        return Extent::fixed(number());
    }
    Extent { is_open, in_run: std::array::from_fn(|_| number()) }
}

impl Writer {
    fn fresh(&mut self, letter: char) -> String {
        self.n += 1;
        format!("%{letter}{}", self.n)
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.body, "  {text}");
    }

    /// Values that are not arguments.
    fn made(&self) -> usize {
        self.ends.iter().filter(|&&end| end > 0).count()
    }

    /// One of the extents of arguments, or a fixed one.
    fn any_extent(&mut self) -> Extent {
        match self.rng.below(6) {
            0 => Extent::fixed(self.rng.pick(&[1, 2, 3, 4, 7, 8, 16, 32])),
            _ => self.rng.pick(&self.symbols.clone()),
        }
    }

    fn draw(&mut self, elem: &str, shape: &[i64], most: i64) -> Tensor {
        let n = shape.iter().product::<i64>();
        let values: Vec<f64> = (0..n).map(|_| self.rng.from(-most, most) as f64).collect();
        Tensor::from_f64(Scalar::from_keyword(elem).unwrap(), shape, &values)
    }

    /// A new argument.
    fn argument(&mut self, shape: &[Extent], elem: &'static str) -> Value {
        const MOST: i64 = 3;
        let name = format!("%a{}", self.args.len());
        let shapes: Vec<Vec<i64>> =
            (0..RUNS).map(|run| shape.iter().map(|extent| extent.in_run[run]).collect()).collect();
        let data = shapes.iter().map(|shape| self.draw(elem, shape, MOST)).collect();
        self.args.push(Argument { name: name.clone(), ty: ty(shape, elem), data });
        let value = Value { name, elem, shape: shape.to_vec(), bound: MOST as f64, error: 0.0 };
        self.values.push(value.clone());
        self.ends.push(0);
        value
    }

    /// A number that the program is given.
    fn index_argument(&mut self, in_run: Numbers) -> String {
        let name = format!("%a{}", self.args.len());
        let data = in_run.map(|number| Tensor::from_i64(Scalar::Index, &[], &[number])).to_vec();
        self.args.push(Argument { name: name.clone(), ty: "index".to_owned(), data });
        self.numbers.push((name.clone(), in_run));
        name
    }

    /// A constant.
    fn constant(&mut self, number: i64, elem: &str) -> String {
        let sign = if number < 0 { "m" } else { "" };
        let name = format!("%c{sign}{}_{elem}", number.abs());
        let point = if is_float(elem) { ".0" } else { "" };
        self.constants.insert(format!("  {name} = arith.constant {number}{point} : {elem}\n"));
        name
    }

    /// A number of the program that is this in each run.
    fn number(&mut self, in_run: Numbers) -> String {
        let mut known: Vec<String> =
            self.numbers.iter().filter(|known| known.1 == in_run).map(|known| known.0.clone()).collect();
        let holds = |value: &Value| -> Vec<(String, String, usize)> {
            let dims = (0..value.shape.len()).filter(|&d| value.shape[d].is_open && value.shape[d].in_run == in_run);
            dims.map(|d| (value.name.clone(), value.ty(), d)).collect()
        };
        let held: Vec<(String, String, usize)> = self.values.iter().flat_map(holds).collect();
        // What is there already is taken as often as a dimension.
        if !held.is_empty() && (known.is_empty() || self.rng.below(2) == 0) {
            let (value, ty, d) = self.rng.pick(&held);
            let (at, name) = (self.constant(d as i64, "index"), self.fresh('d'));
            self.line(&format!("{name} = tensor.dim {value}, {at} : {ty}"));
            self.numbers.push((name.clone(), in_run));
            return name;
        }
        if known.is_empty() {
            let first = in_run[0];
            // A number of all runs, or one that follows from nothing: the program is given it.
            known.push(match in_run == [first; RUNS] {
                true => self.constant(first, "index"),
                false => self.index_argument(in_run),
            });
        }
        self.rng.pick(&known)
    }

    /// An extent as an operand or a number.
    fn size(&mut self, extent: Extent) -> String {
        if extent.is_open { self.number(extent.in_run) } else { extent.in_run[0].to_string() }
    }

    /// Arithmetic on two numbers of the program.
    fn arithmetic(&mut self, op: &str, a: &str, b: &str, in_run: Numbers) -> String {
        let name = self.fresh('n');
        self.line(&format!("{name} = arith.{op} {a}, {b} : index"));
        self.numbers.push((name.clone(), in_run));
        name
    }

    fn empty(&mut self, shape: &[Extent], elem: &str) -> String {
        let mut sizes = Vec::new();
        for extent in shape.iter().filter(|extent| extent.is_open) {
            sizes.push(self.number(extent.in_run));
        }
        let name = self.fresh('e');
        self.line(&format!("{name} = tensor.empty({}) : {}", sizes.join(", "), ty(shape, elem)));
        name
    }

    fn filled(&mut self, shape: &[Extent], elem: &str, with: i64) -> String {
        let (scalar, empty, name) = (self.constant(with, elem), self.empty(shape, elem), self.fresh('f'));
        let ty = ty(shape, elem);
        self.line(&format!("{name} = linalg.fill ins({scalar} : {elem}) outs({empty} : {ty}) -> {ty}"));
        name
    }

    /// A value of the program, and the error that it has from what it is computed of; integers wrap, and floats round.
    fn push(&mut self, name: String, elem: &'static str, shape: Vec<Extent>, bound: f64, error: f64) {
        let (bound, error) = match is_float(elem) {
            true if error == 0.0 && bound <= exact_max(elem) => (bound, 0.0),
            true => (bound, error + rounding(elem, bound)),
            false => (bound.min(exact_max(elem) + 1.0), 0.0),
        };
        self.values.push(Value { name, elem, shape, bound, error });
        self.ends.push(self.body.len());
    }

    /// Whether elements of this size are numbers of the type, and their errors relative to them.
    fn holds(elem: &str, bound: f64) -> bool {
        !is_float(elem) || bound <= if elem == "f16" { 2e4 } else { FLOAT_MAX }
    }

    /// One of the values; the latest are taken most often, so that chains get long.
    fn any(&mut self) -> Value {
        let n = self.values.len();
        let at = if self.rng.below(3) > 0 { n - 1 } else { self.rng.below(n) };
        self.values[at].clone()
    }

    /// A `linalg.generic`, whose body gives `%r` of the inputs `%x0`, `%x1`, … and of what was there, `%o`.
    fn generic(
        &mut self,
        inputs: &[(&Value, Vec<Option<usize>>)],
        extents: &[Extent],
        out: &[usize],
        elem: &'static str,
        init: &str,
        body: &str,
    ) -> (String, Vec<Extent>) {
        let shape: Vec<Extent> = out.iter().map(|&d| extents[d]).collect();
        let (name, rank) = (self.fresh('v'), extents.len());
        let mut maps: Vec<String> = inputs.iter().map(|(_, dims)| map(rank, dims)).collect();
        maps.push(map(rank, &loops(out.iter().copied())));
        let kinds: Vec<&str> =
            (0..rank).map(|d| if out.contains(&d) { "\"parallel\"" } else { "\"reduction\"" }).collect();
        let names: Vec<&str> = inputs.iter().map(|(value, _)| value.name.as_str()).collect();
        let types: Vec<String> = inputs.iter().map(|(value, _)| value.ty()).collect();
        let args: String = (0..inputs.len()).map(|i| format!("%x{i}: {}, ", inputs[i].0.elem)).collect();
        let result = ty(&shape, elem);
        let ins = match inputs.is_empty() {
            true => String::new(),
            false => format!("ins({} : {}) ", names.join(", "), types.join(", ")),
        };
        self.line(&format!(
            "{name} = linalg.generic {{indexing_maps = [{}], iterator_types = [{}]}} {ins}outs({init} : {result}) {{\n  \
             ^bb0({args}%o: {elem}):\n{body}    linalg.yield %r : {elem}\n  }} -> {result}",
            maps.join(", "),
            kinds.join(", "),
        ));
        (name, shape)
    }

    /// Elementwise, over all loops.
    fn pointwise(
        &mut self,
        inputs: &[(&Value, Vec<Option<usize>>)],
        shape: &[Extent],
        elem: &'static str,
        body: &str,
        bound: f64,
        error: f64,
    ) {
        let init = self.empty(shape, elem);
        let out: Vec<usize> = (0..shape.len()).collect();
        let (name, shape) = self.generic(inputs, shape, &out, elem, &init, body);
        self.push(name, elem, shape, bound, error);
    }

    fn step(&mut self) {
        let value = self.any();
        match self.rng.below(26) {
            0..=2 => self.unary(&value),
            3..=6 => self.binary(&value),
            7 | 8 => self.cast(&value),
            9 | 10 => self.reduction(&value),
            11 => self.softmax(&value),
            12 => self.norm(&value),
            13..=18 => self.product(&value),
            19 => self.transpose(&value),
            20 | 21 => self.slice(&value),
            22 | 23 => self.reshape(&value),
            24 => self.pad(&value),
            _ => self.concat(&value),
        }
    }

    fn unary(&mut self, value: &Value) {
        let (elem, all) = (value.elem, loops(0..value.shape.len()));
        let inputs = [(value, all)];
        let by = self.rng.from(2, 3);
        let scalar = self.constant(by, elem);
        let zero = self.constant(0, elem);
        let (b, e, times) = (value.bound, value.error, by as f64);
        let (body, bound, error) = if value.is_float() {
            match self.rng.below(9) {
                0 => (format!("    %r = arith.mulf %x0, {scalar} : {elem}\n"), b * times, e * times),
                1 => (format!("    %r = arith.addf %x0, {scalar} : {elem}\n"), b + times, e),
                2 => (format!("    %r = arith.maximumf %x0, {zero} : {elem}\n"), b, e),
                3 => (format!("    %r = arith.negf %x0 : {elem}\n"), b, e),
                4 => (format!("    %r = math.absf %x0 : {elem}\n"), b, e),
                // Below 1, whatever comes.
                5 => {
                    let one = self.constant(1, elem);
                    let body = format!(
                        "    %p = math.absf %x0 : {elem}\n    %q = arith.addf %p, {one} : {elem}\n    %r = arith.divf %x0, %q : {elem}\n"
                    );
                    (body, 1.0, 2.0 * e + rounding(elem, 2.0))
                }
                6 => (format!("    %r = math.tanh %x0 : {elem}\n"), 1.0, e + rounding(elem, 2.0)),
                7 if b <= 8.0 => {
                    (format!("    %r = math.exp %x0 : {elem}\n"), b.exp(), (e + rounding(elem, 2.0)) * b.exp())
                }
                // Signs are those of the exact result only where it is exact.
                8 if value.is_exact() => {
                    let body = format!(
                        "    %p = arith.cmpf olt, %x0, {zero} : {elem}\n    %q = arith.mulf %x0, {scalar} : {elem}\n    %r = arith.select %p, %q, %x0 : {elem}\n"
                    );
                    (body, b * times, 0.0)
                }
                _ => (format!("    %r = arith.subf {scalar}, %x0 : {elem}\n"), b + times, e),
            }
        } else {
            let op = self.rng.pick(&["muli", "addi", "maxsi", "xori", "subi", "andi", "index"]);
            match op {
                "muli" => (format!("    %r = arith.muli %x0, {scalar} : {elem}\n"), b * times, 0.0),
                "index" if !value.shape.is_empty() => {
                    let d = self.rng.below(value.shape.len());
                    let body = format!(
                        "    %p = linalg.index {d} : index\n    %q = arith.index_cast %p : index to {elem}\n    %r = arith.addi %x0, %q : {elem}\n"
                    );
                    (body, b + value.shape[d].most() as f64, 0.0)
                }
                "index" => return,
                op => (format!("    %r = arith.{op} %x0, {scalar} : {elem}\n"), b + times + 4.0, 0.0),
            }
        };
        if Self::holds(elem, bound) {
            self.pointwise(&inputs, &value.shape, elem, &body, bound, error);
        }
    }

    /// Which loops of a shape a value may be read along: each of its dimensions is one of them, in any order, or the only
    /// element of one.
    fn along(&mut self, value: &Value, shape: &[Extent]) -> Option<Vec<Option<usize>>> {
        let mut free: Vec<usize> = (0..shape.len()).collect();
        let mut dims = Vec::new();
        for &extent in &value.shape {
            let fits: Vec<usize> = free.iter().copied().filter(|&d| shape[d].is(extent)).collect();
            // The same place is what comes to mind first.
            let next = fits.iter().copied().find(|&d| dims.last().is_none_or(|&last| Some(d) > last));
            match (fits.is_empty(), !extent.is_open && extent.in_run[0] == 1) {
                (false, _) => {
                    let d = next.filter(|_| self.rng.below(6) != 0).unwrap_or_else(|| self.rng.pick(&fits));
                    free.retain(|&other| other != d);
                    dims.push(Some(d));
                }
                (true, true) => dims.push(None),
                (true, false) => return None,
            }
        }
        Some(dims)
    }

    /// Another value that can be read beside one, or a new argument.
    fn beside(&mut self, value: &Value) -> Option<(Value, Vec<Option<usize>>)> {
        let (shape, rank) = (value.shape.clone(), value.shape.len());
        let others: Vec<Value> = self.values.iter().filter(|other| other.elem == value.elem).cloned().collect();
        let mut fits = Vec::new();
        for other in others {
            if let Some(dims) = self.along(&other, &shape) {
                fits.push((other, dims));
            }
        }
        // An argument has some of the dimensions.
        if fits.len() < 2 || self.rng.below(3) == 0 {
            let dims: Vec<usize> = (0..rank).filter(|_| self.rng.below(2) == 0).collect();
            let own: Vec<Extent> = dims.iter().map(|&d| shape[d]).collect();
            let argument = self.argument(&own, value.elem);
            return Some((argument, loops(dims)));
        }
        Some(self.rng.pick(&fits))
    }

    fn binary(&mut self, value: &Value) {
        let Some((other, dims)) = self.beside(value) else { return };
        let (elem, all, (a, b)) = (value.elem, loops(0..value.shape.len()), (value.bound, other.bound));
        let (ea, eb) = (value.error, other.error);
        let (body, bound, error) = if value.is_float() {
            match self.rng.below(8) {
                0..=2 => (format!("    %r = arith.addf %x0, %x1 : {elem}\n"), a + b, ea + eb),
                3 => (format!("    %r = arith.subf %x0, %x1 : {elem}\n"), a + b, ea + eb),
                4 | 5 => (format!("    %r = arith.mulf %x0, %x1 : {elem}\n"), a * b, ea * b + eb * a),
                6 => (format!("    %r = arith.maximumf %x0, %x1 : {elem}\n"), a.max(b), ea.max(eb)),
                _ => {
                    let one = self.constant(1, elem);
                    let body = format!(
                        "    %p = arith.mulf %x1, %x1 : {elem}\n    %q = arith.addf %p, {one} : {elem}\n    %r = arith.divf %x0, %q : {elem}\n"
                    );
                    if !Self::holds(elem, b * b) {
                        return;
                    }
                    (body, a, ea + eb * a + rounding(elem, 3.0 * a))
                }
            }
        } else {
            match self.rng.pick(&["addi", "subi", "muli", "maxsi", "minsi"]) {
                "muli" => (format!("    %r = arith.muli %x0, %x1 : {elem}\n"), a * b, 0.0),
                op => (format!("    %r = arith.{op} %x0, %x1 : {elem}\n"), a + b, 0.0),
            }
        };
        if Self::holds(elem, bound) {
            self.pointwise(&[(value, all), (&other, dims)], &value.shape, elem, &body, bound, error);
        }
    }

    /// The operation that makes another type of `x`, with the name of what it makes.
    fn converted(&mut self, x: &str, from: &str, to: &str, name: &str) -> String {
        match (is_float(from), is_float(to)) {
            (true, true) if bits(from) == bits(to) => format!(
                "    {name}w = arith.extf {x} : {from} to f32\n    {name} = arith.truncf {name}w : f32 to {to}\n"
            ),
            (true, true) => {
                let op = if bits(from) < bits(to) { "extf" } else { "truncf" };
                format!("    {name} = arith.{op} {x} : {from} to {to}\n")
            }
            (false, true) => format!("    {name} = arith.sitofp {x} : {from} to {to}\n"),
            (false, false) => {
                let op = if bits(from) < bits(to) { "extsi" } else { "trunci" };
                format!("    {name} = arith.{op} {x} : {from} to {to}\n")
            }
            // What is beyond the type has no meaning there.
            (true, false) => {
                let (low, high) = (self.constant(-100, from), self.constant(100, from));
                format!(
                    "    {name}l = arith.maximumf {x}, {low} : {from}\n    {name}h = arith.minimumf {name}l, {high} : {from}\n    \
                     {name} = arith.fptosi {name}h : {from} to {to}\n"
                )
            }
        }
    }

    fn cast(&mut self, value: &Value) {
        let from = value.elem;
        let mut types = vec!["f32", "f16", "bf16", "i8", "i32"];
        // What is rounded down may be rounded to either side of a whole number.
        types.retain(|&to| to != from && (is_float(to) || !is_float(from) || value.is_exact()));
        let to = self.rng.pick(&types);
        let body = self.converted("%x0", from, to, "%r");
        let bound = if is_float(from) && !is_float(to) { value.bound.min(100.0) } else { value.bound };
        if Self::holds(to, bound) {
            let all = loops(0..value.shape.len());
            self.pointwise(&[(value, all)], &value.shape, to, &body, bound, value.error);
        }
    }

    /// A reduction along one dimension or two, which may be kept with one element.
    fn reduction(&mut self, value: &Value) {
        let (rank, elem) = (value.shape.len(), value.elem);
        if rank == 0 {
            return;
        }
        let first = self.rng.below(rank);
        let gone = if self.rng.below(5) == 0 { vec![first, self.rng.below(rank)] } else { vec![first] };
        let out: Vec<usize> = (0..rank).filter(|d| !gone.contains(d)).collect();
        let n: f64 = (0..rank).filter(|d| gone.contains(d)).map(|d| value.shape[d].most().max(1) as f64).product();
        let (op, bound) = match self.rng.below(4) {
            0 | 1 => ("add", value.bound * n + 1.0),
            2 => ("max", value.bound.max(1.0)),
            _ => ("min", value.bound.max(1.0)),
        };
        let error = if op == "add" { sum_error(elem, n, value.error, bound) } else { value.error };
        if !Self::holds(elem, bound) {
            return;
        }
        let op = match (op, value.is_float()) {
            ("add", true) => "addf",
            ("add", false) => "addi",
            ("max", true) => "maximumf",
            ("max", false) => "maxsi",
            (_, true) => "minimumf",
            (_, false) => "minsi",
        };
        let shape: Vec<Extent> = out.iter().map(|&d| value.shape[d]).collect();
        let start = self.rng.from(0, 1);
        let init = self.filled(&shape, elem, start);
        let body = format!("    %r = arith.{op} %x0, %o : {elem}\n");
        let (name, shape) = self.generic(&[(value, loops(0..rank))], &value.shape, &out, elem, &init, &body);
        self.push(name, elem, shape, bound, error);
    }

    fn softmax(&mut self, value: &Value) {
        let (rank, elem) = (value.shape.len(), value.elem);
        if rank == 0 || !value.is_float() || value.bound > 30.0 {
            return;
        }
        let d = self.rng.below(rank);
        let (init, name, ty) = (self.empty(&value.shape, elem), self.fresh('v'), value.ty());
        self.line(&format!(
            "{name} = linalg.softmax dimension({d}) ins({} : {ty}) outs({init} : {ty}) -> {ty}",
            value.name
        ));
        let error = 2.0 * value.error + rounding(elem, 8.0 + value.shape[d].most() as f64);
        self.push(name, elem, value.shape.clone(), 1.0, error);
    }

    /// Each line less its mean, over the root of its mean square.
    fn norm(&mut self, value: &Value) {
        let (rank, elem) = (value.shape.len(), value.elem);
        if rank == 0 || !value.is_float() {
            return;
        }
        let d = self.rng.below(rank);
        let n = value.shape[d];
        let bound = value.bound * value.bound * 4.0 * n.most().max(1) as f64;
        if !Self::holds(elem, bound) {
            return;
        }
        let out: Vec<usize> = (0..rank).filter(|&other| other != d).collect();
        let (all, kept) = (loops(0..rank), loops(out.iter().copied()));
        let line: Vec<Extent> = out.iter().map(|&d| value.shape[d]).collect();
        // The number of elements in a line, as a number of the type.
        let count = {
            let index = self.number(n.in_run);
            let (whole, float) = (self.fresh('n'), self.fresh('n'));
            self.line(&format!("{whole} = arith.index_cast {index} : index to i32"));
            self.line(&format!("{float} = arith.sitofp {whole} : i32 to {elem}"));
            float
        };
        let init = self.filled(&line, elem, 0);
        let body = format!("    %r = arith.addf %x0, %o : {elem}\n");
        let (name, _) = self.generic(&[(value, all.clone())], &value.shape, &out, elem, &init, &body);
        let sum = Value { name, elem, shape: line.clone(), bound: 0.0, error: 0.0 };
        let body = format!("    %p = arith.divf %x1, {count} : {elem}\n    %r = arith.subf %x0, %p : {elem}\n");
        let init = self.empty(&value.shape, elem);
        let inputs = [(value, all.clone()), (&sum, kept.clone())];
        let every: Vec<usize> = (0..rank).collect();
        let (name, _) = self.generic(&inputs, &value.shape, &every, elem, &init, &body);
        let centred = Value { name, elem, shape: value.shape.clone(), bound: 0.0, error: 0.0 };
        let init = self.filled(&line, elem, 0);
        let body = format!("    %p = arith.mulf %x0, %x0 : {elem}\n    %r = arith.addf %p, %o : {elem}\n");
        let (name, _) = self.generic(&[(&centred, all.clone())], &value.shape, &out, elem, &init, &body);
        let square = Value { name, elem, shape: line, bound: 0.0, error: 0.0 };
        let one = self.constant(1, elem);
        let body = format!(
            "    %p = arith.divf %x1, {count} : {elem}\n    %q = arith.addf %p, {one} : {elem}\n    \
             %s = math.rsqrt %q : {elem}\n    %r = arith.mulf %x0, %s : {elem}\n"
        );
        let (n, b) = (n.most().max(1) as f64, value.bound);
        // The mean, what is left of an element, the mean square, and the quotient.
        let mean = value.error + rounding(elem, b * n.sqrt());
        let left = value.error + mean + rounding(elem, 2.0 * b);
        let square_error = 4.0 * b * left + rounding(elem, 4.0 * b * b * n.sqrt());
        let error = left + 2.0 * b * square_error + rounding(elem, 2.0 * b);
        self.pointwise(&[(&centred, all), (&square, kept)], &value.shape, elem, &body, n.sqrt(), error);
    }

    /// A product with another value, or with a new argument: by any order of dimensions, in types that may differ, onto
    /// zeros or a value that is there; with a bias and an activation behind it, or none.
    fn product(&mut self, value: &Value) {
        let (rank, from) = (value.shape.len(), value.elem);
        if !(2..=3).contains(&rank) {
            return;
        }
        let is_batched = rank == 3;
        let at = rank - 2 + self.rng.pick(&[1, 1, 1, 0]);
        let (k, m) = (value.shape[at], value.shape[rank - 2 + (rank - 1 - at)]);
        let to = match from {
            "f16" => self.rng.pick(&["f32", "f32", "f16"]),
            "bf16" => "f32",
            "i8" => "i32",
            _ => from,
        };
        // The other factor: b x k x n, b x n x k, or without b.
        let has_batch = is_batched && self.rng.below(3) != 0;
        let is_turned = self.rng.below(2) == 0;
        let other_elem = match (from, self.rng.below(8)) {
            ("f32", 0) => "f16",
            ("f16", 0) => "f32",
            ("f16" | "f32", 1) => "i8",
            _ => from,
        };
        let to = if other_elem == "f32" { "f32" } else { to };
        let n_batch = usize::from(has_batch);
        let k_at = n_batch + usize::from(is_turned);
        let n_at = n_batch + usize::from(!is_turned);
        let fits = |other: &&Value| {
            other.elem == other_elem
                && other.shape.len() == 2 + n_batch
                && other.shape[k_at].is(k)
                && (!has_batch || other.shape[0].is(value.shape[0]))
        };
        let others: Vec<Value> = self.values.iter().filter(fits).cloned().collect();
        let other = if others.is_empty() || self.rng.below(2) == 0 {
            let mut shape = vec![k; 2 + n_batch];
            shape[n_at] = self.any_extent();
            if has_batch {
                shape[0] = value.shape[0];
            }
            if n_elements(&shape) > ELEMENTS_MAX {
                return;
            }
            self.argument(&shape, other_elem)
        } else {
            self.rng.pick(&others)
        };
        let n = other.shape[n_at];
        let batch = if is_batched { vec![value.shape[0]] } else { Vec::new() };
        let extents = [batch.clone(), vec![m, n, k]].concat();
        let bound = value.bound * other.bound * k.most().max(1) as f64;
        let out_shape = [batch, vec![m, n]].concat();
        let n_terms = k.most().max(1) as f64;
        let term_error = value.error * other.bound + other.error * value.bound;
        // Where rounding decides, f16 is too coarse for sums of many.
        if n_elements(&extents) > PRODUCTS_MAX
            || n_elements(&out_shape) > ELEMENTS_MAX
            || !Self::holds(to, bound)
            || from == "i8" && other_elem != "i8"
        {
            return;
        }
        let out: Vec<usize> = (0..rank).collect();
        let (m_loop, n_loop, k_loop) = (rank - 2, rank - 1, rank);
        let mut a = loops(0..rank - 2);
        a.extend(if at == rank - 1 { [Some(m_loop), Some(k_loop)] } else { [Some(k_loop), Some(m_loop)] });
        let mut b = if has_batch { loops(0..1) } else { Vec::new() };
        b.extend(if is_turned { [Some(n_loop), Some(k_loop)] } else { [Some(k_loop), Some(n_loop)] });
        // Onto what there is, or onto zeros.
        let sums: Vec<Value> = self
            .values
            .iter()
            .filter(|sum| {
                let is_alike = |(a, b): (&Extent, &Extent)| a.is(*b) && a.is_open == b.is_open;
                sum.elem == to && sum.shape.len() == rank && sum.shape.iter().zip(&out_shape).all(is_alike)
            })
            .cloned()
            .collect();
        let (init, start_bound, start_error) = if sums.is_empty() || self.rng.below(2) == 0 {
            (self.filled(&out_shape, to, 0), 0.0, 0.0)
        } else {
            let sum = self.rng.pick(&sums);
            (sum.name, sum.bound, sum.error)
        };
        let bound = bound + start_bound;
        if !Self::holds(to, bound) {
            return;
        }
        let is_plain = at == rank - 1 && !is_turned && n_batch == usize::from(is_batched) && from == other_elem;
        let name = if is_plain && self.rng.below(2) == 0 {
            let (name, op) = (self.fresh('v'), if is_batched { "batch_matmul" } else { "matmul" });
            let (ta, tb, tc) = (value.ty(), other.ty(), ty(&out_shape, to));
            self.line(&format!(
                "{name} = linalg.{op} ins({}, {} : {ta}, {tb}) outs({init} : {tc}) -> {tc}",
                value.name, other.name
            ));
            name
        } else {
            let (mut body, mut names) = (String::new(), Vec::new());
            for (i, elem) in [from, other_elem].into_iter().enumerate() {
                names.push(format!("%x{i}"));
                if elem != to {
                    body += &self.converted(&format!("%x{i}"), elem, to, &format!("%w{i}"));
                    names[i] = format!("%w{i}");
                }
            }
            let (times, plus) = if is_float(to) { ("mulf", "addf") } else { ("muli", "addi") };
            body += &format!(
                "    %p = arith.{times} {}, {} : {to}\n    %r = arith.{plus} %o, %p : {to}\n",
                names[0], names[1]
            );
            self.generic(&[(value, a), (&other, b)], &extents, &out, to, &init, &body).0
        };
        self.push(name, to, out_shape, bound, start_error + sum_error(to, n_terms, term_error, bound));
        if self.rng.below(2) == 0 {
            let product = self.values[self.values.len() - 1].clone();
            self.bias(&product);
        }
    }

    /// A bias along the last dimension, and what is below 0 is 0.
    fn bias(&mut self, value: &Value) {
        let (rank, elem) = (value.shape.len(), value.elem);
        let bias = self.argument(&value.shape[rank - 1..], elem);
        let (zero, bound) = (self.constant(0, elem), value.bound + bias.bound);
        let (plus, most) = if value.is_float() { ("addf", "maximumf") } else { ("addi", "maxsi") };
        let body = format!("    %p = arith.{plus} %x0, %x1 : {elem}\n    %r = arith.{most} %p, {zero} : {elem}\n");
        let inputs = [(value, loops(0..rank)), (&bias, loops([rank - 1]))];
        self.pointwise(&inputs, &value.shape, elem, &body, bound, value.error);
    }

    fn transpose(&mut self, value: &Value) {
        let rank = value.shape.len();
        let mut order: Vec<usize> = (0..rank).collect();
        for d in 1..rank {
            let other = self.rng.below(d + 1);
            order.swap(d, other);
        }
        let shape: Vec<Extent> = order.iter().map(|&d| value.shape[d]).collect();
        let (init, name) = (self.empty(&shape, value.elem), self.fresh('v'));
        let (from, to) = (value.ty(), ty(&shape, value.elem));
        self.line(&format!(
            "{name} = linalg.transpose ins({} : {from}) outs({init} : {to}) permutation = {order:?}",
            value.name
        ));
        self.push(name, value.elem, shape, value.bound, value.error);
    }

    /// A part, which may replace another one: at places and of sizes that the program states or that only the run knows.
    fn slice(&mut self, value: &Value) {
        let rank = value.shape.len();
        if rank == 0 {
            return;
        }
        let zero = Extent::fixed(0);
        let (mut offsets, mut shape, mut strides) = (vec![zero; rank], value.shape.clone(), vec![1; rank]);
        let mut offset_texts = vec!["0".to_owned(); rank];
        let mut size_texts: Vec<Option<String>> = vec![None; rank];
        let n_dims = 1 + usize::from(self.rng.below(4) == 0);
        for _ in 0..n_dims {
            let d = self.rng.below(rank);
            let whole = value.shape[d];
            if size_texts[d].is_some() || whole.most() == 0 {
                continue;
            }
            // Where it begins.
            let least = whole.least();
            let (offset, offset_text) = match self.rng.below(4) {
                0 => (zero, "0".to_owned()),
                1 => {
                    // Text may say that a part of a known extent begins at its end, if not that it is empty.
                    let last = if whole.is_open { least } else { least - 1 };
                    let offset = self.rng.below(last as usize + 1).min(9) as i64;
                    (Extent::fixed(offset), offset.to_string())
                }
                2 => {
                    let in_run = whole.in_run.map(|n| self.rng.below(n as usize + 1) as i64);
                    (Extent { is_open: true, in_run }, self.index_argument(in_run))
                }
                // The second half.
                _ => {
                    let (half, two) = (whole.in_run.map(|n| n / 2), self.constant(2, "index"));
                    let n = self.number(whole.in_run);
                    let op = self.rng.pick(&["divui", "divsi", "floordivsi"]);
                    (Extent { is_open: true, in_run: half }, self.arithmetic(op, &n, &two, half))
                }
            };
            let rest: Numbers = std::array::from_fn(|run| whole.in_run[run] - offset.in_run[run]);
            let rest_least = rest.into_iter().min().unwrap();
            // How long it is: a known number, all that is left, or no more than a known number.
            let (size, text) = match self.rng.below(4) {
                0 if rest_least > 0 => {
                    let size = 1 + self.rng.below(rest_least.min(40) as usize) as i64;
                    (Extent::fixed(size), size.to_string())
                }
                1 => {
                    let most = self.rng.from(1, 20);
                    let in_run = rest.map(|n| n.min(most));
                    let (whole, from) = (self.number(whole.in_run), self.number(offset.in_run));
                    let left = self.arithmetic("subi", &whole, &from, rest);
                    let most = self.constant(most, "index");
                    let text = self.arithmetic("minsi", &left, &most, in_run);
                    (Extent { is_open: true, in_run }, text)
                }
                2 if offset == zero => {
                    let stride = self.rng.from(2, 3);
                    strides[d] = stride;
                    let in_run = whole.in_run.map(|n| (n + stride - 1) / stride);
                    let (n, by) = (self.number(whole.in_run), self.constant(stride, "index"));
                    let op = self.rng.pick(&["ceildivui", "ceildivsi"]);
                    (Extent { is_open: true, in_run }, self.arithmetic(op, &n, &by, in_run))
                }
                _ => {
                    let (whole, from) = (self.number(whole.in_run), self.number(offset.in_run));
                    (Extent { is_open: true, in_run: rest }, self.arithmetic("subi", &whole, &from, rest))
                }
            };
            (offsets[d], offset_texts[d], shape[d]) = (offset, offset_text, size);
            size_texts[d] = Some(text);
        }
        let mut texts = Vec::new();
        for (d, text) in size_texts.iter().enumerate() {
            texts.push(text.clone().unwrap_or_else(|| self.size(value.shape[d])));
        }
        // A dimension of one element may go.
        let dropped = (0..rank).find(|&d| shape[d] == Extent::fixed(1)).filter(|_| self.rng.below(2) == 0);
        let is_one = |d: usize| shape[d] == Extent::fixed(1);
        let dropped = dropped.filter(|_| (0..rank).filter(|&d| is_one(d)).count() == 1);
        let kept: Vec<Extent> = (0..rank).filter(|&d| Some(d) != dropped).map(|d| shape[d]).collect();
        let (from, part) = (value.ty(), ty(&kept, value.elem));
        let place = format!("[{}] [{}] {strides:?}", offset_texts.join(", "), texts.join(", "));
        let name = self.fresh('v');
        self.line(&format!("{name} = tensor.extract_slice {}{place} : {from} to {part}", value.name));
        self.push(name, value.elem, kept, value.bound, value.error);
        if self.rng.below(4) != 0 {
            return;
        }
        // Changed, it takes the place of what it was.
        let slice = self.values[self.values.len() - 1].clone();
        let before = self.values.len();
        self.unary(&slice);
        if self.values.len() == before {
            return;
        }
        let changed = self.values[self.values.len() - 1].clone();
        let name = self.fresh('v');
        self.line(&format!(
            "{name} = tensor.insert_slice {} into {}{place} : {part} into {from}",
            changed.name, value.name
        ));
        let bound = value.bound.max(changed.bound);
        self.push(name, value.elem, value.shape.clone(), bound, value.error.max(changed.error));
    }

    /// A dimension becomes two, or two become one.
    fn reshape(&mut self, value: &Value) {
        let rank = value.shape.len();
        if rank == 0 {
            return;
        }
        let name = self.fresh('v');
        let (bound, error, elem) = (value.bound, value.error, value.elem);
        if rank > 1 && self.rng.below(2) == 0 {
            let d = self.rng.below(rank - 1);
            let mut shape = value.shape.clone();
            let second = shape.remove(d + 1);
            shape[d] = Extent::of([shape[d], second], |[a, b]| a * b);
            let (from, to) = (value.ty(), ty(&shape, elem));
            self.line(&format!(
                "{name} = tensor.collapse_shape {} {} : {from} into {to}",
                value.name,
                groups(rank - 1, d)
            ));
            return self.push(name, elem, shape, bound, error);
        }
        if rank > 4 {
            return;
        }
        let d = self.rng.below(rank);
        let whole = value.shape[d];
        // One of the two is a number that divides it in every run.
        let mut factors: Vec<(Extent, Option<String>)> = [1, 2, 3, 4, 8, 16].map(|n| (Extent::fixed(n), None)).to_vec();
        let numbers =
            self.numbers.iter().map(|(name, in_run)| (Extent { is_open: true, in_run: *in_run }, Some(name.clone())));
        factors.extend(numbers.filter(|_| whole.is_open));
        let divides = |(factor, _): &(Extent, Option<String>)| {
            (0..RUNS).all(|run| factor.in_run[run] > 0 && whole.in_run[run] % factor.in_run[run] == 0)
        };
        factors.retain(divides);
        let (factor, text) = self.rng.pick(&factors);
        let (factor_text, other) = (text.unwrap_or_else(|| factor.in_run[0].to_string()), {
            Extent::of([whole, factor], |[n, factor]| n / factor)
        });
        let other_text = if other.is_open {
            let n = self.number(whole.in_run);
            let constant = (!factor.is_open).then(|| self.constant(factor.in_run[0], "index"));
            let op = self.rng.pick(&["divui", "divsi", "floordivsi"]);
            self.arithmetic(op, &n, constant.as_ref().unwrap_or(&factor_text), other.in_run)
        } else {
            other.in_run[0].to_string()
        };
        let (mut shape, mut texts) = (value.shape.clone(), Vec::new());
        for (at, &extent) in value.shape.iter().enumerate() {
            if at != d {
                texts.push(self.size(extent));
            } else if self.rng.below(2) == 0 {
                shape.splice(d..=d, [other, factor]);
                texts.extend([other_text.clone(), factor_text.clone()]);
            } else {
                shape.splice(d..=d, [factor, other]);
                texts.extend([factor_text.clone(), other_text.clone()]);
            }
        }
        let (from, to) = (value.ty(), ty(&shape, elem));
        self.line(&format!(
            "{name} = tensor.expand_shape {} {} output_shape [{}] : {from} into {to}",
            value.name,
            groups(rank, d),
            texts.join(", ")
        ));
        self.push(name, elem, shape, bound, error);
    }

    fn pad(&mut self, value: &Value) {
        let rank = value.shape.len();
        if rank == 0 {
            return;
        }
        let (d, mut shape) = (self.rng.below(rank), value.shape.clone());
        let side = |writer: &mut Writer| match writer.rng.below(3) {
            0 => (Extent::fixed(0), "0".to_owned()),
            1 => {
                let n = writer.rng.from(1, 5);
                (Extent::fixed(n), n.to_string())
            }
            _ => {
                let in_run = [(); RUNS].map(|()| writer.rng.from(0, 4));
                (Extent { is_open: true, in_run }, writer.index_argument(in_run))
            }
        };
        let ((low, low_text), (high, high_text)) = (side(self), side(self));
        shape[d] = Extent::of([shape[d], low, high], |[n, low, high]| n + low + high);
        if n_elements(&shape) > ELEMENTS_MAX {
            return;
        }
        let only = |text: &str| (0..rank).map(|at| if at == d { text } else { "0" }).collect::<Vec<_>>().join(", ");
        let indices: Vec<String> = (0..rank).map(|at| format!("%i{at}: index")).collect();
        let by = self.rng.pick(&[0, 0, 3]);
        let (name, constant, elem) = (self.fresh('v'), self.constant(by, value.elem), value.elem);
        let (from, to) = (value.ty(), ty(&shape, elem));
        self.line(&format!(
            "{name} = tensor.pad {} low[{}] high[{}] {{\n  ^bb0({}):\n    tensor.yield {constant} : {elem}\n  }} : {from} to {to}",
            value.name,
            only(&low_text),
            only(&high_text),
            indices.join(", ")
        ));
        self.push(name, elem, shape, value.bound.max(by as f64), value.error);
    }

    fn concat(&mut self, value: &Value) {
        let rank = value.shape.len();
        if rank == 0 {
            return;
        }
        let d = self.rng.below(rank);
        let fits = |other: &&Value| {
            let is_alike = |at: usize| {
                let (a, b) = (value.shape[at], other.shape[at]);
                at == d || a.is(b) && a.is_open == b.is_open
            };
            other.elem == value.elem && other.shape.len() == rank && (0..rank).all(is_alike)
        };
        let others: Vec<Value> = self.values.iter().filter(fits).cloned().collect();
        let n_others = 1 + usize::from(self.rng.below(5) == 0);
        let mut parts = vec![value.clone()];
        parts.extend((0..n_others).map(|_| self.rng.pick(&others)));
        let mut shape = value.shape.clone();
        for part in &parts[1..] {
            shape[d] = Extent::of([shape[d], part.shape[d]], |[a, b]| a + b);
        }
        if n_elements(&shape) > ELEMENTS_MAX {
            return;
        }
        let (name, elem) = (self.fresh('v'), value.elem);
        let names: Vec<&str> = parts.iter().map(|part| part.name.as_str()).collect();
        let types: Vec<String> = parts.iter().map(Value::ty).collect();
        let to = ty(&shape, elem);
        self.line(&format!("{name} = tensor.concat dim({d}) {} : ({}) -> {to}", names.join(", "), types.join(", ")));
        let most = |of: fn(&Value) -> f64| parts.iter().map(of).fold(0.0, f64::max);
        self.push(name, elem, shape, most(|part| part.bound), most(|part| part.error));
    }

    fn done(mut self) -> Chain {
        let returned = |value: &Value| Returned { name: value.name.clone(), ty: value.ty(), error: value.error };
        let made: Vec<(Returned, usize)> = self
            .values
            .iter()
            .zip(&self.ends)
            .filter(|(_, end)| **end > 0)
            .map(|(value, &end)| (returned(value), end))
            .collect();
        let mut results = vec![made[made.len() - 1].0.clone()];
        if made.len() > 1 && self.rng.below(3) == 0 {
            results.push(made[self.rng.below(made.len() - 1)].0.clone());
        }
        Chain { args: self.args, constants: self.constants, body: self.body, results, values: made }
    }
}

/// `[[0], [1, 2], [3]]`: dimensions `d` and the next one are one of `n` others.
fn groups(n: usize, d: usize) -> String {
    let group = |g: usize| match g.cmp(&d) {
        std::cmp::Ordering::Less => format!("[{g}]"),
        std::cmp::Ordering::Equal => format!("[{g}, {}]", g + 1),
        std::cmp::Ordering::Greater => format!("[{}]", g + 1),
    };
    format!("[{}]", (0..n).map(group).collect::<Vec<_>>().join(", "))
}
