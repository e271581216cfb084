# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A plane is as long as its rows are many times as long: one row of it is no bound.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [2, 3]
# [args]
# y_ptr = { dtype = "fp32", shape = [3, 12, 10], init = "empty" }
# OH = 12
# OW = 10
# [constexprs]
# B = 64
# ///


@triton.jit
def k(y_ptr, OH, OW, B: tl.constexpr):
    channel = tl.program_id(1)
    p = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(y_ptr + channel * OH * OW + p, 1.0)
#|  ^~ run-access-outside: program (1, 2) writes `y_ptr[3, 0, 0]` to `y_ptr[3, 0, 7]`
#|   fix: mask=p < OH * OW
