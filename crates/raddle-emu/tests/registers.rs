//! Registers take turns: random programs give what they would if every value had an array of its own.
#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use std::fmt::Write as _;

use raddle_emu::{Options, Tensor};

use crate::common::{F32, I32, SIMT, iota, try_run};

/// A statement on i32 values, which are numbered in the order of their definition.
enum Step {
    /// An operation on two earlier values.
    Binary(&'static str, usize, usize),
    /// Where the first value is odd, one list of steps, else the other; the last value of each is the result.
    Branch(usize, [Vec<Step>; 2]),
    /// As many rounds as the last two bits of the first value say; each makes a new value out of the last one.
    Loop(Form, usize, usize, Vec<Step>),
}

/// How a loop is written down.
#[derive(Clone, Copy)]
enum Form {
    For,
    While,
    Blocks,
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    /// Steps that begin with `known` values in sight.
    fn steps(&mut self, known: usize, depth: usize) -> Vec<Step> {
        (0..2 + self.below(4))
            .map(|at| {
                let known = known + at;
                let [a, b] = [0; 2].map(|_| self.below(known));
                match self.below(if depth == 0 { 3 } else { 6 }) {
                    0 => Step::Binary("addi", a, b),
                    1 => Step::Binary("xori", a, b),
                    2 => Step::Binary("muli", a, b),
                    3 => Step::Branch(a, [0; 2].map(|_| self.steps(known, depth - 1))),
                    kind => {
                        let form = [Form::For, Form::While, Form::Blocks][(kind + self.below(3)) % 3];
                        // The body sees the value that goes around.
                        Step::Loop(form, a, b, self.steps(known + 1, depth - 1))
                    }
                }
            })
            .collect()
    }
}

/// What the steps make of the values, for one lane.
fn evaluate(steps: &[Step], values: &mut Vec<i32>) -> i32 {
    let known = values.len();
    for step in steps {
        let value = match step {
            Step::Binary(op, a, b) => {
                let (a, b) = (values[*a], values[*b]);
                match *op {
                    "addi" => a.wrapping_add(b),
                    "xori" => a ^ b,
                    _ => a.wrapping_mul(b),
                }
            }
            Step::Branch(cond, sides) => evaluate(&sides[usize::from(values[*cond] & 1 == 0)], values),
            Step::Loop(_, trips, init, body) => (0..values[*trips] & 3).fold(values[*init], |acc, _| {
                values.push(acc);
                let acc = evaluate(body, values);
                values.pop();
                acc
            }),
        };
        values.push(value);
    }
    let last = *values.last().unwrap();
    values.truncate(known);
    last
}

/// The steps as text; `names` are those of the values.
fn print(steps: &[Step], names: &mut Vec<String>, fresh: &mut usize, out: &mut String) -> String {
    let known = names.len();
    for step in steps {
        *fresh += 1;
        let n = *fresh;
        match step {
            Step::Binary(op, a, b) => {
                writeln!(out, "%v{n} = arith.{op} {}, {} : i32", names[*a], names[*b]).unwrap();
            }
            Step::Branch(cond, sides) => {
                writeln!(out, "%p{n} = arith.trunci {} : i32 to i1\n%v{n} = scf.if %p{n} -> i32 {{", names[*cond])
                    .unwrap();
                for (side, after) in sides.iter().zip(["} else {", "}"]) {
                    let last = print(side, names, fresh, out);
                    writeln!(out, "scf.yield {last} : i32\n{after}").unwrap();
                }
            }
            Step::Loop(form, trips, init, body) => {
                let (trips, init) = (&names[*trips], names[*init].clone());
                let bound = format!("%n{n} = arith.andi {trips}, %c3 : i32");
                match form {
                    Form::For => writeln!(
                        out,
                        "{bound}\n%v{n} = scf.for %i{n} = %c0 to %n{n} step %c1 iter_args(%a{n} = {init}) -> (i32) : i32 {{"
                    ),
                    Form::While => writeln!(
                        out,
                        "{bound}\n%v{n}, %w{n} = scf.while (%b{n} = {init}, %k{n} = %n{n}) : (i32, i32) -> (i32, i32) {{
%p{n} = arith.cmpi sgt, %k{n}, %c0 : i32
scf.condition(%p{n}) %b{n}, %k{n} : i32, i32
}} do {{
^bb0(%a{n}: i32, %l{n}: i32):"
                    ),
                    Form::Blocks => writeln!(
                        out,
                        "%v{n} = scf.execute_region -> i32 {{
{bound}
cf.br ^head{n}({init}, %c0 : i32, i32)
^head{n}(%a{n}: i32, %l{n}: i32):
%p{n} = arith.cmpi slt, %l{n}, %n{n} : i32
cf.cond_br %p{n}, ^body{n}, ^exit{n}
^body{n}:"
                    ),
                }
                .unwrap();
                names.push(format!("%a{n}"));
                let last = print(body, names, fresh, out);
                names.pop();
                match form {
                    Form::For => writeln!(out, "scf.yield {last} : i32\n}}"),
                    Form::While => writeln!(out, "%m{n} = arith.subi %l{n}, %c1 : i32\nscf.yield {last}, %m{n} : i32, i32\n}}"),
                    Form::Blocks => writeln!(
                        out,
                        "%m{n} = arith.addi %l{n}, %c1 : i32\ncf.br ^head{n}({last}, %m{n} : i32, i32)\n^exit{n}:\nscf.yield %a{n} : i32\n}}"
                    ),
                }
                .unwrap();
            }
        }
        names.push(format!("%v{n}"));
    }
    let last = names.last().unwrap().clone();
    names.truncate(known);
    last
}

/// Lanes part and meet again in branches, loops and blocks, and each keeps its values.
#[test]
fn random_programs_keep_their_values() {
    for seed in 0..400 {
        let steps = Random(seed).steps(2, 3);
        let mut body = String::new();
        let last = print(&steps, &mut vec!["%x".into(), "%c5".into()], &mut 0, &mut body);
        let text = format!(
            "func.func @f(%out: memref<64xi32>) {SIMT} {{
%c0 = arith.constant 0 : i32
%c1 = arith.constant 1 : i32
%c3 = arith.constant 3 : i32
%c5 = arith.constant 5 : i32
%t = gpu.thread_id x
%x = arith.index_cast %t : index to i32
{body}
memref.store {last}, %out[%t] : memref<64xi32>
return
}}"
        );
        let out = try_run(&text, &[Tensor::zeros(I32, &[64])], &Options::default());
        let out = out.unwrap_or_else(|diag| panic!("seed {seed}: {diag:?}\n{text}"));
        let want: Vec<i64> = (0..64).map(|x| i64::from(evaluate(&steps, &mut vec![x, 5]))).collect();
        assert_eq!(out.buffers[0].to_i64(), want, "seed {seed}\n{text}");
    }
}

/// A value of 4096 elements that every thread of a workgroup builds up in 1024 steps is there once, not 1025 times.
#[test]
fn a_replicated_value_fits_in_its_size() {
    let mut steps = String::new();
    for at in 0..1024 {
        let before = if at == 0 { "zero".into() } else { format!("v{}", at - 1) };
        let offset = 4 * at;
        writeln!(
            steps,
            "%v{at} = vector.insert_strided_slice %part, %{before} {{offsets = [{offset}], strides = [1]}} : vector<4xf32> into vector<4096xf32>"
        )
        .unwrap();
    }
    let text = format!(
        "func.func @f(%in: memref<256xf32>, %out: memref<256xf32>) {} {{
%t = gpu.thread_id x
%zero = arith.constant dense<0.0> : vector<4096xf32>
%x = memref.load %in[%t] : memref<256xf32>
%part = vector.broadcast %x : f32 to vector<4xf32>
{steps}
%y = vector.extract %v1023[2047] : f32 from vector<4096xf32>
memref.store %y, %out[%t] : memref<256xf32>
return
}}",
        SIMT.replace("64, 1, 1", "256, 1, 1")
    );
    let options = Options { memory_max: 16 << 20, ..Options::default() };
    let args = [iota(F32, &[256]), Tensor::zeros(F32, &[256])];
    let out = try_run(&text, &args, &options).unwrap_or_else(|diag| panic!("{diag:?}"));
    assert_eq!(out.buffers[1].to_f64(), args[0].to_f64());
}

/// A value that is both what is combined and what it is combined into is read before it changes.
#[test]
fn a_value_meets_itself() {
    let text = format!(
        "func.func @f(%out: memref<64xi32>) {SIMT} {{
%t = gpu.thread_id x
%x = arith.index_cast %t : index to i32
%v = vector.broadcast %x : i32 to vector<4xi32>
%sum = vector.multi_reduction <add>, %v, %v [] : vector<4xi32> to vector<4xi32>
%y = vector.extract %sum[3] : i32 from vector<4xi32>
memref.store %y, %out[%t] : memref<64xi32>
return
}}"
    );
    let out =
        try_run(&text, &[Tensor::zeros(I32, &[64])], &Options::default()).unwrap_or_else(|diag| panic!("{diag:?}"));
    assert_eq!(out.buffers[0].to_i64(), (0..64).map(|x| 2 * x).collect::<Vec<_>>());
}
