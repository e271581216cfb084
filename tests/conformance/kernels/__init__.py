# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Kernels of our own as public repositories write them, each with a reference in NumPy.

What the kernels of tests/bench/kernels are for speed, these are for results: small, many, and of many kinds.
"""

from . import attention, elementwise, fields, losses, matrices, norms, places, scans

TABLES = [norms, losses, attention, elementwise, matrices, scans, fields, places]


def all_kernels():
    cases = [case for table in TABLES for case in table.cases()]
    names = [case.name for case in cases]
    assert len(set(names)) == len(names), "two kernels share a name"
    return cases
