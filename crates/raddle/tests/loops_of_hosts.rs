//! Random loops and branches between kernels: the host carries them out, and so do the sequence of calls as a function of C
//! and the same sequence as launch data, each like the program means on tensors.
//!
//! `cargo xtask fuzz-hosts --count 1000 --seed 7` runs more.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Write;

use crate::common::{self, Rng, programs_and_seed, raddle, raddle_with};
use crate::cpu_c::targets;

/// Values that are there: tensors of rows, rows, whole numbers, and tensors of one of these.
#[derive(Clone, Default)]
struct Scope {
    tensors: Vec<String>,
    rows: Vec<String>,
    numbers: Vec<String>,
    counts: Vec<String>,
}

struct Generator {
    rng: Rng,
    text: String,
    n_values: usize,
    indent: usize,
}

const TENSOR: &str = "tensor<5x8xf32>";
const ROW: &str = "tensor<8xf32>";
const COUNT: &str = "tensor<i32>";
const WEIGHTS: &str = "tensor<8x8xf32>";

impl Generator {
    fn value(&mut self) -> String {
        self.n_values += 1;
        format!("%v{}", self.n_values)
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{}{text}", "  ".repeat(self.indent));
    }

    /// An operation with one result.
    fn op(&mut self, text: &str) -> String {
        let value = self.value();
        self.line(&format!("{value} = {text}"));
        value
    }

    fn elementwise(&mut self, ty: &str, a: &str, b: &str) -> String {
        let name = self.rng.pick(&["add", "sub", "max", "min"]);
        let empty = self.op(&format!("tensor.empty() : {ty}"));
        self.op(&format!("linalg.{name} ins({a}, {b} : {ty}, {ty}) outs({empty} : {ty}) -> {ty}"))
    }

    fn count(&mut self, a: &str, b: &str) -> String {
        let name = self.rng.pick(&["addi", "subi", "muli", "maxsi"]);
        let empty = self.op(&format!("tensor.empty() : {COUNT}"));
        let result = self.op(&format!(
            "linalg.generic {{indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>, affine_map<() -> ()>], \
             iterator_types = []}} ins({a}, {b} : {COUNT}, {COUNT}) outs({empty} : {COUNT}) {{"
        ));
        self.line("^bb0(%x: i32, %y: i32, %z: i32):");
        self.line(&format!("  %o = arith.{name} %x, %y : i32"));
        self.line("  linalg.yield %o : i32");
        self.line(&format!("}} -> {COUNT}"));
        result
    }

    /// A number below this one, from zero on, as an index.
    fn place(&mut self, scope: &Scope, extent: usize) -> String {
        let number = self.rng.pick(&scope.numbers);
        let index = self.op(&format!("arith.index_cast {number} : i32 to index"));
        let zero = self.op("arith.constant 0 : index");
        let last = self.op(&format!("arith.constant {} : index", extent - 1));
        let from = self.op(&format!("arith.maxsi {index}, {zero} : index"));
        self.op(&format!("arith.minsi {from}, {last} : index"))
    }

    /// A number that floats computed, as importers scale extents.
    fn scaled(&mut self, a: &str, b: &str) -> String {
        let ty = self.rng.pick(&["f32", "f64"]);
        let [a, b] = [a, b].map(|number| self.op(&format!("arith.sitofp {number} : i32 to {ty}")));
        let name = self.rng.pick(&["addf", "subf", "mulf", "divf", "minimumf", "maximumf"]);
        let both = self.op(&format!("arith.{name} {a}, {b} : {ty}"));
        let by = self.rng.pick(&["1.5", "-0.3", "2.0"]);
        let scale = self.op(&format!("arith.constant {by} : {ty}"));
        let scaled = self.op(&format!("arith.mulf {both}, {scale} : {ty}"));
        let name = self.rng.pick(&["floor", "ceil", "trunc", "roundeven", "absf"]);
        let rounded = self.op(&format!("math.{name} {scaled} : {ty}"));
        let most = self.op(&format!("arith.constant 1000.0 : {ty}"));
        let predicate = self.rng.pick(&["olt", "ole"]);
        let is_small = self.op(&format!("arith.cmpf {predicate}, {rounded}, {most} : {ty}"));
        let least = self.op(&format!("arith.constant -1000.0 : {ty}"));
        let below = self.op(&format!("arith.select {is_small}, {rounded}, {least} : {ty}"));
        let within = self.op(&format!("arith.maximumf {below}, {least} : {ty}"));
        let is_number = self.op(&format!("arith.cmpf oge, {within}, {least} : {ty}"));
        let within = self.op(&format!("arith.select {is_number}, {within}, {least} : {ty}"));
        self.op(&format!("arith.fptosi {within} : {ty} to i32"))
    }

    /// A row, of a tensor as a rule, times the weights, made small.
    fn product(&mut self, scope: &Scope) -> String {
        let row = match self.rng.below(4) {
            0 => self.rng.pick(&scope.rows),
            _ => {
                let (at, tensor) = (self.place(scope, 5), self.rng.pick(&scope.tensors));
                self.op(&format!("tensor.extract_slice {tensor}[{at}, 0] [1, 8] [1, 1] : {TENSOR} to {ROW}"))
            }
        };
        let zero = self.op("arith.constant 0.0 : f32");
        let empty = self.op(&format!("tensor.empty() : {ROW}"));
        let zeros = self.op(&format!("linalg.fill ins({zero} : f32) outs({empty} : {ROW}) -> {ROW}"));
        let product =
            self.op(&format!("linalg.vecmat ins({row}, %w : {ROW}, {WEIGHTS}) outs({zeros} : {ROW}) -> {ROW}"));
        let small = self.op("arith.constant 0.25 : f32");
        let smalls = self.op(&format!("linalg.fill ins({small} : f32) outs({empty} : {ROW}) -> {ROW}"));
        self.op(&format!("linalg.mul ins({product}, {smalls} : {ROW}, {ROW}) outs({empty} : {ROW}) -> {ROW}"))
    }

    fn flag(&mut self, scope: &Scope) -> String {
        let [a, b] = [(); 2].map(|()| self.rng.pick(&scope.numbers));
        let predicate = self.rng.pick(&["slt", "eq", "sge", "ne"]);
        self.op(&format!("arith.cmpi {predicate}, {a}, {b} : i32"))
    }

    /// Some operations, of which the results join what is there.
    fn block(&mut self, scope: &mut Scope, depth: usize) {
        for _ in 0..2 + self.rng.below(4) {
            match self.rng.below(if depth < 2 { 15 } else { 11 }) {
                0 | 1 => {
                    let [a, b] = [(); 2].map(|()| self.rng.pick(&scope.tensors));
                    let new = self.elementwise(TENSOR, &a, &b);
                    scope.tensors.push(new);
                }
                2 => {
                    let [a, b] = [(); 2].map(|()| self.rng.pick(&scope.rows));
                    let new = self.elementwise(ROW, &a, &b);
                    scope.rows.push(new);
                }
                3 => {
                    let at = self.place(scope, 5);
                    let tensor = self.rng.pick(&scope.tensors);
                    let slice = format!("tensor.extract_slice {tensor}[{at}, 0] [1, 8] [1, 1] : {TENSOR} to {ROW}");
                    let new = self.op(&slice);
                    scope.rows.push(new);
                }
                4 | 5 => {
                    let at = self.place(scope, 5);
                    let (row, tensor) = (self.rng.pick(&scope.rows), self.rng.pick(&scope.tensors));
                    let insert =
                        format!("tensor.insert_slice {row} into {tensor}[{at}, 0] [1, 8] [1, 1] : {ROW} into {TENSOR}");
                    let new = self.op(&insert);
                    scope.tensors.push(new);
                }
                6 if self.rng.below(3) == 0 => {
                    let [a, b] = [(); 2].map(|()| self.rng.pick(&scope.numbers));
                    let new = self.scaled(&a, &b);
                    scope.numbers.push(new);
                }
                6 => {
                    let [a, b] = [(); 2].map(|()| self.rng.pick(&scope.numbers));
                    let name = self.rng.pick(&["addi", "subi", "muli", "minsi", "maxsi"]);
                    let new = self.op(&format!("arith.{name} {a}, {b} : i32"));
                    scope.numbers.push(new);
                }
                7 => {
                    let [a, b] = [(); 2].map(|()| self.rng.pick(&scope.counts));
                    let new = self.count(&a, &b);
                    scope.counts.push(new);
                }
                8 => {
                    let count = self.rng.pick(&scope.counts);
                    let new = self.op(&format!("tensor.extract {count}[] : {COUNT}"));
                    scope.numbers.push(new);
                }
                9 => {
                    // A number that decides what a kernel computes.
                    let number = self.rng.pick(&scope.numbers);
                    let float = self.op(&format!("arith.sitofp {number} : i32 to f32"));
                    let empty = self.op(&format!("tensor.empty() : {ROW}"));
                    let new = self.op(&format!("linalg.fill ins({float} : f32) outs({empty} : {ROW}) -> {ROW}"));
                    scope.rows.push(new);
                }
                10 => {
                    let new = self.product(scope);
                    scope.rows.push(new);
                }
                11 | 12 => self.counted(scope, depth),
                13 => self.repeated(scope, depth),
                _ => self.chosen(scope, depth),
            }
        }
    }

    /// What a loop carries: values and their types, and the names inside.
    fn carried(&mut self, scope: &Scope) -> Vec<(String, &'static str, String)> {
        let n = 1 + self.rng.below(4);
        let pick = |generator: &mut Generator| {
            let (init, ty) = match generator.rng.below(5) {
                0 | 1 => (generator.rng.pick(&scope.tensors), TENSOR),
                2 => (generator.rng.pick(&scope.rows), ROW),
                3 => (generator.rng.pick(&scope.numbers), "i32"),
                _ => (generator.rng.pick(&scope.counts), COUNT),
            };
            (init, ty, generator.value())
        };
        (0..n).map(|_| pick(self)).collect()
    }

    fn join(scope: &mut Scope, name: &str, ty: &str) {
        let list = match ty {
            TENSOR => &mut scope.tensors,
            ROW => &mut scope.rows,
            COUNT => &mut scope.counts,
            _ => &mut scope.numbers,
        };
        list.push(name.to_owned());
    }

    /// A value of a type, a late one as a rule.
    fn given(&mut self, scope: &Scope, ty: &str) -> String {
        let list = match ty {
            TENSOR => &scope.tensors,
            ROW => &scope.rows,
            COUNT => &scope.counts,
            _ => &scope.numbers,
        };
        let n = list.len().min(3);
        list[list.len() - 1 - self.rng.below(n)].clone()
    }

    /// The body of a loop, whose end gives values of these types; the names of the results join what is there.
    fn body(
        &mut self,
        scope: &Scope,
        carried: &[(String, &'static str, String)],
        number: &str,
        depth: usize,
    ) -> String {
        let mut inside = scope.clone();
        inside.numbers.push(number.to_owned());
        carried.iter().for_each(|(_, ty, name)| Generator::join(&mut inside, name, ty));
        // Rows are collected in what the loop carries.
        let all = carried.iter().find(|(_, ty, _)| *ty == TENSOR).filter(|_| self.rng.below(2) == 0);
        self.block(&mut inside, depth + 1);
        let collected = all.map(|(_, _, name)| {
            let (at, row) = (self.place(&inside, 5), self.rng.pick(&inside.rows));
            self.op(&format!("tensor.insert_slice {row} into {name}[{at}, 0] [1, 8] [1, 1] : {ROW} into {TENSOR}"))
        });
        let given = carried.iter().map(|(_, ty, name)| match (&collected, all) {
            (Some(collected), Some((_, _, all))) if all == name => collected.clone(),
            _ => self.given(&inside, ty),
        });
        given.collect::<Vec<_>>().join(", ")
    }

    fn results(&mut self, scope: &mut Scope, result: &str, types: &[&'static str]) {
        for (at, ty) in types.iter().enumerate() {
            Generator::join(scope, &format!("{result}#{at}"), ty);
        }
    }

    fn counted(&mut self, scope: &mut Scope, depth: usize) {
        let carried = self.carried(scope);
        let (zero, one) = (self.op("arith.constant 0 : i32"), self.op("arith.constant 1 : i32"));
        let end = match self.rng.below(2) {
            0 => {
                let end = self.rng.below(4);
                self.op(&format!("arith.constant {end} : i32"))
            }
            _ => {
                let number = self.rng.pick(&scope.numbers);
                let most = self.op("arith.constant 3 : i32");
                self.op(&format!("arith.minsi {number}, {most} : i32"))
            }
        };
        let types: Vec<&str> = carried.iter().map(|(_, ty, _)| *ty).collect();
        let inits: Vec<String> = carried.iter().map(|(init, _, name)| format!("{name} = {init}")).collect();
        let (result, number) = (self.value(), self.value());
        self.line(&format!(
            "{result}:{} = scf.for {number} = {zero} to {end} step {one} iter_args({}) -> ({}) : i32 {{",
            types.len(),
            inits.join(", "),
            types.join(", ")
        ));
        self.indent += 1;
        let given = self.body(scope, &carried, &number, depth);
        self.line(&format!("scf.yield {given} : {}", types.join(", ")));
        self.indent -= 1;
        self.line("}");
        self.results(scope, &result, &types);
    }

    /// A loop that counts in a number or in a tensor.
    fn repeated(&mut self, scope: &mut Scope, depth: usize) {
        let carried = self.carried(scope);
        let in_tensor = self.rng.below(2) == 0;
        let own = if in_tensor { COUNT } else { "i32" };
        let zero = self.op(&if in_tensor {
            format!("arith.constant dense<0> : {COUNT}")
        } else {
            "arith.constant 0 : i32".into()
        });
        let types: Vec<&str> = [own].into_iter().chain(carried.iter().map(|(_, ty, _)| *ty)).collect();
        let (result, count, inside) = (self.value(), self.value(), self.value());
        let inits = carried.iter().map(|(init, _, name)| format!("{name}b = {init}"));
        let inits: Vec<String> = [format!("{count} = {zero}")].into_iter().chain(inits).collect();
        let list = types.join(", ");
        self.line(&format!("{result}:{} = scf.while ({}) : ({list}) -> ({list}) {{", types.len(), inits.join(", ")));
        self.indent += 1;
        let number = |generator: &mut Generator, value: &str| match in_tensor {
            true => generator.op(&format!("tensor.extract {value}[] : {COUNT}")),
            false => value.to_owned(),
        };
        let now = number(self, &count);
        let rounds = self.rng.below(4);
        let end = self.op(&format!("arith.constant {rounds} : i32"));
        let flag = self.op(&format!("arith.cmpi slt, {now}, {end} : i32"));
        // Some rounds begin with what is there outside of the loop.
        let mut passed = vec![count];
        for (_, ty, name) in &carried {
            let other = self.given(scope, ty);
            passed.push(if self.rng.below(4) == 0 { other } else { format!("{name}b") });
        }
        self.line(&format!("scf.condition({flag}) {} : {list}", passed.join(", ")));
        self.indent -= 1;
        self.line("} do {");
        let args = carried.iter().map(|(_, ty, name)| format!("{name}: {ty}"));
        let args: Vec<String> = [format!("{inside}: {own}")].into_iter().chain(args).collect();
        self.line(&format!("^bb0({}):", args.join(", ")));
        self.indent += 1;
        let now = number(self, &inside);
        let given = self.body(scope, &carried, &now, depth);
        let next = if in_tensor {
            let one = self.op(&format!("arith.constant dense<1> : {COUNT}"));
            let empty = self.op(&format!("tensor.empty() : {COUNT}"));
            self.op(&format!("linalg.add ins({inside}, {one} : {COUNT}, {COUNT}) outs({empty} : {COUNT}) -> {COUNT}"))
        } else {
            let one = self.op("arith.constant 1 : i32");
            self.op(&format!("arith.addi {inside}, {one} : i32"))
        };
        self.line(&format!("scf.yield {next}, {given} : {list}"));
        self.indent -= 1;
        self.line("}");
        self.results(scope, &result, &types);
    }

    fn chosen(&mut self, scope: &mut Scope, depth: usize) {
        let flag = self.flag(scope);
        let types: Vec<&'static str> =
            (0..1 + self.rng.below(3)).map(|_| self.rng.pick(&[TENSOR, ROW, "i32", COUNT])).collect();
        let result = self.value();
        self.line(&format!("{result}:{} = scf.if {flag} -> ({}) {{", types.len(), types.join(", ")));
        for side in 0..2 {
            self.indent += 1;
            let mut inside = scope.clone();
            if self.rng.below(4) > 0 {
                self.block(&mut inside, depth + 1);
            }
            let given: Vec<String> = types.iter().map(|ty| self.given(&inside, ty)).collect();
            self.line(&format!("scf.yield {} : {}", given.join(", "), types.join(", ")));
            self.indent -= 1;
            self.line(if side == 0 { "} else {" } else { "}" });
        }
        self.results(scope, &result, &types);
    }
}

/// A function whose kernels are called in loops and branches.
fn function(name: &str, seed: u64) -> String {
    let (rng, text) = (Rng(seed), String::new());
    let mut generator = Generator { rng, text, n_values: 0, indent: 1 };
    let mut scope = Scope {
        tensors: vec!["%a".into(), "%b".into()],
        rows: vec!["%r".into()],
        numbers: vec!["%n".into()],
        counts: vec!["%c".into()],
    };
    let one = generator.op("arith.constant 2 : i32");
    scope.numbers.push(one);
    let zeros = generator.op(&format!("arith.constant dense<0.0> : {TENSOR}"));
    scope.tensors.push(zeros);
    let count = generator.op(&format!("arith.constant dense<3> : {COUNT}"));
    scope.counts.push(count);
    generator.counted(&mut scope, 0);
    generator.block(&mut scope, 0);
    let (first, second) = (generator.given(&scope, TENSOR), generator.given(&scope, TENSOR));
    let (row, count) = (generator.given(&scope, ROW), generator.given(&scope, COUNT));
    generator.line(&format!("return {first}, {second}, {row}, {count} : {TENSOR}, {TENSOR}, {ROW}, {COUNT}"));
    format!(
        "func.func @{name}(%a: {TENSOR}, %b: {TENSOR}, %r: {ROW}, %n: i32, %c: {COUNT}, %w: {WEIGHTS}) -> ({TENSOR}, {TENSOR}, {ROW}, {COUNT}) \
         {{\n{}}}\n",
        generator.text
    )
}

/// The same four results, bit for bit: of the program on tensors, which each run compares with, of a function of C, and of
/// the launch data.
#[test]
fn are_carried_out_everywhere() {
    let (programs, first) = programs_and_seed(8, 5);
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    for seed in first..first + programs {
        let text = function("f", seed);
        let n = seed % 7;
        let inputs = [
            "--input=5x8xf32=random".to_owned(),
            "--input=5x8xf32=random".to_owned(),
            "--input=8xf32=random".to_owned(),
            format!("--input=i32={n}"),
            "--input=i32=1".to_owned(),
            "--input=8x8xf32=random".to_owned(),
        ];
        let flags: Vec<&str> = inputs.iter().map(String::as_str).collect();
        let failed = |what: &str, run: &common::Run| format!("{what}, seed {seed}:\n{}{}\n{text}", run.out, run.err);
        let results = ["0", "1", "2", "3"].map(|at| format!("--output=@{}", path(&format!("{at}.npy"))));
        let results: Vec<&str> = results.iter().map(String::as_str).collect();
        let run = raddle_with(&[&["run", "-", "--quiet"], &flags[..], &results].concat(), &text);
        assert_eq!(run.status, 0, "{}", failed("emulated", &run));
        for target in targets().into_iter().take(1) {
            let target = format!("--target={target}");
            let run = raddle_with(&[&["run", "-", "--quiet", "--device=cpu-c", &target], &flags[..]].concat(), &text);
            assert_eq!(run.status, 0, "{}", failed("as a function of C", &run));
        }
        let code = path("k.ptx");
        let run = raddle_with(&["build", "-", "-o", &code], &text);
        if run.err.contains("has nothing for a kernel") {
            continue;
        }
        assert_eq!(run.status, 0, "{}", failed("built", &run));
        // The results are the parameters behind the arguments.
        let expected =
            |at: usize| format!("--expected_output=arg{}=@{}", inputs.len() + at, path(&format!("{at}.npy")));
        let expected: Vec<String> = (0..results.len()).map(expected).collect();
        let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
        let run = raddle(&[&["exec", &code], &flags[..], &expected].concat());
        assert_eq!(run.status, 0, "{}", failed("by the launch data", &run));
        assert!(run.out.contains("correct") && !run.out.contains("WRONG"), "{}", failed("by the launch data", &run));
    }
}
