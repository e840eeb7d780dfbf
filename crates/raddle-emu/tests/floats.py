"""Prints what ml_dtypes and NumPy make of every narrow float format, as rows of text.

    decode NAME f64-bits...            one for each word, in order
    round NAME WIDTH bits:word...      a number of that width, and the word that is nearest
"""

import random

import ml_dtypes
import numpy as np

FORMATS = [
    ("f16", np.float16, 16),
    ("bf16", ml_dtypes.bfloat16, 16),
    ("f8E5M2", ml_dtypes.float8_e5m2, 8),
    ("f8E4M3", ml_dtypes.float8_e4m3, 8),
    ("f8E4M3FN", ml_dtypes.float8_e4m3fn, 8),
    ("f8E5M2FNUZ", ml_dtypes.float8_e5m2fnuz, 8),
    ("f8E4M3FNUZ", ml_dtypes.float8_e4m3fnuz, 8),
    ("f8E4M3B11FNUZ", ml_dtypes.float8_e4m3b11fnuz, 8),
    ("f8E3M4", ml_dtypes.float8_e3m4, 8),
    ("f8E8M0FNU", ml_dtypes.float8_e8m0fnu, 8),
    ("f6E2M3FN", ml_dtypes.float6_e2m3fn, 6),
    ("f6E3M2FN", ml_dtypes.float6_e3m2fn, 6),
    ("f4E2M1FN", ml_dtypes.float4_e2m1fn, 4),
]



def odd(x):
    """To f32 with the last bit set when that is not exact, so that rounding once more is rounding once."""
    near = x.astype(np.float32)
    back, bits = near.astype(np.float64), near.view(np.uint32)
    up = np.where(abs(back) < abs(x), bits + np.uint32(1), bits - np.uint32(1)).astype(np.uint32)
    inexact = (back != x) & ~np.isnan(x) & (bits % 2 == 0)
    return np.where(inexact, up, bits).view(np.float32)


np.seterr(all="ignore")
random.seed(7)
for name, dtype, bits in FORMATS:
    word = np.uint16 if bits == 16 else np.uint8
    values = np.arange(1 << bits).astype(word).view(dtype).astype(np.float64)
    print("decode", name, " ".join(f"{int(bits):x}" for bits in values.view(np.uint64)))

    # Where rounding turns: every number, the middle to the next one, and what lies beside them.
    finite = np.unique(values[np.isfinite(values)])
    turns = np.concatenate([finite, (finite[1:] + finite[:-1]) / 2, [2 * finite[-1], 2 * finite[0], 1e300, -1e300]])
    for width, wide, unsigned in [(32, np.float32, np.uint32), (64, np.float64, np.uint64)]:
        exact = turns.astype(wide)
        near = np.concatenate([exact, np.nextafter(exact, wide(np.inf)), np.nextafter(exact, wide(-np.inf))])
        some = np.array([random.getrandbits(width) for _ in range(20000)], dtype=unsigned).view(wide)
        scale = np.array([random.uniform(-4, 4) * float(finite[-1]) * 2.0 ** random.randint(-24, 0) for _ in range(20000)])
        inputs = np.concatenate([near, some, scale.astype(wide), np.array([np.inf, -np.inf, np.nan, 0.0, -0.0], dtype=wide)])
        # ml_dtypes takes an f64 by way of narrower types, and rounds twice; NumPy does not.
        outputs = (inputs if width == 32 or name == "f16" else odd(inputs)).astype(dtype).view(word)
        mask = (1 << bits) - 1
        pairs = zip(inputs.view(unsigned), outputs)
        print("round", name, width, " ".join(f"{int(i):x}:{int(o) & mask:x}" for i, o in pairs))

# tf32 has f32's range and 10 bits behind the point: its numbers are those of f32 whose last 13 bits are zero, and the
# nearest one is what f16 rounds to where the exponents are brought together.
values = np.array([random.getrandbits(32) for _ in range(20000)], dtype=np.uint32)
ties = (np.array([random.getrandbits(19) for _ in range(20000)], dtype=np.uint32) << 13) | np.uint32(1 << 12)
inputs = np.concatenate([values, ties, ties + np.uint32(1), ties - np.uint32(1)]).view(np.float32)
inputs = inputs[np.isfinite(inputs) & (abs(inputs) >= np.float32(2.0 ** -126))]
mantissa, exponent = np.frexp(inputs)
outputs = np.ldexp(mantissa.astype(np.float16).astype(np.float32), exponent).astype(np.float32)
pairs = zip(inputs.view(np.uint32), outputs.view(np.uint32))
print("round", "tf32", 32, " ".join(f"{int(i):x}:{int(o):x}" for i, o in pairs))
