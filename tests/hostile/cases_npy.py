# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Arrays that `run --inputs` reads."""

import os
import struct

from harness import Case
from texts import kernel


def npy(header, data=b"\0" * 32, version=b"\x01\x00", size=None):
    text = header.encode() if isinstance(header, str) else header
    return b"\x93NUMPY" + version + struct.pack("<H", len(text) if size is None else size) + text + data


def described(shape="(8,)", descr="'<f4'", order="False"):
    return f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}\n"


BAD = {
    "empty": b"", "text": b"1, 2, 3", "only the mark": b"\x93NUMPY", "cut header": npy(described())[:30],
    "header past the end": npy(described(), size=65535), "cut data": npy(described(), b"\0" * 31),
    "no data": npy(described(), b""), "version 9": npy(described(), version=b"\x09\x00"),
    "no shape": npy("{'descr': '<f4'}"), "open shape": npy("{'descr': '<f4', 'shape': (8"),
    "negative extent": npy(described("(-8,)")), "huge extent": npy(described("(9223372036854775807,)")),
    "overflowing extent": npy(described("(99999999999999999999999,)")),
    "overflowing shape": npy(described("(4294967296, 4294967296, 4)")),
    "overflow behind a zero": npy(described("(0, 4611686018427387904, 4611686018427387904)")),
    "many dimensions": npy(described("(" + "1," * 1000 + ")")), "extent of text": npy(described("(x,)")),
    "cut data in Fortran order": npy(described(order="True"), b"\0" * 31), "objects": npy(described(descr="'|O'")),
    "big-endian": npy(described(descr="'>f4'")), "unknown dtype": npy(described(descr="'<f3'")),
    "deep descr": npy(described(descr="[" * 20_000)), "zero bytes": npy(b"\0" * 1000),
    "of another type": npy(described(descr="'<f8'"), b"\0" * 64), "of another shape": npy(described("(4,)")),
    "Fortran order of no elements": npy(described("(0, 4294967296, 4294967296)", order="True")),
    "of another rank": npy(described("(2, 4)")), "a pickle": b"\x80\x04cos\nsystem\n(S'touch x'\ntR.",
    "an archive": b"PK\x03\x04" + b"\0" * 100,
}


def cases():
    run = ["{tilescope}", "run", "k.py", "--on", "cpu", "--inputs", "in", "--dump", "{out}"]
    for name, data in BAD.items():
        yield Case("npy", name, run, {"k.py": kernel(), "in/x_ptr.npy": data})
    for name, make in (("pipe", os.mkfifo), ("folder", os.mkdir), ("device", lambda path: os.symlink("/dev/zero", path)),
                       ("link to nothing", lambda path: os.symlink("none", path))):
        yield Case("npy", name, run, {"k.py": kernel(), "in/x_ptr.npy": make}, says="cannot read")
    yield Case("npy", "sound", run, {"k.py": kernel(), "in/x_ptr.npy": npy(described())}, status=(0,), says="")
    yield Case("npy", "sound, in Fortran order", run, {"k.py": kernel(), "in/x_ptr.npy": npy(described(order="True"))}, status=(0,), says="")
    yield Case("npy", "missing folder", run, {"k.py": kernel()}, says="no folder `in`")
    yield Case("npy", "folder is a file", run, {"k.py": kernel(), "in": "x"}, says="not a folder")
    yield Case("npy", "missing folder, all launches", [*run, "--all-launches"], {"k.py": kernel()}, says="no folder `in`")
