#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""What `expected` accepts means what it means in NumPy: random expressions, evaluated by both.

    expected_numpy_test.py TILESCOPE [--count N] [--first SEED] [--keep FOLDER]

Each expression is the `expected` of an output that no kernel computes, so that the run dumps its reference.
An expression that is refused is counted, not an error; half of them at least must be evaluated.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support" / "expressions"))
from random_expressions import RandomExpression, make_inputs  # noqa: E402

PER_FILE = 25
FUNCTIONS = (
    "exp sqrt floor ceil sin cos tanh sign square trunc rint log1p where maximum minimum clip sum mean prod std var argmax argmin "
    "transpose swapaxes moveaxis reshape concatenate stack roll repeat cumsum take take_along_axis arange"
).split()


def numpy_names(arrays):
    """Floats in fp64, as references are worked out; integers in int64."""
    names = {name: getattr(np, name) for name in FUNCTIONS}
    wide = {name: array.astype(np.int64 if array.dtype.kind == "i" else np.float64) for name, array in arrays.items()}
    return {"abs": abs, "float": float, "int": int, "round": np.round, "divmod": divmod, "len": len,
            "max": np.max, "min": np.min, "np": np, "n": 12, **names, **wide}  # fmt: skip


def kernel_text(expressions, arrays):
    lines = ["import triton", "import triton.language as tl", "", "# /// tilescope", '# kernel = "nothing"', "# grid = [1]", "# [sizes]", "# n = 12", "# [args]"]
    for name, array in arrays.items():
        shape = ", ".join(map(str, array.shape))
        kind = "i32" if array.dtype.kind == "i" else "fp32"
        lines.append(f'# {name} = {{ dtype = "{kind}", shape = [{shape}], init = "zeros" }}')
    for index, each in enumerate(expressions):
        shape = ", ".join(map(str, each.value.shape)) or "1"
        lines.append(f'# o{index} = {{ dtype = "fp64", shape = [{shape}], expected = "{each.text}" }}')
    outputs = [f"o{index}" for index in range(len(expressions))]
    lines += ["# ///", "", "", "@triton.jit", f"def nothing({', '.join([*arrays, *outputs])}):"]
    lines += [f"    tl.store({name}, 1234567.0)" for name in outputs]
    return "\n".join(lines) + "\n"


def difference(ours, theirs):
    """Elements for which ours expects another number than NumPy; None: there are none. Where ours has NaN, nothing
    is expected: `main` looks at how many these are."""
    are_integers = theirs.dtype.kind == "i"
    theirs = theirs.astype(np.float64).reshape(-1)
    ours = ours.astype(np.float64).reshape(-1)
    if ours.size != theirs.size:
        return f"{ours.size} elements, NumPy has {theirs.size}"
    with np.errstate(all="ignore"):
        near = (ours == theirs) | (np.abs(ours - theirs) <= 1e-9 * np.maximum(1, np.abs(theirs)))
    # Integers of 64 bits wrap around in NumPy.
    wrong = ~near & ~np.isnan(ours) & ~(are_integers & (np.abs(ours) >= 2.0**53))
    if not wrong.any():
        return None
    at = int(np.flatnonzero(wrong)[0])
    return f"[{at}] is {ours[at]}, NumPy has {theirs[at]} ({int(wrong.sum())} of {wrong.size} differ)"


def run_file(tilescope, expressions, arrays, folder):
    """Reference of each expression; None where it is refused."""
    for name, array in arrays.items():
        np.save(folder / f"{name}.npy", array)
    path = folder / "nothing.py"
    path.write_text(kernel_text(expressions, arrays))
    for old in folder.glob("dump/*"):
        old.unlink()
    done = subprocess.run([str(tilescope), "run", str(path), "--on", "cpu", "--interpret", "--json", "--inputs", str(folder), "--dump", str(folder / "dump")],
                          capture_output=True, text=True, timeout=300)  # fmt: skip
    try:
        json.loads(done.stdout)
    except ValueError:
        sys.exit(f"no document, exit status {done.returncode}: {done.stderr[-800:]}")
    files = [folder / "dump" / f"o{index}.expected.npy" for index in range(len(expressions))]
    return [np.load(file) if file.exists() else None for file in files], done


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tilescope")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--keep")
    parser.add_argument("--refused", action="store_true", help="print what is refused")
    options = parser.parse_args()
    num_refused, wrong, num_open, num_defined = 0, [], 0, 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(options.keep or temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for first in range(options.first, options.first + options.count, PER_FILE):
            arrays = make_inputs(first)
            names = numpy_names(arrays)
            expressions = [RandomExpression(seed, names) for seed in range(first, min(first + PER_FILE, options.first + options.count))]
            references, _ = run_file(options.tilescope, expressions, arrays, folder)
            for each, reference in zip(expressions, references):
                if reference is None:
                    num_refused += 1
                    if options.refused:
                        print("refused:", each.text)
                    continue
                if (text := difference(reference, each.value)) is not None:
                    wrong.append(f"{each.text}\n    {text}")
                elif np.isfinite(each.value).all():
                    num_defined += reference.size
                    num_open += int(np.isnan(reference).sum())
    for text in wrong:
        print(text)
    print(f"{options.count} expressions: {options.count - num_refused} evaluated, {num_refused} refused, {len(wrong)} differ from NumPy")
    print(f"of {num_defined} elements of results that are finite in NumPy, nothing is expected for {num_open}")
    if options.count - num_refused < options.count / 2:
        sys.exit("too few were evaluated")
    if num_open > num_defined / 50:
        sys.exit("nothing is expected for too many elements")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
