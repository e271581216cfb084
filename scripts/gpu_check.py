#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs kernel packages on this machine's GPU, beside Triton's own kernels of the same source.

For each package (`tilescope package FILE -o NAME.tskernel`):
  1. Triton compiles the same function of the same source file for the same signature, constants and
     options, before anything runs; its machine code goes into a package of its own;
  2. tilescope-runner runs both: same inputs, same launches, same clock. The outputs come from the first launch, on fresh data;
     what later launches add up is never looked at;
  3. both outputs are compared with a float64 reference, with each other, and with the interpreter's outputs where
     they are given (`--interpreter DIR`, holding NAME/<argument>.npy as `tilescope run --on cpu --interpret --dump DIR/NAME` writes them).

References are PyTorch's for the examples, NumPy's of `--references tests/bench/kernels`, which also make the inputs.
Comparisons run beside the next kernels: times are the device's own. The exit status is 1 when an output is wrong or a run fails;
times never fail the check. With `--seconds` it ends in time, and says which packages were not run.

Needs: python3 with triton and numpy, torch for the examples' references; the program tilescope-runner. No other part of Tilescope.
"""

import argparse
import concurrent.futures
import json
import math
import multiprocessing
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from gpu_compare import compare
from triton_packages import read_package, triton_package, write_package  # noqa: F401

# ---- runs ----

def cupti_folder():
    """Where Python packages brought a CUPTI along, for machines without the CUDA Toolkit."""
    for entry in sys.path:
        for pattern in ("nvidia/*/lib/libcupti.so.1[23]", "triton/backends/nvidia/lib/cupti/libcupti.so.1[23]"):
            found = sorted(pathlib.Path(entry or ".").glob(pattern)) if os.path.isdir(entry or ".") else []
            if found:
                return str(found[-1].parent)
    return None


class Runner:
    def __init__(self, program, device, time_limit, left):
        """`left` returns how many seconds are left for a run."""
        self.program, self.device, self.time_limit, self.left = program, device, time_limit, left
        self.environment = dict(os.environ)
        folder = cupti_folder()
        if folder:
            # Behind the system's own: a CUPTI that fits the driver is better.
            paths = [self.environment.get("LD_LIBRARY_PATH", ""), folder]
            self.environment["LD_LIBRARY_PATH"] = ":".join(p for p in paths if p)

    def run(self, package, *options):
        command = [self.program, "run", str(package), "--json", "--device", str(self.device),
                   "--time-limit", str(self.time_limit), *map(str, options)]
        result = subprocess.run(command, capture_output=True, text=True, env=self.environment,
                                timeout=self.left())
        if result.returncode != 0:
            raise RuntimeError(result.stderr.strip() or f"exit status {result.returncode}")
        return json.loads(result.stdout)


# ---- one package ----

def make_inputs(arguments, header, folder):
    """Files for the runner and the references; the runner's own data where there is no folder of references."""
    if not arguments.references:
        return False
    sys.path.insert(0, str(arguments.references))
    from inputs import write_inputs
    write_inputs(header["plan"], folder)
    return True


def summary(runs):
    def middle(key):
        return statistics.median(r[key] for r in runs) if key in runs[0] else None
    return {"time_us": statistics.median(r["time_us"]["median"] for r in runs), "source": runs[0]["time_source"],
            "registers": runs[0].get("registers"), "shared_bytes": runs[0].get("shared_bytes"),
            "gb_per_s": middle("gb_per_s"), "tflop_per_s": middle("tflop_per_s")}


def drop_inputs(folder, outputs):
    """Of what a run left, only what it changed is compared."""
    for output in outputs:
        if not output["changed"]:
            (folder / f"{output['name']}.npy").unlink(missing_ok=True)


def measure(path, header, triton_path, made, arguments, runner, folder, row):
    """Alternating runs of both; returns which outputs Triton's changed, or None without it."""
    inputs = ["--inputs", folder / "inputs"] if made else []
    compare_with = []
    if arguments.interpreter and (arguments.interpreter / path.stem).is_dir():
        compare_with = ["--compare", arguments.interpreter / path.stem]
    dump_inputs = [] if made else ["--dump-inputs", folder / "inputs"]
    rounds = {"tilescope": [runner.run(path, *inputs, *dump_inputs, "--dump", folder / "ours", *compare_with)]}
    first = rounds["tilescope"][0]
    for output in first["outputs"]:
        if output.get("mismatches"):
            row["problems"].append(f"`{output['name']}` differs from the interpreter in {output['mismatches']} "
                                   f"elements, first at {output['first_mismatch']}")
    row["interpreter"] = bool(compare_with) and not row["problems"]
    row["device"], row["copy_gb_per_s"] = first["device"], first.get("copy_gb_per_s")
    changed = None
    if triton_path:
        rounds["triton"] = [runner.run(triton_path, *inputs, "--dump", folder / "theirs")]
        changed = [o["name"] for o in rounds["triton"][0]["outputs"] if o["changed"]]
    for _ in range(arguments.rounds - 1):
        for which in rounds:
            rounds[which].append(runner.run(path if which == "tilescope" else triton_path, *inputs))
    for which, runs in rounds.items():
        row[which] = summary(runs)
        drop_inputs(folder / ("ours" if which == "tilescope" else "theirs"), runs[0]["outputs"])
    return changed


def compile_with_triton(arguments, paths, folder):
    """Triton's packages by path, compiled by several processes; an error's text where one fails."""
    folder.mkdir(parents=True, exist_ok=True)
    sources = {path.name: path for path in sorted(arguments.examples.rglob("*.py"))}
    results, waiting = {}, {}
    spawn = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(arguments.jobs, mp_context=spawn) as pool:
        for path in paths:
            header, _ = read_package(path)
            source = sources.get(pathlib.Path(header["source_path"]).name)
            if source is None:
                results[path] = f"no source file {header['source_path']} to compile with Triton"
                continue
            target = folder / path.name
            capability = arguments.capability or int(header["target"].removeprefix("cuda:"))
            waiting[pool.submit(triton_package, header, source, capability, target)] = (path, target)
        for future in concurrent.futures.as_completed(waiting):
            path, target = waiting[future]
            failure = future.exception()
            results[path] = f"Triton: {type(failure).__name__}: {str(failure)[:300]}" if failure else target
    return results


def run_package(arguments, path, header, compiled, made, runner, folder, row):
    """Fills `row`; returns the outputs that Triton's kernel changed."""
    try:
        triton_path = compiled[path]
        if isinstance(triton_path, str):
            row["problems"].append(triton_path)
            triton_path = None
        return measure(path, header, triton_path, made.result(), arguments, runner, folder / path.stem, row)
    except Exception as failure:  # one kernel's failure must not hide the others' results
        row["problems"].append(f"{type(failure).__name__}: {failure}")
        shutil.rmtree(folder / path.stem, ignore_errors=True)
        return None
    finally:
        spent = time.monotonic() - arguments.started
        print(f"{spent:6.1f} s  {path.stem}: {'; '.join(row['problems']) or ratio_text(row)}", file=sys.stderr, flush=True)


def collect(waiting, rows, pool, left):
    """Waits for the comparisons, as long as there is time."""
    for future, row in waiting.items():
        try:
            found, problems = future.result(timeout=max(left() - 5, 1))
            row.update(found)
            row["problems"] += problems
        except concurrent.futures.TimeoutError:
            row["unchecked"] = True
    if any(row.get("unchecked") for row in rows):
        for process in list(pool._processes.values()):
            process.terminate()


def run_packages(arguments, paths, compiled, runner, folder):
    """A row for each package, in order. The next one's inputs are made, and earlier outputs compared, while one runs."""
    rows, waiting, longest = [], {}, 0.0
    spawn = multiprocessing.get_context("spawn")
    with concurrent.futures.ThreadPoolExecutor(1) as ahead, \
            concurrent.futures.ProcessPoolExecutor(arguments.comparisons, mp_context=spawn) as pool:
        headers = [read_package(path)[0] for path in paths]
        prepare = lambda i: ahead.submit(make_inputs, arguments, headers[i], folder / paths[i].stem / "inputs")
        made = prepare(0)
        for i, (path, header) in enumerate(zip(paths, headers)):
            row = {"name": path.stem, "kernel": header["plan"]["kernel"], "sizes": header["plan"].get("sizes", {}), "problems": []}
            rows.append(row)
            if runner.left() < arguments.reserve + longest:
                row["not_run"] = True
                continue
            began, ready = time.monotonic(), made
            made = prepare(i + 1) if i + 1 < len(paths) else None
            changed = run_package(arguments, path, header, compiled, ready, runner, folder, row)
            longest = max(longest, time.monotonic() - began)
            if "tilescope" in row:
                waiting[pool.submit(compare, arguments.references, header, folder / path.stem, changed)] = row
            # Outputs that wait to be compared take memory.
            while len(open_ones := [future for future in waiting if not future.done()]) > arguments.comparisons:
                concurrent.futures.wait(open_ones, return_when=concurrent.futures.FIRST_COMPLETED)
        collect(waiting, rows, pool, runner.left)
    return rows


# ---- the table ----

def ratio(row):
    mine, theirs = row.get("tilescope"), row.get("triton")
    return mine["time_us"] / theirs["time_us"] if mine and theirs else None


def ratio_text(row):
    return f"{row['tilescope']['time_us']:.1f} µs, {number(ratio(row), '.3f')} of Triton's"


def number(value, form):
    return "" if value is None else format(value, form)


def verdict(row):
    if row["problems"]:
        return "WRONG: see below"
    return "not compared" if row.get("unchecked") else "interpreter's" if row.get("interpreter") else ""


def markdown(rows):
    lines = ["| kernel | sizes | Tilescope µs | Triton µs | ratio | GB/s | TFLOP/s | registers | error in norm | equal |",
             "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |"]
    for row in rows:
        mine, theirs = row.get("tilescope", {}), row.get("triton", {})
        sizes = ", ".join(f"{k}={v}" for k, v in row["sizes"].items())
        registers = f"{mine.get('registers', '')} / {theirs.get('registers', '')}"
        lines.append(f"| {row['kernel']} | {sizes} | {number(mine.get('time_us'), '.2f')} | "
                     f"{number(theirs.get('time_us'), '.2f')} | {number(ratio(row), '.3f')} | "
                     f"{number(mine.get('gb_per_s'), '.0f')} | {number(mine.get('tflop_per_s'), '.0f')} | {registers} | "
                     f"{number(row.get('error'), '.1e')} | {verdict(row)} |")
    return "\n".join(lines)


def report(rows):
    device = next((row["device"] for row in rows if "device" in row), "no device")
    copy = next((row["copy_gb_per_s"] for row in rows if row.get("copy_gb_per_s")), None)
    sources = sorted({row[w]["source"] for row in rows for w in ("tilescope", "triton") if w in row})
    print(f"{device}, copy {number(copy, '.0f')} GB/s, clock: {', '.join(sources)}\n")
    print(markdown([row for row in rows if not row.get("not_run")]))
    for row in rows:
        for problem in row["problems"]:
            print(f"\n{row['name']}: {problem}")
    ratios = {row["name"]: ratio(row) for row in rows if ratio(row)}
    if ratios:
        worst = max(ratios, key=ratios.get)
        mean = math.exp(statistics.fmean(map(math.log, ratios.values())))
        print(f"\n{len(ratios)} kernels: geometric mean {mean:.3f} of Triton's time, worst {ratios[worst]:.3f} ({worst}), "
              f"{sum(r > 1.05 for r in ratios.values())} above 1.05")
    missing = [row["name"] for row in rows if row.get("not_run")]
    if missing:
        print(f"\nNot run, time was up: {', '.join(missing)}")


def seconds_left(arguments):
    """What is left of --seconds; a day without it."""
    return max(arguments.started + (arguments.seconds or 86400) - time.monotonic(), 1)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("packages", type=pathlib.Path, help="folder of .tskernel files, or one file")
    parser.add_argument("--runner", default="tilescope-runner", help="the program tilescope-runner")
    parser.add_argument("--examples", type=pathlib.Path, required=True, help="folder of the kernels' source files, at any depth")
    parser.add_argument("--references", type=pathlib.Path, help="folder with references.py and launches.py: tests/bench/kernels")
    parser.add_argument("--interpreter", type=pathlib.Path, help="folder of the interpreter's outputs, one folder per package")
    parser.add_argument("--filter", default="", metavar="REGEX", help="only packages whose names match")
    parser.add_argument("--seconds", type=float, default=0, help="end within this time and list the packages that were not run")
    parser.add_argument("--reserve", type=float, default=40, help="seconds of --seconds that are kept for comparisons")
    parser.add_argument("--device", type=int, default=0)
    parser.add_argument("--rounds", type=int, default=3, help="alternating runs of each; medians are shown")
    parser.add_argument("--time-limit", type=float, default=10)
    parser.add_argument("--json", type=pathlib.Path, help="write everything here as well")
    parser.add_argument("--scratch", type=pathlib.Path, help="folder for inputs and outputs: /dev/shm saves time")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes that compile with Triton")
    parser.add_argument("--comparisons", type=int, default=max(os.cpu_count() // 4, 1), help="processes that compare outputs")
    parser.add_argument("--triton-only", type=pathlib.Path, metavar="DIR",
                        help="only compile with Triton and write its packages there; needs no GPU")
    parser.add_argument("--capability", type=int, default=0, help="compute capability for Triton; default: each package's")
    arguments = parser.parse_args()
    arguments.started = time.monotonic()
    paths = [arguments.packages] if arguments.packages.is_file() else sorted(arguments.packages.glob("*.tskernel"))
    paths = [path for path in paths if re.search(arguments.filter, path.stem)]
    if not paths:
        parser.error(f"no such .tskernel in {arguments.packages}")
    return arguments, paths


def main():
    arguments, paths = parse_arguments()
    if arguments.triton_only:
        failures = [text for text in compile_with_triton(arguments, paths, arguments.triton_only).values() if isinstance(text, str)]
        for failure in failures:
            print(failure, file=sys.stderr)
        return 1 if failures else 0
    with tempfile.TemporaryDirectory(dir=arguments.scratch) as temporary:
        folder = pathlib.Path(temporary)
        compiled = compile_with_triton(arguments, paths, folder / "triton")
        print(f"{time.monotonic() - arguments.started:6.1f} s  compiled by Triton", file=sys.stderr, flush=True)
        runner = Runner(arguments.runner, arguments.device, arguments.time_limit, lambda: seconds_left(arguments))
        rows = run_packages(arguments, paths, compiled, runner, folder)
    report(rows)
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=1))
    return 1 if any(row["problems"] for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
