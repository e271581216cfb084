# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


#| set do run
#| set nothing
# /// tilescope
# kernel = "k"
# grid = [16]
# [args]
# x_ptr = { dtype = "fp32", shape = [256], init = "randn" }
# t_ptr = { dtype = "fp32", shape = [256], init = "zeros" }
# u_ptr = { dtype = "fp32", shape = [256], init = "zeros" }
# bar_ptr = { dtype = "i32", shape = [1], init = "zeros" }
# y_ptr = { dtype = "fp32", shape = [256], expected = "roll(x_ptr, -32)" }
# ///


@triton.jit
def barrier(bar_ptr, round, n):
    tl.debug_barrier()
    tl.atomic_add(bar_ptr, 1, sem="release")
    while tl.atomic_add(bar_ptr, 0, sem="acquire") < round * n:
        pass


@triton.jit
def k(x_ptr, t_ptr, u_ptr, bar_ptr, y_ptr):
    pid = tl.program_id(0)
    n = tl.num_programs(0)
    i = pid * 16 + tl.arange(0, 16)
    tl.store(t_ptr + i, tl.load(x_ptr + i))
    barrier(bar_ptr, 1, n)
    tl.store(u_ptr + i, tl.load(t_ptr + (i + 16) % 256))
    barrier(bar_ptr, 2, n)
    t = tl.load(u_ptr + (i + 16) % 256)
    barrier(bar_ptr, 3, n)
    tl.store(t_ptr + i, t)
    tl.store(y_ptr + i, t)
