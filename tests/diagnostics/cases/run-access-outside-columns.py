# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# As in the rounds of a loop over rows, between which there are others.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [2]
# [args]
# x_ptr = { dtype = "fp32", shape = [8, 4], init = "ones" }
# y_ptr = { dtype = "fp32", shape = [2], init = "empty" }
# ///


@triton.jit
def k(x_ptr, y_ptr):
    total = 0.0
    for row in range(12):
        total += tl.sum(tl.load(x_ptr + row * 4 + tl.arange(0, 2)))
#|                      ^~ run-access-outside: program 0 reads `x_ptr[8, 0]` to `x_ptr[11, 1]` (8 accesses), past its last element [7, 3]
#|   note: the same in 1 more program
    tl.store(y_ptr + tl.program_id(0), total)
