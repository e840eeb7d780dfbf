"""Predicts how long the layers of layers.py take on a chip, without one: predict_layers.py --raddle PROGRAM --tools FOLDER
--iree-compile PROGRAM [--chip 80|90] [--type f16|f32]… [--only PART]… [--before RESULTS] [--jobs N] FOLDER

Each layer is a program of its own (export.py), whose kernels are predicted as predict.py does. The least that it could take is what
its arguments and results take to be moved once, or its products at nine tenths of what the chip does (those of f32 by threads), and
one START: nothing in between goes through memory. Layers are in the order of what they take against that; the products of causal
attention count as a whole, so that it may take less.

The folder keeps programs, and what was predicted of the kernels that a program became, so that a layer is predicted again where
its kernels change. `layers.json` in it has the results; `--before` names that of another compiler, which stands beside them.
"""

import argparse
import hashlib
import json
import os
import tempfile
from concurrent.futures import ThreadPoolExecutor

import torch

import layers
import model
import predict
from export import export
from models import file_name

TYPES = {"f16": torch.float16, "f32": torch.float32}


def exported(args, name):
    """The file of a layer's program, and its work; a sentence where it cannot be exported."""
    layer, elem = name.rsplit(" ", 1)
    path = os.path.join(args.folder, file_name(name) + ".mlir")

    def make():
        try:
            module, inputs = layers.layer(layer, TYPES[elem])
            work = layers.work(module, inputs)
            export(module, inputs, path, args.iree_compile, layers.WRITTEN_OUT)
            return work
        except Exception as error:  # Whatever PyTorch, turbine or IREE cannot do with a layer.
            return f"not exported: {(str(error).strip() or repr(error)).splitlines()[0]}"

    return path, model.kept(path.replace(".mlir", ".work.json"), make)


def rows(args, path):
    """Calls, microseconds, what takes most and bytes of each kernel of a program; what raddle says where it refuses."""
    with tempfile.TemporaryDirectory() as folder:
        own = argparse.Namespace(**vars(args) | {"folder": folder})
        data = predict.built(own, path)
        if isinstance(data, str):
            return data.strip().splitlines()[0]
        with open(os.path.join(folder, "k.ptx")) as file:
            code = hashlib.sha256((file.read() + json.dumps(data)).encode()).hexdigest()[:16]

        def make():
            found = predict.rows_of(own, data)
            return [(row.calls, row.time, row.most, row.moved, predict.name_of(row.kernel)) for row in found]

        return model.kept(path.replace(".mlir", f".{code}.{args.chip}.json"), make)


def result(args, name):
    """Microseconds, the least, the number of kernels and the one that takes most; a sentence where there are none."""
    path, work = exported(args, name)
    found = rows(args, path) if not isinstance(work, str) else work
    if isinstance(found, str) or not found:
        return found or "no kernel was executed"
    chip, (moved, operations) = model.CHIPS[args.chip], work
    per_clock = chip.matrix_shared if name.endswith("f16") else chip.threads
    # Of a table of which some rows are read, no more than these.
    moved = min(moved, sum(calls * own for calls, _, _, own, _ in found))
    least = max(moved / chip.memory, operations / (predict.REACHED * per_clock * chip.processors * chip.clock)) + model.START / chip.clock
    calls, time, most, _, buffers = max(found, key=lambda row: row[0] * row[1])
    return sum(row[0] * row[1] for row in found), least * 1e6, sum(row[0] for row in found), f"{calls * time:.1f} {most}: {buffers}"


def show(args, names):
    before = {}
    if args.before:
        with open(args.before) as file:
            before = json.load(file)
    for name in names:
        exported(args, name)
    with ThreadPoolExecutor(args.jobs) as pool:
        results = dict(zip(names, pool.map(lambda name: result(args, name), names)))
    with open(os.path.join(args.folder, "layers.json"), "w") as file:
        json.dump(results, file, indent=1)
    good = {name: of for name, of in results.items() if not isinstance(of, str)}
    print("| layer | us | before | at least | ratio | kernels | the longest |\n| --- | --- | --- | --- | --- | --- | --- |")
    for name, (time, least, kernels, longest) in sorted(good.items(), key=lambda item: -item[1][0] / item[1][1]):
        was = before.get(name)
        was = f"{was[0]:.1f}" if was and not isinstance(was, str) else "-"
        print("|", " | ".join([name, f"{time:.1f}", was, f"{least:.1f}", f"{time / least:.2f}", str(kernels), longest]), "|")
    for name, why in results.items():
        if isinstance(why, str):
            print(f"{name}: {why}")
    if good:
        print(f"geometric mean of {len(good)} layers over the least: {model.mean([time / least for time, least, *_ in good.values()]):.2f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--raddle", required=True)
    parser.add_argument("--tools", required=True, help="a folder with ptxas and nvdisasm")
    parser.add_argument("--iree-compile", default="iree-compile")
    parser.add_argument("--chip", type=int, default=80, choices=model.CHIPS)
    parser.add_argument("--type", action="append", choices=TYPES, help="of the floating-point numbers; f16 and f32 if none is said")
    parser.add_argument("--only", action="append", default=[], help="part of a layer's name")
    parser.add_argument("--before", help="`layers.json` of another compiler")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("folder")
    args = parser.parse_args()
    os.makedirs(args.folder, exist_ok=True)
    names = [f"{name} {elem}" for elem in args.type or TYPES for name in layers.NAMES]
    show(args, [name for name in names if not args.only or any(part in name for part in args.only)])
