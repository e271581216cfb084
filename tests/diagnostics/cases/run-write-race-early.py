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
# data_ptr = { dtype = "fp32", shape = [32], init = "zeros" }
# flag_ptr = { dtype = "i32", shape = [1], init = "zeros" }
# y_ptr = { dtype = "fp32", shape = [32], expected = "x_ptr * 2" }
# ///


@triton.jit
def k(x_ptr, data_ptr, flag_ptr, y_ptr):
    i = tl.arange(0, 32)
    if tl.program_id(0) == 0:
        tl.atomic_xchg(flag_ptr, 1, sem="release")
        tl.store(data_ptr + i, tl.load(x_ptr + i) * 2)
    else:
        while tl.atomic_cas(flag_ptr, 1, 1, sem="acquire") != 1:
            pass
        tl.store(y_ptr + i, tl.load(data_ptr + i))
#|                          ^~ run-write-race: `data_ptr[1]` is read by program 1 and changed by program 0 in line 23: which comes first is chance; what the reader waits for has to be set behind the store, by an atomic operation such as `tl.atomic_xchg` (a plain store or `sem="relaxed"` orders nothing), and a count has to be that of all writers
