#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Runs kernels that are right, and the same made subtly wrong, and looks what is said of their outputs.

    verdicts_test.py TILESCOPE [NAME…] [--on WHERE] [--jobs N]

Prints how many of each are said to match, to match with a doubt, and to differ. Right ones must match and wrong
ones differ, or where the case says so, match with a doubt; with names, only cases whose names begin so are run.
Away from the CPU, cases about the order of programs are left out: there, a wrong order may happen to be right.
"""

import argparse
import collections
import json
import pathlib
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from number_cases import NUMBER_CASES
from order_cases import ORDER_CASES
from verdict_cases import CASES


def verdict(tilescope, where, text):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "k.py"
        path.write_text(text, encoding="utf-8")
        done = subprocess.run(
            [tilescope, "run", str(path), "--on", where, "--json"], capture_output=True, text=True, check=False)
    try:
        outputs = json.loads(done.stdout)["outputs"]
    except (json.JSONDecodeError, KeyError):
        return "failed", done.stdout + done.stderr
    compared = [output for output in outputs if "mismatches" in output]
    if len(compared) != 1 or "fault" in compared[0]:
        return "failed", done.stdout + done.stderr
    output = compared[0]
    told = (f"{output['mismatches']} differ, largest error {float(output['max_abs_error']):.3g}, "
            f"at most {output['absolute_tolerance']:.3g} + {output['relative_tolerance']:.3g}")
    if output["mismatches"]:
        return "mismatch", told
    return ("match" if output["doubt"] == "none" else "doubt"), f"{told}, {output['doubt']}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("tilescope")
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--on", default="cpu", metavar="WHERE")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    cases = CASES + NUMBER_CASES + (ORDER_CASES if options.on == "cpu" else [])
    tries = [(case, change) for case in cases if not options.names or case.name.startswith(tuple(options.names))
             for change in [None, *case.wrong]]
    with ThreadPoolExecutor(options.jobs) as pool:
        verdicts = list(pool.map(lambda one: verdict(options.tilescope, options.on, one[0].text(one[1])), tries))
    table = collections.Counter()
    faults = 0
    for (case, change), (found, told) in zip(tries, verdicts):
        kind = "wrong" if change else "right"
        table[kind, found] += 1
        wanted = ["match"] if not change else ["mismatch", "doubt"] if case.wrongIsDoubted else ["mismatch"]
        isFault = found not in wanted
        faults += isFault
        if isFault or options.names:
            name = f"{case.name}, {change[0]}" if change else case.name
            print(f"{name}: {kind}, but {found}: {told}" if isFault else f"{name}: {found}: {told}")
    print(f"{'':8}{'match':>10}{'doubt':>10}{'mismatch':>10}{'failed':>10}")
    for kind in ("right", "wrong"):
        print(f"{kind:8}" + "".join(f"{table[kind, found]:10}" for found in ("match", "doubt", "mismatch", "failed")))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
