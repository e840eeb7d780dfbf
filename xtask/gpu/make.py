"""Makes a folder of kernels that `bench.py` times on a machine with a GPU: make.py --raddle PROGRAM [--only PART]… [--no-triton] FOLDER"""

import argparse
import hashlib
import json
import os
import re
import subprocess
import sys

import programs

sys.path.append(os.path.join(os.path.dirname(__file__), "../foreign"))
from iree_dispatch import dispatch

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--raddle", required=True)
parser.add_argument("--target", default="sm_80")
parser.add_argument("--only", action="append", default=[], help="part of a program's name")
parser.add_argument("--no-triton", action="store_true")
parser.add_argument("--triton", action="append", type=int, default=[], help="80 or 90: the chip that Triton compiles for")
parser.add_argument("--iree-compile", help="IREE's compiler, which makes a kernel for sm_80 of the same text")
parser.add_argument("--no-variants", action="store_true")
parser.add_argument("--shapes", action="store_true", help="only the programs that the static model compares")
parser.add_argument("folder")
args = parser.parse_args()
args.triton = args.triton or [80]
os.makedirs(args.folder, exist_ok=True)


def keep(ptx):
    """Writes a text once, under the name of its contents."""
    name = hashlib.sha256(ptx.encode()).hexdigest()[:16] + ".ptx"
    with open(os.path.join(args.folder, name), "w") as file:
        file.write(ptx)
    return name


def ours(program, text):
    """The kernels that raddle makes of a program, in their order; a sentence if there is none, or more than a chain of them."""
    source, out = os.path.join(args.folder, "program.mlir"), os.path.join(args.folder, "program.ptx")
    with open(source, "w") as file:
        file.write(text)
    run = subprocess.run([args.raddle, "build", source, f"--target={args.target}", "-o", out, *program.flags], capture_output=True, text=True)
    if run.returncode:
        return (run.stderr or run.stdout).strip().splitlines()[0]
    data = json.load(open(out.replace(".ptx", ".json")))
    if any(isinstance(n, str) for kernel in data["kernels"] for n in kernel["grid"]):
        return "an open grid"
    file = keep(open(out).read())
    # What each kernel takes and gives: arguments, the result, and tensors in between.
    n_args, temporaries = len(program.inputs), []
    chain = [(data["kernels"][0], list(range(n_args + 1)))]
    if len(data["kernels"]) > 1:
        host = data["hosts"][0]
        calls = re.findall(r"(%\w+) = call @(\w+)\((.*)\) :", host)
        if len(calls) != len(data["kernels"]) or f"return {calls[-1][0]} :" not in host:
            return f"{len(data['kernels'])} kernels that are not chain"
        place = {f"%arg{at}": at for at in range(n_args)} | {calls[-1][0]: n_args}
        chain = []
        for result, name, operands in calls:
            kernel = next(kernel for kernel in data["kernels"] if kernel["name"] == name)
            if result not in place:
                place[result] = n_args + 1 + len(temporaries)
                temporaries.append((kernel["parameters"][-1]["shape"], kernel["parameters"][-1]["type"]))
            chain.append((kernel, [place[name] for name in (*operands.split(", "), result)]))
    launches = [{"file": file, "entry": kernel["entry"], "grid": kernel["grid"], "workgroup": kernel["workgroup"],
                 "shared": kernel["dynamic_shared_bytes"], "params": [{"buffer": at} for at in buffers]} for kernel, buffers in chain]
    return launches[0] | {"then": launches[1:], "temporaries": temporaries}


cases = []
for program in programs.programs():
    if args.only and not any(part in program.name for part in args.only):
        continue
    if args.shapes and program.name not in programs.SHAPES:
        continue
    kernels = {}
    shared = args.target == "sm_90a"
    variants = {name: text for name, (for_shared, text) in program.variants.items() if for_shared == shared and not args.no_variants}
    texts = {"raddle": program.text} | {f"raddle {name}": text for name, text in variants.items()}
    for name, text in texts.items():
        made = ours(program, text)
        if isinstance(made, str):
            print(f"{program.name}: {name}: {made}")
        else:
            kernels[name] = made
    if program.triton and not args.no_triton:
        import peers
        for chip in args.triton:
            peers.chip = chip
            for name, made in peers.kernels(*program.triton):
                made = dict(made)
                made["file"] = keep(made.pop("ptx"))
                kernels[name.replace("triton", f"triton{chip}")] = made
    if args.iree_compile:
        try:
            made = dispatch(args.iree_compile, program.text, 80)
            made["file"] = keep(made.pop("ptx"))
            kernels["iree"] = made | {"params": [{"buffer": at} for at in range(len(program.inputs) + 1)]}
        except ValueError as error:
            print(f"{program.name}: iree: {error}")
    fields = ("name", "inputs", "output", "reference", "peer", "flops", "bytes", "tolerance")
    cases.append({field: getattr(program, field) for field in fields} | {"kernels": kernels})
    print(program.name, len(kernels), flush=True)
with open(os.path.join(args.folder, "cases.json"), "w") as file:
    json.dump(cases, file)
