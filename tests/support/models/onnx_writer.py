# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Writes ONNX files without any library: as much of protobuf's wire format as tests need.

    save("m.onnx", model([node("Relu", ["x"], ["y"])], [tensor_type("x", [2, "N"])], [tensor_type("y", None)]))
"""

import struct

FLOAT, INT64, BOOL = 1, 7, 9


def varint(value):
    value &= (1 << 64) - 1
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes(out + bytes([value]))


def number(field, value):
    return varint(field << 3) + varint(value)


def text(field, value):
    value = value.encode() if isinstance(value, str) else value
    return varint(field << 3 | 2) + varint(len(value)) + value


def attribute(name, value):
    """Of a number, text, list of numbers, tensor (`tensor(…)`) or graph (`("graph", bytes)`)."""
    out = text(1, name)
    if isinstance(value, tuple):
        return out + text(6, value[1]) + number(20, 5)
    if isinstance(value, bytes):
        return out + text(5, value) + number(20, 4)
    if isinstance(value, str):
        return out + text(4, value) + number(20, 3)
    if isinstance(value, float):
        return out + varint(2 << 3 | 5) + struct.pack("<f", value) + number(20, 1)
    if isinstance(value, int):
        return out + number(3, value) + number(20, 2)
    return out + b"".join(number(8, each) for each in value) + number(20, 7)


def node(kind, inputs, outputs, name="", domain="", **attributes):
    out = b"".join(text(1, each) for each in inputs) + b"".join(text(2, each) for each in outputs)
    out += text(3, name) + text(4, kind) + (text(7, domain) if domain else b"")
    return out + b"".join(text(5, attribute(key, value)) for key, value in attributes.items())


def tensor_type(name, extents, dtype=FLOAT):
    """Extents are numbers, names or None; without any the tensor says nothing about its axes."""
    dims = b""
    for extent in extents or []:
        dims += text(1, number(1, extent) if isinstance(extent, int) else text(2, extent) if extent else b"")
    shape = b"" if extents is None else text(2, dims)
    return text(1, name) + text(2, text(1, number(1, dtype) + shape))


def tensor(name, extents, values=None, dtype=FLOAT, external=None, raw=None):
    """`external`: keys and values that say where the elements are."""
    out = b"".join(number(1, each) for each in extents) + number(2, dtype) + text(8, name)
    if external is not None:
        out += b"".join(text(13, text(1, key) + text(2, str(value))) for key, value in external.items())
        return out + number(14, 1)
    if raw is None:
        raw = struct.pack(f"<{len(values)}{'f' if dtype == FLOAT else 'q' if dtype == INT64 else 'B'}", *values)
    return out + text(9, raw)


def graph(nodes, inputs, outputs, weights=()):
    out = b"".join(text(1, each) for each in nodes) + text(2, "g")
    out += b"".join(text(5, each) for each in weights) + b"".join(text(11, each) for each in inputs)
    return out + b"".join(text(12, each) for each in outputs)


def model(nodes, inputs, outputs, weights=(), opset=17):
    return number(1, 8) + text(2, "test") + text(7, graph(nodes, inputs, outputs, weights)) + text(8, number(2, opset))


def save(path, data):
    with open(path, "wb") as file:
        file.write(data)
