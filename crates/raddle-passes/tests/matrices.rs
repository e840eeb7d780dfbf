//! Contractions of a subgroup mean the same as matrix instructions, on opaque matrices and on lanes' parts.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::fmt::Write;

use raddle_emu::{Launch, Mode, Tensor};
use raddle_ir::{Diag, Ir, Scalar, parse, print, verify};
use raddle_passes::{Facts, Options, PASSES};
use raddle_target::chip;

use crate::programs::Rng;

/// The program behind the steps that give its contractions to one way's instructions.
fn converted(text: &str, way: &str) -> Result<Ir, Diag> {
    let patterns = way.replace("use_wmma", "wmma_sync").replace("use_mma_sync", "mma_sync");
    script(
        text,
        &format!(
            "transform.apply_patterns to %func {{
               transform.apply_patterns.iree.unroll_vectors_gpu_{patterns}
             }} : !transform.any_op
             transform.iree.vector.vector_to_mma_conversion %func {{ {way} }} : (!transform.any_op) -> ()"
        ),
    )
}

fn script(text: &str, steps: &str) -> Result<Ir, Diag> {
    let text = format!(
        "{text}
         module attributes {{transform.with_named_sequence}} {{
           transform.named_sequence @__transform_main(%root: !transform.any_op {{transform.readonly}}) {{
             %func = transform.structured.match ops{{[\"func.func\"]}} in %root : (!transform.any_op) -> !transform.any_op
             {steps}
             transform.yield
           }}
         }}"
    );
    let mut ir = parse(&text).unwrap_or_else(|diags| panic!("{diags:?}\n{text}"));
    let module = ir.module();
    for name in ["run-script", "drop-script"] {
        let pass = PASSES.iter().find(|pass| pass.name == name).unwrap();
        pass.apply(&mut ir, module, &Facts::new(chip("sm_80").unwrap()), &Options::of(pass.options))?;
    }
    assert_eq!(verify(&ir), [], "{}", print(&ir, &Default::default()));
    Ok(ir)
}

/// What two workgroups of one subgroup leave in the buffers.
fn run(ir: &Ir, args: &[Tensor], mode: Mode) -> Vec<Tensor> {
    let func = ir.funcs()[0];
    let launch = Launch { grid: [2, 1, 1], workgroup_size: [32, 1, 1], subgroup_size: 32, mode };
    raddle_emu::run(ir, func, args, &launch, &Default::default())
        .unwrap_or_else(|diag| panic!("{diag:#?}\n{}", print(ir, &Default::default())))
        .buffers
}

/// The element types of factors and sums, and whether opaque matrices have them.
const TYPES: &[(&str, &str, bool)] = &[
    ("f16", "f32", true),
    ("f16", "f16", true),
    ("f32", "f32", true),
    ("i8", "i32", true),
    ("f64", "f64", true),
    ("bf16", "f32", false),
];

/// A kernel of one subgroup on matrices.
#[derive(Default)]
struct Kernel {
    body: String,
    /// Shape and element type of each buffer.
    buffers: Vec<(Vec<i64>, String)>,
    next: usize,
    /// Whether elementwise operations are among them that opaque matrices do not have.
    rich: bool,
    /// Whether a read repeats one column, as no load of an opaque matrix does.
    repeats: bool,
    /// Extents of a buffer of f16 in shared memory, once it is filled.
    shared: Option<[i64; 2]>,
}

impl Kernel {
    fn name(&mut self) -> String {
        self.next += 1;
        format!("%v{}", self.next)
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.body, "    {text}");
    }

    fn is_float(elem: &str) -> bool {
        elem.starts_with('f') || elem.starts_with('b')
    }

    /// A buffer with room for a matrix, its indices, and what the transfer says of dimensions.
    fn place(&mut self, rng: &mut Rng, shape: [i64; 2], elem: &str) -> (String, String, String, String) {
        let turned = rng.chance(30);
        let space = if turned { [shape[1], shape[0]] } else { shape };
        let (lead, more) = (rng.chance(25), [rng.below(3) as i64 * 8, rng.below(3) as i64]);
        let mut extents = vec![space[0] + more[0], space[1] + more[1]];
        let at = [rng.below(more[0] as usize + 1), rng.below(more[1] as usize + 1)];
        let mut indices = vec![format!("%c{}", at[0]), format!("%c{}", at[1])];
        // Both workgroups have a part of their own along the first dimension.
        extents.insert(0, 2);
        indices.insert(0, "%block".to_owned());
        // The rows of the matrix may lie along a dimension that is not the last but one.
        let apart = lead && rng.chance(50);
        if apart {
            extents.insert(2, 3);
            indices.insert(2, "%c1".to_owned());
        } else if lead {
            extents.insert(1, 3);
            indices.insert(1, "%c2".to_owned());
        }
        let rank = extents.len();
        let dims: Vec<String> = (0..rank).map(|d| format!("d{d}")).collect();
        let row = if apart { 1 } else { rank - 2 };
        let pair = if turned { [rank - 1, row] } else { [row, rank - 1] };
        let map = format!("affine_map<({}) -> (d{}, d{})>", dims.join(", "), pair[0], pair[1]);
        let ty: Vec<String> = extents.iter().map(i64::to_string).collect();
        let ty = format!("memref<{}x{elem}>", ty.join("x"));
        let name = format!("%m{}", self.buffers.len());
        self.buffers.push((extents, elem.to_owned()));
        (name, indices.join(", "), map, ty)
    }

    fn read(&mut self, rng: &mut Rng, shape: [i64; 2], elem: &str) -> String {
        let (memory, at, map, ty) = self.place(rng, shape, elem);
        let name = self.name();
        let bounds = if rng.chance(60) { ", in_bounds = [true, true]" } else { "" };
        // One row or column for all.
        let map = if rng.chance(10) { map.replace(" -> (d", " -> (0 * d") } else { map };
        let (map, bounds) = match map.find("(0 * d") {
            Some(start) => {
                let end = start + map[start..].find(',').unwrap();
                let last = format!("d{})>", ty.matches('x').count() - 1);
                self.repeats |= !map.ends_with(&last);
                (format!("{}(0{}", &map[..start], &map[end..]), ", in_bounds = [true, true]")
            }
            None => (map, bounds),
        };
        self.line(&format!(
            "{name} = vector.transfer_read {memory}[{at}], %pad_{elem} {{permutation_map = {map}{bounds}}} : {ty}, vector<{}x{}x{elem}>",
            shape[0], shape[1]
        ));
        name
    }

    fn write(&mut self, rng: &mut Rng, value: &str, shape: [i64; 2], elem: &str) {
        let (memory, at, map, ty) = self.place(rng, shape, elem);
        self.line(&format!(
            "vector.transfer_write {value}, {memory}[{at}] {{permutation_map = {map}, in_bounds = [true, true]}} : vector<{}x{}x{elem}>, {ty}",
            shape[0], shape[1]
        ));
    }

    /// A matrix of small numbers: read, constant, or one scalar for all.
    fn matrix(&mut self, rng: &mut Rng, shape: [i64; 2], elem: &str) -> String {
        let ty = format!("vector<{}x{}x{elem}>", shape[0], shape[1]);
        let number = format!("{}{}", rng.below(3), if Kernel::is_float(elem) { ".0" } else { "" });
        match rng.below(12) {
            2 => {
                let turned = self.read(rng, [shape[1], shape[0]], elem);
                let turned =
                    if rng.chance(50) { self.elementwise(rng, turned, [shape[1], shape[0]], elem) } else { turned };
                let name = self.name();
                self.line(&format!(
                    "{name} = vector.transpose {turned}, [1, 0] : vector<{}x{}x{elem}> to {ty}",
                    shape[1], shape[0]
                ));
                name
            }
            3 => {
                // One row for all, as a vector of one dimension or of one row.
                let (memory, row, name) = (format!("%m{}", self.buffers.len()), self.name(), self.name());
                self.buffers.push((vec![2, 40], elem.to_owned()));
                let n = shape[1];
                let at = if n < 40 && rng.chance(50) { "%c1" } else { "%c0" };
                if n > 40 {
                    self.buffers.last_mut().unwrap().0[1] = 64;
                }
                let extent = self.buffers.last().unwrap().0[1];
                let (bounds, part) =
                    if rng.chance(50) { ("true", format!("{n}")) } else { ("true, true", format!("1x{n}")) };
                self.line(&format!("{row} = vector.transfer_read {memory}[%block, {at}], %pad_{elem} {{in_bounds = [{bounds}]}} : memref<2x{extent}x{elem}>, vector<{part}x{elem}>"));
                self.line(&format!("{name} = vector.broadcast {row} : vector<{part}x{elem}> to {ty}"));
                name
            }
            0 => {
                let name = self.name();
                self.line(&format!("{name} = arith.constant dense<{number}> : {ty}"));
                name
            }
            1 => {
                let name = self.name();
                self.line(&format!("{name} = vector.broadcast %one_{elem} : {elem} to {ty}"));
                name
            }
            _ => self.read(rng, shape, elem),
        }
    }

    /// Some elementwise operations on a matrix.
    fn elementwise(&mut self, rng: &mut Rng, mut value: String, shape: [i64; 2], elem: &str) -> String {
        let ty = format!("vector<{}x{}x{elem}>", shape[0], shape[1]);
        for _ in 0..rng.below(3) {
            let (name, float) = (self.name(), Kernel::is_float(elem));
            match rng.below(if self.rich { 4 } else { 3 }) {
                0 if float => self.line(&format!("{name} = arith.negf {value} : {ty}")),
                0 | 1 => {
                    let other = self.matrix(rng, shape, elem);
                    let op = if float { rng.pick(&["addf", "subf", "maximumf", "minimumf"]) } else { "addi" };
                    self.line(&format!("{name} = arith.{op} {value}, {other} : {ty}"));
                }
                2 => {
                    let op = if float { "mulf" } else { "muli" };
                    let sign = self.name();
                    self.line(&format!("{sign} = vector.broadcast %one_{elem} : {elem} to {ty}"));
                    self.line(&format!("{name} = arith.{op} {value}, {sign} : {ty}"));
                }
                _ => self.line(&format!("{name} = arith.select %flag, {value}, {value} : {ty}")),
            }
            value = name;
        }
        value
    }

    /// Fills a buffer of 64 rows in shared memory with copies of a matrix of f16.
    fn fill_shared(&mut self, rng: &mut Rng, value: &str, shape: [i64; 2]) {
        let columns = 64 + rng.pick(&[0, 8, 4]);
        let ty = format!("memref<64x{columns}xf16, #gpu.address_space<workgroup>>");
        self.line(&format!("%shared = memref.alloc() : {ty}"));
        // Small numbers again: f16 has whole ones up to 2048 only.
        let vector = format!("vector<{}x{}xf16>", shape[0], shape[1]);
        let [low, high, above, small] = [0; 4].map(|_| self.name());
        self.line(&format!("{low} = arith.constant dense<-1.0> : {vector}"));
        self.line(&format!("{high} = arith.constant dense<1.0> : {vector}"));
        self.line(&format!("{above} = arith.maximumf {value}, {low} : {vector}"));
        self.line(&format!("{small} = arith.minimumf {above}, {high} : {vector}"));
        for i in (0..64).step_by(shape[0] as usize) {
            for j in (0..64).step_by(shape[1] as usize) {
                let [a, b] = [i, j].map(|at| {
                    let name = self.name();
                    self.line(&format!("{name} = arith.constant {at} : index"));
                    name
                });
                self.line(&format!(
                    "vector.transfer_write {small}, %shared[{a}, {b}] {{in_bounds = [true, true]}} : vector<{}x{}xf16>, {ty}",
                    shape[0], shape[1]
                ));
            }
        }
        self.line("gpu.barrier");
        self.shared = Some([64, columns]);
    }

    fn read_shared(&mut self, rng: &mut Rng, shape: [i64; 2]) -> String {
        let [rows, columns] = self.shared.unwrap();
        let turned = rng.chance(50);
        let space = if turned { [shape[1], shape[0]] } else { shape };
        let at = space.map(|extent| if extent < 64 { rng.pick(&["%c0", "%c8", "%c3", "%eight"]) } else { "%c0" });
        let (name, map) = (self.name(), if turned { "(d1, d0)" } else { "(d0, d1)" });
        self.line(&format!(
            "{name} = vector.transfer_read %shared[{}, {}], %pad_f16 {{permutation_map = affine_map<(d0, d1) -> {map}>, in_bounds = [true, true]}} : memref<{rows}x{columns}xf16, #gpu.address_space<workgroup>>, vector<{}x{}xf16>",
            at[0], at[1], shape[0], shape[1]
        ));
        name
    }

    /// A factor of a contraction and how its map names its dimensions.
    fn factor(&mut self, rng: &mut Rng, dims: [(&str, i64); 2], elem: &str) -> (String, String, [i64; 2]) {
        let [a, b] = if rng.chance(40) { [dims[1], dims[0]] } else { dims };
        let shape = [a.1, b.1];
        let value = match elem {
            "f16" if self.shared.is_some() && rng.chance(70) => self.read_shared(rng, shape),
            // Narrow numbers made wide where they are read.
            "f32" if rng.chance(20) => {
                let narrow = self.read(rng, shape, "f16");
                let name = self.name();
                let of = |elem: &str| format!("vector<{}x{}x{elem}>", shape[0], shape[1]);
                self.line(&format!("{name} = arith.extf {narrow} : {} to {}", of("f16"), of("f32")));
                name
            }
            _ => self.matrix(rng, shape, elem),
        };
        let value = if rng.chance(30) { self.elementwise(rng, value, shape, elem) } else { value };
        (value, format!("({}, {})", a.0, b.0), shape)
    }

    fn contract(&mut self, rng: &mut Rng, acc: &str, mnk: [i64; 3], turned: bool, types: [&str; 2]) -> String {
        let [m, n, k] = mnk;
        let (lhs, lhs_map, lhs_shape) = self.factor(rng, [("m", m), ("k", k)], types[0]);
        let (rhs, rhs_map, rhs_shape) = self.factor(rng, [("k", k), ("n", n)], types[0]);
        let (map, shape) = if turned { ("(n, m)", [n, m]) } else { ("(m, n)", [m, n]) };
        let loops = rng.pick(&["(m, n, k)", "(k, m, n)"]);
        let kinds = loops.trim_matches(['(', ')']).split(", ");
        let kinds: Vec<&str> = kinds.map(|d| if d == "k" { "\"reduction\"" } else { "\"parallel\"" }).collect();
        let name = self.name();
        self.line(&format!(
            "{name} = vector.contract {{indexing_maps = [affine_map<{loops} -> {lhs_map}>, affine_map<{loops} -> {rhs_map}>, affine_map<{loops} -> {map}>], iterator_types = [{}], kind = #vector.kind<add>}} {lhs}, {rhs}, {acc} : vector<{}x{}x{}>, vector<{}x{}x{}> into vector<{}x{}x{}>",
            kinds.join(", "),
            lhs_shape[0], lhs_shape[1], types[0],
            rhs_shape[0], rhs_shape[1], types[0],
            shape[0], shape[1], types[1],
        ));
        name
    }

    /// A whole kernel: sums of products, perhaps in loops, and what is done with them.
    fn random(rng: &mut Rng, factor: &str, sum: &str, rich: bool) -> Kernel {
        let mut kernel = Kernel { rich, ..Kernel::default() };
        let (m, n) = (rng.pick(&[16, 32]), rng.pick(&[16, 32]));
        let turned = rng.chance(30);
        let shape = if turned { [n, m] } else { [m, n] };
        let k = |rng: &mut Rng| rng.pick(&[32, 64]);
        let ty = format!("vector<{}x{}x{sum}>", shape[0], shape[1]);
        let mut acc = kernel.matrix(rng, shape, sum);
        if rng.chance(40) {
            acc = kernel.elementwise(rng, acc, shape, sum);
        }
        for _ in 0..1 + rng.below(2) {
            if rng.chance(40) {
                let (result, arg, trips) = (kernel.name(), kernel.name(), rng.below(3));
                let carried = kernel.matrix(rng, shape, sum);
                kernel.line(&format!("%n{} = arith.addi %block, %c{trips} : index", &arg[2..]));
                kernel.line(&format!(
                    "{result}:2 = scf.for %i{0} = %c0 to %n{0} step %c1 iter_args({arg} = {acc}, {arg}b = {carried}) -> ({ty}, {ty}) {{",
                    &arg[2..]
                ));
                let depth = k(rng);
                let mut inner = kernel.contract(rng, &arg, [m, n, depth], turned, [factor, sum]);
                inner = kernel.elementwise(rng, inner, shape, sum);
                let other = if rng.chance(50) { format!("{arg}b") } else { kernel.matrix(rng, shape, sum) };
                kernel.line(&format!("scf.yield {inner}, {other} : {ty}, {ty}"));
                kernel.line("}");
                // What hangs together with no product would stay a vector, which all lanes write.
                acc = kernel.name();
                let add = if Kernel::is_float(sum) { "addf" } else { "addi" };
                kernel.line(&format!("{acc} = arith.{add} {result}#0, {result}#1 : {ty}"));
            } else {
                let depth = k(rng);
                acc = kernel.contract(rng, &acc, [m, n, depth], turned, [factor, sum]);
            }
            acc = kernel.elementwise(rng, acc, shape, sum);
            if sum == "f16" && kernel.shared.is_none() {
                kernel.fill_shared(rng, &acc, shape);
            }
            if rng.chance(30) {
                kernel.write(rng, &acc.clone(), shape, sum);
            }
        }
        if sum == "f32" && rng.chance(30) {
            let narrow = kernel.name();
            kernel.line(&format!("{narrow} = arith.truncf {acc} : {ty} to {}", ty.replace("f32", "f16")));
            kernel.write(rng, &narrow, shape, "f16");
        }
        kernel.write(rng, &acc, shape, sum);
        kernel
    }

    fn text(&self) -> String {
        let mut args = Vec::new();
        for (i, (shape, elem)) in self.buffers.iter().enumerate() {
            let extents: Vec<String> = shape.iter().map(i64::to_string).collect();
            args.push(format!("%m{i}: memref<{}x{elem}>", extents.join("x")));
        }
        let mut text = format!("  func.func @f({}) {{\n    %block = gpu.block_id x\n", args.join(", "));
        for i in 0..=16 {
            let _ = writeln!(text, "    %c{i} = arith.constant {i} : index");
        }
        let _ = writeln!(text, "    %eight = affine.apply affine_map<(d0) -> (d0 * 8 + 8)>(%block)");
        let _ = writeln!(text, "    %flag = arith.cmpi eq, %block, %c0 : index");
        for elem in ["f16", "bf16", "f32", "f64", "i8", "i32"] {
            let point = if Kernel::is_float(elem) { ".0" } else { "" };
            let _ = writeln!(text, "    %pad_{elem} = arith.constant 0{point} : {elem}");
            let _ = writeln!(text, "    %one_{elem} = arith.constant -1{point} : {elem}");
        }
        text + &self.body + "    return\n  }\n"
    }

    /// Small whole numbers: sums are exact in any order, and in any format.
    fn args(&self, seed: u64) -> Vec<Tensor> {
        let mut rng = Rng(seed | 1);
        let tensor = |(shape, elem): &(Vec<i64>, String)| {
            let n = shape.iter().product::<i64>();
            let values: Vec<f64> = (0..n).map(|_| rng.below(3) as f64 - 1.0).collect();
            Tensor::from_f64(Scalar::from_keyword(elem).unwrap(), shape, &values)
        };
        self.buffers.iter().map(tensor).collect()
    }
}

/// Random kernels of every element type, both ways: the same buffers, and no contraction is left.
#[test]
fn matrix_instructions_mean_what_contractions_mean() {
    let number =
        |name: &str, default: u64| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default);
    let (count, first) = (number("RADDLE_PROGRAMS", 60), number("RADDLE_SEED", 0));
    let mut by_rows = [0; 2];
    for seed in first..first + count {
        let mut rng = Rng(seed.wrapping_mul(7919).wrapping_add(5));
        let (factor, sum, opaque) = rng.pick(TYPES);
        let rich = rng.chance(30);
        let kernel = Kernel::random(&mut rng, factor, sum, rich);
        let (text, args) = (kernel.text(), kernel.args(seed));
        let want = run(&parse(&text).unwrap_or_else(|diags| panic!("{diags:?}\n{text}")), &args, Mode::Simd);
        for (way, made, always) in [
            ("use_mma_sync", "nvgpu.mma.sync", true),
            ("use_wmma", "gpu.subgroup_mma_compute", opaque && !rich && !kernel.repeats),
        ] {
            let ir = converted(&text, way).unwrap_or_else(|diag| panic!("seed {seed}: {diag:?}\n{text}"));
            let after = print(&ir, &Default::default());
            if always {
                assert!(
                    after.contains(made) && !after.contains("vector.contract"),
                    "seed {seed}, {way}:\n{text}\n{after}"
                );
            }
            // Vectors that stay are each lane's own, and all lanes write the same.
            let mode = if after.contains(made) { Mode::Simt } else { Mode::Simd };
            if after.contains("vector.contract") && mode == Mode::Simt {
                continue;
            }
            let got = run(&ir, &args, mode);
            assert!(got == want, "seed {seed}, {way}:\n{text}\n{after}");
            for (n, transposed) in by_rows.iter_mut().zip([false, true]) {
                *n += after.matches(&format!("numTiles = 4 transpose = {transposed}")).count();
                *n += after.matches(&format!("numTiles = 2 transpose = {transposed}")).count();
            }
        }
    }
    assert!(by_rows.iter().all(|&n| n > 0), "{by_rows:?}");
}

fn pass(text: &str, name: &str) -> Ir {
    let mut ir = parse(text).unwrap_or_else(|diags| panic!("{diags:?}\n{text}"));
    let (func, pass) = (ir.funcs()[0], PASSES.iter().find(|pass| pass.name == name).unwrap());
    pass.apply(&mut ir, func, &Facts::new(chip("sm_80").unwrap()), &Options::of(pass.options)).unwrap();
    assert_eq!(verify(&ir), [], "{}", print(&ir, &Default::default()));
    ir
}

/// Reads of three to five dimensions, at places that are known or not, of memories with strides of their own: what is a
/// matrix is read as one, and the elements are the same.
#[test]
fn matrices_in_more_dimensions_are_read_as_matrices() {
    for seed in 0..60 {
        let mut rng = Rng(seed * 31 + 7);
        let (rank, rank_vector) = (4 + rng.below(2), 3 + rng.below(2));
        let shape: Vec<i64> = (0..rank_vector).map(|_| rng.pick(&[1, 1, 2, 4])).collect();
        let mut extents: Vec<i64> = (0..rank - rank_vector).map(|_| 3).collect();
        extents.extend(shape.iter().map(|extent| extent + 2));
        let indices: Vec<&str> = (0..rank).map(|_| rng.pick(&["%c0", "%c2", "%block"])).collect();
        let list = |list: &[i64]| list.iter().map(i64::to_string).collect::<Vec<_>>().join("x");
        // A part of a larger memory: its rows are not neighbours.
        let view = rng.chance(40);
        let whole: Vec<i64> = extents.iter().map(|extent| extent + i64::from(view)).collect();
        let (sizes, strides) = (format!("{extents:?}"), {
            let mut strides = vec![1; rank];
            (1..rank).rev().for_each(|d| strides[d - 1] = strides[d] * whole[d]);
            strides
        });
        let offset: i64 = strides.iter().sum();
        let (memory, ty) = if view {
            ("%part", format!("memref<{}xf32, strided<{strides:?}, offset: {offset}>>", list(&extents)))
        } else {
            ("%m", format!("memref<{}xf32>", list(&extents)))
        };
        let (ones, bounds) = (format!("{:?}", vec![1; rank]), format!("{:?}", vec![true; rank_vector]));
        let take = if view {
            format!("%part = memref.subview %m{ones} {sizes} {ones} : memref<{}xf32> to {ty}", list(&whole))
        } else {
            String::new()
        };
        let n: i64 = shape.iter().product();
        let text = format!(
            "func.func @f(%m: memref<{}xf32>, %out: memref<2x{n}xf32>) {{
               %c0 = arith.constant 0 : index
               %c2 = arith.constant 2 : index
               %pad = arith.constant 0.0 : f32
               %block = gpu.block_id x
               {take}
               %v = vector.transfer_read {memory}[{}], %pad {{in_bounds = {bounds}}} : {ty}, vector<{}xf32>
               %w = vector.shape_cast %v : vector<{}xf32> to vector<{n}xf32>
               vector.transfer_write %w, %out[%block, %c0] {{in_bounds = [true]}} : vector<{n}xf32>, memref<2x{n}xf32>
               return
             }}",
            list(&whole),
            indices.join(", "),
            list(&shape),
            list(&shape),
        );
        let n_whole: i64 = whole.iter().product();
        let args = [
            Tensor::from_f64(
                Scalar::from_keyword("f32").unwrap(),
                &whole,
                &(0..n_whole).map(|i| i as f64).collect::<Vec<_>>(),
            ),
            Tensor::from_f64(Scalar::from_keyword("f32").unwrap(), &[2, n], &vec![0.0; 2 * n as usize]),
        ];
        let after = pass(&text, "use-matrices");
        let printed = print(&after, &Default::default());
        let is_matrix = shape[..rank_vector - 1].iter().filter(|&&extent| extent != 1).count() < 2;
        assert_eq!(
            printed.matches("memref.subview").count() - usize::from(view),
            usize::from(is_matrix),
            "{text}\n{printed}"
        );
        assert!(run(&parse(&text).unwrap(), &args, Mode::Simd) == run(&after, &args, Mode::Simd), "{text}\n{printed}");
    }
}

/// A product whose sum someone takes who has no rule stays, and the others do not.
#[test]
fn what_has_no_rule_keeps_its_product() {
    let product = |name: &str, acc: &str| {
        format!(
            "%{name} = vector.contract {{indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
               affine_map<(m, n, k) -> (m, n)>], iterator_types = [\"parallel\", \"parallel\", \"reduction\"],
               kind = #vector.kind<add>}} %a, %b, {acc} : vector<16x16xf16>, vector<16x16xf16> into vector<16x16xf32>"
        )
    };
    let text = format!(
        "func.func @f(%m: memref<16x16xf16>, %o: memref<16x16xf32>, %row: memref<16xf32>) {{
           %c0 = arith.constant 0 : index
           %pad = arith.constant 0.0 : f16
           %z = arith.constant dense<0.0> : vector<16x16xf32>
           %a = vector.transfer_read %m[%c0, %c0], %pad : memref<16x16xf16>, vector<16x16xf16>
           %b = vector.transfer_read %m[%c0, %c0], %pad : memref<16x16xf16>, vector<16x16xf16>
           {}
           vector.transfer_write %x, %o[%c0, %c0] : vector<16x16xf32>, memref<16x16xf32>
           {}
           %r = vector.extract %y[3] : vector<16xf32> from vector<16x16xf32>
           vector.transfer_write %r, %row[%c0] : vector<16xf32>, memref<16xf32>
           return
         }}",
        product("x", "%z"),
        product("y", "%z"),
    );
    let after = print(&pass(&text, "use-matrices"), &Default::default());
    assert_eq!(
        (after.matches("subgroup_mma_compute").count(), after.matches("vector.contract").count()),
        (1, 1),
        "{after}"
    );
    // The same product feeds the other one: both stay.
    let after = print(
        &pass(
            &text.replace("%y = ", "%y0 = ").replace(
                "%r = vector.extract %y[",
                "%y = arith.addf %y0, %x : vector<16x16xf32>\n%r = vector.extract %y[",
            ),
            "use-matrices",
        ),
        &Default::default(),
    );
    assert_eq!(
        (after.matches("subgroup_mma_compute").count(), after.matches("vector.contract").count()),
        (0, 2),
        "{after}"
    );
}

/// The step asks for a function and for one of its two ways.
#[test]
fn a_conversion_says_which_way() {
    let refusal = |steps: &str| format!("{:?}", script("func.func @f() { return }", steps).err().unwrap());
    let step = "transform.iree.vector.vector_to_mma_conversion";
    assert!(refusal(&format!("{step} %func : (!transform.any_op) -> ()")).contains("`use_wmma`"));
    assert!(
        refusal(&format!("{step} %func {{use_wmma, use_mma_sync}} : (!transform.any_op) -> ()")).contains("`use_wmma`")
    );
    assert!(refusal(&format!("{step} %root {{use_wmma}} : (!transform.any_op) -> ()")).contains("not a function"));
}
