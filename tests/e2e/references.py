# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""What the example kernels must compute, written with NumPy in double precision.

Each function takes the launch's arguments by name (arrays in float64, numbers) and returns the expected
outputs by name. `TOLERANCES` bounds the relative error in norm where it is not that of one fp32 rounding.
"""

import numpy as np

DEFAULT_TOLERANCE = 3e-6
TOLERANCES = {"cumsum": 1e-5, "matmul": 1e-5}


def erf(x):
    """Error function by its series for small and its continued fraction for large arguments."""
    x = np.asarray(x, dtype=np.float64)
    magnitude = np.abs(x)
    series = np.zeros_like(magnitude)
    term = np.minimum(magnitude, 3.0)
    clipped = term.copy()
    for n in range(60):
        series += term / (2 * n + 1)
        term = -term * clipped * clipped / (n + 1)
    series *= 2 / np.sqrt(np.pi)
    large = np.maximum(magnitude, 3.0)
    fraction = np.zeros_like(large)
    for k in range(60, 0, -1):
        fraction = (k / 2) / (large + fraction)
    complement = np.exp(-large * large) / (np.sqrt(np.pi) * (large + fraction))
    return np.sign(x) * np.where(magnitude < 3.0, series, 1.0 - complement)


def philox(seed, counters, rounds=10):
    """First output of Philox-4x32-10 for 32-bit counters (Salmon et al., SC 2011)."""
    mask = np.uint64(0xFFFFFFFF)
    c0 = counters.astype(np.uint64) & mask
    c1, c2, c3 = (np.zeros_like(c0) for _ in range(3))
    k0, k1 = np.uint64(seed & 0xFFFFFFFF), np.uint64(seed >> 32)
    a, b = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
    for _ in range(rounds):
        product0, product2 = a * c0, b * c2
        c0, c1, c2, c3 = (
            (product2 >> np.uint64(32)) ^ c1 ^ k0,
            product2 & mask,
            (product0 >> np.uint64(32)) ^ c3 ^ k1,
            product0 & mask,
        )
        k0 = (k0 + np.uint64(0x9E3779B9)) & mask
        k1 = (k1 + np.uint64(0xBB67AE85)) & mask
    return c0.astype(np.uint32)


def uniform(seed, counters):
    bits = philox(seed, counters).view(np.int32)
    positive = np.where(bits < 0, ~bits, bits)
    return positive.astype(np.float32) * np.float32(4.6566127342e-10)


def vector_add(args):
    return {"out_ptr": args["x_ptr"] + args["y_ptr"]}


def gelu(args):
    x = args["x_ptr"]
    return {"out_ptr": 0.5 * x * (1.0 + erf(x / np.sqrt(2.0)))}


def fused_softmax(args):
    x = args["in_ptr"]
    weights = np.exp(x - x.max(axis=1, keepdims=True))
    return {"out_ptr": weights / weights.sum(axis=1, keepdims=True)}


def layer_norm(args):
    x = args["x_ptr"]
    centered = x - x.mean(axis=1, keepdims=True)
    variance = (centered * centered).mean(axis=1, keepdims=True)
    normalized = centered / np.sqrt(variance + args["eps"])
    return {"out_ptr": normalized * args["weight_ptr"] + args["bias_ptr"]}


def row_sum_atomic(args):
    return {"sum_ptr": args["x_ptr"].sum(axis=1)}


def dropout(args):
    x, p = args["x_ptr"], args["p"]
    keep = uniform(args["seed"], np.arange(x.size)) > np.float32(p)
    return {"out_ptr": np.where(keep, x / (1.0 - p), 0.0)}


def transpose(args):
    return {"out_ptr": args["in_ptr"].T}


def matmul(args):
    return {"c_ptr": args["a_ptr"] @ args["b_ptr"]}


def cumsum(args):
    return {"out_ptr": np.cumsum(args["x_ptr"], axis=1)}
