# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A number of elements given as a mask, by another name.
import triton
import triton.language as tl


@triton.jit
def renamed(x, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    m = n
    tl.store(x + i, 1.0, mask=m)
#|                            ^ type-mismatch: `m` is a number: a mask says for each element whether it counts: `mask=i < m`
#|   fix: write `i < m` | i < m
