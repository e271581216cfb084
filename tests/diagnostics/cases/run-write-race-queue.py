# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [4]
# [args]
# x_ptr = { dtype = "i32", shape = [4], init = "arange" }
# item_ptr = { dtype = "i32", shape = [4], init = "zeros" }
# tail_ptr = { dtype = "i32", shape = [1], init = "zeros" }
# head_ptr = { dtype = "i32", shape = [1], init = "zeros" }
# y_ptr = { dtype = "i32", shape = [4], expected = "arange(4) * 2" }
# ///


@triton.jit
def k(x_ptr, item_ptr, tail_ptr, head_ptr, y_ptr):
    pid = tl.program_id(0)
    at = tl.atomic_add(tail_ptr, 1)
    tl.store(item_ptr + at, pid)
    mine = tl.atomic_add(head_ptr, 1)
    while tl.atomic_add(tail_ptr, 0) <= mine:
        pass
    work = tl.load(item_ptr + mine)
#|         ^~ run-write-race: `item_ptr[0]` is read by program 0 and changed by program 1 in line 23: which comes first is chance; what the reader waits for has to be set behind the store, by an atomic operation such as `tl.atomic_xchg` (a plain store or `sem="relaxed"` orders nothing), and a count has to be that of all writers
    tl.store(y_ptr + work, tl.load(x_ptr + work) * 2)
