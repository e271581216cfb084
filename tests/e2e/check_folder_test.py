#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""`tilescope check` over a folder of generated files: check_folder_test.py TILESCOPE [--files N] [--jobs N]

With `--files 1000` it is the benchmark behind docs/performance.md: it prints kernels per second.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support" / "kernels"))
import write_corpus  # noqa: E402


def run(*command):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=600)


def expect(condition, what):
    if not condition:
        print(f"FAILED: {what}")
        sys.exit(1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tilescope")
    parser.add_argument("--files", type=int, default=60)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        facts = write_corpus.write(folder, options.files, seed=1)
        (folder / ".hidden").mkdir()
        (folder / ".hidden" / "broken.py").write_text("def (")
        (folder / "notes.txt").write_text("no input")
        check = [options.tilescope, "check", folder, "--jobs", options.jobs]

        start = time.monotonic()
        done = run(*check, "--json")
        seconds = time.monotonic() - start
        report = json.loads(done.stdout)
        total = report["total"]
        expect(done.returncode == 1 and not report["ok"], "a folder with faults has exit status 1")
        expect(total["files"] == options.files, f"{options.files} files, reported {total['files']}")
        expect(total["kernels"] == facts["kernels"], f"{facts['kernels']} kernels, reported {total['kernels']}")
        for file in report["files"]:
            if not file["ok"]:
                continue
            expect(not [d for d in file["diagnostics"] if d["severity"] == "error"], f"{file['file']} is ok")
        faulty = [file for file in report["files"] if not file["ok"]]
        names = [(file["file"], file["diagnostics"][0]["message"]) for file in faulty]
        expect(total["failed_files"] == len(faulty) == facts["faulty"], f"{facts['faulty']} faulty files: {names}")
        expect(total["failed_kernels"] == facts["faulty"], "one failed kernel in each faulty file")
        paths = [file["file"] for file in report["files"]]
        expect(paths == sorted(paths), "files are in order")

        text = run(*check)
        expect(text.returncode == 1, "the text form has the same exit status")
        lines = text.stdout.splitlines()
        expect(len(lines) == options.files + 1, "one line for each file and one in total")
        expect(f"{options.files} files ({facts['faulty']} failed)" in lines[-1], lines[-1])
        expect("checked" not in text.stderr, "no progress where standard error is not a terminal")
        for file in faulty:
            first = next(d for d in file["diagnostics"] if d["severity"] == "error")
            expect(f"{file['file']}:{first['line']}:{first['column']}: error:" in text.stderr, "errors have places")

        # Without the faulty files everything is well, and one file alone says nothing.
        good = [file["file"] for file in report["files"] if file["ok"]]
        expect(run(options.tilescope, "check", *good[:5]).returncode == 0, "good files have exit status 0")
        alone = run(options.tilescope, "check", good[0])
        expect(alone.returncode == 0 and alone.stdout == "", "one good file: nothing to say")
        expect(run(options.tilescope, "check", folder / "missing").returncode == 1, "a missing folder is an error")
    rate = facts["kernels"] / seconds
    print(f"{options.files} files, {facts['kernels']} kernels in {seconds:.2f} s: {rate:.0f} kernels a second")


if __name__ == "__main__":
    main()
