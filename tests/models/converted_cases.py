#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Runs the models of ONNX's backend tests that were converted from PyTorch, with `tilescope model compare` and their test data.

    converted_cases.py TILESCOPE [--least N] [--list] [NAME…]

Needs the pinned `onnx` wheel. A case is right when fused kernels agree with the model's own operations and with the data. Exits 1 when one does not, ends in
anything but the diagnostic of what is not supported, or less than N are right.
"""

import argparse
import collections
import json
import pathlib
import subprocess
import sys

import onnx.backend.test
from run_node_cases import UNSUPPORTED

FOLDERS = ("pytorch-converted", "pytorch-operator")


def judge(program, folder):
    """`right`, `wrong`, `unsupported` or `failed`, and why."""
    done = subprocess.run([program, "model", "compare", "--json", str(folder / "model.onnx")], capture_output=True, text=True, timeout=900)
    if done.returncode and any(text in done.stderr for text in UNSUPPORTED):
        return "unsupported", done.stderr.strip()[-300:]
    told = json.loads(done.stdout or "{}")
    if "results" not in told:
        return "failed", f"exit status {done.returncode}: {done.stderr.strip()[-300:]}"
    wrong = [each for each in told["results"] + told["outputs"] if each.get("diverges")]
    uncompared = [each for each in told["outputs"] if each.get("reference") != "its file"]
    return ("wrong", str((wrong + uncompared)[0])) if wrong or uncompared or not told["ok"] else ("right", "")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--least", type=int, default=0, help="so many must be right")
    parser.add_argument("--list", action="store_true", help="also name cases without a kernel")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    data = pathlib.Path(onnx.backend.test.__file__).parent / "data"
    is_bad, right = False, 0
    for name in FOLDERS:
        found = collections.Counter()
        for folder in sorted((data / name).iterdir()):
            if options.names and folder.name not in options.names:
                continue
            verdict, why = judge(options.program, folder)
            found[verdict] += 1
            if verdict in ("wrong", "failed") or (verdict == "unsupported" and options.list):
                print(f"{verdict}: {folder.name}: {why}", flush=True)
        print(f"{sum(found.values())} of {name}: {found['right']} right, {found['wrong']} wrong, {found['failed']} failed, {found['unsupported']} not supported")
        is_bad |= bool(found["wrong"] or found["failed"])
        right += found["right"]
    return 1 if is_bad or right < options.least else 0


if __name__ == "__main__":
    sys.exit(main())
