#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Runs the kernels of the table `kernels` in four ways on the processor, and holds their results against NumPy.

    kernels_test.py TILESCOPE [--filter REGEX] [--sample N] [--work DIR]

The ways are the interpreter, native code, native code with all checks, and native code with the interpreter's bits. A
kernel that the interpreter has executed in place of native code is a failure, and so is one of the last way whose
results are other bits than the interpreter's, unless programs add to one float in any order.
"""

import argparse
import pathlib
import re
import sys
import tempfile
import time
import zlib
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import numpy as np

import conformance
from kernels import all_kernels

WAYS = {"interpreter": {}, "native": {"native": True}, "checked": {"native": True, "checked": True},
        "exact": {"native": True, "exact": True}}
KERNELS_PER_FILE = 20
LEAST = 100


def is_ordered(case):
    """Whether one sum has one order."""
    return "atomic_add" not in case.body or all(case.args[name].dtype.kind != "f" for name in case.expected())


def other_bits(case, dump, reference):
    return [f"`{name}` has other bits than the interpreter's" for name in case.expected()
            if np.load(dump / f"{name}.npy").tobytes() != np.load(reference / f"{name}.npy").tobytes()]


def run_file(options, root, number, cases):
    """The problems of each case, by way."""
    problems = {}
    for way, wishes in WAYS.items():
        folder = root / way / str(number)
        folder.mkdir(parents=True)
        path = conformance.write_batch(folder, "kernels", cases)
        chosen = SimpleNamespace(tilescope=options.tilescope, **({"native": False, "checked": False, "exact": False} | wishes))
        dump, failures = conformance.interpret(chosen, folder, path, cases)
        for case in cases:
            found = [failures[case.name]] if case.name in failures else conformance.problems_of(case, dump / case.name)
            if not found and way == "exact" and is_ordered(case):
                found = other_bits(case, dump / case.name, root / "interpreter" / str(number) / "outputs" / case.name)
            problems[case.name, way] = found
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("tilescope")
    parser.add_argument("--filter", default="", help="only kernels whose name matches")
    parser.add_argument("--sample", type=int, default=1, help="only about one kernel in so many")
    parser.add_argument("--work", type=pathlib.Path, help="keep kernels, inputs and outputs there")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    everything = all_kernels()
    cases = [case for case in everything if re.search(options.filter, case.name)
             and zlib.crc32(case.name.encode()) % options.sample == 0]
    files = [cases[start:start + KERNELS_PER_FILE] for start in range(0, len(cases), KERNELS_PER_FILE)]
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as temporary, ThreadPoolExecutor(options.jobs) as pool:
        root = options.work or pathlib.Path(temporary)
        done = list(pool.map(lambda file: run_file(options, root, *file), enumerate(files)))
    problems = {key: found for file in done for key, found in file.items() if found}
    for (name, way), found in problems.items():
        print(f"{name}, {way}: {'; '.join(found)}")
    for way in WAYS:
        wrong = sum(1 for _, at in problems if at == way)
        print(f"{way:12} {len(cases) - wrong} of {len(cases)} kernels agree")
    print(f"{time.monotonic() - start:.0f} s")
    return 1 if problems or not cases or len(everything) < LEAST else 0


if __name__ == "__main__":
    sys.exit(main())
