# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A mask that would fit strides whose values are exchanged is not offered: it would hide that.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [20]
# [args]
# x_ptr = { dtype = "fp32", shape = [20, 30], init = "randn" }
# y_ptr = { dtype = "fp32", shape = [20], init = "zeros" }
# N = 30
# M = 20
# stride_xm = 1
# stride_xn = 30
# ///


@triton.jit
def k(x_ptr, y_ptr, M, N, stride_xm, stride_xn):
    row = tl.program_id(0)
    cols = tl.arange(0, 32)
    x = tl.load(x_ptr + row * stride_xm + cols * stride_xn, mask=cols < N, other=0.0)
#|      ^~ run-access-outside: past its last element [19, 29]; its `mask` must be `cols < M`, unless the values of `stride_xn` and `stride_xm` are exchanged
    tl.store(y_ptr + row, tl.sum(x))
