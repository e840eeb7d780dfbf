//! `nvvm`: one row for each instruction that only NVIDIA's machines have.

mod rules;
mod wgmma;

use raddle_ir::form::{Form, form, generic_only, of};
use raddle_ir::ops::OpInfo;

use crate::forms::{IN_RANGE, MAKES, NULLARY};

const OF_CLUSTER: Form = form("->", "aligned:unit", "attr-dict");

pub(crate) static ROWS: &[OpInfo] = raddle_ir::rows! {
    "nvvm.read.ptx.sreg.aggr.smem.size" Opaque pure, MAKES;
    "nvvm.barrier0" Opaque, NULLARY;
    "nvvm.read.ptx.sreg.ntid.x" Opaque pure, IN_RANGE;
    "nvvm.read.ptx.sreg.ntid.y" Opaque pure, IN_RANGE;
    "nvvm.read.ptx.sreg.ntid.z" Opaque pure, IN_RANGE;
    "nvvm.read.ptx.sreg.ctaid.x" Opaque pure, IN_RANGE;
    "nvvm.read.ptx.sreg.ctaid.y" Opaque pure, IN_RANGE;
    "nvvm.read.ptx.sreg.ctaid.z" Opaque pure, IN_RANGE;
    "nvvm.read.ptx.sreg.cluster.ctaid.x" Opaque pure, IN_RANGE;
    "nvvm.read.ptx.sreg.cluster.ctaid.y" Opaque pure, IN_RANGE;
    "nvvm.read.ptx.sreg.cluster.ctaid.z" Opaque pure, IN_RANGE;
    "nvvm.breakpoint" Opaque, NULLARY;
    "nvvm.st.bulk" Opaque, form(
        "addr ptr0|ptr3, size i64 ->",
        "initVal:i64=0",
        "$addr `,` `size` `=` $size (`,` `init` `=` $initVal^)? attr-dict `:` type($addr)",
    ), rules::bulk_store;
    "nvvm.read.ptx.sreg.clock64" Opaque, of("-> res i64", MAKES);
    "nvvm.read.ptx.sreg.clock" Opaque, MAKES;
    "nvvm.cluster.arrive" Opaque, OF_CLUSTER;
    "nvvm.cluster.arrive.relaxed" Opaque, OF_CLUSTER;
    "nvvm.read.ptx.sreg.cluster.nctarank" Opaque pure, IN_RANGE;
    "nvvm.read.ptx.sreg.cluster.nctaid.x" Opaque pure, IN_RANGE;
    "nvvm.read.ptx.sreg.cluster.nctaid.y" Opaque pure, IN_RANGE;
    "nvvm.read.ptx.sreg.cluster.nctaid.z" Opaque pure, IN_RANGE;
    "nvvm.read.ptx.sreg.nclusterid.x" Opaque pure, IN_RANGE;
    "nvvm.read.ptx.sreg.nclusterid.y" Opaque pure, IN_RANGE;
    "nvvm.read.ptx.sreg.nclusterid.z" Opaque pure, IN_RANGE;
    "nvvm.read.ptx.sreg.cluster.ctarank" Opaque pure, IN_RANGE;
    "nvvm.read.ptx.sreg.clusterid.x" Opaque pure, IN_RANGE;
    "nvvm.read.ptx.sreg.clusterid.y" Opaque pure, IN_RANGE;
    "nvvm.read.ptx.sreg.clusterid.z" Opaque pure, IN_RANGE;
    "nvvm.clusterlaunchcontrol.query.cancel" Opaque, form(
        "try_cancel_response i128 -> res i1|i32",
        "query_type:nvvm.cluster_launch_control_query_type",
        "`query` `=` $query_type `,` $try_cancel_response attr-dict `:` type($res)",
    ), rules::query;
    "nvvm.clusterlaunchcontrol.try.cancel" Opaque, form(
        "smemAddress ptr3, mbarrier ptr3 ->",
        "multicast:unit",
        "(`multicast` $multicast^ `,`)? $smemAddress `,` $mbarrier attr-dict",
    );
    "nvvm.cluster.wait" Opaque, OF_CLUSTER;
    "nvvm.convert.bf16x2.to.f8x2" Opaque, form(
        "a 2xbf16 -> dst i16|2xi8",
        "rnd:<nvvm.fp_rnd_mode>=none sat:<nvvm.sat_mode>=none dstTy",
        "$a attr-dict `:` type($a) `->` type($dst) `(` $dstTy `)`",
    ), rules::conversion;
    "nvvm.convert.f16x2.to.f8x2" Opaque, form(
        "a 2xf16 -> dst i16|2xi8",
        "relu:bool=false dstTy",
        "$a attr-dict `:` type($a) `->` type($dst) `(` $dstTy `)`",
    ), rules::conversion;
    "nvvm.convert.f32x2.to.bf16x2" Opaque pure, form(
        "src_hi f32, src_lo f32, random_bits? i32 -> dst 2xbf16",
        "rnd:<nvvm.fp_rnd_mode>=none sat:<nvvm.sat_mode>=none relu:bool=false",
        "$src_hi `,` $src_lo (`,` $random_bits^)? attr-dict `:` type($dst)",
    ), rules::halves;
    "nvvm.convert.f32x2.to.f16x2" Opaque pure, form(
        "src_hi f32, src_lo f32, random_bits? i32 -> dst 2xf16",
        "rnd:<nvvm.fp_rnd_mode>=none sat:<nvvm.sat_mode>=none relu:bool=false",
        "$src_hi `,` $src_lo (`,` $random_bits^)? attr-dict `:` type($dst)",
    ), rules::halves;
    "nvvm.convert.f32x2.to.f4x2" Opaque, form(
        "a f32, b f32 -> dst i8",
        "relu:bool=false dstTy",
        "$a `,` $b attr-dict `:` type($dst) `(` $dstTy `)`",
    ), rules::conversion;
    "nvvm.convert.f32x2.to.f6x2" Opaque, form(
        "a f32, b f32 -> dst i16|2xi8",
        "relu:bool=false dstTy",
        "$a `,` $b attr-dict `:` type($dst) `(` $dstTy `)`",
    ), rules::conversion;
    "nvvm.convert.f32x2.to.f8x2" Opaque, form(
        "a f32, b f32 -> dst i16|2xi8",
        "rnd:<nvvm.fp_rnd_mode>=none sat:<nvvm.sat_mode>=none relu:bool=false dstTy",
        "$a `,` $b attr-dict `:` type($dst) `(` $dstTy `)`",
    );
    "nvvm.convert.f32x4.to.f4x4" Opaque pure, form(
        "src 4xf32, rbits i32 -> dst i16",
        "relu:bool=false dstTy",
        "$src `,` $rbits attr-dict `:` type($src) `->` type($dst) `(` $dstTy `)`",
    ), rules::conversion;
    "nvvm.convert.f32x4.to.f6x4" Opaque pure, form(
        "src 4xf32, rbits i32 -> dst 4xi8",
        "relu:bool=false dstTy",
        "$src `,` $rbits attr-dict `:` type($src) `->` type($dst) `(` $dstTy `)`",
    ), rules::conversion;
    "nvvm.convert.f32x4.to.f8x4" Opaque pure, form(
        "src 4xf32, rbits i32 -> dst 4xi8",
        "relu:bool=false dstTy",
        "$src `,` $rbits attr-dict `:` type($src) `->` type($dst) `(` $dstTy `)`",
    ), rules::conversion;
    "nvvm.convert.f4x2.to.f16x2" Opaque, form(
        "src i8 -> dst 2xf16",
        "relu:bool=false srcType",
        "$src attr-dict `:` type($src) `(` $srcType `)` `->` type($dst)",
    ), rules::conversion;
    "nvvm.convert.f6x2.to.f16x2" Opaque, form(
        "src 2xi8 -> dst 2xf16",
        "relu:bool=false srcType",
        "$src attr-dict `:` type($src) `(` $srcType `)` `->` type($dst)",
    ), rules::conversion;
    "nvvm.convert.f8x2.to.bf16x2" Opaque, form(
        "src 2xi8 -> dst 2xbf16",
        "srcType",
        "$src attr-dict `:` type($src) `(` $srcType `)` `->` type($dst)",
    ), rules::conversion;
    "nvvm.convert.f8x2.to.f16x2" Opaque, form(
        "src 2xi8 -> dst 2xf16",
        "relu:bool=false srcType",
        "$src attr-dict `:` type($src) `(` $srcType `)` `->` type($dst)",
    ), rules::conversion;
    "nvvm.convert.float.to.tf32" Opaque, form(
        "src f32 -> res i32",
        "rnd:<nvvm.fp_rnd_mode>=none sat:<nvvm.sat_mode>=none relu:bool=false",
        "$src attr-dict",
    ), rules::to_tf32;
    "nvvm.cp.async.bulk.commit.group" Opaque, NULLARY;
    "nvvm.cp.async.bulk.shared.cluster.global" Opaque, form(
        "dstMem ptr3|ptr7, srcMem ptr1, mbar ptr3, size i32, multicastMask? i16, l2CacheHint? i64 ->",
        "",
        "$dstMem `,` $srcMem `,` $mbar `,` $size (`multicast_mask` `=` $multicastMask^ )? (`l2_cache_hint` `=` $l2CacheHint^ )? attr-dict `:` type($dstMem) `,` type($srcMem)",
    ), rules::multicast;
    "nvvm.cp.async.bulk.prefetch" Opaque, form(
        "srcMem ptr1, size i32, l2CacheHint? i64 ->",
        "",
        "$srcMem `,` $size (`l2_cache_hint` `=` $l2CacheHint^ )? attr-dict `:` type($srcMem)",
    );
    "nvvm.cp.async.bulk.global.shared.cta" Opaque, form(
        "dstMem ptr1, srcMem ptr3, size i32, l2CacheHint? i64, byteMask? i16 ->",
        "",
        "$dstMem `,` $srcMem `,` $size (`l2_cache_hint` `=` $l2CacheHint^ )? (`byte_mask` `=` $byteMask^ )? attr-dict `:` type($dstMem) `,` type($srcMem)",
    );
    "nvvm.cp.async.bulk.shared.cluster.shared.cta" Opaque, form(
        "dstMem ptr7, srcMem ptr3, mbar ptr3, size i32 ->",
        "",
        "$dstMem `,` $srcMem `,` $mbar `,` $size attr-dict `:` type($dstMem) `,` type($srcMem)",
    );
    "nvvm.cp.async.bulk.tensor.shared.cluster.global" Opaque, form(
        "dstMem ptr3|ptr7, tmaDescriptor ptr0, coordinates* i32, mbar ptr3, im2colOffsets* i16, multicastMask? i16, l2CacheHint? i64, predicate? i1 ->",
        "mode:<nvvm.tma_load_mode>=tile isCTAOnly:bool=false group:<nvvm.cta_group>",
        "$dstMem `,` $tmaDescriptor `,` $mbar `,` `box` `[`$coordinates `]` (`im2col` `[` $im2colOffsets^ `]` )? (`multicast_mask` `=` $multicastMask^ )? (`l2_cache_hint` `=` $l2CacheHint^ )? (`predicate` `=` $predicate^)? attr-dict `:` type($dstMem) `,` type($tmaDescriptor)",
    ), rules::load_tile;
    "nvvm.cp.async.bulk.tensor.prefetch" Opaque, form(
        "tmaDescriptor ptr0, coordinates* i32, im2colOffsets* i16, l2CacheHint? i64 ->",
        "mode:<nvvm.tma_load_mode>=tile",
        "$tmaDescriptor `,` `box` `[`$coordinates `]` (`im2col` `[` $im2colOffsets^ `]` )? (`l2_cache_hint` `=` $l2CacheHint^ )? attr-dict `:` type($tmaDescriptor)",
    ), rules::tile;
    "nvvm.cp.async.bulk.tensor.reduce" Opaque, form(
        "tmaDescriptor ptr, srcMem ptr3, coordinates* i32, l2CacheHint? i64 ->",
        "redKind:<nvvm.tma_redux_kind> mode:<nvvm.tma_store_mode>=tile",
        "$tmaDescriptor `,` $srcMem `,` `box` `[`$coordinates `]` (`l2_cache_hint` `=` $l2CacheHint^ )? attr-dict `:` type($tmaDescriptor) `,` type($srcMem)",
    ), rules::store_tile;
    "nvvm.cp.async.bulk.tensor.global.shared.cta" Opaque, form(
        "tmaDescriptor ptr0, srcMem ptr3, coordinates* i32, l2CacheHint? i64, predicate? i1 ->",
        "mode:<nvvm.tma_store_mode>=tile",
        "$tmaDescriptor `,` $srcMem `,` `box` `[`$coordinates `]` (`l2_cache_hint` `=` $l2CacheHint^ )? (`,` `predicate` `=` $predicate^)? attr-dict `:` type($tmaDescriptor) `,` type($srcMem)",
    ), rules::store_tile;
    "nvvm.cp.async.bulk.wait_group" Opaque, form(
        "->",
        "group:i32 read:unit",
        "$group attr-dict",
    );
    "nvvm.cp.async.mbarrier.arrive" Opaque, form(
        "addr ptr0|ptr3 ->",
        "noinc:bool=false",
        "$addr attr-dict `:` type(operands)",
    );
    "nvvm.cp.async.shared.global" Opaque, form(
        "dst ptr3, src ptr1, cpSize? i32 ->",
        "size:i32 modifier:nvvm.load_cache_modifier",
        "$dst `,` $src `,` $size `,` `cache` `=` $modifier (`,` $cpSize^)? attr-dict `:` type(operands)",
    ), rules::copy;
    "nvvm.dot.accumulate.2way" Opaque, form(
        "a 2xi16, b 4xi8, c i32 -> res i32",
        "a_type:<nvvm.dot_accumulate_type> b_type:<nvvm.dot_accumulate_type> b_hi:bool",
        "$a $a_type `,` $b $b_type `,` $c attr-dict `:` type($a) `,` type($b)",
    );
    "nvvm.dot.accumulate.4way" Opaque, form(
        "a 4xi8, b 4xi8, c i32 -> res i32",
        "a_type:<nvvm.dot_accumulate_type> b_type:<nvvm.dot_accumulate_type>",
        "$a $a_type `,` $b $b_type `,` $c attr-dict `:` type($a) `,` type($b)",
    );
    "nvvm.read.ptx.sreg.dynamic.smem.size" Opaque pure, MAKES;
    "nvvm.elect.sync" Opaque, form(
        "membermask? i32 -> pred i1",
        "",
        "($membermask^)? attr-dict `->` type($pred)",
    );
    "nvvm.read.ptx.sreg.envreg0" Opaque pure, MAKES;
    "nvvm.read.ptx.sreg.envreg10" Opaque pure, MAKES;
    "nvvm.read.ptx.sreg.envreg11" Opaque pure, MAKES;
    "nvvm.read.ptx.sreg.envreg12" Opaque pure, MAKES;
    "nvvm.read.ptx.sreg.envreg13" Opaque pure, MAKES;
    "nvvm.read.ptx.sreg.envreg14" Opaque pure, MAKES;
    "nvvm.read.ptx.sreg.envreg15" Opaque pure, MAKES;
    "nvvm.read.ptx.sreg.envreg16" Opaque pure, MAKES;
    "nvvm.read.ptx.sreg.envreg17" Opaque pure, MAKES;
    "nvvm.read.ptx.sreg.envreg18" Opaque pure, MAKES;
    "nvvm.read.ptx.sreg.envreg19" Opaque pure, MAKES;
    "nvvm.read.ptx.sreg.envreg1" Opaque pure, MAKES;
    "nvvm.read.ptx.sreg.envreg20" Opaque pure, MAKES;
    "nvvm.read.ptx.sreg.envreg21" Opaque pure, MAKES;
    "nvvm.read.ptx.sreg.envreg22" Opaque pure, MAKES;
    "nvvm.read.ptx.sreg.envreg23" Opaque pure, MAKES;
    "nvvm.read.ptx.sreg.envreg24" Opaque pure, MAKES;
    "nvvm.read.ptx.sreg.envreg25" Opaque pure, MAKES;
    "nvvm.read.ptx.sreg.envreg26" Opaque pure, MAKES;
    "nvvm.read.ptx.sreg.envreg27" Opaque pure, MAKES;
    "nvvm.read.ptx.sreg.envreg28" Opaque pure, MAKES;
    "nvvm.read.ptx.sreg.envreg29" Opaque pure, MAKES;
    "nvvm.read.ptx.sreg.envreg2" Opaque pure, MAKES;
    "nvvm.read.ptx.sreg.envreg30" Opaque pure, MAKES;
    "nvvm.read.ptx.sreg.envreg31" Opaque pure, MAKES;
    "nvvm.read.ptx.sreg.envreg3" Opaque pure, MAKES;
    "nvvm.read.ptx.sreg.envreg4" Opaque pure, MAKES;
    "nvvm.read.ptx.sreg.envreg5" Opaque pure, MAKES;
    "nvvm.read.ptx.sreg.envreg6" Opaque pure, MAKES;
    "nvvm.read.ptx.sreg.envreg7" Opaque pure, MAKES;
    "nvvm.read.ptx.sreg.envreg8" Opaque pure, MAKES;
    "nvvm.read.ptx.sreg.envreg9" Opaque pure, MAKES;
    "nvvm.exit" Opaque, NULLARY;
    "nvvm.fence.mbarrier.init" Opaque, NULLARY;
    "nvvm.fence.proxy.acquire" Opaque, form(
        "addr ptr0, size i32 ->",
        "scope:<nvvm.mem_scope> fromProxy:<nvvm.proxy_kind>=generic toProxy:<nvvm.proxy_kind>=tensormap",
        "$scope $addr `,` $size (`from_proxy` `=` $fromProxy^)? (`to_proxy` `=` $toProxy^)? attr-dict",
    );
    "nvvm.fence.proxy.release" Opaque, form(
        "->",
        "scope:<nvvm.mem_scope> fromProxy:<nvvm.proxy_kind>=generic toProxy:<nvvm.proxy_kind>=tensormap",
        "$scope (`from_proxy` `=` $fromProxy^)? (`to_proxy` `=` $toProxy^)? attr-dict",
    );
    "nvvm.fence.proxy.sync_restrict" Opaque, form(
        "->",
        "order:<nvvm.mem_order> fromProxy:<nvvm.proxy_kind>=generic toProxy:<nvvm.proxy_kind>=async",
        "attr-dict",
    );
    "nvvm.fence.sc.cluster" Opaque, NULLARY;
    "nvvm.fence.sync_restrict" Opaque, form(
        "->",
        "order:<nvvm.mem_order>",
        "attr-dict",
    );
    "nvvm.read.ptx.sreg.globaltimer.lo" Opaque, MAKES;
    "nvvm.read.ptx.sreg.globaltimer" Opaque, of("-> res i64", MAKES);
    "nvvm.read.ptx.sreg.nctaid.x" Opaque pure, IN_RANGE;
    "nvvm.read.ptx.sreg.nctaid.y" Opaque pure, IN_RANGE;
    "nvvm.read.ptx.sreg.nctaid.z" Opaque pure, IN_RANGE;
    "nvvm.read.ptx.sreg.gridid" Opaque pure, IN_RANGE;
    "nvvm.griddepcontrol" Opaque, form(
        "->",
        "kind:nvvm.grid_dep_action",
        "$kind attr-dict",
    );
    "nvvm.inline_ptx" Opaque, form(
        "readOnlyArgs* any, readWriteArgs* any, predicate? i1 -> writeOnlyArgs* any",
        "ptxCode:str memoryClobber:bool=false",
        "$ptxCode ( `ro` `(` $readOnlyArgs^ `:` type($readOnlyArgs) `)` )? ( `rw` `(` $readWriteArgs^ `:` type($readWriteArgs) `)` )? (`,` `predicate` `=` $predicate^)? attr-dict ( `->` type($writeOnlyArgs)^ )?",
    );
    "nvvm.read.ptx.sreg.laneid" Opaque pure, IN_RANGE;
    "nvvm.read.ptx.sreg.lanemask.eq" Opaque pure, MAKES;
    "nvvm.read.ptx.sreg.lanemask.ge" Opaque pure, MAKES;
    "nvvm.read.ptx.sreg.lanemask.gt" Opaque pure, MAKES;
    "nvvm.read.ptx.sreg.lanemask.le" Opaque pure, MAKES;
    "nvvm.read.ptx.sreg.lanemask.lt" Opaque pure, MAKES;
    "nvvm.ldmatrix" Opaque, form(
        "ptr ptr3 -> res i32|struct",
        "num:i32 layout:<nvvm.mma_layout> shape eltType:<nvvm.ld_st_matrix_elt_type>",
        "$ptr attr-dict `:` functional-type",
    );
    "nvvm.mbarrier.arrive_drop.expect_tx" Opaque, form(
        "addr ptr0|ptr3|ptr7, txcount i32 -> res? i64",
        "scope:<nvvm.mem_scope>=cta relaxed:bool=false",
        "$addr `,` $txcount attr-dict `:` type(operands) (`->` type($res)^)?",
    ), rules::arrival;
    "nvvm.mbarrier.arrive_drop.nocomplete" Opaque, form(
        "addr ptr0|ptr3, count i32 -> res i64",
        "",
        "$addr `,` $count attr-dict `:` type(operands) `->` type($res)",
    );
    "nvvm.mbarrier.arrive_drop" Opaque, form(
        "addr ptr0|ptr3|ptr7, count? i32 -> res? i64",
        "scope:<nvvm.mem_scope>=cta relaxed:bool=false",
        "$addr (`,` $count^)? attr-dict `:` type($addr) (`->` type($res)^)?",
    ), rules::arrival;
    "nvvm.mbarrier.arrive.expect_tx" Opaque, form(
        "addr ptr0|ptr3|ptr7, txcount i32, predicate? i1 -> res? i64",
        "scope:<nvvm.mem_scope>=cta relaxed:bool=false",
        "$addr `,` $txcount (`,` `predicate` `=` $predicate^)? attr-dict `:` type(operands) (`->` type($res)^)?",
    ), rules::arrival;
    "nvvm.mbarrier.arrive.nocomplete" Opaque, form(
        "addr ptr0|ptr3, count i32 -> res i64",
        "",
        "$addr `,` $count attr-dict `:` type(operands) `->` type($res)",
    );
    "nvvm.mbarrier.arrive" Opaque, form(
        "addr ptr0|ptr3|ptr7, count? i32 -> res? i64",
        "scope:<nvvm.mem_scope>=cta relaxed:bool=false",
        "$addr (`,` $count^)? attr-dict `:` type($addr) (`->` type($res)^)?",
    ), rules::arrival;
    "nvvm.mbarrier.complete_tx" Opaque, form(
        "addr ptr3|ptr7, txcount i32 ->",
        "scope:<nvvm.mem_scope>=cta",
        "$addr `,` $txcount attr-dict `:` type(operands)",
    ), rules::arrival;
    "nvvm.mbarrier.expect_tx" Opaque, form(
        "addr ptr3|ptr7, txcount i32 ->",
        "scope:<nvvm.mem_scope>=cta",
        "$addr `,` $txcount attr-dict `:` type(operands)",
    ), rules::arrival;
    "nvvm.mbarrier.init" Opaque, form(
        "addr ptr0|ptr3, count i32, predicate? i1 ->",
        "",
        "$addr `,` $count (`,` `predicate` `=` $predicate^)? attr-dict `:` type(operands)",
    );
    "nvvm.mbarrier.inval" Opaque, form(
        "addr ptr0|ptr3 ->",
        "",
        "$addr attr-dict `:` type(operands)",
    );
    "nvvm.mbarrier.test.wait" Opaque, form(
        "addr ptr0|ptr3, stateOrPhase i64|i32 -> res i1",
        "scope:<nvvm.mem_scope>=cta relaxed:bool=false",
        "$addr `,` $stateOrPhase attr-dict `:` type(operands) `->` type($res)",
    ), rules::arrival;
    "nvvm.mbarrier.try_wait" Opaque, form(
        "addr ptr0|ptr3, stateOrPhase i64|i32, ticks? i32 -> res i1",
        "scope:<nvvm.mem_scope>=cta relaxed:bool=false",
        "$addr `,` $stateOrPhase (`,` $ticks^)? attr-dict `:` type(operands) `->` type($res)",
    ), rules::arrival;
    "nvvm.mbarrier.try_wait.parity" Opaque, form(
        "addr ptr0|ptr3, phase i32, ticks i32 ->",
        "",
        "$addr `,` $phase `,` $ticks attr-dict `:` type(operands)",
    );
    "nvvm.mapa" Opaque, form(
        "a ptr0|ptr3, b i32 -> res ptr0|ptr7",
        "",
        "$a`,` $b attr-dict `:` type($a) `->` type($res)",
    ), rules::mapped;
    "nvvm.match.sync" Opaque, form(
        "thread_mask i32, val i32|i64 -> res i32|struct",
        "kind:nvvm.match_sync_kind",
        "$kind $thread_mask `,` $val attr-dict `:` type($val) `->` type($res)",
    ), rules::matching;
    "nvvm.memory.barrier" Opaque, form(
        "->",
        "scope:<nvvm.mem_scope>",
        "$scope attr-dict",
    );
    "nvvm.mma.block_scale" Opaque, generic_only("operandA* llvm, operandB* llvm, operandC* llvm, scaleAData i32, byteIdA i16, threadIdA i16, scaleBData i32, byteIdB i16, threadIdB i16 -> res struct", "shape multiplicandAPtxType:<nvvm.mma_type> multiplicandBPtxType:<nvvm.mma_type> scaleVecSize:<nvvm.scale_vec_size> blockScaleFormat:<nvvm.block_scale_format> kind:<nvvm.block_scale_kind>");
    "nvvm.mma.sync" Opaque, generic_only("operandA* llvm, operandB* llvm, operandC* llvm -> res struct", "shape b1Op:<nvvm.mma_b1op> intOverflowBehavior:<nvvm.mma_int_overflow> layoutA:<nvvm.mma_layout> layoutB:<nvvm.mma_layout> multiplicandAPtxType:<nvvm.mma_type> multiplicandBPtxType:<nvvm.mma_type>");
    "nvvm.mma.sp.block_scale" Opaque, generic_only("operandA* llvm, operandB* llvm, operandC* llvm, sparseMetadata i32, sparsitySelector i32, scaleAData i32, byteIdA i16, threadIdA i16, scaleBData i32, byteIdB i16, threadIdB i16 -> res struct", "shape multiplicandAPtxType:<nvvm.mma_type> multiplicandBPtxType:<nvvm.mma_type> scaleVecSize:<nvvm.scale_vec_size> blockScaleFormat:<nvvm.block_scale_format> kind:<nvvm.block_scale_kind> orderedMetadata:unit");
    "nvvm.mma.sp.sync" Opaque, generic_only("operandA* llvm, operandB* llvm, operandC* llvm, sparseMetadata i32, sparsitySelector i32 -> res struct", "shape intOverflowBehavior:<nvvm.mma_int_overflow> multiplicandAPtxType:<nvvm.mma_type> multiplicandBPtxType:<nvvm.mma_type> orderedMetadata:unit kind:<nvvm.mma_kind>");
    "nvvm.nanosleep" Opaque, form(
        "duration i32 ->",
        "",
        "attr-dict $duration",
    );
    "nvvm.pmevent" Opaque, form(
        "->",
        "maskedEventId:i16 eventId:i32",
        "attr-dict (`id` `=` $eventId^)? (`mask` `=` $maskedEventId^)?",
    ), rules::event;
    "nvvm.prmt" Opaque pure, form(
        "lo i32, hi? i32, selector i32 -> res i32",
        "mode:<nvvm.permute_mode>",
        "$mode $selector `,` $lo (`,` $hi^)? attr-dict `:` type($res)",
    ), rules::permutation;
    "nvvm.prefetch" Opaque, form(
        "addr ptr1|ptr5|ptr0|ptr4, predicate? i1 ->",
        "cacheLevel:nvvm.prefetch_cache_level evictPriority:nvvm.cache_eviction_priority tensormap:unit uniform:unit in_param_space:unit",
        "(`level` `=` $cacheLevel^ (`uniform` $uniform^)? `,`)? (`tensormap` $tensormap^ (`in_param_space` $in_param_space^)? `,`)? (`evict_priority` `=` $evictPriority^ `,`)? $addr (`,` `predicate` `=` $predicate^)? attr-dict `:` type(operands)",
    ), rules::prefetch;
    "nvvm.rcp.approx.ftz.f" Opaque pure, form(
        "arg f32 -> res f32",
        "",
        "$arg attr-dict `:` type($res)",
    );
    "nvvm.redux.sync" Opaque, form(
        "T i32|f32; val T, mask_and_clamp i32 -> res T",
        "kind:nvvm.redux_kind abs:bool=false nan:bool=false",
        "$kind $val `,` $mask_and_clamp attr-dict `:` type($val) `->` type($res)",
    );
    "nvvm.setmaxregister" Opaque, form(
        "->",
        "regCount:i32 action:nvvm.action",
        "$action $regCount attr-dict",
    ), rules::registers;
    "nvvm.shfl.sync" Opaque, form(
        "thread_mask i32, val i32|f32, offset i32, mask_and_clamp i32 -> res i32|f32|struct",
        "kind:nvvm.shfl_kind return_value_and_is_valid:unit",
        "$kind $thread_mask `,` $val `,` $offset `,` $mask_and_clamp attr-dict `:` type($val) `->` type($res)",
    ), rules::shuffle;
    "nvvm.read.ptx.sreg.nsmid" Opaque pure, IN_RANGE;
    "nvvm.read.ptx.sreg.smid" Opaque pure, IN_RANGE;
    "nvvm.stmatrix" Opaque, form(
        "ptr ptr3, sources* i32 ->",
        "layout:<nvvm.mma_layout> shape eltType:<nvvm.ld_st_matrix_elt_type>",
        "$ptr `,` $sources attr-dict `:` type(operands)",
    );
    "nvvm.bar.warp.sync" Opaque, form(
        "mask i32 ->",
        "",
        "$mask attr-dict `:` type($mask)",
    );
    "nvvm.tcgen05.alloc" Opaque, form(
        "addr ptr|ptr3, nCols i32 ->",
        "group:<nvvm.cta_group>=cta_1",
        "$addr `,` $nCols attr-dict `:` type(operands)",
    );
    "nvvm.tcgen05.commit" Opaque, form(
        "addr ptr|ptr3, multicastMask? i16 ->",
        "group:<nvvm.cta_group>=cta_1",
        "$addr (`,` `multicast_mask` `=` $multicastMask^)? attr-dict `:` type(operands)",
    );
    "nvvm.tcgen05.cp" Opaque, form(
        "taddr ptr6, smem_desc i64 ->",
        "shape:<nvvm.tcgen05_cp_shape> group:<nvvm.cta_group>=cta_1 multicast:<nvvm.tcgen05_cp_multicast>=none srcFormat:<nvvm.tcgen05_cp_src_fmt>",
        "$taddr`,` $smem_desc attr-dict",
    );
    "nvvm.tcgen05.dealloc" Opaque, form(
        "taddr ptr6, nCols i32 ->",
        "group:<nvvm.cta_group>=cta_1",
        "$taddr `,` $nCols attr-dict `:` type(operands)",
    );
    "nvvm.tcgen05.fence" Opaque, form(
        "->",
        "kind:<nvvm.tcgen05_fence>",
        "$kind attr-dict",
    );
    "nvvm.tcgen05.ld" Opaque, form(
        "tmemAddr ptr6, offset? i64 -> res 1xi32|2xi32|4xi32|8xi32|16xi32|32xi32|64xi32|128xi32",
        "pack:unit shape:<nvvm.tcgen05_ldst_shape>",
        "$tmemAddr (`,` $offset^)? (`pack` $pack^)? attr-dict `:` type($res)",
    );
    "nvvm.tcgen05.mma.block_scale" Opaque, form(
        "matrixD ptr6, matrixA ptr6|i64, matrixB i64, idesc i32, enableInputD i1, scaleA ptr6, scaleB ptr6 ->",
        "kind:<nvvm.block_scale_kind> ctaGroup:<nvvm.cta_group> blockScale:<nvvm.tcgen05_mma_block_scale>=default collectorOp:<nvvm.tcgen05_mma_collectorop>=discard",
        "$matrixD `,` $matrixA `,` $matrixB `,` $idesc `,` $enableInputD `,` $scaleA `,` $scaleB attr-dict `:` `(` type(operands) `)`",
    );
    "nvvm.tcgen05.mma" Opaque, form(
        "matrixD ptr6, matrixA ptr6|i64, matrixB i64, idesc i32, enableInputD i1, scaleInputD? i64, disableOutputLane? fixed4xi32|fixed8xi32 ->",
        "kind:<nvvm.tcgen05_mma_kind> ctaGroup:<nvvm.cta_group> collectorOp:<nvvm.tcgen05_mma_collectorop>=discard aShift:unit",
        "$matrixD `,` $matrixA `,` $matrixB `,` $idesc `,` $enableInputD (`scale` `=` $scaleInputD^)? (`mask` `=` $disableOutputLane^)? attr-dict `:` `(` type(operands) `)`",
    );
    "nvvm.tcgen05.mma.sp.block_scale" Opaque, form(
        "matrixD ptr6, matrixA ptr6|i64, matrixB i64, idesc i32, enableInputD i1, sparseMetadata ptr6, scaleA ptr6, scaleB ptr6 ->",
        "kind:<nvvm.block_scale_kind> ctaGroup:<nvvm.cta_group> blockScale:<nvvm.tcgen05_mma_block_scale>=default collectorOp:<nvvm.tcgen05_mma_collectorop>=discard",
        "$matrixD `,` $matrixA `,` $matrixB `,` $idesc `,` $enableInputD `,` $sparseMetadata `,` $scaleA `,` $scaleB attr-dict `:` `(` type(operands) `)`",
    );
    "nvvm.tcgen05.mma.sp" Opaque, form(
        "matrixD ptr6, matrixA ptr6|i64, matrixB i64, idesc i32, enableInputD i1, sparseMetadata ptr6, scaleInputD? i64, disableOutputLane? fixed4xi32|fixed8xi32 ->",
        "kind:<nvvm.tcgen05_mma_kind> ctaGroup:<nvvm.cta_group> collectorOp:<nvvm.tcgen05_mma_collectorop>=discard aShift:unit",
        "$matrixD `,` $matrixA `,` $matrixB `,` $idesc `,` $enableInputD `,` $sparseMetadata (`scale` `=` $scaleInputD^)? (`mask` `=` $disableOutputLane^)? attr-dict `:` `(` type(operands) `)`",
    );
    "nvvm.tcgen05.mma.ws" Opaque, form(
        "matrixD ptr6, matrixA ptr6|i64, matrixB i64, idesc i32, enableInputD i1, zeroColMask? i64 ->",
        "kind:<nvvm.tcgen05_mma_kind> collectorBBuffer:<nvvm.tcgen05_mma_collectorb>=b0 collectorOp:<nvvm.tcgen05_mma_collectorop>=discard",
        "$matrixD `,` $matrixA `,` $matrixB `,` $idesc `,` $enableInputD (`,` $zeroColMask^)? attr-dict `:` `(` type(operands) `)`",
    );
    "nvvm.tcgen05.mma.ws.sp" Opaque, form(
        "matrixD ptr6, matrixA ptr6|i64, matrixB i64, idesc i32, enableInputD i1, sparseMetadata ptr6, zeroColMask? i64 ->",
        "kind:<nvvm.tcgen05_mma_kind> collectorBBuffer:<nvvm.tcgen05_mma_collectorb>=b0 collectorOp:<nvvm.tcgen05_mma_collectorop>=discard",
        "$matrixD `,` $matrixA `,` $matrixB `,` $idesc `,` $enableInputD `,` $sparseMetadata (`,` $zeroColMask^)? attr-dict `:` `(` type(operands) `)`",
    );
    "nvvm.tcgen05.mma_smem_desc" Opaque, form(
        "startAddr i32, leadingDimOffset i32, strideDimOffset i32, baseOffset i8, leadingDimMode i1, swizzleMode i8 -> res i64",
        "",
        "`(` $startAddr `,` $leadingDimOffset `,` $strideDimOffset `,` $baseOffset `,` $leadingDimMode `,` $swizzleMode `)` attr-dict `:` `(` type(operands) `)` `->` type($res)",
    );
    "nvvm.tcgen05.relinquish_alloc_permit" Opaque, form(
        "->",
        "group:<nvvm.cta_group>=cta_1",
        "attr-dict",
    );
    "nvvm.tcgen05.shift" Opaque, form(
        "taddr ptr6 ->",
        "group:<nvvm.cta_group>=cta_1",
        "$taddr attr-dict `:` type(operands)",
    );
    "nvvm.tcgen05.st" Opaque, form(
        "tmemAddr ptr6, val 1xi32|2xi32|4xi32|8xi32|16xi32|32xi32|64xi32|128xi32, offset? i64 ->",
        "unpack:unit shape:<nvvm.tcgen05_ldst_shape>",
        "$tmemAddr `,` $val (`,` $offset^)? (`unpack` $unpack^)? attr-dict `:` type($val)",
    );
    "nvvm.tcgen05.wait" Opaque, form(
        "->",
        "kind:<nvvm.tcgen05_wait>",
        "$kind attr-dict",
    );
    "nvvm.read.ptx.sreg.tid.x" Opaque pure, IN_RANGE;
    "nvvm.read.ptx.sreg.tid.y" Opaque pure, IN_RANGE;
    "nvvm.read.ptx.sreg.tid.z" Opaque pure, IN_RANGE;
    "nvvm.read.ptx.sreg.total.smem.size" Opaque pure, MAKES;
    "nvvm.wmma.load" Opaque, form(
        "ptr ptr, stride i32 -> res struct|f64",
        "m:i32 n:i32 k:i32 layout:<nvvm.mma_layout> eltype:<nvvm.mma_type> frag:<nvvm.mma_frag>",
        "$ptr `,` $stride attr-dict `:` functional-type",
    );
    "nvvm.wmma.mma" Opaque, form(
        "args* llvm -> res struct",
        "m:i32 n:i32 k:i32 layoutA:<nvvm.mma_layout> layoutB:<nvvm.mma_layout> eltypeA:<nvvm.mma_type> eltypeB:<nvvm.mma_type>",
        "$args attr-dict `:` functional-type",
    );
    "nvvm.wmma.store" Opaque, form(
        "ptr ptr, args* llvm, stride i32 ->",
        "m:i32 n:i32 k:i32 layout:<nvvm.mma_layout> eltype:<nvvm.mma_type>",
        "$ptr `,` $stride `,` $args attr-dict `:` type($ptr) `,` type($args)",
    );
    "nvvm.read.ptx.sreg.nwarpid" Opaque pure, IN_RANGE;
    "nvvm.read.ptx.sreg.warpid" Opaque pure, IN_RANGE;
    "nvvm.read.ptx.sreg.warpsize" Opaque pure, IN_RANGE;
    "nvvm.wgmma.mma_async" Opaque, form(
        "inouts struct, descriptorA i64, descriptorB i64 -> results struct",
        "shape typeA:<nvvm.wgmma_type> typeB:<nvvm.wgmma_type> typeD:<nvvm.wgmma_type> scaleD:<nvvm.wgmma_scale_out> scaleA:<nvvm.wgmma_scale_in> scaleB:<nvvm.wgmma_scale_in> layoutA:<nvvm.mma_layout> layoutB:<nvvm.mma_layout> satfinite:<nvvm.mma_int_overflow>",
        "$descriptorA `,` $descriptorB `,` $inouts `,` $shape `,` `D` `[` $typeD `,` $scaleD (`,` $satfinite^)? `]` `,` `A` `[` $typeA `,` $scaleA `,` $layoutA `]` `,` `B` `[` $typeB `,` $scaleB `,` $layoutB `]` attr-dict `:` type($inouts) `->` type($results)",
    ), wgmma::check;
};
