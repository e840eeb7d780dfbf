//! Jumps between blocks, from whole-workgroup vectors down to scalars: every stage means the same.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use raddle_emu::Tensor;
use raddle_ir::{Float, Ir, PrintOptions, Scalar};
use raddle_passes::Facts;
use raddle_target::{Lowered, chip};

use crate::stages;

const F32: Scalar = Scalar::Float(Float::F32);

/// Two layouts whose elements lie in other threads, over four subgroups, and an 8x16 buffer in and out.
fn kernel(body: &str) -> String {
    format!(
        "#a = #iree_vector_ext.nested_layout<subgroup_tile = [4, 1], batch_tile = [1, 1], outer_tile = [1, 1],
           thread_tile = [2, 16], element_tile = [1, 1], subgroup_strides = [1, 0], thread_strides = [16, 1]>
#b = #iree_vector_ext.nested_layout<subgroup_tile = [1, 4], batch_tile = [1, 1], outer_tile = [1, 1],
           thread_tile = [8, 4], element_tile = [1, 1], subgroup_strides = [0, 1], thread_strides = [1, 8]>
!t = vector<8x16xf32>
!m = memref<8x16xf32>
func.func @kernel(%in: !m, %out: !m, %numbers: memref<2xi32>) attributes {{translation_info =
    #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [128, 1, 1]
    subgroup_size = 32>}} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %pad = arith.constant 0.0 : f32
  %one = arith.constant dense<1.0> : !t
  %first = memref.load %numbers[%c0] : memref<2xi32>
  %second = memref.load %numbers[%c1] : memref<2xi32>
  %n = arith.index_cast %first : i32 to index
  %v = vector.transfer_read %in[%c0, %c0], %pad {{in_bounds = [true, true]}} : !m, !t
  %x = iree_vector_ext.to_layout %v to layout(#a) : !t
{body}
}}"
    )
}

/// The output for some numbers, the same at every stage whatever the order in which subgroups take turns.
#[track_caller]
fn outcome(text: &str, numbers: [i64; 2]) -> Vec<f64> {
    let input = Tensor::from_f64(F32, &[8, 16], &(0..128).map(f64::from).collect::<Vec<_>>());
    let args = [input, Tensor::zeros(F32, &[8, 16]), Tensor::from_i64(Scalar::Int(32), &[2], &numbers)];
    let run =
        |seed| stages::alike("this", text, "sm_80", &args, seed).unwrap_or_else(|diag| panic!("{diag:#?}\n{text}"));
    let (ir, got) = run(1);
    for seed in 2..5 {
        assert_eq!(run(seed).1[1].bytes, got[1].bytes);
    }
    Lowered::check(&ir, ir.funcs()[0], chip("sm_80").unwrap()).unwrap();
    got[1].to_f64()
}

const WRITE: &str = "vector.transfer_write %r, %out[%c0, %c0] {in_bounds = [true, true]} : !t, !m\n  return";

/// A loop of two blocks whose rounds change the layout and back: each round waits for the last one's.
#[test]
fn rounds_of_a_loop_of_blocks_wait_for_one_another() {
    let text = kernel(&format!(
        "  cf.br ^head(%c0, %x : index, !t)
^head(%i: index, %acc: !t):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^out(%acc : !t)
^body:
  %there = iree_vector_ext.to_layout %acc to layout(#b) : !t
  %turned = arith.subf %one, %there : !t
  %back = iree_vector_ext.to_layout %turned to layout(#a) : !t
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%next, %back : index, !t)
^out(%r: !t):
  {WRITE}"
    ));
    for n in 0..4 {
        let want: Vec<f64> = (0..128).map(|x| f64::from(if n % 2 == 0 { x } else { 1 - x })).collect();
        assert_eq!(outcome(&text, [n, 0]), want, "{n} rounds");
    }
}

/// Both ways out of a region write what is read behind it by other threads.
#[test]
fn what_each_way_out_of_a_region_wrote_is_waited_for() {
    let text = kernel(&format!(
        "  %flag = arith.cmpi eq, %n, %c0 : index
  scf.execute_region {{
    cf.cond_br %flag, ^one, ^two
  ^one:
    vector.transfer_write %x, %out[%c0, %c0] {{in_bounds = [true, true]}} : !t, !m
    scf.yield
  ^two:
    cf.br ^three
  ^three:
    scf.yield
  }}
  %w = vector.transfer_read %out[%c0, %c0], %pad {{in_bounds = [true, true]}} : !m, !t
  %there = iree_vector_ext.to_layout %w to layout(#b) : !t
  %r = arith.addf %there, %one : !t
  {WRITE}"
    ));
    assert_eq!(outcome(&text, [0, 0]), (1..129).map(f64::from).collect::<Vec<_>>());
    assert_eq!(outcome(&text, [1, 0]), vec![1.0; 128]);
}

/// A switch with vectors for some of its ways, blocks in the text in front of those whose values they use, and a block
/// that nothing leads to.
#[test]
fn blocks_come_in_any_order() {
    let text = kernel(&format!(
        "  cf.switch %first : i32, [default: ^other, 0: ^end(%x : !t), -3: ^end(%one : !t), 7: ^middle(%x, %one : !t, !t)]
^last:
  %s = arith.addf %w, %w : !t
  cf.br ^end(%s : !t)
^nowhere(%q: vector<7xf32>):
  %u = arith.mulf %q, %q : vector<7xf32>
  cf.br ^nowhere(%u : vector<7xf32>)
^other:
  %w = iree_vector_ext.to_layout %x to layout(#b) : !t
  cf.br ^last
^middle(%a: !t, %b: !t):
  %d = arith.addf %a, %b : !t
  cf.br ^end(%d : !t)
^end(%r: !t):
  {WRITE}"
    ));
    for (number, of) in [(0, (|x| x) as fn(f64) -> f64), (-3, |_| 1.0), (7, |x| x + 1.0), (5, |x| x + x)] {
        let want: Vec<f64> = (0..128).map(|x| of(f64::from(x))).collect();
        assert_eq!(outcome(&text, [number, 0]), want, "case {number}");
    }
}

/// A loop with two ways in has no head.
#[test]
fn a_loop_may_have_two_ways_in() {
    let text = kernel(&format!(
        "  %m = arith.index_cast %second : i32 to index
  %flag = arith.cmpi eq, %m, %c0 : index
  cf.cond_br %flag, ^double(%c0, %x : index, !t), ^count(%c0, %one : index, !t)
^double(%i: index, %a: !t):
  %there = iree_vector_ext.to_layout %a to layout(#b) : !t
  %twice = arith.addf %there, %there : !t
  cf.br ^count(%i, %twice : index, !t)
^count(%j: index, %b: !t):
  %next = arith.addi %j, %c1 : index
  %more = arith.cmpi slt, %next, %n : index
  cf.cond_br %more, ^double(%next, %b : index, !t), ^out(%b : !t)
^out(%r: !t):
  {WRITE}"
    ));
    assert_eq!(outcome(&text, [3, 0]), (0..128).map(|x| f64::from(8 * x)).collect::<Vec<_>>());
    assert_eq!(outcome(&text, [3, 1]), vec![4.0; 128]);
}

/// Two values change places on the way back to the head, and the way out takes them as they were.
#[test]
fn values_change_places_on_the_way_back() {
    let text = kernel(&format!(
        "  cf.br ^head(%c0, %x, %one : index, !t, !t)
^head(%i: index, %a: !t, %b: !t):
  %next = arith.addi %i, %c1 : index
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^head(%next, %b, %a : index, !t, !t), ^out
^out:
  %r = arith.subf %a, %b : !t
  {WRITE}"
    ));
    for (n, sign) in [(0, 1.0), (1, -1.0), (2, 1.0)] {
        assert_eq!(outcome(&text, [n, 0]), (0..128).map(|x| sign * (f64::from(x) - 1.0)).collect::<Vec<_>>());
    }
}

fn lowered(text: &str) -> String {
    let mut ir: Ir = raddle_ir::parse(text).unwrap_or_else(|diags| panic!("{diags:#?}"));
    let func = ir.funcs()[0];
    raddle_passes::lower::lower(&mut ir, func, &Facts::new(chip("sm_80").unwrap())).unwrap();
    assert_eq!(raddle_ir::verify(&ir), []);
    let printed = raddle_ir::print(&ir, &PrintOptions { local_scope: true, ..PrintOptions::default() });
    let lines = printed.lines().map(str::trim).filter(|line| !line.contains("arith.constant"));
    lines.skip_while(|line| !line.starts_with("func.func")).skip(1).collect::<Vec<_>>().join("\n")
}

/// Vectors become their elements, also in the numbers of operands of each way on; an index that a block and what it
/// dominates need is computed once, in the first of them.
#[test]
fn jumps_pass_on_elements() {
    let text = "func.func @f(%m: memref<8x64xf32>, %n: i32, %b: i1) {
  %t = gpu.thread_id x
  %z = arith.constant 0.0 : f32
  %c2 = arith.constant 2 : index
  %v = arith.constant dense<0.0> : vector<2xf32>
  cf.cond_br %b, ^one, ^two(%v : vector<2xf32>)
^one:
  %w = vector.transfer_read %m[%t, %c2], %z {in_bounds = [true]} : memref<8x64xf32>, vector<2xf32>
  cf.switch %n : i32, [default: ^two(%w : vector<2xf32>), 3: ^three(%z : f32), 4: ^four]
^two(%x: vector<2xf32>):
  vector.transfer_write %x, %m[%t, %c2] {in_bounds = [true]} : vector<2xf32>, memref<8x64xf32>
  cf.br ^four
^three(%y: f32):
  cf.br ^four
^four:
  return
}";
    let want = "%thread_id_x = gpu.thread_id x
%0 = arith.muli %thread_id_x, %c64 : index
%1 = arith.addi %0, %c2 : index
cf.cond_br %arg2, ^bb1, ^bb3(%cst, %cst : f32, f32)
^bb1:  // pred: ^bb0
%2 = vector.load %arg0[%1] : memref<512xf32>, vector<2xf32>
%3:2 = vector.to_elements %2 : vector<2xf32>
cf.switch %arg1 : i32, [
default: ^bb3(%3#0, %3#1 : f32, f32),
3: ^bb2(%cst : f32),
4: ^bb4
]
^bb2(%4: f32):  // pred: ^bb1
cf.br ^bb4
^bb3(%5: f32, %6: f32):  // 2 preds: ^bb0, ^bb1
%7 = vector.from_elements %5, %6 : vector<2xf32>
vector.store %7, %arg0[%1] : memref<512xf32>, vector<2xf32>
cf.br ^bb4
^bb4:  // 3 preds: ^bb1, ^bb2, ^bb3
return
}
}";
    assert_eq!(lowered(text), want);
}
