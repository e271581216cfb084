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

    tl.static_assert(B == 3, "B must be 3")
#|  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ static-assert-failed: B must be 3
    # What the function does after it says no more.
    t = tl.topk(x, 3)
#|      ^^^^^^^^^^^^^ static-assert-failed: k must be a power of two
    tl.store(y_ptr + i, x, mask=m)
