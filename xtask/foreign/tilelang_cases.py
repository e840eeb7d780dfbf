"""Kernels in TileLang, which writes CUDA C++ over its own templates and CUTLASS's; NVCC compiles that."""

import functools
import os
import subprocess
import tempfile

import numpy as np
import tilelang
import tilelang.language as T
import tvm
from tilelang.env import CUTLASS_INCLUDE_DIR, TILELANG_TEMPLATE_PATH

from case import BF16, E4M3, Case, TensorMap, case, normal, whole
from cuda_packages import found

NVCC = found("bin/nvcc")
SWIZZLES = [0, 32, 64, 128]
NAMES = {"float16": np.float16, "bfloat16": BF16, "float32": np.float32, "float8_e4m3fn": E4M3, "int8": np.int8,
         "int32": np.int32}


def numbers(values):
    return [int(value) for value in values]


@functools.cache
def compiled(source, cc):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "k.cu")
        with open(path, "w") as file:
            file.write(source)
        command = [NVCC, "-ptx", "-std=c++20", f"-arch=sm_{cc}", "--expt-relaxed-constexpr", "-DENABLE_BF16", "-w",
                   "-I", found("include/cccl"), "-I", TILELANG_TEMPLATE_PATH, "-I", CUTLASS_INCLUDE_DIR, path, "-o",
                   path + ".ptx"]
        ran = subprocess.run(command, capture_output=True, text=True)
        if ran.returncode:
            raise RuntimeError(ran.stdout + ran.stderr)
        with open(path + ".ptx") as file:
            return file.read()


def run(program, arrays, expected, cc="80", rtol=0.0, atol=0.0):
    """Compiles a program for buffers in the order of its parameters, and launches it as its host code would."""
    target = tvm.target.Target({"kind": "cuda", "arch": f"sm_{cc}"})
    with target:
        made = tilelang.lower(program, target=target)
    (kernel,) = made.device_mod.functions.values()
    (host,) = [f for f in made.host_mod.functions.values() if f.attrs and "tma_descriptor_args" in f.attrs] or [None]
    maps = {str(name.name): args for name, args in host.attrs["tma_descriptor_args"].items()} if host else {}
    buffers = {program.buffer_map[param].name: at for at, param in enumerate(program.params)}
    args, places = [], {}
    for at, param in enumerate(kernel.params):
        name = str(param.name)
        if name not in maps:
            places[buffers[name]] = at
            args.append(arrays[buffers[name]])
            continue
        # A function, the map, type, rank and buffer; then extents, strides, box, steps, and how it is stored.
        _, _, _, rank, buffer, *rest = maps[name]
        rank, buffer = int(rank), buffers[str(buffer.name)]
        extents, box = numbers(rest[:rank]), numbers(rest[2 * rank:3 * rank])
        swizzle = SWIZZLES[int(rest[4 * rank + 1])]
        places[buffer] = at
        args.append(TensorMap(arrays[buffer].reshape(extents[::-1]), tuple(box[::-1]), swizzle))
    extent = {str(name): int(size) for name, size in kernel.attrs["thread_extent"].items()}
    grid = tuple(extent.get(f"blockIdx.{axis}", 1) for axis in "xyz")
    workgroup = tuple(extent.get(f"threadIdx.{axis}", 1) for axis in "xyz")
    shared = int(kernel.attrs["dyn_shared_memory_buf"]) if "dyn_shared_memory_buf" in kernel.attrs else 0
    expected = {places[at]: array.reshape(args[places[at]].array.shape) if isinstance(args[places[at]], TensorMap) else array
                for at, array in expected.items()}
    return Case(compiled(made.kernel_source, cc), str(kernel.attrs["global_symbol"]), grid, workgroup, args, expected,
                shared, rtol, atol)


def product(m, n, k, block, dtype, out, accum, transposed, stages, threads=128):
    bm, bn, bk = block

    @T.prim_func
    def main(a: T.Tensor((m, k), dtype), b: T.Tensor((n, k) if transposed else (k, n), dtype), c: T.Tensor((m, n), out)):
        with T.Kernel(T.ceildiv(n, bn), T.ceildiv(m, bm), threads=threads) as (x, y):
            left = T.alloc_shared((bm, bk), dtype)
            right = T.alloc_shared((bn, bk) if transposed else (bk, bn), dtype)
            sums = T.alloc_fragment((bm, bn), accum)
            T.clear(sums)
            for step in T.Pipelined(T.ceildiv(k, bk), num_stages=stages):
                T.copy(a[y * bm, step * bk], left)
                if transposed:
                    T.copy(b[x * bn, step * bk], right)
                else:
                    T.copy(b[step * bk, x * bn], right)
                T.gemm(left, right, sums, transpose_B=transposed)
            T.copy(sums, c[y * bm, x * bn])

    return main


def products(dtype, out, cc, transposed=False, block=(64, 64, 32), stages=3, size=(128, 128, 128), threads=128):
    parts = [dtype, "nt" if transposed else "nn", f"s{stages}", "x".join(map(str, block)), cc]

    @case("tilelang_product_" + "_".join(parts))
    def _(r):
        m, n, k = size
        a, b = whole(r, (m, k), NAMES[dtype]), whole(r, (n, k) if transposed else (k, n), NAMES[dtype])
        accum = "int32" if dtype == "int8" else "float32"
        c = (a.astype(np.float64) @ (b.T if transposed else b).astype(np.float64)).astype(NAMES[out])
        program = product(m, n, k, block, dtype, out, accum, transposed, stages, threads)
        return run(program, [a, b, np.zeros_like(c)], {2: c}, cc)


for _cc in ("80", "90a"):
    products("float16", "float16", _cc)
    products("bfloat16", "float32", _cc, True)
    products("float32", "float32", _cc, True, (64, 64, 32), 2)
    products("int8", "int32", _cc, True, (64, 64, 64), 2)
products("float8_e4m3fn", "float32", "90a", True, (64, 64, 64), 3)
products("float16", "float32", "90a", False, (128, 128, 64), 2, (256, 128, 192), 256)
products("float16", "float16", "75", True, (64, 64, 32), 1)


def attention(heads, length, dim, block, stages, is_causal, dtype="float16"):
    scale = dim**-0.5 * 1.44269504

    @T.prim_func
    def main(q: T.Tensor((heads, length, dim), dtype), k: T.Tensor((heads, length, dim), dtype),
             v: T.Tensor((heads, length, dim), dtype), out: T.Tensor((heads, length, dim), dtype)):
        with T.Kernel(T.ceildiv(length, block), heads, threads=128) as (x, y):
            qs, ks = T.alloc_shared((block, dim), dtype), T.alloc_shared((block, dim), dtype)
            vs = T.alloc_shared((block, dim), dtype)
            scores = T.alloc_fragment((block, block), "float32")
            weights = T.alloc_fragment((block, block), dtype)
            sums = T.alloc_fragment((block, dim), "float32")
            largest, before = T.alloc_fragment((block,), "float32"), T.alloc_fragment((block,), "float32")
            factor, total = T.alloc_fragment((block,), "float32"), T.alloc_fragment((block,), "float32")
            row = T.alloc_fragment((block,), "float32")
            T.copy(q[y, x * block:(x + 1) * block, :], qs)
            T.fill(sums, 0)
            T.fill(total, 0)
            T.fill(largest, -T.infinity("float32"))
            for step in T.Pipelined(x + 1 if is_causal else T.ceildiv(length, block), num_stages=stages):
                T.copy(k[y, step * block:(step + 1) * block, :], ks)
                if is_causal:
                    for i, j in T.Parallel(block, block):
                        scores[i, j] = T.if_then_else(x * block + i >= step * block + j, 0, -T.infinity("float32"))
                else:
                    T.clear(scores)
                T.gemm(qs, ks, scores, transpose_B=True, policy=T.GemmWarpPolicy.FullRow)
                T.copy(v[y, step * block:(step + 1) * block, :], vs)
                T.copy(largest, before)
                T.reduce_max(scores, largest, dim=1, clear=False)
                for i in T.Parallel(block):
                    factor[i] = T.exp2((before[i] - largest[i]) * scale)
                for i, j in T.Parallel(block, block):
                    scores[i, j] = T.exp2((scores[i, j] - largest[i]) * scale)
                T.reduce_sum(scores, row, dim=1)
                for i in T.Parallel(block):
                    total[i] = total[i] * factor[i] + row[i]
                for i, j in T.Parallel(block, dim):
                    sums[i, j] *= factor[i]
                T.copy(scores, weights)
                T.gemm(weights, vs, sums, policy=T.GemmWarpPolicy.FullRow)
            for i, j in T.Parallel(block, dim):
                sums[i, j] /= total[i]
            T.copy(sums, out[y, x * block:(x + 1) * block, :])

    return main


def attentions(cc, is_causal, stages):
    @case(f"tilelang_attention_{'causal' if is_causal else 'full'}_s{stages}_{cc}")
    def _(r):
        q, k, v = (normal(r, (2, 128, 64), np.float16) for _ in range(3))
        scores = q.astype(np.float32) @ k.astype(np.float32).transpose(0, 2, 1) / 8
        if is_causal:
            scores = np.where(np.tri(128) > 0, scores, -np.inf)
        weights = np.exp(scores - scores.max(-1, keepdims=True))
        out = (weights / weights.sum(-1, keepdims=True) @ v.astype(np.float32)).astype(np.float16)
        return run(attention(2, 128, 64, 64, stages, is_causal), [q, k, v, np.zeros_like(out)], {3: out}, cc, 2e-2, 4e-3)


for _cc in ("80", "90a"):
    attentions(_cc, False, 2)
    attentions(_cc, True, 1)


@case("tilelang_norm")
def _(r):
    m, n = 16, 512

    @T.prim_func
    def main(x: T.Tensor((m, n), "float32"), w: T.Tensor((n,), "float32"), out: T.Tensor((m, n), "float32")):
        with T.Kernel(m // 4, threads=128) as block:
            rows = T.alloc_fragment((4, n), "float32")
            squares = T.alloc_fragment((4, n), "float32")
            sums = T.alloc_fragment((4,), "float32")
            T.copy(x[block * 4, 0], rows)
            for i, j in T.Parallel(4, n):
                squares[i, j] = rows[i, j] * rows[i, j]
            T.reduce_sum(squares, sums, dim=1)
            for i, j in T.Parallel(4, n):
                rows[i, j] = rows[i, j] * T.rsqrt(sums[i] / n + 1e-5) * w[j]
            T.copy(rows, out[block * 4, 0])

    x, w = normal(r, (m, n)), normal(r, n)
    out = (x / np.sqrt((x.astype(np.float64) ** 2).mean(1, keepdims=True) + 1e-5) * w).astype(np.float32)
    return run(main, [x, w, np.zeros_like(x)], {2: out}, rtol=1e-4, atol=1e-5)


@case("tilelang_scan")
def _(r):
    m, n = 8, 256

    @T.prim_func
    def main(x: T.Tensor((m, n), "float32"), out: T.Tensor((m, n), "float32")):
        with T.Kernel(m // 4, threads=128) as block:
            rows = T.alloc_shared((4, n), "float32")
            T.copy(x[block * 4, 0], rows)
            T.cumsum(rows, dim=1)
            T.copy(rows, out[block * 4, 0])

    x = whole(r, (m, n))
    return run(main, [x, np.zeros_like(x)], {1: x.cumsum(1)})


@case("tilelang_split_product")
def _(r):
    m, n, k = 64, 64, 256

    @T.prim_func
    def main(a: T.Tensor((m, k), "float16"), b: T.Tensor((k, n), "float16"), c: T.Tensor((m, n), "float32")):
        with T.Kernel(1, 1, 4, threads=128) as (x, y, z):
            left, right = T.alloc_shared((64, 32), "float16"), T.alloc_shared((32, 64), "float16")
            sums = T.alloc_fragment((64, 64), "float32")
            T.clear(sums)
            for step in T.Pipelined(2, num_stages=2):
                T.copy(a[0, z * 64 + step * 32], left)
                T.copy(b[z * 64 + step * 32, 0], right)
                T.gemm(left, right, sums)
            for i, j in T.Parallel(64, 64):
                T.atomic_add(c[i, j], sums[i, j])

    a, b = whole(r, (m, k), np.float16), whole(r, (k, n), np.float16)
    c = a.astype(np.float32) @ b.astype(np.float32)
    return run(main, [a, b, np.zeros_like(c)], {2: c})


@case("tilelang_int4_product")
def _(r):
    m, n, k = 64, 64, 128

    @T.prim_func
    def main(a: T.Tensor((m, k), "float16"), b: T.Tensor((n, k // 2), "int8"), c: T.Tensor((m, n), "float32")):
        with T.Kernel(1, threads=128) as block:
            left, packed = T.alloc_shared((m, 64), "float16"), T.alloc_shared((n, 32), "int8")
            right = T.alloc_fragment((n, 64), "float16")
            plain = T.alloc_shared((n, 64), "float16")
            sums = T.alloc_fragment((m, n), "float32")
            T.clear(sums)
            for step in T.Pipelined(k // 64, num_stages=2):
                T.copy(a[0, step * 64], left)
                T.copy(b[0, step * 32], packed)
                for i, j in T.Parallel(n, 64):
                    right[i, j] = T.cast((packed[i, j // 2] >> T.cast(j % 2 * 4, "int8")) & T.cast(15, "int8"), "float16") - 8
                T.copy(right, plain)
                T.gemm(left, plain, sums, transpose_B=True)
            T.copy(sums, c)

    a, b = whole(r, (m, k), np.float16), r.integers(-128, 128, (n, k // 2)).astype(np.int8)
    plain = np.stack([b & 15, b >> 4 & 15], -1).reshape(n, k).astype(np.float32) - 8
    c = a.astype(np.float32) @ plain.T
    return run(main, [a, b, np.zeros_like(c)], {2: c})
