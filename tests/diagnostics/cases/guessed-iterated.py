# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# An argument that a loop goes through is an array.
import triton
import triton.language as tl


@triton.jit
def rowsum(a, res):
    s = 0.0
    for v in a:
#|           ^ unsupported-syntax: a `for` loop of a kernel counts: behind `in` is `range`
#|   note: `a` is a pointer: `tl.load(a + tl.arange(0, BLOCK), mask=tl.arange(0, BLOCK) < n)` loads a block of what it points to
#|   note: `n` is the number of elements: pass it as an argument
#|   note: `BLOCK` is how many numbers a block holds
        s += v
    tl.store(res, s)
