#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks which part of the project may include what.

The arrows of docs/architecture.md: a folder names the folders it may include from, and the outside
headers that must stay out of it; folders never include each other in a circle. Run without
arguments from anywhere; exits 1 and lists every line that breaks a rule. With `--draw` it writes
the drawing of the folders into docs/architecture.md.
"""

import pathlib
import re
import sys

import folder_graph

ROOT = pathlib.Path(__file__).resolve().parents[2]
INCLUDE = re.compile(r'^\s*#?\s*include\s*[<"]([^>"]+)[>"]')
SUFFIXES = (".h", ".cpp", ".td")

# folder -> folders of the project it may include from; a file belongs to the longest folder that
# fits. A name that has no line of its own stands for the folders below it.
COMPILER_BASE = ["compiler/support", "compiler/types", "compiler/artifacts"]
COMPILER_CORE = COMPILER_BASE + [
    "compiler/syntax", "compiler/constant", "compiler/inference", "compiler/frontend",
    "compiler/layout", "compiler/access", "compiler/dialects", "compiler/analysis",
    "compiler/transforms",
    "compiler/conversion", "compiler/target", "compiler/interpreter", "compiler/native",
    "compiler/ptx",
]
PROFILER_BASE = ["profiler/data", "profiler/package", "compiler/support", "compiler/types"]
VIEW_BASE = COMPILER_BASE + PROFILER_BASE + [
    "profiler/analysis", "compiler/syntax", "compiler/layout", "compiler/layout/picture",
    "compiler/access", "compiler/access/picture", "compiler/access/arrays", "compiler/machine"]
IDE_BASE = COMPILER_BASE + PROFILER_BASE + [
    "compiler/syntax", "views/common", "views", "app/document"]
ALLOWED = {
    "compiler/support": [],
    "compiler/types": [],
    "compiler/artifacts": ["compiler/support"],
    "compiler/syntax": COMPILER_BASE,
    "compiler/constant": COMPILER_BASE + ["compiler/syntax"],
    "compiler/inference": COMPILER_BASE + ["compiler/syntax", "compiler/constant"],
    "compiler/frontend": COMPILER_BASE + ["compiler/syntax", "compiler/constant",
                                          "compiler/inference", "compiler/dialects/tt"],
    "compiler/layout": COMPILER_BASE,
    "compiler/layout/picture": COMPILER_BASE + ["compiler/layout"],
    "compiler/access": COMPILER_BASE + ["compiler/layout"],
    "compiler/hints": COMPILER_BASE,
    "compiler/access/picture": COMPILER_BASE + ["compiler/layout", "compiler/layout/picture",
                                                "compiler/access"],
    "compiler/access/arrays": COMPILER_BASE + ["compiler/layout", "compiler/layout/picture",
                                               "compiler/access", "compiler/access/picture"],
    "compiler/dialects/tm": [],
    "compiler/dialects/trace": [],
    "compiler/dialects/tt": COMPILER_BASE,
    "compiler/dialects/ttg": COMPILER_BASE + ["compiler/layout", "compiler/dialects/tt"],
    "compiler/dialects/ttng": COMPILER_BASE + ["compiler/layout", "compiler/dialects/tt",
                                               "compiler/dialects/ttg"],
    "compiler/analysis": COMPILER_BASE + ["compiler/layout", "compiler/dialects/tt",
                                          "compiler/dialects/ttg"],
    "compiler/transforms/tt": COMPILER_BASE + ["compiler/dialects/tt"],
    "compiler/transforms/ttg": COMPILER_BASE + ["compiler/layout", "compiler/dialects",
                                                "compiler/analysis"],
    "compiler/conversion/tt_to_cpu": COMPILER_BASE + ["compiler/analysis", "compiler/dialects/tt",
                                                      "compiler/interpreter", "compiler/transforms/tt",
                                                      "compiler/transforms/ttg"],
    "compiler/native": COMPILER_BASE + ["compiler/conversion/tt_to_cpu", "compiler/interpreter", "compiler/target"],
    "compiler/conversion/tt_to_ttg": COMPILER_BASE + ["compiler/layout", "compiler/dialects/tt",
                                                      "compiler/dialects/ttg"],
    "compiler/conversion/ttg_to_llvm": COMPILER_BASE + ["compiler/layout", "compiler/access",
                                                        "compiler/dialects", "compiler/analysis"],
    "compiler/model/canonical": COMPILER_BASE + ["compiler/dialects/tm", "compiler/model/shape"],
    "compiler/model/emit": COMPILER_BASE + ["compiler/dialects/tm"],
    "compiler/model/shape": ["compiler/dialects/tm"],
    "compiler/model/fusion": COMPILER_BASE + ["compiler/dialects/tm", "compiler/model/emit"],
    "compiler/model/import": COMPILER_BASE + ["compiler/dialects/tm", "compiler/model/shape"],
    "compiler/model/onnx": COMPILER_BASE + ["compiler/dialects/tm", "compiler/model/import", "compiler/model/shape"],
    "compiler/model/torch_export": COMPILER_BASE + ["compiler/dialects/tm", "compiler/model/import", "compiler/model/shape"],
    "compiler/model/plan": COMPILER_BASE + ["compiler/dialects/tm", "compiler/model/emit"],
    "compiler/model": COMPILER_BASE + ["compiler/model/canonical", "compiler/model/emit", "compiler/model/fusion", "compiler/model/import", "compiler/model/onnx", "compiler/model/plan", "compiler/model/torch_export"],
    "compiler/machine": COMPILER_BASE,
    "compiler/estimate": COMPILER_BASE + ["compiler/machine"],
    "compiler/target": COMPILER_BASE + ["compiler/machine"],
    "compiler/interpreter": COMPILER_BASE + ["compiler/dialects", "compiler/transforms/tt",
                                             "compiler/ptx"],
    "compiler/ptx": [],
    "compiler/stepping": COMPILER_BASE + ["compiler/syntax", "compiler/interpreter"],
    "compiler/pipeline": COMPILER_CORE + ["compiler/stepping"],
    "compiler/service": COMPILER_BASE,
    "compiler/tools": COMPILER_CORE + ["compiler/pipeline"],
    "profiler/data": ["compiler/support", "compiler/types"],
    "profiler/package": ["profiler/data", "compiler/support", "compiler/types"],
    "profiler/driver": PROFILER_BASE,
    "profiler/analysis": PROFILER_BASE,
    "profiler/report": PROFILER_BASE + ["profiler/analysis"],
    "profiler/sweep": PROFILER_BASE + ["profiler/analysis", "profiler/report"],
    "profiler/formats": PROFILER_BASE + ["profiler/analysis", "profiler/report"],
    "profiler/deploy/runtime": [],
    "profiler/deploy": PROFILER_BASE,
    "profiler/collect": PROFILER_BASE + ["profiler/driver", "profiler/analysis"],
    "profiler/serve": PROFILER_BASE + ["profiler/deploy/runtime"],
    "profiler/runner": PROFILER_BASE + ["profiler/driver", "profiler/analysis",
                                        "profiler/collect", "profiler/serve"],
    "views/common": VIEW_BASE,
    "views": VIEW_BASE + ["views/common"],
    "app/launch": COMPILER_BASE + PROFILER_BASE + ["compiler/syntax", "compiler/constant",
                                                   "compiler/inference", "profiler/analysis"],
    "app/help": COMPILER_BASE + PROFILER_BASE + ["compiler/syntax"],
    "app/lesson": COMPILER_BASE + PROFILER_BASE + ["compiler/syntax", "compiler/access/arrays",
                                                   "compiler/access/picture"],
    "app/present": COMPILER_BASE + PROFILER_BASE + ["compiler/syntax", "app/launch"],
    "app/worker": COMPILER_BASE + PROFILER_BASE + ["compiler/estimate", "compiler/hints", "compiler/machine", "compiler/model", "compiler/pipeline",
                                                   "profiler/analysis",
                                                   "compiler/service",
                                                   "app/launch"],
    "app/document": COMPILER_BASE + PROFILER_BASE + ["compiler/syntax", "app/launch"],
    "app/slurm": COMPILER_BASE + PROFILER_BASE,
    "app/remote": COMPILER_BASE + PROFILER_BASE,
    "app/exchange": COMPILER_BASE + PROFILER_BASE + ["profiler/report", "profiler/formats",
                                                     "app/launch"],
    "app/report": COMPILER_BASE + PROFILER_BASE + [
        "compiler/machine", "compiler/syntax", "compiler/layout", "compiler/layout/picture", "compiler/access",
        "compiler/access/picture", "compiler/access/arrays", "profiler/analysis",
        "profiler/report"],
    "app/commands": COMPILER_BASE + PROFILER_BASE + [
        "compiler/access", "compiler/access/picture", "compiler/estimate", "compiler/machine", "compiler/syntax", "compiler/service", "profiler/analysis",
        "profiler/deploy", "profiler/formats", "profiler/report", "profiler/runner", "profiler/serve", "profiler/sweep", "app/exchange", "app/help", "app/launch", "app/lesson",
        "app/remote", "app/slurm", "app/report"],
    "app/ide/files": COMPILER_BASE + PROFILER_BASE,
    "app/ide/docks": COMPILER_BASE + ["views", "views/common"],
    "app/ide/session": IDE_BASE + ["app/ide/files"],
    "app/ide/page": IDE_BASE + ["app/ide/files", "app/ide/session"],
    "app/ide/compile": IDE_BASE + ["compiler/service", "compiler/access/arrays"],
    "app/ide/step": IDE_BASE + ["compiler/service", "compiler/stepping", "app/ide/compile"],
    "app/ide/history": IDE_BASE + ["app/commands", "app/ide/compile", "app/ide/run"],
    "app/ide/run": IDE_BASE + ["profiler/analysis", "app/launch", "app/commands", "app/remote", "app/ide/compile", "app/ide/files"],
    "app/ide/profile": IDE_BASE + ["app/commands", "app/ide/compile", "app/ide/run"],
    "app/ide/sweep": IDE_BASE + ["profiler/analysis", "app/commands", "app/ide/compile", "app/ide/run"],
    "app/ide/model": IDE_BASE + ["compiler/service", "app/commands", "app/ide/compile"],
    "app/ide/lesson": IDE_BASE + ["compiler/service", "app/commands", "app/ide/files", "app/launch", "app/lesson",
                                  "app/ide/compile"],
    "app/ide/present": IDE_BASE + ["app/present"],
    "app/ide/window": IDE_BASE + ["app/help", "app/present", "app/ide/present", "profiler/analysis", "profiler/report", "profiler/formats",
                                  "app/exchange", "app/launch", "app/ide/files",
                                  "app/ide/session", "app/ide/page", "app/ide/docks",
                                  "app/ide/compile", "app/ide/history", "app/ide/lesson", "app/ide/model", "app/ide/profile",
                                  "app/ide/run", "app/ide/step", "app/ide/sweep"],
    "app/ide": ["app/commands", "app/launch", "app/ide/session", "app/ide/compile", "app/ide/window"],
    "app": ["profiler/data", "app/commands", "app/ide"],
}
# folder -> outside headers that must not appear.
MLIR = re.compile(r"^(mlir|llvm)/")
QT = re.compile(r"^(Q[A-Z]|Qsci/|Qt)")
CUDA = re.compile(r"^(cuda|cupti|nvJitLink|nvperf|nvPTXCompiler)")
BANNED = {
    "compiler": [QT],
    "compiler/artifacts": [MLIR, QT, CUDA],
    "compiler/constant": [MLIR, QT, CUDA],
    "compiler/inference": [MLIR, QT, CUDA],
    "compiler/estimate": [MLIR, QT, CUDA],
    "compiler/hints": [MLIR, QT, CUDA],
    "compiler/access": [MLIR, QT, CUDA],
    "compiler/layout": [MLIR, QT, CUDA],
    "compiler/ptx": [MLIR, QT, CUDA],
    "compiler/service": [MLIR, QT, CUDA],
    "compiler/support": [MLIR, QT, CUDA],
    "compiler/types": [MLIR, QT, CUDA],
    "compiler/syntax": [MLIR, QT, CUDA],
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


def includes_of(path):
    """The lines of a file that include, with what they include."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match.group(1)


def check_file(relative, included):
    folder = longest_prefix(ALLOWED, relative)
    allowed = folder_graph.meant(ALLOWED.get(folder, []), ALLOWED)
    banned = BANNED.get(longest_prefix(BANNED, relative) or "", [])
    for number, target in included:
        if any(pattern.match(target) for pattern in banned):
            yield f"{relative}:{number}: {target} must not be included here"
        if not target.startswith(PROJECT):
            continue
        if folder is None:
            yield f"{relative}:{number}: no rule says what this folder may include"
            continue
        if relative.startswith("views/") and target.startswith("views/"):
            if view_folder(target) not in (view_folder(relative), "views/common"):
                yield f"{relative}:{number}: a view includes another view ({target}); " \
                      "share through views/common"
            continue
        if longest_prefix(ALLOWED, target) not in {folder, *allowed}:
            yield f"{relative}:{number}: {folder} must not depend on {target}"


def main():
    included = {}
    for top in PROJECT:
        for path in sorted((ROOT / top).rglob("*")):
            if path.suffix in SUFFIXES:
                included[path.relative_to(ROOT).as_posix()] = list(includes_of(path))
    faults = [fault for path, lines in included.items() for fault in check_file(path, lines)]
    pairs = [(path, target) for path, lines in included.items() for _, target in lines
             if target.startswith(PROJECT)]
    faults += folder_graph.circles(pairs)
    arrows = {folder: folder_graph.meant(names, ALLOWED) for folder, names in ALLOWED.items()}
    faults += folder_graph.compare(ROOT / "docs/architecture.md", arrows, "--draw" in sys.argv)
    print("\n".join(faults) if faults else f"{len(included)} files keep the rules")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
