# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


#| set constexpr B=16
@triton.jit
def f(a, n):
    if n > 0:
#|  ^~ return-type: return type mismatch: `int32` and `fp32[16]`
#|   from: `f` is called here
        return 1
    return a


@triton.jit
def k(x_ptr, y_ptr, n, B: tl.constexpr):
    i = tl.arange(0, B)
    m = i < n
    x = tl.load(x_ptr + i, mask=m)

    tl.store(y_ptr + i, f(x, n), mask=m)
