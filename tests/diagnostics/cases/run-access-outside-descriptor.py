# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A descriptor has no mask: what it states of the array is wrong.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [1]
# [args]
# x_ptr = { dtype = "fp32", shape = [16, 32], init = "randn" }
# y_ptr = { dtype = "fp32", shape = [32, 32], init = "zeros" }
# ///


@triton.jit
def k(x_ptr, y_ptr):
    x_desc = tl.make_tensor_descriptor(x_ptr, shape=[24, 32], strides=[32, 1], block_shape=[32, 32])
    x = x_desc.load([0, 0])
#|      ^~ run-access-outside: past its last element [15, 31]; the descriptor leaves out what lies outside of its `shape`: that, its `strides`, or where it begins are not those of `x_ptr`
#|   from: the descriptor is made here
    i = tl.arange(0, 32)
    tl.store(y_ptr + i[:, None] * 32 + i[None, :], x)
