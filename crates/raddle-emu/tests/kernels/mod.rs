//! Reference kernels in PTX, written by programs: what a hand would write for fast chips, for tests and benchmarks.
#![allow(dead_code, reason = "each test file uses its part")]

use std::fmt::Write;

/// Operands in braces: `{%a4, %a5}`.
fn vector(name: &str, first: usize, n: usize) -> String {
    let names: Vec<String> = (first..first + n).map(|at| format!("%{name}{at}")).collect();
    format!("{{{}}}", names.join(", "))
}

/// Bytes of shared memory of [`pipelined`].
pub fn pipelined_shared(stages: usize) -> usize {
    stages * 16384
}

/// `C[M,N] = A[M,K] * B[N,K]^T` in bf16 with sums in f32, for sm_80: tiles of 128 x 128 x 32 in a ring of stages that
/// `cp.async` fills, swizzled by 16 bytes, four warps of 64 x 64, fragments fetched one step ahead.
/// Parameters: A, B, C, M, N, K; one workgroup of 128 threads for each tile.
pub fn pipelined(stages: usize) -> String {
    const STAGE: usize = 16384;
    const B: usize = 8192;
    let end = stages * STAGE;
    let mut text = String::from(
        ".version 8.0
.target sm_80
.address_size 64
.extern .shared .align 128 .b8 ring[];
.visible .entry pipelined(.param .u64 pa, .param .u64 pb, .param .u64 pc, .param .u32 pm, .param .u32 pn, .param .u32 pk)
.reqntid 128, 1, 1
{
  .reg .pred %more, %wraps, %goes;
  .reg .b32 %m, %n, %k, %t, %lane, %warp, %wm, %wn, %tile, %x, %y, %z, %key;
  .reg .b32 %write, %into, %a_at, %b_at, %a_next, %b_next, %stage, %left, %row, %col, %p, %q;
  .reg .b64 %pa, %pb, %pc, %pitch, %quarter, %from, %u, %v;
  .reg .b32 %a<32>, %b<32>;
  .reg .f32 %c<128>;
  ld.param.u64 %pa, [pa];
  ld.param.u64 %pb, [pb];
  ld.param.u64 %pc, [pc];
  ld.param.u32 %m, [pm];
  ld.param.u32 %n, [pn];
  ld.param.u32 %k, [pk];
  mov.u32 %t, %tid.x;
  and.b32 %lane, %t, 31;
  shr.u32 %warp, %t, 5;
  and.b32 %wm, %warp, 1;
  shr.u32 %wn, %warp, 1;
  mov.u32 %tile, %ctaid.x;
  shr.u32 %x, %n, 7;
  div.u32 %row, %tile, %x;
  rem.u32 %col, %tile, %x;
  shl.b32 %row, %row, 7;
  shl.b32 %col, %col, 7;
  // Four threads fetch a row of 64 bytes; a thread fetches rows 32 apart.
  mul.wide.u32 %pitch, %k, 2;
  shl.b64 %quarter, %pitch, 5;
  shr.u32 %x, %t, 2;
  and.b32 %y, %t, 3;
  mul.wide.u32 %u, %y, 16;
  add.u32 %z, %row, %x;
  cvt.u64.u32 %v, %z;
  mad.lo.u64 %pa, %v, %pitch, %pa;
  add.u64 %pa, %pa, %u;
  add.u32 %z, %col, %x;
  cvt.u64.u32 %v, %z;
  mad.lo.u64 %pb, %v, %pitch, %pb;
  add.u64 %pb, %pb, %u;
  // Chunks of 16 bytes are exchanged by bits 1 and 2 of their row.
  shr.u32 %key, %x, 1;
  and.b32 %key, %key, 3;
  xor.b32 %key, %key, %y;
  mov.u32 %z, ring;
  mad.lo.u32 %write, %x, 64, %z;
  mad.lo.u32 %write, %key, 16, %write;
  shr.u32 %key, %lane, 1;
  and.b32 %key, %key, 3;
  // A: lanes 0 to 15 are rows, the upper half asks for the second chunk. B: eight columns, both chunks, eight more.
  and.b32 %x, %lane, 15;
  shr.u32 %y, %lane, 4;
  xor.b32 %p, %y, %key;
  mad.lo.u32 %a_at, %wm, 4096, %z;
  mad.lo.u32 %a_at, %x, 64, %a_at;
  mad.lo.u32 %a_at, %p, 16, %a_at;
  and.b32 %x, %lane, 7;
  mad.lo.u32 %x, %y, 8, %x;
  shr.u32 %y, %lane, 3;
  and.b32 %y, %y, 1;
  xor.b32 %p, %y, %key;
  mad.lo.u32 %b_at, %wn, 4096, %z;
  mad.lo.u32 %b_at, %x, 64, %b_at;
  mad.lo.u32 %b_at, %p, 16, %b_at;
",
    );
    let mut line = |line: String| {
        text.push_str("  ");
        text.push_str(&line);
        text.push('\n');
    };
    line(format!("add.u32 %b_at, %b_at, {B};"));
    for at in 0..128 {
        line(format!("mov.f32 %c{at}, 0f00000000;"));
    }
    let fetch = |line: &mut dyn FnMut(String), from: &str, to: &str| {
        for (factor, at) in [(&"%pa", 0), (&"%pb", B)] {
            line(format!("mov.b64 {from}, {factor};"));
            for part in 0..4 {
                line(format!("cp.async.cg.shared.global [{to}+{}], [{from}], 16;", at + part * 2048));
                if part < 3 {
                    line(format!("add.u64 {from}, {from}, %quarter;"));
                }
            }
            line(format!("add.u64 {factor}, {factor}, 64;"));
        }
    };
    let fragments = |line: &mut dyn FnMut(String), buffer: usize, a: &str, b: &str| {
        for (name, at) in [("a", a), ("b", b)] {
            for part in 0..4 {
                let regs = vector(name, buffer * 16 + part * 4, 4);
                line(format!("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {regs}, [{at}+{}];", part * 1024));
            }
        }
    };
    let multiply = |line: &mut dyn FnMut(String), buffer: usize| {
        for (row, column) in (0..32).map(|at| (at / 8, if at / 8 % 2 == 0 { at % 8 } else { 7 - at % 8 })) {
            let c = vector("c", (row * 8 + column) * 4, 4);
            let (a, b) = (vector("a", buffer * 16 + row * 4, 4), vector("b", buffer * 16 + column * 2, 2));
            line(format!("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {c}, {a}, {b}, {c};"));
        }
    };
    line("mov.u32 %into, %write;".into());
    for _ in 1..stages {
        fetch(&mut line, "%from", "%into");
        line("cp.async.commit_group;".into());
        line(format!("add.u32 %into, %into, {STAGE};"));
    }
    line("shr.u32 %left, %k, 5;".into());
    line("mov.u32 %stage, 0;".into());
    line(format!("cp.async.wait_group {};", stages - 2));
    line("bar.sync 0;".into());
    fragments(&mut line, 0, "%a_at", "%b_at");
    line("$LOOP:".into());
    // The second half of a row is two chunks further on, before the exchange.
    line("xor.b32 %a_next, %a_at, 32;".into());
    line("xor.b32 %b_next, %b_at, 32;".into());
    line("add.u32 %a_next, %a_next, %stage;".into());
    line("add.u32 %b_next, %b_next, %stage;".into());
    fragments(&mut line, 1, "%a_next", "%b_next");
    line(format!("setp.gt.u32 %more, %left, {};", stages - 1));
    line("@!%more bra $FETCHED;".into());
    fetch(&mut line, "%from", "%into");
    line("$FETCHED:".into());
    line("cp.async.commit_group;".into());
    line(format!("add.u32 %into, %into, {STAGE};"));
    line(format!("add.u32 %p, %write, {end};"));
    line("setp.eq.u32 %wraps, %into, %p;".into());
    line("selp.b32 %into, %write, %into, %wraps;".into());
    multiply(&mut line, 0);
    line(format!("add.u32 %stage, %stage, {STAGE};"));
    line(format!("setp.eq.u32 %wraps, %stage, {end};"));
    line("selp.b32 %stage, 0, %stage, %wraps;".into());
    line(format!("cp.async.wait_group {};", stages - 2));
    line("bar.sync 0;".into());
    line("add.u32 %a_next, %a_at, %stage;".into());
    line("add.u32 %b_next, %b_at, %stage;".into());
    // Behind the last tile there is nothing to fetch from.
    line("setp.eq.u32 %goes, %left, 1;".into());
    line("@%goes bra $LAST;".into());
    fragments(&mut line, 0, "%a_next", "%b_next");
    line("$LAST:".into());
    multiply(&mut line, 1);
    line("sub.u32 %left, %left, 1;".into());
    line("setp.ne.u32 %goes, %left, 0;".into());
    line("@%goes bra $LOOP;".into());
    // A lane holds two neighbouring columns of two rows.
    line("shr.u32 %x, %lane, 2;".into());
    line("and.b32 %y, %lane, 3;".into());
    line("mad.lo.u32 %x, %wm, 64, %x;".into());
    line("add.u32 %x, %x, %row;".into());
    line("shl.b32 %y, %y, 1;".into());
    line("mad.lo.u32 %y, %wn, 64, %y;".into());
    line("add.u32 %y, %y, %col;".into());
    line("mad.lo.u32 %z, %x, %n, %y;".into());
    line("mul.wide.u32 %u, %z, 2;".into());
    line("add.u64 %pc, %pc, %u;".into());
    line("mul.wide.u32 %pitch, %n, 16;".into());
    for row in 0..8 {
        for column in 0..8 {
            let c = (row / 2 * 8 + column) * 4 + row % 2 * 2;
            line(format!("cvt.rn.bf16x2.f32 %p, %c{}, %c{c};", c + 1));
            line(format!("st.global.b32 [%pc+{}], %p;", column * 16));
        }
        line("add.u64 %pc, %pc, %pitch;".into());
    }
    line("ret;".into());
    let _ = writeln!(text, "}}");
    text
}

/// Shared memory of [`by_bulk_copies`]: stages of A and B, two boxes of C for each group of warps, barriers.
pub fn bulk_shared(n: usize) -> usize {
    STAGES * (16384 + n * 128) + 4 * 8192 + STAGES * 16 + 1024
}

const STAGES: usize = 4;

/// `C[M,N] = A[M,K] * B[N,K]^T` in bf16 with sums in f32, for sm_90a: tiles of 128 x `n` x 64 in a ring of four stages
/// that one thread fills with boxes of tensor maps, two groups of warps that multiply with `wgmma`, and boxes of C that
/// are stored by bulk copies. In a cluster of two, which lies along M, each workgroup fetches half of B for both.
/// Parameters: the maps of A (boxes of 128 x 64), B (of `n` / cluster x 64) and C (of 64 x 64), and K.
/// Workgroups: `M / 128` along x, `N / n` along y, of 384 threads.
pub fn by_bulk_copies(cluster: usize, n: usize) -> String {
    const A: usize = 16384;
    let stage = A + n * 128;
    let boxes = STAGES * stage;
    let barriers = boxes + 4 * 8192;
    let mut text = format!(
        ".version 8.0
.target sm_90a
.address_size 64
.extern .shared .align 1024 .b8 memory[];
.visible .entry by_bulk_copies(.param .align 64 .b8 pa[128], .param .align 64 .b8 pb[128], .param .align 64 .b8 pc[128], .param .u32 pk)
.reqntid 384, 1, 1
.reqnctapercluster {cluster}, 1, 1
{{
  .reg .pred %p, %over, %first, %goes, %stores, %elected;
  .reg .b16 %both;
  .reg .b32 %t, %warp, %group, %rank, %base, %full, %empty, %left, %stage, %parity, %slot, %bar, %at, %row, %col;
  .reg .b32 %k, %into, %x, %y, %key, %peer, %before, %box, %q<4>;
  .reg .b64 %ma, %mb, %mc, %da, %db, %a0, %b0, %u;
  .reg .f32 %d<{sums}>;
",
        sums = n / 2
    );
    let mut at = 0;
    let mut line = |line: &str| {
        // Every label of a wait is new.
        at += 1;
        for part in line.replace('#', &at.to_string()).split('\n') {
            text.push_str("  ");
            text.push_str(part.trim());
            text.push('\n');
        }
    };
    let wait = |bar: &str, parity: &str| {
        format!("$WAIT#:\n mbarrier.try_wait.parity.shared::cta.b64 %over, [{bar}], {parity};\n @!%over bra $WAIT#;")
    };
    let next = format!(
        "add.u32 %stage, %stage, 1;\n setp.eq.u32 %p, %stage, {STAGES};\n @%p xor.b32 %parity, %parity, 1;\n \
         selp.b32 %stage, 0, %stage, %p;"
    );
    line("mov.b64 %ma, pa;\n cvta.param.u64 %ma, %ma;\n mov.b64 %mb, pb;\n cvta.param.u64 %mb, %mb;");
    line("mov.b64 %mc, pc;\n cvta.param.u64 %mc, %mc;\n ld.param.u32 %left, [pk];\n shr.u32 %left, %left, 6;");
    line("mov.u32 %t, %tid.x;\n shr.u32 %warp, %t, 5;\n shr.u32 %group, %warp, 2;\n mov.u32 %rank, %cluster_ctarank;");
    line("mov.u32 %base, memory;\n add.u32 %base, %base, 1023;\n and.b32 %base, %base, -1024;");
    line(&format!("add.u32 %full, %base, {barriers};\n add.u32 %empty, %full, {};", STAGES * 8));
    line(&format!(
        "mov.u32 %row, %ctaid.x;\n shl.b32 %row, %row, 7;\n mov.u32 %col, %ctaid.y;\n mul.lo.u32 %col, %col, {n};"
    ));
    line("mov.u32 %stage, 0;\n setp.ne.u32 %p, %t, 0;\n @%p bra $MADE;");
    for at in 0..STAGES {
        line(&format!("mbarrier.init.shared::cta.b64 [%full+{}], 1;", at * 8));
        line(&format!("mbarrier.init.shared::cta.b64 [%empty+{}], {};", at * 8, 2 * cluster));
    }
    line("fence.mbarrier_init.release.cluster;\n$MADE:");
    line("barrier.cluster.arrive.relaxed.aligned;\n barrier.cluster.wait.acquire.aligned;");
    line("setp.ne.u32 %p, %group, 0;\n @%p bra $MULTIPLY;");

    // The first group of warps fetches, by one of its threads.
    line("setmaxnreg.dec.sync.aligned.u32 40;\n setp.ne.u32 %p, %warp, 0;\n @%p bra $END;");
    line("elect.sync _|%elected, -1;\n @!%elected bra $END;");
    line("mov.u32 %parity, 1;\n mov.u32 %k, 0;");
    if cluster == 2 {
        line("mov.u16 %both, 3;");
    }
    line(&format!("mad.lo.u32 %col, %rank, {}, %col;", if cluster == 2 { n / 2 } else { 0 }));
    line("$FETCH:\n shl.b32 %slot, %stage, 3;\n add.u32 %bar, %empty, %slot;");
    line(&wait("%bar", "%parity"));
    line("add.u32 %bar, %full, %slot;");
    line(&format!("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%bar], {stage};"));
    line(&format!("mad.lo.u32 %into, %stage, {stage}, %base;"));
    let copy = "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes";
    line(&format!("{copy} [%into], [%ma, {{%k, %row}}], [%bar];"));
    if cluster == 2 {
        line(&format!("mad.lo.u32 %into, %rank, {}, %into;", n * 64));
        line(&format!("{copy}.multicast::cluster [%into+{A}], [%mb, {{%k, %col}}], [%bar], %both;"));
    } else {
        line(&format!("{copy} [%into+{A}], [%mb, {{%k, %col}}], [%bar];"));
    }
    line(&next);
    line("add.u32 %k, %k, 64;\n sub.u32 %left, %left, 1;\n setp.ne.u32 %goes, %left, 0;\n @%goes bra $FETCH;");
    line("bra $END;");

    // The others multiply, 64 rows each.
    line("$MULTIPLY:\n setmaxnreg.inc.sync.aligned.u32 232;\n sub.u32 %group, %group, 1;\n and.b32 %t, %t, 127;");
    line("mov.u32 %parity, 0;\n shl.b32 %x, %group, 13;\n add.u32 %x, %x, %base;\n shr.u32 %x, %x, 4;");
    // Rows of 128 bytes in the widest swizzle; eight of them are 1024 bytes.
    line("cvt.u64.u32 %u, %x;\n or.b64 %a0, %u, 0x4000004000010000;");
    line(&format!(
        "add.u32 %x, %base, {A};\n shr.u32 %x, %x, 4;\n cvt.u64.u32 %u, %x;\n or.b64 %b0, %u, 0x4000004000010000;"
    ));
    line(&format!("setp.lt.u32 %first, %t, {cluster};\n and.b32 %x, %t, {};", cluster - 1));
    line("mapa.shared::cluster.u32 %peer, %empty, %x;\n mov.u32 %before, -1;");
    let regs = vector("d", 0, n / 2);
    line("setp.ne.u32 %goes, 0, 0;\n$TILE:\n shl.b32 %slot, %stage, 3;\n add.u32 %bar, %full, %slot;");
    line(&wait("%bar", "%parity"));
    line(&format!("mul.wide.u32 %u, %stage, {};\n add.s64 %da, %a0, %u;\n add.s64 %db, %b0, %u;", stage / 16));
    line("wgmma.fence.sync.aligned;");
    for step in 0..4 {
        line(&format!("wgmma.mma_async.sync.aligned.m64n{n}k16.f32.bf16.bf16 {regs}, %da, %db, %goes, 1, 1, 0, 0;"));
        if step == 0 {
            line("setp.eq.u32 %goes, 0, 0;");
        }
        if step < 3 {
            line("add.s64 %da, %da, 2;\n add.s64 %db, %db, 2;");
        }
    }
    line("wgmma.commit_group.sync.aligned;\n wgmma.wait_group.sync.aligned 1;");
    let release = "shl.b32 %slot, %before, 3;\n add.u32 %bar, %peer, %slot;\n \
                   @%p mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%bar];";
    line("setp.ne.and.s32 %p, %before, -1, %first;");
    line(release);
    line("mov.u32 %before, %stage;");
    line(&next);
    line("sub.u32 %left, %left, 1;\n setp.ne.u32 %p, %left, 0;\n @%p bra $TILE;");
    line("wgmma.wait_group.sync.aligned 0;");

    // Boxes of 64 columns of C, in two buffers in turn.
    line("shr.u32 %x, %t, 5;\n and.b32 %y, %t, 15;\n mad.lo.u32 %x, %x, 16, %y;\n shl.b32 %x, %x, 7;");
    line(&format!("mad.lo.u32 %box, %group, 16384, %base;\n add.u32 %box, %box, {boxes};\n add.u32 %at, %box, %x;"));
    line(
        "shr.u32 %key, %t, 4;\n and.b32 %key, %key, 1;\n and.b32 %y, %t, 7;\n xor.b32 %key, %key, %y;\n shl.b32 %key, %key, 4;",
    );
    line("mad.lo.u32 %row, %group, 64, %row;\n add.u32 %group, %group, 1;\n setp.eq.u32 %stores, %t, 0;");
    for part in 0..n / 64 {
        let buffer = part % 2 * 8192;
        if part > 1 {
            line("@%stores cp.async.bulk.wait_group.read 1;\n bar.sync %group, 128;");
        }
        for chunk in 0..4 {
            for pair in 0..4 {
                let at = part * 32 + chunk * 8 + pair * 2;
                line(&format!("cvt.rn.bf16x2.f32 %q{pair}, %d{}, %d{at};", at + 1));
            }
            line(&format!("xor.b32 %x, %key, {};\n add.u32 %x, %x, %at;", chunk * 32));
            line(&format!("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%x+{buffer}], {{%q0, %q1, %q2, %q3}};"));
        }
        line("fence.proxy.async.shared::cta;\n bar.sync %group, 128;");
        line(&format!("add.u32 %x, %box, {buffer};\n add.u32 %y, %col, {};", part * 64));
        line("@%stores cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%mc, {%y, %row}], [%x];");
        line("@%stores cp.async.bulk.commit_group;");
    }
    line("@%stores cp.async.bulk.wait_group 0;\n$END:");
    // Nobody may release a stage of a workgroup that has ended.
    line("barrier.cluster.arrive.release;\n barrier.cluster.wait.acquire;\n ret;");
    let _ = writeln!(text, "}}");
    text
}
