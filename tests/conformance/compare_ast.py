#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Compares Tilescope's syntax trees with those of Python's `ast` module.

    compare_ast.py DUMP_PROGRAM [FILE_OR_FOLDER...]

Every file that Python accepts must give the same tree with the same positions; every file that Python
rejects must give an error. Without files it reads Python's own standard library. Needs Python 3.13,
whose positions inside f-strings differ from those before 3.12; with another version it skips (exit 77).
"""
import argparse
import ast
import difflib
import io
import subprocess
import sys
import sysconfig
import tokenize
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SKIPPED = 77
NO_POSITION = (ast.mod, ast.comprehension, ast.arguments, ast.withitem, ast.match_case)


def scalar(value):
    if value is None:
        return ""
    if isinstance(value, ast.AST):
        return type(value).__name__
    return repr(value)


def constant(node, source):
    value = node.value
    if value is Ellipsis:
        return "Ellipsis"
    if isinstance(value, bool) or value is None:
        return repr(value)
    if isinstance(value, int):
        if -2**63 <= value < 2**63:
            return str(value)
        return ast.get_source_segment(source, node).replace("_", "")
    if isinstance(value, complex):
        return repr(value.imag) + "j"
    return ("u" if node.kind == "u" else "") + repr(value)


def is_child(value):
    operators = (ast.operator, ast.unaryop, ast.boolop, ast.cmpop, ast.expr_context)
    return isinstance(value, ast.AST) and not isinstance(value, operators)


def scalars(node, source):
    if isinstance(node, ast.Constant):
        yield "value", constant(node, source)
        return
    if isinstance(node, ast.MatchSingleton):
        yield "value", repr(node.value)
        return
    for name, value in ast.iter_fields(node):
        if name in ("type_comment", "type_ignores"):
            continue
        if isinstance(node, ast.AnnAssign) and name == "simple":
            yield name, str(bool(value))
        elif isinstance(node, ast.comprehension) and name == "is_async":
            yield name, str(bool(value))
        elif isinstance(value, ast.Load):
            continue
        elif isinstance(value, list):
            if value and isinstance(value[0], ast.cmpop):
                yield name, ",".join(type(v).__name__ for v in value)
            elif value and isinstance(value[0], str):
                yield name, ",".join(map(repr, value))
        elif not is_child(value):
            yield name, scalar(value)


def dump(node, source, label, depth, out):
    prefix = "  " * depth + (label + ": " if label else "")
    if node is None:
        out.append(prefix + "None")
        return
    line = prefix + type(node).__name__
    for name, text in scalars(node, source):
        if text:
            line += f" {name}={text}"
    if not isinstance(node, NO_POSITION):
        line += f" @{node.lineno}:{node.col_offset}-{node.end_lineno}:{node.end_col_offset}"
    out.append(line)
    for name, value in ast.iter_fields(node):
        if isinstance(value, list):
            for child in value:
                if child is None or is_child(child):
                    dump(child, source, name, depth + 1, out)
        elif is_child(value):
            dump(value, source, name, depth + 1, out)


def read(path):
    data = path.read_bytes()
    encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    return data.decode(encoding)


def python_tree(source):
    tree = ast.parse(source)
    out = []
    dump(tree, source, "", 0, out)
    return "\n".join(out) + "\n"


def same_line(expected, actual):
    """Lines that differ only in which characters `repr` escapes: that depends on the version of Unicode."""
    if expected == actual:
        return True
    parts = [line.split(" value=", 1) for line in (expected, actual)]
    if any(len(part) != 2 for part in parts) or parts[0][0] != parts[1][0]:
        return False
    (one, one_place), (other, other_place) = (part[1].rsplit(" @", 1) for part in parts)
    return one_place == other_place and ast.literal_eval(one) == ast.literal_eval(other)


def check(program, path):
    """Gives the difference as text, or an empty text."""
    try:
        source = read(path)
    except (UnicodeDecodeError, SyntaxError, LookupError):
        return ""
    try:
        expected = python_tree(source)
    except (SyntaxError, ValueError):
        expected = None
    except RecursionError:
        return ""
    # We may reject while parsing what Python's compiler rejects after parsing.
    compiles = True
    if expected is not None:
        try:
            compile(source, str(path), "exec", dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError):
            compiles = False
    run = subprocess.run([program], input=source.encode("utf-8", "surrogatepass"), capture_output=True)
    errors = run.stderr.decode(errors="replace")
    if run.returncode not in (0, 1):
        return f"{path}: crashed with {run.returncode}\n{errors[-2000:]}"
    if expected is None:
        return "" if run.returncode == 1 else f"{path}: Python rejects it, we do not\n"
    if run.returncode == 1:
        return f"{path}: Python accepts it, we do not:\n{errors[:1000]}" if compiles else ""
    actual = run.stdout.decode("utf-8", "surrogatepass")
    if actual == expected:
        return ""
    ours, theirs = actual.split("\n"), expected.split("\n")
    if len(ours) == len(theirs) and all(map(same_line, theirs, ours)):
        return ""
    lines = difflib.unified_diff(theirs, ours, "python", "ours", n=1, lineterm="")
    return f"{path}:\n" + "\n".join(list(lines)[:20]) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program")
    parser.add_argument("paths", nargs="*")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--limit", type=int, default=0, help="read only so many files")
    options = parser.parse_args()
    if sys.version_info[:2] != (3, 13):
        print(f"skipped: needs Python 3.13, this is {sys.version.split()[0]}")
        return SKIPPED
    warnings.simplefilter("ignore")
    sys.setrecursionlimit(20000)
    roots = options.paths or [sysconfig.get_path("stdlib")]
    files = []
    for root in map(Path, roots):
        files += sorted(root.rglob("*.py")) if root.is_dir() else [root]
    files = files[: options.limit or None]
    failures = 0
    with ThreadPoolExecutor(options.jobs) as pool:
        for difference in pool.map(lambda path: check(options.program, path), files):
            if difference:
                failures += 1
                print(difference, flush=True)
    print(f"{len(files)} files, {failures} differences")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
