# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Items of a kernel's argument are elements of an array: no launch of a beginner passes a tuple.
import triton
import triton.language as tl


@triton.jit
def add(x, y, out):
    tl.store(out, x[0] + y[7])
#|                ^^^^ bad-argument: `x` is a pointer and cannot be indexed: load its elements with `tl.load(x)`
#|   fix: write `tl.load(x)`
#|                       ^^^^ bad-argument: `y` is a pointer and cannot be indexed: load its elements with `tl.load(y + 7)`
#|   fix: write `tl.load(y + 7)`
