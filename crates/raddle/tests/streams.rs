//! Kernels that do little with each element are right at any size, and their accesses are as wide as memory allows.

use crate::common::{Rng, programs_and_seed, raddle_with};

/// Runs what was compiled, as PTX and at the stages before, and returns the PTX.
fn right(text: &str) -> String {
    raddle_with(&["run", "-", "--device=ptx-emu"], text).says(0, &["correct: "]);
    raddle_with(&["run", "-", "--compare=tensor,laid_out,distributed,lowered"], text).says(0, &["stage `lowered`"]);
    raddle_with(&["build", "-"], text).out
}

/// The global accesses of a kernel, each as its instruction says it.
fn accesses(ptx: &str) -> Vec<&str> {
    let words = ptx.split_whitespace().filter(|word| word.starts_with("ld.global") || word.starts_with("st.global"));
    words.collect()
}

fn product(op: &str, [a, b, c]: [&str; 3], elem: &str) -> String {
    format!(
        "func.func @f(%a: tensor<{a}{elem}>, %b: tensor<{b}{elem}>) -> tensor<{c}f32> {{
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<{c}f32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<{c}f32>) -> tensor<{c}f32>
  %r = linalg.{op} ins(%a, %b : tensor<{a}{elem}>, tensor<{b}{elem}>) outs(%f : tensor<{c}f32>) -> tensor<{c}f32>
  return %r : tensor<{c}f32>
}}"
    )
}

fn transposition(shape: &[i64], perm: &[usize], elem: &str) -> String {
    let ty = |shape: Vec<i64>| shape.iter().map(|n| format!("{n}x")).collect::<String>() + elem;
    let (a, b) = (ty(shape.to_vec()), ty(perm.iter().map(|&d| shape[d]).collect()));
    format!(
        "func.func @f(%a: tensor<{a}>) -> tensor<{b}> {{
  %e = tensor.empty() : tensor<{b}>
  %r = linalg.transpose ins(%a : tensor<{a}>) outs(%e : tensor<{b}>) permutation = {perm:?}
  return %r : tensor<{b}>
}}"
    )
}

fn sums(shape: [i64; 2], elem: &str, kept: usize) -> String {
    let kinds = if kept == 0 { r#""parallel", "reduction""# } else { r#""reduction", "parallel""# };
    let (rows, columns, n) = (shape[0], shape[1], shape[kept]);
    format!(
        "func.func @f(%a: tensor<{rows}x{columns}x{elem}>) -> tensor<{n}xf32> {{
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<{n}xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<{n}xf32>) -> tensor<{n}xf32>
  %r = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ({})>], iterator_types = [{kinds}]}}
      ins(%a : tensor<{rows}x{columns}x{elem}>) outs(%f : tensor<{n}xf32>) {{
  ^bb0(%x: {elem}, %o: f32):
    %y = arith.extf %x : {elem} to f32
    %s = arith.addf %o, %y : f32
    linalg.yield %s : f32
  }} -> tensor<{n}xf32>
  return %r : tensor<{n}xf32>
}}",
        ["i", "j"][kept]
    )
}

/// Lanes lie along k, and a thread has several rows where these are many: the matrix is read 128 bits at a time, the vector once for four rows.
#[test]
fn rows_share_the_vector_that_they_are_multiplied_by() {
    let ptx = right(&product("matvec", ["32768x256x", "256x", "32768x"], "f16"));
    let reads: Vec<&str> = accesses(&ptx).into_iter().filter(|access| access.starts_with("ld")).collect();
    assert_eq!(reads, ["ld.global.nc.v4.b32"; 5]);
}

/// Products with a vector, and with a matrix of one row, at sizes that no access divides.
#[test]
fn products_with_vectors_are_right_at_any_size() {
    let cases = [
        ("matvec", ["37x264x", "264x", "37x"], "f16"),
        ("matvec", ["129x77x", "77x", "129x"], "f32"),
        ("vecmat", ["75x", "75x136x", "136x"], "f16"),
        ("batch_matvec", ["3x20x100x", "3x100x", "3x20x"], "f16"),
        ("dot", ["3001x", "3001x", ""], "f32"),
        ("matmul", ["1x100x", "100x72x", "1x72x"], "f32"),
        ("matmul", ["72x100x", "100x1x", "72x1x"], "f32"),
    ];
    for (op, shapes, elem) in cases {
        let text = product(op, shapes, elem);
        raddle_with(&["run", "-", "--device=ptx-emu"], &text).says(0, &["correct: "]);
    }
}

/// A tile goes through shared memory, so that reads and writes both have 128 bits, and threads wait for it once.
#[test]
fn transpositions_have_wide_accesses_on_both_sides() {
    let cases: [(&[i64], &[usize], &str); 4] = [
        (&[128, 128], &[1, 0], "f16"),
        (&[64, 128], &[1, 0], "f32"),
        (&[2, 64, 64], &[0, 2, 1], "f16"),
        (&[64, 3, 64], &[2, 1, 0], "f32"),
    ];
    for (shape, perm, elem) in cases {
        let ptx = right(&transposition(shape, perm, elem));
        assert!(accesses(&ptx).iter().all(|access| access.contains(".v4.")), "{shape:?}: {:?}", accesses(&ptx));
        assert_eq!(ptx.matches("bar.sync").count(), 1, "{shape:?}");
    }
}

/// Edges of tiles, rows of odd lengths, and dimensions that are too short for tiles.
#[test]
fn transpositions_are_right_at_any_size() {
    let cases: [(&[i64], &[usize], &str); 6] = [
        (&[100, 72], &[1, 0], "f16"),
        (&[77, 30], &[1, 0], "f16"),
        (&[33, 17], &[1, 0], "f32"),
        (&[40, 3], &[1, 0], "f32"),
        (&[136, 40], &[1, 0], "i8"),
        (&[2, 16, 24, 5], &[0, 3, 1, 2], "f16"),
    ];
    for (shape, perm, elem) in cases {
        raddle_with(&["run", "-", "--device=ptx-emu"], &transposition(shape, perm, elem)).says(0, &["correct: "]);
    }
}

/// Where few columns are summed, workgroups have narrow strips of whole lines, and lanes share the rows.
#[test]
fn columns_are_summed_by_lines() {
    let ptx = right(&sums([256, 512], "bf16", 1));
    assert!(ptx.contains("// grid: 8 x 1 x 1"), "{ptx}");
    assert!(accesses(&ptx).iter().all(|access| access.contains(".v4.")), "{:?}", accesses(&ptx));
    for shape in [[300, 100], [70, 77], [5, 3]] {
        raddle_with(&["run", "-", "--device=ptx-emu"], &sums(shape, "f16", 1)).says(0, &["correct: "]);
    }
}

/// A subgroup has a whole row, if it is short: nobody waits, and each element is read once, 128 bits at a time.
#[test]
fn short_rows_need_no_barriers() {
    let softmax = "
func.func @f(%a: tensor<864x1024xf32>) -> tensor<864x1024xf32> {
  %e = tensor.empty() : tensor<864x1024xf32>
  %s = linalg.softmax dimension(1) ins(%a : tensor<864x1024xf32>) outs(%e : tensor<864x1024xf32>) -> tensor<864x1024xf32>
  return %s : tensor<864x1024xf32>
}";
    for text in [softmax.to_owned(), sums([864, 512], "bf16", 0)] {
        let ptx = raddle_with(&["build", "-"], &text).out;
        let mut reads = accesses(&ptx).into_iter().filter(|access| access.starts_with("ld"));
        assert!(ptx.contains(".reqntid 128") && !ptx.contains("bar.sync"), "{ptx}");
        assert!(reads.all(|access| access.contains(".v4.")), "{:?}", accesses(&ptx));
    }
    right(&softmax.replace("864x1024", "9x1000"));
    right(&sums([9, 100], "bf16", 0));
}

/// Few sums of many elements are two kernels: one for the parts, of which there are enough for all processors, and one
/// that adds them up; a rest is where its sum begins.
#[test]
fn few_results_are_summed_in_parts() {
    let cases = [
        (sums([16384, 32], "f16", 1), 2),
        (sums([16391, 32], "f16", 1), 2),
        (product("dot", ["262144x", "262144x", ""], "f32"), 2),
        (product("dot", ["262411x", "262411x", ""], "f32"), 2),
    ];
    for (text, n) in cases {
        raddle_with(&["run", "-", "--device=ptx-emu"], &text).says(0, &["correct: "]);
        assert_eq!(raddle_with(&["build", "-"], &text).out.matches(".entry").count(), n, "{text}");
    }
}

/// A softmax, or a layer norm of the sum of two tensors, along rows, of which the run says how many there are.
fn along_rows(kind: &str, n: usize, elem: &str) -> String {
    let (t, v) = (format!("tensor<?x{n}x{elem}>"), "tensor<?xf32>");
    let (full, row) = ("affine_map<(i, j) -> (i, j)>", "affine_map<(i, j) -> (i)>");
    let wide = |name: &str| match elem {
        "f32" => format!("%w{name} = arith.mulf %{name}, %one : f32"),
        _ => format!("%w{name} = arith.extf %{name} : {elem} to f32"),
    };
    let narrow = match elem {
        "f32" => "%t = arith.mulf %q, %one : f32".to_owned(),
        _ => format!("%t = arith.truncf %q : f32 to {elem}"),
    };
    let reduce = |name: &str, start: &str, inputs: &str, types: &str, maps: &str, args: &str, body: &str| {
        format!(
            "  %{name}_e = tensor.empty(%rows) : {v}
  %{name}_f = linalg.fill ins({start} : f32) outs(%{name}_e : {v}) -> {v}
  %{name} = linalg.generic {{indexing_maps = [{maps}, {row}], iterator_types = [\"parallel\", \"reduction\"]}} ins({inputs} : {types}) outs(%{name}_f : {v}) {{
  ^bb0({args}, %o: f32):
    {body}
    linalg.yield %r : f32
  }} -> {v}
"
        )
    };
    let (xt, both) = (format!("%x: {elem}"), format!("%x: {elem}, %y: {elem}"));
    let x = wide("x");
    let power = format!("{x}\n    %d = arith.subf %wx, %m : f32\n    %p = math.exp %d : f32");
    let sum = format!("{x}\n    {}\n    %z = arith.addf %wx, %wy : f32", wide("y"));
    let centered = format!("{sum}\n    %m = arith.divf %s, %count : f32\n    %d = arith.subf %z, %m : f32");
    let (inputs, reductions, last_inputs, last_types, last_maps, last_args, last) = if kind == "softmax" {
        let greatest =
            reduce("max", "%least", "%a", &t, full, &xt, &format!("{x}\n    %r = arith.maximumf %wx, %o : f32"));
        let types = format!("{t}, {v}");
        let sums = reduce(
            "sum",
            "%zero",
            "%a, %max",
            &types,
            &format!("{full}, {row}"),
            &format!("{xt}, %m: f32"),
            &format!("{power}\n    %r = arith.addf %p, %o : f32"),
        );
        let last = format!("{power}\n    %q = arith.divf %p, %s : f32");
        (
            format!("%a: {t}"),
            greatest + &sums,
            "%a, %max, %sum",
            format!("{t}, {v}, {v}"),
            format!("{full}, {row}, {row}"),
            format!("{xt}, %m: f32, %s: f32"),
            last,
        )
    } else {
        let sums = reduce(
            "sum",
            "%zero",
            "%a, %b",
            &format!("{t}, {t}"),
            &format!("{full}, {full}"),
            &both,
            &format!("{sum}\n    %r = arith.addf %z, %o : f32"),
        );
        let types = format!("{t}, {t}, {v}");
        let squares = reduce(
            "var",
            "%zero",
            "%a, %b, %sum",
            &types,
            &format!("{full}, {full}, {row}"),
            &format!("{both}, %s: f32"),
            &format!("{centered}\n    %dd = arith.mulf %d, %d : f32\n    %r = arith.addf %dd, %o : f32"),
        );
        let last = format!(
            "{centered}\n    %c = arith.divf %v, %count : f32\n    %root = math.rsqrt %c : f32\n    %q = arith.mulf %d, %root : f32"
        );
        (
            format!("%a: {t}, %b: {t}"),
            sums + &squares,
            "%a, %b, %sum, %var",
            format!("{t}, {t}, {v}, {v}"),
            format!("{full}, {full}, {row}, {row}"),
            format!("{both}, %s: f32, %v: f32"),
            last,
        )
    };
    format!(
        "func.func @f({inputs}) -> {t} {{
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %count = arith.constant 1000.0 : f32
  %at = arith.constant 0 : index
  %rows = tensor.dim %a, %at : {t}
{reductions}  %e = tensor.empty(%rows) : {t}
  %q = linalg.generic {{indexing_maps = [{last_maps}, {full}], iterator_types = [\"parallel\", \"parallel\"]}} ins({last_inputs} : {last_types}) outs(%e : {t}) {{
  ^bb0({last_args}, %o: {elem}):
    {last}
    {narrow}
    linalg.yield %t : {elem}
  }} -> {t}
  return %q : {t}
}}"
    )
}

/// Bytes of global memory that a program reads and writes, which is right at these stages and as PTX.
fn moved(text: &str, options: &[&str]) -> [u64; 2] {
    let args = |more: &[&'static str]| [&["run", "-", "--memory=2G"], more, options].concat();
    raddle_with(&args(&["--compare=laid_out,pipelined,lowered"]), text).says(0, &["stage `lowered`"]);
    if !options.iter().any(|option| option.starts_with("--target=gfx")) {
        raddle_with(&args(&["--device=ptx-emu"]), text).says(0, &["correct: "]);
    }
    let run = raddle_with(&args(&["--json"]), text);
    let json: serde_json::Value = serde_json::from_str(&run.out).expect("it is JSON");
    let bytes = &json["executions"][0]["global_bytes"];
    ["read", "written"].map(|which| bytes[which].as_u64().expect("bytes are counted"))
}

/// Rows of a run: as many as the order of workgroups needs to matter. The program leaves them open, so that it is compiled
/// for any number of them, and long rows are not divided as few rows that are known would be.
const ROWS: u64 = 2;

/// Bytes that a program along rows reads of each row, for each input and byte of it, and those that it writes.
fn moved_along_rows(kind: &str, n: usize, elem: &str, target: &str) -> [f64; 2] {
    let input = format!("--input={ROWS}x{n}x{elem}=random");
    let inputs = if kind == "norm" { 2 } else { 1 };
    let options: Vec<&str> = [target].into_iter().chain(vec![input.as_str(); inputs]).collect();
    let [read, written] = moved(&along_rows(kind, n, elem), &options);
    let bytes = (ROWS * n as u64 * if elem == "f32" { 4 } else { 2 }) as f64;
    [read as f64 / inputs as f64 / bytes, written as f64 / bytes]
}

/// Rows that fit registers or shared memory are read once, whatever their length; each element is written once.
#[test]
fn rows_are_read_once_while_they_fit() {
    let cases = [
        ("softmax", 16384, "bf16", "sm_80"),
        ("softmax", 16385, "f32", "sm_80"),
        ("softmax", 65536, "bf16", "sm_80"),
        ("softmax", 50257, "f32", "sm_90a"),
        ("softmax", 30001, "bf16", "gfx942"),
        ("norm", 20000, "f32", "sm_80"),
        ("norm", 50257, "bf16", "sm_90a"),
        ("norm", 28000, "f32", "sm_90a"),
    ];
    for (kind, n, elem, target) in cases {
        let times = moved_along_rows(kind, n, elem, &format!("--target={target}"));
        assert_eq!(times, [1.0, 1.0], "{kind} {n}x{elem} {target}");
    }
}

/// Where only the run knows how long rows are, what there is room for is read once; of longer rows, the rest is read again.
#[test]
fn the_beginning_of_longer_rows_is_read_once() {
    // The maximum of a row and the sum of its powers are one pass.
    let softmax = "func.func @f(%a: tensor<1x?xf32>) -> tensor<1x?xf32> {
  %at = arith.constant 1 : index
  %n = tensor.dim %a, %at : tensor<1x?xf32>
  %e = tensor.empty(%n) : tensor<1x?xf32>
  %s = linalg.softmax dimension(1) ins(%a : tensor<1x?xf32>) outs(%e : tensor<1x?xf32>) -> tensor<1x?xf32>
  return %s : tensor<1x?xf32>
}";
    for (n, most) in [(1, 1.0), (1000, 1.0), (16000, 1.0), (16300, 1.0), (50000, 1.7)] {
        let input = format!("--input=1x{n}xf32=0.25");
        let [read, written] = moved(softmax, &["--target=sm_80", &input]);
        assert_eq!(written, 4 * n, "{n}");
        assert!(read >= 4 * n && read as f64 <= most * 4.0 * n as f64, "{n}: {read} bytes");
    }
    // Also where a known length is too much, and where the chain is written out and powers are computed where they are added.
    let [read, written] = moved_along_rows("softmax", 100_000, "bf16", "--target=sm_80");
    assert_eq!(written, 1.0);
    assert!(read < 2.0, "{read} times");
    // One for the sum, one for the squares, one for the result, but for what is kept.
    let [read, _] = moved_along_rows("norm", 65536, "bf16", "--target=sm_80");
    assert!(read < 3.0, "{read} times");
}

/// Random rows that registers do not hold: what fits is read once, everything is right. `RADDLE_PROGRAMS`, `RADDLE_SEED`.
#[test]
fn long_rows_of_any_length() {
    let (programs, seed) = programs_and_seed(3, 1);
    for number in 0..programs {
        let mut random = Rng(seed + number);
        let (kind, elem) = (random.pick(&["softmax", "norm"]), random.pick(&["f32", "f16", "bf16"]));
        let (target, space) = random.pick(&[("sm_80", 163), ("sm_90a", 227), ("gfx942", 64), ("gfx1100", 64)]);
        let n = random.from(16_385, 90_000) as usize;
        let [read, written] = moved_along_rows(kind, n, elem, &format!("--target={target}"));
        let case = format!("{kind} {n}x{elem} for {target}, seed {}: read {read} times", seed + number);
        assert_eq!(written, 1.0, "{case}");
        // What is kept is read once, what is not, once in each of three loops.
        let bytes = n * if elem == "f32" { 4 } else { 2 } * if kind == "norm" { 2 } else { 1 };
        let most = if bytes + 4096 <= space * 1024 { 1.0 } else { 3.0 };
        assert!((1.0..=most).contains(&read), "{case}");
    }
}
