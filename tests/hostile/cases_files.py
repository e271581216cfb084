# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Files that are none, are too large or are not text, given to every command."""

import json
import os
import socket

from harness import Case
from texts import kernel, ttir


def sparse(path):
    with open(path, "wb") as file:
        file.truncate(1 << 40)


def unix_socket(path):
    server = socket.socket(socket.AF_UNIX)
    here = os.getcwd()
    server.bind(str(path)) if len(str(path)) < 100 else os.mkfifo(path)
    server.close()


ODD = {
    "pipe": (os.mkfifo, "pipe"),
    "device": (lambda path: os.symlink("/dev/zero", path), "device"),
    "full device": (lambda path: os.symlink("/dev/full", path), "device"),
    "terminal": (lambda path: os.symlink("/dev/tty", path), "device|No such device"),
    "socket": (unix_socket, "socket|No such device|pipe"),
    "loop of links": (lambda path: os.symlink(path.name, path), "symbolic links|no file"),
    "link to nothing": (lambda path: os.symlink("none", path), "No such file|no file"),
    "sparse terabyte": (sparse, "larger than"),
    "endless of /proc": (lambda path: os.symlink("/proc/self/mem", path), "cannot read|Input/output"),
}

ENCODINGS = {
    "UTF-16": (kernel().encode("utf-16"), "UTF-16"),
    "UTF-16, big": (b"\xfe\xff" + kernel().encode("utf-16-be"), "UTF-16"),
    "UTF-16 without mark": (kernel().encode("utf-16-le"), "zero"),
    "UTF-32": (kernel().encode("utf-32"), "UTF-16|zero"),
    "zero bytes": (kernel().encode() + b"\0" * 100, "zero"),
    "all bytes": (bytes(range(256)) * 10, "zero"),
    "Latin-1": ((kernel() + "# café\n").encode("latin-1"), "encoding|UTF-8"),
    "only a mark": (b"\xff\xfe", "UTF-16"),
}

COMMANDS = {
    "check": ["{tilescope}", "check", "{file}"],
    "compile": ["{tilescope}", "compile", "{file}", "--out", "{out}"],
    "package": ["{tilescope}", "package", "{file}", "-o", "{out}"],
    "run": ["{tilescope}", "run", "{file}", "--on", "cpu"],
    "report": ["{tilescope}", "report", "{file}", "-o", "{here}/r.html", "--on", "cpu"],
}


# Those that take --json.
WITH_JSON = {
    "check": ["{tilescope}", "check"],
    "compile": ["{tilescope}", "compile"],
    "run": ["{tilescope}", "run", "--on", "cpu"],
    "profile": ["{tilescope}", "profile", "--on", "cuda", "--target", "cuda:90"],
}


def prints_document(ending):
    try:
        document = json.loads(ending.stdout)
    except ValueError as fault:
        raise AssertionError(f"no document: {fault}") from fault
    assert document["ok"] is False, "the document says that all is well"
    messages = document.get("error") or document.get("diagnostics") or \
        [file.get("unreadable") or file.get("diagnostics") for file in document["files"]][0]
    assert messages, "the document does not say what is wrong"


def json_cases():
    whole = {**{name: make for name, (make, _) in ODD.items()}, **{name: text for name, (text, _) in ENCODINGS.items()},
             "empty folder": os.mkdir}
    for name, content in whole.items():
        for word, words in WITH_JSON.items():
            for file in ("k.py", "k.ttir"):
                yield Case("files", f"{name}, {word} --json {file}", [*words, file, "--json"], {file: content}, check=prints_document)


def command_for(words, file):
    return [word.replace("{file}", file) for word in words]


def cases():
    yield from json_cases()
    for name, (make, says) in ODD.items():
        for word, words in COMMANDS.items():
            yield Case("files", f"{name}, {word}", command_for(words, "k.py"), {"k.py": make}, says=says)
        yield Case("files", f"{name}, runner", ["{runner}", "run", "k.tskernel"], {"k.tskernel": make}, says=says)
        yield Case("files", f"{name}, IR", command_for(COMMANDS["compile"], "k.ttir"), {"k.ttir": make}, says=says)
    for word, words in COMMANDS.items():
        yield Case("files", f"missing, {word}", command_for(words, "none.py"), says="No such file|no file")
    for word in ("compile", "package", "run", "report"):
        yield Case("files", f"empty folder, {word}", command_for(COMMANDS[word], "d"), {"d": os.mkdir})
    yield Case("files", "empty folder, check", command_for(COMMANDS["check"], "d"), {"d": os.mkdir}, says="no kernel files")
    yield Case("files", "folder, runner", ["{runner}", "run", "d"], {"d": os.mkdir}, says="is a folder")
    for name, (content, says) in ENCODINGS.items():
        for word in ("check", "run", "report"):
            # A report tells what is wrong with a file whose text can be shown.
            where = {"out/x": ""} if word == "report" else {}
            words = [part.replace("{here}/r", "{here}/out/r") for part in COMMANDS[word]]
            yield Case("files", f"{name}, {word}", command_for(words, "k.py"), {"k.py": content, **where}, says=says)
    for ending, text in ((".ttir", ttir()), (".ll", "define void @k() {\n ret void\n}\n"), (".ptx", ".version 8.0\n")):
        yield Case("files", f"Latin-1 in {ending}", ["{tilescope}", "compile", "k" + ending],
                   {"k" + ending: (text + "// café").encode("latin-1")}, says="not UTF-8")
        yield Case("files", f"UTF-16 in {ending}", ["{tilescope}", "compile", "k" + ending],
                   {"k" + ending: text.encode("utf-16")}, says="UTF-16")
        yield Case("files", f"zero bytes in {ending}", ["{tilescope}", "compile", "k" + ending],
                   {"k" + ending: text.encode() + b"\0"}, says="zero")
    yield Case("files", "mark of UTF-8", command_for(COMMANDS["check"], "k.py"), {"k.py": b"\xef\xbb\xbf" + kernel().encode()},
               status=(0, 1), says="")
    yield Case("files", "empty", command_for(COMMANDS["check"], "k.py"), {"k.py": ""}, status=(0, 1), says="")
    yield Case("files", "unknown ending", command_for(COMMANDS["check"], "k.exe"), {"k.exe": "MZ"}, says="known kind")
    yield Case("files", "no ending", command_for(COMMANDS["compile"], "k"), {"k": "x"}, says="known kind")
    yield Case("files", "folder with odd files", command_for(COMMANDS["check"], "d"),
               {"d/a.py": kernel(), "d/b.py": os.mkfifo, "d/c.py": lambda path: os.symlink("/dev/zero", path),
                "d/e.py": lambda path: os.symlink("e.py", path), "d/up": lambda path: os.symlink("..", path)},
               status=(0,), says="")
    for name, content in (("pipe", os.mkfifo), ("deep JSON", "[" * 1_000_000), ("wrong types", '{"num_warps": "x", "target": 5}'),
                          ("huge numbers", '{"num_warps": 1e300, "shared": -1, "target": {"arch": 1e300}}'),
                          ("device", lambda path: os.symlink("/dev/zero", path)), ("zero bytes", b"\0" * 1000),
                          ("null", "null"), ("sparse terabyte", sparse)):
        yield Case("files", f"metadata: {name}", ["{tilescope}", "compile", "k.ttir", "--emit", "ttgir"],
                   {"k.ttir": ttir(), "k.json": content}, status=(0, 1), says="")
    yield Case("files", "imported module is a pipe", command_for(COMMANDS["check"], "k.py"),
               {"k.py": "from helpers import f\n" + kernel(), "helpers.py": os.mkfifo}, status=(0, 1), says="")
    yield Case("files", "importing file is a pipe", command_for(COMMANDS["check"], "k.py"),
               {"k.py": kernel(), "other.py": os.mkfifo}, status=(0, 1), says="")
