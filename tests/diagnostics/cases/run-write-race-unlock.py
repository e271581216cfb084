# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [8]
# [args]
# x_ptr = { dtype = "fp32", shape = [8, 64], init = "ones" }
# lock_ptr = { dtype = "i32", shape = [1], init = "zeros" }
# y_ptr = { dtype = "fp32", shape = [64], init = "zeros", expected = "sum(x_ptr, axis=0)" }
# ///


@triton.jit
def k(x_ptr, lock_ptr, y_ptr):
    pid = tl.program_id(0)
    i = tl.arange(0, 64)
    x = tl.load(x_ptr + pid * 64 + i)
    while tl.atomic_cas(lock_ptr, 0, 1) == 1:
        pass
    y = tl.load(y_ptr + i) + x
    tl.atomic_xchg(lock_ptr, 0)
    tl.store(y_ptr + i, y)
#|  ^~ run-write-race: `y_ptr[0]` is written by program 1 and, with another value, by program 0 in line 26: which comes first is chance; the lock has to be released, or the flag set, behind the store, by an atomic operation: `tl.atomic_xchg`, as a plain store or `sem="relaxed"` orders nothing; `tl.atomic_add(y_ptr + i, x)` keeps every update
#|   note: the same in 6 more programs
#|   fix: write `tl.atomic_add(y_ptr + i, x)`
