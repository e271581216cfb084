# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Kernel packages that are cut off, altered or made by hand, given to the runner."""

import json
import struct

from harness import Case

PTX = b".version 8.0\n.target sm_80\n.address_size 64\n"


def fnv1a(data):
    value = 0xcbf29ce484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001b3 % (1 << 64)
    return value


def plan(**changes):
    return {"name": "", "kernel": "k", "grid": [1, 1, 1], "constexprs": {}, "options": {}, "sizes": {}, "sweep": {},
            "args": [{"name": "x", "dtype": "fp32", "shape": [4], "init": "poison"},
                     {"name": "n", "type": "i32", "value": 4}], **changes}


def header(**changes):
    return {"symbol": "k", "target": "cuda:80", "num_warps": 4, "num_ctas": 1, "shared_bytes": 0,
            "global_scratch_bytes": 0, "parameters": [{"name": "x", "type": "*fp32"}, {"name": "n", "type": "i32"}],
            "plan": plan(), "source_path": "k.py", "source_text": "", "generator": "a test",
            "blobs": [{"name": "ptx", "offset": 0, "size": len(PTX), "fnv1a": fnv1a(PTX)}], **changes}


def package(head=None, tail=PTX, version=1, size=None, **changes):
    text = head if head is not None else json.dumps(header(**changes)).encode()
    data = b"TSKERNEL" + struct.pack("<II", version, len(text) if size is None else size) + text
    return data + b"\0" * (-len(data) % 16) + tail


def blob(**changes):
    return {"name": "ptx", "offset": 0, "size": len(PTX), "fnv1a": fnv1a(PTX), **changes}


def tensor(**changes):
    return plan(args=[{"name": "x", "dtype": "fp32", "shape": [4], "init": "poison", **changes}])


def scalar(**changes):
    return plan(args=[{"name": "n", "type": "i32", "value": 4, **changes}])


WHOLE = package()
DEEP = "[" * 100_000 + "]" * 100_000

BYTES = {
    "empty": b"",
    "only the mark": b"TSKERNEL",
    "text": b"Hello, this is not a package at all.",
    "cut in the prefix": WHOLE[:12],
    "cut in the header": WHOLE[:200],
    "cut in the blob": WHOLE[:-5],
    "no blobs": WHOLE[:-len(PTX)],
    "newer": package(version=2),
    "newest": package(version=0xffffffff),
    "header of four gigabytes": package(size=0xffffffff),
    "header of nothing": package(size=0),
    "not JSON": package(b"{ nonsense"),
    "not UTF-8": package(b'{"symbol": "\xff"}'),
    "a list": package(b"[]"),
    "null": package(b"null"),
    "a number": package(b"1e999"),
    "deep arrays": package(DEEP.encode()),
    "deep objects": package(b'{"a":' * 100_000),
    "deep plan": package(json.dumps(header()).replace('"sweep": {}', '"sweep": ' + DEEP).encode()),
    "deep blobs": package(json.dumps(header(blobs=0)).replace('"blobs": 0', '"blobs": ' + DEEP).encode()),
    "altered blob": WHOLE[:-1] + b"!",
    "zero bytes": b"\0" * 4096,
    "many keys": package(json.dumps(header(**{f"k{i}": i for i in range(200_000)}))[:-9].encode()),
}

HEADERS = {
    "no symbol": {"symbol": None}, "symbol of a number": {"symbol": 5}, "warps of text": {"num_warps": "4"},
    "no warps": {"num_warps": 0}, "many warps": {"num_warps": 1 << 40}, "negative warps": {"num_warps": -4},
    "warps of a real": {"num_warps": 1e300}, "half a warp": {"num_warps": 0.5}, "many CTAs": {"num_ctas": 17},
    "negative shared": {"shared_bytes": -1}, "huge shared": {"shared_bytes": 1 << 62},
    "huge scratch": {"global_scratch_bytes": 1 << 62},
    "overflowing scratch": {"global_scratch_bytes": 1 << 30, "plan": plan(grid=[2147483647, 65535, 65535])},
    "parameters of text": {"parameters": "x"}, "parameter of a number": {"parameters": [1]},
    "parameter without a type": {"parameters": [{"name": "x"}]},
    "many parameters": {"parameters": [{"name": "x", "type": "*fp32"}] * 10_000},
    "registers of text": {"registers": "many"}, "plan of text": {"plan": "k"}, "plan without arguments": {"plan": {"kernel": "k"}},
    "blobs of text": {"blobs": "x"}, "blob without a size": {"blobs": [{"name": "ptx"}]}, "no machine code": {"blobs": []},
    "blob past the end": {"blobs": [blob(offset=1 << 40)]}, "huge blob": {"blobs": [blob(size=(1 << 64) - 1)]},
    "overflowing blob": {"blobs": [blob(offset=(1 << 64) - 8, size=16)]}, "negative blob": {"blobs": [blob(offset=-16)]},
    "wrong hash": {"blobs": [blob(fnv1a=1)]}, "hash of text": {"blobs": [blob(fnv1a="x")]},
    "overlapping blobs": {"blobs": [blob(), blob(name="cubin")]}, "ten thousand blobs": {"blobs": [blob()] * 10_000},
    "negative grid": {"plan": plan(grid=[-1, 1, 1])}, "huge grid": {"plan": plan(grid=[1, 1 << 40, 1])},
    "grid of two": {"plan": plan(grid=[1, 1])}, "grid of text": {"plan": plan(grid="111")},
    "grid of reals": {"plan": plan(grid=[1.5, 1, 1])}, "grid of a huge real": {"plan": plan(grid=[1e300, 1, 1])},
    "grid times CTAs": {"num_ctas": 16, "plan": plan(grid=[2147483647, 1, 1])},
    "negative extent": {"plan": tensor(shape=[-4])}, "huge extent": {"plan": tensor(shape=[1 << 62])},
    "overflowing shape": {"plan": tensor(shape=[1 << 32, 1 << 32, 4])},
    "overflow behind a zero": {"plan": tensor(shape=[0, 1 << 62, 1 << 62])},
    "many dimensions": {"plan": tensor(shape=[1] * 1000)}, "shape of text": {"plan": tensor(shape="4")},
    "unknown dtype": {"plan": tensor(dtype="fp31")}, "unknown init": {"plan": tensor(init="twos")},
    "seed of text": {"plan": tensor(seed="x")}, "negative seed": {"plan": tensor(seed=-1)},
    "bound of text": {"plan": tensor(init="rand", low="low")},
    "argument outside": {"plan": tensor(name="../x")}, "absolute argument": {"plan": tensor(name="/tmp/x")},
    "argument of control characters": {"plan": tensor(name="\x1b[2J")}, "argument without a name": {"plan": tensor(name="")},
    "argument of a number": {"plan": tensor(name=5)}, "argument twice": {"plan": plan(args=2 * plan()["args"])},
    "many arguments": {"plan": plan(args=[{"name": f"a{i}", "type": "i32", "value": 1} for i in range(5000)])},
    "scalar of no type": {"plan": scalar(type="")}, "scalar of unknown type": {"plan": scalar(type="i7")},
    "scalar of a list": {"plan": scalar(value=[1])}, "scalar of text": {"plan": scalar(value="many")},
    "constexprs of numbers": {"plan": plan(constexprs={"B": 1})}, "sweep of text": {"plan": plan(sweep="x")},
    "bytes of text": {"plan": plan(bytes="many")},
}


def cases():
    run = ["{runner}", "run", "k.tskernel", "--dump", "{out}", "--json"]
    for name, data in BYTES.items():
        yield Case("packages", name, run, {"k.tskernel": data}, says="kernel package")
    for name, changes in HEADERS.items():
        yield Case("packages", name, run, {"k.tskernel": package(**changes)}, says="not a readable kernel package")
    # Sound ones get as far as the driver, which a machine without a GPU does not have.
    for name, data in (("sound", WHOLE), ("of a later version", package(tail=PTX + b"\0" * 16, later=1))):
        yield Case("packages", name, run, {"k.tskernel": data}, status=(0, 1, 3), says="driver|device|kernel `k`")
    for option in ("--inputs", "--compare"):
        yield Case("packages", f"{option} of nothing", [*run, option, "none"], {"k.tskernel": WHOLE}, says="no folder `none`")
        yield Case("packages", f"{option} of a file", [*run, option, "k.tskernel"], {"k.tskernel": WHOLE}, says="not a folder")
    for value in ("0", "-1", "nan", "1e300", "x"):
        yield Case("packages", f"time limit of {value}", [*run, "--time-limit", value], {"k.tskernel": WHOLE}, status=(2,),
                   says="time-limit")
    for value in ("-1", "99999999999999", "x"):
        yield Case("packages", f"device {value}", [*run, "--device", value], {"k.tskernel": WHOLE}, status=(1, 2, 3), says="device|driver")
