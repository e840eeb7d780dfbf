"""Compiled kernels, loaded by the CUDA driver and launched on PyTorch's stream."""

import ctypes as C
import os

import torch

driver = C.CDLL("libcuda.so.1")


def check(status, what):
    if status:
        text = C.c_char_p()
        driver.cuGetErrorString(status, C.byref(text))
        raise RuntimeError(f"{what}: {text.value.decode() if text.value else status}")


class Early(C.Structure):
    """`CUlaunchAttribute`: the kernel may begin before the one in front of it is done, for which it waits itself."""
    _fields_ = [("id", C.c_int), ("pad", C.c_int), ("value", C.c_int), ("rest", C.c_int * 15)]


class LaunchConfig(C.Structure):
    """`CUlaunchConfig`"""
    _fields_ = [("grid", C.c_uint * 3), ("workgroup", C.c_uint * 3), ("shared", C.c_uint), ("stream", C.c_void_p),
                ("attributes", C.POINTER(Early)), ("count", C.c_uint)]


class Module:
    """The kernels of a PTX file, or of the `.cubin` beside it that somebody assembled already."""

    def __init__(self, path):
        torch.zeros(1, device="cuda")
        self.handle = C.c_void_p()
        assembled = os.path.splitext(path)[0] + ".cubin"
        with open(path, "rb") as file:
            text = file.read() + b"\0"
        # Whether all kernels wait for those in front of them.
        self.waits = text.count(b"griddepcontrol.wait") == text.count(b".entry ") > 0
        if os.path.exists(assembled):
            with open(assembled, "rb") as file:
                text = file.read()
        log = C.create_string_buffer(4096)
        options, values = (C.c_int * 2)(5, 6), (C.c_void_p * 2)(C.addressof(log), 4096)
        status = driver.cuModuleLoadDataEx(C.byref(self.handle), text, 2, options, values)
        if status:
            print(log.value.decode()[:500])
        check(status, "load")
        self.functions = {}

    def function(self, entry, shared):
        """The function of a kernel, with registers and bytes of local memory of a thread."""
        if entry not in self.functions:
            function, n, facts = C.c_void_p(), C.c_int(), []
            check(driver.cuModuleGetFunction(C.byref(function), self.handle, entry.encode()), "find")
            if shared > 48 << 10:
                check(driver.cuFuncSetAttribute(function, 8, shared), "shared memory")
            for attribute in (4, 3):
                check(driver.cuFuncGetAttribute(C.byref(n), attribute, function), "ask")
                facts.append(n.value)
            self.functions[entry] = function, facts
        return self.functions[entry]

    def launcher(self, entry, grid, workgroup, shared, words, early=False):
        """Launches a kernel on words, which are kept; `early` lets it begin before the one in front of it is done, if it waits for that."""
        pointers = (C.c_void_p * len(words))(*map(C.addressof, words))
        function, _ = self.function(entry, shared)

        attribute = Early(6, 0, 1)

        def launch(keep=words):
            stream = C.c_void_p(torch.cuda.current_stream().cuda_stream)
            if early and self.waits:
                config = LaunchConfig((C.c_uint * 3)(*grid), (C.c_uint * 3)(*workgroup), shared, stream, C.pointer(attribute), 1)
                check(driver.cuLaunchKernelEx(C.byref(config), function, pointers, None), "launch")
                return
            check(driver.cuLaunchKernel(function, *grid, *workgroup, shared, stream, pointers, None), "launch")

        return launch


def address(tensor):
    return C.c_uint64(tensor.data_ptr())
