# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [1000]
# [args]
# x_ptr = { dtype = "fp32", shape = [16000], init = "randn" }
# t_ptr = { dtype = "fp32", shape = [16000], init = "zeros" }
# bar_ptr = { dtype = "i32", shape = [1], init = "zeros" }
# y_ptr = { dtype = "fp32", shape = [16000], expected = "x_ptr + roll(x_ptr, -16)" }
# [constexprs]
# N = "16000"
# [options]
# num_warps = 16
# ///


@triton.jit
def k(x_ptr, t_ptr, bar_ptr, y_ptr, N: tl.constexpr):
    pid = tl.program_id(0)
    i = pid * 16 + tl.arange(0, 16)
    x = tl.load(x_ptr + i)
    tl.store(t_ptr + i, x)
    tl.atomic_add(bar_ptr, 1, sem="release")
    while tl.atomic_add(bar_ptr, 0, sem="acquire") < tl.num_programs(0):
#|        ^~ run-step-limit: programs wait here for others that have not begun, until 1000 run at once, but an H100 or H200 (`cuda:90`) holds at most 528 of them (4 on each of 132 multiprocessors, limited by warps): the kernel can hang there; launch at most 528 programs, each of which does the work of several
        pass
    tl.store(y_ptr + i, x + tl.load(t_ptr + (i + 16) % N))
