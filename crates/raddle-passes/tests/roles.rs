//! Random programs of roles: subgroups that run beside one another, and give what they have through memory or to roles of
//! the same subgroups, mean at every stage what the program of the whole workgroup means, and race nowhere.
//!
//! `RADDLE_PROGRAMS=20000 RADDLE_SEED=7` runs more of them.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::fmt::Write as _;

use raddle_emu::Tensor;
use raddle_ir::{Opcode, Scalar};

use crate::common::Random;
use crate::stages::alike;

const ROWS: usize = 4;
const COLUMNS: i64 = 64;
const SHARED: &str = "memref<4x64xi32, #gpu.address_space<workgroup>>";
const GLOBAL: &str = "memref<4x64xi32>";

/// A program while it is written.
struct Program {
    text: String,
    random: Random,
    /// Subgroups of the workgroup.
    n_subgroups: i64,
    /// Names given so far.
    n_names: usize,
    /// What roles have given, each with its first subgroup and their number, as far as it may be used here.
    given: Vec<(String, [i64; 2])>,
}

impl Program {
    fn name(&mut self) -> String {
        self.n_names += 1;
        format!("%v{}", self.n_names)
    }

    fn range(&mut self) -> [i64; 2] {
        let first = self.random.below(self.n_subgroups as usize) as i64;
        [first, 1 + self.random.below((self.n_subgroups - first) as usize) as i64]
    }

    /// A layout of a row for so many subgroups.
    fn layout(&mut self, count: i64) -> String {
        let subgroups = self.random.pick(&[1, 2, 4].map(|n| if n <= count { n } else { 1 }));
        let stride = match subgroups {
            1 => 0,
            n if 2 * n <= count => 1 + self.random.below(2) as i64,
            _ => 1,
        };
        let lanes = self.random.pick(&[8, 16, 32]);
        let element = self.random.pick(&[1, 2, 4]).min(COLUMNS / (subgroups * lanes)).max(1);
        let lanes = lanes.min(COLUMNS / (subgroups * element));
        let batch = COLUMNS / (subgroups * lanes * element);
        format!(
            "#iree_vector_ext.nested_layout<subgroup_tile = [{subgroups}], batch_tile = [{batch}], outer_tile = [1], \
             thread_tile = [{lanes}], element_tile = [{element}], subgroup_strides = [{stride}], thread_strides = [1]>"
        )
    }

    /// Reads a row, in some layout.
    fn read(&mut self, count: i64, round: Option<&str>) -> String {
        let (read, name, layout) = (self.name(), self.name(), self.layout(count));
        let constant = format!("%c{}", self.random.below(ROWS));
        let row = round.filter(|_| self.random.below(2) == 0).unwrap_or(&constant);
        let (memory, ty) = self.random.pick(&[("%x", GLOBAL), ("%s", SHARED), ("%s", SHARED), ("%y", GLOBAL)]);
        let _ = writeln!(
            self.text,
            "{read} = vector.transfer_read {memory}[{row}, %c0], %pad {{in_bounds = [true]}} : {ty}, vector<64xi32>\n\
             {name} = iree_vector_ext.to_layout {read} to layout({layout}) : vector<64xi32>"
        );
        name
    }

    fn write(&mut self, value: &str, round: Option<&str>) {
        let constant = format!("%c{}", self.random.below(ROWS));
        let row = round.filter(|_| self.random.below(2) == 0).unwrap_or(&constant);
        let (memory, ty) = self.random.pick(&[("%s", SHARED), ("%s", SHARED), ("%y", GLOBAL)]);
        let _ = writeln!(
            self.text,
            "vector.transfer_write {value}, {memory}[{row}, %c0] {{in_bounds = [true]}} : vector<64xi32>, {ty}"
        );
    }

    /// A role of a range, which begins with a value if there is one; it gives a value if `gives`.
    fn role(&mut self, [first, count]: [i64; 2], start: Option<&str>, gives: bool, round: Option<&str>) -> String {
        let result = self.name();
        let head = if gives {
            format!("{result} = scf.execute_region -> vector<64xi32>")
        } else {
            "scf.execute_region".into()
        };
        let _ = writeln!(self.text, "{head} no_inline {{");
        let mut value = match start {
            Some(start) => start.to_owned(),
            None => self.read(count, round),
        };
        for _ in 0..1 + self.random.below(3) {
            let new = self.name();
            match self.random.below(4) {
                0 => {
                    let layout = self.layout(count);
                    let _ = writeln!(
                        self.text,
                        "{new} = iree_vector_ext.to_layout {value} to layout({layout}) : vector<64xi32>"
                    );
                }
                1 => {
                    let (sum, all) = (self.name(), self.name());
                    let _ = writeln!(
                        self.text,
                        "{sum} = vector.multi_reduction <add>, {value}, %pad [0] : vector<64xi32> to i32\n\
                         {all} = vector.broadcast {sum} : i32 to vector<64xi32>\n\
                         {new} = arith.addi {value}, {all} : vector<64xi32>"
                    );
                }
                2 => {
                    self.write(&value, round);
                    continue;
                }
                _ => {
                    let other = self.read(count, round);
                    let _ = writeln!(self.text, "{new} = arith.addi {value}, {other} : vector<64xi32>");
                }
            }
            value = new;
        }
        if gives {
            // One layout for all that is given, so that nothing is converted on the way.
            let (given, layout) = (self.name(), format!("#given{}", (count as u64).ilog2().min(2)));
            let _ = writeln!(
                self.text,
                "{given} = iree_vector_ext.to_layout {value} to layout({layout}) : vector<64xi32>\n\
                 scf.yield {given} : vector<64xi32>"
            );
        } else {
            self.write(&value, round);
            self.text += "scf.yield\n";
        }
        let _ = writeln!(self.text, "}} {{raddle.subgroups = array<i64: {first}, {count}>}}");
        result
    }

    /// Some roles; some begin with what others gave.
    fn roles(&mut self, round: Option<&str>) {
        for _ in 0..1 + self.random.below(4) {
            let before =
                (!self.given.is_empty() && self.random.below(2) == 0).then(|| self.random.below(self.given.len()));
            let before = before.map(|at| self.given[at].clone());
            let range = before.as_ref().map_or_else(|| self.range(), |(_, range)| *range);
            let gives = range[1] < self.n_subgroups && self.random.below(3) == 0;
            let result = self.role(range, before.as_ref().map(|(name, _)| &name[..]), gives, round);
            if gives {
                self.given.push((result, range));
            }
        }
    }
}

fn program(seed: u64) -> String {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) + 1);
    let n_subgroups = 2 + random.below(5) as i64;
    let mut program = Program { text: String::new(), random, n_subgroups, n_names: 0, given: Vec::new() };
    for (n, subgroups) in [1, 2, 4].into_iter().enumerate() {
        let (stride, batch) = (i64::from(subgroups > 1), 4 / subgroups);
        let _ = writeln!(
            program.text,
            "#given{n} = #iree_vector_ext.nested_layout<subgroup_tile = [{subgroups}], batch_tile = [{batch}], \
             outer_tile = [1], thread_tile = [16], element_tile = [1], subgroup_strides = [{stride}], thread_strides = [1]>"
        );
    }
    let _ = writeln!(
        program.text,
        "#all = #iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [4, 1], outer_tile = [1, 1], \
         thread_tile = [1, 32], element_tile = [1, 2], subgroup_strides = [0, 0], thread_strides = [0, 1]>\n\
         func.func @f(%x: {GLOBAL}, %y: {GLOBAL}) attributes {{gpu.known_grid_size = array<i32: 1, 1, 1>, \
         translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> \
         workgroup_size = [{}, 1, 1] subgroup_size = 32>}} {{\n\
         %s = memref.alloc() : {SHARED}\n\
         %pad = arith.constant 0 : i32",
        32 * n_subgroups
    );
    for row in 0..ROWS {
        let _ = writeln!(program.text, "%c{row} = arith.constant {row} : index");
    }
    let _ = writeln!(
        program.text,
        "%all = vector.transfer_read %x[%c0, %c0], %pad {{in_bounds = [true, true]}} : {GLOBAL}, vector<4x64xi32>\n\
         %laid = iree_vector_ext.to_layout %all to layout(#all) : vector<4x64xi32>\n\
         vector.transfer_write %laid, %s[%c0, %c0] {{in_bounds = [true, true]}} : vector<4x64xi32>, {SHARED}"
    );
    program.roles(None);
    if program.random.below(3) > 0 {
        // What a loop carries belongs to one range.
        let range = program.range();
        let carries = range[1] < n_subgroups && program.random.below(2) == 0;
        let _ = match carries {
            true => writeln!(
                program.text,
                "%zeros = arith.constant dense<0> : vector<64xi32>\n\
                 %carried = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %zeros) -> (vector<64xi32>) {{"
            ),
            false => writeln!(program.text, "scf.for %i = %c0 to %c3 step %c1 {{"),
        };
        let outside = program.given.len();
        program.roles(Some("%i"));
        if carries {
            let next = program.role(range, Some("%a"), true, Some("%i"));
            program.roles(Some("%i"));
            let _ = writeln!(program.text, "scf.yield {next} : vector<64xi32>");
        }
        program.text += "}\n";
        program.given.truncate(outside);
        if carries {
            program.given.push(("%carried".to_owned(), range));
        }
        program.roles(None);
    }
    program.text += "return\n}\n";
    program.text
}

/// Whatever roles do, and whoever waits for whom, each stage gives the same bits.
#[test]
fn random_roles_mean_the_same_at_every_stage() {
    let number =
        |name: &str, default: u64| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default);
    let (n, first) = (number("RADDLE_PROGRAMS", 100), number("RADDLE_SEED", 0));
    let values: Vec<i64> = (0..256).map(|at| at * 37 % 251).collect();
    let args = [Tensor::from_i64(Scalar::Int(32), &[4, 64], &values), Tensor::zeros(Scalar::Int(32), &[4, 64])];
    let (mut named, mut alone, mut whole) = (0, 0, 0);
    for seed in first..first + n {
        let (text, target) = (program(seed), ["sm_80", "sm_90a"][seed as usize % 2]);
        let (ir, _) = alike(&format!("seed {seed}"), &text, target, &args, seed)
            .unwrap_or_else(|diag| panic!("seed {seed}: {diag:#?}\n{text}"));
        for op in ir.walk(ir.module()) {
            match (ir.opcode(op), ir.keyword_of(op, "scope")) {
                (Opcode::NvvmBarrier, _) => named += 1,
                (Opcode::GpuBarrier, Some("subgroup")) => alone += 1,
                (Opcode::GpuBarrier, _) => whole += 1,
                _ => {}
            }
        }
    }
    // The programs are worth something only where threads of every kind of range meet.
    assert!(named >= n && alone >= n / 4 && whole >= n, "{named} {alone} {whole} barriers in {n} programs");
}
