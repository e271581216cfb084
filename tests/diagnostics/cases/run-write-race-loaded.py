# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# What is stored holds what was loaded, and only what comes on top is to be added. Where the source does not show
# that alone, no atomic addition is advised: it would count the old value twice.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [8]
# [args]
# x_ptr = { dtype = "fp32", shape = [8, 13], init = "randn" }
# flag_ptr = { dtype = "int32", shape = [1], init = "ones" }
# sum_ptr = { dtype = "fp32", shape = [13], init = "zeros" }
# first_ptr = { dtype = "fp32", shape = [13], init = "zeros" }
# count_ptr = { dtype = "int32", shape = [13], init = "zeros" }
# ///


@triton.jit
def k(x_ptr, flag_ptr, sum_ptr, first_ptr, count_ptr):
    pid = tl.program_id(0)
    i = tl.arange(0, 16)
    x = tl.load(x_ptr + pid * 13 + i, mask=i < 13, other=float("-inf"))
    add = x
    add += tl.load(sum_ptr + i, mask=i < 13)
    tl.store(sum_ptr + i, add, mask=i < 13)
#|  ^~ run-write-race: `sum_ptr[0]` is written by program
#|   note: no fix is offered, since what is stored holds what was loaded there
    # The first program's has no load in it.
    value = x
    if tl.load(flag_ptr) != 0:
        value = tl.load(first_ptr + i, mask=i < 13) + x
    tl.store(first_ptr + i, value, mask=i < 13)
#|  ^~ run-write-race: `first_ptr[0]` is written by program
#|   note: no fix is offered, since what is stored holds what was loaded there
    # One number, and the mask of a block that it is made of.
    most = tl.argmax(x, axis=0)
    tl.store(count_ptr + most, tl.load(count_ptr + most) + 1)
#|  ^~ run-write-race: `tl.atomic_add(count_ptr + most, 1)` keeps every update
#|   fix: write `tl.atomic_add(count_ptr + most, 1)`
