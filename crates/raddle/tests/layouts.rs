//! `raddle layout`: pictures, JSON, questions, plans and checks, against facts of the vendors' manuals.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use raddle_target::Operand;
use raddle_target::catalogue;
use serde_json::{Value, json};

use crate::common::{Run, raddle};

const MMA: &str = "NV_MMA_SYNC_F32_16x8x16_F16";
const MFMA: &str = "MFMA_F32_16x16x16_F16";

fn layout(args: &[&str]) -> Run {
    raddle(&[&["layout"], args].concat())
}

fn answer(args: &[&str]) -> Value {
    let run = layout(&[args, &["--json"]].concat());
    assert_eq!(run.status, 0, "{args:?}: {}{}", run.out, run.err);
    serde_json::from_str(&run.out).unwrap()
}

fn nested(tiles: [&str; 7]) -> String {
    let [s, b, o, t, e, ss, ts] = tiles;
    format!(
        "#iree_vector_ext.nested_layout<subgroup_tile = [{s}], batch_tile = [{b}], outer_tile = [{o}], \
         thread_tile = [{t}], element_tile = [{e}], subgroup_strides = [{ss}], thread_strides = [{ts}]>"
    )
}

/// Asserts that the JSON of an operand says what the function does, and nothing else.
#[track_caller]
fn holds(
    name: &str,
    operand: &str,
    dims: &str,
    shape: [i64; 2],
    size: [i64; 3],
    at: impl Fn(i64, i64, i64) -> [i64; 2],
) {
    let [subgroups, lanes, slots] = size;
    let mut owners = Vec::new();
    for subgroup in 0..subgroups {
        for lane in 0..lanes {
            owners.extend((0..slots).map(|slot| json!([subgroup, lane, slot, at(subgroup, lane, slot)])));
        }
    }
    let dims: Vec<String> = dims.chars().map(String::from).collect();
    let expected = json!({ "dims": dims, "shape": shape, "subgroup_size": lanes, "slots": slots, "owners": owners });
    assert_eq!(answer(&["show", name, &format!("--operand={operand}")]), expected, "{name} {operand}");
}

/// PTX ISA, "Matrix Fragments for mma.m16n8k16" and "Register Fragments for wgmma.mma_async.m64nNk16"; AMD matrix
/// instruction calculator, `v_mfma_f32_16x16x16_f16` and `v_wmma_f32_16x16x16_f16` of gfx1100.
#[test]
fn instructions_hold_what_the_manuals_say() {
    holds(MMA, "a", "mk", [16, 16], [1, 32, 8], |_, l, s| [l / 4 + 8 * (s / 2 % 2), 2 * (l % 4) + s % 2 + 8 * (s / 4)]);
    holds(MMA, "b", "kn", [16, 8], [1, 32, 4], |_, l, s| [2 * (l % 4) + s % 2 + 8 * (s / 2), l / 4]);
    holds(MMA, "c", "mn", [16, 8], [1, 32, 4], |_, l, s| [l / 4 + 8 * (s / 2), 2 * (l % 4) + s % 2]);
    for name in [MFMA, "amd.mfma.f32.16x16x16.1b.f16"] {
        holds(name, "a", "mk", [16, 16], [1, 64, 4], |_, l, s| [l % 16, 4 * (l / 16) + s]);
        holds(name, "b", "kn", [16, 16], [1, 64, 4], |_, l, s| [4 * (l / 16) + s, l % 16]);
        holds(name, "c", "mn", [16, 16], [1, 64, 4], |_, l, s| [4 * (l / 16) + s, l % 16]);
    }
    holds("WMMAR3_F32_16x16x16_F16", "a", "mk", [16, 16], [1, 32, 16], |_, l, s| [l % 16, s]);
    holds("WMMAR3_F32_16x16x16_F16", "c", "mn", [16, 16], [1, 32, 8], |_, l, s| [2 * s + l / 16, l % 16]);
    let wgmma = "nv.wgmma.m64n8k16.f32.f16.f16";
    holds(wgmma, "c", "mn", [64, 8], [4, 32, 4], |w, l, s| [16 * w + l / 4 + 8 * (s / 2), 2 * (l % 4) + s % 2]);
}

/// Names of each kind resolve, and all operands together are an object of the same.
#[test]
fn each_name_has_its_maps() {
    for name in catalogue::names().step_by(11) {
        let named = catalogue::lookup(name).unwrap();
        let maps = Operand::ALL.map(|operand| named.map(operand).ok());
        if maps.iter().all(Option::is_none) {
            layout(&["show", name, "--json"]).says(2, &["E0901"]);
            continue;
        }
        let all = answer(&["show", name]);
        for (operand, map) in Operand::ALL.into_iter().zip(maps) {
            let Some(map) = map else { continue };
            let one = &all[operand.name()];
            assert_eq!(one["shape"], json!(map.shape), "{name}");
            for owner in one["owners"].as_array().unwrap() {
                let [subgroup, lane, slot] = [0, 1, 2].map(|i| owner[i].as_i64().unwrap());
                assert_eq!(owner[3], json!(map.coord(subgroup, lane, slot)), "{name} {owner}");
            }
        }
    }
}

/// An operand that is not in registers is not left out in silence.
#[test]
fn operands_in_memory_are_named() {
    let run = layout(&["show", "nv.wgmma.m64n8k16.f32.f16.f16"]);
    run.says(
        0,
        &["operand a, f16", "operand c, f32", "operand b of nv.wgmma.m64n8k16.f32.f16.f16 is in shared memory"],
    );
    layout(&["show", "nv.wgmma.m64n8k16.f32.f16.f16:b"]).says(2, &["is in shared memory, never in registers"]);
    layout(&["show", "vk.coopmat.8x8x16"]).says(2, &["E0901", "unspecified"]);
}

/// One machine runs an instruction with subgroups of two sizes; others have replicas beyond their lanes.
#[test]
fn the_size_of_a_subgroup_picks_the_map() {
    let size = |lanes: &str| {
        answer(&["show", "WMMAR3_F32_16x16x16_F16:c", &format!("--subgroup-size={lanes}")])["slots"].clone()
    };
    assert_eq!((size("32"), size("64")), (json!(8), json!(4)));
    layout(&["show", MFMA, "--operand=a", "--subgroup-size=128", "--view=bits"]).says(0, &["k2 k3 0]"]);
    layout(&["show", MFMA, "--operand=a", "--subgroup-size=32"]).says(1, &["E0402", "64 lanes"]);
}

/// CUTLASS calls this layout `SM80_16x8_Row`.
#[test]
fn spellings_are_those_of_others() {
    let ty = "--type=vector<16x8xf32>";
    layout(&["show", &format!("{MMA}:c"), ty, "--view=cute"]).says(0, &["\n((4,8),(2,2)):((32,1),(16,8))\n"]);
    let drawn = layout(&["show", "((4,8),(2,2)):((32,1),(16,8))", ty, "--view=lane:slot"]).out;
    let table = |text: &str| text.split_once("\n\n").unwrap().1.to_owned();
    let own = layout(&["show", &format!("{MMA}:c"), ty, "--view=lane:slot"]).out;
    assert_eq!(table(&drawn), table(&own));
    layout(&["show", MFMA, "--operand=a", "--view=bits"]).says(0, &["lane[m0 m1 m2 m3 k2 k3] slot[k0 k1]"]);
    layout(&["show", MMA, "--operand=a", "--view=nested"])
        .says(0, &["thread_tile = [8, 4]", "outer 1, outer 0, element 1"]);
}

/// What is printed in a spelling can be read again, to the same owners.
#[test]
fn spellings_read_back() {
    for name in [MFMA, MMA, "MFMA_F32_32x32x8_F16", "WMMAR4_F32_16x16x16_F16"] {
        for operand in ["a", "b", "c"] {
            let place = format!("{name}:{operand}");
            let first = answer(&["show", &place]);
            let extents: Vec<String> = first["shape"].as_array().unwrap().iter().map(Value::to_string).collect();
            let ty = format!("--type=vector<{}xf32>", extents.join("x"));
            for view in ["nested", "cute", "linear", "bits"] {
                let spelled = layout(&["show", &place, &format!("--view={view}")]).out;
                let line = spelled.lines().last().unwrap();
                let second = answer(&["show", line, &ty]);
                assert_eq!(first["owners"], second["owners"], "{line}");
            }
        }
    }
}

/// Bits that stand still, digits that are not powers of two, several subgroups, and swizzles read back as well.
#[test]
fn bits_read_back() {
    let subgroups = nested(["2, 3", "1, 1", "1, 1", "8, 4", "1, 2", "3, 1", "4, 1"]);
    let swizzled = "slot = [(0, 1)], lane = [(1, 1), (2, 2)] -> m 4 x n 4";
    let replicas = "WMMAR3_F32_16x16x16_F16:a";
    for (layout_text, shape) in [(subgroups.as_str(), "16x24"), (swizzled, "4x4"), (replicas, "16x16")] {
        let line = layout(&["show", layout_text, "--view=bits"]).out.lines().last().unwrap().to_owned();
        let ty = format!("--type={shape}xf32");
        assert_eq!(answer(&["show", layout_text, &ty])["owners"], answer(&["show", &line])["owners"], "{line}");
    }
    for bad in [
        "lane[m0]",
        "lane[q0] -> m 4",
        "lane[m0 -> m 4",
        "lane[m0] lane[m1] -> m 4",
        "lane[m0*0] -> m 4",
        "lane[m9999] -> m 4",
    ] {
        layout(&["show", bad]).says(2, &["E0901", "not a layout in bits"]);
    }
    layout(&["show", "lane[m0 m1 m2] -> m 4"]).says(1, &["E0402"]);
    layout(&["show", "#iree_vector_ext.nested_layout<subgroup_tile = [1], batch_tile = [2], outer_tile = [1], thread_tile = [4], element_tile = [2], subgroup_strides = [0], thread_strides = [1]>, slots in the order element 0"])
        .says(2, &["each axis with several slots once"]);
}

/// A picture is the operand itself; what vendors draw is asked for.
#[test]
fn pictures_are_the_operand_itself() {
    let rows = |args: &[&str]| {
        let picture = layout(&[&["show"], args].concat());
        assert_eq!(picture.status, 0, "{}", picture.err);
        let row = |line: &str| line.split_whitespace().map(|word| word.parse().ok()).collect::<Option<Vec<i64>>>();
        picture.out.lines().filter_map(row).filter(|row| !row.is_empty()).collect::<Vec<_>>()
    };
    let own: Vec<Vec<i64>> = (0..16).map(|m| (0..8).map(|n| m % 8 * 4 + n / 2).collect()).collect();
    assert_eq!(rows(&[MMA, "--operand=c"]), own);
    let two: Vec<Vec<i64>> = own.iter().map(|row| [&row[..], row].concat()).collect();
    assert_eq!(rows(&[MMA, "--operand=c", "--repeat=1,2"]), two);
    assert_eq!(rows(&[MMA, "--operand=c", "--repeat=2,1"]), [&own[..], &own].concat());
    let b: Vec<Vec<i64>> = (0..16).map(|k| (0..8).map(|n| 4 * n + k % 8 / 2).collect()).collect();
    assert_eq!(rows(&[MMA, "--operand=b"]), b);
    let turned: Vec<Vec<i64>> = (0..8).map(|n| b.iter().map(|row| row[n]).collect()).collect();
    assert_eq!(rows(&[MMA, "--operand=b", "--transpose"]), turned);
    layout(&["show", MMA, "--operand=b", "--transpose"]).says(0, &["rows n, columns k", "drawn transposed"]);
    layout(&["show", MMA, "--repeat=0,1"]).says(2, &["--repeat"]);
    layout(&["show", MMA, "--repeat=2"]).says(2, &["rows and columns"]);
    layout(&["show", MMA, "--transpose", "--view=bits"]).says(2, &["E0901", "for pictures"]);
    layout(&["show", "lane[m0 m1] -> m 4", "--transpose"]).says(2, &["no rows"]);
    layout(&["show", "lane[m0 m1] -> m 4", "--repeat=2,1"]).says(2, &["no rows"]);
}

/// All instructions are listed, or those that a part of a name, a mnemonic, a shape or a chip names.
#[test]
fn instructions_are_listed() {
    let all = layout(&["list"]);
    assert_eq!(all.out.lines().filter(|line| line.contains('→')).count(), catalogue::instructions().len());
    let lines = |filter: &str| layout(&["list", filter]).out.lines().filter(|line| line.contains('→')).count();
    assert!(lines("mfma") > 20 && lines("MFMA") == lines("mfma") && lines("mfma") < 200);
    assert!(layout(&["list", "m16n8k16"]).out.contains("NV_MMA_SYNC_F32_16x8x16_F16"));
    assert!(lines("gfx942") > 10 && lines("sm_80") > 10);
    layout(&["list", "mfmaa"]).says(2, &["E0903", "did you mean"]);
    let json: Value = serde_json::from_str(&layout(&["list", "wgmma", "--json"]).out).unwrap();
    assert_eq!(json["instructions"][0]["family"], "wgmma");
    // A name that is too short to be one leads to its family.
    layout(&["show", "MFMA"]).says(2, &["E0903", "`raddle layout list MFMA`", "such as `MFMA_"]);
    layout(&["show", "m16n8k16"]).says(2, &["`raddle layout list m16n8k16`", "such as `NV_MMA_SYNC_"]);
    layout(&["show", "NV_MMA_SYNC_F32_16x8x16_F16:d"]).says(2, &["has no operand `d`", "_F16:a`"]);
    // Elements that nothing holds are told, since a picture has nothing to show of them.
    let short = ["show", "((4,8),(2,2)):((32,1),(16,8))"];
    layout(&[short[0], short[1], "--type=16x9xf32"]).says(0, &["nothing holds element [0, 8] (16 elements"]);
    for chip in ["sm_80", "gfx942"] {
        let targets: Value = serde_json::from_str(&raddle(&["targets", chip, "--json"]).out).unwrap();
        for mma in targets["targets"][0]["mmas"].as_array().unwrap() {
            // A mnemonic leads to its instruction, or to several that are listed.
            let mnemonic = mma["mnemonic"].as_str().unwrap();
            let run = layout(&["show", mnemonic]);
            let named = run.err.split("did you mean `").nth(1).and_then(|rest| rest.split('`').next());
            let found = named.and_then(catalogue::instruction).is_some_and(|row| row.mnemonic == mnemonic);
            assert!(found || run.err.contains("raddle layout list"), "{mnemonic}: {}", run.err);
        }
    }
}

#[test]
fn questions_are_answered_both_ways() {
    let c = format!("{MMA}:c");
    layout(&["show", &c, "--owner=9,3"]).says(0, &["element (m 9, n 3)", "  lane 5 slot 3\n"]);
    layout(&["show", &c, "--lane=5,3"]).says(0, &["  slot 3: (m 9, n 3)\n"]);
    assert_eq!(answer(&["show", &c, "--owner=9,3"])["owners"], json!([[0, 5, 3]]));
    assert_eq!(answer(&["show", &c, "--lane=5,3"])["holds"], json!([[0, 5, 3, [9, 3]]]));
    assert_eq!(answer(&["show", &c, "--lane=5"])["holds"].as_array().unwrap().len(), 4);
    // Each half of the subgroup holds all of A.
    let owners = answer(&["show", "WMMAR3_F32_16x16x16_F16:a", "--owner=3,7"])["owners"].clone();
    assert_eq!(owners, json!([[0, 3, 7], [0, 19, 7]]));
    layout(&["show", &c, "--owner=16,0"]).says(2, &["has no element [16, 0]: it has m 16 x n 8"]);
    layout(&["show", MMA, "--owner=0,12"]).says(2, &["--operand"]);
    layout(&["show", &c, "--lane=32"]).says(2, &["lanes 0 to 31"]);
    layout(&["show", &c, "--lane=1,2,3"]).says(2, &["--lane"]);
}

/// A dimension may be called as the sign between dimensions is; the table by lanes has a long name, too.
#[test]
fn names_are_taken_as_they_are() {
    let shown = layout(&["show", "slot = [(1, 0)], lane = [(0, 1), (2, 0)] -> x 4 x x2 2", "--view=linear"]);
    shown.says(0, &["slot = [(1, 0)], lane = [(0, 1), (2, 0)]"]);
    layout(&["show", "lane = [(1), (2)] -> x 4", "--view=bits"]).says(0, &["lane["]);
    layout(&["show", "lane = [(1), (2)] -> x 4 y 2"]).says(2, &["E0901", "an `x` before the next one"]);
    let (long, short) = (layout(&["show", MMA, "--view=hardware"]), layout(&["show", MMA, "--view=hw"]));
    assert_eq!((long.status, &long.out), (0, &short.out));
}

/// An SVG has a group for each element, and neither scripts nor anything from elsewhere.
#[test]
fn svg_has_a_group_for_each_element() {
    let svg = layout(&["show", MMA, "--operand=a", "--svg"]).out;
    assert_eq!(svg.matches("<g data-lane=").count(), 256);
    assert_eq!(svg.matches("<title>").count(), 256);
    assert!(svg.contains("<g data-lane=\"5\" data-slot=\"3\" data-subgroup=\"0\" data-at=\"9,3\"><title>m 9, k 3: "));
    assert!(!svg.contains("<script") && !svg.contains("url(") && !svg.contains("href"));
    assert_eq!(svg.matches("http").count(), 1, "the name space only");
    // Two subgroups side by side: one thick line for each row between them.
    let two = nested(["1, 2", "1, 1", "1, 1", "8, 4", "1, 2", "0, 1", "4, 1"]);
    let svg = layout(&["show", &two, "--svg"]).out;
    let border = svg.split("class=\"b\" d=\"").nth(1).unwrap();
    assert_eq!(border.split('"').next().unwrap().matches('M').count(), 1 + 8);
    layout(&["show", &format!("{MMA}:a"), "--type=vector<1024x1024xf16>", "--svg"]).says(3, &["E0904"]);
}

/// The page is one file, small, whatever the layout's size.
#[test]
fn html_is_one_small_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("page.html");
    let path = path.to_str().unwrap();
    let run = layout(&["show", &format!("{MMA}:a"), "--type=vector<128x128xf16>", "--html", "-o", path]);
    assert_eq!((run.status, run.out.as_str()), (0, ""));
    let page = std::fs::read_to_string(path).unwrap();
    assert!(page.len() < 300_000, "{}", page.len());
    let script = page.split("<script>").nth(1).unwrap().split("</script>").next().unwrap();
    assert!(script.len() < 10_000, "{}", script.len());
    assert!(!page.contains("http") && !page.contains("src=") && !page.contains("href"));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no temporary file is left");
    layout(&["show", MMA, "--html", "-o", "no/such/folder/page.html"]).says(2, &["E0902"]);
    // What the user wrote does not end the data.
    let run = layout(&["show", "</script>:(1,1)", "--html"]);
    assert_ne!(run.status, 0);
}

/// Plans between instructions, executed.
#[test]
fn plans_are_executed() {
    let convert = |from: &str, to: &str, ty: &str, target: &str| {
        answer(&["convert", "--from", from, "--to", to, "--type", ty, "--target", target, "--check"])
    };
    let [a, c] = ["a", "c"].map(|operand| format!("{MMA}:{operand}"));
    // The accumulator of one product is the left factor of the next one.
    let free = convert(&c, &a, "vector<16x16xf16>", "sm_80");
    assert_eq!(
        (&free["way"], &free["cost"]["total"], &free["checked"]["ok"]),
        (&json!("nothing"), &json!(0), &json!(true))
    );
    let rows = nested(["1, 1", "1, 1", "1, 1", "16, 2", "1, 8", "0, 0", "2, 1"]);
    let rows64 = nested(["1, 1", "1, 1", "1, 1", "16, 4", "1, 4", "0, 0", "4, 1"]);
    let halves = nested(["2, 1", "1, 1", "1, 1", "8, 4", "2, 8", "1, 0", "4, 1"]);
    let quarters = nested(["1, 2", "1, 1", "1, 1", "32, 1", "1, 16", "0, 1", "1, 0"]);
    let odd = nested(["1, 1", "3, 1", "1, 1", "16, 2", "1, 8", "0, 0", "2, 1"]);
    let odd_columns = nested(["1, 1", "3, 1", "1, 1", "2, 16", "8, 1", "0, 0", "16, 1"]);
    for (from, to, ty, target) in [
        (&a, &rows, "vector<16x16xf16>", "sm_80"),
        (&rows, &a, "vector<16x16xf16>", "sm_90"),
        (&rows, &c, "vector<16x16xf32>", "sm_80"),
        (&halves, &quarters, "vector<32x32xf16>", "sm_80"),
        (&odd, &odd_columns, "vector<48x16xf16>", "sm_80"),
        (&rows64, &format!("{MFMA}:c"), "vector<16x16xf32>", "gfx942"),
        (&format!("{MFMA}:c"), &format!("{MFMA}:a"), "vector<16x16xf16>", "gfx950"),
    ] {
        let plan = convert(from, to, ty, target);
        assert_eq!(plan["checked"]["ok"], true, "{from} {to} {plan}");
        assert_eq!(plan["cost"]["conflicts"], 0, "{from} {to} {plan}");
        assert!(plan["cost"]["total"].as_i64().unwrap() > 0 && !plan["steps"].as_array().unwrap().is_empty());
    }
    let args = ["convert", "--from", &a, "--to", &rows, "--type=vector<16x16xf16>", "--target=sm_80"];
    layout(&[&args[..], &["--check"]].concat()).says(0, &["cost ", "executed: 256 elements arrived"]);
    let page = layout(&[&args[..], &["--html"]].concat());
    page.says(0, &["\"kind\":\"layout\"", "\"kind\":\"text\""]);
    assert!(page.out.len() < 300_000);
}

/// k may be counted anew in both factors of a plain product; AMD's accumulators fit when computed transposed.
#[test]
fn factors_may_count_k_anew() {
    let fp8 = "NV_MMA_SYNC_F32_16x8x32_F8E4M3FN";
    let chain = |name: &str, ty: &str, target: &str| {
        let (from, to) = (format!("{name}:c"), format!("{name}:a"));
        answer(&["convert", "--from", &from, "--to", &to, "--type", ty, "--target", target, "--summed=1"])["summed"]
            .clone()
    };
    assert_eq!(chain(fp8, "vector<16x32xf8E4M3FN>", "sm_89")["way"], "slots");
    let mfma = chain(MFMA, "vector<16x16xf16>", "gfx942");
    assert_eq!((&mfma["way"], &mfma["transposed"]), (&json!("nothing"), &json!(true)));
}

/// The first pair of places that collides is named, and the first element that no one holds.
#[test]
fn checks_name_their_witness() {
    layout(&["check", &format!("{MMA}:a"), "--type=vector<64x64xf16>", "--target=sm_80"])
        .says(0, &["good", "32 lanes"]);
    let clash = "subgroup 0 lane 0 slot 4 and subgroup 0 lane 1 slot 0 both hold element [4]";
    layout(&["check", "(32,8):(4,1)", "--type=vector<256xf16>"])
        .says(1, &["E0402", clash, "nothing holds element [132]"]);
    let run = layout(&["check", "(32,8):(4,1)", "--type=vector<256xf16>", "--json"]);
    let report: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((run.status, &report["ok"], &report["problems"][0]), (1, &json!(false), &json!(clash)));
    // Lanes that hold the same on purpose are not collision.
    layout(&["check", "WMMAR3_F32_16x16x16_F16:a", "--type=vector<16x16xf16>"]).says(0, &["each element 2 times"]);
    let twice = nested(["1, 1", "1, 1", "1, 1", "8, 4", "1, 2", "0, 0", "2, 1"]);
    layout(&["check", &twice, "--type=vector<8x8xf16>"]).says(1, &["tiles [0, 2] and [1, 0] both ask for lane 2"]);
    let whole = nested(["1, 1", "1, 1", "1, 1", "8, 4", "1, 2", "0, 0", "4, 1"]);
    layout(&["check", &whole, "--type=vector<8x9xf16>"]).says(1, &["dim 1", "expected by layout: 8 actual: 9"]);
    let wide = nested(["64, 1", "1, 1", "1, 1", "8, 4", "1, 2", "1, 0", "4, 1"]);
    layout(&["check", &wide, "--type=vector<512x8xf16>", "--target=sm_80"])
        .says(1, &["2048 threads are more than the 1024"]);
}

/// Eight rows of 128 bytes begin in the same bank, so that each access takes eight times as long. A swizzle of rows
/// or a padding by 16 bytes is the known remedy.
#[test]
fn conflicts_are_counted_and_cured() {
    let count = |memory: &[&str]| {
        let a = format!("{MMA}:a");
        answer(&[&["conflicts", &a, "--type=vector<64x64xf16>", "--target=sm_80"], memory].concat())
    };
    let plain = count(&[]);
    assert_eq!((&plain["instructions"], &plain["access_bytes"]), (&json!(64), &json!(4)));
    assert_eq!((&plain["shared"]["wavefronts"], &plain["shared"]["ideal"]), (&json!(8 * 64), &json!(64)));
    // Each row of a lane's access is 16 bytes in a segment of 32.
    assert_eq!((&plain["global"]["segments"], &plain["global"]["bytes"]), (&json!(8 * 64), &json!(64 * 64 * 2)));
    let cures = plain["shared"]["better"].as_array().unwrap();
    assert!(cures.iter().any(|cure| cure["memory"] == "Sw<3,3,3> o 0 o (64,64):(64,1)"), "{cures:?}");
    assert!(cures.iter().any(|cure| cure["memory"] == "(64,64):(72,1)"), "{cures:?}");
    for cure in cures {
        let cured = count(&["--memory", cure["memory"].as_str().unwrap()]);
        assert_eq!(cured["shared"]["wavefronts"], cure["wavefronts"]);
        assert_eq!(cured["shared"]["conflicts"], 0);
    }
    let a = format!("{MMA}:a");
    layout(&["conflicts", &a, "--type=vector<64x64xf16>"]).says(0, &["lanes 0 and 4 meet in bank 0"]);
    layout(&["conflicts", &a, "--type=vector<64x64xf16>", "--html"]).says(0, &["\"kind\":\"banks\""]);
}

/// In loads of 16 bytes, gfx942 serves other lanes together than in stores: a padding is good for one of the two.
#[test]
fn loads_and_stores_meet_in_other_banks() {
    let layout = "#iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], \
                  thread_tile = [16, 4], element_tile = [1, 8], subgroup_strides = [0, 0], thread_strides = [1, 16]>";
    let conflicts = |access: &str, pitch: i64| {
        let memory = format!("(16,32):({pitch},1)");
        let flags = ["--type=vector<16x32xf16>", "--target=gfx942", "--access", access, "--memory", &memory];
        answer(&[&["conflicts", layout], &flags[..]].concat())["shared"]["conflicts"].as_i64().unwrap()
    };
    assert_eq!([conflicts("load", 40), conflicts("store", 40)], [8, 0]);
    assert_eq!([conflicts("load", 48), conflicts("store", 48)], [0, 8]);
}

/// Whatever is written, there is a diagnostic, and no panic.
#[test]
fn bad_layouts_are_answered() {
    let long = "(".repeat(10_000);
    for what in [
        "",
        "#",
        "<",
        ":",
        ":a",
        "é",
        "(é",
        "(",
        &long,
        "(2,2:(1,2)",
        "(2,-2):(1,1)",
        "(2,2):(-1,1)",
        "->",
        "(9223372036854775807,2):(1,9223372036854775807)",
        "(4294967296,4294967296):(0,0)",
        "slot = [ -> i 2",
        "slot = [(0, 9)] -> i 2 x j 2",
        "lane = [(1), (1)] -> i 2",
        "lane = [(1)] -> i 3",
        "warp = [(1)] -> i 2",
        "slot = [] -> i 4611686018427387904 x j 4611686018427387904",
        "MFMA_F32_16x16x16_F16:d",
        "Sw<1,2,3> o 0 o",
        "Sw<99999,2,3> o 0 o (2,2):(1,2)",
        "#gpu.address_space<workgroup>",
        "nested_layout<>",
        "vk.coopmat.8x8x16",
    ] {
        for verb in [
            &["show"][..],
            &["show", "--html"],
            &["check", "--type=vector<4x4xf16>"],
            &["conflicts", "--type=vector<4x4xf16>"],
        ] {
            let run = layout(&[verb, &["--", what]].concat());
            assert!(matches!(run.status, 1..=3), "{what} {run:?}");
            assert!(run.err.contains("error[E"), "{what} {run:?}");
        }
    }
    layout(&["show", "MFMA_F32_16x16x61_F16"]).says(2, &["did you mean `MFMA_F32_16x16x16_F16`?"]);
    layout(&["show", "amd.mfma.f32.16x16x16.1b.f61"]).says(2, &["did you mean `amd.mfma.f32.16x16x16.1b.f16`?"]);
    let a = format!("{MMA}:a");
    for (ty, why) in [
        ("vector<f16>", "do not divide"),
        ("vector<16x40xf16>", "do not divide"),
        ("vector<[4]x16xf16>", "fixed"),
        ("tensor<16x16xf16>", "not a vector type"),
        ("vector<9223372036854775807x2xf16>", "fixed"),
        ("vector<16x", "E0101"),
    ] {
        for verb in [&["check", &a][..], &["show", &a], &["conflicts", &a], &["convert", "--from", &a, "--to", &a]] {
            let run = layout(&[verb, &["--type", ty]].concat());
            assert!(matches!(run.status, 1 | 2) && run.err.contains(why), "{ty} {run:?}");
        }
    }
    let a = format!("{MFMA}:a");
    let convert = |ty: &str, more: &[&str]| {
        layout(&[&["convert", "--from", &a, "--to", &format!("{MFMA}:c"), "--type", ty], more].concat())
    };
    convert("vector<16x16xf16>", &["--target=gfx94"]).says(2, &["did you mean `gfx942`?"]);
    convert("vector<16x16xf16>", &["--target=sm_80"]).says(1, &["64 lanes"]);
    convert("vector<16x16xf16>", &["--target=gfx942", "--subgroup-size=16"]).says(2, &["subgroups of 64 lanes"]);
    convert("vector<16x16xf16>", &["--target=gfx942", "--summed=2"]).says(2, &["no dimension 2"]);
    convert("vector<16x16xi7>", &["--target=gfx942"]).says(1, &["elements of 7 bits"]);
    let memory =
        |memory: &str| layout(&["conflicts", &a, "--type=vector<16x16xf16>", "--target=gfx942", "--memory", memory]);
    memory("(16,15):(15,1)").says(1, &["240 elements"]);
    memory("(16,16):(-1,1)").says(1, &["no memory"]);
    memory("(16,16):(100000000000000000,1)").says(1, &["no memory"]);
    memory("16").says(2, &["not a CuTe layout"]);
}
