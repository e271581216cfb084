# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# The only function of a file is meant as a kernel, although it returns a value.
import triton
import triton.language as tl


@triton.jit
def add(x, y):
    out = x[0] + y[0]
#|        ^^^^ bad-argument: `x` is a pointer and cannot be indexed
#|               ^^^^ bad-argument: `y` is a pointer and cannot be indexed
    return out
#|  ^^^^^^^^^^ return-type: `add` returns a value, but a kernel returns nothing
