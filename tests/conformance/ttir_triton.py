#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Exchanges the TTIR of the conformance suite with Triton 3.6, in both directions.

    ttir_triton.py TILESCOPE [--work DIR] [--filter REGEX] [--sample N] [--jobs N]

Triton must parse and verify what Tilescope prints, and take it through its own TTIR passes; Tilescope must parse
what Triton prints. Needs a Python in which Triton is installed (no GPU); exit status 77 (skipped) without it.
Exit status 1: something was rejected that suite/known.py does not explain.
"""

import argparse
import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import zlib
from concurrent.futures import ProcessPoolExecutor

try:
    from triton._C.libtriton import ir
except ImportError as error:
    print(f"skipped: Triton is not installed ({error})")
    sys.exit(77)

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "gpu")]
import conformance_triton  # noqa: E402
from conformance import batches, write_batch  # noqa: E402
from suite import all_cases  # noqa: E402
from suite.known import known_reason  # noqa: E402

CAPABILITY = 90


def accepted_by_triton(path):
    """Empty, or why Triton rejects the file."""
    _, backend, context = conformance_triton.open_backend(CAPABILITY)
    try:
        module = ir.parse_mlir_module(str(path), context)
        module.context = context
        backend.make_ttir(module, {}, backend.parse_options({}), CAPABILITY)
    except Exception as error:  # the message is the result
        return first_line(error)
    return ""


def first_line(error):
    text = " ".join(str(error).split())
    return text[-300:] or type(error).__name__


def check_batch(arguments):
    """Rows of one file: what each side says of the other's TTIR."""
    tilescope, root, name, names = arguments
    by_name = {case.name: case for case in all_cases()}
    cases = [by_name[case] for case in names]
    folder = root / name
    ours, theirs = folder / "ours", folder / "theirs"
    theirs.mkdir(parents=True, exist_ok=True)
    path = write_batch(folder, name, cases)
    subprocess.run([tilescope, "compile", path, "--all-launches", "--emit", "ttir", "--out", ours],
                   capture_output=True, text=True)
    module = conformance_triton.load_module(path)
    rows = {}
    for case in cases:
        row = rows[case.name] = {"case": case.name, "group": case.group}
        printed = ours / f"{case.name}.ttir"
        row["ours_there"] = accepted_by_triton(printed) if printed.exists() else "not printed"
        try:
            (theirs / f"{case.name}.ttir").write_text(conformance_triton.print_ttir(module, case, CAPABILITY))
        except BaseException as error:  # Triton reports some errors by leaving
            row["theirs_here"] = "Triton does not compile it: " + first_line(error)
    files = [theirs / f"{name}.ttir" for name in rows if "theirs_here" not in rows[name]]
    if files:
        done = subprocess.run([tilescope, "check", "--json", *files], capture_output=True, text=True)
        for entry in json.loads(done.stdout)["files"]:
            messages = [d["message"] for d in entry["diagnostics"] if d["severity"] == "error"]
            rows[pathlib.Path(entry["file"]).stem]["theirs_here"] = "; ".join(messages)
    return list(rows.values())


def report(rows):
    counts = collections.Counter()
    bad = 0
    for row in rows:
        counts["kernels"] += 1
        for direction in ("ours_there", "theirs_here"):
            text = row.get(direction, "")
            counts[direction] += not text
            if text:
                known = known_reason("ttir", row["case"])
                bad += not known and not text.startswith("Triton does not compile it")
                print(f"{row['case']} {direction}{' (known)' if known else ''}: {text}")
    print(f"{counts['kernels']} kernels: Triton takes {counts['ours_there']} of ours, "
          f"Tilescope takes {counts['theirs_here']} of Triton's; {bad} unexplained")
    return bad


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("tilescope")
    parser.add_argument("--work", type=pathlib.Path)
    parser.add_argument("--filter")
    parser.add_argument("--sample", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    cases = [case for case in all_cases() if zlib.crc32(case.name.encode()) % options.sample == 0
             and (not options.filter or re.search(options.filter, case.name))]
    with tempfile.TemporaryDirectory() as temporary:
        root = options.work or pathlib.Path(temporary)
        os.environ["TRITON_CACHE_DIR"] = temporary
        work = [(options.tilescope, root, name, [case.name for case in members]) for name, members in batches(cases)]
        with ProcessPoolExecutor(options.jobs) as pool:
            rows = [row for done in pool.map(check_batch, work) for row in done]
        bad = report(rows)
        if options.work:
            (options.work / "ttir.json").write_text(json.dumps(rows, indent=1))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
