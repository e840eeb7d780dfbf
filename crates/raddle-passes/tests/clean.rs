//! What cleaning makes of small programs, as text.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use raddle_ir::{Ir, ParseOptions, PrintOptions, text};
use raddle_passes::clean;

fn parse(text: &str) -> Ir {
    raddle_ir::parse(text).unwrap_or_else(|diags| panic!("{diags:?}\n{text}"))
}

/// The text of the only function's body after cleaning, without indentation.
fn cleaned(text: &str) -> String {
    let mut ir = parse(text);
    let func = ir.funcs()[0];
    clean::clean(&mut ir, func);
    assert_eq!(raddle_ir::verify(&ir), []);
    let options = PrintOptions { local_scope: true, ..PrintOptions::default() };
    let printed = raddle_ir::print(&ir, &options);
    let lines: Vec<&str> = printed.lines().map(str::trim).collect();
    let first = lines.iter().position(|line| line.starts_with("func.func")).unwrap();
    let last = lines.iter().rposition(|line| line.starts_with("return")).unwrap();
    lines[first + 1..=last].join("\n")
}

fn lines(text: &str) -> String {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

/// Cleaning the first gives the second.
fn check(before: &str, after: &str) {
    assert_eq!(cleaned(before), lines(after));
}

/// Neutral elements go, constants meet, and what is left hangs on one constant to the right.
#[test]
fn integer_identities() {
    check(
        "func.func @f(%x: index) -> index {
           %c0 = arith.constant 0 : index
           %c1 = arith.constant 1 : index
           %c5 = arith.constant 5 : index
           %a = arith.addi %c5, %x : index
           %b = arith.muli %a, %c1 : index
           %c = arith.addi %b, %c5 : index
           %d = arith.subi %c, %c0 : index
           return %d : index
         }",
        "%c10 = arith.constant 10 : index
         %0 = arith.addi %arg0, %c10 : index
         return %0 : index",
    );
}

/// x + 0 is not x for x = -0; x + -0 and x * 1 are.
#[test]
fn float_identities_are_exact() {
    check(
        "func.func @f(%x: f32) -> (f32, f32) {
           %zero = arith.constant 0.0 : f32
           %neg = arith.constant -0.0 : f32
           %one = arith.constant 1.0 : f32
           %a = arith.addf %x, %zero : f32
           %b = arith.addf %x, %neg : f32
           %c = arith.mulf %b, %one : f32
           return %a, %c : f32, f32
         }",
        "%cst = arith.constant 0.000000e+00 : f32
         %0 = arith.addf %arg0, %cst : f32
         return %0, %arg0 : f32, f32",
    );
}

/// A division by zero is the program's own; it is neither folded nor moved out of the loop that may not run.
#[test]
fn division_by_what_may_be_zero_stays() {
    check(
        "func.func @f(%x: index, %y: index, %n: index, %m: memref<4xindex>) {
           %c0 = arith.constant 0 : index
           %c1 = arith.constant 1 : index
           %c4 = arith.constant 4 : index
           scf.for %i = %c0 to %n step %c1 {
             %a = arith.divui %x, %y : index
             %b = arith.divui %x, %c4 : index
             %c = arith.addi %a, %b : index
             memref.store %c, %m[%i] : memref<4xindex>
           }
           return
         }",
        "%c0 = arith.constant 0 : index
         %c1 = arith.constant 1 : index
         %c4 = arith.constant 4 : index
         %0 = arith.divui %arg0, %c4 : index
         scf.for %arg4 = %c0 to %arg2 step %c1 {
         %1 = arith.divui %arg0, %arg1 : index
         %2 = arith.addi %1, %0 : index
         memref.store %2, %arg3[%arg4] : memref<4xindex>
         }
         return",
    );
}

/// Loops of no and of one iteration, a branch that is taken, values that a loop only carries.
#[test]
fn control_flow_that_is_known() {
    check(
        "func.func @f(%x: f32, %y: f32, %n: index) -> (f32, f32) {
           %c0 = arith.constant 0 : index
           %c1 = arith.constant 1 : index
           %c8 = arith.constant 8 : index
           %true = arith.constant true
           %never = scf.for %i = %c8 to %c8 step %c1 iter_args(%a = %x) -> f32 {
             %b = arith.addf %a, %a : f32
             scf.yield %b : f32
           }
           %once = scf.for %i = %c0 to %c1 step %c8 iter_args(%a = %never) -> f32 {
             %b = arith.mulf %a, %a : f32
             scf.yield %b : f32
           }
           %taken = scf.if %true -> f32 {
             %b = arith.subf %once, %y : f32
             scf.yield %b : f32
           } else {
             scf.yield %x : f32
           }
           %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %taken, %same = %y) -> (f32, f32) {
             %b = arith.addf %a, %same : f32
             scf.yield %b, %same : f32, f32
           }
           return %r#0, %r#1 : f32, f32
         }",
        "%c0 = arith.constant 0 : index
         %c1 = arith.constant 1 : index
         %0 = arith.mulf %arg0, %arg0 : f32
         %1 = arith.subf %0, %arg1 : f32
         %2 = scf.for %arg3 = %c0 to %arg2 step %c1 iter_args(%arg4 = %1) -> (f32) {
         %3 = arith.addf %arg4, %arg1 : f32
         scf.yield %3 : f32
         }
         return %2, %arg1 : f32, f32",
    );
}

/// Elements are found through what only moves them.
#[test]
fn extracts_look_through() {
    check(
        "func.func @f(%x: f32, %y: f32, %v: vector<2x3xf32>) -> (f32, f32, f32, vector<3xf32>) {
           %w = vector.insert %x, %v [1, 2] : f32 into vector<2x3xf32>
           %t = vector.transpose %w, [1, 0] : vector<2x3xf32> to vector<3x2xf32>
           %s = vector.shape_cast %t : vector<3x2xf32> to vector<6xf32>
           %a = vector.extract %s[5] : f32 from vector<6xf32>
           %b = vector.extract %s[0] : f32 from vector<6xf32>
           %p = vector.from_elements %x, %y : vector<2xf32>
           %c = vector.extract %p[1] : f32 from vector<2xf32>
           %r = vector.extract %w[0] : vector<3xf32> from vector<2x3xf32>
           return %a, %b, %c, %r : f32, f32, f32, vector<3xf32>
         }",
        "%0 = vector.extract %arg2[0, 0] : f32 from vector<2x3xf32>
         %1 = vector.extract %arg2[0] : vector<3xf32> from vector<2x3xf32>
         return %arg0, %0, %arg1, %1 : f32, f32, f32, vector<3xf32>",
    );
}

/// What is equal merges where the first of the two dominates; siblings do not.
#[test]
fn merging_follows_dominance() {
    check(
        "func.func @f(%x: index, %y: index, %b: i1, %m: memref<64xindex>) {
           %outer = arith.addi %x, %y : index
           scf.if %b {
             %p = arith.addi %y, %x : index
             %q = arith.muli %p, %p : index
             memref.store %q, %m[%p] : memref<64xindex>
           } else {
             %q = arith.muli %outer, %outer : index
             memref.store %q, %m[%y] : memref<64xindex>
           }
           return
         }",
        "%0 = arith.addi %arg0, %arg1 : index
         scf.if %arg2 {
         %1 = arith.muli %0, %0 : index
         memref.store %1, %arg3[%0] : memref<64xindex>
         } else {
         %1 = arith.muli %0, %0 : index
         memref.store %1, %arg3[%arg1] : memref<64xindex>
         }
         return",
    );
}

/// Maps lose what is constant or unused; digits of extent 1 are 0; joined digits come apart.
#[test]
fn affine_operations() {
    check(
        "func.func @f(%x: index, %y: index) -> (index, index, index, index, index) {
           %c3 = arith.constant 3 : index
           %a = affine.apply affine_map<(d0, d1)[s0] -> (d0 * s0 + d1 * 0)>(%x, %y)[%c3]
           %b = affine.apply affine_map<(d0) -> (d0 * 4 + 1)>(%c3)
           %d:3 = affine.delinearize_index %x into (8, 1, 4) : index, index, index
           %l = affine.linearize_index disjoint [%x, %y] by (8, 4) : index
           %e:2 = affine.delinearize_index %l into (8, 4) : index, index
           return %a, %b, %d#1, %d#2, %e#1 : index, index, index, index, index
         }",
        "%c0 = arith.constant 0 : index
         %c13 = arith.constant 13 : index
         %0 = affine.apply affine_map<()[s0] -> (s0 * 3)>()[%arg0]
         %1:2 = affine.delinearize_index %arg0 into (4) : index, index
         return %0, %c13, %c0, %1#1, %arg1 : index, index, index, index, index",
    );
}

/// Reads that nobody uses go, writes and barriers stay, and with them what they need.
#[test]
fn effects_stay() {
    check(
        "func.func @f(%m: memref<64xf32>, %i: index, %b: i1) {
           %unused = memref.load %m[%i] : memref<64xf32>
           %x = memref.load %m[%i] : memref<64xf32>
           scf.if %b {
             %y = arith.addf %x, %x : f32
           }
           gpu.barrier
           memref.store %x, %m[%i] : memref<64xf32>
           return
         }",
        "%0 = memref.load %arg0[%arg1] : memref<64xf32>
         gpu.barrier
         memref.store %0, %arg0[%arg1] : memref<64xf32>
         return",
    );
}

/// Of equal reads one is left where nothing between them may write, wait, or run again.
#[test]
fn reads_merge_until_memory_may_change() {
    check(
        "func.func @f(%m: memref<8xf32>, %o: memref<8xf32>, %i: index, %n: index) -> (f32, f32, f32, f32) {
           %c0 = arith.constant 0 : index
           %c1 = arith.constant 1 : index
           %a = memref.load %m[%i] : memref<8xf32>
           %q = arith.divsi %i, %n : index
           %b = memref.load %m[%i] : memref<8xf32>
           memref.store %b, %o[%q] : memref<8xf32>
           %c = memref.load %m[%i] : memref<8xf32>
           gpu.barrier
           %d = memref.load %m[%i] : memref<8xf32>
           scf.for %k = %c0 to %n step %c1 {
             %e = memref.load %m[%i] : memref<8xf32>
             memref.store %e, %m[%k] : memref<8xf32>
           }
           return %a, %b, %c, %d : f32, f32, f32, f32
         }",
        "%c0 = arith.constant 0 : index
         %c1 = arith.constant 1 : index
         %0 = memref.load %arg0[%arg2] : memref<8xf32>
         %1 = arith.divsi %arg2, %arg3 : index
         memref.store %0, %arg1[%1] : memref<8xf32>
         %2 = memref.load %arg0[%arg2] : memref<8xf32>
         gpu.barrier
         %3 = memref.load %arg0[%arg2] : memref<8xf32>
         scf.for %arg4 = %c0 to %arg3 step %c1 {
         %4 = memref.load %arg0[%arg2] : memref<8xf32>
         memref.store %4, %arg0[%arg4] : memref<8xf32>
         }
         return %0, %0, %2, %3 : f32, f32, f32, f32",
    );
}

/// Operations outside the table keep their place and their operands.
#[test]
fn unknown_operations_are_left_alone() {
    let program = "\"builtin.module\"() ({
      \"func.func\"() ({
        ^bb0(%x: index):
          %0 = \"foo.bar\"(%x) : (index) -> index
          %1 = \"foo.bar\"(%x) : (index) -> index
          \"func.return\"() : () -> ()
      }) {sym_name = \"f\", function_type = (index) -> ()} : () -> ()
    }) : () -> ()";
    let mut ir = text::parse_with(program, ParseOptions { allow_unregistered: true }).unwrap();
    let func = ir.funcs()[0];
    clean::clean(&mut ir, func);
    assert_eq!(ir.walk(func).len(), 3);
}

/// What no region may use from outside is neither moved out of it nor merged with what stands outside.
#[test]
fn isolated_regions_keep_their_own() {
    let program = "\"builtin.module\"() ({
      \"func.func\"() ({
        ^bb0(%x: index):
          %0 = \"arith.constant\"() {value = 7 : index} : () -> index
          %1 = \"arith.addi\"(%0, %0) : (index, index) -> index
          \"foo.region\"(%1) ({
          ^bb0(%y: index):
            %2 = \"arith.constant\"() {value = 7 : index} : () -> index
            %3 = \"arith.addi\"(%y, %2) : (index, index) -> index
            %4 = \"arith.constant\"() {value = 7 : index} : () -> index
            %5 = \"arith.addi\"(%y, %4) : (index, index) -> index
            \"foo.end\"(%3, %5) : (index, index) -> ()
          }, {
            %6 = \"arith.constant\"() {value = 7 : index} : () -> index
            \"foo.end\"(%6) : (index) -> ()
          }) : (index) -> ()
          \"func.return\"() : () -> ()
      }) {sym_name = \"f\", function_type = (index) -> ()} : () -> ()
    }) : () -> ()";
    let mut ir = text::parse_with(program, ParseOptions { allow_unregistered: true }).unwrap();
    let func = ir.funcs()[0];
    clean::clean(&mut ir, func);
    let names: Vec<_> = ir.walk(func).into_iter().map(|op| ir.name(op).to_string()).collect();
    assert_eq!(
        names.join(" "),
        "arith.constant foo.region arith.constant arith.addi foo.end arith.constant foo.end func.return"
    );
    for op in ir.walk(func).into_iter().filter(|&op| ir.name(op) == "foo.end" || ir.name(op) == "arith.addi") {
        let block = ir.parent_block(op);
        assert!(
            ir.operands(op).iter().all(|&value| ir.def_op(value).is_none_or(|made| ir.parent_block(made) == block))
        );
    }
}

/// Laid-out values keep the layouts that they state: nothing folds across them.
#[test]
fn layouts_are_kept() {
    let layout = "#iree_vector_ext.nested_layout<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], \
                  thread_tile = [4], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>";
    let text = format!(
        "func.func @f(%m: memref<4xf32>, %z: f32) {{
           %c0 = arith.constant 0 : index
           %v = arith.constant {{layouts = [{layout}]}} dense<1.0> : vector<4xf32>
           %w = arith.constant {{layouts = [{layout}]}} dense<2.0> : vector<4xf32>
           %s = arith.addf %v, %w {{layouts = [{layout}]}} : vector<4xf32>
           vector.transfer_write %s, %m[%c0] {{in_bounds = [true]}} : vector<4xf32>, memref<4xf32>
           return
         }}"
    );
    let mut ir = parse(&text);
    let func = ir.funcs()[0];
    let before = ir.walk(func).len();
    clean::clean(&mut ir, func);
    assert_eq!(ir.walk(func).len(), before);
}

/// A region that ends where nothing is said to come has nothing to give, so that its operation stays.
#[test]
fn what_never_leaves_stays() {
    check(
        "func.func @f(%m: memref<i32>) -> i32 {
           %c0 = arith.constant 0 : i32
           %r = scf.execute_region -> i32 {
             memref.store %c0, %m[] : memref<i32>
             ub.unreachable
           }
           return %r : i32
         }",
        "%c0_i32 = arith.constant 0 : i32
         %0 = scf.execute_region -> i32 {
         memref.store %c0_i32, %arg0[] : memref<i32>
         ub.unreachable
         }
         return %0 : i32",
    );
}

/// Values that are used ahead of their definition make circles, which no fold goes round: in blocks that nothing leads
/// to, and in regions that run in no order.
#[test]
fn circles_are_left_alone() {
    let program = "func.func @f() {
      \"t.graph\"() ({
        %c0 = arith.constant 0 : i32
        %1 = arith.addi %2, %c0 : i32
        %2 = arith.addi %1, %c0 : i32
        \"t.use\"(%1) : (i32) -> ()
      }) : () -> ()
      return
    ^dead:
      %c0 = arith.constant 0 : i32
      %1 = arith.addi %2, %c0 : i32
      cf.br ^other
    ^other:
      %2 = arith.addi %1, %c0 : i32
      cf.br ^dead
    }";
    let mut ir = text::parse_with(program, ParseOptions { allow_unregistered: true }).unwrap();
    assert_eq!(raddle_ir::verify(&ir), []);
    let func = ir.funcs()[0];
    clean::clean(&mut ir, func);
    assert_eq!(raddle_ir::verify(&ir), []);
    let names: Vec<&str> = ir.walk(func).into_iter().map(|op| ir.name(op)).collect();
    assert_eq!(names, ["t.graph", "arith.constant", "arith.addi", "arith.addi", "t.use", "func.return"]);
}
