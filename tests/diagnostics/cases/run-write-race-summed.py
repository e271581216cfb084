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
# part_ptr = { dtype = "fp32", shape = [8], init = "empty" }
# count_ptr = { dtype = "i32", shape = [8], init = "zeros" }
# y_ptr = { dtype = "fp32", shape = [1], expected = "sum(x_ptr)" }
# ///


@triton.jit
def k(x_ptr, part_ptr, count_ptr, y_ptr):
    pid = tl.program_id(0)
    x = tl.load(x_ptr + pid * 32 + tl.arange(0, 32))
    tl.store(part_ptr + pid, tl.sum(x, axis=0))
    tl.debug_barrier()
    before = tl.atomic_add(count_ptr + tl.arange(0, 8), 1)
    tl.device_print("before", tl.sum(before, axis=0))
    if pid == 7:
        parts = tl.load(part_ptr + tl.arange(0, 8))
#|              ^~ run-write-race: `part_ptr[0]` is read by program 7 and changed by program 0 in line 22: which comes first is chance; 
        tl.store(y_ptr, tl.sum(parts, axis=0))
