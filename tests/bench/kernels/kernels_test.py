#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Compiles every kernel of this folder to PTX, and compares what the interpreter computes at a small size with NumPy.

    kernels_test.py TILESCOPE [NAME...]

The same kernels at their full sizes are the regression set of scripts/gpu_check.py.
"""

import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile

import launches
import references

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parents[1] / "support"))
import sanitizers  # noqa: E402

LEAST = 60


def execute(*command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True,
                          timeout=120 * sanitizers.patience(command[0]))
    if done.returncode != 0:
        raise RuntimeError(f"exit status {done.returncode}: {done.stderr.strip()[:600]}")


def check(tilescope, path):
    """What is wrong with one kernel; nothing when all is well."""
    _, small, needs, _ = references.REFERENCES[path.stem]
    sizes = {name: int(value) for name, value in (size.split("=") for size in small.split())}
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        try:
            for capability in (80, 90):
                if needs <= capability:
                    execute(tilescope, "compile", path, "--target", f"cuda:{capability}", "--emit", "ptx", "-o", folder / "ptx")
            execute(tilescope, "run", path, "--on", "cpu", "--dump", folder / "run", *(f"--set={size}" for size in small.split()))
            found, = launches.errors(path.stem, path.read_text(), sizes, folder / "run", folder / "run")
        except (RuntimeError, subprocess.TimeoutExpired) as reason:
            return str(reason)
    return "; ".join(f"`{name}` is off by {error:.2g} in norm, allowed {allowed:g}"
                     for name, (error, allowed) in found.items() if not error <= allowed)


def main():
    tilescope, wanted = sys.argv[1], sys.argv[2:]
    paths = {path.stem: path for path in sorted(FOLDER.glob("*/*.py"))}
    problems = {name: "there is a kernel or a reference, not both" for name in paths.keys() ^ references.REFERENCES.keys()}
    if len(paths) < LEAST:
        problems["the set"] = f"{len(paths)} kernels, not the {LEAST} that it had"
    names = wanted or sorted(paths.keys() & references.REFERENCES.keys())
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, problem in zip(names, pool.map(lambda name: check(tilescope, paths[name]), names)):
            if problem:
                problems[name] = problem
    for name, problem in problems.items():
        print(f"{name}: {problem}")
    print(f"{len(names)} kernels, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
