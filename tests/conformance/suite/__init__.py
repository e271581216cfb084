# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""The conformance table: every function of the kernel language with types, shapes and edge values."""

from . import (arithmetic, atomics, casts, control, descriptors, functions, generated, library, memory, products,
               reductions, regions, shapes)

TABLES = [control, arithmetic, casts, functions, library, generated, reductions, regions, shapes, memory, descriptors,
          atomics, products]


def all_cases():
    cases = [case for table in TABLES for case in table.cases()]
    names = [case.name for case in cases]
    assert len(set(names)) == len(names), "two cases share a name"
    return cases
