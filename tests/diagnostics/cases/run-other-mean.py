# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Means over blocks that a mask has not filled.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [4]
# [args]
# x_ptr = { dtype = "fp32", shape = [4, 48], init = "randn" }
# a_ptr = { dtype = "fp32", shape = [16, 48], init = "randn" }
# y_ptr = { dtype = "fp32", shape = [4, 6] }
# z_ptr = { dtype = "fp32", shape = [16] }
# n = 48
# [constexprs]
# B = 64
# ///


@triton.jit
def k(x_ptr, a_ptr, y_ptr, z_ptr, n, B: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, B)
    x = tl.load(x_ptr + row * n + i, mask=i < n, other=0.0)
    mean = tl.sum(x, axis=0) / B
#|         ^^^^^^^^^^^^^^^^^^^^^ run-other-counted: the sum is divided by 64, the extent of its block, but the mask leaves out what lies behind `n`, which is 48: a mean of what is loaded divides by the number of elements that are loaded
#|   fix: divide by `n` | n
    tl.store(y_ptr + row * 6, mean)
    squares = tl.sum(x * x, axis=0) / x.shape[0]
#|            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ run-other-counted: the sum is divided by 64, the extent of its block
#|   fix: divide by `n` | n
    tl.store(y_ptr + row * 6 + 1, squares)
    rows = row * 4 + tl.arange(0, 4)
    a = tl.load(a_ptr + rows[:, None] * n + i[None, :], mask=i[None, :] < n, other=0.0)
    means = tl.sum(a, axis=1) / B
#|          ^^^^^^^^^^^^^^^^^^^^^ run-other-counted: the sum is divided by 64, the extent of its block
#|   fix: divide by `n` | n
    tl.store(z_ptr + rows, means)
    # As many as are loaded; a whole block; along the other axis.
    tl.store(y_ptr + row * 6 + 2, tl.sum(x, axis=0) / n)
    c = tl.arange(0, 16)
    part = tl.load(x_ptr + row * n + c, mask=c < n, other=0.0)
    tl.store(y_ptr + row * 6 + 3, tl.sum(part, axis=0) / 16)
    columns = tl.sum(a, axis=0) / 4
    tl.store(y_ptr + row * 6 + 4, tl.sum(columns, axis=0))
    # Taken back.
    tl.store(y_ptr + row * 6 + 5, tl.sum(x, axis=0) / B * B / n)
