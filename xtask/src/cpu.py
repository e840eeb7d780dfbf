"""Products of matrices by native code beside NumPy, each on one thread, interleaved: the best and the median time.

Arguments: the raddle program, a linker (ld.lld), a folder for what is made.
"""

import ctypes
import os
import subprocess
import sys
import time

os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy as np

SIZES = [(512, 512, 512), (1024, 1024, 1024), (2048, 2048, 2048), (1000, 333, 777)]
ROUNDS, REPEATS = 8, 2

PROGRAM = """func.func @matmul(%a: tensor<{m}x{k}xf32>, %b: tensor<{k}x{n}xf32>) -> tensor<{m}x{n}xf32> {{
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<{m}x{n}xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>
  %c = linalg.matmul ins(%a, %b : tensor<{m}x{k}xf32>, tensor<{k}x{n}xf32>)
                     outs(%f : tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>
  return %c : tensor<{m}x{n}xf32>
}}"""


def aligned(shape):
    """An array that begins at a multiple of 64 bytes."""
    size = int(np.prod(shape)) * 4
    memory = np.empty(size + 64, np.uint8)
    start = -memory.ctypes.data % 64
    return memory[start : start + size].view(np.float32).reshape(shape)


def timed(call):
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def measure(raddle, linker, folder, m, n, k):
    base = os.path.join(folder, f"matmul_{m}_{n}_{k}")
    with open(base + ".mlir", "w") as file:
        file.write(PROGRAM.format(m=m, n=n, k=k))
    subprocess.check_call([raddle, "build", base + ".mlir", "--target=host", "-o", base + ".o"])
    subprocess.check_call([linker, "-shared", base + ".o", "-o", base + ".so"])
    function = ctypes.CDLL(base + ".so").matmul
    random = np.random.default_rng(0)
    a, b, c, want = aligned((m, k)), aligned((k, n)), aligned((m, n)), aligned((m, n))
    a[:], b[:] = random.standard_normal((m, k)), random.standard_normal((k, n))
    addresses = [array.ctypes.data_as(ctypes.c_void_p) for array in (a, b, c)]
    calls = [lambda: function(*addresses), lambda: np.matmul(a, b, out=want)]
    for call in calls:
        call()
    if not np.allclose(c, want, rtol=1e-4, atol=1e-3):
        sys.exit(f"{m}x{n}x{k}: the product is wrong")
    times = [[], []]
    for _ in range(ROUNDS):
        for call, taken in zip(calls, times):
            taken.extend(timed(call) for _ in range(REPEATS))
    work = 2e-9 * m * n * k
    best, median = [min(taken) for taken in times], [float(np.median(taken)) for taken in times]
    row = [f"{work / best[i]:.0f} / {work / median[i]:.0f}" for i in range(2)]
    print(f"| {m}x{n}x{k} | {row[0]} | {row[1]} | {best[1] / best[0]:.2f} / {median[1] / median[0]:.2f} |", flush=True)


if __name__ == "__main__":
    print("| size (MxNxK) | raddle, GFLOP/s best / median | NumPy | ratio |\n| --- | --- | --- | --- |")
    for size in SIZES:
        measure(*sys.argv[1:4], *size)
