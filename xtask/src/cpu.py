"""Programs by native code beside NumPy, each on one thread, interleaved: the best and the median time.

Products of f32 matrices are called in this process; `raddle bench` times the others, and two threads beside one.
With a folder that has `iree-compile` and `iree-benchmark-module`, these programs and those of `cpu_programs.py` are timed
beside IREE's code for this machine instead, and so are the files that are named.

Arguments: the raddle program, a linker (ld.lld), a folder for what is made; then IREE's folder, and files in MLIR.
"""

import ctypes
import json
import os
import re
import subprocess
import sys
import time

os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy as np

from cpu_programs import PROGRAMS

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


def timed(call, clock=time.perf_counter):
    start = clock()
    call()
    return clock() - start


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
            taken.extend(timed(call, time.thread_time) for _ in range(REPEATS))
    work = 2e-9 * m * n * k
    best, median = [min(taken) for taken in times], [float(np.median(taken)) for taken in times]
    row = [f"{work / best[i]:.0f} / {work / median[i]:.0f}" for i in range(2)]
    print(f"| {m}x{n}x{k} | {row[0]} | {row[1]} | {best[1] / best[0]:.2f} / {median[1] / median[0]:.2f} |", flush=True)


GENERIC = """  %{result} = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{loops}]}}
      ins({ins}) outs({outs}) {{
    ^bb0(%x: {elem}, %y: {to}):
{body}      linalg.yield %v : {to}
  }} -> {tensor}
"""


def one_operand(rows, columns, maps, loops, body, result):
    """A program that maps an f32 matrix to a tensor."""
    source = f"tensor<{rows}x{columns}xf32>"
    text = f"func.func @f(%a: {source}) -> {result} {{\n  %z = arith.constant 0.0 : f32\n  %e = tensor.empty() : {result}\n"
    text += f"  %i = linalg.fill ins(%z : f32) outs(%e : {result}) -> {result}\n"
    text += GENERIC.format(
        result="r", maps=maps, loops=loops, ins=f"%a : {source}", outs=f"%i : {result}", elem="f32", to="f32",
        body=body, tensor=result,
    )
    return text + f"  return %r : {result}\n}}\n"


def product(n, elem, to):
    a, c = f"tensor<{n}x{n}x{elem}>", f"tensor<{n}x{n}x{to}>"
    zero = "0.0" if to == "f32" else "0"
    return f"""func.func @f(%a: {a}, %b: {a}) -> {c} {{
  %z = arith.constant {zero} : {to}
  %e = tensor.empty() : {c}
  %i = linalg.fill ins(%z : {to}) outs(%e : {c}) -> {c}
  %r = linalg.matmul ins(%a, %b : {a}, {a}) outs(%i : {c}) -> {c}
  return %r : {c}
}}
"""


def softmax(rows, columns):
    ty = f"tensor<{rows}x{columns}xf32>"
    return f"""func.func @f(%a: {ty}) -> {ty} {{
  %e = tensor.empty() : {ty}
  %r = linalg.softmax dimension(1) ins(%a : {ty}) outs(%e : {ty}) -> {ty}
  return %r : {ty}
}}
"""


def numpy_softmax(a):
    e = np.exp(a - a.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


def layer_norm(rows, columns):
    ty, row = f"tensor<{rows}x{columns}xf32>", f"tensor<{rows}xf32>"

    def generic(name, inputs, maps, loops, body, out, to):
        args = ", ".join(f"%x{at}: f32" for at in range(len(inputs) + 1))
        values, types = ", ".join(f"%{name}" for name in inputs), ", ".join([ty] + [row] * (len(inputs) - 1))
        lines = "".join(f"      {line}\n" for line in body)
        return (
            f"  %{name} = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{loops}]}}\n"
            f"      ins({values} : {types}) outs(%{out} : {to}) {{\n    ^bb0({args}):\n{lines}"
            f"      linalg.yield %v : f32\n  }} -> {to}\n"
        )

    center = ["%m = arith.divf %x1, %n : f32", "%d = arith.subf %x0, %m : f32"]
    square = center + ["%p = arith.mulf %d, %d : f32", "%v = arith.addf %p, %x2 : f32"]
    scale = center + [
        "%w = arith.divf %x2, %n : f32",
        "%u = arith.addf %w, %least : f32",
        "%s = math.rsqrt %u : f32",
        "%v = arith.mulf %d, %s : f32",
    ]
    return f"""func.func @f(%a: {ty}) -> {ty} {{
  %z = arith.constant 0.0 : f32
  %n = arith.constant {float(columns)} : f32
  %least = arith.constant 1.0e-5 : f32
  %e = tensor.empty() : {ty}
  %r = tensor.empty() : {row}
  %i = linalg.fill ins(%z : f32) outs(%r : {row}) -> {row}
{generic("sum", ["a"], f"{IDENTITY}, {ROW}", SUM, ["%v = arith.addf %x0, %x1 : f32"], "i", row)}\
{generic("squares", ["a", "sum"], f"{IDENTITY}, {ROW}, {ROW}", SUM, square, "i", row)}\
{generic("result", ["a", "sum", "squares"], f"{IDENTITY}, {ROW}, {ROW}, {IDENTITY}", BOTH, scale, "e", ty)}\
  return %result : {ty}
}}
"""


def numpy_layer_norm(a):
    d = a - a.mean(1, keepdims=True)
    return d / np.sqrt((d * d).mean(1, keepdims=True) + 1e-5)


IDENTITY, TURNED, ROW = "affine_map<(i, j) -> (i, j)>", "affine_map<(i, j) -> (j, i)>", "affine_map<(i, j) -> (i)>"
BOTH, SUM = '"parallel", "parallel"', '"parallel", "reduction"'
ADD = "      %v = arith.addf %x, %y : f32\n"
KEEP = "      %k = arith.constant 1.0 : f32\n      %v = arith.mulf %x, %k : f32\n"

OTHERS = [
    ("softmax 256x1024", softmax(256, 1024), (256, 1024), numpy_softmax),
    ("softmax 2048x1024", softmax(2048, 1024), (2048, 1024), numpy_softmax),
    ("layer norm 256x1024", layer_norm(256, 1024), (256, 1024), numpy_layer_norm),
    ("layer norm 2048x1024", layer_norm(2048, 1024), (2048, 1024), numpy_layer_norm),
    ("sums of rows 2048x2048", one_operand(2048, 2048, f"{IDENTITY}, {ROW}", SUM, ADD, "tensor<2048xf32>"),
     (2048, 2048), lambda a: a.sum(1)),
    ("transposition 2048x2048", one_operand(2048, 2048, f"{TURNED}, {IDENTITY}", BOTH, KEEP, "tensor<2048x2048xf32>"),
     (2048, 2048), lambda a: np.ascontiguousarray(a.T)),
    ("bf16 product 1024, beside f32", product(1024, "bf16", "f32"), (1024, 1024), lambda a: a @ a),
    ("i8 product 1024, beside f32", product(1024, "i8", "i32"), (1024, 1024), lambda a: a @ a),
]


def bench(raddle, path, threads):
    """Seconds of a program, the least of a few samples."""
    command = [raddle, "bench", path, "--device=cpu", "--json", "--samples=5", f"--threads={threads}"]
    rows = json.loads(subprocess.run(command, capture_output=True, text=True).stdout).get("configurations", [])
    return rows[0].get("min_s") if rows else None


def measure_other(raddle, folder, name, text, shape, call):
    path = os.path.join(folder, name.replace(" ", "_").replace(",", "") + ".mlir")
    with open(path, "w") as file:
        file.write(text)
    a = aligned(shape)
    a[:] = np.random.default_rng(0).standard_normal(shape)
    ours, theirs = [], []
    for _ in range(3):
        ours.append(bench(raddle, path, 1))
        theirs.extend(timed(lambda: call(a)) for _ in range(5))
    if None in ours:
        print(f"| {name} | refused | {min(theirs) * 1e3:.3f} | |", flush=True)
        return
    print(f"| {name} | {min(ours) * 1e3:.3f} | {min(theirs) * 1e3:.3f} | {min(theirs) / min(ours):.2f} |", flush=True)


def measure_threads(raddle, folder):
    path = os.path.join(folder, "threads.mlir")
    with open(path, "w") as file:
        file.write(product(2048, "f32", "f32"))
    pairs = [(bench(raddle, path, 1), bench(raddle, path, 2)) for _ in range(3)]
    one, two = (min(times) for times in zip(*pairs))
    print(f"\nf32 2048x2048x2048 on two threads: {one / two:.2f} times as fast as on one")


IREE_FLAGS = [
    "--iree-hal-target-device=local", "--iree-hal-local-target-device-backends=llvm-cpu", "--iree-llvmcpu-target-cpu=host",
    "--iree-opt-level=O3",
]


def raddle_seconds(raddle, path):
    """The sum of the kernels' medians; checked by `raddle run`, not here, since references take their time."""
    command = [raddle, "bench", path, "--device=cpu", "--threads=1", "--memory=4G", "--time=200", "--fuel=1000", "--json"]
    rows = json.loads(subprocess.run(command, capture_output=True, text=True).stdout).get("configurations", [])
    return rows[0].get("median_s") if rows else None


def iree_input(folder, number, ty):
    """An argument: one value in all elements, unless they may be numbers of rows, which are other ones for us, too."""
    *shape, elem = ty.split("x")
    if shape and elem in ("i32", "i64"):
        path = os.path.join(folder, f"input{number}.npy")
        rows = np.random.default_rng(number).integers(0, 100, [int(extent) for extent in shape])
        np.save(path, rows.astype(elem.replace("i", "int")))
        return f"--input=@{path}"
    return f"--input={ty}={1 if re.search(r'i[0-9]+$', ty) else 0.5}"


def iree_seconds(iree, module, text):
    """The real time of a call on one thread."""
    name, arguments = re.search(r"func(?: public)? @(\w+)\((.*?)\) ->", text).groups()
    types = re.findall(r"tensor<([^>]*)>", arguments)
    if "buffer_view" in arguments:
        imported = set(re.findall(r"hal\.tensor\.import[^\n]*=> %arg(\d+) : !hal\.buffer_view -> tensor<([^>]*)>", text))
        types = [ty for _, ty in sorted(imported, key=lambda pair: int(pair[0]))]
        name = name.removesuffix("$async")
    if any("?" in ty for ty in types):
        return None
    values = [iree_input(os.path.dirname(module), number, ty) for number, ty in enumerate(types)]
    command = [os.path.join(iree, "iree-benchmark-module"), "--device=local-sync", f"--module={module}", f"--function={name}"]
    command += [*values, "--benchmark_min_time=0.2s", "--benchmark_format=json"]
    try:
        row = json.loads(subprocess.run(command, capture_output=True, text=True).stdout)["benchmarks"][0]
    except (json.JSONDecodeError, LookupError):
        return None
    return row["real_time"] * {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}[row["time_unit"]]


def beside_iree(raddle, iree, folder, files):
    """A table of ratios, the least of two turns of each, and their geometric mean."""
    programs = {name: text for name, text, *_ in OTHERS} | PROGRAMS
    programs |= {f"product {n}, f32": product(n, "f32", "f32") for n in (1024, 2048)}
    if files:
        programs = {}
        for path in files:
            with open(path) as file:
                programs[os.path.basename(path).removesuffix(".mlir")] = file.read()
    print("| program | raddle, us | IREE, us | ratio |\n| --- | --- | --- | --- |")
    ratios = []
    for name, text in programs.items():
        path, module = os.path.join(folder, "program.mlir"), os.path.join(folder, "program.vmfb")
        with open(path, "w") as file:
            file.write(text)
        compiler = os.path.join(iree, "iree-compile")
        if subprocess.run([compiler, *IREE_FLAGS, path, "-o", module], capture_output=True).returncode:
            print(f"| {name} | | refused | |", flush=True)
            continue
        turns = [(raddle_seconds(raddle, path), iree_seconds(iree, module, text)) for _ in range(2)]
        if any(None in turn for turn in turns):
            print(f"| {name} | not timed | | |", flush=True)
            continue
        ours, theirs = (min(times) for times in zip(*turns))
        ratios.append(theirs / ours)
        print(f"| {name} | {ours * 1e6:.1f} | {theirs * 1e6:.1f} | {theirs / ours:.2f} |", flush=True)
    if ratios:
        behind = sum(ratio < 1 for ratio in ratios)
        print(f"\ngeometric mean {np.exp(np.mean(np.log(ratios))):.2f} over {len(ratios)}, {behind} behind")


if __name__ == "__main__":
    if len(sys.argv) > 4:
        beside_iree(sys.argv[1], sys.argv[4], sys.argv[3], sys.argv[5:])
        sys.exit()
    print("| size (MxNxK) | raddle, GFLOP/s best / median | NumPy | ratio |\n| --- | --- | --- | --- |")
    for size in SIZES:
        measure(*sys.argv[1:4], *size)
    print("\n| program | raddle, ms | NumPy, ms | ratio |\n| --- | --- | --- | --- |")
    for row in OTHERS:
        measure_other(sys.argv[1], sys.argv[3], *row)
    measure_threads(sys.argv[1], sys.argv[3])
