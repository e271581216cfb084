# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


#| set target cuda:80
#| set constexpr B=16
@triton.jit
def k(x_ptr, y_ptr, n, B: tl.constexpr):
    i = tl.arange(0, B)
    m = i < n
    x = tl.load(x_ptr + i, mask=m)

    a = x.to(tl.float8e4nv)
#|      ^^^^^^^^^^^^^^^^^^^ type-unsupported: type `fp8e4nv` is not supported in this architecture
    tl.store(y_ptr + i, a.to(tl.float32), mask=m)
