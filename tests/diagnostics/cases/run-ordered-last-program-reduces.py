# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


#| set do run
#| set nothing
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
    arrived = tl.atomic_add(count_ptr, 1)
    if arrived == tl.num_programs(0) - 1:
        parts = tl.load(part_ptr + tl.arange(0, 8))
        tl.store(y_ptr, tl.sum(parts, axis=0))
        tl.atomic_xchg(count_ptr, 0)
