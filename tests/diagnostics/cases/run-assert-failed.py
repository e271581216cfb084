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
# x_ptr = { dtype = "fp32", shape = ["n"] }
# y_ptr = { dtype = "fp32", shape = ["n"] }
# n = "n"
# [constexprs]
# B = "64"
# [options]
# debug = true
# ///


@triton.jit
def k(x_ptr, y_ptr, n, B: tl.constexpr):
    i = tl.arange(0, B)
    m = i < n
    x = tl.load(x_ptr + i, mask=m)
    tl.device_assert(i < 32, "the upper half")
#|  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ run-assert-failed: the upper half
#|   note: in program 0
    tl.store(y_ptr + i, x, mask=m)
