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

    a = i.to(tl.int8) + 300
#|      ^^^^^^^^^^^^^^^^^^^ scalar-out-of-range: scalar 300 is out of range
    b = i.to(tl.uint32) + -1
#|      ^^^^^^^^^^^^^^^^^^^^ scalar-out-of-range: negative
    tl.store(y_ptr + i, a + b, mask=m)
