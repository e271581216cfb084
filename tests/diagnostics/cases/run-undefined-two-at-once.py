# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Two reductions of one load that need different values, in one expression.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [1]
# [sizes]
# n = 50
# [args]
# x_ptr = { dtype = "fp32", shape = ["n"], init = "randn" }
# y_ptr = { dtype = "fp32", shape = [1] }
# n = "n"
# ///


@triton.jit
def k(x_ptr, y_ptr, n):
    i = tl.arange(0, 64)
    m = i < n
    x = tl.load(x_ptr + i, mask=m)
    tl.store(y_ptr, tl.max(x, axis=0) + tl.sum(x, axis=0))
#|  ^~ run-undefined: no `other` of the load of `x` in line 25 suits all the reductions that it feeds: write `tl.where(m, x, float("-inf"))` and `tl.where(m, x, 0.0)` into these
#|   fix: write `tl.where(m, x, float("-inf"))` | tl.where(m, x, float("-inf"))
#|   fix: write `tl.where(m, x, 0.0)` | tl.where(m, x, 0.0)
