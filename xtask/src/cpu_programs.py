"""Programs of one operation each, as models have them: name and text, the function is `f`."""


def elem(ty):
    return ty.removesuffix(">").split("x")[-1].removeprefix("tensor<")


def tensor(*shape):
    return f"tensor<{'x'.join(str(part) for part in shape)}>"


def function(inputs, result, body):
    args = ", ".join(f"%a{i}: {ty}" for i, ty in enumerate(inputs))
    return f"func.func @f({args}) -> {result} {{\n{body}\n  return %r : {result}\n}}\n"


def start(result, init):
    """The tensor that an operation writes, filled if it sums."""
    text = f"  %e = tensor.empty() : {result}\n"
    if init is None:
        return text, "%e"
    to = elem(result)
    return f"{text}  %z = arith.constant {init} : {to}\n  %i = linalg.fill ins(%z : {to}) outs(%e : {result}) -> {result}\n", "%i"


def operands(inputs):
    return f"{', '.join(f'%a{i}' for i in range(len(inputs)))} : {', '.join(inputs)}"


def generic(loops, maps, inputs, to, lines, init=None, result="%v"):
    """`loops` names each loop by a letter, large where it is reduced; `maps` are those of the operands by the same letters."""
    names = ", ".join(letter.lower() for letter in loops)
    maps = ", ".join(f"affine_map<({names}) -> ({', '.join(one.lower())})>" for one in maps)
    kinds = ", ".join('"reduction"' if letter.isupper() else '"parallel"' for letter in loops)
    text, out = start(to, init)
    args = ", ".join([f"%x{i}: {elem(ty)}" for i, ty in enumerate(inputs)] + [f"%o: {elem(to)}"])
    body = "".join(f"    {line}\n" for line in lines)
    text += f"  %r = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}} ins({operands(inputs)}) outs({out} : {to}) {{\n"
    text += f"  ^bb0({args}):\n{body}    linalg.yield {result} : {elem(to)}\n  }} -> {to}"
    return function(inputs, to, text)


def named(name, inputs, result, strides=None, init="0.0"):
    text, out = start(result, init)
    attrs = f" {{strides = dense<{strides}> : vector<2xi64>}}" if strides else ""
    return function(inputs, result, f"{text}  %r = linalg.{name}{attrs} ins({operands(inputs)}) outs({out} : {result}) -> {result}")


def product(m, n, k, of="f32", to="f32", batch=None, a="mk", b="kn"):
    extents = {"m": m, "n": n, "k": k, "b": batch}
    lead = "b" if batch else ""
    shapes = [tensor(*(extents[letter] for letter in lead + order), ty) for order, ty in ((a, of), (b, of), ("mn", to))]
    small = {"f32": None, "f16": "extf", "bf16": "extf", "i8": "extsi"}[of]
    lines = [f"%y{i} = arith.{small} %x{i} : {of} to {to}" for i in range(2) if small]
    left, right = ("%y0", "%y1") if small else ("%x0", "%x1")
    kind = "i" if to == "i32" else "f"
    lines += [f"%p = arith.mul{kind} {left}, {right} : {to}", f"%v = arith.add{kind} %o, %p : {to}"]
    return generic(lead + "mnK", [lead + a, lead + b, lead + "mn"], shapes[:2], shapes[2], lines, "0" if to == "i32" else "0.0")


def each(line, of="f32", to="f32", rows=1024, columns=1024, n=1):
    """An elementwise operation of `n` operands."""
    lines = [line] if isinstance(line, str) else line
    return generic("ij", ["ij"] * (n + 1), [tensor(rows, columns, of)] * n, tensor(rows, columns, to), lines)


def move(loops, extents, order, of="f32"):
    """A transposition: the operand has the loops in another order."""
    at = dict(zip(loops, extents))
    shape = lambda letters: tensor(*(at[letter] for letter in letters), of)
    return generic(loops, [order, loops], [shape(order)], shape(loops), [], result="%x0")


def reduction(loops, operand, result, extents, combine="addf", init="0.0"):
    at = dict(zip(loops.lower(), extents))
    shape = lambda letters: tensor(*(at[letter.lower()] for letter in letters), "f32")
    return generic(loops, [operand, result], [shape(operand)], shape(result), [f"%v = arith.{combine} %o, %x0 : f32"], init)


def softmax(shape, dim, of="f32"):
    ty = tensor(*shape, of)
    return function([ty], ty, f"  %e = tensor.empty() : {ty}\n  %r = linalg.softmax dimension({dim}) ins(%a0 : {ty}) outs(%e : {ty}) -> {ty}")


def decoding(heads, rows, keys, depth, of="f32"):
    """Attention; a step of decoding, where `rows` heads share the keys and values of one of `heads`."""
    maps = ["(h, m, k)", "(h, n, k)", "(h, n, c)", "()", "(h, m, c)"]
    maps = ", ".join(f"affine_map<(h, m, n, k, c) -> {one}>" for one in maps)
    inputs = [tensor(heads, rows, depth, of), tensor(heads, keys, depth, of), tensor(heads, keys, depth, of)]
    text = f"  %e = tensor.empty() : {inputs[0]}\n  %s = arith.constant 0.125 : {of}\n"
    text += f"  %r = iree_linalg_ext.attention <{{indexing_maps = [{maps}]}}> ins(%a0, %a1, %a2, %s : {', '.join(inputs)}, {of})"
    text += f" outs(%e : {inputs[0]}) {{\n  ^bb0(%x: f32):\n    iree_linalg_ext.yield %x : f32\n  }} -> {inputs[0]}"
    return function(inputs, inputs[0], text)


CONCAT = "  %r = tensor.concat dim(1) %a0, %a1 : (tensor<256x512xf32>, tensor<256x300xf32>) -> tensor<256x812xf32>"
PAD = """  %z = arith.constant 0.0 : f32
  %r = tensor.pad %a0 low[0, 2, 2] high[0, 2, 2] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %z : f32
  } : tensor<64x100x100xf32> to tensor<64x104x104xf32>"""
SLICE = "  %r = tensor.extract_slice %a0[1, 5, 0] [60, 90, 50] [1, 1, 2] : tensor<64x100x100xf32> to tensor<60x90x50xf32>"
ROWS = """  %e = tensor.empty() : tensor<1024x256xf32>
  %r = iree_linalg_ext.gather dimension_map = [0] ins(%a0, %a1 : tensor<5000x256xf32>, tensor<1024xi32>) outs(%e : tensor<1024x256xf32>) -> tensor<1024x256xf32>"""
SUMS = """  %e = tensor.empty() : tensor<256x1024xf32>
  %l = tensor.empty() : tensor<256xf32>
  %z = arith.constant 0.0 : f32
  %i = linalg.fill ins(%z : f32) outs(%l : tensor<256xf32>) -> tensor<256xf32>
  %r, %t = iree_linalg_ext.scan dimension(1) inclusive(true) ins(%a0 : tensor<256x1024xf32>) outs(%e, %i : tensor<256x1024xf32>, tensor<256xf32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y : f32
    iree_linalg_ext.yield %s : f32
  } -> tensor<256x1024xf32>, tensor<256xf32>"""
QUANTIZE = [
    "%c = arith.constant 12.5 : f32", "%l = arith.constant -128.0 : f32", "%h = arith.constant 127.0 : f32",
    "%m = arith.mulf %x0, %c : f32", "%q = math.roundeven %m : f32", "%b = arith.maximumf %q, %l : f32",
    "%d = arith.minimumf %b, %h : f32", "%v = arith.fptosi %d : f32 to i8",
]

PROGRAMS = {
    "product 512, f16": product(512, 512, 512, "f16"),
    "product 512, bf16, right factor along k": product(512, 512, 512, "bf16", b="nk"),
    "product 512, i8": product(512, 512, 512, "i8", "i32"),
    "product 384, right factor along k": product(384, 384, 384, b="nk"),
    "product 384, left factor along m": product(384, 384, 384, a="km"),
    "product 511x513x257": product(511, 513, 257),
    "product 4096x16x64": product(4096, 16, 64),
    "products 16 of 64": product(64, 64, 64, batch=16),
    "products 12 of 128x128x64, right factor along k": product(128, 128, 64, batch=12, b="nk"),
    "4 rows, 2048x2048": product(4, 2048, 2048),
    "4 rows, 2048x2048, right factor along k": product(4, 2048, 2048, b="nk"),
    "row, 4096x1024": product(1, 4096, 1024),
    "row, 4096x1024, right factor along k": product(1, 4096, 1024, b="nk"),
    "row, 4096x1024, f16, right factor along k": product(1, 4096, 1024, "f16", b="nk"),
    "row, 4096x1024, i8, right factor along k": product(1, 4096, 1024, "i8", "i32", b="nk"),
    "convolution 3x3, channels first": named("conv_2d_nchw_fchw", [tensor(1, 64, 58, 58, "f32"), tensor(64, 64, 3, 3, "f32")], tensor(1, 64, 56, 56, "f32")),
    "convolution 7x7 stride 2, channels first": named("conv_2d_nchw_fchw", [tensor(1, 3, 229, 229, "f32"), tensor(64, 3, 7, 7, "f32")], tensor(1, 64, 112, 112, "f32"), 2),
    "convolution 3x3, channels last": named("conv_2d_nhwc_hwcf", [tensor(1, 58, 58, 64, "f32"), tensor(3, 3, 64, 64, "f32")], tensor(1, 56, 56, 64, "f32")),
    "convolution 3x3, channels last, bf16": named("conv_2d_nhwc_hwcf", [tensor(1, 58, 58, 64, "bf16"), tensor(3, 3, 64, 64, "bf16")], tensor(1, 56, 56, 64, "f32")),
    "convolution 3x3, channels last, i8": named("conv_2d_nhwc_hwcf", [tensor(1, 58, 58, 64, "i8"), tensor(3, 3, 64, 64, "i8")], tensor(1, 56, 56, 64, "i32"), init="0"),
    "convolution 1x1, channels last": named("conv_2d_nhwc_hwcf", [tensor(1, 56, 56, 64, "f32"), tensor(1, 1, 64, 128, "f32")], tensor(1, 56, 56, 128, "f32")),
    "convolution 3x3 of 7x7, channels last": named("conv_2d_nhwc_hwcf", [tensor(1, 9, 9, 256, "f32"), tensor(3, 3, 256, 256, "f32")], tensor(1, 7, 7, 256, "f32")),
    "convolution of 1 dimension": named("conv_1d_nwc_wcf", [tensor(1, 1002, 64, "f32"), tensor(3, 64, 64, "f32")], tensor(1, 1000, 64, "f32")),
    "convolution of 3 dimensions": named("conv_3d_ndhwc_dhwcf", [tensor(1, 10, 18, 18, 16, "f32"), tensor(3, 3, 3, 16, 32, "f32")], tensor(1, 8, 16, 16, 32, "f32")),
    "depthwise 3x3, channels last": named("depthwise_conv_2d_nhwc_hwc", [tensor(1, 58, 58, 64, "f32"), tensor(3, 3, 64, "f32")], tensor(1, 56, 56, 64, "f32")),
    "depthwise 3x3 stride 2, channels first": named("depthwise_conv_2d_nchw_chw", [tensor(1, 64, 113, 113, "f32"), tensor(64, 3, 3, "f32")], tensor(1, 64, 56, 56, "f32"), 2),
    "maximum of 3x3 stride 2, channels first": named("pooling_nchw_max", [tensor(1, 64, 114, 114, "f32"), tensor(3, 3, "f32")], tensor(1, 64, 56, 56, "f32"), 2, "0xFF800000"),
    "maximum of 3x3 stride 2, channels last": named("pooling_nhwc_max", [tensor(1, 114, 114, 64, "f32"), tensor(3, 3, "f32")], tensor(1, 56, 56, 64, "f32"), 2, "0xFF800000"),
    "sum of 3x3, channels first": named("pooling_nchw_sum", [tensor(1, 64, 58, 58, "f32"), tensor(3, 3, "f32")], tensor(1, 64, 56, 56, "f32")),
    "sums of columns 2048x1024": reduction("Ij", "Ij", "j", [2048, 1024]),
    "sums along the middle of 64x256x128": reduction("iKj", "iKj", "ij", [64, 256, 128]),
    "sum of 1024x1024": reduction("oIJ", "IJ", "o", [1, 1024, 1024]),
    "maxima of rows 1001x333": reduction("iJ", "iJ", "i", [1001, 333], "maximumf", "0xFF800000"),
    "softmax 512x512, f16": softmax([512, 512], 1, "f16"),
    "softmax along the middle of 64x100x128": softmax([64, 100, 128], 1),
    "exp": each("%v = math.exp %x0 : f32"),
    "log": each("%v = math.log %x0 : f32"),
    "sin": each("%v = math.sin %x0 : f32"),
    "tanh": each("%v = math.tanh %x0 : f32"),
    "erf": each("%v = math.erf %x0 : f32"),
    "powers": each("%v = math.powf %x0, %x1 : f32", n=2),
    "f32 to f16": each("%v = arith.truncf %x0 : f32 to f16", to="f16"),
    "f16 to f32": each("%v = arith.extf %x0 : f16 to f32", "f16"),
    "products of elements, f16": each("%v = arith.mulf %x0, %x1 : f16", "f16", "f16", n=2),
    "f32 to i8, rounded": each(QUANTIZE, to="i8"),
    "rows plus a row": generic("ij", ["ij", "j", "ij"], [tensor(512, 768, "f32"), tensor(768, "f32")], tensor(512, 768, "f32"), ["%v = arith.addf %x0, %x1 : f32"]),
    "transposition of bytes": move("ij", [1024, 1024], "ji", "i8"),
    "transposition 32x128x256 to 32x256x128": move("ikj", [32, 256, 128], "ijk"),
    "transposition 64x100x200 to 200x100x64": move("kji", [200, 100, 64], "ijk"),
    "transposition of heads, f16": move("acbd", [8, 12, 128, 64], "abcd", "f16"),
    "concatenation": function([tensor(256, 512, "f32"), tensor(256, 300, "f32")], tensor(256, 812, "f32"), CONCAT),
    "padding": function([tensor(64, 100, 100, "f32")], tensor(64, 104, 104, "f32"), PAD),
    "slice, stride 2": function([tensor(64, 100, 100, "f32")], tensor(60, 90, 50, "f32"), SLICE),
    "rows by number": function([tensor(5000, 256, "f32"), tensor(1024, "i32")], tensor(1024, 256, "f32"), ROWS),
    "attention, 8 heads of 512x64, bf16": decoding(8, 512, 512, 64, "bf16"),
    "decoding, 8 heads of 4 rows, 4096 keys of 128": decoding(8, 4, 4096, 128),
    "decoding, 8 heads of 4 rows, 4096 keys of 128, f16": decoding(8, 4, 4096, 128, "f16"),
    "decoding, 8 heads of 1 row, 512 keys of 64": decoding(8, 1, 512, 64),
    "decoding, 32 heads of 1 row, 2048 keys of 128, f16": decoding(32, 1, 2048, 128, "f16"),
    "running sums": function([tensor(256, 1024, "f32")], tensor(256, 1024, "f32"), SUMS),
}
