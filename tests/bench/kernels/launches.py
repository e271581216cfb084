# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Launches of these kernels as NumPy sees them: sizes, scalars and tensors by name, and the check of what a run left."""

import math
import re
import tomllib

import numpy as np

import references

BLOCK = re.compile(r"^# /// tilescope\n((?:#(?: .*)?\n)+?)# ///$", re.MULTILINE)
TOLERANCES = {"fp32": 3e-6, "fp16": 7e-4, "bf16": 5e-3, "fp8e4nv": 4e-2}


def float8_values(exponent_bits):
    """The 256 numbers of an 8-bit float: `e4m3` without infinities, or `e5m2`."""
    mantissa_bits, bias = 7 - exponent_bits, 2 ** (exponent_bits - 1) - 1
    values = np.empty(256)
    for bits in range(256):
        exponent, mantissa = bits >> mantissa_bits & 2**exponent_bits - 1, bits & 2**mantissa_bits - 1
        value = math.ldexp(mantissa + (2**mantissa_bits if exponent else 0), max(exponent, 1) - bias - mantissa_bits)
        last = exponent == 2**exponent_bits - 1
        if last and (exponent_bits == 5 or mantissa == 7):
            value = math.nan if mantissa else math.inf
        values[bits] = -value if bits >> 7 else value
    return values


FLOAT8 = {"fp8e4nv": float8_values(4), "fp8e5": float8_values(5)}


def numbers(raw):
    """Elements as float64 or int64. Types that NumPy lacks are stored as a field that holds the bits."""
    name = (raw.dtype.names or [""])[0]
    if name == "bf16":
        return (raw[name].astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    if name:
        return FLOAT8[name][raw[name]]
    return raw.astype(np.float64 if raw.dtype.kind == "f" else np.int64)


class Tensor:
    """A `.npy` file; only what is indexed is read."""

    def __init__(self, path):
        self.raw = np.load(path, mmap_mode="r")

    def __getitem__(self, index):
        return numbers(np.asarray(self.raw[index]))


class Launch:
    """A launch block's sizes, scalars and constexprs, and the tensors of `folder`, as attributes."""

    def __init__(self, source, sizes, folder):
        text = BLOCK.search(source).group(1)
        block = tomllib.loads("\n".join(line[2:] for line in text.splitlines()))
        names = {"cdiv": lambda a, b: -(-a // b), "next_power_of_2": lambda n: 1 << max(n - 1, 0).bit_length(), "min": min}
        values = {**block["sizes"], **sizes}
        self.dtypes = {}
        for section in ("constexprs", "args"):
            for name, value in block.get(section, {}).items():
                if isinstance(value, dict):
                    self.dtypes[name.removesuffix("_ptr")] = value["dtype"]
                else:
                    values[name] = eval(value, names, values) if isinstance(value, str) else value
        self.__dict__.update(values)
        self.tensors = {path.stem.removesuffix("_ptr"): Tensor(path) for path in folder.glob("*.npy")}
        self.__dict__.update(self.tensors)


def relative_error(actual, expected):
    """Norm of the difference over the norm of what is expected; infinite where a number is not finite."""
    if actual.shape != expected.shape or not np.all(np.isfinite(actual)):
        return math.inf
    scale = np.linalg.norm(expected.ravel())
    return float(np.linalg.norm((actual - expected).ravel()) / (scale or 1.0))


def errors(kernel, source, sizes, inputs, *runs):
    """For each run, relative error and what is allowed, by output. `inputs` and the runs are folders with the arguments
    before and after."""
    function, _, _, tolerances = references.REFERENCES[kernel]
    launch = Launch(source, sizes, inputs)
    results = [{} for _ in runs]
    with np.errstate(invalid="ignore", over="ignore"):
        expected = function(launch)
    for name, value in expected.items():
        index, value = value if isinstance(value, tuple) else (slice(None), value)
        allowed = tolerances.get(name, TOLERANCES.get(launch.dtypes[name], 0.0))
        for run, result in zip(runs, results):
            result[name] = (relative_error(Tensor(run / f"{name}_ptr.npy")[index], np.asarray(value)), allowed)
    return results
