#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Runs the kernels of the conformance table and holds their results against NumPy.

    conformance.py TILESCOPE [--work DIR] [--filter REGEX] [--sample N] [--seconds S]
    conformance.py TILESCOPE --emulator TILESCOPE_EMULATE     the compiled PTX instead of the interpreter
    conformance.py TILESCOPE --native [--checked] [--exact]   code of this processor, with checks, or the interpreter's bits
    conformance.py --list                                     names and groups of all cases

Kernels go into files of many, whose launches run in one process. `--sample N` takes every case whose name's
checksum is divisible by N: the same cases on every machine. With `--native`, a kernel that the interpreter has
executed instead is a failure. The report is written to DIR/report.json and DIR/report.md. Exit status 1: some result
is wrong that suite/known.py does not explain.
"""

import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import zlib
from concurrent.futures import ThreadPoolExecutor

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from suite import all_cases  # noqa: E402
from suite.case import file_text  # noqa: E402
from suite.compare import compare  # noqa: E402
from suite.dtypes import decode  # noqa: E402
from suite.known import known_reason  # noqa: E402

KERNELS_PER_FILE = 60


def batches(cases):
    """Files of one group each."""
    groups = collections.defaultdict(list)
    for case in cases:
        groups[case.group].append(case)
    for group, members in groups.items():
        for start in range(0, len(members), KERNELS_PER_FILE):
            yield f"{group}_{start // KERNELS_PER_FILE}", members[start:start + KERNELS_PER_FILE]


def write_batch(folder, name, cases):
    """The kernel file and every tensor's contents before the launch."""
    path = folder / f"{name}.py"
    path.write_text(file_text(cases))
    for case in cases:
        target = folder / "inputs" / case.name
        target.mkdir(parents=True, exist_ok=True)
        for argument, bits in case.inputs().items():
            np.save(target / f"{argument}.npy", bits.view(case.args[argument].dtype.file))
    return path


def load_values(path, dtype):
    array = np.load(path)
    return decode(dtype, array[dtype.name] if array.dtype.names else array)


def problems_of(case, dump):
    """What is wrong with the outputs in the folder."""
    found = []
    for argument, (expected, defined) in case.expected().items():
        dtype = case.args[argument].dtype
        text = compare(dtype, load_values(dump / f"{argument}.npy", dtype), expected, defined, case.tolerance)
        if text:
            found.append(f"`{argument}`: {text}")
    return found


def interpret(options, folder, path, cases):
    """Writes the outputs of all launches of a file, run on the processor; returns the errors by case."""
    dump = folder / "outputs"
    command = [options.tilescope, "run", path, "--on", "cpu", "--all-launches", "--inputs", folder / "inputs",
               "--dump", dump, "--json", *(["--target", "cpu:native"] if options.native else ["--interpret"]),
               *(["--checked"] if options.checked else []), *(["--exact"] if options.exact else [])]
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=1800)
    try:
        launches = {launch["launch"]: launch for launch in json.loads(done.stdout)["launches"]}
    except (json.JSONDecodeError, KeyError):
        return dump, {case.name: f"no results: {done.stderr.strip()[-500:]}" for case in cases}
    failures = {name: failure_text(launch) for name, launch in launches.items() if not launch["ok"]}
    if options.native:
        failures |= {name: not_native(launch) for name, launch in launches.items()
                     if launch["ok"] and not launch["execution"]["native"]
                     and not (options.checked and has_findings(launch))}
    return dump, failures


def has_findings(launch):
    """Checked runs with findings are executed by the interpreter, which finds all of them."""
    return any(note["severity"] == "warning" for note in launch["diagnostics"])


def not_native(launch):
    """The interpreter has executed these: their results say nothing about native code."""
    notes = [note["message"] for note in launch["diagnostics"] if note["severity"] == "note"]
    return "; ".join(["executed by the interpreter", *notes])


def failure_text(launch):
    messages = [d["message"] for d in launch["diagnostics"] if d["severity"] == "error"]
    return "; ".join(messages) or launch.get("error", "failed without a reason")


def emulate(options, folder, path, cases):
    """The same from compiled PTX, in the emulator."""
    packages, dump, failures = folder / "packages", folder / "outputs", {}
    command = [options.tilescope, "package", path, "--all-launches", "-o", packages, "--target", options.target]
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=1800)
    for case in cases:
        package = packages / f"{case.name}.tskernel"
        if not package.exists():
            failures[case.name] = "no package: " + messages_near(done.stderr, case)
            continue
        target = dump / case.name
        target.mkdir(parents=True, exist_ok=True)
        run = subprocess.run([options.emulator, package, "--inputs", folder / "inputs" / case.name, "--dump", target],
                             capture_output=True, text=True, timeout=600)
        if run.returncode != 0:
            failures[case.name] = run.stderr.strip()
    return dump, failures


def messages_near(text, case):
    lines = [line for line in text.splitlines() if case.name in line or "error" in line]
    return " | ".join(lines[:2])[:400]


def run_batch(options, root, name, cases):
    folder = root / name
    folder.mkdir(parents=True, exist_ok=True)
    path = write_batch(folder, name, cases)
    dump, failures = (emulate if options.emulator else interpret)(options, folder, path, cases)
    rows = []
    for case in cases:
        if case.name in failures:
            problems = [failures[case.name]]
        else:
            try:
                problems = problems_of(case, dump / case.name)
            except Exception as error:  # one case must not hide the others' results
                problems = [f"{type(error).__name__}: {error}"]
        known = known_reason(options.runner, case.name)
        rows.append({"case": case.name, "group": case.group, "ok": not problems, "problems": problems, "known": known})
    return rows


def markdown(rows, seconds):
    groups = collections.defaultdict(lambda: [0, 0])
    for row in rows:
        groups[row["group"]][0] += 1
        groups[row["group"]][1] += row["ok"]
    lines = [f"{len(rows)} kernels, {sum(row['ok'] for row in rows)} agree, {seconds:.0f} s", "",
             "| group | kernels | agree |", "| --- | ---: | ---: |"]
    lines += [f"| {group} | {count} | {good} |" for group, (count, good) in sorted(groups.items())]
    for row in rows:
        if not row["ok"]:
            lines += ["", f"**{row['case']}**{' (known)' if row['known'] else ''}: {'; '.join(row['problems'])}"]
        elif row["known"]:
            lines += ["", f"**{row['case']}** agrees, though it need not: {row['known']}"]
    return "\n".join(lines) + "\n"


def select(options):
    cases = all_cases()
    if options.filter:
        cases = [case for case in cases if re.search(options.filter, case.name)]
    if options.sample > 1:
        cases = [case for case in cases if zlib.crc32(case.name.encode()) % options.sample == 0]
    return cases


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("tilescope", nargs="?")
    parser.add_argument("--work", type=pathlib.Path, help="keep kernels, inputs, outputs and the report there")
    parser.add_argument("--filter", help="only cases whose name matches")
    parser.add_argument("--sample", type=int, default=1, help="only about one case in so many")
    parser.add_argument("--emulator", help="the program tilescope-emulate")
    parser.add_argument("--native", action="store_true", help="code of this processor")
    parser.add_argument("--checked", action="store_true", help="with --native: bounds are checked")
    parser.add_argument("--exact", action="store_true", help="with --native: the interpreter's bits")
    parser.add_argument("--target", default="cuda:90")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    options.runner = "emulator" if options.emulator else "native" if options.native else "interpreter"
    cases = select(options)
    if options.list:
        print("\n".join(f"{case.group:14} {case.name}" for case in cases))
        return 0
    if not options.tilescope:
        parser.error("which tilescope?")
    with tempfile.TemporaryDirectory() as temporary:
        root = options.work or pathlib.Path(temporary)
        start = time.monotonic()
        with ThreadPoolExecutor(options.jobs) as pool:
            done = pool.map(lambda batch: run_batch(options, root, *batch), batches(cases))
            rows = [row for rows in done for row in rows]
        text = markdown(rows, time.monotonic() - start)
        (root / "report.json").write_text(json.dumps(rows, indent=1))
        (root / "report.md").write_text(text)
        print(text)
    return 0 if all(row["ok"] or row["known"] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
