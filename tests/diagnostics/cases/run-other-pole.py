# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# 0 in the place of a factor is no neutral summand where the other factor has its logarithm: 0 * log(0) is NaN.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [1]
# [sizes]
# n = 50
# [args]
# p_ptr = { dtype = "fp32", shape = ["n"], init = "rand" }
# x_ptr = { dtype = "fp32", shape = ["n"], init = "randn" }
# y_ptr = { dtype = "fp32", shape = [2] }
# i_ptr = { dtype = "i32", shape = [3] }
# n = "n"
# ///


@triton.jit
def k(p_ptr, x_ptr, y_ptr, i_ptr, n):
    i = tl.arange(0, 64)
    m = i < n
    p = tl.load(p_ptr + i, mask=m) + 0.5
    tl.store(y_ptr, tl.sum(p * tl.log(p), axis=0))
#|  ^~ run-undefined: write `tl.where(m, p * tl.log(p), 0.0)` in line 28, so that the reduction is left as it is
#|   fix: write `tl.where(m, p * tl.log(p), 0.0)` | tl.where(m, p * tl.log(p), 0.0)
    # What one maximum has found is taken out for the next one, which needs the same `other`.
    x = tl.load(x_ptr + i, mask=m, other=0.0)
#|                                       ^^^ run-other-counted: `other=0.0` takes part in a reduction: `other=float("-inf")` leaves it as it is
#|   fix: write `other=float("-inf")` | float("-inf")
    for j in tl.static_range(3):
        best = tl.argmax(x, axis=0)
        tl.store(i_ptr + j, best)
        x = tl.where(i == best, float("-inf"), x)
