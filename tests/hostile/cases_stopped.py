# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""A compile worker or a runner that is stopped: every command ends at its time limit."""

from harness import Case
from texts import kernel


def script(lines):
    def make(path):
        path.write_text("#!/bin/sh\n" + lines + "\n")
        path.chmod(0o700)
    return make


# A program that never says a word.
SILENT = script("kill -STOP $$")
# Greets as a worker does, and is stopped then: the worker that greets ends, since its input has.
GREETS = script('"$REAL_WORKER" "$@" </dev/null; kill -STOP $$')

COMMANDS = {
    "check": ["check", "k.py"],
    "compile": ["compile", "k.py", "--emit", "ttir"],
    "compile of all": ["compile", "k.py", "--all-launches", "--out", "{out}"],
    "package": ["package", "k.py", "-o", "{out}"],
    "run": ["run", "k.py", "--on", "cpu"],
    "profile": ["profile", "k.py", "--on", "cuda", "--target", "cuda:90"],
    "report": ["report", "k.py", "-o", "{out}.html", "--on", "cpu"],
}
# The page tells why nothing was measured.
ON_GPU = {"run": (3,), "profile": (3,), "report": (0,)}


def case(name, words, program, made, **more):
    env = {program: "{here}/program", "REAL_WORKER": "{tilescope}-worker"}
    # The time of a worker that cannot start is five seconds at least, and so is a runner's silence.
    return Case("stopped", name, ["{tilescope}", *words, "--time-limit", "1"], {"k.py": kernel(), "program": made, "out/x": ""},
                env=env, seconds=20, **more)


def cases():
    for name, words in COMMANDS.items():
        words = [word.replace("{out}", "{here}/out/y") for word in words]
        yield case(f"{name}, worker that starts", words, "TILESCOPE_WORKER", SILENT, status=(3,), says="does not answer")
        yield case(f"{name}, worker that has started", words, "TILESCOPE_WORKER", GREETS, says="took too long")
        if name in ON_GPU:
            far = [word for word in words if word not in ("--on", "cpu", "cuda", "--target", "cuda:90")]
            yield case(f"{name}, runner", [*far, "--on", "cuda", "--target", "cuda:90"], "TILESCOPE_RUNNER", SILENT,
                       status=ON_GPU[name], says="said nothing for" if name != "report" else "")
