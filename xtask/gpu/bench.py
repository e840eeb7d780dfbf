"""Times the kernels of a folder that `make.py` made, beside PyTorch's, on the GPU of this machine: bench.py [--seconds N] [--only PART]… FOLDER

Each kernel is compiled by the driver, checked against a result in double precision, and timed in turns with the others
of its program: several launches over rotating buffers, larger together than the L2 cache, between two events. A kernel
that is slower than twice the best is dropped after the first turn. Clocks and power are left as they are. Rows go to
results.json, in FOLDER or where `--out` says.
"""

import argparse
import ctypes as C
import json
import math
import os
import statistics
import time

import torch

import kernels

started = time.time()
parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--seconds", type=float, default=500)
parser.add_argument("--turns", type=int, default=9)
parser.add_argument("--only", action="append", default=[])
parser.add_argument("--out")
parser.add_argument("folder")
args = parser.parse_args()
TYPES = {"f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32, "f8E4M3FN": torch.float8_e4m3fn}
loaded = {}


def load(kernel):
    """The module of a kernel."""
    file = kernel["file"]
    if file not in loaded:
        loaded[file] = kernels.Module(os.path.join(args.folder, file))
    return loaded[file]


def launcher(kernel, buffers):
    """Launches a kernel, and those that follow it."""
    buffers = [*buffers, *(torch.empty(shape, device="cuda", dtype=TYPES[elem]) for shape, elem in kernel.get("temporaries", []))]
    chain = []
    for step in [kernel, *kernel.get("then", [])]:
        words = []
        for param in step["params"]:
            if "buffer" in param:
                words.append(kernels.address(buffers[param["buffer"]]))
            elif "i32" in param:
                words.append(C.c_int32(param["i32"]))
            else:
                words.append(C.c_uint64(0))
        chain.append(load(step).launcher(step["entry"], step["grid"], step["workgroup"], step["shared"], words))

    def launch(keep=buffers):
        for step in chain:
            step()
    return launch


def seconds_of(launches, count):
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    begin.record()
    for at in range(count):
        launches[at % len(launches)]()
    end.record()
    end.synchronize()
    return begin.elapsed_time(end) / 1e3 / count


class Timed:
    """Launches over rotating buffers; short ones as a graph, so that the host keeps up."""

    def __init__(self, launches):
        self.launches = launches
        for launch in launches:
            launch()
        torch.cuda.synchronize()
        one = min(seconds_of(launches, len(launches)) for _ in range(2))
        self.count = max(3, min(200, int(0.006 / max(one, 1e-7))))
        self.graph = None
        if one < 1e-4:
            self.graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self.graph):
                for at in range(self.count):
                    launches[at % len(launches)]()

    def turn(self):
        if self.graph is None:
            return seconds_of(self.launches, self.count)
        return seconds_of([self.graph.replay], 1) / self.count


def fresh(shape, elem):
    # Narrow enough that sums of 16 bits do not overflow.
    return torch.randn(shape, device="cuda", dtype=torch.float32).to(TYPES[elem])


def peer_of(text, buffers):
    names = dict(zip("abc", buffers[:-1])) | {"torch": torch, "one": torch.ones(1, device="cuda"), "out": buffers[-1]}
    code = compile(text, "peer", "eval")
    return lambda: eval(code, names)


torch.backends.cuda.matmul.allow_tf32 = False
torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction = False
properties = torch.cuda.get_device_properties(0)
results = {"gpu": properties.name, "torch": torch.__version__, "rows": []}
x = torch.empty(1 << 30, device="cuda", dtype=torch.float32).normal_()
y = torch.empty_like(x)
copy = Timed([lambda: y.copy_(x)])
results["copy_bytes_per_second"] = 8 * x.numel() / statistics.median(copy.turn() for _ in range(5))
print(f"{properties.name}; a copy moves {results['copy_bytes_per_second'] / 1e9:.0f} GB/s")
del x, y, copy
torch.cuda.empty_cache()


def save():
    with open(os.path.join(args.out or args.folder, "results.json"), "w") as file:
        json.dump(results, file, indent=0)


for case in json.load(open(os.path.join(args.folder, "cases.json"))):
    if args.only and not any(part in case["name"] for part in args.only):
        continue
    if time.time() - started > args.seconds:
        print("out of time before", case["name"])
        break
    shapes = [*case["inputs"], case["output"]]
    size = sum(math.prod(shape) * torch.empty(0, dtype=TYPES[elem]).element_size() for shape, elem in shapes)
    sets = [[fresh(*shape) for shape in case["inputs"]] + [torch.empty(case["output"][0], device="cuda", dtype=TYPES[case["output"][1]])]
            for _ in range(max(2, min(8, math.ceil(3 * properties.L2_cache_size / size))))]
    exact = eval(case["reference"], {"torch": torch} | dict(zip("abc", sets[0]))).double()
    candidates = {"torch": [peer_of(case["peer"], buffers) for buffers in sets]}
    facts = {}
    for name, kernel in case["kernels"].items():
        try:
            launches = [launcher(kernel, buffers) for buffers in sets]
            sets[0][-1].fill_(float("nan"))
            launches[0]()
            torch.cuda.synchronize()
            error = ((sets[0][-1].double() - exact).norm() / exact.norm()).item()
            first = sets[0][-1].clone()
            launches[0]()
            torch.cuda.synchronize()
            _, (registers, local_bytes) = load(kernel).function(kernel["entry"], kernel["shared"])
            facts[name] = {"error": error, "registers": registers, "local_bytes": local_bytes}
            if not error <= case["tolerance"]:
                print(f"WRONG {case['name']} {name}: relative error {error:.2e}")
                facts[name]["wrong"] = True
            elif not torch.equal(first, sets[0][-1]):
                print(f"UNSTABLE {case['name']} {name}: two launches differ")
                facts[name]["wrong"] = True
            else:
                candidates[name] = launches
        except Exception as problem:
            print(f"FAILED {case['name']} {name}: {problem}")
            facts[name] = {"failed": str(problem)}
            if "illegal" in str(problem) or "misaligned" in str(problem) or "unspecified" in str(problem):
                save()
                raise SystemExit("the GPU's context is lost")
    timed = {name: Timed(launches) for name, launches in candidates.items()}
    samples = {name: [one.turn()] for name, one in timed.items()}
    best = min(times[0] for times in samples.values())
    keep = [name for name in timed if samples[name][0] < 2 * best or name in ("torch", "raddle")]
    for _ in range(args.turns - 1):
        for name in keep:
            samples[name].append(timed[name].turn())
    work = case["flops"] / 1e12 if case["flops"] else case["bytes"] / 1e9
    unit = "TFLOP/s" if case["flops"] else "GB/s"
    row = {"case": case["name"], "unit": unit, "kernels": {}}
    medians = {name: statistics.median(times) for name, times in samples.items()}
    for name, median in sorted(medians.items(), key=lambda pair: pair[1]):
        row["kernels"][name] = {"median_s": median, "min_s": min(samples[name]), "max_s": max(samples[name]), "rate": work / median} | facts.get(name, {})
    results["rows"].append(row | {"failed": {name: fact for name, fact in facts.items() if name not in medians}})
    line = [f"{case['name']:34} {unit:7}"]
    for group in ("torch", "triton80", "triton90", "raddle "):
        of = {name: median for name, median in medians.items() if name.startswith(group)}
        if of:
            name = min(of, key=of.get)
            line.append(f"{name} {work / of[name]:.4g}")
    if "raddle" in medians:
        line.append(f"raddle {work / medians['raddle']:.4g} ({facts['raddle']['registers']} regs, {facts['raddle']['local_bytes']} B local)")
    print(" | ".join(line), flush=True)
    save()
    del sets, timed, candidates, exact, samples
    torch.cuda.empty_cache()
print(f"{time.time() - started:.0f} s")
