# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Bytes and messages that `tilescope-runner serve` does not expect."""

import base64
import json
import os

from cases_packages import HEADERS, WHOLE, package
from harness import Case

SERVE = ["{runner}", "serve"]


def frame(body, head=None):
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return (b"Content-Length: %d\r\n" % len(data) if head is None else head) + b"\r\n" + data


END = frame({"id": "end", "method": "shutdown"})


def answers_on(ending):
    assert b'"id":"end","result":null' in ending.stdout, "the service did not go on"


FRAMES = {
    "garbage": b"\x00\xff" * 2000,
    "endless header": b"Content-Length: 5" + b" " * 100_000,
    "header without end": b"A" * 5000,
    "no length": frame("x", b"Content-Type: text\r\n"),
    "empty header": b"\r\n\r\n",
    "negative length": frame(b"", b"Content-Length: -5\r\n"),
    "huge length": frame(b"", b"Content-Length: 99999999999999999999999\r\n"),
    "eight exabytes": frame(b"", b"Content-Length: 9223372036854775807\r\n"),
    "two gigabytes": frame(b"", b"Content-Length: 2147483648\r\n"),
    "length of text": frame(b"", b"Content-Length: many\r\n"),
    "hexadecimal length": frame(b"{}", b"Content-Length: 0x2\r\n"),
    "length with more": frame(b"{}", b"Content-Length: 2 bytes\r\n"),
    "real length": frame(b"{}", b"Content-Length: 2.0\r\n"),
    "no number": frame(b"", b"Content-Length: \r\n"),
    "two lengths": frame(b"{}", b"Content-Length: 2\r\nContent-Length: 3\r\n"),
    "same length twice": frame(b"{}", b"Content-Length: 2\r\nContent-Length: 2\r\n"),
    "another field's length": frame(b"{}", b"X-Content-Length: 2\r\n"),
    "line without colon": frame(b"{}", b"Content-Length: 2\r\nnonsense\r\n"),
    "a web request": b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
}

MESSAGES = {
    "empty": b"", "not JSON": b"{ nonsense", "not UTF-8": b'{"id": "\xff"}', "zero bytes": b"\0" * 50, "a number": b"5",
    "null": b"null", "a list": b"[]", "deep arrays": b"[" * 100_000, "deep objects": b'{"a":' * 100_000,
    "deep id": b'{"method": "run", "id": ' + b"[" * 1000 + b"]" * 1000 + b"}", "no method": {"id": 1},
    "method of a number": {"id": 1, "method": 5}, "method of null": {"id": 1, "method": None},
    "unknown method": {"id": 1, "method": "dance"}, "method of control characters": {"id": 1, "method": "\x1b[2J"},
    "method of a megabyte": {"id": 1, "method": "x" * 1_000_000},
    "no parameters": {"id": 1, "method": "run"}, "parameters of a list": {"id": 1, "method": "run", "params": [1]},
    "parameters of text": {"id": 1, "method": "run", "params": "x"},
    "package of a number": {"id": 1, "method": "run", "params": {"package": 5}},
    "package of null": {"id": 1, "method": "run", "params": {"package": None}},
    "missing package": {"id": 1, "method": "run", "params": {"package": "/no/such.tskernel"}},
    "package is a device": {"id": 1, "method": "run", "params": {"package": "/dev/zero"}},
    "package is a folder": {"id": 1, "method": "run", "params": {"package": "/"}},
    "package path with a zero byte": {"id": 1, "method": "run", "params": {"package": "/etc/passwd\0.tskernel"}},
    "package path of a megabyte": {"id": 1, "method": "run", "params": {"package": "/x" * 500_000}},
    "base64 of a number": {"id": 1, "method": "run", "params": {"package_base64": 7}},
    "not base64": {"id": 1, "method": "run", "params": {"package_base64": "!!!!"}},
    "base64 of nothing": {"id": 1, "method": "run", "params": {"package_base64": ""}},
    "base64 of garbage": {"id": 1, "method": "run", "params": {"package_base64": base64.b64encode(b"x" * 3000).decode()}},
}


def whole(**changes):
    params = {"package_base64": base64.b64encode(changes.pop("package", WHOLE)).decode(), **changes}
    return {"id": 1, "method": "run", "params": params}


RUNS = {
    "device of text": whole(device="x"), "device of a huge real": whole(device=1e300), "device of a list": whole(device=[0]),
    "negative device": whole(device=-1), "measure of text": whole(measure="yes"), "inputs of a number": whole(inputs=5),
    "inputs of nothing": whole(inputs="/no/such/folder"), "compare of nothing": whole(compare="/no/such/folder"),
    "compare of a file": whole(compare="/dev/null"), "dump of a list": whole(dump=["a"]),
    "dump on a device": whole(dump="/dev/null/x"), "time limit of text": whole(time_limit_s="x"),
    "huge time limit": whole(time_limit_s=1e300), "negative time limit": whole(time_limit_s=-1),
    "no time limit": whole(time_limit_s=0), "samples of null": whole(samples=None),
    "argument outside": whole(package=package(**HEADERS["argument outside"]), dump="out"),
    "overflowing shape": whole(package=package(**HEADERS["overflowing shape"])),
    "grid times CTAs": whole(package=package(**HEADERS["grid times CTAs"])),
}


def cases():
    for name, data in FRAMES.items():
        yield Case("service", name, SERVE, stdin=data + END, status=(0,), says="not a framed message")
    for name, message in MESSAGES.items():
        yield Case("service", f"message: {name}", SERVE, stdin=frame(message) + END, holds_stdin=True, status=(0,),
                   says='"error"', check=answers_on)
    for name, message in RUNS.items():
        yield Case("service", f"run: {name}", SERVE, stdin=frame(message) + END, holds_stdin=True, status=(0,),
                   says='"error"', check=answers_on)
    yield Case("service", "end of input in a frame", SERVE, stdin=END[:-5], status=(0,), says="")
    yield Case("service", "body that never comes", SERVE, stdin=frame(b"", b"Content-Length: 1000000\r\n"), status=(0,), says="")
    yield Case("service", "nothing", SERVE, status=(0,), says="")
    yield Case("service", "cancel of everything", SERVE, status=(0,), says="", check=answers_on,
               stdin=b"".join(frame({"method": "cancel", "params": params}) for params in ({}, [], {"id": None}, 5)) + END)
    yield Case("service", "five thousand requests", SERVE, status=(0,), says="too many requests|cannot",
               stdin=frame({"id": 0, "method": "run", "params": {"package": 5}}) * 5000 + frame({"id": 1}), seconds=60)
    yield Case("service", "answer without a reader", SERVE, stdin=END, stdout_path="/dev/full", status=(0, 3), says="")
    yield Case("service", "child without a parent", ["{runner}", "child"], stdin=b"[" * 100_000, status=(0,), says="error")
