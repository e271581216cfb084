# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Two elements of one store that go to one place write the same, and yet one of them is lost.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [2]
# [args]
# x_ptr = { dtype = "int32", shape = [8], init = "zeros" }
# count_ptr = { dtype = "int32", shape = [4], init = "zeros" }
# sum_ptr = { dtype = "fp32", shape = [1], init = "zeros" }
# most_ptr = { dtype = "int32", shape = [4], init = "zeros" }
# ///


@triton.jit
def k(x_ptr, count_ptr, sum_ptr, most_ptr):
    i = tl.arange(0, 8)
    v = tl.load(x_ptr + i)
    tl.store(count_ptr + v, tl.load(count_ptr + v) + 1, mask=i < 5)
#|  ^~ run-write-race: updates `count_ptr[0]` twice, from elements [0] and [1] of its block, after one load of both: only one of the updates is left; `tl.atomic_add(count_ptr + v, 1, mask=i < 5)` keeps every update
#|   note: in program 0
#|   note: the same in 1 more program
#|   fix: write `tl.atomic_add(count_ptr + v, 1, mask=i < 5)`
    tl.store(sum_ptr, tl.load(sum_ptr) + tl.sum(i.to(tl.float32)))
#|  ^~ run-write-race: by program 0; `tl.atomic_add(sum_ptr, tl.sum(i.to(tl.float32)))` keeps every update
#|   fix: write `tl.atomic_add(sum_ptr, tl.sum(i.to(tl.float32)))`
    # To do this twice is to do it once.
    tl.store(most_ptr + v, tl.maximum(tl.load(most_ptr + v), 3))
