#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Runs compiled kernels that call: functions that stay functions, and the driver's printing and assertions.

    calls_test.py TILESCOPE TILESCOPE_EMULATE
"""

import pathlib
import subprocess
import sys
import tempfile

import numpy as np

KERNEL = """
import triton
import triton.language as tl

# /// tilescope
# kernel = "k"
# grid = [{grid}]
# [args]
# x_ptr = {{ dtype = "fp32", shape = [{size}], init = "arange" }}
# out_ptr = {{ dtype = "fp32", shape = [{size}] }}
# n = {n}
# [options]
# num_warps = 2
# debug = "{debug}"
# ///
{functions}

@triton.jit
def k(x_ptr, out_ptr, n):
    at = tl.program_id(0) * 64 + tl.arange(0, 64)
    x = tl.load(x_ptr + at)
{body}
"""

SCALAR_FUNCTIONS = """
@triton.jit(noinline=True)
def steps(n):
    count = 0
    while n > 1:
        n = tl.where(n % 2 == 0, n // 2, 3 * n + 1)
        count += 1
    return count

@triton.jit(noinline=True)
def quotient(a, b):
    return a // b, a % b

@triton.jit(noinline=True)
def both(a, wide, factor):
    q, r = quotient(a, 7)
    return steps(a) + 100 * q + 10000 * r, wide * factor
"""

BLOCK_FUNCTION = """
@triton.jit(noinline=True)
def total(x_ptr, n):
    at = tl.arange(0, 64)
    return tl.sum(tl.load(x_ptr + at, mask=at < n, other=0.0))
"""


class Failure(Exception):
    pass


def expect(condition, message):
    if not condition:
        raise Failure(message)


def collatz(n):
    count = 0
    while n > 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        count += 1
    return count


class Programs:
    def __init__(self, tilescope, emulator, folder):
        self.tilescope, self.emulator, self.folder = tilescope, emulator, folder

    def run(self, body, functions="", grid=1, n=0, debug=False):
        """Exit status, what was printed, what was reported, and the kernel's output."""
        text = KERNEL.format(
            body="".join(f"    {line}\n" for line in body.splitlines()),
            functions=functions, grid=grid, size=64 * grid, n=n, debug=debug)
        source, package = self.folder / "kernel.py", self.folder / "kernel.tskernel"
        source.write_text(text)
        made = subprocess.run(
            [self.tilescope, "package", source, "-o", package], capture_output=True, text=True, timeout=120)
        expect(made.returncode == 0, made.stderr)
        done = subprocess.run(
            [self.emulator, package, "--dump", self.folder], capture_output=True, text=True, timeout=120)
        out = np.load(self.folder / "out_ptr.npy") if done.returncode == 0 else None
        return done, out, text


def noinline_functions_compute(programs):
    body = "count, product = both(n, n.to(tl.int64) << 33, 5)\ntl.store(out_ptr + at, x + count + (product >> 33))"
    for n in (2, 6, 27):
        done, out, _ = programs.run(body, SCALAR_FUNCTIONS, n=n)
        expect(done.returncode == 0, done.stderr)
        value = collatz(n) + 100 * (n // 7) + 10000 * (n % 7) + 5 * n
        expect(np.array_equal(out, np.arange(64) + value), f"n = {n}: {out[:4]} instead of {value}…")


def noinline_functions_work_on_blocks(programs):
    done, out, _ = programs.run("tl.store(out_ptr + at, x + total(x_ptr, n))", BLOCK_FUNCTION, n=50)
    expect(done.returncode == 0, done.stderr)
    expect(np.array_equal(out, np.arange(64) + sum(range(50))), f"{out[:4]}")


def device_print_prints_every_element_once(programs):
    body = 'tl.device_print("100% of x", x, n)\ntl.device_print("done")\ntl.store(out_ptr + at, x)'
    done, _, _ = programs.run(body, grid=2, n=-7)
    expect(done.returncode == 0, done.stderr)
    lines = sorted(line for line in done.stdout.splitlines() if line.startswith("pid"))
    expected = []
    for program in range(2):
        place = f"pid ({program}, 0, 0)"
        expected.append(f"{place} done")
        expected.append(f"{place} idx () 100% of x: (operand 1) -7")
        for i in range(64):
            expected.append(f"{place} idx ({i}) 100% of x: (operand 0) {64 * program + i:.6f}")
    expect(lines == sorted(expected), f"{lines[:3]} … {lines[-3:]} instead of {sorted(expected)[:3]} …")


def device_assert_names_the_line(programs):
    body = 'tl.device_assert(x < n, "x is too large")\ntl.store(out_ptr + at, x)'
    done, out, _ = programs.run(body, n=64, debug=True)
    expect(done.returncode == 0, done.stderr)
    expect(np.array_equal(out, np.arange(64)), "the kernel did not go on after its assertion")
    done, _, text = programs.run(body, n=63, debug=True)
    line = next(i for i, part in enumerate(text.splitlines(), 1) if "device_assert" in part)
    wanted = f"kernel.py:{line}: k: assertion `x is too large` failed"
    expect(done.returncode == 1 and wanted in done.stderr, f"{wanted!r} is not in {done.stderr!r}")
    expect("thread 63" in done.stderr, done.stderr)
    done, out, _ = programs.run(body, n=63, debug=False)
    expect(done.returncode == 0, "assertions are checked without `debug`")


def main():
    with tempfile.TemporaryDirectory() as folder:
        programs = Programs(sys.argv[1], sys.argv[2], pathlib.Path(folder))
        failures = 0
        for check in (noinline_functions_compute, noinline_functions_work_on_blocks,
                      device_print_prints_every_element_once, device_assert_names_the_line):
            try:
                check(programs)
                print(f"{check.__name__}: passed")
            except Failure as failure:
                failures += 1
                print(f"{check.__name__}: {failure}")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
