# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""One hostile input: a command in its own folder, and what it must end in."""

import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import sanitizers  # noqa: E402

# What a program that lost control says, and what is said of a worker that did: its input is to be told what is wrong
# with it.
LOST = re.compile(
    r"terminate called|Assertion `|Sanitizer|runtime error:|core dumped|broken promise"
    r"|stage-crashed|compiler crashed|crashed in|gave up|ended by signal|basic_string|vector::|map::at|bad_alloc|std::"
    # The assembler's words for what we wrote.
    r"|Parsing error near|Unexpected non-ASCII", re.I)
# Bytes that a terminal obeys: everything below 0x20 but tab and line break, DEL, and C1 in UTF-8.
OBEYED = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xaa-\xae]")


@dataclass
class Case:
    """`command` and `env` may hold {tilescope}, {runner}, {here} (the case's folder) and {out} (the only place that may
    be written to). `files` maps names in the folder to bytes, text or a function that makes the file at a path."""

    klass: str
    name: str
    command: list
    files: dict = field(default_factory=dict)
    stdin: bytes = b""
    # The other end of standard input stays open until the program ends.
    holds_stdin: bool = False
    status: tuple = (1,)
    says: str = "error"
    stdout_path: str = ""
    env: dict = field(default_factory=dict)
    seconds: float = 20
    address_space_mib: int = 8192
    terminal: bool = True
    # Its end begins with an exception for want of memory, in whose place a sanitizer ends the program.
    wants_memory: bool = False
    check: object = None

    @property
    def title(self):
        return f"{self.klass}/{self.name}"


@dataclass
class Ending:
    status: int
    stdout: bytes
    stderr: bytes
    seconds: float
    here: pathlib.Path
    out: pathlib.Path


def make(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    if callable(content):
        content(path)
    else:
        path.write_bytes(content.encode() if isinstance(content, str) else content)


def listing(folder):
    """Every entry below a folder, links not followed, with what would show a change."""
    found = {}
    for parent, folders, files in os.walk(folder):
        for name in folders + files:
            path = os.path.join(parent, name)
            facts = os.lstat(path)
            changes = () if name in folders else (facts.st_size, facts.st_mtime_ns, facts.st_ino)
            found[os.path.relpath(path, folder)] = (facts.st_mode, changes)
    return found


def hold_stdin(process, data):
    """Feeds a program without telling it that this is all; returns the files to close when it has ended."""
    pipe, process.stdin = process.stdin, None
    raw = pipe.detach()

    def feed():
        rest = memoryview(data)
        try:
            while rest:
                rest = rest[raw.write(rest):]
        except OSError:
            pass  # It ended before it had read all.

    threading.Thread(target=feed, daemon=True).start()
    return raw


def limited(case, program):
    """The shell's limits for a case, and the environment that replaces the one of memory where a sanitizer forbids it."""
    if sanitizers.is_sanitized(program):
        return "ulimit -c 0", sanitizers.environment(os.environ, case.address_space_mib)
    return f"ulimit -c 0; ulimit -v {case.address_space_mib * 1024}", {}


def run(case, programs, root):
    # Short, so that a socket's path fits.
    here = pathlib.Path(tempfile.mkdtemp(dir=root))
    out, scratch = here / "out", here / "tmp"
    scratch.mkdir()
    for name, content in case.files.items():
        make(here / name, content)
    before = listing(here)
    places = {**programs, "here": str(here), "out": str(out)}
    fill = lambda text: re.sub(r"\{(\w+)\}", lambda m: places.get(m[1], m[0]), text)
    env = {**os.environ, "TMPDIR": str(scratch), "XDG_CACHE_HOME": str(scratch / "cache"), "QT_QPA_PLATFORM": "offscreen",
           **{name: fill(value) for name, value in case.env.items()}}
    limits, options = limited(case, programs["tilescope"])
    env |= options
    seconds = case.seconds * sanitizers.patience(programs["tilescope"])
    command = ["/bin/bash", "-c", f"{limits}; exec \"$@\"", "bash", *(fill(part) if isinstance(part, str) else part for part in case.command)]
    stdout = open(case.stdout_path, "wb") if case.stdout_path else subprocess.PIPE
    start = time.monotonic()
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=stdout, stderr=subprocess.PIPE, cwd=here, env=env,
                               start_new_session=True)
    held = hold_stdin(process, case.stdin) if case.holds_stdin else None
    try:
        said, complained = process.communicate(case.stdin if held is None else None, timeout=seconds)
        status = process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        said, complained = process.communicate()
        status = None
    if held is not None:
        held.close()
    ending = Ending(status, said or b"", complained or b"", time.monotonic() - start, here, out)
    return judge(case, ending, before, seconds)


def judge(case, ending, before, seconds):
    """What did not end well, in words; empty when all did."""
    text = (ending.stdout + b"\n" + ending.stderr).decode(errors="replace")
    faults = []
    if ending.status is None:
        faults.append(f"no end within {seconds:g} s")
    elif ending.status < 0 or ending.status > 128:
        faults.append(f"ended by a signal ({ending.status})")
    elif ending.status not in case.status:
        faults.append(f"exit status {ending.status}, expected {case.status}")
    if lost := LOST.search(text):
        faults.append(f"says {lost[0]!r}")
    if not re.search(case.says, text, re.I | re.S):
        faults.append(f"does not say {case.says!r}")
    if case.terminal and (obeyed := OBEYED.search(ending.stderr)):
        faults.append(f"prints {obeyed[0]!r}")
    after = listing(ending.here)
    for name in sorted(before.keys() | after.keys()):
        if name != "out" and not name.startswith(("out/", "tmp/cache")) and before.get(name) != after.get(name):
            faults.append(f"touched {name}")
    if not faults and case.check:
        try:
            case.check(ending)
        except AssertionError as fault:
            faults.append(f"check: {fault}")
    return faults, text, ending.seconds
