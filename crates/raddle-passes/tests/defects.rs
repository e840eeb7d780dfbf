//! Mistakes that other systems for layouts and distribution have made, each with programs that a faulty rule gets wrong.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use raddle_emu::{Launch, Options, Tensor};
use raddle_ir::{Code, Float, Scalar};
use raddle_layout::Nested;
use raddle_passes::{Facts, PASSES};
use raddle_target::{Stage, chip};

use crate::stages;

const F32: Scalar = Scalar::Float(Float::F32);
const I32: Scalar = Scalar::Int(32);

/// `subgroup, batch, outer, thread, element | subgroup strides, thread strides`, one number for each dimension.
fn nested(lists: [&[i64]; 7]) -> Nested {
    let [s, b, o, t, e, ss, ts] = lists.map(<[i64]>::to_vec);
    Nested::new(s, b, o, t, e, ss, ts).unwrap()
}

fn kernel(args: &str, n_subgroups: i64, layouts: &[&Nested], body: &str) -> String {
    let aliases: String =
        layouts.iter().enumerate().map(|(i, layout)| format!("#l{i} = #iree_vector_ext.{layout}\n")).collect();
    format!(
        "{aliases}func.func @kernel({args}) attributes {{translation_info = #iree_codegen.translation_info<pipeline = \
         #iree_gpu.pipeline<VectorDistribute> workgroup_size = [{}, 1, 1] subgroup_size = 32>}} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %pad = arith.constant 7.0 : f32
{body}
  return
}}",
        32 * n_subgroups
    )
}

fn counted(shape: &[i64]) -> Tensor {
    let n = shape.iter().product::<i64>();
    Tensor::from_f64(F32, shape, &(0..n).map(|i| (i % 1000) as f64).collect::<Vec<_>>())
}

fn zeros(shape: &[i64]) -> Tensor {
    Tensor::zeros(F32, shape)
}

fn number(value: i64) -> Tensor {
    Tensor::from_i64(I32, &[1], &[value])
}

#[track_caller]
fn alike(text: &str, args: &[Tensor]) -> Vec<Tensor> {
    stages::alike("this", text, "sm_80", args, 1).unwrap_or_else(|diag| panic!("{diag:#?}\n{text}")).1
}

/// What the passes say about a program that nobody verified.
fn refusal(text: &str) -> raddle_ir::Diag {
    let mut ir = raddle_ir::text::parse(text).unwrap_or_else(|diags| panic!("{diags:#?}\n{text}"));
    let func = ir.funcs()[0];
    let facts = Facts::new(chip("sm_80").unwrap());
    let passes = PASSES.iter().filter(|pass| pass.stage > Some(Stage::Vector));
    passes.map(|pass| pass.run(&mut ir, func, &facts)).find_map(Result::err).unwrap()
}

/// A thread behind the one where a mask's bound lies still has elements below it, in earlier batches and outers.
#[test]
fn masks_end_where_the_bound_is_in_every_thread() {
    let layouts = [
        nested([&[1], &[2], &[1], &[4], &[2], &[0], &[1]]),
        nested([&[1], &[1], &[2], &[4], &[2], &[0], &[2]]),
        nested([&[1], &[2], &[2], &[2], &[2], &[0], &[1]]),
        nested([&[2], &[2], &[1], &[2], &[2], &[1], &[16]]),
        nested([&[2], &[2], &[2], &[2], &[1], &[2], &[1]]),
    ];
    for layout in &layouts {
        for bound in [-3, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 40] {
            let body = "  %n = memref.load %b[%c0] : memref<1xi32>
  %bound = arith.index_cast %n : i32 to index
  %mask = vector.create_mask %bound : vector<16xi1>
  %v = vector.transfer_read %in[%c0], %pad, %mask {in_bounds = [true]} : memref<16xf32>, vector<16xf32>
  %a = iree_vector_ext.to_layout %v to layout(#l0) : vector<16xf32>
  vector.transfer_write %a, %out[%c0] {in_bounds = [true]} : vector<16xf32>, memref<16xf32>";
            let text = kernel("%in: memref<16xf32>, %b: memref<1xi32>, %out: memref<16xf32>", 4, &[layout], body);
            let got = alike(&text, &[counted(&[16]), number(bound), zeros(&[16])]);
            let want: Vec<f64> = (0..16).map(|i| if i < bound { i as f64 } else { 7.0 }).collect();
            assert_eq!(got[2].to_f64(), want, "{layout} with bound {bound}");
        }
        for bound in 1..=16 {
            let body = format!(
                "  %mask = vector.constant_mask [{bound}] : vector<16xi1>
  %v = vector.transfer_read %in[%c0], %pad {{in_bounds = [true]}} : memref<16xf32>, vector<16xf32>
  %a = iree_vector_ext.to_layout %v to layout(#l0) : vector<16xf32>
  vector.transfer_write %a, %out[%c0], %mask {{in_bounds = [true]}} : vector<16xf32>, memref<16xf32>"
            );
            let text = kernel("%in: memref<16xf32>, %out: memref<16xf32>", 4, &[layout], &body);
            let got = alike(&text, &[counted(&[16]), zeros(&[16])]);
            let want: Vec<f64> = (0..16).map(|i| if i < bound { i as f64 } else { 0.0 }).collect();
            assert_eq!(got[1].to_f64(), want, "{layout} with bound {bound}");
        }
    }
}

/// Vectors of indices and masks of a gather lie along some dimensions of the result each: every element tile takes the
/// part that its own coordinates along those dimensions name, in whatever order the tiles come.
#[test]
fn gathers_take_indices_by_their_own_maps() {
    let layouts = [
        nested([&[1, 1], &[4, 2], &[1, 1], &[2, 4], &[1, 1], &[0, 0], &[4, 1]]),
        nested([&[2, 1], &[2, 2], &[1, 2], &[1, 2], &[2, 1], &[1, 0], &[0, 1]]),
        nested([&[1, 1], &[8, 1], &[1, 4], &[1, 2], &[1, 1], &[0, 0], &[0, 16]]),
    ];
    let maps = "indexing_maps = [affine_map<(d0, d1)[s0, s1] -> (s0, d1, s1)>, affine_map<(d0, d1)[s0, s1] -> (d1)>, \
                affine_map<(d0, d1)[s0, s1] -> (d1, d0)>, affine_map<(d0, d1)[s0, s1] -> (d0)>]";
    for layout in &layouts {
        let body = format!(
            "  %rows = arith.constant dense<[3, 1, 0, 2, 4, 4, 1, 0]> : vector<8xindex>
  %columns = vector.step : vector<8xindex>
  %wide = vector.broadcast %columns : vector<8xindex> to vector<8x8xindex>
  %n = memref.load %b[%c0] : memref<1xi32>
  %bound = arith.index_cast %n : i32 to index
  %mask = vector.create_mask %bound : vector<8xi1>
  %v = iree_vector_ext.transfer_gather %in[%c0, %c1, %c0] [%rows, %wide : vector<8xindex>, vector<8x8xindex>], %pad, %mask {{{maps}}} : memref<5x9x8xf32>, vector<8x8xf32>, vector<8xi1>
  %a = iree_vector_ext.to_layout %v to layout(#l0) : vector<8x8xf32>
  vector.transfer_write %a, %out[%c0, %c0] {{in_bounds = [true, true]}} : vector<8x8xf32>, memref<8x8xf32>"
        );
        let text = kernel("%in: memref<5x9x8xf32>, %b: memref<1xi32>, %out: memref<8x8xf32>", 2, &[layout], &body);
        for bound in [-1, 0, 3, 8] {
            let got = alike(&text, &[counted(&[5, 9, 8]), number(bound), zeros(&[8, 8])]);
            let rows = [3, 1, 0, 2, 4, 4, 1, 0];
            let element = |i: i64, j: i64| ((rows[j as usize] * 9 + j + 1) * 8 + i) % 1000;
            let want = |i: i64, j: i64| if i < bound { element(i, j) as f64 } else { 7.0 };
            let want: Vec<f64> = (0..64).map(|at| want(at / 8, at % 8)).collect();
            assert_eq!(got[2].to_f64(), want, "{layout} with bound {bound}");
        }
    }
}

/// Pack layouts that nest are nested ones on the pipeline; others, and threads that two digits share, are told.
#[test]
fn pack_layouts_mean_what_their_digits_say() {
    let read = |layout: &str| {
        format!(
            "#l0 = #iree_map.pack_layout<{layout}>
{}",
            kernel(
                "%in: memref<8x32xf32>, %out: memref<32x8xf32>",
                2,
                &[],
                "  %v = vector.transfer_read %in[%c0, %c0], %pad {in_bounds = [true, true]} : memref<8x32xf32>, vector<8x32xf32>
  %a = iree_vector_ext.to_layout %v to layout(#l0) : vector<8x32xf32>
  %t = vector.transpose %a, [1, 0] : vector<8x32xf32> to vector<32x8xf32>
  vector.transfer_write %t, %out[%c0, %c0] {in_bounds = [true, true]} : vector<32x8xf32>, memref<32x8xf32>"
            )
        )
    };
    for layout in [
        "((4, 2), (8, 4)) : ((1, 0), (4, 0))",
        "((2, 4), (8, 4)) : ((32, 0), (1, 0))",
        "((8), (4, 8)) : ((0), (0, 1))",
        "((2, 2, 2), (32)) : ((0, 16, 0), (0))",
    ] {
        let got = alike(&read(layout), &[counted(&[8, 32]), zeros(&[32, 8])]);
        let want: Vec<f64> = (0..256).map(|at| f64::from(at % 8 * 32 + at / 8)).collect();
        assert_eq!(got[1].to_f64(), want, "{layout}");
    }
    let twice = refusal(&read("((2, 2, 2), (8, 4)) : ((4, 0, 1), (8, 0))"));
    assert!(twice.message.contains("not a nested layout") && twice.help.is_some(), "{twice:?}");
    let shared = refusal(&read("((8), (4, 8)) : ((1), (2, 0))"));
    assert_eq!(shared.code, Code::LayoutMisfit, "{shared:?}");
}

/// What is masked in a contraction is the product: 0 times 0 is not a neutral element but of a sum.
#[test]
fn masked_products_change_nothing_for_any_combination() {
    let layouts = [
        nested([&[1, 1], &[2, 1], &[1, 2], &[4, 4], &[1, 1], &[0, 0], &[4, 1]]),
        nested([&[2, 1], &[1, 2], &[1, 1], &[1, 2], &[4, 2], &[1, 0], &[0, 1]]),
    ];
    for layout in &layouts {
        for (kind, start) in [
            ("add", "1.0"),
            ("mul", "2.0"),
            ("maxnumf", "-5.0"),
            ("minnumf", "5.0"),
            ("maximumf", "-9.0"),
            ("minimumf", "9.0"),
        ] {
            let body = format!(
                "  %v = vector.transfer_read %in[%c0, %c0], %pad {{in_bounds = [true, true]}} : memref<8x8xf32>, vector<8x8xf32>
  %a = iree_vector_ext.to_layout %v to layout(#l0) : vector<8x8xf32>
  %n = memref.load %b[%c0] : memref<1xi32>
  %bound = arith.index_cast %n : i32 to index
  %mask = vector.create_mask %c3, %bound : vector<8x8xi1>
  %acc = arith.constant dense<{start}> : vector<8xf32>
  %r = vector.mask %mask {{ vector.contract {{indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (m)>], iterator_types = [\"parallel\", \"reduction\"], kind = #vector.kind<{kind}>}} %a, %a, %acc : vector<8x8xf32>, vector<8x8xf32> into vector<8xf32> }} : vector<8x8xi1> -> vector<8xf32>
  vector.transfer_write %r, %out[%c0] {{in_bounds = [true]}} : vector<8xf32>, memref<8xf32>"
            );
            let text = kernel("%in: memref<8x8xf32>, %b: memref<1xi32>, %out: memref<8xf32>", 2, &[layout], &body);
            let small = Tensor::from_f64(F32, &[8, 8], &(0..64).map(|i| f64::from(i % 3 + 1)).collect::<Vec<_>>());
            for bound in [0, 2, 8] {
                let got = alike(&text, &[small.clone(), number(bound), zeros(&[8])]);
                let start: f64 = start.parse().unwrap();
                let factor = |m: i64, k: i64| ((m * 8 + k) % 3 + 1) as f64;
                let combine = |a: f64, b: f64| match kind {
                    "add" => a + b,
                    "mul" => a * b,
                    "maxnumf" | "maximumf" => a.max(b),
                    _ => a.min(b),
                };
                let sum = |m: i64| {
                    (0..if m < 3 { bound } else { 0 }).fold(start, |sum, k| combine(sum, factor(m, k).powi(2)))
                };
                let want: Vec<f64> = (0..8).map(sum).collect();
                assert_eq!(got[2].to_f64(), want, "{kind} below {bound} in {layout}");
            }
        }
    }
}

/// One of several holders scatters: the sanitizer sees two that write one place, whatever they write. Where indices come
/// twice, the later element stays.
#[test]
fn one_holder_scatters_and_the_last_element_stays() {
    let layouts = [
        nested([&[1], &[2], &[1], &[4], &[1], &[0], &[1]]),
        nested([&[2], &[1], &[2], &[2], &[1], &[1], &[8]]),
        nested([&[1], &[1], &[1], &[1], &[8], &[0], &[0]]),
    ];
    for layout in &layouts {
        for indices in ["[0, 1, 2, 3, 4, 5, 6, 7]", "[7, 1, 2, 3, 4, 5, 6, 0]", "[1, 1, 0, 3, 0, 5, 5, 1]"] {
            let body = format!(
                "  %v = vector.transfer_read %in[%c0], %pad {{in_bounds = [true]}} : memref<8xf32>, vector<8xf32>
  %a = iree_vector_ext.to_layout %v to layout(#l0) : vector<8xf32>
  %at = arith.constant dense<{indices}> : vector<8xindex>
  %mask = vector.constant_mask [8] : vector<8xi1>
  vector.scatter %out[%c0] [%at], %mask, %a : memref<8xf32>, vector<8xindex>, vector<8xi1>, vector<8xf32>"
            );
            let text = kernel("%in: memref<8xf32>, %out: memref<8xf32>", 2, &[layout], &body);
            let got = alike(&text, &[counted(&[8]), zeros(&[8])]);
            let places: Vec<usize> =
                indices.trim_matches(['[', ']']).split(", ").map(|at| at.parse().unwrap()).collect();
            let mut want = vec![0.0; 8];
            for (i, &at) in places.iter().enumerate() {
                want[at] = i as f64;
            }
            assert_eq!(got[1].to_f64(), want, "{indices} in {layout}");
        }
    }
}

/// Both sides of a branch, and all blocks that lead to one, give a value in the layout that it has behind.
#[test]
fn all_ways_to_a_value_have_its_layout() {
    let a = nested([&[2], &[4], &[1], &[8], &[1], &[1], &[1]]);
    let b = nested([&[1], &[1], &[2], &[16], &[2], &[0], &[2]]);
    let c = nested([&[2], &[1], &[1], &[4], &[8], &[1], &[8]]);
    let body = "  %v = vector.transfer_read %in[%c0], %pad {in_bounds = [true]} : memref<64xf32>, vector<64xf32>
  %a = iree_vector_ext.to_layout %v to layout(#l0) : vector<64xf32>
  %n = memref.load %b[%c0] : memref<1xi32>
  %zero = arith.constant 0 : i32
  %left = arith.cmpi eq, %n, %zero : i32
  %r = scf.if %left -> (vector<64xf32>) {
    scf.yield %a : vector<64xf32>
  } else {
    %t = arith.addf %a, %a : vector<64xf32>
    %u = iree_vector_ext.to_layout %t to layout(#l1) : vector<64xf32>
    scf.yield %u : vector<64xf32>
  }
  %at = arith.index_cast %n : i32 to index
  %s = scf.index_switch %at -> vector<64xf32>
  case 1 {
    %w = arith.subf %r, %a : vector<64xf32>
    scf.yield %w : vector<64xf32>
  }
  default {
    scf.yield %a : vector<64xf32>
  }
  %x = arith.addf %r, %s : vector<64xf32>
  %o = iree_vector_ext.to_layout %x to layout(#l2) : vector<64xf32>
  vector.transfer_write %o, %out[%c0] {in_bounds = [true]} : vector<64xf32>, memref<64xf32>";
    let text = kernel("%in: memref<64xf32>, %b: memref<1xi32>, %out: memref<64xf32>", 2, &[&a, &b, &c], body);
    for n in 0..3 {
        let got = alike(&text, &[counted(&[64]), number(n), zeros(&[64])]);
        let want: Vec<f64> = (0..64)
            .map(|i| {
                let (r, a) = (f64::from(if n == 0 { i } else { 2 * i }), f64::from(i));
                r + if n == 1 { r - a } else { a }
            })
            .collect();
        assert_eq!(got[2].to_f64(), want, "way {n}");
    }
}

/// What a called function does with vectors is done in place of the call, with layouts that caller and callee share.
#[test]
fn calls_that_pass_vectors_are_taken_in() {
    let a = nested([&[2], &[4], &[1], &[8], &[1], &[1], &[1]]);
    let b = nested([&[1], &[1], &[2], &[16], &[2], &[0], &[2]]);
    let body = "  %v = vector.transfer_read %in[%c0], %pad {in_bounds = [true]} : memref<64xf32>, vector<64xf32>
  %a = iree_vector_ext.to_layout %v to layout(#l0) : vector<64xf32>
  %r = func.call @twice(%a) : (vector<64xf32>) -> vector<64xf32>
  %s = func.call @twice(%r) : (vector<64xf32>) -> vector<64xf32>
  vector.transfer_write %s, %out[%c0] {in_bounds = [true]} : vector<64xf32>, memref<64xf32>";
    let callee = "func.func private @twice(%v: vector<64xf32>) -> vector<64xf32> {
  %t = func.call @double(%v) : (vector<64xf32>) -> vector<64xf32>
  %u = iree_vector_ext.to_layout %t to layout(#l1) : vector<64xf32>
  return %u : vector<64xf32>
}
func.func private @double(%v: vector<64xf32>) -> vector<64xf32> {
  %t = arith.addf %v, %v : vector<64xf32>
  return %t : vector<64xf32>
}
func.func private @forever(%v: vector<64xf32>) -> vector<64xf32> {
  %t = func.call @forever(%v) : (vector<64xf32>) -> vector<64xf32>
  return %t : vector<64xf32>
}";
    let text = kernel("%in: memref<64xf32>, %out: memref<64xf32>", 2, &[&a, &b], body) + "\n" + callee;
    let got = alike(&text, &[counted(&[64]), zeros(&[64])]);
    let want: Vec<f64> = (0..64).map(|i| f64::from(4 * i)).collect();
    assert_eq!(got[1].to_f64(), want);
    let diag = refusal(&text.replace("@twice(%a)", "@forever(%a)"));
    assert!(diag.notes.iter().any(|note| note.contains("call themselves")), "{diag:?}");
}

/// A function that takes and gives vectors has one thread's parts in its signature; the arguments' layouts are free.
#[test]
fn functions_pass_the_parts_of_one_thread() {
    let layout = nested([&[1], &[2], &[1], &[32], &[4], &[0], &[1]]);
    let text = format!(
        "#l0 = #iree_vector_ext.{layout}
func.func @f(%v: vector<256xf32>, %n: f32) -> (vector<256xf32>, f32) attributes {{translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [32, 1, 1] subgroup_size = 32>}} {{
  %a = iree_vector_ext.to_layout %v to layout(#l0) : vector<256xf32>
  %b = arith.addf %a, %a : vector<256xf32>
  return %b, %n : vector<256xf32>, f32
}}"
    );
    let mut ir = raddle_ir::parse(&text).unwrap();
    let func = ir.funcs()[0];
    let facts = Facts::new(chip("sm_80").unwrap());
    for pass in PASSES.iter().filter(|pass| pass.stage > Some(Stage::Vector) && pass.stage <= Some(Stage::Distributed))
    {
        pass.run(&mut ir, func, &facts).unwrap();
    }
    assert!(raddle_ir::verify(&ir).is_empty());
    let printed = raddle_ir::print(&ir, &Default::default());
    assert!(printed.contains("@f(%arg0: vector<2x1x4xf32>, %arg1: f32) -> (vector<2x1x4xf32>, f32)"), "{printed}");
}

/// Every operation of vectors that has no rule is refused: its name, its place, the layouts around it, and what helps.
#[test]
fn what_has_no_rule_is_told() {
    let layout = nested([&[1], &[1], &[1], &[16], &[1], &[0], &[1]]);
    let read = "  %v = vector.transfer_read %in[%c0], %pad {in_bounds = [true]} : memref<16xf32>, vector<16xf32>
  %a = iree_vector_ext.to_layout %v to layout(#l0) : vector<16xf32>\n";
    for (op, name) in [
        ("  vector.print %a : vector<16xf32>", "vector.print"),
        (
            "  %x = affine.vector_load %in[0] : memref<16xf32>, vector<16xf32>\n  %y = arith.addf %x, %a : vector<16xf32>
  vector.transfer_write %y, %in[%c0] {in_bounds = [true]} : vector<16xf32>, memref<16xf32>",
            "affine.vector_load",
        ),
    ] {
        let text = kernel("%in: memref<16xf32>", 1, &[&layout], &(read.to_owned() + op));
        let diag = refusal(&text);
        assert_eq!(diag.code, Code::CannotDistribute, "{diag:?}");
        assert!(diag.message.contains(name), "{diag:?}");
        let span = diag.span.unwrap();
        assert!(text[span.start as usize..span.end as usize].contains(name), "{diag:?}");
        assert!(diag.notes.iter().any(|note| note.contains("nested_layout")), "{diag:?}");
        assert!(diag.help.is_some());
    }
}

/// Subgroups combine all of their partial results, also where no dimension has enough lanes to take them, and for
/// numbers of subgroups and lanes that are not powers of two.
#[test]
fn every_subgroup_takes_part_in_a_sum() {
    let layouts = [
        nested([&[4, 1], &[1, 1], &[1, 1], &[1, 32], &[3, 1], &[1, 0], &[0, 1]]),
        nested([&[3, 1], &[1, 1], &[1, 1], &[2, 8], &[2, 4], &[1, 0], &[1, 2]]),
        nested([&[2, 2], &[3, 1], &[1, 1], &[1, 1], &[2, 16], &[2, 1], &[0, 0]]),
        nested([&[1, 1], &[1, 1], &[1, 4], &[3, 8], &[4, 1], &[0, 0], &[8, 1]]),
        nested([&[1, 2], &[1, 1], &[2, 1], &[6, 4], &[1, 4], &[0, 2], &[1, 6]]),
    ];
    for layout in &layouts {
        for (dims, shape, start) in [("[0]", "32x", "dense<1.0>"), ("[1]", "12x", "dense<1.0>"), ("[0, 1]", "", "1.0")]
        {
            let (to, write) = if shape.is_empty() {
                ("f32".to_owned(), "memref.store %r, %out[%c0] : memref<1xf32>".to_owned())
            } else {
                let to = format!("vector<{shape}f32>");
                let write =
                    format!("vector.transfer_write %r, %out[%c0] {{in_bounds = [true]}} : {to}, memref<{shape}f32>");
                (to, write)
            };
            let out = if shape.is_empty() { "1x" } else { shape };
            let body = format!(
                "  %v = vector.transfer_read %in[%c0, %c0], %pad {{in_bounds = [true, true]}} : memref<12x32xf32>, vector<12x32xf32>
  %a = iree_vector_ext.to_layout %v to layout(#l0) : vector<12x32xf32>
  %acc = arith.constant {start} : {to}
  %r = vector.multi_reduction <add>, %a, %acc {dims} : vector<12x32xf32> to {to}
  {write}"
            );
            let text = kernel(&format!("%in: memref<12x32xf32>, %out: memref<{out}f32>"), 4, &[layout], &body);
            let n: i64 = out.trim_end_matches('x').parse().unwrap();
            let got = alike(&text, &[counted(&[12, 32]), zeros(&[n])]);
            let sum: f64 = (0..12 * 32).map(f64::from).sum();
            let want = match dims {
                "[0]" => (0..12).map(|row| f64::from(row * 32)).sum::<f64>() + 1.0,
                "[1]" => (0..32).map(f64::from).sum::<f64>() + 1.0,
                _ => sum + 1.0,
            };
            assert_eq!(got[1].to_f64()[0], want, "{layout} over {dims}");
        }
    }
}

/// In a loop, a buffer is written again only when everyone has read it.
#[test]
fn rounds_of_a_loop_wait_for_one_another() {
    let split = nested([&[4], &[1], &[1], &[32], &[1], &[1], &[1]]);
    let turned = nested([&[4], &[1], &[1], &[1], &[32], &[1], &[0]]);
    let body = "  %v = vector.transfer_read %in[%c0], %pad {in_bounds = [true]} : memref<128xf32>, vector<128xf32>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%acc = %v) -> (vector<128xf32>) {
    %a = iree_vector_ext.to_layout %acc to layout(#l0) : vector<128xf32>
    %one = arith.constant 0.0 : f32
    %s = vector.multi_reduction <add>, %a, %one [0] : vector<128xf32> to f32
    %b = vector.broadcast %s : f32 to vector<128xf32>
    %t = arith.subf %b, %a : vector<128xf32>
    %u = iree_vector_ext.to_layout %t to layout(#l1) : vector<128xf32>
    scf.yield %u : vector<128xf32>
  }
  vector.transfer_write %r, %out[%c0] {in_bounds = [true]} : vector<128xf32>, memref<128xf32>";
    let text = kernel("%in: memref<128xf32>, %out: memref<128xf32>", 4, &[&split, &turned], body);
    let small = Tensor::from_f64(F32, &[128], &(0..128).map(|i| f64::from(i % 3)).collect::<Vec<_>>());
    for seed in 0..8 {
        stages::alike("a loop", &text, "sm_80", &[small.clone(), zeros(&[128])], seed).unwrap();
    }
}

/// Lanes that add up parts of rows meet behind the loop only if nobody looks at the sums before, and nothing was there.
#[test]
fn sums_that_loops_carry_are_those_of_all_lanes() {
    let rows = nested([&[1, 1], &[1, 1], &[1, 1], &[8, 4], &[1, 4], &[0, 0], &[4, 1]]);
    for (start, scaled, seen) in
        [("0.0", false, false), ("0.0", true, false), ("1.0", false, false), ("0.0", true, true)]
    {
        let (acc, scale) = match scaled {
            true => ("%scaled", "%scaled = arith.mulf %two, %sum : vector<8xf32>"),
            false => ("%sum", ""),
        };
        let look = if seen { "arith.addf %start, %sum" } else { "arith.addf %start, %start" };
        let body = format!(
            "  %v = vector.transfer_read %in[%c0, %c0], %pad {{in_bounds = [true, true]}} : memref<8x16xf32>, vector<8x16xf32>
  %a = iree_vector_ext.to_layout %v to layout(#l0) : vector<8x16xf32>
  %start = arith.constant dense<{start}> : vector<8xf32>
  %two = arith.constant dense<2.0> : vector<8xf32>
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%sum = %start, %last = %start) -> (vector<8xf32>, vector<8xf32>) {{
    %seen = {look} : vector<8xf32>
    {scale}
    %next = vector.multi_reduction <add>, %a, {acc} [1] : vector<8x16xf32> to vector<8xf32>
    scf.yield %next, %seen : vector<8xf32>, vector<8xf32>
  }}
  %all = arith.addf %r#0, %r#1 : vector<8xf32>
  vector.transfer_write %all, %out[%c0] {{in_bounds = [true]}} : vector<8xf32>, memref<8xf32>"
        );
        let text = kernel("%in: memref<8x16xf32>, %out: memref<8xf32>", 1, &[&rows], &body);
        let got = alike(&text, &[counted(&[8, 16]), zeros(&[8])]);
        // The first row is 0 to 15.
        let start: f64 = start.parse().unwrap();
        let next = |sum: f64| 120.0 + if scaled { 2.0 * sum } else { sum };
        let two_rounds = next(next(start));
        let want = next(two_rounds) + start + if seen { two_rounds } else { start };
        assert_eq!(got[1].to_f64()[0], want, "from {start}, scaled {scaled}, seen {seen}");
    }
}

/// Buffers serve again once everyone has read them, so that a program may convert more often than memory holds.
#[test]
fn many_conversions_share_a_little_memory() {
    let a = nested([&[4], &[1], &[1], &[32], &[8], &[1], &[1]]);
    let b = nested([&[4], &[8], &[1], &[32], &[1], &[1], &[1]]);
    let mut body = String::from(
        "  %v0 = vector.transfer_read %in[%c0], %pad {in_bounds = [true]} : memref<1024xf32>, vector<1024xf32>\n",
    );
    for i in 0..200 {
        let line =
            format!("  %v{} = iree_vector_ext.to_layout %v{i} to layout(#l{}) : vector<1024xf32>\n", i + 1, i % 2);
        // A branch that may not run frees nothing.
        body += &line;
        if i % 50 == 7 {
            body += &format!(
                "  %f{i} = arith.cmpi eq, %c0, %c1 : index
  scf.if %f{i} {{
    %k{i} = iree_vector_ext.to_layout %v{} to layout(#l{}) : vector<1024xf32>
    vector.transfer_write %k{i}, %out[%c0] {{in_bounds = [true]}} : vector<1024xf32>, memref<1024xf32>
  }}\n",
                i + 1,
                (i + 1) % 2
            );
        }
    }
    body += "  vector.transfer_write %v200, %out[%c0] {in_bounds = [true]} : vector<1024xf32>, memref<1024xf32>";
    let text = kernel("%in: memref<1024xf32>, %out: memref<1024xf32>", 4, &[&a, &b], &body);
    let got = alike(&text, &[counted(&[1024]), zeros(&[1024])]);
    assert_eq!(got[0].bytes, got[1].bytes);
}

/// The same, when one exchange in the body is all that there is to wait for.
#[test]
fn one_exchange_in_a_loop_waits_for_its_last_round() {
    let odd = nested([&[4, 1], &[1, 1], &[1, 1], &[1, 4], &[3, 2], &[1, 0], &[0, 1]]);
    let ty = "vector<12x8xf32>";
    for what in [
        "%s = vector.shape_cast %acc : vector<12x8xf32> to vector<8x12xf32>
    vector.transfer_write %s, %side[%c0, %c0] {in_bounds = [true, true]} : vector<8x12xf32>, memref<8x12xf32>
    %t = arith.addf %acc, %acc : vector<12x8xf32>",
        "%z = arith.constant 0.0 : f32
    %s = vector.multi_reduction <maximumf>, %acc, %z [0, 1] : vector<12x8xf32> to f32
    %b = vector.broadcast %s : f32 to vector<12x8xf32>
    %t = arith.subf %b, %acc : vector<12x8xf32>",
        "%s = vector.extract %acc[5, 3] : f32 from vector<12x8xf32>
    %b = vector.broadcast %s : f32 to vector<12x8xf32>
    %t = arith.subf %b, %acc : vector<12x8xf32>",
        "%s = vector.extract %acc[%i, 3] : f32 from vector<12x8xf32>
    %b = vector.broadcast %s : f32 to vector<12x8xf32>
    %t = arith.subf %b, %acc : vector<12x8xf32>",
        "%s = vector.extract_strided_slice %acc {offsets = [3, 0], sizes = [4, 8], strides = [1, 1]} : vector<12x8xf32> to vector<4x8xf32>
    %p = iree_vector_ext.to_layout %s to layout(#l1) : vector<4x8xf32>
    %t = vector.insert_strided_slice %p, %acc {offsets = [1, 0], strides = [1, 1]} : vector<4x8xf32> into vector<12x8xf32>",
        "%s:96 = vector.to_elements %acc : vector<12x8xf32>
    %b = vector.broadcast %s#17 : f32 to vector<12x8xf32>
    %t = arith.subf %b, %acc : vector<12x8xf32>",
    ] {
        let body = format!(
            "  %v = vector.transfer_read %in[%c0, %c0], %pad {{in_bounds = [true, true]}} : memref<12x8xf32>, {ty}
  %a = iree_vector_ext.to_layout %v to layout(#l0) : {ty}
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%acc = %a) -> ({ty}) {{
    {what}
    scf.yield %t : {ty}
  }}
  vector.transfer_write %r, %out[%c0, %c0] {{in_bounds = [true, true]}} : {ty}, memref<12x8xf32>"
        );
        let part = nested([&[4, 1], &[1, 1], &[1, 1], &[1, 8], &[1, 1], &[1, 0], &[0, 1]]);
        let text = kernel("%in: memref<12x8xf32>, %out: memref<12x8xf32>, %side: memref<8x12xf32>", 4, &[&odd, &part], &body);
        for seed in 0..4 {
            stages::alike(what, &text, "sm_80", &[counted(&[12, 8]), zeros(&[12, 8]), zeros(&[8, 12])], seed).unwrap();
        }
    }
}

/// Single elements and slices are found in layouts that use all levels in one dimension.
#[test]
fn every_position_is_where_its_layout_says() {
    let layouts = [
        nested([&[2], &[2], &[2], &[2], &[2], &[1], &[1]]),
        nested([&[2], &[2], &[4], &[2], &[1], &[2], &[8]]),
        nested([&[4], &[2], &[1], &[4], &[1], &[1], &[2]]),
    ];
    for layout in &layouts {
        let mut body = String::from(
            "  %v = vector.transfer_read %in[%c0], %pad {in_bounds = [true]} : memref<32xf32>, vector<32xf32>
  %a = iree_vector_ext.to_layout %v to layout(#l0) : vector<32xf32>\n",
        );
        let mut last = "%a".to_owned();
        for i in 0..32 {
            // Takes each element out, and puts it in at the other end.
            body += &format!(
                "  %i{i} = arith.constant {i} : index
  %x{i} = vector.extract %a[{i}] : f32 from vector<32xf32>
  memref.store %x{i}, %out[%i{i}] : memref<32xf32>
  %y{i} = vector.insert %x{i}, {last} [{}] : f32 into vector<32xf32>\n",
                31 - i
            );
            last = format!("%y{i}");
        }
        // Elements that follow no rule.
        let any: Vec<String> = (0..32).map(|i| format!("{}.0", i * i % 37)).collect();
        body += &format!(
            "  vector.transfer_write {last}, %turned[%c0] {{in_bounds = [true]}} : vector<32xf32>, memref<32xf32>
  %k = arith.constant dense<[{}]> : vector<32xf32>
  %l = iree_vector_ext.to_layout %k to layout(#l0) : vector<32xf32>
  vector.transfer_write %l, %any[%c0] {{in_bounds = [true]}} : vector<32xf32>, memref<32xf32>",
            any.join(", ")
        );
        let buffers = ["%in", "%out", "%turned", "%any"].map(|name| format!("{name}: memref<32xf32>")).join(", ");
        let args = [counted(&[32]), zeros(&[32]), zeros(&[32]), zeros(&[32])];
        let got = alike(&kernel(&buffers, 4, &[layout], &body), &args);
        assert_eq!(got[1].to_f64(), (0..32).map(f64::from).collect::<Vec<_>>());
        assert_eq!(got[2].to_f64(), (0..32).rev().map(f64::from).collect::<Vec<_>>());
        assert_eq!(got[3].to_f64(), (0..32).map(|i| f64::from(i * i % 37)).collect::<Vec<_>>());
    }
}

/// Constants that count do so over subgroups, batches and outers alike.
#[test]
fn counting_constants_count_in_every_layout() {
    let layouts = [
        nested([&[2], &[2], &[2], &[2], &[2], &[1], &[1]]),
        nested([&[4], &[2], &[2], &[1], &[2], &[1], &[0]]),
        nested([&[1], &[4], &[2], &[4], &[1], &[0], &[2]]),
    ];
    for layout in &layouts {
        let numbers: Vec<String> = (0..32).map(|i| (3 * i - 7).to_string()).collect();
        let body = format!(
            "  %k = arith.constant dense<[{}]> : vector<32xi32>
  %s = vector.step : vector<32xindex>
  %i = arith.index_cast %s : vector<32xindex> to vector<32xi32>
  %sum = arith.addi %k, %i : vector<32xi32>
  %l = iree_vector_ext.to_layout %sum to layout(#l0) : vector<32xi32>
  vector.transfer_write %l, %out[%c0] {{in_bounds = [true]}} : vector<32xi32>, memref<32xi32>",
            numbers.join(", ")
        );
        let got = alike(&kernel("%out: memref<32xi32>", 4, &[layout], &body), &[Tensor::zeros(I32, &[32])]);
        assert_eq!(got[0].to_f64(), (0..32).map(|i| f64::from(4 * i - 7)).collect::<Vec<_>>(), "{layout}");
    }
}

/// Layouts that differ in strides alone give other threads other elements.
#[test]
fn strides_alone_make_another_layout() {
    let layouts = [
        nested([&[2], &[1], &[1], &[8], &[2], &[1], &[1]]),
        nested([&[2], &[1], &[1], &[8], &[2], &[2], &[1]]),
        nested([&[2], &[1], &[1], &[8], &[2], &[2], &[4]]),
    ];
    for a in &layouts {
        for b in &layouts {
            let body =
                "  %v = vector.transfer_read %in[%c0], %pad {in_bounds = [true]} : memref<32xf32>, vector<32xf32>
  %a = iree_vector_ext.to_layout %v to layout(#l0) : vector<32xf32>
  %x = arith.addf %a, %a : vector<32xf32>
  %b = iree_vector_ext.to_layout %x to layout(#l1) : vector<32xf32>
  vector.transfer_write %b, %out[%c0] {in_bounds = [true]} : vector<32xf32>, memref<32xf32>";
            let text = kernel("%in: memref<32xf32>, %out: memref<32xf32>", 4, &[a, b], body);
            alike(&text, &[counted(&[32]), zeros(&[32])]);
        }
    }
}

/// A conversion serves later uses, but not a copy that stands in front of it.
#[test]
fn conversions_are_defined_before_they_are_used() {
    let one = nested([&[1], &[1], &[1], &[16], &[2], &[0], &[1]]);
    let other = nested([&[1], &[2], &[1], &[8], &[2], &[0], &[2]]);
    let body = "  %v = vector.transfer_read %in[%c0], %pad {in_bounds = [true]} : memref<32xf32>, vector<32xf32>
  %a = iree_vector_ext.to_layout %v to layout(#l0) : vector<32xf32>
  %bound = arith.constant dense<11.0> : vector<32xf32>
  %mask = arith.cmpf olt, %a, %bound : vector<32xf32>
  %d = vector.transfer_read %in[%c0], %pad, %mask {in_bounds = [true]} : memref<32xf32>, vector<32xf32>
  %e = iree_vector_ext.to_layout %d to layout(#l0) : vector<32xf32>
  %p = vector.transfer_read %in[%c0], %pad {in_bounds = [true]} : memref<32xf32>, vector<32xf32>
  %q = iree_vector_ext.to_layout %p to layout(#l1) : vector<32xf32>
  %x = arith.select %mask, %q, %q : vector<32xi1>, vector<32xf32>
  %y = arith.addf %x, %d : vector<32xf32>
  %z = iree_vector_ext.to_layout %y to layout(#l1) : vector<32xf32>
  vector.transfer_write %z, %out[%c0] {in_bounds = [true]} : vector<32xf32>, memref<32xf32>
  vector.transfer_write %e, %also[%c0] {in_bounds = [true]} : vector<32xf32>, memref<32xf32>";
    let text = kernel("%in: memref<32xf32>, %out: memref<32xf32>, %also: memref<32xf32>", 1, &[&one, &other], body);
    alike(&text, &[counted(&[32]), zeros(&[32]), zeros(&[32])]);
}

/// A mask lies along the memory, not along the vector: transposed reads with several batches in both dimensions.
#[test]
fn masks_of_transposed_transfers_follow_the_memory() {
    let layout = nested([&[1, 2], &[2, 3], &[2, 1], &[2, 2], &[1, 2], &[0, 1], &[1, 4]]);
    for (rows, columns) in [(5, 3), (24, 8), (0, 4), (23, 1), (1, 7), (13, 6)] {
        let body = format!(
            "  %rows = arith.constant {rows} : index
  %columns = arith.constant {columns} : index
  %mask = vector.create_mask %rows, %columns : vector<24x8xi1>
  %v = vector.transfer_read %in[%c0, %c0], %pad, %mask {{in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>}} : memref<24x8xf32>, vector<8x24xf32>
  %a = iree_vector_ext.to_layout %v to layout(#l0) : vector<8x24xf32>
  vector.transfer_write %a, %out[%c0, %c0], %mask {{in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>}} : vector<8x24xf32>, memref<24x8xf32>
  vector.transfer_write %a, %all[%c0, %c0] {{in_bounds = [true, true]}} : vector<8x24xf32>, memref<8x24xf32>"
        );
        let args = "%in: memref<24x8xf32>, %out: memref<24x8xf32>, %all: memref<8x24xf32>";
        let got = alike(&kernel(args, 2, &[&layout], &body), &[counted(&[24, 8]), zeros(&[24, 8]), zeros(&[8, 24])]);
        for i in 0..24 {
            for j in 0..8 {
                let inside = i < rows && j < columns;
                let element = (i * 8 + j) as f64;
                assert_eq!(got[1].to_f64()[(i * 8 + j) as usize], if inside { element } else { 0.0 });
                assert_eq!(got[2].to_f64()[(j * 24 + i) as usize], if inside { element } else { 7.0 });
            }
        }
    }
}

/// What several threads hold is written by one of them, which is the same for all elements of a replica.
#[test]
fn one_holder_writes() {
    let layouts = [
        nested([&[1], &[1], &[1], &[8], &[2], &[0], &[1]]),
        nested([&[1], &[1], &[1], &[8], &[2], &[0], &[4]]),
        nested([&[2], &[1], &[1], &[4], &[2], &[2], &[2]]),
        nested([&[1], &[1], &[1], &[1], &[16], &[0], &[0]]),
    ];
    for layout in &layouts {
        let body = "  %v = vector.transfer_read %in[%c0], %pad {in_bounds = [true]} : memref<16xf32>, vector<16xf32>
  %a = iree_vector_ext.to_layout %v to layout(#l0) : vector<16xf32>
  vector.transfer_write %a, %out[%c0] {in_bounds = [true]} : vector<16xf32>, memref<16xf32>
  %x = vector.extract %a[3] : f32 from vector<16xf32>
  memref.store %x, %one[%c0] : memref<1xf32>";
        let text = kernel("%in: memref<16xf32>, %out: memref<16xf32>, %one: memref<1xf32>", 4, &[layout], body);
        let args = [counted(&[16]), zeros(&[16]), zeros(&[1])];
        let (ir, _) = stages::alike("replicas", &text, "sm_80", &args, 3).unwrap();
        let func = ir.funcs()[0];
        let launch = Launch::of(&ir, func).unwrap();
        let outcome = raddle_emu::run(&ir, func, &args, &launch, &Options::default()).unwrap();
        assert_eq!(outcome.counters.global_bytes_written, 17 * 4, "{layout}: each element is written once");
    }
}

/// A shape cast whose tiles do not divide still keeps the order of the elements.
#[test]
fn reshapes_that_split_no_tile_go_through_memory() {
    let layouts = [
        nested([&[1, 1], &[1, 1], &[1, 1], &[6, 1], &[1, 4], &[0, 0], &[1, 0]]),
        nested([&[2, 1], &[1, 2], &[1, 1], &[3, 2], &[1, 1], &[1, 0], &[1, 3]]),
    ];
    for layout in &layouts {
        for shape in ["4x6", "24", "3x8", "2x3x4", "8x3"] {
            let rank = shape.split('x').count();
            let (zeros_at, flags) = (vec!["%c0"; rank].join(", "), vec!["true"; rank].join(", "));
            let body = format!(
                "  %v = vector.transfer_read %in[%c0, %c0], %pad {{in_bounds = [true, true]}} : memref<6x4xf32>, vector<6x4xf32>
  %a = iree_vector_ext.to_layout %v to layout(#l0) : vector<6x4xf32>
  %b = vector.shape_cast %a : vector<6x4xf32> to vector<{shape}xf32>
  vector.transfer_write %b, %out[{zeros_at}] {{in_bounds = [{flags}]}} : vector<{shape}xf32>, memref<{shape}xf32>"
            );
            let text = kernel(&format!("%in: memref<6x4xf32>, %out: memref<{shape}xf32>"), 2, &[layout], &body);
            let shape: Vec<i64> = shape.split('x').map(|extent| extent.parse().unwrap()).collect();
            let got = alike(&text, &[counted(&[6, 4]), zeros(&shape)]);
            assert_eq!(got[1].to_f64(), (0..24).map(f64::from).collect::<Vec<_>>(), "{layout} as {shape:?}");
        }
    }
}

/// Operands that ask for the same lanes in different dimensions do not combine, however well their shapes fit.
#[test]
fn contractions_compare_strides_and_not_shapes_alone() {
    let rows = nested([&[1, 1], &[1, 1], &[1, 1], &[8, 1], &[1, 4], &[0, 0], &[1, 0]]);
    let columns = nested([&[1, 1], &[1, 1], &[1, 1], &[1, 8], &[4, 1], &[0, 0], &[0, 1]]);
    let halves = nested([&[1, 1], &[1, 1], &[1, 1], &[4, 8], &[1, 1], &[0, 0], &[8, 1]]);
    for (left, right) in [(&rows, &columns), (&rows, &halves)] {
        let body = "  %a = vector.transfer_read %x[%c0, %c0], %pad {in_bounds = [true, true]} : memref<8x4xf32>, vector<8x4xf32>
  %b = vector.transfer_read %y[%c0, %c0], %pad {in_bounds = [true, true]} : memref<4x8xf32>, vector<4x8xf32>
  %l = iree_vector_ext.to_layout %a to layout(#l0) : vector<8x4xf32>
  %r = iree_vector_ext.to_layout %b to layout(#l1) : vector<4x8xf32>
  %acc = arith.constant dense<0.0> : vector<8x8xf32>
  %c = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (n, m)>], iterator_types = [\"parallel\", \"parallel\", \"reduction\"], kind = #vector.kind<add>} %l, %r, %acc : vector<8x4xf32>, vector<4x8xf32> into vector<8x8xf32>
  vector.transfer_write %c, %out[%c0, %c0] {in_bounds = [true, true]} : vector<8x8xf32>, memref<8x8xf32>";
        let args = "%x: memref<8x4xf32>, %y: memref<4x8xf32>, %out: memref<8x8xf32>";
        let got = alike(&kernel(args, 1, &[left, right], body), &[counted(&[8, 4]), counted(&[4, 8]), zeros(&[8, 8])]);
        let sum = |m: i32, n: i32| (0..4).map(|k| f64::from((m * 4 + k) * (k * 8 + n))).sum::<f64>();
        let want: Vec<f64> = (0..64).map(|i| sum(i % 8, i / 8)).collect();
        assert_eq!(got[2].to_f64(), want);
    }
}

/// Sums whose terms lie in several lanes and subgroups count the accumulator once, whatever the order of the result.
#[test]
fn contractions_may_spread_their_sums() {
    let layouts = [
        nested([&[1, 1, 1], &[1, 1, 1], &[1, 1, 1], &[2, 1, 8], &[2, 3, 1], &[0, 0, 0], &[8, 0, 1]]),
        nested([&[1, 1, 4], &[1, 3, 1], &[2, 1, 1], &[2, 1, 2], &[1, 1, 1], &[0, 0, 1], &[1, 0, 4]]),
        nested([&[2, 1, 1], &[1, 1, 1], &[1, 1, 1], &[1, 3, 8], &[2, 1, 1], &[2, 0, 0], &[0, 8, 1]]),
        nested([&[1, 1, 4], &[1, 1, 1], &[1, 1, 1], &[4, 3, 1], &[1, 1, 2], &[0, 0, 1], &[1, 4, 0]]),
    ];
    for layout in &layouts {
        for (kind, result, shape) in [
            ("add", "(n, a, b)", "2x4x3"),
            ("add", "(b, n, a)", "3x2x4"),
            ("add", "(a, b, n)", "4x3x2"),
            ("maximumf", "(b, n, a)", "3x2x4"),
            ("minnumf", "(n, a, b)", "2x4x3"),
        ] {
            let body = format!(
                "  %l = vector.transfer_read %x[%c0, %c0, %c0], %pad {{in_bounds = [true, true, true]}} : memref<4x3x8xf32>, vector<4x3x8xf32>
  %a = iree_vector_ext.to_layout %l to layout(#l0) : vector<4x3x8xf32>
  %b = vector.transfer_read %y[%c0, %c0], %pad {{in_bounds = [true, true]}} : memref<8x2xf32>, vector<8x2xf32>
  %acc = arith.constant dense<1.0> : vector<{shape}xf32>
  %c = vector.contract {{indexing_maps = [affine_map<(a, b, n, k) -> (a, b, k)>, affine_map<(a, b, n, k) -> (k, n)>, affine_map<(a, b, n, k) -> {result}>], iterator_types = [\"parallel\", \"parallel\", \"parallel\", \"reduction\"], kind = #vector.kind<{kind}>}} %a, %b, %acc : vector<4x3x8xf32>, vector<8x2xf32> into vector<{shape}xf32>
  vector.transfer_write %c, %out[%c0, %c0, %c0] {{in_bounds = [true, true, true]}} : vector<{shape}xf32>, memref<{shape}xf32>"
            );
            let args = format!("%x: memref<4x3x8xf32>, %y: memref<8x2xf32>, %out: memref<{shape}xf32>");
            let shape: Vec<i64> = shape.split('x').map(|extent| extent.parse().unwrap()).collect();
            let text = kernel(&args, 4, &[layout], &body);
            let (ir, _) =
                stages::alike(kind, &text, "sm_80", &[counted(&[4, 3, 8]), counted(&[8, 2]), zeros(&shape)], 1)
                    .unwrap();
            let meets = raddle_ir::print(&ir, &Default::default());
            assert!(meets.contains("gpu.shuffle") || meets.contains("gpu.barrier"), "{layout}: k was not spread");
        }
    }
}

/// A slice is not local because the threads match: its extent must match as well.
#[test]
fn slices_of_spread_dimensions_move() {
    let whole = nested([&[1], &[4], &[1], &[4], &[2], &[0], &[1]]);
    let part = nested([&[1], &[2], &[1], &[4], &[2], &[0], &[1]]);
    for offset in [0, 1, 4, 8, 13, 16] {
        let body = format!(
            "  %v = vector.transfer_read %in[%c0], %pad {{in_bounds = [true]}} : memref<32xf32>, vector<32xf32>
  %a = iree_vector_ext.to_layout %v to layout(#l0) : vector<32xf32>
  %s = vector.extract_strided_slice %a {{offsets = [{offset}], sizes = [16], strides = [1]}} : vector<32xf32> to vector<16xf32>
  %b = iree_vector_ext.to_layout %s to layout(#l1) : vector<16xf32>
  %t = vector.insert_strided_slice %b, %a {{offsets = [{}], strides = [1]}} : vector<16xf32> into vector<32xf32>
  vector.transfer_write %t, %out[%c0] {{in_bounds = [true]}} : vector<32xf32>, memref<32xf32>",
            16 - offset
        );
        let text = kernel("%in: memref<32xf32>, %out: memref<32xf32>", 1, &[&whole, &part], &body);
        alike(&text, &[counted(&[32]), zeros(&[32])]);
    }
}

/// Both sides of a branch yield what its result has, whichever layouts they come with.
#[test]
fn both_sides_of_a_branch_have_the_layout_of_its_result() {
    let one = nested([&[1], &[1], &[1], &[16], &[2], &[0], &[1]]);
    let other = nested([&[1], &[2], &[1], &[8], &[2], &[0], &[2]]);
    let third = nested([&[1], &[1], &[4], &[4], &[2], &[0], &[1]]);
    for flag in [0, 1] {
        let body = "  %n = memref.load %b[%c0] : memref<1xi32>
  %zero = arith.constant 0 : i32
  %flag = arith.cmpi eq, %n, %zero : i32
  %v = vector.transfer_read %in[%c0], %pad {in_bounds = [true]} : memref<32xf32>, vector<32xf32>
  %r = scf.if %flag -> (vector<32xf32>) {
    %x = arith.addf %v, %v : vector<32xf32>
    %a = iree_vector_ext.to_layout %x to layout(#l0) : vector<32xf32>
    scf.yield %a : vector<32xf32>
  } else {
    %x = arith.mulf %v, %v : vector<32xf32>
    %a = iree_vector_ext.to_layout %x to layout(#l1) : vector<32xf32>
    scf.yield %a : vector<32xf32>
  }
  %w = iree_vector_ext.to_layout %r to layout(#l2) : vector<32xf32>
  vector.transfer_write %w, %out[%c0] {in_bounds = [true]} : vector<32xf32>, memref<32xf32>";
        let args = "%in: memref<32xf32>, %b: memref<1xi32>, %out: memref<32xf32>";
        let got = alike(&kernel(args, 1, &[&one, &other, &third], body), &[counted(&[32]), number(flag), zeros(&[32])]);
        let want = |i: i32| if flag == 0 { f64::from(2 * i) } else { f64::from(i * i) };
        assert_eq!(got[2].to_f64(), (0..32).map(want).collect::<Vec<_>>());
    }
}

/// What one thread writes and another one reads is separated by a barrier, in a loop as well.
#[test]
fn threads_meet_in_a_buffer_of_the_program() {
    let split = nested([&[4], &[1], &[1], &[32], &[1], &[1], &[1]]);
    let body = "  %v = vector.transfer_read %in[%c0], %pad {in_bounds = [true]} : memref<128xf32>, vector<128xf32>
  %a = iree_vector_ext.to_layout %v to layout(#l0) : vector<128xf32>
  vector.transfer_write %a, %out[%c0] {in_bounds = [true]} : vector<128xf32>, memref<131xf32>
  scf.for %i = %c0 to %c3 step %c1 {
    %w = vector.transfer_read %out[%i], %pad {in_bounds = [true]} : memref<131xf32>, vector<128xf32>
    %b = iree_vector_ext.to_layout %w to layout(#l0) : vector<128xf32>
    %c = arith.addf %b, %a : vector<128xf32>
    vector.transfer_write %c, %out[%c1] {in_bounds = [true]} : vector<128xf32>, memref<131xf32>
  }";
    let text = kernel("%in: memref<128xf32>, %out: memref<131xf32>", 4, &[&split], body);
    for seed in 0..4 {
        stages::alike("a buffer", &text, "sm_80", &[counted(&[128]), zeros(&[131])], seed).unwrap();
    }
}

/// Threads meet under different layouts, at places that change with a loop, and behind loops and branches that were not
/// taken.
#[test]
fn no_way_to_a_shared_place_goes_without_a_barrier() {
    let plain = nested([&[4], &[1], &[1], &[32], &[1], &[1], &[1]]);
    let turned = nested([&[4], &[1], &[1], &[32], &[1], &[2], &[1]]);
    let turned = Nested {
        subgroup_tile: vec![1],
        thread_tile: vec![32],
        element_tile: vec![4],
        subgroup_strides: vec![0],
        ..turned
    };
    let read = |name: &str, at: &str, layout: &str| {
        format!(
            "  {name}r = vector.transfer_read %out[{at}], %pad {{in_bounds = [true]}} : memref<136xf32>, vector<128xf32>
  {name} = iree_vector_ext.to_layout {name}r to layout({layout}) : vector<128xf32>\n"
        )
    };
    let write = |name: &str, at: &str| {
        format!(
            "  vector.transfer_write {name}, %out[{at}] {{in_bounds = [true]}} : vector<128xf32>, memref<136xf32>\n"
        )
    };
    let sum = "  %s = arith.constant 1.0 : f32
  %one = vector.broadcast %s : f32 to vector<128xf32>\n";
    let other_layout = read("%a", "%c0", "#l0") + &write("%a", "%c0") + &read("%b", "%c0", "#l1") + &write("%b", "%c3");
    let moving = format!(
        "  scf.for %i = %c0 to %c3 step %c1 {{\n  %j = arith.addi %i, %i : index\n{}  %x = arith.addf %a, %one : vector<128xf32>\n{}  }}",
        read("%a", "%j", "#l0"),
        write("%x", "%j")
    );
    let not_taken = format!(
        "{}{}  scf.for %i = %c0 to %n step %c1 {{\n  gpu.barrier\n  }}\n{}{}",
        read("%a", "%c0", "#l0"),
        write("%a", "%c1"),
        read("%b", "%c0", "#l1"),
        write("%b", "%c3")
    );
    let side = format!(
        "{}  scf.if %flag {{\n{}  }} else {{\n  gpu.barrier\n  }}\n{}{}",
        read("%a", "%c0", "#l0"),
        write("%a", "%c1"),
        read("%b", "%c0", "#l1"),
        write("%b", "%c3")
    );
    let body_of = |text: &str| {
        format!(
            "  %number = memref.load %b0[%c0] : memref<1xi32>
  %n = arith.index_cast %number : i32 to index
  %flag = arith.cmpi eq, %n, %c0 : index
{sum}{text}"
        )
    };
    for text in [other_layout, moving, not_taken, side] {
        let text = kernel("%out: memref<136xf32>, %b0: memref<1xi32>", 4, &[&plain, &turned], &body_of(&text));
        for seed in 0..6 {
            stages::alike("a place", &text, "sm_80", &[counted(&[136]), number(0)], seed).unwrap();
        }
    }
}

/// Sums of nothing but negative zeros are negative zero; the largest of nothing but NaN is NaN.
#[test]
fn neutral_elements_change_nothing() {
    let layout = nested([&[2], &[2], &[1], &[8], &[1], &[1], &[1]]);
    for (kind, value) in [("add", -0.0), ("maxnumf", f64::NAN), ("minnumf", f64::NAN), ("mul", -0.0)] {
        let body = format!(
            "  %v = vector.transfer_read %in[%c0], %pad {{in_bounds = [true]}} : memref<32xf32>, vector<32xf32>
  %a = iree_vector_ext.to_layout %v to layout(#l0) : vector<32xf32>
  %start = memref.load %in[%c0] : memref<32xf32>
  %r = vector.multi_reduction <{kind}>, %a, %start [0] : vector<32xf32> to f32
  memref.store %r, %out[%c0] : memref<1xf32>"
        );
        let text = kernel("%in: memref<32xf32>, %out: memref<1xf32>", 2, &[&layout], &body);
        alike(&text, &[Tensor::from_f64(F32, &[32], &[value; 32]), zeros(&[1])]);
    }
    for kind in ["minsi", "maxsi", "minui", "maxui", "and", "or", "xor", "mul", "add"] {
        for value in [i64::MIN, i64::MAX, -1, 0, 5] {
            let body = format!(
                "  %zero = arith.constant 0 : i64
  %v = vector.transfer_read %in[%c0], %zero {{in_bounds = [true]}} : memref<32xi64>, vector<32xi64>
  %a = iree_vector_ext.to_layout %v to layout(#l0) : vector<32xi64>
  %start = memref.load %in[%c0] : memref<32xi64>
  %r = vector.multi_reduction <{kind}>, %a, %start [0] : vector<32xi64> to i64
  memref.store %r, %out[%c0] : memref<1xi64>"
            );
            let text = kernel("%in: memref<32xi64>, %out: memref<1xi64>", 2, &[&layout], &body);
            let scalar = Scalar::Int(64);
            alike(&text, &[Tensor::from_i64(scalar, &[32], &[value; 32]), Tensor::zeros(scalar, &[1])]);
        }
    }
}

/// Layouts whose threads overlap, are missing, or mean something else in one dimension alone are refused with a witness.
#[test]
fn layouts_that_no_workgroup_has_are_refused() {
    let raw = |tile: &str, strides: &str| {
        format!(
            "#l0 = #iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], \
             thread_tile = {tile}, element_tile = [1, 1], subgroup_strides = [0, 0], thread_strides = {strides}>\n"
        )
    };
    for (tile, strides, shape, why) in [
        ("[8, 4]", "[1, 1]", "8x4", "both"),
        ("[8, 4]", "[0, 1]", "8x4", "stride"),
        ("[32, 4]", "[1, 32]", "32x4", "128 lanes"),
        ("[3, 16]", "[1, 3]", "3x16", "do not divide a subgroup"),
    ] {
        let body = format!(
            "  %v = vector.transfer_read %in[%c0, %c0], %pad {{in_bounds = [true, true]}} : memref<{shape}xf32>, vector<{shape}xf32>
  %a = iree_vector_ext.to_layout %v to layout(#l0) : vector<{shape}xf32>
  vector.transfer_write %a, %out[%c0, %c0] {{in_bounds = [true, true]}} : vector<{shape}xf32>, memref<{shape}xf32>"
        );
        let args = format!("%in: memref<{shape}xf32>, %out: memref<{shape}xf32>");
        let diag = refusal(&(raw(tile, strides) + &kernel(&args, 2, &[], &body)));
        assert_eq!(diag.code, Code::LayoutMisfit, "{diag:?}");
        assert!(diag.notes.iter().any(|note| note.contains(why)), "`{why}` is missing in {diag:#?}");
    }
}

/// Thread numbers do not mix with vectors of a whole workgroup.
#[test]
fn what_has_no_meaning_is_refused_with_a_way_out() {
    let body = "  %t = gpu.thread_id x
  %v = vector.transfer_read %in[%t], %pad {in_bounds = [true]} : memref<64xf32>, vector<8xf32>
  %a = iree_vector_ext.to_layout %v to layout(#l0) : vector<8xf32>
  vector.transfer_write %a, %in[%c0] {in_bounds = [true]} : vector<8xf32>, memref<64xf32>";
    let whole = Nested::whole(&[8]).unwrap();
    let diag = refusal(&kernel("%in: memref<64xf32>", 1, &[&whole], body));
    assert!(diag.message.contains("gpu.thread_id"), "{diag:?}");
    assert!(diag.help.is_some());
}
