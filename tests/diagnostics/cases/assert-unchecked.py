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
# x_ptr = { dtype = "fp32", shape = ["n"], init = "ones" }
# y_ptr = { dtype = "fp32", shape = ["n"] }
# n = "n"
# [constexprs]
# B = "64"
# ///


@triton.jit
def helper(x):
    tl.device_assert(x < 1000)
    return x


@triton.jit
def k(x_ptr, y_ptr, n, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.device_assert(i < 32, "the upper half")
#|  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ run-launch-unfit: `device_assert` is not checked: set `debug = true` under `[options]`
    tl.store(y_ptr + i, helper(tl.load(x_ptr + i, mask=i < n)), mask=i < n)
