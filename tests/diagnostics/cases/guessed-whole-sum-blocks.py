# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A sum of loaded numbers that begins as an integer is no reason to guess that they are integers.
import triton
import triton.language as tl


@triton.jit
def of_blocks(x, out, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    total = 0
    for j in range(0, n, BLOCK):
        s = tl.load(x + j + i, mask=i + j < n, other=0.0)
        total += tl.sum(s)
#|      ^^^^^ loop-carried-type: initial type `int32` but is re-assigned to `fp32`
#|   from: it gets its first value here
#|   note: begin with `total = 0.0`
#|   fix: begin with `total = 0.0` | 0.0
    tl.store(out, total)
