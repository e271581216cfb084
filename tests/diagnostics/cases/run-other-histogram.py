# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A histogram counts what the mask of a load leaves out, unless it has the mask, too.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [1]
# [sizes]
# n = 50
# [args]
# x_ptr = { dtype = "int32", shape = ["n"], init = "randint", low = 0, high = 16 }
# y_ptr = { dtype = "int32", shape = [96] }
# n = "n"
# ///


@triton.jit
def k(x_ptr, y_ptr, n):
    i = tl.arange(0, 64)
    b = tl.arange(0, 16)
    m = i < n
    x = tl.load(x_ptr + i, mask=m, other=0)
    tl.store(y_ptr + b, tl.histogram(x, 16))
#|                      ^^^^^^^^^^^^^^^^^^^ run-other-counted: `tl.histogram` counts what the mask of the load leaves out as 0; give it that mask, too: `mask=m`
#|   from: stands for the elements that are left out
#|   fix: add `mask=m` | , mask=m
    sum = tl.zeros([16], tl.int32)
    for j in range(0, 2):
        u = tl.load(x_ptr + i, mask=m, other=3)
        sum += tl.histogram(u, 16)
#|             ^^^^^^^^^^^^^^^^^^^ run-other-counted: counts what the mask of the load leaves out as 3
    tl.store(y_ptr + 16 + b, sum)
    # Not counted: the mask is there, no bin is that of `other`, or what is counted is taken out again.
    tl.store(y_ptr + 32 + b, tl.histogram(x, 16, mask=m))
    v = tl.load(x_ptr + i, mask=m, other=16)
    tl.store(y_ptr + 48 + b, tl.histogram(v, 16))
    h = tl.histogram(tl.load(x_ptr + i, mask=m, other=0), 16)
    tl.store(y_ptr + 64 + b, h - tl.where(b == 0, 64 - n, 0))
    # Nothing is left out.
    w = tl.load(x_ptr + i % n, mask=i < 64 * n, other=0)
    tl.store(y_ptr + 80 + b, tl.histogram(w, 16))
