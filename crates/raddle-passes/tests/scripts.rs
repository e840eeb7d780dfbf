//! Transform scripts: what their steps find and change, and what they say when they cannot.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::Random;
use raddle_ir::{Diag, Float, Ir, Scalar};
use raddle_passes::{Facts, Options, PASSES};
use raddle_target::chip;

const PROGRAM: &str = "
  func.func @f(%x: index, %n: index, %m: memref<?xindex>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      scf.for %j = %c0 to %n step %c1 {
        %a = arith.muli %x, %n : index
        %b = arith.addi %a, %c0 : index
        memref.store %b, %m[%j] : memref<?xindex>
      }
    }
    return
  }
  func.func @g(%x: index) -> index {
    %y = arith.addi %x, %x : index
    %z = arith.addi %x, %x : index
    %s = arith.muli %y, %z : index
    return %s : index
  }";

/// The program behind a script, and what the script said.
fn run(steps: &str) -> (Ir, Result<(), Diag>, Vec<Diag>) {
    let text = format!(
        "{PROGRAM}
         module attributes {{transform.with_named_sequence}} {{
           transform.named_sequence @twice(%h: !transform.any_op {{transform.readonly}}) -> !transform.any_op {{
             %all = transform.merge_handles %h, %h : !transform.any_op
             transform.yield %all : !transform.any_op
           }}
           transform.named_sequence @__transform_main(%root: !transform.any_op {{transform.consumed}}) {{
             {steps}
             transform.yield
           }}
         }}"
    );
    let mut ir = raddle_ir::parse(&text).unwrap_or_else(|diags| panic!("{diags:?}\n{text}"));
    let facts = Facts::new(chip("sm_80").unwrap());
    let pass = PASSES.iter().find(|pass| pass.name == "run-script").unwrap();
    let module = ir.module();
    let result = pass.apply(&mut ir, module, &facts, &Options::of(pass.options));
    assert_eq!(raddle_ir::verify(&ir), []);
    (ir, result, facts.remarks.into_inner())
}

/// The steps bring the program to a state that `holds`.
#[track_caller]
fn gives(steps: &str, marks: &[(&str, usize)]) {
    let (ir, result, _) = run(steps);
    assert!(result.is_ok(), "{result:?}");
    let text = raddle_ir::print(&ir, &raddle_ir::PrintOptions::default());
    for (mark, n) in marks {
        assert_eq!(text.matches(mark).count(), *n, "{mark} in\n{text}");
    }
}

/// The script stops, and says why.
#[track_caller]
fn stops(steps: &str, why: &str) {
    let (_, result, _) = run(steps);
    let diag = result.expect_err("the script should stop");
    assert_eq!(diag.code.number(), "E0906");
    let said = format!("{diag} {:?} {:?}", diag.notes, diag.related);
    assert!(said.contains(why), "{said}");
}

/// Handles find operations by name, type and attributes, and reach what is around them and behind them.
#[test]
fn handles_find_operations() {
    gives(
        r#"%l = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
           %inner, %outer = transform.split_handle %l : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
           transform.annotate %inner "inner" : !transform.any_op
           %n = transform.param.constant 7 : i64 -> !transform.param<i64>
           transform.annotate %outer "outer" = %n : !transform.any_op, !transform.param<i64>
           %f = transform.get_parent_op %inner {isolated_from_above} : (!transform.any_op) -> !transform.any_op
           transform.annotate %f "around" : !transform.any_op"#,
        &[("{inner}", 1), ("{outer = 7 : i64}", 1), ("attributes {around}", 1)],
    );
    gives(
        r#"%y = transform.structured.match ops{["arith.addi"]} filter_result_type = index in %root
             : (!transform.any_op) -> !transform.any_op
           %b, %y0, %z = transform.split_handle %y
             : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
           %s = transform.get_consumers_of_result %y0[0] : (!transform.any_op) -> !transform.any_op
           transform.annotate %s "product" : !transform.any_op
           %t = transform.cast %s : !transform.any_op to !transform.op<"arith.muli">
           transform.annotate %t "typed" : !transform.op<"arith.muli">"#,
        &[("{product, typed}", 1)],
    );
}

/// A handle that stands for more than there are results says where the rest goes, or the script stops.
#[test]
fn handles_are_split() {
    let find =
        r#"%y = transform.structured.match ops{["arith.addi"]} in %root : (!transform.any_op) -> !transform.any_op"#;
    gives(
        &format!(
            r#"{find}
            %a, %b = transform.split_handle %y {{overflow_result = 1}}
              : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
            transform.annotate %b "rest" : !transform.any_op"#
        ),
        &[("{rest}", 2)],
    );
    stops(
        &format!("{find}\n%a = transform.split_handle %y : (!transform.any_op) -> !transform.any_op"),
        "3 operations, and there are 1 results",
    );
}

/// Sequences include one another; what a suppressed one cannot find does not stop the script.
#[test]
fn sequences_are_included() {
    gives(
        r#"%l = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
           %l2 = transform.include @twice failures(propagate) (%l) : (!transform.any_op) -> !transform.any_op
           %a, %b, %c, %d = transform.split_handle %l2
             : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
           transform.annotate %d "last" : !transform.any_op"#,
        &[("{last}", 1)],
    );
}

/// Patterns, merging and hoisting change what the handle stands for, and nothing else.
#[test]
fn programs_are_rewritten() {
    let find = r#"%fs = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
       %f, %g = transform.split_handle %fs : (!transform.any_op) -> (!transform.any_op, !transform.any_op)"#;
    gives(
        &format!("{find}\ntransform.apply_cse to %g : !transform.any_op"),
        &[("arith.addi %arg0, %arg0", 1), ("arith.addi %0, %c0", 1)],
    );
    gives(
        &format!(
            "{find}\ntransform.apply_patterns to %f {{ transform.apply_patterns.canonicalization }} : !transform.any_op"
        ),
        &[("arith.addi %arg0, %arg0", 2), ("%c0 :", 0), ("memref.store %0,", 1)],
    );
    // Hoisted twice, the product stands in front of the outer loop.
    let (ir, result, _) = run(&format!("{find}\ntransform.iree.apply_licm %f : !transform.any_op"));
    assert!(result.is_ok());
    let f = ir.funcs()[0];
    let product = ir.walk(f).into_iter().find(|&op| ir.name(op) == "arith.muli").unwrap();
    assert_eq!(ir.parent_op(product), Some(f));
}

/// A script says what it prints; only the caller decides where that is shown.
#[test]
fn programs_are_printed() {
    let (_, result, remarks) =
        run(r#"%l = transform.structured.match ops{["arith.muli"]} in %root : (!transform.any_op) -> !transform.any_op
           transform.print %l {name = "products"} : !transform.any_op"#);
    assert!(result.is_ok());
    assert_eq!((remarks.len(), remarks[0].message.as_str(), remarks[0].notes.len()), (1, "products", 2));
}

/// What has no rule, or makes no sense, stops the script at its line.
#[test]
fn scripts_stop() {
    let f = r#"%f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op"#;
    stops(
        &format!("{f}\ntransform.iree.eliminate_empty_tensors %f : (!transform.any_op) -> ()"),
        "no rule for this step",
    );
    stops(
        &format!("{f}\n%t = transform.cast %f : !transform.any_op to !transform.op<\"scf.for\">"),
        "stands for `scf.for` only",
    );
    stops(
        &format!(
            "{f}\ntransform.apply_patterns to %f {{ transform.apply_patterns.iree.bubble_expand }} : !transform.any_op"
        ),
        "no rule for these patterns",
    );
    stops(
        &format!(
            "{f}\n%m = transform.get_parent_op %f {{op_name = \"scf.if\"}} : (!transform.any_op) -> !transform.any_op"
        ),
        "no such parent",
    );
    stops(&format!("{f}\ntransform.match.operation_name %f [\"scf.for\"] : !transform.any_op"), "none of the names");
}

/// Without a script there is nothing to run; dropped, it leaves no trace.
#[test]
fn scripts_are_dropped() {
    let facts = Facts::new(chip("sm_80").unwrap());
    let pass = |name: &str| PASSES.iter().find(|pass| pass.name == name).unwrap();
    let mut ir = raddle_ir::parse(PROGRAM).unwrap();
    let module = ir.module();
    let missing = pass("run-script").apply(&mut ir, module, &facts, &Options::of(pass("run-script").options));
    assert!(missing.is_err_and(|diag| diag.message.contains("@__transform_main")));

    let (mut ir, ..) = run("");
    let module = ir.module();
    pass("drop-script").apply(&mut ir, module, &facts, &Options::default()).unwrap();
    assert_eq!(ir.block_ops(ir.module_block()).map(|op| ir.name(op)).collect::<Vec<_>>(), ["func.func"; 2]);
}

/// An inner tile of one lane's values is the instruction that its kind names, with factors of any shape and in either
/// order; a virtual one is issued slice by slice.
#[test]
fn inner_tiles_become_instructions() {
    const F16: Scalar = Scalar::Float(Float::F16);
    const F32: Scalar = Scalar::Float(Float::F32);
    for (kind, factor, acc, mark, n) in [
        ("mma_layout<MFMA_F32_16x16x16_F16>", "4", "4", "amdgpu.mfma 16x16x16", 1),
        ("mma_layout<MFMA_F32_16x16x16_F16, col_major = true>", "1x4", "4x1", "amdgpu.mfma 16x16x16", 1),
        ("mma_layout<MFMA_F32_32x32x8_F16>", "4", "16", "amdgpu.mfma 32x32x8", 1),
        ("virtual_mma_layout<VMFMA_F32_16x16x32_F16>", "8", "4", "amdgpu.mfma 16x16x16", 2),
    ] {
        let count = |shape: &str| shape.split('x').map(|n| n.parse::<i64>().unwrap()).product::<i64>();
        let (n_factor, n_acc) = (count(factor), count(acc));
        let program = format!(
            "func.func @kernel(%a: memref<{0}xf16>, %b: memref<{0}xf16>, %c: memref<{1}xf32>) attributes {{
  translation_info = #iree_codegen.translation_info<pipeline = None workgroup_size = [64, 1, 1] subgroup_size = 64>}} {{
  %t = gpu.thread_id x
  %p = affine.apply affine_map<(d0) -> (d0 * {n_factor})>(%t)
  %q = affine.apply affine_map<(d0) -> (d0 * {n_acc})>(%t)
  %la = vector.load %a[%p] : memref<{0}xf16>, vector<{n_factor}xf16>
  %lb = vector.load %b[%p] : memref<{0}xf16>, vector<{n_factor}xf16>
  %lc = vector.load %c[%q] : memref<{1}xf32>, vector<{n_acc}xf32>
  %va = vector.shape_cast %la : vector<{n_factor}xf16> to vector<{factor}xf16>
  %vb = vector.shape_cast %lb : vector<{n_factor}xf16> to vector<{factor}xf16>
  %vc = vector.shape_cast %lc : vector<{n_acc}xf32> to vector<{acc}xf32>
  %r = iree_codegen.inner_tiled ins(%va, %vb) outs(%vc) {{
    indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = [],
    kind = #iree_gpu.{kind}, semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>}}
    : vector<{factor}xf16>, vector<{factor}xf16> into vector<{acc}xf32>
  %s = vector.shape_cast %r : vector<{acc}xf32> to vector<{n_acc}xf32>
  vector.store %s, %c[%q] : memref<{1}xf32>, vector<{n_acc}xf32>
  return
}}",
            64 * n_factor,
            64 * n_acc
        );
        let text = format!(
            "{program}
             module attributes {{transform.with_named_sequence}} {{
               transform.named_sequence @__transform_main(%root: !transform.any_op {{transform.readonly}}) {{
                 %f = transform.structured.match ops{{[\"func.func\"]}} in %root : (!transform.any_op) -> !transform.any_op
                 transform.apply_patterns to %f {{ transform.apply_patterns.iree.lower_inner_tiled }} : !transform.any_op
                 transform.yield
               }}
             }}"
        );
        // With columns first, the product is that of the transposed factors in the other order.
        let reference = match kind.strip_suffix(", col_major = true>") {
            Some(plain) => program.replace(kind, &format!("{plain}>")).replace("ins(%va, %vb)", "ins(%vb, %va)"),
            None => program.clone(),
        };
        let before = raddle_ir::parse(&reference).unwrap_or_else(|diags| panic!("{diags:?}\n{reference}"));
        let mut after = raddle_ir::parse(&text).unwrap();
        let facts = Facts::new(chip("gfx942").unwrap());
        let pass = PASSES.iter().find(|pass| pass.name == "run-script").unwrap();
        let module = after.module();
        pass.apply(&mut after, module, &facts, &Options::of(pass.options)).unwrap();
        assert_eq!(raddle_ir::verify(&after), []);
        let printed = raddle_ir::print(&after, &raddle_ir::PrintOptions::default());
        assert_eq!((printed.matches(mark).count(), printed.matches("inner_tiled ").count()), (n, 0), "{printed}");
        let mut random = Random(5);
        let args = [(F16, n_factor), (F16, n_factor), (F32, n_acc)].map(|(elem, n)| random.tensor(elem, &[64 * n]));
        let [expected, found] = [&before, &after].map(|ir| common::run(ir, ir.funcs()[0], &args));
        assert!(expected == found, "{printed}");
        assert!(expected[2] != args[2].bytes);
    }
}
