"""Predicts how long the kernels of a folder take on a chip, without one: model.py --raddle PROGRAM --tools FOLDER [--chip 80|90]
[--measured FILE] [--only PART]… FOLDER

One formula with the same constants for every producer. It reads nothing but
 * the assembled code (ptxas, nvdisasm): registers, shared memory, instructions inside and outside of the loop with the most
   matrix instructions, and how many groups of copies are still on their way when that loop waits (the operand of DEPBAR);
 * the launch: grid, threads, shared memory, sizes of the buffers;
 * what `raddle exec --stats` counts in one workgroup: matrix instructions, wavefronts of shared memory, requests to memory,
   lines of 128 bytes that are asked of the L2 cache.

What a processor spends on a workgroup, in clocks:
    matrix    operations of matrix instructions / what the units do in a clock; four warps keep them busy, fewer a part of them
    issue     instructions / 4 schedulers * ISSUE: a warp issues few others in the shadow of its matrix instructions
    shared    wavefronts
    cache     lines * LINE_CLOCKS, whether all of a line is wanted or a sector: rows that begin inside of lines cost more;
              * LOADED_LINE_CLOCKS of a kernel without matrix instructions, whose loads find some of them in the L1 cache
    requests  requests to memory * REQUEST_CLOCKS
    special   exponentials and their like, 16 lanes in a clock
    alone     what it takes if it is alone: in each iteration its own instructions one after another and WAIT clocks for each
              barrier, or the LATENCY of copies / how many iterations these run ahead, whichever is longer
Workgroups that a processor holds together share all but the last. These seven go on side by side, and get into each other's
way where they take equally long (norm of degree 4 of matrix + issue and the others). The processor with the most workgroups
decides; each round of workgroups adds END clocks, and each kernel START. The memory of the chip moves each buffer once, beside
all that, and the chip starts one workgroup after the other, each in WORKGROUP_CLOCKS.

Not in it: lines that loads find in the L1 cache, the order of workgroups and what it does for the L2 cache, power and the clocks
that it costs, spilled registers but for their instructions, workgroups of different length (the mean of those along x stands for
all)."""

import argparse
import json
import math
import os
import re
import subprocess
from dataclasses import dataclass

import numpy

# Fitted to kernels of Triton and ours on one H100, and then fixed; `--measured` compares.
ISSUE = 0.65
LINE_CLOCKS = 2.2
# Compared with 167 kernels of four models of images on an H200.
LOADED_LINE_CLOCKS = 1.2
REQUEST_CLOCKS = 2.4
LATENCY = 1250
WAIT = 20
END = 1000
START = 1800
# Empty workgroups of 32 to 512 threads on an H200: 0.61 ns each.
WORKGROUP_CLOCKS = 1.07
# Bytes of shared memory that each workgroup takes beside its own.
RESERVED = 1024


@dataclass
class Chip:
    processors: int
    clock: float
    memory: float
    shared: int
    # Operations in a clock of one processor, of matrix instructions whose factors are registers, and of others.
    matrix: int
    matrix_shared: int
    # Operations in a clock of one processor by its threads, on f32.
    threads: int


# NVIDIA A100 (40 GB) and H100 (SXM5) whitepapers; memory as a copy moves it (90 % of what they say).
CHIPS = {80: Chip(108, 1.410e9, 1.4e12, 164 << 10, 2048, 2048, 128), 90: Chip(132, 1.755e9, 3.0e12, 228 << 10, 2048, 4096, 256)}
SIZES = {"f16": 2, "bf16": 2, "f32": 4, "f64": 8, "i1": 1, "i8": 1, "i16": 2, "i32": 4, "i64": 8}


def operations(op):
    """Multiplications and additions of one warp's matrix instruction; 0 for others."""
    if extents := re.match(r"[HIQ]GMMA\.(\d+)x(\d+)x(\d+)", op):
        # Four warps make it.
        return 2 * math.prod(map(int, extents.groups())) // 4
    if extents := re.match(r"[HIQ]MMA\.(16)(8)(\d+)", op):
        return 2 * math.prod(map(int, extents.groups()))
    return 0


def counted(ops):
    """What stands in a part of a kernel."""
    left = [int(n[1], 16) for op in ops if (n := re.match(r"DEPBAR\.LE SB0, (0x\w+)", op))]
    starts = {"special": "MUFU", "barriers": "BAR.SYNC", "groups": "LDGDEPBAR", "loads": ("LDG.", "LD.")}
    return {name: sum(op.startswith(start) for op in ops) for name, start in starts.items()} | {
        "all": len(ops), "matrix": sum(operations(op) > 0 for op in ops), "operations": sum(map(operations, ops)), "left": max(left, default=0)}


def code_of(text):
    """A disassembled kernel: all of it, and the loop with the most matrix instructions; of nested ones the inner."""
    ops, labels, loops = [], {}, []
    for line in map(str.strip, text.splitlines()):
        if label := re.match(r"(\.L_\w+):", line):
            labels[label[1]] = len(ops)
        elif inst := re.match(r"/\*\w+\*/\s+(?:@!?U?P\w+\s+)?([A-Z].*?)\s*;", line):
            ops.append(inst[1])
            target = re.match(r"BRA.*`\((\.L_\w+)\)", inst[1])
            if target and target[1] in labels:
                loops.append((labels[target[1]], len(ops)))
    bodies = [counted(ops[begin:end]) for begin, end in loops]
    loop = max((body for body in bodies if body["matrix"]), key=lambda body: (body["matrix"], -body["all"]), default=counted([]))
    return {"all": counted(ops), "loop": loop}


def kept(path, make):
    """What a file holds; it is made if it is missing."""
    if not os.path.exists(path):
        made = make()
        with open(path, "w") as file:
            json.dump(made, file)
    with open(path) as file:
        return json.load(file)


def assembled(args, kernel):
    """What the assembler makes of a kernel."""
    file = os.path.join(args.folder, kernel["file"])

    def make():
        with open(file) as text:
            is_a = ".target sm_90a" in text.read()
        cubin = f"{file}.cubin"
        done = subprocess.run([os.path.join(args.tools, "ptxas"), f"-arch=sm_{args.chip}{'a' if is_a else ''}", "-v", "-o", cubin, file],
                              capture_output=True, text=True, check=True)
        text = subprocess.run([os.path.join(args.tools, "nvdisasm"), "-c", cubin], capture_output=True, text=True, check=True).stdout
        os.remove(cubin)
        codes = dict(re.findall(r"\.section\s+\.text\.([\w$]+),(.*?)(?=\.section\s|\Z)", text, re.S))
        data = {}
        for part in (done.stderr + done.stdout).split("Compiling entry function '")[1:]:
            name = part[:part.index("'")]
            shared = re.search(r"(\d+) bytes smem", part)
            data[name] = code_of(codes[name]) | {"registers": int(re.search(r"Used (\d+) registers", part)[1]), "shared": int(shared[1]) if shared else 0,
                                                 "from_shared": "HGMMA" in codes[name]}
        return data

    return kept(f"{file}.{args.chip}.json", make)[kernel["entry"]]


def executed(args, case, kernel, buffers):
    """What the executor counts in a workgroup; where workgroups differ in length, in all along x."""
    grid = [kernel["grid"][0] if "causal" in case["name"] else 1, 1, 1]

    def run(counts):
        inputs = []
        for at, param in enumerate(kernel["params"]):
            if "buffer" in param:
                shape, elem = buffers[param["buffer"]]
                value = "0"
                if counts and elem in ("i32", "i64"):
                    value = "@" + os.path.join(args.folder, f"counted{at}.npy")
                    numpy.save(value[1:], numpy.arange(math.prod(shape), dtype=elem.replace("i", "int")).reshape(shape))
                inputs.append(f"{'x'.join([*map(str, shape), elem])}={value}")
            else:
                inputs.append(f"i32={param['i32']}" if "i32" in param else f"i64={param['i64']}")
        command = [args.raddle, "exec", os.path.join(args.folder, kernel["file"]), f"--entry={kernel['entry']}", f"--grid={','.join(map(str, grid))}",
                   f"--workgroup={','.join(map(str, kernel['workgroup']))}", f"--shared={kernel['shared']}", "--no-sanitize", "--stats", "--json",
                   "--memory=8G", "--fuel=1000000000000", "--time=150", "--async=eager", *[f"--input={text}" for text in inputs]]
        return json.loads(subprocess.run(command, capture_output=True, text=True).stdout)

    def make():
        # Places, as of a scatter, are better all different; those that would be outside of a tensor are zero.
        data = run(counts=True)
        if not data["ok"]:
            data = run(counts=False)
        if not data["ok"]:
            print(f"{case['name']}, {kernel['entry']}: {data['diagnostics'][0]['message']}")
        return data

    data = kept(os.path.join(args.folder, f"{re.sub('[^0-9a-z]', '_', case['name'])}-{kernel['entry']}-{kernel['file']}.json"), make)
    if not data["ok"]:
        return None
    n, traffic = math.prod(grid), data["traffic"]
    return {"matrix": data["matrix_instructions"] / n, "thread_instructions": data["thread_instructions"] / n, "lines": traffic["lines"] / n,
            "wavefronts": traffic["shared"]["wavefronts"] / n, "requests": (traffic["shared"]["requests"] + traffic["global"]["requests"]) / n}


def together(*clocks):
    """The time of things that go on side by side."""
    return sum(n ** 4 for n in clocks) ** 0.25


def clocks(chip, kernel, code, counts, moved):
    """Clocks of a kernel that moves so many bytes, and what the terms are for one workgroup."""
    threads = math.prod(kernel["workgroup"])
    warps = -(-threads // 32)
    loop, whole = code["loop"], code["all"]
    # Of each warp.
    iterations = max(0, counts["matrix"] / warps - (whole["matrix"] - loop["matrix"])) / loop["matrix"] if loop["matrix"] else 0

    def run(what):
        return whole[what] - loop[what] + iterations * loop[what]

    # Where there are no matrix instructions to count iterations by, instructions of PTX stand for those of the chip.
    instructions = run("all") if whole["matrix"] else counts["thread_instructions"] / 32 / warps
    rate = chip.matrix_shared if code["from_shared"] else chip.matrix
    matrix = warps * run("operations") / rate
    issue = warps * instructions / 4 * ISSUE
    special = warps * run("special") * 2
    line = LINE_CLOCKS if whole["matrix"] else LOADED_LINE_CLOCKS
    shared, cache, requests = counts["wavefronts"], counts["lines"] * line, counts["requests"] * REQUEST_CLOCKS
    own = loop["operations"] / (rate / 4) + loop["all"] - loop["matrix"] + WAIT * (loop["barriers"] + 1)
    # Loads into registers are asked for about half an iteration before they are used.
    ahead = (loop["left"] + 1) / loop["groups"] if loop["groups"] else 2
    arrival = LATENCY / ahead if loop["groups"] or loop["loads"] else 0
    alone = iterations * max(own, arrival)

    registers = -(-code["registers"] * 32 // 256) * 256 * warps
    held = max(1, min(65536 // registers, chip.shared // (kernel["shared"] + code["shared"] + RESERVED), 2048 // threads, 32))
    busiest = math.ceil(math.prod(kernel["grid"]) / chip.processors)

    def round_of(n):
        idle = max(1, 4 / (n * warps)) if n else 0
        return together(n * idle * (matrix + issue), n * idle * special, n * shared, n * cache, n * requests, alone if n else 0)

    work = busiest // held * round_of(held) + round_of(busiest % held) + math.ceil(busiest / held) * END
    terms = {"matrix": matrix, "issue": issue, "special": special, "shared": shared, "cache": cache, "requests": requests, "alone": alone}
    started = math.prod(kernel["grid"]) * WORKGROUP_CLOCKS
    return START + together(work, started, moved / chip.memory * chip.clock), terms | {"held": held, "busiest": busiest}


def seconds(args, case, kernel):
    """The time of a kernel and of those that follow it; none if it could not be executed in time."""
    chip, total = CHIPS[args.chip], 0
    buffers = [*case["inputs"], case["output"], *kernel.get("temporaries", [])]
    for step in [kernel, *kernel.get("then", [])]:
        moved = sum(math.prod(shape) * SIZES[elem] for shape, elem in (buffers[param["buffer"]] for param in step["params"] if "buffer" in param))
        counts = executed(args, case, step, buffers)
        if counts is None:
            return None
        taken, terms = clocks(chip, step, assembled(args, step), counts, moved)
        total += taken / chip.clock
        if args.terms:
            print(f"    {case['name']} {step['entry']}: {taken:.0f} clocks;", ", ".join(f"{name} {n:.0f}" for name, n in terms.items()))
    return total


def mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def show(args, cases):
    """A row for each program, and how far ours are ahead of each peer."""
    times = {}
    for case in cases:
        of = {name: seconds(args, case, kernel) for name, kernel in case["kernels"].items()}
        times[case["name"]] = {name: time for name, time in of.items() if time is not None}
    ahead = {"triton": {}, "iree": {}}
    print("| predicted | raddle, us | Triton, us | tile/warps/stages | ahead | IREE, us | ahead |\n| --- | --- | --- | --- | --- | --- | --- |")
    for case, of in times.items():
        cells = [case, f"{of['raddle'] * 1e6:.1f}" if "raddle" in of else "-"]
        for peer, found in ahead.items():
            best = min((name for name in of if name.startswith(peer)), key=of.get, default=None)
            if best and "raddle" in of:
                found[case] = of[best] / of["raddle"]
            cells += [f"{of[best] * 1e6:.1f}" if best else "-", *([best.split()[-1]] if best and peer == "triton" else ["-"] if peer == "triton" else [])]
            cells += [f"{found[case]:.2f}" if case in found else "-"]
        print("|", " | ".join(cells), "|")
    for peer, found in ahead.items():
        if found:
            worst = min(found, key=found.get)
            print(f"{peer}: geometric mean of {len(found)} programs {mean(found.values()):.2f}; least {found[worst]:.2f} ({worst})")
    if args.measured:
        compare(times, json.load(open(args.measured)))


def compare(times, results):
    """Predictions over measurements: of our kernels, and of the peer's that were the fastest."""
    ratios = {}
    for row in results["rows"]:
        of, measured = times.get(row["case"], {}), {name: fact["median_s"] for name, fact in row["kernels"].items()}
        triton = min((name for name in measured if name.startswith("triton80")), key=measured.get, default=None)
        for name in ("raddle", triton):
            if name in of and name in measured:
                ratios.setdefault(name.split()[0], {})[row["case"]] = of[name] / measured[name]
    for producer, found in ratios.items():
        off = {case: f"{ratio:.2f}" for case, ratio in found.items() if not 1 / 1.2 <= ratio <= 1.2}
        print(f"{producer}: predicted / measured: geometric mean of {len(found)} {mean(found.values()):.2f}, {len(found) - len(off)} within 20 %; the others {off}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--raddle", required=True)
    parser.add_argument("--tools", required=True, help="a folder with ptxas and nvdisasm")
    parser.add_argument("--chip", type=int, default=80, choices=CHIPS)
    parser.add_argument("--measured", help="results.json of `bench.py` on such a chip")
    parser.add_argument("--only", action="append", default=[], help="part of a program's name")
    parser.add_argument("--terms", action="store_true", help="print the terms of each kernel")
    parser.add_argument("folder")
    args = parser.parse_args()
    with open(os.path.join(args.folder, "cases.json")) as file:
        cases = [case for case in json.load(file) if not args.only or any(part in case["name"] for part in args.only)]
    show(args, cases)
