# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Programs that read in front of an array and others that read behind it do not do the same.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [4]
# [sizes]
# n = 1000
# [args]
# x_ptr = { dtype = "fp32", shape = ["n"], init = "ones" }
# y_ptr = { dtype = "fp32", shape = ["n"] }
# n = "n"
# [constexprs]
# B = "256"
# ///


@triton.jit
def k(x_ptr, y_ptr, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    left = tl.load(x_ptr + i - 1)
#|         ^~ run-access-outside: program 0 reads `x_ptr[-1]`, before its first element
#|         ^~ run-access-outside: program 3 reads `x_ptr[1000…1022]`, past its last element 999
    tl.store(y_ptr + i, left, mask=i < n)
