#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Holds the TTIR that Tilescope emits against Triton's.

Both go through Triton's own TTIR passes; then the two must consist of the same operations with the same
result types, in the same order up to the order of independent operations. Also checks that Triton takes
our text all the way to PTX.

    compare_ttir.py TILESCOPE_EMIT [--case NAME] [--show]

Exit status 77 (skipped) where Triton is not installed.
"""

import argparse
import collections
import difflib
import os
import re
import subprocess
import sys
import tempfile

try:
    import triton
    from triton._C.libtriton import ir
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource
    from triton.compiler.compiler import make_backend
except ImportError as error:
    print(f"skipped: Triton is not installed ({error})")
    sys.exit(77)

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, FOLDER)
import kernels  # noqa: E402

TARGET = GPUTarget("cuda", 90, 32)
# Written differently in Triton's own library, to the same effect: only that Triton takes them is checked.
TAKEN_ONLY = {"k_rand", "k_sort"}


def emit(tool, name, signature, constants):
    command = [tool, os.path.join(FOLDER, "kernels.py"), "--kernel", name]
    command += ["--signature", ",".join(f"{key}={value}:16" if value != "fp32" else f"{key}={value}"
                                        for key, value in signature.items())]
    for key, value in constants.items():
        command += ["--constexpr", f"{key}={value!r}"]
    result = subprocess.run(command, capture_output=True, text=True, timeout=60)
    if result.returncode != 0:
        raise RuntimeError("tilescope-emit failed:\n" + result.stderr)
    return result.stdout


def triton_ttir(name, signature, constants):
    attributes = {(i,): [["tt.divisibility", 16]] for i in range(len(signature))}
    whole = dict(signature, **{key: "constexpr" for key in constants})
    source = ASTSource(getattr(kernels, name), whole, constants, attributes)
    return triton.compile(source, target=TARGET).asm["ttir"]


def through_passes(text):
    """Our text after Triton's passes of the TTIR stage."""
    backend = make_backend(TARGET)
    options = backend.parse_options({})
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    with tempfile.NamedTemporaryFile("w", suffix=".ttir", delete=False) as file:
        file.write(text)
    try:
        module = ir.parse_mlir_module(file.name, context)
        module.context = context
        return str(backend.make_ttir(module, {}, options, 90))
    finally:
        os.unlink(file.name)


def operations(text):
    """`name : types` of every operation, in order, without names of values and locations."""
    found = []
    for line in text.splitlines():
        line = re.sub(r" loc\(.*\)$", "", line.strip())
        line = re.sub(r"loc\((callsite\(.*?\)|[^()]*(\([^()]*\))?)\)", "", line)
        match = re.match(r'(?:%[\w:, %]+ = )?"?([a-z_]+\.[a-z_.0-9]+)"?(.*)', line)
        if not match or line.startswith("#"):
            continue
        types = re.sub(r"%[\w#]+", "%", match.group(2))
        # `-x` is `-0.0 - x` here and `0.0 - x` there.
        types = types.replace("-0.000000e+00", "0.000000e+00")
        operation = match.group(1) + types
        # Zero and minus zero, above all, are one constant there.
        if match.group(1) != "arith.constant" or operation not in found:
            found.append(operation)
    return found


def compare(tool, name, signature, constants, show):
    text = emit(tool, name, signature, constants)
    ours = operations(through_passes(text))
    theirs = operations(triton_ttir(name, signature, constants))
    with tempfile.NamedTemporaryFile("w", suffix=".ttir", delete=False) as file:
        file.write(text)
    try:
        compiled = triton.compile(file.name, target=TARGET)
        assert ".visible .entry" in compiled.asm["ptx"]
    finally:
        os.unlink(file.name)
    # Pure operations may be ordered differently: what counts is that none is missing or extra.
    same = name in TAKEN_ONLY or collections.Counter(ours) == collections.Counter(theirs)
    if show or not same:
        print("\n".join(difflib.unified_diff(theirs, ours, "triton", "tilescope", lineterm="", n=1)))
    return same


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tool")
    parser.add_argument("--case")
    parser.add_argument("--show", action="store_true")
    arguments = parser.parse_args()
    failures = 0
    for name, signature, constants in kernels.CASES:
        if arguments.case not in (None, name):
            continue
        try:
            same = compare(arguments.tool, name, signature, constants, arguments.show)
        except Exception as error:  # any failure of one kernel counts, the others still run
            print(f"{type(error).__name__}: {error}")
            same = False
        print(f"{name}: {'same' if same else 'DIFFERENT'}")
        failures += not same
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
