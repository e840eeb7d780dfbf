//! `raddle run` on kernels: named buffers, validation behind every pass, counted costs, limits.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use crate::common::{matmul, raddle, raddle_with};

/// `out = 2 * in`, and `sum = in + out`, elementwise by one workgroup of 64 threads.
const TWO: &str = "func.func @two(%in: memref<64xf32>, %out: memref<64xf32>, %sum: memref<64xf32>)
    attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute>
                                                                  workgroup_size = [64, 1, 1] subgroup_size = 32>} {
  %t = gpu.thread_id x
  %x = memref.load %in[%t] : memref<64xf32>
  %y = arith.addf %x, %x : f32
  %z = arith.addf %x, %y : f32
  memref.store %y, %out[%t] : memref<64xf32>
  memref.store %z, %sum[%t] : memref<64xf32>
  return
}";

/// A buffer is named by its argument, in any order; the others follow the order of the results.
#[test]
fn buffers_are_named_by_their_argument() {
    let run = |flags: &[&str]| raddle_with(&[&["run", "-", "--input=64xf32=1.5"], flags].concat(), TWO);
    run(&["--expected_output=arg2=64xf32=4.5", "--expected_output=arg1=64xf32=3"]).says(0, &["correct"]);
    run(&["--expected_output=arg2=64xf32=4.5"]).says(0, &["correct: result 1"]);
    run(&["--expected_output=arg2=64xf32=3"]).says(1, &["WRONG: result 1, 64 of 64"]);
    run(&["--expected_output=arg1=(ignored)", "--output=arg2=-"]).says(0, &["result 1: memref<64xf32>=4.5 4.5"]);
    run(&["--output=arg2=-", "--output_max_element_count=2"]).says(0, &["=4.5 4.5 …"]);
    run(&["--output=arg0=-"]).says(2, &["the function does not write argument 0"]);
    run(&["--output=arg2=-", "--output=arg2=-"]).says(2, &["the second one for result 1"]);
    run(&["--expected_output=64xf32=3"]).says(2, &["2 results, and 1 are expected"]);
}

/// What a run wrote to a file is what another one expects.
#[test]
fn files_carry_buffers_from_run_to_run() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let path = folder.join("arg2.npy");
    let file = format!("arg2=@{}", path.display());
    raddle_with(&["run", "-", &format!("--output={file}")], TWO).says(0, &["correct"]);
    let typed = format!("--expected_output=arg2=64xf32=@{}", path.display());
    raddle_with(&["run", "-", &typed], TWO).says(0, &["correct: result 1, all 64 elements equal"]);
    raddle_with(&["run", "-", &format!("--expected_output={file}"), "--seed=1"], TWO).says(1, &["WRONG"]);
}

/// Each pass of the way is compared with the program as written.
#[test]
fn every_pass_is_validated() {
    for target in ["--target=sm_80", "--target=gfx942"] {
        let run = raddle_with(&["run", "-", target, "--validate"], &matmul(64, 32, 48));
        run.says(
            0,
            &["means the same behind configure, tile, vectorize, lay-out, overlap, distribute, lower", "correct: all"],
        );
    }
    let run = raddle_with(&["run", "-", "--validate", "--json"], &matmul(16, 16, 16));
    let json: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    let passes = json["validated"].as_array().unwrap();
    assert!(passes.len() >= 6 && passes.iter().all(|pass| pass["correct"] == true && pass["wrong"] == 0), "{json}");
}

/// The threads of TWO touch 64 words side by side: eight sectors each time, and nothing else.
#[test]
fn costs_are_counted() {
    raddle_with(&["run", "-", "--stats"], TWO).says(0, &["32 banks", "line 8  memref.store", "all operations"]);
    let run = raddle_with(&["run", "-", "--stats", "--json"], TWO);
    let json: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    let cost = &json["executions"][0]["cost"];
    let global = &cost["total"]["global"];
    assert_eq!((&global["sectors"], &global["ideal"]), (&24.into(), &24.into()), "{cost}");
    assert_eq!((&global["bytes_read"], &global["bytes_written"]), (&256.into(), &512.into()), "{cost}");
    assert_eq!(cost["total"]["shared"]["wavefronts"], 0);
    let store = cost["ops"].as_array().unwrap().iter().find(|row| row["op"] == "memref.store").unwrap();
    assert_eq!((&store["line"], &store["executions"], &store["lanes_on"]), (&8.into(), &2.into(), &64.into()));
    // A matrix multiplication moves each byte once from and to shared memory, with the banks of its chip.
    for (target, banks) in [("sm_80", 32), ("gfx950", 64)] {
        let run = raddle(&["run", "examples/matmul.mlir", "--json", "--stats", &format!("--target={target}")]);
        let json: serde_json::Value = serde_json::from_str(&run.out).unwrap();
        let cost = &json["executions"][0]["cost"];
        assert_eq!(cost["banks"], banks);
        let total = &cost["total"];
        assert_eq!(total["matrix_ops"], json["executions"][0]["matrix_ops"], "{total}");
        assert_eq!(total["global"]["bytes_read"], json["executions"][0]["global_bytes"]["read"]);
        assert_eq!(total["shared"]["bytes_written"], json["executions"][0]["shared_bytes"]["written"]);
        assert!(total["shared"]["wavefronts"].as_u64() >= total["shared"]["ideal"].as_u64());
    }
}

/// Programs that would run for ever or take the whole memory end as a limit, with the flags as they are by default.
#[test]
fn hostile_kernels_are_status_3() {
    let kernel = |attributes: &str, body: &str| {
        format!(
            "func.func @f(%n: memref<1xindex>, %m: memref<1xf32>) {attributes} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %big = arith.constant 1000000000000000000 : index
  %v = arith.constant 1.0 : f32
  %some = memref.load %n[%c0] : memref<1xindex>
  {body}
  memref.store %v, %m[%c0] : memref<1xf32>
  return
}}"
        )
    };
    let grid = |text: &str| format!("attributes {{gpu.known_grid_size = array<i32: {text}>}}");
    const SIMT: &str = "attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [32, 1, 1] subgroup_size = 32>}";
    let store = "memref.store %v, %m[%c0] : memref<1xf32>";
    let nest = "scf.for %i = %c0 to %some step %c1 { scf.for %j = %c0 to %some step %c1 { scf.for %k = %c0 to %some step %c1 { } } }";
    for text in [
        kernel("", &format!("scf.for %i = %c0 to %big step %c1 {{ {store} }}")),
        kernel("", nest),
        kernel(&grid("1000000000, 1000000000, 1"), ""),
        kernel(&grid("1000000000, 1, 1"), ""),
        kernel("", "%s = memref.alloc() : memref<250000000000xf32, #gpu.address_space<workgroup>>"),
        kernel("", "%s = memref.alloca() : memref<250000000xf32>"),
        kernel("", "scf.while : () -> () { %go = arith.constant true\n scf.condition(%go) } do { scf.yield }"),
        kernel("", "scf.execute_region { cf.br ^a\n ^a: cf.br ^b\n ^b: cf.br ^a }"),
        kernel("", "func.call @f(%n, %m) : (memref<1xindex>, memref<1xf32>) -> ()"),
        kernel(
            SIMT,
            "scf.while : () -> () { %go = arith.constant true\n scf.condition(%go) } do {
    %o = memref.atomic_rmw addf %v, %m[%c0] : (f32, memref<1xf32>) -> f32\n scf.yield }",
        ),
        kernel(
            SIMT,
            "%s = memref.alloc() : memref<1xf32, #gpu.address_space<workgroup>>
  scf.for %i = %c0 to %big step %c1 {
    %k = nvgpu.device_async_copy %m[%c0], %s[%c0], 1 : memref<1xf32> to memref<1xf32, #gpu.address_space<workgroup>>
  }",
        ),
        // Each function calls the next one four times.
        (0..40).fold(
            kernel("", "func.call @g0() : () -> ()")
                + "\nfunc.func private @g40() { %x = arith.constant 1 : i32\n %y = math.ctpop %x : i32\n return }",
            |text, at| {
                let call = format!("  func.call @g{}() : () -> ()\n", at + 1).repeat(4);
                format!("{text}\nfunc.func private @g{at}() {{\n{call}  return\n}}")
            },
        ),
    ] {
        raddle_with(&["run", "-", "--function=f", "--input=1xindex=100000", "--input=1xf32=0"], &text)
            .says(3, &["E0802", "limit: "]);
    }
    raddle_with(&["run", "-", "--memory=1K"], TWO).says(3, &["E0904"]);
    raddle_with(&["run", "-", "--memory=4K"], TWO).says(3, &["E0802"]);
    let slow = kernel("", "scf.for %i = %c0 to %some step %c1 { }");
    raddle_with(&["run", "-", "--input=1xindex=10000000", "--time=0"], &slow).says(3, &["E0802"]);
}

/// A finding names both accesses, the element and its address; without sanitizers there is none.
#[test]
fn findings_name_both_sides() {
    let text =
        TWO.replace("%out[%t]", "%out[%zero]").replace("%t = gpu", "%zero = arith.constant 34 : index\n  %t = gpu");
    let run = raddle_with(&["run", "-"], &text);
    run.says(1, &["race: thread 1 (subgroup 0, lane 1) writes element [34] of memref argument 1 (byte 136)"]);
    run.says(1, &["which thread 0 (subgroup 0, lane 0) wrote", "wrote it here"]);
    raddle_with(&["run", "-", "--no-sanitize"], &text).says(0, &["correct"]);
}

/// Results go one behind the other into one file, and come back from there in turn.
#[test]
fn one_file_carries_several_arrays() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("both.npy");
    let path = path.to_str().unwrap();
    let write = [format!("--output=arg1=@{path}"), format!("--output=arg2=+{path}")];
    raddle_with(&["run", "-", "--input=64xf32=1.5", &write[0], &write[1]], TWO).says(0, &["correct"]);
    let read = [format!("--expected_output=@{path}"), format!("--expected_output=+{path}")];
    raddle_with(&["run", "-", "--input=64xf32=1.5", &read[0], &read[1]], TWO).says(0, &["correct: result 1"]);
    raddle_with(&["run", "-", "--input=64xf32=2.5", &read[0], &read[1]], TWO).says(1, &["WRONG: result 0"]);
}

/// A copy that nobody waits for: an early one hides it, a late one shows it, and the finding has both accesses.
#[test]
fn copies_are_eager_or_lazy() {
    let text = "func.func @f(%in: memref<32xf32>, %out: memref<32xf32>) attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [32, 1, 1] subgroup_size = 32>} {
  %t = gpu.thread_id x
  %s = memref.alloc() : memref<32xf32, #gpu.address_space<workgroup>>
  %k = nvgpu.device_async_copy %in[%t], %s[%t], 1 : memref<32xf32> to memref<32xf32, #gpu.address_space<workgroup>>
  %g = nvgpu.device_async_create_group %k
  gpu.barrier
  %x = memref.load %s[%t] : memref<32xf32, #gpu.address_space<workgroup>>
  memref.store %x, %out[%t] : memref<32xf32>
  return
}";
    let run = |flags: &[&str]| {
        raddle_with(&[&["run", "-", "--input=32xf32=3", "--expected_output=32xf32=3"], flags].concat(), text)
    };
    run(&["--no-sanitize", "--async=eager"]).says(0, &["correct"]);
    run(&["--no-sanitize", "--async=lazy"]).says(1, &["WRONG"]);
    for when in ["--async=eager", "--async=lazy"] {
        run(&[when]).says(
            1,
            &[
                "E0818",
                "async: thread 0 (subgroup 0, lane 0) reads element [0] of shared memory",
                "copies into it here",
            ],
        );
    }
    let found = run(&["--json"]);
    let json: serde_json::Value = serde_json::from_str(&found.out).unwrap();
    let diag = &json["diagnostics"][0];
    assert_eq!(diag["code"], "E0818");
    assert!(diag["message"].as_str().unwrap().starts_with("async: "), "{diag}");
    run(&["--async=late"]).says(2, &["eager", "lazy"]);
}
