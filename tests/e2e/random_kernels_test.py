#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Random valid kernels, interpreted and compiled: the interpreter and the PTX emulator must agree.

    random_kernels_test.py TILESCOPE TILESCOPE_EMULATE [--count N] [--first SEED] [--keep FOLDER] [--target T]
    random_kernels_test.py TILESCOPE native [--count N] [--first SEED] [--keep FOLDER]

In the second form native code takes the emulator's place, without checks, with checked bounds, and exact, when every bit must be the same; kernels with operations that it does not have
yet are left out and counted, and half of the kernels at least must be complete.

A kernel that disagrees is shrunk: the shortest prefix of its statements that still disagrees is printed.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support" / "kernels"))
from agreement import bit_difference, difference  # noqa: E402
from random_kernels import RandomKernel  # noqa: E402


NOT_YET = "not supported by the cpu target yet"


def execute(command):
    try:
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=120)
    except subprocess.TimeoutExpired:
        return "took too long"
    # What native code cannot do yet, the interpreter does.
    if done.returncode == 0 and NOT_YET not in done.stderr:
        return None
    return f"exit status {done.returncode}: {done.stderr.strip()[-800:]}"


def check(kernel, options, folder):
    """What is wrong with the kernel; None when both agree."""
    path = folder / "kernel.py"
    path.write_text(kernel.text)
    interpreted, emulated = folder / "interpreted", folder / "emulated"
    interpreted.mkdir(exist_ok=True)
    emulated.mkdir(exist_ok=True)
    package = folder / "kernel.tskernel"
    interpret = [options.tilescope, "run", path, "--on", "cpu"]
    compiled = [
        ("compiler", [options.tilescope, "package", path, "-o", package, "--target", options.target]),
        ("emulator", [options.emulator, package, "--dump", emulated]),
    ]
    others = [emulated]
    if options.emulator == "native":
        native, checked, exact = [*interpret, "--target", "cpu:native"], folder / "checked", folder / "exact"
        others.append(checked)
        compiled = [
            ("native code", [*native, "--dump", emulated]),
            ("checked native code", [*native, "--checked", "--dump", checked]),
            ("exact native code", [*native, "--exact", "--dump", exact]),
        ]
    for step, command in [("interpreter", [*interpret, "--interpret", "--dump", interpreted]), *compiled]:
        if problem := execute(command):
            return f"{step}: {problem}"
    for output in kernel.outputs:
        expected = np.load(interpreted / f"{output.name}.npy")
        for run in others:
            if problem := difference(output, expected, np.load(run / f"{output.name}.npy")):
                return problem
        if options.emulator == "native":
            if problem := bit_difference(output, expected, np.load(exact / f"{output.name}.npy")):
                return problem
    return None


def shrink(seed, options, folder):
    for steps in range(1, 13):
        kernel = RandomKernel(seed, steps=steps)
        if problem := check(kernel, options, folder):
            return kernel, problem
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tilescope")
    parser.add_argument("emulator")
    parser.add_argument("--count", type=int, default=12)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--target", default="cuda:90")
    parser.add_argument("--keep", type=pathlib.Path, help="folder for the kernels that fail")
    options = parser.parse_args()

    failures = left_out = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        for seed in range(options.first, options.first + options.count):
            kernel = RandomKernel(seed)
            problem = check(kernel, options, folder)
            if problem is None:
                continue
            if NOT_YET in problem:
                left_out += 1
                print(f"seed {seed}: {NOT_YET}{problem.split(NOT_YET)[1].splitlines()[0]}")
                continue
            failures += 1
            kernel, problem = shrink(seed, options, folder) or (kernel, problem)
            print(f"==== seed {seed}: {problem}\n{kernel.text}", flush=True)
            if options.keep:
                options.keep.mkdir(parents=True, exist_ok=True)
                (options.keep / f"seed{seed}.py").write_text(kernel.text)
    print(f"{options.count} kernels, {failures} failures, {left_out} left out")
    return 1 if failures or 2 * left_out > options.count else 0


if __name__ == "__main__":
    sys.exit(main())
