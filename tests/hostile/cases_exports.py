# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Files of `torch.export` that `model check` reads."""

import copy
import io
import json
import pathlib
import sys
import zipfile

from harness import Case

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support" / "models"))
from export_writer import floats, node, program, save, weight  # noqa: E402

HUGE = 1 << 62
BOUND = (1 << 63) - 1


def file(document, weights=None, **options):
    out = io.BytesIO()
    save(out, document, weights, **options)
    return out.getvalue()


def one(target, *arguments, inputs=None, weights=None, outputs=("y",), names=None, version=(8, 8)):
    return file(program([node(target, [("self", "x"), *arguments], list(outputs))], inputs or {"x": ["s0", 4]}, ["y"], names, version=version), weights)


def weighted(described, data=floats(1, 2, 3, 4), **options):
    return one("add.Tensor", ("other", "w"), names={"w": "w"}, weights={"w": (described, data)}, **options)


def changed(change):
    """The sound program, changed in place."""
    document = copy.deepcopy(RELU)
    change(document)
    return file(document)


def chain(count):
    names = ["x", *(f"v{i}" for i in range(count - 1)), "y"]
    return file(program([node("relu.default", [("self", before)], [after]) for before, after in zip(names, names[1:])], {"x": ["s0", 4]}, ["y"]))


def views(count):
    """Views of one tensor that is changed in place again and again."""
    nodes = [node("view.default", [("self", "x"), ("size", [4])], [f"v{i}"]) for i in range(count)]
    nodes += [node("relu_.default", [("self", "x")], [f"r{i}"]) for i in range(count)]
    return file(program(nodes, {"x": [4]}, ["x"]))


def bomb():
    """A gigabyte of blanks that unpacks from a megabyte."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        with archive.open("m/models/model.json", "w", force_zip64=True) as entry:
            for _ in range(1024):
                entry.write(b" " * (1 << 20))
    return out.getvalue()


def lying(size):
    """The directory of the archive says that the program has so many bytes."""
    data = bytearray(SOUND)
    at = data.index(b"models/model.json", data.index(b"PK\1\2"))
    begin = data.rindex(b"PK\1\2", 0, at)
    data[begin + 20:begin + 28] = size.to_bytes(4, "little") * 2
    return bytes(data)


def early(pickle, beside=()):
    """As PyTorch 2.5 has it, with the pickle of its weights."""
    state = io.BytesIO()
    with zipfile.ZipFile(state, "w") as archive:
        archive.writestr("archive/data.pkl", pickle)
        for name, data in beside:
            archive.writestr("archive/data/" + name, data)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("serialized_exported_program.json", json.dumps(RELU))
        archive.writestr("serialized_state_dict.pt", state.getvalue())
    return out.getvalue()


def tensor(name=b"w", key=b"0", offset=b"K\0", extents=b"K\4\x85", strides=b"K\1\x85", storage=b"FloatStorage"):
    """The steps of a dictionary with one tensor."""
    def text(value):
        return b"X" + len(value).to_bytes(4, "little") + value
    return (b"\x80\2}" + text(name) + b"ctorch._utils\n_rebuild_tensor_v2\n((" + text(b"storage") + b"ctorch\n" + storage + b"\n" + text(key)
            + text(b"cpu") + b"K\4tQ" + offset + extents + strides + b"\x89}tRs.")


RELU = program([node("relu.default", [("self", "x")], ["y"])], {"x": ["s0", 4]}, ["y"])
SOUND = file(RELU)
W = {"w": weight([4], floats(1, 2, 3, 4))}


def remove(*path):
    def change(document):
        for key in path[:-1]:
            document = document[key]
        del document[path[-1]]
    return changed(change)


def put(value, *path):
    def change(document):
        for key in path[:-1]:
            document = document[key]
        document[path[-1]] = value
    return changed(change)


NODE = ("graph_module", "graph", "nodes", 0)
X = ("graph_module", "graph", "tensor_values", "x")

BAD = {
    "signature alone": b"PK\3\4", "cut": SOUND[:-9], "cut program": SOUND[:400], "no end": SOUND[:-22], "zeros behind": SOUND + b"\0" * 70_000,
    "zip of text": file(None, entries=[("m/hello.txt", "hello")]), "no entries": b"PK\5\6" + b"\0" * 18, "weights alone": file(None),
    "two models": file(RELU, entries=[("m/models/other.json", "{}")]), "bomb": bomb(), "says 4 GB": lying((1 << 32) - 2), "says 1 byte": lying(1),
    "absolute path": file(RELU, entries=[("/etc/passwd", "x")]), "path upwards": file(RELU, entries=[("m/../../x", "x")]),
    "backslashes": file(RELU, entries=[("m\\..\\x", "x")]),
    "no JSON": file("import torch\n"), "JSON ends": file(json.dumps(RELU)[:-40]), "not UTF-8": file(b'{"a": "\xff\xfe"}'), "a number": file("7"),
    "nests 100,000": file("[" * 100_000), "nests objects": file('{"a":' * 100_000), "nests inside": file('{"a":' + "[" * 1000 + "]" * 1000 + "}"),
    "version 7": one("relu.default", version=(7, 3)), "version 9": one("relu.default", version=(9, 0)), "version huge": one("relu.default", version=(HUGE, 0)),
    "no version": remove("schema_version"), "no graph": remove("graph_module", "graph"), "no nodes": remove("graph_module", "graph", "nodes"),
    "no signature": remove("graph_module", "signature"), "no tensors": remove("graph_module", "graph", "tensor_values"), "no type of an input": remove(*X),
    "no target": remove(*NODE, "target"), "no outputs": put([], *NODE, "outputs"), "target is a number": put(7, *NODE, "target"),
    "empty argument": put([{"name": "self", "arg": {}}], *NODE, "inputs"), "argument of another kind": put([{"name": "self", "arg": {"as_graph": {}}}], *NODE, "inputs"),
    "no arguments": put([], *NODE, "inputs"), "number in place of a tensor": put([{"name": "self", "arg": {"as_int": 3}}], *NODE, "inputs"),
    "number beyond 64 bits": put(1 << 70, *X, "dtype"), "complex": put(10, *X, "dtype"), "unknown type": put(99, *X, "dtype"),
    "negative extent": put([{"as_int": -4}], *X, "sizes"), "huge extents": put([{"as_int": HUGE}] * 4, *X, "sizes"),
    "nested extent": put([{"as_expr": {"expr_str": "(" * 3000}}], *X, "sizes"), "long extent": put([{"as_expr": {"expr_str": "s0+" * 100_000 + "1"}}], *X, "sizes"),
    "extent by zero": put([{"as_expr": {"expr_str": "s0 // 0"}}], *X, "sizes"), "extent to a power": put([{"as_expr": {"expr_str": "s0**s0**s0"}}], *X, "sizes"),
    "no such output": put([{"user_output": {"arg": {"as_tensor": {"name": "z"}}}}], "graph_module", "signature", "output_specs"),
    "output is a number": put([{"user_output": {"arg": {"as_int": 3}}}], "graph_module", "signature", "output_specs"),
    "custom object": put([{"custom_obj": {"arg": {"name": "x"}}}], "graph_module", "signature", "input_specs"),
    "two inputs of a name": put([{"user_input": {"arg": {"as_tensor": {"name": "x"}}}}] * 2, "graph_module", "signature", "input_specs"),
    "unknown operator": one("frobnicate.default"), "foreign operator": one("torch.ops.mine.relu.default"), "operator of nothing": one("torch.ops.aten"),
    "escapes in a name": one("\x1b[2J\r\nfake: error: x.default"), "no such tensor": one("add.Tensor", ("other", "z")), "own output": one("add.Tensor", ("other", "y")),
    "name of another": file(program([node("relu.default", [("self", "x")], ["x"])], {"x": [4]}, ["x"])),
    "cycle": file(program([node("add.Tensor", [("self", "x"), ("other", "b")], ["a"]), node("relu.default", [("self", "a")], ["b"])], {"x": [4]}, ["b"])),
    "a view that is used later": file(program([node("view.default", [("self", "x"), ("size", [4])], ["v"]), node("relu_.default", [("self", "x")], ["r"])], {"x": [4]}, ["v"])),
    "huge view": one("view.default", ("size", [HUGE, HUGE])), "view of many": one("view.default", ("size", [-1, -1])), "huge expand": one("expand.default", ("size", [HUGE, 4])),
    "axis": one("softmax.int", ("dim", HUGE)), "axes": one("permute.default", ("dims", [0, 0])), "long order": one("permute.default", ("dims", list(range(100_000)))),
    "zero step": one("slice.Tensor", ("dim", 0), ("start", 0), ("end", BOUND), ("step", 0)),
    "huge index": one("select.int", ("dim", 1), ("index", HUGE)), "huge top": one("topk.default", ("k", HUGE)), "huge repeat": one("repeat.default", ("repeats", [HUGE, HUGE])),
    "huge pad": one("constant_pad_nd.default", ("pad", [BOUND, BOUND])), "huge fill": one("new_zeros.default", ("size", [1 << 40, 1 << 20])),
    "negative fill": one("new_zeros.default", ("size", [-5])), "parts of nothing": one("chunk.default", ("chunks", 0), outputs=(["y", "z"],)),
    "no tensors to join": one("cat.default"), "range of nothing": one("arange.start_step", ("start", 0), ("end", 5), ("step", 0)),
    "huge pool": one("max_pool2d.default", ("kernel_size", [HUGE, HUGE]), inputs={"x": [1, 1, 4, 4]}), "pool of vectors": one("max_pool2d.default", ("kernel_size", [2, 2]), inputs={"x": [4]}),
    "huge dilation": one("conv2d.default", ("weight", "w"), ("dilation", [HUGE, 1]), inputs={"x": [1, 1, 4, 4], "w": [1, 1, 3, 3]}),
    "filter of another rank": one("conv2d.default", ("weight", "w"), inputs={"x": [1, 1, 4, 4], "w": [4, 4]}), "no groups": one("conv2d.default", ("weight", "w"), ("groups", 0), inputs={"x": [1, 1, 4, 4], "w": [1, 1, 3, 3]}),
    "scale of nothing": one("upsample_nearest2d.vec", ("scale_factors", {"as_floats": [0.0, -1e300]}), inputs={"x": [1, 1, 4, 4]}),
    "training": one("dropout.default", ("p", 0.5), ("train", True)), "norm of another shape": one("layer_norm.default", ("normalized_shape", [1, 2, 3, 4])),
    "heads of nothing": one("scaled_dot_product_attention.default", ("query", "x"), ("key", "x"), ("value", "x")),
    "no such weight": one("add.Tensor", ("other", "w"), names={"w": "w"}), "weight too short": weighted(W["w"][0], floats(1, 2, 3)),
    "weight without elements": weighted(W["w"][0], b""), "weight too large": weighted(weight([1 << 40, 1 << 40], b"")[0]), "huge weight": weighted(weight([1 << 30, 1 << 20], b"")[0]),
    "negative stride": weighted(weight([4], b"", strides=[-1])[0]), "huge stride": weighted(weight([4], b"", strides=[HUGE])[0]), "missing stride": weighted(weight([4], b"", strides=[])[0]),
    "huge offset": weighted(weight([4], b"", offset=HUGE)[0]), "negative offset": weighted(weight([4], b"", offset=-4)[0]),
    "many copies of one": weighted(weight([1 << 30], b"", strides=[0])[0]), "unknown type of a weight": weighted(weight([4], b"", dtype=99)[0]),
    "compressed weights": file(RELU, W, compression=zipfile.ZIP_DEFLATED),
    "pickle that calls": early(b"cos\nsystem\n(X\5\0\0\0falsetR."), "pickle of a call of the tensor": early(b"\x80\2}X\1\0\0\0wcos\nsystem\nX\2\0\0\0id\x85Rs."),
    "pickle ends": early(tensor()[:-9]), "empty pickle": early(b""), "pickle of nothing": early(b"."), "pickle of marks": early(b"(" * 100_000 + b"."), "pickle of pops": early(b"0" * 100 + b"."),
    "memo out of range": early(b"\x80\2}r\xff\xff\xff\xff."), "nothing in the memo": early(b"h\7."), "list in itself": early(b"]q\0h\0a."), "tuple of one": early(b"\x85."),
    "storage is missing": early(tensor()), "storage of another folder": early(tensor(key=b"../0"), [("0", floats(1, 2, 3, 4))]), "unknown storage": early(tensor(storage=b"QInt8Storage"), [("0", b"0000")]),
    "frames of a later pickle": early(b"\x80\4\x95\0\0\0\0\0\0\0\0}."),
}


def cases():
    check = ["{tilescope}", "model", "check", "m.pt2"]
    for name, data in BAD.items():
        yield Case("exports", name, check, {"m.pt2": data})
    for name, data in (("sound", SOUND), ("with weights", weighted(*W["w"])), ("5,000 nodes", chain(5_000)), ("20,000 views", views(20_000)),
                       ("empty slice", one("slice.Tensor", ("start", BOUND), ("end", -BOUND), inputs={"x": [4, 4]})), ("pickled", early(tensor(), [("0", floats(1, 2, 3, 4))])),
                       ("scattered weight", weighted(weight([4], b"", strides=[0])[0])), ("transposed weight", weighted(weight([2, 4], b"", strides=[1, 2])[0], floats(*range(8)), inputs={"x": [2, 4]}))):
        yield Case("exports", name, check, {"m.pt2": data}, status=(0,), says="")
    yield Case("exports", "huge number", [*check, "--dim", f"s0={BOUND}"], {"m.pt2": SOUND})
    yield Case("exports", "no such name", [*check, "--dim", "Q=3"], {"m.pt2": SOUND})
