#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Runs kernels on the CPU and looks what is said of elements that no program reads.

    unread_test.py TILESCOPE FOLDER… [--without NAME] [--jobs N]

Every kernel file with a launch block in the folders, and those of verdicts_test.py, is right and must get no such note,
but for what `MEANT` lists. Of the kernels of verdicts_test.py made wrong, those that `TOLD` names must each get one. The
interpreter executes all: the notes come from its own record of accesses, whoever runs the kernel.
Folders of that name, whose kernels are too much work for it, are left out.
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
# Changes of verdicts_test.py's kernels that leave elements out: the beginning of the case's name, and the change.
TOLD = [("attention", "count"), ("product", "a block less"), ("long sum", "count"), ("sum in bf16", "count")]


def notes(tilescope, path):
    """Its messages about elements that no program reads; nothing where it did not run."""
    done = subprocess.run([tilescope, "run", str(path), "--interpret", "--all-launches", "--json"],
                          capture_output=True, text=True, timeout=600, check=False)
    try:
        document = json.loads(done.stdout)
    except json.JSONDecodeError:
        return None
    return [found["message"] for launch in document.get("launches", [document])
            for found in launch.get("diagnostics", []) if found["message"].startswith("no program reads")]


def leaves_out(case, change):
    return any(case.name.startswith(name) and change[0] == word for name, word in TOLD)


def is_meant(path, message):
    return any(str(path).endswith(end) and message.startswith(begin) for end, begin in MEANT)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("tilescope")
    parser.add_argument("folders", nargs="*", type=pathlib.Path)
    parser.add_argument("--without", default="", metavar="NAME")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        right = [path for folder in options.folders for path in sorted(folder.rglob("*.py"))
                 if options.without not in path.parts and "# /// tilescope" in path.read_text(encoding="utf-8", errors="replace")]
        wrong, names = [], []
        for case in CASES:
            for change in [None, *(each for each in case.wrong if leaves_out(case, each))]:
                path = pathlib.Path(temporary) / f"{len(right)}-{len(wrong)}-{'wrong' if change else 'right'}.py"
                path.write_text(case.text(change), encoding="utf-8")
                (wrong if change else right).append(path)
                names += [f"{case.name}, {change[0]}"] if change else []
        with ThreadPoolExecutor(options.jobs) as pool:
            found = list(pool.map(lambda path: notes(options.tilescope, path), right + wrong))
    faults = [(path, message) for path, messages in zip(right, found) for message in messages or []
              if not is_meant(path, message)]
    for path, message in faults:
        print(f"{path}: {message}")
    numRun = sum(messages is not None for messages in found[:len(right)])
    untold = [name for name, messages in zip(names, found[len(right):]) if not messages]
    for name in untold:
        print(f"{name}: nothing is told")
    print(f"{numRun} of {len(right)} right kernels ran, {len(faults)} notes are not meant; "
          f"of {len(wrong)} wrong ones {len(wrong) - len(untold)} get one")
    return 1 if faults or untold or not wrong or 2 * numRun < len(right) else 0


if __name__ == "__main__":
    sys.exit(main())
