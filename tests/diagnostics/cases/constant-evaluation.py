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

    a = 1 // 0
#|      ^^^^^^ constant-evaluation: ZeroDivisionError

    t = (x, x)
    for _ in tl.static_range(12):
        t = t + t
#|          ^^^^^ constant-evaluation: the tuple has more than 4096 items
    tl.store(y_ptr + i, x + a, mask=m)
