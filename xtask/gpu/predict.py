"""Predicts how long each kernel of programs takes on a chip, without one: predict.py --raddle PROGRAM --tools FOLDER [--chip 80|90]
[--extents N|NAME=N,…] [--top N] [--measured FILE] FILE.mlir…

Programs are compiled, and each kernel is looked at as in model.py: assembled code, launch, and what one workgroup does in the
executor (the first one, on zeros; whole numbers count). The least that a kernel could take is what its buffers take to be moved once, or its matrix
operations at nine tenths of what the chip does, and START. Kernels are in the order of what they lose against that, in all their
calls. `--extents` says what extents and numbers are that only the run knows: one number for all, or one for each name that the
launch data have for it. Kernels that need others, or that do not run on zeros, are named and left out.

`--measured` names the results of `bench_models.py --kernels` on such a chip, of the same programs compiled alike: each kernel's
prediction stands beside its time, those in front that predictions are most microseconds off for, and a mean for each term.
"""

import argparse
import ast
import collections
import json
import math
import operator
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


OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod,
             ast.MatMult: lambda a, b: -(-a // b)}


def number(text, names):
    """The value of a number or an expression of launch data; KeyError where it needs a name that has none."""

    def value(node):
        match node:
            case ast.Constant():
                return node.value
            case ast.Name():
                return names[node.id]
            case ast.UnaryOp(op=ast.USub()):
                return -value(node.operand)
            case ast.Call():
                return {"min": min, "max": max}[node.func.id](map(value, node.args))
        return OPERATORS[type(node.op)](value(node.left), value(node.right))

    # Python has no operators of these names; its own for matrices binds as they do.
    text = str(text).replace("ceildiv", "@").replace("floordiv", "//").replace("mod", "%")
    return value(ast.parse(text, mode="eval").body)


def numbers_of(function, given):
    """The numbers among the parameters of a function or a kernel, as `--extents` gives them."""
    params = (param for param in function["parameters"] if param["kind"] != "buffer")
    if given.isdecimal():
        return {param["name"]: int(given) for param in params}
    return {name: int(n) for name, n in (text.split("=") for text in given.split(",") if text)}


def calls_of(data, given):
    """The kernels that a call of the program calls, with the numbers that each is given, and how often it is. What only an
    initializer calls is no part of it."""
    kernels = {kernel["name"]: kernel for kernel in data["kernels"]}
    calls = collections.Counter()
    if not data["sequences"]:
        names = re.findall(r"call @([\w$]+)\(", " ".join(data["hosts"])) if data["hosts"] else kernels
        calls.update((name, tuple(numbers_of(kernels[name], given).items())) for name in names if name in kernels)
    for sequence in data["sequences"]:
        names = numbers_of(sequence, given)
        try:
            for at, text in enumerate(sequence["numbers"]):
                names[f"n{at}"] = number(text, names)
        except KeyError:
            pass  # The kernels that need it are named.
        for step in (step for step in sequence["steps"] if "kernel" in step):
            numbers = {}
            for param, arg in zip(kernels[step["kernel"]]["parameters"], step["arguments"]):
                if param["kind"] != "buffer":
                    try:
                        numbers[param["name"]] = number(arg["number"] if "number" in arg else arg["parameter"], names)
                    except KeyError:
                        continue
            calls[step["kernel"], tuple(numbers.items())] += 1
    return [(kernels[name], dict(numbers), n) for (name, numbers), n in calls.items()]


def predicted(args, kernel, numbers, calls):
    """A kernel's row, for these values of its numbers; none where the kernel did not run."""
    chip, buffers, params = model.CHIPS[args.chip], [], []
    extents = {(param["of"], param["dimension"]): param["name"] for param in kernel["parameters"] if param["kind"] == "extent"}
    try:
        for param in kernel["parameters"]:
            if param["kind"] == "buffer":
                params.append({"buffer": len(buffers)})
                shape = [n if n >= 0 else numbers[extents[param["name"], d]] for d, n in enumerate(param["shape"])]
                buffers.append((shape, param["type"]))
            elif param["type"] == "i32":
                params.append({"i32": numbers.get(param["name"], 1)})
            else:
                params.append({"i64": numbers[param["name"]] if param["kind"] == "extent" else numbers.get(param["name"], 0)})
        grid = [number(text, numbers) for text in kernel["grid"]]
    except (KeyError, TypeError):
        print(f"{kernel['name']}: only the run knows its extents")
        return None
    # Another name for each, as what is counted is kept by it.
    name = "-".join([kernel["name"], *map(str, numbers.values())])
    kernel = kernel | {"grid": grid}
    step = {"file": "k.ptx", "entry": kernel["entry"], "grid": grid, "workgroup": kernel["workgroup"], "shared": kernel["dynamic_shared_bytes"],
            "params": params}
    counts = model.executed(args, {"name": name}, step, buffers)
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
    launches = os.path.join(args.folder, "k.json")
    with open(launches) as file:
        data = json.load(file)
    # The executor is told of launches, and need not read the weights in there for each.
    os.remove(launches)
    return data


def rows_of(args, data):
    """The kernels that a call of the program calls, those that lose most in front."""
    rows = (predicted(args, kernel, numbers, calls) for kernel, numbers, calls in calls_of(data, args.extents))
    return sorted(filter(None, rows), key=lambda row: -row.lost())


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
    parser.add_argument("--extents", default="", help="what only the run knows: one number, or NAME=N for each")
    parser.add_argument("--top", type=int, default=10, help="kernels that are shown")
    parser.add_argument("--measured", help="results of `bench_models.py --kernels`")
    parser.add_argument("files", nargs="+")
    args = parser.parse_args()
    for path in args.files:
        show(args, path)
