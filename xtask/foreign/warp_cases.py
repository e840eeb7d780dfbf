"""Kernels in NVIDIA's Warp: structures by value, adjoints that it derives, small matrices, quaternions, tiles of a block."""

import os
import re
import tempfile

import numpy as np
import warp as wp

from case import Case, case, normal, whole

wp.config.quiet = True
# Tiles are multiplied by Warp's own code, not by a library for devices.
wp.config.enable_mathdx_gemm = False
wp.init()

BLOCK = 64


def array(data, inner=0):
    """What Warp passes for an array: of vectors and matrices, `inner` dimensions belong to the elements."""
    outer = data.ndim - inner
    pad = lambda numbers: [np.int32(number) for number in (*numbers[:outer], *[0] * (4 - outer))]
    return (data, np.int64(0), *pad(data.shape), *pad(data.strides), np.int16(outer), np.int16(0))


def run(kernel, dim, args, expected, block=BLOCK, cc=80, backward=False, inner=None, rtol=0.0, atol=0.0):
    """A launch over `dim`; for the adjoint, `args` are followed by those of the derivatives."""
    inner = inner or {}
    module = kernel.module
    module.options["block_dim"] = block
    with tempfile.TemporaryDirectory() as folder:
        path = wp.compile_aot_module(module, arch=cc, use_ptx=True, module_dir=folder)[0]
        with open(path) as file:
            ptx = file.read().rstrip("\0")
        with open(next(os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".meta"))) as file:
            meta = file.read()
    which = "backward" if backward else "forward"
    entry = re.search(rf"\.entry (\w+_cuda_kernel_{which})\b", ptx)[1]
    shared = re.search(rf'"{entry}_smem_bytes": (\d+)', meta)
    size = int(np.prod(dim))
    bounds = (*[np.int32(extent) for extent in dim], np.int64(size), np.int64(1))
    passed = [arg if isinstance(arg, np.generic) else array(arg, inner.get(at, 0)) for at, arg in enumerate(args)]
    return Case(ptx, entry, (-(-size // block),), (block,), [bounds, *passed], {at + 1: data for at, data in expected.items()},
                int(shared[1]) if shared else 0, rtol, atol)


@wp.kernel(module="unique")
def axpy(a: float, x: wp.array2d(dtype=float), y: wp.array2d(dtype=float)):
    i, j = wp.tid()
    y[i, j] = a * x[i, j] + y[i, j]


@case("warp_axpy")
def _(r):
    x, y = whole(r, (9, 13)), whole(r, (9, 13))
    return run(axpy, (9, 13), [np.float32(3), x, y], {2: 3 * x + y})


@wp.kernel(module="unique")
def polynomial(x: wp.array(dtype=float), c: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    total = float(0.0)
    for k in range(c.shape[0]):
        total = total * x[i] + c[k]
    y[i] = wp.sin(total)


@case("warp_polynomial")
def _(r):
    x, c = normal(r, 100), normal(r, 4)
    y = np.sin(np.polyval(c.astype(np.float64), x))
    return run(polynomial, (100,), [x, c, np.zeros_like(x)], {2: y.astype(np.float32)}, rtol=1e-4, atol=1e-5)


@wp.kernel(module="unique")
def energy(x: wp.array(dtype=wp.vec3), k: wp.array(dtype=float), total: wp.array(dtype=float)):
    i = wp.tid()
    d = wp.length(x[i]) - 1.0
    wp.atomic_add(total, 0, 0.5 * k[i] * d * d)


@case("warp_energy")
def _(r):
    x, k = normal(r, (80, 3)), abs(normal(r, 80))
    d = np.linalg.norm(x.astype(np.float64), axis=1) - 1
    return run(energy, (80,), [x, k, np.zeros(1, np.float32)], {2: np.array([(0.5 * k * d * d).sum()], np.float32)},
               inner={0: 1}, rtol=1e-4)


@case("warp_energy_backward")
def _(r):
    x, k = normal(r, (80, 3)), abs(normal(r, 80))
    length = np.linalg.norm(x.astype(np.float64), axis=1)
    zeros = np.zeros(1, np.float32)
    # Twice the energy is what is derived.
    by_x = 2 * (k * (length - 1) / length)[:, None] * x
    return run(energy, (80,), [x, k, zeros, np.zeros_like(x), np.zeros_like(k), np.full(1, 2, np.float32)],
               {3: by_x.astype(np.float32), 4: ((length - 1) ** 2).astype(np.float32)}, inner={0: 1, 3: 1}, backward=True,
               rtol=1e-4, atol=1e-5)


@wp.kernel(module="unique")
def solve(a: wp.array(dtype=wp.mat33), b: wp.array(dtype=wp.vec3), x: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    x[i] = wp.inverse(a[i]) * b[i]


@case("warp_inverse")
def _(r):
    a, b = normal(r, (70, 3, 3)) + 4 * np.eye(3, dtype=np.float32), normal(r, (70, 3))
    x = np.linalg.solve(a.astype(np.float64), b.astype(np.float64)[..., None])[..., 0]
    return run(solve, (70,), [a, b, np.zeros_like(b)], {2: x.astype(np.float32)}, inner={0: 2, 1: 1, 2: 1}, rtol=1e-3, atol=1e-4)


@wp.kernel(module="unique")
def singular(a: wp.array(dtype=wp.mat33), s: wp.array(dtype=wp.vec3), back: wp.array(dtype=wp.mat33)):
    i = wp.tid()
    u, sigma, v = wp.svd3(a[i])
    s[i] = sigma
    back[i] = u * wp.diag(sigma) * wp.transpose(v)


@case("warp_svd")
def _(r):
    a = normal(r, (40, 3, 3))
    s = np.linalg.svd(a.astype(np.float64), compute_uv=False)
    # The last one takes the sign of the determinant.
    s[:, 2] *= np.sign(np.linalg.det(a.astype(np.float64)))
    return run(singular, (40,), [a, np.zeros((40, 3), np.float32), np.zeros_like(a)], {1: s.astype(np.float32), 2: a},
               inner={0: 2, 1: 1, 2: 2}, rtol=1e-3, atol=1e-4)


@wp.kernel(module="unique")
def turn(q: wp.array(dtype=wp.quat), x: wp.array(dtype=wp.vec3), y: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    y[i] = wp.quat_rotate(wp.normalize(q[i]), x[i])


@case("warp_quaternions")
def _(r):
    q, x = normal(r, (90, 4)), normal(r, (90, 3))
    unit = q.astype(np.float64) / np.linalg.norm(q, axis=1, keepdims=True)
    v, w = unit[:, :3], unit[:, 3:]
    y = x + 2 * np.cross(v, np.cross(v, x) + w * x)
    return run(turn, (90,), [q, x, np.zeros_like(x)], {2: y.astype(np.float32)}, inner={0: 1, 1: 1, 2: 1}, rtol=1e-4, atol=1e-5)


@wp.kernel(module="unique")
def dice(seed: int, out: wp.array(dtype=wp.uint32)):
    i = wp.tid()
    state = wp.rand_init(seed, i)
    for _ in range(3):
        out[i] = wp.randu(state)


@case("warp_random")
def _(r):
    def mix(state):
        state = (state * 747796405 + 2891336453) % 2**32
        word = ((state >> (state >> 28) + 4) ^ state) * 277803737 % 2**32
        return (word >> 22) ^ word

    out = []
    for i in range(100):
        state = mix((7 + mix(i)) % 2**32)
        for _ in range(3):
            state = mix(state)
        out.append(state)
    return run(dice, (100,), [np.int32(7), np.zeros(100, np.uint32)], {1: np.array(out, np.uint32)})


N = wp.constant(100)
SIDE = wp.constant(16)


@wp.kernel(module="unique")
def tile_totals(x: wp.array2d(dtype=float), total: wp.array2d(dtype=float), most: wp.array2d(dtype=float)):
    row, _ = wp.tid()
    tile = wp.tile_load(x[row], shape=N)
    wp.tile_store(total[row], wp.tile_sum(tile))
    wp.tile_store(most[row], wp.tile_max(tile))


def tile_totals_by(block):
    @case(f"warp_tile_totals_{block}")
    def _(r):
        x = whole(r, (5, 100))
        return run(tile_totals, (5, block), [x, np.zeros((5, 1), np.float32), np.zeros((5, 1), np.float32)],
                   {1: x.sum(1, keepdims=True), 2: x.max(1, keepdims=True)}, block=block)


tile_totals_by(128)
# The last warp has fewer lanes than others.
tile_totals_by(48)


@wp.kernel(module="unique")
def tile_order(keys: wp.array2d(dtype=int), values: wp.array2d(dtype=int), sums: wp.array2d(dtype=int)):
    row, _ = wp.tid()
    key = wp.tile_load(keys[row], shape=N, storage="shared")
    value = wp.tile_load(values[row], shape=N, storage="shared")
    wp.tile_sort(key, value)
    wp.tile_store(keys[row], key)
    wp.tile_store(values[row], value)
    wp.tile_store(sums[row], wp.tile_scan_inclusive(value))


@case("warp_tile_sort")
def _(r):
    keys = np.stack([r.permutation(1000)[:100] for _ in range(3)]).astype(np.int32)
    values = r.integers(-99, 99, (3, 100)).astype(np.int32)
    order = np.argsort(keys, 1)
    sorted_values = np.take_along_axis(values, order, 1)
    return run(tile_order, (3, BLOCK), [keys, values, np.zeros_like(keys)],
               {0: np.sort(keys, 1), 1: sorted_values, 2: np.cumsum(sorted_values, 1, dtype=np.int32)})


@wp.kernel(module="unique")
def tile_product(a: wp.array2d(dtype=float), b: wp.array2d(dtype=float), c: wp.array2d(dtype=float)):
    i, j, _ = wp.tid()
    total = wp.tile_zeros(shape=(SIDE, SIDE), dtype=float)
    for k in range(a.shape[1] // SIDE):
        x = wp.tile_load(a, shape=(SIDE, SIDE), offset=(i * SIDE, k * SIDE))
        y = wp.tile_load(b, shape=(SIDE, SIDE), offset=(k * SIDE, j * SIDE))
        wp.tile_matmul(x, y, total)
    wp.tile_store(c, total, offset=(i * SIDE, j * SIDE))


@case("warp_tile_product")
def _(r):
    a, b = whole(r, (32, 48)), whole(r, (48, 32))
    return run(tile_product, (2, 2, BLOCK), [a, b, np.zeros((32, 32), np.float32)], {2: a @ b})


@case("warp_tile_product_backward")
def _(r):
    a, b, g = whole(r, (32, 48)), whole(r, (48, 32)), whole(r, (32, 32))
    return run(tile_product, (2, 2, BLOCK), [a, b, np.zeros_like(g), np.zeros_like(a), np.zeros_like(b), g],
               {3: g @ b.T, 4: a.T @ g}, backward=True)
