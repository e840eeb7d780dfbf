//! Rows of `nvgpu`: matrix instructions and copies of NVIDIA GPUs.

use super::forms::*;

dialect! { Nvgpu:
    /// Multiplies two fragments of a subgroup and adds a third, by one matrix instruction.
    NvgpuMmaSync "nvgpu.mma.sync" Matrix pure, by_hand(
        "C vector; matrixA vector, matrixB vector, matrixC C -> res C",
        "mmaShape tf32Enabled:unit",
    );
    /// A product of fragments of which the first stores two of each four elements along k; metadata says which.
    NvgpuMmaSpSync "nvgpu.mma.sp.sync" Matrix pure, form(
        "C vector; matrixA vector, matrixB vector, matrixC C, sparseMetadata vector<2xi16> -> res C",
        "mmaShape sparsitySelector:i32=0 tf32Enabled:unit",
        "`(` $matrixA `,` $matrixB `,` $matrixC `)` `metadata` `(` $sparseMetadata `)` attr-dict `:` `(` type($matrixA) `,` type($matrixB) `,` type($matrixC) `)` `->` type($res)",
    );
    // Upstream has it on descriptors only, as `nvvm.wgmma.mma_async`.
    /// Multiplies a tile, or a fragment of four subgroups, by a tile in shared memory, by one asynchronous instruction.
    NvgpuWgmma "nvgpu.wgmma" Matrix reads(lhs) reads(rhs), form(
        "lhs any, lhsIndex? index, rhs memref, rhsIndex index, acc vector -> res any",
        "mmaShape lhsTile rhsTile",
        "$lhs (`[` $lhsIndex^ `]`)? `,` $rhs `[` $rhsIndex `]` `,` $acc attr-dict `:` type($lhs) `,` type($rhs) `,` type($acc) `->` type($res)",
    );
    /// Allocates barriers in shared memory.
    NvgpuMbarrierCreate "nvgpu.mbarrier.create" Opaque, form("-> barriers !nvgpu.mbarrier.group<>", "", "attr-dict `->` type($barriers)");
    /// Sets how many arrivals complete a phase of a barrier.
    NvgpuMbarrierInit "nvgpu.mbarrier.init" Opaque, form(
        "barriers !nvgpu.mbarrier.group<>, count index, mbarId index, predicate? i1 ->",
        "",
        "$barriers `[` $mbarId `]` `,` $count (`,` `predicate` `=` $predicate^)? attr-dict `:` type($barriers)",
    );
    /// Arrives at a barrier; the result is the phase.
    NvgpuMbarrierArrive "nvgpu.mbarrier.arrive" Opaque, form(
        "barriers !nvgpu.mbarrier.group<>, mbarId index -> token !nvgpu.mbarrier.token",
        "",
        "$barriers `[` $mbarId `]` attr-dict `:` type($barriers) `->` type($token)",
    );
    /// Arrives several times at a barrier without completing its phase.
    NvgpuMbarrierArriveNocomplete "nvgpu.mbarrier.arrive.nocomplete" Opaque, form(
        "barriers !nvgpu.mbarrier.group<>, mbarId index, count index -> token !nvgpu.mbarrier.token",
        "",
        "$barriers `[` $mbarId `]` `,` $count attr-dict `:` type($barriers) `->` type($token)",
    );
    /// Arrives at a barrier and announces bytes that copies will bring.
    NvgpuMbarrierArriveExpectTx "nvgpu.mbarrier.arrive.expect_tx" Opaque, form(
        "barriers !nvgpu.mbarrier.group<>, txcount index, mbarId index, predicate? i1 ->",
        "",
        "$barriers `[` $mbarId `]` `,` $txcount (`,` `predicate` `=` $predicate^)? attr-dict `:` type($barriers)",
    );
    /// Whether a phase of a barrier is complete.
    NvgpuMbarrierTestWait "nvgpu.mbarrier.test.wait" Opaque, form(
        "barriers !nvgpu.mbarrier.group<>, token !nvgpu.mbarrier.token, mbarId index -> waitComplete i1",
        "",
        "$barriers `[` $mbarId `]` `,` $token attr-dict `:` type($barriers) `,` type($token)",
    );
    /// Waits until the phase of a parity is complete.
    NvgpuMbarrierTryWaitParity "nvgpu.mbarrier.try_wait.parity" Opaque, form(
        "barriers !nvgpu.mbarrier.group<>, phaseParity i1, ticks index, mbarId index ->",
        "",
        "$barriers `[` $mbarId `]` `,` $phaseParity `,` $ticks attr-dict `:` type($barriers)",
    );
    /// A descriptor of a tensor in global memory and of the boxes that are copied.
    NvgpuTmaCreateDescriptor "nvgpu.tma.create.descriptor" Opaque, form(
        "tensor any, boxDimensions* index -> tensorMap !nvgpu.tensormap.descriptor<>",
        "",
        "$tensor `box` `[` $boxDimensions `]` attr-dict `:` type($tensor) `->` type($tensorMap)",
    );
    /// Brings a descriptor into the cache.
    NvgpuTmaPrefetchDescriptor "nvgpu.tma.prefetch.descriptor" Opaque, form(
        "tensorMapDescriptor !nvgpu.tensormap.descriptor<>, predicate? i1 ->",
        "",
        "$tensorMapDescriptor (`,` `predicate` `=` $predicate^)? attr-dict `:` type($tensorMapDescriptor)",
    );
    /// Starts a copy of a box from global to shared memory.
    NvgpuTmaAsyncLoad "nvgpu.tma.async.load" Opaque, form(
        "dst any, barriers !nvgpu.mbarrier.group<>, tensorMapDescriptor !nvgpu.tensormap.descriptor<>, coordinates* index, mbarId index, multicastMask? any, predicate? i1 ->",
        "",
        "$tensorMapDescriptor `[` $coordinates `]` `,` $barriers `[` $mbarId `]` `to` $dst (`,` `predicate` `=` $predicate^)? attr-dict `:` type($tensorMapDescriptor) `,` type($barriers) `->` type($dst)",
    );
    /// Starts an asynchronous copy from global to shared memory.
    NvgpuDeviceAsyncCopy "nvgpu.device_async_copy" Opaque reads(src) writes(dst), form(
        "dst any, dstIndices* index, src any, srcIndices* index, srcElements? index -> asyncToken !nvgpu.device.async.token",
        "dstElements:index bypassL1:unit",
        "$src `[` $srcIndices `]` `,` $dst `[` $dstIndices `]` `,` $dstElements (`,` $srcElements^)? (`bypassL1` $bypassL1^)? attr-dict `:` type($src) `to` type($dst)",
    );
    /// Makes a group of the asynchronous copies since the last group.
    NvgpuDeviceAsyncCreateGroup "nvgpu.device_async_create_group" Opaque waits, form(
        "inputTokens* !nvgpu.device.async.token -> asyncToken !nvgpu.device.async.token",
        "",
        "$inputTokens attr-dict",
    );
    /// Waits until at most a number of groups of asynchronous copies is pending.
    NvgpuDeviceAsyncWait "nvgpu.device_async_wait" Opaque waits, form(
        "asyncDependencies !nvgpu.device.async.token ->",
        "numGroups:i32",
        "$asyncDependencies (`numGroups` `=` $numGroups^)? attr-dict",
    );
    /// Reads 8 x 8 matrices from shared memory into the fragments of a subgroup.
    NvgpuLdmatrix "nvgpu.ldmatrix" Matrix reads(srcMemref), form(
        "srcMemref any, indices* index -> res any",
        "numTiles:i32 transpose:bool",
        "$srcMemref `[` $indices `]` (`numTiles` `=` $numTiles^ `transpose` `=` $transpose)? attr-dict `:` type($srcMemref) `->` type($res)",
    );
    // The same the other way. Upstream has it on pointers only, as `nvvm.stmatrix`.
    /// Writes 8 x 8 matrices from the fragments of a subgroup to shared memory.
    NvgpuStmatrix "nvgpu.stmatrix" Matrix writes(dstMemref), form(
        "value vector, dstMemref any, indices* index ->",
        "transpose:bool",
        "$value `,` $dstMemref `[` $indices `]` attr-dict `:` type($value) `,` type($dstMemref)",
    );

    /// One of several barriers.
    NvgpuMbarrierGet "nvgpu.mbarrier.get" Opaque, form(
        "barriers !nvgpu.mbarrier.group<>, mbarId index -> mbarrierPointer any",
        "",
        "$barriers `[` $mbarId `]` attr-dict `:` type($barriers) `->` type($mbarrierPointer)",
    );
    /// Starts a copy of a box from shared to global memory.
    NvgpuTmaAsyncStore "nvgpu.tma.async.store" Opaque, form(
        "src memref, tensorMapDescriptor !nvgpu.tensormap.descriptor<>, coordinates* index, predicate? i1 ->",
        "",
        "$src `to` $tensorMapDescriptor `[` $coordinates `]` (`,` `predicate` `=` $predicate^)? attr-dict `:` type($src) `->` type($tensorMapDescriptor)",
    );
}
