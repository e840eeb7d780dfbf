//! Scripts that run one another by name: what `transform` asks of both sides, in MLIR's words.

mod common;

use common::{complaint, read};

/// A table of these sequences, and a script with one step.
fn table(sequences: &str, step: &str) -> String {
    format!(
        "module attributes {{transform.with_named_sequence}} {{\n{sequences}\ntransform.sequence failures(propagate) {{\n\
         ^bb0(%op: !transform.any_op, %value: !transform.any_value):\n{step}\n}}\n}}\n"
    )
}

/// Each step is refused with the words behind it.
#[track_caller]
fn refused(sequences: &str, cases: &[(&str, &str)]) {
    for (step, words) in cases {
        let message = complaint(&table(sequences, step));
        assert!(message.contains(words), "{step}\nsays: {message}\nnot: {words}");
    }
}

/// Sequences of other files, by what they take.
const ELSEWHERE: &str = "
    transform.named_sequence @reads(!transform.any_op {transform.readonly}) -> !transform.any_op
    transform.named_sequence @consumes(!transform.any_op {transform.consumed})
    transform.named_sequence @of_value(!transform.any_value {transform.readonly})
    transform.named_sequence @nothing()
    transform.named_sequence @here(%x: !transform.any_op) { transform.yield }
    func.func private @function()";

/// A loop is split after a number or after a value.
#[test]
fn splits() {
    let step = |number: i64| {
        format!(
            "%0 = \"transform.structured.split\"(%op) <{{dimension = 0 : i64, static_chunk_sizes = {number} : i64}}> : (!transform.any_op) -> !transform.any_op"
        )
    };
    assert_eq!(complaint(&table("", &step(4))), "");
    refused("", &[(&step(i64::MIN), "expects either a dynamic or a static split point to be provided")]);
}

/// What is included is a sequence of the same table; it gets what it takes, and says whether it consumes it.
#[test]
fn included_sequences() {
    let include = |rest: &str| format!("transform.include {rest}");
    read(&table(
        ELSEWHERE,
        "%0 = transform.include @reads failures(propagate) (%op) : (!transform.any_op) -> !transform.any_op\n\
         transform.include @consumes failures(propagate) (%0) : (!transform.any_op) -> ()",
    ));
    for (rest, words) in [
        ("@missing failures(propagate) () : () -> ()", "does not reference a named transform sequence"),
        ("@function failures(propagate) () : () -> ()", "does not reference a named transform sequence"),
        ("@consumes failures(propagate) () : () -> ()", "incorrect number of operands for callee"),
        (
            "@consumes failures(propagate) (%value) : (!transform.any_value) -> ()",
            "expected operand type '!transform.any_op', but provided '!transform.any_value' for operand number 0",
        ),
        ("@reads failures(propagate) (%op) : (!transform.any_op) -> ()", "incorrect number of results for callee"),
        (
            "@reads failures(propagate) (%op) : (!transform.any_op) -> !transform.any_value",
            "type of result #0 must implement the same transform dialect interface",
        ),
        (
            "@here failures(propagate) (%op) : (!transform.any_op) -> ()",
            "requires memory effects on operands to be specified",
        ),
    ] {
        refused(ELSEWHERE, &[(&include(rest), words)]);
    }
    let inner = "module {\nmodule attributes {transform.with_named_sequence} {\ntransform.named_sequence @f() {\n\
                 transform.include @nothing failures(propagate) () : () -> ()\ntransform.yield\n}\n}\n}";
    assert!(complaint(&table(ELSEWHERE, "").replace("func.func private @function()", inner)).contains("reference"));
}

/// What is consumed is gone, and an argument says so.
#[test]
fn consumed_handles() {
    let consume = "transform.include @consumes failures(propagate) (%op) : (!transform.any_op) -> ()";
    let twice = format!("{consume}\n{consume}");
    refused(ELSEWHERE, &[(&twice, "block argument #0 has more than one potential consumer")]);
    let of_result =
        "%0 = transform.include @reads failures(propagate) (%op) : (!transform.any_op) -> !transform.any_op\n";
    let twice = format!("{of_result}{}", twice.replace("%op", "%0"));
    refused(ELSEWHERE, &[(&twice, "result #0 has more than one potential consumer")]);

    let sequence = |mark: &str, body: &str| {
        format!("{ELSEWHERE}\ntransform.named_sequence @s(%op: !transform.any_op {{{mark}}}) {body}")
    };
    let body = format!("{{\n{consume}\ntransform.yield\n}}");
    read(&table(&sequence("transform.consumed", &body), ""));
    for (mark, body, words) in [
        ("transform.readonly", &body[..], "argument #0 is consumed in the body but is not marked as such"),
        ("transform.readonly, transform.consumed", &body, "argument #0 cannot be both readonly and consumed"),
        ("", "", "must provide consumed/readonly status"),
    ] {
        refused(&sequence(mark, body), &[("", words)]);
    }
}

/// A sequence stands in a table that says so, says nothing else, and does not come to run itself.
#[test]
fn tables_of_sequences() {
    let right =
        "module attributes {transform.with_named_sequence} {\ntransform.named_sequence @s() {\ntransform.yield\n}\n}";
    read(right);
    let include = |name: &str| format!("transform.include @{name} failures(propagate) () : () -> ()\ntransform.yield");
    let circle = format!("@s() {{\n{}\n}}\ntransform.named_sequence @t() {{\n{}\n}}", include("t"), include("s"));
    for (part, change, words) in [
        ("attributes {transform.with_named_sequence} ", "", "expects the parent symbol table to have the"),
        ("{transform.with", "{transform.with_names, transform.with", "unknown attribute: \"transform.with_names\""),
        ("transform.yield", &include("s")[..], "recursion not allowed in named sequences"),
        ("@s() {\ntransform.yield\n}", &circle, "recursion not allowed in named sequences"),
        (
            "transform.named_sequence @s() {\ntransform.yield\n}",
            "func.func private @f() attributes {transform.with_named_sequence}",
            "can only be attached to operations with symbol tables",
        ),
        (
            "transform.named_sequence @s()",
            "func.func @f() {\ntransform.named_sequence @s() {\ntransform.yield\n}\nreturn\n}\ntransform.named_sequence @s()",
            "symbol's parent must have the SymbolTable trait",
        ),
    ] {
        assert!(right.contains(part));
        let message = complaint(&right.replace(part, change));
        assert!(message.contains(words), "{part} -> {change}: {message}");
    }
}

/// Operands go to a matcher, what it gives to its action, and what that gives comes out.
#[test]
fn matchers_and_actions() {
    let step = |pair: &str, rest: &str| format!("transform.foreach_match in {rest} {pair} : ");
    let given = |pair: &str| step(pair, "%op") + "(!transform.any_op) -> !transform.any_op";
    read(&table(
        ELSEWHERE,
        &given("@reads -> @reads").replace("-> !transform.any_op", "-> (!transform.any_op, !transform.any_op)"),
    ));
    for (step, words) in [
        (given("@missing -> @nothing"), "unresolved matcher symbol @missing"),
        (given("@reads -> @function"), "unresolved action symbol @function"),
        (
            given("@nothing -> @nothing"),
            "the number of operands (1) doesn't match the number of matcher arguments (0) for @nothing",
        ),
        (given("@consumes -> @nothing"), "does not expect matcher symbol to consume its operand #0"),
        (given("@of_value -> @nothing"), "for operand and matcher argument #0 of matcher @of_value"),
        (given("@reads -> @nothing"), "between @reads (1) and @nothing (0)"),
        (given("@reads -> @of_value"), "matcher result and action argument #0 of matcher @reads and action @of_value"),
        (given("@reads -> @reads"), "the number of action results (1) for @reads doesn't match"),
        (
            step("@reads -> @reads", "%op") + "(!transform.any_op) -> (!transform.any_op, !transform.any_value)",
            "for action result #0 of action @reads and op result",
        ),
    ] {
        refused(ELSEWHERE, &[(&step, words)]);
    }
    // Who is matched says what happens to its arguments.
    let matched = table(ELSEWHERE, &given("@here -> @nothing"));
    assert!(complaint(&matched).contains("must provide consumed/readonly status"));
}

/// What collects takes a handle, reads it, and gives what comes out.
#[test]
fn collected_matches() {
    let collect = |name: &str, result: &str| {
        format!("%0 = transform.collect_matching @{name} in %op : (!transform.any_op) -> !transform.{result}")
    };
    read(&table(ELSEWHERE, &collect("reads", "any_op")));
    for (name, result, words) in [
        ("missing", "any_op", "unresolved matcher symbol @missing"),
        ("nothing", "any_op", "expected the matcher to take one operation handle argument"),
        ("of_value", "any_op", "expected the matcher to take one operation handle argument"),
        ("here", "any_op", "expected the matcher argument to be marked readonly"),
        ("reads", "any_value", "mismatching type interfaces for matcher result and op result #0"),
    ] {
        refused(ELSEWHERE, &[(&collect(name, result), words)]);
    }
    let none = "transform.collect_matching @reads in %op : (!transform.any_op) -> ()";
    refused(ELSEWHERE, &[(none, "as many values as op has results (0), got 1")]);
}

/// A body for each has an argument for each target and ends with what comes out; a nested script has operands.
#[test]
fn bodies_of_scripts() {
    let each = |targets: &str, args: &str, results: &str, end: &str| {
        format!("transform.foreach {targets}{results} {{\n^bb1({args}):\ntransform.yield {end}\n}}")
    };
    let (op, arg) = ("%op : !transform.any_op", "%x: !transform.any_op");
    let end = "%x : !transform.any_op";
    read(&table("", &format!("%0 = {}", each(op, arg, " -> !transform.any_op", end))));
    for (step, words) in [
        (each(op, "", "", ""), "same number of targets as the body has block arguments"),
        (each(op, "%x: !transform.any_value", "", ""), "block arguments to have the same op/value/param type"),
        (each(op, arg, "", end), "same number of results as the yield terminator has operands"),
        (each(op, arg, " -> !transform.any_value", end), "yield operands to have the same op/value/param type"),
        (
            "transform.sequence failures(propagate) {\n^bb1(%x: !transform.any_op):\n}".to_owned(),
            "expects operands to be provided for a nested op",
        ),
        (
            "transform.affine.simplify_bounded_affine_ops %op with [] within [0] and [] : !transform.any_op".to_owned(),
            "incorrect number of lower bounds, expected 0 but found 1",
        ),
        (
            "%0 = transform.split_handle %op {overflow_result = 1} : (!transform.any_op) -> !transform.any_op"
                .to_owned(),
            "overflow_result is not a valid result index",
        ),
    ] {
        refused("", &[(&step, words)]);
    }
}
