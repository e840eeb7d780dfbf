"""Times whole models that `make_models.py` compiled, beside PyTorch, on the GPU of this machine: bench_models.py [--only PART]… [--seconds N] [--compile-only] FOLDER

PyTorch runs a model as it is, and compiled by `torch.compile`; images lie with their channels last, as its convolutions
like them. All three are replayed as CUDA graphs, in turns. Results are compared with the model's in f32 on the same
weights. `--compile-only` fills the caches of `torch.compile`, so that another process finds them.
"""

import argparse
import copy
import json
import os
import re
import statistics
import sys
import time

import torch

import kernels
import models

started = time.time()
parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--only", action="append", default=[], help="part of a model's name")
parser.add_argument("--seconds", type=float, default=500)
parser.add_argument("--turns", type=int, default=15)
parser.add_argument("--compile-only", action="store_true")
parser.add_argument("--no-compile", action="store_true")
parser.add_argument("--kernels", action="store_true", help="say what each kernel takes, too; without `--late`, what it waits is counted")
parser.add_argument("--late", action="store_true", help="let no kernel begin before the one in front of it is done")
parser.add_argument("--out")
parser.add_argument("folder")
args = parser.parse_args()
TYPES = {"f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32, "i64": torch.int64, "i32": torch.int32, "i1": torch.bool, "i8": torch.int8}
torch.backends.cudnn.benchmark = True


class Host:
    """The calls of a host function, over tensors of the GPU."""

    def __init__(self, path, weights):
        artifact = json.load(open(path + ".json"))
        self.weights = weights
        self.kernels = {kernel["name"]: kernel for kernel in artifact["kernels"]}
        self.module = kernels.Module(path + ".ptx")
        self.constants = {}
        # What depends on weights alone is computed once.
        for text in artifact.get("initializers", []):
            if text.startswith("util.initializer"):
                self.carry_out(text.splitlines())
        self.lines = artifact["hosts"][0].splitlines()

    def run(self, *inputs):
        return self.carry_out(self.lines, *inputs)

    def carry_out(self, lines, *inputs):
        last = {name: at for at, line in enumerate(lines) for name in re.findall(r"%[\w]+", line.partition("=")[2] or line)}
        values = {f"%arg{at}": tensor for at, tensor in enumerate(inputs)}
        for at, line in enumerate(lines[1:], 1):
            line = line.strip()
            result, _, text = line.partition(" = ")
            if line.startswith("return"):
                return [values[word] for word in line[len("return "):].partition(" :")[0].split(", ")]
            if text.startswith("util.global.load"):
                values[result] = self.weights[re.match(r'util.global.load @"?(?:__auto\.)?([^\s"]+)', text)[1]]
            elif line.startswith("util.global.store"):
                value, name = re.match(r"util.global.store (%\w+), @(\S+)", line).groups()
                self.weights[name] = values[value]
            elif text.startswith(("tensor.collapse_shape", "tensor.expand_shape")):
                shape = [int(n) for n in re.search(r"into tensor<((?:\d+x)*)", text)[1].split("x")[:-1]]
                values[result] = values[text.split()[1]].reshape(shape)
            elif match := re.match(r"(?:func\.)?call @(\w+)\((.*?)\) :", text):
                self.call(values, result.partition(":")[0], self.kernels[match[1]], match[2])
            elif text.startswith("arith.constant"):
                values[result] = self.constant(line, text)
            elif line not in ("}", "util.return"):
                raise ValueError(f"what is {line}?")
            # Memory is used again as soon as nothing needs it.
            for name in [name for name in values if last.get(name.partition("#")[0], -1) <= at]:
                del values[name]

    def call(self, values, result, kernel, operands):
        given = [values[name] for name in operands.split(", ")] if operands else []
        made = kernel["parameters"][len(given):]
        given += [torch.empty(p["shape"], device="cuda", dtype=TYPES[p["type"]]) for p in made]
        shape = (kernel[field] for field in ("entry", "grid", "workgroup", "dynamic_shared_bytes"))
        self.module.launcher(*shape, list(map(kernels.address, given)), early=not args.late)()
        for at, tensor in enumerate(given[len(given) - len(made):]):
            values[f"{result}#{at}" if len(made) > 1 else result] = tensor

    def constant(self, line, text):
        if line not in self.constants:
            shape, elem = re.search(r": tensor<((?:\d+x)*)(\w+)>$", text).groups()
            shape = [int(n) for n in shape.split("x")[:-1]]
            data = re.match(r"arith.constant dense<(.*)> :", text)[1]
            dtype = TYPES[elem]
            if data.startswith('"0x'):
                tensor = torch.frombuffer(bytearray.fromhex(data[3:-1]), dtype=dtype).reshape(shape)
            elif data.startswith("["):
                tensor = torch.tensor(json.loads(data), dtype=dtype)
            else:
                tensor = torch.full(shape, {"true": 1, "false": 0}.get(data) if data in ("true", "false") else float(data), dtype=dtype)
            self.constants[line] = tensor.cuda()
        return self.constants[line]


class Replayed:
    """A call as a graph, and its results."""

    def __init__(self, call):
        stream = torch.cuda.Stream()
        with torch.cuda.stream(stream):
            for _ in range(3):
                call()
        torch.cuda.synchronize()
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph):
            self.results = call()

    def seconds(self, count):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        for _ in range(count):
            self.graph.replay()
        end.record()
        end.synchronize()
        return begin.elapsed_time(end) / 1e3 / count


def profile(replayed, count=5):
    """What each kernel of a graph takes: its name, launches, and microseconds of all of them."""
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as profiler:
        for _ in range(count):
            replayed.graph.replay()
        torch.cuda.synchronize()
    rows = [(row.key, row.count / count, row.self_device_time_total / count) for row in profiler.key_averages() if row.self_device_time_total]
    return sorted(rows, key=lambda row: -row[2])


def error(got, exact):
    return ((got.double() - exact.double()).norm() / exact.double().norm()).item()


rows = []
for name in models.MODELS:
    if args.only and not any(part in name for part in args.only):
        continue
    if time.time() - started > args.seconds:
        print("out of time before", name)
        break
    path = os.path.join(args.folder, models.file_name(name))
    module, inputs = models.model(name, "cuda")
    many = lambda results: list(results) if isinstance(results, tuple) else [results]
    with torch.inference_mode():
        own = copy.deepcopy(module)
        images = inputs[0].dim() == 4 and len(inputs) == 1
        if images:
            own = own.to(memory_format=torch.channels_last)
        peer_inputs = [tensor.contiguous(memory_format=torch.channels_last) for tensor in inputs] if images else inputs
        calls = {"torch": lambda: many(own(*peer_inputs))}
        if not args.no_compile:
            compiled = torch.compile(own)
            calls["torch.compile"] = lambda: many(compiled(*peer_inputs))
        if args.compile_only:
            calls["torch.compile"]()
            print(f"{name}: compiled, {time.time() - started:.0f} s", flush=True)
            continue
        wide = copy.deepcopy(module).float()
        exact = many(wide(*(tensor.float() if tensor.is_floating_point() else tensor for tensor in inputs)))
        del wide
        host = Host(path, dict(module.state_dict()))
        calls["raddle"] = lambda: host.run(*inputs)
        ready, row = {}, {"model": name, "gpu": torch.cuda.get_device_properties(0).name}
        for kind, call in calls.items():
            try:
                ready[kind] = Replayed(call)
                ready[kind].graph.replay()
                torch.cuda.synchronize()
                row[kind] = {"error": max(map(error, ready[kind].results, exact))}
            except Exception as problem:
                print(f"FAILED {name} {kind}: {problem}")
                if "CUDA error" in str(problem):
                    sys.exit("the GPU's context is lost")
        samples = {kind: [] for kind in ready}
        for _ in range(args.turns):
            for kind, one in ready.items():
                count = max(2, int(0.01 / max(min(samples[kind], default=1e-3), 1e-6)))
                samples[kind].append(one.seconds(min(count, 100)))
        for kind, times in samples.items():
            row[kind] |= {"median_s": statistics.median(times), "min_s": min(times), "max_s": max(times)}
        line = [f"{kind} {row[kind]['median_s'] * 1e6:.0f} us (error {row[kind]['error']:.1e})" for kind in ready]
        print(f"{name}: {', '.join(line)}", flush=True)
        if args.kernels:
            for kind in ready:
                row[kind]["kernels"] = profile(ready[kind])
                print(f"  {kind}:")
                for kernel, count, us in row[kind]["kernels"][:16]:
                    launch = host.kernels.get(kernel)
                    of = f", {launch['grid']} of {launch['workgroup'][0]} threads" if launch else ""
                    print(f"    {count} x {us / count:.1f} us = {us:.1f}  {kernel[:90]}{of}")
        rows.append(row)
        with open(os.path.join(args.out or args.folder, "models-results.json"), "w") as file:
            json.dump(rows, file, indent=0)
        del ready, host, calls, own, module, exact
        torch.cuda.empty_cache()
print(f"{time.time() - started:.0f} s")
