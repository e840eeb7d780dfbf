//! Accesses of executed PTX that race, and those that do so for nothing.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use raddle_emu::Options;
use raddle_ir::Code;

use crate::ptx::{fails, kernel, run, try_run};

/// Lanes that write different values to one place at once are told so.
#[test]
fn lanes_that_write_to_one_place_are_told_so() {
    let diag = fails("  st.global.u32 [%rd2], %r1;", &[0], 1);
    assert_eq!(diag.code, Code::Race);
    assert!(diag.help.iter().any(|help| help.contains("let one lane write")), "{diag:?}");
    // Sums of the same numbers in different orders are one sum, in other warps too; in another instruction they race.
    let sums = "
  mov.f32 %f1, 0f3F800000;
  cvt.rn.f32.u32 %f2, %r1;
  fma.rn.f32 %f1, %f2, 0f34000000, %f1;
  st.global.f32 [%rd2], %f1;";
    assert_ne!(run(sums, &[0], 16)[0], 0);
    let apart = "\n  setp.lt.u32 %p1, %r1, 7;\n  @%p1 st.global.f32 [%rd2], %f1;\n  @!%p1 st.global.f32 [%rd2], %f1;";
    assert_eq!(fails(&sums.replace("\n  st.global.f32 [%rd2], %f1;", apart), &[0], 1).code, Code::Race);
    // Terms that cancel leave nothing but rounding, which differs by the size of the terms; without them, it is all there is.
    let cancelled = sums.replace("  st.global", "  sub.f32 %f1, %f1, 0f3F800000;\n  st.global");
    assert!(run(&cancelled, &[0], 16)[0] < 0x3800_0000);
    let numbers = cancelled.replace("0f3F800000", "0f00000000");
    assert_eq!(fails(&numbers, &[0], 1).code, Code::Race);
    // Sums of halves differ in fewer places, alone or in pairs, packed or not.
    let halves = |ty: &str, one: u32, more: u32, store: &str| {
        format!(
            "
  and.b32 %r2, %r1, 1;
  mul.lo.u32 %r2, %r2, {more};
  mov.b32 %r3, {};
  add.{ty}x2 %r3, %r3, %r2;
  mov.b32 {{%h1, %h2}}, %r3;
{store}",
            one << 16 | one
        )
    };
    let pair = "  st.global.b32 [%rd2], %r3;";
    for (ty, one, by_ulps) in [("bf16", 0x3f80, [0x3c00, 0x3e00]), ("f16", 0x3c00, [0x1800, 0x2400])] {
        let [near, far] = by_ulps;
        for store in [pair, "  st.global.b16 [%rd2], %h1;", "  mov.b32 %r3, {%h2, %h1};\n  st.global.b32 [%rd2], %r3;"]
        {
            assert_ne!(run(&halves(ty, one, near, store), &[0], 1)[0], 0, "{ty} {store}");
            assert_eq!(fails(&halves(ty, one, far, store), &[0], 1).code, Code::Race, "{ty} {store}");
        }
        let numbers = halves(ty, one, near, pair).replace(&format!("add.{ty}x2"), "add.u32");
        assert_eq!(fails(&numbers, &[0], 1).code, Code::Race);
    }
    // `stmatrix` moves sums, too, as halves: here its eight rows lie in one place.
    let matrix = "
  mov.u32 %r2, tile;
  mov.b32 %r3, %f1;
  stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r2], {%r3};
  bar.warp.sync -1;
  ld.shared.f32 %f1, [tile];
  st.global.f32 [%rd4], %f1;";
    let of_sums = sums.replace("\n  st.global.f32 [%rd2], %f1;", matrix);
    let of_sums = format!("  .shared .align 16 .b8 tile[16];\n  setp.gt.u32 %p1, %r1, 31;\n  @%p1 exit;{of_sums}");
    assert_eq!(run(&of_sums, &[0], 32)[0] >> 12, 0x3f800);
    let halves = of_sums.replace(".x1.", ".x1.trans.");
    assert_eq!(fails(&halves, &[0], 32).code, Code::Race);
    assert_eq!(fails(&of_sums.replace("0f3F800000", "0f00000000"), &[0], 32).code, Code::Race);
}

/// Threads that repeat what another one does may read in place what it writes, and drop it: a race of a read with a write
/// of as many bytes leaves a value that nobody knows, and is told where it is used. The read may be the first or the second.
#[test]
fn reads_that_race_are_told_where_they_are_used() {
    // Threads of a second half do what the first half does, but write nothing.
    let in_place = |half: u32, then: &str| {
        format!(
            "
  and.b32 %r2, %r1, {};
  mul.wide.u32 %rd5, %r2, 4;
  add.s64 %rd6, %rd2, %rd5;
  ld.global.u32 %r3, [%rd6];
  add.u32 %r4, %r3, 1;
  setp.lt.u32 %p1, %r1, {half};
  @%p1 st.global.u32 [%rd6], %r4;
{then}",
            half - 1
        )
    };
    // In another warp, which reads when all is written; and in the same one, which reads before.
    for half in [32, 16] {
        let body = in_place(half, "");
        let mut expected = [7; 64];
        expected[..half as usize].fill(8);
        assert_eq!(try_run(&kernel(64, &body), &[0], &[7; 64], &Options::default()).unwrap(), expected);
        // What a second half makes of it is told, with the race and the place.
        let then = "  mul.lo.u32 %r4, %r4, 3;\n  @!%p1 st.global.u32 [%rd4+256], %r4;";
        let text = kernel(64, &in_place(half, then));
        let diag = try_run(&text, &[0], &[7; 128], &Options::default()).unwrap_err();
        assert_eq!(diag.code, Code::Race, "{diag:?}");
        let (used, label) = diag.related.last().unwrap();
        assert_eq!(label, "what was read is used here");
        assert!(text[used.start as usize..].starts_with("@!%p1 st.global.u32 [%rd4+256]"), "{diag:?}");
        // A barrier in front of the writes orders them.
        let ordered = text.replace("  setp.lt.u32 %p1", "  bar.sync 0;\n  setp.lt.u32 %p1");
        assert!(try_run(&ordered, &[0], &[7; 128], &Options::default()).is_ok());
        // Of a write of other bytes, a part may be read.
        let narrow = text.replace("ld.global.u32 %r3", "ld.global.u16 %r3").replace(then, "");
        assert_eq!(try_run(&narrow, &[0], &[7; 128], &Options::default()).unwrap_err().code, Code::Race);
    }
}

/// Exchanges through shared memory have a place for what nobody reads: lanes write different values there at once, and
/// only what is read there is told, until something else is written.
#[test]
fn places_that_nobody_reads_take_several_values() {
    // Odd lanes write behind the others' values.
    let body = |then: &str| {
        format!(
            "
  .shared .align 4 .b8 tile[128];
  setp.gt.u32 %p1, %r1, 31;
  @%p1 exit;
  mov.u32 %r2, tile;
  and.b32 %r3, %r1, 1;
  setp.eq.u32 %p2, %r3, 1;
  shl.b32 %r4, %r1, 1;
  selp.u32 %r4, 64, %r4, %p2;
  add.u32 %r4, %r4, %r2;
  st.shared.u32 [%r4], %r1;
  bar.warp.sync -1;
  shr.u32 %r5, %r1, 1;
  shl.b32 %r5, %r5, 2;
  add.u32 %r5, %r5, %r2;
{then}"
        )
    };
    let give = "  ld.shared.u32 %r6, [%r5];\n  st.global.u32 [%rd4], %r6;";
    let wanted: Vec<i64> = (0..32).map(|lane| lane & !1).collect();
    assert_eq!(run(&body(give), &[0], 32), wanted);
    let dropped = format!("  ld.shared.u32 %r7, [tile+64];\n{give}");
    assert_eq!(run(&body(&dropped), &[0], 32), wanted);
    let again = "  setp.eq.u32 %p3, %r1, 0;\n  @%p3 st.shared.u32 [tile+64], 5;\n  bar.warp.sync -1;
  ld.shared.u32 %r6, [tile+64];\n  st.global.u32 [%rd4], %r6;";
    assert_eq!(run(&body(again), &[0], 32), [5; 32]);
    for (used, label) in [
        (
            "  ld.shared.u32 %r7, [tile+64];\n  add.u32 %r7, %r7, %r1;\n  st.global.u32 [%rd4], %r7;",
            "what was read is used here",
        ),
        ("  atom.shared.add.u32 %r7, [tile+64], 1;", "what was written is read here"),
        ("  ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r7}, [tile+64];", "what was written is read here"),
    ] {
        let diag = fails(&body(used), &[0], 32);
        assert_eq!(diag.code, Code::Race, "{used}: {diag:?}");
        assert_eq!(diag.related.last().unwrap().1, label, "{used}: {diag:?}");
    }
    // Several instructions may write there, and a lane's own write in front of another one closes nothing.
    let more = "  @%p2 st.shared.u32 [tile+64], %r5;\n";
    assert_eq!(run(&body(give).replace("  bar.warp", &format!("{more}  bar.warp")), &[0], 32), wanted);
    let last = "  setp.eq.u32 %p3, %r1, 31;\n  @%p3 st.shared.u32 [tile+64], 5;
  @%p3 ld.shared.u32 %r7, [tile+64];\n  @%p3 st.global.u32 [%rd4], %r7;";
    let last = body(last).replace("  bar.warp.sync -1;\n", "");
    assert_eq!(fails(&last, &[0], 32).code, Code::Race);
    // Some lanes write what is there already.
    let used = "  ld.shared.u32 %r6, [tile+64];\n  st.global.u32 [%rd4], %r6;";
    let same = body(used).replace("st.shared.u32 [%r4], %r1", "min.u32 %r8, %r1, 5;\n  st.shared.u32 [%r4], %r8");
    assert_eq!(fails(&same, &[0], 32).code, Code::Race);
    // What the host sees is no such place, nor are bytes of which a part is written for itself.
    assert_eq!(fails("  st.global.u32 [%rd2], %r1;", &[0], 1).code, Code::Race);
    let parts = body("  @%p2 st.shared.u16 [tile+64], 3;").replace("  bar.warp.sync -1;\n", "");
    assert_eq!(fails(&parts, &[0], 32).code, Code::Race);
}
