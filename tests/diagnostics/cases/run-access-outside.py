# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [1]
# [sizes]
# n = 64
# [args]
# x_ptr = { dtype = "fp32", shape = ["n"], init = "randn" }
# y_ptr = { dtype = "fp32", shape = ["n"] }
# n = "n"
# [constexprs]
# B = "64"
# ///


@triton.jit
def k(x_ptr, y_ptr, n, B: tl.constexpr):
    i = tl.arange(0, B)
    m = i < n
    x = tl.load(x_ptr + i, mask=m)
    tl.store(y_ptr + i + 1, x)
#|  ^^^^^^^^^^^^^^^^^^^^^^^^^^ run-access-outside: program 0 writes `y_ptr[64]`, past its last element 63; add `mask=i + 1 < n`
