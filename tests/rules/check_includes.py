#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks which part of the project may include what.

The arrows of docs/architecture.md: a folder names the folders it may include from, and the outside
headers that must stay out of it. Run without arguments from anywhere; exits 1 and lists every line
that breaks a rule.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')

# folder -> folders of the project it may include from (longest folder prefix wins; itself is implied).
COMPILER_BASE = ["compiler/support", "compiler/artifacts"]
COMPILER_CORE = COMPILER_BASE + [
    "compiler/syntax", "compiler/constant", "compiler/frontend", "compiler/layout",
    "compiler/dialects", "compiler/analysis", "compiler/conversion", "compiler/target",
    "compiler/interpreter", "compiler/ptx",
]
PROFILER_BASE = ["profiler/data", "profiler/package", "compiler/support"]
ALLOWED = {
    "compiler/support": [],
    "compiler/artifacts": ["compiler/support"],
    "compiler/syntax": COMPILER_BASE + ["compiler/constant"],
    "compiler/constant": COMPILER_BASE + ["compiler/syntax"],
    "compiler/layout": COMPILER_BASE,
    "compiler/layout/picture": COMPILER_BASE + ["compiler/layout"],
    "compiler/dialects": COMPILER_BASE + ["compiler/layout", "compiler/analysis"],
    # The order of the passes to ttg begins with the conversion.
    "compiler/dialects/ttg/transforms": COMPILER_BASE + ["compiler/layout", "compiler/analysis",
                                                         "compiler/dialects",
                                                         "compiler/conversion/tt_to_ttg"],
    # The order of the TTGIR passes begins with the conversion that makes TTGIR.
    "compiler/dialects/ttg/transforms/Pipeline.cpp": COMPILER_BASE + [
        "compiler/layout", "compiler/analysis", "compiler/dialects", "compiler/conversion/tt_to_ttg"],
    "compiler/analysis": COMPILER_BASE + ["compiler/layout", "compiler/dialects"],
    "compiler/frontend": COMPILER_BASE + ["compiler/syntax", "compiler/constant",
                                          "compiler/dialects"],
    "compiler/conversion": COMPILER_BASE + ["compiler/layout", "compiler/dialects",
                                            "compiler/analysis"],
    "compiler/target": COMPILER_BASE,
    "compiler/interpreter": COMPILER_BASE + ["compiler/dialects", "compiler/ptx"],
    "compiler/ptx": [],
    "compiler/pipeline": COMPILER_CORE,
    "compiler/service": COMPILER_BASE,
    "compiler/tools": COMPILER_CORE + ["compiler/pipeline"],
    "profiler/data": ["compiler/support"],
    "profiler/package": PROFILER_BASE,
    "profiler/driver": PROFILER_BASE,
    "profiler/analysis": PROFILER_BASE,
    "profiler/report": PROFILER_BASE + ["profiler/analysis"],
    "profiler/collect": PROFILER_BASE + ["profiler/driver", "profiler/analysis"],
    "profiler/runner": PROFILER_BASE + ["profiler/driver", "profiler/analysis",
                                        "profiler/collect"],
    "views/common": COMPILER_BASE + PROFILER_BASE + ["profiler/analysis", "compiler/syntax",
                                                     "compiler/layout"],
    "views": COMPILER_BASE + PROFILER_BASE + ["profiler/analysis", "compiler/syntax",
                                              "compiler/layout", "views/common"],
    "app/worker": ["compiler", "profiler/data", "profiler/package", "app/launch"],
    "app/launch": COMPILER_BASE + ["compiler/syntax", "compiler/constant",
                                   "compiler/frontend/Configurations.h",
                                   "compiler/frontend/ParameterUses.h",
                                   "profiler/data", "profiler/package"],
    "app": COMPILER_BASE + ["compiler/syntax", "compiler/constant", "compiler/service",
                            "compiler/layout", "profiler", "views", "app"],
}
# Folders of the window -> those of them that they may include from; each only ones before it.
IDE = "app/ide"
IDE_ALLOWED = {
    "files": [],
    "session": ["files"],
    "page": ["files", "session"],
    "docks": [],
    "compile": [],
    "run": ["compile"],
    "window": ["files", "session", "page", "docks", "compile", "run"],
}
# folder -> outside headers that must not appear.
MLIR = re.compile(r"^(mlir|llvm)/")
QT = re.compile(r"^(Q[A-Z]|Qsci/|Qt)")
# What is drawn of layouts is for views and reports; the compiler asks the layouts themselves.
PICTURE = re.compile(r"^compiler/layout/picture/")
CUDA = re.compile(r"^(cuda|cupti|nvJitLink|nvperf|nvPTXCompiler)")
BANNED = {
    "compiler": [QT, PICTURE],
    "compiler/artifacts": [MLIR, QT, CUDA, PICTURE],
    "compiler/layout": [MLIR, QT, CUDA, PICTURE],
    "compiler/layout/picture": [MLIR, QT, CUDA],
    "compiler/ptx": [MLIR, QT, CUDA, PICTURE],
    "compiler/service": [MLIR, QT, CUDA, PICTURE],
    "compiler/support": [MLIR, QT, CUDA, PICTURE],
    "compiler/syntax": [MLIR, QT, CUDA, PICTURE],
    "profiler": [MLIR, QT],
    "views": [MLIR, CUDA],
    "app": [MLIR, CUDA],
    "app/worker": [QT, CUDA],
}
PROJECT = ("compiler/", "profiler/", "views/", "app/")


def longest_prefix(table, path):
    best = None
    for folder in table:
        if (path == folder or path.startswith(folder + "/")) and (
                best is None or len(folder) > len(best)):
            best = folder
    return best


def view_folder(path):
    """`views/layout/X.h` -> `views/layout`."""
    return "/".join(path.split("/")[:2])


def ide_folder(path):
    """`app/ide/run/X.h` -> `run`; nothing for other files."""
    parts = path.split("/")
    return parts[2] if path.startswith(IDE + "/") and len(parts) > 3 else None


def breaks_ide(relative, target):
    """Whether a folder of the window includes one that it must not know."""
    own, other = ide_folder(relative), ide_folder(target)
    return own and other != own and target.startswith(IDE + "/") and other not in IDE_ALLOWED.get(own, [])


def check_file(path):
    relative = path.relative_to(ROOT).as_posix()
    folder = longest_prefix(ALLOWED, relative)
    banned = BANNED.get(longest_prefix(BANNED, relative) or "", [])
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        target = match.group(1)
        if any(pattern.match(target) for pattern in banned):
            yield f"{relative}:{number}: {target} must not be included here"
        if not target.startswith(PROJECT) or folder is None:
            continue
        if relative.startswith("views/") and target.startswith("views/"):
            if view_folder(target) not in (view_folder(relative), "views/common"):
                yield f"{relative}:{number}: a view includes another view ({target}); " \
                      "share through views/common"
            continue
        if breaks_ide(relative, target):
            yield f"{relative}:{number}: {IDE}/{ide_folder(relative)} must not depend on {target}"
            continue
        own = "/".join(folder.split("/")[:2])
        if longest_prefix([own] + ALLOWED[folder], target) is None:
            yield f"{relative}:{number}: {own} must not depend on {target}"


def main():
    faults, files = [], 0
    for top in ("compiler", "profiler", "views", "app"):
        for path in sorted((ROOT / top).rglob("*")):
            if path.suffix in (".h", ".cpp"):
                files += 1
                faults.extend(check_file(path))
    print("\n".join(faults) if faults else f"{files} files keep the rules")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
