# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Conditions of blocks, joined as those of single numbers are.
import triton
import triton.language as tl


#| set constexpr B=16
@triton.jit
def k(x_ptr, y_ptr, n, m, B: tl.constexpr):
    i = tl.arange(0, B)
    both = i < n and i < m
#|         ^^^^^^^^^^^^^^^ deprecated: Triton warns of `and` between blocks and takes it as `&`: write `(a) & (b)`
#|   fix: write `(i < n) & (i < m)` | (i < n) & (i < m)
    either = i < n or i < m
#|           ^^^^^^^^^^^^^^ deprecated: Triton warns of `or` between blocks and takes it as `|`: write `(a) | (b)`
#|   fix: write `(i < n) | (i < m)` | (i < n) | (i < m)
    # Of single numbers nothing is said.
    if n > 0 and m > 0:
        tl.store(y_ptr + i, tl.load(x_ptr + i, mask=both & either, other=0.0), mask=both)
