#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""The conformance suite on a GPU: compiled kernels against NumPy, and against Triton 3.6.

Where Tilescope is built (no GPU needed), everything goes into one folder:

    conformance_gpu.py prepare FOLDER --tilescope PATH [--sample N] [--target cuda:90]

On the machine with the GPU (python3 with numpy, and for the comparison torch and triton; no Tilescope):

    python3 FOLDER/conformance_gpu.py run FOLDER --json RESULT.json [--seconds 420] [--jobs 12] [--no-triton]

RESULT.json holds {"device", "summary", "cases": [{"case", "group", "ours", "triton", "same", …}]}: `ours` and
`triton` are "ok" or what is wrong against NumPy, `same` is "ok" or how the two differ from each other, `note` is
what is known of Triton 3.6 there.

Kernels run in child processes of several; one that faults or hangs is recorded and the others go on in a new
process. Exit status 1: some result of ours is wrong.
"""

import argparse
import collections
import json
import os
import pathlib
import pickle
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor

HERE = pathlib.Path(__file__).resolve().parent
# Beside this file in a prepared folder, in the tree otherwise.
sys.path[:0] = [str(HERE), str(HERE.parent / "conformance")]
from suite import all_cases  # noqa: E402
from suite.case import Tensor, file_text  # noqa: E402
from suite.compare import compare  # noqa: E402
from suite.dtypes import decode  # noqa: E402

PER_FILE = 60


def files_of(cases):
    groups = collections.defaultdict(list)
    for case in cases:
        groups[case.group.replace(" ", "_")].append(case)
    return {f"{group}_{start // PER_FILE}": members[start:start + PER_FILE]
            for group, members in groups.items() for start in range(0, len(members), PER_FILE)}


# ---- prepare ----

def read_package(path):
    """The launch facts and the machine code of a `.tskernel` file."""
    data = path.read_bytes()
    _, length = struct.unpack("<II", data[8:16])
    header = json.loads(data[16:16 + length])
    body = (16 + length + 15) // 16 * 16
    blobs = {blob["name"]: data[body + blob["offset"]:body + blob["offset"] + blob["size"]] for blob in header["blobs"]}
    return {"symbol": header["symbol"], "warps": header["num_warps"], "shared": header["shared_bytes"],
            "scratch": header.get("global_scratch_bytes", 0), "ctas": header.get("num_ctas", 1),
            "grid": header["plan"]["grid"], "parameters": [[p["name"], p["type"]] for p in header["parameters"]],
            "cubin": blobs.get("cubin") or blobs["ptx"] + b"\0"}


def prepare(options):
    import zlib
    folder = options.folder
    (folder / "kernels").mkdir(parents=True, exist_ok=True)
    for name in ("conformance_gpu.py", "conformance_triton.py", "device.py"):
        shutil.copy(HERE / name, folder)
    shutil.copytree(HERE.parent / "conformance" / "suite", folder / "suite", dirs_exist_ok=True,
                    ignore=shutil.ignore_patterns("__pycache__"))
    cases = [c for c in all_cases() if zlib.crc32(c.name.encode()) % options.sample == 0]
    files = files_of(cases)
    failures = {}

    def make(entry):
        name, members = entry
        path = folder / "kernels" / f"{name}.py"
        path.write_text(file_text(members))
        with tempfile.TemporaryDirectory() as temporary:
            # PTX only: the driver of the machine with the GPU assembles it, on many cores.
            done = subprocess.run([options.tilescope, "package", path, "--all-launches", "-o", temporary,
                                   "--target", options.target], capture_output=True, text=True,
                                  env={**os.environ, "TILESCOPE_NVJITLINK": "none", "TILESCOPE_PTXAS": "none"})
            made = {}
            for case in members:
                package = pathlib.Path(temporary) / f"{case.name}.tskernel"
                if package.exists():
                    made[case.name] = read_package(package)
                else:
                    lines = [line for line in done.stderr.splitlines() if "error" in line]
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


# ---- child processes: one line of JSON for each thing begun and done ----

def say(**fields):
    print(json.dumps(fields), flush=True)


def load_file(options):
    listed = json.loads((options.folder / "cases.json").read_text())["files"][options.file]
    by_name = {case.name: case for case in all_cases()}
    return [by_name[name] for name in listed if name not in set(options.skip)]


def compile_child(options):
    """Compiles one file with Triton."""
    import conformance_triton
    module = conformance_triton.load_module(options.folder / "kernels" / f"{options.file}.py")
    for case in load_file(options):
        target = options.scratch / f"{case.name}.triton"
        if target.exists():
            continue
        say(begun=case.name, part="compile")
        try:
            code = conformance_triton.compile_case(module, case, options.capability)
        except Exception as error:  # the message is the result
            say(done=case.name, error=f"{type(error).__name__}: {' '.join(str(error).split())[-300:]}")
            continue
        target.write_bytes(pickle.dumps(code))
        say(done=case.name)


def judge(case, bits, written_outside):
    """What is wrong with the arrays after a run, against the reference."""
    problems = [f"{written_outside} bytes written outside of the arguments"] if written_outside else []
    for name, (expected, defined) in case.expected().items():
        dtype = case.args[name].dtype
        text = compare(dtype, decode(dtype, bits[name]), expected, defined, case.tolerance)
        if text:
            problems.append(f"`{name}`: {text}")
    return "; ".join(problems) or "ok"


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
    """Runs one file's kernels: ours, then Triton's."""
    from device import Device, DeviceError
    device = Device()
    say(device=device.name)
    with zipfile.ZipFile(options.folder / "code.zip") as archive:
        ours = pickle.loads(archive.read(options.file))
    for case in load_file(options):
        arguments = case.inputs()
        arguments.update({name: value[0] if isinstance(value, tuple) else value
                          for name, value in case.args.items() if not isinstance(value, Tensor)})
        results = {}
        triton_file = options.scratch / f"{case.name}.triton"
        for part in ("ours", "triton"):
            if f"{case.name}/{part}" in options.skip:
                continue
            code = ours.get(case.name) if part == "ours" else (
                pickle.loads(triton_file.read_bytes()) if triton_file.exists() else None)
            if code is None:
                continue
            say(begun=case.name, part=part)
            try:
                bits, outside = device.run(code, arguments)
            except DeviceError as error:
                say(done=case.name, part=part, verdict=f"failed: {error}", poisoned=True)
                return
            results[part] = bits
            try:
                say(done=case.name, part=part, verdict=judge(case, bits, outside))
            except Exception as error:  # a fault of the table
                say(done=case.name, part=part, verdict=f"no verdict: {type(error).__name__}: {error}")
        if len(results) == 2:
            say(done=case.name, part="same", verdict=differences(case, results["ours"], results["triton"]))
        say(finished=case.name)


# ---- run ----

class Children:
    """Runs this program for a file until all its cases are done; what stops it is skipped the next time."""

    def __init__(self, options, scratch, deadline):
        self.options, self.scratch, self.deadline = options, scratch, deadline

    def run(self, mode, file, take, patience):
        skip = []
        while time.monotonic() < self.deadline:
            begun = None
            words = self.scratch / f"{file}.{mode}.txt"
            with words.open("w") as errors:
                child = subprocess.Popen(
                    [sys.executable, __file__, mode, self.options.folder, "--file", file, "--scratch", self.scratch,
                     "--capability", str(self.options.capability), "--skip", *skip],
                    stdout=subprocess.PIPE, stderr=errors, text=True,
                    env={**os.environ, "TRITON_CACHE_DIR": str(self.scratch / "cache"), "OMP_NUM_THREADS": "1"})
            watch = Watch(child, patience, self.deadline)
            for line in child.stdout:
                watch.alive()
                try:
                    fact = json.loads(line)
                except json.JSONDecodeError:
                    continue
                if "begun" in fact:
                    begun = fact
                elif "finished" in fact:
                    skip.append(fact["finished"])
                else:
                    if fact.get("poisoned"):
                        skip.append(f"{fact['done']}/{fact['part']}")
                    elif "done" in fact:
                        begun = None
                    take(fact)
            status = child.wait()
            errors = words.read_text(errors="replace").strip()
            watch.stop()
            if status == 0 and begun is None:
                return
            if begun is None:
                take({"lost": file, "error": errors[-400:]})
                return
            part = begun["part"]
            if not (skip and skip[-1] == f"{begun['begun']}/{part}"):
                reason = "hung" if watch.fired else f"the process died with {status}: {errors[-200:]}"
                take({"done": begun["begun"], "part": part, "verdict": reason, "error": reason})
                skip.append(begun["begun"] if mode == "compile" else f"{begun['begun']}/{part}")


class Watch:
    """Ends a child that says nothing for too long."""

    def __init__(self, child, patience, deadline):
        import threading
        self.child, self.patience, self.deadline, self.fired = child, patience, deadline, False
        self.last, self.stopped = time.monotonic(), threading.Event()
        self.thread = threading.Thread(target=self.loop, daemon=True)
        self.thread.start()

    def alive(self):
        self.last = time.monotonic()

    def loop(self):
        while not self.stopped.wait(0.5):
            now = time.monotonic()
            if now - self.last > self.patience or now > self.deadline:
                self.fired = True
                self.child.kill()
                return

    def stop(self):
        self.stopped.set()


def summarize(rows):
    groups = collections.defaultdict(lambda: collections.Counter())
    for row in rows:
        groups[row["group"]]["kernels"] += 1
        for part in ("ours", "triton", "same"):
            groups[row["group"]][part] += row.get(part) == "ok"
    return groups


def run(options):
    listed = json.loads((options.folder / "cases.json").read_text())
    groups = {case.name: case for case in all_cases()}
    rows = {name: {"case": name, "group": groups[name].group, "note": groups[name].triton} for names in listed["files"].values() for name in names}
    for name, reason in listed["not compiled"].items():
        rows[name]["ours"] = reason
    device, lost = [], []
    start = time.monotonic()

    def take_run(fact):
        if "device" in fact:
            device.append(fact["device"])
        elif "lost" in fact:
            lost.append(fact)
        else:
            rows[fact["done"]][fact["part"]] = fact["verdict"]

    def take_compile(fact):
        if "lost" in fact:
            lost.append(fact)
        elif "error" in fact:
            rows[fact["done"]]["triton"] = "not compiled: " + fact["error"]

    with tempfile.TemporaryDirectory() as temporary:
        scratch = pathlib.Path(temporary)
        if not options.no_triton:
            children = Children(options, scratch, start + 0.55 * options.seconds)
            with ThreadPoolExecutor(options.jobs) as pool:
                list(pool.map(lambda file: children.run("compile", file, take_compile, 120), listed["files"]))
            print(f"compiled with Triton: {len(list(scratch.glob('*.triton')))} in {time.monotonic() - start:.0f} s", flush=True)
        children = Children(options, scratch, start + options.seconds)
        with ThreadPoolExecutor(min(options.jobs, 6)) as pool:
            list(pool.map(lambda file: children.run("execute", file, take_run, 30), listed["files"]))
    for row in rows.values():
        for part in ("ours", "triton"):
            row.setdefault(part, "not run")
    summary = summarize(rows.values())
    seconds = time.monotonic() - start
    options.json.write_text(json.dumps({"device": device[0] if device else None, "seconds": round(seconds, 1),
                                        "lost": lost, "summary": summary, "cases": list(rows.values())}, indent=1))
    print(f"{device[0] if device else 'no device'}, {seconds:.0f} s\n")
    print("| group | kernels | ours = NumPy | Triton = NumPy | ours = Triton |\n| --- | ---: | ---: | ---: | ---: |")
    total = collections.Counter()
    for group, counts in sorted(summary.items()):
        total.update(counts)
        print(f"| {group} | {counts['kernels']} | {counts['ours']} | {counts['triton']} | {counts['same']} |")
    print(f"| all | {total['kernels']} | {total['ours']} | {total['triton']} | {total['same']} |\n")
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
