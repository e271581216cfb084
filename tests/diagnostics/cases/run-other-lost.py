# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A variance: no `other` is right for the mean and for the squares of the differences.
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
# a_ptr = { dtype = "fp32", shape = [20, 64], init = "randn" }
# y_ptr = { dtype = "fp32", shape = [5] }
# z_ptr = { dtype = "fp32", shape = [20] }
# n = "n"
# ///


@triton.jit
def k(x_ptr, a_ptr, y_ptr, z_ptr, n):
    i = tl.arange(0, 64)
    m = i < n
    x = tl.load(x_ptr + i, mask=m, other=0.0)
    d = x - tl.sum(x, axis=0) / n
#|      ^~ run-other-counted: what the mask of the load leaves out takes part in a reduction, and no `other` leaves it as it is: `tl.where(m, x - tl.sum(x, axis=0) / n, 0.0)` does
#|   from: `other` stands for what the mask leaves out
#|   fix: write `tl.where(m, x - tl.sum(x, axis=0) / n, 0.0)` | tl.where(m, x - tl.sum(x, axis=0) / n, 0.0)
    tl.store(y_ptr, tl.sum(d * d, axis=0) / n)
    # Masked before they are squared, nothing is left to be told.
    u = tl.load(x_ptr + i, mask=m, other=0.0)
    e = tl.where(m, u - tl.sum(u, axis=0) / n, 0.0)
    tl.store(y_ptr + 1, tl.sum(e * e, axis=0) / n)
    # Whole rows are left out, and each row has a mean and a variance of its own.
    r = tl.arange(0, 32)
    a = tl.load(a_ptr + r[:, None] * 64 + i[None, :], mask=r[:, None] < 20, other=0.0)
    f = a - (tl.sum(a, axis=1) / 64)[:, None]
    tl.store(z_ptr + r, tl.sum(f * f, axis=1) / 64, mask=r < 20)
    # Without `other` both are needed.
    w = tl.load(x_ptr + i, mask=m)
    mean = tl.sum(w, axis=0) / n
    g = w - mean
    tl.store(y_ptr + 2, tl.sum(g * g, axis=0) / n)
#|  ^~ run-undefined: give the load of `w` in line 40 `other=0.0`, and write `tl.where(m, w - mean, 0.0)` in line 42, since no `other` suits the second reduction
#|   fix: add `other=0.0` to the load of `w` | , other=0.0
#|   fix: write `tl.where(m, w - mean, 0.0)` | tl.where(m, w - mean, 0.0)
