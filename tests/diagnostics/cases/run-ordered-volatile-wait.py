# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


#| set do run
#| set nothing
# /// tilescope
# kernel = "scan"
# grid = [8]
# [args]
# x_ptr = { dtype = "fp32", shape = [1024], init = "randn" }
# s_ptr = { dtype = "fp32", shape = [8], init = "zeros" }
# f_ptr = { dtype = "i32", shape = [8], init = "zeros" }
# y_ptr = { dtype = "fp32", shape = [1024], expected = "cumsum(x_ptr)" }
# [constexprs]
# B = "128"
# ///


@triton.jit
def scan(x_ptr, s_ptr, f_ptr, y_ptr, B: tl.constexpr):
    pid = tl.program_id(0)
    i = pid * B + tl.arange(0, B)
    x = tl.load(x_ptr + i)
    base = 0.0
    if pid > 0:
        while tl.load(f_ptr + pid - 1, volatile=True) == 0:
            pass
        base = tl.load(s_ptr + pid - 1)
    tl.store(s_ptr + pid, base + tl.sum(x, axis=0))
    tl.debug_barrier()
    tl.atomic_xchg(f_ptr + pid, 1)
    tl.store(y_ptr + i, tl.cumsum(x, axis=0) + base)
