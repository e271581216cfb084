# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# What a store writes past the end of an array is reported once, whatever the value is.
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
# y_ptr = { dtype = "fp32", shape = ["n"], expected = "x_ptr * 2" }
# n = "n"
# ///


@triton.jit
def k(x_ptr, y_ptr, n):
    i = tl.arange(0, 64)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, x * 2)
#|  ^~ run-access-outside: program 0 writes `y_ptr[50…63]`, past its last element 49; add `mask=i < n`
#|   fix: add `mask=i < n`
