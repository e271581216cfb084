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

    a = tl.arange(0, 100)
#|                   ^^^ bad-shape: power of 2
    b = tl.zeros([1024, 2048], tl.float32)
#|               ^^^^^^^^^^^^ bad-shape: more elements than the maximum
    c = tl.zeros([3], tl.float32)
#|               ^^^ bad-shape: shape element 0 must be a power of 2, but is 3
    tl.store(y_ptr + i, x, mask=m)
