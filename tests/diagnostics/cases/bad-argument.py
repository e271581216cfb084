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

    a = tl.load(x_ptr + i, other=0.0)
#|                               ^^^ bad-argument: `other` cannot be provided without `mask`
    b = tl.load(x_ptr + i, cache_modifier=".xx")
#|                                        ^^^^^ bad-argument: not supported
    c = x[0]
#|        ^ bad-argument: unsupported tensor index
    tl.store(y_ptr + i, a + b + c, mask=m)
