# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [2]
# [args]
# x_ptr = { dtype = "fp32", shape = [32], init = "arange" }
# a_ptr = { dtype = "fp32", shape = [32], init = "zeros" }
# b_ptr = { dtype = "fp32", shape = [32], init = "zeros" }
# flag_ptr = { dtype = "i32", shape = [1], init = "zeros" }
# y_ptr = { dtype = "fp32", shape = [32], expected = "x_ptr * 2 + x_ptr * 3" }
# ///


@triton.jit
def k(x_ptr, a_ptr, b_ptr, flag_ptr, y_ptr):
    i = tl.arange(0, 32)
    if tl.program_id(0) == 0:
        x = tl.load(x_ptr + i)
        tl.store(a_ptr + i, x * 2)
        tl.atomic_xchg(flag_ptr, 1)
        tl.store(b_ptr + i, x * 3)
    else:
        while tl.atomic_add(flag_ptr, 0) == 0:
            pass
        tl.store(y_ptr + i, tl.load(a_ptr + i) + tl.load(b_ptr + i))
#|                                               ^~ run-write-race: `b_ptr[1]` is read by program 1 and changed by program 0 in line 26: which comes first is chance; what the reader waits for has to be set behind the store, by an atomic operation such as `tl.atomic_xchg` (a plain store or `sem="relaxed"` orders nothing), and a count has to be that of all writers
