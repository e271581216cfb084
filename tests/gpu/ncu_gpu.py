#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Compares profiles with those of Nsight Compute, on the same GPU, kernel by kernel (docs/profiling.md).

    ncu_gpu.py prepare FOLDER --tilescope TILESCOPE [--target TARGET]
    ncu_gpu.py run FOLDER --runner RUNNER --json FILE [--seconds N] [--twice NAMES]
    ncu_gpu.py table FILE

`prepare` compiles the kernels to packages; it needs no GPU. `run` profiles each with the runner and with `ncu`, one after
the other; those of `--twice` twice with `ncu`, which says how far it repeats itself. `table` prints what both measured,
and ends with status 1 where numbers that must be equal are not.
"""

import concurrent.futures
import csv
import io
import json
import pathlib
import subprocess
import sys
import time

import packages
from commands import FOLDER, JOBS, JSON, RUNNER, TARGET, TILESCOPE, argument, run_command, seconds

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Kernels, and sizes of theirs that take from 50 µs to some milliseconds. The first nine are the examples.
KERNELS = {
    "examples/vector_add.py": "n=67108864",
    "examples/fused_softmax.py": "n_rows=32768,n_cols=1000",
    "examples/layer_norm.py": "n_rows=16384,n_cols=2048",
    "examples/matmul.py": "M=2048,N=2048,K=2048",
    "examples/transpose.py": "n_rows=8192,n_cols=8192",
    "examples/row_sum_atomic.py": "n_rows=4096,n_cols=8192",
    "examples/cumsum.py": "n_rows=8192,n_cols=4096",
    "examples/gelu.py": "n=33554432",
    "examples/dropout.py": "n=33554432",
    "examples/profiles/matmul_4096.py": "",
    "tests/bench/kernels/attention/attention_fwd_4_warps.py": "heads=32,length=2048",
    "tests/bench/kernels/matmul/matmul_descriptor.py": "M=4096,N=4096,K=2048",
    "tests/bench/kernels/matmul/matmul_int8.py": "M=4096,N=4096,K=2048",
    "tests/bench/kernels/matmul/matmul_tf32.py": "",
    "tests/bench/kernels/matmul/matmul_fp8.py": "M=4096,N=4096,K=2048",
    "tests/bench/kernels/norm/rms_norm_fwd.py": "n_rows=8192,n_cols=4096",
    "tests/bench/kernels/rotary/rope_half.py": "tokens=8192",
    "tests/bench/kernels/scan/cumsum_rows.py": "n_rows=4096,n_cols=8192",
    "tests/bench/kernels/memory/permute_heads.py": "batch=4,length=4096",
    "tests/bench/kernels/quantization/quantize_groups_fp8.py": "groups=262144",
    "tests/bench/kernels/softmax/softmax_online.py": "n_rows=2048,n_cols=16384",
    "tests/bench/kernels/sampling/topk_rows.py": "n_rows=131072",
}
MANIFEST = "kernels.json"
# Numbers that depend on the code and its addresses alone.
COUNTS = ("smsp__inst_executed.", "sm__inst_executed_pipe", "smsp__sass_thread_inst_executed", "sm__ops_path_tensor",
          "l1tex__t_sectors_pipe_lsu_mem_global", "l1tex__t_requests_pipe_lsu_mem_global",
          "l1tex__t_sectors_pipe_lsu_mem_local", "sm__sass_l1tex_t_sectors")
WAVEFRONTS = "l1tex__data_pipe_lsu_wavefronts_mem_shared"
# Of what is counted by instruction: the column of Nsight Compute's source page, and of ours.
EXECUTIONS = {"Instructions Executed": 1, "Thread Instructions Executed": 2, "Predicated-On Thread Instructions Executed": 3,
              "L2 Theoretical Sectors Global": 4, "L2 Theoretical Sectors Global Ideal": 5, "L1 Wavefronts Shared": 6,
              "L1 Wavefronts Shared Ideal": 7}
STALL = "smsp__average_warps_issue_stalled_"
# A state of warps, or a line, is compared from this share on.
STATE_SHARE = 0.05


def prepare(options):
    options.folder.mkdir(parents=True, exist_ok=True)

    def one(item):
        path, sizes = ROOT / item[0], item[1]
        words = [word for size in filter(None, sizes.split(",")) for word in ("--set", size)]
        said = packages.write_package(options.tilescope, path, options.folder / f"{path.stem}.tskernel", options.target, *words)
        if not (options.folder / f"{path.stem}.tskernel").exists():
            print(f"{path.stem}: {said}")
        return path.stem

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        names = list(pool.map(one, KERNELS.items()))
    (options.folder / MANIFEST).write_text(json.dumps(names))
    return 0 if all((options.folder / f"{name}.tskernel").exists() for name in names) else 1


def said(command, seconds, parts=None):
    done = subprocess.run(command, capture_output=True, text=True, timeout=max(seconds, 1))
    if done.returncode and parts is not None:
        parts.append(f"{command[0]}: {(done.stdout + done.stderr)[-800:]}")
    return done.stdout


def imported(report, *words):
    """Rows of a page of Nsight Compute's report."""
    done = subprocess.run(["ncu", "--import", report, "--csv", "--print-units", "base", *words], capture_output=True, text=True)
    lines = [line for line in done.stdout.splitlines() if line.startswith('"')]
    # Above the source stands the kernel's name.
    while lines and not lines[0].startswith(('"ID"', '"Address"', '"#"')):
        lines.pop(0)
    return list(csv.DictReader(io.StringIO("\n".join(lines))))


def read_report(report):
    raw = [row for row in imported(report, "--page", "raw") if (row.get("ID") or "").isdigit()]
    source = imported(report, "--page", "source", "--print-source", "sass")
    return {"raw": raw[0] if raw else {}, "source": source}


def nsight(options, package, report, metrics, seconds, problems):
    """The path of Nsight Compute's report on a launch."""
    report.unlink(missing_ok=True)
    said(["ncu", "--clock-control", "none", "--cache-control", "all", "--target-processes", "all", "--metrics",
          ",".join(metrics), "--section", "SourceCounters", "-f", "-o", str(report.with_suffix("")), options.runner, "run",
          package, "--no-measure"], seconds, problems)
    return report


def counts_instructions(runner):
    """Whether the runner knows how."""
    return "--executions" in subprocess.run([runner, "run", "--help"], capture_output=True, text=True).stdout


def run_one(options, name, seconds):
    """Our profile of a kernel, and the reports of Nsight Compute, which are read later."""
    package, problems, begin = options.folder / f"{name}.tskernel", [], time.monotonic()
    text = said([options.runner, "run", package, "--json", "--counters", "full", "--pc-samples", *options.more],
                seconds, problems)
    ours = json.loads(text) if text.startswith("{") else {}
    middle = time.monotonic()
    metrics = sorted(ours.get("counters", {}).get("values", {}))
    reports = {key: nsight(options, package, options.folder / f"{name}-{key}.ncu-rep", metrics, seconds, problems)
               for key in ["ncu"] + ["again"] * (name in options.twice)}
    print(f"{name}: {middle - begin:.1f} s, ncu {time.monotonic() - middle:.1f} s", *problems, flush=True)
    ours.pop("outputs", None)
    return {"ours": ours, "problems": problems}, reports


def run(options):
    results, reports, begin = {}, {}, time.monotonic()
    options.more = ["--executions"] * counts_instructions(options.runner)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for name in json.loads((options.folder / MANIFEST).read_text()):
            left = options.seconds - (time.monotonic() - begin)
            if left < 25:
                print(f"no time for {name}")
                continue
            try:
                results[name], found = run_one(options, name, left)
            except (subprocess.TimeoutExpired, ValueError) as failure:
                print(f"{name}: {failure}")
                continue
            reports |= {(name, key): pool.submit(read_report, str(report)) for key, report in found.items() if report.exists()}
        for (name, key), read in reports.items():
            results[name][key] = read.result()
    options.json.write_text(json.dumps(results))
    return 0


def number(text):
    try:
        return float(str(text).replace(",", ""))
    except ValueError:
        return None


def off(a, b):
    """How far `a` is from `b`, as a fraction of `b`."""
    return 0.0 if a == b else abs(a - b) / abs(b) if b else float("inf")


def shares(values):
    whole = sum(values.values())
    return {name: value / whole for name, value in values.items()} if whole else {}


def percent(fraction):
    return "equal" if abs(fraction) <= 0.005 else f"{fraction * 100:+.1f} %"


def points(a, b):
    return "–" if a is None or b is None else f"{a - b:+.1f}"


def counted(ours, theirs):
    """Of the numbers that must be equal: how many are, and those that are not."""
    names = [name for name in ours if name.startswith(COUNTS) and name.endswith(".sum") and "lookup_hit" not in name
             and name in theirs]
    wrong = [name for name in names if off(ours[name], theirs[name]) > 0.005]
    return len(names) - len(wrong), len(names), wrong


def states(ours, theirs):
    """The largest relative difference of a state of warps with a share of at least 5 %, and its name."""
    mine, others = ({name.removeprefix(STALL).split("_per_")[0]: value for name, value in values.items() if name.startswith(STALL)}
                    for values in (ours, theirs))
    large = {name: off(mine[name], others[name]) for name, share in shares(others).items() if share >= STATE_SHARE and name in mine}
    worst = max(large, key=large.get, default=None)
    return (large[worst], worst) if worst else (0.0, "")


def column(row, *words):
    return next((number(value) for name, value in row.items() if all(word in name for word in words)), None)


def view_of_runner(ours):
    """The values of the counters, and the share of the samples of each instruction."""
    counts = {}
    for offset, _, samples, *_ in ours.get("pc_samples", {}).get("stalls", []):
        counts[offset] = counts.get(offset, 0) + samples
    return ours.get("counters", {}).get("values", {}), shares(counts)


def view_of_nsight(report):
    values = {name: number(value) for name, value in report.get("raw", {}).items() if number(value) is not None}
    return values, shares({16 * at: column(row, "# Samples") or 0 for at, row in enumerate(report.get("source", []))})


def hottest(ours, theirs):
    """The largest difference in points among the ten hottest instructions of either side."""
    hot = set(sorted(ours, key=ours.get)[-10:]) | set(sorted(theirs, key=theirs.get)[-10:])
    return max((abs(ours.get(offset, 0) - theirs.get(offset, 0)) * 100 for offset in hot), default=0)


def executions(ours, report):
    """How many numbers by instruction are equal, of how many, and the largest relative difference."""
    rows = {row[0]: row for row in ours.get("executions", {}).get("instructions", [])}
    pairs = [((rows.get(16 * at) or [0] * 8)[place] or 0, number(row[name]) or 0)
             for at, row in enumerate(report.get("source", [])) for name, place in EXECUTIONS.items() if name in row]
    pairs = [(mine, theirs) for mine, theirs in pairs if mine or theirs]
    return sum(mine == theirs for mine, theirs in pairs), len(pairs), max((off(*pair) for pair in pairs), default=0)


def hit_rates(values):
    """Of L1, global loads, and of L2, in percent."""
    pairs = (("l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"),
             ("lts__t_sectors_srcunit_tex_lookup_hit.sum", "lts__t_sectors_srcunit_tex.sum"))
    return {hit: 100 * values[hit] / values[whole] for hit, whole in pairs if values.get(whole) and hit in values}


def row_of(name, one, other):
    """Cells of the table, and the counts that differ."""
    (ours, our_lines), (theirs, their_lines) = one, other
    equal, compared, wrong = counted(ours, theirs)
    relative = lambda metric: percent(ours[metric] / theirs[metric] - 1) if theirs.get(metric) and metric in ours else "–"
    bytes_of = lambda values: values.get("dram__bytes_read.sum", 0) + values.get("dram__bytes_write.sum", 0)
    peaks = [metric for metric in ours if "pct_of_peak" in metric and metric in theirs]
    worst = lambda a, b, names: max((abs(a[name] - b[name]) for name in names if name in b), default=0)
    waves = max((off(ours[metric], theirs[metric]) for metric in ours if metric.startswith(WAVEFRONTS) and metric in theirs), default=0)
    traffic = percent(bytes_of(ours) / bytes_of(theirs) - 1) if bytes_of(theirs) else "–"
    occupancy, (state, state_name) = "sm__warps_active.avg.pct_of_peak_sustained_active", states(ours, theirs)
    return [name, relative("gpu__time_duration.sum"), f"{equal} of {compared}", percent(waves), traffic,
            f"{worst(hit_rates(ours), hit_rates(theirs), hit_rates(ours)):.1f}", f"{worst(ours, theirs, peaks):.1f}",
            points(ours.get(occupancy), theirs.get(occupancy)), f"{state * 100:.0f} % {state_name}",
            f"{hottest(our_lines, their_lines):.1f}"], wrong


def table(options):
    results, bad = json.loads(options.json.read_text()), []
    print("| kernel | time | counts equal | wavefronts | DRAM bytes | hit rates | shares of peaks | occupancy | states | hottest | by instruction |")
    print("| --- |" + " ---: |" * 10)
    for name, result in results.items():
        theirs = view_of_nsight(result.get("ncu", {}))
        if not result["ours"].get("counters") or not theirs[0]:
            print(f"| {name} | not measured |")
            bad.append(name)
            continue
        cells, wrong = row_of(name, view_of_runner(result["ours"]), theirs)
        equal, compared, worst = executions(result["ours"], result["ncu"])
        counted_them = "executions" in result["ours"]
        cells.append((f"{equal} of {compared}" + (f", {worst * 100:.1f} %" if worst else "")) if counted_them else "–")
        print("| " + " | ".join(cells) + " |")
        if "again" in result:
            print("| " + " | ".join(row_of("– Nsight Compute once more", view_of_nsight(result["again"]), theirs)[0]) + " | |")
        bad += [f"{name}: {metric}" for metric in wrong]
    print(*bad, sep="\n")
    return 1 if bad else 0


def main():
    return run_command(__doc__, (prepare, FOLDER, TILESCOPE, TARGET, JOBS),
                       (run, FOLDER, RUNNER, JSON, seconds(400),
                        argument("--twice", type=lambda names: names.split(","), default=[])),
                       (table, argument("json", type=pathlib.Path)))


if __name__ == "__main__":
    sys.exit(main())
