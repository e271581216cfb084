# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


#| set do run
#| set nothing
# /// tilescope
# kernel = "k"
# grid = [64]
# [args]
# x_ptr = { dtype = "fp32", shape = [1024], init = "randn" }
# t_ptr = { dtype = "fp32", shape = [1024], init = "zeros" }
# bar_ptr = { dtype = "i32", shape = [1], init = "zeros" }
# y_ptr = { dtype = "fp32", shape = [1024], expected = "x_ptr + roll(x_ptr, -16)" }
# [constexprs]
# N = "1024"
# [options]
# num_warps = 4
# ///


@triton.jit
def k(x_ptr, t_ptr, bar_ptr, y_ptr, N: tl.constexpr):
    pid = tl.program_id(0)
    i = pid * 16 + tl.arange(0, 16)
    x = tl.load(x_ptr + i)
    tl.store(t_ptr + i, x)
    tl.atomic_add(bar_ptr, 1, sem="release")
    while tl.atomic_add(bar_ptr, 0, sem="acquire") < tl.num_programs(0):
        pass
    tl.store(y_ptr + i, x + tl.load(t_ptr + (i + 16) % N))
