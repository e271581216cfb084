# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Differences that are understood. docs/conformance.md explains each; nothing else may differ.

A case that matches and agrees nevertheless is reported too, so that the list does not outlive its reasons.
"""

import re

# Where -> (cases, reason).
KNOWN = {
    "interpreter": [],
    "native": [],
    "emulator": [
        ("(libdevice_)?(sin|cos|tan|lgamma|tgamma)_fp64_.*|control_noinline", "the emulator has no calls of functions"),
        ("(libdevice_)?(sin|cos|tan)_fp32_.*", "the emulator has no sums with carry, which large arguments need"),
        ("where_pointers", "the emulator has no addresses of parameters"),
    ],
    "ttir": [],
}


def known_reason(where, name):
    """Why the case may differ there; empty: it may not."""
    for pattern, reason in KNOWN[where]:
        if re.fullmatch(pattern, name):
            return reason
    return ""
