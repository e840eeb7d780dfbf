"""Kernels in CUDA C++ without headers, compiled by NVRTC, which needs nothing else. The sources are in `cuda`."""

import ctypes
import functools
import os

import numpy as np

from case import Case, case, whole
from cuda_packages import SOURCES, found

NVRTC = ctypes.CDLL(found("lib/libnvrtc.so.*"))


def checked(status):
    if status:
        NVRTC.nvrtcGetErrorString.restype = ctypes.c_char_p
        raise RuntimeError(NVRTC.nvrtcGetErrorString(status).decode())


@functools.cache
def compiled(source, cc):
    with open(os.path.join(SOURCES, f"{source}.cu"), "rb") as file:
        text = file.read()
    program, size = ctypes.c_void_p(), ctypes.c_size_t()
    checked(NVRTC.nvrtcCreateProgram(ctypes.byref(program), text, f"{source}.cu".encode(), 0, None, None))
    flags = (ctypes.c_char_p * 2)(f"--gpu-architecture=compute_{cc}".encode(), b"--std=c++17")
    status = NVRTC.nvrtcCompileProgram(program, len(flags), flags)
    if status:
        checked(NVRTC.nvrtcGetProgramLogSize(program, ctypes.byref(size)))
        log = ctypes.create_string_buffer(size.value)
        checked(NVRTC.nvrtcGetProgramLog(program, log))
        raise RuntimeError(f"{source}.cu: {log.value.decode()}")
    checked(NVRTC.nvrtcGetPTXSize(program, ctypes.byref(size)))
    ptx = ctypes.create_string_buffer(size.value)
    checked(NVRTC.nvrtcGetPTX(program, ptx))
    return ptx.value.decode()


def run(source, entry, grid, block, args, expected, cc="80", shared=0):
    return Case(compiled(source, cc), entry, grid, block, args, expected, shared)


def i32(n):
    return np.int32(n)


@case("nvrtc_recursion", quick=True)
def _(r):
    n = r.integers(0, 10, 32).astype(np.int32)
    table = [0, 1]
    for _ in range(10):
        table.append(table[-1] + table[-2])
    return run("functions", "recursion", (1,), (32,), [n, np.zeros_like(n)], {1: np.array(table, np.int32)[n]})


@case("nvrtc_matmul_registers", quick=True)
def _(r):
    a, b = whole(r, (128, 128)), whole(r, (128, 128))
    return run("shared", "matmul_registers", (2, 2), (256,), [a, b, np.zeros_like(a), i32(128)], {2: a @ b})


@case("nvrtc_bitonic", quick=True)
def _(r):
    x = r.integers(0, 2**32, (2, 512), dtype=np.uint32)
    return run("shared", "bitonic", (2,), (256,), [x], {0: np.sort(x, 1)})
