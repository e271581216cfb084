#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Times every example in this project's interpreter and in Triton's own, on the same sizes.

    compare_triton.py TILESCOPE EXAMPLES_FOLDER [--rounds N] [--only NAME]

Needs Triton and NumPy in the Python that runs it, but neither PyTorch nor a GPU: Triton's interpreter only asks
its arguments for their address. Prints a table in Markdown and the geometric mean of the ratios.
"""

import argparse
import importlib.util
import json
import math
import os
import pathlib
import subprocess
import sys
import time
import tomllib

os.environ["TRITON_INTERPRET"] = "1"
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "e2e"))

import numpy as np

import launch

DTYPES = {"fp16": np.float16, "fp32": np.float32, "fp64": np.float64, "i32": np.int32, "i64": np.int64}


class Storage:
    """Memory of an argument, as far as Triton's interpreter looks at it."""

    def __init__(self, array):
        self.array = array

    def data_ptr(self):
        return self.array.ctypes.data

    def cpu(self):
        return self

    def copy_(self, other):
        pass


class Memory:
    """An array that Triton's interpreter takes for a tensor."""

    def __init__(self, array, triton_dtype):
        self.array = array
        self.dtype = triton_dtype

    def data_ptr(self):
        return self.array.ctypes.data

    def untyped_storage(self):
        return Storage(self.array)

    def new_empty(self, *_, **__):
        return Memory(self.array, self.dtype)

    def set_(self, *_):
        pass

    def storage_offset(self):
        return 0

    def size(self):
        return self.array.shape

    def stride(self):
        return self.array.strides


def read_block(path):
    text = launch.BLOCK.search(path.read_text()).group(1)
    return tomllib.loads("\n".join(line[2:] for line in text.splitlines()))


def make_arguments(block, scope):
    arguments = {}
    for name, value in block["args"].items():
        if not isinstance(value, dict):
            arguments[name] = launch.evaluate(value, scope)
            continue
        shape = [launch.evaluate(extent, scope) for extent in value["shape"]]
        dtype = DTYPES[value["dtype"]]
        filled = np.random.default_rng(0).standard_normal(shape).astype(dtype)
        empty = value.get("init", "empty") in ("empty", "zeros")
        arguments[name] = Memory(np.zeros(shape, dtype) if empty else filled, value["dtype"])
    return arguments


def time_triton(path, rounds):
    block = read_block(path)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    scope = launch.names(dict(block.get("sizes", {})))
    constants = {name: launch.evaluate(value, scope) for name, value in block.get("constexprs", {}).items()}
    scope.update(constants)
    grid = tuple(launch.evaluate(extent, scope) for extent in block["grid"])
    arguments = make_arguments(block, scope)
    kernel = getattr(module, block["kernel"])
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        kernel[grid](**arguments, **constants)
        times.append(time.perf_counter() - start)
    return min(times), block.get("sizes", {})


def time_tilescope(tilescope, path, rounds):
    times = []
    for _ in range(rounds):
        done = subprocess.run([tilescope, "run", path, "--on", "cpu", "--interpret", "--json"], capture_output=True, text=True, check=True)
        times.append(json.loads(done.stdout)["time_us"]["median"] * 1e-6)
    return min(times)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tilescope")
    parser.add_argument("examples", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    ratios = []
    print("| kernel | sizes | Triton's ms | here ms | ratio |\n| --- | --- | ---: | ---: | ---: |")
    for path in sorted(options.examples.glob("*.py")):
        if options.only and options.only != path.stem:
            continue
        # The first call of a process warms it up; the best of several leaves other load out.
        theirs, sizes = time_triton(path, options.rounds)
        ours = time_tilescope(options.tilescope, path, 2 * options.rounds)
        ratios.append(theirs / ours)
        text = ", ".join(f"{name}={value}" for name, value in sizes.items())
        print(f"| {path.stem} | {text} | {theirs * 1e3:.1f} | {ours * 1e3:.3f} | {ratios[-1]:.0f} |", flush=True)
    if ratios:
        print(f"\ngeometric mean: {math.exp(sum(map(math.log, ratios)) / len(ratios)):.0f}")


if __name__ == "__main__":
    main()
