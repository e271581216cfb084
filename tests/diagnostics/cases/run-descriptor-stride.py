# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Rows of 200 bytes, which bulk copies do not reach.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [1]
# [sizes]
# M = 32
# K = 100
# [args]
# a = { dtype = "fp16", shape = ["M", "K"], init = "randn" }
# out = { dtype = "fp16", shape = ["M", 128] }
# K = "K"
# M = "M"
# ///


@triton.jit
def k(a, out, M, K):
    d = tl.make_tensor_descriptor(a, shape=[M, K], strides=[K, 1], block_shape=[32, 128])
#|                                                          ^ bad-argument: a stride of 100 elements is 200 bytes: all strides of a descriptor but the last have to be multiples of 16 bytes
#|   note: pad the rows of the array to a multiple of 8 elements
    o = tl.make_tensor_descriptor(out, shape=[M, 128], strides=[128, 1], block_shape=[32, 128])
    o.store([0, 0], d.load([0, 0]))
