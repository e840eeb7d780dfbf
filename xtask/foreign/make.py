"""Makes the kernels of other producers, each in a folder with its data, and `cases.txt`, which says what became of each.

    make.py OUT [--only PART]… [--quick] [--producer NAME]…

A line of `cases.txt` has a name, an error (empty if the kernel was made) and the finding that is expected of a run
(empty if there should be none), between tabs; the file `flags` of a case has the flags of `raddle exec`, one a line.
"""

import argparse
import importlib
import os
import sys
import traceback

import case

PRODUCERS = ["triton", "triton_tensor", "triton_memory", "gluon", "numba", "iree", "nvcc", "nvrtc", "cutedsl", "warp",
             "tinygrad", "halide", "slang", "tilelang"]
# It needs PyTorch, some gigabytes, which are only asked for where somebody has installed them.
OPTIONAL = ["tilelang"]


def main():
    flags = argparse.ArgumentParser()
    flags.add_argument("out")
    flags.add_argument("--only", action="append", default=[])
    flags.add_argument("--producer", action="append", default=[])
    flags.add_argument("--quick", action="store_true")
    flags = flags.parse_args()
    os.makedirs(flags.out, exist_ok=True)
    # Triton keeps what it compiles; elsewhere it would be found again after its sources have changed.
    os.environ["TRITON_CACHE_DIR"] = os.path.join(flags.out, "triton-cache")
    os.environ["WARP_CACHE_PATH"] = os.path.join(flags.out, "warp-cache")
    os.environ["TILELANG_CACHE_DIR"] = os.path.join(flags.out, "tilelang-cache")
    # The default of Triton 3.9, which says on each start that it will change.
    os.environ["TRITON_DEFAULT_FP_FUSION"] = "1"
    with open(os.path.join(flags.out, "cases.txt"), "w") as report:
        for producer in flags.producer or PRODUCERS:
            try:
                importlib.import_module(f"{producer}_cases")
            except ImportError as error:
                if producer in OPTIONAL and not flags.producer:
                    continue
                print(f"{producer}_cases\t{one_line(error)}\t", file=report, flush=True)
        for name, make in case.CASES.items():
            if flags.only and not any(part in name for part in flags.only) or flags.quick and name not in case.QUICK:
                continue
            error = fails = ""
            try:
                made = make(case.generator(name))
                fails = made.fails
                folder = os.path.join(flags.out, name)
                lines = case.save(name, made, folder)
                with open(os.path.join(folder, "flags"), "w") as file:
                    file.write("\n".join(lines))
            except Exception as problem:  # What a producer refuses is reported with the case.
                traceback.print_exc(file=sys.stderr)
                error = one_line(problem)
            print(f"{name}\t{error}\t{fails}", file=report, flush=True)


def one_line(error):
    return " ".join(f"{type(error).__name__}: {error}".split())[:200]


main()
