# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [8]
# [args]
# x_ptr = { dtype = "fp32", shape = [256], init = "arange" }
# part_ptr = { dtype = "fp32", shape = [8], init = "zeros" }
# count_ptr = { dtype = "i32", shape = [1], init = "zeros" }
# y_ptr = { dtype = "fp32", shape = [1], expected = "sum(x_ptr)" }
# ///


@triton.jit
def k(x_ptr, part_ptr, count_ptr, y_ptr):
    pid = tl.program_id(0)
    x = tl.load(x_ptr + pid * 32 + tl.arange(0, 32))
    tl.store(part_ptr + pid, tl.sum(x, axis=0))
    arrived = tl.atomic_add(count_ptr, 1, scope="cta")
#|            ^~ run-write-race: `count_ptr[0]` is updated by program 1 and by program 0 in line 23: one of the updates may be lost; `scope="cta"` makes an operation atomic for its own program alone: leave it out
    if arrived == 7:
        parts = tl.load(part_ptr + tl.arange(0, 8))
#|              ^~ run-write-race: `part_ptr[0]` is read by program 7 and changed by program 0 in line 22: which comes first is chance; the atomic operation that the reader looks at others with orders nothing, with `sem="relaxed"` or `scope="cta"`: leave that out, and change what is looked at behind the store
        tl.store(y_ptr, tl.sum(parts, axis=0))
