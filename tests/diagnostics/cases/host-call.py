# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A kernel that host code calls like a function.
import numpy as np
import triton
import triton.language as tl


@triton.jit
def doubled(v):
    return 2 * v


@triton.jit
def scale(x, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n)
    tl.store(x + i, doubled(v), mask=i < n)


def main():
    x = np.arange(1000.0)
    print(scale(x, len(x), 128))
#|        ^^^^^ bad-call: `scale` is a kernel: its launch says in brackets how many programs run it, `scale[grid](…)`
#|   note: a grid is a tuple of up to three numbers, such as `(triton.cdiv(n, BLOCK),)`
#|   note: a kernel returns nothing: the results are in the arrays that it stores to
    scale[(8,)](x, len(x), 128)


def other(scale):
    return scale(3)
