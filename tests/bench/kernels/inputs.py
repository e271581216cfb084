# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Initial data of large launches, made fast: random numbers repeat after some four million, which is not a power of two."""

import math

import numpy as np

from launches import FLOAT8

PERIOD = (1 << 22) - 3
PLAIN = {"fp64": "<f8", "fp32": "<f4", "fp16": "<f2", "i1": "|b1",
         **{f"{kind}{8 * size}": f"{'<' if size > 1 else '|'}{kind}{size}" for kind in "iu" for size in (1, 2, 4, 8)}}


def encode(values, dtype):
    """Values as the elements of a `.npy` file; those of types that NumPy lacks are a field with the bits."""
    if dtype in PLAIN:
        return values.astype(PLAIN[dtype])
    if dtype == "bf16":
        bits = values.astype(np.float32).view(np.uint32)
        bits = (bits + 0x7FFF + (bits >> 16 & 1)) >> 16
        return bits.astype("<u2").view([("bf16", "<u2")])
    order = np.argsort(FLOAT8[dtype])
    order = order[np.isfinite(FLOAT8[dtype][order])]
    middles = (FLOAT8[dtype][order[1:]] + FLOAT8[dtype][order[:-1]]) / 2
    return order[np.searchsorted(middles, values)].astype("u1").view([(dtype, "u1")])


def pattern(argument, count):
    """The first elements of a tensor; the others repeat them."""
    generator = np.random.Generator(np.random.SFC64(argument["seed"] + 1))
    size, low, high = min(count, PERIOD), argument["low"], argument["high"]
    kind = argument["init"]
    if kind == "randn":
        return generator.standard_normal(size, dtype=np.float32) * np.float32(argument["scale"])
    if kind == "rand":
        return generator.random(size, dtype=np.float32) * np.float32(high - low) + np.float32(low)
    if kind == "randint":
        return generator.integers(int(low), int(high), size)
    if kind == "arange":
        return np.arange(count)
    return np.full(size, {"zeros": 0, "ones": 1}.get(kind, argument["value"]))


def write_inputs(plan, folder):
    """A `.npy` file for each tensor of a package's plan that begins with data."""
    folder.mkdir(parents=True, exist_ok=True)
    for argument in plan["args"]:
        if "dtype" not in argument or argument["init"] == "poison":
            continue
        count = math.prod(argument["shape"])
        elements = encode(pattern(argument, count), argument["dtype"])
        with open(folder / f"{argument['name']}.npy", "wb") as file:
            np.lib.format.write_array_header_1_0(file, {
                "descr": np.lib.format.dtype_to_descr(elements.dtype), "fortran_order": False, "shape": tuple(argument["shape"])})
            data = elements.tobytes()
            whole, rest = divmod(count, max(len(elements), 1))
            for _ in range(whole):
                file.write(data)
            file.write(data[:rest * elements.dtype.itemsize])
