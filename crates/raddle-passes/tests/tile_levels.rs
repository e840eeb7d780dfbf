//! Tiling by levels keeps what a program means: random chains of operations on tensors, with extents that are known or
//! not, tiles that do not divide them, and windows, slices, reshapes and padding in between.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;

use raddle_emu::{Launch, Mode, Options, Tensor};
use raddle_ir::{Ir, Scalar};
use raddle_passes::{Facts, Options as PassOptions, PASSES};
use raddle_target::chip;

use crate::common::Random;
use crate::common::concrete::{census, concrete};

/// An extent: equal ones have one number.
#[derive(Clone)]
struct Size {
    extent: i64,
    /// The value that it is where types do not say it.
    value: Option<String>,
}

/// A tensor of the program, by the numbers of its extents.
#[derive(Clone)]
struct Value {
    name: String,
    dims: Vec<usize>,
}

/// A program while it is made.
struct Program {
    random: Random,
    sizes: Vec<Size>,
    known: Vec<Value>,
    body: String,
    n_names: usize,
    level: &'static str,
    n_roots: usize,
}

impl Program {
    fn name(&mut self) -> String {
        self.n_names += 1;
        format!("%v{}", self.n_names)
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.random.below(100) < percent
    }

    fn any(&mut self) -> Value {
        // What was made last is used more often, so that chains grow.
        let n = self.known.len();
        let at = if self.chance(50) { n - 1 - self.random.below(n.min(2)) } else { self.random.below(n) };
        self.known[at].clone()
    }

    fn ty(&self, dims: &[usize]) -> String {
        let one = |&d: &usize| match &self.sizes[d].value {
            None => format!("{}x", self.sizes[d].extent),
            Some(_) => "?x".to_owned(),
        };
        format!("tensor<{}i32>", dims.iter().map(one).collect::<String>())
    }

    /// An extent that types say.
    fn size(&mut self, extent: i64) -> usize {
        if let Some(at) = self.sizes.iter().position(|size| size.extent == extent && size.value.is_none()) {
            return at;
        }
        self.sizes.push(Size { extent, value: None });
        self.sizes.len() - 1
    }

    fn line(&mut self, dims: &[usize], text: &str) -> Value {
        let name = self.name();
        self.body.push_str(&format!("  {name} = {text}\n"));
        Value { name, dims: dims.to_vec() }
    }

    fn keep(&mut self, value: Value) {
        if value.dims.iter().map(|&d| self.sizes[d].extent).product::<i64>() <= 4000 {
            self.known.push(value);
        }
    }

    fn empty(&mut self, dims: &[usize]) -> Value {
        let values: Vec<String> = dims.iter().filter_map(|&d| self.sizes[d].value.clone()).collect();
        let text = format!("tensor.empty({}) : {}", values.join(", "), self.ty(dims));
        self.line(dims, &text)
    }

    /// A tensor of this shape: one that is there, or the same number everywhere.
    fn of_shape(&mut self, dims: &[usize]) -> Value {
        let found = self.known.iter().rev().find(|value| value.dims == dims).cloned();
        if let Some(found) = found.filter(|_| self.random.below(2) == 0) {
            return found;
        }
        let (ty, empty) = (self.ty(dims), self.empty(dims));
        let number = self.random.pick(&["%n", "%three"]);
        let text = format!("linalg.fill ins({number} : i32) outs({} : {ty}) -> {ty}", empty.name);
        self.line(dims, &text)
    }

    /// The configuration of an operation that is to be tiled.
    fn config(&mut self, loops: &[usize], reduces: &[bool]) -> String {
        if !self.chance(if self.n_roots == 0 { 60 } else { 25 }) {
            return String::new();
        }
        if self.level == "promote" {
            self.n_roots += 1;
            // Behind one input or two come the results, of which there is one at least.
            let operands: Vec<&str> = ["0", "1"].into_iter().filter(|_| self.random.below(3) > 0).collect();
            return format!(
                "lowering_config = #iree_gpu.lowering_config<{{promote_operands = [{}]}}>",
                operands.join(", ")
            );
        }
        if self.level == "pack" {
            self.n_roots += 1;
            let (mut partial, mut thread) = (Vec::new(), Vec::new());
            for (&d, &reduces) in loops.iter().zip(reduces) {
                let extent = self.sizes[d].extent;
                let part = (1..=extent).rev().find(|part| extent % part == 0 && *part < extent).unwrap_or(1);
                partial.push(if reduces { extent.to_string() } else { "0".to_owned() });
                thread.push(if reduces { part.to_string() } else { "0".to_owned() });
            }
            let (partial, thread) = (partial.join(", "), thread.join(", "));
            return format!(
                "lowering_config = #iree_gpu.lowering_config<{{partial_reduction = [{partial}], thread = [{thread}]}}>"
            );
        }
        let at_once = matches!(self.level, "thread" | "subgroup" | "serial");
        let any_reduces = reduces.contains(&true);
        let mut sizes = Vec::new();
        for (&d, &reduces) in loops.iter().zip(reduces) {
            let extent = self.sizes[d].extent as usize;
            let allowed = match self.level {
                _ if at_once => !reduces,
                "partial_reduction" => reduces || any_reduces && self.chance(25),
                _ => reduces || self.level == "reduction",
            };
            let size = if allowed && self.chance(70) { 1 + self.random.below(extent + 1) } else { 0 };
            sizes.push(size.to_string());
        }
        if sizes.iter().all(|size| size == "0") {
            return String::new();
        }
        self.n_roots += 1;
        format!("lowering_config = #iree_gpu.lowering_config<{{{} = [{}]}}>", self.level, sizes.join(", "))
    }

    /// `linalg.generic` on loops that some known tensors run along in any order, with one output or two.
    fn generic(&mut self) {
        let mut loops: Vec<usize> = Vec::new();
        let mut inputs: Vec<(Value, Vec<usize>)> = Vec::new();
        for _ in 0..1 + self.random.below(2) {
            let value = self.any();
            let mut dims: Vec<usize> = Vec::new();
            for &size in &value.dims {
                let free: Vec<usize> = (0..loops.len()).filter(|d| loops[*d] == size && !dims.contains(d)).collect();
                dims.push(if free.is_empty() || (loops.len() < 2 && self.chance(20)) {
                    loops.push(size);
                    loops.len() - 1
                } else {
                    free[self.random.below(free.len())]
                });
            }
            inputs.push((value, dims));
        }
        let points: i64 = loops.iter().map(|&d| self.sizes[d].extent).product();
        if loops.len() > 4 || points > 4000 {
            return;
        }
        let partial = matches!(self.level, "partial_reduction" | "pack");
        let reducing = self.chance(if partial { 70 } else { 40 });
        let reduces: Vec<bool> = loops.iter().map(|_| reducing && self.chance(50)).collect();
        let reducing = reduces.contains(&true);
        let mut outputs: Vec<(Value, Vec<usize>)> = Vec::new();
        for _ in 0..1 + usize::from(self.chance(25)) {
            let mut dims: Vec<usize> = (0..loops.len()).filter(|&d| !reduces[d]).collect();
            for i in (1..dims.len()).rev() {
                if self.chance(40) {
                    dims.swap(i, self.random.below(i + 1));
                }
            }
            let shape: Vec<usize> = dims.iter().map(|&d| loops[d]).collect();
            outputs.push((self.of_shape(&shape), dims));
        }
        let exprs = |dims: &[usize]| dims.iter().map(|d| format!("d{d}")).collect::<Vec<_>>();
        let inputs: Vec<(Value, Vec<String>)> = inputs.into_iter().map(|(value, dims)| (value, exprs(&dims))).collect();
        let outputs: Vec<(Value, Vec<String>)> =
            outputs.into_iter().map(|(value, dims)| (value, exprs(&dims))).collect();
        self.structured(&loops, &reduces, &inputs, &outputs, reducing);
    }

    fn structured(
        &mut self,
        loops: &[usize],
        reduces: &[bool],
        inputs: &[(Value, Vec<String>)],
        outputs: &[(Value, Vec<String>)],
        reducing: bool,
    ) {
        let all: Vec<String> = (0..loops.len()).map(|d| format!("d{d}")).collect();
        let map = |exprs: &[String]| format!("affine_map<({}) -> ({})>", all.join(", "), exprs.join(", "));
        let maps: Vec<String> = inputs.iter().chain(outputs).map(|(_, exprs)| map(exprs)).collect();
        let words: Vec<&str> = reduces.iter().map(|&r| if r { "\"reduction\"" } else { "\"parallel\"" }).collect();
        let list = |program: &Program, values: &[(Value, Vec<String>)]| {
            let names: Vec<&str> = values.iter().map(|(value, _)| &value.name[..]).collect();
            let types: Vec<String> = values.iter().map(|(value, _)| program.ty(&value.dims)).collect();
            (format!("{} : {}", names.join(", "), types.join(", ")), types.join(", "))
        };
        let ((ins, _), (outs, types)) = (list(self, inputs), list(self, outputs));
        let mut attrs = format!("indexing_maps = [{}], iterator_types = [{}]", maps.join(", "), words.join(", "));
        let config = self.config(loops, reduces);
        if !config.is_empty() {
            attrs = format!("{attrs}, {config}");
        }
        let id = self.n_names;
        let n_args = inputs.len() + outputs.len();
        let args: Vec<String> = (0..n_args).map(|i| format!("%a{id}_{i}")).collect();
        let typed: Vec<String> = args.iter().map(|arg| format!("{arg}: i32")).collect();
        let mut text =
            format!("linalg.generic {{{attrs}}} ins({ins}) outs({outs}) {{\n  ^bb0({}):\n", typed.join(", "));
        // Accumulators are used by what combines only.
        let mut terms: Vec<String> = args[..if reducing { inputs.len() } else { n_args }].to_vec();
        terms.push("%three".to_owned());
        for d in 0..loops.len() {
            if self.chance(25) {
                text.push_str(&format!(
                    "    %x{id}_{d} = linalg.index {d} : index\n    %y{id}_{d} = arith.index_cast %x{id}_{d} : index to i32\n"
                ));
                terms.push(format!("%y{id}_{d}"));
            }
        }
        let n_steps = 1 + self.random.below(3);
        for i in 0..n_steps {
            let op = self.random.pick(&["addi", "muli", "subi", "maxsi", "xori"]);
            let a = terms[terms.len() - 1 - self.random.below(terms.len().min(2))].clone();
            let b = terms[self.random.below(terms.len())].clone();
            text.push_str(&format!("    %t{id}_{i} = arith.{op} {a}, {b} : i32\n"));
            terms.push(format!("%t{id}_{i}"));
        }
        let mut yields = Vec::new();
        for i in 0..outputs.len() {
            let value = terms[terms.len() - 1 - self.random.below(n_steps)].clone();
            if !reducing {
                yields.push(value);
                continue;
            }
            let combine = self.random.pick(&["addi", "maxsi", "minui", "xori", "andi", "minsi"]);
            let acc = &args[inputs.len() + i];
            let (a, b) = if self.chance(50) { (acc, &value) } else { (&value, acc) };
            text.push_str(&format!("    %r{id}_{i} = arith.{combine} {a}, {b} : i32\n"));
            yields.push(format!("%r{id}_{i}"));
        }
        let kinds = vec!["i32"; outputs.len()].join(", ");
        text.push_str(&format!("    linalg.yield {} : {kinds}\n  }} -> ", yields.join(", ")));
        let name = self.name();
        if let [(output, _)] = outputs {
            self.body.push_str(&format!("  {name} = {text}{types}\n"));
            self.keep(Value { name, dims: output.dims.clone() });
        } else {
            self.body.push_str(&format!("  {name}:2 = {text}({types})\n"));
            for (i, (output, _)) in outputs.iter().enumerate() {
                self.keep(Value { name: format!("{name}#{i}"), dims: output.dims.clone() });
            }
        }
    }

    /// A window that goes over one dimension in steps.
    fn window(&mut self) {
        let a = self.any();
        let Some(at) = (0..a.dims.len()).find(|&i| self.sizes[a.dims[i]].value.is_none()) else { return };
        let extent = self.sizes[a.dims[at]].extent;
        let (step, apart) = (1 + self.random.below(2) as i64, 1 + self.random.below(2) as i64);
        let width = 1 + self.random.below(3) as i64;
        let reach = apart * (width - 1) + 1;
        if extent < reach {
            return;
        }
        let places = (extent - reach) / step + 1;
        // Without dynamic extents in between: what a window reaches is all of the dimension or less.
        let used = (places - 1) * step + reach;
        let a = if used == extent { a } else { self.cut(&a, at, 0, used) };
        let (places, width) = (self.size(places), self.size(width));
        let mut loops = a.dims.clone();
        loops[at] = places;
        loops.push(width);
        let k = loops.len() - 1;
        let mut exprs: Vec<String> = (0..k).map(|d| format!("d{d}")).collect();
        exprs[at] = format!("d{at} * {step} + d{k} * {apart}");
        let out: Vec<usize> = loops[..k].to_vec();
        let output = self.of_shape(&out);
        let weights = self.of_shape(&[loops[k]]);
        let mut reduces = vec![false; k];
        reduces.push(true);
        let plain: Vec<String> = (0..k).map(|d| format!("d{d}")).collect();
        let inputs = [(a, exprs), (weights, vec![format!("d{k}")])];
        self.structured(&loops, &reduces, &inputs, &[(output, plain)], true);
    }

    /// A part of a tensor along one dimension.
    fn cut(&mut self, a: &Value, at: usize, first: i64, extent: i64) -> Value {
        let mut dims = a.dims.clone();
        dims[at] = self.size(extent);
        let text = |program: &Program, of: &dyn Fn(usize) -> String| {
            (0..program.known.len().max(a.dims.len())).take(a.dims.len()).map(of).collect::<Vec<_>>().join(", ")
        };
        let offsets = text(self, &|d| if d == at { first.to_string() } else { "0".to_owned() });
        let whole = |d: usize| {
            let size = &self.sizes[dims[d]];
            size.value.clone().unwrap_or(size.extent.to_string())
        };
        let sizes = text(self, &whole);
        let ones = text(self, &|_| "1".to_owned());
        let (from, to) = (self.ty(&a.dims), self.ty(&dims));
        let line = format!("tensor.extract_slice {}[{offsets}] [{sizes}] [{ones}] : {from} to {to}", a.name);
        self.line(&dims, &line)
    }

    /// An operation that has a name, or moves elements.
    fn named(&mut self) {
        let a = self.any();
        let rank = a.dims.len();
        let at = if rank > 0 { self.random.below(rank) } else { 0 };
        let is_known = |program: &Program| rank > 0 && program.sizes[a.dims[at]].value.is_none();
        match self.random.below(6) {
            0 if rank > 1 => {
                let mut perm: Vec<usize> = (0..rank).collect();
                perm.rotate_left(1 + self.random.below(rank - 1));
                let dims: Vec<usize> = perm.iter().map(|&d| a.dims[d]).collect();
                let out = self.empty(&dims);
                let text = format!(
                    "linalg.transpose ins({} : {}) outs({} : {}) permutation = {perm:?}",
                    a.name,
                    self.ty(&a.dims),
                    out.name,
                    self.ty(&dims)
                );
                let made = self.line(&dims, &text);
                self.keep(made);
            }
            1 if rank < 3 => {
                let new = self.random.below(self.sizes.len());
                let mut dims = a.dims.clone();
                dims.insert(at, new);
                let out = self.empty(&dims);
                let text = format!(
                    "linalg.broadcast ins({} : {}) outs({} : {}) dimensions = [{at}]",
                    a.name,
                    self.ty(&a.dims),
                    out.name,
                    self.ty(&dims)
                );
                let made = self.line(&dims, &text);
                self.keep(made);
            }
            2 if is_known(self) => {
                let extent = self.sizes[a.dims[at]].extent;
                if extent < 2 {
                    return;
                }
                let size = 1 + self.random.below(extent as usize - 1) as i64;
                let first = self.random.below((extent - size + 1) as usize) as i64;
                let made = self.cut(&a, at, first, size);
                self.keep(made);
            }
            3 if is_known(self) => {
                let (low, high) = (self.random.below(4) as i64, self.random.below(4) as i64);
                let mut dims = a.dims.clone();
                dims[at] = self.size(low + self.sizes[a.dims[at]].extent + high);
                let list = |n: i64| {
                    let one = |d: usize| if d == at { n.to_string() } else { "0".to_owned() };
                    (0..rank).map(one).collect::<Vec<_>>().join(", ")
                };
                let args: Vec<String> = (0..rank).map(|d| format!("%p{}_{d}: index", self.n_names)).collect();
                let text = format!(
                    "tensor.pad {} low[{}] high[{}] {{\n  ^bb0({}):\n    tensor.yield %three : i32\n  }} : {} to {}",
                    a.name,
                    list(low),
                    list(high),
                    args.join(", "),
                    self.ty(&a.dims),
                    self.ty(&dims)
                );
                let made = self.line(&dims, &text);
                self.keep(made);
            }
            4 if is_known(self) && self.sizes[a.dims[at]].extent % 2 == 0 && rank < 4 => {
                let extent = self.sizes[a.dims[at]].extent;
                let outer = if self.chance(50) { 2 } else { extent / 2 };
                let mut dims = a.dims.clone();
                dims[at] = self.size(extent / outer);
                let outer = self.size(outer);
                dims.insert(at, outer);
                let group = |d: usize| match d.cmp(&at) {
                    std::cmp::Ordering::Less => format!("[{d}]"),
                    std::cmp::Ordering::Equal => format!("[{d}, {}]", d + 1),
                    std::cmp::Ordering::Greater => format!("[{}]", d + 1),
                };
                let groups: Vec<String> = (0..rank).map(group).collect();
                let whole = |&d: &usize| self.sizes[d].value.clone().unwrap_or(self.sizes[d].extent.to_string());
                let shape: Vec<String> = dims.iter().map(whole).collect();
                let text = format!(
                    "tensor.expand_shape {} [{}] output_shape [{}] : {} into {}",
                    a.name,
                    groups.join(", "),
                    shape.join(", "),
                    self.ty(&a.dims),
                    self.ty(&dims)
                );
                let made = self.line(&dims, &text);
                self.keep(made);
            }
            5 if rank > 1 && a.dims.iter().all(|&d| self.sizes[d].value.is_none()) => {
                let at = self.random.below(rank - 1);
                let extent = self.sizes[a.dims[at]].extent * self.sizes[a.dims[at + 1]].extent;
                let mut dims = a.dims.clone();
                dims.remove(at + 1);
                dims[at] = self.size(extent);
                let group = |d: usize| match d.cmp(&at) {
                    std::cmp::Ordering::Less => format!("[{d}]"),
                    std::cmp::Ordering::Equal => format!("[{d}, {}]", d + 1),
                    std::cmp::Ordering::Greater => format!("[{}]", d + 1),
                };
                let groups: Vec<String> = (0..rank - 1).map(group).collect();
                let text = format!(
                    "tensor.collapse_shape {} [{}] : {} into {}",
                    a.name,
                    groups.join(", "),
                    self.ty(&a.dims),
                    self.ty(&dims)
                );
                let made = self.line(&dims, &text);
                self.keep(made);
            }
            _ => {}
        }
    }
}

/// A program, and the shapes of its arguments.
fn program(seed: u64, level: &'static str) -> (String, Vec<Vec<i64>>) {
    let mut program = Program {
        random: Random(seed),
        sizes: Vec::new(),
        known: Vec::new(),
        body: String::new(),
        n_names: 0,
        level,
        n_roots: 0,
    };
    for i in 0..3 {
        let extent = 1 + program.random.below(9) as i64;
        let value = program.chance(35).then(|| format!("%s{i}"));
        program.sizes.push(Size { extent, value });
    }
    let mut args = Vec::new();
    // The first argument has every extent.
    let mut shapes = vec![vec![0, 1, 2]];
    for _ in 0..1 + program.random.below(2) {
        let rank = program.random.below(4);
        shapes.push((0..rank).map(|_| program.random.below(3)).collect());
    }
    let mut head = String::new();
    for (i, dims) in shapes.iter().enumerate() {
        args.push(format!("%arg{i}: {}", program.ty(dims)));
        program.known.push(Value { name: format!("%arg{i}"), dims: dims.clone() });
    }
    for (i, size) in program.sizes.iter().enumerate() {
        if let Some(value) = &size.value {
            head.push_str(&format!(
                "  %c{i} = arith.constant {i} : index\n  {value} = tensor.dim %arg0, %c{i} : {}\n",
                program.ty(&[0, 1, 2])
            ));
        }
    }
    for _ in 0..4 + program.random.below(5) {
        match program.random.below(10) {
            0..5 => program.generic(),
            5 => program.window(),
            _ => program.named(),
        }
    }
    while program.n_roots == 0 {
        program.generic();
    }
    // Results in the middle of the chain stay in use.
    let last = program.known.len() - 1;
    let mut results = vec![program.known[last].clone()];
    if program.chance(50) {
        results.push(program.any());
    }
    let names: Vec<String> = results.iter().map(|value| value.name.clone()).collect();
    let types: Vec<String> = results.iter().map(|value| program.ty(&value.dims)).collect();
    let text = format!(
        "func.func @f({}) -> ({}) attributes {{translation_info = #iree_codegen.translation_info<pipeline = \
         #iree_gpu.pipeline<TileAndFuse> workgroup_size = [4, 1, 1] subgroup_size = 4>}} {{\n  %n = arith.constant -7 : i32\n  %three = arith.constant 3 : i32\n{head}{}  return {} : {}\n}}",
        args.join(", "),
        types.join(", "),
        program.body,
        names.join(", "),
        types.join(", ")
    );
    let extents = shapes.iter().map(|dims| dims.iter().map(|&d| program.sizes[d].extent).collect()).collect();
    (text, extents)
}

/// What a program gives.
fn results(ir: &Ir, args: &[Tensor]) -> Vec<Vec<u8>> {
    let launch = Launch { grid: [1, 1, 1], workgroup_size: [1, 1, 1], subgroup_size: 1, mode: Mode::Simd };
    let outcome = raddle_emu::run(ir, ir.funcs()[0], args, &launch, &Options::default());
    let outcome = outcome.unwrap_or_else(|diag| {
        panic!("{diag} {:?} {:?}\n{}", diag.label, diag.notes, raddle_ir::print(ir, &Default::default()))
    });
    outcome.results.into_iter().map(|tensor| tensor.bytes).collect()
}

/// Runs a pass, which must leave a program that keeps the rules.
fn pass(ir: &mut Ir, name: &str, options: &str) {
    let text = raddle_ir::print(ir, &Default::default());
    let func = ir.funcs()[0];
    let pass = PASSES.iter().find(|pass| pass.name == name).unwrap();
    let facts = Facts::new(chip("sm_80").unwrap());
    let options = PassOptions::read(pass.options, pass.name, options).unwrap();
    pass.apply(ir, func, &facts, &options).unwrap_or_else(|diag| panic!("{diag} {:?}\n{text}", diag.notes));
    assert_eq!(raddle_ir::verify(ir), [], "{text}\nbecame\n{}", raddle_ir::print(ir, &Default::default()));
}

fn same(seed: u64, text: &str, shapes: &[Vec<i64>], change: impl FnOnce(&mut Ir)) -> (Ir, Ir) {
    let mut random = Random(seed + 1);
    let args: Vec<Tensor> = shapes.iter().map(|shape| random.tensor(Scalar::Int(32), shape)).collect();
    let before = raddle_ir::parse(text).unwrap_or_else(|diags| panic!("seed {seed}: {diags:?}\n{text}"));
    let expected = results(&concrete(&before, shapes), &args);
    let mut after = raddle_ir::parse(text).unwrap();
    change(&mut after);
    let printed = raddle_ir::print(&after, &Default::default());
    assert!(expected == results(&concrete(&after, shapes), &args), "seed {seed}\n{text}\nbecame\n{printed}");
    (before, after)
}

fn count(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// `RADDLE_PROGRAMS` and `RADDLE_SEED` say how many, and from where on.
#[test]
fn tiles_mean_the_same() {
    let (n, first) = (count("RADDLE_PROGRAMS", 60), count("RADDLE_SEED", 0));
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for level in ["reduction", "partial_reduction", "serial", "thread", "subgroup"] {
        for seed in first..first + n {
            let (text, shapes) = program(seed, level);
            let mut random = Random(seed + 7);
            let mut options = format!("tiling-level={level}");
            for option in ["allow-zero-slices=false", "normalize-loops", "fuse-consumers=false"] {
                if random.below(3) == 0 {
                    options = format!("{options} {option}");
                }
            }
            let (before, after) = same(seed, &text, &shapes, |ir| pass(ir, "tile-level", &options));
            let (old, new) = (census(&before), census(&after));
            let of = |census: &BTreeMap<String, usize>, name: &str| census.get(name).copied().unwrap_or(0);
            let inside = |name: &str| {
                let loops = ["scf.for", "scf.forall"];
                let ops = after.walk(after.funcs()[0]).into_iter();
                ops.filter(|&op| {
                    after.name(op) == name && after.parent_op(op).is_some_and(|op| loops.contains(&after.name(op)))
                })
                .count()
            };
            *seen.entry("loops").or_default() += of(&new, "scf.for") + of(&new, "scf.forall");
            *seen.entry("minima").or_default() += of(&new, "affine.min");
            *seen.entry("fused").or_default() += inside("linalg.generic").saturating_sub(of(&new, "scf.forall"));
            *seen.entry("pads").or_default() += inside("tensor.pad");
            *seen.entry("reshapes").or_default() += inside("tensor.expand_shape") + inside("tensor.collapse_shape");
            *seen.entry("moved").or_default() += inside("linalg.transpose") + inside("linalg.broadcast");
            *seen.entry("partial").or_default() += of(&new, "linalg.reduce");
            assert!(of(&old, "scf.for") == 0);
        }
    }
    for what in ["loops", "minima", "fused", "pads", "reshapes", "moved", "partial"] {
        assert!(seen[what] as u64 > n / 40, "{what} are rare: {seen:?}");
    }
}

/// A producer of which the loops need a part, and somebody behind them all, is not made in the loops alone.
#[test]
fn what_tiles_do_not_cover_is_made_behind_them() {
    let text = "func.func @f(%a: tensor<20xi32>) -> (tensor<10xi32>, tensor<20xi32>) {
  %e = tensor.empty() : tensor<20xi32>
  %p = linalg.add ins(%a, %a : tensor<20xi32>, tensor<20xi32>) outs(%e : tensor<20xi32>) -> tensor<20xi32>
  %s = tensor.extract_slice %p[0] [10] [1] : tensor<20xi32> to tensor<10xi32>
  %o = tensor.empty() : tensor<10xi32>
  %r = linalg.mul {lowering_config = #iree_gpu.lowering_config<{thread = [5]}>}
    ins(%s, %s : tensor<10xi32>, tensor<10xi32>) outs(%o : tensor<10xi32>) -> tensor<10xi32>
  return %r, %p : tensor<10xi32>, tensor<20xi32>
}";
    let (_, after) = same(0, text, &[vec![20]], |ir| pass(ir, "tile-level", "tiling-level=thread"));
    assert_eq!(census(&after).get("scf.forall"), Some(&1));
}

/// Padding to multiples, of whole operations and of the tiles of loops.
#[test]
fn padded_tiles_mean_the_same() {
    let (n, first) = (count("RADDLE_PROGRAMS", 60), count("RADDLE_SEED", 0));
    let mut padded = 0;
    for level in ["reduction", "partial_reduction"] {
        for seed in first..first + n {
            let (text, shapes) = program(seed, level);
            let options = format!("tiling-level={level}");
            let whole = |ir: &mut Ir| pass(ir, "pad-level", &options);
            let tiled = |ir: &mut Ir| {
                pass(ir, "tile-level", &options);
                pass(ir, "pad-level", &options);
                pass(ir, "canonicalize", "");
            };
            let (old, new) =
                if seed % 2 == 0 { same(seed, &text, &shapes, whole) } else { same(seed, &text, &shapes, tiled) };
            let pads = |ir: &Ir| census(ir).get("ub.poison").copied().unwrap_or(0);
            padded += usize::from(pads(&new) > pads(&old));
        }
    }
    assert!(padded as u64 > n / 2, "only {padded} programs are padded");
}

/// Copies of operands and results, and these copies in the hands of threads.
#[test]
fn promoted_operands_mean_the_same() {
    let (n, first) = (count("RADDLE_PROGRAMS", 60), count("RADDLE_SEED", 0));
    let mut copies = 0;
    for seed in first..first + n {
        let (text, shapes) = program(seed, "promote");
        let (_, new) = same(seed, &text, &shapes, |ir| {
            let options = ["", "skip-operand-promotion"][usize::from(seed % 5 == 0)];
            pass(ir, "promote-operands", options);
            if seed % 2 == 0 {
                pass(ir, "tile-level", "tiling-level=thread");
            }
        });
        copies += census(&new).get("linalg.copy").copied().unwrap_or(0);
    }
    assert!(copies as u64 > n, "only {copies} copies");
}

/// Reductions that are split into steps and parts of steps.
#[test]
fn packed_reductions_mean_the_same() {
    let (n, first) = (count("RADDLE_PROGRAMS", 60), count("RADDLE_SEED", 0));
    let mut packs = 0;
    for seed in first..first + n {
        let (text, shapes) = program(seed, "pack");
        let (_, new) = same(seed, &text, &shapes, |ir| pass(ir, "pack-reductions", ""));
        packs += census(&new).get("linalg.pack").copied().unwrap_or(0);
    }
    assert!(packs as u64 > n / 8, "only {packs} packs");
}

/// Contractions that share a factor are parted, and keep what their configurations say of the operands that are left.
#[test]
fn contractions_are_parted() {
    let text = "func.func @f(%a: tensor<4x6xi32>, %b: tensor<5x6xi32>, %c: tensor<5x6xi32>, %x: tensor<4x5xi32>, %y: tensor<5x4xi32>) -> (tensor<4x5xi32>, tensor<5x4xi32>) {
  %r:2 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>, affine_map<(i, j, k) -> (j, i)>],
      iterator_types = [\"parallel\", \"parallel\", \"reduction\"], lowering_config = #iree_gpu.lowering_config<{promote_operands = [2, 0], reduction = [0, 0, 2]}>}
      ins(%a, %b, %c : tensor<4x6xi32>, tensor<5x6xi32>, tensor<5x6xi32>) outs(%x, %y : tensor<4x5xi32>, tensor<5x4xi32>) {
  ^bb0(%p: i32, %q: i32, %s: i32, %t: i32, %u: i32):
    %m = arith.muli %p, %q : i32
    %n = arith.addi %t, %m : i32
    %o = arith.muli %s, %p : i32
    %v = arith.addi %o, %u : i32
    linalg.yield %n, %v : i32, i32
  } -> (tensor<4x5xi32>, tensor<5x4xi32>)
  return %r#0, %r#1 : tensor<4x5xi32>, tensor<5x4xi32>
}";
    let shapes = vec![vec![4, 6], vec![5, 6], vec![5, 6], vec![4, 5], vec![5, 4]];
    let (_, new) = same(3, text, &shapes, |ir| pass(ir, "split-contractions", ""));
    let printed = raddle_ir::print(&new, &Default::default());
    assert_eq!(census(&new)["linalg.generic"], 2, "{printed}");
    // Of the first one, operand 0 is left; of the second one, operands 0 and 2, which is its operand 1.
    for operands in ["promote_operands = [0], reduction", "promote_operands = [1, 0], reduction"] {
        assert!(printed.contains(operands), "{printed}");
    }
}

/// What a pass says about a program that it refuses.
fn refused(text: &str, name: &str, options: &str) -> String {
    let mut ir = raddle_ir::parse(text).unwrap_or_else(|diags| panic!("{diags:?}\n{text}"));
    let pass = PASSES.iter().find(|pass| pass.name == name).unwrap();
    let options = PassOptions::read(pass.options, pass.name, options).unwrap();
    let func = ir.funcs()[0];
    pass.apply(&mut ir, func, &Facts::new(chip("sm_80").unwrap()), &options).unwrap_err().message
}

/// Loops that combine are not given to threads, what is sorted is not cut, and there are no more sizes than loops.
#[test]
fn tiles_that_cannot_be_are_refused() {
    let sum = |config: &str| {
        format!(
            "func.func @f(%a: tensor<8x64xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {{
  %r = linalg.reduce {{ arith.addf }} ins(%a : tensor<8x64xf32>) outs(%b : tensor<8xf32>) dimensions = [1]
    {{lowering_config = #iree_gpu.lowering_config<{config}>}}
  return %r : tensor<8xf32>
}}"
        )
    };
    let thread = "tiling-level=thread";
    assert!(refused(&sum("{thread = [0, 4]}"), "tile-level", thread).contains("combines into its results"));
    assert!(refused(&sum("{thread = [1, 0, 4]}"), "tile-level", thread).contains("3 tile sizes"));
    let sort = "func.func @f(%a: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %r = iree_linalg_ext.sort {lowering_config = #iree_gpu.lowering_config<{thread = [0, 4]}>} dimension(1)
    outs(%a : tensor<8x64xf32>) {
  ^bb0(%x: f32, %y: f32):
    %less = arith.cmpf olt, %x, %y : f32
    iree_linalg_ext.yield %less : i1
  } -> tensor<8x64xf32>
  return %r : tensor<8x64xf32>
}";
    assert!(refused(sort, "tile-level", thread).contains("as a whole"));
}

/// Operations that are not structured ones have tiles as well: of a gather, the table stays whole and the places are cut.
#[test]
fn gathers_and_attention_have_tiles() {
    let gather =
        "func.func @f(%t: tensor<100x32xf32>, %i: tensor<10xi32>, %o: tensor<10x32xf32>) -> tensor<10x32xf32> {
  %r = iree_linalg_ext.gather {lowering_config = #iree_gpu.lowering_config<{thread = [2, 8]}>} dimension_map = [0]
    ins(%t, %i : tensor<100x32xf32>, tensor<10xi32>) outs(%o : tensor<10x32xf32>) -> tensor<10x32xf32>
  return %r : tensor<10x32xf32>
}";
    let mut ir = raddle_ir::parse(gather).unwrap();
    pass(&mut ir, "tile-level", "tiling-level=thread");
    let printed = raddle_ir::print(&ir, &Default::default());
    assert!(printed.contains("tensor<100x8xf32>, tensor<2xi32>) outs"), "{printed}");
    let attention = "#q = affine_map<(m, k, n, d) -> (m, d)>
#k = affine_map<(m, k, n, d) -> (k, d)>
#v = affine_map<(m, k, n, d) -> (k, n)>
#s = affine_map<(m, k, n, d) -> ()>
#mask = affine_map<(m, k, n, d) -> (m, k)>
#o = affine_map<(m, k, n, d) -> (m, n)>
#r = affine_map<(m, k, n, d) -> (m)>
func.func @f(%q: tensor<60x16xf32>, %k: tensor<70x16xf32>, %v: tensor<70x24xf32>, %mask: tensor<60x70xf32>, %o: tensor<60x24xf32>, %m: tensor<60xf32>) -> (tensor<60x24xf32>, tensor<60xf32>) {
  %scale = arith.constant 0.5 : f32
  %r:3 = iree_linalg_ext.online_attention {indexing_maps = [#q, #k, #v, #s, #mask, #o, #r, #r], lowering_config = #iree_gpu.lowering_config<{reduction = [0, 32, 0, 0], thread = [8, 0, 6, 0]}>}
    ins(%q, %k, %v, %scale, %mask : tensor<60x16xf32>, tensor<70x16xf32>, tensor<70x24xf32>, f32, tensor<60x70xf32>)
    outs(%o, %m, %m : tensor<60x24xf32>, tensor<60xf32>, tensor<60xf32>) {
  ^bb0(%x: f32):
    iree_linalg_ext.yield %x : f32
  } -> tensor<60x24xf32>, tensor<60xf32>, tensor<60xf32>
  return %r#0, %r#2 : tensor<60x24xf32>, tensor<60xf32>
}";
    // A row's maximum belongs to all columns of the output: they are not told apart at once.
    assert!(refused(attention, "tile-level", "tiling-level=thread").contains("combines into its results"));
    let mut ir = raddle_ir::parse(attention).unwrap();
    pass(&mut ir, "tile-level", "tiling-level=reduction");
    pass(&mut ir, "pad-level", "tiling-level=reduction");
    pass(&mut ir, "canonicalize", "");
    let printed = raddle_ir::print(&ir, &Default::default());
    // 70 keys go in three steps of 32; the last one is padded, and masked out where it is.
    assert!(printed.contains("tensor<32x16xf32>, tensor<32x24xf32>, f32, tensor<60x32xf32>) outs"), "{printed}");
    assert_eq!(printed.matches("arith.select").count(), 3, "{printed}");
    let unmasked = attention
        .replace("#s, #mask, #o", "#s, #o")
        .replace("%scale, %mask :", "%scale :")
        .replace("f32, tensor<60x70xf32>)\n    outs", "f32)\n    outs");
    let message = refused(&unmasked, "pad-level", "tiling-level=reduction");
    assert_eq!(message, "Padding OnlineAttention without existing mask is not yet supported");
}
