#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Runs the fuzzers side by side and collects what they find.

    run_fuzzers.py BIN CORPUS OUT [--targets lexer,parser,frontend,ir] [--seconds N] [--jobs N]
    run_fuzzers.py SET.tar.xz OUT …      a packed set: bin/, corpus/, words/, and in lib/ shared objects to run with

BIN holds libFuzzer programs `fuzz_TARGET`, CORPUS a folder of inputs for each. `--jobs` processes for each target
share what they learn; a crash, hang, leak or want of memory is kept, and the others go on. In OUT: TARGET/ with the
inputs that broke something, TARGET.log, TARGET.new.tar.gz with inputs that reach new code, and summary.json. Exit
status 1: something broke.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile
import time

# With the words (words/WORDS.dict) that a fuzzer may put into its inputs.
TARGETS = {"lexer": "kernel", "parser": "kernel", "frontend": "kernel", "ir": "ir"}
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
    command = [program, f"-fork={options.jobs}", "-ignore_crashes=1", "-ignore_timeouts=1", "-ignore_ooms=1",
               f"-max_total_time={options.seconds}", f"-timeout={options.timeout}", "-rss_limit_mb=2048",
               f"-artifact_prefix={findings}/", f"-dict={words / TARGETS[target]}.dict", new, seeds]
    process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, env=environment(root, leaks))
    return process, leaks


def summarize(target, out, leaks, seconds):
    log = (out / f"{target}.log").read_text(errors="replace")
    progress = re.findall(r"#(\d+): cov: (\d+) ft: (\d+) corp: (\d+)", log)
    inputs, coverage, features, corpus = map(int, progress[-1]) if progress else (0, 0, 0, 0)
    findings = sorted(file.name for file in (out / target).iterdir())
    return {"inputs": inputs, "coverage": coverage, "features": features, "corpus": corpus, "seconds": seconds,
            "leaks looked for": leaks, "findings": findings}


def pack_new(target, out):
    """New inputs as one file."""
    new = out / f"{target}.new"
    with tarfile.open(out / f"{target}.new.tar.gz", "w:gz") as archive:
        for file in sorted(new.iterdir()):
            archive.add(file, f"{target}/{file.name}")
            file.unlink()
    new.rmdir()


def fuzz(programs, corpora, root, out, options):
    out.mkdir(parents=True, exist_ok=True)
    begin = time.monotonic()
    running = {target: start(target, programs, corpora, root, out, options) for target in options.targets.split(",")}
    summary = {}
    for target, (process, leaks) in running.items():
        process.wait()
        summary[target] = summarize(target, out, leaks, round(time.monotonic() - begin))
        pack_new(target, out)
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
