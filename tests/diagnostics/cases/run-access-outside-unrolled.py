# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# What the copies of an unrolled loop read outside is told once, as a whole.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [2]
# [args]
# x_ptr = { dtype = "fp32", shape = [20], init = "ones" }
# y_ptr = { dtype = "fp32", shape = [2], init = "empty" }
# ///


@triton.jit
def k(x_ptr, y_ptr):
    total = 0.0
    for r in tl.static_range(4):
        total += tl.sum(tl.load(x_ptr + r * 8 + tl.arange(0, 8)))
#|                      ^~ run-access-outside: program 0 reads `x_ptr[20…31]`, past its last element 19
#|   note: the same in 1 more program
    tl.store(y_ptr + tl.program_id(0), total)
