#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Runs loops that multiply, and store or branch between: their loads run ahead, their results must not.

    loops_test.py TILESCOPE TILESCOPE_EMULATE

Factors are small integers, which no sum rounds: the emulator must compute what NumPy does, to the last bit.
"""

import pathlib
import subprocess
import sys
import tempfile

import numpy as np

from run_cases import run_cases

KERNEL = '''
import triton
import triton.language as tl

# /// tilescope
# kernel = "k"
# grid = [1]
# [args]
# x_ptr = {{ dtype = "fp16", shape = [9, 64, 64], init = "randint", low = -2, high = 3, seed = 1 }}
# y_ptr = {{ dtype = "fp16", shape = [9, 64, 64], init = "randint", low = -2, high = 3, seed = 2 }}
# out_ptr = {{ dtype = "fp32", shape = [9, 64, 64], init = "zeros" }}
# next_ptr = {{ dtype = "i32", shape = [9], init = "zeros" }}
# n = {steps}
# [options]
# num_stages = 3
# ///


@triton.jit
def k(x_ptr, y_ptr, out_ptr, next_ptr, n):
    i = tl.arange(0, 64)
    tile = i[:, None] * 64 + i[None, :]
    acc = tl.zeros([64, 64], dtype=tl.float32)
    at = 0
    for step in range(0, n):
{body}
    tl.store(out_ptr + 8 * 4096 + tile, acc)
'''

MULTIPLY = '''
        acc = tl.dot(tl.load(x_ptr + {at} * 4096 + tile), tl.load(y_ptr + {at} * 4096 + tile), acc)
'''
BODIES = {
    "stores": MULTIPLY.format(at="step") + '''
        tl.store(out_ptr + step * 4096 + tile, acc)
''',
    "starts_anew": MULTIPLY.format(at="step") + '''
        if step % 3 == 2:
            tl.store(out_ptr + step * 4096 + tile, acc)
            acc = tl.zeros([64, 64], dtype=tl.float32)
''',
    "scales": MULTIPLY.format(at="step") + '''
        if step == 1:
            acc = acc * 2.0
''',
    "jumps": '''
        if step % 2 == 0:
            at = (at + 5) % 7
''' + MULTIPLY.format(at="at"),
    # The value that selects the next block is available only after the previous iteration.
    "steered": '''
        at = tl.load(next_ptr + step)
''' + MULTIPLY.format(at="at") + '''
        tl.store(next_ptr + step + 1, (at + 5) % 7)
''',
}


def expected(name, steps, x, y):
    """What the kernel leaves in `out`."""
    x, y, out = x.astype(np.float32), y.astype(np.float32), np.zeros((9, 64, 64), np.float32)
    acc, at = np.zeros((64, 64), np.float32), 0
    for step in range(steps):
        if name == "jumps" and step % 2 == 0:
            at = (at + 5) % 7
        block = at if name in ("jumps", "steered") else step
        at = (at + 5) % 7 if name == "steered" else at
        acc = acc + x[block] @ y[block]
        if name == "stores" or (name == "starts_anew" and step % 3 == 2):
            out[step] = acc
        if name == "starts_anew" and step % 3 == 2:
            acc = np.zeros_like(acc)
        if name == "scales" and step == 1:
            acc = acc * 2
    out[8] = acc
    return out


def execute(*command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        raise RuntimeError(f"exit status {done.returncode}: {done.stderr.strip()[:600]}")


def check(tilescope, emulator, name, steps, capability):
    """What is wrong; nothing when all is well."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        source = folder / "k.py"
        source.write_text(KERNEL.format(steps=steps, body=BODIES[name]))
        dump = folder / "dump"
        dump.mkdir()
        try:
            execute(tilescope, "package", source, "--target", f"cuda:{capability}", "-o", folder / "k.tskernel")
            execute(emulator, folder / "k.tskernel", "--dump", dump)
        except (RuntimeError, subprocess.TimeoutExpired) as reason:
            return str(reason)
        values = expected(name, steps, np.load(dump / "x_ptr.npy"), np.load(dump / "y_ptr.npy"))
        found = np.load(dump / "out_ptr.npy")
        if not np.array_equal(found, values):
            return f"`out_ptr` differs in {np.count_nonzero(found != values)} elements"
    return ""


def main():
    tilescope, emulator = sys.argv[1:3]
    cases = [(name, steps, capability) for name in BODIES for steps in (0, 1, 2, 7) for capability in (80, 90)]
    return run_cases(cases, lambda case: check(tilescope, emulator, *case), lambda case: ": ".join(map(str, case)))


if __name__ == "__main__":
    sys.exit(main())
