//! Small kernels of every form of instruction that the executor knows, with random operands: each is executed, or refused
//! with a diagnostic, the same at each time, and never a panic.
//!
//! `RADDLE_PROGRAMS=20000000` makes so many, on all cores; `RADDLE_SEED` starts elsewhere.
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test may panic, and says what it found")]

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::thread;

use raddle_emu::{AsyncMode, Options, Tensor, ptx};
use raddle_ir::{Code, Diag, Float, Scalar};

use crate::common::Dice;
use crate::common::caught::caught;

/// Kernels in an ordinary run of the tests.
const N_KERNELS: u64 = 5_000;
/// One of so many is executed twice, to see whether the same comes out.
const TWICE: u64 = 32;

/// Forms of instructions. Of `<a/b>` one is chosen. Operands: `$p` predicate, `$h` 16 bits,
/// `$r` 32, `$l` 64, `$f` f32, `$d` f64; `$R`, `$L`, `$F`, `$D`, `$P` also numbers of such a type; `$i` a small
/// number, `$q` 128 bits, `$g` an address in global memory, `$s` in shared memory, `$b` a barrier there, `$a` any of the frame of a
/// thread, `$m` a mask of lanes.
const FORMS: &[&str] = &[
    // Integers.
    "<add/sub/min/max/mul.lo/mul.hi/div/rem>.<s32/u32> $r, $R, $R",
    "<add/sub/min/max/mul.lo/mul.hi/div/rem>.<s64/u64> $l, $L, $L",
    "<add/sub/min/max/mul.lo/mul.hi/div/rem>.<s16/u16> $h, $h, $h",
    "<add/min/max>.<s16x2/u16x2> $r, $r, $r",
    "<add.sat/sub.sat>.s32 $r, $R, $R",
    "<add/sub>.cc.<s32/u32> $r, $R, $R",
    "<addc/subc></.cc>.<s32/u32> $r, $R, $R",
    "<mad.lo/mad.hi>.cc.<s32/u32> $r, $R, $R, $R",
    "<madc.lo/madc.hi></.cc>.<s32/u32> $r, $R, $R, $R",
    "mul.wide.<s32/u32> $l, $R, $R",
    "mul.wide.<s16/u16> $r, $h, $h",
    "mul24.<lo/hi>.<s32/u32> $r, $R, $R",
    "mad24.<lo/hi>.<s32/u32> $r, $R, $R, $R",
    "mad.<lo/hi>.<s32/u32> $r, $R, $R, $R",
    "mad.<lo/hi>.<s64/u64> $l, $L, $L, $L",
    "mad.wide.<s32/u32> $l, $R, $R, $L",
    "sad.<s32/u32> $r, $R, $R, $R",
    "<abs/neg>.s32 $r, $R",
    "<abs/neg>.s64 $l, $L",
    "<and/or/xor>.b32 $r, $R, $R",
    "<and/or/xor>.b64 $l, $L, $L",
    "<and/or/xor>.b16 $h, $h, $h",
    "<and/or/xor>.pred $p, $P, $P",
    "not.<b32 $r, $R/b64 $l, $L/b16 $h, $h/pred $p, $P>",
    "cnot.<b32 $r, $R/b64 $l, $L>",
    "<shl.b32/shr.s32/shr.u32/shr.b32> $r, $R, $R",
    "<shl.b64/shr.s64/shr.u64> $l, $L, $R",
    "<shl.b16/shr.s16/shr.u16> $h, $h, $R",
    "shf.<l/r>.<wrap/clamp>.b32 $r, $R, $R, $R",
    "lop3.b32 $r, $R, $R, $R, $i",
    "lop3.<and/or>.b32 <$r/_>|$p, $R, $R, $R, $i, </!>$p",
    "cvt.pack.sat.<s16/u16>.s32 $r, $R, $R",
    "cvt.pack.sat.<s8/u8/s4/u4/s2/u2>.s32.b32 $r, $R, $R, $R",
    "<popc/clz>.<b32 $r, $R/b64 $r, $L>",
    "brev.<b32 $r, $R/b64 $l, $L>",
    "bfind</.shiftamt>.<s32 $r, $R/u32 $r, $R/s64 $r, $L/u64 $r, $L>",
    "bfe.<s32 $r, $R/u32 $r, $R/s64 $l, $L/u64 $l, $L>, $R, $R",
    "bfi.<b32 $r, $R, $R/b64 $l, $L, $L>, $R, $R",
    "bmsk.<wrap/clamp>.b32 $r, $R, $R",
    "szext.<wrap/clamp>.<s32/u32> $r, $R, $R",
    "fns.b32 $r, $R, $R, $R",
    "prmt.b32</.f4e/.b4e/.rc8/.ecl/.ecr/.rc16> $r, $R, $R, $R",
    "dp4a.<s32/u32>.<s32/u32> $r, $R, $R, $R",
    "dp2a.<lo/hi>.<s32/u32>.<s32/u32> $r, $R, $R, $R",
    "<vadd/vsub/vmin/vmax/vabsdiff><2/4>.<s32/u32>.<s32/u32>.<s32/u32></.sat/.add> $r, $R, $R, $R",
    // Floats.
    "<add/sub/mul></.rn/.rz/.rm/.rp></.ftz></.sat>.f32 $f, $F, $F",
    "fma<.rn/.rz/.rm/.rp></.ftz></.sat>.f32 $f, $F, $F, $F",
    "<add/sub/mul></.rn/.rz/.rm/.rp>.f64 $d, $D, $D",
    "fma<.rn/.rz/.rm/.rp>.f64 $d, $D, $D, $D",
    "<add/sub/mul></.rn></.ftz></.sat>.<f16 $h, $h, $h/f16x2 $r, $r, $r>",
    "<add/sub/mul></.rn>.<bf16 $h, $h, $h/bf16x2 $r, $r, $r>",
    "fma.rn</.ftz></.sat/.relu>.<f16 $h, $h, $h, $h/f16x2 $r, $r, $r, $r>",
    "fma.rn</.relu>.<bf16 $h, $h, $h, $h/bf16x2 $r, $r, $r, $r>",
    "fma.rn.oob</.relu>.<f16 $h, $h, $h, $h/f16x2 $r, $r, $r, $r/bf16 $h, $h, $h, $h/bf16x2 $r, $r, $r, $r>",
    "div<.rn/.rz/.rm/.rp/.approx/.full></.ftz>.f32 $f, $F, $F",
    "div<.rn/.rz/.rm/.rp>.f64 $d, $D, $D",
    "<rcp/sqrt><.rn/.rz/.rm/.rp/.approx></.ftz>.f32 $f, $F",
    "<rcp/sqrt><.rn/.rz/.rm/.rp>.f64 $d, $D",
    "<rsqrt/sin/cos/lg2/ex2>.approx</.ftz>.f32 $f, $F",
    "tanh.approx.<f32 $f, $F/f16 $h, $h/f16x2 $r, $r/bf16 $h, $h/bf16x2 $r, $r>",
    "ex2.approx</.ftz>.<f16 $h, $h/f16x2 $r, $r>",
    "rsqrt.approx.f64 $d, $D",
    "<abs/neg>.<f32 $f, $F/f64 $d, $D/f16 $h, $h/bf16 $h, $h/f16x2 $r, $r/bf16x2 $r, $r>",
    "<min/max></.ftz></.NaN></.xorsign.abs>.<f32 $f, $F, $F/f16 $h, $h, $h/f16x2 $r, $r, $r>",
    "<min/max></.ftz></.NaN></.abs>.f32 $f, $F, $F, $F",
    "<min/max></.NaN>.<bf16 $h, $h, $h/bf16x2 $r, $r, $r>",
    "<min/max>.f64 $d, $D, $D",
    "copysign.<f32 $f, $F, $F/f64 $d, $D, $D>",
    "testp.<finite/infinite/number/notanumber/normal/subnormal>.<f32 $p, $F/f64 $p, $D>",
    // Comparisons and choices.
    "setp.<eq/ne/lt/le/gt/ge>.<s32/u32> $p</|$p>, $R, $R",
    "setp.<eq/ne/lo/ls/hi/hs>.u32 $p, $R, $R",
    "setp.<eq/ne/lt/le/gt/ge>.<s64/u64> $p, $L, $L",
    "setp.<eq/ne/lt/le/gt/ge>.<s16/u16> $p, $h, $h",
    "setp.<eq/ne/lt/le/gt/ge/equ/neu/ltu/leu/gtu/geu/num/nan></.ftz>.f32 $p, $F, $F",
    "setp.<eq/ne/lt/le/gt/ge/equ/neu/ltu/leu/gtu/geu/num/nan>.f64 $p, $D, $D",
    "setp.<eq/ne/lt/gt>.<and/or/xor>.<s32 $p, $R, $R/f32 $p, $F, $F/u64 $p, $L, $L>, </!>$p",
    "setp.<eq/lt/ltu/nan>.<f16 $p, $h, $h/bf16 $p, $h, $h>",
    "setp.<eq/lt/ltu/nan>.<f16x2/bf16x2> $p|$p, $r, $r",
    "set.<eq/ne/lt/ge>.<u32/s32>.<s32 $r, $R, $R/f32 $r, $F, $F/f64 $r, $D, $D>",
    "set.<eq/lt/gt>.f32.<s32 $f, $R, $R/f32 $f, $F, $F>",
    "set.<eq/gt/ltu>.<u32/s32/f16x2>.f16x2 $r, $r, $r",
    "set.<eq/gt/ltu>.<u32/s32/bf16x2>.bf16x2 $r, $r, $r",
    "selp.<b32 $r, $R, $R/f32 $f, $F, $F/b64 $l, $L, $L/f64 $d, $D, $D/b16 $h, $h, $h>, $p",
    "slct.<b32.s32 $r, $R, $R, $R/b32.f32 $r, $R, $R, $F/f32.s32 $f, $F, $F, $R/f64.f32 $d, $D, $D, $F>",
    // Conversions.
    "cvt.<u16.u32 $h, $r/u32.u16 $r, $h/s32.s16 $r, $h/u64.u32 $l, $r/s64.s32 $l, $r/u32.u64 $r, $l/s32.s64 $r, $l>",
    "cvt.<u32.u8 $r, $r/s32.s8 $r, $r/u8.u32 $r, $r/s16.s8 $h, $h/u16.u8 $h, $h>",
    "cvt.sat.<u8.s32 $r, $r/s8.s32 $r, $r/u16.s32 $h, $r/s16.s32 $h, $r/u32.s32 $r, $r>",
    "cvt.<rn/rz/rm/rp>.f32.<s32 $f, $r/u32 $f, $r/s64 $f, $l/u64 $f, $l>",
    "cvt.<rn/rz/rm/rp>.f64.<s64 $d, $l/u64 $d, $l>",
    "cvt.rn.f64.<s32 $d, $r/u32 $d, $r>",
    "cvt.<rn/rz>.<f16.s32 $h, $r/f16.u32 $h, $r/f16.f32 $h, $f>",
    "cvt.<rni/rzi/rmi/rpi></.ftz></.sat>.<s32/u32>.f32 $r, $f",
    "cvt.<rni/rzi/rmi/rpi>.<s64/u64>.<f32 $l, $f/f64 $l, $d>",
    "cvt.<rni/rzi/rmi/rpi>.<s32/u32>.f64 $r, $d",
    "cvt.<rni/rzi/rmi/rpi>.<s16/u16>.<f32 $h, $f/f16 $h, $h>",
    "cvt.<rni/rzi/rmi/rpi>.<f32.f32 $f, $f/f64.f64 $d, $d/f16.f16 $h, $h>",
    "cvt.<rn/rz/rm/rp></.ftz>.f32.f64 $f, $d",
    "cvt</.ftz>.<f64.f32 $d, $f/f32.f16 $f, $h>",
    "cvt.f32.bf16 $f, $h",
    "cvt.<rn/rz></.relu>.<bf16.f32 $h, $f/f16x2.f32 $r, $f, $f/bf16x2.f32 $r, $f, $f>",
    "cvt.<rna/rn/rz>.tf32.f32 $r, $f",
    "cvt.rn.satfinite</.relu>.<e4m3x2/e5m2x2>.<f32 $h, $f, $f/f16x2 $h, $r>",
    "cvt.rn</.relu>.f16x2.<e4m3x2/e5m2x2> $r, $h",
    // Moves and addresses.
    "mov.<b32 $r, $R/u32 $r, $R/f32 $f, $F/b64 $l, $L/f64 $d, $D/b16 $h, $h/pred $p, $p>",
    "mov.b32 <{$h, $h}, $r/$r, {$h, $h}/$f, $r/$r, $f>",
    "mov.b64 <{$r, $r}, $l/$l, {$r, $r}/{$h, $h, $h, $h}, $l/$d, $l/$l, {$f, $r}>",
    "mov.b128 <$q, {$l, $l}/{$l, $l}, $q/{_, $l}, $q/$q, $q>",
    "mov.u32 $r, %<tid.x/ntid.x/ctaid.x/nctaid.x/laneid/warpid/nwarpid/clock/smid/lanemask_lt/lanemask_eq/lanemask_ge>",
    "mov.u64 $l, %<clock64/globaltimer>",
    "mov.u32 $r, %reserved_smem_offset_<begin/end/cap/0/1>",
    "mov.<u32 $r/u64 $l>, <tile/bar/frame/table></[3]/[$r]>",
    "cvta</.to>.<global/shared/local/const>.u64 $l, $l",
    "isspacep.<global/shared/local/const> $p, $l",
    // Memory.
    "ld.global</.nc/.ca/.cg/.cs/.L1::evict_last/.L2::128B>.<u32 $r/b32 $r/f32 $f/u64 $l/f64 $d/u16 $h/s16 $h/u8 $r/s8 $r>, $g",
    "ld.global</.nc>.v2.<u32 {$r, $r}/f32 {$f, $f}/b64 {$l, $l}/u16 {$h, $h}>, $g",
    "ld.global</.nc>.v4.<u32 {$r, $r, $r, $r}/f32 {$f, $f, $f, $f}/u16 {$h, $h, $h, $h}>, $g",
    "ld.<volatile/relaxed.gpu/acquire.gpu/relaxed.sys/acquire.cta>.global.u32 $r, $g",
    "ld.<u32 $r/u64 $l/f32 $f>, $g",
    "st.global</.wb/.cg/.cs/.L1::no_allocate>.<u32 $g, $R/f32 $g, $F/u64 $g, $L/f64 $g, $D/u16 $g, $h/u8 $g, $r>",
    "st.global.v2.<u32 $g, {$r, $r}/f64 $g, {$d, $d}>",
    "st.global.v4.<u32 $g, {$r, $r, $r, $r}/f32 $g, {$f, $f, $f, $f}>",
    "st.<volatile/relaxed.gpu/release.gpu/release.sys>.global.u32 $g, $r",
    "ld.shared.<u32 $r/f32 $f/u64 $l/u16 $h/u8 $r/v4.u32 {$r, $r, $r, $r}/v2.f64 {$d, $d}>, $s",
    "st.shared.<u32 $s, $r/f32 $s, $F/u64 $s, $l/u16 $s, $h/u8 $s, $r/v4.u32 $s, {$r, $r, $r, $r}>",
    "<ld.global.b128 $q, $g/ld.relaxed.gpu.global.b128 $q, $g/ld.shared.b128 $q, $s/ld.local.b128 $q, $a>",
    "<st.global.b128 $g, $q/st.release.sys.global.b128 $g, $q/st.shared.b128 $s, $q/st.local.b128 $a, $q>",
    "<ld.mmio.relaxed.sys.global.u32 $r, $g/st.mmio.relaxed.sys.global.u32 $g, $r>",
    "ld.local.<u32 $r/u64 $l/v2.b32 {$r, $r}>, $a",
    "st.local.<u32 $a, $r/u64 $a, $l/v2.b32 $a, {$r, $r}>",
    "ld.const.<u32 $r, [table]/u32 $r, [table+$i]/u64 $l, [table+8]/u32 $r, table[1]>",
    "ld.param.<u64 $l, [a]/u32 $r, [n]/u32 $r, [a+4]>",
    "<atom.global.add/atom.global.min/atom.global.max>.<u32 $r, $g, $R/s32 $r, $g, $R/u64 $l, $g, $L>",
    "atom.<relaxed.gpu./acq_rel.sys./>global.<and/or/xor/exch>.<b32 $r, $g, $R/b64 $l, $g, $L>",
    "atom.<global/shared>.<inc/dec>.u32 $r, <$g/$s>, $R",
    "atom.<global.cas.b32 $r, $g/shared.cas.b32 $r, $s>, $R, $R",
    "atom.<global.exch.b128 $q, $g, $q/shared.exch.b128 $q, $s, $q/global.cas.b128 $q, $g, $q, $q>",
    "atom.global.cas.<b16 $h, $g, $h, $h/b64 $l, $g, $L, $L>",
    "atom.<global.add.f32 $f, $g, $F/global.add.f64 $d, $g, $D/shared.add.f32 $f, $s, $F>",
    "atom.global.add.noftz.<f16 $h, $g, $h/f16x2 $r, $g, $r/bf16 $h, $g, $h/bf16x2 $r, $g, $r>",
    "atom.shared.<add/min/max>.<u32/s32> $r, $s, $R",
    "red.<global.add.u32 $g, $R/global.add.f32 $g, $F/shared.max.s32 $s, $R/global.or.b32 $g, $R/global.add.u64 $g, $L>",
    "red.</relaxed.gpu.>global.add.<v2.f32 $g, {$f, $f}/v4.f32 $g, {$f, $f, $f, $f}>",
    "prefetch.<global.L1/global.L2> $g",
    "cp.async.<ca.shared.global $s, $g, 4/ca.shared.global $s, $g, 8/cg.shared.global $s, $g, 16></, $R>",
    "cp.async.<commit_group/wait_all/wait_group $i>",
    "cp.async.mbarrier.arrive</.noinc>.shared.b64 $b",
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes $s, $g, <16/64/$R>, $b",
    "cp.async.bulk.global.shared::cta.bulk_group $g, $s, <16/64/$R>",
    "cp.reduce.async.bulk.global.shared::cta.bulk_group.<add.u32/min.s32/and.b32/add.f32/inc.u32> $g, $s, <16/64>",
    "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.<add.u32/min.s32/and.b32/inc.u32/add.u64> $s, $s, <16/64>, $b",
    "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes.ignore_oob $s, $g, <16/64>, <0/5>, <0/11>, $b",
    "cp.async.bulk.global.shared::cta.bulk_group.cp_mask $g, $s, <16/64>, $h",
    "st.async.shared::cluster.mbarrier::complete_tx::bytes.<b32 $s, $R/f64 $s, $D/v2.b32 $s, {$r, $r}/v4.f32 $s, {$f, $f, $f, $f}>, $b",
    "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.<inc.u32 $s, $R/min.s32 $s, $R/xor.b32 $s, $R/add.u64 $s, $L>, $b",
    "cp.async.bulk.<commit_group/wait_group $i/wait_group.read $i>",
    "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes $s, [%map, {$R, $R}], $b",
    "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%map, {$R, $R}], $s",
    // Barriers and warps.
    "cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes.<cta_group::1/cta_group::2> $s, [%map, {$R, $R}], $b",
    "cp.async.bulk.tensor.2d.shared::cluster.global.tile::gather4.mbarrier::complete_tx::bytes $s, [%map, {$R, $R, $R, $R, $R}], $b",
    "cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group [%map, {$R, $R, $R, $R, $R}], $s",
    "st.bulk</.weak>.shared::cta $s, <16/64>, 0",
    "clusterlaunchcontrol.try_cancel.async</.shared::cta>.mbarrier::complete_tx::bytes</.multicast::cluster::all>.b128 $s, $b",
    "clusterlaunchcontrol.query_cancel.<is_canceled.pred.b128 $p/get_first_ctaid::x.b32.b128 $r/get_first_ctaid.v4.b32.b128 {$r, $r, $r, _}>, $q",
    "bar.<sync $i/sync $i, 32/warp.sync $m/arrive 1, 64/sync 1, 64>",
    "bar.red.<popc.u32 $r, $i, $p/and.pred $p, $i, $p/or.pred $p, $i, !$p>",
    "barrier</.cta>.sync</.aligned> $i",
    "<membar.cta/membar.gl/membar.sys/fence.acq_rel.gpu/fence.sc.cta/fence.proxy.async/fence.mbarrier_init.release.cluster>",
    "fence.<acquire.sync_restrict::shared::cluster/release.sync_restrict::shared::cta>.cluster",
    "mbarrier.init.shared.b64 $b, <1/32/64/$R>",
    "mbarrier.inval.shared.b64 $b",
    "mbarrier.arrive</.release.cta>.shared.b64 <$l/_>, $b</, $i>",
    "mbarrier.arrive_drop.shared.b64 <$l/_>, $b",
    "mbarrier.arrive.expect_tx.shared.b64 <$l/_>, $b, <16/64/$R>",
    "mbarrier.<expect_tx/complete_tx>.relaxed.cta.shared::cta.b64 $b, <16/64/$R>",
    "mbarrier.<test_wait/try_wait>.shared.b64 $p, $b, $l",
    "mbarrier.<test_wait/try_wait>.parity.shared.b64 $p, $b, <0/1/$R>",
    "mbarrier.pending_count.b64 $r, $l",
    "shfl.sync.<up/down/bfly/idx>.b32 $r</|$p>, $R, $R, $R, $m",
    "vote.sync.<all/any/uni>.pred $p, </!>$p, $m",
    "vote.sync.ballot.b32 $r, $p, $m",
    "match.<any.sync.b32 $r, $R/any.sync.b64 $r, $L/all.sync.b32 $r|$p, $R>, $m",
    "redux.sync.<add/min/max>.<s32/u32> $r, $R, $m",
    "redux.sync.<and/or/xor>.b32 $r, $R, $m",
    "activemask.b32 $r",
    "elect.sync <$r/_>|$p, $m",
    "nanosleep.u32 $R",
    "setmaxnreg.<inc/dec>.sync.aligned.u32 <24/40/232/$i>",
    "griddepcontrol.<wait/launch_dependents>",
    "mapa.shared::cluster.u32 $r, $r, $R",
    "getctarank.shared::cluster.u32 $r, $r",
    "barrier.cluster.<arrive/arrive.relaxed/wait>",
    // Matrices.
    "ldmatrix.sync.aligned.m8n8.<x1</.trans>.shared.b16 {$r}/x2</.trans>.shared.b16 {$r, $r}>, $s",
    "ldmatrix.sync.aligned.m8n8.x4</.trans>.shared.b16 {$r, $r, $r, $r}, $s",
    "stmatrix.sync.aligned.m8n8.<x1.shared.b16 $s, {$r}/x2.trans.shared.b16 $s, {$r, $r}/x4.shared.b16 $s, {$r, $r, $r, $r}>",
    "ldmatrix.sync.aligned.m16n16.<x1.trans.shared.b8 {$r, $r}/x2.trans.shared.b8x16.b4x16_p64 {$r, $r, $r, $r}>, $s",
    "ldmatrix.sync.aligned.m8n16.<x1.shared.b8x16.b6x16_p32 {$r}/x2.shared.b8x16.b4x16_p64 {$r, $r}>, $s",
    "stmatrix.sync.aligned.m16n8.<x1.trans.shared.b8 $s, {$r}/x2.trans.shared.b8 $s, {$r, $r}>",
    "movmatrix.sync.aligned.m8n8.trans.b16 $r, $r",
    "mma.sync.aligned.m16n8k8.row.col.f32.<f16.f16/bf16.bf16>.f32 {$f, $f, $f, $f}, {$r, $r}, {$r}, {$f, $f, $f, $f}",
    "mma.sync.aligned.m16n8k16.row.col.f32.<f16.f16/bf16.bf16>.f32 {$f, $f, $f, $f}, {$r, $r, $r, $r}, {$r, $r}, {$f, $f, $f, $f}",
    "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {$r, $r}, {$r, $r, $r, $r}, {$r, $r}, {$r, $r}",
    "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {$f, $f, $f, $f}, {$r, $r, $r, $r}, {$r, $r}, {$f, $f, $f, $f}",
    "mma.sync.aligned.m16n8k32.row.col.f32.<e4m3/e5m2>.<e4m3/e5m2>.f32 {$f, $f, $f, $f}, {$r, $r, $r, $r}, {$r, $r}, {$f, $f, $f, $f}",
    "mma.sync.aligned.m16n8k32.row.col</.satfinite>.s32.<s8/u8>.<s8/u8>.s32 {$r, $r, $r, $r}, {$r, $r, $r, $r}, {$r, $r}, {$r, $r, $r, $r}",
    "mma.sync.aligned.m16n8k64.row.col</.satfinite>.s32.<s4/u4>.<s4/u4>.s32 {$r, $r, $r, $r}, {$r, $r, $r, $r}, {$r, $r}, {$r, $r, $r, $r}",
    "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.<xor/and>.popc {$r, $r, $r, $r}, {$r, $r, $r, $r}, {$r, $r}, {$r, $r, $r, $r}",
    "mma.sync.aligned.m8n8k4.row.col</.rn>.f64.f64.f64.f64 {$d, $d}, {$d}, {$d}, {$d, $d}",
    "mma.sp</::ordered_metadata>.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {$f, $f, $f, $f}, {$r, $r, $r, $r}, {$r, $r, $r, $r}, {$f, $f, $f, $f}, $r, <0/1>",
    "wmma.load.<a.sync.aligned.row/b.sync.aligned.col>.m8n8k32.global.<s4/u4> {$r}, $g</, $R>",
    "wmma.load.<a/b>.sync.aligned.<row/col>.m8n8k4.shared.f64 {$d}, $s</, $R>",
    "wmma.load.a.sync.aligned.<row/col>.m16n16k8.global.tf32 {$r, $r, $r, $r}, $g</, $R>",
    "wmma.<load.c.sync.aligned.row.m16n16k16.global.f16 {$r, $r, $r, $r}, $g/store.d.sync.aligned.col.m16n16k16.shared.f16 $s, {$r, $r, $r, $r}>, <8/$R>",
    "wmma.mma.sync.aligned.<row/col>.<row/col></.rn>.m8n8k4.f64.f64.f64.f64 {$d, $d}, {$d}, {$d}, {$d, $d}",
    "wmma.mma.sync.aligned.row.col.m8n8k32.s32.<s4.s4/u4.u4>.s32</.satfinite> {$r, $r}, {$r}, {$r}, {$r, $r}",
    "wmma.mma.<xor/and>.popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32 {$r, $r}, {$r}, {$r}, {$r, $r}",
    "wgmma.mma_async.sync.aligned.m64n8k256.s32.b1.b1.and.popc {$r, $r, $r, $r}, %l1, %l1, $p",
    "wgmma.<fence/commit_group>.sync.aligned",
    "wgmma.wait_group.sync.aligned $i",
    "wgmma.mma_async.sync.aligned.m64n8k16.f32.<f16.f16/bf16.bf16> {$f, $f, $f, $f}, <%l1, %l1, $p, 1, <1/-1>, 0, 1/{$r, $r, $r, $r}, %l1, $p, 1, <1/-1>, 0>",
    // Control.
    "</@$p /@!$p >bra DONE",
    "</@$p /@!$p >bra AGAIN",
    "@$p <exit/ret/trap>",
    "@</!>$p add.s32 $r, $R, $R",
    "@</!>$p bar.sync 0",
    "</@$p >call.uni ($r), twice, ($r)",
    "mov.u64 $l, twice",
    "call ($r), $l, ($r), proto",
];

/// PTX that is refused, by an error that names the instruction: each with what it is. No `<a/b>`: one is as good as another.
const REFUSED: &[(&str, &str)] = &[
    (
        "wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {$f, $f, $f, $f}, $l, $l, $r, 0, $p, 1, 1, 0, 1",
        "products of groups of warps with a sparse factor",
    ),
    (
        "cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes $s, [%map, {$r, $r, $r}], $b, {$h}",
        "`im2col`: windows of convolutions, in all their modes",
    ),
    (
        "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f16 {$f, $f, $f, $f, $f, $f, $f, $f}, {$r, $r}, {$r, $r}, {$r, $r, $r, $r}",
        "sums of f16 that become sums of f32, but in `wmma`",
    ),
    (
        "wmma.mma.sync.aligned.row.col.rz.m8n8k4.f64.f64.f64.f64 {$d, $d}, {$d}, {$d}, {$d, $d}",
        "products of f64 that are not rounded to the nearest",
    ),
    ("multimem.red.relaxed.gpu.global.add.u32 $g, $r", "memory of several devices"),
    (
        "vadd.s32.s32.s32.sat $r, $r, $r",
        "video instructions, but the sums, differences, least and greatest of halves and bytes",
    ),
    ("tex.1d.v4.f32.s32 {$f, $f, $f, $f}, [$l, {$r}]", "textures, surfaces and samplers"),
    ("cvt.rs.f16x2.f32 $r, $f, $f, $r", "rounding by random bits, on sm_100 and newer"),
    ("tcgen05.wait::ld.sync.aligned", "tensor memory, on sm_100 and newer"),
];

/// What is in front of the random instructions: values of all types, and addresses of a thread's own.
const BEFORE: &str = "
  ld.param.u64 %g1, [a];
  mov.u32 %t, %tid.x;
  mul.wide.u32 %g2, %t, 16;
  add.s64 %g2, %g1, %g2;
  ld.global.v4.u32 {%r0, %r1, %r2, %r3}, [%g2];
  mov.b64 %l0, {%r0, %r1};
  mov.b64 %l1, 5;
  mov.b64 %l2, -1;
  mov.u64 %l3, tile;
  cvt.u16.u32 %h0, %r2;
  mov.b16 %h1, 0x3c00;
  mov.b16 %h2, 0x7c01;
  mov.b16 %h3, 0xffff;
  mov.b32 %f0, %r3;
  cvt.rn.f32.s32 %f1, %r0;
  mov.f32 %f2, 0f7f800000;
  mov.f32 %f3, 0f00000001;
  mov.b64 %d0, %l0;
  mov.b128 %q0, {%l0, %l1};
  mov.b128 %q1, {%l2, %l0};
  mov.f64 %d1, 0d3ff8000000000000;
  mov.f64 %d2, 0dfff0000000000000;
  mov.f64 %d3, 0d8000000000000001;
  setp.lt.u32 %p0, %t, 16;
  setp.eq.u32 %p1, %t, 0;
  setp.lt.s32 %p2, %r0, %r1;
  setp.ne.u32 %p3, %t, %t;
  mov.u32 %s1, tile;
  shl.b32 %s2, %t, 4;
  add.u32 %s2, %s1, %s2;
  st.shared.v4.u32 [%s2], {%r0, %r1, %r2, %r3};
  st.local.v2.b64 [frame], {%l0, %l1};
  mov.u32 %n, 0;
";

/// Instructions with their operands, of which there may be several in a kernel.
fn kernel(body: &str) -> String {
    format!(
        ".version 8.6
.target sm_90a
.address_size 64
.const .align 8 .b32 table[4] = {{1, 2, 3, 4}};
.func (.reg .b32 %y) twice(.reg .b32 %x)
{{
  shl.b32 %y, %x, 1;
  ret;
}}
.func (.reg .b32 %y) down(.reg .b32 %x)
{{
  .reg .pred %e;
  .reg .b32 %z;
  setp.lo.u32 %e, %x, 4;
  mov.u32 %y, %x;
  @%e ret;
  shr.u32 %z, %x, 3;
  call (%z), down, (%z);
  add.u32 %y, %z, %x;
  ret;
}}
.visible .entry k(.param .u64 a, .param .align 64 .b8 m[128], .param .u32 n)
{{
  .reg .pred %p<4>, %over;
  .reg .b16 %h<4>;
  .reg .b32 %r<4>, %t, %s<3>, %n;
  .reg .b64 %l<4>, %g<3>, %map;
  .reg .b128 %q<4>;
  .reg .f32 %f<4>;
  .reg .f64 %d<4>;
  .local .align 16 .b8 frame[32];
  .shared .align 128 .b8 tile[2048];
  .shared .align 8 .b64 bar;
proto: .callprototype (.reg .b32 _) _ (.reg .b32 _);
  mov.b64 %map, m;
  cvta.param.u64 %map, %map;
{BEFORE}AGAIN:
  add.u32 %n, %n, 1;
  setp.gt.u32 %over, %n, 3;
  @%over bra DONE;
{body}
  bar.warp.sync -1;
  st.global.v2.u32 [%g2], {{%r0, %r1}};
DONE:
  ret;
}}
"
    )
}

/// A form with one of its alternatives at each place, and operands.
fn instruction(form: &str, dice: &mut Dice) -> String {
    let mut text = form.to_owned();
    while let Some(end) = text.find('>') {
        let start = text[..end].rfind('<').unwrap();
        let alternatives: Vec<&str> = text[start + 1..end].split('/').collect();
        let chosen = alternatives[dice.below(alternatives.len())].to_owned();
        text.replace_range(start..=end, &chosen);
    }
    while let Some(at) = text.find('$') {
        let operand = operand(text.as_bytes()[at + 1], dice);
        text.replace_range(at..at + 2, &operand);
    }
    text
}

fn operand(class: u8, dice: &mut Dice) -> String {
    const INTEGERS: &[&str] =
        &["0", "1", "-1", "2", "7", "31", "32", "63", "64", "255", "65536", "0x80000000", "4294967295"];
    const WIDE: &[&str] = &["0", "1", "-1", "63", "64", "0x8000000000000000", "18446744073709551615"];
    const SINGLES: &[&str] = &["0f00000000", "0f80000000", "0f3f800000", "0f7fc00001", "0fff800000", "0f7f7fffff"];
    const DOUBLES: &[&str] = &["0d0000000000000000", "0d7ff0000000000000", "0dfff8000000000001", "0d41e0000000000000"];
    let offset = |dice: &mut Dice| ["", "", "+4", "+16", "+2", "-8", "+4096", "+1"][dice.below(8)];
    let numbers = match class {
        b'R' => INTEGERS,
        b'L' => WIDE,
        b'F' => SINGLES,
        b'D' => DOUBLES,
        _ => &[],
    };
    match class {
        b'R' | b'L' | b'F' | b'D' if dice.below(3) == 0 => numbers[dice.below(numbers.len())].to_owned(),
        b'P' if dice.below(6) == 0 => "!%p1".to_owned(),
        b'i' => ["0", "1", "2", "3", "5", "15", "16", "150", "255"][dice.below(9)].to_owned(),
        b'g' => format!("[{}{}]", ["%g1", "%g2", "%g2", "%g2", "%l3", "a"][dice.below(6)], offset(dice)),
        b's' => format!("[{}{}]", ["%s1", "%s2", "%s2", "tile", "tile", "%r1"][dice.below(6)], offset(dice)),
        b'b' => ["[bar]", "[bar]", "[bar]", "[tile+1024]", "[%s2]"][dice.below(5)].to_owned(),
        b'a' => format!("[frame{}]", offset(dice)),
        b'm' => ["-1", "-1", "-1", "0xffff", "1", "0", "%r0"][dice.below(7)].to_owned(),
        class => format!("%{}{}", char::from(class.to_ascii_lowercase()), dice.below(4)),
    }
}

/// How a kernel ended. The buffers are beside it, for a comparison.
fn run(text: &str, args: &[Tensor], threads: u32, copies: AsyncMode, banks: Option<u32>) -> Result<ptx::Outcome, Diag> {
    let module = ptx::parse(text)?;
    let options = Options { fuel: 200_000, memory_max: 16 << 20, copies, banks, ..Options::default() };
    let launch =
        ptx::Launch { entry: None, grid: [1; 3], workgroup: Some([threads, 1, 1]), cluster: None, shared_bytes: 0 };
    let maps = BTreeMap::from([(1, ptx::TensorMap::of(Scalar::Float(Float::F16), &[8, 8], &[4, 8]).unwrap())]);
    ptx::run_with_maps(&module, args, &maps, &launch, &options)
}

fn arguments() -> [Tensor; 3] {
    let numbers: Vec<i64> = (0..512).map(|i: i64| i.wrapping_mul(0x9e37_79b9) as i32 as i64).collect();
    [
        Tensor::from_i64(Scalar::Int(32), &[512], &numbers),
        Tensor::zeros(Scalar::Float(Float::F16), &[8, 8]),
        Tensor::from_i64(Scalar::Int(32), &[], &[64]),
    ]
}

/// Each alternative of each form is an instruction that the executor knows.
#[test]
fn every_form_is_known() {
    let args = arguments();
    let plain = run(&kernel(""), &args, 128, AsyncMode::Eager, None);
    assert!(plain.is_ok(), "{plain:?}");
    let mut dice = Dice(1);
    let mut refused = Vec::new();
    for form in FORMS {
        let n = form.matches('/').count() * 8 + 1;
        for _ in 0..n {
            let line = instruction(form, &mut dice);
            match run(&kernel(&format!("  {line};")), &args, 128, AsyncMode::Eager, None) {
                Err(diag) if [Code::CannotExecute, Code::PtxSyntax].contains(&diag.code) => {
                    refused.push(format!("{line}: {}", diag.message));
                }
                _ => {}
            }
        }
    }
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

/// What is refused is an error at its line that names it; `min` alone has another form, of which it is.
#[test]
fn what_is_refused_is_named() {
    let args = arguments();
    let mut dice = Dice(5);
    for (form, _) in REFUSED {
        let line = instruction(form, &mut dice);
        let text = kernel(&format!("  {line};"));
        let diag = run(&text, &args, 128, AsyncMode::Eager, None).expect_err(form);
        let span = diag.span.unwrap();
        let word = form.split(' ').next().unwrap();
        assert!(diag.message.contains(word), "{line}: {diag:?}");
        assert_eq!(&text[span.start as usize..span.end as usize], format!("{line};"), "{diag:?}");
        let code = if word.starts_with("min") { Code::PtxSyntax } else { Code::CannotExecute };
        assert_eq!(diag.code, code, "{diag:?}");
    }
}

/// `docs/ptx.md` says what is executed, and what is not; `RADDLE_BLESS=1` writes it.
#[test]
fn the_page_lists_every_form() {
    let mut page = String::from(
        "# PTX that is executed

What `raddle exec` and `--device=ptx-emu` know, of text for sm_60 to sm_120 and `.version` up to 9.x. The test `ptx_forms` of the crate `raddle-emu` makes this page, executes each form, and checks that what is refused is an error at its line.

Of `<a/b>`, either is meant. Operands: `$p` is a predicate, `$h` has 16 bits, `$r` 32, `$l` 64, `$q` 128, `$f` is an f32, `$d` an f64 (in capitals also a number); `$g`, `$s` and `$a` are addresses of global, shared and local memory, `$b` of a barrier, `$i` is a small number, `$m` a mask of lanes. Where several types or shapes work alike, some stand for all.

`cargo xtask foreign` executes what Triton, Gluon, Numba, IREE, NVCC (with cooperative groups, CUB, libcu++, CUTLASS and CuTe), NVRTC, CuTe's DSL, Warp, tinygrad, Halide, Slang and TileLang make of the kernels in `xtask/foreign`. Structures are passed by value as `--input='{64xf32=@a.npy; i32=5}'`, by address as `--input='&{64xf32=@a.npy; 64xf32=@b.npy}'` (an array of pointers), an address in the buffer of another argument as `--input=arg0+64` (in bytes; `arg0` for its start), and what a kernel prints is shown.

Programs may have everything around instructions that PTX has: scopes, `.func` with parameters in registers or memory, calls of functions by name or through pointers, of functions that call themselves too, `.loc`, `.section`, `.common`, initialised variables, vectors of registers, `.branchtargets`. Of the functions of the system, `printf`, `assert`, `malloc`, `free` and the barrier of the grid (`cudaCGSynchronize`) are there.
Threads of a warp make progress of their own, whatever the target: lanes that would meet others do not wait for them where these wait for them, as for a lock.
Workgroups that wait for each other take turns, in barriers of the whole grid, too (`%envreg1` and `%envreg2`, as cooperative groups use them). Other special registers that depend on a driver (`%envreg`, `%pm`) are not there.
Approximate instructions (`ex2.approx`, `sin.approx`, `div.full`, …) are rounded correctly; where the elements of a `wmma` fragment lie, which PTX leaves open, is the executor's own choice.
What a shuffle reads from a lane that does not take part may be carried along and dropped; it is found where it is used.
Clusters that ask for the work of others (`clusterlaunchcontrol`) get it as long as there is one that has not begun.
A read that races with a write of as many bytes finds what was there before or after it, as PTX says, and threads of Triton's that repeat what others do read in place what those write: this, too, is found where it is used. Of a write that comes later, the kernel is executed once more.
What a compare-and-swap compares with may be old, and so may what says whether an atomic minimum or maximum is worth its time: neither is a race.
Sums of `wgmma` that are touched before the wait are found in both modes; Triton 3.9 takes sums of f16 apart there, and such kernels run with `--async=eager --no-sanitize`.
Threads that write one place are a race, unless they write the same, or by one instruction floats that differ by at most 64 units in the last place of the largest number that was added up, as sums of the same numbers in different orders do.

## Speed

`cargo bench -p raddle-emu --bench ptx` executes a pipelined product of bf16 for sm_80: 80 million instructions of threads in a second of one core of a small virtual machine, with all checks.
Of what else executes PTX text without a GPU, the crate `ptoxide` 0.1.0 installs. It reads none of our kernels (its grammar has no `.reqntid`) and none with matrix instructions, so that it is not compared in the benchmark. On a kernel of its own, a product of 128 x 128 x 128 in f32 that NVCC made (11.8 million instructions), it takes 0.11 s of processor time, and `raddle exec` with all checks 0.05 s.

## Executed

",
    );
    FORMS.iter().for_each(|form| page += &format!("    {form}\n"));
    page += "\n## Refused\n\n| | |\n| --- | --- |\n";
    for (form, what) in REFUSED {
        page += &format!("| `{form}` | {what} |\n");
    }
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/ptx.md");
    if std::env::var_os("RADDLE_BLESS").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let stands = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(stands == page, "docs/ptx.md is old: RADDLE_BLESS=1 cargo test -p raddle-emu --test ptx_forms");
}

#[test]
fn random_instructions_end_in_a_result_or_a_diagnostic() {
    let number = |name: &str| std::env::var(name).ok().map(|text| text.parse::<u64>().unwrap());
    let n_kernels = number("RADDLE_PROGRAMS").unwrap_or(N_KERNELS);
    let seed = number("RADDLE_SEED").unwrap_or(0);
    let n_threads = thread::available_parallelism().map_or(1, |n| n.get() as u64);
    let found: Mutex<BTreeMap<String, String>> = Mutex::new(BTreeMap::new());
    let ends: Mutex<BTreeMap<String, u64>> = Mutex::new(BTreeMap::new());
    thread::scope(|scope| {
        for part in 0..n_threads {
            let (found, ends) = (&found, &ends);
            scope.spawn(move || {
                let mut dice = Dice((seed * n_threads + part).wrapping_mul(2).wrapping_add(1));
                let args = arguments();
                let mut own: BTreeMap<String, u64> = BTreeMap::new();
                for at in (part..n_kernels).step_by(n_threads as usize) {
                    let text = random_kernel(&mut dice);
                    let threads = [1, 32, 32, 33, 64, 128][dice.below(6)];
                    let copies = [AsyncMode::Eager, AsyncMode::Lazy][dice.below(2)];
                    let banks = [None, Some(32)][dice.below(2)];
                    let once = || run(&text, &args, threads, copies, banks);
                    let ran = caught(|| {
                        let ran = once();
                        if at % TWICE == 0 {
                            assert_eq!(said(&ran), said(&once()), "the same kernel ends in two ways");
                        }
                        ran.map_or_else(|diag| format!("{:?}", diag.code), |_| "ran".to_owned())
                    });
                    match ran {
                        Ok(end) => *own.entry(end).or_default() += 1,
                        Err(message) => {
                            let key: String = message.chars().filter(|c| !c.is_ascii_digit()).collect();
                            found.lock().unwrap().entry(key).or_insert(text);
                        }
                    }
                }
                let mut ends = ends.lock().unwrap();
                for (end, n) in own {
                    *ends.entry(end).or_default() += n;
                }
            });
        }
    });
    let (found, ends) = (found.into_inner().unwrap(), ends.into_inner().unwrap());
    for (message, text) in &found {
        eprintln!("{message}\n{text}\n");
    }
    eprintln!("{n_kernels} kernels: {ends:?}");
    assert!(found.is_empty(), "{} kinds of panic in {n_kernels} kernels", found.len());
    // Most are executed to their end, or to a finding.
    assert!(ends.get("ran").is_some_and(|&n| n > n_kernels / 10), "{ends:?}");
}

/// What can be compared of a run.
fn said(ran: &Result<ptx::Outcome, Diag>) -> String {
    ran.as_ref().map_or_else(|diag| format!("{diag:?}"), |ran| format!("{:?} {:?}", ran.args, ran.counters))
}

/// A few instructions; in some kernels a word or an operand is not the form's.
fn random_kernel(dice: &mut Dice) -> String {
    let mut body = String::new();
    for _ in 0..1 + dice.below(6) {
        let mut line = instruction(FORMS[dice.below(FORMS.len())], dice);
        if dice.below(8) == 0 {
            line = changed(&line, dice);
        }
        body.push_str("  ");
        body.push_str(&line);
        body.push_str(";\n");
    }
    kernel(&body)
}

/// A part of an instruction, exchanged for one of another, left out, or said twice.
fn changed(line: &str, dice: &mut Dice) -> String {
    let is_end = |c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '%' || c == ':');
    let pick = |line: &str, dice: &mut Dice| {
        let parts: Vec<&str> = line.split(is_end).filter(|part| !part.is_empty()).collect();
        let part = parts[dice.below(parts.len())];
        let start = part.as_ptr() as usize - line.as_ptr() as usize;
        (start..start + part.len(), part.to_owned())
    };
    let other = instruction(FORMS[dice.below(FORMS.len())], dice);
    let (place, part) = pick(line, dice);
    let new = match dice.below(8) {
        0 => String::new(),
        1 => format!("{part}.{part}"),
        2 => format!("{part}, {part}"),
        _ => pick(&other, dice).1,
    };
    let mut line = line.to_owned();
    line.replace_range(place, &new);
    line
}
