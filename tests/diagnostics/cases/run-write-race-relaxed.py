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
# ready_ptr = { dtype = "i32", shape = [1], init = "zeros" }
# head_ptr = { dtype = "i32", shape = [1], init = "zeros" }
# y_ptr = { dtype = "i32", shape = [4], expected = "arange(4) * 2" }
# ///


@triton.jit
def k(x_ptr, item_ptr, ready_ptr, head_ptr, y_ptr):
    pid = tl.program_id(0)
    tl.store(item_ptr + pid, 3 - pid)
    tl.atomic_add(ready_ptr, 1, sem="relaxed")
    mine = tl.atomic_add(head_ptr, 1, sem="relaxed")
    while tl.atomic_add(ready_ptr, 0, sem="relaxed") < 4:
        pass
    work = tl.load(item_ptr + mine)
#|         ^~ run-write-race: : which comes first is chance; the atomic operation that the reader looks at others with orders nothing, with `sem="relaxed"` or `scope="cta"`: leave that out, and change what is looked at behind the store
    tl.store(y_ptr + work, tl.load(x_ptr + work) * 2)
