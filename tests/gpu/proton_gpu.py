#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Compares traces inside kernels with Proton's, on the same GPU (docs/profiling.md).

    proton_gpu.py prepare FOLDER --tilescope TILESCOPE [--target TARGET]
    proton_gpu.py run FOLDER --runner RUNNER --json FILE
    proton_gpu.py table FILE

The same functions are compiled by Tilescope with its own clock reads, and by Triton with Proton's scopes around the same
operations. Each multiprocessor has one program, and the L2 cache is warm, so that nothing else is in the times; for such
short kernels the limit of what clock reads may cost is lifted. A scope's time is the median of all warps, in cycles,
Proton's less what a scope around nothing takes. `prepare` needs no GPU; `run` needs PyTorch and Triton with Proton.
"""

import json
import pathlib
import statistics
import subprocess
import sys

import packages
from commands import FOLDER, JSON, RUNNER, TARGET, TILESCOPE, argument, run_command

ROOT = pathlib.Path(__file__).resolve().parents[2]
# One for each multiprocessor.
PROGRAMS = 132
LAUNCHES = 8
# Kernel: file, its sizes; scopes of Proton, and what they are of ours: kinds, from the first one's begin to the last one's end.
KERNELS = {
    "softmax": ("examples/fused_softmax.py", f"n_rows={PROGRAMS},n_cols=1000",
                {"load": ["load"], "maximum": ["wait", "exchange"], "sum": ["barrier", "exchange"], "store": ["store"]}),
    "add": ("examples/vector_add.py", f"n={PROGRAMS * 1024}",
            {"loads": ["load", "load"], "arrival": ["wait", "wait"], "store": ["store"]}),
}


def prepare(options):
    options.folder.mkdir(parents=True, exist_ok=True)
    programs = ",".join(str(program) for program in range(PROGRAMS))
    for name, (file, sizes, _) in KERNELS.items():
        words = [word for size in sizes.split(",") for word in ("--set", size)]
        print(packages.write_package(options.tilescope, ROOT / file, options.folder / f"{name}.tskernel", options.target, *words))
        traced = [*words, "--option", "trace=True", "--option", f'trace_programs="{programs}"']
        print(packages.write_package(options.tilescope, ROOT / file, options.folder / f"{name}-traced.tskernel", options.target, *traced))
    return 0


def proton_kernels():
    """The functions of the files, with scopes, each with its launch."""
    import torch
    import triton.profiler.language as pl
    pl.enable_semantic("triton")
    import proton_kernels as kernels
    rows = torch.randn(PROGRAMS, 1000, device="cuda")
    x, y = (torch.randn(PROGRAMS * 1024, device="cuda") for _ in range(2))
    out, total = torch.empty_like(rows), torch.empty_like(x)
    return {
        "softmax": lambda: kernels.softmax[(PROGRAMS,)](out, rows, 1000, 1000, 1000, BLOCK=1024, num_warps=4),
        "add": lambda: kernels.add[(PROGRAMS,)](x, y, total, x.numel(), BLOCK=1024, num_warps=4),
    }


def proton_scopes(folder, name, launch):
    """Cycles of each scope, of all warps and launches but the first ones."""
    import torch
    import triton.profiler as proton
    proton.start(str(folder / name), data="trace", backend="instrumentation",
                 mode=proton.mode.Default(optimizations="clock32,time_shift"))
    for _ in range(LAUNCHES):
        launch()
    torch.cuda.synchronize()
    proton.finalize()
    events = json.loads((folder / f"{name}.chrome_trace").read_text())["traceEvents"]
    times = {}
    for event in events:
        if event.get("ph") == "X":
            # Microseconds of a clock of 1 GHz: thousands of cycles.
            times.setdefault(event["name"], []).append(event["dur"] * 1000)
    return {scope: values[len(values) // LAUNCHES:] for scope, values in times.items()}


def our_scopes(trace, wanted):
    """Cycles of each scope of Proton's, as the spans of our trace say them."""
    kinds = {scope["id"]: scope["kind"] for scope in trace["scopes"]}
    times = {scope: [] for scope in wanted}
    for warp in trace["traced"]:
        spans = [(kinds[scope], begin, end) for scope, begin, end in warp["spans"]]
        at = 0
        for scope, sequence in wanted.items():
            found = [k for k in range(at, len(spans)) if [kind for kind, _, _ in spans[k:k + len(sequence)]] == sequence]
            if found:
                at = found[0] + len(sequence)
                times[scope].append(spans[at - 1][2] - spans[found[0]][1])
    return times


def run(options):
    results = {}
    try:
        launches = proton_kernels()
    except ImportError as failure:
        sys.exit(f"no Proton: {failure}")
    for name, (_, _, wanted) in KERNELS.items():
        done = subprocess.run([options.runner, "run", options.folder / f"{name}.tskernel", "--json", "--warm-l2", "--trace-limit", "9", "--trace",
                               options.folder / f"{name}-traced.tskernel"], capture_output=True, text=True)
        ours = json.loads(done.stdout) if done.returncode == 0 else {"error": done.stderr}
        theirs = proton_scopes(options.folder, name, launches[name])
        results[name] = {"trace": ours.get("trace"), "refusals": ours.get("refusals", ours.get("error")), "theirs": theirs,
                         "device": ours.get("device")}
    options.json.write_text(json.dumps(results))
    return table(options)


def table(options):
    print("| kernel | scope | Tilescope, cycles | Proton, cycles | difference |")
    print("| --- | --- | ---: | ---: | ---: |")
    far = 0
    for name, result in json.loads(options.json.read_text()).items():
        ours = our_scopes(result["trace"], KERNELS[name][2]) if result["trace"] else {}
        empty = statistics.median(result["theirs"].pop("empty"))
        print(f"| {name} | a scope of nothing | | {empty:.0f} | |")
        for scope, values in result["theirs"].items():
            if not ours.get(scope):
                print(f"| {name} | {scope} | – | {statistics.median(values) - empty:.0f} | {result['refusals'] or ''} |")
                continue
            a, b = statistics.median(ours[scope]), statistics.median(values) - empty
            far += abs(a - b) > max(20, 0.05 * b)
            print(f"| {name} | {scope} | {a:.0f} | {b:.0f} | {a - b:+.0f} ({(a / b - 1) * 100:+.1f} %) |")
    return 1 if far else 0


def main():
    return run_command(__doc__, (prepare, FOLDER, TILESCOPE, TARGET), (run, FOLDER, RUNNER, JSON),
                       (table, argument("json", type=pathlib.Path)))


if __name__ == "__main__":
    sys.exit(main())
