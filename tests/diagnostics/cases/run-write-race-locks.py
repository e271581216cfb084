# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# The lock is released as it should be, but programs that add to one row have different ones.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [8]
# [args]
# x_ptr = { dtype = "fp32", shape = [8, 64], init = "randn", seed = 1 }
# lock_ptr = { dtype = "i32", shape = [4], init = "zeros" }
# y_ptr = { dtype = "fp32", shape = [2, 64], init = "zeros" }
# ///


@triton.jit
def k(x_ptr, lock_ptr, y_ptr):
    pid = tl.program_id(0)
    i = tl.arange(0, 64)
    x = tl.load(x_ptr + pid * 64 + i)
    while tl.atomic_cas(lock_ptr + pid % 4, 0, 1) == 1:
        pass
    y = tl.load(y_ptr + pid % 2 * 64 + i)
    tl.store(y_ptr + pid % 2 * 64 + i, y + x)
#|  ^~ run-write-race: `y_ptr[0, 0]` is written by program 2 and, with another value, by program 0 in line 27: which comes first is chance; the lock that line 24 waits for does not keep them apart: the loop ends while another program holds it, each of them has another lock, or it does not begin free; `tl.atomic_add(y_ptr + pid % 2 * 64 + i, x)` keeps every update
#|   note: the same in 5 more programs
#|   fix: write `tl.atomic_add(y_ptr + pid % 2 * 64 + i, x)`
    tl.debug_barrier()
    tl.atomic_xchg(lock_ptr + pid % 4, 0)
