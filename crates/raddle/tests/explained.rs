//! `raddle explain`: the example of each diagnostic gives it, and the other one does not.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use common::{raddle, raddle_with};
use serde_json::Value;

#[test]
fn examples_do_what_they_say() {
    let all: Vec<Value> = serde_json::from_str(&raddle(&["explain", "--json"]).out).unwrap();
    let mut wrong = Vec::new();
    for entry in &all {
        let code = entry["code"].as_str().unwrap();
        let attempt = |name: &str| {
            let words = entry[name]["command"].as_str()?.split(' ').collect::<Vec<_>>();
            Some(raddle_with(&words, entry[name]["stdin"].as_str().unwrap()))
        };
        let (Some(fails), Some(works)) = (attempt("fails"), attempt("works")) else { continue };
        if !format!("{}{}", fails.err, fails.out).contains(&format!("[{code}]")) {
            wrong.push(format!("{code} is not given: {}{}", fails.out, fails.err));
        }
        if works.status != 0 || works.err.contains(code) {
            wrong.push(format!("{code} is given, or something else: {}{}", works.out, works.err));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// People see the two programs with the commands for them.
#[test]
fn examples_are_shown() {
    raddle(&["explain", "E0104"])
        .says(0, &["E0104: ", "$ raddle check -", "    func.func @f(%x: f32) -> f64 {", "And not here"]);
    raddle(&["explain", "E0104", "--json"]).says(0, &["\"code\":\"E0104\"", "\"stdin\""]);
}
