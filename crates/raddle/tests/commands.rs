//! The command line: what each verb says to good and to bad commands, and with which exit status.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::{matmul, raddle, raddle_with, root};

const MATMUL: &str = "examples/matmul.mlir";

/// Status 2 and the way out, whenever the command itself cannot be understood.
#[test]
fn bad_commands_are_status_2() {
    raddle(&[]).says(2, &["Usage: raddle <COMMAND>"]);
    raddle(&["rum"]).says(2, &["unrecognized subcommand 'rum'", "a similar subcommand exists: 'run'"]);
    raddle(&["run"]).says(2, &["<FILE>"]);
    raddle(&["run", "examples/matmul.mlir", "--sed=1"]).says(2, &["--seed"]);
    raddle(&["run", "examples/matmul.mlir", "--target=sm80"]).says(2, &["E0903", "did you mean `sm_80`?"]);
    raddle(&["run", "examples/matmul.mlir", "--device=emulator"]).says(2, &["E0903", "emu"]);
    raddle(&["run", "examples/matmul.mlir", "--at=lowerd"]).says(2, &["E0903", "did you mean `lowered`?"]);
    raddle(&["run", "examples/matmul.mlir", "--function=matmull"]).says(2, &["E0903", "did you mean `matmul`?"]);
    let many: String = (0..100).map(|n| format!("func.func @f{n}() {{ return }}\n")).collect();
    let run = raddle_with(&["run", "-"], &many);
    run.says(2, &["E0903", "has 100 functions", "--function=f11 or another one"]);
    assert!(!run.err.contains("f12"), "{}", run.err);
    raddle(&["run", "examples/matmul.mlir", "--compare=vector"]).says(2, &["E0901", "two stages"]);
    raddle(&["run", "examples/matmul.mlir", "--grid=0,1"]).says(2, &["E0901", "--grid"]);
    raddle(&["opt", "examples/matmul.mlir", "--to=vectr"]).says(2, &["a similar value exists: 'vector'"]);
    raddle(&["opt", "--pass-pipeline=func.func(tyle)", "-"]).says(2, &["E0903", "did you mean `tile`?"]);
    raddle(&["opt", "--pass-pipeline=func.func(tile", "-"]).says(2, &["not closed"]);
    raddle(&["opt", "--tile", "--to=vector", "-"]).says(2, &["cannot be used with"]);
    raddle(&["explain", "E0l01"]).says(2, &["did you mean `E0101`?"]);
    raddle(&["layout", "show", "MFMA_F32_16x16x16_F61"]).says(2, &["did you mean `MFMA_F32_16x16x16_F16`?"]);
    raddle(&["layout", "show", "NV_MMA_SYNC_F32_16x8x16_F16", "--operand=d"]).says(2, &["possible values: a, b, c"]);
}

/// Files that are not there, not files, or not text.
#[test]
fn bad_files_are_status_2() {
    for verb in ["check", "opt", "build", "run"] {
        raddle(&[verb, "no/such/file.mlir"]).says(2, &["E0902", "no/such/file.mlir", "no such file"]);
        raddle(&[verb, "examples"]).says(2, &["E0902", "is a directory"]);
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("binary.mlir");
    fs::write(&path, [b'f', 0xff, 0xfe]).unwrap();
    raddle(&["check", path.to_str().unwrap()]).says(2, &["E0902", "byte 1 is not UTF-8"]);
    let wide: Vec<u8> = "\u{feff}module {}".encode_utf16().flat_map(u16::to_le_bytes).collect();
    fs::write(&path, wide).unwrap();
    raddle(&["check", path.to_str().unwrap()]).says(2, &["E0902", "UTF-16", "save it as UTF-8"]);
}

/// The mark that editors put in front of a text, and their ends of lines, are not part of it.
#[test]
fn texts_of_windows_are_read() {
    let text = format!("\u{feff}{}", matmul(16, 16, 16).replace('\n', "\r\n"));
    raddle_with(&["run", "-"], &text).says(0, &["correct:"]);
    raddle_with(&["check", "-"], "\u{feff}foo").says(1, &["<stdin>:1:1"]);
}

/// A text in the other language is told where it goes.
#[test]
fn texts_of_the_other_language_are_told_apart() {
    raddle(&["exec", "examples/matmul.mlir"]).says(1, &["this is MLIR", "`raddle run`"]);
    let ptx = raddle(&["build", "examples/matmul.mlir"]).out;
    raddle_with(&["run", "-"], &ptx).says(2, &["error[E0902]", "is PTX", "`raddle exec`"]);
    raddle_with(&["check", "-"], "\nHloModule jit_f\n").says(2, &["`<stdin>` is HLO of XLA", "--compile-to=input"]);
    raddle_with(&["opt", "-"], "; ModuleID = 'f'\ndefine void @f() {").says(2, &["`<stdin>` is LLVM IR"]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("k.mlirbc");
    fs::write(&path, b"ML\xefR\x01").unwrap();
    raddle(&["check", path.to_str().unwrap()]).says(2, &["E0902", "MLIR's bytecode"]);
}

/// Names may hold any text, in quotes, which is said of one without.
#[test]
fn names_of_other_letters_stand_in_quotes() {
    raddle_with(&["check", "-"], "func.func private @\"α\"()").says(0, &[]);
    raddle_with(&["check", "-"], "func.func private @α()")
        .says(1, &["expected valid '@'-identifier", "put other names in quotes"]);
    raddle_with(&["check", "-"], "func.func private @\"α()").says(1, &["a string without an end"]);
}

/// Text that is not MLIR has a place and a code, and status 1.
#[test]
fn malformed_text_is_status_1() {
    for text in ["func.func @f(", "foo", "func.func @f() { %0 = arith.addf %1, %1 : f32 return }", "\u{1}", "}", "é"] {
        for verb in ["check", "opt", "build", "run"] {
            raddle_with(&[verb, "-"], text).says(1, &["error[E0", "<stdin>:1:"]);
        }
    }
}

/// An empty file is a good module, but there is nothing in it to build or to run.
#[test]
fn an_empty_module_has_nothing_to_run() {
    raddle_with(&["check", "-"], "").says(0, &[]);
    raddle_with(&["run", "-"], "").says(2, &["E0908", "no function with a body"]);
    raddle_with(&["build", "-"], "").says(2, &["E0908", "no function with a body"]);
    let two = matmul(16, 16, 16) + &matmul(16, 16, 16).replace("@matmul", "@other");
    raddle_with(&["run", "-"], &two).says(2, &["2 functions", "--function=matmul or --function=other"]);
    raddle_with(&["run", "-", "--function=@other"], &two).says(0, &["correct:"]);
}

/// Deep nesting, long numbers and long lines are answered, at once.
#[test]
fn hostile_text_is_answered() {
    for text in [
        "(".repeat(100_000),
        "[".repeat(100_000),
        format!("func.func @f() {{ {} }}", "scf.if %c {".repeat(50_000)),
        format!("func.func @f(%a: {}f32) {{ return }}", "tuple<".repeat(100_000)),
        format!("func.func @f() {{ %0 = arith.constant {} : i32 return }}", "9".repeat(100_000)),
        format!("func.func @f() {{ %0 = arith.constant dense<{}> : tensor<1xi32> return }}", "[".repeat(100_000)),
        format!("#m = affine_map<(d0) -> ({}d0", "(".repeat(100_000)),
    ] {
        let run = raddle_with(&["check", "-"], &text);
        assert!(matches!(run.status, 1 | 3), "{} {}", run.status, &run.err[..run.err.len().min(300)]);
        assert!(run.err.contains("error[E0"), "{}", &run.err[..run.err.len().min(300)]);
    }
}

#[test]
fn diagnostics_are_json_on_request() {
    let run = raddle_with(&["check", "--json", "-"], "\nfoo");
    let report: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(run.status, 1);
    assert_eq!(report["ok"], false);
    let diag = &report["diagnostics"][0];
    assert_eq!(diag["severity"], "error");
    assert_eq!(diag["file"], "<stdin>");
    assert_eq!(diag["span"]["start"]["line"], 2);
    let run = raddle_with(&["check", "--json", "-"], "");
    assert_eq!(run.out.replace(char::is_whitespace, ""), r#"{"diagnostics":[],"ok":true}"#);
    // What is wrong with the command as well.
    let run = raddle(&["explain", "E0l01", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((run.status, &report["diagnostics"][0]["code"]), (2, &"E0903".into()));
    let run = raddle(&["opt", "no/such/file.mlir", "--diagnostics=json"]);
    let diag: serde_json::Value = serde_json::from_str(&run.err).unwrap();
    assert_eq!((run.status, &diag["code"]), (2, &"E0902".into()));
}

/// Every code has an explanation, and is in the list.
#[test]
fn every_code_is_explained() {
    let list = raddle(&["explain"]);
    for code in raddle_ir::Code::ALL {
        assert!(list.out.contains(code.number()));
        raddle(&["explain", code.number()]).says(0, &[code.title()]);
    }
    for spelling in ["e0101", "101", "0101", "E101"] {
        raddle(&["explain", spelling]).says(0, &["E0101: "]);
    }
    raddle(&["explain", "999999"]).says(2, &["E0903"]);
}

/// An operation's row is explained, too.
#[test]
fn operations_are_explained() {
    let row = raddle(&["explain", "arith.addf"]);
    row.says(
        0,
        &["arith.addf\n", "elementwise", "traits      pure", "lhs T, rhs T -> result T", "fastmath", "$lhs `,` $rhs"],
    );
    raddle(&["explain", "func.func"])
        .says(0, &["class       function", "traits      sees no values from outside", "written by hand"]);
    raddle(&["explain", "memref"]).says(2, &["E0903", "with its dialect, as `arith.addf`"]);
    raddle(&["explain", "arith.adf"]).says(2, &["E0903", "did you mean `arith.addf`?"]);
    let json: serde_json::Value = serde_json::from_str(&raddle(&["explain", "vector.load", "--json"]).out).unwrap();
    assert_eq!((&json["operation"], &json["class"]), (&"vector.load".into(), &"read".into()));
}

/// Flags of `iree-compile` and `iree-run-module` are understood, or it is said what to write instead.
#[test]
fn flags_of_other_tools_are_known() {
    let target = raddle(&["build", MATMUL, "--target=sm_90"]).out;
    assert_eq!(raddle(&["build", MATMUL, "--iree-cuda-target=sm_90"]).out, target);
    let amd = raddle(&["opt", MATMUL, "--to=lowered", "--target=gfx942"]).out;
    assert_eq!(raddle(&["opt", MATMUL, "--to=lowered", "--iree-hip-target=gfx942"]).out, amd);
    for (args, help) in [
        (&["build", MATMUL, "--iree-hal-target-backends=cuda"][..], "`--target=sm_80`"),
        (&["build", MATMUL, "--compile-to=flow"], "raddle opt --to=STAGE"),
        (&["run", "--module=k.vmfb"], "give it the program"),
        (&["run", "--list_devices"], "raddle devices"),
        (&["build", MATMUL, "--device=cuda"], "`raddle run` has devices"),
        (&["build", MATMUL, "--iree-flow-trace"], "a flag of IREE's tools"),
        (&["opt", MATMUL, "--iree-flow-trace"], "no pass"),
    ] {
        let run = raddle(args);
        run.says(2, &["error[E090", help]);
        assert!(!run.err.contains("-- --"), "{}", run.err);
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("flags.txt");
    fs::write(&path, "# What to run\n--function=matmul\n\n--quiet\n").unwrap();
    let flags = format!("--flagfile={}", path.display());
    let run = raddle_with(&["run", "-", &flags], &matmul(16, 16, 16));
    run.says(0, &["correct:"]);
    assert!(!run.out.contains("stage"), "--quiet comes from the file: {}", run.out);
    raddle(&["run", "-", "--flagfile=no/such/file"]).says(2, &["E0902"]);
}

#[test]
fn targets_are_listed() {
    raddle(&["targets"]).says(0, &["sm_80 (default)", "gfx942", "MFMA_F32_16x16x16_F16"]);
    raddle(&["devices"]).says(0, &["emu ", "ptx-emu"]);
    raddle(&["targets", "gfx942"]).says(0, &["64 lanes"]);
    raddle(&["targets", "gfx94"]).says(2, &["did you mean `gfx942`?"]);
    let json: serde_json::Value = serde_json::from_str(&raddle(&["targets", "sm_80", "--json"]).out).unwrap();
    assert_eq!(json["targets"][0]["subgroup_size"], 32);
}

/// The two tables of the slides, and a layout given as text.
#[test]
fn layouts_are_drawn() {
    let two = ["layout", "show", "NV_MMA_SYNC_F32_16x8x16_F16", "--operand=c", "--repeat=1,2"];
    let c = raddle(&two);
    c.says(0, &[" 0  0  1  1  2  2  3  3  0  0  1  1  2  2  3  3", "28 28 29 29 30 30 31 31 28 28 29 29 30 30 31 31"]);
    let slots = raddle(&[&two[..], &["--view=lane:slot"]].concat());
    slots.says(0, &[" 0:0  0:1  1:0  1:1  2:0  2:1  3:0  3:1  0:4  0:5", "28:2 28:3 29:2 29:3 30:2 30:3 31:2 31:3"]);
    let b = raddle(&["layout", "show", "MFMA_F32_16x16x16_F16", "--operand=b", "--transpose"]);
    b.says(0, &[" 0  0  0  0 16 16 16 16 32 32 32 32 48 48 48 48"]);
    let text = "iree_vector_ext.nested_layout<subgroup_tile = [2, 2], batch_tile = [1, 2], outer_tile = [1, 1], \
                thread_tile = [8, 4], element_tile = [1, 2], subgroup_strides = [2, 1], thread_strides = [4, 1]>";
    for spelling in [text.to_owned(), format!("#{text}")] {
        raddle(&["layout", "show", &spelling]).says(0, &["32 lanes", "4 slots"]);
    }
    let bad = text.replace("[8, 4]", "[8, -4]");
    let run = raddle(&["layout", "show", &bad]);
    assert!(matches!(run.status, 1 | 2) && run.err.contains("error[E"), "{run:?}");
    raddle(&["layout", "show", "#gpu.address_space<workgroup>"]).says(2, &["not a layout"]);
}

/// The readme shows what the command that it names draws.
#[test]
fn the_picture_of_the_readme_is_real() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let svg = raddle(&["layout", "show", "NV_MMA_SYNC_F32_16x8x16_F16:c", "--svg"]).out;
    let stored = fs::read_to_string(root().join("docs/mma_m16n8k16_c.svg")).unwrap();
    assert!(
        readme.contains("docs/mma_m16n8k16_c.svg") && svg == stored,
        "run the command again and store what it draws"
    );
    assert!(readme.lines().count() <= 80, "a readme is read to its end if it has one");
}

/// Owners as JSON: sorted, and each place once.
#[test]
fn owners_are_json_on_request() {
    let run = raddle(&["layout", "show", "NV_MMA_SYNC_F32_16x8x16_F16", "--operand=a", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(json["dims"], serde_json::json!(["m", "k"]));
    assert_eq!((&json["subgroup_size"], &json["slots"]), (&serde_json::json!(32), &serde_json::json!(8)));
    let owners = json["owners"].as_array().unwrap();
    assert_eq!(owners.len(), 256);
    assert_eq!(owners[2], serde_json::json!([0, 0, 2, [8, 0]]));
}

/// Each stage can be printed, and what is printed can be read again, to the same text.
#[test]
fn every_stage_prints_and_reads_back() {
    for file in ["examples/matmul.mlir", "examples/row_sum.mlir"] {
        for target in ["--target=sm_80", "--target=gfx942"] {
            for stage in ["tensor", "configured", "tiled", "vector", "laid_out", "distributed", "lowered"] {
                for form in [&[][..], &["--mlir-print-op-generic"], &["--mlir-print-local-scope"]] {
                    let to = format!("--to={stage}");
                    let first = raddle(&[&["opt", file, target, &to], form].concat());
                    first.says(0, &["func.func"]);
                    let second = raddle_with(&[&["opt", "-"], form].concat(), &first.out);
                    assert_eq!(second.status, 0, "{stage}: {}", second.err);
                    assert_eq!(second.out, first.out, "{file} at {stage}");
                }
            }
        }
    }
}

/// Passes by flag and by pipeline are the same as the way to a stage.
#[test]
fn passes_are_run_by_name() {
    let to = raddle(&["opt", "examples/matmul.mlir", "--to=vector"]);
    let flags = raddle(&["opt", "examples/matmul.mlir", "--configure", "--tile", "--vectorize"]);
    let pipeline = "--pass-pipeline=builtin.module(func.func(configure,tile,vectorize))";
    assert_eq!(to.out, flags.out);
    assert_eq!(to.out, raddle(&["opt", "examples/matmul.mlir", pipeline]).out);
    let loud = raddle(&["opt", "examples/matmul.mlir", "--to=tiled", "--mlir-print-ir-after-all", "--mlir-timing"]);
    loud.says(0, &["IR Dump After configure", "IR Dump After tile", "Execution time report", ")  tile\n", "Total"]);
    raddle(&["opt", "examples/matmul.mlir", "--distribute"]).says(1, &["error[E0"]);
}

/// Parts are files of their own: one that is wrong leaves the others, and has its line in the whole file.
#[test]
fn parts_are_split() {
    let text = format!("{}// -----\nfoo\n// -----\n{}", matmul(16, 16, 16), matmul(32, 32, 32));
    let run = raddle_with(&["opt", "--split-input-file", "-"], &text);
    run.says(1, &["<stdin>:10:1", "tensor<16x16xf16>", "tensor<32x32xf16>", "// -----"]);
}

/// A program that is behind a stage does not go back.
#[test]
fn the_street_goes_one_way() {
    let vector = raddle(&["opt", "examples/matmul.mlir", "--to=vector"]).out;
    raddle_with(&["opt", "-", "--to=tiled"], &vector).says(1, &["E0602", "at stage `vector`"]);
    raddle_with(&["run", "-", "--at=tensor"], &vector).says(1, &["E0602"]);
}

/// Code is written whole or not at all.
#[test]
fn building_writes_whole_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("k.ptx");
    let path = path.to_str().unwrap();
    raddle(&["build", "examples/matmul.mlir", "-o", path]).says(0, &[]);
    let ptx = fs::read_to_string(path).unwrap();
    assert_eq!(ptx, raddle(&["build", "examples/matmul.mlir"]).out);
    assert!(ptx.contains("mma.sync.aligned.m16n8k16"));

    raddle_with(&["build", "-", "-o", path], "foo").says(1, &["error[E01"]);
    assert_eq!(fs::read_to_string(path).unwrap(), ptx, "a failure leaves the file alone");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "the code and its launch data, and no temporary file");
    raddle(&["build", "examples/matmul.mlir", "-o", "no/such/folder/k.ptx"]).says(2, &["E0902", "cannot write"]);
    let inside = folder.path().join("kernels/");
    raddle(&["build", "examples/matmul.mlir", "-o", inside.to_str().unwrap()]).says(0, &[]);
    assert_eq!(fs::read_to_string(inside.join("matmul.ptx")).unwrap(), ptx, "a folder takes a file for each kernel");
}

/// What is written follows the ending of the file, and otherwise the chip.
#[test]
fn the_ending_of_the_output_says_what_is_written() {
    let folder = tempfile::tempdir().unwrap();
    for (target, name, starts) in
        [("gfx942", "k.ll", "target triple"), ("gfx942", "k.mlir", "#translation"), ("sm_80", "k.txt", "// matmul")]
    {
        let path = folder.path().join(name);
        let target = format!("--target={target}");
        raddle(&["build", "examples/matmul.mlir", &target, "-o", path.to_str().unwrap()]).says(0, &[]);
        let text = fs::read_to_string(path).unwrap();
        assert!(text.starts_with(starts), "{text}");
    }
    raddle(&["build", "examples/matmul.mlir", "--target=gfx942", "--emit=ir"]).says(0, &["amdgpu.mfma"]);
}

/// The same command gives the same bytes.
#[test]
fn output_is_deterministic() {
    for args in [&["build", "examples/matmul.mlir"][..], &["opt", "examples/row_sum.mlir", "--to=lowered"]] {
        let first = raddle(args);
        assert!((0..3).all(|_| raddle(args).out == first.out));
    }
}

/// The example of each diagnostic gives it, and the other one does not.
#[test]
fn examples_do_what_they_say() {
    let all: Vec<serde_json::Value> = serde_json::from_str(&raddle(&["explain", "--json"]).out).unwrap();
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

/// On the emulator, costs are counted, and the times are those of a roofline: bytes over bandwidth, and so on.
#[test]
fn the_emulator_counts_what_a_bench_would_time() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("product.mlir");
    fs::write(&path, matmul(64, 64, 64)).unwrap();
    let file = path.to_str().unwrap();
    let ran = raddle(&["bench", file, "--device=emu", "--target=sm_80", "--json"]);
    let answer: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((ran.status, &answer["modelled"]), (0, &true.into()), "{answer}");
    let row = &answer["configurations"][0];
    let launch = &row["launches"][0];
    // Each instruction multiplies 16 x 8 x 16.
    assert_eq!(launch["matrix_instructions"], 64 * 64 * 64 / (16 * 8 * 16), "{launch}");
    assert_eq!(launch["matrix_flops"], 2.0 * 64f64.powi(3), "{launch}");
    assert_eq!(launch["global_bytes"], 64 * 64 * (2 + 2 + 4), "{launch}");
    // NVIDIA A100 whitepaper: 1410 MHz and 1555 GB/s, which is 1100 bytes in a clock.
    let seconds = |name: &str| launch["modelled_bounds_s"][name].as_f64().unwrap();
    assert!((seconds("global memory") - 32768.0 / (1100.0 * 1410e6)).abs() < 1e-15, "{launch}");
    // The busiest processor has one workgroup, and its matrix units do 2048 flops in a clock.
    let of_one = 2.0 * 64f64.powi(3) / launch["workgroups"].as_f64().unwrap();
    assert!((seconds("matrix instructions") - of_one / (2048.0 * 1410e6)).abs() < 1e-15, "{launch}");
    let bounds = launch["modelled_bounds_s"].as_object().unwrap().values().map(|s| s.as_f64().unwrap());
    assert_eq!(row["modelled_s"].as_f64(), bounds.reduce(f64::max), "{row}");
    assert!(row["median_s"].is_null(), "{row}");
    raddle(&["bench", file, "--device=emu"]).says(0, &["costs are counted", "model's us", "binds", "128 instructions"]);
    raddle(&["bench", file, "--device=emu", "--target=gfx1103"]).says(0, &["times are not known for this chip"]);
}

/// The commands of the tutorial print what stands below them; `…` is for any lines.
#[test]
fn the_tutorial_shows_what_commands_print() {
    let root = root();
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("examples")).unwrap();
    for entry in fs::read_dir(root.join("examples")).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, folder.path().join("examples").join(path.file_name().unwrap())).unwrap();
    }
    let binaries = Path::new(env!("CARGO_BIN_EXE_raddle")).parent().unwrap();
    let path = format!("{}:{}", binaries.display(), std::env::var("PATH").unwrap());
    let tutorial = fs::read_to_string(root.join("docs/tutorial.md")).unwrap();
    let mut commands: Vec<(&str, Vec<&str>)> = Vec::new();
    let mut is_shown = false;
    for line in tutorial.lines() {
        let shown = line.strip_prefix("    ");
        if let Some(command) = shown.and_then(|line| line.strip_prefix("$ ")) {
            commands.push((command, Vec::new()));
        } else if let (Some((_, lines)), true) = (commands.last_mut(), is_shown && (shown.is_some() || line.is_empty()))
        {
            lines.push(shown.unwrap_or_default());
            continue;
        }
        is_shown = shown.is_some();
    }
    assert!(commands.len() >= 14, "{} commands", commands.len());
    for (command, shown) in commands {
        let shell = Command::new("sh").args(["-c", command]).current_dir(folder.path()).env("PATH", &path).output();
        let shell = shell.unwrap();
        let said = [shell.stderr, shell.stdout].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
        let mut said = said.lines().filter(|line| !line.is_empty());
        let mut any = false;
        for line in shown.into_iter().filter(|line| !line.is_empty()) {
            if line == "…" {
                any = true;
                continue;
            }
            let found = if any { said.find(|&found| found == line) } else { said.next() };
            assert_eq!(found, Some(line), "`{command}`");
            any = false;
        }
        assert!(any || said.next().is_none(), "`{command}` prints more");
    }
}

/// Each field that JSON of a command has stands in docs/json.md.
#[test]
fn fields_of_json_are_documented() {
    /// The names of fields in a value; a step of a conversion has others by its kind.
    fn fields(value: &serde_json::Value, found: &mut Vec<String>) {
        match value {
            serde_json::Value::Object(map) if map.contains_key("kind") => found.extend(["kind".into(), "text".into()]),
            serde_json::Value::Object(map) => map.iter().for_each(|(name, value)| {
                found.push(name.clone());
                fields(value, found);
            }),
            serde_json::Value::Array(items) => items.iter().for_each(|item| fields(item, found)),
            _ => {}
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("k.mlir"), matmul(16, 16, 16)).unwrap();
    fs::write(path("bad.mlir"), "func.func @f(%a: f32) -> f64 { return %a : f64 }").unwrap();
    let (program, bad, ptx) = (path("k.mlir"), path("bad.mlir"), path("k.ptx"));
    raddle(&["build", &program, "-o", &ptx]).says(0, &[]);
    let c = "NV_MMA_SYNC_F32_16x8x16_F16:c";
    let (from, to) = (format!("--from={c}"), "--to=NV_MMA_SYNC_F32_16x8x16_F16:b");
    let inputs = ["--input=16x16xf16=1", "--input=16x16xf16=1"];
    let doc = fs::read_to_string(root().join("docs/json.md")).unwrap();
    for command in [
        &["check", &bad][..],
        &["run", &program, "--stats", "--validate", "--expected_output=16x16xf32=1000"],
        &["run", &program, "--all"],
        &["run", &program, "--unknown"],
        &["bench", &program, "--device=emu"],
        &["exec", &ptx, inputs[0], inputs[1], "--stats", "--expected_output=arg2=16x16xf32=16"],
        &["devices"],
        &["targets"],
        &["explain", "E0401"],
        &["explain", "arith.addf"],
        &["layout", "list", "MFMA_F32_16x16x16_F16"],
        &["layout", "show", c],
        &["layout", "show", c, "--lane=5"],
        &["layout", "show", c, "--owner=9,3"],
        &["layout", "convert", &from, to, "--type=16x16xf16", "--check"],
        &["layout", "check", c, "--type=16x8xf32"],
        &["layout", "conflicts", c, "--type=16x8xf32"],
    ] {
        let ran = raddle(&[command, &["--json"]].concat());
        let value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{command:?}: {} {}", ran.out, ran.err));
        let mut found = Vec::new();
        fields(&value, &mut found);
        found.retain(|name| !doc.contains(&format!("`{name}`")));
        assert!(ran.err.is_empty(), "{command:?}: {}", ran.err);
        assert_eq!(found, Vec::<String>::new(), "{command:?}");
    }
}
