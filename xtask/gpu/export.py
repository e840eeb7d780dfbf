"""Writes modules of PyTorch as programs that raddle reads: iree-turbine exports them, and IREE's compiler turns torch operations into
linalg.
"""

import os
import subprocess

import torch


def export(module, inputs, path, iree_compile, written_out={}):
    import iree.turbine.aot as aot
    from iree.turbine.aot.decompositions import current_aot_decompositions

    aot.externalize_module_parameters(module)
    with torch.no_grad():
        program = torch.export.export(module, tuple(inputs), strict=False).run_decompositions(current_aot_decompositions() | written_out)
        text = str(aot.export(program).mlir_module)
    with open(path + ".torch", "w") as file:
        file.write(text)
    command = [iree_compile, "--iree-input-type=torch", "--compile-to=input", path + ".torch", "-o", path]
    subprocess.run(command, check=True)
    os.remove(path + ".torch")
