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
#|             ^^^^^^^^^^^^^^^^ dtype-unsupported: `exp` of `x.to(tl.float16)`: expected dtype ['fp32', 'fp64'] but got fp16: convert with `.to(tl.float32)` first
#|   fix: write `x.to(tl.float16).to(tl.float32)`
    b = tl.exp(i + 1)
#|             ^^^^^ dtype-unsupported: `exp` of `i + 1`: expected dtype ['fp32', 'fp64'] but got int32
#|   fix: write `(i + 1).to(tl.float32)` | (i + 1).to(tl.float32)
    tl.store(y_ptr + i, a, mask=m)
