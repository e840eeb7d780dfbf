//! Rows of `amdgpu`: matrix instructions, moves and waits of AMD GPUs.

use super::forms::*;

dialect! { Amdgpu:
    /// Multiplies two fragments of a subgroup and adds a third, by one MFMA instruction.
    AmdgpuMfma "amdgpu.mfma" Matrix pure, by_hand(
        "C mfmasum; sourceA mfma, sourceB mfma, destC C -> destD C",
        "m:i32{4/16/32} n:i32{4/16/32} k:i32{1/2/4/8/16/32/64/128} blocks:i32{1/2/4/16} cbsz:i32 abid:i32 blgp:amdgpu.mfma_perm_b reducePrecision:unit negateA:unit negateB:unit negateC:unit",
    );
    /// An MFMA instruction whose factors have a scale for each block.
    AmdgpuScaledMfma "amdgpu.scaled_mfma" Matrix pure, by_hand(
        "C 4/16xf32; sourceA scaled, sourceB scaled, destC C, scalesA scales, scalesB scales -> destD C",
        "m:i32{16/32} n:i32{16/32} k:i32{64/128} scalesIdxA:i32{..3} scalesIdxB:i32{..3}",
    );
    /// An MFMA instruction whose first factor stores half of its elements.
    AmdgpuSparseMfma "amdgpu.sparse_mfma" Matrix pure, by_hand(
        "C 4/16xf32|4/16xi32; sourceA sparse, sourceB dense, destC C, sparseIdx fixed4xi8|fixed2xi16|i32 -> destD C",
        "m:i32{16/32} n:i32{16/32} k:i32{16/32/64/128} cbsz:i32=0 abid:i32=0",
    );
    /// Multiplies two fragments of a subgroup and adds a third, by one WMMA instruction.
    AmdgpuWmma "amdgpu.wmma" Matrix pure, by_hand(
        "C wmmasum; sourceA wmma, sourceB wmma, destC C -> destD C",
        "m:i32{16} n:i32{16} k:i32{4/16/32/64/128} subwordOffset:i32{0/1}=0 unsignedA:unit unsignedB:unit clamp:unit",
    );
    /// Starts a copy from global memory, one address for each lane, to consecutive shared memory.
    AmdgpuGatherToLds "amdgpu.gather_to_lds" Opaque reads(src) writes(dst), form(
        "src any, srcIndices* index, dst any, dstIndices* index ->",
        "transferType async:unit",
        "(`async` $async^)? $src `[` $srcIndices `]` `,` $dst `[` $dstIndices `]` attr-dict `:` $transferType `,` type($src) `,` type($dst)",
    );
    /// The same memory through a buffer descriptor that checks bounds.
    AmdgpuFatRawBufferCast "amdgpu.fat_raw_buffer_cast" Opaque pure, form(
        "source memref, validBytes? i64, cacheSwizzleStride? i14 -> result any",
        "boundsCheck:bool=true resetOffset:unit",
        "$source (`validBytes` `(` $validBytes^ `)`)? (`cacheSwizzleStride` `(` $cacheSwizzleStride^ `)`)? (`boundsCheck` `(` $boundsCheck^ `)`)? (`resetOffset` $resetOffset^)? attr-dict `:` type($source) `to` type($result)",
    );
    /// Reads a matrix from shared memory, transposed among the lanes.
    AmdgpuTransposeLoad "amdgpu.transpose_load" Opaque reads(src), TRANSPOSE_LOAD;
    /// Reads a matrix from global memory, transposed among the lanes.
    AmdgpuGlobalTransposeLoad "amdgpu.global_transpose_load" Opaque reads(src), TRANSPOSE_LOAD;
    /// A barrier that orders shared memory only.
    AmdgpuLdsBarrier "amdgpu.lds_barrier" Opaque waits, NULLARY;
    /// Keeps the instruction scheduler from moving kinds of instructions across.
    AmdgpuSchedBarrier "amdgpu.sched_barrier" Opaque waits, form("->", "opts:rocdl.sched_group_mask=none", "`allow` `=` $opts attr-dict");
    /// The value of another lane, whose number is computed by bit masks.
    AmdgpuSwizzleBitmode "amdgpu.swizzle_bitmode" Opaque pure, form(
        "T numbers; src T -> result T",
        "and_mask:i32 or_mask:i32 xor_mask:i32",
        "$src $and_mask $or_mask $xor_mask attr-dict `:` type($result)",
    );

    /// Exchanges values between rows of lanes.
    AmdgpuPermlaneSwap "amdgpu.permlane_swap" Opaque pure, form(
        "T numbers; src T -> result T",
        "row_length:i32 fetch_inactive:bool=false bound_ctrl:bool=false",
        "$src $row_length attr-dict `:` type($result)",
    );

    /// Waits until at most a number of memory accesses is pending.
    AmdgpuMemoryCounterWait "amdgpu.memory_counter_wait" Opaque, form(
        "->",
        "load:i32 store:i32 ds:i32 exp:i32 tensor:i32",
        "(`load` `(` $load^ `)`)? (`store` `(` $store^ `)`)? (`ds` `(` $ds^ `)`)? (`exp` `(` $exp^ `)`)? (`tensor` `(` $tensor^ `)`)? attr-dict",
    );
    AmdgpuExtPackedFp8 "amdgpu.ext_packed_fp8" Opaque pure, form(
        "source f8E5M2FNUZ|f8E4M3FNUZ|f8E5M2|f8E4M3FN|1/2/3/4xf8E5M2FNUZ/f8E4M3FNUZ/f8E5M2/f8E4M3FN -> res f32|fixed2xf32",
        "index:i32{..3}",
        "attr-dict $source `[` $index `]` `:` type($source) `to` type($res)",
    );
    AmdgpuScaledExtPacked "amdgpu.scaled_ext_packed" Opaque pure, form(
        "source 1/2/3/4xf8E5M2/f8E4M3FN|1/2/3/4/5/6/7/8xf4E2M1FN, scale f32 -> res fixed2xf32|fixed2xf16|fixed2xbf16",
        "index:i32{..7}",
        "attr-dict $source `[` $index `]` `,` $scale `:` type($source) `to` type($res)",
    );
    AmdgpuPackedScaledTrunc "amdgpu.packed_scaled_trunc" Opaque pure, form(
        "source 1/2xf32/f16/bf16, scale f32, existing? oneword -> res oneword",
        "index:i32{..7}",
        "attr-dict $source `into` ($existing^):(`undef`)? `[` $index `]` `,` $scale `:` type($source) `to` type($res) (`into` type($existing)^)?",
    );
    AmdgpuPackedStochRoundFp8 "amdgpu.packed_stoch_round_fp8" Opaque pure, form(
        "source f32, stochiasticParam i32, existing? fourbytes -> res fourbytes",
        "storeIndex:i32{..3}",
        "attr-dict $source `+` $stochiasticParam `into` ($existing^):(`undef`)? `[` $storeIndex `]` `:` type($source) `to` type($res) (`into` type($existing)^)?",
    );
    AmdgpuPackedTrunc2xfp8 "amdgpu.packed_trunc_2xfp8" Opaque pure, form(
        "sourceA f32, sourceB? f32, existing? fourbytes -> res fourbytes",
        "wordIndex:i32{..1}",
        "attr-dict $sourceA `,` ($sourceB^):(`undef`)? `into` ($existing^):(`undef`)? `[` `word` $wordIndex `]` `:` type($sourceA) `to` type($res) (`into` type($existing)^)?",
    );
    AmdgpuScaledExtPackedMatrix "amdgpu.scaled_ext_packed_matrix" Opaque pure, form(
        "source vector, scale vector -> res vector",
        "blockSize:i32{16/32} firstScaleLane:i32{0/16} firstScaleByte:i32{0..3}",
        "attr-dict $source `scale` `(` $scale `)` `blockSize` `(` $blockSize `)` `firstScaleLane` `(` $firstScaleLane `)` `firstScaleByte` `(` $firstScaleByte `)` `:` type($source) `,` type($scale) `->` type($res)",
    );
    AmdgpuMakeDmaBase "amdgpu.make_dma_base" Opaque pure, DMA_BASE;
    AmdgpuMakeGatherDmaBase "amdgpu.make_gather_dma_base" Opaque pure, DMA_BASE;
    AmdgpuMakeDmaDescriptor "amdgpu.make_dma_descriptor" Opaque pure, form(
        "base any, global_dynamic_sizes* index, global_dynamic_strides* index, shared_dynamic_sizes* index, workgroup_mask? vector<16xi1>, early_timeout? i1, pad_amount? i32, pad_interval? i32, atomic_barrier_address? memref, atomic_barrier_indices* index, global_increment? index, lds_increment? i32, iteration_count? index -> desc any",
        "global_static_sizes global_static_strides shared_static_sizes",
        "$base `globalSize` mixed(global_static_sizes, global_dynamic_sizes) `globalStride` mixed(global_static_strides, global_dynamic_strides) `sharedSize` mixed(shared_static_sizes, shared_dynamic_sizes) (`padShared` `(` $pad_amount^ `every` $pad_interval `)`)? (`workgroupMask` $workgroup_mask^ (`earlyTimeout` $early_timeout^)?)? (`atomicBarrier` `(` $atomic_barrier_address^ `[` $atomic_barrier_indices `]` `:` type($atomic_barrier_address) `)`)? (`iterate` $global_increment^ `,` $lds_increment `,` $iteration_count)? attr-dict `:` type($base) `->` type($desc)",
    );
    AmdgpuMakeGatherDmaDescriptor "amdgpu.make_gather_dma_descriptor" Opaque pure, form(
        "base any, indices vector, global_dynamic_sizes* index, global_dynamic_strides* index, shared_dynamic_sizes* index, workgroup_mask? vector<16xi1>, early_timeout? i1, pad_amount? i32, pad_interval? i32, atomic_barrier_address? memref, atomic_barrier_indices* index, global_increment? index, lds_increment? i32, iteration_count? index -> desc any",
        "global_static_sizes global_static_strides shared_static_sizes",
        "$base `[` $indices `]` `globalSize` mixed(global_static_sizes, global_dynamic_sizes) `globalStride` mixed(global_static_strides, global_dynamic_strides) `sharedSize` mixed(shared_static_sizes, shared_dynamic_sizes) (`padShared` `(` $pad_amount^ `every` $pad_interval `)`)? (`workgroupMask` $workgroup_mask^ (`earlyTimeout` $early_timeout^)?)? (`atomicBarrier` `(` $atomic_barrier_address^ `[` $atomic_barrier_indices `]` `:` type($atomic_barrier_address) `)`)? (`iterate` $global_increment^ `,` $lds_increment `,` $iteration_count)? attr-dict `:` type($base) `,` type($indices) `->` type($desc)",
    );
    AmdgpuTensorLoadToLds "amdgpu.tensor_load_to_lds" Opaque, form("desc any ->", "", "$desc attr-dict `:` type($desc)");
    AmdgpuTensorStoreFromLds "amdgpu.tensor_store_from_lds" Opaque, form("desc any ->", "", "$desc attr-dict `:` type($desc)");
}
