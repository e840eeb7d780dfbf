"""Kernels in Gluon, Triton's lower level, where the program itself states barriers, copies and warpgroups."""

import numpy as np
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia import hopper
from triton.experimental.gluon.language.nvidia.ampere import async_copy
from triton.experimental.gluon.language.nvidia.hopper import fence_async_shared, mbarrier, tma
from triton.experimental.gluon._runtime import GluonASTSource

from case import BF16, case, whole
from triton_cases import Descriptor, triton_run

H = np.float16


@gluon.jit
def copied(x, y, N: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [4], [0])
    shared: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, [0])
    at = gl.program_id(0) * N + gl.arange(0, N, layout)
    buffer = gl.allocate_shared_memory(gl.float32, [N], shared)
    async_copy.async_load(buffer, x + at)
    async_copy.commit_group()
    async_copy.wait_group(0)
    gl.store(y + at, buffer.load(layout) * 3)


@case("gluon_async_copy")
def _(r):
    x = whole(r, 1024)
    return triton_run(copied, (2,), [x, np.zeros_like(x)], {1: x * 3}, {"N": 512}, source=GluonASTSource)


@gluon.jit
def group_product(a, b, c, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, K: gl.constexpr):
    """Two stages of bulk copies in front of the products of a warpgroup."""
    bars = gl.allocate_shared_memory(gl.int64, [2, 1], mbarrier.MBarrierLayout())
    xs = gl.allocate_shared_memory(a.dtype, [2, BM, BK], a.layout)
    ys = gl.allocate_shared_memory(b.dtype, [2, BK, BN], b.layout)
    for stage in gl.static_range(2):
        mbarrier.init(bars.index(stage), count=1)
    fence_async_shared()
    m, n = gl.program_id(0) * BM, gl.program_id(1) * BN
    for stage in gl.static_range(2):
        mbarrier.expect(bars.index(stage), a.nbytes_per_cta + b.nbytes_per_cta)
        tma.async_load(a, [m, stage * BK], bars.index(stage), xs.index(stage))
        tma.async_load(b, [stage * BK, n], bars.index(stage), ys.index(stage))
    layout: gl.constexpr = gl.NVMMADistributedLayout([3, 0], [4, 1], [16, BN, 16])
    acc = gl.zeros([BM, BN], gl.float32, layout)
    phase = 0
    for k in range(0, K, 2 * BK):
        for stage in gl.static_range(2):
            mbarrier.wait(bars.index(stage), phase)
            acc = hopper.warpgroup_mma(xs.index(stage), ys.index(stage), acc)
            acc = hopper.warpgroup_mma_wait(0, deps=[acc])
            more = k + (2 + stage) * BK < K
            mbarrier.expect(bars.index(stage), a.nbytes_per_cta + b.nbytes_per_cta, pred=more)
            tma.async_load(a, [m, k + (2 + stage) * BK], bars.index(stage), xs.index(stage), pred=more)
            tma.async_load(b, [k + (2 + stage) * BK, n], bars.index(stage), ys.index(stage), pred=more)
        phase ^= 1
    out = gl.allocate_shared_memory(c.dtype, [BM, BN], c.layout)
    out.store(acc.to(c.dtype))
    fence_async_shared()
    tma.async_store(c, [m, n], out)
    tma.store_wait(0)


def shared_layout(array, block):
    elem = {H: gl.float16, BF16: gl.bfloat16, np.dtype(np.float16): gl.float16}[array.dtype]
    return gl.NVMMASharedLayout.get_default_for(list(block), elem)


def products(name, dtype):
    @case(f"gluon_group_product_{name}")
    def _(r):
        m, n, k = 128, 128, 256
        a, b = whole(r, (m, k), dtype), whole(r, (k, n), dtype)
        c = (a.astype(np.float32) @ b.astype(np.float32)).astype(dtype)
        args = [Descriptor(a, (64, 64)), Descriptor(b, (64, 64)), Descriptor(np.zeros_like(c), (64, 64))]
        layouts = {name: shared_layout(array, (64, 64)) for name, array in (("a", a), ("b", b), ("c", c))}
        return triton_run(group_product, (2, 2), args, {2: c}, {"BM": 64, "BN": 64, "BK": 64, "K": k}, sm=90,
                          source=GluonASTSource, layouts=layouts)


products("f16", H)
products("bf16", BF16)


@gluon.jit
def load_part(a, xs, full, empty, STEPS: gl.constexpr, BK: gl.constexpr):
    for step in range(STEPS):
        slot = step % 2
        mbarrier.wait(empty.index(slot), (step // 2 & 1) ^ 1)
        mbarrier.expect(full.index(slot), a.nbytes_per_cta)
        tma.async_load(a, [0, step * BK], full.index(slot), xs.index(slot))


@gluon.jit
def sum_part(out, xs, full, empty, STEPS: gl.constexpr, BM: gl.constexpr, BK: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 1], [1, 32], [4, 1], [1, 0])
    acc = gl.zeros([BM, BK], gl.float32, layout)
    for step in range(STEPS):
        slot = step % 2
        mbarrier.wait(full.index(slot), step // 2 & 1)
        acc += xs.index(slot).load(layout)
        mbarrier.arrive(empty.index(slot), count=1)
    rows = gl.arange(0, BM, gl.SliceLayout(1, layout))
    gl.store(out + rows, gl.sum(acc, 1))


@gluon.jit
def specialised(a, out, STEPS: gl.constexpr, BM: gl.constexpr, BK: gl.constexpr):
    """One warp copies, four add up: barriers count what is full and what is empty."""
    xs = gl.allocate_shared_memory(a.dtype, [2, BM, BK], a.layout)
    full = gl.allocate_shared_memory(gl.int64, [2, 1], mbarrier.MBarrierLayout())
    empty = gl.allocate_shared_memory(gl.int64, [2, 1], mbarrier.MBarrierLayout())
    for slot in gl.static_range(2):
        mbarrier.init(full.index(slot), count=1)
        mbarrier.init(empty.index(slot), count=1)
    fence_async_shared()
    gl.warp_specialize([(sum_part, (out, xs, full, empty, STEPS, BM, BK)), (load_part, (a, xs, full, empty, STEPS, BK))],
                       [1], [24])


@case("gluon_specialised_sum")
def _(r):
    a = whole(r, (16, 256))
    out = a.sum(1)
    layout = gl.NVMMASharedLayout.get_default_for([16, 32], gl.float32)
    return triton_run(specialised, (1,), [Descriptor(a, (16, 32)), np.zeros_like(out)], {1: out},
                      {"STEPS": 8, "BM": 16, "BK": 32}, sm=90, source=GluonASTSource, layouts={"a": layout})
