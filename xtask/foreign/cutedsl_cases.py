"""Kernels in CUTLASS's CuTe DSL, which compiles them by a newer NVVM than NVCC's."""

import os
import re
import tempfile

# The text is kept only where it is written to a folder, too.
FOLDER = tempfile.TemporaryDirectory()
os.environ |= {"CUTE_DSL_ARCH": "sm_90a", "CUTE_DSL_KEEP_PTX": "1", "CUTE_DSL_NO_CACHE": "1", "CUTE_DSL_DUMP_DIR": FOLDER.name}

import numpy as np
from cutlass import Float16, Float32, Int32, Int64, cute, memory, range_constexpr
from cutlass.cute.nvgpu import OperandMajorMode, cpasync, warp, warpgroup

from case import Case, TensorMap, case, normal, whole

TYPES = {np.float16: Float16, np.float32: Float32, np.int32: Int32}


def fake(array):
    """What stands for an array while a kernel is compiled."""
    order = tuple(reversed(range(array.ndim)))
    return cute.runtime.make_fake_compact_tensor(TYPES[array.dtype.type], array.shape, stride_order=order, assumed_align=16)


def run(host, arrays, grid, block, passed, expected, shared=0, rtol=0.0, atol=0.0):
    ptx = cute.compile(host, *map(fake, arrays)).artifacts.PTX
    ptx = ptx.decode() if isinstance(ptx, bytes) else ptx
    entry = re.search(r"\.entry (\w+)", ptx)[1]
    # Atoms and layouts without contents are parameters of a byte.
    n_params = len(re.findall(r"^\s*\.param", ptx, re.M))
    passed = passed + [np.int8(0)] * (n_params - len(passed))
    return Case(ptx, entry, grid, block, passed, expected, shared, rtol, atol)


@cute.kernel
def axpy(x: cute.Tensor, y: cute.Tensor):
    thread, _, _ = cute.arch.thread_idx()
    group, _, _ = cute.arch.block_idx()
    i = group * 64 + thread
    if i < cute.size(x):
        y[i] = y[i] + x[i] * 2.0


@cute.jit
def run_axpy(x: cute.Tensor, y: cute.Tensor):
    axpy(x, y).launch(grid=[4, 1, 1], block=[64, 1, 1])


@case("cutedsl_axpy")
def _(r):
    x, y = whole(r, 230), whole(r, 230)
    return run(run_axpy, [x, y], (4,), (64,), [x, y], {1: y + 2 * x})


@cute.kernel
def row_sum(x: cute.Tensor, y: cute.Tensor):
    thread, _, _ = cute.arch.thread_idx()
    row, _, _ = cute.arch.block_idx()
    total = Float32(0)
    for i in range(thread, cute.size(x, mode=[1]), 32):
        total += x[row, i]
    total = cute.arch.warp_reduction_sum(total)
    if thread == 0:
        y[row] = total


@cute.jit
def run_row_sum(x: cute.Tensor, y: cute.Tensor):
    row_sum(x, y).launch(grid=[8, 1, 1], block=[32, 1, 1])


@case("cutedsl_row_sum")
def _(r):
    x = whole(r, (8, 100))
    y = np.zeros(8, np.float32)
    return run(run_row_sum, [x, y], (8,), (32,), [x, y], {1: x.sum(1)})


@cute.kernel
def softmax(x: cute.Tensor, y: cute.Tensor):
    thread, _, _ = cute.arch.thread_idx()
    row, _, _ = cute.arch.block_idx()
    value = x[row, thread]
    e = cute.math.exp(value - cute.arch.warp_reduction_max(value), fastmath=True)
    y[row, thread] = e / cute.arch.warp_reduction_sum(e)


@cute.jit
def run_softmax(x: cute.Tensor, y: cute.Tensor):
    softmax(x, y).launch(grid=[4, 1, 1], block=[32, 1, 1])


@case("cutedsl_softmax")
def _(r):
    x = normal(r, (4, 32))
    e = np.exp(x.astype(np.float64) - x.max(1, keepdims=True))
    out = (e / e.sum(1, keepdims=True)).astype(np.float32)
    return run(run_softmax, [x, x], (4,), (32,), [x, np.zeros_like(x)], {1: out}, rtol=1e-5)


@cute.kernel
def transpose(x: cute.Tensor, y: cute.Tensor):
    a, b, _ = cute.arch.thread_idx()
    column, row, _ = cute.arch.block_idx()
    tile = memory.SmemAllocator().allocate_tensor(Float32, cute.make_layout((32, 32), stride=(33, 1)), 16)
    for i in range_constexpr(4):
        tile[b + 8 * i, a] = x[row * 32 + b + 8 * i, column * 32 + a]
    cute.arch.sync_threads()
    for i in range_constexpr(4):
        y[column * 32 + b + 8 * i, row * 32 + a] = tile[a, b + 8 * i]


@cute.jit
def run_transpose(x: cute.Tensor, y: cute.Tensor):
    transpose(x, y).launch(grid=[2, 2, 1], block=[32, 8, 1])


@case("cutedsl_transpose")
def _(r):
    x = normal(r, (64, 64))
    return run(run_transpose, [x, x], (2, 2), (32, 8), [x, np.zeros_like(x)], {1: x.T}, shared=8192)


# 64 x 64 of a product for four warps, by cp.async, ldmatrix and mma.sync.
@cute.kernel
def gemm(a: cute.Tensor, b: cute.Tensor, c: cute.Tensor, mma: cute.TiledMma):
    thread, _, _ = cute.arch.thread_idx()
    column, row, _ = cute.arch.block_idx()
    ga, gb = cute.local_tile(a, (64, 32), (row, None)), cute.local_tile(b, (64, 32), (column, None))
    gc = cute.local_tile(c, (64, 64), (row, column))
    storage = memory.SmemAllocator()
    layout = cute.make_composed_layout(cute.make_swizzle(2, 3, 3), 0, cute.make_layout((64, 32), stride=(32, 1)))
    sa, sb = storage.allocate_tensor(Float16, layout, 128), storage.allocate_tensor(Float16, layout, 128)
    atom = cute.make_copy_atom(cpasync.CopyG2SOp(), Float16, num_bits_per_copy=128)
    copy = cute.make_tiled_copy_tv(atom, cute.make_layout((32, 4), stride=(4, 1)), cute.make_layout((1, 8)))
    mine, part = copy.get_slice(thread), mma.get_slice(thread)
    tc = part.partition_C(gc)
    ra, rb = mma.make_fragment_A(part.partition_A(sa)), mma.make_fragment_B(part.partition_B(sb))
    rc = mma.make_fragment_C(tc)
    rc.fill(0.0)
    load = cute.make_copy_atom(warp.LdMatrix8x8x16bOp(False, 4), Float16)
    load_a, load_b = cute.make_tiled_copy_A(load, mma), cute.make_tiled_copy_B(load, mma)
    from_a, from_b = load_a.get_slice(thread), load_b.get_slice(thread)
    for k in range(cute.size(ga, mode=[2])):
        cute.copy(copy, mine.partition_S(ga[None, None, k]), mine.partition_D(sa))
        cute.copy(copy, mine.partition_S(gb[None, None, k]), mine.partition_D(sb))
        cute.arch.cp_async_commit_group()
        cute.arch.cp_async_wait_group(0)
        cute.arch.sync_threads()
        cute.copy(load_a, from_a.partition_S(sa), from_a.retile(ra))
        cute.copy(load_b, from_b.partition_S(sb), from_b.retile(rb))
        cute.gemm(mma, rc, ra, rb, rc)
        cute.arch.sync_threads()
    cute.autovec_copy(rc, tc)


@cute.jit
def run_gemm(a: cute.Tensor, b: cute.Tensor, c: cute.Tensor):
    op = warp.MmaF16BF16Op(Float16, Float32, (16, 8, 16))
    mma = cute.make_tiled_mma(op, cute.make_layout((2, 2, 1)), permutation_mnk=(32, 32, 16))
    gemm(a, b, c, mma).launch(grid=[2, 2, 1], block=[128, 1, 1])


def products(r):
    a, b = whole(r, (128, 192), np.float16), whole(r, (128, 192), np.float16)
    return a, b, a.astype(np.float32) @ b.astype(np.float32).T


@case("cutedsl_gemm")
def _(r):
    a, b, out = products(r)
    return run(run_gemm, [a, b, out], (2, 2), (128,), [a, b, np.zeros_like(out)], {2: out}, shared=8192)


# The same for a group of warps, by tensor maps and wgmma.
@cute.kernel
def hopper_gemm(map_a: cute.CopyAtom, a: cute.Tensor, map_b: cute.CopyAtom, b: cute.Tensor, c: cute.Tensor, mma: cute.TiledMma,
                layout: cute.ComposedLayout):
    thread, _, _ = cute.arch.thread_idx()
    column, row, _ = cute.arch.block_idx()
    storage = memory.SmemAllocator()
    ready = storage.allocate_array(Int64, 1)
    sa = storage.allocate_tensor(Float16, layout.outer, 1024, swizzle=layout.inner)
    sb = storage.allocate_tensor(Float16, layout.outer, 1024, swizzle=layout.inner)
    ga, gb = cute.local_tile(a, (64, 64), (row, None)), cute.local_tile(b, (64, 64), (column, None))
    gc = cute.local_tile(c, (64, 64), (row, column))
    if thread == 0:
        cute.arch.mbarrier_init(ready, 1)
    cute.arch.mbarrier_init_fence()
    cute.arch.sync_threads()
    one = cute.make_layout(1)
    to_a, from_a = cpasync.tma_partition(map_a, 0, one, cute.group_modes(sa, 0, 2), cute.group_modes(ga, 0, 2))
    to_b, from_b = cpasync.tma_partition(map_b, 0, one, cute.group_modes(sb, 0, 2), cute.group_modes(gb, 0, 2))
    part = mma.get_slice(thread)
    tc = part.partition_C(gc)
    ra, rb = mma.make_fragment_A(part.partition_A(sa)), mma.make_fragment_B(part.partition_B(sb))
    rc = cute.make_rmem_tensor(tc.shape, Float32)
    rc.fill(0.0)
    this_warp = cute.arch.make_warp_uniform(cute.arch.warp_idx())
    for k in range(cute.size(ga, mode=[2])):
        if this_warp == 0:
            with cute.arch.elect_one():
                cute.arch.mbarrier_arrive_and_expect_tx(ready, 2 * 64 * 64 * 2)
            cute.copy(map_a, from_a[None, k], to_a[None, 0], tma_bar_ptr=ready)
            cute.copy(map_b, from_b[None, k], to_b[None, 0], tma_bar_ptr=ready)
        cute.arch.mbarrier_wait(ready, k % 2)
        warpgroup.fence()
        mma.set(warpgroup.Field.ACCUMULATE, True)
        for j in range_constexpr(cute.size(ra, mode=[2])):
            cute.gemm(mma, rc, ra[None, None, j, 0], rb[None, None, j, 0], rc)
        warpgroup.commit_group()
        warpgroup.wait_group(0)
        cute.arch.sync_threads()
    cute.autovec_copy(rc, tc)


@cute.jit
def run_hopper_gemm(a: cute.Tensor, b: cute.Tensor, c: cute.Tensor):
    major = OperandMajorMode.K
    mma = cute.make_tiled_mma(warpgroup.MmaF16BF16Op(Float16, Float32, (64, 64, 16), warpgroup.OperandSource.SMEM, major, major))
    atom = warpgroup.make_smem_layout_atom(warpgroup.SmemLayoutAtomKind.K_SW128, Float16)
    layout = cute.tile_to_shape(atom, (64, 64, 1), (0, 1, 2))
    one = cute.slice_(layout, (None, None, 0))
    map_a, ta = cpasync.make_tiled_tma_atom(cpasync.CopyBulkTensorTileG2SOp(), a, one, (64, 64))
    map_b, tb = cpasync.make_tiled_tma_atom(cpasync.CopyBulkTensorTileG2SOp(), b, one, (64, 64))
    hopper_gemm(map_a, ta, map_b, tb, c, mma, layout).launch(grid=[2, 2, 1], block=[128, 1, 1])


@case("cutedsl_hopper_gemm")
def _(r):
    a, b, out = products(r)
    return run(run_hopper_gemm, [a, b, out], (2, 2), (128,),
               [TensorMap(a, (64, 64), 128), TensorMap(b, (64, 64), 128), np.zeros_like(out)], {2: out}, shared=1024 + 2 * 8192)
