# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Model files beside arrays of NumPy: inputs, and the outputs that should be."""

import numpy as np
import onnx_writer as onnx

TYPES = {"float16": 10, "float32": onnx.FLOAT, "float64": 11, "int64": onnx.INT64, "bool": onnx.BOOL}


def save(folder, nodes, inputs, outputs, weights, opset):
    """The model `m.onnx`, its inputs in `in` and the outputs that should be in `wanted`: arrays by name."""
    for part, arrays in (("in", inputs), ("wanted", outputs)):
        (folder / part).mkdir()
        for key, array in arrays.items():
            np.save(folder / part / f"{key}.npy", np.asarray(array, order="C"))
    types = [[onnx.tensor_type(key, array.shape, TYPES[array.dtype.name]) for key, array in arrays.items()] for arrays in (inputs, outputs)]
    (folder / "m.onnx").write_bytes(onnx.model(nodes, *types, weights, opset=opset))


def constant(name, array):
    return onnx.tensor(name, array.shape, dtype=TYPES[array.dtype.name], raw=array.tobytes())


def whole(name, values):
    return onnx.tensor(name, [len(values)], values, onnx.INT64)
