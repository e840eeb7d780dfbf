"""Kernels that tinygrad's own writer of PTX makes of expressions: tensor cores, reductions with tiles, indices, all integers."""

import os

import numpy as np

# Kernels are compiled for this target; no device is opened, and what was compiled before is not looked for.
TARGET = "CUDA:PTX:sm_80"
os.environ |= {"DEV": TARGET, "CACHELEVEL": "0"}

from tinygrad import Tensor, dtypes
from tinygrad.codegen import to_program
from tinygrad.helpers import Target
from tinygrad.renderer.ptx import PTXRenderer
from tinygrad.uop.ops import Ops

from case import Case, case, normal, whole

RENDERER = PTXRenderer(Target.parse(TARGET))


def run(compute, inputs, expected, rtol=0.0, atol=0.0):
    """The one kernel of an expression of tensors."""
    tensors = [Tensor.empty(*array.shape, dtype=getattr(dtypes, array.dtype.name), device="CUDA") for array in inputs]
    buffers = {tensor.uop.base: array for tensor, array in zip(tensors, inputs)}
    calls = compute(*tensors).schedule_linear().src
    assert len(calls) == 1, f"the expression becomes {len(calls)} kernels"
    program = to_program(calls[0].src[0], RENDERER)
    info = program.arg
    ptx = next(part.arg for part in program.src if part.op is Ops.BINARY).decode()
    args = [buffers[part.base] if part.base in buffers else np.zeros_like(expected) for part in calls[0].src[1:]]
    args = [args[at] for at in info.globals]
    return Case(ptx, info.function_name, info.global_size, info.local_size, args,
                {info.globals.index(at): expected for at in info.outs}, rtol=rtol, atol=atol)


@case("tinygrad_elementwise", quick=True)
def _(r):
    x, y = normal(r, (33, 20)), normal(r, 20)
    chosen = np.where((x > 0) & (y < 1), np.exp(x * y), x - y).astype(np.float32)
    return run(lambda x, y: ((x > 0) & (y < 1)).where((x * y).exp(), x - y), [x, y], chosen, rtol=1e-5)


@case("tinygrad_sines")
def _(r):
    x = (100 * normal(r, 400)).astype(np.float32)
    return run(lambda x: x.sin(), [x], np.sin(x.astype(np.float64)).astype(np.float32), rtol=1e-4, atol=1e-5)


@case("tinygrad_row_sums")
def _(r):
    x = whole(r, (16, 1024))
    return run(lambda x: x.square().sum(1), [x], (x * x).sum(1))


@case("tinygrad_column_maxima")
def _(r):
    x = normal(r, (300, 48))
    return run(lambda x: x.max(0), [x], x.max(0))


def product(name, dtype, quick=False):
    @case(f"tinygrad_product_{name}", quick=quick)
    def _(r):
        a, b = whole(r, (64, 96), dtype), whole(r, (96, 128), dtype)
        c = np.maximum(a.astype(np.float32) @ b.astype(np.float32), 0)
        return run(lambda a, b: a.matmul(b, dtype=dtypes.float).relu(), [a, b], c)


product("f16", np.float16, quick=True)
product("f32", np.float32)


@case("tinygrad_convolution")
def _(r):
    x, w = whole(r, (2, 3, 12, 12)), whole(r, (5, 3, 3, 3))
    windows = np.lib.stride_tricks.sliding_window_view(x, (3, 3), (2, 3))
    return run(lambda x, w: x.conv2d(w), [x, w], np.einsum("nchwij,ocij->nohw", windows, w).astype(np.float32))


@case("tinygrad_gather")
def _(r):
    x, rows = normal(r, (40, 24)), r.integers(0, 40, 17).astype(np.int32)
    return run(lambda x, rows: x[rows].flip(1).contiguous(), [x, rows], x[rows][:, ::-1].copy())


@case("tinygrad_padding")
def _(r):
    x = normal(r, (13, 17))
    return run(lambda x: x.pad(((2, 1), (0, 3))).transpose().contiguous(), [x], np.pad(x, ((2, 1), (0, 3))).T.copy())


def integers(dtype):
    @case(f"tinygrad_integers_{np.dtype(dtype).name}")
    def _(r):
        info = np.iinfo(dtype)
        x, y = r.integers(info.min, info.max, 200, dtype, endpoint=True), r.integers(1, 100, 200).astype(dtype)
        return run(lambda x, y: (x // y) * 3 + x % y - (x ^ (x >> 2)).maximum(y), [x, y],
                   ((x // y) * dtype(3) + x % y - np.maximum(x ^ (x >> dtype(2)), y)).astype(dtype))


for dtype in [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64]:
    integers(dtype)


@case("tinygrad_conversions")
def _(r):
    x = normal(r, 500, np.float16)
    return run(lambda x: (x.float() * 20).cast(dtypes.int8).cast(dtypes.half) + x, [x],
               (x.astype(np.float32) * 20).astype(np.int8).astype(np.float16) + x, atol=1e-2)
