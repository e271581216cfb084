#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Runs the three models of rapidocr-onnxruntime with `tilescope model run` and compares every tensor with ONNX Runtime's.

    run_models.py TILESCOPE [NAME…]

The input is random and small, for the interpreter. First with a kernel for each operation: each node's result of real numbers
becomes an output of the model. Its error is that of the tensor in norm, and at most 1e-4. Then with fused kernels, whose outputs
may be off by 1e-5. ONNX Runtime's own sigmoid is off by more than that where it is small, so a sigmoid is computed anew from
ONNX Runtime's operand. Also says how many kernels there are and what they move, with the input of a real image.
"""

import json
import pathlib
import subprocess
import sys
import sysconfig
import tempfile
import time

import numpy as np
import onnx
import onnxruntime

# The extents of a small input and of a real one.
MODELS = {
    "ch_ppocr_mobile_v2.0_cls_infer.onnx": ((1, 3, 48, 96), (1, 3, 48, 192)),
    "ch_PP-OCRv4_det_infer.onnx": ((1, 3, 64, 64), (1, 3, 736, 736)),
    "ch_PP-OCRv4_rec_infer.onnx": ((1, 3, 48, 64), (1, 3, 48, 320)),
}
MOST = {"read": 1e-4, "fused": 1e-5}


def with_all_outputs(path, target):
    """Writes the model with the results of all nodes as outputs; returns operands of sigmoids by result."""
    model = onnx.load(path)
    types = {value.name: value.type.tensor_type.elem_type for value in onnx.shape_inference.infer_shapes(model).graph.value_info}
    for node in model.graph.node:
        for name in node.output:
            if node.op_type != "Constant" and types.get(name) == onnx.TensorProto.FLOAT:
                model.graph.output.append(onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, None))
    onnx.save(model, target)
    return {node.output[0]: node.input[0] for node in model.graph.node if node.op_type == "Sigmoid"}


def reference(path, image, sigmoids):
    """What ONNX Runtime computes, by name."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    tensors = dict(zip([output.name for output in session.get_outputs()], session.run(None, {session.get_inputs()[0].name: image})))
    for result, operand in sigmoids.items():
        tensors[result] = (1 / (1 + np.exp(-tensors[operand].astype(np.float64)))).astype(np.float32)
    return session.get_inputs()[0].name, tensors


def run(program, path, folder, form):
    """Runs the model with the inputs of the folder; returns the outputs by name and what was printed, or what went wrong."""
    begin = time.monotonic()
    done = subprocess.run([program, "model", "run", str(path), "--inputs", str(folder / "in"), "--out", str(folder / form), "--form", form],
                          capture_output=True, text=True)
    if done.returncode or done.stderr:
        return None, done.stderr.strip()
    outputs = {file.stem: np.load(file) for file in (folder / form).iterdir()}
    return outputs, f"{time.monotonic() - begin:.1f} s, {done.stdout.strip().splitlines()[-1]}"


def differences(found, wanted):
    """The error of each tensor in norm."""
    errors = {}
    for tensor, value in wanted.items():
        own = found[tensor.replace("/", "_")]
        errors[tensor] = np.linalg.norm(own - value) / np.linalg.norm(value) if own.shape == value.shape else np.inf
    return errors


def compare(program, path, shape):
    """Prints what is wrong, and the largest error; returns whether all is right."""
    image = np.random.default_rng(0).standard_normal(shape, np.float32)
    is_right = True
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        name, all_tensors = reference(folder / "m.onnx", image, with_all_outputs(path, folder / "m.onnx"))
        outputs = {output.name: all_tensors[output.name] for output in onnx.load(path).graph.output}
        (folder / "in").mkdir()
        np.save(folder / "in" / f"{name}.npy", image)
        for form, model, wanted in (("read", folder / "m.onnx", all_tensors), ("fused", path, outputs)):
            found, printed = run(program, model, folder, form)
            errors = differences(found, wanted) if found else {}
            wrong = {tensor: error for tensor, error in errors.items() if not error <= MOST[form]}
            for tensor, error in wrong.items():
                print(f"{path.name}, {form}: {tensor} {list(wanted[tensor].shape)} is off by {error:.2e}")
            print(f"{path.name} {list(shape)}, {form}: {len(errors)} tensors, largest relative error {max(errors.values(), default=np.inf):.2e}, "
                  f"{printed}")
            is_right &= bool(errors) and not wrong
    return is_right


def count(program, path, shape):
    """Prints the numbers of kernels, and what they move, for an input of this shape."""
    checked = json.loads(subprocess.run([program, "model", "check", "--json", str(path)], capture_output=True, text=True).stdout)
    extents = [f"{extent.strip(chr(34))}={size}" for extent, size in zip(checked["inputs"][0]["shape"], shape) if not extent.isdigit()]
    options = [option for extent in extents for option in ("--dim", extent)]
    fused = json.loads(subprocess.run([program, "model", "fuse", "--json", str(path), *options], capture_output=True, text=True).stdout)
    kernels, unfused = fused["kernels"], fused["unfused"]
    print(f"{path.name} {list(shape)}: {unfused['kernels']} kernels that move {unfused['bytes'] / 2**20:.1f} MiB become {len(kernels)} of "
          f"{len({each['function'] for each in kernels})} forms that move {sum(each['bytes'] for each in kernels) / 2**20:.1f} MiB")


def main():
    folder = pathlib.Path(sysconfig.get_paths()["purelib"]) / "rapidocr_onnxruntime" / "models"
    chosen = [name for name in MODELS if not sys.argv[2:] or name in sys.argv[2:]]
    for name in chosen:
        count(sys.argv[1], folder / name, MODELS[name][1])
    return 0 if all([compare(sys.argv[1], folder / name, MODELS[name][0]) for name in chosen]) else 1


if __name__ == "__main__":
    sys.exit(main())
