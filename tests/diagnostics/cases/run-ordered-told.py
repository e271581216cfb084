# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


#| set do run
#| set nothing
# /// tilescope
# kernel = "k"
# grid = [4]
# [args]
# x_ptr = { dtype = "fp32", shape = [512], init = "randn" }
# part_ptr = { dtype = "fp32", shape = [512], init = "empty" }
# count_ptr = { dtype = "i32", shape = [1], init = "zeros" }
# y_ptr = { dtype = "fp32", shape = [128], expected = "x_ptr[:128] + x_ptr[128:256] + x_ptr[256:384] + x_ptr[384:]" }
# ///


@triton.jit
def k(x_ptr, part_ptr, count_ptr, y_ptr):
    pid = tl.program_id(0)
    i = tl.arange(0, 128)
    x = tl.load(x_ptr + pid * 128 + i)
    tl.store(part_ptr + pid * 128 + i, x)
    tl.debug_barrier()
    done = tl.atomic_add(count_ptr, 1)
    if done == 3:
        parts = tl.load(part_ptr + tl.arange(0, 4)[:, None] * 128 + i[None, :])
        tl.store(y_ptr + i, tl.sum(parts, axis=0))
