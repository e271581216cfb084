# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Blocks that stick out of a matrix: each index has its own bound.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [3, 2]
# [args]
# x_ptr = { dtype = "fp32", shape = [5, 12], init = "arange" }
# y_ptr = { dtype = "fp32", shape = [3, 12] }
# m = 5
# n = 12
# ///


@triton.jit
def k(x_ptr, y_ptr, m, n):
    rows = tl.program_id(0) * 4 + tl.arange(0, 4)
    cols = tl.program_id(1) * 8 + tl.arange(0, 8)
    offsets = rows[:, None] * n + cols[None, :]
    x = tl.load(x_ptr + offsets)
#|      ^~ run-access-outside: past its last element [4, 11]; add `mask=(rows[:, None] < m) & (cols[None, :] < n), other=0.0`
#|   fix: add `mask=(rows[:, None] < m) & (cols[None, :] < n), other=0.0` | , mask=(rows[:, None] < m) & (cols[None, :] < n), other=0.0
#|   note: the same in 3 more programs
    row = tl.program_id(0)
    c = tl.arange(0, 16)
    y = y_ptr + row * n
    tl.store(y + c, tl.sum(x) + c)
#|  ^~ run-access-outside: past its last element [2, 11]; add `mask=c < n`
#|   fix: add `mask=c < n` | , mask=c < n
#|   note: the same in 1 more program
#|  ^~ run-write-race: `y_ptr[1, 0]` is written by
