# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# One load feeds reductions that need different values in place of what its mask leaves out.
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
# y_ptr = { dtype = "fp32", shape = [4] }
# n = "n"
# ///


@triton.jit
def k(x_ptr, y_ptr, n):
    i = tl.arange(0, 64)
    m = i < n
    x = tl.load(x_ptr + i, mask=m)
    tl.store(y_ptr, tl.sum(x, axis=0))
#|  ^~ run-undefined: `y_ptr[0]` receives a value that a masked-off load left undefined; no `other` of the load of `x` in line 25 suits all the reductions that it feeds: write `tl.where(m, x, 0.0)` into this one
#|   fix: write `tl.where(m, x, 0.0)` | tl.where(m, x, 0.0)
    tl.store(y_ptr + 1, tl.max(x, axis=0))
#|  ^~ run-undefined: write `tl.where(m, x, float("-inf"))` into this one
#|   fix: write `tl.where(m, x, float("-inf"))` | tl.where(m, x, float("-inf"))
    # Where the one is mended, the other one is left with what suits it.
    u = tl.load(x_ptr + i, mask=m)
    tl.store(y_ptr + 2, tl.sum(tl.where(m, u, 0.0), axis=0))
    tl.store(y_ptr + 3, tl.max(u, axis=0))
#|  ^~ run-undefined: give the load of `u` in line 29 `other=float("-inf")`
#|   fix: add `other=float("-inf")` to the load of `u`
