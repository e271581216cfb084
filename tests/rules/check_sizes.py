#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks that files are short enough to be read at once: headers have at most 250 lines, sources 400.

`sizes.txt` beside this file lists those that are longer, each below the reason for it, with the lines that it may
have. So a long file cannot grow, and the list shrinks: a file that is short enough by now must leave it. Run without
arguments from anywhere; exits 1 and lists every fault.
"""

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ("compiler", "profiler", "views", "app", "tests")
LIMITS = {".h": 250, ".cpp": 400}


def listed(text):
    """The lines that each file of the list may have. A reason ends in a colon; what follows it is indented."""
    allowed, reason = {}, ""
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        if not line.startswith(" "):
            reason = line
        elif not reason.endswith(":"):
            raise ValueError(f"sizes.txt: no reason stands above `{line.strip()}`")
        else:
            path, lines = line.split()
            allowed[path] = int(lines)
    return allowed


def faults(sizes, allowed):
    """`sizes`: the lines of every file, by path."""
    for path, lines in sorted(sizes.items()):
        limit = LIMITS[pathlib.PurePath(path).suffix]
        if lines > allowed.get(path, limit):
            yield (f"{path} has {lines} lines, {lines - allowed[path]} more than sizes.txt lets it have" if path in allowed else
                   f"{path} has {lines} lines, and files like it at most {limit}: which part of it is an idea of its own?")
        elif path in allowed and lines <= limit:
            yield f"{path} has {lines} lines and needs no place in sizes.txt"
    for path in sorted(set(allowed) - set(sizes)):
        yield f"{path} is in sizes.txt and does not exist"


def main():
    sizes = {str(path.relative_to(ROOT)): len(path.read_text(errors="replace").splitlines())
             for folder in FOLDERS for suffix in LIMITS for path in (ROOT / folder).rglob(f"*{suffix}")}
    found = list(faults(sizes, listed((ROOT / "tests/rules/sizes.txt").read_text())))
    print(*found, sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
