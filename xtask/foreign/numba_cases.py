"""Kernels in Numba: arrays with extents and strides as parameters, NVVM's code, libdevice, locals and functions."""

import math
import re

import numpy as np
from numba import complex64, cuda, float32, float64, from_dtype, int8, int16, int32, int64, types, uint8, uint32, uint64
from numba.cuda import libdevice

from case import Case, case, normal, whole

SCALARS = {np.float16: types.float16, np.float32: float32, np.float64: float64, np.int8: int8, np.int16: int16, np.int32: int32,
           np.int64: int64, np.uint8: uint8, np.uint32: uint32, np.uint64: uint64, np.complex64: complex64}


def parameters(arg):
    """What a kernel takes for an argument: of an array, what Numba's launch passes for it."""
    if isinstance(arg, np.generic):
        return [arg], None
    extents = [np.int64(extent) for extent in arg.shape] + [np.int64(stride) for stride in arg.strides]
    return [np.int64(0), np.int64(0), np.int64(arg.size), np.int64(arg.itemsize), arg, *extents], 4


def run(function, grid, block, args, expected, cc=(8, 0), shared=0, rtol=0.0, atol=0.0, fails="", **options):
    ty = [SCALARS[arg.dtype.type] if isinstance(arg, np.generic) else
          types.Array(from_dtype(arg.dtype), arg.ndim, "C", aligned=True) for arg in args]
    ptx, _ = cuda.compile(function, tuple(ty), device=False, abi="numba", cc=cc, output="ptx", **options)
    entry = re.search(r"\.entry (\w+)", ptx)[1]
    passed, places = [], {}
    for at, arg in enumerate(args):
        parts, place = parameters(arg)
        if place is not None:
            places[at] = len(passed) + place
        passed += parts
    return Case(ptx, entry, grid, block, passed, {places[at]: array for at, array in expected.items()}, shared, rtol, atol,
                fails)


# Elementwise


def axpy(a, x, y):
    i = cuda.grid(1)
    if i < x.size:
        y[i] += a * x[i]


def elementwise(name, dtype, cc, quick=False):
    @case(f"numba_axpy_{name}", quick=quick)
    def _(r):
        x, y = whole(r, 300, dtype, 0, 9), whole(r, 300, dtype, 0, 9)
        return run(axpy, (3,), (128,), [dtype(3), x, y], {2: dtype(3) * x + y}, cc=cc)


elementwise("f32", np.float32, (8, 0), quick=True)
elementwise("f64", np.float64, (9, 0))
elementwise("i32", np.int32, (7, 5))
elementwise("i64", np.int64, (8, 6))
elementwise("u8", np.uint8, (9, 0))


def float_functions(x, out):
    i = cuda.grid(1)
    if i < x.size:
        v = x[i]
        out[0, i] = math.sin(v)
        out[1, i] = math.exp(v)
        out[2, i] = math.log(abs(v) + 1)
        out[3, i] = math.pow(abs(v), 1.5)
        out[4, i] = math.atan2(v, v * v + 1)
        out[5, i] = math.tanh(v)
        out[6, i] = math.erf(v)
        out[7, i] = math.fmod(v * 7, 1.5)
        out[8, i] = math.sqrt(abs(v))
        out[9, i] = math.floor(v) - math.ceil(v)
        out[10, i] = math.copysign(2.0, v)
        out[11, i] = math.hypot(v, 1.0)
        out[12, i] = math.asinh(v)
        out[13, i] = math.expm1(v)


def functions(name, dtype, rtol, cc, **options):
    @case(f"numba_functions_{name}", quick=name == "f64")
    def _(r):
        x = normal(r, 200, dtype)
        v = x.astype(np.float64)
        out = np.stack([np.sin(v), np.exp(v), np.log(abs(v) + 1), abs(v) ** 1.5, np.arctan2(v, v * v + 1), np.tanh(v),
                        np.vectorize(math.erf)(v), np.fmod((v * 7) if dtype == np.float64 else (x * dtype(7)).astype(np.float64), 1.5), np.sqrt(abs(v)),
                        np.floor(v) - np.ceil(v), np.copysign(2.0, v), np.hypot(v, 1), np.arcsinh(v), np.expm1(v)])
        return run(float_functions, (2,), (128,), [x, np.zeros_like(out, dtype)], {1: out.astype(dtype)}, cc=cc,
                   rtol=rtol, atol=rtol / 10, **options)


functions("f32", np.float32, 2e-5, (8, 0))
functions("f32_fast", np.float32, 2e-4, (9, 0), fastmath=True)
functions("f64", np.float64, 1e-12, (8, 0))


def integer_functions(x, y, out):
    i = cuda.grid(1)
    if i < x.size:
        a, b = x[i], y[i]
        out[0, i] = a // b
        out[1, i] = a % b
        out[2, i] = cuda.popc(a)
        out[3, i] = cuda.clz(a)
        out[4, i] = cuda.ffs(a)
        out[5, i] = cuda.brev(uint32(a))
        out[6, i] = (a << 3) ^ (a >> 2) | b
        out[7, i] = cuda.selp(a > b, a, b)


def integers(name, dtype):
    @case(f"numba_integers_{name}")
    def _(r):
        bits = dtype(0).nbytes * 8
        info = np.iinfo(dtype)
        a = r.integers(info.min, info.max, 128, dtype=dtype)
        b = r.integers(1, 1000, 128).astype(dtype)
        words = [int(v) & (1 << bits) - 1 for v in a]
        count = [bin(w).count("1") for w in words]
        zeros = [bits - w.bit_length() for w in words]
        first = [(w & -w).bit_length() for w in words]
        back = np.array([int(f"{w & 0xffffffff:032b}"[::-1], 2) for w in words], np.uint64).astype(dtype)
        out = np.stack([a // b, a % b, np.array(count, dtype), np.array(zeros, dtype), np.array(first, dtype), back,
                        (a << 3) ^ (a >> 2) | b, np.where(a > b, a, b)])
        return run(integer_functions, (1,), (128,), [a, b, np.zeros_like(out)], {2: out}, cc=(7, 5))


integers("i32", np.int32)
integers("u32", np.uint32)
integers("i64", np.int64)


def complex_functions(x, out):
    i = cuda.grid(1)
    if i < x.size:
        z = x[i] * x[i] + 1j
        out[i] = z / (x[i] + 2.5) + z.conjugate() * abs(z)


@case("numba_complex")
def _(r):
    x = (r.standard_normal(100) + 1j * r.standard_normal(100)).astype(np.complex64)
    z = x.astype(np.complex128) ** 2 + 1j
    out = (z / (x + 2.5) + z.conj() * abs(z)).astype(np.complex64)
    return run(complex_functions, (1,), (128,), [x, np.zeros_like(out)], {1: out}, rtol=1e-4, atol=1e-4)


# Shared memory


def block_sum(x, out):
    s = cuda.shared.array(128, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t] = x[i] if i < x.size else 0.0
    cuda.syncthreads()
    step = 64
    while step > 0:
        if t < step:
            s[t] += s[t + step]
        cuda.syncthreads()
        step //= 2
    if t == 0:
        cuda.atomic.add(out, 0, s[0])


@case("numba_block_sum")
def _(r):
    x = whole(r, 1000)
    return run(block_sum, (8,), (128,), [x, np.zeros(1, np.float32)], {1: np.array([x.sum()], np.float32)})


def dynamic_reverse(x, out):
    s = cuda.shared.array(0, int32)
    t = cuda.threadIdx.x
    s[t] = x[cuda.grid(1)]
    cuda.syncthreads()
    out[cuda.grid(1)] = s[cuda.blockDim.x - 1 - t]


@case("numba_dynamic_shared")
def _(r):
    x = r.integers(0, 1000, (4, 64)).astype(np.int32)
    out = np.ascontiguousarray(x[:, ::-1]).ravel()
    return run(dynamic_reverse, (4,), (64,), [x.ravel(), np.zeros(256, np.int32)], {1: out}, shared=256)


def tiled_product(a, b, c):
    sa = cuda.shared.array((16, 17), float64)
    sb = cuda.shared.array((16, 17), float64)
    x, y = cuda.grid(2)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    total = 0.0
    for k in range((a.shape[1] + 15) // 16):
        sa[ty, tx] = a[y, k * 16 + tx] if y < a.shape[0] and k * 16 + tx < a.shape[1] else 0.0
        sb[ty, tx] = b[k * 16 + ty, x] if k * 16 + ty < b.shape[0] and x < b.shape[1] else 0.0
        cuda.syncthreads()
        for i in range(16):
            total += sa[ty, i] * sb[i, tx]
        cuda.syncthreads()
    if y < c.shape[0] and x < c.shape[1]:
        c[y, x] = total


@case("numba_tiled_product", quick=True)
def _(r):
    a, b = whole(r, (30, 40), np.float64), whole(r, (40, 20), np.float64)
    return run(tiled_product, (2, 2), (16, 16), [a, b, np.zeros((30, 20))], {2: a @ b})


def transpose(x, out):
    s = cuda.shared.array((32, 33), float32)
    bx, by = cuda.blockIdx.x * 32, cuda.blockIdx.y * 32
    tx = cuda.threadIdx.x
    for j in range(cuda.threadIdx.y, 32, 8):
        if by + j < x.shape[0] and bx + tx < x.shape[1]:
            s[j, tx] = x[by + j, bx + tx]
    cuda.syncthreads()
    for j in range(cuda.threadIdx.y, 32, 8):
        if bx + j < out.shape[0] and by + tx < out.shape[1]:
            out[bx + j, by + tx] = s[tx, j]


@case("numba_transpose")
def _(r):
    x = normal(r, (50, 70))
    return run(transpose, (3, 2), (32, 8), [x, np.zeros((70, 50), np.float32)], {1: np.ascontiguousarray(x.T)})


def blelloch(x, out):
    s = cuda.shared.array(256, int64)
    t = cuda.threadIdx.x
    s[t] = x[t]
    cuda.syncthreads()
    step = 1
    while step < 256:
        at = (t + 1) * step * 2 - 1
        if at < 256:
            s[at] += s[at - step]
        cuda.syncthreads()
        step *= 2
    if t == 0:
        s[255] = 0
    cuda.syncthreads()
    step = 128
    while step > 0:
        at = (t + 1) * step * 2 - 1
        if at < 256:
            left = s[at - step]
            s[at - step] = s[at]
            s[at] += left
        cuda.syncthreads()
        step //= 2
    out[t] = s[t]


@case("numba_exclusive_scan")
def _(r):
    x = r.integers(-99, 99, 256)
    return run(blelloch, (1,), (256,), [x, np.zeros_like(x)], {1: np.concatenate([[0], x.cumsum()[:-1]])})


def bitonic(x):
    s = cuda.shared.array(256, float32)
    t = cuda.threadIdx.x
    s[t] = x[t]
    cuda.syncthreads()
    k = 2
    while k <= 256:
        j = k // 2
        while j > 0:
            other = t ^ j
            if other > t and (s[t] > s[other]) == (t & k == 0):
                s[t], s[other] = s[other], s[t]
            cuda.syncthreads()
            j //= 2
        k *= 2
    x[t] = s[t]


@case("numba_bitonic_sort")
def _(r):
    x = normal(r, 256)
    return run(bitonic, (1,), (256,), [x], {0: np.sort(x)})


def stencil(x, out):
    i, j, k = cuda.grid(3)
    if 0 < i < x.shape[0] - 1 and 0 < j < x.shape[1] - 1 and 0 < k < x.shape[2] - 1:
        out[i, j, k] = (x[i - 1, j, k] + x[i + 1, j, k] + x[i, j - 1, k] + x[i, j + 1, k] + x[i, j, k - 1]
                        + x[i, j, k + 1] - 6 * x[i, j, k])


@case("numba_stencil")
def _(r):
    x = whole(r, (9, 10, 11))
    out = np.zeros_like(x)
    c = x[1:-1, 1:-1, 1:-1]
    out[1:-1, 1:-1, 1:-1] = (x[:-2, 1:-1, 1:-1] + x[2:, 1:-1, 1:-1] + x[1:-1, :-2, 1:-1] + x[1:-1, 2:, 1:-1]
                             + x[1:-1, 1:-1, :-2] + x[1:-1, 1:-1, 2:] - 6 * c)
    return run(stencil, (3, 3, 3), (4, 4, 4), [x, np.zeros_like(x)], {1: out})


# Warps and atomics


def warp_functions(x, out):
    t = cuda.threadIdx.x
    v = x[t]
    total = v
    for offset in (16, 8, 4, 2, 1):
        total += cuda.shfl_xor_sync(0xffffffff, total, offset)
    out[0, t] = total
    out[1, t] = cuda.shfl_up_sync(0xffffffff, v, 1)
    out[2, t] = cuda.shfl_down_sync(0xffffffff, v, 3)
    out[3, t] = cuda.shfl_sync(0xffffffff, v, 5)
    out[4, t] = cuda.ballot_sync(0xffffffff, v > 0) & 0xffff
    out[5, t] = cuda.all_sync(0xffffffff, v > -100)
    out[6, t] = cuda.any_sync(0xffffffff, v > 100)
    out[7, t] = cuda.match_any_sync(0xffffffff, v) & 0xffff
    out[8, t] = cuda.lanemask_lt() & 0xff
    out[9, t] = cuda.laneid
    cuda.syncwarp()


@case("numba_warp_functions", quick=True)
def _(r):
    x = r.integers(-4, 5, 64).astype(np.int32)
    rows = []
    for v in x.reshape(2, 32):
        t = np.arange(32)
        match = [sum(1 << int(j) for j in np.flatnonzero(v == w)) & 0xffff for w in v]
        rows.append(np.stack([np.full(32, v.sum()), np.where(t > 0, v[t - 1], v), np.where(t < 29, v[(t + 3) % 32], v),
                              np.full(32, v[5]), np.full(32, sum(1 << int(j) for j in np.flatnonzero(v > 0)) & 0xffff),
                              np.ones(32), np.zeros(32), match, ((1 << t) - 1) & 0xff, t]))
    out = np.concatenate(rows, 1).astype(np.int32)
    return run(warp_functions, (1,), (64,), [x, np.zeros_like(out)], {1: out}, cc=(8, 0))


def atomics(x, ints, floats, doubles):
    i = cuda.grid(1)
    v = x[i]
    cuda.atomic.add(ints, 0, v)
    cuda.atomic.sub(ints, 1, v)
    cuda.atomic.max(ints, 2, v)
    cuda.atomic.min(ints, 3, v)
    cuda.atomic.and_(ints, 4, v)
    cuda.atomic.or_(ints, 5, v)
    cuda.atomic.xor(ints, 6, v)
    cuda.atomic.inc(ints, 7, 99)
    cuda.atomic.dec(ints, 8, 99)
    cuda.atomic.exch(ints, 9, 5)
    cuda.atomic.cas(ints, 10, 0, 17)
    cuda.atomic.add(floats, 0, float32(v))
    cuda.atomic.max(floats, 1, float32(v))
    cuda.atomic.min(floats, 2, float32(v))
    cuda.atomic.add(doubles, 0, float64(v))
    cuda.atomic.max(doubles, 1, float64(v))
    cuda.atomic.nanmax(doubles, 2, float64(v))


@case("numba_atomics", quick=True)
def _(r):
    x = r.integers(1, 1 << 16, 256).astype(np.uint32)
    ints = np.array([0, 1 << 30, 0, 1 << 30, 0xffffffff, 0, 0, 0, 0, 0, 0], np.uint32)
    after = np.array([x.sum(), (1 << 30) - x.sum(), x.max(), x.min(), np.bitwise_and.reduce(x), np.bitwise_or.reduce(x),
                      np.bitwise_xor.reduce(x), 256 % 100, (0 - 256) % 100, 5, 17], np.uint32)
    floats, doubles = np.array([0, -1, 1e9], np.float32), np.array([0, -1, -1.0])
    return run(atomics, (4,), (64,), [x, ints, floats, doubles],
               {1: after, 2: np.array([x.sum(), x.max(), x.min()], np.float32),
                3: np.array([x.sum(), x.max(), x.max()], np.float64)})


def histogram(x, out):
    s = cuda.shared.array(64, int32)
    t = cuda.threadIdx.x
    if t < 64:
        s[t] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        cuda.atomic.add(s, x[i], 1)
    cuda.syncthreads()
    if t < 64:
        cuda.atomic.add(out, t, s[t])


@case("numba_histogram", quick=True)
def _(r):
    x = r.integers(0, 64, 2000).astype(np.uint8)
    return run(histogram, (3,), (128,), [x, np.zeros(64, np.int32)], {1: np.bincount(x, minlength=64).astype(np.int32)})


def last_block(x, partial, count, out):
    s = cuda.shared.array(1, int32)
    i = cuda.grid(1)
    cuda.atomic.add(partial, cuda.blockIdx.x, x[i])
    cuda.syncthreads()
    cuda.threadfence()
    if cuda.threadIdx.x == 0:
        s[0] = cuda.atomic.add(count, 0, 1)
    cuda.syncthreads()
    if s[0] == cuda.gridDim.x - 1 and cuda.threadIdx.x == 0:
        cuda.threadfence()
        total = 0
        for j in range(cuda.gridDim.x):
            total += cuda.atomic.add(partial, j, 0)
        out[0] = total


@case("numba_last_block")
def _(r):
    x = r.integers(0, 99, 256).astype(np.int32)
    return run(last_block, (4,), (64,), [x, np.zeros(4, np.int32), np.zeros(1, np.int32), np.zeros(1, np.int32)],
               {3: np.array([x.sum()], np.int32)})


# Locals, functions, loops, text


def local_sort(x, out):
    i = cuda.grid(1)
    a = cuda.local.array(8, float32)
    for j in range(8):
        a[j] = x[i, j]
    for j in range(1, 8):
        v, k = a[j], j - 1
        while k >= 0 and a[k] > v:
            a[k + 1] = a[k]
            k -= 1
        a[k + 1] = v
    for j in range(8):
        out[i, j] = a[j]


@case("numba_local_sort")
def _(r):
    x = normal(r, (64, 8))
    return run(local_sort, (2,), (32,), [x, np.zeros_like(x)], {1: np.sort(x, 1)})


TABLE = np.arange(32, dtype=np.float32) ** 2


def constant_table(at, out):
    table = cuda.const.array_like(TABLE)
    i = cuda.grid(1)
    out[i] = table[at[i]]


@case("numba_constants")
def _(r):
    at = r.integers(0, 32, 64).astype(np.int32)
    return run(constant_table, (2,), (32,), [at, np.zeros(64, np.float32)], {1: TABLE[at]})


def collatz(x, out):
    i = cuda.grid(1)
    steps = 0
    for start in range(x[i], x[i] + 2):
        n = start
        while n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            steps += 1
    out[i] = steps


@case("numba_collatz")
def _(r):
    x = r.integers(1, 200, 64)

    def steps(n):
        n, count = int(n), 0
        while n != 1:
            n, count = n // 2 if n % 2 == 0 else 3 * n + 1, count + 1
        return count

    out = np.array([steps(n) + steps(n + 1) for n in x], np.int64)
    return run(collatz, (2,), (32,), [x, np.zeros_like(out)], {1: out})


def n_body(p, v, dt):
    i = cuda.grid(1)
    ax, ay, az = 0.0, 0.0, 0.0
    for j in range(p.shape[0]):
        dx, dy, dz = p[j, 0] - p[i, 0], p[j, 1] - p[i, 1], p[j, 2] - p[i, 2]
        inverse = libdevice.rsqrt(dx * dx + dy * dy + dz * dz + 0.01)
        f = inverse * inverse * inverse
        ax += dx * f
        ay += dy * f
        az += dz * f
    v[i, 0] += ax * dt
    v[i, 1] += ay * dt
    v[i, 2] += az * dt


@case("numba_n_body")
def _(r):
    p, v = r.standard_normal((64, 3)), np.zeros((64, 3))
    d = p[None] - p[:, None]
    f = (d * d).sum(-1, keepdims=True) + 0.01
    return run(n_body, (2,), (32,), [p, v, np.float64(0.125)], {1: (d * f ** -1.5).sum(1) * 0.125}, rtol=1e-9, atol=1e-12)


def prints(x, out):
    i = cuda.grid(1)
    if i < 2:
        print("value", i, x[i])
    out[i] = x[i] + 1


@case("numba_print")
def _(r):
    x = r.integers(0, 9, 32).astype(np.int32)
    return run(prints, (1,), (32,), [x, np.zeros_like(x)], {1: x + 1})


def lines(x, out):
    i = cuda.grid(1)
    out[i + 1] = x[i]


@case("numba_outside")
def _(r):
    x = r.integers(0, 9, 32).astype(np.int32)
    return run(lines, (1,), (32,), [x, np.zeros_like(x)], {}, fails="writes 4 bytes", lineinfo=True)


def game_of_life(cells, out):
    x, y = cuda.grid(2)
    h, w = cells.shape
    if y < h and x < w:
        n = 0
        for dy in range(-1, 2):
            for dx in range(-1, 2):
                if dx != 0 or dy != 0:
                    n += cells[(y + dy) % h, (x + dx) % w]
        out[y, x] = 1 if n == 3 or (n == 2 and cells[y, x] == 1) else 0


@case("numba_game_of_life")
def _(r):
    x = r.integers(0, 2, (20, 24)).astype(np.uint8)
    n = sum(np.roll(x, (dy, dx), (0, 1)) for dy in (-1, 0, 1) for dx in (-1, 0, 1)) - x
    return run(game_of_life, (2, 2), (16, 16), [x, np.zeros_like(x)], {1: ((n == 3) | (n == 2) & (x == 1)).astype(np.uint8)},
               cc=(9, 0))


def polynomials(x, coefficients, out):
    i = cuda.grid(1)
    if i < x.size:
        y = 0.0
        for c in range(coefficients.shape[0] - 1, -1, -1):
            y = cuda.fma(y, x[i], coefficients[c])
        out[i] = y


@case("numba_polynomial")
def _(r):
    x, c = whole(r, 100, np.float64), whole(r, 6, np.float64)
    return run(polynomials, (1,), (128,), [x, c, np.zeros_like(x)], {2: np.polyval(c[::-1], x)})
