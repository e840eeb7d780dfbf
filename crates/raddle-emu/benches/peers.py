"""Prints what peers take for a 512x512x128 matmul, in milliseconds: NumPy's float32, and Triton's interpreter on the
same 64x64x32 tiles as `matmul.mlir`.

Triton's interpreter runs each operation on a whole tile with NumPy: no lanes, no shared memory, no barriers.
"""

import os
import sys
import time

os.environ["TRITON_INTERPRET"] = "1"

import numpy

M, N, K = 512, 512, 128


def least(run, times):
    def once():
        start = time.perf_counter()
        run()
        return time.perf_counter() - start

    return min(once() for _ in range(times)) * 1e3


def numpy_matmul():
    a, b = numpy.ones((M, K), numpy.float32), numpy.ones((K, N), numpy.float32)
    return least(lambda: a @ b, 50)


class Array:
    """What the interpreter asks of a tensor: an address, a type, and to be on the host already."""

    def __init__(self, data):
        self.data, self.dtype = data, {"float16": "fp16", "float32": "fp32"}[data.dtype.name]

    def data_ptr(self):
        return self.data.ctypes.data

    def same(self, *_, **__):
        return self

    untyped_storage = cpu = new_empty = same

    def nothing(self, *_):
        return 0

    set_ = storage_offset = size = stride = copy_ = nothing


def triton_matmul():
    import triton
    import triton.language as tl

    @triton.jit
    def matmul(a, b, c, K: tl.constexpr, N: tl.constexpr):
        rows = tl.program_id(1) * 64 + tl.arange(0, 64)
        columns = tl.program_id(0) * 64 + tl.arange(0, 64)
        acc = tl.zeros((64, 64), dtype=tl.float32)
        for k in range(0, K, 32):
            depth = k + tl.arange(0, 32)
            x = tl.load(a + rows[:, None] * K + depth[None, :])
            y = tl.load(b + depth[:, None] * N + columns[None, :])
            acc = tl.dot(x, y, acc)
        tl.store(c + rows[:, None] * N + columns[None, :], acc)

    a = numpy.random.default_rng(0).standard_normal((M, K)).astype(numpy.float16)
    b = numpy.random.default_rng(1).standard_normal((K, N)).astype(numpy.float16)
    c = numpy.zeros((M, N), numpy.float32)
    took = least(lambda: matmul[(N // 64, M // 64)](Array(a), Array(b), Array(c), K, N), 5)
    want = a.astype(numpy.float32) @ b.astype(numpy.float32)
    assert numpy.allclose(c, want, atol=1e-3), "Triton's interpreter gives another product"
    return took


print(f"numpy {numpy_matmul():.4f}")
if "--triton" in sys.argv:
    print(f"triton {triton_matmul():.3f}")
