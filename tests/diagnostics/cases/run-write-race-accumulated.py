# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Updates in several statements, and those that are no sums.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [4]
# [args]
# x_ptr = { dtype = "int32", shape = [64], init = "arange" }
# sum_ptr = { dtype = "int32", shape = [1], init = "zeros" }
# two_ptr = { dtype = "int32", shape = [1], init = "zeros" }
# most_ptr = { dtype = "int32", shape = [1], init = "zeros" }
# bits_ptr = { dtype = "int32", shape = [1], init = "zeros" }
# loop_ptr = { dtype = "int32", shape = [1], init = "zeros" }
# last_ptr = { dtype = "int32", shape = [16], init = "zeros" }
# ///


@triton.jit
def k(x_ptr, sum_ptr, two_ptr, most_ptr, bits_ptr, loop_ptr, last_ptr):
    pid = tl.program_id(0)
    i = tl.arange(0, 16)
    x = tl.load(x_ptr + pid * 16 + i)
    total = tl.load(sum_ptr)
    total += tl.sum(x)
    tl.store(sum_ptr, total)
#|  ^~ run-write-race: `tl.atomic_add(sum_ptr, tl.sum(x))` keeps every update
#|   fix: write `tl.atomic_add(sum_ptr, tl.sum(x))`
    two = tl.load(two_ptr)
    two = two - tl.sum(x)
    tl.store(two_ptr, two, pid < 3)
#|  ^~ run-write-race: `tl.atomic_add(two_ptr, -(tl.sum(x)), mask=pid < 3)` keeps every update
    tl.store(most_ptr, tl.maximum(tl.load(most_ptr), tl.max(x)))
#|  ^~ run-write-race: `tl.atomic_max(most_ptr, tl.max(x))` keeps every update
    tl.store(bits_ptr, tl.load(bits_ptr) | tl.max(x))
#|  ^~ run-write-race: `tl.atomic_or(bits_ptr, tl.max(x))` keeps every update
    # One store of several updates is none of them.
    all = tl.load(loop_ptr)
    for r in range(2):
        all += tl.sum(x) + r
    tl.store(loop_ptr, all)
#|  ^~ run-write-race: `loop_ptr[0]`
#|   note: no fix is offered, since what is stored holds what was loaded there
    tl.store(last_ptr + i, x)
#|  ^~ run-write-race: `last_ptr[0]` is written by program
#|   note: no fix is offered, since only you know which value is meant: give each program elements of its own, at indices that depend on `tl.program_id`
