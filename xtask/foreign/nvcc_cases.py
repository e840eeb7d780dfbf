"""Kernels in CUDA C++, compiled by NVCC: what its headers, CUB and libcu++ make of them. The sources are in `cuda`."""

import functools
import importlib.util
import math
import os
import subprocess
import tempfile

import numpy as np

from case import BF16, E4M3, E5M2, Case, TensorMap, case, normal, whole
from cuda_packages import SOURCES, found

NVCC = found("bin/nvcc")
HEADERS = ("-I", found("include/cccl"))


def cutlass_flags():
    """CUTLASS's headers come in a package of their own."""
    package = importlib.util.find_spec("cutlass_library")
    if package is None:
        raise ImportError("the package nvidia-cutlass is not installed")
    headers = os.path.join(os.path.dirname(package.origin), "source", "include")
    return "-I", headers, "--expt-relaxed-constexpr", "-DNDEBUG"


@functools.cache
def compiled(source, cc, flags):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "k.ptx")
        command = [NVCC, "-ptx", "-std=c++17", f"-arch=sm_{cc}", *HEADERS, *flags,
                   os.path.join(SOURCES, f"{source}.cu"), "-o", path]
        ran = subprocess.run(command, capture_output=True, text=True)
        if ran.returncode:
            raise RuntimeError(f"{source}.cu: {ran.stdout + ran.stderr}")
        with open(path) as file:
            return file.read()


def run(source, entry, grid, block, args, expected, cc="80", flags=(), shared=0, rtol=0.0, atol=0.0, fails=""):
    return Case(compiled(source, cc, flags), entry, grid, block, args, expected, shared, rtol, atol, fails)


UNWRITTEN = "nothing has written it"


def i32(n):
    return np.int32(n)


# Elementwise


def axpy(name, dtype, cc, quick=False):
    @case(f"nvcc_axpy_{name}", quick=quick)
    def _(r):
        x, y = whole(r, 700, dtype, 0, 9), whole(r, 700, dtype, 0, 9)
        a = np.dtype(dtype).type(3)
        return run("elementwise", f"axpy_{name}", (2,), (128,), [a, x, y, i32(700)], {2: (a * x + y).astype(dtype)}, cc=cc)


axpy("f32", np.float32, "80")
axpy("f64", np.float64, "90a")
axpy("i64", np.int64, "75")
axpy("u8", np.uint8, "89")
axpy("f16", np.float16, "80")
axpy("bf16", BF16, "90")


@case("nvcc_scale_float4")
def _(r):
    x = normal(r, (50, 4))
    out = np.stack([x[:, 0] * 2, x[:, 1] + 1, np.maximum(x[:, 2], 0), -x[:, 3]], 1)
    return run("elementwise", "scale_float4", (1,), (64,), [x, np.zeros_like(x), i32(50)], {1: out})


@case("nvcc_half2_math")
def _(r):
    a, b = normal(r, 2 * 60, np.float16), normal(r, 2 * 60, np.float16)
    a64, b64 = a.astype(np.float64), b.astype(np.float64)
    swapped = a.reshape(-1, 2)[:, ::-1].reshape(-1)
    both = (a > b).reshape(-1, 2).all(1)[:, None]
    mixed = np.stack([a.astype(np.float32)[::2] * 3, b.astype(np.float32)[1::2] - 1], 1).astype(np.float16).reshape(-1)
    out = np.stack([(a64 * b64 + a64).astype(np.float16), np.clip(a + b, 0, 1), np.maximum(abs(a), -b),
                    (a > b).astype(np.float16), swapped, np.sqrt(abs(b)),
                    np.where(both, a.reshape(-1, 2), b.reshape(-1, 2)).reshape(-1), mixed])
    # An approximate square root.
    return run("elementwise", "half2_math", (1,), (64,), [a, b, np.zeros_like(out), i32(60)], {2: out}, rtol=1e-3)


@case("nvcc_bf162_math")
def _(r):
    a, b = normal(r, 2 * 60, BF16), normal(r, 2 * 60, BF16)
    wide, other = a.astype(np.float64), b.astype(np.float64)
    pairs = wide.astype(np.float32).reshape(-1, 2)
    last = np.stack([pairs[:, 0] * pairs[:, 1], pairs[:, 0] + pairs[:, 1]], 1).reshape(-1)
    out = np.stack([(wide * other + wide).astype(BF16), np.minimum(a, b), (wide * other).astype(BF16),
                    (wide - other).astype(BF16), np.stack([a[1::2], b[::2]], 1).reshape(-1), last.astype(BF16)])
    return run("elementwise", "bf162_math", (1,), (64,), [a, b, np.zeros_like(out), i32(60)], {2: out})


def fp8(cc):
    @case(f"nvcc_fp8_convert_{cc}")
    def _(r):
        x = normal(r, 100) * 40
        a, b = x.astype(E4M3), x.astype(E5M2)
        back = a.astype(np.float32) + b.astype(np.float32)
        return run("elementwise", "fp8_convert", (1,), (128,),
                   [x, np.zeros(100, np.uint8), np.zeros(100, np.uint8), np.zeros(100, np.float32), i32(100)],
                   {1: a.view(np.uint8), 2: b.view(np.uint8), 3: back}, cc=cc)

    @case(f"nvcc_fp8x2_convert_{cc}")
    def _(r):
        x = normal(r, (100, 2)) * 300
        a = np.clip(x, -448, 448).astype(E4M3)
        return run("elementwise", "fp8x2_convert", (1,), (128,),
                   [x, np.zeros(100, np.int16), np.zeros((100, 2), np.float16), i32(100)],
                   {1: a.view(np.int16).reshape(-1), 2: a.astype(np.float16)}, cc=cc)


fp8("80")
fp8("90a")


@case("nvcc_activations")
def _(r):
    x = normal(r, 100)
    v = x.astype(np.float64)
    each = np.vectorize
    out = np.stack([1 / (1 + np.exp(-v)), 0.5 * v * (1 + each(math.erf)(v * np.float32(0.70710678))), np.tanh(v),
                    np.log1p(np.exp(v)), v / np.sqrt(1 + v * v), np.sin(v) * np.cos(v), abs(v) ** np.float32(1.3),
                    np.fmod((x * np.float32(5)).astype(np.float64), 1.25), np.cbrt(v), np.arctan2(v, 0.5),
                    each(math.lgamma)(abs(v) + 1), 0.5 * each(math.erfc)(-v / math.sqrt(2))])
    return run("elementwise", "activations", (1,), (128,), [x, np.zeros_like(out, np.float32), i32(100)],
               {1: out.astype(np.float32)}, rtol=1e-5, atol=1e-6)


@case("nvcc_activations_fast")
def _(r):
    x = abs(normal(r, 100)) + np.float32(0.1)
    v = x.astype(np.float64)
    each = np.vectorize
    out = np.stack([1 / (1 + np.exp(-v)), 0.5 * v * (1 + each(math.erf)(v * np.float32(0.70710678))), np.tanh(v),
                    np.log1p(np.exp(v)), v / np.sqrt(1 + v * v), np.sin(v) * np.cos(v), abs(v) ** np.float32(1.3),
                    np.fmod((x * np.float32(5)).astype(np.float64), 1.25), np.cbrt(v), np.arctan2(v, 0.5),
                    each(math.lgamma)(abs(v) + 1), 0.5 * each(math.erfc)(-v / math.sqrt(2))])
    return run("elementwise", "activations", (1,), (128,), [x, np.zeros_like(out, np.float32), i32(100)],
               {1: out.astype(np.float32)}, flags=("-use_fast_math",), rtol=2e-4, atol=1e-5)


@case("nvcc_doubles")
def _(r):
    v = normal(r, 100, np.float64)
    each = np.vectorize
    out = np.stack([np.exp(v), np.log(abs(v) + 1), np.sin(v * 100), np.sqrt(abs(v)) / (v * v + 1),
                    each(math.gamma)(abs(v) + 1), each(math.erfc)(v), np.ldexp(v, 5) + np.trunc(v * 10),
                    each(math.remainder)(v * 7, 1.5), np.frexp(v)[0] + np.frexp(v)[1], 1 / v])
    return run("elementwise", "doubles", (1,), (128,), [v, np.zeros_like(out), i32(100)], {1: out}, rtol=1e-12,
               atol=1e-13)


@case("nvcc_rounding")
def _(r):
    a, b = normal(r, 100), normal(r, 100)
    a64, b64 = a.astype(np.float64), b.astype(np.float64)

    def toward(exact, way):
        near = exact.astype(np.float32)
        return np.where((near - exact) * way < 0, np.nextafter(near, np.float32(way * np.inf)), near).astype(np.float32)

    product = a64 * b64
    ten = a * np.float32(10)
    out = np.stack([toward(a64 + b64, -1), toward(a64 + b64, 1),
                    np.where(product > 0, toward(product, -1), toward(product, 1)), np.floor(ten), np.ceil(ten), np.rint(ten),
                    np.trunc(ten + np.copysign(np.float32(0.5), ten)), a.view(np.uint32).astype(np.float32), np.clip(a, 0, 1),
                    np.trunc(a64 * 1e12).astype(np.int64).astype(np.float32)])
    return run("elementwise", "rounding", (1,), (128,), [a, b, np.zeros_like(out), i32(100)], {2: out})


def words(text, n):
    return text.reshape(-1).view(n).reshape(*text.shape, -1)


def bit_tricks(cc):
    @case(f"nvcc_bits_{cc}")
    def _(r):
        a, b = r.integers(0, 2**32, 64, dtype=np.uint32), r.integers(0, 2**32, 64, dtype=np.uint32)
        i = range(64)
        text = [f"{int(v):032b}" for v in a]
        popc = np.array([t.count("1") for t in text], np.uint32)
        clz = np.array([len(t) - len(t.lstrip("0")) for t in text], np.uint32)
        bytes_a, bytes_b = words(a, np.uint8), words(b, np.uint8)
        both = np.concatenate([bytes_a, bytes_b], 1)
        left = [((int(y) << 32 | int(x)) << (k % 32) >> 32) & 0xffffffff for x, y, k in zip(a, b, i)]
        right = [((int(y) << 32 | int(x)) >> min(k, 32)) & 0xffffffff for x, y, k in zip(a, b, i)]
        halves_a, halves_b = words(a, np.uint16), words(b, np.uint16)
        product = [int(x) * int(y) for x, y in zip(a, b)]
        out = np.stack([np.array([int(each) & 0xffffffff for each in v], np.uint32) for v in [
            [int(t[::-1], 2) for t in text], popc * 100 + clz, [len(t) - t.rindex("1") if "1" in t else 0 for t in text],
            np.ascontiguousarray(both[:, [0, 4, 1, 5]]).view(np.uint32)[:, 0], left, right,
            [p >> 32 for p in product], [abs(int(x) - int(y)) + 7 for x, y in zip(a, b)],
            (bytes_a.view(np.int8).astype(np.int64) * bytes_b.view(np.int8)).sum(1) + 5,
            (bytes_a + bytes_b).view(np.uint32)[:, 0],
            np.where(halves_a > halves_b, 0xffff, 0).astype(np.uint16).view(np.uint32)[:, 0],
            abs(bytes_a.astype(np.int32) - bytes_b).astype(np.uint8).view(np.uint32)[:, 0],
            (a ^ b) & (a | ~b),
            [int(f"{int(x):032b}{int(y):032b}"[::-1], 2) >> 16 & 0xffffffff for x, y in zip(a, b)],
            [f"{p:b}".count("1") + 64 - p.bit_length() for p in product],
            (a.view(np.int32).astype(np.int64) + b.view(np.int32)) >> 1,
            np.maximum((a + b).view(np.int32), 9), np.maximum(np.maximum(a, b), 77)]])
        return run("elementwise", "bits", (1,), (64,), [a, b, np.zeros_like(out), i32(64)], {2: out}, cc=cc)


bit_tricks("75")
bit_tricks("90a")


@case("nvcc_integers")
def _(r):
    a = r.integers(-2**63, 2**63, 64, dtype=np.int64)
    b = r.integers(1, 1000, 64).astype(np.int32)
    out = []
    narrow = [int(v) & 0xffffffff for v in a]
    signed = [v - 2**32 if v >= 2**31 else v for v in narrow]
    quotient = lambda x, y: int(abs(x) // abs(y)) * (1 if (x < 0) == (y < 0) else -1)
    for x, y, u, s in zip(map(int, a), map(int, b), narrow, signed):
        short, char = (x + 2**15) % 2**16 - 2**15, (y + 128) % 256 - 128
        wide = x % 2**128 * y % 2**128
        out.append([quotient(x, y), x - quotient(x, y) * y, quotient(s, 7) + s - quotient(s, 10) * 10, u // 10, x * x >> 64,
                    short * char, min(x, y) ^ max(x, 3), wide >> 40, ((x % 2**64) << 64 | 12345) // (y + 1000)])
    out = np.array([[v % 2**64 for v in row] for row in out], np.uint64).view(np.int64).T
    return run("elementwise", "integers", (1,), (64,), [a, b, np.zeros_like(np.ascontiguousarray(out)), i32(64)], {2: out})


# Functions


@case("nvcc_tree")
def _(r):
    nodes = np.full((31, 3), -1, np.int32)
    nodes[:15, 0], nodes[:15, 1] = np.arange(15) * 2 + 1, np.arange(15) * 2 + 2
    nodes[:, 2] = r.integers(-50, 50, 31)
    sums = nodes[:, 2].copy()
    for at in reversed(range(15)):
        sums[at] += sums[2 * at + 1] + sums[2 * at + 2]
    return run("functions", "tree", (1,), (31,), [nodes, np.zeros(31, np.int32)], {1: sums})


@case("nvcc_mutual")
def _(r):
    n = r.integers(0, 12, 40).astype(np.uint32)
    return run("functions", "mutual", (1,), (40,), [n, np.zeros(40, np.int32)], {1: (n % 2 == 0).astype(np.int32)})


@case("nvcc_sort_local")
def _(r):
    x = r.integers(-1000, 1000, (32, 24)).astype(np.int32)
    return run("functions", "sort_local", (1,), (32,), [x, np.zeros_like(x)], {1: np.sort(x, 1)})


@case("nvcc_pointers")
def _(r):
    x, y = normal(r, 60), normal(r, 60)
    out = np.select([np.arange(60) % 3 == 0, np.arange(60) % 3 == 1], [x + y, x * y], np.maximum(x, y))
    return run("functions", "pointers", (1,), (64,), [x, y, np.zeros_like(x), i32(60)], {2: out})


@case("nvcc_virtuals")
def _(r):
    x = whole(r, 60)
    out = np.where(np.arange(60) % 2 == 1, 3 * x * x, x * 2)
    return run("functions", "virtuals", (1,), (64,), [x, np.zeros_like(x), i32(60)], {1: out})


@case("nvcc_interpreter")
def _(r):
    wrap = lambda v: (v + 2**31) % 2**32 - 2**31

    def step(op, a, b):
        if op == 8:
            return quotient_of(a, b) if b else 0
        return [lambda: a + b, lambda: a - b, lambda: a * b, lambda: a & b, lambda: a | b, lambda: a ^ b,
                lambda: a << (b & 31), lambda: bin(a % 2**32).count("1") + b][op]() if op < 8 else 0

    quotient_of = lambda a, b: int(abs(a) // abs(b)) * (1 if (a < 0) == (b < 0) else -1)
    code, out = np.zeros((64, 21), np.uint8), np.zeros(64, np.int32)
    for thread in range(64):
        stack, at = [], 0
        while at < 21:
            left = 21 - at
            if len(stack) >= 2 and (len(stack) > left or r.random() < 0.45):
                op = int(r.integers(0, 10))
                b, a = stack.pop(), stack.pop()
                if op == 8 and a == -2**31 and b == -1:
                    op = 0
                stack.append(wrap(step(op, a, b)))
                code[thread, at] = 16 + op
            elif len(stack) + 1 <= left:
                op = int(r.integers(0, 16))
                stack.append(op * 3 + thread)
                code[thread, at] = op
            else:
                op = int(r.integers(0, 8))
                b, a = stack.pop(), stack.pop()
                stack.append(wrap(step(op, a, b)))
                code[thread, at] = 16 + op
            at += 1
        out[thread] = stack[0]
    return run("functions", "interpreter", (1,), (64,), [code, i32(21), np.zeros(64, np.int32)], {2: out})


@case("nvcc_structs")
def _(r):
    x, y = r.integers(-10**6, 10**6, 60).astype(np.int32), r.integers(1, 99, 60).astype(np.int32)
    quotient = np.trunc(x / y).astype(np.int64)
    out = quotient + 1000 * (x - quotient * y) + x.astype(np.int64) * y
    return run("functions", "structs", (1,), (64,), [x, y, np.zeros_like(out), i32(60)], {2: out})


@case("nvcc_variables")
def _(r):
    x = whole(r, 32)
    weights = np.array([1, -2, 3, -4, 5, -6, 7, -8], np.float32)
    i = np.arange(32)
    out = sum(weights[k] * x[(i + k) % 32] for k in range(8)) + weights[i % 8] + np.array([1, 3, 5, 7, 9, 11])[i % 6]
    return run("functions", "variables", (1,), (32,), [x, np.zeros(33, np.float32), i32(32)],
               {1: np.append(out, 42).astype(np.float32)})


@case("nvcc_spilled")
def _(r):
    x = r.integers(0, 1000, 64).astype(np.int32)
    out = []
    for v in map(int, x):
        state = [v + i for i in range(32)]
        for n in range(20):
            at = (state[n & 31] ^ n) & 31
            state[at] = (state[at] + state[at * 7 + 3 & 31]) % 2**32
        total = 0
        for s in state:
            total = (total * 31 + s) % 2**32
        out.append(total)
    return run("functions", "spilled", (1,), (64,), [x, np.zeros_like(x), i32(20)], {1: np.array(out, np.uint32).view(np.int32)})


@case("nvcc_allocated")
def _(r):
    n = r.integers(1, 40, 32).astype(np.int32)
    out = np.array([sum(i * i for i in range(v - 1, -1, -2)) for v in n], np.int32)
    return run("functions", "allocated", (1,), (32,), [n, np.zeros_like(n)], {1: out})


# Shared memory


@case("nvcc_transpose")
def _(r):
    x = normal(r, (50, 70))
    return run("shared", "transpose", (3, 2), (32, 8), [x, np.zeros((70, 50), np.float32), i32(50), i32(70)], {1: x.T})


def matmul(name, dtype, tile, shape):
    @case(f"nvcc_matmul_{name}")
    def _(r):
        m, n, k = shape
        a, b = whole(r, (m, k), dtype), whole(r, (k, n), dtype)
        return run("shared", f"matmul_{name}", (-(-n // tile), -(-m // tile)), (tile, tile),
                   [a, b, np.zeros((m, n), dtype), i32(m), i32(n), i32(k)], {2: a @ b})


matmul("f32", np.float32, 16, (40, 30, 50))
matmul("f64", np.float64, 8, (20, 30, 17))
matmul("i32", np.int32, 16, (33, 16, 20))


@case("nvcc_reduce")
def _(r):
    x = whole(r, 1000)
    return run("shared", "reduce", (3,), (128,), [x, np.zeros(1, np.float32), i32(1000)], {1: x.sum(keepdims=True)}, shared=512)


@case("nvcc_reduce_last")
def _(r):
    x = whole(r, 600)
    return run("shared", "reduce_last", (5,), (128,), [x, np.zeros(5, np.float32), np.zeros(1, np.float32), i32(600)],
               {2: x.sum(keepdims=True)})


@case("nvcc_scan_steps")
def _(r):
    x = r.integers(-99, 99, (2, 256)).astype(np.int32)
    return run("shared", "scan_steps", (2,), (256,), [x, np.zeros_like(x)], {1: np.cumsum(x, 1, np.int32)})


@case("nvcc_scan_tree")
def _(r):
    x = r.integers(-99, 99, 256).astype(np.int32)
    return run("shared", "scan_tree", (1,), (128,), [x, np.zeros_like(x)], {1: np.cumsum(x, dtype=np.int32) - x}, shared=1024)


@case("nvcc_histogram")
def _(r):
    x = (r.integers(0, 16, 2000) ** 2).astype(np.uint8)
    return run("shared", "histogram", (2,), (128,), [x, np.zeros(256, np.uint32), i32(2000)],
               {1: np.bincount(x, minlength=256).astype(np.uint32)})


@case("nvcc_life")
def _(r):
    x = r.integers(0, 2, (32, 48)).astype(np.uint8)
    n = sum(np.roll(x, (dy, dx), (0, 1)) for dy in (-1, 0, 1) for dx in (-1, 0, 1))
    return run("shared", "life", (3, 2), (16, 16), [x, np.zeros_like(x), i32(48), i32(32)],
               {1: ((n == 3) | (x == 1) & (n == 4)).astype(np.uint8)})


@case("nvcc_blur")
def _(r):
    x = r.integers(0, 256, (20, 30, 4)).astype(np.uint8)
    padded = np.pad(x.astype(np.float64), ((2, 2), (2, 2), (0, 0)), mode="edge")
    f = np.array([1, 4, 6, 4, 1]) / 16
    out = sum(f[i] * f[j] * padded[i:i + 20, j:j + 30] for i in range(5) for j in range(5))
    out = np.floor(out + 0.5).astype(np.uint8)
    out[:, :, 3] = 255
    return run("shared", "blur", (2, 3), (16, 8), [x, np.zeros_like(x), i32(30), i32(20)], {1: out})


@case("nvcc_stencil")
def _(r):
    x = whole(r, 100)
    out = x.astype(np.float64)
    for _ in range(5):
        padded = np.pad(out, 1)
        out = 0.25 * padded[:-2] + 0.5 * padded[1:-1] + 0.25 * padded[2:]
    return run("shared", "stencil", (1,), (100,), [x, np.zeros_like(x), i32(100), i32(5)], {1: out.astype(np.float32)}, shared=800)


@case("nvcc_counted")
def _(r):
    x = r.integers(-99, 99, (3, 96)).astype(np.int32)
    x[1, 50], x[2, 5] = -200, 7
    out = np.stack([(x > 0).sum(1), (x > -100).all(1), (x == 7).any(1)], 1).astype(np.int32)
    return run("shared", "counted", (3,), (96,), [x, np.zeros_like(out)], {1: out})


@case("nvcc_carved")
def _(r):
    x = r.integers(-99, 99, 64).astype(np.int32)
    back = x[::-1]
    out = back * 0.5 + np.roll(x, -1) + np.where(back & 1, 1000, 0)
    return run("shared", "carved", (1,), (64,), [x, np.zeros(64), i32(64)], {1: out}, shared=64 * 13)


@case("nvcc_producers")
def _(r):
    x = whole(r, (7, 64))
    return run("shared", "producers", (1,), (128,), [x, np.zeros(64, np.float32), i32(7)], {1: 2 * x[:, ::-1].sum(0)})


# Warps


@case("nvcc_shuffles")
def _(r):
    x, d = whole(r, (2, 32)), whole(r, (2, 32), np.float64)
    lanes = np.arange(32)
    sums = np.repeat(x.sum(1, keepdims=True), 32, 1)
    up = np.where(lanes % 16 >= 3, np.roll(x, 3, 1), x)
    down = np.where(lanes % 8 + 2 < 8, np.roll(x, -2, 1), x)
    out = np.stack([sums, np.roll(x, -5, 1), up, down], 2)
    return run("warps", "shuffles", (1,), (64,), [x, d, np.zeros_like(out), np.zeros_like(d)],
               {2: out, 3: np.repeat(d.sum(1, keepdims=True), 32, 1)})


@case("nvcc_softmax_rows")
def _(r):
    x = normal(r, (8, 70))
    e = np.exp(x.astype(np.float64) - x.max(1, keepdims=True))
    return run("warps", "softmax_rows", (2,), (32, 4), [x, np.zeros_like(x), i32(70)],
               {1: (e / e.sum(1, keepdims=True)).astype(np.float32)}, rtol=1e-5)


def bitmask(flags):
    return sum(1 << i for i, flag in enumerate(flags) if flag)


@case("nvcc_votes")
def _(r):
    x = r.integers(1, 100, 64).astype(np.int32)
    out = np.zeros((64, 6), np.uint32)
    for w in range(2):
        v = x[32 * w:32 * w + 32]
        odd = bitmask(v & 1)
        for lane in range(32):
            out[32 * w + lane] = [
                odd, 2 + any(v > 90), bitmask(v % 7 == v[lane] % 7), 0xffffffff + 1 & 0xffffffff,
                bin(odd & (1 << lane) - 1).count("1"), v[np.argmax(v & 1)] if v[lane] & 1 else v[v % 2 == 0].sum()]
    return run("warps", "votes", (1,), (64,), [x, np.zeros_like(out)], {1: out})


@case("nvcc_redux")
def _(r):
    x = r.integers(0, 2**32, 32, dtype=np.uint32)
    low, high = x[:16], x[16:]
    reduce = np.bitwise_and.reduce(x), np.bitwise_xor.reduce(x)
    out = np.zeros((32, 8), np.uint32)
    for lane in range(32):
        half = low if lane < 16 else high
        in_mask = 0x0f0f0f0f >> lane & 1
        # The second bit of the mask from the lane on.
        places = [i for i in range(lane, 32) if 0x0f0f0f0f >> i & 1]
        out[lane] = [x.sum(dtype=np.uint32), half.min(), half.view(np.int32).max().view(np.uint32), reduce[0],
                     np.bitwise_or.reduce(half), reduce[1], 16 if in_mask else 0, places[1] if len(places) > 1 else 0xffffffff]
    return run("warps", "redux", (1,), (32,), [x, np.zeros_like(out)], {1: out})


@case("nvcc_compact")
def _(r):
    x = r.integers(-9, 9, 100).astype(np.int32)
    kept = x[x > 0]
    out = np.concatenate([kept, np.zeros(100 - len(kept), np.int32)])
    # The warps of a workgroup come in order here, which no program may rely on: one warp each.
    return run("warps", "compact", (4,), (32,), [x, np.zeros_like(x), np.zeros(1, np.int32), i32(100)],
               {1: out, 2: np.array([len(kept)], np.int32)})


@case("nvcc_tiles")
def _(r):
    x = r.integers(0, 50, 64).astype(np.int32)
    out = np.zeros((64, 8), np.int32)
    for i in range(64):
        tile, at = x[i // 8 * 8:i // 8 * 8 + 8], i % 8
        odd = tile[at] & 1
        same = (tile & 1) == odd
        out[i] = [tile.sum(), tile.max(), tile[:at + 1].sum(), np.bitwise_or.reduce(tile[:at], initial=0),
                  bitmask(tile > 0) + 1000 * (i // 8), tile[at ^ 3] + any(tile == 5), same.sum() * 100 + same[:at].sum(),
                  tile[tile % 3 == tile[at] % 3].sum()]
    return run("warps", "tiles", (1,), (64,), [x, np.zeros_like(out)], {1: out})


@case("nvcc_large_tile")
def _(r):
    x = whole(r, (4, 64))
    return run("warps", "large_tile", (1,), (256,), [x, np.zeros_like(x)], {1: np.repeat(x.sum(1, keepdims=True), 64, 1)})


@case("nvcc_lone_thread")
def _(r):
    x = whole(r, (20, 32))
    return run("warps", "lone_thread", (2,), (128,), [x, np.zeros((20, 2), np.float32), i32(20)],
               {1: np.stack([x[:, 0], x.sum(1)], 1)})


@case("nvcc_collatz")
def _(r):
    x = r.integers(1, 1000, 100).astype(np.uint32)

    def steps(v):
        n = 0
        while v != 1:
            v, n = (3 * v + 1 if v % 2 else v // 2), n + 1
        return n
    return run("warps", "collatz", (1,), (128,), [x, np.zeros_like(x), i32(100)],
               {1: np.array([steps(int(v)) for v in x], np.uint32)})


# Atomic operations


@case("nvcc_integers_atomic")
def _(r):
    v = r.integers(-1000, 1000, 64).astype(np.int32)
    start = r.integers(-1000, 1000, 11).astype(np.int32)
    start[7:9] = 3, 5
    wide = np.array([1, 2, 3, 4], np.uint64)
    out = start.copy()
    out[0] += v.sum()
    out[1] -= v.sum()
    out[2], out[3] = min(out[2], v.min()), max(out[3], v.max())
    out[4] = np.bitwise_and.reduce(np.append(v | 0xff00, out[4]))
    out[5], out[6] = np.bitwise_or.reduce(np.append(v, out[5])), np.bitwise_xor.reduce(np.append(v, out[6]))
    for _ in range(64):
        out[7] = 0 if out[7] >= 9 else out[7] + 1
        out[8] = 9 if out[8] == 0 or out[8] > 9 else out[8] - 1
    out[9] += v.sum()
    out[10] += v.sum()
    mod = lambda x: np.uint64(x % 2**64)
    numbers = [int(x) for x in v]
    wide_out = np.array([mod(1 + sum(x << 20 for x in numbers)), max(2, *((x & 0xfffff) << 33 for x in numbers)),
                         mod(min(3, *numbers)), 4], np.uint64)
    for x in numbers:
        wide_out[3] ^= mod(x % 2**64 * 0x100000001)
    return run("atomics", "integers", (1,), (64,), [v, start, wide], {1: out, 2: wide_out})


@case("nvcc_floats_atomic")
def _(r):
    v = whole(r, 64)
    total = v.sum()
    args = [v, *(np.zeros(n, dtype) for n, dtype in
                 [(1, np.float32), (1, np.float64), (1, np.float16), (2, np.float16), (1, BF16), (2, BF16)])]
    results = [[total], [total], [total], [total, -total], [total], [total, 64]]
    return run("atomics", "floats", (1,), (64,), args,
               {at + 1: np.array(each).astype(args[at + 1].dtype) for at, each in enumerate(results)})


@case("nvcc_vectors_atomic")
def _(r):
    v = whole(r, 64)
    total = v.sum()
    return run("atomics", "vectors", (1,), (64,), [v, np.zeros(8, np.float32)],
               {1: np.array([total, 2 * total, 0, 0, total, -total, 64, 0], np.float32)}, cc="90a")


@case("nvcc_by_compare")
def _(r):
    v = normal(r, 128)
    return run("atomics", "by_compare", (2,), (64,), [v, np.full(1, -9, np.float32), np.ones(1), np.array([5], np.int16)],
               {1: v.max(keepdims=True), 2: np.ones(1), 3: np.array([5 + 3 * 128], np.int16)})


@case("nvcc_hash_insert")
def _(r):
    keys = r.integers(0, 40, 128).astype(np.uint32)
    table = np.full(64, 0xffffffff, np.uint32)
    counts = np.zeros(64, np.uint32)
    for key in keys:
        slot = int(key) * 2654435761 & 63
        while table[slot] not in (key, 0xffffffff):
            slot = slot + 1 & 63
        table[slot] = key
        counts[slot] += 1
    # Threads come in this order here, as far as a warp goes.
    return run("atomics", "hash_insert", (4,), (32,), [keys, np.full(64, 0xffffffff, np.uint32), np.zeros(64, np.uint32), np.uint32(63)],
               {1: table, 2: counts})


@case("nvcc_references")
def _(r):
    v = r.integers(-1000, 1000, 128).astype(np.int32)
    return run("atomics", "references", (2,), (64,), [v, np.zeros(3, np.int32), np.full(1, -5, np.float32)],
               {1: np.array([v.sum(), min(0, v.min()), np.bitwise_or.reduce(v)], np.int32),
                2: np.array([max(-5, v.max())], np.float32)})


@case("nvcc_locked")
def _(r):
    x = r.integers(-99, 99, (4, 50)).astype(np.int32)
    return run("atomics", "locked", (4,), (64,), [x, np.zeros(50, np.int32), i32(50)], {1: x.sum(0, np.int32)})


@case("nvcc_locked_lanes")
def _(r):
    return run("atomics", "locked_lanes", (2,), (64,), [np.zeros(1, np.int32), np.zeros(1, np.int32)],
               {0: np.zeros(1, np.int32), 1: np.array([2 * 64 * 63 // 2], np.int32)})


@case("nvcc_chained")
def _(r):
    x = r.integers(-99, 99, 8).astype(np.int32)
    return run("atomics", "chained", (8,), (1,), [x, np.zeros(8, np.int32), np.zeros(8, np.int32)],
               {1: np.cumsum(x, dtype=np.int32), 2: np.ones(8, np.int32)})


# CUB


@case("nvcc_cub_block_reduce")
def _(r):
    x = whole(r, (2, 512))
    return run("cub", "block_reduce", (2,), (128,), [x, np.zeros((2, 2), np.float32)],
               {1: np.stack([x.sum(1), x.max(1)], 1)})


@case("nvcc_cub_block_argmax")
def _(r):
    x = r.integers(0, 200, 1000).astype(np.int32)
    return run("cub", "block_argmax", (1,), (256,), [x, np.zeros(2, np.int32), i32(1000)],
               {1: np.array([x.max(), x.argmax()], np.int32)})


@case("nvcc_cub_block_scan")
def _(r):
    x = r.integers(-99, 99, (2, 512)).astype(np.int32)
    sums = np.cumsum(x, 1, np.int32)
    return run("cub", "block_scan", (2,), (128,), [x, np.zeros_like(x), np.zeros_like(x), np.zeros(2, np.int32)],
               {1: np.maximum.accumulate(x, 1), 2: sums - x, 3: sums[:, -1]})


@case("nvcc_cub_block_sort")
def _(r):
    k, v = r.integers(0, 2**32, (2, 512), dtype=np.uint32), r.integers(0, 1000, (2, 512)).astype(np.int32)
    order = np.argsort(k, 1, "stable")
    return run("cub", "block_sort", (2,), (128,), [k, v, np.zeros_like(k), np.zeros_like(v)],
               {2: np.take_along_axis(k, order, 1), 3: np.take_along_axis(v, order, 1)})


@case("nvcc_cub_block_sort_floats")
def _(r):
    x = normal(r, 320)
    return run("cub", "block_sort_floats", (1,), (64,), [x], {0: np.sort(x)[::-1]})


@case("nvcc_cub_block_merge_sort")
def _(r):
    x = normal(r, 301, np.float64)
    return run("cub", "block_merge_sort", (1,), (128,), [x, np.zeros_like(x), i32(301)], {1: np.sort(x)})


@case("nvcc_cub_block_histogram")
def _(r):
    x = (r.integers(0, 8, 512) ** 2).astype(np.uint8)
    out = np.bincount(x, minlength=64).astype(np.uint32)
    return run("cub", "block_histogram", (1,), (128,), [x, np.zeros(64, np.uint32), np.zeros(64, np.uint32)], {1: out, 2: out})


@case("nvcc_cub_warp_algorithms")
def _(r):
    x = r.integers(-50, 50, 128).astype(np.int32)
    out = np.zeros((128, 4), np.int32)
    i = np.arange(128)
    out[::16, 0] = x.reshape(8, 16).sum(1)
    out[:, 1] = np.cumsum(x.reshape(4, 32), 1).reshape(-1)
    out[:, 2] = out[:, 1] - x
    for at in np.flatnonzero((i % 5 == 0) | (i % 16 == 0)):
        end = at + 1
        while end % 16 and end % 5:
            end += 1
        out[at, 3] = x[at:end].sum()
    return run("cub", "warp_algorithms", (1,), (128,), [x, np.zeros_like(out)], {1: out})


@case("nvcc_cub_warp_sort")
def _(r):
    x = r.integers(-999, 999, (2, 128)).astype(np.int32)
    return run("cub", "warp_sort", (1,), (64,), [x, np.zeros_like(x)], {1: np.sort(x, 1)},
               # Merging looks at the element behind the last one, and drops it.
               fails=UNWRITTEN)


@case("nvcc_cub_block_discontinuity")
def _(r):
    x = np.sort(r.integers(0, 30, 192)).astype(np.int32)
    heads = np.append(1, x[1:] != x[:-1]).astype(np.int32)
    return run("cub", "block_discontinuity", (1,), (64,), [x, np.zeros_like(x), np.zeros(64, np.int32)],
               {1: heads, 2: np.roll(x[::3], -1)})


# Copies


@case("nvcc_group_copy")
def _(r):
    x = normal(r, (2, 256))
    return run("copies", "group_copy", (2,), (256,), [x, np.zeros_like(x)], {1: x[:, ::-1]})


@case("nvcc_primitives")
def _(r):
    x = whole(r, (6, 64, 4))
    return run("copies", "primitives", (1,), (64,), [x, np.zeros((64, 4), np.float32), i32(6)], {1: x[:, ::-1].sum(0)})


@case("nvcc_pipeline_block")
def _(r):
    x = r.integers(-99, 99, (5, 96)).astype(np.int32)
    return run("copies", "pipeline_block", (1,), (96,), [x, np.zeros(96, np.int32), i32(5)],
               {1: np.roll(x.sum(0, np.int32), -1)}, shared=2 * 96 * 4)


@case("nvcc_pipeline_thread")
def _(r):
    x = r.integers(-99, 99, (2, 32, 4)).astype(np.int32)
    a, b = x
    out = np.stack([a[:, 0] + b[:, 0], a[:, 1] - b[:, 1], a[:, 2] * b[:, 2], a[:, 3] ^ b[:, 3]], 1)
    return run("copies", "pipeline_thread", (1,), (32,), [x, np.zeros_like(out)], {1: out})


def barrier_copy(cc):
    @case(f"nvcc_barrier_copy_{cc}")
    def _(r):
        x = normal(r, (3, 128), np.float64)
        return run("copies", "barrier_copy", (1,), (128,), [x, np.zeros_like(x)], {1: x[:, ::-1] * 2}, cc=cc)

    @case(f"nvcc_barrier_roles_{cc}")
    def _(r):
        x = r.integers(0, 9, (6, 32)).astype(np.int32)
        out = np.zeros(32, np.int32)
        for row in x:
            out = out * 3 + row[::-1]
        return run("copies", "barrier_roles", (1,), (64,), [x, np.zeros(32, np.int32), i32(6)], {1: out}, cc=cc)


barrier_copy("80")
barrier_copy("90a")
barrier_copy("75")


@case("nvcc_cp_async")
def _(r):
    x = normal(r, 128)
    return run("copies", "cp_async", (1,), (32,), [x, np.zeros_like(x), i32(101)],
               {1: np.where(np.arange(128) < 101, x, 0)[::-1]})


# Matrices


def wmma(name, dtype, result, tile, a_rows, b_rows):
    @case(f"nvcc_{name}")
    def _(r):
        m, n, k = 2 * tile[0], 2 * tile[1], 3 * tile[2]
        low = 0 if np.dtype(dtype).kind == "u" else -4
        a, b = whole(r, (m, k), dtype, low), whole(r, (k, n), dtype, low)
        out = (2 * (a.astype(np.float64) @ b.astype(np.float64))).astype(result)
        if name == "wmma_tf32":
            return run("matrices", name, (2, 2), (32,), [a, b.T, np.zeros((m, n), result), i32(n), i32(k)], {2: out / 2})
        return run("matrices", name, (2, 2), (32,),
                   [a if a_rows else a.T, b if b_rows else b.T, np.zeros((m, n), result), i32(m), i32(n), i32(k)], {2: out})


wmma("wmma_f16", np.float16, np.float32, (16, 16, 16), True, False)
wmma("wmma_f16_half", np.float16, np.float16, (32, 8, 16), False, True)
wmma("wmma_bf16", BF16, np.float32, (8, 32, 16), True, True)
wmma("wmma_s8", np.int8, np.int32, (16, 16, 16), True, False)
wmma("wmma_u8", np.uint8, np.int32, (32, 8, 16), False, True)
wmma("wmma_f64", np.float64, np.float64, (8, 8, 4), True, False)
wmma("wmma_tf32", np.float32, np.float32, (16, 16, 8), True, False)


@case("nvcc_gemm_ring")
def _(r):
    a, b = whole(r, (128, 192), np.float16), whole(r, (192, 128), np.float16)
    out = a.astype(np.float32) @ b.astype(np.float32)
    return run("matrices", "gemm_ring", (2, 2), (128,), [a, b, np.zeros_like(out), i32(128), i32(192)], {2: out})


@case("nvcc_mma_s8")
def _(r):
    a, b = r.integers(-128, 128, (16, 32)).astype(np.int8), r.integers(-128, 128, (8, 32)).astype(np.int8)
    # What each thread adds to: 1 and 2 above, 3 and 4 below, for even and odd columns.
    start = np.array([[1, 2], [3, 4]])[np.arange(16)[:, None] // 8, np.arange(8)[None] % 2]
    out = a.astype(np.int32) @ b.T.astype(np.int32) + start
    return run("matrices", "mma_s8", (1,), (32,), [a, b, np.zeros((16, 8), np.int32)], {2: out.astype(np.int32)})


@case("nvcc_flash_attention")
def _(r):
    q, k, v = (normal(r, (n, 64), np.float16) for n in (128, 160, 160))
    s = q.astype(np.float64) @ k.astype(np.float64).T * 0.125
    p = np.exp(s - s.max(1, keepdims=True))
    out = p / p.sum(1, keepdims=True) @ v.astype(np.float64)
    return run("matrices", "flash_attention", (2,), (128,),
               [q, k, v, np.zeros((128, 64), np.float32), i32(160), np.float32(0.125)], {3: out.astype(np.float32)}, atol=2e-3)


# Algorithms


@case("nvcc_nbody")
def _(r):
    x = normal(r, (128, 4))
    p, m = x[:, :3].astype(np.float64), x[:, 3].astype(np.float64)
    d = p[None] - p[:, None]
    out = (d * (m[None, :, None] * (np.square(d).sum(2, keepdims=True) + 0.01) ** -1.5)).sum(1)
    return run("algorithms", "nbody", (2,), (64,), [x, np.zeros_like(x), i32(128)],
               {1: np.pad(out, ((0, 0), (0, 1))).astype(np.float32)}, shared=64 * 16, rtol=1e-4, atol=1e-3)


@case("nvcc_mandelbrot")
def _(r):
    w, h = 40, 30
    c = (-2 + np.arange(w) * 0.07)[None] + 1j * (-1.05 + np.arange(h) * 0.07)[:, None]
    out, z, going = np.zeros((h, w), np.uint8), np.zeros((h, w), np.complex128), np.ones((h, w), bool)
    for _ in range(100):
        going &= z.real * z.real + z.imag * z.imag <= 4
        out += going
        real = z.real * z.real - z.imag * z.imag + c.real
        z = np.where(going, real + 1j * (2 * z.real * z.imag + c.imag), z)
    return run("algorithms", "mandelbrot", (3, 4), (16, 8),
               [np.zeros((h, w), np.uint8), i32(w), i32(h), np.float64(-2), np.float64(-1.05), np.float64(0.07)], {0: out},
               flags=("-fmad=false",))


@case("nvcc_fft")
def _(r):
    x = normal(r, (256, 2))
    out = np.fft.fft(x[:, 0].astype(np.float64) + 1j * x[:, 1])
    return run("algorithms", "fft", (1,), (128,), [x, np.zeros_like(x)],
               {1: np.stack([out.real, out.imag], 1).astype(np.float32)}, atol=1e-4)


@case("nvcc_grid_reverse")
def _(r):
    x = whole(r, 256)
    z = np.roll(x[::-1], -100)
    return run("algorithms", "grid_reverse", (4,), (64,), [x, np.zeros_like(x), np.zeros_like(x), i32(256)],
               {1: x[::-1] + np.roll(z, -50), 2: z})


@case("nvcc_backwards")
def _(r):
    x = r.integers(0, 100, 128).astype(np.int32)
    out = np.zeros_like(x)
    for i, value in enumerate(x):
        for k in reversed(range(value % 16 + 1)):
            out[i] = out[i] * 3 + x[(i + k) % 128]
    return run("algorithms", "backwards", (2,), (64,), [x, np.zeros_like(x), i32(128)], {1: out})


def sparse(r, rows, columns):
    dense = whole(r, (rows, columns)) * (r.random((rows, columns)) < 0.15)
    at = [np.flatnonzero(row) for row in dense]
    starts = np.cumsum([0] + [len(row) for row in at]).astype(np.int32)
    return dense, starts, np.concatenate(at).astype(np.int32), dense[dense != 0]


def spmv(name, grid, block):
    @case(f"nvcc_{name}")
    def _(r):
        dense, starts, columns, values = sparse(r, 60, 200)
        x = whole(r, 200)
        return run("algorithms", name, grid, block, [starts, columns, values, x, np.zeros(60, np.float32), i32(60)],
                   {4: dense @ x})


spmv("spmv_rows", (1,), (64,))
spmv("spmv_warps", (15,), (128,))


def philox(counters, key):
    c, (k0, k1) = [np.array(v, np.uint64) for v in counters], key
    for _ in range(10):
        a, b = c[0] * np.uint64(0xD2511F53), c[2] * np.uint64(0xCD9E8D57)
        high, low = np.uint64(32), np.uint64(0xffffffff)
        c = [b >> high ^ c[1] ^ np.uint64(k0), b & low, a >> high ^ c[3] ^ np.uint64(k1), a & low]
        k0, k1 = (k0 + 0x9E3779B9) % 2**32, (k1 + 0xBB67AE85) % 2**32
    return np.stack(c, -1).astype(np.uint32)


@case("nvcc_random_numbers")
def _(r):
    seed = int(r.integers(0, 2**62))
    i = np.arange(100)
    out = philox([i, i * 0, i * 0 + 7, i * 0], (seed % 2**32, seed >> 32))
    return run("algorithms", "random_numbers", (1,), (128,), [np.zeros_like(out), np.uint64(seed), i32(100)], {0: out})


@case("nvcc_count_pi")
def _(r):
    hits = 0
    i = np.arange(128)
    for n in range(10):
        v = philox([i, i * 0 + n, i * 0, i * 0], (1, 2))[:, :2].astype(np.float32) * np.float32(2.3283064e-10)
        square = v[:, 0] * v[:, 0]
        # One of the products is not rounded before the sum, whichever: no sum is near 1 by so little.
        hits += (square.astype(np.float64) + v[:, 1].astype(np.float64) ** 2 < 1).sum()
    return run("algorithms", "count_pi", (2,), (64,), [np.zeros(1, np.uint32), i32(10)], {0: np.array([hits], np.uint32)})


@case("nvcc_scan_lookback")
def _(r):
    x = r.integers(-99, 99, 8 * 128).astype(np.int32)
    return run("algorithms", "scan_lookback", (8,), (128,), [x, np.zeros_like(x), np.zeros(8, np.uint64)],
               {1: np.cumsum(x, dtype=np.int32)})


@case("nvcc_radix_pass")
def _(r):
    x = r.integers(0, 2**32, 512, dtype=np.uint32)
    return run("algorithms", "radix_pass", (1,), (128,), [x, np.zeros_like(x), i32(512), i32(8)],
               {1: x[np.argsort(x >> 8 & 15, kind="stable")]})


@case("nvcc_bfs_step")
def _(r):
    n = 60
    starts = np.arange(0, 3 * n + 1, 3).astype(np.int32)
    edges = r.integers(0, n, 3 * n).astype(np.int32)
    distance = np.full(n, -1, np.int32)
    frontier = np.arange(4, dtype=np.int32)
    distance[:4] = 0
    out = distance.copy()
    reached = edges[:12]
    out[reached[out[reached] == -1]] = 1
    # In which order vertices are found is open: only how many there are.
    return run("algorithms", "bfs_step", (1,), (32,),
               [starts, edges, distance, frontier, i32(4), np.full(n, -1, np.int32), np.zeros(1, np.int32), i32(1)],
               {2: out, 6: np.array([(out == 1).sum()], np.int32)})


@case("nvcc_cholesky")
def _(r):
    n = 20
    a = normal(r, (2, n, n))
    a = a @ a.transpose(0, 2, 1) + n * np.eye(n, dtype=np.float32)
    return run("algorithms", "cholesky", (2,), (32,), [a, i32(n)], {0: np.linalg.cholesky(a.astype(np.float64)).astype(np.float32)},
               shared=n * n * 4, rtol=1e-4, atol=1e-4)


@case("nvcc_edit_distance")
def _(r):
    n = 60
    a, b = r.integers(0, 4, n).astype(np.int8), r.integers(0, 4, n).astype(np.int8)
    last = list(range(n + 1))
    for i in range(1, n + 1):
        now = [i]
        for j in range(1, n + 1):
            now.append(min(last[j] + 1, now[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])))
        last = now
    return run("algorithms", "edit_distance", (1,), (64,), [a, b, i32(n), np.zeros(1, np.int32)],
               {3: np.array([last[n]], np.int32)})


@case("nvcc_layer_norm")
def _(r):
    x, gamma, beta = normal(r, (3, 200)), normal(r, 200), normal(r, 200)
    v = x.astype(np.float64)
    out = (v - v.mean(1, keepdims=True)) / np.sqrt(v.var(1, keepdims=True) + 1e-5) * gamma + beta
    return run("algorithms", "layer_norm", (3,), (64,), [x, gamma, beta, np.zeros_like(x), i32(200), np.float32(1e-5)],
               {3: out.astype(np.float32)}, rtol=1e-4, atol=1e-4)


@case("nvcc_gradient")
def _(r):
    x = normal(r, (5, 6, 7))
    padded = np.pad(x, 1, mode="edge")
    sides = [(padded[1:-1, 1:-1, 2:], padded[1:-1, 1:-1, :-2]), (padded[1:-1, 2:, 1:-1], padded[1:-1, :-2, 1:-1]),
             (padded[2:, 1:-1, 1:-1], padded[:-2, 1:-1, 1:-1])]
    out = np.stack([(high - low) * np.float32(scale) for (high, low), scale in zip(sides, (0.5, 2, 0.25))], 3)
    volume = (x, i32(7), i32(6), i32(5), np.float32(0.5), np.float32(2), np.float32(0.25))
    return run("algorithms", "gradient", (1,), (7, 6, 5), [volume, np.zeros_like(out)], {1: out})


# Hopper


def hopper(name, grid, block, args, expected, shared=0):
    return run("hopper", name, grid, block, args, expected, cc="90a", shared=shared)


@case("nvcc_cluster_histogram")
def _(r):
    x = r.integers(0, 64, 500).astype(np.int32)
    return hopper("cluster_histogram", (2,), (64,), [x, np.zeros(64, np.int32), i32(500)],
                  {1: np.bincount(x, minlength=64).astype(np.int32)})


@case("nvcc_cluster_ring")
def _(r):
    x = whole(r, (2, 4, 64))
    out = np.zeros_like(x)
    for i in range(4):
        out = out * 2 + np.roll(x, -i, 1)[:, :, ::-1]
    return hopper("cluster_ring", (8,), (64,), [x, np.zeros_like(x)], {1: out})


@case("nvcc_bulk_copy")
def _(r):
    x = whole(r, (2, 256))
    return hopper("bulk_copy", (2,), (64,), [x, np.zeros_like(x)], {1: x * 2 + 1})


@case("nvcc_bulk_reduce")
def _(r):
    x = r.integers(-99, 99, (3, 64)).astype(np.int32)
    return hopper("bulk_reduce", (3,), (64,), [x, np.zeros(64, np.int32)], {1: x.sum(0, np.int32)})


@case("nvcc_tensor_transpose")
def _(r):
    x = r.integers(-99, 99, (64, 96)).astype(np.int32)
    return hopper("tensor_transpose", (3, 2), (64,), [TensorMap(x, (32, 32)), TensorMap(np.zeros((96, 64), np.int32), (32, 32))],
                  {1: x.T})


@case("nvcc_multicast")
def _(r):
    x = whole(r, 128)
    return hopper("multicast", (2,), (128,), [x, np.zeros((2, 128), np.float32)], {1: np.stack([x, 2 * x])})


@case("nvcc_store_async")
def _(r):
    x = r.integers(-99, 99, (2, 64)).astype(np.int32)
    return hopper("store_async", (2,), (64,), [x, np.zeros_like(x)], {1: x[::-1, ::-1]})


@case("nvcc_wgmma_gemm")
def _(r):
    a, b = whole(r, (128, 320), np.float16), whole(r, (128, 320), np.float16)
    out = a.astype(np.float32) @ b.astype(np.float32).T
    return hopper("wgmma_gemm", (2, 2), (256,),
                  [TensorMap(a, (64, 64), 128), TensorMap(b, (64, 64), 128), np.zeros_like(out), i32(128), i32(320)], {2: out},
                  shared=6 * 64 * 64 * 2)


@case("nvcc_dependent")
def _(r):
    x = whole(r, 64)
    return hopper("dependent", (1,), (64,), [x, np.zeros(66, np.float32)], {1: np.concatenate([3 * x, x[::32]])})


# Blackwell


def blackwell(name, grid, block, args, expected):
    return run("blackwell", name, grid, block, args, expected, cc="100a")


@case("nvcc_taken_work")
def _(r):
    x = r.integers(-99, 99, (6, 64)).astype(np.int32)
    return blackwell("taken", (6,), (64,), [x, np.zeros_like(x)], {1: 2 * x + np.arange(6, dtype=np.int32)[:, None]})


@case("nvcc_pairs_of_floats")
def _(r):
    x, y = whole(r, (128, 4)), whole(r, (128, 4))
    out = np.stack([x[:, 0] * y[:, 0] + x[:, 1], x[:, 1] * y[:, 1] + x[:, 0], x[:, 2] * y[:, 2] + y[:, 3],
                    x[:, 3] * y[:, 3] + y[:, 2]], 1)
    return blackwell("paired", (2,), (64,), [x, y, np.zeros_like(x)], {2: out})


@case("nvcc_masked_copy")
def _(r):
    at = np.arange(512)
    tile = np.where((at >= 256) & (at < 384), 0, at % 251)
    out = np.where(0x0f30 >> at % 16 & 1 == 1, tile, 7).astype(np.uint8)
    return blackwell("masked", (1,), (32,), [np.full(512, 7, np.uint8)], {0: out})


# CUTLASS


def cutlass(name, dtype, result, tile, a_rows, b_rows, threads, shared):
    @case(f"nvcc_cutlass_{name}")
    def _(r):
        # Neither extent is a multiple of the tile's: what lies outside is not copied, and multiplied all the same.
        m, n, k = tile[0] + 8, 2 * tile[1] - 16, 3 * tile[2] + 16
        a, b = whole(r, (m, k), dtype), whole(r, (k, n), dtype)
        c = whole(r, (m, n), result)
        product = a.astype(np.float64) @ b.astype(np.float64)
        out = {"tensor_f16": 2 * product + c, "simt_f32": product + c, "relu_bf16": np.maximum(product, 0)}.get(name, product)
        return run("cutlass", name, (-(-m // tile[0]), -(-n // tile[1])), (threads,),
                   [a if a_rows else a.T, b if b_rows else b.T, c, i32(m), i32(n), i32(k)], {2: out.astype(result)},
                   flags=cutlass_flags(), shared=shared, fails=UNWRITTEN)


cutlass("tensor_f16", np.float16, np.float32, (64, 64, 32), True, False, 128, 32768)
cutlass("relu_bf16", BF16, BF16, (128, 64, 32), False, True, 128, 65536)
cutlass("tensor_s8", np.int8, np.int32, (64, 64, 64), True, False, 128, 32768)
cutlass("tensor_tf32", np.float32, np.float32, (64, 64, 16), True, True, 128, 32768)
cutlass("simt_f32", np.float32, np.float32, (64, 64, 8), False, True, 128, 32768)
cutlass("tensor_f64", np.float64, np.float64, (32, 32, 16), True, False, 128, 32768)


@case("nvcc_cute_sm80")
def _(r):
    a, b = whole(r, (128, 192), np.float16), whole(r, (128, 192), np.float16)
    out = a.astype(np.float32) @ b.astype(np.float32).T
    return run("cute", "cute_sm80", (2, 2), (128,), [a, b, np.zeros_like(out), i32(128), i32(128), i32(192)], {2: out},
               cc="90a", flags=cutlass_flags())


def cute_sm90(name, dtype, columns):
    @case(f"nvcc_{name}")
    def _(r):
        a, b = whole(r, (128, 4 * columns), dtype), whole(r, (128, 4 * columns), dtype)
        out = a.astype(np.float32) @ b.astype(np.float32).T
        return run("cute", name, (2, 2), (128,),
                   [TensorMap(a, (64, columns), 128), TensorMap(b, (64, columns), 128), np.zeros_like(out), i32(128), i32(4 * columns)],
                   {2: out}, cc="90a", flags=cutlass_flags())


cute_sm90("cute_sm90_f16", np.float16, 64)
cute_sm90("cute_sm90_e4m3", E4M3, 128)
