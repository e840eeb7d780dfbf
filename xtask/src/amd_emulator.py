"""Executes code objects for AMD chips in the emulator of a tinygrad checkout, and compares them with raddle's own.

Called by `cargo xtask amd-emulator` with the checkout, the raddle binary, a folder for files, a target, a number of
programs and a seed. Each program is compiled to a code object and to launch data; random inputs go through both machines.
What the emulator lacks is worked around here, in the loaded copy of the code, and said at the end.
"""

import ctypes
import json
import os
import random
import struct
import subprocess
import sys

import numpy as np

checkout, raddle, folder, target, count, seed = sys.argv[1:7]
sys.path.insert(0, checkout)
from test.mockgpu.amd import emu  # noqa: E402

ARCH = {"gfx908": "cdna", "gfx90a": "cdna", "gfx942": "cdna", "gfx1100": "rdna3", "gfx1201": "rdna4"}[target]
TYPES = {"f16": np.float16, "f32": np.float32, "f64": np.float64, "i8": np.int8, "i32": np.int32}

# Invalidations and write-backs of caches, which the emulator has not got and does not need: it has no caches.
CACHES = {
    "rdna3": [("buffer_gl0_inv", 8), ("buffer_gl1_inv", 8)],
    "rdna4": [("global_inv", 12), ("global_wb", 12), ("global_wbinv", 12)],
    "cdna": [("buffer_inv", 8), ("buffer_wbl2", 8)],
}


def work_around():
    """Corrects moves between lanes in the emulator, as the RDNA 3 and CDNA 3 ISA define them."""
    dpp = emu._dpp16_ctrl

    def with_xmask(lane, control, row_mask, bank_mask, wave_size):
        if control & 0x1F0 != 0x160:
            return dpp(lane, control, row_mask, bank_mask, wave_size)
        # ROW_XMASK; a rotation of rows says which lanes take part.
        _, enabled, valid = dpp(lane, 0x121, row_mask, bank_mask, wave_size)
        return lane.cast(emu.dtypes.int) ^ emu._c(control & 15, emu.dtypes.int), enabled, valid

    emu._dpp16_ctrl = with_xmask
    # DS_SWIZZLE_B32 with a bit mask is a permutation whose lanes follow from the offset; code of ours has XOR masks only.
    from tinygrad.runtime.autogen.amd.cdna.enum import DSOp

    permute = emu.PCODE_CDNA[DSOp.DS_BPERMUTE_B32]
    line = next(line for line in permute.splitlines() if "[ADDR]" in line)
    swizzle = permute.replace(line, "src_lane = i ^ ((OFFSET.u32 >> 10U) & 31U)").replace("[DATA0]", "[ADDR]")
    emu.PCODE_CDNA[DSOp.DS_SWIZZLE_B32] = swizzle
    name = emu._op_name
    emu._op_name = lambda inst: "DS_BPERMUTE_B32" if name(inst) == "DS_SWIZZLE_B32" else name(inst)
    decode = emu._decode_at

    def decode_at(pc, arch):
        (program, runtime), inst = decode(pc, arch)
        if "PERMLANEX16" in name(inst):
            return (program, Replaced(permlanex16(pc, inst.size(), program.arg.globals))), inst
        if "DPP" in repr(inst):
            return (program, Replaced(lane_by_lane(runtime.fxn, program.arg.globals, emu._wave_size(arch)))), inst
        return (program, runtime), inst

    emu._decode_at = decode_at


class Replaced:
    """What the emulator calls for one instruction."""

    def __init__(self, function):
        self.fxn = function


EXEC = 126


def registers(used, pointers, wave_size):
    """The scalar and the vector registers of a wave."""
    at = dict(zip(used, pointers))
    scalar = np.ctypeslib.as_array((ctypes.c_uint32 * emu.SGPR_COUNT).from_address(at[0].value))
    vector = np.ctypeslib.as_array((ctypes.c_uint32 * (256 * wave_size)).from_address(at[1].value))
    return scalar, vector.reshape(256, wave_size)


def lane_by_lane(function, used, wave_size):
    """All lanes read before any lane writes; the emulator writes the result of one lane before it reads for the next."""

    def run(*pointers):
        scalar, vector = registers(used, pointers, wave_size)
        before, active = vector.copy(), scalar[EXEC : EXEC + 2].copy()
        start, after = scalar.copy(), vector.copy()
        for lane in range(wave_size):
            if not active[lane // 32] >> (lane % 32) & 1:
                continue
            scalar[...], vector[...] = start, before
            scalar[EXEC : EXEC + 2] = [(1 << lane) & 0xFFFFFFFF, (1 << lane) >> 32]
            function(*pointers)
            after[:, lane] = vector[:, lane]
        vector[...] = after
        scalar[EXEC : EXEC + 2] = active

    return run


def permlanex16(pc, size, used):
    """V_PERMLANEX16_B32: each lane reads one of the other row; a literal may say which one."""
    low, high = struct.unpack("<II", ctypes.string_at(pc, 8))
    fields = [high >> 9 & 0x1FF, high >> 18 & 0x1FF]
    literal = struct.unpack("<I", ctypes.string_at(pc + 8, 4))[0] if 255 in fields else 0
    length = 12 if 255 in fields else 8
    assert size in (8, length), size

    def run(*pointers):
        scalar, vector = registers(used, pointers, 32)
        order = [literal if field == 255 else int(scalar[field]) for field in fields]
        order = order[0] | order[1] << 32
        lanes = [(lane & 16 ^ 16) | order >> 4 * (lane & 15) & 15 for lane in range(32)]
        active = [int(scalar[EXEC]) >> lane & 1 == 1 for lane in range(32)]
        vector[low & 0xFF] = np.where(active, vector[(high & 0x1FF) - 256][lanes], vector[low & 0xFF])
        at = emu.PC_LO_IDX
        scalar[at], scalar[at + 1] = (pc + length) & 0xFFFFFFFF, (pc + length) >> 32

    return run


S_NOP = struct.pack("<I", 0xBF800000)


def product(m, n, k, elem, total, transposed):
    b = f"tensor<{n}x{k}x{elem}>" if transposed else f"tensor<{k}x{n}x{elem}>"
    b_map = "(n, k)" if transposed else "(k, n)"
    zero = "0" if total.startswith("i") else "0.0"
    wide = "" if elem == total else ("arith.extsi" if total.startswith("i") else "arith.extf")
    widen = "".join(f"      %{x}w = {wide} %{x} : {elem} to {total}\n" for x in "ab") if wide else ""
    x, y = ("%aw", "%bw") if wide else ("%a", "%b")
    mul, add = ("arith.muli", "arith.addi") if total.startswith("i") else ("arith.mulf", "arith.addf")
    return f"""func.func @f(%A: tensor<{m}x{k}x{elem}>, %B: {b}) -> tensor<{m}x{n}x{total}> {{
  %zero = arith.constant {zero} : {total}
  %empty = tensor.empty() : tensor<{m}x{n}x{total}>
  %init = linalg.fill ins(%zero : {total}) outs(%empty : tensor<{m}x{n}x{total}>) -> tensor<{m}x{n}x{total}>
  %C = linalg.generic {{indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> {b_map}>,
       affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}}
       ins(%A, %B : tensor<{m}x{k}x{elem}>, {b}) outs(%init : tensor<{m}x{n}x{total}>) {{
    ^bb0(%a: {elem}, %b: {elem}, %c: {total}):
{widen}      %p = {mul} {x}, {y} : {total}
      %s = {add} %c, %p : {total}
      linalg.yield %s : {total}
  }} -> tensor<{m}x{n}x{total}>
  return %C : tensor<{m}x{n}x{total}>
}}"""


def elementwise(m, n, elem, body):
    t = f"tensor<{m}x{n}x{elem}>"
    lines = "\n".join("      " + line.replace("T", elem) for line in body)
    return f"""func.func @f(%A: {t}, %B: {t}) -> {t} {{
  %empty = tensor.empty() : {t}
  %C = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>,
       affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}}
       ins(%A, %B : {t}, {t}) outs(%empty : {t}) {{
    ^bb0(%a: {elem}, %b: {elem}, %c: {elem}):
{lines}
      linalg.yield %r : {elem}
  }} -> {t}
  return %C : {t}
}}"""


def reduction(m, n, elem, op, start):
    return f"""func.func @f(%A: tensor<{m}x{n}x{elem}>) -> tensor<{m}x{elem}> {{
  %zero = arith.constant {start} : {elem}
  %empty = tensor.empty() : tensor<{m}x{elem}>
  %init = linalg.fill ins(%zero : {elem}) outs(%empty : tensor<{m}x{elem}>) -> tensor<{m}x{elem}>
  %C = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
       iterator_types = ["parallel", "reduction"]}} ins(%A : tensor<{m}x{n}x{elem}>) outs(%init : tensor<{m}x{elem}>) {{
    ^bb0(%a: {elem}, %c: {elem}):
      %s = {op} %c, %a : {elem}
      linalg.yield %s : {elem}
  }} -> tensor<{m}x{elem}>
  return %C : tensor<{m}x{elem}>
}}"""


def softmax(m, n, elem):
    t = f"tensor<{m}x{n}x{elem}>"
    return f"""func.func @f(%A: {t}) -> {t} {{
  %empty = tensor.empty() : {t}
  %C = linalg.softmax dimension(1) ins(%A : {t}) outs(%empty : {t}) -> {t}
  return %C : {t}
}}"""


BODIES = [
    ["%x = arith.addf %a, %b : T", "%r = arith.mulf %x, %a : T"],
    ["%x = arith.divf %a, %b : T", "%r = arith.maximumf %x, %b : T"],
    ["%x = math.exp %a : T", "%r = arith.subf %x, %b : T"],
    ["%p = arith.cmpf ogt, %a, %b : T", "%r = arith.select %p, %a, %b : T"],
    ["%x = math.absf %a : T", "%y = math.sqrt %x : T", "%r = arith.minnumf %y, %b : T"],
    ["%r = math.tanh %a : T"],
    ["%r = math.erf %b : T"],
]


def program(number):
    """A program by its number: the family goes round, extents and types are drawn."""
    rng = random.Random(f"{seed} {number}")
    size = lambda choices: rng.choice(choices)  # noqa: E731
    family = number % 5
    if family in (0, 1):
        types = [("f16", "f32"), ("f16", "f32"), ("i8", "i32"), ("f32", "f32")]
        elem, total = rng.choice(types) if number else types[0]
        m, n, k = size([16, 32, 64, 128]), size([16, 32, 64, 128]), size([16, 32, 64, 96])
        if rng.random() < 0.25:
            m, n = m + rng.randint(1, 7), n + rng.randint(1, 7)
        return f"product {m}x{n}x{k} {elem}", product(m, n, k, elem, total, rng.random() < 0.5)
    m, n = size([1, 4, 16, 33, 64]), size([32, 64, 100, 256, 512])
    if family == 2:
        body, elem = rng.choice(BODIES), rng.choice(["f32", "f32", "f16"])
        return f"elementwise {m}x{n} {elem} {body[0].split()[2]}", elementwise(m, n, elem, body)
    if family == 3:
        op, start = rng.choice([("arith.addf", "0.0"), ("arith.maximumf", "0xFF800000"), ("arith.minimumf", "0x7F800000")])
        return f"reduction {m}x{n} {op}", reduction(m, n, "f32", op, start)
    return f"softmax {m}x{n}", softmax(m, n, "f32")


def load(path, patch):
    """An ELF file in memory as its program headers say: base, size, dynamic symbols."""
    data = open(path, "rb").read()
    headers, sections = struct.unpack_from("<QQ", data, 32)
    size, n, section_size, n_sections = struct.unpack_from("<HHHH", data, 54)
    parts = [struct.unpack_from("<IIQQQQQQ", data, headers + i * size) for i in range(n)]
    parts = [part for part in parts if part[0] == 1]
    end = max(part[3] + part[6] for part in parts)
    memory = (ctypes.c_char * (end + 8192))()
    base = (ctypes.addressof(memory) + 4095) // 4096 * 4096
    for _, _, offset, address, _, held, _, _ in parts:
        ctypes.memmove(base + address, data[offset : offset + held], held)
    symbols = {}
    table = [struct.unpack_from("<IIQQQQIIQQ", data, sections + i * section_size) for i in range(n_sections)]
    for section in table:
        if section[1] == 11:
            names = table[section[6]][4]
            for at in range(section[4], section[4] + section[5], 24):
                name, _, _, _, value, _ = struct.unpack_from("<IBBHQQ", data, at)
                symbols[data[names + name : data.index(b"\0", names + name)].decode()] = value
    for address, length in patch:
        ctypes.memmove(base + address, S_NOP * (length // 4), length)
    return memory, base, end, symbols


def cache_operations(path):
    """Addresses and lengths of cache operations."""
    for tool in ["llvm-objdump"] + [f"llvm-objdump-{n}" for n in range(30, 18, -1)]:
        try:
            said = subprocess.run([tool, "-d", path], capture_output=True, text=True)
        except FileNotFoundError:
            continue
        if said.returncode == 0 and "<unknown>" not in said.stdout and "s_endpgm" in said.stdout:
            break
    else:
        sys.exit("there is no llvm-objdump of LLVM 19 or newer")
    found = []
    for line in said.stdout.splitlines():
        for name, length in CACHES[ARCH]:
            words = line.split()
            if words and words[0] == name:
                found.append((int(line.split("//")[1].split(":")[0], 16), length))
    return found


def execute(path, kernel, arrays, patch):
    memory, base, end, symbols = load(path, patch)
    descriptor = base + symbols[kernel["entry"] + ".kd"]
    raw = ctypes.string_at(descriptor, 64)
    shared, scratch, args_size = struct.unpack_from("<III", raw, 0)
    (entry,) = struct.unpack_from("<q", raw, 16)
    (rsrc2,) = struct.unpack_from("<I", raw, 52)
    # A launch fills in how much local memory there is.
    rsrc2 = rsrc2 & ~(0x1FF << 15) | (shared + 511) // 512 << 15
    packed = b"".join(struct.pack("<Q", array.ctypes.data) for array in arrays)
    args = ctypes.create_string_buffer(packed, max(args_size, len(packed)) + 64)
    gx, gy, gz = kernel["grid"]
    code = emu.run_asm(descriptor + entry, end, gx, gy, gz, kernel["workgroup"][0], 1, 1, ctypes.addressof(args), rsrc2, scratch, ARCH)
    assert code == 0, code
    del memory


def aligned(shape, dtype):
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    raw = np.zeros(size + 64, np.uint8)
    start = -raw.ctypes.data % 64
    return raw[start : start + size].view(dtype).reshape(shape)


def check(number):
    """Runs one program; `None` if it is right, else what is wrong with it."""
    name, text = program(number)
    paths = {end: os.path.join(folder, f"k{end}") for end in [".mlir", ".hsaco", ".json", ".expected.npy"]}
    open(paths[".mlir"], "w").write(text)
    built = subprocess.run([raddle, "build", paths[".mlir"], f"--target={target}", "-o", paths[".hsaco"]], capture_output=True, text=True)
    if built.returncode != 0:
        return name, f"not compiled: {built.stderr.splitlines()[:2]}"
    kernels = json.load(open(paths[".json"]))["kernels"]
    if len(kernels) != 1:
        return name, f"{len(kernels)} kernels"
    kernel = kernels[0]
    if kernel["scratch_bytes"]:
        return name, f"{kernel['scratch_bytes']} bytes of scratch"
    rng = np.random.default_rng(number)
    arrays, flags = [], []
    for at, parameter in enumerate(kernel["parameters"]):
        array = aligned(parameter["shape"], TYPES[parameter["type"]])
        if parameter["access"] != "write":
            floats = array.dtype.kind == "f"
            array[...] = rng.standard_normal(array.shape) if floats else rng.integers(-8, 8, array.shape)
            path = os.path.join(folder, f"k.{at}.npy")
            np.save(path, array)
            flags.append(f"--input=@{path}")
        arrays.append(array)
    ran = subprocess.run([raddle, "run", paths[".mlir"], f"--target={target}", "--quiet", f"--output=@{paths['.expected.npy']}", *flags], capture_output=True, text=True)
    if ran.returncode != 0:
        return name, f"not right on raddle's own emulator: {ran.stdout} {ran.stderr}"
    expected = np.load(paths[".expected.npy"]).astype(np.float64)
    try:
        execute(paths[".hsaco"], kernel, arrays, cache_operations(paths[".hsaco"]))
    except Exception as error:  # noqa: BLE001: the emulator fails in many ways
        return name, f"the emulator stopped: {type(error).__name__}: {str(error).splitlines()[0]}"
    got = arrays[-1].astype(np.float64)
    allowed = {"f16": 2e-3, "f32": 2e-5}.get(kernel["parameters"][-1]["type"], 0.0)
    bound = allowed * (np.abs(expected) + np.abs(expected).max())
    wrong = ~((np.abs(got - expected) <= bound) | (np.isnan(got) & np.isnan(expected)) | (got == expected))
    if wrong.any():
        at = tuple(int(i) for i in np.argwhere(wrong)[0])
        return name, f"WRONG at {at}: {got[at]}, not {expected[at]}; {int(wrong.sum())} of {wrong.size} elements"
    return name, None


work_around()
right, bad = 0, 0
for number in range(int(count)):
    name, problem = check(number)
    right += problem is None
    bad += problem is not None and "WRONG" in problem
    print(f"{target} {number:4} {name}: {problem or 'right'}", flush=True)
print(f"{target}: {right} of {count} code objects are right, {bad} wrong")
sys.exit(0 if right == int(count) else 1)
