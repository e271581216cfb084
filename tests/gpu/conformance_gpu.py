#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""The conformance suite on a GPU: compiled kernels against NumPy, and against Triton 3.6.

Three compilations of every kernel run: Tilescope's, Triton's, and Triton's of the TTIR that Tilescope prints.

Where Tilescope is built (no GPU needed), everything goes into one folder:

    conformance_gpu.py prepare FOLDER --tilescope PATH [--sample N] [--target cuda:90] [--no-triton]

On the machine with the GPU (python3 with numpy, and for the comparison torch and triton; no Tilescope):

    python3 FOLDER/conformance_gpu.py run FOLDER --json RESULT.json [--seconds 420] [--jobs 12] [--no-triton]

RESULT.json holds {"device", "summary", "cases": [{"case", "group", "ours", "norm", "triton", "ttir", "same", …}]}: `ours`,
`triton` and `ttir` are "ok" or what is wrong against NumPy, `norm` is the largest error in norm of ours where the
tolerance is one, `same` is "ok" or how the first two differ from each other, `note` is what is known of Triton 3.6 there.

Kernels run in child processes of several; one that faults or hangs is recorded and the others go on in a new
process. Exit status 1: some result of ours is wrong.
"""

import argparse
import collections
import json
import os
import pathlib
import pickle
import re
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor

HERE = pathlib.Path(__file__).resolve().parent
# Beside this file in a prepared folder, in the tree otherwise.
sys.path[:0] = [str(HERE), str(HERE.parent / "conformance")]
from children import Children, say  # noqa: E402
from packages import read_package, write_package  # noqa: E402
from suite import all_cases  # noqa: E402
from suite.case import Tensor, file_text  # noqa: E402
from suite.compare import compare, norm_error  # noqa: E402
from suite.dtypes import decode  # noqa: E402

PER_FILE = 60
PARTS = ("ours", "triton", "ttir")
SCRIPTS = ("children.py", "conformance_gpu.py", "conformance_triton.py", "device.py", "packages.py")


def files_of(cases):
    groups = collections.defaultdict(list)
    for case in cases:
        groups[case.group.replace(" ", "_")].append(case)
    return {f"{group}_{start // PER_FILE}": members[start:start + PER_FILE]
            for group, members in groups.items() for start in range(0, len(members), PER_FILE)}


# ---- prepare ----

def prepare(options):
    import zlib
    folder = options.folder
    (folder / "kernels").mkdir(parents=True, exist_ok=True)
    for name in SCRIPTS:
        shutil.copy(HERE / name, folder)
    shutil.copytree(HERE.parent / "conformance" / "suite", folder / "suite", dirs_exist_ok=True,
                    ignore=shutil.ignore_patterns("__pycache__"))
    cases = [c for c in all_cases()
             if re.search(options.filter, c.name) and zlib.crc32(c.name.encode()) % options.sample == 0]
    files = files_of(cases)
    failures = {}

    def make(entry):
        name, members = entry
        path = folder / "kernels" / f"{name}.py"
        path.write_text(file_text(members))
        with tempfile.TemporaryDirectory() as temporary:
            words = write_package(options.tilescope, path, temporary, options.target, "--all-launches")
            if not options.no_triton:
                subprocess.run([options.tilescope, "compile", path, "--all-launches", "--emit", "ttir",
                                "--out", temporary, "--target", options.target], capture_output=True)
            made = {}
            for case in members:
                package = pathlib.Path(temporary) / f"{case.name}.tskernel"
                if package.exists():
                    made[case.name] = read_package(package)[0]
                    if not options.no_triton:
                        made[case.name]["ttir"] = package.with_suffix(".ttir").read_text()
                else:
                    lines = [line for line in words.splitlines() if "error" in line]
                    failures[case.name] = "not compiled: " + " | ".join(lines)[:300]
        return name, made

    with zipfile.ZipFile(folder / "code.zip", "w", zipfile.ZIP_DEFLATED) as archive, ThreadPoolExecutor(2) as pool:
        for name, made in pool.map(make, files.items()):
            archive.writestr(name, pickle.dumps(made))
            print(f"{name}: {len(made)} of {len(files[name])}", flush=True)
    (folder / "cases.json").write_text(json.dumps({"files": {n: [c.name for c in m] for n, m in files.items()},
                                                   "not compiled": failures}))
    size = sum(f.stat().st_size for f in folder.rglob("*") if f.is_file())
    print(f"{len(cases)} kernels, {len(failures)} not compiled, {size / 2**20:.1f} MiB in {folder}")
    return 0


# ---- child processes ----

def load_file(options):
    listed = json.loads((options.folder / "cases.json").read_text())["files"][options.file]
    by_name = {case.name: case for case in all_cases()}
    return [by_name[name] for name in listed if name not in set(options.skip)]


def load_code(options):
    with zipfile.ZipFile(options.folder / "code.zip") as archive:
        return pickle.loads(archive.read(options.file))


def compile_child(options):
    """Compiles one file with Triton: each kernel from its source and from our TTIR."""
    import conformance_triton
    module = conformance_triton.load_module(options.folder / "kernels" / f"{options.file}.py")
    ours = load_code(options)

    def from_ttir(case):
        if "ttir" not in ours.get(case.name, {}):
            raise ValueError("no TTIR")
        text = options.scratch / f"{case.name}.ttir"
        text.write_text(ours[case.name]["ttir"])
        return conformance_triton.compile_ttir(text, case, ours[case.name]["parameters"], options.capability)

    def from_source(case):
        return conformance_triton.compile_case(module, case, options.capability)

    for case in load_file(options):
        for part, make in (("triton", from_source), ("ttir", from_ttir)):
            if f"{case.name}/{part}" in options.skip:
                continue
            say(begun=case.name, part=part)
            try:
                code = make(case)
            except Exception as error:  # the message is the result
                text = f"{type(error).__name__}: {' '.join(str(error).split())[-300:]}"
                say(done=case.name, part=part, verdict="not compiled: " + text)
                continue
            (options.scratch / f"{case.name}.{part}.code").write_bytes(pickle.dumps(code))
            say(done=case.name, part=part)
        say(finished=case.name)


def judge(case, bits, written_outside):
    """What is wrong with the arrays after a run, against the reference."""
    problems = [f"{written_outside} bytes written outside of the arguments"] if written_outside else []
    for name, (expected, defined) in case.expected().items():
        dtype = case.args[name].dtype
        text = compare(dtype, decode(dtype, bits[name]), expected, defined, case.tolerance.on_gpu())
        if text:
            problems.append(f"`{name}`: {text}")
    return "; ".join(problems) or "ok"


def largest_norm(case, bits):
    """The largest error in norm of the outputs that are compared in norm, which may be NaN; None without such."""
    tolerance = case.tolerance.on_gpu()
    errors = [norm_error(decode(case.args[name].dtype, bits[name]), expected, defined)
              for name, (expected, defined) in case.expected().items()] if tolerance.norm else []
    return max(errors, key=lambda error: (error != error, error), default=None)


def differences(case, ours, theirs):
    """How two runs differ, where the reference is defined."""
    found = []
    for name, (_, defined) in case.expected().items():
        dtype = case.args[name].dtype
        text = compare(dtype, decode(dtype, ours[name]), decode(dtype, theirs[name]), defined, case.tolerance)
        if text:
            found.append(f"`{name}`: {text}")
    return "; ".join(found) or "ok"


def execute_child(options):
    """Runs one file's kernels: ours, then Triton's two."""
    from device import Device, DeviceError
    device = Device()
    say(device=device.name)
    ours = load_code(options)
    for case in load_file(options):
        arguments = case.inputs()
        arguments.update({name: value[0] if isinstance(value, tuple) else value
                          for name, value in case.args.items() if not isinstance(value, Tensor)})
        results = {}
        for part in PARTS:
            compiled = options.scratch / f"{case.name}.{part}.code"
            code = pickle.loads(compiled.read_bytes()) if compiled.exists() else (
                ours.get(case.name) if part == "ours" else None)
            if code is None or f"{case.name}/{part}" in options.skip:
                continue
            say(begun=case.name, part=part)
            try:
                bits, outside = device.run(code, arguments)
            except DeviceError as error:
                say(done=case.name, part=part, verdict=f"failed: {error}", poisoned=True)
                return
            results[part] = bits
            try:
                say(done=case.name, part=part, verdict=judge(case, bits, outside), norm=largest_norm(case, bits))
            except Exception as error:  # a fault of the table
                say(done=case.name, part=part, verdict=f"no verdict: {type(error).__name__}: {error}")
        if "ours" in results and "triton" in results:
            say(done=case.name, part="same", verdict=differences(case, results["ours"], results["triton"]))
        say(finished=case.name)


# ---- run ----

def summarize(rows):
    groups = collections.defaultdict(lambda: collections.Counter())
    for row in rows:
        groups[row["group"]]["kernels"] += 1
        for part in (*PARTS, "same"):
            groups[row["group"]][part] += row.get(part) == "ok"
    return groups


def norm_lines(rows, cases):
    """For each tolerance in norm, how many kernels of ours it holds for and their largest error."""
    errors = collections.defaultdict(list)
    for row in rows:
        if row.get("norm") is not None:
            errors[cases[row["case"]].tolerance.on_gpu().norm].append((row["norm"], row["case"]))
    return [f"allowed {allowed:g} in norm: {len(found)} kernels, largest {max(found)[0]:.3g} ({max(found)[1]})"
            for allowed, found in sorted(errors.items())]


def table_row(title, counts):
    return " | ".join([f"| {title}", *(str(counts[name]) for name in ("kernels", *PARTS, "same"))]) + " |"


def run(options):
    listed = json.loads((options.folder / "cases.json").read_text())
    groups = {case.name: case for case in all_cases()}
    rows = {name: {"case": name, "group": groups[name].group, "note": groups[name].triton} for names in listed["files"].values() for name in names}
    for name, reason in listed["not compiled"].items():
        rows[name]["ours"] = reason
    device, lost = [], []
    start = time.monotonic()

    def take(fact):
        if "device" in fact:
            device.append(fact["device"])
        elif "lost" in fact:
            lost.append(fact)
        elif "verdict" in fact:
            rows[fact["done"]][fact["part"]] = fact["verdict"]
            if fact["part"] == "ours":
                rows[fact["done"]]["norm"] = fact.get("norm")

    with tempfile.TemporaryDirectory() as temporary:
        scratch = pathlib.Path(temporary)
        given = [options.folder, "--capability", str(options.capability)]
        if not options.no_triton:
            children = Children(__file__, given, scratch, start + 0.55 * options.seconds)
            with ThreadPoolExecutor(options.jobs) as pool:
                list(pool.map(lambda file: children.run("compile", file, take, 120), listed["files"]))
            for part in PARTS[1:]:
                print(f"compiled, {part}: {len(list(scratch.glob(f'*.{part}.code')))}")
            print(f"after {time.monotonic() - start:.0f} s", flush=True)
        children = Children(__file__, given, scratch, start + options.seconds)
        with ThreadPoolExecutor(min(options.jobs, 6)) as pool:
            list(pool.map(lambda file: children.run("execute", file, take, 30), listed["files"]))
    for row in rows.values():
        for part in PARTS:
            row.setdefault(part, "not run")
    summary = summarize(rows.values())
    seconds = time.monotonic() - start
    options.json.write_text(json.dumps({"device": device[0] if device else None, "seconds": round(seconds, 1),
                                        "lost": lost, "summary": summary, "cases": list(rows.values())}, indent=1))
    print(f"{device[0] if device else 'no device'}, {seconds:.0f} s\n")
    print("| group | kernels | ours = NumPy | Triton = NumPy | our TTIR in Triton = NumPy | ours = Triton |\n"
          "| --- | ---: | ---: | ---: | ---: | ---: |")
    total = collections.Counter()
    for group, counts in sorted(summary.items()):
        total.update(counts)
        print(table_row(group, counts))
    print(table_row("all", total) + "\n")
    print("\n".join(norm_lines(rows.values(), groups)) + "\n")
    wrong = [row for row in rows.values() if row["ours"] != "ok"]
    for row in wrong[:100]:
        print(f"{row['case']}: {row['ours'][:200]}")
    for fact in lost:
        print(f"lost: {fact}")
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("mode", choices=["prepare", "run", "compile", "execute"])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--tilescope", default="tilescope")
    parser.add_argument("--target", default="cuda:90")
    parser.add_argument("--filter", default="", metavar="REGEX", help="only cases with such names")
    parser.add_argument("--sample", type=int, default=1, help="only about one case in so many")
    parser.add_argument("--json", type=pathlib.Path, default=pathlib.Path("conformance.json"))
    parser.add_argument("--seconds", type=float, default=420, help="after that, no new kernel is begun")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--capability", type=int, default=90)
    parser.add_argument("--no-triton", action="store_true")
    parser.add_argument("--file", help=argparse.SUPPRESS)
    parser.add_argument("--scratch", type=pathlib.Path, help=argparse.SUPPRESS)
    parser.add_argument("--skip", nargs="*", default=[], help=argparse.SUPPRESS)
    options = parser.parse_args()
    return {"prepare": prepare, "run": run, "compile": compile_child, "execute": execute_child}[options.mode](options) or 0


if __name__ == "__main__":
    sys.exit(main())
