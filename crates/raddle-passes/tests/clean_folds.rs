//! Each fold takes away what it is for, and the program means the same for every input.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use raddle_emu::{Launch, Mode, Options, Tensor};
use raddle_ir::{Code, Float, Ir, Scalar};
use raddle_passes::clean;

use crate::common::Random;

/// What stands in the program, and what folding leaves nothing of.
const FOLDS: &[(&str, &str)] = &[
    // Comparisons and selects.
    ("%p = arith.cmpi slt, %i5, %x : i32  %r = arith.extui %p : i1 to i32", "cmpi slt, %c"),
    ("%p = arith.cmpi ule, %i5, %x : i32  %r = arith.extui %p : i1 to i32", "cmpi ule, %c"),
    ("%p = arith.cmpi sle, %x, %y : i32  %q = arith.xori %p, %true : i1  %r = arith.extui %q : i1 to i32", "xori"),
    ("%p = arith.cmpi ult, %x, %y : i32  %q = arith.xori %p, %true : i1  %r = arith.extui %q : i1 to i32", "xori"),
    ("%e = arith.extsi %b : i1 to i32  %p = arith.cmpi ne, %e, %i0 : i32  %r = arith.select %p, %x, %y : i32", "extsi"),
    ("%q = arith.xori %b, %true : i1  %r = arith.select %q, %x, %y : i32", "xori"),
    ("%q = arith.select %b, %false, %true : i1  %r = arith.select %q, %x, %y : i32", "arith.select %0, %false"),
    ("%r = arith.select %b, %i1, %i0 : i32", "select"),
    ("%q = arith.cmpi eq, %x, %y : i32  %r = arith.select %q, %x, %y : i32", "select"),
    ("%q = arith.cmpi ne, %y, %x : i32  %r = arith.select %q, %x, %y : i32", "select"),
    ("%a = arith.select %b, %x, %y : i32  %r = arith.select %b, %z, %a : i32", "select %2, %3"),
    (
        "%f = arith.constant 1.5 : f32  %g = arith.constant 2.5 : f32  %p = arith.cmpf ult, %f, %g : f32  %r = arith.select %p, %x, %y : i32",
        "cmpf",
    ),
    // What one operation does and another undoes.
    ("%a = arith.addi %x, %y : i32  %r = arith.subi %a, %x : i32", "addi"),
    ("%a = arith.subi %x, %y : i32  %r = arith.addi %y, %a : i32", "subi"),
    ("%a = arith.xori %x, %y : i32  %r = arith.xori %a, %y : i32", "xori"),
    (
        "%a = arith.ori %x, %y : i32  %s = arith.ori %y, %a : i32  %t = arith.andi %s, %s : i32  %r = arith.addi %t, %i5 : i32",
        "andi",
    ),
    ("%a = arith.subi %x, %i5 : i32  %r = arith.addi %a, %i1 : i32", "subi"),
    ("%r = arith.shli %i0, %i5 : i32", "shli"),
    // Casts of casts.
    ("%t = arith.trunci %x : i32 to i16  %u = arith.trunci %t : i16 to i8  %r = arith.extsi %u : i8 to i32", "i16"),
    ("%t = arith.trunci %x : i32 to i8  %u = arith.extui %t : i8 to i16  %r = arith.extsi %u : i16 to i32", "i16"),
    (
        "%t = arith.trunci %x : i32 to i8  %u = arith.extsi %t : i8 to i64  %v = arith.trunci %u : i64 to i16  %r = arith.extsi %v : i16 to i32",
        "i64",
    ),
    ("%u = arith.extui %x : i32 to i64  %v = arith.trunci %u : i64 to i16  %r = arith.extsi %v : i16 to i32", "i64"),
    (
        "%u = arith.extsi %x : i32 to i64  %v = arith.index_cast %u : i64 to index  %r = arith.index_cast %v : index to i32",
        "i64",
    ),
    ("%f = arith.constant -7.75 : f32  %r = arith.fptosi %f : f32 to i32", "fptosi"),
    // Branches and loops.
    ("%r = scf.if %b -> i32 { scf.yield %x : i32 } else { scf.yield %y : i32 }", "scf.if"),
    (
        "%r = scf.if %b -> i32 { memref.store %x, %out[%c1] : memref<8xi32>  scf.yield %z : i32 } else { scf.yield %z : i32 }",
        "scf.yield",
    ),
    (
        "%two:2 = scf.if %b -> (i32, i32) { %s = arith.muli %x, %y : i32  %t = arith.divui %s, %i5 : i32  scf.yield %s, %t : i32, i32 } else { scf.yield %x, %y : i32, i32 }  %r = arith.addi %two#0, %i1 : i32",
        "divui",
    ),
    ("scf.if %b { memref.store %x, %out[%c1] : memref<8xi32> } else { }  %r = arith.addi %x, %y : i32", "else"),
    (
        "scf.if %b { scf.if %d { memref.store %x, %out[%c1] : memref<8xi32> } }  %r = arith.addi %x, %y : i32",
        "scf.if %2",
    ),
    (
        "%r = scf.if %b -> i32 { %s = arith.select %b, %x, %y : i32  %t = arith.muli %s, %s : i32  scf.yield %t : i32 } else { %s = arith.select %b, %x, %y : i32  scf.yield %s : i32 }",
        "select",
    ),
    (
        "%r = scf.for %i = %n to %n step %c1 iter_args(%v = %x) -> i32 { %w = arith.addi %v, %v : i32  scf.yield %w : i32 }",
        "scf.for",
    ),
    // Jumps.
    ("cf.br ^a ^a: %r = arith.addi %x, %y : i32", "cf.br"),
    (
        "cf.cond_br %true, ^a(%x : i32), ^b(%y : i32) ^a(%p: i32): %q = arith.addi %p, %i1 : i32 cf.br ^b(%q : i32) ^b(%r: i32):",
        "cf.",
    ),
    ("cf.cond_br %b, ^a(%x : i32), ^a(%x : i32) ^a(%r: i32):", "cf."),
    ("cf.cond_br %false, ^b(%x : i32), ^a ^a: cf.br ^b(%y : i32) ^b(%r: i32):", "cf."),
    (
        "cf.switch %i1 : i32, [default: ^a(%x : i32), 0: ^a(%z : i32), 1: ^b(%y : i32)] ^a(%p: i32): cf.br ^b(%p : i32) ^b(%r: i32):",
        "cf.",
    ),
    (
        "cf.switch %i5 : i32, [default: ^a(%x : i32), 1: ^b(%y : i32)] ^a(%p: i32): cf.br ^b(%p : i32) ^b(%r: i32):",
        "cf.",
    ),
    (
        "cf.br ^c ^a(%p: i32): %q = arith.addi %p, %i1 : i32 cf.br ^b(%q : i32) ^b(%s: i32): cf.br ^a(%s : i32) ^c: %r = arith.muli %x, %y : i32",
        "cf.",
    ),
    (
        "%r = scf.execute_region -> i32 { cf.br ^a(%x : i32) ^a(%p: i32): %q = arith.addi %p, %y : i32 scf.yield %q : i32 }",
        "execute_region",
    ),
    // Index maps.
    (
        "%p = affine.apply affine_map<(d0) -> (d0 + 4)>(%n)  %q = affine.apply affine_map<(d0)[s0] -> (d0 * 8 - s0)>(%p)[%n]  %r = arith.index_cast %q : index to i32",
        "(d0 + 4)",
    ),
    (
        "%p = affine.apply affine_map<(d0) -> (d0 floordiv 3)>(%n)  %q = affine.apply affine_map<(d0)[s0] -> (d0 * 3 + s0 mod 3)>(%p)[%n]  %r = arith.index_cast %q : index to i32",
        "(d0 floordiv 3)",
    ),
    ("%q = affine.min affine_map<(d0)[s0] -> (d0, 9, s0, 12)>(%n)[%n]  %r = arith.index_cast %q : index to i32", "12"),
    ("%q = affine.max affine_map<(d0)[s0] -> (d0, s0)>(%n)[%n]  %r = arith.index_cast %q : index to i32", "affine.max"),
    (
        "%p = affine.apply affine_map<(d0) -> (d0 * 8)>(%n)  %q = affine.min affine_map<(d0) -> (-d0 + 50, 8)>(%p)  %r = arith.index_cast %q : index to i32",
        "apply",
    ),
    (
        "%e:2 = affine.delinearize_index %m into (4, 8) : index, index  %q = affine.linearize_index [%e#0, %e#1] by (4, 8) : index  %r = arith.index_cast %q : index to i32",
        "linearize",
    ),
    ("%q = affine.linearize_index [%c0, %m] by (4, 64) : index  %r = arith.index_cast %q : index to i32", "linearize"),
    // Tensors.
    (
        "%t = tensor.empty(%m) : tensor<4x?xi32>  %q = tensor.dim %t, %c1 : tensor<4x?xi32>  %r = arith.index_cast %q : index to i32",
        "tensor",
    ),
    (
        "%t = tensor.empty() : tensor<4x8xi32>  %q = tensor.dim %t, %c1 : tensor<4x8xi32>  %r = arith.index_cast %q : index to i32",
        "tensor",
    ),
    ("%t = tensor.from_elements %x, %y, %z : tensor<3xi32>  %r = tensor.extract %t[%c1] : tensor<3xi32>", "tensor"),
    ("%t = arith.constant dense<[3, 1, 4]> : tensor<3xi32>  %r = tensor.extract %t[%c2] : tensor<3xi32>", "tensor"),
    (
        "%s = tensor.extract_slice %t3[0] [3] [1] : tensor<3xi32> to tensor<3xi32>  %r = tensor.extract %s[%k] : tensor<3xi32>",
        "extract_slice",
    ),
    (
        "%w1 = vector.from_elements %z : vector<1xi32>  %e1 = tensor.empty() : tensor<1xi32>  %u = vector.transfer_write %w1, %e1[%c0] {in_bounds = [true]} : vector<1xi32>, tensor<1xi32>  %v = tensor.insert_slice %u into %t3[1] [1] [1] : tensor<1xi32> into tensor<3xi32>  %s = tensor.extract_slice %v[1] [1] [1] : tensor<3xi32> to tensor<1xi32>  %r = tensor.extract %s[%c0] : tensor<1xi32>",
        "slice",
    ),
    (
        "%s = tensor.extract_slice %t3[1] [2] [1] : tensor<3xi32> to tensor<2xi32>  %v = tensor.insert_slice %s into %t3[1] [2] [1] : tensor<2xi32> into tensor<3xi32>  %r = tensor.extract %v[%k] : tensor<3xi32>",
        "slice",
    ),
    (
        "%e = tensor.expand_shape %t3 [[0, 1]] output_shape [3, 1] : tensor<3xi32> into tensor<3x1xi32>  %v = tensor.collapse_shape %e [[0, 1]] : tensor<3x1xi32> into tensor<3xi32>  %r = tensor.extract %v[%k] : tensor<3xi32>",
        "shape",
    ),
    // Vectors.
    (
        "%v = vector.from_elements %x, %y, %z : vector<3xi32>  %r = vector.extract %v[%c2] : i32 from vector<3xi32>",
        "vector",
    ),
    (
        "%v = vector.from_elements %x, %y, %z : vector<3xi32>  %w = vector.insert %z, %v[%c1] : i32 into vector<3xi32>  %r = vector.extract %w[%k] : i32 from vector<3xi32>",
        "%5 [%c1]",
    ),
    (
        "%m0 = vector.create_mask %c3 : vector<3xi1>  %p = vector.extract %m0[%k] : i1 from vector<3xi1>  %r = arith.select %p, %x, %y : i32",
        "create_mask",
    ),
    (
        "%m0 = vector.create_mask %c2 : vector<3xi1>  %p = vector.extract %m0[%k] : i1 from vector<3xi1>  %r = arith.select %p, %x, %y : i32",
        "create_mask",
    ),
    (
        "%v = vector.from_elements %x : vector<1xi32>  %r = vector.reduction <add>, %v, %y : vector<1xi32> into i32",
        "reduction",
    ),
    (
        "%v = vector.from_elements %x, %y : vector<2xi32>  %s = vector.shape_cast %v : vector<2xi32> to vector<2x1xi32>  %w = vector.multi_reduction <maxsi>, %s, %v [1] : vector<2x1xi32> to vector<2xi32>  %u = vector.multi_reduction <add>, %w, %v [] : vector<2xi32> to vector<2xi32>  %r = vector.extract %u[%c1] : i32 from vector<2xi32>",
        "multi_reduction",
    ),
    (
        "%v = vector.transfer_read %in[%c2], %x : memref<8xi32>, vector<3xi32>  %r = vector.extract %v[%k] : i32 from vector<3xi32>",
        "no such words",
    ),
    (
        "%on = arith.constant dense<true> : vector<3xi1>  %v = vector.transfer_read %in[%c2], %x, %on {in_bounds = [true]} : memref<8xi32>, vector<3xi32>  %r = vector.extract %v[%k] : i32 from vector<3xi32>",
        "dense<true>",
    ),
    (
        "%on = arith.constant dense<true> : vector<2xi1>  %v = vector.from_elements %x, %y : vector<2xi32>  %r = vector.mask %on { vector.reduction <add>, %v : vector<2xi32> into i32 } : vector<2xi1> -> i32",
        "vector.mask",
    ),
    (
        "%v = vector.from_elements %x, %y : vector<2xi32>  %w = vector.bitcast %v : vector<2xi32> to vector<4xi16>  %u = vector.bitcast %w : vector<4xi16> to vector<2xi32>  %r = vector.extract %u[1] : i32 from vector<2xi32>",
        "bitcast",
    ),
    // Parallel loops.
    (
        "%f = scf.forall (%i, %j) in (3, 1) shared_outs(%o = %t3) -> (tensor<3xi32>) {
           %n0 = arith.addi %i, %j : index  %n1 = arith.index_cast %n0 : index to i32  %n2 = arith.addi %n1, %x : i32
           %w = vector.from_elements %n2 : vector<1xi32>  %e = tensor.empty() : tensor<1xi32>
           %s = vector.transfer_write %w, %e[%c0] {in_bounds = [true]} : vector<1xi32>, tensor<1xi32>
           scf.forall.in_parallel { tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xi32> into tensor<3xi32> }
         }
         %g = vector.transfer_read %f[%c0], %x : tensor<3xi32>, vector<3xi32>  %r = vector.extract %g[%k] : i32 from vector<3xi32>",
        "(3, 1)",
    ),
    (
        "%f:2 = scf.forall (%i) = (2) to (%c3) step (1) shared_outs(%o = %t3, %p = %t3) -> (tensor<3xi32>, tensor<3xi32>) {
           %s = tensor.extract_slice %o[%i] [1] [1] : tensor<3xi32> to tensor<1xi32>
           %u = tensor.extract_slice %t3[0] [2] [1] : tensor<3xi32> to tensor<2xi32>
           scf.forall.in_parallel {
             tensor.parallel_insert_slice %s into %p[0] [1] [1] : tensor<1xi32> into tensor<3xi32>
             tensor.parallel_insert_slice %u into %p[1] [2] [1] : tensor<2xi32> into tensor<3xi32>
           }
         }
         %g = vector.transfer_read %f#0[%c0], %x : tensor<3xi32>, vector<3xi32>  %g1 = vector.extract %g[%k] : i32 from vector<3xi32>
         %h = vector.transfer_read %f#1[%c0], %x : tensor<3xi32>, vector<3xi32>  %h1 = vector.extract %h[%k] : i32 from vector<3xi32>
         %h2 = arith.muli %h1, %i5 : i32  %r = arith.subi %g1, %h2 : i32",
        "forall",
    ),
    (
        "%f = scf.forall (%i, %j) in (%m, 0) shared_outs(%o = %t3) -> (tensor<3xi32>) {
           scf.forall.in_parallel { tensor.parallel_insert_slice %t3 into %o[0] [3] [1] : tensor<3xi32> into tensor<3xi32> }
         }
         %g = vector.transfer_read %f[%c0], %x : tensor<3xi32>, vector<3xi32>  %r = vector.extract %g[%k] : i32 from vector<3xi32>",
        "forall",
    ),
    (
        "%e = tensor.extract_slice %t3[2] [%c1] [1] : tensor<3xi32> to tensor<?xi32>
         %f = scf.forall (%i) in (2) shared_outs(%o = %t3) -> (tensor<3xi32>) {
           scf.forall.in_parallel { tensor.parallel_insert_slice %e into %o[%i] [%c1] [1] : tensor<?xi32> into tensor<3xi32> }
         }
         %g = vector.transfer_read %f[%c0], %x : tensor<3xi32>, vector<3xi32>  %r = vector.extract %g[%k] : i32 from vector<3xi32>",
        "[%c1] [1]",
    ),
    // Buffers.
    (
        "%a = memref.alloc() : memref<4xi32>  memref.store %x, %a[%c1] : memref<4xi32>  %r = arith.addi %x, %y : i32",
        "alloc",
    ),
    ("%a = memref.cast %in : memref<8xi32> to memref<?xi32>  %r = memref.load %a[%k] : memref<?xi32>", "cast %arg"),
    (
        "%a = memref.alloc(%m) : memref<?xi32>  %q = memref.dim %a, %c0 : memref<?xi32>  %r = arith.index_cast %q : index to i32",
        "memref.dim",
    ),
];

fn program(body: &str) -> String {
    format!(
        "func.func @f(%in: memref<8xi32>, %out: memref<8xi32>, %buffer: memref<8xf32>) {{
           %c0 = arith.constant 0 : index
           %c1 = arith.constant 1 : index
           %c2 = arith.constant 2 : index
           %c3 = arith.constant 3 : index
           %i0 = arith.constant 0 : i32
           %i1 = arith.constant 1 : i32
           %i3 = arith.constant 3 : i32
           %i5 = arith.constant 5 : i32
           %i32 = arith.constant 32 : i32
           %true = arith.constant true
           %false = arith.constant false
           %x = memref.load %in[%c0] : memref<8xi32>
           %y = memref.load %in[%c1] : memref<8xi32>
           %z = memref.load %in[%c2] : memref<8xi32>
           %b = arith.cmpi slt, %x, %y : i32
           %d = arith.cmpi sgt, %z, %y : i32
           %n = arith.index_cast %x : i32 to index
           %small = arith.remui %y, %i32 : i32
           %m = arith.index_castui %small : i32 to index
           %third = arith.remui %z, %i3 : i32
           %k = arith.index_castui %third : i32 to index
           %e3 = tensor.empty() : tensor<3xi32>
           %v3 = vector.from_elements %x, %y, %z : vector<3xi32>
           %t3 = vector.transfer_write %v3, %e3[%c0] {{in_bounds = [true]}} : vector<3xi32>, tensor<3xi32>
           {body}
           memref.store %r, %out[%c0] : memref<8xi32>
           return
         }}"
    )
}

fn parse(text: &str) -> Ir {
    raddle_ir::parse(text).unwrap_or_else(|diags| panic!("{diags:?}\n{text}"))
}

/// The output behind a run; nothing for a program that the emulator does not run.
fn run(ir: &Ir, args: &[Tensor]) -> Option<Vec<u8>> {
    let launch = Launch { grid: [1; 3], workgroup_size: [1, 1, 1], subgroup_size: 1, mode: Mode::Simd };
    match raddle_emu::run(ir, ir.funcs()[0], args, &launch, &Options::default()) {
        Ok(outcome) => Some(outcome.buffers[1].bytes.clone()),
        Err(diag) if diag.code == Code::CannotExecute => None,
        Err(diag) => panic!("{diag} {:?}\n{}", diag.label, raddle_ir::print(ir, &Default::default())),
    }
}

/// Small numbers, large ones, and those where signs and widths matter.
const EDGES: [i64; 12] = [0, 1, -1, 2, 5, 6, 31, 127, -128, 65_536, 2_147_483_647, -2_147_483_648];

fn arguments(values: &[i64]) -> [Tensor; 3] {
    [
        Tensor::from_i64(Scalar::Int(32), &[8], values),
        Tensor::zeros(Scalar::Int(32), &[8]),
        Tensor::zeros(Scalar::Float(Float::F32), &[8]),
    ]
}

/// Each row, alone.
#[test]
fn folds_keep_the_meaning() {
    let mut random = Random(7);
    let (mut left, mut not_run) = (Vec::new(), 0);
    for (body, gone) in FOLDS {
        let text = program(body);
        let (before, mut after) = (parse(&text), parse(&text));
        let func = after.funcs()[0];
        clean::canonicalize(&mut after, func);
        assert_eq!(raddle_ir::verify(&after), []);
        let printed = raddle_ir::print(&after, &Default::default());
        if printed.contains(gone) {
            left.push(format!("{gone} is still in\n{printed}"));
        }
        for _ in 0..60 {
            let values: Vec<i64> = (0..8).map(|_| random.pick(&EDGES)).collect();
            let args = arguments(&values);
            let (expected, found) = (run(&before, &args), run(&after, &args));
            not_run += usize::from(expected.is_none());
            assert!(expected.is_none() || expected == found, "{values:?}\n{text}\nbecame\n{printed}");
        }
    }
    assert!(left.is_empty(), "{}", left.join("\n"));
    // Extents that are not known, and elements of tensors one by one.
    assert!(not_run <= 8 * 60, "{not_run} runs were refused");
}

/// Values that every program has; a part gives its own new names.
const GIVEN: &[&str] = &[
    "c0", "c1", "c2", "c3", "i0", "i1", "i3", "i5", "i32", "true", "false", "n", "small", "m", "third", "k", "e3",
    "v3", "t3", "in", "out", "buffer",
];

/// The text with another name for each name behind `sigil`.
fn renamed(text: &str, sigil: char, mut name: impl FnMut(&str) -> String) -> String {
    let mut parts = text.split(sigil);
    let mut out = parts.next().unwrap().to_owned();
    for part in parts {
        let end = part.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(part.len());
        out.push(sigil);
        out.push_str(&name(&part[..end]));
        out.push_str(&part[end..]);
    }
    out
}

/// A program that does what rows of the table do, one behind the other, each with what those in front of it made, some
/// of them inside loops, branches and blocks.
fn chain(random: &mut Random) -> String {
    let mut known: Vec<String> = ["%x", "%y", "%z", "%i0", "%i5"].map(str::to_owned).to_vec();
    let mut body = String::new();
    for i in 0..2 + random.below(8) {
        let row = FOLDS[random.below(FOLDS.len())].0;
        let mut pick = || known[random.below(known.len())].clone();
        let inputs = [pick(), pick(), pick(), pick()];
        let conditions = [0; 2].map(|_| random.pick(&["b", "b", "d", "true", "false"]));
        let part = renamed(row, '%', |name| match name {
            "x" => inputs[0][1..].to_owned(),
            "y" => inputs[1][1..].to_owned(),
            "z" => inputs[2][1..].to_owned(),
            "b" => conditions[0].to_owned(),
            "d" => conditions[1].to_owned(),
            given if GIVEN.contains(&given) => given.to_owned(),
            new => format!("{new}_{i}"),
        });
        let part = renamed(&part, '^', |label| format!("{label}_{i}"));
        let (made, other) = (format!("%r_{i}"), &inputs[3]);
        let condition = random.pick(&["%b", "%d", "%true", "%false"]);
        // Blocks stand in functions and in regions that take several of them.
        let jumps = part.contains("cf.") && !row.contains("execute_region");
        let (before, after) = match random.below(if jumps { 3 } else { 6 }) {
            0 => (String::new(), String::new()),
            1 => (
                format!("cf.cond_br {condition}, ^yes{i}, ^no{i}({other} : i32)\n^yes{i}:"),
                format!("cf.br ^no{i}({made} : i32)\n^no{i}(%got_{i}: i32):"),
            ),
            2 => (format!("%got_{i} = scf.execute_region -> i32 {{"), format!("scf.yield {made} : i32\n}}")),
            3 => (
                format!("%got_{i} = scf.if {condition} -> i32 {{"),
                format!("scf.yield {made} : i32\n}} else {{\nscf.yield {other} : i32\n}}"),
            ),
            4 => {
                let (lower, upper) = (random.pick(&["%c0", "%c1", "%k"]), random.pick(&["%c0", "%c1", "%c2", "%k"]));
                (
                    format!(
                        "%got_{i} = scf.for %at_{i} = {lower} to {upper} step %c1 iter_args(%old_{i} = {other}) -> i32 {{"
                    ),
                    format!("%new_{i} = arith.addi %old_{i}, {made} : i32\nscf.yield %new_{i} : i32\n}}"),
                )
            }
            _ => (
                format!(
                    "%got_{i}:2 = scf.while (%once_{i} = {condition}, %old_{i} = {other}) : (i1, i32) -> (i1, i32) {{\nscf.condition(%once_{i}) %once_{i}, %old_{i} : i1, i32\n}} do {{\n^bb0(%same_{i}: i1, %last_{i}: i32):"
                ),
                format!("scf.yield %false, {made} : i1, i32\n}}"),
            ),
        };
        body.push_str(&format!("{before}\n{part}\n{after}\n"));
        known.push(match &before[..] {
            "" => made,
            while_loop if while_loop.contains("scf.while") => format!("%got_{i}#1"),
            _ => format!("%got_{i}"),
        });
    }
    let sum = known[5..].iter().enumerate().fold(String::new(), |text, (i, name)| {
        let old = if i == 0 { "%x".to_owned() } else { format!("%sum{i}") };
        format!("{text}%sum{} = arith.addi {old}, {name} : i32\n", i + 1)
    });
    program(&format!("{body}{sum}%r = arith.addi %sum{}, %i0 : i32", known.len() - 5))
}

/// Programs that mix everything that cleaning folds mean the same behind it.
///
/// `RADDLE_PROGRAMS` and `RADDLE_SEED` say how many, and from where on.
#[test]
fn mixed_folds_keep_the_meaning() {
    let number = |name: &str, default| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default);
    let (n, first) = (number("RADDLE_PROGRAMS", 500), number("RADDLE_SEED", 0));
    let mut compared = 0;
    for seed in first..first + n {
        let mut random = Random(seed);
        let text = chain(&mut random);
        let before = parse(&text);
        let cleaned = [
            clean::canonicalize,
            |ir: &mut Ir, func| clean::cse(ir, func),
            |ir: &mut Ir, func| {
                clean::clean(ir, func);
                true
            },
        ]
        .map(|pass: fn(&mut Ir, raddle_ir::OpId) -> bool| {
            let mut after = parse(&text);
            let func = after.funcs()[0];
            pass(&mut after, func);
            let printed = raddle_ir::print(&after, &Default::default());
            assert_eq!(raddle_ir::verify(&after), [], "seed {seed}\n{text}\nbecame\n{printed}");
            (after, printed)
        });
        for _ in 0..4 {
            let values: Vec<i64> = (0..8).map(|_| random.pick(&EDGES)).collect();
            let args = arguments(&values);
            let Some(expected) = run(&before, &args) else { continue };
            compared += 1;
            for (after, printed) in &cleaned {
                let found = run(after, &args);
                assert!(found.as_ref() == Some(&expected), "seed {seed}, {values:?}\n{text}\nbecame\n{printed}");
            }
        }
    }
    assert!(compared >= n, "only {compared} runs of {n} programs were compared");
}

/// A mistake that only shows once constants are known stays as it was written, and what is cleaned still verifies.
#[test]
fn mistakes_stay_visible() {
    let programs = [
        "func.func @f() { %z = arith.constant 0 : index scf.forall (%i, %j) = (0, 4) to (3, 5) step (%z, 8) { vector.print %i : index } return }",
        "func.func @f(%x: tensor<4x8xi32>) -> tensor<8x4xi32> { %0 = tensor.cast %x : tensor<4x8xi32> to tensor<?x?xi32> %1 = tensor.cast %0 : tensor<?x?xi32> to tensor<8x4xi32> return %1 : tensor<8x4xi32> }",
        "func.func @f(%x: tensor<5xf32>) -> tensor<?xf32> { %n = arith.constant 10 : index %0 = tensor.extract_slice %x[0] [%n] [1] : tensor<5xf32> to tensor<?xf32> return %0 : tensor<?xf32> }",
        "func.func @f(%x: tensor<5xf32>, %y: tensor<10xf32>) -> tensor<10xf32> { %n = arith.constant 10 : index %0 = tensor.insert_slice %x into %y[%n] [5] [1] : tensor<5xf32> into tensor<10xf32> return %0 : tensor<10xf32> }",
        "func.func @f() -> i64 { %z = arith.constant 0 : index %x = arith.constant dense_resource<r> : tensor<1xi64> %0 = tensor.extract %x[%z] : tensor<1xi64> return %0 : i64 }",
    ];
    for text in programs {
        let mut ir = parse(text);
        assert!(raddle_ir::verify(&ir).is_empty(), "{text}");
        for func in ir.funcs() {
            clean::canonicalize(&mut ir, func);
        }
        let diags = raddle_ir::verify(&ir);
        assert!(diags.is_empty(), "{text}\n{diags:?}");
    }
}
