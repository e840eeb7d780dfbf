"""Random programs on tensors for chips of AMD, each of which becomes one kernel.

`program` takes a chip, a seed and a number: the number says which family the program is of, the seed draws extents, types
and configurations.
"""

import random

# Matrix instructions that a configuration may name, with the types of factors and sums.
INSTRUCTIONS = {
    "cdna3": [
        ("MFMA_F32_16x16x16_F16", "f16", "f32", 16),
        ("MFMA_F32_32x32x8_F16", "f16", "f32", 32),
        ("MFMA_F32_16x16x16_BF16", "bf16", "f32", 16),
        ("MFMA_F32_32x32x8_BF16", "bf16", "f32", 32),
        ("MFMA_I32_16x16x32_I8", "i8", "i32", 16),
        ("MFMA_I32_32x32x16_I8", "i8", "i32", 32),
    ],
    "cdna2": [
        ("MFMA_F32_16x16x16_F16", "f16", "f32", 16),
        ("MFMA_F32_32x32x8_F16", "f16", "f32", 32),
    ],
    "rdna3": [
        ("WMMAR3_F32_16x16x16_F16", "f16", "f32", 16),
        ("WMMAR3_F32_16x16x16_BF16", "bf16", "f32", 16),
        ("WMMAR3_F16_16x16x16_F16", "f16", "f16", 16),
    ],
    "rdna4": [
        ("WMMAR4_F32_16x16x16_F16", "f16", "f32", 16),
        ("WMMAR4_F32_16x16x16_BF16", "bf16", "f32", 16),
    ],
}
GENERATIONS = {"gfx908": "cdna2", "gfx90a": "cdna2", "gfx942": "cdna3", "gfx1100": "rdna3", "gfx1201": "rdna4"}

# Types of factors and sums without a configuration.
TYPES = [("f16", "f32"), ("f16", "f32"), ("bf16", "f32"), ("i8", "i32"), ("f32", "f32")]


def tensor(shape, elem):
    return f"tensor<{'x'.join(map(str, shape))}x{elem}>"


def generic(maps, iterators, inputs, output, body, attributes=""):
    """`linalg.generic`: inputs and the output are pairs of a name and a type."""
    maps = ", ".join(f"affine_map<{each}>" for each in maps)
    iterators = ", ".join(f'"{each}"' for each in iterators)
    names = ", ".join(name for name, _ in inputs)
    types = ", ".join(of for _, of in inputs)
    args = ", ".join(f"%x{i}: {of[:-1].split('x')[-1]}" for i, (_, of) in enumerate([*inputs, output]))
    lines = "\n".join("      " + line for line in body)
    return f"""linalg.generic {{{attributes}indexing_maps = [{maps}], iterator_types = [{iterators}]}}
       ins({names} : {types}) outs({output[0]} : {output[1]}) {{
    ^bb0({args}):
{lines}
  }} -> {output[1]}"""


def sums(elem, total):
    """The body of a product."""
    kind, widen = ("i", "extsi") if total.startswith("i") else ("f", "extf")
    lines = ["%l = " + f"arith.{widen} %x0 : {elem} to {total}", "%r = " + f"arith.{widen} %x1 : {elem} to {total}"]
    left, right = ("%x0", "%x1") if elem == total else ("%l", "%r")
    return [
        *([] if elem == total else lines),
        f"%p = arith.mul{kind} {left}, {right} : {total}",
        f"%s = arith.add{kind} %x2, %p : {total}",
        f"linalg.yield %s : {total}",
    ]


def filled(shape, elem, start):
    of = tensor(shape, elem)
    return f"""  %start = arith.constant {start} : {elem}
  %empty = tensor.empty() : {of}
  %init = linalg.fill ins(%start : {elem}) outs(%empty : {of}) -> {of}
"""


def product(rng, m, n, k, elem, total, attributes="", config="", epilogue=False, batch=None):
    """A product, with factors in any order, of one matrix or of several, with or without an epilogue."""
    transposed = [rng.random() < 0.3, rng.random() < 0.5]
    head, dims = ([batch], "b, ") if batch else ([], "")
    a = tensor(head + ([k, m] if transposed[0] else [m, k]), elem)
    b = tensor(head + ([n, k] if transposed[1] else [k, n]), elem)
    c = tensor([*head, m, n], total)
    loops = f"({dims}m, n, k) -> "
    maps = [("k, m" if transposed[0] else "m, k"), ("n, k" if transposed[1] else "k, n"), "m, n"]
    maps = [f"{loops}({dims}{each})" for each in maps]
    iterators = ["parallel"] * (len(head) + 2) + ["reduction"]
    contract = generic(maps, iterators, [("%A", a), ("%B", b)], ("%init", c), sums(elem, total), config)
    zero = "0" if total.startswith("i") else "0.0"
    text = filled([*head, m, n], total, zero) + f"  %C = {contract}\n"
    if not epilogue:
        return f"func.func @f(%A: {a}, %B: {b}) -> {c} {attributes}{{\n{text}  return %C : {c}\n}}"
    bias, out = tensor([n], total), tensor([m, n], "f16")
    body = [
        f"%t = arith.addf %x0, %x1 : {total}",
        f"%z = arith.constant 0.0 : {total}",
        f"%u = arith.maximumf %t, %z : {total}",
        f"%h = arith.truncf %u : {total} to f16",
        "linalg.yield %h : f16",
    ]
    maps = ["(m, n) -> (m, n)", "(m, n) -> (n)", "(m, n) -> (m, n)"]
    after = generic(maps, ["parallel"] * 2, [("%C", c), ("%bias", bias)], ("%e", out), body)
    text += f"  %e = tensor.empty() : {out}\n  %D = {after}\n  return %D : {out}\n"
    return f"func.func @f(%A: {a}, %B: {b}, %bias: {bias}) -> {out} {{\n{text}}}"


def configured(rng, chip):
    """A product in shared memory by a matrix instruction that is named."""
    kind, elem, total, side = rng.choice(INSTRUCTIONS[GENERATIONS[chip]])
    lanes = 64 if chip.startswith("gfx9") else 32
    rows, columns = rng.choice([(1, 1), (2, 1), (1, 2), (2, 2)])
    tile = [side * rows * rng.choice([1, 2]), side * columns * rng.choice([1, 2])]
    step = rng.choice([32, 64])
    m, n, k = tile[0] * rng.choice([1, 2]), tile[1] * rng.choice([1, 2]), step * rng.choice([1, 2, 3, 4])
    launch = f"""attributes {{translation_info = #iree_codegen.translation_info<pipeline =
    #iree_gpu.pipeline<VectorDistribute> workgroup_size = [{rows * columns * lanes}, 1, 1] subgroup_size = {lanes}>}} """
    config = f"""lowering_config = #iree_gpu.lowering_config<{{workgroup = [{tile[0]}, {tile[1]}, 0],
       reduction = [0, 0, {step}], subgroup_basis = [[{rows}, {columns}, 1], [0, 1, 2]],
       mma_kind = #iree_gpu.mma_layout<{kind}>, promote_operands = [0, 1]}}>, """
    return f"product {m}x{n}x{k} by {kind}", product(rng, m, n, k, elem, total, launch, config)


BODIES = [
    ["%x = arith.addf %x0, %x1 : T", "%r = arith.mulf %x, %x0 : T"],
    ["%x = arith.divf %x0, %x1 : T", "%r = arith.maximumf %x, %x1 : T"],
    ["%x = math.exp %x0 : T", "%r = arith.subf %x, %x1 : T"],
    ["%p = arith.cmpf ogt, %x0, %x1 : T", "%r = arith.select %p, %x0, %x1 : T"],
    ["%x = math.absf %x0 : T", "%y = math.sqrt %x : T", "%r = arith.minnumf %y, %x1 : T"],
    ["%r = math.tanh %x0 : T"],
    ["%r = math.erf %x1 : T"],
]


def elementwise(m, n, elem, body, transposed):
    a, b, c = tensor([m, n], elem), tensor([n, m] if transposed else [m, n], elem), tensor([m, n], elem)
    maps = ["(i, j) -> (i, j)", "(i, j) -> (j, i)" if transposed else "(i, j) -> (i, j)", "(i, j) -> (i, j)"]
    body = [line.replace("T", elem) for line in body] + [f"linalg.yield %r : {elem}"]
    op = generic(maps, ["parallel"] * 2, [("%A", a), ("%B", b)], ("%empty", c), body)
    return f"func.func @f(%A: {a}, %B: {b}) -> {c} {{\n  %empty = tensor.empty() : {c}\n  %C = {op}\n  return %C : {c}\n}}"


def reduction(m, n, elem, op, start, along):
    a, c = tensor([m, n], elem), tensor([m if along == "j" else n], elem)
    kept = "i" if along == "j" else "j"
    iterators = ["parallel", "reduction"] if along == "j" else ["reduction", "parallel"]
    body = [f"%s = {op} %x1, %x0 : {elem}", f"linalg.yield %s : {elem}"]
    reduce = generic(["(i, j) -> (i, j)", f"(i, j) -> ({kept})"], iterators, [("%A", a)], ("%init", c), body)
    start = filled([m if along == "j" else n], elem, start)
    return f"func.func @f(%A: {a}) -> {c} {{\n{start}  %C = {reduce}\n  return %C : {c}\n}}"


def softmax(m, n, elem):
    t = tensor([m, n], elem)
    return f"""func.func @f(%A: {t}) -> {t} {{
  %empty = tensor.empty() : {t}
  %C = linalg.softmax dimension(1) ins(%A : {t}) outs(%empty : {t}) -> {t}
  return %C : {t}
}}"""


def plain(rng):
    size = lambda choices: rng.choice(choices)  # noqa: E731
    elem, total = rng.choice(TYPES)
    m, n, k = size([16, 32, 64, 128]), size([16, 32, 64, 128]), size([16, 32, 64, 96])
    if rng.random() < 0.25:
        m, n = m + rng.randint(1, 7), n + rng.randint(1, 7)
    return m, n, k, elem, total


def program(chip, seed, number):
    """The name and the text of a program."""
    rng = random.Random(seed)
    size = lambda choices: rng.choice(choices)  # noqa: E731
    family = number % 10
    if family in (0, 5):
        m, n, k, elem, total = plain(rng)
        return f"product {m}x{n}x{k} {elem}", product(rng, m, n, k, elem, total)
    if family in (1, 3, 6):
        return configured(rng, chip)
    if family == 2:
        m, n, k, _, _ = plain(rng)
        return f"product and epilogue {m}x{n}x{k}", product(rng, m, n, k, "f16", "f32", epilogue=True)
    if family == 4:
        m, n, k, elem, total = plain(rng)
        batch = size([2, 3])
        return f"products {batch}x{m}x{n}x{k} {elem}", product(rng, m, n, k, elem, total, batch=batch)
    m, n = size([1, 4, 16, 33, 64]), size([32, 64, 100, 256, 512])
    if family == 7:
        body, elem, transposed = rng.choice(BODIES), rng.choice(["f32", "f32", "f16"]), rng.random() < 0.3
        name = body[0].split()[2] + (" transposed" if transposed else "")
        return f"elementwise {m}x{n} {elem} {name}", elementwise(m, n, elem, body, transposed)
    if family == 8:
        op, start = rng.choice([("arith.addf", "0.0"), ("arith.maximumf", "0xFF800000"), ("arith.minnumf", "0x7F800000")])
        along = rng.choice("jji")
        return f"reduction {m}x{n} {op} along {along}", reduction(m, n, "f32", op, start, along)
    return f"softmax {m}x{n}", softmax(m, n, "f32")
