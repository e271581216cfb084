# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Python's `round` of a block: one error, which says what to write.
import triton
import triton.language as tl


#| set constexpr B=16
@triton.jit
def k(x_ptr, y_ptr, n, B: tl.constexpr):
    i = tl.arange(0, B)
    x = tl.load(x_ptr + i, mask=i < n)
    y = round(x * 2)
#|            ^^^^^ not-constexpr: Python's `round` runs at compile time and needs constexprs, got fp32[16]
#|   note: `tl.floor((x * 2) + 0.5)` is the nearest whole number, and of halves the one above
#|   fix: write `tl.floor((x * 2) + 0.5)` | tl.floor((x * 2) + 0.5)
    tl.store(y_ptr + i, y, mask=i < n)
