"""Exports the models and compiles them: make_models.py --raddle PROGRAM --iree-compile PROGRAM [--target CHIP] [--only PART]… FOLDER

Needs PyTorch, torchvision and iree-turbine (export.py).
A model that the folder holds as MLIR is not exported again.
"""

import argparse
import os
import subprocess

import models
from export import export

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--raddle", required=True)
parser.add_argument("--iree-compile", default="iree-compile")
parser.add_argument("--target", default="sm_90a")
parser.add_argument("--only", action="append", default=[], help="part of a model's name")
parser.add_argument("folder")
args = parser.parse_args()
os.makedirs(args.folder, exist_ok=True)

for name in models.MODELS:
    if args.only and not any(part in name for part in args.only):
        continue
    path = os.path.join(args.folder, models.file_name(name) + ".mlir")
    if not os.path.exists(path):
        export(*models.model(name), path, args.iree_compile)
    subprocess.run([args.raddle, "build", path, f"--target={args.target}", "-o", path.replace(".mlir", ".ptx")], check=True)
    print(name, flush=True)
