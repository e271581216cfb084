# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Reads a launch block independently of the program under test."""

import re
import tomllib

BLOCK = re.compile(r"^# /// tilescope\n((?:#(?: .*)?\n)+?)# ///$", re.MULTILINE)


def names(sizes):
    return dict(
        sizes,
        cdiv=lambda a, b: -(-a // b),
        next_power_of_2=lambda n: 1 << max(n - 1, 0).bit_length(),
        min=min,
        max=max,
    )


def evaluate(value, scope):
    return eval(value, {"__builtins__": {}}, scope) if isinstance(value, str) else value


def read(path, overrides=None):
    """The block's scalar arguments by name, with the sizes replaced by `overrides`."""
    text = BLOCK.search(path.read_text()).group(1)
    block = tomllib.loads("\n".join(line[2:] for line in text.splitlines()))
    scope = names({**block.get("sizes", {}), **(overrides or {})})
    return {
        name: evaluate(value, scope)
        for name, value in block["args"].items()
        if not isinstance(value, dict)
    }
