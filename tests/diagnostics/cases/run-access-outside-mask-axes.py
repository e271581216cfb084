# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Blocks of equal sides hide that a mask lies along other axes than the address.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = ["cdiv(M, 16)", "cdiv(N, 16)"]
# [sizes]
# M = 20
# N = 40
# [args]
# x_ptr = { dtype = "fp32", shape = ["M", "N"], init = "randn" }
# y_ptr = { dtype = "fp32", shape = ["M", "N"] }
# ///


@triton.jit
def k(x_ptr, y_ptr, M, N):
    rows = tl.program_id(0) * 16 + tl.arange(0, 16)
    cols = tl.program_id(1) * 16 + tl.arange(0, 16)
    at = rows[:, None] * N + cols[None, :]
    x = tl.load(x_ptr + at, mask=(cols < N) & (rows < M), other=0.0)
#|      ^~ run-access-outside: its `mask` must take its indices along the axes of the address: `(cols[None, :] < N) & (rows[:, None] < M)`
#|   fix: | (cols[None, :] < N) & (rows[:, None] < M)
    transposed = (cols[:, None] < N) & (rows[None, :] < M)
    tl.store(y_ptr + at, x, mask=transposed)
#|  ^~ run-access-outside: its `mask` must take its indices along the axes of the address: `(cols[None, :] < N) & (rows[:, None] < M)`
#|   fix: | (cols[None, :] < N) & (rows[:, None] < M)
#|  ^~ run-write-race: is written by
