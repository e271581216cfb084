#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks that no two types have one name in one namespace.

The linker keeps one copy of each inline function, so a program that holds two such types runs the
destructor of one on the other. Types of anonymous namespaces are their file's own. Run without
arguments from anywhere; exits 1 and lists every name that is defined twice.
"""

import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ("compiler", "profiler", "views", "app")
TYPE = re.compile(r"(?:struct|class|union|enum(?: class)?)(?: \[\[\w+\]\])? (\w+)(?: final)?(?: :[^;]*)?\s*\{")


def types_of(text):
    """The types that stand at the outermost level of a file's namespaces, with their full names."""
    spaces = []
    for line in text.splitlines():
        opened = re.match(r"(?:inline )?namespace ?([\w:]*) ?\{", line)
        if opened and "}" not in line:
            spaces.append(opened.group(1))
        elif re.match(r"\} // namespace", line) and spaces:
            spaces.pop()
        elif (found := TYPE.match(line)) and "" not in spaces:
            yield "::".join([*spaces, found.group(1)])


def repeated(files):
    """Names with more than one file that defines them; `files` are pairs of path and text."""
    places = collections.defaultdict(list)
    for path, text in files:
        for name in types_of(text):
            places[name].append(path)
    return {name: paths for name, paths in places.items() if len(paths) > 1}


def main():
    files = [(str(path.relative_to(ROOT)), path.read_text()) for folder in FOLDERS
             for pattern in ("*.h", "*.cpp") for path in sorted((ROOT / folder).rglob(pattern))]
    found = repeated(files)
    for name, paths in sorted(found.items()):
        print(f"{paths[1]}: `{name}` is also defined in {paths[0]}: give one of them another name")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
