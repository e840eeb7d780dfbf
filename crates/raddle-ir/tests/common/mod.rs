//! What the tests of the language share: text in; text, or what is wrong with it, out.
#![allow(dead_code, reason = "each test file uses its part")]

use raddle_ir::{Diag, Ir, ParseOptions, PrintOptions, print, text, verify};

const KEEP: ParseOptions = ParseOptions { allow_unregistered: true };

/// A program in which nothing is wrong.
pub fn read(text: &str) -> Ir {
    let ir = text::parse_with(text, KEEP).unwrap_or_else(|diags| panic!("{}\n{text}", diags[0]));
    assert_eq!(verify(&ir), [], "{text}");
    ir
}

/// A function of these arguments and lines, in print.
pub fn function(args: &str, lines: &str) -> String {
    let lines: String = lines.lines().map(|line| format!("    {line}\n")).collect();
    format!("module {{\n  func.func @f({args}) {{\n{lines}    return\n  }}\n}}\n")
}

/// What is read is printed as it stands, and its generic form, which is given back, is read as the same program.
pub fn stays(text: &str) -> String {
    let ir = read(text);
    assert_eq!(print(&ir, &PrintOptions::default()), text);
    let generic = print(&ir, &PrintOptions { generic: true, local_scope: true, ..PrintOptions::default() });
    assert_eq!(print(&read(&generic), &PrintOptions::default()), text);
    generic
}

/// The same for a function of these arguments and lines.
pub fn unchanged(args: &str, lines: &str) -> String {
    stays(&function(args, lines))
}

/// The first thing that is wrong with a program.
pub fn finding(text: &str) -> Option<Diag> {
    text::parse_with(text, KEEP).map_or_else(|diags| diags, |ir| verify(&ir)).into_iter().next()
}

/// What the first finding says; nothing where all is well.
pub fn complaint(text: &str) -> String {
    finding(text).map(|diag| diag.message).unwrap_or_default()
}

/// Each of these pieces of a function is refused with a message that contains the words behind it.
#[track_caller]
pub fn refused(args: &str, cases: &[(&str, &str)]) {
    for (lines, words) in cases {
        let message = complaint(&function(args, lines));
        assert!(message.contains(words), "{lines}\nsays: {message}\nnot: {words}");
    }
}
