# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Block pointers have no mask and no `other`: they check axes, and pad what lies outside.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [1]
# [args]
# x_ptr = { dtype = "fp32", shape = [20, 20], init = "randn" }
# y_ptr = { dtype = "fp32", shape = [20, 20], init = "randn" }
# out_ptr = { dtype = "fp32", shape = [20] }
# M = 20
# ///


@triton.jit
def k(x_ptr, y_ptr, out_ptr, M):
    x_block = tl.make_block_ptr(x_ptr, (M, M), (M, 1), (0, 0), (32, 32), (1, 0))
    y_block = tl.make_block_ptr(y_ptr, (M, M), (M, 1), (0, 0), (32, 32), (1, 0))
    x = tl.load(x_block, boundary_check=(0, 1))
    y = tl.load(y_block, boundary_check=(1,), padding_option="zero")
#|      ^~ run-access-outside: its `boundary_check` must name each axis along which the block may leave the array: `(0, 1)`
#|   fix: write `boundary_check=(0, 1)` | (0, 1)
    i = tl.arange(0, 32)
    tl.store(out_ptr + i, tl.sum(x, axis=1) + tl.sum(y, axis=1), mask=i < M)
#|  ^~ run-undefined: give the load of `x` in line 24 `padding_option="zero"`
#|   fix: | , padding_option="zero"
