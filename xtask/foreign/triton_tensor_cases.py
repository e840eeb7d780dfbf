"""Kernels in Triton that use matrix instructions and tensor maps: products, attention, convolutions."""

import numpy as np
import triton
import triton.language as tl

from case import BF16, E4M3, E5M2, case, normal, whole
from triton_cases import Descriptor, close, soft, triton_run


@triton.jit
def matmul(a, b, c, M, N, K, sam, sak, sbk, sbn, PRECISION: tl.constexpr, ACC: tl.constexpr, BM: tl.constexpr,
           BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)[:, None]
    n = tl.program_id(1) * BN + tl.arange(0, BN)[None, :]
    k = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), ACC)
    for start in range(0, K, BK):
        at = start + k
        x = tl.load(a + m * sam + at[None, :] * sak, (m < M) & (at[None, :] < K), other=0.0)
        y = tl.load(b + at[:, None] * sbk + n * sbn, (at[:, None] < K) & (n < N), other=0.0)
        acc = tl.dot(x, y, acc, input_precision=PRECISION, out_dtype=ACC)
    tl.store(c + m * N + n, acc.to(c.dtype.element_ty), (m < M) & (n < N))


ACCUMULATORS = {"f32": tl.float32, "i32": tl.int32, "f16": tl.float16, "f64": tl.float64}


def product(name, dtype, out, acc="f32", sm=80, size=(96, 80, 144), block=(64, 64, 32), order="nn", precision="tf32",
            warps=4, stages=3):
    full = f"triton_matmul_{name}_{order}_sm{sm}_s{stages}" + ("" if precision == "tf32" else f"_{precision}")

    @case(full)
    def _(r):
        m, n, k = size
        a = whole(r, (m, k) if order[0] == "n" else (k, m), dtype)
        b = whole(r, (k, n) if order[1] == "n" else (n, k), dtype)
        x, y = (a if order[0] == "n" else a.T), (b if order[1] == "n" else b.T)
        c = (x.astype(np.float64) @ y.astype(np.float64)).astype(out)
        strides = [np.int32(stride // array.itemsize) for array in (x, y) for stride in array.strides]
        grid = (-(-m // block[0]), -(-n // block[1]))
        consts = {"PRECISION": precision, "ACC": ACCUMULATORS[acc], "BM": block[0], "BN": block[1], "BK": block[2]}
        return triton_run(matmul, grid, [a, b, np.zeros_like(c), *map(np.int32, size), *strides], {2: c}, consts, sm=sm,
                          warps=warps, num_stages=stages)


H = np.float16
product("f16", H, np.float32)
product("f16", H, H, order="nt")
product("f16", H, H, order="tn", stages=2)
product("f16", H, np.float32, order="tt", stages=1)
product("f16", H, H, acc="f16", stages=4)
product("f16", H, np.float32, sm=75)
product("bf16", BF16, np.float32)
product("bf16", BF16, BF16, sm=86, stages=4, warps=8, block=(128, 64, 32))
product("tf32", np.float32, np.float32)
product("f32", np.float32, np.float32, precision="ieee", size=(40, 48, 64), block=(32, 32, 32))
product("f32", np.float32, np.float32, precision="tf32x3")
product("i8", np.int8, np.int32, acc="i32", block=(64, 64, 64))
product("f64", np.float64, np.float64, acc="f64", size=(40, 48, 32), block=(32, 32, 16), precision="ieee")
product("e4m3", E4M3, np.float32, sm=89, block=(64, 64, 64))
product("e5m2", E5M2, np.float32, sm=89, block=(64, 64, 64))
product("e5m2", E5M2, np.float32, sm=80, block=(64, 64, 64))
# With the matrix instructions of warpgroups.
product("f16", H, np.float32, sm=90, block=(64, 64, 64))
product("f16", H, H, sm=90, order="nt", block=(128, 64, 64), warps=8)
product("f16", H, H, sm=90, order="tn", block=(64, 128, 32))
product("bf16", BF16, BF16, sm=90, order="tt", block=(64, 64, 64), stages=4)
product("tf32", np.float32, np.float32, sm=90)
product("tf32", np.float32, np.float32, sm=90, order="nt", stages=2)
product("i8", np.int8, np.int32, acc="i32", sm=90, block=(64, 64, 64), order="nt")
product("e4m3", E4M3, np.float32, sm=90, block=(64, 64, 64), order="nt")
product("e5m2", E5M2, np.float32, sm=90, block=(64, 64, 64), order="nt")


@triton.jit
def split_k(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, SPLIT: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)[:, None]
    n = tl.program_id(1) * BN + tl.arange(0, BN)[None, :]
    acc = tl.zeros((BM, BN), tl.float32)
    for start in range(tl.program_id(2) * BK, K, BK * SPLIT):
        k = start + tl.arange(0, BK)
        acc += tl.dot(tl.load(a + m * K + k[None, :]), tl.load(b + k[:, None] * N + n))
    tl.atomic_add(c + m * N + n, acc, sem="relaxed")


@case("triton_split_k")
def _(r):
    m, n, k = 64, 64, 256
    a, b = whole(r, (m, k), H), whole(r, (k, n), H)
    c = a.astype(np.float32) @ b.astype(np.float32)
    return triton_run(split_k, (2, 2, 4), [a, b, np.zeros_like(c), *map(np.int32, (m, n, k))], {2: c},
                      {"BM": 32, "BN": 32, "BK": 32, "SPLIT": 4})


@triton.jit
def stream_k(a, b, c, parts, ready, K, M: tl.constexpr, N: tl.constexpr, BK: tl.constexpr):
    """The first workgroup waits for what later ones sum up."""
    own, all = tl.program_id(0), tl.num_programs(0)
    m, n, k = tl.arange(0, M), tl.arange(0, N), tl.arange(0, BK)
    at = m[:, None] * N + n[None, :]
    acc = tl.zeros((M, N), tl.float32)
    for start in range(own * BK, K, all * BK):
        x = tl.load(a + m[:, None] * K + start + k[None, :])
        acc = tl.dot(x, tl.load(b + (start + k[:, None]) * N + n[None, :]), acc)
    if own > 0:
        tl.store(parts + own * M * N + at, acc)
        tl.debug_barrier()
        tl.atomic_xchg(ready + own, 1, sem="release")
    else:
        for other in range(1, all):
            while tl.atomic_cas(ready + other, 1, 1, sem="acquire") != 1:
                pass
            tl.debug_barrier()
            acc += tl.load(parts + other * M * N + at)
        tl.store(c + at, acc)


@case("triton_stream_k")
def _(r):
    m, n, k = 32, 32, 256
    a, b = whole(r, (m, k), H), whole(r, (k, n), H)
    c = a.astype(np.float32) @ b.astype(np.float32)
    args = [a, b, np.zeros_like(c), np.zeros((4, m, n), np.float32), np.zeros(4, np.int32), np.int32(k)]
    return triton_run(stream_k, (4,), args, {2: c}, {"M": m, "N": n, "BK": 32})


@triton.jit
def gelu_product(a, b, bias, c, M, N, K, GROUP: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    pid = tl.program_id(0)
    m, n = tl.swizzle2d(pid // tl.cdiv(N, BN), pid % tl.cdiv(N, BN), tl.cdiv(M, BM), tl.cdiv(N, BN), GROUP)
    m = m * BM + tl.arange(0, BM)[:, None]
    n = n * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.float32)
    for start in range(0, K, BK):
        k = start + tl.arange(0, BK)
        acc = tl.dot(tl.load(a + m * K + k[None, :]), tl.load(b + k[:, None] * N + n[None, :]), acc)
    acc += tl.load(bias + n)[None, :]
    acc = 0.5 * acc * (1 + tl.erf(acc * 0.7071067811865476))
    tl.store(c + m * N + n[None, :], acc.to(tl.bfloat16))


@case("triton_gelu_product")
def _(r):
    m, n, k = 128, 96, 64
    a, b, bias = normal(r, (m, k), BF16), normal(r, (k, n), BF16), normal(r, n)
    v = a.astype(np.float64) @ b.astype(np.float64) + bias
    c = (0.5 * v * (1 + np.vectorize(__import__("math").erf)(v / np.sqrt(2)))).astype(BF16)
    return triton_run(gelu_product, (12,), [a, b, bias, np.zeros_like(c), *map(np.int32, (m, n, k))], {3: c},
                      {"GROUP": 2, "BM": 32, "BN": 32, "BK": 32}, rtol=1e-2, atol=1e-3)


@triton.jit
def dequantised(a, b, scale, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.arange(0, BM)[:, None]
    n = tl.program_id(0) * BN + tl.arange(0, BN)[None, :]
    acc = tl.zeros((BM, BN), tl.float32)
    for start in range(0, K, BK):
        k = start + tl.arange(0, BK)[:, None]
        word = tl.load(b + (k // 8) * N + n)
        w = ((word >> ((k % 8) * 4)) & 15) - 8
        x = tl.load(a + m * K + (start + tl.arange(0, BK))[None, :])
        acc = tl.dot(x, (w.to(tl.float16) * tl.load(scale + n)).to(tl.float16), acc)
    tl.store(c + m * N + n, acc)


@case("triton_int4_product")
def _(r):
    m, n, k = 16, 64, 128
    a, w = whole(r, (m, k), H), r.integers(0, 16, (k, n))
    scale = (2.0 ** r.integers(-2, 3, n)).astype(H)
    packed = np.zeros((k // 8, n), np.uint32)
    for at in range(8):
        packed |= w[at::8].astype(np.uint32) << np.uint32(4 * at)
    c = (a.astype(np.float64) @ ((w - 8) * scale.astype(np.float64))).astype(np.float32)
    return triton_run(dequantised, (2,), [a, packed.astype(np.int32), scale, np.zeros_like(c), *map(np.int32, (m, n, k))],
                      {3: c}, {"BM": 16, "BN": 32, "BK": 32})


@triton.jit
def batched(a, b, c, BM: tl.constexpr, BK: tl.constexpr):
    z = tl.program_id(0) * 4 + tl.arange(0, 4)[:, None, None]
    m, k = tl.arange(0, BM), tl.arange(0, BK)
    x = tl.load(a + z * BM * BK + m[None, :, None] * BK + k[None, None, :])
    y = tl.load(b + z * BM * BK + k[None, :, None] * BM + m[None, None, :])
    tl.store(c + z * BM * BM + m[None, :, None] * BM + m[None, None, :], tl.dot(x, y))


@case("triton_batched_product")
def _(r):
    a, b = whole(r, (8, 32, 32), H), whole(r, (8, 32, 32), H)
    c = a.astype(np.float32) @ b.astype(np.float32)
    return triton_run(batched, (2,), [a, b, np.zeros_like(c)], {2: c}, {"BM": 32, "BK": 32})


@triton.jit
def scaled_product(a, sa, b, sb, c, A: tl.constexpr, B: tl.constexpr, PA: tl.constexpr, PB: tl.constexpr,
                   M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    m, n = tl.arange(0, M), tl.arange(0, N)
    x = tl.load(a + m[:, None] * (K // PA) + tl.arange(0, K // PA)[None, :])
    y = tl.load(b + tl.arange(0, K // PB)[:, None] * N + n[None, :])
    g = tl.arange(0, K // 32)
    sx = tl.load(sa + m[:, None] * (K // 32) + g[None, :])
    sy = tl.load(sb + n[:, None] * (K // 32) + g[None, :])
    tl.store(c + m[:, None] * N + n[None, :], tl.dot_scaled(x, sx, A, y, sy, B))


def scaled(sm):
    @case(f"triton_scaled_product_e4m3_sm{sm}")
    def _(r):
        m, n, k = 128, 64, 64
        a, b = whole(r, (m, k), E4M3), whole(r, (k, n), E5M2)
        sa, sb = r.integers(125, 130, (m, k // 32)).astype(np.uint8), r.integers(125, 130, (n, k // 32)).astype(np.uint8)
        x = a.astype(np.float64) * np.repeat(2.0 ** (sa.astype(int) - 127), 32, 1)
        y = b.astype(np.float64) * np.repeat(2.0 ** (sb.astype(int) - 127), 32, 1).T
        c = (x @ y).astype(np.float32)
        return triton_run(scaled_product, (1,), [a.view(np.uint8), sa, b.view(np.uint8), sb, np.zeros_like(c)], {4: c},
                          {"A": "e4m3", "B": "e5m2", "PA": 1, "PB": 1, "M": m, "N": n, "K": k}, sm=sm)


scaled(90)

# Attention


@triton.jit
def attention(q, k, v, out, scale, L, CAUSAL: tl.constexpr, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr,
              SPECIAL: tl.constexpr):
    start = tl.program_id(0) * BM
    base = tl.program_id(1) * L * D
    m = start + tl.arange(0, BM)
    d = tl.arange(0, D)
    queries = tl.load(q + base + m[:, None] * D + d[None, :])
    acc = tl.zeros((BM, D), tl.float32)
    top = tl.full((BM,), -float("inf"), tl.float32)
    total = tl.zeros((BM,), tl.float32)
    end = L
    if CAUSAL:
        end = start + BM
    for at in tl.range(0, end, BN, warp_specialize=SPECIAL):
        n = at + tl.arange(0, BN)
        keys = tl.load(k + base + n[:, None] * D + d[None, :])
        s = tl.dot(queries, tl.trans(keys)) * scale
        if CAUSAL:
            s = tl.where(m[:, None] >= n[None, :], s, -1e9)
        most = tl.maximum(top, tl.max(s, 1))
        p = tl.exp2((s - most[:, None]) * 1.4426950408889634)
        shrink = tl.exp2((top - most) * 1.4426950408889634)
        total = total * shrink + tl.sum(p, 1)
        values = tl.load(v + base + n[:, None] * D + d[None, :])
        acc = tl.dot(p.to(values.dtype), values, acc * shrink[:, None])
        top = most
    tl.store(out + base + m[:, None] * D + d[None, :], (acc / total[:, None]).to(out.dtype.element_ty))


def attentions(name, dtype, sm, causal, block=(32, 32), warps=4, special=False):
    full = f"triton_attention_{name}_sm{sm}" + ("_causal" if causal else "") + ("_special" if special else "")

    @case(full)
    def _(r):
        heads, length, d = 2, 128, 64
        q, k, v = (normal(r, (heads, length, d), dtype) for _ in range(3))
        s = q.astype(np.float64) @ k.astype(np.float64).transpose(0, 2, 1) * 0.125
        if causal:
            s = np.where(np.tri(length, dtype=bool), s, -1e9)
        out = (soft(s) @ v.astype(np.float64)).astype(dtype)
        consts = {"CAUSAL": causal, "D": d, "BM": block[0], "BN": block[1], "SPECIAL": special}
        args = [q, k, v, np.zeros_like(out), np.float32(0.125), np.int32(length)]
        return triton_run(attention, (length // block[0], heads), args, {3: out}, consts, sm=sm, warps=warps,
                          rtol=2 * close(dtype), atol=2 * close(dtype))


attentions("f16", H, 80, False)
attentions("bf16", BF16, 80, True)
attentions("f16", H, 75, True)
attentions("f16", H, 90, True, (64, 64))
attentions("bf16", BF16, 90, False, (128, 64), 8)

# Tensor maps


@triton.jit
def copy_tiles(source, target, M, N, BM: tl.constexpr, BN: tl.constexpr):
    x = tl.make_tensor_descriptor(source, [M, N], [N, 1], [BM, BN])
    y = tl.make_tensor_descriptor(target, [M, N], [N, 1], [BM, BN])
    m, n = tl.program_id(0) * BM, tl.program_id(1) * BN
    y.store([m, n], x.load([m, n]) + 1)


def tiles(name, dtype, block):
    @case(f"triton_tma_copy_{name}")
    def _(r):
        x = whole(r, (50, 80), dtype)
        grid = (-(-50 // block[0]), -(-80 // block[1]))
        return triton_run(copy_tiles, grid, [x, np.zeros_like(x), np.int32(50), np.int32(80)], {1: x + dtype(1)},
                          {"BM": block[0], "BN": block[1]}, sm=90)


tiles("f32", np.float32, (16, 32))
tiles("f16", H, (32, 16))
tiles("i8", np.int8, (16, 16))


@triton.jit
def tma_product(a, b, c, M, N, K, B_TRANSPOSED: tl.constexpr, SPECIAL: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr,
                BK: tl.constexpr):
    x = tl.make_tensor_descriptor(a, [M, K], [K, 1], [BM, BK])
    if B_TRANSPOSED:
        y = tl.make_tensor_descriptor(b, [N, K], [K, 1], [BN, BK])
    else:
        y = tl.make_tensor_descriptor(b, [K, N], [N, 1], [BK, BN])
    z = tl.make_tensor_descriptor(c, [M, N], [N, 1], [BM, BN])
    m, n = tl.program_id(0) * BM, tl.program_id(1) * BN
    acc = tl.zeros((BM, BN), tl.float32)
    for k in tl.range(0, tl.cdiv(K, BK), warp_specialize=SPECIAL):
        if B_TRANSPOSED:
            part = y.load([n, k * BK]).T
        else:
            part = y.load([k * BK, n])
        acc = tl.dot(x.load([m, k * BK]), part, acc)
    z.store([m, n], acc.to(c.dtype.element_ty))


@triton.jit
def host_tma_product(x, y, z, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m, n = tl.program_id(0) * BM, tl.program_id(1) * BN
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        acc = tl.dot(x.load([m, k]), y.load([k, n]), acc)
    z.store([m, n], acc.to(tl.float16))


@triton.jit
def persistent_product(x, y, z, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, SPECIAL: tl.constexpr):
    tiles = tl.cdiv(M, BM) * tl.cdiv(N, BN)
    for tile in tl.range(tl.program_id(0), tiles, tl.num_programs(0), flatten=not SPECIAL, warp_specialize=SPECIAL):
        m, n = tile // tl.cdiv(N, BN) * BM, tile % tl.cdiv(N, BN) * BN
        acc = tl.zeros((BM, BN), tl.float32)
        for k in range(0, K, BK):
            acc = tl.dot(x.load([m, k]), y.load([n, k]).T, acc)
        z.store([m, n], acc.to(tl.bfloat16))


def tma_products(name, dtype, out, transposed=False, block=(64, 64, 64), special=False, **options):
    parts = [name, "nt" if transposed else "nn", *(["special"] if special else []), *(f"{k}{v}" for k, v in options.items())]

    @case("triton_tma_matmul_" + "_".join(parts))
    def _(r):
        m, n, k = 128, 112, 160
        a, b = whole(r, (m, k), dtype), whole(r, (n, k) if transposed else (k, n), dtype)
        c = (a.astype(np.float64) @ (b.T if transposed else b).astype(np.float64)).astype(out)
        grid = (-(-m // block[0]), -(-n // block[1]))
        consts = {"B_TRANSPOSED": transposed, "SPECIAL": special, "BM": block[0], "BN": block[1], "BK": block[2]}
        return triton_run(tma_product, grid, [a, b, np.zeros_like(c), *map(np.int32, (m, n, k))], {2: c}, consts, sm=90,
                          **options)


tma_products("f16", H, np.float32)
tma_products("bf16", BF16, BF16, True)
tma_products("e4m3", E4M3, np.float32, True)
tma_products("tf32", np.float32, np.float32, True, (64, 64, 32))
tma_products("f16", H, H, special=True)
tma_products("f16", H, H, num_ctas=2, block=(128, 64, 64))


@case("triton_host_tma_matmul")
def _(r):
    m, n, k = 128, 64, 128
    a, b = whole(r, (m, k), H), whole(r, (k, n), H)
    c = (a.astype(np.float32) @ b.astype(np.float32)).astype(H)
    args = [Descriptor(a, (64, 64)), Descriptor(b, (64, 64)), Descriptor(np.zeros_like(c), (64, 64)), np.int32(k)]
    return triton_run(host_tma_product, (2, 1), args, {2: c}, {"BM": 64, "BN": 64, "BK": 64}, sm=90)


def persistents(special, warps=4):
    @case(f"triton_persistent_matmul{'_special' if special else ''}")
    def _(r):
        m, n, k = 128, 128, 128
        a, b = whole(r, (m, k), BF16), whole(r, (n, k), BF16)
        c = (a.astype(np.float32) @ b.astype(np.float32).T).astype(BF16)
        args = [Descriptor(a, (64, 64)), Descriptor(b, (64, 64)), Descriptor(np.zeros_like(c), (64, 64))]
        return triton_run(persistent_product, (2,), [*args, *map(np.int32, (m, n, k))], {2: c},
                          {"BM": 64, "BN": 64, "BK": 64, "SPECIAL": special}, sm=90, warps=warps)


persistents(False)
persistents(True)


@triton.jit
def tma_reduce(x, out, BM: tl.constexpr, BN: tl.constexpr):
    target = tl.make_tensor_descriptor(out, [BM, BN], [BN, 1], [BM, BN])
    at = tl.arange(0, BM)[:, None] * BN + tl.arange(0, BN)[None, :]
    target.atomic_add([0, 0], tl.load(x + tl.program_id(0) * BM * BN + at))


@case("triton_tma_reduce")
def _(r):
    x = whole(r, (4, 16, 32))
    out = x.sum(0)
    return triton_run(tma_reduce, (4,), [x, np.zeros_like(out)], {1: out}, {"BM": 16, "BN": 32}, sm=90)


# Convolutions


@triton.jit
def convolution(x, w, out, H_IN, W_IN, C: tl.constexpr, O: tl.constexpr, R: tl.constexpr, BP: tl.constexpr):
    width = W_IN - R + 1
    height = H_IN - R + 1
    p = tl.program_id(0) * BP + tl.arange(0, BP)
    row, column = p // width, p % width
    inside = p < width * height
    acc = tl.zeros((BP, O), tl.float32)
    c, o = tl.arange(0, C), tl.arange(0, O)
    for r in range(R):
        for s in range(R):
            at = ((row + r) * W_IN + column + s) * C
            v = tl.load(x + at[:, None] + c[None, :], inside[:, None], other=0.0)
            f = tl.load(w + ((r * R + s) * C + c[:, None]) * O + o[None, :])
            acc = tl.dot(v, f, acc)
    tl.store(out + p[:, None] * O + o[None, :], acc.to(tl.float16), inside[:, None])


@case("triton_convolution")
def _(r):
    x, w = whole(r, (12, 14, 32), H, -2, 3), whole(r, (3, 3, 32, 32), H, -2, 3)
    windows = np.lib.stride_tricks.sliding_window_view(x.astype(np.float32), (3, 3), (0, 1))
    out = np.einsum("hwcrs,rsco->hwo", windows, w.astype(np.float32)).astype(H)
    return triton_run(convolution, (4,), [x, w, np.zeros_like(out), np.int32(12), np.int32(14)], {2: out},
                      {"C": 32, "O": 32, "R": 3, "BP": 32})
