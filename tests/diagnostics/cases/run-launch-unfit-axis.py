# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Each block is added four times, by programs that differ in an axis which the kernel does not know.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = ["cdiv(n, B)", 4]
#|                      ^ run-launch-unfit: the kernel does not read `tl.program_id(1)`: the 4 programs along axis 1 of the grid all do the same
#|   fix: write `1` | 1
# [sizes]
# n = 100
# [args]
# x_ptr = { dtype = "fp32", shape = ["n"], init = "arange" }
# y_ptr = { dtype = "fp32", shape = ["n"], expected = "x_ptr + 1" }
# n = "n"
# [constexprs]
# B = "64"
# ///


@triton.jit
def k(x_ptr, y_ptr, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(y_ptr + i, tl.load(x_ptr + i, i < n) + 1, i < n)
