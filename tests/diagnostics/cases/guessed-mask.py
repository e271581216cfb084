# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A number of elements given as a mask: no guess makes a truth value of it.
import triton
import triton.language as tl


@triton.jit
def third_argument(x, n, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + i, i < n, 0)
    tl.store(x + i, v + 1, mask=n)
#|                              ^ type-mismatch: `n` is a number: a mask says for each element whether it counts: `mask=i < n`
#|   fix: write `i < n` | i < n
