#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Traces inside kernels, on a GPU: what they cost, and whether they can be true.

Usage: trace_gpu.py RUNNER OUT.json NAME=PLAIN.tskernel,TRACED.tskernel[,TRACED.tskernel ...] ...

TRACED are packages of the same launch that were compiled with the option `trace`, the one that says most first. A
trace must have spans that follow each other inside their warp's time, work under way that lies there, too, and outputs
that are equal bit for bit; one that is refused must say why. Exit status 1: something of it is not so.
"""

import json
import pathlib
import subprocess
import sys


def faults(trace):
    """What of a trace cannot be."""
    found = []
    for warp in trace["traced"]:
        name = f"program {warp['program']} warp {warp['warp']}"
        last = 0
        for _, begin, end in warp["spans"]:
            if begin < last or end < begin:
                found.append(f"{name}: a span from {begin} to {end} behind {last}")
            last = end
        if warp["cycles"] and max([last] + [end for _, _, end in warp["under_way"]]) > warp["cycles"]:
            found.append(f"{name}: {last} is behind its end, {warp['cycles']}")
        if not warp["cycles"]:
            found.append(f"{name}: no end")
    if trace.get("outputs_equal") is False:
        found.append("outputs differ")
    return found


def kind_times(trace):
    """Cycles by kind, and of all warps."""
    kinds = {scope["id"]: scope["kind"] for scope in trace["scopes"]}
    times = {}
    for warp in trace["traced"]:
        for scope, begin, end in warp["spans"]:
            times[kinds[scope]] = times.get(kinds[scope], 0) + end - begin
    return times, sum(warp["cycles"] for warp in trace["traced"])


def profile(runner, plain, *traced):
    run = subprocess.run([runner, "run", plain, "--json", "--trace", *traced], capture_output=True, text=True, check=False,
                         timeout=300)
    if run.returncode:
        sys.exit(f"{plain}: {run.stderr}")
    return json.loads(run.stdout)


def main(runner, out, *pairs):
    results, ok = {}, True
    for pair in pairs:
        name, packages = pair.split("=")
        measurement = results[name] = profile(runner, *packages.split(","))
        overhead = measurement.get("launch_overhead", {})
        line = f"{name:12} {measurement['time_us']['median']:9.2f} us  call {overhead.get('call_us', 0):.2f} us, alone +{overhead.get('alone_us', 0):.2f} us"
        trace = measurement.get("trace")
        if not trace:
            refused = [each["reason"] for each in measurement.get("refusals", []) if each["rung"] == "trace"]
            print(line, "| refused:", refused)
            ok = ok and bool(refused)
            continue
        times, whole = kind_times(trace)
        shares = ", ".join(f"{kind} {cycles / whole * 100:.1f} %" for kind, cycles in sorted(times.items(), key=lambda each: -each[1]))
        found = faults(trace)
        ok = ok and not found
        notes = [note for note in measurement["notes"] if "clock reads" in note]
        lost = sum(warp["lost"] for warp in trace["traced"])
        print(line, f"| {trace['slowdown'] * 100:+.1f} %, equal {trace.get('outputs_equal')}, {len(trace['traced'])} warps, lost {lost}: {shares}", *notes, *found)
    pathlib.Path(out).write_text(json.dumps(results))
    return 0 if ok else 1


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
