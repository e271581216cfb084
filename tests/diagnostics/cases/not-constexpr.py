# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


#| set constexpr B=16
@triton.jit
def k(x_ptr, y_ptr, n, B: tl.constexpr):
    i = tl.arange(0, B)
    m = i < n
    x = tl.load(x_ptr + i, mask=m)

    a = tl.arange(0, n)
#|                   ^ not-constexpr: the number of indices must be a `tl.constexpr`, and `n` (int32) is known at run time: `tl.arange(0, B)`
#|   fix: write `B` | B
    # A constexpr of a run-time value is that value, until a constexpr is needed.
    C: tl.constexpr = n
    b = tl.expand_dims(x, C)
#|                        ^ not-constexpr: must consist of constexpr integers, got int32
    tl.store(y_ptr + i, x, mask=m)
