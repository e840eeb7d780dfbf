//! Operations on tensors mean the same as vectors: random chains of them, with and without masks.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use raddle_emu::{Launch, Mode, Options, Tensor};
use raddle_ir::{Ir, Scalar};
use raddle_passes::{Facts, Options as PassOptions, PASSES};
use raddle_target::chip;

use crate::common::Random;

/// A tensor of the program.
#[derive(Clone)]
struct Value {
    name: String,
    shape: Vec<i64>,
}

impl Value {
    fn ty(&self) -> String {
        tensor(&self.shape)
    }
}

fn tensor(shape: &[i64]) -> String {
    let extents: String = shape.iter().map(|extent| format!("{extent}x")).collect();
    format!("tensor<{extents}i32>")
}

/// A program while it is made.
struct Program {
    random: Random,
    known: Vec<Value>,
    body: String,
    n_names: usize,
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
        let at = self.random.below(self.known.len());
        self.known[at].clone()
    }

    fn line(&mut self, shape: &[i64], text: &str) -> Value {
        let name = self.name();
        self.body.push_str(&format!("  {name} = {text}\n"));
        Value { name, shape: shape.to_vec() }
    }

    /// A tensor of this shape: one that is there, or the same number everywhere.
    fn of_shape(&mut self, shape: &[i64]) -> Value {
        let found = self.known.iter().find(|value| value.shape == shape).cloned();
        if let Some(found) = found.filter(|_| self.random.below(2) == 0) {
            return found;
        }
        let ty = tensor(shape);
        let empty = self.line(shape, &format!("tensor.empty() : {ty}"));
        let number = self.random.pick(&["%n", "%three", "%zero"]);
        let text = format!("linalg.fill ins({number} : i32) outs({} : {ty}) -> {ty}", empty.name);
        self.line(shape, &text)
    }

    /// Sizes that are no smaller than the extents; the pass takes them where it masks.
    fn sizes(&mut self, extents: &[i64]) -> String {
        if extents.is_empty() || self.chance(50) {
            return String::new();
        }
        let sizes: Vec<String> =
            extents.iter().map(|extent| (extent + self.random.pick(&[0, 0, 1, 3])).to_string()).collect();
        format!("iree_codegen.vector_tile_sizes = array<i64: {}>", sizes.join(", "))
    }

    /// `linalg.generic` on loops that some known tensors run along in any order, with one output or two.
    fn generic(&mut self) {
        let mut loops: Vec<i64> = Vec::new();
        let mut inputs: Vec<(Value, Vec<usize>)> = Vec::new();
        for _ in 0..1 + self.random.below(3) {
            let value = self.any();
            let mut dims: Vec<usize> = Vec::new();
            for &extent in &value.shape {
                let free: Vec<usize> = (0..loops.len()).filter(|d| loops[*d] == extent && !dims.contains(d)).collect();
                dims.push(if free.is_empty() || (loops.len() < 3 && self.chance(25)) {
                    loops.push(extent);
                    loops.len() - 1
                } else {
                    free[self.random.below(free.len())]
                });
            }
            inputs.push((value, dims));
        }
        if loops.len() > 5 {
            return;
        }
        let reduces: Vec<bool> = loops.iter().map(|_| self.chance(30)).collect();
        let n_outputs = 1 + usize::from(self.chance(30));
        let mut outputs: Vec<(Value, Vec<usize>)> = Vec::new();
        for _ in 0..n_outputs {
            let mut dims: Vec<usize> = (0..loops.len()).filter(|&d| !reduces[d]).collect();
            for i in (1..dims.len()).rev() {
                dims.swap(i, self.random.below(i + 1));
            }
            let shape: Vec<i64> = dims.iter().map(|&d| loops[d]).collect();
            outputs.push((self.of_shape(&shape), dims));
        }
        let all: Vec<String> = (0..loops.len()).map(|d| format!("d{d}")).collect();
        let map = |dims: &Vec<usize>| {
            let results: Vec<String> = dims.iter().map(|d| format!("d{d}")).collect();
            format!("affine_map<({}) -> ({})>", all.join(", "), results.join(", "))
        };
        let maps: Vec<String> = inputs.iter().chain(&outputs).map(|(_, dims)| map(dims)).collect();
        let words: Vec<&str> = reduces.iter().map(|&r| if r { "\"reduction\"" } else { "\"parallel\"" }).collect();
        let list = |values: &[(Value, Vec<usize>)]| {
            let names: Vec<&str> = values.iter().map(|(value, _)| &value.name[..]).collect();
            let types: Vec<String> = values.iter().map(|(value, _)| value.ty()).collect();
            (format!("{} : {}", names.join(", "), types.join(", ")), types.join(", "))
        };
        let ((ins, _), (outs, types)) = (list(&inputs), list(&outputs));
        let mut attrs = format!("indexing_maps = [{}], iterator_types = [{}]", maps.join(", "), words.join(", "));
        let sizes = self.sizes(&loops);
        if !sizes.is_empty() {
            attrs = format!("{attrs}, {sizes}");
        }
        let id = self.n_names;
        let n_args = inputs.len() + outputs.len();
        let args: Vec<String> = (0..n_args).map(|i| format!("%a{id}_{i}")).collect();
        let typed: Vec<String> = args.iter().map(|arg| format!("{arg}: i32")).collect();
        let mut text =
            format!("linalg.generic {{{attrs}}} ins({ins}) outs({outs}) {{\n  ^bb0({}):\n", typed.join(", "));
        let reducing = reduces.contains(&true);
        // Accumulators are used by what combines only.
        let mut terms: Vec<String> = args[..if reducing { inputs.len() } else { n_args }].to_vec();
        terms.extend(["%n".to_owned(), "%three".to_owned()]);
        if !loops.is_empty() && self.chance(30) {
            let d = self.random.below(loops.len());
            text.push_str(&format!(
                "    %x{id} = linalg.index {d} : index\n    %y{id} = arith.index_cast %x{id} : index to i32\n"
            ));
            terms.push(format!("%y{id}"));
        }
        let contracts = reducing && inputs.len() == 2 && self.chance(60);
        let n_steps = if contracts { 1 } else { self.random.below(4) };
        for i in 0..n_steps {
            let op = self.random.pick(&["addi", "muli", "subi", "maxsi", "xori"]);
            let mut pick = || terms[self.random.below(terms.len())].clone();
            let (op, a, b) = if contracts { ("muli", args[0].clone(), args[1].clone()) } else { (op, pick(), pick()) };
            text.push_str(&format!("    %t{id}_{i} = arith.{op} {a}, {b} : i32\n"));
            terms.push(format!("%t{id}_{i}"));
        }
        let mut yields = Vec::new();
        for i in 0..n_outputs {
            let value = if n_steps > 0 && self.chance(80) {
                format!("%t{id}_{}", n_steps - 1)
            } else {
                terms[self.random.below(terms.len())].clone()
            };
            if !reducing {
                yields.push(value);
                continue;
            }
            let combine =
                if contracts { "addi" } else { self.random.pick(&["addi", "maxsi", "minui", "xori", "andi"]) };
            let acc = &args[inputs.len() + i];
            let (a, b) = if self.chance(50) { (acc, &value) } else { (&value, acc) };
            text.push_str(&format!("    %r{id}_{i} = arith.{combine} {a}, {b} : i32\n"));
            yields.push(format!("%r{id}_{i}"));
        }
        let kinds = vec!["i32"; n_outputs].join(", ");
        text.push_str(&format!("    linalg.yield {} : {kinds}\n  }} -> ", yields.join(", ")));
        let name = self.name();
        if n_outputs == 1 {
            self.body.push_str(&format!("  {name} = {text}{types}\n"));
            self.known.push(Value { name, shape: outputs[0].0.shape.clone() });
        } else {
            self.body.push_str(&format!("  {name}:2 = {text}({types})\n"));
            for (i, output) in outputs.iter().enumerate() {
                self.known.push(Value { name: format!("{name}#{i}"), shape: output.0.shape.clone() });
            }
        }
    }

    /// An operation whose name says what it does.
    fn named(&mut self) {
        let a = self.any();
        let rank = a.shape.len();
        let made = match self.random.below(5) {
            0 if rank > 1 => {
                let mut perm: Vec<usize> = (0..rank).collect();
                perm.rotate_left(1 + self.random.below(rank - 1));
                let shape: Vec<i64> = perm.iter().map(|&d| a.shape[d]).collect();
                let out = self.of_shape(&shape);
                let text = format!(
                    "linalg.transpose ins({} : {}) outs({} : {}) permutation = {perm:?}",
                    a.name,
                    a.ty(),
                    out.name,
                    out.ty()
                );
                self.line(&shape, &text)
            }
            1 if rank > 0 && rank < 4 => {
                let at = self.random.below(rank + 1);
                let mut shape = a.shape.clone();
                shape.insert(at, 2);
                let out = self.of_shape(&shape);
                let text = format!(
                    "linalg.broadcast ins({} : {}) outs({} : {}) dimensions = [{at}]",
                    a.name,
                    a.ty(),
                    out.name,
                    out.ty()
                );
                self.line(&shape, &text)
            }
            2 if rank == 2 => {
                let b = self.of_shape(&[a.shape[1], 3]);
                let shape = [a.shape[0], 3];
                let out = self.of_shape(&shape);
                let sizes = self.sizes(&[a.shape[0], 3, a.shape[1]]);
                let ty = out.ty();
                let text = format!(
                    "linalg.matmul {{{sizes}}} ins({}, {} : {}, {}) outs({} : {ty}) -> {ty}",
                    a.name,
                    b.name,
                    a.ty(),
                    b.ty(),
                    out.name
                );
                self.line(&shape, &text)
            }
            3 if rank > 0 => {
                let elements: Vec<i64> = a.shape.iter().map(|extent| extent + self.random.pick(&[0, 0, 1])).collect();
                // A tile that is larger than the tensor needs masks.
                let (ones, zeros) = (vec![1; rank], vec![0; rank]);
                let text = format!(
                    "iree_vector_ext.to_layout {} to layout(#iree_vector_ext.nested_layout<subgroup_tile = {ones:?}, \
                     batch_tile = {ones:?}, outer_tile = {ones:?}, thread_tile = {ones:?}, element_tile = {elements:?}, \
                     subgroup_strides = {zeros:?}, thread_strides = {zeros:?}>) : {}",
                    a.name,
                    a.ty()
                );
                self.line(&a.shape.clone(), &text)
            }
            _ => {
                let (b, out) = (self.of_shape(&a.shape), self.of_shape(&a.shape));
                let ty = a.ty();
                let op = self.random.pick(&["add", "mul", "sub", "max"]);
                let text =
                    format!("linalg.{op} ins({}, {} : {ty}, {ty}) outs({} : {ty}) -> {ty}", a.name, b.name, out.name);
                self.line(&a.shape.clone(), &text)
            }
        };
        self.known.push(made);
    }
}

/// A function of two tensors, and their shapes.
fn program(seed: u64) -> (String, Vec<Vec<i64>>) {
    let mut random = Random(seed);
    let args: Vec<Value> = (0..2)
        .map(|i| {
            let shape = (0..random.below(4)).map(|_| random.pick(&[1, 2, 3, 4, 5])).collect();
            Value { name: format!("%arg{i}"), shape }
        })
        .collect();
    let mut program = Program { random, known: args.clone(), body: String::new(), n_names: 0 };
    for _ in 0..1 + program.random.below(5) {
        if program.chance(60) { program.generic() } else { program.named() }
    }
    let (n, made) = (program.known.len(), &program.known);
    let results: Vec<&Value> = made[if n > 2 { 2 } else { 0 }..].iter().collect();
    let names: Vec<&str> = results.iter().map(|value| &value.name[..]).collect();
    let types: Vec<String> = results.iter().map(|value| value.ty()).collect();
    let text = format!(
        "func.func @f(%arg0: {}, %arg1: {}) -> ({}) {{\n  %zero = arith.constant 0 : i32\n  %three = arith.constant 3 : i32\n  \
         %n = arith.constant -7 : i32\n{}  return {} : {}\n}}\n",
        args[0].ty(),
        args[1].ty(),
        types.join(", "),
        program.body,
        names.join(", "),
        types.join(", ")
    );
    (text, args.into_iter().map(|arg| arg.shape).collect())
}

fn results(ir: &Ir, args: &[Tensor]) -> Vec<Vec<u8>> {
    let launch = Launch { grid: [1; 3], workgroup_size: [1, 1, 1], subgroup_size: 1, mode: Mode::Simd };
    let outcome = raddle_emu::run(ir, ir.funcs()[0], args, &launch, &Options::default());
    let outcome = outcome.unwrap_or_else(|diag| {
        panic!("{diag} {:?} {:?}\n{}", diag.label, diag.notes, raddle_ir::print(ir, &Default::default()))
    });
    outcome.results.into_iter().map(|tensor| tensor.bytes).collect()
}

/// The program, vectorized with these options, and the remarks about what was left.
fn vectorized(text: &str, options: &str) -> (Ir, Vec<String>) {
    let mut ir = raddle_ir::parse(text).unwrap_or_else(|diags| panic!("{diags:?}\n{text}"));
    let func = ir.funcs()[0];
    let pass = PASSES.iter().find(|pass| pass.name == "vectorize-tensors").unwrap();
    let facts = Facts::new(chip("sm_80").unwrap());
    let options = PassOptions::read(pass.options, pass.name, options).unwrap();
    pass.apply(&mut ir, func, &facts, &options).unwrap();
    assert_eq!(raddle_ir::verify(&ir), [], "{text}\nbecame\n{}", raddle_ir::print(&ir, &Default::default()));
    (ir, facts.remarks.into_inner().into_iter().map(|remark| remark.message).collect())
}

/// `RADDLE_PROGRAMS` and `RADDLE_SEED` say how many, and from where on.
#[test]
fn tensors_and_vectors_mean_the_same() {
    let number = |name: &str, default| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default);
    let (n, first) = (number("RADDLE_PROGRAMS", 400), number("RADDLE_SEED", 0));
    let mut masked = 0;
    for seed in first..first + n {
        let (text, shapes) = program(seed);
        let mut random = Random(seed + 1);
        let args: Vec<Tensor> = shapes.iter().map(|shape| random.tensor(Scalar::Int(32), shape)).collect();
        let before = raddle_ir::parse(&text).unwrap_or_else(|diags| panic!("seed {seed}: {diags:?}\n{text}"));
        let expected = results(&before, &args);
        for options in ["", "enable-vector-masking=true", "enable-vector-masking=true generate-contract=false"] {
            let (ir, remarks) = vectorized(&text, options);
            let printed = raddle_ir::print(&ir, &Default::default());
            masked += usize::from(printed.contains("_mask "));
            // Without masks, only layouts that are larger than their tensors stay.
            let stays = |remark: &String| options.is_empty() && remark.contains("to_layout");
            assert!(
                remarks.iter().all(stays) && !printed.contains("linalg."),
                "seed {seed}: {remarks:?}
{printed}"
            );
            assert!(expected == results(&ir, &args), "seed {seed} {options}\n{text}\nbecame\n{printed}");
        }
    }
    assert!(masked as u64 > n / 2, "only {masked} of {n} programs have masks");
}

/// Slices whose extents are values: the largest that these may be is found where they are made, and the last ones are
/// masked.
#[test]
fn bounded_extents_are_masked() {
    let text = "func.func @f(%a: tensor<13x5xi32>, %b: tensor<13xi32>) -> tensor<13xi32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c13 = arith.constant 13 : index
  %r = scf.for %i = %c0 to %c13 step %c4 iter_args(%acc = %b) -> (tensor<13xi32>) {
    %n = affine.min affine_map<(d0) -> (4, 13 - d0)>(%i)
    %x = tensor.extract_slice %a[%i, 0] [%n, 5] [1, 1] : tensor<13x5xi32> to tensor<?x5xi32>
    %y = tensor.extract_slice %acc[%i] [%n] [1] : tensor<13xi32> to tensor<?xi32>
    %s = linalg.reduce ins(%x : tensor<?x5xi32>) outs(%y : tensor<?xi32>) dimensions = [1]
      (%in: i32, %out: i32) {
        %m = arith.maxsi %in, %out : i32
        linalg.yield %m : i32
      }
    %t = linalg.add ins(%s, %y : tensor<?xi32>, tensor<?xi32>) outs(%y : tensor<?xi32>) -> tensor<?xi32>
    %z = tensor.insert_slice %t into %acc[%i] [%n] [1] : tensor<?xi32> into tensor<13xi32>
    scf.yield %z : tensor<13xi32>
  }
  return %r : tensor<13xi32>
}";
    let (_, remarks) = vectorized(text, "");
    assert_eq!(remarks.len(), 2, "{remarks:?}");
    let (ir, remarks) = vectorized(text, "enable-vector-masking");
    assert_eq!(remarks, [""; 0]);
    let printed = raddle_ir::print(&ir, &Default::default());
    assert!(printed.contains("vector<4x5xi1>") && !printed.contains("linalg."), "{printed}");
    // What is written under a mask and read back under it is there already.
    let mut cleaned = raddle_ir::parse(&printed).unwrap();
    let func = cleaned.funcs()[0];
    raddle_passes::clean::clean(&mut cleaned, func);
    let printed = raddle_ir::print(&cleaned, &Default::default());
    assert_eq!(printed.matches("vector.transfer_write").count(), 1, "{printed}");
    assert_eq!(printed.matches("vector.create_mask").count(), 2, "{printed}");
}
