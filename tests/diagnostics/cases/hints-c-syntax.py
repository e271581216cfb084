# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# What C writes in another way.
import triton
import triton.language as tl


@triton.jit
def k(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offs = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offs, mask=offs < n)
    float s = 2.0;
#|  ^^^^^^ syntax-expected-token: Python has no declarations: assign the value to the name alone
#|   fix: remove `float`
    y = (float)x * s
#|      ^^^^^^^^ syntax-expected-token: Python has no casts like `(float)x`: write `x.to(tl.float32)`
#|   fix: write `x.to(tl.float32)` | x.to(tl.float32)
    z = !offs
#|      ^ syntax-invalid-character: Python has no `!`: use `~` for a block and `not` for a number
    tl.store(out_ptr + offs, y, mask=offs < n)
