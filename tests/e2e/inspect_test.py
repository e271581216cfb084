#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Compares what `tilescope inspect` counts with what the emulator's threads request.

    inspect_test.py TILESCOPE TILESCOPE_EMULATE EXAMPLES_FOLDER [KERNEL...]

`inspect` knows blocks, layouts and vector widths; the emulator knows nothing but PTX, thread by thread. Both count
requests, sectors and lines of global memory, and requests and wavefronts of shared memory.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

import run_cases

# What the emulator runs in a few seconds, with ragged edges.
SMALL = {
    "vector_add": {"n": 3000},
    "gelu": {"n": 3000},
    "dropout": {"n": 1500},
    "fused_softmax": {"n_rows": 4, "n_cols": 781},
    "layer_norm": {"n_rows": 3, "n_cols": 1500},
    "row_sum_atomic": {"n_rows": 20, "n_cols": 300},
    "transpose": {"n_rows": 100, "n_cols": 70},
    "cumsum": {"n_rows": 2, "n_cols": 1500},
    "matmul": {"M": 70, "N": 66, "K": 40},
}
TARGETS = ["cuda:80", "cuda:90"]
GLOBAL = ["requests", "sectors", "lines", "bytes_asked", "bytes_used"]
SHARED = ["requests", "wavefronts", "bytes_asked"]


def execute(command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        raise RuntimeError(f"`{command[1]}`: exit status {done.returncode}: {done.stderr.strip()[-500:]}")
    return done.stdout


def differences(counted, emulated):
    """What differs, as text. LLVM may join neighbouring accesses to shared memory, or leave some out."""
    for kind in sorted(counted.keys() | emulated.keys()):
        fields = GLOBAL if kind.startswith("global") or kind == "async copy" else SHARED
        ours, theirs = counted.get(kind, {}), emulated.get(kind, {})
        for field in fields:
            if ours.get(field, 0) != theirs.get(field, 0):
                yield f"{kind}: {field} {ours.get(field, 0)}, emulated {theirs.get(field, 0)}"


def check(case, tilescope, emulate):
    path, target, sizes = case
    words = ["--target", target] + [part for name, value in sizes.items() for part in ("--set", f"{name}={value}")]
    with tempfile.TemporaryDirectory() as folder:
        package, requests = pathlib.Path(folder) / "k.tskernel", pathlib.Path(folder) / "requests.json"
        try:
            execute([tilescope, "package", path, "-o", package, *words])
            execute([emulate, package, "--requests", requests])
            facts = json.loads(execute([tilescope, "inspect", path, "--json", *words]))
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            return str(error)
        if facts["uncounted"]:
            return f"not counted: {facts['uncounted']}"
        counted = {kind.replace("_", " "): counts for kind, counts in (facts["totals"] or {}).items()}
        return "; ".join(differences(counted, json.loads(requests.read_text())))


def main():
    tilescope, emulate, examples, *names = sys.argv[1:]
    cases = [(path, target, SMALL[path.stem]) for path in sorted(pathlib.Path(examples).glob("*.py"))
             if path.stem in SMALL and (not names or path.stem in names) for target in TARGETS]
    if not cases:
        sys.exit("there are no kernels to check")
    return run_cases.run_cases(cases, lambda case: check(case, tilescope, emulate),
                               lambda case: f"{case[0].stem} for {case[1]}")


if __name__ == "__main__":
    sys.exit(main())
