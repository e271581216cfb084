# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Checks many cases side by side and reports those that fail."""

import concurrent.futures
import os


def run_cases(cases, check, describe):
    """Returns the exit status: 0 if `check(case)` returns nothing for every case, 1 otherwise.

    `check` returns what is wrong; `describe(case)` names the case in the report.
    """
    everything = list(cases)
    failures = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for case, problem in zip(everything, pool.map(check, everything)):
            if problem:
                failures += 1
                print(f"{describe(case)}: {problem}")
    print(f"{len(everything) - failures} passed, {failures} failed")
    return 1 if failures else 0
