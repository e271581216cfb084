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

    a = tl.exp(x.to(tl.float16))
#|             ^^^^^^^^^^^^^^^^ dtype-unsupported: expected dtype ['fp32', 'fp64'] but got fp16: convert with `.to(tl.float32)` first
    tl.store(y_ptr + i, a, mask=m)
