#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Runs the three models of rapidocr-onnxruntime with `tilescope model run` and compares every tensor with ONNX Runtime's.

    run_models.py TILESCOPE [NAME…]

The input is random and small, for the interpreter. Each node's result of real numbers becomes an output of the model. Its
error is that of the tensor in norm, and at most 1e-4. ONNX Runtime's own sigmoid is off by more than that where it is small,
so a sigmoid is computed anew from ONNX Runtime's operand.
"""

import pathlib
import subprocess
import sys
import sysconfig
import tempfile
import time

import numpy as np
import onnx
import onnxruntime

MODELS = {
    "ch_ppocr_mobile_v2.0_cls_infer.onnx": (1, 3, 48, 96),
    "ch_PP-OCRv4_det_infer.onnx": (1, 3, 64, 64),
    "ch_PP-OCRv4_rec_infer.onnx": (1, 3, 48, 64),
}
MOST = 1e-4


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


def compare(program, path, shape):
    """Prints what is wrong, and the largest error; returns whether all is right."""
    image = np.random.default_rng(0).standard_normal(shape, np.float32)
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        name, wanted = reference(folder / "m.onnx", image, with_all_outputs(path, folder / "m.onnx"))
        (folder / "in").mkdir()
        np.save(folder / "in" / f"{name}.npy", image)
        begin = time.monotonic()
        done = subprocess.run([program, "model", "run", str(folder / "m.onnx"), "--inputs", str(folder / "in"), "--out",
                               str(folder / "out")], capture_output=True, text=True)
        seconds = time.monotonic() - begin
        if done.returncode or done.stderr:
            print(f"{path.name}: {done.stderr.strip()}")
            return False
        errors = {}
        for tensor, value in wanted.items():
            found = np.load(folder / "out" / f"{tensor.replace('/', '_')}.npy")
            errors[tensor] = np.linalg.norm(found - value) / np.linalg.norm(value) if found.shape == value.shape else np.inf
    wrong = {tensor: error for tensor, error in errors.items() if not error <= MOST}
    for tensor, error in wrong.items():
        print(f"{path.name}: {tensor} {list(wanted[tensor].shape)} is off by {error:.2e}")
    print(f"{path.name} {list(shape)}: {len(errors)} tensors, largest relative error {max(errors.values()):.2e}, {seconds:.1f} s, "
          f"{done.stdout.strip().splitlines()[-1]}")
    return not wrong


def main():
    folder = pathlib.Path(sysconfig.get_paths()["purelib"]) / "rapidocr_onnxruntime" / "models"
    chosen = [name for name in MODELS if not sys.argv[2:] or name in sys.argv[2:]]
    return 0 if all([compare(sys.argv[1], folder / name, MODELS[name]) for name in chosen]) else 1


if __name__ == "__main__":
    sys.exit(main())
