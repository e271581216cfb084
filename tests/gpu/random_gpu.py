#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Random valid kernels on a GPU: their results against the interpreter's.

Where Tilescope is built (no GPU needed), kernels, inputs and the interpreter's results go into one folder:

    random_gpu.py prepare FOLDER --tilescope PATH [--count N] [--first SEED] [--target cuda:90]

On the machine with the GPU (python3 with numpy; no Tilescope):

    python3 FOLDER/random_gpu.py run FOLDER --json RESULT.json [--seconds 300] [--jobs 6]

RESULT.json holds {"device", "cases": [{"case", "gpu", "norm"}]}: `gpu` is "ok" or the first difference, `norm` the
largest difference in norm of the outputs that are subject to rounding. Exit status 1: some kernel differs.
"""

import argparse
import json
import pathlib
import pickle
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
TESTS = HERE.parent
# Beside this file in a prepared folder, in the tree otherwise.
sys.path[:0] = [str(HERE), str(TESTS / "conformance"), str(TESTS / "support" / "kernels")]
from agreement import difference, norm_error  # noqa: E402
from children import Children, say  # noqa: E402
from packages import read_package, write_package  # noqa: E402
from random_kernels import RandomKernel  # noqa: E402
from suite.dtypes import BF16, FP16, FP32, INTS, UINTS, from_numbers  # noqa: E402

PER_FILE = 50
DTYPES = {dtype.name: dtype for dtype in (BF16, FP16, FP32, *INTS, *UINTS)}


# ---- prepare ----

def initial_values(arguments, seed):
    """The arguments of the plan: arrays of bits, and numbers."""
    generator = np.random.default_rng(seed)
    values = {}
    for argument in arguments:
        name, shape = argument["name"], argument.get("shape")
        if shape is None:
            values[name] = argument["value"]
            continue
        drawn = {"randn": lambda: generator.standard_normal(shape),
                 "randint": lambda: generator.integers(argument["low"], argument["high"], shape),
                 "zeros": lambda: np.zeros(shape)}[argument["init"]]()
        values[name] = from_numbers(DTYPES[argument["dtype"]], drawn)
    return values


def prepare_kernel(options, seed, folder):
    """What the machine with the GPU needs of one kernel, or why it has nothing."""
    kernel = RandomKernel(seed)
    path = folder / "kernel.py"
    path.write_text(kernel.text)
    package, inputs, outputs = folder / "kernel.tskernel", folder / "inputs", folder / "outputs"
    words = write_package(options.tilescope, path, package, options.target)
    if not package.exists():
        return f"not compiled: {words[-300:]}"
    code, arguments = read_package(package)
    values = initial_values(arguments, seed)
    inputs.mkdir()
    dtypes = {argument["name"]: DTYPES[argument["dtype"]] for argument in arguments if "dtype" in argument}
    for name, dtype in dtypes.items():
        np.save(inputs / f"{name}.npy", values[name].view(dtype.file))
    done = subprocess.run([options.tilescope, "run", path, "--on", "cpu", "--interpret", "--inputs", inputs, "--dump", outputs],
                          capture_output=True, text=True, timeout=120)
    if done.returncode:
        return f"not interpreted: {done.stderr[-300:]}"
    expected = {output.name: np.load(outputs / f"{output.name}.npy") for output in kernel.outputs}
    return {"code": code, "arguments": values, "expected": expected}


def prepare(options):
    folder = options.folder
    folder.mkdir(parents=True, exist_ok=True)
    for file in (HERE / "children.py", HERE / "device.py", HERE / "packages.py", HERE / "random_gpu.py",
                 *(TESTS / "support" / "kernels" / name for name in ("agreement.py", "random_kernels.py", "random_steps.py"))):
        shutil.copy(file, folder)
    (folder / "suite").mkdir(exist_ok=True)
    (folder / "suite" / "__init__.py").write_text("")
    shutil.copy(TESTS / "conformance" / "suite" / "dtypes.py", folder / "suite")

    def make(seed):
        with tempfile.TemporaryDirectory() as temporary:
            return seed, prepare_kernel(options, seed, pathlib.Path(temporary))

    failures, files = {}, {}
    seeds = range(options.first, options.first + options.count)
    with zipfile.ZipFile(folder / "kernels.zip", "w", zipfile.ZIP_DEFLATED) as archive, ThreadPoolExecutor(2) as pool:
        for start in range(0, len(seeds), PER_FILE):
            made = dict(pool.map(make, seeds[start:start + PER_FILE]))
            failures.update({f"seed{seed}": text for seed, text in made.items() if isinstance(text, str)})
            kernels = {f"seed{seed}": kernel for seed, kernel in made.items() if not isinstance(kernel, str)}
            file = f"kernels_{start // PER_FILE}"
            files[file] = list(kernels)
            archive.writestr(file, pickle.dumps(kernels))
            print(f"{file}: {len(kernels)}", flush=True)
    (folder / "cases.json").write_text(json.dumps({"files": files, "not prepared": failures}))
    for name, text in failures.items():
        print(f"{name}: {text}")
    return 1 if failures else 0


# ---- a child ----

def judge(seed, kernel, bits, outside):
    """The verdict on a run, and the largest error in norm."""
    problems = [f"{outside} bytes written outside of the arguments"] if outside else []
    norm = 0.0
    for output in RandomKernel(seed).outputs:
        expected, got = kernel["expected"][output.name], bits[output.name]
        problem = difference(output, expected, got)
        problems += [problem] if problem else []
        norm = norm if output.exact else max(norm, norm_error(expected, got))
    return "; ".join(problems) or "ok", norm


def execute_child(options):
    from device import Device, DeviceError
    device = Device()
    say(device=device.name)
    with zipfile.ZipFile(options.folder / "kernels.zip") as archive:
        kernels = pickle.loads(archive.read(options.file))
    for name, kernel in kernels.items():
        if name in options.skip or f"{name}/gpu" in options.skip:
            continue
        say(begun=name, part="gpu")
        try:
            bits, outside = device.run(kernel["code"], kernel["arguments"])
        except DeviceError as error:
            say(done=name, part="gpu", verdict=f"failed: {error}", poisoned=True)
            return
        verdict, norm = judge(int(name.removeprefix("seed")), kernel, bits, outside)
        say(done=name, part="gpu", verdict=verdict, norm=norm)
        say(finished=name)


# ---- run ----

def run(options):
    listed = json.loads((options.folder / "cases.json").read_text())
    rows = {name: {"case": name, "gpu": "not run"} for names in listed["files"].values() for name in names}
    rows.update({name: {"case": name, "gpu": text} for name, text in listed["not prepared"].items()})
    device = set()

    def take(fact):
        if "device" in fact:
            device.add(fact["device"])
        elif "verdict" in fact:
            rows[fact["done"]].update(gpu=fact["verdict"], norm=fact.get("norm"))
        elif "lost" in fact:
            print(f"lost: {fact}")

    with tempfile.TemporaryDirectory() as temporary, ThreadPoolExecutor(options.jobs) as pool:
        children = Children(__file__, [options.folder], pathlib.Path(temporary), time.monotonic() + options.seconds)
        list(pool.map(lambda file: children.run("execute", file, take, 30), listed["files"]))
    cases = list(rows.values())
    options.json.write_text(json.dumps({"device": sorted(device), "cases": cases}, indent=1))
    wrong = [row for row in cases if row["gpu"] != "ok"]
    for row in wrong:
        print(f"{row['case']}: {row['gpu'][:300]}")
    norms = sorted(row["norm"] for row in cases if row.get("norm") is not None)
    print(f"{', '.join(device) or 'no device'}: {len(cases)} kernels, {len(wrong)} differ; "
          f"largest difference in norm {norms[-1] if norms else 0:.1e}")
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("mode", choices=["prepare", "run", "execute"])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--tilescope", default="tilescope")
    parser.add_argument("--target", default="cuda:90")
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--json", type=pathlib.Path, default=pathlib.Path("random.json"))
    parser.add_argument("--seconds", type=float, default=300, help="after that, no new kernel is begun")
    parser.add_argument("--jobs", type=int, default=6)
    parser.add_argument("--file", help=argparse.SUPPRESS)
    parser.add_argument("--scratch", type=pathlib.Path, help=argparse.SUPPRESS)
    parser.add_argument("--skip", nargs="*", default=[], help=argparse.SUPPRESS)
    options = parser.parse_args()
    return {"prepare": prepare, "run": run, "execute": execute_child}[options.mode](options) or 0


if __name__ == "__main__":
    sys.exit(main())
