#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Runs kernels on the CPU as native code and in the interpreter, and compares what is said of them.

    executors_test.py TILESCOPE FOLDER… [--cases] [--every N] [--full-sizes] [--jobs N] [--reasons]

Every kernel file with a launch block in the folders, and with `--cases` the kernels of verdicts_test.py, right and
wrong. Whatever the run says must be equal: diagnostics with their places, verdicts, elements never written. Times,
errors within the tolerance and the name of the executor may differ. `--reasons` lists why the interpreter executed
kernels after all. Launches of benchmarks, which keep the interpreter busy for minutes, have smaller sizes, unless
`--full-sizes` asks for theirs. Fails as well where native code has executed fewer than a quarter of what is in no doubt.
"""

import argparse
import collections
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

OUTPUT = ("name", "dtype", "shape", "changed", "never_written", "first_never_written", "nan", "infinite", "mismatches",
          "first_mismatch", "doubt", "fault", "undefined", "unwritten")


# Of a launch: the product of its sizes, and the size in place of a large one where the product is larger.
MOST, LARGE, SMALLER = 4 << 20, 1024, 512


def with_smaller_sizes(text):
    """The text with smaller sizes in its large launches."""
    def smaller(sizes):
        if math.prod(int(number) for number in re.findall(r"= (\d+)", sizes[0])) <= MOST:
            return sizes[0]
        return re.sub(r"\d+$", lambda size: str(SMALLER) if int(size[0]) >= LARGE else size[0], sizes[0], flags=re.M)
    return re.sub(r"(?<=^# \[sizes\]\n)(# \w+ = \d+\n)+", smaller, text, flags=re.M)


def run(tilescope, path, executor):
    done = subprocess.run([tilescope, "run", str(path), "--on", "cpu", "--all-launches", "--json", *executor],
                          capture_output=True, text=True, timeout=600, check=False)
    try:
        document = json.loads(done.stdout)
    except json.JSONDecodeError:
        return [{"error": done.stdout + done.stderr}], done.returncode
    return document.get("launches", [document]), done.returncode


def said(launch):
    """What a run says, without what may differ."""
    outputs = [{key: output.get(key) for key in OUTPUT} for output in launch.get("outputs", [])]
    return {key: launch.get(key) for key in ("launch", "ok", "races", "error", "kernel", "grid", "diagnostics")} | {
        "outputs": outputs}


def differences(native, interpreted):
    if native == interpreted:
        return []
    if not isinstance(native, dict) or native.keys() != interpreted.keys():
        return [f"native code: {json.dumps(native)[:400]}", f"interpreter: {json.dumps(interpreted)[:400]}"]
    return [f"{key}: {text}" for key in native for text in differences(native[key], interpreted[key])]


def compare(tilescope, path, attempts=4):
    """The faults of a file, and why the interpreter executed each of its launches; empty: it did not.

    What depends on the order in which programs run is seen in one run and not in another, so it is tried again.
    """
    native, native_status = run(tilescope, path, [])
    interpreted, status = run(tilescope, path, ["--interpret"])
    faults = [] if native_status == status else [f"exit status {native_status}, not {status}"]
    if len(native) != len(interpreted):
        return [*faults, f"{len(native)} launches, not {len(interpreted)}"], []
    for one, other in zip(native, interpreted):
        faults += differences(said(one), said(other))
    if faults and attempts > 1 and any("run-write-race" in fault for fault in faults):
        return compare(tilescope, path, attempts - 1)
    return faults, [launch["execution"]["why_interpreted"] for launch in native if "execution" in launch]


def case_files(folder):
    from order_cases import ORDER_CASES
    from verdict_cases import CASES
    for case in CASES + ORDER_CASES:
        for number, change in enumerate([None, *case.wrong]):
            path = folder / f"{case.name.replace('/', '_').replace(' ', '_')}-{number}.py"
            path.write_text(case.text(change), encoding="utf-8")
            yield path


def is_kernel_file(text):
    """Whether it has a launch block and, unlike the launches of lessons, a kernel."""
    return "# /// tilescope" in text and "@triton.jit" in text


def smaller_copies(paths, folder):
    """The paths, of copies where launches are large."""
    for number, path in enumerate(paths):
        text = path.read_text(encoding="utf-8")
        if (smaller := with_smaller_sizes(text)) != text:
            path = folder / str(number) / path.name
            path.parent.mkdir()
            path.write_text(smaller, encoding="utf-8")
        yield path


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("tilescope")
    parser.add_argument("folders", nargs="*", type=pathlib.Path)
    parser.add_argument("--cases", action="store_true")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every N-th file")
    parser.add_argument("--full-sizes", action="store_true")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--reasons", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        paths = [path for folder in options.folders for path in sorted(folder.rglob("*.py"))
                 if is_kernel_file(path.read_text(encoding="utf-8", errors="replace"))]
        if options.cases:
            paths += case_files(pathlib.Path(temporary))
        paths = paths[:: options.every]
        if not options.full_sizes:
            paths = list(smaller_copies(paths, pathlib.Path(temporary)))
        with ThreadPoolExecutor(options.jobs) as pool:
            results = list(pool.map(lambda path: compare(options.tilescope, path), paths))
    reasons = collections.Counter(reason for _, launches in results for reason in launches)
    wrong = [(path, faults) for path, (faults, _) in zip(paths, results) if faults]
    for path, faults in wrong:
        print(path, *faults, sep="\n  ")
    if options.reasons:
        for reason, count in reasons.most_common():
            print(f"{count:5} {reason or 'native code'}")
    in_doubt = reasons["outputs are not as expected"]
    total, native = reasons.total() - in_doubt, reasons[""]
    print(f"{len(paths)} files, {total + in_doubt} launches: native code executed {native}, "
          f"{in_doubt} are not as expected; {len(wrong)} differ")
    return 1 if wrong or not paths or 4 * native < total else 0


if __name__ == "__main__":
    sys.exit(main())
