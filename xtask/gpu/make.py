"""Makes a folder of kernels that `bench.py` times on a machine with a GPU: make.py --raddle PROGRAM [--only PART]… [--no-triton] FOLDER"""

import argparse
import hashlib
import json
import os
import subprocess

import programs

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--raddle", required=True)
parser.add_argument("--target", default="sm_80")
parser.add_argument("--only", action="append", default=[], help="part of a program's name")
parser.add_argument("--no-triton", action="store_true")
parser.add_argument("--triton", action="append", type=int, default=[], help="80 or 90: the chip that Triton compiles for")
parser.add_argument("--no-variants", action="store_true")
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


def ours(text, flags):
    """The kernel that raddle makes of a program; a sentence if there is none, or several."""
    source, out = os.path.join(args.folder, "program.mlir"), os.path.join(args.folder, "program.ptx")
    with open(source, "w") as file:
        file.write(text)
    run = subprocess.run([args.raddle, "build", source, f"--target={args.target}", "-o", out, *flags], capture_output=True, text=True)
    if run.returncode:
        return (run.stderr or run.stdout).strip().splitlines()[0]
    data = json.load(open(out.replace(".ptx", ".json")))
    if len(data["kernels"]) != 1:
        return f"{len(data['kernels'])} kernels"
    kernel = data["kernels"][0]
    if any(isinstance(n, str) for n in kernel["grid"]):
        return "an open grid"
    return {"file": keep(open(out).read()), "entry": kernel["entry"], "grid": kernel["grid"], "workgroup": kernel["workgroup"],
            "shared": kernel["dynamic_shared_bytes"], "params": [{"buffer": at} for at in range(len(kernel["parameters"]))]}


cases = []
for program in programs.programs():
    if args.only and not any(part in program.name for part in args.only):
        continue
    kernels = {}
    shared = args.target == "sm_90a"
    variants = {name: text for name, (for_shared, text) in program.variants.items() if for_shared == shared and not args.no_variants}
    texts = {"raddle": program.text} | {f"raddle {name}": text for name, text in variants.items()}
    for name, text in texts.items():
        made = ours(text, program.flags)
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
    fields = ("name", "inputs", "output", "reference", "peer", "flops", "bytes", "tolerance")
    cases.append({field: getattr(program, field) for field in fields} | {"kernels": kernels})
    print(program.name, len(kernels), flush=True)
with open(os.path.join(args.folder, "cases.json"), "w") as file:
    json.dump(cases, file)
