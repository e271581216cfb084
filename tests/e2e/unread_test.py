#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Runs kernels on the CPU and looks what is said of elements that no program reads.

    unread_test.py TILESCOPE FOLDER… [--jobs N]

Every kernel file with a launch block in the folders, and those of verdicts_test.py, is right and must get no such note,
but for what `MEANT` lists. Of the kernels of verdicts_test.py made wrong, it prints how many get one.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from verdict_cases import CASES

# Kernels that leave elements out because they mean to: the end of the file's path, and of the message's beginning.
MEANT = []


def notes(tilescope, path):
    """Its messages about elements that no program reads; nothing where it did not run."""
    done = subprocess.run([tilescope, "run", str(path), "--on", "cpu", "--all-launches", "--json"],
                          capture_output=True, text=True, timeout=600, check=False)
    try:
        document = json.loads(done.stdout)
    except json.JSONDecodeError:
        return None
    return [found["message"] for launch in document.get("launches", [document])
            for found in launch.get("diagnostics", []) if found["message"].startswith("no program reads")]


def is_meant(path, message):
    return any(str(path).endswith(end) and message.startswith(begin) for end, begin in MEANT)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("tilescope")
    parser.add_argument("folders", nargs="*", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        right = [path for folder in options.folders for path in sorted(folder.rglob("*.py"))
                 if "# /// tilescope" in path.read_text(encoding="utf-8", errors="replace")]
        wrong = []
        for number, case in enumerate(CASES):
            for change in [None, *case.wrong]:
                path = pathlib.Path(temporary) / f"{number}-{len(wrong)}-{'wrong' if change else 'right'}.py"
                path.write_text(case.text(change), encoding="utf-8")
                (wrong if change else right).append(path)
        with ThreadPoolExecutor(options.jobs) as pool:
            found = list(pool.map(lambda path: notes(options.tilescope, path), right + wrong))
    faults = [(path, message) for path, messages in zip(right, found) for message in messages or []
              if not is_meant(path, message)]
    for path, message in faults:
        print(f"{path}: {message}")
    numRun = sum(messages is not None for messages in found[:len(right)])
    told = sum(bool(messages) for messages in found[len(right):])
    print(f"{numRun} of {len(right)} right kernels ran, {len(faults)} notes are not meant; of {len(wrong)} wrong ones {told} get one")
    return 1 if faults or 2 * numRun < len(right) else 0


if __name__ == "__main__":
    sys.exit(main())
