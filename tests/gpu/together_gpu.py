#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Records times of kernels that alternate in one process, for the tests of the verdict and for docs/profiling.md.

Usage: together_gpu.py RUNNER OUT.json NAME=BEFORE.tskernel,AFTER.tskernel,RUNS… [--rounds N]

Each run is a process of its own. A kernel against itself is named twice. The file holds, for each name, the runs with
the times of both in ticks of the records' clock (32 ns): [run][before or after][round][launch].
"""

import argparse
import base64
import json
import pathlib
import statistics
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from runner_service import RunnerService  # noqa: E402


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("runner")
    parser.add_argument("output")
    parser.add_argument("pairs", nargs="+")
    parser.add_argument("--rounds", type=int, default=100)
    arguments = parser.parse_args()
    service = RunnerService(arguments.runner)
    recorded = {"tick_ns": 32, "kernels": {}}
    for pair in arguments.pairs:
        name, rest = pair.split("=")
        before, after, runs = rest.split(",")
        packages = [base64.b64encode(pathlib.Path(path).read_bytes()).decode() for path in (before, after)]
        kept, medians, begin = [], [], time.time()
        for run in range(int(runs)):
            reply = service.call("interleave", {"protocol": 1, "packages_base64": packages, "seed": run,
                                               "rounds": arguments.rounds, "time_limit_s": 30})
            if "error" in reply:
                raise SystemExit(f"{name}: {reply['error']}")
            kernels = reply["result"]["kernels"]
            for kernel in kernels:
                if "error" in kernel:
                    raise SystemExit(f"{name}: {kernel['error']}")
            recorded.setdefault("device", kernels[0]["measurement"]["device"])
            medians.append([statistics.median(t for r in kernel["rounds"] for t in r) for kernel in kernels])
            kept.append([[[round(t * 1000 / 32) for t in r] for r in kernel["rounds"]] for kernel in kernels])
        recorded["kernels"][name] = kept
        shifts = sorted(after / before - 1 for before, after in medians)
        measurement = kernels[0]["measurement"]
        print(f"{name:24} {len(kept):4} runs, {(time.time() - begin) / len(kept):.2f} s each, median "
              f"{statistics.median(m[0] for m in medians):8.2f} us, shifts of medians {shifts[0] * 100:+.2f} % to "
              f"{shifts[-1] * 100:+.2f} %, {measurement['time_source']}, clocks "
              f"{measurement.get('conditions', {}).get('sm_clock_mhz')}", *measurement["notes"], flush=True)
        pathlib.Path(arguments.output).write_text(json.dumps(recorded, separators=(",", ":")))


if __name__ == "__main__":
    main()
