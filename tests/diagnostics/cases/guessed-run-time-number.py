# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A number that is passed when the kernel is launched: no guess makes a constexpr of it, which would hide
# what is wrong with the lines below.
import triton
import triton.language as tl


@triton.jit
def k(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    m = round(n)
#|            ^ not-constexpr: Python's `round` runs at compile time and needs constexprs, got int32
#|   note: `n` is a whole number already
#|   fix: write `n` | n
    a = tl.load(x_ptr + i, mask=i < n)
    if n > 3 and a > 2:
#|     ^^^^^^^^^^^^^^^ ambiguous-condition: answers at once
#|   note: `tl.where((n > 3) & (a > 2), a, b)`
#|   fix: write `a = tl.where((n > 3) & (a > 2), a + 1, a)` | a = tl.where((n > 3) & (a > 2), a + 1, a)
        a = a + 1
    tl.store(y_ptr + i, a, mask=i < n)
