//! Gathers, scatters and comparisons mean the same behind every rewrite of them.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use raddle_emu::{Launch, Mode, Tensor};
use raddle_ir::{Float, Ir, OpId, Scalar};
use raddle_passes::{Facts, Options, PASSES, clean};
use raddle_target::chip;

const F32: Scalar = Scalar::Float(Float::F32);

fn parse(text: &str) -> Ir {
    raddle_ir::parse(text).unwrap_or_else(|diags| panic!("{diags:?}\n{text}"))
}

fn pass(name: &'static str) -> impl Fn(&mut Ir, OpId) {
    move |ir, func| {
        let pass = PASSES.iter().find(|pass| pass.name == name).unwrap();
        pass.apply(ir, func, &Facts::new(chip("sm_80").unwrap()), &Options::of(pass.options)).unwrap();
    }
}

/// The buffers behind a run.
fn run(ir: &Ir, args: &[Tensor]) -> Vec<Vec<u8>> {
    let launch = Launch { grid: [1; 3], workgroup_size: [32, 1, 1], subgroup_size: 32, mode: Mode::Simd };
    let outcome = raddle_emu::run(ir, ir.funcs()[0], args, &launch, &raddle_emu::Options::default());
    let outcome = outcome.unwrap_or_else(|diag| panic!("{diag}: {:?} {:?}", diag.label, diag.notes));
    outcome.buffers.into_iter().map(|buffer| buffer.bytes).collect()
}

/// The rewrite changes the text so that `gone` is not in it, and does not change what the program does.
fn keeps(text: &str, args: &[Tensor], rewrite: impl Fn(&mut Ir, OpId), gone: &str) {
    let before = parse(text);
    let mut after = parse(text);
    let func = after.funcs()[0];
    rewrite(&mut after, func);
    assert_eq!(raddle_ir::verify(&after), []);
    let printed = raddle_ir::print(&after, &raddle_ir::PrintOptions::default());
    assert!(!printed.contains(gone), "{gone} is still in\n{printed}");
    assert_eq!(run(&before, args), run(&after, args), "{text}\nbecame\n{printed}");
}

fn iota(shape: &[i64]) -> Tensor {
    let n = shape.iter().product::<i64>();
    Tensor::from_f64(F32, shape, &(0..n).map(|i| i as f64).collect::<Vec<_>>())
}

/// A way to make positions for a gather of 4x2 elements.
struct Position {
    make: &'static str,
    ty: &'static str,
    map: &'static str,
    /// Whether folding leaves no vector of positions.
    folds: bool,
    /// Whether each of the four rows has its own position.
    distinct: bool,
}

const fn position(make: &'static str, ty: &'static str, map: &'static str, folds: bool, distinct: bool) -> Position {
    Position { make, ty, map, folds, distinct }
}

const POSITIONS: &[Position] = &[
    position("vector.step : vector<4xindex>", "vector<4xindex>", "(d0)", true, true),
    position(
        "vector.broadcast %few : vector<2xindex> to vector<4x2xindex>",
        "vector<4x2xindex>",
        "(d0, d1)",
        false,
        false,
    ),
    // A stretched dimension: all rows are the first.
    position(
        "vector.broadcast %row : vector<1x2xindex> to vector<4x2xindex>",
        "vector<4x2xindex>",
        "(d0, d1)",
        false,
        false,
    ),
    position(
        "vector.transpose %wide, [1, 0] : vector<2x4xindex> to vector<4x2xindex>",
        "vector<4x2xindex>",
        "(d0, d1)",
        false,
        false,
    ),
    position(
        "vector.transpose %tall, [1, 0] : vector<4x2xindex> to vector<2x4xindex>",
        "vector<2x4xindex>",
        "(d1, d0)",
        false,
        false,
    ),
    position("arith.addi %many, %twos : vector<4xindex>", "vector<4xindex>", "(d0)", false, true),
    position("arith.addi %twos, %many : vector<4xindex>", "vector<4xindex>", "(d0)", false, true),
    position("vector.broadcast %x : index to vector<4xindex>", "vector<4xindex>", "(d0)", true, false),
    position("arith.addi %x, %c1 : index", "index", "()", true, false),
];

/// A mask: how it is made, its type and map, and whether folding leaves none.
const MASKS: &[(&str, &str, &str, bool)] = &[
    ("arith.constant dense<true> : vector<4x2xi1>", "vector<4x2xi1>", "(d0, d1)", true),
    ("arith.constant dense<false> : vector<4x2xi1>", "vector<4x2xi1>", "(d0, d1)", true),
    ("vector.create_mask %c2, %c1 : vector<4x2xi1>", "vector<4x2xi1>", "(d0, d1)", false),
    ("vector.create_mask %c1, %c3 : vector<2x4xi1>", "vector<2x4xi1>", "(d1, d0)", false),
    ("vector.broadcast %some : vector<2xi1> to vector<4x2xi1>", "vector<4x2xi1>", "(d0, d1)", false),
];

/// Every way to make positions, on each dimension of the base or on both, with every mask or none.
#[test]
fn folding_keeps_gathers_and_scatters() {
    let masks = MASKS.iter().map(Some).chain([None]);
    for (mask, position) in masks.flat_map(|mask| POSITIONS.iter().map(move |position| (mask, position))) {
        for base in ["(s0, d1)", "(d1, s0)", "(s0, 0)", "(s0, s0)"] {
            let Position { make, ty, map, folds, distinct } = position;
            let maps = [base, map].into_iter().chain(mask.map(|mask| mask.2));
            let maps: Vec<String> = maps.map(|map| format!("affine_map<(d0, d1)[s0] -> {map}>")).collect();
            let maps = maps.join(", ");
            let (make_mask, use_mask, mask_type) = match mask {
                Some(mask) => (format!("%mask = {}", mask.0), ", %mask", format!(", {}", mask.1)),
                None => Default::default(),
            };
            // Two threads that write one element have no order.
            let scatter = format!(
                "iree_vector_ext.transfer_scatter %v into %all[%c0, %c1] [%p : {ty}]{use_mask}
                   {{indexing_maps = [{maps}]}} : vector<4x2xf32>, memref<8x8xf32>{mask_type}"
            );
            let scatter = if *distinct && base.contains("d1") { scatter } else { String::new() };
            let text = format!(
                "func.func @f(%in: memref<8x8xf32>, %out: memref<4x2xf32>, %all: memref<8x8xf32>, %n: memref<1xindex>) {{
                   %c0 = arith.constant 0 : index
                   %c1 = arith.constant 1 : index
                   %c2 = arith.constant 2 : index
                   %c3 = arith.constant 3 : index
                   %pad = arith.constant -1.0 : f32
                   %x = memref.load %n[%c0] : memref<1xindex>
                   %few = arith.constant dense<[3, 1]> : vector<2xindex>
                   %row = arith.constant dense<[[2, 3]]> : vector<1x2xindex>
                   %wide = arith.constant dense<[[0, 1, 2, 3], [3, 2, 1, 4]]> : vector<2x4xindex>
                   %tall = arith.constant dense<[[0, 1], [2, 3], [3, 2], [1, 4]]> : vector<4x2xindex>
                   %many = arith.constant dense<[2, 0, 3, 1]> : vector<4xindex>
                   %some = arith.constant dense<[true, false]> : vector<2xi1>
                   %twos = vector.broadcast %x : index to vector<4xindex>
                   {make_mask}
                   %p = {make}
                   %v = iree_vector_ext.transfer_gather %in[%c1, %c0] [%p : {ty}], %pad{use_mask}
                     {{indexing_maps = [{maps}]}} : memref<8x8xf32>, vector<4x2xf32>{mask_type}
                   vector.transfer_write %v, %out[%c0, %c0] {{in_bounds = [true, true]}} : vector<4x2xf32>, memref<4x2xf32>
                   {scatter}
                   return
                 }}"
            );
            let two = Tensor::from_i64(Scalar::Index, &[1], &[2]);
            let args = [iota(&[8, 8]), Tensor::zeros(F32, &[4, 2]), iota(&[8, 8]), two];
            // Both dimensions of the base by one dimension of the vector: a diagonal, which no transfer reads.
            let diagonal = base == "(s0, s0)" && make.contains("step");
            let all = mask.is_none_or(|mask| mask.3) && *folds && !diagonal;
            let off = mask.is_some_and(|mask| mask.0.contains("false"));
            let gone = if all || off { "iree_vector_ext" } else { "dense<true>" };
            let fold = |ir: &mut Ir, func| {
                clean::canonicalize(ir, func);
            };
            keeps(&text, &args, fold, gone);
        }
    }
}

/// A gather along the last dimension is `vector.gather`, with and without a mask and a constant padding.
#[test]
fn gathers_are_expanded() {
    let text = |mask: &str| {
        let (operand, ty, map) = match mask {
            "" => ("", "", ""),
            _ => (", %mask", ", vector<4xi1>", ", affine_map<(d0)[s0] -> (d0)>"),
        };
        format!(
            "func.func @f(%in: memref<3x8xf32>, %out: memref<4xf32>, %all: memref<3x8xf32>) {{
              %c0 = arith.constant 0 : index
              %c1 = arith.constant 1 : index
              %c3 = arith.constant 3 : index
              %pad = arith.constant -1.0 : f32
              %p = arith.constant dense<[5, 0, 3, 1]> : vector<4xindex>
              %mask = vector.create_mask %c3 : vector<4xi1>
              %v = iree_vector_ext.transfer_gather %in[%c1, %c1] [%p : vector<4xindex>], %pad{operand}
                {{indexing_maps = [affine_map<(d0)[s0] -> (0, s0)>, affine_map<(d0)[s0] -> (d0)>{map}]}}
                : memref<3x8xf32>, vector<4xf32>{ty}
              vector.transfer_write %v, %out[%c0] {{in_bounds = [true]}} : vector<4xf32>, memref<4xf32>
              iree_vector_ext.transfer_scatter %v into %all[%c0, %c1] [%p : vector<4xindex>]{operand}
                {{indexing_maps = [affine_map<(d0)[s0] -> (0, s0)>, affine_map<(d0)[s0] -> (d0)>{map}]}}
                : vector<4xf32>, memref<3x8xf32>{ty}
              return
            }}"
        )
    };
    for mask in ["", "some"] {
        let args = [iota(&[3, 8]), Tensor::zeros(F32, &[4]), iota(&[3, 8])];
        keeps(&text(mask), &args, pass("expand-gathers"), "iree_vector_ext");
    }
}

/// Comparisons along each dimension, with given indices, a base, and a comparator that prefers the later of equals.
#[test]
fn comparisons_are_expanded() {
    for (dimension, kept) in [(0, "4"), (1, "3")] {
        for (index, base) in [("", ""), (", %places", ""), ("", "index_base(%c5 : index)")] {
            for order in ["ogt", "ole", "oge"] {
                let index_type = if index.is_empty() { "" } else { ", vector<3x4xi32>" };
                let text = format!(
                    "func.func @f(%in: memref<3x4xf32>, %where: memref<3x4xi32>, %best: memref<{kept}xf32>, %at: memref<{kept}xi32>) {{
                      %c0 = arith.constant 0 : index
                      %c5 = arith.constant 5 : index
                      %z = arith.constant 0.0 : f32
                      %zi = arith.constant 0 : i32
                      %init = arith.constant dense<2.0> : vector<{kept}xf32>
                      %first = arith.constant dense<77> : vector<{kept}xi32>
                      %x = vector.transfer_read %in[%c0, %c0], %z {{in_bounds = [true, true]}} : memref<3x4xf32>, vector<3x4xf32>
                      %places = vector.transfer_read %where[%c0, %c0], %zi {{in_bounds = [true, true]}} : memref<3x4xi32>, vector<3x4xi32>
                      %r:2 = iree_vector_ext.arg_compare dimension({dimension}) ins(%x{index} : vector<3x4xf32>{index_type})
                        inits(%init, %first : vector<{kept}xf32>, vector<{kept}xi32>) {base} {{
                      ^bb0(%a: f32, %b: f32):
                        %cmp = arith.cmpf {order}, %a, %b : f32
                        iree_vector_ext.yield %cmp : i1
                      }} -> vector<{kept}xf32>, vector<{kept}xi32>
                      vector.transfer_write %r#0, %best[%c0] {{in_bounds = [true]}} : vector<{kept}xf32>, memref<{kept}xf32>
                      vector.transfer_write %r#1, %at[%c0] {{in_bounds = [true]}} : vector<{kept}xi32>, memref<{kept}xi32>
                      return
                    }}"
                );
                let values = [1.0, 7.0, 2.0, 2.0, 7.0, 0.0, 2.0, -1.0, 3.0, 3.0, 2.0, 3.0];
                let n: i64 = kept.parse().unwrap();
                let args = [
                    Tensor::from_f64(F32, &[3, 4], &values),
                    Tensor::from_i64(Scalar::Int(32), &[3, 4], &(100..112).collect::<Vec<_>>()),
                    Tensor::zeros(F32, &[n]),
                    Tensor::zeros(Scalar::Int(32), &[n]),
                ];
                keeps(&text, &args, pass("expand-arg-compare"), "arg_compare");
            }
        }
    }
}
