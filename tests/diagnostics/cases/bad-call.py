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

    a = tl.load(x_ptr + i, masc=m)
#|                         ^^^^ bad-call: no parameter `masc`
    b = n(1)
#|      ^^^^ bad-call: not callable
    for j in range(0, n, num_stages=3):
#|                                  ^ bad-call: `range` ignores `num_stages`
        tl.store(y_ptr + i + j, x, mask=m)
    tl.store(y_ptr + i, x, mask=m)
