//! What others say: NumPy about our data files, ptxas about our PTX.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::path::Path;
use std::process::Command;

use crate::common;
use crate::common::{Run, matmul, raddle, row_sum, validator};
use raddle_target::{CHIPS, Language};

/// Runs Python in a folder.
fn python(python: &Path, folder: &Path, code: &str) {
    let output = Command::new(python).args(["-c", code]).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Runs the matrix multiplication of the examples on the files of a folder.
fn run_on(folder: &Path, files: [&str; 3], more: &[&str]) -> Run {
    let [a, b, c] = files.map(|file| folder.join(file).to_str().unwrap().to_owned());
    let args = [
        "run".to_owned(),
        "examples/matmul.mlir".to_owned(),
        "--function=matmul".to_owned(),
        format!("--input=512x128xf16=@{a}"),
        format!("--input=128x512xf16=@{b}"),
        format!("--expected_output=512x512xf32=@{c}"),
    ];
    let args: Vec<&str> = args.iter().map(String::as_str).chain(more.iter().copied()).collect();
    raddle(&args)
}

/// NumPy's files in, NumPy's result agreed with, our file read by NumPy; and each way in which a file can be wrong.
#[test]
fn numpy_files_go_in_and_out() {
    let Some(numpy) = validator("python3") else { return };
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let make = "
import numpy as np
rng = np.random.default_rng(7)
a = rng.standard_normal((512, 128)).astype(np.float16)
b = rng.standard_normal((128, 512)).astype(np.float16)
c = a.astype(np.float32) @ b.astype(np.float32)
np.save('a.npy', a)
np.save('b.npy', b)
np.save('c.npy', c)
np.save('a_fortran.npy', np.asfortranarray(a))
np.save('b_fortran.npy', np.asfortranarray(b))
np.save('a_big.npy', a.astype('>f2'))
np.save('a_wide.npy', a.astype(np.float64))
np.save('a_turned.npy', np.ascontiguousarray(a.T))
np.save('a_object.npy', np.array([object()]), allow_pickle=True)
c[37, 411] += 1.0
np.save('c_wrong.npy', c)
data = open('a.npy', 'rb').read()
open('a_short.npy', 'wb').write(data[:-100])
open('a_shorter.npy', 'wb').write(data[:20])
open('a_empty.npy', 'wb').write(b'')
";
    python(&numpy, folder, make);

    run_on(folder, ["a.npy", "b.npy", "c.npy"], &[]).says(0, &["correct: all 262144 elements"]);
    run_on(folder, ["a.npy", "b.npy", "c.npy"], &["--target=gfx942"]).says(0, &["correct: all 262144 elements"]);
    run_on(folder, ["a_fortran.npy", "b_fortran.npy", "c.npy"], &[]).says(0, &["correct"]);

    let wrong = run_on(folder, ["a.npy", "b.npy", "c_wrong.npy"], &[]);
    wrong.says(1, &["WRONG: 1 of 262144 elements", "[37, 411]", "workgroup (", "subgroup ", "lane ", "line "]);

    let bad = [
        ("a_big.npy", "big-endian"),
        ("a_wide.npy", "dtype `<f8`, not f16"),
        ("a_turned.npy", "the shape is 128x512, not 512x128"),
        ("a_object.npy", "dtype `|O`"),
        ("a_short.npy", "truncated"),
        ("a_shorter.npy", "truncated"),
        ("a_empty.npy", "not a .npy file"),
        ("a_missing.npy", "no such file"),
    ];
    for (file, message) in bad {
        run_on(folder, [file, "b.npy", "c.npy"], &[]).says(2, &[message, file]);
    }
    run_on(folder, ["a.npy", "b.npy", "a.npy"], &[]).says(2, &["expected output 0", "dtype `<f2`, not f32"]);

    let output = format!("--output=@{}", folder.join("out.npy").to_str().unwrap());
    run_on(folder, ["a.npy", "b.npy", "c.npy"], &[&output]).says(0, &["correct"]);
    let check = "
import numpy as np
out, c = np.load('out.npy'), np.load('c.npy')
assert out.dtype == np.float32 and out.shape == (512, 512) and out.flags.c_contiguous
assert np.abs(out - c).max() < 1e-3
";
    python(&numpy, folder, check);
}

/// The element types that NumPy lacks travel as raw bytes.
#[test]
fn bf16_travels_as_raw_bytes() {
    let Some(numpy) = validator("python3") else { return };
    let folder = tempfile::tempdir().unwrap();
    let make = "
import numpy as np
x = np.arange(64, dtype=np.float32)
np.save('x.npy', (x.view(np.uint32) >> 16).astype(np.uint16).view('V2').reshape(64, 1))
np.save('y.npy', x.reshape(64, 1))
";
    python(&numpy, folder.path(), make);
    let text = "func.func @widen(%x: memref<64x1xbf16>, %y: memref<64x1xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %0 = memref.load %x[%i, %c0] : memref<64x1xbf16>
    %1 = arith.extf %0 : bf16 to f32
    memref.store %1, %y[%i, %c0] : memref<64x1xf32>
  }
  return
}";
    let path = |file: &str| format!("@{}", folder.path().join(file).to_str().unwrap());
    let (x, y) = (format!("--input={}", path("x.npy")), format!("--expected_output={}", path("y.npy")));
    common::raddle_with(&["run", "-", &x, &y], text).says(0, &["bit for bit"]);
}

/// ptxas takes what we write, and spills nothing.
#[test]
fn ptxas_accepts_what_is_built() {
    let Some(ptxas) = validator("ptxas") else { return };
    let folder = tempfile::tempdir().unwrap();
    let kernels = [
        ("matmul", std::fs::read_to_string(common::root().join("examples/matmul.mlir")).unwrap(), true),
        ("row_sum", std::fs::read_to_string(common::root().join("examples/row_sum.mlir")).unwrap(), false),
        ("transpose", std::fs::read_to_string(common::root().join("examples/transpose_add.mlir")).unwrap(), false),
        ("scan", std::fs::read_to_string(common::root().join("examples/prefix_sum.mlir")).unwrap(), false),
        ("argmax", std::fs::read_to_string(common::root().join("examples/argmax.mlir")).unwrap(), false),
        ("small", matmul(16, 16, 16), true),
        ("wide", matmul(48, 208, 80), true),
        ("narrow_rows", row_sum(8, 256), false),
    ];
    for (name, text, has_mma) in kernels {
        let (source, target) = (folder.path().join(format!("{name}.mlir")), folder.path().join(format!("{name}.ptx")));
        std::fs::write(&source, text).unwrap();
        raddle(&["build", source.to_str().unwrap(), "--target=sm_80", "-o", target.to_str().unwrap()]).says(0, &[]);
        let ptx = std::fs::read_to_string(&target).unwrap();
        assert_eq!(ptx.contains("mma.sync"), has_mma, "{name}");
        let output = Command::new(&ptxas)
            .args(["-arch=sm_80", "-v", "-o"])
            .arg(folder.path().join("k.cubin"))
            .arg(&target)
            .output()
            .unwrap();
        let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{name}: {said}");
        assert!(said.contains("0 bytes spill stores, 0 bytes spill loads"), "{name}: {said}");
    }
}

/// A cubin is what ptxas makes, with what kernels take in the launch data, for every chip that PTX is written for; a file
/// that is named like what nobody writes is refused.
#[test]
fn cubins_are_made_by_ptxas() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let build = |target: &str, output: &str, ptxas: &Path| {
        let (target, text) = (format!("--target={target}"), matmul(64, 64, 64));
        common::raddle_in(&["build", "-", &target, "-o", output], &text, &[("RADDLE_PTXAS", ptxas)])
    };
    build("a100", &path("k.fatbin"), Path::new("")).says(2, &["error[E0903]", ".cubin"]);
    build("a100", &path("k.cubin"), Path::new("/nowhere/ptxas")).says(2, &["error[E0705]", "RADDLE_PTXAS"]);
    assert!(!Path::new(&path("k.cubin")).exists());

    let Some(ptxas) = validator("ptxas") else { return };
    for chip in CHIPS.iter().filter(|chip| chip.language == Language::Ptx) {
        build(chip.name, &path("k.cubin"), &ptxas).says(0, &[]);
        assert!(std::fs::read(path("k.cubin")).unwrap().starts_with(b"\x7fELF"));
        let launch: serde_json::Value = serde_json::from_slice(&std::fs::read(path("k.json")).unwrap()).unwrap();
        let taken = &launch["kernels"][0];
        assert!(taken["registers"].as_u64().unwrap() > 16, "{}: {taken}", chip.name);
        assert_eq!([&taken["spilled_registers"], &taken["scratch_bytes"]], [0, 0], "{}", chip.name);
    }
}
