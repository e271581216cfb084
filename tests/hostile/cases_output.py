# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Output that cannot be written: a full disk, a missing folder, no reader."""

from cases_packages import WHOLE
from harness import Case
from texts import kernel

FILES = {"k.py": kernel(), "j.py": kernel(), "k.tskernel": WHOLE}

PRINTING = {
    "check": ["{tilescope}", "check", "k.py", "j.py"],
    "check, JSON": ["{tilescope}", "check", "k.py", "--json"],
    "compile": ["{tilescope}", "compile", "k.py", "--emit", "ttir"],
    "compile, JSON": ["{tilescope}", "compile", "k.py", "--emit", "ttir", "--json"],
    "compile, much": ["{tilescope}", "compile", "k.py"],
    "run": ["{tilescope}", "run", "k.py", "--on", "cpu"],
    "run, JSON": ["{tilescope}", "run", "k.py", "--on", "cpu", "--json"],
    "run, all": ["{tilescope}", "run", "k.py", "--on", "cpu", "--all-launches"],
    "help": ["{tilescope}", "--help"],
    "help of a command": ["{tilescope}", "run", "--help"],
    "version": ["{tilescope}", "--version"],
    "runner, help": ["{runner}", "--help"],
}


def executable(text):
    def write(path):
        path.write_text(text)
        path.chmod(0o755)
    return write


def cases():
    for name, command in PRINTING.items():
        yield Case("output", f"full: {name}", command, FILES, status=(3,), says="cannot write to standard output",
                   stdout_path="/dev/full")
        yield Case("output", f"closed: {name}", ["/bin/sh", "-c", 'exec "$@" >&-', "sh", *command], FILES, status=(3,),
                   says="cannot write to standard output")
    for name, words in (("package", ["package", "k.py", "-o", "/dev/full"]),
                        ("package through /dev/stdout", ["package", "k.py", "-o", "/dev/stdout"])):
        yield Case("output", f"full: {name}", ["{tilescope}", *words], FILES, says="No space left", stdout_path="/dev/full")
    yield Case("output", "package through /dev/stdout", ["{tilescope}", "package", "k.py", "-o", "/dev/stdout"], FILES,
               status=(0,), says="TSKERNEL")
    yield Case("output", "every stream closed", ["/bin/sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh", *PRINTING["run"]], FILES,
               status=(3,), says="")
    for name, value in (("missing", "{here}/none"), ("a file", "{here}/k.py"), ("a device", "/dev/null"), ("empty folder name", "/proc/none")):
        for word in ("run", "report"):
            command = PRINTING["run"] if word == "run" else ["{tilescope}", "report", "k.py", "-o", "{here}/r.html", "--on", "cpu"]
            yield Case("output", f"TMPDIR is {name}, {word}", command, FILES, env={"TMPDIR": value}, status=(3,),
                       says="no folder for temporary files")
    for name, target in (("in a missing folder", "none/k"), ("in a file", "k.py/k"), ("below /proc", "/proc/none/k"), ("empty", "")):
        yield Case("output", f"package {name}", ["{tilescope}", "package", "k.py", "-o", target], FILES, status=(1, 2, 3),
                   says="cannot write|error")
        yield Case("output", f"packages {name}", ["{tilescope}", "package", "k.py", "-o", target or "k.py", "--all-launches"],
                   FILES if name != "in a missing folder" else {**FILES, "none": "x"}, status=(1, 2, 3))
        yield Case("output", f"stages {name}", ["{tilescope}", "compile", "k.py", "--out", target or "k.py", "--emit", "ttir"],
                   FILES if name != "in a missing folder" else {**FILES, "none": "x"}, status=(1, 2, 3))
    stopped = {"k.py": kernel(), "worker": executable("#!/bin/sh\n" + 'kill -STOP $$\n')}
    yield Case("output", "worker that is stopped", ["{tilescope}", "check", "k.py", "--time-limit", "2"], stopped,
               env={"TILESCOPE_WORKER": "{here}/worker"}, status=(1, 3), seconds=45)
    for program in ("TILESCOPE_WORKER", "TILESCOPE_RUNNER"):
        command = PRINTING["run"] if program == "TILESCOPE_WORKER" else ["{tilescope}", "run", "k.py", "--on", "cuda"]
        for name, path in (("missing", "/no/such/program"), ("a folder", "/"), ("another program", "/bin/true"),
                           ("no program", "{here}/k.py")):
            yield Case("output", f"{program} is {name}", command, FILES, env={program: path}, status=(1, 3), seconds=40)
