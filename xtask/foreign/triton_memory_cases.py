"""Kernels in Triton that scatter, count, sort, draw random numbers, loop on data, call functions and print."""

import numpy as np
import triton
import triton.language as tl
from triton.language.extra import cuda as tl_cuda
from triton.language.extra import libdevice

from case import BF16, case, normal, whole
from triton_cases import triton_run

# Atomics


@triton.jit
def float_atomics(x, where, out, n, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    tl.atomic_add(out + tl.load(where + at, at < n), tl.load(x + at, at < n), at < n)


def adds(name, dtype, sm):
    @case(f"triton_atomic_add_{name}")
    def _(r):
        n = 500
        x, where = whole(r, n, dtype, 0, 3), r.integers(0, 16, n).astype(np.int32)
        out = np.zeros(16, np.float64)
        np.add.at(out, where, x.astype(np.float64))
        return triton_run(float_atomics, (4,), [x, where, np.zeros(16, dtype), np.int32(n)], {2: out.astype(dtype)},
                          {"B": 128}, sm=sm)


adds("f32", np.float32, 80)
adds("f16", np.float16, 75)
adds("bf16", BF16, 90)
adds("f64", np.float64, 80)
adds("i32", np.int32, 75)
adds("i64", np.int64, 90)


@triton.jit
def integer_atomics(x, out, old, B: tl.constexpr):
    v = tl.load(x + tl.program_id(0) * B + tl.arange(0, B))
    tl.atomic_max(out + tl.zeros_like(v), v)
    tl.atomic_min(out + 1 + tl.zeros_like(v), v)
    tl.atomic_and(out + 2 + tl.zeros_like(v), v)
    tl.atomic_or(out + 3 + tl.zeros_like(v), v)
    tl.atomic_xor(out + 4 + tl.zeros_like(v), v)
    ticket = tl.atomic_add(out + 5, 1, sem="acq_rel")
    tl.store(old + ticket, 1)
    tl.atomic_xchg(out + 6, 7, sem="release")


@case("triton_integer_atomics")
def _(r):
    x = r.integers(0, 2**16, 512).astype(np.int32)
    start = np.array([-5, 2**20, -1, 0, 0, 0, 0], np.int32)
    out = np.array([x.max(), x.min(), np.bitwise_and.reduce(x), np.bitwise_or.reduce(x), np.bitwise_xor.reduce(x), 4, 7],
                   np.int32)
    return triton_run(integer_atomics, (4,), [x, start, np.zeros(4, np.int32)], {1: out, 2: np.ones(4, np.int32)},
                      {"B": 128})


@triton.jit
def float_extremes(x, out, B: tl.constexpr):
    v = tl.load(x + tl.program_id(0) * B + tl.arange(0, B))
    tl.atomic_max(out, tl.max(v))
    tl.atomic_min(out + 1, tl.min(v))


@case("triton_float_extremes")
def _(r):
    x = normal(r, 512)
    return triton_run(float_extremes, (4,), [x, np.zeros(2, np.float32)], {1: np.array([x.max(), x.min()])}, {"B": 128})


@triton.jit
def locked(x, lock, out, B: tl.constexpr):
    at = tl.arange(0, B)
    v = tl.load(x + tl.program_id(0) * B + at)
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    tl.store(out + at, tl.load(out + at) + v)
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0)


@case("triton_lock")
def _(r):
    x = whole(r, (4, 128))
    return triton_run(locked, (4,), [x, np.zeros(1, np.int32), np.zeros(128, np.float32)], {2: x.sum(0)},
                      {"B": 128})


# Random numbers


@triton.jit
def dropout(x, out, p, seed, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    keep = tl.rand(seed, at) > p
    tl.store(out + at, tl.where(keep, tl.load(x + at) / (1 - p), 0.0))


def philox(seed, counter):
    """The generator of Salmon et al., "Parallel random numbers: as easy as 1, 2, 3": Philox 4x32, 10 rounds."""
    c = [counter.astype(np.uint64), *(np.zeros_like(counter, np.uint64) for _ in range(3))]
    k, low = [seed & 0xffffffff, seed >> 32], np.uint64(0xffffffff)
    for _ in range(10):
        a, b = c[2] * np.uint64(0xCD9E8D57), c[0] * np.uint64(0xD2511F53)
        c = [(a >> np.uint64(32)) ^ c[1] ^ np.uint64(k[0]), a & low, (b >> np.uint64(32)) ^ c[3] ^ np.uint64(k[1]), b & low]
        k = [(k[0] + 0x9E3779B9) & 0xffffffff, (k[1] + 0xBB67AE85) & 0xffffffff]
    return [part.astype(np.uint32) for part in c]


@case("triton_dropout")
def _(r):
    x = normal(r, 1024)
    drawn = philox(1234, np.arange(1024, dtype=np.uint64))[0].view(np.int32)
    drawn = np.where(drawn < 0, -drawn - 1, drawn).astype(np.float32) * np.float32(4.6566127342e-10)
    out = np.where(drawn > np.float32(0.3), x / (1 - np.float32(0.3)), 0).astype(np.float32)
    return triton_run(dropout, (4,), [x, np.zeros_like(x), np.float32(0.3), np.int32(1234)], {1: out}, {"B": 256},
                      rtol=1e-6)


@triton.jit
def random_integers(out, seed, B: tl.constexpr):
    at = tl.arange(0, B)
    a, b, c, d = tl.randint4x(seed, at)
    tl.store(out + at, a)
    tl.store(out + B + at, b)
    tl.store(out + 2 * B + at, c)
    tl.store(out + 3 * B + at, d)


@case("triton_random_integers")
def _(r):
    out = np.stack(philox(77, np.arange(256, dtype=np.uint64))).view(np.int32)
    return triton_run(random_integers, (1,), [np.zeros_like(out), np.int32(77)], {0: out}, {"B": 256}, sm=90)


# Order, places and counts


@triton.jit
def histogram(x, out, N: tl.constexpr, BINS: tl.constexpr):
    v = tl.load(x + tl.arange(0, N))
    tl.store(out + tl.arange(0, BINS), tl.histogram(v, BINS))


@case("triton_histogram")
def _(r):
    x = r.integers(0, 32, 1024).astype(np.int32)
    return triton_run(histogram, (1,), [x, np.zeros(32, np.int32)], {1: np.bincount(x, minlength=32).astype(np.int32)},
                      {"N": 1024, "BINS": 32})


@triton.jit
def sorted_rows(x, out, best, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    m = tl.arange(0, M)[:, None]
    v = tl.load(x + m * N + tl.arange(0, N)[None, :])
    tl.store(out + m * N + tl.arange(0, N)[None, :], tl.sort(v, 1))
    tl.store(best + m * K + tl.arange(0, K)[None, :], tl.topk(v, K))


@case("triton_sort")
def _(r):
    x = normal(r, (4, 128))
    out = np.sort(x, 1)
    best = np.ascontiguousarray(out[:, ::-1][:, :8])
    return triton_run(sorted_rows, (1,), [x, np.zeros_like(x), np.zeros_like(best)], {1: out, 2: best},
                      {"M": 4, "N": 128, "K": 8})


@triton.jit
def transposed(x, out, M, N, B: tl.constexpr):
    m = tl.program_id(0) * B + tl.arange(0, B)
    n = tl.program_id(1) * B + tl.arange(0, B)
    v = tl.load(x + m[:, None] * N + n[None, :], (m[:, None] < M) & (n[None, :] < N))
    tl.store(out + n[:, None] * M + m[None, :], v.T, (n[:, None] < N) & (m[None, :] < M))


def transposes(name, dtype, sm):
    @case(f"triton_transpose_{name}")
    def _(r):
        x = whole(r, (70, 90), dtype)
        out = np.ascontiguousarray(x.T)
        return triton_run(transposed, (3, 3), [x, np.zeros_like(out), np.int32(70), np.int32(90)], {1: out}, {"B": 32},
                          sm=sm)


transposes("f32", np.float32, 80)
transposes("f16", np.float16, 90)
transposes("i8", np.int8, 75)
transposes("f64", np.float64, 90)


@triton.jit
def embedding(table, rows, out, N: tl.constexpr):
    row = tl.load(rows + tl.program_id(0))
    tl.store(out + tl.program_id(0) * N + tl.arange(0, N), tl.load(table + row * N + tl.arange(0, N), cache_modifier=".cg"),
             cache_modifier=".cs")


@case("triton_embedding")
def _(r):
    table, rows = normal(r, (50, 128), np.float16), r.integers(0, 50, 9)
    out = table[rows]
    return triton_run(embedding, (9,), [table, rows, np.zeros_like(out)], {2: out}, {"N": 128}, warps=1)


@triton.jit
def gathered(x, at, out, M: tl.constexpr, N: tl.constexpr):
    m, n = tl.arange(0, M)[:, None], tl.arange(0, N)[None, :]
    tl.store(out + m * N + n, tl.gather(tl.load(x + m * N + n), tl.load(at + m * N + n), 1))
    tl.store(out + M * N + m * N + n, tl.flip(tl.load(x + m * N + n), 1))


@case("triton_gather")
def _(r):
    x, at = normal(r, (16, 64)), r.integers(0, 64, (16, 64)).astype(np.int32)
    out = np.stack([np.take_along_axis(x, at, 1), x[:, ::-1]])
    return triton_run(gathered, (1,), [x, at, np.zeros_like(out)], {2: out}, {"M": 16, "N": 64})


@triton.jit
def scattered(x, at, out, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(out + tl.load(at + i, i < n, other=0), tl.load(x + i, i < n), i < n)


@case("triton_scatter")
def _(r):
    x, at = normal(r, 300, BF16), r.permutation(300).astype(np.int64)
    out = np.zeros_like(x)
    out[at] = x
    return triton_run(scattered, (3,), [x, at, np.zeros_like(x), np.int32(300)], {2: out}, {"B": 128}, sm=90)


@triton.jit
def pooled(x, out, W, B: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, B)
    top = tl.full((B,), -float("inf"), tl.float32)
    for r in tl.static_range(3):
        for s in tl.static_range(3):
            top = tl.maximum(top, tl.load(x + (row + r) * W + at + s, at < W - 2), propagate_nan=tl.PropagateNan.ALL)
    tl.store(out + row * (W - 2) + at, top, at < W - 2)


@case("triton_max_pool")
def _(r):
    x = normal(r, (9, 40))
    x[4, 7] = np.nan
    out = np.lib.stride_tricks.sliding_window_view(x, (3, 3)).max((2, 3))
    return triton_run(pooled, (7,), [x, np.zeros_like(out), np.int32(40)], {1: out}, {"B": 64})


# Control flow, functions, text


@triton.jit
def escape(out, W: tl.constexpr, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    cx = (at % W).to(tl.float32) / W * 3 - 2
    cy = (at // W).to(tl.float32) / W * 2 - 1
    x, y, n = tl.zeros_like(cx), tl.zeros_like(cx), tl.zeros_like(at)
    step = 0
    while (step < 40) & (tl.sum((x * x + y * y < 4).to(tl.int32)) > 0):
        inside = x * x + y * y < 4
        x, y = tl.where(inside, x * x - y * y + cx, x), tl.where(inside, 2 * x * y + cy, y)
        n += inside.to(tl.int32)
        step += 1
    tl.store(out + at, n)


@case("triton_mandelbrot")
def _(r):
    w, f = 32, np.float32
    at = np.arange(w * w)
    # In exact arithmetic: points for which a rounding decides would differ.
    cx, cy = (at % w) / w * 3 - 2, (at // w) / w * 2 - 1
    x, y, n = np.zeros(w * w), np.zeros(w * w), np.zeros(w * w, np.int32)
    for _ in range(40):
        inside = x * x + y * y < 4
        x, y, n = np.where(inside, x * x - y * y + cx, x), np.where(inside, 2 * x * y + cy, y), n + inside
    n = n.astype(np.int32)
    return triton_run(escape, (8,), [np.zeros(w * w, np.int32)], {0: n}, {"W": w, "B": 128}, atol=1)


@triton.jit(noinline=True)
def polynomial(v, n):
    return (v * 3 + n) * v - 1


@triton.jit
def calls(x, out, n):
    at = tl.program_id(0)
    v = tl.load(x + at)
    tl.store(out + at, polynomial(v, n) + polynomial(v + 1, 2))


@case("triton_function_call")
def _(r):
    x = whole(r, 16)
    out = (x * 3 + 5) * x - 1 + ((x + 1) * 3 + 2) * (x + 1) - 1
    return triton_run(calls, (16,), [x, np.zeros_like(x), np.int32(5)], {1: out})


@triton.jit
def speaks(x, out, n, B: tl.constexpr):
    at = tl.arange(0, B)
    v = tl.load(x + at)
    tl.device_print("value", v)
    tl.device_assert(v < n, "too large")
    tl.store(out + at, v + 1)


@case("triton_print_and_assert")
def _(r):
    x = r.integers(0, 9, 64).astype(np.int32)
    return triton_run(speaks, (1,), [x, np.zeros_like(x), np.int32(9)], {1: x + 1}, {"B": 64}, debug=True)


@case("triton_assert_fails")
def _(r):
    x = np.arange(64, dtype=np.int32)
    return triton_run(speaks, (1,), [x, np.zeros_like(x), np.int32(9)], {}, {"B": 64}, fails="too large", debug=True)


@triton.jit
def assembled(x, y, out, B: tl.constexpr):
    at = tl.arange(0, B)
    v = tl.inline_asm_elementwise(
        "{ .reg .b32 t; prmt.b32 t, $1, $2, 0x5140; lop3.b32 $0, t, $1, $2, 0x96; }", "=r,r,r",
        [tl.load(x + at), tl.load(y + at)], dtype=tl.int32, is_pure=True, pack=1)
    tl.store(out + at, v + libdevice.popc(tl.load(x + at)) + libdevice.clz(tl.load(y + at)) + libdevice.ffs(v))


@case("triton_inline_assembly")
def _(r):
    x, y = (r.integers(-2**31, 2**31, 128).astype(np.int32) for _ in range(2))
    a, b = (v.view(np.uint8).reshape(-1, 4) for v in (x, y))
    t = np.ascontiguousarray(np.stack([a[:, 0], b[:, 0], a[:, 1], b[:, 1]], 1)).view(np.int32)[:, 0]
    v = t ^ x ^ y
    count = np.array([bin(int(w)).count("1") for w in x.view(np.uint32)])
    zeros = np.array([32 - int(w).bit_length() for w in y.view(np.uint32)])
    first = np.array([(int(w) & -int(w)).bit_length() for w in v.view(np.uint32)])
    out = (v + count + zeros + first).astype(np.int64).astype(np.int32)
    return triton_run(assembled, (1,), [x, y, np.zeros_like(x)], {2: out}, {"B": 128})


@triton.jit
def waits(x, out, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    tl_cuda.gdc_wait()
    v = tl.load(x + at, volatile=True)
    tl_cuda.gdc_launch_dependents()
    tl.store(out + at, v * tl_cuda.num_threads() + tl_cuda.smid() * 0)


@case("triton_dependent_launch")
def _(r):
    x = whole(r, 256, np.int32)
    return triton_run(waits, (2,), [x, np.zeros_like(x)], {1: x * 128}, {"B": 128}, sm=90, launch_pdl=True)


@triton.jit
def matrix_vector(a, x, y, M, N, BM: tl.constexpr, BN: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    acc = tl.zeros((BM, BN), tl.float32)
    for start in range(0, N, BN):
        n = start + tl.arange(0, BN)
        acc += tl.load(a + m[:, None] * N + n[None, :], (m[:, None] < M) & (n[None, :] < N), other=0.0).to(
            tl.float32) * tl.load(x + n, n < N, other=0.0)[None, :]
    tl.store(y + m, tl.sum(acc, 1), m < M)


@case("triton_matrix_vector")
def _(r):
    a, x = whole(r, (50, 300), np.float16), whole(r, 300)
    y = a.astype(np.float32) @ x
    return triton_run(matrix_vector, (4,), [a, x, np.zeros_like(y), np.int32(50), np.int32(300)], {2: y},
                      {"BM": 16, "BN": 64}, sm=86)


# A tile with fewer elements than the workgroup has threads: some of them repeat what others do.


@triton.jit
def rotates(x, angles, N: tl.constexpr):
    at = tl.program_id(0) * 2 * N + tl.arange(0, N)
    turn = tl.load(angles + tl.arange(0, N))
    a, b = tl.load(x + at), tl.load(x + at + N)
    tl.store(x + at, a * tl.cos(turn) - b * tl.sin(turn))
    tl.store(x + at + N, b * tl.cos(turn) + a * tl.sin(turn))


def rotated(n):
    @case(f"triton_rotate_in_place_{n}")
    def _(r):
        x, angles = normal(r, (6, 2, n)), normal(r, n)
        a, b = x[:, 0], x[:, 1]
        out = np.stack([a * np.cos(angles) - b * np.sin(angles), b * np.cos(angles) + a * np.sin(angles)], 1)
        return triton_run(rotates, (6,), [x, angles], {0: out}, {"N": n}, rtol=1e-5, atol=1e-5)


rotated(16)
rotated(64)


@triton.jit
def centred_products(x, y, out, n, N: tl.constexpr):
    at = tl.arange(0, N)
    for row in range(n):
        v = tl.load(x + row * N + at)
        total = tl.sum(v * tl.load(y + row * N + at))
        tl.store(out + row * N + at, v + total)


@case("triton_sums_that_cancel")
def _(r):
    x, y = normal(r, (40, 64)), normal(r, (40, 64))
    x[:, 32:], y[:, 32:] = x[:, :32], -y[:, :32]
    y[:, 0] += np.float32(2**-20)
    total = (x.astype(np.float64) * y).sum(1, keepdims=True)
    return triton_run(centred_products, (1,), [x, y, np.zeros_like(x), np.int32(40)], {2: (x + total).astype(np.float32)},
                      {"N": 64}, rtol=1e-5, atol=1e-5)
