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
#|  ^^^^^^ syntax-expected-token: Python declares no types: a name is what it is assigned
#|   fix: remove `float`
    y = (float)x * s
#|      ^^^^^^^^ syntax-expected-token: Python has no conversion `(float)x`: write `x.to(tl.float32)`
#|   fix: write `x.to(tl.float32)` | x.to(tl.float32)
    z = !offs
#|      ^ syntax-invalid-character: Python has no `!`: write `~` in front of a block, else `not`
    tl.store(out_ptr + offs, y, mask=offs < n)
