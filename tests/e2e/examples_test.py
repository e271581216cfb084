#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Runs every example and compares its outputs with NumPy.

    examples_test.py TILESCOPE EXAMPLES_FOLDER [--on WHERE] [--native [--checked]]
    examples_test.py TILESCOPE EXAMPLES_FOLDER --emulator TILESCOPE_EMULATE [--target TARGET]

The first form runs them where `tilescope run` can: in the interpreter, as native code, or on a GPU. The second compiles
them to packages and executes the PTX in the emulator, at sizes that it can manage.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

import launch
import references
from small_sizes import SMALL

# Besides the block's own sizes: smaller than a block, exactly one block, one more than a block.
VARIANTS = {
    "vector_add": [{"n": 1}, {"n": 1024}, {"n": 1025}],
    "gelu": [{"n": 5000}],
    "dropout": [{"n": 1025}],
    "fused_softmax": [{"n_rows": 3, "n_cols": 1}, {"n_rows": 7, "n_cols": 1024}],
    "layer_norm": [{"n_rows": 5, "n_cols": 1024}, {"n_rows": 3, "n_cols": 100}],
    "row_sum_atomic": [{"n_rows": 17, "n_cols": 255}],
    "transpose": [{"n_rows": 65, "n_cols": 63}, {"n_rows": 128, "n_cols": 64}],
    "cumsum": [{"n_rows": 4, "n_cols": 1024}, {"n_rows": 3, "n_cols": 33}],
    "matmul": [{"M": 100, "N": 70, "K": 50}],
}


def load(folder, name):
    return np.load(folder / f"{name}.npy").astype(np.float64)


def relative_error(actual, expected):
    if not np.all(np.isfinite(actual)):
        return np.inf
    norm = np.linalg.norm(expected)
    return np.linalg.norm(actual - expected) / (norm if norm > 0 else 1.0)


def compute(options, path, overrides, folder):
    """Leaves every argument after the run in `folder`; raises when a program fails."""
    sizes = [part for name, value in overrides.items() for part in ("--set", f"{name}={value}")]
    if not options.emulator:
        native = ["--target", "cpu:native"] if options.native else ["--interpret"] if options.on == "cpu" else []
        native += ["--checked"] if options.checked else []
        execute([options.tilescope, "run", path, "--on", options.on, "--dump", folder, *native, *sizes])
        return
    package = folder / "kernel.tskernel"
    target = ["--target", options.target]
    execute([options.tilescope, "package", path, "-o", package, *target, *sizes])
    execute([options.emulator, package, "--dump", folder])


def execute(command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        raise RuntimeError(f"exit status {done.returncode}: {done.stderr.strip()[-500:]}")


def largest_error(options, path, overrides):
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        compute(options, path, overrides, folder)
        arguments = launch.read(path, overrides)
        for dump in folder.glob("*.npy"):
            arguments[dump.stem] = load(folder, dump.stem)
        expected = getattr(references, path.stem)(arguments)
        return max(relative_error(load(folder, name), value) for name, value in expected.items())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tilescope")
    parser.add_argument("examples", type=pathlib.Path)
    parser.add_argument("--on", default="cpu")
    parser.add_argument("--native", action="store_true")
    parser.add_argument("--checked", action="store_true")
    parser.add_argument("--emulator")
    parser.add_argument("--target", default="cuda:90")
    options = parser.parse_args()

    failures = 0
    for path in sorted(options.examples.glob("*.py")):
        name = path.stem
        tolerance = references.TOLERANCES.get(name, references.DEFAULT_TOLERANCE)
        for overrides in [SMALL[name]] if options.emulator else [{}, *VARIANTS.get(name, [])]:
            try:
                error = largest_error(options, path, overrides)
                verdict = "ok" if error <= tolerance else "WRONG"
            except (RuntimeError, subprocess.TimeoutExpired, OSError) as reason:
                error, verdict = float("nan"), f"FAILED: {reason}"
            failures += verdict != "ok"
            print(f"{name:16} {str(overrides):32} relative error {error:.2e}  {verdict}", flush=True)
    print(f"{failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
