#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Gives every case of ir_cases.py to `tilescope compile` and says how many ended well.

    run_ir_cases.py TILESCOPE [--only TEXT] [--every N] [--jobs N]

A case ends well when the program says what is wrong with the document, at a place in it, or compiles it; within the
time limit, without a crash anywhere, without writing anything outside its folder.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
sys.dont_write_bytecode = True
import sanitizers  # noqa: E402
from ir_cases import cases  # noqa: E402

SECONDS = 60
#: Found in what was compiled, not in what compiles it.
OUR_FAULT = ("the compiler crashed", "LLVM gave up", "ran out of memory", "took too long", "without a reason", "internal error")
MUST_NOT_EXIST = pathlib.Path("/tmp/tilescope-was-here")


def judge(case, status, document):
    errors = [d for d in document["diagnostics"] if d["severity"] == "error"]
    messages = " / ".join(d["message"] for d in document["diagnostics"])
    if any(fault in messages for fault in OUR_FAULT):
        return f"blames the compiler: {messages[:300]}"
    if status not in (0, 1):
        return f"exit status {status}"
    if (status == 1) != bool(errors):
        return f"exit status {status} with {len(errors)} errors"
    if case.ends == "error" and not errors:
        return f"passed over in silence: {messages[:200]}"
    if case.ends == "ok" and errors:
        return f"refused: {messages[:300]}"
    if any(not d.get("file") or d.get("line", 0) < 1 for d in errors):
        return f"an error without a place: {messages[:300]}"
    if case.says and case.says not in messages:
        return f"says {messages[:300]!r}, not {case.says!r}"
    return ""


def run(program, case):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / "work").mkdir()
        file = root / "work" / case.file
        file.write_bytes(case.text if isinstance(case.text, bytes) else case.text.encode())
        begin = time.monotonic()
        limit = SECONDS * sanitizers.patience(program)
        environment = {**os.environ, "TILESCOPE_CRASH_DIR": str(root / "crashes")}
        command = [program, "compile", str(file), "--json", "--out", str(root / "work" / "out"), "--emit", "ptx",
                   *case.arguments]
        try:
            done = subprocess.run(command, capture_output=True, timeout=limit, env=environment, cwd=root / "work")
        except subprocess.TimeoutExpired:
            return f"no end after {limit} s", limit
        seconds = time.monotonic() - begin
        outside = [p.name for p in root.iterdir() if p.name not in ("work", "crashes")]
        if outside or MUST_NOT_EXIST.exists():
            return f"wrote outside its folder: {outside}", seconds
        try:
            document = json.loads(done.stdout)
            # Wrong usage ends before anything is compiled.
            if done.returncode == 2 and document["ok"] is False and document["error"]:
                return "", seconds
            document["diagnostics"]
        except (ValueError, KeyError):
            # Bytes that are not text are refused before compiling.
            if done.returncode == 1 and done.stderr.startswith(b"tilescope: error: cannot read"):
                return "", seconds
            return f"exit status {done.returncode} without a document: {done.stderr[-300:]!r}", seconds
        if (root / "crashes").is_dir() and any((root / "crashes").iterdir()):
            return f"left a reproducer: {judge(case, done.returncode, document)}", seconds
        return judge(case, done.returncode, document), seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program")
    parser.add_argument("--only", default="", help="cases whose names contain this")
    parser.add_argument("--every", type=int, default=1, help="only every Nth case")
    parser.add_argument("--jobs", type=int, default=min(4, os.cpu_count() or 1))
    options = parser.parse_args()
    chosen = [case for case in cases() if options.only in case.name][::options.every]
    with ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(lambda case: run(options.program, case), chosen))
    bad = [(case, fault) for case, (fault, _) in zip(chosen, results) if fault]
    for case, fault in bad:
        print(f"{case.name}: {fault}")
    slow = max(zip((seconds for _, seconds in results), (case.name for case in chosen)))
    print(f"{len(chosen) - len(bad)} of {len(chosen)} cases ended well; the slowest, {slow[1]}, took {slow[0]:.1f} s")
    return 1 if bad or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
