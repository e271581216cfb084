# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# What a reduction sees must not be undefined: a mask behind it comes too late.
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
# y_ptr = { dtype = "fp32", shape = [5] }
# n = "n"
# ///


@triton.jit
def k(x_ptr, y_ptr, n):
    i = tl.arange(0, 64)
    m = i < n
    x = tl.load(x_ptr + i, mask=m)
    tl.store(y_ptr, tl.sum(x * x, axis=0))
#|  ^~ run-undefined: `y_ptr[0]` receives a value that a masked-off load left undefined; give the load of `x` in line 25 `other=0.0`
#|   fix: add `other=0.0` to the load of `x` | , other=0.0
#|   from: elements of `x` that its `mask` leaves out are undefined
    u = tl.load(x_ptr + i, m)
    tl.store(y_ptr + 1, tl.max(u, axis=0))
#|  ^~ run-undefined: give the load of `u` in line 27 `other=float("-inf")`
#|   fix: add `other=float("-inf")` to the load of `u` | , other=float("-inf")
    w = tl.load(x_ptr + i, mask=m)
    tl.store(y_ptr + 2, tl.sum(tl.exp(w), axis=0))
#|  ^~ run-undefined: give the load of `w` in line 29 `other=float("-inf")`
    z = tl.load(x_ptr + i, mask=m)
    total = tl.zeros([64], tl.float32)
    for step in range(n):
        total += z
    tl.store(y_ptr + 3, tl.sum(total, axis=0))
#|  ^~ run-undefined: give the load
