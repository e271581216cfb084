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
# x_ptr = { dtype = "i32", shape = [8], init = "ones" }
# w_ptr = { dtype = "i32", shape = [8], init = "zeros" }
# y_ptr = { dtype = "i32", shape = [8], expected = "cumsum(x_ptr)" }
# ///


@triton.jit
def scan(x_ptr, w_ptr, y_ptr):
    pid = tl.program_id(0)
    # A word that is not 0 is the sum of all before, and one.
    word = 1
    if pid > 0:
        word = 0
        while word == 0:
            word = tl.load(w_ptr + pid - 1, volatile=True)
    total = word - 1 + tl.load(x_ptr + pid)
    tl.atomic_xchg(w_ptr + pid, total + 1)
    tl.store(y_ptr + pid, total)
