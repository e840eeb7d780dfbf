"""Where NVIDIA's packages are, and where the CUDA sources of the cases are."""

import glob
import os

import nvidia

SOURCES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "cuda")


def found(pattern):
    """A file or folder of NVIDIA's packages."""
    for folder in nvidia.__path__:
        paths = sorted(glob.glob(os.path.join(folder, "*", pattern)))
        if paths:
            return paths[0]
    raise ImportError(f"NVIDIA's packages have no {pattern}")
