# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# What a mask leaves out is sorted among what is loaded.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [4]
# [args]
# x_ptr = { dtype = "fp32", shape = [4, 20], init = "randn" }
# p_ptr = { dtype = "fp32", shape = [4, 20], init = "rand" }
# y_ptr = { dtype = "fp32", shape = [4, 20] }
# z_ptr = { dtype = "fp32", shape = [4, 20] }
# u_ptr = { dtype = "fp32", shape = [4, 20] }
# n = 20
# ///


@triton.jit
def k(x_ptr, p_ptr, y_ptr, z_ptr, u_ptr, n):
    i = tl.arange(0, 32)
    at = tl.program_id(0) * n + i
    x = tl.load(x_ptr + at, mask=i < n, other=0.0)
#|                                            ^^^ run-other-counted: `other=0.0` is sorted among the elements that are loaded: `other=float("inf")` comes behind them
#|   from: sorts what the mask leaves out, too
#|   fix: | float("inf")
    tl.store(y_ptr + at, tl.sort(x), mask=i < n)
    # Behind them.
    p = tl.load(p_ptr + at, mask=i < n, other=0.0)
    tl.store(z_ptr + at, tl.sort(p, descending=True), mask=i < n)
    u = tl.load(x_ptr + at, mask=i < n, other=float("inf"))
    tl.store(u_ptr + at, tl.sort(u), mask=i < n)
