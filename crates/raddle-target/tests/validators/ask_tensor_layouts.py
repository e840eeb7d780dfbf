"""Prints what the package tensor-layouts says, for a test to compare: a line for each question.

    name|argument|argument|values of the answer, or ! where the package refuses
    atom|name|instruction|threads|table of A|of B|of C
"""

import itertools

import tensor_layouts as tl
from tensor_layouts import atoms_nv

EXTENTS, STRIDES = (1, 2, 3, 4), (0, 1, 2, 3, 4, 6)


def layouts(extents, strides):
    """All layouts of one mode and of two modes."""
    modes = list(itertools.product(extents, strides))
    yield from (tl.Layout(extent, stride) for extent, stride in modes)
    for (a, x), (b, y) in itertools.product(modes, modes):
        yield tl.Layout((a, b), (x, y))


def values(layout, count=None):
    return " ".join(str(layout(i)) for i in range(tl.size(layout) if count is None else count))


def spelled(argument):
    return str(argument).replace(" ", "")


def ask(name, function, *arguments):
    try:
        answer = values(function(*arguments))
    except Exception:  # Whatever its kind, the package refuses.
        answer = "!"
    print(name, *map(spelled, arguments), answer, sep="|")


wide = list(layouts(EXTENTS, STRIDES))
narrow = list(layouts((2, 3), (1, 2, 3, 4)))
for layout in wide:
    ask("coalesce", tl.coalesce, layout)
    ask("right_inverse", tl.right_inverse, layout)
    ask("left_inverse", tl.left_inverse, layout)
    for bound in (16, 24):
        ask("complement", tl.complement, layout, bound)
for layout in wide[::3]:
    for tile in narrow:
        ask("compose", tl.compose, layout, tile)
for layout in wide[::7]:
    for tile in narrow[::2]:
        ask("logical_divide", tl.logical_divide, layout, tile)
        ask("logical_product", tl.logical_product, layout, tile)
pairs = list(layouts((2, 3), (1, 2, 6)))
for layout, tile in itertools.product([p for p in pairs if tl.rank(p) == 2], repeat=2):
    ask("blocked_product", tl.blocked_product, layout, tile)
    ask("raked_product", tl.raked_product, layout, tile)

for name, atom in sorted(vars(atoms_nv).items()):
    if not isinstance(atom, tl.MMAAtom) or not atom.ptx.startswith(("mma.sync", "wgmma")):
        continue
    threads = values(atom.thr_id) if atom.thr_id is not None else ""
    # A and B of wgmma are in shared memory: their tables say nothing.
    tables = [atom.a_layout, atom.b_layout] if atom.ptx.startswith("mma.sync") else []
    tables = [values(layout) for layout in tables] if tables else ["", ""]
    print("atom", name, atom.ptx, threads, *tables, values(atom.c_layout), sep="|")
