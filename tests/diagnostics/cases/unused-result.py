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

    p = tl.make_block_ptr(x_ptr, (n,), (1,), (0,), (B,), (0,))
    tl.advance(p, (B,))
#|  ^^^^^^^^^^^^^^^^^^^ unused-result: not being used
    tl.store(y_ptr + i, tl.load(p), mask=m)
