# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Elements of a block that are assigned, as NumPy's are.
import triton
import triton.language as tl


#| set signature x_ptr=*fp32,n=i32
#| set constexpr BLOCK=64
@triton.jit
def k(x_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    x[x < 0] = 0.0
#|  ^^^^^^^^ unsupported-syntax: a block cannot be changed in place: `x = tl.where(x < 0, 0.0, x)`
#|   note: `tl.where` makes a block with other elements
#|   fix: write `x = tl.where(x < 0, 0.0, x)`
    x[x > 9] += x / 2
#|  ^^^^^^^^ unsupported-syntax: `x = tl.where(x > 9, x + (x / 2), x)`
#|   fix: write `x = tl.where(x > 9, x + (x / 2), x)`
    x[3] = 1.0
#|  ^^^^ unsupported-syntax: `x = tl.where(tl.arange(0, BLOCK) == 3, 1.0, x)`
#|   fix: write `x = tl.where(tl.arange(0, BLOCK) == 3, 1.0, x)`
    x[i] = 1.0
#|  ^^^^ unsupported-syntax: a block cannot be changed in place: `x = tl.where(condition, 1.0, x)`
    x[1:4] = 1.0
#|  ^^^^^^ unsupported-syntax: a block cannot be changed in place
    y = tl.load(x_ptr + i, mask=i < n)
    for e in range(BLOCK):
        y[e] = y[e] * x[e]
#|               ^ bad-argument: unsupported tensor index
#|                      ^ bad-argument: unsupported tensor index
#|      ^^^^ unsupported-syntax: a block cannot be changed in place: `y = y * x` makes a new one, and works on all elements without a loop
#|   fix: write `y = y * x`
    for e in range(BLOCK):
        y[e] += 1.0
#|      ^^^^ unsupported-syntax: a block cannot be changed in place: `y = y + 1.0` makes a new one, and works on all elements without a loop
#|   fix: write `y = y + 1.0`
    tl.store(x_ptr + i, x, mask=i < n)
