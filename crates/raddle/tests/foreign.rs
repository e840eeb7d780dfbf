//! PTX of other producers, compiled here and now, gives what NumPy computed, without a finding, in both modes of
//! asynchronous copies. `cargo xtask foreign` runs all kernels; these are the quick ones of Numba, IREE and
//! NVRTC.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;
use std::process::Command;

use crate::common::{raddle, root, validator};

#[test]
fn kernels_of_others_are_right() {
    let Some(python) = validator("producers") else { return };
    let folder = tempfile::tempdir().unwrap();
    let made = Command::new(python)
        .arg("-B")
        .arg(root().join("xtask/foreign/make.py"))
        .arg(folder.path())
        .args(["--quick", "--producer=numba", "--producer=iree", "--producer=nvrtc"])
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let cases = fs::read_to_string(folder.path().join("cases.txt")).unwrap();
    assert!(cases.lines().count() >= 15, "{cases}");
    for case in cases.lines() {
        let [name, error, ""] = case.split('\t').collect::<Vec<_>>()[..] else { panic!("{case}") };
        assert_eq!(error, "", "{name}: {}", String::from_utf8_lossy(&made.stderr));
        // The launch is in `k.json` beside the code.
        let case = folder.path().join(name);
        let (code, flags) = (case.join("k.ptx"), fs::read_to_string(case.join("flags")).unwrap());
        for mode in ["--async=eager", "--async=lazy"] {
            let args: Vec<&str> = ["exec", code.to_str().unwrap(), mode].into_iter().chain(flags.lines()).collect();
            let ran = raddle(&args);
            assert_eq!(ran.status, 0, "{name}, {mode}: {}{}", ran.out, ran.err);
        }
    }
}
