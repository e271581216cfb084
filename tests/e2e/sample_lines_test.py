#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Samples of code that was inlined from libraries, that the compiler joined, or that the assembler added count for lines
of the user's file.

    sample_lines_test.py TILESCOPE FAKE_RUNNER

Each kernel is profiled on a fake device, which returns one sample for every instruction of the machine code. At least
95 % of them must be given to lines, all of them lines of the kernel, and lines that call a library must have some.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HEAD = """import triton
import triton.language as tl
from triton.language.extra import libdevice

# /// tilescope
# kernel = "k"
# grid = [16]
# [args]
# x_ptr = { dtype = "%s", shape = [16, 1024], init = "randn" }
# o_ptr = { dtype = "%s", shape = [16, 1024] }
# n = 77
# m = 123456789012345
# ///


@triton.jit
def k(x_ptr, o_ptr, n, m):
    row = tl.program_id(0)
    i = tl.arange(0, 1024)
    x = tl.load(x_ptr + row * 1024 + i)
"""
TAIL = """    tl.store(o_ptr + row * 1024 + i, y)
"""
# What is called, by the lines between head and tail; `y` is stored.
KERNELS = {
    "softmax": ("fp32", ["y = tl.softmax(x)"]),
    "reductions": ("fp32", ["y = x - tl.max(x, axis=0)", "y = y / tl.sum(y, axis=0)", "y += tl.argmin(x, axis=0)"]),
    "scans": ("fp32", ["y = tl.cumsum(x, 0)", "y = tl.sort(y)"]),
    "libdevice": ("fp32", ["y = libdevice.erf(x)", "y = libdevice.pow(y, x)", "y = libdevice.tgamma(y)",
                           "y = libdevice.sin(y * 1e6)"]),
    "divisions": ("fp64", ["j = (i.to(tl.int64) * 1000003 + row) // (m // n + row)", "q = (i + row) % n",
                           "y = tl.sqrt(x * x) / (x + 3.0)", "y = y + j + q + tl.exp(x)"]),
}


def tilescope(program, *arguments, **environment):
    done = subprocess.run([program, *arguments], capture_output=True, text=True, env={**os.environ, **environment})
    if done.returncode:
        sys.exit(f"{' '.join(map(str, arguments))}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def offsets(sass):
    return [int(at, 16) for at in re.findall(r"^\s*/\*([0-9a-f]{4,})\*/\s+\S", sass, re.M)]


def check(program, runner, folder, name):
    dtype, calls = KERNELS[name]
    text = HEAD % (dtype, dtype) + "".join(f"    {call}\n" for call in calls) + TAIL
    file = folder / f"{name}.py"
    file.write_text(text)
    found = offsets(tilescope(program, "compile", file, "--target", "cuda:90", "--emit", "sass"))
    scenario = folder / "runner.json"
    scenario.write_text(json.dumps({"result": {"device_info": {"compute_major": 9, "compute_minor": 0}, "pc_samples": {
        "period_cycles": 32, "launches": 1, "total": len(found), "reasons": ["wait"],
        "stalls": [[at, 0, 1, 0] for at in found]}}}))
    document = json.loads(tilescope(program, "profile", file, "--on", "cuda", "--samples", "--json",
                                    TILESCOPE_RUNNER=runner, FAKE_RUNNER=str(scenario)))
    samples = document["pc_samples"]
    first = text[:text.index("def k(")].count("\n") + 1
    lines = {row["line"]: row["samples"] for row in samples["lines"]}
    print(f"{name}: {len(found)} instructions, {100 * samples['mapped_share']:.1f} % mapped, {lines}")
    faults = []
    if samples["mapped_share"] < 0.95:
        faults.append(f"only {100 * samples['mapped_share']:.1f} % have a line")
    # What only sets up the function belongs to its first line.
    faults += [f"line {line} is not the kernel's" for line in lines if not first <= line <= text.count("\n")]
    faults += [f"`{call}` has no sample" for number, call in enumerate(calls, HEAD.count("\n") + 1) if number not in lines]
    return [f"{name}: {fault}" for fault in faults]


def main():
    program, runner = sys.argv[1:]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        probe = folder / "probe.py"
        probe.write_text(HEAD % ("fp32", "fp32") + "    y = x\n" + TAIL)
        if subprocess.run([program, "compile", probe, "--target", "cuda:90", "--emit", "sass"], capture_output=True).returncode:
            print("skipped: there is no machine code without ptxas and nvdisasm")
            return 0
        faults = [fault for each in KERNELS for fault in check(program, runner, folder, each)]
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
