//! What is read is printed, and what is printed reads back as the same program: generic form always, custom form
//! where the program is sound.
#![no_main]

use libfuzzer_sys::fuzz_target;
use raddle_ir::{Ir, ParseOptions, PrintOptions, print, text, verify};

const KEEP: ParseOptions = ParseOptions { allow_unregistered: true };

fn forms(ir: &Ir, generic: bool) -> [String; 2] {
    [true, false].map(|local_scope| print(ir, &PrintOptions { generic, local_scope, ..PrintOptions::default() }))
}

fn check(ir: &Ir, generic: bool) {
    let [whole, _] = forms(ir, true);
    for printed in forms(ir, generic) {
        match text::parse_with(&printed, KEEP) {
            Ok(again) => assert!(whole == forms(&again, true)[0], "another program is read back from\n{printed}"),
            Err(diags) => panic!("{}\nin what is printed\n{printed}", diags[0]),
        }
    }
}

fuzz_target!(|bytes: &[u8]| {
    raddle_dialects::load();
    let Ok(source) = std::str::from_utf8(bytes) else { return };
    let Ok(ir) = text::parse_with(source, KEEP) else { return };
    check(&ir, true);
    if verify(&ir).is_empty() {
        check(&ir, false);
    }
});
