"""The programs that are timed on GPUs: their text, their data, what they should give, and what a peer has for them."""

from dataclasses import dataclass, field

# Extents of products, M x N x K: square ones, what layers of transformers have, few rows, and odd ones.
PRODUCTS = [
    (8192, 8192, 8192), (4096, 4096, 4096), (2048, 2048, 2048), (1024, 1024, 1024), (4096, 4096, 14336), (8192, 1024, 8192),
    (1024, 1024, 8192), (512, 4096, 7168), (256, 7168, 4096), (64, 4096, 4096), (16, 4096, 4096), (1000, 1000, 1000),
    (4097, 4000, 4104), (4095, 4095, 4095), (127, 65, 33),
]
# Sizes for which figures of Triton's tutorial are published: 168 TFLOP/s on an A100, 501 and 525 with `wgmma` on an H100.
PUBLISHED = [(2432, 2432, 2432), (2816, 2816, 2816), (3072, 3072, 3072)]
# Batches of products, B x M x N x K.
BATCHES = [(64, 512, 512, 512), (256, 128, 128, 1024)]
# The programs that the static model compares: square, skinny, odd and batched products, and attention.
SHAPES = [
    "product f16 nn 8192x8192x8192", "product f16 nn 4096x4096x4096", "product f16 nn 2048x2048x2048", "product f16 nn 1024x1024x1024",
    "product f16 nt 4096x4096x4096", "product f16 tn 4096x4096x4096", "product bf16 nn 4096x4096x4096",
    "product f16 nn 4096x4096x14336", "product f16 nn 8192x1024x8192", "product f16 nn 1024x1024x8192",
    "product f16 nn 512x4096x7168", "product f16 nn 256x7168x4096", "product f16 nn 64x4096x4096", "product f16 nn 16x4096x4096",
    "product f16 nn 1000x1000x1000", "product f16 nn 4097x4000x4104", "product f16 nn 4095x4095x4095", "product f16 nn 127x65x33",
    "product f16 nn 64x512x512x512", "product f16 nn 256x128x128x1024",
    "attention f16 64x4096x128", "attention f16 64x4096x128 causal", "attention f16 256x2048x64", "attention f16 256x2048x64 causal",
]
# Workgroup tile, subgroups along M and N, and slots of the ring, as configurations that are tried beside the compiler's own.
TILES = [
    ((128, 128, 32), (2, 2), 4), ((128, 128, 64), (2, 2), 3), ((128, 256, 32), (2, 4), 3), ((128, 256, 64), (2, 4), 3),
    ((256, 128, 32), (4, 2), 3), ((256, 128, 64), (4, 2), 3), ((128, 128, 32), (2, 4), 4), ((64, 128, 64), (2, 2), 3),
    ((128, 64, 64), (2, 2), 3), ((64, 64, 64), (2, 2), 4), ((32, 64, 128), (1, 4), 3), ((16, 64, 128), (1, 4), 4),
    ((16, 16, 128), (1, 2), 4), ((32, 32, 128), (1, 4), 4),
]
# The same for instructions that read factors from shared memory.
SHARED_TILES = [
    ((128, 256, 64), (8, 1), 4), ((128, 256, 64), (8, 1), 3), ((128, 128, 64), (8, 1), 6), ((128, 128, 64), (8, 1), 4), ((128, 128, 64), (8, 1), 3),
    ((128, 128, 128), (8, 1), 3), ((256, 128, 64), (16, 1), 4), ((64, 256, 64), (4, 1), 4), ((64, 128, 64), (4, 1), 4), ((64, 128, 128), (4, 1), 4),
    ((64, 64, 64), (4, 1), 4), ((64, 64, 128), (4, 1), 4), ((64, 32, 128), (4, 1), 4), ((128, 64, 64), (8, 1), 4), ((64, 256, 32), (4, 1), 4),
    ((128, 192, 64), (8, 1), 4), ((128, 96, 64), (8, 1), 4), ((64, 192, 64), (4, 1), 4), ((64, 96, 64), (4, 1), 4),
]


# What sums are rounded to where it is not the type of the factors.
ROUNDED = {"f8E4M3FN": "bf16"}


@dataclass
class Program:
    """A function, and what is known of it. `reference` and `peer` are Python over torch, on the arguments `a`, `b`, `c` and the tensor `one`."""
    name: str
    text: str
    # Shapes and types of arguments; results are the last ones.
    inputs: list
    output: tuple
    reference: str
    peer: str
    flops: float = 0.0
    bytes: float = 0.0
    # How large the error may be, relative to the result, in the Euclidean norm.
    tolerance: float = 5e-3
    flags: list = field(default_factory=list)
    # Variants by their names: whether they are for instructions that read factors from shared memory, and the text.
    variants: dict = field(default_factory=dict)
    triton: tuple = None


def tensor(shape, elem):
    return f"tensor<{''.join(f'{n}x' for n in shape)}{elem}>"


SIZES = {"f16": 2, "bf16": 2, "f32": 4, "i8": 1, "i32": 4, "f8E4M3FN": 1}


def volume(shape, elem):
    n = SIZES[elem]
    for extent in shape:
        n *= extent
    return n


def elementwise(result, source, out, elem_in, elem_out, body, rank):
    dims = ", ".join(f"d{d}" for d in range(rank))
    same = f"affine_map<({dims}) -> ({dims})>"
    kinds = ", ".join(['"parallel"'] * rank)
    return f"""  {result}_e = tensor.empty() : {out}
  {result} = linalg.generic {{indexing_maps = [{same}, {same}], iterator_types = [{kinds}]}} ins({source[0]} : {source[1]}) outs({result}_e : {out}) {{
  ^bb0(%x: {elem_in}, %o: {elem_out}):
{body}
  }} -> {out}
"""


def product(size, elem="f16", order="nn", tile=None):
    """A product with sums in f32, rounded to the type of its factors (of f8, to bf16); a batch of them where there are four extents."""
    rounded = ROUNDED.get(elem, elem)
    *batch, m, n, k = size
    a, a_map = ((k, m), "k, m") if order[0] == "t" else ((m, k), "m, k")
    b, b_map = ((n, k), "n, k") if order[1] == "t" else ((k, n), "k, n")
    a, b, c, s = tensor((*batch, *a), elem), tensor((*batch, *b), elem), tensor((*batch, m, n), rounded), tensor((*batch, m, n), "f32")
    dims, p = ("p, ", '"parallel", ') if batch else ("", "")
    function = attrs = ""
    if tile:
        (tm, tn, tk), (sm, sn), slots = tile
        kind = {"f16": "NV_MMA_SYNC_F32_16x8x16_F16", "bf16": "NV_MMA_SYNC_F32_16x8x16_BF16", "f8E4M3FN": "NV_MMA_SYNC_F32_16x8x32_F8E4M3FN"}[elem]
        function = (f" attributes {{translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> "
                    f"workgroup_size = [{32 * sm * sn}, 1, 1] subgroup_size = 32, {{pipeline_depth = {slots} : i64, store_stage = 1 : i64}}>}}")
        attrs = (f" attrs = {{lowering_config = #iree_gpu.lowering_config<{{workgroup = [{tm}, {tn}, 0], reduction = [0, 0, {tk}], "
                 f"subgroup_basis = [[{sm}, {sn}, 1], [0, 1, 2]], mma_kind = #iree_gpu.mma_layout<{kind}>, promote_operands = [0, 1]}}>}}")
    wide = elem == "f32"
    factors = "" if wide else f"    %xe = arith.extf %x : {elem} to f32\n    %ye = arith.extf %y : {elem} to f32\n"
    x, y = ("%x", "%y") if wide else ("%xe", "%ye")
    text = f"""func.func @product(%a: {a}, %b: {b}) -> {c}{function} {{
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : {s}
  %f = linalg.fill ins(%z : f32) outs(%e : {s}) -> {s}
  %r = linalg.generic {{indexing_maps = [affine_map<({dims}m, n, k) -> ({dims}{a_map})>, affine_map<({dims}m, n, k) -> ({dims}{b_map})>, affine_map<({dims}m, n, k) -> ({dims}m, n)>], iterator_types = [{p}"parallel", "parallel", "reduction"]}} ins(%a, %b : {a}, {b}) outs(%f : {s}){attrs} {{
  ^bb0(%x: {elem}, %y: {elem}, %o: f32):
{factors}    %p = arith.mulf {x}, {y} : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  }} -> {s}
"""
    if wide:
        return text + f"  return %r : {c}\n}}\n"
    text += elementwise("%q", ("%r", s), c, "f32", rounded, f"    %t = arith.truncf %x : f32 to {rounded}\n    linalg.yield %t : {rounded}", 2 + len(batch))
    return text + f"  return %q : {c}\n}}\n"


def products(elem="f16", order="nn", sizes=PRODUCTS, tiles=()):
    for m, n, k in sizes:
        shapes = [((k, m) if order[0] == "t" else (m, k), elem), ((n, k) if order[1] == "t" else (k, n), elem)]
        a = "a.t()" if order[0] == "t" else "a"
        b = "b.t()" if order[1] == "t" else "b"
        narrow = elem in ROUNDED
        peer = f"torch._scaled_mm({a}, {b}, one, one, out_dtype=torch.bfloat16)" if narrow else f"torch.mm({a}, {b}, out=out)"
        program = Program(
            f"product {elem} {order} {m}x{n}x{k}", product((m, n, k), elem, order), shapes, ((m, n), ROUNDED.get(elem, elem)),
            f"{a}.double() @ {b}.double()", peer, flops=2 * m * n * k,
            tolerance=1e-5 if elem == "f32" else 5e-3, triton=("product", elem, order, (m, n, k)) if elem in ("f16", "bf16") else None)
        for tile in tiles:
            if tile[0][0] > max(2 * m, 16) or m * n * k > 64 << 30 and tile[0][0] * tile[0][1] < 128 * 128:
                continue
            name = f"{'x'.join(map(str, tile[0]))}/{tile[1][0]}x{tile[1][1]}/{tile[2]}"
            program.variants[name] = (tile in SHARED_TILES, product((m, n, k), elem, order, tile))
        yield program


def batched(size, elem="f16"):
    p, m, n, k = size
    return Program(f"product {elem} nn {p}x{m}x{n}x{k}", product(size, elem), [((p, m, k), elem), ((p, k, n), elem)], ((p, m, n), elem),
                   "a.double() @ b.double()", "torch.bmm(a, b, out=out)", flops=2 * p * m * n * k, triton=("product", elem, "nn", size))


def softmax(rows, n, elem):
    t = tensor((rows, n), elem)
    f = tensor((rows, n), "f32")
    text = f"func.func @softmax(%a: {t}) -> {t} {{\n"
    text += elementwise("%w", ("%a", t), f, elem, "f32", f"    %y = arith.extf %x : {elem} to f32\n    linalg.yield %y : f32", 2)
    text += f"  %se = tensor.empty() : {f}\n  %s = linalg.softmax dimension(1) ins(%w : {f}) outs(%se : {f}) -> {f}\n"
    text += elementwise("%q", ("%s", f), t, "f32", elem, f"    %y = arith.truncf %x : f32 to {elem}\n    linalg.yield %y : {elem}", 2)
    text += f"  return %q : {t}\n}}\n"
    return Program(f"softmax {elem} {rows}x{n}", text, [((rows, n), elem)], ((rows, n), elem), "torch.softmax(a.double(), -1)",
                   "torch.softmax(a, -1, out=out)", bytes=2 * volume((rows, n), elem), triton=("softmax", elem, rows, n))


def layer_norm(rows, n, elem):
    t, f, v = tensor((rows, n), elem), tensor((rows, n), "f32"), tensor((rows,), "f32")
    full, row = "affine_map<(d0, d1) -> (d0, d1)>", "affine_map<(d0, d1) -> (d0)>"
    text = f"func.func @norm(%a: {t}) -> {t} {{\n  %z = arith.constant 0.0 : f32\n  %n = arith.constant {n}.0 : f32\n  %eps = arith.constant 1.0e-5 : f32\n"
    text += f"  %ve = tensor.empty() : {v}\n  %vz = linalg.fill ins(%z : f32) outs(%ve : {v}) -> {v}\n"
    text += f"""  %sum = linalg.generic {{indexing_maps = [{full}, {row}], iterator_types = ["parallel", "reduction"]}} ins(%a : {t}) outs(%vz : {v}) {{
  ^bb0(%x: {elem}, %o: f32):
    %y = arith.extf %x : {elem} to f32
    %s = arith.addf %o, %y : f32
    linalg.yield %s : f32
  }} -> {v}
  %var = linalg.generic {{indexing_maps = [{full}, {row}, {row}], iterator_types = ["parallel", "reduction"]}} ins(%a, %sum : {t}, {v}) outs(%vz : {v}) {{
  ^bb0(%x: {elem}, %m: f32, %o: f32):
    %y = arith.extf %x : {elem} to f32
    %mean = arith.divf %m, %n : f32
    %d = arith.subf %y, %mean : f32
    %dd = arith.mulf %d, %d : f32
    %s = arith.addf %o, %dd : f32
    linalg.yield %s : f32
  }} -> {v}
  %e = tensor.empty() : {t}
  %q = linalg.generic {{indexing_maps = [{full}, {row}, {row}, {full}], iterator_types = ["parallel", "parallel"]}} ins(%a, %sum, %var : {t}, {v}, {v}) outs(%e : {t}) {{
  ^bb0(%x: {elem}, %m: f32, %w: f32, %o: {elem}):
    %y = arith.extf %x : {elem} to f32
    %mean = arith.divf %m, %n : f32
    %d = arith.subf %y, %mean : f32
    %v = arith.divf %w, %n : f32
    %ve1 = arith.addf %v, %eps : f32
    %r = math.rsqrt %ve1 : f32
    %p = arith.mulf %d, %r : f32
    %t = arith.truncf %p : f32 to {elem}
    linalg.yield %t : {elem}
  }} -> {t}
  return %q : {t}
}}
"""
    return Program(f"layer_norm {elem} {rows}x{n}", text, [((rows, n), elem)], ((rows, n), elem),
                   f"torch.nn.functional.layer_norm(a.double(), ({n},))", f"torch.nn.functional.layer_norm(a, ({n},))",
                   bytes=2 * volume((rows, n), elem), triton=("layer_norm", elem, rows, n))


def row_sum(rows, n, elem, dim=1):
    t, v = tensor((rows, n), elem), tensor((rows if dim else n,), "f32")
    kept = "d0" if dim else "d1"
    kinds = '"parallel", "reduction"' if dim else '"reduction", "parallel"'
    text = f"""func.func @sum(%a: {t}) -> {v} {{
  %z = arith.constant 0.0 : f32
  %ve = tensor.empty() : {v}
  %vz = linalg.fill ins(%z : f32) outs(%ve : {v}) -> {v}
  %sum = linalg.generic {{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ({kept})>], iterator_types = [{kinds}]}} ins(%a : {t}) outs(%vz : {v}) {{
  ^bb0(%x: {elem}, %o: f32):
    %y = arith.extf %x : {elem} to f32
    %s = arith.addf %o, %y : f32
    linalg.yield %s : f32
  }} -> {v}
  return %sum : {v}
}}
"""
    return Program(f"sum {'rows' if dim else 'columns'} {elem} {rows}x{n}", text, [((rows, n), elem)], ((rows if dim else n,), "f32"),
                   f"a.double().sum({dim})", f"torch.sum(a, {dim}, dtype=torch.float32, out=out)", bytes=volume((rows, n), elem), tolerance=1e-4)


def add(n, elem):
    t = tensor((n,), elem)
    same = "affine_map<(d0) -> (d0)>"
    text = f"""func.func @add(%a: {t}, %b: {t}) -> {t} {{
  %e = tensor.empty() : {t}
  %q = linalg.generic {{indexing_maps = [{same}, {same}, {same}], iterator_types = ["parallel"]}} ins(%a, %b : {t}, {t}) outs(%e : {t}) {{
  ^bb0(%x: {elem}, %y: {elem}, %o: {elem}):
    %s = arith.addf %x, %y : {elem}
    linalg.yield %s : {elem}
  }} -> {t}
  return %q : {t}
}}
"""
    return Program(f"add {elem} {n}", text, [((n,), elem)] * 2, ((n,), elem), "a.double() + b.double()", "torch.add(a, b, out=out)",
                   bytes=3 * volume((n,), elem))


def transpose(m, n, elem):
    a, b = tensor((m, n), elem), tensor((n, m), elem)
    text = f"""func.func @transpose(%a: {a}) -> {b} {{
  %e = tensor.empty() : {b}
  %q = linalg.transpose ins(%a : {a}) outs(%e : {b}) permutation = [1, 0]
  return %q : {b}
}}
"""
    return Program(f"transpose {elem} {m}x{n}", text, [((m, n), elem)], ((n, m), elem), "a.t().double()", "out.copy_(a.t())",
                   bytes=2 * volume((m, n), elem), tolerance=0.0)


def matvec(n, k, elem):
    w, v, o = tensor((n, k), elem), tensor((k,), elem), tensor((n,), "f32")
    text = f"""func.func @matvec(%a: {w}, %b: {v}) -> {o} {{
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : {o}
  %f = linalg.fill ins(%z : f32) outs(%e : {o}) -> {o}
  %r = linalg.matvec ins(%a, %b : {w}, {v}) outs(%f : {o}) -> {o}
  return %r : {o}
}}
"""
    return Program(f"matvec {elem} {n}x{k}", text, [((n, k), elem), ((k,), elem)], ((n,), "f32"), "a.double() @ b.double()", "torch.mv(a, b)",
                   flops=2 * n * k, bytes=volume((n, k), elem))


def attention(batch, length, depth, elem="f16", causal=False):
    q = tensor((batch, length, depth), elem)
    maps = ["b, m, d", "b, k, d", "b, k, n", "", "b, m, n"]
    maps = ", ".join(f"affine_map<(b, m, d, k, n) -> ({dims})>" for dims in maps)
    scale = depth ** -0.5
    if causal:
        body = f"""  ^bb0(%x: f32):
    %i = iree_linalg_ext.index 1 : index
    %j = iree_linalg_ext.index 2 : index
    %keep = arith.cmpi sge, %i, %j : index
    %low = arith.constant 0xFF800000 : f32
    %y = arith.select %keep, %x, %low : f32
    iree_linalg_ext.yield %y : f32"""
    else:
        body = "  ^bb0(%x: f32):\n    iree_linalg_ext.yield %x : f32"
    text = f"""func.func @attention(%a: {q}, %b: {q}, %c: {q}) -> {q} {{
  %scale = arith.constant {scale} : {elem}
  %e = tensor.empty() : {q}
  %o = iree_linalg_ext.attention <{{indexing_maps = [{maps}]}}> ins(%a, %b, %c, %scale : {q}, {q}, {q}, {elem}) outs(%e : {q}) {{
{body}
  }} -> {q}
  return %o : {q}
}}
"""
    four = lambda x: f"{x}.reshape(1, {batch}, {length}, {depth})"
    call = f"torch.nn.functional.scaled_dot_product_attention({four('a')}, {four('b')}, {four('c')}, is_causal={causal})"
    return Program(f"attention {elem} {batch}x{length}x{depth}{' causal' if causal else ''}", text, [((batch, length, depth), elem)] * 3,
                   ((batch, length, depth), elem), f"({call}).reshape({batch}, {length}, {depth})", call,
                   flops=4 * batch * length * length * depth * (0.5 if causal else 1), tolerance=1e-2, flags=["--fast-math"],
                   triton=("attention", elem, batch, length, depth, causal))


def programs():
    yield from products("f16", "nn", tiles=TILES + SHARED_TILES)
    yield from products("f16", "nt", PRODUCTS[:3])
    yield from products("f16", "tn", PRODUCTS[1:2])
    yield from products("bf16", "nn", PRODUCTS[1:2])
    yield from products("f16", "nn", PUBLISHED)
    yield from products("f8E4M3FN", "nt", PRODUCTS[:2])
    yield from map(batched, BATCHES)
    yield from products("f32", "nn", [(4096, 4096, 4096), (1024, 1024, 1024)])
    for rows, n in [(32768, 1024), (16384, 4096), (8192, 16384), (4096, 65536)]:
        yield softmax(rows, n, "bf16")
        yield layer_norm(rows, n, "bf16")
        yield row_sum(rows, n, "bf16")
        yield row_sum(rows, n, "bf16", 0)
    yield add(1 << 27, "f32")
    yield add(1 << 28, "f16")
    yield transpose(16384, 16384, "f16")
    yield transpose(8192, 8192, "f32")
    yield matvec(16384, 16384, "f16")
    yield matvec(8192, 8192, "f16")
    yield attention(64, 4096, 128)
    yield attention(64, 4096, 128, causal=True)
    yield attention(16, 16384, 128)
    yield attention(256, 2048, 64)
    yield attention(256, 2048, 64, causal=True)
    for depth in (40, 80, 96, 160):
        yield attention(64, 2048, depth)
