#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""children.py without a GPU: items that are done, that fail, that end their process and that never come back."""

import argparse
import os
import pathlib
import signal
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from children import Children, say  # noqa: E402

ITEMS = ("good", "failing", "dying", "hanging", "last")


def work(skip):
    for item in ITEMS:
        if item in skip or f"{item}/run" in skip:
            continue
        say(begun=item, part="run")
        if item == "failing":
            say(done=item, part="run", verdict="failed: as it should", poisoned=True)
            return
        if item == "dying":
            os.kill(os.getpid(), signal.SIGABRT)
        if item == "hanging":
            time.sleep(600)
        say(done=item, part="run", verdict="ok")
        say(finished=item)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("mode", nargs="?")
    parser.add_argument("--file")
    parser.add_argument("--scratch")
    parser.add_argument("--skip", nargs="*", default=[])
    options = parser.parse_args()
    if options.mode:
        return work(options.skip)
    facts = []
    with tempfile.TemporaryDirectory() as temporary:
        children = Children(__file__, [], pathlib.Path(temporary), time.monotonic() + 50)
        children.run("work", "items", facts.append, patience=3)
    verdicts = [(fact["done"], fact["verdict"].split(":")[0]) for fact in facts]
    assert verdicts == [("good", "ok"), ("failing", "failed"), ("dying", "the process died with -6"),
                        ("hanging", "hung"), ("last", "ok")], facts
    print("every item has its verdict, once")
    return 0


if __name__ == "__main__":
    sys.exit(main())
