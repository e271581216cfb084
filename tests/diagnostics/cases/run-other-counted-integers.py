# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Integers that stand for what is behind a row's end, and for which a comparison holds that is counted.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [1]
# [sizes]
# n = 50
# [args]
# x_ptr = { dtype = "i32", shape = ["n"], init = "randint", low = 0, high = 9 }
# b_ptr = { dtype = "i8", shape = ["n"], init = "randint", low = 0, high = 9 }
# y_ptr = { dtype = "i32", shape = [8] }
# n = "n"
# t = 5
# ///


@triton.jit
def k(x_ptr, b_ptr, y_ptr, n, t):
    i = tl.arange(0, 64)
    a = tl.load(x_ptr + i, mask=i < n, other=0)
    tl.store(y_ptr, tl.sum((a == 0).to(tl.int32)))
#|                          ^^^^^^ run-other-counted: the elements that the mask of the load leaves out are counted, since `a == 0` holds for `other=0`: `(a == 0) & (i < n)`
#|   from: stands for the elements that are left out
    tl.store(y_ptr + 1, tl.sum((t > a).to(tl.int32)))
#|                              ^^^^^ run-other-counted: `(t > a) & (i < n)`
    b = tl.load(b_ptr + i, mask=i < n, other=-1)
    tl.store(y_ptr + 2, tl.sum(tl.where(b < 3, 1, 0)))
#|                                      ^^^^^ run-other-counted: `(b < 3) & (i < n)`
    tl.store(y_ptr + 3, tl.sum((b < 4).to(tl.int32)))
#|                              ^^^^^ run-other-counted: `(b < 4) & (i < n)`
    # Not counted: it does not hold, it has the mask, or nothing is left out.
    tl.store(y_ptr + 4, tl.sum((a > 0).to(tl.int32)))
    tl.store(y_ptr + 5, tl.sum(((a == 0) & (i < n)).to(tl.int32)))
    tl.store(y_ptr + 6, tl.sum((b == 0).to(tl.int32)))
    c = tl.load(x_ptr + i % n, mask=i < 64 * n, other=0)
    tl.store(y_ptr + 7, tl.sum((c == 0).to(tl.int32)))
