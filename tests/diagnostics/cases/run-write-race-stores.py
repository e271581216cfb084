# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [4]
# [args]
# x_ptr = { dtype = "fp32", shape = [16], init = "arange" }
# bar_ptr = { dtype = "i32", shape = [1], init = "zeros" }
# y_ptr = { dtype = "fp32", shape = [1], init = "zeros" }
# ///


@triton.jit
def k(x_ptr, bar_ptr, y_ptr):
    pid = tl.program_id(0)
    tl.atomic_add(bar_ptr, 1)
    while tl.atomic_add(bar_ptr, 0) < 4:
        pass
    tl.store(y_ptr, tl.load(x_ptr + pid))
#|  ^~ run-write-race: `y_ptr[0]` is written by program 0 and, with another value, by program 1 in line 23: which comes first is chance; the lock has to be released, or the flag set, behind the store, by an atomic operation: `tl.atomic_xchg`, as a plain store or `sem="relaxed"` orders nothing
#|   note: the same in 2 more programs
