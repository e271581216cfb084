#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Measures kernels for the validation of the static estimate (docs/estimate.md).

    estimate_gpu.py prepare FOLDER --tilescope TILESCOPE [--target TARGET]
    estimate_gpu.py run FOLDER --runner RUNNER --json FILE [--seconds N]
    estimate_gpu.py collect FOLDER MEASURED... --tilescope TILESCOPE -o RECORD

`prepare` compiles the examples, the kernels of tests/bench/kernels and random configurations (the same ones every
time) to packages; it needs no GPU. `run` measures them on a GPU, those of a family together in one process, with a cold
L2 cache. `collect` asks `tilescope inspect` what the model knows of each, and writes that and the times to the file
that the test of the model reads.
"""

import concurrent.futures
import json
import pathlib
import random
import statistics
import subprocess
import sys
import time

from commands import FOLDER, JOBS, JSON, RUNNER, TARGET, TILESCOPE, argument, run_command, seconds

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "support"))

POINTS = "points.json"
CONFIGURATIONS = 26
# Launches of the examples that fill a GPU.
EXAMPLES = {
    "vector_add": "n=67108864", "gelu": "n=67108864", "dropout": "n=67108864",
    "fused_softmax": "n_rows=65536,n_cols=1024", "layer_norm": "n_rows=32768,n_cols=2048",
    "transpose": "n_rows=8192,n_cols=8192", "cumsum": "n_rows=16384,n_cols=4096",
    "row_sum_atomic": "n_rows=16384,n_cols=4096", "matmul": "M=4096,N=4096,K=4096",
}
# File, sizes, constexprs, options: what each is chosen from.
FAMILIES = {
    "matmul": ("examples/matmul.py",
               {"M": [512, 1024, 1536, 2048, 3072, 4096], "N": [512, 1024, 2048, 3072, 4096],
                "K": [256, 512, 1024, 2048, 4096]},
               {"BLOCK_M": [32, 64, 128, 256], "BLOCK_N": [32, 64, 128, 256], "BLOCK_K": [16, 32, 64, 128]},
               {"num_warps": [4, 8], "num_stages": [1, 2, 3, 4]}),
    "attention_fwd_4_warps": ("tests/bench/kernels/attention/attention_fwd_4_warps.py",
                              {"heads": [8, 16, 32, 64], "length": [512, 1024, 2048, 4096]},
                              {"BLOCK_M": [64, 128], "BLOCK_N": [32, 64, 128]},
                              {"num_warps": [4, 8], "num_stages": [1, 2, 3, 4]}),
    "matmul_int8": ("tests/bench/kernels/matmul/matmul_int8.py",
                    {"M": [1024, 2048, 4096], "N": [1024, 2048, 4096], "K": [1024, 2048, 4096]},
                    {"BLOCK_M": [64, 128], "BLOCK_N": [64, 128, 256], "BLOCK_K": [64, 128]},
                    {"num_warps": [4, 8], "num_stages": [2, 3, 4]}),
    "fused_softmax": ("examples/fused_softmax.py",
                      {"n_rows": [512, 2048, 8192, 32768], "n_cols": [256, 781, 1024, 2048, 4096, 8192]}, {},
                      {"num_warps": [1, 2, 4, 8, 16]}),
    "layer_norm": ("examples/layer_norm.py",
                   {"n_rows": [512, 2048, 8192, 16384], "n_cols": [768, 1500, 2048, 4096]},
                   {"BLOCK": [256, 512, 1024, 2048, 4096]}, {"num_warps": [1, 2, 4, 8, 16]}),
    "vector_add": ("examples/vector_add.py",
                   {"n": [1 << 18, 1 << 20, 1 << 22, 1 << 24, 1 << 26]},
                   {"BLOCK": [128, 256, 512, 1024, 2048, 4096, 8192]}, {"num_warps": [1, 2, 4, 8]}),
    "transpose": ("examples/transpose.py",
                  {"n_rows": [1000, 2048, 4096, 8192], "n_cols": [1000, 2048, 4096, 8192]},
                  {"BLOCK_M": [16, 32, 64, 128], "BLOCK_N": [16, 32, 64, 128]}, {"num_warps": [1, 2, 4, 8]}),
    "cumsum": ("examples/cumsum.py",
               {"n_rows": [256, 1024, 4096, 16384], "n_cols": [1024, 2500, 4096]},
               {"BLOCK": [256, 512, 1024, 2048, 4096]}, {"num_warps": [1, 2, 4, 8]}),
    "row_sum_atomic": ("examples/row_sum_atomic.py",
                       {"n_rows": [1000, 4096, 16384], "n_cols": [1024, 3000, 4096]},
                       {"BLOCK_M": [1, 4, 16, 64], "BLOCK_N": [64, 256, 1024]}, {"num_warps": [1, 2, 4, 8]}),
    "matvec": ("tests/bench/kernels/matmul/matvec.py",
               {"M": [1024, 4096, 16384], "K": [2048, 8192]},
               {"BLOCK_M": [4, 8, 16, 32], "BLOCK_K": [128, 256, 512, 1024]}, {"num_warps": [1, 2, 4, 8]}),
}


def words(option, values):
    return [word for name, value in values.items() for word in (option, f"{name}={value}")]


def selection(point):
    return [*words("--set", point["sizes"]), *words("--constexpr", point["constexprs"]),
            *words("--option", point["options"])]


def sizes_of(text):
    return {name: int(value) for name, value in (each.split("=") for each in text.split(","))}


def make_points():
    """The same points every time."""
    points = []

    def add(name, family, file, sizes, constexprs, options):
        points.append({"name": name, "family": family, "file": file, "sizes": sizes, "constexprs": constexprs,
                       "options": options})

    for name, sizes in EXAMPLES.items():
        add(name, "examples", f"examples/{name}.py", sizes_of(sizes), {}, {})
    for path in sorted((ROOT / "tests/bench/kernels").glob("*/*.py")):
        add(path.stem, "kernels", str(path.relative_to(ROOT)), {}, {}, {})
    for family, (file, *choices) in FAMILIES.items():
        generator = random.Random(family)
        most = 1
        for values in (values for choice in choices for values in choice.values()):
            most *= len(values)
        seen = set()
        while len(seen) < min(CONFIGURATIONS, most):
            drawn = [{name: generator.choice(values) for name, values in choice.items()} for choice in choices]
            key = json.dumps(drawn)
            if key not in seen:
                seen.add(key)
                add(f"{family}-{len(seen):02}", family, file, *drawn)
    return points


def in_parallel(jobs, function, items):
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(function, items))


def prepare(options):
    options.folder.mkdir(parents=True, exist_ok=True)

    def package(point):
        done = subprocess.run([options.tilescope, "package", ROOT / point["file"], "--target", options.target,
                               "-o", options.folder / f"{point['name']}.tskernel", *selection(point)],
                              capture_output=True, text=True, timeout=600)
        return None if done.returncode == 0 else (done.stderr or done.stdout).strip().splitlines()[0]

    points = make_points()
    faults = in_parallel(options.jobs, package, points)
    for point, fault in zip(points, faults):
        if fault:
            print(f"{point['name']}: {fault}")
    points = [point for point, fault in zip(points, faults) if not fault]
    (options.folder / POINTS).write_text(json.dumps(points, indent=1))
    print(f"{len(points)} points")
    return 0


def groups_of(points):
    """Those that are measured together: a family's, and each kernel on its own."""
    groups = {}
    for point in points:
        alone = point["family"] in ("examples", "kernels")
        groups.setdefault(point["name"] if alone else point["family"], []).append(point)
    # Families first: they say more a second.
    return sorted(groups.values(), key=lambda group: -len(group))


def run(options):
    from runner_service import RunnerService
    points = json.loads((options.folder / POINTS).read_text())
    service = RunnerService(str(options.runner))
    start, measured, device = time.monotonic(), {}, None

    def measure(group):
        nonlocal device
        seconds = min(6.0, 0.3 * len(group))
        reply = service.call("interleave", {
            "protocol": 1, "packages": [str((options.folder / f"{p['name']}.tskernel").resolve()) for p in group],
            "rounds": 12, "launches_per_round": 3, "measure_s": seconds, "time_limit_s": 30})
        if "error" in reply:
            print(f"{group[0]['name']} and {len(group) - 1} more: {reply['error']['message']}", flush=True)
            return
        result = reply["result"]
        for number, (point, kernel) in enumerate(zip(group, result["kernels"])):
            if "error" in kernel:
                print(f"{point['name']}: {kernel['error']['message']}", flush=True)
                if result.get("fault") == number:
                    return measure([each for each in group if each is not point])
                continue
            times = [each for times in kernel["rounds"] for each in times]
            if not times:
                continue
            measurement = kernel["measurement"]
            device = device or measurement["device"]
            measured[point["name"]] = {
                "us": round(statistics.median(times), 3), "n": len(times), "source": measurement["time_source"],
                "copy_gb_per_s": measurement.get("copy_gb_per_s"),
                "clocks": measurement.get("conditions", {}).get("sm_clock_mhz")}

    for group in groups_of(points):
        if time.monotonic() - start > options.seconds:
            print(f"no time for {group[0]['name']}")
            continue
        # One process prepares at most so many tensors.
        for first in range(0, len(group), 13):
            measure(group[first:first + 13])
        options.json.write_text(json.dumps({"device": device, "measured": measured}))
        print(f"{time.monotonic() - start:6.1f} s {group[0]['name']} {measured.get(group[0]['name'])}", flush=True)
    return 0 if measured else 1


def tidy(value):
    """Whole numbers without a point."""
    if isinstance(value, list):
        return [tidy(each) for each in value]
    return int(value) if float(value).is_integer() else value


def collect(options):
    points = json.loads((options.folder / POINTS).read_text())
    measured, device = {}, None
    for path in options.measured:
        recorded = json.loads(path.read_text())
        measured |= recorded["measured"]
        device = recorded["device"]
    points = [point for point in points if point["name"] in measured]

    def inspect(point):
        done = subprocess.run([options.tilescope, "inspect", ROOT / point["file"], "--target", options.target, "--json",
                               *selection(point)], capture_output=True, text=True, timeout=600)
        return json.loads(done.stdout).get("estimate", {}) if done.returncode == 0 else {"reason": done.stderr[:200]}

    record = []
    for point, estimate in zip(points, in_parallel(options.jobs, inspect, points)):
        if "facts" not in estimate:
            print(f"{point['name']}: {estimate.get('reason')}")
            continue
        facts = {name: tidy(value) for name, value in estimate["facts"].items() if name != "target"}
        record.append({"name": point["name"], "family": point["family"], "measured_us": measured[point["name"]]["us"],
                       "facts": facts})
    lines = ",\n".join(json.dumps(point, separators=(",", ":")) for point in record)
    options.output.write_text(f'{{"device":{json.dumps(device)},"target":"{options.target}","points":[\n{lines}\n]}}\n')
    print(f"{len(record)} points")
    return 0


def main():
    return run_command(__doc__, (prepare, FOLDER, TILESCOPE, TARGET, JOBS), (run, FOLDER, RUNNER, JSON, seconds(500)),
                       (collect, FOLDER, TILESCOPE, TARGET, JOBS, argument("measured", type=pathlib.Path, nargs="+"),
                        argument("-o", "--output", type=pathlib.Path, required=True)))


if __name__ == "__main__":
    sys.exit(main())
