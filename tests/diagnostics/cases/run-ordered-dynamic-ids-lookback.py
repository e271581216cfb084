# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


#| set do run
#| set nothing
# /// tilescope
# kernel = "scan"
# grid = [16]
# [args]
# x_ptr = { dtype = "fp32", shape = [2048], init = "randn" }
# id_ptr = { dtype = "i32", shape = [1], init = "zeros" }
# pre_ptr = { dtype = "fp32", shape = [16], init = "zeros" }
# f_ptr = { dtype = "i32", shape = [16], init = "zeros" }
# y_ptr = { dtype = "fp32", shape = [2048], expected = "cumsum(x_ptr)" }
# [constexprs]
# B = "128"
# ///


@triton.jit
def scan(x_ptr, id_ptr, pre_ptr, f_ptr, y_ptr, B: tl.constexpr):
    pid = tl.atomic_add(id_ptr, 1, sem="relaxed")
    i = pid * B + tl.arange(0, B)
    x = tl.load(x_ptr + i)
    base = 0.0
    if pid > 0:
        while tl.atomic_add(f_ptr + pid - 1, 0, sem="acquire") == 0:
            pass
        base = tl.load(pre_ptr + pid - 1)
    tl.store(pre_ptr + pid, base + tl.sum(x, axis=0))
    tl.atomic_xchg(f_ptr + pid, 1, sem="release")
    tl.store(y_ptr + i, tl.cumsum(x, axis=0) + base)
