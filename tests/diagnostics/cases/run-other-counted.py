# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# What stands for elements behind a row's end, and is counted as one of them. The data hide it.
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
# y_ptr = { dtype = "fp32", shape = [9] }
# n = "n"
# t = 1.0
# u = -1.0
# ///


@triton.jit
def k(x_ptr, y_ptr, n, t, u):
    i = tl.arange(0, 64)
    a = tl.load(x_ptr + i, mask=i < n, other=0.0)
#|                                           ^^^ run-other-counted: `other=0.0` takes part in a reduction: `other=float("-inf")` leaves it as it is
#|   note: the elements that the mask leaves out count as if they had been loaded
#|   fix: write `other=float("-inf")` | float("-inf")
    tl.store(y_ptr, tl.max(a, axis=0))
    b = tl.load(x_ptr + i, mask=i < n, other=0.0)
#|                                           ^^^ run-other-counted: `other=float("inf")` leaves it as it is
    tl.store(y_ptr + 1, tl.argmin(b, axis=0))
    c = tl.load(x_ptr + i, mask=i < n, other=1.0)
#|                                           ^^^ run-other-counted: `other=0.0` leaves it as it is
    tl.store(y_ptr + 2, tl.sum(c, axis=0))
    d = tl.load(x_ptr + i, mask=i < n, other=0)
    tl.store(y_ptr + 3, tl.sum((d < t).to(tl.int32)))
#|                              ^^^^^ run-other-counted: `(d < t) & (i < n)`
#|   from: stands for the elements that are left out
    # Not counted: below -1 lies nothing that is left out, and 0 changes no sum and no largest magnitude.
    tl.store(y_ptr + 4, tl.sum((d < u).to(tl.int32)))
    tl.store(y_ptr + 5, tl.sum(d, axis=0))
    e = tl.load(x_ptr + i, mask=i < n, other=0.0)
    tl.store(y_ptr + 6, tl.max(tl.abs(e), axis=0))
    # What is subtracted from all before the exponential may be any number.
    f = tl.load(x_ptr + i, mask=i < n, other=0.0)
    g = tl.where(i < n, tl.exp(f - tl.max(f, axis=0)), 0.0)
    tl.store(y_ptr + 7, tl.max(g / tl.sum(g, axis=0), axis=0))
    # Nothing is left out.
    h = tl.load(x_ptr + i % n, mask=i < 64 * n, other=0.0)
    tl.store(y_ptr + 8, tl.max(h, axis=0))
