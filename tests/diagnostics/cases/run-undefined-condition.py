# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# What decides whether something is done must not be undefined either.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [1]
# [sizes]
# n = 50
# [args]
# x_ptr = { dtype = "fp32", shape = ["n"], init = "rand" }
# y_ptr = { dtype = "fp32", shape = [64], init = "zeros" }
# n = "n"
# ///


@triton.jit
def k(x_ptr, y_ptr, n):
    i = tl.arange(0, 64)
    x = tl.load(x_ptr + i, mask=i < n)
    if tl.max(x, axis=0) < 2.0:
#|  ^~ run-undefined: a condition comes from a value that a masked-off load left undefined
        tl.store(y_ptr, 1.0)
    u = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, 2.0, mask=u < 2.0)
#|  ^~ run-undefined: a mask comes from a value that a masked-off load left undefined
    w = tl.load(x_ptr + i, mask=i < n)
    t = 0
    while t < tl.max(w, axis=0):
#|  ^~ run-undefined: a condition comes
        t += 1
    tl.store(y_ptr + 1, t)
    # What the mask leaves out does not count.
    v = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, v, mask=(i < n) & (v < 2.0))
