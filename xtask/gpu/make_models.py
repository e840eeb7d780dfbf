"""Exports the models and compiles them: make_models.py --raddle PROGRAM --iree-compile PROGRAM [--target CHIP] [--only PART]… FOLDER

Needs PyTorch, torchvision and iree-turbine; IREE's compiler turns torch operations into linalg, raddle does the rest.
A model that the folder holds as MLIR is not exported again.
"""

import argparse
import os
import subprocess

import torch

import models

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--raddle", required=True)
parser.add_argument("--iree-compile", default="iree-compile")
parser.add_argument("--target", default="sm_90a")
parser.add_argument("--only", action="append", default=[], help="part of a model's name")
parser.add_argument("folder")
args = parser.parse_args()
os.makedirs(args.folder, exist_ok=True)


def export(name, path):
    import iree.turbine.aot as aot
    from iree.turbine.aot.decompositions import current_aot_decompositions

    module, inputs = models.model(name)
    aot.externalize_module_parameters(module)
    with torch.no_grad():
        program = torch.export.export(module, tuple(inputs), strict=False).run_decompositions(current_aot_decompositions())
        text = str(aot.export(program).mlir_module)
    with open(path + ".torch", "w") as file:
        file.write(text)
    command = [args.iree_compile, "--iree-input-type=torch", "--compile-to=input", path + ".torch", "-o", path]
    subprocess.run(command, check=True)
    os.remove(path + ".torch")


for name in models.MODELS:
    if args.only and not any(part in name for part in args.only):
        continue
    path = os.path.join(args.folder, models.file_name(name) + ".mlir")
    if not os.path.exists(path):
        export(name, path)
    subprocess.run([args.raddle, "build", path, f"--target={args.target}", "-o", path.replace(".mlir", ".ptx")], check=True)
    print(name, flush=True)
