//! Any bytes: the reader and the verifier answer, and never panic.
#![no_main]

use libfuzzer_sys::fuzz_target;
use raddle_ir::{ParseOptions, text, verify};

fuzz_target!(|bytes: &[u8]| {
    raddle_dialects::load();
    let source = String::from_utf8_lossy(bytes);
    for allow_unregistered in [false, true] {
        if let Ok(ir) = text::parse_with(&source, ParseOptions { allow_unregistered, ..ParseOptions::default() }) {
            let _ = verify(&ir);
        }
    }
});
