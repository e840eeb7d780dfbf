"""Kernels in Triton: elementwise, reductions, scans, norms, products, attention, atomics, random numbers, sorting."""

import re

import numpy as np
import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from triton.language.extra import libdevice

from case import BF16, E4M3, E5M2, Case, TensorMap, case, normal, whole

NAMES = {
    "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64", "uint8": "u8", "uint16": "u16", "uint32": "u32",
    "uint64": "u64", "float16": "fp16", "float32": "fp32", "float64": "fp64", "bfloat16": "bf16",
    "float8_e4m3fn": "fp8e4nv", "float8_e5m2": "fp8e5", "bool": "i1",
}
SWIZZLES = [0, 32, 64, 128]


class Descriptor:
    """A tensor map that the host makes: Triton takes the map, the extents and the strides."""

    def __init__(self, array, block):
        self.array, self.block = array, block


def triton_run(kernel, grid, args, expected, consts=None, sm=80, warps=4, rtol=0.0, atol=0.0, fails="", source=ASTSource,
               layouts=None, **options):
    """Compiles a kernel for arguments in the order of its parameters; constants are passed by name."""
    consts = consts or {}
    names = [name for name in kernel.arg_names if name not in consts]
    signature, attrs = {}, {}
    for at, (name, arg) in enumerate(zip(names, args, strict=True)):
        if isinstance(arg, Descriptor):
            block = ",".join(map(str, arg.block))
            layout = f",{layouts[name]!r}" if layouts else ""
            signature[name] = f"tensordesc<{NAMES[arg.array.dtype.name]}[{block}]{layout}>"
        elif isinstance(arg, np.generic):
            signature[name] = NAMES[arg.dtype.name]
        else:
            signature[name] = "*" + NAMES[arg.dtype.name]
        # What a launch finds out of the arguments: pointers and sizes that are divisible by 16.
        if isinstance(arg, np.ndarray) or isinstance(arg, np.integer) and arg % 16 == 0:
            attrs[(kernel.arg_names.index(name),)] = [["tt.divisibility", 16]]
    signature |= {name: "constexpr" for name in consts}
    signature = {name: signature[name] for name in kernel.arg_names}
    source = source(kernel, signature, consts, attrs)
    made = triton.compile(source, target=GPUTarget("cuda", sm, 32), options={"num_warps": warps, **options})
    ptx, meta = made.asm["ptx"], made.metadata
    passed, moved, maps = [], {}, list(getattr(meta, "tensordesc_meta", None) or [])
    for at, arg in enumerate(args):
        moved[at] = len(passed)
        if isinstance(arg, Descriptor):
            of = maps.pop(0)
            of = of if isinstance(of, dict) else of._asdict()
            box = list(of["block_size"])
            passed.append(TensorMap(arg.array, tuple(box), SWIZZLES[of["swizzle"]]))
            passed += [np.int32(extent) for extent in arg.array.shape]
            passed += [np.int64(stride // arg.array.itemsize) for stride in arg.array.strides]
        else:
            passed.append(arg)
    n_ctas = meta.num_ctas
    programs = int(np.prod(grid)) * n_ctas
    for size in (meta.global_scratch_size, meta.profile_scratch_size):
        passed.append(np.zeros(max(size * programs, 16), np.int8))
    threads = int(re.search(r"\.reqntid (\d+)", ptx)[1])
    entry = re.search(r"\.entry (\w+)", ptx)[1]
    grid = (grid[0] * n_ctas, *grid[1:])
    return Case(ptx, entry, grid, (threads,), passed, {moved[at]: array for at, array in expected.items()},
                meta.shared, rtol, atol, fails)


FLOATS = {"f16": np.float16, "bf16": BF16, "f32": np.float32, "f64": np.float64}
INTS = {"i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64, "u8": np.uint8, "u32": np.uint32,
        "u64": np.uint64}


def close(dtype):
    """What a result of this type may differ from the exact one, relative, with some rounding steps in between."""
    return {2: 1.6e-2 if dtype == BF16 else 2e-3, 4: 2e-5, 8: 1e-12, 1: 0.13}[np.dtype(dtype).itemsize]


# Elementwise


@triton.jit
def axpy(x, y, z, n, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    mask = at < n
    tl.store(z + at, tl.load(x + at, mask) * 2 + tl.load(y + at, mask), mask)


def elementwise(name, dtype):
    @case(f"triton_axpy_{name}")
    def _(r):
        n = 1000
        x, y = whole(r, n, dtype, 0, 50), whole(r, n, dtype, 0, 20)
        z = np.zeros(n, dtype)
        return triton_run(axpy, (4,), [x, y, z, np.int32(n)], {2: x * dtype(2) + y}, {"B": 256},
                          sm=[75, 80, 89, 90][len(name) % 4])


for _name, _dtype in (FLOATS | INTS).items():
    elementwise(_name, np.dtype(_dtype).type)


@triton.jit
def float_functions(x, out, n, B: tl.constexpr):
    at = tl.arange(0, B)
    v = tl.load(x + at)
    tl.store(out + at, tl.exp(v))
    tl.store(out + n + at, tl.log(tl.abs(v) + 0.5))
    tl.store(out + 2 * n + at, tl.sin(v))
    tl.store(out + 3 * n + at, tl.cos(v))
    tl.store(out + 4 * n + at, tl.sqrt(tl.abs(v)))
    tl.store(out + 5 * n + at, tl.rsqrt(tl.abs(v) + 1))
    tl.store(out + 6 * n + at, tl.sigmoid(v))
    tl.store(out + 7 * n + at, tl.floor(v) + tl.ceil(v))
    tl.store(out + 8 * n + at, tl.fma(v, v, v))
    tl.store(out + 9 * n + at, tl.exp2(v))
    tl.store(out + 10 * n + at, tl.log2(tl.abs(v) + 0.5))
    tl.store(out + 11 * n + at, tl.div_rn(v, v * v + 1))
    tl.store(out + 12 * n + at, tl.sqrt_rn(tl.abs(v)))
    tl.store(out + 13 * n + at, tl.clamp(v, -0.5, 0.5))
    tl.store(out + 14 * n + at, libdevice.tanh(v))
    tl.store(out + 15 * n + at, tl.erf(v))


@case("triton_float_functions")
def _(r):
    n = 256
    x = normal(r, n)
    v = x.astype(np.float64)
    a = np.abs(v)
    erf = np.vectorize(__import__("math").erf)
    out = np.stack([np.exp(v), np.log(a + 0.5), np.sin(v), np.cos(v), np.sqrt(a), 1 / np.sqrt(a + 1),
                    1 / (1 + np.exp(-v)), np.floor(v) + np.ceil(v), v * v + v, np.exp2(v), np.log2(a + 0.5),
                    v / (v * v + 1), np.sqrt(a), np.clip(v, -0.5, 0.5), np.tanh(v), erf(v)]).astype(np.float32)
    return triton_run(float_functions, (1,), [x, np.zeros_like(out), np.int32(n)], {1: out}, {"B": n}, rtol=1e-5,
                      atol=2e-6)


@triton.jit
def double_functions(x, out, n, B: tl.constexpr):
    at = tl.arange(0, B)
    v = tl.load(x + at)
    a = tl.abs(v) + 0.25
    tl.store(out + at, libdevice.exp(v))
    tl.store(out + n + at, libdevice.log(a))
    tl.store(out + 2 * n + at, libdevice.sin(v))
    tl.store(out + 3 * n + at, libdevice.pow(a, v))
    tl.store(out + 4 * n + at, libdevice.atan2(v, a))
    tl.store(out + 5 * n + at, libdevice.cbrt(v))
    tl.store(out + 6 * n + at, libdevice.fmod(v * 10, a))
    tl.store(out + 7 * n + at, libdevice.lgamma(a))
    tl.store(out + 8 * n + at, v / a)
    tl.store(out + 9 * n + at, libdevice.tan(v))
    tl.store(out + 10 * n + at, libdevice.expm1(v))
    tl.store(out + 11 * n + at, libdevice.rint(v * 7))


@case("triton_double_functions")
def _(r):
    n = 128
    v = r.standard_normal(n)
    a = np.abs(v) + 0.25
    lgamma = np.vectorize(__import__("math").lgamma)
    out = np.stack([np.exp(v), np.log(a), np.sin(v), a ** v, np.arctan2(v, a), np.cbrt(v), np.fmod(v * 10, a), lgamma(a),
                    v / a, np.tan(v), np.expm1(v), np.rint(v * 7)])
    return triton_run(double_functions, (1,), [v, np.zeros_like(out), np.int32(n)], {1: out}, {"B": n}, rtol=1e-11,
                      atol=1e-13)


@triton.jit
def integer_functions(x, y, out, n, B: tl.constexpr):
    at = tl.arange(0, B)
    a = tl.load(x + at)
    b = tl.load(y + at)
    tl.store(out + at, a // b)
    tl.store(out + n + at, a % b)
    tl.store(out + 2 * n + at, a << (b & 7))
    tl.store(out + 3 * n + at, a >> (b & 7))
    tl.store(out + 4 * n + at, (a & b) ^ (a | b))
    tl.store(out + 5 * n + at, ~a)
    tl.store(out + 6 * n + at, tl.minimum(a, b) - tl.maximum(a, b))
    tl.store(out + 7 * n + at, tl.abs(a))
    tl.store(out + 8 * n + at, tl.where(a > b, a, -b))


def integers(name, dtype):
    @case(f"triton_integers_{name}")
    def _(r):
        n = 256
        a = r.integers(-2**20 if dtype != np.int16 else -2**12, 2**20 if dtype != np.int16 else 2**12, n).astype(dtype)
        b = r.integers(1, 1000, n).astype(dtype)
        quotient = (np.abs(a.astype(np.int64)) // b * np.sign(a)).astype(dtype)
        out = np.stack([quotient, a - quotient * b, a << (b & 7), a >> (b & 7), (a & b) ^ (a | b), ~a,
                        np.minimum(a, b) - np.maximum(a, b), np.abs(a), np.where(a > b, a, -b)])
        return triton_run(integer_functions, (1,), [a, b, np.zeros_like(out), np.int32(n)], {2: out}, {"B": n}, sm=86)


for _name in ("i16", "i32", "i64"):
    integers(_name, INTS[_name])


@triton.jit
def high_half(x, y, out, B: tl.constexpr):
    at = tl.arange(0, B)
    tl.store(out + at, tl.umulhi(tl.load(x + at), tl.load(y + at)))


@case("triton_high_half")
def _(r):
    x, y = (r.integers(0, 2**64, 256, dtype=np.uint64) for _ in range(2))
    out = np.array([int(a) * int(b) >> 64 for a, b in zip(x, y)], np.uint64)
    return triton_run(high_half, (1,), [x, y, np.zeros_like(out)], {2: out}, {"B": 256}, sm=75)


@triton.jit
def casts(x, h, b, i, d, l, s, B: tl.constexpr):
    at = tl.arange(0, B)
    v = tl.load(x + at)
    tl.store(h + at, v.to(tl.float16))
    tl.store(b + at, v.to(tl.bfloat16))
    tl.store(i + at, v.to(tl.int32))
    tl.store(d + at, v.to(tl.float64) * v.to(tl.bfloat16).to(tl.float64))
    tl.store(l + at, (v * 1000).to(tl.int64))
    tl.store(s + at, v.to(tl.int8).to(tl.float32) + v.to(tl.float16).to(tl.int16).to(tl.float32))


@case("triton_casts")
def _(r):
    x = (r.standard_normal(256) * 20).astype(np.float32)
    out = [x.astype(np.float16), x.astype(BF16), x.astype(np.int32), x.astype(np.float64) * x.astype(BF16).astype(np.float64),
           (x * np.float32(1000)).astype(np.int64),
           x.astype(np.int8).astype(np.float32) + x.astype(np.float16).astype(np.int16).astype(np.float32)]
    return triton_run(casts, (1,), [x, *map(np.zeros_like, out)], {1 + at: o for at, o in enumerate(out)}, {"B": 256},
                      sm=75)


@triton.jit
def to_f8(x, narrow, back, B: tl.constexpr):
    at = tl.arange(0, B)
    v = tl.load(x + at).to(narrow.dtype.element_ty)
    tl.store(narrow + at, v)
    tl.store(back + at, v.to(tl.float32) + v.to(tl.float16).to(tl.float32))


def narrow_floats(name, dtype, source, sm):
    @case(f"triton_{source}_to_{name}_sm{sm}")
    def _(r):
        x = normal(r, 512, FLOATS[source])
        narrow = x.astype(np.float32).astype(dtype)
        back = narrow.astype(np.float32) * 2
        return triton_run(to_f8, (1,), [x, np.zeros_like(narrow), np.zeros_like(back)], {1: narrow, 2: back}, {"B": 512},
                          sm=sm)


narrow_floats("e5m2", E5M2, "f32", 80)
narrow_floats("e5m2", E5M2, "f16", 89)
narrow_floats("e4m3", E4M3, "f32", 89)
narrow_floats("e4m3", E4M3, "f16", 90)
narrow_floats("e4m3", E4M3, "bf16", 90)


# Reductions and scans


@triton.jit
def row_reductions(x, total, greatest, least, where, n, B: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, B)
    mask = at < n
    v = tl.load(x + row * n + at, mask, other=0)
    tl.store(total + row, tl.sum(v))
    tl.store(greatest + row, tl.max(tl.where(mask, v, -100)))
    tl.store(least + row, tl.min(tl.where(mask, v, 100)))
    tl.store(where + row, tl.argmax(tl.where(mask, v, -100), 0))


def reductions(name, dtype, sm):
    @case(f"triton_reductions_{name}" + ("_sm120" if sm == 120 else ""))
    def _(r):
        x = whole(r, (6, 700), dtype, -40, 40)
        wide = np.float32 if np.dtype(dtype).itemsize < 4 and np.dtype(dtype).kind != "i" else dtype
        out = [x.astype(np.float64).sum(1).astype(wide), x.max(1), x.min(1), x.argmax(1).astype(np.int32)]
        return triton_run(row_reductions, (6,), [x, *map(np.zeros_like, out), np.int32(700)],
                          {1 + at: o for at, o in enumerate(out)}, {"B": 1024}, sm=sm)


reductions("f32", np.float32, 80)
reductions("f64", np.float64, 90)
reductions("i32", np.int32, 90)
reductions("i64", np.int64, 75)
# Of three numbers at once.
reductions("f32", np.float32, 120)


@triton.jit
def column_sums(x, out, M: tl.constexpr, N: tl.constexpr):
    m = tl.arange(0, M)[:, None]
    n = tl.arange(0, N)[None, :]
    v = tl.load(x + m * N + n).to(tl.float32)
    tl.store(out + tl.arange(0, N), tl.sum(v, 0))
    tl.store(out + N + tl.arange(0, M), tl.sum(v, 1))


@case("triton_column_sums_f16")
def _(r):
    x = whole(r, (64, 128), np.float16)
    out = np.concatenate([x.astype(np.float32).sum(0), x.astype(np.float32).sum(1)])
    return triton_run(column_sums, (1,), [x, np.zeros_like(out)], {1: out}, {"M": 64, "N": 128}, warps=8)


@triton.jit
def merge(mean_a, m2_a, n_a, mean_b, m2_b, n_b):
    n = n_a + n_b
    delta = mean_b - mean_a
    return mean_a + delta * n_b / n, m2_a + m2_b + delta * delta * n_a * n_b / n, n


@triton.jit
def welford(x, out, N: tl.constexpr):
    v = tl.load(x + tl.program_id(0) * N + tl.arange(0, N))
    mean, m2, n = tl.reduce((v, tl.zeros_like(v), tl.full((N,), 1.0, tl.float32)), 0, merge)
    tl.store(out + tl.program_id(0) * 2, mean)
    tl.store(out + tl.program_id(0) * 2 + 1, m2 / n)


@case("triton_welford")
def _(r):
    # All lanes of a warp write their own result to one place; they agree where nothing is rounded.
    x = whole(r, (3, 512))
    out = np.stack([x.mean(1), x.astype(np.float64).var(1)], 1).astype(np.float32)
    return triton_run(welford, (3,), [x, np.zeros_like(out)], {1: out}, {"N": 512}, rtol=1e-4, atol=1e-5)


@triton.jit
def bits(x, out, N: tl.constexpr):
    v = tl.load(x + tl.arange(0, N))
    tl.store(out, tl.xor_sum(v, 0))
    tl.store(out + 1, tl.reduce_or(v, 0))


@case("triton_xor_sum_sm90")
def _(r):
    x = r.integers(0, 2**20, 512).astype(np.int32)
    out = np.array([np.bitwise_xor.reduce(x), np.bitwise_or.reduce(x)], np.int32)
    return triton_run(bits, (1,), [x, np.zeros_like(out)], {1: out}, {"N": 512}, sm=90)


@triton.jit
def sums_before(x, out, REVERSE: tl.constexpr, M: tl.constexpr, N: tl.constexpr):
    at = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    tl.store(out + at, tl.cumsum(tl.load(x + at), 1, reverse=REVERSE))


def scans(name, dtype, reverse):
    @case(f"triton_cumsum_{name}{'_reverse' if reverse else ''}")
    def _(r):
        x = whole(r, (8, 256), dtype)
        out = (x[:, ::-1].cumsum(1, dtype=dtype)[:, ::-1] if reverse else x.cumsum(1, dtype=dtype))
        return triton_run(sums_before, (1,), [x, np.zeros_like(x)], {1: out}, {"REVERSE": reverse, "M": 8, "N": 256})


scans("f32", np.float32, False)
scans("i32", np.int32, True)
scans("i64", np.int64, False)


@triton.jit
def combine(a0, b0, a1, b1):
    return a0 * a1, b0 * a1 + b1


@triton.jit
def recurrence(a, b, out, N: tl.constexpr):
    at = tl.program_id(0) * N + tl.arange(0, N)
    _, h = tl.associative_scan((tl.load(a + at), tl.load(b + at)), 0, combine)
    tl.store(out + at, h)


@case("triton_recurrence")
def _(r):
    a, b = r.random((2, 512)).astype(np.float32), normal(r, (2, 512))
    out, h = np.zeros((2, 512)), np.zeros(2)
    for at in range(512):
        h = h * a[:, at] + b[:, at]
        out[:, at] = h
    out = out.astype(np.float32)
    return triton_run(recurrence, (2,), [a, b, np.zeros_like(out)], {2: out}, {"N": 512}, rtol=1e-4, atol=1e-5)


# Norms


@triton.jit
def softmax(x, out, n, B: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, B)
    v = tl.load(x + row * n + at, at < n, other=-float("inf")).to(tl.float32)
    e = tl.exp(v - tl.max(v))
    tl.store(out + row * n + at, (e / tl.sum(e)).to(out.dtype.element_ty), at < n)


def soft(x):
    e = np.exp(x.astype(np.float64) - x.max(-1, keepdims=True).astype(np.float64))
    return e / e.sum(-1, keepdims=True)


def softmaxes(name, dtype, sm):
    @case(f"triton_softmax_{name}_sm{sm}")
    def _(r):
        x = normal(r, (5, 777), dtype)
        return triton_run(softmax, (5,), [x, np.zeros_like(x), np.int32(777)], {1: soft(x).astype(dtype)}, {"B": 1024},
                          sm=sm, rtol=close(dtype))


softmaxes("f32", np.float32, 80)
softmaxes("f16", np.float16, 75)
softmaxes("bf16", BF16, 90)


@triton.jit
def online_softmax(x, out, n, B: tl.constexpr):
    row = tl.program_id(0)
    m = tl.full((B,), -float("inf"), tl.float32)
    s = tl.zeros((B,), tl.float32)
    for start in range(0, n, B):
        at = start + tl.arange(0, B)
        v = tl.load(x + row * n + at, at < n, other=-1e30)
        top = tl.maximum(m, v)
        s = s * tl.exp(m - top) + tl.exp(v - top)
        m = top
    most = tl.max(m)
    total = tl.sum(s * tl.exp(m - most))
    for start in range(0, n, B):
        at = start + tl.arange(0, B)
        v = tl.load(x + row * n + at, at < n)
        tl.store(out + row * n + at, tl.exp(v - most) / total, at < n)


@case("triton_online_softmax")
def _(r):
    x = normal(r, (3, 1000))
    return triton_run(online_softmax, (3,), [x, np.zeros_like(x), np.int32(1000)], {1: soft(x).astype(np.float32)},
                      {"B": 256}, rtol=2e-5, num_stages=3)


@triton.jit
def layer_norm(x, w, b, out, mean_out, n, eps, B: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, B)
    mask = at < n
    v = tl.load(x + row * n + at, mask, other=0.0, eviction_policy="evict_first").to(tl.float32)
    mean = tl.sum(v) / n
    d = tl.where(mask, v - mean, 0.0)
    inverse = 1 / tl.sqrt(tl.sum(d * d) / n + eps)
    tl.store(mean_out + row, mean)
    y = d * inverse * tl.load(w + at, mask, eviction_policy="evict_last") + tl.load(b + at, mask)
    tl.store(out + row * n + at, y.to(out.dtype.element_ty), mask)


def layer_norms(name, dtype, sm):
    @case(f"triton_layer_norm_{name}")
    def _(r):
        x, w, b = normal(r, (4, 500), dtype), normal(r, 500), normal(r, 500)
        v = x.astype(np.float64)
        mean = v.mean(1)
        y = (v - mean[:, None]) / np.sqrt(v.var(1)[:, None] + 1e-5) * w + b
        return triton_run(layer_norm, (4,), [x, w, b, np.zeros_like(x), np.zeros(4, np.float32), np.int32(500),
                                             np.float32(1e-5)], {3: y.astype(dtype), 4: mean.astype(np.float32)},
                          {"B": 512}, sm=sm, rtol=close(dtype), atol=close(dtype))


layer_norms("f32", np.float32, 80)
layer_norms("f16", np.float16, 90)


@triton.jit
def layer_norm_backward(x, dy, w, mean, inverse, dx, dw, lock, n, GROUPS: tl.constexpr, B: tl.constexpr):
    """Rows add their part of the gradient of the weights to one of several sums, each behind a lock."""
    row, at = tl.program_id(0), tl.arange(0, B)
    mask = at < n
    scale = tl.load(inverse + row)
    v = tl.where(mask, (tl.load(x + row * n + at, mask, other=0.0) - tl.load(mean + row)) * scale, 0.0)
    d = tl.load(dy + row * n + at, mask, other=0.0)
    g = tl.where(mask, d * tl.load(w + at, mask, other=0.0), 0.0)
    tl.store(dx + row * n + at, (g - v * (tl.sum(v * g) / n) - tl.sum(g) / n) * scale, mask)
    lock += row % GROUPS
    part = dw + row % GROUPS * n + at
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    tl.store(part, tl.load(part, mask) + d * v, mask)
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0)


@case("triton_layer_norm_backward")
def _(r):
    rows, n, groups = 12, 100, 4
    x, dy, w = normal(r, (rows, n)), normal(r, (rows, n)), normal(r, n)
    v = x.astype(np.float64)
    mean, inverse = v.mean(1), 1 / np.sqrt(v.var(1) + 1e-5)
    v = (v - mean[:, None]) * inverse[:, None]
    g = w * dy.astype(np.float64)
    dx = (g - v * (v * g).mean(1)[:, None] - g.mean(1)[:, None]) * inverse[:, None]
    dw = (dy * v).reshape(rows // groups, groups, n).sum(0)
    zeros = np.zeros((groups, n), np.float32)
    args = [x, dy, w, mean.astype(np.float32), inverse.astype(np.float32), np.zeros_like(x), zeros]
    return triton_run(layer_norm_backward, (rows,), [*args, np.zeros(groups, np.int32), np.int32(n)],
                      {5: dx.astype(np.float32), 6: dw.astype(np.float32)}, {"GROUPS": groups, "B": 128}, rtol=1e-4, atol=1e-5)


@triton.jit
def rms_norm_rope(x, w, cos, sin, out, N: tl.constexpr):
    row = tl.program_id(0)
    H: tl.constexpr = N // 2
    v = tl.load(x + row * N + tl.arange(0, N)).to(tl.float32)
    v = v * tl.rsqrt(tl.sum(v * v) / N + 1e-6) * tl.load(w + tl.arange(0, N))
    even, odd = tl.split(tl.reshape(v, (H, 2)))
    c = tl.load(cos + row * H + tl.arange(0, H))
    s = tl.load(sin + row * H + tl.arange(0, H))
    y = tl.interleave(even * c - odd * s, even * s + odd * c)
    tl.store(out + row * N + tl.arange(0, N), y.to(tl.bfloat16))


@case("triton_rms_norm_rope")
def _(r):
    n = 128
    x, w = normal(r, (4, n), BF16), normal(r, n)
    angle = r.random((4, n // 2)).astype(np.float32)
    cos, sin = np.cos(angle), np.sin(angle)
    v = x.astype(np.float64)
    v = v / np.sqrt((v * v).mean(1, keepdims=True) + 1e-6) * w
    out = np.empty((4, n))
    out[:, ::2], out[:, 1::2] = v[:, ::2] * cos - v[:, 1::2] * sin, v[:, ::2] * sin + v[:, 1::2] * cos
    return triton_run(rms_norm_rope, (4,), [x, w, cos, sin, np.zeros((4, n), BF16)], {4: out.astype(BF16)}, {"N": n},
                      rtol=1e-2, atol=1e-3)


@triton.jit
def cross_entropy(logits, labels, loss, n, B: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    at = tl.arange(0, B)
    v = tl.load(logits + row * n + at, at < n, other=-float("inf"))
    top = tl.max(v)
    label = tl.load(labels + row)
    tl.store(loss + row, tl.log(tl.sum(tl.exp(v - top))) + top - tl.load(logits + row * n + label))


@case("triton_cross_entropy")
def _(r):
    x, labels = normal(r, (6, 300)), r.integers(0, 300, 6)
    v = x.astype(np.float64)
    loss = (np.log(np.exp(v).sum(1)) - v[np.arange(6), labels]).astype(np.float32)
    return triton_run(cross_entropy, (6,), [x, labels, np.zeros_like(loss), np.int32(300)], {2: loss}, {"B": 512},
                      rtol=1e-5, warps=2)
