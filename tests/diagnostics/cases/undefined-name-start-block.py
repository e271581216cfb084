# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# What `+=` and its like need to begin with.
import triton
import triton.language as tl


@triton.jit
def blocks(x, out, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    for j in range(0, n, BLOCK):
        if j > 2:
            acc += tl.load(x + j + i, mask=i + j < n, other=0.0)
#|          ^^^ undefined-name: `acc` has no value before the loop: `acc = tl.zeros([BLOCK], dtype=tl.float32)`
#|   fix: begin with `acc = tl.zeros([BLOCK], dtype=tl.float32)`
