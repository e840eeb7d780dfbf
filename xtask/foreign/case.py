"""A kernel of another producer with all that a run of it needs: PTX, launch data, arguments, expected results."""

import json
import os
from dataclasses import dataclass

import ml_dtypes
import numpy as np

# How MLIR spells the element types of NumPy and ml_dtypes.
TYPES = {
    "bool": "i8", "int8": "i8", "uint8": "i8", "int16": "i16", "uint16": "i16", "int32": "i32", "uint32": "i32",
    "int64": "i64", "uint64": "i64", "float16": "f16", "float32": "f32", "float64": "f64", "bfloat16": "bf16",
    "float8_e4m3fn": "f8E4M3FN", "float8_e5m2": "f8E5M2",
}
BF16 = np.dtype(ml_dtypes.bfloat16)
E4M3 = np.dtype(ml_dtypes.float8_e4m3fn)
E5M2 = np.dtype(ml_dtypes.float8_e5m2)

# Every case by name: a function of a random number generator that gives a `Case`.
CASES = {}
# The names of cases that are quick and unlike each other: the tests run them each time.
QUICK = []


@dataclass
class TensorMap:
    """A buffer that is passed as a tensor map; the numbers are in the order of the array's extents."""
    array: np.ndarray
    box: tuple
    swizzle: int = 0


@dataclass
class Case:
    """A compiled kernel, how it is launched, and the contents that buffers should have after the run."""
    ptx: str
    entry: str
    grid: tuple
    workgroup: tuple
    args: list
    # From positions of arguments to arrays.
    expected: dict
    shared: int = 0
    rtol: float = 0.0
    atol: float = 0.0
    # What the report has to contain where the kernel is meant to end with an error.
    fails: str = ""


def case(name, quick=False):
    """Registers the function that makes a case."""
    def add(make):
        assert name not in CASES, f"two cases are called {name}"
        CASES[name] = make
        if quick:
            QUICK.append(name)
        return make
    return add


def generator(name):
    """Random numbers that depend on the name of the case only."""
    return np.random.default_rng(list(name.encode()))


def whole(r, shape, dtype=np.float32, low=-4, high=5):
    """Small integers as numbers of this type: sums and products of them are exact, whatever their order."""
    return r.integers(low, high, shape).astype(dtype)


def normal(r, shape, dtype=np.float32):
    return r.standard_normal(shape).astype(np.float32 if np.dtype(dtype).itemsize < 8 else np.float64).astype(dtype)


def stored(array):
    """An array as `raddle` reads it: complex numbers are pairs of real ones, truth values are bytes."""
    array = np.ascontiguousarray(array)
    if array.dtype.kind == "c":
        return array.view(np.float32 if array.dtype == np.complex64 else np.float64)
    return array.view(np.uint8) if array.dtype == np.bool_ else array


def spelled(array):
    return "x".join(map(str, array.shape)) + "x" + TYPES[array.dtype.name]


def save(name, case, folder):
    """Writes `k.ptx`, `k.json` and the data of a case; gives the flags of `raddle exec` that launch data do not say."""
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "k.ptx"), "w") as file:
        file.write(case.ptx)
    parameters, flags = [], []
    # A tuple is a structure by value, whose members are arguments of their own; launch data do not describe one.
    has_structures = any(isinstance(arg, tuple) for arg in case.args)
    members = [member for arg in case.args for member in (arg if isinstance(arg, tuple) else (arg,))]
    for at, arg in enumerate(members):
        parameter = f"arg{at}"
        if isinstance(arg, np.generic):
            ty = TYPES[arg.dtype.name]
            parameters.append({"name": parameter, "kind": "scalar", "type": ty})
            flags.append(f"--input={ty}={arg.item()!r}")
            continue
        is_map = isinstance(arg, TensorMap)
        array = stored(arg.array if is_map else arg)
        path = os.path.join(folder, f"{parameter}.npy")
        np.save(path, array)
        kind, ty = "tensor_map" if is_map else "buffer", TYPES[array.dtype.name]
        parameters.append({"name": parameter, "kind": kind, "type": ty, "shape": list(array.shape)})
        spec = f"{spelled(array)}=@{path}"
        if is_map:
            spec = f"map[box={'x'.join(map(str, arg.box))},swizzle={arg.swizzle}]:{spec}"
        flags.append(f"--input={spec}")
    if has_structures:
        specs, flags = iter([flag.removeprefix("--input=") for flag in flags]), []
        for arg in case.args:
            flags.append("--input=" + ("{" + "; ".join(next(specs) for _ in arg) + "}" if isinstance(arg, tuple) else next(specs)))
        flags += [f"--entry={case.entry}", f"--shared={case.shared}"]
        flags += [f"--{name}={','.join(map(str, size))}" for name, size in (("grid", case.grid), ("workgroup", case.workgroup))]
    for at, array in case.expected.items():
        at = sum(len(arg) if isinstance(arg, tuple) else 1 for arg in case.args[:at])
        array = stored(array)
        path = os.path.join(folder, f"expected{at}.npy")
        np.save(path, array)
        flags.append(f"--expected_output=arg{at}={spelled(array)}=@{path}")
    kernel = None if has_structures else {
        "name": name, "entry": case.entry, "parameters": parameters,
        "grid": [*case.grid, 1, 1][:3], "workgroup": [*case.workgroup, 1, 1][:3],
        "subgroup": 32, "dynamic_shared_bytes": case.shared,
    }
    if kernel:
        with open(os.path.join(folder, "k.json"), "w") as file:
            json.dump({"version": 1, "kernels": [kernel]}, file, indent=1)
    return flags + [f"--expected_rtol={case.rtol!r}", f"--expected_atol={case.atol!r}"]
