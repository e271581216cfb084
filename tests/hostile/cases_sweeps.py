# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Comparisons, baselines and sweeps: requests, files and lists that are broken, huge or mean something to others."""

import base64
import csv
import io
import json
import re

from cases_reports import SCRIPT, Page
from cases_service import END, SERVE, WHOLE, answers_on, frame
from harness import Case
from texts import BODY, changed, kernel

ENCODED = base64.b64encode(WHOLE).decode()
BENCH = ["{tilescope}", "bench", "k.py", "--on", "cuda", "--baseline", "b.json"]
SWEEP = ["{tilescope}", "sweep", "k.py", "--on", "cpu"]
RESUME = [*SWEEP, "--over", "BLOCK=8,16", "--resume", "out"]

RECORD = {"file": "k.py", "launch": "0", "kernel": "k", "work": "", "rounds_us": [[1.0]],
          "key": {"gpu": "x", "driver": "1", "compiler": "y"}}
HEADER = {"version": 1, "identity": "x", "file": "k.py", "launch": "", "kernel": "k", "target": "cuda:90", "sizes": [],
          "axes": [{"names": ["BLOCK"], "values": [["8"], ["16"]]}]}


def together(**changes):
    return {"id": 1, "method": "interleave", "params": {"protocol": 1, "packages_base64": [ENCODED], **changes}}


REQUESTS = {
    "no packages": together(packages_base64=[]), "packages of numbers": together(packages_base64=[5]),
    "packages in an object": together(packages_base64={"a": ENCODED}), "protocol of text": together(protocol="1"),
    "protocol of tomorrow": together(protocol=2), "rounds of a huge real": together(rounds=1e300),
    "rounds of text": together(rounds="many"), "seed below zero": together(seed=-1), "hopeless of a list": together(hopeless=[]),
    "seconds of nothing": together(measure_s=None), "negative device": together(device=-1),
    "package is a device": together(packages=["/dev/zero"]), "ten thousand packages": together(packages_base64=["!"] * 10_000),
}

BASELINES = {
    "nothing": "", "not JSON": "{", "list": "[]", "deep": "[" * 100_000, "another format": '{"format": "x"}',
    "version of text": '{"format": "tilescope-bench", "version": "1", "records": []}',
    "records of numbers": '{"format": "tilescope-bench", "version": 1, "records": [1]}',
    "huge times": {**RECORD, "rounds_us": [[1e308] * 8] * 20, "key": 5}, "rounds of text": {**RECORD, "rounds_us": "x"},
    "deep rounds": {**RECORD, "rounds_us": [[[1]]]}, "millions of rounds": {**RECORD, "rounds_us": [[]] * 1_000_000},
}

LOGS = {
    "nothing": "", "no header": '{"point": 0}\n', "header of a number": '{"sweep": 5}\n', "deep": "[" * 100_000 + "\n",
    "axes without end": {**HEADER, "axes": [{"names": [f"a{i}"], "values": [["1"]] * 1000} for i in range(60)]},
    "axes of other names": {**HEADER, "axes": [{"names": ["a", "b"], "values": [["1"]]}]},
    "later version": {**HEADER, "version": 2}, "another sweep": HEADER,
}

TASKS = {
    "nothing": "", "no header": '{"tasks": 2}\n', "no tasks": HEADER, "deep": "[" * 100_000 + "\n", "tasks of text": '{"tasks": "2"}',
    "no end of tasks": '{"tasks": 1000000000000000}', "tasks below zero": '{"tasks": -1}', "job of a number": '{"tasks": 2}\n{"job": 7, "first": 0}',
    "first of a huge real": '{"tasks": 2}\n{"job": "7", "first": 1e300}',
}
SLURM = {"no such option": "output=x", "a shell": "partition=$(touch x)", "a line": "partition=a\n#SBATCH", "no number": "array=1e9",
         "no end": "array=" + "9" * 1000, "control characters": "\x1b[2J", "commas": "," * 100_000 + "array=0"}

OVERS = {
    "no list": "BLOCK", "no name": "=1", "nothing": "", "commas": "BLOCK=" + "," * 100_000, "brackets": "BLOCK=" + "(" * 100_000,
    "range without end": "BLOCK=1:9223372036854775807", "range of nothing": "BLOCK=1:8:0", "factor of one": "BLOCK=1:8:*1",
    "range that overflows": "BLOCK=1:9223372036854775807:9223372036854775807:2", "tuple for one": "BLOCK,n=8", "twice": "BLOCK,BLOCK=(8,8)",
    "control characters": "\x1b[2J=1", "a script": SCRIPT + "=1",
}


def written(parts, prefix):
    """A record or a header as the file that holds it; text as it is."""
    if isinstance(parts, str):
        return parts
    return json.dumps({"format": "tilescope-bench", "version": 1, "records": [parts]} if prefix == "bench" else {"sweep": parts}) + "\n"


def check_sweep_page(ending):
    page = Page((ending.out / "s" / "report.html").read_text(errors="replace"))
    assert "default-src 'none'" in page.policy and not page.scripts and not page.handlers and "img" not in page.tags
    rows = list(csv.reader(io.StringIO((ending.out / "s" / "points.csv").read_text(errors="replace"), newline="")))
    assert len({len(row) for row in rows}) == 1, rows
    assert not any(re.match(r"[=+@\t\r]", field) for row in rows for field in row), rows


def cases():
    for name, message in REQUESTS.items():
        yield Case("sweeps", f"interleave: {name}", SERVE, stdin=frame(message) + END, holds_stdin=True, status=(0,),
                   says='"error"', check=answers_on)
    for name, parts in BASELINES.items():
        yield Case("sweeps", f"baseline: {name}", BENCH, {"k.py": kernel(), "b.json": written(parts, "bench")}, status=(1, 3))
    for name, parts in LOGS.items():
        yield Case("sweeps", f"log: {name}", RESUME, {"k.py": kernel(), "out/points.jsonl": written(parts, "sweep")}, status=(1, 2))
    for name, parts in TASKS.items():
        text = written(HEADER, "sweep") + parts + "\n" if isinstance(parts, str) and "tasks" in parts and name != "no header" else written(parts, "sweep")
        yield Case("sweeps", f"tasks: {name}", [*SWEEP, "--over", "BLOCK=8,16", "--slurm", "array=2", "--resume", "out"],
                   {"k.py": kernel(), "out/tasks.jsonl": text}, status=(1, 2))
    for name, text in SLURM.items():
        yield Case("sweeps", f"slurm: {name}", [*SWEEP, "--over", "BLOCK=8,16", "--slurm", text, "-o", "{out}/s"], {"k.py": kernel(), "out/x": ""}, status=(2,))
    for name, text in OVERS.items():
        yield Case("sweeps", f"over: {name}", [*SWEEP, "--over", text], {"k.py": kernel()}, status=(1, 2), says="error|not")
    for name, toml in (("range without end", 'BLOCK = ["1:9223372036854775807"]'), ("no values", "BLOCK = []"),
                       ("another name", "WIDTH = [1]"), ("names without values", '"BLOCK, n" = ["8"]'),
                       ("a table", "BLOCK = { a = 1 }"), ("a comma", '"," = ["1, 2"]')):
        yield Case("sweeps", f"block: {name}", SWEEP, {"k.py": changed('BLOCK = "8"\n', f'BLOCK = "8"\n[sweep]\n{toml}\n')}, status=(1, 2))
    text = kernel(body=BODY.replace("BLOCK: tl.constexpr", "BLOCK: tl.constexpr, S: tl.constexpr")).replace('BLOCK = "8"', 'BLOCK = "8"\n# S = "1"')
    values = f"S='{SCRIPT}','=1+1',8,'\x1b[2J'"
    yield Case("sweeps", "values that mean something to a page", [*SWEEP, "--over", values, "-o", "{out}/s"], {"k.py": text, "out/x": ""},
               status=(0, 1), says="", check=check_sweep_page, seconds=40)
    yield Case("sweeps", "a log that is a link", RESUME, {"k.py": kernel(), "aim": "", "out/points.jsonl": lambda path: path.symlink_to("../aim")},
               status=(1, 2, 3))
    yield Case("sweeps", "a log that is a device", RESUME, {"k.py": kernel(), "out/points.jsonl": lambda path: path.symlink_to("/dev/zero")},
               status=(1, 2, 3))
