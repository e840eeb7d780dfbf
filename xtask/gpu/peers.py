"""Triton's kernels for the same programs, compiled for a chip whose instructions ours have: sm_80, or sm_90 with `wgmma`."""

import re

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

TYPES = {"f16": "fp16", "bf16": "bf16", "f32": "fp32"}
# Rows, columns, steps, warps, stages.
TILES = [(128, 256, 64, 8, 3), (256, 128, 64, 8, 3), (128, 256, 32, 8, 4), (128, 128, 64, 4, 3), (128, 128, 32, 4, 4), (128, 128, 64, 8, 3),
         (64, 128, 64, 4, 4), (128, 64, 64, 4, 4), (64, 64, 64, 4, 4), (32, 64, 128, 4, 4), (16, 64, 128, 4, 4)]
made = {}
# The number of the chip that kernels are compiled for.
chip = 80


@triton.jit
def product(a, b, c, M, N, K, am, ak, bk, bn, cm, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr, EVEN: tl.constexpr,
            BATCH: tl.constexpr):
    pid = tl.program_id(0)
    if BATCH:
        at = tl.program_id(1).to(tl.int64)
        a, b, c = a + at * M * K, b + at * K * N, c + at * M * N
    rows, columns = tl.cdiv(M, BM), tl.cdiv(N, BN)
    width = GROUP * columns
    first = pid // width * GROUP
    height = min(rows - first, GROUP)
    m = first + pid % width % height
    n = pid % width // height
    rm, rn, rk = m * BM + tl.arange(0, BM), n * BN + tl.arange(0, BN), tl.arange(0, BK)
    pa = a + (rm % M)[:, None] * am + rk[None, :] * ak
    pb = b + rk[:, None] * bk + (rn % N)[None, :] * bn
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, tl.cdiv(K, BK)):
        if EVEN:
            x, y = tl.load(pa), tl.load(pb)
        else:
            x = tl.load(pa, mask=rk[None, :] < K - k * BK, other=0.0)
            y = tl.load(pb, mask=rk[:, None] < K - k * BK, other=0.0)
        acc = tl.dot(x, y, acc)
        pa += BK * ak
        pb += BK * bk
    tl.store(c + rm[:, None] * cm + rn[None, :], acc.to(c.dtype.element_ty), mask=(rm[:, None] < M) & (rn[None, :] < N))


@triton.jit
def softmax(a, c, N, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    at = tl.arange(0, BLOCK)
    x = tl.load(a + row * N + at, mask=at < N, other=-float("inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0))
    tl.store(c + row * N + at, (e / tl.sum(e, 0)).to(c.dtype.element_ty), mask=at < N)


@triton.jit
def layer_norm(a, c, N, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    at = tl.arange(0, BLOCK)
    x = tl.load(a + row * N + at, mask=at < N, other=0.0).to(tl.float32)
    mean = tl.sum(x, 0) / N
    d = tl.where(at < N, x - mean, 0.0)
    y = d * tl.rsqrt(tl.sum(d * d, 0) / N + 1e-5)
    tl.store(c + row * N + at, y.to(c.dtype.element_ty), mask=at < N)


@triton.jit
def attention(q, k, v, o, L, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, CAUSAL: tl.constexpr, scale: tl.constexpr):
    m, base = tl.program_id(0), tl.program_id(1).to(tl.int64) * L * D
    rm, rn, rd = m * BM + tl.arange(0, BM), tl.arange(0, BN), tl.arange(0, D)
    queries = tl.load(q + base + rm[:, None] * D + rd[None, :])
    best = tl.full((BM,), -float("inf"), tl.float32)
    total = tl.zeros((BM,), tl.float32)
    acc = tl.zeros((BM, D), tl.float32)
    end = (m + 1) * BM if CAUSAL else L
    whole = m * BM if CAUSAL else L
    pk = k + base + rn[None, :] * D + rd[:, None]
    pv = v + base + rn[:, None] * D + rd[None, :]
    for start in range(0, whole, BN):
        s = tl.dot(queries, tl.load(pk + start * D))
        top = tl.maximum(best, tl.max(s, 1) * scale)
        p = tl.math.exp2(s * scale - top[:, None])
        alpha = tl.math.exp2(best - top)
        total = total * alpha + tl.sum(p, 1)
        acc = tl.dot(p.to(q.dtype.element_ty), tl.load(pv + start * D), acc * alpha[:, None])
        best = top
    if CAUSAL:
        for start in range(whole, end, BN):
            s = tl.dot(queries, tl.load(pk + start * D)) * scale
            s = tl.where(rm[:, None] >= start + rn[None, :], s, -float("inf"))
            top = tl.maximum(best, tl.max(s, 1))
            p = tl.math.exp2(s - top[:, None])
            alpha = tl.math.exp2(best - top)
            total = total * alpha + tl.sum(p, 1)
            acc = tl.dot(p.to(q.dtype.element_ty), tl.load(pv + start * D), acc * alpha[:, None])
            best = top
    tl.store(o + base + rm[:, None] * D + rd[None, :], (acc / total[:, None]).to(o.dtype.element_ty))


def compiled(kernel, elem, scalars, consts, warps, stages):
    """PTX and launch data; `scalars` are 32-bit arguments, of which those divisible by 16 are known to be."""
    key = (chip, kernel.__name__, elem, tuple(n % 16 == 0 for n in scalars.values()), tuple(n == 1 for n in scalars.values()), tuple(consts.items()), warps, stages)
    if key not in made:
        names = kernel.arg_names
        pointers = [name for name in names if name not in scalars and name not in consts]
        kinds = {name: "*" + TYPES[elem] for name in pointers}
        # A stride of 1 is a constant, as a launch makes it.
        ones = {name: 1 for name, n in scalars.items() if n == 1}
        kinds |= {name: "i32" for name in scalars if name not in ones} | {name: "constexpr" for name in (*consts, *ones)}
        even = [name for name in names if name in pointers or scalars.get(name, 1) % 16 == 0]
        source = ASTSource(kernel, {name: kinds[name] for name in names}, consts | ones, {(names.index(name),): [["tt.divisibility", 16]] for name in even})
        try:
            built = triton.compile(source, target=GPUTarget("cuda", chip, 32), options={"num_warps": warps, "num_stages": stages, "ptx_version": 84})
            made[key] = (built.asm["ptx"], built.metadata)
        except Exception as error:
            print("triton:", kernel.__name__, consts, str(error)[:100])
            made[key] = None
    if made[key] is None:
        return None
    ptx, meta = made[key]
    if meta.shared > (160 if chip == 80 else 227) << 10:
        return None
    params = [{"buffer": at} for at in range(sum(1 for name in kernel.arg_names if name not in scalars and name not in consts))]
    params += [{"i32": n} for n in scalars.values() if n != 1]
    declared = len(re.findall(r"\.param ", ptx[ptx.index(".entry"):ptx.index("{", ptx.index(".entry"))]))
    params += [{"null": True}] * (declared - len(params))
    return {"ptx": ptx, "entry": re.search(r"\.entry (\w+)", ptx)[1], "workgroup": [32 * warps, 1, 1], "shared": meta.shared, "params": params}


def kernels(what, elem, *more):
    """The candidates for a program, each with its name."""
    if what == "product":
        order, (*batch, m, n, k) = more
        am, ak = (1, m) if order[0] == "t" else (k, 1)
        bk, bn = (1, k) if order[1] == "t" else (n, 1)
        scalars = {"M": m, "N": n, "K": k, "am": am, "ak": ak, "bk": bk, "bn": bn, "cm": n}
        for bm, bn_, bk_, warps, stages in TILES:
            if bm > max(2 * m, 16) or m * n * k > 64 << 30 and bm * bn_ < 128 * 128:
                continue
            made = compiled(product, elem, scalars, {"BM": bm, "BN": bn_, "BK": bk_, "GROUP": 8, "EVEN": k % bk_ == 0, "BATCH": bool(batch)}, warps, stages)
            if made:
                yield f"triton {bm}x{bn_}x{bk_}/{warps}/{stages}", made | {"grid": [-(-m // bm) * -(-n // bn_), *batch, 1][:3]}
    elif what in ("softmax", "layer_norm"):
        rows, n = more
        for warps in (4, 8, 16):
            made = compiled(softmax if what == "softmax" else layer_norm, elem, {"N": n}, {"BLOCK": triton.next_power_of_2(n)}, warps, 1)
            if made:
                yield f"triton {warps} warps", made | {"grid": [rows, 1, 1]}
    elif what == "attention":
        batch, length, depth, causal = more
        for bm, bn, warps, stages in [(128, 64, 4, 3), (128, 64, 8, 3), (128, 32, 4, 4), (64, 64, 4, 3), (128, 128, 8, 2)]:
            scale = depth ** -0.5 * 1.4426950408889634
            made = compiled(attention, elem, {"L": length}, {"D": depth, "BM": bm, "BN": bn, "CAUSAL": causal, "scale": scale}, warps, stages)
            if made:
                yield f"triton {bm}x{bn}/{warps}/{stages}", made | {"grid": [length // bm, batch, 1]}
