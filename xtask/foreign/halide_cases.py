"""Kernels of Halide: its schedules of blocks and threads, memory that a block shares, atomic updates, narrow integers."""

import os
import re
import tempfile

import halide as hl
import numpy as np

from case import Case, case, normal, whole

# Extents are known, so that a kernel takes its buffers and nothing else.
TARGET = hl.Target("x86-64-linux-cuda-cuda_capability_80-no_asserts-no_bounds_query-no_runtime")
TYPES = {"float32": hl.Float(32), "float64": hl.Float(64), "float16": hl.Float(16), "int8": hl.Int(8), "uint8": hl.UInt(8),
         "int16": hl.Int(16), "uint16": hl.UInt(16), "int32": hl.Int(32), "uint32": hl.UInt(32)}
X, Y, XO, YO, XI, YI = (hl.Var(name) for name in ("x", "y", "xo", "yo", "xi", "yi"))


def bounded(parameter, shape):
    stride = 1
    for at, extent in enumerate(shape[::-1]):
        parameter.dim(at).set_bounds(0, extent).set_stride(stride)
        stride *= extent


def run(compute, inputs, expected, grid, workgroup, shared=0, updates=False, rtol=0.0, atol=0.0):
    """The last kernel of a function of the inputs. It takes the output last, or first if it also reads that."""
    parameters = []
    for at, array in enumerate(inputs):
        parameters.append(hl.ImageParam(TYPES[array.dtype.name], array.ndim, f"in{at}"))
        bounded(parameters[-1], array.shape)
    out = hl.Func("out")
    compute(out, *parameters)
    bounded(out.output_buffer(), expected.shape)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "k.s")
        out.compile_to_assembly(path, parameters, "k", TARGET)
        with open(path) as file:
            text = re.search(r'\.asciz\t"((?:[^"\\]|\\.)*NVPTX(?:[^"\\]|\\.)*)"', file.read())[1]
    ptx = text.encode().decode("unicode_escape")
    entry = re.findall(r"\.entry (\w+)", ptx)[-1]
    args = list(inputs)
    place = 0 if updates else len(inputs)
    args.insert(place, np.zeros_like(expected))
    return Case(ptx, entry, grid, workgroup, args, {place: expected}, shared, rtol, atol)


@case("halide_blur", quick=True)
def _(r):
    image = whole(r, (48, 64))

    def blur(out, image):
        rows = hl.Func("rows")
        at = hl.BoundaryConditions.repeat_edge(image)
        rows[X, Y] = at[X - 1, Y] + 2 * at[X, Y] + at[X + 1, Y]
        out[X, Y] = rows[X, Y - 1] + 2 * rows[X, Y] + rows[X, Y + 1]
        out.gpu_tile(X, Y, XO, YO, XI, YI, 16, 8)
        rows.compute_at(out, XO).gpu_threads(X, Y)

    wide = np.pad(image, 1, mode="edge")
    rows = wide[:, :-2] + 2 * wide[:, 1:-1] + wide[:, 2:]
    # A tile of the rows, with one above it and one below.
    return run(blur, [image], rows[:-2] + 2 * rows[1:-1] + rows[2:], (4, 6), (16, 10), 16 * 10 * 4)


@case("halide_product")
def _(r):
    a, b = whole(r, (48, 64)), whole(r, (64, 32))

    def product(out, a, b):
        total, k = hl.Func("total"), hl.RDom([(0, 64)])
        total[X, Y] = 0.0
        total[X, Y] += a[k, Y] * b[X, k]
        out[X, Y] = total[X, Y]
        out.gpu_tile(X, Y, XO, YO, XI, YI, 16, 16)
        total.compute_at(out, XO).gpu_threads(X, Y).update().gpu_threads(X, Y)

    return run(product, [a, b], a @ b, (2, 3), (16, 16), 1024)


@case("halide_histogram")
def _(r):
    x = r.integers(0, 16, 256).astype(np.uint8)

    def histogram(out, x):
        at, outer, inner = hl.RDom([(0, 256)]), hl.RVar("outer"), hl.RVar("inner")
        out[X] = 0
        out[hl.clamp(hl.cast(hl.Int(32), x[at]), 0, 15)] += 1
        out.update().atomic().gpu_tile(at.x, outer, inner, 64)

    return run(histogram, [x], np.bincount(x, minlength=16).astype(np.int32), (4,), (64,), updates=True)


def elementwise(name, compute, dtypes, expected, rtol=0.0, atol=0.0):
    @case(f"halide_{name}")
    def _(r):
        inputs = []
        for dtype in dtypes:
            if np.dtype(dtype).kind == "f":
                inputs.append(normal(r, 128, dtype))
            else:
                info = np.iinfo(dtype)
                inputs.append(r.integers(info.min, info.max, 128, dtype, endpoint=True))

        def function(out, *parameters):
            out[X] = compute(*[parameter[X] for parameter in parameters])
            out.gpu_tile(X, XO, XI, 32)

        return run(function, inputs, expected(*inputs), (4,), (32,), rtol=rtol, atol=atol)


def saturated(a, b):
    return np.clip(a.astype(np.int32) + b, -128, 127).astype(np.int8)


elementwise("functions", lambda x: hl.sin(x) + hl.exp(x) * hl.atan2(x, x * x + 1), [np.float32],
            lambda x: np.sin(x) + np.exp(x) * np.arctan2(x, x * x + 1), rtol=1e-4, atol=1e-5)
elementwise("doubles", lambda x: hl.pow(hl.abs(x), 1.5) + hl.floor(x), [np.float64],
            lambda x: np.abs(x) ** 1.5 + np.floor(x), rtol=1e-9)
elementwise("halves", lambda x: x * x + x, [np.float16], lambda x: (x * x + x).astype(np.float16), rtol=2e-3, atol=1e-3)
elementwise("saturating", lambda a, b: hl.saturating_add(a, b), [np.int8, np.int8], saturated)
elementwise("differences", lambda a, b: hl.absd(a, b), [np.uint16, np.uint16],
            lambda a, b: abs(a.astype(np.int32) - b).astype(np.uint16))
elementwise("averages", lambda a, b: hl.rounding_halving_add(a, b), [np.uint8, np.uint8],
            lambda a, b: ((a.astype(np.int32) + b + 1) // 2).astype(np.uint8))
elementwise("high_halves", lambda a, b: hl.mul_shift_right(a, b, 15), [np.int16, np.int16],
            lambda a, b: np.clip(a.astype(np.int64) * b >> 15, -32768, 32767).astype(np.int16))
# Remainders are not negative, whatever the signs are.
elementwise("divisions", lambda a, b: a / (b | 1) - a % (b | 1), [np.int16, np.int16],
            lambda a, b: (a // abs(b | 1) * np.sign(b | 1) - a % abs(b | 1)).astype(np.int16))
