//! A verified program stays verified through `canonicalize` and `cse`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use raddle_ir::{Opcode, ParseOptions, PrintOptions, print, text, verify};
use raddle_passes::clean;

fuzz_target!(|bytes: &[u8]| {
    raddle_dialects::load();
    let Ok(source) = std::str::from_utf8(bytes) else { return };
    let Ok(mut ir) = text::parse_with(source, ParseOptions { allow_unregistered: true }) else { return };
    if !verify(&ir).is_empty() {
        return;
    }
    let funcs: Vec<_> = ir.walk(ir.module()).into_iter().filter(|&op| ir.opcode(op) == Opcode::FuncFunc).collect();
    for pass in [clean::canonicalize, clean::cse] {
        for &func in &funcs {
            pass(&mut ir, func);
        }
        let diags = verify(&ir);
        assert!(diags.is_empty(), "{}\nin\n{}", diags[0], print(&ir, &PrintOptions::default()));
    }
});
