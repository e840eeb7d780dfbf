"""Executes code objects for AMD chips in the emulator of a tinygrad checkout, and compares them with raddle's own.

Called by `cargo xtask amd-emulator` with the checkout, the raddle binary, a folder for files, a target, a number of
programs and a seed. Each program is compiled to a code object and to launch data; random inputs go through both machines.
What the emulator lacks is worked around here, in the loaded copy of the code, and said at the end.
"""

import ctypes
import inspect
import json
import os
import shutil
import struct
import subprocess
import sys

import ml_dtypes
import numpy as np

from amd_programs import program

checkout, raddle, folder, target, count, seed = sys.argv[1:7]
examples = sys.argv[7:]
sys.path.insert(0, checkout)


def tool(name):
    """A program of LLVM 19 or newer, with or without its version behind its name."""
    for candidate in [f"{name}-{n}" for n in range(30, 18, -1)] + [name]:
        path = shutil.which(candidate)
        if path is not None:
            return path
    sys.exit(f"there is no {name} of LLVM 19 or newer")


# The emulator compiles what it makes of instructions by `clang`, under this name.
if shutil.which("clang") is None:
    link = os.path.join(folder, "bin", "clang")
    os.makedirs(os.path.dirname(link), exist_ok=True)
    if not os.path.lexists(link):
        os.symlink(tool("clang"), link)
    os.environ["PATH"] += os.pathsep + os.path.dirname(link)

from test.mockgpu.amd import emu  # noqa: E402

ARCH = {"gfx908": "cdna", "gfx90a": "cdna", "gfx942": "cdna", "gfx1100": "rdna3", "gfx1201": "rdna4"}[target]
TYPES = {
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "f32": np.float32,
    "f64": np.float64,
    "i8": np.int8,
    "i32": np.int32,
}

# Invalidations and write-backs of caches, which the emulator has not got and does not need: it has no caches.
CACHES = {
    "rdna3": [("buffer_gl0_inv", 8), ("buffer_gl1_inv", 8)],
    "rdna4": [("global_inv", 12), ("global_wb", 12), ("global_wbinv", 12)],
    "cdna": [("buffer_inv", 8), ("buffer_wbl2", 8)],
}


# Lines of the emulator's matrix instructions, and what they should be.
CORRECTIONS = [
    # Rows of the results of 32 x 32 instructions, as AMD's matrix instruction calculator has them: register r of lane l is
    # of row 8 (r div 4) + 4 (l div 32) + r mod 4. The emulator takes 16 (l div 32) + r.
    ("m_base = c_grp * UOp.const(16, dtypes.int) + UOp.const((out_reg // 4) * 4 + out_reg % 4, dtypes.int)",
     "m_base = c_grp * UOp.const(4, dtypes.int) + UOp.const((out_reg // 4) * 8 + out_reg % 4, dtypes.int)"),
    # Bytes are put into an array of another type, which C compilers refuse.
    ("return (byte.cast(dtypes.int32) ^ UOp.const(0x80, dtypes.int32)) - UOp.const(0x80, dtypes.int32)",
     "return ((byte.cast(dtypes.int32) ^ UOp.const(0x80, dtypes.int32)) - UOp.const(0x80, dtypes.int32)).bitcast(dtypes.uint32)"),
]  # fmt: skip


def correct_mfma():
    """Corrects the emulator's matrix instructions, where a checkout has not done so."""
    source = inspect.getsource(emu._compile_mfma)
    for wrong, right in CORRECTIONS:
        source = source.replace(wrong, right)
    exec(compile(source, emu.__file__, "exec"), emu.__dict__)


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


def disassembled(path):
    said = subprocess.run([tool("llvm-objdump"), "-d", path], capture_output=True, text=True, check=True)
    return said.stdout


def cache_operations(text):
    """Addresses and lengths of cache operations."""
    found = []
    for line in text.splitlines():
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


# What happened to a program.
RIGHT, WRONG, LACKING, FAILED = "right", "WRONG", "not executed", "FAILED"


class Tally:
    """How many programs went how, and what the right ones use."""

    def __init__(self):
        self.outcomes = dict.fromkeys([RIGHT, WRONG, LACKING, FAILED], 0)
        self.matrix = self.shared = self.both = 0

    def add(self, outcome, matrix, shared):
        self.outcomes[outcome] += 1
        if outcome == RIGHT:
            self.matrix += matrix
            self.shared += shared
            self.both += matrix and shared


def check(seed, text):
    """Runs one program: the outcome, why, and whether it has matrix instructions and shared memory."""
    paths = {end: os.path.join(folder, f"k{end}") for end in [".mlir", ".hsaco", ".json", ".expected.npy"]}
    with open(paths[".mlir"], "w") as file:
        file.write(text)
    built = subprocess.run([raddle, "build", paths[".mlir"], f"--target={target}", "-o", paths[".hsaco"]], capture_output=True, text=True)
    if built.returncode != 0:
        return FAILED, f"not compiled: {built.stderr.splitlines()[:2]}", False, False
    with open(paths[".json"]) as file:
        kernels = json.load(file)["kernels"]
    if len(kernels) != 1:
        return LACKING, f"{len(kernels)} kernels, and a host that calls them", False, False
    kernel = kernels[0]
    code = disassembled(paths[".hsaco"])
    uses = any(name in code for name in ["v_mfma_", "v_wmma_", "v_smfmac_"]), kernel["shared_bytes"] > 0
    if kernel["scratch_bytes"]:
        return FAILED, f"{kernel['scratch_bytes']} bytes of scratch", *uses
    rng = np.random.default_rng(seed)
    arrays, flags = [], []
    for at, parameter in enumerate(kernel["parameters"]):
        array = aligned(parameter["shape"], TYPES[parameter["type"]])
        if parameter["access"] != "write":
            floats = not np.issubdtype(array.dtype, np.integer)
            array[...] = rng.standard_normal(array.shape) if floats else rng.integers(-8, 8, array.shape)
            path = os.path.join(folder, f"k.{at}.npy")
            np.save(path, array)
            flags.append(f"--input=@{path}")
        arrays.append(array)
    ran = subprocess.run([raddle, "run", paths[".mlir"], f"--target={target}", "--quiet", f"--output=@{paths['.expected.npy']}", *flags], capture_output=True, text=True)
    if ran.returncode != 0:
        return FAILED, f"not right on raddle's own emulator: {ran.stdout} {ran.stderr}", *uses
    expected = np.load(paths[".expected.npy"])
    if expected.dtype.kind == "V":
        expected = expected.view(arrays[-1].dtype)
    expected = expected.astype(np.float64)
    try:
        execute(paths[".hsaco"], kernel, arrays, cache_operations(code))
    except Exception as error:  # noqa: BLE001: the emulator fails in many ways
        return LACKING, f"the emulator stopped: {type(error).__name__}: {str(error).splitlines()[0]}", *uses
    got = arrays[-1].astype(np.float64)
    # Sums in f16 are rounded by each instruction, or by each product, and no document says which.
    allowed = {"f16": 1e-2, "bf16": 1.6e-2, "f32": 2e-5}.get(kernel["parameters"][-1]["type"], 0.0)
    bound = allowed * (np.abs(expected) + np.abs(expected).max())
    wrong = ~((np.abs(got - expected) <= bound) | (np.isnan(got) & np.isnan(expected)) | (got == expected))
    if wrong.any():
        at = tuple(int(i) for i in np.argwhere(wrong)[0])
        return WRONG, f"at {at}: {got[at]}, not {expected[at]}; {int(wrong.sum())} of {wrong.size} elements", *uses
    return RIGHT, "", *uses


correct_mfma()
work_around()
tally = Tally()
programs = [(os.path.basename(path), open(path).read()) for path in examples]
for number in range(int(count)):
    name, text = programs[number] if number < len(programs) else program(target, f"{seed} {number}", number)
    outcome, why, *uses = check(number, text)
    tally.add(outcome, *uses)
    print(f"{target} {number:4} {name}: {outcome} {why}", flush=True)
outcomes = ", ".join(f"{n} {outcome}" for outcome, n in tally.outcomes.items())
print(
    f"{target}: of {count} code objects {outcomes}; of the right ones {tally.matrix} have matrix instructions, "
    f"{tally.shared} shared memory, {tally.both} both"
)
sys.exit(0 if tally.outcomes[WRONG] + tally.outcomes[FAILED] == 0 else 1)
