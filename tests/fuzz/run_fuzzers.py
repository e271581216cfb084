#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Runs the fuzzers side by side and collects what they find.

    run_fuzzers.py BIN CORPUS OUT [--targets lexer,parser,…] [--seconds N] [--jobs N]
    run_fuzzers.py SET.tar.xz OUT …      a packed set: bin/, corpus/, words/, and in lib/ shared objects to run with

BIN holds libFuzzer programs `fuzz_TARGET`, CORPUS a folder of inputs for each. `--jobs` processes for each target
share what they learn; a crash, hang, leak or want of memory is kept, and the others go on. In OUT: summary.json;
findings.tar.gz with the inputs that broke something, what the program said of each (INPUT.txt) and the fuzzers' logs;
TARGET.new.tar.gz with inputs that reach new code. Exit status 1: something broke.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

# With the words (words/WORDS.dict) that a fuzzer may put into its inputs; messages have none.
TARGETS = {"lexer": "kernel", "parser": "kernel", "frontend": "kernel", "ir": "ir", "pipeline": "ir",
           "interpreter": "ir", "llvm": "llvm", "ptx": "ptx", "codec": None, "frames": "data", "launch_block": "data",
           "export": "data", "measurement": "data", "model": "data", "ncu_report": "data", "npy": "data", "package": "data", "recording": "data", "session": "data"}
WORDS = pathlib.Path(__file__).resolve().parent / "words"
# LLVM's libraries are not instrumented, so marks that its allocators leave in headers would contradict each other.
ASAN = "allow_user_poisoning=0:detect_odr_violation=0"


def environment(root, leaks):
    found = {**os.environ, "ASAN_OPTIONS": f"{ASAN}:detect_leaks={int(leaks)}"}
    if (root / "lib").is_dir():
        found["LD_LIBRARY_PATH"] = str(root / "lib")
    return found


def can_find_leaks(program, seeds, root):
    """Whether this machine lets a process look through its own memory."""
    seed = next(seeds.iterdir())
    done = subprocess.run([program, seed], env=environment(root, True), capture_output=True, text=True)
    if "LeakSanitizer has encountered a fatal error" in done.stderr:
        return False
    if done.returncode:
        print(f"{program.name} {seed}: exit status {done.returncode}\n{done.stderr[-2000:]}", flush=True)
    return True


def start(target, programs, corpora, root, out, options):
    program, seeds = programs / f"fuzz_{target}", corpora / target
    findings, new = out / target, out / f"{target}.new"
    findings.mkdir(parents=True, exist_ok=True)
    new.mkdir(exist_ok=True)
    leaks = can_find_leaks(program, seeds, root)
    words = root / "words" if (root / "words").is_dir() else WORDS
    log = (out / f"{target}.log").open("w")
    dictionary = [f"-dict={words / TARGETS[target]}.dict"] if TARGETS[target] else []
    command = [program, f"-fork={options.jobs}", "-ignore_crashes=1", "-ignore_timeouts=1", "-ignore_ooms=1",
               f"-max_total_time={options.seconds}", f"-timeout={options.timeout}", "-rss_limit_mb=2048",
               f"-artifact_prefix={findings}/", *dictionary, new, seeds]
    process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, env=environment(root, leaks),
                               start_new_session=True)
    return process, leaks


def summarize(target, out, leaks, seconds):
    log = (out / f"{target}.log").read_text(errors="replace")
    progress = re.findall(r"#(\d+): cov: (\d+) ft: (\d+) corp: (\d+)", log)
    inputs, coverage, features, corpus = map(int, progress[-1]) if progress else (0, 0, 0, 0)
    findings = sorted(file.name for file in (out / target).iterdir())
    return {"inputs": inputs, "coverage": coverage, "features": features, "corpus": corpus, "seconds": seconds,
            "leaks looked for": leaks, "findings": findings}


def wait(process, deadline):
    """Until the fuzzer ends, at the latest at the deadline: a job that hangs must not hold up the others."""
    try:
        process.wait(max(1, deadline - time.monotonic()))
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def explain(finding, program, root, leaks):
    """Runs what broke something once more, alone, and keeps what is said."""
    try:
        done = subprocess.run([program, "-timeout=20", finding], env=environment(root, leaks), capture_output=True,
                              text=True, errors="replace", timeout=30)
        said = f"exit status {done.returncode}\n{done.stderr[-20000:]}"
    except subprocess.TimeoutExpired:
        said = "it takes more than 30 seconds"
    finding.with_suffix(".txt").write_text(said)


def pack(archive_path, *paths):
    """One file of several, which are gone after that."""
    with tarfile.open(archive_path, "w:gz") as archive:
        for path in paths:
            archive.add(path, path.name)
    for path in paths:
        shutil.rmtree(path) if path.is_dir() else path.unlink()


def fuzz(programs, corpora, root, out, options):
    out.mkdir(parents=True, exist_ok=True)
    begin = time.monotonic()
    running = {target: start(target, programs, corpora, root, out, options) for target in options.targets.split(",")}
    summary = {}
    for target, (process, leaks) in running.items():
        wait(process, begin + options.seconds + 20)
        summary[target] = summarize(target, out, leaks, round(time.monotonic() - begin))
        with ThreadPoolExecutor(options.jobs) as pool:
            for finding in sorted((out / target).iterdir())[:30]:
                pool.submit(explain, finding, programs / f"fuzz_{target}", root, leaks)
        pack(out / f"{target}.new.tar.gz", out / f"{target}.new")
    pack(out / "findings.tar.gz", *(out / name for target in running for name in (target, f"{target}.log")))
    (out / "summary.json").write_text(json.dumps(summary, indent=1))
    for target, facts in summary.items():
        print(f"{target}: {facts}")
    return 1 if any(facts["findings"] for facts in summary.values()) else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("paths", nargs="+", type=pathlib.Path, metavar="BIN CORPUS OUT | SET OUT")
    parser.add_argument("--targets", default=",".join(TARGETS))
    parser.add_argument("--seconds", type=int, default=3600)
    parser.add_argument("--jobs", type=int, default=4, help="processes for each target")
    parser.add_argument("--timeout", type=int, default=10, help="seconds after which an input counts as a hang")
    options = parser.parse_args()
    if len(options.paths) == 3:
        programs, corpora, out = options.paths
        return fuzz(programs, corpora, programs.parent, out, options)
    packed, out = options.paths
    with tempfile.TemporaryDirectory() as temporary:
        with tarfile.open(packed) as archive:
            archive.extractall(temporary)
        root = pathlib.Path(temporary)
        return fuzz(root / "bin", root / "corpus", root, out, options)


if __name__ == "__main__":
    sys.exit(main())
