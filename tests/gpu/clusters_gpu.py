#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Runs the kernels of `clusters_test.py` on a GPU and compares with the interpreter.

    tests/e2e/clusters_test.py TILESCOPE TILESCOPE_EMULATE --keep FOLDER     (no GPU needed)
    clusters_gpu.py FOLDER --runner TILESCOPE_RUNNER

FOLDER holds a folder for each case: the package, and in `cpu` what the interpreter computed. Exit status 1: some
result differs, or some kernel did not run.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

# Exponentials and divisions of a GPU are approximations.
ROUNDED = ("softmax",)


def problem_of(runner, case):
    """What is wrong with a case; empty: nothing."""
    with tempfile.TemporaryDirectory() as out:
        done = subprocess.run([runner, "run", case / "k.tskernel", "--dump", out], capture_output=True, text=True, timeout=120)
        if done.returncode:
            return done.stderr.strip()[-300:] or f"exit status {done.returncode}"
        for right in sorted((case / "cpu").iterdir()):
            wanted, have = np.load(right), np.load(pathlib.Path(out) / right.name)
            same = np.allclose(have, wanted, rtol=1e-5) if case.name.startswith(ROUNDED) else np.array_equal(have, wanted)
            if not same:
                return f"`{right.stem}` differs at {np.argwhere(have != wanted)[:4].tolist()}"
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--runner", default="tilescope-runner")
    options = parser.parse_args()
    cases = sorted(folder for folder in options.folder.iterdir() if (folder / "k.tskernel").exists())
    wrong = 0
    for case in cases:
        problem = problem_of(options.runner, case)
        if problem:
            wrong += 1
            print(f"{case.name}: {problem}")
    print(f"{len(cases)} cases, {wrong} differ")
    return 1 if wrong or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
