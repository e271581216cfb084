#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Random valid models: their fused kernels, a kernel for each operation, and NumPy must agree.

    random_graphs_test.py TILESCOPE [--count N] [--first SEED] [--native] [--keep FOLDER]

A model that disagrees is shrunk: the fewest of its first operations that still disagree are told, and kept in FOLDER.
"""

import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support" / "models"))
from random_graphs import RandomGraph  # noqa: E402


def check(graph, options, folder):
    """What is wrong; None: nothing."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    graph.save(folder)
    native = ["--target", "cpu:native"] if options.native else []
    try:
        done = subprocess.run([options.tilescope, "model", "compare", "--json", "m.onnx", "--inputs", "in", "--expected", "wanted", "--tolerance",
                               str(graph.tolerance), *native], cwd=folder, capture_output=True, text=True, timeout=300)
    except subprocess.TimeoutExpired:
        return "it took too long"
    told = json.loads(done.stdout or "{}")
    if "results" not in told:
        return f"exit status {done.returncode}: {done.stderr.strip()[-800:]}"
    wrong = [f"{each['name']} ({each['type']} {each['shape']}) of {each.get('function', 'the model')}, beside {each['reference']}: {each}"
             for each in told["results"] + told["outputs"] if each.get("diverges")]
    if wrong or not told["ok"] or done.returncode:
        return "\n  ".join(wrong) or f"exit status {done.returncode}: {done.stderr.strip()[-800:]}"
    return None


def shrink(seed, options, folder):
    for steps in range(1, options.steps + 1):
        graph = RandomGraph(seed, steps)
        if problem := check(graph, options, folder):
            return graph, problem
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tilescope", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--steps", type=int, default=12, help="operations in each model")
    parser.add_argument("--native", action="store_true", help="fused kernels as machine code of this processor")
    parser.add_argument("--keep", type=pathlib.Path, help="folder for the models that fail")
    options = parser.parse_args()
    failures = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary) / "model"
        for seed in range(options.first, options.first + options.count):
            problem = check(RandomGraph(seed, options.steps), options, folder)
            if problem is None:
                continue
            failures += 1
            graph, problem = shrink(seed, options, folder) or (None, problem)
            print(f"==== seed {seed}, {len(graph.nodes) if graph else options.steps} operations: {problem}", flush=True)
            if options.keep:
                shutil.copytree(folder, options.keep / f"seed{seed}", dirs_exist_ok=True)
    print(f"{options.count} models, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
