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

    if n > 0:
#|  ^~ branch-type: redefines it
        i = x
    if n > 1:
#|  ^~ branch-type: mismatched type for `w`
        w = 1
    else:
        w = 1.0
    v = x if n > 0 else m
#|      ^^^^^^^^^^^^^^^^^ branch-type: inconsistent
    tl.store(y_ptr + i, x, mask=m)
