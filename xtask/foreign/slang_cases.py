"""Kernels in Slang, whose compiler writes CUDA C++; NVCC compiles that."""

import ctypes
import functools
import glob
import os
import subprocess
import tempfile

import numpy as np
import slangpy

from case import Case, case, normal, whole
from cuda_packages import found

NVCC = found("bin/nvcc")
SLANG = ctypes.CDLL(glob.glob(os.path.join(os.path.dirname(slangpy.__file__), "libslang-compiler.so*"))[0])
# From `slang.h`.
CUDA_SOURCE, SLANG_LANGUAGE, COMPUTE = 17, 1, 6


def pointer(function, *args):
    function.restype = ctypes.c_void_p
    return ctypes.c_void_p(function(*args))


@functools.cache
def compiled(source, entry, cc):
    session = pointer(SLANG.spCreateSession, None)
    request = pointer(SLANG.spCreateCompileRequest, session)
    SLANG.spSetCodeGenTarget(request, CUDA_SOURCE)
    unit = SLANG.spAddTranslationUnit(request, SLANG_LANGUAGE, b"k")
    SLANG.spAddTranslationUnitSourceString(request, unit, b"k.slang", source.encode())
    at = SLANG.spAddEntryPoint(request, unit, entry.encode(), COMPUTE)
    SLANG.spGetDiagnosticOutput.restype = SLANG.spGetEntryPointSource.restype = ctypes.c_char_p
    if SLANG.spCompile(request):
        raise RuntimeError(SLANG.spGetDiagnosticOutput(request).decode())
    text = SLANG.spGetEntryPointSource(request, at)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "k.cu")
        with open(path, "wb") as file:
            file.write(text)
        command = [NVCC, "-ptx", "-std=c++17", f"-arch=sm_{cc}", "-w", "-DSLANG_CUDA_ENABLE_HALF=1", "-I",
                   found("include/cccl"), path, "-o", path + ".ptx"]
        ran = subprocess.run(command, capture_output=True, text=True)
        if ran.returncode:
            raise RuntimeError(ran.stdout + ran.stderr)
        with open(path + ".ptx") as file:
            return file.read()


def run(source, entry, grid, block, args, expected, cc="80", rtol=0.0, atol=0.0):
    source = f'[shader("compute")]\n[numthreads({block}, 1, 1)]\n{source}' if "[shader" not in source else source
    return Case(compiled(source, entry, cc), entry, (grid,), (block,), args, expected, rtol=rtol, atol=atol)


def buffer(array):
    """A structured buffer is a pointer with a number of elements."""
    return array, np.int64(len(array))


SUMS = """
groupshared float tile[64];
[shader("compute")]
[numthreads(64, 1, 1)]
void sums(uint3 at : SV_GroupThreadID, uint3 group : SV_GroupID, uniform float* x, uniform float* y, uniform uint n)
{
    uint i = at.x + group.x * 64;
    tile[at.x] = i < n ? x[i] : 0;
    GroupMemoryBarrierWithGroupSync();
    for (uint step = 32; step > 0; step >>= 1) {
        if (at.x < step) tile[at.x] += tile[at.x + step];
        GroupMemoryBarrierWithGroupSync();
    }
    if (at.x == 0) y[group.x] = tile[0];
}
"""


@case("slang_sums")
def _(r):
    x = whole(r, 150)
    out = np.add.reduceat(x, [0, 64, 128])
    return run(SUMS, "sums", 3, 64, [x, np.zeros_like(out), np.uint32(150)], {1: out})


WAVES = """
void waves(uint3 at : SV_DispatchThreadID, uniform int* x, uniform int* y)
{
    uint i = at.x;
    int v = x[i];
    y[i] = WaveActiveSum(v);
    y[i + 64] = WavePrefixSum(v);
    y[i + 128] = WaveActiveMax(v);
    y[i + 192] = WaveReadLaneAt(v, i ^ 5);
    y[i + 256] = countbits(WaveActiveBallot(v > 0).x);
    y[i + 320] = WaveIsFirstLane() ? 1 : 0;
    if (v > 0)
        y[i + 384] = WaveActiveSum(v) + WaveActiveCountBits(v > 2);
    else
        y[i + 384] = WaveActiveMin(v) - WavePrefixCountBits(v < -1);
}
"""


@case("slang_waves")
def _(r):
    x = r.integers(-4, 5, (2, 32)).astype(np.int32)
    lanes = np.arange(32)
    positive = np.array([(row * (row > 0)).sum() + (row > 2).sum() for row in x])[:, None]
    small = np.cumsum((x < -1) & (x <= 0), 1) - ((x < -1) & (x <= 0))
    least = np.array([row[row <= 0].min() for row in x])[:, None]
    out = [np.repeat(x.sum(1), 32), (x.cumsum(1) - x).ravel(), np.repeat(x.max(1), 32), x[:, lanes ^ 5].ravel(),
           np.repeat((x > 0).sum(1), 32), np.tile(lanes == 0, 2), np.where(x > 0, positive, least - small).ravel()]
    out = np.concatenate(out).astype(np.int32)
    return run(WAVES, "waves", 2, 32, [x, np.zeros_like(out)], {1: out})


COUNTS = """
void counts(uint3 at : SV_DispatchThreadID, uniform RWStructuredBuffer<uint> x, uniform RWStructuredBuffer<uint> bins)
{
    uint n, stride;
    x.GetDimensions(n, stride);
    if (at.x >= n) return;
    uint before;
    InterlockedAdd(bins[x[at.x] % 16], 1, before);
    InterlockedMax(bins[16], x[at.x]);
    InterlockedOr(bins[17], 1u << (x[at.x] & 31));
}
"""


@case("slang_counts")
def _(r):
    x = r.integers(0, 1000, 200).astype(np.uint32)
    bins = np.concatenate([np.bincount(x % 16, minlength=16), [x.max(), np.bitwise_or.reduce(np.uint32(1) << (x & 31))]])
    return run(COUNTS, "counts", 4, 64, [buffer(x), buffer(np.zeros(18, np.uint32))], {1: bins.astype(np.uint32)})


GRADIENT = """
[Differentiable]
float curve(float a, float b)
{
    float sum = 0;
    [MaxIters(4)]
    for (int i = 0; i < 4; i++)
        sum += sin(a * i) * exp(b / (i + 1));
    return sum;
}
[shader("compute")]
[numthreads(32, 1, 1)]
void gradient(uint3 at : SV_DispatchThreadID, uniform float* a, uniform float* b, uniform float* out)
{
    var da = diffPair(a[at.x]);
    var db = diffPair(b[at.x]);
    bwd_diff(curve)(da, db, 1.0);
    out[at.x] = curve(a[at.x], b[at.x]);
    out[at.x + 64] = da.d;
    out[at.x + 128] = db.d;
}
"""


@case("slang_gradient")
def _(r):
    a, b = normal(r, 64), normal(r, 64)
    i = np.arange(4)
    a2, b2 = a[:, None].astype(np.float64), b[:, None].astype(np.float64)
    parts = np.sin(a2 * i) * np.exp(b2 / (i + 1)), i * np.cos(a2 * i) * np.exp(b2 / (i + 1)), \
        np.sin(a2 * i) * np.exp(b2 / (i + 1)) / (i + 1)
    out = np.concatenate([part.sum(1) for part in parts]).astype(np.float32)
    return run(GRADIENT, "gradient", 2, 32, [a, b, np.zeros_like(out)], {2: out}, rtol=1e-4, atol=1e-5)


SHAPES = """
interface IShape { float area(); float2 far(float2 way); }
struct Disc : IShape { float r; float area() { return 3.14159265f * r * r; } float2 far(float2 way) { return normalize(way) * r; } }
struct Box : IShape { float2 size; float area() { return size.x * size.y; } float2 far(float2 way) { return sign(way) * size * 0.5f; } }
float3 measure<S : IShape>(S shape, float2 way) { return float3(shape.area(), shape.far(way)); }
[shader("compute")]
[numthreads(32, 1, 1)]
void shapes(uint3 at : SV_DispatchThreadID, uniform float4* x, uniform float3* out, uniform float4x4 turn, uniform half* small)
{
    float4 v = mul(turn, x[at.x]);
    Disc disc = { v.x };
    Box box = { v.xy };
    out[at.x] = at.x % 2 == 0 ? measure(disc, v.zw) : measure(box, v.zw);
    half h = half(v.w);
    small[at.x] = h * h + half(1);
}
"""


@case("slang_shapes")
def _(r):
    x, turn = normal(r, (32, 4)), normal(r, (4, 4))
    v = x @ turn.T
    size, way = v[:, :2], v[:, 2:]
    disc = np.concatenate([np.pi * v[:, :1] ** 2, way / np.linalg.norm(way, axis=1, keepdims=True) * v[:, :1]], 1)
    box = np.concatenate([size[:, :1] * size[:, 1:], np.sign(way) * size / 2], 1)
    out = np.where(np.arange(32)[:, None] % 2 == 0, disc, box).astype(np.float32)
    half = v[:, 3].astype(np.float16)
    matrix = tuple(turn.ravel())
    return run(SHAPES, "shapes", 1, 32, [x, np.zeros_like(out), matrix, np.zeros(32, np.float16)],
               {1: out, 3: half * half + np.float16(1)}, rtol=1e-3, atol=1e-3)


WIDE = """
uint64_t mix(uint64_t x) { x ^= x >> 33; x *= 0xff51afd7ed558ccdULL; x ^= x >> 29; return x; }
[shader("compute")]
[numthreads(64, 1, 1)]
void wide(uint3 at : SV_DispatchThreadID, uniform uint64_t* x, uniform double* out, uniform int64_t k)
{
    uint64_t v = x[at.x];
    for (int i = 0; i < int(v & 7); i++) v = mix(v);
    x[at.x] = v;
    switch (uint(v % 5)) {
    case 0: out[at.x] = double(int64_t(v) / k); break;
    case 1: out[at.x] = sqrt(double(v)); break;
    case 2: out[at.x] = double(countbits(uint(v))); break;
    default: out[at.x] = double(firstbithigh(uint(v >> 33))) - double(reversebits(uint(v)) & 255); break;
    }
}
"""


@case("slang_wide")
def _(r):
    x = r.integers(0, 2**63, 64).astype(np.uint64)
    v, out = [], []
    for n in map(int, x):
        steps = 0
        while steps < n & 7:
            n ^= n >> 33
            n = n * 0xFF51AFD7ED558CCD & (1 << 64) - 1
            n ^= n >> 29
            steps += 1
        v.append(n)
        signed = n - (1 << 64) if n >> 63 else n
        low = n & 0xFFFFFFFF
        if n % 5 == 0:
            out.append(float(int(abs(signed) // 77) * (-1 if signed < 0 else 1)))
        elif n % 5 == 1:
            out.append(float(n) ** 0.5)
        elif n % 5 == 2:
            out.append(float(low.bit_count()))
        else:
            out.append(float((n >> 33).bit_length() - 1 - (int(f"{low:032b}"[::-1], 2) & 255)))
    return run(WIDE, "wide", 1, 64, [x, np.zeros(64), np.int64(77)], {0: np.array(v, np.uint64), 1: np.array(out)}, rtol=1e-15)


PRODUCT = """
groupshared float left[16][17];
groupshared float right[16][17];
[shader("compute")]
[numthreads(256, 1, 1)]
void product(uint3 at : SV_GroupThreadID, uint3 group : SV_GroupID, uniform float* a, uniform float* b, uniform float* c, uniform int n)
{
    uint row = at.x / 16, column = at.x % 16;
    uint y = group.x / (n / 16) * 16 + row, x = group.x % (n / 16) * 16 + column;
    float sum = 0;
    for (int k = 0; k < n; k += 16) {
        left[row][column] = a[y * n + k + column];
        right[row][column] = b[(k + row) * n + x];
        GroupMemoryBarrierWithGroupSync();
        [unroll]
        for (int i = 0; i < 16; i++) sum += left[row][i] * right[i][column];
        GroupMemoryBarrierWithGroupSync();
    }
    c[y * n + x] = sum;
}
"""


@case("slang_product")
def _(r):
    a, b = whole(r, (48, 48)), whole(r, (48, 48))
    return run(PRODUCT, "product", 9, 256, [a, b, np.zeros_like(a), np.int32(48)], {2: a @ b}, "90")
