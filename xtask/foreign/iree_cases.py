"""Dispatches of IREE, from programs on tensors; each program is one dispatch, whose bindings are inputs, then results."""

import os

import iree.compiler
import numpy as np

from case import BF16, TYPES, Case, case, normal, whole
from iree_dispatch import dispatch

COMPILER = os.path.join(os.path.dirname(iree.compiler.__file__), "_mlir_libs", "iree-compile")


def run(text, inputs, outputs, sm=80, rtol=0.0, atol=0.0, starts=None):
    """Compiles a program; `starts` are what results hold before, where the dispatch updates them."""
    made = dispatch(COMPILER, text, sm)
    results = starts if starts is not None else [np.zeros_like(out) for out in outputs]
    return Case(made["ptx"], made["entry"], made["grid"], made["workgroup"], [*inputs, *results],
                {len(inputs) + at: out for at, out in enumerate(outputs)}, made["shared"], rtol, atol)


def tensor(array):
    return f"tensor<{'x'.join(map(str, array.shape))}x{TYPES[array.dtype.name]}>"


def generic(name, ins, out, maps, iterators, body, init=None):
    """A function that is one `linalg.generic`."""
    elems = [TYPES[array.dtype.name] for array in [*ins, out]]
    args = ", ".join(f"%a{at}: {tensor(array)}" for at, array in enumerate(ins))
    zero = "" if init is None else f"""
  %z = arith.constant {init} : {elems[-1]}
  %f = linalg.fill ins(%z : {elems[-1]}) outs(%e : {tensor(out)}) -> {tensor(out)}"""
    dims = ", ".join(f"d{at}" for at in range(len(iterators)))
    maps = ", ".join(f"affine_map<({dims}) -> ({m})>" for m in maps)
    iterators = ", ".join(f'"{"parallel" if kind == "p" else "reduction"}"' for kind in iterators)
    block = ", ".join(f"%x{at}: {elem}" for at, elem in enumerate(elems[:-1])) + f", %o: {elems[-1]}"
    return f"""func.func @{name}({args}) -> {tensor(out)} {{
  %e = tensor.empty() : {tensor(out)}{zero}
  %r = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{iterators}]}}
    ins({", ".join(f"%a{at}" for at in range(len(ins)))} : {", ".join(map(tensor, ins))})
    outs({"%e" if init is None else "%f"} : {tensor(out)}) {{
  ^bb0({block}):
{body}
  }} -> {tensor(out)}
  return %r : {tensor(out)}
}}
"""


# Elementwise


def axpy(name, dtype, sm, quick=False):
    @case(f"iree_axpy_{name}_sm{sm}", quick=quick)
    def _(r):
        x, y = whole(r, (60, 70), dtype, 0, 9), whole(r, (60, 70), dtype, 0, 9)
        ty, kind = TYPES[np.dtype(dtype).name], "i" if np.dtype(dtype).kind in "iu" else "f"
        body = f"    %m = arith.mul{kind} %x0, %x1 : {ty}\n    %s = arith.add{kind} %m, %x1 : {ty}\n    linalg.yield %s : {ty}"
        return run(generic("axpy", [x, y], x, ["d0, d1"] * 3, "pp", body), [x, y], [x * y + y], sm)


axpy("f32", np.float32, 60, quick=True)
axpy("f16", np.float16, 70)
axpy("bf16", BF16, 80)
axpy("f64", np.float64, 60)
axpy("i8", np.int8, 75)
axpy("i32", np.int32, 86)
axpy("i64", np.int64, 89)

FUNCTIONS = {
    "exp": np.exp, "tanh": np.tanh, "sqrt": lambda v: np.sqrt(np.abs(v)), "sin": np.sin, "log1p": lambda v: np.log1p(np.abs(v)),
    "erf": np.vectorize(__import__("math").erf), "floor": np.floor, "roundeven": np.rint, "rsqrt": lambda v: 1 / np.sqrt(np.abs(v)),
    "atan": np.arctan, "cbrt": np.cbrt, "ceil": np.ceil,
}


def function(name, dtype, sm, quick=False):
    @case(f"iree_{name}_{np.dtype(dtype).name}", quick=quick)
    def _(r):
        x = normal(r, (8, 100), dtype)
        ty = TYPES[np.dtype(dtype).name]
        body = f"    %m = math.absf %x0 : {ty}\n" if name in ("sqrt", "log1p", "rsqrt") else ""
        body += f"    %s = math.{name} {'%m' if body else '%x0'} : {ty}\n    linalg.yield %s : {ty}"
        out = FUNCTIONS[name](x.astype(np.float64)).astype(dtype)
        rtol = {8: 1e-11, 4: 1e-5, 2: 4e-3}[np.dtype(dtype).itemsize]
        return run(generic(name, [x], x, ["d0, d1"] * 2, "pp", body), [x], [out], sm, rtol=rtol, atol=rtol / 10)


for _name, _sm in (("exp", 60), ("tanh", 80), ("sqrt", 70), ("sin", 75), ("log1p", 80), ("erf", 80), ("floor", 60),
                   ("roundeven", 80), ("rsqrt", 86), ("atan", 70)):
    function(_name, np.float32, _sm, quick=_name == "erf")
function("exp", np.float16, 80)
function("tanh", np.float16, 75)


@case("iree_casts")
def _(r):
    x = (r.standard_normal((40, 64)) * 50).astype(np.float32)
    out = x.astype(np.int32).astype(np.int8).astype(np.float16)
    body = """    %i = arith.fptosi %x0 : f32 to i32
    %t = arith.trunci %i : i32 to i8
    %s = arith.sitofp %t : i8 to f16
    linalg.yield %s : f16"""
    return run(generic("casts", [x], out, ["d0, d1"] * 2, "pp", body), [x], [out], 70)


@case("iree_integers")
def _(r):
    x, y = r.integers(-10000, 10000, (30, 50)).astype(np.int32), r.integers(1, 100, (30, 50)).astype(np.int32)
    quotient = (np.abs(x) // y * np.sign(x)).astype(np.int32)
    out = np.maximum(quotient, x - quotient * y) ^ (x >> 3) ^ (x << 2)
    body = """    %q = arith.divsi %x0, %x1 : i32
    %m = arith.remsi %x0, %x1 : i32
    %g = arith.maxsi %q, %m : i32
    %three = arith.constant 3 : i32
    %two = arith.constant 2 : i32
    %h = arith.shrsi %x0, %three : i32
    %l = arith.shli %x0, %two : i32
    %a = arith.xori %g, %h : i32
    %s = arith.xori %a, %l : i32
    linalg.yield %s : i32"""
    return run(generic("integers", [x, y], out, ["d0, d1"] * 3, "pp", body), [x, y], [out], 60)


# Reductions


def reduction(name, dtype, op, ufunc, init, sm, quick=False):
    @case(f"iree_{name}_{np.dtype(dtype).name}_sm{sm}", quick=quick)
    def _(r):
        x = whole(r, (24, 512), dtype)
        out = ufunc(x.astype(np.float64), 1).astype(dtype)
        ty = TYPES[np.dtype(dtype).name]
        body = f"    %s = arith.{op} %x0, %o : {ty}\n    linalg.yield %s : {ty}"
        return run(generic(name, [x], out, ["d0, d1", "d0"], "pr", body, init), [x], [out], sm)


reduction("row_sum", np.float32, "addf", np.sum, "0.0", 80, quick=True)
reduction("row_sum", np.float32, "addf", np.sum, "0.0", 60)
reduction("row_sum", np.float64, "addf", np.sum, "0.0", 80)
reduction("row_sum", np.int32, "addi", np.sum, "0", 80)
reduction("row_max", np.float16, "maximumf", np.max, "-1000.0", 80)
reduction("row_min", np.int32, "minsi", np.min, "1000", 75)


@case("iree_column_sum")
def _(r):
    x = whole(r, (200, 96))
    body = "    %s = arith.addf %x0, %o : f32\n    linalg.yield %s : f32"
    out = x.sum(0)
    return run(generic("columns", [x], out, ["d1, d0", "d0"], "pr", body, "0.0"), [x], [out])


@case("iree_softmax", quick=True)
def _(r):
    x = normal(r, (16, 300))
    e = np.exp(x - x.max(1, keepdims=True).astype(np.float64))
    out = (e / e.sum(1, keepdims=True)).astype(np.float32)
    text = f"""func.func @softmax(%a: {tensor(x)}) -> {tensor(x)} {{
  %e = tensor.empty() : {tensor(x)}
  %r = linalg.softmax dimension(1) ins(%a : {tensor(x)}) outs(%e : {tensor(x)}) -> {tensor(x)}
  return %r : {tensor(x)}
}}"""
    return run(text, [x], [out], rtol=2e-5)


# Products


def product(name, dtype, out, sm, size=(64, 48, 96), quick=False):
    @case(f"iree_matmul_{name}_sm{sm}", quick=quick)
    def _(r):
        m, n, k = size
        a, b = whole(r, (m, k), dtype), whole(r, (k, n), dtype)
        c = (a.astype(np.float64) @ b.astype(np.float64)).astype(out)
        ty = TYPES[np.dtype(out).name]
        text = f"""func.func @matmul(%a: {tensor(a)}, %b: {tensor(b)}) -> {tensor(c)} {{
  %z = arith.constant {"0" if np.dtype(out).kind == "i" else "0.0"} : {ty}
  %e = tensor.empty() : {tensor(c)}
  %f = linalg.fill ins(%z : {ty}) outs(%e : {tensor(c)}) -> {tensor(c)}
  %c = linalg.matmul ins(%a, %b : {tensor(a)}, {tensor(b)}) outs(%f : {tensor(c)}) -> {tensor(c)}
  return %c : {tensor(c)}
}}"""
        return run(text, [a, b], [c], sm)


product("f16", np.float16, np.float32, 80, quick=True)
product("f16", np.float16, np.float32, 86, (64, 128, 64))
product("f16_f16", np.float16, np.float16, 80)
product("bf16", BF16, np.float32, 80)
product("f32", np.float32, np.float32, 80)
product("f32", np.float32, np.float32, 60, (50, 40, 30))
product("i8", np.int8, np.int32, 80)
product("f64", np.float64, np.float64, 80, (32, 32, 32))
product("i32", np.int32, np.int32, 70, (32, 32, 32))


@case("iree_batch_matmul")
def _(r):
    a, b = whole(r, (3, 64, 64), np.float16), whole(r, (3, 64, 32), np.float16)
    c = a.astype(np.float32) @ b.astype(np.float32)
    body = """    %p = arith.extf %x0 : f16 to f32
    %q = arith.extf %x1 : f16 to f32
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32"""
    return run(generic("batched", [a, b], c, ["d0, d1, d3", "d0, d3, d2", "d0, d1, d2"], "pppr", body, "0.0"), [a, b], [c])


@case("iree_matvec")
def _(r):
    a, x = whole(r, (100, 256), np.float16), whole(r, 256, np.float16)
    y = (a.astype(np.float32) @ x.astype(np.float32))
    body = """    %p = arith.extf %x0 : f16 to f32
    %q = arith.extf %x1 : f16 to f32
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32"""
    return run(generic("matvec", [a, x], y, ["d0, d1", "d1", "d0"], "pr", body, "0.0"), [a, x], [y])


def convolution(name, dtype, out, sm):
    @case(f"iree_convolution_{name}")
    def _(r):
        x, w = whole(r, (1, 14, 14, 16), dtype), whole(r, (3, 3, 16, 32), dtype)
        windows = np.lib.stride_tricks.sliding_window_view(x[0].astype(np.float32), (3, 3), (0, 1))
        y = np.einsum("hwcrs,rsco->hwo", windows, w.astype(np.float32))[None].astype(out)
        ty = TYPES[np.dtype(out).name]
        text = f"""func.func @conv(%x: {tensor(x)}, %w: {tensor(w)}) -> {tensor(y)} {{
  %z = arith.constant 0.0 : {ty}
  %e = tensor.empty() : {tensor(y)}
  %f = linalg.fill ins(%z : {ty}) outs(%e : {tensor(y)}) -> {tensor(y)}
  %c = linalg.conv_2d_nhwc_hwcf {{dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}}
    ins(%x, %w : {tensor(x)}, {tensor(w)}) outs(%f : {tensor(y)}) -> {tensor(y)}
  return %c : {tensor(y)}
}}"""
        return run(text, [x, w], [y], sm)


convolution("f16", np.float16, np.float32, 80)
convolution("f32", np.float32, np.float32, 60)


@case("iree_max_pool")
def _(r):
    x = normal(r, (1, 12, 12, 32))
    y = np.lib.stride_tricks.sliding_window_view(x[0], (3, 3), (0, 1))[::1].max((3, 4))[None]
    text = f"""func.func @pool(%x: {tensor(x)}) -> {tensor(y)} {{
  %z = arith.constant 0xFF800000 : f32
  %w = tensor.empty() : tensor<3x3xf32>
  %e = tensor.empty() : {tensor(y)}
  %f = linalg.fill ins(%z : f32) outs(%e : {tensor(y)}) -> {tensor(y)}
  %c = linalg.pooling_nhwc_max {{dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}}
    ins(%x, %w : {tensor(x)}, tensor<3x3xf32>) outs(%f : {tensor(y)}) -> {tensor(y)}
  return %c : {tensor(y)}
}}"""
    return run(text, [x], [y])


# Places


def transpose(name, dtype, sm, quick=False):
    @case(f"iree_transpose_{name}", quick=quick)
    def _(r):
        x = whole(r, (64, 96), dtype)
        out = np.ascontiguousarray(x.T)
        ty = TYPES[np.dtype(dtype).name]
        return run(generic("transpose", [x], out, ["d1, d0", "d0, d1"], "pp", f"    linalg.yield %x0 : {ty}"), [x], [out], sm)


transpose("f32", np.float32, 80, quick=True)
transpose("f16", np.float16, 75)


@case("iree_gather")
def _(r):
    table, at = normal(r, (30, 64)), r.integers(0, 30, 20)
    out = table[at]
    text = f"""func.func @gather(%t: {tensor(table)}, %i: {tensor(at)}) -> {tensor(out)} {{
  %e = tensor.empty() : {tensor(out)}
  %r = linalg.generic {{indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]}} ins(%i : {tensor(at)}) outs(%e : {tensor(out)}) {{
  ^bb0(%x: i64, %o: f32):
    %row = arith.index_cast %x : i64 to index
    %column = linalg.index 1 : index
    %v = tensor.extract %t[%row, %column] : {tensor(table)}
    linalg.yield %v : f32
  }} -> {tensor(out)}
  return %r : {tensor(out)}
}}"""
    made = run(text, [table, at], [out])
    return made


@case("iree_scan")
def _(r):
    x = whole(r, (4, 64))
    out = x.cumsum(1)
    text = f"""func.func @scan(%a: {tensor(x)}) -> {tensor(x)} {{
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : {tensor(x)}
  %l = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%z : f32) outs(%l : tensor<4xf32>) -> tensor<4xf32>
  %r:2 = iree_linalg_ext.scan dimension(1) inclusive(true) ins(%a : {tensor(x)})
    outs(%e, %f : {tensor(x)}, tensor<4xf32>) {{
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %p, %q : f32
    iree_linalg_ext.yield %s : f32
  }} -> {tensor(x)}, tensor<4xf32>
  return %r#0 : {tensor(x)}
}}"""
    return run(text, [x], [out])


@case("iree_sort")
def _(r):
    x = normal(r, (6, 40))
    text = f"""func.func @sort(%a: {tensor(x)}) -> {tensor(x)} {{
  %r = iree_linalg_ext.sort dimension(1) outs(%a : {tensor(x)}) {{
  ^bb0(%p: f32, %q: f32):
    %s = arith.cmpf olt, %p, %q : f32
    iree_linalg_ext.yield %s : i1
  }} -> {tensor(x)}
  return %r : {tensor(x)}
}}"""
    return run(text, [], [np.sort(x, 1)], starts=[x])


def attention(sm):
    @case(f"iree_attention_sm{sm}")
    def _(r):
        q, k, v = (normal(r, (2, 64, 64), np.float16) for _ in range(3))
        s = q.astype(np.float64) @ k.astype(np.float64).transpose(0, 2, 1) * 0.125
        e = np.exp(s - s.max(-1, keepdims=True))
        out = (e / e.sum(-1, keepdims=True) @ v.astype(np.float64)).astype(np.float16)
        text = f"""func.func @attention(%q: {tensor(q)}, %k: {tensor(k)}, %v: {tensor(v)}) -> {tensor(out)} {{
  %scale = arith.constant 0.125 : f16
  %e = tensor.empty() : {tensor(out)}
  %r = iree_linalg_ext.attention <{{indexing_maps = [affine_map<(b, m, n, k, l) -> (b, m, k)>,
      affine_map<(b, m, n, k, l) -> (b, l, k)>, affine_map<(b, m, n, k, l) -> (b, l, n)>,
      affine_map<(b, m, n, k, l) -> ()>, affine_map<(b, m, n, k, l) -> (b, m, n)>]}}>
    ins(%q, %k, %v, %scale : {tensor(q)}, {tensor(k)}, {tensor(v)}, f16) outs(%e : {tensor(out)}) {{
  ^bb0(%s: f32):
    iree_linalg_ext.yield %s : f32
  }} -> {tensor(out)}
  return %r : {tensor(out)}
}}"""
        return run(text, [q, k, v], [out], sm, rtol=1e-2, atol=4e-3)


attention(80)


@case("iree_rms_norm")
def _(r):
    x = normal(r, (12, 256))
    v = x.astype(np.float64)
    out = (v / np.sqrt((v * v).mean(1, keepdims=True) + 1e-5)).astype(np.float32)
    rows, both = "affine_map<(d0, d1) -> (d0)>", "affine_map<(d0, d1) -> (d0, d1)>"
    text = f"""func.func @norm(%x: {tensor(x)}) -> {tensor(x)} {{
  %z = arith.constant 0.0 : f32
  %n = arith.constant 256.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %er = tensor.empty() : tensor<12xf32>
  %e = tensor.empty() : {tensor(x)}
  %f = linalg.fill ins(%z : f32) outs(%er : tensor<12xf32>) -> tensor<12xf32>
  %sum = linalg.generic {{indexing_maps = [{both}, {rows}], iterator_types = ["parallel", "reduction"]}}
    ins(%x : {tensor(x)}) outs(%f : tensor<12xf32>) {{
  ^bb0(%a: f32, %o: f32):
    %q = arith.mulf %a, %a : f32
    %s = arith.addf %q, %o : f32
    linalg.yield %s : f32
  }} -> tensor<12xf32>
  %y = linalg.generic {{indexing_maps = [{both}, {rows}, {both}], iterator_types = ["parallel", "parallel"]}}
    ins(%x, %sum : {tensor(x)}, tensor<12xf32>) outs(%e : {tensor(x)}) {{
  ^bb0(%a: f32, %w: f32, %o: f32):
    %v = arith.divf %w, %n : f32
    %g = arith.addf %v, %eps : f32
    %h = math.rsqrt %g : f32
    %s = arith.mulf %a, %h : f32
    linalg.yield %s : f32
  }} -> {tensor(x)}
  return %y : {tensor(x)}
}}"""
    return run(text, [x], [out], rtol=2e-5)
