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
# n = 8
# ///


@triton.jit
def k(x_ptr, part_ptr, count_ptr, y_ptr, n):
    pid = tl.program_id(0)
    x = tl.load(x_ptr + pid * 32 + tl.arange(0, 32))
    arrived = tl.atomic_add(count_ptr, 1)
    tl.store(part_ptr + pid, tl.sum(x, axis=0))
    if arrived == n - 1:
        parts = tl.load(part_ptr + tl.arange(0, 8))
#|              ^~ run-write-race: `part_ptr[0]` is read by program 7 and changed by program 0 in line 24: which comes first is chance; what the reader waits for has to be set behind the store, by an atomic operation such as `tl.atomic_xchg` (a plain store or `sem="relaxed"` orders nothing), and a count has to be that of all writers
        tl.store(y_ptr, tl.sum(parts, axis=0))
