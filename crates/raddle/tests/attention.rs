//! Attention is one kernel whose scores stay in registers, and gives what it means; what cannot be one says why, and is
//! several.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::process::Command;

use crate::common::{raddle_with, validator};

/// An attention over these extents: batches, queries, keys, depth and columns of the value; which operands lie the other
/// way round, what the mask is made of, and a region.
#[derive(Clone, Copy)]
struct Attention<'a> {
    extents: [usize; 5],
    elem: &'static str,
    /// Whether rows of the key, and of the value, are columns in memory.
    transposed: [bool; 2],
    mask: Option<&'static str>,
    region: &'a str,
    /// What else stands on the operation.
    attrs: &'static str,
}

const IDENTITY: &str = "    iree_linalg_ext.yield %x : f32";
const CAPPED: &str = "    %t = math.tanh %x : f32\n    iree_linalg_ext.yield %t : f32";
/// Queries see no later keys; the region counts the dimensions of the scores.
const CAUSAL: &str = "    %i = iree_linalg_ext.index 1 : index
    %j = iree_linalg_ext.index 2 : index
    %later = arith.cmpi ugt, %j, %i : index
    %never = arith.constant 0xFF800000 : f32
    %y = arith.select %later, %never, %x : f32
    iree_linalg_ext.yield %y : f32";

const PLAIN: Attention<'static> = Attention {
    extents: [2, 64, 128, 64, 64],
    elem: "f16",
    transposed: [false; 2],
    mask: None,
    region: IDENTITY,
    attrs: "",
};

impl Attention<'_> {
    fn text(&self) -> String {
        let Attention { extents: [b, m, k, d, n], elem, transposed, mask, region, attrs } = self;
        let maps = |list: &[&str]| {
            list.iter().map(|dims| format!("affine_map<(b, m, d, k, n) -> ({dims})>")).collect::<Vec<_>>().join(", ")
        };
        let (key, key_map) = match transposed[0] {
            true => (format!("{b}x{d}x{k}x{elem}"), "b, d, k"),
            false => (format!("{b}x{k}x{d}x{elem}"), "b, k, d"),
        };
        let (value, value_map) = match transposed[1] {
            true => (format!("{b}x{n}x{k}x{elem}"), "b, n, k"),
            false => (format!("{b}x{k}x{n}x{elem}"), "b, k, n"),
        };
        let (masked, mask_arg, mask_type, mask_map) = match mask {
            Some(of) => {
                let ty = format!("tensor<{b}x{m}x{k}x{of}>");
                (", %mask", format!(", %mask: {ty}"), format!(", {ty}"), vec!["b, m, k"])
            }
            None => ("", String::new(), String::new(), Vec::new()),
        };
        let list = [vec!["b, m, d", key_map, value_map, ""], mask_map, vec!["b, m, n"]].concat();
        let maps = maps(&list);
        format!(
            "func.func @f(%q: tensor<{b}x{m}x{d}x{elem}>, %k: tensor<{key}>, %v: tensor<{value}>{mask_arg}) -> tensor<{b}x{m}x{n}x{elem}> {{
  %scale = arith.constant 0.125 : {elem}
  %e = tensor.empty() : tensor<{b}x{m}x{n}x{elem}>
  %r = iree_linalg_ext.attention {{indexing_maps = [{maps}]{attrs}}}
      ins(%q, %k, %v, %scale{masked} : tensor<{b}x{m}x{d}x{elem}>, tensor<{key}>, tensor<{value}>, {elem}{mask_type}) outs(%e : tensor<{b}x{m}x{n}x{elem}>) {{
  ^bb0(%x: f32):
{region}
  }} -> tensor<{b}x{m}x{n}x{elem}>
  return %r : tensor<{b}x{m}x{n}x{elem}>
}}"
        )
    }
}

/// Every stage means the same, on both machines.
#[test]
fn attention_means_the_same_at_every_stage() {
    let stages = "--compare=tensor,configured,tiled,vector,laid_out,pipelined,distributed,lowered";
    for target in ["--target=sm_80", "--target=gfx942"] {
        let run = raddle_with(&["run", "-", target, stages], &PLAIN.text());
        run.says(0, &["stage `pipelined`", "stage `lowered`"]);
        assert_eq!(run.out.matches("correct:").count(), 15, "{}", run.out);
    }
}

/// One kernel serves all numbers of queries and keys, and its copies run ahead.
#[test]
fn attention_of_open_length_is_one_kernel() {
    let text = Attention { extents: [2, 9999, 7777, 128, 128], ..PLAIN }.text();
    let text = text.replace("9999", "?").replace("7777", "?").replace(
        "%e = tensor.empty()",
        "%one = arith.constant 1 : index
  %n = tensor.dim %q, %one : tensor<2x?x128xf16>
  %e = tensor.empty(%n)",
    );
    let built = raddle_with(&["build", "-"], &text);
    built.says(0, &["cp.async.cg"]);
    assert_eq!(built.out.matches(".entry").count(), 1, "{}", built.out);
    for (queries, keys, machine) in
        [(100, 77, "ptx-emu"), (1, 300, "ptx-emu"), (130, 1, "emu"), (0, 5, "emu"), (33, 257, "emu")]
    {
        let [query, key] = [queries, keys].map(|rows| format!("--input=2x{rows}x128xf16"));
        let machine = format!("--device={machine}");
        raddle_with(&["run", "-", &machine, &query, &key, &key], &text).says(0, &["correct: "]);
    }
}

/// Masks of numbers and of bits, both layouts of key and value, odd extents, depths that no instruction has, regions that
/// change scores, and rows without any key in the first block: each is one kernel, as IR and as PTX.
#[test]
fn attention_is_one_kernel() {
    let causal = Attention { region: CAUSAL, ..PLAIN };
    let all = [
        PLAIN,
        Attention { extents: [1, 32, 192, 128, 128], ..PLAIN },
        Attention { extents: [1, 48, 80, 32, 16], transposed: [false, true], mask: Some("f16"), ..PLAIN },
        Attention { extents: [2, 33, 77, 64, 64], transposed: [true, false], mask: Some("f32"), ..PLAIN },
        Attention { extents: [2, 1, 131, 40, 24], mask: Some("i1"), ..PLAIN },
        Attention { extents: [1, 99, 99, 64, 64], ..causal },
        Attention { extents: [1, 64, 64, 33, 31], region: CAPPED, elem: "bf16", ..PLAIN },
        Attention { attrs: ", decomposition_config = {use_exp2 = false}", ..PLAIN },
        Attention { extents: [2, 65, 70, 64, 64], elem: "f32", ..causal },
        Attention { extents: [1, 31, 33, 31, 33], elem: "f32", mask: Some("i1"), transposed: [false, true], ..PLAIN },
        Attention { extents: [1, 40, 40, 128, 100], elem: "f32", mask: Some("f32"), ..PLAIN },
    ];
    for (number, attention) in all.into_iter().enumerate() {
        let text = attention.text();
        // Each on two of three machines.
        let machines = ["--target=sm_80", "--device=ptx-emu", "--target=gfx942"];
        for how in [machines[number % 3], machines[(number + 1) % 3]] {
            let run = raddle_with(&["run", "-", how], &text);
            run.says(0, &["correct: "]);
            let by_lanes = attention.elem == "f32" && how != "--target=gfx942";
            assert_eq!(run.out.contains(" 0 matrix instructions"), by_lanes, "{}", run.out);
            assert_eq!(run.out.matches("launch ").count(), 1, "{}", run.out);
        }
    }
}

/// A region that keeps scores where `%keep` holds; `%i` and `%j` are the indices of the query and of the key.
fn masked(keep: &str) -> String {
    format!(
        "    %i = iree_linalg_ext.index 1 : index
    %j = iree_linalg_ext.index 2 : index
    %never = arith.constant 0xFF800000 : f32
    %zero = arith.constant 0.0 : f32
    %few = arith.constant 0.5 : f32
    %two = arith.constant 2 : index
    %some = arith.constant 70 : index
    %back = arith.constant -40 : index
    %later = arith.addi %i, %some : index
    %sooner = arith.addi %i, %back : index
{keep}
    iree_linalg_ext.yield %y : f32"
    )
}

const CHOOSE: &str = "\n    %y = arith.select %keep, %x, %never : f32";

/// The number of matrix instructions that a run counted.
fn n_matrix(out: &str) -> u64 {
    let before = out.split(" matrix instructions").next().unwrap_or_default();
    before.split_whitespace().last().unwrap_or_default().parse().unwrap_or_else(|_| panic!("{out}"))
}

/// Keys that no row of a workgroup sees are neither read nor multiplied: half of them under a causal mask.
#[test]
fn keys_that_nobody_sees_are_skipped() {
    let with = |region: &str| Attention { extents: [1, 256, 256, 64, 64], region, ..PLAIN }.text();
    let window = masked(&format!(
        "    %seen = arith.cmpi sle, %j, %i : index
    %near = arith.cmpi slt, %sooner, %j : index
    %keep = arith.andi %seen, %near : i1{CHOOSE}"
    ));
    for how in ["--device=emu", "--device=ptx-emu", "--target=gfx942"] {
        let count = |region: &str| {
            let run = raddle_with(&["run", "-", how], &with(region));
            run.says(0, &["correct: "]);
            n_matrix(&run.out)
        };
        let all = count(IDENTITY);
        // Of four blocks by four, ten have a key that a row sees, and seven under the window.
        assert_eq!((16 * count(CAUSAL), 16 * count(&window)), (10 * all, 7 * all));
    }
    // Copies still run ahead, and none of them is narrower.
    let ptx = raddle_with(&["build", "-"], &with(CAUSAL)).out;
    assert!(ptx.contains("cp.async.cg") && ptx.contains("cp.async.wait_group 0"), "{ptx}");
}

/// Masks that are linear in the indices, alone and joined, with rows that see no key at all, of any length, and of lengths
/// that only the run knows.
#[test]
fn linear_masks_give_what_they_mean() {
    let keeps = [
        format!("    %keep = arith.cmpi sge, %later, %j : index{CHOOSE}"),
        format!("    %keep = arith.cmpi sgt, %sooner, %j : index{CHOOSE}"),
        format!(
            "    %a = arith.cmpi sle, %j, %i : index
    %b = arith.cmpi slt, %j, %some : index
    %keep = arith.ori %a, %b : i1{CHOOSE}"
        ),
        format!(
            "    %d = arith.subi %i, %j : index
    %a = arith.cmpi slt, %d, %some : index
    %b = arith.cmpi slt, %i, %j : index
    %true = arith.constant true
    %c = arith.xori %b, %true : i1
    %keep = arith.andi %a, %c : i1{CHOOSE}"
        ),
        "    %a = arith.muli %i, %two : index
    %keep = arith.cmpi sge, %a, %j : index
    %z = arith.select %keep, %zero, %never : f32
    %y = arith.addf %x, %z : f32"
            .to_owned(),
        "    %h = math.tanh %x : f32
    %keep = arith.cmpi sgt, %j, %i : index
    %y = arith.select %keep, %never, %h : f32"
            .to_owned(),
        format!("    %keep = arith.cmpi eq, %i, %j : index{CHOOSE}"),
        // Masks that look at scores see them scaled.
        format!(
            "    %a = arith.cmpi sle, %j, %i : index
    %b = arith.cmpf ogt, %x, %few : f32
    %keep = arith.andi %a, %b : i1{CHOOSE}"
        ),
        format!("    %keep = arith.cmpi slt, %sooner, %back : index{CHOOSE}"),
    ];
    let extents = [
        [1, 100, 200],
        [2, 130, 77],
        [1, 33, 256],
        [1, 200, 200],
        [1, 65, 131],
        [2, 64, 128],
        [1, 90, 90],
        [1, 96, 70],
        [1, 70, 64],
    ];
    let machines = ["--device=emu", "--device=ptx-emu", "--target=gfx942"];
    for (number, (keep, [b, m, k])) in keeps.iter().zip(extents).enumerate() {
        let region = &*masked(keep);
        let transposed = [number % 3 == 2, number % 3 == 1];
        let text = Attention { extents: [b, m, k, 64, 64], transposed, region, ..PLAIN }.text();
        raddle_with(&["run", "-", machines[number % 3]], &text).says(0, &["correct: "]);
        let text = Attention { extents: [b, 9999, 7777, 64, 64], region, ..PLAIN }.text();
        let text = text.replace("9999", "?").replace("7777", "?").replace(
            "%e = tensor.empty()",
            &format!(
                "%one = arith.constant 1 : index
  %n = tensor.dim %q, %one : tensor<{b}x?x64xf16>
  %e = tensor.empty(%n)"
            ),
        );
        let [query, key] = [m, k].map(|rows| format!("--input={b}x{rows}x64xf16"));
        let when = ["--async=eager", "--async=lazy"][number % 2];
        raddle_with(&["run", "-", "--device=ptx-emu", when, &query, &key, &key], &text).says(0, &["correct: "]);
    }
}

/// A workgroup and blocks that the program states are kept: here each subgroup has two rows of instructions.
#[test]
fn a_stated_workgroup_and_blocks_are_kept() {
    let attrs =
        ", lowering_config = #iree_gpu.lowering_config<{workgroup = [1, 64, 0, 0, 0], reduction = [0, 0, 0, 32, 0]}>";
    let text = Attention { extents: [2, 128, 96, 64, 64], attrs, ..PLAIN }.text();
    let info = "attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 32>} {";
    let (head, rest) = text.split_once(" {\n  %scale").expect("the function begins so");
    let text = format!("{head} {info}\n  %scale{rest}");
    let run = raddle_with(&["run", "-", "--compare=tensor,configured,vector,lowered"], &text);
    run.says(0, &["correct: ", "grid 2x2x1, each workgroup 64 threads"]);
}

/// Scores stay where the first product leaves them: nothing but keys, values and the result, for wide accesses, goes
/// through shared memory.
#[test]
fn scores_stay_in_registers() {
    let run = raddle_with(&["run", "-"], &Attention { extents: [1, 64, 64, 64, 64], ..PLAIN }.text());
    // Each of the four tiles once: query, key, value and result.
    run.says(0, &["correct: ", "written 8192 global, 32768 shared"]);
}

/// What scales the key in front, and adds to the result behind, is computed in the same kernel.
#[test]
fn elementwise_operations_join_attention() {
    let (key, result) = ("tensor<2x128x64xf16>", "tensor<2x64x64xf16>");
    let text = PLAIN.text();
    let text = text
        .replace("%k: tensor<2x128x64xf16>", "%k8: tensor<2x128x64xi8>, %residual: tensor<2x64x64xf16>")
        .replace("  %scale =", &format!("  %ke = tensor.empty() : {key}
  %k = linalg.generic {{indexing_maps = [affine_map<(b, k, d) -> (b, k, d)>, affine_map<(b, k, d) -> (b, k, d)>], iterator_types = [\"parallel\", \"parallel\", \"parallel\"]}}
      ins(%k8 : tensor<2x128x64xi8>) outs(%ke : {key}) {{
  ^bb0(%x: i8, %o: f16):
    %wide = arith.sitofp %x : i8 to f16
    linalg.yield %wide : f16
  }} -> {key}
  %scale ="))
        .replace(&format!("  return %r : {result}"), &format!("  %sum = linalg.generic {{indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (b, m, n)>], iterator_types = [\"parallel\", \"parallel\", \"parallel\"]}}
      ins(%r, %residual : {result}, {result}) outs(%e : {result}) {{
  ^bb0(%x: f16, %y: f16, %o: f16):
    %s = arith.addf %x, %y : f16
    linalg.yield %s : f16
  }} -> {result}
  return %sum : {result}"));
    for how in ["--target=sm_80", "--device=ptx-emu", "--target=gfx942"] {
        let run = raddle_with(&["run", "-", how], &text);
        run.says(0, &["correct: "]);
        assert_eq!(run.out.matches("launch ").count(), 1, "{}", run.out);
    }
}

/// What matrix instructions do not take is several kernels, and a remark says so.
#[test]
fn other_attention_is_decomposed() {
    let all = [
        (Attention { extents: [3, 5, 7, 9, 11], elem: "f32", mask: Some("i1"), region: CAPPED, ..PLAIN }, "types"),
        (Attention { extents: [1, 16, 33, 160, 4], elem: "f32", transposed: [false, true], ..PLAIN }, "too long"),
        (Attention { extents: [1, 16, 64, 512, 16], ..PLAIN }, "512 elements"),
    ];
    for (attention, why) in all {
        let text = attention.text();
        for target in ["--target=sm_80", "--target=gfx942"] {
            raddle_with(&["run", "-", target], &text).says(0, &["correct: "]);
        }
        let remarks = raddle_with(&["opt", "-", "--partition", "--remarks"], &text);
        remarks.says(0, &["go through memory: it is several kernels", why]);
    }
}

/// Keys in two parts are all of them: what the first part gives, the second one goes on from.
#[test]
fn online_attention_is_right() {
    for elem in ["f16", "f32"] {
        let text = format!(
            "
#q = affine_map<(m, n, k, d) -> (m, d)>
#k = affine_map<(m, n, k, d) -> (k, d)>
#v = affine_map<(m, n, k, d) -> (k, n)>
#s = affine_map<(m, n, k, d) -> ()>
#o = affine_map<(m, n, k, d) -> (m, n)>
#r = affine_map<(m, n, k, d) -> (m)>
func.func @f(%q: tensor<50x16x{elem}>, %k: tensor<150x16x{elem}>, %v: tensor<150x24x{elem}>, %acc: tensor<50x24xf32>, %max: tensor<50xf32>, %sum: tensor<50xf32>) -> (tensor<50x24xf32>, tensor<50xf32>, tensor<50xf32>) {{
  %scale = arith.constant 0.25 : {elem}
  %r:3 = iree_linalg_ext.online_attention {{indexing_maps = [#q, #k, #v, #s, #o, #r, #r]}}
      ins(%q, %k, %v, %scale : tensor<50x16x{elem}>, tensor<150x16x{elem}>, tensor<150x24x{elem}>, {elem}) outs(%acc, %max, %sum : tensor<50x24xf32>, tensor<50xf32>, tensor<50xf32>) {{
  ^bb0(%x: f32):
    iree_linalg_ext.yield %x : f32
  }} -> tensor<50x24xf32>, tensor<50xf32>, tensor<50xf32>
  return %r#0, %r#1, %r#2 : tensor<50x24xf32>, tensor<50xf32>, tensor<50xf32>
}}"
        );
        for how in ["--target=sm_80", "--device=ptx-emu", "--target=gfx942"] {
            raddle_with(&["run", "-", how], &text).says(0, &["correct: "]);
        }
        let ptx = raddle_with(&["build", "-"], &text).out;
        assert_eq!(ptx.matches(".entry").count(), 1, "{ptx}");
    }
}

/// Query heads that share keys and values: maps of these lack the loop of the group.
#[test]
fn groups_of_heads_share_keys() {
    let text = "
func.func @f(%q: tensor<2x3x80x64xf16>, %k: tensor<2x100x64xf16>, %v: tensor<2x64x100xf16>) -> tensor<2x80x3x64xf16> {
  %scale = arith.constant 0.125 : f16
  %e = tensor.empty() : tensor<2x80x3x64xf16>
  %r = iree_linalg_ext.attention {indexing_maps = [affine_map<(b, g, m, n, d, k) -> (b, g, m, d)>, affine_map<(b, g, m, n, d, k) -> (b, k, d)>, affine_map<(b, g, m, n, d, k) -> (b, n, k)>, affine_map<(b, g, m, n, d, k) -> ()>, affine_map<(b, g, m, n, d, k) -> (b, m, g, n)>]}
      ins(%q, %k, %v, %scale : tensor<2x3x80x64xf16>, tensor<2x100x64xf16>, tensor<2x64x100xf16>, f16) outs(%e : tensor<2x80x3x64xf16>) {
  ^bb0(%x: f32):
    iree_linalg_ext.yield %x : f32
  } -> tensor<2x80x3x64xf16>
  return %r : tensor<2x80x3x64xf16>
}";
    for how in ["--target=sm_80", "--device=ptx-emu", "--target=gfx942"] {
        raddle_with(&["run", "-", how], text).says(0, &["correct: ", "grid 2x3x2"]);
    }
}

/// Tiles that the user states are kept; one that workgroups cannot share is refused.
#[test]
fn stated_tiles_are_kept() {
    let stated = |workgroup: &str| {
        PLAIN.text().replace(
            "indexing_maps = [",
            &format!("lowering_config = #iree_gpu.lowering_config<{{workgroup = {workgroup}, reduction = [0, 0, 0, 32, 0]}}>, indexing_maps = ["),
        )
    };
    let text = stated("[1, 32, 0, 0, 64]");
    for how in ["--target=sm_80", "--device=ptx-emu"] {
        raddle_with(&["run", "-", how], &text).says(0, &["correct: ", "grid 2x2x1", "64 threads"]);
    }
    let refused = raddle_with(&["opt", "-", "--to=configured"], &stated("[1, 32, 0, 0, 32]"));
    refused.says(1, &["workgroups cannot share loop 4", "write 0 for it in `workgroup`"]);
}

/// Where four subgroups multiply tiles in shared memory, keys, values and queries stay there, whichever way they lie; the
/// result of each product is waited for where it is used, also in the next round.
#[test]
fn products_read_shared_memory_themselves() {
    let causal = Attention { region: CAUSAL, ..PLAIN };
    let all = [
        Attention { extents: [1, 64, 320, 64, 64], ..PLAIN },
        Attention { extents: [1, 128, 256, 128, 64], transposed: [true, true], elem: "bf16", ..PLAIN },
        Attention { extents: [1, 128, 128, 128, 128], mask: Some("i1"), ..PLAIN },
        Attention { extents: [1, 256, 256, 64, 128], ..causal },
        Attention { extents: [2, 100, 333, 64, 64], ..causal },
        Attention { extents: [1, 64, 64, 256, 32], ..PLAIN },
        Attention { extents: [1, 128, 200, 160, 96], ..PLAIN },
        Attention { extents: [1, 70, 150, 200, 224], ..causal },
    ];
    for (number, attention) in all.into_iter().enumerate() {
        let text = attention.text();
        let run = |options: &[&str]| raddle_with(&[&["run", "-", "--target=sm_90a"], options].concat(), &text);
        for when in ["eager", "lazy"] {
            run(&["--device=ptx-emu", "--async", when]).says(0, &["correct: "]);
        }
        if number < 2 {
            run(&["--compare=laid_out,pipelined,lowered"]).says(0, &["bit for bit"]);
        }
        let built = raddle_with(&["build", "-", "--target=sm_90a"], &text);
        let shared = built.out.contains("wgmma.mma_async") && !built.out.contains(" mma.sync");
        assert!(shared, "{number}: {}", built.out);
    }
}

/// The assembler takes it, and needs no memory for registers.
#[test]
fn ptxas_accepts_attention() {
    let Some(ptxas) = validator("ptxas") else { return };
    let folder = tempfile::tempdir().unwrap();
    // With one round of keys, which is unrolled, ptxas puts one register into memory to hold three workgroups.
    let small = Attention { extents: [2, 128, 256, 64, 64], ..PLAIN };
    let large = Attention { extents: [2, 256, 512, 128, 128], ..PLAIN };
    for (name, attention) in [("64", small), ("128", large), ("causal", Attention { region: CAUSAL, ..large })] {
        for target in ["sm_80", "sm_90a"] {
            let path = folder.path().join(format!("{name}.ptx"));
            let args = ["build", "-", "--target", target, "-o", path.to_str().unwrap()];
            raddle_with(&args, &attention.text()).says(0, &[]);
            let said = Command::new(&ptxas).args(["-arch", target, "-v", "-o", "/dev/null"]).arg(&path).output();
            let said = said.map(|output| String::from_utf8_lossy(&output.stderr).into_owned()).unwrap_or_default();
            assert!(said.contains("Used") && said.contains(" 0 bytes spill stores"), "{said}");
            // C7508 to C7519: products that wait for one another.
            assert!(!said.contains("(C75"), "{said}");
        }
    }
}

/// A batch of none has nothing to read.
#[test]
fn attention_may_have_no_elements() {
    for shape in ["0x4x16", "2x0x16"] {
        let ty = format!("tensor<{shape}xf16>");
        let text = format!(
            "func.func @none(%q: {ty}, %k: {ty}, %v: {ty}, %o: {ty}) -> {ty} {{
  %s = arith.constant 0.25 : f16
  %r = iree_linalg_ext.attention {{indexing_maps = [affine_map<(b, m, n, k, l) -> (b, m, k)>, affine_map<(b, m, n, k, l) -> (b, l, k)>, affine_map<(b, m, n, k, l) -> (b, l, n)>, affine_map<(b, m, n, k, l) -> ()>, affine_map<(b, m, n, k, l) -> (b, m, n)>]}}
    ins(%q, %k, %v, %s : {ty}, {ty}, {ty}, f16) outs(%o : {ty}) {{
  ^bb0(%x: f32):
    iree_linalg_ext.yield %x : f32
  }} -> {ty}
  return %r : {ty}
}}"
        );
        for target in ["--target=sm_80", "--target=gfx942"] {
            raddle_with(&["run", "-", "--all", target], &text).says(0, &["1 right"]);
        }
    }
}
