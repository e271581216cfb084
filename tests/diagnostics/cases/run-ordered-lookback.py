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
# agg_ptr = { dtype = "fp32", shape = [16], init = "zeros" }
# pre_ptr = { dtype = "fp32", shape = [16], init = "zeros" }
# f_ptr = { dtype = "i32", shape = [16], init = "zeros" }
# y_ptr = { dtype = "fp32", shape = [2048], expected = "cumsum(x_ptr)" }
# [constexprs]
# B = "128"
# ///


@triton.jit
def scan(x_ptr, agg_ptr, pre_ptr, f_ptr, y_ptr, B: tl.constexpr):
    pid = tl.program_id(0)
    i = pid * B + tl.arange(0, B)
    x = tl.load(x_ptr + i)
    total = tl.sum(x, axis=0)
    tl.store(agg_ptr + pid, total)
    tl.atomic_xchg(f_ptr + pid, 1, sem="release")
    base = 0.0
    at = pid - 1
    while at >= 0:
        state = tl.atomic_add(f_ptr + at, 0, sem="acquire")
        if state == 2:
            base += tl.load(pre_ptr + at)
            at = -1
        elif state == 1:
            base += tl.load(agg_ptr + at)
            at -= 1
    tl.store(pre_ptr + pid, base + total)
    tl.atomic_xchg(f_ptr + pid, 2, sem="release")
    tl.store(y_ptr + i, tl.cumsum(x, axis=0) + base)
