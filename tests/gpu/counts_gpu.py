#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Compares what `tilescope inspect` counts with the counters of a GPU.

    counts_gpu.py prepare FOLDER KERNEL... --tilescope TILESCOPE [--target TARGET]
    counts_gpu.py run FOLDER [--json FILE] [--seconds N]
    counts_gpu.py table FILE

`prepare` compiles kernels (files with launch blocks) to packages and counts their accesses; it needs no GPU.
`run` launches every package under Nsight Compute (`ncu`) and prints a line for each counter that differs.
`table` prints what `run --json` wrote as a table in Markdown: every kernel, and what was counted for each counter, with
the counter in brackets where it is another number.
"""

import argparse
import concurrent.futures
import csv
import io
import json
import pathlib
import re
import subprocess
import sys
import time

import numpy as np

import device
import packages
from commands import FOLDER, JOBS, TARGET, TILESCOPE, argument, run_command, seconds

# What Nsight Compute counts instruction by instruction: passes lost to other warps are not in it.
WAVEFRONTS = "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_"
GLOBAL = "l1tex__t_{}_pipe_lsu_mem_global_op_{}"
# Counters of a kernel, and what their sum corresponds to: kinds of accesses in `totals`, and the field. Loads, stores
# and copies are requests of warps with a lane that is on. First the heading of their column in the table, if they have one.
COUNTERS = {
    (GLOBAL.format("requests", "ld"),): ("loads: requests", ["global_load", "async_copy"], "requests"),
    (GLOBAL.format("sectors", "ld"),): ("sectors", ["global_load", "async_copy"], "sectors"),
    (GLOBAL.format("requests", "st"),): ("stores: requests", ["global_store"], "requests"),
    (GLOBAL.format("sectors", "st"),): ("sectors", ["global_store"], "sectors"),
    (GLOBAL.format("requests", "atom"),): (None, ["global_atomic"], "requests"),
    (GLOBAL.format("sectors", "atom"),): ("atomics: sectors", ["global_atomic"], "sectors"),
    (GLOBAL.format("requests", "red"),): (None, ["global_reduction"], "requests"),
    (GLOBAL.format("sectors", "red"),): ("reductions: sectors", ["global_reduction"], "sectors"),
    (f"{WAVEFRONTS}ld", f"{WAVEFRONTS}ldsm"): ("shared loads: wavefronts", ["shared_load", "matrix_load"], "wavefronts"),
    (f"{WAVEFRONTS}st", f"{WAVEFRONTS}stsm"): ("shared stores: wavefronts", ["shared_store"], "wavefronts"),
    ("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_gmma",): ("product reads: wavefronts", ["product_read"], "wavefronts"),
}
# Collected besides, to explain differences.
OTHERS = re.compile(
    r"l1tex__t_(requests|sectors)_pipe_lsu_mem_global_op_(ld|st|atom|red|ldgsts)[a-z_]*"
    r"|l1tex__data_pipe_lsu_wavefronts_mem_(shared|lg)[a-z_]*|l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_[a-z_]*"
    r"|smsp__sass_l1tex_data_(pipe_lsu_wavefronts|bank_conflicts_pipe_lsu)_mem_shared[a-z_]*"
    r"|smsp__inst_executed(_op_(ldsm|ldgsts|shared_ld|shared_st))?")
MANIFEST = "counts.json"
# Bytes of an element.
SIZES = {"fp64": 8, "i64": 8, "u64": 8, "fp32": 4, "i32": 4, "u32": 4, "fp16": 2, "bf16": 2, "i16": 2, "u16": 2}
SIZES |= {name: 1 for name in ("i1", "u1", "i8", "u8", "fp8e4nv", "fp8e5", "fp8e4b15", "fp8e4b8", "fp8e5b16")}


def prepare_one(options, path):
    """The totals of a kernel's launch, or what is wrong."""
    name = path.stem
    said = packages.write_package(options.tilescope, path, options.folder / f"{name}.tskernel", options.target)
    done = subprocess.run([options.tilescope, "inspect", path, "--target", options.target, "--json"],
                          capture_output=True, text=True, timeout=600)
    if done.returncode != 0:
        return name, {"error": (done.stdout + done.stderr + said)[-500:]}
    facts = json.loads(done.stdout)
    if "totals" not in facts:
        return name, {"error": "; ".join(facts["notes"])}
    if facts["depends_on_data"]:
        return name, {"error": "which addresses it accesses depends on its data"}
    return name, {"totals": facts["totals"] or {}, "uncounted": facts["uncounted"], "programs": facts["programs"]}


def prepare(options):
    options.folder.mkdir(parents=True, exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        kernels = dict(pool.map(lambda path: prepare_one(options, path), options.kernels))
    for name, kernel in kernels.items():
        if "error" in kernel:
            print(f"{name}: {kernel['error']}")
    (options.folder / MANIFEST).write_text(json.dumps(kernels, indent=1))
    counted = sum("totals" in kernel for kernel in kernels.values())
    print(f"{counted} of {len(kernels)} kernels counted")
    return 0 if counted else 1


def chosen_metrics():
    """The counters that this GPU has."""
    said = subprocess.run(["ncu", "--query-metrics"], capture_output=True, text=True, timeout=120).stdout
    names = {line.split()[0] for line in said.splitlines() if line.strip()}
    names = {name.removesuffix(".sum") for name in names}
    wanted = {name for name in names if OTHERS.fullmatch(name) and "lookup" not in name}
    wanted |= {counter for group in COUNTERS for counter in group} & names
    return sorted(name + ".sum" for name in wanted)


def profile(options, kernels, metrics):
    """The counters of each kernel, in the order of the launches."""
    command = ["ncu", "--csv", "--page", "raw", "--print-units", "base", "--clock-control", "none",
               "--metrics", ",".join(metrics), sys.executable, __file__, "launch", str(options.folder), *kernels]
    done = subprocess.run(command, capture_output=True, text=True, timeout=options.seconds)
    lines = [line for line in done.stdout.splitlines() if line.startswith('"')]
    rows = list(csv.DictReader(io.StringIO("\n".join(lines))))
    launched = [line.removeprefix("launched ") for line in done.stdout.splitlines() if line.startswith("launched ")]
    rows = [row for row in rows if (row.get("ID") or "").isdigit()]
    if len(rows) != len(launched):
        print(f"{len(launched)} launches, {len(rows)} rows\n{done.stdout[-1500:]}{done.stderr[-1500:]}")
    return {name: {metric: int(float(row[metric].replace(",", ""))) for metric in metrics
                   if row.get(metric, "").replace(",", "").replace(".", "").isdigit()}
            for name, row in zip(launched, rows)}


def arguments_of(plan):
    """Zeros and numbers: no address depends on them."""
    return {argument["name"]: np.zeros(argument["shape"], f"u{SIZES[argument['dtype']]}")
            if "shape" in argument else argument["value"] for argument in plan}


def launch(options):
    """Launches each kernel once; `ncu` looks on."""
    kernels = {name: packages.read_package(options.folder / f"{name}.tskernel") for name in options.names}
    arguments = {name: arguments_of(plan) for name, (_, plan) in kernels.items()}
    # No more than they need: Nsight Compute keeps a copy of what a kernel may write.
    room = max(sum(value.nbytes + 2048 for value in values.values() if isinstance(value, np.ndarray))
               + kernels[name][0]["scratch"] * int(np.prod(kernels[name][0]["grid"])) for name, values in arguments.items())
    gpu = device.Device(room + (1 << 20))
    for name, (code, _) in kernels.items():
        try:
            gpu.run(code, arguments[name])
        except device.DeviceError as error:
            print(f"failed {name}: {error}", flush=True)
            return 1
        print(f"launched {name}", flush=True)
    return 0


def expected(totals, kinds, field):
    return sum(totals.get(kind, {}).get(field, 0) for kind in kinds)


def sum_of(counters, group):
    """Of a group of counters; none where one of them was not read."""
    values = [counters.get(f"{counter}.sum") for counter in group]
    return None if None in values else sum(values)


def compare(kernels, measured):
    """Prints what differs; gives the number of counters that agree and that differ."""
    agree = differ = 0
    for name, counters in measured.items():
        for group, (_, kinds, field) in COUNTERS.items():
            found, wanted = sum_of(counters, group), expected(kernels[name]["totals"], kinds, field)
            if found is None:
                continue
            if found == wanted:
                agree += 1
                continue
            differ += 1
            uncounted = ", ".join(sorted({entry["operation"] for entry in kernels[name]["uncounted"]}))
            print(f"{name}: {' + '.join(group)} is {found}, counted {wanted}"
                  + (f" (not counted: {uncounted})" if uncounted else ""))
    return agree, differ


def run(options):
    kernels = json.loads((options.folder / MANIFEST).read_text())
    names = [name for name, kernel in kernels.items() if "totals" in kernel]
    metrics = chosen_metrics()
    print(f"{len(metrics)} counters of {len(names)} kernels")
    start, measured = time.monotonic(), {}
    # A few at a time: what takes too long costs only its own group.
    for first in range(0, len(names), options.group):
        left = options.seconds - (time.monotonic() - start)
        if left < 10:
            print(f"no time for {', '.join(names[first:])}")
            break
        try:
            measured |= profile(argparse.Namespace(folder=options.folder, seconds=left),
                                names[first:first + options.group], metrics)
        except subprocess.TimeoutExpired:
            print(f"out of time in {', '.join(names[first:first + options.group])}")
    agree, differ = compare(kernels, measured)
    print(f"{len(measured)} kernels measured, {agree} counters agree, {differ} differ")
    if options.json:
        options.json.write_text(json.dumps({"kernels": kernels, "measured": measured}, indent=1))
    return 1 if differ or not measured else 0


def cell(totals, counters, group):
    """What was counted; with the counter where it differs; nothing for a counter that was not read, or where both are 0."""
    _, kinds, field = COUNTERS[group]
    found, wanted = sum_of(counters, group), expected(totals, kinds, field)
    if found is None:
        return ""
    return f"{wanted or ''}" if found == wanted else f"{wanted} ({found})"


def table(options):
    facts = json.loads(options.file.read_text())
    columns = {group: heading for group, (heading, *_) in COUNTERS.items() if heading}
    print("| kernel | " + " | ".join(columns.values()) + " |")
    print("| --- |" + " ---: |" * len(columns))
    for name in sorted(facts["measured"]):
        totals, counters = facts["kernels"][name]["totals"], facts["measured"][name]
        print(f"| {name} | " + " | ".join(cell(totals, counters, group) for group in columns) + " |")
    return 0


def main():
    return run_command(__doc__,
                       (prepare, FOLDER, argument("kernels", type=pathlib.Path, nargs="+"), TILESCOPE, TARGET, JOBS),
                       (run, FOLDER, argument("--json", type=pathlib.Path), seconds(200),
                        argument("--group", type=int, default=8)),
                       (launch, FOLDER, argument("names", nargs="+")),
                       (table, argument("file", type=pathlib.Path)))


if __name__ == "__main__":
    sys.exit(main())
