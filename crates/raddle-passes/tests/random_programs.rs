//! Random kernels under random layouts: what they mean as whole-workgroup vectors, laid out, distributed and lowered is
//! the same, to the last bit.
//!
//! `RADDLE_PROGRAMS=20000 RADDLE_SEED=7 cargo test --release -p raddle-passes --test random_programs` runs more of them.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::fmt::Write;

use raddle_emu::{Launch, Mode, Options, Tensor};
use raddle_ir::{Diag, Float, Scalar};
use raddle_layout::Nested;
use raddle_passes::{Facts, PASSES};
use raddle_target::{Stage, chip};

/// A linear congruential generator: the same programs on every machine.
struct Rng(u64);

impl Rng {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % n as u64) as usize
    }

    fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

/// A value of the program under construction: whole-workgroup vectors only.
#[derive(Clone)]
struct Value {
    name: String,
    shape: Vec<i64>,
}

struct Program {
    rng: Rng,
    width: i64,
    n_subgroups: i64,
    elem: &'static str,
    aliases: String,
    body: String,
    n_names: usize,
    /// Shapes of the buffers that are read, then of those that are written.
    inputs: Vec<Vec<i64>>,
    outputs: Vec<Vec<i64>>,
}

fn vector(shape: &[i64], elem: &str) -> String {
    let extents: String = shape.iter().map(|extent| format!("{extent}x")).collect();
    format!("vector<{extents}{elem}>")
}

impl Program {
    fn name(&mut self) -> String {
        self.n_names += 1;
        format!("%v{}", self.n_names)
    }

    /// A random layout of a shape: each extent is split over the levels, each level's tiles get places among the
    /// threads, with holes now and then.
    fn layout(&mut self, shape: &[i64]) -> Nested {
        let rank = shape.len();
        let mut lists = [(); 5].map(|()| vec![1; rank]);
        let (mut lanes, mut subgroups) = (self.width, self.n_subgroups);
        for d in 0..rank {
            let mut rest = shape[d];
            while rest > 1 {
                let factor = (2..=rest).find(|f| rest % f == 0).unwrap();
                rest /= factor;
                let level = self.rng.below(7);
                match level {
                    0 if subgroups % factor == 0 => {
                        subgroups /= factor;
                        lists[0][d] *= factor;
                    }
                    1 | 2 if lanes >= factor && (factor == 2 || lanes > self.width / 2) => {
                        lanes /= factor;
                        lists[3][d] *= factor;
                    }
                    3 => lists[1][d] *= factor,
                    4 => lists[2][d] *= factor,
                    _ => lists[4][d] *= factor,
                }
            }
        }
        let [subgroup, batch, outer, thread, element] = lists;
        let thread_strides = self.strides(&thread, lanes);
        let subgroup_strides = self.strides(&subgroup, subgroups);
        Nested::new(subgroup, batch, outer, thread, element, subgroup_strides, thread_strides).unwrap()
    }

    /// Strides that keep the tiles apart, in a random order; `spare` is how much room is left for holes.
    fn strides(&mut self, tiles: &[i64], mut spare: i64) -> Vec<i64> {
        let mut order: Vec<usize> = (0..tiles.len()).collect();
        for i in (1..order.len()).rev() {
            order.swap(i, self.rng.below(i + 1));
        }
        let mut strides = vec![0; tiles.len()];
        let mut stride = 1;
        for d in order {
            if tiles[d] == 1 {
                continue;
            }
            if spare >= 2 && self.rng.chance(25) {
                spare /= 2;
                stride *= 2;
            }
            strides[d] = stride;
            stride *= tiles[d];
        }
        strides
    }

    fn anchor(&mut self, value: &Value) -> Value {
        let layout = self.layout(&value.shape);
        let name = self.name();
        let alias = format!("#l{}", self.n_names);
        writeln!(self.aliases, "{alias} = #iree_vector_ext.{layout}").unwrap();
        let ty = vector(&value.shape, self.elem);
        writeln!(self.body, "  {name} = iree_vector_ext.to_layout {} to layout({alias}) : {ty}", value.name).unwrap();
        Value { name, shape: value.shape.clone() }
    }

    fn read(&mut self) -> Value {
        let rank = 1 + self.rng.below(3);
        let mut shape: Vec<i64> = (0..rank).map(|_| self.rng.pick(&[1, 2, 3, 4, 6, 8, 16, 12, 32])).collect();
        while shape.iter().product::<i64>() > 1024 {
            let largest = *shape.iter().max().unwrap();
            let d = shape.iter().position(|&extent| extent == largest).unwrap();
            shape[d] = 4;
        }
        self.inputs.push(shape.clone());
        let (name, n) = (self.name(), self.inputs.len() - 1);
        let zeros = vec!["%c0"; rank].join(", ");
        let flags = vec!["true"; rank].join(", ");
        let extents: String = shape.iter().map(|extent| format!("{extent}x")).collect();
        let ty = vector(&shape, self.elem);
        writeln!(
            self.body,
            "  {name} = vector.transfer_read %in{n}[{zeros}], %pad {{in_bounds = [{flags}]}} : memref<{extents}{}>, {ty}",
            self.elem
        )
        .unwrap();
        Value { name, shape }
    }

    fn write(&mut self, value: &Value) {
        self.outputs.push(value.shape.clone());
        let n = self.outputs.len() - 1;
        let rank = value.shape.len();
        let zeros = vec!["%c0"; rank].join(", ");
        let flags = vec!["true"; rank].join(", ");
        let extents: String = value.shape.iter().map(|extent| format!("{extent}x")).collect();
        let ty = vector(&value.shape, self.elem);
        writeln!(
            self.body,
            "  vector.transfer_write {}, %out{n}[{zeros}] {{in_bounds = [{flags}]}} : {ty}, memref<{extents}{}>",
            value.name, self.elem
        )
        .unwrap();
    }

    fn elementwise(&mut self, a: &Value, b: &Value) -> Value {
        let name = self.name();
        let ops: &[&str] = if self.elem == "i32" {
            &["arith.addi", "arith.muli", "arith.maxsi", "arith.xori"]
        } else {
            &["arith.addf", "arith.subf", "arith.maximumf"]
        };
        let op = self.rng.pick(ops);
        writeln!(self.body, "  {name} = {op} {}, {} : {}", a.name, b.name, vector(&a.shape, self.elem)).unwrap();
        Value { name, shape: a.shape.clone() }
    }

    fn transpose(&mut self, a: &Value) -> Value {
        let rank = a.shape.len();
        let mut perm: Vec<usize> = (0..rank).collect();
        perm.rotate_left(self.rng.below(rank));
        if rank > 1 && self.rng.chance(50) {
            perm.swap(0, rank - 1);
        }
        let shape: Vec<i64> = perm.iter().map(|&d| a.shape[d]).collect();
        let name = self.name();
        let (from, to) = (vector(&a.shape, self.elem), vector(&shape, self.elem));
        writeln!(self.body, "  {name} = vector.transpose {}, {perm:?} : {from} to {to}", a.name).unwrap();
        Value { name, shape }
    }

    fn broadcast(&mut self, a: &Value) -> Value {
        let name = self.name();
        let mut shape = vec![self.rng.pick(&[2, 3, 4])];
        shape.extend(&a.shape);
        let (from, to) = (vector(&a.shape, self.elem), vector(&shape, self.elem));
        writeln!(self.body, "  {name} = vector.broadcast {} : {from} to {to}", a.name).unwrap();
        Value { name, shape }
    }

    fn shape_cast(&mut self, a: &Value) -> Value {
        let name = self.name();
        let shape = if a.shape.len() > 1 {
            [&[a.shape[0] * a.shape[1]], &a.shape[2..]].concat()
        } else {
            let factor = (2..=a.shape[0]).find(|f| a.shape[0] % f == 0).unwrap_or(1);
            vec![a.shape[0] / factor, factor]
        };
        let (from, to) = (vector(&a.shape, self.elem), vector(&shape, self.elem));
        writeln!(self.body, "  {name} = vector.shape_cast {} : {from} to {to}", a.name).unwrap();
        Value { name, shape }
    }

    fn reduce(&mut self, a: &Value) -> Value {
        let rank = a.shape.len();
        let kept = self.rng.below(rank);
        let dims: Vec<usize> = if rank == 1 { return a.clone() } else { (0..rank).filter(|&d| d != kept).collect() };
        let dims = if dims.len() > 1 && self.rng.chance(50) { vec![dims[0]] } else { dims };
        let shape: Vec<i64> = (0..rank).filter(|d| !dims.contains(d)).map(|d| a.shape[d]).collect();
        let (acc, name) = (self.name(), self.name());
        let (from, to) = (vector(&a.shape, self.elem), vector(&shape, self.elem));
        let (start, kind) =
            if self.elem == "i32" { ("3", "add") } else { ("-1.0", self.rng.pick(&["add", "maximumf"])) };
        writeln!(self.body, "  {acc} = arith.constant dense<{start}> : {to}").unwrap();
        writeln!(self.body, "  {name} = vector.multi_reduction <{kind}>, {}, {acc} {dims:?} : {from} to {to}", a.name)
            .unwrap();
        Value { name, shape }
    }

    /// A loop that adds a value, changed in layout on its way, to itself.
    fn repeat(&mut self, a: &Value) -> Value {
        let (result, acc, iv) = (self.name(), self.name(), self.name());
        let ty = vector(&a.shape, self.elem);
        writeln!(
            self.body,
            "  {result} = scf.for {iv} = %c0 to %c3 step %c1 iter_args({acc} = {}) -> ({ty}) {{",
            a.name
        )
        .unwrap();
        let carried = Value { name: acc, shape: a.shape.clone() };
        let changed = if self.rng.chance(60) { self.anchor(a) } else { a.clone() };
        let sum = self.elementwise(&carried, &changed);
        writeln!(self.body, "  scf.yield {} : {ty}\n  }}", sum.name).unwrap();
        Value { name: result, shape: a.shape.clone() }
    }

    fn text(mut self) -> (String, Vec<Vec<i64>>, Vec<Vec<i64>>) {
        let mut values: Vec<Value> = Vec::new();
        for _ in 0..1 + self.rng.below(2) {
            let value = self.read();
            values.push(if self.rng.chance(70) { self.anchor(&value) } else { value });
        }
        for _ in 0..3 + self.rng.below(6) {
            let a = values[self.rng.below(values.len())].clone();
            let small = a.shape.iter().product::<i64>() <= 512 && a.shape.len() < 3;
            let new = match self.rng.below(9) {
                0 | 1 => {
                    let same: Vec<Value> = values.iter().filter(|b| b.shape == a.shape).cloned().collect();
                    let b = same[self.rng.below(same.len())].clone();
                    self.elementwise(&a, &b)
                }
                2 => self.transpose(&a),
                3 if small => self.broadcast(&a),
                4 => self.reduce(&a),
                5 => self.repeat(&a),
                6 => self.shape_cast(&a),
                _ => self.anchor(&a),
            };
            values.push(new);
        }
        for _ in 0..2 {
            let value = values[self.rng.below(values.len())].clone();
            let value = if self.rng.chance(80) { self.anchor(&value) } else { value };
            self.write(&value);
        }
        let last = values.last().unwrap().clone();
        let last = self.anchor(&last);
        self.write(&last);
        let arg = |prefix: &str, (n, shape): (usize, &Vec<i64>)| {
            let extents: String = shape.iter().map(|extent| format!("{extent}x")).collect();
            format!("%{prefix}{n}: memref<{extents}{}>", self.elem)
        };
        let args: Vec<String> = self
            .inputs
            .iter()
            .enumerate()
            .map(|input| arg("in", input))
            .chain(self.outputs.iter().enumerate().map(|output| arg("out", output)))
            .collect();
        let pad = if self.elem == "i32" { "0" } else { "0.0" };
        let text = format!(
            "{}func.func @kernel({}) attributes {{translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [{}, 1, 1] subgroup_size = {}>}} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %pad = arith.constant {pad} : {}
{}  return
}}",
            self.aliases,
            args.join(", "),
            self.width * self.n_subgroups,
            self.width,
            self.elem,
            self.body
        );
        (text, self.inputs, self.outputs)
    }
}

/// Runs one program at four stages. `Err` is why it was refused.
fn check(seed: u64) -> Result<(), Diag> {
    let mut rng = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(12345));
    let target = rng.pick(&["sm_80", "gfx942"]);
    let chip = chip(target).unwrap();
    let (n_subgroups, elem) = (rng.pick(&[1, 2, 4]), rng.pick(&["f32", "i32", "f16"]));
    let program = Program {
        width: i64::from(chip.subgroup_size),
        n_subgroups,
        elem,
        rng,
        aliases: String::new(),
        body: String::new(),
        n_names: 0,
        inputs: Vec::new(),
        outputs: Vec::new(),
    };
    let (text, inputs, outputs) = program.text();
    let mut ir = raddle_ir::parse(&text).unwrap_or_else(|diags| panic!("seed {seed}: {diags:#?}\n{text}"));
    let func = ir.funcs()[0];
    let scalar = match elem {
        "i32" => Scalar::Int(32),
        "f16" => Scalar::Float(Float::F16),
        _ => Scalar::Float(Float::F32),
    };
    // Small whole numbers: sums are exact whatever their order.
    let tensor = |shape: &Vec<i64>, salt: u64| {
        let n = shape.iter().product::<i64>() as usize;
        let mut numbers = Rng(seed ^ salt << 40 | 1);
        Tensor::from_f64(scalar, shape, &(0..n).map(|_| numbers.below(3) as f64 - 1.0).collect::<Vec<_>>())
    };
    let mut args: Vec<Tensor> = inputs.iter().zip(0..).map(|(shape, salt)| tensor(shape, salt)).collect();
    args.extend(outputs.iter().map(|shape| Tensor::zeros(scalar, shape)));
    let options = Options { uninitialised_args: (inputs.len()..args.len()).collect(), ..Options::default() };
    let mut launch = Launch {
        grid: [1; 3],
        workgroup_size: chip.subgroup_size * n_subgroups as u32,
        subgroup_size: chip.subgroup_size,
        mode: Mode::Simd,
    };
    let run = |ir: &raddle_ir::Ir, launch: &Launch, stage: &str| {
        raddle_emu::run(ir, func, &args, launch, &options)
            .unwrap_or_else(|diag| {
                panic!("seed {seed} at {stage}: {diag:?}\n{text}\n{}", raddle_ir::print(ir, &Default::default()))
            })
            .buffers
    };
    let want = run(&ir, &launch, "vector");
    let facts = Facts::new(chip);
    for pass in PASSES.iter().filter(|pass| pass.stage > Some(Stage::Vector)) {
        (pass.run)(&mut ir, func, &facts)?;
        let problems = raddle_ir::verify(&ir);
        assert!(problems.is_empty(), "seed {seed} after {}: {problems:#?}\n{text}", pass.name);
        if pass.stage > Some(Stage::LaidOut) {
            launch.mode = Mode::Simt;
        }
        let got = run(&ir, &launch, pass.name);
        for (n, (got, want)) in got.iter().zip(&want).enumerate() {
            assert!(
                got.bytes == want.bytes,
                "seed {seed} on {target}: argument {n} differs after {}\n{text}\n{}",
                pass.name,
                raddle_ir::print(&ir, &Default::default())
            );
        }
    }
    Ok(())
}

#[test]
fn every_stage_means_the_same() {
    let number =
        |name: &str, default: u64| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default);
    let (n, first) = (number("RADDLE_PROGRAMS", 400), number("RADDLE_SEED", 0));
    let mut refused = Vec::new();
    for seed in first..first + n {
        if let Err(why) = check(seed) {
            refused.push((seed, why));
        }
    }
    println!("{} of {n} programs ran at every stage alike", n - refused.len() as u64);
    assert!(refused.is_empty(), "refused: {refused:#?}");
}
