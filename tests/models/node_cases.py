#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Reads the node cases of ONNX's own backend tests and compares shapes and types of their outputs.

    node_cases.py TILESCOPE [--least N] [--list] [NAME…]

Needs the pinned `onnx` wheel. A case is right when `tilescope model check` gives every output the type
and the extents that the case's data have. Whole-number inputs that decide shapes are given as constants
in a second attempt, since a model that leaves them open has no shapes to compare. Cases of operators
that are not supported must end in the diagnostic that says so. Exits 1 when a case is wrong, ends in
anything else, or less than N are right.
"""

import argparse
import collections
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import onnx
from onnx import numpy_helper
from onnx.backend.test.case.node import collect_testcases


def check(program, paths):
    """The documents of `model check --json` for the files, by path."""
    documents = {}
    for begin in range(0, len(paths), 200):
        part = [str(path) for path in paths[begin:begin + 200]]
        done = subprocess.run([program, "model", "check", "--json", *part], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True)
        answer = json.loads(done.stdout)
        documents.update((each["file"], each) for each in answer.get("files", [answer]))
    return documents


def with_constants(model, inputs):
    """The model with small inputs of whole numbers and booleans, and scalars, as initializers."""
    changed = onnx.ModelProto()
    changed.CopyFrom(model)
    kept = []
    for value, data in zip(model.graph.input, inputs):
        if isinstance(data, (np.ndarray, np.generic)) and (data.dtype.kind in "iub" and data.ndim <= 1 or data.ndim == 0
                                             or value.name in ("scales", "roi")):
            changed.graph.initializer.append(numpy_helper.from_array(np.asarray(data), value.name))
        else:
            kept.append(value)
    del changed.graph.input[:]
    changed.graph.input.extend(kept)
    return changed


def described(data):
    """The type and the extents of a case's output; None of what is no tensor."""
    if isinstance(data, onnx.TensorProto):
        return onnx.TensorProto.DataType.Name(data.data_type).lower(), tuple(data.dims)
    if not isinstance(data, (np.ndarray, np.generic)):
        return None
    dtype = onnx.helper.np_dtype_to_tensor_dtype(data.dtype)
    return onnx.TensorProto.DataType.Name(dtype).lower(), np.shape(data)


def differences(document, outputs):
    """What is wrong, and what is open, about the outputs."""
    wrong, is_open = [], False
    for tensor, data in zip(document["outputs"], outputs):
        if described(data) is None:
            return [f"{tensor['name']} is not a tensor"], False
        dtype, shape = described(data)
        if tensor["type"] != dtype:
            wrong.append(f"{tensor['name']} is {tensor['type']}, not {dtype}")
        if len(tensor["shape"]) != len(shape) or any(extent.isdigit() and int(extent) != wanted
                                                     for extent, wanted in zip(tensor["shape"], shape)):
            wrong.append(f"{tensor['name']} is {tensor['shape']}, not {list(shape)}")
        is_open |= not all(extent.isdigit() for extent in tensor["shape"])
    return wrong, is_open


def judge(document, outputs):
    """`right`, `open`, `unsupported`, `refused`, `wrong` or `crashed`, and why."""
    messages = [each["message"] for each in document["diagnostics"] if each["severity"] == "error"]
    if not document["ok"]:
        if not messages or any("the compiler" in message for message in messages):
            return "crashed", "; ".join(messages)
        unsupported = any("not supported" in message or "is not a tensor" in message
                          or "is the oldest" in message for message in messages)
        return "unsupported" if unsupported else "refused", "; ".join(messages)[:300]
    wrong, is_open = differences(document, outputs)
    if wrong:
        return "wrong", "; ".join(wrong)
    return ("open", "; ".join(str(each["shape"]) for each in document["outputs"])) if is_open else ("right", "")


def judge_all(program, cases, folder):
    """The verdict and its reason for each case, by name."""
    verdicts = {}
    for attempt, change in enumerate((lambda model, _: model, with_constants)):
        paths = {}
        for case in cases:
            if verdicts.get(case.name, ("open",))[0] in ("open", "refused"):
                paths[case.name] = pathlib.Path(folder) / f"{case.name}.{attempt}.onnx"
                onnx.save(change(case.model, case.data_sets[0][0]), paths[case.name])
        documents = check(program, list(paths.values()))
        for case in cases:
            if case.name in paths:
                verdicts[case.name] = judge(documents[str(paths[case.name])], case.data_sets[0][1])
    return verdicts


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--least", type=int, default=0, help="so many must be right")
    parser.add_argument("--list", action="store_true", help="also name cases that are not supported")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    cases = [case for case in collect_testcases("") if not options.names or case.name in options.names]
    found = collections.defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        for name, (verdict, why) in judge_all(options.program, cases, folder).items():
            found[verdict].append((name, why))
    shown = ["crashed", "wrong", "refused", "open"] + (["unsupported"] if options.list or options.names else [])
    for verdict in shown:
        for name, why in found[verdict]:
            print(f"{verdict}: {name}: {why}")
    print(f"{len(cases)} node cases: {len(found['right'])} read with right shapes and types, "
          f"{len(found['open'])} with shapes that only running them tells, {len(found['unsupported'])} not supported, "
          f"{len(found['refused'])} refused, {len(found['wrong'])} wrong, {len(found['crashed'])} crashed")
    return 1 if found["wrong"] or found["crashed"] or len(found["right"]) < options.least else 0


if __name__ == "__main__":
    sys.exit(main())
