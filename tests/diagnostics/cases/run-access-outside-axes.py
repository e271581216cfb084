# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Blocks that stick out of matrices: each index is bounded by the kernel's own name for its extent.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [2, 2]
# [args]
# x_ptr = { dtype = "fp32", shape = [6, 24], init = "arange" }
# w_ptr = { dtype = "fp32", shape = [24, 6], init = "arange" }
# v_ptr = { dtype = "fp32", shape = [144], init = "arange" }
# y_ptr = { dtype = "fp32", shape = [6, 24] }
# M = 6
# N = 24
# stride_xm = 24
# stride_xn = 1
# [constexprs]
# COLS = 24
# BM = 4
# BN = 16
# ///


@triton.jit
def k(x_ptr, w_ptr, v_ptr, y_ptr, M, N, stride_xm, stride_xn, COLS: tl.constexpr, BM: tl.constexpr,
      BN: tl.constexpr):
    r = tl.program_id(0) * BM + tl.arange(0, BM)
    c = tl.program_id(1) * BN + tl.arange(0, BN)
    # The strides of the axes are arguments.
    x = tl.load(x_ptr + r[:, None] * stride_xm + c[None, :] * stride_xn)
#|      ^~ run-access-outside: add `mask=(r[:, None] < M) & (c[None, :] < N)`
#|   fix: | , mask=(r[:, None] < M) & (c[None, :] < N)
#|   note: the same in 1 more program
    # The length of a row is a constexpr.
    p = r[:, None] * COLS + c[None, :]
    y = tl.load(x_ptr + p)
#|      ^~ run-access-outside: add `mask=(r[:, None] < M) & (c[None, :] < COLS)`
#|   fix: | , mask=(r[:, None] < M) & (c[None, :] < COLS)
#|   note: the same in 1 more program
    # Turned: the other argument is the length of a row.
    w = tl.load(w_ptr + c[None, :] * M + r[:, None])
#|      ^~ run-access-outside: add `mask=(c[None, :] < N) & (r[:, None] < M)`
#|   fix: | , mask=(c[None, :] < N) & (r[:, None] < M)
#|   note: the same in 1 more program
    # One index for all elements: the product of two arguments is their number.
    i = (tl.program_id(0) * 2 + tl.program_id(1)) * 64 + tl.arange(0, 64)
    v = tl.load(v_ptr + i)
#|      ^~ run-access-outside: add `mask=i < M * N, other=0.0`
#|   fix: | , mask=i < M * N, other=0.0
#|   note: the same in 1 more program
    # Written as numbers, axes have no names.
    tl.store(y_ptr + r[:, None] * 24 + c[None, :], x + y + w + tl.sum(v))
#|  ^~ run-access-outside: a `mask` must keep each index within its extent
#|   note: the same in 1 more program
#|  ^~ run-write-race: is written by
