#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Every hostile input ends in a clear error: hostile_test.py TILESCOPE RUNNER [--only REGEX] [--every N] [--jobs N] [--slowest N]

Runs the inputs of the tables beside this file through the command line and the runner. An input ends well when the
program ends by itself within its time and memory, with the exit status and the words that it should have, has written
nothing outside the output folder, left no temporary file, and printed nothing that a terminal obeys.
"""

import argparse
import collections
import concurrent.futures
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.dont_write_bytecode = True
import harness  # noqa: E402
import cases_exports  # noqa: E402
import cases_files  # noqa: E402
import cases_ir  # noqa: E402
import cases_kernels  # noqa: E402
import cases_launch  # noqa: E402
import cases_model_packages  # noqa: E402
import cases_models  # noqa: E402
import cases_names  # noqa: E402
import cases_npy  # noqa: E402
import cases_options  # noqa: E402
import cases_output  # noqa: E402
import cases_packages  # noqa: E402
import cases_recordings  # noqa: E402
import cases_reports  # noqa: E402
import cases_service  # noqa: E402
import cases_stopped  # noqa: E402
import cases_sweeps  # noqa: E402

TABLES = (cases_launch, cases_names, cases_files, cases_packages, cases_service, cases_npy, cases_options, cases_output,
          cases_exports, cases_ir, cases_kernels, cases_model_packages, cases_models, cases_recordings, cases_reports, cases_stopped, cases_sweeps)


def all_cases():
    cases = [case for table in TABLES for case in table.cases()]
    twice = [title for title, count in collections.Counter(case.title for case in cases).items() if count > 1]
    assert not twice, twice
    return cases


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("tilescope")
    parser.add_argument("runner")
    parser.add_argument("--only", default="", help="titles that match")
    parser.add_argument("--every", type=int, default=1, help="only every Nth case")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--slowest", type=int, default=0, help="print this many of the slowest")
    parser.add_argument("--verbose", action="store_true", help="print what every program said")
    options = parser.parse_args()
    programs = {"tilescope": str(pathlib.Path(options.tilescope).resolve()),
                "runner": str(pathlib.Path(options.runner).resolve())}
    throws = not harness.sanitizers.is_sanitized(programs["tilescope"])
    cases = [case for case in all_cases() if re.search(options.only, case.title) and (throws or not case.wants_memory)]
    cases = cases[::options.every]
    numbers, well, times = collections.Counter(), collections.Counter(), []
    with tempfile.TemporaryDirectory(prefix="hostile-") as root, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        endings = pool.map(lambda case: harness.run(case, programs, pathlib.Path(root)), cases)
        for case, (faults, text, seconds) in zip(cases, endings):
            numbers[case.klass] += 1
            well[case.klass] += not faults
            times.append((seconds, case.title))
            if faults or options.verbose:
                print(f"{'BAD ' if faults else 'well'} {case.title} ({seconds:.1f} s): {'; '.join(faults)}")
                print("".join(f"    | {line[:200]}\n" for line in text.strip().splitlines()[:12]), end="", flush=True)
    for seconds, title in sorted(times, reverse=True)[:options.slowest]:
        print(f"{seconds:6.1f} s  {title}")
    for klass in numbers:
        print(f"{klass:10} {well[klass]:4} of {numbers[klass]:4} ended well")
    print(f"all: {sum(well.values())} of {len(cases)} ended well")
    return 0 if cases and sum(well.values()) == len(cases) else 1


if __name__ == "__main__":
    sys.exit(main())
