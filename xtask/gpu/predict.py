"""Predicts how long each kernel of programs takes on a chip, without one: predict.py --raddle PROGRAM --tools FOLDER [--chip 80|90]
[--top N] [--measured FILE] FILE.mlir…

Programs are compiled, and each kernel is looked at as in model.py: assembled code, launch, and what one workgroup does in the
executor (the first one, on zeros; whole numbers count). The least that a kernel could take is what its buffers take to be moved once, or its matrix
operations at nine tenths of what the chip does, and START. Kernels are in the order of what they lose against that, in all their
calls. Kernels whose extents only the run knows, or that do not run on these, are named and left out.

`--measured` names the results of `bench_models.py --kernels` on such a chip, of the same programs compiled alike: each kernel's
prediction stands beside its time, those in front that predictions are most microseconds off for, and a mean for each term.
"""

import argparse
import json
import math
import os
import re
import subprocess
import tempfile
from dataclasses import dataclass

import model

REACHED = 0.9


@dataclass
class Row:
    """A kernel of a program: how often it is called, microseconds, the least, what takes most, registers, and bytes that are moved."""

    kernel: dict
    calls: int
    time: float
    least: float
    most: str
    registers: int
    moved: int

    def lost(self):
        return self.calls * (self.time - self.least)


def name_of(kernel):
    shapes = (param for param in kernel["parameters"] if param["kind"] == "buffer")
    return " ".join("x".join(map(str, [*param["shape"], param["type"]])) + ("" if param["access"] == "read" else "!") for param in shapes)


def predicted(args, kernel, calls):
    """A kernel's row; none where the kernel did not run."""
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
    return Row(kernel, calls, clocks / chip.clock * 1e6, least * 1e6, most, code["registers"], moved)


def built(args, path):
    """What raddle makes of a program in the folder: the launch data; if it refuses, what it says."""
    target = "sm_90a" if args.chip == 90 else "sm_80"
    done = subprocess.run([args.raddle, "build", path, f"--target={target}", "-o", os.path.join(args.folder, "k.ptx")], capture_output=True, text=True)
    if done.returncode:
        return done.stderr
    with open(os.path.join(args.folder, "k.json")) as file:
        return json.load(file)


def rows_of(args, data):
    """The kernels that a call of the program calls, those that lose most in front. What only an initializer calls is no part of it."""
    calls = re.findall(r"call @([\w$]+)\(", " ".join(data["hosts"] or []))
    counted = ((kernel, calls.count(kernel["name"]) if data["hosts"] else 1) for kernel in data["kernels"])
    rows = [row for kernel, n in counted if n and (row := predicted(args, kernel, n))]
    return sorted(rows, key=lambda row: -row.lost())


def show(args, path):
    with tempfile.TemporaryDirectory() as args.folder:
        data = built(args, path)
        if isinstance(data, str):
            return print(data)
        rows = rows_of(args, data)
        if args.measured:
            return compare(args, path, rows)
        total, least = sum(row.calls * row.time for row in rows), sum(row.calls * row.least for row in rows)
        print(f"{path}: {total:.0f} us predicted, {least:.0f} at least, {len(rows)} kernels")
        print("| kernel | calls | us | at least | most of it | workgroups | threads | registers | buffers |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
        for row in rows[: args.top]:
            kernel = row.kernel
            cells = [kernel["name"], row.calls, f"{row.time:.1f}", f"{row.least:.1f}", row.most, math.prod(kernel["grid"]), math.prod(kernel["workgroup"]),
                     row.registers, name_of(kernel)]
            print("|", " | ".join(map(str, cells)), "|")


def timed(args, path):
    """The microseconds of one launch of each kernel of a file."""
    name = os.path.splitext(os.path.basename(path))[0]
    with open(args.measured) as file:
        models = [row for row in json.load(file) if re.sub(r"\W", "_", row["model"]) == name and row.get("raddle")]
    return {kernel: all / launches for row in models for kernel, launches, all in row["raddle"]["kernels"] if launches}


def compare(args, path, rows):
    times = timed(args, path)
    found = [(row.calls, row.time, times[row.kernel["name"]], row.most, row.kernel) for row in rows if row.kernel["name"] in times]
    found.sort(key=lambda row: -row[0] * abs(row[1] - row[2]))
    print(f"{path}: {sum(n * time for n, time, *_ in found):.0f} us predicted, {sum(n * own for n, _, own, *_ in found):.0f} measured, {len(found)} kernels")
    print("| kernel | calls | predicted | measured | ratio | most of it | workgroups | threads | buffers |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for n, time, own, most, kernel in found[: args.top]:
        cells = [kernel["name"], n, f"{time:.1f}", f"{own:.1f}", f"{time / own:.2f}", most, math.prod(kernel["grid"]), math.prod(kernel["workgroup"]), name_of(kernel)]
        print("|", " | ".join(map(str, cells)), "|")
    for most in sorted({row[3] for row in found}):
        ratios = [time / own for _, time, own, other, _ in found if other == most]
        print(f"most of it {most}: predicted / measured: geometric mean of {len(ratios)} {model.mean(ratios):.2f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--raddle", required=True)
    parser.add_argument("--tools", required=True, help="a folder with ptxas and nvdisasm")
    parser.add_argument("--chip", type=int, default=90, choices=model.CHIPS)
    parser.add_argument("--top", type=int, default=10, help="kernels that are shown")
    parser.add_argument("--measured", help="results of `bench_models.py --kernels`")
    parser.add_argument("files", nargs="+")
    args = parser.parse_args()
    for path in args.files:
        show(args, path)
