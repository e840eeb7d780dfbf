"""The one kernel that IREE makes of a program on tensors, with its launch data."""

import glob
import os
import re
import subprocess
import tempfile


def dispatch(compiler, text, sm):
    """PTX, entry, grid, workgroup and bytes of shared memory; an error where the program becomes several kernels."""
    with tempfile.TemporaryDirectory() as folder:
        source, targets = os.path.join(folder, "k.mlir"), os.path.join(folder, "targets.mlir")
        with open(source, "w") as file:
            file.write(text)
        flags = [compiler, source, "--iree-hal-target-backends=cuda", f"--iree-cuda-target=sm_{sm}",
                 "--iree-input-demote-f64-to-f32=false"]
        for more in (["--compile-to=executable-targets", "-o", targets],
                     [f"--iree-hal-dump-executable-files-to={folder}", "-o", os.devnull]):
            ran = subprocess.run([*flags, *more], capture_output=True, text=True)
            if ran.returncode != 0:
                raise ValueError(next((line for line in ran.stderr.splitlines() if "error" in line), "no message"))
        with open(targets) as file:
            launch = file.read()
        codes = glob.glob(os.path.join(folder, "*.ptx"))
        if len(codes) != 1:
            raise ValueError(f"the program became {len(codes)} dispatches")
        with open(codes[0]) as file:
            ptx = file.read()
        if ptx.count(".visible .entry") != 1:
            raise ValueError("the program became several kernels")
    export = launch[launch.index("hal.executable.export"):]
    export = export[:export.index("builtin.module")]
    numbers = {name: int(value) for name, value in re.findall(r"(%\w+) = arith.constant (\d+) : index", export)}
    grid = [numbers[name] for name in re.search(r"hal.return (%\w+), (%\w+), (%\w+)", export).groups()]
    workgroup = [int(n) for n in re.findall(r"\d+", re.search(r"workgroup_size = \[(.*?)\]", export)[1].replace(": index", ""))]
    shared = re.search(r"workgroup_local_memory = (\d+)", export)
    return {"ptx": ptx, "entry": re.search(r"\.entry (\w+)", ptx)[1], "grid": tuple(grid), "workgroup": tuple(workgroup),
            "shared": int(shared[1]) if shared else 0}
