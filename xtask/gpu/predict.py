"""Predicts how long each kernel of programs takes on a chip, without one: predict.py --raddle PROGRAM --tools FOLDER [--chip 80|90]
[--top N] FILE.mlir…

Programs are compiled, and each kernel is looked at as in model.py: assembled code, launch, and what one workgroup does in the
executor (the first one, on zeros). The least that a kernel could take is what its buffers take to be moved once, or its matrix
operations at nine tenths of what the chip does, and START. Kernels are in the order of what they lose against that, in all their
calls. Kernels whose extents only the run knows, or that do not run on zeros, are named and left out.
"""

import argparse
import json
import math
import os
import re
import subprocess
import tempfile

import model

REACHED = 0.9


def name_of(kernel):
    shapes = (param for param in kernel["parameters"] if param["kind"] == "buffer")
    return " ".join("x".join(map(str, [*param["shape"], param["type"]])) + ("" if param["access"] == "read" else "!") for param in shapes)


def predicted(args, kernel):
    """Microseconds, the least, and what takes most; none where the kernel did not run."""
    chip, buffers, params = model.CHIPS[args.chip], [], []
    extents = [extent for param in kernel["parameters"] for extent in param.get("shape", [])]
    if not all(isinstance(n, int) for n in kernel["grid"] or [None]) or any(extent < 0 for extent in extents):
        print(f"{kernel['name']}: only the run knows its extents")
        return None
    for param in kernel["parameters"]:
        if param["kind"] == "buffer":
            params.append({"buffer": len(buffers)})
            buffers.append((param["shape"], param["type"]))
        else:
            params.append({"i32": 1} if param["type"] == "i32" else {"i64": 1})
    step = {"file": "k.ptx", "entry": kernel["entry"], "grid": kernel["grid"], "workgroup": kernel["workgroup"],
            "shared": kernel["dynamic_shared_bytes"], "params": params}
    counts = model.executed(args, {"name": kernel["name"]}, step, buffers)
    if counts is None:
        return None
    code = model.assembled(args, step)
    # Nothing is moved that no workgroup asks for, as of a table of which some rows are read.
    asked = counts["lines"] * 128 * math.prod(step["grid"])
    moved = min(sum(math.prod(shape) * model.SIZES.get(elem, 4) for shape, elem in buffers), asked)
    clocks, terms = model.clocks(chip, step, code, counts, moved)
    # What the matrix units do for one workgroup, at the rate of its own instructions.
    operations = terms["matrix"] * (chip.matrix_shared if code["from_shared"] else chip.matrix) * math.prod(step["grid"])
    rate = REACHED * chip.matrix_shared * chip.processors * chip.clock
    least = max(moved / chip.memory, operations / rate) + model.START / chip.clock
    most = max((name for name in terms if name not in ("held", "busiest")), key=terms.get)
    return clocks / chip.clock * 1e6, least * 1e6, most, code["registers"]


def show(args, path):
    with tempfile.TemporaryDirectory() as folder:
        args.folder = folder
        target = "sm_90a" if args.chip == 90 else "sm_80"
        done = subprocess.run([args.raddle, "build", path, f"--target={target}", "-o", os.path.join(folder, "k.ptx")], capture_output=True, text=True)
        if done.returncode:
            return print(done.stderr)
        with open(os.path.join(folder, "k.json")) as file:
            data = json.load(file)
        calls = re.findall(r"call @([\w$]+)\(", " ".join(data["hosts"] or []))
        rows = []
        for kernel in data["kernels"]:
            found = predicted(args, kernel)
            if found:
                rows.append((max(1, calls.count(kernel["name"])), *found, kernel))
        rows.sort(key=lambda row: row[0] * (row[2] - row[1]))
        total, least = (sum(row[0] * row[at] for row in rows) for at in (1, 2))
        print(f"{path}: {total:.0f} us predicted, {least:.0f} at least, {len(rows)} kernels")
        print("| kernel | calls | us | at least | most of it | workgroups | threads | registers | buffers |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
        for n, time, bound, most, registers, kernel in rows[: args.top]:
            cells = [kernel["name"], n, f"{time:.1f}", f"{bound:.1f}", most, math.prod(kernel["grid"]), math.prod(kernel["workgroup"]), registers, name_of(kernel)]
            print("|", " | ".join(map(str, cells)), "|")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--raddle", required=True)
    parser.add_argument("--tools", required=True, help="a folder with ptxas and nvdisasm")
    parser.add_argument("--chip", type=int, default=90, choices=model.CHIPS)
    parser.add_argument("--top", type=int, default=10, help="kernels that are shown")
    parser.add_argument("files", nargs="+")
    args = parser.parse_args()
    for path in args.files:
        show(args, path)
