# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Models that `model check` reads."""

import os
import pathlib
import sys

from harness import Case

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support" / "models"))
from onnx_writer import INT64, graph, model, node, number, save, tensor, tensor_type, text  # noqa: E402

X, Y = [tensor_type("x", ["N", 4])], [tensor_type("y", None)]
SOUND = model([node("Relu", ["x"], ["y"])], X, Y, [tensor("w", [64, 64], [0.0] * 4096)])


def one(kind, inputs=("x",), weights=(), outputs=("y",), **attributes):
    return model([node(kind, list(inputs), list(outputs), "n", **attributes)], X, Y, weights)


def nested(depth):
    """Graphs inside of each other."""
    inner = graph([], [], [])
    for _ in range(depth):
        inner = graph([node("If", ["x"], ["y"], then_branch=("graph", inner))], [], [])
    return number(1, 8) + text(7, inner) + text(8, number(2, 17))


def external(**places):
    return one("Add", ["x", "w"], [tensor("w", [4], external=places)])


def chain(count):
    names = ["x", *(f"v{i}" for i in range(count - 1)), "y"]
    return model([node("Relu", [before], [after]) for before, after in zip(names, names[1:])], X, Y)


def large(path):
    """2 GB of weights that are nowhere on the disk, and a file that ends before they do."""
    head = text(7, text(5, number(1, 1 << 29) + number(2, 1) + text(8, "w"))[:-1])
    with open(path, "wb") as file:
        file.write(head)
        file.truncate(1 << 31)


def numbers(name, values):
    return tensor(name, [len(values)], values, INT64)


BAD = {
    "empty": b"", "text": b"import onnx\n", "zeros": b"\0" * 1000, "cut": SOUND[:-9], "cut weights": SOUND[:9000],
    "no graph": number(1, 8), "no version": number(1, 8) + text(7, graph([], X, Y)),
    "graph is a number": number(7, 5), "length past the end": b"\x3a\xff\xff\xff\xff\x0f", "endless varint": b"\x3a" + b"\xff" * 100,
    "groups": b"\x0b" * 1000, "nests 50": nested(16), "nests 5000": nested(5000),
    "unknown operator": one("Frobnicate"), "foreign operator": one("Relu", domain="com.microsoft"),
    "cycle": model([node("Add", ["x", "b"], ["a"]), node("Relu", ["a"], ["b"])], X, [tensor_type("b", None)]),
    "own output": one("Add", ["x", "y"]), "no such value": one("Relu", ["z"]), "no such output": model([], X, Y),
    "escapes in a name": one("\x1b[2J\r\nfake: error: x"), "two outputs": one("Relu", outputs=["y", "z"]),
    "huge input": model([node("Relu", ["x"], ["y"])], [tensor_type("x", [1 << 62, 1 << 62])], Y),
    "huge reshape": one("Reshape", ["x", "n"], [numbers("n", [1 << 40, 1 << 40])]),
    "huge expand": one("Expand", ["x", "n"], [numbers("n", [(1 << 63) - 1, 4])]),
    "huge fill": one("ConstantOfShape", ["n"], [numbers("n", [1 << 40, 1 << 20])]),
    "negative fill": one("ConstantOfShape", ["n"], [numbers("n", [-5])]),
    "huge tile": one("Tile", ["x", "n"], [numbers("n", [1 << 40, 1 << 40])]),
    "huge pad": one("Pad", ["x", "n"], [numbers("n", [(1 << 63) - 1] * 4)]),
    "zero step": one("Slice", ["x", "n", "n", "n", "z"], [numbers("n", [0]), numbers("z", [0])]),
    "axis": one("Softmax", axis=1 << 62), "axis is text": one("Softmax", axis="x"),
    "huge split": one("Split", split=[1 << 62, 1 << 62], axis=0), "huge top": one("TopK", ["x", "n"], [numbers("n", [1 << 62])], ["y", "i"]),
    "permutation": one("Transpose", perm=[0, 0]), "long permutation": one("Transpose", perm=list(range(100_000))),
    "equation": one("Einsum", equation="." * 5000), "no inputs": one("Concat", []),
    "weight too short": one("Add", ["x", "w"], [tensor("w", [4], raw=b"\0" * 3)]),
    "weight too large": one("Add", ["x", "w"], [tensor("w", [1 << 40, 1 << 40], raw=b"\0" * 3)]),
    "negative extent": one("Add", ["x", "w"], [tensor("w", [-4], raw=b"\0" * 16)]),
    "unknown type": one("Add", ["x", "w"], [tensor("w", [4], dtype=99, raw=b"\0" * 16)]),
    "absolute path": external(location="/etc/passwd"), "path upwards": external(location="../w.bin"),
    "link outwards": external(location="link"), "pipe": external(location="pipe"), "folder": external(location="."),
    "behind the end": external(location="w.bin", offset=1 << 62), "overflowing place": external(location="w.bin", offset=(1 << 64) - 8, length=16),
    "no place": external(), "no such file": external(location="none"), "a name with zeros": external(location="w.bin\0/../../x"),
}


def cases():
    check = ["{tilescope}", "model", "check", "m.onnx"]
    beside = {"w.bin": b"\0" * 16, "link": lambda path: os.symlink("/etc/passwd", path), "pipe": os.mkfifo}
    for name, data in BAD.items():
        yield Case("models", name, check, {"m.onnx": data, **beside})
    for name, make in (("is a pipe", os.mkfifo), ("is a folder", os.mkdir), ("is a device", lambda path: os.symlink("/dev/zero", path)),
                       ("is a link to nothing", lambda path: os.symlink("none", path)), ("of 2 GB", large)):
        yield Case("models", name, check, {"m.onnx": make})
    yield Case("models", "sound", check, {"m.onnx": SOUND}, status=(0,), says="")
    yield Case("models", "20,000 nodes", check, {"m.onnx": chain(20_000)}, status=(0,), says="")
    yield Case("models", "sound outside", check, {"m.onnx": external(location="w.bin"), **beside}, status=(0,), says="")
    yield Case("models", "no number", [*check, "--dim", "N"], {"m.onnx": SOUND}, status=(2,))
    yield Case("models", "huge number", [*check, "--dim", "N=9223372036854775807"], {"m.onnx": SOUND})
    yield Case("models", "no such name", [*check, "--dim", "Q=3"], {"m.onnx": SOUND})
