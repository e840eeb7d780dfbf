//! `transform.foreach_match`: which operations are matched, in which order, and what comes back.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use raddle_ir::{Diag, parse, print, verify};
use raddle_passes::{Facts, Options, PASSES};
use raddle_target::chip;

const MATCHERS: &str = r#"
  transform.named_sequence @sum(%op: !transform.any_op {transform.readonly}) -> (!transform.any_op, !transform.any_param) {
    transform.match.operation_name %op ["arith.addi"] : !transform.any_op
    %note = transform.param.constant "sum" -> !transform.any_param
    transform.yield %op, %note : !transform.any_op, !transform.any_param
  }
  transform.named_sequence @integer(%op: !transform.any_op {transform.readonly}) -> (!transform.any_op, !transform.any_param) {
    transform.match.operation_name %op ["arith.addi", "arith.muli"] : !transform.any_op
    %note = transform.param.constant "integer" -> !transform.any_param
    transform.yield %op, %note : !transform.any_op, !transform.any_param
  }
  transform.named_sequence @loop(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.operation_name %op ["scf.for"] : !transform.any_op
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @func(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.operation_name %op ["func.func"] : !transform.any_op
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @note(%op: !transform.any_op {transform.readonly}, %note: !transform.any_param {transform.readonly}) {
    transform.annotate %op "is" = %note : !transform.any_op, !transform.any_param
    transform.yield
  }
  transform.named_sequence @mark(%op: !transform.any_op {transform.readonly}) {
    transform.annotate %op "marked" : !transform.any_op
    transform.yield
  }
  transform.named_sequence @sums_of(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    %sums = transform.structured.match ops{["arith.addi"]} in %op : (!transform.any_op) -> !transform.any_op
    transform.yield %sums : !transform.any_op
  }
  transform.named_sequence @one_sum_of(%op: !transform.any_op {transform.readonly}) {
    %sums = transform.structured.match ops{["arith.addi"]} in %op : (!transform.any_op) -> !transform.any_op
    %sum = transform.split_handle %sums : (!transform.any_op) -> !transform.any_op
    transform.annotate %sum "only" : !transform.any_op
    transform.yield
  }
  transform.named_sequence @marks(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.annotate %op "seen" : !transform.any_op
    transform.yield %op : !transform.any_op
  }"#;

fn run(steps: &str) -> Result<String, Diag> {
    let text = format!(
        "func.func @f(%x: index, %n: index) -> index {{
           %c0 = arith.constant 0 : index
           %r = scf.for %i = %c0 to %n step %n iter_args(%s = %x) -> index {{
             %a = arith.addi %s, %i : index
             %b = arith.muli %a, %i : index
             %c = arith.addi %a, %b : index
             scf.yield %c : index
           }}
           return %r : index
         }}
         func.func @g(%x: index) -> index {{
           %a = arith.addi %x, %x : index
           %b = arith.subi %a, %x : index
           return %b : index
         }}
         module attributes {{transform.with_named_sequence}} {{
           {MATCHERS}
           transform.named_sequence @__transform_main(%root: !transform.any_op {{transform.readonly}}) {{
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
    assert_eq!(verify(&ir), []);
    Ok(print(&ir, &Default::default()))
}

fn count(text: &str, marks: &[(&str, usize)]) {
    for (mark, n) in marks {
        assert_eq!(text.matches(mark).count(), *n, "{mark} in\n{text}");
    }
}

/// The first matcher that an operation passes decides, and what it yields is what the action gets.
#[test]
fn the_first_matcher_decides() {
    let text = run("transform.foreach_match in %root @sum -> @note, @integer -> @note, @loop -> @mark
                      : (!transform.any_op) -> !transform.any_op");
    count(&text.unwrap(), &[("is = \"sum\"", 3), ("is = \"integer\"", 1), ("{marked}", 1)]);
}

/// Roots are left out, or they alone are matched.
#[test]
fn roots_are_matched_when_that_is_said() {
    let find =
        r#"%funcs = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op"#;
    let over = |flag: &str| {
        let step = format!(
            "transform.foreach_match {flag} in %funcs @func -> @mark, @loop -> @mark : (!transform.any_op) -> !transform.any_op"
        );
        run(&format!("{find}\n{step}")).unwrap()
    };
    count(&over(""), &[("attributes {marked}", 0), ("{marked}", 1)]);
    count(&over("restrict_root"), &[("attributes {marked}", 2), ("{marked}", 2)]);
}

/// What actions yield is the step's results: one for each action, or all of them.
#[test]
fn actions_yield_results() {
    let steps = |flag: &str| {
        format!(
            "%r, %sums = transform.foreach_match {flag} in %root @func -> @sums_of
               : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
             transform.annotate %sums \"found\" : !transform.any_op"
        )
    };
    count(&run(&steps("flatten_results")).unwrap(), &[("{found}", 3)]);
    let refusal = format!("{:?}", run(&steps("")).unwrap_err());
    assert!(refusal.contains("write `flatten_results`"), "{refusal}");
}

/// What an action cannot do stops the script when the others are served.
#[test]
fn an_action_that_fails_is_told_at_the_end() {
    // `@f` has two sums, `@g` has one.
    let step = "transform.foreach_match in %h @func -> @one_sum_of : (!transform.any_op) -> !transform.any_op";
    let refusal = format!("{:?}", run(&step.replace("%h", "%root")).unwrap_err());
    assert!(
        refusal.contains("2 operations, and there are 1 results") && refusal.contains("an action of this step"),
        "{refusal}"
    );
}

/// A matcher looks and changes nothing. That it exists and agrees with the step is checked before anything runs.
#[test]
fn matchers_only_look() {
    let step = "transform.foreach_match in %root @marks -> @mark : (!transform.any_op) -> !transform.any_op";
    assert!(format!("{:?}", run(step).unwrap_err()).contains("may only look"));
}
