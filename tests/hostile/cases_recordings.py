# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Reports, profiles and files of other tools that are broken, huge, or mean something to a terminal or a spreadsheet."""

import csv
import io
import json

from cases_reports import check_csv, check_markdown
from harness import Case

NAME = "=1+1\x1b[2J|`x`<script>\n# forged"
HEAD = '"ID","Process ID","Kernel Name","Block Size","Grid Size","CC","gpu__time_duration.sum"\n"","","","","","","us"\n'
ROW = '"0","7","k","(128, 1, 1)","(64, 1, 1)","9.0","12.5"\n'


def read(name, text, form="md", status=(1,), says="error", **more):
    return Case("recordings", name, ["{tilescope}", "report", "r.in", "-o", "{out}/r." + form],
                {"r.in": text if callable(text) else text if isinstance(text, bytes) else text.encode(),
                 "out/x": ""},
                status=status, says=says, **more)


def check_names(ending):
    rows = list(csv.reader(io.StringIO((ending.out / "r.ncu.csv").read_text(), newline="")))
    assert len(rows) == 3 and len({len(row) for row in rows}) == 1, rows
    assert not any(field.startswith(("=", "+", "@")) for field in rows[2]), rows[2]


def node(name, metrics, children=()):
    return {"frame": {"name": name, "type": "function"}, "metrics": metrics, "children": list(children)}


def kernel(name, count=1, time=1000):
    return node(name, {"count": count, "time (ns)": time, "device_id": "0", "device_type": "CUDA"})


def deep(levels):
    """A tree in which every scope has one child, as text: Python's own printer recurses."""
    begin = '{"frame": {"name": "s", "type": "function"}, "metrics": {}, "children": ['
    return "[" + begin * levels + json.dumps(kernel("k")) + "]}" * levels + "]"


def report(**changes):
    document = {"schema": {"name": "tilescope.report", "version": 2}, "title": "t", "generator": "g", "created": "c",
                "environment": {}, "kernels": [{"kernel": "k", "path": "k.py", "source": "x", "stages": []}]}
    document.update(changes)
    return json.dumps(document)


def message(*fields):
    """A message of Nsight Compute's reports, behind its size: numbers, and bytes of whatever is in them."""
    def varint(value):
        return bytes([value & 127 | 128]) + varint(value >> 7) if value > 127 else bytes([value])

    body = b"".join(varint(number << 3) + varint(value) if isinstance(value, int) else
                    varint(number << 3 | 2) + varint(len(value)) + value for number, value in fields)
    return len(body).to_bytes(4, "little") + body


def ncu_report(launch, strings=(), sources=(), **block):
    """A report of Nsight Compute with one launch."""
    payload = b"".join(message(*source) for source in sources) + message(*launch)
    table = message(*((1, text) for text in strings))[4:]
    return (b"NVR\0" + message((1, 7)) +
            message((1, block.get("sources", len(sources))), (2, block.get("launches", 1)), (4, table),
                    (5, block.get("size", len(payload)))) + payload)


def large(part, times, begin="", end=""):
    def make(path):
        with open(path, "w", encoding="utf-8") as file:
            file.write(begin)
            for _ in range(times):
                file.write(part)
            file.write(end)
    return make


def broken():
    yield read("newer report", report(schema={"name": "tilescope.report", "version": 99}), says="version 99")
    yield read("version beyond integers", report(schema={"name": "tilescope.report", "version": 10 ** 30}))
    yield read("report cut off", report()[:150])
    yield read("kernels that are numbers", report(kernels=[1, 2]), says="kernel 1")
    yield read("kernels of a number", report(kernels=5))
    yield read("page without an end", '<script type="application/json" id="report-data">{"a": [', says="not JSON")
    yield read("launch with a huge grid", report(kernels=[{"kernel": "k", "launch": {"kernel": "k", "grid": [2 ** 62] * 3, "args": []}}]))
    yield read("table cut off", HEAD + ROW[:30], says="line 3")
    yield read("table of another language", HEAD + ROW.replace("12.5", "1.234,5"), says="line 3")
    yield read("table without launches", HEAD)
    yield read("tree of negative counts", json.dumps([node("ROOT", {}, [kernel("k", -1)])]))
    yield read("tree of huge numbers", json.dumps([node("ROOT", {}, [kernel("k", 10 ** 40)])]), says=r"\[0\]\.children\[0\]")
    yield read("tree without a name", json.dumps([{"frame": {}, "metrics": {"count": 1, "time (ns)": 5}}]))
    yield read("log cut off", '{"event_type": "compilation", "payload": {}}\n{"event', says="line 1")
    yield read("log of launches alone", '{"event_type": "launch", "name": "k", "grid": [1]}\n')
    yield read("log with a huge tensor", '{"event_type": "launch", "name": "k", "grid": [1], "extracted_args": {"x": {"type": '
               '"tensor", "dtype": "torch.float32", "shape": [%d, %d]}}}\n' % (2 ** 62, 2 ** 62), says="too large")
    yield read("report of Nsight Compute, cut off", b"NVR\0\0\x12", says="ncu --import")
    yield read("report of another version", b"NVR\0" + message((1, 8)), says="version 8")
    yield read("report without launches", b"NVR\0" + message((1, 7)), says="no launch")
    yield read("report of four billion launches", ncu_report([(6, b"k")], launches=2 ** 32 - 1), says="at byte")
    yield read("report with a block past the end", ncu_report([(6, b"k")], size=2 ** 32 - 1), says="at byte")
    yield read("report with a name that it lacks", ncu_report([(6, b"k"), (13, message((1, 5))[4:])]), says="name 5 of 0")
    yield read("report of a control character", ncu_report([(6, NAME.encode()), (7, b"\xff\xfe")], sources=[[(1, 1), (4, b"\x7fELF")]]),
               form="ncu.csv", status=(0, 1), says="")
    yield read("report with machine code that is none", ncu_report(
        [(6, b"k"), (15, message((1, 1))[4:])], sources=[[(1, 1), (4, b"\x7fELF\x02\x01\x01" + bytes(range(256)) * 9)]]),
               form="json", status=(0,), says="")
    yield read("packed log", b"\x1f\x8b\x08\0", says="gunzip")


def huge():
    yield read("tree of 900 scopes", deep(900), status=(0,), says="", seconds=40)
    yield read("tree of a million scopes", deep(1000000), says="")
    yield read("tree of a million children", large(json.dumps(kernel("k")) + ",", 200000, "[" + json.dumps(node("ROOT", {}))[:-2],
                                                   json.dumps(kernel("k")) + "]}]"), says="more than 10000 kernels", seconds=60)
    yield read("list of many trees", large(json.dumps(kernel("k")) + ",", 1000, "[", json.dumps(kernel("k")) + "]"), says="entries")
    yield read("row of a million fields", large(",", 1 << 20, HEAD + ROW), says="line 4")
    yield read("table of a million launches", large("", 1, HEAD + "".join(ROW.replace('"0"', f'"{i}"', 1) for i in range(20000))),
               says="more than 10000 launches", seconds=60)
    yield read("report of many kernels", report(kernels=[{"kernel": "k"}] * 20000), says="at most 10000")
    yield read("file beyond the limit", large("x" * (1 << 20), 65, "{"), says="")


def words():
    for form, check in (("csv", check_csv), ("md", check_markdown)):
        yield read(f"names that mean something, {form}", report(kernels=[{"kernel": NAME, "path": NAME, "source": "", "target": NAME}]),
                   form, status=(0,), says="", check=check)
    measured = {"kernel": NAME, "device": NAME, "outputs": []}
    yield read("names in a table", json.dumps(dict(measured, time_us={"median": 5})), "ncu.csv", status=(0,), says="", check=check_names)
    yield read("names in a tree", json.dumps([kernel(NAME)]), "md", status=(0,), says="", check=check_markdown)
    yield read("names in an error", json.dumps([node(NAME, {}, [{"frame": {"name": NAME}, "metrics": {"count": NAME, "time (ns)": 1}}])]))


def cases():
    yield from broken()
    yield from huge()
    yield from words()
