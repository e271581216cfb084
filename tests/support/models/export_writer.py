# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Writes files of `torch.export.save` without PyTorch.

    save("m.pt2", program([node("relu.default", [("self", "x")], ["y"])], {"x": [2, "s0"]}, ["y"]), weights={"w": array})

Arguments of a node are tensors by name (a text), numbers, lists of numbers or of names, None, or a dictionary as the
schema has it (`{"as_float": 1.0}`).
"""

import json
import struct
import zipfile

TYPES = {"uint8": 1, "int8": 2, "int16": 3, "int32": 4, "int64": 5, "float16": 6, "float32": 7, "float64": 8, "bool": 12}


def size(extent):
    """A number, or a symbol as PyTorch writes it."""
    return {"as_int": extent} if isinstance(extent, int) else {"as_expr": {"expr_str": extent, "hint": None}}


def rows(extents):
    strides, step = [], 1
    for extent in reversed(extents):
        strides.insert(0, step)
        step *= extent if isinstance(extent, int) else 1
    return strides


def meta(extents, dtype="float32", strides=None, offset=0):
    return {"dtype": TYPES.get(dtype, dtype), "sizes": [size(each) for each in extents],
            "strides": [size(each) for each in (rows(extents) if strides is None else strides)], "storage_offset": {"as_int": offset},
            "requires_grad": False, "device": {"type": "cpu", "index": None}, "layout": 7}


def argument(value):
    if value is None:
        return {"as_none": True}
    if isinstance(value, dict):
        return value
    if isinstance(value, str):
        return {"as_tensor": {"name": value}}
    if isinstance(value, bool):
        return {"as_bool": value}
    if isinstance(value, int):
        return {"as_int": value}
    if isinstance(value, float):
        return {"as_float": value}
    if value and isinstance(value[0], str):
        return {"as_tensors": [{"name": each} for each in value]}
    return {"as_ints": list(value)}


def node(target, arguments, outputs, name=None):
    """`target` is that of ATen: `relu.default`; arguments are pairs of a name and a value."""
    target = target if target.startswith(("torch.", "_operator.")) else "torch.ops.aten." + target
    return {"target": target, "name": name, "metadata": {}, "is_hop_single_tensor_return": None,
            "inputs": [{"name": key, "arg": argument(value), "kind": 1} for key, value in arguments],
            "outputs": [argument(each) for each in outputs]}


def program(nodes, inputs, outputs, weights=None, tensors=None, version=(8, 8)):
    """Inputs are extents, or an element type and extents, by name; weights are the names of weights by theirs."""
    types = {name: each if isinstance(each, tuple) else ("float32", each) for name, each in inputs.items()}
    values = {name: meta(extents, dtype) for name, (dtype, extents) in types.items()}
    specs = [{"parameter": {"arg": {"name": name}, "parameter_name": weight}} for name, weight in (weights or {}).items()]
    specs += [{"user_input": {"arg": {"as_tensor": {"name": name}}}} for name in inputs]
    return {"graph_module": {
        "graph": {"inputs": [], "outputs": [argument(each) for each in outputs], "nodes": nodes,
                  "tensor_values": {**values, **(tensors or {})}, "sym_int_values": {}, "sym_bool_values": {}, "is_single_tensor_return": False},
        "signature": {"input_specs": specs, "output_specs": [{"user_output": {"arg": argument(each)}} for each in outputs]},
        "module_call_graph": []},
        "opset_version": {"aten": 10}, "range_constraints": {}, "schema_version": {"major": version[0], "minor": version[1]}, "torch_version": "2.9.0"}


def weight(extents, data, dtype="float32", strides=None, offset=0):
    """A weight for `save`; its data are the bytes of its storage."""
    return meta(extents, dtype, strides, offset), data


def floats(*values):
    return struct.pack(f"<{len(values)}f", *values)


def save(path, document, weights=None, entries=(), compression=zipfile.ZIP_STORED, folder="m/"):
    """Weights are pairs of `weight`, by name; `entries` are more files by name."""
    config = {}
    with zipfile.ZipFile(path, "w", compression) as archive:
        for i, (name, (description, data)) in enumerate((weights or {}).items()):
            archive.writestr(f"{folder}data/weights/weight_{i}", data)
            config[name] = {"path_name": f"weight_{i}", "is_param": True, "use_pickle": False, "tensor_meta": description}
        archive.writestr(f"{folder}data/weights/model_weights_config.json", json.dumps({"config": config}))
        if document is not None:
            text = document if isinstance(document, (str, bytes)) else json.dumps(document)
            archive.writestr(f"{folder}models/model.json", text)
        for name, content in entries:
            archive.writestr(name, content)
        archive.writestr(f"{folder}archive_format", "pt2")
        archive.writestr(f"{folder}byteorder", "little")
