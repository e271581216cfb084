# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Arrays that are added like numbers, and nothing stored.
import triton
import triton.language as tl


@triton.jit
def add(x, y, out):
    out = x + y
#|        ^^^^^ type-mismatch: cannot add pointers together: `tl.load` reads what they point to
