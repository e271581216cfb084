#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Measures native code beside a copy of memory, PyTorch on the processor and NumPy's matrix product.

    compare_cpu.py BENCH_CPU [--rounds N] [--only NAME]

Needs NumPy, and PyTorch for its columns, in the Python that runs it. All contestants of a row take turns, in drawn
order, on all processors; nothing else should run. Prints a table in Markdown: medians, and between which quarters of
the rounds they lie.
"""

import argparse
import os
import pathlib
import random
import statistics
import subprocess
import time

# OpenBLAS's threads look for more work for as long as a product takes, and have a processor meanwhile that belongs to
# the next contestant: 2^20 ticks of the clock in place of 2^26.
os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "20")

import numpy as np  # noqa: E402

try:
    import torch
    import torch.nn.functional as F
except ImportError:
    torch = None

KERNELS = pathlib.Path(__file__).resolve().parent / "kernels"
ROWS = COLUMNS = 4096
N = 1024
# Bytes that go through memory, for those that only move them.
COPIED = {"vector_add": 12 << 24, "transpose": 8 << 24, "gelu": 4 << 25}
COPY_BYTES = 2 * (96 << 20)


class NativeCode:
    """The process that runs kernels as native code."""

    def __init__(self, program):
        self.process = subprocess.Popen([program, KERNELS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __call__(self, command):
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise SystemExit(f"{command}: the kernel did not run")
        return float(answer)


def timed(function):
    begin = time.perf_counter()
    function()
    return (time.perf_counter() - begin) * 1e3


def with_compiled(function, out):
    """Eager and compiled, both with the memory of the result reused as far as PyTorch offers it."""
    compiled = torch.compile(lambda: out.copy_(function()))
    return {"PyTorch": lambda: timed(function), "PyTorch compiled": lambda: timed(compiled)}


def peers_of(name):
    """What the kernel is measured beside: functions that return milliseconds."""
    peers = {}
    if name in ("matmul_fp32", "matmul_bf16"):
        a, b = (np.random.default_rng(seed).standard_normal((N, N), np.float32) for seed in (0, 1))
        c = np.empty_like(a)
        if name == "matmul_fp32":
            peers["OpenBLAS"] = lambda: timed(lambda: np.matmul(a, b, out=c))
        if torch:
            dtype = torch.float32 if name == "matmul_fp32" else torch.bfloat16
            x, y = torch.from_numpy(a).to(dtype), torch.from_numpy(b).to(dtype)
            z = torch.empty((N, N), dtype=dtype)
            peers["PyTorch"] = lambda: timed(lambda: torch.matmul(x, y, out=z))
        return peers
    if not torch:
        return peers
    generator = torch.Generator().manual_seed(0)
    if name == "vector_add":
        x, y = (torch.randn(1 << 24, generator=generator) for _ in range(2))
        out = torch.empty_like(x)
        return {"PyTorch": lambda: timed(lambda: torch.add(x, y, out=out))}
    if name == "transpose":
        x = torch.randn(COLUMNS, COLUMNS, generator=generator)
        out = torch.empty_like(x)
        return {"PyTorch": lambda: timed(lambda: out.copy_(x.T))}
    if name == "gelu":
        x = torch.randn(1 << 25, generator=generator).to(torch.bfloat16)
        return with_compiled(lambda: F.gelu(x), torch.empty_like(x))
    x = torch.randn(ROWS, COLUMNS, generator=generator)
    if name == "softmax":
        out = torch.empty_like(x)
        return with_compiled(lambda: F.softmax(x, -1), out) | {
            "PyTorch": lambda: timed(lambda: torch.softmax(x, -1, out=out))}
    if name == "layer_norm":
        w, b = (torch.randn(COLUMNS, generator=generator) for _ in range(2))
        return with_compiled(lambda: F.layer_norm(x, (COLUMNS,), w, b), torch.empty_like(x))
    labels = torch.randint(0, COLUMNS, (ROWS,), generator=generator)
    return with_compiled(lambda: F.cross_entropy(x, labels, reduction="none"), torch.empty(ROWS))


def measure(contestants, rounds):
    """Times of each, in rounds of drawn order, behind two rounds that do not count."""
    times = {name: [] for name in contestants}
    for turn in range(rounds + 2):
        for name in random.sample(list(contestants), len(contestants)):
            taken = contestants[name]()
            if turn >= 2:
                times[name].append(taken)
    return times


def shown(times):
    low, middle, high = statistics.quantiles(times, n=4)
    return f"{middle:.2f} ({low:.2f} to {high:.2f})"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bench_cpu")
    parser.add_argument("--rounds", type=int, default=31)
    parser.add_argument("--only", action="append", help="names of kernels")
    options = parser.parse_args()
    native = NativeCode(options.bench_cpu)
    print(f"NumPy {np.__version__}, PyTorch {torch.__version__ if torch else 'is not installed'}; milliseconds, median "
          f"of {options.rounds} rounds and its quarters; ratio: how many times as fast the native code is")
    print("\n| work | native code | beside | ms | ratio |\n| --- | ---: | --- | ---: | ---: |")
    for path in sorted(KERNELS.glob("*.py")):
        name = path.stem
        if options.only and name not in options.only:
            continue
        contestants = {"native": lambda: native(name)} | peers_of(name)
        if name in COPIED:
            for kind, copy in {"copy": "a copy of as many bytes", "stream": "the same past the caches"}.items():
                contestants[copy] = lambda kind=kind: native(kind) * COPIED[name] / COPY_BYTES
        if name == "matmul_bf16":
            contestants["native code, fp32"] = lambda: native("matmul_fp32")
        times = measure(contestants, options.rounds)
        own = statistics.median(times["native"])
        for peer, taken in times.items():
            if peer != "native":
                print(f"| `{name}` | {shown(times['native'])} | {peer} | {shown(taken)} | "
                      f"{statistics.median(taken) / own:.2f} |", flush=True)
        native(f"drop {name}")


if __name__ == "__main__":
    main()
