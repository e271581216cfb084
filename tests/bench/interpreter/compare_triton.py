#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Times every example on the processor, in Triton's interpreter and here, on the same sizes: by this project's
interpreter, and as native code with and without checks.

    compare_triton.py TILESCOPE EXAMPLES_FOLDER [--rounds N] [--only NAME]

Needs Triton and NumPy in the Python that runs it, but neither PyTorch nor a GPU: Triton's interpreter only asks
its arguments for their address. All take turns. Prints a table in Markdown, the best of each, and the geometric means of the ratios.
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


def prepare_triton(path):
    """A function that runs the example once in Triton's interpreter, and the launch's sizes."""
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
    return lambda: kernel[grid](**arguments, **constants), block.get("sizes", {})


def time_triton(run):
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def time_tilescope(tilescope, path, flags):
    command = [tilescope, "run", path, "--on", "cpu", *flags, "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)["time_us"]["median"] * 1e-6


WAYS = {"interpreter": ["--interpret"], "checked": ["--native"], "native": ["--target", "cpu:native"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tilescope")
    parser.add_argument("examples", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    ratios = {way: [] for way in WAYS}
    print("| kernel | sizes | Triton's ms | interpreter ms | checked ms | native ms | ratios |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: |")
    for path in sorted(options.examples.glob("*.py")):
        if options.only and options.only != path.stem:
            continue
        run, sizes = prepare_triton(path)
        theirs, ours = [], {way: [] for way in WAYS}
        for _ in range(options.rounds):
            theirs.append(time_triton(run))
            for way, flags in WAYS.items():
                # The first call of a process warms it up; the best of several leaves other load out.
                ours[way] += [time_tilescope(options.tilescope, path, flags) for _ in range(3)]
        best = {way: min(times) for way, times in ours.items()}
        for way in WAYS:
            ratios[way].append(min(theirs) / best[way])
        text = ", ".join(f"{name}={value}" for name, value in sizes.items())
        times = " | ".join(f"{best[way] * 1e3:.3f}" for way in WAYS)
        last = ", ".join(f"{ratios[way][-1]:.0f}" for way in WAYS)
        print(f"| {path.stem} | {text} | {min(theirs) * 1e3:.1f} | {times} | {last} |", flush=True)
    if ratios["native"]:
        means = {way: math.exp(sum(map(math.log, each)) / len(each)) for way, each in ratios.items()}
        print("\ngeometric means: " + ", ".join(f"{way} {mean:.0f}" for way, mean in means.items()))


if __name__ == "__main__":
    main()
